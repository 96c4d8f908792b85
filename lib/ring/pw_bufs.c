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
pw_bufs_drain_ring(struct pw_bufs *b, const struct pw_ring *r)
{
	uint32_t idle = pw_ring_free(r);

	if (b->slot == NULL)
		return;
	for (uint32_t i = 0; i < idle; i++)
		b->slot[pw_ring_slot(r, r->prod + i)] = NULL;
	pw_bufs_drain(b);
}
