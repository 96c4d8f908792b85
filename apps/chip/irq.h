/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _CHIP_IRQ_H_
#define _CHIP_IRQ_H_

/**
 * @file
 * From the model's interrupt to the client's eventfds. INTx is a level: it masks itself when
 * it fires, and fires again on unmask if the line is still high. MSI and MSI-X are messages.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/vfio.h>

#include "pw_model.h"

#define CHIP_IRQ_VECTORS 64u	/* more than any chip has */

struct chip_irqs {
	unsigned int count[VFIO_PCI_NUM_IRQS];
	int fd[VFIO_PCI_NUM_IRQS][CHIP_IRQ_VECTORS];	/**< -1: none */
	unsigned int nb_fds[VFIO_PCI_NUM_IRQS];		/**< how many are not -1 */
	int unmask_fd;		/**< the client's INTx unmask event, or -1 */
	bool intx_level;
	bool intx_masked;
	uint64_t fired;		/**< since the start */
};

void chip_irqs_init(struct chip_irqs *q, const struct pw_model_info *info, bool has_intx);

/** Close all descriptors; the line's level is kept. */
void chip_irqs_clear(struct chip_irqs *q);

/** What the model says. */
void chip_irqs_set(struct chip_irqs *q, unsigned int vector, bool level);

/** VFIO_IRQ_INFO_* of a kind of interrupt. */
uint32_t chip_irqs_flags(unsigned int index);

/**
 * One SET_IRQS. `len` bytes of data follow the fixed part. A descriptor that is taken over is
 * replaced by -1 in `fds`.
 *
 * @return 0 or -EINVAL.
 */
int chip_irqs_request(struct chip_irqs *q, const struct vfio_irq_set *req, const uint8_t *data,
		      size_t len, int *fds, unsigned int nb_fds);

/** The client's unmask event has become readable. */
void chip_irqs_unmask_event(struct chip_irqs *q);

#endif /* _CHIP_IRQ_H_ */
