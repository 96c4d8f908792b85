/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "change.h"

static bool
has_interface(const struct pb_fn *fn, const char *word)
{
	unsigned int i;

	for (i = 0; i < fn->nb_netifs; i++)
		if (strcmp(fn->netif[i].name, word) == 0)
			return true;
	return false;
}

static bool
fits(const struct pb_fn *fn, const char *word)
{
	char full[PB_ADDR_LEN];

	if (pb_address(word, full))
		return strcmp(fn->addr, full) == 0;
	if (strpbrk(word, "*?[") != NULL)
		return fnmatch(word, fn->addr, 0) == 0 ||
		       (strncmp(fn->addr, "0000:", 5) == 0 && fnmatch(word, fn->addr + 5, 0) == 0);
	return has_interface(fn, word);
}

int
pb_choose(struct pb_machine *m, const struct pb_args *args, struct pb_fn **fn)
{
	int i, nb = 0;
	bool found;
	size_t f;

	for (i = 0; i < args->nb_devices; i++) {
		found = false;
		for (f = 0; f < m->nb; f++) {
			if (!fits(&m->fn[f], args->device[i]))
				continue;
			found = true;
			if (!m->fn[f].chosen)
				fn[nb++] = &m->fn[f];
			m->fn[f].chosen = true;
		}
		if (found)
			continue;
		pb_say("there is no PCI device and no card with the interface '%.64s' "
		       "(pollwire-bind status lists them)", args->device[i]);
		return -ENODEV;
	}
	return nb;
}
