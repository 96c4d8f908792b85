/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_RING_H_
#define _PW_RING_H_

/**
 * @file
 * Ring arithmetic shared by all drivers: two free-running 32-bit counters and a mask.
 *
 * `prod` counts slots ever filled, `cons` slots ever taken. Both wrap at 2^32, which a
 * power-of-two size divides, so `prod - cons` is the fill level at all times and neither a
 * full nor an empty ring is a special case. Descriptors stay in the drivers: the five chip
 * families have five different ones.
 *
 * None of these functions is thread-safe; a ring belongs to the lcore that polls its queue.
 */

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_common.h>

struct pw_ring {
	uint32_t prod; /**< slots ever filled */
	uint32_t cons; /**< slots ever taken back */
	uint32_t mask; /**< size - 1 */
};

/**
 * Make an empty ring.
 *
 * @param r
 *   The ring.
 * @param size
 *   Number of slots; a power of two, at least 2.
 * @return
 *   0, or -EINVAL if the size is not a power of two of at least 2.
 */
static inline int
pw_ring_init(struct pw_ring *r, uint32_t size)
{
	if (size < 2 || !rte_is_power_of_2(size))
		return -EINVAL;
	r->prod = 0;
	r->cons = 0;
	r->mask = size - 1;
	return 0;
}

/** @return number of slots of the ring. */
static inline uint32_t
pw_ring_size(const struct pw_ring *r)
{
	return r->mask + 1;
}

/** @return slots filled and not yet taken back. */
static inline uint32_t
pw_ring_used(const struct pw_ring *r)
{
	return r->prod - r->cons;
}

/** @return slots that can still be filled. */
static inline uint32_t
pw_ring_free(const struct pw_ring *r)
{
	return r->mask + 1 - (r->prod - r->cons);
}

/** @return true if no slot is filled. */
static inline bool
pw_ring_empty(const struct pw_ring *r)
{
	return r->prod == r->cons;
}

/** @return true if every slot is filled. */
static inline bool
pw_ring_full(const struct pw_ring *r)
{
	return r->prod - r->cons > r->mask;
}

/** @return the slot, 0..size-1, that counter value `count` stands for. */
static inline uint32_t
pw_ring_slot(const struct pw_ring *r, uint32_t count)
{
	return count & r->mask;
}

/** @return slots from counter value `count` to the end of the ring's memory, 1..size. */
static inline uint32_t
pw_ring_to_end(const struct pw_ring *r, uint32_t count)
{
	return r->mask + 1 - (count & r->mask);
}

#endif /* _PW_RING_H_ */
