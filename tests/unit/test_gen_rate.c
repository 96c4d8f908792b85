/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Rates and pacing on a clock that the test turns. A wire of 1000 Mbit/s carries
 * 10^9 / 8 / (64 + 20) = 1,488,095.238 frames of 64 bytes per second (RFC 5180 appendix A.1).
 */

#include <errno.h>
#include <math.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pw_port.h>

#include "rate.h"

#define HZ UINT64_C(2596097937)	/* of a real TSC; shares no factor with the rates */
#define START UINT64_C(0xfffffff000000000) /* near the end of the counter's range */

static struct gen_sizes sizes;

static void
read_sizes(const char *text)
{
	char err[PW_ERR_LEN];

	assert_int_equal(gen_sizes_parse(text, 1, &sizes, err), 0);
}

static struct gen_rate
rate_of(const char *text)
{
	char err[PW_ERR_LEN];
	struct gen_rate rate;

	assert_int_equal(gen_rate_parse(text, &rate, err), 0);
	return rate;
}

static void
test_rates_are_understood(void **state)
{
	static const struct {
		const char *text;
		enum gen_rate_kind kind;
		uint64_t value;
	} good[] = {
		{"max", GEN_RATE_MAX, 0},
		{"50%", GEN_RATE_WIRE, 500000},
		{"100%", GEN_RATE_WIRE, 1000000},
		{"0.0001%", GEN_RATE_WIRE, 1},
		{"33.3333%", GEN_RATE_WIRE, 333333},
		{"1pps", GEN_RATE_PPS, 1000},
		{"0.5pps", GEN_RATE_PPS, 500},
		{"100kpps", GEN_RATE_PPS, 100000000},
		{"1.488095Mpps", GEN_RATE_PPS, 1488095000},
		{"10Mbps", GEN_RATE_L2, 10000000},
		{"1Gbps-l1", GEN_RATE_L1, 1000000000},
	};
	struct gen_rate rate;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		rate = rate_of(good[i].text);
		assert_int_equal(rate.kind, good[i].kind);
		assert_int_equal(rate.value, good[i].value);
	}
}

static void
test_bad_rates_are_refused(void **state)
{
	static const char *const bad[] = {
		"0", "0pps", "0%", "-1pps", "100.1%", "1000%", "100", "kpps", "", "nan%", "inf pps",
		"infpps", "1 pps", "1e300pps", "10Mb", "max%", "0.0000001pps",
	};
	char err[PW_ERR_LEN];
	struct gen_rate rate;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(gen_rate_parse(bad[i], &rate, err), -EINVAL);
		assert_non_null(strstr(err, "rate '"));
	}
}

static void
test_the_wire_maximum(void **state)
{
	static const struct {
		const char *size;
		double pps;	/* RFC 5180 appendix A.1, Gigabit Ethernet */
	} wire[] = {
		{"64", 1488095}, {"128", 844595}, {"256", 452899}, {"512", 234962},
		{"1024", 119732}, {"1280", 96154}, {"1518", 81274},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wire) / sizeof(wire[0]); i++) {
		read_sizes(wire[i].size);
		assert_true(fabs(gen_wire_max_pps(1000, &sizes) - wire[i].pps) <= 1);
		assert_true(fabs(gen_wire_max_pps(100, &sizes) - wire[i].pps / 10) <= 1);
	}
	assert_true(gen_wire_max_pps(0, &sizes) == 0);
}

static void
test_requested_rates_in_packets(void **state)
{
	struct gen_rate rate;

	(void)state;
	read_sizes("64");
	rate = rate_of("50%");
	assert_true(fabs(gen_rate_pps(&rate, 1000, &sizes) - 744047.619) < 0.001);
	rate = rate_of("512kbps");	/* of 512 bits each */
	assert_true(gen_rate_pps(&rate, 1000, &sizes) == 1000);
	rate = rate_of("672kbps-l1");	/* of 672 bits each */
	assert_true(gen_rate_pps(&rate, 1000, &sizes) == 1000);
	rate = rate_of("0.5pps");
	assert_true(gen_rate_pps(&rate, 0, &sizes) == 0.5);
}

static void
start(struct gen_pace *p, const char *rate_text, uint32_t depth_us)
{
	struct gen_rate rate = rate_of(rate_text);

	gen_pace_init(p, &rate, 1000, HZ, depth_us, &sizes);
	gen_pace_start(p, START);
}

/* Send what is due at a tick. @return how many that were. */
static unsigned int
send_at(struct gen_pace *p, uint64_t ticks, uint64_t *sent)
{
	unsigned int nb, total = 0;

	while ((nb = gen_pace_due(p, START + ticks, &sizes, *sent, 32)) > 0) {
		gen_pace_spend(p, &sizes, *sent, nb);
		*sent += nb;
		total += nb;
	}
	return total;
}

static void
test_each_packet_goes_at_its_tick(void **state)
{
	struct gen_pace p;
	uint64_t sent = 0, k, tick;

	(void)state;
	read_sizes("64");
	start(&p, "100kpps", 10000);
	assert_int_equal(send_at(&p, 0, &sent), 1);
	for (k = 1; k < 3000; k++) {
		/* The first tick at or after k / 100000 s. */
		tick = (k * HZ + 99999) / 100000;
		assert_int_equal(gen_pace_next(&p), START + tick);
		assert_int_equal(send_at(&p, tick - 1, &sent), 0);
		assert_int_equal(send_at(&p, tick, &sent), 1);
	}
}

static void
test_nothing_drifts(void **state)
{
	static const struct {
		const char *rate;
		uint64_t in_10_s;	/* packets before the tick of 10 s */
	} rates[] = {
		{"1pps", 10}, {"10pps", 100}, {"1000pps", 10000}, {"100kpps", 1000000},
		{"1.488095Mpps", 14880950}, {"0.5pps", 5},
		{"100%", 14880953},	/* 10^10 / 672 = 14,880,952.4, and the first at once */
		{"50%", 7440477},	/* 7,440,476.2 */
		{"512Mbps", 10000000},
	};
	uint64_t sent, t;
	struct gen_pace p;
	size_t i;

	(void)state;
	read_sizes("64");
	for (i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		start(&p, rates[i].rate, 10000);
		/* An odd step of about 100 us, up to the last tick of the 10th second. */
		for (sent = 0, t = 0; t < 10 * HZ - 1; t += 259613)
			send_at(&p, t, &sent);
		send_at(&p, 10 * HZ - 1, &sent);
		assert_int_equal(sent, rates[i].in_10_s);
		assert_int_equal(p.forfeited, 0);
	}
}

static void
test_mixed_sizes_keep_the_bit_rate(void **state)
{
	uint64_t sent = 0, t, bits = 0, i;
	struct gen_pace p;

	(void)state;
	read_sizes("64-1518");
	start(&p, "30%", 10000);
	for (t = 0; t < HZ; t += 25961)
		send_at(&p, t, &sent);
	for (i = 0; i < sent; i++)
		bits += (gen_sizes_at(&sizes, i) + 20) * 8;
	/* 300 Mbit in a second, to within a step of 10 us and the packet that is on its way. */
	assert_in_range(bits, 300000000 - 3000 - 1538 * 8, 300000000 + 1538 * 8);
}

static void
test_a_pause_is_made_up_for_up_to_the_depth(void **state)
{
	struct gen_pace p;
	uint64_t sent = 0;

	(void)state;
	read_sizes("64");
	start(&p, "1000pps", 10000);
	send_at(&p, 0, &sent);
	/* 8 ms away: 8 packets at once. */
	assert_int_equal(send_at(&p, HZ / 1000 * 8 + 10, &sent), 8);
	assert_int_equal(p.forfeited, 0);
	/* 100 ms away at a depth of 10 ms: packets 9 to 108 are due, 90 or so are given up. */
	assert_in_range(send_at(&p, HZ / 1000 * 108 + 200, &sent), 10, 11);
	assert_in_range(gen_pace_behind(&p, &sizes), 89, 90);
	/* From here on at the old pace. */
	assert_int_equal(send_at(&p, HZ / 1000 * 109 + 400, &sent), 1);
}

static void
test_a_slow_rate_forgives_one_late_packet(void **state)
{
	struct gen_pace p;
	uint64_t sent = 0;

	(void)state;
	read_sizes("64");
	start(&p, "1pps", 10000);
	send_at(&p, 0, &sent);
	assert_int_equal(send_at(&p, HZ + HZ / 2, &sent), 1);	/* half a second late */
	assert_int_equal(p.forfeited, 0);
	assert_int_equal(gen_pace_next(&p), START + 2 * HZ);	/* the next one is in time */
}

static void
test_max_is_not_paced(void **state)
{
	struct gen_pace p;

	(void)state;
	read_sizes("64");
	start(&p, "max", 10000);
	assert_int_equal(gen_pace_due(&p, START, &sizes, 0, 32), 32);
	gen_pace_spend(&p, &sizes, 0, 32);
	assert_int_equal(gen_pace_due(&p, START, &sizes, 32, 32), 32);
	assert_int_equal(gen_pace_next(&p), START);
}

static void
test_no_rate_overflows(void **state)
{
	uint64_t sent = 0;
	struct gen_pace p;

	(void)state;
	/* A year of 400 Gbit/s. */
	read_sizes("64");
	start(&p, "400Gbps-l1", 1000);
	p.spent = UINT64_C(400000000000) * 86400 * 365 - 84 * 8;
	gen_pace_spend(&p, &sizes, 0, 1);
	assert_int_equal(gen_pace_next(&p), START + HZ * 86400 * 365);
	assert_int_equal(send_at(&p, HZ * 86400 * 365 - 1, &sent), 0);
	assert_int_equal(send_at(&p, HZ * 86400 * 365 + 1, &sent), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rates_are_understood),
		cmocka_unit_test(test_bad_rates_are_refused),
		cmocka_unit_test(test_the_wire_maximum),
		cmocka_unit_test(test_requested_rates_in_packets),
		cmocka_unit_test(test_each_packet_goes_at_its_tick),
		cmocka_unit_test(test_nothing_drifts),
		cmocka_unit_test(test_mixed_sizes_keep_the_bit_rate),
		cmocka_unit_test(test_a_pause_is_made_up_for_up_to_the_depth),
		cmocka_unit_test(test_a_slow_rate_forgives_one_late_packet),
		cmocka_unit_test(test_max_is_not_paced),
		cmocka_unit_test(test_no_rate_overflows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
