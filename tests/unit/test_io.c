/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>

#include <pw_io.h>

#include "eal.h"

/* What the last access through the ops was. */
static struct {
	uint32_t off, val;
	unsigned int width, reads, writes;
	uint32_t answer;
} last;

static uint32_t
ops_read(const struct pw_io *io, uint32_t off, unsigned int width)
{
	assert_ptr_equal(io->ctx, &last);
	last.off = off;
	last.width = width;
	last.reads++;
	return last.answer;
}

static void
ops_write(const struct pw_io *io, uint32_t off, uint32_t val, unsigned int width)
{
	assert_ptr_equal(io->ctx, &last);
	last.off = off;
	last.val = val;
	last.width = width;
	last.writes++;
}

static const struct pw_io_ops ops = { .read = ops_read, .write = ops_write };
static const struct pw_io by_ops = { .ops = &ops, .ctx = &last, .len = 256 };

static int
start(void **state)
{
	(void)state;
	memset(&last, 0, sizeof(last));
	fake_clock_start();
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	fake_clock_stop();
	return 0;
}

/* Devices are little endian whatever the CPU: bytes are compared, not words. */
static void
test_mapped_access_is_little_endian(void **state)
{
	uint8_t mem[16] __rte_aligned(8) = { 0x78, 0x56, 0x34, 0x12, 0xcd, 0xab, 0xef };
	const struct pw_io io = { .base = mem, .len = sizeof(mem) };
	static const uint8_t want[] = { 0x04, 0x03, 0x02, 0x01, 0x22, 0x11, 0x33 };

	(void)state;
	assert_int_equal(pw_read32(&io, 0), 0x12345678);
	assert_int_equal(pw_read16(&io, 4), 0xabcd);
	assert_int_equal(pw_read8(&io, 6), 0xef);
	pw_write32(&io, 0, 0x01020304);
	pw_write16(&io, 4, 0x1122);
	pw_write8(&io, 6, 0x33);
	assert_memory_equal(mem, want, sizeof(want));
	assert_int_equal(mem[7], 0);
}

static void
test_without_mapping_goes_through_ops(void **state)
{
	(void)state;
	last.answer = 0xfedcba98;
	assert_int_equal(pw_read32(&by_ops, 0x40), 0xfedcba98);
	assert_int_equal(last.off, 0x40);
	assert_int_equal(last.width, 4);
	assert_int_equal(pw_read16(&by_ops, 0x42), 0xba98);
	assert_int_equal(last.width, 2);
	assert_int_equal(pw_read8(&by_ops, 0x43), 0x98);
	assert_int_equal(last.width, 1);
	pw_write32(&by_ops, 0x10, 0xdeadbeef);
	assert_int_equal(last.val, 0xdeadbeef);
	assert_int_equal(last.width, 4);
	pw_write16(&by_ops, 0x14, 0xbeef);
	assert_int_equal(last.val, 0xbeef);
	assert_int_equal(last.width, 2);
	pw_write8(&by_ops, 0x16, 0xef);
	assert_int_equal(last.val, 0xef);
	assert_int_equal(last.width, 1);
	assert_int_equal(last.off, 0x16);
	assert_int_equal(last.reads, 3);
	assert_int_equal(last.writes, 3);
}

static void
test_modify_clears_then_sets(void **state)
{
	(void)state;
	last.answer = 0xffff0f00;
	pw_modify32(&by_ops, 8, 0x00ff0100, 0x0010000f);
	/* ffff0f00 without 00ff0100 is ff000e00; with 0010000f it is ff100e0f. */
	assert_int_equal(last.val, 0xff100e0f);
	assert_int_equal(last.reads, 1);
	assert_int_equal(last.writes, 1);
}

/* A register whose bit 0 comes up after so many delays. */
static unsigned int ready_after;

static void
count_down(void)
{
	if (fake_clock.calls == ready_after)
		last.answer |= 1;
}

static void
test_wait_ends_when_ready(void **state)
{
	(void)state;
	last.answer = 0x100;
	ready_after = 3;
	fake_clock.tick = count_down;
	assert_int_equal(pw_wait32(&by_ops, 0, 1, 1, 1000, 10), 0);
	assert_int_equal(fake_clock.us, 30);
	assert_int_equal(last.reads, 4);
}

static void
test_wait_does_not_delay_when_ready_at_once(void **state)
{
	(void)state;
	last.answer = 0xa0;
	assert_int_equal(pw_wait32(&by_ops, 0, 0xf0, 0xa0, 1000, 10), 0);
	assert_int_equal(pw_wait32(&by_ops, 0, 0x0f, 0, 0, 10), 0);
	assert_int_equal(fake_clock.calls, 0);
}

static void
test_wait_times_out(void **state)
{
	(void)state;
	assert_int_equal(pw_wait32(&by_ops, 0, 1, 1, 1000, 10), -ETIMEDOUT);
	assert_int_equal(fake_clock.us, 1000);
	/* A last look is taken when the time is up. */
	assert_int_equal(last.reads, 101);
}

static void
test_wait_looks_once_more_at_the_deadline(void **state)
{
	(void)state;
	ready_after = 100;
	fake_clock.tick = count_down;
	assert_int_equal(pw_wait32(&by_ops, 0, 1, 1, 1000, 10), 0);
}

static void
test_wait_with_no_time_looks_once(void **state)
{
	(void)state;
	assert_int_equal(pw_wait32(&by_ops, 0, 1, 1, 0, 10), -ETIMEDOUT);
	assert_int_equal(last.reads, 1);
	assert_int_equal(fake_clock.calls, 0);
}

static void
test_wait_with_step_0_ends(void **state)
{
	(void)state;
	assert_int_equal(pw_wait32(&by_ops, 0, 1, 1, 5, 0), -ETIMEDOUT);
	assert_int_equal(fake_clock.us, 5);
}

/* A device that is gone reads all ones: at once an error, whichever bit is waited for. */
static void
test_wait_sees_a_removed_device(void **state)
{
	(void)state;
	last.answer = UINT32_MAX;
	assert_int_equal(pw_wait32(&by_ops, 0, 1, 1, 1000, 10), -ENODEV);
	assert_int_equal(pw_wait32(&by_ops, 0, 1, 0, 1000, 10), -ENODEV);
	assert_int_equal(fake_clock.calls, 0);
	/* Unless all ones is what is waited for. */
	assert_int_equal(pw_wait32(&by_ops, 0, UINT32_MAX, UINT32_MAX, 1000, 10), 0);
}

static void
remove_device(void)
{
	if (fake_clock.calls == 5)
		last.answer = UINT32_MAX;
}

static void
test_wait_sees_a_device_go_while_it_waits(void **state)
{
	(void)state;
	fake_clock.tick = remove_device;
	assert_int_equal(pw_wait32(&by_ops, 0, 1, 1, 1000, 10), -ENODEV);
	assert_int_equal(fake_clock.us, 50);
}

#define clocked(t) cmocka_unit_test_setup_teardown(t, start, stop)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		clocked(test_mapped_access_is_little_endian),
		clocked(test_without_mapping_goes_through_ops),
		clocked(test_modify_clears_then_sets),
		clocked(test_wait_ends_when_ready),
		clocked(test_wait_does_not_delay_when_ready_at_once),
		clocked(test_wait_times_out),
		clocked(test_wait_looks_once_more_at_the_deadline),
		clocked(test_wait_with_no_time_looks_once),
		clocked(test_wait_with_step_0_ends),
		clocked(test_wait_sees_a_removed_device),
		clocked(test_wait_sees_a_device_go_while_it_waits),
	};

	return cmocka_run_group_tests_name("io", tests, eal_setup, eal_teardown);
}
