/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "change.h"
#include "iommu.h"
#include "judge.h"
#include "status.h"

#define NB_COLUMNS 8
#define MAX_CELL 28

/* How things stand with one function. */
struct view {
	const struct pb_fn *fn;
	const char *state;	/* a word for programs */
	const char *text;	/* the same for people */
	struct pb_judgement judgement;
	int holder;
	char others[PB_TEXT_LEN];
};

static void
view_bound(const struct pb_machine *m, struct view *v)
{
	char list[PB_TEXT_LEN], addrs[PB_TEXT_LEN];

	v->state = "bound";
	v->text = "ready for a program";
	v->holder = pb_fn_holder(v->fn);
	if (v->holder != 0) {
		v->state = "open";
		v->text = "in a program's hands";
		pb_add(v->judgement.why, "process %d has it open", v->holder);
	} else if (pb_is_vfio(v->fn->driver) && !v->fn->noiommu &&
		   pb_group_blockers(m, v->fn, list, addrs) > 0) {
		v->state = "not-viable";
		v->text = "bound, of no use";
		pb_add(v->judgement.why, "IOMMU group %d is not viable: the kernel keeps %s in it",
		       v->fn->group, list);
		pb_add(v->judgement.cure, "pollwire-bind bind%s", addrs);
	}
}

static void
view_fn(const struct pb_machine *m, const struct pb_fn *fn, struct view *v)
{
	memset(v, 0, sizeof(*v));
	v->fn = fn;
	pb_group_others(m, fn, v->others);
	if (pb_is_userspace(fn->driver)) {
		view_bound(m, v);
		return;
	}
	pb_judge(m, fn, PB_DEFAULT_DRIVER, false, &v->judgement);
	if (v->judgement.verdict == PB_MAY) {
		v->state = "can-bind";
		v->text = "can be bound";
	} else if (v->judgement.verdict == PB_MAY_IF_FORCED) {
		v->state = "needs-force";
		v->text = "not without --force";
	} else {
		v->state = "cannot-bind";
		v->text = "cannot be bound";
	}
}

static const char *
support(const struct pb_fn *fn)
{
	return pb_support_name(fn->chip.support);
}

/* Chips by the names that our drivers have for them, others as pci.ids calls them. */
static const char *
card(const struct pb_fn *fn)
{
	const char *name = fn->chip.name[0] != '\0' ? fn->chip.name : pb_fn_name(fn);

	return name[0] != '\0' ? name : "unknown";
}

static const char *
link_text(const struct pb_fn *fn)
{
	static char text[32];
	const struct pb_netif *netif = &fn->netif[0];

	if (fn->nb_netifs == 0)
		return "-";
	if (!netif->up)
		return "off";
	if (!netif->carrier)
		return "down";
	if (netif->mbps <= 0)
		return "up";
	snprintf(text, sizeof(text), "up %ld", netif->mbps);
	return text;
}

/* The table */

static void
put(char cell[MAX_CELL + 1], const char *text)
{
	size_t len = strnlen(text, MAX_CELL);

	memcpy(cell, text, len);
	cell[len] = '\0';
}

static void
head(char row[NB_COLUMNS][MAX_CELL + 1])
{
	static const char *const titles[NB_COLUMNS] = {
		"ADDRESS", "CARD", "SUPPORT", "DRIVER", "INTERFACE", "LINK", "GROUP", "STATE",
	};
	int i;

	for (i = 0; i < NB_COLUMNS; i++)
		put(row[i], titles[i]);
}

static void
cells(const struct view *v, char row[NB_COLUMNS][MAX_CELL + 1])
{
	const struct pb_fn *fn = v->fn;

	put(row[0], fn->addr);
	put(row[1], card(fn));
	put(row[2], support(fn));
	put(row[3], fn->driver[0] != '\0' ? fn->driver : "-");
	put(row[4], fn->nb_netifs > 0 ? fn->netif[0].name : "-");
	put(row[5], link_text(fn));
	put(row[6], "-");
	if (fn->group >= 0)
		snprintf(row[6], sizeof(row[6]), "%d", fn->group);
	put(row[7], v->text);
}

static void
widen(size_t *width, char row[NB_COLUMNS][MAX_CELL + 1])
{
	int i;

	for (i = 0; i < NB_COLUMNS; i++)
		if (strlen(row[i]) > width[i])
			width[i] = strlen(row[i]);
}

static void
print_row(const size_t *width, char row[NB_COLUMNS][MAX_CELL + 1])
{
	int i;

	for (i = 0; i < NB_COLUMNS - 1; i++)
		printf("%-*s  ", (int)width[i], row[i]);
	printf("%s\n", row[i]);
}

static void
print_network(const struct pb_machine *m, const char *interface)
{
	unsigned int nb = 0;
	size_t i;

	for (i = 0; i < m->net.nb_addrs; i++)
		if (strcmp(m->net.addr[i].interface, interface) == 0)
			printf("%s%s", nb++ > 0 ? ", " : "    addresses: ", m->net.addr[i].text);
	printf("%s", nb > 0 ? "\n" : "");
	nb = 0;
	for (i = 0; i < m->net.nb_routes; i++)
		if (strcmp(m->net.route[i].interface, interface) == 0)
			printf("%s%s", nb++ > 0 ? ", " : "    routes: ", m->net.route[i].text);
	printf("%s", nb > 0 ? "\n" : "");
}

static void
print_details(const struct pb_machine *m, const struct view *v)
{
	const struct pb_fn *fn = v->fn;
	size_t i;

	for (i = 0; i < fn->nb_netifs; i++)
		print_network(m, fn->netif[i].name);
	if (v->others[0] != '\0')
		printf("    IOMMU group %d with: %s\n", fn->group, v->others);
	if (v->judgement.why[0] != '\0')
		printf("    %s\n", v->judgement.why);
	if (v->judgement.cure[0] != '\0')
		printf("    -> %s\n", v->judgement.cure);
}

static void
print_table(const struct pb_machine *m, const struct view *views, size_t nb)
{
	char row[NB_COLUMNS][MAX_CELL + 1];
	size_t width[NB_COLUMNS] = {0}, i;

	head(row);
	widen(width, row);
	for (i = 0; i < nb; i++) {
		cells(&views[i], row);
		widen(width, row);
	}
	head(row);
	print_row(width, row);
	for (i = 0; i < nb; i++) {
		cells(&views[i], row);
		print_row(width, row);
		print_details(m, &views[i]);
	}
	if (nb == 0)
		printf("(no network card)\n");
}

/* JSON */

static json_t *
text_or_null(const char *text)
{
	return text[0] != '\0' ? json_string(text) : json_null();
}

static json_t *
json_interface(const struct pb_machine *m, const struct pb_netif *netif)
{
	json_t *addresses = json_array(), *routes = json_array(), *object = json_object();
	size_t i;

	for (i = 0; i < m->net.nb_addrs; i++)
		if (strcmp(m->net.addr[i].interface, netif->name) == 0)
			json_array_append_new(addresses, json_string(m->net.addr[i].text));
	for (i = 0; i < m->net.nb_routes; i++)
		if (strcmp(m->net.route[i].interface, netif->name) == 0)
			json_array_append_new(routes, json_string(m->net.route[i].text));
	json_object_set_new(object, "name", json_string(netif->name));
	json_object_set_new(object, "up", json_boolean(netif->up));
	json_object_set_new(object, "carrier", json_boolean(netif->carrier));
	json_object_set_new(object, "mbps", netif->mbps > 0 ? json_integer(netif->mbps) :
			    json_null());
	json_object_set_new(object, "addresses", addresses);
	json_object_set_new(object, "routes", routes);
	json_object_set_new(object, "default_route",
			    json_boolean(pb_net_default_route(&m->net, netif->name)));
	return object;
}

static json_t *
words(const char *list)
{
	char copy[PB_TEXT_LEN], *rest = copy, *word;
	json_t *array = json_array();

	snprintf(copy, sizeof(copy), "%s", list);
	while ((word = strsep(&rest, " ,")) != NULL)
		if (word[0] != '\0')
			json_array_append_new(array, json_string(word));
	return array;
}

static json_t *
json_id(unsigned int id)
{
	char text[16];

	snprintf(text, sizeof(text), "%04x", id);
	return json_string(text);
}

static void
json_card(json_t *object, const struct pb_fn *fn)
{
	json_object_set_new(object, "address", json_string(fn->addr));
	json_object_set_new(object, "vendor", json_id(fn->vendor));
	json_object_set_new(object, "device", json_id(fn->device));
	json_object_set_new(object, "subsystem_vendor", json_id(fn->subvendor));
	json_object_set_new(object, "subsystem_device", json_id(fn->subdevice));
	json_object_set_new(object, "name", text_or_null(pb_fn_name(fn)));
	json_object_set_new(object, "vendor_name", text_or_null(pb_fn_vendor_name(fn)));
	json_object_set_new(object, "family", text_or_null(fn->chip.family));
	json_object_set_new(object, "chip", text_or_null(fn->chip.name));
	json_object_set_new(object, "support", json_string(support(fn)));
	json_object_set_new(object, "driver", text_or_null(fn->driver));
	json_object_set_new(object, "driver_override", text_or_null(fn->override));
}

static json_t *
json_view(const struct pb_machine *m, const struct view *v)
{
	json_t *object = json_object(), *interfaces = json_array();
	char modules[PB_TEXT_LEN];
	unsigned int i;

	for (i = 0; i < v->fn->nb_netifs; i++)
		json_array_append_new(interfaces, json_interface(m, &v->fn->netif[i]));
	pb_fn_modules(v->fn, modules);
	json_card(object, v->fn);
	json_object_set_new(object, "modules", words(modules));
	json_object_set_new(object, "interfaces", interfaces);
	json_object_set_new(object, "iommu_group", v->fn->group >= 0 ?
			    json_integer(v->fn->group) : json_null());
	json_object_set_new(object, "iommu_group_shared_with", words(v->others));
	json_object_set_new(object, "state", json_string(v->state));
	json_object_set_new(object, "open_by", v->holder != 0 ? json_integer(v->holder) :
			    json_null());
	json_object_set_new(object, "reason", text_or_null(v->judgement.why));
	json_object_set_new(object, "cure", text_or_null(v->judgement.cure));
	return object;
}

static void
print_json(const struct pb_machine *m, const struct view *views, size_t nb)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < nb; i++)
		json_array_append_new(array, json_view(m, &views[i]));
	json_dumpf(array, stdout, JSON_INDENT(2));
	printf("\n");
	json_decref(array);
}

enum pb_status
pb_show_status(const struct pb_args *args)
{
	struct pb_fn **chosen = NULL;
	struct pb_machine m;
	struct view *views;
	int named = 0;
	size_t i, nb = 0;

	if (pb_machine_load(&m) != 0)
		return PB_FAILED;
	chosen = calloc(m.nb + 1, sizeof(*chosen));
	views = calloc(m.nb + 1, sizeof(*views));
	if (chosen != NULL && views != NULL)
		named = pb_choose(&m, args, chosen);
	for (i = 0; views != NULL && named >= 0 && i < m.nb; i++) {
		if (named > 0 ? !m.fn[i].chosen : !pb_is_network(&m.fn[i]))
			continue;
		/* Each is judged by itself: no other is to be taken along. */
		m.fn[i].chosen = false;
		views[nb++].fn = &m.fn[i];
	}
	for (i = 0; i < nb; i++)
		view_fn(&m, views[i].fn, &views[i]);
	if (named >= 0 && views != NULL)
		(args->json ? print_json : print_table)(&m, views, nb);
	free(chosen);
	free(views);
	pb_machine_free(&m);
	return named < 0 ? PB_USAGE : views == NULL ? PB_FAILED : PB_OK;
}
