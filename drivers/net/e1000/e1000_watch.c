/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * What no interrupt tells: a transmitter that stands still, a card that was pulled out, an address
 * that the card's other port has overwritten (82571).
 *
 * Every hang_ms an alarm in EAL's interrupt thread looks at the Tx rings: a head that has not
 * moved between two looks, with descriptors waiting, a link, and no PAUSE from the partner, is a
 * hang. The packet path is not touched, and pays nothing. The application is told
 * (RTE_ETH_EVENT_INTR_RESET) once, and recovers the port by rte_eth_dev_reset(), or by stop and
 * start; both reset the chip and free what it still held.
 *
 * All ones from STATUS is a card that is gone. Whoever reads it first, here, on a look at the
 * link, or in the interrupt handler, has it reported once, from the interrupt thread, as
 * RTE_ETH_EVENT_INTR_RMV.
 */

#include <rte_alarm.h>

#include <pw_event.h>

#include "e1000.h"

/* --- removal ------------------------------------------------------------------------------ */

/* A look soon, from where events may be raised. */
void
e1000_watch_soon(struct rte_eth_dev *eth)
{
	if (!e1000_adapter_of(eth)->removed)
		rte_eal_alarm_set(1, e1000_watch, eth);
}

/* --- hang --------------------------------------------------------------------------------- */

/* Whether the queue's head stands where it stood at the last look, with work before it. */
static bool
tx_stands(struct e1000_adapter *ad, uint16_t queue, bool may_send)
{
	struct e1000_watch *w = &ad->watch[queue];
	uint32_t head = pw_read32(ad->hw.io, E1000_TDH(queue));
	bool busy = may_send && head != pw_read32(ad->hw.io, E1000_TDT(queue));
	bool stands = busy && w->busy && w->head == head;

	w->busy = busy;
	w->head = head;
	return stands;
}

static bool
any_tx_stands(struct rte_eth_dev *eth)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	uint32_t status = pw_read32(ad->hw.io, E1000_STATUS);
	bool may_send = (status & E1000_STATUS_TXOFF) == 0 &&
			((status & E1000_STATUS_LU) != 0 || ad->hw.loopback);
	bool any = false;

	for (uint16_t q = 0; q < eth->data->nb_tx_queues; q++)
		any |= tx_stands(ad, q, may_send);
	return any;
}

/* By way of the ops in force: where the card is a model this lets its time pass. */
static void
look_at_link(struct rte_eth_dev *eth)
{
	if (eth->dev_ops->link_update(eth, 0) == 0 && eth->data->dev_conf.intr_conf.lsc)
		rte_eth_dev_callback_process(eth, RTE_ETH_EVENT_INTR_LSC, NULL);
}

static bool
tx_hangs(struct rte_eth_dev *eth)
{
	if (!any_tx_stands(eth))
		return false;
	look_at_link(eth);
	return any_tx_stands(eth);
}

/** One look; alarm callback. */
void
e1000_watch(void *arg)
{
	struct rte_eth_dev *eth = arg;
	struct e1000_adapter *ad = e1000_adapter_of(eth);

	if (e1000_gone(&ad->hw)) {
		pw_event_removed(eth, &ad->removed);
		return;
	}
	if (!ad->watching)
		return;
	/* Armed before anybody is told, who may stop the port and start it again. */
	rte_eal_alarm_set(ad->args.hang_ms * 1000u, e1000_watch, eth);
	e1000_keep_rar0(&ad->hw);
	/* Its bursts go by the duplex, which nobody else may be looking at. */
	if (ad->hw.flags & E1000_F_ERR_HALF)
		look_at_link(eth);
	if (ad->hang_told || !tx_hangs(eth))
		return;
	ad->hang_told = true;
	pw_event_hang(eth, ad->args.hang_ms);
}

void
e1000_watch_start(struct rte_eth_dev *eth)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);

	memset(ad->watch, 0, sizeof(ad->watch));
	ad->hang_told = false;
	ad->removed = false;
	ad->watching = ad->args.hang_ms != 0 &&
		       rte_eal_alarm_set(ad->args.hang_ms * 1000u, e1000_watch, eth) == 0;
}

/* Waits for a look that is under way, unless called from it. */
void
e1000_watch_stop(struct rte_eth_dev *eth)
{
	e1000_adapter_of(eth)->watching = false;
	rte_eal_alarm_cancel(e1000_watch, eth);
}
