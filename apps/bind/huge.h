/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _BIND_HUGE_H_
#define _BIND_HUGE_H_

/**
 * @file
 * Hugepages: how many there are, and how to get more.
 */

#include <stdbool.h>
#include <stdint.h>

#include "args.h"

#define PB_MAX_POOLS 8u
#define PB_HUGE_NEED (128u << 20)	/**< what our programs take when nobody says */

/** Hugepages of one size. */
struct pb_pool {
	uint64_t page;		/**< bytes */
	uint64_t total, free, reserved;
	char mount[128];	/**< where a hugetlbfs of this size is mounted; "": nowhere */
};

struct pb_huge {
	struct pb_pool pool[PB_MAX_POOLS];
	unsigned int nb;
	uint64_t page;		/**< bytes of the kernel's default size; 0: no hugepages at all */
	uint64_t available;	/**< bytes of ordinary memory that are free */
};

void pb_huge_look(struct pb_huge *huge);

/** @return the pool of a page size; 0: the default's; NULL if there is none. */
struct pb_pool *pb_huge_pool(struct pb_huge *huge, uint64_t page);

/** @return bytes that a new program can get. */
uint64_t pb_huge_free(const struct pb_huge *huge);

/** Pure. @return how many pages a pool must have so that `need` bytes are free. */
uint64_t pb_huge_pages_for(const struct pb_pool *pool, uint64_t need);

/** A size for people: 2M, 1G. @return `text`. */
const char *pb_size_text(uint64_t bytes, char text[24]);

/**
 * Make a pool so big that `need` bytes are free, by hugeadm where it is, and see what came of it.
 *
 * @param got
 *   Bytes free afterwards.
 * @return
 *   0; -ENOMEM if the kernel found fewer; other -errno.
 */
int pb_huge_grow(const struct pb_pool *pool, uint64_t need, uint64_t *got);

/** Mount a hugetlbfs at its usual place. @return 0, -errno. */
int pb_huge_mount(const struct pb_pool *pool);

/** The command line that grows a pool: hugeadm's where it is. Text of PB_TEXT_LEN bytes. */
void pb_huge_command(const struct pb_pool *pool, uint64_t pages, char *text);

/**
 * Files that programs left in a hugetlbfs: each holds its page.
 *
 * @param paths
 *   Of some of them, PB_TEXT_LEN bytes.
 * @return
 *   How many; 0 if they cannot be seen.
 */
unsigned int pb_huge_leaked(const struct pb_pool *pool, char *paths);

enum pb_status pb_hugepages(const struct pb_args *args);

#endif /* _BIND_HUGE_H_ */
