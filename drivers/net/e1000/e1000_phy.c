/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * PHY access and link (§4.2, §4.3).
 *
 * On copper a PHY negotiates and the MAC of all but the first part follows it by itself: with
 * CTRL.SLU set and nothing forced, STATUS tells link, speed and duplex, and one register read
 * is all a link poll costs. What does not follow by itself is flow control, so each time the
 * link comes up the PHY is asked what both ends offered. On fibre there is no PHY: the MAC
 * sends and receives the 802.3 clause 37 words itself (TXCW, RXCW), and software has to notice
 * a partner that does not negotiate and force the link up.
 *
 * The PHY sits behind MDIC, a 64-microsecond serial access; on the oldest part behind four
 * pins. Three families of PHY differ in how registers past 15 are reached.
 */

#include <string.h>

#include "e1000.h"

#define MDIC_TIMEOUT_US		96000
#define MDIC_STEP_US		50
#define MDIO_EDGE_US		10
#define SEM_TRIES		20
#define SEM_STEP_US		1000
#define LOOPBACK_MS		100
#define M88_DSP_RESET		0xc1

/* --- who may touch the PHY --- */

static int
swsm_lock(const struct e1000_hw *hw)
{
	const struct pw_io *io = hw->io;
	unsigned int i;

	/*
	 * Reading sets SMBI: the one who reads it clear has it. Nobody alive has it for longer than
	 * this.
	 */
	for (i = 0; (pw_read32(io, E1000_SWSM) & E1000_SWSM_SMBI) != 0; i++) {
		if (i == SEM_TRIES)
			break;
		rte_delay_us(SEM_STEP_US);
	}
	if (i == SEM_TRIES && e1000_gone(hw))
		return -EBUSY;
	for (i = 0; i < SEM_TRIES; i++) {
		pw_modify32(io, E1000_SWSM, 0, E1000_SWSM_SWESMBI);
		if (pw_read32(io, E1000_SWSM) & E1000_SWSM_SWESMBI)
			return 0;
		rte_delay_us(SEM_STEP_US);
	}
	pw_modify32(io, E1000_SWSM, E1000_SWSM_SMBI | E1000_SWSM_SWESMBI, 0);
	return -EBUSY;
}

int
e1000_phy_lock(const struct e1000_hw *hw)
{
	if (hw->flags & E1000_F_SWSM)
		return swsm_lock(hw);
	return hw->flags & E1000_F_EXTCNF_PHY ? e1000_extcnf_lock(hw) : 0;
}

void
e1000_phy_unlock(const struct e1000_hw *hw)
{
	if (hw->flags & E1000_F_SWSM)
		pw_modify32(hw->io, E1000_SWSM, E1000_SWSM_SMBI | E1000_SWSM_SWESMBI, 0);
	else if (hw->flags & E1000_F_EXTCNF_PHY)
		pw_modify32(hw->io, E1000_EXTCNF_CTRL, E1000_EXTCNF_CTRL_MDIO_SW_OWN, 0);
}

/* --- MDIC --- */

static int
mdic(const struct e1000_hw *hw, uint32_t op, uint8_t reg, uint16_t *val)
{
	uint32_t v = op | E1000_MDIC_PHY_ADDR << E1000_MDIC_PHY_SHIFT |
		     (uint32_t)reg << E1000_MDIC_REG_SHIFT;
	int rc;

	if (op == E1000_MDIC_OP_WRITE)
		v |= *val;
	pw_write32(hw->io, E1000_MDIC, v);
	rc = pw_wait32(hw->io, E1000_MDIC, E1000_MDIC_READY, E1000_MDIC_READY, MDIC_TIMEOUT_US,
		       MDIC_STEP_US);
	if (rc != 0)
		return rc;
	v = pw_read32(hw->io, E1000_MDIC);
	if ((v & E1000_MDIC_ERROR) != 0 ||
	    (v & E1000_MDIC_REG_MASK) >> E1000_MDIC_REG_SHIFT != reg)
		return -EIO;
	if (op == E1000_MDIC_OP_READ)
		*val = v & E1000_MDIC_DATA_MASK;
	return 0;
}

/* --- the same over pins (82543) --- */

#define MDIO_PINS	(E1000_CTRL_MDIO | E1000_CTRL_MDC)
#define MDIO_READ	0x6u	/* start 01, read 10 */
#define MDIO_WRITE	0x5u	/* start 01, write 01 */
#define MDIO_TURNAROUND	0x2u

static void
mdio_pins(const struct e1000_hw *hw, uint32_t ctrl)
{
	pw_write32(hw->io, E1000_CTRL, ctrl);
	e1000_flush(hw);
	rte_delay_us(MDIO_EDGE_US);
}

static void
mdio_out(const struct e1000_hw *hw, uint32_t data, unsigned int bits)
{
	uint32_t ctrl = pw_read32(hw->io, E1000_CTRL) & ~MDIO_PINS;

	ctrl |= E1000_CTRL_MDIO_DIR | E1000_CTRL_MDC_DIR;
	while (bits-- > 0) {
		uint32_t bit = data >> bits & 1 ? E1000_CTRL_MDIO : 0;

		mdio_pins(hw, ctrl | bit);
		mdio_pins(hw, ctrl | bit | E1000_CTRL_MDC);
		mdio_pins(hw, ctrl | bit);
	}
}

static uint16_t
mdio_in(const struct e1000_hw *hw)
{
	uint32_t ctrl = pw_read32(hw->io, E1000_CTRL) & ~(MDIO_PINS | E1000_CTRL_MDIO_DIR);
	uint16_t data = 0;

	/* One clock of turnaround, sixteen of data, one to let go of the line. */
	for (unsigned int i = 0; i < 18; i++) {
		mdio_pins(hw, ctrl | E1000_CTRL_MDC);
		if (i >= 1 && i <= 16)
			data = data << 1 |
			       ((pw_read32(hw->io, E1000_CTRL) & E1000_CTRL_MDIO) != 0);
		mdio_pins(hw, ctrl);
	}
	return data;
}

static int
mdio_bits(const struct e1000_hw *hw, uint32_t op, uint8_t reg, uint16_t *val)
{
	uint32_t head = (op == E1000_MDIC_OP_READ ? MDIO_READ : MDIO_WRITE) << 10 |
			E1000_MDIC_PHY_ADDR << 5 | reg;

	mdio_out(hw, UINT32_MAX, 32);
	mdio_out(hw, head, 14);
	if (op == E1000_MDIC_OP_READ) {
		*val = mdio_in(hw);
	} else {
		mdio_out(hw, MDIO_TURNAROUND, 2);
		mdio_out(hw, *val, 16);
	}
	return e1000_gone(hw) ? -ENODEV : 0;
}

/* --- PHY registers --- */

/* `reg` is an offset; what of it is past five bits selects a page, on an IGP PHY only. */
static int
phy_access(const struct e1000_hw *hw, uint32_t op, uint16_t reg, uint16_t *val)
{
	int (*verb)(const struct e1000_hw *hw, uint32_t op, uint8_t reg, uint16_t *val) =
		hw->flags & E1000_F_MDIO_PINS ? mdio_bits : mdic;
	uint16_t page = 0;
	int rc = e1000_phy_lock(hw);

	if (rc != 0)
		return rc;
	/* Registers past 15 are paged on two of the three families; BM's of ours lie in page 0. */
	if (reg > 15 && hw->variant->phy == E1000_PHY_IGP) {
		page = reg;
		rc = verb(hw, E1000_MDIC_OP_WRITE, E1000_IGP_PAGE, &page);
	} else if (reg > 15 && hw->variant->phy == E1000_PHY_BM) {
		rc = verb(hw, E1000_MDIC_OP_WRITE, E1000_BM_PAGE, &page);
	}
	if (rc == 0)
		rc = verb(hw, op, reg & (MII_REG_NUM - 1), val);
	e1000_phy_unlock(hw);
	return rc;
}

int
e1000_phy_read(struct e1000_hw *hw, uint16_t reg, uint16_t *val)
{
	return phy_access(hw, E1000_MDIC_OP_READ, reg, val);
}

int
e1000_phy_write(struct e1000_hw *hw, uint16_t reg, uint16_t val)
{
	return phy_access(hw, E1000_MDIC_OP_WRITE, reg, &val);
}

int
e1000_phy_modify(struct e1000_hw *hw, uint16_t reg, uint16_t clear, uint16_t set)
{
	uint16_t val;
	int rc = e1000_phy_read(hw, reg, &val);

	return rc != 0 ? rc : e1000_phy_write(hw, reg, (val & ~clear) | set);
}

static int
phy_read(void *ctx, uint8_t reg, uint16_t *val)
{
	return e1000_phy_read(ctx, reg, val);
}

static int
phy_write(void *ctx, uint8_t reg, uint16_t val)
{
	return e1000_phy_write(ctx, reg, val);
}

/* Smart power-down lets an idle PHY sleep, and with it the LED that it drives (82541, §7). */
int
e1000_phy_keep_awake(struct e1000_hw *hw)
{
	if (!e1000_is_igp01(hw))
		return 0;
	return e1000_phy_modify(hw, E1000_IGP_GMII_FIFO, E1000_IGP_GMII_SPD, 0);
}

/*
 * A boot agent may have left the semaphore taken (§7). Where two ports share it the card's first
 * driver alone gives it back: later it may be in the other's hands.
 */
static void
swsm_init(const struct e1000_hw *hw)
{
	if (hw->flags & E1000_F_SWSM2) {
		if (pw_read32(hw->io, E1000_SWSM2) & E1000_SWSM2_LOCK)
			return;
		pw_modify32(hw->io, E1000_SWSM2, 0, E1000_SWSM2_LOCK);
	}
	e1000_phy_unlock(hw);
}

int
e1000_phy_init(struct e1000_hw *hw)
{
	int rc;

	if (hw->media != E1000_MEDIA_COPPER)
		return 0;
	hw->mii = (struct pw_mii){
		.read = phy_read,
		.write = phy_write,
		.ctx = hw,
		.gigabit = true,
	};
	if (hw->flags & E1000_F_SWSM)
		swsm_init(hw);
	rc = pw_mii_id(&hw->mii, &hw->phy_id);
	if (rc != 0)
		PW_LOG(ERR, "%s: the PHY does not answer (%s): the card is damaged, or firmware "
			    "holds the PHY; power-cycle the machine", hw->dev->name,
		       rte_strerror(-rc));
	return rc;
}

uint32_t
e1000_speed_capa(const struct e1000_hw *hw)
{
	uint32_t capa = RTE_ETH_LINK_SPEED_1G;

	if (hw->media != E1000_MEDIA_COPPER)
		return capa;
	return capa | RTE_ETH_LINK_SPEED_10M | RTE_ETH_LINK_SPEED_100M |
	       RTE_ETH_LINK_SPEED_10M_HD | RTE_ETH_LINK_SPEED_100M_HD;
}

/* --- bringing the link up --- */

/* Firmware that shares the PHY keeps it powered and unreset (§5.2). */
static bool
phy_is_shared(const struct e1000_hw *hw)
{
	if ((hw->flags & (E1000_F_CLEAR_ARP | E1000_F_PCIE)) == 0)
		return false;
	return (pw_read32(hw->io, E1000_MANC) &
		(E1000_MANC_BLK_PHY_RST | E1000_MANC_SMBUS_EN)) != 0;
}

static bool
is_fixed(const struct e1000_hw *hw)
{
	return (hw->link_speeds & RTE_ETH_LINK_SPEED_FIXED) != 0 &&
	       (hw->link_speeds & RTE_ETH_LINK_SPEED_1G) == 0;
}

/* What is particular to a family; crossing over by itself needs negotiation (§4.3). */
static int
phy_setup(struct e1000_hw *hw)
{
	uint16_t mdi = is_fixed(hw) ? E1000_M88_PSCR_MDI : E1000_M88_PSCR_MDI_AUTO;
	int rc = 0;

	switch (hw->variant->phy) {
	case E1000_PHY_M88:
		rc = e1000_phy_modify(hw, E1000_M88_PSCR,
				      E1000_M88_PSCR_MDI_MASK | E1000_M88_PSCR_POLARITY_OFF,
				      E1000_M88_PSCR_CRS_ON_TX | mdi);
		if (rc == 0)
			rc = e1000_phy_modify(hw, E1000_M88_EPSCR,
					      E1000_M88_EPSCR_MASTER_DS_MASK |
					      E1000_M88_EPSCR_SLAVE_DS_MASK,
					      E1000_M88_EPSCR_TX_CLK_25);
		break;
	case E1000_PHY_BM:
		rc = e1000_phy_modify(hw, E1000_M88_PSCR,
				      E1000_M88_PSCR_MDI_MASK | E1000_M88_PSCR_POLARITY_OFF,
				      E1000_BM_PSCR_DOWNSHIFT_EN | mdi);
		break;
	case E1000_PHY_IGP:
		if (e1000_is_igp01(hw)) {
			rc = e1000_igp_setup(hw, is_fixed(hw));
			break;
		}
		rc = e1000_phy_modify(hw, E1000_IGP_PORT_CTRL,
				      E1000_IGP_CTRL_FORCE_MDIX | E1000_IGP_CTRL_AUTO_MDIX,
				      is_fixed(hw) ? 0 : E1000_IGP_CTRL_AUTO_MDIX);
		if (rc == 0)
			rc = e1000_phy_modify(hw, E1000_IGP_PORT_CONFIG,
					      E1000_IGP_CONFIG_SMARTSPEED, 0);
		break;
	}
	/* M88 and BM take the new values at a reset only (§4.2). */
	if (rc == 0 && hw->variant->phy != E1000_PHY_IGP)
		rc = pw_mii_reset(&hw->mii);
	return rc;
}

/* Offer to send PAUSE but not to obey it, which pw_mii_setup() has no word for. */
static int
offer_asymmetric(struct e1000_hw *hw)
{
	int rc = e1000_phy_modify(hw, MII_ANAR, MII_AN_PAUSE, MII_AN_ASM_DIR);

	return rc != 0 ? rc : e1000_phy_modify(hw, MII_BMCR, 0, MII_BMCR_ANRESTART);
}

/*
 * Forced modes: the signal processor has settled for what was before, and starting it over has
 * the transmit clock at 2.5 MHz again (§4.3).
 */
static int
m88_restart_dsp(struct e1000_hw *hw)
{
	int rc = phy_write(hw, E1000_M88_PAGE_DATA, M88_DSP_RESET);

	if (rc == 0)
		rc = phy_write(hw, E1000_M88_PAGE_DATA, 0);
	if (rc == 0)
		rc = e1000_phy_modify(hw, E1000_M88_EPSCR, 0, E1000_M88_EPSCR_TX_CLK_25);
	return rc != 0 ? rc : e1000_phy_modify(hw, E1000_M88_PSCR, 0, E1000_M88_PSCR_CRS_ON_TX);
}

static int
copper_setup(struct e1000_hw *hw)
{
	uint32_t clear = E1000_CTRL_FRCSPD | E1000_CTRL_FRCDPX | E1000_CTRL_SPEED_MASK |
			 E1000_CTRL_RFCE | E1000_CTRL_TFCE, set = E1000_CTRL_SLU;
	uint32_t speeds = hw->link_speeds;
	uint16_t offer = pw_fc_offer(&hw->fc);
	int rc = pw_mii_power(&hw->mii, true);

	if (rc == 0 && !phy_is_shared(hw))
		rc = phy_setup(hw);
	if (rc == 0)
		rc = pw_mii_setup(&hw->mii, speeds, (offer & MII_AN_PAUSE) != 0);
	if (rc == 0 && offer == MII_AN_ASM_DIR && !is_fixed(hw))
		rc = offer_asymmetric(hw);
	if (rc == 0 && is_fixed(hw) && hw->variant->phy == E1000_PHY_M88 && !phy_is_shared(hw))
		rc = m88_restart_dsp(hw);
	if (rc != 0) {
		PW_LOG(ERR, "%s: cannot set the PHY up (%s): check the cable's other end, or "
			    "power-cycle the card", hw->dev->name, rte_strerror(-rc));
		return rc;
	}
	if (is_fixed(hw)) {
		clear |= E1000_CTRL_FD | E1000_CTRL_ASDE;
		set |= E1000_CTRL_FRCSPD | E1000_CTRL_FRCDPX;
		if (speeds & (RTE_ETH_LINK_SPEED_100M | RTE_ETH_LINK_SPEED_100M_HD))
			set |= E1000_CTRL_SPEED_100;
		if (speeds & (RTE_ETH_LINK_SPEED_100M | RTE_ETH_LINK_SPEED_10M))
			set |= E1000_CTRL_FD;
	}
	pw_modify32(hw->io, E1000_CTRL, clear, set);
	return 0;
}

static int
fiber_setup(struct e1000_hw *hw)
{
	uint16_t offer = pw_fc_offer(&hw->fc);

	hw->an_failed = false;
	hw->txcw = E1000_TXCW_ANE | E1000_TXCW_FD |
		   (offer & MII_AN_PAUSE ? E1000_TXCW_PAUSE : 0) |
		   (offer & MII_AN_ASM_DIR ? E1000_TXCW_ASM_DIR : 0);
	/* Nothing but this leaves SERDES loopback, reset included (§4.3). */
	if ((hw->flags & E1000_F_PCIE) != 0)
		pw_write32(hw->io, E1000_SCTL, E1000_SCTL_LOOPBACK_OFF);
	pw_write32(hw->io, E1000_TXCW, hw->txcw);
	pw_modify32(hw->io, E1000_CTRL,
		    E1000_CTRL_LRST | E1000_CTRL_SLU | E1000_CTRL_RFCE | E1000_CTRL_TFCE,
		    E1000_CTRL_FD);
	e1000_flush(hw);
	rte_delay_ms(1);
	return 0;
}

/* --- loopback: what is sent comes back, and nothing leaves the card (§9.4) --- */

/* On fibre the MAC's own serializer turns frames round; on copper the PHY does. */
uint32_t
e1000_loopback_rctl(const struct e1000_hw *hw)
{
	return hw->loopback && hw->media != E1000_MEDIA_COPPER ? E1000_RCTL_LBM_PHY :
								 E1000_RCTL_LBM_NONE;
}

static int
loopback_copper(struct e1000_hw *hw)
{
	uint32_t set = E1000_CTRL_SLU | E1000_CTRL_FRCSPD | E1000_CTRL_FRCDPX | E1000_CTRL_FD |
		       E1000_CTRL_SPEED_1000;
	int rc = pw_mii_power(&hw->mii, true);

	if (rc == 0)
		rc = phy_write(hw, MII_BMCR, MII_BMCR_LOOPBACK | MII_BMCR_SPEED1000 |
			       MII_BMCR_FULLDPLX);
	/* M88 says that there is no signal while it loops. */
	if (hw->variant->phy != E1000_PHY_IGP)
		set |= E1000_CTRL_ILOS;
	pw_modify32(hw->io, E1000_CTRL, E1000_CTRL_SPEED_MASK | E1000_CTRL_ASDE | E1000_CTRL_RFCE |
		    E1000_CTRL_TFCE, set);
	e1000_flush(hw);
	/* The PHY's clocks need a while. */
	rte_delay_ms(LOOPBACK_MS);
	return rc;
}

static int
loopback_fiber(struct e1000_hw *hw)
{
	if ((hw->flags & E1000_F_PCIE) != 0)
		pw_write32(hw->io, E1000_SCTL, E1000_SCTL_LOOPBACK_ON);
	pw_modify32(hw->io, E1000_CTRL, E1000_CTRL_LRST | E1000_CTRL_RFCE | E1000_CTRL_TFCE,
		    E1000_CTRL_SLU | E1000_CTRL_FD);
	e1000_flush(hw);
	rte_delay_ms(LOOPBACK_MS);
	return 0;
}

static int
loopback_setup(struct e1000_hw *hw)
{
	return hw->media == E1000_MEDIA_COPPER ? loopback_copper(hw) : loopback_fiber(hw);
}

int
e1000_link_setup(struct e1000_hw *hw)
{
	memset(&hw->link, 0, sizeof(hw->link));
	e1000_fc_setup(hw);
	if (hw->loopback)
		return loopback_setup(hw);
	return hw->media == E1000_MEDIA_COPPER ? copper_setup(hw) : fiber_setup(hw);
}

int
e1000_link_power(struct e1000_hw *hw, bool on)
{
	if (on)
		return e1000_link_setup(hw);
	memset(&hw->link, 0, sizeof(hw->link));
	if (hw->media == E1000_MEDIA_COPPER)
		return phy_is_shared(hw) ? 0 : pw_mii_power(&hw->mii, false);
	pw_write32(hw->io, E1000_TXCW, 0);
	pw_modify32(hw->io, E1000_CTRL, E1000_CTRL_SLU, E1000_CTRL_LRST);
	return 0;
}

/* --- reading the link --- */

static uint32_t
status_speed(uint32_t status)
{
	switch (status & E1000_STATUS_SPEED_MASK) {
	case E1000_STATUS_SPEED_10:
		return RTE_ETH_SPEED_NUM_10M;
	case E1000_STATUS_SPEED_100:
		return RTE_ETH_SPEED_NUM_100M;
	default:
		return RTE_ETH_SPEED_NUM_1G;
	}
}

/* What the MAC has to be told when the link has come up. */
static void
link_apply(struct e1000_hw *hw, const struct pw_mii_link *link)
{
	uint32_t clear = E1000_CTRL_RFCE | E1000_CTRL_TFCE, set = 0;

	if (link->pause_rx)
		set |= E1000_CTRL_RFCE;
	if (link->pause_tx)
		set |= E1000_CTRL_TFCE;
	if (hw->flags & E1000_F_SW_LINK) {
		clear |= E1000_CTRL_SPEED_MASK | E1000_CTRL_FD;
		set |= E1000_CTRL_FRCSPD | E1000_CTRL_FRCDPX;
		set |= link->full_duplex ? E1000_CTRL_FD : 0;
		set |= link->speed == RTE_ETH_SPEED_NUM_1G ? E1000_CTRL_SPEED_1000 :
		       link->speed == RTE_ETH_SPEED_NUM_100M ? E1000_CTRL_SPEED_100 :
							       E1000_CTRL_SPEED_10;
	}
	pw_modify32(hw->io, E1000_CTRL, clear, set);
	if (hw->flags & E1000_F_ERR_TARC_SPEED)
		pw_modify32(hw->io, E1000_TARC(0), E1000_TARC_SPEED_MODE,
			    link->speed == RTE_ETH_SPEED_NUM_1G ? E1000_TARC_SPEED_MODE : 0);
}

/* The receive error counter stuck at its end and no idle symbol understood: start it over. */
static void
phy_hang_check(struct e1000_hw *hw)
{
	uint16_t errors, gbsr;

	if (phy_read(hw, E1000_M88_RX_ERR, &errors) != 0 || errors != UINT16_MAX ||
	    phy_read(hw, MII_GBSR, &gbsr) != 0 ||
	    (gbsr & MII_GBSR_IDLE_ERR_MASK) != MII_GBSR_IDLE_ERR_MASK)
		return;
	PW_LOG(NOTICE, "%s: the PHY hangs: reset", hw->dev->name);
	copper_setup(hw);
}

static int
copper_read(struct e1000_hw *hw, uint32_t status, struct pw_mii_link *link)
{
	bool by_phy = (hw->flags & E1000_F_SW_LINK) != 0;
	struct pw_mii_link phy;
	int rc;

	if (!by_phy && (status & E1000_STATUS_LU) == 0) {
		if (hw->flags & E1000_F_ERR_PHY_HANG)
			phy_hang_check(hw);
		e1000_igp_link_down(hw);
		return 0;
	}
	link->up = true;
	link->autoneg = (hw->link_speeds & RTE_ETH_LINK_SPEED_FIXED) == 0;
	link->full_duplex = (status & E1000_STATUS_FD) != 0;
	link->speed = status_speed(status);
	link->pause_rx = hw->link.pause_rx;
	link->pause_tx = hw->link.pause_tx;
	if (!by_phy && hw->link.up && hw->link.speed == link->speed &&
	    hw->link.full_duplex == link->full_duplex)
		return 0;
	/* The link is new: ask the PHY what was agreed on. */
	rc = pw_mii_link_read(&hw->mii, &phy);
	if (rc != 0) {
		memset(link, 0, sizeof(*link));
		return rc;
	}
	if (by_phy)
		*link = phy;
	link->pause_rx = phy.pause_rx;
	link->pause_tx = phy.pause_tx;
	e1000_igp_link_up(hw, link);
	e1000_fc_outcome(hw, link);
	if (link->up)
		link_apply(hw, link);
	return 0;
}

/* A partner that sends idles but no /C/ does not negotiate: force; undo it if it does (§4.3). */
static void
fiber_check(struct e1000_hw *hw, uint32_t status)
{
	uint32_t ctrl = pw_read32(hw->io, E1000_CTRL);
	uint32_t rxcw = pw_read32(hw->io, E1000_RXCW);
	bool pin = (ctrl & E1000_CTRL_SWDPIN1) != 0;
	bool signal = hw->media == E1000_MEDIA_SERDES ||
		      pin == ((hw->flags & E1000_F_SIGNAL_LOW) == 0);

	if (signal && (status & E1000_STATUS_LU) == 0 && (rxcw & E1000_RXCW_C) == 0) {
		/* Once is no proof: the fibre may just have been plugged in. */
		if (!hw->an_failed) {
			hw->an_failed = true;
			return;
		}
		pw_write32(hw->io, E1000_TXCW, hw->txcw & ~E1000_TXCW_ANE);
		pw_modify32(hw->io, E1000_CTRL, 0, E1000_CTRL_SLU | E1000_CTRL_FD);
	} else if ((ctrl & E1000_CTRL_SLU) != 0 && (rxcw & E1000_RXCW_C) != 0) {
		pw_write32(hw->io, E1000_TXCW, hw->txcw);
		pw_modify32(hw->io, E1000_CTRL, E1000_CTRL_SLU, 0);
		hw->an_failed = false;
	}
}

static void
fiber_read(struct e1000_hw *hw, uint32_t status, struct pw_mii_link *link)
{
	fiber_check(hw, status);
	status = pw_read32(hw->io, E1000_STATUS);
	if (status == UINT32_MAX || (status & E1000_STATUS_LU) == 0)
		return;
	link->up = true;
	link->full_duplex = true;
	link->speed = RTE_ETH_SPEED_NUM_1G;
	link->autoneg = (pw_read32(hw->io, E1000_CTRL) & E1000_CTRL_SLU) == 0;
	if (link->autoneg)
		e1000_fc_resolve(hw->txcw, pw_read32(hw->io, E1000_RXCW), link);
	e1000_fc_outcome(hw, link);
	if (!hw->link.up)
		link_apply(hw, link);
}

/**
 * Bring hw->link up to date. One register read when nothing has changed on copper.
 *
 * @return 0; -ENODEV when the card is gone; the PHY's error. The link is down on error.
 */
int
e1000_link_read(struct e1000_hw *hw)
{
	uint32_t status = pw_read32(hw->io, E1000_STATUS);
	struct pw_mii_link link;
	int rc = 0;

	memset(&link, 0, sizeof(link));
	if (status == UINT32_MAX)
		rc = -ENODEV;
	else if (hw->loopback)
		link = (struct pw_mii_link){ .up = hw->rctl != 0, .full_duplex = true,
					     .speed = RTE_ETH_SPEED_NUM_1G };
	else if (hw->media == E1000_MEDIA_COPPER)
		rc = copper_read(hw, status, &link);
	else
		fiber_read(hw, status, &link);
	hw->link = link;
	/* Which frames are stored depends on the speed. */
	if ((hw->flags & E1000_F_ERR_EXTENDED) && hw->rctl != 0)
		e1000_set_rx_mode(hw);
	return rc;
}
