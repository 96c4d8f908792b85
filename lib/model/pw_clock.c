/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <time.h>

#include "pw_clock.h"

struct pw_clock pw_clock_real;

uint64_t
pw_clock_now(const struct pw_clock *c)
{
	struct timespec t;

	if (c->is_virtual)
		return __atomic_load_n(&c->virtual_ns, __ATOMIC_RELAXED);
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void
pw_clock_advance(struct pw_clock *c, uint64_t ns)
{
	if (c->is_virtual)
		__atomic_fetch_add(&c->virtual_ns, ns, __ATOMIC_RELAXED);
}
