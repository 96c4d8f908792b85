/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "pci.h"
#include "status.h"

/*
 * The form of dpdk-devbind.py --status-dev net, to the letter: scripts read it. A line that ends
 * with a blank is part of that.
 */

enum section { DPDK, KERNEL, OTHER };

static const char *const titles[] = {
	[DPDK] = "Network devices using DPDK-compatible driver",
	[KERNEL] = "Network devices using kernel driver",
	[OTHER] = "Other Network devices",
};

/* Its own list, in its own order; of these the loaded ones. */
static void
loaded_drivers(char *list)
{
	static const char *const drivers[] = {"igb_uio", "vfio-pci", "uio_pci_generic"};
	size_t i;

	list[0] = '\0';
	for (i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++)
		if (pb_module_state(drivers[i]) == PB_MODULE_LOADED)
			pb_add(list, "%s%s", list[0] != '\0' ? "," : "", drivers[i]);
}

/* Its parser of lspci keeps the last module only. */
static void
last_module(const struct pb_fn *fn, char *module)
{
	char all[PB_TEXT_LEN];
	const char *comma;

	pb_fn_modules(fn, all);
	comma = strrchr(all, ',');
	snprintf(module, PB_TEXT_LEN, "%s", comma != NULL ? comma + 1 : all);
}

static void
unused(const struct pb_fn *fn, const char *loaded, char *list)
{
	char all[PB_TEXT_LEN], copy[PB_TEXT_LEN], *rest = copy, *word;

	last_module(fn, all);
	snprintf(copy, sizeof(copy), "%s", loaded);
	while ((word = strsep(&rest, ",")) != NULL)
		if (word[0] != '\0' && strstr(all, word) == NULL)
			pb_add(all, "%s%s", all[0] != '\0' ? "," : "", word);
	list[0] = '\0';
	snprintf(copy, sizeof(copy), "%s", all);
	rest = copy;
	while ((word = strsep(&rest, ",")) != NULL)
		if (strcmp(word, fn->driver) != 0)
			pb_add(list, "%s%s", list[0] != '\0' ? "," : "", word);
}

static bool
active(const struct pb_machine *m, const struct pb_fn *fn)
{
	unsigned int n;
	size_t i;

	for (n = 0; n < fn->nb_netifs; n++)
		for (i = 0; i < m->net.nb_routes; i++)
			if (m->net.route[i].v4 &&
			    strcmp(m->net.route[i].interface, fn->netif[n].name) == 0)
				return true;
	return false;
}

static enum section
section_of(const struct pb_fn *fn, const char *loaded)
{
	if (fn->driver[0] == '\0')
		return OTHER;
	return pb_has_word(loaded, fn->driver) ? DPDK : KERNEL;
}

static void
print_fn(const struct pb_machine *m, const struct pb_fn *fn, const char *loaded)
{
	const char *name = pb_fn_name(fn);
	enum section section = section_of(fn, loaded);
	char list[PB_TEXT_LEN];
	unsigned int i;

	printf("%s '%s %04x' ", fn->addr, name[0] != '\0' ? name : "Device", fn->device);
	if (section == KERNEL) {
		printf("if=");
		for (i = 0; i < fn->nb_netifs; i++)
			printf("%s%s", i > 0 ? "," : "", fn->netif[i].name);
		printf(" ");
	}
	if (section != OTHER)
		printf("drv=%s ", fn->driver);
	unused(fn, loaded, list);
	printf("unused=%s", list);
	if (section == KERNEL)
		printf(" %s", active(m, fn) ? "*Active*" : "");
	printf("\n");
}

static void
underline(const char *title)
{
	size_t i;

	printf("\n%s\n", title);
	for (i = 0; title[i] != '\0'; i++)
		printf("=");
	printf("\n");
}

static size_t
print_section(const struct pb_machine *m, enum section section, const char *loaded)
{
	size_t i, nb = 0;

	for (i = 0; i < m->nb; i++) {
		if (!pb_is_network(&m->fn[i]) || section_of(&m->fn[i], loaded) != section)
			continue;
		if (nb++ == 0)
			underline(titles[section]);
		print_fn(m, &m->fn[i], loaded);
	}
	return nb;
}

enum pb_status
pb_show_devbind(void)
{
	char loaded[PB_TEXT_LEN];
	struct pb_machine m;
	size_t nb;

	if (pb_machine_load(&m) != 0)
		return PB_FAILED;
	loaded_drivers(loaded);
	nb = print_section(&m, DPDK, loaded);
	nb += print_section(&m, KERNEL, loaded);
	nb += print_section(&m, OTHER, loaded);
	if (nb == 0)
		underline("No 'Network' devices detected");
	pb_machine_free(&m);
	return PB_OK;
}
