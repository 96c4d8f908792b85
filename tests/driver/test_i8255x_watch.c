/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * i8255x: what the watch finds: link changes, a transmitter that hangs or underruns, a card that
 * is pulled out, a receiver that is locked up, a resume put off. And reset, device arguments.
 */

#include "fixture.h"

#include <semaphore.h>
#include <time.h>

#include "../../drivers/net/i8255x/i8255x.h"

static struct {
	sem_t seen;
	unsigned int reset, removed, link;
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
	} else if (type == RTE_ETH_EVENT_INTR_LSC) {
		events.link++;
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
		RTE_ETH_EVENT_INTR_RESET, RTE_ETH_EVENT_INTR_RMV, RTE_ETH_EVENT_INTR_LSC,
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
	const struct i8255x_watch *w = &i8255x_adapter_of(eth_of(p))->watch;

	/* Where it comes more often than that: until the transmitter has been looked at. */
	do
		i8255x_watch(eth_of(p));
	while (w->hang_ms != 0);
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
send_frames(struct fx_port *p, unsigned int n, uint32_t payload)
{
	static struct fx_frame f;
	struct rte_mbuf *m;

	fx_frame_build(&f, &(struct fx_spec){ .payload = payload });
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

/* --- hang ------------------------------------------------------------------------------------ */

static void
test_hang_is_told_once(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	fx_fault(p, PW_FAULT_TX_HANG, 1);
	send_frames(p, 3, 50);
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
	fx_fault(p, PW_FAULT_TX_HANG, 0);
}

static void
test_progress_is_no_hang(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	for (unsigned int i = 0; i < 5; i++) {
		look(p);
		fx_fault(p, PW_FAULT_TX_HANG, 1);
		send_frames(p, 2, 50);
		look(p);
		fx_fault(p, PW_FAULT_TX_HANG, 0);
		fx_advance(p, 0);
		assert_int_equal(sent(p), 2);
	}
	/* Nothing to send at all; what is sent need not have been reclaimed. */
	for (unsigned int i = 0; i < 3; i++)
		look(p);
	assert_int_equal(events.reset, 0);
}

/* The partner may stop us for as long as it likes, if it goes on saying so (802.3 annex 31B). */
static void
test_pause_is_no_hang(void **state)
{
	static struct fx_port port;
	struct fx_port *p = &port;
	static struct fx_frame f;

	(void)state;
	fx_open(p, "82558b", "driver=hang_ms=60000");
	listen_on(p, true);
	fx_start(p, NULL);
	memset(&f, 0, sizeof(f));
	f.len = 60;
	memcpy(f.data, "\x01\x80\xc2\x00\x00\x01\x02\x00\x00\x00\x00\x99\x88\x08\x00\x01\xff\xff",
	       18);
	fx_inject(p, &f);
	fx_advance(p, 0);
	send_frames(p, 2, 50);
	assert_int_equal(sent(p), 0);
	for (unsigned int i = 0; i < 4; i++) {
		look(p);
		fx_inject(p, &f);
		fx_advance(p, 0);
		assert_int_equal(sent(p), 0);
	}
	assert_int_equal(events.reset, 0);
	/* 65535 quanta of 512 bit times at 100 Mbit/s are 335.5 ms. */
	fx_advance(p, 336000000);
	assert_int_equal(sent(p), 2);
	listen_on(p, false);
	fx_close(p);
}

static void
test_no_link_is_no_hang(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	fx_fault(p, PW_FAULT_LINK_DOWN, 1);
	send_frames(p, 2, 50);
	for (unsigned int i = 0; i < 4; i++)
		look(p);
	assert_int_equal(events.reset, 0);
	fx_fault(p, PW_FAULT_LINK_DOWN, 0);
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
	fx_fault(p, PW_FAULT_TX_HANG, 1);
	send_frames(p, 3, 50);
	wait_event();
	fx_fault(p, PW_FAULT_TX_HANG, 0);
	/* The port has been restarted from within the event, and works. */
	send_frames(p, 2, 50);
	assert_int_equal(sent(p), 2);
	listen_on(p, false);
	fx_close(p);
}

static void
test_stop_and_start_recover(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	fx_fault(p, PW_FAULT_TX_HANG, 1);
	send_frames(p, 10, 50);
	look(p);
	log_capture_start();
	look(p);
	free(log_capture_stop());
	assert_int_equal(events.reset, 1);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	assert_int_equal(rte_mempool_in_use_count(p->pool), 0);
	fx_fault(p, PW_FAULT_TX_HANG, 0);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	assert_int_equal(sent(p), 0);
	send_frames(p, 4, 50);
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
	fx_fault(p, PW_FAULT_TX_HANG, 1);
	send_frames(p, 10, 50);
	fx_fault(p, PW_FAULT_TX_HANG, 0);
	/* As after a reset of the slot: no bus mastering. */
	pw_model_cfg_write(p->model, 4, 0x0003, 2);
	assert_int_equal(rte_eth_dev_reset(p->id), 0);
	assert_int_equal(rte_mempool_in_use_count(p->pool), 0);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	sent(p);
	send_frames(p, 4, 50);
	assert_int_equal(sent(p), 4);
	assert_int_equal(rte_eth_macaddr_get(p->id, &now), 0);
	assert_memory_equal(&now, &mac, sizeof(mac));
	/* And as the documentation asks: configured anew. */
	assert_int_equal(rte_eth_dev_reset(p->id), 0);
	fx_start(p, NULL);
	send_frames(p, 4, 50);
	assert_int_equal(sent(p), 4);
}

static void
test_start_turns_bus_mastering_on_again(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	pw_model_cfg_write(p->model, 4, 0x0003, 2);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	assert_int_equal(pw_model_cfg_read(p->model, 4, 2) & 6, 6);
	send_frames(p, 4, 50);
	assert_int_equal(sent(p), 4);
}

/* --- underruns, resumes, lock-up ------------------------------------------------------------- */

/* §3.3: the threshold goes up by one step a look that found underruns, until they stop. */
static void
test_underruns_raise_the_threshold(void **state)
{
	struct fx_port *p = *state;
	uint64_t raises;

	fx_start(p, NULL);
	/* Below 128 units of 8 bytes a longer frame runs dry. */
	fx_fault(p, PW_FAULT_TX_UNDERRUN, 128);
	look(p);
	assert_int_equal(fx_xstat(p, "tx_threshold_raises"), 0);
	for (unsigned int i = 0; i < 6; i++) {
		send_frames(p, 1, 1400);
		look(p);
	}
	raises = fx_xstat(p, "tx_threshold_raises");
	/* From 64 by 64: one raise is enough. */
	assert_int_equal(raises, 1);
	assert_true(fx_xstat(p, "tx_underrun_errors") >= 1);
	sent(p);
	send_frames(p, 3, 1400);
	assert_int_equal(sent(p), 3);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	send_frames(p, 3, 1400);
	assert_int_equal(sent(p), 3);
	fx_fault(p, PW_FAULT_TX_UNDERRUN, 0);
}

/* §5.3: the command byte was busy at the end of the last burst, and no further burst comes. */
static void
test_resume_put_off_is_written_by_the_watch(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	send_frames(p, 1, 50);
	fx_fault(p, PW_FAULT_SLOW_CMD, 10000000);
	send_frames(p, 1, 50);
	send_frames(p, 1, 50);
	fx_fault(p, PW_FAULT_SLOW_CMD, 0);
	fx_advance(p, 100000000);
	look(p);
	fx_advance(p, 100000000);
	assert_int_equal(sent(p), 3);
	assert_int_equal(events.reset, 0);
}

/* §7: 82557, noise at 10 Mb/s; any command frees the receiver, and the watch sends one. */
static void
test_locked_up_receiver_is_kicked(void **state)
{
	static struct fx_port port;
	struct fx_port *p = &port;
	static struct fx_frame f;
	struct rte_mbuf *m;

	(void)state;
	/* Its EEPROM does not vouch for it (word 3). */
	fx_open(p, "82557b", "driver=hang_ms=60000");
	fx_start(p, &(struct fx_conf){ .eth.link_speeds =
		RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_10M_HD });
	fx_frame_build(&f, &(struct fx_spec){ .payload = 100 });
	fx_fault(p, PW_FAULT_RX_LOCKUP, 1);
	fx_inject(p, &f);
	assert_int_equal(fx_rx(p, &m, 1), 0);
	i8255x_watch(eth_of(p));
	fx_inject(p, &f);
	assert_int_equal(fx_rx(p, &m, 1), 1);
	fx_expect_mbuf(m, &f);
	assert_int_equal(fx_xstat(p, "rx_lockup_kicks"), 1);
	fx_close(p);
}

/* Both bits of word 3 (§4.1), as a board maker's tool sets them; in force with the next look. */
static void
vouch(struct fx_port *p)
{
	struct rte_dev_eeprom_info info = { .offset = 2 * 3, .length = 2 };
	uint8_t word[2];

	info.data = word;
	assert_int_equal(rte_eth_dev_get_eeprom(p->id, &info), 0);
	assert_int_not_equal(word[0] & 3, 3);
	word[0] |= 3;
	assert_int_equal(rte_eth_dev_set_eeprom(p->id, &info), 0);
	fx_configure(p, NULL);
	assert_int_equal(rte_eth_dev_reset(p->id), 0);
}

static void
test_board_that_is_vouched_for_is_not_kicked(void **state)
{
	static struct fx_port port;
	struct fx_port *p = &port;

	(void)state;
	fx_open(p, "82557b", "driver=hang_ms=60000");
	vouch(p);
	fx_start(p, NULL);
	for (unsigned int i = 0; i < 3; i++)
		look(p);
	assert_int_equal(fx_xstat(p, "rx_lockup_kicks"), 0);
	fx_close(p);
}

/* §7: an ICH's transmitter, and a link that came up at 10 Mb/s half duplex with nobody looking. */
static void
test_hub_sends_before_anybody_looks_at_its_link(void **state)
{
	static struct fx_port port;
	struct fx_port *p = &port;
	struct rte_eth_link link;

	(void)state;
	fx_open(p, "82562", NULL);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_LINK_DOWN, 1), 0);
	fx_start(p, &(struct fx_conf){ .eth.link_speeds =
		RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_10M_HD });
	assert_int_equal(rte_eth_link_get_nowait(p->id, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_DOWN);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_LINK_DOWN, 0), 0);
	fx_advance(p, UINT64_C(5000000000));
	send_frames(p, 3, 50);
	assert_int_equal(sent(p), 3);
	fx_close(p);
}

/* --- link ------------------------------------------------------------------------------------ */

static void
test_link_changes_are_told(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_link link;

	fx_start(p, &(struct fx_conf){ .eth.intr_conf.lsc = 1 });
	look(p);
	events.link = 0;
	look(p);
	assert_int_equal(events.link, 0);
	fx_fault(p, PW_FAULT_LINK_DOWN, 1);
	look(p);
	look(p);
	assert_int_equal(events.link, 1);
	/* With link events ethdev hands out what is known, and asks nobody. */
	assert_int_equal(rte_eth_link_get_nowait(p->id, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_DOWN);
	fx_fault(p, PW_FAULT_LINK_DOWN, 0);
	fx_advance(p, UINT64_C(5000000000));
	look(p);
	assert_int_equal(events.link, 2);
	assert_int_equal(rte_eth_link_get_nowait(p->id, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_UP);
}

static void
test_alarm_tells_of_the_link(void **state)
{
	static struct fx_port port;
	struct fx_port *p = &port;

	(void)state;
	fx_open(p, fx_chip, "driver=hang_ms=0");
	listen_on(p, true);
	fx_start(p, &(struct fx_conf){ .eth.intr_conf.lsc = 1 });
	fx_fault(p, PW_FAULT_LINK_DOWN, 1);
	wait_event();
	assert_int_equal(events.reset | events.removed, 0);
	listen_on(p, false);
	fx_close(p);
}

/* Set down: the change is seen by whoever did it, and told all the same. */
static void
test_change_that_was_seen_elsewhere_is_told(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, &(struct fx_conf){ .eth.intr_conf.lsc = 1 });
	look(p);
	events.link = 0;
	assert_int_equal(rte_eth_dev_set_link_down(p->id), 0);
	look(p);
	assert_int_equal(events.link, 1);
}

static void
test_nobody_asked_for_link_events(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	look(p);
	fx_fault(p, PW_FAULT_LINK_DOWN, 1);
	look(p);
	assert_int_equal(events.link, 0);
	fx_fault(p, PW_FAULT_LINK_DOWN, 0);
}

/* --- removal --------------------------------------------------------------------------------- */

static void
test_removal_is_told_once_by_the_alarm(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, &(struct fx_conf){ .eth.intr_conf.rmv = 1 });
	look(p);
	assert_int_equal(events.removed, 0);
	fx_fault(p, PW_FAULT_REMOVED, 1);
	log_capture_start();
	look(p);
	look(p);
	log_capture_expect("the card is gone");
	assert_int_equal(events.removed, 1);
	assert_int_equal(events.reset, 0);
	fx_fault(p, PW_FAULT_REMOVED, 0);
}

static void
test_removal_is_told_by_a_look_at_the_link(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_link link;

	fx_start(p, &(struct fx_conf){ .eth.intr_conf.rmv = 1 });
	fx_fault(p, PW_FAULT_REMOVED, 1);
	assert_int_equal(rte_eth_link_get_nowait(p->id, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_DOWN);
	wait_event();
	assert_int_equal(events.removed, 1);
	fx_fault(p, PW_FAULT_REMOVED, 0);
}

static void
test_removal_is_not_told_to_who_did_not_ask(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	fx_fault(p, PW_FAULT_REMOVED, 1);
	look(p);
	assert_int_equal(events.removed, 0);
	fx_fault(p, PW_FAULT_REMOVED, 0);
}

/* The process lives on: close gives everything back, every control call ends with an error. */
static void
test_port_can_be_closed_after_removal(void **state)
{
	static struct fx_port port;
	struct fx_port *p = &port;
	struct rte_eth_stats before, after;

	(void)state;
	fx_open(p, fx_chip, NULL);
	fx_start(p, NULL);
	send_frames(p, 4, 50);
	assert_int_equal(rte_eth_stats_get(p->id, &before), 0);
	fx_fault(p, PW_FAULT_REMOVED, 1);
	assert_int_equal(rte_eth_stats_get(p->id, &after), 0);
	assert_int_equal(after.opackets, before.opackets);
	assert_int_equal(after.oerrors, 0);
	log_capture_start();
	assert_true(rte_eth_dev_set_link_up(p->id) != 0);
	assert_true(rte_eth_allmulticast_enable(p->id) != 0);
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
		{ "standby=on", "standby=on: off or keep" },
		{ "wol=arp", "wol=arp: magic or off" },
		{ "speed=10", "keys are: hang_ms=" },
		{ "hang_ms=1+nonsense=2", "keys are: hang_ms=" },
	};
	char args[128];

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		snprintf(args, sizeof(args), "chip=%s,driver=%s", fx_chip, t[i].args);
		fx_refused(args, -EINVAL, t[i].part);
	}
}

int
main(int argc, char **argv)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)
#define T0(name) cmocka_unit_test(test_##name)
	const struct CMUnitTest tests[] = {
		T(hang_is_told_once),
		T(progress_is_no_hang),
		T0(pause_is_no_hang),
		T(no_link_is_no_hang),
		T0(alarm_finds_a_hang_and_the_event_recovers),
		T(stop_and_start_recover),
		T(dev_reset_recovers_and_keeps_queues),
		T(start_turns_bus_mastering_on_again),
		T(underruns_raise_the_threshold),
		T(resume_put_off_is_written_by_the_watch),
		T0(locked_up_receiver_is_kicked),
		T0(board_that_is_vouched_for_is_not_kicked),
		T0(hub_sends_before_anybody_looks_at_its_link),
		T(link_changes_are_told),
		T0(alarm_tells_of_the_link),
		T(change_that_was_seen_elsewhere_is_told),
		T(nobody_asked_for_link_events),
		T(removal_is_told_once_by_the_alarm),
		T(removal_is_told_by_a_look_at_the_link),
		T(removal_is_not_told_to_who_did_not_ask),
		T0(port_can_be_closed_after_removal),
		T0(bad_arguments_are_refused_by_name),
	};

	fx_chip = argc > 1 ? argv[1] : "82559c";
	return cmocka_run_group_tests_name("i8255x_watch", tests, fx_setup, fx_teardown);
}
