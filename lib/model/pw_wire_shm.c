/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The wire between two processes: a POSIX shared memory object `pollwire-NAME` with a ring for
 * each direction.
 *
 * An end is held by a lock on one byte of the file (open file description lock, fcntl(2)), so
 * that the kernel frees it however its process dies; nothing in the memory has to be cleaned
 * up for that. A third byte is locked while somebody plugs in or out. The last one out removes
 * the name; a file that a dead pair left behind is made new by the next one in.
 *
 * The memory may be written by a broken peer. Layout and sizes are read once, at open, and
 * kept privately; counters and headers are checked on each use (pw_wire_ring.h); a frame is
 * copied out before anybody looks at it. Only files of the same user are used, because who may
 * write the file may also cut it short, which no check here could survive.
 */

#include <fcntl.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "pw_wire_priv.h"
#include "pw_wire_ring.h"

#define SHM_MAGIC 0x657269776c6c6f70ull /* "pollwire" */
#define SHM_VERSION 1u
#define SHM_DATA_OFF 4096u
#define SHM_ENDS 2u
#define SHM_SETUP_BYTE SHM_ENDS /* of the lock that guards plugging in and out */

#define SHM_SETUP_TRIES 1000u
#define SHM_SETUP_STEP_NS 1000000
#define SHM_RACES 100u /* times that the file may vanish between open and lock */

#define SHM_LOOK_NS 10000000u	 /* how often to ask the kernel whether the peer lives */
#define SHM_FUTURE_NS 1000000000u /* an arrival time farther ahead makes no sense */

struct shm_end_state {
	alignas(WRING_LINE) _Atomic uint32_t owner; /**< odd: plugged in; new for each owner */
	_Atomic uint32_t listening;
};

struct shm_file {
	_Atomic uint64_t magic; /**< written last */
	uint32_t version;
	uint32_t layout;	/**< of the shared structs: their size */
	uint32_t ring_size;
	struct shm_end_state end[SHM_ENDS];
	struct wring_shared ring[SHM_ENDS]; /**< into each end */
};

_Static_assert(sizeof(struct shm_file) <= SHM_DATA_OFF, "the header overlaps the rings");

struct shm_end {
	struct pw_wire base;
	struct wring_tx tx;
	struct wring_rx rx;
	struct shm_file *file;
	size_t map_len;
	int fd;
	uint32_t slot, peer;
	uint32_t owner;		/**< this end's own mark */
	bool listening;
	uint32_t peer_owner;	/**< as last seen */
	bool peer_alive;	/**< held its lock when last looked at */
	uint64_t looked_ns;
	bool copied;		/**< `copy` holds the frame at hand */
	char object[sizeof("/pollwire-") + WIRE_NAME_MAX];
	uint8_t copy[PW_WIRE_MAX_FRAME];
};

static inline struct shm_end *
shm_end(struct pw_wire *end)
{
	return (struct shm_end *)end;
}

/* --- locks ------------------------------------------------------------------- */

static int
byte_lock(int fd, short type, uint32_t byte)
{
	struct flock fl = { .l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1 };

	return fcntl(fd, F_OFD_SETLK, &fl) == 0 ? 0 : -errno;
}

/** @return whether somebody else holds a byte. */
static bool
byte_held(int fd, uint32_t byte)
{
	struct flock fl = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1 };

	return fcntl(fd, F_OFD_GETLK, &fl) == 0 && fl.l_type != F_UNLCK;
}

static int
setup_lock(int fd)
{
	const struct timespec step = { .tv_nsec = SHM_SETUP_STEP_NS };
	unsigned int i;
	int rc = -EAGAIN;

	for (i = 0; i < SHM_SETUP_TRIES && rc != 0; i++) {
		rc = byte_lock(fd, F_WRLCK, SHM_SETUP_BYTE);
		if (rc != -EAGAIN && rc != -EACCES)
			return rc;
		if (rc != 0)
			nanosleep(&step, NULL); /* a step of the poll */
	}
	return rc;
}

/* --- the file ---------------------------------------------------------------- */

/** Open the object and take its set-up lock, while it still is what the name stands for. */
static int
object_open(struct shm_end *e, struct stat *st, char *err, size_t errlen)
{
	unsigned int i;
	int rc;

	for (i = 0; i < SHM_RACES; i++) {
		e->fd = shm_open(e->object, O_RDWR | O_CREAT, 0600);
		if (e->fd < 0)
			return wire_fail(-errno, err, errlen, "/dev/shm%s: %s", e->object,
					 strerror(errno));
		rc = setup_lock(e->fd);
		if (rc == 0 && fstat(e->fd, st) == 0 && st->st_nlink > 0)
			return 0;
		close(e->fd);
		if (rc != 0)
			return wire_fail(rc, err, errlen, "/dev/shm%s: cannot lock it: %s",
					 e->object, strerror(-rc));
	}
	return wire_fail(-EBUSY, err, errlen, "/dev/shm%s: it keeps vanishing", e->object);
}

static size_t
file_len(uint32_t ring_size)
{
	return SHM_DATA_OFF + SHM_ENDS * (size_t)ring_size;
}

static bool
header_good(const struct shm_file *f, off_t len, uint32_t *ring_size)
{
	uint32_t size = f->ring_size;

	*ring_size = size;
	return atomic_load_explicit(&f->magic, memory_order_acquire) == SHM_MAGIC &&
	       f->version == SHM_VERSION && f->layout == sizeof(*f) &&
	       size >= WRING_MIN_SIZE && size <= WRING_MAX_SIZE && (size & (size - 1)) == 0 &&
	       (size_t)len == file_len(size);
}

/** Check what is there. @return 0, -ENODATA if nothing was ever finished, -EINVAL. */
static int
file_check(struct shm_end *e, const struct stat *st, uint32_t *ring_size, char *err, size_t errlen)
{
	struct shm_file *f;
	uint64_t magic;
	bool good;

	if (!S_ISREG(st->st_mode) || st->st_uid != geteuid())
		return wire_fail(-EPERM, err, errlen,
				 "/dev/shm%s belongs to another user: take another name",
				 e->object);
	if (st->st_size == 0)
		return -ENODATA;
	if (st->st_size >= SHM_DATA_OFF) {
		f = mmap(NULL, SHM_DATA_OFF, PROT_READ, MAP_SHARED, e->fd, 0);
		if (f == MAP_FAILED)
			return wire_fail(-errno, err, errlen, "/dev/shm%s: %s", e->object,
					 strerror(errno));
		magic = atomic_load_explicit(&f->magic, memory_order_acquire);
		good = header_good(f, st->st_size, ring_size);
		munmap(f, SHM_DATA_OFF);
		if (good)
			return 0;
		if (magic == 0)
			return -ENODATA;
	}
	return wire_fail(-EINVAL, err, errlen,
			 "/dev/shm%s is no wire of this version: remove it if nobody uses it",
			 e->object);
}

static int
file_map(struct shm_end *e, uint32_t ring_size, char *err, size_t errlen)
{
	e->map_len = file_len(ring_size);
	e->file = mmap(NULL, e->map_len, PROT_READ | PROT_WRITE, MAP_SHARED, e->fd, 0);
	if (e->file == MAP_FAILED)
		return wire_fail(-errno, err, errlen, "/dev/shm%s: %s", e->object,
				 strerror(errno));
	return 0;
}

static int
file_make(struct shm_end *e, uint32_t ring_size, char *err, size_t errlen)
{
	int rc = 0;

	/* Down to nothing first, so that all of it reads as zero. */
	if (ftruncate(e->fd, 0) != 0)
		rc = -errno;
	else
		rc = -posix_fallocate(e->fd, 0, (off_t)file_len(ring_size));
	if (rc != 0)
		return wire_fail(rc, err, errlen, "/dev/shm%s: cannot make it %zu bytes long: %s",
				 e->object, file_len(ring_size), strerror(-rc));
	rc = file_map(e, ring_size, err, errlen);
	if (rc != 0)
		return rc;
	e->file->version = SHM_VERSION;
	e->file->layout = sizeof(*e->file);
	e->file->ring_size = ring_size;
	atomic_store_explicit(&e->file->magic, SHM_MAGIC, memory_order_release);
	return 0;
}

/* --- plugging ---------------------------------------------------------------- */

/** Take the first free end. @return 0 and whether both were free, or -EBUSY. */
static int
end_take(struct shm_end *e, bool *alone, char *err, size_t errlen)
{
	uint32_t i;

	*alone = true;
	e->slot = SHM_ENDS;
	for (i = 0; i < SHM_ENDS; i++) {
		if (byte_held(e->fd, i))
			*alone = false;
		else if (e->slot == SHM_ENDS)
			e->slot = i;
	}
	if (e->slot == SHM_ENDS || byte_lock(e->fd, F_WRLCK, e->slot) != 0)
		return wire_fail(-EBUSY, err, errlen, "wire shm:%s: both ends are taken",
				 e->object + sizeof("/pollwire-") - 1);
	e->peer = 1 - e->slot;
	return 0;
}

static void
end_start(struct shm_end *e, uint32_t ring_size)
{
	struct shm_file *f = e->file;
	uint8_t *data = (uint8_t *)f + SHM_DATA_OFF;
	uint32_t owner;

	wring_rx_init(&e->rx, &f->ring[e->slot], data + (size_t)e->slot * ring_size, ring_size);
	wring_tx_init(&e->tx, &f->ring[e->peer], data + (size_t)e->peer * ring_size, ring_size);
	e->listening = true;
	atomic_store_explicit(&f->end[e->slot].listening, 1, memory_order_relaxed);
	/* One further from "unplugged", two from a dead owner's. */
	owner = atomic_load_explicit(&f->end[e->slot].owner, memory_order_relaxed);
	e->owner = (owner + 1) | 1;
	atomic_store_explicit(&f->end[e->slot].owner, e->owner, memory_order_release);
}

static int
end_plug(struct shm_end *e, const struct stat *st, uint32_t buffer, char *err, size_t errlen)
{
	uint32_t ring_size = buffer;
	bool alone;
	int rc, there;

	there = file_check(e, st, &ring_size, err, errlen);
	if (there != 0 && there != -ENODATA)
		return there;
	rc = end_take(e, &alone, err, errlen);
	if (rc != 0)
		return rc;
	if (alone) {
		ring_size = buffer;
		rc = file_make(e, ring_size, err, errlen);
		if (rc != 0)
			shm_unlink(e->object);
	} else if (there != 0) {
		rc = wire_fail(-EINVAL, err, errlen, "/dev/shm%s is empty though it is in use",
			       e->object);
	} else {
		rc = file_map(e, ring_size, err, errlen);
	}
	if (rc == 0)
		end_start(e, ring_size);
	return rc;
}

static int
shm_wire_open(const char *name, const struct pw_wire_opts *opts, struct pw_wire **end, char *err,
	      size_t errlen)
{
	struct shm_end *e;
	struct stat st;
	int rc = wire_check_name(name, err, errlen);

	if (rc != 0)
		return rc;
	e = aligned_alloc(WRING_LINE, (sizeof(*e) + WRING_LINE - 1) & ~(size_t)(WRING_LINE - 1));
	if (e == NULL)
		return wire_fail(-ENOMEM, err, errlen, "wire shm:%s: no memory", name);
	memset(e, 0, sizeof(*e));
	snprintf(e->object, sizeof(e->object), "/pollwire-%s", name);
	rc = object_open(e, &st, err, errlen);
	if (rc != 0)
		goto err_open;
	rc = end_plug(e, &st, opts->buffer, err, errlen);
	if (rc != 0)
		goto err_plug;
	byte_lock(e->fd, F_UNLCK, SHM_SETUP_BYTE);
	*end = &e->base;
	return 0;

err_plug:
	close(e->fd);
err_open:
	free(e);
	return rc;
}

static void
shm_wire_close(struct pw_wire *end)
{
	struct shm_end *e = shm_end(end);
	int locked = setup_lock(e->fd);

	atomic_store_explicit(&e->file->end[e->slot].listening, 0, memory_order_relaxed);
	atomic_store_explicit(&e->file->end[e->slot].owner, e->owner + 1, memory_order_release);
	if (locked == 0 && !byte_held(e->fd, e->peer))
		shm_unlink(e->object);
	munmap(e->file, e->map_len);
	close(e->fd); /* gives up both locks */
	free(e);
}

static bool
shm_carrier(struct pw_wire *end)
{
	struct shm_end *e = shm_end(end);
	uint32_t owner = atomic_load_explicit(&e->file->end[e->peer].owner, memory_order_acquire);

	if ((owner & 1) == 0)
		return false;
	end->seen_ns = pw_clock_now(end->clock);
	if (owner != e->peer_owner || end->seen_ns - e->looked_ns >= SHM_LOOK_NS) {
		e->peer_owner = owner;
		e->looked_ns = end->seen_ns;
		e->peer_alive = byte_held(e->fd, e->peer);
	}
	return e->peer_alive;
}

static void
shm_listen(struct pw_wire *end, bool on)
{
	struct shm_end *e = shm_end(end);

	if (e->listening == on)
		return;
	e->listening = on;
	if (on) {
		wring_flush(&e->rx);
		e->copied = false;
	}
	atomic_store_explicit(&e->file->end[e->slot].listening, on, memory_order_release);
}

/* --- packets ----------------------------------------------------------------- */

static void
shm_send(struct pw_wire *end, const void *frame, uint32_t len, uint32_t flags, uint64_t t_ns)
{
	struct shm_end *e = shm_end(end);

	if (atomic_load_explicit(&e->file->end[e->peer].listening, memory_order_acquire) != 0)
		wring_push(&e->tx, frame, len, flags, t_ns);
}

static bool
frame_is_due(struct shm_end *e)
{
	if ((e->rx.rec.flags & WIRE_REC_PACED) == 0 || wire_has_come(&e->base, e->rx.rec.t_ns))
		return true;
	/* A clock that is not ours must not stop the line for ever. */
	return e->rx.rec.t_ns - e->base.seen_ns > SHM_FUTURE_NS;
}

static bool
shm_peek(struct pw_wire *end, struct pw_frame *frame)
{
	struct shm_end *e = shm_end(end);

	if (!e->listening || !wring_head(&e->rx) || !frame_is_due(e))
		return false;
	if (!e->copied) {
		wring_copy(&e->rx, e->copy);
		e->copied = true;
	}
	frame->data = e->copy;
	frame->len = e->rx.rec.len;
	frame->flags = e->rx.rec.flags & WIRE_FRAME_FLAGS;
	frame->t_ns = e->rx.rec.t_ns;
	return true;
}

static void
shm_next(struct pw_wire *end)
{
	struct shm_end *e = shm_end(end);

	if (!e->copied)
		return;
	wring_pop(&e->rx);
	e->copied = false;
}

static uint64_t
shm_missed(struct pw_wire *end)
{
	return wring_missed(&shm_end(end)->rx);
}

const struct wire_kind wire_kind_shm = {
	.prefix = "shm:",
	.open = shm_wire_open,
	.close = shm_wire_close,
	.carrier = shm_carrier,
	.listen = shm_listen,
	.send = shm_send,
	.peek = shm_peek,
	.next = shm_next,
	.missed = shm_missed,
};
