/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * i8255x: control commands. They go through the same list as frames (§5.5), by a detour that the
 * circle of blocks makes; nothing may be lost, sent twice or out of order for it.
 */

#include "fixture.h"

#include <pthread.h>
#include <stdatomic.h>

#include <rte_cycles.h>

#include "../../drivers/net/i8255x/i8255x.h"

#define FAST_FREE RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE
#define MULTI_SEGS RTE_ETH_TX_OFFLOAD_MULTI_SEGS

static struct i8255x_adapter *
adapter_of(const struct fx_port *p)
{
	return i8255x_adapter_of(&rte_eth_devices[p->id]);
}

static struct i8255x_txq *
txq_of(const struct fx_port *p)
{
	return rte_eth_devices[p->id].data->tx_queues[0];
}

static void
series(struct fx_frame *f, uint32_t i)
{
	fx_frame_build(f, &(struct fx_spec){ .payload = 46 + i * 7 % 1400 });
	memcpy(f->data + 6, &i, sizeof(i));
}

static void
send_series(struct fx_port *p, uint32_t first, uint32_t n)
{
	static struct fx_frame f;

	for (uint32_t i = first; i < first + n; i++) {
		struct rte_mbuf *m;

		series(&f, i);
		m = fx_mbuf(p->pool, &f, 0);
		fx_tx(p, &m, 1);
	}
}

static void
expect_series(struct fx_port *p, uint32_t first, uint32_t n)
{
	static struct fx_frame f;

	for (uint32_t i = first; i < first + n; i++) {
		series(&f, i);
		fx_expect_sent(p, &f);
	}
}

/* Whether a frame to a multicast address of nobody's comes in: what the last command has set. */
static bool
hears_all(struct fx_port *p)
{
	static struct fx_frame f;
	struct rte_mbuf *m;

	fx_frame_build(&f, &(struct fx_spec){ .dst = { 1, 0, 0x5e, 1, 2, 3 }, .payload = 50 });
	fx_inject(p, &f);
	if (fx_rx(p, &m, 1) == 0)
		return false;
	fx_expect_mbuf(m, &f);
	return true;
}

/* --- among frames -------------------------------------------------------------------------- */

/* Packets by the number before each command, so that its blocks come to lie everywhere. */
static void
commands_between(struct fx_port *p, const struct fx_conf *conf)
{
	fx_start(p, conf);
	for (uint32_t i = 0; i < 400; i++) {
		uint32_t n = i % 37;

		send_series(p, i, n % 5);
		assert_int_equal(rte_eth_allmulticast_enable(p->id), 0);
		assert_true(hears_all(p));
		send_series(p, i + n % 5, n - n % 5);
		assert_int_equal(rte_eth_allmulticast_disable(p->id), 0);
		assert_false(hears_all(p));
		expect_series(p, i, n);
		fx_expect_silence(p);
	}
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
}

static void
test_commands_between_frames(void **state)
{
	static const uint16_t size[] = { 64, 128, 256 };
	struct fx_port *p = *state;

	for (unsigned int i = 0; i < RTE_DIM(size); i++) {
		commands_between(p, &(struct fx_conf){ .nb_txd = size[i], .tx.tx_rs_thresh = 8,
						       .eth.txmode.offloads = FAST_FREE });
		commands_between(p, &(struct fx_conf){ .nb_txd = size[i], .tx.tx_rs_thresh = 8,
						       .eth.txmode.offloads = MULTI_SEGS });
	}
}

/* Nothing but commands: each takes three blocks, which nobody else gives back. */
static void
test_commands_and_no_frames(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, &(struct fx_conf){ .nb_txd = 32 });
	for (unsigned int i = 0; i < 1000; i++) {
		assert_int_equal(rte_eth_promiscuous_enable(p->id), 0);
		assert_int_equal(rte_eth_promiscuous_disable(p->id), 0);
	}
	assert_int_equal(rte_eth_allmulticast_enable(p->id), 0);
	assert_true(hears_all(p));
	send_series(p, 0, 20);
	expect_series(p, 0, 20);
}

/* A command waits its turn; frames before it go first, those after it wait. */
static void
test_command_behind_frames_that_wait(void **state)
{
	struct fx_port *p = *state;
	uint64_t before;

	fx_start(p, NULL);
	fx_fault(p, PW_FAULT_TX_HANG, 1);
	send_series(p, 0, 100);
	before = pw_clock_now(&fx_clock);
	log_capture_start();
	assert_int_equal(rte_eth_allmulticast_enable(p->id), -ETIMEDOUT);
	log_capture_expect("the chip does not take the command");
	/* 100 ms, and not much more. */
	assert_in_range(pw_clock_now(&fx_clock) - before, 100000000, 120000000);
	/* It is in the list still, frames behind it: the next one has to wait until it is not. */
	send_series(p, 100, 30);
	log_capture_start();
	assert_int_equal(rte_eth_promiscuous_enable(p->id), -ETIMEDOUT);
	log_capture_expect("the chip does not take the command");
	/* Frames go on to be taken, as many as fit. */
	send_series(p, 130, 70);
	fx_fault(p, PW_FAULT_TX_HANG, 0);
	pw_model_poll(p->model);
	expect_series(p, 0, 200);
	assert_int_equal(rte_eth_allmulticast_enable(p->id), 0);
	assert_true(hears_all(p));
	assert_int_equal(rte_eth_allmulticast_disable(p->id), 0);
	assert_false(hears_all(p));
	send_series(p, 0, 200);
	expect_series(p, 0, 200);
}

/* Blocks for a command are kept free when packets have all the rest. */
static void
test_command_has_room_in_a_full_circle(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;
	uint32_t n = 0;

	fx_start(p, &(struct fx_conf){ .nb_txd = 64 });
	fx_fault(p, PW_FAULT_TX_HANG, 1);
	for (;; n++) {
		series(&f, n);
		m = fx_mbuf(p->pool, &f, 0);
		if (rte_eth_tx_burst(p->id, 0, &m, 1) == 0)
			break;
	}
	rte_pktmbuf_free(m);
	log_capture_start();
	assert_int_equal(rte_eth_allmulticast_enable(p->id), -ETIMEDOUT);
	log_capture_expect("Connection timed out");
	fx_fault(p, PW_FAULT_TX_HANG, 0);
	pw_model_poll(p->model);
	expect_series(p, 0, n);
	assert_true(hears_all(p));
	send_series(p, 0, 50);
	expect_series(p, 0, 50);
}

/* A control thread and the one that polls use one list and one command byte. */
#define RACE_COMMANDS 2000

struct race {
	struct fx_port *p;
	atomic_bool over;
	int rc;
};

static void *
command_racer(void *arg)
{
	struct race *r = arg;
	struct i8255x_stats_dump dump;

	for (unsigned int i = 0; i < RACE_COMMANDS && r->rc == 0; i++) {
		r->rc = i8255x_cmd_configure(adapter_of(r->p));
		if (r->rc == 0)
			r->rc = i8255x_cmd_dump_stats(adapter_of(r->p), &dump);
		i8255x_tx_owed(txq_of(r->p));
	}
	r->over = true;
	return NULL;
}

static void
test_commands_from_another_thread(void **state)
{
	struct race r = { .p = *state };
	pthread_t thread;
	uint32_t i = 0;

	fx_start(r.p, &(struct fx_conf){ .nb_txd = 64 });
	assert_int_equal(pthread_create(&thread, NULL, command_racer, &r), 0);
	for (; !r.over; i += 8) {
		send_series(r.p, i, 8);
		expect_series(r.p, i, 8);
	}
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(r.rc, 0);
	send_series(r.p, 0, 50);
	expect_series(r.p, 0, 50);
	fx_expect_silence(r.p);
	assert_int_equal(rte_eth_allmulticast_enable(r.p->id), 0);
	assert_true(hears_all(r.p));
}

/* --- a chip that does not hear ------------------------------------------------------------- */

static void
test_command_whose_resume_is_lost(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	for (unsigned int i = 0; i < 10; i++) {
		uint64_t before = pw_clock_now(&fx_clock);

		fx_fault(p, PW_FAULT_LOST_DOORBELL, 1);
		assert_int_equal(rte_eth_allmulticast_enable(p->id), 0);
		assert_true(pw_clock_now(&fx_clock) - before < 5000000);
		assert_true(hears_all(p));
		assert_int_equal(rte_eth_allmulticast_disable(p->id), 0);
		send_series(p, 0, 10);
		expect_series(p, 0, 10);
	}
}

static void
test_command_on_a_slow_chip(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	fx_fault(p, PW_FAULT_SLOW_CMD, 500000);
	for (unsigned int i = 0; i < 10; i++) {
		send_series(p, 0, 3);
		assert_int_equal(rte_eth_allmulticast_enable(p->id), 0);
		assert_true(hears_all(p));
		assert_int_equal(rte_eth_allmulticast_disable(p->id), 0);
		expect_series(p, 0, 3);
	}
	fx_fault(p, PW_FAULT_SLOW_CMD, 0);
}

/* Selective reset behind the driver's back: the CU is idle, and does not hear a resume (§5.3). */
static void
test_idle_unit_is_started_where_it_left(void **state)
{
	struct fx_port *p = *state;
	const struct pw_io *io;

	fx_start(p, NULL);
	io = adapter_of(p)->hw.io;
	for (unsigned int i = 0; i < 3; i++) {
		send_series(p, 0, 7);
		expect_series(p, 0, 7);
		pw_write32(io, I8255X_PORT, I8255X_PORT_SELECTIVE);
		fx_advance(p, 20000);
		send_series(p, 0, 5);
		fx_expect_silence(p);
		/* By the watch, or by a command that waits. */
		if (i == 0)
			i8255x_tx_owed(txq_of(p));
		else
			assert_int_equal(i8255x_cmd_configure(adapter_of(p)), 0);
		expect_series(p, 0, 5);
		send_series(p, 0, 300);
		expect_series(p, 0, 300);
	}
}

static void
test_card_that_is_gone_ends_the_wait(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	fx_fault(p, PW_FAULT_REMOVED, 1);
	assert_int_equal(i8255x_cmd_configure(adapter_of(p)), -ENODEV);
	fx_fault(p, PW_FAULT_REMOVED, 0);
}

/* --- a port that is stopped ---------------------------------------------------------------- */

static void
test_stopped_port_keeps_what_start_needs(void **state)
{
	const struct rte_ether_addr mac = { { 0x02, 1, 2, 3, 4, 5 } };
	struct rte_ether_addr list[I8255X_MC_MAX];
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;
	uint64_t w;

	fx_configure(p, NULL);
	for (unsigned int i = 0; i < I8255X_MC_MAX; i++)
		list[i] = (struct rte_ether_addr){ { 1, 0, 0x5e, 7, 0, i } };
	w = pw_model_reg_writes(p->model);
	assert_int_equal(rte_eth_dev_default_mac_addr_set(p->id,
				(struct rte_ether_addr *)(uintptr_t)&mac), 0);
	assert_int_equal(rte_eth_dev_set_mc_addr_list(p->id, list, I8255X_MC_MAX), 0);
	assert_int_equal(pw_model_reg_writes(p->model), w);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	for (unsigned int i = 0; i <= I8255X_MC_MAX; i++) {
		struct fx_spec spec = { .payload = 50 };

		memcpy(spec.dst, i < I8255X_MC_MAX ? &list[i] : &mac, 6);
		fx_frame_build(&f, &spec);
		fx_inject(p, &f);
		assert_int_equal(fx_rx(p, &m, 1), 1);
		fx_expect_mbuf(m, &f);
	}
}

/* --- statistics ---------------------------------------------------------------------------- */

/* A chip that answers as the test says, while the model keeps silent: dwords of the dump. */
static struct {
	uint32_t *dump;
	unsigned int looks;
	unsigned int marker_late;	/* looks after the one at which the counters come */
	unsigned int marker_at;
	uint32_t pause;			/* dword 16: the first behind an 82557's counters */
} foreign;

static void
foreign_answer(unsigned int us)
{
	pw_clock_advance(&fx_clock, us * UINT64_C(1000));
	foreign.looks++;
	if (foreign.looks == 5) {
		foreign.dump[0] = 7;
		foreign.dump[15] = 9;
		foreign.dump[16] = foreign.pause;
	}
	if (foreign.looks == 5 + foreign.marker_late)
		foreign.dump[foreign.marker_at] = 0xa007;
}

static void
dump_from(struct fx_port *p, struct i8255x_stats_dump *out)
{
	void (*delay)(unsigned int) = rte_delay_us;

	fx_fault(p, PW_FAULT_SLOW_CMD, 1000000000);
	foreign.dump = (uint32_t *)&((struct i8255x_ctl *)adapter_of(p)->ctl.va)->stats;
	foreign.looks = 0;
	rte_delay_us_callback_register(foreign_answer);
	assert_int_equal(i8255x_cmd_dump_stats(adapter_of(p), out), 0);
	rte_delay_us_callback_register(delay);
	assert_int_equal(out->tx_good, 7);
	assert_int_equal(out->rx_short, 9);
	fx_fault(p, PW_FAULT_SLOW_CMD, 0);
	fx_advance(p, 2000000000);
}

/* QEMU: whatever it plays, the marker comes behind the 16 counters of an 82557 (§1.3). */
static void
test_marker_in_the_place_of_another_part(void **state)
{
	struct i8255x_stats_dump out;
	struct fx_port *p = *state;

	fx_start(p, NULL);
	foreign.marker_late = 0;
	foreign.marker_at = 0x40 / 4;
	dump_from(p, &out);
	assert_int_equal(out.fc_tx_pause, 0);
	assert_int_equal(out.fc_rx_pause, 0);
	assert_in_range(foreign.looks, 5, 10);
}

/* A flow control counter may be 40967, which is what a marker reads; the marker comes after it. */
static void
test_counter_that_looks_like_a_marker(void **state)
{
	struct i8255x_stats_dump out;
	struct fx_port *p = *state;

	if (strcmp(fx_chip, "82557b") == 0) {
		print_message("an 82557 has no such counter\n");
		skip();
	}
	fx_start(p, NULL);
	foreign.marker_late = 1;
	foreign.marker_at = strcmp(fx_chip, "82558b") == 0 ? 0x4c / 4 : 0x50 / 4;
	foreign.pause = 40967;
	dump_from(p, &out);
	assert_int_equal(out.fc_tx_pause, 40967);
	assert_int_equal(out.marker_559, 0);
}

int
main(int argc, char **argv)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, fx_port_setup, fx_port_teardown)
	const struct CMUnitTest tests[] = {
		T(commands_between_frames),
		T(commands_and_no_frames),
		T(command_behind_frames_that_wait),
		T(command_has_room_in_a_full_circle),
		T(commands_from_another_thread),
		T(command_whose_resume_is_lost),
		T(command_on_a_slow_chip),
		T(idle_unit_is_started_where_it_left),
		T(card_that_is_gone_ends_the_wait),
		T(stopped_port_keeps_what_start_needs),
		T(marker_in_the_place_of_another_part),
		T(counter_that_looks_like_a_marker),
	};

	fx_chip = argc > 1 ? argv[1] : "82559c";
	return cmocka_run_group_tests_name("i8255x_cmd", tests, fx_setup, fx_teardown);
}
