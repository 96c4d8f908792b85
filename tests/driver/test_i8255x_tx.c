/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* i8255x: transmit, on the models of 82557, 82558, 82559 and 82551. */

#include "fixture.h"

#include "../../drivers/net/i8255x/i8255x.h"

#define BURST 32
#define FAST_FREE RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE
#define MULTI_SEGS RTE_ETH_TX_OFFLOAD_MULTI_SEGS
#define TX_CSUM                                                                                   \
	(RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM |                           \
	 RTE_ETH_TX_OFFLOAD_TCP_CKSUM)
#define PLAIN (&(struct fx_conf){ .eth.txmode.offloads = FAST_FREE })
#define FULL (&(struct fx_conf){ .eth.txmode.offloads = MULTI_SEGS })
/* Blocks that are never given to packets: the CU's and a control command's three. */
#define SPARE 4

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

static bool
is_82551(void)
{
	return strcmp(fx_chip, "82551") == 0;
}

static void
series(struct fx_frame *f, uint32_t i)
{
	fx_frame_build(f, &(struct fx_spec){ .l3 = FX_IPV4, .l4 = FX_UDP,
					     .payload = 18 + i * 7 % 1400 });
	memcpy(f->data + 6, &i, sizeof(i));
}

/* Of all blocks, the newest has S, and it alone (§5.3). */
static void
expect_one_suspends(struct fx_port *p)
{
	const struct i8255x_txq *txq = txq_of(p);
	const uint8_t *blocks = txq->q.desc;

	for (uint32_t i = 0; i <= txq->q.ring.mask; i++) {
		const struct i8255x_cb *cb = (const struct i8255x_cb *)(blocks + 64 * i);
		uint32_t next = (i + 1) & txq->q.ring.mask;

		if (((cb->cmd & I8255X_CMD_S) != 0) !=
		    (i == ((txq->q.ring.prod - 1) & txq->q.ring.mask)))
			fail_msg("block %u: command 0x%04x", i, cb->cmd);
		/* The last command's detour is still there until its blocks are reclaimed. */
		if (!txq->holes || i != (txq->detour & txq->q.ring.mask))
			assert_int_equal(cb->link, (uint32_t)txq->q.zone.addr + 64 * next);
	}
}

/* Send a series, `seg` bytes a segment (0: one segment), and look at what comes out. */
static void
pass_series(struct fx_port *p, uint32_t first, uint32_t n, uint16_t seg)
{
	static struct fx_frame f;
	struct rte_mbuf *m[BURST];
	uint16_t burst = seg == 0 ? BURST : 8;

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
	expect_one_suspends(p);
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
		for (uint32_t k = 0; k < 3u * r[0]; k += 8)
			pass_series(p, k, 8, 0);
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
	}
}

static void
wrap_counters(struct fx_port *p, const struct fx_conf *conf, uint16_t seg)
{
	const uint32_t back = 2 * FX_NB_DESC;
	struct i8255x_txq *txq;

	fx_start(p, conf);
	txq = txq_of(p);
	txq->q.ring.prod -= back;
	txq->q.ring.cons -= back;
	txq->hole -= back;
	txq->detour -= back;
	pass_series(p, 0, 700, seg);
	assert_int_equal(rte_eth_allmulticast_enable(p->id), 0);
	pass_series(p, 0, 300, seg);
	assert_int_equal(rte_eth_allmulticast_disable(p->id), 0);
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

/* Lengths the chip takes; shorter ones than 60 it pads (82557 with 7Eh, §1.2). */
static void
every_length(struct fx_port *p, const struct fx_conf *conf)
{
	uint8_t pad = strcmp(fx_chip, "82557b") == 0 ? 0x7e : 0;
	static struct fx_frame f;

	fx_start(p, conf);
	for (uint32_t len = 14; len <= 1518; len++) {
		struct rte_mbuf *m;

		fx_frame_build(&f, &(struct fx_spec){ .payload = 1504, .seed = len });
		f.len = len;
		m = fx_mbuf(p->pool, &f, 0);
		memset(rte_pktmbuf_mtod_offset(m, char *, f.len), 0xa5, 100);
		fx_tx(p, &m, 1);
		if (len < 60) {
			memset(f.data + len, pad, 60 - len);
			f.len = 60;
		}
		fx_expect_sent(p, &f);
	}
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
}

static void
test_frames_of_every_length(void **state)
{
	every_length(*state, PLAIN);
	every_length(*state, FULL);
}

/* --- chains -------------------------------------------------------------------------------- */

/* `n` segments of a frame of 600 bytes, all even but the last. */
static struct rte_mbuf *
chain_of(struct fx_port *p, const struct fx_frame *f, uint32_t n)
{
	uint16_t seg = (f->len + n - 1) / n;

	seg += seg & 1;
	return fx_mbuf(p->pool, f, seg);
}

/*
 * The newest block is a packet's of one segment: §3.3 wants no size in the second TBD then, and
 * §3.4 no payload length in what is no large send.
 */
static void
expect_clean_block(struct fx_port *p)
{
	const struct i8255x_txq *txq = txq_of(p);
	const uint8_t *b = (const uint8_t *)txq->q.desc +
			   64 * ((txq->q.ring.prod - 1) & txq->q.ring.mask);

	if ((b[2] & 0xf) == I8255X_OP_IPCB)
		assert_int_equal(b[0x1e] | b[0x1f], 0);
	else
		assert_int_equal(b[0x1c] | b[0x1d] | b[0x1e] | b[0x1f], 0);
}

/* In the block, in the slot's array, in a copy: 6 TBDs (5 in an IPCB), 34, more. */
static void
chains(struct fx_port *p, uint64_t offloads)
{
	static struct fx_frame f;
	uint64_t copied;

	fx_start(p, &(struct fx_conf){ .eth.txmode.offloads = MULTI_SEGS | offloads });
	copied = fx_xstat(p, "tx_linearized_packets");
	/* Several rounds: three blocks a turn, and 256 is no multiple of that. */
	for (uint32_t i = 0; i < 5 * 60; i++) {
		uint32_t n = 1 + i % 60;
		struct rte_mbuf *m[3];

		/* Between two of one segment, whose blocks in the next round were a chain's. */
		fx_frame_build(&f, &(struct fx_spec){ .payload = 586, .seed = n });
		m[0] = fx_mbuf(p->pool, &f, 0);
		m[1] = chain_of(p, &f, n);
		m[2] = fx_mbuf(p->pool, &f, 0);
		copied += m[1]->nb_segs > 34;
		fx_tx(p, m, 3);
		expect_clean_block(p);
		for (unsigned int i = 0; i < 3; i++)
			fx_expect_sent(p, &f);
		assert_int_equal(fx_xstat(p, "tx_linearized_packets"), copied);
	}
	fx_expect_silence(p);
	expect_one_suspends(p);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
}

static void
test_chains_of_every_number_of_segments(void **state)
{
	struct fx_port *p = *state;

	chains(p, 0);
	if (is_82551())
		chains(p, TX_CSUM);
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

/* §6: odd addresses are only partly supported. A copy is sent, on the plain path as well. */
static void
odd_address(struct fx_port *p, const struct fx_conf *conf)
{
	struct rte_mbuf *m[3];
	static struct fx_frame f;
	uint64_t copied;

	fx_start(p, conf);
	copied = fx_xstat(p, "tx_linearized_packets");
	for (unsigned int round = 0; round < 100; round++) {
		for (unsigned int i = 0; i < 3; i++) {
			series(&f, round + i);
			m[i] = fx_mbuf(p->pool, &f, 0);
		}
		assert_non_null(rte_pktmbuf_prepend(m[1], 1));
		memmove(rte_pktmbuf_mtod(m[1], char *), rte_pktmbuf_mtod_offset(m[1], char *, 1),
			m[1]->data_len - 1);
		rte_pktmbuf_trim(m[1], 1);
		fx_tx(p, m, 3);
		for (unsigned int i = 0; i < 3; i++) {
			series(&f, round + i);
			fx_expect_sent(p, &f);
		}
	}
	assert_int_equal(fx_xstat(p, "tx_linearized_packets") - copied, 100);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
}

static void
test_odd_addresses_are_copied(void **state)
{
	odd_address(*state, PLAIN);
	odd_address(*state, FULL);
}

/* Where the buffers of a pool are, as the chip would address them before truncation. */
static void
add_range(struct rte_mempool *mp, void *arg, void *obj, unsigned int idx)
{
	uint64_t addr = rte_mbuf_iova_get(obj), *range = arg;

	(void)mp;
	(void)idx;
	range[0] = RTE_MIN(range[0], addr);
	range[1] = RTE_MAX(range[1], addr + RTE_MBUF_DEFAULT_BUF_SIZE - 1);
}

/* Nothing but the receive pool is within the chip's 32 bits: what is elsewhere is copied there. */
static void
out_of_reach(struct fx_port *p, const struct fx_conf *conf, struct rte_mempool *far)
{
	uint64_t range[2] = { UINT64_MAX, 0 }, before;
	struct pw_dma *dma = &adapter_of(p)->dma, keep;
	static struct fx_frame f;

	fx_start(p, conf);
	before = fx_xstat(p, "tx_bounced_packets");
	rte_mempool_obj_iter(p->pool, add_range, range);
	keep = *dma;
	dma->window = NULL;
	dma->lo = range[0] + dma->offset;
	dma->span = range[1] - range[0];
	for (unsigned int i = 0; i < 100; i++) {
		struct rte_mbuf *m[3];

		series(&f, i);
		m[0] = fx_mbuf(far, &f, 0);
		m[1] = fx_mbuf(far, &f, 0);
		m[2] = fx_mbuf(far, &f, 0);
		fx_tx(p, m, 3);
		for (unsigned int k = 0; k < 3; k++)
			fx_expect_sent(p, &f);
	}
	dma->window = keep.window;
	dma->lo = keep.lo;
	dma->span = keep.span;
	assert_int_equal(fx_xstat(p, "tx_bounced_packets") - before, 300);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
}

static void
test_packets_out_of_reach_are_copied(void **state)
{
	struct rte_mempool *far = rte_pktmbuf_pool_create("txfar", 511, 0, 0,
		RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);

	assert_non_null(far);
	out_of_reach(*state, PLAIN, far);
	out_of_reach(*state, FULL, far);
	assert_int_equal(rte_mempool_in_use_count(far), 0);
	rte_mempool_free(far);
}

/* Of the copies on the plain path some are of another pool, and go back there. */
static void
test_copies_on_the_plain_path_go_back_to_their_pool(void **state)
{
	struct rte_mempool *own = rte_pktmbuf_pool_create("txown", 63, 0, 0,
		RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
	struct fx_port *p = *state;
	struct rte_mbuf *m[63];
	static struct fx_frame f;

	assert_non_null(own);
	fx_start(p, PLAIN);
	for (unsigned int i = 0; i < RTE_DIM(m); i++) {
		series(&f, i);
		m[i] = fx_mbuf(own, &f, 0);
		if (i % 7 != 3)
			continue;
		/* At an odd address, and its pool has nothing left: the receive pool's turn. */
		m[i]->data_off++;
		memmove(rte_pktmbuf_mtod(m[i], char *), f.data, f.len);
	}
	assert_int_equal(rte_mempool_avail_count(own), 0);
	fx_tx(p, m, RTE_DIM(m));
	for (unsigned int i = 0; i < RTE_DIM(m); i++) {
		series(&f, i);
		fx_expect_sent(p, &f);
	}
	pass_series(p, 0, 512, 0);
	assert_int_equal(rte_mempool_in_use_count(own), 0);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	assert_int_equal(rte_mempool_in_use_count(p->pool), 0);
	rte_mempool_free(own);
}

/* --- registers ----------------------------------------------------------------------------- */

static void
touches(struct fx_port *p, const struct fx_conf *conf)
{
	struct rte_mbuf *m[BURST];
	static struct fx_frame f;

	fx_start(p, conf);
	series(&f, 5);
	for (unsigned int i = 0; i < 200; i++) {
		unsigned int n = i % (BURST + 1);
		uint64_t w, r;

		for (unsigned int j = 0; j < n; j++)
			m[j] = fx_mbuf(p->pool, &f, 0);
		w = pw_model_reg_writes(p->model);
		r = pw_model_reg_reads(p->model);
		fx_tx(p, m, n);
		assert_int_equal(pw_model_reg_writes(p->model) - w, n != 0);
		/* Whether the last resume was taken only the command byte tells. */
		assert_int_equal(pw_model_reg_reads(p->model) - r, n != 0);
		for (unsigned int j = 0; j < n; j++)
			fx_expect_sent(p, &f);
	}
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
}

static void
test_burst_looks_once_and_resumes_once(void **state)
{
	touches(*state, PLAIN);
	touches(*state, FULL);
}

/* §5.3: written over another command a resume would be lost; the model records that. */
static void
test_busy_command_byte_puts_the_resume_off(void **state)
{
	struct fx_port *p = *state;
	struct rte_mbuf *m;
	static struct fx_frame f;
	uint64_t w;

	fx_start(p, FULL);
	fx_fault(p, PW_FAULT_SLOW_CMD, 1000000);
	for (uint32_t i = 0; i < 10; i++) {
		series(&f, i);
		m = fx_mbuf(p->pool, &f, 0);
		w = pw_model_reg_writes(p->model);
		fx_tx(p, &m, 1);
		assert_int_equal(pw_model_reg_writes(p->model) - w, i == 0);
	}
	fx_expect_silence(p);
	assert_true(txq_of(p)->owed);
	/* The first resume is taken; the one owed is written by a burst of nothing. */
	fx_advance(p, 2000000);
	fx_fault(p, PW_FAULT_SLOW_CMD, 0);
	fx_tx(p, &m, 0);
	for (uint32_t i = 0; i < 10; i++) {
		series(&f, i);
		fx_expect_sent(p, &f);
	}
	assert_false(txq_of(p)->owed);
	assert_int_equal(fx_xstat(p, "tx_resumes_put_off"), 1);
	pass_series(p, 0, 100, 0);
	/* Or by who wants packets back. */
	fx_fault(p, PW_FAULT_SLOW_CMD, 1000000);
	for (uint32_t i = 0; i < 2; i++) {
		series(&f, i);
		m = fx_mbuf(p->pool, &f, 0);
		fx_tx(p, &m, 1);
	}
	fx_advance(p, 2000000);
	fx_fault(p, PW_FAULT_SLOW_CMD, 0);
	rte_eth_tx_done_cleanup(p->id, 0, 0);
	for (uint32_t i = 0; i < 2; i++) {
		series(&f, i);
		fx_expect_sent(p, &f);
	}
	assert_int_equal(fx_xstat(p, "tx_resumes_put_off"), 2);
}

static void
test_lost_resume_is_made_up_for(void **state)
{
	struct fx_port *p = *state;
	struct rte_mbuf *m[2];
	static struct fx_frame f;

	fx_start(p, PLAIN);
	series(&f, 1);
	for (unsigned int i = 0; i < 5; i++) {
		m[0] = fx_mbuf(p->pool, &f, 0);
		m[1] = fx_mbuf(p->pool, &f, 0);
		fx_fault(p, PW_FAULT_LOST_DOORBELL, 1);
		fx_tx(p, &m[0], 1);
		fx_expect_silence(p);
		if (i & 1) {
			/* By the watch. */
			i8255x_tx_owed(txq_of(p));
			fx_expect_sent(p, &f);
		}
		/* By the next burst. */
		fx_tx(p, &m[1], 1);
		if ((i & 1) == 0)
			fx_expect_sent(p, &f);
		fx_expect_sent(p, &f);
		fx_expect_silence(p);
	}
}

/* §7: ICH at 10 Mb/s, half duplex; each resume has a NOP before it. Nowhere else. */
static void
test_hub_at_10_half_gets_a_nop_before_each_resume(void **state)
{
	static const struct {
		uint32_t speed;
		unsigned int writes;
	} t[] = {
		{ RTE_ETH_LINK_SPEED_10M_HD, 2 }, { RTE_ETH_LINK_SPEED_100M_HD, 1 },
		{ RTE_ETH_LINK_SPEED_100M, 1 },
	};
	static struct fx_port port;
	struct fx_port *p = &port;
	static struct fx_frame f;

	(void)state;
	fx_open(p, "82562", NULL);
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		struct rte_eth_link link;

		fx_start(p, &(struct fx_conf){
			.eth.link_speeds = RTE_ETH_LINK_SPEED_FIXED | t[i].speed,
			.eth.txmode.offloads = FAST_FREE });
		assert_int_equal(rte_eth_link_get(p->id, &link), 0);
		assert_int_equal(link.link_status, RTE_ETH_LINK_UP);
		for (unsigned int k = 0; k < 20; k++) {
			uint64_t w = pw_model_reg_writes(p->model);
			struct rte_mbuf *m;

			series(&f, k);
			m = fx_mbuf(p->pool, &f, 0);
			fx_tx(p, &m, 1);
			assert_int_equal(pw_model_reg_writes(p->model) - w, t[i].writes);
			fx_expect_sent(p, &f);
		}
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
	}
	fx_close(p);
}

/* --- packets that cannot be sent ----------------------------------------------------------- */

static void
bad_packets(struct fx_port *p, const struct fx_conf *conf)
{
	uint64_t before = fx_xstat(p, "tx_dropped_bad_packets");
	struct rte_mbuf *m[7];
	struct rte_eth_stats s;
	static struct fx_frame f, good;

	fx_start(p, conf);
	series(&good, 9);
	fx_frame_build(&f, &(struct fx_spec){ .payload = 1505 });
	m[0] = fx_mbuf(p->pool, &good, 0);
	m[1] = rte_pktmbuf_alloc(p->pool);		/* no data */
	m[2] = fx_mbuf(p->pool, &good, 0);
	m[3] = fx_mbuf(p->pool, &f, 0);			/* a byte too long */
	m[4] = fx_mbuf(p->pool, &good, 0);
	f.len = 13;
	m[5] = fx_mbuf(p->pool, &f, 0);			/* no whole header */
	m[6] = fx_mbuf(p->pool, &good, 0);
	fx_tx(p, m, 7);
	for (unsigned int i = 0; i < 4; i++)
		fx_expect_sent(p, &good);
	fx_expect_silence(p);
	assert_int_equal(fx_xstat(p, "tx_dropped_bad_packets") - before, 3);
	assert_int_equal(rte_eth_stats_get(p->id, &s), 0);
	assert_int_equal(s.oerrors, before + 3);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
}

static void
test_impossible_packets_are_dropped_and_counted(void **state)
{
	bad_packets(*state, PLAIN);
	bad_packets(*state, FULL);
}

static void
test_chain_that_contradicts_its_head_is_dropped(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m[3];

	fx_start(p, FULL);
	series(&f, 40);
	m[0] = fx_mbuf(p->pool, &f, 100);
	m[0]->nb_segs++;
	m[1] = fx_mbuf(p->pool, &f, 100);
	m[1]->next->data_len--;
	m[2] = fx_mbuf(p->pool, &f, 100);
	fx_tx(p, m, 3);
	fx_expect_sent(p, &f);
	fx_expect_silence(p);
	assert_int_equal(fx_xstat(p, "tx_dropped_bad_packets"), 2);
}

/* --- checksums and VLAN: 82551 --------------------------------------------------------------- */

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

#define V4 (RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM)

static const struct {
	struct fx_spec spec;
	uint64_t flags;
} offloads[] = {
	{ { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100 }, V4 | RTE_MBUF_F_TX_UDP_CKSUM },
	{ { .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 1001 }, V4 | RTE_MBUF_F_TX_TCP_CKSUM },
	{ { .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 300, .ip_opts = 8 },
	  V4 | RTE_MBUF_F_TX_TCP_CKSUM },
	{ { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100, .vlan = 0x0064 },
	  V4 | RTE_MBUF_F_TX_UDP_CKSUM },
	/* What the chip does not sum: IPv6, behind two tags, and next to nothing (§7). */
	{ { .l3 = FX_IPV6, .l4 = FX_UDP, .payload = 99 },
	  RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_UDP_CKSUM },
	{ { .l3 = FX_IPV6, .l4 = FX_TCP, .payload = 700 },
	  RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_TCP_CKSUM },
	{ { .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 100, .vlan = 5, .outer_vlan = 6 },
	  V4 | RTE_MBUF_F_TX_TCP_CKSUM },
	{ { .l3 = FX_IPV4, .payload = 1, .no_padding = true }, V4 },
	{ { .l3 = FX_IPV4, .payload = 3, .no_padding = true }, V4 },
	{ { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 0, .no_padding = true },
	  V4 | RTE_MBUF_F_TX_UDP_CKSUM },
	/* And just enough. */
	{ { .l3 = FX_IPV4, .payload = 20, .no_padding = true }, V4 },
	{ { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 12, .no_padding = true },
	  V4 | RTE_MBUF_F_TX_UDP_CKSUM },
};

/* A UDP sum that comes out as 0 is sent as ones: 0 says that there is none (RFC 768, RFC 8200). */
static void
test_udp_checksum_is_never_zero(void **state)
{
	static const struct {
		struct fx_spec spec;
		uint64_t flags;
	} t[] = {
		{ { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100 }, V4 | RTE_MBUF_F_TX_UDP_CKSUM },
		{ { .l3 = FX_IPV6, .l4 = FX_UDP, .payload = 100 },
		  RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_UDP_CKSUM },
	};
	struct fx_port *p = *state;
	static struct fx_frame f;

	if (!is_82551()) {
		print_message("%s has no transmit offloads\n", fx_chip);
		skip();
	}
	fx_start(p, &(struct fx_conf){ .eth.txmode.offloads = TX_CSUM });
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		struct fx_lens l = fx_frame_lens(&t[i].spec);
		uint8_t *sum = f.data + l.l2 + l.l3 + 6, *word = sum + 2;
		struct rte_mbuf *m;
		uint32_t v;

		fx_frame_build(&f, &t[i].spec);
		/* What the sum lacks goes into the payload, in one's complement. */
		v = (uint32_t)(word[0] << 8 | word[1]) + (sum[0] << 8 | sum[1]);
		v = (v & 0xffff) + (v >> 16);
		word[0] = v >> 8;
		word[1] = v;
		sum[0] = sum[1] = 0xff;
		assert_true(fx_l4_csum_good(&f));
		m = for_offload(p, &t[i].spec, &f, t[i].flags, 0);
		fx_tx(p, &m, 1);
		fx_expect_sent(p, &f);
	}
}

/* As the wire shows it. */
static void
pad(struct fx_frame *f)
{
	if (f->len < 60) {
		memset(f->data + f->len, 0, 60 - f->len);
		f->len = 60;
	}
}

static bool
skip_unless_82551(void)
{
	if (is_82551())
		return false;
	print_message("%s has no transmit offloads\n", fx_chip);
	return true;
}

static void
test_checksums_are_inserted(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;

	if (skip_unless_82551())
		skip();
	fx_start(p, &(struct fx_conf){ .eth.txmode.offloads = MULTI_SEGS | TX_CSUM });
	for (unsigned int i = 0; i < 8 * RTE_DIM(offloads); i++) {
		const struct fx_spec *spec = &offloads[i / 8].spec;
		struct rte_mbuf *m;

		fx_frame_build(&f, spec);
		m = for_offload(p, spec, &f, offloads[i / 8].flags, i & 1 ? 64 : 0);
		if (i & 4)
			assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 1);
		fx_tx(p, &m, 1);
		pad(&f);
		fx_expect_sent(p, &f);
	}
	fx_expect_silence(p);
}

/* With and without, one after the other: what a block said last must not stick. */
static void
test_packets_with_and_without_checksum_alternate(void **state)
{
	struct fx_port *p = *state;
	struct rte_mbuf *m[RTE_DIM(offloads) * 2];
	static struct fx_frame f;

	if (skip_unless_82551())
		skip();
	/* Two to the power of something blocks, and one packet more a round. */
	fx_start(p, &(struct fx_conf){ .nb_txd = 64, .eth.txmode.offloads = TX_CSUM });
	for (unsigned int round = 0; round < 65; round++) {
		struct rte_mbuf *one;

		for (unsigned int i = 0; i < RTE_DIM(offloads); i++) {
			fx_frame_build(&f, &offloads[i].spec);
			m[2 * i] = for_offload(p, &offloads[i].spec, &f, offloads[i].flags, 0);
			m[2 * i + 1] = for_offload(p, &offloads[i].spec, &f, 0, 0);
		}
		fx_tx(p, m, RTE_DIM(m));
		for (unsigned int i = 0; i < RTE_DIM(offloads); i++) {
			static struct fx_frame g;

			fx_frame_build(&f, &offloads[i].spec);
			g = f;
			pad(&f);
			fx_expect_sent(p, &f);
			fx_csum_prepare(&g);
			pad(&g);
			fx_expect_sent(p, &g);
		}
		series(&f, round);
		one = fx_mbuf(p->pool, &f, 0);
		fx_tx(p, &one, 1);
		fx_expect_sent(p, &f);
	}
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
	struct fx_spec spec = { .l3 = FX_IPV4, .l4 = FX_UDP };
	struct fx_port *p = *state;
	static struct fx_frame f;

	if (skip_unless_82551())
		skip();
	fx_start(p, &(struct fx_conf){ .eth.txmode.offloads =
		MULTI_SEGS | TX_CSUM | RTE_ETH_TX_OFFLOAD_VLAN_INSERT });
	for (unsigned int i = 0; i < 100; i++) {
		struct rte_mbuf *m;

		/* Up to the longest frame that a tag makes 1518 bytes. */
		spec.payload = i < 8 ? 200 : 1472 - i % 8;
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
	/* One byte more would be too many. */
	fx_frame_build(&f, &(struct fx_spec){ .payload = 1501 });
	for (unsigned int i = 0; i < 2; i++) {
		struct rte_mbuf *m = fx_mbuf(p->pool, &f, i ? 800 : 0);

		m->ol_flags = RTE_MBUF_F_TX_VLAN;
		fx_tx(p, &m, 1);
	}
	fx_expect_silence(p);
	assert_int_equal(fx_xstat(p, "tx_dropped_bad_packets"), 2);
}

/* Whatever header lengths say, it is the chip that finds them, or a sum that is checked first. */
static void
test_nonsense_header_lengths_never_reach_the_chip(void **state)
{
	static const struct {
		uint16_t l2, l3, l4;
		uint32_t len;		/* of the frame */
		uint64_t flags;
	} t[] = {
		{ 0, 20, 0, 500, V4 },
		{ 14, 490, 0, 500, V4 },
		{ 127, 511, 20, 1500, RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_TCP_CKSUM },
		{ 14, 20, 20, 500, RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_TCP_CKSUM },
		{ 14, 40, 20, 73, RTE_MBUF_F_TX_IPV6 | RTE_MBUF_F_TX_TCP_CKSUM },
		{ 100, 100, 0, 207, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_UDP_CKSUM },
		{ 14, 20, 8, 500, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_SCTP_CKSUM },
		{ 14, 20, 20, 1500, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_TCP_SEG },	/* MSS 0 */
		{ 14, 511, 255, 700, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_TCP_SEG },
	};
	struct fx_port *p = *state;
	static struct fx_frame f, good;
	struct rte_mbuf *m;

	if (skip_unless_82551())
		skip();
	fx_start(p, &(struct fx_conf){ .eth.txmode.offloads = TX_CSUM | MULTI_SEGS |
		RTE_ETH_TX_OFFLOAD_TCP_TSO });
	fx_frame_build(&good, &offloads[1].spec);
	for (unsigned int i = 0; i < 2 * RTE_DIM(t); i++) {
		uint64_t before = fx_xstat(p, "tx_dropped_bad_packets");

		fx_frame_build(&f, &(struct fx_spec){ .payload = t[i / 2].len - 14, .seed = 0xff });
		m = fx_mbuf(p->pool, &f, i & 1 ? 64 : 0);
		m->l2_len = t[i / 2].l2;
		m->l3_len = t[i / 2].l3;
		m->l4_len = t[i / 2].l4;
		m->ol_flags = t[i / 2].flags;
		fx_tx(p, &m, 1);
		fx_expect_silence(p);
		if (fx_xstat(p, "tx_dropped_bad_packets") != before + 1)
			fail_msg("row %u was not counted", i / 2);
		/* And the next one goes as if nothing had been. */
		m = for_offload(p, &offloads[1].spec, &good, offloads[1].flags, 0);
		fx_tx(p, &m, 1);
		fx_expect_sent(p, &good);
	}
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

	fx_start(p, &(struct fx_conf){ .eth.txmode.offloads = is_82551() ? TX_CSUM : MULTI_SEGS });
	fx_frame_build(&f, &spec);
	prepare_refuses(p, for_offload(p, &spec, &f, V4 | RTE_MBUF_F_TX_TCP_SEG, 0), ENOTSUP);
	prepare_refuses(p, for_offload(p, &spec, &f, RTE_MBUF_F_TX_IPV4 |
				       RTE_MBUF_F_TX_SCTP_CKSUM, 0), ENOTSUP);
	prepare_refuses(p, for_offload(p, &spec, &f, RTE_MBUF_F_TX_VLAN, 0), ENOTSUP);
	prepare_refuses(p, rte_pktmbuf_alloc(p->pool), EINVAL);
	m = for_offload(p, &spec, &f, offloads[0].flags, 0);
	m->l3_len = 0;
	prepare_refuses(p, m, is_82551() ? EINVAL : ENOTSUP);
	m = for_offload(p, &spec, &f, offloads[0].flags, 0);
	m->l3_len = 300;
	prepare_refuses(p, m, is_82551() ? EINVAL : ENOTSUP);
}

/* A stack that leaves it all to prepare: checksums as they are in a whole frame, or wrong. */
static void
test_prepare_writes_the_pseudo_header(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;

	if (skip_unless_82551())
		skip();
	fx_start(p, &(struct fx_conf){ .eth.txmode.offloads = TX_CSUM | MULTI_SEGS });
	for (unsigned int i = 0; i < 2 * RTE_DIM(offloads); i++) {
		const struct fx_spec *spec = &offloads[i / 2].spec;
		struct fx_lens l = fx_frame_lens(spec);
		struct rte_mbuf *m;

		fx_frame_build(&f, spec);
		m = fx_mbuf(p->pool, &f, i & 1 ? 30 : 0);
		m->l2_len = l.l2;
		m->l3_len = l.l3;
		m->ol_flags = offloads[i / 2].flags;
		assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 1);
		fx_tx(p, &m, 1);
		pad(&f);
		fx_expect_sent(p, &f);
	}
}

/* --- a full ring, a hanging chip ----------------------------------------------------------- */

static void
fills_up(struct fx_port *p, const struct fx_conf *conf)
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
	/* Start's commands have been freed too. */
	rte_eth_tx_done_cleanup(p->id, 0, 0);
	fx_fault(p, PW_FAULT_TX_HANG, 1);
	sent = rte_eth_tx_burst(p->id, 0, m, RTE_DIM(m));
	assert_int_equal(sent, FX_NB_DESC - SPARE);
	w = pw_model_reg_writes(p->model);
	for (unsigned int i = 0; i < 10; i++)
		assert_int_equal(rte_eth_tx_burst(p->id, 0, m + sent, 1), 0);
	assert_int_equal(pw_model_reg_writes(p->model), w);
	fx_expect_silence(p);

	fx_fault(p, PW_FAULT_TX_HANG, 0);
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
	fills_up(*state, PLAIN);
	fills_up(*state, FULL);
}

/* A CU that is behind is told of each burst: no memory tells when it has taken the last resume. */
static void
test_bursts_behind_a_busy_transmitter_look_before_they_resume(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;

	fx_start(p, PLAIN);
	pass_series(p, 0, 3, 0);
	fx_fault(p, PW_FAULT_TX_HANG, 1);
	for (uint32_t i = 0; i < 50; i++) {
		uint64_t w = pw_model_reg_writes(p->model), r = pw_model_reg_reads(p->model);
		struct rte_mbuf *m;

		series(&f, i);
		m = fx_mbuf(p->pool, &f, 0);
		fx_tx(p, &m, 1);
		assert_int_equal(pw_model_reg_writes(p->model) - w, 1);
		assert_int_equal(pw_model_reg_reads(p->model) - r, 1);
	}
	fx_fault(p, PW_FAULT_TX_HANG, 0);
	pw_model_poll(p->model);
	for (uint32_t i = 0; i < 50; i++) {
		series(&f, i);
		fx_expect_sent(p, &f);
	}
	pass_series(p, 0, 300, 0);
}

static void
test_stop_with_a_full_ring_frees_everything(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;

	for (unsigned int round = 0; round < 2; round++) {
		fx_start(p, round ? FULL : PLAIN);
		fx_fault(p, PW_FAULT_TX_HANG, 1);
		for (uint32_t i = 0; i < 100; i++) {
			struct rte_mbuf *m;

			series(&f, i);
			m = fx_mbuf(p->pool, &f, round ? 700 : 0);
			fx_tx(p, &m, 1);
		}
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
		assert_int_equal(rte_mempool_in_use_count(p->pool), 0);
		fx_fault(p, PW_FAULT_TX_HANG, 0);
	}
	fx_start(p, FULL);
	pass_series(p, 0, 50, 0);
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
	m = fx_mbuf(p->pool, &f, 14);	/* more segments than a slot has TBDs for */
	n = rte_mempool_avail_count(p->pool);
	assert_int_equal(rte_pktmbuf_alloc_bulk(p->pool, held, n), 0);
	assert_int_equal(rte_eth_tx_burst(p->id, 0, &m, 1), 0);
	rte_pktmbuf_free_bulk(held, n);
	fx_tx(p, &m, 1);
	fx_expect_sent(p, &f);
}

/* --- what comes back ----------------------------------------------------------------------- */

/* Groups of lone packets go back in one call; not those that others hold, or of other pools. */
static void
test_full_path_frees_only_what_is_its_own(void **state)
{
	struct rte_mempool *other = rte_pktmbuf_pool_create("txother", 255, 0, 0,
		RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
	static struct rte_mbuf *m[FX_NB_DESC], *kept[FX_NB_DESC];
	struct fx_port *p = *state;
	static struct fx_frame f;
	uint32_t n = 0;

	assert_non_null(other);
	fx_start(p, FULL);
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
	pass_series(p, 7 * 32, 9 * 32, 0);
	assert_int_equal(rte_mempool_in_use_count(other), 0);
	for (uint32_t i = 0; i < n; i++) {
		assert_int_equal(rte_mbuf_refcnt_read(kept[i]), 1);
		series(&f, i == 0 ? 100 : 140);
		fx_expect_mbuf(kept[i], &f);
	}
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	assert_int_equal(rte_mempool_in_use_count(p->pool), 0);
	rte_mempool_free(other);
}

static void
test_done_cleanup_frees_what_was_sent(void **state)
{
	struct fx_port *p = *state;

	for (uint16_t seg = 0; seg < 1000; seg += 400) {
		uint32_t used;

		fx_start(p, seg == 0 ? PLAIN : FULL);
		rte_eth_tx_done_cleanup(p->id, 0, 0);
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

static void
test_descriptor_status(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;

	fx_start(p, FULL);
	rte_eth_tx_done_cleanup(p->id, 0, 0);
	assert_int_equal(rte_eth_tx_descriptor_status(p->id, 0, 0), RTE_ETH_TX_DESC_DONE);
	assert_int_equal(rte_eth_tx_descriptor_status(p->id, 0, FX_NB_DESC), -EINVAL);
	fx_fault(p, PW_FAULT_TX_HANG, 1);
	for (uint32_t i = 0; i < 200; i++) {
		struct rte_mbuf *m;

		series(&f, i);
		m = fx_mbuf(p->pool, &f, 0);
		fx_tx(p, &m, 1);
	}
	/* 56 are free; behind them are the 200. */
	assert_int_equal(rte_eth_tx_descriptor_status(p->id, 0, 55), RTE_ETH_TX_DESC_DONE);
	assert_int_equal(rte_eth_tx_descriptor_status(p->id, 0, 56), RTE_ETH_TX_DESC_FULL);
	assert_int_equal(rte_eth_tx_descriptor_status(p->id, 0, 255), RTE_ETH_TX_DESC_FULL);
	fx_fault(p, PW_FAULT_TX_HANG, 0);
	pw_model_poll(p->model);
	assert_int_equal(rte_eth_tx_descriptor_status(p->id, 0, 56), RTE_ETH_TX_DESC_DONE);
	assert_int_equal(rte_eth_tx_descriptor_status(p->id, 0, 255), RTE_ETH_TX_DESC_DONE);
	for (uint32_t i = 0; i < 200; i++) {
		series(&f, i);
		fx_expect_sent(p, &f);
	}
}

static void
test_queue_stopped_and_started_while_running(void **state)
{
	struct fx_port *p = *state;
	uint32_t used;

	fx_start(p, FULL);
	used = rte_mempool_in_use_count(p->pool);
	for (unsigned int i = 0; i < 3; i++) {
		pass_series(p, i, 100, 0);
		assert_int_equal(rte_eth_dev_tx_queue_stop(p->id, 0), 0);
		assert_int_equal(rte_mempool_in_use_count(p->pool), used);
		/* The circle is control commands' too. */
		assert_int_equal(rte_eth_allmulticast_enable(p->id), 0);
		assert_int_equal(rte_eth_allmulticast_disable(p->id), 0);
		assert_int_equal(rte_eth_dev_tx_queue_start(p->id, 0), 0);
	}
	pass_series(p, 0, 100, 0);
	/* What does not go out does not come back, and queue stop ends all the same. */
	fx_fault(p, PW_FAULT_TX_HANG, 1);
	{
		static struct fx_frame f;
		struct rte_mbuf *m;

		series(&f, 0);
		m = fx_mbuf(p->pool, &f, 0);
		fx_tx(p, &m, 1);
		assert_int_equal(rte_eth_dev_tx_queue_stop(p->id, 0), 0);
		assert_int_equal(rte_mempool_in_use_count(p->pool), used + 1);
		fx_fault(p, PW_FAULT_TX_HANG, 0);
		assert_int_equal(rte_eth_dev_tx_queue_start(p->id, 0), 0);
		fx_advance(p, 1000);
		fx_expect_sent(p, &f);
	}
	pass_series(p, 0, 100, 0);
}

/* What underruns ask for is in every block from then on, plain path or not. */
static void
test_raised_threshold_goes_into_all_blocks(void **state)
{
	struct fx_port *p = *state;

	for (unsigned int path = 0; path < 2; path++) {
		struct i8255x_txq *txq;

		fx_start(p, path ? FULL : PLAIN);
		txq = txq_of(p);
		pass_series(p, 0, 10, 0);
		for (uint8_t t = 64; t >= 64 && t <= 192; t += 64) {
			txq->threshold = t;
			for (uint32_t i = 0; i < 300; i++) {
				const uint8_t *b = (const uint8_t *)txq->q.desc +
					64 * (txq->q.ring.prod & txq->q.ring.mask);

				pass_series(p, i, 1, 0);
				assert_int_equal(b[0x0e], t);
			}
		}
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
	}
	assert_int_equal(adapter_of(p)->sw.tx_owed, 0);
}

int
main(int argc, char **argv)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, fx_port_setup, fx_port_teardown)
	const struct CMUnitTest tests[] = {
		T(paths_are_chosen_by_offloads),
		T(ring_wraps_with_every_threshold),
		T(counters_wrap_at_2_to_the_32),
		T(frames_of_every_length),
		T(chains_of_every_number_of_segments),
		T(empty_segments_are_passed_over),
		T(odd_addresses_are_copied),
		T(packets_out_of_reach_are_copied),
		T(copies_on_the_plain_path_go_back_to_their_pool),
		T(burst_looks_once_and_resumes_once),
			T(busy_command_byte_puts_the_resume_off),
		T(lost_resume_is_made_up_for),
		cmocka_unit_test(test_hub_at_10_half_gets_a_nop_before_each_resume),
		T(impossible_packets_are_dropped_and_counted),
		T(chain_that_contradicts_its_head_is_dropped),
		T(checksums_are_inserted),
		T(udp_checksum_is_never_zero),
		T(packets_with_and_without_checksum_alternate),
		T(flags_of_offloads_not_enabled_do_nothing),
		T(vlan_tag_is_inserted),
		T(nonsense_header_lengths_never_reach_the_chip),
		T(prepare_refuses_what_the_queue_cannot_do),
		T(prepare_writes_the_pseudo_header),
		T(full_ring_takes_no_more_and_recovers),
		T(bursts_behind_a_busy_transmitter_look_before_they_resume),
		T(stop_with_a_full_ring_frees_everything),
		T(no_memory_for_a_copy_makes_the_packet_wait),
		T(full_path_frees_only_what_is_its_own),
		T(done_cleanup_frees_what_was_sent),
		T(descriptor_status),
		T(queue_stopped_and_started_while_running),
		T(raised_threshold_goes_into_all_blocks),
	};

	fx_chip = argc > 1 ? argv[1] : "82559c";
	return cmocka_run_group_tests_name("i8255x_tx", tests, fx_setup, fx_teardown);
}
