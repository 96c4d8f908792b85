/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _GEN_SEQ_H_
#define _GEN_SEQ_H_

/**
 * @file
 * What became of a numbered stream: lost, duplicated, reordered. No EAL. One thread at a time.
 *
 * Reordered is what RFC 4737 calls so: a packet with a number below one that has arrived
 * before. A packet that arrives again is a duplicate, not reordered.
 */

#include <stdint.h>

#define GEN_SEQ_WINDOW 65536u	/**< numbers looked back on */

struct gen_seq {
	uint64_t next;		/**< one past the highest number that has arrived */
	uint64_t unique;	/**< numbers that have arrived */
	uint64_t duplicated;
	uint64_t reordered;
	uint64_t stale;		/**< below the window: cannot be told from duplicates */
	uint64_t seen[GEN_SEQ_WINDOW / 64];
};

enum gen_seq_verdict {
	GEN_SEQ_NEW,
	GEN_SEQ_REORDERED,
	GEN_SEQ_DUPLICATE,
	GEN_SEQ_STALE,
	GEN_SEQ_NEVER_SENT,
};

/** Begin a stream at number 0. */
void gen_seq_init(struct gen_seq *s);

/**
 * Note an arrival.
 *
 * @param low
 *   The low 32 bits of the number.
 * @param sent
 *   How many have been sent: a number from there on is never counted.
 */
enum gen_seq_verdict gen_seq_arrive(struct gen_seq *s, uint32_t low, uint64_t sent);

/** @return how many of `sent` packets have not arrived. */
uint64_t gen_seq_lost(const struct gen_seq *s, uint64_t sent);

#endif /* _GEN_SEQ_H_ */
