/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>

#include <mii_regs.h>

#include "pw_fc.h"
#include "pw_log.h"

uint16_t
pw_fc_offer(const struct pw_fc *fc)
{
	if (fc->rx)
		return MII_AN_PAUSE | MII_AN_ASM_DIR;
	return fc->tx ? MII_AN_ASM_DIR : 0;
}

int
pw_fc_from_conf(const struct pw_dev *dev, const struct rte_eth_fc_conf *conf,
		uint16_t pause_time, struct pw_fc *fc)
{
	if ((unsigned int)conf->mode > RTE_ETH_FC_FULL) {
		PW_LOG(ERR, "%s: flow control mode %d: use 0 to %d", dev->name, conf->mode,
		       RTE_ETH_FC_FULL);
		return -EINVAL;
	}
	*fc = (struct pw_fc){
		.rx = conf->mode == RTE_ETH_FC_FULL || conf->mode == RTE_ETH_FC_RX_PAUSE,
		.tx = conf->mode == RTE_ETH_FC_FULL || conf->mode == RTE_ETH_FC_TX_PAUSE,
		.xon = conf->send_xon != 0,
		.forced = conf->autoneg == 0,
		.forward = conf->mac_ctrl_frame_fwd != 0,
		.pause_time = conf->pause_time != 0 ? conf->pause_time : pause_time,
	};
	return 0;
}

static enum rte_eth_fc_mode
mode_of(bool rx, bool tx)
{
	if (rx)
		return tx ? RTE_ETH_FC_FULL : RTE_ETH_FC_RX_PAUSE;
	return tx ? RTE_ETH_FC_TX_PAUSE : RTE_ETH_FC_NONE;
}

void
pw_fc_to_conf(const struct pw_fc *fc, const struct pw_mii_link *link,
	      struct rte_eth_fc_conf *conf)
{
	conf->autoneg = !fc->forced;
	conf->send_xon = fc->xon;
	conf->pause_time = fc->pause_time;
	conf->mac_ctrl_frame_fwd = fc->forward;
	conf->mode = link->up ? mode_of(link->pause_rx, link->pause_tx) :
				mode_of(fc->rx, fc->tx);
}
