/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "log.h"
#include "loop.h"

#define WAIT_MIN_NS 50000u
#define WAIT_MAX_NS 1000000u
#define WAIT_ALONE_NS 100000000u
#define MESSAGES_A_ROUND 64u	/* then the wire has its turn */

enum { P_LISTEN, P_CLIENT, P_UNMASK, P_CONTROL, P_MAX = P_CONTROL + 1 + CHIP_CONTROL_PEERS };

static void
client_leaves(struct chip_loop *l, int why)
{
	if (why == -EPIPE || why == -ECONNRESET)
		chip_say("the client has left");
	else
		chip_say("the client is dropped: %s", strerror(-why));
	chip_conn_close(&l->conn);
	chip_server_client_left(l->server);
}

/* @return -errno if the connection has to end. */
static int
client_message(struct chip_loop *l)
{
	static struct chip_reply reply;
	int rc, sent = 0;

	rc = chip_conn_receive(&l->conn);
	if (rc <= 0)
		return rc == 0 ? -EAGAIN : rc;
	rc = chip_server_message(l->server, l->conn.in, l->conn.got, l->conn.fds, l->conn.nb_fds,
				 &reply);
	chip_conn_next(&l->conn);
	if (reply.len > 0)
		sent = chip_conn_send(&l->conn, reply.data, reply.len);
	if (chip_dma_broken(&l->server->dma)) {
		chip_say_of_client("a file of the client's has become shorter than what it mapped");
		return -EFAULT;
	}
	return rc < 0 ? rc : sent;
}

/* @return whether something was done. */
static bool
serve_client(struct chip_loop *l)
{
	unsigned int i;
	int rc = chip_conn_flush(&l->conn);

	for (i = 0; rc == 0 && i < MESSAGES_A_ROUND && !chip_conn_blocked(&l->conn); i++)
		rc = client_message(l);
	if (rc < 0 && rc != -EAGAIN) {
		client_leaves(l, rc);
		return true;
	}
	return i > (rc == -EAGAIN);
}

/* One client at a time: another is told at once, by the end of its connection. */
static void
welcome(struct chip_loop *l)
{
	int fd = accept4(l->listen_fd, NULL, NULL, SOCK_CLOEXEC);

	if (fd < 0)
		return;
	if (l->conn.fd >= 0) {
		chip_say("another client is refused: the card is in use");
		close(fd);
	} else if (chip_conn_open(&l->conn, fd) == 0) {
		chip_say_new_client(CHIP_SAY_LIMIT);
		chip_say("a client has come");
		chip_server_client_came(l->server);
	}
}

static unsigned int
fill(const struct chip_loop *l, struct pollfd *p)
{
	short client = chip_conn_blocked(&l->conn) ? POLLOUT : POLLIN;

	p[P_LISTEN] = (struct pollfd){ .fd = l->listen_fd, .events = POLLIN };
	p[P_CLIENT] = (struct pollfd){ .fd = l->conn.fd, .events = client };
	p[P_UNMASK] = (struct pollfd){ .fd = l->server->irqs.unmask_fd, .events = POLLIN };
	return P_CONTROL + chip_control_pollfds(l->control, &p[P_CONTROL]);
}

static uint64_t
until(uint64_t when)
{
	uint64_t now = pw_clock_now(&pw_clock_real);

	return when > now ? when - now : 0;
}

static struct timespec
how_long(const struct chip_loop *l)
{
	uint64_t ns = l->wait_ns, busy;

	if (l->conn.fd >= 0) {
		uint64_t timer = until(pw_model_deadline(l->server->model));

		busy = l->wire == NULL ? 0 : pw_wire_busy_until(l->wire);
		if (timer < ns)
			ns = timer;
		if (busy != 0 && until(busy) < ns)
			ns = until(busy);
	}
	/* No wait is as long as a second. */
	return (struct timespec){ .tv_nsec = (long)ns };
}

static void
pace(struct chip_loop *l, bool served, bool moved)
{
	uint64_t max = l->conn.fd < 0 ? WAIT_ALONE_NS : WAIT_MAX_NS;

	if (moved) {
		l->wait_ns = 0;
	} else if (served || l->wait_ns < WAIT_MIN_NS) {
		l->wait_ns = WAIT_MIN_NS;
	} else if (l->wait_ns < max) {
		l->wait_ns = 2 * l->wait_ns < max ? 2 * l->wait_ns : max;
		if (l->wait_ns == max && l->idle != NULL)
			l->idle(l->ctx);
	} else {
		l->wait_ns = max;
	}
}

/* The client first: when it has gone the next one may come in the same round. */
static bool
serve(struct chip_loop *l, const struct pollfd *p, unsigned int n)
{
	bool served = false;
	unsigned int i;

	if (p[P_UNMASK].revents != 0)
		chip_irqs_unmask_event(&l->server->irqs);
	if (p[P_CLIENT].revents != 0 && l->conn.fd >= 0)
		served = serve_client(l);
	/* What a client that has hung up still wanted comes before the next one. */
	if (p[P_LISTEN].revents != 0 && (l->conn.fd < 0 || (p[P_CLIENT].revents & POLLHUP) == 0))
		welcome(l);
	for (i = P_CONTROL; i < n; i++)
		if (p[i].revents != 0)
			chip_control_serve(l->control);
	return served;
}

int
chip_loop_run(struct chip_loop *l, const volatile sig_atomic_t *stop, const sigset_t *during)
{
	struct pollfd p[P_MAX];

	l->conn.fd = -1;
	l->wait_ns = WAIT_MIN_NS;
	while (!*stop) {
		struct timespec wait = how_long(l);
		unsigned int n = fill(l, p);
		bool served = false;
		int ready = ppoll(p, n, &wait, during);

		if (ready < 0 && errno != EINTR)
			return -errno;
		if (ready > 0)
			served = serve(l, p, n);
		pace(l, served, pw_model_poll(l->server->model) > 0);
	}
	if (l->conn.fd >= 0) {
		chip_conn_close(&l->conn);
		chip_server_client_left(l->server);
	}
	return 0;
}
