/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dma.h"
#include "log.h"

/* ROMs come without a file, the largest of them firmware of a few MiB; more than this is RAM. */
#define RAM_AT_LEAST (16u << 20)

#define SHARE_HINT "start QEMU with -object memory-backend-memfd,id=mem,size=...,share=on " \
	"and -machine memory-backend=mem"

static struct chip_dma *guarded;

/* A page of a mapped file is gone. Async-signal-safe: mmap() is a bare system call. The whole
 * file is replaced, because huge pages cannot be replaced piecemeal.
 */
static void
on_sigbus(int sig, siginfo_t *info, void *ctx)
{
	const int zeros = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
	const uint8_t *at = info->si_addr;
	struct chip_dma_file *f;

	(void)ctx;
	for (f = guarded == NULL ? NULL : guarded->files; f != NULL; f = f->next) {
		if (at < f->va || at >= f->va + f->size)
			continue;
		f->broken = 1;
		if (mmap(f->va, f->size, PROT_READ | PROT_WRITE, zeros, -1, 0) != MAP_FAILED)
			return;
	}
	/* Not ours: happen again, and end the process as it would have. */
	signal(sig, SIG_DFL);
}

int
chip_dma_init(struct chip_dma *d, struct pw_model *model)
{
	struct sigaction sa = { .sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO };

	*d = (struct chip_dma){ .model = model };
	guarded = d;
	return sigaction(SIGBUS, &sa, NULL) == 0 ? 0 : -errno;
}

static void
file_put(struct chip_dma *d, struct chip_dma_file *f)
{
	struct chip_dma_file **at = &d->files;

	if (f == NULL || --f->users > 0)
		return;
	while (*at != f)
		at = &(*at)->next;
	*at = f->next;
	munmap(f->va, f->size);
	free(f);
}

static int
file_map(struct chip_dma_file *f, int fd)
{
	int prot = PROT_READ | PROT_WRITE;

	f->writable = true;
	f->va = mmap(NULL, f->size, prot, MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (f->va == MAP_FAILED && (errno == EACCES || errno == EPERM)) {
		f->writable = false;
		f->va = mmap(NULL, f->size, PROT_READ, MAP_SHARED | MAP_NORESERVE, fd, 0);
	}
	return f->va == MAP_FAILED ? -errno : 0;
}

/* Only regular files (memfd, tmpfs, hugetlbfs): anything else may block or have side effects. */
static int
file_get(struct chip_dma *d, int fd, struct chip_dma_file **found)
{
	struct chip_dma_file *f;
	struct stat st;
	int rc;

	if (fstat(fd, &st) != 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_size <= 0)
		return -EINVAL;
	for (f = d->files; f != NULL; f = f->next)
		if (f->dev == st.st_dev && f->ino == st.st_ino && f->size == (uint64_t)st.st_size)
			goto out;
	f = calloc(1, sizeof(*f));
	if (f == NULL)
		return -ENOMEM;
	f->dev = st.st_dev;
	f->ino = st.st_ino;
	f->size = (uint64_t)st.st_size;
	rc = file_map(f, fd);
	if (rc < 0) {
		free(f);
		return rc;
	}
	f->next = d->files;
	d->files = f;
out:
	f->users++;
	*found = f;
	return 0;
}

/* @return the first region that ends behind `iova`. */
static unsigned int
region_find(const struct chip_dma *d, uint64_t iova)
{
	unsigned int low = 0, high = d->nb_regions;

	while (low < high) {
		unsigned int mid = (low + high) / 2;

		if (d->region[mid].iova + (d->region[mid].size - 1) < iova)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static int
region_room(struct chip_dma *d)
{
	unsigned int room = d->room == 0 ? 64 : 2 * d->room;
	struct chip_dma_region *more;

	if (d->nb_regions >= VFU_MAX_MAPS)
		return -ENOSPC;
	if (d->nb_regions < d->room)
		return 0;
	more = realloc(d->region, room * sizeof(*more));
	if (more == NULL)
		return -ENOMEM;
	d->region = more;
	d->room = room;
	return 0;
}

static int
region_check(const struct chip_dma *d, const struct vfu_dma_map *req, unsigned int *at)
{
	if (req->argsz < sizeof(*req) || req->size == 0 ||
	    req->address + (req->size - 1) < req->address)
		return -EINVAL;
	if ((req->flags & ~(VFU_MAP_READ | VFU_MAP_WRITE)) != 0 || req->flags == 0)
		return -EINVAL;
	*at = region_find(d, req->address);
	if (*at < d->nb_regions && d->region[*at].iova <= req->address + (req->size - 1))
		return -EEXIST;
	return 0;
}

static void
without_file(struct chip_dma *d, const struct vfu_dma_map *req)
{
	d->nb_fileless++;
	if (req->size < RAM_AT_LEAST || d->told)
		return;
	d->told = true;
	chip_say_of_client("%llu MiB of the guest's memory came without a file descriptor, "
			   "no DMA will reach it: " SHARE_HINT,
			   (unsigned long long)(req->size >> 20));
}

/* Make the model see what a region covers. */
static int
map_file(struct chip_dma *d, const struct vfu_dma_map *req, int fd, struct chip_dma_file **file)
{
	bool writable = (req->flags & VFU_MAP_WRITE) != 0;
	struct chip_dma_file *f = NULL;
	int rc;

	rc = file_get(d, fd, &f);
	if (rc < 0)
		return rc;
	if (req->offset > f->size || req->size > f->size - req->offset)
		rc = -EINVAL;
	else if (writable && !f->writable)
		rc = -EACCES;
	else
		rc = pw_model_dma_map(d->model, req->address, req->size, f->va + req->offset,
				      writable);
	if (rc < 0) {
		file_put(d, f);
		return rc;
	}
	*file = f;
	return 0;
}

int
chip_dma_map(struct chip_dma *d, const struct vfu_dma_map *req, int fd)
{
	struct chip_dma_region r = { .iova = req->address, .size = req->size };
	unsigned int at;
	int rc;

	rc = region_check(d, req, &at);
	if (rc == 0)
		rc = region_room(d);
	if (rc == 0 && fd >= 0)
		rc = map_file(d, req, fd, &r.file);
	if (rc < 0)
		return rc;
	if (r.file == NULL)
		without_file(d, req);
	memmove(&d->region[at + 1], &d->region[at], (d->nb_regions - at) * sizeof(r));
	d->region[at] = r;
	d->nb_regions++;
	return 0;
}

static void
region_release(struct chip_dma *d, const struct chip_dma_region *r)
{
	if (r->file == NULL) {
		d->nb_fileless--;
		return;
	}
	pw_model_dma_unmap(d->model, r->iova, r->size);
	file_put(d, r->file);
}

int
chip_dma_unmap(struct chip_dma *d, const struct vfu_dma_unmap *req)
{
	uint64_t last = req->address + (req->size - 1);
	unsigned int from, to, i;

	if (req->argsz < sizeof(*req) || (req->flags & ~VFU_UNMAP_ALL) != 0)
		return -EINVAL;
	if ((req->flags & VFU_UNMAP_ALL) != 0) {
		chip_dma_clear(d);
		return 0;
	}
	if (req->size == 0 || last < req->address)
		return -EINVAL;
	from = region_find(d, req->address);
	for (to = from; to < d->nb_regions && d->region[to].iova <= last; to++) {
		const struct chip_dma_region *r = &d->region[to];

		if (r->iova < req->address || r->iova + (r->size - 1) > last)
			return -EINVAL;
	}
	if (from == to)
		return 0;
	for (i = from; i < to; i++)
		region_release(d, &d->region[i]);
	memmove(&d->region[from], &d->region[to], (d->nb_regions - to) * sizeof(d->region[0]));
	d->nb_regions -= to - from;
	return 0;
}

void
chip_dma_clear(struct chip_dma *d)
{
	unsigned int i;

	for (i = 0; i < d->nb_regions; i++)
		region_release(d, &d->region[i]);
	free(d->region);
	d->region = NULL;
	d->nb_regions = 0;
	d->room = 0;
	d->proven = false;
	d->told = false;
}

bool
chip_dma_broken(const struct chip_dma *d)
{
	const struct chip_dma_file *f;

	for (f = d->files; f != NULL; f = f->next)
		if (f->broken)
			return true;
	return false;
}

/* Only what the file has pages for is looked at, so that a sparse file stays sparse. */
static bool
all_zero(const struct chip_dma_file *f)
{
	unsigned char resident[256];
	uint64_t at, step = sizeof(resident) * VFU_PAGE, i;

	for (at = 0; at < f->size; at += step) {
		uint64_t len = f->size - at < step ? f->size - at : step;

		if (mincore(f->va + at, len, resident) != 0)
			return false;
		for (i = 0; i < len; i += VFU_PAGE) {
			uint64_t n = len - i < VFU_PAGE ? len - i : VFU_PAGE;
			const uint8_t *page = f->va + at + i;

			if ((resident[i / VFU_PAGE] & 1) != 0 &&
			    (page[0] != 0 || memcmp(page, page + 1, n - 1) != 0))
				return false;
		}
	}
	return true;
}

void
chip_dma_check_shared(struct chip_dma *d)
{
	const struct chip_dma_file *f;

	if (d->proven || d->nb_regions == d->nb_fileless)
		return;
	d->proven = true;
	for (f = d->files; f != NULL; f = f->next)
		if (!all_zero(f))
			return;
	chip_say_of_client("the guest runs, but its memory as seen from here holds only zeros. "
			   "If its driver does not work: " SHARE_HINT);
}
