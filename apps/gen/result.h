/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _GEN_RESULT_H_
#define _GEN_RESULT_H_

/**
 * @file
 * What came of a run, and what it means. No EAL.
 */

#include <stdbool.h>
#include <stdint.h>

#include "app.h"
#include "rate.h"

struct gen_latency {
	uint64_t samples;	/**< 0: the rest means nothing */
	double min_us, avg_us, max_us, p50_us, p99_us, p999_us;
};

struct gen_flow_result {
	const char *tx, *rx;
	uint32_t mbps;			/**< of the sender's link; 0: not known */
	bool paced;			/**< a rate was asked for, not "max" */
	double requested_pps;		/**< if paced */
	double achieved_pps;
	double wire_max_pps;		/**< 0: not known */
	double elapsed_s;		/**< from the first packet to the end of the last */
	uint64_t asked;			/**< packets; 0: as many as there is time for */
	uint64_t sent, sent_bytes;
	uint64_t received, received_bytes; /**< each packet once */
	uint64_t lost, duplicated, reordered, stale, corrupted;
	uint64_t ring_full, behind, no_mbuf; /**< why less was sent: see worker.c */
	bool stalled;
	struct gen_latency latency;
};

struct gen_port_result {
	const char *name;
	struct pw_port_info info;
	uint32_t mbps;
	unsigned int link_lost;		/**< times that the link went while packets were sent */
	struct pw_port_stats stats;	/**< of this run */
};

#define GEN_MAX_RESULT_FLOWS 8u
#define GEN_MAX_RESULT_PORTS 16u

struct gen_result {
	struct gen_flow_result flow[GEN_MAX_RESULT_FLOWS];
	unsigned int nb_flows;
	struct gen_port_result port[GEN_MAX_RESULT_PORTS];
	unsigned int nb_ports;
	uint64_t other, strayed;
	bool interrupted;		/**< by a signal, before the end */
	bool endless;			/**< meant to be ended by a signal */
	struct gen_sizes sizes;
};

/** How a result is to be judged. */
struct gen_criteria {
	bool allow_loss;
	double tolerance;	/**< percent; below 0: any rate will do */
};

/**
 * Whether what was asked was done.
 *
 * @param why
 *   One line without newline if not; else "".
 */
enum app_status gen_result_judge(const struct gen_result *r, const struct gen_criteria *c,
				 char *why, size_t len);

/** @return why no more was sent, for the user; NULL if nothing held the sender up. */
const char *gen_result_limit(const struct gen_flow_result *f);

#endif /* _GEN_RESULT_H_ */
