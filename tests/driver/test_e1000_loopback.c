/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* e1000: loopback inside the card, and the self-test that uses it. */

#include "e1000_card.h"

static const char *const chips[] = {
	"82540em", "82541pi", "82543gc", "82547ei", "82572ei", "82574l",
};

static void
open_looped(struct fx_port *p, const char *chip)
{
	fx_open(p, chip, NULL);
	fx_start(p, &(struct fx_conf){ .eth.lpbk_mode = 1 });
}

static void
send_one(struct fx_port *p, const struct fx_frame *f)
{
	struct rte_mbuf *m = fx_mbuf(p->pool, f, 0);

	fx_tx(p, &m, 1);
}

static void
test_frames_come_back_and_none_leave(void **state)
{
	static struct fx_port port;
	static struct fx_frame f;
	struct fx_port *p = &port;
	struct rte_eth_link link;
	struct rte_mbuf *m;

	(void)state;
	for (unsigned int c = 0; c < RTE_DIM(chips); c++) {
		open_looped(p, chips[c]);
		assert_int_equal(rte_eth_link_get_nowait(p->id, &link), 0);
		assert_int_equal(link.link_status, RTE_ETH_LINK_UP);
		assert_int_equal(link.link_speed, 1000);
		for (uint32_t len = 60; len <= 1500; len += 180) {
			fx_frame_build(&f, &(struct fx_spec){ .payload = len - 14, .seed = len });
			send_one(p, &f);
			assert_int_equal(fx_rx(p, &m, 1), 1);
			fx_expect_mbuf(m, &f);
		}
		fx_expect_silence(p);
		/* What the wire brings does not get in. */
		fx_inject(p, &f);
		assert_int_equal(fx_rx(p, &m, 1), 0);
		fx_close(p);
	}
}

/* The address filter applies (§9.4). */
static void
test_looped_frames_are_filtered(void **state)
{
	static struct fx_port port;
	static struct fx_frame f;
	struct fx_port *p = &port;
	struct fx_spec spec = { .payload = 50, .dst = { 2, 0, 0, 0, 0, 0x42 } };
	struct rte_mbuf *m;

	(void)state;
	open_looped(p, "82540em");
	fx_frame_build(&f, &spec);
	send_one(p, &f);
	assert_int_equal(fx_rx(p, &m, 1), 0);
	memcpy(spec.dst, p->mac.addr_bytes, 6);
	fx_frame_build(&f, &spec);
	send_one(p, &f);
	assert_int_equal(fx_rx(p, &m, 1), 1);
	fx_expect_mbuf(m, &f);
	fx_close(p);
}

static void
test_loopback_ends_with_the_next_configuration(void **state)
{
	static struct fx_port port;
	static struct fx_frame f;
	struct fx_port *p = &port;
	struct rte_mbuf *m;

	(void)state;
	for (unsigned int c = 0; c < RTE_DIM(chips); c++) {
		open_looped(p, chips[c]);
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
		fx_start(p, NULL);
		fx_frame_build(&f, &(struct fx_spec){ .payload = 50 });
		send_one(p, &f);
		fx_expect_sent(p, &f);
		fx_inject(p, &f);
		assert_int_equal(fx_rx(p, &m, 1), 1);
		fx_expect_mbuf(m, &f);
		fx_close(p);
	}
}

/* No cable is needed. */
static void
test_loopback_without_a_link(void **state)
{
	static struct fx_port port;
	static struct fx_frame f;
	struct fx_port *p = &port;
	struct rte_mbuf *m;

	(void)state;
	for (unsigned int c = 0; c < RTE_DIM(chips); c++) {
		fx_open(p, chips[c], "fault=link_down");
		fx_start(p, &(struct fx_conf){ .eth.lpbk_mode = 1 });
		fx_frame_build(&f, &(struct fx_spec){ .payload = 50 });
		send_one(p, &f);
		assert_int_equal(fx_rx(p, &m, 1), 1);
		fx_expect_mbuf(m, &f);
		fx_close(p);
	}
}

/* Fibre: RCTL.LBM 11 and, on PCI Express, SCTL 0x410 (§2.1, §2.3). */
static void
test_fibre_loops_in_the_mac(void **state)
{
	(void)state;
	card_init(0x1011);
	card_hw.loopback = true;
	assert_int_equal(e1000_link_setup(&card_hw), 0);
	e1000_set_rx_mode(&card_hw);
	assert_int_equal(R(E1000_RCTL) & 3 << 6, 3 << 6);
	assert_int_equal(R(E1000_CTRL) & 0x49, 0x41);
	assert_int_equal(R(E1000_SCTL), 0);
	card_init(0x1060);
	card_hw.loopback = true;
	assert_int_equal(e1000_link_setup(&card_hw), 0);
	assert_int_equal(R(E1000_SCTL), 0x410);
	card_hw.loopback = false;
	assert_int_equal(e1000_link_setup(&card_hw), 0);
	assert_int_equal(R(E1000_SCTL), 0x400);
}

/* --- self-test ------------------------------------------------------------------------------- */

static void
test_selftest_passes_and_leaves_a_working_port(void **state)
{
	static struct fx_port port;
	static struct fx_frame f;
	struct fx_port *p = &port;
	struct rte_mbuf *m;

	(void)state;
	for (unsigned int c = 0; c < RTE_DIM(chips); c++) {
		assert_int_equal(rte_log_set_level_pattern("pmd.net.pollwire", RTE_LOG_NOTICE), 0);
		log_capture_start();
		fx_open(p, chips[c], "driver=selftest=1+hang_ms=0");
		log_capture_expect("self-test passed: EEPROM, PHY, registers, loopback");
		assert_int_equal(rte_log_set_level_pattern("pmd.net.pollwire", RTE_LOG_ERR), 0);
		/* Nothing of it was seen outside. */
		fx_expect_silence(p);
		assert_int_equal(pw_model_bar_read(p->model, 0, E1000_RDLEN(0), 4), 0);
		fx_start(p, NULL);
		fx_frame_build(&f, &(struct fx_spec){ .payload = 50 });
		send_one(p, &f);
		fx_expect_sent(p, &f);
		fx_inject(p, &f);
		assert_int_equal(fx_rx(p, &m, 1), 1);
		fx_expect_mbuf(m, &f);
		fx_close(p);
	}
}

static void
test_selftest_needs_no_cable(void **state)
{
	static struct fx_port port;

	(void)state;
	fx_open(&port, "82540em", "driver=selftest=1,fault=link_down");
	fx_close(&port);
}

static void
test_selftest_finds_a_dead_transmitter(void **state)
{
	(void)state;
	fx_refused("chip=82540em,fault=tx_hang,driver=selftest=1", -EIO,
		   "frames do not come back");
	fx_refused("chip=82574l,fault=rx_overrun:9,driver=selftest=1", -EIO,
		   "frames do not come back");
}

/* QEMU's 8254x is deaf for a second: frames are lost, and then none is. */
static void
test_selftest_waits_for_a_receiver_that_is_slow_to_start(void **state)
{
	static struct fx_port port;

	(void)state;
	fx_open(&port, "82540em", "driver=selftest=1,fault=rx_overrun:10");
	fx_close(&port);
	fx_refused("chip=82540em,fault=rx_overrun:20,driver=selftest=1", -EIO,
		   "frames do not come back");
}

static struct e1000_adapter card_ad;

static int
test_card(void)
{
	memcpy(&card_ad.hw, &card_hw, sizeof(card_ad.hw));
	return e1000_selftest(&card_ad);
}

static void
test_selftest_finds_a_wrong_phy(void **state)
{
	static const struct {
		uint16_t device;
		uint32_t id;
	} bad[] = {
		{ 0x100e, 0x02a80380 }, { 0x1076, 0x01410c20 }, { 0x10d3, 0x01410c50 },
		{ 0x108b, 0x01410cb1 },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(bad); i++) {
		card_init(bad[i].device);
		card.phy[MII_PHYID1] = bad[i].id >> 16;
		card.phy[MII_PHYID2] = (uint16_t)bad[i].id;
		assert_int_equal(e1000_phy_init(&card_hw), 0);
		log_capture_start();
		assert_int_equal(test_card(), -EIO);
		log_capture_expect("the PHY is not one");
	}
}

static void
test_selftest_finds_a_stuck_register_bit(void **state)
{
	static const struct {
		uint32_t off, stuck;
	} bad[] = {
		{ E1000_RDBAH(0), 1u << 31 }, { E1000_TDLEN(0), 1u << 7 },
		{ E1000_MTA(64), 2 }, { E1000_TDBAL(0), 1u << 4 },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(bad); i++) {
		card_init(0x100e);
		assert_int_equal(e1000_phy_init(&card_hw), 0);
		card.stuck_off = bad[i].off;
		card.stuck_bits = bad[i].stuck;
		log_capture_start();
		assert_int_equal(test_card(), -EIO);
		log_capture_expect("registers do not keep");
	}
}

int
main(void)
{
#define T(name) cmocka_unit_test(test_##name)
	const struct CMUnitTest tests[] = {
		T(frames_come_back_and_none_leave),
		T(looped_frames_are_filtered),
		T(loopback_ends_with_the_next_configuration),
		T(loopback_without_a_link),
		T(fibre_loops_in_the_mac),
		T(selftest_passes_and_leaves_a_working_port),
		T(selftest_needs_no_cable),
		T(selftest_finds_a_dead_transmitter),
		T(selftest_waits_for_a_receiver_that_is_slow_to_start),
		T(selftest_finds_a_wrong_phy),
		T(selftest_finds_a_stuck_register_bit),
	};

	return cmocka_run_group_tests_name("e1000_loopback", tests, fx_setup, fx_teardown);
}
