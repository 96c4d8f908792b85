/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_CAPTURE_H_
#define _PW_CAPTURE_H_

/**
 * @file
 * DPDK's log held back while a control function runs, so that the reason of a failure can be
 * told in the one line of error text. Control threads only, one capture at a time.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct pw_capture {
	FILE *mem;	/**< NULL: out of memory, nothing is held back */
	FILE *before;	/**< where the log went */
	char *text;
	size_t len;
};

/** Begin. */
void pw_capture_begin(struct pw_capture *c);

/**
 * End, and put the last line of what was said, without its "EAL: " or the like, in `reason`;
 * "" if nothing was said.
 */
void pw_capture_reason(struct pw_capture *c, char *reason, size_t len);

/** End, and let what was said go where it would have gone. */
void pw_capture_replay(struct pw_capture *c);

#endif /* _PW_CAPTURE_H_ */
