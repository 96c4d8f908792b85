/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "move.h"
#include "sysfs.h"

#define MEMORY "/run/pollwire"

/* What the kernel's answer to a bind means. */
static const char *
reason(int err, const char *driver)
{
	switch (-err) {
	case EACCES:
	case EPERM:
		return "not permitted: run as root, and not in a container whose /sys is read-only";
	case EROFS:
		return "/sys is read-only: run it on the host, not in a container";
	case ENODEV:
		return "the driver does not take this card (dmesg tells why)";
	case EINVAL:
		return pb_is_vfio(driver) ?
		       "no IOMMU group for vfio-pci (pollwire-bind doctor tells why)" :
		       "invalid argument (dmesg tells why)";
	case EBUSY:
		return "busy: another driver or program has it";
	case ENOENT:
		return "the driver is not loaded, or the card is gone";
	default:
		return strerror(-err);
	}
}

void
pb_place_of(const struct pb_fn *fn, struct pb_place *place)
{
	strcpy(place->driver, fn->driver);
	strcpy(place->override, fn->override);
}

static int
set_override(struct pb_fn *fn, const char *override, char *why)
{
	char text[PB_NAME_LEN];
	int ret;

	if (strcmp(fn->override, override) == 0)
		return 0;
	ret = pb_write(override[0] != '\0' ? override : "\n",
		       "/sys/bus/pci/devices/%s/driver_override", fn->addr);
	if (ret != 0) {
		pb_add(why, "cannot set driver_override: %s", reason(ret, override));
		return ret;
	}
	snprintf(text, sizeof(text), "%s", override);
	strcpy(fn->override, text);
	return 0;
}

static int
leave(const struct pb_fn *fn, char *why)
{
	int ret;

	if (fn->driver[0] == '\0')
		return 0;
	ret = pb_write(fn->addr, "/sys/bus/pci/drivers/%s/unbind", fn->driver);
	if (ret != 0)
		pb_add(why, "%s does not let go: %s", fn->driver, reason(ret, fn->driver));
	return ret;
}

static int
enter(struct pb_fn *fn, const char *driver, char *why)
{
	int ret;

	if (driver[0] == '\0')
		return 0;
	ret = pb_write(fn->addr, "/sys/bus/pci/drivers/%s/bind", driver);
	if (ret != 0)
		pb_add(why, "%s refuses: %s", driver, reason(ret, driver));
	return ret;
}

/* The override that opens a driver's door: one that knows no cards takes only what it is told. */
static const char *
key(const struct pb_place *to)
{
	return pb_is_userspace(to->driver) || strcmp(to->override, to->driver) == 0 ?
	       to->driver : "";
}

static int
change_driver(struct pb_fn *fn, const struct pb_place *to, char *why)
{
	int ret = set_override(fn, key(to), why);

	if (ret == 0)
		ret = leave(fn, why);
	return ret == 0 ? enter(fn, to->driver, why) : ret;
}

int
pb_move(struct pb_fn *fn, const struct pb_place *to, char *why)
{
	int ret = 0;

	if (strcmp(fn->driver, to->driver) != 0)
		ret = change_driver(fn, to, why);
	/* An override that stayed would keep others from giving the card to their driver. */
	if (ret == 0)
		ret = set_override(fn, to->override, why);
	if (pb_is_dry())
		return ret;
	pb_fn_refresh(fn);
	if (ret == 0 && strcmp(fn->driver, to->driver) != 0) {
		pb_add(why, "the kernel took the request and did not bind %s",
		       to->driver[0] != '\0' ? to->driver : "nothing");
		ret = -EIO;
	}
	return ret;
}

/* Loads the modules made for it, then asks again. */
static int
probe_with_modules(struct pb_fn *fn, char *why)
{
	char list[PB_TEXT_LEN], *rest = list, *module, ignored[PB_TEXT_LEN] = "";
	int ret;

	pb_fn_modules(fn, list);
	if (list[0] == '\0') {
		pb_add(why, "the kernel has no driver for it");
		return -ENODEV;
	}
	while ((module = strsep(&rest, ",")) != NULL)
		pb_module_load(module, ignored);
	ret = pb_write(fn->addr, "/sys/bus/pci/drivers_probe");
	pb_fn_refresh(fn);
	if (ret == 0 && fn->driver[0] == '\0')
		ret = -ENODEV;
	if (ret != 0)
		pb_add(why, "no driver of the kernel takes it (%s)%s%s", list,
		       ignored[0] != '\0' ? ": " : "", ignored);
	return ret;
}

int
pb_move_home(struct pb_fn *fn, char *why)
{
	const struct pb_place nowhere = {"", ""};
	int ret = pb_move(fn, &nowhere, why);

	if (ret != 0)
		return ret;
	ret = pb_write(fn->addr, "/sys/bus/pci/drivers_probe");
	if (ret != 0)
		pb_add(why, "cannot probe: %s", reason(ret, ""));
	if (ret != 0 || pb_is_dry())
		return ret;
	pb_fn_refresh(fn);
	return fn->driver[0] != '\0' ? 0 : probe_with_modules(fn, why);
}

/* Memory: a file a function, gone with the next boot as the binding is. */

void
pb_recall(const struct pb_fn *fn, struct pb_memory *memory)
{
	char *all = pb_slurp(MEMORY "/%s", fn->addr), *rest = all, *line;

	memset(memory, 0, sizeof(*memory));
	while ((line = pb_next_line(&rest)) != NULL) {
		if (strncmp(line, "driver=", 7) == 0 && pb_is_name(line + 7))
			snprintf(memory->driver, sizeof(memory->driver), "%s", line + 7);
		else if (strncmp(line, "interface=", 10) == 0 && pb_is_name(line + 10))
			snprintf(memory->interface, sizeof(memory->interface), "%s", line + 10);
	}
	free(all);
}

int
pb_remember(const struct pb_fn *fn, const struct pb_memory *memory)
{
	char text[4 * PB_NAME_LEN];

	/* In a dry run it is no command of the user's. */
	if (pb_is_dry())
		return 0;
	snprintf(text, sizeof(text), "driver=%s\ninterface=%s\n", memory->driver,
		 memory->interface);
	return pb_store(text, MEMORY "/%s", fn->addr);
}

void
pb_forget(const struct pb_fn *fn)
{
	if (pb_is_dry())
		return;
	if (pb_remove(MEMORY "/%s", fn->addr) == 0)
		pb_remove(MEMORY);
}
