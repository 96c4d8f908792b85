/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _GEN_REPORT_H_
#define _GEN_REPORT_H_

/**
 * @file
 * Reports for people and for programs. No EAL.
 */

#include <stdio.h>

#include "result.h"
#include "rfc2544.h"

/** What happened since the last line, in all flows together. */
struct gen_interval {
	double at_s;		/**< since the start */
	double tx_pps, rx_pps;
	double wire_max_pps;	/**< of all senders' wires; 0: not known */
	double l2_mbps, l1_mbps; /**< sent */
	uint64_t samples;
	double latency_avg_us;
};

/** One line. */
void gen_report_interval(FILE *out, const struct gen_interval *i);

/** The final report. */
void gen_report(FILE *out, const struct gen_result *r);

/**
 * The final report as JSON.
 *
 * @param path
 *   File, or "-" for standard output.
 * @param status
 *   What the program will exit with, and why.
 * @return
 *   0, -errno.
 */
int gen_report_json(const char *path, const struct gen_result *r, const char *rate_text,
		    enum app_status status, const char *why);

/** A trial of the throughput search: one line. */
void gen_report_trial(FILE *out, const struct gen_trial *t);

/** The table at the end of the search. */
void gen_report_rfc2544(FILE *out, const struct gen_rfc2544 *r);

/** The search as JSON; as gen_report_json(). */
int gen_report_rfc2544_json(const char *path, const struct gen_rfc2544 *r,
			    enum app_status status, const char *why);

#endif /* _GEN_REPORT_H_ */
