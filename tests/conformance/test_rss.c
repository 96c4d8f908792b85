/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* Conformance: receive-side scaling. The hash is worked out here, bit by bit (Toeplitz). */

#include "conf.h"

#define KEY_MAX 64
#define TABLE_MAX 512
#define FLOWS 200

/* Offset of addresses and ports in the frames of flow(). */
#define AT_ADDR 26
#define AT_PORT 34

static uint32_t
toeplitz(const uint8_t *key, const uint8_t *in, uint32_t len)
{
	uint32_t hash = 0;

	for (uint32_t bit = 0; bit < 8 * len; bit++) {
		if ((in[bit / 8] >> (7 - bit % 8) & 1) == 0)
			continue;
		for (uint32_t k = 0; k < 32; k++) {
			uint32_t at = bit + k;

			hash ^= (uint32_t)(key[at / 8] >> (7 - at % 8) & 1) << (31 - k);
		}
	}
	return hash;
}

static void
flow(struct fx_frame *f, uint32_t i, bool tcp)
{
	fx_frame_build(f, &(struct fx_spec){ .l3 = FX_IPV4, .l4 = tcp ? FX_TCP : FX_UDP,
					     .payload = 40 });
	f->data[AT_ADDR + 2] = (uint8_t)(i * 41);
	f->data[AT_ADDR + 7] = (uint8_t)(i * 13);
	f->data[AT_PORT + 1] = (uint8_t)(i * 7);
}

/* All queues that there are; the frame that was injected, and the queue it came by. */
static struct rte_mbuf *
receive(struct fx_port *p, uint16_t queues, uint16_t *queue)
{
	struct rte_mbuf *m;

	for (unsigned int i = 0; i < 8u * queues; i++) {
		*queue = i % queues;
		if (rte_eth_rx_burst(p->id, *queue, &m, 1) == 1)
			return m;
	}
	fail_msg("nothing was received");
	return NULL;
}

static void
start(struct fx_port *p, uint16_t queues, uint64_t types, bool hash)
{
	struct rte_eth_conf conf = {
		.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS,
		.rxmode.offloads = hash ? RTE_ETH_RX_OFFLOAD_RSS_HASH : 0,
		.rx_adv_conf.rss_conf.rss_hf = types,
	};

	assert_int_equal(rte_eth_dev_configure(p->id, queues, 1, &conf), 0);
	for (uint16_t q = 0; q < queues; q++)
		assert_int_equal(rte_eth_rx_queue_setup(p->id, q, 64, SOCKET_ID_ANY, NULL, p->pool),
				 0);
	assert_int_equal(rte_eth_tx_queue_setup(p->id, 0, 64, SOCKET_ID_ANY, NULL), 0);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
}

/* Every flow goes where key and table say, and has its hash with it. */
static void
judge(struct fx_port *p, const struct rte_eth_dev_info *info, uint16_t queues, const uint8_t *key,
      const uint16_t *table, bool has_hash)
{
	bool tcp_ports = (info->flow_type_rss_offloads & RTE_ETH_RSS_NONFRAG_IPV4_TCP) != 0;
	static struct fx_frame f;
	uint16_t queue;

	for (uint32_t i = 0; i < FLOWS; i++) {
		bool tcp = i & 1;
		struct rte_mbuf *m;
		uint32_t hash;

		flow(&f, i, tcp);
		hash = toeplitz(key, f.data + AT_ADDR, tcp && tcp_ports ? 12 : 8);
		fx_inject(p, &f);
		m = receive(p, queues, &queue);
		assert_int_equal(queue, table[hash % info->reta_size]);
		if (has_hash) {
			assert_true(m->ol_flags & RTE_MBUF_F_RX_RSS_HASH);
			assert_int_equal(m->hash.rss, hash);
		}
		fx_expect_mbuf(m, &f);
	}
}

static void
set_table(struct fx_port *p, const struct rte_eth_dev_info *info, uint16_t queues,
	  uint16_t *table, uint16_t step)
{
	struct rte_eth_rss_reta_entry64 reta[TABLE_MAX / 64] = { 0 }, got[TABLE_MAX / 64] = { 0 };

	for (uint16_t i = 0; i < info->reta_size; i++) {
		table[i] = i / step % queues;
		reta[i / 64].mask |= RTE_BIT64(i % 64);
		reta[i / 64].reta[i % 64] = table[i];
		got[i / 64].mask = reta[i / 64].mask;
	}
	assert_int_equal(rte_eth_dev_rss_reta_update(p->id, reta, info->reta_size), 0);
	assert_int_equal(rte_eth_dev_rss_reta_query(p->id, got, info->reta_size), 0);
	for (uint16_t i = 0; i < info->reta_size; i++)
		assert_int_equal(got[i / 64].reta[i % 64], table[i]);
}

static void
test_flows_go_where_key_and_table_say(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	uint64_t types = info.flow_type_rss_offloads &
			 (RTE_ETH_RSS_IPV4 | RTE_ETH_RSS_NONFRAG_IPV4_TCP);
	uint16_t queues = RTE_MIN(info.max_rx_queues, 4), table[TABLE_MAX];
	bool has_hash = conf_has_rx(p, RTE_ETH_RX_OFFLOAD_RSS_HASH);
	uint8_t key[KEY_MAX];
	struct rte_eth_rss_conf rss = { .rss_key = key, .rss_hf = types };

	if (info.flow_type_rss_offloads == 0) {
		assert_false(has_hash);
		return;	/* refusal: "ops" */
	}
	assert_in_range(info.hash_key_size, 16, KEY_MAX);
	assert_in_range(info.reta_size, 1, TABLE_MAX);
	assert_true((types & RTE_ETH_RSS_IPV4) != 0);
	start(p, queues, types, has_hash);
	rss.rss_key_len = info.hash_key_size;
	assert_int_equal(rte_eth_dev_rss_hash_conf_get(p->id, &rss), 0);
	assert_int_equal(rss.rss_hf, types);
	set_table(p, &info, queues, table, 1);
	judge(p, &info, queues, key, table, has_hash);
	set_table(p, &info, queues, table, 8);
	judge(p, &info, queues, key, table, has_hash);
	conf_proven("RSS reta update", "table", true);

	for (unsigned int i = 0; i < info.hash_key_size; i++)
		key[i] = (uint8_t)(i * 89 + 3);
	rss.rss_key_len = info.hash_key_size;
	assert_int_equal(rte_eth_dev_rss_hash_update(p->id, &rss), 0);
	judge(p, &info, queues, key, table, has_hash);
	conf_proven("RSS key update", "key", true);
	conf_proven("RSS hash", "flows", true);

	/* A key of another length, and types that are not offered, are refused. */
	rss.rss_key_len = 12;
	assert_int_not_equal(rte_eth_dev_rss_hash_update(p->id, &rss), 0);
	rss.rss_key_len = info.hash_key_size;
	rss.rss_hf = ~info.flow_type_rss_offloads & RTE_ETH_RSS_PROTO_MASK;
	assert_int_not_equal(rte_eth_dev_rss_hash_update(p->id, &rss), 0);
	judge(p, &info, queues, key, table, has_hash);
}

/* --- Microsoft's vectors -------------------------------------------------------------- */

/* "Verifying the RSS Hash Calculation": the key, and what goes in and comes out. */
static const uint8_t ms_key[] = {
	0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3,
	0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3,
	0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
};
static const struct {
	bool v6;
	uint8_t src[16], dst[16];
	uint16_t src_port, dst_port;
	uint32_t ip, tcp;
} vectors[] = {
	{ false, { 66, 9, 149, 187 }, { 161, 142, 100, 80 }, 2794, 1766, 0x323e8fc2, 0x51ccc178 },
	{ false, { 199, 92, 111, 2 }, { 65, 69, 140, 83 }, 14230, 4739, 0xd718262a, 0xc626b0ea },
	{ false, { 24, 19, 198, 95 }, { 12, 22, 207, 184 }, 12898, 38024, 0xd2d0a5de, 0x5c2b394a },
	{ false, { 38, 27, 205, 30 }, { 209, 142, 163, 6 }, 48228, 2217, 0x82989176, 0xafc7327f },
	{ false, { 153, 39, 163, 191 }, { 202, 188, 127, 2 }, 44251, 1303, 0x5d1809c5, 0x10e828a2 },
	{ true, { 0x3f, 0xfe, 0x25, 0x01, 0x02, 0x00, 0x1f, 0xff, [15] = 7 },
	  { 0x3f, 0xfe, 0x25, 0x01, 0x02, 0x00, 0x00, 0x03, [15] = 1 }, 2794, 1766, 0x2cc18cd5,
	  0x40207d3d },
	{ true, { 0x3f, 0xfe, 0x05, 0x01, 0x00, 0x08, 0, 0, 0x02, 0x60, 0x97, 0xff, 0xfe, 0x40,
		  0xef, 0xab }, { 0xff, 0x02, [15] = 1 }, 14230, 4739, 0x0f0c461c, 0xdde51bbf },
	{ true, { 0x3f, 0xfe, 0x19, 0x00, 0x45, 0x45, 0x00, 0x03, 0x02, 0x00, 0xf8, 0xff, 0xfe,
		  0x21, 0x67, 0xcf },
	  { 0xfe, 0x80, [8] = 0x02, 0x00, 0xf8, 0xff, 0xfe, 0x21, 0x67, 0xcf }, 44251, 38024,
	  0x4b61e985, 0x02d1feef },
};

static void
put_port(uint8_t *at, uint16_t port)
{
	at[0] = port >> 8;
	at[1] = (uint8_t)port;
}

static void
vector_frame(struct fx_frame *f, unsigned int i, enum fx_l4 l4)
{
	struct fx_spec spec = { .l3 = vectors[i].v6 ? FX_IPV6 : FX_IPV4, .l4 = l4, .payload = 30 };
	struct fx_lens l = fx_frame_lens(&spec);
	uint32_t len = vectors[i].v6 ? 16 : 4;

	fx_frame_build(f, &spec);
	memcpy(f->data + l.l2 + l.l3 - 2 * len, vectors[i].src, len);
	memcpy(f->data + l.l2 + l.l3 - len, vectors[i].dst, len);
	put_port(f->data + l.l2 + l.l3, vectors[i].src_port);
	put_port(f->data + l.l2 + l.l3 + 2, vectors[i].dst_port);
}

/* What is to judge others is judged first. */
static void
test_the_judge_knows_microsofts_vectors(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(vectors); i++) {
		uint32_t len = vectors[i].v6 ? 16 : 4;
		uint8_t in[36];

		memcpy(in, vectors[i].src, len);
		memcpy(in + len, vectors[i].dst, len);
		put_port(in + 2 * len, vectors[i].src_port);
		put_port(in + 2 * len + 2, vectors[i].dst_port);
		assert_int_equal(toeplitz(ms_key, in, 2 * len), vectors[i].ip);
		assert_int_equal(toeplitz(ms_key, in, 2 * len + 4), vectors[i].tcp);
	}
}

static void
expect_vector(struct fx_port *p, const struct rte_eth_dev_info *info, unsigned int i, bool tcp)
{
	uint64_t ip_type = vectors[i].v6 ? RTE_ETH_RSS_IPV6 : RTE_ETH_RSS_IPV4;
	uint64_t tcp_type = vectors[i].v6 ? RTE_ETH_RSS_NONFRAG_IPV6_TCP :
					    RTE_ETH_RSS_NONFRAG_IPV4_TCP;
	bool by_ports = tcp && (info->flow_type_rss_offloads & tcp_type) != 0;
	static struct fx_frame f;
	struct rte_mbuf *m;
	uint16_t queue;

	if (!by_ports && (info->flow_type_rss_offloads & ip_type) == 0)
		return;
	vector_frame(&f, i, tcp ? FX_TCP : FX_UDP);
	fx_inject(p, &f);
	m = receive(p, info->max_rx_queues, &queue);
	assert_true(m->ol_flags & RTE_MBUF_F_RX_RSS_HASH);
	assert_int_equal(m->hash.rss, by_ports ? vectors[i].tcp : vectors[i].ip);
	fx_expect_mbuf(m, &f);
}

static void
test_hashes_are_those_that_microsoft_publishes(void **state)
{
	const uint64_t types = RTE_ETH_RSS_IPV4 | RTE_ETH_RSS_NONFRAG_IPV4_TCP | RTE_ETH_RSS_IPV6 |
			       RTE_ETH_RSS_NONFRAG_IPV6_TCP;
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	uint8_t key[sizeof(ms_key)];
	struct rte_eth_rss_conf rss = { .rss_key = key, .rss_key_len = sizeof(key) };
	unsigned int i;

	if (!conf_has_rx(p, RTE_ETH_RX_OFFLOAD_RSS_HASH))
		return;
	assert_int_equal(info.hash_key_size, sizeof(ms_key));
	memcpy(key, ms_key, sizeof(key));
	rss.rss_hf = types & info.flow_type_rss_offloads;
	start(p, info.max_rx_queues, rss.rss_hf, true);
	assert_int_equal(rte_eth_dev_rss_hash_update(p->id, &rss), 0);
	memset(key, 0, sizeof(key));
	assert_int_equal(rte_eth_dev_rss_hash_conf_get(p->id, &rss), 0);
	assert_memory_equal(key, ms_key, sizeof(key));
	for (i = 0; i < 2 * RTE_DIM(vectors); i++)
		expect_vector(p, &info, i / 2, i & 1);
	/* The key is the port's, not the run's. */
	conf_stop(p);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	for (i = 0; i < 2 * RTE_DIM(vectors); i++)
		expect_vector(p, &info, i / 2, i & 1);
	conf_proven("RSS hash", "hash in the mbuf", true);
}

/* --- what goes where -------------------------------------------------------------------- */

static void
count_flows(struct fx_port *p, uint16_t queues, uint32_t *count)
{
	static struct fx_frame f;
	uint16_t queue;

	memset(count, 0, queues * sizeof(count[0]));
	for (uint32_t i = 0; i < FLOWS; i++) {
		flow(&f, i, i & 1);
		fx_inject(p, &f);
		fx_expect_mbuf(receive(p, queues, &queue), &f);
		count[queue]++;
	}
}

static void
test_table_takes_all_flows_to_one_queue_or_spreads_them(void **state)
{
	struct rte_eth_rss_reta_entry64 reta[TABLE_MAX / 64];
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	uint16_t queues = info.max_rx_queues, table[TABLE_MAX], q, i;
	uint32_t count[64];

	if (info.reta_size == 0)
		return;
	assert_in_range(queues, 2, RTE_DIM(count));
	start(p, queues, info.flow_type_rss_offloads & RTE_ETH_RSS_IPV4, false);
	/* As it comes: every queue has about its share, here half of it at least. */
	count_flows(p, queues, count);
	for (q = 0; q < queues; q++)
		assert_in_range(count[q], FLOWS / queues / 2, FLOWS);
	for (q = 0; q < queues; q++) {
		for (i = 0; i < info.reta_size; i++) {
			reta[i / 64].mask = UINT64_MAX;
			reta[i / 64].reta[i % 64] = q;
		}
		assert_int_equal(rte_eth_dev_rss_reta_update(p->id, reta, info.reta_size), 0);
		count_flows(p, queues, count);
		assert_int_equal(count[q], FLOWS);
		/* Over stop and start. */
		conf_stop(p);
		assert_int_equal(rte_eth_dev_start(p->id), 0);
		count_flows(p, queues, count);
		assert_int_equal(count[q], FLOWS);
	}
	set_table(p, &info, queues, table, 1);
	/* A masked entry stays; a queue that is not there, or another size, is refused. */
	memset(reta, 0, sizeof(reta));
	reta[0].mask = RTE_BIT64(1);
	reta[0].reta[0] = reta[0].reta[1] = queues - 1;
	assert_int_equal(rte_eth_dev_rss_reta_update(p->id, reta, info.reta_size), 0);
	table[1] = queues - 1;
	reta[0].reta[1] = queues;
	assert_int_not_equal(rte_eth_dev_rss_reta_update(p->id, reta, info.reta_size), 0);
	assert_int_not_equal(rte_eth_dev_rss_reta_update(p->id, reta, info.reta_size / 2), 0);
	for (i = 0; i < info.reta_size; i++)
		reta[i / 64].mask = UINT64_MAX;
	assert_int_equal(rte_eth_dev_rss_reta_query(p->id, reta, info.reta_size), 0);
	for (i = 0; i < info.reta_size; i++)
		assert_int_equal(reta[i / 64].reta[i % 64], table[i]);
}

static void
test_frames_without_addresses_have_no_hash(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	static struct fx_frame f;
	struct rte_mbuf *m;
	uint16_t queue;
	uint8_t i;

	if (!conf_has_rx(p, RTE_ETH_RX_OFFLOAD_RSS_HASH))
		return;
	start(p, info.max_rx_queues, info.flow_type_rss_offloads, true);
	for (i = 0; i < 20; i++) {
		fx_frame_build(&f, &(struct fx_spec){ .payload = 50, .seed = i });
		fx_inject(p, &f);
		m = receive(p, info.max_rx_queues, &queue);
		assert_int_equal(m->ol_flags & RTE_MBUF_F_RX_RSS_HASH, 0);
		assert_int_equal(queue, 0);
		fx_expect_mbuf(m, &f);
	}
}

/* Types are taken off and put on again while traffic goes on. */
static void
test_hash_types_are_switched_in_flight(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	struct rte_eth_rss_conf rss = { .rss_hf = RTE_ETH_RSS_IPV4 };
	static struct fx_frame f;
	struct rte_mbuf *m;
	unsigned int i;
	uint16_t queue;

	if (!conf_has_rx(p, RTE_ETH_RX_OFFLOAD_RSS_HASH))
		return;
	start(p, info.max_rx_queues, info.flow_type_rss_offloads & RTE_ETH_RSS_IPV4, true);
	for (i = 0; i < 6; i++) {
		rss.rss_hf = i & 1 ? RTE_ETH_RSS_IPV4 : 0;
		assert_int_equal(rte_eth_dev_rss_hash_update(p->id, &rss), 0);
		flow(&f, i, false);
		fx_inject(p, &f);
		m = receive(p, info.max_rx_queues, &queue);
		assert_int_equal((m->ol_flags & RTE_MBUF_F_RX_RSS_HASH) != 0, i & 1);
		fx_expect_mbuf(m, &f);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_the_judge_knows_microsofts_vectors),
	CONF_TEST(test_flows_go_where_key_and_table_say),
	CONF_TEST(test_hashes_are_those_that_microsoft_publishes),
	CONF_TEST(test_table_takes_all_flows_to_one_queue_or_spreads_them),
	CONF_TEST(test_frames_without_addresses_have_no_hash),
	CONF_TEST(test_hash_types_are_switched_in_flight),
};

CONF_MAIN("rss", tests)
