/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * pollwire-gen: sends numbered packets through one port, expects them at another, and tells
 * what became of them.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_json.h"
#include "args.h"
#include "clock.h"
#include "report.h"
#include "run.h"

/* Memory of the past that a plain run makes up for: a time slice of another program's. */
#define CATCH_UP_MS 10.0

/* Static because of their size. */
static struct gen_args args;
static struct gen_result result;

/* What was found counts, even if it cannot be written down: but say so. */
static enum app_status
json_written(int ret, enum app_status status)
{
	if (ret == 0)
		return status;
	app_say("cannot write %s: %s", args.app.json, strerror(-ret));
	return status == APP_OK ? APP_FAILED : status;
}

static enum app_status
plain_run(struct gen_run *run)
{
	const struct gen_criteria criteria = {
		.allow_loss = args.allow_loss,
		.tolerance = args.tolerance,
	};
	const struct gen_task task = {
		.rate = &args.rate,
		.sizes = &args.sizes,
		.count = args.count,
		.time_s = args.time_s,
		.drain_s = args.drain_s,
		.stats_s = args.app.stats_s,
		.out = app_report_stream(&args.app),
		.catch_up_us = 1000 *
			(args.catch_up_ms >= 0 ? args.catch_up_ms : CATCH_UP_MS),
	};
	enum app_status status = gen_run_go(run, &task, &result);
	char why[PW_ERR_LEN];

	if (status != APP_OK)
		return status;
	status = gen_result_judge(&result, &criteria, why, sizeof(why));
	gen_report(app_report_stream(&args.app), &result);
	if (why[0] != '\0')
		app_say("%s", why);
	if (args.app.json == NULL)
		return status;
	return json_written(gen_report_json(args.app.json, &result, args.rate_text, status, why),
			    status);
}

static enum app_status
throughput_search(struct gen_run *run)
{
	static struct gen_rfc2544 found;
	enum app_status status = gen_rfc2544(run, &args, app_report_stream(&args.app), &found);
	const char *why = status == APP_LOSS ? "packets got lost at every rate" : "";

	if (found.nb > 0)
		gen_report_rfc2544(app_report_stream(&args.app), &found);
	if (why[0] != '\0')
		app_say("%s", why);
	if (args.app.json == NULL)
		return status;
	return json_written(gen_report_rfc2544_json(args.app.json, &found, status, why), status);
}

static enum app_status
generate(void)
{
	const char *specs[2 * GEN_MAX_FLOWS];
	struct gen_run run = {.nb_workers = 1};
	enum app_status status;
	unsigned int i, nb = 0;

	/* Now, and not when an hour's measurement is over. */
	if (args.app.json != NULL &&
	    json_written(app_json_check(args.app.json), APP_OK) != APP_OK)
		return APP_FAILED;
	for (i = 0; i < args.nb_flows; i++) {
		specs[nb++] = args.tx[i];
		specs[nb++] = args.rx[i];
	}
	/* Two CPUs on request: one sends, one receives. */
	if (app_count_cpus(&args.app) > 1)
		run.nb_workers = 2;
	status = app_start(&args.app, specs, nb, run.nb_workers);
	if (status != APP_OK)
		return status;
	status = gen_run_open(&run, &args);
	if (status == APP_OK)
		status = args.rfc2544 ? throughput_search(&run) : plain_run(&run);
	gen_run_close(&run);
	pw_eal_stop();
	return status;
}

int
main(int argc, char **argv)
{
	char err[PW_ERR_LEN];

	app_name = "pollwire-gen";
	app_signals_block();
	gen_clock_begin();
	if (gen_args_parse(&args, argc, argv, err) != 0) {
		app_say("%s", err);
		return APP_USAGE;
	}
	if (args.help) {
		fputs(gen_help, stdout);
		fputs(app_common_help, stdout);
		return app_end(APP_OK);
	}
	if (args.version) {
		puts("pollwire-gen " POLLWIRE_VERSION);
		return app_end(APP_OK);
	}
	return app_end(generate());
}
