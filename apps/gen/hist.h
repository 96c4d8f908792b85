/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _GEN_HIST_H_
#define _GEN_HIST_H_

/**
 * @file
 * A histogram whose buckets widen with the value: exact below 64, then 64 buckets to each power
 * of two, so that what is read back is at most 1/64 too high. No EAL. One thread at a time.
 */

#include <stdint.h>

#define GEN_HIST_SUB 64u
#define GEN_HIST_BUCKETS (59u * GEN_HIST_SUB)

struct gen_hist {
	uint64_t count, sum, min, max;
	uint64_t bucket[GEN_HIST_BUCKETS];
};

void gen_hist_init(struct gen_hist *h);

/** Add `from` to `to`. */
void gen_hist_merge(struct gen_hist *to, const struct gen_hist *from);

/** @return a value that at least a `fraction` (0..1] of all does not exceed; 0 if empty. */
uint64_t gen_hist_percentile(const struct gen_hist *h, double fraction);

static inline uint32_t
gen_hist_index(uint64_t value)
{
	uint32_t shift;

	if (value < GEN_HIST_SUB)
		return value;
	shift = 57 - __builtin_clzll(value);	/* so that value >> shift is 64..127 */
	return shift * GEN_HIST_SUB + (value >> shift);
}

static inline void
gen_hist_add(struct gen_hist *h, uint64_t value)
{
	h->count++;
	h->sum += value;
	if (value < h->min)
		h->min = value;
	if (value > h->max)
		h->max = value;
	h->bucket[gen_hist_index(value)]++;
}

#endif /* _GEN_HIST_H_ */
