/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Locks, in this order: `control` (opening, closing, external memory), EAL's memory lock, the
 * window's `lock` (what changes), the window's `readers`. EAL's events come with its memory lock
 * held for writing, and take the last two. `readers` alone is held where the packet path looks,
 * and by others only while the list itself changes, never while the IOMMU is at work.
 */

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <rte_eal.h>
#include <rte_eal_memconfig.h>
#include <rte_errno.h>
#include <rte_memory.h>
#include <rte_rwlock.h>

#include "pw_dma_window.h"

#define MEM_CALLBACK "pw_dma_window"

/* Device addresses end here. */
#define TOP UINT64_C(0x100000000)

/* Memory is put from here on. Programs that are not position-independent have their static data
 * below, and may want to map that at its own address.
 */
#define FLOOR UINT64_C(0x10000000)

enum fate {
	REFUSED,
	MAPPED,		/* by us */
	AT_HOME,	/* its IOVA is its device address: mapped there before */
};

/* Memory of one fate; its device addresses do not wrap. */
struct piece {
	uint64_t iova;
	uint64_t len;
	uint64_t page;	/* goes page by page: one mapping each; 0: goes whole */
	uint8_t *va;
	enum fate fate;
};

struct pw_dma_window {
	struct pw_dma_iommu *iommu;
	pthread_mutex_t lock;
	rte_rwlock_t readers;
	struct piece *piece;		/* ascending by IOVA; none overlap */
	unsigned int nb_pieces, max_pieces;
	struct pw_dma_range *kept;	/* EAL's own low addresses: for memory at home only */
	unsigned int nb_kept;
	uint64_t offset, lo, span;
	bool hears_memory;		/* the memory callback is registered */
	bool lost;			/* there is memory that is not in the list */
	unsigned int users;
	LIST_HEAD(, pw_dma) user;
};

static pthread_mutex_t control = PTHREAD_MUTEX_INITIALIZER;

static uint64_t
dev_addr(const struct pw_dma_window *win, uint64_t iova)
{
	return (iova + win->offset) & (TOP - 1);
}

/* Whether the sum needs no truncation. */
static bool
is_near(const struct pw_dma_window *win, const struct piece *p)
{
	return p->iova + win->offset < TOP;
}

/* --- the list ------------------------------------------------------------------------ */

/* First piece that ends after `iova`. */
static unsigned int
lower(const struct pw_dma_window *win, uint64_t iova)
{
	unsigned int lo = 0, hi = win->nb_pieces;

	while (lo < hi) {
		unsigned int mid = lo + (hi - lo) / 2;
		const struct piece *p = &win->piece[mid];

		if (p->iova + (p->len - 1) < iova)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Refused pages in a row are one piece: there may be many. Not across the wrap. */
static bool
joins(const struct pw_dma_window *win, const struct piece *left, const struct piece *right)
{
	return left->fate == REFUSED && right->fate == REFUSED && left->page == right->page &&
	       left->iova + left->len == right->iova && left->va + left->len == right->va &&
	       dev_addr(win, right->iova) != 0;
}

static void
list_erase(struct pw_dma_window *win, unsigned int at)
{
	rte_rwlock_write_lock(&win->readers);
	win->nb_pieces--;
	memmove(&win->piece[at], &win->piece[at + 1],
		(win->nb_pieces - at) * sizeof(win->piece[0]));
	rte_rwlock_write_unlock(&win->readers);
}

static int
list_insert(struct pw_dma_window *win, const struct piece *p)
{
	struct piece *list = win->piece;
	unsigned int at, max = win->max_pieces;
	int rc = 0;

	rte_rwlock_write_lock(&win->readers);
	if (win->nb_pieces == max) {
		max = max == 0 ? 64 : max * 2;
		list = realloc(list, max * sizeof(*list));
	}
	if (list == NULL) {
		rc = -ENOMEM;
		goto out;
	}
	win->piece = list;
	win->max_pieces = max;
	at = lower(win, p->iova);
	memmove(&list[at + 1], &list[at], (win->nb_pieces - at) * sizeof(*list));
	list[at] = *p;
	win->nb_pieces++;
out:
	rte_rwlock_write_unlock(&win->readers);
	return rc;
}

static void
set_fate(struct pw_dma_window *win, uint64_t iova, enum fate fate)
{
	rte_rwlock_write_lock(&win->readers);
	win->piece[lower(win, iova)].fate = fate;
	rte_rwlock_write_unlock(&win->readers);
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
stretch_find(const struct pw_dma_window *win, uint64_t iova, uint64_t len, bool home)
{
	uint64_t at = dev_addr(win, iova);
	struct stretch s = { .at = at, .len = RTE_MIN(len, TOP - at) };
	unsigned int i;

	for (i = 0; i < win->iommu->nb_reserved; i++)
		stretch_meet(&s, win->iommu->reserved[i].first, win->iommu->reserved[i].last);
	for (i = 0; i < win->nb_kept && !home; i++)
		stretch_meet(&s, win->kept[i].first, win->kept[i].last);
	for (i = 0; i < win->nb_pieces; i++) {
		const struct piece *p = &win->piece[i];
		uint64_t first = dev_addr(win, p->iova);

		if (p->fate != REFUSED)
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

/* The first obstacle that ends at or after `from`; beyond TOP if there is none. */
static struct pw_dma_range
obstacle_next(const struct pw_dma_window *win, uint64_t from)
{
	struct pw_dma_range o = { TOP, UINT64_MAX };
	unsigned int i;

	for (i = 0; i < win->iommu->nb_reserved; i++)
		obstacle_meet(&o, from, win->iommu->reserved[i].first,
			      win->iommu->reserved[i].last);
	/* Where memory is at home, that is the straight sum. */
	for (i = 0; i < win->nb_kept && win->offset != 0; i++)
		obstacle_meet(&o, from, win->kept[i].first, win->kept[i].last);
	for (i = 0; i < win->nb_pieces; i++) {
		const struct piece *p = &win->piece[i];
		uint64_t first = dev_addr(win, p->iova);

		if ((p->fate == REFUSED) == is_near(win, p))
			obstacle_meet(&o, from, first, first + p->len - 1);
	}
	return o;
}

static uint64_t
bytes_between(const struct pw_dma_window *win, uint64_t first, uint64_t end)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < win->nb_pieces; i++) {
		const struct piece *p = &win->piece[i];
		uint64_t at = p->iova + win->offset;

		if (p->fate != REFUSED && at >= first && at < end)
			sum += p->len;
	}
	return sum;
}

/*
 * The stretch between obstacles with the most memory. Readers may meet one half of the pair old
 * and the other new: that harms nobody, because memory that comes is not in use yet.
 */
static void
retrust(struct pw_dma_window *win)
{
	uint64_t lo = UINT64_MAX, span = 0, most = 0, from = 0, bytes;
	struct pw_dma *dma;

	while (from < TOP && !win->lost) {
		struct pw_dma_range o = obstacle_next(win, from);

		bytes = o.first > from ? bytes_between(win, from, o.first) : 0;
		if (bytes > most) {
			most = bytes;
			lo = from;
			span = o.first - from - 1;
		}
		from = o.first < TOP ? o.last + 1 : TOP;
	}
	win->lo = lo;
	win->span = span;
	LIST_FOREACH(dma, &win->user, next) {
		__atomic_store_n(&dma->lo, lo, __ATOMIC_RELAXED);
		__atomic_store_n(&dma->span, span, __ATOMIC_RELAXED);
	}
}

/* --- memory comes and goes ------------------------------------------------------------ */

/* One stretch. It is in the list before it is mapped, so that nothing mapped can get lost. */
static int
put(struct pw_dma_window *win, struct piece *p, bool blocked, bool home)
{
	int rc;

	p->fate = REFUSED;
	rc = list_insert(win, p);
	if (rc != 0) {
		win->lost = true;
		return rc;
	}
	if (blocked)
		return -ERANGE;
	if (!home && win->iommu->ops->map(win->iommu, p->va, dev_addr(win, p->iova), p->len) != 0)
		return -ERANGE;
	set_fate(win, p->iova, home ? AT_HOME : MAPPED);
	return 0;
}

static void
join_refused(struct pw_dma_window *win, uint64_t iova)
{
	unsigned int at = lower(win, iova);
	struct piece *p;

	if (at == 0 || at >= win->nb_pieces)
		return;
	p = &win->piece[at - 1];
	if (!joins(win, p, &win->piece[at]))
		return;
	/* A reader may find this part twice for a moment: refused both times. */
	p->len += win->piece[at].len;
	list_erase(win, at);
}

/* 0; -ERANGE if some of it was refused; -ENOMEM. */
static int
add(struct pw_dma_window *win, const struct piece *mem)
{
	struct piece rest = *mem;
	int rc, ret = 0;

	while (rest.len > 0) {
		bool home = dev_addr(win, rest.iova) == rest.iova;
		struct stretch s = stretch_find(win, rest.iova, rest.len, home);
		struct piece p = rest;

		p.len = s.len;
		if (p.page != 0 && !s.blocked)
			p.len = RTE_MIN(p.len, p.page - ((uintptr_t)p.va & (p.page - 1)));
		rc = put(win, &p, s.blocked, home);
		if (rc == -ENOMEM)
			return rc;
		if (rc != 0) {
			ret = rc;
			join_refused(win, p.iova);
		}
		rest.va += p.len;
		rest.iova += p.len;
		rest.len -= p.len;
	}
	return ret;
}

/* Whether some mapped piece would have to be cut to take the range away. */
static bool
cuts(const struct pw_dma_window *win, uint64_t iova, uint64_t last)
{
	for (unsigned int i = lower(win, iova); i < win->nb_pieces; i++) {
		const struct piece *p = &win->piece[i];

		if (p->iova > last)
			break;
		if (p->fate == MAPPED && (p->iova < iova || p->iova + (p->len - 1) > last))
			return true;
	}
	return false;
}

/* What is left of a piece on both sides of the range; only one that is not mapped by us. */
static void
keep_ends(struct pw_dma_window *win, const struct piece *p, uint64_t iova, uint64_t last)
{
	uint64_t end = p->iova + (p->len - 1);
	struct piece part = *p;

	if (p->iova < iova) {
		part.len = iova - p->iova;
		if (list_insert(win, &part) != 0)
			win->lost = true;
	}
	if (end > last) {
		part.iova = last + 1;
		part.va = p->va + (part.iova - p->iova);
		part.len = end - last;
		if (list_insert(win, &part) != 0)
			win->lost = true;
	}
}

/* What was refused because of what has gone. */
static void
retry_refused(struct pw_dma_window *win, uint64_t first, uint64_t last)
{
	unsigned int i = 0;

	while (i < win->nb_pieces) {
		struct piece p = win->piece[i];
		uint64_t at = dev_addr(win, p.iova);

		i++;
		if (p.fate != REFUSED || at > last || at + p.len - 1 < first)
			continue;
		list_erase(win, i - 1);
		add(win, &p);
		/* It may be several pieces now, or part of the one before. */
		i = lower(win, p.iova + p.len);
	}
}

static int
take(struct pw_dma_window *win, uint64_t iova, uint64_t len)
{
	uint64_t last = iova + (len - 1), from = dev_addr(win, iova);
	unsigned int i;
	int rc = 0, ret = 0;

	if (cuts(win, iova, last))
		return -EINVAL;
	while ((i = lower(win, iova)) < win->nb_pieces && win->piece[i].iova <= last) {
		struct piece p = win->piece[i];

		list_erase(win, i);
		keep_ends(win, &p, iova, last);
		if (p.fate == MAPPED)
			rc = win->iommu->ops->unmap(win->iommu, dev_addr(win, p.iova), p.len);
		if (rc != 0)
			ret = rc;
	}
	if (from + len <= TOP)
		retry_refused(win, from, from + len - 1);
	else
		retry_refused(win, 0, TOP - 1);
	return ret;
}

/* --- EAL's memory --------------------------------------------------------------------- */

/* Segments that are one piece for va and iova alike. */
struct run {
	struct pw_dma_window *win;
	const struct rte_memseg_list *msl;
	struct piece mem;	/* len 0: none yet */
	bool gone;
	int rc;
};

static void
run_end(struct run *run)
{
	int rc;

	if (run->mem.len == 0)
		return;
	if (run->gone)
		rc = take(run->win, run->mem.iova, run->mem.len);
	else
		rc = add(run->win, &run->mem);
	run->mem.len = 0;
	/* What is refused will be told to who wants to use it. */
	if (rc != 0 && rc != -ERANGE && run->rc == 0)
		run->rc = rc;
}

static int
run_add(const struct rte_memseg_list *msl, const struct rte_memseg *ms, void *arg)
{
	struct run *run = arg;

	/* What rte_extmem_register() made known needs rte_dev_dma_map() besides. */
	if (ms->iova == RTE_BAD_IOVA || (msl->external && !msl->heap))
		return 0;
	if (run->mem.len != 0 && run->msl == msl &&
	    run->mem.va + run->mem.len == (uint8_t *)ms->addr &&
	    run->mem.iova + run->mem.len == ms->iova) {
		run->mem.len += ms->len;
		return 0;
	}
	run_end(run);
	run->msl = msl;
	run->mem = (struct piece){
		.iova = ms->iova,
		.len = ms->len,
		/* EAL frees huge pages one by one, the rest as it came. */
		.page = msl->external || !rte_eal_has_hugepages() ? 0 : msl->page_sz,
		.va = ms->addr,
	};
	return 0;
}

static void
mem_event(enum rte_mem_event event, const void *addr, size_t len, void *arg)
{
	const struct rte_memseg_list *msl = rte_mem_virt2memseg_list(addr);
	struct run run = { .win = arg, .gone = event == RTE_MEM_EVENT_FREE };
	const struct rte_memseg *ms;
	size_t done;

	pthread_mutex_lock(&run.win->lock);
	for (done = 0; msl != NULL && done < len; done += msl->page_sz) {
		ms = rte_mem_virt2memseg(RTE_PTR_ADD(addr, done), msl);
		if (ms != NULL)
			run_add(msl, ms, &run);
	}
	run_end(&run);
	retrust(run.win);
	pthread_mutex_unlock(&run.win->lock);
}

/* --- where the window lies ------------------------------------------------------------ */

struct survey {
	struct pw_dma_window *win;
	const struct rte_memseg_list *msl;	/* the list at hand */
	uint64_t low, end, bytes;		/* its memory */
	uint64_t heap_low, heap_end, heap_bytes; /* that of the list with most of it */
	uint64_t page;				/* the largest that holds memory */
	bool high;				/* some lies beyond TOP */
	int rc;
};

static int
survey_seg(const struct rte_memseg_list *msl, const struct rte_memseg *ms, void *arg)
{
	struct survey *s = arg;

	if (msl->external || ms->iova == RTE_BAD_IOVA)
		return 0;
	if (msl != s->msl) {
		s->msl = msl;
		s->low = UINT64_MAX;
		s->end = s->bytes = 0;
	}
	s->low = RTE_MIN(s->low, ms->iova);
	s->end = RTE_MAX(s->end, ms->iova + ms->len);
	s->bytes += ms->len;
	s->page = RTE_MAX(s->page, msl->page_sz);
	s->high |= s->end > TOP;
	if (s->bytes > s->heap_bytes) {
		s->heap_low = s->low;
		s->heap_end = s->end;
		s->heap_bytes = s->bytes;
	}
	return 0;
}

static int
keep(struct pw_dma_window *win, uint64_t first, uint64_t last)
{
	struct pw_dma_range *kept = realloc(win->kept, (win->nb_kept + 1) * sizeof(*kept));

	if (kept == NULL)
		return -ENOMEM;
	win->kept = kept;
	kept[win->nb_kept++] = (struct pw_dma_range){ first, last };
	return 0;
}

/* EAL may map any page of its lists at the page's own address, whenever it likes. */
static int
survey_list(const struct rte_memseg_list *msl, void *arg)
{
	struct survey *s = arg;
	uint64_t first = (uintptr_t)msl->base_va;

	if (msl->external || first >= TOP || s->rc != 0)
		return 0;
	s->rc = keep(s->win, first, RTE_MIN(first + msl->len, TOP) - 1);
	return 0;
}

/* The widest stretch from FLOOR on that nobody else wants, its end excluded; TOP if there is none. */
static struct pw_dma_range
widest_gap(const struct pw_dma_window *win)
{
	struct pw_dma_range best = { TOP, TOP };
	uint64_t from = FLOOR, widest = 0;

	while (from < TOP) {
		struct pw_dma_range o = { TOP, TOP };
		unsigned int i;

		for (i = 0; i < win->iommu->nb_reserved; i++)
			obstacle_meet(&o, from, win->iommu->reserved[i].first,
				      win->iommu->reserved[i].last);
		for (i = 0; i < win->nb_kept; i++)
			obstacle_meet(&o, from, win->kept[i].first, win->kept[i].last);
		if (o.first > from && o.first - from > widest) {
			widest = o.first - from;
			best = (struct pw_dma_range){ from, o.first };
		}
		from = o.last + 1;
	}
	return best;
}

/* With EAL's memory lock held. */
static int
choose_offset(struct pw_dma_window *win)
{
	struct survey s = { .win = win };
	struct pw_dma_range gap;
	uint64_t at, base, room;

	/* The kernel may give EAL any page, and so any low address. */
	if (rte_eal_iova_mode() == RTE_IOVA_PA)
		return keep(win, 0, TOP - 1);
	rte_memseg_list_walk_thread_unsafe(survey_list, &s);
	rte_memseg_walk_thread_unsafe(survey_seg, &s);
	if (s.rc != 0 || !s.high)
		return s.rc;
	gap = widest_gap(win);
	at = RTE_ALIGN_CEIL(gap.first, s.page);
	room = at < gap.last ? gap.last - at : 0;
	base = RTE_ALIGN_FLOOR(s.heap_low, s.page);
	/* What does not fit lies at the bottom: EAL hands out the top of its memory first. */
	if (s.heap_end - base > room)
		base = RTE_ALIGN_CEIL(s.heap_end - room, s.page);
	win->offset = at - base;
	return 0;
}

/* --- opening and closing -------------------------------------------------------------- */

/* Undo window_make() from any point on. */
static void
window_free(struct pw_dma_window *win)
{
	/* No event comes while this lock is held. */
	rte_mcfg_mem_read_lock();
	if (win->hears_memory)
		rte_mem_event_callback_unregister(MEM_CALLBACK, win);
	rte_mcfg_mem_read_unlock();
	for (unsigned int i = 0; i < win->nb_pieces; i++) {
		const struct piece *p = &win->piece[i];

		if (p->fate == MAPPED)
			win->iommu->ops->unmap(win->iommu, dev_addr(win, p->iova), p->len);
	}
	pthread_mutex_destroy(&win->lock);
	free(win->kept);
	free(win->piece);
	free(win);
}

/* With EAL's memory lock held: nothing comes or goes meanwhile. */
static int
window_fill(struct pw_dma_window *win)
{
	struct run run = { .win = win };
	int rc = choose_offset(win);

	if (rc != 0)
		return rc;
	/* Where memory cannot change (--no-huge, --legacy-mem) there is no such service. */
	if (rte_mem_event_callback_register(MEM_CALLBACK, mem_event, win) == 0)
		win->hears_memory = true;
	else if (rte_errno != ENOTSUP)
		return -rte_errno;
	rte_memseg_walk_thread_unsafe(run_add, &run);
	run_end(&run);
	return run.rc;
}

static int
window_make(struct pw_dma_iommu *iommu, struct pw_dma_window **winp)
{
	struct pw_dma_window *win = calloc(1, sizeof(*win));
	int rc;

	if (win == NULL)
		return -ENOMEM;
	win->iommu = iommu;
	pthread_mutex_init(&win->lock, NULL);
	rte_rwlock_init(&win->readers);
	LIST_INIT(&win->user);
	rte_mcfg_mem_read_lock();
	rc = window_fill(win);
	rte_mcfg_mem_read_unlock();
	if (rc != 0)
		window_free(win);
	else
		*winp = win;
	return rc;
}

int
pw_dma_window_open(struct pw_dma *dma, struct pw_dma_iommu *iommu)
{
	int rc = 0;

	if (iommu == NULL || dma->limits.addr_bits == 64)
		return 0;
	if (dma->limits.addr_bits != 32)
		return -ENOTSUP;
	if (dma->window != NULL)
		return -EBUSY;
	pthread_mutex_lock(&control);
	if (iommu->window == NULL)
		rc = window_make(iommu, &iommu->window);
	if (rc == 0) {
		struct pw_dma_window *win = iommu->window;

		pthread_mutex_lock(&win->lock);
		win->users++;
		LIST_INSERT_HEAD(&win->user, dma, next);
		dma->window = win;
		dma->iommu = iommu;
		dma->offset = win->offset;
		retrust(win);
		pthread_mutex_unlock(&win->lock);
	}
	pthread_mutex_unlock(&control);
	return rc;
}

void
pw_dma_window_close(struct pw_dma *dma)
{
	struct pw_dma_window *win = dma->window;

	if (win == NULL)
		return;
	pthread_mutex_lock(&control);
	pthread_mutex_lock(&win->lock);
	LIST_REMOVE(dma, next);
	win->users--;
	pthread_mutex_unlock(&win->lock);
	if (win->users == 0) {
		dma->iommu->window = NULL;
		window_free(win);
	}
	dma->window = NULL;
	dma->iommu = NULL;
	/* The next to come must not take old sums for low addresses. */
	dma->offset = 0;
	dma->lo = 0;
	dma->span = TOP - 1;
	pthread_mutex_unlock(&control);
}

/* --- external memory ------------------------------------------------------------------ */

/* How many of the bytes are in the list. */
static uint64_t
known(const struct pw_dma_window *win, uint64_t iova, uint64_t last)
{
	uint64_t sum = 0;

	for (unsigned int i = lower(win, iova); i < win->nb_pieces; i++) {
		const struct piece *p = &win->piece[i];

		if (p->iova > last)
			break;
		sum += RTE_MIN(p->iova + (p->len - 1), last) - RTE_MAX(p->iova, iova) + 1;
	}
	return sum;
}

int
pw_dma_window_add(struct pw_dma_iommu *iommu, void *va, uint64_t iova, uint64_t len)
{
	struct piece mem = { .iova = iova, .len = len, .va = va };
	struct pw_dma_window *win;
	uint64_t there;
	int rc = 0;

	if (len == 0 || iova + (len - 1) < iova)
		return -EINVAL;
	pthread_mutex_lock(&control);
	win = iommu->window;
	if (win != NULL) {
		pthread_mutex_lock(&win->lock);
		there = known(win, iova, iova + (len - 1));
		if (there == 0)
			rc = add(win, &mem);
		else if (there != len)
			rc = -EEXIST;
		retrust(win);
		pthread_mutex_unlock(&win->lock);
	}
	pthread_mutex_unlock(&control);
	return rc;
}

int
pw_dma_window_remove(struct pw_dma_iommu *iommu, uint64_t iova, uint64_t len)
{
	struct pw_dma_window *win;
	int rc = 0;

	if (len == 0 || iova + (len - 1) < iova)
		return -EINVAL;
	pthread_mutex_lock(&control);
	win = iommu->window;
	if (win != NULL) {
		pthread_mutex_lock(&win->lock);
		rc = take(win, iova, len);
		retrust(win);
		pthread_mutex_unlock(&win->lock);
	}
	pthread_mutex_unlock(&control);
	return rc;
}

/* --- looking --------------------------------------------------------------------------- */

bool
pw_dma_window_covers(struct pw_dma_window *win, uint64_t iova, uint64_t len)
{
	uint64_t at = iova, left = len;

	if (len == 0 || dev_addr(win, iova) + len > TOP)
		return false;
	rte_rwlock_read_lock(&win->readers);
	for (unsigned int i = lower(win, iova); left > 0 && i < win->nb_pieces; i++) {
		const struct piece *p = &win->piece[i];
		uint64_t n;

		if (p->iova > at || p->fate == REFUSED)
			break;
		n = RTE_MIN(p->iova + p->len - at, left);
		at += n;
		left -= n;
	}
	rte_rwlock_read_unlock(&win->readers);
	return left == 0;
}

bool
pw_dma_window_info(const struct pw_dma_iommu *iommu, struct pw_dma_window_info *info)
{
	struct pw_dma_window *win;

	memset(info, 0, sizeof(*info));
	pthread_mutex_lock(&control);
	win = iommu->window;
	if (win != NULL) {
		pthread_mutex_lock(&win->lock);
		info->offset = win->offset;
		info->lo = win->lo;
		info->span = win->span;
		info->users = win->users;
		for (unsigned int i = 0; i < win->nb_pieces; i++) {
			const struct piece *p = &win->piece[i];

			info->pieces += p->fate != REFUSED;
			info->refused += p->fate == REFUSED;
			info->bytes += p->fate != REFUSED ? p->len : 0;
		}
		pthread_mutex_unlock(&win->lock);
	}
	pthread_mutex_unlock(&control);
	return win != NULL;
}
