/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * A device that does what it is told with each frame: the tests' source of loss, duplicates,
 * reordering and damage in known numbers.
 *
 * usage: relay FROM TO [ACTION]...     FROM and TO are wires, as shm:NAME
 *   drop=N   dup=N   flip=N:OFFSET     frame N (from 0) is lost, doubled, damaged
 *   hold=N:M                           frame N goes out after frame M instead
 *   sink                               every frame is lost
 *
 * Says "ready" when both wires are plugged in. Ends with its standard input.
 */

#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pw_wire.h>

#define MAX_ACTIONS 64
#define LOOKS_BEFORE_INPUT 1000

struct action {
	char kind[8];
	unsigned long frame, arg;
	uint8_t held[PW_WIRE_MAX_FRAME];
	uint32_t held_len;
};

static struct action actions[MAX_ACTIONS];
static unsigned int nb_actions;
static bool sink;

static bool
read_action(const char *text)
{
	struct action *a = &actions[nb_actions];

	if (strcmp(text, "sink") == 0) {
		sink = true;
		return true;
	}
	if (nb_actions == MAX_ACTIONS ||
	    sscanf(text, "%7[a-z]=%lu:%lu", a->kind, &a->frame, &a->arg) < 2)
		return false;
	nb_actions++;
	return strcmp(a->kind, "drop") == 0 || strcmp(a->kind, "dup") == 0 ||
		strcmp(a->kind, "flip") == 0 || strcmp(a->kind, "hold") == 0;
}

static void
send_frame(struct pw_wire *to, const uint8_t *data, uint32_t len)
{
	while (pw_wire_send(to, data, len, 0) != 0)
		sched_yield();
}

static void
handle(struct pw_wire *to, const struct pw_frame *f, unsigned long nb)
{
	static uint8_t copy[PW_WIRE_MAX_FRAME];
	unsigned int times = sink ? 0 : 1, i;

	memcpy(copy, f->data, f->len);
	for (i = 0; i < nb_actions; i++) {
		struct action *a = &actions[i];

		if (a->frame != nb)
			continue;
		if (strcmp(a->kind, "dup") == 0) {
			times = 2;
		} else if (strcmp(a->kind, "flip") == 0) {
			copy[a->arg] ^= 0x10;
		} else {
			times = 0;
			memcpy(a->held, copy, f->len);
			a->held_len = f->len;
		}
	}
	while (times-- > 0)
		send_frame(to, copy, f->len);
	for (i = 0; i < nb_actions; i++)
		if (strcmp(actions[i].kind, "hold") == 0 && actions[i].arg == nb)
			send_frame(to, actions[i].held, actions[i].held_len);
}

static bool
input_ended(void)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	char byte;

	return poll(&p, 1, 0) > 0 && read(STDIN_FILENO, &byte, 1) == 0;
}

static void
relay(struct pw_wire *from, struct pw_wire *to)
{
	struct pw_frame frame;
	unsigned long nb = 0, looks = 0;

	while (++looks % LOOKS_BEFORE_INPUT != 0 || !input_ended()) {
		if (!pw_wire_peek(from, &frame)) {
			sched_yield();
			continue;
		}
		handle(to, &frame, nb++);
		pw_wire_next(from);
	}
}

int
main(int argc, char **argv)
{
	const struct pw_wire_opts opts = {.buffer = 8 << 20};
	struct pw_wire *from = NULL, *to = NULL;
	char err[256] = "";
	int i, ret;

	for (i = 3; i < argc; i++)
		if (!read_action(argv[i]))
			argc = 0;
	if (argc < 3) {
		fprintf(stderr, "usage: relay FROM TO [ACTION]...\n");
		return 2;
	}
	ret = pw_wire_open(argv[1], &opts, &from, err, sizeof(err));
	if (ret == 0)
		ret = pw_wire_open(argv[2], &opts, &to, err, sizeof(err));
	if (ret == 0) {
		pw_wire_listen(from, true);
		puts("ready");
		fflush(stdout);
		relay(from, to);
	} else {
		fprintf(stderr, "relay: %s\n", err);
	}
	pw_wire_close(to);
	pw_wire_close(from);
	return ret != 0;
}
