/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* Wires inside a process and to capture files. */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <pcap/pcap.h>

#include <pw_wire.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define SECOND UINT64_C(1000000000)

static struct pw_clock clock_v = { .virtual_ns = SECOND, .is_virtual = 1 };
static uint8_t frame[PW_WIRE_MAX_FRAME + 64];

static struct pw_wire *
wire_open(const char *spec, const struct pw_wire_opts *opts)
{
	struct pw_wire *w = NULL;
	char err[256] = "";

	if (pw_wire_open(spec, opts, &w, err, sizeof(err)) != 0)
		fail_msg("%s: %s", spec, err);
	return w;
}

static struct pw_wire *
wire_paced(const char *spec)
{
	const struct pw_wire_opts opts = { .clock = &clock_v, .paced = true };

	return wire_open(spec, &opts);
}

static void
refused(const char *spec, const struct pw_wire_opts *opts, int rc, const char *part)
{
	struct pw_wire *w = NULL;
	char err[256] = "";

	assert_int_equal(pw_wire_open(spec, opts, &w, err, sizeof(err)), rc);
	if (strstr(err, part) == NULL || strchr(err, '\n') != NULL)
		fail_msg("%s: \"%s\" lacks \"%s\"", spec, err, part);
	/* Nor may it need a place for the message. */
	assert_int_equal(pw_wire_open(spec, opts, &w, NULL, 0), rc);
}

static void
fill(uint8_t *p, uint32_t len, uint32_t seed)
{
	uint32_t i;

	for (i = 0; i < len; i++)
		p[i] = (uint8_t)(seed * 31 + i);
}

static void
expect_frame(struct pw_wire *w, uint32_t len, uint32_t seed)
{
	static uint8_t want[PW_WIRE_MAX_FRAME];
	struct pw_frame f;

	assert_true(pw_wire_peek(w, &f));
	assert_int_equal(f.len, len);
	fill(want, len, seed);
	assert_memory_equal(f.data, want, len);
	pw_wire_next(w);
}

static void
expect_none(struct pw_wire *w)
{
	struct pw_frame f;

	assert_false(pw_wire_peek(w, &f));
}

static void
send_frame(struct pw_wire *w, uint32_t len, uint32_t seed)
{
	fill(frame, len, seed);
	assert_int_equal(pw_wire_send(w, frame, len, 0), 0);
}

/* --- specifications ------------------------------------------------------------------ */

static void
test_spec_that_makes_no_sense_is_refused(void **state)
{
	static const struct {
		const char *spec;
		int rc;
		const char *part;
	} bad[] = {
		{ "", -EINVAL, "letters" },
		{ "a/b", -EINVAL, "a/b" },
		{ "..", -EINVAL, "letters" },
		{ "a b", -EINVAL, "a b" },
		{ "a\nb", -EINVAL, "letters" },
		{ "udp:a", -EINVAL, "shm:NAME" },
		{ "x234567890123456789012345678901234567890123456789012345678901234y", -EINVAL,
		  "64" },
		{ "shm:", -EINVAL, "letters" },
		{ "shm:../etc", -EINVAL, "../etc" },
		{ "tap:", -EINVAL, "letters" },
		{ "tap:a/b", -EINVAL, "a/b" },
		{ "tap:a%d", -EINVAL, "a%d" },
		{ "tap:interface-name-too-long", -EINVAL, "15" },
		{ "pcap:", -EINVAL, "in=FILE" },
		{ "pcap:in=", -EINVAL, "in=" },
		{ "pcap:file", -EINVAL, "file" },
		{ "pcap:in=a,in=b", -EINVAL, "in=b" },
		{ "pcap:in=/nonexistent/a", -ENOENT, "/nonexistent/a" },
		{ "pcap:out=/nonexistent/a", -ENOENT, "/nonexistent/a" },
		{ "pcap:in=/", -EINVAL, "ordinary file" },
		{ "pcap:in=/dev/zero", -EINVAL, "ordinary file" },
		{ "pcap:out=/dev/full", -EIO, "/dev/full" },
		{ "pcap:out=/", -EISDIR, "directory" },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < COUNT(bad); i++)
		refused(bad[i].spec, NULL, bad[i].rc, bad[i].part);
}

static void
test_buffer_above_the_limit_is_refused(void **state)
{
	const struct pw_wire_opts most = { .buffer = 64u << 20 };
	const struct pw_wire_opts more = { .buffer = (64u << 20) + 1 };
	const struct pw_wire_opts all = { .buffer = UINT32_MAX };

	(void)state;
	refused("a", &more, -EINVAL, "67108864");
	refused("a", &all, -EINVAL, "67108864");
	pw_wire_close(wire_open("a", &most));
}

static void
test_another_clock_on_the_same_wire_is_refused(void **state)
{
	const struct pw_wire_opts virt = { .clock = &clock_v };
	struct pw_wire *a = wire_open("a", &virt);

	(void)state;
	refused("a", NULL, -EINVAL, "clock");
	pw_wire_close(a);
	pw_wire_close(wire_open("a", NULL));
}

/* --- the mesh -------------------------------------------------------------------------- */

static void
test_frame_reaches_every_other_end(void **state)
{
	struct pw_wire *e[8];
	unsigned int i, j;

	(void)state;
	for (i = 0; i < COUNT(e); i++)
		e[i] = wire_open("mesh", NULL);
	refused("mesh", NULL, -EBUSY, "8 ends");
	for (i = 0; i < COUNT(e); i++) {
		send_frame(e[i], 60 + i, i);
		for (j = 0; j < COUNT(e); j++)
			if (j != i)
				expect_frame(e[j], 60 + i, i);
		for (j = 0; j < COUNT(e); j++)
			expect_none(e[j]);
	}
	for (i = 0; i < COUNT(e); i++)
		pw_wire_close(e[i]);
}

static void
test_wires_of_other_names_are_apart(void **state)
{
	struct pw_wire *a = wire_open("a", NULL), *b = wire_open("b", NULL);

	(void)state;
	assert_false(pw_wire_carrier(a));
	send_frame(a, 60, 1);
	expect_none(b);
	pw_wire_close(a);
	pw_wire_close(b);
}

static void
test_carrier_is_whether_another_end_is_plugged_in(void **state)
{
	struct pw_wire *a = wire_open("a", NULL), *b, *c;

	(void)state;
	assert_false(pw_wire_carrier(a));
	b = wire_open("a", NULL);
	c = wire_open("a", NULL);
	assert_true(pw_wire_carrier(a));
	assert_true(pw_wire_carrier(b));
	pw_wire_close(b);
	assert_true(pw_wire_carrier(a));
	pw_wire_listen(c, false); /* deaf, but plugged in */
	assert_true(pw_wire_carrier(a));
	pw_wire_close(c);
	assert_false(pw_wire_carrier(a));
	pw_wire_close(a);
	pw_wire_close(NULL);
}

static void
test_every_length_arrives_whole(void **state)
{
	const struct pw_wire_opts opts = { .buffer = 32768 };
	struct pw_wire *a = wire_open("a", &opts), *b = wire_open("a", &opts);
	uint32_t len;

	(void)state;
	/* 32768 is no multiple of most record lengths, so every way to wrap occurs. */
	for (len = 1; len <= PW_WIRE_MAX_FRAME; len += len < 2000 ? 1 : 61) {
		send_frame(a, len, len);
		expect_frame(b, len, len);
	}
	send_frame(b, PW_WIRE_MAX_FRAME, 7);
	expect_frame(a, PW_WIRE_MAX_FRAME, 7);
	assert_int_equal(pw_wire_missed(a) + pw_wire_missed(b), 0);
	assert_int_equal(pw_wire_send(a, frame, 0, 0), -EINVAL);
	assert_int_equal(pw_wire_send(a, frame, PW_WIRE_MAX_FRAME + 1, 0), -EINVAL);
	expect_none(b);
	pw_wire_close(a);
	pw_wire_close(b);
}

static void
test_flags_arrive_and_no_others(void **state)
{
	struct pw_wire *a = wire_open("a", NULL), *b = wire_open("a", NULL);
	struct pw_frame f;

	(void)state;
	assert_int_equal(pw_wire_send(a, frame, 60, PW_FRAME_BAD_CRC), 0);
	assert_int_equal(pw_wire_send(a, frame, 60, UINT32_MAX), 0);
	assert_true(pw_wire_peek(b, &f));
	assert_int_equal(f.flags, PW_FRAME_BAD_CRC);
	pw_wire_next(b);
	assert_true(pw_wire_peek(b, &f));
	assert_int_equal(f.flags, PW_FRAME_BAD_CRC | PW_FRAME_RX_ERR | PW_FRAME_EXTENDED);
	pw_wire_close(a);
	pw_wire_close(b);
}

static void
test_peek_shows_the_same_frame_until_next(void **state)
{
	struct pw_wire *a = wire_open("a", NULL), *b = wire_open("a", NULL);
	struct pw_frame f;

	(void)state;
	pw_wire_next(b); /* nothing was shown: no effect */
	send_frame(a, 60, 1);
	pw_wire_next(b);
	send_frame(a, 61, 2);
	assert_true(pw_wire_peek(b, &f));
	assert_int_equal(f.len, 60);
	expect_frame(b, 60, 1);
	pw_wire_next(b);
	expect_frame(b, 61, 2);
	expect_none(b);
	pw_wire_close(a);
	pw_wire_close(b);
}

static void
test_frame_that_finds_no_room_is_counted_at_the_receiver(void **state)
{
	const struct pw_wire_opts small = { .buffer = 1024 };
	struct pw_wire *a = wire_open("a", NULL), *b = wire_open("a", &small);
	uint32_t i;

	(void)state;
	/* A record of 60 bytes takes 16 + 64 = 80; 1024 / 80 = 12 fit, 8 of 20 do not. */
	for (i = 0; i < 20; i++)
		send_frame(a, 60, i);
	assert_int_equal(pw_wire_missed(b), 8);
	assert_int_equal(pw_wire_missed(b), 0);
	assert_int_equal(pw_wire_missed(a), 0);
	for (i = 0; i < 12; i++)
		expect_frame(b, 60, i);
	expect_none(b);
	send_frame(a, 1020, 1); /* 16 + 1024: never fits */
	assert_int_equal(pw_wire_missed(b), 1);
	send_frame(a, 1008, 2); /* 16 + 1008: all of it */
	expect_frame(b, 1008, 2);
	pw_wire_close(a);
	pw_wire_close(b);
}

static void
test_frames_to_a_deaf_end_vanish_uncounted(void **state)
{
	struct pw_wire *a = wire_open("a", NULL), *b = wire_open("a", NULL);

	(void)state;
	send_frame(a, 60, 1);
	pw_wire_listen(b, false);
	expect_none(b);
	send_frame(a, 60, 2);
	pw_wire_listen(b, true);
	expect_none(b);
	assert_int_equal(pw_wire_missed(b), 0);
	send_frame(a, 60, 3);
	pw_wire_listen(b, true); /* was on: loses nothing */
	expect_frame(b, 60, 3);
	pw_wire_close(a);
	pw_wire_close(b);
}

static void
test_new_end_sees_nothing_meant_for_the_one_before(void **state)
{
	static const uint32_t buffer[] = { 0, 2048, 0, 2048, 1 << 20 };
	struct pw_wire *a = wire_open("a", NULL), *b;
	struct pw_wire *gone = wire_open("a", NULL);
	unsigned int i;

	(void)state;
	/* A frame of a sender that has left meanwhile is not for the new one either. */
	b = wire_open("a", NULL);
	send_frame(gone, 60, 9);
	pw_wire_close(gone);
	pw_wire_close(b);
	for (i = 0; i < COUNT(buffer); i++) {
		const struct pw_wire_opts opts = { .buffer = buffer[i] };

		b = wire_open("a", &opts);
		gone = wire_open("a", NULL);
		expect_none(b);
		expect_none(gone);
		assert_int_equal(pw_wire_missed(b), 0);
		send_frame(a, 60, i);
		expect_frame(b, 60, i);
		send_frame(a, 60, i);
		send_frame(gone, 60, i);
		pw_wire_close(gone);
		pw_wire_close(b);
	}
	pw_wire_close(a);
}

/* --- pacing ------------------------------------------------------------------------------ */

static void
test_time_on_the_line_is_that_of_802_3(void **state)
{
	(void)state;
	/* 8 preamble + 64 + 12 gap = 84 bytes; at 1000 Mbit/s 8 ns each: 1,488,095 frames/s. */
	assert_int_equal(pw_wire_frame_ns(60, 1000), 672);
	assert_int_equal(SECOND / pw_wire_frame_ns(60, 1000), 1488095);
	assert_int_equal(pw_wire_frame_ns(60, 100), 6720);
	assert_int_equal(pw_wire_frame_ns(60, 10), 67200);
	assert_int_equal(pw_wire_frame_ns(1514, 1000), (8 + 1518 + 12) * 8);
	assert_int_equal(pw_wire_frame_ns(1, 1000), 672); /* padded */
	assert_int_equal(pw_wire_frame_ns(61, 1000), 680);
}

static void
test_frame_is_seen_from_its_arrival_on(void **state)
{
	struct pw_wire *a = wire_paced("a"), *b = wire_paced("a");
	uint64_t t0 = pw_clock_now(&clock_v);
	struct pw_frame f;

	(void)state;
	send_frame(a, 60, 1);
	/* Until the last bit of 8 + 60 + 4 bytes: 576 ns; the line is free after 12 more: 672. */
	expect_none(b);
	pw_clock_advance(&clock_v, 575);
	expect_none(b);
	assert_int_equal(pw_wire_busy_until(a), t0 + 672);
	pw_clock_advance(&clock_v, 1);
	assert_true(pw_wire_peek(b, &f));
	assert_int_equal(f.t_ns, t0 + 576);
	pw_clock_advance(&clock_v, 672 - 576 - 1);
	assert_int_equal(pw_wire_send(a, frame, 60, 0), -EAGAIN);
	pw_clock_advance(&clock_v, 1);
	assert_int_equal(pw_wire_busy_until(a), 0);
	assert_int_equal(pw_wire_send(a, frame, 60, 0), 0);
	assert_int_equal(pw_wire_busy_until(b), 0); /* full duplex */
	pw_wire_close(a);
	pw_wire_close(b);
}

/* Send as fast as the line takes for a second, looking every `step` ns; count what arrives. */
static uint64_t
frames_in_a_second(uint32_t mbps, uint32_t len, uint64_t step)
{
	struct pw_wire *a = wire_paced("a"), *b = wire_paced("a");
	uint64_t end = pw_clock_now(&clock_v) + SECOND;
	struct pw_frame f;
	uint64_t n = 0;

	pw_wire_set_speed(a, mbps);
	while (pw_clock_now(&clock_v) < end) {
		while (pw_wire_send(a, frame, len, 0) == 0)
			;
		pw_clock_advance(&clock_v, step);
		while (pw_wire_peek(b, &f)) {
			pw_wire_next(b);
			n++;
		}
	}
	assert_int_equal(pw_wire_missed(b), 0);
	pw_wire_close(a);
	pw_wire_close(b);
	return n;
}

static void
test_paced_rate_is_the_arithmetic_one(void **state)
{
	/* Steps that no frame time is a multiple of, below and above one frame. */
	static const uint64_t step[] = { 997, 99991 };
	static const uint32_t mbps[] = { 10, 100, 1000, 2500 };
	static const uint32_t len[] = { 60, 508, 1514, 9000 };
	unsigned int i, j, k;

	(void)state;
	for (i = 0; i < COUNT(mbps); i++) {
		for (j = 0; j < COUNT(len); j++) {
			double want = 1e6 * mbps[i] / (8.0 * (8 + len[j] + 4 + 12));

			for (k = 0; k < COUNT(step); k++) {
				uint64_t n = frames_in_a_second(mbps[i], len[j], step[k]);

				/* Within one frame and what belongs to the last step. */
				if (fabs(n - want) > 1 + want * 1e-9 * step[k])
					fail_msg("%u Mbit/s, %u bytes, step %" PRIu64 ": %" PRIu64
						 " frames instead of %.1f",
						 mbps[i], len[j], step[k], n, want);
			}
		}
	}
}

static unsigned int
send_all(struct pw_wire *w)
{
	unsigned int n = 0;

	while (pw_wire_send(w, frame, 60, 0) == 0)
		n++;
	return n;
}

static void
test_late_poller_catches_up_within_bounds(void **state)
{
	struct pw_wire *a = wire_paced("a"), *b = wire_paced("a");

	(void)state;
	assert_int_equal(send_all(a), 1);
	/* Frames that start at 672, 1344, ... 14 * 672 = 9408: 14 in 10 us. */
	pw_clock_advance(&clock_v, 10000);
	assert_int_equal(send_all(a), 14);
	/* After a long gap, frames of 200 us: 200000 / 672 = 297.6, and the one under way. */
	pw_clock_advance(&clock_v, SECOND);
	assert_int_equal(send_all(a), 298);
	pw_wire_close(a);
	pw_wire_close(b);
}

/* A card's ring lasts ten times as long at a tenth of the speed. */
static void
test_late_poller_of_a_slow_line_catches_up_as_many_frames(void **state)
{
	struct pw_wire *a = wire_paced("a"), *b = wire_paced("a");

	(void)state;
	pw_wire_set_speed(a, 100);
	pw_wire_set_speed(b, 100);
	assert_int_equal(send_all(a), 1);
	/* Frames of 2 ms: 2000000 / 6720 = 297.6, and the one under way. */
	pw_clock_advance(&clock_v, SECOND);
	assert_int_equal(send_all(a), 298);
	pw_wire_close(a);
	pw_wire_close(b);
}

static void
test_idle_line_gives_no_credit(void **state)
{
	struct pw_wire *a = wire_paced("a"), *b = wire_paced("a");
	struct pw_frame f;

	(void)state;
	send_frame(a, 60, 1); /* not refused: nothing waits */
	pw_clock_advance(&clock_v, 100000);
	expect_frame(b, 60, 1);
	send_frame(a, 60, 2);
	expect_none(b);
	assert_int_equal(pw_wire_send(a, frame, 60, 0), -EAGAIN);
	pw_clock_advance(&clock_v, 576);
	assert_true(pw_wire_peek(b, &f));
	assert_int_equal(f.t_ns, pw_clock_now(&clock_v));
	pw_wire_next(b);
	/* Refused above; caught up with one frame, then idle again. */
	pw_clock_advance(&clock_v, 5000);
	send_frame(a, 60, 3);
	pw_clock_advance(&clock_v, 20000);
	expect_frame(b, 60, 3);
	send_frame(a, 60, 4);
	expect_none(b);
	pw_wire_close(a);
	pw_wire_close(b);
}

static void
test_senders_frames_come_in_order_of_arrival(void **state)
{
	struct pw_wire *a = wire_paced("a"), *b = wire_paced("a"), *c = wire_paced("a");

	(void)state;
	send_frame(a, 1514, 1); /* 12208 ns to its last bit */
	send_frame(b, 60, 2);	/* 576 ns */
	pw_clock_advance(&clock_v, 600);
	expect_frame(c, 60, 2);
	expect_none(c);
	pw_clock_advance(&clock_v, 72); /* b's line is free at 672 */
	send_frame(b, 60, 3);
	pw_clock_advance(&clock_v, 20000);
	expect_frame(c, 60, 3);
	expect_frame(c, 1514, 1);
	pw_wire_close(a);
	pw_wire_close(b);
	pw_wire_close(c);
}

static void
test_speed_counts_from_the_next_frame_on(void **state)
{
	struct pw_wire *a = wire_paced("a");
	uint64_t t0 = pw_clock_now(&clock_v);

	(void)state;
	pw_wire_set_speed(a, 10);
	send_frame(a, 60, 1);
	pw_wire_set_speed(a, 0); /* no speed: no effect */
	assert_int_equal(pw_wire_busy_until(a), t0 + 67200);
	pw_wire_set_speed(a, 100);
	assert_int_equal(pw_wire_busy_until(a), t0 + 67200);
	pw_clock_advance(&clock_v, 67200);
	send_frame(a, 60, 2);
	assert_int_equal(pw_wire_busy_until(a), t0 + 67200 + 6720);
	pw_wire_close(a);
}

/* --- threads ------------------------------------------------------------------------------ */

#define MESH_ENDS 4u
#define MESH_FRAMES 20000u

struct mesh {
	struct pw_wire *end;
	uint32_t me;
	uint64_t got;
	uint64_t bad;
	pthread_barrier_t *barrier;
	_Atomic uint32_t *done;
};

/* 8 bytes of sender and number, the rest a function of both. */
static void
mesh_take(struct mesh *m, uint64_t *next)
{
	uint8_t want[256];
	struct pw_frame f;
	uint32_t who[2];

	while (pw_wire_peek(m->end, &f)) {
		memcpy(who, f.data, sizeof(who));
		fill(want, f.len, who[0] + who[1]);
		if (who[0] >= MESH_ENDS || who[0] == m->me || who[1] < next[who[0]] ||
		    f.len != 60 + who[1] % 150 || memcmp(f.data + 8, want + 8, f.len - 8) != 0)
			m->bad++;
		else
			next[who[0]] = who[1] + 1;
		m->got++;
		pw_wire_next(m->end);
	}
}

static void *
mesh_thread(void *arg)
{
	uint64_t next[MESH_ENDS] = { 0 };
	struct mesh *m = arg;
	uint8_t buf[256];
	uint32_t i;

	pthread_barrier_wait(m->barrier);
	for (i = 0; i < MESH_FRAMES; i++) {
		uint32_t who[2] = { m->me, i };
		uint32_t len = 60 + i % 150;

		fill(buf, len, m->me + i);
		memcpy(buf, who, sizeof(who));
		pw_wire_send(m->end, buf, len, 0);
		mesh_take(m, next);
	}
	(*m->done)++;
	while (*m->done < MESH_ENDS) {
		mesh_take(m, next);
		sched_yield();
	}
	mesh_take(m, next);
	return NULL;
}

static void
test_threads_lose_no_frame_uncounted(void **state)
{
	const struct pw_wire_opts opts = { .buffer = 4096 };
	struct mesh m[MESH_ENDS];
	pthread_t thread[MESH_ENDS];
	pthread_barrier_t barrier;
	_Atomic uint32_t done = 0;
	uint32_t i;

	(void)state;
	pthread_barrier_init(&barrier, NULL, MESH_ENDS);
	for (i = 0; i < MESH_ENDS; i++)
		m[i] = (struct mesh){ wire_open("threads", &opts), i, 0, 0, &barrier, &done };
	for (i = 0; i < MESH_ENDS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, mesh_thread, &m[i]), 0);
	for (i = 0; i < MESH_ENDS; i++)
		pthread_join(thread[i], NULL);
	for (i = 0; i < MESH_ENDS; i++) {
		uint64_t missed = pw_wire_missed(m[i].end);

		assert_int_equal(m[i].bad, 0);
		assert_true(m[i].got > 0);
		assert_int_equal(m[i].got + missed, (MESH_ENDS - 1) * MESH_FRAMES);
		pw_wire_close(m[i].end);
	}
	pthread_barrier_destroy(&barrier);
}

static void *
plug_thread(void *arg)
{
	_Atomic uint32_t *stop = arg;
	struct pw_wire_opts opts = { 0 };
	struct pw_frame f;
	uint32_t n;

	for (n = 0; n < 2000; n++) {
		struct pw_wire *w;

		opts.buffer = (n & 1) != 0 ? 1024 : 4096;
		w = wire_open("plug", &opts);
		while (pw_wire_peek(w, &f))
			pw_wire_next(w);
		pw_wire_send(w, "plug-thread", 11, 0);
		pw_wire_close(w);
	}
	*stop = 1;
	return NULL;
}

static void
test_ends_come_and_go_under_traffic(void **state)
{
	struct pw_wire *a = wire_open("plug", NULL);
	_Atomic uint32_t stop = 0;
	pthread_t thread;
	struct pw_frame f;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, plug_thread, &stop), 0);
	while (stop == 0) {
		send_frame(a, 200, 1);
		while (pw_wire_peek(a, &f)) {
			assert_int_equal(f.len, 11);
			assert_memory_equal(f.data, "plug-thread", 11);
			pw_wire_next(a);
		}
	}
	pthread_join(thread, NULL);
	assert_false(pw_wire_carrier(a));
	pw_wire_close(a);
}

/* --- capture files -------------------------------------------------------------------------- */

static char dir[64];

static const char *
in_dir(const char *name)
{
	static char path[4][128];
	static unsigned int i;

	i = (i + 1) % COUNT(path);
	snprintf(path[i], sizeof(path[i]), "%s/%s", dir, name);
	return path[i];
}

static int
dir_make(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/test_wire-XXXXXX");
	return mkdtemp(dir) == NULL ? -1 : 0;
}

static int
dir_remove(void **state)
{
	static const char *const names[] = { "in", "out", "fifo" };
	unsigned int i;

	(void)state;
	for (i = 0; i < COUNT(names); i++)
		unlink(in_dir(names[i]));
	return rmdir(dir);
}

static struct pw_wire *
pcap_wire(const char *fmt, bool paced)
{
	const struct pw_wire_opts opts = { .clock = &clock_v, .paced = paced };
	char spec[256];

	snprintf(spec, sizeof(spec), fmt, in_dir("in"), in_dir("out"));
	return wire_open(spec, &opts);
}

/* A capture of `n` frames of 60, 61, ... bytes, written by libpcap. */
static void
capture_make(unsigned int n, uint32_t len)
{
	pcap_t *p = pcap_open_dead(DLT_EN10MB, 65535);
	pcap_dumper_t *d = pcap_dump_open(p, in_dir("in"));
	unsigned int i;

	assert_non_null(d);
	for (i = 0; i < n; i++) {
		struct pcap_pkthdr h = { .ts = { i, 0 }, .caplen = len + i, .len = len + i };

		fill(frame, len + i, i);
		pcap_dump((u_char *)d, &h, frame);
	}
	pcap_dump_close(d);
	pcap_close(p);
}

static void
test_every_frame_of_a_capture_comes_once(void **state)
{
	struct pw_wire *w;
	unsigned int i;

	(void)state;
	capture_make(100, 60);
	w = pcap_wire("pcap:in=%s", false);
	assert_true(pw_wire_carrier(w));
	for (i = 0; i < 50; i++)
		expect_frame(w, 60 + i, i);
	pw_wire_listen(w, false);
	expect_none(w);
	pw_wire_listen(w, true); /* a file waits */
	for (; i < 100; i++)
		expect_frame(w, 60 + i, i);
	expect_none(w);
	expect_none(w);
	assert_int_equal(pw_wire_send(w, frame, 60, 0), 0); /* into the void */
	assert_int_equal(pw_wire_missed(w), 0);
	pw_wire_close(w);
}

static void
test_paced_capture_plays_at_line_rate(void **state)
{
	uint64_t t0 = pw_clock_now(&clock_v);
	struct pw_wire *w;
	struct pw_frame f;
	unsigned int i, j;

	(void)state;
	capture_make(100, 60);
	w = pcap_wire("pcap:in=%s", true);
	expect_none(w);
	/* Frame i starts when all before it are off the line, whenever somebody looks. */
	for (i = 0; i < 100; i++) {
		uint64_t start = t0;

		for (j = 0; j < i; j++)
			start += 8 * (24 + 60 + j);
		while (!pw_wire_peek(w, &f))
			pw_clock_advance(&clock_v, 1 + 13 * (i % 7));
		assert_int_equal(f.t_ns, start + 8 * (12 + 60 + i));
		assert_true(f.t_ns <= pw_clock_now(&clock_v));
		pw_wire_next(w);
	}
	pw_wire_close(w);
}

static void
test_jumbo_frames_pass_through_captures(void **state)
{
	struct pw_wire *w;

	(void)state;
	capture_make(1, PW_WIRE_MAX_FRAME);
	w = pcap_wire("pcap:in=%s,out=%s", false);
	expect_frame(w, PW_WIRE_MAX_FRAME, 0);
	pw_wire_close(w);
	/* One byte more than a wire carries is left out and counted. */
	capture_make(2, PW_WIRE_MAX_FRAME);
	w = pcap_wire("pcap:in=%s", false);
	expect_frame(w, PW_WIRE_MAX_FRAME, 0);
	expect_none(w);
	assert_int_equal(pw_wire_missed(w), 1);
	pw_wire_close(w);
}

/* Global header of the format (draft-ietf-opsawg-pcap), little endian, microseconds. */
#define PCAP_HEADER(link) \
	"\xd4\xc3\xb2\xa1\x02\x00\x04\x00\0\0\0\0\0\0\0\0\xff\xff\x00\x00" link "\0\0\0"
#define PCAP_RECORD(cap, orig) "\0\0\0\0\0\0\0\0" cap orig

static void
file_write(const char *name, const void *data, size_t len)
{
	FILE *f = fopen(in_dir(name), "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

static void
test_hostile_captures_do_no_harm(void **state)
{
	static const struct {
		const char *what;
		const char *data;
		size_t len;
		int rc;
		unsigned int missed;
	} file[] = {
#define FILE_(what, bytes, rc, missed) { what, bytes, sizeof(bytes) - 1, rc, missed }
		FILE_("nothing", "", -EINVAL, 0),
		FILE_("text", "this is no capture file at all", -EINVAL, 0),
		FILE_("half a header", "\xd4\xc3\xb2\xa1\x02\x00", -EINVAL, 0),
		FILE_("raw IP", PCAP_HEADER("\x65"), -EINVAL, 0),
		FILE_("no frames", PCAP_HEADER("\x01"), 0, 0),
		FILE_("half a record header", PCAP_HEADER("\x01") "\0\0\0\0\0", 0, 1),
		FILE_("half a frame",
		      PCAP_HEADER("\x01") PCAP_RECORD("\x3c\0\0\0", "\x3c\0\0\0") "abc", 0, 1),
		FILE_("length 2^32-1",
		      PCAP_HEADER("\x01") PCAP_RECORD("\xff\xff\xff\xff", "\xff\xff\xff\xff") "abc",
		      0, 1),
		FILE_("length 2^31",
		      PCAP_HEADER("\x01") PCAP_RECORD("\0\0\0\x80", "\0\0\0\x80") "abc", 0, 1),
		FILE_("length 0",
		      PCAP_HEADER("\x01") PCAP_RECORD("\0\0\0\0", "\0\0\0\0"), 0, 1),
		FILE_("cut when captured",
		      PCAP_HEADER("\x01") PCAP_RECORD("\x03\0\0\0", "\x3c\0\0\0") "abc", 0, 1),
		FILE_("more captured than there was",
		      PCAP_HEADER("\x01") PCAP_RECORD("\x03\0\0\0", "\x02\0\0\0") "abc", 0, 1),
		FILE_("pcapng with a block of 2^32-1",
		      "\x0a\x0d\x0d\x0a\xff\xff\xff\xff\x4d\x3c\x2b\x1a\x01\0\0\0", -EINVAL, 0),
	};
	struct pw_wire *w;
	unsigned int i;

	(void)state;
	for (i = 0; i < COUNT(file); i++) {
		char spec[256];

		file_write("in", file[i].data, file[i].len);
		snprintf(spec, sizeof(spec), "pcap:in=%s", in_dir("in"));
		if (file[i].rc != 0) {
			refused(spec, NULL, file[i].rc, in_dir("in"));
			continue;
		}
		w = wire_open(spec, NULL);
		expect_none(w);
		expect_none(w);
		if (pw_wire_missed(w) != file[i].missed)
			fail_msg("%s: not %u missed", file[i].what, file[i].missed);
		pw_wire_close(w);
	}
}

static void
test_good_frames_before_the_damage_are_played(void **state)
{
	struct pw_wire *w;
	struct stat st;

	(void)state;
	capture_make(3, 60);
	assert_int_equal(stat(in_dir("in"), &st), 0);
	assert_int_equal(truncate(in_dir("in"), st.st_size - 1), 0);
	w = pcap_wire("pcap:in=%s", false);
	expect_frame(w, 60, 0);
	expect_frame(w, 61, 1);
	expect_none(w);
	assert_int_equal(pw_wire_missed(w), 1);
	pw_wire_close(w);
}

/* What libpcap reads in the file that a wire wrote: frames of 60, 61, ... bytes. */
static unsigned int
capture_read(void)
{
	char err[PCAP_ERRBUF_SIZE];
	pcap_t *p = pcap_open_offline(in_dir("out"), err);
	struct pcap_pkthdr *h;
	const u_char *data;
	unsigned int n = 0;
	int rc;

	assert_non_null(p);
	assert_int_equal(pcap_datalink(p), DLT_EN10MB);
	while ((rc = pcap_next_ex(p, &h, &data)) == 1) {
		assert_int_equal(h->caplen, 60 + n);
		assert_int_equal(h->len, 60 + n);
		fill(frame, h->len, n);
		assert_memory_equal(data, frame, h->len);
		n++;
	}
	assert_int_equal(rc, PCAP_ERROR_BREAK); /* the end, no error */
	pcap_close(p);
	return n;
}

static void
test_capture_can_be_read_while_it_is_written(void **state)
{
	struct pw_wire *w;
	unsigned int i;

	(void)state;
	w = pcap_wire("pcap:out=%2$s", false);
	assert_int_equal(capture_read(), 0);
	for (i = 0; i < 10; i++) {
		send_frame(w, 60 + i, i);
		assert_int_equal(capture_read(), i + 1);
	}
	/* A capture could not tell that its FCS was wrong. */
	assert_int_equal(pw_wire_send(w, frame, 60, PW_FRAME_BAD_CRC), 0);
	assert_int_equal(capture_read(), 10);
	expect_none(w);
	pw_wire_close(w);
}

static void
test_killed_process_leaves_a_readable_capture(void **state)
{
	unsigned int i;
	int status;
	pid_t pid;

	(void)state;
	pid = fork();
	if (pid == 0) {
		struct pw_wire *w = pcap_wire("pcap:out=%2$s", false);

		for (i = 0; i < 100; i++)
			send_frame(w, 60 + i, i);
		raise(SIGKILL);
		_exit(1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	assert_int_equal(capture_read(), 100);
}

static void
test_input_is_not_overwritten(void **state)
{
	char spec[256];

	(void)state;
	capture_make(5, 60);
	snprintf(spec, sizeof(spec), "pcap:in=%s,out=%s", in_dir("in"), in_dir("in"));
	refused(spec, NULL, -EINVAL, "same file");
	assert_int_equal(rename(in_dir("in"), in_dir("out")), 0);
	assert_int_equal(capture_read(), 5);
}

static void
test_fifo_does_not_block(void **state)
{
	char spec[256];

	(void)state;
	assert_int_equal(mkfifo(in_dir("fifo"), 0600), 0);
	snprintf(spec, sizeof(spec), "pcap:in=%s", in_dir("fifo"));
	refused(spec, NULL, -EINVAL, "ordinary file");
	snprintf(spec, sizeof(spec), "pcap:out=%s", in_dir("fifo"));
	refused(spec, NULL, -ENXIO, in_dir("fifo"));
}

static void
test_carrier_goes_when_the_disk_is_full(void **state)
{
	struct rlimit old, full = { .rlim_cur = 1000 };
	struct pw_wire *w = pcap_wire("pcap:out=%2$s", false);
	void (*was)(int) = signal(SIGXFSZ, SIG_IGN);

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	full.rlim_max = old.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0);
	send_frame(w, 500, 1);
	assert_true(pw_wire_carrier(w));
	send_frame(w, 500, 2);
	assert_false(pw_wire_carrier(w));
	send_frame(w, 500, 3);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	signal(SIGXFSZ, was);
	pw_wire_close(w);
}

#define in_files(t) cmocka_unit_test_setup_teardown(t, dir_make, dir_remove)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spec_that_makes_no_sense_is_refused),
		cmocka_unit_test(test_buffer_above_the_limit_is_refused),
		cmocka_unit_test(test_another_clock_on_the_same_wire_is_refused),
		cmocka_unit_test(test_frame_reaches_every_other_end),
		cmocka_unit_test(test_wires_of_other_names_are_apart),
		cmocka_unit_test(test_carrier_is_whether_another_end_is_plugged_in),
		cmocka_unit_test(test_every_length_arrives_whole),
		cmocka_unit_test(test_flags_arrive_and_no_others),
		cmocka_unit_test(test_peek_shows_the_same_frame_until_next),
		cmocka_unit_test(test_frame_that_finds_no_room_is_counted_at_the_receiver),
		cmocka_unit_test(test_frames_to_a_deaf_end_vanish_uncounted),
		cmocka_unit_test(test_new_end_sees_nothing_meant_for_the_one_before),
		cmocka_unit_test(test_time_on_the_line_is_that_of_802_3),
		cmocka_unit_test(test_frame_is_seen_from_its_arrival_on),
		cmocka_unit_test(test_paced_rate_is_the_arithmetic_one),
		cmocka_unit_test(test_late_poller_catches_up_within_bounds),
		cmocka_unit_test(test_late_poller_of_a_slow_line_catches_up_as_many_frames),
		cmocka_unit_test(test_idle_line_gives_no_credit),
		cmocka_unit_test(test_senders_frames_come_in_order_of_arrival),
		cmocka_unit_test(test_speed_counts_from_the_next_frame_on),
		cmocka_unit_test(test_threads_lose_no_frame_uncounted),
		cmocka_unit_test(test_ends_come_and_go_under_traffic),
		in_files(test_every_frame_of_a_capture_comes_once),
		in_files(test_paced_capture_plays_at_line_rate),
		in_files(test_jumbo_frames_pass_through_captures),
		in_files(test_hostile_captures_do_no_harm),
		in_files(test_good_frames_before_the_damage_are_played),
		in_files(test_capture_can_be_read_while_it_is_written),
		in_files(test_killed_process_leaves_a_readable_capture),
		in_files(test_input_is_not_overwritten),
		in_files(test_fifo_does_not_block),
		in_files(test_carrier_goes_when_the_disk_is_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
