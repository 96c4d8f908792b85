/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* The 82574L model: configuration space, registers, NVM, semaphores, PHY pages, start-up. */

#include "e1000_82574l.h"

static uint32_t
cfg(struct card *c, uint32_t off, unsigned int width)
{
	return pw_model_cfg_read(c->m, off, width);
}

/* --- PCI Express function (§9.1) ----------------------------------------------------------- */

static void
test_capabilities_are_where_the_chip_has_them(void **state)
{
	static const struct {
		uint8_t id, at;
	} t[] = { { 0x01, 0xc8 }, { 0x05, 0xd0 }, { 0x10, 0xe0 }, { 0x11, 0xa0 } };
	struct card *c = x_new();
	uint32_t at = cfg(c, 0x34, 1);
	unsigned int i;

	(void)state;
	assert_int_equal(cfg(c, 0x00, 4), 0x10d38086);
	assert_int_equal(cfg(c, 0x08, 4) >> 8, 0x020000);
	assert_int_equal(cfg(c, 0x06, 2) & 0x10, 0x10);
	for (i = 0; i < 4; i++) {
		assert_int_equal(at, t[i].at);
		assert_int_equal(cfg(c, at, 1), t[i].id);
		at = cfg(c, at + 1, 1);
	}
	assert_int_equal(at, 0);
	/* AER at 0x100, then the serial number at 0x140, then the end; both version 1. */
	assert_int_equal(cfg(c, 0x100, 4), 0x14010001);
	assert_int_equal(cfg(c, 0x140, 4), 0x00010003);
	/* 52:54:00:12:34:56 with ff:ff in between, as an EUI-64 */
	assert_int_equal(cfg(c, 0x148, 4), 0x525400ff);
	assert_int_equal(cfg(c, 0x144, 4), 0xff123456);
	/* Five vectors, table and pending bits in BAR 3 */
	assert_int_equal(cfg(c, 0xa2, 2), 4);
	assert_int_equal(cfg(c, 0xa4, 4), 0x0003);
	assert_int_equal(cfg(c, 0xa8, 4), 0x2003);
	/* An endpoint of one lane at 2.5 GT/s */
	assert_int_equal(cfg(c, 0xe2, 2), 0x0001);
	assert_int_equal(cfg(c, 0xec, 4) & 0x3ff, 0x11);
	assert_int_equal(cfg(c, 0xf2, 2) & 0x3ff, 0x11);
	card_free(c);
}

static void
test_bars_have_their_sizes(void **state)
{
	static const uint32_t want[] = { 0xfffe0000, 0xfffe0000, 0xffffffe1, 0xffffc000, 0, 0 };
	struct card *c = x_new();
	unsigned int i;

	(void)state;
	for (i = 0; i < 6; i++) {
		pw_model_cfg_write(c->m, 0x10 + 4 * i, 0xffffffff, 4);
		assert_int_equal(cfg(c, 0x10 + 4 * i, 4), want[i]);
	}
	card_free(c);
}

static void
test_express_capability_keeps_what_may_be_written(void **state)
{
	struct card *c = x_new();

	(void)state;
	pw_model_cfg_write(c->m, 0xe8, 0x5000 | 0x20, 2); /* reads of 4096 B, payload 256 B */
	assert_int_equal(cfg(c, 0xe8, 2), 0x5020);
	pw_model_cfg_write(c->m, 0xf0, 0xffff, 2);
	assert_int_equal(cfg(c, 0xf0, 2) & 3, 3); /* ASPM */
	pw_model_cfg_write(c->m, 0xf0, 0, 2);
	assert_int_equal(cfg(c, 0xf0, 2) & 3, 0);
	pw_model_cfg_write(c->m, 0xe4, 0, 4);
	assert_int_not_equal(cfg(c, 0xe4, 4), 0); /* read-only */
	/* No latency timer, no memory write and invalidate on PCI Express */
	pw_model_cfg_write(c->m, 0x0c, 0xffff, 2);
	assert_int_equal(cfg(c, 0x0c, 2), 0x00ff);
	pw_model_cfg_write(c->m, 0x04, 0x0017, 2);
	assert_int_equal(cfg(c, 0x04, 2), 0x0007);
	card_free(c);
}

static void
test_error_reporting_registers(void **state)
{
	struct card *c = x_new();

	(void)state;
	/* Masks and severity are software's, status is cleared by ones and nothing sets it here. */
	pw_model_cfg_write(c->m, 0x108, 0x00100000, 4);
	assert_int_equal(cfg(c, 0x108, 4), 0x00100000);
	assert_int_equal(cfg(c, 0x10c, 4), 0x00062010);
	pw_model_cfg_write(c->m, 0x10c, 0x00001000, 4);
	assert_int_equal(cfg(c, 0x10c, 4), 0x00001000);
	assert_int_equal(cfg(c, 0x114, 4), 0x2000);
	pw_model_cfg_write(c->m, 0x114, 0x1, 4);
	assert_int_equal(cfg(c, 0x114, 4), 0x1);
	pw_model_cfg_write(c->m, 0x104, 0xffffffff, 4);
	assert_int_equal(cfg(c, 0x104, 4), 0);
	/* RST# puts all of it back. */
	pw_model_reset(c->m);
	assert_int_equal(cfg(c, 0x108, 4), 0);
	assert_int_equal(cfg(c, 0x10c, 4), 0x00062010);
	assert_int_equal(cfg(c, 0xe8, 2), 0x2810); /* device control */
	card_free(c);
}

static void
test_there_is_no_flash(void **state)
{
	struct card *c = x_new();

	(void)state;
	assert_int_equal(pw_model_bar_read(c->m, 1, 0, 4), 0xffffffff);
	assert_int_equal(pw_model_bar_read(c->m, 1, 0x1ffff, 1), 0xff);
	pw_model_bar_write(c->m, 1, 0, 0, 4);
	expect_violation(c, PW_VIOL_PROTOCOL, "flash");
	card_free(c);
}

/* --- registers (§2) ------------------------------------------------------------------------ */

static void
test_reset_values(void **state)
{
	static const struct {
		uint32_t off, val;
	} t[] = {
		{ CTRL, 0x00140241 }, { PBA, 0x00140014 }, { PBS, 0x28 }, { LEDCTL, 0x00068302 },
		{ TIPG, 0x00602008 }, { RXCSUM, 0x300 }, { ITR, 500 }, { EITR, 500 },
		{ EITR + 16, 500 }, { TARC0, 0x403 }, { TARC1, 0x403 }, { EXTCNF_CTRL, 0x8 },
		{ POEMB, 0x30d }, { EEWR, 0x2 }, { RXDCTL, 0x10000 }, { RXDCTL1, 0x10000 },
		{ 0x3410, 0x600 }, { RXMTRL, 0x88f7 }, { RXUDP, 0x319 },
		{ PSRCTL, 0x00040402 },	/* 256, 4096, 4096, 0 bytes */
		{ RFCTL, 0 }, { MRQC, 0 }, { IVAR, 0 }, { EIAC, 0 }, { IAM, 0 }, { FWSM, 0 },
		{ RAL0, 0x12005452 }, { RAH0, 0x80005634 },
	};
	struct card *c = x_new();
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		if (rd(c, t[i].off) != t[i].val)
			fail_msg("0x%04x is 0x%08x, not 0x%08x", t[i].off, rd(c, t[i].off),
				 t[i].val);
	/* AUTO_RD and PRES, no REQ, GNT or size (§2.1, §9.2) */
	assert_int_equal(rd(c, EECD), BIT(9) | BIT(8));
	card_free(c);
}

/* Patterns through what can be written, as self-tests do it. */
static void
test_registers_read_back(void **state)
{
	static const struct {
		uint32_t off, mask;
		unsigned int count, stride;
	} t[] = {
		{ RDBAL, 0xfffffff0, 2, 0x100 }, { RDBAL + 4, 0xffffffff, 2, 0x100 },
		{ RDBAL + 8, 0x000fff80, 2, 0x100 }, { RDBAL + 0x10, 0xffff, 2, 0x100 },
		{ RDBAL + 0x18, 0xffff, 2, 0x100 }, { TDBAL, 0xfffffff0, 2, 0x100 },
		{ TDBAL + 4, 0xffffffff, 2, 0x100 }, { TDBAL + 8, 0x000fff80, 2, 0x100 },
		{ FCRTH, 0x8000fff8, 1, 0 }, { FCTTV, 0xffff, 1, 0 }, { TIPG, 0x3fffffff, 1, 0 },
		{ TXCW, 0xc000ffff, 1, 0 }, { RAH0, 0x8003ffff, 16, 8 },
		{ MTA, 0xffffffff, 128, 4 }, { VFTA, 0xffffffff, 128, 4 },
		{ RETA, 0xffffffff, 32, 4 }, { RSSRK, 0xffffffff, 10, 4 },
		{ MRQC, 0xffffffff, 1, 0 }, { RFCTL, 0xffffffff, 1, 0 },
		{ RXCSUM, 0x33ff, 1, 0 }, { PSRCTL, 0x3f3f3f7f, 1, 0 },
		{ TXDCTL, 0xff7f3f3f, 2, 0x100 }, { TARC0, 0xffffffff, 2, 0x100 },
		{ GCR, 0xffffffff, 1, 0 }, { GCR2, 0xffffffff, 1, 0 },
		{ EIAC, 0x01f00000, 1, 0 }, { IAM, 0xffffffff, 1, 0 },
		{ IVAR, 0x800fffff, 1, 0 }, { EITR, 0xffff, 5, 4 },
		{ TIMADJL, 0xffffffff, 1, 0 }, { 0x10000, 0xffffffff, 40 * 256, 4 },
	};
	static const uint32_t pattern[] = { 0x5a5a5a5a, 0xa5a5a5a5, 0, 0xffffffff };
	struct card *c = x_new();
	unsigned int i, k, p;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		for (k = 0; k < t[i].count; k++) {
			uint32_t off = t[i].off + k * t[i].stride;

			for (p = 0; p < 4; p++) {
				wr(c, off, pattern[p]);
				if (rd(c, off) != (pattern[p] & t[i].mask))
					fail_msg("0x%04x: wrote 0x%08x, read 0x%08x", off,
						 pattern[p], rd(c, off));
			}
		}
	}
	card_free(c);
}

/* §2.4: where older parts have them */
static void
test_registers_answer_at_their_old_places(void **state)
{
	static const struct {
		uint32_t old, off;
	} t[] = {
		{ 0x0040, RAL0 }, { 0x0044, RAH0 }, { 0x0048, RAL0 + 8 }, { 0x00bc, RAH0 + 120 },
		{ 0x0108, RDTR }, { 0x0110, RDBAL }, { 0x0114, RDBAH }, { 0x0118, RDLEN },
		{ 0x0120, RDH }, { 0x0128, RDT }, { 0x0160, FCRTH }, { 0x0168, FCRTL },
		{ 0x0420, TDBAL }, { 0x0424, TDBAH }, { 0x0428, TDLEN }, { 0x0430, TDH },
		{ 0x0438, TDT }, { 0x0440, TIDV }, { 0x0600, VFTA }, { 0x07fc, VFTA + 508 },
		{ 0x8000, 0x2410 }, { 0x8008, 0x2418 }, { 0x8010, 0x3410 }, { 0x8018, 0x3418 },
	};
	struct card *c = x_new();
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		wr(c, t[i].old, 0x1080 + 0x80 * i);
		assert_int_not_equal(rd(c, t[i].off), 0);
		if (rd(c, t[i].old) != rd(c, t[i].off))
			fail_msg("0x%04x is not 0x%04x", t[i].old, t[i].off);
		wr(c, t[i].off, 0x80);
		if (rd(c, t[i].old) != rd(c, t[i].off))
			fail_msg("0x%04x is not 0x%04x", t[i].old, t[i].off);
	}
	card_free(c);
}

static void
test_queue_registers_are_apart(void **state)
{
	struct card *c = x_new();

	(void)state;
	wr(c, RDBAL, 0x1000);
	wr(c, RDBAL1, 0x2000);
	wr(c, TDBAL, 0x3000);
	wr(c, TDBAL1, 0x4000);
	assert_int_equal(rd(c, RDBAL), 0x1000);
	assert_int_equal(rd(c, RDBAL1), 0x2000);
	assert_int_equal(rd(c, TDBAL), 0x3000);
	assert_int_equal(rd(c, TDBAL1), 0x4000);
	card_free(c);
}

static void
test_reset_really_resets(void **state)
{
	static const struct {
		uint32_t off, val;
	} t[] = {
		{ RFCTL, 0 }, { MRQC, 0 }, { RETA, 0 }, { RDBAL1, 0 }, { TDBAL1, 0 }, { IVAR, 0 },
		{ EIAC, 0 }, { IAM, 0 }, { EITR, 500 }, { RXCSUM, 0x300 }, { TXDCTL1, 0 },
		{ TARC0, 0x403 }, { PSRCTL, 0x00040402 }, { TIMINCA, 0 }, { IMS, 0 },
	};
	struct card *c = x_new();
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		wr(c, t[i].off, 0x00100080);
	wr(c, CTRL, CTRL_RST);
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		if (rd(c, t[i].off) != t[i].val)
			fail_msg("0x%04x is 0x%08x after reset", t[i].off, rd(c, t[i].off));
	card_free(c);
}

/* PHYRA (§2.1) is cleared by writing 0; nothing else is changed by a write. */
static void
test_status_tells_of_a_phy_reset(void **state)
{
	struct card *c = x_new();
	uint32_t before;

	(void)state;
	before = rd(c, STATUS);
	assert_int_equal(before & (STATUS_PHYRA | STATUS_LU), STATUS_PHYRA | STATUS_LU);
	wr(c, STATUS, STATUS_PHYRA);
	assert_int_equal(rd(c, STATUS), before);
	wr(c, STATUS, 0);
	assert_int_equal(rd(c, STATUS), before & ~STATUS_PHYRA);
	wr(c, STATUS, 0xffffffff);
	assert_int_equal(rd(c, STATUS), before & ~STATUS_PHYRA);
	wr(c, CTRL, rd(c, CTRL) | CTRL_PHY_RST);
	wait_us(c, 100);
	wr(c, CTRL, rd(c, CTRL) & ~CTRL_PHY_RST);
	assert_int_equal(rd(c, STATUS) & STATUS_PHYRA, STATUS_PHYRA);
	card_free(c);
}

/* §9.2: STATUS.19 follows CTRL.2, and there is no DMA any more. */
static void
test_gio_master_disable_ends_dma(void **state)
{
	struct card *c = x_up(0);
	uint8_t f[60];
	unsigned int i;

	(void)state;
	assert_int_equal(rd(c, STATUS) & STATUS_GIO_ENABLE, STATUS_GIO_ENABLE);
	wr(c, CTRL, rd(c, CTRL) | CTRL_GIO_DISABLE);
	assert_int_equal(rd(c, STATUS) & STATUS_GIO_ENABLE, 0);
	make_frame(f, peer_mac, sizeof(f));
	i = put_buf(c, f, sizeof(f), SEND);
	ring(c);
	assert_false(is_done(c, i));
	sent_nothing(c);
	arrive(c, card_mac, 60);
	assert_int_equal(c->mem->rx[0].word, 0);
	wr(c, CTRL, rd(c, CTRL) & ~CTRL_GIO_DISABLE);
	pw_model_poll(c->m);
	assert_true(is_done(c, i));
	assert_int_equal(c->mem->rx[0].word & S_DD, S_DD);
	card_free(c);
}

static void
test_packet_buffer_is_40_kib(void **state)
{
	struct card *c = x_new();

	(void)state;
	wr(c, PBA, 26);
	assert_int_equal(rd(c, PBA), 26 | 14 << 16);
	wr(c, PBA, 40);
	expect_violation(c, PW_VIOL_PROTOCOL, "PBA");
	card_free(c);
}

/* --- NVM (§4.1) ---------------------------------------------------------------------------- */

static uint16_t
eerd(struct card *c, uint32_t addr)
{
	wr(c, EERD, addr << 2 | 1);
	assert_int_equal(rd(c, EERD) & BIT(1), 0);
	wait_us(c, 50);
	assert_int_equal(rd(c, EERD) & BIT(1), BIT(1));
	return (uint16_t)(rd(c, EERD) >> 16);
}

static void
test_eerd_has_the_large_layout(void **state)
{
	struct card *c = x_new();
	uint32_t sum = 0, i;

	(void)state;
	for (i = 0; i < 64; i++)
		sum += eerd(c, i);
	assert_int_equal(sum & 0xffff, 0xbaba);
	assert_int_equal(eerd(c, 0), 0x5452);
	assert_int_equal(eerd(c, 1), 0x1200);
	assert_int_equal(eerd(c, 2), 0x5634);
	assert_int_equal(eerd(c, 0x0d), 0x10d3);
	assert_int_equal(eerd(c, 0x0e), 0x8086);
	/* Not managed (word 0xf bits 14:13), no second address (word 0x37) */
	assert_int_equal(eerd(c, 0x0f) & 0x6000, 0);
	assert_int_equal(eerd(c, 0x37), 0xffff);
	card_free(c);
}

static void
test_eerd_written_too_early_is_a_violation(void **state)
{
	struct card *c = x_new();

	(void)state;
	wr(c, EERD, 1);
	wr(c, EERD, 1);
	expect_violation(c, PW_VIOL_PROTOCOL, "EERD");
	card_free(c);
}

static void
test_eewr_writes_a_word(void **state)
{
	struct card *c = x_new();

	(void)state;
	assert_int_equal(rd(c, EEWR) & BIT(1), BIT(1));
	wr(c, EEWR, 0x7777u << 16 | 0x21 << 2); /* no START */
	wait_us(c, 6000);
	assert_int_equal(eerd(c, 0x21), 0xffff);
	wr(c, EEWR, 0x5555u << 16 | 64 << 2 | 1); /* behind the end: lost */
	wait_us(c, 6000);
	wr(c, EEWR, 0x1234u << 16 | 0x21 << 2 | 1);
	assert_int_equal(rd(c, EEWR) & BIT(1), 0);
	wr(c, EEWR, 1);
	expect_violation(c, PW_VIOL_PROTOCOL, "EEWR");
	wait_us(c, 6000);
	assert_int_equal(rd(c, EEWR) & BIT(1), BIT(1));
	assert_int_equal(eerd(c, 0x21), 0x1234);
	card_free(c);
}

/* A new address is in force after a reload (§2.1). */
static void
test_ee_rst_reloads_the_address(void **state)
{
	struct card *c = x_new();

	(void)state;
	wr(c, EEWR, 0x0902u << 16 | 0 << 2 | 1);
	wait_us(c, 6000);
	wr(c, CTRL_EXT, BIT(13));
	assert_int_equal(rd(c, RAL0), 0x12000902);
	assert_int_equal(rd(c, CTRL_EXT) & BIT(13), 0);
	card_free(c);
}

static void
test_silent_nvm_never_finishes(void **state)
{
	struct card *c = x_new();

	(void)state;
	pw_model_fault(c->m, PW_FAULT_EEPROM_SILENT, 1);
	wr(c, EERD, 1);
	wait_us(c, 1000000);
	assert_int_equal(rd(c, EERD) & BIT(1), 0);
	card_free(c);
}

static void
test_pins_do_not_reach_the_nvm(void **state)
{
	struct card *c = x_new();

	(void)state;
	wr(c, EECD, EECD_REQ);
	assert_int_equal(rd(c, EECD) & EECD_GNT, EECD_GNT);
	wr(c, EECD, EECD_REQ | EECD_SK);
	expect_violation(c, PW_VIOL_PROTOCOL, "EERD");
	card_free(c);
}

/* --- semaphores (§2.5, §4.2) --------------------------------------------------------------- */

static void
test_reading_swsm_sets_smbi(void **state)
{
	struct card *c = x_new();

	(void)state;
	assert_int_equal(rd(c, SWSM) & 1, 0); /* we have it */
	assert_int_equal(rd(c, SWSM) & 1, 1); /* nobody else gets it */
	wr(c, CTRL, CTRL_RST);
	assert_int_equal(rd(c, SWSM) & 1, 1); /* not by reset either */
	wr(c, SWSM, 0);
	assert_int_equal(rd(c, SWSM) & 1, 0);
	wr(c, SWSM, BIT(1)); /* SWESMBI latches */
	assert_int_equal(rd(c, SWSM) & BIT(1), BIT(1));
	pw_model_reset(c->m);
	card_bus_on(c);
	assert_int_equal(rd(c, SWSM), 0);
	card_free(c);
}

static void
test_mdio_ownership_latches(void **state)
{
	struct card *c = x_new();

	(void)state;
	assert_int_equal(rd(c, EXTCNF_CTRL) & BIT(5), 0);
	wr(c, EXTCNF_CTRL, rd(c, EXTCNF_CTRL) | BIT(5));
	assert_int_equal(rd(c, EXTCNF_CTRL) & BIT(5), BIT(5));
	wr(c, CTRL, CTRL_RST); /* held across reset (§5.1) */
	assert_int_equal(rd(c, EXTCNF_CTRL) & BIT(5), BIT(5));
	wr(c, EXTCNF_CTRL, rd(c, EXTCNF_CTRL) & ~BIT(5));
	assert_int_equal(rd(c, EXTCNF_CTRL) & BIT(5), 0);
	wr(c, CTRL_EXT, EXT_DRV_LOAD);
	assert_int_equal(rd(c, CTRL_EXT), EXT_DRV_LOAD);
	card_free(c);
}

/* --- BM PHY (§4.2) ------------------------------------------------------------------------- */

static uint32_t
mdic(struct card *c, uint32_t op, uint32_t reg, uint16_t data)
{
	wr(c, MDIC, op | 1u << 21 | reg << 16 | data);
	wait_us(c, 100);
	assert_int_equal(rd(c, MDIC) & (MDIC_READY | MDIC_ERROR), MDIC_READY);
	return rd(c, MDIC) & 0xffff;
}

static void
test_phy_is_a_bm(void **state)
{
	struct card *c = x_new();

	(void)state;
	assert_int_equal(mdic(c, MDIC_READ, 2, 0), 0x0141);
	assert_int_equal(mdic(c, MDIC_READ, 3, 0), 0x0cb1);
	/* What a hung PHY would show (§7) */
	assert_int_not_equal(mdic(c, MDIC_READ, 21, 0), 0xffff);
	assert_int_not_equal(mdic(c, MDIC_READ, 10, 0) & 0xff, 0xff);
	card_free(c);
}

static void
test_phy_registers_from_16_on_have_pages(void **state)
{
	struct card *c = x_new();

	(void)state;
	mdic(c, MDIC_WRITE, 16, 0x0868);
	mdic(c, MDIC_WRITE, 22, 2);
	mdic(c, MDIC_WRITE, 21, 0x0046);
	mdic(c, MDIC_WRITE, 16, 0x1111);
	mdic(c, MDIC_WRITE, 22, 769);
	assert_int_equal(mdic(c, MDIC_READ, 16, 0), 0);
	mdic(c, MDIC_WRITE, 16, 0x2222);
	/* 0 to 15 are the same on each page, and so are 22 and 31. */
	assert_int_equal(mdic(c, MDIC_READ, 3, 0), 0x0cb1);
	assert_int_equal(mdic(c, MDIC_READ, 22, 0), 769);
	mdic(c, MDIC_WRITE, 31, 0x1234);
	mdic(c, MDIC_WRITE, 22, 2);
	assert_int_equal(mdic(c, MDIC_READ, 16, 0), 0x1111);
	assert_int_equal(mdic(c, MDIC_READ, 21, 0), 0x0046);
	assert_int_equal(mdic(c, MDIC_READ, 31, 0), 0x1234);
	mdic(c, MDIC_WRITE, 22, 0);
	assert_int_equal(mdic(c, MDIC_READ, 16, 0), 0x0868);
	assert_int_equal(mdic(c, MDIC_READ, 17, 0) & 0x2c00, 0x2c00); /* link, resolved, FD */
	card_free(c);
}

/* --- start-up ------------------------------------------------------------------------------ */

/* Linux never turns this receiver off (§5.2), and writes the head that is 0. */
static void
test_head_may_be_written_with_what_it_is(void **state)
{
	struct card *c = x_new();

	(void)state;
	wr(c, RFCTL, RFCTL_EXTEN);
	wr(c, RCTL, RCTL_EN | RCTL_UPE | RCTL_SECRC);
	wr(c, RDBAL, (uint32_t)bus(c, c->mem->rx));
	wr(c, RDBAH, (uint32_t)(bus(c, c->mem->rx) >> 32));
	wr(c, RDLEN, sizeof(c->mem->rx));
	wr(c, RDH, 0);
	wr(c, RDH, 1);
	expect_violation(c, PW_VIOL_PROTOCOL, "head written while enabled");
	assert_int_equal(rd(c, RDH), 0);
	card_free(c);
}

static void
test_transmitter_needs_txdctl_22(void **state)
{
	struct card *c = x_new();

	(void)state;
	wr(c, TCTL, TCTL_EN);
	expect_violation(c, PW_VIOL_PROTOCOL, "bit 22");
	card_free(c);
}

/* §6: with padding 17 bytes are enough. */
static void
test_short_packets_are_padded(void **state)
{
	struct card *c = x_up(0);
	uint8_t f[60];

	(void)state;
	make_frame(f, peer_mac, sizeof(f));
	put_buf(c, f, 17, SEND);
	ring(c);
	assert_int_equal(sent(c).len, 60);
	put_buf(c, f, 16, SEND);
	ring(c);
	expect_violation(c, PW_VIOL_PROTOCOL, "16 B");
	card_free(c);
}

/* The order of registers in which QEMU's own test of its e1000e begins, sends and receives. */
static void
test_qemu_qtest_sequence(void **state)
{
	static const uint8_t word[8] = "TEST";
	struct card *c = x_new();
	uint8_t f[64] = "TEST", got[64];
	unsigned int i;

	(void)state;
	for (i = 0; i < 5; i++)
		pw_model_msix_mask(c->m, i, true);
	wr(c, CTRL, rd(c, CTRL) | CTRL_RST);
	x_msix_on(c);
	wr(c, IVAR, 0x80000000 | 0x8 | 0x9 << 8 | 0xa << 16); /* Rx 0, Tx 1, other 2 */
	assert_int_equal(rd(c, STATUS) & (STATUS_LU | BIT(9)), STATUS_LU | BIT(9));
	wr(c, RCTL, 0);
	wr(c, TCTL, 0);
	wr(c, CTRL_EXT, rd(c, CTRL_EXT) | EXT_DRV_LOAD);
	memset(c->mem->tx, 0, sizeof(c->mem->tx));
	memset(c->mem->rx, 0, sizeof(c->mem->rx));
	x_ring(c, TDBAL, c->mem->tx, sizeof(c->mem->tx), 0);
	wr(c, TCTL, TCTL_EN);
	/* It does not know of this bit, and QEMU's card does not care. */
	expect_violation(c, PW_VIOL_PROTOCOL, "bit 22");
	x_ring(c, RDBAL, c->mem->rx, sizeof(c->mem->rx), 0);
	wr(c, RFCTL, RFCTL_EXTEN);
	wr(c, RCTL, RCTL_EN | RCTL_UPE | RCTL_MPE);
	wr(c, IMS, 0xffffffff);

	put_buf(c, f, 64, D_RS | D_EOP | D_DATA | D_IFCS);
	ring(c);
	assert_true(is_done(c, 0));
	assert_int_equal(pw_model_bar_read(c->m, 3, 0x2000, 4) & 2, 2);
	assert_memory_equal(sent(c).data, "TEST", 5);

	/* Their wire pads; ours wants a frame that is one. */
	memset(f, 0, sizeof(f));
	memcpy(f, word, sizeof(word));
	assert_int_equal(pw_wire_send(c->peer, f, 60, 0), 0);
	pw_model_poll(c->m);
	c->mem->rx[0].addr = bus(c, c->mem->rxbuf[0]);
	wr(c, RDT, 1);
	pw_model_poll(c->m);
	assert_int_equal(c->mem->rx[0].word & S_DD, S_DD);
	assert_int_equal(pw_model_bar_read(c->m, 3, 0x2000, 4) & 1, 1);
	memcpy(got, c->mem->rxbuf[0], sizeof(got));
	assert_memory_equal(got, "TEST", 5);
	card_free(c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_capabilities_are_where_the_chip_has_them),
		cmocka_unit_test(test_bars_have_their_sizes),
		cmocka_unit_test(test_express_capability_keeps_what_may_be_written),
		cmocka_unit_test(test_error_reporting_registers),
		cmocka_unit_test(test_there_is_no_flash),
		cmocka_unit_test(test_reset_values),
		cmocka_unit_test(test_registers_read_back),
		cmocka_unit_test(test_registers_answer_at_their_old_places),
		cmocka_unit_test(test_queue_registers_are_apart),
		cmocka_unit_test(test_reset_really_resets),
		cmocka_unit_test(test_status_tells_of_a_phy_reset),
		cmocka_unit_test(test_gio_master_disable_ends_dma),
		cmocka_unit_test(test_packet_buffer_is_40_kib),
		cmocka_unit_test(test_eerd_has_the_large_layout),
		cmocka_unit_test(test_eerd_written_too_early_is_a_violation),
		cmocka_unit_test(test_eewr_writes_a_word),
		cmocka_unit_test(test_ee_rst_reloads_the_address),
		cmocka_unit_test(test_silent_nvm_never_finishes),
		cmocka_unit_test(test_pins_do_not_reach_the_nvm),
		cmocka_unit_test(test_reading_swsm_sets_smbi),
		cmocka_unit_test(test_mdio_ownership_latches),
		cmocka_unit_test(test_phy_is_a_bm),
		cmocka_unit_test(test_phy_registers_from_16_on_have_pages),
		cmocka_unit_test(test_head_may_be_written_with_what_it_is),
		cmocka_unit_test(test_transmitter_needs_txdctl_22),
		cmocka_unit_test(test_short_packets_are_padded),
		cmocka_unit_test(test_qemu_qtest_sequence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
