/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* What a port says of itself: consistent, and true at both ends of every limit. */

#include "conf.h"

#define FRAME_OVERHEAD_MAX 26u /* Ethernet header, two tags, CRC */

static void
expect_desc_lim(const struct rte_eth_desc_lim *lim, const struct rte_eth_dev_portconf *preferred)
{
	assert_true(lim->nb_min > 0);
	assert_true(lim->nb_min <= lim->nb_max);
	assert_true(lim->nb_align > 0);
	assert_int_equal(lim->nb_min % lim->nb_align, 0);
	assert_int_equal(lim->nb_max % lim->nb_align, 0);
	assert_true(lim->nb_mtu_seg_max <= lim->nb_seg_max);
	if (preferred->ring_size != 0) {
		assert_in_range(preferred->ring_size, lim->nb_min, lim->nb_max);
		assert_int_equal(preferred->ring_size % lim->nb_align, 0);
		assert_true(preferred->burst_size <= preferred->ring_size);
	}
}

static void
test_limits_are_consistent(void **state)
{
	struct rte_eth_dev_info info = conf_info(*state);

	assert_non_null(info.device);
	assert_non_null(info.driver_name);
	assert_true(info.max_rx_queues > 0 && info.max_tx_queues > 0);
	assert_true(info.max_mac_addrs > 0);
	assert_true(info.min_mtu <= RTE_ETHER_MTU && info.max_mtu >= RTE_ETHER_MTU);
	assert_true(info.min_rx_bufsize > 0);
	assert_true(info.min_rx_bufsize <= RTE_MBUF_DEFAULT_DATAROOM);
	assert_in_range(info.max_rx_pktlen, info.max_mtu + RTE_ETHER_HDR_LEN,
			info.max_mtu + FRAME_OVERHEAD_MAX);
	assert_true(info.default_rxportconf.nb_queues <= info.max_rx_queues);
	assert_true(info.default_txportconf.nb_queues <= info.max_tx_queues);
	expect_desc_lim(&info.rx_desc_lim, &info.default_rxportconf);
	expect_desc_lim(&info.tx_desc_lim, &info.default_txportconf);
}

static void
test_queue_offloads_are_port_offloads(void **state)
{
	struct rte_eth_dev_info info = conf_info(*state);

	assert_int_equal(info.rx_queue_offload_capa & ~info.rx_offload_capa, 0);
	assert_int_equal(info.tx_queue_offload_capa & ~info.tx_offload_capa, 0);
	/* Defaults must not ask for what is not offered. */
	assert_int_equal(info.default_rxconf.offloads & ~info.rx_queue_offload_capa, 0);
	assert_int_equal(info.default_txconf.offloads & ~info.tx_queue_offload_capa, 0);
	/* Frames beyond one buffer need a chain. */
	if (info.rx_offload_capa & RTE_ETH_RX_OFFLOAD_TCP_LRO)
		assert_true(info.max_lro_pkt_size > 0);
}

static void
test_rss_facts_come_together(void **state)
{
	struct rte_eth_dev_info info = conf_info(*state);

	if (info.flow_type_rss_offloads == 0) {
		assert_int_equal(info.reta_size, 0);
		assert_int_equal(info.rx_offload_capa & RTE_ETH_RX_OFFLOAD_RSS_HASH, 0);
	} else {
		assert_true(info.hash_key_size > 0);
		assert_true(info.reta_size == 0 || rte_is_power_of_2(info.reta_size));
	}
}

static void
test_info_does_not_change_with_state(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info before = conf_info(p), now;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		if (i == 0)
			fx_configure(p, NULL);
		else if (i == 1)
			assert_int_equal(rte_eth_dev_start(p->id), 0);
		else
			conf_stop(p);
		now = conf_info(p);
		assert_int_equal(now.nb_rx_queues, 1);
		assert_int_equal(now.nb_tx_queues, 1);
		now.nb_rx_queues = before.nb_rx_queues;
		now.nb_tx_queues = before.nb_tx_queues;
		assert_memory_equal(&now, &before, sizeof(now));
	}
}

static void
test_station_address_is_a_unicast_one(void **state)
{
	struct fx_port *p = *state;

	assert_true(rte_is_valid_assigned_ether_addr(&p->mac));
}

static void
test_speeds_are_known_ones(void **state)
{
	struct rte_eth_dev_info info = conf_info(*state);

	assert_true(info.speed_capa != 0);
	assert_int_equal(info.speed_capa & RTE_ETH_LINK_SPEED_FIXED, 0);
	conf_proven("Speed capabilities", "reported", true);
}

static void
test_supported_ptypes_are_distinct(void **state)
{
	struct fx_port *p = *state;
	uint32_t types[256];
	int n = rte_eth_dev_get_supported_ptypes(p->id, RTE_PTYPE_ALL_MASK, NULL, 0), i, j;

	assert_in_range(n, 0, RTE_DIM(types));
	assert_int_equal(rte_eth_dev_get_supported_ptypes(p->id, RTE_PTYPE_ALL_MASK, types, n), n);
	for (i = 0; i < n; i++) {
		assert_int_not_equal(types[i], RTE_PTYPE_UNKNOWN);
		for (j = 0; j < i; j++)
			assert_int_not_equal(types[i], types[j]);
	}
}

static bool
offers(const uint32_t *types, int n, uint32_t type)
{
	while (n > 0)
		if (types[--n] == type)
			return true;
	return false;
}

static bool
offers_l3(const uint32_t *types, int n, uint32_t family)
{
	while (n > 0)
		if (types[--n] & family)
			return true;
	return false;
}

/* In their bits of rte_mbuf_ptype.h all kinds of IPv4 have one in common, those of IPv6 another. */
#define V4 (RTE_PTYPE_L3_IPV4 & RTE_PTYPE_L3_IPV4_EXT & RTE_PTYPE_L3_IPV4_EXT_UNKNOWN)
#define V6 (RTE_PTYPE_L3_IPV6 & RTE_PTYPE_L3_IPV6_EXT & RTE_PTYPE_L3_IPV6_EXT_UNKNOWN)

/* Nothing wrong, nothing that is not offered, and the family wherever that is offered. */
static void
judge_ptype(uint32_t got, const struct fx_spec *s, const uint32_t *types, int n)
{
	uint32_t l2 = got & RTE_PTYPE_L2_MASK, l3 = got & RTE_PTYPE_L3_MASK;
	uint32_t l4 = got & RTE_PTYPE_L4_MASK;

	assert_int_equal(got & ~(RTE_PTYPE_L2_MASK | RTE_PTYPE_L3_MASK | RTE_PTYPE_L4_MASK), 0);
	assert_true(l2 == 0 || offers(types, n, l2));
	assert_true(l3 == 0 || offers(types, n, l3));
	assert_true(l4 == 0 || offers(types, n, l4));
	assert_true((l3 & V4) == 0 || s->l3 == FX_IPV4);
	assert_true((l3 & V6) == 0 || s->l3 == FX_IPV6);
	if (s->l3 == FX_RAW)
		assert_int_equal(l3, 0);
	if (l3 == RTE_PTYPE_L3_IPV4)
		assert_int_equal(s->ip_opts, 0);
	if (l3 == RTE_PTYPE_L3_IPV4_EXT)
		assert_int_not_equal(s->ip_opts, 0);
	if (s->fragment)
		assert_true(l4 == 0 || l4 == RTE_PTYPE_L4_FRAG);
	else if (l4 != 0)
		assert_int_equal(l4, s->l4 == FX_UDP ? RTE_PTYPE_L4_UDP :
				 s->l4 == FX_TCP ? RTE_PTYPE_L4_TCP : RTE_PTYPE_L4_NONFRAG);
	if (s->vlan != 0)
		return;
	if (s->l3 == FX_IPV4 && offers_l3(types, n, V4))
		assert_true(l3 & V4);
	if (s->l3 == FX_IPV6 && offers_l3(types, n, V6))
		assert_true(l3 & V6);
}

static void
test_packet_types_are_right_or_unknown(void **state)
{
	static const struct fx_spec row[] = {
		{ .payload = 46 },
		{ .vlan = 5, .payload = 46 },
		{ .l3 = FX_IPV4, .payload = 26 },
		{ .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 18 },
		{ .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 6 },
		{ .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 1400 },
		{ .l3 = FX_IPV4, .l4 = FX_UDP, .ip_opts = 4, .payload = 40 },
		{ .l3 = FX_IPV4, .l4 = FX_TCP, .ip_opts = 40, .payload = 40 },
		{ .l3 = FX_IPV4, .l4 = FX_UDP, .fragment = true, .payload = 40 },
		{ .l3 = FX_IPV4, .l4 = FX_UDP, .vlan = 5, .payload = 40 },
		{ .l3 = FX_IPV4, .l4 = FX_UDP, .bad_ip_csum = true, .payload = 40 },
		{ .l3 = FX_IPV6, .payload = 40 },
		{ .l3 = FX_IPV6, .l4 = FX_UDP, .payload = 40 },
		{ .l3 = FX_IPV6, .l4 = FX_TCP, .payload = 40 },
		{ .l3 = FX_IPV6, .l4 = FX_TCP, .vlan = 5, .payload = 40 },
	};
	struct fx_port *p = *state;
	const uint64_t modes[] = { 0, conf_info(p).rx_offload_capa & RTE_ETH_RX_OFFLOAD_SCATTER };
	static struct fx_frame f;
	uint32_t types[256], got[RTE_DIM(row)];
	unsigned int i, mode;
	struct rte_mbuf *m;
	int n;

	for (mode = 0; mode < RTE_DIM(modes); mode++) {
		conf_pool_soil(p->pool);
		conf_start_rx(p, modes[mode]);
		n = rte_eth_dev_get_supported_ptypes(p->id, RTE_PTYPE_ALL_MASK, types,
						     RTE_DIM(types));
		assert_in_range(n, 0, RTE_DIM(types));
		for (i = 0; i < RTE_DIM(row); i++) {
			fx_frame_build(&f, &row[i]);
			m = conf_rx_one(p, &f);
			got[i] = m->packet_type;
			judge_ptype(got[i], &row[i], types, n);
			fx_expect_mbuf(m, &f);
		}
		/* What is offered shows up, on one of these at least. */
		while (n-- > 0) {
			for (i = 0; i < RTE_DIM(row); i++)
				if ((got[i] & RTE_PTYPE_L2_MASK) == types[n] ||
				    (got[i] & RTE_PTYPE_L3_MASK) == types[n] ||
				    (got[i] & RTE_PTYPE_L4_MASK) == types[n])
					break;
			if (i == RTE_DIM(row))
				fail_msg("packet type 0x%x is offered and never shows", types[n]);
		}
		conf_stop(p);
	}
	n = rte_eth_dev_get_supported_ptypes(p->id, RTE_PTYPE_ALL_MASK, NULL, 0);
	conf_proven("Packet type parsing", "types", n > 0);
}

/* --- offload bits -------------------------------------------------------------------- */

static void
test_every_unreported_offload_is_refused(void **state)
{
	struct fx_port *p = *state;
	unsigned int bit;

	for (bit = 0; bit < 64; bit++) {
		uint64_t offload = RTE_BIT64(bit);
		struct rte_eth_conf rx = { .rxmode.offloads = offload };
		struct rte_eth_conf tx = { .txmode.offloads = offload };

		if (offload == RTE_ETH_RX_OFFLOAD_RSS_HASH)
			rx.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
		if (conf_has_rx(p, offload))
			assert_int_equal(rte_eth_dev_configure(p->id, 1, 1, &rx), 0);
		if (conf_has_tx(p, offload))
			assert_int_equal(rte_eth_dev_configure(p->id, 1, 1, &tx), 0);
	}
	fx_start(p, NULL);
	conf_pass(p, 1);
}

static void
test_every_reported_offload_passes_traffic(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	unsigned int bit;

	for (bit = 0; bit < 64; bit++) {
		if (info.rx_offload_capa & RTE_BIT64(bit)) {
			conf_start_rx(p, RTE_BIT64(bit));
			/* A frame with its CRC is another: "rx". */
			if (RTE_BIT64(bit) != RTE_ETH_RX_OFFLOAD_KEEP_CRC)
				conf_pass(p, 3);
			conf_stop(p);
		}
		if (info.tx_offload_capa & RTE_BIT64(bit)) {
			conf_start_tx(p, RTE_BIT64(bit));
			conf_pass(p, 3);
			conf_stop(p);
		}
	}
}

/* Offloads that no test here could judge: what a driver does offer needs a test of its own. */
static void
test_offload_without_a_test_is_not_offered(void **state)
{
	static const struct {
		const char *feature;
		uint64_t rx, tx;
	} row[] = {
		{ "LRO", RTE_ETH_RX_OFFLOAD_TCP_LRO, 0 },
		{ "Buffer split on Rx", RTE_ETH_RX_OFFLOAD_BUFFER_SPLIT, 0 },
		{ "MACsec offload", RTE_ETH_RX_OFFLOAD_MACSEC_STRIP,
		  RTE_ETH_TX_OFFLOAD_MACSEC_INSERT },
		{ "Inline crypto", RTE_ETH_RX_OFFLOAD_SECURITY, RTE_ETH_TX_OFFLOAD_SECURITY },
		{ "Inner L3 checksum", RTE_ETH_RX_OFFLOAD_OUTER_IPV4_CKSUM,
		  RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM },
		{ "Inner L4 checksum", RTE_ETH_RX_OFFLOAD_OUTER_UDP_CKSUM,
		  RTE_ETH_TX_OFFLOAD_OUTER_UDP_CKSUM },
		{ "Lock-free Tx queue", 0, RTE_ETH_TX_OFFLOAD_MT_LOCKFREE },
		{ "Timestamp offload", RTE_ETH_RX_OFFLOAD_TIMESTAMP,
		  RTE_ETH_TX_OFFLOAD_SEND_ON_TIMESTAMP },
	};
	struct fx_port *p = *state;
	unsigned int i;

	for (i = 0; i < RTE_DIM(row); i++) {
		if ((row[i].rx != 0 && conf_has_rx(p, row[i].rx)) ||
		    (row[i].tx != 0 && conf_has_tx(p, row[i].tx)))
			fail_msg("%s is offered, and nothing here proves it", row[i].feature);
		conf_proven(row[i].feature, "offload", false);
	}
}

static const struct CMUnitTest tests[] = {
	CONF_TEST(test_limits_are_consistent),
	CONF_TEST(test_queue_offloads_are_port_offloads),
	CONF_TEST(test_rss_facts_come_together),
	CONF_TEST(test_info_does_not_change_with_state),
	CONF_TEST(test_station_address_is_a_unicast_one),
	CONF_TEST(test_speeds_are_known_ones),
	CONF_TEST(test_supported_ptypes_are_distinct),
	CONF_TEST(test_packet_types_are_right_or_unknown),
	CONF_TEST(test_every_unreported_offload_is_refused),
	CONF_TEST(test_every_reported_offload_passes_traffic),
	CONF_TEST(test_offload_without_a_test_is_not_offered),
};

CONF_MAIN("info", tests)
