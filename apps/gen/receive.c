/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* Receiving: whose is it, has it been here before, how long did it take. */

#include <rte_cycles.h>
#include <rte_ethdev.h>

#include "run.h"

static bool
is_intact(const struct gen_flow *f, const struct rte_mbuf *m)
{
	uint8_t copy[GEN_MAX_LEN];
	const uint8_t *frame;

	if (m->pkt_len > GEN_MAX_LEN)
		return false;
	frame = rte_pktmbuf_read(m, 0, m->pkt_len, copy);
	return frame != NULL && gen_frame_intact(f->layout, frame, m->pkt_len);
}

static void
count(struct gen_run *run, struct gen_sink *sink, const struct rte_mbuf *m, uint64_t now)
{
	enum gen_seq_verdict verdict;
	struct gen_flow *f;
	struct gen_seen seen;

	if (!gen_frame_read(rte_pktmbuf_mtod(m, uint8_t *), m->data_len, m->pkt_len, &seen) ||
	    seen.run != run->id || seen.stream >= run->nb_flows) {
		sink->other++;
		return;
	}
	f = &run->flow[seen.stream];
	if (f->rx_id != sink->id) {
		sink->strayed++;
		return;
	}
	/* A damaged packet is no arrival: its number may be what is damaged. */
	if (run->check && !is_intact(f, m)) {
		f->corrupted++;
		return;
	}
	verdict = gen_seq_arrive(&f->seq, seen.seq,
				 atomic_load_explicit(&f->offered, memory_order_acquire));
	f->last_arrival = now;
	if (verdict == GEN_SEQ_NEVER_SENT)
		f->corrupted++;
	if (verdict != GEN_SEQ_NEW && verdict != GEN_SEQ_REORDERED)
		return;
	f->received_bytes += m->pkt_len + GEN_FCS_LEN;
	gen_hist_add(&f->latency, gen_stamp_age(seen.stamp, now));
}

void
gen_receive(struct gen_run *run, struct gen_sink *sink)
{
	struct rte_mbuf *m[APP_MAX_BURST];
	uint16_t nb = rte_eth_rx_burst(sink->id, 0, m, run->burst), i;
	uint64_t now;

	if (nb == 0)
		return;
	now = rte_rdtsc();
	for (i = 0; i < nb; i++)
		count(run, sink, m[i], now);
	rte_pktmbuf_free_bulk(m, nb);
}
