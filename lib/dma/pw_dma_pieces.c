/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The window's list of memory. Whoever changes it is alone, by the window's lock; `readers` is
 * held while the list itself changes, never while the IOMMU is at work.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>

#include "pw_dma_pieces.h"

static uint64_t
dev_addr(const struct pw_dma_pieces *ps, uint64_t iova)
{
	return (iova + ps->offset) & (PW_DMA_TOP - 1);
}

/* Whether the sum needs no truncation. */
static bool
is_near(const struct pw_dma_pieces *ps, const struct pw_dma_piece *p)
{
	return p->iova + ps->offset < PW_DMA_TOP;
}

/* --- the list ------------------------------------------------------------------------ */

/* First piece that ends after `iova`. */
static unsigned int
lower(const struct pw_dma_pieces *ps, uint64_t iova)
{
	unsigned int lo = 0, hi = ps->nb_pieces;

	while (lo < hi) {
		unsigned int mid = lo + (hi - lo) / 2;
		const struct pw_dma_piece *p = &ps->piece[mid];

		if (p->iova + (p->len - 1) < iova)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Refused pages in a row are one piece: there may be many. Not across the wrap. */
static bool
joins(const struct pw_dma_pieces *ps, const struct pw_dma_piece *left,
      const struct pw_dma_piece *right)
{
	return left->fate == PW_DMA_REFUSED && right->fate == PW_DMA_REFUSED &&
	       left->page == right->page &&
	       left->iova + left->len == right->iova && left->va + left->len == right->va &&
	       dev_addr(ps, right->iova) != 0;
}

static void
list_erase(struct pw_dma_pieces *ps, unsigned int at)
{
	rte_rwlock_write_lock(&ps->readers);
	ps->nb_pieces--;
	memmove(&ps->piece[at], &ps->piece[at + 1],
		(ps->nb_pieces - at) * sizeof(ps->piece[0]));
	rte_rwlock_write_unlock(&ps->readers);
}

static int
list_insert(struct pw_dma_pieces *ps, const struct pw_dma_piece *p)
{
	struct pw_dma_piece *list = ps->piece;
	unsigned int at, max = ps->max_pieces;
	int rc = 0;

	rte_rwlock_write_lock(&ps->readers);
	if (ps->nb_pieces == max) {
		max = max == 0 ? 64 : max * 2;
		list = realloc(list, max * sizeof(*list));
	}
	if (list == NULL) {
		rc = -ENOMEM;
		goto out;
	}
	ps->piece = list;
	ps->max_pieces = max;
	at = lower(ps, p->iova);
	memmove(&list[at + 1], &list[at], (ps->nb_pieces - at) * sizeof(*list));
	list[at] = *p;
	ps->nb_pieces++;
out:
	rte_rwlock_write_unlock(&ps->readers);
	return rc;
}

static void
set_fate(struct pw_dma_pieces *ps, uint64_t iova, enum pw_dma_fate fate)
{
	rte_rwlock_write_lock(&ps->readers);
	ps->piece[lower(ps, iova)].fate = fate;
	rte_rwlock_write_unlock(&ps->readers);
}

/* --- what may go where --------------------------------------------------------------- */

/* Bytes from a device address on that share one fate, as far as one obstacle goes. */
struct stretch {
	uint64_t at;
	uint64_t len;
	bool blocked;
};

static void
stretch_meet(struct stretch *s, uint64_t first, uint64_t last)
{
	if (last < s->at || s->blocked)
		return;
	if (first > s->at) {
		s->len = RTE_MIN(s->len, first - s->at);
		return;
	}
	s->blocked = true;
	s->len = RTE_MIN(s->len, last - s->at + 1);
}

/*
 * Where `len` bytes at `iova` may go: how many of them share the first one's fate. A blocked
 * stretch may go on after it, for another reason.
 */
static struct stretch
stretch_find(const struct pw_dma_pieces *ps, uint64_t iova, uint64_t len, bool home)
{
	uint64_t at = dev_addr(ps, iova);
	struct stretch s = { .at = at, .len = RTE_MIN(len, PW_DMA_TOP - at) };
	unsigned int i;

	for (i = 0; i < ps->iommu->nb_reserved; i++)
		stretch_meet(&s, ps->iommu->reserved[i].first, ps->iommu->reserved[i].last);
	for (i = 0; i < ps->nb_kept && !home; i++)
		stretch_meet(&s, ps->kept[i].first, ps->kept[i].last);
	for (i = 0; i < ps->nb_pieces; i++) {
		const struct pw_dma_piece *p = &ps->piece[i];
		uint64_t first = dev_addr(ps, p->iova);

		if (p->fate != PW_DMA_REFUSED)
			stretch_meet(&s, first, first + p->len - 1);
	}
	return s;
}

/* --- what the packet path may trust -------------------------------------------------- */

static void
obstacle_meet(struct pw_dma_range *o, uint64_t from, uint64_t first, uint64_t last)
{
	if (last >= from && first < o->first)
		*o = (struct pw_dma_range){ first, last };
}

/* The first obstacle that ends at or after `from`; beyond PW_DMA_TOP if there is none. */
static struct pw_dma_range
obstacle_next(const struct pw_dma_pieces *ps, uint64_t from)
{
	struct pw_dma_range o = { PW_DMA_TOP, UINT64_MAX };
	unsigned int i;

	for (i = 0; i < ps->iommu->nb_reserved; i++)
		obstacle_meet(&o, from, ps->iommu->reserved[i].first,
			      ps->iommu->reserved[i].last);
	/* Where memory is at home, that is the straight sum. */
	for (i = 0; i < ps->nb_kept && ps->offset != 0; i++)
		obstacle_meet(&o, from, ps->kept[i].first, ps->kept[i].last);
	for (i = 0; i < ps->nb_pieces; i++) {
		const struct pw_dma_piece *p = &ps->piece[i];
		uint64_t first = dev_addr(ps, p->iova);

		if ((p->fate == PW_DMA_REFUSED) == is_near(ps, p))
			obstacle_meet(&o, from, first, first + p->len - 1);
	}
	return o;
}

static uint64_t
bytes_between(const struct pw_dma_pieces *ps, uint64_t first, uint64_t end)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < ps->nb_pieces; i++) {
		const struct pw_dma_piece *p = &ps->piece[i];
		uint64_t at = p->iova + ps->offset;

		if (p->fate != PW_DMA_REFUSED && at >= first && at < end)
			sum += p->len;
	}
	return sum;
}

/* The device addresses of EAL's own, before truncation; empty if `end` is not above `from`. */
static uint64_t
own_from(const struct pw_dma_pieces *ps)
{
	int64_t at = (int64_t)(ps->first + ps->offset);

	return at < 0 ? 0 : (uint64_t)at;
}

static uint64_t
own_end(const struct pw_dma_pieces *ps)
{
	int64_t at = (int64_t)(ps->last + ps->offset);

	return at < 0 ? 0 : RTE_MIN((uint64_t)at, PW_DMA_TOP - 1) + 1;
}

void
pw_dma_pieces_trust(struct pw_dma_pieces *ps)
{
	uint64_t from = own_from(ps), end = own_end(ps), to, most = 0, bytes;

	ps->lo = UINT64_MAX;
	ps->span = 0;
	while (from < end && !ps->lost) {
		struct pw_dma_range o = obstacle_next(ps, from);

		to = RTE_MIN(o.first, end);
		bytes = to > from ? bytes_between(ps, from, to) : 0;
		if (bytes > most) {
			most = bytes;
			ps->lo = from;
			ps->span = to - from - 1;
		}
		from = o.first < end ? o.last + 1 : end;
	}
}

/* --- where memory goes --------------------------------------------------------------- */

int
pw_dma_pieces_keep(struct pw_dma_pieces *ps, uint64_t first, uint64_t last)
{
	struct pw_dma_range *kept = realloc(ps->kept, (ps->nb_kept + 1) * sizeof(*kept));

	if (kept == NULL)
		return -ENOMEM;
	ps->kept = kept;
	kept[ps->nb_kept++] = (struct pw_dma_range){ first, last };
	return 0;
}

/* The widest stretch that nobody else wants, its end excluded; PW_DMA_TOP if there is none. */
static struct pw_dma_range
widest_gap(const struct pw_dma_pieces *ps)
{
	struct pw_dma_range best = { PW_DMA_TOP, PW_DMA_TOP };
	uint64_t from = PW_DMA_FLOOR, widest = 0;

	while (from < PW_DMA_TOP) {
		struct pw_dma_range o = { PW_DMA_TOP, PW_DMA_TOP };
		unsigned int i;

		for (i = 0; i < ps->iommu->nb_reserved; i++)
			obstacle_meet(&o, from, ps->iommu->reserved[i].first,
				      ps->iommu->reserved[i].last);
		for (i = 0; i < ps->nb_kept; i++)
			obstacle_meet(&o, from, ps->kept[i].first, ps->kept[i].last);
		if (o.first > from && o.first - from > widest) {
			widest = o.first - from;
			best = (struct pw_dma_range){ from, o.first };
		}
		from = o.last + 1;
	}
	return best;
}

uint64_t
pw_dma_pieces_place(const struct pw_dma_pieces *ps, uint64_t low, uint64_t end, uint64_t page)
{
	struct pw_dma_range gap = widest_gap(ps);
	uint64_t at = RTE_ALIGN_CEIL(gap.first, page);
	uint64_t room = at < gap.last ? gap.last - at : 0;
	uint64_t base = RTE_ALIGN_FLOOR(low, page);

	/* What does not fit lies at the bottom: EAL hands out the top of its memory first. */
	if (end - base > room)
		base = RTE_ALIGN_CEIL(end - room, page);
	return at - base;
}

/* --- memory comes and goes ------------------------------------------------------------ */

/* One stretch. It is in the list before it is mapped, so that nothing mapped can get lost. */
static int
put(struct pw_dma_pieces *ps, struct pw_dma_piece *p, bool blocked, bool home)
{
	int rc;

	p->fate = PW_DMA_REFUSED;
	rc = list_insert(ps, p);
	if (rc != 0) {
		ps->lost = true;
		return rc;
	}
	if (blocked)
		return -ERANGE;
	if (!home)
		rc = ps->iommu->ops->map(ps->iommu, p->va, dev_addr(ps, p->iova), p->len);
	if (rc != 0) {
		ps->map_rc = rc;
		return -ERANGE;
	}
	set_fate(ps, p->iova, home ? PW_DMA_AT_HOME : PW_DMA_MAPPED);
	return 0;
}

static void
join_refused(struct pw_dma_pieces *ps, uint64_t iova)
{
	unsigned int at = lower(ps, iova);
	struct pw_dma_piece *p;

	if (at == 0 || at >= ps->nb_pieces)
		return;
	p = &ps->piece[at - 1];
	if (!joins(ps, p, &ps->piece[at]))
		return;
	/* A reader may find this part twice for a moment: refused both times. */
	p->len += ps->piece[at].len;
	list_erase(ps, at);
}

int
pw_dma_pieces_add(struct pw_dma_pieces *ps, const struct pw_dma_piece *mem)
{
	struct pw_dma_piece rest = *mem;
	int rc, ret = 0;

	while (rest.len > 0) {
		bool home = dev_addr(ps, rest.iova) == rest.iova;
		struct stretch s = stretch_find(ps, rest.iova, rest.len, home);
		struct pw_dma_piece p = rest;

		p.len = s.len;
		if (p.page != 0 && !s.blocked)
			p.len = RTE_MIN(p.len, p.page - ((uintptr_t)p.va & (p.page - 1)));
		rc = put(ps, &p, s.blocked, home);
		if (rc == -ENOMEM)
			return rc;
		if (rc != 0) {
			ret = rc;
			join_refused(ps, p.iova);
		}
		rest.va += p.len;
		rest.iova += p.len;
		rest.len -= p.len;
	}
	return ret;
}

/* Whether some mapped piece would have to be cut to take the range away. */
static bool
cuts(const struct pw_dma_pieces *ps, uint64_t iova, uint64_t last)
{
	for (unsigned int i = lower(ps, iova); i < ps->nb_pieces; i++) {
		const struct pw_dma_piece *p = &ps->piece[i];

		if (p->iova > last)
			break;
		if (p->fate == PW_DMA_MAPPED && (p->iova < iova || p->iova + (p->len - 1) > last))
			return true;
	}
	return false;
}

/* What is left of a piece on both sides of the range; only one that is not mapped by us. */
static void
keep_ends(struct pw_dma_pieces *ps, const struct pw_dma_piece *p, uint64_t iova, uint64_t last)
{
	uint64_t end = p->iova + (p->len - 1);
	struct pw_dma_piece part = *p;

	if (p->iova < iova) {
		part.len = iova - p->iova;
		if (list_insert(ps, &part) != 0)
			ps->lost = true;
	}
	if (end > last) {
		part.iova = last + 1;
		part.va = p->va + (part.iova - p->iova);
		part.len = end - last;
		if (list_insert(ps, &part) != 0)
			ps->lost = true;
	}
}

/* What was refused because of what has gone. */
static void
retry_refused(struct pw_dma_pieces *ps, uint64_t first, uint64_t last)
{
	unsigned int i = 0;

	while (i < ps->nb_pieces) {
		struct pw_dma_piece p = ps->piece[i];
		uint64_t at = dev_addr(ps, p.iova);

		i++;
		if (p.fate != PW_DMA_REFUSED || at > last || at + p.len - 1 < first)
			continue;
		list_erase(ps, i - 1);
		pw_dma_pieces_add(ps, &p);
		/* It may be several pieces now, or part of the one before. */
		i = lower(ps, p.iova + p.len);
	}
}

int
pw_dma_pieces_take(struct pw_dma_pieces *ps, uint64_t iova, uint64_t len)
{
	uint64_t last = iova + (len - 1), from = dev_addr(ps, iova);
	unsigned int i;
	int rc = 0, ret = 0;

	if (cuts(ps, iova, last))
		return -EINVAL;
	while ((i = lower(ps, iova)) < ps->nb_pieces && ps->piece[i].iova <= last) {
		struct pw_dma_piece p = ps->piece[i];

		list_erase(ps, i);
		keep_ends(ps, &p, iova, last);
		if (p.fate == PW_DMA_MAPPED)
			rc = ps->iommu->ops->unmap(ps->iommu, dev_addr(ps, p.iova), p.len);
		if (rc != 0)
			ret = rc;
	}
	if (from + len <= PW_DMA_TOP)
		retry_refused(ps, from, from + len - 1);
	else
		retry_refused(ps, 0, PW_DMA_TOP - 1);
	return ret;
}

/* --- looking --------------------------------------------------------------------------- */

uint64_t
pw_dma_pieces_known(const struct pw_dma_pieces *ps, uint64_t iova, uint64_t last)
{
	uint64_t sum = 0;

	for (unsigned int i = lower(ps, iova); i < ps->nb_pieces; i++) {
		const struct pw_dma_piece *p = &ps->piece[i];

		if (p->iova > last)
			break;
		sum += RTE_MIN(p->iova + (p->len - 1), last) - RTE_MAX(p->iova, iova) + 1;
	}
	return sum;
}

bool
pw_dma_pieces_clash(const struct pw_dma_pieces *ps, uint64_t addr, uint64_t len)
{
	for (unsigned int i = 0; i < ps->nb_pieces; i++) {
		const struct pw_dma_piece *p = &ps->piece[i];
		uint64_t at = dev_addr(ps, p->iova);

		if (p->fate == PW_DMA_MAPPED && at < addr + len && addr < at + p->len)
			return true;
	}
	return false;
}

bool
pw_dma_pieces_cover(struct pw_dma_pieces *ps, uint64_t iova, uint64_t len)
{
	uint64_t at = iova, left = len;

	if (len == 0 || dev_addr(ps, iova) + len > PW_DMA_TOP)
		return false;
	rte_rwlock_read_lock(&ps->readers);
	for (unsigned int i = lower(ps, iova); left > 0 && i < ps->nb_pieces; i++) {
		const struct pw_dma_piece *p = &ps->piece[i];
		uint64_t n;

		if (p->iova > at || p->fate == PW_DMA_REFUSED)
			break;
		n = RTE_MIN(p->iova + p->len - at, left);
		at += n;
		left -= n;
	}
	rte_rwlock_read_unlock(&ps->readers);
	return left == 0;
}

void
pw_dma_pieces_free(struct pw_dma_pieces *ps)
{
	for (unsigned int i = 0; i < ps->nb_pieces; i++) {
		const struct pw_dma_piece *p = &ps->piece[i];

		if (p->fate == PW_DMA_MAPPED)
			ps->iommu->ops->unmap(ps->iommu, dev_addr(ps, p->iova), p->len);
	}
	free(ps->kept);
	free(ps->piece);
}
