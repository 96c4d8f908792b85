/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pw_port_spec.h"

static const char spec_help[] =
	"want a PCI address (0000:02:00.0), sim:CHIP,wire=NAME or vdev:NAME,ARGUMENTS";

/* Exactly `digits` hexadecimal digits, then `end`. */
static const char *
hex_field(const char *p, unsigned int digits, char end)
{
	while (digits-- > 0)
		if (!isxdigit((unsigned char)*p++))
			return NULL;
	return *p == end ? p + (end != '\0') : NULL;
}

bool
pw_spec_pci_address(const char *text, char full[PW_SPEC_NAME_LEN])
{
	const char *p = hex_field(text, 4, ':');
	const char *bus = p != NULL ? p : text;
	size_t i;

	p = hex_field(bus, 2, ':');
	if (p == NULL)
		return false;
	p = hex_field(p, 2, '.');
	if (p == NULL || p[0] < '0' || p[0] > '7' || p[1] != '\0')
		return false;

	snprintf(full, PW_SPEC_NAME_LEN, "%s%s", bus == text ? "0000:" : "", text);
	for (i = 0; full[i] != '\0'; i++)
		full[i] = tolower((unsigned char)full[i]);
	return true;
}

/* The part before the first comma, and what follows it. False if either is too long. */
static bool
split_args(const char *text, char name[PW_SPEC_NAME_LEN], char args[PW_SPEC_ARGS_LEN])
{
	const char *comma = strchr(text, ',');
	size_t len = comma != NULL ? (size_t)(comma - text) : strlen(text);

	if (len >= PW_SPEC_NAME_LEN || (comma != NULL && strlen(comma + 1) >= PW_SPEC_ARGS_LEN))
		return false;
	memcpy(name, text, len);
	name[len] = '\0';
	strcpy(args, comma != NULL ? comma + 1 : "");
	return true;
}

/* "82540em,wire=a" is short for "chip=82540em,wire=a". */
static int
parse_sim(const char *text, struct pw_spec *spec, char *err, size_t errlen)
{
	size_t chip = strcspn(text, ",");
	const char *key = memchr(text, '=', chip) == NULL ? "chip=" : "";

	if (chip == 0) {
		snprintf(err, errlen, "port 'sim:%s': name a chip, as in sim:82540em,wire=a", text);
		return -EINVAL;
	}
	if (strlen(text) + strlen(key) >= sizeof(spec->args)) {
		snprintf(err, errlen, "port 'sim:%.32s...': longer than %zu characters", text,
			 sizeof(spec->args) - 1);
		return -EINVAL;
	}
	spec->kind = PW_SPEC_SIM;
	spec->name[0] = '\0';
	snprintf(spec->args, sizeof(spec->args), "%s%s", key, text);
	return 0;
}

int
pw_spec_parse(const char *text, struct pw_spec *spec, char *err, size_t errlen)
{
	char head[PW_SPEC_NAME_LEN];

	memset(spec, 0, sizeof(*spec));
	if (strncmp(text, "sim:", 4) == 0)
		return parse_sim(text + 4, spec, err, errlen);

	if (strncmp(text, "vdev:", 5) == 0) {
		spec->kind = PW_SPEC_VDEV;
		if (!split_args(text + 5, spec->name, spec->args))
			goto too_long;
		if (spec->name[0] != '\0')
			return 0;
	} else if (split_args(text, head, spec->args)) {
		if (pw_spec_pci_address(head, spec->name)) {
			spec->kind = PW_SPEC_PCI;
			return 0;
		}
		/* A number or a device's name; whether the port exists is asked later. */
		if (isalnum((unsigned char)head[0]) && strchr(text, ',') == NULL &&
		    strpbrk(head, ":/ =") == NULL) {
			spec->kind = PW_SPEC_PORT;
			strcpy(spec->name, head);
			return 0;
		}
	} else {
		goto too_long;
	}
	snprintf(err, errlen, "port '%s': %s", text, spec_help);
	return -EINVAL;

too_long:
	snprintf(err, errlen, "port '%.32s...': too long; %s", text, spec_help);
	return -EINVAL;
}

/* The last part of what a symbolic link points to. False if there is no link. */
static bool
link_target(const char *path, char name[PW_SPEC_NAME_LEN])
{
	char target[PATH_MAX];
	ssize_t len = readlink(path, target, sizeof(target) - 1);
	const char *base;

	if (len < 0)
		return false;
	target[len] = '\0';
	base = strrchr(target, '/');
	snprintf(name, PW_SPEC_NAME_LEN, "%.*s", PW_SPEC_NAME_LEN - 1,
		 base != NULL ? base + 1 : target);
	return true;
}

int
pw_spec_check_pci(const char *sysfs, const char *address, char *err, size_t errlen)
{
	static const char *const in_dpdk_hands[] = {"vfio-pci", "uio_pci_generic", "igb_uio"};
	char path[PATH_MAX], driver[PW_SPEC_NAME_LEN];
	size_t i;

	snprintf(path, sizeof(path), "%s/bus/pci/devices/%s", sysfs, address);
	if (access(path, F_OK) != 0) {
		snprintf(err, errlen, "port %s: no such PCI device (lspci -D lists them)", address);
		return -ENODEV;
	}
	snprintf(path, sizeof(path), "%s/bus/pci/devices/%s/driver", sysfs, address);
	if (!link_target(path, driver)) {
		snprintf(err, errlen, "port %s: bound to no driver; as root: pollwire-bind bind %s",
			 address, address);
		return -EBUSY;
	}
	for (i = 0; i < sizeof(in_dpdk_hands) / sizeof(in_dpdk_hands[0]); i++)
		if (strcmp(driver, in_dpdk_hands[i]) == 0)
			return 0;
	snprintf(err, errlen, "port %s: the kernel's driver %s has it; as root: "
		 "pollwire-bind bind %s", address, driver, address);
	return -EBUSY;
}
