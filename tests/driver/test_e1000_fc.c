/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * e1000: flow control on the 82540EM's model, whose partner offers PAUSE both ways. Outcomes
 * are those of IEEE 802.3 table 28B-3, frames those of annex 31B.
 */

#include "fixture.h"

#include "../../drivers/net/e1000/e1000.h"

#define CTRL_FC	(E1000_CTRL_RFCE | E1000_CTRL_TFCE)

static uint32_t
reg(const struct fx_port *p, uint32_t off)
{
	return pw_model_bar_read(p->model, 0, off, 4);
}

static uint16_t
offered(const struct fx_port *p)
{
	const struct pw_mii *mii = &e1000_adapter_of(&rte_eth_devices[p->id])->hw.mii;
	uint16_t anar = 0;

	assert_int_equal(mii->read(mii->ctx, MII_ANAR, &anar), 0);
	return anar & (MII_AN_PAUSE | MII_AN_ASM_DIR);
}

static struct rte_eth_fc_conf
get(const struct fx_port *p)
{
	struct rte_eth_fc_conf fc;

	memset(&fc, 0x5a, sizeof(fc));
	assert_int_equal(rte_eth_dev_flow_ctrl_get(p->id, &fc), 0);
	return fc;
}

static void
set(const struct fx_port *p, enum rte_eth_fc_mode mode, bool autoneg)
{
	struct rte_eth_fc_conf fc = get(p);

	fc.mode = mode;
	fc.autoneg = autoneg;
	assert_int_equal(rte_eth_dev_flow_ctrl_set(p->id, &fc), 0);
}

/* Destination 01:80:c2:00:00:01, type 0x8808, opcode 1, time in 512 bit times (§31B.1). */
static void
inject_pause(struct fx_port *p, uint16_t quanta)
{
	static struct fx_frame f;

	memset(&f, 0, sizeof(f));
	f.len = 60;
	memcpy(f.data, "\x01\x80\xc2\x00\x00\x01\x02\x00\x00\x00\x00\x99\x88\x08\x00\x01", 16);
	f.data[16] = quanta >> 8;
	f.data[17] = quanta & 0xff;
	fx_inject(p, &f);
	fx_advance(p, 0);
}

static bool
paused(struct fx_port *p)
{
	return (reg(p, E1000_STATUS) & E1000_STATUS_TXOFF) != 0;
}

static const struct {
	enum rte_eth_fc_mode mode;
	uint16_t offer;		/* bits 10 and 11 of register 4 */
	uint32_t full;		/* outcome with a partner that offers both */
} modes[] = {
	{ RTE_ETH_FC_NONE, 0, 0 },
	{ RTE_ETH_FC_RX_PAUSE, 0x0c00, E1000_CTRL_RFCE },
	/* ASM_DIR alone with PAUSE and ASM_DIR: we may send. */
	{ RTE_ETH_FC_TX_PAUSE, 0x0800, E1000_CTRL_TFCE },
	{ RTE_ETH_FC_FULL, 0x0c00, CTRL_FC },
};

static void
test_each_mode_is_offered_and_comes_out(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	for (unsigned int i = 0; i < RTE_DIM(modes); i++) {
		set(p, modes[i].mode, true);
		assert_int_equal(offered(p), modes[i].offer);
		assert_int_equal(reg(p, E1000_CTRL) & CTRL_FC, modes[i].full);
		assert_int_equal(get(p).mode, modes[i].mode);
		assert_int_equal(get(p).autoneg, 1);
	}
}

static void
test_setting_outlives_stop_and_reset(void **state)
{
	struct fx_port *p = *state;

	for (unsigned int i = 0; i < RTE_DIM(modes); i++) {
		struct rte_eth_fc_conf fc = {
			.mode = modes[i].mode, .autoneg = 1, .high_water = 20000,
			.low_water = 10000, .pause_time = 77,
		};

		assert_int_equal(rte_eth_dev_flow_ctrl_set(p->id, &fc), 0);
		fx_start(p, NULL);
		assert_int_equal(rte_eth_link_get_nowait(p->id, &(struct rte_eth_link){ 0 }), 0);
		assert_int_equal(reg(p, E1000_CTRL) & CTRL_FC, modes[i].full);
		assert_int_equal(reg(p, E1000_FCRTH), 20000);
		assert_int_equal(reg(p, E1000_FCRTL), 10000);	/* no XON */
		assert_int_equal(reg(p, E1000_FCTTV), 77);
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
		assert_int_equal(get(p).mode, modes[i].mode);
	}
}

/* Without negotiation there is no outcome but what is forced. */
static void
test_forced_directions_need_no_negotiation(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, &(struct fx_conf){ .eth.link_speeds =
		RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_100M });
	assert_int_equal(reg(p, E1000_CTRL) & CTRL_FC, 0);
	for (unsigned int i = 0; i < RTE_DIM(modes); i++) {
		set(p, modes[i].mode, false);
		assert_int_equal(reg(p, E1000_CTRL) & CTRL_FC, modes[i].full);
		assert_int_equal(get(p).autoneg, 0);
	}
	assert_int_equal(rte_eth_dev_stop(p->id), 0);

	/* PAUSE is for full duplex (§31B.1). */
	fx_start(p, &(struct fx_conf){ .eth.link_speeds =
		RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_100M_HD });
	assert_int_equal(reg(p, E1000_CTRL) & CTRL_FC, 0);
}

static void
test_partner_stops_us_only_if_we_said_so(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	inject_pause(p, 0xffff);
	assert_true(paused(p));
	inject_pause(p, 0);
	assert_false(paused(p));
	set(p, RTE_ETH_FC_TX_PAUSE, true);
	inject_pause(p, 0xffff);
	assert_false(paused(p));
}

/* Nobody takes frames and the ring runs full: XOFF, then XON when there is room again. */
static void
test_full_ring_sends_xoff_then_xon(void **state)
{
	static struct fx_frame f, got;
	static struct rte_mbuf *m[256];
	struct rte_eth_fc_conf fc;
	struct fx_port *p = *state;
	uint16_t n;

	fx_start(p, &(struct fx_conf){ .nb_rxd = 32 });
	fc = get(p);
	fc.pause_time = 0x1234;
	assert_int_equal(rte_eth_dev_flow_ctrl_set(p->id, &fc), 0);
	fx_frame_build(&f, &(struct fx_spec){ .payload = 50 });
	for (unsigned int i = 0; i < 64; i++)
		fx_inject(p, &f);
	fx_advance(p, 0);
	assert_true(fx_capture(p, &got));
	assert_memory_equal(got.data, "\x01\x80\xc2\x00\x00\x01", 6);
	assert_memory_equal(got.data + 12, "\x88\x08\x00\x01\x12\x34", 6);
	n = fx_rx(p, m, RTE_DIM(m));
	assert_int_equal(n, 64);
	rte_pktmbuf_free_bulk(m, n);
	assert_true(fx_capture(p, &got));
	assert_memory_equal(got.data + 12, "\x88\x08\x00\x01\x00\x00", 6);
	fx_expect_silence(p);
}

static void
test_control_frames_are_handed_up_on_demand(void **state)
{
	struct rte_eth_fc_conf fc;
	struct fx_port *p = *state;
	struct rte_mbuf *m;

	fx_start(p, NULL);
	inject_pause(p, 0);
	assert_int_equal(fx_rx(p, &m, 1), 0);
	fc = get(p);
	fc.mac_ctrl_frame_fwd = 1;
	assert_int_equal(rte_eth_dev_flow_ctrl_set(p->id, &fc), 0);
	assert_int_equal(rte_eth_promiscuous_enable(p->id), 0);
	inject_pause(p, 0);
	assert_int_equal(fx_rx(p, &m, 1), 1);
	assert_int_equal(rte_pktmbuf_pkt_len(m), 60);
	rte_pktmbuf_free(m);
	assert_int_equal(get(p).mac_ctrl_frame_fwd, 1);
}

static void
test_watermarks_out_of_range_are_refused(void **state)
{
	static const struct {
		uint32_t high, low;
	} bad[] = {
		{ 8, 8 }, { 1000, 2000 }, { 0, 8 },
		/* 40 KiB for Rx (§1.1); one frame must fit above. */
		{ 40 * 1024 - 1518 + 8, 8 }, { UINT32_MAX, 8 },
	};
	struct fx_port *p = *state;
	struct rte_eth_fc_conf fc, before;

	fx_start(p, NULL);
	before = get(p);
	for (unsigned int i = 0; i < RTE_DIM(bad); i++) {
		fc = before;
		fc.high_water = bad[i].high;
		fc.low_water = bad[i].low;
		log_capture_start();
		assert_int_equal(rte_eth_dev_flow_ctrl_set(p->id, &fc), -EINVAL);
		log_capture_expect("watermarks");
	}
	fc = before;
	fc.mode = RTE_ETH_FC_FULL + 1;
	log_capture_start();
	assert_int_equal(rte_eth_dev_flow_ctrl_set(p->id, &fc), -EINVAL);
	log_capture_expect("flow control mode");
	fc = get(p);
	assert_memory_equal(&fc, &before, sizeof(fc));
}

/* Fibre words are TXCW's: PAUSE bit 7, ASM_DIR bit 8. All sixteen pairs of table 28B-3. */
static void
test_table_28b_3(void **state)
{
	/* [local][partner], index PAUSE + 2 * ASM_DIR: 1 we obey, 2 we send */
	static const uint8_t want[4][4] = {
		{ 0, 0, 0, 0 },
		{ 0, 3, 0, 3 },
		{ 0, 0, 0, 2 },
		{ 0, 3, 1, 3 },
	};

	(void)state;
	for (uint32_t l = 0; l < 4; l++) {
		for (uint32_t r = 0; r < 4; r++) {
			struct pw_mii_link link = { .up = true, .full_duplex = true };

			e1000_fc_resolve(l << 7, r << 7, &link);
			assert_int_equal(link.pause_rx + 2 * link.pause_tx, want[l][r]);
		}
	}
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, fx_port_setup, fx_port_teardown)
	const struct CMUnitTest tests[] = {
		T(each_mode_is_offered_and_comes_out),
		T(setting_outlives_stop_and_reset),
		T(forced_directions_need_no_negotiation),
		T(partner_stops_us_only_if_we_said_so),
		T(full_ring_sends_xoff_then_xon),
		T(control_frames_are_handed_up_on_demand),
		T(watermarks_out_of_range_are_refused),
		cmocka_unit_test(test_table_28b_3),
	};

	return cmocka_run_group_tests_name("e1000_fc", tests, fx_setup, fx_teardown);
}
