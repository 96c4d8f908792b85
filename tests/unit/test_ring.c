/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* Ring arithmetic: no EAL. Every expectation is what counting by hand gives. */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pw_ring.h>

static void
test_init_refuses_bad_sizes(void **state)
{
	static const uint32_t bad[] = { 0, 1, 3, 7, 255, 4095, 70000, UINT32_MAX };
	struct pw_ring r;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(pw_ring_init(&r, bad[i]), -EINVAL);
}

static void
test_init_makes_an_empty_ring(void **state)
{
	(void)state;
	for (uint32_t size = 2; size != 0; size *= 2) {
		struct pw_ring r = { .prod = 9, .cons = 3, .mask = 5 };

		assert_int_equal(pw_ring_init(&r, size), 0);
		assert_int_equal(pw_ring_size(&r), size);
		assert_int_equal(pw_ring_used(&r), 0);
		assert_int_equal(pw_ring_free(&r), size);
		assert_true(pw_ring_empty(&r));
		assert_false(pw_ring_full(&r));
	}
}

/* Start values of both counters: fresh, and such that each step of the test wraps once. */
static const uint32_t starts[] = {
	0, 1, 7, 8, 0x7ffffff8, 0x7fffffff, 0x80000000,
	UINT32_MAX - 8, UINT32_MAX - 7, UINT32_MAX - 4, UINT32_MAX - 1, UINT32_MAX,
};

static void
test_fill_and_take_across_wrap(void **state)
{
	(void)state;
	for (size_t s = 0; s < sizeof(starts) / sizeof(starts[0]); s++) {
		struct pw_ring r = { .prod = starts[s], .cons = starts[s], .mask = 7 };

		for (uint32_t n = 0; n < 8; n++) {
			assert_int_equal(pw_ring_used(&r), n);
			assert_int_equal(pw_ring_free(&r), 8 - n);
			assert_int_equal(pw_ring_empty(&r), n == 0);
			assert_false(pw_ring_full(&r));
			r.prod++;
		}
		assert_int_equal(pw_ring_used(&r), 8);
		assert_int_equal(pw_ring_free(&r), 0);
		assert_true(pw_ring_full(&r));
		assert_false(pw_ring_empty(&r));
		for (uint32_t n = 8; n > 0; n--) {
			assert_int_equal(pw_ring_used(&r), n);
			r.cons++;
			assert_false(pw_ring_full(&r));
		}
		assert_true(pw_ring_empty(&r));
		assert_int_equal(r.prod, (uint32_t)(starts[s] + 8));
	}
}

static void
test_slots_follow_each_other_across_wrap(void **state)
{
	/* 2^32 is a multiple of 8: the slot after counter 2^32 - 1 is slot 0. */
	struct pw_ring r = { .mask = 7 };

	(void)state;
	assert_int_equal(pw_ring_slot(&r, UINT32_MAX - 1), 6);
	assert_int_equal(pw_ring_slot(&r, UINT32_MAX), 7);
	assert_int_equal(pw_ring_slot(&r, UINT32_MAX + UINT32_C(1)), 0);
	assert_int_equal(pw_ring_slot(&r, 0), 0);
	assert_int_equal(pw_ring_slot(&r, 8), 0);
	assert_int_equal(pw_ring_slot(&r, 13), 5);
}

static void
test_to_end_is_the_straight_part(void **state)
{
	struct pw_ring r = { .mask = 7 };

	(void)state;
	assert_int_equal(pw_ring_to_end(&r, 0), 8);
	assert_int_equal(pw_ring_to_end(&r, 1), 7);
	assert_int_equal(pw_ring_to_end(&r, 7), 1);
	assert_int_equal(pw_ring_to_end(&r, 8), 8);
	assert_int_equal(pw_ring_to_end(&r, UINT32_MAX), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_init_refuses_bad_sizes),
		cmocka_unit_test(test_init_makes_an_empty_ring),
		cmocka_unit_test(test_fill_and_take_across_wrap),
		cmocka_unit_test(test_slots_follow_each_other_across_wrap),
		cmocka_unit_test(test_to_end_is_the_straight_part),
	};

	return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
