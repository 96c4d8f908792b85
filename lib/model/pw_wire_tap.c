/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * A wire into the kernel: a TAP interface. What the kernel sends is read one frame at a time
 * when asked for; how many wait meanwhile is the interface's txqueuelen, and what is lost
 * there shows in its own statistics.
 */

#include <fcntl.h>
#include <net/if.h>
#include <linux/if_tun.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pw_wire_priv.h"

#define TUN_DEVICE "/dev/net/tun"
#define TAP_DRAIN_MAX 4096u /* frames; far above any usual txqueuelen */
#define MIN_FRAME 60 /* without FCS */

struct tap_end {
	struct pw_wire base;
	int fd;
	bool listening;
	uint32_t len;		/**< of the frame at hand; 0: none */
	uint64_t t_ns;
	uint8_t buf[PW_WIRE_MAX_FRAME + 1]; /**< one more, to see that a frame is too long */
};

static inline struct tap_end *
tap_end(struct pw_wire *end)
{
	return (struct tap_end *)end;
}

/* --- plugging ---------------------------------------------------------------- */

static int
tap_attach(struct tap_end *e, struct ifreq *ifr, char *err, size_t errlen)
{
	const char *name = ifr->ifr_name;

	e->fd = open(TUN_DEVICE, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (e->fd < 0)
		return wire_fail(-errno, err, errlen,
				 "wire tap:%s: " TUN_DEVICE ": %s; as root: modprobe tun", name,
				 strerror(errno));
	ifr->ifr_flags = IFF_TAP | IFF_NO_PI;
	if (ioctl(e->fd, TUNSETIFF, ifr) == 0)
		return 0;
	if (errno == EPERM)
		return wire_fail(-EPERM, err, errlen,
				 "wire tap:%s: not permitted; as root: ip tuntap add dev %s mode "
				 "tap user %u && ip link set %s up",
				 name, name, geteuid(), name);
	if (errno == EBUSY)
		return wire_fail(-EBUSY, err, errlen, "wire tap:%s: in use by another program",
				 name);
	return wire_fail(-errno, err, errlen, "wire tap:%s: %s; is %s no TAP interface?", name,
			 strerror(errno), name);
}

static int
tap_set_up(struct ifreq *ifr, char *err, size_t errlen)
{
	const char *name = ifr->ifr_name;
	int rc = 0;
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (s < 0)
		return wire_fail(-errno, err, errlen, "wire tap:%s: socket: %s", name,
				 strerror(errno));
	if (ioctl(s, SIOCGIFFLAGS, ifr) != 0) {
		rc = -errno;
	} else if ((ifr->ifr_flags & IFF_UP) == 0) {
		ifr->ifr_flags |= IFF_UP;
		if (ioctl(s, SIOCSIFFLAGS, ifr) != 0)
			rc = -errno;
	}
	close(s);
	if (rc != 0)
		return wire_fail(rc, err, errlen,
				 "wire tap:%s: cannot set it up: %s; as root: ip link set %s up",
				 name, strerror(-rc), name);
	return 0;
}

static int
tap_open(const char *name, const struct pw_wire_opts *opts, struct pw_wire **end, char *err,
	 size_t errlen)
{
	struct ifreq ifr = { 0 };
	struct tap_end *e;
	int rc;

	(void)opts;
	rc = wire_check_name(name, err, errlen);
	if (rc == 0 && strlen(name) >= IFNAMSIZ)
		rc = wire_fail(-EINVAL, err, errlen,
			       "wire tap:%s: an interface name has at most %d characters", name,
			       IFNAMSIZ - 1);
	if (rc != 0)
		return rc;
	e = calloc(1, sizeof(*e));
	if (e == NULL)
		return wire_fail(-ENOMEM, err, errlen, "wire tap:%s: no memory", name);
	strcpy(ifr.ifr_name, name);
	rc = tap_attach(e, &ifr, err, errlen);
	if (rc == 0)
		rc = tap_set_up(&ifr, err, errlen);
	if (rc != 0) {
		if (e->fd >= 0)
			close(e->fd);
		free(e);
		return rc;
	}
	e->listening = true;
	*end = &e->base;
	return 0;
}

static void
tap_close(struct pw_wire *end)
{
	close(tap_end(end)->fd);
	free(end);
}

static bool
tap_carrier(struct pw_wire *end)
{
	(void)end;
	return true;
}

/* --- packets ----------------------------------------------------------------- */

static void
tap_send(struct pw_wire *end, const void *frame, uint32_t len, uint32_t flags, uint64_t t_ns)
{
	(void)t_ns;
	/* The kernel would have dropped it at its own card. */
	if ((flags & WIRE_FRAME_FLAGS) != 0)
		return;
	/* A wire does not say whether its other end wanted the frame: an interface that is down
	 * (EIO) or a runt that the kernel refuses (EINVAL) vanishes.
	 */
	if (write(tap_end(end)->fd, frame, len) < 0)
		return;
}

/** Read the next frame worth having into the buffer. @return its length, 0 if there is none. */
static uint32_t
tap_read(struct tap_end *e)
{
	unsigned int i;
	ssize_t n;

	for (i = 0; i < TAP_DRAIN_MAX; i++) {
		n = read(e->fd, e->buf, sizeof(e->buf));
		if (n <= 0)
			return 0;
		/* The kernel leaves padding to the card: an ARP request has 42 bytes here. */
		if (n < MIN_FRAME) {
			memset(e->buf + n, 0, (size_t)(MIN_FRAME - n));
			n = MIN_FRAME;
		}
		if (n <= (ssize_t)PW_WIRE_MAX_FRAME)
			return (uint32_t)n;
	}
	return 0;
}

static void
tap_listen(struct pw_wire *end, bool on)
{
	struct tap_end *e = tap_end(end);
	unsigned int i;

	if (e->listening == on)
		return;
	e->listening = on;
	e->len = 0;
	for (i = 0; on && i < TAP_DRAIN_MAX && tap_read(e) != 0; i++)
		;
}

static bool
tap_peek(struct pw_wire *end, struct pw_frame *frame)
{
	struct tap_end *e = tap_end(end);

	if (!e->listening)
		return false;
	if (e->len == 0) {
		if (!wire_arrival_free(end))
			return false;
		e->len = tap_read(e);
		if (e->len == 0)
			return false;
		e->t_ns = wire_arrival_take(end, e->len);
	}
	if (!wire_has_come(end, e->t_ns))
		return false;
	frame->data = e->buf;
	frame->len = e->len;
	frame->flags = 0;
	frame->t_ns = e->t_ns;
	return true;
}

static void
tap_next(struct pw_wire *end)
{
	tap_end(end)->len = 0;
}

static uint64_t
tap_missed(struct pw_wire *end)
{
	(void)end;
	return 0;
}

const struct wire_kind wire_kind_tap = {
	.prefix = "tap:",
	.open = tap_open,
	.close = tap_close,
	.carrier = tap_carrier,
	.listen = tap_listen,
	.send = tap_send,
	.peek = tap_peek,
	.next = tap_next,
	.missed = tap_missed,
};
