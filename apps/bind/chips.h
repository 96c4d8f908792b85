/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _BIND_CHIPS_H_
#define _BIND_CHIPS_H_

/**
 * @file
 * Which PCI functions are chips of ours, and how far our support goes. Pure.
 */

#include <stdbool.h>
#include <stdint.h>

enum pb_support {
	PB_SUPPORT_NONE,	/**< no chip of ours */
	PB_SUPPORT_PLANNED,	/**< of a family that a driver is to come for */
	PB_SUPPORT_UNTESTED,	/**< in a driver's table; this part has never met it */
	PB_SUPPORT_EMULATED,	/**< the driver is proven on another's emulation of this part */
};

struct pb_chip {
	uint16_t vendor, device;
	const char *family;	/**< name of the driver */
	const char *name;
	enum pb_support support;
};

/** Look one up. @return false, and a chip without a name, if it is none of ours. */
bool pb_chip_find(struct pb_chip *chip, uint16_t vendor, uint16_t device);

/** @return one word. */
const char *pb_support_name(enum pb_support support);

#endif /* _BIND_CHIPS_H_ */
