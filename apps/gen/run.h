/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _GEN_RUN_H_
#define _GEN_RUN_H_

/**
 * @file
 * Flows, and a run of them: the workers send and receive, the main thread watches.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <rte_mbuf.h>
#include <rte_spinlock.h>

#include "app.h"
#include "args.h"
#include "frame.h"
#include "hist.h"
#include "rate.h"
#include "result.h"
#include "seq.h"

/** A stream of packets from one port to another. */
struct gen_flow {
	/* Set up once. */
	struct pw_port *tx, *rx;
	uint16_t tx_id, rx_id;
	uint8_t stream;
	struct rte_mempool *pool;	/**< every buffer holds the layout */
	struct gen_layout *layout;
	uint64_t ol_flags;		/**< of every packet */
	uint64_t tx_offload;

	/* The sender's, of this run. */
	const struct gen_sizes *sizes __rte_cache_aligned;
	struct gen_pace pace;
	uint64_t count;			/**< to be sent; UINT64_MAX: no limit */
	uint64_t duration;		/**< ticks; UINT64_MAX: no limit */
	uint64_t start, end;		/**< ticks; what is due before the end is sent */
	uint64_t sent;			/**< packets the port has taken */
	uint64_t sent_bytes;		/**< with FCS */
	uint64_t ring_full;		/**< times that the port did not take all */
	uint64_t no_mbuf;		/**< times that the pool was empty */
	uint64_t last_sent;		/**< tick */
	uint64_t progress;		/**< tick of the last packet, or when none was due */
	bool stalled;			/**< given up: the port took nothing for too long */
	struct rte_mbuf *ready[APP_MAX_BURST]; /**< buffers taken but not sent */
	unsigned int nb_ready;
	atomic_bool done;		/**< all sent, or given up */
	uint64_t done_at;		/**< tick; read after `done` */
	atomic_ulong offered;		/**< sent, and those being offered to the port */

	/* The receiver's, of this run. */
	struct gen_seq seq __rte_cache_aligned;
	struct gen_hist latency;	/**< ticks */
	uint64_t received_bytes;	/**< with FCS, of those that are new */
	uint64_t corrupted;
	uint64_t last_arrival;		/**< tick */
};

/** A port as the receiver sees it. */
struct gen_sink {
	struct pw_port *port;
	uint16_t id;
	bool expects;			/**< it is some flow's rx */
	uint64_t other;			/**< frames that are not of this run */
	uint64_t strayed;		/**< of this run, but expected elsewhere */
	struct pw_port_stats before;	/**< at the start of the run */
	unsigned int looks;		/**< at the counter, with a full ring */
	bool counts_late;		/**< a packet in the ring is not counted yet */
	struct pw_port_link link;	/**< when it was last looked at */
	unsigned int link_lost;		/**< times in this run */
	uint64_t empty_at;		/**< tick when all that was sent had left; after `empty` */
	atomic_bool empty;
} __rte_cache_aligned;

/** All that a run needs. */
struct gen_run {
	struct gen_flow *flow;
	unsigned int nb_flows;
	struct gen_sink sink[2 * GEN_MAX_FLOWS];
	unsigned int nb_sinks;
	struct app_ports ports;
	uint64_t hz;			/**< ticks per second */
	unsigned int nb_workers;	/**< 1: sends and receives; 2: one each */
	uint16_t burst;
	uint8_t id;			/**< of this run, in every frame */
	bool check;
	atomic_bool halt;		/**< send no more */
	atomic_bool stop;		/**< return */
	uint64_t stall_ticks;
	double links_next_s;		/**< when the links are looked at again */
	rte_spinlock_t stats_lock;	/**< pw_port_stats() while workers run */
};

/** One worker's share. */
struct gen_worker {
	struct gen_run *run;
	bool sends, receives;
};

/** The loop of a worker; `arg` is a struct gen_worker. In worker.c. */
int gen_worker(void *arg);

/** The sending worker's: begin, send what is due, and when all is sent watch the rings. */
void gen_send_begin(struct gen_run *run);
void gen_send_due(struct gen_run *run);
void gen_send_watch_rings(struct gen_run *run);

/** @return whether every flow has sent all, or was given up. */
bool gen_run_all_sent(struct gen_run *run);

/** The main thread's: remember the links; and tell, `at_s` after the start, what became of them. */
void gen_links_begin(struct gen_run *run);
void gen_links_watch(struct gen_run *run, double at_s);

/** Take a burst from a port and account for it. */
void gen_receive(struct gen_run *run, struct gen_sink *sink);

/** What a run shall do. */
struct gen_task {
	const struct gen_rate *rate;
	const struct gen_sizes *sizes;
	uint64_t count;			/**< 0: no limit */
	double time_s;			/**< 0: no limit */
	double drain_s;
	double stats_s;			/**< 0: no lines on the way */
	FILE *out;			/**< for them */
	uint32_t catch_up_us;		/**< see gen_pace_init() */
};

/**
 * Open and start the ports, wait for the links, make the flows.
 *
 * @return
 *   APP_OK, or another status with the reason said.
 */
enum app_status gen_run_open(struct gen_run *run, const struct gen_args *args);

/**
 * Do a run.
 *
 * @param result
 *   What came of it.
 * @return
 *   APP_OK if there is a result; APP_USAGE for a rate that the wire cannot carry; APP_FAILED.
 */
enum app_status gen_run_go(struct gen_run *run, const struct gen_task *task,
			   struct gen_result *result);

/** Read the result; the last part of gen_run_go(). In gather.c. */
void gen_run_gather(const struct gen_run *run, const struct gen_task *task, struct gen_result *r);

/** Close all. A run that never opened is allowed. */
void gen_run_close(struct gen_run *run);

#endif /* _GEN_RUN_H_ */
