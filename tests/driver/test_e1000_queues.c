/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * e1000 with two queues each way, on the models of 82572EI and 82574L: receive-side scaling,
 * packet types, queues that start and stop by themselves. Hashes are those that Microsoft
 * publishes ("Verifying the RSS hash calculation") for the key that the driver starts with.
 */

#include "fixture.h"

#include "../../drivers/net/e1000/e1000.h"

#define QUEUES 2
#define MULTI_SEGS RTE_ETH_TX_OFFLOAD_MULTI_SEGS
#define TX_UDP (MULTI_SEGS | RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM)
#define RSS_ALL (RTE_ETH_RSS_IPV4 | RTE_ETH_RSS_NONFRAG_IPV4_TCP | RTE_ETH_RSS_IPV6 | \
		 RTE_ETH_RSS_NONFRAG_IPV6_TCP | RTE_ETH_RSS_IPV6_EX | RTE_ETH_RSS_IPV6_TCP_EX)

/* Extension headers hang what came before the 82574 (§7): it is not told to look at them. */
#define RSS_EX (RTE_ETH_RSS_IPV6_EX | RTE_ETH_RSS_IPV6_TCP_EX)

static struct rte_eth_conf rss_conf = {
	.rxmode = { .mq_mode = RTE_ETH_MQ_RX_RSS, .offloads = RTE_ETH_RX_OFFLOAD_RSS_HASH },
	.rx_adv_conf.rss_conf.rss_hf = RSS_ALL,
};

static void
configure(struct fx_port *p, const struct rte_eth_conf *conf, bool deferred)
{
	struct rte_eth_rxconf rx = { .rx_deferred_start = deferred };
	struct rte_eth_txconf tx = { .tx_deferred_start = deferred };

	assert_int_equal(rte_eth_dev_configure(p->id, QUEUES, QUEUES, conf), 0);
	for (uint16_t q = 0; q < QUEUES; q++) {
		/* Only the second one is deferred. */
		assert_int_equal(rte_eth_rx_queue_setup(p->id, q, 64, SOCKET_ID_ANY,
							q == 0 ? NULL : &rx, p->pool), 0);
		assert_int_equal(rte_eth_tx_queue_setup(p->id, q, 64, SOCKET_ID_ANY,
							q == 0 ? NULL : &tx), 0);
	}
}

static void
start(struct fx_port *p, const struct rte_eth_conf *conf)
{
	configure(p, conf, false);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
}

/* The one frame that arrived, and in which queue; NULL: none in any. */
static struct rte_mbuf *
receive(struct fx_port *p, uint16_t *queue)
{
	struct rte_mbuf *m;

	for (unsigned int i = 0; i < 4 * QUEUES; i++) {
		*queue = i % QUEUES;
		if (rte_eth_rx_burst(p->id, *queue, &m, 1) == 1)
			return m;
	}
	return NULL;
}

/* --- RSS ----------------------------------------------------------------------------------- */

static const struct {
	bool v6;
	uint8_t dst[16], src[16];
	uint16_t dst_port, src_port;
	uint32_t ip, tcp;	/* hashes */
} vectors[] = {
	{ false, { 161, 142, 100, 80 }, { 66, 9, 149, 187 }, 1766, 2794, 0x323e8fc2, 0x51ccc178 },
	{ false, { 65, 69, 140, 83 }, { 199, 92, 111, 2 }, 4739, 14230, 0xd718262a, 0xc626b0ea },
	{ false, { 12, 22, 207, 184 }, { 24, 19, 198, 95 }, 38024, 12898, 0xd2d0a5de, 0x5c2b394a },
	{ false, { 209, 142, 163, 6 }, { 38, 27, 205, 30 }, 2217, 48228, 0x82989176, 0xafc7327f },
	{ false, { 202, 188, 127, 2 }, { 153, 39, 163, 191 }, 1303, 44251, 0x5d1809c5, 0x10e828a2 },
	{ true, { 0x3f, 0xfe, 0x25, 0x01, 0x02, 0x00, 0x00, 0x03, [15] = 1 },
	  { 0x3f, 0xfe, 0x25, 0x01, 0x02, 0x00, 0x1f, 0xff, [15] = 7 },
	  1766, 2794, 0x2cc18cd5, 0x40207d3d },
	{ true, { 0xff, 0x02, [15] = 1 },
	  { 0x3f, 0xfe, 0x05, 0x01, 0x00, 0x08, 0, 0, 0x02, 0x60, 0x97, 0xff, 0xfe, 0x40, 0xef,
	    0xab }, 4739, 14230, 0x0f0c461c, 0xdde51bbf },
	{ true, { 0xfe, 0x80, [8] = 0x02, 0x00, 0xf8, 0xff, 0xfe, 0x21, 0x67, 0xcf },
	  { 0x3f, 0xfe, 0x19, 0x00, 0x45, 0x45, 0x00, 0x03, 0x02, 0x00, 0xf8, 0xff, 0xfe, 0x21,
	    0x67, 0xcf }, 38024, 44251, 0x4b61e985, 0x02d1feef },
};

static void
vector_frame(struct fx_frame *f, unsigned int i, bool tcp)
{
	struct fx_spec spec = { .l3 = vectors[i].v6 ? FX_IPV6 : FX_IPV4,
				.l4 = tcp ? FX_TCP : FX_UDP, .payload = 30 };
	struct fx_lens l = fx_frame_lens(&spec);
	uint32_t len = vectors[i].v6 ? 16 : 4, at = l.l2 + (vectors[i].v6 ? 8 : 12);
	uint8_t *ports = f->data + l.l2 + l.l3;

	fx_frame_build(f, &spec);
	memcpy(f->data + at, vectors[i].src, len);
	memcpy(f->data + at + len, vectors[i].dst, len);
	ports[0] = vectors[i].src_port >> 8;
	ports[1] = (uint8_t)vectors[i].src_port;
	ports[2] = vectors[i].dst_port >> 8;
	ports[3] = (uint8_t)vectors[i].dst_port;
}

/* The hash is in the mbuf, and its low seven bits in the table say the queue. */
static void
test_hash_is_microsofts_and_picks_the_queue(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;

	start(p, &rss_conf);
	for (unsigned int i = 0; i < 2 * RTE_DIM(vectors); i++) {
		bool tcp = i & 1;
		uint32_t hash = tcp ? vectors[i / 2].tcp : vectors[i / 2].ip;
		struct rte_mbuf *m;
		uint16_t queue;

		vector_frame(&f, i / 2, tcp);
		fx_inject(p, &f);
		m = receive(p, &queue);
		assert_non_null(m);
		assert_true(m->ol_flags & RTE_MBUF_F_RX_RSS_HASH);
		assert_int_equal(m->hash.rss, hash);
		/* The table starts as 0, 1, 0, 1. */
		assert_int_equal(queue, hash & 1);
		fx_expect_mbuf(m, &f);
	}
}

static void
test_what_is_not_hashed_goes_to_queue_0(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;
	uint16_t queue;

	start(p, &rss_conf);
	fx_frame_build(&f, &(struct fx_spec){ .payload = 100 });
	for (unsigned int i = 0; i < 8; i++) {
		f.data[20] = i;
		fx_inject(p, &f);
		m = receive(p, &queue);
		assert_non_null(m);
		assert_int_equal(queue, 0);
		assert_int_equal(m->ol_flags & RTE_MBUF_F_RX_RSS_HASH, 0);
		fx_expect_mbuf(m, &f);
	}
}

static void
test_hash_types_follow_the_configuration(void **state)
{
	struct rte_eth_rss_conf conf = { .rss_hf = RTE_ETH_RSS_IPV4 };
	uint8_t key[E1000_RSS_KEY_LEN];
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;
	uint16_t queue;

	start(p, &rss_conf);
	/* TCP hashed by addresses only. */
	assert_int_equal(rte_eth_dev_rss_hash_update(p->id, &conf), 0);
	vector_frame(&f, 0, true);
	fx_inject(p, &f);
	m = receive(p, &queue);
	assert_int_equal(m->hash.rss, vectors[0].ip);
	fx_expect_mbuf(m, &f);
	conf = (struct rte_eth_rss_conf){ .rss_key = key, .rss_key_len = sizeof(key) };
	assert_int_equal(rte_eth_dev_rss_hash_conf_get(p->id, &conf), 0);
	assert_int_equal(conf.rss_hf, RTE_ETH_RSS_IPV4);
	assert_int_equal(key[0], 0x6d);
	assert_int_equal(key[39], 0xfa);
	/* Off. */
	conf = (struct rte_eth_rss_conf){ .rss_hf = 0 };
	assert_int_equal(rte_eth_dev_rss_hash_update(p->id, &conf), 0);
	fx_inject(p, &f);
	m = receive(p, &queue);
	assert_int_equal(m->ol_flags & RTE_MBUF_F_RX_RSS_HASH, 0);
	fx_expect_mbuf(m, &f);
	conf.rss_hf = RTE_ETH_RSS_NONFRAG_IPV4_UDP;
	assert_int_equal(rte_eth_dev_rss_hash_update(p->id, &conf), -EINVAL);
}

/* With an all-zero key all hashes are 0; with a key of ones in front they are the source. */
static void
test_key_is_used_and_survives_a_restart(void **state)
{
	uint8_t key[E1000_RSS_KEY_LEN] = { 0 };
	struct rte_eth_rss_conf conf = { .rss_key = key, .rss_key_len = sizeof(key),
					 .rss_hf = RTE_ETH_RSS_IPV4 };
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;
	uint16_t queue;

	start(p, &rss_conf);
	assert_int_equal(rte_eth_dev_rss_hash_update(p->id, &conf), 0);
	vector_frame(&f, 0, false);
	for (unsigned int i = 0; i < 2; i++) {
		fx_inject(p, &f);
		m = receive(p, &queue);
		assert_true(m->ol_flags & RTE_MBUF_F_RX_RSS_HASH);
		assert_int_equal(m->hash.rss, 0);
		fx_expect_mbuf(m, &f);
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
		assert_int_equal(rte_eth_dev_start(p->id), 0);
	}
	conf.rss_key_len = 52;
	log_capture_start();
	assert_int_not_equal(rte_eth_dev_rss_hash_update(p->id, &conf), 0);
	log_capture_expect("an RSS key of 52 bytes: this card's has 40");
}

static void
test_table_can_be_changed_and_read(void **state)
{
	struct rte_eth_rss_reta_entry64 reta[2] = {
		{ .mask = UINT64_MAX }, { .mask = UINT64_MAX } };
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;
	uint16_t queue;

	start(p, &rss_conf);
	assert_int_equal(rte_eth_dev_rss_reta_query(p->id, reta, 128), 0);
	for (unsigned int i = 0; i < 128; i++)
		assert_int_equal(reta[i / 64].reta[i % 64], i % 2);
	/* Turn one entry round: the one of the first vector. */
	memset(reta, 0, sizeof(reta));
	reta[(vectors[0].ip & 127) / 64].mask = RTE_BIT64(vectors[0].ip & 63);
	reta[(vectors[0].ip & 127) / 64].reta[vectors[0].ip & 63] = 1 - (vectors[0].ip & 1);
	assert_int_equal(rte_eth_dev_rss_reta_update(p->id, reta, 128), 0);
	for (unsigned int i = 0; i < RTE_DIM(vectors); i++) {
		vector_frame(&f, i, false);
		fx_inject(p, &f);
		m = receive(p, &queue);
		assert_int_equal(queue, (vectors[i].ip & 1) ^ (i == 0));
		fx_expect_mbuf(m, &f);
	}
	assert_int_equal(rte_eth_dev_rss_reta_update(p->id, reta, 64), -EINVAL);
}

static void
test_without_rss_all_goes_to_queue_0(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;
	uint16_t queue;

	start(p, &(struct rte_eth_conf){ 0 });
	for (unsigned int i = 0; i < RTE_DIM(vectors); i++) {
		vector_frame(&f, i, true);
		fx_inject(p, &f);
		m = receive(p, &queue);
		assert_int_equal(queue, 0);
		assert_int_equal(m->ol_flags & RTE_MBUF_F_RX_RSS_HASH, 0);
		fx_expect_mbuf(m, &f);
	}
}

/* --- both queues --------------------------------------------------------------------------- */

/* Rings of both run round many times, each with its own traffic. */
static void
test_both_queues_carry_traffic(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	uint32_t seen[QUEUES] = { 0 };

	start(p, &rss_conf);
	for (unsigned int i = 0; i < 600; i++) {
		struct rte_mbuf *m;
		uint16_t queue;

		fx_frame_build(&f, &(struct fx_spec){ .l3 = FX_IPV4, .l4 = FX_UDP,
						      .payload = i % 1400 });
		f.data[29] = (uint8_t)(i * 31);
		fx_inject(p, &f);
		m = receive(p, &queue);
		assert_non_null(m);
		seen[queue]++;
		/* Back by the same queue. */
		m->ol_flags = 0;
		assert_int_equal(rte_eth_tx_burst(p->id, queue, &m, 1), 1);
		fx_expect_sent(p, &f);
	}
	assert_in_range(seen[0], 200, 400);
	assert_int_equal(seen[0] + seen[1], 600);
}

/* §1.2: one context for both queues; none may send with what the other told the chip. */
static void
test_contexts_of_two_queues_do_not_mix(void **state)
{
	static const struct fx_spec spec[QUEUES] = {
		{ .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100 },
		{ .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100, .ip_opts = 20, .vlan = 9 },
	};
	struct fx_port *p = *state;
	static struct fx_frame f;

	start(p, &(struct rte_eth_conf){ .txmode.offloads = TX_UDP });
	for (unsigned int i = 0; i < 20; i++) {
		for (uint16_t q = 0; q < QUEUES; q++) {
			struct fx_lens l = fx_frame_lens(&spec[q]);
			struct rte_mbuf *m;

			fx_frame_build(&f, &spec[q]);
			m = fx_mbuf(p->pool, &f, 0);
			m->l2_len = l.l2;
			m->l3_len = l.l3;
			m->ol_flags = RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM |
				      RTE_MBUF_F_TX_UDP_CKSUM;
			assert_int_equal(rte_eth_tx_prepare(p->id, q, &m, 1), 1);
			assert_int_equal(rte_eth_tx_burst(p->id, q, &m, 1), 1);
			fx_expect_sent(p, &f);
		}
	}
}

/* The chip has one buffer size for both: the smaller pool's. */
static void
test_pools_of_two_sizes_share_the_smaller(void **state)
{
	struct rte_mempool *small = rte_pktmbuf_pool_create("qsmall", 255, 0, 0,
		RTE_PKTMBUF_HEADROOM + 512, SOCKET_ID_ANY);
	struct rte_eth_conf conf = rss_conf;
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_eth_rxq_info info;

	conf.rxmode.offloads |= RTE_ETH_RX_OFFLOAD_SCATTER;
	assert_non_null(small);
	configure(p, &conf, false);
	assert_int_equal(rte_eth_rx_queue_setup(p->id, 1, 64, SOCKET_ID_ANY, NULL, small), 0);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	assert_int_equal(rte_eth_rx_queue_info_get(p->id, 0, &info), 0);
	assert_int_equal(info.rx_buf_size, 512);
	for (unsigned int i = 0; i < 100; i++) {
		struct rte_mbuf *m;
		uint16_t queue;

		fx_frame_build(&f, &(struct fx_spec){ .l3 = FX_IPV4, .l4 = FX_UDP,
						      .payload = 1000 });
		f.data[29] = (uint8_t)(i * 31);
		fx_inject(p, &f);
		m = receive(p, &queue);
		assert_non_null(m);
		assert_int_equal(m->nb_segs, 3);
		/* Of a frame in pieces the hash is in the first. */
		assert_true(m->ol_flags & RTE_MBUF_F_RX_RSS_HASH);
		assert_int_equal(m->hash.rss & 1, queue);
		fx_expect_mbuf(m, &f);
	}
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	assert_int_equal(rte_mempool_in_use_count(small), 0);
	rte_mempool_free(small);
}

/* --- packet types -------------------------------------------------------------------------- */

static void
test_packet_types_are_told(void **state)
{
	static const struct {
		struct fx_spec spec;
		uint32_t ptype;
	} t[] = {
		{ { .payload = 60 }, RTE_PTYPE_L2_ETHER },
		{ { .l3 = FX_IPV4, .payload = 60 },
		  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4_EXT_UNKNOWN },
		{ { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 60 },
		  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4_EXT_UNKNOWN },
		{ { .l3 = FX_IPV6, .payload = 60 },
		  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV6_EXT_UNKNOWN },
		{ { .l3 = FX_IPV6, .l4 = FX_TCP, .payload = 60 },
		  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV6_EXT_UNKNOWN },
	};
	struct fx_port *p = *state;
	static struct fx_frame f;
	uint32_t ptypes[8];

	assert_int_equal(rte_eth_dev_get_supported_ptypes(p->id, RTE_PTYPE_ALL_MASK, ptypes,
							  RTE_DIM(ptypes)), 3);
	/* On the plain path and on the full one. */
	for (unsigned int round = 0; round < 2; round++) {
		start(p, round ? &rss_conf : &(struct rte_eth_conf){ 0 });
		for (unsigned int i = 0; i < RTE_DIM(t); i++) {
			struct rte_mbuf *m;
			uint16_t queue;

			fx_frame_build(&f, &t[i].spec);
			fx_inject(p, &f);
			m = receive(p, &queue);
			assert_non_null(m);
			assert_int_equal(m->packet_type, t[i].ptype);
			fx_expect_mbuf(m, &f);
		}
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
	}
}

/* §7: 82571 to 82573 must not look at extension headers. This one outgrows its packet. */
static void
test_a_broken_ipv6_header_does_not_hang_the_receiver(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;
	uint16_t queue;

	start(p, &rss_conf);
	fx_frame_build(&f, &(struct fx_spec){ .l3 = FX_IPV6, .payload = 60 });
	f.data[14 + 6] = 0;		/* hop-by-hop options */
	f.data[14 + 40 + 1] = 200;	/* of 1608 bytes */
	for (unsigned int i = 0; i < 2; i++) {
		fx_inject(p, &f);
		m = receive(p, &queue);
		assert_non_null(m);
		fx_expect_mbuf(m, &f);
	}
}

/* --- start and stop of one queue ----------------------------------------------------------- */

/* A frame of whose hash bit 0 is `queue`. */
static void
frame_for(struct fx_frame *f, uint16_t queue)
{
	vector_frame(f, queue == 0 ? 0 : 4, false);
	assert_int_equal(vectors[queue == 0 ? 0 : 4].ip & 1, queue);
}

static void
passes(struct fx_port *p, uint16_t queue)
{
	static struct fx_frame f;
	struct rte_mbuf *m;
	uint16_t got;

	frame_for(&f, queue);
	for (unsigned int i = 0; i < 100; i++) {
		fx_inject(p, &f);
		m = receive(p, &got);
		assert_non_null(m);
		assert_int_equal(got, queue);
		assert_int_equal(rte_eth_tx_burst(p->id, queue, &m, 1), 1);
		fx_expect_sent(p, &f);
	}
}

static void
test_deferred_queues_start_when_told(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_rxq_info rx;
	struct rte_eth_txq_info tx;

	configure(p, &rss_conf, true);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	assert_int_equal(rte_eth_rx_queue_info_get(p->id, 1, &rx), 0);
	assert_int_equal(rte_eth_tx_queue_info_get(p->id, 1, &tx), 0);
	assert_int_equal(rx.queue_state, RTE_ETH_QUEUE_STATE_STOPPED);
	assert_int_equal(tx.queue_state, RTE_ETH_QUEUE_STATE_STOPPED);
	passes(p, 0);
	/* A ring of 64 each way, of which Tx is never full. */
	assert_in_range(rte_mempool_in_use_count(p->pool), 64, 127);
	assert_int_equal(rte_eth_dev_rx_queue_start(p->id, 1), 0);
	assert_int_equal(rte_eth_dev_tx_queue_start(p->id, 1), 0);
	assert_int_equal(rte_eth_rx_queue_info_get(p->id, 1, &rx), 0);
	assert_int_equal(rx.queue_state, RTE_ETH_QUEUE_STATE_STARTED);
	passes(p, 1);
	passes(p, 0);
}

static void
test_a_queue_stops_and_starts_again(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;
	uint16_t queue;
	uint32_t used;

	start(p, &rss_conf);
	for (unsigned int round = 0; round < 3; round++) {
		passes(p, 0);
		passes(p, 1);
		used = rte_mempool_in_use_count(p->pool);
		assert_int_equal(rte_eth_dev_rx_queue_stop(p->id, 1), 0);
		assert_int_equal(rte_eth_dev_tx_queue_stop(p->id, 1), 0);
		/* Its buffers are back, those of the other are not. */
		assert_true(rte_mempool_in_use_count(p->pool) <= used - 64);
		assert_true(rte_mempool_in_use_count(p->pool) >= 64);
		passes(p, 0);
		assert_int_equal(rte_eth_dev_rx_queue_start(p->id, 1), 0);
		assert_int_equal(rte_eth_dev_tx_queue_start(p->id, 1), 0);
	}
	passes(p, 1);
	/* What was meant for it while it stood waits in the card, as it would for buffers. */
	assert_int_equal(rte_eth_dev_rx_queue_stop(p->id, 1), 0);
	frame_for(&f, 1);
	fx_inject(p, &f);
	assert_null(receive(p, &queue));
	assert_int_equal(rte_eth_dev_rx_queue_start(p->id, 1), 0);
	m = receive(p, &queue);
	assert_non_null(m);
	assert_int_equal(queue, 1);
	fx_expect_mbuf(m, &f);
}

/* A chip that sends nothing must not keep the packets. */
static void
test_a_hanging_tx_queue_gives_its_packets_back(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;
	uint32_t used;

	start(p, &rss_conf);
	used = rte_mempool_in_use_count(p->pool);
	frame_for(&f, 1);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_TX_HANG, 1), 0);
	for (unsigned int i = 0; i < 50; i++) {
		m = fx_mbuf(p->pool, &f, 0);
		assert_int_equal(rte_eth_tx_burst(p->id, 1, &m, 1), 1);
	}
	assert_int_equal(rte_eth_dev_tx_queue_stop(p->id, 1), 0);
	assert_int_equal(rte_mempool_in_use_count(p->pool), used);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_TX_HANG, 0), 0);
	assert_int_equal(rte_eth_dev_tx_queue_start(p->id, 1), 0);
	fx_expect_silence(p);
	passes(p, 1);
	passes(p, 0);
}

int
main(int argc, char **argv)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, fx_port_setup, fx_port_teardown)
	const struct CMUnitTest tests[] = {
		T(hash_is_microsofts_and_picks_the_queue),
		T(what_is_not_hashed_goes_to_queue_0),
		T(hash_types_follow_the_configuration),
		T(key_is_used_and_survives_a_restart),
		T(table_can_be_changed_and_read),
		T(without_rss_all_goes_to_queue_0),
		T(both_queues_carry_traffic),
		T(contexts_of_two_queues_do_not_mix),
		T(pools_of_two_sizes_share_the_smaller),
		T(packet_types_are_told),
		T(a_broken_ipv6_header_does_not_hang_the_receiver),
		T(deferred_queues_start_when_told),
		T(a_queue_stops_and_starts_again),
		T(a_hanging_tx_queue_gives_its_packets_back),
	};

	fx_chip = argc > 1 ? argv[1] : "82574l";
	if (strcmp(fx_chip, "82572ei") == 0)
		rss_conf.rx_adv_conf.rss_conf.rss_hf &= ~RSS_EX;
	return cmocka_run_group_tests_name("e1000_queues", tests, fx_setup, fx_teardown);
}
