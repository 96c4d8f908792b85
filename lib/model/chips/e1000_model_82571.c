/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * What 82571 and 82572 have of their own beside other PCI Express parts: an SPI EEPROM on the
 * pins of EECD (§4.1), a PHY that is shared by way of SWSM (§4.2), ICR's own rule for reading
 * (§2.2), and errata that want software to set bits, or to leave things undone (§7).
 *
 * The EEPROM is a small part: 128 bytes, an address of one byte, pages of eight. Bits go in on the
 * rising edge of SK and out on the falling one while CS is low. A boot agent has used the
 * semaphore before the driver, and not given it back.
 */

#include "e1000_model.h"

#define AUTO_RD_NS 1000000	/* software looks ten times, 1 ms apart (§9.2) */
#define SPI_WRITE_NS 5000000
#define SPI_WRDI 0x04
#define SPI_BUSY E1000_SPI_RDSR_BUSY
#define SPI_WEL 0x02
#define SPI_BYTES (2 * E1000_NVM_WORDS)
#define EECD_PINS (E1000_EECD_SK | E1000_EECD_CS | E1000_EECD_DI)
#define EECD_RW (EECD_PINS | E1000_EECD_FWE_MASK | E1000_EECD_REQ)
#define TARC0_SET \
	(E1000_TARC_BIT23 | E1000_TARC_BIT24 | E1000_TARC_BIT25 | E1000_TARC_BIT26)
#define TARC1_SET \
	(E1000_TARC_BIT22 | E1000_TARC_BIT24 | E1000_TARC_BIT25 | E1000_TARC_BIT26)
#define TARC1_MBZ (3u << 29)

/* What CTRL.RST leaves alone. */
void
e1000_571_power_on(struct e1000_model *e)
{
	E1000_R(e, E1000_SWSM) = E1000_SWSM_SMBI;
	E1000_R(e, E1000_SWSM2) = 0;
}

void
e1000_571_reset(struct e1000_model *e)
{
	uint64_t busy = e->x->spi.busy_until;

	e->x->spi = (struct e1000_spi){ .busy_until = busy };
	e->x->auto_rd = pw_now(e->m) + AUTO_RD_NS;
}

/* --- SPI ----------------------------------------------------------------------------------- */

static bool
spi_busy(const struct e1000_model *e)
{
	return pw_now(e->m) < e->x->spi.busy_until;
}

/* A byte as the part gives it out: a word's low byte first. */
static uint8_t
spi_memory(const struct e1000_model *e, uint8_t at)
{
	uint16_t word;

	e1000_nvm_read(e, at % SPI_BYTES / 2, &word);
	return (uint8_t)(word >> 8 * (at & 1));
}

/* Addresses wrap within the page; what was given last counts. */
static void
spi_hold(struct e1000_spi *spi)
{
	unsigned int i = spi->at % sizeof(spi->held);

	spi->held[i] = spi->in;
	spi->held_mask |= (uint8_t)(1u << i);
	spi->at++;
}

/* The part ended a byte: what does it give out during the next? */
static uint8_t
spi_byte(struct e1000_model *e)
{
	struct e1000_spi *spi = &e->x->spi;

	if (spi->nb == 0)
		/* Nothing but its status is told while it writes; bit 3 is A8. */
		spi->opcode = spi_busy(e) && spi->in != E1000_SPI_RDSR ? 0 :
			      (uint8_t)(spi->in & ~E1000_SPI_A8);
	spi->nb++;
	switch (spi->opcode) {
	case E1000_SPI_RDSR:
		return (uint8_t)((spi_busy(e) ? SPI_BUSY : 0) | (spi->writable ? SPI_WEL : 0));
	case E1000_SPI_READ:
		if (spi->nb == 1)
			return 0xff;
		if (spi->nb == 2)
			spi->at = spi->in;
		return spi_memory(e, spi->at++);
	case E1000_SPI_WRITE:
		if (spi->nb == 2)
			spi->at = spi->page = spi->in;
		else if (spi->nb > 2)
			spi_hold(spi);
		return 0xff;
	default:
		return 0xff;
	}
}

static void
spi_store(struct e1000_model *e)
{
	struct e1000_spi *spi = &e->x->spi;
	unsigned int base = spi->page & ~(sizeof(spi->held) - 1), i;

	for (i = 0; i < sizeof(spi->held); i++) {
		uint16_t *word = &e->nvm[(base + i) % SPI_BYTES / 2];
		unsigned int shift = 8 * (i & 1);

		if ((spi->held_mask >> i & 1) != 0)
			*word = (uint16_t)((*word & ~(0xffu << shift)) | spi->held[i] << shift);
	}
	spi->busy_until = pw_now(e->m) + SPI_WRITE_NS;
	spi->writable = false;
}

/* The part takes a command when CS falls, and carries it out when CS rises. */
static void
spi_select(struct e1000_model *e, bool selected)
{
	struct e1000_spi *spi = &e->x->spi;

	if (selected == spi->selected)
		return;
	spi->selected = selected;
	if (!selected && spi->nb_in == 0 && spi->nb > 0) {
		if (spi->opcode == E1000_SPI_WREN)
			spi->writable = true;
		else if (spi->opcode == SPI_WRDI)
			spi->writable = false;
		else if (spi->opcode == E1000_SPI_WRITE && spi->writable && spi->held_mask != 0)
			spi_store(e);
	}
	spi->nb = 0;
	spi->nb_in = 0;
	spi->held_mask = 0;
	spi->out = 0xff;
	spi->dout = true;
}

static void
spi_clock(struct e1000_model *e, bool rises, bool di)
{
	struct e1000_spi *spi = &e->x->spi;

	if (!rises) {
		spi->dout = (spi->out & 0x80) != 0;
		spi->out = (uint8_t)(spi->out << 1 | 1);
		return;
	}
	spi->in = (uint8_t)(spi->in << 1 | di);
	if (++spi->nb_in < 8)
		return;
	spi->nb_in = 0;
	spi->out = spi_byte(e);
}

uint32_t
e1000_571_eecd_read(struct e1000_model *e, uint32_t off)
{
	uint32_t val = E1000_R(e, off) & EECD_RW;
	const struct e1000_spi *spi = &e->x->spi;
	bool silent = e->m->fault[PW_FAULT_EEPROM_SILENT] != 0;

	if ((val & E1000_EECD_REQ) != 0)
		val |= E1000_EECD_GNT;
	if (!silent)
		val |= E1000_EECD_PRES;
	/* Nobody drives the pin: ones. */
	if (silent || !spi->selected || spi->dout)
		val |= E1000_EECD_DO;
	/* Without an NVM the chip goes on with what it was made with. */
	if (pw_now(e->m) >= e->x->auto_rd)
		val |= E1000_EECD_AUTO_RD;
	return val;
}

void
e1000_571_eecd_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	uint32_t old = E1000_R(e, off), changed = old ^ val;

	if ((changed & EECD_PINS) != 0 && (old & E1000_EECD_REQ) == 0) {
		pw_violate(e->m, PW_VIOL_PROTOCOL, "EECD pins moved without GNT (§4.1)");
		val = (old & EECD_PINS) | (val & ~EECD_PINS);
		changed = old ^ val;
	}
	E1000_R(e, off) = val & EECD_RW;
	spi_select(e, (val & (E1000_EECD_REQ | E1000_EECD_CS)) == E1000_EECD_REQ);
	if (e->x->spi.selected && (changed & E1000_EECD_SK) != 0)
		spi_clock(e, (val & E1000_EECD_SK) != 0, (val & E1000_EECD_DI) != 0);
}

/* --- PHY ----------------------------------------------------------------------------------- */

/* An 82572 has one port; the other's bit is as good as its own. */
uint32_t
e1000_571_eemngctl_read(struct e1000_model *e, uint32_t off)
{
	uint32_t done = E1000_EEMNGCTL_CFG_DONE0 | E1000_EEMNGCTL_CFG_DONE1;
	bool held = (E1000_R(e, E1000_CTRL) & E1000_CTRL_PHY_RST) != 0;

	return E1000_R(e, off) | (!held && pw_now(e->m) >= e->x->cfg_done ? done : 0);
}

/* Firmware, and the other port of an 82571, reach for the PHY as well (§4.2). */
bool
e1000_571_phy_allowed(struct e1000_model *e)
{
	const uint32_t both = E1000_SWSM_SMBI | E1000_SWSM_SWESMBI;

	if ((E1000_R(e, E1000_SWSM) & both) == both)
		return true;
	pw_violate(e->m, PW_VIOL_PROTOCOL, "MDIC written without SWSM's semaphores (§4.2)");
	return false;
}

/* --- interrupts (§2.2) --------------------------------------------------------------------- */

/* All is cleared if the mask is empty, or lets some of it through; else nothing. */
uint32_t
e1000_571_icr_read(struct e1000_model *e, uint32_t off)
{
	uint32_t icr = e1000_574_icr_value(e);

	if (E1000_R(e, E1000_IMS) == 0 || (icr & E1000_ICR_INT_ASSERTED) != 0)
		E1000_R(e, off) = 0;
	e1000_574_icr_mask(e, icr);
	e1000_irq_update(e);
	return icr;
}

void
e1000_571_icr_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	e1000_574_icr_mask(e, e1000_574_icr_value(e));
	E1000_R(e, off) &= ~val;
	e1000_irq_update(e);
}

/* --- errata (§7) --------------------------------------------------------------------------- */

/* TCTL.EN goes up: are the bits as they have to be? */
void
e1000_571_tx_start(struct e1000_model *e, uint32_t tctl)
{
	uint32_t tarc0 = E1000_R(e, E1000_TARC(0)), tarc1 = E1000_R(e, E1000_TARC(1));
	bool mulr = (tctl & E1000_TCTL_MULR) != 0;

	if ((E1000_R(e, E1000_CTRL_EXT) & E1000_CTRL_EXT_DMA_DYN_CLK_EN) != 0)
		pw_violate(e->m, PW_VIOL_PROTOCOL,
			   "TCTL.EN with CTRL_EXT bit 19: DMA loses its clock (§7)");
	if ((tarc0 & (E1000_TARC_MBZ | TARC0_SET)) != TARC0_SET)
		pw_violate(e->m, PW_VIOL_PROTOCOL,
			   "TCTL.EN with TARC0 0x%08x: 26:23 are set, 30:27 clear (§7)", tarc0);
	if ((tarc1 & (TARC1_MBZ | TARC1_SET)) != TARC1_SET ||
	    ((tarc1 & E1000_TARC_BIT28) != 0) == mulr)
		pw_violate(e->m, PW_VIOL_PROTOCOL,
			   "TCTL.EN with TARC1 0x%08x: 22 and 26:24 are set, 30:29 clear, 28 is "
			   "unlike MULR (§7)", tarc1);
}

/* The first descriptor of a segmented packet has payload behind the header (§6). */
bool
e1000_571_tso_begin(struct e1000_model *e, const struct e1000_ctx *ctx, uint32_t len)
{
	if (len > ctx->hdrlen)
		return true;
	pw_violate(e->m, PW_VIOL_PROTOCOL,
		   "TSO: first descriptor of %u B with a header of %u (§6)", len, ctx->hdrlen);
	return false;
}

/* A broken extension header hangs the receiver, unless it was told not to look at them. */
void
e1000_571_ipv6(struct e1000_model *e)
{
	const uint32_t off = E1000_RFCTL_IPV6_EX_DIS | E1000_RFCTL_NEW_IPV6_EXT_DIS;

	if ((E1000_R(e, E1000_RFCTL) & off) != off)
		e->rx_hangs = true;
}
