/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <math.h>
#include <string.h>

#include "hist.h"

void
gen_hist_init(struct gen_hist *h)
{
	memset(h, 0, sizeof(*h));
	h->min = UINT64_MAX;
}

void
gen_hist_merge(struct gen_hist *to, const struct gen_hist *from)
{
	uint32_t i;

	to->count += from->count;
	to->sum += from->sum;
	if (from->min < to->min)
		to->min = from->min;
	if (from->max > to->max)
		to->max = from->max;
	for (i = 0; i < GEN_HIST_BUCKETS; i++)
		to->bucket[i] += from->bucket[i];
}

/* The highest value that falls into a bucket. */
static uint64_t
bucket_top(uint32_t index)
{
	uint32_t shift;

	if (index < 2 * GEN_HIST_SUB)
		return index;
	shift = index / GEN_HIST_SUB - 1;
	return ((uint64_t)(index - shift * GEN_HIST_SUB + 1) << shift) - 1;
}

uint64_t
gen_hist_percentile(const struct gen_hist *h, double fraction)
{
	uint64_t want = ceil(h->count * fraction), below = 0, top;
	uint32_t i;

	if (h->count == 0)
		return 0;
	for (i = 0; i < GEN_HIST_BUCKETS - 1; i++) {
		below += h->bucket[i];
		if (below >= want)
			break;
	}
	top = bucket_top(i);
	return top < h->max ? top : h->max;
}
