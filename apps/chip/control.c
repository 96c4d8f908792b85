/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "args.h"
#include "control.h"
#include "sock.h"

static const char *const kinds[PW_VIOL_MAX] = {
	[PW_VIOL_DMA] = "illegal DMA",
	[PW_VIOL_REG_UNDEFINED] = "undefined register",
	[PW_VIOL_REG_WIDTH] = "wrong width",
	[PW_VIOL_REG_READONLY] = "write to read-only",
	[PW_VIOL_DESC_OWNER] = "descriptor ownership",
	[PW_VIOL_PROTOCOL] = "forbidden order or value",
};

void
chip_control_violations(const struct pw_model *m, char *text, size_t len)
{
	int at = snprintf(text, len, "%" PRIu64, pw_model_violations(m, PW_VIOL_MAX));
	const char *sep = " (";
	unsigned int i;

	for (i = 0; i < PW_VIOL_MAX && at > 0 && (size_t)at < len; i++) {
		uint64_t n = pw_model_violations(m, i);

		if (n == 0)
			continue;
		at += snprintf(text + at, len - (size_t)at, "%s%" PRIu64 " %s", sep, n, kinds[i]);
		sep = ", ";
	}
	if (sep[0] == ',' && (size_t)at < len)
		snprintf(text + at, len - (size_t)at, ")");
}

int
chip_control_fault(struct pw_model *m, const char *name, const char *arg)
{
	int fault = pw_fault_by_name(name);
	unsigned long v = 1;

	if (fault < 0 || (arg != NULL && chip_args_number(arg, UINT32_MAX, &v) < 0))
		return -EINVAL;
	return pw_model_fault(m, (enum pw_fault)fault, (uint32_t)v);
}

static void
do_fault(struct chip_server *s, char *words, char *answer, size_t len)
{
	char *rest = NULL;
	const char *name = strtok_r(words, " ", &rest);
	const char *arg = strtok_r(NULL, " ", &rest);

	if (name == NULL || strtok_r(NULL, " ", &rest) != NULL ||
	    chip_control_fault(s->model, name, arg) < 0)
		snprintf(answer, len, "error no such fault switch or value");
	else
		snprintf(answer, len, "ok");
}

void
chip_control_line(struct chip_server *s, const char *line, char *answer, size_t len)
{
	char copy[CHIP_CONTROL_LINE], *rest = NULL, *verb;

	snprintf(copy, sizeof(copy), "%s", line);
	verb = strtok_r(copy, " ", &rest);
	if (verb == NULL)
		verb = copy;
	if (strcmp(verb, "fault") == 0) {
		do_fault(s, rest, answer, len);
	} else if (strcmp(verb, "violations") == 0) {
		char text[192];

		chip_control_violations(s->model, text, sizeof(text));
		snprintf(answer, len, "ok %s", text);
	} else if (strcmp(verb, "registers") == 0) {
		snprintf(answer, len, "ok %" PRIu64 " reads %" PRIu64 " writes",
			 pw_model_reg_reads(s->model), pw_model_reg_writes(s->model));
	} else if (strcmp(verb, "interrupts") == 0) {
		snprintf(answer, len, "ok %" PRIu64, s->irqs.fired);
	} else if (strcmp(verb, "help") == 0) {
		snprintf(answer, len, "ok fault NAME [ARG] | violations | registers | interrupts");
	} else {
		snprintf(answer, len, "error unknown command, try help");
	}
}

int
chip_control_open(struct chip_control *c, const char *path, struct chip_server *server)
{
	unsigned int i;

	*c = (struct chip_control){ .server = server, .path = path, .listen_fd = -1 };
	for (i = 0; i < CHIP_CONTROL_PEERS; i++)
		c->peer[i].fd = -1;
	if (path == NULL)
		return 0;
	c->listen_fd = chip_listen(path);
	return c->listen_fd < 0 ? c->listen_fd : 0;
}

static void
peer_close(struct chip_control *c, unsigned int i)
{
	if (c->peer[i].fd >= 0)
		close(c->peer[i].fd);
	c->peer[i].fd = -1;
}

void
chip_control_close(struct chip_control *c)
{
	unsigned int i;

	for (i = 0; i < CHIP_CONTROL_PEERS; i++)
		peer_close(c, i);
	if (c->listen_fd < 0)
		return;
	close(c->listen_fd);
	unlink(c->path);
	c->listen_fd = -1;
}

unsigned int
chip_control_pollfds(const struct chip_control *c, struct pollfd *p)
{
	unsigned int i, n = 0;

	if (c->listen_fd < 0)
		return 0;
	p[n++] = (struct pollfd){ .fd = c->listen_fd, .events = POLLIN };
	for (i = 0; i < CHIP_CONTROL_PEERS; i++)
		if (c->peer[i].fd >= 0)
			p[n++] = (struct pollfd){ .fd = c->peer[i].fd, .events = POLLIN };
	return n;
}

static void
welcome(struct chip_control *c)
{
	int fd = accept4(c->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	unsigned int i;

	if (fd < 0)
		return;
	for (i = 0; i < CHIP_CONTROL_PEERS; i++) {
		if (c->peer[i].fd >= 0)
			continue;
		c->peer[i].fd = fd;
		c->peer[i].got = 0;
		return;
	}
	close(fd);
}

/* Do the complete lines that have been read; keep the beginning of the next. */
static int
do_lines(struct chip_control *c, unsigned int i)
{
	char *line = c->peer[i].line, *end;

	while ((end = memchr(line, '\n', c->peer[i].got)) != NULL) {
		char answer[256];
		size_t used = (size_t)(end - line) + 1;

		*end = '\0';
		chip_control_line(c->server, line, answer, sizeof(answer) - 1);
		strcat(answer, "\n");
		if (send(c->peer[i].fd, answer, strlen(answer), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
			return -errno;
		c->peer[i].got -= used;
		memmove(line, line + used, c->peer[i].got);
	}
	return c->peer[i].got == CHIP_CONTROL_LINE ? -EMSGSIZE : 0;
}

static void
serve_peer(struct chip_control *c, unsigned int i)
{
	ssize_t n = recv(c->peer[i].fd, c->peer[i].line + c->peer[i].got,
			 CHIP_CONTROL_LINE - c->peer[i].got, MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0)
		c->peer[i].got += (size_t)n;
	if (n <= 0 || do_lines(c, i) < 0)
		peer_close(c, i);
}

void
chip_control_serve(struct chip_control *c)
{
	unsigned int i;

	if (c->listen_fd < 0)
		return;
	welcome(c);
	for (i = 0; i < CHIP_CONTROL_PEERS; i++)
		if (c->peer[i].fd >= 0)
			serve_peer(c, i);
}
