/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 *
 * Whatever a vfio-user client sends: pollwire-chip's server answers each message with a
 * well-formed reply or ends the connection, and keeps nothing when the client has gone.
 *
 * An input is a row of messages, each a byte that chooses the descriptors sent with it, two
 * bytes of length, and that many bytes of header and payload. With clang -fsanitize=fuzzer
 * (FUZZ_LIBFUZZER) this is a libFuzzer target; otherwise main() mutates a valid conversation
 * with a fixed random sequence, the same on every machine. Given a file name it writes that
 * conversation, as a seed for libFuzzer.
 */

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "log.h"
#include "server.h"

#define RAM (64u << 10)
#define CHECK(cond) do { \
	if (!(cond)) { \
		fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #cond); \
		abort(); \
	} \
} while (0)

static struct chip_server server;
static struct pw_model *model;

static void
on_irq(void *ctx, unsigned int vector, bool level)
{
	(void)ctx;
	chip_irqs_set(&server.irqs, vector, level);
}

static void
set_up(void)
{
	struct pw_model_opts opts = { .chip = "82540em", .irq = on_irq };

	if (model != NULL)
		return;
	CHECK(pw_model_create(&opts, &model) == 0);
	CHECK(chip_server_init(&server, model) == 0);
}

static unsigned int
open_files(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned int n = 0;

	CHECK(d != NULL);
	while (readdir(d) != NULL)
		n++;
	closedir(d);
	return n;
}

static int
guest_memory(void)
{
	int fd = memfd_create("guest", MFD_CLOEXEC);

	CHECK(fd >= 0 && ftruncate(fd, RAM) == 0);
	return fd;
}

static unsigned int
descriptors(uint8_t choice, int *fds)
{
	unsigned int i, n = choice >> 4;

	for (i = 0; i < n; i++) {
		switch ((choice + i) & 3) {
		case 0:
			fds[i] = guest_memory();
			break;
		case 1:
			fds[i] = open("/dev/null", O_RDWR | O_CLOEXEC);
			break;
		default:
			fds[i] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		}
		CHECK(fds[i] >= 0);
	}
	return n;
}

static void
check_reply(const struct vfu_header *req, const struct chip_reply *reply)
{
	struct vfu_header h;

	if (reply->len == 0)
		return;
	CHECK(reply->len >= sizeof(h) && reply->len <= sizeof(reply->data));
	memcpy(&h, reply->data, sizeof(h));
	CHECK(h.size == reply->len && h.id == req->id && h.command == req->command);
	CHECK((h.flags & VFU_TYPE_MASK) == VFU_TYPE_REPLY);
	CHECK((req->flags & VFU_NO_REPLY) == 0);
	CHECK((h.flags & VFU_ERROR) == 0 || (h.error != 0 && h.size == sizeof(h)));
}

/* @return whether the connection goes on. */
static bool
one_message(uint8_t choice, const uint8_t *data, size_t len)
{
	struct chip_reply reply;
	struct vfu_header h = { 0 };
	uint8_t *msg;
	size_t size = len < sizeof(h) ? sizeof(h) : len;
	int fds[VFU_MAX_FDS], rc;
	unsigned int i, nb_fds = descriptors(choice, fds);

	/* In a block of its own, so that a sanitizer sees a read past its end. */
	msg = calloc(1, size);
	CHECK(msg != NULL);
	memcpy(msg, data, len);
	memcpy(&h, msg, sizeof(h));
	h.size = (uint32_t)size;
	memcpy(msg, &h, sizeof(h));
	rc = chip_server_message(&server, msg, size, fds, nb_fds, &reply);
	check_reply(&h, &reply);
	for (i = 0; i < nb_fds; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	free(msg);
	return rc == 0 && !chip_dma_broken(&server.dma);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	unsigned int before;

	set_up();
	before = open_files();
	chip_say_new_client(0);
	chip_server_client_came(&server);
	while (len > 3) {
		size_t size = data[1] | (size_t)data[2] << 8;

		if (size > len - 3)
			size = len - 3;
		if (!one_message(data[0], data + 3, size))
			break;
		data += 3 + size;
		len -= 3 + size;
	}
	pw_model_poll(model);
	chip_server_client_left(&server);
	CHECK(open_files() == before);
	CHECK(server.dma.nb_regions == 0 && server.dma.files == NULL);
	return 0;
}

#ifndef FUZZ_LIBFUZZER

/* --- a conversation to mutate, and how ------------------------------------------------------ */

static uint8_t seed[4096];
static size_t seed_len;
static uint64_t state = 0x9e3779b97f4a7c15;

static uint32_t
dice(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 32) % n;
}

static void
say(uint8_t choice, uint16_t cmd, const void *payload, size_t len)
{
	struct vfu_header h = { .id = 1, .command = cmd };
	uint16_t size = (uint16_t)(sizeof(h) + len);

	CHECK(seed_len + 3 + size <= sizeof(seed));
	seed[seed_len] = choice;
	seed[seed_len + 1] = (uint8_t)size;
	seed[seed_len + 2] = (uint8_t)(size >> 8);
	memcpy(seed + seed_len + 3, &h, sizeof(h));
	memcpy(seed + seed_len + 3 + sizeof(h), payload, len);
	seed_len += 3u + size;
}

static void
say_write(uint32_t region, uint64_t off, uint32_t val)
{
	struct { struct vfu_region_access a; uint32_t val; } w = { { off, region, 4 }, val };

	say(0, VFU_REGION_WRITE, &w, sizeof(w));
}

static void
make_seed(void)
{
	static const char version[] = "\0\0\0\0{\"capabilities\":{\"max_msg_fds\":8,"
				      "\"pgsizes\":4096,\"twin_socket\":{\"supported\":true}}}";
	struct vfu_dma_map map = { sizeof(map), VFU_MAP_READ | VFU_MAP_WRITE, 0, 0x100000, RAM };
	struct vfu_dma_map rom = { sizeof(rom), VFU_MAP_READ, 0, 0xc0000, 0x1000 };
	struct vfu_dma_unmap unmap = { sizeof(unmap), 0, 0xc0000, 0x1000 };
	struct vfu_device_info info = { .argsz = sizeof(info) };
	struct vfio_region_info region = { .argsz = sizeof(region), .index = 7 };
	struct vfio_irq_info irq = { .argsz = sizeof(irq) };
	struct vfio_irq_set set = { sizeof(set), VFIO_IRQ_SET_DATA_EVENTFD |
				    VFIO_IRQ_SET_ACTION_TRIGGER, 0, 0, 1 };
	struct vfio_irq_set head = { sizeof(head), VFIO_IRQ_SET_DATA_BOOL |
				     VFIO_IRQ_SET_ACTION_UNMASK, 0, 0, 1 };
	uint8_t unmask[sizeof(head) + 1];
	struct vfu_region_access read = { 0, 7, 256 };
	struct { uint64_t n; struct vfu_one_write w[2]; } multi = { 2, { { 0x5400, 0, 4, "abc" },
		{ 4, 7, 2, "\6" } } };

	memcpy(unmask, &head, sizeof(head));
	unmask[sizeof(head)] = 1;
	say(0, VFU_VERSION, version, sizeof(version));
	say(0, VFU_GET_INFO, &info, sizeof(info));
	say(0, VFU_GET_REGION_INFO, &region, sizeof(region));
	say(0, VFU_GET_IRQ_INFO, &irq, sizeof(irq));
	say(0, VFU_REGION_READ, &read, sizeof(read));
	say(0x10, VFU_DMA_MAP, &map, sizeof(map));
	say(0, VFU_DMA_MAP, &rom, sizeof(rom));
	say(0x12, VFU_SET_IRQS, &set, sizeof(set));
	say_write(7, 4, 6);
	say_write(0, 0x3800, 0x100000);
	say_write(0, 0x3808, 128);
	say_write(0, 0x400, 0xa);
	say_write(0, 0x3818, 4);
	say(0, VFU_SET_IRQS, unmask, sizeof(unmask));
	say(0, VFU_REGION_WRITE_MULTI, &multi, sizeof(multi));
	say(0, VFU_DMA_UNMAP, &unmap, sizeof(unmap));
	say(0, VFU_RESET, "", 0);
	say(0, VFU_DEVICE_FEATURE, &irq, 8);
}

static void
poke(uint8_t *at, size_t room)
{
	static const uint64_t odd[] = { 0, 1, 2, 3, 4, 7, 8, 16, 0x7f, 0x80, 0xff, 0x1000, 0x7fff,
		0xffff, 0x10000, 0x1ffff, 0x20000, 0x7fffffff, 0x80000000, 0xffffffff,
		0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff };
	uint64_t v = odd[dice(sizeof(odd) / sizeof(odd[0]))];
	size_t width = (size_t)1 << dice(4);

	memcpy(at, &v, width < room ? width : room);
}

/* Change a few places, in the middle or at the places where fields are. */
static size_t
mutate(uint8_t *data, size_t len)
{
	unsigned int i, n = 1 + dice(4);

	for (i = 0; i < n; i++) {
		size_t at = dice((uint32_t)len), from = dice((uint32_t)len);
		size_t span = dice(64);

		switch (dice(5)) {
		case 0:
			data[at] ^= (uint8_t)(1u << dice(8));
			break;
		case 1:
		case 2:
			poke(data + at, len - at);
			break;
		case 3:
			span = span < len - at ? span : len - at;
			span = span < len - from ? span : len - from;
			memmove(data + at, data + from, span);
			break;
		default:
			/* One message more, or fewer bytes of one: what follows moves up. */
			span = span < len - at - 1 ? span : len - at - 1;
			memmove(data + at, data + at + span, len - at - span);
			len -= span;
		}
	}
	return len;
}

static void
write_seed(const char *path)
{
	FILE *f = fopen(path, "w");

	CHECK(f != NULL && fwrite(seed, seed_len, 1, f) == 1 && fclose(f) == 0);
}

int
main(int argc, char **argv)
{
	const unsigned long rounds = 20000;
	unsigned long i;
	uint64_t refused;

	make_seed();
	if (argc > 1) {
		write_seed(argv[1]);
		return 0;
	}
	LLVMFuzzerTestOneInput(seed, seed_len);
	/* The seed itself is good: all but the migration feature is accepted. */
	refused = server.nb_refused;
	CHECK(refused == 1);
	for (i = 0; i < rounds; i++) {
		uint8_t data[sizeof(seed)];

		memcpy(data, seed, seed_len);
		LLVMFuzzerTestOneInput(data, mutate(data, seed_len));
	}
	printf("%lu conversations, %llu messages refused\n", rounds,
	       (unsigned long long)(server.nb_refused - refused));
	/* Nothing that was refused would mean that nothing was tried. */
	CHECK(server.nb_refused - refused > rounds / 4);
	pw_model_destroy(model);
	return 0;
}
#endif
