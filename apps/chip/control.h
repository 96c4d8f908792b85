/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _CHIP_CONTROL_H_
#define _CHIP_CONTROL_H_

/**
 * @file
 * The control socket: lines in, one line of answer each, "ok ..." or "error ...".
 */

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

#include "server.h"

#define CHIP_CONTROL_PEERS 4u
#define CHIP_CONTROL_LINE 128u

struct chip_control {
	struct chip_server *server;
	const char *path;	/**< NULL: no control socket */
	int listen_fd;
	struct {
		int fd;		/**< -1: free */
		size_t got;
		char line[CHIP_CONTROL_LINE];
	} peer[CHIP_CONTROL_PEERS];
};

/** @param path NULL: none. @return 0 or -errno. */
int chip_control_open(struct chip_control *c, const char *path, struct chip_server *server);
void chip_control_close(struct chip_control *c);

/** Fill in what to wait for. @return how many, at most 1 + CHIP_CONTROL_PEERS. */
unsigned int chip_control_pollfds(const struct chip_control *c, struct pollfd *p);

/** Serve what has come. Never blocks. */
void chip_control_serve(struct chip_control *c);

/**
 * Do one line: "fault NAME [ARG]", "violations", "registers", "interrupts", "help".
 * @param answer one line without its end
 */
void chip_control_line(struct chip_server *s, const char *line, char *answer, size_t len);

/** Set a fault switch; `arg` NULL is 1. @return 0 or -EINVAL. */
int chip_control_fault(struct pw_model *m, const char *name, const char *arg);

/** Violations by kind, for people. */
void chip_control_violations(const struct pw_model *m, char *text, size_t len);

#endif /* _CHIP_CONTROL_H_ */
