/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PERF_CARD_H_
#define _PERF_CARD_H_

/**
 * @file
 * A software 82540EM or 82574L whose registers are plain memory, so that a driver that knows
 * nothing of pollwire (DPDK's net_e1000_em) and ours pay the same for an access: one store.
 * Nothing happens on a write; card_step() looks at the registers and does what the chip would
 * have done. It is called from every hardware wait of a driver. Frames move when card_rx() and
 * card_tx() are called, between the timed bursts. Its constants are its own, typed from the facts
 * page.
 */

#include <stdbool.h>
#include <stdint.h>

#define CARD_BAR_SIZE (128u << 10)

#define CARD_82540EM 0x100e
#define CARD_82574L 0x10d3

struct card {
	volatile uint32_t *reg; /**< CARD_BAR_SIZE bytes of plain memory */
	uint16_t device;	/**< CARD_82540EM or CARD_82574L */
	uint16_t nvm[64];
	uint16_t phy[32];
	/* microwire: last clock level, bits taken in, bits to give out */
	bool sk;
	uint32_t shift;
	unsigned int nbits;
	uint32_t out;
	unsigned int out_left;
	/* what moved */
	uint64_t tx_packets;
	uint64_t tx_bytes;
};

/** Power on, with the station address 52:54:00:12:34:`last`. 0 or -ENOMEM. */
int card_init(struct card *c, uint16_t device, uint8_t last);

/** One look at the registers. */
void card_step(struct card *c);

/**
 * Put up to `n` frames into the receive ring.
 *
 * @param status
 *   Descriptor status and error bytes and the VLAN tag, as bits 32..63 of a legacy write-back.
 *   A driver that asks for extended descriptors gets the same in their form, type IPv4 with L4.
 * @return frames that found a descriptor.
 */
unsigned int card_rx(struct card *c, unsigned int n, const void *frame, uint16_t len,
		     uint32_t status);

/** Called for each frame sent, with its pieces gathered. */
typedef void (*card_tx_fn)(void *ctx, const uint8_t *frame, uint32_t len);

/** Send what the ring holds. `fn` may be NULL. @return frames sent. */
unsigned int card_tx(struct card *c, card_tx_fn fn, void *ctx);

#endif /* _PERF_CARD_H_ */
