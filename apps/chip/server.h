/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _CHIP_SERVER_H_
#define _CHIP_SERVER_H_

/**
 * @file
 * A model as a vfio-user device: one message in, one reply out. Knows no socket, so that a
 * fuzzer can drive it. The model's state goes back to power-on when a client leaves, as its
 * memory leaves with it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pw_model.h"

#include "dma.h"
#include "irq.h"
#include "proto.h"

struct chip_server {
	struct pw_model *model;
	const struct pw_model_info *info;
	struct chip_dma dma;
	struct chip_irqs irqs;
	bool negotiated;
	bool mastering;		/**< PCI bus master is enabled */
	uint64_t nb_clients;
	uint64_t nb_refused;	/**< messages answered with an error */
};

/** A reply under construction: header and payload. */
struct chip_reply {
	uint8_t data[VFU_MAX_XFER + 256];
	size_t len;		/**< 0: none is wanted */
};

/** The model must exist; its irq callback is chip_server_irq(), its ctx leads to `s`. */
int chip_server_init(struct chip_server *s, struct pw_model *model);

/** Release all; the model stays. */
void chip_server_fini(struct chip_server *s);

void chip_server_client_came(struct chip_server *s);
void chip_server_client_left(struct chip_server *s);

/**
 * Handle one message.
 *
 * @param msg
 *   Header and payload; the header's size field has been checked to be `len`.
 * @param fds
 *   Descriptors that came with it; one that is kept is replaced by -1, the caller closes the
 *   others.
 * @return
 *   0 and a reply, or -errno if the connection makes no sense any more and has to end.
 */
int chip_server_message(struct chip_server *s, const uint8_t *msg, size_t len, int *fds,
			unsigned int nb_fds, struct chip_reply *reply);

#endif /* _CHIP_SERVER_H_ */
