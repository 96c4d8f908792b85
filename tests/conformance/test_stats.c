/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* Statistics against what the other end of the wire sent and counted. */

#include "conf.h"

#define XSTATS_MAX 256

static struct rte_eth_stats
stats_of(const struct fx_port *p)
{
	struct rte_eth_stats s;

	assert_int_equal(rte_eth_stats_get(p->id, &s), 0);
	return s;
}

struct count {
	uint64_t packets, bytes;
};

/* `n` frames of sizes from 14 on; what leaves is 60 bytes at least. */
static struct count
send_some(struct fx_port *p, unsigned int n)
{
	static struct fx_frame f;
	struct count c = { 0 };
	struct rte_mbuf *m;
	unsigned int i;

	for (i = 0; i < n; i++) {
		conf_frame(&f, 14 + i * 97 % 1501, (uint8_t)i);
		m = fx_mbuf(p->pool, &f, 0);
		fx_tx(p, &m, 1);
		while (conf_capture(p, &f)) {
			c.packets++;
			c.bytes += f.len;
		}
	}
	return c;
}

static struct count
receive_some(struct fx_port *p, unsigned int n)
{
	static struct fx_frame f;
	struct count c = { 0 };
	unsigned int i;

	for (i = 0; i < n; i++) {
		conf_frame(&f, 60 + i * 97 % 1455, (uint8_t)i);
		if (i % 4 == 1)
			memcpy(f.data, &p->mac, sizeof(p->mac));
		conf_receives(p, &f);
		c.packets++;
		c.bytes += f.len;
	}
	return c;
}

static void
test_packets_and_bytes_are_those_of_the_wire(void **state)
{
	struct fx_port *p = *state;
	uint64_t segs = conf_info(p).tx_offload_capa & RTE_ETH_TX_OFFLOAD_MULTI_SEGS;
	struct rte_eth_stats s;
	struct count in, out;

	conf_start_tx(p, segs);
	s = stats_of(p);
	assert_int_equal(s.ipackets + s.opackets + s.ibytes + s.obytes, 0);
	in = receive_some(p, 500);
	out = send_some(p, 700);
	s = stats_of(p);
	assert_int_equal(s.ipackets, in.packets);
	assert_int_equal(s.ibytes, in.bytes);
	assert_int_equal(s.opackets, out.packets);
	assert_int_equal(s.obytes, out.bytes);
	assert_int_equal(s.imissed + s.ierrors + s.oerrors + s.rx_nombuf, 0);
	conf_proven("Basic stats", "packets and bytes", true);
}

/* Tags are part of the frame, even one that was stripped or inserted; the CRC is not. */
static void
test_bytes_of_tagged_frames(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	uint64_t strip = info.rx_offload_capa & RTE_ETH_RX_OFFLOAD_VLAN_STRIP;
	struct rte_eth_stats s;
	static struct fx_frame f;
	unsigned int i;

	conf_start_rx(p, strip);
	for (i = 0; i < 10; i++) {
		conf_frame(&f, 100, i);
		conf_tag(&f, RTE_ETHER_TYPE_VLAN, i + 1);
		rte_pktmbuf_free(conf_rx_one(p, &f));
	}
	s = stats_of(p);
	assert_int_equal(s.ipackets, 10);
	/* With or without the tag that was taken off. */
	if (s.ibytes != 10 * 100)
		assert_int_equal(s.ibytes, 10 * 104);
}

static void
test_frames_for_others_are_not_counted(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	unsigned int i;

	fx_start(p, NULL);
	for (i = 0; i < 10; i++) {
		conf_frame(&f, 100, i);
		memcpy(f.data, "\x02\x00\x00\x00\x12\x34", 6);
		conf_ignores(p, &f);
	}
	assert_int_equal(stats_of(p).ipackets, 0);
	assert_int_equal(stats_of(p).ibytes, 0);
	assert_int_equal(stats_of(p).ierrors, 0);
}

static void
test_reset_and_restart(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_stats s, zero;
	struct count in, out;

	memset(&zero, 0, sizeof(zero));
	fx_start(p, NULL);
	in = receive_some(p, 20);
	out = send_some(p, 30);
	/* Counters go on across stop and start. */
	conf_stop(p);
	s = stats_of(p);
	assert_int_equal(s.ipackets, in.packets);
	assert_int_equal(s.obytes, out.bytes);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	receive_some(p, 20);
	assert_int_equal(stats_of(p).ipackets, 2 * in.packets);
	assert_int_equal(stats_of(p).opackets, out.packets);
	assert_int_equal(rte_eth_stats_reset(p->id), 0);
	s = stats_of(p);
	assert_memory_equal(&s, &zero, sizeof(s));
	in = receive_some(p, 5);
	assert_int_equal(stats_of(p).ipackets, in.packets);
	assert_int_equal(stats_of(p).ibytes, in.bytes);
	assert_int_equal(stats_of(p).opackets, 0);
}

static void
test_stats_per_queue_add_up(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_stats s;
	bool has;

	fx_start(p, NULL);
	receive_some(p, 50);
	send_some(p, 60);
	s = stats_of(p);
	has = s.q_ipackets[0] != 0;
	if (has) {
		assert_int_equal(s.q_ipackets[0], s.ipackets);
		assert_int_equal(s.q_ibytes[0], s.ibytes);
		assert_int_equal(s.q_opackets[0], s.opackets);
		assert_int_equal(s.q_obytes[0], s.obytes);
	} else {
		assert_int_equal(s.q_ibytes[0] + s.q_opackets[0] + s.q_obytes[0], 0);
	}
	conf_proven("Stats per queue", "counters", has);
}

/* --- extended ---------------------------------------------------------------------------- */

static struct rte_eth_xstat_name names[XSTATS_MAX];
static struct rte_eth_xstat values[XSTATS_MAX];

static int
xstats_of(const struct fx_port *p)
{
	int n = rte_eth_xstats_get_names(p->id, NULL, 0);

	assert_in_range(n, 1, XSTATS_MAX);
	assert_int_equal(rte_eth_xstats_get_names(p->id, names, n), n);
	assert_int_equal(rte_eth_xstats_get(p->id, values, n), n);
	return n;
}

static uint64_t
xstat(const struct fx_port *p, const char *name)
{
	uint64_t id, value;

	assert_int_equal(rte_eth_xstats_get_id_by_name(p->id, name, &id), 0);
	assert_int_equal(rte_eth_xstats_get_by_id(p->id, &id, &value, 1), 1);
	return value;
}

static void
test_xstats_names_are_distinct(void **state)
{
	struct fx_port *p = *state;
	int n, i, j;

	fx_start(p, NULL);
	n = xstats_of(p);
	for (i = 0; i < n; i++) {
		size_t len = strnlen(names[i].name, sizeof(names[i].name));

		assert_in_range(len, 1, sizeof(names[i].name) - 1);
		assert_int_equal(strspn(names[i].name,
					"abcdefghijklmnopqrstuvwxyz0123456789_"), len);
		assert_int_equal(values[i].id, i);
		for (j = 0; j < i; j++)
			assert_string_not_equal(names[i].name, names[j].name);
	}
}

static void
test_xstats_short_arrays_and_wrong_ids(void **state)
{
	struct fx_port *p = *state;
	uint64_t ids[2] = { 0, XSTATS_MAX }, two[2];
	int n;

	fx_start(p, NULL);
	n = xstats_of(p);
	/* A short array asks how long it should be. */
	assert_int_equal(rte_eth_xstats_get(p->id, values, n - 1), n);
	assert_int_equal(rte_eth_xstats_get(p->id, NULL, 0), n);
	assert_int_equal(rte_eth_xstats_get_names(p->id, names, 1), n);
	assert_true(rte_eth_xstats_get_by_id(p->id, ids, two, 2) < 0);
	assert_int_equal(rte_eth_xstats_get_by_id(p->id, ids, two, 1), 1);
	assert_int_not_equal(rte_eth_xstats_get_id_by_name(p->id, "no_such_counter", ids), 0);
}

static void
test_xstats_agree_with_stats_and_ids(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_stats s;
	uint64_t id, value;
	int n, i;

	fx_start(p, NULL);
	receive_some(p, 50);
	send_some(p, 60);
	s = stats_of(p);
	n = xstats_of(p);
	assert_int_equal(xstat(p, "rx_good_packets"), s.ipackets);
	assert_int_equal(xstat(p, "rx_good_bytes"), s.ibytes);
	assert_int_equal(xstat(p, "tx_good_packets"), s.opackets);
	assert_int_equal(xstat(p, "tx_good_bytes"), s.obytes);
	for (i = 0; i < n; i++) {
		assert_int_equal(rte_eth_xstats_get_id_by_name(p->id, names[i].name, &id), 0);
		assert_int_equal(id, i);
		assert_int_equal(rte_eth_xstats_get_by_id(p->id, &id, &value, 1), 1);
		assert_int_equal(value, values[i].value);
	}
}

/* Beyond those that ethdev itself adds, which begin with what struct rte_eth_stats has. */
static void
test_xstats_reset_clears_all(void **state)
{
	struct fx_port *p = *state;
	int n, i, own = 0, counting = 0;

	fx_start(p, NULL);
	receive_some(p, 50);
	send_some(p, 60);
	n = xstats_of(p);
	for (i = 0; i < n; i++) {
		bool ethdev = strncmp(names[i].name, "rx_good_", 8) == 0 ||
			      strncmp(names[i].name, "tx_good_", 8) == 0 ||
			      strncmp(names[i].name, "rx_q", 4) == 0 ||
			      strncmp(names[i].name, "tx_q", 4) == 0 ||
			      strcmp(names[i].name, "rx_missed_errors") == 0 ||
			      strcmp(names[i].name, "rx_errors") == 0 ||
			      strcmp(names[i].name, "tx_errors") == 0 ||
			      strcmp(names[i].name, "rx_mbuf_allocation_errors") == 0;

		own += !ethdev;
		counting += !ethdev && values[i].value != 0;
	}
	assert_int_equal(rte_eth_xstats_reset(p->id), 0);
	xstats_of(p);
	for (i = 0; i < n; i++)
		if (values[i].value != 0)
			fail_msg("%s is %" PRIu64 " after reset", names[i].name, values[i].value);
	/* Some of them must have counted the traffic. */
	assert_int_equal(own > 0, counting > 0);
	conf_proven("Extended stats", "counters", own > 0);
}

/* Whatever counts frames by size must add up to all frames. */
static uint64_t
sizes_sum(int n, const char *prefix)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < n; i++)
		if (strncmp(names[i].name, prefix, strlen(prefix)) == 0 &&
		    strncmp(names[i].name + strlen(prefix), "size_", 5) == 0)
			sum += values[i].value;
	return sum;
}

static void
test_size_bins_add_up(void **state)
{
	struct fx_port *p = *state;
	struct count in, out;
	int n;

	fx_start(p, NULL);
	in = receive_some(p, 300);
	out = send_some(p, 300);
	n = xstats_of(p);
	if (sizes_sum(n, "rx_") != 0)
		assert_int_equal(sizes_sum(n, "rx_"), in.packets);
	if (sizes_sum(n, "tx_") != 0)
		assert_int_equal(sizes_sum(n, "tx_"), out.packets);
}

static void
test_stats_of_a_removed_card_do_not_jump(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_stats before, now;

	fx_start(p, NULL);
	receive_some(p, 10);
	before = stats_of(p);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_REMOVED, 1), 0);
	if (rte_eth_stats_get(p->id, &now) == 0) {
		assert_int_equal(now.ipackets, before.ipackets);
		assert_int_equal(now.ibytes, before.ibytes);
		assert_int_equal(now.opackets, before.opackets);
		assert_int_equal(now.ierrors, before.ierrors);
	}
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_REMOVED, 0), 0);
}

static const struct CMUnitTest tests[] = {
	CONF_TEST(test_packets_and_bytes_are_those_of_the_wire),
	CONF_TEST(test_bytes_of_tagged_frames),
	CONF_TEST(test_frames_for_others_are_not_counted),
	CONF_TEST(test_reset_and_restart),
	CONF_TEST(test_stats_per_queue_add_up),
	CONF_TEST(test_xstats_names_are_distinct),
	CONF_TEST(test_xstats_short_arrays_and_wrong_ids),
	CONF_TEST(test_xstats_agree_with_stats_and_ids),
	CONF_TEST(test_xstats_reset_clears_all),
	CONF_TEST(test_size_bins_add_up),
	CONF_TEST(test_stats_of_a_removed_card_do_not_jump),
};

CONF_MAIN("stats", tests)
