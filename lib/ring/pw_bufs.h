/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_BUFS_H_
#define _PW_BUFS_H_

/**
 * @file
 * Which mbuf sits in which slot of a ring, with bulk refill and bulk release.
 *
 * A slot holds one segment (Rx: an empty buffer; Tx: the segment that its descriptor points
 * to, or NULL for a descriptor without data). Not thread-safe; owned by the queue's lcore.
 */

#include <errno.h>
#include <stdint.h>

#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "pw_ring.h"

struct pw_bufs {
	struct rte_mbuf **slot; /**< one pointer a ring slot; NULL: nothing held */
	uint32_t mask;		/**< size - 1, as the ring's */
};

/**
 * Allocate the slot array, all empty.
 *
 * @param b
 *   The array.
 * @param size
 *   Number of slots; a power of two.
 * @param socket
 *   NUMA socket id, or SOCKET_ID_ANY.
 * @return
 *   0, -EINVAL for a bad size, -ENOMEM.
 */
int pw_bufs_init(struct pw_bufs *b, uint32_t size, int socket);

/**
 * Free every mbuf still held as pw_bufs_drain() does, then the array. Safe on a zeroed struct and
 * when repeated. Where slots may be stale, call pw_bufs_drain_ring() first.
 */
void pw_bufs_fini(struct pw_bufs *b);

/**
 * Free the mbuf of every slot that is not NULL; all slots are NULL afterwards. Only for arrays
 * whose owner stores NULL when a slot gives up its mbuf; else use pw_bufs_drain_ring().
 */
void pw_bufs_drain(struct pw_bufs *b);

/**
 * Free the mbufs in the slots that the ring counts as used (cons to prod); all slots are NULL
 * afterwards. For packet paths that leave stale pointers in the slots they give up, as
 * pw_bufs_put() does: what is outside the ring's used part belongs to somebody else by now.
 *
 * @param b
 *   The array.
 * @param r
 *   The ring whose slots it shadows; of the same size. Not changed.
 */
void pw_bufs_drain_ring(struct pw_bufs *b, const struct pw_ring *r);

/** Store NULL in `n` slots from counter value `count` on; at most as many as there are. */
void pw_bufs_clear(struct pw_bufs *b, uint32_t count, uint32_t n);

/** pw_bufs_refill() where the range wraps or the pool runs dry; out of line. */
int pw_bufs_refill_slow(struct pw_bufs *b, struct rte_mempool *mp, uint32_t count, uint32_t n);

/**
 * Fill `n` slots (at most all), which hold nothing still wanted, from counter value `count` on
 * with new mbufs of `mp`, in one or, where the range wraps, two bulk calls. All or nothing.
 *
 * @return
 *   0, or -ENOMEM with the slots NULL.
 */
static inline int
pw_bufs_refill(struct pw_bufs *b, struct rte_mempool *mp, uint32_t count, uint32_t n)
{
	uint32_t slot = count & b->mask;

	if (likely(slot + n <= b->mask + 1 &&
		   rte_mempool_get_bulk(mp, (void **)&b->slot[slot], n) == 0))
		return 0;
	return pw_bufs_refill_slow(b, mp, count, n);
}

/**
 * Release `n` slots from counter value `count` on, which must not wrap, when every mbuf in
 * them is a lone segment of pool `mp` with reference count 1 (RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE).
 * The slots keep their pointers, which are stale from then on (see pw_bufs_drain_ring()).
 */
static inline void
pw_bufs_put(struct pw_bufs *b, struct rte_mempool *mp, uint32_t count, uint32_t n)
{
	rte_mempool_put_bulk(mp, (void **)&b->slot[count & b->mask], n);
}

/**
 * Free packets. Those of one segment that nobody else holds, all of one pool, go back in one
 * call: what has to be known of them lies in their first cache line.
 *
 * @param m
 *   Slots, each the first segment of a packet, or NULL.
 * @param n
 *   Number of them; 1 or more.
 */
static inline void
pw_bufs_free(struct rte_mbuf **m, uint32_t n)
{
	uint64_t held = 0, other = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (unlikely(m[i] == NULL))
			goto one_by_one;
		held |= (rte_mbuf_refcnt_read(m[i]) ^ 1) | (m[i]->nb_segs ^ 1) |
			(m[i]->ol_flags & (RTE_MBUF_F_INDIRECT | RTE_MBUF_F_EXTERNAL));
		other |= (uintptr_t)m[i]->pool ^ (uintptr_t)m[0]->pool;
	}
	if (likely((held | other) == 0)) {
		rte_mempool_put_bulk(m[0]->pool, (void **)m, n);
		return;
	}
one_by_one:
	rte_pktmbuf_free_bulk(m, n);
}

#endif /* _PW_BUFS_H_ */
