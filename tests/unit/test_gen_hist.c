/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* The histogram against sorted values. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hist.h"

#define NB 20000u

static struct gen_hist h;

static int
compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void
test_empty(void **state)
{
	(void)state;
	gen_hist_init(&h);
	assert_int_equal(h.count, 0);
	assert_int_equal(gen_hist_percentile(&h, 0.5), 0);
}

static void
test_small_values_are_exact(void **state)
{
	uint64_t i;

	(void)state;
	gen_hist_init(&h);
	for (i = 1; i <= 100; i++)
		gen_hist_add(&h, i);
	assert_int_equal(h.count, 100);
	assert_int_equal(h.sum, 5050);
	assert_int_equal(h.min, 1);
	assert_int_equal(h.max, 100);
	assert_int_equal(gen_hist_percentile(&h, 0.01), 1);
	assert_int_equal(gen_hist_percentile(&h, 0.5), 50);
	assert_int_equal(gen_hist_percentile(&h, 0.99), 99);
	assert_int_equal(gen_hist_percentile(&h, 1), 100);
}

static void
test_percentiles_are_close(void **state)
{
	static const double fractions[] = {0.001, 0.5, 0.9, 0.99, 0.999};
	static uint64_t value[NB];
	uint64_t x = 12345, exact, read;
	size_t i;

	(void)state;
	gen_hist_init(&h);
	for (i = 0; i < NB; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		value[i] = x >> (20 + x % 40);	/* from a few to 2^44 */
		gen_hist_add(&h, value[i]);
	}
	qsort(value, NB, sizeof(value[0]), compare);
	for (i = 0; i < sizeof(fractions) / sizeof(fractions[0]); i++) {
		exact = value[(size_t)(NB * fractions[i]) - 1];
		read = gen_hist_percentile(&h, fractions[i]);
		assert_true(read >= exact);
		assert_true(read <= exact + exact / 64);
	}
}

static void
test_every_bucket_holds_its_values(void **state)
{
	uint32_t last = 0, index, shift;
	uint64_t v;

	(void)state;
	/* Around every power of two, indexes rise by one at most and stay inside. */
	for (shift = 0; shift < 64; shift++) {
		v = UINT64_C(1) << shift;
		index = gen_hist_index(v);
		assert_true(index < GEN_HIST_BUCKETS);
		assert_true(index >= last);
		assert_int_equal(index - gen_hist_index(v - 1), v == 0 ? 0 : 1);
		last = index;
	}
	assert_int_equal(gen_hist_index(UINT64_MAX), GEN_HIST_BUCKETS - 1);
	gen_hist_init(&h);
	gen_hist_add(&h, UINT64_MAX);
	assert_true(gen_hist_percentile(&h, 1) == UINT64_MAX);
}

static void
test_merged_histograms_are_one(void **state)
{
	struct gen_hist other;

	(void)state;
	gen_hist_init(&h);
	gen_hist_init(&other);
	gen_hist_add(&h, 10);
	gen_hist_add(&other, 3);
	gen_hist_add(&other, 1000);
	gen_hist_merge(&h, &other);
	assert_int_equal(h.count, 3);
	assert_int_equal(h.min, 3);
	assert_int_equal(h.max, 1000);
	assert_int_equal(gen_hist_percentile(&h, 0.5), 10);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_small_values_are_exact),
		cmocka_unit_test(test_percentiles_are_close),
		cmocka_unit_test(test_every_bucket_holds_its_values),
		cmocka_unit_test(test_merged_histograms_are_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
