/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Sending: as many packets as are due, up to a burst. What the port does not take stays in
 * `ready`, and gets a new stamp before it is offered again: latency counts from the moment the
 * port took it.
 */

#include <rte_cycles.h>
#include <rte_ethdev.h>

#include "run.h"

#define COUNTER_LOOKS 16

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

/* Whether the port has counted all that it took; also if that cannot be known. */
static bool
counted_all(struct gen_run *run, const struct gen_sink *sink)
{
	struct pw_port_stats now;
	uint64_t sent = 0;
	unsigned int i;
	int ret;

	for (i = 0; i < run->nb_flows; i++)
		if (run->flow[i].tx_id == sink->id)
			sent += run->flow[i].sent;
	if (!rte_spinlock_trylock(&run->stats_lock))
		return false;
	ret = pw_port_stats(sink->port, &now);
	rte_spinlock_unlock(&run->stats_lock);
	return ret != 0 || now.tx_packets + now.tx_errors - sink->before.tx_packets -
			   sink->before.tx_errors >= sent;
}

/*
 * The ring is full, so not all has been sent. A port whose counter says otherwise counts what it
 * takes. Once is not enough: we may have lost the CPU until the ring was empty.
 */
static void
learn_counting(struct gen_run *run, const struct gen_flow *f)
{
	struct gen_sink *sink = run->sink;

	while (sink->id != f->tx_id)
		sink++;
	if (sink->counts_late || sink->looks == COUNTER_LOOKS)
		return;
	sink->looks++;
	sink->counts_late = !counted_all(run, sink);
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
	if (sent < nb)
		learn_counting(run, f);
	if (sent == 0) {
		wait_for_port(run, f, now);
		return;
	}
	f->progress = now;
	f->last_sent = now;
}

void
gen_send_begin(struct gen_run *run)
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

void
gen_send_due(struct gen_run *run)
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

/*
 * Note when all that a port took has left it: the end of a run that filled the ring. Here and
 * not in the main thread, which may have to wait for a CPU.
 */
static void
watch_ring(struct gen_run *run, struct gen_sink *sink)
{
	if (!counted_all(run, sink))
		return;
	if (sink->looks > 0 && !sink->counts_late && app_tx_waiting(sink->port) > 0)
		return;
	sink->empty_at = rte_rdtsc();
	atomic_store_explicit(&sink->empty, true, memory_order_release);
}

void
gen_send_watch_rings(struct gen_run *run)
{
	unsigned int i;

	for (i = 0; i < run->nb_sinks; i++)
		if (!atomic_load_explicit(&run->sink[i].empty, memory_order_relaxed))
			watch_ring(run, &run->sink[i]);
}
