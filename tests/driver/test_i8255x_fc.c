/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * i8255x: flow control, on models whose partner offers PAUSE both ways. Outcomes are those of
 * IEEE 802.3 table 28B-3, frames those of annex 31B; what the chip was told shows in what it
 * does with them.
 */

#include "fixture.h"

#include "../../drivers/net/i8255x/i8255x.h"

#define NEGOTIATED_NS	UINT64_C(5000000000)
/* 65535 quanta of 512 bit times at 100 Mbit/s are 335.5 ms. */
#define LONGEST_PAUSE_NS	UINT64_C(336000000)

static uint16_t
offered(const struct fx_port *p)
{
	const struct pw_mii *mii = &i8255x_adapter_of(&rte_eth_devices[p->id])->hw.mii;
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
set(struct fx_port *p, enum rte_eth_fc_mode mode, bool autoneg)
{
	struct rte_eth_fc_conf fc = get(p);
	struct rte_eth_link link;

	fc.mode = mode;
	fc.autoneg = autoneg;
	fc.send_xon = 1;
	assert_int_equal(rte_eth_dev_flow_ctrl_set(p->id, &fc), 0);
	fx_advance(p, NEGOTIATED_NS);
	assert_int_equal(rte_eth_link_get_nowait(p->id, &link), 0);
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
sends(struct fx_port *p)
{
	static struct fx_frame f, got;
	struct rte_mbuf *m;

	fx_frame_build(&f, &(struct fx_spec){ .payload = 50 });
	m = fx_mbuf(p->pool, &f, 0);
	fx_tx(p, &m, 1);
	return fx_capture(p, &got);
}

/* Whether a PAUSE frame keeps the transmitter quiet for as long as it says. */
static bool
obeys(struct fx_port *p)
{
	static struct fx_frame got;

	inject_pause(p, 0xffff);
	if (sends(p))
		return false;
	fx_advance(p, LONGEST_PAUSE_NS);
	assert_true(fx_capture(p, &got));
	fx_expect_silence(p);
	return true;
}

/* Fill the ring with nobody taking frames out, then take them. @return PAUSE frames; quanta. */
static unsigned int
asks(struct fx_port *p, uint16_t quanta[4])
{
	static struct rte_mbuf *m[128];
	static struct fx_frame f, got;
	unsigned int n = 0;
	uint16_t k;

	fx_frame_build(&f, &(struct fx_spec){ .payload = 1000 });
	for (unsigned int i = 0; i < 100; i++) {
		fx_inject(p, &f);
		fx_advance(p, 1000);
	}
	k = fx_rx(p, m, RTE_DIM(m));
	rte_pktmbuf_free_bulk(m, k);
	fx_advance(p, 1000);
	k = fx_rx(p, m, RTE_DIM(m));
	rte_pktmbuf_free_bulk(m, k);
	while (fx_capture(p, &got)) {
		assert_memory_equal(got.data, "\x01\x80\xc2\x00\x00\x01", 6);
		assert_memory_equal(got.data + 12, "\x88\x08\x00\x01", 4);
		assert_true(n < 4);
		quanta[n++] = got.data[16] << 8 | got.data[17];
	}
	return n;
}

static const struct {
	enum rte_eth_fc_mode mode;
	uint16_t offer;		/* bits 10 and 11 of register 4 */
	bool rx, tx;		/* outcome with a partner that offers both */
} modes[] = {
	{ RTE_ETH_FC_NONE, 0, false, false },
	{ RTE_ETH_FC_RX_PAUSE, 0x0c00, true, false },
	/* ASM_DIR alone with PAUSE and ASM_DIR: we may send. */
	{ RTE_ETH_FC_TX_PAUSE, 0x0800, false, true },
	{ RTE_ETH_FC_FULL, 0x0c00, true, true },
};

static void
test_each_mode_is_offered_and_comes_out(void **state)
{
	struct fx_port *p = *state;
	uint16_t quanta[4];

	fx_start(p, &(struct fx_conf){ .nb_rxd = 32 });
	for (unsigned int i = 0; i < 2 * RTE_DIM(modes); i++) {
		/* Both ways round, since some share an offer. */
		unsigned int k = i < RTE_DIM(modes) ? i : 2 * RTE_DIM(modes) - 1 - i;

		set(p, modes[k].mode, true);
		assert_int_equal(offered(p), modes[k].offer);
		assert_int_equal(get(p).mode, modes[k].mode);
		assert_int_equal(get(p).autoneg, 1);
		assert_int_equal(obeys(p), modes[k].rx);
		assert_int_equal(asks(p, quanta) != 0, modes[k].tx);
	}
}

/* FC threshold register, offset 19h: 1 is 1024 bytes free, 2048 of the 3 KiB in use (§2). */
static void
test_setting_outlives_stop_and_reset(void **state)
{
	struct fx_port *p = *state;
	uint16_t quanta[4];

	for (unsigned int i = 0; i < RTE_DIM(modes); i++) {
		struct rte_eth_fc_conf fc = {
			.mode = modes[i].mode, .autoneg = 1, .high_water = 2048,
			.low_water = 2048, .pause_time = 77,
		};

		assert_int_equal(rte_eth_dev_flow_ctrl_set(p->id, &fc), 0);
		fx_start(p, &(struct fx_conf){ .nb_rxd = 32 });
		assert_int_equal(rte_eth_link_get_nowait(p->id, &(struct rte_eth_link){ 0 }), 0);
		assert_int_equal(pw_model_bar_read(p->model, 0, 0x19, 1) & 7, 1);
		assert_int_equal(obeys(p), modes[i].rx);
		/* Once, since no XON was asked for. */
		assert_int_equal(asks(p, quanta) != 0, modes[i].tx);
		if (modes[i].tx)
			assert_int_equal(quanta[0], 77);
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
		assert_int_equal(get(p).mode, modes[i].mode);
		assert_int_equal(get(p).pause_time, 77);
	}
}

/* Without negotiation there is no outcome but what is forced. */
static void
test_forced_directions_need_no_negotiation(void **state)
{
	struct fx_port *p = *state;
	uint16_t quanta[4];

	fx_start(p, &(struct fx_conf){ .nb_rxd = 32, .eth.link_speeds =
		RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_100M });
	assert_false(obeys(p));
	for (unsigned int i = 0; i < RTE_DIM(modes); i++) {
		set(p, modes[i].mode, false);
		assert_int_equal(get(p).autoneg, 0);
		assert_int_equal(obeys(p), modes[i].rx);
		assert_int_equal(asks(p, quanta) != 0, modes[i].tx);
	}
	assert_int_equal(rte_eth_dev_stop(p->id), 0);

	/* PAUSE is for full duplex (§31B.1). */
	fx_start(p, &(struct fx_conf){ .eth.link_speeds =
		RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_100M_HD });
	assert_int_equal(rte_eth_link_get_nowait(p->id, &(struct rte_eth_link){ 0 }), 0);
	assert_false(obeys(p));
	assert_int_equal(get(p).mode, RTE_ETH_FC_NONE);
}

/* Zero ends a pause at once; what a port stops to obey does not bind it any more. */
static void
test_zero_ends_it(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame got;

	fx_start(p, NULL);
	inject_pause(p, 0xffff);
	assert_false(sends(p));
	inject_pause(p, 0);
	assert_true(fx_capture(p, &got));
	assert_true(sends(p));
}

static void
test_full_ring_sends_xoff_then_xon(void **state)
{
	struct rte_eth_fc_conf fc;
	struct fx_port *p = *state;
	uint16_t quanta[4];

	fx_start(p, &(struct fx_conf){ .nb_rxd = 32 });
	fc = get(p);
	fc.pause_time = 0x1234;
	fc.send_xon = 1;
	assert_int_equal(rte_eth_dev_flow_ctrl_set(p->id, &fc), 0);
	assert_int_equal(asks(p, quanta), 2);
	assert_int_equal(quanta[0], 0x1234);
	assert_int_equal(quanta[1], 0);
	assert_int_equal(get(p).pause_time, 0x1234);
	assert_int_equal(get(p).send_xon, 1);
}

/* §4.4: the MAC hears of an agreement only by a new Configure, long after start. */
static void
test_link_that_comes_late_brings_flow_control(void **state)
{
	static struct fx_port port;
	struct fx_port *p = &port;
	struct rte_eth_link link;

	(void)state;
	fx_open(p, fx_chip, "autoneg_ms=2000");
	fx_start(p, NULL);
	assert_int_equal(rte_eth_link_get_nowait(p->id, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_DOWN);
	fx_advance(p, UINT64_C(2100000000));
	assert_int_equal(rte_eth_link_get_nowait(p->id, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_UP);
	assert_int_equal(get(p).mode, RTE_ETH_FC_FULL);
	assert_true(obeys(p));
	/* A cable that is pulled, and back. */
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_LINK_DOWN, 1), 0);
	assert_int_equal(rte_eth_link_get_nowait(p->id, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_DOWN);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_LINK_DOWN, 0), 0);
	fx_advance(p, UINT64_C(2100000000));
	assert_int_equal(rte_eth_link_get_nowait(p->id, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_UP);
	assert_true(obeys(p));
	fx_close(p);
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

/* Eight marks; XOFF goes out at the one asked for, or before it. */
static void
test_watermark_becomes_a_threshold(void **state)
{
	static const struct {
		uint32_t high;
		uint8_t reg;
		uint32_t back;
	} t[] = {
		{ 2560, 0, 2560 }, { 2559, 1, 2048 }, { 2048, 1, 2048 }, { 1792, 2, 1792 },
		{ 1536, 3, 1536 }, { 1280, 4, 1280 }, { 1024, 5, 1024 }, { 768, 6, 768 },
		{ 767, 7, 512 }, { 512, 7, 512 },
	};
	struct fx_port *p = *state;

	fx_start(p, NULL);
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		struct rte_eth_fc_conf fc = get(p);

		fc.high_water = t[i].high;
		fc.low_water = 0;
		assert_int_equal(rte_eth_dev_flow_ctrl_set(p->id, &fc), 0);
		assert_int_equal(pw_model_bar_read(p->model, 0, 0x19, 1) & 7, t[i].reg);
		assert_int_equal(get(p).high_water, t[i].back);
		assert_int_equal(get(p).low_water, t[i].back);
	}
}

static void
test_watermarks_out_of_range_are_refused(void **state)
{
	static const struct {
		uint32_t high, low;
	} bad[] = { { 511, 511 }, { 2561, 2561 }, { 1024, 512 }, { 0, 8 }, { UINT32_MAX, 8 } };
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

/* 82557 has none (§1.2): it says so, offers none, and is not stopped by a PAUSE frame. */
static void
test_82557_has_none(void **state)
{
	struct rte_eth_fc_conf fc = { .mode = RTE_ETH_FC_FULL };
	static struct fx_port port;
	struct fx_port *p = &port;

	(void)state;
	fx_open(p, "82557b", NULL);
	fx_start(p, NULL);
	assert_int_equal(rte_eth_dev_flow_ctrl_get(p->id, &fc), -ENOTSUP);
	log_capture_start();
	assert_int_equal(rte_eth_dev_flow_ctrl_set(p->id, &fc), -ENOTSUP);
	log_capture_expect("has no flow control");
	assert_int_equal(offered(p), 0);
	assert_false(obeys(p));
	fx_close(p);
}

int
main(int argc, char **argv)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, fx_port_setup, fx_port_teardown)
	const struct CMUnitTest tests[] = {
		T(each_mode_is_offered_and_comes_out),
		T(setting_outlives_stop_and_reset),
		T(forced_directions_need_no_negotiation),
		T(zero_ends_it),
		T(full_ring_sends_xoff_then_xon),
		cmocka_unit_test(test_link_that_comes_late_brings_flow_control),
		T(control_frames_are_handed_up_on_demand),
		T(watermark_becomes_a_threshold),
		T(watermarks_out_of_range_are_refused),
		cmocka_unit_test(test_82557_has_none),
	};

	fx_chip = argc > 1 ? argv[1] : "82559c";
	return cmocka_run_group_tests_name("i8255x_fc", tests, fx_setup, fx_teardown);
}
