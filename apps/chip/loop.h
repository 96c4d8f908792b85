/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _CHIP_LOOP_H_
#define _CHIP_LOOP_H_

/**
 * @file
 * The event loop: client, control socket, wire and timers, in one thread.
 *
 * A wire has nothing to wait on, so it is looked at: after each message, at once again after
 * frames have moved, then every 50 us, and with nothing to do less and less often, down to
 * once in 1 ms (100 ms without a client). A timer of the model or a busy line that is due
 * sooner shortens the wait.
 */

#include <signal.h>
#include <stdint.h>

#include "conn.h"
#include "control.h"
#include "server.h"

struct chip_loop {
	struct chip_server *server;
	struct chip_control *control;
	struct chip_conn conn;
	struct pw_wire *wire;
	int listen_fd;
	void (*idle)(void *ctx);	/**< nothing moved in a while; may be NULL */
	void *ctx;
	uint64_t wait_ns;
};

/**
 * Serve until a signal sets `stop`; it must be blocked but for the time of waiting.
 *
 * @param during
 *   The signal mask while waiting.
 * @return
 *   0, or -errno of waiting itself.
 */
int chip_loop_run(struct chip_loop *l, const volatile sig_atomic_t *stop, const sigset_t *during);

#endif /* _CHIP_LOOP_H_ */
