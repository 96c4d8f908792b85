/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* The link: what is reported follows the cable, and traffic follows the link. */

#include "conf.h"

#include <semaphore.h>
#include <time.h>

#include <rte_alarm.h>

#define SECOND_NS UINT64_C(1000000000)
#define BOUND_S 30 /* how long a test may hang before it fails; nothing waits for it */

static struct rte_eth_link
link_of(const struct fx_port *p)
{
	struct rte_eth_link link;

	assert_int_equal(rte_eth_link_get_nowait(p->id, &link), 0);
	return link;
}

static void
expect_up(const struct fx_port *p)
{
	struct rte_eth_link link = link_of(p);

	assert_int_equal(link.link_status, RTE_ETH_LINK_UP);
	assert_true(rte_eth_speed_bitflag(link.link_speed, link.link_duplex) &
		    conf_info(p).speed_capa);
}

static void
expect_down(const struct fx_port *p)
{
	struct rte_eth_link link = link_of(p);

	assert_int_equal(link.link_status, RTE_ETH_LINK_DOWN);
	assert_int_equal(link.link_speed, RTE_ETH_SPEED_NUM_NONE);
}

static void
plug(struct fx_port *p, bool in)
{
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_LINK_DOWN, !in), 0);
	fx_advance(p, SECOND_NS);
}

static void
test_link_follows_the_cable(void **state)
{
	struct fx_port *p = *state;
	unsigned int i;

	fx_start(p, NULL);
	expect_up(p);
	for (i = 0; i < 3; i++) {
		plug(p, false);
		expect_down(p);
		plug(p, true);
		expect_up(p);
		conf_pass(p, 3);
	}
	conf_stop(p);
	expect_down(p);
	conf_proven("Link status", "status", true);
}

static void
test_started_without_a_cable(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_link link;

	assert_int_equal(pw_model_fault(p->model, PW_FAULT_LINK_DOWN, 1), 0);
	fx_start(p, NULL);
	expect_down(p);
	/* Settings made meanwhile hold when the cable comes. */
	assert_int_equal(rte_eth_promiscuous_enable(p->id), 0);
	/* Waiting ends, some time. */
	assert_int_equal(rte_eth_link_get(p->id, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_DOWN);
	plug(p, true);
	expect_up(p);
	conf_pass(p, 3);
	assert_int_equal(rte_eth_promiscuous_get(p->id), 1);
}

static void
test_waiting_waits_for_negotiation(void **state)
{
	struct rte_eth_link link;
	struct fx_port p;

	(void)state;
	fx_open(&p, fx_chip, "autoneg_ms=2000");
	fx_start(&p, NULL);
	expect_down(&p);
	assert_int_equal(rte_eth_link_get(p.id, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_UP);
	expect_up(&p);
	conf_pass(&p, 3);
	fx_close(&p);
}

static void
test_frames_sent_without_link_do_no_harm(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;
	unsigned int i, refused = 0;

	fx_start(p, NULL);
	plug(p, false);
	conf_frame(&f, 100, 1);
	for (i = 0; i < 1000; i++) {
		m = fx_mbuf(p->pool, &f, 0);
		if (rte_eth_tx_burst(p->id, 0, &m, 1) == 0) {
			rte_pktmbuf_free(m);
			refused++;
		}
		conf_ignores(p, &f);
	}
	conf_expect_silence(p);
	plug(p, true);
	expect_up(p);
	/* Held or dropped: both are what cards do. */
	assert_true(conf_drain(p) + refused <= 1000);
	conf_pass(p, 500);
}

static void
test_link_flaps_under_load(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_stats before, now;
	static struct fx_frame f;
	struct rte_mbuf *m;
	unsigned int i;

	fx_start(p, NULL);
	conf_frame(&f, 100, 1);
	for (i = 0; i < 100; i++) {
		assert_int_equal(rte_eth_stats_get(p->id, &before), 0);
		conf_pass(p, 5);
		m = fx_mbuf(p->pool, &f, 0);
		fx_tx(p, &m, 1);
		plug(p, false);
		expect_down(p);
		plug(p, true);
		expect_up(p);
		conf_drain(p);
		conf_pass(p, 5);
		assert_int_equal(rte_eth_stats_get(p->id, &now), 0);
		assert_int_equal(now.ipackets - before.ipackets, 10);
		assert_int_equal(now.opackets - before.opackets, 11);
	}
}

/* --- the event ------------------------------------------------------------------------- */

static sem_t changed;
static uint16_t changed_port;

static int
on_change(uint16_t port, enum rte_eth_event_type type, void *arg, void *ret)
{
	(void)arg;
	(void)ret;
	if (type == RTE_ETH_EVENT_INTR_LSC)
		changed_port = port;
	sem_post(&changed);
	return 0;
}

/* Interrupts come in EAL's own thread. */
static void
expect_event(struct fx_port *p, uint16_t status)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += BOUND_S;
	do
		assert_int_equal(sem_timedwait(&changed, &until), 0);
	while (link_of(p).link_status != status);
	assert_int_equal(changed_port, p->id);
}

static void
test_event_for_each_change(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_conf conf = { .intr_conf.lsc = 1 };
	bool has = (*conf_info(p).dev_flags & RTE_ETH_DEV_INTR_LSC) != 0;
	unsigned int i;
	int rc;

	conf_proven("Link status event", "event", has);
	if (!has) {
		assert_int_not_equal(rte_eth_dev_configure(p->id, 1, 1, &conf), 0);
		return;
	}
	sem_init(&changed, 0, 0);
	changed_port = UINT16_MAX;
	assert_int_equal(rte_eth_dev_callback_register(p->id, RTE_ETH_EVENT_INTR_LSC, on_change,
						       NULL), 0);
	fx_start(p, &(struct fx_conf){ .eth = conf });
	for (i = 0; i < 10; i++) {
		plug(p, false);
		expect_event(p, RTE_ETH_LINK_DOWN);
		plug(p, true);
		expect_event(p, RTE_ETH_LINK_UP);
		conf_pass(p, 2);
	}
	conf_stop(p);
	do /* the thread may be in it */
		rc = rte_eth_dev_callback_unregister(p->id, RTE_ETH_EVENT_INTR_LSC, on_change,
						     NULL);
	while (rc == -EAGAIN);
	assert_int_equal(rc, 0);
	sem_destroy(&changed);
}

static sem_t alarmed;
static unsigned int removals;

static int
on_removal(uint16_t port, enum rte_eth_event_type type, void *arg, void *ret)
{
	const struct fx_port *p = arg;

	(void)ret;
	if (type == RTE_ETH_EVENT_INTR_RMV && port == p->id)
		removals++;
	sem_post(&changed);
	return 0;
}

static void
on_alarm(void *arg)
{
	(void)arg;
	sem_post(&alarmed);
}

static void
wait_for(sem_t *sem)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += BOUND_S;
	assert_int_equal(sem_timedwait(sem, &until), 0);
}

/* Events come in EAL's thread, as alarms do: what was raised before this has been heard after. */
static void
let_events_come(void)
{
	assert_int_equal(rte_eal_alarm_set(1, on_alarm, NULL), 0);
	wait_for(&alarmed);
}

static void
hear_removal(struct fx_port *p, bool on)
{
	int rc;

	if (on) {
		removals = 0;
		sem_init(&changed, 0, 0);
		sem_init(&alarmed, 0, 0);
	}
	do /* the thread may be in it */
		rc = (on ? rte_eth_dev_callback_register : rte_eth_dev_callback_unregister)(
			p->id, RTE_ETH_EVENT_INTR_RMV, on_removal, p);
	while (rc == -EAGAIN);
	assert_int_equal(rc, 0);
}

/* Pulled out; that shows when somebody looks, at the link say. */
static void
pull_out(struct fx_port *p)
{
	struct rte_eth_link link;

	assert_int_equal(pw_model_fault(p->model, PW_FAULT_REMOVED, 1), 0);
	for (unsigned int i = 0; i < 3; i++) {
		rte_eth_link_get_nowait(p->id, &link);
		let_events_come();
	}
}

static void
close_removed(struct fx_port *p)
{
	hear_removal(p, false);
	rte_eth_dev_stop(p->id);
	assert_int_equal(rte_eth_dev_close(p->id), 0);
	p->model = NULL;
}

static void
test_removal_is_told_once_or_not_offered(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_conf conf = { .intr_conf.rmv = 1 };
	bool has = (*conf_info(p).dev_flags & RTE_ETH_DEV_INTR_RMV) != 0;

	if (!has) {
		assert_int_not_equal(rte_eth_dev_configure(p->id, 1, 1, &conf), 0);
		conf_proven("Removal event", "event", false);
		return;
	}
	hear_removal(p, true);
	fx_start(p, &(struct fx_conf){ .eth = conf });
	conf_pass(p, 3);
	let_events_come();
	assert_int_equal(removals, 0);
	pull_out(p);
	wait_for(&changed);
	assert_int_equal(removals, 1);
	close_removed(p);
	conf_proven("Removal event", "event", true);
}

static void
test_removal_is_not_told_to_who_did_not_ask(void **state)
{
	struct fx_port *p = *state;

	hear_removal(p, true);
	fx_start(p, NULL);
	conf_pass(p, 3);
	pull_out(p);
	assert_int_equal(removals, 0);
	close_removed(p);
}

/* --- down and up by command --------------------------------------------------------------- */

static void
test_link_is_set_down_and_up(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;
	unsigned int i;
	int rc;

	fx_start(p, NULL);
	rc = rte_eth_dev_set_link_down(p->id);
	if (rc != 0) {
		assert_int_equal(rc, -ENOTSUP);
		assert_int_equal(rte_eth_dev_set_link_up(p->id), -ENOTSUP);
		expect_up(p);
		return;
	}
	conf_frame(&f, 100, 1);
	for (i = 0; i < 3; i++) {
		fx_advance(p, SECOND_NS);
		expect_down(p);
		conf_ignores(p, &f);
		m = fx_mbuf(p->pool, &f, 0);
		if (rte_eth_tx_burst(p->id, 0, &m, 1) == 0)
			rte_pktmbuf_free(m);
		conf_expect_silence(p);
		assert_int_equal(rte_eth_dev_set_link_up(p->id), 0);
		fx_advance(p, SECOND_NS);
		expect_up(p);
		conf_drain(p);
		conf_pass(p, 5);
		assert_int_equal(rte_eth_dev_set_link_down(p->id), 0);
	}
	/* Start brings it up. */
	conf_stop(p);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	fx_advance(p, SECOND_NS);
	expect_up(p);
	conf_pass(p, 5);
}

/* --- loopback ------------------------------------------------------------------------------ */

/* ethdev has no capability for it, and leaves the numbers to the driver; 0 is none. */
static bool
loops(struct fx_port *p, uint32_t mode)
{
	const struct rte_eth_conf none = { 0 }, conf = { .lpbk_mode = mode };
	static struct fx_frame f;
	struct rte_mbuf *m;
	uint32_t len;

	if (rte_eth_dev_configure(p->id, 1, 1, &conf) != 0) {
		assert_int_equal(rte_eth_dev_configure(p->id, 1, 1, &none), 0);
		return false;
	}
	fx_start(p, &(struct fx_conf){ .eth = conf });
	fx_advance(p, 10 * SECOND_NS);
	expect_up(p);
	for (len = CONF_MIN_FRAME; len <= 1514; len += 101) {
		conf_frame(&f, len, (uint8_t)len);
		m = fx_mbuf(p->pool, &f, 0);
		fx_tx(p, &m, 1);
		assert_int_equal(fx_rx(p, &m, 1), 1);
		fx_expect_mbuf(m, &f);
	}
	/* Nothing gets out, and nothing in. */
	conf_expect_silence(p);
	conf_ignores(p, &f);
	conf_stop(p);
	return true;
}

static void
test_loopback_loops_or_is_refused(void **state)
{
	struct fx_port *p = *state;
	uint32_t mode;

	for (mode = 1; mode < 4; mode++) {
		loops(p, mode);
		/* Off again. */
		fx_start(p, NULL);
		fx_advance(p, 10 * SECOND_NS);
		conf_pass(p, 5);
		conf_stop(p);
	}
	assert_false(loops(p, UINT32_MAX));
}

/* --- speed -------------------------------------------------------------------------------- */

static const struct {
	uint32_t flag;
	uint32_t num;
	uint16_t duplex;
} speeds[] = {
	{ RTE_ETH_LINK_SPEED_10M_HD, RTE_ETH_SPEED_NUM_10M, RTE_ETH_LINK_HALF_DUPLEX },
	{ RTE_ETH_LINK_SPEED_10M, RTE_ETH_SPEED_NUM_10M, RTE_ETH_LINK_FULL_DUPLEX },
	{ RTE_ETH_LINK_SPEED_100M_HD, RTE_ETH_SPEED_NUM_100M, RTE_ETH_LINK_HALF_DUPLEX },
	{ RTE_ETH_LINK_SPEED_100M, RTE_ETH_SPEED_NUM_100M, RTE_ETH_LINK_FULL_DUPLEX },
	{ RTE_ETH_LINK_SPEED_1G, RTE_ETH_SPEED_NUM_1G, RTE_ETH_LINK_FULL_DUPLEX },
	{ RTE_ETH_LINK_SPEED_2_5G, RTE_ETH_SPEED_NUM_2_5G, RTE_ETH_LINK_FULL_DUPLEX },
	{ RTE_ETH_LINK_SPEED_10G, RTE_ETH_SPEED_NUM_10G, RTE_ETH_LINK_FULL_DUPLEX },
};

static void
expect_speed(struct fx_port *p, unsigned int i)
{
	struct rte_eth_link link;

	assert_int_equal(rte_eth_dev_start(p->id), 0);
	assert_int_equal(rte_eth_link_get(p->id, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_UP);
	assert_int_equal(link.link_speed, speeds[i].num);
	assert_int_equal(link.link_duplex, speeds[i].duplex);
	conf_pass(p, 5);
	conf_stop(p);
}

/* A partner that does everything settles on the one mode offered, fixed or negotiated. */
static void
test_speed_is_what_was_asked_for(void **state)
{
	struct fx_port *p = *state;
	uint32_t capa = conf_info(p).speed_capa;
	unsigned int i, fixed, modes = 0;

	for (i = 0; i < RTE_DIM(speeds); i++) {
		for (fixed = 0; fixed < 2; fixed++) {
			struct fx_conf conf = { .eth.link_speeds = speeds[i].flag |
				(fixed ? RTE_ETH_LINK_SPEED_FIXED : 0) };

			if ((capa & speeds[i].flag) == 0) {
				assert_int_not_equal(rte_eth_dev_configure(p->id, 1, 1, &conf.eth),
						     0);
				continue;
			}
			/* 1000BASE-T has no link without negotiation (IEEE 802.3 40.5.1). */
			if (speeds[i].num >= RTE_ETH_SPEED_NUM_1G && fixed)
				continue;
			fx_configure(p, &conf);
			expect_speed(p, i);
			modes++;
		}
	}
	assert_true(modes > 0);
	conf_proven("Speed capabilities", "configured", true);
}

static const struct CMUnitTest tests[] = {
	CONF_TEST(test_link_follows_the_cable),
	CONF_TEST(test_started_without_a_cable),
	cmocka_unit_test(test_waiting_waits_for_negotiation),
	CONF_TEST(test_frames_sent_without_link_do_no_harm),
	CONF_TEST(test_link_flaps_under_load),
	CONF_TEST(test_event_for_each_change),
	CONF_TEST(test_removal_is_told_once_or_not_offered),
	CONF_TEST(test_removal_is_not_told_to_who_did_not_ask),
	CONF_TEST(test_link_is_set_down_and_up),
	CONF_TEST(test_loopback_loops_or_is_refused),
	CONF_TEST(test_speed_is_what_was_asked_for),
};

CONF_MAIN("link", tests)
