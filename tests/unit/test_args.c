/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>

#include <rte_devargs.h>

#include <pw_args.h>

#include "eal.h"

#define HELP "ms=<n> test=<0|1> wake=<off|magic>"

struct opts {
	bool test;
	uint32_t ms;
	bool wake;
};

static const struct pw_arg table[] = {
	PW_ARG_NUMBER("ms", struct opts, ms, 60000, "milliseconds up to 60000"),
	PW_ARG_WORD("test", struct opts, test, "1", "0"),
	PW_ARG_WORD("wake", struct opts, wake, "magic", "off"),
};

static int
parse(const char *text, struct opts *opts)
{
	char copy[80];
	struct rte_devargs devargs = { .args = text == NULL ? NULL : copy };
	const struct pw_dev dev = { .name = "0000:03:00.0", .devargs = &devargs };

	if (text != NULL)
		snprintf(copy, sizeof(copy), "%s", text);
	*opts = (struct opts){ .ms = 7 };
	return pw_args_parse(&dev, table, RTE_DIM(table), HELP, opts);
}

static void
test_values_are_taken(void **state)
{
	static const struct {
		const char *text;
		struct opts want;
	} rows[] = {
		{ NULL, { false, 7, false } },
		{ "", { false, 7, false } },
		{ "ms=0", { false, 0, false } },
		{ "ms=60000", { false, 60000, false } },
		{ "ms=007", { false, 7, false } },
		{ "test=1", { true, 7, false } },
		{ "test=0", { false, 7, false } },
		{ "wake=magic", { false, 7, true } },
		{ "wake=magic,ms=5,test=1", { true, 5, true } },
		{ "wake=magic,wake=off", { false, 7, false } },	/* the last one counts */
		{ "ms=1,ms=2", { false, 2, false } },
	};

	(void)state;
	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		struct opts opts;

		log_capture_start();
		assert_int_equal(parse(rows[i].text, &opts), 0);
		log_capture_expect(NULL);
		assert_int_equal(opts.test, rows[i].want.test);
		assert_int_equal(opts.ms, rows[i].want.ms);
		assert_int_equal(opts.wake, rows[i].want.wake);
	}
}

static void
test_refusals_say_what_will_do(void **state)
{
	static const struct {
		const char *text, *line;
	} rows[] = {
		{ "ms=60001", "0000:03:00.0: ms=60001: milliseconds up to 60000" },
		{ "ms=-1", "ms=-1: milliseconds up to 60000" },
		{ "ms=+1", "ms=+1: milliseconds" },
		{ "ms= 1", "ms= 1: milliseconds" },
		{ "ms=1s", "ms=1s: milliseconds" },
		{ "ms=0x10", "ms=0x10: milliseconds" },
		{ "ms=", "ms=: milliseconds" },
		{ "ms", "ms=: milliseconds" },
		{ "ms=4294967296", "ms=4294967296: milliseconds" },
		{ "ms=99999999999999999999", "ms=99999999999999999999: milliseconds" },
		{ "test=yes", "0000:03:00.0: test=yes: 1 or 0" },
		{ "test", "test=: 1 or 0" },
		{ "wake=Magic", "wake=Magic: magic or off" },
		{ "bogus=1", "0000:03:00.0: arguments \"bogus=1\": keys are: " HELP },
		{ "ms=1,bogus", "arguments \"ms=1,bogus\": keys are: " HELP },
		/* One line, of the key. */
		{ "test=yes,bogus=1", "arguments \"test=yes,bogus=1\": keys are: " HELP },
		{ "=1", "arguments \"=1\": keys are: " HELP },
	};

	(void)state;
	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		struct opts opts;

		log_capture_start();
		assert_int_equal(parse(rows[i].text, &opts), -EINVAL);
		log_capture_expect(rows[i].line);
	}
}

/* More than EAL's parser takes (RTE_KVARGS_MAX, 32). */
static void
test_more_pairs_than_can_be_parsed(void **state)
{
	struct opts opts;
	char text[80] = "";

	(void)state;
	for (unsigned int i = 0; i < 33; i++)
		snprintf(&text[2 * i], sizeof(text) - 2 * i, "m,");
	log_capture_start();
	assert_int_equal(parse(text, &opts), -EINVAL);
	log_capture_expect("keys are: " HELP);
}

static void
test_device_without_arguments(void **state)
{
	const struct pw_dev dev = { .name = "0000:03:00.0" };
	struct opts opts = { .ms = 7 };

	(void)state;
	assert_int_equal(pw_args_parse(&dev, table, RTE_DIM(table), HELP, &opts), 0);
	assert_int_equal(opts.ms, 7);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values_are_taken),
		cmocka_unit_test(test_refusals_say_what_will_do),
		cmocka_unit_test(test_more_pairs_than_can_be_parsed),
		cmocka_unit_test(test_device_without_arguments),
	};

	return cmocka_run_group_tests_name("args", tests, eal_setup, eal_teardown);
}
