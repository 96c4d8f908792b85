/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _GEN_SIZES_H_
#define _GEN_SIZES_H_

/**
 * @file
 * Which size each packet has: a schedule that repeats. No EAL. Sizes are in bytes with FCS.
 */

#include <stdint.h>

#define GEN_MIN_SIZE 64u
#define GEN_MAX_SIZE 16128u	/**< the longest frame of any chip here, rounded down */

struct gen_sizes {
	uint32_t nb;		/**< entries of `size` */
	uint16_t min, max;
	double mean;		/**< bytes, of a whole round */
	uint16_t size[GEN_MAX_SIZE - GEN_MIN_SIZE + 1];
};

/**
 * Read sizes: one (64), a range of which each size comes once in every round, in an order that
 * the seed decides (64-1518), or imix: 64, 594 and 1518 bytes as 7:4:1.
 *
 * @param err
 *   PW_ERR_LEN bytes for one line without newline.
 * @return
 *   0, -EINVAL.
 */
int gen_sizes_parse(const char *text, uint64_t seed, struct gen_sizes *sizes, char *err);

/** @return the size of the packet with that index. */
static inline uint16_t
gen_sizes_at(const struct gen_sizes *sizes, uint64_t index)
{
	return sizes->size[sizes->nb == 1 ? 0 : index % sizes->nb];
}

#endif /* _GEN_SIZES_H_ */
