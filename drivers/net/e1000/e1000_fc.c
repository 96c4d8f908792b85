/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Flow control (§4.3; IEEE 802.3 annexes 28B and 31B).
 *
 * What is asked for is two directions. Negotiated, it becomes two bits that we offer; the
 * outcome is read from the PHY, or from the partner's word on fibre, whenever the link has come
 * up, and never gives a direction that was not asked for. Forced, the partner is not asked.
 * Half duplex has none. The chip sends XOFF when its receive buffer holds more than the high
 * watermark, and XON when it has drained below the low one.
 */

#include "e1000.h"

/* What FCTTV holds unless somebody asks for something else, in 512 bit times. */
#define PAUSE_TIME		0x0680

void
e1000_fc_init(struct e1000_hw *hw)
{
	hw->fc = (struct pw_fc){ .rx = true, .tx = true, .xon = true, .pause_time = PAUSE_TIME };
	hw->fc_high = 0;
	hw->fc_low = 0;
}

/* Above this there is no room for the frame that is on its way when XOFF goes out. */
static uint32_t
high_max(const struct e1000_hw *hw)
{
	return (hw->variant->rx_pba_kb * 1024u - RTE_ETHER_MAX_LEN) & E1000_FCRTH_RTH_MASK;
}

/* The watermarks in force: XOFF while two frames still fit, XON when one has drained (§4.3). */
static void
watermarks(const struct e1000_hw *hw, uint32_t *high, uint32_t *low)
{
	uint32_t buffer = hw->variant->rx_pba_kb * 1024u, frame = e1000_max_frame(hw);

	*high = hw->fc_high;
	*low = hw->fc_low;
	if (*high != 0)
		return;
	/* On the parts with a small buffer two of the longest frames leave nothing. */
	if (2 * frame + 4096 > buffer)
		frame = RTE_ETHER_MAX_LEN;
	*high = (buffer - 2 * frame) & ~1023u;
	*low = (*high - RTE_ETHER_MTU) & E1000_FCRTL_RTL_MASK;
}

/* The chip's side of it; after every reset. Directions follow when the link is up. */
void
e1000_fc_setup(const struct e1000_hw *hw)
{
	uint32_t high, low;

	watermarks(hw, &high, &low);
	pw_write32(hw->io, E1000_FCAL, E1000_FCAL_PAUSE);
	pw_write32(hw->io, E1000_FCAH, E1000_FCAH_PAUSE);
	pw_write32(hw->io, E1000_FCT, E1000_FCT_PAUSE);
	pw_write32(hw->io, E1000_FCTTV, hw->fc.pause_time);
	pw_write32(hw->io, E1000_FCRTL, low | (hw->fc.xon ? E1000_FCRTL_XONE : 0));
	pw_write32(hw->io, E1000_FCRTH, high);
}

/* Table 28B-3, on fibre: what the two words (TXCW's bits) make of the link. */
void
e1000_fc_resolve(uint32_t local, uint32_t partner, struct pw_mii_link *link)
{
	uint32_t both = local & partner;

	link->pause_rx = (both & E1000_TXCW_PAUSE) != 0;
	link->pause_tx = link->pause_rx;
	if (!link->pause_rx && (both & E1000_TXCW_ASM_DIR) != 0) {
		link->pause_rx = (local & E1000_TXCW_PAUSE) != 0;
		link->pause_tx = (partner & E1000_TXCW_PAUSE) != 0;
	}
}

/* Make of what was negotiated what is to be done. */
void
e1000_fc_outcome(const struct e1000_hw *hw, struct pw_mii_link *link)
{
	bool any = link->up && link->full_duplex;

	link->pause_rx = any && hw->fc.rx && (hw->fc.forced || link->pause_rx);
	link->pause_tx = any && hw->fc.tx && (hw->fc.forced || link->pause_tx);
}

/* --- ethdev ------------------------------------------------------------------------------- */

int
e1000_flow_ctrl_get(struct rte_eth_dev *eth, struct rte_eth_fc_conf *conf)
{
	const struct e1000_hw *hw = &e1000_adapter_of(eth)->hw;
	uint32_t high, low;

	watermarks(hw, &high, &low);
	pw_fc_to_conf(&hw->fc, &hw->link, conf);
	conf->high_water = high;
	conf->low_water = low;
	return 0;
}

static int
check_watermarks(const struct e1000_hw *hw, const struct rte_eth_fc_conf *conf)
{
	/* Both zero: by the size of the chip's buffer. */
	if (conf->high_water == 0 && conf->low_water == 0)
		return 0;
	if (conf->low_water >= conf->high_water || conf->high_water > high_max(hw)) {
		PW_LOG(ERR, "%s: watermarks %u and %u refused: the low one must be below the high "
			    "one, and that at most %u bytes on this chip", hw->dev->name,
		       conf->low_water, conf->high_water, high_max(hw));
		return -EINVAL;
	}
	return 0;
}

/* Kept over stop and start. A changed offer means a new negotiation, so the link drops. */
int
e1000_flow_ctrl_set(struct rte_eth_dev *eth, struct rte_eth_fc_conf *conf)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	struct e1000_hw *hw = &ad->hw;
	uint16_t offer = pw_fc_offer(&hw->fc);
	struct pw_fc fc;
	int rc = pw_fc_from_conf(&ad->dev, conf, PAUSE_TIME, &fc);

	if (rc == 0)
		rc = check_watermarks(hw, conf);
	if (rc != 0)
		return rc;
	rte_spinlock_lock(&ad->link_lock);
	hw->fc = fc;
	hw->fc_high = conf->high_water & E1000_FCRTH_RTH_MASK;
	hw->fc_low = conf->low_water & E1000_FCRTL_RTL_MASK;
	if (hw->rctl != 0) {
		e1000_set_rx_mode(hw);
		e1000_fc_setup(hw);
		if (pw_fc_offer(&hw->fc) != offer)
			rc = e1000_link_setup(hw);
		/* The same link, read anew. */
		hw->link.up = false;
		if (rc == 0)
			rc = e1000_link_read(hw);
	}
	rte_spinlock_unlock(&ad->link_lock);
	return rc;
}
