/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "doctor.h"
#include "judge.h"
#include "sysfs.h"

#define DEVICES "/sys/bus/pci/devices"

/* Configuration space (PCI 3.0, §6.1; PCI Express Base 3.0, §7.8) */
#define CFG_STATUS 0x06
#define CFG_STATUS_CAPS 0x10
#define CFG_CAPS 0x34
#define CAP_EXPRESS 0x10
#define EXPRESS_LNKCTL 0x10
#define LNKCTL_ASPM 0x3

/* ASPM */

/* @return bits of L0s and L1; 0 also where nothing can be seen. */
static unsigned int
aspm(const struct pb_fn *fn)
{
	unsigned char config[256];
	unsigned int at, hops = 48;

	/* Without privileges only 64 bytes can be read. */
	if (pb_read_bytes(config, sizeof(config), DEVICES "/%s/config", fn->addr) != 256 ||
	    (config[CFG_STATUS] & CFG_STATUS_CAPS) == 0)
		return 0;
	for (at = config[CFG_CAPS] & 0xfc; at >= 0x40 && hops-- > 0; at = config[at + 1] & 0xfc)
		if (config[at] == CAP_EXPRESS && at + EXPRESS_LNKCTL < 256)
			return config[at + EXPRESS_LNKCTL] & LNKCTL_ASPM;
	return 0;
}

static int
fix_aspm(const struct pb_finding *f)
{
	const struct pb_fn *fn = f->fix_arg;
	int ret = 0;

	if (pb_exists(DEVICES "/%s/link/l0s_aspm", fn->addr))
		ret = pb_write("0", DEVICES "/%s/link/l0s_aspm", fn->addr);
	if (ret == 0 && pb_exists(DEVICES "/%s/link/l1_aspm", fn->addr))
		ret = pb_write("0", DEVICES "/%s/link/l1_aspm", fn->addr);
	return ret;
}

static void
check_aspm(struct pb_checkup *c, const struct pb_fn *fn)
{
	static const char *const states[] = {"", "L0s", "L1", "L0s and L1"};
	unsigned int on = aspm(fn);
	struct pb_finding *f;

	if (on == 0)
		return;
	f = pb_find(c, PB_WARNING, "aspm", "%s: the link saves power (ASPM %s): packets wait while "
		    "it wakes, and some cards hang (82573, 82574)", fn->addr, states[on]);
	if (pb_exists(DEVICES "/%s/link", fn->addr)) {
		pb_add(f->cure, "echo 0 | tee " DEVICES "/%s/link/l*_aspm; at every boot: pcie_aspm"
		       "=off on the kernel command line", fn->addr);
		f->fix = fix_aspm;
		f->fix_arg = fn;
	} else {
		pb_add(f->cure, "setpci -s %s CAP_EXP+10.b=0:3; at every boot: pcie_aspm=off on "
		       "the kernel command line", fn->addr);
	}
}

/* Device files */

static void
check_device_file(struct pb_checkup *c, const struct pb_fn *fn)
{
	struct pb_finding *f;
	struct stat st;
	char file[64];

	if (!pb_is_vfio(fn->driver) || fn->group < 0)
		return;
	snprintf(file, sizeof(file), "/dev/vfio/%s%d", fn->noiommu ? "noiommu-" : "", fn->group);
	if (pb_stat(&st, "%s", file) != 0) {
		f = pb_find(c, PB_BLOCKER, "no-device-file", "%s is bound, and %s is missing",
			    fn->addr, file);
		pb_add(f->cure, "in a container, start it with: --device /dev/vfio/vfio "
		       "--device %s", file);
		return;
	}
	/* Who gave it to somebody knows. */
	if (st.st_uid != 0 || (st.st_mode & 0066) != 0)
		return;
	f = pb_find(c, geteuid() == 0 ? PB_NOTE : PB_WARNING, "permissions",
		    "%s: only root may open %s", fn->addr, file);
	pb_add(f->cure, "chown USER %s, or when binding: pollwire-bind bind %s --uid ID", file,
	       fn->addr);
}

static void
check_vfio_file(struct pb_checkup *c)
{
	struct pb_finding *f;
	struct stat st;

	if (pb_stat(&st, "/dev/vfio/vfio") != 0 || (st.st_mode & 0066) == 0066)
		return;
	f = pb_find(c, geteuid() == 0 ? PB_NOTE : PB_WARNING, "permissions",
		    "only root may open /dev/vfio/vfio");
	pb_add(f->cure, "chmod 666 /dev/vfio/vfio");
}

/* One card */

static void
check_group(struct pb_checkup *c, const struct pb_fn *fn)
{
	char list[PB_TEXT_LEN], addrs[PB_TEXT_LEN];
	struct pb_finding *f;

	if (pb_group_blockers(&c->machine, fn, list, addrs) == 0)
		return;
	f = pb_find(c, pb_is_vfio(fn->driver) ? PB_BLOCKER : PB_WARNING, "group",
		    "%s: IOMMU group %d is not viable unless all of it is taken: the kernel keeps "
		    "%s in it", fn->addr, fn->group, list);
	pb_add(f->cure, "pollwire-bind bind %s%s; if they have to stay with the kernel, move the "
	       "card to another slot", pb_is_vfio(fn->driver) ? "" : fn->addr,
	       pb_is_vfio(fn->driver) ? addrs + 1 : addrs);
}

static void
check_reserved(struct pb_checkup *c, const struct pb_fn *fn)
{
	struct pb_finding *f;

	if (!pb_group_reserved(fn))
		return;
	f = pb_find(c, PB_BLOCKER, "rmrr", "%s: the firmware has reserved memory for it (RMRR): "
		    "the kernel gives IOMMU group %d to no program (add group error 22)", fn->addr,
		    fn->group);
	pb_add(f->cure, "switch the card's boot ROM or remote management off in the firmware "
	       "set-up, or use another slot");
}

static void
check_use(struct pb_checkup *c, const struct pb_fn *fn)
{
	struct pb_judgement j;
	int pid;

	if (pb_is_userspace(fn->driver)) {
		pid = pb_fn_holder(fn);
		if (pid != 0)
			pb_find(c, PB_NOTE, "open", "%s: process %d has it open; a second program "
				"gets \"group is busy\"", fn->addr, pid);
		return;
	}
	/* Of the reasons not to bind it, others report all but this. */
	pb_judge(&c->machine, fn, "", false, &j);
	if (j.verdict == PB_MAY_IF_FORCED)
		pb_find(c, PB_NOTE, "in-use", "%s: %s", fn->addr, j.why);
}

static void
check_support(struct pb_checkup *c, const struct pb_fn *fn)
{
	if (fn->chip.support == PB_SUPPORT_NONE)
		pb_find(c, PB_NOTE, "no-driver", "%s: %s [%04x:%04x] is no chip of ours: a program "
			"needs another driver of DPDK's for it", fn->addr, pb_fn_name(fn),
			fn->vendor, fn->device);
	else if (fn->chip.support == PB_SUPPORT_PLANNED)
		pb_find(c, PB_NOTE, "no-driver", "%s: there is no driver for the %s yet", fn->addr,
			fn->chip.name);
}

void
pb_check_cards(struct pb_checkup *c)
{
	unsigned int nb = 0;
	struct pb_finding *f;
	size_t i;

	for (i = 0; i < c->machine.nb; i++) {
		const struct pb_fn *fn = &c->machine.fn[i];

		if (!pb_of_interest(c, fn))
			continue;
		nb++;
		check_support(c, fn);
		check_group(c, fn);
		check_reserved(c, fn);
		check_use(c, fn);
		check_device_file(c, fn);
		check_aspm(c, fn);
	}
	check_vfio_file(c);
	if (nb > 0)
		return;
	f = pb_find(c, PB_WARNING, "no-card", "there is no card of a family that pollwire has or "
		    "plans a driver for");
	pb_add(f->cure, "pollwire-bind status lists what there is; the chips in software need no "
	       "card: --tx sim:82540em,wire=a");
}
