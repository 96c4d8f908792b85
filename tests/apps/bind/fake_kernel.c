/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * pollwire-bind on a kernel of ours: the program's own objects, but what it writes into an
 * invented sysfs has the effect that it would have in a real one.
 *
 * In the tree, names with a leading dot are for us alone:
 *   devices/ADDR/.home      the driver of the kernel's that knows the card
 *   devices/ADDR/.net       its interface while that driver does not have it
 *   devices/ADDR/.refuse    lines "DRIVER ERRNO": what this driver says to the card
 *   hugepages-*kB/.limit    no more pages than that can be found
 *   .programs-fail          every program that is run fails
 *   .log                    what was written and run
 *
 * The effects are those of drivers/base/bus.c, drivers/pci/pci-driver.c and mm/hugetlb.c as seen
 * from outside; tests/guest has the real ones.
 */

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"
#include "sysfs.h"

#define PATH_LEN (2 * PATH_MAX)

static const char *root = "";

/* Files of the tree, below the root */

static void
full(char *path, const char *name)
{
	snprintf(path, PATH_LEN, "%s%s", root, name);
}

static int
exists(const char *name)
{
	char path[PATH_LEN];
	struct stat st;

	full(path, name);
	return lstat(path, &st) == 0;
}

static void
get(const char *name, char *text, size_t len)
{
	char path[PATH_LEN];
	FILE *f;

	text[0] = '\0';
	full(path, name);
	f = fopen(path, "r");
	if (f == NULL)
		return;
	text[fread(text, 1, len - 1, f)] = '\0';
	fclose(f);
	text[strcspn(text, "\n")] = '\0';
}

static void
put(const char *name, const char *text)
{
	char path[PATH_LEN];
	FILE *f;

	full(path, name);
	f = fopen(path, "w");
	if (f == NULL)
		return;
	fprintf(f, "%s\n", text);
	fclose(f);
}

static void
log_line(const char *what, const char *text)
{
	char path[PATH_LEN];
	FILE *f;

	full(path, "/.log");
	f = fopen(path, "a");
	if (f == NULL)
		return;
	fprintf(f, "%s%s%s\n", what, text[0] != '\0' ? " " : "",
		strcmp(text, "\n") == 0 ? "" : text);
	fclose(f);
}

/* The number at the end of a link; -1 if there is none. */
static int
link_number(const char *name)
{
	char path[PATH_LEN], target[PATH_MAX];
	const char *slash;
	ssize_t got;

	full(path, name);
	got = readlink(path, target, sizeof(target) - 1);
	if (got < 0)
		return -1;
	target[got] = '\0';
	slash = strrchr(target, '/');
	return slash != NULL ? atoi(slash + 1) : -1;
}

static void
make_link(const char *target, const char *name)
{
	char path[PATH_LEN];

	full(path, name);
	if (symlink(target, path) != 0)
		fprintf(stderr, "fake kernel: cannot link %s\n", path);
}

static void
drop(const char *name)
{
	char path[PATH_LEN];

	full(path, name);
	unlink(path);
}

/* Devices */

#define DEV "/sys/bus/pci/devices/%.32s"
#define NAME(name, ...) \
	char name[PATH_MAX]; \
	snprintf(name, sizeof(name), __VA_ARGS__)

/* The interface comes and goes with the driver that makes it. */
static void
move_net(const char *addr, const char *from, const char *to)
{
	char old[PATH_LEN], new[PATH_LEN];

	NAME(a, DEV "/%s", addr, from);
	NAME(b, DEV "/%s", addr, to);
	full(old, a);
	full(new, b);
	if (rename(old, new) != 0 && errno != ENOENT)
		fprintf(stderr, "fake kernel: cannot rename %s\n", old);
}

static void
group_file(const char *addr, int make)
{
	NAME(link, DEV "/iommu_group", addr);
	int group = link_number(link);
	NAME(file, "/dev/vfio/%d", group);
	if (group >= 0 && make)
		put(file, "");
	else if (group >= 0)
		drop(file);
}

static int
refusal(const char *addr, const char *driver)
{
	char path[PATH_LEN], line[128], who[64];
	int err = 0, found = 0;
	FILE *f;

	NAME(name, DEV "/.refuse", addr);
	full(path, name);
	f = fopen(path, "r");
	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		if (sscanf(line, "%63s %d", who, &err) == 2 && strcmp(who, driver) == 0)
			found = err;
	if (f != NULL)
		fclose(f);
	return -found;
}

static int
bind_device(const char *addr, const char *driver)
{
	char override[64], home[64];
	int err;

	NAME(link, DEV "/driver", addr);
	NAME(over, DEV "/driver_override", addr);
	NAME(home_name, DEV "/.home", addr);
	NAME(back, "/sys/bus/pci/drivers/%s/%.32s", driver, addr);
	NAME(target, "../../drivers/%s", driver);
	NAME(device, "../../devices/%.32s", addr);
	NAME(group, DEV "/iommu_group", addr);
	get(over, override, sizeof(override));
	get(home_name, home, sizeof(home));
	if (exists(link))
		return -EBUSY;
	if (strcmp(override, driver) != 0 &&
	    (strcmp(override, "(null)") != 0 || strcmp(home, driver) != 0))
		return -ENODEV;
	err = refusal(addr, driver);
	if (err != 0)
		return err;
	if (strcmp(driver, "vfio-pci") == 0 && !exists(group))
		return -EINVAL;
	make_link(target, link);
	make_link(device, back);
	if (strcmp(home, driver) == 0)
		move_net(addr, ".net", "net");
	if (strcmp(driver, "vfio-pci") == 0)
		group_file(addr, 1);
	return 0;
}

static int
unbind_device(const char *addr, const char *driver)
{
	char home[64];

	NAME(link, DEV "/driver", addr);
	NAME(home_name, DEV "/.home", addr);
	NAME(back, "/sys/bus/pci/drivers/%s/%.32s", driver, addr);
	if (!exists(back))
		return -ENODEV;
	get(home_name, home, sizeof(home));
	drop(link);
	drop(back);
	if (strcmp(home, driver) == 0)
		move_net(addr, "net", ".net");
	if (strcmp(driver, "vfio-pci") == 0)
		group_file(addr, 0);
	return 0;
}

static int
probe_device(const char *addr)
{
	char override[64], home[64];

	NAME(over, DEV "/driver_override", addr);
	NAME(home_name, DEV "/.home", addr);
	get(over, override, sizeof(override));
	get(home_name, home, sizeof(home));
	NAME(driver, "%s", strcmp(override, "(null)") == 0 ? home : override);
	NAME(folder, "/sys/bus/pci/drivers/%.64s", driver);
	/* Nobody to take it is no error. */
	if (driver[0] != '\0' && exists(folder))
		bind_device(addr, driver);
	return 0;
}

static int
set_pages(const char *name, const char *text)
{
	char folder[PATH_MAX], word[32];
	long pages = atol(text), limit, total, free_pages;

	snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(name, '/') - name), name);
	NAME(limit_name, "%.2000s/.limit", folder);
	NAME(free_name, "%.2000s/free_hugepages", folder);
	get(limit_name, word, sizeof(word));
	limit = word[0] != '\0' ? atol(word) : LONG_MAX;
	get(name, word, sizeof(word));
	total = atol(word);
	get(free_name, word, sizeof(word));
	free_pages = atol(word);
	if (pages > limit)
		pages = limit;
	snprintf(word, sizeof(word), "%ld", pages);
	put(name, word);
	snprintf(word, sizeof(word), "%ld", free_pages + pages - total);
	put(free_name, word);
	return 0;
}

/* What the program writes */

static int
fake_write(const char *path, const char *text)
{
	const char *name = path + strlen(root);
	char driver[64], verb[16], addr[64];

	log_line(name, text);
	if (!exists(name))
		return -ENOENT;
	if (sscanf(name, "/sys/bus/pci/devices/%63[^/]/driver_overrid%15[e]", addr, verb) == 2) {
		put(name, strcmp(text, "\n") == 0 ? "(null)" : text);
		return 0;
	}
	if (strcmp(name, "/sys/bus/pci/drivers_probe") == 0)
		return probe_device(text);
	if (sscanf(name, "/sys/bus/pci/drivers/%63[^/]/%15[a-z]", driver, verb) == 2)
		return strcmp(verb, "bind") == 0 ? bind_device(text, driver) :
						   unbind_device(text, driver);
	if (strstr(name, "/nr_hugepages") != NULL)
		return set_pages(name, text);
	put(name, text);
	return 0;
}

static void
new_driver(const char *name)
{
	char path[PATH_LEN];

	NAME(folder, "/sys/bus/pci/drivers/%.64s", name);
	NAME(bind, "%.2000s/bind", folder);
	NAME(unbind, "%.2000s/unbind", folder);
	full(path, folder);
	mkdir(path, 0755);
	put(bind, "");
	put(unbind, "");
}

/* modprobe of a module that the tree lists; hugeadm. */
static int
fake_run(const char *const *argv)
{
	char dep[65536], path[PATH_LEN], line[256] = "";
	size_t i;
	FILE *f;

	for (i = 0; argv[i] != NULL; i++)
		snprintf(line + strlen(line), sizeof(line) - strlen(line), " %s", argv[i]);
	log_line("run", line + 1);
	if (strcmp(argv[0], "modprobe") != 0 || exists("/.programs-fail"))
		return exists("/.programs-fail") ? 1 : 0;
	full(path, "/lib/modules/6.1.0/modules.dep");
	f = fopen(path, "r");
	if (f == NULL)
		return 1;
	dep[fread(dep, 1, sizeof(dep) - 1, f)] = '\0';
	fclose(f);
	NAME(file, "/%s.ko", argv[1]);
	if (strstr(dep, file) == NULL)
		return 1;
	new_driver(argv[1]);
	return 0;
}

int
main(int argc, char **argv)
{
	int i;

	for (i = 1; i + 1 < argc; i++)
		if (strcmp(argv[i], "--sysroot") == 0)
			root = argv[i + 1];
	if (root[0] == '\0') {
		fprintf(stderr, "fake kernel: needs --sysroot\n");
		return 2;
	}
	pb_kernel_write = fake_write;
	pb_kernel_run = fake_run;
	return pb_program(argc, argv);
}
