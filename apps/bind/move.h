/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _BIND_MOVE_H_
#define _BIND_MOVE_H_

/**
 * @file
 * One function from one driver to another, and what is remembered about it until it returns.
 */

#include "bind.h"
#include "pci.h"

/** Where a function is to be, or was. */
struct pb_place {
	char driver[PB_NAME_LEN];	/**< "": none */
	char override[PB_NAME_LEN];	/**< driver_override once it is there; "": none */
};

void pb_place_of(const struct pb_fn *fn, struct pb_place *place);

/**
 * Bring a function to a place.
 *
 * @param why
 *   What failed, PB_TEXT_LEN bytes; added to.
 * @return
 *   0; -errno, and the function is wherever it got to.
 */
int pb_move(struct pb_fn *fn, const struct pb_place *to, char *why);

/** Let the kernel find its driver for a function. @return as pb_move(). */
int pb_move_home(struct pb_fn *fn, char *why);

/** What the function's driver was before we took it. */
struct pb_memory {
	char driver[PB_NAME_LEN];	/**< "": not known */
	char interface[PB_NAME_LEN];
};

void pb_recall(const struct pb_fn *fn, struct pb_memory *memory);

/** @return 0, -errno. */
int pb_remember(const struct pb_fn *fn, const struct pb_memory *memory);

/** Leaves nothing behind. */
void pb_forget(const struct pb_fn *fn);

#endif /* _BIND_MOVE_H_ */
