/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * MDI control and the PHY behind it (§2.6, §4.2 to §4.4): an 82555, of its own chip or inside
 * 82558 to 82551, an 82562, or a DP83840. The partner offers everything up to 100BASE-TX full
 * duplex with PAUSE; a PHY with autonegotiation off gets the link at the speed it forces.
 * On a serial board nobody answers.
 */

#include "i8255x_model.h"

#define MDI_NS 25600		/* a frame of 64 bits at 2.5 MHz (§2.6) */

#define BMCR_RESET_VALUE (MII_BMCR_ANENABLE | MII_BMCR_SPEED100)
#define BMCR_SC (MII_BMCR_RESET | MII_BMCR_ANRESTART)
#define BMCR_RW \
	(MII_BMCR_LOOPBACK | MII_BMCR_SPEED100 | MII_BMCR_ANENABLE | MII_BMCR_PDOWN | \
	 MII_BMCR_ISOLATE | MII_BMCR_FULLDPLX | MII_BMCR_COLTEST)
/* What of BMCR makes the PHY drop the link and start over */
#define BMCR_LINK (MII_BMCR_ANENABLE | MII_BMCR_PDOWN | MII_BMCR_ISOLATE | MII_BMCR_LOOPBACK)
#define BMCR_FORCED (MII_BMCR_SPEED100 | MII_BMCR_FULLDPLX)
#define BMSR_FIXED \
	(MII_BMSR_100FULL | MII_BMSR_100HALF | MII_BMSR_10FULL | MII_BMSR_10HALF | \
	 MII_BMSR_ANEGCAPABLE | MII_BMSR_ERCAP)
#define AN_SPEEDS (MII_AN_100FULL | MII_AN_100HALF | MII_AN_10FULL | MII_AN_10HALF)
#define ANAR_RESET_VALUE (AN_SPEEDS | MII_AN_PAUSE | MII_AN_CSMA)
#define ANAR_RW \
	(AN_SPEEDS | MII_AN_PAUSE | MII_AN_ASM_DIR | MII_AN_100BASE4 | MII_AN_RFAULT | \
	 MII_AN_SELECTOR_MASK)
#define PARTNER_AN (AN_SPEEDS | MII_AN_PAUSE | MII_AN_ASM_DIR | MII_AN_CSMA)

/* 82555 (§4.3) */
#define STATUS_LOCKED (1u << 11)	/* descrambler */
#define STATUS_ADDR_SHIFT 2
#define STATUS_RW 0xe000u
#define PHY_ADDRESS 18

static bool
is_intel(const struct i8255x_model *x)
{
	return x->v->phy != I8255X_PHY_DP83840;
}

/* --- link ---------------------------------------------------------------------------------- */

static void
set_link(struct i8255x_model *x, bool up, uint16_t mbps, bool full)
{
	struct i8255x_phy *phy = &x->phy;

	if (!up && !phy->link)
		return;
	phy->link = up;
	if (up) {
		phy->mbps = mbps;
		phy->full = full;
	} else {
		phy->link_latch = false;
	}
	i8255x_link_update(x);
}

/* Autonegotiation: the best that both ends offer (IEEE 802.3 annex 28B.3) */
static void
an_done(struct i8255x_model *x)
{
	uint16_t *r = x->phy.reg;
	uint16_t common = r[MII_ANAR] & PARTNER_AN;

	x->phy.an_done = true;
	r[MII_ANLPAR] = PARTNER_AN | MII_AN_ACK;
	r[MII_ANER] = MII_ANER_LP_AN | MII_ANER_PAGE_RX;
	if ((common & (MII_AN_100FULL | MII_AN_100HALF)) != 0)
		set_link(x, true, 100, (common & MII_AN_100FULL) != 0);
	else if ((common & (MII_AN_10FULL | MII_AN_10HALF)) != 0)
		set_link(x, true, 10, (common & MII_AN_10FULL) != 0);
}

/* Drop the link and look for it anew. */
static void
restart(struct i8255x_model *x)
{
	struct i8255x_phy *phy = &x->phy;
	uint16_t bmcr = phy->reg[MII_BMCR];

	pw_timer_stop(x->m, I8255X_T_LINK);
	phy->an_done = false;
	phy->reg[MII_ANLPAR] = 0;
	phy->reg[MII_ANER] = 0;
	set_link(x, false, 0, false);
	if (!phy->carrier ||
	    (bmcr & (MII_BMCR_PDOWN | MII_BMCR_ISOLATE | MII_BMCR_LOOPBACK)) != 0)
		return;
	if ((bmcr & MII_BMCR_ANENABLE) == 0)
		set_link(x, true, (bmcr & MII_BMCR_SPEED100) != 0 ? 100 : 10,
			 (bmcr & MII_BMCR_FULLDPLX) != 0);
	else if (x->m->opts.autoneg_ns == 0)
		an_done(x);
	else
		pw_timer_set(x->m, I8255X_T_LINK, pw_now(x->m) + x->m->opts.autoneg_ns);
}

void
i8255x_phy_carrier(struct i8255x_model *x, bool carrier)
{
	x->phy.carrier = carrier;
	restart(x);
}

static void
reset_registers(struct i8255x_model *x)
{
	uint16_t *r = x->phy.reg;

	memset(r, 0, sizeof(x->phy.reg));
	r[MII_BMCR] = BMCR_RESET_VALUE;
	r[MII_PHYID1] = (uint16_t)(x->v->phy_id >> 16);
	r[MII_PHYID2] = (uint16_t)x->v->phy_id;
	r[MII_ANAR] = ANAR_RESET_VALUE;
	if (is_intel(x))
		r[PHY_ADDRESS] = x->v->phy_addr;
}

void
i8255x_phy_reset(struct i8255x_model *x)
{
	pw_timer_stop(x->m, I8255X_T_MDI);
	x->phy.mdi = I8255X_MDI_READY;
	x->phy.mbps = 0;
	x->phy.full = false;
	reset_registers(x);
	restart(x);
}

void
i8255x_phy_rx_error(struct i8255x_model *x, uint32_t flags)
{
	uint16_t *errors = &x->phy.reg[I82555_RX_ERROR];

	if ((flags & PW_FRAME_RX_ERR) != 0 && is_intel(x) && *errors != UINT16_MAX)
		(*errors)++;
}

/* --- registers ----------------------------------------------------------------------------- */

static uint16_t
bmsr_read(struct i8255x_phy *phy)
{
	uint16_t val = BMSR_FIXED;

	if (phy->link_latch)
		val |= MII_BMSR_LSTATUS;
	if (phy->an_done)
		val |= MII_BMSR_ANEGCOMPLETE;
	phy->link_latch = phy->link;
	return val;
}

/* Speed and duplex mean something while there is a link (§4.3). */
static uint16_t
intel_status(const struct i8255x_model *x)
{
	const struct i8255x_phy *phy = &x->phy;
	uint16_t val = (uint16_t)(phy->reg[I82555_STATUS] |
				  (uint16_t)(x->v->phy_addr << STATUS_ADDR_SHIFT));

	if (!phy->link)
		return val;
	if (phy->mbps == 100)
		val |= I82555_STATUS_100 | STATUS_LOCKED;
	return val | (phy->full ? I82555_STATUS_FD : 0);
}

static uint16_t
intel_read(struct i8255x_model *x, unsigned int reg)
{
	uint16_t val = x->phy.reg[reg];

	if (reg == I82555_STATUS)
		return intel_status(x);
	if (reg >= I82555_FALSE_CARRIER && reg <= I82555_JABBER)
		x->phy.reg[reg] = 0; /* counters clear when they are read */
	return val;
}

static uint16_t
phy_read(struct i8255x_model *x, unsigned int reg)
{
	i8255x_carrier_update(x);
	if (reg == MII_BMSR)
		return bmsr_read(&x->phy);
	if (reg >= I82555_STATUS && is_intel(x))
		return intel_read(x, reg);
	if (reg == DP83840_PAR && !is_intel(x))
		return x->phy.link && x->phy.mbps == 10 ? DP83840_PAR_10 : 0;
	return x->phy.reg[reg];
}

static void
bmcr_write(struct i8255x_model *x, uint16_t val)
{
	uint16_t *bmcr = &x->phy.reg[MII_BMCR];
	uint16_t changed = *bmcr ^ val;

	if ((val & MII_BMCR_RESET) != 0) {
		reset_registers(x);
		restart(x);
		return;
	}
	*bmcr = val & BMCR_RW;
	i8255x_listen_update(x); /* of loopback */
	if ((val & BMCR_SC) != 0 || (changed & BMCR_LINK) != 0 ||
	    ((val & MII_BMCR_ANENABLE) == 0 && (changed & BMCR_FORCED) != 0))
		restart(x);
}

static void
intel_write(struct i8255x_model *x, unsigned int reg, uint16_t val)
{
	uint16_t *r = x->phy.reg;

	switch (reg) {
	case I82555_STATUS:
		r[reg] = val & STATUS_RW;
		break;
	case I82555_SPECIAL:
		r[reg] = val;
		break;
	case I82555_LED:
		r[reg] = val & I82555_LED_MASK;
		break;
	case I82555_MDIX:
		/* 82550 on, and hubs whose EEPROM allows it (§4.3) */
		if (i8255x_has(x, I8255X_F_550) ||
		    (i8255x_nvm_word(x, I8255X_NVM_COMPAT) & I8255X_NVM_COMPAT_MDIX) != 0)
			r[reg] = val;
		break;
	}
}

static void
phy_write(struct i8255x_model *x, unsigned int reg, uint16_t val)
{
	if (reg == MII_BMCR)
		bmcr_write(x, val);
	else if (reg == MII_ANAR)
		x->phy.reg[reg] = val & ANAR_RW;
	else if (reg >= I82555_STATUS && is_intel(x))
		intel_write(x, reg, val);
	else if (reg == DP83840_PCR)
		x->phy.reg[reg] = val;
}

/* --- MDI control (§2.6) -------------------------------------------------------------------- */

uint32_t
i8255x_mdi_read(struct i8255x_model *x)
{
	return x->phy.mdi;
}

void
i8255x_mdi_write(struct i8255x_model *x, uint32_t val)
{
	uint32_t op = val & I8255X_MDI_OP_MASK;

	if (pw_timer_armed(x->m, I8255X_T_MDI)) {
		pw_violate(x->m, PW_VIOL_PROTOCOL, "MDI control written before it is ready (§2.6)");
		return;
	}
	x->phy.mdi = val & ~I8255X_MDI_READY;
	if (op == I8255X_MDI_READ || op == I8255X_MDI_WRITE)
		pw_timer_set(x->m, I8255X_T_MDI, pw_now(x->m) + MDI_NS);
	else
		x->phy.mdi |= I8255X_MDI_READY;
}

/* The MDIO frame is over. Where no PHY answers, the line stays high. */
static void
mdi_done(struct i8255x_model *x)
{
	uint32_t mdi = x->phy.mdi;
	unsigned int reg = (mdi & I8255X_MDI_REG_MASK) >> I8255X_MDI_REG_SHIFT;
	unsigned int addr = (mdi & I8255X_MDI_PHY_MASK) >> I8255X_MDI_PHY_SHIFT;
	bool answers = addr == x->v->phy_addr && !i8255x_is_serial(x) &&
		       x->m->fault[PW_FAULT_PHY_SILENT] == 0;

	if ((mdi & I8255X_MDI_OP_MASK) == I8255X_MDI_READ)
		mdi = (mdi & ~I8255X_MDI_DATA_MASK) | (answers ? phy_read(x, reg) : 0xffff);
	else if (answers)
		phy_write(x, reg, (uint16_t)mdi);
	x->phy.mdi = mdi | I8255X_MDI_READY;
	if ((mdi & I8255X_MDI_IE) != 0)
		i8255x_irq_set(x, I8255X_ACK_MDI);
}

void
i8255x_phy_timer(struct i8255x_model *x, unsigned int id)
{
	if (id == I8255X_T_LINK)
		an_done(x);
	else
		mdi_done(x);
}
