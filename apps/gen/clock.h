/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _GEN_CLOCK_H_
#define _GEN_CLOCK_H_

/**
 * @file
 * How fast the TSC ticks, measured against the system's clock. EAL rounds its own figure to
 * 10 MHz, which can put every rate off by more than 0.1 %.
 */

#include <stdint.h>

/** Begin to measure; as early as possible, as the precision grows with time. */
void gen_clock_begin(void);

/** @return ticks per second, measured since gen_clock_begin(); at least 50 ms are waited for. */
uint64_t gen_clock_hz(void);

#endif /* _GEN_CLOCK_H_ */
