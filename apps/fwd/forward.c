/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* What the main thread does while the workers forward: watch, tell, stop, add up. */

#include <string.h>
#include <time.h>

#include <rte_ethdev.h>

#include "fwd.h"

#define WATCH_S 0.1
#define EMPTY_WATCH_S 0.001
#define EMPTY_S 1.0		/* a full ring needs less, even at 10 Mbit/s */
#define STUCK_S 0.2		/* a ring that gets no emptier for so long stays as it is */

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void
say_links(const struct app_ports *ports, uint32_t *mbps, bool *up)
{
	struct pw_port_link link;
	unsigned int i;

	for (i = 0; i < ports->nb; i++) {
		pw_port_link(ports->port[i], &link);
		if (link.up != up[i] || (link.up && link.mbps != mbps[i]))
			app_say(link.up ? "port %s: link up, %u Mbit/s" : "port %s: link down",
				pw_port_name(ports->port[i]), link.mbps);
		up[i] = link.up;
		mbps[i] = link.mbps;
	}
}

static void
watch(const struct fwd_state *state, const struct app_ports *ports, const struct fwd_args *args,
      double start)
{
	struct fwd_last last[APP_MAX_PORTS] = {{0}};
	uint32_t mbps[APP_MAX_PORTS] = {0};
	bool up[APP_MAX_PORTS] = {false};
	double now, said = start;

	do {
		say_links(ports, mbps, up);
		now = seconds();
		if (args->app.stats_s > 0 && now - said >= args->app.stats_s) {
			fwd_report_interval(app_report_stream(&args->app), state, now - start,
					    now - said, last);
			said = now;
		}
	} while ((args->time_s == 0 || now - start < args->time_s) && !app_sleep(WATCH_S));
}

/*
 * What a port has counted may be in its ring still: as long as it gets less, wait. Some take the
 * last ones to be there for ever.
 */
static void
empty_ring(struct pw_port *port)
{
	const struct timespec pause = {.tv_nsec = EMPTY_WATCH_S * 1e9};
	unsigned int left = app_tx_waiting(port), now;
	double limit = seconds() + STUCK_S;

	while (left > 0 && seconds() < limit) {
		nanosleep(&pause, NULL);
		now = app_tx_waiting(port);
		if (now < left)
			limit = seconds() + STUCK_S;
		left = now;
	}
}

/* Let the ports send what they have been given; one without a link never will. */
static void
empty_rings(const struct fwd_state *state)
{
	const struct timespec pause = {.tv_nsec = EMPTY_WATCH_S * 1e9};
	double limit = seconds() + EMPTY_S;
	struct pw_port_stats stats;
	unsigned int i = 0;

	while (i < state->nb_directions && seconds() < limit) {
		const struct fwd_direction *d = &state->direction[i];

		pw_port_stats(d->to_port, &stats);
		if (stats.tx_packets + stats.tx_errors >= d->tx)
			i++;
		else
			nanosleep(&pause, NULL);
	}
	for (i = 0; i < state->nb_directions; i++)
		empty_ring(state->direction[i].to_port);
}

enum app_status
fwd_forward(struct fwd_state *state, const struct app_ports *ports, const struct fwd_args *args)
{
	struct fwd_worker worker[APP_MAX_WORKERS];
	void *arg[APP_MAX_WORKERS];
	struct app_workers workers;
	struct fwd_totals totals;
	enum app_status status = APP_OK;
	double start = seconds();
	unsigned int i;
	bool accounted;
	int ret;

	for (i = 0; i < state->nb_workers; i++) {
		worker[i] = (struct fwd_worker){.state = state, .first = i};
		arg[i] = &worker[i];
	}
	if (app_workers_run(&workers, fwd_worker, arg, state->nb_workers) == 0) {
		fprintf(app_report_stream(&args->app), "forwarding, %u ports\n", ports->nb);
		fflush(app_report_stream(&args->app));
		watch(state, ports, args, start);
	} else {
		app_say("a worker thread does not start");
		status = APP_FAILED;
	}
	atomic_store(&state->halt, true);
	empty_rings(state);
	atomic_store(&state->stop, true);
	app_workers_join(&workers);

	accounted = fwd_totals(state, seconds() - start, &totals);
	fwd_report(app_report_stream(&args->app), &totals);
	if (!accounted) {
		app_say("the ports' counters do not add up with what was forwarded");
		status = APP_FAILED;
	}
	ret = args->app.json != NULL ? fwd_report_json(args->app.json, &totals, accounted) : 0;
	if (ret != 0) {
		app_say("cannot write %s: %s", args->app.json, strerror(-ret));
		status = APP_FAILED;
	}
	return status;
}
