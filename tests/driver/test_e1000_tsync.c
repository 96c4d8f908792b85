/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * e1000: IEEE 1588 time stamps, on the 82574L's model. Its clock is the test's, so that what a
 * stamp must be is known to the tick of 40 ns.
 */

#include "fixture.h"

#include "../../drivers/net/e1000/e1000.h"

#define TICK 40
#define PTP_TYPE 0x88f7
#define SYNC 0
#define DELAY_REQ 1
#define ANNOUNCE 0xb
#define STAMPED (RTE_MBUF_F_RX_IEEE1588_PTP | RTE_MBUF_F_RX_IEEE1588_TMST)
#define CONF (&(struct fx_conf){ .eth.txmode.offloads = RTE_ETH_TX_OFFLOAD_MULTI_SEGS })

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

static void
start(struct fx_port *p)
{
	const struct timespec zero = { 0 };

	fx_start(p, CONF);
	assert_int_equal(rte_eth_timesync_enable(p->id), 0);
	assert_int_equal(rte_eth_timesync_write_time(p->id, &zero), 0);
}

/* A PTP message (IEEE 1588 §13.3) in Ethernet, or by UDP to the port of event messages. */
static void
ptp(struct fx_frame *f, uint8_t message, bool udp)
{
	struct fx_spec spec = { .l3 = udp ? FX_IPV4 : FX_RAW, .l4 = udp ? FX_UDP : FX_NO_L4,
				.payload = 44 };
	struct fx_lens l = fx_frame_lens(&spec);
	uint8_t *m = f->data + l.l2 + l.l3 + l.l4;

	fx_frame_build(f, &spec);
	if (udp) {
		f->data[36] = 319 >> 8;
		f->data[37] = 319 & 0xff;
	} else {
		f->data[12] = PTP_TYPE >> 8;
		f->data[13] = PTP_TYPE & 0xff;
	}
	m[0] = message;
	m[1] = 2;
}

/* --- time ---------------------------------------------------------------------------------- */

static void
test_time_passes_as_the_clock_does(void **state)
{
	struct fx_port *p = *state;
	int64_t then;

	start(p);
	then = read_time(p);
	assert_in_range(then, 0, TICK);
	for (uint64_t ns = 1; ns < UINT64_C(30) * 1000 * 1000 * 1000; ns = ns * 7 + 3) {
		int64_t now;

		fx_advance(p, ns);
		now = read_time(p);
		assert_in_range(now - then, ns < TICK ? 0 : ns - TICK, ns + TICK);
		then = now;
	}
}

/* The low half of the counter wraps each 16.4 us: no look may be a wrap off (§7). */
static void
test_time_never_goes_back(void **state)
{
	struct fx_port *p = *state;
	int64_t last = 0;

	start(p);
	for (unsigned int i = 0; i < 3000; i++) {
		int64_t now;

		fx_advance(p, 520);
		now = read_time(p);
		assert_in_range(now - last, 520 - TICK, 520 + TICK);
		last = now;
	}
}

static void
test_time_can_be_set_and_adjusted(void **state)
{
	const struct timespec set = { .tv_sec = 1700000000, .tv_nsec = 999999999 };
	struct fx_port *p = *state;

	start(p);
	assert_int_equal(rte_eth_timesync_write_time(p->id, &set), 0);
	assert_in_range(read_time(p) - ns_of(&set), 0, TICK);
	assert_int_equal(rte_eth_timesync_adjust_time(p->id, -12345), 0);
	assert_in_range(read_time(p) - ns_of(&set) + 12345, 0, TICK);
	assert_int_equal(rte_eth_timesync_adjust_time(p->id, 2000000000), 0);
	assert_in_range(read_time(p) - ns_of(&set) + 12345 - 2000000000, 0, TICK);
	/* Reset stops the counter; the time goes on, less the while without one. */
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	assert_in_range(read_time(p) - ns_of(&set) + 12345 - 2000000000, 0, 10000000);
}

/* --- stamps -------------------------------------------------------------------------------- */

static void
test_event_messages_are_stamped(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct timespec ts;
	struct rte_mbuf *m;

	start(p);
	for (unsigned int i = 0; i < 8; i++) {
		int64_t before;

		ptp(&f, i & 1 ? DELAY_REQ : SYNC, i & 2);
		fx_advance(p, 1000000);
		before = read_time(p);
		fx_inject(p, &f);
		pw_model_poll(p->model);
		/* Read long after, and after the time was read in between. */
		fx_advance(p, 5000000);
		read_time(p);
		assert_int_equal(fx_rx(p, &m, 1), 1);
		assert_int_equal(m->ol_flags & STAMPED, STAMPED);
		fx_expect_mbuf(m, &f);
		assert_int_equal(rte_eth_timesync_read_rx_timestamp(p->id, &ts, 0), 0);
		assert_in_range(ns_of(&ts) - before + TICK, 0, 2 * TICK);
		/* Taken, it is gone. */
		assert_int_equal(rte_eth_timesync_read_rx_timestamp(p->id, &ts, 0), -EINVAL);
	}
}

static void
test_other_frames_are_not_stamped(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct timespec ts;
	struct rte_mbuf *m;

	start(p);
	for (unsigned int i = 0; i < 3; i++) {
		if (i == 0)
			ptp(&f, ANNOUNCE, false);	/* a general message */
		else
			fx_frame_build(&f, &(struct fx_spec){ .l3 = i == 1 ? FX_RAW : FX_IPV4,
							      .l4 = i == 1 ? FX_NO_L4 : FX_UDP,
							      .payload = 60 });
		fx_inject(p, &f);
		assert_int_equal(fx_rx(p, &m, 1), 1);
		assert_int_equal(m->ol_flags & STAMPED, 0);
		fx_expect_mbuf(m, &f);
		assert_int_equal(rte_eth_timesync_read_rx_timestamp(p->id, &ts, 0), -EINVAL);
	}
}

/* The chip keeps one stamp: the second message goes without until the first was taken. */
static void
test_one_stamp_is_kept(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m[2];
	struct timespec ts;

	start(p);
	ptp(&f, SYNC, false);
	fx_inject(p, &f);
	fx_inject(p, &f);
	assert_int_equal(fx_rx(p, m, 2), 2);
	assert_int_equal(m[0]->ol_flags & STAMPED, STAMPED);
	assert_int_equal(m[1]->ol_flags & STAMPED, 0);
	rte_pktmbuf_free_bulk(m, 2);
	assert_int_equal(rte_eth_timesync_read_rx_timestamp(p->id, &ts, 0), 0);
	fx_inject(p, &f);
	assert_int_equal(fx_rx(p, m, 1), 1);
	assert_int_equal(m[0]->ol_flags & STAMPED, STAMPED);
	rte_pktmbuf_free(m[0]);
}

static void
test_sent_packets_are_stamped_on_request(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct timespec ts;
	struct rte_mbuf *m;

	start(p);
	ptp(&f, SYNC, false);
	for (unsigned int i = 0; i < 4; i++) {
		int64_t before;

		m = fx_mbuf(p->pool, &f, i & 1 ? 20 : 0);
		fx_tx(p, &m, 1);
		fx_expect_sent(p, &f);
		assert_int_equal(rte_eth_timesync_read_tx_timestamp(p->id, &ts), -EINVAL);
		m = fx_mbuf(p->pool, &f, i & 1 ? 20 : 0);
		m->ol_flags |= RTE_MBUF_F_TX_IEEE1588_TMST;
		fx_advance(p, 777777);
		before = read_time(p);
		assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 1);
		fx_tx(p, &m, 1);
		fx_expect_sent(p, &f);
		fx_advance(p, 100000);
		assert_int_equal(rte_eth_timesync_read_tx_timestamp(p->id, &ts), 0);
		assert_in_range(ns_of(&ts) - before + TICK, 0, 2 * TICK);
		assert_int_equal(rte_eth_timesync_read_tx_timestamp(p->id, &ts), -EINVAL);
	}
}

/* --- on and off ---------------------------------------------------------------------------- */

static void
test_disabled_nothing_is_stamped(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct timespec ts;
	struct rte_mbuf *m;

	start(p);
	assert_int_equal(rte_eth_timesync_disable(p->id), 0);
	assert_int_equal(rte_eth_timesync_read_time(p->id, &ts), -EINVAL);
	ptp(&f, SYNC, false);
	fx_inject(p, &f);
	assert_int_equal(fx_rx(p, &m, 1), 1);
	assert_int_equal(m->ol_flags & STAMPED, 0);
	m->ol_flags = RTE_MBUF_F_TX_IEEE1588_TMST;
	/* A queue that takes no stamps says so. */
	assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 0);
	assert_int_equal(rte_errno, ENOTSUP);
	fx_tx(p, &m, 1);
	fx_expect_sent(p, &f);
	assert_int_equal(rte_eth_timesync_read_tx_timestamp(p->id, &ts), -EINVAL);
}

static void
test_what_cannot_be_stamped_is_refused(void **state)
{
	struct fx_port *p = *state;

	fx_configure(p, CONF);
	log_capture_start();
	assert_int_equal(rte_eth_timesync_enable(p->id), -EINVAL);
	log_capture_expect("need a running port");
	fx_start(p, &(struct fx_conf){
		.eth.txmode.offloads = RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE });
	log_capture_start();
	assert_int_equal(rte_eth_timesync_enable(p->id), -EBUSY);
	log_capture_expect("the plain Tx path takes no time stamps");
}

static void
test_parts_without_stamps_say_so(void **state)
{
	struct fx_port other;
	struct timespec ts;

	(void)state;
	fx_open(&other, "82540em", NULL);
	fx_start(&other, CONF);
	assert_int_equal(rte_eth_timesync_enable(other.id), -ENOTSUP);
	assert_int_equal(rte_eth_timesync_read_time(other.id, &ts), -ENOTSUP);
	assert_int_equal(rte_eth_timesync_read_rx_timestamp(other.id, &ts, 0), -ENOTSUP);
	fx_close(&other);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, fx_port_setup, fx_port_teardown)
	const struct CMUnitTest tests[] = {
		T(time_passes_as_the_clock_does),
		T(time_never_goes_back),
		T(time_can_be_set_and_adjusted),
		T(event_messages_are_stamped),
		T(other_frames_are_not_stamped),
		T(one_stamp_is_kept),
		T(sent_packets_are_stamped_on_request),
		T(disabled_nothing_is_stamped),
		T(what_cannot_be_stamped_is_refused),
		cmocka_unit_test(test_parts_without_stamps_say_so),
	};

	fx_chip = "82574l";
	return cmocka_run_group_tests_name("e1000_tsync", tests, fx_setup, fx_teardown);
}
