/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* Start, stop, close, come back; two ports; a card that is pulled out. */

#include "conf.h"

#include <semaphore.h>
#include <time.h>

#define BOUND_S 30 /* how long a test may hang before it fails; nothing waits for it */

#include <rte_bus_vdev.h>
#include <rte_errno.h>

static void
test_start_and_stop_twenty_times_under_traffic(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;
	unsigned int i, j;

	fx_configure(p, NULL);
	conf_frame(&f, 100, 1);
	for (i = 0; i < 20; i++) {
		assert_int_equal(rte_eth_dev_start(p->id), 0);
		conf_pass(p, i * 7);
		/* Stop with frames on the way in and out, taken and not taken. */
		for (j = 0; j < 100; j++) {
			fx_inject(p, &f);
			m = fx_mbuf(p->pool, &f, 0);
			fx_tx(p, &m, 1);
			if (j % 3 == 0 && fx_rx(p, &m, 1) == 1)
				rte_pktmbuf_free(m);
		}
		conf_stop(p);
		assert_int_equal(rte_mempool_in_use_count(p->pool), 0);
		conf_drain(p);
		/* What comes to a stopped port is not for the next start. */
		fx_inject(p, &f);
		fx_advance(p, 1000);
		assert_int_equal(rte_eth_dev_start(p->id), 0);
		conf_expect_none(p);
		conf_stop(p);
	}
}

static void
test_start_and_stop_twice_is_no_error(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	conf_pass(p, 3);
	conf_stop(p);
	conf_stop(p);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	conf_pass(p, 3);
}

static void
test_bursts_of_a_stopped_port_do_nothing(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;

	conf_frame(&f, 100, 1);
	m = fx_mbuf(p->pool, &f, 0);
	fx_start(p, NULL);
	conf_stop(p);
	assert_int_equal(rte_eth_tx_burst(p->id, 0, &m, 1), 0);
	rte_pktmbuf_free(m);
	assert_int_equal(rte_eth_rx_burst(p->id, 0, &m, 1), 0);
	conf_expect_silence(p);
}

static void
test_close_and_come_back(void **state)
{
	struct fx_port p;
	unsigned int i;

	(void)state;
	for (i = 0; i < 5; i++) {
		fx_open(&p, fx_chip, NULL);
		fx_start(&p, NULL);
		conf_pass(&p, 10);
		if (i % 2) {
			conf_stop(&p);
			assert_int_equal(rte_eth_dev_close(p.id), 0);
			assert_false(rte_eth_dev_is_valid_port(p.id));
			p.model = NULL;
		}
		fx_close(&p);
		assert_int_equal(rte_eth_dev_count_total(), 0);
	}
}

static void
test_running_port_is_not_closed(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_not_equal(rte_eth_dev_close(p->id), 0);
	conf_pass(p, 3);
}

static void
test_two_ports_do_not_mix(void **state)
{
	struct fx_port p[2];
	static struct fx_frame f;
	struct rte_mbuf *m;
	unsigned int i;

	(void)state;
	fx_open(&p[0], fx_chip, NULL);
	fx_open(&p[1], fx_chip, NULL);
	assert_memory_not_equal(&p[0].mac, &p[1].mac, sizeof(p[0].mac));
	/* In either order, as others found out that it matters. */
	fx_start(&p[1], NULL);
	fx_start(&p[0], NULL);
	for (i = 0; i < 500; i++) {
		unsigned int to = i / 3 & 1;

		conf_frame(&f, 60 + i, i);
		fx_inject(&p[to], &f);
		conf_expect_none(&p[!to]);
		assert_int_equal(fx_rx(&p[to], &m, 1), 1);
		assert_int_equal(m->port, p[to].id);
		/* Forwarded, from the pool of the one to the wire of the other. */
		fx_tx(&p[!to], &m, 1);
		conf_expect_sent(&p[!to], &f);
		conf_expect_silence(&p[to]);
	}
	conf_stop(&p[0]);
	conf_pass(&p[1], 10);
	/* Each may still hold the other's mbufs. */
	conf_stop(&p[1]);
	fx_close(&p[0]);
	fx_close(&p[1]);
}

/* --- a card that is gone ------------------------------------------------------------------- */

/* Every call comes back; who can tell says so, nobody says what is not so. */
static void
expect_gone(struct fx_port *p, const struct fx_frame *f)
{
	struct rte_eth_link link = { 0 };
	struct rte_ether_addr mac;
	struct rte_mbuf *m;
	unsigned int i;

	for (i = 0; i < 1000; i++) {
		fx_inject(p, f);
		if (rte_eth_rx_burst(p->id, 0, &m, 1) != 0)
			fail_msg("a frame came out of a card that is gone");
		m = fx_mbuf(p->pool, f, 0);
		if (rte_eth_tx_burst(p->id, 0, &m, 1) == 0)
			rte_pktmbuf_free(m);
	}
	conf_expect_silence(p);
	if (rte_eth_link_get_nowait(p->id, &link) == 0)
		assert_int_equal(link.link_status, RTE_ETH_LINK_DOWN);
	if (rte_eth_link_get(p->id, &link) == 0)
		assert_int_equal(link.link_status, RTE_ETH_LINK_DOWN);
	assert_int_equal(rte_eth_macaddr_get(p->id, &mac), 0);
	assert_memory_equal(&mac, &p->mac, sizeof(mac));
	rte_eth_promiscuous_enable(p->id);
	rte_eth_allmulticast_enable(p->id);
	rte_eth_dev_set_mtu(p->id, 1400);
	rte_eth_dev_set_link_down(p->id);
	rte_eth_dev_set_link_up(p->id);
	rte_eth_dev_is_removed(p->id);
}

static void
test_removal_ends_in_errors_not_hangs(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;

	fx_start(p, NULL);
	conf_pass(p, 10);
	conf_frame(&f, 100, 1);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_REMOVED, 1), 0);
	expect_gone(p, &f);
	rte_eth_dev_stop(p->id);
	assert_int_not_equal(rte_eth_dev_start(p->id), 0);
	assert_int_equal(rte_eth_dev_close(p->id), 0);
	p->model = NULL;
}

static void
test_removal_while_stopped(void **state)
{
	struct fx_port *p = *state;

	fx_configure(p, NULL);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_REMOVED, 1), 0);
	assert_int_not_equal(rte_eth_dev_start(p->id), 0);
	assert_int_equal(rte_mempool_in_use_count(p->pool), 0);
	/* Plugged in again, as a bad contact may have it. */
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_REMOVED, 0), 0);
}

static void
test_reset_that_never_ends_is_an_error(void **state)
{
	struct fx_port *p = *state;

	fx_configure(p, NULL);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_STUCK_RESET, 1), 0);
	assert_int_not_equal(rte_eth_dev_start(p->id), 0);
	assert_int_equal(rte_mempool_in_use_count(p->pool), 0);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_STUCK_RESET, 0), 0);
	/* It went through in the end; that takes a moment. */
	fx_advance(p, 1000000);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	conf_pass(p, 10);
}

static void
test_dead_phy_does_not_hang(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_link link;

	fx_configure(p, NULL);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_PHY_SILENT, 1), 0);
	if (rte_eth_dev_start(p->id) == 0) {
		rte_eth_link_get(p->id, &link);
		rte_eth_dev_set_link_down(p->id);
		conf_stop(p);
	}
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_PHY_SILENT, 0), 0);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	conf_pass(p, 10);
}

/* A card that does not do what it was told must not be taken for one that has no more to do. */
static void
test_lost_doorbell_is_made_good_by_the_next(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;

	fx_start(p, NULL);
	conf_frame(&f, 100, 1);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_LOST_DOORBELL, 1), 0);
	m = fx_mbuf(p->pool, &f, 0);
	fx_tx(p, &m, 1);
	conf_expect_silence(p);
	m = fx_mbuf(p->pool, &f, 0);
	fx_tx(p, &m, 1);
	conf_expect_sent(p, &f);
	conf_expect_sent(p, &f);
	conf_pass(p, 10);
}

static sem_t hung;
static unsigned int hangs;

static int
on_hang(uint16_t port, enum rte_eth_event_type type, void *arg, void *ret)
{
	const struct fx_port *p = arg;

	(void)ret;
	if (type == RTE_ETH_EVENT_INTR_RESET && port == p->id)
		hangs++;
	sem_post(&hung);
	return 0;
}

/* The watch of the driver, told to look often, sees it; nothing here depends on how often. */
static void
test_hang_of_the_transmitter_is_told_and_cured(void **state)
{
	static struct fx_frame f;
	struct timespec until;
	struct rte_mbuf *m;
	struct fx_port p;
	int rc;

	(void)state;
	fx_open(&p, fx_chip, "driver=hang_ms=1");
	hangs = 0;
	sem_init(&hung, 0, 0);
	assert_int_equal(rte_eth_dev_callback_register(p.id, RTE_ETH_EVENT_INTR_RESET, on_hang,
						       &p), 0);
	fx_start(&p, NULL);
	conf_pass(&p, 100);
	assert_int_equal(hangs, 0);
	assert_int_equal(pw_model_fault(p.model, PW_FAULT_TX_HANG, 1), 0);
	conf_frame(&f, 100, 1);
	m = fx_mbuf(p.pool, &f, 0);
	fx_tx(&p, &m, 1);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += BOUND_S;
	assert_int_equal(sem_timedwait(&hung, &until), 0);
	assert_int_equal(hangs, 1);
	/* As the event asks for: reset, configure, start. */
	assert_int_equal(pw_model_fault(p.model, PW_FAULT_TX_HANG, 0), 0);
	rc = rte_eth_dev_reset(p.id);
	if (rc == -ENOTSUP)
		conf_stop(&p);
	else
		assert_int_equal(rc, 0);
	assert_int_equal(rte_mempool_in_use_count(p.pool), 0);
	fx_start(&p, NULL);
	conf_drain(&p);
	conf_pass(&p, 100);
	do /* the thread may be in it */
		rc = rte_eth_dev_callback_unregister(p.id, RTE_ETH_EVENT_INTR_RESET, on_hang, &p);
	while (rc == -EAGAIN);
	assert_int_equal(rc, 0);
	assert_int_equal(hangs, 1);
	sem_destroy(&hung);
	fx_close(&p);
}

static void
test_port_reset_is_refused_or_works(void **state)
{
	struct fx_port *p = *state;
	int rc;

	fx_start(p, NULL);
	conf_pass(p, 3);
	rc = rte_eth_dev_reset(p->id);
	if (rc != 0) {
		assert_int_equal(rc, -ENOTSUP);
		conf_pass(p, 3);
		return;
	}
	fx_start(p, NULL);
	conf_pass(p, 3);
}

static const struct CMUnitTest tests[] = {
	CONF_TEST(test_start_and_stop_twenty_times_under_traffic),
	CONF_TEST(test_start_and_stop_twice_is_no_error),
	CONF_TEST(test_bursts_of_a_stopped_port_do_nothing),
	cmocka_unit_test(test_close_and_come_back),
	CONF_TEST(test_running_port_is_not_closed),
	cmocka_unit_test(test_two_ports_do_not_mix),
	CONF_TEST(test_removal_ends_in_errors_not_hangs),
	CONF_TEST(test_removal_while_stopped),
	CONF_TEST(test_reset_that_never_ends_is_an_error),
	CONF_TEST(test_dead_phy_does_not_hang),
	CONF_TEST(test_lost_doorbell_is_made_good_by_the_next),
	cmocka_unit_test(test_hang_of_the_transmitter_is_told_and_cured),
	CONF_TEST(test_port_reset_is_refused_or_works),
};

CONF_MAIN("life", tests)
