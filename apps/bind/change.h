/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _BIND_CHANGE_H_
#define _BIND_CHANGE_H_

/**
 * @file
 * The commands that move functions from driver to driver: bind, unbind, restore.
 */

#include "args.h"
#include "pci.h"

#define PB_DEFAULT_DRIVER "vfio-pci"

/**
 * Find the functions that the command line names.
 *
 * @param fn
 *   Room for as many as the machine has; each comes once and is marked as chosen.
 * @return
 *   How many; -ENODEV with the reason said.
 */
int pb_choose(struct pb_machine *m, const struct pb_args *args, struct pb_fn **fn);

/** @return exit status; all is said. */
enum pb_status pb_change(const struct pb_args *args);

#endif /* _BIND_CHANGE_H_ */
