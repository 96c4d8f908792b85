/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _APP_JSON_H_
#define _APP_JSON_H_

/**
 * @file
 * Reports for programs. No EAL. What memory is lacking for is left out of the object.
 */

#include <stdint.h>

#include <jansson.h>

/** Set a counter. */
void app_json_count(json_t *object, const char *key, uint64_t value);

/**
 * Whether a report could be written there, before there is one. The file is left as it is.
 *
 * @return
 *   0, -errno.
 */
int app_json_check(const char *path);

/**
 * Write an object, and let go of it.
 *
 * @param path
 *   File, or "-" for standard output.
 * @return
 *   0, -errno.
 */
int app_json_write(const char *path, json_t *object);

#endif /* _APP_JSON_H_ */
