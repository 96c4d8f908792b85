/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* What drivers do in configuration space, on 256 bytes of memory. */

#include <errno.h>

#include <pw_pci.h>

#include "eal.h"

static uint8_t space[256];
static unsigned int reads, writes;
static int read_rc;

static int
space_read(const struct pw_dev *dev, void *buf, uint32_t len, uint32_t off)
{
	(void)dev;
	reads++;
	assert_in_range(off + len, 1, sizeof(space));
	if (read_rc == 0)
		memcpy(buf, &space[off], len);
	return read_rc;
}

static int
space_write(const struct pw_dev *dev, const void *buf, uint32_t len, uint32_t off)
{
	(void)dev;
	writes++;
	assert_in_range(off + len, 1, sizeof(space));
	memcpy(&space[off], buf, len);
	return 0;
}

static const struct pw_dev dev = {
	.name = "0000:03:00.0", .cfg_read = space_read, .cfg_write = space_write,
};
static const struct pw_dev blind = { .name = "0000:03:00.0" };

/* Status 06h bit 4, pointer 34h; id and next, one after the other (PCI 2.2 §6.7). */
static int
start(void **state)
{
	(void)state;
	memset(space, 0, sizeof(space));
	space[0x06] = 0x10;
	space[0x34] = 0xdc;
	space[0xdc] = 0x01;
	space[0xdd] = 0xe4;
	space[0xe4] = 0x07;
	space[0xe5] = 0x40;
	space[0x40] = 0x10;
	reads = writes = 0;
	read_rc = 0;
	return 0;
}

static void
test_capabilities_are_found(void **state)
{
	(void)state;
	assert_int_equal(pw_pci_cap(&dev, 0x01), 0xdc);
	assert_int_equal(pw_pci_cap(&dev, 0x07), 0xe4);
	assert_int_equal(pw_pci_cap(&dev, 0x10), 0x40);
	assert_int_equal(pw_pci_cap(&dev, 0x05), 0);
}

/* The two low bits are reserved (PCI 2.2 §6.7). */
static void
test_low_bits_of_a_pointer_are_ignored(void **state)
{
	(void)state;
	space[0x34] = 0xdf;
	space[0xdd] = 0xe5;
	assert_int_equal(pw_pci_cap(&dev, 0x01), 0xdc);
	assert_int_equal(pw_pci_cap(&dev, 0x07), 0xe4);
}

static void
test_no_capabilities(void **state)
{
	(void)state;
	space[0x06] = 0;
	assert_int_equal(pw_pci_cap(&dev, 0x01), 0);
	assert_int_equal(pw_pci_cap(&blind, 0x01), 0);
	start(state);
	read_rc = -EIO;
	assert_int_equal(pw_pci_cap(&dev, 0x01), 0);
}

static void
test_looping_list_ends(void **state)
{
	(void)state;
	space[0xe5] = 0xdc;
	assert_int_equal(pw_pci_cap(&dev, 0x05), 0);
	/* Status, pointer, and no more entries than there is room for: (256 - 64) / 4. */
	assert_in_range(reads, 4, 2 + 48);
}

/* A pointer into the header leads nowhere; a card that is gone reads all ones. */
static void
test_broken_list_ends(void **state)
{
	(void)state;
	space[0xdd] = 0x04;
	assert_int_equal(pw_pci_cap(&dev, 0x07), 0);
	memset(space, 0xff, sizeof(space));
	assert_int_equal(pw_pci_cap(&dev, 0x01), 0);
}

static void
test_read16(void **state)
{
	(void)state;
	space[0x82] = 0x34;
	space[0x83] = 0x12;
	assert_int_equal(pw_pci_read16(&dev, 0x82), 0x1234);
	assert_int_equal(pw_pci_read16(&blind, 0x82), 0);
	read_rc = -EIO;
	assert_int_equal(pw_pci_read16(&dev, 0x82), 0);
}

static void
test_modify16(void **state)
{
	(void)state;
	space[0x82] = 0x34;
	space[0x83] = 0x12;
	space[0x84] = 0x56;
	pw_pci_modify16(&dev, 0x82, 0x0204, 0x8001);
	assert_int_equal(space[0x82], 0x31);
	assert_int_equal(space[0x83], 0x90);
	assert_int_equal(space[0x84], 0x56);
	assert_int_equal(writes, 1);
	/* Bits that are asked for both ways are set. */
	pw_pci_modify16(&dev, 0x82, 0xffff, 0x0002);
	assert_int_equal(space[0x82] | space[0x83] << 8, 0x0002);
}

/* Bits that are cleared by writing 1 stay untouched unless something is to change. */
static void
test_no_write_that_changes_nothing(void **state)
{
	(void)state;
	space[0x82] = 0x34;
	pw_pci_modify16(&dev, 0x82, 0x0001, 0x0034);
	pw_pci_modify16(&blind, 0x82, 0, 1);
	read_rc = -EIO;
	pw_pci_modify16(&dev, 0x82, 0, 1);
	assert_int_equal(writes, 0);
}

#define fresh(t) cmocka_unit_test_setup(t, start)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fresh(test_capabilities_are_found),
		fresh(test_low_bits_of_a_pointer_are_ignored),
		fresh(test_no_capabilities),
		fresh(test_looping_list_ends),
		fresh(test_broken_list_ends),
		fresh(test_read16),
		fresh(test_modify16),
		fresh(test_no_write_that_changes_nothing),
	};

	return cmocka_run_group_tests_name("pci_config", tests, NULL, NULL);
}
