/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* Names of ports, and what a card's sysfs entry says, on a made-up sysfs. */

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pw_port.h>

#include "pw_port_spec.h"

static void
test_names_are_understood(void **state)
{
	static const struct {
		const char *text;
		enum pw_spec_kind kind;
		const char *name, *args;
	} good[] = {
		{"0000:02:00.0", PW_SPEC_PCI, "0000:02:00.0", ""},
		{"02:00.0", PW_SPEC_PCI, "0000:02:00.0", ""},
		{"0001:aF:1F.7", PW_SPEC_PCI, "0001:af:1f.7", ""},
		{"02:00.0,speed=100", PW_SPEC_PCI, "0000:02:00.0", "speed=100"},
		{"sim:82540em", PW_SPEC_SIM, "", "chip=82540em"},
		{"sim:82540em,wire=a", PW_SPEC_SIM, "", "chip=82540em,wire=a"},
		{"sim:wire=a,chip=82540em", PW_SPEC_SIM, "", "wire=a,chip=82540em"},
		{"sim:82540em,wire=pcap:in=x", PW_SPEC_SIM, "", "chip=82540em,wire=pcap:in=x"},
		{"vdev:net_ring0", PW_SPEC_VDEV, "net_ring0", ""},
		{"vdev:net_pcap0,iface=lo,x=y", PW_SPEC_VDEV, "net_pcap0", "iface=lo,x=y"},
		{"0", PW_SPEC_PORT, "0", ""},
		{"net_ring0", PW_SPEC_PORT, "net_ring0", ""},
	};
	char err[PW_ERR_LEN];
	struct pw_spec spec;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(pw_spec_parse(good[i].text, &spec, err, sizeof(err)), 0);
		assert_int_equal(spec.kind, good[i].kind);
		assert_string_equal(spec.name, good[i].name);
		assert_string_equal(spec.args, good[i].args);
	}
}

static void
test_what_is_no_name_is_refused(void **state)
{
	static const char *const bad[] = {
		"", ",", "sim:", "sim:,wire=a", "vdev:", "vdev:,x=y", "/dev/vfio/1", "a b", "a:b",
		"0000:02:00.8", "0000:02:00", "2:0.0", "00000:02:00.0", "net_ring0,x=y",
	};
	char err[PW_ERR_LEN];
	struct pw_spec spec;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err[0] = '\0';
		assert_int_equal(pw_spec_parse(bad[i], &spec, err, sizeof(err)), -EINVAL);
		assert_non_null(strstr(err, "port '"));
		assert_null(strchr(err, '\n'));
	}
}

static void
test_very_long_names_are_refused(void **state)
{
	static const char *const begin[] = {"sim:82540em,wire=", "vdev:", "vdev:net_x0,", ""};
	char text[8192], err[PW_ERR_LEN];
	struct pw_spec spec;
	size_t i, len;

	(void)state;
	for (i = 0; i < sizeof(begin) / sizeof(begin[0]); i++) {
		len = strlen(begin[i]);
		memset(text, 'x', sizeof(text) - 1);
		memcpy(text, begin[i], len);
		text[sizeof(text) - 1] = '\0';
		assert_int_equal(pw_spec_parse(text, &spec, err, sizeof(err)), -EINVAL);
	}
}

/* A sysfs with three cards: bound to vfio-pci, to e1000, to nothing. */
static int
make_sysfs(void **state)
{
	static const char *const devices[] = {"0000:02:00.0", "0000:03:00.0", "0000:04:00.0"};
	static const char *const driver[] = {"vfio-pci", "e1000", NULL};
	static char root[] = P_tmpdir "/pollwire-sysfs-XXXXXX";
	char path[PATH_MAX], target[PATH_MAX];
	size_t i;

	if (mkdtemp(root) == NULL)
		return -1;
	*state = root;
	snprintf(path, sizeof(path), "mkdir -p %s/bus/pci/devices %s/bus/pci/drivers", root, root);
	if (system(path) != 0)
		return -1;
	for (i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/bus/pci/devices/%s", root, devices[i]);
		if (mkdir(path, 0700) != 0)
			return -1;
		if (driver[i] == NULL)
			continue;
		snprintf(path, sizeof(path), "%s/bus/pci/devices/%s/driver", root, devices[i]);
		snprintf(target, sizeof(target), "../../../drivers/%s", driver[i]);
		if (symlink(target, path) != 0)
			return -1;
	}
	return 0;
}

static int
remove_sysfs(void **state)
{
	char command[PATH_MAX];

	snprintf(command, sizeof(command), "rm -rf '%s'", (const char *)*state);
	return system(command);
}

static void
test_a_card_in_other_hands_is_told_with_the_cure(void **state)
{
	const char *sysfs = *state;
	char err[PW_ERR_LEN];

	assert_int_equal(pw_spec_check_pci(sysfs, "0000:02:00.0", err, sizeof(err)), 0);
	assert_int_equal(pw_spec_check_pci(sysfs, "0000:03:00.0", err, sizeof(err)), -EBUSY);
	assert_non_null(strstr(err, "e1000"));
	assert_non_null(strstr(err, "pollwire-bind bind 0000:03:00.0"));
	assert_int_equal(pw_spec_check_pci(sysfs, "0000:04:00.0", err, sizeof(err)), -EBUSY);
	assert_non_null(strstr(err, "no driver"));
	assert_int_equal(pw_spec_check_pci(sysfs, "0000:05:00.0", err, sizeof(err)), -ENODEV);
	assert_non_null(strstr(err, "no such PCI device"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_are_understood),
		cmocka_unit_test(test_what_is_no_name_is_refused),
		cmocka_unit_test(test_very_long_names_are_refused),
		cmocka_unit_test_setup_teardown(test_a_card_in_other_hands_is_told_with_the_cure,
						make_sysfs, remove_sysfs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
