/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* e1000: statistics, on the 82540EM's model. */

#include "fixture.h"

#include "../../drivers/net/e1000/e1000.h"

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

/* The chip counts the CRC's four bytes, ethdev does not. */
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
	assert_int_equal(fx_xstat(p, "rx_chip_good_bytes"), 3 * 64 + 2 * 1004);
	assert_int_equal(fx_xstat(p, "rx_total_bytes"), 3 * 64 + 2 * 1004);
	assert_int_equal(fx_xstat(p, "tx_total_bytes"), 4 * 64 + 1518);
	assert_int_equal(fx_xstat(p, "rx_total_packets"), 5);
	assert_int_equal(fx_xstat(p, "tx_total_packets"), 5);
}

static void
test_size_classes(void **state)
{
	/* With the CRC: the edges of each class (§2.6). */
	static const uint32_t len[] = { 64, 65, 127, 128, 255, 256, 511, 512, 1023, 1024, 1518 };
	static const struct {
		const char *name;
		uint64_t n;
	} want[] = {
		{ "size_64_packets", 1 }, { "size_65_to_127_packets", 2 },
		{ "size_128_to_255_packets", 2 }, { "size_256_to_511_packets", 2 },
		{ "size_512_to_1023_packets", 2 }, { "size_1024_to_max_packets", 2 },
	};
	struct fx_port *p = *state;
	char name[64];

	fx_start(p, NULL);
	for (unsigned int i = 0; i < RTE_DIM(len); i++) {
		receive(p, len[i] - 4, 1);
		transmit(p, len[i] - 4, 1);
	}
	for (unsigned int i = 0; i < RTE_DIM(want); i++) {
		snprintf(name, sizeof(name), "rx_%s", want[i].name);
		assert_int_equal(fx_xstat(p, name), want[i].n);
		snprintf(name, sizeof(name), "tx_%s", want[i].name);
		assert_int_equal(fx_xstat(p, name), want[i].n);
	}
	assert_int_equal(fx_xstat(p, "rx_broadcast_packets"), RTE_DIM(len));
	assert_int_equal(fx_xstat(p, "tx_broadcast_packets"), RTE_DIM(len));
}

/* 7b0a60dd39 2021: RLEC holds under- and oversize already; they were counted twice (§7.1). */
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

static void
test_statistics_go_on_over_stop_and_start(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	receive(p, 100, 3);
	transmit(p, 100, 2);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	assert_int_equal(stats(p).ipackets, 3);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	receive(p, 100, 1);
	transmit(p, 100, 1);
	assert_int_equal(stats(p).ipackets, 4);
	assert_int_equal(stats(p).opackets, 3);
	assert_int_equal(stats(p).ibytes, 400);
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

static void
test_xstat_names_are_unique_and_as_many_as_values(void **state)
{
	struct rte_eth_xstat_name names[128];
	struct fx_port *p = *state;
	int n;

	fx_start(p, NULL);
	n = rte_eth_xstats_get_names(p->id, NULL, 0);
	assert_in_range(n, 60, RTE_DIM(names));
	assert_int_equal(rte_eth_xstats_get(p->id, NULL, 0), n);
	assert_int_equal(rte_eth_xstats_get_names(p->id, names, n), n);
	for (int i = 0; i < n; i++)
		for (int j = i + 1; j < n; j++)
			assert_string_not_equal(names[i].name, names[j].name);
}

/* The counters are 32 bits; sums are not. */
static void
test_bytes_beyond_4_gigabytes(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	e1000_adapter_of(&rte_eth_devices[p->id])->stats.gorc = UINT32_MAX;
	receive(p, 1000, 1);
	assert_int_equal(fx_xstat(p, "rx_chip_good_bytes"), UINT64_C(0xffffffff) + 1004);
}

/* A card that is gone reads all ones: that is no four billion packets. */
static void
test_removed_card_keeps_its_last_figures(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	receive(p, 100, 3);
	assert_int_equal(stats(p).ipackets, 3);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_REMOVED, 1), 0);
	assert_int_equal(stats(p).ipackets, 3);
	assert_int_equal(stats(p).ierrors, 0);
	assert_int_equal(fx_xstat(p, "rx_chip_good_bytes"), 3 * 104);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_REMOVED, 0), 0);
}

static void
test_without_descriptors_frames_are_missed(void **state)
{
	static struct rte_mbuf *m[300];
	static struct fx_port port;
	struct fx_port *p = &port;
	static struct fx_frame f;
	struct rte_eth_stats s;
	uint16_t n;

	(void)state;
	fx_open(p, "82540em", "buffer=65536");
	fx_start(p, &(struct fx_conf){ .nb_rxd = 64 });
	fx_frame_build(&f, &(struct fx_spec){ .payload = 1000 });
	/* 63 descriptors and 64 KiB: the rest has no place to go. */
	for (unsigned int i = 0; i < 300; i++) {
		fx_inject(p, &f);
		pw_model_poll(p->model);
	}
	n = fx_rx(p, m, RTE_DIM(m));
	rte_pktmbuf_free_bulk(m, n);
	s = stats(p);
	assert_int_equal(s.ipackets, n);
	assert_in_range(s.imissed, 300 - 63 - 65536 / 1014, 300 - 63);
	assert_int_equal(s.ipackets + s.imissed, 300);
	assert_int_equal(s.ierrors, 0);
	fx_close(p);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, fx_port_setup, fx_port_teardown)
	const struct CMUnitTest tests[] = {
		T(packets_and_bytes_without_crc),
		T(size_classes),
		T(runt_counts_once),
		T(crc_error_counts_once),
		T(statistics_go_on_over_stop_and_start),
		T(reset),
		T(xstat_names_are_unique_and_as_many_as_values),
		T(bytes_beyond_4_gigabytes),
		T(removed_card_keeps_its_last_figures),
		cmocka_unit_test(test_without_descriptors_frames_are_missed),
	};

	return cmocka_run_group_tests_name("e1000_stats", tests, fx_setup, fx_teardown);
}
