/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * What no interrupt tells: link changes, a transmitter that stands still, a card that was pulled
 * out; and what somebody must do now and then: free an 82557's receiver, answer underruns,
 * write a resume that was put off.
 *
 * An alarm in EAL's interrupt thread looks. It comes every hang_ms; more often where link events
 * were asked for, or a receiver wants its kick; never if none of the three is wanted. The packet
 * path pays nothing for it.
 *
 * A block that is the oldest at two looks in a row and not complete, with a link and no PAUSE from
 * the partner, is a hang. The application is told (RTE_ETH_EVENT_INTR_RESET) once, and recovers
 * the port by rte_eth_dev_reset(), or by stop and start.
 *
 * All ones from the status byte's dword is a card that is gone. Whoever reads it first has it
 * reported once, from the interrupt thread, as RTE_ETH_EVENT_INTR_RMV.
 */

#include <rte_alarm.h>

#include <pw_event.h>

#include "i8255x.h"

#define LINK_MS		100	/* a change is told within that */
#define KICK_MS		2000	/* §7 */

/* Units of 8 bytes, added for each look that finds underruns (§3.3). */
#define THRESHOLD_STEP	64u

/* --- removal ------------------------------------------------------------------------------ */

/* A look soon, from where events may be raised. */
void
i8255x_watch_soon(struct rte_eth_dev *eth)
{
	if (!i8255x_adapter_of(eth)->removed)
		rte_eal_alarm_set(1, i8255x_watch, eth);
}

/* --- link --------------------------------------------------------------------------------- */

static bool
same_link(const struct rte_eth_link *a, const struct rte_eth_link *b)
{
	return a->link_status == b->link_status && a->link_speed == b->link_speed &&
	       a->link_duplex == b->link_duplex;
}

/*
 * By way of the ops in force: where the card is a model this lets its time pass. The event tells
 * of what was not told, even if somebody else has seen the change first.
 */
static void
look_at_link(struct rte_eth_dev *eth)
{
	struct i8255x_watch *w = &i8255x_adapter_of(eth)->watch;
	struct rte_eth_link now;

	eth->dev_ops->link_update(eth, 0);
	rte_eth_linkstatus_get(eth, &now);
	if (same_link(&now, &w->told))
		return;
	w->told = now;
	if (eth->data->dev_conf.intr_conf.lsc)
		rte_eth_dev_callback_process(eth, RTE_ETH_EVENT_INTR_LSC, NULL);
}

/* --- hang and underruns ------------------------------------------------------------------- */

/* The oldest block that is not complete; prod if all are. They are freed in groups, and late. */
static uint32_t
tx_at(const struct i8255x_txq *txq)
{
	uint32_t at = txq->q.ring.cons, end = txq->q.ring.prod;

	while (at != end && !i8255x_tx_busy(txq, at))
		at++;
	return at;
}

/* Whether the transmitter is where it was at the last look, and should not be. */
static bool
tx_stands(struct i8255x_adapter *ad, const struct i8255x_txq *txq)
{
	struct i8255x_watch *w = &ad->watch;
	uint32_t at = tx_at(txq);
	bool busy = ad->hw.link.up && ad->pauses == w->pauses && at != txq->q.ring.prod;
	bool stands = busy && w->busy && w->at == at;

	w->busy = busy;
	w->at = at;
	w->pauses = ad->pauses;
	return stands;
}

/* Frames that went out before all of them had come cost another one: wait for more of it. */
static void
answer_underruns(struct i8255x_adapter *ad, struct i8255x_txq *txq)
{
	uint32_t more = RTE_MIN(txq->threshold + THRESHOLD_STEP, I8255X_TX_THRESHOLD_MAX);

	if (ad->underruns == ad->watch.underruns)
		return;
	ad->watch.underruns = ad->underruns;
	if (txq->threshold == more)
		return;
	txq->threshold = more;
	ad->hw.tx_threshold = more;
	ad->sw.tx_threshold++;
}

static void
look_at_tx(struct rte_eth_dev *eth)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	struct i8255x_txq *txq = eth->data->tx_queues[0];

	i8255x_stats_update(ad);
	answer_underruns(ad, txq);
	i8255x_tx_owed(txq);
	if (!tx_stands(ad, txq) || ad->watch.hang_told)
		return;
	ad->watch.hang_told = true;
	pw_event_hang(eth, ad->args.hang_ms);
}

/* --- receiver ----------------------------------------------------------------------------- */

static bool
may_lock_up(const struct i8255x_adapter *ad)
{
	return (ad->hw.flags & I8255X_F_ERR_LOCKUP) != 0;
}

/*
 * Any command frees a receiver that noise has locked up; this one changes nothing (§7). It would
 * only wait behind frames that do not get out: then there is none until they do.
 */
static void
kick(struct i8255x_adapter *ad, const struct i8255x_txq *txq)
{
	struct i8255x_watch *w = &ad->watch;
	uint32_t at = tx_at(txq);
	bool busy = at != txq->q.ring.prod;
	bool moves = !busy || (w->kick_busy && w->kick_at != at);

	w->kick_at = at;
	w->kick_busy = busy;
	if (ad->hw.link.up && moves && i8255x_cmd_set_mc(ad) == 0)
		ad->sw.rx_kicks++;
}

/* --- the alarm ---------------------------------------------------------------------------- */

static uint32_t
sooner(uint32_t a, uint32_t b)
{
	return a == 0 || b < a ? b : a;
}

/* Milliseconds between two looks; 0: none. */
static uint32_t
tick_ms(const struct rte_eth_dev *eth)
{
	const struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	uint32_t ms = ad->args.hang_ms;

	if (eth->data->dev_conf.intr_conf.lsc)
		ms = sooner(ms, LINK_MS);
	if (may_lock_up(ad))
		ms = sooner(ms, KICK_MS);
	return ms;
}

/* Whether what comes every `period` is due `tick` after the last look. */
static bool
due(uint32_t *since, uint32_t tick, uint32_t period)
{
	*since += tick;
	if (period == 0 || *since < period)
		return false;
	*since = 0;
	return true;
}

static bool
arm(struct rte_eth_dev *eth)
{
	uint32_t ms = i8255x_adapter_of(eth)->watch.tick_ms;

	return ms != 0 && rte_eal_alarm_set(ms * 1000ull, i8255x_watch, eth) == 0;
}

/** One look; alarm callback. */
void
i8255x_watch(void *arg)
{
	struct rte_eth_dev *eth = arg;
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	struct i8255x_watch *w = &ad->watch;

	if (i8255x_gone(&ad->hw)) {
		pw_event_removed(eth, &ad->removed);
		return;
	}
	if (!w->on)
		return;
	/* Armed before anybody is told, who may stop the port and start it again. */
	arm(eth);
	look_at_link(eth);
	if (w->on && may_lock_up(ad) && due(&w->kick_ms, w->tick_ms, KICK_MS))
		kick(ad, eth->data->tx_queues[0]);
	if (w->on && due(&w->hang_ms, w->tick_ms, ad->args.hang_ms))
		look_at_tx(eth);
}

/* At the end of start, when the link has been looked at. */
void
i8255x_watch_start(struct rte_eth_dev *eth)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	struct i8255x_watch *w = &ad->watch;

	*w = (struct i8255x_watch){
		.tick_ms = tick_ms(eth),
		.underruns = ad->underruns,
		.pauses = ad->pauses,
	};
	rte_eth_linkstatus_get(eth, &w->told);
	ad->removed = false;
	w->on = w->tick_ms != 0;
	w->on = arm(eth);
}

/* Waits for a look that is under way, unless called from it. */
void
i8255x_watch_stop(struct rte_eth_dev *eth)
{
	i8255x_adapter_of(eth)->watch.on = false;
	rte_eal_alarm_cancel(i8255x_watch, eth);
}
