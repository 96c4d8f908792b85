/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* Sending: every size, every way to cut a packet up, a full ring, and what must not be sent. */

#include "conf.h"

#define SEGS RTE_ETH_TX_OFFLOAD_MULTI_SEGS
#define FAST_FREE RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE
#define MAX_SEGS 64

static struct rte_mbuf *
copy_of(struct fx_port *p, uint32_t len, uint8_t seed)
{
	static struct fx_frame f;

	conf_frame(&f, len, seed);
	return fx_mbuf(p->pool, &f, 0);
}

static void
test_every_size_goes_out_padded_to_60(void **state)
{
	struct fx_port *p = *state;
	const uint64_t mode[] = { 0, conf_info(p).tx_offload_capa & FAST_FREE,
				  conf_info(p).tx_offload_capa & SEGS };
	static struct fx_frame f;
	unsigned int i;
	uint32_t len;

	for (i = 0; i < RTE_DIM(mode); i++) {
		conf_pool_soil(p->pool);
		conf_start_tx(p, mode[i]);
		for (len = RTE_ETHER_HDR_LEN; len <= RTE_ETHER_MAX_LEN; len++) {
			conf_frame(&f, len, (uint8_t)len);
			conf_sends(p, &f, 0);
		}
		conf_stop(p);
	}
}

static void
test_jumbo_sizes_go_out(void **state)
{
	struct fx_port *p = *state;
	uint16_t mtu = conf_info(p).max_mtu;
	struct rte_mempool *mp, *small = p->pool;
	static struct fx_frame f;
	uint32_t len;

	if (mtu < 2 * RTE_ETHER_MTU)
		return;
	mp = conf_pool(127, mtu + RTE_ETHER_HDR_LEN);
	conf_start_mtu(p, mtu);
	p->pool = mp;
	for (len = mtu + RTE_ETHER_HDR_LEN; len > RTE_ETHER_MAX_LEN; len -= 997) {
		conf_frame(&f, len, (uint8_t)len);
		conf_sends(p, &f, 0);
	}
	conf_stop(p);
	p->pool = small;
	fx_configure(p, NULL);
	conf_pool_free(mp);
}

/* --- segments ------------------------------------------------------------------------ */

static void
test_one_to_64_segments(void **state)
{
	static const uint16_t seg[] = { 1, 2, 3, 17, 24, 300 };
	struct fx_port *p = *state;
	bool has = conf_has_tx(p, SEGS);
	static struct fx_frame f;
	unsigned int i, n;

	if (!has)
		return;
	conf_start_tx(p, SEGS);
	for (i = 0; i < RTE_DIM(seg); i++) {
		for (n = 1; n <= MAX_SEGS; n++) {
			if (n * seg[i] < RTE_ETHER_HDR_LEN || n * seg[i] > RTE_ETHER_MAX_LEN)
				continue;
			conf_frame(&f, n * seg[i], (uint8_t)n);
			conf_sends(p, &f, seg[i]);
		}
	}
}

static void
test_empty_segments_anywhere(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m, *s, *empty;
	unsigned int at, i;

	if (!conf_has_tx(p, SEGS))
		return;
	conf_start_tx(p, SEGS);
	conf_frame(&f, 200, 1);
	for (at = 0; at <= 4; at++) {
		m = fx_mbuf(p->pool, &f, 50);
		empty = rte_pktmbuf_alloc(p->pool);
		assert_non_null(empty);
		if (at == 0) {
			/* rte_pktmbuf_chain() takes the head's length from its parts. */
			assert_int_equal(rte_pktmbuf_chain(empty, m), 0);
			m = empty;
		} else {
			for (s = m, i = 1; i < at; i++)
				s = s->next;
			empty->next = s->next;
			s->next = empty;
			m->nb_segs++;
		}
		fx_tx(p, &m, 1);
		conf_expect_sent(p, &f);
	}
	conf_expect_silence(p);
}

/* Chains are checked by those who did not ask for multi-segment sending, too. */
static void
test_chain_without_the_offload_does_no_harm(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;
	unsigned int i;

	conf_frame(&f, 200, 1);
	fx_start(p, NULL);
	for (i = 0; i < 300; i++) {
		m = fx_mbuf(p->pool, &f, 50);
		if (rte_eth_tx_prepare(p->id, 0, &m, 1) != 1 ||
		    rte_eth_tx_burst(p->id, 0, &m, 1) != 1)
			rte_pktmbuf_free(m);
		conf_drain(p);
	}
	conf_sends(p, &f, 0);
}

/* DPDK's bonding sends one array of shared packets on port after port. */
static void
test_shared_packets_and_their_array_are_left_alone(void **state)
{
	struct fx_port *p = *state;
	const uint64_t mode[] = { 0, conf_info(p).tx_offload_capa & SEGS,
				  conf_info(p).tx_offload_capa & FAST_FREE };
	static struct fx_frame f;
	struct rte_mbuf *m, *s, *array;
	unsigned int i, j, times;

	for (i = 0; i < RTE_DIM(mode); i++) {
		conf_start_tx(p, mode[i]);
		for (j = 0; j < 300; j++) {
			conf_frame(&f, 14 + j, (uint8_t)j);
			m = fx_mbuf(p->pool, &f, mode[i] & SEGS ? 1 + j % 40 * 8 : 0);
			/* Fast free is for packets that nobody shares. */
			times = mode[i] & FAST_FREE ? 1 : 3;
			for (s = m; s != NULL; s = s->next)
				rte_mbuf_refcnt_set(s, times);
			for (; times > 0; times--) {
				array = m;
				fx_tx(p, &array, 1);
				assert_ptr_equal(array, m);
				conf_expect_padded(p, &f);
			}
		}
		conf_stop(p);
	}
}

static void
test_indirect_mbufs_go_out(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m, *clone;
	unsigned int i;

	conf_start_tx(p, conf_info(p).tx_offload_capa & SEGS);
	for (i = 0; i < 600; i++) {
		conf_frame(&f, 14 + i, (uint8_t)i);
		m = fx_mbuf(p->pool, &f, 0);
		clone = rte_pktmbuf_clone(m, p->pool);
		assert_non_null(clone);
		fx_tx(p, &clone, 1);
		conf_expect_padded(p, &f);
		/* Still ours: padding must not have been written into it. */
		assert_int_equal(m->pkt_len, f.len);
		rte_pktmbuf_free(m);
	}
}

static void
test_fast_free_gives_every_mbuf_back(void **state)
{
	struct fx_port *p = *state;
	bool has = conf_has_tx(p, FAST_FREE);

	if (has) {
		conf_start_tx(p, FAST_FREE);
		conf_pass(p, 3000);
		conf_stop(p);
		fx_configure(p, NULL);
		assert_int_equal(rte_mempool_in_use_count(p->pool), 0);
	}
	conf_proven("Fast mbuf free", "free", has);
}

/* --- bursts and the ring -------------------------------------------------------------- */

static void
test_bursts_of_any_size(void **state)
{
	static const uint16_t size[] = { 0, 1, 3, 4, 5, 31, 32, 33, 64, 100, 200 };
	struct fx_port *p = *state;
	static struct rte_mbuf *m[256];
	static struct fx_frame f;
	unsigned int i, j;

	fx_start(p, NULL);
	for (i = 0; i < RTE_DIM(size); i++) {
		for (j = 0; j < size[i]; j++)
			m[j] = copy_of(p, 60 + j, (uint8_t)j);
		fx_tx(p, m, size[i]);
		for (j = 0; j < size[i]; j++) {
			conf_frame(&f, 60 + j, (uint8_t)j);
			conf_expect_sent(p, &f);
		}
		conf_expect_silence(p);
	}
}

/* The transmitter stands still: the ring fills, what did not fit stays ours; then all goes on. */
static void
test_full_ring_takes_no_more_and_recovers(void **state)
{
	struct fx_port *p = *state;
	static struct rte_mbuf *m[FX_NB_DESC + 64];
	static struct fx_frame f;
	unsigned int i, round;
	uint16_t n;

	fx_start(p, NULL);
	for (round = 0; round < 3; round++) {
		for (i = 0; i < RTE_DIM(m); i++)
			m[i] = copy_of(p, 100, (uint8_t)i);
		assert_int_equal(pw_model_fault(p->model, PW_FAULT_TX_HANG, 1), 0);
		n = rte_eth_tx_burst(p->id, 0, m, RTE_DIM(m));
		assert_in_range(n, 1, FX_NB_DESC);
		assert_int_equal(rte_eth_tx_burst(p->id, 0, m + n, RTE_DIM(m) - n), 0);
		assert_int_equal(pw_model_fault(p->model, PW_FAULT_TX_HANG, 0), 0);
		fx_advance(p, 1000);
		fx_tx(p, m + n, RTE_DIM(m) - n);
		for (i = 0; i < RTE_DIM(m); i++) {
			conf_frame(&f, 100, (uint8_t)i);
			conf_expect_sent(p, &f);
		}
		conf_expect_silence(p);
	}
}

static void
test_stop_gives_back_what_was_not_sent(void **state)
{
	struct fx_port *p = *state;
	struct rte_mbuf *m[64];
	unsigned int i;

	fx_start(p, NULL);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_TX_HANG, 1), 0);
	for (i = 0; i < RTE_DIM(m); i++)
		m[i] = copy_of(p, 100, (uint8_t)i);
	fx_tx(p, m, RTE_DIM(m));
	conf_stop(p);
	assert_int_equal(rte_mempool_in_use_count(p->pool), 0);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_TX_HANG, 0), 0);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	fx_advance(p, 1000);
	conf_expect_silence(p);
	conf_pass(p, 10);
}

static void
test_65536_packets_and_more(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m[CONF_BURST];
	unsigned int i, j;

	fx_start(p, &(struct fx_conf){ .nb_txd = 64, .tx.tx_rs_thresh = 8 });
	for (i = 0; i < 66000; i += CONF_BURST) {
		for (j = 0; j < CONF_BURST; j++)
			m[j] = copy_of(p, 64, (uint8_t)(i + j));
		fx_tx(p, m, CONF_BURST);
		for (j = 0; j < CONF_BURST; j++) {
			conf_frame(&f, 64, (uint8_t)(i + j));
			conf_expect_sent(p, &f);
		}
	}
	conf_expect_silence(p);
}

/* Chains of every length against every place in the ring. */
static void
test_chains_across_the_ring_end(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	unsigned int i;

	if (!conf_has_tx(p, SEGS))
		return;
	fx_start(p, &(struct fx_conf){ .nb_txd = 128, .eth.txmode.offloads = SEGS });
	for (i = 0; i < 2000; i++) {
		conf_frame(&f, 60 + i % 40, (uint8_t)i);
		conf_sends(p, &f, 1 + i % 60);
	}
}

/* --- what must not be sent --------------------------------------------------------------- */

static void
test_impossible_packets_do_not_block_the_queue(void **state)
{
	struct fx_port *p = *state;
	struct rte_mempool *mp = conf_pool(63, UINT16_MAX - RTE_PKTMBUF_HEADROOM);
	const uint64_t mode[] = { 0, conf_info(p).tx_offload_capa & SEGS };
	static const uint32_t len[] = { 0, 1, 13, 17000, 32768, 65000 };
	static struct fx_frame f;
	struct rte_mbuf *m;
	unsigned int i, j;

	conf_frame(&f, 100, 1);
	for (i = 0; i < RTE_DIM(mode); i++) {
		conf_start_tx(p, mode[i]);
		for (j = 0; j < RTE_DIM(len); j++) {
			m = rte_pktmbuf_alloc(mp);
			assert_non_null(m);
			if (len[j] > 0)
				memset(rte_pktmbuf_append(m, len[j]), 0, len[j]);
			/* Refused by prepare, or taken and dropped: not sent over-long. */
			if (rte_eth_tx_burst(p->id, 0, &m, 1) == 0)
				rte_pktmbuf_free(m);
			if (len[j] == 0 || len[j] > PW_WIRE_MAX_FRAME)
				conf_expect_silence(p);
			conf_drain(p);
			conf_sends(p, &f, 0);
		}
		conf_stop(p);
	}
	fx_configure(p, NULL);
	conf_pool_free(mp);
}

static void
test_tx_prepare_refuses_empty_and_overlong_packets(void **state)
{
	struct fx_port *p = *state;
	struct rte_mempool *mp = conf_pool(63, UINT16_MAX - RTE_PKTMBUF_HEADROOM);
	static const uint32_t len[] = { 0, 20000, 65000 };
	struct rte_mbuf *m;
	unsigned int i;

	conf_start_tx(p, conf_info(p).tx_offload_capa & SEGS);
	for (i = 0; i < RTE_DIM(len); i++) {
		m = rte_pktmbuf_alloc(mp);
		assert_non_null(m);
		assert_true(len[i] == 0 || rte_pktmbuf_append(m, len[i]) != NULL);
		assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 0);
		rte_pktmbuf_free(m);
	}
	conf_pool_free(mp);
}

static const struct CMUnitTest tests[] = {
	CONF_TEST(test_every_size_goes_out_padded_to_60),
	CONF_TEST(test_jumbo_sizes_go_out),
	CONF_TEST(test_one_to_64_segments),
	CONF_TEST(test_empty_segments_anywhere),
	CONF_TEST(test_chain_without_the_offload_does_no_harm),
	CONF_TEST(test_shared_packets_and_their_array_are_left_alone),
	CONF_TEST(test_indirect_mbufs_go_out),
	CONF_TEST(test_fast_free_gives_every_mbuf_back),
	CONF_TEST(test_bursts_of_any_size),
	CONF_TEST(test_full_ring_takes_no_more_and_recovers),
	CONF_TEST(test_stop_gives_back_what_was_not_sent),
	CONF_TEST(test_65536_packets_and_more),
	CONF_TEST(test_chains_across_the_ring_end),
	CONF_TEST(test_impossible_packets_do_not_block_the_queue),
	CONF_TEST(test_tx_prepare_refuses_empty_and_overlong_packets),
};

CONF_MAIN("tx", tests)
