/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The model's own IOMMU: a sorted table of mappings. What a device reads or writes in one go
 * may lie in several of them (one buffer behind a guest's IOMMU is a mapping a page), so
 * copies go piece by piece. Users keep a window of the piece they met last; a change of the
 * table makes all windows stale.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "pw_chip.h"

/* First mapping that ends at or after `iova`; nb_maps if none. */
static unsigned int
dma_lower(const struct pw_model *m, uint64_t iova)
{
	unsigned int lo = 0, hi = m->nb_maps;

	while (lo < hi) {
		unsigned int mid = lo + (hi - lo) / 2;

		if (m->map[mid].last < iova)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

int
pw_model_dma_map(struct pw_model *m, uint64_t iova, uint64_t len, void *va, bool writable)
{
	uint64_t last = iova + len - 1;
	unsigned int at;
	int ret = 0;

	if (len == 0 || last < iova || va == NULL)
		return -EINVAL;

	pthread_mutex_lock(&m->lock);
	at = dma_lower(m, iova);
	if (at < m->nb_maps && m->map[at].iova <= last) {
		ret = -EEXIST;
		goto out;
	}
	if (m->nb_maps == m->max_maps) {
		unsigned int max = m->max_maps == 0 ? 16 : m->max_maps * 2;
		struct pw_dma_map *p = realloc(m->map, max * sizeof(*p));

		if (p == NULL) {
			ret = -ENOMEM;
			goto out;
		}
		m->map = p;
		m->max_maps = max;
	}
	memmove(&m->map[at + 1], &m->map[at], (m->nb_maps - at) * sizeof(m->map[0]));
	m->map[at] = (struct pw_dma_map){ iova, last, va, writable };
	m->nb_maps++;
	m->dma_gen++;
out:
	pthread_mutex_unlock(&m->lock);
	return ret;
}

int
pw_model_dma_unmap(struct pw_model *m, uint64_t iova, uint64_t len)
{
	uint64_t last = iova + len - 1;
	unsigned int from, to;
	int ret = 0;

	if (len == 0)
		return 0;
	if (last < iova)
		return -EINVAL;

	pthread_mutex_lock(&m->lock);
	from = dma_lower(m, iova);
	for (to = from; to < m->nb_maps && m->map[to].iova <= last; to++) {
		if (m->map[to].iova < iova || m->map[to].last > last) {
			ret = -EINVAL;
			goto out;
		}
	}
	if (to > from) {
		memmove(&m->map[from], &m->map[to], (m->nb_maps - to) * sizeof(m->map[0]));
		m->nb_maps -= to - from;
		m->dma_gen++;
	}
out:
	pthread_mutex_unlock(&m->lock);
	return ret;
}

/* Find the mapping of one byte and note it in `win`. @return NULL, or why there is none. */
static const char *
dma_find(const struct pw_model *m, struct pw_dma_win *win, uint64_t iova, bool write)
{
	bool only32 = m->fault[PW_FAULT_DMA32] != 0;
	const struct pw_dma_map *map;
	unsigned int i;

	if (only32 && iova >> 32 != 0)
		return "address above 4 GiB";
	i = dma_lower(m, iova);
	if (i == m->nb_maps || m->map[i].iova > iova)
		return "not mapped";
	map = &m->map[i];
	if (write && !map->writable)
		return "mapped read-only";
	/* A window holds fewer than 2^64 bytes, also of a mapping that holds as many. */
	win->iova = map->iova;
	win->len = map->last - map->iova + (map->last - map->iova != UINT64_MAX);
	if (only32 && map->last >> 32 != 0)
		win->len = (UINT64_C(1) << 32) - win->iova;
	win->va = map->va;
	win->writable = map->writable;
	win->gen = m->dma_gen;
	return NULL;
}

uint8_t *
pw_dma_ptr(struct pw_model *m, struct pw_dma_win *win, uint64_t iova, uint32_t len, bool write)
{
	uint8_t *p = pw_dma_hit(m, win, iova, len, write);

	if (m->opts.trace != NULL)
		return NULL;
	if (PW_LIKELY(p != NULL))
		return p;
	if (dma_find(m, win, iova, write) != NULL)
		return NULL;
	return pw_dma_hit(m, win, iova, len, write);
}

/* How much of the range the window holds after finding its first byte; 0: a violation. */
static uint32_t
dma_piece(struct pw_model *m, struct pw_dma_win *win, uint64_t iova, uint32_t len, bool write)
{
	uint64_t left;

	if (pw_dma_hit(m, win, iova, 1, write) == NULL) {
		const char *why = dma_find(m, win, iova, write);

		if (why != NULL) {
			pw_violate(m, PW_VIOL_DMA, "DMA %s of %u B at 0x%" PRIx64 ": %s",
				   write ? "write" : "read", len, iova, why);
			return 0;
		}
	}
	left = win->len - (iova - win->iova);
	return left < len ? (uint32_t)left : len;
}

bool
pw_dma_read_slow(struct pw_model *m, struct pw_dma_win *win, uint64_t iova, void *dst,
		 uint32_t len)
{
	uint8_t *d = dst;

	if (m->opts.trace != NULL)
		pw_trace(m, "dma rd 0x%" PRIx64 " %u", iova, len);
	while (len > 0) {
		uint32_t n = dma_piece(m, win, iova, len, false);

		if (n == 0)
			return false;
		memcpy(d, win->va + (iova - win->iova), n);
		d += n;
		iova += n;
		len -= n;
	}
	return true;
}

bool
pw_dma_write_slow(struct pw_model *m, struct pw_dma_win *win, uint64_t iova, const void *src,
		  uint32_t len)
{
	const uint8_t *s = src;

	if (m->opts.trace != NULL)
		pw_trace(m, "dma wr 0x%" PRIx64 " %u", iova, len);
	while (len > 0) {
		uint32_t n = dma_piece(m, win, iova, len, true);

		if (n == 0)
			return false;
		memcpy(win->va + (iova - win->iova), s, n);
		s += n;
		iova += n;
		len -= n;
	}
	return true;
}
