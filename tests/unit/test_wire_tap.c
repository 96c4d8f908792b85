/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The wire into the kernel, in a network namespace of the test's own, which an ordinary user
 * may make too where user namespaces are allowed. The kernel's packet socket is the witness.
 */

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/if_ether.h>
#include <netpacket/packet.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <pw_wire.h>

#define SKIP 77
#define ETHERTYPE_LOCAL 0x88b5 /* IEEE 802 local experimental */
#define PEEKS 10000000	       /* the kernel delivers at once; this only ends a failed test */

static struct pw_wire *
tap_open(const char *spec)
{
	struct pw_wire *w = NULL;
	char err[256] = "";

	if (pw_wire_open(spec, NULL, &w, err, sizeof(err)) != 0)
		fail_msg("%s", err);
	return w;
}

static int
packet_socket(const char *ifname)
{
	struct sockaddr_ll ll = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETHERTYPE_LOCAL),
		.sll_ifindex = (int)if_nametoindex(ifname),
	};
	int s = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK, htons(ETHERTYPE_LOCAL));

	assert_true(s >= 0);
	assert_true(ll.sll_ifindex > 0);
	assert_int_equal(bind(s, (struct sockaddr *)&ll, sizeof(ll)), 0);
	return s;
}

static void
frame_make(uint8_t *p, uint32_t len, uint8_t seed)
{
	uint32_t i;

	for (i = 0; i < len; i++)
		p[i] = (uint8_t)(seed + i);
	memset(p, 0xff, 6);
	memcpy(p + 6, "\2\0\0\0\0\1", 6);
	p[12] = ETHERTYPE_LOCAL >> 8;
	p[13] = ETHERTYPE_LOCAL & 0xff;
}

/* The kernel's own chatter (neighbour discovery) is on the interface too. */
static bool
next_of_ours(struct pw_wire *w, struct pw_frame *f)
{
	unsigned int i;

	for (i = 0; i < PEEKS; i++) {
		if (!pw_wire_peek(w, f))
			continue;
		if (f->len >= 14 && f->data[12] == ETHERTYPE_LOCAL >> 8 &&
		    f->data[13] == (ETHERTYPE_LOCAL & 0xff))
			return true;
		pw_wire_next(w);
	}
	return false;
}

static void
test_tap_carries_frames_both_ways(void **state)
{
	static const uint32_t len[] = { 60, 61, 1514 };
	struct pw_wire *w = tap_open("tap:pwtest0");
	int s = packet_socket("pwtest0");
	uint8_t out[1514], in[2048];
	struct pw_frame f;
	unsigned int i;

	(void)state;
	assert_true(pw_wire_carrier(w));
	for (i = 0; i < sizeof(len) / sizeof(len[0]); i++) {
		frame_make(out, len[i], (uint8_t)i);
		assert_int_equal(pw_wire_send(w, out, len[i], 0), 0);
		assert_int_equal(recv(s, in, sizeof(in), 0), len[i]);
		assert_memory_equal(in, out, len[i]);

		frame_make(out, len[i], (uint8_t)(100 + i));
		assert_int_equal(send(s, out, len[i], 0), len[i]);
		assert_true(next_of_ours(w, &f));
		assert_int_equal(f.len, len[i]);
		assert_int_equal(f.flags, 0);
		assert_memory_equal(f.data, out, len[i]);
		pw_wire_next(w);
	}
	close(s);
	pw_wire_close(w);
	assert_int_equal(if_nametoindex("pwtest0"), 0); /* made by us: gone with us */
}

/* The kernel leaves padding to the card; without it a receiver saw runts. */
static void
test_short_frame_of_the_kernel_comes_padded(void **state)
{
	static const uint8_t zero[60 - 42];
	struct pw_wire *w = tap_open("tap:pwtest0");
	int s = packet_socket("pwtest0");
	uint8_t out[42]; /* 14 + 28: an ARP request */
	struct pw_frame f;

	(void)state;
	frame_make(out, sizeof(out), 1);
	assert_int_equal(send(s, out, sizeof(out), 0), sizeof(out));
	assert_true(next_of_ours(w, &f));
	assert_int_equal(f.len, 60);
	assert_memory_equal(f.data, out, sizeof(out));
	assert_memory_equal(f.data + sizeof(out), zero, sizeof(zero));
	close(s);
	pw_wire_close(w);
}

static void
test_tap_takes_no_damaged_frame(void **state)
{
	struct pw_wire *w = tap_open("tap:pwtest0");
	int s = packet_socket("pwtest0");
	uint8_t out[60], in[2048];

	(void)state;
	frame_make(out, sizeof(out), 1);
	assert_int_equal(pw_wire_send(w, out, sizeof(out), PW_FRAME_BAD_CRC), 0);
	assert_int_equal(pw_wire_send(w, out, 1, 0), 0); /* a runt: the kernel refuses it */
	assert_int_equal(recv(s, in, sizeof(in), 0), -1);
	assert_int_equal(errno, EAGAIN);
	assert_int_equal(pw_wire_send(w, out, sizeof(out), 0), 0);
	assert_int_equal(recv(s, in, sizeof(in), 0), sizeof(out));
	close(s);
	pw_wire_close(w);
}

static void
test_tap_drops_what_came_while_deaf(void **state)
{
	struct pw_wire *w = tap_open("tap:pwtest0");
	int s = packet_socket("pwtest0");
	uint8_t out[60];
	struct pw_frame f;

	(void)state;
	pw_wire_listen(w, false);
	frame_make(out, sizeof(out), 1);
	assert_int_equal(send(s, out, sizeof(out), 0), sizeof(out));
	assert_false(pw_wire_peek(w, &f));
	pw_wire_listen(w, true);
	frame_make(out, sizeof(out), 2);
	assert_int_equal(send(s, out, sizeof(out), 0), sizeof(out));
	assert_true(next_of_ours(w, &f));
	assert_memory_equal(f.data, out, sizeof(out));
	close(s);
	pw_wire_close(w);
}

static void
test_tap_in_use_or_no_tap_says_so(void **state)
{
	struct pw_wire *w = tap_open("tap:pwtest0"), *v;
	char err[256] = "";

	(void)state;
	assert_int_equal(pw_wire_open("tap:pwtest0", NULL, &v, err, sizeof(err)), -EBUSY);
	assert_non_null(strstr(err, "pwtest0: in use"));
	assert_int_equal(pw_wire_open("tap:lo", NULL, &v, err, sizeof(err)), -EINVAL);
	assert_non_null(strstr(err, "lo"));
	pw_wire_close(w);
}

/* Frames sent while the interface is down vanish; the wire goes on when it is up again. */
static void
test_tap_set_down_does_not_stop_the_sender(void **state)
{
	struct pw_wire *w = tap_open("tap:pwtest0");
	int s = packet_socket("pwtest0");
	struct ifreq ifr = { .ifr_name = "pwtest0" };
	uint8_t out[60], in[2048];

	(void)state;
	frame_make(out, sizeof(out), 1);
	assert_int_equal(ioctl(s, SIOCGIFFLAGS, &ifr), 0);
	assert_true((ifr.ifr_flags & IFF_UP) != 0);
	ifr.ifr_flags &= ~IFF_UP;
	assert_int_equal(ioctl(s, SIOCSIFFLAGS, &ifr), 0);
	assert_int_equal(pw_wire_send(w, out, sizeof(out), 0), 0);
	ifr.ifr_flags |= IFF_UP;
	assert_int_equal(ioctl(s, SIOCSIFFLAGS, &ifr), 0);
	while (recv(s, in, sizeof(in), 0) >= 0 || errno == ENETDOWN)
		;
	assert_int_equal(pw_wire_send(w, out, sizeof(out), 0), 0);
	assert_int_equal(recv(s, in, sizeof(in), 0), sizeof(out));
	close(s);
	pw_wire_close(w);
}

/* In a namespace without rights over it: nothing but the message. */
static void
test_tap_without_permission_says_what_to_do(void **state)
{
	int status;
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		struct pw_wire *w;
		char err[256] = "";
		int rc;

		if (setgid(65534) != 0 || setuid(65534) != 0)
			_exit(SKIP);
		rc = pw_wire_open("tap:pwtest1", NULL, &w, err, sizeof(err));
		if (rc == -EACCES) /* the device itself is closed to others */
			_exit(strstr(err, "/dev/net/tun") != NULL ? 0 : 1);
		_exit(rc == -EPERM && strstr(err, "ip tuntap add dev pwtest1") != NULL ? 0 : 2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == SKIP) {
		print_message("not root: cannot become a user with fewer rights\n");
		skip();
	}
	assert_int_equal(WEXITSTATUS(status), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tap_carries_frames_both_ways),
		cmocka_unit_test(test_short_frame_of_the_kernel_comes_padded),
		cmocka_unit_test(test_tap_takes_no_damaged_frame),
		cmocka_unit_test(test_tap_drops_what_came_while_deaf),
		cmocka_unit_test(test_tap_in_use_or_no_tap_says_so),
		cmocka_unit_test(test_tap_set_down_does_not_stop_the_sender),
		cmocka_unit_test(test_tap_without_permission_says_what_to_do),
	};
	int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC);

	if (fd < 0) {
		printf("SKIP: /dev/net/tun: %s\n", strerror(errno));
		return SKIP;
	}
	close(fd);
	if (unshare(CLONE_NEWNET) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) {
		printf("SKIP: no network namespace of our own: %s\n", strerror(errno));
		return SKIP;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
