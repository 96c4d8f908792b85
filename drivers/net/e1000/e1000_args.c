/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* Device arguments: -a 0000:03:00.0,selftest=1,wol=magic. Keys are listed in E1000_ARGS_HELP. */

#include <stdlib.h>
#include <string.h>

#include <rte_kvargs.h>

#include "e1000.h"

#define HANG_MS		2000
#define HANG_MS_MAX	60000

static const char *const keys[] = { "hang_ms", "selftest", "wol", "claim", NULL };

static int
bad_value(const struct pw_dev *dev, const char *key, const char *value, const char *want)
{
	PW_LOG(ERR, "%s: %s=%s: %s", dev->name, key, value, want);
	return -EINVAL;
}

static int
set_bool(const struct pw_dev *dev, const char *key, const char *value, bool *out)
{
	*out = strcmp(value, "1") == 0;
	return *out || strcmp(value, "0") == 0 ? 0 : bad_value(dev, key, value, "0 or 1");
}

static int
set_hang_ms(const struct pw_dev *dev, const char *key, const char *value, uint32_t *out)
{
	char *end;
	unsigned long v = strtoul(value, &end, 10);

	if (value[0] < '0' || value[0] > '9' || *end != '\0' || v > HANG_MS_MAX)
		return bad_value(dev, key, value, "milliseconds from 1 to 60000, or 0 for never");
	*out = v;
	return 0;
}

static int
set_wol(const struct pw_dev *dev, const char *key, const char *value, bool *out)
{
	*out = strcmp(value, "magic") == 0;
	return *out || strcmp(value, "off") == 0 ? 0 : bad_value(dev, key, value, "magic or off");
}

/* One key at a time; the library hands them in order of the text. */
static int
set_one(const struct pw_dev *dev, struct e1000_args *args, const struct rte_kvargs_pair *pair)
{
	const char *key = pair->key, *value = pair->value == NULL ? "" : pair->value;

	if (strcmp(key, "hang_ms") == 0)
		return set_hang_ms(dev, key, value, &args->hang_ms);
	if (strcmp(key, "selftest") == 0)
		return set_bool(dev, key, value, &args->selftest);
	if (strcmp(key, "wol") == 0)
		return set_wol(dev, key, value, &args->wol);
	return set_bool(dev, key, value, &args->claim);
}

/**
 * Read a device's arguments, or set the defaults.
 *
 * @return 0; -EINVAL after one log line that says what would do.
 */
int
e1000_args_parse(const struct pw_dev *dev, struct e1000_args *args)
{
	struct rte_kvargs *list;
	int rc = 0;

	*args = (struct e1000_args){ .hang_ms = HANG_MS, .claim = true };
	if (dev->devargs == NULL || dev->devargs->args == NULL || dev->devargs->args[0] == '\0')
		return 0;
	list = rte_kvargs_parse(dev->devargs->args, keys);
	if (list == NULL) {
		PW_LOG(ERR, "%s: arguments \"%s\": keys are: %s", dev->name, dev->devargs->args,
		       E1000_ARGS_HELP);
		return -EINVAL;
	}
	for (unsigned int i = 0; i < list->count && rc == 0; i++)
		rc = set_one(dev, args, &list->pairs[i]);
	rte_kvargs_free(list);
	return rc;
}
