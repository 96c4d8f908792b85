/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <string.h>

#include <rte_malloc.h>

#include "pw_bufs.h"

int
pw_bufs_init(struct pw_bufs *b, uint32_t size, int socket)
{
	if (!rte_is_power_of_2(size))
		return -EINVAL;
	b->slot = rte_zmalloc_socket("pw_bufs", size * sizeof(b->slot[0]), RTE_CACHE_LINE_SIZE,
				     socket);
	if (b->slot == NULL)
		return -ENOMEM;
	b->mask = size - 1;
	return 0;
}

void
pw_bufs_fini(struct pw_bufs *b)
{
	pw_bufs_drain(b);
	rte_free(b->slot);
	memset(b, 0, sizeof(*b));
}

void
pw_bufs_drain(struct pw_bufs *b)
{
	if (b->slot == NULL)
		return;
	/* A slot holds one segment: freeing it as a packet would take its neighbours too. */
	for (uint32_t i = 0; i <= b->mask; i++) {
		if (b->slot[i] != NULL)
			rte_pktmbuf_free_seg(b->slot[i]);
		b->slot[i] = NULL;
	}
}

void
pw_bufs_clear(struct pw_bufs *b, uint32_t count, uint32_t n)
{
	while (n-- > 0)
		b->slot[count++ & b->mask] = NULL;
}

int
pw_bufs_refill_slow(struct pw_bufs *b, struct rte_mempool *mp, uint32_t count, uint32_t n)
{
	uint32_t slot = count & b->mask;
	uint32_t first = RTE_MIN(n, b->mask + 1 - slot);

	/* Pools refuse to give nothing. */
	if (n == 0)
		return 0;
	if (rte_mempool_get_bulk(mp, (void **)&b->slot[slot], first) != 0)
		goto none;
	if (first == n || rte_mempool_get_bulk(mp, (void **)b->slot, n - first) == 0)
		return 0;
	rte_mempool_put_bulk(mp, (void **)&b->slot[slot], first);
none:
	/* A bulk call that fails may have stored pointers to mbufs that stay in the pool. */
	pw_bufs_clear(b, count, n);
	return -ENOMEM;
}

void
pw_bufs_drain_ring(struct pw_bufs *b, const struct pw_ring *r)
{
	if (b->slot == NULL)
		return;
	pw_bufs_clear(b, r->prod, pw_ring_free(r));
	pw_bufs_drain(b);
}
