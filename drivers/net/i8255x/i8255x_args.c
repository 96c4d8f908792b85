/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* Device arguments: -a 0000:03:00.0,selftest=1,wol=magic. Keys are listed in I8255X_ARGS_HELP. */

#include <stdlib.h>
#include <string.h>

#include <rte_kvargs.h>

#include "i8255x.h"

#define HANG_MS		2000
#define HANG_MS_MAX	60000

static const char *const keys[] = { "hang_ms", "selftest", "standby", "wol", NULL };

static int
set_hang_ms(const struct pw_dev *dev, const char *key, const char *value, uint32_t *out)
{
	char *end;
	unsigned long v = strtoul(value, &end, 10);

	if (value[0] < '0' || value[0] > '9' || *end != '\0' || v > HANG_MS_MAX) {
		PW_LOG(ERR, "%s: %s=%s: milliseconds from 1 to 60000, or 0 for never", dev->name,
		       key, value);
		return -EINVAL;
	}
	*out = v;
	return 0;
}

/* One of two words, the second of which is the default. */
static int
set_word(const struct pw_dev *dev, const struct rte_kvargs_pair *pair, const char *word,
	 const char *other, bool *out)
{
	*out = strcmp(pair->value, word) == 0;
	if (*out || strcmp(pair->value, other) == 0)
		return 0;
	PW_LOG(ERR, "%s: %s=%s: %s or %s", dev->name, pair->key, pair->value, word, other);
	return -EINVAL;
}

/* One key at a time; the library hands them in order of the text. */
static int
set_one(const struct pw_dev *dev, struct i8255x_args *args, struct rte_kvargs_pair *pair)
{
	static char none[] = "";

	if (pair->value == NULL)
		pair->value = none;
	if (strcmp(pair->key, "hang_ms") == 0)
		return set_hang_ms(dev, pair->key, pair->value, &args->hang_ms);
	if (strcmp(pair->key, "selftest") == 0)
		return set_word(dev, pair, "1", "0", &args->selftest);
	if (strcmp(pair->key, "standby") == 0)
		return set_word(dev, pair, "off", "keep", &args->standby_off);
	return set_word(dev, pair, "magic", "off", &args->wol);
}

/**
 * Read a device's arguments, or set the defaults.
 *
 * @return 0; -EINVAL after one log line that says what would do.
 */
int
i8255x_args_parse(const struct pw_dev *dev, struct i8255x_args *args)
{
	struct rte_kvargs *list;
	int rc = 0;

	*args = (struct i8255x_args){ .hang_ms = HANG_MS };
	if (dev->devargs == NULL || dev->devargs->args == NULL || dev->devargs->args[0] == '\0')
		return 0;
	list = rte_kvargs_parse(dev->devargs->args, keys);
	if (list == NULL) {
		PW_LOG(ERR, "%s: arguments \"%s\": keys are: %s", dev->name, dev->devargs->args,
		       I8255X_ARGS_HELP);
		return -EINVAL;
	}
	for (unsigned int i = 0; i < list->count && rc == 0; i++)
		rc = set_one(dev, args, &list->pairs[i]);
	rte_kvargs_free(list);
	return rc;
}
