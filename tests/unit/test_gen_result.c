/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* What a run is worth: exit status and reason. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "result.h"

static const struct gen_criteria strict = {.tolerance = -1};

static struct gen_result
good(void)
{
	return (struct gen_result){
		.nb_flows = 1,
		.flow[0] = {
			.tx = "a",
			.rx = "b",
			.paced = true,
			.requested_pps = 1000,
			.achieved_pps = 1000,
			.asked = 100,
			.sent = 100,
			.received = 100,
		},
	};
}

static enum app_status
judge(const struct gen_result *r, const struct gen_criteria *c)
{
	enum app_status status;
	char why[PW_ERR_LEN];

	status = gen_result_judge(r, c, why, sizeof(why));
	assert_int_equal(status == APP_OK, why[0] == '\0');
	return status;
}

static void
test_done_as_asked(void **state)
{
	struct gen_result r = good();

	(void)state;
	assert_int_equal(judge(&r, &strict), APP_OK);
	/* Reordered packets have all arrived. */
	r.flow[0].reordered = 50;
	assert_int_equal(judge(&r, &strict), APP_OK);
}

static void
test_not_all_sent(void **state)
{
	struct gen_result r = good();

	(void)state;
	r.flow[0].asked = 101;
	assert_int_equal(judge(&r, &strict), APP_NOT_DONE);
	r = good();
	r.flow[0].stalled = true;
	assert_int_equal(judge(&r, &strict), APP_NOT_DONE);
	r = good();
	r.interrupted = true;
	assert_int_equal(judge(&r, &strict), APP_NOT_DONE);
	r.endless = true;
	assert_int_equal(judge(&r, &strict), APP_OK);
}

static void
test_loss_may_be_allowed_damage_not(void **state)
{
	const struct gen_criteria lenient = {.allow_loss = true, .tolerance = -1};
	struct gen_result r = good();

	(void)state;
	r.flow[0].lost = 1;
	assert_int_equal(judge(&r, &strict), APP_LOSS);
	assert_int_equal(judge(&r, &lenient), APP_OK);
	r = good();
	r.flow[0].duplicated = 1;
	assert_int_equal(judge(&r, &lenient), APP_LOSS);
	r = good();
	r.flow[0].corrupted = 1;
	assert_int_equal(judge(&r, &lenient), APP_LOSS);
}

static void
test_the_second_flow_counts_too(void **state)
{
	struct gen_result r = good();

	(void)state;
	r.flow[1] = r.flow[0];
	r.nb_flows = 2;
	assert_int_equal(judge(&r, &strict), APP_OK);
	r.flow[1].lost = 1;
	assert_int_equal(judge(&r, &strict), APP_LOSS);
}

static void
test_tolerance_of_the_rate(void **state)
{
	const struct gen_criteria one_percent = {.tolerance = 1};
	struct gen_result r = good();

	(void)state;
	r.flow[0].achieved_pps = 991;
	assert_int_equal(judge(&r, &one_percent), APP_OK);
	r.flow[0].achieved_pps = 989;
	assert_int_equal(judge(&r, &one_percent), APP_OFF_RATE);
	assert_int_equal(judge(&r, &strict), APP_OK);
	r.flow[0].achieved_pps = 1011;
	assert_int_equal(judge(&r, &one_percent), APP_OFF_RATE);
	/* "max" asks for no rate. */
	r.flow[0].paced = false;
	assert_int_equal(judge(&r, &one_percent), APP_OK);
}

static void
test_what_held_the_sender_up(void **state)
{
	struct gen_flow_result f = good().flow[0];

	(void)state;
	assert_null(gen_result_limit(&f));
	f.behind = 5;
	assert_non_null(strstr(gen_result_limit(&f), "CPU"));
	f.ring_full = 5;
	assert_non_null(strstr(gen_result_limit(&f), "sending port"));
	f.wire_max_pps = 1001;
	assert_string_equal(gen_result_limit(&f), "the wire");
	f.wire_max_pps = 2000;
	assert_non_null(strstr(gen_result_limit(&f), "the wire was not"));
	f.no_mbuf = 6;
	assert_non_null(strstr(gen_result_limit(&f), "--mem"));
	/* A full ring now and then is no limit for a rate that was kept. */
	f = good().flow[0];
	f.ring_full = 1;
	assert_null(gen_result_limit(&f));
	f.paced = false;
	assert_non_null(strstr(gen_result_limit(&f), "sending port"));
	f.ring_full = 0;
	assert_non_null(strstr(gen_result_limit(&f), "never full"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_done_as_asked),
		cmocka_unit_test(test_not_all_sent),
		cmocka_unit_test(test_loss_may_be_allowed_damage_not),
		cmocka_unit_test(test_the_second_flow_counts_too),
		cmocka_unit_test(test_tolerance_of_the_rate),
		cmocka_unit_test(test_what_held_the_sender_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
