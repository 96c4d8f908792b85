/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_MACHINE_H_
#define _PW_MACHINE_H_

/**
 * @file
 * What this machine offers to EAL: CPUs and hugepages. No EAL; all functions are thread-safe.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PW_MAX_CPUS 1024u

/**
 * Read a list of CPUs.
 *
 * @param text
 *   E.g. "2,4-5"; order is kept, each CPU once.
 * @param cpus
 *   Room for PW_MAX_CPUS numbers.
 * @return
 *   How many; -EINVAL if it is no such list.
 */
int pw_cpu_list_parse(const char *text, unsigned int *cpus);

/** @return how many CPUs this process may use; their numbers, rising, in `cpus`. */
unsigned int pw_cpus_allowed(unsigned int *cpus);

/** Write a list as a text, ranges shortened ("0-3,6"). */
void pw_cpu_list_format(const unsigned int *cpus, unsigned int nb, char *text, size_t len);

/**
 * Write EAL's --lcores: lcores 1..workers on `cpus`, one after another; lcore 0 floats over the
 * CPUs that are left, or over `cpus` if none is. Without workers lcore 0 has the first of `cpus`.
 */
void pw_lcores_format(const unsigned int *allowed, unsigned int nb_allowed,
		      const unsigned int *cpus, unsigned int nb, unsigned int workers, char *text,
		      size_t len);

/**
 * @param sysfs
 *   "/sys", or a copy of it.
 * @return
 *   MiB of free hugepages of all sizes.
 */
uint64_t pw_hugepages_free_mb(const char *sysfs);

/** @return whether this process may take a hugepage of one of the sizes that are free. */
bool pw_hugepages_permitted(const char *sysfs);

#endif /* _PW_MACHINE_H_ */
