/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* e1000: link, flow control and its interrupt, on the 82540EM's model. */

#include "fixture.h"

#include <semaphore.h>
#include <time.h>

#include "../../drivers/net/e1000/e1000.h"

#define MS UINT64_C(1000000)

static struct rte_eth_link
link_of(const struct fx_port *p, bool wait)
{
	struct rte_eth_link link;

	assert_int_equal(wait ? rte_eth_link_get(p->id, &link) :
				rte_eth_link_get_nowait(p->id, &link), 0);
	return link;
}

static void
expect_link(const struct fx_port *p, uint32_t speed, bool full, bool autoneg)
{
	struct rte_eth_link link = link_of(p, false);

	assert_int_equal(link.link_status, RTE_ETH_LINK_UP);
	assert_int_equal(link.link_speed, speed);
	assert_int_equal(link.link_duplex, full);
	assert_int_equal(link.link_autoneg, autoneg);
}

static void
set_fault(struct fx_port *p, enum pw_fault fault, uint32_t arg)
{
	assert_int_equal(pw_model_fault(p->model, fault, arg), 0);
}

static bool
frame_passes(struct fx_port *p)
{
	static struct fx_frame f;
	struct rte_mbuf *m;

	fx_frame_build(&f, &(struct fx_spec){ .payload = 50 });
	fx_inject(p, &f);
	if (fx_rx(p, &m, 1) == 0)
		return false;
	fx_expect_mbuf(m, &f);
	return true;
}

static void
test_link_is_up_at_1000_full(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	expect_link(p, 1000, true, true);
	assert_true(frame_passes(p));
}

static void
test_link_is_down_while_stopped(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	assert_int_equal(link_of(p, false).link_status, RTE_ETH_LINK_DOWN);
	/* The partner sees it too. */
	assert_int_equal(pw_model_bar_read(p->model, 0, E1000_STATUS, 4) & E1000_STATUS_LU, 0);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	expect_link(p, 1000, true, true);
}

/* e7c1d6b2d8 2019: the link's state was not brought up to date (§7.1). */
static void
test_link_lost_and_found(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	for (unsigned int i = 0; i < 3; i++) {
		set_fault(p, PW_FAULT_LINK_DOWN, 1);
		assert_int_equal(link_of(p, false).link_status, RTE_ETH_LINK_DOWN);
		assert_int_equal(link_of(p, false).link_speed, RTE_ETH_SPEED_NUM_NONE);
		set_fault(p, PW_FAULT_LINK_DOWN, 0);
		expect_link(p, 1000, true, true);
		assert_true(frame_passes(p));
	}
}

static void
test_waiting_ends_after_nine_seconds(void **state)
{
	struct fx_port *p = *state;
	uint64_t before;

	fx_start(p, NULL);
	set_fault(p, PW_FAULT_LINK_DOWN, 1);
	before = pw_clock_now(&fx_clock);
	assert_int_equal(link_of(p, true).link_status, RTE_ETH_LINK_DOWN);
	assert_in_range(pw_clock_now(&fx_clock) - before, 9000 * MS, 9100 * MS);
	before = pw_clock_now(&fx_clock);
	assert_int_equal(link_of(p, false).link_status, RTE_ETH_LINK_DOWN);
	assert_int_equal(pw_clock_now(&fx_clock), before);
}

static void
test_waiting_sees_negotiation_through(void **state)
{
	static struct fx_port port;
	struct fx_port *p = &port;
	uint64_t before;

	(void)state;
	fx_open(p, "82540em", "autoneg_ms=2500");
	before = pw_clock_now(&fx_clock);
	fx_start(p, NULL);
	assert_int_equal(link_of(p, false).link_status, RTE_ETH_LINK_DOWN);
	assert_int_equal(link_of(p, true).link_status, RTE_ETH_LINK_UP);
	/* Reset and set-up are in it as well. */
	assert_in_range(pw_clock_now(&fx_clock) - before, 2500 * MS, 3000 * MS);
	fx_close(p);
}

static void
test_looking_at_an_unchanged_link_is_one_register_read(void **state)
{
	struct fx_port *p = *state;
	uint64_t r, w;

	fx_start(p, NULL);
	link_of(p, false);
	r = pw_model_reg_reads(p->model);
	w = pw_model_reg_writes(p->model);
	link_of(p, false);
	assert_int_equal(pw_model_reg_reads(p->model), r + 1);
	assert_int_equal(pw_model_reg_writes(p->model), w);
}

/* 6880bdb6c6 2016: forced speed and duplex (§7.1). */
static void
test_speeds_asked_for(void **state)
{
	static const struct {
		uint32_t ask;
		uint32_t speed;
		bool full;
	} t[] = {
		{ RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_100M, 100, true },
		{ RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_100M_HD, 100, false },
		{ RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_10M, 10, true },
		{ RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_10M_HD, 10, false },
		{ RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_1G, 1000, true },
		{ RTE_ETH_LINK_SPEED_1G, 1000, true },
		{ RTE_ETH_LINK_SPEED_100M, 100, true },
		{ RTE_ETH_LINK_SPEED_100M_HD, 100, false },
		{ RTE_ETH_LINK_SPEED_10M | RTE_ETH_LINK_SPEED_10M_HD, 10, true },
		{ RTE_ETH_LINK_SPEED_10M_HD, 10, false },
		{ RTE_ETH_LINK_SPEED_AUTONEG, 1000, true },
	};
	struct fx_port *p = *state;

	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		fx_start(p, &(struct fx_conf){ .eth.link_speeds = t[i].ask });
		expect_link(p, t[i].speed, t[i].full, (t[i].ask & RTE_ETH_LINK_SPEED_FIXED) == 0);
		assert_true(frame_passes(p));
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
	}
}

static void
test_speeds_the_card_has_not_are_refused(void **state)
{
	static const uint32_t bad[] = {
		RTE_ETH_LINK_SPEED_10G,
		RTE_ETH_LINK_SPEED_1G | RTE_ETH_LINK_SPEED_2_5G,
		RTE_ETH_LINK_SPEED_FIXED,
		RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_10M | RTE_ETH_LINK_SPEED_100M,
	};
	struct fx_port *p = *state;

	for (unsigned int i = 0; i < RTE_DIM(bad); i++) {
		struct rte_eth_conf conf = { .link_speeds = bad[i] };

		log_capture_start();
		assert_int_equal(rte_eth_dev_configure(p->id, 1, 1, &conf), -EINVAL);
		free(log_capture_stop());
	}
	fx_start(p, NULL);
	expect_link(p, 1000, true, true);
}

static void
test_link_switched_down_and_up(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_dev_set_link_down(p->id), 0);
	assert_int_equal(link_of(p, false).link_status, RTE_ETH_LINK_DOWN);
	assert_int_equal(rte_eth_dev_set_link_up(p->id), 0);
	expect_link(p, 1000, true, true);
	assert_true(frame_passes(p));
}

/* The partner offers PAUSE both ways: 802.3 table 28B-3 gives both (§4.3). */
static void
test_flow_control_follows_negotiation(void **state)
{
	struct rte_eth_fc_conf fc;
	struct fx_port *p = *state;
	uint32_t ctrl;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_dev_flow_ctrl_get(p->id, &fc), 0);
	assert_int_equal(fc.mode, RTE_ETH_FC_FULL);
	assert_int_equal(fc.pause_time, 0x680);
	ctrl = pw_model_bar_read(p->model, 0, E1000_CTRL, 4);
	assert_int_equal(ctrl & (E1000_CTRL_RFCE | E1000_CTRL_TFCE),
			 E1000_CTRL_RFCE | E1000_CTRL_TFCE);
	/* XOFF below the Rx buffer's end, XON below that, both multiples of eight (§2.3). */
	assert_true(fc.low_water < fc.high_water);
	assert_true(fc.high_water <= 40 * 1024 - 2 * 1522);
	assert_int_equal((fc.low_water | fc.high_water) & 7, 0);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);

	fx_start(p, &(struct fx_conf){ .eth.link_speeds =
		RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_100M });
	assert_int_equal(rte_eth_dev_flow_ctrl_get(p->id, &fc), 0);
	assert_int_equal(fc.mode, RTE_ETH_FC_NONE);
	ctrl = pw_model_bar_read(p->model, 0, E1000_CTRL, 4);
	assert_int_equal(ctrl & (E1000_CTRL_RFCE | E1000_CTRL_TFCE), 0);
}

/* --- the interrupt ------------------------------------------------------------------------ */

static sem_t lsc;

static int
on_lsc(uint16_t port, enum rte_eth_event_type type, void *arg, void *ret)
{
	(void)port;
	(void)type;
	(void)arg;
	(void)ret;
	sem_post(&lsc);
	return 0;
}

static void
wait_lsc(void)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += 60;
	assert_int_equal(sem_timedwait(&lsc, &end), 0);
}

static void
test_link_change_is_told_by_interrupt(void **state)
{
	struct fx_port *p = *state;

	assert_int_equal(sem_init(&lsc, 0, 0), 0);
	assert_int_equal(rte_eth_dev_callback_register(p->id, RTE_ETH_EVENT_INTR_LSC, on_lsc, NULL),
			 0);
	fx_start(p, &(struct fx_conf){ .eth.intr_conf.lsc = 1 });
	assert_int_equal(link_of(p, false).link_status, RTE_ETH_LINK_UP);
	for (unsigned int i = 0; i < 3; i++) {
		set_fault(p, PW_FAULT_LINK_DOWN, 1);
		wait_lsc();
		assert_int_equal(link_of(p, false).link_status, RTE_ETH_LINK_DOWN);
		set_fault(p, PW_FAULT_LINK_DOWN, 0);
		wait_lsc();
		assert_int_equal(link_of(p, false).link_status, RTE_ETH_LINK_UP);
	}
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	/* Masked: nothing may come any more. */
	assert_int_equal(pw_model_bar_read(p->model, 0, E1000_IMS, 4), 0);
	assert_int_equal(rte_eth_dev_callback_unregister(p->id, RTE_ETH_EVENT_INTR_LSC, on_lsc,
							 NULL), 0);
	sem_destroy(&lsc);
}

static void
test_no_cause_is_unmasked_without_lsc(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_equal(pw_model_bar_read(p->model, 0, E1000_IMS, 4), 0);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	fx_start(p, &(struct fx_conf){ .eth.intr_conf.lsc = 1 });
	assert_int_equal(pw_model_bar_read(p->model, 0, E1000_IMS, 4), E1000_ICR_LSC);
}

/* 4094930e55: a uio driver without a usable interrupt (§7.1). */
static void
test_start_survives_without_an_interrupt(void **state)
{
	struct fx_port *p = *state;
	struct pw_dev *dev = pw_dev_of(&rte_eth_devices[p->id]);
	struct rte_intr_handle *intr = dev->intr;

	fx_configure(p, &(struct fx_conf){ .eth.intr_conf.lsc = 1 });
	dev->intr = NULL;
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	assert_int_equal(pw_model_bar_read(p->model, 0, E1000_IMS, 4), 0);
	assert_true(frame_passes(p));
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	dev->intr = intr;
}

/* --- a PHY that is no help ----------------------------------------------------------------- */

static void
test_silent_phy_fails_start_and_leaves_nothing(void **state)
{
	struct fx_port *p = *state;

	fx_configure(p, NULL);
	set_fault(p, PW_FAULT_PHY_SILENT, 1);
	log_capture_start();
	assert_true(rte_eth_dev_start(p->id) < 0);
	log_capture_expect("cannot set the PHY up");
	set_fault(p, PW_FAULT_PHY_SILENT, 0);
	assert_int_equal(rte_mempool_in_use_count(p->pool), 0);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	expect_link(p, 1000, true, true);
}

static void
test_removed_card_has_no_link_and_no_wait(void **state)
{
	struct fx_port *p = *state;
	uint64_t before;

	fx_start(p, NULL);
	set_fault(p, PW_FAULT_REMOVED, 1);
	before = pw_clock_now(&fx_clock);
	assert_int_equal(link_of(p, true).link_status, RTE_ETH_LINK_DOWN);
	assert_true(pw_clock_now(&fx_clock) - before < 1000 * MS);
	set_fault(p, PW_FAULT_REMOVED, 0);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, fx_port_setup, fx_port_teardown)
	const struct CMUnitTest tests[] = {
		T(link_is_up_at_1000_full),
		T(link_is_down_while_stopped),
		T(link_lost_and_found),
		T(waiting_ends_after_nine_seconds),
		cmocka_unit_test(test_waiting_sees_negotiation_through),
		T(looking_at_an_unchanged_link_is_one_register_read),
		T(speeds_asked_for),
		T(speeds_the_card_has_not_are_refused),
		T(link_switched_down_and_up),
		T(flow_control_follows_negotiation),
		T(link_change_is_told_by_interrupt),
		T(no_cause_is_unmasked_without_lsc),
		T(start_survives_without_an_interrupt),
		T(silent_phy_fails_start_and_leaves_nothing),
		T(removed_card_has_no_link_and_no_wait),
	};

	return cmocka_run_group_tests_name("e1000_link", tests, fx_setup, fx_teardown);
}
