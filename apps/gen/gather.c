/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* What came of a run, read when the workers have ended. */

#include <string.h>

#include "run.h"

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

void
gen_run_gather(const struct gen_run *run, const struct gen_task *task, struct gen_result *r)
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
		p->link_lost = sink->link_lost;
		pw_port_stats(sink->port, &p->stats);
		stats_since(&p->stats, &sink->before);
		r->other += sink->other;
		r->strayed += sink->strayed;
	}
	r->nb_ports = run->nb_sinks;
	r->endless = task->count == 0 && task->time_s == 0;
	r->sizes = *task->sizes;
}
