/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <math.h>
#include <stdlib.h>

#include "report.h"
#include "rfc2544.h"
#include "run.h"
#include "search.h"

/*
 * In a trial nothing is made up for that is much more than a burst late, unless the user says
 * so: packets one after another at full speed would test the device at another rate than the
 * trial's. What was not offered shows.
 */
#define CATCH_UP_PACKETS 64.0

struct test {
	struct gen_run *run;
	const struct gen_args *args;
	struct gen_sizes *sizes;
	struct gen_result *result;	/* of the last trial; large, so not on the stack */
	struct gen_rfc2544 *log;
	FILE *out;
};

static bool
is_clean(const struct gen_flow_result *f)
{
	return f->sent > 0 && f->lost == 0 && f->duplicated == 0 && f->corrupted == 0;
}

static enum app_status
one_trial(struct test *t, uint32_t millionths, bool quiet)
{
	struct gen_rate rate = {.kind = GEN_RATE_WIRE, .value = millionths};
	struct gen_task task = {
		.rate = &rate,
		.sizes = t->sizes,
		.time_s = t->args->trial_s,
		.drain_s = t->args->drain_s,
	};
	const struct gen_flow_result *f = &t->result->flow[0];
	struct gen_trial trial;
	struct pw_port_link link;
	enum app_status status;

	pw_port_link(t->run->flow[0].tx, &link);
	if (link.mbps == 0) {
		app_say("port %s: no link, or one of unknown speed", t->args->tx[0]);
		return APP_NO_LINK;
	}
	task.catch_up_us = t->args->catch_up_ms >= 0 ? t->args->catch_up_ms * 1000 :
		ceil(CATCH_UP_PACKETS * 1e6 / gen_rate_pps(&rate, link.mbps, t->sizes));
	status = gen_run_go(t->run, &task, t->result);
	if (status != APP_OK)
		return status;
	if (t->result->interrupted || f->stalled) {
		app_say("%s", t->result->interrupted ? "interrupted" : gen_result_limit(f));
		return APP_NOT_DONE;
	}
	trial = (struct gen_trial){
		.size = t->sizes->max,
		.asked_percent = millionths / 1e4,
		.offered_percent = f->achieved_pps * 100 / f->wire_max_pps,
		.sent = f->sent,
		.lost = f->lost + f->corrupted,
		.clean = is_clean(f),
	};
	if (quiet)
		return APP_OK;
	gen_report_trial(t->out, &trial);
	if (t->log->nb_trials < GEN_MAX_TRIALS)
		t->log->trial[t->log->nb_trials++] = trial;
	return APP_OK;
}

static void
keep_best(const struct test *t, struct gen_throughput *found)
{
	const struct gen_flow_result *f = &t->result->flow[0];

	found->wire_max_pps = f->wire_max_pps;
	if (!is_clean(f) || f->achieved_pps <= found->pps)
		return;
	found->pps = f->achieved_pps;
	found->percent = f->achieved_pps * 100 / f->wire_max_pps;
}

/* What stood in the way of more than the search has found. */
static const char *
limit(const struct gen_search *s, const char *generators)
{
	if (s->bad > GEN_SEARCH_FULL)
		return "the wire";
	if (!s->generator_limited)
		return "loss on the way";
	return generators != NULL ? generators : "the generator's CPU";
}

static enum app_status
search_rate(struct test *t, struct gen_throughput *found)
{
	const struct gen_flow_result *f = &t->result->flow[0];
	const char *generators = NULL;
	struct gen_search search;
	enum app_status status;
	uint32_t rate;

	gen_search_init(&search, t->args->resolution * 1e4);
	while ((rate = gen_search_next(&search)) != 0) {
		status = one_trial(t, rate, false);
		if (status != APP_OK)
			return status;
		keep_best(t, found);
		gen_search_outcome(&search, rate, f->achieved_pps * 1e6 / f->wire_max_pps,
				   is_clean(f));
		if (search.bad == rate && search.generator_limited)
			generators = gen_result_limit(f);
	}
	found->trials = search.trials;
	found->limit = limit(&search, generators);
	return APP_OK;
}

static enum app_status
measure_latency(struct test *t, struct gen_throughput *found)
{
	const struct gen_flow_result *f = &t->result->flow[0];
	uint32_t half = found->percent * 1e4 / 2;
	enum app_status status;

	if (half == 0)
		return APP_OK;
	status = one_trial(t, half, true);
	found->latency = f->latency;
	found->latency_at_pps = f->achieved_pps;
	found->latency_sent = f->sent;
	found->latency_lost = f->lost + f->corrupted;
	return status;
}

static enum app_status
run_tests(struct test *t, struct gen_rfc2544 *r)
{
	enum app_status status = APP_OK;
	char text[16], err[PW_ERR_LEN];
	unsigned int i;

	for (i = 0; i < t->args->nb_tests && status == APP_OK; i++) {
		struct gen_throughput *found = &r->test[i];

		found->size = t->args->test_size[i];
		snprintf(text, sizeof(text), "%u", found->size);
		if (gen_sizes_parse(text, 0, t->sizes, err) != 0) {
			app_say("%s", err);
			return APP_USAGE;
		}
		status = search_rate(t, found);
		if (status == APP_OK)
			status = measure_latency(t, found);
		if (status == APP_OK)
			r->nb++;
	}
	return status;
}

enum app_status
gen_rfc2544(struct gen_run *run, const struct gen_args *args, FILE *out, struct gen_rfc2544 *r)
{
	struct test t = {.run = run, .args = args, .out = out, .log = r};
	struct pw_port_link link;
	enum app_status status;
	unsigned int i;

	pw_port_link(run->flow[0].tx, &link);
	*r = (struct gen_rfc2544){
		.trial_s = args->trial_s,
		.resolution = args->resolution,
		.tx = args->tx[0],
		.rx = args->rx[0],
		.mbps = link.mbps,
	};
	t.sizes = malloc(sizeof(*t.sizes));
	t.result = malloc(sizeof(*t.result));
	if (t.sizes != NULL && t.result != NULL) {
		status = run_tests(&t, r);
	} else {
		app_say("out of memory");
		status = APP_FAILED;
	}
	free(t.sizes);
	free(t.result);
	for (i = 0; i < r->nb && status == APP_OK; i++)
		if (r->test[i].pps == 0)
			status = APP_LOSS;
	return status;
}
