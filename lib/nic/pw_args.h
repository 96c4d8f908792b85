/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_ARGS_H_
#define _PW_ARGS_H_

/**
 * @file
 * A driver's device arguments, as in -a 0000:03:00.0,selftest=1,wol=magic, by a table of keys.
 * Control threads only.
 */

#include <stddef.h>
#include <stdint.h>

#include "pw_attach.h"

/** One argument. Make with PW_ARG_WORD() or PW_ARG_NUMBER(). */
struct pw_arg {
	const char *key;
	size_t offset;		/**< in the driver's struct: of a bool, or of a uint32_t */
	const char *on, *off;	/**< the words for true and false; NULL: a number */
	uint32_t max;		/**< the largest number; 0 is the smallest */
	const char *want;	/**< which numbers will do, to say so */
};

/** One of two words, kept as the bool `field` of `type`: true for `on`. */
#define PW_ARG_WORD(key, type, field, on, off) { key, offsetof(type, field), on, off, 0, NULL }

/** A decimal number up to `max`, kept as the uint32_t `field` of `type`. */
#define PW_ARG_NUMBER(key, type, field, max, want)                                                \
	{ key, offsetof(type, field), NULL, NULL, max, want }

/**
 * Read a device's arguments, in order of the text. Of a key that comes twice the last one counts.
 *
 * @param dev
 *   The device; only `name` and `devargs` are looked at.
 * @param table
 *   All keys that there are.
 * @param n
 *   Number of them.
 * @param help
 *   All keys with their values, to say so when there is another one.
 * @param args
 *   The driver's struct, holding the defaults; may be changed in part on error.
 * @return 0; -EINVAL after one log line that says what would do. Thread-safe.
 */
int pw_args_parse(const struct pw_dev *dev, const struct pw_arg *table, unsigned int n,
		  const char *help, void *args);

#endif /* _PW_ARGS_H_ */
