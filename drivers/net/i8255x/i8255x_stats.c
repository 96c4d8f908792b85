/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Statistics (§3.6, §8).
 *
 * The chip has 16 counters of 32 bits, 21 at most, and writes them to memory when told to, and
 * begins anew at 0. They are added up here in 64 bits and go on counting across stop and start.
 * At 148810 frames a second a counter lasts eight hours; the watch looks more often than that.
 *
 * It counts no bytes, and packets only as far as its own business goes. Packets and bytes are
 * those of the burst functions, each counted in its queue; when the port stops the bases move
 * by as much as the queues begin anew.
 */

#include "i8255x.h"

#define XSTAT(field, text) { text, offsetof(struct i8255x_stats, field) },
#define XSTAT_SW(field, text) { text, offsetof(struct i8255x_stats, sw.field) },
#define ONE(field, text) + 1

/* In the order in which older parts have less. */
static const struct pw_xstat xstats_table[] = {
	I8255X_STATS_ALL(XSTAT)
	I8255X_STATS_SW(XSTAT_SW)
	I8255X_STATS_FC(XSTAT)
	I8255X_STATS_TCO(XSTAT)
};

/* --- packets and bytes -------------------------------------------------------------------- */

enum { RX, TX };

/*
 * What the queues have counted since they were set up or the port was stopped. Packets sent are
 * the chip's to count: what left, not what was handed over.
 */
static void
queue_counts(const struct rte_eth_dev *eth, uint64_t *rx_packets, uint64_t bytes[2])
{
	const struct rte_eth_dev_data *data = eth->data;
	const struct i8255x_rxq *rxq = data->nb_rx_queues > 0 ? data->rx_queues[0] : NULL;
	const struct i8255x_txq *txq = data->nb_tx_queues > 0 ? data->tx_queues[0] : NULL;

	*rx_packets = rxq != NULL ? rxq->packets : 0;
	bytes[RX] = rxq != NULL ? rxq->bytes : 0;
	bytes[TX] = txq != NULL ? txq->bytes : 0;
}

/* The queues, which may go, begin anew; the sums do not. stats_lock held. */
static void
fold_queues(struct rte_eth_dev *eth)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	struct i8255x_rxq *rxq = eth->data->rx_queues[0];
	struct i8255x_txq *txq = eth->data->tx_queues[0];
	uint64_t packets, bytes[2];

	queue_counts(eth, &packets, bytes);
	ad->base_packets -= packets;
	ad->base_bytes[RX] -= bytes[RX];
	ad->base_bytes[TX] -= bytes[TX];
	if (rxq != NULL)
		rxq->packets = rxq->bytes = 0;
	if (txq != NULL)
		txq->bytes = 0;
}

/* --- the chip's --------------------------------------------------------------------------- */

static void
add_dump(struct i8255x_adapter *ad, const struct i8255x_stats_dump *dump)
{
	struct i8255x_stats *s = &ad->stats;

#define ADD32(field, text) s->field += rte_le_to_cpu_32(dump->field);
#define ADD16(field, text) s->field += rte_le_to_cpu_16(dump->field);
	I8255X_STATS_ALL(ADD32)
	if (ad->hw.flags & I8255X_F_EXT_STATS) {
		I8255X_STATS_FC(ADD32)
	}
	if (ad->hw.flags & I8255X_F_TCO_STATS) {
		I8255X_STATS_TCO(ADD16)
	}
#undef ADD32
#undef ADD16
	ad->underruns += rte_le_to_cpu_32(dump->tx_underrun);
	ad->pauses += ad->hw.flags & I8255X_F_EXT_STATS ?
		      rte_le_to_cpu_32(dump->fc_rx_pause) : 0;
}

static void
fold_sw(struct i8255x_adapter *ad)
{
	struct i8255x_sw_stats *sw = &ad->sw;

	sw->tx_linearized = ad->dma.linearized;
	sw->tx_bounced = ad->dma.bounced;
	sw->tx_load_failed = ad->dma.load_failed;
#define SINCE_RESET(field, text) ad->stats.sw.field = sw->field - ad->sw_base.field;
	I8255X_STATS_SW(SINCE_RESET)
#undef SINCE_RESET
}

/* Reset has cleared the counters of a port that is stopped, and nobody counts. */
static int
update(struct i8255x_adapter *ad)
{
	struct i8255x_stats_dump dump;
	int rc = 0;

	fold_sw(ad);
	if (ad->started) {
		rc = i8255x_cmd_dump_stats(ad, &dump);
		if (rc == 0)
			add_dump(ad, &dump);
	}
	return rc;
}

/**
 * Take what the chip has counted. Two who ask at once, in this process or another, would each
 * get a part: control threads of all processes come through here.
 *
 * @return 0; -ETIMEDOUT if the chip did not answer, -ENODEV if it is gone: then nothing is lost
 *   but what it keeps.
 */
int
i8255x_stats_update(struct i8255x_adapter *ad)
{
	int rc;

	rte_spinlock_lock(&ad->stats_lock);
	rc = update(ad);
	rte_spinlock_unlock(&ad->stats_lock);
	return rc;
}

/* Before reset, which clears the chip's counters, and before queues may be released. */
void
i8255x_stats_stop(struct rte_eth_dev *eth)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);

	rte_spinlock_lock(&ad->stats_lock);
	update(ad);
	fold_queues(eth);
	rte_spinlock_unlock(&ad->stats_lock);
}

/* --- ethdev ------------------------------------------------------------------------------- */

int
i8255x_stats_get(PW_STATS_GET_ARGS(eth, stats))
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	const struct i8255x_stats *s = &ad->stats;
	uint64_t packets, bytes[2];

	rte_spinlock_lock(&ad->stats_lock);
	update(ad);
	queue_counts(eth, &packets, bytes);
	stats->ipackets = packets - ad->base_packets;
	stats->ibytes = bytes[RX] - ad->base_bytes[RX];
	stats->opackets = s->tx_good;
	stats->obytes = bytes[TX] - ad->base_bytes[TX];
	/* QEMU takes the frame that an RFD of size 0 should have stopped (§1.3). */
	stats->imissed = s->rx_resource + s->rx_overrun + s->sw.rx_empty;
	stats->ierrors = s->rx_crc + s->rx_align + s->rx_short + s->rx_cdt + s->sw.rx_oversize;
	stats->oerrors = s->tx_max_coll + s->tx_late_coll + s->tx_underrun +
			 s->tx_lost_carrier + s->sw.tx_dropped;
	stats->rx_nombuf = s->sw.rx_nombuf;
	rte_spinlock_unlock(&ad->stats_lock);
	return 0;
}

int
i8255x_stats_reset(struct rte_eth_dev *eth)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);

	rte_spinlock_lock(&ad->stats_lock);
	update(ad);
	ad->sw_base = ad->sw;
	queue_counts(eth, &ad->base_packets, ad->base_bytes);
	memset(&ad->stats, 0, sizeof(ad->stats));
	rte_spinlock_unlock(&ad->stats_lock);
	return 0;
}

static unsigned int
xstats_num(const struct i8255x_adapter *ad)
{
	unsigned int n = RTE_DIM(xstats_table);

	if ((ad->hw.flags & I8255X_F_TCO_STATS) == 0)
		n -= 0 I8255X_STATS_TCO(ONE);
	if ((ad->hw.flags & I8255X_F_EXT_STATS) == 0)
		n -= 0 I8255X_STATS_FC(ONE);
	return n;
}

int
i8255x_xstats_get(struct rte_eth_dev *eth, struct rte_eth_xstat *xstats, unsigned int n)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);

	i8255x_stats_update(ad);
	return pw_xstats_get(&ad->stats, xstats_table, xstats_num(ad), xstats, n);
}

int
i8255x_xstats_get_names(struct rte_eth_dev *eth, struct rte_eth_xstat_name *names,
			unsigned int n)
{
	return pw_xstats_get_names(xstats_table, xstats_num(i8255x_adapter_of(eth)), names, n);
}
