/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * A port in a secondary process: packets, statistics and what can be looked at. Control stays
 * with the primary, and says so when it is tried here.
 *
 * Rings, buffers and the driver's own memory are shared and lie at the same addresses; functions
 * and tables do not. So nothing here may follow a pointer to code or constants that the primary
 * has stored: PHY verbs, configuration space, the table of variants (which the port keeps a copy
 * of). Which burst a queue needs is read from the queue each time, for the primary may stop the
 * port and start it with another configuration, while nobody polls.
 */

#include "e1000.h"

/* --- packets ------------------------------------------------------------------------------ */

static eth_rx_burst_t bursts[2][2]; /* of this process; extended descriptors, full path */

static uint16_t
rx_burst(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	const struct e1000_rxq *rxq = queue;

	if (rxq->extended)
		return e1000_rx_burst_extended(queue, pkts, nb_pkts);
	return bursts[rxq->ext][rxq->full](queue, pkts, nb_pkts);
}

static uint16_t
tx_burst(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	const struct e1000_txq *txq = queue;

	if (txq->fifo.link != NULL)
		return e1000_tx_burst_fifo(queue, pkts, nb_pkts);
	return txq->full ? e1000_tx_burst_full(queue, pkts, nb_pkts) :
			   e1000_tx_burst(queue, pkts, nb_pkts);
}

/* --- control ------------------------------------------------------------------------------ */

static int
refuse(struct rte_eth_dev *eth)
{
	PW_LOG(ERR, "%s: a secondary process cannot control the port: ask the primary",
	       eth->data->name);
	return -EPERM;
}

static int
refuse_mtu(struct rte_eth_dev *eth, uint16_t mtu __rte_unused)
{
	return refuse(eth);
}

/* Before it asks, ethdev has put dummies in place of this process's burst functions. */
static int
refuse_stop(struct rte_eth_dev *eth)
{
	struct rte_eth_fp_ops *fp = &rte_eth_fp_ops[eth->data->port_id];

	fp->rx_pkt_burst = eth->rx_pkt_burst;
	fp->tx_pkt_burst = eth->tx_pkt_burst;
	fp->tx_pkt_prepare = eth->tx_pkt_prepare;
	fp->rx_queue_count = eth->rx_queue_count;
	fp->rx_descriptor_status = eth->rx_descriptor_status;
	fp->tx_descriptor_status = eth->tx_descriptor_status;
	fp->rxq.data = eth->data->rx_queues;
	fp->rxq.clbk = (void **)(uintptr_t)eth->post_rx_burst_cbs;
	fp->txq.data = eth->data->tx_queues;
	fp->txq.clbk = (void **)(uintptr_t)eth->pre_tx_burst_cbs;
	return refuse(eth);
}

/* Queues, settings and the card are the primary's. */
static int
close_here(struct rte_eth_dev *eth __rte_unused)
{
	return 0;
}

/* What the primary saw last; asking the PHY is not for two at once. @return unchanged. */
static int
link_as_it_is(struct rte_eth_dev *eth __rte_unused, int wait __rte_unused)
{
	return -1;
}

static const struct eth_dev_ops secondary_ops = {
	.dev_configure = refuse,
	.dev_start = refuse,
	.dev_stop = refuse_stop,
	.dev_close = close_here,
	.dev_reset = refuse,
	.dev_set_link_up = refuse,
	.dev_set_link_down = refuse,
	.promiscuous_enable = refuse,
	.promiscuous_disable = refuse,
	.allmulticast_enable = refuse,
	.allmulticast_disable = refuse,
	.mtu_set = refuse_mtu,
	.dev_infos_get = e1000_info_get,
	.dev_supported_ptypes_get = e1000_supported_ptypes,
	.link_update = link_as_it_is,
	.rxq_info_get = e1000_rxq_info_get,
	.txq_info_get = e1000_txq_info_get,
	.stats_get = e1000_stats_get,
	.stats_reset = e1000_stats_reset,
	.xstats_get = e1000_xstats_get,
	.xstats_get_names = e1000_xstats_get_names,
	.xstats_reset = e1000_stats_reset,
	.get_reg = e1000_get_reg,
};

void
e1000_secondary_attach(struct rte_eth_dev *eth)
{
	for (unsigned int i = 0; i < 4; i++)
		bursts[i / 2][i % 2] = e1000_rx_burst_of(i / 2, i % 2);
	eth->dev_ops = &secondary_ops;
	eth->rx_pkt_burst = rx_burst;
	eth->tx_pkt_burst = tx_burst;
}
