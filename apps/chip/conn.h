/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _CHIP_CONN_H_
#define _CHIP_CONN_H_

/**
 * @file
 * The socket of one client: whole messages in, with their descriptors; replies out. Never
 * blocks: a client that stops in the middle of a message, or does not read its replies, stops
 * only itself.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto.h"

struct chip_conn {
	int fd;			/**< -1: nobody is there */
	uint8_t *in;		/**< VFU_MAX_MSG bytes */
	size_t got;
	int fds[VFU_MAX_FDS];	/**< came with the message in `in` */
	unsigned int nb_fds;
	uint8_t *out;		/**< rest of a reply that the socket did not take */
	size_t out_len;
	size_t out_sent;
};

/** Take over a connected socket. @return 0 or -ENOMEM, and then it is closed. */
int chip_conn_open(struct chip_conn *c, int fd);

/** Close the socket and what came with the message at hand. */
void chip_conn_close(struct chip_conn *c);

/**
 * Go on reading a message.
 *
 * @return
 *   1: `in` holds one, of `got` bytes; 0: it is not complete; -EPIPE: the client has gone;
 *   -EMSGSIZE, -EPROTO: what came is no message; other -errno of the socket.
 */
int chip_conn_receive(struct chip_conn *c);

/** Be done with the message at hand; descriptors that are still in `fds` are closed. */
void chip_conn_next(struct chip_conn *c);

/** Send; what does not go now is kept, see chip_conn_blocked(). @return 0 or -errno. */
int chip_conn_send(struct chip_conn *c, const void *data, size_t len);

/** @return whether a reply waits for the socket; no more messages are to be read then. */
bool chip_conn_blocked(const struct chip_conn *c);

/** Send what is kept. @return 0 or -errno. */
int chip_conn_flush(struct chip_conn *c);

#endif /* _CHIP_CONN_H_ */
