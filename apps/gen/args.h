/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _GEN_ARGS_H_
#define _GEN_ARGS_H_

/**
 * @file
 * The generator's command line. No EAL.
 */

#include <stdbool.h>
#include <stdint.h>

#include "app_args.h"
#include "frame.h"
#include "rate.h"
#include "sizes.h"

#define GEN_MAX_FLOWS 8u
#define GEN_MAX_TESTS 16u	/**< frame sizes of one throughput search */

struct gen_args {
	struct app_opts app;
	bool help, version;
	const char *tx[GEN_MAX_FLOWS], *rx[GEN_MAX_FLOWS];
	unsigned int nb_flows;
	const char *rate_text;
	struct gen_rate rate;
	struct gen_sizes sizes;
	uint64_t count;		/**< packets of each flow; 0: no limit */
	double time_s;		/**< 0: no limit */
	double link_wait_s;	/**< how long the links are waited for */
	double catch_up_ms;	/**< see gen_pace_init(); below 0: the default of the mode */
	double drain_s;		/**< how long a straggler is waited for */
	struct gen_frame_conf frame;
	bool have_src_mac, have_dst_mac;
	uint64_t seed;
	bool sw_cksum;		/**< compute checksums even if the port can */
	bool check;
	bool allow_loss;
	double tolerance;	/**< percent that the rate may be off; below 0: any */
	bool rfc2544;
	uint16_t test_size[GEN_MAX_TESTS];
	unsigned int nb_tests;
	double trial_s;
	double resolution;	/**< percent of the wire's maximum */
};

/**
 * Read the command line.
 *
 * @param err
 *   PW_ERR_LEN bytes for one line without newline.
 * @return
 *   0, -EINVAL.
 */
int gen_args_parse(struct gen_args *args, int argc, char **argv, char *err);

/** The text for --help. */
extern const char gen_help[];

#endif /* _GEN_ARGS_H_ */
