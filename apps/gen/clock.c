/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <time.h>

#include <rte_cycles.h>

#include "clock.h"

#define LEAST_NS 50000000u	/* reading both clocks takes below 50 ns: 1 part in 10^6 */
#define TRIES 8

struct moment {
	uint64_t tsc, ns;
};

static struct moment begin;

/* Both clocks at one moment: the closest of several pairs, as a read can be interrupted. */
static struct moment
read_clocks(void)
{
	struct moment best = {0, 0};
	uint64_t before, after, gap = UINT64_MAX;
	struct timespec t;
	int i;

	for (i = 0; i < TRIES; i++) {
		before = rte_rdtsc_precise();
		clock_gettime(CLOCK_MONOTONIC, &t);
		after = rte_rdtsc_precise();
		if (after - before >= gap)
			continue;
		gap = after - before;
		best.tsc = before + gap / 2;
		best.ns = t.tv_sec * (uint64_t)NS_PER_S + t.tv_nsec;
	}
	return best;
}

void
gen_clock_begin(void)
{
	begin = read_clocks();
}

uint64_t
gen_clock_hz(void)
{
	struct moment now;

	do
		now = read_clocks();
	while (now.ns - begin.ns < LEAST_NS);
	return (unsigned __int128)(now.tsc - begin.tsc) * NS_PER_S / (now.ns - begin.ns);
}
