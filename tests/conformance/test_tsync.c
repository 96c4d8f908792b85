/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* Conformance: IEEE 1588. Time is the test's, so a stamp can be told to the microsecond. */

#include "conf.h"

#define SLACK_NS 1000

static int64_t
ns_of(const struct timespec *ts)
{
	return ts->tv_sec * INT64_C(1000000000) + ts->tv_nsec;
}

static int64_t
read_time(const struct fx_port *p)
{
	struct timespec ts;

	assert_int_equal(rte_eth_timesync_read_time(p->id, &ts), 0);
	return ns_of(&ts);
}

/* A Sync message of version 2 in Ethernet (IEEE 1588 annex F). */
static void
sync_message(struct fx_frame *f)
{
	fx_frame_build(f, &(struct fx_spec){ .payload = 46 });
	f->data[12] = 0x88;
	f->data[13] = 0xf7;
	f->data[14] = 0;
	f->data[15] = 2;
}

static void
near(int64_t got, int64_t want)
{
	assert_in_range(got - want + SLACK_NS, 0, 2 * SLACK_NS);
}

static void
clock_keeps_time(struct fx_port *p)
{
	const struct timespec set = { .tv_sec = 1000000000, .tv_nsec = 5 };
	int64_t t = ns_of(&set);

	assert_int_equal(rte_eth_timesync_write_time(p->id, &set), 0);
	near(read_time(p), t);
	for (uint64_t ns = 100; ns < 10000000000; ns *= 9) {
		fx_advance(p, ns);
		t += ns;
		near(read_time(p), t);
	}
	assert_int_equal(rte_eth_timesync_adjust_time(p->id, -123456), 0);
	near(read_time(p), t - 123456);
}

static void
test_stamps_tell_the_time_or_are_not_offered(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct timespec ts;
	struct rte_mbuf *m;
	int64_t then;
	int rc;

	fx_start(p, NULL);
	rc = rte_eth_timesync_enable(p->id);
	if (rc != 0) {
		assert_int_equal(rc, -ENOTSUP);
		assert_int_equal(rte_eth_timesync_read_time(p->id, &ts), -ENOTSUP);
		return;
	}
	clock_keeps_time(p);
	sync_message(&f);
	for (unsigned int i = 0; i < 3; i++) {
		fx_advance(p, 1000000);
		then = read_time(p);
		m = conf_rx_one(p, &f);
		fx_advance(p, 1000000);
		assert_true(m->ol_flags & RTE_MBUF_F_RX_IEEE1588_TMST);
		fx_expect_mbuf(m, &f);
		assert_int_equal(rte_eth_timesync_read_rx_timestamp(p->id, &ts, 0), 0);
		near(ns_of(&ts), then);

		m = fx_mbuf(p->pool, &f, 0);
		m->ol_flags |= RTE_MBUF_F_TX_IEEE1588_TMST;
		then = read_time(p);
		assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 1);
		fx_tx(p, &m, 1);
		fx_advance(p, 1000000);
		conf_expect_sent(p, &f);
		assert_int_equal(rte_eth_timesync_read_tx_timestamp(p->id, &ts), 0);
		near(ns_of(&ts), then);
	}
	assert_int_equal(rte_eth_timesync_disable(p->id), 0);
	m = conf_rx_one(p, &f);
	assert_int_equal(m->ol_flags & RTE_MBUF_F_RX_IEEE1588_TMST, 0);
	fx_expect_mbuf(m, &f);
	conf_pass(p, 10);
	conf_proven("Timesync", "stamps", true);
}

static const struct CMUnitTest tests[] = {
	CONF_TEST(test_stamps_tell_the_time_or_are_not_offered),
};

CONF_MAIN("tsync", tests)
