/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "change.h"
#include "doctor.h"
#include "sysfs.h"

static const char *const severity_names[] = {
	[PB_FINE] = "ok",
	[PB_NOTE] = "note",
	[PB_WARNING] = "warning",
	[PB_BLOCKER] = "blocker",
};

struct pb_finding *
pb_find(struct pb_checkup *c, enum pb_severity severity, const char *id, const char *format, ...)
{
	unsigned int at = c->nb < PB_MAX_FINDINGS ? c->nb++ : PB_MAX_FINDINGS - 1;
	struct pb_finding *f = &c->finding[at];
	va_list ap;

	memset(f, 0, sizeof(*f));
	f->severity = severity;
	f->id = id;
	va_start(ap, format);
	vsnprintf(f->what, sizeof(f->what), format, ap);
	va_end(ap);
	return f;
}

bool
pb_of_interest(const struct pb_checkup *c, const struct pb_fn *fn)
{
	if (c->nb_named != 0)
		return fn->chosen;
	return pb_is_network(fn) &&
	       (fn->chip.support != PB_SUPPORT_NONE || pb_is_userspace(fn->driver));
}

static void
look_at_all(struct pb_checkup *c)
{
	pb_huge_look(&c->huge);
	pb_iommu_look(&c->iommu_facts);
	c->iommu = pb_iommu_decide(&c->iommu_facts);
	pb_check_container(c);
	pb_check_iommu(c);
	pb_check_modules(c);
	pb_check_lockdown(c);
	pb_check_cards(c);
	pb_check_hugepages(c);
	pb_check_memlock(c);
}

static void
fix_all(struct pb_checkup *c)
{
	unsigned int i;
	int ret;

	for (i = 0; i < c->nb; i++) {
		struct pb_finding *f = &c->finding[i];

		if (f->fix == NULL)
			continue;
		ret = f->fix(f);
		if (ret == 0)
			f->fixed = !pb_is_dry();
		else
			pb_say("cannot cure \"%s\": %s", f->what, strerror(-ret));
	}
}

static enum pb_severity
worst(const struct pb_checkup *c)
{
	enum pb_severity severity = PB_FINE;
	unsigned int i;

	for (i = 0; i < c->nb; i++)
		if (!c->finding[i].fixed && c->finding[i].severity > severity)
			severity = c->finding[i].severity;
	return severity;
}

static void
print_text(const struct pb_checkup *c)
{
	unsigned int i;

	for (i = 0; i < c->nb; i++) {
		const struct pb_finding *f = &c->finding[i];

		printf("%-8s %s\n", f->fixed ? "cured" : severity_names[f->severity], f->what);
		if (f->cure[0] != '\0' && !f->fixed)
			printf("      -> %s\n", f->cure);
	}
}

static void
print_json(const struct pb_checkup *c)
{
	json_t *array = json_array(), *object;
	unsigned int i;

	for (i = 0; i < c->nb; i++) {
		const struct pb_finding *f = &c->finding[i];

		object = json_object();
		json_object_set_new(object, "id", json_string(f->id));
		json_object_set_new(object, "severity", json_string(severity_names[f->severity]));
		json_object_set_new(object, "what", json_string(f->what));
		json_object_set_new(object, "cure", f->cure[0] != '\0' ? json_string(f->cure) :
				    json_null());
		json_object_set_new(object, "safe", json_boolean(f->fix != NULL));
		json_object_set_new(object, "fixed", json_boolean(f->fixed));
		json_array_append_new(array, object);
	}
	json_dumpf(array, stdout, JSON_INDENT(2));
	printf("\n");
	json_decref(array);
}

static int
choose(struct pb_checkup *c, const struct pb_args *args)
{
	struct pb_fn **fn = calloc(c->machine.nb + 1, sizeof(*fn));
	int nb = fn != NULL ? pb_choose(&c->machine, args, fn) : -1;

	free(fn);
	c->nb_named = nb;
	return nb;
}

enum pb_status
pb_doctor(const struct pb_args *args)
{
	struct pb_checkup *c = calloc(1, sizeof(*c));
	enum pb_status status = PB_FAILED;

	if (c == NULL || pb_machine_load(&c->machine) != 0) {
		free(c);
		return PB_FAILED;
	}
	if (choose(c, args) < 0) {
		status = PB_USAGE;
		goto out;
	}
	look_at_all(c);
	if (args->fix)
		fix_all(c);
	(args->json ? print_json : print_text)(c);
	switch (worst(c)) {
	case PB_BLOCKER:
		status = PB_BLOCKED;
		break;
	case PB_WARNING:
		status = PB_WARNINGS;
		break;
	default:
		status = PB_OK;
	}
out:
	pb_machine_free(&c->machine);
	free(c);
	return status;
}
