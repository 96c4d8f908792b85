/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include "e1000_card.h"

struct card card;
struct pw_dev card_dev;
struct e1000_hw card_hw;

/* --- the card ------------------------------------------------------------------------------ */

static void
reset(const char *how)
{
	snprintf(card.how, sizeof(card.how), "%s", how);
	card.resets++;
	card.rctl_at_reset = R(E1000_RCTL);
	R(E1000_CTRL) = 0;
	R(E1000_RCTL) = 0;
	if (card.pcie)
		R(E1000_EECD) |= E1000_EECD_AUTO_RD;
}

static void
nvm_store(uint32_t word, uint16_t val)
{
	card.writes++;
	if (!card.protected)
		card.nvm[word % CARD_NVM_WORDS] = val;
}

/* 93C46: start, two opcode bits, six address bits; then a dummy zero and 16 bits (§4.1). */
static void
microwire(uint32_t old, uint32_t val)
{
	bool rise = (val & ~old & E1000_EECD_SK) != 0;

	if ((val & E1000_EECD_CS) == 0) {
		/* 101, address, word: written when select falls; EWEN 10011, EWDS 10000. */
		if (card.nb_in == 25 && card.in >> 22 == 5 && card.writable)
			nvm_store(card.in >> 16 & 63, (uint16_t)card.in);
		if (card.nb_in == 9 && card.in >> 4 == 0x13)
			card.writable = true;
		if (card.nb_in == 9 && card.in >> 4 == 0x10)
			card.writable = false;
		card.in = card.nb_in = card.nb_out = 0;
		card.dout = true;
		return;
	}
	if (!rise)
		return;
	if (card.nb_out > 0) {
		card.dout = card.out >> --card.nb_out & 1;
		return;
	}
	if (card.nb_in == 0 && (val & E1000_EECD_DI) == 0)
		return;
	card.in = card.in << 1 | ((val & E1000_EECD_DI) != 0);
	if (++card.nb_in == 9 && card.in >> 6 == 6) {
		card.out = card.nvm[card.in & 63];
		card.nb_out = 16;
		card.dout = false;
	}
}

/*
 * SPI: select is active low; RDSR 05, WREN 06, READ 03 and WRITE 02 with a byte address; low byte
 * first (§4.1). A write needs WREN before it, and is done when select ends.
 */
static void
spi(uint32_t old, uint32_t val)
{
	uint32_t addr_bits = R(E1000_EECD) & E1000_EECD_ADDR_BITS ? 16 : 8;

	if ((val & E1000_EECD_CS) != 0) {
		if (card.nb_in == 8 && card.in == 6)
			card.writable = true;
		if (card.nb_in == 24 + addr_bits && card.in >> (16 + addr_bits) == 2) {
			if (card.writable)
				nvm_store((card.in >> 16 & ((1u << addr_bits) - 1)) / 2,
					  rte_bswap16((uint16_t)card.in));
			card.writable = false;
		}
		card.in = card.nb_in = card.nb_out = 0;
		return;
	}
	if ((val & ~old & E1000_EECD_SK) == 0)
		return;
	if (card.nb_out > 0) {
		card.dout = card.out >> --card.nb_out & 1;
		if (card.nb_out == 0) {	/* on to the next word */
			card.in += 2;
			card.out = rte_bswap16(card.nvm[card.in / 2 % CARD_NVM_WORDS]);
			card.nb_out = 16;
		}
		return;
	}
	card.in = card.in << 1 | ((val & E1000_EECD_DI) != 0);
	card.nb_in++;
	if (card.nb_in > 8 + addr_bits)
		return;
	if (card.nb_in == 8 && card.in == 5) {
		card.out = 0;
		card.nb_out = 8;
	} else if (card.nb_in == 8 + addr_bits && card.in >> addr_bits == 3) {
		card.in &= (1u << addr_bits) - 1;
		card.out = rte_bswap16(card.nvm[card.in / 2 % CARD_NVM_WORDS]);
		card.nb_out = 16;
	}
}

static void
eecd(uint32_t old, uint32_t val)
{
	R(E1000_EECD) = val & ~(E1000_EECD_DO | E1000_EECD_GNT);
	if ((val & E1000_EECD_FLUPD) != 0) {
		R(E1000_EECD) &= ~E1000_EECD_FLUPD;
		card.commits++;
	}
	if ((old & E1000_EECD_TYPE) != 0 || card.pcie)
		spi(old, val);
	else
		microwire(old, val);
}

static uint16_t
igp_access(bool write, uint16_t reg, uint16_t val)
{
	if (write) {
		card.igp[reg] = val;
		assert_true(card.nb_igp_log < RTE_DIM(card.igp_log));
		card.igp_log[card.nb_igp_log].reg = reg;
		card.igp_log[card.nb_igp_log++].val = val;
	}
	return card.igp[reg];
}

static uint16_t
phy_access(bool write, uint32_t reg, uint16_t val)
{
	/* Behind the page select of an IGP PHY (§4.2); some are numbered as BM's page select. */
	if (reg > 15 && reg < E1000_IGP_PAGE && card.phy_page > MII_REG_NUM)
		return igp_access(write, card.phy_page, val);
	if (write && (reg == E1000_IGP_PAGE || reg == E1000_BM_PAGE))
		card.phy_page = val;
	if (write && reg == E1000_M88_PAGE_DATA) {
		memmove(card.dsp, card.dsp + 1, sizeof(card.dsp) - sizeof(card.dsp[0]));
		card.dsp[RTE_DIM(card.dsp) - 1] = val;
	}
	if (write)
		card.phy[reg] = val & ~(reg == MII_BMCR ? MII_BMCR_RESET | MII_BMCR_ANRESTART : 0);
	return card.phy[reg];
}

static void
mdic(uint32_t val)
{
	uint32_t reg = (val & E1000_MDIC_REG_MASK) >> E1000_MDIC_REG_SHIFT;

	if (!card.mdic)
		return;
	assert_int_equal((val & E1000_MDIC_PHY_MASK) >> E1000_MDIC_PHY_SHIFT, 1);
	val = (val & ~0xffffu) | phy_access((val & E1000_MDIC_OP_WRITE) != 0, reg, val);
	R(E1000_MDIC) = val | E1000_MDIC_READY;
}

/* Clause 22: 32 ones, start 01, opcode, five and five address bits, turnaround, 16 bits. */
static void
mdio_pins(uint32_t old, uint32_t val)
{
	if ((val & ~old & E1000_CTRL_MDC) == 0)
		return;
	if ((val & E1000_CTRL_MDIO_DIR) == 0) {
		if (card.mdio_left > 0)
			card.mdio_bit = card.mdio_left-- <= 16 &&
					(card.mdio_out >> card.mdio_left & 1);
		return;
	}
	card.mdio_in = card.mdio_in << 1 | ((val & E1000_CTRL_MDIO) != 0);
	/* A read: 32 ones, then 01 10 00001 and the register. */
	if ((uint32_t)(card.mdio_in >> 14) == UINT32_MAX) {
		uint32_t head = card.mdio_in & 0x3fff;

		if (head >> 10 == 6 && (head >> 5 & 31) == 1) {
			card.mdio_out = phy_access(false, head & 31, 0);
			card.mdio_left = 17;
		}
	}
	/* A write: the same with 01 01, then 10 and the value. */
	if ((uint32_t)(card.mdio_in >> 32) == UINT32_MAX) {
		uint32_t frame = (uint32_t)card.mdio_in;

		if (frame >> 28 == 5 && (frame >> 23 & 31) == 1 && (frame >> 16 & 3) == 2)
			phy_access(true, frame >> 18 & 31, (uint16_t)frame);
	}
}

static uint32_t
card_read(const struct pw_io *io, uint32_t off, unsigned int width)
{
	uint32_t val;

	assert_int_equal(width, 4);
	if (io != &card_dev.bar[0])
		return 0;
	assert_true(off < E1000_REG_BAR_SIZE && (off & 3) == 0);
	val = R(off);
	if (off == E1000_EECD && card.dout)
		val |= E1000_EECD_DO;
	if (off == E1000_EECD && (val & E1000_EECD_REQ))
		val |= E1000_EECD_GNT;
	if (off == E1000_CTRL && (val & E1000_CTRL_MDIO_DIR) == 0 && card.mdio_bit)
		val |= E1000_CTRL_MDIO;
	if (off == E1000_SWSM)
		R(off) |= E1000_SWSM_SMBI;
	if (card.stuck_bits != 0 && off == card.stuck_off)
		val |= card.stuck_bits;
	return val;
}

static void
card_write(const struct pw_io *io, uint32_t off, uint32_t val, unsigned int width)
{
	uint32_t old;

	assert_int_equal(width, 4);
	if (io != &card_dev.bar[0]) {
		if (off == 0)
			card.io_addr = val;
		else if (card.io_addr == E1000_CTRL && (val & E1000_CTRL_RST))
			reset("io");
		return;
	}
	old = R(off);
	R(off) = val;
	if ((off == E1000_CTRL || off == E1000_CTRL_DUP) && (val & E1000_CTRL_RST))
		reset(off == E1000_CTRL ? "mmio" : "dup");
	else if (off == E1000_CTRL) {
		card.phy_resets += (val & ~old & E1000_CTRL_PHY_RST) != 0;
		mdio_pins(old, val);
	}
	else if (off == E1000_CTRL_EXT)
		R(off) &= ~E1000_CTRL_EXT_EE_RST;
	else if (off == E1000_EECD)
		eecd(old, val);
	else if (off == E1000_EERD && card.eerd && (val & 1))
		R(off) = card.pcie || (R(E1000_EECD) & E1000_EECD_TYPE) ?
			 (uint32_t)card.nvm[val >> 2 & 63] << 16 | E1000_EERD_LARGE_DONE :
			 (uint32_t)card.nvm[val >> 8 & 63] << 16 | E1000_EERD_SMALL_DONE;
	else if (off == E1000_EEWR && card.eerd && (val & 1)) {
		nvm_store(val >> 2 & 63, val >> 16);
		R(off) = val | E1000_EEWR_DONE;
	} else if (off == E1000_MDIC)
		mdic(val);
}

static const struct pw_io_ops card_ops = { .read = card_read, .write = card_write };

static int
cfg_read(const struct pw_dev *d, void *buf, uint32_t len, uint32_t off)
{
	(void)d;
	memcpy(buf, card.cfg + off, len);
	return 0;
}

static int
cfg_write(const struct pw_dev *d, const void *buf, uint32_t len, uint32_t off)
{
	(void)d;
	memcpy(card.cfg + off, buf, len);
	return 0;
}

void
card_make(uint16_t device)
{
	/* §1.1: 82571 to 82583 */
	static const uint16_t pcie[] = {
		0x105e, 0x105f, 0x1060, 0x10a4, 0x10a5, 0x10bc, 0x10d5, 0x10d9, 0x10da, 0x107d,
		0x107e, 0x107f, 0x10b9, 0x108b, 0x108c, 0x109a, 0x10d3, 0x10f6, 0x150c,
	};
	uint16_t sum = 0;

	memset(&card, 0, sizeof(card));
	memset(&card_dev, 0, sizeof(card_dev));
	card_dev.name = "card";
	card_dev.id.vendor_id = 0x8086;
	card_dev.id.device_id = device;
	card_dev.bar[0] = (struct pw_io){ .ops = &card_ops, .len = E1000_REG_BAR_SIZE };
	card_dev.bar[2] = (struct pw_io){ .ops = &card_ops, .len = 64 };
	card_dev.cfg_read = cfg_read;
	card_dev.cfg_write = cfg_write;
	for (unsigned int i = 0; i < RTE_DIM(pcie); i++)
		card.pcie |= device == pcie[i];
	card.mdic = true;
	card.nvm[0] = 0x1b00;
	card.nvm[1] = 0xab21;
	card.nvm[2] = 0xefcd;
	for (unsigned int i = 3; i < CARD_NVM_WORDS - 1; i++)
		card.nvm[i] = i * 0x1234;
	card.nvm[E1000_NVM_CFG] = 0;
	for (unsigned int i = 0; i < CARD_NVM_WORDS - 1; i++)
		sum += card.nvm[i];
	card.nvm[CARD_NVM_WORDS - 1] = 0xbaba - sum;
	card.phy[MII_PHYID1] = 0x0141;
	card.phy[MII_PHYID2] = 0x0c20;
	card.phy[MII_BMSR] = 0x796d;
	card.phy[MII_ESR] = 0x3000;
	/* Two capabilities: PCI-X with 4 KiB reads, PCI Express with L0s and L1 on. */
	card.cfg[0x06] = 0x10;
	card.cfg[0x34] = 0xdc;
	card.cfg[0xdc] = 0x07;
	card.cfg[0xdd] = 0xe0;
	card.cfg[0xde] = 0x0c;
	card.cfg[0xe0] = 0x10;
	card.cfg[0xf0] = 0x03;
}

void
card_init(uint16_t device)
{
	card_make(device);
	assert_int_equal(e1000_hw_init(&card_hw, &card_dev), 0);
	assert_int_equal(e1000_reset(&card_hw), 0);
	e1000_quirks(&card_hw);
}
