/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _BIND_TEXT_H_
#define _BIND_TEXT_H_

/**
 * @file
 * Reading and comparing texts. Pure: no file is looked at.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PB_ADDR_LEN 32	/**< bytes of a PCI address, with the final 0 */

/** Read a PCI address, with or without domain. @return false if it is none. */
bool pb_address(const char *text, char full[PB_ADDR_LEN]);

/** Whether a text may name a driver or an interface in a path: no slash, no leading dot. */
bool pb_is_name(const char *text);

/** @return how many letters have to be added, taken away, changed or swapped with the next. */
unsigned int pb_distance(const char *a, const char *b);

/**
 * @return the candidate most like `text`, if it is like it at all; NULL.
 */
const char *pb_suggest(const char *text, const char *const *candidates, size_t nb);

/** Read a size: 256M, 1G, 2048k, 4096. @return false if it is none. */
bool pb_size(const char *text, uint64_t *bytes);

/** Whether `word` stands in a list separated by blanks, commas or newlines. */
bool pb_has_word(const char *list, const char *word);

/** The value of the last KEY=VALUE of a kernel command line. @return false if it is not there. */
bool pb_cmdline_value(const char *cmdline, const char *key, char *value, size_t len);

/**
 * The modules whose alias pattern fits a device.
 *
 * @param aliases
 *   Text of modules.alias.
 * @param modalias
 *   Of the device.
 * @param each
 *   Called with each module's name, in the file's order.
 */
void pb_modules_for(const char *aliases, const char *modalias,
		    void (*each)(void *arg, const char *module), void *arg);

/** Take the next line off a text, without its end; NULL after the last. The text is changed. */
char *pb_next_line(char **text);

#endif /* _BIND_TEXT_H_ */
