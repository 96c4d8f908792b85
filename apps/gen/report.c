/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <math.h>

#include <jansson.h>

#include "app_args.h"
#include "app_json.h"
#include "report.h"

/* For people */

static const char *
pps_text(double pps, char text[32])
{
	/* Slow rates have their fractions. */
	if (pps < 1000)
		snprintf(text, 32, "%.6g", pps);
	else
		app_group(llrint(pps), text);
	return text;
}

void
gen_report_interval(FILE *out, const struct gen_interval *i)
{
	char tx[32], rx[32];

	fprintf(out, "%6.1f s  sent %s pps", i->at_s, pps_text(i->tx_pps, tx));
	if (i->wire_max_pps > 0)
		fprintf(out, " (%.1f %% of the wire)", i->tx_pps * 100 / i->wire_max_pps);
	fprintf(out, ", L2 %.2f L1 %.2f Mbit/s, received %s pps, latency ", i->l2_mbps, i->l1_mbps,
		pps_text(i->rx_pps, rx));
	if (i->samples > 0)
		fprintf(out, "avg %.1f us\n", i->latency_avg_us);
	else
		fprintf(out, "no samples\n");
	fflush(out);
}

static void
rate_line(FILE *out, const char *what, double pps, const struct gen_sizes *sizes,
	  const char *remark)
{
	char text[32];

	fprintf(out, "  %-12s %14s pps  %10.3f Mbit/s L2  %10.3f Mbit/s L1%s\n", what,
		pps_text(pps, text), gen_l2_mbps(pps, sizes), gen_l1_mbps(pps, sizes), remark);
}

static void
report_rates(FILE *out, const struct gen_flow_result *f, const struct gen_sizes *sizes)
{
	char remark[48] = "";

	if (f->paced)
		rate_line(out, "requested", f->requested_pps, sizes, "");
	else
		fprintf(out, "  requested               as fast as possible\n");
	if (f->paced && f->requested_pps > 0)
		snprintf(remark, sizeof(remark), "  (%+.3f %%)",
			 (f->achieved_pps / f->requested_pps - 1) * 100);
	rate_line(out, "achieved", f->achieved_pps, sizes, remark);
	/* What has no wire, as a ring in memory, is faster than the speed it names. */
	if (f->wire_max_pps > 0)
		rate_line(out, "wire maximum", f->wire_max_pps, sizes,
			  f->achieved_pps > f->wire_max_pps ?
			  "  (in name only: this port is faster)" : "");
	else
		fprintf(out, "  wire maximum            not known: the port tells no speed\n");
}

static void
report_latency(FILE *out, const struct gen_latency *l)
{
	char samples[32];

	if (l->samples == 0) {
		fprintf(out, "  latency      no samples\n");
		return;
	}
	fprintf(out, "  latency      min %.1f  avg %.1f  max %.1f  p50 %.1f  p99 %.1f  "
		"p99.9 %.1f us  (%s samples, by software, Tx ring included)\n", l->min_us,
		l->avg_us, l->max_us, l->p50_us, l->p99_us, l->p999_us,
		app_group(l->samples, samples));
}

static void
report_flow(FILE *out, const struct gen_flow_result *f, const struct gen_sizes *sizes)
{
	const char *limit = gen_result_limit(f);
	char a[32], b[32], c[32], d[32], e[32];

	fprintf(out, "%s -> %s\n", f->tx, f->rx);
	report_rates(out, f, sizes);
	fprintf(out, "  sent %s  received %s  lost %s", app_group(f->sent, a),
		app_group(f->received, b), app_group(f->lost, c));
	if (f->sent > 0)
		fprintf(out, " (%.4g %%)", f->lost * 100.0 / f->sent);
	fprintf(out, "  duplicated %s  reordered %s", app_group(f->duplicated, d),
		app_group(f->reordered, e));
	if (f->corrupted > 0)
		fprintf(out, "  damaged %s", app_group(f->corrupted, a));
	if (f->stale > 0)
		fprintf(out, "  too late to tell %s", app_group(f->stale, a));
	fputc('\n', out);
	report_latency(out, &f->latency);
	if (limit != NULL)
		fprintf(out, "  limited by   %s\n", limit);
}

/* Only what went wrong at a port. */
static void
report_port(FILE *out, const struct gen_port_result *p)
{
	const struct {
		const char *what;
		uint64_t nb;
	} drops[] = {
		{"no descriptor free", p->stats.rx_missed},
		{"no buffer free", p->stats.rx_nombuf},
		{"damaged", p->stats.rx_errors},
		{"not sent", p->stats.tx_errors},
	};
	size_t i;

	for (i = 0; i < sizeof(drops) / sizeof(drops[0]); i++)
		if (drops[i].nb > 0)
			fprintf(out, "%s: %lu packets lost at the port: %s\n", p->name, drops[i].nb,
				drops[i].what);
}

void
gen_report(FILE *out, const struct gen_result *r)
{
	unsigned int i;

	for (i = 0; i < r->nb_flows; i++)
		report_flow(out, &r->flow[i], &r->sizes);
	for (i = 0; i < r->nb_ports; i++)
		report_port(out, &r->port[i]);
	if (r->other > 0)
		fprintf(out, "%lu other frames arrived\n", r->other);
	if (r->strayed > 0)
		fprintf(out, "%lu packets arrived at another port than expected\n", r->strayed);
	fflush(out);
}

/* For programs */

static json_t *
rate_json(double pps, const struct gen_sizes *sizes)
{
	return json_pack("{s:f, s:f, s:f}", "pps", pps, "l2_mbps", gen_l2_mbps(pps, sizes),
			 "l1_mbps", gen_l1_mbps(pps, sizes));
}

static json_t *
latency_json(const struct gen_latency *l)
{
	if (l->samples == 0)
		return json_null();
	return json_pack("{s:I, s:f, s:f, s:f, s:f, s:f, s:f}",
			 "samples", (json_int_t)l->samples, "min", l->min_us, "avg", l->avg_us,
			 "max", l->max_us, "p50", l->p50_us, "p99", l->p99_us,
			 "p99_9", l->p999_us);
}

static json_t *
flow_json(const struct gen_flow_result *f, const struct gen_sizes *sizes)
{
	const char *limit = gen_result_limit(f);
	json_t *o = json_object();

	json_object_set_new(o, "tx", json_string(f->tx));
	json_object_set_new(o, "rx", json_string(f->rx));
	app_json_count(o, "link_mbps", f->mbps);
	json_object_set_new(o, "requested",
			    f->paced ? rate_json(f->requested_pps, sizes) : json_null());
	json_object_set_new(o, "achieved", rate_json(f->achieved_pps, sizes));
	json_object_set_new(o, "wire_max",
			    f->wire_max_pps > 0 ? rate_json(f->wire_max_pps, sizes) : json_null());
	json_object_set_new(o, "elapsed_s", json_real(f->elapsed_s));
	app_json_count(o, "sent", f->sent);
	app_json_count(o, "sent_bytes", f->sent_bytes);
	app_json_count(o, "received", f->received);
	app_json_count(o, "received_bytes", f->received_bytes);
	app_json_count(o, "lost", f->lost);
	app_json_count(o, "duplicated", f->duplicated);
	app_json_count(o, "reordered", f->reordered);
	app_json_count(o, "stale", f->stale);
	app_json_count(o, "corrupted", f->corrupted);
	app_json_count(o, "tx_ring_full", f->ring_full);
	app_json_count(o, "tx_no_mbuf", f->no_mbuf);
	app_json_count(o, "fell_behind", f->behind);
	json_object_set_new(o, "limited_by", limit != NULL ? json_string(limit) : json_null());
	json_object_set_new(o, "latency_us", latency_json(&f->latency));
	return o;
}

static json_t *
port_json(const struct gen_port_result *p)
{
	const struct pw_port_stats *s = &p->stats;
	json_t *o = json_object();
	char mac[18];

	snprintf(mac, sizeof(mac), "%02x:%02x:%02x:%02x:%02x:%02x", p->info.mac[0], p->info.mac[1],
		 p->info.mac[2], p->info.mac[3], p->info.mac[4], p->info.mac[5]);
	json_object_set_new(o, "port", json_string(p->name));
	json_object_set_new(o, "device", json_string(p->info.name));
	json_object_set_new(o, "driver", json_string(p->info.driver));
	json_object_set_new(o, "mac", json_string(mac));
	app_json_count(o, "link_mbps", p->mbps);
	app_json_count(o, "link_lost", p->link_lost);
	app_json_count(o, "rxd", p->info.rxd);
	app_json_count(o, "txd", p->info.txd);
	app_json_count(o, "rx_packets", s->rx_packets);
	app_json_count(o, "tx_packets", s->tx_packets);
	app_json_count(o, "rx_missed", s->rx_missed);
	app_json_count(o, "rx_nombuf", s->rx_nombuf);
	app_json_count(o, "rx_errors", s->rx_errors);
	app_json_count(o, "tx_errors", s->tx_errors);
	return o;
}

static json_t *
report_json(const char *mode, enum app_status status, const char *why)
{
	return json_pack("{s:s, s:s, s:s, s:i, s:s}", "program", "pollwire-gen",
			 "version", POLLWIRE_VERSION, "mode", mode, "status", (int)status,
			 "why", why);
}

int
gen_report_json(const char *path, const struct gen_result *r, const char *rate_text,
		enum app_status status, const char *why)
{
	json_t *o = report_json("run", status, why);
	json_t *flows = json_array(), *ports = json_array();
	unsigned int i;

	for (i = 0; i < r->nb_flows; i++)
		json_array_append_new(flows, flow_json(&r->flow[i], &r->sizes));
	for (i = 0; i < r->nb_ports; i++)
		json_array_append_new(ports, port_json(&r->port[i]));
	json_object_set_new(o, "rate", json_string(rate_text));
	json_object_set_new(o, "mean_size", json_real(r->sizes.mean));
	json_object_set_new(o, "interrupted", json_boolean(r->interrupted));
	json_object_set_new(o, "flows", flows);
	json_object_set_new(o, "ports", ports);
	app_json_count(o, "other_frames", r->other);
	app_json_count(o, "strayed", r->strayed);
	return app_json_write(path, o);
}

/* The throughput search */

void
gen_report_trial(FILE *out, const struct gen_trial *t)
{
	char sent[32], lost[32];

	fprintf(out, "%5u B  asked %7.3f %%  offered %7.3f %%  sent %11s  lost %9s  %s\n", t->size,
		t->asked_percent, t->offered_percent, app_group(t->sent, sent),
		app_group(t->lost, lost), t->clean ? "clean" : "too much");
	fflush(out);
}

static void
report_test(FILE *out, const struct gen_throughput *t)
{
	char pps[32], max[32];

	fprintf(out, "%6u  %12s  %12s  %6.2f %%  %9.2f", t->size, app_group(llrint(t->pps), pps),
		app_group(llrint(t->wire_max_pps), max), t->percent,
		t->pps * t->size * 8 / 1e6);
	if (t->latency.samples > 0)
		fprintf(out, "  %8.1f %8.1f %8.1f %8.1f", t->latency.min_us, t->latency.avg_us,
			t->latency.p99_us, t->latency.max_us);
	else
		fprintf(out, "  %8s %8s %8s %8s", "no", "samples", "-", "-");
	fprintf(out, "  %s\n", t->limit);
}

void
gen_report_rfc2544(FILE *out, const struct gen_rfc2544 *r)
{
	unsigned int i;

	fprintf(out, "\n%s -> %s, %u Mbit/s, trials of %g s (RFC 2544 asks for 60 s)\n", r->tx,
		r->rx, r->mbps, r->trial_s);
	fprintf(out, " frame  highest rate       wire's       of     L2      "
		"latency at half that rate [us]\n");
	fprintf(out, "   [B]  no loss [pps]  max [pps]     wire  [Mbit/s]  "
		"     min      avg      p99      max  limited by\n");
	for (i = 0; i < r->nb; i++)
		report_test(out, &r->test[i]);
	fflush(out);
}

static json_t *
trials_json(const struct gen_rfc2544 *r)
{
	json_t *trials = json_array();
	unsigned int i;

	for (i = 0; i < r->nb_trials; i++) {
		const struct gen_trial *t = &r->trial[i];
		json_t *trial = json_pack("{s:i, s:f, s:f, s:b}", "size", t->size, "asked_percent",
					  t->asked_percent, "offered_percent", t->offered_percent,
					  "clean", t->clean);

		app_json_count(trial, "sent", t->sent);
		app_json_count(trial, "lost", t->lost);
		json_array_append_new(trials, trial);
	}
	return trials;
}

int
gen_report_rfc2544_json(const char *path, const struct gen_rfc2544 *r, enum app_status status,
			const char *why)
{
	json_t *o = report_json("rfc2544", status, why), *tests = json_array();
	unsigned int i;

	for (i = 0; i < r->nb; i++) {
		const struct gen_throughput *t = &r->test[i];
		json_t *test = json_pack("{s:i, s:f, s:f, s:f, s:i, s:s, s:f}", "size", t->size,
					 "throughput_pps", t->pps, "wire_max_pps", t->wire_max_pps,
					 "percent", t->percent, "trials", t->trials, "limited_by",
					 t->limit, "latency_at_pps", t->latency_at_pps);

		app_json_count(test, "latency_sent", t->latency_sent);
		app_json_count(test, "latency_lost", t->latency_lost);
		json_object_set_new(test, "latency_us", latency_json(&t->latency));
		json_array_append_new(tests, test);
	}
	json_object_set_new(o, "tx", json_string(r->tx));
	json_object_set_new(o, "rx", json_string(r->rx));
	app_json_count(o, "link_mbps", r->mbps);
	json_object_set_new(o, "trial_s", json_real(r->trial_s));
	json_object_set_new(o, "resolution_percent", json_real(r->resolution));
	json_object_set_new(o, "tests", tests);
	json_object_set_new(o, "trials", trials_json(r));
	return app_json_write(path, o);
}
