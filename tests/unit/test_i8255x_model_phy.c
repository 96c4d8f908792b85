/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* The 8255x models: MDI control, the 82555 PHY, link (§2.6, §4.2 to §4.4). */

#include "i8255x_card.h"

#define MDI_WRITE BIT(26)
#define MDI_READ BIT(27)
#define MDI_READY BIT(28)
#define MDI_IE BIT(29)

/* Registers and bits of IEEE 802.3 §22.2.4 and of the 82555 (§4.3) */
enum { BMCR, BMSR, ID1, ID2, ANAR, ANLPAR, ANER, PSTATUS = 16, SPECIAL, ADDRESS, FALSE_CARRIER,
       RX_ERRORS = 21, LED = 27, MDIX };
#define BMCR_RESET 0x8000
#define BMCR_LOOP 0x4000
#define BMCR_100 0x2000
#define BMCR_AN 0x1000
#define BMCR_PDOWN 0x0800
#define BMCR_ISOLATE 0x0400
#define BMCR_RESTART 0x0200
#define BMCR_FD 0x0100
#define BMSR_LINK 0x0004
#define BMSR_AN_DONE 0x0020

static const char *const chips[] = { "82557b", "82558b", "82559c", "82551" };
#define CHIPS (sizeof(chips) / sizeof(chips[0]))

static void
mdi_begin(struct card *c, uint32_t val)
{
	assert_int_equal(rd32(c, MDI) & MDI_READY, MDI_READY);
	wr32(c, MDI, val);
}

static uint32_t
mdi_end(struct card *c)
{
	assert_int_equal(rd32(c, MDI) & MDI_READY, 0);
	pw_clock_advance(&c->clock, 26000); /* 64 bits at 2.5 MHz: 25.6 us */
	assert_int_equal(rd32(c, MDI) & MDI_READY, MDI_READY);
	return rd32(c, MDI) & 0xffff;
}

static uint32_t
phy_at(struct card *c, uint32_t addr, uint32_t reg)
{
	mdi_begin(c, MDI_READ | addr << 21 | reg << 16);
	return mdi_end(c);
}

static uint32_t
phy(struct card *c, uint32_t reg)
{
	return phy_at(c, 1, reg);
}

static void
phy_write(struct card *c, uint32_t reg, uint32_t val)
{
	mdi_begin(c, MDI_WRITE | 1u << 21 | reg << 16 | val);
	mdi_end(c);
}

/* Read twice: the link bit latches low. */
static uint32_t
bmsr(struct card *c)
{
	phy(c, BMSR);
	return phy(c, BMSR);
}

/* --- MDI (§2.6) ---------------------------------------------------------------------------- */

static void
test_mdi_takes_its_time(void **state)
{
	struct card *c = card_bare("82559c");

	(void)state;
	assert_int_equal(rd32(c, MDI) & MDI_READY, MDI_READY);
	wr32(c, MDI, MDI_READ | 1u << 21 | ID1 << 16);
	pw_clock_advance(&c->clock, 25000);
	assert_int_equal(rd32(c, MDI) & MDI_READY, 0);
	pw_clock_advance(&c->clock, 1000);
	assert_int_equal(rd32(c, MDI), MDI_READY | MDI_READ | 1u << 21 | ID1 << 16 | 0x02a8);
	card_free(c);
}

static void
test_mdi_written_too_early_is_a_violation(void **state)
{
	struct card *c = card_bare("82559c");

	(void)state;
	wr32(c, MDI, MDI_READ | 1u << 21 | ID1 << 16);
	wr32(c, MDI, MDI_READ | 1u << 21 | ID2 << 16);
	expect_violation(c, PW_VIOL_PROTOCOL, "MDI");
	assert_int_equal(mdi_end(c), 0x02a8); /* the first goes on */
	card_free(c);
}

static void
test_mdi_interrupt(void **state)
{
	struct card *c = card_bare("82559c");

	(void)state;
	wr8(c, STAT_ACK, 0xff);
	phy(c, BMCR);
	assert_int_equal(rd8(c, STAT_ACK) & ACK_MDI, 0);
	wr8(c, INT_CTRL, 0);
	mdi_begin(c, MDI_IE | MDI_READ | 1u << 21 | BMCR << 16);
	assert_false(c->irq);
	mdi_end(c);
	assert_int_equal(rd8(c, STAT_ACK), ACK_MDI);
	assert_true(c->irq);
	wr8(c, STAT_ACK, ACK_MDI);
	assert_false(c->irq);
	card_free(c);
}

/* Where no PHY is, the line stays high; and so it does when ours is silent. */
static void
test_absent_phy_reads_ones(void **state)
{
	struct card *c = card_bare("82559c");
	uint32_t addr;

	(void)state;
	for (addr = 0; addr < 32; addr++)
		assert_int_equal(phy_at(c, addr, BMCR), addr == 1 ? BMCR_AN | BMCR_100 : 0xffff);
	pw_model_fault(c->m, PW_FAULT_PHY_SILENT, 1);
	assert_int_equal(phy(c, BMCR), 0xffff);
	pw_model_fault(c->m, PW_FAULT_PHY_SILENT, 0);
	assert_int_equal(phy(c, BMCR), BMCR_AN | BMCR_100);
	card_free(c);
}

/* --- registers (§4.2, §4.3) ---------------------------------------------------------------- */

static void
test_registers(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < CHIPS; i++) {
		struct card *c = card_bare(chips[i]);

		assert_int_equal(phy(c, BMCR), 0x3000);
		assert_int_equal(bmsr(c), 0x782d); /* all of 10 and 100, AN done, link, extended */
		assert_int_equal(phy(c, ID1), 0x02a8);
		assert_int_equal(phy(c, ID2) & 0xfff0, 0x0150);
		assert_int_equal(phy(c, ANAR), 0x05e1); /* with PAUSE */
		assert_int_equal(phy(c, ANLPAR), 0x4de1); /* acknowledged, PAUSE, ASM_DIR */
		assert_int_equal(phy(c, ANER) & 1, 1);
		/* Descrambler locked, address 1, 100 Mb/s, full duplex */
		assert_int_equal(phy(c, PSTATUS), 0x0807);
		assert_int_equal(phy(c, ADDRESS), 1);
		card_free(c);
	}
}

static void
test_read_only_registers(void **state)
{
	static const uint32_t reg[] = { BMSR, ID1, ID2, ANLPAR, ANER, ADDRESS, 7, 15, 26 };
	struct card *c = card_bare("82559c");
	unsigned int i;

	(void)state;
	bmsr(c);
	for (i = 0; i < sizeof(reg) / sizeof(reg[0]); i++) {
		uint32_t before = phy(c, reg[i]);

		phy_write(c, reg[i], before ^ 0xffff);
		assert_int_equal(phy(c, reg[i]), before);
	}
	card_free(c);
}

static void
test_vendor_registers(void **state)
{
	struct card *c = card_bare("82559c");

	(void)state;
	phy_write(c, PSTATUS, 0xffff);
	assert_int_equal(phy(c, PSTATUS), 0xe807);
	phy_write(c, ANAR, 0xffff);
	assert_int_equal(phy(c, ANAR), 0x2fff);	/* not the next page nor ACK (§28.2.4.1.3) */
	phy_write(c, SPECIAL, 0x8021);
	assert_int_equal(phy(c, SPECIAL), 0x8021);
	phy_write(c, LED, 0xffff);
	assert_int_equal(phy(c, LED), 0x0007);
	/* MDI-X is of 82550 and later (§4.3). */
	phy_write(c, MDIX, 0x0080);
	assert_int_equal(phy(c, MDIX), 0);
	phy_write(c, BMCR, BMCR_RESET);
	assert_int_equal(phy(c, SPECIAL), 0);
	assert_int_equal(phy(c, LED), 0);
	card_free(c);

	c = card_bare("82551");
	phy_write(c, MDIX, 0x0080);
	assert_int_equal(phy(c, MDIX), 0x0080);
	card_free(c);
}

/* Counters clear when they are read. */
static void
test_rx_error_counter(void **state)
{
	struct card *c = card_up("82559c");
	uint8_t f[60];

	(void)state;
	make_frame(f, card_mac, 60);
	arrive_frame(c, f, 60, PW_FRAME_RX_ERR);
	arrive_frame(c, f, 60, PW_FRAME_RX_ERR);
	arrive_frame(c, f, 60, PW_FRAME_BAD_CRC);
	assert_int_equal(phy(c, RX_ERRORS), 2);
	assert_int_equal(phy(c, RX_ERRORS), 0);
	assert_int_equal(phy(c, FALSE_CARRIER), 0);
	card_free(c);
}

static void
test_reset_clears_itself(void **state)
{
	struct card *c = card_bare("82559c");

	(void)state;
	phy_write(c, ANAR, 0x0021);
	phy_write(c, BMCR, BMCR_RESET);
	assert_int_equal(phy(c, BMCR), 0x3000);
	assert_int_equal(phy(c, ANAR), 0x05e1);
	phy_write(c, BMCR, BMCR_AN | BMCR_RESTART);
	assert_int_equal(phy(c, BMCR), BMCR_AN);
	card_free(c);
}

/* --- link ---------------------------------------------------------------------------------- */

static void
test_negotiation(void **state)
{
	static const struct {
		uint32_t anar;
		bool link;
		uint32_t status;	/* 1Dh: link, 100, full duplex */
	} t[] = {
		{ 0x01e1, true, 7 }, { 0x00e1, true, 3 }, { 0x0061, true, 5 },
		{ 0x0021, true, 1 }, { 0x0001, false, 0 },
	};
	struct card *c = card_bare("82559c");
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		phy_write(c, ANAR, t[i].anar);
		phy_write(c, BMCR, BMCR_AN | BMCR_RESTART);
		assert_int_equal((bmsr(c) & BMSR_LINK) != 0, t[i].link);
		assert_int_equal(rd8(c, 0x1d), t[i].status);
		assert_int_equal(phy(c, PSTATUS) & 3, (t[i].status & 4) >> 2 | (t[i].status & 2));
	}
	card_free(c);
}

static void
test_negotiation_takes_its_time(void **state)
{
	const struct pw_model_opts opts = { .chip = "82559c", .autoneg_ns = 2000000000 };
	struct card *c = card_new(&opts);

	(void)state;
	pw_model_cfg_write(c->m, 0x04, 0x0007, 2);
	wait_us(c, 1990000);
	assert_int_equal(bmsr(c), 0x7809);
	assert_int_equal(phy(c, ANLPAR), 0);
	assert_int_equal(rd8(c, 0x1d), 0);
	wait_us(c, 20000);
	assert_int_equal(bmsr(c), 0x782d);
	assert_int_equal(rd8(c, 0x1d), 7);
	card_free(c);
}

static void
test_forced_modes(void **state)
{
	static const struct {
		uint32_t bmcr, status;
	} t[] = {
		{ BMCR_100 | BMCR_FD, 7 }, { BMCR_100, 3 }, { BMCR_FD, 5 }, { 0, 1 },
	};
	struct card *c = card_bare("82559c");
	unsigned int i;

	(void)state;
	for (i = 0; i < 4; i++) {
		phy_write(c, BMCR, t[i].bmcr);
		assert_int_equal(phy(c, BMCR), t[i].bmcr);
		assert_int_equal(bmsr(c) & (BMSR_LINK | BMSR_AN_DONE), BMSR_LINK);
		assert_int_equal(rd8(c, 0x1d), t[i].status);
		assert_int_equal(phy(c, PSTATUS) & 3, (t[i].status & 4) >> 2 | (t[i].status & 2));
	}
	card_free(c);
}

/* PMDR bit 7: the link changed; cleared by writing it (§2). */
static void
test_link_change(void **state)
{
	struct card *c = card_bare("82559c");

	(void)state;
	assert_int_equal(rd8(c, PMDR), 0);
	bmsr(c);
	pw_model_fault(c->m, PW_FAULT_LINK_DOWN, 1);
	assert_int_equal(rd8(c, PMDR), 0x80);
	assert_int_equal(rd8(c, 0x1d), 0);
	wr8(c, PMDR, 0x80);
	assert_int_equal(rd8(c, PMDR), 0);
	assert_int_equal(phy(c, BMSR), 0x7809);
	pw_model_fault(c->m, PW_FAULT_LINK_DOWN, 0);
	assert_int_equal(rd8(c, PMDR), 0x80);
	/* Low until it has been read low. */
	assert_int_equal(phy(c, BMSR) & BMSR_LINK, 0);
	assert_int_equal(phy(c, BMSR) & BMSR_LINK, BMSR_LINK);
	/* A link that is not there does not change when it is looked for again. */
	pw_model_fault(c->m, PW_FAULT_LINK_DOWN, 1);
	wr8(c, PMDR, 0x80);
	phy_write(c, BMCR, BMCR_AN | BMCR_RESTART);
	assert_int_equal(rd8(c, PMDR), 0);
	card_free(c);
}

/* Nobody polls the model: reading the PHY looks at the cable. */
static void
test_cable_is_seen_without_a_poll(void **state)
{
	struct card *c = card_bare("82559c");

	(void)state;
	assert_int_equal(bmsr(c) & BMSR_LINK, BMSR_LINK);
	pw_wire_close(c->peer);
	c->peer = NULL;
	assert_int_equal(bmsr(c) & BMSR_LINK, 0);
	card_free(c);
}

static void
test_power_down_and_isolate_drop_the_link(void **state)
{
	static const uint32_t bit[] = { BMCR_PDOWN, BMCR_ISOLATE };
	struct card *c = card_bare("82559c");
	unsigned int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		phy_write(c, BMCR, BMCR_AN | bit[i]);
		assert_int_equal(phy(c, BMCR), BMCR_AN | bit[i]);
		assert_int_equal(bmsr(c) & BMSR_LINK, 0);
		phy_write(c, BMCR, BMCR_AN);
		assert_int_equal(bmsr(c) & BMSR_LINK, BMSR_LINK);
	}
	card_free(c);
}

/* Frames that are sent come back at the PHY, and none get to the wire. */
static void
test_loopback(void **state)
{
	struct card *c = card_up("82559c");
	uint8_t params[8 + 60] = { 0xff, 0xff, 0xff, 0xff, 60, 0x80, 0xe0, 0 };
	struct rfd *r;

	(void)state;
	phy_write(c, BMCR, BMCR_LOOP | BMCR_100 | BMCR_FD);
	/* Simplified mode: the frame is in the block (§3.3). */
	make_frame(params + 8, card_mac, 60);
	execute(c, OP_TX, params, sizeof(params));
	sent_nothing(c);
	r = received(c);
	assert_non_null(r);
	assert_memory_equal(r->data, params + 8, 60);
	phy_write(c, BMCR, BMCR_AN | BMCR_100);
	execute(c, OP_TX, params, sizeof(params));
	assert_int_equal(sent(c).len, 60);
	assert_null(received(c));
	card_free(c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mdi_takes_its_time),
		cmocka_unit_test(test_mdi_written_too_early_is_a_violation),
		cmocka_unit_test(test_mdi_interrupt),
		cmocka_unit_test(test_absent_phy_reads_ones),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_read_only_registers),
		cmocka_unit_test(test_vendor_registers),
		cmocka_unit_test(test_rx_error_counter),
		cmocka_unit_test(test_reset_clears_itself),
		cmocka_unit_test(test_negotiation),
		cmocka_unit_test(test_negotiation_takes_its_time),
		cmocka_unit_test(test_forced_modes),
		cmocka_unit_test(test_link_change),
		cmocka_unit_test(test_cable_is_seen_without_a_poll),
		cmocka_unit_test(test_power_down_and_isolate_drop_the_link),
		cmocka_unit_test(test_loopback),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
