/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _FWD_ARGS_H_
#define _FWD_ARGS_H_

/**
 * @file
 * The forwarder's command line. No EAL.
 */

#include <stdbool.h>
#include <stdint.h>

#include "app_args.h"

enum fwd_mode {
	FWD_IO,		/**< packets as they are */
	FWD_MAC,	/**< the source address becomes the sending port's */
};

struct fwd_args {
	struct app_opts app;
	bool help, version;
	const char *port[APP_MAX_PORTS]; /**< in pairs */
	unsigned int nb_ports;
	enum fwd_mode mode;
	uint8_t peer[APP_MAX_PORTS][6];	/**< destination address for what leaves by a port */
	unsigned int nb_peers;
	uint32_t max_frame;	/**< bytes with FCS; 0: the usual 1518 */
	double time_s;		/**< 0: until interrupted */
};

/**
 * Read the command line.
 *
 * @param err
 *   PW_ERR_LEN bytes for one line without newline.
 * @return
 *   0, -EINVAL.
 */
int fwd_args_parse(struct fwd_args *args, int argc, char **argv, char *err);

/** The text for --help. */
extern const char fwd_help[];

#endif /* _FWD_ARGS_H_ */
