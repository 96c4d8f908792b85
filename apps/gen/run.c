/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_malloc.h>

#include "clock.h"
#include "report.h"
#include "run.h"

#define WATCH_S 0.01		/* how often the main thread looks while packets are sent */
#define DRAIN_WATCH_S 0.0001	/* and how often until the Tx ring is empty: it ends the clock */
#define DRAIN_SPARE_S 0.1
#define STALL_S 2		/* a port that takes nothing for so long has stopped */
#define TX_SPARE 2048u		/* buffers under way beside those in the Tx ring */
#define CKSUM_OFFLOADS (RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM)

/* Set-up */

static uint32_t
longest_frame(const struct gen_args *args)
{
	uint32_t max = args->sizes.max;
	unsigned int i;

	for (i = 0; i < args->nb_tests; i++)
		max = RTE_MAX(max, args->test_size[i]);
	return max;
}

/*
 * A sim on a wire inside this process has nobody to hear from but other ports of ours: where it
 * is named as sender and as receiver, two ends of the wire are meant.
 */
static bool
means_two_ends(const char *spec)
{
	const char *wire = strncmp(spec, "sim:", 4) == 0 ? strstr(spec, ",wire=") : NULL;

	return wire != NULL && strchr(wire, ':') == NULL;
}

/* The port of that name, as a receiver or a sender; equal names are one port as a rule. */
static struct gen_sink *
find_sink(struct gen_run *run, const char *spec, bool receives)
{
	unsigned int i;

	for (i = 0; i < run->nb_sinks; i++)
		if (strcmp(pw_port_name(run->sink[i].port), spec) == 0 &&
		    (run->sink[i].expects == receives || !means_two_ends(spec)))
			return &run->sink[i];
	return NULL;
}

static enum app_status
add_port(struct gen_run *run, const struct gen_args *args, const char *spec, bool receives)
{
	struct pw_port_conf conf = {
		.rxd = args->app.rxd,
		.txd = args->app.txd,
		.max_frame = longest_frame(args),
		.tx_offloads = args->sw_cksum ? 0 : CKSUM_OFFLOADS,
		/* Or the device under test would slow down what is to test it. */
		.no_flow_control = true,
	};
	struct gen_sink *sink;
	enum app_status status;

	sink = find_sink(run, spec, receives);
	if (sink != NULL) {
		sink->expects |= receives;
		return APP_OK;
	}
	sink = &run->sink[run->nb_sinks];
	/* Only where all packets of a port come from one pool. */
	if (args->nb_flows == 1)
		conf.tx_offloads |= RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE;
	status = app_port_add(&run->ports, spec, &conf);
	if (status != APP_OK)
		return status;
	sink->port = run->ports.port[run->ports.nb - 1];
	sink->id = pw_port_id(sink->port);
	sink->expects = receives;
	run->nb_sinks++;
	return APP_OK;
}

static void
fill_buffer(struct rte_mempool *pool __rte_unused, void *layout, void *obj,
	    unsigned int index __rte_unused)
{
	const struct gen_layout *l = layout;
	struct rte_mbuf *m = obj;

	memcpy((uint8_t *)m->buf_addr + RTE_PKTMBUF_HEADROOM, l->bytes,
	       RTE_MIN((size_t)m->buf_len - RTE_PKTMBUF_HEADROOM, sizeof(l->bytes)));
}

static enum app_status
make_pool(struct gen_flow *f, uint32_t longest, uint16_t txd)
{
	uint32_t nb = txd + TX_SPARE, room = RTE_MAX(longest, (uint32_t)RTE_MBUF_DEFAULT_DATAROOM);
	char name[RTE_MEMPOOL_NAMESIZE];

	snprintf(name, sizeof(name), "gen_flow_%u", f->stream);
	f->pool = rte_pktmbuf_pool_create(name, nb, 256, 0, RTE_PKTMBUF_HEADROOM + room,
					  rte_eth_dev_socket_id(f->tx_id));
	if (f->pool == NULL) {
		app_say("port %s: no memory for %u packets of %u bytes to send: smaller --txd, or "
			"more --mem", pw_port_name(f->tx), nb, room);
		return APP_FAILED;
	}
	rte_mempool_obj_iter(f->pool, fill_buffer, f->layout);
	return APP_OK;
}

static enum app_status
make_flow(struct gen_run *run, const struct gen_args *args, unsigned int i)
{
	struct gen_sink *tx = find_sink(run, args->tx[i], false);
	struct gen_sink *rx = find_sink(run, args->rx[i], true);
	struct gen_frame_conf conf = args->frame;
	struct gen_flow *f = &run->flow[i];
	struct pw_port_info tx_info, rx_info;
	bool hw;

	f->tx = tx->port;
	f->rx = rx->port;
	f->tx_id = tx->id;
	f->rx_id = rx->id;
	f->stream = i;
	pw_port_info(f->tx, &tx_info);
	pw_port_info(f->rx, &rx_info);
	if (!args->have_src_mac)
		memcpy(conf.src_mac, tx_info.mac, sizeof(conf.src_mac));
	if (!args->have_dst_mac)
		memcpy(conf.dst_mac, rx_info.mac, sizeof(conf.dst_mac));
	f->layout = malloc(sizeof(*f->layout));
	if (f->layout == NULL) {
		app_say("out of memory");
		return APP_FAILED;
	}
	hw = (tx_info.tx_offloads & CKSUM_OFFLOADS) == CKSUM_OFFLOADS;
	gen_frame_layout(f->layout, &conf, hw);
	if (hw) {
		struct rte_mbuf m = {
			.l2_len = f->layout->l3,
			.l3_len = sizeof(struct rte_ipv4_hdr),
		};

		f->ol_flags = RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_UDP_CKSUM;
		f->tx_offload = m.tx_offload;
	}
	return make_pool(f, longest_frame(args), tx_info.txd);
}

enum app_status
gen_run_open(struct gen_run *run, const struct gen_args *args)
{
	enum app_status status = APP_OK;
	unsigned int i;

	run->burst = args->app.burst;
	run->check = args->check;
	for (i = 0; i < args->nb_flows && status == APP_OK; i++) {
		status = add_port(run, args, args->tx[i], false);
		if (status == APP_OK)
			status = add_port(run, args, args->rx[i], true);
	}
	if (status != APP_OK)
		return status;
	run->flow = rte_zmalloc("gen_flows", args->nb_flows * sizeof(run->flow[0]),
				RTE_CACHE_LINE_SIZE);
	if (run->flow == NULL) {
		app_say("no memory for %u flows: more --mem", args->nb_flows);
		return APP_FAILED;
	}
	for (; run->nb_flows < args->nb_flows && status == APP_OK; run->nb_flows++)
		status = make_flow(run, args, run->nb_flows);
	if (status == APP_OK)
		status = app_ports_wait(&run->ports, args->link_wait_s);
	if (status == APP_OK)
		app_say_memory();
	run->hz = gen_clock_hz();
	run->stall_ticks = STALL_S * run->hz;
	return status;
}

void
gen_run_close(struct gen_run *run)
{
	unsigned int i;

	app_ports_close(&run->ports);
	for (i = 0; i < run->nb_flows; i++) {
		rte_mempool_free(run->flow[i].pool);
		free(run->flow[i].layout);
	}
	rte_free(run->flow);
}

/* Preparing a run */

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
	for (i = 0; i < run->nb_sinks; i++)
		run->sink[i].other = run->sink[i].strayed = 0;
	for (i = 0; i < run->nb_flows && status == APP_OK; i++)
		status = prepare_flow(run, &run->flow[i], task);
	return status;
}

/* Watching a run */

struct totals {
	uint64_t tsc;
	uint64_t tx, rx, samples, latency;
};

static struct totals
read_totals(const struct gen_run *run)
{
	struct totals t = {.tsc = 0};
	struct pw_port_stats stats;
	unsigned int i;

	/* What has left the ports, not what waits in their rings. */
	for (i = 0; i < run->nb_sinks; i++)
		if (pw_port_stats(run->sink[i].port, &stats) == 0)
			t.tx += stats.tx_packets;
	for (i = 0; i < run->nb_flows; i++) {
		t.rx += run->flow[i].seq.unique;
		t.samples += run->flow[i].latency.count;
		t.latency += run->flow[i].latency.sum;
	}
	t.tsc = rte_rdtsc();
	return t;
}

static void
report_interval(const struct gen_run *run, const struct gen_task *task,
		const struct totals *first, struct totals *last)
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

static bool
all_done(struct gen_run *run)
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

	while (!all_done(run)) {
		if (!interrupted && app_sleep(WATCH_S)) {
			interrupted = true;
			atomic_store(&run->halt, true);
		}
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

static uint64_t
sent_by(const struct gen_run *run, const struct gen_sink *sink)
{
	uint64_t sent = 0;
	unsigned int i;

	for (i = 0; i < run->nb_flows; i++)
		if (run->flow[i].tx_id == sink->id)
			sent += run->flow[i].sent;
	return sent;
}

/*
 * Until all that the port took has left it. A port that counts differently, or has lost its
 * link, must not keep us: a full ring of the longest frames takes so long, and no longer.
 */
static void
watch_ring(struct gen_run *run, const struct gen_sink *sink, const struct pw_port_stats *before,
	   const struct gen_task *task)
{
	struct pw_port_stats now = *before;
	struct pw_port_info info;
	struct pw_port_link link;
	double longest = DRAIN_SPARE_S;
	uint64_t limit, sent = sent_by(run, sink);
	unsigned int i;

	pw_port_info(sink->port, &info);
	pw_port_link(sink->port, &link);
	if (link.mbps != 0)
		longest += info.txd * (task->sizes->max + GEN_WIRE_OVERHEAD) * 8 /
			(link.mbps * 1e6);
	limit = rte_rdtsc() + longest * run->hz;
	while (pw_port_stats(sink->port, &now) == 0 && rte_rdtsc() < limit) {
		if (now.tx_packets + now.tx_errors - before->tx_packets - before->tx_errors >= sent)
			break;
		pause_s(DRAIN_WATCH_S);
	}
	/* A paced sender that met no full ring was done at the end of its last packet's time. */
	for (i = 0; i < run->nb_flows; i++)
		if (run->flow[i].tx_id == sink->id &&
		    (run->flow[i].ring_full > 0 || run->flow[i].pace.kind == GEN_RATE_MAX))
			run->flow[i].done_at = RTE_MAX(run->flow[i].done_at, rte_rdtsc());
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

/* Results */

static double
to_us(const struct gen_run *run, double ticks)
{
	return ticks * 1e6 / run->hz;
}

static void
latency_result(const struct gen_run *run, const struct gen_hist *h, struct gen_latency *l)
{
	memset(l, 0, sizeof(*l));
	l->samples = h->count;
	if (h->count == 0)
		return;
	l->min_us = to_us(run, h->min);
	l->avg_us = to_us(run, (double)h->sum / h->count);
	l->max_us = to_us(run, h->max);
	l->p50_us = to_us(run, gen_hist_percentile(h, 0.5));
	l->p99_us = to_us(run, gen_hist_percentile(h, 0.99));
	l->p999_us = to_us(run, gen_hist_percentile(h, 0.999));
}

static void
flow_result(const struct gen_run *run, const struct gen_flow *f, const struct gen_task *task,
	    struct gen_flow_result *r)
{
	struct pw_port_link link;

	pw_port_link(f->tx, &link);
	memset(r, 0, sizeof(*r));
	r->tx = pw_port_name(f->tx);
	r->rx = pw_port_name(f->rx);
	r->mbps = link.mbps;
	r->paced = task->rate->kind != GEN_RATE_MAX;
	r->wire_max_pps = gen_wire_max_pps(link.mbps, task->sizes);
	if (r->paced)
		r->requested_pps = gen_rate_pps(task->rate, link.mbps, task->sizes);
	r->elapsed_s = (double)(f->done_at - f->start) / run->hz;
	r->achieved_pps = r->elapsed_s > 0 ? f->sent / r->elapsed_s : 0;
	r->asked = task->count;
	r->sent = f->sent;
	r->sent_bytes = f->sent_bytes;
	r->received = f->seq.unique;
	r->received_bytes = f->received_bytes;
	r->lost = gen_seq_lost(&f->seq, f->sent);
	r->lost -= RTE_MIN(r->lost, f->corrupted);
	r->duplicated = f->seq.duplicated;
	r->reordered = f->seq.reordered;
	r->stale = f->seq.stale;
	r->corrupted = f->corrupted;
	r->ring_full = f->ring_full;
	r->no_mbuf = f->no_mbuf;
	r->behind = gen_pace_behind(&f->pace, task->sizes);
	r->stalled = f->stalled;
	latency_result(run, &f->latency, &r->latency);
}

static void
stats_since(struct pw_port_stats *now, const struct pw_port_stats *before)
{
	now->rx_packets -= before->rx_packets;
	now->rx_bytes -= before->rx_bytes;
	now->tx_packets -= before->tx_packets;
	now->tx_bytes -= before->tx_bytes;
	now->rx_missed -= before->rx_missed;
	now->rx_nombuf -= before->rx_nombuf;
	now->rx_errors -= before->rx_errors;
	now->tx_errors -= before->tx_errors;
}

static void
gather(const struct gen_run *run, const struct gen_task *task,
       const struct pw_port_stats *before, struct gen_result *r)
{
	struct pw_port_link link;
	unsigned int i;

	for (i = 0; i < run->nb_flows; i++)
		flow_result(run, &run->flow[i], task, &r->flow[i]);
	r->nb_flows = run->nb_flows;
	for (i = 0; i < run->nb_sinks; i++) {
		const struct gen_sink *sink = &run->sink[i];
		struct gen_port_result *p = &r->port[i];

		p->name = pw_port_name(sink->port);
		pw_port_info(sink->port, &p->info);
		pw_port_link(sink->port, &link);
		p->mbps = link.mbps;
		pw_port_stats(sink->port, &p->stats);
		stats_since(&p->stats, &before[i]);
		r->other += sink->other;
		r->strayed += sink->strayed;
	}
	r->nb_ports = run->nb_sinks;
	r->endless = task->count == 0 && task->time_s == 0;
	r->sizes = *task->sizes;
}

enum app_status
gen_run_go(struct gen_run *run, const struct gen_task *task, struct gen_result *result)
{
	struct pw_port_stats before[2 * GEN_MAX_FLOWS];
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
	for (i = 0; i < run->nb_sinks; i++)
		pw_port_stats(run->sink[i].port, &before[i]);

	if (app_workers_run(&workers, gen_worker, args, run->nb_workers) == 0) {
		result->interrupted = watch_sending(run, task);
		for (i = 0; i < run->nb_sinks; i++)
			watch_ring(run, &run->sink[i], &before[i], task);
		watch_arrivals(run, task->drain_s);
	} else {
		app_say("a worker thread does not start");
		status = APP_FAILED;
	}
	atomic_store(&run->stop, true);
	app_workers_join(&workers);
	for (i = 0; i < run->nb_flows; i++)
		rte_pktmbuf_free_bulk(run->flow[i].ready, run->flow[i].nb_ready);
	gather(run, task, before, result);
	return status;
}
