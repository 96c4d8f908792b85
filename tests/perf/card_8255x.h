/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PERF_CARD_8255X_H_
#define _PERF_CARD_8255X_H_

/**
 * @file
 * A software 82559 or 82551 whose registers are plain memory, as card.h is an 82540EM: it costs
 * a driver one store or load an access, and nothing happens until card_8255x_step() looks. The
 * driver must reach it without translation: memory below 4 GiB at IOVAs that are addresses. Its
 * constants are its own, typed from the facts page.
 */

#include <stdbool.h>
#include <stdint.h>

#include "card.h"

#define CARD_8255X_BAR_SIZE 4096u

struct card_8255x {
	volatile uint8_t *csr;	/**< CARD_8255X_BAR_SIZE bytes of plain memory */
	uint16_t nvm[64];
	uint16_t phy[32];
	/* microwire: last clock level, bits taken in, bits to give out */
	bool sk;
	uint32_t shift;
	unsigned int nbits;
	uint32_t out;
	unsigned int out_left;
	bool dout;
	/* command and receive units */
	uint32_t stats;		/**< address of the statistics buffer */
	uint32_t cb;		/**< the block that the unit stands at: done, and had S */
	bool suspended;		/**< at `cb`; false: idle */
	uint32_t next;		/**< block to be done next; 0: none */
	uint32_t rfd;		/**< next RFD; 0: the unit does not run */
	uint32_t rfd_len;	/**< bytes before the frame */
	bool sum;		/**< a raw sum follows each frame */
	uint64_t tx_packets;
	uint64_t tx_bytes;
};

/** Power on, with the station address 52:54:00:12:35:`last`. 0 or -ENOMEM. */
int card_8255x_init(struct card_8255x *c, uint8_t last);

/** One look at the registers. */
void card_8255x_step(struct card_8255x *c);

/**
 * Put up to `n` frames into the receive area.
 *
 * @param ext
 *   What the extended part of an RFD says of each, if that is in use: VLAN tag (host order) in
 *   bits 31:16, RFD status bits beside C and OK in bits 15:0.
 * @param csum
 *   The extended RFD's checksum byte, or the raw sum of a chip that appends it.
 * @return frames that found an RFD.
 */
unsigned int card_8255x_rx(struct card_8255x *c, unsigned int n, const void *frame, uint16_t len,
			   uint32_t ext, uint16_t csum);

/** Do the commands that wait. `fn` may be NULL. @return frames sent. */
unsigned int card_8255x_tx(struct card_8255x *c, card_tx_fn fn, void *ctx);

#endif /* _PERF_CARD_8255X_H_ */
