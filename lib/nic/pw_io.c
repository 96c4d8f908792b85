/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include "pw_io.h"

int
pw_wait32(const struct pw_io *io, uint32_t off, uint32_t mask, uint32_t want, uint32_t timeout_us,
	  uint32_t step_us)
{
	uint64_t waited = 0;

	for (;;) {
		uint32_t v = pw_read32(io, off);

		if ((v & mask) == want)
			return v == UINT32_MAX && mask != UINT32_MAX ? -ENODEV : 0;
		if (v == UINT32_MAX)
			return -ENODEV;
		if (waited >= timeout_us)
			return -ETIMEDOUT;
		/* A step of 0 would never end. */
		step_us += step_us == 0;
		rte_delay_us(step_us);
		waited += step_us;
	}
}
