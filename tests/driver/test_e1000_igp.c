/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * e1000: the IGP01 PHY of 82541 and 82547, on a card made of little more than an array. Values
 * are those of the family's facts page, §4.4.
 */

#include "e1000_card.h"

#define MS UINT64_C(1000000)

struct val {
	uint16_t reg, val;
};

static void
expect_log(const struct val *want, unsigned int n)
{
	assert_int_equal(card.nb_igp_log, n);
	for (unsigned int i = 0; i < n; i++) {
		assert_int_equal(card.igp_log[i].reg, want[i].reg);
		assert_int_equal(card.igp_log[i].val, want[i].val);
	}
	card.nb_igp_log = 0;
}

static void
set_up(uint16_t device, uint32_t speeds)
{
	card_init(device);
	card.igp[0x2f5b] = 0x1234;
	assert_int_equal(e1000_phy_init(&card_hw), 0);
	card_hw.link_speeds = speeds;
	assert_int_equal(e1000_link_setup(&card_hw), 0);
}

/* Cable and partner, as the PHY has them when the link is up. */
static void
link_comes(uint16_t agc, uint32_t speed, uint16_t idle_errors)
{
	for (unsigned int i = 0; i < 4; i++)
		card.igp[(const uint16_t[]){ 0x1172, 0x1272, 0x1472, 0x1872 }[i]] = agc << 7;
	card.phy[MII_GBSR] = (speed == 1000 ? MII_GBSR_LP_1000FULL : 0) | idle_errors;
	card.phy[MII_ANLPAR] = 0x41e1;
	R(E1000_STATUS) &= ~E1000_STATUS_SPEED_MASK;
	R(E1000_STATUS) |= E1000_STATUS_LU | E1000_STATUS_FD |
			   (speed == 1000 ? E1000_STATUS_SPEED_1000 :
			    speed == 100 ? E1000_STATUS_SPEED_100 : 0);
	assert_int_equal(e1000_link_read(&card_hw), 0);
	assert_true(card_hw.link.up);
	assert_int_equal(card_hw.link.speed, speed);
}

static void
link_goes(void)
{
	R(E1000_STATUS) &= ~E1000_STATUS_LU;
	assert_int_equal(e1000_link_read(&card_hw), 0);
	assert_false(card_hw.link.up);
}

/* --- after reset --------------------------------------------------------------------------- */

static void
test_first_revision_is_given_its_settings(void **state)
{
	static const struct val want[] = {
		{ 0x2f5b, 3 }, { 0x1f95, 0x0001 }, { 0x1f71, 0xbd21 }, { 0x1f79, 0x0018 },
		{ 0x1f30, 0x1600 }, { 0x1f31, 0x0014 }, { 0x1f32, 0x161c }, { 0x1f94, 0x0003 },
		{ 0x1f96, 0x003f }, { 0x2010, 0x0008 }, { 0x2f5b, 0x1234 },
	};

	(void)state;
	set_up(0x1013, 0);
	expect_log(want, RTE_DIM(want));
	/* By pin: once with the reset of the chip, once here. */
	assert_int_equal(card.phy_resets, 2);
	assert_int_equal(R(E1000_CTRL) & E1000_CTRL_PHY_RST, 0);
}

static void
test_second_revision_is_given_its_settings(void **state)
{
	static const struct val want[] = {
		{ 0x2f5b, 3 }, { 0x1f73, 0x0099 }, { 0x2f5b, 0x1234 },
	};
	static const uint16_t device[] = { 0x1076, 0x107c, 0x1075 };

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(device); i++) {
		set_up(device[i], 0);
		expect_log(want, RTE_DIM(want));
		assert_int_equal(card.phy_resets, 1);
	}
}

/* 82547: a fuse past the threshold is taken back by a step of both, one on it by ten fine ones. */
static void
test_82547_is_trimmed(void **state)
{
	static const struct {
		uint16_t spare, fuse, want;
		bool trimmed;
	} t[] = {
		{ 0x0000, 0xa130, 0xa130, true },	/* 0x30, below */
		{ 0x0000, 0xa640, 0xa140, true },	/* 0x600 - 0x500 */
		{ 0x0000, 0xa750, 0xa6c0, true },	/* 0x40 and 0x700 - 0x80 = 0x680 */
		{ 0x0100, 0xa750, 0, false },		/* done in the factory */
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		card_init(0x1019);
		card.igp[0x20d1] = t[i].spare;
		card.igp[0x20d0] = t[i].fuse;
		assert_int_equal(e1000_phy_init(&card_hw), 0);
		assert_int_equal(e1000_link_setup(&card_hw), 0);
		assert_int_equal(card.igp[0x20dc], t[i].want);
		assert_int_equal(card.igp[0x20de], t[i].trimmed ? 2 : 0);
	}
	/* The second revision has no need. */
	set_up(0x1075, 0);
	assert_int_equal(card.igp[0x20de], 0);
}

/* Bits 13:12 of register 18: by hand; 12: by itself. */
static void
test_crossing_over_by_revision(void **state)
{
	static const struct {
		uint16_t device;
		uint32_t speeds;
		uint16_t want;
	} t[] = {
		{ 0x1013, 0, 0 }, { 0x1019, 0, 0 }, { 0x1076, 0, 0x1000 }, { 0x1075, 0, 0x1000 },
		{ 0x1076, RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_100M, 0 },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		card_init(t[i].device);
		card.phy[18] = 0x3000;
		assert_int_equal(e1000_phy_init(&card_hw), 0);
		card_hw.link_speeds = t[i].speeds;
		assert_int_equal(e1000_link_setup(&card_hw), 0);
		assert_int_equal(card.phy[18], t[i].want);
	}
}

/* Bit 7 of register 16: only where there is something to go down to. */
static void
test_smartspeed_by_what_is_offered(void **state)
{
	static const struct {
		uint32_t speeds;
		bool on;
	} t[] = {
		{ RTE_ETH_LINK_SPEED_AUTONEG, true },
		{ RTE_ETH_LINK_SPEED_1G | RTE_ETH_LINK_SPEED_100M, true },
		{ RTE_ETH_LINK_SPEED_1G, false },
		{ RTE_ETH_LINK_SPEED_100M | RTE_ETH_LINK_SPEED_10M, false },
		{ RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_1G, false },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		card_init(0x1076);
		card.phy[16] = 0x00c0;
		card.phy[MII_GBCR] = MII_GBCR_MS_MANUAL;
		assert_int_equal(e1000_phy_init(&card_hw), 0);
		card_hw.link_speeds = t[i].speeds;
		assert_int_equal(e1000_link_setup(&card_hw), 0);
		assert_int_equal(card.phy[16], t[i].on ? 0x00c0 : 0x0040);
		/* Nobody is master by decree. */
		assert_int_equal(card.phy[MII_GBCR] & MII_GBCR_MS_MANUAL, 0);
	}
}

/* --- the cable ----------------------------------------------------------------------------- */

/* A gain of 56 is a cable of 60 m: the step size of all four pairs goes to its least. */
static void
test_long_cable_is_told_to_the_second_revision(void **state)
{
	static const struct {
		uint16_t device, agc;
		bool told;
	} t[] = {
		{ 0x1076, 55, false }, { 0x1076, 56, true }, { 0x1075, 126, true },
		{ 0x1013, 56, false }, { 0x1076, 0, false }, { 0x1076, 127, false },
	};
	static const uint16_t reg[] = { 0x1171, 0x1271, 0x1471, 0x1871 };

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		set_up(t[i].device, 0);
		for (unsigned int k = 0; k < 4; k++)
			card.igp[reg[k]] = 0xc123;
		link_comes(t[i].agc, 1000, 0);
		for (unsigned int k = 0; k < 4; k++)
			assert_int_equal(card.igp[reg[k]], t[i].told ? 0x0123 : 0xc123);
		/* No further look disturbs it. */
		card.nb_igp_log = 0;
		assert_int_equal(e1000_link_read(&card_hw), 0);
		assert_int_equal(card.nb_igp_log, 0);
		link_goes();
		for (unsigned int k = 0; k < 4; k++)
			assert_int_equal(card.igp[reg[k]], t[i].told ? 0x8123 : 0xc123);
		/* The transmitter is on again, and it negotiates. */
		assert_int_equal(card.igp[0x2f5b], 0x1234);
		assert_int_equal(card.phy[MII_BMCR] & MII_BMCR_ANENABLE, MII_BMCR_ANENABLE);
		card.nb_igp_log = 0;
		link_goes();
		assert_int_equal(card.nb_igp_log, 0);
	}
}

/* Three pairs count on a short cable: (10 + 10 + 10) / 3, not (200 + ...) / 4. */
static void
test_one_pair_that_is_far_off(void **state)
{
	(void)state;
	set_up(0x1076, 0);
	card.igp[0x1171] = 0xc000;
	link_comes(60, 1000, 0);
	assert_int_equal(card.igp[0x1171], 0);
	link_goes();
	/* 58 + 58 + 58 + 1 = 175, less than 200: without the 1 they are 58 each. */
	card.igp[0x1171] = 0xc000;
	for (unsigned int i = 0; i < 3; i++)
		card.igp[(const uint16_t[]){ 0x1172, 0x1272, 0x1472 }[i]] = 58 << 7;
	card.igp[0x1872] = 1 << 7;
	R(E1000_STATUS) |= E1000_STATUS_LU;
	assert_int_equal(e1000_link_read(&card_hw), 0);
	assert_int_equal(card.igp[0x1171], 0);
}

/* More than five idle errors; 20 ms without one are enough to be sure. */
static void
test_noisy_cable(void **state)
{
	static const struct {
		uint16_t device, errors;
		uint64_t ms;	/* to find out */
		uint16_t ffe;
	} t[] = {
		{ 0x1013, 0, 20, 0 }, { 0x1076, 0, 20, 0 }, { 0x1076, 1, 6, 0x69 },
		{ 0x1013, 3, 2, 0x69 }, { 0x1019, 255, 1, 0x69 },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		uint64_t before;

		set_up(t[i].device, 0);
		before = pw_clock_now(&fx_clock);
		link_comes(20, 1000, t[i].errors);
		assert_in_range(pw_clock_now(&fx_clock) - before, t[i].ms * MS,
				(t[i].ms + 1) * MS);
		assert_int_equal(card.igp[0x1f35], t[i].ffe);
		link_goes();
		assert_int_equal(card.igp[0x1f35], t[i].ffe != 0 ? 0x2a : 0);
		assert_int_equal(card.igp[0x2f5b], 0x1234);
	}
}

static void
test_slow_links_are_not_tuned(void **state)
{
	(void)state;
	set_up(0x1076, 0);
	card.nb_igp_log = 0;
	link_comes(100, 100, 9);
	assert_int_equal(card.nb_igp_log, 0);
	link_goes();
	assert_int_equal(card.nb_igp_log, 0);
}

/* §4.3: after SmartSpeed has gone down, the PHY may call half duplex full. */
static void
test_duplex_after_a_downshift_is_the_partners(void **state)
{
	static const struct {
		uint32_t speed;
		uint16_t health, aner, lpar;
		bool full;
	} t[] = {
		{ 100, 0x8000, 1, 0x0081, false },	/* 100BASE-TX half only */
		{ 100, 0x8000, 1, 0x0181, true },
		{ 100, 0x8000, 0, 0x0181, false },	/* it does not negotiate */
		{ 10, 0x8000, 1, 0x0021, false },
		{ 10, 0x8000, 1, 0x0061, true },
		{ 100, 0x0000, 1, 0x0081, true },	/* none: the PHY is right */
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		set_up(0x1076, 0);
		card.phy[19] = t[i].health;
		card.phy[MII_ANER] = t[i].aner;
		card.phy[MII_ANLPAR] = t[i].lpar;
		R(E1000_STATUS) |= E1000_STATUS_LU | E1000_STATUS_FD |
				   (t[i].speed == 100 ? E1000_STATUS_SPEED_100 : 0);
		assert_int_equal(e1000_link_read(&card_hw), 0);
		assert_true(card_hw.link.up);
		assert_int_equal(card_hw.link.full_duplex, t[i].full);
	}
}

/* --- a PHY that is no help ----------------------------------------------------------------- */

static void
test_dead_phy_is_no_endless_wait(void **state)
{
	uint64_t before;

	(void)state;
	set_up(0x1076, 0);
	link_comes(60, 1000, 0);
	card.mdic = false;
	before = pw_clock_now(&fx_clock);
	link_goes();
	log_capture_start();
	assert_int_not_equal(e1000_link_setup(&card_hw), 0);
	log_capture_expect("cannot set the PHY up");
	assert_in_range(pw_clock_now(&fx_clock) - before, 0, 2000 * MS);
}

int
main(void)
{
#define T(name) cmocka_unit_test(test_##name)
	const struct CMUnitTest tests[] = {
		T(first_revision_is_given_its_settings),
		T(second_revision_is_given_its_settings),
		T(82547_is_trimmed),
		T(crossing_over_by_revision),
		T(smartspeed_by_what_is_offered),
		T(long_cable_is_told_to_the_second_revision),
		T(one_pair_that_is_far_off),
		T(noisy_cable),
		T(slow_links_are_not_tuned),
		T(duplex_after_a_downshift_is_the_partners),
		T(dead_phy_is_no_endless_wait),
	};

	return cmocka_run_group_tests_name("e1000_igp", tests, fx_setup, fx_teardown);
}
