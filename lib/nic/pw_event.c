/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>

#include <rte_interrupts.h>

#include "pw_attach.h"
#include "pw_event.h"
#include "pw_log.h"

void
pw_event_removed(struct rte_eth_dev *eth, bool *told)
{
	if (*told)
		return;
	*told = true;
	PW_LOG(ERR, "%s: the card is gone: its registers read all ones; close the port, and attach "
		    "it again when the card is back", pw_dev_of(eth)->name);
	if (eth->data->dev_conf.intr_conf.rmv)
		rte_eth_dev_callback_process(eth, RTE_ETH_EVENT_INTR_RMV, NULL);
}

void
pw_event_hang(struct rte_eth_dev *eth, uint32_t ms)
{
	PW_LOG(WARNING, "%s: the transmitter has stood still for %u ms with packets waiting: reset "
			"the port, or stop and start it", pw_dev_of(eth)->name, ms);
	rte_eth_dev_callback_process(eth, RTE_ETH_EVENT_INTR_RESET, NULL);
}

int
pw_event_rx_open(struct rte_eth_dev *eth, bool each)
{
	struct rte_intr_handle *intr = pw_dev_of(eth)->intr;
	uint16_t n = eth->data->nb_rx_queues;
	bool shared;

	if (intr == NULL || rte_intr_efd_enable(intr, each ? n : 1) != 0 ||
	    !rte_intr_dp_is_en(intr)) {
		PW_LOG(ERR, "%s: Rx interrupts cannot be had here: bind the card to vfio-pci, or "
			    "leave intr_conf.rxq 0", pw_dev_of(eth)->name);
		return -ENOTSUP;
	}
	if (rte_intr_vec_list_alloc(intr, "pw_vectors", n) != 0) {
		rte_intr_efd_disable(intr);
		return -ENOMEM;
	}
	shared = !rte_intr_allow_others(intr);
	for (uint16_t q = 0; q < n; q++)
		rte_intr_vec_list_index_set(intr, q, shared ? 0 :
					    RTE_INTR_VEC_RXTX_OFFSET + (each ? q : 0));
	return 0;
}

void
pw_event_rx_close(struct rte_eth_dev *eth)
{
	struct rte_intr_handle *intr = pw_dev_of(eth)->intr;

	if (intr == NULL || !rte_intr_dp_is_en(intr))
		return;
	rte_intr_efd_disable(intr);
	rte_intr_vec_list_free(intr);
}
