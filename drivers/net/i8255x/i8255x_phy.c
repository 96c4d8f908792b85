/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * PHY access and link (§4.2 to §4.4).
 *
 * An 82557 has whatever PHY its board has: an 82555 or 82553 of Intel's, National's DP83840, or
 * none with registers at all (82503 and 80C24, 10 Mb/s: the MAC speaks serially to it, and there
 * is no telling whether a cable is plugged in). From 82558 on an 82555 is on the chip; hubs have
 * an 82562 or 82552 behind LAN-connect. The MAC learns the duplex from a pin and needs telling
 * only when the mode is forced (byte 19 of Configure), and what PAUSE was agreed on (there too).
 *
 * PHYs sit behind the MDI register, a serial access of some tens of microseconds. From 82559 on
 * one byte of the MAC has link, speed and duplex, and a look at an unchanged link costs one read.
 */

#include <string.h>

#include "i8255x.h"

#define MDI_STEP_US	20

/* What a PHY adds to clause 22, or gets wrong. */
#define PHY_INTEL	RTE_BIT32(0)	/* 82555's registers 16 and up (§4.3) */
#define PHY_DP83840	RTE_BIT32(1)	/* National's registers 23 and 25 (§4.4) */
#define PHY_82552	RTE_BIT32(2)	/* answers at every address; speed goes with negotiation */

static const struct {
	uint32_t id;
	uint32_t flags;
} phys[] = {
	{ I8255X_PHY_ID_82555, PHY_INTEL },
	{ I8255X_PHY_ID_82562ET, PHY_INTEL },
	{ I8255X_PHY_ID_82562EM, PHY_INTEL },
	{ I8255X_PHY_ID_82562EK, PHY_INTEL },
	{ I8255X_PHY_ID_82562EH, 0 },	/* telephone wire */
	{ I8255X_PHY_ID_100A, 0 },
	{ I8255X_PHY_ID_100C, 0 },
	{ I8255X_PHY_ID_DP83840, PHY_DP83840 },
	{ I8255X_PHY_ID_82552V, PHY_82552 },
};

static bool
phy_is(const struct i8255x_hw *hw, uint32_t flag)
{
	for (unsigned int i = 0; i < RTE_DIM(phys); i++)
		if (phys[i].id == (hw->phy_id & I8255X_PHY_ID_MASK))
			return (phys[i].flags & flag) != 0;
	return false;
}

/* --- MDI (§2.6) --- */

static int
mdi(const struct i8255x_hw *hw, uint32_t op, uint8_t phy, uint8_t reg, uint16_t *val)
{
	uint32_t v = op | (uint32_t)phy << I8255X_MDI_PHY_SHIFT |
		     (uint32_t)reg << I8255X_MDI_REG_SHIFT;
	int rc;

	if (op == I8255X_MDI_WRITE)
		v |= *val;
	/* A cycle begun while another runs is lost (§4.4). */
	rc = pw_wait32(hw->io, I8255X_MDI, I8255X_MDI_READY, I8255X_MDI_READY,
		       I8255X_MDI_TIMEOUT_US, MDI_STEP_US);
	if (rc != 0)
		return rc;
	pw_write32(hw->io, I8255X_MDI, v);
	rc = pw_wait32(hw->io, I8255X_MDI, I8255X_MDI_READY, I8255X_MDI_READY,
		       I8255X_MDI_TIMEOUT_US, MDI_STEP_US);
	if (rc != 0)
		return rc;
	if (op == I8255X_MDI_READ)
		*val = pw_read32(hw->io, I8255X_MDI) & I8255X_MDI_DATA_MASK;
	return 0;
}

static int
phy_read(void *ctx, uint8_t reg, uint16_t *val)
{
	const struct i8255x_hw *hw = ctx;

	return mdi(hw, I8255X_MDI_READ, hw->phy_addr, reg, val);
}

/* 82552 goes to 10 Mb/s, or loses the link, if it is told to negotiate without a speed (§4.4). */
static int
add_speed(struct i8255x_hw *hw, uint16_t *bmcr)
{
	uint16_t anar;
	int rc = phy_read(hw, MII_ANAR, &anar);

	if (rc != 0)
		return rc;
	if (anar & MII_AN_100FULL)
		*bmcr |= MII_BMCR_SPEED100 | MII_BMCR_FULLDPLX;
	else if (anar & MII_AN_100HALF)
		*bmcr |= MII_BMCR_SPEED100;
	return 0;
}

static int
phy_write(void *ctx, uint8_t reg, uint16_t val)
{
	struct i8255x_hw *hw = ctx;
	int rc = 0;

	if (reg == MII_BMCR && (val & (MII_BMCR_ANENABLE | MII_BMCR_ANRESTART)) != 0 &&
	    phy_is(hw, PHY_82552))
		rc = add_speed(hw, &val);
	return rc != 0 ? rc : mdi(hw, I8255X_MDI_WRITE, hw->phy_addr, reg, &val);
}

static int
phy_modify(struct i8255x_hw *hw, uint8_t reg, uint16_t clear, uint16_t set)
{
	uint16_t val;
	int rc = phy_read(hw, reg, &val);

	return rc != 0 ? rc : phy_write(hw, reg, (val & ~clear) | set);
}

/* The LED is the PHY's: 82555 and 82562 by register 27, 82552 by one of its own. */
int
i8255x_phy_led(struct i8255x_hw *hw, enum i8255x_led led)
{
	static const uint16_t intel[] = {
		[I8255X_LED_AUTO] = I82555_LED_AUTO,
		[I8255X_LED_ON] = I82555_LED_ON,
		[I8255X_LED_OFF] = I82555_LED_OFF,
	};
	static const uint16_t i82552[] = {
		[I8255X_LED_AUTO] = 0,
		[I8255X_LED_ON] = I82552_LED_ON,
		[I8255X_LED_OFF] = I82552_LED_OFF,
	};

	if (hw->phy_addr == I8255X_NO_PHY)
		return -ENOTSUP;
	if (phy_is(hw, PHY_82552))
		return phy_write(hw, I82552_LED, i82552[led]);
	if (!phy_is(hw, PHY_INTEL))
		return -ENOTSUP;
	/* With 82557 and 82558 two LEDs are lit, later ones have a single pin for it. */
	if (led == I8255X_LED_ON && (hw->flags & I8255X_F_GEN_STATUS) == 0)
		return phy_write(hw, I82555_LED, I82555_LED_ON_BOTH);
	return phy_write(hw, I82555_LED, intel[led]);
}

/* --- finding the PHY (§4.2) --- */

/* Whether something answers; `bmcr` is what it is told to do. */
static int
phy_present(const struct i8255x_hw *hw, uint8_t addr, uint16_t *bmcr, bool *there)
{
	uint16_t bmsr = 0;
	int rc = mdi(hw, I8255X_MDI_READ, addr, MII_BMCR, bmcr);

	for (unsigned int i = 0; i < 2 && rc == 0; i++)
		rc = mdi(hw, I8255X_MDI_READ, addr, MII_BMSR, &bmsr);
	*there = *bmcr != UINT16_MAX && (*bmcr != 0 || bmsr != 0);
	return rc;
}

/* Address 1 is where nearly all are; 0 may be a broadcast address to some. */
static uint8_t
phy_order(unsigned int i)
{
	return i == 0 ? 1 : i == 1 ? 0 : i;
}

/*
 * The first PHY is taken, others are cut off from the bus between PHY and MAC. The one taken is
 * joined to it last, because an 82552 answers for all addresses; to none an 82557 would hang.
 */
static int
phy_find(struct i8255x_hw *hw)
{
	uint16_t bmcr, taken = 0, isolate = MII_BMCR_ISOLATE;
	bool there;
	int rc = 0;

	for (unsigned int i = 0; i < 32 && rc == 0; i++) {
		rc = phy_present(hw, phy_order(i), &bmcr, &there);
		if (rc != 0 || !there)
			continue;
		if (hw->phy_addr != I8255X_NO_PHY) {
			rc = mdi(hw, I8255X_MDI_WRITE, phy_order(i), MII_BMCR, &isolate);
		} else {
			hw->phy_addr = phy_order(i);
			taken = bmcr & ~MII_BMCR_ISOLATE;
		}
	}
	if (rc != 0 || hw->phy_addr == I8255X_NO_PHY)
		return rc;
	return mdi(hw, I8255X_MDI_WRITE, hw->phy_addr, MII_BMCR, &taken);
}

/* Boards whose PHY has no registers; on others one that does not answer is broken (§4.2). */
static bool
phy_is_serial(const struct i8255x_hw *hw)
{
	uint16_t type = (hw->nvm_phy & I8255X_NVM_PHY_TYPE_MASK) >> I8255X_NVM_PHY_TYPE_SHIFT;

	return (hw->flags & I8255X_F_EXT_PHY) != 0 &&
	       (type == I8255X_PHY_TYPE_NONE || type == I8255X_PHY_TYPE_82503 ||
		type == I8255X_PHY_TYPE_80C24);
}

/* The board says that its PHY is to be spoken to serially, whether it has registers or not. */
static bool
phy_wants_serial(const struct i8255x_hw *hw)
{
	return (hw->flags & I8255X_F_EXT_PHY) != 0 &&
	       (hw->nvm_phy & I8255X_NVM_PHY_TYPE_MASK) != 0 &&
	       (hw->nvm_phy & I8255X_NVM_PHY_10_ONLY) != 0;
}

static int
phy_capabilities(struct i8255x_hw *hw)
{
	static const struct {
		uint16_t bmsr;
		uint32_t speed;
	} modes[] = {
		{ MII_BMSR_100FULL, RTE_ETH_LINK_SPEED_100M },
		{ MII_BMSR_100HALF, RTE_ETH_LINK_SPEED_100M_HD },
		{ MII_BMSR_10FULL, RTE_ETH_LINK_SPEED_10M },
		{ MII_BMSR_10HALF, RTE_ETH_LINK_SPEED_10M_HD },
	};
	uint16_t bmsr;
	int rc = phy_read(hw, MII_BMSR, &bmsr);

	hw->phy_capa = 0;
	for (unsigned int i = 0; i < RTE_DIM(modes) && rc == 0; i++)
		if (bmsr & modes[i].bmsr)
			hw->phy_capa |= modes[i].speed;
	return rc;
}

/**
 * Find the PHY, and see what it can do.
 *
 * @return 0, also for a board without PHY registers; -ENODEV if none answers; -ETIMEDOUT if the
 *   MDI register does not. One log line. link_lock held.
 */
int
i8255x_phy_init(struct i8255x_hw *hw)
{
	int rc = 0;

	hw->phy_addr = I8255X_NO_PHY;
	hw->phy_capa = RTE_ETH_LINK_SPEED_10M_HD;
	hw->mii = (struct pw_mii){ .read = phy_read, .write = phy_write, .ctx = hw };
	if (!phy_wants_serial(hw))
		rc = phy_find(hw);
	if (rc == 0 && hw->phy_addr == I8255X_NO_PHY) {
		if (phy_wants_serial(hw) || phy_is_serial(hw)) {
			PW_LOG(NOTICE, "%s: the PHY has no registers: 10 Mb/s half duplex, and "
				       "the link counts as up", hw->dev->name);
			return 0;
		}
		rc = -ENODEV;
	}
	if (rc == 0)
		rc = pw_mii_id(&hw->mii, &hw->phy_id);
	if (rc == 0)
		rc = phy_capabilities(hw);
	if (rc != 0)
		PW_LOG(ERR, "%s: the PHY does not answer (%s): power-cycle the machine, and "
			    "replace the card if this stays", hw->dev->name, rte_strerror(-rc));
	return rc;
}

uint32_t
i8255x_speed_capa(const struct i8255x_hw *hw)
{
	return hw->phy_capa;
}

/* --- bringing the link up --- */

static bool
is_fixed(const struct i8255x_hw *hw)
{
	return (hw->link_speeds & RTE_ETH_LINK_SPEED_FIXED) != 0;
}

/* 82552 takes a new offer of PAUSE at a reset only (§4.4). */
static int
offer_82552(struct i8255x_hw *hw)
{
	uint16_t anar, want, offer = pw_fc_offer(&hw->fc);
	int rc = phy_read(hw, MII_ANAR, &anar);

	want = (anar & ~(MII_AN_PAUSE | MII_AN_ASM_DIR)) | offer;
	if (rc != 0 || want == anar)
		return rc;
	rc = phy_write(hw, MII_ANAR, want);
	return rc != 0 ? rc : pw_mii_reset(&hw->mii);
}

/* Crossing over by itself: 82550 and later, and hubs whose PHY and board say so (§4.3). */
static int
setup_mdix(struct i8255x_hw *hw)
{
	uint16_t led;
	int rc;

	if (!phy_is(hw, PHY_INTEL))
		return 0;
	if (hw->flags & I8255X_F_ICH) {
		rc = phy_read(hw, I82555_LED, &led);
		if (rc != 0 || (led & I82555_LED_HAS_MDIX) == 0 ||
		    (hw->nvm_compat & I8255X_NVM_COMPAT_MDIX) == 0)
			return rc;
	} else if ((hw->flags & I8255X_F_IPCB) == 0) {
		return 0;
	}
	return phy_write(hw, I82555_MDIX, is_fixed(hw) ? 0 : I82555_MDIX_AUTO);
}

/* What is particular to a PHY. */
static int
phy_setup(struct i8255x_hw *hw)
{
	int rc = i8255x_phy_led(hw, I8255X_LED_AUTO);

	/* Not all have a LED of their own. */
	if (rc == -ENOTSUP)
		rc = 0;
	/* Its congestion control is not meant for this MAC (§4.4). */
	if (rc == 0 && phy_is(hw, PHY_DP83840))
		rc = phy_modify(hw, DP83840_PCR, DP83840_PCR_CONGESTION, DP83840_PCR_TX_READY);
	if (rc == 0 && phy_is(hw, PHY_82552))
		rc = offer_82552(hw);
	return rc != 0 ? rc : setup_mdix(hw);
}

/* Offer to send PAUSE but not to obey it, which pw_mii_setup() has no word for. */
static int
offer_asymmetric(struct i8255x_hw *hw)
{
	int rc = phy_modify(hw, MII_ANAR, MII_AN_PAUSE, MII_AN_ASM_DIR);

	return rc != 0 ? rc : phy_modify(hw, MII_BMCR, 0, MII_BMCR_ANRESTART);
}

/* A PHY that cannot negotiate does what its board's straps say, if it is not told otherwise. */
static bool
phy_is_strapped(struct i8255x_hw *hw)
{
	uint16_t bmsr;

	return hw->link_speeds == RTE_ETH_LINK_SPEED_AUTONEG &&
	       phy_read(hw, MII_BMSR, &bmsr) == 0 && (bmsr & MII_BMSR_ANEGCAPABLE) == 0;
}

static int
mii_setup(struct i8255x_hw *hw)
{
	uint16_t offer = pw_fc_offer(&hw->fc);
	int rc = pw_mii_power(&hw->mii, true);

	if (rc == 0)
		rc = phy_setup(hw);
	if (rc == 0 && !phy_is_strapped(hw))
		rc = pw_mii_setup(&hw->mii, hw->link_speeds, (offer & MII_AN_PAUSE) != 0);
	if (rc == 0 && offer == MII_AN_ASM_DIR && !is_fixed(hw))
		rc = offer_asymmetric(hw);
	return rc;
}

/**
 * Power the PHY up and have it negotiate or force what hw->link_speeds says. Byte 19 of
 * Configure follows from it: send that afterwards. In loopback the PHY only gives the clock.
 *
 * @return 0; -EINVAL for speeds that the PHY has not; its error. One log line. link_lock held.
 */
int
i8255x_link_setup(struct i8255x_hw *hw)
{
	int rc = 0;

	memset(&hw->link, 0, sizeof(hw->link));
	hw->phy_off = false;
	hw->force_duplex = is_fixed(hw) && (hw->link_speeds & (RTE_ETH_LINK_SPEED_100M |
							       RTE_ETH_LINK_SPEED_10M)) != 0;
	if (hw->phy_addr != I8255X_NO_PHY)
		rc = hw->loopback ? pw_mii_power(&hw->mii, true) : mii_setup(hw);
	if (rc != 0)
		PW_LOG(ERR, "%s: cannot set the PHY up (%s): check the cable's other end, or "
			    "power-cycle the card", hw->dev->name, rte_strerror(-rc));
	return rc;
}

/**
 * Switch the link off, at the PHY, or on again.
 *
 * @return 0; -ENOTSUP for a board without PHY registers; its error. link_lock held.
 */
int
i8255x_link_power(struct i8255x_hw *hw, bool on)
{
	if (on)
		return i8255x_link_setup(hw);
	memset(&hw->link, 0, sizeof(hw->link));
	if (hw->phy_addr == I8255X_NO_PHY)
		return -ENOTSUP;
	hw->phy_off = true;
	return pw_mii_power(&hw->mii, false);
}

/* --- reading the link --- */

/* Speed and duplex by what costs least. @return 1 if not told, 0, -errno. */
static int
quick_look(struct i8255x_hw *hw, struct pw_mii_link *link)
{
	uint16_t val;
	uint8_t status;
	int rc;

	if (hw->flags & I8255X_F_GEN_STATUS) {
		status = pw_read8(hw->io, I8255X_GEN_STATUS);
		link->up = (status & I8255X_GEN_STATUS_LINK) != 0;
		link->full_duplex = (status & I8255X_GEN_STATUS_FD) != 0;
		link->speed = status & I8255X_GEN_STATUS_100 ? 100 : 10;
		return 0;
	}
	if (!phy_is(hw, PHY_INTEL))
		return 1;
	/* The first read gives what was latched. */
	rc = phy_read(hw, MII_BMSR, &val);
	if (rc == 0)
		rc = phy_read(hw, MII_BMSR, &val);
	if (rc != 0)
		return rc;
	/* An open line. */
	if (val == UINT16_MAX)
		return -ENODEV;
	link->up = (val & MII_BMSR_LSTATUS) != 0 &&
		   (is_fixed(hw) || (val & MII_BMSR_ANEGCOMPLETE) != 0);
	rc = phy_read(hw, I82555_STATUS, &val);
	/* The register names the PHY's address, where there is such a register: not in QEMU. */
	if (rc == 0 && (val & I82555_STATUS_ADDR_MASK) >> I82555_STATUS_ADDR_SHIFT != hw->phy_addr)
		return 1;
	link->full_duplex = (val & I82555_STATUS_FD) != 0;
	link->speed = val & I82555_STATUS_100 ? 100 : 10;
	return rc;
}

/* With a partner that does not negotiate, a DP83840 says in a place of its own what it found. */
static int
read_dp83840(struct i8255x_hw *hw, struct pw_mii_link *link)
{
	uint16_t aner, par;
	int rc = phy_read(hw, MII_ANER, &aner);

	if (rc != 0 || (aner & MII_ANER_LP_AN) != 0)
		return rc;
	rc = phy_read(hw, DP83840_PAR, &par);
	link->speed = par & DP83840_PAR_10 ? 10 : 100;
	link->full_duplex = false;
	return rc;
}

/* All of it from the PHY. */
static int
slow_look(struct i8255x_hw *hw, struct pw_mii_link *link)
{
	int rc = pw_mii_link_read(&hw->mii, link);

	if (rc == 0 && link->up && link->autoneg && phy_is(hw, PHY_DP83840))
		rc = read_dp83840(hw, link);
	return rc;
}

static int
mii_link(struct i8255x_hw *hw, struct pw_mii_link *link)
{
	const struct pw_mii_link *old = &hw->link;
	struct pw_mii_link phy = { 0 };
	int rc = quick_look(hw, link);

	if (rc == 1)
		return slow_look(hw, link);
	if (rc != 0 || !link->up) {
		memset(link, 0, sizeof(*link));
		return rc;
	}
	link->autoneg = !is_fixed(hw);
	if (old->up && old->speed == link->speed && old->full_duplex == link->full_duplex)
		phy = *old;
	else if (link->autoneg && link->full_duplex && (hw->flags & I8255X_F_FC) != 0)
		/* The link is new: ask the PHY what was agreed on. */
		rc = pw_mii_link_read(&hw->mii, &phy);
	link->pause_rx = phy.pause_rx;
	link->pause_tx = phy.pause_tx;
	return rc;
}

/**
 * Bring hw->link up to date. One register read when nothing has changed, 82559 and later. PAUSE
 * is as negotiated; i8255x_fc_outcome() makes of it what is to be done.
 *
 * @return 0; -ENODEV when the card is gone; -EIO when the PHY is; -ETIMEDOUT. The link is down
 *   on error. link_lock held.
 */
int
i8255x_link_read(struct i8255x_hw *hw)
{
	struct pw_mii_link link;
	int rc = 0;

	memset(&link, 0, sizeof(link));
	if (i8255x_gone(hw))
		rc = -ENODEV;
	else if (hw->loopback)
		link = (struct pw_mii_link){ .up = true, .full_duplex = true,
					     .speed = RTE_ETH_SPEED_NUM_100M };
	else if (hw->phy_addr == I8255X_NO_PHY)
		link = (struct pw_mii_link){ .up = true, .speed = RTE_ETH_SPEED_NUM_10M };
	else if (!hw->phy_off)
		rc = mii_link(hw, &link);
	/* What an 82557 does not know it cannot obey (§1.2). */
	if ((hw->flags & I8255X_F_FC) == 0)
		link.pause_rx = link.pause_tx = false;
	if (rc != 0)
		memset(&link, 0, sizeof(link));
	hw->link = link;
	/* It was there a moment ago: its PHY is what is gone. */
	if (rc == -ENODEV && !i8255x_gone(hw))
		rc = -EIO;
	return rc;
}
