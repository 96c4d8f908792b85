/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * e1000: gigabit frames that end in carrier extension, on the 82543GC's model, which takes that
 * for a byte 0x0f behind the CRC (§7).
 */

#include "fixture.h"

#include <pw_csum.h>

#include "../../drivers/net/e1000/e1000.h"

static int
setup(void **state)
{
	static struct fx_port port;

	fx_open(&port, "82543gc", NULL);
	*state = &port;
	return 0;
}

static void
build(struct fx_frame *f, uint32_t len, uint8_t seed)
{
	fx_frame_build(f, &(struct fx_spec){ .payload = len - 14, .seed = seed });
}

static void
expect_frame(struct fx_port *p, const struct fx_frame *f)
{
	struct rte_mbuf *m;

	assert_int_equal(fx_rx(p, &m, 1), 1);
	fx_expect_mbuf(m, f);
}

static void
expect_nothing(struct fx_port *p)
{
	struct rte_mbuf *m;

	assert_int_equal(fx_rx(p, &m, 1), 0);
}

/* Plain, full, and with frames that lie in several buffers. */
static const struct fx_conf confs[] = {
	{ .mtu = 0 },
	{ .eth.rxmode.offloads = RTE_ETH_RX_OFFLOAD_SCATTER },
	{ .eth.rxmode.offloads = RTE_ETH_RX_OFFLOAD_SCATTER, .mtu = 9000 },
};

static void
test_extended_frames_come_in_as_they_were_sent(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;

	for (unsigned int c = 0; c < RTE_DIM(confs); c++) {
		fx_start(p, &confs[c]);
		for (uint32_t len = 60; len <= 1514; len += len < 70 || len > 1500 ? 1 : 61) {
			build(&f, len, len);
			fx_inject_flags(p, &f, PW_FRAME_EXTENDED);
			expect_frame(p, &f);
			fx_inject(p, &f);
			expect_frame(p, &f);
		}
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
	}
}

/* All that came is ready at once; what could be looked at twice must be counted once. */
static void
test_extended_frames_in_one_burst(void **state)
{
	struct fx_port *p = *state;
	struct rte_mbuf *m[8];
	static struct fx_frame f[40];
	uint16_t n = 0, k;

	fx_start(p, NULL);
	for (unsigned int i = 0; i < RTE_DIM(f); i++) {
		build(&f[i], 100 + i, i);
		fx_inject_flags(p, &f[i], i % 3 ? PW_FRAME_EXTENDED : 0);
	}
	while ((k = rte_eth_rx_burst(p->id, 0, m, 7)) > 0)
		for (uint16_t i = 0; i < k; i++)
			fx_expect_mbuf(m[i], &f[n++]);
	assert_int_equal(n, RTE_DIM(f));
	assert_int_equal(fx_xstat(p, "rx_extended_packets"), 26);
}

/* Counted by the chip as CRC errors; to the application they are packets. */
static void
test_statistics_of_extended_frames(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_stats s;
	static struct fx_frame f;

	fx_start(p, NULL);
	build(&f, 100, 1);
	for (unsigned int i = 0; i < 5; i++) {
		fx_inject_flags(p, &f, PW_FRAME_EXTENDED);
		expect_frame(p, &f);
	}
	fx_inject(p, &f);
	expect_frame(p, &f);
	fx_inject_flags(p, &f, PW_FRAME_BAD_CRC);
	expect_nothing(p);
	assert_int_equal(rte_eth_stats_get(p->id, &s), 0);
	assert_int_equal(s.ipackets, 6);
	assert_int_equal(s.ibytes, 600);
	assert_int_equal(s.ierrors, 1);
	assert_int_equal(fx_xstat(p, "rx_crc_errors"), 6);
	assert_int_equal(fx_xstat(p, "rx_extended_packets"), 5);
	assert_int_equal(fx_xstat(p, "rx_dropped_bad_frames"), 1);
}

/* By the last byte alone, one in 256 of these would pass. */
static void
test_spoilt_frame_that_happens_to_end_in_0f_is_dropped(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	unsigned int hits = 0;

	fx_start(p, NULL);
	for (unsigned int i = 0; i < 4096; i++) {
		build(&f, 64 + i % 64, i / 64);
		/* The model stores the CRC's complement, its highest byte last. */
		if ((uint8_t)(~pw_crc32(f.data, f.len) >> 24) != 0x0f)
			continue;
		hits++;
		fx_inject_flags(p, &f, PW_FRAME_BAD_CRC);
		expect_nothing(p);
	}
	assert_true(hits > 0);
}

/* What RCTL.SBP lets through, and no error bit marks. */
static void
test_runts_and_giants_are_not_handed_up(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_stats s;
	static struct fx_frame f;

	fx_start(p, NULL);
	fx_frame_build(&f, &(struct fx_spec){ .payload = 30, .no_padding = true });
	fx_inject(p, &f);
	fx_inject_flags(p, &f, PW_FRAME_EXTENDED);
	expect_nothing(p);
	build(&f, 1519, 1);
	fx_inject(p, &f);
	fx_inject_flags(p, &f, PW_FRAME_EXTENDED);
	expect_nothing(p);
	build(&f, 1514, 1);
	fx_inject(p, &f);
	expect_frame(p, &f);
	assert_int_equal(rte_eth_stats_get(p->id, &s), 0);
	assert_int_equal(s.ipackets, 1);
	assert_int_equal(s.ibytes, 1514);
}

static void
test_crc_of_extended_frames_is_kept_on_request(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f, want;
	uint32_t fcs;

	fx_start(p, &(struct fx_conf){ .eth.rxmode.offloads = RTE_ETH_RX_OFFLOAD_KEEP_CRC });
	build(&f, 200, 3);
	want = f;
	fcs = pw_crc32(f.data, f.len);
	memcpy(want.data + f.len, &fcs, sizeof(fcs));
	want.len = 204;
	fx_inject_flags(p, &f, PW_FRAME_EXTENDED);
	expect_frame(p, &want);
	fx_inject(p, &f);
	expect_frame(p, &want);
}

/* The CRC was made with the tag, which the chip has taken out. */
static void
test_extended_frames_with_a_tag(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame tagged, plain;
	struct fx_spec spec = { .payload = 0 };
	struct rte_mbuf *m;

	fx_start(p, &(struct fx_conf){ .eth.rxmode.offloads = RTE_ETH_RX_OFFLOAD_VLAN_STRIP });
	for (uint32_t payload = 46; payload <= 1500; payload += 727) {
		spec.payload = payload;
		spec.vlan = 0x2123;
		fx_frame_build(&tagged, &spec);
		spec.vlan = 0;
		fx_frame_build(&plain, &spec);
		fx_inject_flags(p, &tagged, PW_FRAME_EXTENDED);
		assert_int_equal(fx_rx(p, &m, 1), 1);
		assert_int_equal(m->vlan_tci, 0x2123);
		fx_expect_mbuf(m, &plain);
	}
}

/* The CRC lies in two buffers, or in one of its own. */
static void
test_crc_across_buffers_is_taken_off(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;

	fx_start(p, &confs[2]);
	for (uint32_t len = 2040; len < 2056; len++) {
		build(&f, len, len);
		fx_inject(p, &f);
		expect_frame(p, &f);
	}
	/* Extended ones of several buffers are not to be had: dropped, and no harm. */
	fx_inject_flags(p, &f, PW_FRAME_EXTENDED);
	expect_nothing(p);
	fx_inject(p, &f);
	expect_frame(p, &f);
}

/* Bad frames are stored at 1000 Mbit/s only: RCTL bit 2. */
static void
test_bad_frames_are_stored_at_gigabit_only(void **state)
{
	static const struct {
		uint32_t speeds;
		bool stored;
	} t[] = {
		{ RTE_ETH_LINK_SPEED_AUTONEG, true },
		{ RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_100M, false },
		{ RTE_ETH_LINK_SPEED_1G, true },
	};
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_eth_link link;

	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		fx_start(p, &(struct fx_conf){ .eth.link_speeds = t[i].speeds });
		assert_int_equal(rte_eth_link_get_nowait(p->id, &link), 0);
		assert_int_equal(pw_model_bar_read(p->model, 0, E1000_RCTL, 4) & 4,
				 t[i].stored ? 4 : 0);
		build(&f, 300, i);
		fx_inject(p, &f);
		expect_frame(p, &f);
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
	}
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, setup, fx_port_teardown)
	const struct CMUnitTest tests[] = {
		T(extended_frames_come_in_as_they_were_sent),
		T(extended_frames_in_one_burst),
		T(statistics_of_extended_frames),
		T(spoilt_frame_that_happens_to_end_in_0f_is_dropped),
		T(runts_and_giants_are_not_handed_up),
		T(crc_of_extended_frames_is_kept_on_request),
		T(extended_frames_with_a_tag),
		T(crc_across_buffers_is_taken_off),
		T(bad_frames_are_stored_at_gigabit_only),
	};

	return cmocka_run_group_tests_name("e1000_extended", tests, fx_setup, fx_teardown);
}
