/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _BIND_ARGS_H_
#define _BIND_ARGS_H_

/**
 * @file
 * The command line. Pure.
 */

#include <stdbool.h>
#include <stdint.h>

#include "bind.h"

enum pb_command {
	PB_CMD_STATUS,
	PB_CMD_BIND,
	PB_CMD_UNBIND,
	PB_CMD_RESTORE,
	PB_CMD_PERSIST,
	PB_CMD_DOCTOR,
	PB_CMD_HUGEPAGES,
	PB_CMD_SELFTEST,
	PB_CMD_HELP,
	PB_CMD_VERSION,
};

struct pb_args {
	enum pb_command command;
	bool devbind_status;	/**< -s: dpdk-devbind's form, after a -b or -u if there is one */
	bool classic;		/**< the change is asked for by -b or -u */
	bool force, keep_going, dry_run, json, fix, noiommu, remove;
	const char *driver;	/**< NULL: not said */
	const char *id;		/**< --id VVVV:DDDD */
	long uid, gid;		/**< -1: not said */
	uint64_t need;		/**< --need in bytes; 0: not said */
	const char *need_text;
	uint64_t page;		/**< --size in bytes; 0: not said */
	const char *sysroot;	/**< for tests; "": this machine */
	char **device;		/**< what follows; selftest: more arguments too */
	int nb_devices;
};

/**
 * @param err
 *   One line without newline, PB_TEXT_LEN bytes.
 * @return
 *   0, -EINVAL.
 */
int pb_args_parse(struct pb_args *args, int argc, char **argv, char *err);

extern const char pb_help[];

#endif /* _BIND_ARGS_H_ */
