/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "args.h"

#define MIN_FRAME 64u
#define MAX_FRAME 16128u

const char fwd_help[] =
	"usage: pollwire-fwd --port A --port B [--port C --port D ...] [options]\n"
	"       pollwire-fwd EAL OPTIONS -- options\n"
	"Forwards packets both ways between the ports of each pair.\n"
	"  --port PORT        first with second, third with fourth, and so on\n"
	"  --mode io|mac      as they are (default), or with the sending port's source address\n"
	"  --peer MAC         in mac mode also the destination address, for what leaves by the\n"
	"                     first, second, ... port\n"
	"  --max-frame N      longest frame, in bytes with FCS (default 1518)\n"
	"  --time S           stop after S seconds (default: when interrupted)\n";

enum {
	OPT_PORT = APP_OPT_OWN,
	OPT_MODE,
	OPT_PEER,
	OPT_MAX_FRAME,
	OPT_TIME,
};

static const struct option table[] = {
	{"port", required_argument, NULL, OPT_PORT},
	{"mode", required_argument, NULL, OPT_MODE},
	{"peer", required_argument, NULL, OPT_PEER},
	{"max-frame", required_argument, NULL, OPT_MAX_FRAME},
	{"time", required_argument, NULL, OPT_TIME},
	APP_COMMON_OPTIONS,
	{NULL, 0, NULL, 0},
};

static int
add_port(struct fwd_args *a, const char *text, char *err)
{
	unsigned int i;

	if (a->nb_ports == APP_MAX_PORTS) {
		snprintf(err, PW_ERR_LEN, "more than %u ports", APP_MAX_PORTS);
		return -EINVAL;
	}
	for (i = 0; i < a->nb_ports; i++)
		if (strcmp(a->port[i], text) == 0) {
			snprintf(err, PW_ERR_LEN, "port %s is given twice", text);
			return -EINVAL;
		}
	a->port[a->nb_ports++] = text;
	return 0;
}

static int
read_mode(const char *text, enum fwd_mode *mode, char *err)
{
	*mode = strcmp(text, "mac") == 0 ? FWD_MAC : FWD_IO;
	if (*mode == FWD_MAC || strcmp(text, "io") == 0)
		return 0;
	snprintf(err, PW_ERR_LEN, "--mode %.64s: want io or mac", text);
	return -EINVAL;
}

static int
add_peer(struct fwd_args *a, const char *text, char *err)
{
	if (a->nb_peers == APP_MAX_PORTS) {
		snprintf(err, PW_ERR_LEN, "more than %u peers", APP_MAX_PORTS);
		return -EINVAL;
	}
	return app_read_mac("--peer", text, a->peer[a->nb_peers++], err);
}

static int
take(struct fwd_args *a, int opt, const char *text, char *err)
{
	uint64_t v;
	int ret;

	switch (opt) {
	case OPT_PORT:
		return add_port(a, text, err);
	case OPT_MODE:
		return read_mode(text, &a->mode, err);
	case OPT_PEER:
		return add_peer(a, text, err);
	case OPT_MAX_FRAME:
		ret = app_read_count("--max-frame", text, MIN_FRAME, MAX_FRAME, &v, err);
		a->max_frame = v;
		return ret;
	case OPT_TIME:
		return app_read_real("--time", text, 0.001, 1e7, &a->time_s, err);
	}
	return app_args_common(&a->app, opt, text, err);
}

int
fwd_args_parse(struct fwd_args *a, int argc, char **argv, char *err)
{
	int opt, ret;

	memset(a, 0, sizeof(*a));
	app_opts_init(&a->app);
	app_args_split(&a->app, &argc, &argv);
	optind = 0;
	while ((opt = app_args_next(argc, argv, table, err)) != -1) {
		if (opt == '?')
			return -EINVAL;
		if (opt == APP_OPT_HELP || opt == APP_OPT_VERSION) {
			a->help = opt == APP_OPT_HELP;
			a->version = opt == APP_OPT_VERSION;
			return 0;
		}
		ret = take(a, opt, optarg, err);
		if (ret != 0)
			return ret;
	}
	if (a->nb_ports == 0 || a->nb_ports % 2 != 0) {
		snprintf(err, PW_ERR_LEN, "ports come in pairs: %u given (--port A --port B)",
			 a->nb_ports);
		return -EINVAL;
	}
	if (a->nb_peers > 0 && (a->mode != FWD_MAC || a->nb_peers > a->nb_ports)) {
		snprintf(err, PW_ERR_LEN, a->mode != FWD_MAC ? "--peer goes with --mode mac only" :
			 "more --peer than --port");
		return -EINVAL;
	}
	return 0;
}
