/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _GEN_RFC2544_H_
#define _GEN_RFC2544_H_

/**
 * @file
 * The throughput search of RFC 2544 §26.1 over several frame sizes, with shorter trials, and
 * the latency at half the throughput.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "args.h"
#include "result.h"

/** One trial. */
struct gen_trial {
	uint16_t size;
	double asked_percent, offered_percent; /**< of the wire's maximum */
	uint64_t sent, lost;
	bool clean;		/**< nothing lost, duplicated or damaged */
};

/** What was found for one size. */
struct gen_throughput {
	uint16_t size;
	double wire_max_pps;
	double pps;		/**< highest rate without loss; 0: none was found */
	double percent;		/**< of the wire's maximum */
	unsigned int trials;
	const char *limit;	/**< what stood in the way of more */
	double latency_at_pps;
	uint64_t latency_sent, latency_lost;
	struct gen_latency latency;
};

#define GEN_MAX_TRIALS 512u	/**< more than 32 for each size never happen */

struct gen_rfc2544 {
	struct gen_trial trial[GEN_MAX_TRIALS];
	unsigned int nb_trials;
	struct gen_throughput test[GEN_MAX_TESTS];
	unsigned int nb;
	double trial_s, resolution;
	const char *tx, *rx;
	uint32_t mbps;
};

struct gen_run;

/**
 * Do the search.
 *
 * @param out
 *   For a line on each trial.
 * @return
 *   APP_OK if every size has a throughput; APP_LOSS if one lost packets at every rate;
 *   APP_NOT_DONE if interrupted; another status with the reason said.
 */
enum app_status gen_rfc2544(struct gen_run *run, const struct gen_args *args,
			    FILE *out, struct gen_rfc2544 *result);

#endif /* _GEN_RFC2544_H_ */
