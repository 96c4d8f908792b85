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

#include <pw_secondary.h>

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

static const struct eth_dev_ops secondary_ops = {
	PW_SECONDARY_OPS,
	.dev_infos_get = e1000_info_get,
	.dev_supported_ptypes_get = e1000_supported_ptypes,
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
