/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The 82540EM model's counters at their end, which takes 48 minutes of small frames to reach:
 * so this test, unlike all others of the model, sets them from inside.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chips/e1000_model.h"

static struct pw_model *
model_that_receives(void)
{
	const struct pw_model_opts opts = { .chip = "82540em" };
	struct pw_model *m;

	assert_int_equal(pw_model_create(&opts, &m), 0);
	pw_model_cfg_write(m, 4, 7, 2);
	return m;
}

static void
test_packet_counters_stick_at_all_ones(void **state)
{
	struct pw_model *m = model_that_receives();
	struct e1000_model *e = m->priv;
	unsigned int i;

	(void)state;
	e->reg[0x4074 / 4] = 0xfffffffe;
	for (i = 0; i < 3; i++)
		e1000_stat(e, 0x4074);
	assert_int_equal(pw_model_bar_read(m, 0, 0x4074, 4), 0xffffffff);
	assert_int_equal(pw_model_bar_read(m, 0, 0x4074, 4), 0);
	e->reg[0x4010 / 4] = 0xfffffff0;
	e1000_stat_add(e, 0x4010, 0x20);
	assert_int_equal(pw_model_bar_read(m, 0, 0x4010, 4), 0xffffffff);
	pw_model_destroy(m);
}

static void
test_octet_counters_are_64_bits_and_stick(void **state)
{
	struct pw_model *m = model_that_receives();
	struct e1000_model *e = m->priv;

	(void)state;
	e->gorc = 0xfffffff0;
	e1000_stat64_add(&e->gorc, 0x20);
	assert_int_equal(pw_model_bar_read(m, 0, 0x4088, 4), 0x10);
	assert_int_equal(pw_model_bar_read(m, 0, 0x408c, 4), 1);
	assert_int_equal(pw_model_bar_read(m, 0, 0x4088, 4), 0);
	e->tot = UINT64_MAX - 1;
	e1000_stat64_add(&e->tot, 64);
	assert_int_equal(pw_model_bar_read(m, 0, 0x40c8, 4), 0xffffffff);
	assert_int_equal(pw_model_bar_read(m, 0, 0x40cc, 4), 0xffffffff);
	/* Each pair is its own. */
	e->gorc = 1;
	e->gotc = 2;
	e->tor = 3;
	e->tot = 4;
	assert_int_equal(pw_model_bar_read(m, 0, 0x4088, 4), 1);
	assert_int_equal(pw_model_bar_read(m, 0, 0x4090, 4), 2);
	assert_int_equal(pw_model_bar_read(m, 0, 0x40c0, 4), 3);
	assert_int_equal(pw_model_bar_read(m, 0, 0x40c8, 4), 4);
	pw_model_destroy(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_packet_counters_stick_at_all_ones),
		cmocka_unit_test(test_octet_counters_are_64_bits_and_stick),
	};

	return cmocka_run_group_tests_name("e1000_model_stats", tests, NULL, NULL);
}
