/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * MDIC and the internal M88E1011 (§4.2). The partner offers everything up to 1000BASE-T full
 * duplex with PAUSE; a PHY with autonegotiation off gets the link at the speed it forces.
 */

#include "e1000_model.h"

#define MDIO_NS 64000		/* a frame of 64 bits at 1 MHz (§4.2) */
#define CFG_NS 10000000		/* the PHY's part of the EEPROM: less than 100 ms (§4.2) */

#define BMCR_RESET_VALUE (MII_BMCR_ANENABLE | MII_BMCR_FULLDPLX | MII_BMCR_SPEED1000)
#define BMCR_SC (MII_BMCR_RESET | MII_BMCR_ANRESTART)
/* What of BMCR makes the PHY drop the link and start over */
#define BMCR_LINK (MII_BMCR_ANENABLE | MII_BMCR_PDOWN | MII_BMCR_ISOLATE | MII_BMCR_LOOPBACK)
#define BMCR_FORCED (MII_BMCR_SPEED1000 | MII_BMCR_SPEED100 | MII_BMCR_FULLDPLX)
#define BMSR_FIXED \
	(MII_BMSR_100FULL | MII_BMSR_100HALF | MII_BMSR_10FULL | MII_BMSR_10HALF | \
	 MII_BMSR_ESTATEN | MII_BMSR_NOPREAMBLE | MII_BMSR_ANEGCAPABLE | MII_BMSR_ERCAP)
#define AN_SPEEDS (MII_AN_100FULL | MII_AN_100HALF | MII_AN_10FULL | MII_AN_10HALF)
#define ANAR_RESET_VALUE (AN_SPEEDS | MII_AN_CSMA)
#define GBCR_RESET_VALUE (MII_GBCR_1000FULL | MII_GBCR_1000HALF)
#define PARTNER_AN (AN_SPEEDS | MII_AN_PAUSE | MII_AN_ASM_DIR | MII_AN_CSMA)
#define PARTNER_GB \
	(MII_GBSR_LP_1000FULL | MII_GBSR_LP_1000HALF | MII_GBSR_REMOTE_RX_OK | \
	 MII_GBSR_LOCAL_RX_OK)

static void
phy_link(struct e1000_model *e, bool up, uint16_t mbps, bool full)
{
	struct e1000_phy *phy = &e->phy;

	phy->link = up;
	if (up) {
		phy->mbps = mbps;
		phy->full = full;
	} else {
		phy->link_latch = false;
	}
	e1000_link_update(e);
}

/* Autonegotiation: the best that both ends offer (IEEE 802.3 annex 28B.3) */
void
e1000_phy_an_done(struct e1000_model *e)
{
	uint16_t *r = e->phy.reg;
	uint16_t common = r[MII_ANAR] & PARTNER_AN;

	e->phy.an_done = true;
	r[MII_ANLPAR] = PARTNER_AN | MII_AN_ACK;
	r[MII_GBSR] = PARTNER_GB;
	r[MII_ANER] = MII_ANER_LP_AN | MII_ANER_PAGE_RX;
	if ((r[MII_GBCR] & MII_GBCR_1000FULL) != 0)
		phy_link(e, true, 1000, true);
	else if ((r[MII_GBCR] & MII_GBCR_1000HALF) != 0)
		phy_link(e, true, 1000, false);
	else if ((common & MII_AN_100FULL) != 0)
		phy_link(e, true, 100, true);
	else if ((common & MII_AN_100HALF) != 0)
		phy_link(e, true, 100, false);
	else if ((common & MII_AN_10FULL) != 0)
		phy_link(e, true, 10, true);
	else if ((common & MII_AN_10HALF) != 0)
		phy_link(e, true, 10, false);
}

static void
phy_forced(struct e1000_model *e)
{
	uint16_t bmcr = e->phy.reg[MII_BMCR];
	uint16_t mbps = 10;

	if ((bmcr & MII_BMCR_SPEED1000) != 0)
		mbps = 1000;
	else if ((bmcr & MII_BMCR_SPEED100) != 0)
		mbps = 100;
	phy_link(e, true, mbps, (bmcr & MII_BMCR_FULLDPLX) != 0);
}

/* Drop the link and look for it anew. */
static void
phy_restart(struct e1000_model *e)
{
	struct e1000_phy *phy = &e->phy;
	uint16_t bmcr = phy->reg[MII_BMCR];

	pw_timer_stop(e->m, E1000_T_LINK);
	phy->an_done = false;
	phy->reg[MII_ANLPAR] = 0;
	phy->reg[MII_GBSR] = 0;
	phy->reg[MII_ANER] = 0;
	phy_link(e, false, 0, false);
	if (!phy->carrier ||
	    (bmcr & (MII_BMCR_PDOWN | MII_BMCR_ISOLATE | MII_BMCR_LOOPBACK)) != 0 ||
	    (E1000_R(e, E1000_CTRL) & E1000_CTRL_PHY_RST) != 0)
		return;
	if ((bmcr & MII_BMCR_ANENABLE) == 0)
		phy_forced(e);
	else if (e->m->opts.autoneg_ns == 0)
		e1000_phy_an_done(e);
	else
		pw_timer_set(e->m, E1000_T_LINK, pw_now(e->m) + e->m->opts.autoneg_ns);
}

void
e1000_phy_carrier(struct e1000_model *e, bool carrier)
{
	e->phy.carrier = carrier;
	phy_restart(e);
}

/* The reset pin: all registers. */
void
e1000_phy_reset(struct e1000_model *e)
{
	uint16_t *r = e->phy.reg;

	memset(r, 0, sizeof(e->phy.reg));
	if (e->x != NULL) {
		memset(e->x->bm, 0, sizeof(e->x->bm));
		e->x->phyra = true;
		e->x->cfg_done = pw_now(e->m) + CFG_NS;
	}
	r[MII_BMCR] = BMCR_RESET_VALUE;
	r[MII_PHYID1] = (uint16_t)(e->v->phy_id >> 16);
	r[MII_PHYID2] = (uint16_t)e->v->phy_id;
	r[MII_ANAR] = ANAR_RESET_VALUE;
	r[MII_GBCR] = GBCR_RESET_VALUE;
	r[MII_ESR] = MII_ESR_1000T_FULL | MII_ESR_1000T_HALF;
	if (e->igp != NULL)
		e1000_igp_reset(e);
	else
		r[E1000_M88_PSCR] = E1000_M88_PSCR_MDI_AUTO;
	phy_restart(e);
}

static uint16_t
phy_status(const struct e1000_phy *phy)
{
	unsigned int speed = phy->mbps == 1000 ? 2 : phy->mbps == 100 ? 1 : 0;

	if (!phy->link)
		return 0;
	return (uint16_t)(speed << E1000_M88_PSSR_SPEED_SHIFT | E1000_M88_PSSR_RESOLVED |
			  E1000_M88_PSSR_LINK | (phy->full ? E1000_M88_PSSR_FD : 0));
}

uint16_t
e1000_mii_read(struct e1000_model *e, unsigned int reg)
{
	const uint16_t *paged = e1000_574_phy_page(e, reg);
	struct e1000_phy *phy = &e->phy;
	uint16_t val;

	e1000_carrier_update(e);
	if (paged != NULL)
		return *paged;
	if (e->igp != NULL && reg >= E1000_BM_PAGED)
		return e1000_igp_read(e, reg);
	switch (reg) {
	case MII_BMSR:
		val = BMSR_FIXED;
		if (phy->link_latch)
			val |= MII_BMSR_LSTATUS;
		if (phy->an_done)
			val |= MII_BMSR_ANEGCOMPLETE;
		phy->link_latch = phy->link;
		return val;
	case E1000_M88_PSSR:
		return phy_status(phy);
	default:
		return phy->reg[reg];
	}
}

static void
phy_bmcr_write(struct e1000_model *e, uint16_t val)
{
	uint16_t *bmcr = &e->phy.reg[MII_BMCR];
	uint16_t changed = *bmcr ^ val;

	/* A soft reset applies what registers say and starts over; it keeps them (§4.2). */
	*bmcr = val & (uint16_t)~BMCR_SC;
	if ((val & BMCR_SC) != 0 || (changed & BMCR_LINK) != 0 ||
	    ((val & MII_BMCR_ANENABLE) == 0 && (changed & BMCR_FORCED) != 0))
		phy_restart(e);
}

void
e1000_mii_write(struct e1000_model *e, unsigned int reg, uint16_t val)
{
	uint16_t *paged = e1000_574_phy_page(e, reg);

	if (paged != NULL) {
		*paged = val;
		return;
	}
	if (e->igp != NULL && reg >= E1000_BM_PAGED) {
		e1000_igp_write(e, reg, val);
		return;
	}
	switch (reg) {
	case MII_BMCR:
		phy_bmcr_write(e, val);
		break;
	case MII_BMSR:
	case MII_PHYID1:
	case MII_PHYID2:
	case MII_ANLPAR:
	case MII_ANER:
	case MII_GBSR:
	case MII_ESR:
	case E1000_M88_PSSR:
	case E1000_M88_RX_ERR:
		break; /* read-only */
	default:
		e->phy.reg[reg] = val;
	}
}

void
e1000_mdic_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	if (pw_timer_armed(e->m, E1000_T_MDIC)) {
		pw_violate(e->m, PW_VIOL_PROTOCOL, "MDIC written before READY (§4.2)");
		return;
	}
	if (e1000_has(e, E1000_F_82571) && !e1000_571_phy_allowed(e))
		return;
	E1000_R(e, off) = val & ~(E1000_MDIC_READY | E1000_MDIC_ERROR);
	if ((val & E1000_MDIC_READY) != 0 || e->m->fault[PW_FAULT_PHY_SILENT] != 0)
		return;
	pw_timer_set(e->m, E1000_T_MDIC, pw_now(e->m) + MDIO_NS);
}

/* The MDIO frame is over. */
void
e1000_mdic_done(struct e1000_model *e)
{
	uint32_t mdic = E1000_R(e, E1000_MDIC);
	unsigned int reg = (mdic & E1000_MDIC_REG_MASK) >> E1000_MDIC_REG_SHIFT;
	unsigned int phy = (mdic & E1000_MDIC_PHY_MASK) >> E1000_MDIC_PHY_SHIFT;
	uint32_t op = mdic & E1000_MDIC_OP_MASK;

	if (phy != E1000_MDIC_PHY_ADDR || (op != E1000_MDIC_OP_READ && op != E1000_MDIC_OP_WRITE))
		mdic |= E1000_MDIC_ERROR;
	else if (op == E1000_MDIC_OP_READ)
		mdic = (mdic & ~E1000_MDIC_DATA_MASK) | e1000_mii_read(e, reg);
	else
		e1000_mii_write(e, reg, (uint16_t)mdic);
	E1000_R(e, E1000_MDIC) = mdic | E1000_MDIC_READY;
	if ((mdic & E1000_MDIC_INT_EN) != 0)
		e1000_irq_set(e, E1000_ICR_MDAC);
}
