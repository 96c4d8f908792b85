/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pw_machine.h"

#define LIST_LEN 4096u		/* every second of PW_MAX_CPUS CPUs, and more */
#define HUGE_SHIFT_POS 26	/* MFD_HUGE_SHIFT: log2 of the page size in memfd_create's flags */

static bool
listed(const unsigned int *cpus, unsigned int nb, unsigned long cpu)
{
	unsigned int i;

	for (i = 0; i < nb; i++)
		if (cpus[i] == cpu)
			return true;
	return false;
}

/* A number below PW_MAX_CPUS. NULL if there is none. */
static const char *
read_cpu(const char *p, unsigned long *cpu)
{
	char *end;

	if (!isdigit((unsigned char)*p))
		return NULL;
	*cpu = strtoul(p, &end, 10);
	return *cpu < PW_MAX_CPUS ? end : NULL;
}

int
pw_cpu_list_parse(const char *text, unsigned int *cpus)
{
	unsigned long first, last;
	unsigned int nb = 0;
	const char *p = text;

	for (;;) {
		p = read_cpu(p, &first);
		if (p == NULL)
			return -EINVAL;
		last = first;
		if (*p == '-')
			p = read_cpu(p + 1, &last);
		if (p == NULL || last < first)
			return -EINVAL;
		for (; first <= last; first++)
			if (!listed(cpus, nb, first))
				cpus[nb++] = first;
		if (*p == '\0')
			return nb;
		if (*p++ != ',')
			return -EINVAL;
	}
}

unsigned int
pw_cpus_allowed(unsigned int *cpus)
{
	unsigned int nb = 0, i;
	cpu_set_t set;

	CPU_ZERO(&set);
	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return 0;
	for (i = 0; i < PW_MAX_CPUS && i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set))
			cpus[nb++] = i;
	return nb;
}

void
pw_cpu_list_format(const unsigned int *cpus, unsigned int nb, char *text, size_t len)
{
	unsigned int i, last;
	size_t at = 0;

	text[0] = '\0';
	for (i = 0; i < nb && at < len; i = last + 1) {
		for (last = i; last + 1 < nb && cpus[last + 1] == cpus[last] + 1; last++)
			;
		at += snprintf(text + at, len - at, last == i ? "%s%u" : "%s%u-%u",
			       i == 0 ? "" : ",", cpus[i], cpus[last]);
	}
}

void
pw_lcores_format(const unsigned int *allowed, unsigned int nb_allowed, const unsigned int *cpus,
		 unsigned int nb, unsigned int workers, char *text, size_t len)
{
	unsigned int left[PW_MAX_CPUS], nb_left = 0, used = workers < nb ? workers : nb, i;
	char list[LIST_LEN];
	size_t at;

	if (workers == 0) {
		snprintf(text, len, "0@%u", cpus[0]);
		return;
	}
	for (i = 0; i < nb_allowed; i++)
		if (!listed(cpus, used, allowed[i]))
			left[nb_left++] = allowed[i];
	if (nb_left > 0)
		pw_cpu_list_format(left, nb_left, list, sizeof(list));
	else
		pw_cpu_list_format(cpus, used, list, sizeof(list));
	at = snprintf(text, len, "0@(%s)", list);
	for (i = 0; i < workers && at < len; i++)
		at += snprintf(text + at, len - at, ",%u@%u", i + 1, cpus[i % nb]);
}

/* Free pages of the size that a folder name like "hugepages-2048kB" states; 0 if it is none. */
static uint64_t
free_pages(const char *sysfs, const char *name, uint64_t *kb)
{
	char path[PATH_MAX];
	uint64_t pages = 0;
	FILE *f;

	if (sscanf(name, "hugepages-%lukB", kb) != 1)
		return 0;
	snprintf(path, sizeof(path), "%s/kernel/mm/hugepages/%s/free_hugepages", sysfs, name);
	f = fopen(path, "re");
	if (f == NULL)
		return 0;
	if (fscanf(f, "%lu", &pages) != 1)
		pages = 0;
	fclose(f);
	return pages;
}

/* In-memory EAL takes its pages the same way. Mapping reserves the page; nothing touches it. */
static bool
can_take_page(uint64_t kb)
{
	unsigned int shift = __builtin_ctzll(kb) + 10;
	void *page = MAP_FAILED;
	int fd;

	fd = memfd_create("pollwire-probe", MFD_CLOEXEC | MFD_HUGETLB | shift << HUGE_SHIFT_POS);
	if (fd < 0)
		return false;
	if (ftruncate(fd, kb * 1024) == 0)
		page = mmap(NULL, kb * 1024, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page != MAP_FAILED)
		munmap(page, kb * 1024);
	close(fd);
	return page != MAP_FAILED;
}

static uint64_t
scan_hugepages(const char *sysfs, bool *permitted)
{
	char path[PATH_MAX];
	uint64_t kb, pages, total_kb = 0;
	struct dirent *e;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/kernel/mm/hugepages", sysfs);
	dir = opendir(path);
	if (dir == NULL)
		return 0;
	while ((e = readdir(dir)) != NULL) {
		pages = free_pages(sysfs, e->d_name, &kb);
		total_kb += pages * kb;
		if (permitted != NULL && pages > 0 && !*permitted)
			*permitted = can_take_page(kb);
	}
	closedir(dir);
	return total_kb / 1024;
}

uint64_t
pw_hugepages_free_mb(const char *sysfs)
{
	return scan_hugepages(sysfs, NULL);
}

bool
pw_hugepages_permitted(const char *sysfs)
{
	bool permitted = false;

	scan_hugepages(sysfs, &permitted);
	return permitted;
}
