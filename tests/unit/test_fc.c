/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>

#include <pw_fc.h>

#include "eal.h"

static const struct pw_dev dev = { .name = "0000:03:00.0" };

/* Bits 10 (PAUSE) and 11 (ASM_DIR) of the advertisement: 802.3 tables 28B-1 and 28B-2. */
static void
test_offer(void **state)
{
	static const struct {
		struct pw_fc fc;
		uint16_t offer;
	} rows[] = {
		{ { .rx = false, .tx = false }, 0 },
		{ { .rx = false, .tx = true }, 0x0800 },
		{ { .rx = true, .tx = true }, 0x0c00 },
		{ { .rx = true, .tx = false }, 0x0c00 },
	};

	(void)state;
	for (size_t i = 0; i < RTE_DIM(rows); i++)
		assert_int_equal(pw_fc_offer(&rows[i].fc), rows[i].offer);
}

/* The directions of each of ethdev's modes. */
static const struct {
	enum rte_eth_fc_mode mode;
	bool rx, tx;
} modes[] = {
	{ RTE_ETH_FC_NONE, false, false },
	{ RTE_ETH_FC_RX_PAUSE, true, false },
	{ RTE_ETH_FC_TX_PAUSE, false, true },
	{ RTE_ETH_FC_FULL, true, true },
};

static void
test_modes_are_directions(void **state)
{
	(void)state;
	for (size_t i = 0; i < RTE_DIM(modes); i++) {
		const struct rte_eth_fc_conf conf = { .mode = modes[i].mode };
		struct rte_eth_fc_conf back = { 0 };
		const struct pw_mii_link down = { 0 };
		struct pw_fc fc;

		assert_int_equal(pw_fc_from_conf(&dev, &conf, 1, &fc), 0);
		assert_int_equal(fc.rx, modes[i].rx);
		assert_int_equal(fc.tx, modes[i].tx);
		/* Without a link: what was asked for. */
		pw_fc_to_conf(&fc, &down, &back);
		assert_int_equal(back.mode, modes[i].mode);
	}
}

static void
test_outcome_of_a_link_is_shown(void **state)
{
	const struct pw_fc fc = { .rx = true, .tx = true };

	(void)state;
	for (size_t i = 0; i < RTE_DIM(modes); i++) {
		const struct pw_mii_link link = {
			.up = true, .pause_rx = modes[i].rx, .pause_tx = modes[i].tx,
		};
		struct rte_eth_fc_conf conf = { 0 };

		pw_fc_to_conf(&fc, &link, &conf);
		assert_int_equal(conf.mode, modes[i].mode);
	}
}

/* What else is asked for is kept, each by itself; watermarks are left alone. */
static void
test_settings_come_back(void **state)
{
	static const struct rte_eth_fc_conf rows[] = {
		{ .autoneg = 1 },
		{ .send_xon = 1 },
		{ .mac_ctrl_frame_fwd = 1 },
		{ .pause_time = 0xffff },
	};
	const struct pw_mii_link down = { 0 };

	(void)state;
	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		struct rte_eth_fc_conf back = { .high_water = 5, .low_water = 3 };
		struct pw_fc fc;

		assert_int_equal(pw_fc_from_conf(&dev, &rows[i], 0x680, &fc), 0);
		assert_int_equal(fc.forced, !rows[i].autoneg);
		assert_int_equal(fc.xon, rows[i].send_xon);
		assert_int_equal(fc.forward, rows[i].mac_ctrl_frame_fwd);
		assert_int_equal(fc.pause_time, rows[i].pause_time != 0 ? 0xffff : 0x680);
		pw_fc_to_conf(&fc, &down, &back);
		assert_int_equal(back.autoneg, rows[i].autoneg);
		assert_int_equal(back.send_xon, rows[i].send_xon);
		assert_int_equal(back.mac_ctrl_frame_fwd, rows[i].mac_ctrl_frame_fwd);
		assert_int_equal(back.pause_time, fc.pause_time);
		assert_int_equal(back.high_water, 5);
		assert_int_equal(back.low_water, 3);
	}
}

static void
test_no_such_mode(void **state)
{
	static const int bad[] = { 4, -1, 1000 };

	(void)state;
	for (size_t i = 0; i < RTE_DIM(bad); i++) {
		const struct rte_eth_fc_conf conf = { .mode = (enum rte_eth_fc_mode)bad[i] };
		struct pw_fc fc;

		log_capture_start();
		assert_int_equal(pw_fc_from_conf(&dev, &conf, 1, &fc), -EINVAL);
		log_capture_expect("0000:03:00.0: flow control mode");
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_offer),
		cmocka_unit_test(test_modes_are_directions),
		cmocka_unit_test(test_outcome_of_a_link_is_shown),
		cmocka_unit_test(test_settings_come_back),
		cmocka_unit_test(test_no_such_mode),
	};

	return cmocka_run_group_tests_name("fc", tests, eal_setup, eal_teardown);
}
