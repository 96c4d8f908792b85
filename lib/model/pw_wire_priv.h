/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_WIRE_PRIV_H_
#define _PW_WIRE_PRIV_H_

/**
 * @file
 * Between pw_wire.c and the kinds of wire.
 */

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pw_wire.h"

#define WIRE_NAME_MAX 64u

/** In a record, beside the public PW_FRAME_*: t_ns lies ahead, so look at the clock. */
#define WIRE_REC_PACED (1u << 31)
#define WIRE_FRAME_FLAGS (PW_FRAME_BAD_CRC | PW_FRAME_RX_ERR | PW_FRAME_EXTENDED)

/** When a line is next free; the fraction makes the long-run rate exact. */
struct wire_line {
	uint64_t free_ns;
	uint32_t free_ps;	/**< 0..999 */
	uint32_t byte_ps;	/**< time of one byte */
	uint64_t queued_until;	/**< a frame sent up to then was waiting already */
};

struct wire_kind {
	const char *prefix;	/**< "shm:"; "" for a bare name */
	/**
	 * Make an end of `what`, the specification behind the prefix; of `opts` the clock is set
	 * and the buffer a power of two. 0 or -errno and a text.
	 */
	int (*open)(const char *what, const struct pw_wire_opts *opts, struct pw_wire **end,
		    char *err, size_t errlen);
	void (*close)(struct pw_wire *end);
	bool (*carrier)(struct pw_wire *end);
	void (*listen)(struct pw_wire *end, bool on);
	void (*send)(struct pw_wire *end, const void *frame, uint32_t len, uint32_t flags,
		     uint64_t t_ns);
	bool (*peek)(struct pw_wire *end, struct pw_frame *frame);
	void (*next)(struct pw_wire *end);
	uint64_t (*missed)(struct pw_wire *end);
};

/** First member of every kind's end. pw_wire.c fills it in after open. */
struct pw_wire {
	const struct wire_kind *kind;
	struct pw_clock *clock;
	bool paced;
	void (*say)(void *ctx, const char *text); /**< NULL: nobody wants to know */
	void *say_ctx;
	struct wire_line tx;
	struct wire_line rx;	/**< of kinds whose frames come from outside */
	uint64_t seen_ns;	/**< the clock when last looked at */
};

extern const struct wire_kind wire_kind_mem;
extern const struct wire_kind wire_kind_shm;
extern const struct wire_kind wire_kind_tap;
extern const struct wire_kind wire_kind_pcap;

/** Write the message, return `rc`. */
int wire_fail(int rc, char *err, size_t errlen, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/** Tell whoever wants to know what has broken for good. */
void wire_say(struct pw_wire *end, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** @return 0 if `name` is 1..WIRE_NAME_MAX of A-Z a-z 0-9 _ - . and does not begin with a dot. */
int wire_check_name(const char *name, char *err, size_t errlen);

/** @return whether the line takes a frame at `now`; a refused sender counts as waiting. */
bool wire_line_free(struct wire_line *l, uint64_t now);

/** Hold a free line for a frame of `len` bytes. @return when its last bit has arrived, in ns. */
uint64_t wire_line_take(struct wire_line *l, uint32_t len, uint64_t now);

/** @return whether the line takes a frame that arrives from outside now. */
bool wire_arrival_free(struct pw_wire *end);

/**
 * Hold the free line for a frame that arrives from outside.
 *
 * @return when its last bit has arrived, in ns.
 */
uint64_t wire_arrival_take(struct pw_wire *end, uint32_t len);

/** @return whether time `t_ns` has come; reads the clock only if it must. */
bool wire_has_come(struct pw_wire *end, uint64_t t_ns);

#endif /* _PW_WIRE_PRIV_H_ */
