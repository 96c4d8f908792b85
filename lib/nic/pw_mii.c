/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Clause-22 PHYs. "§" is a clause of IEEE 802.3.
 */

#include <errno.h>
#include <string.h>

#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_ethdev.h>

#include <mii_regs.h>

#include "pw_mii.h"

/* A reset is over within half a second (§22.2.4.1.1). */
#define RESET_TIMEOUT_MS 500

/* Where each ethdev speed stands in the status, the advertisement and, forced, the control. */
static const struct mii_mode {
	uint32_t link_speed;	/* RTE_ETH_LINK_SPEED_* */
	uint32_t mbps;
	uint16_t bmsr;		/* the PHY has it; 0: see the extended status */
	uint16_t anar;		/* 0: see register 9 */
	uint16_t bmcr;
} modes[] = {
	/* In the order of annex 28B.3, best first. */
	{ RTE_ETH_LINK_SPEED_1G, 1000, 0, 0, MII_BMCR_SPEED1000 | MII_BMCR_FULLDPLX },
	{ RTE_ETH_LINK_SPEED_100M, 100, MII_BMSR_100FULL, MII_AN_100FULL,
	  MII_BMCR_SPEED100 | MII_BMCR_FULLDPLX },
	{ RTE_ETH_LINK_SPEED_100M_HD, 100, MII_BMSR_100HALF, MII_AN_100HALF, MII_BMCR_SPEED100 },
	{ RTE_ETH_LINK_SPEED_10M, 10, MII_BMSR_10FULL, MII_AN_10FULL, MII_BMCR_FULLDPLX },
	{ RTE_ETH_LINK_SPEED_10M_HD, 10, MII_BMSR_10HALF, MII_AN_10HALF, 0 },
};

static int
mii_read(const struct pw_mii *mii, uint8_t reg, uint16_t *val)
{
	*val = 0;
	return mii->read(mii->ctx, reg, val);
}

static int
mii_write(const struct pw_mii *mii, uint8_t reg, uint16_t val)
{
	return mii->write(mii->ctx, reg, val);
}

/* Registers 0 and 1 have bits that always read as 0: all ones is an open bus. */
static int
mii_read_present(const struct pw_mii *mii, uint8_t reg, uint16_t *val)
{
	int rc = mii_read(mii, reg, val);

	return rc != 0 ? rc : *val == UINT16_MAX ? -ENODEV : 0;
}

int
pw_mii_id(const struct pw_mii *mii, uint32_t *id)
{
	uint16_t hi, lo;
	int rc;

	rc = mii_read(mii, MII_PHYID1, &hi);
	if (rc == 0)
		rc = mii_read(mii, MII_PHYID2, &lo);
	if (rc != 0)
		return rc;
	*id = (uint32_t)hi << 16 | lo;
	return *id == 0 || *id == UINT32_MAX ? -ENODEV : 0;
}

int
pw_mii_reset(const struct pw_mii *mii)
{
	uint16_t bmcr;
	int rc;

	rc = mii_write(mii, MII_BMCR, MII_BMCR_RESET);
	for (unsigned int ms = 0; rc == 0; ms++) {
		rc = mii_read_present(mii, MII_BMCR, &bmcr);
		if (rc != 0 || (bmcr & MII_BMCR_RESET) == 0)
			break;
		if (ms == RESET_TIMEOUT_MS)
			return -ETIMEDOUT;
		rte_delay_us(1000);
	}
	return rc;
}

/* Some PHYs claim an extended status register and then do not answer: `gigabit` decides then. */
static bool
has_1000_full(const struct pw_mii *mii, uint16_t bmsr)
{
	uint16_t esr;

	if (!mii->gigabit)
		return false;
	if ((bmsr & MII_BMSR_ESTATEN) == 0 || mii_read(mii, MII_ESR, &esr) != 0)
		return true;
	return (esr & MII_ESR_1000T_FULL) != 0;
}

/* The RTE_ETH_LINK_SPEED_* that the PHY has. */
static int
capabilities(const struct pw_mii *mii, uint16_t *bmsr, uint32_t *speeds)
{
	int rc = mii_read_present(mii, MII_BMSR, bmsr);

	if (rc != 0)
		return rc;
	*speeds = has_1000_full(mii, *bmsr) ? RTE_ETH_LINK_SPEED_1G : 0;
	for (unsigned int i = 0; i < RTE_DIM(modes); i++)
		if ((modes[i].bmsr & *bmsr) != 0)
			*speeds |= modes[i].link_speed;
	return 0;
}

static int
negotiate(const struct pw_mii *mii, uint32_t speeds, bool pause)
{
	uint16_t anar = MII_AN_CSMA, gbcr;
	int rc = 0;

	for (unsigned int i = 0; i < RTE_DIM(modes); i++)
		if ((modes[i].link_speed & speeds) != 0)
			anar |= modes[i].anar;
	if (pause)
		anar |= MII_AN_PAUSE | MII_AN_ASM_DIR;
	rc = mii_write(mii, MII_ANAR, anar);
	/* Register 9 holds master/slave and test bits too. */
	if (rc == 0 && mii->gigabit)
		rc = mii_read(mii, MII_GBCR, &gbcr);
	if (rc == 0 && mii->gigabit) {
		gbcr &= ~(MII_GBCR_1000FULL | MII_GBCR_1000HALF);
		if ((speeds & RTE_ETH_LINK_SPEED_1G) != 0)
			gbcr |= MII_GBCR_1000FULL;
		rc = mii_write(mii, MII_GBCR, gbcr);
	}
	return rc != 0 ? rc : mii_write(mii, MII_BMCR, MII_BMCR_ANENABLE | MII_BMCR_ANRESTART);
}

static int
force(const struct pw_mii *mii, uint32_t speed)
{
	for (unsigned int i = 0; i < RTE_DIM(modes); i++)
		if (modes[i].link_speed == speed)
			return mii_write(mii, MII_BMCR, modes[i].bmcr);
	return -EINVAL;
}

int
pw_mii_setup(const struct pw_mii *mii, uint32_t link_speeds, bool pause)
{
	uint32_t speeds = link_speeds & ~RTE_ETH_LINK_SPEED_FIXED;
	bool fixed = (link_speeds & RTE_ETH_LINK_SPEED_FIXED) != 0;
	uint32_t have;
	uint16_t bmsr;
	int rc;

	rc = capabilities(mii, &bmsr, &have);
	if (rc != 0)
		return rc;
	if ((speeds & ~have) != 0 || (fixed && !rte_is_power_of_2(speeds)))
		return -EINVAL;
	if (fixed && speeds != RTE_ETH_LINK_SPEED_1G)
		return force(mii, speeds);
	if ((bmsr & MII_BMSR_ANEGCAPABLE) == 0)
		return -EINVAL;
	return negotiate(mii, speeds == RTE_ETH_LINK_SPEED_AUTONEG ? have : speeds, pause);
}

/* PAUSE resolution (annex 28B, table 28B-3); full duplex only. */
static void
resolve_pause(uint16_t local, uint16_t partner, struct pw_mii_link *link)
{
	uint16_t both = local & partner;

	if ((both & MII_AN_PAUSE) != 0) {
		link->pause_rx = true;
		link->pause_tx = true;
	} else if ((both & MII_AN_ASM_DIR) != 0) {
		/* One direction: who offers PAUSE as well is the one who honours it. */
		link->pause_rx = (local & MII_AN_PAUSE) != 0;
		link->pause_tx = (partner & MII_AN_PAUSE) != 0;
	}
}

/* The best that both offer (annex 28B.3). The link stays down where there is none. */
static int
resolve(const struct pw_mii *mii, struct pw_mii_link *link)
{
	uint16_t anar, anlpar, gbcr = 0, gbsr = 0;
	int rc;

	rc = mii_read(mii, MII_ANAR, &anar);
	if (rc == 0)
		rc = mii_read(mii, MII_ANLPAR, &anlpar);
	if (rc == 0 && mii->gigabit)
		rc = mii_read(mii, MII_GBCR, &gbcr);
	if (rc == 0 && mii->gigabit)
		rc = mii_read(mii, MII_GBSR, &gbsr);
	if (rc != 0)
		return rc;

	if ((gbcr & MII_GBCR_1000FULL) != 0 && (gbsr & MII_GBSR_LP_1000FULL) != 0) {
		link->speed = 1000;
		link->full_duplex = true;
	} else if ((gbcr & MII_GBCR_1000HALF) != 0 && (gbsr & MII_GBSR_LP_1000HALF) != 0) {
		link->speed = 1000;
	}
	for (unsigned int i = 0; i < RTE_DIM(modes) && link->speed == 0; i++) {
		if ((modes[i].anar & anar & anlpar) == 0)
			continue;
		link->speed = modes[i].mbps;
		link->full_duplex = (modes[i].bmcr & MII_BMCR_FULLDPLX) != 0;
	}
	link->up = link->speed != 0;
	if (link->full_duplex)
		resolve_pause(anar, anlpar, link);
	return 0;
}

static void
forced(uint16_t bmcr, struct pw_mii_link *link)
{
	link->up = true;
	link->full_duplex = (bmcr & MII_BMCR_FULLDPLX) != 0;
	/* Two bits select the speed (§22.2.4.1.3). */
	link->speed = (bmcr & MII_BMCR_SPEED100) != 0 ? 100 :
		      (bmcr & MII_BMCR_SPEED1000) != 0 ? 1000 : 10;
}

int
pw_mii_link_read(const struct pw_mii *mii, struct pw_mii_link *link)
{
	uint16_t bmcr, bmsr;
	int rc;

	memset(link, 0, sizeof(*link));
	rc = mii_read_present(mii, MII_BMCR, &bmcr);
	/* The first read gives what was latched, the second what is (§22.2.4.2.13). */
	if (rc == 0)
		rc = mii_read_present(mii, MII_BMSR, &bmsr);
	if (rc == 0)
		rc = mii_read_present(mii, MII_BMSR, &bmsr);
	if (rc != 0)
		return rc;

	link->autoneg = (bmcr & MII_BMCR_ANENABLE) != 0;
	if ((bmsr & MII_BMSR_LSTATUS) == 0)
		return 0;
	if (!link->autoneg)
		forced(bmcr, link);
	else if ((bmsr & MII_BMSR_ANEGCOMPLETE) != 0)
		rc = resolve(mii, link);
	return rc;
}

int
pw_mii_power(const struct pw_mii *mii, bool on)
{
	uint16_t bmcr;
	int rc = mii_read_present(mii, MII_BMCR, &bmcr);

	if (rc != 0)
		return rc;
	bmcr &= ~MII_BMCR_PDOWN;
	return mii_write(mii, MII_BMCR, on ? bmcr : bmcr | MII_BMCR_PDOWN);
}

void
pw_mii_to_eth_link(const struct pw_mii_link *link, struct rte_eth_link *eth)
{
	memset(eth, 0, sizeof(*eth));
	eth->link_autoneg = link->autoneg ? RTE_ETH_LINK_AUTONEG : RTE_ETH_LINK_FIXED;
	if (!link->up)
		return;
	eth->link_status = RTE_ETH_LINK_UP;
	eth->link_speed = link->speed;
	eth->link_duplex = link->full_duplex ? RTE_ETH_LINK_FULL_DUPLEX : RTE_ETH_LINK_HALF_DUPLEX;
}
