/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * A port in a secondary process: packets, statistics and what can be looked at. Control stays
 * with the primary, and says so when it is tried here.
 *
 * Rings, buffers and the driver's own memory are shared and lie at the same addresses; functions
 * and tables do not. So nothing here may follow a pointer to code or constants that the primary
 * has stored: PHY verbs, configuration space, the table of variants (the port keeps a copy of its
 * row). Which burst a queue needs is read from the queue each time, for the primary may stop the
 * port and start it with another configuration, while nobody polls. Statistics are a command to
 * the chip and a buffer of the port's; the locks of both are in shared memory.
 */

#include <pw_secondary.h>

#include "i8255x.h"

/* --- packets ------------------------------------------------------------------------------ */

static uint16_t
rx_burst(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	const struct i8255x_rxq *rxq = queue;

	return rxq->full ? i8255x_rx_burst_full(queue, pkts, nb_pkts) :
			   i8255x_rx_burst(queue, pkts, nb_pkts);
}

static uint16_t
tx_burst(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	const struct i8255x_txq *txq = queue;

	return txq->full ? i8255x_tx_burst_full(queue, pkts, nb_pkts) :
			   i8255x_tx_burst(queue, pkts, nb_pkts);
}

/* --- control ------------------------------------------------------------------------------ */

static const struct eth_dev_ops secondary_ops = {
	PW_SECONDARY_OPS,
	.dev_infos_get = i8255x_info_get,
	.dev_supported_ptypes_get = i8255x_supported_ptypes,
	.rxq_info_get = i8255x_rxq_info_get,
	.txq_info_get = pw_eth_txq_info_op,
	.stats_get = i8255x_stats_get,
	.stats_reset = i8255x_stats_reset,
	.xstats_get = i8255x_xstats_get,
	.xstats_get_names = i8255x_xstats_get_names,
	.xstats_reset = i8255x_stats_reset,
	.get_reg = i8255x_get_reg,
};

void
i8255x_secondary_attach(struct rte_eth_dev *eth)
{
	eth->dev_ops = &secondary_ops;
	eth->rx_pkt_burst = rx_burst;
	eth->tx_pkt_burst = tx_burst;
}
