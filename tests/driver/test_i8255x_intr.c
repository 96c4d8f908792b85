/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* i8255x: Rx interrupts, on the model that the argument names, by the sim's one line (§2.2). */

#include "fixture.h"

#include <rte_epoll.h>
#include <rte_interrupts.h>

#include "../../drivers/net/i8255x/i8255x.h"

#define LONG_MS 60000
#define STAT_ACK 0x01
#define INT_CTRL 0x03

static uint8_t
reg(const struct fx_port *p, uint32_t off)
{
	return pw_model_bar_read(p->model, 0, off, 1);
}

static void
inject(struct fx_port *p)
{
	static struct fx_frame f;

	fx_frame_build(&f, &(struct fx_spec){ .payload = 50 });
	fx_inject(p, &f);
	fx_advance(p, 0);
}

static void
send_one(struct fx_port *p)
{
	static struct fx_frame f;
	struct rte_mbuf *m;

	fx_frame_build(&f, &(struct fx_spec){ .payload = 50 });
	m = fx_mbuf(p->pool, &f, 0);
	fx_tx(p, &m, 1);
	fx_expect_sent(p, &f);
}

static void
take(struct fx_port *p, uint16_t want)
{
	struct rte_mbuf *m[64];

	assert_int_equal(fx_rx(p, m, RTE_DIM(m)), want);
	rte_pktmbuf_free_bulk(m, want);
}

/* @return whether the queue's descriptor fired within `ms`. */
static bool
wakes(int ms)
{
	struct rte_epoll_event event;

	return rte_epoll_wait(RTE_EPOLL_PER_THREAD, &event, 1, ms) == 1;
}

static void
start(struct fx_port *p)
{
	fx_start(p, &(struct fx_conf){ .eth.intr_conf.rxq = 1, .nb_rxd = 32 });
	assert_int_equal(rte_eth_dev_rx_intr_ctl_q(p->id, 0, RTE_EPOLL_PER_THREAD,
						   RTE_INTR_EVENT_ADD, NULL), 0);
}

static void
stop(struct fx_port *p)
{
	assert_int_equal(rte_eth_dev_rx_intr_ctl_q(p->id, 0, RTE_EPOLL_PER_THREAD,
						   RTE_INTR_EVENT_DEL, NULL), 0);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
}

static void
test_frame_wakes_a_sleeper(void **state)
{
	struct fx_port *p = *state;

	for (unsigned int i = 0; i < 3; i++) {	/* over stop and start */
		start(p);
		for (unsigned int k = 0; k < 5; k++) {
			assert_int_equal(rte_eth_dev_rx_intr_enable(p->id, 0), 0);
			assert_false(wakes(0));
			inject(p);
			assert_true(wakes(LONG_MS));
			assert_int_equal(rte_eth_dev_rx_intr_disable(p->id, 0), 0);
			take(p, 1);
		}
		stop(p);
		assert_int_equal(reg(p, INT_CTRL) & 1, 1);
	}
}

static void
test_masked_queue_stays_silent(void **state)
{
	struct fx_port *p = *state;

	start(p);
	assert_int_equal(reg(p, INT_CTRL) & 1, 1);
	inject(p);
	assert_false(wakes(0));
	assert_int_equal(rte_eth_dev_rx_intr_enable(p->id, 0), 0);
	assert_true(wakes(LONG_MS));
	assert_int_equal(rte_eth_dev_rx_intr_disable(p->id, 0), 0);
	assert_int_equal(reg(p, INT_CTRL) & 1, 1);
	take(p, 1);
	stop(p);
}

/* Between masking and unmasking: it fires on unmasking. */
static void
test_frame_while_masked_is_not_slept_through(void **state)
{
	struct fx_port *p = *state;

	start(p);
	assert_int_equal(rte_eth_dev_rx_intr_enable(p->id, 0), 0);
	inject(p);
	assert_true(wakes(LONG_MS));
	assert_int_equal(rte_eth_dev_rx_intr_disable(p->id, 0), 0);
	take(p, 1);
	inject(p);
	assert_int_equal(rte_eth_dev_rx_intr_enable(p->id, 0), 0);
	assert_true(wakes(LONG_MS));
	assert_int_equal(rte_eth_dev_rx_intr_disable(p->id, 0), 0);
	take(p, 1);
	stop(p);
}

/*
 * Reception stopped for want of buffers raises no FR any more. Who sleeps then must be woken
 * until its polls have started the unit again, and frames come in as before.
 */
static void
test_stopped_reception_is_not_slept_through(void **state)
{
	struct rte_eth_stats s;
	struct fx_port *p = *state;
	struct rte_mbuf *m[64];
	unsigned int rounds = 0;
	uint16_t n;

	start(p);
	for (unsigned int i = 0; i < 64; i++)
		inject(p);
	do {
		assert_int_equal(rte_eth_dev_rx_intr_enable(p->id, 0), 0);
		if (!wakes(0))
			break;
		assert_int_equal(rte_eth_dev_rx_intr_disable(p->id, 0), 0);
		n = rte_eth_rx_burst(p->id, 0, m, RTE_DIM(m));
		rte_pktmbuf_free_bulk(m, n);
	} while (++rounds < 10000);
	assert_in_range(rounds, 1, 9999);
	inject(p);
	assert_true(wakes(LONG_MS));
	assert_int_equal(rte_eth_dev_rx_intr_disable(p->id, 0), 0);
	take(p, 1);
	assert_int_equal(rte_eth_stats_get(p->id, &s), 0);
	assert_int_equal(s.ipackets + s.imissed, 65);
	stop(p);
}

/* 82558 and later have a mask a cause (§1.2): what is sent does not wake. */
static void
test_sending_does_not_wake(void **state)
{
	struct fx_port *p = *state;

	start(p);
	send_one(p);
	assert_int_equal(rte_eth_dev_rx_intr_enable(p->id, 0), 0);
	/* What was sent before is no news anywhere. */
	assert_false(wakes(0));
	send_one(p);
	assert_int_equal(wakes(0), strcmp(fx_chip, "82557b") == 0 &&
				   (reg(p, STAT_ACK) & 0x20) != 0);
	assert_int_equal(rte_eth_dev_rx_intr_disable(p->id, 0), 0);
	stop(p);
}

static void
test_not_asked_for_is_refused(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_dev_rx_intr_enable(p->id, 0), -ENOTSUP);
	assert_int_equal(rte_eth_dev_rx_intr_disable(p->id, 0), -ENOTSUP);
	assert_int_equal(reg(p, INT_CTRL) & 1, 1);
}

static void
test_no_descriptor_to_sleep_on_fails_start(void **state)
{
	struct fx_port *p = *state;
	struct pw_dev *dev = pw_dev_of(&rte_eth_devices[p->id]);
	struct rte_intr_handle *intr = dev->intr;

	fx_configure(p, &(struct fx_conf){ .eth.intr_conf.rxq = 1 });
	dev->intr = NULL;
	log_capture_start();
	assert_int_equal(rte_eth_dev_start(p->id), -ENOTSUP);
	log_capture_expect("Rx interrupts cannot be had here");
	assert_int_equal(rte_mempool_in_use_count(p->pool), 0);
	dev->intr = intr;
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	inject(p);
	take(p, 1);
}

static void
test_card_that_is_gone_says_so(void **state)
{
	struct fx_port *p = *state;

	start(p);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_REMOVED, 1), 0);
	assert_int_equal(rte_eth_dev_rx_intr_disable(p->id, 0), -ENODEV);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_REMOVED, 0), 0);
	stop(p);
}

int
main(int argc, char **argv)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, fx_port_setup, fx_port_teardown)
	const struct CMUnitTest tests[] = {
		T(frame_wakes_a_sleeper),
		T(masked_queue_stays_silent),
		T(frame_while_masked_is_not_slept_through),
		T(stopped_reception_is_not_slept_through),
		T(sending_does_not_wake),
		T(not_asked_for_is_refused),
		T(no_descriptor_to_sleep_on_fails_start),
		T(card_that_is_gone_says_so),
	};

	fx_chip = argc > 1 ? argv[1] : "82559c";
	return cmocka_run_group_tests_name("i8255x_intr", tests, fx_setup, fx_teardown);
}
