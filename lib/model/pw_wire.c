/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * What all wires share: specifications and pacing.
 *
 * A paced line is busy from the first bit of the preamble to the end of the interframe gap
 * (IEEE 802.3 §4.4.2: 96 bit times). A sender that was refused meanwhile is taken to have been
 * waiting: its next frame starts when the line became free, not when somebody polled again,
 * and so do those that it sends at once behind that one. A card would have done the same out
 * of its descriptor ring with no CPU at all; a ring of 256 descriptors of 64-byte frames lasts
 * 172 us at 1000 Mbit/s, hence the bound on how much may be caught up after a gap.
 */

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pw_wire_priv.h"
#include "pw_wire_ring.h"

#define PREAMBLE_BYTES 8u
#define FCS_BYTES 4u
#define GAP_BYTES 12u
#define MIN_FRAME_BYTES 60u /* without FCS */

#define CATCH_UP_NS 200000u
#define CATCH_UP_BYTES 25000u /* on slower lines: what takes 200 us at 1000 Mbit/s */
#define AT_ONCE_NS 1000u

#define SAY_LEN 512
#define DEFAULT_BUFFER (1u << 20)
#define PS_PER_NS 1000u
#define DEFAULT_MBPS 1000u
#define MAX_MBPS 1000000u

static const struct wire_kind *const kinds[] = {
	&wire_kind_shm,
	&wire_kind_tap,
	&wire_kind_pcap,
	&wire_kind_mem, /* last: it has no prefix */
};

/* One line, whatever was in a name. */
static void
one_line(char *text)
{
	for (; *text != '\0'; text++)
		if (iscntrl((unsigned char)*text))
			*text = '?';
}

int
wire_fail(int rc, char *err, size_t errlen, const char *fmt, ...)
{
	va_list ap;

	if (err == NULL || errlen == 0)
		return rc;
	va_start(ap, fmt);
	vsnprintf(err, errlen, fmt, ap);
	va_end(ap);
	one_line(err);
	return rc;
}

void
wire_say(struct pw_wire *end, const char *fmt, ...)
{
	char text[SAY_LEN];
	va_list ap;

	if (end->say == NULL)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	one_line(text);
	end->say(end->say_ctx, text);
}

int
wire_check_name(const char *name, char *err, size_t errlen)
{
	size_t n = 0;

	for (; name[n] != '\0'; n++)
		if (!isalnum((unsigned char)name[n]) && strchr("_-.", name[n]) == NULL)
			break;
	if (name[n] == '\0' && n > 0 && n <= WIRE_NAME_MAX && name[0] != '.')
		return 0;
	return wire_fail(-EINVAL, err, errlen,
			 "wire name \"%.80s\": 1 to %u letters, digits, _ - or . (not first); "
			 "other wires are shm:NAME, tap:IFNAME, pcap:in=FILE,out=FILE",
			 name, WIRE_NAME_MAX);
}

/* --- pacing ------------------------------------------------------------------ */

static uint32_t
byte_ps(uint32_t mbps)
{
	return 8u * 1000000u / mbps;
}

static uint32_t
on_line(uint32_t len)
{
	return PREAMBLE_BYTES + (len < MIN_FRAME_BYTES ? MIN_FRAME_BYTES : len) + FCS_BYTES;
}

uint64_t
pw_wire_frame_ns(uint32_t len, uint32_t mbps)
{
	if (mbps == 0)
		return 0;
	return (uint64_t)(on_line(len) + GAP_BYTES) * 8000u / mbps;
}

bool
wire_line_free(struct wire_line *l, uint64_t now)
{
	if (now >= l->free_ns)
		return true;
	l->queued_until = UINT64_MAX;
	return false;
}

uint64_t
wire_line_take(struct wire_line *l, uint32_t len, uint64_t now)
{
	uint64_t ps, arrival, most = (uint64_t)CATCH_UP_BYTES * l->byte_ps / PS_PER_NS;

	if (most < CATCH_UP_NS)
		most = CATCH_UP_NS;
	if (now > l->queued_until || now - l->free_ns > most) {
		l->free_ns = now > l->queued_until ? now : now - most;
		l->free_ps = 0;
	}
	l->queued_until = now + AT_ONCE_NS;
	arrival = l->free_ns + (l->free_ps + (uint64_t)on_line(len) * l->byte_ps) / PS_PER_NS;
	ps = l->free_ps + (uint64_t)(on_line(len) + GAP_BYTES) * l->byte_ps;
	l->free_ns += ps / PS_PER_NS;
	l->free_ps = (uint32_t)(ps % PS_PER_NS);
	return arrival;
}

bool
wire_arrival_free(struct pw_wire *end)
{
	end->seen_ns = pw_clock_now(end->clock);
	return !end->paced || wire_line_free(&end->rx, end->seen_ns);
}

uint64_t
wire_arrival_take(struct pw_wire *end, uint32_t len)
{
	if (!end->paced)
		return end->seen_ns;
	return wire_line_take(&end->rx, len, end->seen_ns);
}

bool
wire_has_come(struct pw_wire *end, uint64_t t_ns)
{
	if (t_ns <= end->seen_ns)
		return true;
	end->seen_ns = pw_clock_now(end->clock);
	return t_ns <= end->seen_ns;
}

/* --- the interface ----------------------------------------------------------- */

static uint32_t
buffer_size(uint32_t want)
{
	uint32_t size = WRING_MIN_SIZE;

	if (want == 0)
		return DEFAULT_BUFFER;
	while (size < want)
		size <<= 1;
	return size;
}

int
pw_wire_open(const char *spec, const struct pw_wire_opts *opts, struct pw_wire **end, char *err,
	     size_t errlen)
{
	struct pw_wire_opts o = { 0 };
	size_t i = 0;
	int rc;

	if (opts != NULL)
		o = *opts;
	if (o.clock == NULL)
		o.clock = &pw_clock_real;
	if (o.buffer > WRING_MAX_SIZE)
		return wire_fail(-EINVAL, err, errlen, "wire buffer of %u bytes: at most %u",
				 o.buffer, WRING_MAX_SIZE);
	o.buffer = buffer_size(o.buffer);
	while (strncmp(spec, kinds[i]->prefix, strlen(kinds[i]->prefix)) != 0)
		i++;
	rc = kinds[i]->open(spec + strlen(kinds[i]->prefix), &o, end, err, errlen);
	if (rc != 0)
		return rc;
	(*end)->kind = kinds[i];
	(*end)->clock = o.clock;
	(*end)->paced = o.paced;
	(*end)->say = o.say;
	(*end)->say_ctx = o.say_ctx;
	pw_wire_set_speed(*end, DEFAULT_MBPS);
	return 0;
}

void
pw_wire_close(struct pw_wire *end)
{
	if (end != NULL)
		end->kind->close(end);
}

bool
pw_wire_carrier(struct pw_wire *end)
{
	return end->kind->carrier(end);
}

void
pw_wire_set_speed(struct pw_wire *end, uint32_t mbps)
{
	if (mbps == 0 || mbps > MAX_MBPS)
		return;
	end->tx.byte_ps = byte_ps(mbps);
	end->rx.byte_ps = byte_ps(mbps);
}

void
pw_wire_listen(struct pw_wire *end, bool on)
{
	end->kind->listen(end, on);
}

int
pw_wire_send(struct pw_wire *end, const void *frame, uint32_t len, uint32_t flags)
{
	uint64_t t = pw_clock_now(end->clock);

	if (len == 0 || len > PW_WIRE_MAX_FRAME)
		return -EINVAL;
	flags &= WIRE_FRAME_FLAGS;
	if (end->paced) {
		if (!wire_line_free(&end->tx, t))
			return -EAGAIN;
		t = wire_line_take(&end->tx, len, t);
		flags |= WIRE_REC_PACED;
	}
	end->kind->send(end, frame, len, flags, t);
	return 0;
}

uint64_t
pw_wire_busy_until(struct pw_wire *end)
{
	if (!end->paced || wire_line_free(&end->tx, pw_clock_now(end->clock)))
		return 0;
	return end->tx.free_ns;
}

bool
pw_wire_peek(struct pw_wire *end, struct pw_frame *frame)
{
	return end->kind->peek(end, frame);
}

void
pw_wire_next(struct pw_wire *end)
{
	end->kind->next(end);
}

uint64_t
pw_wire_missed(struct pw_wire *end)
{
	return end->kind->missed(end);
}
