/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "sysfs.h"
#include "text.h"

static const char *const usual[] = {"vfio-pci", "uio_pci_generic", "igb_uio"};

#define NB_USUAL (sizeof(usual) / sizeof(usual[0]))

/* Modules */

static void
plain_name(char *out, const char *name)
{
	size_t i;

	snprintf(out, PB_NAME_LEN, "%s", name);
	for (i = 0; out[i] != '\0'; i++)
		if (out[i] == '-')
			out[i] = '_';
}

/* Whether a list of module files (modules.dep, modules.builtin) has one. */
static bool
listed(const char *list, const char *plain)
{
	char release[PB_NAME_LEN], name[PB_NAME_LEN], *all, *rest, *line, *base;
	bool found = false;

	if (pb_read(release, sizeof(release), "/proc/sys/kernel/osrelease") != 0)
		return false;
	all = rest = pb_slurp("/lib/modules/%s/%s", release, list);
	while (!found && (line = pb_next_line(&rest)) != NULL) {
		line[strcspn(line, ":")] = '\0';
		base = strrchr(line, '/');
		base = base != NULL ? base + 1 : line;
		base[strcspn(base, ".")] = '\0';
		plain_name(name, base);
		found = strcmp(name, plain) == 0;
	}
	free(all);
	return found;
}

enum pb_module
pb_module_state(const char *name)
{
	char plain[PB_NAME_LEN];

	plain_name(plain, name);
	if (pb_exists("/sys/module/%s", plain) || listed("modules.builtin", plain))
		return PB_MODULE_LOADED;
	return listed("modules.dep", plain) ? PB_MODULE_THERE : PB_MODULE_MISSING;
}

int
pb_module_load(const char *name, char *why)
{
	const char *const argv[] = {"modprobe", name, NULL};
	int ret;

	if (pb_module_state(name) == PB_MODULE_LOADED)
		return 0;
	ret = pb_run(argv);
	if (ret == 0)
		return 0;
	if (ret == -ENOENT)
		pb_add(why, "there is no modprobe to load the module %s", name);
	else
		pb_add(why, "modprobe %s failed", name);
	return ret < 0 ? ret : -EIO;
}

/* Drivers */

bool
pb_driver_present(const char *name)
{
	return pb_is_name(name) && pb_exists("/sys/bus/pci/drivers/%s", name);
}

static void
suggest(const char *name, char *why)
{
	const char **candidates, *found;
	struct pb_names names;
	size_t i, nb = 0;

	pb_list(&names, "/sys/bus/pci/drivers");
	candidates = calloc(names.nb + NB_USUAL, sizeof(candidates[0]));
	if (candidates != NULL) {
		/* These first: of two that are as like, the usual one is meant. */
		for (i = 0; i < NB_USUAL; i++)
			candidates[nb++] = usual[i];
		for (i = 0; i < names.nb; i++)
			candidates[nb++] = names.name[i];
		found = pb_suggest(name, candidates, nb);
		if (found != NULL && strcmp(found, name) != 0)
			pb_add(why, "; did you mean %s?", found);
		else if (found != NULL)
			pb_add(why, ": its module is missing (pollwire-bind doctor)");
	}
	free(candidates);
	pb_names_free(&names);
}

bool
pb_driver_known(const char *name, char *why)
{
	char plain[PB_NAME_LEN], usual_plain[PB_NAME_LEN];
	bool misspelt = false;
	size_t i;

	if (pb_driver_present(name))
		return true;
	plain_name(plain, name);
	for (i = 0; i < NB_USUAL; i++) {
		plain_name(usual_plain, usual[i]);
		misspelt |= strcmp(plain, usual_plain) == 0 && strcmp(name, usual[i]) != 0;
	}
	if (pb_is_name(name) && !misspelt && pb_module_state(name) != PB_MODULE_MISSING)
		return true;
	pb_add(why, "this kernel has no PCI driver '%.64s'", name);
	suggest(name, why);
	return false;
}

int
pb_driver_load(const char *name, char *why)
{
	int ret;

	if (pb_driver_present(name))
		return 0;
	ret = pb_module_load(name, why);
	if (ret != 0 || pb_is_dry() || pb_driver_present(name))
		return ret;
	pb_add(why, "the module %s is loaded and is no PCI driver", name);
	return -ENODEV;
}
