/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* pollwire-bind's reading of texts. */

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <setjmp.h>
#include <cmocka.h>

#include "bind.h"
#include "text.h"

#define NB(array) (sizeof(array) / sizeof((array)[0]))

static void
test_address(void **state)
{
	static const struct {
		const char *text, *full;
	} rows[] = {
		{"0000:02:00.0", "0000:02:00.0"},
		{"02:00.0", "0000:02:00.0"},
		{"FFFF:fF:1F.7", "ffff:ff:1f.7"},
		/* A VMD domain (drivers/pci/controller/vmd.c: from 0x10000 on). */
		{"10000:01:00.0", "10000:01:00.0"},
		{"00000000:01:00.0", "00000000:01:00.0"},
		{"", NULL}, {":", NULL}, {"2:0.0", NULL}, {"02:00", NULL}, {"02:00.8", NULL},
		{"02:00.0 ", NULL}, {" 02:00.0", NULL}, {"000:02:00.0", NULL}, {"02:00.00", NULL},
		{"123456789:02:00.0", NULL}, {"0000:02:00.0/..", NULL}, {"eth0", NULL},
		{"0000:002:00.0", NULL}, {"g000:02:00.0", NULL}, {"0000:02:00.", NULL},
	};
	char full[PB_ADDR_LEN];
	size_t i;

	(void)state;
	for (i = 0; i < NB(rows); i++) {
		bool is = pb_address(rows[i].text, full);

		assert_int_equal(is, rows[i].full != NULL);
		if (is)
			assert_string_equal(full, rows[i].full);
	}
}

static void
test_name(void **state)
{
	char longest[PB_NAME_LEN + 1];

	(void)state;
	assert_true(pb_is_name("vfio-pci"));
	assert_true(pb_is_name("eth1.10"));
	assert_false(pb_is_name(""));
	assert_false(pb_is_name("."));
	assert_false(pb_is_name(".."));
	assert_false(pb_is_name("-rf"));
	assert_false(pb_is_name("a/b"));
	assert_false(pb_is_name("a b"));
	assert_false(pb_is_name("a\nb"));
	memset(longest, 'x', sizeof(longest));
	longest[PB_NAME_LEN - 1] = '\0';
	assert_true(pb_is_name(longest));
	longest[PB_NAME_LEN - 1] = 'x';
	longest[PB_NAME_LEN] = '\0';
	assert_false(pb_is_name(longest));
}

static void
test_distance(void **state)
{
	(void)state;
	/* Counted by hand. */
	assert_int_equal(pb_distance("", ""), 0);
	assert_int_equal(pb_distance("", "abc"), 3);
	assert_int_equal(pb_distance("abc", ""), 3);
	assert_int_equal(pb_distance("kitten", "sitting"), 3);
	assert_int_equal(pb_distance("vfio_pci", "vfio-pci"), 1);
	assert_int_equal(pb_distance("vfoi-pci", "vfio-pci"), 1);
	assert_int_equal(pb_distance("VFIO-PCI", "vfio-pci"), 0);
	assert_int_equal(pb_distance("vfiopci", "vfio-pci"), 1);
	assert_int_equal(pb_distance("abcd", "wxyz"), 4);
}

static void
test_suggestion(void **state)
{
	static const char *const drivers[] = {"vfio-pci", "uio_pci_generic", "e1000e", "ahci"};

	(void)state;
	assert_string_equal(pb_suggest("vfio_pci", drivers, 4), "vfio-pci");
	assert_string_equal(pb_suggest("uio-pci-generic", drivers, 4), "uio_pci_generic");
	assert_null(pb_suggest("pci_generic", drivers, 4));
	assert_null(pb_suggest("zzzz", drivers, 4));
	assert_null(pb_suggest("", drivers, 4));
	assert_null(pb_suggest("vfio-pci", drivers, 0));
}

static void
test_size(void **state)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} rows[] = {
		{"4096", 4096}, {"2k", 2048}, {"256M", 268435456}, {"256MB", 268435456},
		{"256MiB", 268435456}, {"1G", 1073741824}, {"1g", 1073741824},
		{"16777215T", 16777215ull << 40}, {"0", 0},
	};
	static const char *const wrong[] = {
		"", "M", "-1", "+1", " 1", "1 M", "1.5G", "1X", "1MM", "1iB", "16777216T",
		"18446744073709551616", "0x10",
	};
	uint64_t bytes;
	size_t i;

	(void)state;
	for (i = 0; i < NB(rows); i++) {
		assert_true(pb_size(rows[i].text, &bytes));
		assert_int_equal(bytes, rows[i].bytes);
	}
	for (i = 0; i < NB(wrong); i++)
		assert_false(pb_size(wrong[i], &bytes));
}

static void
test_words(void **state)
{
	(void)state;
	assert_true(pb_has_word("flags : fpu vmx sse", "vmx"));
	assert_true(pb_has_word("on,off", "off"));
	assert_false(pb_has_word("fpu vmxnet sse", "vmx"));
	assert_false(pb_has_word("direct-relaxable", "direct"));
	assert_false(pb_has_word("", "vmx"));
	assert_false(pb_has_word("a  b", ""));
}

static void
test_command_line(void **state)
{
	char value[16];

	(void)state;
	assert_true(pb_cmdline_value("a=1 intel_iommu=on b", "intel_iommu", value, sizeof(value)));
	assert_string_equal(value, "on");
	/* The kernel takes the last. */
	assert_true(pb_cmdline_value("iommu=pt iommu=off", "iommu", value, sizeof(value)));
	assert_string_equal(value, "off");
	/* "intel_iommu" is not "iommu"; after "--" all is init's. */
	assert_false(pb_cmdline_value("intel_iommu=off", "iommu", value, sizeof(value)));
	assert_false(pb_cmdline_value("quiet -- iommu=off", "iommu", value, sizeof(value)));
	assert_false(pb_cmdline_value("iommu", "iommu", value, sizeof(value)));
	assert_true(pb_cmdline_value("x=12345678901234567890", "x", value, sizeof(value)));
	assert_string_equal(value, "123456789012345");
}

static void
collect(void *arg, const char *module)
{
	pb_add(arg, "%s ", module);
}

static void
test_aliases(void **state)
{
	/* As depmod writes them for e1000e and a class driver. */
	static const char aliases[] =
		"# Aliases extracted from modules themselves.\n"
		"alias pci:v00008086d000010D3sv*sd*bc*sc*i* e1000e\n"
		"alias pci:v00008086d0000100Esv*sd*bc*sc*i* e1000\n"
		"alias pci:v*d*sv*sd*bc02sc00i* any_ethernet\n"
		"alias usb:v0BDAp8152d*dc*dsc*dp*icFFiscFFip*in* r8152\n"
		"alias pci:v00008086d000010D3sv*sd*bc*sc*i*\n"
		"alias pci:v00008086d000010D3sv*sd*bc*sc*i* ../evil\n"
		"alias";
	char found[PB_TEXT_LEN] = "";

	(void)state;
	pb_modules_for(aliases, "pci:v00008086d000010D3sv00008086sd0000A01Fbc02sc00i00", collect,
		       found);
	assert_string_equal(found, "e1000e any_ethernet ");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_address),
		cmocka_unit_test(test_name),
		cmocka_unit_test(test_distance),
		cmocka_unit_test(test_suggestion),
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_command_line),
		cmocka_unit_test(test_aliases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
