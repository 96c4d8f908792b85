/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * A chip's view of memory. Reach, alignment and boundary are checked on device addresses, that
 * is after `offset` was added, because that is what the chip puts on the bus.
 */

#include <errno.h>
#include <string.h>

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_malloc.h>
#include <rte_mempool.h>

#include "pw_dma.h"
#include "pw_dma_window.h"

/* Tries to get ring memory below the limit. Each failed try keeps its memory until the end, so
 * that the next one is given another piece.
 */
#define ZONE_TRIES 16

static bool
pow2_or_0(uint32_t v)
{
	return (v & (v - 1)) == 0;
}

static uint64_t
highest(const struct pw_dma_limits *lim)
{
	return UINT64_MAX >> (64 - lim->addr_bits);
}

/* The window is the primary process's. Where there is one, it knows exactly. */
static bool
in_reach(const struct pw_dma *dma, uint64_t addr, uint64_t len)
{
	if (dma->window != NULL && rte_eal_process_type() == RTE_PROC_PRIMARY)
		return pw_dma_window_covers(dma->window, addr - dma->offset, len);
	return pw_dma_trusts(dma, addr, len);
}

static bool
crosses(const struct pw_dma_limits *lim, uint64_t addr, uint64_t len)
{
	return lim->boundary != 0 &&
	       (addr & (lim->boundary - 1)) + len > lim->boundary;
}

static bool
aligned(const struct pw_dma_limits *lim, uint64_t addr)
{
	return lim->align <= 1 || (addr & (lim->align - 1)) == 0;
}

int
pw_dma_init(struct pw_dma *dma, const struct pw_dma_limits *limits, int socket)
{
	const struct pw_dma_limits *l = limits;

	if (l->addr_bits == 0 || l->addr_bits > 64 || !pow2_or_0(l->align) ||
	    !pow2_or_0(l->boundary))
		return -EINVAL;
	if (l->boundary != 0 && (l->max_seg_len > l->boundary || l->align > l->boundary))
		return -EINVAL;
	/* Else a long segment could not be split into aligned ones. */
	if (l->max_seg_len != 0 && l->max_seg_len < l->align)
		return -EINVAL;
	memset(dma, 0, sizeof(*dma));
	dma->limits = *l;
	dma->span = highest(l);
	dma->socket = socket;
	return 0;
}

/* --- ring memory --- */

static bool
zone_fits(const struct pw_dma *dma, const struct rte_memzone *mz, size_t len, size_t align)
{
	uint64_t addr = mz->iova + dma->offset;

	return in_reach(dma, addr, len) && !crosses(&dma->limits, addr, len) &&
	       (addr & (align - 1)) == 0;
}

/* One zone that fits, or NULL and the reason. */
static const struct rte_memzone *
zone_reserve(const struct pw_dma *dma, const char *name, size_t len, size_t align, int *rc)
{
	const struct rte_memzone *mz;
	void *misfit[ZONE_TRIES];
	unsigned int n = 0;

	for (;;) {
		mz = rte_memzone_reserve_bounded(name, len, dma->socket, RTE_MEMZONE_IOVA_CONTIG,
						 align, dma->limits.boundary);
		if (mz == NULL) {
			/* Having run out after misfits means: there is none in reach. */
			*rc = n != 0 ? -ERANGE : rte_errno == EEXIST ? -EEXIST :
			      rte_errno == ENOMEM ? -ENOMEM : -EINVAL;
			break;
		}
		if (zone_fits(dma, mz, len, align))
			break;
		rte_memzone_free(mz);
		mz = NULL;
		*rc = -ERANGE;
		if (n == ZONE_TRIES)
			break;
		misfit[n] = rte_malloc_socket(NULL, len, align, dma->socket);
		if (misfit[n++] == NULL)
			break;
	}
	while (n > 0)
		rte_free(misfit[--n]);
	return mz;
}

int
pw_dma_zone_alloc(struct pw_dma *dma, const char *name, size_t len, size_t align,
		  struct pw_dma_zone *z)
{
	const struct rte_memzone *mz;
	int rc = 0;

	memset(z, 0, sizeof(*z));
	if (len == 0 || align == 0 || (align & (align - 1)) != 0 || align > UINT32_MAX / 2)
		return -EINVAL;
	if (dma->limits.boundary != 0 && len > dma->limits.boundary)
		return -EINVAL;
	align = RTE_MAX(align, (size_t)dma->limits.align);
	mz = zone_reserve(dma, name, len, align, &rc);
	if (mz == NULL)
		return rc;
	memset(mz->addr, 0, len);
	z->mz = mz;
	z->va = mz->addr;
	z->addr = (mz->iova + dma->offset) & highest(&dma->limits);
	z->len = len;
	return 0;
}

void
pw_dma_zone_free(struct pw_dma_zone *z)
{
	if (z->mz != NULL)
		rte_memzone_free(z->mz);
	memset(z, 0, sizeof(*z));
}

/* --- mempools --- */

struct pool_check {
	const struct pw_dma *dma;
	int rc;
};

static void
check_obj(struct rte_mempool *mp __rte_unused, void *opaque, void *obj,
	  unsigned int idx __rte_unused)
{
	struct pool_check *c = opaque;
	const struct pw_dma_limits *lim = &c->dma->limits;
	const struct rte_mbuf *m = obj;
	uint64_t addr = rte_mbuf_iova_get(m) + c->dma->offset;

	/* A pool for clones only has no data to reach. */
	if (m->buf_len == 0)
		return;
	if (!in_reach(c->dma, addr, m->buf_len))
		c->rc = -ERANGE;
	else if (c->rc == 0 && crosses(lim, addr, m->buf_len))
		c->rc = -EXDEV;
}

int
pw_dma_pool_check(const struct pw_dma *dma, struct rte_mempool *mp)
{
	struct pool_check c = { .dma = dma };

	rte_mempool_obj_iter(mp, check_obj, &c);
	return c.rc;
}

static const char *
explain_reach(const struct pw_dma *dma)
{
	if (dma->window == NULL)
		return "memory above 4 GiB, out of the chip's reach; bind the device to vfio-pci "
		       "with the IOMMU on, or boot with less memory (mem=4G)";
	if (rte_eal_iova_mode() == RTE_IOVA_PA)
		return "memory above 4 GiB, out of the chip's reach; start with --iova-mode=va";
	if (pw_dma_window_map_error(dma->window) != 0)
		return "memory that the IOMMU would not map for the chip; allow more locked memory "
		       "(ulimit -l)";
	return "memory beyond the 4 GiB that the chip reaches; start with less of it "
	       "(-m, --socket-mem)";
}

const char *
pw_dma_explain(const struct pw_dma *dma, int rc)
{
	switch (rc) {
	case -ERANGE:
		return explain_reach(dma);
	case -EXDEV:
		return "buffers across an address that the chip cannot cross; use smaller ones";
	case -ENOMEM:
		return "no memory; start with more of it (-m, --socket-mem)";
	default:
		return rte_strerror(-rc);
	}
}

/* --- packets --- */

/* Bytes from addr on that may go into one segment, leaving the next one aligned. */
static uint32_t
piece_len(const struct pw_dma_limits *lim, uint64_t addr, uint32_t len)
{
	uint32_t n = len;

	if (lim->max_seg_len != 0)
		n = RTE_MIN(n, lim->max_seg_len);
	if (lim->boundary != 0)
		n = RTE_MIN(n, lim->boundary - (uint32_t)(addr & (lim->boundary - 1)));
	if (n < len && lim->align > 1)
		n &= ~(lim->align - 1);
	return n;
}

/*
 * Segments of a chain as it lies. Number of them; -EINVAL without data; -ERANGE out of reach;
 * -E2BIG if misaligned or too many.
 */
static int
load_chain(const struct pw_dma *dma, const struct rte_mbuf *m, struct pw_dma_seg *segs,
	   unsigned int max)
{
	const struct pw_dma_limits *lim = &dma->limits;
	unsigned int n = 0;

	for (; m != NULL; m = m->next) {
		uint64_t addr = pw_dma_mbuf_addr(dma, m);
		uint32_t left = m->data_len;

		if (left == 0)
			continue;
		if (!in_reach(dma, addr, left))
			return -ERANGE;
		if (!aligned(lim, addr))
			return -E2BIG;
		addr &= highest(lim);
		while (left > 0) {
			if (n == max)
				return -E2BIG;
			segs[n].addr = addr;
			segs[n].len = piece_len(lim, addr, left);
			addr += segs[n].len;
			left -= segs[n].len;
			n++;
		}
	}
	return n == 0 ? -EINVAL : (int)n;
}

/* Move the only segment's data up to where the chip takes it. */
static bool
align_data(const struct pw_dma *dma, struct rte_mbuf *m)
{
	uint32_t pad;

	if (aligned(&dma->limits, pw_dma_mbuf_addr(dma, m)))
		return true;
	pad = dma->limits.align -
	      (uint32_t)(pw_dma_mbuf_addr(dma, m) & (dma->limits.align - 1));
	if (pad > rte_pktmbuf_tailroom(m))
		return false;
	memmove(rte_pktmbuf_mtod_offset(m, char *, pad), rte_pktmbuf_mtod(m, char *), m->data_len);
	m->data_off += pad;
	return true;
}

/* Copy the packet into one mbuf of a pool and load that. Number of segments or -errno. */
static int
load_copy(const struct pw_dma *dma, const struct rte_mbuf *m, struct rte_mempool *mp,
	  struct pw_dma_seg *segs, unsigned int max, struct rte_mbuf **copy)
{
	struct rte_mbuf *mc;
	int n;

	if (mp == NULL ||
	    m->pkt_len + RTE_PKTMBUF_HEADROOM > rte_pktmbuf_data_room_size(mp))
		return -EMSGSIZE;
	mc = rte_pktmbuf_copy(m, mp, 0, m->pkt_len);
	if (mc == NULL)
		return -ENOMEM;
	n = align_data(dma, mc) ? load_chain(dma, mc, segs, max) : -EMSGSIZE;
	if (n < 0) {
		rte_pktmbuf_free(mc);
		return n == -E2BIG ? -EMSGSIZE : n;
	}
	*copy = mc;
	return n;
}

/* Whether the lengths agree; copying a chain whose lengths do not would run off its end. */
static bool
chain_sane(const struct rte_mbuf *m)
{
	uint64_t sum = 0;

	for (const struct rte_mbuf *s = m; s != NULL; s = s->next)
		sum += s->data_len;
	return sum == m->pkt_len;
}

static int
load_slow(struct pw_dma *dma, struct rte_mbuf **m, struct rte_mempool *fallback,
	  struct pw_dma_seg *segs, unsigned int max)
{
	struct rte_mbuf *old = *m;
	int why, own, n;

	if (max == 0)
		return -EINVAL;
	why = load_chain(dma, old, segs, max);
	if (why > 0 || why == -EINVAL)
		return why;
	if (!chain_sane(old))
		return -EINVAL;

	own = n = load_copy(dma, old, old->pool, segs, max, m);
	if (n < 0 && fallback != NULL && fallback != old->pool) {
		n = load_copy(dma, old, fallback, segs, max, m);
		/* Running out passes; report that rather than what never changes. */
		if (n < 0 && own == -ENOMEM)
			n = own;
	}
	if (n < 0)
		return n;
	rte_pktmbuf_free(old);
	if (why == -ERANGE)
		dma->bounced++;
	else
		dma->linearized++;
	return n;
}

int
pw_dma_load(struct pw_dma *dma, struct rte_mbuf **m, struct rte_mempool *fallback,
	    struct pw_dma_seg *segs, uint16_t max)
{
	const struct pw_dma_limits *lim = &dma->limits;
	const struct rte_mbuf *p = *m;
	uint64_t addr = pw_dma_mbuf_addr(dma, p);
	uint32_t len = p->data_len;
	unsigned int room = max;
	int n;

	if (likely(p->next == NULL && len != 0 && max != 0 && pw_dma_trusts(dma, addr, len) &&
		   aligned(lim, addr) && piece_len(lim, addr, len) == len)) {
		segs[0].addr = addr;
		segs[0].len = len;
		return 1;
	}
	if (lim->max_segs != 0)
		room = RTE_MIN(room, lim->max_segs);
	n = load_slow(dma, m, fallback, segs, room);
	if (n < 0)
		dma->load_failed++;
	return n;
}
