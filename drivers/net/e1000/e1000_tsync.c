/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * IEEE 1588 time stamps of 82574 and 82583 (§2.7). The chip has a 64-bit counter that grows by
 * 40 * 2^18 with each tick of its 25 MHz clock, so it counts nanoseconds in units of 2^-18. It
 * keeps one stamp a direction until software has taken it: of the packet that asked for it on
 * transmit, of an event message of PTP version 2, in Ethernet or UDP, on receive.
 *
 * The time that ethdev shows is a base taken together with a counter value, plus what the
 * counter has moved since, to either side: a stamp may be older than the base. The base moves on
 * whenever the time is read; within nine hours it has to be.
 */

#include <rte_time.h>

#include "e1000.h"

#define TICK_NS			40u
#define NS_SHIFT		18
#define INCREMENT		(TICK_NS << NS_SHIFT)
#define PTP_PORT		319	/* event messages (IEEE 1588 annex D) */

/* The counter may read wrong while its halves are latched (§7): reads are repeated this often. */
#define READ_TRIES		50
/* Two reads are closer than this, about 130 ms. */
#define READ_DISTANCE		(UINT64_C(1) << 35)

/* --- the counter --------------------------------------------------------------------------- */

static uint64_t
read_once(const struct pw_io *io)
{
	uint32_t low = pw_read32(io, E1000_SYSTIML), high = pw_read32(io, E1000_SYSTIMH);
	uint32_t again;

	/* Near its end the low half may have wrapped in between. */
	if (low >= UINT32_MAX - INCREMENT) {
		again = pw_read32(io, E1000_SYSTIML);
		if (again < low) {
			low = again;
			high = pw_read32(io, E1000_SYSTIMH);
		}
	}
	return (uint64_t)high << 32 | low;
}

/* Two reads that agree: a short way apart, and by whole ticks. */
static uint64_t
read_counter(const struct pw_io *io)
{
	uint64_t last = read_once(io);

	for (unsigned int i = 0; i < READ_TRIES; i++) {
		uint64_t now = read_once(io), moved = now - last;

		last = now;
		if (moved < READ_DISTANCE && moved % INCREMENT == 0)
			break;
	}
	return last;
}

static uint64_t
counter_to_ns(const struct e1000_tsync *t, uint64_t count)
{
	return t->base_ns + ((int64_t)(count - t->base_count) >> NS_SHIFT);
}

/* Move the base to now. @return the time. */
static uint64_t
rebase(struct e1000_adapter *ad)
{
	struct e1000_tsync *t = &ad->tsync;
	uint64_t count = read_counter(ad->hw.io);

	t->base_ns = counter_to_ns(t, count);
	t->base_count = count;
	return t->base_ns;
}

/* --- on and off ---------------------------------------------------------------------------- */

/* The packet path's share; it may run. */
static void
set_queues(struct rte_eth_dev *eth, bool on)
{
	for (uint16_t q = 0; q < eth->data->nb_rx_queues; q++) {
		struct e1000_rxq *rxq = eth->data->rx_queues[q];

		if (rxq == NULL)
			continue;
		rxq->stamp_flags = on ? RTE_MBUF_F_RX_IEEE1588_PTP | RTE_MBUF_F_RX_IEEE1588_TMST :
					0;
	}
	for (uint16_t q = 0; q < eth->data->nb_tx_queues; q++) {
		struct e1000_txq *txq = eth->data->tx_queues[q];

		if (txq == NULL)
			continue;
		txq->ol_mask &= ~RTE_MBUF_F_TX_IEEE1588_TMST;
		if (on)
			txq->ol_mask |= RTE_MBUF_F_TX_IEEE1588_TMST;
	}
}

/* After reset, which stops the counter: the time stands still until here. */
void
e1000_tsync_start(struct rte_eth_dev *eth)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	const struct pw_io *io = ad->hw.io;

	if (!ad->tsync.on)
		return;
	pw_write32(io, E1000_TIMINCA, 1u << E1000_TIMINCA_PERIOD_SHIFT | INCREMENT);
	pw_write32(io, E1000_RXMTRL, E1000_RXMTRL_ETYPE);
	/* In the order of the wire. */
	pw_write32(io, E1000_RXUDP, (PTP_PORT & 0xff) << 8 | PTP_PORT >> 8);
	pw_write32(io, E1000_TSYNCRXCTL, E1000_TSYNCRXCTL_EN | E1000_TSYNCRXCTL_TYPE_EVENT_V2);
	pw_write32(io, E1000_TSYNCTXCTL, E1000_TSYNCTXCTL_EN);
	/* A stamp that is left over would keep the next one out. */
	(void)pw_read32(io, E1000_RXSTMPH);
	(void)pw_read32(io, E1000_TXSTMPH);
	ad->tsync.base_count = read_counter(io);
	set_queues(eth, true);
}

/* Before reset: keep the time. */
void
e1000_tsync_stop(struct rte_eth_dev *eth)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);

	if (ad->tsync.on && !e1000_gone(&ad->hw))
		rebase(ad);
}

int
e1000_timesync_enable(struct rte_eth_dev *eth)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);

	if ((ad->hw.flags & E1000_F_TSYNC) == 0)
		return -ENOTSUP;
	if (!eth->data->dev_started) {
		PW_LOG(ERR, "%s: time stamps need a running port: start it first", ad->dev.name);
		return -EINVAL;
	}
	if (!e1000_tx_wants_full(eth)) {
		PW_LOG(ERR, "%s: the plain Tx path takes no time stamps: start the port with "
			    "another Tx offload besides fast free, multi-segment say",
		       ad->dev.name);
		return -EBUSY;
	}
	ad->tsync = (struct e1000_tsync){ .on = true };
	e1000_tsync_start(eth);
	return 0;
}

int
e1000_timesync_disable(struct rte_eth_dev *eth)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);

	if ((ad->hw.flags & E1000_F_TSYNC) == 0)
		return -ENOTSUP;
	ad->tsync.on = false;
	set_queues(eth, false);
	pw_write32(ad->hw.io, E1000_TSYNCRXCTL, 0);
	pw_write32(ad->hw.io, E1000_TSYNCTXCTL, 0);
	return 0;
}

/* --- time and stamps ----------------------------------------------------------------------- */

static int
check_on(const struct e1000_adapter *ad)
{
	if ((ad->hw.flags & E1000_F_TSYNC) == 0)
		return -ENOTSUP;
	return ad->tsync.on ? 0 : -EINVAL;
}

int
e1000_timesync_read_time(struct rte_eth_dev *eth, struct timespec *ts)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	int rc = check_on(ad);

	if (rc == 0)
		*ts = rte_ns_to_timespec(rebase(ad));
	return rc;
}

int
e1000_timesync_write_time(struct rte_eth_dev *eth, const struct timespec *ts)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	int rc = check_on(ad);

	if (rc != 0)
		return rc;
	rebase(ad);
	ad->tsync.base_ns = rte_timespec_to_ns(ts);
	return 0;
}

int
e1000_timesync_adjust_time(struct rte_eth_dev *eth, int64_t delta)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	int rc = check_on(ad);

	if (rc == 0)
		ad->tsync.base_ns += delta;
	return rc;
}

/* A stamp, if there is one; its high half, read last, lets the next one in. */
static int
take_stamp(struct rte_eth_dev *eth, uint32_t ctl, uint32_t low, uint32_t high,
	   struct timespec *ts)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	const struct pw_io *io = ad->hw.io;
	int rc = check_on(ad);
	uint64_t count;

	if (rc != 0)
		return rc;
	if ((pw_read32(io, ctl) & E1000_TSYNCRXCTL_VALID) == 0)
		return -EINVAL;
	count = pw_read32(io, low);
	count |= (uint64_t)pw_read32(io, high) << 32;
	*ts = rte_ns_to_timespec(counter_to_ns(&ad->tsync, count));
	return 0;
}

int
e1000_timesync_read_rx(struct rte_eth_dev *eth, struct timespec *ts, uint32_t flags __rte_unused)
{
	return take_stamp(eth, E1000_TSYNCRXCTL, E1000_RXSTMPL, E1000_RXSTMPH, ts);
}

int
e1000_timesync_read_tx(struct rte_eth_dev *eth, struct timespec *ts)
{
	return take_stamp(eth, E1000_TSYNCTXCTL, E1000_TXSTMPL, E1000_TXSTMPH, ts);
}
