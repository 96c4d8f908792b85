/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The window and EAL: memory comes and goes by EAL's events, devices by opening and closing.
 *
 * Locks, in this order: `control` (opening, closing, external memory), EAL's memory lock, the
 * window's `lock`. EAL's events come with its memory lock held for writing. The packet path takes
 * none of them (see pw_dma_pieces.c for the one it takes when it looks).
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

#include "pw_dma_pieces.h"
#include "pw_dma_window.h"

#define MEM_CALLBACK "pw_dma_window"

struct pw_dma_window {
	struct pw_dma_pieces pieces;
	pthread_mutex_t lock;
	bool hears_memory;		/* the memory callback is registered */
	unsigned int users;
	LIST_HEAD(, pw_dma) user;
};

static pthread_mutex_t control = PTHREAD_MUTEX_INITIALIZER;

/*
 * Readers may meet one half of the pair old and the other new: that harms nobody, because memory
 * that comes is not in use yet.
 */
static void
retrust(struct pw_dma_window *win)
{
	const struct pw_dma_pieces *ps = &win->pieces;
	struct pw_dma *dma;

	pw_dma_pieces_trust(&win->pieces);
	LIST_FOREACH(dma, &win->user, next) {
		__atomic_store_n(&dma->lo, ps->lo, __ATOMIC_RELAXED);
		__atomic_store_n(&dma->span, ps->span, __ATOMIC_RELAXED);
	}
}

/* --- EAL's memory --------------------------------------------------------------------- */

/* Segments that are one piece for va and iova alike. */
struct run {
	struct pw_dma_window *win;
	const struct rte_memseg_list *msl;
	struct pw_dma_piece mem;	/* len 0: none yet */
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
		rc = pw_dma_pieces_take(&run->win->pieces, run->mem.iova, run->mem.len);
	else
		rc = pw_dma_pieces_add(&run->win->pieces, &run->mem);
	run->mem.len = 0;
	/* What is refused will be told to who wants to use it. */
	if (rc != 0 && rc != -ERANGE && run->rc == 0)
		run->rc = rc;
}

static int
run_add(const struct rte_memseg_list *msl, const struct rte_memseg *ms, void *arg)
{
	struct run *run = arg;

	if (ms->iova == RTE_BAD_IOVA)
		return 0;
	if (run->mem.len != 0 && run->msl == msl &&
	    run->mem.va + run->mem.len == (uint8_t *)ms->addr &&
	    run->mem.iova + run->mem.len == ms->iova) {
		run->mem.len += ms->len;
		return 0;
	}
	run_end(run);
	run->msl = msl;
	run->mem = (struct pw_dma_piece){
		.iova = ms->iova,
		.len = ms->len,
		/* EAL frees huge pages one by one, the rest as it came. */
		.page = msl->external || !rte_eal_has_hugepages() ? 0 : msl->page_sz,
		.va = ms->addr,
	};
	return 0;
}

/* What rte_extmem_register() made known needs rte_dev_dma_map() besides. */
static int
walk_add(const struct rte_memseg_list *msl, const struct rte_memseg *ms, void *arg)
{
	return msl->external && !msl->heap ? 0 : run_add(msl, ms, arg);
}

/* Of heaps only, external ones too, which are not marked as such yet. */
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
	const struct rte_memseg_list *heap;	/* the list with most of it */
	uint64_t heap_low, heap_end, heap_bytes;
	uint64_t page;				/* the largest that holds memory */
	bool high;				/* some lies beyond PW_DMA_TOP */
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
	s->high |= s->end > PW_DMA_TOP;
	if (s->bytes > s->heap_bytes) {
		s->heap = msl;
		s->heap_low = s->low;
		s->heap_end = s->end;
		s->heap_bytes = s->bytes;
	}
	return 0;
}

/* EAL may map any page of its lists at the page's own address, whenever it likes. */
static int
survey_list(const struct rte_memseg_list *msl, void *arg)
{
	struct survey *s = arg;
	uint64_t first = (uintptr_t)msl->base_va;

	if (msl->external || first >= PW_DMA_TOP || s->rc != 0)
		return 0;
	s->rc = pw_dma_pieces_keep(&s->win->pieces, first,
				    RTE_MIN(first + msl->len, PW_DMA_TOP) - 1);
	return 0;
}

/* With EAL's memory lock held. */
static int
choose_offset(struct pw_dma_window *win)
{
	struct survey s = { .win = win };

	/* The kernel may give EAL any page, and so any low address. */
	if (rte_eal_iova_mode() == RTE_IOVA_PA) {
		win->pieces.last = PW_DMA_TOP - 1;
		return pw_dma_pieces_keep(&win->pieces, 0, PW_DMA_TOP - 1);
	}
	rte_memseg_list_walk_thread_unsafe(survey_list, &s);
	rte_memseg_walk_thread_unsafe(survey_seg, &s);
	if (s.rc != 0 || s.heap == NULL)
		return s.rc;
	/* EAL holds the list's address space, used or not: nobody else's memory is in it. */
	win->pieces.first = (uintptr_t)s.heap->base_va;
	win->pieces.last = win->pieces.first + s.heap->len - 1;
	if (!s.high)
		return 0;
	win->pieces.offset = pw_dma_pieces_place(&win->pieces, s.heap_low, s.heap_end, s.page);
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
	pw_dma_pieces_free(&win->pieces);
	pthread_mutex_destroy(&win->lock);
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
	rte_memseg_walk_thread_unsafe(walk_add, &run);
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
	win->pieces.iommu = iommu;
	pthread_mutex_init(&win->lock, NULL);
	rte_rwlock_init(&win->pieces.readers);
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
		dma->offset = win->pieces.offset;
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
	dma->span = PW_DMA_TOP - 1;
	pthread_mutex_unlock(&control);
}

/* --- external memory ------------------------------------------------------------------ */

int
pw_dma_window_add(struct pw_dma_iommu *iommu, void *va, uint64_t iova, uint64_t len)
{
	struct pw_dma_piece mem = { .iova = iova, .len = len, .va = va };
	struct pw_dma_window *win;
	uint64_t there;
	int rc = 0;

	if (len == 0 || iova + (len - 1) < iova)
		return -EINVAL;
	pthread_mutex_lock(&control);
	win = iommu->window;
	if (win != NULL) {
		pthread_mutex_lock(&win->lock);
		there = pw_dma_pieces_known(&win->pieces, iova, iova + (len - 1));
		if (there == 0)
			rc = pw_dma_pieces_add(&win->pieces, &mem);
		else if (there != len)
			rc = -EEXIST;
		retrust(win);
		pthread_mutex_unlock(&win->lock);
	}
	pthread_mutex_unlock(&control);
	return rc;
}

bool
pw_dma_window_clashes(const struct pw_dma_iommu *iommu, uint64_t iova, uint64_t len)
{
	struct pw_dma_window *win;
	bool clashes = false;

	pthread_mutex_lock(&control);
	win = iommu->window;
	if (win != NULL) {
		pthread_mutex_lock(&win->lock);
		clashes = pw_dma_pieces_clash(&win->pieces, iova, len);
		pthread_mutex_unlock(&win->lock);
	}
	pthread_mutex_unlock(&control);
	return clashes;
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
		rc = pw_dma_pieces_take(&win->pieces, iova, len);
		retrust(win);
		pthread_mutex_unlock(&win->lock);
	}
	pthread_mutex_unlock(&control);
	return rc;
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
		info->offset = win->pieces.offset;
		info->lo = win->pieces.lo;
		info->span = win->pieces.span;
		info->users = win->users;
		for (unsigned int i = 0; i < win->pieces.nb_pieces; i++) {
			const struct pw_dma_piece *p = &win->pieces.piece[i];

			info->pieces += p->fate != PW_DMA_REFUSED;
			info->refused += p->fate == PW_DMA_REFUSED;
			info->bytes += p->fate != PW_DMA_REFUSED ? p->len : 0;
		}
		pthread_mutex_unlock(&win->lock);
	}
	pthread_mutex_unlock(&control);
	return win != NULL;
}

int
pw_dma_window_map_error(const struct pw_dma_window *win)
{
	return win->pieces.map_rc;
}

bool
pw_dma_window_covers(struct pw_dma_window *win, uint64_t iova, uint64_t len)
{
	return pw_dma_pieces_cover(&win->pieces, iova, len);
}
