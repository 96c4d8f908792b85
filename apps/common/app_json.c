/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app_json.h"

void
app_json_count(json_t *object, const char *key, uint64_t value)
{
	json_object_set_new(object, key, json_integer(value));
}

int
app_json_check(const char *path)
{
	struct stat st;
	bool there = stat(path, &st) == 0;
	int fd;

	if (strcmp(path, "-") == 0)
		return 0;
	/* A pipe that is opened and closed again has ended for its reader. */
	if (there && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return access(path, W_OK) == 0 ? 0 : -errno;
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	close(fd);
	if (!there)
		unlink(path);
	return 0;
}

int
app_json_write(const char *path, json_t *object)
{
	const size_t flags = JSON_INDENT(2) | JSON_REAL_PRECISION(12);
	bool standard = strcmp(path, "-") == 0;
	FILE *f = standard ? stdout : fopen(path, "we");
	int ret = 0;

	if (f == NULL) {
		ret = -errno;
	} else {
		errno = 0;
		if (json_dumpf(object, f, flags) != 0 || fputc('\n', f) == EOF || fflush(f) != 0)
			ret = -(errno != 0 ? errno : EIO);
		if (!standard && fclose(f) != 0 && ret == 0)
			ret = -errno;
	}
	json_decref(object);
	return ret;
}
