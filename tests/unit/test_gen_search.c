/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* The throughput search against devices whose limit is known. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "search.h"

struct device {
	uint32_t loses_above;	/* millionths of the wire */
	uint32_t generator_max;
	unsigned int trials;
};

static struct gen_search
search(struct device *d, uint32_t resolution)
{
	struct gen_search s;
	uint32_t rate, offered, last_good = 0;

	gen_search_init(&s, resolution);
	while ((rate = gen_search_next(&s)) != 0) {
		assert_in_range(rate, 1, GEN_SEARCH_FULL);
		assert_true(++d->trials < 64);
		offered = rate < d->generator_max ? rate : d->generator_max;
		gen_search_outcome(&s, rate, offered, offered <= d->loses_above);
		/* What has been shown to work is never given up. */
		assert_true(s.good >= last_good);
		last_good = s.good;
	}
	assert_int_equal(s.trials, d->trials);
	return s;
}

static void
test_a_perfect_device_takes_one_trial(void **state)
{
	struct device d = {.loses_above = GEN_SEARCH_FULL, .generator_max = GEN_SEARCH_FULL};
	struct gen_search s = search(&d, 10000);

	(void)state;
	assert_int_equal(s.good, GEN_SEARCH_FULL);
	assert_int_equal(d.trials, 1);
}

static void
test_the_limit_is_found_to_the_resolution(void **state)
{
	uint32_t limit;

	(void)state;
	for (limit = 10000; limit < GEN_SEARCH_FULL; limit += 13131) {
		struct device d = {.loses_above = limit, .generator_max = GEN_SEARCH_FULL};
		struct gen_search s = search(&d, 1000);

		assert_true(s.good <= limit);
		assert_true(limit - s.good <= 1000);
		assert_false(s.generator_limited);
		assert_in_range(d.trials, 2, 11);	/* the full rate, then 2^10 > 1000 parts */
	}
}

static void
test_a_device_that_always_loses_has_no_throughput(void **state)
{
	struct device d = {.loses_above = 0, .generator_max = GEN_SEARCH_FULL};

	(void)state;
	assert_int_equal(search(&d, 10000).good, 0);
}

static void
test_a_weak_generator_is_told_from_a_weak_device(void **state)
{
	struct device d = {.loses_above = GEN_SEARCH_FULL, .generator_max = 400000};
	struct gen_search s = search(&d, 10000);

	(void)state;
	assert_int_equal(s.good, 400000);
	assert_true(s.generator_limited);
}

static void
test_a_shortfall_of_noise_is_no_limit(void **state)
{
	struct gen_search s;

	(void)state;
	gen_search_init(&s, 10000);
	gen_search_outcome(&s, GEN_SEARCH_FULL, GEN_SEARCH_FULL - 4000, true);
	assert_int_equal(gen_search_next(&s), 0);
	assert_int_equal(s.good, GEN_SEARCH_FULL - 4000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_perfect_device_takes_one_trial),
		cmocka_unit_test(test_the_limit_is_found_to_the_resolution),
		cmocka_unit_test(test_a_device_that_always_loses_has_no_throughput),
		cmocka_unit_test(test_a_weak_generator_is_told_from_a_weak_device),
		cmocka_unit_test(test_a_shortfall_of_noise_is_no_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
