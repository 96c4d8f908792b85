/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_CLOCK_H_
#define _PW_CLOCK_H_

/**
 * @file
 * Time as the models see it: real (CLOCK_MONOTONIC, the same in every process) or virtual,
 * stepped by a test. Reading is thread-safe; stepping a virtual clock is too.
 */

#include <stdint.h>

struct pw_clock {
	uint64_t virtual_ns; /**< atomic; used when is_virtual */
	int is_virtual;
};

/** The real clock; what models use when none is given. */
extern struct pw_clock pw_clock_real;

/** @return nanoseconds since the clock's epoch. */
uint64_t pw_clock_now(const struct pw_clock *c);

/** Step a virtual clock by `ns` nanoseconds; no effect on a real one. */
void pw_clock_advance(struct pw_clock *c, uint64_t ns);

#endif /* _PW_CLOCK_H_ */
