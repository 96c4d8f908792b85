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
#include "driver.h"
#include "judge.h"
#include "persist.h"
#include "sysfs.h"

#define UNITS "/etc/systemd/system"
#define WANTS UNITS "/multi-user.target.wants"

/* Before the network is brought up: then nobody has an address on the card yet. */
#define UNIT_TEXT                                                                                 \
	"# Written by pollwire-bind persist.\n"                                                   \
	"[Unit]\n"                                                                                \
	"Description=Hand network card %s to %s\n"                                                \
	"Documentation=man:pollwire-bind(8)\n"                                                    \
	"Wants=network-pre.target\n"                                                              \
	"Before=network-pre.target\n"                                                             \
	"\n"                                                                                      \
	"[Service]\n"                                                                             \
	"Type=oneshot\n"                                                                          \
	"RemainAfterExit=yes\n"                                                                   \
	"ExecStart=%s bind %s --driver %s --id %04x:%04x\n"                                       \
	"ExecStop=%s restore %s\n"                                                                \
	"\n"                                                                                      \
	"[Install]\n"                                                                             \
	"WantedBy=multi-user.target\n"

static void
unit_name(const struct pb_fn *fn, char *name, size_t len)
{
	size_t i;

	snprintf(name, len, "pollwire-bind-%s.service", fn->addr);
	for (i = 0; name[i] != '\0'; i++)
		if (name[i] == ':')
			name[i] = '-';
}

/* Where this program is; a unit needs the whole path. */
static void
own_path(char *path, size_t len)
{
	ssize_t got = readlink("/proc/self/exe", path, len - 1);

	if (got <= 0 || memchr(path, ' ', got) != NULL)
		snprintf(path, len, "/usr/bin/pollwire-bind");
	else
		path[got] = '\0';
}

static int
write_unit(const struct pb_fn *fn, const char *driver)
{
	char name[64], program[PATH_MAX], text[3 * PATH_MAX];
	int ret;

	unit_name(fn, name, sizeof(name));
	own_path(program, sizeof(program));
	snprintf(text, sizeof(text), UNIT_TEXT, fn->addr, driver, program, fn->addr, driver,
		 fn->vendor, fn->device, program, fn->addr);
	ret = pb_store(text, UNITS "/%s", name);
	if (ret != 0)
		return ret;
	snprintf(text, sizeof(text), "../%s", name);
	ret = pb_store_link(text, WANTS "/%s", name);
	if (ret != 0)
		pb_remove(UNITS "/%s", name);
	return ret;
}

static int
remove_unit(const struct pb_fn *fn)
{
	char name[64];
	int ret;

	unit_name(fn, name, sizeof(name));
	ret = pb_remove(WANTS "/%s", name);
	if (ret != 0 && ret != -ENOENT)
		return ret;
	return pb_remove(UNITS "/%s", name);
}

static int
driverctl(const struct pb_fn *fn, const char *driver)
{
	const char *const set[] = {"driverctl", "set-override", fn->addr, driver, NULL};
	const char *const unset[] = {"driverctl", "unset-override", fn->addr, NULL};
	int ret = pb_run(driver != NULL ? set : unset);

	return ret <= 0 ? ret : -EIO;
}

/* driver NULL: no longer. */
static int
persist_one(const struct pb_fn *fn, const char *driver)
{
	int ret;

	if (driver == NULL) {
		ret = remove_unit(fn);
		if (ret != -ENOENT || !pb_have("driverctl"))
			return ret;
		return driverctl(fn, NULL);
	}
	return pb_have("driverctl") ? driverctl(fn, driver) : write_unit(fn, driver);
}

static void
tell(const struct pb_fn *fn, const char *driver)
{
	char name[64];

	if (pb_is_dry())
		return;
	unit_name(fn, name, sizeof(name));
	if (driver == NULL)
		printf("%s: no longer bound at boot\n", fn->addr);
	else if (pb_have("driverctl"))
		printf("%s: %s at every boot, by driverctl\n", fn->addr, driver);
	else
		printf("%s: %s at every boot, by " UNITS "/%s\n", fn->addr, driver, name);
}

/*
 * At boot nobody has an address yet, and driverctl asks nobody: so what would be taken away from
 * somebody is asked here and now.
 */
static bool
may_all(const struct pb_machine *m, const struct pb_args *args, struct pb_fn **fn, int nb,
	const char *driver)
{
	struct pb_judgement j;
	bool may = true;
	int i;

	for (i = 0; i < nb; i++) {
		pb_judge(m, fn[i], driver, args->noiommu, &j);
		if (j.verdict == PB_MAY || j.verdict == PB_DONE ||
		    (j.verdict == PB_MAY_IF_FORCED && args->force))
			continue;
		pb_say("%s: not touched: %s%s%s", fn[i]->addr, j.why, j.cure[0] != '\0' ? "; " : "",
		       j.cure);
		may = false;
	}
	return may;
}

static enum pb_status
persist_all(const struct pb_args *args, struct pb_fn **fn, int nb, const char *driver)
{
	int i, ret, done = 0;

	for (i = 0; i < nb; i++) {
		ret = persist_one(fn[i], driver);
		if (ret == 0) {
			tell(fn[i], driver);
			done++;
			continue;
		}
		pb_say("%s: %s", fn[i]->addr, ret == -ENOENT && driver == NULL ?
		       "it was not to be bound at boot" : strerror(-ret));
		if (!args->keep_going)
			break;
	}
	if (done == nb)
		return PB_OK;
	if (args->keep_going && done > 0)
		return PB_NOT_ALL;
	/* All or nothing. */
	while (driver != NULL && !args->keep_going && i-- > 0)
		persist_one(fn[i], NULL);
	return PB_FAILED;
}

enum pb_status
pb_persist(const struct pb_args *args)
{
	const char *driver = args->driver != NULL ? args->driver : PB_DEFAULT_DRIVER;
	char why[PB_TEXT_LEN] = "";
	enum pb_status status = PB_USAGE;
	struct pb_machine m;
	struct pb_fn **fn;
	int nb;

	if (!args->remove && !pb_driver_known(driver, why)) {
		pb_say("%s", why);
		return PB_USAGE;
	}
	if (pb_machine_load(&m) != 0)
		return PB_FAILED;
	fn = calloc(m.nb + 1, sizeof(*fn));
	nb = fn != NULL ? pb_choose(&m, args, fn) : 0;
	if (nb > 0 && !args->remove && !may_all(&m, args, fn, nb, driver))
		status = PB_REFUSED;
	else if (nb > 0)
		status = persist_all(args, fn, nb, args->remove ? NULL : driver);
	free(fn);
	pb_machine_free(&m);
	return status;
}
