/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _BIND_PCI_H_
#define _BIND_PCI_H_

/**
 * @file
 * The machine's PCI functions as they are now.
 */

#include <stdbool.h>
#include <stdint.h>

#include "bind.h"
#include "chips.h"
#include "net.h"
#include "text.h"

#define PB_MAX_NETIFS 8u

/** A PCI function. */
struct pb_fn {
	char addr[PB_ADDR_LEN];
	uint16_t vendor, device, subvendor, subdevice;
	uint32_t class;			/**< class, subclass, interface: 24 bits */
	struct pb_chip chip;
	char driver[PB_NAME_LEN];	/**< "": none */
	char override[PB_NAME_LEN];	/**< driver_override; "": none */
	int group;			/**< IOMMU group; -1: none */
	bool noiommu;			/**< the group is vfio's make-believe */
	struct pb_netif netif[PB_MAX_NETIFS];
	unsigned int nb_netifs;
	bool net_elsewhere;		/**< its interface is in another network namespace */
	bool chosen;			/**< the command line names it */
};

struct pb_machine {
	struct pb_fn *fn;	/**< in the order of addresses */
	size_t nb;
	struct pb_net net;
};

/** @return 0; -errno with the reason said. */
int pb_machine_load(struct pb_machine *m);
void pb_machine_free(struct pb_machine *m);

/** Look at one function again after a change. */
void pb_fn_refresh(struct pb_fn *fn);

struct pb_fn *pb_fn_find(const struct pb_machine *m, const char *addr);

bool pb_is_network(const struct pb_fn *fn);
bool pb_is_bridge(const struct pb_fn *fn);

/** Drivers that leave a function to a program. */
bool pb_is_vfio(const char *driver);
bool pb_is_userspace(const char *driver);

/** The card's name out of pci.ids; "" if it is not there. */
const char *pb_fn_name(const struct pb_fn *fn);
const char *pb_fn_vendor_name(const struct pb_fn *fn);

/**
 * The kernel modules made for a function, by modules.alias.
 *
 * @param list
 *   Their names, separated by commas; PB_TEXT_LEN bytes.
 */
void pb_fn_modules(const struct pb_fn *fn, char *list);

/**
 * Whether a process has the function open: releasing it from its driver would wait for that.
 *
 * @return
 *   The oldest such process; 0 if there is none, or none that this user may see.
 */
int pb_fn_holder(const struct pb_fn *fn);

#endif /* _BIND_PCI_H_ */
