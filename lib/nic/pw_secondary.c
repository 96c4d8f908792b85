/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>

#include "pw_log.h"
#include "pw_secondary.h"

int
pw_secondary_refuse_op(struct rte_eth_dev *eth)
{
	PW_LOG(ERR, "%s: a secondary process cannot control the port: ask the primary",
	       eth->data->name);
	return -EPERM;
}

int
pw_secondary_mtu_op(struct rte_eth_dev *eth, uint16_t mtu __rte_unused)
{
	return pw_secondary_refuse_op(eth);
}

int
pw_secondary_stop_op(struct rte_eth_dev *eth)
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
	return pw_secondary_refuse_op(eth);
}

int
pw_secondary_close_op(struct rte_eth_dev *eth __rte_unused)
{
	return 0;
}

int
pw_secondary_link_op(struct rte_eth_dev *eth __rte_unused, int wait __rte_unused)
{
	return -1;
}
