/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rte_devargs.h>
#include <rte_kvargs.h>

#include "pw_args.h"
#include "pw_log.h"

static int
set_word(const struct pw_dev *dev, const struct pw_arg *arg, const char *value, bool *out)
{
	*out = strcmp(value, arg->on) == 0;
	if (*out || strcmp(value, arg->off) == 0)
		return 0;
	PW_LOG(ERR, "%s: %s=%s: %s or %s", dev->name, arg->key, value, arg->on, arg->off);
	return -EINVAL;
}

static int
set_number(const struct pw_dev *dev, const struct pw_arg *arg, const char *value, uint32_t *out)
{
	char *end;
	unsigned long v = strtoul(value, &end, 10);

	if (value[0] < '0' || value[0] > '9' || *end != '\0' || v > arg->max) {
		PW_LOG(ERR, "%s: %s=%s: %s", dev->name, arg->key, value, arg->want);
		return -EINVAL;
	}
	*out = v;
	return 0;
}

static int
set_one(const struct pw_dev *dev, const struct pw_arg *arg, const char *value, void *args)
{
	void *field = (char *)args + arg->offset;

	if (value == NULL)
		value = "";
	return arg->on != NULL ? set_word(dev, arg, value, field) :
				 set_number(dev, arg, value, field);
}

static const struct pw_arg *
find(const struct pw_arg *table, unsigned int n, const char *key)
{
	for (unsigned int i = 0; i < n; i++)
		if (strcmp(key, table[i].key) == 0)
			return &table[i];
	return NULL;
}

static bool
all_known(const struct rte_kvargs *list, const struct pw_arg *table, unsigned int n)
{
	for (unsigned int i = 0; i < list->count; i++)
		if (find(table, n, list->pairs[i].key) == NULL)
			return false;
	return true;
}

int
pw_args_parse(const struct pw_dev *dev, const struct pw_arg *table, unsigned int n,
	      const char *help, void *args)
{
	const char *text = dev->devargs == NULL ? NULL : dev->devargs->args;
	struct rte_kvargs *list;
	int rc = 0;

	if (text == NULL || text[0] == '\0')
		return 0;
	list = rte_kvargs_parse(text, NULL);
	if (list == NULL || !all_known(list, table, n)) {
		PW_LOG(ERR, "%s: arguments \"%s\": keys are: %s", dev->name, text, help);
		rc = -EINVAL;
	}
	for (unsigned int i = 0; rc == 0 && i < list->count; i++)
		rc = set_one(dev, find(table, n, list->pairs[i].key), list->pairs[i].value, args);
	rte_kvargs_free(list);
	return rc;
}
