/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <stdio.h>

#include "args.h"
#include "change.h"
#include "doctor.h"
#include "huge.h"
#include "persist.h"
#include "program.h"
#include "selftest.h"
#include "status.h"
#include "sysfs.h"

static enum pb_status
run(const struct pb_args *args)
{
	switch (args->command) {
	case PB_CMD_STATUS:
		return args->devbind_status ? pb_show_devbind() : pb_show_status(args);
	case PB_CMD_BIND:
	case PB_CMD_UNBIND:
	case PB_CMD_RESTORE:
		return pb_change(args);
	case PB_CMD_PERSIST:
		return pb_persist(args);
	case PB_CMD_DOCTOR:
		return pb_doctor(args);
	case PB_CMD_HUGEPAGES:
		return pb_hugepages(args);
	case PB_CMD_SELFTEST:
		return pb_selftest(args);
	case PB_CMD_HELP:
		fputs(pb_help, stdout);
		return PB_OK;
	case PB_CMD_VERSION:
		puts("pollwire-bind " POLLWIRE_VERSION);
		return PB_OK;
	}
	return PB_USAGE;
}

int
pb_program(int argc, char **argv)
{
	char err[PB_TEXT_LEN];
	struct pb_args args;
	enum pb_status status;

	if (pb_args_parse(&args, argc, argv, err) != 0) {
		pb_say("%s", err);
		return PB_USAGE;
	}
	pb_sysroot(args.sysroot);
	pb_dry_run(args.dry_run);
	status = run(&args);
	if (args.classic && args.devbind_status && args.command != PB_CMD_STATUS)
		pb_show_devbind();
	/* A report that did not reach its reader is no report. */
	if ((fflush(stdout) != 0 || ferror(stdout)) && status == PB_OK) {
		pb_say("cannot write to standard output");
		return PB_FAILED;
	}
	return status;
}
