/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _CHIP_VERSION_H_
#define _CHIP_VERSION_H_

/**
 * @file
 * Negotiation of version and capabilities (VFIO_USER_VERSION).
 */

#include <stddef.h>
#include <stdint.h>

/**
 * Answer a proposal.
 *
 * @param req
 *   The payload: version, and JSON with its NUL or nothing.
 * @param reply
 *   The payload of the reply.
 * @param room
 *   Bytes at `reply`.
 * @return
 *   Bytes of the reply; -EPROTONOSUPPORT for another major version; -EINVAL for what is no
 *   proposal.
 */
int chip_version(const uint8_t *req, size_t len, uint8_t *reply, size_t room);

#endif /* _CHIP_VERSION_H_ */
