/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Flow control of 82558 and later (§1.2, §3.2; IEEE 802.3 annexes 28B and 31B). 82557 has none.
 *
 * What is asked for is two directions, as with e1000: negotiated, the outcome never gives one
 * that was not asked for; forced, the partner is not asked; half duplex has none. The directions
 * and the time to ask for are bytes 16 to 19 of the Configure command, so whenever the outcome
 * changes the MAC is configured anew (§4.4).
 *
 * The chip sends XOFF when less than a threshold is free in its receive FIFO, and XON when
 * there is more again: one watermark, of eight values.
 */

#include "i8255x.h"

/* What is asked of the partner unless somebody wants something else, in 512 bit times. */
#define PAUSE_TIME		0x4000

#define RX_FIFO_BYTES		3072u
#define THRESHOLD_DEFAULT	3	/* a whole frame still fits */

/* Free bytes at which XOFF goes out, by the value of the register (§2). */
static const uint16_t free_bytes[I8255X_FC_THRESHOLD_MASK + 1] = {
	512, 1024, 1280, 1536, 1792, 2048, 2304, 2560,
};

void
i8255x_fc_init(struct i8255x_hw *hw)
{
	bool can = (hw->flags & I8255X_F_FC) != 0;

	hw->fc = (struct pw_fc){ .rx = can, .tx = can, .xon = can, .pause_time = PAUSE_TIME };
	hw->fc_threshold = THRESHOLD_DEFAULT;
}

/* The register's side of it; after every reset. The rest is in the Configure command. */
void
i8255x_fc_setup(const struct i8255x_hw *hw)
{
	if (hw->flags & I8255X_F_FC)
		pw_write8(hw->io, I8255X_FC_THRESHOLD, hw->fc_threshold);
}

/*
 * Make of what was negotiated what is to be done. What is forced is in force before there is a
 * link, for nobody tells when that comes.
 */
void
i8255x_fc_outcome(const struct i8255x_hw *hw, struct pw_mii_link *link)
{
	bool forced = hw->fc.forced && (link->full_duplex || !link->up);
	bool agreed = !hw->fc.forced && link->up && link->full_duplex;

	link->pause_rx = hw->fc.rx && (forced || (agreed && link->pause_rx));
	link->pause_tx = hw->fc.tx && (forced || (agreed && link->pause_tx));
}

/* --- ethdev ------------------------------------------------------------------------------- */

static uint32_t
watermark(uint8_t threshold)
{
	return RX_FIFO_BYTES - free_bytes[threshold];
}

/* The threshold that has XOFF sent at `high` bytes at the latest; -1: none has. */
static int
threshold_of(uint32_t high)
{
	for (unsigned int i = 0; i < RTE_DIM(free_bytes); i++)
		if (watermark(i) <= high)
			return i;
	return -1;
}

static int
refuse(const struct i8255x_hw *hw)
{
	PW_LOG(ERR, "%s: the %s has no flow control", hw->dev->name, hw->row.name);
	return -ENOTSUP;
}

int
i8255x_flow_ctrl_get(struct rte_eth_dev *eth, struct rte_eth_fc_conf *conf)
{
	const struct i8255x_hw *hw = &i8255x_adapter_of(eth)->hw;

	if ((hw->flags & I8255X_F_FC) == 0)
		return -ENOTSUP;
	pw_fc_to_conf(&hw->fc, &hw->link, conf);
	conf->high_water = watermark(hw->fc_threshold);
	conf->low_water = conf->high_water;
	return 0;
}

static int
check_watermarks(const struct i8255x_hw *hw, const struct rte_eth_fc_conf *conf)
{
	const uint32_t least = watermark(I8255X_FC_THRESHOLD_MASK), most = watermark(0);

	/* Both zero: the default. */
	if (conf->high_water == 0 && conf->low_water == 0)
		return 0;
	if (conf->high_water < least || conf->high_water > most ||
	    (conf->low_water != 0 && conf->low_water != conf->high_water)) {
		PW_LOG(ERR, "%s: watermarks %u and %u refused: this chip has one, from %u to %u "
			    "bytes; the low one is the same or 0", hw->dev->name,
		       conf->low_water, conf->high_water, least, most);
		return -EINVAL;
	}
	return 0;
}

/* Have it in force in a port that runs; link_lock held. */
static int
fc_apply(struct i8255x_adapter *ad, bool renegotiate)
{
	struct i8255x_hw *hw = &ad->hw;
	int rc = 0;

	i8255x_fc_setup(hw);
	if (renegotiate)
		rc = i8255x_link_setup(hw);
	/* The same link, read anew. */
	hw->link.up = false;
	if (rc == 0)
		rc = i8255x_link_read(hw);
	i8255x_fc_outcome(hw, &hw->link);
	hw->told = hw->link;
	if (rc == 0)
		rc = i8255x_cmd_configure(ad);
	hw->told.up &= rc == 0;
	return rc;
}

/* Kept over stop and start. A changed offer means a new negotiation, so the link drops. */
int
i8255x_flow_ctrl_set(struct rte_eth_dev *eth, struct rte_eth_fc_conf *conf)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	struct i8255x_hw *hw = &ad->hw;
	uint16_t offer = pw_fc_offer(&hw->fc);
	struct pw_fc fc;
	int rc;

	if ((hw->flags & I8255X_F_FC) == 0)
		return refuse(hw);
	rc = pw_fc_from_conf(&ad->dev, conf, PAUSE_TIME, &fc);
	if (rc == 0)
		rc = check_watermarks(hw, conf);
	if (rc != 0)
		return rc;
	rte_spinlock_lock(&ad->link_lock);
	hw->fc = fc;
	hw->fc_threshold = conf->high_water == 0 ? THRESHOLD_DEFAULT :
						   threshold_of(conf->high_water);
	if (ad->started)
		rc = fc_apply(ad, pw_fc_offer(&hw->fc) != offer);
	rte_spinlock_unlock(&ad->link_lock);
	return rc;
}
