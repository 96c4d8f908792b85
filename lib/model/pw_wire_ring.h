/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_WIRE_RING_H_
#define _PW_WIRE_RING_H_

/**
 * @file
 * The one-producer, one-consumer byte ring under the in-process and the shm wire.
 *
 * A record is a header of 16 bytes and the frame, padded to 16 bytes; headers therefore never
 * wrap, frames may. The counters run freely over 32 bits; each has one writer, who keeps a
 * private copy of it and only publishes. What comes from the other side is checked on each
 * use, because in a shm wire the other side may be broken: a nonsensical consumer counter means
 * "full", a nonsensical producer counter or header makes the consumer drop all there is.
 */

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "pw_wire.h"

#define WRING_LINE 64u
#define WRING_MIN_SIZE 1024u
#define WRING_MAX_SIZE (64u << 20)

struct wring_rec {
	uint32_t len;
	uint32_t flags;
	uint64_t t_ns;
};

/** What both sides see. The writer of each line is named. */
struct wring_shared {
	alignas(WRING_LINE) _Atomic uint32_t prod; /**< producer */
	_Atomic uint64_t missed;		   /**< producer: frames that found no room */
	alignas(WRING_LINE) _Atomic uint32_t cons; /**< consumer */
};

/** The producer's own view. */
struct wring_tx {
	alignas(WRING_LINE) struct wring_shared *sh;
	uint8_t *data;
	uint32_t mask;
	uint32_t prod;
	uint32_t cons; /**< as last seen */
	uint64_t missed;
};

/** The consumer's own view. */
struct wring_rx {
	alignas(WRING_LINE) struct wring_shared *sh;
	const uint8_t *data;
	uint32_t mask;
	uint32_t cons;
	uint32_t prod;	       /**< as last seen */
	uint32_t rec_len;      /**< bytes of the record in `rec`, 0: none looked at */
	struct wring_rec rec;  /**< checked copy of the header at `cons` */
	uint64_t missed_seen;
	uint64_t broken;       /**< times that the other side's state made no sense */
};

static inline uint32_t
wring_rec_len(uint32_t len)
{
	return (uint32_t)sizeof(struct wring_rec) + ((len + 15u) & ~15u);
}

/** Take over the producer's side of a ring, new or left by somebody else. */
static inline void
wring_tx_init(struct wring_tx *r, struct wring_shared *sh, uint8_t *data, uint32_t size)
{
	r->sh = sh;
	r->data = data;
	r->mask = size - 1;
	r->prod = (atomic_load_explicit(&sh->prod, memory_order_acquire) + 15u) & ~15u;
	r->cons = atomic_load_explicit(&sh->cons, memory_order_acquire);
	r->missed = atomic_load_explicit(&sh->missed, memory_order_relaxed);
}

/** Drop whatever waits, and forget what was missed. */
static inline void
wring_flush(struct wring_rx *r)
{
	r->prod = atomic_load_explicit(&r->sh->prod, memory_order_acquire) & ~15u;
	r->cons = r->prod;
	r->rec_len = 0;
	atomic_store_explicit(&r->sh->cons, r->cons, memory_order_release);
}

/** Take over the consumer's side; it starts empty. */
static inline void
wring_rx_init(struct wring_rx *r, struct wring_shared *sh, const uint8_t *data, uint32_t size)
{
	r->sh = sh;
	r->data = data;
	r->mask = size - 1;
	r->missed_seen = atomic_load_explicit(&sh->missed, memory_order_relaxed);
	r->broken = 0;
	wring_flush(r);
}

static inline bool
wring_room(struct wring_tx *r, uint32_t need)
{
	uint32_t size = r->mask + 1;

	if (r->prod - r->cons <= size && size - (r->prod - r->cons) >= need)
		return true;
	/* Pairs with the release in wring_pop(): the consumer has read what it gives back. */
	r->cons = atomic_load_explicit(&r->sh->cons, memory_order_acquire);
	return r->prod - r->cons <= size && size - (r->prod - r->cons) >= need;
}

/** Put in one frame, or count it as missed. @return whether there was room. */
static inline bool
wring_push(struct wring_tx *r, const void *frame, uint32_t len, uint32_t flags, uint64_t t_ns)
{
	struct wring_rec rec = { len, flags, t_ns };
	uint32_t at = (r->prod + (uint32_t)sizeof(rec)) & r->mask;
	uint32_t first = r->mask + 1 - at;

	if (!wring_room(r, wring_rec_len(len))) {
		atomic_store_explicit(&r->sh->missed, ++r->missed, memory_order_relaxed);
		return false;
	}
	memcpy(r->data + (r->prod & r->mask), &rec, sizeof(rec));
	if (len <= first) {
		memcpy(r->data + at, frame, len);
	} else {
		memcpy(r->data + at, frame, first);
		memcpy(r->data, (const uint8_t *)frame + first, len - first);
	}
	r->prod += wring_rec_len(len);
	/* The record before the counter that shows it. */
	atomic_store_explicit(&r->sh->prod, r->prod, memory_order_release);
	return true;
}

/** The other side made no sense: start again from where it says it is. */
static inline bool
wring_resync(struct wring_rx *r)
{
	r->broken++;
	wring_flush(r);
	return false;
}

/** Look at the oldest record's header; `r->rec` is valid until wring_pop(). */
static inline bool
wring_head(struct wring_rx *r)
{
	uint32_t used;

	if (r->rec_len != 0)
		return true;
	if (r->prod == r->cons) {
		/* Pairs with the release in wring_push(): the record is there. */
		r->prod = atomic_load_explicit(&r->sh->prod, memory_order_acquire);
		if (r->prod == r->cons)
			return false;
	}
	used = r->prod - r->cons;
	if (used > r->mask + 1 || (used & 15u) != 0)
		return wring_resync(r);
	memcpy(&r->rec, r->data + (r->cons & r->mask), sizeof(r->rec));
	/* The copy is what counts from here on, whatever is scribbled over the original. */
	atomic_signal_fence(memory_order_seq_cst);
	if (r->rec.len == 0 || r->rec.len > PW_WIRE_MAX_FRAME || wring_rec_len(r->rec.len) > used)
		return wring_resync(r);
	r->rec_len = wring_rec_len(r->rec.len);
	return true;
}

/** @return the frame of the record at hand if it does not wrap, else NULL. */
static inline const uint8_t *
wring_in_place(const struct wring_rx *r)
{
	uint32_t at = (r->cons + (uint32_t)sizeof(r->rec)) & r->mask;

	return at + r->rec.len <= r->mask + 1 ? r->data + at : NULL;
}

/** Copy out the frame of the record at hand. */
static inline void
wring_copy(const struct wring_rx *r, uint8_t *to)
{
	uint32_t at = (r->cons + (uint32_t)sizeof(r->rec)) & r->mask;
	uint32_t first = r->mask + 1 - at;

	if (r->rec.len <= first) {
		memcpy(to, r->data + at, r->rec.len);
	} else {
		memcpy(to, r->data + at, first);
		memcpy(to + first, r->data, r->rec.len - first);
	}
}

/** Give the record at hand back to the producer. */
static inline void
wring_pop(struct wring_rx *r)
{
	r->cons += r->rec_len;
	r->rec_len = 0;
	/* Our reads of the record before the counter that frees it. */
	atomic_store_explicit(&r->sh->cons, r->cons, memory_order_release);
}

/** @return frames lost since the last call, each broken state counting as one. */
static inline uint64_t
wring_missed(struct wring_rx *r)
{
	uint64_t now = atomic_load_explicit(&r->sh->missed, memory_order_relaxed);
	uint64_t n = now - r->missed_seen + r->broken;

	r->missed_seen = now;
	r->broken = 0;
	return n;
}

#endif /* _PW_WIRE_RING_H_ */
