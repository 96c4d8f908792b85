/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The wire inside a process: a full mesh of rings, one for each ordered pair of ends.
 *
 * Ends come and go while the others run. So that nobody has to wait for a sender that may be
 * in the middle of a ring, rings are never freed before the wire is: a ring belongs to a pair
 * of slots and is used again by whoever is plugged in there next. Each side of a ring has one
 * owner at a time; the mutex orders one owner's leaving with the next one's arrival.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pw_wire_priv.h"
#include "pw_wire_ring.h"

#define MEM_ENDS 8u

struct mem_ring {
	struct wring_shared sh;
	struct wring_tx tx; /**< of the end in slot `src` */
	struct wring_rx rx; /**< of the end in slot `dst` */
	uint32_t src, dst, size;
	struct mem_ring *next;
	alignas(WRING_LINE) uint8_t data[];
};

struct mem_wire {
	_Atomic uint32_t plugged;   /**< a bit for each slot in use */
	_Atomic uint32_t listening; /**< a bit for each end that wants frames */
	_Atomic(struct mem_ring *) ring[MEM_ENDS][MEM_ENDS]; /**< [src][dst] in use now */
	char name[WIRE_NAME_MAX + 1];
	struct pw_clock *clock;
	uint32_t size[MEM_ENDS];    /**< bytes of the rings into an end */
	struct mem_ring *rings;	    /**< all there ever were */
	struct mem_wire *next;
};

struct mem_end {
	struct pw_wire base;
	struct mem_wire *wire;
	uint32_t slot;
	struct wring_rx *at;	    /**< where pw_wire_peek() found its frame */
	uint8_t *copy;		    /**< frames that wrap, made whole */
};

static pthread_mutex_t wires_lock = PTHREAD_MUTEX_INITIALIZER;
static struct mem_wire *wires;

static inline struct mem_end *
mem_end(struct pw_wire *end)
{
	return (struct mem_end *)end;
}

/* --- plugging ---------------------------------------------------------------- */

static struct mem_wire *
wire_get(const char *name, struct pw_clock *clock)
{
	struct mem_wire *w;

	for (w = wires; w != NULL; w = w->next)
		if (strcmp(w->name, name) == 0)
			return w;
	w = calloc(1, sizeof(*w));
	if (w == NULL)
		return NULL;
	strcpy(w->name, name);
	w->clock = clock;
	w->next = wires;
	wires = w;
	return w;
}

static void
wire_put_if_empty(struct mem_wire *w)
{
	struct mem_wire **p = &wires;
	struct mem_ring *r;

	if (atomic_load_explicit(&w->plugged, memory_order_relaxed) != 0)
		return;
	while (*p != w)
		p = &(*p)->next;
	*p = w->next;
	while ((r = w->rings) != NULL) {
		w->rings = r->next;
		free(r);
	}
	free(w);
}

static struct mem_ring *
ring_get(struct mem_wire *w, uint32_t src, uint32_t dst)
{
	uint32_t size = w->size[dst];
	struct mem_ring *r;

	for (r = w->rings; r != NULL; r = r->next)
		if (r->src == src && r->dst == dst && r->size == size)
			return r;
	r = aligned_alloc(WRING_LINE, sizeof(*r) + size);
	if (r == NULL)
		return NULL;
	memset(r, 0, sizeof(*r));
	r->src = src;
	r->dst = dst;
	r->size = size;
	wring_tx_init(&r->tx, &r->sh, r->data, size);
	wring_rx_init(&r->rx, &r->sh, r->data, size);
	r->next = w->rings;
	w->rings = r;
	return r;
}

static int
rings_connect(struct mem_wire *w, uint32_t slot)
{
	uint32_t others = atomic_load_explicit(&w->plugged, memory_order_relaxed);
	struct mem_ring *in, *out, *r;
	uint32_t i;

	/* Nothing that was meant for the slot's previous owner. */
	for (r = w->rings; r != NULL; r = r->next)
		if (r->dst == slot)
			wring_rx_init(&r->rx, &r->sh, r->data, r->size);
	for (i = 0; i < MEM_ENDS; i++) {
		if ((others & (1u << i)) == 0) {
			atomic_store_explicit(&w->ring[i][slot], NULL, memory_order_relaxed);
			continue;
		}
		in = ring_get(w, i, slot);
		out = ring_get(w, slot, i);
		if (in == NULL || out == NULL)
			return -ENOMEM;
		atomic_store_explicit(&w->ring[i][slot], in, memory_order_release);
		atomic_store_explicit(&w->ring[slot][i], out, memory_order_release);
	}
	return 0;
}

static int
wire_plug(struct mem_wire *w, struct mem_end *e, const struct pw_wire_opts *opts, char *err,
	  size_t errlen)
{
	uint32_t plugged = atomic_load_explicit(&w->plugged, memory_order_relaxed);
	uint32_t slot = 0;

	while (slot < MEM_ENDS && (plugged & (1u << slot)) != 0)
		slot++;
	if (slot == MEM_ENDS)
		return wire_fail(-EBUSY, err, errlen, "wire %s: all %u ends are taken", w->name,
				 MEM_ENDS);
	if (w->clock != opts->clock)
		return wire_fail(-EINVAL, err, errlen,
				 "wire %s: its other ends run on another clock", w->name);
	e->wire = w;
	e->slot = slot;
	w->size[slot] = opts->buffer;
	if (rings_connect(w, slot) != 0)
		return wire_fail(-ENOMEM, err, errlen, "wire %s: no memory for %u bytes a ring",
				 w->name, w->size[slot]);
	atomic_fetch_or_explicit(&w->listening, 1u << slot, memory_order_release);
	atomic_fetch_or_explicit(&w->plugged, 1u << slot, memory_order_release);
	return 0;
}

static int
mem_open(const char *name, const struct pw_wire_opts *opts, struct pw_wire **end, char *err,
	 size_t errlen)
{
	struct mem_wire *w;
	struct mem_end *e;
	int rc = wire_check_name(name, err, errlen);

	if (rc != 0)
		return rc;
	e = calloc(1, sizeof(*e));
	if (e != NULL)
		e->copy = malloc(PW_WIRE_MAX_FRAME);
	if (e == NULL || e->copy == NULL) {
		free(e);
		return wire_fail(-ENOMEM, err, errlen, "wire %s: no memory", name);
	}
	pthread_mutex_lock(&wires_lock);
	w = wire_get(name, opts->clock);
	if (w == NULL) {
		rc = wire_fail(-ENOMEM, err, errlen, "wire %s: no memory", name);
	} else {
		rc = wire_plug(w, e, opts, err, errlen);
		wire_put_if_empty(w);
	}
	pthread_mutex_unlock(&wires_lock);
	if (rc != 0) {
		free(e->copy);
		free(e);
		return rc;
	}
	*end = &e->base;
	return 0;
}

static void
mem_close(struct pw_wire *end)
{
	struct mem_end *e = mem_end(end);
	struct mem_wire *w = e->wire;
	uint32_t bit = 1u << e->slot;

	pthread_mutex_lock(&wires_lock);
	atomic_fetch_and_explicit(&w->listening, ~bit, memory_order_release);
	atomic_fetch_and_explicit(&w->plugged, ~bit, memory_order_release);
	wire_put_if_empty(w);
	pthread_mutex_unlock(&wires_lock);
	free(e->copy);
	free(e);
}

static bool
mem_carrier(struct pw_wire *end)
{
	struct mem_end *e = mem_end(end);

	return (atomic_load_explicit(&e->wire->plugged, memory_order_acquire) &
		~(1u << e->slot)) != 0;
}

static void
mem_listen(struct pw_wire *end, bool on)
{
	struct mem_end *e = mem_end(end);
	struct mem_wire *w = e->wire;
	uint32_t bit = 1u << e->slot;
	struct mem_ring *r;
	uint32_t i;

	if (((atomic_load_explicit(&w->listening, memory_order_relaxed) & bit) != 0) == on)
		return;
	if (!on) {
		atomic_fetch_and_explicit(&w->listening, ~bit, memory_order_release);
		return;
	}
	for (i = 0; i < MEM_ENDS; i++) {
		r = atomic_load_explicit(&w->ring[i][e->slot], memory_order_acquire);
		if (r != NULL)
			wring_flush(&r->rx);
	}
	e->at = NULL;
	atomic_fetch_or_explicit(&w->listening, bit, memory_order_release);
}

/* --- packets ----------------------------------------------------------------- */

static void
mem_send(struct pw_wire *end, const void *frame, uint32_t len, uint32_t flags, uint64_t t_ns)
{
	struct mem_end *e = mem_end(end);
	struct mem_wire *w = e->wire;
	uint32_t to = atomic_load_explicit(&w->listening, memory_order_acquire) &
		      ~(1u << e->slot);
	struct mem_ring *r;

	while (to != 0) {
		uint32_t dst = (uint32_t)ffs((int)to) - 1;

		to &= to - 1;
		r = atomic_load_explicit(&w->ring[e->slot][dst], memory_order_acquire);
		wring_push(&r->tx, frame, len, flags, t_ns);
	}
}

static bool
mem_peek(struct pw_wire *end, struct pw_frame *frame)
{
	struct mem_end *e = mem_end(end);
	struct mem_wire *w = e->wire;
	struct wring_rx *first = NULL;
	struct mem_ring *r;
	uint32_t i;

	if ((atomic_load_explicit(&w->listening, memory_order_relaxed) & (1u << e->slot)) == 0)
		return false;
	for (i = 0; i < MEM_ENDS; i++) {
		r = atomic_load_explicit(&w->ring[i][e->slot], memory_order_acquire);
		if (r != NULL && wring_head(&r->rx) &&
		    (first == NULL || r->rx.rec.t_ns < first->rec.t_ns))
			first = &r->rx;
	}
	if (first == NULL || ((first->rec.flags & WIRE_REC_PACED) != 0 &&
			      !wire_has_come(end, first->rec.t_ns)))
		return false;
	e->at = first;
	frame->len = first->rec.len;
	frame->flags = first->rec.flags & WIRE_FRAME_FLAGS;
	frame->t_ns = first->rec.t_ns;
	frame->data = wring_in_place(first);
	if (frame->data == NULL) {
		wring_copy(first, e->copy);
		frame->data = e->copy;
	}
	return true;
}

static void
mem_next(struct pw_wire *end)
{
	struct mem_end *e = mem_end(end);

	if (e->at != NULL)
		wring_pop(e->at);
	e->at = NULL;
}

static uint64_t
mem_missed(struct pw_wire *end)
{
	struct mem_end *e = mem_end(end);
	struct mem_ring *r;
	uint64_t n = 0;
	uint32_t i;

	for (i = 0; i < MEM_ENDS; i++) {
		r = atomic_load_explicit(&e->wire->ring[i][e->slot], memory_order_acquire);
		if (r != NULL)
			n += wring_missed(&r->rx);
	}
	return n;
}

const struct wire_kind wire_kind_mem = {
	.prefix = "",
	.open = mem_open,
	.close = mem_close,
	.carrier = mem_carrier,
	.listen = mem_listen,
	.send = mem_send,
	.peek = mem_peek,
	.next = mem_next,
	.missed = mem_missed,
};
