/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <stdbool.h>
#include <string.h>

#include "seq.h"

void
gen_seq_init(struct gen_seq *s)
{
	memset(s, 0, sizeof(*s));
}

static bool
test_and_set(struct gen_seq *s, uint64_t number)
{
	uint64_t *word = &s->seen[number % GEN_SEQ_WINDOW / 64];
	uint64_t bit = UINT64_C(1) << number % 64;
	bool was = (*word & bit) != 0;

	*word |= bit;
	return was;
}

/* The numbers from `next` to before `number` come into the window, not seen. */
static void
slide(struct gen_seq *s, uint64_t number)
{
	if (number - s->next >= GEN_SEQ_WINDOW) {
		memset(s->seen, 0, sizeof(s->seen));
		s->next = number;
	}
	for (; s->next <= number; s->next++)
		s->seen[s->next % GEN_SEQ_WINDOW / 64] &= ~(UINT64_C(1) << s->next % 64);
}

enum gen_seq_verdict
gen_seq_arrive(struct gen_seq *s, uint32_t low, uint64_t sent)
{
	/* The number nearest to the one that is next in line. */
	uint64_t number = s->next + (int32_t)(low - (uint32_t)s->next);

	if (number >= sent)
		return GEN_SEQ_NEVER_SENT;
	if (number >= s->next) {
		slide(s, number);
		test_and_set(s, number);
		s->unique++;
		return GEN_SEQ_NEW;
	}
	if (s->next - number > GEN_SEQ_WINDOW) {
		s->stale++;
		return GEN_SEQ_STALE;
	}
	if (test_and_set(s, number)) {
		s->duplicated++;
		return GEN_SEQ_DUPLICATE;
	}
	s->unique++;
	s->reordered++;
	return GEN_SEQ_REORDERED;
}

uint64_t
gen_seq_lost(const struct gen_seq *s, uint64_t sent)
{
	uint64_t arrived = s->unique + s->stale;

	return sent > arrived ? sent - arrived : 0;
}
