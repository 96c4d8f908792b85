/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The wire between processes. Children are forked before anything of theirs is open; they and
 * the test wait for each other on pipes and on frames, never on time.
 */

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <pw_wire.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define LOOK_NS 10000000u /* how stale the carrier may be */

static struct pw_clock clock_v = { .virtual_ns = 1000000000u, .is_virtual = 1 };
static char spec[64];
static char file[80];
static uint8_t buf[PW_WIRE_MAX_FRAME];

/* Every test has a name of its own, and leaves nothing in /dev/shm. */
static int
name_make(void **state)
{
	static unsigned int n;

	(void)state;
	snprintf(spec, sizeof(spec), "shm:test-%d-%u", getpid(), n++);
	snprintf(file, sizeof(file), "/dev/shm/pollwire-%s", spec + 4);
	return 0;
}

static int
name_check(void **state)
{
	(void)state;
	if (access(file, F_OK) != 0)
		return 0;
	print_error("%s is left behind\n", file);
	unlink(file);
	return -1;
}

static struct pw_wire *
wire_open(uint32_t buffer)
{
	const struct pw_wire_opts opts = { .clock = &clock_v, .buffer = buffer };
	struct pw_wire *w = NULL;
	char err[256] = "";

	if (pw_wire_open(spec, &opts, &w, err, sizeof(err)) != 0)
		fail_msg("%s", err);
	return w;
}

static void
refused(int rc, const char *part)
{
	const struct pw_wire_opts opts = { .clock = &clock_v };
	struct pw_wire *w = NULL;
	char err[256] = "";

	assert_int_equal(pw_wire_open(spec, &opts, &w, err, sizeof(err)), rc);
	if (strstr(err, part) == NULL)
		fail_msg("\"%s\" lacks \"%s\"", err, part);
}

/* --- frames: a number, and bytes that follow from it -------------------------------- */

static uint32_t
len_of(uint32_t n)
{
	return 60 + n * 37 % 1455;
}

static void
send_numbered(struct pw_wire *w, uint32_t n)
{
	uint32_t i, len = len_of(n);

	for (i = 0; i < len; i++)
		buf[i] = (uint8_t)(n * 131 + i);
	memcpy(buf, &n, sizeof(n));
	assert_int_equal(pw_wire_send(w, buf, len, 0), 0);
}

/* @return whether a frame is what send_numbered() made; its number in `n`. */
static bool
is_numbered(const struct pw_frame *f, uint32_t *n)
{
	uint32_t i;

	memcpy(n, f->data, sizeof(*n));
	if (f->len != len_of(*n) || f->flags != 0)
		return false;
	for (i = sizeof(*n); i < f->len; i++)
		if (f->data[i] != (uint8_t)(*n * 131 + i))
			return false;
	return true;
}

/* Wait for the next frame; fails when the peer's process is gone. */
static void
expect_numbered(struct pw_wire *w, uint32_t want)
{
	struct pw_frame f;
	uint32_t n;

	while (!pw_wire_peek(w, &f)) {
		pw_clock_advance(&clock_v, 1000);
		assert_true(pw_wire_carrier(w));
		sched_yield();
	}
	assert_true(is_numbered(&f, &n));
	assert_int_equal(n, want);
	pw_wire_next(w);
}

/* --- children ------------------------------------------------------------------------- */

struct child {
	pid_t pid;
	int said;	/* the child says one byte here when it is plugged in */
};

/* Run `body` in a process of its own; returns once it has plugged in. */
static struct child
child_start(void (*body)(struct pw_wire *w))
{
	struct child c;
	int p[2];
	char ok;

	assert_int_equal(pipe(p), 0);
	c.pid = fork();
	if (c.pid == 0) {
		struct pw_wire *w;

		/* Not to outlive the test, nor to go on with it after a failed assertion. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setenv("CMOCKA_TEST_ABORT", "1", 1);
		w = wire_open(0);
		if (write(p[1], "k", 1) != 1)
			_exit(2);
		body(w);
		pw_wire_close(w);
		_exit(0);
	}
	assert_true(c.pid > 0);
	close(p[1]);
	c.said = p[0];
	assert_int_equal(read(c.said, &ok, 1), 1);
	return c;
}

static void
child_kill(struct child *c)
{
	int status;

	assert_int_equal(kill(c->pid, SIGKILL), 0);
	assert_int_equal(waitpid(c->pid, &status, 0), c->pid);
	assert_true(WIFSIGNALED(status));
	close(c->said);
}

static void
child_ended_well(struct child *c)
{
	int status;

	assert_int_equal(waitpid(c->pid, &status, 0), c->pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	close(c->said);
}

/* Send every frame back until an empty-handed one of 1 byte comes. */
static void
body_echo(struct pw_wire *w)
{
	struct pw_frame f;

	for (;;) {
		while (!pw_wire_peek(w, &f))
			sched_yield();
		if (f.len == 1)
			return;
		memcpy(buf, f.data, f.len);
		pw_wire_send(w, buf, f.len, f.flags);
		pw_wire_next(w);
	}
}

static void
echo_end(struct pw_wire *w)
{
	assert_int_equal(pw_wire_send(w, "", 1, 0), 0);
}

static void
body_flood(struct pw_wire *w)
{
	uint32_t n;

	for (n = 0;; n++)
		send_numbered(w, n);
}

static void
body_idle(struct pw_wire *w)
{
	(void)w;
	for (;;)
		pause();
}

/* --- data ------------------------------------------------------------------------------ */

static void
test_frames_cross_whole_and_in_order(void **state)
{
	struct child c = child_start(body_echo);
	struct pw_wire *w = wire_open(0);
	uint32_t n, window = 64;

	(void)state;
	assert_true(pw_wire_carrier(w));
	/* 64 frames under way need less than the ring's 1 MiB: nothing may be lost. */
	for (n = 0; n < 50000 + window; n++) {
		if (n < 50000)
			send_numbered(w, n);
		if (n >= window)
			expect_numbered(w, n - window);
	}
	assert_int_equal(pw_wire_missed(w), 0);
	echo_end(w);
	child_ended_well(&c);
	assert_false(pw_wire_carrier(w)); /* a clean end is seen at once */
	pw_wire_close(w);
}

static void
body_count(struct pw_wire *w)
{
	uint32_t next = 0, n;
	uint64_t got = 0;
	struct pw_frame f;

	for (;;) {
		while (!pw_wire_peek(w, &f))
			sched_yield();
		if (f.len == 1)
			break;
		if (!is_numbered(&f, &n) || n < next)
			_exit(1);
		next = n + 1;
		got++;
		pw_wire_next(w);
	}
	/* All 100000 and the closing one were got or counted. */
	if (got + pw_wire_missed(w) < 100000)
		_exit(3);
}

static void
test_overrun_between_processes_is_counted(void **state)
{
	struct pw_wire *w = wire_open(4096);
	struct child c = child_start(body_count);
	uint32_t n;

	(void)state;
	for (n = 0; n < 100000; n++)
		send_numbered(w, n);
	/* Until the receiver has made room for it. */
	while (pw_wire_carrier(w)) {
		pw_wire_send(w, "", 1, 0);
		sched_yield();
	}
	child_ended_well(&c);
	pw_wire_close(w);
}

static void
test_both_ends_in_one_process(void **state)
{
	struct pw_wire *a = wire_open(32768), *b;
	struct pw_frame f;
	uint32_t len;

	(void)state;
	assert_false(pw_wire_carrier(a));
	b = wire_open(0);
	assert_true(pw_wire_carrier(a));
	assert_true(pw_wire_carrier(b));
	for (len = 1; len <= PW_WIRE_MAX_FRAME; len += 13) {
		memset(buf, (int)len, len);
		assert_int_equal(pw_wire_send(a, buf, len, len & 1), 0);
		assert_true(pw_wire_peek(b, &f));
		assert_int_equal(f.len, len);
		assert_int_equal(f.flags, len & 1);
		assert_memory_equal(f.data, buf, len);
		pw_wire_next(b);
		assert_false(pw_wire_peek(b, &f));
		assert_false(pw_wire_peek(a, &f));
	}
	pw_wire_close(a);
	assert_false(pw_wire_carrier(b));
	pw_wire_close(b);
}

static void
test_paced_across_processes_too(void **state)
{
	const struct pw_wire_opts opts = { .clock = &clock_v, .paced = true };
	struct pw_wire *a, *b;
	struct pw_frame f;

	(void)state;
	assert_int_equal(pw_wire_open(spec, &opts, &a, NULL, 0), 0);
	b = wire_open(0);
	send_numbered(a, 0);
	assert_int_equal(pw_wire_send(a, buf, 60, 0), -EAGAIN);
	pw_clock_advance(&clock_v, 575); /* 8 * (8 + 60 + 4) = 576 */
	assert_false(pw_wire_peek(b, &f));
	pw_clock_advance(&clock_v, 1);
	assert_true(pw_wire_peek(b, &f));
	assert_int_equal(f.t_ns, pw_clock_now(&clock_v));
	pw_wire_close(a);
	pw_wire_close(b);
}

static void
test_deaf_end_across_processes(void **state)
{
	struct pw_wire *a = wire_open(0), *b = wire_open(0);
	struct pw_frame f;

	(void)state;
	send_numbered(a, 0);
	pw_wire_listen(b, false);
	assert_false(pw_wire_peek(b, &f));
	send_numbered(a, 1);
	pw_wire_listen(b, true);
	assert_false(pw_wire_peek(b, &f));
	send_numbered(a, 2);
	expect_numbered(b, 2);
	assert_int_equal(pw_wire_missed(b), 0);
	pw_wire_close(a);
	pw_wire_close(b);
}

/* --- death ------------------------------------------------------------------------------ */

/* The killed process is the one that made the file, or the one that came second. */
static void
survive_a_kill(bool first)
{
	struct child c;
	struct pw_wire *w = NULL;
	uint32_t n;

	if (!first)
		w = wire_open(0);
	c = child_start(body_echo);
	if (first)
		w = wire_open(0);
	for (n = 0; n < 100; n++) {
		send_numbered(w, n);
		expect_numbered(w, n);
	}
	assert_true(pw_wire_carrier(w));
	child_kill(&c);
	pw_clock_advance(&clock_v, LOOK_NS);
	assert_false(pw_wire_carrier(w));
	/* Goes on, into the void. */
	for (n = 0; n < 10000; n++)
		send_numbered(w, n);
	assert_false(pw_wire_carrier(w));

	/* A new process sees nothing of all that. */
	c = child_start(body_echo);
	assert_true(pw_wire_carrier(w)); /* and is seen at once */
	for (n = 7000; n < 7100; n++) {
		send_numbered(w, n);
		expect_numbered(w, n);
	}
	assert_int_equal(pw_wire_missed(w), 0);
	echo_end(w);
	child_ended_well(&c);
	pw_wire_close(w);
}

static void
test_killed_first_end_can_be_taken_over(void **state)
{
	(void)state;
	survive_a_kill(true);
}

static void
test_killed_second_end_can_be_taken_over(void **state)
{
	(void)state;
	survive_a_kill(false);
}

static void
test_kill_in_the_middle_of_a_frame_leaves_no_half_one(void **state)
{
	struct pw_wire *w = wire_open(65536);
	unsigned int round;

	(void)state;
	for (round = 0; round < 30; round++) {
		struct child c = child_start(body_flood);
		uint32_t next = 0, n, got = 0;
		struct pw_frame f;

		while (got < 50 + 37 * round) {
			if (!pw_wire_peek(w, &f)) {
				sched_yield();
				continue;
			}
			assert_true(is_numbered(&f, &n));
			assert_true(n >= next);
			next = n + 1;
			got++;
			pw_wire_next(w);
		}
		child_kill(&c);
		/* What it had finished still arrives, and nothing else. */
		while (pw_wire_peek(w, &f)) {
			assert_true(is_numbered(&f, &n));
			assert_true(n >= next);
			next = n + 1;
			pw_wire_next(w);
		}
	}
	pw_wire_close(w);
}

static void
test_file_of_a_dead_pair_is_used_again(void **state)
{
	struct child a = child_start(body_flood), b = child_start(body_idle);
	struct pw_wire *w, *v;
	struct pw_frame f;
	struct stat st;

	(void)state;
	child_kill(&a);
	child_kill(&b);
	assert_int_equal(access(file, F_OK), 0);
	w = wire_open(2048); /* not the size that it was */
	assert_false(pw_wire_carrier(w));
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_size, 4096 + 2 * 2048);
	v = wire_open(0);
	assert_false(pw_wire_peek(w, &f));
	assert_false(pw_wire_peek(v, &f));
	send_numbered(w, 1);
	expect_numbered(v, 1);
	pw_wire_close(w);
	assert_int_equal(access(file, F_OK), 0);
	pw_wire_close(v);
	assert_int_equal(access(file, F_OK), -1);
}

static void
test_last_one_out_after_a_kill_removes_the_file(void **state)
{
	struct pw_wire *w = wire_open(0);
	struct child c = child_start(body_idle);

	(void)state;
	child_kill(&c);
	pw_wire_close(w);
	assert_int_equal(access(file, F_OK), -1);
}

/* --- refusals ----------------------------------------------------------------------------- */

static void
body_refused(struct pw_wire *w)
{
	(void)w;
	refused(-EBUSY, "both ends are taken");
}

static void
test_third_end_is_refused(void **state)
{
	struct pw_wire *a = wire_open(0);
	struct child c = child_start(body_refused); /* the second tries a third */
	struct pw_wire *b;

	(void)state;
	child_ended_well(&c);
	b = wire_open(0);
	refused(-EBUSY, spec);
	send_numbered(a, 1); /* the two are none the worse for it */
	expect_numbered(b, 1);
	pw_wire_close(a);
	pw_wire_close(b);
}

static void
file_patch(off_t off, const void *data, size_t len)
{
	int fd = open(file, O_WRONLY);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, data, len, off), len);
	close(fd);
}

/* The file's header: magic (8), version (4), layout (4), ring size (4). */
static const struct damage {
	off_t off;
	const char *data;
	size_t len;
	off_t size; /* cut or grown to, or 0 */
} damages[] = {
	{ 0, "POLLWIRE", 8, 0 },
	{ 8, "\xff\0\0\0", 4, 0 },
	{ 12, "\0\0\0\0", 4, 0 },
	{ 16, "\0\0\0\0", 4, 0 },
	{ 16, "\1\0\0\0", 4, 0 },
	{ 16, "\0\1\0\0", 4, 0 },
	{ 16, "\1\0\x10\0", 4, 0 },
	{ 16, "\0\0\x20\0", 4, 0 },
	{ 16, "\0\0\0\x80", 4, 0 },
	{ 16, "\xff\xff\xff\xff", 4, 0 },
	{ 0, "", 0, 1 },
	{ 0, "", 0, 4095 },
	{ 0, "", 0, 4096 },
	{ 0, "", 0, 4096 + (1 << 20) },
	{ 0, "", 0, 1 << 30 },
};

static void
test_corrupt_file_is_refused_and_left_alone(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < COUNT(damages); i++) {
		const struct damage *d = &damages[i];
		struct child c = child_start(body_idle);
		struct stat st;

		/* While one end is in use, and when it is not. */
		file_patch(d->off, d->data, d->len);
		if (d->size != 0)
			assert_int_equal(truncate(file, d->size), 0);
		refused(-EINVAL, file);
		child_kill(&c);
		refused(-EINVAL, "remove it");
		assert_int_equal(stat(file, &st), 0);
		if (d->size != 0)
			assert_int_equal(st.st_size, d->size);
		assert_int_equal(unlink(file), 0);
	}
}

static void
test_unfinished_file_is_made_anew(void **state)
{
	static const off_t size[] = { 0, 4096, 4096 + 2 * (1 << 20) };
	unsigned int i;

	(void)state;
	for (i = 0; i < COUNT(size); i++) {
		int fd = open(file, O_RDWR | O_CREAT | O_EXCL, 0600);
		struct pw_wire *a, *b;

		assert_true(fd >= 0);
		assert_int_equal(ftruncate(fd, size[i]), 0);
		close(fd);
		a = wire_open(0);
		b = wire_open(0);
		send_numbered(a, i);
		expect_numbered(b, i);
		pw_wire_close(a);
		pw_wire_close(b);
	}
}

static void
test_symbolic_link_is_not_followed(void **state)
{
	char target[96];

	(void)state;
	snprintf(target, sizeof(target), "%s-target", file);
	assert_int_equal(symlink(target, file), 0);
	refused(-ELOOP, file);
	assert_int_equal(access(target, F_OK), -1);
	assert_int_equal(unlink(file), 0);
}

static void
test_other_users_file_is_refused(void **state)
{
	int fd, rc = -EPERM;
	FILE *f;

	(void)state;
	if (geteuid() != 0) {
		print_message("not root: cannot make a file of another user\n");
		skip();
	}
	fd = open(file, O_RDWR | O_CREAT | O_EXCL, 0666);
	assert_true(fd >= 0);
	assert_int_equal(fchown(fd, 65534, 65534), 0);
	close(fd);
	/* The kernel may do it for us (sysctl fs.protected_regular). */
	f = fopen("/proc/sys/fs/protected_regular", "r");
	if (f != NULL) {
		rc = fgetc(f) > '0' ? -EACCES : -EPERM;
		fclose(f);
	}
	refused(rc, file);
	assert_int_equal(unlink(file), 0);
}

/* --- a peer that scribbles ------------------------------------------------------------------ */

static uint32_t rng = 2463534242u;

/* xorshift (Marsaglia 2003): the same sequence every time. */
static uint32_t
random32(void)
{
	rng ^= rng << 13;
	rng ^= rng >> 17;
	rng ^= rng << 5;
	return rng;
}

static uint32_t
nasty32(void)
{
	static const uint32_t v[] = { 0, 1, 15, 16, 17, 60, 1024, 4096, 16384, 16385, 32768,
				      INT32_MAX, 0x80000000u, 0xfffffff0u, UINT32_MAX };
	uint32_t r = random32();

	return (r & 1) != 0 ? random32() : v[(r >> 1) % COUNT(v)];
}

/* Use an end in every way while its memory is being written at random. */
static void
use_scribbled(struct pw_wire *w)
{
	struct pw_frame f;
	uint32_t i, sum = 0;
	unsigned int k;

	pw_wire_send(w, buf, 1 + random32() % PW_WIRE_MAX_FRAME, 0);
	for (k = 0; k < 4 && pw_wire_peek(w, &f); k++) {
		assert_in_range(f.len, 1, PW_WIRE_MAX_FRAME);
		assert_int_equal(f.flags & ~(PW_FRAME_BAD_CRC | PW_FRAME_RX_ERR |
					     PW_FRAME_EXTENDED), 0);
		for (i = 0; i < f.len; i++)
			sum += f.data[i];
		pw_wire_next(w);
	}
	assert_true(sum <= 4 * 255u * PW_WIRE_MAX_FRAME);
	pw_wire_carrier(w);
	pw_wire_missed(w);
}

static void
test_scribbling_peer_cannot_lead_us_outside(void **state)
{
	struct pw_wire *w = wire_open(32768), *v;
	size_t words = (4096 + 2 * 32768) / 4;
	int fd = open(file, O_RDWR);
	volatile uint32_t *mem;
	struct pw_frame f;
	unsigned int i;

	(void)state;
	assert_true(fd >= 0);
	mem = mmap(NULL, words * 4, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(mem, MAP_FAILED);
	for (i = 0; i < 200000; i++) {
		/* Mostly where counters and the first records are. */
		mem[random32() % ((i & 7) != 0 ? 256 : words)] = nasty32();
		if ((i & 3) == 0)
			mem[1024 + random32() % (words - 1024)] = nasty32();
		use_scribbled(w);
	}
	/* A peer that keeps to the rules gets through again. Its header is gone: put it right. */
	memset((void *)(uintptr_t)mem, 0, words * 4);
	munmap((void *)(uintptr_t)mem, words * 4);
	close(fd);
	while (pw_wire_peek(w, &f))
		pw_wire_next(w);
	pw_wire_close(w);
	v = wire_open(0);
	pw_wire_close(v);
}

/*
 * Where things are in the file: after a header line and one line an end, the rings' counters,
 * two lines of 64 bytes a ring (producer, consumer), first those into end 0; the rings at 4096.
 */
#define PROD(ring) (192 + 128 * (off_t)(ring))
#define CONS(ring) (PROD(ring) + 64)

static void
patch32(off_t off, uint32_t v)
{
	file_patch(off, &v, sizeof(v));
}

static void
test_producer_that_claims_too_much_is_not_believed(void **state)
{
	/* Beyond the ring's 1024 bytes; behind the consumer; no multiple of 16. */
	static const uint32_t claim[] = { 1024 + 64, 0x80000000, 0u - 64, 64 + 8 };
	struct pw_wire *a = wire_open(1024), *b = wire_open(0);
	struct pw_frame f;
	uint32_t cons = 0;
	unsigned int i;

	(void)state;
	/* Records of 16 + 48: after a lap each place holds one that looks good. */
	for (i = 0; i < 20 + COUNT(claim); i++) {
		assert_int_equal(pw_wire_send(a, buf, 48, 0), 0);
		assert_true(pw_wire_peek(b, &f));
		pw_wire_next(b);
		cons += 64;
		if (i < 20)
			continue;
		patch32(PROD(1), cons + claim[i - 20]);
		assert_false(pw_wire_peek(b, &f));
		assert_int_equal(pw_wire_missed(b), 1);
		/* Back to the truth; having been lied to, it may see an old frame again. */
		patch32(PROD(1), cons);
		while (pw_wire_peek(b, &f))
			pw_wire_next(b);
		pw_wire_missed(b);
	}
	pw_wire_close(a);
	pw_wire_close(b);
}

static void
test_frame_longer_than_what_was_written_is_dropped(void **state)
{
	static const uint32_t len[] = { 0, 65, PW_WIRE_MAX_FRAME, PW_WIRE_MAX_FRAME + 1,
					UINT32_MAX, UINT32_MAX - 15 };
	struct pw_wire *a = wire_open(32768), *b = wire_open(0);
	struct pw_frame f;
	unsigned int i;

	(void)state;
	for (i = 0; i < COUNT(len); i++) {
		assert_int_equal(pw_wire_send(a, buf, 60, 0), 0);
		patch32(4096 + 32768 + 80 * i, len[i]);
		assert_false(pw_wire_peek(b, &f));
		assert_int_equal(pw_wire_missed(b), 1);
	}
	send_numbered(a, 1);
	expect_numbered(b, 1);
	pw_wire_close(a);
	pw_wire_close(b);
}

static void
test_consumer_that_claims_too_much_makes_the_ring_full(void **state)
{
	static const uint32_t claim[] = { 1024, 0x80000000, 12 * 80 + 16 };
	struct pw_wire *a = wire_open(1024), *b = wire_open(0);
	unsigned int i;

	(void)state;
	for (i = 0; i < 12; i++) /* 12 * 80 of 1024 bytes */
		assert_int_equal(pw_wire_send(a, buf, 60, 0), 0);
	assert_int_equal(pw_wire_missed(b), 0);
	for (i = 0; i < COUNT(claim); i++) {
		patch32(CONS(1), claim[i]);
		assert_int_equal(pw_wire_send(a, buf, 60, 0), 0);
		assert_int_equal(pw_wire_missed(b), 1);
	}
	pw_wire_close(a);
	pw_wire_close(b);
}

/* Counters only, so that the file stays a wire and a new peer can plug in. */
static void
test_new_peer_gets_through_after_a_scribbler(void **state)
{
	static const off_t counters[] = { PROD(0), CONS(0), PROD(1), CONS(1) };
	struct pw_wire *w = wire_open(32768);
	unsigned int i, round;
	struct pw_frame f;

	(void)state;
	for (round = 0; round < 500; round++) {
		struct pw_wire *v;

		for (i = 0; i < COUNT(counters); i++)
			patch32(counters[i], nasty32());
		use_scribbled(w);
		v = wire_open(0);
		/* At most one frame each way is lost while the counters are put right. */
		pw_wire_send(w, buf, 60, 0);
		pw_wire_send(v, buf, 60, 0);
		while (pw_wire_peek(v, &f))
			pw_wire_next(v);
		while (pw_wire_peek(w, &f))
			pw_wire_next(w);
		for (i = 0; i < 20; i++) {
			send_numbered(w, i);
			expect_numbered(v, i);
			send_numbered(v, i);
			expect_numbered(w, i);
		}
		pw_wire_close(v);
	}
	pw_wire_close(w);
}

#define named(t) cmocka_unit_test_setup_teardown(t, name_make, name_check)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		named(test_frames_cross_whole_and_in_order),
		named(test_overrun_between_processes_is_counted),
		named(test_both_ends_in_one_process),
		named(test_paced_across_processes_too),
		named(test_deaf_end_across_processes),
		named(test_killed_first_end_can_be_taken_over),
		named(test_killed_second_end_can_be_taken_over),
		named(test_kill_in_the_middle_of_a_frame_leaves_no_half_one),
		named(test_file_of_a_dead_pair_is_used_again),
		named(test_last_one_out_after_a_kill_removes_the_file),
		named(test_third_end_is_refused),
		named(test_corrupt_file_is_refused_and_left_alone),
		named(test_unfinished_file_is_made_anew),
		named(test_symbolic_link_is_not_followed),
		named(test_other_users_file_is_refused),
		named(test_scribbling_peer_cannot_lead_us_outside),
		named(test_producer_that_claims_too_much_is_not_believed),
		named(test_frame_longer_than_what_was_written_is_dropped),
		named(test_consumer_that_claims_too_much_makes_the_ring_full),
		named(test_new_peer_gets_through_after_a_scribbler),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
