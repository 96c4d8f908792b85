/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "iommu.h"
#include "sysfs.h"

#define GROUPS "/sys/kernel/iommu_groups"

/* Facts */

static bool
real_groups(void)
{
	struct pb_names names;
	char text[PB_NAME_LEN];
	bool found = false;
	size_t i;

	pb_list(&names, GROUPS);
	for (i = 0; i < names.nb && !found; i++)
		found = pb_read(text, sizeof(text), GROUPS "/%s/name", names.name[i]) != 0 ||
			strcmp(text, "vfio-noiommu") != 0;
	pb_names_free(&names);
	return found;
}

static void
look_at_cpu(struct pb_iommu_facts *facts)
{
	/* The first processor stands for all. */
	char text[8192], *rest = text, *line;
	int got = pb_read_bytes(text, sizeof(text) - 1, "/proc/cpuinfo");

	text[got > 0 ? got : 0] = '\0';
	while ((line = pb_next_line(&rest)) != NULL) {
		if (strncmp(line, "vendor_id", 9) == 0) {
			facts->intel_cpu = strstr(line, "GenuineIntel") != NULL;
			facts->amd_cpu = strstr(line, "AuthenticAMD") != NULL ||
					 strstr(line, "HygonGenuine") != NULL;
		} else if (strncmp(line, "flags", 5) == 0) {
			facts->virtualization = pb_has_word(line, "vmx") ||
						pb_has_word(line, "svm");
			facts->hypervisor = pb_has_word(line, "hypervisor");
		}
	}
}

void
pb_iommu_look(struct pb_iommu_facts *facts)
{
	memset(facts, 0, sizeof(*facts));
	facts->groups = real_groups();
	facts->intel_table = pb_exists("/sys/firmware/acpi/tables/DMAR");
	facts->amd_table = pb_exists("/sys/firmware/acpi/tables/IVRS");
	facts->other_table = pb_exists("/sys/firmware/acpi/tables/IORT") ||
			     pb_exists("/sys/firmware/acpi/tables/VIOT");
	pb_read(facts->cmdline, sizeof(facts->cmdline), "/proc/cmdline");
	look_at_cpu(facts);
}

/* Judgement */

/* The option that switched it off, or NULL. */
static const char *
off_option(const struct pb_iommu_facts *facts)
{
	char value[64];

	if (pb_cmdline_value(facts->cmdline, "iommu", value, sizeof(value)) &&
	    pb_has_word(value, "off"))
		return "iommu=off";
	if (facts->intel_table &&
	    pb_cmdline_value(facts->cmdline, "intel_iommu", value, sizeof(value)) &&
	    pb_has_word(value, "off"))
		return "intel_iommu=off";
	if (facts->amd_table &&
	    pb_cmdline_value(facts->cmdline, "amd_iommu", value, sizeof(value)) &&
	    pb_has_word(value, "off"))
		return "amd_iommu=off";
	return NULL;
}

enum pb_iommu
pb_iommu_decide(const struct pb_iommu_facts *facts)
{
	if (facts->groups)
		return PB_IOMMU_ON;
	if (facts->intel_table || facts->amd_table || facts->other_table)
		return off_option(facts) != NULL ? PB_IOMMU_OFF_CMDLINE : PB_IOMMU_NOT_ENABLED;
	if (facts->hypervisor)
		return PB_IOMMU_NOT_IN_VM;
	return facts->virtualization ? PB_IOMMU_OFF_FIRMWARE : PB_IOMMU_ABSENT;
}

#define CMDLINE_HOW "in GRUB_CMDLINE_LINUX of /etc/default/grub; then: update-grub && reboot"
#define WITHOUT "or do without: pollwire-bind bind ADDRESS --driver uio_pci_generic"

void
pb_iommu_explain(const struct pb_iommu_facts *facts, enum pb_iommu state, char *what, char *cure)
{
	const char *vendor = facts->amd_cpu ? "AMD-Vi (IOMMU)" : "Intel VT-d";
	const char *off = off_option(facts);

	what[0] = cure[0] = '\0';
	switch (state) {
	case PB_IOMMU_ON:
		pb_add(what, "the IOMMU is on");
		break;
	case PB_IOMMU_OFF_CMDLINE:
		pb_add(what, "the IOMMU is switched off on the kernel command line by %s", off);
		pb_add(cure, "take %s away " CMDLINE_HOW, off);
		break;
	case PB_IOMMU_NOT_ENABLED:
		pb_add(what, "the machine has an IOMMU, and the kernel does not use it");
		if (facts->intel_table)
			pb_add(cure, "add intel_iommu=on iommu=pt " CMDLINE_HOW);
		else
			pb_add(cure, "add iommu=pt " CMDLINE_HOW);
		break;
	case PB_IOMMU_OFF_FIRMWARE:
		pb_add(what, "the firmware offers no IOMMU, and the processor could have one: %s "
		       "is off in the firmware set-up, or the mainboard lacks it", vendor);
		pb_add(cure, "switch %s on in the firmware set-up (reboot; often Del or F2, below "
		       "chipset, north bridge or security); " WITHOUT, vendor);
		break;
	case PB_IOMMU_NOT_IN_VM:
		pb_add(what, "this virtual machine has no IOMMU");
		pb_add(cure, "give it one (QEMU: -machine q35,kernel-irqchip=split -device "
		       "intel-iommu,intremap=on,caching-mode=on; libvirt: <iommu model='intel'/>; "
		       "VMware: \"Expose IOMMU to guest OS\"); " WITHOUT);
		break;
	case PB_IOMMU_ABSENT:
		pb_add(what, "this machine has no IOMMU");
		pb_add(cure, "pollwire-bind bind ADDRESS --driver uio_pci_generic");
		break;
	}
}

bool
pb_noiommu_mode(bool *possible)
{
	char text[8];
	int ret = pb_read(text, sizeof(text),
			  "/sys/module/vfio/parameters/enable_unsafe_noiommu_mode");

	*possible = ret == 0;
	return ret == 0 && (text[0] == 'Y' || text[0] == '1');
}

/* Groups */

/* Drivers with which the kernel does no DMA of its own. */
static bool
harmless(const struct pb_fn *fn)
{
	return fn->driver[0] == '\0' || pb_is_vfio(fn->driver) ||
	       strcmp(fn->driver, "pci-stub") == 0 || strcmp(fn->driver, "pcieport") == 0 ||
	       (pb_is_bridge(fn) && strcmp(fn->driver, "shpchp") == 0);
}

unsigned int
pb_group_blockers(const struct pb_machine *m, const struct pb_fn *fn, char *list, char *addrs)
{
	unsigned int nb = 0;
	size_t i;

	list[0] = addrs[0] = '\0';
	for (i = 0; fn->group >= 0 && i < m->nb; i++) {
		const struct pb_fn *other = &m->fn[i];

		if (other == fn || other->group != fn->group || other->chosen || harmless(other))
			continue;
		pb_add(list, "%s%s (%s)", nb > 0 ? ", " : "", other->addr, other->driver);
		pb_add(addrs, " %s", other->addr);
		nb++;
	}
	return nb;
}

unsigned int
pb_group_others(const struct pb_machine *m, const struct pb_fn *fn, char *list)
{
	unsigned int nb = 0;
	size_t i;

	list[0] = '\0';
	for (i = 0; fn->group >= 0 && i < m->nb; i++)
		if (&m->fn[i] != fn && m->fn[i].group == fn->group)
			pb_add(list, "%s%s", nb++ > 0 ? " " : "", m->fn[i].addr);
	return nb;
}

bool
pb_group_reserved(const struct pb_fn *fn)
{
	char *all = fn->group >= 0 ? pb_slurp(GROUPS "/%d/reserved_regions", fn->group) : NULL;
	char *rest = all, *line;
	bool found = false;

	/* "direct-relaxable" is for USB and graphics, and no hindrance. */
	while (!found && (line = pb_next_line(&rest)) != NULL)
		found = pb_has_word(line, "direct");
	free(all);
	return found;
}
