/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * PHY control on a PHY of 32 registers. Register and bit numbers are written out here as IEEE
 * 802.3 §22.2.4, §28.2.4 and §40.5.1 have them, not taken from the driver's header.
 */

#include <errno.h>

#include <rte_ethdev.h>

#include <pw_mii.h>

#include "eal.h"

/* Abilities, local (register 4) and partner's (register 5). */
#define A10	0x0020
#define A10F	0x0040
#define A100	0x0080
#define A100F	0x0100
#define APAUSE	0x0400
#define AASM	0x0800
#define AALL	(A10 | A10F | A100 | A100F)
#define CSMA	0x0001

static struct fake_phy {
	uint16_t reg[32];
	uint16_t bmsr_latched;	/* first read of register 1 since reset; 0: nothing latched */
	unsigned int reset_reads; /* register 0 reads with the reset bit set */
	int fail_reg;		/* this register answers with -EIO; -1: none */
	uint32_t written;	/* registers written, as a mask */
} phy;

static int
phy_read(void *ctx, uint8_t reg, uint16_t *val)
{
	struct fake_phy *p = ctx;

	assert_in_range(reg, 0, 31);
	if (reg == p->fail_reg)
		return -EIO;
	*val = p->reg[reg];
	if (reg == 1 && p->bmsr_latched != 0) {
		*val = p->bmsr_latched;
		p->bmsr_latched = 0;
	}
	if (reg == 0 && (p->reg[0] & 0x8000) != 0 && p->reset_reads > 0 &&
	    --p->reset_reads == 0)
		p->reg[0] = 0x1140;
	return 0;
}

static int
phy_write(void *ctx, uint8_t reg, uint16_t val)
{
	struct fake_phy *p = ctx;

	assert_in_range(reg, 0, 31);
	if (reg == p->fail_reg)
		return -EIO;
	/* Register 1 and those of the partner are read-only: writing them is an error here. */
	assert_true(reg == 0 || reg == 4 || reg == 9);
	p->written |= 1u << reg;
	p->reg[reg] = val;
	return 0;
}

static struct pw_mii mii = { .read = phy_read, .write = phy_write, .ctx = &phy };

/* A gigabit PHY, link up, negotiation complete, all 10 and 100 Mbit/s modes, 1000BASE-T full. */
static int
start(void **state)
{
	(void)state;
	memset(&phy, 0, sizeof(phy));
	phy.reg[0] = 0x1140;
	phy.reg[1] = 0x796d;
	phy.reg[2] = 0x0141;
	phy.reg[3] = 0x0cb1;
	phy.reg[15] = 0x2000;
	phy.fail_reg = -1;
	mii.gigabit = true;
	fake_clock_start();
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	fake_clock_stop();
	return 0;
}

static void
test_id(void **state)
{
	uint32_t id;

	(void)state;
	assert_int_equal(pw_mii_id(&mii, &id), 0);
	assert_int_equal(id, 0x01410cb1);
	phy.reg[2] = 0;
	phy.reg[3] = 0;
	assert_int_equal(pw_mii_id(&mii, &id), -ENODEV);
	phy.reg[2] = 0xffff;
	phy.reg[3] = 0xffff;
	assert_int_equal(pw_mii_id(&mii, &id), -ENODEV);
	phy.fail_reg = 3;
	assert_int_equal(pw_mii_id(&mii, &id), -EIO);
}

static void
test_reset_waits_for_the_bit_to_clear(void **state)
{
	(void)state;
	phy.reset_reads = 8;
	assert_int_equal(pw_mii_reset(&mii), 0);
	assert_int_equal(phy.reg[0], 0x1140);
	assert_in_range(fake_clock.us, 1, 10000);
}

static void
test_reset_that_never_ends(void **state)
{
	(void)state;
	assert_int_equal(pw_mii_reset(&mii), -ETIMEDOUT);
	/* §22.2.4.1.1: 0.5 s */
	assert_int_equal(fake_clock.us, 500000);
}

static void
gone(void)
{
	phy.reg[0] = 0xffff;
}

static void
test_reset_of_a_phy_that_goes(void **state)
{
	(void)state;
	fake_clock.tick = gone;
	assert_int_equal(pw_mii_reset(&mii), -ENODEV);
	phy.fail_reg = 0;
	assert_int_equal(pw_mii_reset(&mii), -EIO);
}

static void
test_setup_advertises(void **state)
{
	static const struct {
		uint32_t speeds;
		bool pause;
		uint16_t anar, gbcr;
	} rows[] = {
		{ RTE_ETH_LINK_SPEED_AUTONEG, false, CSMA | AALL, 0x0200 },
		{ RTE_ETH_LINK_SPEED_AUTONEG, true, CSMA | AALL | APAUSE | AASM, 0x0200 },
		{ RTE_ETH_LINK_SPEED_10M_HD, false, CSMA | A10, 0 },
		{ RTE_ETH_LINK_SPEED_10M, false, CSMA | A10F, 0 },
		{ RTE_ETH_LINK_SPEED_100M_HD, false, CSMA | A100, 0 },
		{ RTE_ETH_LINK_SPEED_100M, true, CSMA | A100F | APAUSE | AASM, 0 },
		{ RTE_ETH_LINK_SPEED_1G, false, CSMA, 0x0200 },
		{ RTE_ETH_LINK_SPEED_1G | RTE_ETH_LINK_SPEED_10M, false, CSMA | A10F, 0x0200 },
		/* 1000BASE-T needs negotiation: fixed is offering nothing else. */
		{ RTE_ETH_LINK_SPEED_1G | RTE_ETH_LINK_SPEED_FIXED, false, CSMA, 0x0200 },
	};

	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		start(state);
		assert_int_equal(pw_mii_setup(&mii, rows[i].speeds, rows[i].pause), 0);
		assert_int_equal(phy.reg[4], rows[i].anar);
		assert_int_equal(phy.reg[9], rows[i].gbcr);
		/* Negotiation enabled and restarted, nothing else. */
		assert_int_equal(phy.reg[0], 0x1200);
	}
}

static void
test_setup_keeps_master_slave_and_test_bits(void **state)
{
	(void)state;
	/* Test mode 0, manual, master, multiport; both 1000BASE-T modes on offer. */
	phy.reg[9] = 0x1f00;
	assert_int_equal(pw_mii_setup(&mii, RTE_ETH_LINK_SPEED_100M, false), 0);
	assert_int_equal(phy.reg[9], 0x1c00);
}

static void
test_setup_forces(void **state)
{
	static const struct {
		uint32_t speed;
		uint16_t bmcr;
	} rows[] = {
		{ RTE_ETH_LINK_SPEED_10M_HD, 0x0000 },
		{ RTE_ETH_LINK_SPEED_10M, 0x0100 },
		{ RTE_ETH_LINK_SPEED_100M_HD, 0x2000 },
		{ RTE_ETH_LINK_SPEED_100M, 0x2100 },
	};

	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		start(state);
		assert_int_equal(pw_mii_setup(&mii, rows[i].speed | RTE_ETH_LINK_SPEED_FIXED,
					      true), 0);
		assert_int_equal(phy.reg[0], rows[i].bmcr);
		assert_int_equal(phy.written, 1u << 0);
	}
}

static void
test_setup_refuses(void **state)
{
	static const struct {
		const char *rule;
		uint32_t speeds;
		uint16_t bmsr, esr;
		bool gigabit;
	} rows[] = {
		{ "two fixed", RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_10M |
		  RTE_ETH_LINK_SPEED_100M, 0x796d, 0x2000, true },
		{ "none fixed", RTE_ETH_LINK_SPEED_FIXED, 0x796d, 0x2000, true },
		{ "2.5G", RTE_ETH_LINK_SPEED_2_5G, 0x796d, 0x2000, true },
		{ "one of two unknown", RTE_ETH_LINK_SPEED_10M | RTE_ETH_LINK_SPEED_10G, 0x796d,
		  0x2000, true },
		{ "1G on a fast Ethernet PHY", RTE_ETH_LINK_SPEED_1G, 0x7869, 0, false },
		{ "1G where the PHY says no", RTE_ETH_LINK_SPEED_1G, 0x796d, 0, true },
		{ "no 100 full", RTE_ETH_LINK_SPEED_100M, 0x396d, 0x2000, true },
		{ "no 10 half", RTE_ETH_LINK_SPEED_10M_HD | RTE_ETH_LINK_SPEED_FIXED, 0x716d,
		  0x2000, true },
		{ "cannot negotiate", RTE_ETH_LINK_SPEED_AUTONEG, 0x7965, 0x2000, true },
		{ "cannot negotiate 1G", RTE_ETH_LINK_SPEED_1G | RTE_ETH_LINK_SPEED_FIXED, 0x7965,
		  0x2000, true },
	};

	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		start(state);
		phy.reg[1] = rows[i].bmsr;
		phy.reg[15] = rows[i].esr;
		mii.gigabit = rows[i].gigabit;
		if (pw_mii_setup(&mii, rows[i].speeds, false) != -EINVAL)
			fail_msg("%s", rows[i].rule);
		assert_int_equal(phy.written, 0);
	}
}

/* Fast Ethernet PHYs have no registers 9, 10 and 15, or something else there. */
static void
test_fast_ethernet_phy_is_left_alone_above_8(void **state)
{
	struct pw_mii_link link;

	(void)state;
	mii.gigabit = false;
	phy.reg[10] = 0x0800;
	phy.reg[9] = 0x0200;
	phy.reg[4] = CSMA | AALL;
	phy.reg[5] = CSMA | A10F;
	assert_int_equal(pw_mii_link_read(&mii, &link), 0);
	assert_int_equal(link.speed, 10);
	assert_int_equal(pw_mii_setup(&mii, RTE_ETH_LINK_SPEED_AUTONEG, false), 0);
	assert_int_equal(phy.written, 1u << 0 | 1u << 4);
	assert_int_equal(phy.reg[9], 0x0200);
}

/* Some PHY models announce register 15 and refuse to read it. */
static void
test_setup_when_register_15_does_not_answer(void **state)
{
	(void)state;
	phy.fail_reg = 15;
	assert_int_equal(pw_mii_setup(&mii, RTE_ETH_LINK_SPEED_1G, false), 0);
	assert_int_equal(phy.reg[9], 0x0200);
}

static void
test_setup_when_register_15_is_not_announced(void **state)
{
	(void)state;
	phy.reg[1] = 0x786d;
	phy.reg[15] = 0;
	assert_int_equal(pw_mii_setup(&mii, RTE_ETH_LINK_SPEED_1G, false), 0);
	assert_int_equal(phy.reg[9], 0x0200);
}

static void
test_setup_passes_on_what_the_verbs_say(void **state)
{
	static const int regs[] = { 0, 1, 4, 9 };

	for (size_t i = 0; i < RTE_DIM(regs); i++) {
		start(state);
		phy.fail_reg = regs[i];
		assert_int_equal(pw_mii_setup(&mii, RTE_ETH_LINK_SPEED_AUTONEG, false), -EIO);
	}
	start(state);
	phy.reg[1] = 0xffff;
	assert_int_equal(pw_mii_setup(&mii, RTE_ETH_LINK_SPEED_AUTONEG, false), -ENODEV);
}

/* Annex 28B.3: the best mode that both offer. */
static void
test_link_resolves_to_the_best_common_mode(void **state)
{
	static const struct {
		uint16_t anar, gbcr, anlpar, gbsr;
		uint32_t speed;	/* 0: down */
		bool full;
	} rows[] = {
		{ AALL, 0x0200, AALL, 0x0800, 1000, true },
		{ AALL, 0x0300, AALL, 0x0c00, 1000, true },
		{ AALL, 0x0300, AALL, 0x0400, 1000, false },
		/* full duplex here, half duplex there: no 1000 Mbit/s */
		{ AALL, 0x0200, AALL, 0x0400, 100, true },
		{ AALL, 0x0100, AALL, 0x0800, 100, true },
		{ AALL, 0, AALL, 0x0800, 100, true },
		{ AALL, 0x0200, AALL, 0, 100, true },
		{ AALL, 0, A100 | A10F | A10, 0, 100, false },
		{ A100 | A10F, 0, AALL, 0, 100, false },
		{ AALL, 0, A10F | A10, 0, 10, true },
		{ A10F | A10, 0, A100F | A10F, 0, 10, true },
		{ AALL, 0, A10, 0, 10, false },
		{ A10, 0, AALL, 0, 10, false },
		/* a hub found by parallel detection */
		{ AALL, 0x0200, A100, 0, 100, false },
		/* nothing in common */
		{ A100F, 0, A10F, 0, 0, false },
		{ 0, 0x0200, AALL, 0, 0, false },
		{ AALL, 0x0200, 0, 0, 0, false },
	};

	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		struct pw_mii_link link;

		start(state);
		phy.reg[4] = CSMA | rows[i].anar;
		phy.reg[9] = rows[i].gbcr;
		phy.reg[5] = CSMA | 0x4000 | rows[i].anlpar;
		phy.reg[10] = rows[i].gbsr;
		assert_int_equal(pw_mii_link_read(&mii, &link), 0);
		assert_true(link.autoneg);
		if (link.up != (rows[i].speed != 0) || link.speed != rows[i].speed ||
		    link.full_duplex != rows[i].full)
			fail_msg("row %zu: up %d, %u Mbit/s, full duplex %d", i, link.up,
				 link.speed, link.full_duplex);
	}
}

/* Table 28B-3, all sixteen; "tx" is sending PAUSE, "rx" honouring it. */
static void
test_pause_resolution(void **state)
{
	static const struct {
		uint16_t local, partner;
		bool tx, rx;
	} rows[] = {
		{ 0, 0, false, false },
		{ 0, AASM, false, false },
		{ 0, APAUSE, false, false },
		{ 0, APAUSE | AASM, false, false },
		{ AASM, 0, false, false },
		{ AASM, AASM, false, false },
		{ AASM, APAUSE, false, false },
		{ AASM, APAUSE | AASM, true, false },
		{ APAUSE, 0, false, false },
		{ APAUSE, AASM, false, false },
		{ APAUSE, APAUSE, true, true },
		{ APAUSE, APAUSE | AASM, true, true },
		{ APAUSE | AASM, 0, false, false },
		{ APAUSE | AASM, AASM, false, true },
		{ APAUSE | AASM, APAUSE, true, true },
		{ APAUSE | AASM, APAUSE | AASM, true, true },
	};

	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		struct pw_mii_link link;

		start(state);
		phy.reg[4] = CSMA | A100F | rows[i].local;
		phy.reg[5] = CSMA | A100F | rows[i].partner;
		assert_int_equal(pw_mii_link_read(&mii, &link), 0);
		if (link.pause_tx != rows[i].tx || link.pause_rx != rows[i].rx)
			fail_msg("row %zu: tx %d, rx %d", i, link.pause_tx, link.pause_rx);
		/* PAUSE is for full duplex (§31B.1). */
		phy.reg[4] = CSMA | A100 | rows[i].local;
		phy.reg[5] = CSMA | A100 | rows[i].partner;
		assert_int_equal(pw_mii_link_read(&mii, &link), 0);
		assert_int_equal(link.speed, 100);
		assert_false(link.pause_tx || link.pause_rx);
	}
}

static void
test_link_forced(void **state)
{
	static const struct {
		uint16_t bmcr;
		uint32_t speed;
		bool full;
	} rows[] = {
		{ 0x0000, 10, false },
		{ 0x0100, 10, true },
		{ 0x2000, 100, false },
		{ 0x2100, 100, true },
		{ 0x0140, 1000, true },
	};

	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		struct pw_mii_link link;

		start(state);
		phy.reg[0] = rows[i].bmcr;
		/* What was negotiated before does not count. */
		phy.reg[4] = CSMA | AALL | APAUSE;
		phy.reg[5] = CSMA | AALL | APAUSE;
		assert_int_equal(pw_mii_link_read(&mii, &link), 0);
		assert_true(link.up);
		assert_false(link.autoneg);
		assert_int_equal(link.speed, rows[i].speed);
		assert_int_equal(link.full_duplex, rows[i].full);
		assert_false(link.pause_rx || link.pause_tx);
	}
}

static void
test_link_down(void **state)
{
	struct pw_mii_link link;

	(void)state;
	phy.reg[4] = CSMA | AALL;
	phy.reg[5] = CSMA | AALL;
	phy.reg[1] = 0x7969;
	assert_int_equal(pw_mii_link_read(&mii, &link), 0);
	assert_false(link.up);
	assert_int_equal(link.speed, 0);
	/* Up, but the ends still negotiate. */
	phy.reg[1] = 0x794d;
	assert_int_equal(pw_mii_link_read(&mii, &link), 0);
	assert_false(link.up);
	/* Forced and no carrier. */
	phy.reg[1] = 0x7949;
	phy.reg[0] = 0x2100;
	assert_int_equal(pw_mii_link_read(&mii, &link), 0);
	assert_false(link.up);
}

/* Link status latches low (§22.2.4.2.13): an old drop must not hide that the link is up. */
static void
test_link_reads_past_the_latch(void **state)
{
	struct pw_mii_link link;

	(void)state;
	phy.bmsr_latched = 0x7969;
	phy.reg[4] = CSMA | AALL;
	phy.reg[5] = CSMA | AALL;
	assert_int_equal(pw_mii_link_read(&mii, &link), 0);
	assert_true(link.up);
}

static void
test_link_is_down_on_error(void **state)
{
	static const int regs[] = { 0, 1, 4, 5, 9, 10 };
	struct pw_mii_link link;

	for (size_t i = 0; i < RTE_DIM(regs); i++) {
		start(state);
		phy.fail_reg = regs[i];
		phy.reg[4] = CSMA | AALL;
		phy.reg[5] = CSMA | AALL;
		memset(&link, 0xff, sizeof(link));
		assert_int_equal(pw_mii_link_read(&mii, &link), -EIO);
		assert_false(link.up);
		assert_int_equal(link.speed, 0);
	}
	start(state);
	phy.reg[0] = 0xffff;
	phy.reg[1] = 0xffff;
	assert_int_equal(pw_mii_link_read(&mii, &link), -ENODEV);
	assert_false(link.up);
}

static void
test_power_changes_its_bit_only(void **state)
{
	(void)state;
	assert_int_equal(pw_mii_power(&mii, false), 0);
	assert_int_equal(phy.reg[0], 0x1940);
	assert_int_equal(pw_mii_power(&mii, true), 0);
	assert_int_equal(phy.reg[0], 0x1140);
	phy.reg[0] = 0xffff;
	assert_int_equal(pw_mii_power(&mii, true), -ENODEV);
	assert_int_equal(phy.reg[0], 0xffff);
}

static void
test_to_eth_link(void **state)
{
	const struct pw_mii_link up = { .up = true, .autoneg = true, .full_duplex = true,
					.speed = 1000 };
	const struct pw_mii_link half = { .up = true, .speed = 10 };
	const struct pw_mii_link down = { .autoneg = true, .speed = 100, .full_duplex = true };
	struct rte_eth_link eth;

	(void)state;
	pw_mii_to_eth_link(&up, &eth);
	assert_int_equal(eth.link_status, RTE_ETH_LINK_UP);
	assert_int_equal(eth.link_speed, RTE_ETH_SPEED_NUM_1G);
	assert_int_equal(eth.link_duplex, RTE_ETH_LINK_FULL_DUPLEX);
	assert_int_equal(eth.link_autoneg, RTE_ETH_LINK_AUTONEG);
	pw_mii_to_eth_link(&half, &eth);
	assert_int_equal(eth.link_status, RTE_ETH_LINK_UP);
	assert_int_equal(eth.link_speed, RTE_ETH_SPEED_NUM_10M);
	assert_int_equal(eth.link_duplex, RTE_ETH_LINK_HALF_DUPLEX);
	assert_int_equal(eth.link_autoneg, RTE_ETH_LINK_FIXED);
	memset(&eth, 0xff, sizeof(eth));
	pw_mii_to_eth_link(&down, &eth);
	assert_int_equal(eth.link_status, RTE_ETH_LINK_DOWN);
	assert_int_equal(eth.link_speed, RTE_ETH_SPEED_NUM_NONE);
	assert_int_equal(eth.link_autoneg, RTE_ETH_LINK_AUTONEG);
}

#define on_phy(t) cmocka_unit_test_setup_teardown(t, start, stop)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		on_phy(test_id),
		on_phy(test_reset_waits_for_the_bit_to_clear),
		on_phy(test_reset_that_never_ends),
		on_phy(test_reset_of_a_phy_that_goes),
		on_phy(test_setup_advertises),
		on_phy(test_setup_keeps_master_slave_and_test_bits),
		on_phy(test_setup_forces),
		on_phy(test_setup_refuses),
		on_phy(test_fast_ethernet_phy_is_left_alone_above_8),
		on_phy(test_setup_when_register_15_does_not_answer),
		on_phy(test_setup_when_register_15_is_not_announced),
		on_phy(test_setup_passes_on_what_the_verbs_say),
		on_phy(test_link_resolves_to_the_best_common_mode),
		on_phy(test_pause_resolution),
		on_phy(test_link_forced),
		on_phy(test_link_down),
		on_phy(test_link_reads_past_the_latch),
		on_phy(test_link_is_down_on_error),
		on_phy(test_power_changes_its_bit_only),
		on_phy(test_to_eth_link),
	};

	return cmocka_run_group_tests_name("mii", tests, eal_setup, eal_teardown);
}
