/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _BIND_IOMMU_H_
#define _BIND_IOMMU_H_

/**
 * @file
 * Is there an IOMMU, and if not, whose fault is it?
 */

#include <stdbool.h>

#include "bind.h"
#include "pci.h"

enum pb_iommu {
	PB_IOMMU_ON,
	PB_IOMMU_OFF_CMDLINE,	/**< somebody switched it off */
	PB_IOMMU_NOT_ENABLED,	/**< the kernel waits to be told */
	PB_IOMMU_OFF_FIRMWARE,	/**< the processor has one, the firmware hides it */
	PB_IOMMU_NOT_IN_VM,	/**< a virtual machine without */
	PB_IOMMU_ABSENT,	/**< none in this machine */
};

/** What can be seen. */
struct pb_iommu_facts {
	bool groups;		/**< the kernel has made groups */
	bool intel_table;	/**< ACPI table DMAR */
	bool amd_table;		/**< IVRS */
	bool other_table;	/**< IORT or VIOT */
	bool intel_cpu, amd_cpu;
	bool virtualization;	/**< VT-x or AMD-V: processors without have no IOMMU */
	bool hypervisor;	/**< this is a virtual machine */
	char cmdline[4096];
};

void pb_iommu_look(struct pb_iommu_facts *facts);

/** Pure. */
enum pb_iommu pb_iommu_decide(const struct pb_iommu_facts *facts);

/** Pure. What is so, and what to do, PB_TEXT_LEN bytes each. */
void pb_iommu_explain(const struct pb_iommu_facts *facts, enum pb_iommu state, char *what,
		      char *cure);

/** @return whether vfio's no-IOMMU mode is on; *possible: whether the kernel has it. */
bool pb_noiommu_mode(bool *possible);

/**
 * The functions that keep a program from using a group: those that drivers of the kernel hold.
 *
 * @param fn
 *   A function of the group; itself and functions that are chosen do not count.
 * @param list
 *   "0000:02:00.1 (e1000e), ...", PB_TEXT_LEN bytes.
 * @param addrs
 *   Their addresses, each after a blank, PB_TEXT_LEN bytes.
 * @return
 *   How many.
 */
unsigned int pb_group_blockers(const struct pb_machine *m, const struct pb_fn *fn, char *list,
			       char *addrs);

/** The other functions of the group, as "0000:02:00.1 ...". @return how many. */
unsigned int pb_group_others(const struct pb_machine *m, const struct pb_fn *fn, char *list);

/**
 * Whether the firmware has claimed memory for a function that must stay mapped one to one: the
 * kernel then refuses the group to programs with EINVAL.
 */
bool pb_group_reserved(const struct pb_fn *fn);

#endif /* _BIND_IOMMU_H_ */
