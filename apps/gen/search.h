/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _GEN_SEARCH_H_
#define _GEN_SEARCH_H_

/**
 * @file
 * The search for the highest rate at which nothing is lost (RFC 2544 §26.1): the full rate
 * first, then halving. No EAL. Rates are in millionths of the wire's maximum.
 */

#include <stdbool.h>
#include <stdint.h>

#define GEN_SEARCH_FULL 1000000u

struct gen_search {
	uint32_t good;		/**< highest rate offered without loss; 0: none yet */
	uint32_t bad;		/**< lowest rate that was too much; above full: none yet */
	uint32_t resolution;
	bool generator_limited;	/**< what was too much was too much for the generator */
	unsigned int trials;
};

void gen_search_init(struct gen_search *s, uint32_t resolution);

/** @return the rate to try next; 0 when the search is over. */
uint32_t gen_search_next(const struct gen_search *s);

/**
 * Take the outcome of a trial.
 *
 * @param asked
 *   The rate that was to be offered.
 * @param offered
 *   The rate that was offered.
 * @param clean
 *   Nothing was lost.
 */
void gen_search_outcome(struct gen_search *s, uint32_t asked, uint32_t offered, bool clean);

#endif /* _GEN_SEARCH_H_ */
