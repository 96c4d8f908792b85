/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* i8255x: statistics, on the model that the argument names. */

#include "fixture.h"

#include "../../drivers/net/i8255x/i8255x.h"

#define HALF	(RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_100M_HD)

static void
receive(struct fx_port *p, uint32_t len, unsigned int n)
{
	static struct fx_frame f;
	struct rte_mbuf *m;

	fx_frame_build(&f, &(struct fx_spec){ .payload = len - 14 });
	for (unsigned int i = 0; i < n; i++) {
		fx_inject(p, &f);
		assert_int_equal(fx_rx(p, &m, 1), 1);
		rte_pktmbuf_free(m);
	}
}

static void
transmit(struct fx_port *p, uint32_t len, unsigned int n)
{
	static struct fx_frame f;

	fx_frame_build(&f, &(struct fx_spec){ .payload = len - 14 });
	for (unsigned int i = 0; i < n; i++) {
		struct rte_mbuf *m = fx_mbuf(p->pool, &f, 0);

		fx_tx(p, &m, 1);
		fx_expect_sent(p, &f);
	}
}

static struct rte_eth_stats
stats(struct fx_port *p)
{
	struct rte_eth_stats s;

	assert_int_equal(rte_eth_stats_get(p->id, &s), 0);
	return s;
}

static void
test_packets_and_bytes_without_crc(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_stats s;

	fx_start(p, NULL);
	receive(p, 60, 3);
	receive(p, 1000, 2);
	transmit(p, 60, 4);
	transmit(p, 1514, 1);
	s = stats(p);
	assert_int_equal(s.ipackets, 5);
	assert_int_equal(s.ibytes, 3 * 60 + 2 * 1000);
	assert_int_equal(s.opackets, 5);
	assert_int_equal(s.obytes, 4 * 60 + 1514);
	assert_int_equal(s.imissed | s.ierrors | s.oerrors | s.rx_nombuf, 0);
	assert_int_equal(fx_xstat(p, "rx_chip_good_packets"), 5);
	assert_int_equal(fx_xstat(p, "tx_chip_good_packets"), 5);
}

static void
test_runt_counts_once(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;

	fx_start(p, NULL);
	fx_frame_build(&f, &(struct fx_spec){ .payload = 20, .no_padding = true });
	fx_inject(p, &f);
	assert_int_equal(fx_rx(p, &m, 1), 0);
	assert_int_equal(stats(p).ierrors, 1);
	assert_int_equal(fx_xstat(p, "rx_undersize_errors"), 1);
	assert_int_equal(stats(p).ipackets, 0);
}

static void
test_crc_error_counts_once(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;

	fx_start(p, NULL);
	fx_frame_build(&f, &(struct fx_spec){ .payload = 200 });
	fx_inject_flags(p, &f, PW_FRAME_BAD_CRC);
	assert_int_equal(fx_rx(p, &m, 1), 0);
	assert_int_equal(stats(p).ierrors, 1);
	assert_int_equal(stats(p).ibytes, 0);
	assert_int_equal(fx_xstat(p, "rx_crc_errors"), 1);
}

/* §3.6: a frame that collided once, one that did three times, one given up after 16 (802.3). */
static void
test_collisions_at_half_duplex(void **state)
{
	static struct fx_frame f;
	struct fx_port *p = *state;
	struct rte_mbuf *m;

	fx_start(p, &(struct fx_conf){ .eth.link_speeds = HALF });
	fx_fault(p, PW_FAULT_COLLISIONS, 1);
	transmit(p, 100, 1);
	fx_fault(p, PW_FAULT_COLLISIONS, 3);
	transmit(p, 100, 1);
	assert_int_equal(fx_xstat(p, "tx_single_collision_packets"), 1);
	assert_int_equal(fx_xstat(p, "tx_multiple_collision_packets"), 1);
	assert_int_equal(fx_xstat(p, "tx_total_collisions"), 4);
	assert_int_equal(stats(p).oerrors, 0);
	fx_fault(p, PW_FAULT_COLLISIONS, 16);
	fx_frame_build(&f, &(struct fx_spec){ .payload = 86 });
	m = fx_mbuf(p->pool, &f, 0);
	fx_tx(p, &m, 1);
	fx_expect_silence(p);
	assert_int_equal(fx_xstat(p, "tx_excessive_collision_packets"), 1);
	assert_int_equal(stats(p).oerrors, 1);
	transmit(p, 100, 1);
}

static void
test_overrun_is_counted_as_missed(void **state)
{
	static struct fx_frame f;
	struct fx_port *p = *state;
	struct rte_mbuf *m;

	fx_start(p, NULL);
	fx_fault(p, PW_FAULT_RX_OVERRUN, 2);
	fx_frame_build(&f, &(struct fx_spec){ .payload = 86 });
	fx_inject(p, &f);
	fx_inject(p, &f);
	assert_int_equal(fx_rx(p, &m, 1), 0);
	receive(p, 100, 1);
	assert_int_equal(fx_xstat(p, "rx_overrun_errors"), 2);
	assert_int_equal(stats(p).imissed, 2);
	assert_int_equal(stats(p).ierrors, 0);
}

/* Whatever was sent to a card that nobody polls has arrived or is counted as missed. */
static void
test_without_descriptors_frames_are_missed(void **state)
{
	static struct rte_mbuf *m[300];
	static struct fx_frame f;
	struct fx_port *p = *state;
	struct rte_eth_stats s;
	struct rte_eth_fc_conf fc;
	uint16_t n;

	fx_start(p, &(struct fx_conf){ .nb_rxd = 64 });
	/* The wire shall not be stopped. */
	if (rte_eth_dev_flow_ctrl_get(p->id, &fc) == 0) {
		fc.mode = RTE_ETH_FC_NONE;
		fc.autoneg = 0;
		assert_int_equal(rte_eth_dev_flow_ctrl_set(p->id, &fc), 0);
	}
	fx_frame_build(&f, &(struct fx_spec){ .payload = 1000 });
	for (unsigned int i = 0; i < 300; i++) {
		fx_inject(p, &f);
		pw_model_poll(p->model);
	}
	n = fx_rx(p, m, RTE_DIM(m));
	rte_pktmbuf_free_bulk(m, n);
	s = stats(p);
	assert_int_equal(s.ipackets, n);
	assert_true(s.imissed > 0);
	assert_int_equal(s.ipackets + s.imissed, 300);
	assert_int_equal(s.ierrors, 0);
	/* And it goes on. */
	receive(p, 100, 3);
	assert_true(fx_xstat(p, "rx_unit_restarts") > 0);
}

static void
test_statistics_go_on_over_stop_and_start(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;

	fx_start(p, NULL);
	receive(p, 100, 3);
	transmit(p, 100, 2);
	fx_frame_build(&f, &(struct fx_spec){ .payload = 200 });
	fx_inject_flags(p, &f, PW_FRAME_BAD_CRC);
	fx_advance(p, 0);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	assert_int_equal(stats(p).ipackets, 3);
	assert_int_equal(stats(p).ierrors, 1);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	receive(p, 100, 1);
	transmit(p, 100, 1);
	assert_int_equal(stats(p).ipackets, 4);
	assert_int_equal(stats(p).opackets, 3);
	assert_int_equal(stats(p).ibytes, 400);
	assert_int_equal(stats(p).ierrors, 1);
	assert_int_equal(fx_xstat(p, "rx_chip_good_packets"), 4);
}

/* Packets are counted in the queues, which go when the port is configured anew. */
static void
test_statistics_outlive_the_queues(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	receive(p, 100, 3);
	transmit(p, 100, 2);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	fx_start(p, &(struct fx_conf){ .nb_rxd = 64, .nb_txd = 64 });
	assert_int_equal(stats(p).ipackets, 3);
	assert_int_equal(stats(p).obytes, 200);
	receive(p, 60, 1);
	assert_int_equal(stats(p).ipackets, 4);
	assert_int_equal(stats(p).ibytes, 360);
}

static void
test_reset(void **state)
{
	struct rte_eth_xstat x[128];
	struct fx_port *p = *state;
	struct rte_mbuf *m;
	int n;

	fx_start(p, NULL);
	receive(p, 100, 3);
	transmit(p, 100, 2);
	m = rte_pktmbuf_alloc(p->pool);
	fx_tx(p, &m, 1);	/* dropped: no data */
	assert_int_equal(stats(p).oerrors, 1);
	assert_int_equal(rte_eth_stats_reset(p->id), 0);
	assert_int_equal(stats(p).ipackets | stats(p).opackets | stats(p).oerrors, 0);
	receive(p, 100, 1);
	assert_int_equal(stats(p).ipackets, 1);
	assert_int_equal(stats(p).ibytes, 100);
	assert_int_equal(rte_eth_xstats_reset(p->id), 0);
	n = rte_eth_xstats_get(p->id, x, RTE_DIM(x));
	assert_in_range(n, 1, RTE_DIM(x));
	for (int i = 0; i < n; i++)
		assert_int_equal(x[i].value, 0);
}

/* §3.6: 16 counters on an 82557, three more from 82558 on, two more from 82559 on. */
static void
test_xstats_are_those_of_the_chip(void **state)
{
	struct rte_eth_xstat_name names[128];
	struct rte_eth_xstat x[128];
	struct fx_port *p = *state;
	int n, base;

	fx_start(p, NULL);
	n = rte_eth_xstats_get_names(p->id, NULL, 0);
	assert_in_range(n, 20, RTE_DIM(names));
	assert_int_equal(rte_eth_xstats_get(p->id, x, RTE_DIM(x)), n);
	assert_int_equal(rte_eth_xstats_get_names(p->id, names, n), n);
	base = 0;
	for (int i = 0; i < n; i++) {
		base += strstr(names[i].name, "xoff") != NULL ||
			strstr(names[i].name, "flow_control") != NULL ? 1 : 0;
		base += strstr(names[i].name, "management") != NULL ? 1 : 0;
		for (int j = i + 1; j < n; j++)
			assert_string_not_equal(names[i].name, names[j].name);
	}
	assert_int_equal(base, strcmp(fx_chip, "82557b") == 0 ? 0 :
			       strcmp(fx_chip, "82558b") == 0 ? 3 : 5);
}

/* The chip's counters are 32 bits; sums are not. */
static void
test_sums_beyond_32_bits(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	i8255x_adapter_of(&rte_eth_devices[p->id])->stats.rx_good = UINT32_MAX;
	receive(p, 1000, 1);
	assert_int_equal(fx_xstat(p, "rx_chip_good_packets"), UINT64_C(0x100000000));
}

/* A command that takes its time is waited for, and none is written over it (§2.3). */
static void
test_slow_chip_is_waited_for(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	receive(p, 100, 3);
	fx_fault(p, PW_FAULT_SLOW_CMD, 50000);
	assert_int_equal(fx_xstat(p, "rx_chip_good_packets"), 3);
	receive(p, 100, 2);
	assert_int_equal(fx_xstat(p, "rx_chip_good_packets"), 5);
	fx_fault(p, PW_FAULT_SLOW_CMD, 0);
}

/* Too slow to answer at all: the sums stand, and go on later with nothing lost. */
static void
test_chip_that_does_not_answer_loses_nothing(void **state)
{
	struct fx_port *p = *state;
	uint64_t before;

	fx_start(p, NULL);
	receive(p, 100, 3);
	assert_int_equal(fx_xstat(p, "rx_chip_good_packets"), 3);
	receive(p, 100, 2);
	fx_fault(p, PW_FAULT_SLOW_CMD, 1000000000);
	before = pw_clock_now(&fx_clock);
	assert_int_equal(stats(p).ipackets, 5);
	assert_int_equal(fx_xstat(p, "rx_chip_good_packets"), 3);
	assert_true(pw_clock_now(&fx_clock) - before < UINT64_C(1000000000));
	fx_fault(p, PW_FAULT_SLOW_CMD, 0);
	fx_advance(p, UINT64_C(2000000000));
	receive(p, 100, 1);
	assert_int_equal(fx_xstat(p, "rx_chip_good_packets"), 6);
}

/* A card that is gone reads all ones: that is no four billion packets. */
static void
test_removed_card_keeps_its_last_figures(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	receive(p, 100, 3);
	assert_int_equal(stats(p).ipackets, 3);
	fx_fault(p, PW_FAULT_REMOVED, 1);
	assert_int_equal(stats(p).ipackets, 3);
	assert_int_equal(stats(p).ierrors, 0);
	assert_int_equal(fx_xstat(p, "rx_chip_good_packets"), 3);
	fx_fault(p, PW_FAULT_REMOVED, 0);
}

int
main(int argc, char **argv)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, fx_port_setup, fx_port_teardown)
	const struct CMUnitTest tests[] = {
		T(packets_and_bytes_without_crc),
		T(runt_counts_once),
		T(crc_error_counts_once),
		T(collisions_at_half_duplex),
		T(overrun_is_counted_as_missed),
		T(without_descriptors_frames_are_missed),
		T(statistics_go_on_over_stop_and_start),
		T(statistics_outlive_the_queues),
		T(reset),
		T(xstats_are_those_of_the_chip),
		T(sums_beyond_32_bits),
		T(slow_chip_is_waited_for),
		T(chip_that_does_not_answer_loses_nothing),
		T(removed_card_keeps_its_last_figures),
	};

	fx_chip = argc > 1 ? argv[1] : "82559c";
	return cmocka_run_group_tests_name("i8255x_stats", tests, fx_setup, fx_teardown);
}
