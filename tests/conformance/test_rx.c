/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* Receiving: every size, buffers smaller than frames, a pool run dry, bad frames. */

#include "conf.h"

#define SCATTER RTE_ETH_RX_OFFLOAD_SCATTER
#define KEEP_CRC RTE_ETH_RX_OFFLOAD_KEEP_CRC

static struct rte_eth_stats
stats_of(const struct fx_port *p)
{
	struct rte_eth_stats s;

	assert_int_equal(rte_eth_stats_get(p->id, &s), 0);
	return s;
}

static void
test_every_size_comes_in(void **state)
{
	struct fx_port *p = *state;
	const uint64_t mode[] = { 0, conf_info(p).rx_offload_capa & SCATTER };
	static struct fx_frame f;
	unsigned int i;
	uint32_t len;

	for (i = 0; i < RTE_DIM(mode); i++) {
		conf_pool_soil(p->pool);
		conf_start_rx(p, mode[i]);
		for (len = CONF_MIN_FRAME; len <= RTE_ETHER_MAX_LEN - RTE_ETHER_CRC_LEN; len++) {
			conf_frame(&f, len, (uint8_t)len);
			conf_receives(p, &f);
		}
		conf_stop(p);
	}
}

/* --- scattered ------------------------------------------------------------------------- */

/* In as many segments as it takes: none is empty, all but the last are full. */
static void
receive_in(struct fx_port *p, const struct fx_frame *f, uint32_t buf)
{
	struct rte_mbuf *m = conf_rx_one(p, f);

	assert_int_equal(m->nb_segs, (f->len + buf - 1) / buf);
	fx_expect_mbuf(m, f);
}

/* Lengths around every multiple of the buffer's, and around the longest. */
static void
receive_around(struct fx_port *p, uint32_t buf, uint32_t longest, bool scattered)
{
	static struct fx_frame f;
	uint32_t at, len;

	for (at = buf; at < longest + buf; at += buf) {
		for (len = at - 5; len <= at + 5; len++) {
			if (len < CONF_MIN_FRAME || len > longest)
				continue;
			conf_frame(&f, len, (uint8_t)len);
			if (scattered || len <= buf)
				receive_in(p, &f, buf);
			else
				conf_ignores(p, &f);
		}
	}
	conf_frame(&f, longest, 1);
	if (scattered || longest <= buf)
		receive_in(p, &f, buf);
}

static uint16_t
buffer_of(const struct fx_port *p)
{
	struct rte_eth_rxq_info q;

	assert_int_equal(rte_eth_rx_queue_info_get(p->id, 0, &q), 0);
	assert_true(q.rx_buf_size > 0);
	return q.rx_buf_size;
}

static void
test_frames_around_every_buffer_boundary(void **state)
{
	static const uint16_t rooms[] = { 0, 256, 300, 512, 1000, 1024, 1500, 1518, 2048 };
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	bool has = conf_has_rx(p, SCATTER);
	struct rte_eth_rxq_info q;
	struct rte_mempool *mp;
	unsigned int i;

	for (i = 0; i < RTE_DIM(rooms) && has; i++) {
		uint16_t room = RTE_MAX(rooms[i], info.min_rx_bufsize);

		mp = conf_pool(1023, room);
		fx_start(p, &(struct fx_conf){ .eth.rxmode.offloads = SCATTER, .pool = mp });
		assert_int_equal(rte_eth_rx_queue_info_get(p->id, 0, &q), 0);
		assert_int_equal(q.scattered_rx, buffer_of(p) < 1518);
		receive_around(p, buffer_of(p), 1514, true);
		conf_stop(p);
		fx_configure(p, NULL);
		conf_pool_free(mp);
	}
	conf_proven("Scattered Rx", "frames", has);
}

static void
test_scattered_jumbo_frames(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	struct rte_mempool *mp = conf_pool(2047, RTE_MAX(512u, info.min_rx_bufsize));
	uint32_t longest = info.max_mtu + RTE_ETHER_HDR_LEN;

	if (conf_has_rx(p, SCATTER)) {
		fx_start(p, &(struct fx_conf){ .eth.rxmode.offloads = SCATTER, .pool = mp,
					       .mtu = info.max_mtu });
		receive_around(p, buffer_of(p), RTE_MIN(longest, PW_WIRE_MAX_FRAME), true);
		conf_stop(p);
		fx_configure(p, NULL);
	}
	conf_pool_free(mp);
}

/* Without scattered Rx: a port that cannot hold its MTU in one buffer does not start. */
static void
test_mtu_beyond_the_buffer_needs_scattered_rx(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	struct rte_mempool *mp = conf_pool(511, RTE_MAX(1024u, info.min_rx_bufsize));

	fx_configure(p, &(struct fx_conf){ .pool = mp });
	assert_int_not_equal(rte_eth_dev_start(p->id), 0);
	assert_int_equal(rte_mempool_in_use_count(mp), 0);
	/* A lower MTU makes it fit; longer frames do not get in in pieces. */
	fx_start(p, &(struct fx_conf){ .pool = mp, .mtu = 900 });
	receive_around(p, buffer_of(p), 1514, false);
	conf_stop(p);
	fx_configure(p, NULL);
	conf_pool_free(mp);
}

static void
test_long_frames_between_short_ones(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	struct rte_mempool *mp = conf_pool(1023, RTE_MAX(256u, info.min_rx_bufsize));
	static struct fx_frame f[CONF_BURST];
	struct rte_mbuf *m[CONF_BURST];
	unsigned int i, round;

	if (conf_has_rx(p, SCATTER)) {
		fx_start(p, &(struct fx_conf){ .eth.rxmode.offloads = SCATTER, .pool = mp,
					       .nb_rxd = 128 });
		for (round = 0; round < 50; round++) {
			for (i = 0; i < CONF_BURST; i++) {
				conf_frame(&f[i], i % 3 ? 60 : 60 + i * 45, (uint8_t)(round + i));
				fx_inject(p, &f[i]);
			}
			for (i = 0; i < CONF_BURST; i++) {
				assert_int_equal(fx_rx(p, m, 1), 1);
				fx_expect_mbuf(m[0], &f[i]);
			}
			conf_expect_none(p);
		}
		conf_stop(p);
		fx_configure(p, NULL);
	}
	conf_pool_free(mp);
}

/* --- CRC ------------------------------------------------------------------------------- */

/* IEEE 802.3 §3.2.9, bit by bit; on the wire the low byte goes first. */
static uint32_t
crc_of(const struct fx_frame *f)
{
	uint32_t crc = UINT32_MAX, i, bit;

	for (i = 0; i < f->len; i++) {
		crc ^= f->data[i];
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

static void
expect_with_crc(struct fx_port *p, struct fx_frame *f)
{
	struct rte_mbuf *m = conf_rx_one(p, f);
	uint32_t crc = crc_of(f);

	assert_int_equal(m->pkt_len, f->len + RTE_ETHER_CRC_LEN);
	for (unsigned int i = 0; i < RTE_ETHER_CRC_LEN; i++)
		f->data[f->len++] = (uint8_t)(crc >> 8 * i);
	fx_expect_mbuf(m, f);
}

static void
test_crc_is_kept_or_refused(void **state)
{
	struct fx_port *p = *state;
	bool has = conf_has_rx(p, KEEP_CRC);
	struct rte_eth_stats stats;
	static struct fx_frame f;
	uint64_t frames = 0, bytes = 0;
	uint32_t len;

	if (has) {
		conf_start_rx(p, KEEP_CRC);
		for (len = CONF_MIN_FRAME; len <= 1514; len += len < 100 ? 1 : 17) {
			conf_frame(&f, len, (uint8_t)len);
			expect_with_crc(p, &f);
			frames++;
			bytes += len;
		}
		/* The longest there is: with a tag. */
		conf_frame(&f, 1514, 1);
		if (conf_takes_tagged(p, RTE_ETHER_MTU))
			conf_tag(&f, RTE_ETHER_TYPE_VLAN, 5);
		frames++;
		bytes += f.len;
		expect_with_crc(p, &f);
		stats = stats_of(p);
		assert_int_equal(stats.ipackets, frames);
		/* Kept or not, the frame is what is counted. */
		assert_int_equal(stats.ibytes, bytes);
		assert_int_equal(stats.ierrors, 0);
		/* What is sent gets one by the card as ever. */
		conf_frame(&f, 100, 1);
		conf_sends(p, &f, 0);
		/* Off again at the next configuration. */
		conf_stop(p);
		fx_start(p, NULL);
		conf_pass(p, 3);
	}
	conf_proven("CRC offload", "keep", has);
}

/* The last buffer of a chain may hold a piece of the CRC and nothing else. */
static void
test_crc_is_kept_over_the_end_of_a_buffer(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	const uint64_t offloads = KEEP_CRC | RTE_ETH_RX_OFFLOAD_SCATTER;
	uint32_t room = info.min_rx_bufsize, len;
	struct rte_mempool *mp;
	static struct fx_frame f;

	if ((info.rx_offload_capa & offloads) != offloads)
		return;
	mp = conf_pool(2047, room);
	fx_start(p, &(struct fx_conf){ .eth.rxmode.offloads = offloads, .pool = mp });
	for (len = RTE_MAX(2 * room - 8, CONF_MIN_FRAME); len <= 2 * room + 4; len++) {
		conf_frame(&f, len, (uint8_t)len);
		expect_with_crc(p, &f);
	}
	/* The longest there is: with a tag. */
	conf_frame(&f, 1514, 1);
	conf_tag(&f, RTE_ETHER_TYPE_VLAN, 5);
	expect_with_crc(p, &f);
	conf_stop(p);
	fx_configure(p, NULL);
	conf_pool_free(mp);
}

/* --- trouble ----------------------------------------------------------------------------- */

static void
test_bad_frames_are_counted_not_delivered(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_stats before, now;
	static struct fx_frame f;
	unsigned int i;

	fx_start(p, NULL);
	before = stats_of(p);
	for (i = 0; i < 40; i++) {
		conf_frame(&f, 60 + i * 30, i);
		if (i % 2)
			conf_receives(p, &f);
		else
			fx_inject_flags(p, &f, i % 4 ? PW_FRAME_RX_ERR : PW_FRAME_BAD_CRC);
	}
	conf_expect_none(p);
	now = stats_of(p);
	assert_int_equal(now.ipackets - before.ipackets, 20);
	assert_int_equal(now.ierrors - before.ierrors, 20);
}

static void
test_runts_are_not_delivered(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_stats before, now;
	static struct fx_frame f;
	uint32_t len;

	fx_start(p, NULL);
	before = stats_of(p);
	for (len = 14; len < CONF_MIN_FRAME; len++) {
		conf_frame(&f, len, len);
		conf_ignores(p, &f);
	}
	now = stats_of(p);
	assert_int_equal(now.ipackets, before.ipackets);
	/* Each once: chips count them in more than one place. */
	assert_in_range(now.ierrors - before.ierrors, 0, CONF_MIN_FRAME - 14);
	conf_frame(&f, 60, 1);
	conf_receives(p, &f);
}

static void
test_frames_too_long_are_not_delivered(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	const uint16_t mtus[] = { RTE_ETHER_MTU, info.max_mtu };
	struct rte_eth_stats before, now;
	static struct fx_frame f;
	unsigned int i;

	for (i = 0; i < RTE_DIM(mtus); i++) {
		/* Header, two tags, CRC: what no port could mean by this MTU. */
		uint32_t len = mtus[i] + RTE_ETHER_HDR_LEN + 2 * RTE_VLAN_HLEN + 1;

		if (len + 100 > PW_WIRE_MAX_FRAME)
			continue;
		conf_start_mtu(p, mtus[i]);
		before = stats_of(p);
		conf_frame(&f, len, 1);
		conf_ignores(p, &f);
		conf_frame(&f, len + 100, 1);
		conf_ignores(p, &f);
		now = stats_of(p);
		assert_int_equal(now.ipackets, before.ipackets);
		assert_int_equal(now.ibytes, before.ibytes);
		/* A chip that stops at 1518 bytes has no counter for what is longer. */
		if (conf_takes_tagged(p, mtus[i]))
			assert_int_equal(now.ierrors - before.ierrors, 2);
		conf_frame(&f, 60, 1);
		conf_receives(p, &f);
		conf_stop(p);
	}
}

/* Buffers held by the application, then given back: no restart needed. */
static void
test_empty_pool_is_counted_and_recovers(void **state)
{
	struct fx_port *p = *state;
	static struct rte_mbuf *held[FX_POOL_MBUFS];
	static struct fx_frame f;
	struct rte_eth_stats s;
	unsigned int n, i, round;
	struct rte_mbuf *m;

	fx_start(p, &(struct fx_conf){ .nb_rxd = 64 });
	assert_int_equal(stats_of(p).rx_nombuf, 0);
	for (round = 0; round < 3; round++) {
		for (n = 0; (m = rte_pktmbuf_alloc(p->pool)) != NULL; n++)
			held[n] = m;
		for (i = 0; i < 200; i++) {
			conf_frame(&f, 60, i);
			fx_inject(p, &f);
			while (fx_rx(p, &m, 1) == 1)
				held[n++] = m;
		}
		s = stats_of(p);
		assert_true(s.rx_nombuf > 0);
		rte_pktmbuf_free_bulk(held, n);
		while (fx_rx(p, &m, 1) == 1)
			rte_pktmbuf_free(m);
		conf_pass(p, 200);
		assert_int_equal(rte_eth_stats_reset(p->id), 0);
		assert_int_equal(stats_of(p).rx_nombuf, 0);
	}
}

static void
test_overrun_is_counted_as_missed(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_stats before, now;
	static struct fx_frame f;
	unsigned int i;

	fx_start(p, NULL);
	before = stats_of(p);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_RX_OVERRUN, 5), 0);
	conf_frame(&f, 100, 1);
	for (i = 0; i < 5; i++)
		conf_ignores(p, &f);
	conf_receives(p, &f);
	now = stats_of(p);
	assert_int_equal(now.imissed - before.imissed, 5);
	assert_int_equal(now.ipackets - before.ipackets, 1);
}

static void
test_burst_sizes(void **state)
{
	static const uint16_t size[] = { 1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 200, 256, 300 };
	struct fx_port *p = *state;
	static struct rte_mbuf *m[512];
	static struct fx_frame f;
	unsigned int i, j, k;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_rx_burst(p->id, 0, m, 0), 0);
	for (i = 0; i < RTE_DIM(size); i++) {
		/* No more than a ring has room for at any time: some chips keep nothing besides. */
		for (j = 0; j < FX_NB_DESC * 3 / 4; j++) {
			conf_frame(&f, 64, (uint8_t)j);
			fx_inject(p, &f);
		}
		for (j = 0; j < FX_NB_DESC * 3 / 4; j += k) {
			unsigned int n, idle = 0;

			do
				n = rte_eth_rx_burst(p->id, 0, m, size[i]);
			while (n == 0 && idle++ < 10);
			assert_in_range(n, 1, size[i]);
			for (k = 0; k < n; k++) {
				conf_frame(&f, 64, (uint8_t)(j + k));
				fx_expect_mbuf(m[k], &f);
			}
		}
		conf_expect_none(p);
	}
}

static void
test_65536_packets_and_more(void **state)
{
	struct fx_port *p = *state;
	struct rte_mbuf *m[CONF_BURST];
	static struct fx_frame f;
	unsigned int i, j;

	fx_start(p, &(struct fx_conf){ .nb_rxd = 64 });
	for (i = 0; i < 66000; i += CONF_BURST) {
		for (j = 0; j < CONF_BURST; j++) {
			conf_frame(&f, 64, (uint8_t)(i + j));
			fx_inject(p, &f);
		}
		assert_int_equal(fx_rx(p, m, CONF_BURST), CONF_BURST);
		for (j = 0; j < CONF_BURST; j++) {
			conf_frame(&f, 64, (uint8_t)(i + j));
			fx_expect_mbuf(m[j], &f);
		}
	}
	assert_int_equal(stats_of(p).ipackets, i);
}

static const struct CMUnitTest tests[] = {
	CONF_TEST(test_every_size_comes_in),
	CONF_TEST(test_frames_around_every_buffer_boundary),
	CONF_TEST(test_scattered_jumbo_frames),
	CONF_TEST(test_mtu_beyond_the_buffer_needs_scattered_rx),
	CONF_TEST(test_long_frames_between_short_ones),
	CONF_TEST(test_crc_is_kept_or_refused),
	CONF_TEST(test_crc_is_kept_over_the_end_of_a_buffer),
	CONF_TEST(test_bad_frames_are_counted_not_delivered),
	CONF_TEST(test_runts_are_not_delivered),
	CONF_TEST(test_frames_too_long_are_not_delivered),
	CONF_TEST(test_empty_pool_is_counted_and_recovers),
	CONF_TEST(test_overrun_is_counted_as_missed),
	CONF_TEST(test_burst_sizes),
	CONF_TEST(test_65536_packets_and_more),
};

CONF_MAIN("rx", tests)
