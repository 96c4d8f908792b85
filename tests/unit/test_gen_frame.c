/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Frames, read with offsets written out from the RFCs (791, 768) and IEEE 802.1Q, and with an
 * Internet checksum (RFC 1071) of the test's own.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "frame.h"

static struct gen_layout layout;
static uint8_t frame[GEN_MAX_LEN];

static const struct gen_frame_conf conf = {
	.src_mac = {2, 0, 0, 0, 0, 1},
	.dst_mac = {2, 0, 0, 0, 0, 2},
	.src_ip = 0xc6120001,	/* 198.18.0.1 */
	.dst_ip = 0xc6130001,
	.src_port = 49152,
	.dst_port = 9,
	.vlan = -1,
};

static void
make(int vlan, bool hw, uint16_t len, const struct gen_seen *what)
{
	struct gen_frame_conf c = conf;

	c.vlan = vlan;
	gen_frame_layout(&layout, &c, hw);
	memcpy(frame, layout.bytes, sizeof(frame));
	gen_frame_stamp(&layout, frame, len, what);
}

static const struct gen_seen some = {
	.stream = 3, .run = 200, .seq = 0x89abcdef, .stamp = 0x123456789abc,
};

static uint16_t
be16(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

/* One's complement sum of big-endian words, an odd byte padded with 0 (RFC 1071). */
static uint32_t
sum_words(const uint8_t *p, uint32_t len, uint32_t sum)
{
	uint32_t i;

	for (i = 0; i < len; i += 2)
		sum += p[i] << 8 | (i + 1 < len ? p[i + 1] : 0);
	while (sum > 0xffff)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

static void
assert_checksums(uint16_t l3, uint16_t len)
{
	const uint8_t *ip = frame + l3;
	uint32_t udp_len = len - l3 - 20;
	uint32_t sum;

	assert_int_equal(sum_words(ip, 20, 0), 0xffff);
	/* Pseudo-header: addresses, 17, UDP length. */
	sum = sum_words(ip + 12, 8, 17 + udp_len);
	assert_int_equal(sum_words(ip + 20, udp_len, sum), 0xffff);
	assert_int_not_equal(be16(ip + 26), 0);
}

static void
test_the_shortest_frame_byte_by_byte(void **state)
{
	static const uint8_t head[] = {
		2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x08, 0x00,
		0x45, 0, 0, 46, 0, 0, 0x40, 0, 64, 17,
	};
	static const uint8_t addresses[] = {198, 18, 0, 1, 198, 19, 0, 1, 0xc0, 0, 0, 9, 0, 26};
	static const uint8_t ours[] = {
		'p', 'w', 3, 200, 0x89, 0xab, 0xcd, 0xef, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc,
	};

	(void)state;
	make(-1, false, 60, &some);
	assert_memory_equal(frame, head, sizeof(head));
	assert_memory_equal(frame + 26, addresses, sizeof(addresses));
	assert_memory_equal(frame + 42, ours, sizeof(ours));
	assert_checksums(14, 60);
}

static void
test_the_tag_fits_into_64_bytes(void **state)
{
	static const uint8_t tag[] = {0x81, 0x00, 0x0f, 0xfe, 0x08, 0x00, 0x45};
	struct gen_seen seen;

	(void)state;
	make(4094, false, 60, &some);
	assert_memory_equal(frame + 12, tag, sizeof(tag));
	assert_checksums(18, 60);
	assert_true(gen_frame_read(frame, 60, 60, &seen));
	assert_memory_equal(&seen.seq, &some.seq, sizeof(seen.seq));
}

static void
test_checksums_of_every_length(void **state)
{
	struct gen_seen what = some, seen;
	uint16_t len;
	int vlan;

	(void)state;
	for (vlan = -1; vlan <= 100; vlan += 101) {
		make(vlan, false, 60, &what);
		for (len = 60; len <= 1514; len++) {
			what.seq = what.seq * 69069 + 1;
			what.stamp = (what.stamp * 69069 + 1) & 0xffffffffffff;
			gen_frame_stamp(&layout, frame, len, &what);
			assert_checksums(vlan >= 0 ? 18 : 14, len);
			assert_true(gen_frame_read(frame, len, len, &seen));
			assert_true(seen.seq == what.seq && seen.stamp == what.stamp &&
				    seen.stream == 3 && seen.run == 200);
			assert_true(gen_frame_intact(&layout, frame, len));
		}
	}
}

static void
test_a_udp_checksum_of_0_is_sent_as_ffff(void **state)
{
	struct gen_seen what = {.stream = 0};
	unsigned int seen_ffff = 0;

	(void)state;
	make(-1, false, 60, &what);
	/* Of 65536 low halves of the number one makes the sum 0 (RFC 768). */
	for (what.seq = 0; what.seq < 65536; what.seq++) {
		gen_frame_stamp(&layout, frame, 60, &what);
		assert_int_not_equal(be16(frame + 40), 0);
		seen_ffff += be16(frame + 40) == 0xffff;
		assert_true(be16(frame + 40) != 0xffff || gen_frame_intact(&layout, frame, 60));
	}
	assert_in_range(seen_ffff, 1, 2);
}

static void
test_a_port_that_sums_gets_the_pseudo_header(void **state)
{
	uint32_t sum;

	(void)state;
	make(-1, true, 1514, &some);
	sum = sum_words(frame + 26, 8, 17 + 1514 - 34);
	assert_int_equal(be16(frame + 24), 0);
	assert_int_equal(be16(frame + 40), sum);
}

static void
test_every_damaged_byte_is_found(void **state)
{
	uint16_t at;

	(void)state;
	make(-1, false, 300, &some);
	for (at = 14; at < 300; at++) {
		frame[at] ^= 0x40;
		assert_false(gen_frame_intact(&layout, frame, 300));
		frame[at] ^= 0x40;
	}
	assert_true(gen_frame_intact(&layout, frame, 300));
	assert_false(gen_frame_intact(&layout, frame, 299));
	assert_false(gen_frame_intact(&layout, frame, 301));
}

static void
test_what_devices_may_change_is_no_damage(void **state)
{
	uint16_t sum;

	(void)state;
	make(-1, false, 300, &some);
	memset(frame, 0xee, 12);
	assert_true(gen_frame_intact(&layout, frame, 300));
	/* A router: TTL 63, and the checksum that goes with it (RFC 1624). */
	frame[22]--;
	assert_false(gen_frame_intact(&layout, frame, 300));
	frame[24] = frame[25] = 0;
	sum = ~sum_words(frame + 14, 20, 0);
	frame[24] = sum >> 8;
	frame[25] = sum;
	assert_true(gen_frame_intact(&layout, frame, 300));
}

static void
test_foreign_frames_are_not_ours(void **state)
{
	static const uint16_t offsets[] = {12, 14, 23, 42, 43};
	struct gen_seen seen;
	size_t i;

	(void)state;
	make(-1, false, 100, &some);
	for (i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		frame[offsets[i]] ^= 1;
		assert_false(gen_frame_read(frame, 100, 100, &seen));
		frame[offsets[i]] ^= 1;
	}
	assert_false(gen_frame_read(frame, 59, 59, &seen));
	assert_false(gen_frame_read(frame, 100, 99, &seen));	/* cut off */
	assert_true(gen_frame_read(frame, 60, 100, &seen));	/* in two pieces */
}

static void
test_age_across_the_end_of_48_bits(void **state)
{
	const uint64_t end = UINT64_C(1) << 48;

	(void)state;
	assert_int_equal(gen_stamp_age(end - 10, end + 5), 15);
	assert_int_equal(gen_stamp_age(end - 10, 3 * end + 5), 15);
	assert_int_equal(gen_stamp_age(7, 7), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_shortest_frame_byte_by_byte),
		cmocka_unit_test(test_the_tag_fits_into_64_bytes),
		cmocka_unit_test(test_checksums_of_every_length),
		cmocka_unit_test(test_a_udp_checksum_of_0_is_sent_as_ffff),
		cmocka_unit_test(test_a_port_that_sums_gets_the_pseudo_header),
		cmocka_unit_test(test_every_damaged_byte_is_found),
		cmocka_unit_test(test_what_devices_may_change_is_no_damage),
		cmocka_unit_test(test_foreign_frames_are_not_ours),
		cmocka_unit_test(test_age_across_the_end_of_48_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
