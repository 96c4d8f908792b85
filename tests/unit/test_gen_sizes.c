/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* Schedules of frame sizes. */

#include <errno.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pw_port.h>

#include "sizes.h"

static struct gen_sizes sizes;

static void
read_sizes(const char *text, uint64_t seed)
{
	char err[PW_ERR_LEN];

	assert_int_equal(gen_sizes_parse(text, seed, &sizes, err), 0);
}

static void
test_one_size(void **state)
{
	(void)state;
	read_sizes("64", 1);
	assert_int_equal(sizes.nb, 1);
	assert_true(sizes.mean == 64.0);
	assert_int_equal(gen_sizes_at(&sizes, 0), 64);
	assert_int_equal(gen_sizes_at(&sizes, UINT64_MAX), 64);
}

static void
test_a_range_has_each_size_once(void **state)
{
	uint8_t seen[1519] = {0};
	uint32_t i;

	(void)state;
	read_sizes("64-1518", 7);
	assert_int_equal(sizes.nb, 1518 - 64 + 1);
	assert_int_equal(sizes.min, 64);
	assert_int_equal(sizes.max, 1518);
	assert_true(sizes.mean == (64 + 1518) / 2.0);
	for (i = 0; i < sizes.nb; i++) {
		assert_in_range(gen_sizes_at(&sizes, i), 64, 1518);
		assert_int_equal(seen[gen_sizes_at(&sizes, i)]++, 0);
	}
}

static void
test_the_seed_decides_the_order(void **state)
{
	uint16_t first[1455], second[1455];

	(void)state;
	read_sizes("64-1518", 1);
	memcpy(first, sizes.size, sizeof(first));
	read_sizes("64-1518", 2);
	memcpy(second, sizes.size, sizeof(second));
	assert_memory_not_equal(first, second, sizeof(first));
	read_sizes("64-1518", 1);
	assert_memory_equal(first, sizes.size, sizeof(first));
}

static void
test_imix_is_7_to_4_to_1(void **state)
{
	unsigned int small = 0, middle = 0, large = 0, i;

	(void)state;
	read_sizes("imix", 1);
	for (i = 0; i < 1200; i++) {
		small += gen_sizes_at(&sizes, i) == 64;
		middle += gen_sizes_at(&sizes, i) == 594;
		large += gen_sizes_at(&sizes, i) == 1518;
	}
	/* In 12 packets 7 * 64 + 4 * 594 + 1518 = 4342 bytes. */
	assert_int_equal(small, 700);
	assert_int_equal(middle, 400);
	assert_int_equal(large, 100);
	assert_true(sizes.mean == 4342 / 12.0);
}

static void
test_bad_sizes_are_refused(void **state)
{
	static const char *const bad[] = {
		"0", "63", "70000", "16129", "100-64", "63-100", "64-70000", "", "-", "64-", "-64",
		"64b", "64,128", "IMIX", "1e2", "99999999999999999999", "0x40", " 64", "+64",
	};
	char err[PW_ERR_LEN];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(gen_sizes_parse(bad[i], 1, &sizes, err), -EINVAL);
		assert_non_null(strstr(err, "size '"));
	}
	read_sizes("64-16128", 1);
	assert_int_equal(sizes.nb, 16128 - 64 + 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_size),
		cmocka_unit_test(test_a_range_has_each_size_once),
		cmocka_unit_test(test_the_seed_decides_the_order),
		cmocka_unit_test(test_imix_is_7_to_4_to_1),
		cmocka_unit_test(test_bad_sizes_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
