/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _VIRTUAL_TSC_H_
#define _VIRTUAL_TSC_H_

/**
 * @file
 * Included before anything else of the generator: its time is the wires'.
 */

#include <stdint.h>

#include <rte_cycles.h>

uint64_t virtual_tsc(void);

#define rte_rdtsc virtual_tsc

#endif /* _VIRTUAL_TSC_H_ */
