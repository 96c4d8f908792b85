/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _GEN_RATE_H_
#define _GEN_RATE_H_

/**
 * @file
 * Rates and pacing, in whole numbers, so that nothing drifts. No EAL.
 *
 * Each packet costs units, and a rate earns units with time: thousandths of a packet for rates
 * in packets, bits for rates in bits. A packet may go when what has been earned reaches what
 * was spent before it: the first at once, the k-th exactly when the k-1 before it are paid.
 *
 * Frame sizes count the FCS, as RFC 2544 does. "L2" bits are those; "L1" bits add the 20 bytes
 * of preamble and gap that each frame takes on the wire.
 */

#include <stdbool.h>
#include <stdint.h>

#include "sizes.h"

#define GEN_WIRE_OVERHEAD 20u	/**< bytes of preamble, start delimiter and gap (IEEE 802.3) */

enum gen_rate_kind {
	GEN_RATE_MAX,	/**< as fast as the port takes */
	GEN_RATE_WIRE,	/**< value: millionths of the wire's maximum */
	GEN_RATE_PPS,	/**< value: thousandths of a packet per second */
	GEN_RATE_L2,	/**< value: bits of frames per second */
	GEN_RATE_L1,	/**< value: bits on the wire per second */
};

struct gen_rate {
	enum gen_rate_kind kind;
	uint64_t value;
};

/**
 * Read a rate: 50%, 100kpps, 10Mbps (L2), 10Mbps-l1, max.
 *
 * @param err
 *   PW_ERR_LEN bytes for one line without newline.
 * @return
 *   0, -EINVAL.
 */
int gen_rate_parse(const char *text, struct gen_rate *rate, char *err);

/** @return packets per second that a wire of `mbps` carries; 0 if `mbps` is 0. */
double gen_wire_max_pps(uint32_t mbps, const struct gen_sizes *sizes);

/** @return packets per second that the rate asks for; the wire's maximum, or 0, for "max". */
double gen_rate_pps(const struct gen_rate *rate, uint32_t mbps, const struct gen_sizes *sizes);

/** Mbit/s of frames, and on the wire, at a number of packets per second. */
double gen_l2_mbps(double pps, const struct gen_sizes *sizes);
double gen_l1_mbps(double pps, const struct gen_sizes *sizes);

/** Who is paced. One thread at a time. */
struct gen_pace {
	enum gen_rate_kind kind;
	uint64_t rate;		/**< units earned per second */
	uint64_t hz;		/**< ticks per second of the clock */
	uint64_t depth;		/**< units that may wait; older ones are forfeited */
	uint64_t start;		/**< tick of the first packet */
	uint64_t spent;		/**< units */
	uint64_t next;		/**< tick at which the next packet is due */
	uint64_t forfeited;	/**< units, for want of time or room */
};

/**
 * Set up. With a rate relative to the wire, `mbps` is the wire's.
 *
 * @param depth_us
 *   For how long what could not be sent in time is remembered and made up for, in microseconds.
 *   One packet is remembered in any case.
 * @param sizes
 *   The schedule of sizes.
 */
void gen_pace_init(struct gen_pace *p, const struct gen_rate *rate, uint32_t mbps, uint64_t hz,
		   uint32_t depth_us, const struct gen_sizes *sizes);

/** The first packet may go at tick `now`. */
void gen_pace_start(struct gen_pace *p, uint64_t now);

/**
 * How many packets may go.
 *
 * @param now
 *   Tick, not before the start. What lies further back than the depth is forfeited here.
 * @param at
 *   Index of the next packet in the schedule of sizes.
 * @param max
 *   No more than that.
 */
unsigned int gen_pace_due(struct gen_pace *p, uint64_t now, const struct gen_sizes *sizes,
			  uint64_t at, unsigned int max);

/** Pay for `nb` packets that went, the first having index `at`. */
void gen_pace_spend(struct gen_pace *p, const struct gen_sizes *sizes, uint64_t at,
		    unsigned int nb);

/** @return the tick at which the next packet is due: after the last one, the end of its time. */
static inline uint64_t
gen_pace_next(const struct gen_pace *p)
{
	return p->next;
}

/** @return packets' worth of what was forfeited. */
uint64_t gen_pace_behind(const struct gen_pace *p, const struct gen_sizes *sizes);

#endif /* _GEN_RATE_H_ */
