/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* CPU lists and the count of free hugepages. */

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pw_machine.h"

static void
test_cpu_lists_are_read(void **state)
{
	static const struct {
		const char *text;
		int nb;
		unsigned int cpu[8];
	} lists[] = {
		{"0", 1, {0}},
		{"2,4-5", 3, {2, 4, 5}},
		{"5,4,5", 2, {5, 4}},
		{"3-3,1-2", 3, {3, 1, 2}},
		{"1023", 1, {1023}},
	};
	unsigned int cpu[PW_MAX_CPUS];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		assert_int_equal(pw_cpu_list_parse(lists[i].text, cpu), lists[i].nb);
		assert_memory_equal(cpu, lists[i].cpu, lists[i].nb * sizeof(cpu[0]));
	}
}

static void
test_bad_cpu_lists_are_refused(void **state)
{
	static const char *const bad[] = {
		"", ",", "a", "1,", ",1", "1-", "-1", "2-1", "1 2", "1024", "99999999999999999999",
		"0x1", "1--2", "1-2-3",
	};
	unsigned int cpu[PW_MAX_CPUS];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(pw_cpu_list_parse(bad[i], cpu), -EINVAL);
}

static void
test_all_cpus_fit(void **state)
{
	unsigned int cpu[PW_MAX_CPUS];
	char text[64];

	(void)state;
	assert_int_equal(pw_cpu_list_parse("0-1023", cpu), PW_MAX_CPUS);
	pw_cpu_list_format(cpu, PW_MAX_CPUS, text, sizeof(text));
	assert_string_equal(text, "0-1023");
}

static void
test_lists_are_written_short(void **state)
{
	const unsigned int cpu[] = {0, 1, 2, 3, 6, 8, 9};
	char text[64];

	(void)state;
	pw_cpu_list_format(cpu, 7, text, sizeof(text));
	assert_string_equal(text, "0-3,6,8-9");
	pw_cpu_list_format(cpu, 0, text, sizeof(text));
	assert_string_equal(text, "");
	/* What does not fit is cut, never written past the end. */
	pw_cpu_list_format(cpu, 7, text, 5);
	assert_string_equal(text, "0-3,");
}

static void
test_the_caller_keeps_off_the_workers_cpus(void **state)
{
	const unsigned int allowed[] = {0, 1, 2, 3, 8}, two[] = {3, 1}, one[] = {8};
	char text[64];

	(void)state;
	pw_lcores_format(allowed, 5, two, 2, 2, text, sizeof(text));
	assert_string_equal(text, "0@(0,2,8),1@3,2@1");
	/* More workers than CPUs take turns. */
	pw_lcores_format(allowed, 5, two, 2, 3, text, sizeof(text));
	assert_string_equal(text, "0@(0,2,8),1@3,2@1,3@3");
	/* A CPU that no worker needs is left to the caller. */
	pw_lcores_format(allowed, 5, two, 2, 1, text, sizeof(text));
	assert_string_equal(text, "0@(0-2,8),1@3");
	/* None is left. */
	pw_lcores_format(one, 1, one, 1, 1, text, sizeof(text));
	assert_string_equal(text, "0@(8),1@8");
	/* No workers: the caller is at work itself. */
	pw_lcores_format(allowed, 5, two, 2, 0, text, sizeof(text));
	assert_string_equal(text, "0@3");
}

static void
test_only_allowed_cpus_are_offered(void **state)
{
	unsigned int cpu[PW_MAX_CPUS], nb, one;
	cpu_set_t all, set;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	nb = pw_cpus_allowed(cpu);
	assert_int_equal(nb, CPU_COUNT(&all));
	one = cpu[nb - 1];
	CPU_ZERO(&set);
	CPU_SET(one, &set);
	assert_int_equal(sched_setaffinity(0, sizeof(set), &set), 0);
	nb = pw_cpus_allowed(cpu);
	sched_setaffinity(0, sizeof(all), &all);
	assert_int_equal(nb, 1);
	assert_int_equal(cpu[0], one);
}

static int
make_sysfs(void **state)
{
	static char root[] = P_tmpdir "/pollwire-huge-XXXXXX";
	char command[PATH_MAX];

	if (mkdtemp(root) == NULL)
		return -1;
	*state = root;
	snprintf(command, sizeof(command), "cd %s && mkdir -p kernel/mm/hugepages && "
		 "cd kernel/mm/hugepages && mkdir hugepages-2048kB hugepages-1048576kB && "
		 "echo 65 >hugepages-2048kB/free_hugepages && "
		 "echo 1 >hugepages-1048576kB/free_hugepages", root);
	return system(command);
}

static int
remove_sysfs(void **state)
{
	char command[PATH_MAX];

	snprintf(command, sizeof(command), "rm -rf '%s'", (const char *)*state);
	return system(command);
}

static void
test_hugepages_of_all_sizes_are_added_up(void **state)
{
	assert_int_equal(pw_hugepages_free_mb(*state), 65 * 2 + 1024);
	assert_int_equal(pw_hugepages_free_mb("/nonexistent"), 0);
	assert_false(pw_hugepages_permitted("/nonexistent"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cpu_lists_are_read),
		cmocka_unit_test(test_bad_cpu_lists_are_refused),
		cmocka_unit_test(test_all_cpus_fit),
		cmocka_unit_test(test_lists_are_written_short),
		cmocka_unit_test(test_the_caller_keeps_off_the_workers_cpus),
		cmocka_unit_test(test_only_allowed_cpus_are_offered),
		cmocka_unit_test_setup_teardown(test_hugepages_of_all_sizes_are_added_up,
						make_sysfs, remove_sysfs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
