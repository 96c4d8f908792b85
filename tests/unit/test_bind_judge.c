/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* pollwire-bind's judgements that need no machine: whose fault a missing IOMMU is; pages. */

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <setjmp.h>
#include <cmocka.h>

#include "chips.h"
#include "huge.h"
#include "iommu.h"

#define NB(array) (sizeof(array) / sizeof((array)[0]))

static void
test_whose_fault(void **state)
{
	static const struct {
		struct pb_iommu_facts facts;
		enum pb_iommu is;
	} rows[] = {
		{{.groups = true}, PB_IOMMU_ON},
		/* Groups are proof, whatever the command line says. */
		{{.groups = true, .intel_table = true, .cmdline = "intel_iommu=off"}, PB_IOMMU_ON},
		{{.intel_table = true, .cmdline = "intel_iommu=off"}, PB_IOMMU_OFF_CMDLINE},
		{{.amd_table = true, .cmdline = "amd_iommu=off"}, PB_IOMMU_OFF_CMDLINE},
		{{.amd_table = true, .cmdline = "iommu=off"}, PB_IOMMU_OFF_CMDLINE},
		/* Another maker's option does nothing. */
		{{.amd_table = true, .cmdline = "intel_iommu=off"}, PB_IOMMU_NOT_ENABLED},
		{{.intel_table = true, .cmdline = "quiet"}, PB_IOMMU_NOT_ENABLED},
		{{.other_table = true, .hypervisor = true}, PB_IOMMU_NOT_ENABLED},
		{{.virtualization = true}, PB_IOMMU_OFF_FIRMWARE},
		/* Off in firmware and off on the command line: the firmware comes first. */
		{{.virtualization = true, .cmdline = "intel_iommu=off"}, PB_IOMMU_OFF_FIRMWARE},
		{{.virtualization = true, .hypervisor = true}, PB_IOMMU_NOT_IN_VM},
		{{.hypervisor = true}, PB_IOMMU_NOT_IN_VM},
		{{.intel_cpu = true}, PB_IOMMU_ABSENT},
	};
	char what[PB_TEXT_LEN], cure[PB_TEXT_LEN];
	size_t i;

	(void)state;
	for (i = 0; i < NB(rows); i++) {
		assert_int_equal(pb_iommu_decide(&rows[i].facts), rows[i].is);
		pb_iommu_explain(&rows[i].facts, rows[i].is, what, cure);
		assert_true(what[0] != '\0');
		assert_int_equal(cure[0] == '\0', rows[i].is == PB_IOMMU_ON);
	}
}

static void
test_pages(void **state)
{
	const struct pb_pool pool = {
		.page = 2u << 20, .total = 100, .free = 30, .reserved = 10,
	};

	(void)state;
	/* 20 pages are really free: 40 MiB. */
	assert_int_equal(pb_huge_pages_for(&pool, 40u << 20), 100);
	assert_int_equal(pb_huge_pages_for(&pool, (40u << 20) + 1), 101);
	assert_int_equal(pb_huge_pages_for(&pool, 128u << 20), 144);
	assert_int_equal(pb_huge_pages_for(&pool, 0), 100);
	/* No overflow at the end. */
	assert_int_equal(pb_huge_pages_for(&pool, UINT64_MAX), 80 + (UINT64_MAX >> 21) + 1);
}

static void
test_size_text(void **state)
{
	char text[24];

	(void)state;
	assert_string_equal(pb_size_text(0, text), "0");
	assert_string_equal(pb_size_text(1023, text), "1023");
	assert_string_equal(pb_size_text(2u << 20, text), "2M");
	assert_string_equal(pb_size_text(1u << 30, text), "1G");
	assert_string_equal(pb_size_text(1025u << 10, text), "1025k");
}

static void
test_chips(void **state)
{
	struct pb_chip chip;

	(void)state;
	/* The ids are pci.ids': 82574L, RTL-8139, Yukon 88E8053, virtio. */
	assert_true(pb_chip_find(&chip, 0x8086, 0x10d3));
	assert_string_equal(chip.family, "e1000");
	assert_int_equal(chip.support, PB_SUPPORT_EMULATED);
	assert_true(pb_chip_find(&chip, 0x8086, 0x105e));
	assert_int_equal(chip.support, PB_SUPPORT_UNTESTED);
	assert_true(pb_chip_find(&chip, 0x8086, 0x1229));
	assert_string_equal(chip.family, "i8255x");
	assert_int_equal(chip.support, PB_SUPPORT_EMULATED);
	assert_true(pb_chip_find(&chip, 0x8086, 0x1059));
	assert_string_equal(chip.name, "82551QM");
	assert_int_equal(chip.support, PB_SUPPORT_UNTESTED);
	assert_true(pb_chip_find(&chip, 0x10ec, 0x8139));
	assert_string_equal(chip.family, "rtl8139");
	assert_true(pb_chip_find(&chip, 0x11ab, 0x4362));
	assert_string_equal(chip.name, "88E8053");
	assert_false(pb_chip_find(&chip, 0x1af4, 0x1041));
	assert_int_equal(chip.support, PB_SUPPORT_NONE);
	/* The device id of one maker is nothing at another's. */
	assert_false(pb_chip_find(&chip, 0x10ec, 0x10d3));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whose_fault),
		cmocka_unit_test(test_pages),
		cmocka_unit_test(test_size_text),
		cmocka_unit_test(test_chips),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
