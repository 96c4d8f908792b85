/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* e1000: transmit, on the 82540EM's model. */

#include "fixture.h"

#include "../../drivers/net/e1000/e1000.h"

#define BURST 32
#define FAST_FREE RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE
#define MULTI_SEGS RTE_ETH_TX_OFFLOAD_MULTI_SEGS
#define TX_CSUM                                                                                   \
	(RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM |                           \
	 RTE_ETH_TX_OFFLOAD_TCP_CKSUM)
#define PLAIN (&(struct fx_conf){ .eth.txmode.offloads = FAST_FREE })
#define FULL (&(struct fx_conf){ .eth.txmode.offloads = MULTI_SEGS })

static struct e1000_txq *
txq_of(const struct fx_port *p)
{
	return rte_eth_devices[p->id].data->tx_queues[0];
}

static void
series(struct fx_frame *f, uint32_t i)
{
	fx_frame_build(f, &(struct fx_spec){ .l3 = FX_IPV4, .l4 = FX_UDP,
					     .payload = 18 + i * 7 % 1400 });
	memcpy(f->data + 6, &i, sizeof(i));
}

/* Send a series, `seg` bytes a segment (0: one segment), and look at what comes out. */
static void
pass_series(struct fx_port *p, uint32_t first, uint32_t n, uint16_t seg)
{
	static struct fx_frame f;
	struct rte_mbuf *m[BURST];

	uint16_t burst = seg == 0 ? BURST : 8;	/* so that all its segments fit the ring */

	for (uint32_t i = 0; i < n; i += burst) {
		uint16_t k = RTE_MIN(n - i, (uint32_t)burst);

		for (uint16_t j = 0; j < k; j++) {
			series(&f, first + i + j);
			m[j] = fx_mbuf(p->pool, &f, seg);
		}
		fx_tx(p, m, k);
		for (uint16_t j = 0; j < k; j++) {
			series(&f, first + i + j);
			fx_expect_sent(p, &f);
		}
	}
	fx_expect_silence(p);
}

/* --- both paths send ----------------------------------------------------------------------- */

static void
test_paths_are_chosen_by_offloads(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_burst_mode mode;

	fx_start(p, PLAIN);
	assert_int_equal(rte_eth_tx_burst_mode_get(p->id, 0, &mode), 0);
	assert_string_equal(mode.info, "Plain, fast free");
	pass_series(p, 0, 100, 0);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	fx_start(p, FULL);
	assert_int_equal(rte_eth_tx_burst_mode_get(p->id, 0, &mode), 0);
	assert_string_equal(mode.info, "Multi-segment, offloads");
	pass_series(p, 0, 100, 0);
}

static void
test_ring_wraps_with_every_threshold(void **state)
{
	static const uint16_t t[][3] = { /* descriptors, rs, free */
		{ 32, 8, 8 }, { 32, 1, 1 }, { 64, 16, 30 }, { 64, 32, 32 }, { 128, 64, 64 },
		{ 256, 32, 32 }, { 256, 4, 200 }, { 512, 128, 256 }, { 1024, 32, 992 },
	};
	struct fx_port *p = *state;

	for (unsigned int i = 0; i < 2 * RTE_DIM(t); i++) {
		const uint16_t *r = t[i / 2];
		struct rte_eth_txq_info info;

		fx_start(p, &(struct fx_conf){ .nb_txd = r[0], .tx.tx_rs_thresh = r[1],
			.tx.tx_free_thresh = r[2],
			.eth.txmode.offloads = i & 1 ? MULTI_SEGS : FAST_FREE });
		assert_int_equal(rte_eth_tx_queue_info_get(p->id, 0, &info), 0);
		assert_int_equal(info.conf.tx_rs_thresh, r[1]);
		assert_int_equal(info.conf.tx_free_thresh, r[2]);
		/* A burst is up to 32, a ring of 32 has room for 31. */
		for (uint32_t k = 0; k < 3u * r[0]; k += 8)
			pass_series(p, k, 8, 0);
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
	}
}

static void
wrap_counters(struct fx_port *p, const struct fx_conf *conf, uint16_t seg)
{
	struct e1000_txq *txq;

	fx_start(p, conf);
	txq = txq_of(p);
	txq->q.ring.prod -= 2 * FX_NB_DESC;
	txq->q.ring.cons -= 2 * FX_NB_DESC;
	pass_series(p, 0, 1000, seg);
	assert_true(txq->q.ring.prod < 100000);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
}

static void
test_counters_wrap_at_2_to_the_32(void **state)
{
	wrap_counters(*state, PLAIN, 0);
	wrap_counters(*state, FULL, 0);
	wrap_counters(*state, FULL, 300);
}

static void
test_chains_of_every_shape(void **state)
{
	static const uint16_t seg[] = { 1000, 500, 333, 100, 61 };
	struct fx_port *p = *state;

	fx_start(p, FULL);
	for (unsigned int i = 0; i < RTE_DIM(seg); i++)
		pass_series(p, 11 * i, 200, seg[i]);
	assert_int_equal(fx_xstat(p, "tx_linearized_packets"), 0);
}

static void
test_long_chain_is_copied_and_counted(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, FULL);
	pass_series(p, 180, 20, 20);	/* 1278 bytes and more in 20s */
	assert_int_equal(fx_xstat(p, "tx_linearized_packets"), 20);
}

static void
test_empty_segments_are_passed_over(void **state)
{
	struct fx_port *p = *state;
	struct rte_mbuf *m[3];
	static struct fx_frame f;

	fx_start(p, FULL);
	series(&f, 40);
	for (unsigned int i = 0; i < 3; i++) {
		struct rte_mbuf *empty = rte_pktmbuf_alloc(p->pool);

		m[i] = fx_mbuf(p->pool, &f, 100);
		assert_non_null(empty);
		if (i == 0) {
			assert_int_equal(rte_pktmbuf_chain(m[i], empty), 0);
		} else {
			empty->next = m[i]->next;
			m[i]->next = empty;
			m[i]->nb_segs++;
		}
	}
	fx_tx(p, m, 3);
	for (unsigned int i = 0; i < 3; i++)
		fx_expect_sent(p, &f);
}

static void
test_jumbo_frames(void **state)
{
	static const uint32_t len[] = { 1519, 2000, 4095, 4096, 4097, 8193, 9018, 16000, 16124 };
	struct fx_port *p = *state;
	struct rte_mempool *big = rte_pktmbuf_pool_create("txbig", 63, 0, 0,
		RTE_PKTMBUF_HEADROOM + 16384, SOCKET_ID_ANY);
	struct rte_eth_dev_info info;
	static struct fx_frame f;

	assert_non_null(big);
	fx_start(p, FULL);
	assert_int_equal(rte_eth_dev_info_get(p->id, &info), 0);
	for (unsigned int i = 0; i < RTE_DIM(len); i++) {
		struct rte_mbuf *m[2];

		if (len[i] + 4 > info.max_rx_pktlen)
			break;
		fx_frame_build(&f, &(struct fx_spec){ .payload = len[i] - 14, .seed = i });
		m[0] = fx_mbuf(p->pool, &f, 2000);
		m[1] = fx_mbuf(big, &f, 0);
		fx_tx(p, m, 2);
		fx_expect_sent(p, &f);
		fx_expect_sent(p, &f);
	}
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	rte_mempool_free(big);
}

/* --- registers ----------------------------------------------------------------------------- */

static void
touches(struct fx_port *p, const struct fx_conf *conf)
{
	struct rte_mbuf *m[BURST];
	static struct fx_frame f;

	fx_start(p, conf);
	series(&f, 5);
	for (unsigned int i = 0; i < 100; i++) {
		unsigned int n = i % (BURST + 1);
		uint64_t w, r;

		for (unsigned int j = 0; j < n; j++)
			m[j] = fx_mbuf(p->pool, &f, 0);
		w = pw_model_reg_writes(p->model);
		r = pw_model_reg_reads(p->model);
		fx_tx(p, m, n);
		assert_int_equal(pw_model_reg_writes(p->model) - w, n != 0);
		assert_int_equal(pw_model_reg_reads(p->model), r);
		for (unsigned int j = 0; j < n; j++)
			fx_expect_sent(p, &f);
	}
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
}

static void
test_burst_touches_exactly_one_register(void **state)
{
	touches(*state, PLAIN);
	touches(*state, FULL);
}

/* --- padding ------------------------------------------------------------------------------- */

/* A frame below 60 bytes goes out as 60, and what was in the buffer behind it does not (§6). */
static void
pads(struct fx_port *p, const struct fx_conf *conf)
{
	static const uint32_t len[] = { 1, 14, 16, 17, 47, 48, 59, 60 };
	static struct fx_frame f;

	fx_start(p, conf);
	for (unsigned int i = 0; i < RTE_DIM(len); i++) {
		struct rte_mbuf *m;

		series(&f, i);
		f.len = len[i];
		m = fx_mbuf(p->pool, &f, 0);
		memset(rte_pktmbuf_mtod_offset(m, char *, f.len), 0xa5, 100);
		fx_tx(p, &m, 1);
		memset(f.data + f.len, 0, 60);
		f.len = 60;
		fx_expect_sent(p, &f);
	}
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
}

static void
test_short_frames_are_padded_with_zeros(void **state)
{
	pads(*state, PLAIN);
	pads(*state, FULL);
}

static void
test_short_frame_in_a_shared_buffer_is_padded_in_a_copy(void **state)
{
	struct fx_port *p = *state;
	struct rte_mbuf *m, *sent, *clone;
	static struct fx_frame f, padded;

	fx_start(p, FULL);
	series(&f, 3);
	f.len = 42;
	padded = f;
	memset(padded.data + 42, 0, 60);
	padded.len = 60;
	m = fx_mbuf(p->pool, &f, 0);
	memset(rte_pktmbuf_mtod_offset(m, char *, 42), 0xa5, 18);

	sent = m;
	rte_mbuf_refcnt_update(m, 1);
	fx_tx(p, &sent, 1);
	fx_expect_sent(p, &padded);

	clone = rte_pktmbuf_clone(m, p->pool);
	assert_non_null(clone);
	fx_tx(p, &clone, 1);
	fx_expect_sent(p, &padded);

	assert_int_equal(*rte_pktmbuf_mtod_offset(m, uint8_t *, 42), 0xa5);
	fx_expect_mbuf(m, &f);
}

static void
test_short_chain_is_padded(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;

	fx_start(p, FULL);
	series(&f, 3);
	f.len = 50;
	m = fx_mbuf(p->pool, &f, 14);
	fx_tx(p, &m, 1);
	memset(f.data + 50, 0, 10);
	f.len = 60;
	fx_expect_sent(p, &f);
}

/* --- packets that cannot be sent ----------------------------------------------------------- */

static void
bad_packets(struct fx_port *p, const struct fx_conf *conf, struct rte_mempool *big)
{
	uint64_t before = fx_xstat(p, "tx_dropped_bad_packets");
	struct rte_mbuf *m[5];
	struct rte_eth_stats s;
	static struct fx_frame f, good;

	fx_start(p, conf);
	series(&good, 9);
	fx_frame_build(&f, &(struct fx_spec){ .payload = 16125 - 14 });
	m[0] = fx_mbuf(p->pool, &good, 0);
	m[1] = rte_pktmbuf_alloc(p->pool);		/* no data */
	m[2] = fx_mbuf(p->pool, &good, 0);
	m[3] = fx_mbuf(big, &f, 0);			/* longer than the chip takes */
	m[4] = fx_mbuf(p->pool, &good, 0);
	fx_tx(p, m, 5);
	for (unsigned int i = 0; i < 3; i++)
		fx_expect_sent(p, &good);
	fx_expect_silence(p);
	assert_int_equal(fx_xstat(p, "tx_dropped_bad_packets") - before, 2);
	assert_int_equal(rte_eth_stats_get(p->id, &s), 0);
	assert_int_equal(s.oerrors, before + 2);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
}

static void
test_empty_and_oversize_packets_are_dropped_and_counted(void **state)
{
	struct rte_mempool *big = rte_pktmbuf_pool_create("txbad", 15, 0, 0,
		RTE_PKTMBUF_HEADROOM + 16384, SOCKET_ID_ANY);

	assert_non_null(big);
	bad_packets(*state, PLAIN, big);
	bad_packets(*state, FULL, big);
	assert_int_equal(rte_mempool_in_use_count(big), 0);
	rte_mempool_free(big);
}

static void
test_chain_that_contradicts_its_head_is_dropped(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m[2];

	fx_start(p, FULL);
	series(&f, 40);
	m[0] = fx_mbuf(p->pool, &f, 100);
	m[0]->nb_segs++;
	m[1] = fx_mbuf(p->pool, &f, 100);
	fx_tx(p, m, 2);
	fx_expect_sent(p, &f);
	fx_expect_silence(p);
	assert_int_equal(fx_xstat(p, "tx_dropped_bad_packets"), 1);
}

/* --- checksums and VLAN -------------------------------------------------------------------- */

/* A frame as a stack hands it over: checksums for the card to fill in. */
static struct rte_mbuf *
for_offload(struct fx_port *p, const struct fx_spec *spec, const struct fx_frame *want,
	    uint64_t flags, uint16_t seg)
{
	struct fx_lens l = fx_frame_lens(spec);
	static struct fx_frame f;
	struct rte_mbuf *m;

	f = *want;
	fx_csum_prepare(&f);
	m = fx_mbuf(p->pool, &f, seg);
	m->l2_len = l.l2;
	m->l3_len = l.l3;
	m->ol_flags = flags;
	return m;
}

static const struct {
	struct fx_spec spec;
	uint64_t flags;
} offloads[] = {
	{ { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100 },
	  RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_UDP_CKSUM },
	{ { .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 1001 },
	  RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_TCP_CKSUM },
	{ { .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 300, .ip_opts = 8 },
	  RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_TCP_CKSUM },
	{ { .l3 = FX_IPV6, .l4 = FX_UDP, .payload = 99 },
	  RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_UDP_CKSUM },
	{ { .l3 = FX_IPV6, .l4 = FX_TCP, .payload = 700 },
	  RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_TCP_CKSUM },
	{ { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100, .vlan = 0x0064 },
	  RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_UDP_CKSUM },
};

static void
test_checksums_are_inserted(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;

	fx_start(p, &(struct fx_conf){ .eth.txmode.offloads = MULTI_SEGS | TX_CSUM });
	for (unsigned int i = 0; i < 4 * RTE_DIM(offloads); i++) {
		const struct fx_spec *spec = &offloads[i / 4].spec;
		struct rte_mbuf *m;

		fx_frame_build(&f, spec);
		m = for_offload(p, spec, &f, offloads[i / 4].flags, i & 1 ? 64 : 0);
		fx_tx(p, &m, 1);
		fx_expect_sent(p, &f);
	}
}

/* With and without, one after the other: what the chip was told last must not stick. */
static void
test_packets_with_and_without_checksum_alternate(void **state)
{
	struct fx_port *p = *state;
	struct rte_mbuf *m[RTE_DIM(offloads) * 2];
	static struct fx_frame f;

	fx_start(p, &(struct fx_conf){ .eth.txmode.offloads = TX_CSUM });
	for (unsigned int i = 0; i < RTE_DIM(offloads); i++) {
		fx_frame_build(&f, &offloads[i].spec);
		m[2 * i] = for_offload(p, &offloads[i].spec, &f, offloads[i].flags, 0);
		m[2 * i + 1] = for_offload(p, &offloads[i].spec, &f, 0, 0);
	}
	fx_tx(p, m, RTE_DIM(m));
	for (unsigned int i = 0; i < RTE_DIM(offloads); i++) {
		fx_frame_build(&f, &offloads[i].spec);
		fx_expect_sent(p, &f);
		fx_csum_prepare(&f);
		fx_expect_sent(p, &f);
	}
}

/* a84f185a8a 2013: descriptors ran over with many segments at the ring's end (§7.1). */
static void
test_many_segments_and_contexts_over_the_ring_end(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, &(struct fx_conf){ .nb_txd = 64, .tx.tx_rs_thresh = 16,
				       .eth.txmode.offloads = MULTI_SEGS | TX_CSUM });
	for (uint32_t i = 0; i < 300; i++) {
		struct fx_spec spec = { .l3 = FX_IPV4, .l4 = i & 1 ? FX_UDP : FX_TCP,
					.payload = 1000, .seed = i };
		static struct fx_frame f;
		struct rte_mbuf *m;

		fx_frame_build(&f, &spec);
		m = for_offload(p, &spec, &f, offloads[i & 1 ? 0 : 1].flags, 40 + i % 60);
		fx_tx(p, &m, 1);
		fx_expect_sent(p, &f);
	}
	fx_expect_silence(p);
}

static void
test_one_context_serves_packets_alike(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m[20];
	uint32_t before;

	fx_start(p, &(struct fx_conf){ .eth.txmode.offloads = TX_CSUM });
	fx_frame_build(&f, &offloads[0].spec);
	for (unsigned int i = 0; i < RTE_DIM(m); i++)
		m[i] = for_offload(p, &offloads[0].spec, &f, offloads[0].flags, 0);
	before = txq_of(p)->q.ring.prod;
	fx_tx(p, m, RTE_DIM(m));
	assert_int_equal(txq_of(p)->q.ring.prod - before, RTE_DIM(m) + 1);
	for (unsigned int i = 0; i < RTE_DIM(m); i++)
		fx_expect_sent(p, &f);
}

static void
test_flags_of_offloads_not_enabled_do_nothing(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;

	fx_start(p, FULL);
	fx_frame_build(&f, &offloads[0].spec);
	m = for_offload(p, &offloads[0].spec, &f,
			offloads[0].flags | RTE_MBUF_F_TX_VLAN | RTE_MBUF_F_TX_TCP_SEG, 0);
	m->vlan_tci = 5;
	fx_tx(p, &m, 1);
	fx_csum_prepare(&f);
	fx_expect_sent(p, &f);
}

static void
test_vlan_tag_is_inserted(void **state)
{
	struct fx_spec spec = { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 200 };
	struct fx_port *p = *state;
	static struct fx_frame f;

	fx_start(p, &(struct fx_conf){ .eth.txmode.offloads =
		MULTI_SEGS | TX_CSUM | RTE_ETH_TX_OFFLOAD_VLAN_INSERT });
	for (unsigned int i = 0; i < 8; i++) {
		struct rte_mbuf *m;

		spec.vlan = 0;
		fx_frame_build(&f, &spec);
		m = for_offload(p, &spec, &f, RTE_MBUF_F_TX_VLAN | (i & 1 ? offloads[0].flags : 0),
				i & 2 ? 80 : 0);
		m->vlan_tci = 0xa000 | (i + 1);
		spec.vlan = 0xa000 | (i + 1);
		fx_frame_build(&f, &spec);
		if ((i & 1) == 0)
			fx_csum_prepare(&f);
		fx_tx(p, &m, 1);
		fx_expect_sent(p, &f);
		/* Without the flag no tag, whatever vlan_tci says. */
		spec.vlan = 0;
		fx_frame_build(&f, &spec);
		m = fx_mbuf(p->pool, &f, 0);
		m->vlan_tci = 77;
		fx_tx(p, &m, 1);
		fx_expect_sent(p, &f);
	}
}

/* Once, such a chain went out as it was if its segments were as many as its head said. */
static void
test_chain_that_is_shorter_than_its_head_says_is_dropped(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m[2];

	fx_start(p, FULL);
	series(&f, 40);
	m[0] = fx_mbuf(p->pool, &f, 100);
	m[0]->next->data_len--;
	m[1] = fx_mbuf(p->pool, &f, 100);
	fx_tx(p, m, 2);
	fx_expect_sent(p, &f);
	fx_expect_silence(p);
	assert_int_equal(fx_xstat(p, "tx_dropped_bad_packets"), 1);
}

/*
 * Header lengths that no rte_eth_tx_prepare() has seen. A context has eight bits for where the
 * checksums begin and go (§3.5): 255 bytes of headers at most, and they must be in the packet.
 */
static void
test_nonsense_header_lengths_never_reach_the_chip(void **state)
{
	static const struct {
		uint16_t l2, l3, l4;
		uint32_t len;		/* of the frame */
		uint64_t flags;
	} t[] = {
		{ 0, 20, 0, 500, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM },
		{ 14, 0, 0, 500, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM },
		{ 14, 0, 20, 500, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_TCP_CKSUM },
		{ 127, 511, 20, 1500, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM |
				      RTE_MBUF_F_TX_TCP_CKSUM },
		{ 14, 222, 20, 1500, RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_TCP_CKSUM },
		{ 14, 20, 222, 1500, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM |
				     RTE_MBUF_F_TX_UDP_CKSUM },
		/* Outside of the packet. */
		{ 14, 40, 20, 73, RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_TCP_CKSUM },
		{ 100, 100, 0, 207, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_UDP_CKSUM },
	};
	struct fx_port *p = *state;
	static struct fx_frame f, good;
	struct rte_mbuf *m;

	fx_start(p, &(struct fx_conf){ .eth.txmode.offloads = TX_CSUM | MULTI_SEGS });
	fx_frame_build(&good, &offloads[1].spec);
	for (unsigned int i = 0; i < 2 * RTE_DIM(t); i++) {
		uint64_t before = fx_xstat(p, "tx_dropped_bad_packets");

		fx_frame_build(&f, &(struct fx_spec){ .payload = t[i / 2].len - 14 });
		m = fx_mbuf(p->pool, &f, i & 1 ? 64 : 0);
		m->l2_len = t[i / 2].l2;
		m->l3_len = t[i / 2].l3;
		m->l4_len = t[i / 2].l4;
		m->ol_flags = t[i / 2].flags;
		fx_tx(p, &m, 1);
		fx_expect_silence(p);
		assert_int_equal(fx_xstat(p, "tx_dropped_bad_packets"), before + 1);
		/* And the next one goes as if nothing had been. */
		m = for_offload(p, &offloads[1].spec, &good, offloads[1].flags, 0);
		fx_tx(p, &m, 1);
		fx_expect_sent(p, &good);
	}
}

/* The chip knows the context already, so none is made; the packet is too short for it. */
static void
test_packet_that_ends_before_the_context_of_the_last_one_is_dropped(void **state)
{
	struct fx_spec spec = { .l3 = FX_IPV6, .l4 = FX_TCP, .payload = 100 };
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m[3];

	fx_start(p, &(struct fx_conf){ .eth.txmode.offloads = TX_CSUM });
	fx_frame_build(&f, &spec);
	for (unsigned int i = 0; i < RTE_DIM(m); i++)
		m[i] = for_offload(p, &spec, &f, RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_TCP_CKSUM, 0);
	rte_pktmbuf_trim(m[1], 101);	/* 73 bytes, and 14 + 40 + 20 of headers */
	fx_tx(p, m, 3);
	fx_expect_sent(p, &f);
	fx_expect_sent(p, &f);
	fx_expect_silence(p);
	assert_int_equal(fx_xstat(p, "tx_dropped_bad_packets"), 1);
}

/* --- prepare ------------------------------------------------------------------------------- */

static void
prepare_refuses(struct fx_port *p, struct rte_mbuf *bad, int err)
{
	static struct fx_frame f;
	struct rte_mbuf *m[3];

	series(&f, 2);
	m[0] = fx_mbuf(p->pool, &f, 0);
	m[1] = bad;
	m[2] = fx_mbuf(p->pool, &f, 0);
	rte_errno = 0;
	assert_int_equal(rte_eth_tx_prepare(p->id, 0, m, 3), 1);
	assert_int_equal(rte_errno, err);
	rte_pktmbuf_free_bulk(m, 3);
}

static void
test_prepare_refuses_what_the_queue_cannot_do(void **state)
{
	struct fx_spec spec = { .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 100 };
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;

	fx_start(p, &(struct fx_conf){ .eth.txmode.offloads = TX_CSUM });
	fx_frame_build(&f, &spec);
	prepare_refuses(p, for_offload(p, &spec, &f, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM |
				       RTE_MBUF_F_TX_TCP_SEG, 0), ENOTSUP);
	prepare_refuses(p, for_offload(p, &spec, &f, RTE_MBUF_F_TX_IPV4 |
				       RTE_MBUF_F_TX_SCTP_CKSUM, 0), ENOTSUP);
	prepare_refuses(p, for_offload(p, &spec, &f, RTE_MBUF_F_TX_VLAN, 0), ENOTSUP);
	prepare_refuses(p, rte_pktmbuf_alloc(p->pool), EINVAL);
	m = for_offload(p, &spec, &f, offloads[0].flags, 0);
	m->l3_len = 0;
	prepare_refuses(p, m, EINVAL);
	m = for_offload(p, &spec, &f, offloads[0].flags, 0);
	m->l3_len = 300;
	prepare_refuses(p, m, EINVAL);
}

static void
test_prepare_writes_the_pseudo_header(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;

	fx_start(p, &(struct fx_conf){ .eth.txmode.offloads = TX_CSUM });
	for (unsigned int i = 0; i < RTE_DIM(offloads); i++) {
		struct fx_lens l = fx_frame_lens(&offloads[i].spec);
		struct rte_mbuf *m;

		/* A stack that leaves it all to prepare: checksums as they are in a whole frame. */
		fx_frame_build(&f, &offloads[i].spec);
		m = fx_mbuf(p->pool, &f, 0);
		m->l2_len = l.l2;
		m->l3_len = l.l3;
		m->ol_flags = offloads[i].flags;
		assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 1);
		fx_tx(p, &m, 1);
		fx_expect_sent(p, &f);
	}
}

/* --- a full ring, a hanging chip ----------------------------------------------------------- */

static void
fills_up(struct fx_port *p, const struct fx_conf *conf, uint16_t room)
{
	static struct rte_mbuf *m[2 * FX_NB_DESC];
	static struct fx_frame f;
	uint16_t sent, more;
	uint64_t w;

	fx_start(p, conf);
	for (uint32_t i = 0; i < RTE_DIM(m); i++) {
		series(&f, i);
		m[i] = fx_mbuf(p->pool, &f, 0);
	}
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_TX_HANG, 1), 0);
	sent = rte_eth_tx_burst(p->id, 0, m, RTE_DIM(m));
	assert_int_equal(sent, room);
	w = pw_model_reg_writes(p->model);
	for (unsigned int i = 0; i < 10; i++)
		assert_int_equal(rte_eth_tx_burst(p->id, 0, m + sent, 1), 0);
	assert_int_equal(pw_model_reg_writes(p->model), w);
	fx_expect_silence(p);

	assert_int_equal(pw_model_fault(p->model, PW_FAULT_TX_HANG, 0), 0);
	pw_model_poll(p->model);
	while (sent < RTE_DIM(m)) {
		more = rte_eth_tx_burst(p->id, 0, m + sent, RTE_DIM(m) - sent);
		assert_true(more > 0);
		sent += more;
	}
	for (uint32_t i = 0; i < RTE_DIM(m); i++) {
		series(&f, i);
		fx_expect_sent(p, &f);
	}
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
}

static void
test_full_ring_takes_no_more_and_recovers(void **state)
{
	fills_up(*state, PLAIN, FX_NB_DESC - 1);
	fills_up(*state, FULL, FX_NB_DESC - 1);
}

static void
test_stop_with_a_full_ring_frees_everything(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;

	for (unsigned int round = 0; round < 2; round++) {
		fx_start(p, round ? FULL : PLAIN);
		assert_int_equal(pw_model_fault(p->model, PW_FAULT_TX_HANG, 1), 0);
		for (uint32_t i = 0; i < 100; i++) {
			struct rte_mbuf *m;

			series(&f, i);
			m = fx_mbuf(p->pool, &f, round ? 700 : 0);
			fx_tx(p, &m, 1);
		}
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
		assert_int_equal(rte_mempool_in_use_count(p->pool), 0);
		assert_int_equal(pw_model_fault(p->model, PW_FAULT_TX_HANG, 0), 0);
	}
	fx_start(p, FULL);
	pass_series(p, 0, 50, 0);
}

static void
test_lost_doorbell_is_made_up_for_by_the_next(void **state)
{
	struct fx_port *p = *state;
	struct rte_mbuf *m[2];
	static struct fx_frame f;

	fx_start(p, PLAIN);
	series(&f, 1);
	m[0] = fx_mbuf(p->pool, &f, 0);
	m[1] = fx_mbuf(p->pool, &f, 0);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_LOST_DOORBELL, 1), 0);
	fx_tx(p, &m[0], 1);
	fx_expect_silence(p);
	fx_tx(p, &m[1], 1);
	fx_expect_sent(p, &f);
	fx_expect_sent(p, &f);
}

static void
test_no_memory_for_a_copy_makes_the_packet_wait(void **state)
{
	static struct rte_mbuf *held[FX_POOL_MBUFS];
	struct fx_port *p = *state;
	struct rte_mbuf *m;
	static struct fx_frame f;
	unsigned int n;

	fx_start(p, FULL);
	series(&f, 100);
	m = fx_mbuf(p->pool, &f, 15);	/* more segments than the chip may have */
	n = rte_mempool_avail_count(p->pool);
	assert_int_equal(rte_pktmbuf_alloc_bulk(p->pool, held, n), 0);
	assert_int_equal(rte_eth_tx_burst(p->id, 0, &m, 1), 0);
	rte_pktmbuf_free_bulk(held, n);
	fx_tx(p, &m, 1);
	fx_expect_sent(p, &f);
}

static void
test_fast_free_returns_whole_groups(void **state)
{
	struct fx_port *p = *state;
	uint32_t used;

	fx_start(p, PLAIN);
	pass_series(p, 0, 225, 0);	/* 31 free now: the next burst reclaims */
	used = rte_mempool_in_use_count(p->pool);
	assert_int_equal(used, FX_NB_DESC + 225);
	pass_series(p, 0, 1, 0);
	assert_int_equal(rte_mempool_in_use_count(p->pool), used + 1 - 32);
}

/* Groups of lone packets go back in one call; not those that others hold, or of other pools. */
static void
test_full_path_frees_only_what_is_its_own(void **state)
{
	struct rte_mempool *other = rte_pktmbuf_pool_create("txother", 255, 0, 0,
		RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
	static struct rte_mbuf *m[FX_NB_DESC], *kept[FX_NB_DESC];
	struct fx_port *p = *state;
	static struct fx_frame f;
	uint32_t used, n = 0;

	assert_non_null(other);
	fx_start(p, FULL);
	used = rte_mempool_in_use_count(p->pool);
	for (uint32_t i = 0; i < 7 * 32; i++) {
		series(&f, i);
		m[i] = fx_mbuf(i / 32 == 1 || i == 70 ? other : p->pool, &f, 0);
		if (i == 100) {		/* held twice */
			rte_mbuf_refcnt_update(m[i], 1);
			kept[n++] = m[i];
		} else if (i == 140) {	/* a clone */
			kept[n++] = m[i];
			m[i] = rte_pktmbuf_clone(m[i], p->pool);
			assert_non_null(m[i]);
		}
		fx_tx(p, &m[i], 1);
		fx_expect_sent(p, &f);
	}
	/* Once more around the ring, of which seven groups stay filled. */
	pass_series(p, 7 * 32, 8 * 32, 0);
	assert_int_equal(rte_mempool_in_use_count(other), 0);
	assert_int_equal(rte_mempool_in_use_count(p->pool), used + n + 7 * 32);
	for (uint32_t i = 0; i < n; i++) {
		assert_int_equal(rte_mbuf_refcnt_read(kept[i]), 1);
		series(&f, i == 0 ? 100 : 140);
		fx_expect_mbuf(kept[i], &f);
	}
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	rte_mempool_free(other);
}

/* Sent packets come back when asked for; on the plain path in whole groups of 32. */
static void
test_done_cleanup_frees_what_was_sent(void **state)
{
	struct fx_port *p = *state;
	uint32_t used;

	fx_start(p, PLAIN);
	used = rte_mempool_in_use_count(p->pool);
	pass_series(p, 0, 100, 0);
	assert_int_equal(rte_mempool_in_use_count(p->pool), used + 100);
	assert_int_equal(rte_eth_tx_done_cleanup(p->id, 0, 40), 32);
	assert_int_equal(rte_eth_tx_done_cleanup(p->id, 0, 0), 64);
	assert_int_equal(rte_eth_tx_done_cleanup(p->id, 0, 0), 0);
	assert_int_equal(rte_mempool_in_use_count(p->pool), used + 4);
	pass_series(p, 100, 300, 0);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);

	for (uint16_t seg = 0; seg < 1000; seg += 400) {
		fx_start(p, FULL);
		used = rte_mempool_in_use_count(p->pool);
		for (unsigned int round = 0; round < 5; round++) {
			pass_series(p, 100 * round, 37, seg);
			assert_int_equal(rte_eth_tx_done_cleanup(p->id, 0, 3), 3);
			assert_int_equal(rte_eth_tx_done_cleanup(p->id, 0, 0), 34);
			assert_int_equal(rte_eth_tx_done_cleanup(p->id, 0, 0), 0);
			assert_int_equal(rte_mempool_in_use_count(p->pool), used);
		}
		/* Some of a group are freed, the rest by the way. */
		pass_series(p, 0, 40, seg);
		assert_int_equal(rte_eth_tx_done_cleanup(p->id, 0, 5), 5);
		pass_series(p, 100, 300, seg);
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
	}
}

/* --- PCI-X and 64 KiB errata --------------------------------------------------------------- */

/* What the descriptors from counter `first` on say: lengths, in order. */
static uint32_t
lengths(struct e1000_txq *txq, uint32_t first, uint32_t *len, uint64_t *addr)
{
	const uint64_t *d = txq->q.desc;
	uint32_t n = 0;

	for (uint32_t c = first; c != txq->q.ring.prod; c++, n++) {
		addr[n] = d[2 * (c & txq->q.ring.mask)];
		len[n] = d[2 * (c & txq->q.ring.mask) + 1] & 0xfffff;
	}
	return n;
}

static void
test_errata_split_descriptors(void **state)
{
	struct fx_port *p = *state;
	uint32_t len[8], first, n;
	uint64_t addr[8], end;
	struct e1000_txq *txq;
	struct rte_mbuf *m;
	static struct fx_frame f;

	fx_start(p, FULL);
	txq = txq_of(p);

	/* §6: first descriptor at most 2015 bytes in PCI-X mode. */
	txq->quirks = E1000_F_ERR_FIRST_2015;
	fx_frame_build(&f, &(struct fx_spec){ .payload = 2016 - 14 });
	m = fx_mbuf(p->pool, &f, 0);
	first = txq->q.ring.prod;
	fx_tx(p, &m, 1);
	n = lengths(txq, first, len, addr);
	assert_int_equal(n, 2);
	assert_int_equal(len[0], 2015);
	assert_int_equal(len[1], 1);
	assert_int_equal(addr[1], addr[0] + 2015);
	fx_expect_sent(p, &f);

	/* §6: a buffer must not end in an even dword: the last four bytes go apart. */
	txq->quirks = E1000_F_ERR_EVEN_DWORD;
	for (uint32_t l = 60; l < 68; l++) {
		fx_frame_build(&f, &(struct fx_spec){ .payload = l - 14 });
		m = fx_mbuf(p->pool, &f, 0);
		end = rte_pktmbuf_iova(m) + l - 1;
		first = txq->q.ring.prod;
		fx_tx(p, &m, 1);
		n = lengths(txq, first, len, addr);
		assert_int_equal(n, (end & 4) == 0 ? 2 : 1);
		if (n == 2)
			assert_int_equal(len[1], 4);
		fx_expect_sent(p, &f);
	}
}

/* 82545/6: no buffer across 64 KiB. A pool of large buffers has some that lie so. */
static void
test_no_descriptor_crosses_64k(void **state)
{
	struct fx_port *p = *state;
	struct rte_mempool *big = rte_pktmbuf_pool_create("tx64k", 127, 0, 0,
		RTE_PKTMBUF_HEADROOM + 4000, SOCKET_ID_ANY);
	uint32_t len[8], split = 0;
	uint64_t addr[8];
	struct e1000_txq *txq;
	static struct fx_frame f;

	assert_non_null(big);
	fx_configure(p, FULL);
	txq = txq_of(p);
	txq->quirks = E1000_F_ERR_64K;
	txq->q.dma->limits.boundary = 65536;
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	fx_frame_build(&f, &(struct fx_spec){ .payload = 3900 });
	for (unsigned int i = 0; i < 120; i++) {
		struct rte_mbuf *m = fx_mbuf(big, &f, 0);
		uint32_t first = txq->q.ring.prod, n;

		fx_tx(p, &m, 1);
		n = lengths(txq, first, len, addr);
		for (uint32_t k = 0; k < n; k++)
			assert_int_equal(addr[k] >> 16, (addr[k] + len[k] - 1) >> 16);
		split += n == 2;
		fx_expect_sent(p, &f);
	}
	assert_true(split > 0);
	txq->q.dma->limits.boundary = 0;
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	rte_mempool_free(big);
}

/* --- ring status --------------------------------------------------------------------------- */

static void
status(struct fx_port *p, const struct fx_conf *conf)
{
	fx_start(p, conf);
	assert_int_equal(rte_eth_tx_descriptor_status(p->id, 0, 0), RTE_ETH_TX_DESC_DONE);
	assert_int_equal(rte_eth_tx_descriptor_status(p->id, 0, FX_NB_DESC), -EINVAL);
	pass_series(p, 0, FX_NB_DESC - 32, 0);
	/* Sent and reported, though not yet reclaimed. */
	for (uint16_t i = 0; i < FX_NB_DESC; i++)
		assert_int_equal(rte_eth_tx_descriptor_status(p->id, 0, i), RTE_ETH_TX_DESC_DONE);
	pass_series(p, 0, 40, 0);
	/* Eight are sent but will be reported with their group only. */
	assert_int_equal(rte_eth_tx_descriptor_status(p->id, 0, FX_NB_DESC - 1),
			 RTE_ETH_TX_DESC_FULL);
	assert_int_equal(rte_eth_tx_descriptor_status(p->id, 0, FX_NB_DESC - 8),
			 RTE_ETH_TX_DESC_FULL);
	assert_int_equal(rte_eth_tx_descriptor_status(p->id, 0, FX_NB_DESC - 9),
			 RTE_ETH_TX_DESC_DONE);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
}

static void
test_descriptor_status(void **state)
{
	status(*state, PLAIN);
	status(*state, FULL);
}

int
main(int argc, char **argv)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, fx_port_setup, fx_port_teardown)
	const struct CMUnitTest tests[] = {
		T(paths_are_chosen_by_offloads),
		T(ring_wraps_with_every_threshold),
		T(counters_wrap_at_2_to_the_32),
		T(chains_of_every_shape),
		T(many_segments_and_contexts_over_the_ring_end),
		T(long_chain_is_copied_and_counted),
		T(empty_segments_are_passed_over),
		T(jumbo_frames),
		T(burst_touches_exactly_one_register),
		T(short_frames_are_padded_with_zeros),
		T(short_frame_in_a_shared_buffer_is_padded_in_a_copy),
		T(short_chain_is_padded),
		T(empty_and_oversize_packets_are_dropped_and_counted),
		T(chain_that_contradicts_its_head_is_dropped),
		T(chain_that_is_shorter_than_its_head_says_is_dropped),
		T(nonsense_header_lengths_never_reach_the_chip),
		T(packet_that_ends_before_the_context_of_the_last_one_is_dropped),
		T(checksums_are_inserted),
		T(packets_with_and_without_checksum_alternate),
		T(one_context_serves_packets_alike),
		T(flags_of_offloads_not_enabled_do_nothing),
		T(vlan_tag_is_inserted),
		T(prepare_refuses_what_the_queue_cannot_do),
		T(prepare_writes_the_pseudo_header),
		T(full_ring_takes_no_more_and_recovers),
		T(stop_with_a_full_ring_frees_everything),
		T(lost_doorbell_is_made_up_for_by_the_next),
		T(no_memory_for_a_copy_makes_the_packet_wait),
		T(fast_free_returns_whole_groups),
		T(full_path_frees_only_what_is_its_own),
		T(done_cleanup_frees_what_was_sent),
		T(errata_split_descriptors),
		T(no_descriptor_crosses_64k),
		T(descriptor_status),
	};

	if (argc > 1)
		fx_chip = argv[1];
	return cmocka_run_group_tests_name("e1000_tx", tests, fx_setup, fx_teardown);
}
