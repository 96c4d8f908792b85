/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _BIND_DRIVER_H_
#define _BIND_DRIVER_H_

/**
 * @file
 * Drivers and modules of the kernel.
 */

#include <stdbool.h>

#include "bind.h"

enum pb_module {
	PB_MODULE_LOADED,	/**< or built in */
	PB_MODULE_THERE,	/**< can be loaded */
	PB_MODULE_MISSING,
};

/** Dash and underscore are the same in a module's name. */
enum pb_module pb_module_state(const char *name);

/** Load a module. @return 0; -errno with the reason in `why`, PB_TEXT_LEN bytes, added to. */
int pb_module_load(const char *name, char *why);

/** @return whether the PCI bus has the driver now. */
bool pb_driver_present(const char *name);

/**
 * Whether a driver exists, loaded or not.
 *
 * @param why
 *   If not: what is wrong and which driver may be meant, PB_TEXT_LEN bytes, added to.
 */
bool pb_driver_known(const char *name, char *why);

/** Make the PCI bus have the driver. @return 0; -errno with the reason in `why`. */
int pb_driver_load(const char *name, char *why);

#endif /* _BIND_DRIVER_H_ */
