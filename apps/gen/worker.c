/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The loop that sends and receives. A worker that does both takes turns: the packets that are
 * due, one burst from each port. A port that only sends is polled too, so that what others send
 * to it does not pile up there.
 *
 * A packet that the port does not take stays in `ready`, and gets a new stamp before it is
 * offered again: latency counts from the moment the port took it.
 */

#include <rte_cycles.h>
#include <rte_ethdev.h>

#include "run.h"

/* Fill up `ready` to `want` buffers. @return how many there are. */
static unsigned int
take_buffers(struct gen_flow *f, unsigned int want)
{
	if (f->nb_ready >= want)
		return want;
	if (rte_pktmbuf_alloc_bulk(f->pool, &f->ready[f->nb_ready], want - f->nb_ready) == 0)
		f->nb_ready = want;
	else
		f->no_mbuf++;
	return f->nb_ready;
}

static void
stamp(const struct gen_run *run, struct gen_flow *f, unsigned int nb, uint64_t now)
{
	struct gen_seen what = {.stream = f->stream, .run = run->id, .stamp = now};
	unsigned int i;

	for (i = 0; i < nb; i++) {
		uint16_t len = gen_sizes_at(f->sizes, f->sent + i) - GEN_FCS_LEN;
		struct rte_mbuf *m = f->ready[i];

		m->pkt_len = len;
		m->data_len = len;
		m->ol_flags = f->ol_flags;
		m->tx_offload = f->tx_offload;
		what.seq = f->sent + i;
		gen_frame_stamp(f->layout, rte_pktmbuf_mtod(m, uint8_t *), len, &what);
	}
}

static void
account(struct gen_flow *f, unsigned int offered, unsigned int sent)
{
	unsigned int i;

	gen_pace_spend(&f->pace, f->sizes, f->sent, sent);
	for (i = 0; i < sent; i++)
		f->sent_bytes += gen_sizes_at(f->sizes, f->sent + i);
	f->sent += sent;
	f->nb_ready -= sent;
	if (sent == offered)
		return;
	f->ring_full++;
	for (i = 0; i < f->nb_ready; i++)
		f->ready[i] = f->ready[sent + i];
}

static void
finish(struct gen_flow *f, uint64_t nominal_end)
{
	f->done_at = RTE_MAX(nominal_end, f->last_sent);
	/* done_at before done: the main thread reads them in the other order. */
	atomic_store_explicit(&f->done, true, memory_order_release);
}

/* Nothing is due: is it because all is sent and its time is over? */
static void
rest(struct gen_flow *f, uint64_t now)
{
	uint64_t end = f->sent == f->count ? gen_pace_next(&f->pace) : f->end;

	f->progress = now;
	if (now < end)
		return;
	/* The last packet of a paced flow has its time too: N of them take N times T. */
	if (f->pace.kind != GEN_RATE_MAX)
		end = gen_pace_next(&f->pace);
	finish(f, end);
}

/* The port takes nothing: for now, or for good? */
static void
wait_for_port(const struct gen_run *run, struct gen_flow *f, uint64_t now)
{
	if (now - f->progress <= run->stall_ticks)
		return;
	f->stalled = true;
	finish(f, now);
}

static void
transmit(struct gen_run *run, struct gen_flow *f, uint64_t now)
{
	/* What is due before the end is sent, even if it is late. */
	uint64_t then = RTE_MIN(now, f->end - 1);
	unsigned int nb = RTE_MIN(run->burst, f->count - f->sent), sent;

	if (f->pace.kind == GEN_RATE_MAX && now >= f->end)
		nb = 0;
	nb = gen_pace_due(&f->pace, then, f->sizes, f->sent, nb);
	if (nb == 0) {
		rest(f, now);
		return;
	}
	nb = take_buffers(f, nb);
	stamp(run, f, nb, now);
	if (f->ol_flags != 0)
		nb = rte_eth_tx_prepare(f->tx_id, 0, f->ready, nb);
	/* Before the port has them, as the receiver may be faster than we are. */
	atomic_store_explicit(&f->offered, f->sent + nb, memory_order_release);
	sent = rte_eth_tx_burst(f->tx_id, 0, f->ready, nb);
	account(f, nb, sent);
	if (sent == 0) {
		wait_for_port(run, f, now);
		return;
	}
	f->progress = now;
	f->last_sent = now;
}

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

static void
receive(struct gen_run *run, struct gen_sink *sink)
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

static void
begin(struct gen_run *run)
{
	uint64_t now = rte_rdtsc();
	unsigned int i;

	for (i = 0; i < run->nb_flows; i++) {
		struct gen_flow *f = &run->flow[i];

		f->start = now;
		f->progress = now;
		f->end = f->duration == UINT64_MAX ? UINT64_MAX : now + f->duration;
		gen_pace_start(&f->pace, now);
	}
}

static void
send_due(struct gen_run *run)
{
	bool halt = atomic_load_explicit(&run->halt, memory_order_relaxed);
	unsigned int i;

	for (i = 0; i < run->nb_flows; i++) {
		struct gen_flow *f = &run->flow[i];

		if (atomic_load_explicit(&f->done, memory_order_relaxed))
			continue;
		if (halt)
			finish(f, rte_rdtsc());
		else
			transmit(run, f, rte_rdtsc());
	}
}

int
gen_worker(void *arg)
{
	const struct gen_worker *w = arg;
	struct gen_run *run = w->run;
	unsigned int i;

	if (w->sends)
		begin(run);
	while (!atomic_load_explicit(&run->stop, memory_order_relaxed)) {
		if (w->sends)
			send_due(run);
		for (i = 0; i < run->nb_sinks; i++)
			if (run->sink[i].expects ? w->receives : w->sends)
				receive(run, &run->sink[i]);
	}
	return 0;
}
