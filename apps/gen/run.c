/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* A run as the main thread sees it: prepare, watch, end. */

#include <string.h>
#include <time.h>

#include <rte_cycles.h>
#include <rte_mbuf.h>
#include <rte_spinlock.h>

#include "report.h"
#include "run.h"

#define WATCH_S 0.01		/* how often the main thread looks while packets are sent */
#define DRAIN_WATCH_S 0.0001	/* and how often until the Tx rings are empty */
#define DRAIN_SPARE_S 1

static enum app_status
check_rate(const struct gen_flow *f, const struct gen_task *task, uint32_t mbps)
{
	double max = gen_wire_max_pps(mbps, task->sizes);

	if (task->rate->kind == GEN_RATE_MAX)
		return APP_OK;
	if (task->rate->kind == GEN_RATE_WIRE && mbps == 0) {
		app_say("port %s does not tell its speed: give the rate in pps or Mbps",
			pw_port_name(f->tx));
		return APP_USAGE;
	}
	if (mbps != 0 && gen_rate_pps(task->rate, mbps, task->sizes) > max * 1.000000001) {
		app_say("port %s: a wire of %u Mbit/s carries no more than %.0f such packets per "
			"second: a lower --rate, or max", pw_port_name(f->tx), mbps, max);
		return APP_USAGE;
	}
	return APP_OK;
}

static enum app_status
prepare_flow(struct gen_run *run, struct gen_flow *f, const struct gen_task *task)
{
	struct pw_port_link link;
	enum app_status status;

	pw_port_link(f->tx, &link);
	status = check_rate(f, task, link.mbps);
	if (status != APP_OK)
		return status;
	gen_pace_init(&f->pace, task->rate, link.mbps, run->hz, task->catch_up_us, task->sizes);
	f->sizes = task->sizes;
	f->count = task->count != 0 ? task->count : UINT64_MAX;
	f->duration = task->time_s != 0 ? (uint64_t)(task->time_s * run->hz) : UINT64_MAX;
	f->sent = f->sent_bytes = f->ring_full = f->no_mbuf = f->last_sent = 0;
	f->stalled = false;
	f->nb_ready = 0;
	atomic_store(&f->done, false);
	atomic_store(&f->offered, 0);
	gen_seq_init(&f->seq);
	gen_hist_init(&f->latency);
	f->received_bytes = f->corrupted = f->last_arrival = 0;
	return APP_OK;
}

static enum app_status
prepare(struct gen_run *run, const struct gen_task *task)
{
	enum app_status status = APP_OK;
	unsigned int i;

	run->id++;
	atomic_store(&run->halt, false);
	atomic_store(&run->stop, false);
	for (i = 0; i < run->nb_sinks; i++) {
		struct gen_sink *sink = &run->sink[i];

		sink->other = sink->strayed = 0;
		sink->looks = 0;
		sink->counts_late = false;
		atomic_store(&sink->empty, false);
		pw_port_stats(sink->port, &sink->before);
	}
	for (i = 0; i < run->nb_flows && status == APP_OK; i++)
		status = prepare_flow(run, &run->flow[i], task);
	return status;
}

struct totals {
	uint64_t tsc;
	uint64_t tx, rx, samples, latency;
};

static struct totals
read_totals(struct gen_run *run)
{
	struct totals t = {.tsc = 0};
	struct pw_port_stats stats;
	unsigned int i;

	/* What has left the ports, not what waits in their rings. */
	for (i = 0; i < run->nb_sinks; i++) {
		rte_spinlock_lock(&run->stats_lock);
		if (pw_port_stats(run->sink[i].port, &stats) == 0)
			t.tx += stats.tx_packets;
		rte_spinlock_unlock(&run->stats_lock);
	}
	for (i = 0; i < run->nb_flows; i++) {
		t.rx += run->flow[i].seq.unique;
		t.samples += run->flow[i].latency.count;
		t.latency += run->flow[i].latency.sum;
	}
	t.tsc = rte_rdtsc();
	return t;
}

static void
report_interval(struct gen_run *run, const struct gen_task *task, const struct totals *first,
		struct totals *last)
{
	struct totals now = read_totals(run);
	double s = (double)(now.tsc - last->tsc) / run->hz;
	struct gen_interval i = {
		.at_s = (double)(now.tsc - first->tsc) / run->hz,
		.tx_pps = (now.tx - last->tx) / s,
		.rx_pps = (now.rx - last->rx) / s,
		.samples = now.samples - last->samples,
	};
	struct pw_port_link link;
	unsigned int n;

	if (i.samples > 0)
		i.latency_avg_us = (now.latency - last->latency) * 1e6 / run->hz / i.samples;
	for (n = 0; n < run->nb_flows; n++) {
		pw_port_link(run->flow[n].tx, &link);
		i.wire_max_pps += gen_wire_max_pps(link.mbps, task->sizes);
	}
	i.l2_mbps = gen_l2_mbps(i.tx_pps, task->sizes);
	i.l1_mbps = gen_l1_mbps(i.tx_pps, task->sizes);
	gen_report_interval(task->out, &i);
	*last = now;
}

bool
gen_run_all_sent(struct gen_run *run)
{
	unsigned int i;

	for (i = 0; i < run->nb_flows; i++)
		if (!atomic_load_explicit(&run->flow[i].done, memory_order_acquire))
			return false;
	return true;
}

/* @return whether a signal has ended it. */
static bool
watch_sending(struct gen_run *run, const struct gen_task *task)
{
	struct totals first = read_totals(run), last = first;
	uint64_t step = task->stats_s * run->hz, next = first.tsc + step;
	bool interrupted = false;

	gen_links_begin(run);
	while (!gen_run_all_sent(run)) {
		if (!interrupted && app_sleep(WATCH_S)) {
			interrupted = true;
			atomic_store(&run->halt, true);
		}
		gen_links_watch(run, (double)(rte_rdtsc() - first.tsc) / run->hz);
		if (step == 0 || rte_rdtsc() < next)
			continue;
		report_interval(run, task, &first, &last);
		next += step;
	}
	return interrupted;
}

static void
pause_s(double seconds)
{
	struct timespec t = {.tv_nsec = seconds * 1e9};

	nanosleep(&t, NULL);
}

/* Seconds that a full ring of the longest frames takes on the slowest of the links. */
static double
longest_drain(const struct gen_run *run, const struct gen_task *task)
{
	double bits, longest = 0;
	struct pw_port_info info;
	struct pw_port_link link;
	unsigned int i;

	for (i = 0; i < run->nb_sinks; i++) {
		pw_port_info(run->sink[i].port, &info);
		pw_port_link(run->sink[i].port, &link);
		bits = info.txd * (task->sizes->max + GEN_WIRE_OVERHEAD) * 8.0;
		if (link.mbps != 0)
			longest = RTE_MAX(longest, bits / (link.mbps * 1e6));
	}
	return longest + DRAIN_SPARE_S;
}

/* A paced sender that met no full ring was done at the end of its last packet's time. */
static void
end_with_ring(struct gen_flow *f, uint64_t empty_at)
{
	if (f->ring_full > 0 || f->pace.kind == GEN_RATE_MAX)
		f->done_at = RTE_MAX(f->done_at, empty_at);
}

/*
 * Until all that the ports took has left them, as the worker sees it. A port that counts
 * differently, or has lost its link, must not keep us: a full ring of the longest frames takes
 * so long, and no longer.
 */
static void
watch_rings(struct gen_run *run, const struct gen_task *task)
{
	uint64_t limit = rte_rdtsc() + run->hz * longest_drain(run, task);
	unsigned int i = 0, n;

	while (i < run->nb_sinks && rte_rdtsc() < limit) {
		if (atomic_load_explicit(&run->sink[i].empty, memory_order_acquire))
			i++;
		else
			pause_s(DRAIN_WATCH_S);
	}
	for (i = 0; i < run->nb_sinks; i++) {
		const struct gen_sink *sink = &run->sink[i];
		uint64_t end = atomic_load(&sink->empty) ? sink->empty_at : limit;

		for (n = 0; n < run->nb_flows; n++)
			if (run->flow[n].tx_id == sink->id)
				end_with_ring(&run->flow[n], end);
	}
}

static bool
all_arrived(const struct gen_run *run, uint64_t *last_arrival)
{
	bool all = true;
	unsigned int i;

	for (i = 0; i < run->nb_flows; i++) {
		const struct gen_flow *f = &run->flow[i];

		*last_arrival = RTE_MAX(*last_arrival, f->last_arrival);
		if (f->seq.unique + f->seq.stale + f->corrupted < f->sent)
			all = false;
	}
	return all;
}

static void
watch_arrivals(const struct gen_run *run, double drain_s)
{
	uint64_t last = rte_rdtsc();

	while (!all_arrived(run, &last) && rte_rdtsc() < last + drain_s * run->hz)
		pause_s(WATCH_S / 10);
}

enum app_status
gen_run_go(struct gen_run *run, const struct gen_task *task, struct gen_result *result)
{
	struct gen_worker worker[2] = {
		{.run = run, .sends = true, .receives = run->nb_workers == 1},
		{.run = run, .receives = true},
	};
	void *const args[] = {&worker[0], &worker[1]};
	enum app_status status = prepare(run, task);
	struct app_workers workers;
	unsigned int i;

	memset(result, 0, sizeof(*result));
	if (status != APP_OK)
		return status;
	if (app_workers_run(&workers, gen_worker, args, run->nb_workers) == 0) {
		result->interrupted = watch_sending(run, task);
		watch_rings(run, task);
		watch_arrivals(run, task->drain_s);
	} else {
		app_say("a worker thread does not start");
		status = APP_FAILED;
	}
	atomic_store(&run->stop, true);
	app_workers_join(&workers);
	for (i = 0; i < run->nb_flows; i++)
		rte_pktmbuf_free_bulk(run->flow[i].ready, run->flow[i].nb_ready);
	gen_run_gather(run, task, result);
	return status;
}
