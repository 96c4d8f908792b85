/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* Numbers as people write them. */

#include <errno.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app_args.h"

static char err[APP_ERR_LEN];

static void
test_counts(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
	} good[] = {
		{"0", 0}, {"64", 64}, {"10k", 10000}, {"1.5M", 1500000}, {"2G", 2000000000},
		{"0.001k", 1}, {"18446744073709551615", UINT64_MAX},
		{"9007199254740993", 9007199254740993},	/* 2^53 + 1 */
	};
	uint64_t v;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(app_read_count("--x", good[i].text, 0, UINT64_MAX, &v, err), 0);
		assert_true(v == good[i].value);
	}
}

static void
test_what_is_no_count(void **state)
{
	static const char *const bad[] = {
		"", " 1", "-1", "+1", "1.5", "0.1k1", "1kk", "1e3x", "x", "0x10", "1k ", "nan",
		"inf", "18446744073709551616", "1e30", ".5k", "11", "1T",
	};
	uint64_t v;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(app_read_count("--x", bad[i], 0, 10, &v, err), -EINVAL);
		assert_non_null(strstr(err, "--x"));
		assert_non_null(strstr(err, "from 0 to 10"));
	}
}

static void
test_reals(void **state)
{
	static const char *const bad[] = {"", "x", "1x", "nan", "inf", "-0.1", "10.1", "1,5"};
	double v;
	size_t i;

	(void)state;
	assert_int_equal(app_read_real("--x", "2.5", 0, 10, &v, err), 0);
	assert_true(v == 2.5);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(app_read_real("--x", bad[i], 0, 10, &v, err), -EINVAL);
}

static void
test_thousands(void **state)
{
	char text[32];

	(void)state;
	assert_string_equal(app_group(0, text), "0");
	assert_string_equal(app_group(999, text), "999");
	assert_string_equal(app_group(1000, text), "1,000");
	assert_string_equal(app_group(1488095, text), "1,488,095");
	assert_string_equal(app_group(UINT64_MAX, text), "18,446,744,073,709,551,615");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_what_is_no_count),
		cmocka_unit_test(test_reals),
		cmocka_unit_test(test_thousands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
