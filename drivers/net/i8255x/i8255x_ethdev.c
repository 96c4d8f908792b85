/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The ethdev side: operations, start and stop, attach. As e1000's, but for two things.
 *
 * The receive filter, VLAN stripping, flow control and the like are bytes of one Configure
 * command, and commands go where frames go: through the list of the command unit. So setters
 * change what `hw` says and have it sent (i8255x_cmd.c); of a port that is stopped they only
 * change it, and start sends all.
 *
 * No interrupt tells of the link. The watch looks at it, and so does whoever asks; when duplex or
 * flow control came out otherwise than the MAC was told, it is configured anew (§4.4).
 */

#include <string.h>

#include <rte_malloc.h>

#include "i8255x.h"

#define LINK_WAIT_MS		9000	/* negotiation takes up to 4.5 s, a second try as long */
#define LINK_STEP_MS		100

/* Where the answer to underruns begins, in 8 bytes: a frame goes out when 512 have come (§3.3). */
#define TX_THRESHOLD		64

#define RX_OFFLOADS_IPCB	(RTE_ETH_RX_OFFLOAD_VLAN_STRIP | RTE_ETH_RX_OFFLOAD_IPV4_CKSUM | \
				 RTE_ETH_RX_OFFLOAD_UDP_CKSUM | RTE_ETH_RX_OFFLOAD_TCP_CKSUM)
#define RX_OFFLOADS_SUM		(RTE_ETH_RX_OFFLOAD_UDP_CKSUM | RTE_ETH_RX_OFFLOAD_TCP_CKSUM)
#define TX_OFFLOADS_ALL		(RTE_ETH_TX_OFFLOAD_MULTI_SEGS | RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE)
#define TX_OFFLOADS_IPCB	(RTE_ETH_TX_OFFLOAD_VLAN_INSERT | RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | \
				 RTE_ETH_TX_OFFLOAD_UDP_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM | \
				 RTE_ETH_TX_OFFLOAD_TCP_TSO)

static const struct pw_burst_mode rx_modes[] = {
	{ i8255x_rx_burst, "Plain" },
	{ i8255x_rx_burst_full, "Offloads" },
};
static const struct pw_burst_mode tx_modes[] = {
	{ i8255x_tx_burst, "Plain, fast free" },
	{ i8255x_tx_burst_full, "Multi-segment, offloads" },
};

/*
 * The register block by dwords; none changes by being read. Left out: PORT, which is for writing.
 * 82557 ends before the flow control registers, 82558 before the general ones.
 */
#define REG(r) { I8255X_##r, #r }
static const struct pw_reg regs[] = {
	{ I8255X_STATUS, "SCB" },	/* status, causes, command, masks */
	REG(POINTER),
	{ I8255X_FLASH_CTRL, "EEPROM" },
	REG(MDI), REG(RX_DMA_COUNT),
	/* 82558 and later */
	{ I8255X_EARLY_RX, "FC_PMDR" },
	/* 82559 and later */
	{ I8255X_GEN_CTRL, "GENERAL" },
};

/* --- configuration --- */

static int
i8255x_configure(struct rte_eth_dev *eth)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	const struct rte_eth_conf *conf = &eth->data->dev_conf;
	uint32_t speeds = conf->link_speeds & ~RTE_ETH_LINK_SPEED_FIXED;
	bool fixed = (conf->link_speeds & RTE_ETH_LINK_SPEED_FIXED) != 0;
	int rc = pw_eth_check_mq_mode(eth);

	if (rc != 0)
		return rc;
	if ((speeds & ~i8255x_speed_capa(&ad->hw)) != 0 ||
	    (fixed && !rte_is_power_of_2(speeds))) {
		PW_LOG(ERR, "%s: link speeds 0x%x refused: this card has 0x%x, exactly one may "
			    "be fixed", ad->dev.name, conf->link_speeds,
		       i8255x_speed_capa(&ad->hw));
		return -EINVAL;
	}
	if (conf->lpbk_mode > 1) {
		PW_LOG(ERR, "%s: loopback mode %u is not supported: 0 is none, 1 inside the card",
		       ad->dev.name, conf->lpbk_mode);
		return -ENOTSUP;
	}
	ad->hw.loopback = conf->lpbk_mode == 1;
	ad->hw.link_speeds = conf->link_speeds;
	return 0;
}

/* The longest frame, with a tag where the chip takes one, is max_frame; MTU is 1500 on all. */
int
i8255x_info_get(struct rte_eth_dev *eth, struct rte_eth_dev_info *info)
{
	struct i8255x_hw *hw = &i8255x_adapter_of(eth)->hw;

	info->max_rx_queues = 1;
	info->max_tx_queues = 1;
	info->max_mac_addrs = 1;
	info->min_rx_bufsize = 256;
	info->max_rx_pktlen = hw->row.max_frame;
	info->min_mtu = RTE_ETHER_MIN_MTU;
	info->max_mtu = RTE_ETHER_MTU;
	info->speed_capa = i8255x_speed_capa(hw);
	if ((hw->flags & I8255X_F_ERR_EMULATED) == 0)
		info->rx_offload_capa = RTE_ETH_RX_OFFLOAD_KEEP_CRC;
	info->tx_offload_capa = TX_OFFLOADS_ALL;
	if (hw->flags & I8255X_F_IPCB) {
		info->rx_offload_capa |= RX_OFFLOADS_IPCB;
		info->tx_offload_capa |= TX_OFFLOADS_IPCB;
	} else if (hw->flags & I8255X_F_RX_SUM) {
		info->rx_offload_capa |= RX_OFFLOADS_SUM;
	}
	/* Bytes of the Configure command are the port's. */
	info->rx_queue_offload_capa = info->rx_offload_capa &
		~(RTE_ETH_RX_OFFLOAD_VLAN_STRIP | RTE_ETH_RX_OFFLOAD_KEEP_CRC);
	info->tx_queue_offload_capa = info->tx_offload_capa;
	info->rx_desc_lim = i8255x_desc_lim();
	info->tx_desc_lim = i8255x_desc_lim();
	info->default_rxportconf = (struct rte_eth_dev_portconf){ 32, 256, 1 };
	info->default_txportconf = (struct rte_eth_dev_portconf){ 32, 256, 1 };
	return 0;
}

static int
i8255x_mtu_set(struct rte_eth_dev *eth, uint16_t mtu)
{
	struct rte_eth_dev_data *data = eth->data;
	/* 82557 takes no tag on a full frame, but MTU 1500 without one. */
	int rc = pw_eth_check_mtu(eth, mtu, I8255X_MAX_FRAME_LONG);

	if (rc != 0 || !data->dev_started)
		return rc;
	data->mtu = mtu;
	i8255x_rx_max_len(eth);
	return 0;
}

/* --- link --- */

/* Whether the MAC is configured as hw says, and for this link. */
static bool
mac_fits(const struct i8255x_hw *hw)
{
	const struct pw_mii_link *told = &hw->told;

	return told->up && hw->link.pause_rx == told->pause_rx &&
	       hw->link.pause_tx == told->pause_tx && hw->link.full_duplex == told->full_duplex;
}

/* Look, and tell the MAC what has become of it; link_lock held. */
static int
link_look(struct i8255x_adapter *ad)
{
	int rc = i8255x_link_read(&ad->hw);

	i8255x_fc_outcome(&ad->hw, &ad->hw.link);
	if (rc == 0 && ad->hw.link.up && !mac_fits(&ad->hw)) {
		ad->hw.told = ad->hw.link;
		rc = i8255x_cmd_configure(ad);
		ad->hw.told.up = rc == 0;
	}
	return rc;
}

int
i8255x_link_refresh(struct rte_eth_dev *eth, int wait)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	unsigned int tries = wait ? LINK_WAIT_MS / LINK_STEP_MS : 0;
	struct pw_mii_link link = { 0 };
	int rc;

	/* The PHY sleeps while the port is stopped. */
	while (ad->started) {
		rte_spinlock_lock(&ad->link_lock);
		rc = link_look(ad);
		link = ad->hw.link;
		rte_spinlock_unlock(&ad->link_lock);
		if (rc == -ENODEV)
			i8255x_watch_soon(eth);
		if (link.up || rc == -ENODEV || tries-- == 0)
			break;
		rte_delay_ms(LINK_STEP_MS);
	}
	return pw_eth_link_set(eth, &link);
}

static int
i8255x_link_switch(struct rte_eth_dev *eth, bool on)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	int rc;

	rte_spinlock_lock(&ad->link_lock);
	rc = i8255x_link_power(&ad->hw, on);
	rte_spinlock_unlock(&ad->link_lock);
	i8255x_link_refresh(eth, 0);
	return rc;
}

static int
i8255x_set_link_up(struct rte_eth_dev *eth)
{
	return i8255x_link_switch(eth, true);
}

static int
i8255x_set_link_down(struct rte_eth_dev *eth)
{
	return i8255x_link_switch(eth, false);
}

/* --- receive filter --- */

/*
 * Have a setting in force; as it was if the chip does not take it. It may take it later all the
 * same, when what is queued before it gets out: then it is told the truth with the next look at
 * the link.
 */
static int
set_flag(struct rte_eth_dev *eth, bool *flag, bool on)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	bool old = *flag;
	int rc;

	*flag = on;
	rc = i8255x_cmd_configure(ad);
	if (rc != 0) {
		*flag = old;
		ad->hw.told.up = false;
	}
	return rc;
}

static int
i8255x_promiscuous_enable(struct rte_eth_dev *eth)
{
	return set_flag(eth, &i8255x_adapter_of(eth)->hw.promisc, true);
}

static int
i8255x_promiscuous_disable(struct rte_eth_dev *eth)
{
	return set_flag(eth, &i8255x_adapter_of(eth)->hw.promisc, false);
}

static int
i8255x_allmulticast_enable(struct rte_eth_dev *eth)
{
	return set_flag(eth, &i8255x_adapter_of(eth)->hw.allmulti, true);
}

static int
i8255x_allmulticast_disable(struct rte_eth_dev *eth)
{
	return set_flag(eth, &i8255x_adapter_of(eth)->hw.allmulti, false);
}

static int
i8255x_mac_addr_set(struct rte_eth_dev *eth, struct rte_ether_addr *mac)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	struct rte_ether_addr old = ad->hw.mac;
	int rc;

	ad->hw.mac = *mac;
	rc = i8255x_cmd_set_mac(ad);
	if (rc != 0)
		ad->hw.mac = old;
	return rc;
}

static int
i8255x_set_mc_addr_list(struct rte_eth_dev *eth, struct rte_ether_addr *list, uint32_t n)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);

	if (n > I8255X_MC_MAX) {
		PW_LOG(ERR, "%s: %u multicast addresses: %u at most; more need all-multicast",
		       ad->dev.name, n, I8255X_MC_MAX);
		return -ENOSPC;
	}
	for (uint32_t i = 0; i < n; i++)
		ad->hw.mc[i] = list[i];
	ad->hw.nb_mc = n;
	return i8255x_cmd_set_mc(ad);
}

/* Tags can be stripped, by 82550 and 82551; no chip of the family filters by them. */
static int
i8255x_vlan_offload_set(struct rte_eth_dev *eth, int mask)
{
	uint64_t offloads = eth->data->dev_conf.rxmode.offloads;

	if ((mask & RTE_ETH_VLAN_STRIP_MASK) == 0)
		return 0;
	return set_flag(eth, &i8255x_adapter_of(eth)->hw.vlan_strip,
			(offloads & RTE_ETH_RX_OFFLOAD_VLAN_STRIP) != 0);
}

/* --- what can be looked at --- */

int
i8255x_get_reg(struct rte_eth_dev *eth, struct rte_dev_reg_info *info)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	unsigned int n = RTE_DIM(regs);

	if ((ad->hw.flags & I8255X_F_GEN_STATUS) == 0)
		n--;
	if ((ad->hw.flags & I8255X_F_FC) == 0)
		n--;
	return pw_regs_get(ad->hw.io, regs, n,
			   (uint32_t)ad->dev.id.device_id << 16 | ad->dev.revision, info);
}

static int
i8255x_rx_burst_mode_get(struct rte_eth_dev *eth, uint16_t queue __rte_unused,
			 struct rte_eth_burst_mode *mode)
{
	return pw_burst_mode_get(eth->rx_pkt_burst, rx_modes, RTE_DIM(rx_modes), mode);
}

static int
i8255x_tx_burst_mode_get(struct rte_eth_dev *eth, uint16_t queue __rte_unused,
			 struct rte_eth_burst_mode *mode)
{
	return pw_burst_mode_get(eth->tx_pkt_burst, tx_modes, RTE_DIM(tx_modes), mode);
}

/* The chip never waits for a descriptor. */
void
i8255x_rxq_info_get(struct rte_eth_dev *eth, uint16_t queue, struct rte_eth_rxq_info *info)
{
	const struct i8255x_rxq *rxq = eth->data->rx_queues[queue];

	pw_eth_rxq_info_op(eth, queue, info);
	info->rx_buf_size = rxq->size;
	info->conf.rx_drop_en = 1;
}

/* --- start, stop, close --- */

static void
set_bursts(struct rte_eth_dev *eth)
{
	eth->rx_pkt_burst = i8255x_rx_wants_full(eth) ? i8255x_rx_burst_full : i8255x_rx_burst;
	eth->tx_pkt_burst = i8255x_tx_wants_full(eth) ? i8255x_tx_burst_full : i8255x_tx_burst;
}

static void
rx_conf(struct rte_eth_dev *eth)
{
	uint64_t offloads = eth->data->dev_conf.rxmode.offloads;
	struct i8255x_hw *hw = &i8255x_adapter_of(eth)->hw;

	hw->vlan_strip = (offloads & RTE_ETH_RX_OFFLOAD_VLAN_STRIP) != 0;
	hw->keep_crc = (offloads & RTE_ETH_RX_OFFLOAD_KEEP_CRC) != 0;
}

/* First commands after reset. A chip that hangs in it takes none. */
static int
load_bases(struct i8255x_hw *hw)
{
	int rc;

	rte_spinlock_lock(&hw->scb_lock);
	rc = i8255x_load_bases(hw);
	rte_spinlock_unlock(&hw->scb_lock);
	if (rc == -ETIMEDOUT)
		PW_LOG(ERR, "%s: the chip takes no command after reset; power-cycle the card",
		       hw->dev->name);
	return rc;
}

/* Reset, and what has to be so before the list of commands exists. */
static int
start_chip(struct i8255x_adapter *ad)
{
	struct i8255x_hw *hw = &ad->hw;
	int rc = i8255x_reset(hw);

	if (rc != 0)
		return rc;
	i8255x_wol_off(hw);
	i8255x_fc_setup(hw);
	rte_spinlock_lock(&ad->link_lock);
	rc = i8255x_link_setup(hw);
	/* What reset made of byte 19 is no state of a link (§3.2): the first one is news. */
	hw->link = (struct pw_mii_link){ 0 };
	hw->told = hw->link;
	rte_spinlock_unlock(&ad->link_lock);
	return rc != 0 ? rc : load_bases(hw);
}

/* The units in the order of §5.1: commands, then frames. */
static int
start_units(struct rte_eth_dev *eth)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	int rc = i8255x_tx_start(eth);

	if (rc != 0)
		return rc;
	rc = i8255x_cmd_start(ad);
	if (rc == 0)
		rc = i8255x_rx_start(eth);
	if (rc == 0)
		rc = i8255x_intr_start(eth);
	return rc;
}

static void
stop_units(struct rte_eth_dev *eth)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);

	ad->started = false;
	/* Only after reset will the chip not write to buffers any more (§5.2). */
	i8255x_reset(&ad->hw);
	i8255x_rx_stop(eth);
	i8255x_tx_stop(eth);
}

static int
i8255x_start(struct rte_eth_dev *eth)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	int rc = pw_eth_check_queues(eth);

	if (rc != 0)
		return rc;
	rx_conf(eth);
	rc = start_chip(ad);
	if (rc != 0)
		return rc;
	rc = start_units(eth);
	if (rc != 0) {
		stop_units(eth);
		return rc;
	}
	ad->started = true;
	set_bursts(eth);
	i8255x_link_refresh(eth, 0);
	i8255x_watch_start(eth);
	return 0;
}

static int
i8255x_stop(struct rte_eth_dev *eth)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	const struct pw_mii_link down = { 0 };

	i8255x_watch_stop(eth);
	i8255x_intr_stop(eth);
	i8255x_stats_stop(eth);
	rte_spinlock_lock(&ad->link_lock);
	stop_units(eth);
	i8255x_link_power(&ad->hw, false);
	rte_spinlock_unlock(&ad->link_lock);
	pw_eth_link_set(eth, &down);
	return 0;
}

static int
i8255x_close(struct rte_eth_dev *eth)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);

	if (rte_eal_process_type() != RTE_PROC_PRIMARY || !ad->attached)
		return 0;
	ad->attached = false;
	i8255x_watch_stop(eth);
	i8255x_intr_stop(eth);
	if (ad->args.wol && !i8255x_gone(&ad->hw))
		i8255x_wol_arm(eth);
	for (uint16_t i = 0; i < eth->data->nb_rx_queues; i++)
		i8255x_rx_queue_release(eth, i);
	for (uint16_t i = 0; i < eth->data->nb_tx_queues; i++)
		i8255x_tx_queue_release(eth, i);
	pw_dma_zone_free(&ad->ctl);
	pw_dma_window_close(&ad->dma);
	return 0;
}

/* After a hang, or a reset of the slot behind our back. Queues and settings stay. */
static int
i8255x_dev_reset(struct rte_eth_dev *eth)
{
	struct i8255x_hw *hw = &i8255x_adapter_of(eth)->hw;
	int rc = i8255x_reset(hw);

	if (rc == 0)
		rc = load_bases(hw);
	if (rc == 0)
		rc = i8255x_nvm_init(hw);
	if (rc == 0)
		rc = i8255x_cmd_probe(i8255x_adapter_of(eth));
	if (rc == 0)
		rc = i8255x_phy_init(hw);
	return rc;
}

static const struct eth_dev_ops i8255x_eth_dev_ops = {
	.dev_configure = i8255x_configure,
	.dev_start = i8255x_start,
	.dev_stop = i8255x_stop,
	.dev_close = i8255x_close,
	.dev_reset = i8255x_dev_reset,
	.dev_set_link_up = i8255x_set_link_up,
	.dev_set_link_down = i8255x_set_link_down,
	.dev_infos_get = i8255x_info_get,
	.link_update = i8255x_link_refresh,
	.promiscuous_enable = i8255x_promiscuous_enable,
	.promiscuous_disable = i8255x_promiscuous_disable,
	.allmulticast_enable = i8255x_allmulticast_enable,
	.allmulticast_disable = i8255x_allmulticast_disable,
	.mac_addr_set = i8255x_mac_addr_set,
	.set_mc_addr_list = i8255x_set_mc_addr_list,
	.mtu_set = i8255x_mtu_set,
	.vlan_offload_set = i8255x_vlan_offload_set,
	.dev_supported_ptypes_get = i8255x_supported_ptypes,
	.rx_queue_start = i8255x_rx_queue_start,
	.rx_queue_stop = i8255x_rx_queue_stop,
	.tx_queue_start = i8255x_tx_queue_start,
	.tx_queue_stop = i8255x_tx_queue_stop,
	.tx_done_cleanup = i8255x_tx_done_cleanup,
	.rx_queue_setup = i8255x_rx_queue_setup,
	.rx_queue_release = i8255x_rx_queue_release,
	.tx_queue_setup = i8255x_tx_queue_setup,
	.tx_queue_release = i8255x_tx_queue_release,
	.rx_queue_intr_enable = i8255x_rx_intr_enable,
	.rx_queue_intr_disable = i8255x_rx_intr_disable,
	.rxq_info_get = i8255x_rxq_info_get,
	.txq_info_get = pw_eth_txq_info_op,
	.rx_burst_mode_get = i8255x_rx_burst_mode_get,
	.tx_burst_mode_get = i8255x_tx_burst_mode_get,
	.stats_get = i8255x_stats_get,
	.stats_reset = i8255x_stats_reset,
	.xstats_get = i8255x_xstats_get,
	.xstats_get_names = i8255x_xstats_get_names,
	.xstats_reset = i8255x_stats_reset,
	.flow_ctrl_get = i8255x_flow_ctrl_get,
	.flow_ctrl_set = i8255x_flow_ctrl_set,
	.get_reg = i8255x_get_reg,
	.get_eeprom_length = i8255x_get_eeprom_length,
	.get_eeprom = i8255x_get_eeprom,
	.set_eeprom = i8255x_set_eeprom,
	.dev_led_on = i8255x_led_on,
	.dev_led_off = i8255x_led_off,
	.fw_version_get = i8255x_fw_version_get,
};

/* --- the one door --- */

/* Memory that the chip reaches, for what is no ring. */
static int
attach_memory(struct i8255x_adapter *ad, uint16_t port)
{
	char name[RTE_MEMZONE_NAMESIZE];
	int rc = pw_dma_init(&ad->dma, &ad->hw.row.dma, ad->dev.socket);

	if (rc == 0)
		rc = pw_dma_window_open(&ad->dma, ad->dev.iommu);
	if (rc != 0) {
		PW_LOG(ERR, "%s: no memory below 4 GiB for the card: %s", ad->dev.name,
		       pw_dma_explain(&ad->dma, rc));
		return rc;
	}
	snprintf(name, sizeof(name), "i8255x_ctl_%u", port);
	rc = pw_dma_zone_alloc(&ad->dma, name, sizeof(struct i8255x_ctl), RTE_CACHE_LINE_SIZE,
			       &ad->ctl);
	if (rc != 0) {
		PW_LOG(ERR, "%s: commands: %s", ad->dev.name, pw_dma_explain(&ad->dma, rc));
		pw_dma_window_close(&ad->dma);
	}
	return rc;
}

static void
detach_memory(struct i8255x_adapter *ad)
{
	pw_dma_zone_free(&ad->ctl);
	pw_dma_window_close(&ad->dma);
}

static int
attach_chip(struct i8255x_adapter *ad)
{
	struct i8255x_hw *hw = &ad->hw;
	struct i8255x_ctl *ctl = ad->ctl.va;
	int rc = i8255x_reset(hw);

	if (rc == 0)
		rc = load_bases(hw);
	if (rc == 0)
		rc = i8255x_nvm_init(hw);
	if (rc == 0)
		rc = i8255x_cmd_probe(ad);
	/* By now the chip's flags are those of the board. */
	i8255x_fc_init(hw);
	hw->tx_threshold = TX_THRESHOLD;
	if (rc == 0 && ad->args.standby_off)
		rc = i8255x_standby_off(hw);
	if (rc == 0 && ad->args.wol && !i8255x_can_wake(hw)) {
		PW_LOG(ERR, "%s: wol=magic: this card cannot wake the machine; leave it out",
		       ad->dev.name);
		rc = -ENOTSUP;
	}
	if (rc == 0)
		rc = i8255x_read_mac(hw);
	if (rc == 0 && ad->args.selftest)
		rc = i8255x_selftest(hw, &ctl->selftest, (uint32_t)ad->ctl.addr +
				     offsetof(struct i8255x_ctl, selftest));
	if (rc == 0 && ad->args.selftest)
		rc = i8255x_reset(hw);
	if (rc == 0)
		rc = i8255x_phy_init(hw);
	return rc;
}

static int
attach_hw(struct i8255x_adapter *ad, struct rte_eth_dev *eth)
{
	int rc = i8255x_hw_init(&ad->hw, &ad->dev);

	if (rc != 0)
		return rc;
	rc = attach_memory(ad, eth->data->port_id);
	if (rc != 0)
		return rc;
	rc = attach_chip(ad);
	if (rc == 0) {
		eth->data->mac_addrs = rte_zmalloc_socket("i8255x_mac",
			sizeof(struct rte_ether_addr), 0, ad->dev.socket);
		if (eth->data->mac_addrs != NULL)
			return 0;
		PW_LOG(ERR, "%s: out of memory: give EAL more (-m)", ad->dev.name);
		rc = -ENOMEM;
	}
	detach_memory(ad);
	return rc;
}

static int
i8255x_attach(struct pw_dev *dev, struct rte_eth_dev *eth)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	int rc;

	RTE_BUILD_BUG_ON(offsetof(struct i8255x_adapter, dev) != 0);
	eth->dev_ops = &i8255x_eth_dev_ops;
	eth->rx_pkt_burst = i8255x_rx_burst;
	eth->tx_pkt_burst = i8255x_tx_burst;
	eth->tx_pkt_prepare = i8255x_tx_prepare;
	eth->rx_queue_count = i8255x_rx_count;
	eth->rx_descriptor_status = i8255x_rx_desc_status;
	eth->tx_descriptor_status = i8255x_tx_desc_status;
	if (rte_eal_process_type() != RTE_PROC_PRIMARY) {
		i8255x_secondary_attach(eth);
		return 0;
	}
	/* Where another process can read it, as all that follows. */
	dev->name = eth->data->name;
	rte_spinlock_init(&ad->stats_lock);
	rte_spinlock_init(&ad->link_lock);
	rte_spinlock_init(&ad->cmd_lock);
	rc = i8255x_args_parse(dev, &ad->args);
	if (rc == 0)
		rc = attach_hw(ad, eth);
	if (rc != 0)
		return rc;
	eth->data->mac_addrs[0] = ad->hw.mac;
	/* The watch tells of the link, no interrupt is needed. */
	eth->data->dev_flags |= RTE_ETH_DEV_INTR_LSC;
	ad->attached = true;
	PW_LOG(INFO, "%s: %s, PHY 0x%08x", dev->name, ad->hw.row.name, ad->hw.phy_id);
	return 0;
}

static int
i8255x_detach(struct pw_dev *dev __rte_unused, struct rte_eth_dev *eth)
{
	return i8255x_close(eth);
}

#define PCI_ID(dev, kind, title) { RTE_PCI_DEVICE(I8255X_VENDOR_ID, dev) },
static const struct rte_pci_id i8255x_pci_ids[] = {
	I8255X_ID_TABLE(PCI_ID)
	{ .vendor_id = 0 },
};

static struct pw_driver i8255x_driver = {
	.pci = {
		.id_table = i8255x_pci_ids,
		.drv_flags = RTE_PCI_DRV_NEED_MAPPING | RTE_PCI_DRV_INTR_LSC |
			     RTE_PCI_DRV_INTR_RMV,
	},
	.name = "net_pw_i8255x",
	.priv_size = sizeof(struct i8255x_adapter),
	.attach = i8255x_attach,
	.detach = i8255x_detach,
};

PW_REGISTER_DRIVER(net_pw_i8255x, i8255x_driver, i8255x_pci_ids);
RTE_PMD_REGISTER_PARAM_STRING(net_pw_i8255x, I8255X_ARGS_HELP);
