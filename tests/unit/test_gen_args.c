/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* The generator's command line. */

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

static struct gen_args args;
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
	return gen_args_parse(&args, nb, words, err);
}

static void
test_defaults(void **state)
{
	(void)state;
	assert_int_equal(parse("--tx a --rx b"), 0);
	assert_int_equal(args.nb_flows, 1);
	assert_string_equal(args.tx[0], "a");
	assert_string_equal(args.rx[0], "b");
	assert_int_equal(args.rate.kind, GEN_RATE_MAX);
	assert_int_equal(args.sizes.max, 64);
	assert_int_equal(args.app.burst, 32);
	assert_int_equal(args.frame.vlan, -1);
	assert_false(args.allow_loss || args.check || args.rfc2544);
	assert_true(args.tolerance < 0);
	assert_true(args.catch_up_ms < 0);
}

static void
test_everything_set(void **state)
{
	static const uint8_t mac[] = {0x02, 0xab, 0, 0, 0, 0x0f};

	(void)state;
	assert_int_equal(parse("--tx a --rx b --tx c --rx a --rate 25% --size imix --count 1.5M "
			       "--time 2.5 --vlan 0 --src-mac 02:ab:00:00:00:0f --dst-ip 10.1.2.3 "
			       "--sport 0 --dport 65535 --seed 18446744073709551615 --check "
			       "--allow-loss --tolerance 0 --rxd 128 --txd 64 --burst 1 --json - "
			       "--lcores 0,1 --mem 99 --stats 0 --cksum sw --catch-up 0"), 0);
	assert_true(args.catch_up_ms == 0);
	assert_int_equal(args.nb_flows, 2);
	assert_string_equal(args.rx[1], "a");
	assert_int_equal(args.rate.value, 250000);
	assert_int_equal(args.count, 1500000);
	assert_true(args.time_s == 2.5);
	assert_int_equal(args.frame.vlan, 0);
	assert_true(args.have_src_mac && !args.have_dst_mac);
	assert_memory_equal(args.frame.src_mac, mac, 6);
	assert_int_equal(args.frame.dst_ip, 0x0a010203);
	assert_int_equal(args.frame.src_port, 0);
	assert_int_equal(args.frame.dst_port, 65535);
	assert_true(args.seed == UINT64_MAX);
	assert_true(args.check && args.allow_loss && args.sw_cksum);
	assert_int_equal(args.app.rxd, 128);
	assert_int_equal(args.app.txd, 64);
	assert_int_equal(args.app.mem_mb, 99);
	assert_true(args.app.stats_s == 0);
}

static void
test_dpdk_style(void **state)
{
	(void)state;
	assert_int_equal(parse("-l 0,1 --vdev net_ring0 -- --tx 0 --rx 0 --count 5"), 0);
	assert_int_equal(args.app.eal_argc, 5);
	assert_string_equal(args.app.eal_argv[3], "--vdev");
	assert_int_equal(args.count, 5);
	assert_int_equal(parse("-- --tx 0 --rx 0"), 0);
	assert_int_equal(args.app.eal_argc, 1);
}

static void
test_throughput_search(void **state)
{
	(void)state;
	assert_int_equal(parse("--rfc2544 --tx a --rx b"), 0);
	assert_int_equal(args.nb_tests, 7);	/* RFC 2544 §9.1 */
	assert_int_equal(args.test_size[0], 64);
	assert_int_equal(args.test_size[6], 1518);
	assert_int_equal(parse("--rfc2544 --sizes 64,1518 --trial 0.5 --resolution 2 --tx a "
			       "--rx b"), 0);
	assert_int_equal(args.nb_tests, 2);
	assert_true(args.trial_s == 0.5 && args.resolution == 2);
}

static void
test_help_needs_nothing_else(void **state)
{
	(void)state;
	assert_int_equal(parse("--help"), 0);
	assert_true(args.help);
	assert_int_equal(parse("-h"), 0);
	assert_true(args.help);
	assert_int_equal(parse("--version"), 0);
	assert_true(args.version);
}

static void
test_nonsense_is_refused_with_its_name(void **state)
{
	static const struct {
		const char *line, *names;
	} bad[] = {
		{"", "--tx"},
		{"--tx a", "--rx"},
		{"--tx a --rx b --rx c", "1 and 2"},
		{"--tx a --rx b --frob", "--frob"},
		{"--tx a --rx b frob", "frob"},
		{"--tx a --rx", "--rx"},
		{"--tx a --rx b --check=1", "--check"},
		{"--tx a --rx b --size 0", "size '0'"},
		{"--tx a --rx b --size 70000", "size '70000'"},
		{"--tx a --rx b --rate 0", "rate '0'"},
		{"--tx a --rx b --count 0", "--count"},
		{"--tx a --rx b --count -1", "--count"},
		{"--tx a --rx b --count 1.5", "--count"},
		{"--tx a --rx b --count 5x", "--count"},
		{"--tx a --rx b --count 99999999999999999999", "--count"},
		{"--tx a --rx b --time 0", "--time"},
		{"--tx a --rx b --time nan", "--time"},
		{"--tx a --rx b --time inf", "--time"},
		{"--tx a --rx b --vlan 4095", "--vlan"},
		{"--tx a --rx b --catch-up 1001", "--catch-up"},
		{"--tx a --rx b --src-mac 02:00", "--src-mac"},
		{"--tx a --rx b --dst-mac 02:00:00:00:00:01x", "--dst-mac"},
		{"--tx a --rx b --dst-ip 1.2.3", "--dst-ip"},
		{"--tx a --rx b --dport 65536", "--dport"},
		{"--tx a --rx b --cksum hw", "--cksum"},
		{"--tx a --rx b --burst 0", "--burst"},
		{"--tx a --rx b --burst 257", "--burst"},
		{"--tx a --rx b --rxd 65536", "--rxd"},
		{"--tx a --rx b --mem 0", "--mem"},
		{"--tx a --rx b --sizes 64", "--sizes"},
		{"--tx a --rx b --trial 1", "--trial"},
		{"--rfc2544 --tx a --rx b --rate 5%", "--rate"},
		{"--rfc2544 --tx a --rx b --size 64", "--size"},
		{"--rfc2544 --tx a --rx b --sizes 64,", "--sizes"},
		{"--rfc2544 --tx a --rx b --sizes 63", "--sizes"},
		{"--rfc2544 --tx a --rx b --tx c --rx d", "more than one"},
		{"--tx 1 --tx 2 --tx 3 --tx 4 --tx 5 --tx 6 --tx 7 --tx 8 --tx 9", "8 flows"},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(parse(bad[i].line), -EINVAL);
		assert_non_null(strstr(err, bad[i].names));
		assert_null(strchr(err, '\n'));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_everything_set),
		cmocka_unit_test(test_dpdk_style),
		cmocka_unit_test(test_throughput_search),
		cmocka_unit_test(test_help_needs_nothing_else),
		cmocka_unit_test(test_nonsense_is_refused_with_its_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
