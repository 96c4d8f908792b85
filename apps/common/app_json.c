/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "app_json.h"

void
app_json_count(json_t *object, const char *key, uint64_t value)
{
	json_object_set_new(object, key, json_integer(value));
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
