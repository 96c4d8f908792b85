/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _CHIP_LOG_H_
#define _CHIP_LOG_H_

/**
 * @file
 * What pollwire-chip says to its user: one line each on standard error. A client cannot fill
 * the log: what is said about one client is limited.
 */

/** One line, always. */
void chip_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/** One line about the client at hand; after some lines the rest is left out, and that is said. */
void chip_say_of_client(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/** A new client: its lines count from zero. `limit` 0 says nothing at all about it. */
void chip_say_new_client(unsigned int limit);

#define CHIP_SAY_LIMIT 20u

#endif /* _CHIP_LOG_H_ */
