/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* i8255x: finding the PHY, setting it up, reading the link (§4.2 to §4.4). */

#include "i8255x_card.h"

#define ID_DP83840	0x5c01		/* register 3 of revision 1 */
#define FIXED		RTE_ETH_LINK_SPEED_FIXED

static uint16_t *
put_phy(unsigned int addr, uint16_t id1, uint16_t id2)
{
	uint16_t *phy = icard.phy[addr];

	if (addr != 1)
		memcpy(phy, icard.phy[1], sizeof(icard.phy[1]));
	phy[MII_PHYID1] = id1;
	phy[MII_PHYID2] = id2;
	icard.phys |= 1u << addr;
	return phy;
}

/* An 82557 board with that PHY record (EEPROM word 6), as far as the PHY. */
static void
board_557(uint16_t word6)
{
	icard_make(0x1229, 0x02);
	icard.nvm[6] = word6;
	icard_nvm_sum();
	assert_int_equal(i8255x_hw_init(&icard_hw, &icard_dev), 0);
	assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
	i8255x_fc_init(&icard_hw);
}

/* --- finding it (§4.2) ----------------------------------------------------------------- */

/* 1, 0, 2 to 31: the first that answers is taken, the others are isolated. */
static void
test_phys_are_looked_for_in_order(void **state)
{
	static const struct {
		uint32_t phys;
		uint8_t addr;
	} t[] = {
		{ 1u << 1, 1 }, { 1u << 0, 0 }, { 1u << 31, 31 }, { 1u << 5 | 1u << 9, 5 },
		{ 1u << 0 | 1u << 1, 1 }, { 1u << 0 | 1u << 4, 0 }, { 0xffffffff, 1 },
	};

	(void)state;
	for (unsigned int i = 0; i < 2 * RTE_DIM(t); i++) {
		uint32_t phys = t[i / 2].phys;

		board_557(0x4701);
		for (unsigned int a = 0; a < 32; a++)
			put_phy(a, 0x02a8, 0x0154)[MII_BMCR] |= i % 2 ? MII_BMCR_ISOLATE : 0;
		icard.phys = phys;
		assert_int_equal(i8255x_phy_init(&icard_hw), 0);
		assert_int_equal(icard_hw.phy_addr, t[i / 2].addr);
		assert_int_equal(icard_hw.phy_id, 0x02a80154);
		for (unsigned int a = 0; a < 32; a++)
			if (phys >> a & 1)
				assert_int_equal(icard.phy[a][MII_BMCR] & MII_BMCR_ISOLATE,
						 a == t[i / 2].addr ? 0 : MII_BMCR_ISOLATE);
	}
}

/* It answers at every address, so it is isolated with the others, and must be joined last. */
static void
test_82552_answers_everywhere(void **state)
{
	(void)state;
	icard_init(0x10fe, 0x01);
	put_phy(1, 0x004d, 0xd061);
	icard.phy_everywhere = true;
	assert_int_equal(i8255x_phy_init(&icard_hw), 0);
	assert_int_equal(icard_hw.phy_addr, 1);
	assert_int_equal(icard.phy[1][MII_BMCR], 0x3000);
}

static void
test_nobody_answers(void **state)
{
	(void)state;
	icard_init(0x1229, 0x08);
	icard.phys = 0;
	log_capture_start();
	assert_int_equal(i8255x_phy_init(&icard_hw), -ENODEV);
	log_capture_expect("the PHY does not answer");
	/* A PHY inside cannot be one without registers, whatever the EEPROM says. */
	icard_make(0x1229, 0x08);
	icard.nvm[6] = 0x8300;
	icard_nvm_sum();
	icard.phys = 0;
	assert_int_equal(i8255x_hw_init(&icard_hw, &icard_dev), 0);
	assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
	log_capture_start();
	assert_int_equal(i8255x_phy_init(&icard_hw), -ENODEV);
	log_capture_expect("the PHY does not answer");
	/* 82557 with an 82555 that should be there (type 7). */
	board_557(0x4701);
	icard.phys = 0;
	log_capture_start();
	assert_int_equal(i8255x_phy_init(&icard_hw), -ENODEV);
	log_capture_expect("the PHY does not answer");
}

/* Two milliseconds for one access, and the search ends at the first. */
static void
test_mdi_that_is_stuck(void **state)
{
	uint64_t before = pw_clock_now(&fx_clock);

	(void)state;
	icard_init(0x1229, 0x08);
	icard.mdi_stuck = true;
	before = pw_clock_now(&fx_clock);
	log_capture_start();
	assert_int_equal(i8255x_phy_init(&icard_hw), -ETIMEDOUT);
	log_capture_expect("the PHY does not answer");
	assert_in_range((pw_clock_now(&fx_clock) - before) / 1000, 2000, 2100);
	assert_int_equal(icard.mdi_cycles, 0);
}

static void
test_capabilities_are_the_phys(void **state)
{
	static const struct {
		uint16_t bmsr;
		uint32_t capa;
	} t[] = {
		{ 0x7809, RTE_ETH_LINK_SPEED_10M | RTE_ETH_LINK_SPEED_10M_HD |
			  RTE_ETH_LINK_SPEED_100M | RTE_ETH_LINK_SPEED_100M_HD },
		{ 0x1809, RTE_ETH_LINK_SPEED_10M | RTE_ETH_LINK_SPEED_10M_HD },
		{ 0x2009, RTE_ETH_LINK_SPEED_100M_HD },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		icard_init(0x1229, 0x08);
		icard.phy[1][MII_BMSR] = t[i].bmsr;
		assert_int_equal(i8255x_phy_init(&icard_hw), 0);
		assert_int_equal(i8255x_speed_capa(&icard_hw), t[i].capa);
	}
}

/* --- boards whose PHY has no registers (§4.2) ------------------------------------------ */

static void
test_serial_board_counts_as_up(void **state)
{
	static const struct {
		uint16_t word6;
		bool answers;
	} t[] = {
		{ 0x0000, false }, { 0x0300, false }, { 0x0600, false },
		{ 0x8300, false }, { 0x8300, true },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		board_557(t[i].word6);
		icard.phys = t[i].answers ? 2 : 0;
		assert_int_equal(i8255x_phy_init(&icard_hw), 0);
		assert_int_equal(icard_hw.phy_addr, I8255X_NO_PHY);
		assert_int_equal(i8255x_speed_capa(&icard_hw), RTE_ETH_LINK_SPEED_10M_HD);
		icard.mdi_cycles = 0;
		assert_int_equal(i8255x_link_setup(&icard_hw), 0);
		assert_int_equal(i8255x_link_read(&icard_hw), 0);
		assert_true(icard_hw.link.up);
		assert_int_equal(icard_hw.link.speed, 10);
		assert_false(icard_hw.link.full_duplex);
		assert_false(icard_hw.link.autoneg);
		assert_int_equal(i8255x_link_power(&icard_hw, false), -ENOTSUP);
		assert_int_equal(icard.mdi_cycles, 0);
	}
}

/* Bit 15 of a record without a type says nothing. */
static void
test_serial_bit_without_a_phy_record(void **state)
{
	(void)state;
	board_557(0x8001);
	assert_int_equal(i8255x_phy_init(&icard_hw), 0);
	assert_int_equal(icard_hw.phy_addr, 1);
}

/* --- set-up ---------------------------------------------------------------------------- */

/* 802.3 table 28B-3: both bits offer symmetric PAUSE or obeying alone, the second one sending. */
static void
test_what_is_offered(void **state)
{
	static const struct {
		uint8_t rev;
		uint32_t speeds;
		bool rx, tx;
		uint16_t anar;
	} t[] = {
		{ 0x08, 0, true, true, 0x0de1 },
		{ 0x08, 0, true, false, 0x0de1 },
		{ 0x08, 0, false, true, 0x09e1 },
		{ 0x08, 0, false, false, 0x01e1 },
		{ 0x08, RTE_ETH_LINK_SPEED_100M, false, false, 0x0101 },
		{ 0x08, RTE_ETH_LINK_SPEED_10M | RTE_ETH_LINK_SPEED_10M_HD, false, false, 0x0061 },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		icard_init_phy(0x1229, t[i].rev);
		icard_hw.link_speeds = t[i].speeds;
		icard_hw.fc.rx = t[i].rx;
		icard_hw.fc.tx = t[i].tx;
		assert_int_equal(i8255x_link_setup(&icard_hw), 0);
		assert_int_equal(icard.phy[1][MII_ANAR], t[i].anar);
		assert_int_equal(icard.phy[1][MII_BMCR], MII_BMCR_ANENABLE);
	}
	/* 82557 has no flow control to offer. */
	icard_init_phy(0x1229, 0x02);
	assert_int_equal(i8255x_link_setup(&icard_hw), 0);
	assert_int_equal(icard.phy[1][MII_ANAR], 0x01e1);
}

static void
test_forced_modes(void **state)
{
	static const struct {
		uint32_t speed;
		uint16_t bmcr;
		bool force;
	} t[] = {
		{ RTE_ETH_LINK_SPEED_100M, 0x2100, true },
		{ RTE_ETH_LINK_SPEED_100M_HD, 0x2000, false },
		{ RTE_ETH_LINK_SPEED_10M, 0x0100, true },
		{ RTE_ETH_LINK_SPEED_10M_HD, 0x0000, false },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		icard_init_phy(0x1229, 0x08);
		icard_hw.link_speeds = FIXED | t[i].speed;
		assert_int_equal(i8255x_link_setup(&icard_hw), 0);
		assert_int_equal(icard.phy[1][MII_BMCR], t[i].bmcr);
		assert_int_equal(icard_hw.force_duplex, t[i].force);
		/* Negotiating again undoes it. */
		icard_hw.link_speeds = 0;
		assert_int_equal(i8255x_link_setup(&icard_hw), 0);
		assert_int_equal(icard.phy[1][MII_BMCR], MII_BMCR_ANENABLE);
		assert_false(icard_hw.force_duplex);
	}
}

static void
test_speed_that_the_phy_has_not(void **state)
{
	(void)state;
	icard_init_phy(0x1229, 0x08);
	icard.phy[1][MII_BMSR] = 0x1809;
	icard_hw.link_speeds = FIXED | RTE_ETH_LINK_SPEED_100M;
	log_capture_start();
	assert_int_equal(i8255x_link_setup(&icard_hw), -EINVAL);
	log_capture_expect("cannot set the PHY up");
}

/* A PHY that cannot negotiate keeps what the board's straps say. */
static void
test_phy_without_negotiation(void **state)
{
	(void)state;
	board_557(0x4501);
	put_phy(1, 0x1234, 0x5670);
	icard.phy[1][MII_BMSR] = 0x2005;
	icard.phy[1][MII_BMCR] = 0x2000;
	assert_int_equal(i8255x_phy_init(&icard_hw), 0);
	assert_int_equal(i8255x_link_setup(&icard_hw), 0);
	assert_int_equal(icard.phy[1][MII_BMCR], 0x2000);
	assert_int_equal(i8255x_link_read(&icard_hw), 0);
	assert_true(icard_hw.link.up);
	assert_int_equal(icard_hw.link.speed, 100);
	assert_false(icard_hw.link.full_duplex);
}

/* Register 23: bit 10 on, bit 8 off, the rest as it was (§4.4). */
static void
test_dp83840_congestion_control_is_off(void **state)
{
	(void)state;
	board_557(0x4401);
	put_phy(1, 0x2000, ID_DP83840)[DP83840_PCR] = 0x8122;
	assert_int_equal(i8255x_phy_init(&icard_hw), 0);
	assert_int_equal(i8255x_link_setup(&icard_hw), 0);
	assert_int_equal(icard.phy[1][DP83840_PCR], 0x8422);
	/* An 82555 has another register there: none of that. */
	board_557(0x4701);
	icard.phy[1][DP83840_PCR] = 0x8122;
	assert_int_equal(i8255x_phy_init(&icard_hw), 0);
	assert_int_equal(i8255x_link_setup(&icard_hw), 0);
	assert_int_equal(icard.phy[1][DP83840_PCR], 0x8122);
}

/* Told to negotiate without the best speed it is to offer, it ends at 10 Mb/s (§4.4). */
static void
test_82552_is_told_a_speed(void **state)
{
	static const struct {
		uint32_t speeds;
		uint16_t bmcr;
	} t[] = {
		{ 0, 0x3100 },
		{ RTE_ETH_LINK_SPEED_100M_HD | RTE_ETH_LINK_SPEED_10M_HD, 0x3000 },
		{ RTE_ETH_LINK_SPEED_10M, 0x1000 },
		{ FIXED | RTE_ETH_LINK_SPEED_10M, 0x0100 },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		icard_init(0x10fe, 0x01);
		put_phy(1, 0x004d, 0xd061);
		icard.phy_everywhere = true;
		assert_int_equal(i8255x_phy_init(&icard_hw), 0);
		icard_hw.link_speeds = t[i].speeds;
		assert_int_equal(i8255x_link_setup(&icard_hw), 0);
		assert_int_equal(icard.phy[1][MII_BMCR], t[i].bmcr);
	}
}

/* It takes a new offer of PAUSE at a reset only, and an old one needs none (§4.4). */
static void
test_82552_is_reset_for_its_offer(void **state)
{
	static const struct {
		bool rx, tx;
		uint16_t before, after;
		unsigned int resets;
	} t[] = {
		{ true, true, 0x01e1, 0x0de1, 1 }, { true, true, 0x0de1, 0x0de1, 0 },
		{ false, true, 0x05e1, 0x09e1, 1 }, { false, false, 0x0de1, 0x01e1, 1 },
		{ false, false, 0x01e1, 0x01e1, 0 },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		icard_init(0x10fe, 0x01);
		put_phy(1, 0x004d, 0xd061)[MII_ANAR] = t[i].before;
		icard.phy_everywhere = true;
		assert_int_equal(i8255x_phy_init(&icard_hw), 0);
		icard_hw.fc.rx = t[i].rx;
		icard_hw.fc.tx = t[i].tx;
		assert_int_equal(i8255x_link_setup(&icard_hw), 0);
		assert_int_equal(icard.phy[1][MII_ANAR], t[i].after);
		assert_int_equal(icard.phy_resets, t[i].resets);
		if (t[i].resets != 0)
			assert_int_equal(icard.anar_at_reset, t[i].after);
	}
}

/* Register 28: 550 and later; behind a hub if register 27 and EEPROM word 3 say so (§4.3). */
static void
test_crossover(void **state)
{
	static const struct {
		uint16_t device;
		uint8_t rev;
		uint16_t led, compat;
		uint32_t speeds;
		uint16_t want;
	} t[] = {
		{ 0x1229, 0x0e, 0, 0x0003, 0, 0x0080 },
		{ 0x1229, 0x0e, 0, 0x0003, FIXED | RTE_ETH_LINK_SPEED_100M, 0x0000 },
		{ 0x1229, 0x08, 0, 0x0083, 0, 0x5555 },
		{ 0x2449, 0x03, 0x8000, 0x0083, 0, 0x0080 },
		{ 0x2449, 0x03, 0x0000, 0x0083, 0, 0x5555 },
		{ 0x2449, 0x03, 0x8000, 0x0003, 0, 0x5555 },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		icard_make(t[i].device, t[i].rev);
		icard.nvm[3] = t[i].compat;
		icard_nvm_sum();
		icard.phy[1][I82555_LED] = t[i].led;
		icard.phy_led_ro = t[i].led;
		icard.phy[1][I82555_MDIX] = 0x5555;
		assert_int_equal(i8255x_hw_init(&icard_hw, &icard_dev), 0);
		assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
		assert_int_equal(i8255x_phy_init(&icard_hw), 0);
		icard_hw.link_speeds = t[i].speeds;
		assert_int_equal(i8255x_link_setup(&icard_hw), 0);
		assert_int_equal(icard.phy[1][I82555_MDIX], t[i].want);
	}
}

/* --- reading the link ------------------------------------------------------------------ */

static void
expect_link(uint32_t mbps, bool full)
{
	assert_int_equal(i8255x_link_read(&icard_hw), 0);
	assert_int_equal(icard_hw.link.up, mbps != 0);
	assert_int_equal(icard_hw.link.speed, mbps);
	assert_int_equal(icard_hw.link.full_duplex, full);
}

/* Register 1Dh: 0 link, 1 speed, 2 duplex (§2). An unchanged link costs no MDI cycle. */
static void
test_link_by_one_register(void **state)
{
	static const struct {
		uint8_t status;
		uint32_t mbps;
		bool full;
	} t[] = {
		{ 0x07, 100, true }, { 0x03, 100, false }, { 0x05, 10, true }, { 0x01, 10, false },
		{ 0x06, 0, false }, { 0x00, 0, false },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		icard_init_phy(0x1229, 0x08);
		assert_int_equal(i8255x_link_setup(&icard_hw), 0);
		icard.csr[I8255X_GEN_STATUS] = t[i].status;
		expect_link(t[i].mbps, t[i].full);
		assert_int_equal(icard_hw.link.autoneg, t[i].mbps != 0);
		icard.mdi_cycles = 0;
		expect_link(t[i].mbps, t[i].full);
		assert_int_equal(icard.mdi_cycles, 0);
	}
}

/* PAUSE comes from the PHY, when a link is new (802.3 table 28B-3). */
static void
test_pause_as_negotiated(void **state)
{
	static const struct {
		bool rx, tx;		/* asked for */
		uint16_t partner;
		bool want_rx, want_tx;
	} t[] = {
		{ true, true, 0x45e1, true, true },
		{ true, true, 0x41e1, false, false },
		{ true, true, 0x49e1, true, false },
		{ false, true, 0x4de1, false, true },
		{ false, false, 0x4de1, false, false },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		icard_init_phy(0x1229, 0x08);
		icard_hw.fc.rx = t[i].rx;
		icard_hw.fc.tx = t[i].tx;
		assert_int_equal(i8255x_link_setup(&icard_hw), 0);
		icard.phy[1][MII_ANLPAR] = t[i].partner;
		for (unsigned int look = 0; look < 2; look++) {
			expect_link(100, true);
			assert_int_equal(icard_hw.link.pause_rx, t[i].want_rx);
			assert_int_equal(icard_hw.link.pause_tx, t[i].want_tx);
		}
	}
}

/* Register 16: 6:2 address, 1 speed, 0 duplex (§4.3); status latches low and is read twice. */
static void
test_link_by_the_82555(void **state)
{
	static const struct {
		uint16_t bmsr, status;
		uint32_t mbps;
		bool full;
	} t[] = {
		{ 0x782d, 0x0007, 100, true }, { 0x782d, 0x0006, 100, false },
		{ 0x782d, 0x0005, 10, true }, { 0x782d, 0x0004, 10, false },
		{ 0x7829, 0x0007, 0, false }, { 0x780d, 0x0007, 0, false },
	};
	static const uint8_t rev[] = { 0x02, 0x05 };

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t) * RTE_DIM(rev); i++) {
		icard_init_phy(0x1229, rev[i % RTE_DIM(rev)]);
		assert_int_equal(i8255x_link_setup(&icard_hw), 0);
		icard.phy[1][MII_BMSR] = t[i / RTE_DIM(rev)].bmsr;
		icard.phy[1][I82555_STATUS] = t[i / RTE_DIM(rev)].status;
		/* What the byte of later parts says does not count here. */
		icard.csr[I8255X_GEN_STATUS] = 0;
		expect_link(t[i / RTE_DIM(rev)].mbps, t[i / RTE_DIM(rev)].full);
		icard.mdi_cycles = 0;
		expect_link(t[i / RTE_DIM(rev)].mbps, t[i / RTE_DIM(rev)].full);
		assert_in_range(icard.mdi_cycles, 1, 3);
	}
}

/* QEMU's 82555 has no register 16: it does not tell its own address there (§1.3). */
static void
test_82555_without_that_register(void **state)
{
	(void)state;
	icard_init_phy(0x1229, 0x05);
	assert_int_equal(i8255x_link_setup(&icard_hw), 0);
	icard.phy[1][I82555_STATUS] = 0;
	icard.phy[1][MII_ANLPAR] = 0x41e1;
	expect_link(100, true);
	icard.phy[1][MII_ANLPAR] = 0x4021;
	expect_link(10, false);
}

/* National's: what both offered; of a partner that does not negotiate, register 25 bit 6. */
static void
test_link_by_the_dp83840(void **state)
{
	static const struct {
		uint16_t anlpar, aner, par;
		uint32_t mbps;
		bool full;
	} t[] = {
		{ 0x41e1, 0x0001, 0x0040, 100, true },
		{ 0x4061, 0x0001, 0x0000, 10, true },
		{ 0x0081, 0x0000, 0x0000, 100, false },
		{ 0x0081, 0x0000, 0x0040, 10, false },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		uint16_t *phy;

		board_557(0x4401);
		phy = put_phy(1, 0x2000, ID_DP83840);
		assert_int_equal(i8255x_phy_init(&icard_hw), 0);
		assert_int_equal(i8255x_link_setup(&icard_hw), 0);
		phy[MII_ANLPAR] = t[i].anlpar;
		phy[MII_ANER] = t[i].aner;
		phy[DP83840_PAR] = t[i].par;
		expect_link(t[i].mbps, t[i].full);
	}
}

/* Forced, there is no negotiation to wait for, and none is reported. */
static void
test_forced_link(void **state)
{
	static const uint8_t rev[] = { 0x02, 0x05, 0x08 };

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(rev); i++) {
		icard_init_phy(0x1229, rev[i]);
		icard_hw.link_speeds = FIXED | RTE_ETH_LINK_SPEED_10M_HD;
		assert_int_equal(i8255x_link_setup(&icard_hw), 0);
		icard.phy[1][MII_BMSR] = 0x780d;
		icard.phy[1][I82555_STATUS] = 0x0004;
		icard.csr[I8255X_GEN_STATUS] = 0x01;
		expect_link(10, false);
		assert_false(icard_hw.link.autoneg);
		assert_false(icard_hw.link.pause_rx || icard_hw.link.pause_tx);
	}
}

static void
test_power(void **state)
{
	(void)state;
	icard_init_phy(0x1229, 0x08);
	assert_int_equal(i8255x_link_setup(&icard_hw), 0);
	expect_link(100, true);
	assert_int_equal(i8255x_link_power(&icard_hw, false), 0);
	assert_int_equal(icard.phy[1][MII_BMCR] & MII_BMCR_PDOWN, MII_BMCR_PDOWN);
	/* Also if the card goes on saying that there is one. */
	expect_link(0, false);
	assert_int_equal(i8255x_link_power(&icard_hw, true), 0);
	assert_int_equal(icard.phy[1][MII_BMCR], MII_BMCR_ANENABLE);
	expect_link(100, true);
}

static void
test_loopback_needs_no_partner(void **state)
{
	(void)state;
	icard_init_phy(0x1229, 0x08);
	assert_int_equal(i8255x_link_power(&icard_hw, false), 0);
	icard.csr[I8255X_GEN_STATUS] = 0;
	icard.phy[1][MII_ANAR] = 0x0021;
	icard_hw.loopback = true;
	assert_int_equal(i8255x_link_setup(&icard_hw), 0);
	/* The clock comes from the PHY; what it offers is not touched. */
	assert_int_equal(icard.phy[1][MII_BMCR] & MII_BMCR_PDOWN, 0);
	assert_int_equal(icard.phy[1][MII_ANAR], 0x0021);
	expect_link(100, true);
}

static void
test_link_of_a_card_that_fails(void **state)
{
	(void)state;
	icard_init_phy(0x1229, 0x05);
	assert_int_equal(i8255x_link_setup(&icard_hw), 0);
	expect_link(100, true);
	icard.mdi_stuck = true;
	assert_int_equal(i8255x_link_read(&icard_hw), -ETIMEDOUT);
	assert_false(icard_hw.link.up);
	icard.mdi_stuck = false;
	expect_link(100, true);
	icard.gone = true;
	assert_int_equal(i8255x_link_read(&icard_hw), -ENODEV);
	assert_false(icard_hw.link.up);
	log_capture_start();
	assert_int_equal(i8255x_link_setup(&icard_hw), -ENODEV);
	log_capture_expect("cannot set the PHY up");
	assert_int_equal(i8255x_link_power(&icard_hw, false), -ENODEV);
}

/* All ones from its registers are no link, wherever it was and whose it is. */
static void
test_phy_that_reads_all_ones(void **state)
{
	static const struct {
		uint8_t addr;
		uint16_t id2;
	} t[] = { { 1, 0x0154 }, { 31, 0x0154 }, { 1, 0x5670 } };

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		icard_init(0x1229, 0x05);
		put_phy(t[i].addr, 0x02a8, t[i].id2)[I82555_STATUS] = t[i].addr << 2 | 0x0003;
		icard.phys = UINT32_C(1) << t[i].addr;
		assert_int_equal(i8255x_phy_init(&icard_hw), 0);
		assert_int_equal(i8255x_link_setup(&icard_hw), 0);
		expect_link(100, true);
		icard.phys = 0;
		assert_int_equal(i8255x_link_read(&icard_hw), -EIO);
		assert_false(icard_hw.link.up);
		icard.phys = UINT32_C(1) << t[i].addr;
		expect_link(100, true);
	}
}

/* --- through ethdev, on the models ----------------------------------------------------- */

#define NEGOTIATED_NS	UINT64_C(5000000000)

static const char *const chips[] = { "82557b", "82558b", "82559c", "82559er", "82551", "82562" };

static void
expect_eth_link(struct fx_port *p, uint32_t mbps, bool full, bool autoneg)
{
	struct rte_eth_link link;

	fx_advance(p, NEGOTIATED_NS);
	assert_int_equal(rte_eth_link_get_nowait(p->id, &link), 0);
	assert_int_equal(link.link_status, mbps != 0);
	assert_int_equal(link.link_speed, mbps);
	if (mbps == 0)
		return;
	assert_int_equal(link.link_duplex, full);
	assert_int_equal(link.link_autoneg, autoneg);
}

static void
test_cable_of_a_model(void **state)
{
	static struct fx_port p;

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(chips); i++) {
		fx_open(&p, chips[i], NULL);
		fx_start(&p, NULL);
		expect_eth_link(&p, 100, true, true);
		assert_int_equal(pw_model_fault(p.model, PW_FAULT_LINK_DOWN, 1), 0);
		expect_eth_link(&p, 0, false, true);
		assert_int_equal(pw_model_fault(p.model, PW_FAULT_LINK_DOWN, 0), 0);
		expect_eth_link(&p, 100, true, true);
		assert_int_equal(rte_eth_dev_set_link_down(p.id), 0);
		expect_eth_link(&p, 0, false, true);
		assert_int_equal(rte_eth_dev_set_link_up(p.id), 0);
		expect_eth_link(&p, 100, true, true);
		fx_close(&p);
	}
}

static void
test_modes_of_a_model(void **state)
{
	static const struct {
		uint32_t speeds;
		uint32_t mbps;
		bool full, autoneg;
	} t[] = {
		{ FIXED | RTE_ETH_LINK_SPEED_100M, 100, true, false },
		{ FIXED | RTE_ETH_LINK_SPEED_100M_HD, 100, false, false },
		{ FIXED | RTE_ETH_LINK_SPEED_10M, 10, true, false },
		{ FIXED | RTE_ETH_LINK_SPEED_10M_HD, 10, false, false },
		{ RTE_ETH_LINK_SPEED_100M_HD, 100, false, true },
		{ RTE_ETH_LINK_SPEED_10M | RTE_ETH_LINK_SPEED_10M_HD, 10, true, true },
		{ 0, 100, true, true },
	};
	static struct fx_port p;

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(chips); i++) {
		fx_open(&p, chips[i], NULL);
		for (unsigned int k = 0; k < RTE_DIM(t); k++) {
			fx_start(&p, &(struct fx_conf){ .eth.link_speeds = t[k].speeds });
			expect_eth_link(&p, t[k].mbps, t[k].full, t[k].autoneg);
			assert_int_equal(rte_eth_dev_stop(p.id), 0);
		}
		fx_close(&p);
	}
}

/* The MAC's duplex goes with the PHY's: frames are sent and come in, in each mode. */
static void
test_frames_in_each_mode(void **state)
{
	static const uint32_t speeds[] = {
		FIXED | RTE_ETH_LINK_SPEED_100M_HD, FIXED | RTE_ETH_LINK_SPEED_10M_HD,
		FIXED | RTE_ETH_LINK_SPEED_10M,
	};
	static struct fx_port p;
	static struct fx_frame f;
	struct rte_mbuf *m;

	(void)state;
	fx_frame_build(&f, &(struct fx_spec){ .payload = 100 });
	for (unsigned int i = 0; i < RTE_DIM(chips); i++) {
		fx_open(&p, chips[i], NULL);
		for (unsigned int k = 0; k < RTE_DIM(speeds); k++) {
			fx_start(&p, &(struct fx_conf){ .eth.link_speeds = speeds[k] });
			fx_advance(&p, NEGOTIATED_NS);
			fx_inject(&p, &f);
			assert_int_equal(fx_rx(&p, &m, 1), 1);
			fx_expect_mbuf(m, &f);
			m = fx_mbuf(p.pool, &f, 0);
			fx_tx(&p, &m, 1);
			fx_expect_sent(&p, &f);
			assert_int_equal(rte_eth_dev_stop(p.id), 0);
		}
		fx_close(&p);
	}
}

static void
test_phy_that_falls_silent(void **state)
{
	static struct fx_port p;
	struct rte_eth_link link;

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(chips); i++) {
		fx_open(&p, chips[i], NULL);
		fx_start(&p, NULL);
		expect_eth_link(&p, 100, true, true);
		assert_int_equal(pw_model_fault(p.model, PW_FAULT_PHY_SILENT, 1), 0);
		/* From 82559 on the MAC knows by itself that there is a link. */
		assert_int_equal(rte_eth_link_get_nowait(p.id, &link), 0);
		assert_int_equal(link.link_status, i >= 2);
		assert_int_equal(pw_model_fault(p.model, PW_FAULT_PHY_SILENT, 0), 0);
		expect_eth_link(&p, 100, true, true);
		fx_close(&p);
	}
}

int
main(void)
{
#define T(name) cmocka_unit_test(test_##name)
	const struct CMUnitTest tests[] = {
		T(phys_are_looked_for_in_order),
		T(82552_answers_everywhere),
		T(nobody_answers),
		T(mdi_that_is_stuck),
		T(capabilities_are_the_phys),
		T(serial_board_counts_as_up),
		T(serial_bit_without_a_phy_record),
		T(what_is_offered),
		T(forced_modes),
		T(speed_that_the_phy_has_not),
		T(phy_without_negotiation),
		T(dp83840_congestion_control_is_off),
		T(82552_is_told_a_speed),
		T(82552_is_reset_for_its_offer),
		T(crossover),
		T(link_by_one_register),
		T(pause_as_negotiated),
		T(link_by_the_82555),
		T(82555_without_that_register),
		T(link_by_the_dp83840),
		T(forced_link),
		T(power),
		T(loopback_needs_no_partner),
		T(link_of_a_card_that_fails),
		T(phy_that_reads_all_ones),
		T(cable_of_a_model),
		T(modes_of_a_model),
		T(frames_in_each_mode),
		T(phy_that_falls_silent),
	};

	return cmocka_run_group_tests_name("i8255x_link", tests, fx_setup, fx_teardown);
}
