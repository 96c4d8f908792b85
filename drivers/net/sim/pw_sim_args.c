/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The sim's arguments. rte_kvargs takes the last of two `=` for the end of the key, so that
 * wire=pcap:in=FILE would come out as a key "pcap:in"; hence a splitter of our own.
 */

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_ether.h>

#include "pw_sim_args.h"

#define AUTONEG_MS_MAX 60000u

struct sim_text {
	char *err;
	size_t errlen;
};

struct sim_key {
	const char *name;
	int (*set)(struct sim_args *args, const char *key, char *val, const struct sim_text *t);
};

static int sim_fail(const struct sim_text *t, const char *fmt, ...) __rte_format_printf(2, 3);

static int
sim_fail(const struct sim_text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(t->err, t->errlen, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

/* Names from `name(0)` on, up to NULL, as one list. */
static void
list_names(const char *(*name)(unsigned int), char *buf, size_t len)
{
	size_t at = 0;
	unsigned int i;

	buf[0] = '\0';
	for (i = 0; name(i) != NULL && at < len; i++)
		at += (size_t)snprintf(buf + at, len - at, " %s", name(i));
}

static int
number(const char *key, const char *val, uint32_t min, uint32_t max, uint32_t *out,
       const struct sim_text *t)
{
	unsigned long v;
	char *end;

	errno = 0;
	v = strtoul(val, &end, 10);
	if (val[0] < '0' || val[0] > '9' || *end != '\0' || errno != 0 || v < min || v > max)
		return sim_fail(t, "%s=%s: a number from %u to %u", key, val, min, max);
	*out = (uint32_t)v;
	return 0;
}

static int
on_off(const char *key, const char *val, bool *out, const struct sim_text *t)
{
	*out = strcmp(val, "on") == 0;
	if (!*out && strcmp(val, "off") != 0)
		return sim_fail(t, "%s=%s: on or off", key, val);
	return 0;
}

/* --- one function a key ------------------------------------------------------- */

static int
set_chip(struct sim_args *args, const char *key, char *val, const struct sim_text *t)
{
	char names[512];
	unsigned int i;

	for (i = 0; pw_model_chip_name(i) != NULL; i++) {
		if (strcmp(pw_model_chip_name(i), val) == 0) {
			snprintf(args->chip, sizeof(args->chip), "%s", val);
			return 0;
		}
	}
	list_names(pw_model_chip_name, names, sizeof(names));
	return sim_fail(t, "%s=%s: no such chip; there are:%s", key, val, names);
}

static int
set_wire(struct sim_args *args, const char *key, char *val, const struct sim_text *t)
{
	if (strlen(val) >= sizeof(args->wire))
		return sim_fail(t, "%s=%.40s...: too long", key, val);
	strcpy(args->wire, val);
	return 0;
}

/* The comma of pcap:in=FILE,out=FILE has made the second half a key of its own. */
static int
set_wire_file(struct sim_args *args, const char *key, char *val, const struct sim_text *t)
{
	size_t at = strlen(args->wire);

	if (strncmp(args->wire, "pcap:", 5) != 0)
		return sim_fail(t, "%s=%s: only after wire=pcap:...", key, val);
	if (at + strlen(key) + strlen(val) + sizeof(",=") > sizeof(args->wire))
		return sim_fail(t, "%s=%.40s...: too long", key, val);
	sprintf(args->wire + at, ",%s=%s", key, val);
	return 0;
}

static int
set_mac(struct sim_args *args, const char *key, char *val, const struct sim_text *t)
{
	struct rte_ether_addr mac;

	if (rte_ether_unformat_addr(val, &mac) != 0 || !rte_is_valid_assigned_ether_addr(&mac))
		return sim_fail(t, "%s=%s: a unicast address such as 02:00:00:00:00:01", key, val);
	memcpy(args->mac, mac.addr_bytes, sizeof(args->mac));
	args->has_mac = true;
	return 0;
}

static int
set_pace(struct sim_args *args, const char *key, char *val, const struct sim_text *t)
{
	return on_off(key, val, &args->pace, t);
}

static int
set_async(struct sim_args *args, const char *key, char *val, const struct sim_text *t)
{
	return on_off(key, val, &args->async, t);
}

static int
set_iommu(struct sim_args *args, const char *key, char *val, const struct sim_text *t)
{
	return on_off(key, val, &args->iommu, t);
}

static int
set_buffer(struct sim_args *args, const char *key, char *val, const struct sim_text *t)
{
	return number(key, val, 1u << 10, 64u << 20, &args->buffer, t);
}

static int
set_autoneg(struct sim_args *args, const char *key, char *val, const struct sim_text *t)
{
	return number(key, val, 0, AUTONEG_MS_MAX, &args->autoneg_ms, t);
}

static int
set_fault(struct sim_args *args, const char *key, char *val, const struct sim_text *t)
{
	char names[512];
	char *save = NULL;
	char *word, *arg;
	uint32_t n;
	int fault;

	for (word = strtok_r(val, "+", &save); word != NULL; word = strtok_r(NULL, "+", &save)) {
		n = 1;
		arg = strchr(word, ':');
		if (arg != NULL)
			*arg++ = '\0';
		fault = pw_fault_by_name(word);
		if (fault < 0) {
			list_names(pw_fault_name, names, sizeof(names));
			return sim_fail(t, "%s=%s: no such fault; there are:%s", key, word, names);
		}
		if (arg != NULL && number(word, arg, 0, UINT32_MAX, &n, t) != 0)
			return -EINVAL;
		args->fault[fault] = n;
	}
	return 0;
}

/* What a card's driver is told behind the PCI address; '+' stands for the comma. */
static int
set_driver(struct sim_args *args, const char *key, char *val, const struct sim_text *t)
{
	if (strlen(val) >= sizeof(args->driver))
		return sim_fail(t, "%s=%.40s...: too long", key, val);
	strcpy(args->driver, val);
	for (char *p = args->driver; *p != '\0'; p++)
		if (*p == '+')
			*p = ',';
	return 0;
}

static const struct sim_key keys[] = {
	{ "chip", set_chip },
	{ "wire", set_wire },
	{ "in", set_wire_file },
	{ "out", set_wire_file },
	{ "mac", set_mac },
	{ "pace", set_pace },
	{ "async", set_async },
	{ "iommu", set_iommu },
	{ "buffer", set_buffer },
	{ "autoneg_ms", set_autoneg },
	{ "fault", set_fault },
	{ "driver", set_driver },
};

/* --- the line ------------------------------------------------------------------ */

static int
set_pair(struct sim_args *args, char *pair, uint32_t *seen, const struct sim_text *t)
{
	char *val = strchr(pair, '=');
	unsigned int i;

	if (val == NULL || val[1] == '\0')
		return sim_fail(t, "%s: expected key=value; keys are: %s", pair, SIM_ARGS_HELP);
	*val++ = '\0';
	for (i = 0; i < RTE_DIM(keys); i++) {
		if (strcmp(keys[i].name, pair) != 0)
			continue;
		if ((*seen & RTE_BIT32(i)) != 0)
			return sim_fail(t, "%s= is given twice", pair);
		*seen |= RTE_BIT32(i);
		return keys[i].set(args, pair, val, t);
	}
	return sim_fail(t, "%s=: no such key; keys are: %s", pair, SIM_ARGS_HELP);
}

int
sim_args_parse(const char *text, struct sim_args *args, char *err, size_t errlen)
{
	const struct sim_text t = { err, errlen };
	char *copy = strdup(text);
	char *save = NULL;
	uint32_t seen = 0;
	char *pair;
	int rc = 0;

	if (copy == NULL)
		return sim_fail(&t, "no memory");
	memset(args, 0, sizeof(*args));
	args->iommu = true;
	for (pair = strtok_r(copy, ",", &save); pair != NULL && rc == 0;
	     pair = strtok_r(NULL, ",", &save))
		rc = set_pair(args, pair, &seen, &t);
	free(copy);
	if (rc == 0 && args->chip[0] == '\0') {
		char names[512];

		list_names(pw_model_chip_name, names, sizeof(names));
		return sim_fail(&t, "chip= is missing; there are:%s", names);
	}
	return rc;
}
