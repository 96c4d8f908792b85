/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* The forwarder's command line. */

#include <errno.h>
#include <stdio.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "args.h"

static struct fwd_args args;
static char err[PW_ERR_LEN];

static char *words[64];

/* Split a command line at blanks, the program name put in front. */
static int
split(const char *line)
{
	static char copy[1024], prog[] = "prog";
	char *word, *save = NULL;
	int nb = 0;

	snprintf(copy, sizeof(copy), "%s", line);
	words[nb++] = prog;
	for (word = strtok_r(copy, " ", &save); word != NULL; word = strtok_r(NULL, " ", &save))
		words[nb++] = word;
	words[nb] = NULL;
	return nb;
}

static int
parse(const char *line)
{
	int nb = split(line);

	err[0] = '\0';
	return fwd_args_parse(&args, nb, words, err);
}

static void
test_pairs(void **state)
{
	(void)state;
	assert_int_equal(parse("--port a --port b --port c --port d"), 0);
	assert_int_equal(args.nb_ports, 4);
	assert_string_equal(args.port[3], "d");
	assert_int_equal(args.mode, FWD_IO);
	assert_true(args.time_s == 0);
}

static void
test_mac_mode(void **state)
{
	static const uint8_t peer[] = {2, 0, 0, 0, 0, 9};

	(void)state;
	assert_int_equal(parse("--port a --port b --mode mac --peer 02:00:00:00:00:09 "
			       "--max-frame 9018 --time 1.5 --rxd 64 --json x"), 0);
	assert_int_equal(args.mode, FWD_MAC);
	assert_int_equal(args.nb_peers, 1);
	assert_memory_equal(args.peer[0], peer, 6);
	assert_int_equal(args.max_frame, 9018);
	assert_true(args.time_s == 1.5);
	assert_int_equal(args.app.rxd, 64);
	assert_string_equal(args.app.json, "x");
}

static void
test_nonsense_is_refused_with_its_name(void **state)
{
	static const struct {
		const char *line, *names;
	} bad[] = {
		{"", "0 given"},
		{"--port a", "1 given"},
		{"--port a --port b --port c", "3 given"},
		{"--port a --port a", "twice"},
		{"--port a --port b --mode router", "--mode"},
		{"--port a --port b --peer 02:00:00:00:00:09", "--peer"},
		{"--port a --port b --mode mac --peer 02", "--peer"},
		{"--port a --port b --mode mac --peer 02:00:00:00:00:01 --peer 02:00:00:00:00:02 "
		 "--peer 02:00:00:00:00:03", "more --peer"},
		{"--port a --port b --max-frame 63", "--max-frame"},
		{"--port a --port b --frob", "--frob"},
		{"--port a --port b --stats -1", "--stats"},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(parse(bad[i].line), -EINVAL);
		assert_non_null(strstr(err, bad[i].names));
	}
}

static void
test_no_more_than_16_ports(void **state)
{
	char line[256] = "";
	int i;

	(void)state;
	for (i = 0; i < 17; i++)
		snprintf(line + strlen(line), sizeof(line) - strlen(line), "--port %d ", i);
	assert_int_equal(parse(line), -EINVAL);
	assert_non_null(strstr(err, "16 ports"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_mac_mode),
		cmocka_unit_test(test_nonsense_is_refused_with_its_name),
		cmocka_unit_test(test_no_more_than_16_ports),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
