/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* Streams in which packets are lost, doubled and swapped, with the outcome counted by hand. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "seq.h"

#define MANY 1000000u

static struct gen_seq *
fresh(void)
{
	static struct gen_seq s;

	gen_seq_init(&s);
	return &s;
}

static void
arrive_all(struct gen_seq *s, const uint32_t *seq, size_t nb)
{
	size_t i;

	for (i = 0; i < nb; i++)
		gen_seq_arrive(s, seq[i], MANY);
}

static void
assert_counts(const struct gen_seq *s, uint64_t unique, uint64_t duplicated, uint64_t reordered)
{
	assert_int_equal(s->unique, unique);
	assert_int_equal(s->duplicated, duplicated);
	assert_int_equal(s->reordered, reordered);
	assert_int_equal(s->stale, 0);
}

static void
test_in_order(void **state)
{
	struct gen_seq *s = fresh();
	uint32_t i;

	(void)state;
	for (i = 0; i < MANY; i++)
		assert_int_equal(gen_seq_arrive(s, i, MANY), GEN_SEQ_NEW);
	assert_counts(s, MANY, 0, 0);
	assert_int_equal(gen_seq_lost(s, MANY), 0);
}

static void
test_loss_at_both_ends_and_between(void **state)
{
	const uint32_t seq[] = {1, 2, 5, 6};
	struct gen_seq *s = fresh();

	(void)state;
	arrive_all(s, seq, 4);
	assert_counts(s, 4, 0, 0);
	assert_int_equal(gen_seq_lost(s, 9), 5);	/* 0 3 4 7 8 */
}

static void
test_duplicates_are_not_reordered(void **state)
{
	const uint32_t seq[] = {0, 0, 1, 2, 1, 2, 3, 0};
	struct gen_seq *s = fresh();

	(void)state;
	arrive_all(s, seq, 8);
	assert_counts(s, 4, 4, 0);
	assert_int_equal(gen_seq_lost(s, 4), 0);
}

static void
test_reordered_as_rfc4737_counts(void **state)
{
	/* RFC 4737 §3.3: only what arrives below a higher number is reordered: 3, then 1 and 2. */
	const uint32_t seq[] = {0, 4, 3, 5, 1, 2, 6};
	struct gen_seq *s = fresh();

	(void)state;
	arrive_all(s, seq, 7);
	assert_counts(s, 7, 0, 3);
	assert_int_equal(gen_seq_lost(s, 7), 0);
}

static void
test_a_late_duplicate_of_a_late_packet(void **state)
{
	const uint32_t seq[] = {2, 0, 0, 1, 2};
	struct gen_seq *s = fresh();

	(void)state;
	arrive_all(s, seq, 5);
	assert_counts(s, 3, 2, 2);
}

static void
test_numbers_go_on_past_32_bits(void **state)
{
	const uint64_t first = UINT64_C(0xfffffffe);
	struct gen_seq *s = fresh();

	(void)state;
	s->next = first;
	assert_int_equal(gen_seq_arrive(s, 0xfffffffe, first + 4), GEN_SEQ_NEW);
	assert_int_equal(gen_seq_arrive(s, 0, first + 4), GEN_SEQ_NEW);
	assert_int_equal(gen_seq_arrive(s, 0xffffffff, first + 4), GEN_SEQ_REORDERED);
	assert_int_equal(gen_seq_arrive(s, 1, first + 4), GEN_SEQ_NEW);
	assert_int_equal(gen_seq_arrive(s, 0, first + 4), GEN_SEQ_DUPLICATE);
	assert_int_equal(s->next, first + 4);
}

static void
test_the_window_ends(void **state)
{
	struct gen_seq *s = fresh();

	(void)state;
	gen_seq_arrive(s, GEN_SEQ_WINDOW + 9, MANY);	/* next: window + 10 */
	assert_int_equal(gen_seq_arrive(s, 10, MANY), GEN_SEQ_REORDERED);
	assert_int_equal(gen_seq_arrive(s, 10, MANY), GEN_SEQ_DUPLICATE);
	assert_int_equal(gen_seq_arrive(s, 9, MANY), GEN_SEQ_STALE);
	assert_int_equal(s->stale, 1);
	/* A stale one did arrive: it is not lost. */
	assert_int_equal(gen_seq_lost(s, GEN_SEQ_WINDOW + 10), GEN_SEQ_WINDOW + 10 - 3);
}

static void
test_a_long_gap_forgets_what_was_before(void **state)
{
	struct gen_seq *s = fresh();
	uint32_t i;

	(void)state;
	for (i = 0; i < GEN_SEQ_WINDOW; i++)
		gen_seq_arrive(s, i, MANY);
	gen_seq_arrive(s, 3 * GEN_SEQ_WINDOW, MANY);
	for (i = 2 * GEN_SEQ_WINDOW + 1; i < 3 * GEN_SEQ_WINDOW; i++)
		assert_int_equal(gen_seq_arrive(s, i, MANY), GEN_SEQ_REORDERED);
	assert_int_equal(s->unique, 2 * GEN_SEQ_WINDOW);
}

static void
test_a_number_never_sent_is_not_counted(void **state)
{
	struct gen_seq *s = fresh();

	(void)state;
	assert_int_equal(gen_seq_arrive(s, 5, 5), GEN_SEQ_NEVER_SENT);
	assert_int_equal(gen_seq_arrive(s, 0x80000001, 5), GEN_SEQ_NEVER_SENT);
	assert_int_equal(gen_seq_arrive(s, 0xffffffff, 5), GEN_SEQ_NEVER_SENT);
	assert_counts(s, 0, 0, 0);
	assert_int_equal(s->next, 0);
	assert_int_equal(gen_seq_arrive(s, 4, 5), GEN_SEQ_NEW);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_order),
		cmocka_unit_test(test_loss_at_both_ends_and_between),
		cmocka_unit_test(test_duplicates_are_not_reordered),
		cmocka_unit_test(test_reordered_as_rfc4737_counts),
		cmocka_unit_test(test_a_late_duplicate_of_a_late_packet),
		cmocka_unit_test(test_numbers_go_on_past_32_bits),
		cmocka_unit_test(test_the_window_ends),
		cmocka_unit_test(test_a_long_gap_forgets_what_was_before),
		cmocka_unit_test(test_a_number_never_sent_is_not_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
