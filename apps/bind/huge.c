/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <unistd.h>

#include <jansson.h>

#include "huge.h"
#include "sysfs.h"
#include "text.h"

#define POOLS "/sys/kernel/mm/hugepages"
#define USUAL_MOUNT "/dev/hugepages"

const char *
pb_size_text(uint64_t bytes, char text[24])
{
	static const char units[] = "\0kMGT";
	unsigned int unit = 0;

	while (bytes >= 1024 && bytes % 1024 == 0 && unit < 4) {
		bytes /= 1024;
		unit++;
	}
	snprintf(text, 24, "%" PRIu64 "%.1s", bytes, units + unit);
	return text;
}

/* Looks */

static void
look_at_pool(struct pb_pool *pool, const char *name)
{
	long total = pb_number(0, POOLS "/%s/nr_hugepages", name);
	long free_pages = pb_number(0, POOLS "/%s/free_hugepages", name);
	long reserved = pb_number(0, POOLS "/%s/resv_hugepages", name);

	pool->total = total > 0 ? total : 0;
	pool->free = free_pages > 0 ? free_pages : 0;
	pool->reserved = reserved > 0 ? reserved : 0;
}

static void
look_at_pools(struct pb_huge *huge)
{
	struct pb_names names;
	unsigned long kb;
	size_t i;
	int len;

	pb_list(&names, POOLS);
	for (i = 0; i < names.nb && huge->nb < PB_MAX_POOLS; i++) {
		len = 0;
		if (sscanf(names.name[i], "hugepages-%lukB%n", &kb, &len) != 1 || len == 0 ||
		    names.name[i][len] != '\0' || kb == 0 || kb > UINT32_MAX)
			continue;
		huge->pool[huge->nb].page = (uint64_t)kb << 10;
		look_at_pool(&huge->pool[huge->nb++], names.name[i]);
	}
	pb_names_free(&names);
}

static void
look_at_memory(struct pb_huge *huge)
{
	char *all = pb_slurp("/proc/meminfo"), *rest = all, *line;
	unsigned long kb;

	while ((line = pb_next_line(&rest)) != NULL) {
		if (sscanf(line, "Hugepagesize: %lu kB", &kb) == 1 && kb <= UINT32_MAX)
			huge->page = (uint64_t)kb << 10;
		else if (sscanf(line, "MemAvailable: %lu kB", &kb) == 1)
			huge->available = (uint64_t)kb << 10;
	}
	free(all);
}

/* "hugetlbfs PATH hugetlbfs rw,pagesize=2M 0 0" */
static void
look_at_mount(struct pb_huge *huge, const char *path, const char *options)
{
	const char *said = strstr(options, "pagesize=");
	uint64_t page = huge->page;
	struct pb_pool *pool;
	char text[16];

	if (said != NULL) {
		said += strlen("pagesize=");
		snprintf(text, sizeof(text), "%.*s", (int)strcspn(said, ", "), said);
		if (!pb_size(text, &page))
			return;
	}
	pool = pb_huge_pool(huge, page);
	if (pool != NULL && pool->mount[0] == '\0')
		snprintf(pool->mount, sizeof(pool->mount), "%s", path);
}

static void
look_at_mounts(struct pb_huge *huge)
{
	char *all = pb_slurp("/proc/self/mounts"), *rest = all, *line;
	char path[128], type[32], options[256];

	while ((line = pb_next_line(&rest)) != NULL)
		if (sscanf(line, "%*s %127s %31s %255s", path, type, options) == 3 &&
		    strcmp(type, "hugetlbfs") == 0)
			look_at_mount(huge, path, options);
	free(all);
}

void
pb_huge_look(struct pb_huge *huge)
{
	memset(huge, 0, sizeof(*huge));
	look_at_memory(huge);
	look_at_pools(huge);
	look_at_mounts(huge);
}

struct pb_pool *
pb_huge_pool(struct pb_huge *huge, uint64_t page)
{
	unsigned int i;

	if (page == 0)
		page = huge->page;
	for (i = 0; i < huge->nb; i++)
		if (huge->pool[i].page == page)
			return &huge->pool[i];
	return NULL;
}

static uint64_t
unreserved(const struct pb_pool *pool)
{
	return pool->free > pool->reserved ? pool->free - pool->reserved : 0;
}

uint64_t
pb_huge_free(const struct pb_huge *huge)
{
	uint64_t bytes = 0;
	unsigned int i;

	for (i = 0; i < huge->nb; i++)
		bytes += unreserved(&huge->pool[i]) * huge->pool[i].page;
	return bytes;
}

uint64_t
pb_huge_pages_for(const struct pb_pool *pool, uint64_t need)
{
	uint64_t pages = need / pool->page + (need % pool->page != 0);

	return pages > unreserved(pool) ? pool->total + pages - unreserved(pool) : pool->total;
}

/* A program that lives has its pages' files locked. */
static bool
is_leaked(const char *folder, const char *name)
{
	char path[PATH_MAX];
	bool leaked;
	int fd;

	if (strstr(name, "map_") == NULL || !pb_live())
		return strstr(name, "map_") != NULL;
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	leaked = flock(fd, LOCK_EX | LOCK_NB) == 0;
	close(fd);
	return leaked;
}

unsigned int
pb_huge_leaked(const struct pb_pool *pool, char *paths)
{
	struct pb_names names;
	unsigned int nb = 0;
	size_t i;

	paths[0] = '\0';
	if (pool->mount[0] == '\0')
		return 0;
	pb_list(&names, "%s", pool->mount);
	for (i = 0; i < names.nb; i++) {
		if (!is_leaked(pool->mount, names.name[i]))
			continue;
		if (nb++ < 8)
			pb_add(paths, " %s/%s", pool->mount, names.name[i]);
	}
	pb_names_free(&names);
	return nb;
}

/* Changes */

void
pb_huge_command(const struct pb_pool *pool, uint64_t pages, char *text)
{
	char size[24];

	text[0] = '\0';
	if (pb_have("hugeadm"))
		pb_add(text, "hugeadm --pool-pages-min %s:%" PRIu64, pb_size_text(pool->page, size),
		       pages);
	else if (pool->page == 2u << 20)
		pb_add(text, "sysctl -w vm.nr_hugepages=%" PRIu64, pages);
	else
		pb_add(text, "echo %" PRIu64 " > " POOLS "/hugepages-%" PRIu64 "kB/nr_hugepages",
		       pages, pool->page >> 10);
}

static int
set_pages(const struct pb_pool *pool, uint64_t pages)
{
	const char *argv[] = {"hugeadm", "--pool-pages-min", NULL, NULL};
	char size[24], text[64];

	if (pb_have("hugeadm")) {
		snprintf(text, sizeof(text), "%s:%" PRIu64, pb_size_text(pool->page, size), pages);
		argv[2] = text;
		if (pb_run(argv) == 0)
			return 0;
	}
	snprintf(text, sizeof(text), "%" PRIu64, pages);
	return pb_write(text, POOLS "/hugepages-%" PRIu64 "kB/nr_hugepages", pool->page >> 10);
}

int
pb_huge_grow(const struct pb_pool *pool, uint64_t need, uint64_t *got)
{
	uint64_t pages = pb_huge_pages_for(pool, need);
	struct pb_pool now = *pool;
	char name[64];
	int ret = 0;

	if (pages > pool->total)
		ret = set_pages(pool, pages);
	if (pb_is_dry() && ret == 0) {
		*got = need;
		return 0;
	}
	snprintf(name, sizeof(name), "hugepages-%" PRIu64 "kB", pool->page >> 10);
	look_at_pool(&now, name);
	*got = unreserved(&now) * now.page;
	if (ret == 0 && *got < need)
		ret = -ENOMEM;
	return ret;
}

int
pb_huge_mount(const struct pb_pool *pool)
{
	char options[48], size[24];

	snprintf(options, sizeof(options), "pagesize=%s", pb_size_text(pool->page, size));
	if (pb_is_dry()) {
		printf("mkdir -p " USUAL_MOUNT "; mount -t hugetlbfs -o %s hugetlbfs " USUAL_MOUNT
		       "\n", options);
		return 0;
	}
	if (!pb_live())
		return -EPERM;
	mkdir(USUAL_MOUNT, 0755);
	return mount("hugetlbfs", USUAL_MOUNT, "hugetlbfs", 0, options) == 0 ? 0 : -errno;
}

/* The command */

static void
print_pools(const struct pb_huge *huge)
{
	char size[24];
	unsigned int i;

	printf("%-6s  %8s  %8s  %8s  %s\n", "SIZE", "PAGES", "FREE", "RESERVED", "MOUNTED");
	for (i = 0; i < huge->nb; i++)
		printf("%-6s  %8" PRIu64 "  %8" PRIu64 "  %8" PRIu64 "  %s\n",
		       pb_size_text(huge->pool[i].page, size), huge->pool[i].total,
		       huge->pool[i].free, huge->pool[i].reserved,
		       huge->pool[i].mount[0] != '\0' ? huge->pool[i].mount : "-");
}

static void
print_json(const struct pb_huge *huge)
{
	json_t *array = json_array(), *object;
	unsigned int i;

	for (i = 0; i < huge->nb; i++) {
		const struct pb_pool *pool = &huge->pool[i];

		object = json_object();
		json_object_set_new(object, "size", json_integer(pool->page));
		json_object_set_new(object, "pages", json_integer(pool->total));
		json_object_set_new(object, "free", json_integer(pool->free));
		json_object_set_new(object, "reserved", json_integer(pool->reserved));
		json_object_set_new(object, "mount", pool->mount[0] != '\0' ?
				    json_string(pool->mount) : json_null());
		json_array_append_new(array, object);
	}
	json_dumpf(array, stdout, JSON_INDENT(2));
	printf("\n");
	json_decref(array);
}

/* The kernel would reserve as much as there is, and leave nothing for anybody else. */
static bool
too_much(const struct pb_args *args, const struct pb_huge *huge, const struct pb_pool *pool)
{
	uint64_t pages = pb_huge_pages_for(pool, args->need) - pool->total;
	char size[24];

	if (huge->available == 0 || pages <= huge->available / pool->page)
		return false;
	pb_say("%s in pages of %s cannot be: %" PRIu64 " MiB of memory are available",
	       args->need_text, pb_size_text(pool->page, size), huge->available >> 20);
	return true;
}

static enum pb_status
grow(const struct pb_args *args, const struct pb_huge *huge, const struct pb_pool *pool)
{
	char size[24], page[24];
	uint64_t got = 0;
	int ret;

	if (too_much(args, huge, pool))
		return PB_REFUSED;
	pb_size_text(pool->page, page);
	ret = pb_huge_grow(pool, args->need, &got);
	if (ret == -ENOMEM) {
		pb_say("the kernel found only %s in pages of %s, not %s: memory is too full or in "
		       "pieces; ask early after boot, or put hugepages=%" PRIu64
		       " on the kernel command line", pb_size_text(got, size), page,
		       args->need_text, pb_huge_pages_for(pool, args->need));
		return PB_NOT_ALL;
	}
	if (ret != 0) {
		pb_say("cannot reserve hugepages of %s: %s%s", page, strerror(-ret),
		       ret == -EACCES ? " (run as root)" : "");
		return PB_FAILED;
	}
	ret = pool->mount[0] == '\0' ? pb_huge_mount(pool) : 0;
	if (ret == 0)
		return PB_OK;
	pb_say("the pages are there, and mounting a hugetlbfs failed: %s", strerror(-ret));
	return PB_NOT_ALL;
}

enum pb_status
pb_hugepages(const struct pb_args *args)
{
	enum pb_status status = PB_OK;
	struct pb_huge huge;
	struct pb_pool *pool;

	pb_huge_look(&huge);
	pool = pb_huge_pool(&huge, args->page);
	if (pool == NULL) {
		pb_say("%s", huge.nb == 0 ? "this kernel has no hugepages (CONFIG_HUGETLBFS)" :
		       "this kernel has no hugepages of that size");
		return huge.nb == 0 ? PB_FAILED : PB_USAGE;
	}
	if (args->need != 0) {
		status = grow(args, &huge, pool);
		pb_huge_look(&huge);
	}
	if (!pb_is_dry())
		(args->json ? print_json : print_pools)(&huge);
	return status;
}
