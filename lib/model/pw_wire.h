/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_WIRE_H_
#define _PW_WIRE_H_

/**
 * @file
 * Wires: what a model's port is plugged into. Frames travel without FCS; a flag marks one
 * whose FCS would be wrong. A wire never waits for a receiver, as a real one does not: what
 * finds no room is lost and counted at the receiving end.
 *
 * Specifications:
 *   NAME             two or more ends in one process; every frame reaches all other ends
 *   shm:NAME         two ends, between processes; lock-free; survives a kill -9 of either side
 *   tap:IFNAME       a TAP interface (created if the user may)
 *   pcap:in=F,out=F  frames from one capture file, to another; either may be left out
 *
 * One thread at a time may use an end; different ends may be used by different threads.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pw_clock.h"

#define PW_WIRE_MAX_FRAME 16384u	/**< bytes, without FCS */

#define PW_FRAME_BAD_CRC (1u << 0)	/**< FCS is wrong */
#define PW_FRAME_RX_ERR (1u << 1)	/**< symbol error during the frame */
#define PW_FRAME_EXTENDED (1u << 2)	/**< carrier extension follows, which some take for data */

struct pw_wire;

struct pw_wire_opts {
	struct pw_clock *clock;	/**< NULL: real time */
	bool paced;		/**< preamble, frame, FCS and gap take their time on the line */
	uint32_t buffer;	/**< bytes held for a receiver that is not looking; 0: 1 MiB */
	/**
	 * Told once, in one line without newline, what has broken for good since; from within
	 * pw_wire_peek() and pw_wire_send(). NULL: nobody wants to know.
	 */
	void (*say)(void *ctx, const char *text);
	void *say_ctx;
};

/** A frame that has arrived. Valid until pw_wire_next() on the same end. */
struct pw_frame {
	const uint8_t *data;
	uint32_t len;		/**< bytes, without FCS */
	uint32_t flags;		/**< PW_FRAME_* */
	uint64_t t_ns;		/**< when its last bit arrived, on the wire's clock */
};

/**
 * Plug in one end.
 *
 * @param spec
 *   See above.
 * @param opts
 *   NULL: unpaced, real time.
 * @param end
 *   The new end.
 * @param err
 *   On failure one line without newline: what is wrong and what to do.
 * @param errlen
 *   Its size in bytes.
 * @return
 *   0; -EINVAL; -EBUSY if both ends of a shm wire are taken; -EPERM, -ENOENT, ... of the system.
 */
int pw_wire_open(const char *spec, const struct pw_wire_opts *opts, struct pw_wire **end,
		 char *err, size_t errlen);

/** Unplug. NULL is allowed. */
void pw_wire_close(struct pw_wire *end);

/** @return whether there is a carrier: somebody is plugged in at another end. */
bool pw_wire_carrier(struct pw_wire *end);

/** Line rate of this end in Mbit/s (10, 100, 1000); what pacing keeps to. Default 1000. */
void pw_wire_set_speed(struct pw_wire *end, uint32_t mbps);

/**
 * Whether frames are wanted at this end; at first they are. Those sent meanwhile to a deaf end
 * just vanish, and so do those not yet looked at; a capture file waits instead.
 */
void pw_wire_listen(struct pw_wire *end, bool on);

/**
 * Put a frame on the wire.
 *
 * On a paced line, one that was refused counts as having waited: it starts when the line
 * became free, and so do those sent at once (within 1 us) behind it. So a poller that comes
 * late loses no line time, up to 200 us of it.
 *
 * @param len
 *   Bytes without FCS, 1..PW_WIRE_MAX_FRAME.
 * @return
 *   0; -EAGAIN while a paced line is still busy with earlier frames; -EINVAL for the length.
 */
int pw_wire_send(struct pw_wire *end, const void *frame, uint32_t len, uint32_t flags);

/** @return 0 if pw_wire_send() would take a frame now, else the time in ns when it will. */
uint64_t pw_wire_busy_until(struct pw_wire *end);

/** Look at the next frame that has arrived. @return true if there is one. */
bool pw_wire_peek(struct pw_wire *end, struct pw_frame *frame);

/** Be done with the frame that pw_wire_peek() showed. */
void pw_wire_next(struct pw_wire *end);

/** @return frames lost at this end for want of room since the last call. */
uint64_t pw_wire_missed(struct pw_wire *end);

/** @return time in ns that a frame of `len` bytes without FCS holds the line at `mbps`. */
uint64_t pw_wire_frame_ns(uint32_t len, uint32_t mbps);

#endif /* _PW_WIRE_H_ */
