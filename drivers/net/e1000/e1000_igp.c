/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The IGP01 PHY of 82541 and 82547 (§4.4): what its makers' errata want of software.
 *
 * After each of its resets come settings that it should have been made with. Once a gigabit link
 * is up, it is told if the cable is long, and if what it hears is noisy: without that a link over
 * 60 m or more comes and goes. When the link is lost, both are taken back, for the next cable
 * may be another. SmartSpeed brings up a slower link on a cable that lacks two of its pairs; after
 * that the PHY may call a half-duplex link full, and the partner's abilities say which it is.
 *
 * Master and slave are always resolved by negotiation, so that SmartSpeed's other half, which
 * switches a manual choice off and on while there is no link, has nothing to do.
 *
 * Register values without a name are the makers', and nothing says what they mean.
 */

#include "e1000.h"

#define PHY_RST_MS	10
#define NVM_MS		100	/* the MAC hands the PHY its part of the EEPROM */
#define SCRIPT_MS	20
#define SCRIPT_GAP_MS	5
#define DSP_MS		20
#define FFE_MS		20	/* to listen for idle errors; and once there was one: */
#define FFE_LONG_MS	100
#define FFE_ERRORS	5	/* more are noise */

/* BMCR: stay at 1000 Mbit/s, without negotiation; and negotiate anew. */
#define FORCE_1000	(MII_BMCR_SPEED1000 | MII_BMCR_FULLDPLX)
#define RESTART		(MII_BMCR_ANENABLE | MII_BMCR_ANRESTART | MII_BMCR_SPEED100 | \
			 MII_BMCR_FULLDPLX)

#define PAIRS 4

struct phy_value {
	uint16_t reg, val;
};

bool
e1000_is_igp01(const struct e1000_hw *hw)
{
	return hw->media == E1000_MEDIA_COPPER && hw->variant->phy == E1000_PHY_IGP &&
	       (hw->flags & E1000_F_PCIE) == 0;
}

/* --- with the transmitter off, so that the partner does not see it ------------------------- */

static int
quiet_begin(struct e1000_hw *hw, uint16_t *saved)
{
	int rc = e1000_phy_read(hw, E1000_IGP01_TX, saved);

	if (rc != 0)
		return rc;
	rc = e1000_phy_write(hw, E1000_IGP01_TX, E1000_IGP01_TX_OFF);
	rte_delay_ms(DSP_MS);
	if (rc == 0)
		rc = e1000_phy_write(hw, MII_BMCR, FORCE_1000);
	if (rc != 0)
		e1000_phy_write(hw, E1000_IGP01_TX, *saved);
	return rc;
}

static int
quiet_end(struct e1000_hw *hw, uint16_t saved)
{
	int rc = e1000_phy_write(hw, MII_BMCR, RESTART), back;

	rte_delay_ms(DSP_MS);
	/* Whatever went wrong: a transmitter that stays off would be worse. */
	back = e1000_phy_write(hw, E1000_IGP01_TX, saved);
	return rc != 0 ? rc : back;
}

/* --- after reset --------------------------------------------------------------------------- */

/* The analog part as it was fused, a step less where it was fused too high (82547). */
static int
trim_fuse(struct e1000_hw *hw)
{
	uint16_t spare, fuse, coarse, fine;
	int rc = e1000_phy_read(hw, E1000_IGP01_FUSE_SPARE, &spare);

	if (rc != 0 || (spare & E1000_IGP01_FUSE_SPARE_ON) != 0)
		return rc;
	rc = e1000_phy_read(hw, E1000_IGP01_FUSE_STATUS, &fuse);
	if (rc != 0)
		return rc;
	coarse = fuse & E1000_IGP01_FUSE_COARSE_MASK;
	fine = fuse & E1000_IGP01_FUSE_FINE_MASK;
	if (coarse > 0x0040) {
		coarse -= 0x0010;
		fine -= 0x0080;
	} else if (coarse == 0x0040) {
		fine -= 0x0500;
	}
	rc = e1000_phy_write(hw, E1000_IGP01_FUSE_CONTROL,
			     (fuse & E1000_IGP01_FUSE_POLY_MASK) | coarse |
			     (fine & E1000_IGP01_FUSE_FINE_MASK));
	return rc != 0 ? rc : e1000_phy_write(hw, E1000_IGP01_FUSE_BYPASS,
					      E1000_IGP01_FUSE_BY_SOFTWARE);
}

static int
init_script(struct e1000_hw *hw)
{
	static const struct phy_value first[] = {
		{ 0x1f95, 0x0001 }, { 0x1f71, 0xbd21 }, { 0x1f79, 0x0018 }, { 0x1f30, 0x1600 },
		{ 0x1f31, 0x0014 }, { 0x1f32, 0x161c }, { 0x1f94, 0x0003 }, { 0x1f96, 0x003f },
		{ 0x2010, 0x0008 },
	};
	static const struct phy_value second[] = { { 0x1f73, 0x0099 } };
	bool old = (hw->flags & E1000_F_IGP_OLD) != 0;
	const struct phy_value *v = old ? first : second;
	unsigned int n = old ? RTE_DIM(first) : RTE_DIM(second);
	uint16_t saved;
	int rc, end;

	rte_delay_ms(SCRIPT_MS);
	rc = quiet_begin(hw, &saved);
	if (rc != 0)
		return rc;
	rte_delay_ms(SCRIPT_GAP_MS);
	for (unsigned int i = 0; i < n && rc == 0; i++)
		rc = e1000_phy_write(hw, v[i].reg, v[i].val);
	end = quiet_end(hw, saved);
	if (rc == 0)
		rc = end;
	return rc != 0 || (hw->flags & E1000_F_IGP_FUSE) == 0 ? rc : trim_fuse(hw);
}

/* Both a gigabit and something slower are offered. */
static bool
may_downshift(const struct e1000_hw *hw)
{
	uint32_t speeds = hw->link_speeds;

	return speeds == RTE_ETH_LINK_SPEED_AUTONEG ||
	       ((speeds & RTE_ETH_LINK_SPEED_1G) != 0 &&
		(speeds & ~(RTE_ETH_LINK_SPEED_1G | RTE_ETH_LINK_SPEED_FIXED)) != 0);
}

/* What is negotiated comes after this. The first revision cannot find out about crossed pairs. */
int
e1000_igp_setup(struct e1000_hw *hw, bool fixed)
{
	bool cross = !fixed && (hw->flags & E1000_F_IGP_OLD) == 0;
	int rc;

	hw->igp = (struct e1000_igp){ .dsp = false };
	pw_modify32(hw->io, E1000_CTRL, 0, E1000_CTRL_PHY_RST);
	e1000_flush(hw);
	rte_delay_ms(PHY_RST_MS);
	pw_modify32(hw->io, E1000_CTRL, E1000_CTRL_PHY_RST, 0);
	e1000_flush(hw);
	rte_delay_ms(PHY_RST_MS);
	rc = init_script(hw);
	rte_delay_ms(NVM_MS);
	if (rc == 0 && (hw->flags & E1000_F_IGP_OLD) == 0)
		rc = e1000_phy_modify(hw, E1000_IGP_GMII_FIFO, E1000_IGP_GMII_FLEX_SPD, 0);
	if (rc == 0)
		rc = e1000_phy_modify(hw, E1000_IGP_PORT_CTRL,
				      E1000_IGP_CTRL_FORCE_MDIX | E1000_IGP_CTRL_AUTO_MDIX,
				      cross ? E1000_IGP_CTRL_AUTO_MDIX : 0);
	if (rc == 0)
		rc = e1000_phy_modify(hw, E1000_IGP_PORT_CONFIG, E1000_IGP_CONFIG_SMARTSPEED,
				      may_downshift(hw) ? E1000_IGP_CONFIG_SMARTSPEED : 0);
	return rc != 0 ? rc : e1000_phy_modify(hw, MII_GBCR, MII_GBCR_MS_MANUAL, 0);
}

/* --- the cable ----------------------------------------------------------------------------- */

/* By the gain of the four receivers, which is a measure of what the cable has swallowed. */
static int
cable_is_long(struct e1000_hw *hw, bool *is_long)
{
	static const uint16_t reg[PAIRS] = {
		E1000_IGP01_AGC_A, E1000_IGP01_AGC_B, E1000_IGP01_AGC_C, E1000_IGP01_AGC_D,
	};
	uint32_t sum = 0, least = UINT32_MAX;

	for (unsigned int i = 0; i < PAIRS; i++) {
		uint16_t val;
		int rc = e1000_phy_read(hw, reg[i], &val);

		if (rc != 0)
			return rc;
		val >>= E1000_IGP01_AGC_SHIFT;
		if (val == 0 || val >= E1000_IGP01_AGC_NUM - 1)
			return -EIO;
		sum += val;
		least = RTE_MIN(least, val);
	}
	/* On short cables one pair is often far off. */
	*is_long = (sum < PAIRS * 50 ? (sum - least) / (PAIRS - 1) : sum / PAIRS) >=
		   E1000_IGP01_AGC_60M;
	return 0;
}

static int
dsp_modify(struct e1000_hw *hw, uint16_t set)
{
	static const uint16_t reg[PAIRS] = {
		E1000_IGP01_DSP_A, E1000_IGP01_DSP_B, E1000_IGP01_DSP_C, E1000_IGP01_DSP_D,
	};
	int rc = 0;

	for (unsigned int i = 0; i < PAIRS && rc == 0; i++)
		rc = e1000_phy_modify(hw, reg[i], E1000_IGP01_DSP_MU_MASK, set);
	return rc;
}

/* A partner that sends idles should be heard without an error. */
static int
listen_for_noise(struct e1000_hw *hw)
{
	uint32_t errors = 0;
	uint16_t gbsr;
	int rc = e1000_phy_read(hw, MII_GBSR, &gbsr);	/* reading clears the count */

	for (unsigned int i = 0; rc == 0 && i < (errors != 0 ? FFE_LONG_MS : FFE_MS); i++) {
		rte_delay_ms(1);
		rc = e1000_phy_read(hw, MII_GBSR, &gbsr);
		errors += gbsr & MII_GBSR_IDLE_ERR_MASK;
		if (rc == 0 && errors > FFE_ERRORS) {
			hw->igp.ffe = true;
			return e1000_phy_write(hw, E1000_IGP01_FFE, E1000_IGP01_FFE_NOISY);
		}
	}
	return rc;
}

static void
tune(struct e1000_hw *hw)
{
	bool is_long;

	if (cable_is_long(hw, &is_long) != 0)
		return;
	if (is_long && (hw->flags & E1000_F_IGP_DSP) != 0)
		hw->igp.dsp = dsp_modify(hw, 0) == 0;
	else if (!is_long && !hw->igp.ffe)
		listen_for_noise(hw);
}

/* SmartSpeed went down: what does the partner say that it can? */
static bool
is_half_after_all(struct e1000_hw *hw, const struct pw_mii_link *link)
{
	uint16_t health, aner, lpar;
	uint16_t full = link->speed == RTE_ETH_SPEED_NUM_100M ? MII_AN_100FULL : MII_AN_10FULL;

	if (e1000_phy_read(hw, E1000_IGP_LINK_HEALTH, &health) != 0 ||
	    (health & E1000_IGP_HEALTH_DOWNGRADED) == 0 ||
	    e1000_phy_read(hw, MII_ANER, &aner) != 0 ||
	    e1000_phy_read(hw, MII_ANLPAR, &lpar) != 0)
		return false;
	return (aner & MII_ANER_LP_AN) == 0 || (lpar & full) == 0;
}

/* The link is new. What cannot be read or written now is left as it is: a link there is. */
void
e1000_igp_link_up(struct e1000_hw *hw, struct pw_mii_link *link)
{
	if (!e1000_is_igp01(hw) || !link->up || !link->autoneg)
		return;
	if (link->speed == RTE_ETH_SPEED_NUM_1G)
		tune(hw);
	else if (link->full_duplex && is_half_after_all(hw, link))
		link->full_duplex = false;
}

/* Take back what the last cable needed; this negotiates anew. */
void
e1000_igp_link_down(struct e1000_hw *hw)
{
	struct e1000_igp was = hw->igp;
	uint16_t saved;

	if (!was.dsp && !was.ffe)
		return;
	if (quiet_begin(hw, &saved) != 0)
		return;
	if (was.dsp && dsp_modify(hw, E1000_IGP01_DSP_SIGN_EXT) == 0)
		hw->igp.dsp = false;
	if (was.ffe && e1000_phy_write(hw, E1000_IGP01_FFE, E1000_IGP01_FFE_NORMAL) == 0)
		hw->igp.ffe = false;
	quiet_end(hw, saved);
}
