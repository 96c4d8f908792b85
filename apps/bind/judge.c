/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <string.h>

#include "chips.h"
#include "iommu.h"
#include "judge.h"
#include "sysfs.h"

/* Each look adds its sentence and returns true if that settles it. */

static bool
held(const struct pb_fn *fn, struct pb_judgement *j)
{
	int pid = pb_fn_holder(fn);

	if (pid == 0)
		return false;
	j->verdict = PB_MAY_NOT;
	pb_add(j->why, "process %d has it open, and the kernel would wait for that to end", pid);
	pb_add(j->cure, "stop it: kill %d", pid);
	return true;
}

static bool
used_by_network(const struct pb_machine *m, const struct pb_fn *fn, struct pb_judgement *j)
{
	bool used = false;
	unsigned int i;

	for (i = 0; i < fn->nb_netifs; i++) {
		if (used)
			pb_add(j->why, "; ");
		used |= pb_net_in_use(&m->net, fn->netif[i].name, j->why);
	}
	if (!used && fn->net_elsewhere && !pb_is_userspace(fn->driver)) {
		pb_add(j->why, "its interface is in another network namespace, a container's "
		       "perhaps");
		used = true;
	}
	if (!used)
		return false;
	j->verdict = PB_MAY_IF_FORCED;
	pb_add(j->cure, "if you can do without it: --force");
	return true;
}

static bool
no_network_card(const struct pb_fn *fn, struct pb_judgement *j)
{
	if (pb_is_network(fn))
		return false;
	j->verdict = pb_is_bridge(fn) ? PB_MAY_NOT : PB_MAY_IF_FORCED;
	pb_add(j->why, "it is no network card (class %06x)", fn->class);
	return true;
}

static bool
group_taken(const struct pb_machine *m, const struct pb_fn *fn, struct pb_judgement *j)
{
	char list[PB_TEXT_LEN], addrs[PB_TEXT_LEN];

	if (pb_group_blockers(m, fn, list, addrs) == 0)
		return false;
	j->verdict = PB_MAY_IF_FORCED;
	pb_add(j->why, "IOMMU group %d would not be viable: the kernel keeps %s in it", fn->group,
	       list);
	pb_add(j->cure, "take all of the group: pollwire-bind bind %s%s", fn->addr, addrs);
	return true;
}

/* A uio driver is of use to who has a driver for the card: for one of ours that is known. */
static bool
is_ours(const struct pb_fn *fn)
{
	struct pb_chip chip;

	return pb_chip_find(&chip, fn->vendor, fn->device) && chip.support != PB_SUPPORT_PLANNED;
}

static bool
no_good_for_vfio(const struct pb_machine *m, const struct pb_fn *fn, bool noiommu,
		 struct pb_judgement *j)
{
	struct pb_iommu_facts facts;
	enum pb_iommu state;
	bool possible;

	if (fn->group >= 0) {
		if (!pb_group_reserved(fn))
			return !fn->noiommu && group_taken(m, fn, j);
		j->verdict = PB_MAY_IF_FORCED;
		pb_add(j->why, "the firmware has reserved memory for it (RMRR): the kernel gives "
		       "IOMMU group %d to no program (add group error 22)", fn->group);
		pb_add(j->cure, "switch the card's boot ROM or remote management off in the "
		       "firmware set-up, or use another slot");
		return true;
	}
	if (noiommu || pb_noiommu_mode(&possible))
		return false;
	pb_iommu_look(&facts);
	state = pb_iommu_decide(&facts);
	j->verdict = PB_MAY_NOT;
	if (state == PB_IOMMU_ON) {
		pb_add(j->why, "it is behind no IOMMU, though the machine has one");
		if (is_ours(fn))
			pb_add(j->cure, "pollwire-bind bind %s --driver uio_pci_generic", fn->addr);
		return true;
	}
	pb_iommu_explain(&facts, state, j->why, j->cure);
	pb_add(j->why, ", which vfio-pci needs");
	/* How to get one fills lines, and is the doctor's. */
	j->cure[0] = '\0';
	pb_add(j->cure, "pollwire-bind doctor tells how to get one");
	if (is_ours(fn))
		pb_add(j->cure, "; without: pollwire-bind bind %s --driver uio_pci_generic",
		       fn->addr);
	return true;
}

static bool
no_good_for_uio(const struct pb_fn *fn, struct pb_judgement *j)
{
	char text[PB_NAME_LEN];

	if (fn->group >= 0 && !fn->noiommu &&
	    pb_read(text, sizeof(text), "/sys/kernel/iommu_groups/%d/type", fn->group) == 0 &&
	    strncmp(text, "DMA", 3) == 0) {
		pb_add(j->why, "the IOMMU stops what a card under a uio driver does");
		pb_add(j->cure, "pollwire-bind bind %s --driver vfio-pci", fn->addr);
	} else if (pb_read(text, sizeof(text), "/sys/kernel/security/lockdown") == 0 &&
		   strchr(text, '[') != NULL && strstr(text, "[none]") == NULL) {
		pb_add(j->why, "the kernel is locked down (Secure Boot): it lets no program at a "
		       "card's registers by a uio driver");
		pb_add(j->cure, "use vfio-pci with an IOMMU");
	} else {
		return false;
	}
	j->verdict = PB_MAY_IF_FORCED;
	return true;
}

void
pb_judge(const struct pb_machine *m, const struct pb_fn *fn, const char *driver, bool noiommu,
	 struct pb_judgement *j)
{
	memset(j, 0, sizeof(*j));
	if (strcmp(fn->driver, driver) == 0) {
		j->verdict = PB_DONE;
		pb_add(j->why, "%s has it already", driver[0] != '\0' ? driver : "no driver");
		return;
	}
	if (held(fn, j) || no_network_card(fn, j))
		return;
	if (pb_is_vfio(driver) && no_good_for_vfio(m, fn, noiommu, j) && j->verdict == PB_MAY_NOT)
		return;
	/* Who is hurt is worth more than what would not work. */
	if (!pb_is_userspace(fn->driver)) {
		struct pb_judgement used = {0};

		if (used_by_network(m, fn, &used)) {
			*j = used;
			return;
		}
	}
	if (pb_is_userspace(driver) && !pb_is_vfio(driver))
		no_good_for_uio(fn, j);
}

void
pb_judge_restore(const struct pb_fn *fn, struct pb_judgement *j)
{
	memset(j, 0, sizeof(*j));
	if (fn->driver[0] != '\0' && !pb_is_userspace(fn->driver)) {
		j->verdict = PB_DONE;
		pb_add(j->why, "the kernel's driver %s has it", fn->driver);
		return;
	}
	held(fn, j);
}
