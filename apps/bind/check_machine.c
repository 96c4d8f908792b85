/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor.h"
#include "driver.h"
#include "sysfs.h"

#define CAP_IPC_LOCK_BIT 14

/* IOMMU */

void
pb_check_iommu(struct pb_checkup *c)
{
	char what[PB_TEXT_LEN], cure[PB_TEXT_LEN];
	struct pb_finding *f;
	bool possible;

	pb_iommu_explain(&c->iommu_facts, c->iommu, what, cure);
	f = pb_find(c, c->iommu == PB_IOMMU_ON ? PB_FINE : PB_BLOCKER, "iommu", "%s", what);
	strcpy(f->cure, cure);
	if (!pb_noiommu_mode(&possible))
		return;
	/* The user has chosen to do without. */
	if (c->iommu != PB_IOMMU_ON)
		f->severity = PB_WARNING;
	f = pb_find(c, PB_WARNING, "noiommu", "vfio's unsafe no-IOMMU mode is on: a card may write "
		    "to any memory");
	pb_add(f->cure, "echo N > /sys/module/vfio/parameters/enable_unsafe_noiommu_mode");
}

/* Modules */

static int
fix_module(const struct pb_finding *f)
{
	char why[PB_TEXT_LEN] = "";
	int ret = pb_module_load(f->fix_arg, why);

	if (ret != 0)
		pb_say("%s", why);
	return ret;
}

static void
check_module(struct pb_checkup *c, const char *name, const char *id)
{
	struct pb_finding *f;

	switch (pb_module_state(name)) {
	case PB_MODULE_LOADED:
		pb_find(c, PB_FINE, id, "module %s is there", name);
		break;
	case PB_MODULE_THERE:
		f = pb_find(c, PB_WARNING, id, "module %s is not loaded", name);
		pb_add(f->cure, "modprobe %s", name);
		f->fix = fix_module;
		f->fix_arg = name;
		break;
	case PB_MODULE_MISSING:
		f = pb_find(c, PB_BLOCKER, id, "this kernel has no module %s", name);
		pb_add(f->cure, "boot a kernel of the distribution with its modules (Debian: "
		       "linux-image-amd64; a \"cloud\" kernel lacks some), then: modprobe %s",
		       name);
		break;
	}
}

void
pb_check_modules(struct pb_checkup *c)
{
	bool possible;

	if (c->iommu == PB_IOMMU_ON || pb_noiommu_mode(&possible)) {
		check_module(c, "vfio-pci", "vfio-pci");
		check_module(c, "vfio_iommu_type1", "vfio_iommu_type1");
	} else {
		/* What is left to somebody without an IOMMU. */
		check_module(c, "uio_pci_generic", "uio_pci_generic");
	}
}

/* Secure Boot */

static bool
secure_boot(void)
{
	unsigned char data[5];

	/* Four bytes of attributes, then the value. */
	return pb_read_bytes(data, sizeof(data), "/sys/firmware/efi/efivars/"
			     "SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c") == 5 &&
	       data[4] == 1;
}

void
pb_check_lockdown(struct pb_checkup *c)
{
	const char *why = secure_boot() ? "Secure Boot" : "lockdown= on the kernel command line";
	char text[PB_NAME_LEN];
	struct pb_finding *f;

	if (pb_read(text, sizeof(text), "/sys/kernel/security/lockdown") != 0 ||
	    strchr(text, '[') == NULL || strstr(text, "[none]") != NULL)
		return;
	if (c->iommu == PB_IOMMU_ON) {
		pb_find(c, PB_NOTE, "lockdown", "the kernel is locked down (%s): vfio-pci works, "
			"uio drivers and modules without signature do not", why);
		return;
	}
	f = pb_find(c, PB_BLOCKER, "lockdown", "the kernel is locked down (%s), and without an "
		    "IOMMU only uio drivers are left, which that forbids", why);
	pb_add(f->cure, "get an IOMMU (above), or switch Secure Boot off in the firmware set-up");
}

/* Containers */

static bool
in_container(void)
{
	char text[PB_NAME_LEN];

	return pb_exists("/.dockerenv") || pb_exists("/run/.containerenv") ||
	       pb_read(text, sizeof(text), "/run/systemd/container") == 0;
}

static bool
sysfs_read_only(void)
{
	char *all = pb_slurp("/proc/self/mounts"), *rest = all, *line;
	char path[128], type[32], options[256];
	bool read_only = false;

	while ((line = pb_next_line(&rest)) != NULL)
		if (sscanf(line, "%*s %127s %31s %255s", path, type, options) == 3 &&
		    strcmp(type, "sysfs") == 0 && strcmp(path, "/sys") == 0)
			read_only = pb_has_word(options, "ro");
	free(all);
	return read_only;
}

void
pb_check_container(struct pb_checkup *c)
{
	bool container = in_container();
	struct pb_finding *f;

	if (!container && !sysfs_read_only())
		return;
	if (sysfs_read_only()) {
		f = pb_find(c, PB_NOTE, "sysfs-read-only", "/sys is read-only%s: cards are bound "
			    "on the host", container ? " in this container" : "");
		pb_add(f->cure, "on the host: pollwire-bind bind ADDRESS");
	}
	if (container && !pb_exists("/dev/vfio/vfio")) {
		f = pb_find(c, PB_BLOCKER, "container-no-vfio", "this container has no /dev/vfio");
		pb_add(f->cure, "start it with: --device /dev/vfio/vfio --device /dev/vfio/GROUP "
		       "--ulimit memlock=-1 --volume /dev/hugepages:/dev/hugepages");
	}
}

/* Hugepages */

static int
fix_mount(const struct pb_finding *f)
{
	return pb_huge_mount(f->fix_arg);
}

static int
fix_pages(const struct pb_finding *f)
{
	const struct pb_pool *pool = f->fix_arg;
	uint64_t got;
	int ret = pb_huge_grow(pool, PB_HUGE_NEED, &got);

	return ret == 0 && pool->mount[0] == '\0' ? pb_huge_mount(pool) : ret;
}

static void
check_free(struct pb_checkup *c, const struct pb_pool *pool)
{
	uint64_t pages = pb_huge_pages_for(pool, PB_HUGE_NEED), nb = pb_huge_free(&c->huge);
	char size[24], command[PB_TEXT_LEN];
	struct pb_finding *f;

	pb_size_text(nb, size);
	if (nb >= PB_HUGE_NEED) {
		pb_find(c, PB_FINE, "hugepages", "%s of hugepages are free (pages of 1G are not "
			"needed)", size);
		return;
	}
	f = pb_find(c, PB_WARNING, "hugepages", "%s of hugepages are free, 128M are wanted: "
		    "programs of ours take slower ordinary memory instead, others fail", size);
	pb_huge_command(pool, pages, command);
	pb_add(f->cure, "pollwire-bind hugepages --need 128M, that is: %s; at every boot: echo "
	       "vm.nr_hugepages=%" PRIu64 " > /etc/sysctl.d/80-hugepages.conf", command, pages);
	/* Memory that nobody uses, and four times as much of it. */
	if (c->huge.available >= 4ull * PB_HUGE_NEED) {
		f->fix = fix_pages;
		f->fix_arg = pool;
	}
}

static void
check_pool(struct pb_checkup *c, const struct pb_pool *pool)
{
	char size[24], paths[PB_TEXT_LEN];
	struct pb_finding *f;
	unsigned int nb;

	pb_size_text(pool->page, size);
	if (pool->total > 0 && pool->mount[0] == '\0') {
		f = pb_find(c, PB_WARNING, "hugepages-not-mounted", "%" PRIu64
			    " hugepages of %s are reserved, and no hugetlbfs for them is mounted",
			    pool->total, size);
		pb_add(f->cure, "mkdir -p /dev/hugepages; mount -t hugetlbfs -o pagesize=%s "
		       "hugetlbfs /dev/hugepages", size);
		f->fix = fix_mount;
		f->fix_arg = pool;
	}
	nb = pb_huge_leaked(pool, paths);
	if (nb > 0) {
		f = pb_find(c, PB_WARNING, "hugepages-leaked", "%u hugepages of %s are held by "
			    "files of programs that are gone", nb, size);
		pb_add(f->cure, "rm%s%s", paths, nb > 8 ? " ..." : "");
	}
}

void
pb_check_hugepages(struct pb_checkup *c)
{
	const struct pb_pool *pool = pb_huge_pool(&c->huge, 0);
	unsigned int i;

	if (pool == NULL) {
		pb_find(c, PB_WARNING, "hugepages", "this kernel has no hugepages: programs of "
			"ours take slower ordinary memory instead");
		return;
	}
	check_free(c, pool);
	for (i = 0; i < c->huge.nb; i++)
		check_pool(c, &c->huge.pool[i]);
}

/* Locked memory */

/* Bytes; UINT64_MAX: no limit, or none known. */
static uint64_t
memlock_limit(void)
{
	char *all = pb_slurp("/proc/self/limits"), *rest = all, *line;
	unsigned long long limit;
	uint64_t found = UINT64_MAX;

	while ((line = pb_next_line(&rest)) != NULL)
		if (sscanf(line, "Max locked memory %llu", &limit) == 1)
			found = limit;
	free(all);
	return found;
}

static bool
may_lock_all(void)
{
	char *all = pb_slurp("/proc/self/status"), *rest = all, *line;
	unsigned long long caps = 0;

	while ((line = pb_next_line(&rest)) != NULL)
		if (sscanf(line, "CapEff: %llx", &caps) == 1)
			break;
	free(all);
	return (caps >> CAP_IPC_LOCK_BIT & 1) != 0;
}

void
pb_check_memlock(struct pb_checkup *c)
{
	uint64_t limit = memlock_limit();
	struct pb_finding *f;
	char size[24];

	if (limit == UINT64_MAX) {
		pb_find(c, PB_FINE, "memlock", "locked memory is not limited");
		return;
	}
	pb_size_text(limit, size);
	if (limit >= PB_HUGE_NEED) {
		pb_find(c, PB_FINE, "memlock", "%s of memory may be locked", size);
		return;
	}
	/* vfio counts what a card may reach; who has the capability is not counted. */
	f = pb_find(c, may_lock_all() ? PB_NOTE : PB_WARNING, "memlock",
		    "a user without privileges may lock %s of memory, and vfio needs all that a "
		    "card may reach", size);
	pb_add(f->cure, "ulimit -l unlimited, or for good: echo '* - memlock unlimited' > "
	       "/etc/security/limits.d/80-memlock.conf; in a unit: LimitMEMLOCK=infinity");
}
