/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _FWD_H_
#define _FWD_H_

/**
 * @file
 * Directions, the workers that serve them, and what is told of them.
 *
 * No packet is lost without a reason: what a port gives us is sent, or is in one of the
 * counters of enum fwd_drop; what a port loses itself, it counts (struct pw_port_stats).
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <rte_ether.h>

#include "app.h"
#include "args.h"

enum fwd_drop {
	FWD_TX_FULL,	/**< the sending port's ring had no room */
	FWD_TX_REFUSED,	/**< the sending port cannot send such a packet */
	FWD_TOO_SHORT,	/**< no room for addresses in it */
	FWD_STOPPING,	/**< it came after the forwarder was told to stop */
	FWD_DROPS
};

/** @return a drop's reason for people, and its key in JSON. */
const char *fwd_drop_text(enum fwd_drop d);
const char *fwd_drop_key(enum fwd_drop d);

/** One way between two ports. The counters are the worker's; others may read them. */
struct fwd_direction {
	uint16_t from, to;	/**< port numbers */
	struct pw_port *from_port, *to_port;
	bool set_source, set_destination;
	struct rte_ether_addr source, destination;
	uint16_t burst;
	uint64_t rx, tx;	/**< packets taken from one port, and taken by the other */
	uint64_t dropped[FWD_DROPS];
} __rte_cache_aligned;

/** What all workers share. */
struct fwd_state {
	struct fwd_direction direction[APP_MAX_PORTS];
	unsigned int nb_directions;
	unsigned int nb_workers;
	atomic_bool halt;	/**< forward no more: receive and drop */
	atomic_bool stop;	/**< return */
};

/** A worker serves each `nb_workers`th direction, beginning at `first`. */
struct fwd_worker {
	struct fwd_state *state;
	unsigned int first;
};

/** The loop; `arg` is a struct fwd_worker. In worker.c. */
int fwd_worker(void *arg);

/**
 * Forward until told to stop, or as long as the arguments say, and report.
 *
 * @return
 *   APP_OK; APP_FAILED with the reason said.
 */
enum app_status fwd_forward(struct fwd_state *state, const struct app_ports *ports,
			    const struct fwd_args *args);

/** One port at the end. */
struct fwd_port_totals {
	const char *name;
	struct pw_port_info info;
	struct pw_port_stats stats;
	uint64_t unread;	/**< received by the port, but not fetched by us */
	uint64_t unsent;	/**< given to the port, but not sent by it */
};

struct fwd_totals {
	const struct fwd_state *state;
	struct fwd_port_totals port[APP_MAX_PORTS];
	unsigned int nb_ports;
	double elapsed_s;
};

/** Add up and compare with the ports' counters. @return whether nothing is unaccounted for. */
bool fwd_totals(const struct fwd_state *state, double elapsed_s, struct fwd_totals *t);

/** A line for each direction on the last interval; `last` is brought up to date. */
struct fwd_last {
	uint64_t rx, tx, dropped;
};
void fwd_report_interval(FILE *out, const struct fwd_state *state, double at_s, double interval_s,
			 struct fwd_last *last);

/** The final report. */
void fwd_report(FILE *out, const struct fwd_totals *t);

/** The same as JSON to a file, or "-". 0, -errno. */
int fwd_report_json(const char *path, const struct fwd_totals *t, bool accounted);

#endif /* _FWD_H_ */
