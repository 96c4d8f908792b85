/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _BIND_H_
#define _BIND_H_

/**
 * @file
 * What all parts of pollwire-bind share. One thread, no EAL.
 */

#include <stddef.h>

/** Exit statuses; see the manual page. */
enum pb_status {
	PB_OK = 0,
	PB_FAILED = 1,		/**< the kernel or a file said no; what was changed is undone */
	PB_USAGE = 2,		/**< options that make no sense, no such device or driver */
	PB_REFUSED = 3,		/**< a device is in use, or could not be used once bound */
	PB_NOT_ALL = 4,		/**< a part of what was asked for was done */
	PB_WARNINGS = 5,	/**< doctor: something hinders */
	PB_BLOCKED = 6,		/**< doctor: something has to be cured before a card can be used */
};

#define PB_TEXT_LEN 1024	/**< bytes of a sentence for the user */
#define PB_NAME_LEN 64		/**< bytes of a driver's, module's or interface's name */

/** One line on standard error: program, colon, text. */
void pb_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Add to a text of PB_TEXT_LEN bytes; what does not fit is cut off. */
void pb_add(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif /* _BIND_H_ */
