/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The 82572EI model: what it has otherwise than the 82574L, which is judged in test_82574l*.c: its
 * function without MSI-X, SPI EEPROM, semaphores, IGP PHY, ICR, contexts, and its errata.
 */

#include "e1000_82574l.h"

enum { SCTL = 0x0024, EEMNGCTL = 0x1010, PBA_ECC = 0x1100, SWSM2 = 0x5b58 };

#define CTRL_EXT_DMA_CLOCK BIT(19)
#define EECD_AUTO_RD BIT(9)
#define TCTL_MULR BIT(28)
#define SMBI BIT(0)
#define SWESMBI BIT(1)
#define TARC0_SET (BIT(23) | BIT(24) | BIT(25) | BIT(26))
#define TARC1_SET (BIT(22) | BIT(24) | BIT(25) | BIT(26))
#define NO_EXT_HDRS (BIT(16) | BIT(17))

/* An 82572EI with a bus, reset. */
static struct card *
c_new(void)
{
	const struct pw_model_opts opts = { .chip = "82572ei" };
	struct card *c = card_new(&opts);

	card_bus_on(c);
	card_reset(c);
	return c;
}

/* What the errata want before the transmitter is turned on (§7). */
static void
c_errata(struct card *c)
{
	wr(c, TXDCTL, TXDCTL_COUNT);
	wr(c, TXDCTL1, TXDCTL_COUNT);
	wr(c, TARC0, (rd(c, TARC0) & ~(0xfu << 27)) | TARC0_SET);
	wr(c, TARC1, (rd(c, TARC1) & ~(7u << 28)) | TARC1_SET);
	wr(c, CTRL_EXT, rd(c, CTRL_EXT) & ~CTRL_EXT_DMA_CLOCK);
	wr(c, RFCTL, NO_EXT_HDRS);
}

static struct card *
c_up_tx(void)
{
	struct card *c = c_new();

	c_errata(c);
	card_start_tx(c, TCTL_PSP | TCTL_MULR);
	return c;
}

/* --- function and registers ---------------------------------------------------------------- */

static void
test_function_has_msi_but_no_msix(void **state)
{
	static const struct {
		uint8_t id, at;
	} t[] = { { 0x01, 0xc8 }, { 0x05, 0xd0 }, { 0x10, 0xe0 } };
	static const uint32_t bars[] = { 0xfffe0000, 0xfffe0000, 0xffffffe1, 0, 0, 0 };
	struct card *c = c_new();
	uint32_t at = pw_model_cfg_read(c->m, 0x34, 1);
	unsigned int i;

	(void)state;
	assert_int_equal(pw_model_cfg_read(c->m, 0x00, 4), 0x107d8086);
	for (i = 0; i < 3; i++) {
		assert_int_equal(at, t[i].at);
		assert_int_equal(pw_model_cfg_read(c->m, at, 1), t[i].id);
		at = pw_model_cfg_read(c->m, at + 1, 1);
	}
	assert_int_equal(at, 0);
	for (i = 0; i < 6; i++) {
		pw_model_cfg_write(c->m, 0x10 + 4 * i, 0xffffffff, 4);
		assert_int_equal(pw_model_cfg_read(c->m, 0x10 + 4 * i, 4), bars[i]);
	}
	card_free(c);
}

/* §2: what came with 82573 and 82574, and 82571's ECC. */
static void
test_registers_of_other_parts_are_missing(void **state)
{
	static const uint32_t t[] = {
		EEWR, EXTCNF_CTRL, POEMB, PBS, EIAC, IVAR, EITR, GCR2, PBACLR, PBA_ECC, SYSTIML,
		TIMINCA, TSYNCRXCTL, TXSTMPH, 0x0110, 0x0420, 0x0600,
	};
	struct card *c = c_new();
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		assert_int_equal(rd(c, t[i]), 0);
		expect_violation(c, PW_VIOL_REG_UNDEFINED, "no such register");
	}
	card_free(c);
}

static void
test_reset_values(void **state)
{
	static const struct {
		uint32_t off, val;
	} t[] = {
		{ CTRL, 0x00140241 }, { PBA, 0x00100020 }, { ITR, 0 }, { TARC0, 0x403 },
		{ TARC1, 0x403 }, { TCTL, TCTL_MULR }, { CTRL_EXT, CTRL_EXT_DMA_CLOCK },
		{ TIPG, 0x00702008 }, { RXCSUM, 0x300 }, { RFCTL, 0 }, { MRQC, 0 }, { FWSM, 0 },
		{ SCTL, 0 },
	};
	struct card *c = c_new();
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		if (rd(c, t[i].off) != t[i].val)
			fail_msg("0x%04x is 0x%08x, not 0x%08x", t[i].off, rd(c, t[i].off),
				 t[i].val);
	/* 48 KiB in all */
	wr(c, PBA, 38);
	assert_int_equal(rd(c, PBA), 10u << 16 | 38);
	card_free(c);
}

/* --- interrupts (§2.2) --------------------------------------------------------------------- */

static void
test_icr_is_kept_while_all_of_it_is_masked(void **state)
{
	struct card *c = c_new();

	(void)state;
	(void)rd(c, ICR);
	/* An empty mask: cleared. */
	wr(c, ICS, ICR_TXDW);
	assert_int_equal(rd(c, ICR), ICR_TXDW);
	assert_int_equal(rd(c, ICR), 0);
	/* Something else is unmasked: kept. */
	wr(c, IMS, ICR_LSC);
	wr(c, ICS, ICR_TXDW);
	assert_int_equal(rd(c, ICR), ICR_TXDW);
	assert_int_equal(rd(c, ICR), ICR_TXDW);
	assert_false(c->irq);
	/* Some of it is unmasked: all is cleared. */
	wr(c, ICS, ICR_LSC);
	assert_true(c->irq);
	assert_int_equal(rd(c, ICR), ICR_ASSERTED | ICR_LSC | ICR_TXDW);
	assert_int_equal(rd(c, ICR), 0);
	assert_false(c->irq);
	/* Ones clear in every case. */
	wr(c, ICS, ICR_TXDW);
	wr(c, ICR, ICR_TXDW);
	assert_int_equal(rd(c, ICR), 0);
	card_free(c);
}

static void
test_causes_of_queues_do_not_exist(void **state)
{
	const uint32_t queues = ICR_RXQ0 | ICR_RXQ1 | ICR_TXQ0 | ICR_TXQ1 | ICR_OTHER;
	struct card *c = c_new();

	(void)state;
	wr(c, IMS, queues);
	assert_int_equal(rd(c, IMS), 0);
	wr(c, ICS, queues);
	assert_int_equal(rd(c, ICS) & queues, 0);
	card_free(c);
}

static void
test_reading_icr_masks_with_iame(void **state)
{
	struct card *c = c_new();

	(void)state;
	(void)rd(c, ICR);
	wr(c, IAM, ICR_TXDW);
	wr(c, CTRL_EXT, EXT_IAME);
	wr(c, IMS, ICR_TXDW | ICR_LSC);
	wr(c, ICS, ICR_TXDW);
	assert_int_equal(rd(c, ICR), ICR_ASSERTED | ICR_TXDW);
	assert_int_equal(rd(c, IMS), ICR_LSC);
	card_free(c);
}

/* --- EEPROM (§4.1) ------------------------------------------------------------------------- */

static void
pins(struct card *c, uint32_t val)
{
	wr(c, EECD, EECD_REQ | val);
	wait_us(c, 1);
}

static void
spi_grab(struct card *c)
{
	wr(c, EECD, (rd(c, EECD) & EECD_CS) | EECD_REQ);
	assert_int_equal(rd(c, EECD) & EECD_GNT, EECD_GNT);
}

static void
spi_end(struct card *c)
{
	pins(c, EECD_CS);
}

static void
spi_begin(struct card *c)
{
	spi_end(c);
	pins(c, 0);
}

/* A byte in, most significant bit first. */
static void
spi_put(struct card *c, uint8_t byte)
{
	int i;

	for (i = 7; i >= 0; i--) {
		uint32_t di = (byte >> i & 1) != 0 ? EECD_DI : 0;

		pins(c, di);
		pins(c, di | EECD_SK);
		pins(c, di);
	}
}

static uint8_t
spi_get(struct card *c)
{
	uint8_t byte = 0;
	int i;

	for (i = 0; i < 8; i++) {
		pins(c, EECD_SK);
		byte = (uint8_t)(byte << 1 | ((rd(c, EECD) & EECD_DO) != 0));
		pins(c, 0);
	}
	return byte;
}

static uint8_t
spi_status(struct card *c)
{
	uint8_t status;

	spi_begin(c);
	spi_put(c, 0x05);
	status = spi_get(c);
	spi_end(c);
	return status;
}

static void
spi_enable(struct card *c)
{
	spi_begin(c);
	spi_put(c, 0x06);
	spi_end(c);
}

static void
spi_write(struct card *c, uint8_t at, const char *bytes)
{
	spi_begin(c);
	spi_put(c, 0x02);
	spi_put(c, at);
	while (*bytes != '\0')
		spi_put(c, (uint8_t)*bytes++);
	spi_end(c);
}

/* The other way to a word, with nobody at the pins. */
static uint32_t
eerd(struct card *c, uint32_t addr)
{
	wr(c, EECD, EECD_CS | EECD_REQ);
	wr(c, EECD, EECD_CS);
	wr(c, EERD, addr << 2 | 1);
	wait_us(c, 100);
	assert_int_equal(rd(c, EERD) & 2, 2);
	return rd(c, EERD) >> 16;
}

static void
test_eeprom_is_read_by_its_pins(void **state)
{
	struct card *c = c_new();
	unsigned int i;

	(void)state;
	spi_grab(c);
	spi_begin(c);
	spi_put(c, 0x03);
	spi_put(c, 0);
	for (i = 0; i < 6; i++)
		assert_int_equal(spi_get(c), card_mac[i]);
	spi_end(c);
	/* The last word, then the first again */
	spi_begin(c);
	spi_put(c, 0x03);
	spi_put(c, 126);
	i = spi_get(c);
	i |= (unsigned int)spi_get(c) << 8;
	assert_int_equal(spi_get(c), card_mac[0]);
	assert_int_equal(eerd(c, 63), i);
	card_free(c);
}

static void
test_eeprom_is_written_by_its_pins(void **state)
{
	struct card *c = c_new();

	(void)state;
	spi_grab(c);
	/* Not without leave. */
	spi_write(c, 0x50, "ab");
	assert_int_equal(spi_status(c), 0);
	assert_int_equal(eerd(c, 0x28), 0xffff);
	spi_grab(c);
	spi_enable(c);
	assert_int_equal(spi_status(c), 0x02);
	spi_write(c, 0x50, "ab");
	/* 5 ms; nothing else is heard meanwhile; the leave is used up. */
	assert_int_equal(spi_status(c), 0x01);
	spi_enable(c);
	wait_us(c, 5000);
	assert_int_equal(spi_status(c), 0);
	assert_int_equal(eerd(c, 0x28), 'b' << 8 | 'a');
	/* A page has eight bytes, and does not run over into the next. */
	spi_grab(c);
	spi_enable(c);
	spi_write(c, 0x56, "cdef");
	wait_us(c, 5000);
	assert_int_equal(eerd(c, 0x2b), 'd' << 8 | 'c');
	assert_int_equal(eerd(c, 0x28), 'f' << 8 | 'e');
	assert_int_equal(eerd(c, 0x2c), 0xffff);
	/* Leave that was taken back */
	spi_grab(c);
	spi_enable(c);
	spi_begin(c);
	spi_put(c, 0x04);
	spi_end(c);
	spi_write(c, 0x50, "gh");
	wait_us(c, 5000);
	assert_int_equal(eerd(c, 0x28), 'f' << 8 | 'e');
	card_free(c);
}

static void
test_eeprom_pins_and_eerd_exclude_each_other(void **state)
{
	struct card *c = c_new();

	(void)state;
	wr(c, EECD, EECD_SK);
	expect_violation(c, PW_VIOL_PROTOCOL, "without GNT");
	wr(c, EECD, EECD_REQ);
	wr(c, EERD, 1);
	expect_violation(c, PW_VIOL_PROTOCOL, "EECD.REQ");
	card_free(c);
}

static void
test_silent_eeprom_is_busy_for_ever(void **state)
{
	struct card *c = c_new();

	(void)state;
	assert_int_equal(pw_model_fault(c->m, PW_FAULT_EEPROM_SILENT, 1), 0);
	wr(c, EECD, EECD_REQ);
	assert_int_equal(spi_status(c), 0xff);
	card_free(c);
}

/* §5.1: a moment after each reset */
static void
test_eeprom_is_loaded_after_reset(void **state)
{
	struct card *c = c_new();

	(void)state;
	assert_int_equal(rd(c, EECD) & EECD_AUTO_RD, 0);
	wait_us(c, 1000);
	/* A line that nobody drives reads as a one. */
	assert_int_equal(rd(c, EECD), EECD_AUTO_RD | EECD_PRES | EECD_DO);
	card_reset(c);
	assert_int_equal(rd(c, EECD) & EECD_AUTO_RD, 0);
	card_free(c);
}

/* --- semaphores and PHY (§2.5, §4.2) ------------------------------------------------------- */

static bool
own_phy(struct card *c)
{
	if ((rd(c, SWSM) & SMBI) != 0)
		return false;
	wr(c, SWSM, rd(c, SWSM) | SWESMBI);
	return (rd(c, SWSM) & SWESMBI) != 0;
}

static uint32_t
mdic(struct card *c, uint32_t op, uint32_t reg, uint32_t val)
{
	wr(c, MDIC, op | 1u << 21 | reg << 16 | val);
	wait_us(c, 64);
	assert_int_equal(rd(c, MDIC) & (MDIC_READY | MDIC_ERROR), MDIC_READY);
	return rd(c, MDIC) & 0xffff;
}

static void
test_boot_agent_leaves_the_semaphore_taken(void **state)
{
	struct card *c = c_new();

	(void)state;
	assert_false(own_phy(c));
	/* The first driver of a card may give it back, and says that it has. */
	assert_int_equal(rd(c, SWSM2), 0);
	wr(c, SWSM2, BIT(1));
	wr(c, SWSM, 0);
	assert_true(own_phy(c));
	assert_false(own_phy(c));
	card_reset(c);
	assert_int_equal(rd(c, SWSM2), BIT(1));
	assert_int_equal(rd(c, SWSM), SMBI | SWESMBI);
	card_free(c);
}

static void
test_phy_is_not_touched_without_the_semaphore(void **state)
{
	struct card *c = c_new();

	(void)state;
	wr(c, MDIC, MDIC_READ | 1u << 21);
	expect_violation(c, PW_VIOL_PROTOCOL, "SWSM");
	wait_us(c, 64);
	assert_int_equal(rd(c, MDIC) & MDIC_READY, 0);
	wr(c, SWSM, 0);
	assert_true(own_phy(c));
	assert_int_equal(mdic(c, MDIC_READ, 2, 0), 0x02a8);
	assert_int_equal(mdic(c, MDIC_READ, 3, 0), 0x0380);
	card_free(c);
}

/* Offsets past 15 go by register 31; gain from 1 to 112 in bits 15:9 (§9.2). */
static void
test_phy_has_igp_pages(void **state)
{
	static const uint32_t agc[] = { 0x11b1, 0x12b1, 0x14b1, 0x18b1 };
	struct card *c = c_new();
	unsigned int i;

	(void)state;
	wr(c, SWSM, 0);
	assert_true(own_phy(c));
	for (i = 0; i < 4; i++) {
		mdic(c, MDIC_WRITE, 31, agc[i]);
		assert_in_range(mdic(c, MDIC_READ, agc[i] & 31, 0) >> 9, 1, 112);
	}
	/* Register 25, and what has the same low bits */
	mdic(c, MDIC_WRITE, 31, 25);
	mdic(c, MDIC_WRITE, 25, 0x0006);
	mdic(c, MDIC_WRITE, 31, 0x1f79);
	assert_int_equal(mdic(c, MDIC_READ, 25, 0), 0);
	mdic(c, MDIC_WRITE, 31, 25);
	assert_int_equal(mdic(c, MDIC_READ, 25, 0), 0x0006);
	card_free(c);
}

/* EEMNGCTL says when the PHY has its part of the EEPROM, within 100 ms of its reset. */
static void
test_phy_is_configured_a_while_after_its_reset(void **state)
{
	struct card *c = c_new();

	(void)state;
	wait_us(c, 100000);
	assert_int_equal(rd(c, EEMNGCTL) & BIT(18), BIT(18));
	wr(c, CTRL, rd(c, CTRL) | CTRL_PHY_RST);
	wait_us(c, 100000);
	assert_int_equal(rd(c, EEMNGCTL) & BIT(18), 0);
	wr(c, CTRL, rd(c, CTRL) & ~CTRL_PHY_RST);
	assert_int_equal(rd(c, EEMNGCTL) & BIT(18), 0);
	wait_us(c, 100000);
	assert_int_equal(rd(c, EEMNGCTL) & BIT(18), BIT(18));
	card_free(c);
}

/* --- errata (§7) --------------------------------------------------------------------------- */

/* Everything as it is wanted but for one thing. */
static void
test_transmitter_is_started_with_the_bits_set(void **state)
{
	static const struct {
		uint32_t off, clear, set;
		const char *about;
	} t[] = {
		{ CTRL_EXT, 0, CTRL_EXT_DMA_CLOCK, "CTRL_EXT bit 19" },
		{ TARC0, BIT(23), 0, "TARC0" }, { TARC0, BIT(24), 0, "TARC0" },
		{ TARC0, BIT(25), 0, "TARC0" }, { TARC0, BIT(26), 0, "TARC0" },
		{ TARC0, 0, BIT(27), "TARC0" }, { TARC0, 0, BIT(30), "TARC0" },
		{ TARC1, BIT(22), 0, "TARC1" }, { TARC1, BIT(24), 0, "TARC1" },
		{ TARC1, BIT(25), 0, "TARC1" }, { TARC1, BIT(26), 0, "TARC1" },
		{ TARC1, 0, BIT(29), "TARC1" }, { TARC1, 0, BIT(30), "TARC1" },
		{ TARC1, 0, BIT(28), "TARC1" }, { TXDCTL, TXDCTL_COUNT, 0, "bit 22" },
	};
	struct card *c = c_up_tx();
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		wr(c, TCTL, TCTL_MULR);
		wr(c, t[i].off, (rd(c, t[i].off) & ~t[i].clear) | t[i].set);
		wr(c, TCTL, TCTL_EN | TCTL_MULR);
		expect_violation(c, PW_VIOL_PROTOCOL, t[i].about);
		wr(c, t[i].off, (rd(c, t[i].off) & ~t[i].set) | t[i].clear);
	}
	/* Without MULR, bit 28 is set. */
	wr(c, TCTL, 0);
	wr(c, TCTL, TCTL_EN);
	expect_violation(c, PW_VIOL_PROTOCOL, "TARC1");
	wr(c, TCTL, 0);
	wr(c, TARC1, rd(c, TARC1) | BIT(28));
	wr(c, TCTL, TCTL_EN);
	card_free(c);
}

/* A packet whose header extension is longer than itself. */
static uint32_t
broken_ipv6(uint8_t *f)
{
	uint32_t len = make_ip(f, false, false, 100, false);

	f[14 + 6] = 60;			/* destination options */
	f[14 + 40 + 1] = 100;		/* of 808 bytes */
	return len;
}

static void
test_broken_ipv6_header_hangs_the_receiver(void **state)
{
	struct card *c = c_new();
	uint8_t f[200];
	uint32_t len = broken_ipv6(f);

	(void)state;
	wr(c, RFCTL, RFCTL_EXTEN);
	card_start_rx(c, RCTL_SECRC | RCTL_UPE);
	arrive(c, card_mac, 60);
	(void)x_received(c);
	x_arrive(c, f, len);
	arrive(c, card_mac, 60);
	assert_int_equal(c->mem->rx[c->rx_next].word & S_DD, 0);
	assert_int_equal(rd(c, MPC), 2);
	/* Turning it off and on does not help, a reset does. */
	wr(c, RCTL, 0);
	wr(c, RCTL, RCTL_EN | RCTL_SECRC | RCTL_UPE);
	arrive(c, card_mac, 60);
	assert_int_equal(c->mem->rx[c->rx_next].word & S_DD, 0);
	card_reset(c);
	wr(c, RFCTL, RFCTL_EXTEN | NO_EXT_HDRS);
	card_start_rx(c, RCTL_SECRC | RCTL_UPE);
	x_arrive(c, f, len);
	assert_int_equal(x_len(x_received(c)), len);
	arrive(c, card_mac, 60);
	assert_int_equal(x_len(x_received(c)), 60);
	card_free(c);
}

/* --- contexts (§1.2) ----------------------------------------------------------------------- */

/* IPv4 at 14, TCP at 34 (§3.5) */
#define CTX_CSUM (14ull | 24ull << 8 | 33ull << 16 | 34ull << 32 | 50ull << 40)
#define CTX_WORD (D_DEXT | BIT(24) | BIT(25))
#define TSO_WORD(payload, mss) \
	(CTX_WORD | D_TSE | (payload) | 54ull << 40 | (uint64_t)(mss) << 48)

static void
test_each_queue_has_a_context(void **state)
{
	struct card *c = c_new();
	struct desc *tx1 = (struct desc *)c->mem->big;
	uint8_t *buf = c->mem->big + 4096, f[200];
	uint32_t len = make_ip(f, true, true, 50, false);
	struct pw_frame out;

	(void)state;
	c_errata(c);
	memset(tx1, 0, RING * sizeof(*tx1));
	x_ring(c, TDBAL1, tx1, RING * sizeof(*tx1), 0);
	card_start_tx(c, TCTL_PSP | TCTL_MULR);
	put_desc(c, CTX_CSUM, CTX_WORD);
	ring(c);
	/* What queue 1 is told does not reach queue 0: here it would sum elsewhere. */
	tx1[0].addr = (CTX_CSUM & ~(0xffull << 40)) | 52ull << 40;
	tx1[0].word = CTX_WORD;
	wr(c, TDBAL1 + R_TAIL, 1);
	set16(f + 50, rfc1071_sum(f + 26, 8, 6 + 70));
	put_buf(c, f, len, SEND | D_DATA | D_IXSM | D_TXSM);
	ring(c);
	out = sent(c);
	check_l4_sum(out.data + 14);
	/* And queue 1 has its own. */
	memcpy(buf, f, len);
	tx1[1].addr = bus(c, buf);
	tx1[1].word = SEND | D_DATA | D_IXSM | len;
	wr(c, TDBAL1 + R_TAIL, 2);
	out = sent(c);
	assert_int_equal(rfc1071_sum(out.data + 14, 20, 0), 0xffff);
	card_free(c);
}

/* There is no second one for segmentation: the last counts. */
static void
test_context_of_a_queue_is_the_last(void **state)
{
	struct card *c = c_up_tx();
	uint8_t f[200];
	uint32_t len = make_ip(f, true, true, 100, false);

	(void)state;
	put_desc(c, CTX_CSUM, TSO_WORD(100, 60));
	put_desc(c, CTX_CSUM, CTX_WORD);	/* no MSS */
	put_buf(c, f, len, SEND | D_DATA | D_TSE | D_IXSM | D_TXSM);
	ring(c);
	expect_violation(c, PW_VIOL_PROTOCOL, "TSO without a context");
	card_free(c);
}

/* §6: the first descriptor of a segmented packet has some of its payload. */
static void
test_segmentation_wants_payload_with_the_header(void **state)
{
	struct card *c = c_up_tx();
	uint8_t f[200];
	uint32_t len = make_ip(f, true, true, 100, false);

	(void)state;
	put_desc(c, CTX_CSUM, TSO_WORD(100, 60));
	put_buf(c, f, 54, D_IFCS | D_DATA | D_TSE | D_IXSM | D_TXSM);
	put_buf(c, f + 54, len - 54, SEND | D_DATA | D_TSE | D_IXSM | D_TXSM);
	ring(c);
	expect_violation(c, PW_VIOL_PROTOCOL, "with a header of 54");
	sent_nothing(c);
	put_desc(c, CTX_CSUM, TSO_WORD(100, 60));
	put_buf(c, f, 58, D_IFCS | D_DATA | D_TSE | D_IXSM | D_TXSM);
	put_buf(c, f + 58, len - 58, SEND | D_DATA | D_TSE | D_IXSM | D_TXSM);
	ring(c);
	assert_int_equal(sent(c).len, 54 + 60);
	assert_int_equal(sent(c).len, 54 + 40);
	card_free(c);
}

/* --- two queues and RSS (§2.3) ------------------------------------------------------------- */

/* Microsoft's key and its first vector: 66.9.149.187 to 161.142.100.80 gives 0x323e8fc2. */
static void
test_rss_leads_to_the_second_queue(void **state)
{
	static const uint8_t key[40] = {
		0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3,
		0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3,
		0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
	};
	struct card *c = c_new();
	struct desc *rx1 = (struct desc *)c->mem->big;
	uint8_t *buf = c->mem->big + 4096, f[200];
	uint32_t len = make_ip(f, true, false, 100, false), i, word;

	(void)state;
	wr(c, RFCTL, RFCTL_EXTEN | NO_EXT_HDRS);
	wr(c, RXCSUM, RXCSUM_PCSD);
	for (i = 0; i < 10; i++) {
		memcpy(&word, key + 4 * i, 4);
		wr(c, RSSRK + 4 * i, word);
	}
	/* Entry 0x42, the low seven bits: bit 7 of the third byte of the 17th register */
	wr(c, RETA + 0x40, 0x80u << 16);
	wr(c, MRQC, BIT(0) | BIT(17));
	memset(rx1, 0, RING * sizeof(*rx1));
	rx1[0].addr = bus(c, buf);
	x_ring(c, RDBAL1, rx1, RING * sizeof(*rx1), RING - 1);
	card_start_rx(c, RCTL_SECRC | RCTL_UPE);
	set32(f + 26, 66u << 24 | 9u << 16 | 149u << 8 | 187u);
	set32(f + 30, 161u << 24 | 142u << 16 | 100u << 8 | 80u);
	x_arrive(c, f, len);
	assert_int_equal(x_status(&rx1[0]) & S_DD, S_DD);
	assert_int_equal(rx1[0].addr >> 32, 0x323e8fc2);
	assert_int_equal(rx1[0].addr & 0x1f0f, 1u << 8 | 2);	/* queue 1, type IPv4 */
	assert_memory_equal(buf, f, len);
	/* Another address, another entry */
	f[33] = 81;
	x_arrive(c, f, len);
	(void)x_received(c);
	/* Both queues have the one cause. */
	assert_int_equal(rd(c, ICS) & ICR_RXT0, ICR_RXT0);
	card_free(c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_function_has_msi_but_no_msix),
		cmocka_unit_test(test_registers_of_other_parts_are_missing),
		cmocka_unit_test(test_reset_values),
		cmocka_unit_test(test_icr_is_kept_while_all_of_it_is_masked),
		cmocka_unit_test(test_causes_of_queues_do_not_exist),
		cmocka_unit_test(test_reading_icr_masks_with_iame),
		cmocka_unit_test(test_eeprom_is_read_by_its_pins),
		cmocka_unit_test(test_eeprom_is_written_by_its_pins),
		cmocka_unit_test(test_eeprom_pins_and_eerd_exclude_each_other),
		cmocka_unit_test(test_silent_eeprom_is_busy_for_ever),
		cmocka_unit_test(test_eeprom_is_loaded_after_reset),
		cmocka_unit_test(test_boot_agent_leaves_the_semaphore_taken),
		cmocka_unit_test(test_phy_is_not_touched_without_the_semaphore),
		cmocka_unit_test(test_phy_has_igp_pages),
		cmocka_unit_test(test_phy_is_configured_a_while_after_its_reset),
		cmocka_unit_test(test_transmitter_is_started_with_the_bits_set),
		cmocka_unit_test(test_broken_ipv6_header_hangs_the_receiver),
		cmocka_unit_test(test_each_queue_has_a_context),
		cmocka_unit_test(test_context_of_a_queue_is_the_last),
		cmocka_unit_test(test_segmentation_wants_payload_with_the_header),
		cmocka_unit_test(test_rss_leads_to_the_second_queue),
	};

	return cmocka_run_group_tests_name("82572ei", tests, NULL, NULL);
}
