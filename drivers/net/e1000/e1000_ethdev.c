/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The ethdev side: operations, start and stop, attach. What differs between chips is in
 * e1000_hw.c and e1000_phy.c; what moves packets in e1000_rx.c and e1000_tx.c.
 *
 * Nothing here knows whether the card is a card or a model: both come in through
 * e1000_attach().
 */

#include <string.h>

#include <rte_malloc.h>

#include "e1000.h"

#define LINK_WAIT_MS		9000	/* negotiation takes up to 4.5 s, downshift twice that */
#define LINK_STEP_MS		100

#define RX_OFFLOADS_ALL	(RTE_ETH_RX_OFFLOAD_VLAN_STRIP | RTE_ETH_RX_OFFLOAD_VLAN_FILTER | \
			 RTE_ETH_RX_OFFLOAD_SCATTER | RTE_ETH_RX_OFFLOAD_KEEP_CRC)
#define RX_OFFLOADS_CSUM (RTE_ETH_RX_OFFLOAD_IPV4_CKSUM | RTE_ETH_RX_OFFLOAD_UDP_CKSUM | \
			  RTE_ETH_RX_OFFLOAD_TCP_CKSUM)
#define TX_OFFLOADS_ALL	(RTE_ETH_TX_OFFLOAD_VLAN_INSERT | RTE_ETH_TX_OFFLOAD_MULTI_SEGS | \
			 RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE)
#define TX_OFFLOADS_CSUM (RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM | \
			  RTE_ETH_TX_OFFLOAD_TCP_CKSUM)

static const struct pw_burst_mode tx_modes[] = {
	{ e1000_tx_burst, "Plain, fast free" },
	{ e1000_tx_burst_full, "Multi-segment, offloads" },
	{ e1000_tx_burst_fifo, "Multi-segment, offloads, fit for half duplex" },
};

/*
 * Registers that may be read without side effect. Left out: ICR, SWSM and statistics, which
 * reading changes. Parts before 82540 lack the second group, 8254x the third.
 */
#define REG(r) { E1000_##r, #r }
#define REGQ(r) { E1000_##r(0), #r "0" }
static const struct pw_reg regs[] = {
	REG(CTRL), REG(STATUS), REG(EECD), REG(CTRL_EXT), REG(VET), REG(IMS), REG(RCTL),
	REG(FCTTV), REG(TCTL), REG(TIPG), REG(PBA), REG(FCRTL), REG(FCRTH),
	REGQ(RDBAL), REGQ(RDBAH), REGQ(RDLEN), REGQ(RDH), REGQ(RDT), REG(RDTR), REGQ(RXDCTL),
	REG(RXCSUM), REGQ(TDBAL), REGQ(TDBAH), REGQ(TDLEN), REGQ(TDH), REGQ(TDT), REG(TIDV),
	REGQ(TXDCTL), REGQ(RAL), REGQ(RAH),
	/* 82540 and later */
	REG(EERD), REG(MDIC), REG(ITR), REG(RADV), REG(TADV), REG(LEDCTL), REG(MANC), REG(WUC),
	/* 82571 and later */
	REGQ(TARC), REG(RFCTL), REG(GCR), REG(FWSM), REG(FACTPS),
};
#define REGS_82571	5
#define REGS_82540	8

/* --- configuration --- */

static int
e1000_configure(struct rte_eth_dev *eth)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	const struct rte_eth_conf *conf = &eth->data->dev_conf;
	uint32_t speeds = conf->link_speeds & ~RTE_ETH_LINK_SPEED_FIXED;
	bool fixed = (conf->link_speeds & RTE_ETH_LINK_SPEED_FIXED) != 0;
	int rc = pw_eth_check_mq_mode(eth);

	if (rc != 0)
		return rc;
	if ((speeds & ~e1000_speed_capa(&ad->hw)) != 0 || (fixed && !rte_is_power_of_2(speeds))) {
		PW_LOG(ERR, "%s: link speeds 0x%x refused: this card has 0x%x, exactly one may "
			    "be fixed", ad->dev.name, conf->link_speeds, e1000_speed_capa(&ad->hw));
		return -EINVAL;
	}
	if (conf->lpbk_mode > 1) {
		PW_LOG(ERR, "%s: loopback mode %u is not supported: 0 is none, 1 inside the card",
		       ad->dev.name, conf->lpbk_mode);
		return -ENOTSUP;
	}
	ad->hw.loopback = conf->lpbk_mode == 1;
	ad->hw.link_speeds = conf->link_speeds;
	return e1000_rss_configure(eth);
}

int
e1000_info_get(struct rte_eth_dev *eth, struct rte_eth_dev_info *info)
{
	struct e1000_hw *hw = &e1000_adapter_of(eth)->hw;
	uint8_t wthresh = hw->flags & E1000_F_ERR_WTHRESH ? 0 : 1;

	info->max_rx_queues = hw->flags & E1000_F_RSS ? 2 : 1;
	info->max_tx_queues = info->max_rx_queues;
	info->max_mac_addrs = hw->variant->nb_rar;
	info->min_rx_bufsize = 256;
	info->max_rx_pktlen = e1000_max_frame(hw);
	info->min_mtu = RTE_ETHER_MIN_MTU;
	info->max_mtu = e1000_max_frame(hw) - RTE_ETHER_HDR_LEN - RTE_VLAN_HLEN -
			RTE_ETHER_CRC_LEN;
	info->speed_capa = e1000_speed_capa(hw);
	info->rx_offload_capa = RX_OFFLOADS_ALL;
	info->tx_offload_capa = TX_OFFLOADS_ALL;
	if (hw->flags & E1000_F_CSUM) {
		info->rx_offload_capa |= RX_OFFLOADS_CSUM;
		info->tx_offload_capa |= TX_OFFLOADS_CSUM;
	}
	if (hw->flags & E1000_F_TSO)
		info->tx_offload_capa |= RTE_ETH_TX_OFFLOAD_TCP_TSO;
	if (hw->flags & E1000_F_RSS) {
		info->rx_offload_capa |= RTE_ETH_RX_OFFLOAD_RSS_HASH;
		info->flow_type_rss_offloads = e1000_rss_types(hw);
		info->reta_size = E1000_RETA_ENTRIES;
		info->hash_key_size = E1000_RSS_KEY_LEN;
	}
	/* CTRL.VME and RCTL are the port's; VLAN settings may change while queues exist. */
	info->rx_queue_offload_capa = info->rx_offload_capa &
		~(RTE_ETH_RX_OFFLOAD_VLAN_STRIP | RTE_ETH_RX_OFFLOAD_VLAN_FILTER |
		  RTE_ETH_RX_OFFLOAD_KEEP_CRC);
	info->tx_queue_offload_capa = info->tx_offload_capa & ~RTE_ETH_TX_OFFLOAD_VLAN_INSERT;
	info->rx_desc_lim = e1000_desc_lim(hw);
	info->tx_desc_lim = e1000_desc_lim(hw);
	info->default_rxconf.rx_thresh = (struct rte_eth_thresh){ 8, 8, wthresh };
	info->default_txconf.tx_thresh = (struct rte_eth_thresh){ 31, 1, 0 };
	info->default_rxportconf = (struct rte_eth_dev_portconf){ 32, 256, 1 };
	info->default_txportconf = (struct rte_eth_dev_portconf){ 32, 256, 1 };
	return 0;
}

static int
e1000_mtu_set(struct rte_eth_dev *eth, uint16_t mtu)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	struct rte_eth_dev_data *data = eth->data;
	uint16_t old = data->mtu;
	int rc = pw_eth_check_mtu(eth, mtu, e1000_max_frame(&ad->hw));

	if (rc != 0 || !data->dev_started)
		return rc;
	data->mtu = mtu;
	/* The burst functions were chosen at start, and cannot be exchanged under the workers. */
	if ((e1000_rx_wants_full(eth) && eth->data->rx_queues[0] != NULL &&
	     !((struct e1000_rxq *)data->rx_queues[0])->full) ||
	    (e1000_tx_wants_full(eth) && !((struct e1000_txq *)data->tx_queues[0])->full)) {
		data->mtu = old;
		PW_LOG(ERR, "%s: MTU %u needs another receive path: stop the port first",
		       ad->dev.name, mtu);
		return -EBUSY;
	}
	e1000_rx_max_len(eth);
	ad->hw.long_frames = mtu > RTE_ETHER_MTU;
	e1000_set_rx_mode(&ad->hw);
	return 0;
}

/* --- link --- */

int
e1000_link_refresh(struct rte_eth_dev *eth, int wait)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	unsigned int tries = wait ? LINK_WAIT_MS / LINK_STEP_MS : 0;
	struct pw_mii_link link = { 0 };
	int rc;

	/* The PHY sleeps while the port is stopped. */
	while (ad->hw.rctl != 0) {
		rte_spinlock_lock(&ad->link_lock);
		rc = e1000_link_read(&ad->hw);
		link = ad->hw.link;
		rte_spinlock_unlock(&ad->link_lock);
		if (rc == -ENODEV)
			e1000_watch_soon(eth);
		if (link.up || rc == -ENODEV || tries-- == 0)
			break;
		rte_delay_ms(LINK_STEP_MS);
	}
	return pw_eth_link_set(eth, &link);
}

static int
e1000_link_switch(struct rte_eth_dev *eth, bool on)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	int rc;

	rte_spinlock_lock(&ad->link_lock);
	rc = e1000_link_power(&ad->hw, on);
	rte_spinlock_unlock(&ad->link_lock);
	e1000_link_refresh(eth, 0);
	return rc;
}

static int
e1000_set_link_up(struct rte_eth_dev *eth)
{
	return e1000_link_switch(eth, true);
}

static int
e1000_set_link_down(struct rte_eth_dev *eth)
{
	return e1000_link_switch(eth, false);
}

/* --- receive filter --- */

static int
apply_rx_mode(struct e1000_adapter *ad)
{
	/* Stopped: start will do it. */
	if (ad->hw.rctl != 0)
		e1000_set_rx_mode(&ad->hw);
	return 0;
}

static int
e1000_promiscuous_enable(struct rte_eth_dev *eth)
{
	e1000_adapter_of(eth)->hw.promisc = true;
	return apply_rx_mode(e1000_adapter_of(eth));
}

static int
e1000_promiscuous_disable(struct rte_eth_dev *eth)
{
	e1000_adapter_of(eth)->hw.promisc = false;
	return apply_rx_mode(e1000_adapter_of(eth));
}

static int
e1000_allmulticast_enable(struct rte_eth_dev *eth)
{
	e1000_adapter_of(eth)->hw.allmulti = true;
	return apply_rx_mode(e1000_adapter_of(eth));
}

static int
e1000_allmulticast_disable(struct rte_eth_dev *eth)
{
	e1000_adapter_of(eth)->hw.allmulti = false;
	return apply_rx_mode(e1000_adapter_of(eth));
}

static int
e1000_mac_addr_set(struct rte_eth_dev *eth, struct rte_ether_addr *mac)
{
	e1000_set_rar(&e1000_adapter_of(eth)->hw, 0, mac);
	return 0;
}

static int
e1000_mac_addr_add(struct rte_eth_dev *eth, struct rte_ether_addr *mac, uint32_t index,
		   uint32_t pool __rte_unused)
{
	struct e1000_hw *hw = &e1000_adapter_of(eth)->hw;

	if (index >= hw->variant->nb_rar)
		return -ENOSPC;
	e1000_set_rar(hw, index, mac);
	return 0;
}

static void
e1000_mac_addr_remove(struct rte_eth_dev *eth, uint32_t index)
{
	static const struct rte_ether_addr none;
	struct e1000_hw *hw = &e1000_adapter_of(eth)->hw;

	if (index < hw->variant->nb_rar)
		e1000_set_rar(hw, index, &none);
}

static int
e1000_set_mc_addr_list(struct rte_eth_dev *eth, struct rte_ether_addr *list, uint32_t n)
{
	e1000_set_mta(&e1000_adapter_of(eth)->hw, list, n);
	return 0;
}

static int
e1000_vlan_filter_set(struct rte_eth_dev *eth, uint16_t vid, int on)
{
	struct e1000_hw *hw = &e1000_adapter_of(eth)->hw;
	uint32_t index = E1000_VFTA_INDEX(vid);

	if (on)
		hw->vfta[index] |= E1000_VFTA_BIT(vid);
	else
		hw->vfta[index] &= ~E1000_VFTA_BIT(vid);
	e1000_set_vfta(hw, index);
	return 0;
}

static void
vlan_conf(struct rte_eth_dev *eth)
{
	const struct rte_eth_conf *conf = &eth->data->dev_conf;
	struct e1000_hw *hw = &e1000_adapter_of(eth)->hw;

	hw->vlan_strip = (conf->rxmode.offloads & RTE_ETH_RX_OFFLOAD_VLAN_STRIP) != 0;
	hw->vlan_filter = (conf->rxmode.offloads & RTE_ETH_RX_OFFLOAD_VLAN_FILTER) != 0;
	e1000_set_vme(hw, hw->vlan_strip ||
		      (conf->txmode.offloads & RTE_ETH_TX_OFFLOAD_VLAN_INSERT) != 0);
}

/* The one tag that the chip knows is the outer one, whatever follows it. */
static int
e1000_vlan_tpid_set(struct rte_eth_dev *eth, enum rte_vlan_type type, uint16_t tpid)
{
	struct e1000_hw *hw = &e1000_adapter_of(eth)->hw;

	if (type != RTE_ETH_VLAN_TYPE_OUTER)
		return -ENOTSUP;
	hw->tpid = tpid;
	pw_write32(hw->io, E1000_VET, tpid);
	if (eth->data->rx_queues != NULL)
		e1000_rx_vlan(eth);
	return 0;
}

static int
e1000_vlan_offload_set(struct rte_eth_dev *eth, int mask)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);

	if ((mask & (RTE_ETH_VLAN_STRIP_MASK | RTE_ETH_VLAN_FILTER_MASK)) == 0)
		return 0;
	vlan_conf(eth);
	if (eth->data->rx_queues != NULL)
		e1000_rx_vlan(eth);
	return apply_rx_mode(ad);
}

/* --- what can be looked at --- */

int
e1000_get_reg(struct rte_eth_dev *eth, struct rte_dev_reg_info *info)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	unsigned int n = RTE_DIM(regs);

	if ((ad->hw.flags & E1000_F_PCIE) == 0)
		n -= REGS_82571;
	if ((ad->hw.flags & E1000_F_DELAY_TIMERS) == 0)
		n -= REGS_82540;
	return pw_regs_get(ad->hw.io, regs, n,
			   (uint32_t)ad->dev.id.device_id << 16 | ad->dev.revision, info);
}

static int
e1000_tx_burst_mode_get(struct rte_eth_dev *eth, uint16_t queue __rte_unused,
			struct rte_eth_burst_mode *mode)
{
	return pw_burst_mode_get(eth->tx_pkt_burst, tx_modes, RTE_DIM(tx_modes), mode);
}

static void
thresh_of(uint32_t xdctl, struct rte_eth_thresh *t)
{
	t->pthresh = xdctl & E1000_XDCTL_PTHRESH_MASK;
	t->hthresh = (xdctl & E1000_XDCTL_HTHRESH_MASK) >> E1000_XDCTL_HTHRESH_SHIFT;
	t->wthresh = (xdctl & E1000_XDCTL_WTHRESH_MASK) >> E1000_XDCTL_WTHRESH_SHIFT;
}

void
e1000_rxq_info_get(struct rte_eth_dev *eth, uint16_t queue, struct rte_eth_rxq_info *info)
{
	const struct e1000_rxq *rxq = eth->data->rx_queues[queue];

	pw_eth_rxq_info_op(eth, queue, info);
	info->rx_buf_size = rxq->buf_len;
	info->conf.rx_drop_en = 1;	/* the chip never waits for descriptors */
	thresh_of(rxq->rxdctl, &info->conf.rx_thresh);
}

void
e1000_txq_info_get(struct rte_eth_dev *eth, uint16_t queue, struct rte_eth_txq_info *info)
{
	const struct e1000_txq *txq = eth->data->tx_queues[queue];

	pw_eth_txq_info_op(eth, queue, info);
	thresh_of(txq->txdctl, &info->conf.tx_thresh);
}

/* --- start, stop, close --- */

static void
set_bursts(struct rte_eth_dev *eth)
{
	uint64_t flags = e1000_adapter_of(eth)->hw.flags;
	bool ext = (flags & E1000_F_EXT_RXD) != 0;

	eth->rx_pkt_burst = flags & E1000_F_ERR_EXTENDED ? e1000_rx_burst_extended :
			    e1000_rx_burst_of(ext, e1000_rx_wants_full(eth));
	eth->tx_pkt_burst = flags & E1000_F_ERR_HALF ? e1000_tx_burst_fifo :
			    e1000_tx_wants_full(eth) ? e1000_tx_burst_full : e1000_tx_burst;
}

/* Reset leaves the counters at whatever the link's coming up made of them (§5.2 step 9). */
static void
forget_hw_stats(struct e1000_adapter *ad)
{
	struct e1000_stats keep = ad->stats;

	e1000_stats_update(ad);
	ad->stats = keep;
}

static int
e1000_start(struct rte_eth_dev *eth)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	struct e1000_hw *hw = &ad->hw;
	int rc = pw_eth_check_queues(eth);

	if (rc != 0)
		return rc;
	/* uio_pci_generic turns bus mastering off whenever some process closes its device. */
	e1000_pci_restore(hw);
	rc = e1000_reset(hw);
	if (rc != 0)
		return rc;
	e1000_quirks(hw);
	e1000_wol_off(hw);
	e1000_init_rx_addrs(hw);
	vlan_conf(eth);
	rte_spinlock_lock(&ad->link_lock);
	rc = e1000_link_setup(hw);
	rte_spinlock_unlock(&ad->link_lock);
	if (rc != 0)
		return rc;
	forget_hw_stats(ad);
	e1000_tx_start(eth);
	e1000_rx_extended_start(eth);
	rc = e1000_rx_start(eth);
	if (rc != 0) {
		e1000_reset(hw);
		e1000_tx_stop(eth);
		return rc;
	}
	rc = e1000_intr_start(eth);
	if (rc != 0) {
		e1000_reset(hw);
		e1000_rx_stop(eth);
		e1000_tx_stop(eth);
		return rc;
	}
	e1000_driver_loaded(hw, true);
	set_bursts(eth);
	e1000_tsync_start(eth);
	e1000_watch_start(eth);
	e1000_link_refresh(eth, 0);
	return 0;
}

static int
e1000_stop(struct rte_eth_dev *eth)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	const struct pw_mii_link down = { 0 };

	e1000_watch_stop(eth);
	e1000_intr_stop(eth);
	e1000_stats_update(ad);
	e1000_tsync_stop(eth);
	/*
	 * Only after reset will the chip not write to buffers any more (§2.4). The last interrupt
	 * may still be at the PHY.
	 */
	rte_spinlock_lock(&ad->link_lock);
	e1000_reset(&ad->hw);
	e1000_link_power(&ad->hw, false);
	rte_spinlock_unlock(&ad->link_lock);
	e1000_rx_stop(eth);
	e1000_tx_stop(eth);
	pw_eth_link_set(eth, &down);
	return 0;
}

static int
e1000_close(struct rte_eth_dev *eth)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);

	if (rte_eal_process_type() != RTE_PROC_PRIMARY || !ad->attached)
		return 0;
	ad->attached = false;
	e1000_watch_stop(eth);
	e1000_intr_stop(eth);
	e1000_intr_close(eth);
	if (ad->args.wol && !e1000_gone(&ad->hw))
		e1000_wol_arm(&ad->hw);
	e1000_driver_loaded(&ad->hw, false);
	for (uint16_t i = 0; i < eth->data->nb_rx_queues; i++)
		e1000_rx_queue_release(eth, i);
	for (uint16_t i = 0; i < eth->data->nb_tx_queues; i++)
		e1000_tx_queue_release(eth, i);
	return 0;
}

/* After a hang, or a reset of the slot behind our back. Queues and settings stay. */
static int
e1000_dev_reset(struct rte_eth_dev *eth)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	struct e1000_hw *hw = &ad->hw;
	int rc;

	e1000_pci_restore(hw);
	rc = e1000_reset(hw);
	if (rc == 0)
		rc = e1000_nvm_check(hw);
	if (rc == 0)
		rc = e1000_phy_init(hw);
	return rc;
}

static const struct eth_dev_ops e1000_eth_dev_ops = {
	.dev_configure = e1000_configure,
	.dev_start = e1000_start,
	.dev_stop = e1000_stop,
	.dev_close = e1000_close,
	.dev_reset = e1000_dev_reset,
	.dev_set_link_up = e1000_set_link_up,
	.dev_set_link_down = e1000_set_link_down,
	.dev_infos_get = e1000_info_get,
	.link_update = e1000_link_refresh,
	.promiscuous_enable = e1000_promiscuous_enable,
	.promiscuous_disable = e1000_promiscuous_disable,
	.allmulticast_enable = e1000_allmulticast_enable,
	.allmulticast_disable = e1000_allmulticast_disable,
	.mac_addr_set = e1000_mac_addr_set,
	.mac_addr_add = e1000_mac_addr_add,
	.mac_addr_remove = e1000_mac_addr_remove,
	.set_mc_addr_list = e1000_set_mc_addr_list,
	.mtu_set = e1000_mtu_set,
	.vlan_filter_set = e1000_vlan_filter_set,
	.vlan_offload_set = e1000_vlan_offload_set,
	.vlan_tpid_set = e1000_vlan_tpid_set,
	.dev_supported_ptypes_get = e1000_supported_ptypes,
	.reta_update = e1000_reta_update,
	.reta_query = e1000_reta_query,
	.rss_hash_update = e1000_rss_hash_update,
	.rss_hash_conf_get = e1000_rss_hash_conf_get,
	.rx_queue_start = e1000_rx_queue_start,
	.rx_queue_stop = e1000_rx_queue_stop,
	.tx_queue_start = e1000_tx_queue_start,
	.tx_queue_stop = e1000_tx_queue_stop,
	.tx_done_cleanup = e1000_tx_done_cleanup,
	.timesync_enable = e1000_timesync_enable,
	.timesync_disable = e1000_timesync_disable,
	.timesync_read_time = e1000_timesync_read_time,
	.timesync_write_time = e1000_timesync_write_time,
	.timesync_adjust_time = e1000_timesync_adjust_time,
	.timesync_read_rx_timestamp = e1000_timesync_read_rx,
	.timesync_read_tx_timestamp = e1000_timesync_read_tx,
	.rx_queue_setup = e1000_rx_queue_setup,
	.rx_queue_release = e1000_rx_queue_release,
	.tx_queue_setup = e1000_tx_queue_setup,
	.tx_queue_release = e1000_tx_queue_release,
	.rx_queue_intr_enable = e1000_rx_intr_enable,
	.rx_queue_intr_disable = e1000_rx_intr_disable,
	.rxq_info_get = e1000_rxq_info_get,
	.txq_info_get = e1000_txq_info_get,
	.rx_burst_mode_get = e1000_rx_burst_mode_get,
	.tx_burst_mode_get = e1000_tx_burst_mode_get,
	.stats_get = e1000_stats_get,
	.stats_reset = e1000_stats_reset,
	.xstats_get = e1000_xstats_get,
	.xstats_get_names = e1000_xstats_get_names,
	.xstats_reset = e1000_stats_reset,
	.flow_ctrl_get = e1000_flow_ctrl_get,
	.flow_ctrl_set = e1000_flow_ctrl_set,
	.get_reg = e1000_get_reg,
	.get_eeprom_length = e1000_get_eeprom_length,
	.get_eeprom = e1000_get_eeprom,
	.set_eeprom = e1000_set_eeprom,
	.dev_led_on = e1000_led_on,
	.dev_led_off = e1000_led_off,
	.fw_version_get = e1000_fw_version_get,
};

/* --- the one door --- */

static int
attach_hw(struct e1000_adapter *ad)
{
	struct e1000_hw *hw = &ad->hw;
	int rc = e1000_hw_init(hw, &ad->dev);

	if (rc == 0 && ad->args.wol && !e1000_can_wake(hw)) {
		PW_LOG(ERR, "%s: wol=magic: this card cannot wake the machine; leave it out",
		       ad->dev.name);
		rc = -ENOTSUP;
	}
	if (rc == 0)
		rc = pw_dma_init(&ad->dma, &hw->variant->dma, ad->dev.socket);
	if (rc == 0)
		rc = e1000_reset(hw);
	if (rc == 0)
		rc = e1000_nvm_check(hw);
	if (rc == 0)
		rc = e1000_read_mac(hw);
	if (rc == 0)
		rc = e1000_phy_init(hw);
	if (rc == 0 && ad->args.selftest)
		rc = e1000_selftest(ad);
	return rc;
}

static int
e1000_attach(struct pw_dev *dev, struct rte_eth_dev *eth)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	int rc;

	RTE_BUILD_BUG_ON(offsetof(struct e1000_adapter, dev) != 0);
	eth->dev_ops = &e1000_eth_dev_ops;
	eth->rx_pkt_burst = e1000_rx_burst;
	eth->tx_pkt_burst = e1000_tx_burst;
	eth->tx_pkt_prepare = e1000_tx_prepare;
	eth->rx_queue_count = e1000_rx_count;
	eth->rx_descriptor_status = e1000_rx_desc_status;
	eth->tx_descriptor_status = e1000_tx_desc_status;
	if (rte_eal_process_type() != RTE_PROC_PRIMARY) {
		e1000_secondary_attach(eth);
		return 0;
	}
	/* Where another process can read it, as all that follows. */
	dev->name = eth->data->name;
	rte_spinlock_init(&ad->stats_lock);
	rc = e1000_args_parse(dev, &ad->args);
	if (rc == 0)
		rc = attach_hw(ad);
	if (rc != 0)
		return rc;
	rte_spinlock_init(&ad->link_lock);
	eth->data->mac_addrs = rte_zmalloc_socket("e1000_mac",
		ad->hw.variant->nb_rar * sizeof(struct rte_ether_addr), 0, dev->socket);
	if (eth->data->mac_addrs == NULL) {
		PW_LOG(ERR, "%s: out of memory: give EAL more (-m)", dev->name);
		return -ENOMEM;
	}
	eth->data->mac_addrs[0] = ad->hw.mac;
	e1000_set_rar(&ad->hw, 0, &ad->hw.mac);
	eth->data->dev_flags &= ~(uint32_t)RTE_ETH_DEV_INTR_LSC;
	if (e1000_intr_open(eth))
		eth->data->dev_flags |= RTE_ETH_DEV_INTR_LSC;
	ad->attached = true;
	PW_LOG(INFO, "%s: %s, %s", dev->name, ad->hw.variant->name,
	       ad->hw.media == E1000_MEDIA_COPPER ? "copper" : "fibre or SERDES");
	return 0;
}

static int
e1000_detach(struct pw_dev *dev __rte_unused, struct rte_eth_dev *eth)
{
	return e1000_close(eth);
}

/* With claim=0 the bus offers the card to the next driver that knows it (DPDK's own, say). */
static int
e1000_probe(struct rte_pci_driver *drv, struct rte_pci_device *pci)
{
	const struct pw_dev dev = { .name = pci->device.name, .devargs = pci->device.devargs };
	struct e1000_args args;
	int rc = e1000_args_parse(&dev, &args);

	if (rc != 0)
		return rc;
	if (args.claim)
		return pw_pci_probe(drv, pci);
	PW_LOG(NOTICE, "%s: claim=0: left to the next driver", dev.name);
	return 1;
}

#define PCI_ID(dev, mac, title, media) { RTE_PCI_DEVICE(E1000_VENDOR_ID, dev) },
static const struct rte_pci_id e1000_pci_ids[] = {
	E1000_ID_TABLE(PCI_ID)
	{ .vendor_id = 0 },
};

static struct pw_driver e1000_driver = {
	.pci = {
		.id_table = e1000_pci_ids,
		.drv_flags = RTE_PCI_DRV_NEED_MAPPING | RTE_PCI_DRV_INTR_LSC |
			     RTE_PCI_DRV_INTR_RMV,
		.probe = e1000_probe,
	},
	.name = "net_pw_e1000",
	.priv_size = sizeof(struct e1000_adapter),
	.attach = e1000_attach,
	.detach = e1000_detach,
};

PW_REGISTER_DRIVER(net_pw_e1000, e1000_driver, e1000_pci_ids);
RTE_PMD_REGISTER_PARAM_STRING(net_pw_e1000, E1000_ARGS_HELP);
