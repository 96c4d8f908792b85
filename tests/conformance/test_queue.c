/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* What may be asked of a queue, and queues that start and stop by themselves. */

#include "conf.h"

#include <semaphore.h>
#include <time.h>

#include <rte_epoll.h>
#include <rte_interrupts.h>

#define RING 128
#define SECOND_NS UINT64_C(1000000000)
#define WAKE_MS 60000 /* how long a test may hang before it fails; nothing waits for it */

static void
start(struct fx_port *p)
{
	fx_start(p, &(struct fx_conf){ .nb_rxd = RING, .nb_txd = RING });
}

static struct rte_mbuf *
packet(struct fx_port *p, uint8_t seed)
{
	static struct fx_frame f;

	conf_frame(&f, 100, seed);
	return fx_mbuf(p->pool, &f, 0);
}

/* --- descriptor status -------------------------------------------------------------------- */

static void
test_rx_descriptor_status(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m[RING];
	unsigned int i, done;
	bool has;

	start(p);
	has = rte_eth_rx_descriptor_status(p->id, 0, 0) != -ENOTSUP;
	conf_proven("Rx descriptor status", "status", has);
	if (!has)
		return;
	assert_int_equal(rte_eth_rx_descriptor_status(p->id, 0, 0), RTE_ETH_RX_DESC_AVAIL);
	conf_frame(&f, 100, 1);
	for (i = 0; i < 10; i++)
		fx_inject(p, &f);
	fx_advance(p, 1000);
	for (i = 0, done = 0; i < RING; i++) {
		int rc = rte_eth_rx_descriptor_status(p->id, 0, i);

		assert_in_range(rc, RTE_ETH_RX_DESC_AVAIL, RTE_ETH_RX_DESC_UNAVAIL);
		assert_int_equal(rc == RTE_ETH_RX_DESC_DONE, i < 10);
		done += rc == RTE_ETH_RX_DESC_DONE;
	}
	assert_int_equal(done, 10);
	assert_int_equal(rte_eth_rx_descriptor_status(p->id, 0, RING), -EINVAL);
	assert_int_equal(rte_eth_rx_descriptor_status(p->id, 0, UINT16_MAX), -EINVAL);
	assert_int_equal(fx_rx(p, m, 4), 4);
	assert_int_equal(rte_eth_rx_descriptor_status(p->id, 0, 5), RTE_ETH_RX_DESC_DONE);
	assert_int_equal(rte_eth_rx_descriptor_status(p->id, 0, 6), RTE_ETH_RX_DESC_AVAIL);
	assert_int_equal(fx_rx(p, m + 4, RING - 4), 6);
	rte_pktmbuf_free_bulk(m, 10);
}

/* Slots whose buffers were handed out and not made good. */
static void
test_rx_descriptors_without_buffers(void **state)
{
	struct fx_port *p = *state;
	static struct rte_mbuf *held[FX_POOL_MBUFS];
	static struct fx_frame f;
	unsigned int i, n = 0;

	start(p);
	if (rte_eth_rx_descriptor_status(p->id, 0, 0) == -ENOTSUP)
		return;
	while ((held[n] = rte_pktmbuf_alloc(p->pool)) != NULL)
		n++;
	conf_frame(&f, 100, 1);
	for (i = 0; i < RING / 2; i++)
		fx_inject(p, &f);
	assert_int_equal(fx_rx(p, held + n, RING / 2), RING / 2);
	assert_int_equal(rte_eth_rx_descriptor_status(p->id, 0, 0), RTE_ETH_RX_DESC_AVAIL);
	assert_int_equal(rte_eth_rx_descriptor_status(p->id, 0, RING / 2),
			 RTE_ETH_RX_DESC_UNAVAIL);
	assert_int_equal(rte_eth_rx_descriptor_status(p->id, 0, RING - 1),
			 RTE_ETH_RX_DESC_UNAVAIL);
	rte_pktmbuf_free_bulk(held, n + RING / 2);
}

/* The same all the way round the ring. */
static void
test_rx_queue_count(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m[RING];
	unsigned int i, n;

	start(p);
	if (rte_eth_rx_queue_count(p->id, 0) == -ENOTSUP)
		return;
	conf_frame(&f, 100, 1);
	for (i = 0; i < 300; i++) {
		n = i % 50;
		assert_int_equal(rte_eth_rx_queue_count(p->id, 0), 0);
		for (unsigned int j = 0; j < n; j++)
			fx_inject(p, &f);
		fx_advance(p, 1000);
		assert_int_equal(rte_eth_rx_queue_count(p->id, 0), n);
		assert_int_equal(fx_rx(p, m, RING), n);
		rte_pktmbuf_free_bulk(m, n);
	}
}

static void
test_tx_descriptor_status(void **state)
{
	struct fx_port *p = *state;
	struct rte_mbuf *m[RING];
	unsigned int i, n, full;
	bool has;

	start(p);
	has = rte_eth_tx_descriptor_status(p->id, 0, 0) != -ENOTSUP;
	conf_proven("Tx descriptor status", "status", has);
	if (!has)
		return;
	for (i = 0; i < RING; i++)
		assert_int_equal(rte_eth_tx_descriptor_status(p->id, 0, i), RTE_ETH_TX_DESC_DONE);
	assert_int_equal(rte_eth_tx_descriptor_status(p->id, 0, RING), -EINVAL);
	/* The transmitter stands still: as many are full as were taken, counted from the end. */
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_TX_HANG, 1), 0);
	for (i = 0; i < RING; i++)
		m[i] = packet(p, i);
	n = rte_eth_tx_burst(p->id, 0, m, 40);
	assert_int_equal(n, 40);
	for (i = 0, full = 0; i < RING; i++)
		full += rte_eth_tx_descriptor_status(p->id, 0, i) == RTE_ETH_TX_DESC_FULL;
	assert_in_range(full, 40, RING - 1);
	assert_int_equal(rte_eth_tx_descriptor_status(p->id, 0, 0), RTE_ETH_TX_DESC_DONE);
	assert_int_equal(rte_eth_tx_descriptor_status(p->id, 0, RING - 1), RTE_ETH_TX_DESC_FULL);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_TX_HANG, 0), 0);
	fx_advance(p, 1000);
	rte_pktmbuf_free_bulk(m + 40, RING - 40);
	assert_int_equal(rte_eth_tx_descriptor_status(p->id, 0, RING - 40), RTE_ETH_TX_DESC_DONE);
	assert_int_equal(conf_drain(p), 40);
}

/* --- burst mode, cleaning up -------------------------------------------------------------- */

static void
test_burst_mode_info(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_burst_mode mode = { 0 };
	int rx, tx;

	start(p);
	rx = rte_eth_rx_burst_mode_get(p->id, 0, &mode);
	if (rx == 0)
		assert_in_range(strnlen(mode.info, sizeof(mode.info)), 1, sizeof(mode.info) - 1);
	else
		assert_int_equal(rx, -ENOTSUP);
	tx = rte_eth_tx_burst_mode_get(p->id, 0, &mode);
	if (tx == 0)
		assert_in_range(strnlen(mode.info, sizeof(mode.info)), 1, sizeof(mode.info) - 1);
	else
		assert_int_equal(tx, -ENOTSUP);
	assert_int_not_equal(rte_eth_rx_burst_mode_get(p->id, 1, &mode), 0);
	assert_int_not_equal(rte_eth_tx_burst_mode_get(p->id, 1, &mode), 0);
	conf_pass(p, 3);
	conf_proven("Burst mode info", "Rx", rx == 0);
	conf_proven("Burst mode info", "Tx", tx == 0);
}

static void
test_sent_packets_are_freed_on_demand_or_not_offered(void **state)
{
	struct fx_port *p = *state;
	struct rte_mbuf *m[8];
	unsigned int i;
	int rc;

	start(p);
	rc = rte_eth_tx_done_cleanup(p->id, 0, 0);
	if (rc < 0) {
		assert_int_equal(rc, -ENOTSUP);
	} else {
		unsigned int before = rte_mempool_in_use_count(p->pool), left;

		for (i = 0; i < RTE_DIM(m); i++)
			m[i] = packet(p, i);
		fx_tx(p, m, RTE_DIM(m));
		conf_drain(p);
		rc = rte_eth_tx_done_cleanup(p->id, 0, 3);
		assert_in_range(rc, 0, 3);
		assert_true(rte_eth_tx_done_cleanup(p->id, 0, 0) >= 0);
		left = rte_mempool_in_use_count(p->pool) - before;
		assert_int_equal(left, 0);
		conf_pass(p, 300);
	}
	conf_proven("Free Tx mbuf on demand", "cleanup", rc >= 0);
}

/* What has not been sent is not freed; what is freed is counted, on each path. */
static void
test_cleanup_frees_what_it_says_and_nothing_too_early(void **state)
{
	struct fx_port *p = *state;
	uint64_t fast = conf_info(p).tx_offload_capa & RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE;
	uint64_t segs = conf_info(p).tx_offload_capa & RTE_ETH_TX_OFFLOAD_MULTI_SEGS;
	const uint64_t modes[] = { 0, fast, segs };
	struct rte_mbuf *m[96];
	unsigned int i, k, idle, used;
	int rc;

	for (i = 0; i < RTE_DIM(modes); i++) {
		fx_start(p, &(struct fx_conf){ .nb_rxd = RING, .nb_txd = RING,
					       .eth.txmode.offloads = modes[i] });
		if (rte_eth_tx_done_cleanup(p->id, 0, 0) == -ENOTSUP)
			return;
		idle = rte_mempool_in_use_count(p->pool);
		assert_int_equal(pw_model_fault(p->model, PW_FAULT_TX_HANG, 1), 0);
		for (k = 0; k < RTE_DIM(m); k++)
			m[k] = packet(p, k);
		fx_tx(p, m, RTE_DIM(m));
		assert_int_equal(rte_eth_tx_done_cleanup(p->id, 0, 0), 0);
		assert_int_equal(rte_mempool_in_use_count(p->pool), idle + RTE_DIM(m));
		assert_int_equal(pw_model_fault(p->model, PW_FAULT_TX_HANG, 0), 0);
		fx_advance(p, 1000000);
		assert_int_equal(conf_drain(p), RTE_DIM(m));
		for (used = RTE_DIM(m); used > 0; used -= rc) {
			rc = rte_eth_tx_done_cleanup(p->id, 0, RTE_DIM(m) / 2);
			assert_in_range(rc, 0, RTE_MIN(RTE_DIM(m) / 2, used));
			assert_int_equal(rte_mempool_in_use_count(p->pool), idle + used - rc);
			if (rc == 0)
				break;
		}
		/* A path that frees by groups may keep less than one. */
		assert_in_range(used, 0, modes[i] != 0 && modes[i] == fast ? RING / 2 : 0);
		conf_pass(p, 300);
		conf_stop(p);
	}
}

/* --- sleeping until frames come ----------------------------------------------------------- */

static const struct rte_eth_conf sleepy = { .intr_conf.rxq = 1 };

/* @return whether the queue's descriptor fires within `ms`. */
static bool
wakes(int ms)
{
	struct rte_epoll_event event;

	return rte_epoll_wait(RTE_EPOLL_PER_THREAD, &event, 1, ms) == 1;
}

static void
sleep_on(struct fx_port *p, bool on)
{
	assert_int_equal(rte_eth_dev_rx_intr_ctl_q(p->id, 0, RTE_EPOLL_PER_THREAD,
						   on ? RTE_INTR_EVENT_ADD : RTE_INTR_EVENT_DEL,
						   NULL), 0);
}

static void
arm(struct fx_port *p, bool on)
{
	assert_int_equal((on ? rte_eth_dev_rx_intr_enable : rte_eth_dev_rx_intr_disable)(p->id, 0),
			 0);
}

static void
arrives(struct fx_port *p, uint8_t seed)
{
	static struct fx_frame f;

	conf_frame(&f, 100, seed);
	fx_inject(p, &f);
	fx_advance(p, 0);
}

static void
take(struct fx_port *p, uint8_t seed)
{
	static struct fx_frame f;
	struct rte_mbuf *m;

	conf_frame(&f, 100, seed);
	assert_int_equal(fx_rx(p, &m, 1), 1);
	fx_expect_mbuf(m, &f);
	conf_expect_none(p);
}

/* The rounds of a program that sleeps: unmask, sleep, mask, poll until there is nothing. */
static void
expect_wakes(struct fx_port *p)
{
	uint8_t i;

	for (i = 0; i < 20; i++) {
		arm(p, true);
		assert_false(wakes(0));
		arrives(p, i);
		assert_true(wakes(WAKE_MS));
		arm(p, false);
		take(p, i);
	}
	/* Masked, nobody is woken; but what came meanwhile is not slept through. */
	for (i = 0; i < 20; i++) {
		arrives(p, i);
		assert_false(wakes(0));
		arm(p, true);
		assert_true(wakes(WAKE_MS));
		arm(p, false);
		take(p, i);
	}
	assert_false(wakes(0));
}

static void
test_frames_wake_a_sleeper_or_interrupts_are_not_offered(void **state)
{
	struct fx_port *p = *state;
	unsigned int i;
	bool has;

	/* ethdev has no capability for it: it shows when they are turned on. */
	start(p);
	assert_int_not_equal(rte_eth_dev_rx_intr_enable(p->id, 0), 0);
	conf_stop(p);
	fx_configure(p, &(struct fx_conf){ .eth = sleepy });
	has = rte_eth_dev_start(p->id) == 0;
	if (!has || rte_eth_dev_rx_intr_enable(p->id, 0) == -ENOTSUP) {
		conf_proven("Rx interrupt", "interrupt", false);
		return;
	}
	arm(p, false);
	for (i = 0; i < 3; i++) { /* over stop and start */
		sleep_on(p, true);
		expect_wakes(p);
		conf_pass(p, 50);
		sleep_on(p, false);
		conf_stop(p);
		assert_int_equal(rte_eth_dev_start(p->id), 0);
	}
	assert_int_not_equal(rte_eth_dev_rx_intr_enable(p->id, conf_info(p).max_rx_queues), 0);
	conf_proven("Rx interrupt", "interrupt", true);
}

static sem_t link_news;

static int
on_link(uint16_t port, enum rte_eth_event_type type, void *arg, void *ret)
{
	(void)port;
	(void)type;
	(void)arg;
	(void)ret;
	sem_post(&link_news);
	return 0;
}

/* One change of the link, and until the driver's handler has been at it. */
static void
change_link(struct fx_port *p, bool down)
{
	struct timespec until;

	while (sem_trywait(&link_news) == 0)
		;
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_LINK_DOWN, down), 0);
	fx_advance(p, SECOND_NS);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += WAKE_MS / 1000;
	assert_int_equal(sem_timedwait(&link_news, &until), 0);
}

/* A link change is news for another reader, and must not cost the sleeper his frame. */
static void
expect_wakes_among_link_changes(struct fx_port *p)
{
	uint8_t i;

	for (i = 0; i < 20; i++) {
		/* With the interrupt masked, and then not. */
		arrives(p, i);
		change_link(p, true);
		while (wakes(0))
			;
		arm(p, true);
		assert_true(wakes(WAKE_MS));
		arm(p, false);
		take(p, i);
		arm(p, true);
		change_link(p, false);
		/* Who is woken for nothing polls, and lies down again. */
		while (wakes(0)) {
			arm(p, false);
			conf_expect_none(p);
			arm(p, true);
		}
		arrives(p, i);
		assert_true(wakes(WAKE_MS));
		arm(p, false);
		take(p, i);
	}
}

static void
test_link_change_does_not_keep_a_sleeper_asleep(void **state)
{
	struct rte_eth_conf conf = { .intr_conf = { .rxq = 1, .lsc = 1 } };
	struct fx_port *p = *state;
	int rc;

	if ((*conf_info(p).dev_flags & RTE_ETH_DEV_INTR_LSC) == 0)
		return;
	fx_configure(p, &(struct fx_conf){ .eth = conf });
	if (rte_eth_dev_start(p->id) != 0)
		return;	/* neither are Rx interrupts alone: the test before this */
	sem_init(&link_news, 0, 0);
	assert_int_equal(rte_eth_dev_callback_register(p->id, RTE_ETH_EVENT_INTR_LSC, on_link,
						       NULL), 0);
	sleep_on(p, true);
	expect_wakes_among_link_changes(p);
	sleep_on(p, false);
	conf_stop(p);
	do /* the thread may be in it */
		rc = rte_eth_dev_callback_unregister(p->id, RTE_ETH_EVENT_INTR_LSC, on_link, NULL);
	while (rc == -EAGAIN);
	assert_int_equal(rc, 0);
	sem_destroy(&link_news);
}

/* --- settings of a queue ------------------------------------------------------------------ */

static void
test_unsupported_settings_of_a_queue_are_refused(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	const struct rte_eth_conf none = { 0 };
	struct rte_eth_rxconf rx = info.default_rxconf;
	struct rte_eth_txconf tx = info.default_txconf;
	unsigned int bit;

	assert_int_equal(rte_eth_dev_configure(p->id, 1, 1, &none), 0);
	for (bit = 0; bit < 64; bit++) {
		rx.offloads = RTE_BIT64(bit);
		tx.offloads = RTE_BIT64(bit);
		if ((info.rx_queue_offload_capa & rx.offloads) == 0)
			assert_int_not_equal(rte_eth_rx_queue_setup(p->id, 0, RING, SOCKET_ID_ANY,
								    &rx, p->pool), 0);
		if ((info.tx_queue_offload_capa & tx.offloads) == 0)
			assert_int_not_equal(rte_eth_tx_queue_setup(p->id, 0, RING, SOCKET_ID_ANY,
								    &tx), 0);
	}
	conf_proven("Shared Rx queue", "capability",
		    (info.dev_capa & RTE_ETH_DEV_CAPA_RXQ_SHARE) != 0);
	start(p);
	conf_pass(p, 3);
}

/* Offloads asked for at a queue alone work as if the port had them. */
static void
test_offload_of_the_queue_alone(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	const uint64_t strip = RTE_ETH_RX_OFFLOAD_VLAN_STRIP;
	static struct fx_frame f, want;
	struct rte_mbuf *m;

	if ((info.rx_queue_offload_capa & strip) == 0)
		return;
	fx_start(p, &(struct fx_conf){ .rx.offloads = strip });
	conf_frame(&f, 100, 1);
	conf_frame(&want, 100, 1);
	conf_tag(&f, RTE_ETHER_TYPE_VLAN, 0x123);
	m = conf_rx_one(p, &f);
	assert_true(m->ol_flags & RTE_MBUF_F_RX_VLAN_STRIPPED);
	assert_int_equal(m->vlan_tci, 0x123);
	fx_expect_mbuf(m, &want);
}

/* --- queues that start and stop -------------------------------------------------------------- */

static void
expect_queue_switch(struct fx_port *p)
{
	static struct fx_frame f;
	struct rte_eth_rxq_info rx;
	struct rte_mbuf *m;
	unsigned int i;

	conf_frame(&f, 100, 1);
	for (i = 0; i < 5; i++) {
		assert_int_equal(rte_eth_dev_rx_queue_stop(p->id, 0), 0);
		assert_int_equal(rte_eth_rx_queue_info_get(p->id, 0, &rx), 0);
		assert_int_equal(rx.queue_state, RTE_ETH_QUEUE_STATE_STOPPED);
		conf_ignores(p, &f);
		assert_int_equal(rte_eth_dev_rx_queue_start(p->id, 0), 0);
		while (fx_rx(p, &m, 1) == 1)
			rte_pktmbuf_free(m);
		assert_int_equal(rte_eth_dev_tx_queue_stop(p->id, 0), 0);
		assert_int_equal(rte_eth_dev_tx_queue_start(p->id, 0), 0);
		conf_drain(p);
		conf_pass(p, 50);
	}
}

static void
test_queue_start_and_stop(void **state)
{
	struct fx_port *p = *state;
	int rc;

	start(p);
	rc = rte_eth_dev_rx_queue_stop(p->id, 0);
	if (rc == 0) {
		assert_int_equal(rte_eth_dev_rx_queue_start(p->id, 0), 0);
		expect_queue_switch(p);
	} else {
		assert_int_equal(rc, -ENOTSUP);
		assert_int_equal(rte_eth_dev_tx_queue_stop(p->id, 0), -ENOTSUP);
		conf_pass(p, 3);
	}
	conf_proven("Queue start/stop", "switch", rc == 0);
}

static void
start_all(struct fx_port *p, uint16_t rx, uint16_t tx, bool deferred)
{
	struct rte_eth_rxconf rxconf = conf_info(p).default_rxconf;
	struct rte_eth_txconf txconf = conf_info(p).default_txconf;
	const struct rte_eth_conf none = { 0 };
	uint16_t q;

	rxconf.rx_deferred_start = deferred;
	txconf.tx_deferred_start = deferred;
	assert_int_equal(rte_eth_dev_configure(p->id, rx, tx, &none), 0);
	for (q = 0; q < rx; q++)
		assert_int_equal(rte_eth_rx_queue_setup(p->id, q, RING, SOCKET_ID_ANY,
							q == 0 ? NULL : &rxconf, p->pool), 0);
	for (q = 0; q < tx; q++)
		assert_int_equal(rte_eth_tx_queue_setup(p->id, q, RING, SOCKET_ID_ANY,
							q == 0 ? NULL : &txconf), 0);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
}

static void
sends_by(struct fx_port *p, uint16_t queue)
{
	static struct fx_frame f;
	struct rte_mbuf *m;
	unsigned int i;

	for (i = 0; i < 3 * RING; i++) {
		conf_frame(&f, 60 + i, (uint8_t)i);
		m = fx_mbuf(p->pool, &f, 0);
		assert_int_equal(rte_eth_tx_burst(p->id, queue, &m, 1), 1);
		conf_expect_sent(p, &f);
	}
}

/* Without RSS all frames come by queue 0: that goes on while the others stop and start. */
static void
test_a_queue_that_stops_leaves_the_others_alone(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	uint16_t rx = info.max_rx_queues, tx = info.max_tx_queues, q;
	unsigned int used;
	int rc;

	start_all(p, rx, tx, false);
	rc = rte_eth_dev_rx_queue_stop(p->id, rx - 1);
	if (rc == -ENOTSUP)
		return;
	assert_int_equal(rc, 0);
	assert_int_equal(rte_eth_dev_rx_queue_start(p->id, rx - 1), 0);
	for (q = 0; q < tx; q++)
		sends_by(p, q);
	for (q = 1; q < rx; q++) {
		used = rte_mempool_in_use_count(p->pool);
		assert_int_equal(rte_eth_dev_rx_queue_stop(p->id, q), 0);
		/* Its buffers are back. */
		assert_int_equal(rte_mempool_in_use_count(p->pool), used - RING);
		conf_pass(p, 3 * RING);
		assert_int_equal(rte_eth_dev_rx_queue_start(p->id, q), 0);
		conf_pass(p, 3 * RING);
	}
	for (q = 1; q < tx; q++) {
		assert_int_equal(rte_eth_dev_tx_queue_stop(p->id, q), 0);
		conf_pass(p, 3 * RING);
		assert_int_equal(rte_eth_dev_tx_queue_start(p->id, q), 0);
		sends_by(p, q);
		conf_pass(p, 3);
	}
	/* The first, with the others running. */
	used = rte_mempool_in_use_count(p->pool);
	assert_int_equal(rte_eth_dev_tx_queue_stop(p->id, 0), 0);
	assert_true(rte_mempool_in_use_count(p->pool) <= used);
	for (q = 1; q < tx; q++)
		sends_by(p, q);
	assert_int_equal(rte_eth_dev_tx_queue_start(p->id, 0), 0);
	conf_pass(p, 3 * RING);
	assert_int_not_equal(rte_eth_dev_rx_queue_stop(p->id, rx), 0);
	assert_int_not_equal(rte_eth_dev_tx_queue_start(p->id, tx), 0);
	conf_proven("Queue start/stop", "switch", true);
}

static void
test_queues_deferred_start_one_by_one(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	uint16_t rx = info.max_rx_queues, tx = info.max_tx_queues, q;
	struct rte_eth_rxq_info rxq;
	struct rte_eth_txq_info txq;

	start_all(p, rx, tx, true);
	conf_pass(p, 3 * RING);
	for (q = 1; q < rx; q++) {
		assert_int_equal(rte_eth_rx_queue_info_get(p->id, q, &rxq), 0);
		assert_int_equal(rxq.queue_state, RTE_ETH_QUEUE_STATE_STOPPED);
		assert_int_equal(rte_eth_dev_rx_queue_start(p->id, q), 0);
		assert_int_equal(rte_eth_rx_queue_info_get(p->id, q, &rxq), 0);
		assert_int_equal(rxq.queue_state, RTE_ETH_QUEUE_STATE_STARTED);
	}
	for (q = 1; q < tx; q++) {
		assert_int_equal(rte_eth_tx_queue_info_get(p->id, q, &txq), 0);
		assert_int_equal(txq.queue_state, RTE_ETH_QUEUE_STATE_STOPPED);
		assert_int_equal(rte_eth_dev_tx_queue_start(p->id, q), 0);
		sends_by(p, q);
	}
	conf_pass(p, 3 * RING);
}

/* A queue that is to start later must not start now: it waits, or the wish is refused. */
static void
test_deferred_start_waits_or_is_refused(void **state)
{
	struct fx_port *p = *state;
	const struct rte_eth_conf none = { 0 };
	struct rte_eth_rxconf rx = conf_info(p).default_rxconf;
	struct rte_eth_txconf tx = conf_info(p).default_txconf;
	struct rte_eth_rxq_info q;

	rx.rx_deferred_start = 1;
	tx.tx_deferred_start = 1;
	assert_int_equal(rte_eth_dev_configure(p->id, 1, 1, &none), 0);
	if (rte_eth_tx_queue_setup(p->id, 0, RING, SOCKET_ID_ANY, &tx) != 0)
		assert_int_equal(rte_eth_tx_queue_setup(p->id, 0, RING, SOCKET_ID_ANY, NULL), 0);
	if (rte_eth_rx_queue_setup(p->id, 0, RING, SOCKET_ID_ANY, &rx, p->pool) == 0) {
		assert_int_equal(rte_eth_dev_start(p->id), 0);
		assert_int_equal(rte_eth_rx_queue_info_get(p->id, 0, &q), 0);
		assert_int_equal(q.queue_state, RTE_ETH_QUEUE_STATE_STOPPED);
		assert_int_equal(rte_eth_dev_rx_queue_start(p->id, 0), 0);
		conf_stop(p);
	}
	start(p);
	conf_pass(p, 3);
}

static void
test_runtime_queue_setup_is_refused_or_works(void **state)
{
	struct fx_port *p = *state;
	uint64_t capa = conf_info(p).dev_capa;
	bool rx = (capa & RTE_ETH_DEV_CAPA_RUNTIME_RX_QUEUE_SETUP) != 0;
	bool tx = (capa & RTE_ETH_DEV_CAPA_RUNTIME_TX_QUEUE_SETUP) != 0;

	start(p);
	if (rx) {
		assert_int_equal(rte_eth_dev_rx_queue_stop(p->id, 0), 0);
		assert_int_equal(rte_eth_rx_queue_setup(p->id, 0, 2 * RING, SOCKET_ID_ANY, NULL,
							p->pool), 0);
		assert_int_equal(rte_eth_dev_rx_queue_start(p->id, 0), 0);
	}
	if (tx) {
		assert_int_equal(rte_eth_dev_tx_queue_stop(p->id, 0), 0);
		assert_int_equal(rte_eth_tx_queue_setup(p->id, 0, 2 * RING, SOCKET_ID_ANY, NULL),
				 0);
		assert_int_equal(rte_eth_dev_tx_queue_start(p->id, 0), 0);
	}
	conf_pass(p, 300);
	conf_proven("Runtime Rx queue setup", "setup", rx);
	conf_proven("Runtime Tx queue setup", "setup", tx);
}

static const struct CMUnitTest tests[] = {
	CONF_TEST(test_rx_descriptor_status),
	CONF_TEST(test_rx_descriptors_without_buffers),
	CONF_TEST(test_rx_queue_count),
	CONF_TEST(test_tx_descriptor_status),
	CONF_TEST(test_burst_mode_info),
	CONF_TEST(test_sent_packets_are_freed_on_demand_or_not_offered),
	CONF_TEST(test_cleanup_frees_what_it_says_and_nothing_too_early),
	CONF_TEST(test_frames_wake_a_sleeper_or_interrupts_are_not_offered),
	CONF_TEST(test_link_change_does_not_keep_a_sleeper_asleep),
	CONF_TEST(test_unsupported_settings_of_a_queue_are_refused),
	CONF_TEST(test_offload_of_the_queue_alone),
	CONF_TEST(test_queue_start_and_stop),
	CONF_TEST(test_a_queue_that_stops_leaves_the_others_alone),
	CONF_TEST(test_queues_deferred_start_one_by_one),
	CONF_TEST(test_deferred_start_waits_or_is_refused),
	CONF_TEST(test_runtime_queue_setup_is_refused_or_works),
};

CONF_MAIN("queue", tests)
