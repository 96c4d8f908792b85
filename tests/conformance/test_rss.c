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

static const struct CMUnitTest tests[] = {
	CONF_TEST(test_flows_go_where_key_and_table_say),
};

CONF_MAIN("rss", tests)
