/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * pollwire-fwd: forwards packets between the ports of each pair, and accounts for every one.
 */

#include <stdio.h>
#include <string.h>

#include <rte_ethdev.h>

#include "app_json.h"
#include "fwd.h"

static struct fwd_args args;
static struct fwd_state state;

static enum app_status
open_ports(struct app_ports *ports)
{
	struct pw_port_conf conf = {
		.rxd = args.app.rxd,
		.txd = args.app.txd,
		.max_frame = args.max_frame,
		/* Each port sends what one other port has received: all from one pool. */
		.tx_offloads = RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE,
	};
	enum app_status status = APP_OK;
	unsigned int i;

	/* A long frame may be in several pieces. */
	if (args.max_frame > RTE_MBUF_DEFAULT_DATAROOM)
		conf.tx_offloads = RTE_ETH_TX_OFFLOAD_MULTI_SEGS;
	for (i = 0; i < args.nb_ports && status == APP_OK; i++)
		status = app_port_add(ports, args.port[i], &conf);
	return status;
}

static void
add_direction(const struct app_ports *ports, unsigned int from)
{
	struct fwd_direction *d = &state.direction[state.nb_directions++];
	unsigned int to = from ^ 1;
	struct pw_port_info info;

	pw_port_info(ports->port[to], &info);
	d->from_port = ports->port[from];
	d->to_port = ports->port[to];
	d->from = pw_port_id(d->from_port);
	d->to = pw_port_id(d->to_port);
	d->burst = args.app.burst;
	d->set_source = args.mode == FWD_MAC;
	memcpy(&d->source, info.mac, sizeof(d->source));
	d->set_destination = to < args.nb_peers;
	memcpy(&d->destination, args.peer[to], sizeof(d->destination));
}

static enum app_status
run(void)
{
	struct app_ports ports = {.nb = 0};
	enum app_status status;
	unsigned int i;
	int ret = args.app.json != NULL ? app_json_check(args.app.json) : 0;

	if (ret != 0) {
		app_say("cannot write %s: %s", args.app.json, strerror(-ret));
		return APP_FAILED;
	}
	/* With more CPUs each direction may have its own. */
	state.nb_workers = RTE_MIN(app_count_cpus(&args.app), args.nb_ports);
	state.nb_workers = RTE_MIN(state.nb_workers, APP_MAX_WORKERS);
	status = app_start(&args.app, args.port, args.nb_ports, state.nb_workers);
	if (status != APP_OK)
		return status;
	status = open_ports(&ports);
	if (status == APP_OK) {
		for (i = 0; i < ports.nb; i++)
			add_direction(&ports, i);
		app_say_memory();
		status = fwd_forward(&state, &ports, &args);
	}
	app_ports_close(&ports);
	pw_eal_stop();
	return status;
}

int
main(int argc, char **argv)
{
	char err[PW_ERR_LEN];

	app_name = "pollwire-fwd";
	app_signals_block();
	if (fwd_args_parse(&args, argc, argv, err) != 0) {
		app_say("%s", err);
		return APP_USAGE;
	}
	if (args.help) {
		fputs(fwd_help, stdout);
		fputs(app_common_help, stdout);
		return app_end(APP_OK);
	}
	if (args.version) {
		puts("pollwire-fwd " POLLWIRE_VERSION);
		return app_end(APP_OK);
	}
	return app_end(run());
}
