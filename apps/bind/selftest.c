/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "change.h"
#include "selftest.h"
#include "sysfs.h"

#define PROGRAM "pollwire-selftest"

/* Beside this program: installed together. In a build folder, one over. */
static void
run_beside(char **argv)
{
	static const char *const places[] = {"", "../selftest/"};
	char path[PATH_MAX], own[PATH_MAX / 2];
	ssize_t got = readlink("/proc/self/exe", own, sizeof(own) - 1);
	char *slash;
	size_t i;

	if (got <= 0)
		return;
	own[got] = '\0';
	slash = strrchr(own, '/');
	if (slash != NULL)
		slash[1] = '\0';
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(path, sizeof(path), "%s%s" PROGRAM, own, places[i]);
		execv(path, argv);
	}
}

static enum pb_status
check(const struct pb_fn *fn)
{
	int pid;

	if (!pb_is_userspace(fn->driver)) {
		pb_say("%s: %s has it: first: pollwire-bind bind %s", fn->addr,
		       fn->driver[0] != '\0' ? fn->driver : "no driver", fn->addr);
		return PB_REFUSED;
	}
	if (fn->chip.support < PB_SUPPORT_UNTESTED) {
		pb_say("%s: there is no driver of ours for it", fn->addr);
		return PB_REFUSED;
	}
	pid = pb_fn_holder(fn);
	if (pid == 0)
		return PB_OK;
	pb_say("%s: process %d has it open", fn->addr, pid);
	return PB_REFUSED;
}

enum pb_status
pb_selftest(const struct pb_args *args)
{
	char addr[2][PB_ADDR_LEN], program[] = PROGRAM, *argv[4] = {program};
	enum pb_status status = PB_USAGE;
	struct pb_machine m;
	struct pb_fn **fn;
	int i, nb;

	if (pb_machine_load(&m) != 0)
		return PB_FAILED;
	fn = calloc(m.nb + 1, sizeof(*fn));
	nb = fn != NULL ? pb_choose(&m, args, fn) : 0;
	if (nb > 2)
		pb_say("selftest takes one card, or two that a cable joins");
	for (i = 0; nb <= 2 && i < nb && (i == 0 || status == PB_OK); i++) {
		strcpy(addr[i], fn[i]->addr);
		argv[i + 1] = addr[i];
		status = check(fn[i]);
	}
	free(fn);
	pb_machine_free(&m);
	if (status != PB_OK)
		return status;
	run_beside(argv);
	execvp(argv[0], argv);
	pb_say("cannot run " PROGRAM ": %s (it is installed along with pollwire's drivers)",
	       strerror(errno));
	return PB_FAILED;
}
