/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _BIND_SELFTEST_H_
#define _BIND_SELFTEST_H_

#include "args.h"

/**
 * Start pollwire-selftest on a card that is bound, or on two that a cable joins. Drivers need
 * DPDK, and this program does without.
 *
 * @return
 *   Exit status, if it could not be started.
 */
enum pb_status pb_selftest(const struct pb_args *args);

#endif /* _BIND_SELFTEST_H_ */
