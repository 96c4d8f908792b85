/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "conn.h"
#include "server.h"

#define OUT_SIZE sizeof(((struct chip_reply *)0)->data)

int
chip_conn_open(struct chip_conn *c, int fd)
{
	*c = (struct chip_conn){ .fd = fd, .in = malloc(VFU_MAX_MSG), .out = malloc(OUT_SIZE) };
	if (c->in != NULL && c->out != NULL)
		return 0;
	chip_conn_close(c);
	return -ENOMEM;
}

void
chip_conn_close(struct chip_conn *c)
{
	if (c->fd < 0)
		return;
	chip_conn_next(c);
	close(c->fd);
	free(c->in);
	free(c->out);
	*c = (struct chip_conn){ .fd = -1 };
}

void
chip_conn_next(struct chip_conn *c)
{
	unsigned int i;

	for (i = 0; i < c->nb_fds; i++)
		if (c->fds[i] >= 0)
			close(c->fds[i]);
	c->nb_fds = 0;
	c->got = 0;
}

/* Keep the descriptors of one recvmsg(). The kernel has closed what found no room. */
static int
take_fds(struct chip_conn *c, struct msghdr *msg)
{
	struct cmsghdr *m;
	int rc = (msg->msg_flags & MSG_CTRUNC) != 0 ? -EPROTO : 0;

	for (m = CMSG_FIRSTHDR(msg); m != NULL; m = CMSG_NXTHDR(msg, m)) {
		const uint8_t *data = CMSG_DATA(m);
		size_t i, n = (m->cmsg_len - CMSG_LEN(0)) / sizeof(int);

		if (m->cmsg_level != SOL_SOCKET || m->cmsg_type != SCM_RIGHTS)
			continue;
		for (i = 0; i < n; i++) {
			int fd;

			memcpy(&fd, data + i * sizeof(fd), sizeof(fd));
			if (c->nb_fds < VFU_MAX_FDS) {
				c->fds[c->nb_fds++] = fd;
			} else {
				close(fd);
				rc = -EPROTO;
			}
		}
	}
	return rc;
}

/* Read up to `want` bytes of the message in all. @return 1: they are there; as above. */
static int
read_to(struct chip_conn *c, size_t want)
{
	union {
		char space[CMSG_SPACE(VFU_MAX_FDS * sizeof(int))];
		struct cmsghdr align;
	} control;
	struct iovec iov = { c->in + c->got, want - c->got };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t n;

	if (c->got >= want)
		return 1;
	n = recvmsg(c->fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	if (n == 0)
		return -EPIPE;
	c->got += (size_t)n;
	if (take_fds(c, &msg) < 0)
		return -EPROTO;
	return c->got == want;
}

int
chip_conn_receive(struct chip_conn *c)
{
	struct vfu_header h;
	int rc = read_to(c, c->got < sizeof(h) ? sizeof(h) : c->got);

	if (rc <= 0)
		return rc;
	memcpy(&h, c->in, sizeof(h));
	if (h.size < sizeof(h) || h.size > VFU_MAX_MSG)
		return -EMSGSIZE;
	return read_to(c, h.size);
}

bool
chip_conn_blocked(const struct chip_conn *c)
{
	return c->out_sent < c->out_len;
}

int
chip_conn_flush(struct chip_conn *c)
{
	while (chip_conn_blocked(c)) {
		ssize_t n = send(c->fd, c->out + c->out_sent, c->out_len - c->out_sent,
				 MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n < 0)
			return errno == EAGAIN || errno == EINTR ? 0 : -errno;
		c->out_sent += (size_t)n;
	}
	return 0;
}

int
chip_conn_send(struct chip_conn *c, const void *data, size_t len)
{
	if (chip_conn_blocked(c) || len > OUT_SIZE)
		return -ENOBUFS;
	memcpy(c->out, data, len);
	c->out_len = len;
	c->out_sent = 0;
	return chip_conn_flush(c);
}
