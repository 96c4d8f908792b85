/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pciaccess.h>

#include "pci.h"
#include "sysfs.h"

#define DEVICES "/sys/bus/pci/devices"

/* Listing */

static struct pb_fn *
add_fn(struct pb_machine *m, const char *addr)
{
	struct pb_fn *more = realloc(m->fn, (m->nb + 1) * sizeof(*more));

	if (more == NULL)
		return NULL;
	m->fn = more;
	more += m->nb++;
	memset(more, 0, sizeof(*more));
	snprintf(more->addr, sizeof(more->addr), "%s", addr);
	return more;
}

/* This machine's own functions: libpciaccess knows the way. */
static int
list_live(struct pb_machine *m)
{
	struct pci_device_iterator *iter;
	struct pci_device *dev;
	char addr[PB_ADDR_LEN];
	int ret = pci_system_init();

	if (ret != 0)
		return -ret;
	iter = pci_slot_match_iterator_create(NULL);
	while (ret == 0 && (dev = pci_device_next(iter)) != NULL) {
		struct pb_fn *fn;

		snprintf(addr, sizeof(addr), "%04x:%02x:%02x.%x", dev->domain, dev->bus, dev->dev,
			 dev->func);
		fn = add_fn(m, addr);
		if (fn == NULL) {
			ret = -ENOMEM;
			break;
		}
		fn->vendor = dev->vendor_id;
		fn->device = dev->device_id;
		fn->subvendor = dev->subvendor_id;
		fn->subdevice = dev->subdevice_id;
		fn->class = dev->device_class & 0xffffff;
	}
	pci_iterator_destroy(iter);
	pci_system_cleanup();
	return ret;
}

/* Another root's: libpciaccess looks at /sys only. */
static int
list_tree(struct pb_machine *m)
{
	char addr[PB_ADDR_LEN];
	struct pb_names names;
	int ret = pb_list(&names, DEVICES);
	size_t i;

	for (i = 0; ret == 0 && i < names.nb; i++) {
		const char *name = names.name[i];
		struct pb_fn *fn;

		if (!pb_address(name, addr) || strcmp(addr, name) != 0)
			continue;
		fn = add_fn(m, addr);
		if (fn == NULL) {
			ret = -ENOMEM;
			break;
		}
		fn->vendor = pb_number(0xffff, DEVICES "/%s/vendor", name);
		fn->device = pb_number(0xffff, DEVICES "/%s/device", name);
		fn->subvendor = pb_number(0, DEVICES "/%s/subsystem_vendor", name);
		fn->subdevice = pb_number(0, DEVICES "/%s/subsystem_device", name);
		fn->class = pb_number(0, DEVICES "/%s/class", name) & 0xffffff;
	}
	pb_names_free(&names);
	return ret;
}

static int
by_addr(const void *a, const void *b)
{
	return strcmp(((const struct pb_fn *)a)->addr, ((const struct pb_fn *)b)->addr);
}

int
pb_machine_load(struct pb_machine *m)
{
	int ret;
	size_t i;

	memset(m, 0, sizeof(*m));
	ret = pb_live() ? list_live(m) : list_tree(m);
	if (ret != 0) {
		pb_say("cannot list PCI devices: %s (is /sys mounted?)", strerror(-ret));
		pb_machine_free(m);
		return ret;
	}
	ret = pb_net_load(&m->net);
	if (ret != 0) {
		/* Not to know is no licence to take an interface away from somebody. */
		pb_say("cannot tell which interfaces are in use: %s", strerror(-ret));
		pb_machine_free(m);
		return ret;
	}
	if (m->nb > 0)
		qsort(m->fn, m->nb, sizeof(m->fn[0]), by_addr);
	for (i = 0; i < m->nb; i++) {
		pb_chip_find(&m->fn[i].chip, m->fn[i].vendor, m->fn[i].device);
		pb_fn_refresh(&m->fn[i]);
	}
	return 0;
}

void
pb_machine_free(struct pb_machine *m)
{
	free(m->fn);
	pb_net_free(&m->net);
	memset(m, 0, sizeof(*m));
}

/* One function */

static void
add_netifs(struct pb_fn *fn, const char *folder)
{
	struct pb_names names;
	size_t i;

	if (pb_list(&names, "%s/net", folder) != 0)
		return;
	if (names.nb == 0)
		fn->net_elsewhere = true;
	for (i = 0; i < names.nb && fn->nb_netifs < PB_MAX_NETIFS; i++)
		if (pb_is_name(names.name[i]))
			pb_netif_read(&fn->netif[fn->nb_netifs++], names.name[i]);
	pb_names_free(&names);
}

static void
find_netifs(struct pb_fn *fn)
{
	char folder[PATH_MAX];
	struct pb_names names;
	size_t i;

	fn->nb_netifs = 0;
	fn->net_elsewhere = false;
	snprintf(folder, sizeof(folder), DEVICES "/%s", fn->addr);
	add_netifs(fn, folder);
	/* A virtio card's interface is one level deeper. */
	if (pb_list(&names, DEVICES "/%s", fn->addr) != 0)
		return;
	for (i = 0; i < names.nb; i++) {
		if (strncmp(names.name[i], "virtio", 6) != 0)
			continue;
		snprintf(folder, sizeof(folder), DEVICES "/%s/%s", fn->addr, names.name[i]);
		add_netifs(fn, folder);
	}
	pb_names_free(&names);
}

static int
read_group(const struct pb_fn *fn)
{
	char text[16], *end;
	long group;

	if (pb_link(text, sizeof(text), DEVICES "/%s/iommu_group", fn->addr) != 0)
		return -1;
	group = strtol(text, &end, 10);
	return end == text || *end != '\0' || group < 0 || group > INT_MAX ? -1 : (int)group;
}

void
pb_fn_refresh(struct pb_fn *fn)
{
	char text[PB_NAME_LEN];

	if (pb_link(fn->driver, sizeof(fn->driver), DEVICES "/%s/driver", fn->addr) != 0 ||
	    !pb_is_name(fn->driver))
		fn->driver[0] = '\0';
	if (pb_read(fn->override, sizeof(fn->override), DEVICES "/%s/driver_override",
		    fn->addr) != 0 || strcmp(fn->override, "(null)") == 0)
		fn->override[0] = '\0';
	fn->group = read_group(fn);
	fn->noiommu = fn->group >= 0 &&
		      pb_read(text, sizeof(text), "/sys/kernel/iommu_groups/%d/name",
			      fn->group) == 0 && strcmp(text, "vfio-noiommu") == 0;
	find_netifs(fn);
}

struct pb_fn *
pb_fn_find(const struct pb_machine *m, const char *addr)
{
	size_t i;

	for (i = 0; i < m->nb; i++)
		if (strcmp(m->fn[i].addr, addr) == 0)
			return &m->fn[i];
	return NULL;
}

bool
pb_is_network(const struct pb_fn *fn)
{
	return fn->class >> 16 == 0x02;
}

bool
pb_is_bridge(const struct pb_fn *fn)
{
	return fn->class >> 16 == 0x06;
}

bool
pb_is_vfio(const char *driver)
{
	return strcmp(driver, "vfio-pci") == 0;
}

bool
pb_is_userspace(const char *driver)
{
	return pb_is_vfio(driver) || strcmp(driver, "uio_pci_generic") == 0 ||
	       strcmp(driver, "igb_uio") == 0;
}

/* Names */

static void
look_up(const struct pb_fn *fn, const char **name, const char **vendor)
{
	const struct pci_id_match match = {
		.vendor_id = fn->vendor,
		.device_id = fn->device,
		.subvendor_id = PCI_MATCH_ANY,
		.subdevice_id = PCI_MATCH_ANY,
	};
	const char *unused[2];

	*name = *vendor = NULL;
	pci_get_strings(&match, name, vendor, &unused[0], &unused[1]);
}

const char *
pb_fn_name(const struct pb_fn *fn)
{
	const char *name, *vendor;

	look_up(fn, &name, &vendor);
	return name != NULL ? name : "";
}

const char *
pb_fn_vendor_name(const struct pb_fn *fn)
{
	const char *name, *vendor;

	look_up(fn, &name, &vendor);
	return vendor != NULL ? vendor : "";
}

static void
add_module(void *arg, const char *module)
{
	char *list = arg;

	if (!pb_has_word(list, module))
		pb_add(list, "%s%s", list[0] != '\0' ? "," : "", module);
}

void
pb_fn_modules(const struct pb_fn *fn, char *list)
{
	char release[PB_NAME_LEN], modalias[256], *aliases;

	list[0] = '\0';
	if (pb_read(modalias, sizeof(modalias), DEVICES "/%s/modalias", fn->addr) != 0 ||
	    pb_read(release, sizeof(release), "/proc/sys/kernel/osrelease") != 0)
		return;
	aliases = pb_slurp("/lib/modules/%s/modules.alias", release);
	if (aliases != NULL)
		pb_modules_for(aliases, modalias, add_module, list);
	free(aliases);
}

/* Processes */

/* The device file that a program has to open to get at a function. */
static bool
device_file(const struct pb_fn *fn, char *path, size_t len)
{
	struct pb_names names;
	bool found = false;

	if (pb_is_vfio(fn->driver) && fn->group >= 0) {
		snprintf(path, len, "/dev/vfio/%s%d", fn->noiommu ? "noiommu-" : "", fn->group);
		return true;
	}
	if (pb_list(&names, DEVICES "/%s/uio", fn->addr) == 0 && names.nb > 0) {
		snprintf(path, len, "/dev/%s", names.name[0]);
		found = true;
	}
	pb_names_free(&names);
	return found;
}

static bool
has_open(const char *pid, const char *file)
{
	char target[PB_NAME_LEN];
	struct pb_names fds;
	bool found = false;
	size_t i;

	if (pb_list(&fds, "/proc/%s/fd", pid) != 0)
		return false;
	for (i = 0; i < fds.nb && !found; i++)
		found = pb_target(target, sizeof(target), "/proc/%s/fd/%s", pid,
				  fds.name[i]) == 0 && strcmp(target, file) == 0;
	pb_names_free(&fds);
	return found;
}

int
pb_fn_holder(const struct pb_fn *fn)
{
	int holder = 0, pid, self = pb_live() ? getpid() : 0;
	struct pb_names pids;
	char file[64];
	size_t i;

	if (!device_file(fn, file, sizeof(file)) || pb_list(&pids, "/proc") != 0)
		return 0;
	/* The oldest: others, ourselves too, may have it by inheritance. */
	for (i = 0; i < pids.nb; i++) {
		pid = atoi(pids.name[i]);
		if (pid > 0 && pid != self && (holder == 0 || pid < holder) &&
		    has_open(pids.name[i], file))
			holder = pid;
	}
	pb_names_free(&pids);
	return holder;
}
