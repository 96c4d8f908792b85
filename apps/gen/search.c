/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <string.h>

#include "search.h"

/* An offer that falls short by no more than this (1/200) was the one asked for. */
#define SHORTFALL_PART 200u

void
gen_search_init(struct gen_search *s, uint32_t resolution)
{
	memset(s, 0, sizeof(*s));
	s->bad = GEN_SEARCH_FULL + 1;
	s->resolution = resolution > 0 ? resolution : 1;
}

uint32_t
gen_search_next(const struct gen_search *s)
{
	if (s->bad > GEN_SEARCH_FULL)
		return s->good >= GEN_SEARCH_FULL - GEN_SEARCH_FULL / SHORTFALL_PART ?
			0 : GEN_SEARCH_FULL;
	if (s->bad - s->good <= s->resolution)
		return 0;
	return s->good + (s->bad - s->good) / 2;
}

void
gen_search_outcome(struct gen_search *s, uint32_t asked, uint32_t offered, bool clean)
{
	bool fell_short = offered < asked - asked / SHORTFALL_PART;

	s->trials++;
	offered = offered < asked ? offered : asked;
	if (clean && offered > s->good)
		s->good = offered;
	if (clean && !fell_short)
		return;
	/* Whether the device would have coped with what was not offered stays open. */
	if (asked < s->bad) {
		s->bad = asked;
		s->generator_limited = clean;
	}
}
