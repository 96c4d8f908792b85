/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _TESTS_DRIVER_TSO_H_
#define _TESTS_DRIVER_TSO_H_

/**
 * @file
 * Packets for a card to segment, and the frames that they must become: the packet's header with
 * each frame's own length, identification and sequence number (RFC 791, RFC 8200, RFC 9293), FIN
 * and PSH on the last only.
 */

#include "fixture.h"

/** One packet to be segmented. */
struct tso {
	struct fx_spec spec;	/**< TCP; its payload is left out */
	uint32_t payload;	/**< bytes */
	uint32_t from;		/**< where in the pattern the payload begins, below 65536 */
	uint16_t mss;
	uint16_t head;		/**< bytes in the first segment; 0: as many as fit */
	uint16_t seg;		/**< bytes in the others; 0: as many as fit */
};

/** The packet in a chain, ready for rte_eth_tx_prepare(). */
struct rte_mbuf *tso_packet(struct rte_mempool *pool, const struct tso *t);

/** @return the number of frames. */
static inline uint32_t
tso_segments(const struct tso *t)
{
	return (t->payload + t->mss - 1) / t->mss;
}

/** `got` must be frame `k`; its checksums are judged by the fixture. */
void tso_expect(const struct tso *t, uint32_t k, const struct fx_frame *got);

#endif /* _TESTS_DRIVER_TSO_H_ */
