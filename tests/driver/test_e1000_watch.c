/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* e1000: a transmitter that hangs, a card that is pulled out, reset, device arguments. */

#include "fixture.h"

#include <semaphore.h>
#include <time.h>

#include "../../drivers/net/e1000/e1000.h"

static struct {
	sem_t seen;
	unsigned int reset, removed;
	bool recover;		/* reset the port from within the event */
} events;

static struct rte_eth_dev *
eth_of(const struct fx_port *p)
{
	return &rte_eth_devices[p->id];
}

static int
on_event(uint16_t port, enum rte_eth_event_type type, void *arg, void *ret)
{
	(void)arg;
	(void)ret;
	if (type == RTE_ETH_EVENT_INTR_RMV) {
		events.removed++;
	} else {
		events.reset++;
		if (events.recover) {
			rte_eth_dev_stop(port);
			rte_eth_dev_start(port);
		}
	}
	sem_post(&events.seen);
	return 0;
}

static void
wait_event(void)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += 60;
	assert_int_equal(sem_timedwait(&events.seen, &end), 0);
}

static void
listen_on(struct fx_port *p, bool on)
{
	static const enum rte_eth_event_type t[] = {
		RTE_ETH_EVENT_INTR_RESET, RTE_ETH_EVENT_INTR_RMV,
	};

	if (on) {
		memset(&events, 0, sizeof(events));
		assert_int_equal(sem_init(&events.seen, 0, 0), 0);
	}
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		int rc;

		/* The semaphore is posted from within: the call may not be over. */
		do
			rc = (on ? rte_eth_dev_callback_register :
				   rte_eth_dev_callback_unregister)(p->id, t[i], on_event, NULL);
		while (rc == -EAGAIN);
		assert_int_equal(rc, 0);
	}
}

/* As the alarm does, without waiting for it: hang_ms is set, but far off. */
static void
look(struct fx_port *p)
{
	e1000_watch(eth_of(p));
}

static int
setup(void **state)
{
	static struct fx_port port;

	fx_open(&port, fx_chip, "driver=hang_ms=60000");
	listen_on(&port, true);
	*state = &port;
	return 0;
}

static int
teardown(void **state)
{
	listen_on(*state, false);
	fx_close(*state);
	return 0;
}

static void
send_frames(struct fx_port *p, unsigned int n)
{
	static struct fx_frame f;
	struct rte_mbuf *m;

	fx_frame_build(&f, &(struct fx_spec){ .payload = 50 });
	while (n-- > 0) {
		m = fx_mbuf(p->pool, &f, 0);
		fx_tx(p, &m, 1);
	}
}

static unsigned int
sent(struct fx_port *p)
{
	static struct fx_frame f;
	unsigned int n = 0;

	while (fx_capture(p, &f))
		n++;
	return n;
}

static void
hang(struct fx_port *p, bool on)
{
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_TX_HANG, on), 0);
}

/* --- hang ------------------------------------------------------------------------------------ */

static void
test_hang_is_told_once(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	hang(p, true);
	send_frames(p, 3);
	look(p);
	assert_int_equal(events.reset, 0);
	/* The tests' EAL keeps warnings to itself. */
	assert_int_equal(rte_log_set_level_pattern("pmd.net.pollwire", RTE_LOG_WARNING), 0);
	log_capture_start();
	look(p);
	log_capture_expect("the transmitter has stood still for 60000 ms");
	assert_int_equal(rte_log_set_level_pattern("pmd.net.pollwire", RTE_LOG_ERR), 0);
	assert_int_equal(events.reset, 1);
	look(p);
	look(p);
	assert_int_equal(events.reset, 1);
	hang(p, false);
}

static void
test_progress_is_no_hang(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	for (unsigned int i = 0; i < 5; i++) {
		look(p);
		hang(p, true);
		send_frames(p, 2);
		look(p);
		hang(p, false);
		fx_advance(p, 0);
		assert_int_equal(sent(p), 2);
	}
	/* Nothing to send at all. */
	for (unsigned int i = 0; i < 3; i++)
		look(p);
	assert_int_equal(events.reset, 0);
}

/* The partner may stop us for as long as it likes (802.3 annex 31B). */
static void
test_pause_is_no_hang(void **state)
{
	static struct fx_frame f;
	struct fx_port *p = *state;

	fx_start(p, NULL);
	memset(&f, 0, sizeof(f));
	f.len = 60;
	memcpy(f.data, "\x01\x80\xc2\x00\x00\x01\x02\x00\x00\x00\x00\x99\x88\x08\x00\x01\xff\xff",
	       18);
	fx_inject(p, &f);
	fx_advance(p, 0);
	send_frames(p, 2);
	assert_int_equal(sent(p), 0);
	for (unsigned int i = 0; i < 4; i++)
		look(p);
	assert_int_equal(events.reset, 0);
	/* 65535 quanta of 512 bit times at 1 Gbit/s are 33.6 ms. */
	fx_advance(p, 34000000);
	assert_int_equal(sent(p), 2);
}

static void
test_no_link_is_no_hang(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_LINK_DOWN, 1), 0);
	send_frames(p, 2);
	for (unsigned int i = 0; i < 4; i++)
		look(p);
	assert_int_equal(events.reset, 0);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_LINK_DOWN, 0), 0);
}

/* A model that nobody polls stands still as well; the look itself lets its time pass. */
static void
test_unpolled_port_is_no_hang(void **state)
{
	static struct fx_port port;
	struct fx_port *p = &port;

	(void)state;
	fx_open(p, fx_chip, "pace=on,driver=hang_ms=60000");
	listen_on(p, true);
	fx_start(p, NULL);
	send_frames(p, 20);
	for (unsigned int i = 0; i < 4; i++) {
		look(p);
		pw_clock_advance(&fx_clock, 1000000);
	}
	assert_int_equal(events.reset, 0);
	assert_int_equal(sent(p), 20);
	listen_on(p, false);
	fx_close(p);
}

static void
test_alarm_finds_a_hang_and_the_event_recovers(void **state)
{
	static struct fx_port port;
	struct fx_port *p = &port;

	(void)state;
	fx_open(p, fx_chip, "driver=hang_ms=1");
	listen_on(p, true);
	events.recover = true;
	fx_start(p, NULL);
	hang(p, true);
	send_frames(p, 3);
	wait_event();
	hang(p, false);
	/* The port has been restarted from within the event, and works. */
	send_frames(p, 2);
	assert_int_equal(sent(p), 2);
	listen_on(p, false);
	fx_close(p);
}

static void
test_stop_and_start_recover(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	hang(p, true);
	send_frames(p, 10);
	look(p);
	log_capture_start();
	look(p);
	free(log_capture_stop());
	assert_int_equal(events.reset, 1);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	assert_int_equal(rte_mempool_in_use_count(p->pool), 0);
	hang(p, false);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	assert_int_equal(sent(p), 0);
	send_frames(p, 4);
	assert_int_equal(sent(p), 4);
	look(p);
	look(p);
	assert_int_equal(events.reset, 1);
}

static void
test_dev_reset_recovers_and_keeps_queues(void **state)
{
	struct fx_port *p = *state;
	static const struct rte_ether_addr mac = { { 2, 0, 0, 0, 0, 0x77 } };
	struct rte_ether_addr now;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_dev_default_mac_addr_set(p->id,
							  (struct rte_ether_addr *)(uintptr_t)&mac),
			 0);
	hang(p, true);
	send_frames(p, 10);
	hang(p, false);
	/* As after a reset of the slot: no memory access, no bus mastering. */
	pw_model_cfg_write(p->model, 4, 0, 2);
	assert_int_equal(rte_eth_dev_reset(p->id), 0);
	assert_int_equal(rte_mempool_in_use_count(p->pool), 0);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	send_frames(p, 4);
	assert_int_equal(sent(p), 4);
	assert_int_equal(rte_eth_macaddr_get(p->id, &now), 0);
	assert_memory_equal(&now, &mac, sizeof(mac));
	/* And as the documentation asks: configured anew. */
	assert_int_equal(rte_eth_dev_reset(p->id), 0);
	fx_start(p, NULL);
	send_frames(p, 4);
	assert_int_equal(sent(p), 4);
}

/* A secondary process that ends takes it away, under uio_pci_generic. */
static void
test_start_turns_bus_mastering_on_again(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	pw_model_cfg_write(p->model, 4, 0x0003, 2);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	assert_int_equal(pw_model_cfg_read(p->model, 4, 2) & 7, 7);
	send_frames(p, 4);
	assert_int_equal(sent(p), 4);
}

static void
test_reset_of_a_dead_card_says_so(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_STUCK_RESET, 1), 0);
	log_capture_start();
	assert_int_equal(rte_eth_dev_reset(p->id), -ETIMEDOUT);
	log_capture_expect("reset does not complete");
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_STUCK_RESET, 0), 0);
	assert_int_equal(rte_eth_dev_reset(p->id), 0);
}

/* --- removal --------------------------------------------------------------------------------- */

static void
remove_card(struct fx_port *p, bool on)
{
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_REMOVED, on), 0);
}

static void
test_removal_is_told_once_by_the_alarm(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, &(struct fx_conf){ .eth.intr_conf.rmv = 1 });
	look(p);
	assert_int_equal(events.removed, 0);
	remove_card(p, true);
	log_capture_start();
	look(p);
	look(p);
	log_capture_expect("the card is gone");
	assert_int_equal(events.removed, 1);
	assert_int_equal(events.reset, 0);
	remove_card(p, false);
}

static void
test_removal_is_told_by_a_look_at_the_link(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_link link;

	fx_start(p, &(struct fx_conf){ .eth.intr_conf.rmv = 1 });
	remove_card(p, true);
	assert_int_equal(rte_eth_link_get_nowait(p->id, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_DOWN);
	wait_event();
	assert_int_equal(events.removed, 1);
	remove_card(p, false);
}

static void
test_removal_is_told_by_the_interrupt_handler(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, &(struct fx_conf){ .eth.intr_conf = { .rmv = 1, .lsc = 1 } });
	remove_card(p, true);
	e1000_interrupt(eth_of(p));
	assert_int_equal(events.removed, 1);
	remove_card(p, false);
}

static void
test_removal_is_not_told_to_who_did_not_ask(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	remove_card(p, true);
	look(p);
	assert_int_equal(events.removed, 0);
	remove_card(p, false);
}

/* The process lives on: close gives everything back, every control call ends with an error. */
static void
test_port_can_be_closed_after_removal(void **state)
{
	static struct fx_port port;
	struct fx_port *p = &port;
	struct rte_eth_stats before, after;
	struct rte_dev_reg_info regs = { 0 };

	(void)state;
	fx_open(p, fx_chip, NULL);
	fx_start(p, NULL);
	send_frames(p, 4);
	assert_int_equal(rte_eth_stats_get(p->id, &before), 0);
	remove_card(p, true);
	send_frames(p, 4);
	assert_int_equal(rte_eth_stats_get(p->id, &after), 0);
	assert_int_equal(after.opackets, before.opackets);
	assert_int_equal(rte_eth_dev_get_reg_info(p->id, &regs), 0);
	log_capture_start();
	assert_true(rte_eth_dev_set_link_up(p->id) != 0);
	assert_true(rte_eth_dev_reset(p->id) != 0);
	free(log_capture_stop());
	fx_close(p);
}

/* --- device arguments ------------------------------------------------------------------------ */

static void
test_bad_arguments_are_refused_by_name(void **state)
{
	static const struct {
		const char *args, *part;
	} t[] = {
		{ "hang_ms=abc", "hang_ms=abc: milliseconds" },
		{ "hang_ms=-1", "hang_ms=-1: milliseconds" },
		{ "hang_ms=60001", "hang_ms=60001: milliseconds" },
		{ "hang_ms=5x", "hang_ms=5x: milliseconds" },
		{ "selftest=yes", "selftest=yes: 1 or 0" },
		{ "wol=arp", "wol=arp: magic or off" },
		{ "speed=10", "keys are: hang_ms=" },
		{ "hang_ms=1+nonsense=2", "keys are: hang_ms=" },
	};
	char args[128];

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		snprintf(args, sizeof(args), "chip=82540em,driver=%s", t[i].args);
		fx_refused(args, -EINVAL, t[i].part);
	}
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(hang_is_told_once),
		T(progress_is_no_hang),
		T(pause_is_no_hang),
		T(no_link_is_no_hang),
		cmocka_unit_test(test_unpolled_port_is_no_hang),
		cmocka_unit_test(test_alarm_finds_a_hang_and_the_event_recovers),
		T(stop_and_start_recover),
		T(dev_reset_recovers_and_keeps_queues),
		T(start_turns_bus_mastering_on_again),
		T(reset_of_a_dead_card_says_so),
		T(removal_is_told_once_by_the_alarm),
		T(removal_is_told_by_a_look_at_the_link),
		T(removal_is_told_by_the_interrupt_handler),
		T(removal_is_not_told_to_who_did_not_ask),
		cmocka_unit_test(test_port_can_be_closed_after_removal),
		cmocka_unit_test(test_bad_arguments_are_refused_by_name),
	};

	return cmocka_run_group_tests_name("e1000_watch", tests, fx_setup, fx_teardown);
}
