/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>

#include <rte_malloc.h>

#include <pw_ethdev.h>

#include "eal.h"

static struct pw_dev dev = {
	.name = "0000:03:00.0", .id = { .vendor_id = 0x8086, .device_id = 0x100e },
};
static struct rte_eth_dev_data data;
static struct rte_eth_dev eth = { .data = &data };

static int
start(void **state)
{
	(void)state;
	memset(&data, 0, sizeof(data));
	snprintf(data.name, sizeof(data.name), "0000:03:00.0");
	data.dev_private = &dev;
	return 0;
}

/* --- queue set-up --- */

static void
test_mbuf_init_word_is_a_fresh_mbuf(void **state)
{
	struct rte_mempool *mp = rte_pktmbuf_pool_create("w", 1, 0, 0, 256, SOCKET_ID_ANY);
	struct rte_mbuf *m;
	uint64_t word;

	(void)state;
	m = rte_pktmbuf_alloc(mp);
	assert_non_null(m);
	m->port = 0x1234;
	memcpy(&word, (char *)m + offsetof(struct rte_mbuf, rearm_data), sizeof(word));
	assert_int_equal(pw_mbuf_init_word(0x1234), word);
	rte_pktmbuf_free(m);
	rte_mempool_free(mp);
}

static void
test_check_desc(void **state)
{
	static const struct {
		uint16_t nb, min, max, align;
		const char *refused;	/* part of the message; NULL: accepted */
		uint16_t ring;		/* what it is rounded up to, if not nb itself */
	} rows[] = {
		{ 256, 32, 4096, 8, NULL },
		{ 32, 32, 4096, 8, NULL },
		{ 4096, 32, 4096, 8, NULL },
		{ 32768, 8, 65535, 0, NULL },
		{ 264, 32, 4096, 8, NULL, 512 },
		{ 1000, 32, 4096, 8, NULL, 1024 },
		{ 4088, 32, 4096, 8, NULL, 4096 },
		{ 7, 32, 4096, 8, "Rx ring of 7 descriptors refused: use a multiple of 8 from 32 "
		  "to 4096" },
		{ 0, 32, 4096, 8, "ring of 0" },
		{ 16, 32, 4096, 8, "ring of 16" },
		{ 8192, 32, 4096, 8, "ring of 8192" },
		{ 260, 32, 4096, 8, "ring of 260" },
		{ 4, 1, 4096, 8, "from 8 to 4096" },
		{ 3000, 80, 4095, 8, "from 80 to 2048" },	/* 4096 would be too much */
	};

	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		const struct rte_eth_desc_lim lim = {
			.nb_min = rows[i].min, .nb_max = rows[i].max, .nb_align = rows[i].align,
		};
		uint16_t nb = rows[i].nb;
		int rc;

		start(state);
		log_capture_start();
		rc = pw_eth_check_desc(&eth, "Rx", &nb, &lim);
		log_capture_expect(rows[i].refused);
		assert_int_equal(rc, rows[i].refused == NULL ? 0 : -EINVAL);
		assert_int_equal(nb, rows[i].ring != 0 ? rows[i].ring : rows[i].nb);
	}
}

static void
test_refusals_name_the_port(void **state)
{
	const struct rte_eth_desc_lim lim = { .nb_min = 32, .nb_max = 4096, .nb_align = 8 };
	uint16_t nb = 100;

	(void)state;
	log_capture_start();
	assert_int_equal(pw_eth_check_desc(&eth, "Tx", &nb, &lim), -EINVAL);
	log_capture_expect("0000:03:00.0: Tx ring");
}

/* The rules of DPDK's Intel drivers, one a row. */
static void
test_tx_thresholds(void **state)
{
	static const struct {
		uint16_t nb, rs, free;
		uint16_t got_rs, got_free;
		const char *refused;
	} rows[] = {
		/* defaults: a quarter of the ring, at most 32 */
		{ 256, 0, 0, 32, 32, NULL },
		{ 128, 0, 0, 32, 32, NULL },
		{ 64, 0, 0, 16, 16, NULL },
		{ 8, 0, 0, 2, 2, NULL },
		{ 4096, 0, 0, 32, 32, NULL },
		/* rs follows free down, to a power of two */
		{ 256, 0, 16, 16, 16, NULL },
		{ 256, 0, 20, 16, 20, NULL },
		{ 256, 0, 1, 1, 1, NULL },
		{ 256, 0, 200, 32, 200, NULL },
		/* as asked for */
		{ 256, 8, 64, 8, 64, NULL },
		{ 256, 1, 1, 1, 1, NULL },
		{ 256, 128, 128, 128, 128, NULL },
		{ 256, 64, 252, 64, 252, NULL },
		/* rs < nb_desc - 2 */
		{ 8, 6, 0, 0, 0, "tx_rs_thresh must be below the number of descriptors minus 2" },
		{ 256, 254, 252, 0, 0, "minus 2" },
		{ 256, 65535, 0, 0, 0, "minus 2" },
		/* free < nb_desc - 3 */
		{ 256, 32, 253, 0, 0, "tx_free_thresh must be below the number of descriptors "
		  "minus 3" },
		{ 256, 32, 65535, 0, 0, "minus 3" },
		{ 4, 1, 1, 0, 0, "minus 3" },
		/* rs <= free */
		{ 256, 64, 32, 0, 0, "tx_rs_thresh must not be above tx_free_thresh" },
		{ 256, 64, 0, 0, 0, "tx_rs_thresh must not be above tx_free_thresh" },
		/* nb_desc % rs == 0 */
		{ 256, 24, 64, 0, 0, "tx_rs_thresh must divide the number of descriptors" },
		/* a mask has no other rings, but the rule stands by itself */
		{ 96, 24, 48, 0, 0, "tx_rs_thresh must be a power of two" },
	};

	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		const struct rte_eth_txconf conf = {
			.tx_rs_thresh = rows[i].rs, .tx_free_thresh = rows[i].free,
		};
		uint16_t rs = 0, free = 0;
		int rc;

		start(state);
		log_capture_start();
		rc = pw_eth_check_tx_thresh(&eth, rows[i].nb, &conf, &rs, &free);
		log_capture_expect(rows[i].refused);
		assert_int_equal(rc, rows[i].refused == NULL ? 0 : -EINVAL);
		assert_int_equal(rs, rows[i].got_rs);
		assert_int_equal(free, rows[i].got_free);
	}
}

static void
test_rx_thresholds(void **state)
{
	static const struct {
		uint16_t nb, free, got;
		const char *refused;
	} rows[] = {
		{ 256, 0, 32, NULL },
		{ 64, 0, 16, NULL },
		{ 2, 0, 1, NULL },
		{ 256, 64, 64, NULL },
		{ 256, 255, 255, NULL },
		{ 256, 256, 0, "rx_free_thresh 256 refused: must be below the number of "
		  "descriptors, 256" },
		{ 256, 65535, 0, "rx_free_thresh 65535" },
	};

	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		const struct rte_eth_rxconf conf = { .rx_free_thresh = rows[i].free };
		uint16_t free = 0;
		int rc;

		start(state);
		log_capture_start();
		rc = pw_eth_check_rx_thresh(&eth, rows[i].nb, &conf, &free);
		log_capture_expect(rows[i].refused);
		assert_int_equal(rc, rows[i].refused == NULL ? 0 : -EINVAL);
		assert_int_equal(free, rows[i].got);
	}
}

/* What was asked for is kept, and the defaults are those of the thresholds' own tests. */
static void
test_rxq_init(void **state)
{
	const struct rte_eth_rxconf conf = {
		.rx_free_thresh = 8, .rx_deferred_start = 1,
		.offloads = RTE_ETH_RX_OFFLOAD_SCATTER,
	};
	struct pw_rxq q;

	start(state);
	data.port_id = 3;
	data.dev_conf.rxmode.offloads = RTE_ETH_RX_OFFLOAD_VLAN_STRIP;
	memset(&q, 0, sizeof(q));
	assert_int_equal(pw_rxq_init(&q, &eth, 1, 64, SOCKET_ID_ANY, &conf), 0);
	assert_int_equal(q.port_id, 3);
	assert_int_equal(q.queue_id, 1);
	assert_int_equal(q.deferred_start, 1);
	assert_int_equal(q.free_thresh, 8);
	assert_int_equal(q.offloads, RTE_ETH_RX_OFFLOAD_SCATTER | RTE_ETH_RX_OFFLOAD_VLAN_STRIP);
	assert_int_equal(q.mbuf_init, pw_mbuf_init_word(3));
	assert_int_equal(pw_ring_size(&q.ring), 64);
	assert_int_equal(pw_ring_free(&q.ring), 64);
	for (unsigned int i = 0; i < 64; i++)
		assert_null(q.bufs.slot[i]);
	pw_bufs_fini(&q.bufs);
}

static void
test_txq_init(void **state)
{
	const struct rte_eth_txconf conf = {
		.tx_rs_thresh = 4, .tx_free_thresh = 16, .tx_deferred_start = 1,
		.offloads = RTE_ETH_TX_OFFLOAD_MULTI_SEGS,
	};
	struct pw_txq q;

	start(state);
	data.port_id = 3;
	data.dev_conf.txmode.offloads = RTE_ETH_TX_OFFLOAD_VLAN_INSERT;
	memset(&q, 0, sizeof(q));
	assert_int_equal(pw_txq_init(&q, &eth, 1, 64, SOCKET_ID_ANY, &conf), 0);
	assert_int_equal(q.port_id, 3);
	assert_int_equal(q.queue_id, 1);
	assert_int_equal(q.deferred_start, 1);
	assert_int_equal(q.rs_thresh, 4);
	assert_int_equal(q.free_thresh, 16);
	assert_int_equal(q.offloads,
			 RTE_ETH_TX_OFFLOAD_MULTI_SEGS | RTE_ETH_TX_OFFLOAD_VLAN_INSERT);
	assert_int_equal(pw_ring_size(&q.ring), 64);
	pw_bufs_fini(&q.bufs);
}

/* Nothing is held: the leak checker of a sanitized build would tell. */
static void
test_queue_init_refuses(void **state)
{
	const struct rte_eth_rxconf rx = { .rx_free_thresh = 64 };
	const struct rte_eth_txconf tx = { .tx_rs_thresh = 3 };
	struct pw_rxq rxq;
	struct pw_txq txq;

	(void)state;
	memset(&rxq, 0, sizeof(rxq));
	memset(&txq, 0, sizeof(txq));
	log_capture_start();
	assert_int_equal(pw_rxq_init(&rxq, &eth, 0, 64, SOCKET_ID_ANY, &rx), -EINVAL);
	log_capture_expect("0000:03:00.0: rx_free_thresh 64 refused");
	assert_null(rxq.bufs.slot);
	log_capture_start();
	assert_int_equal(pw_txq_init(&txq, &eth, 0, 64, SOCKET_ID_ANY, &tx), -EINVAL);
	log_capture_expect("0000:03:00.0: tx_rs_thresh 3");
	assert_null(txq.bufs.slot);
	/* A ring is a mask. */
	assert_int_equal(pw_rxq_init(&rxq, &eth, 0, 100, SOCKET_ID_ANY,
				     &(struct rte_eth_rxconf){ 0 }), -EINVAL);
}

/* Whole packets, across the end of the ring; what slots outside its used part hold is stale. */
static void
test_txq_drain(void **state)
{
	struct rte_mempool *mp = rte_pktmbuf_pool_create("drain", 15, 0, 0, 256, SOCKET_ID_ANY);
	struct pw_txq q;

	(void)state;
	assert_non_null(mp);
	memset(&q, 0, sizeof(q));
	assert_int_equal(pw_txq_init(&q, &eth, 0, 8, SOCKET_ID_ANY,
				     &(struct rte_eth_txconf){ 0 }), 0);
	q.ring.cons = 6;
	q.ring.prod = 9;
	for (uint32_t at = q.ring.cons; at != q.ring.prod; at++) {
		struct rte_mbuf *m = rte_pktmbuf_alloc(mp);

		assert_int_equal(rte_pktmbuf_chain(m, rte_pktmbuf_alloc(mp)), 0);
		q.bufs.slot[pw_ring_slot(&q.ring, at)] = m;
	}
	q.bufs.slot[7] = NULL;		/* a descriptor without a packet of its own */
	q.bufs.slot[2] = (struct rte_mbuf *)(uintptr_t)0xdead0000;
	assert_int_equal(rte_mempool_in_use_count(mp), 6);
	pw_txq_drain(&q);
	/* The two that the test itself took out of slot 7. */
	assert_int_equal(rte_mempool_in_use_count(mp), 2);
	assert_true(pw_ring_empty(&q.ring));
	for (unsigned int i = 0; i < 8; i++)
		assert_null(q.bufs.slot[i]);
	pw_txq_drain(&q);
	pw_bufs_fini(&q.bufs);
	rte_mempool_free(mp);
}

/* --- copies --- */

/* `segs` segments of 10 bytes, which count up. */
static struct rte_mbuf *
chain_of(struct rte_mempool *mp, unsigned int segs)
{
	struct rte_mbuf *m = NULL;

	for (unsigned int i = 0; i < segs; i++) {
		struct rte_mbuf *s = rte_pktmbuf_alloc(mp);
		char *p = rte_pktmbuf_append(s, 10);

		for (unsigned int k = 0; k < 10; k++)
			p[k] = 10 * i + k;
		if (m == NULL)
			m = s;
		else
			assert_int_equal(rte_pktmbuf_chain(m, s), 0);
	}
	return m;
}

static void
test_tx_copy(void **state)
{
	/* Room for 32 and for 128 bytes behind the headroom. */
	struct rte_mempool *small = rte_pktmbuf_pool_create("small", 15, 0, 0,
		RTE_PKTMBUF_HEADROOM + 32, SOCKET_ID_ANY);
	struct rte_mempool *large = rte_pktmbuf_pool_create("large", 15, 0, 0,
		RTE_PKTMBUF_HEADROOM + 128, SOCKET_ID_ANY);
	const struct {
		struct rte_mempool *fallback;
		uint32_t need;
		int rc;
		uint16_t segs;		/* of the copy of 60 bytes */
		struct rte_mempool *pool;
	} rows[] = {
		{ NULL, 0, 0, 2, small },
		{ NULL, 32, 0, 2, small },
		{ NULL, 33, -EINVAL, 6, small },
		{ small, 33, -EINVAL, 6, small },
		{ large, 33, 0, 1, large },
		{ large, 128, 0, 1, large },
		{ large, 129, -EINVAL, 6, small },
	};

	(void)state;
	assert_non_null(small);
	assert_non_null(large);
	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		struct pw_dma dma = { .linearized = 4 };
		const struct pw_txq q = { .dma = &dma, .fallback = rows[i].fallback };
		struct rte_mbuf *m = chain_of(small, 6), *old = m;
		uint8_t buf[60];
		const uint8_t *got;

		assert_int_equal(pw_tx_copy(&q, &m, rows[i].need), rows[i].rc);
		assert_int_equal(m == old, rows[i].rc != 0);
		assert_int_equal(dma.linearized, rows[i].rc == 0 ? 5 : 4);
		assert_int_equal(m->nb_segs, rows[i].segs);
		assert_ptr_equal(m->pool, rows[i].pool);
		assert_int_equal(m->pkt_len, 60);
		got = rte_pktmbuf_read(m, 0, 60, buf);
		for (unsigned int k = 0; k < 60; k++)
			assert_int_equal(got[k], k);
		rte_pktmbuf_free(m);
		assert_int_equal(rte_mempool_in_use_count(small), 0);
		assert_int_equal(rte_mempool_in_use_count(large), 0);
	}
	rte_mempool_free(small);
	rte_mempool_free(large);
}

/* The packet stays as it is, to be tried again. */
static void
test_tx_copy_waits_for_buffers(void **state)
{
	struct rte_mempool *mp = rte_pktmbuf_pool_create("out", 7, 0, 0,
		RTE_PKTMBUF_HEADROOM + 32, SOCKET_ID_ANY);
	struct pw_dma dma = { .linearized = 0 };
	const struct pw_txq q = { .dma = &dma };
	struct rte_mbuf *m, *old;

	(void)state;
	assert_non_null(mp);
	m = old = chain_of(mp, 6);	/* one is left, two are needed */
	assert_int_equal(pw_tx_copy(&q, &m, 0), -ENOMEM);
	assert_ptr_equal(m, old);
	assert_int_equal(m->nb_segs, 6);
	assert_int_equal(dma.linearized, 0);
	assert_int_equal(rte_mempool_in_use_count(mp), 6);
	rte_pktmbuf_free(m);
	rte_mempool_free(mp);
}

static void
test_queue_info(void **state)
{
	struct rte_mempool *mp = rte_pktmbuf_pool_create("i", 1, 0, 0, RTE_PKTMBUF_HEADROOM + 1600,
							 SOCKET_ID_ANY);
	static struct pw_rxq rxq = {
		.ring = { .mask = 511 }, .free_thresh = 48, .deferred_start = 1,
		.offloads = RTE_ETH_RX_OFFLOAD_CHECKSUM,
	};
	static struct pw_txq txq = {
		.ring = { .mask = 255 }, .free_thresh = 64, .rs_thresh = 16, .deferred_start = 1,
		.offloads = RTE_ETH_TX_OFFLOAD_MULTI_SEGS,
	};
	void *rxqs[] = { NULL, &rxq }, *txqs[] = { NULL, &txq };
	struct rte_eth_rxq_info rx = { 0 };
	struct rte_eth_txq_info tx = { 0 };

	(void)state;
	rxq.mp = mp;
	data.rx_queues = rxqs;
	data.tx_queues = txqs;
	data.scattered_rx = 1;
	pw_eth_rxq_info_op(&eth, 1, &rx);
	pw_eth_txq_info_op(&eth, 1, &tx);
	assert_ptr_equal(rx.mp, mp);
	assert_int_equal(rx.nb_desc, 512);
	assert_int_equal(rx.rx_buf_size, 1600);
	assert_int_equal(rx.scattered_rx, 1);
	assert_int_equal(rx.conf.rx_free_thresh, 48);
	assert_int_equal(rx.conf.rx_deferred_start, 1);
	assert_int_equal(rx.conf.offloads, RTE_ETH_RX_OFFLOAD_CHECKSUM);
	assert_int_equal(tx.nb_desc, 256);
	assert_int_equal(tx.conf.tx_free_thresh, 64);
	assert_int_equal(tx.conf.tx_rs_thresh, 16);
	assert_int_equal(tx.conf.tx_deferred_start, 1);
	assert_int_equal(tx.conf.offloads, RTE_ETH_TX_OFFLOAD_MULTI_SEGS);
	rte_mempool_free(mp);
}

/* --- MTU and link --- */

static void
test_check_mtu(void **state)
{
	/* 14 + 4 + 4 bytes beside the MTU for the chip, a second tag for the buffer. */
	static const struct {
		uint16_t mtu;
		uint32_t max_frame;
		bool started, scattered;
		uint32_t buf;
		const char *refused;
	} rows[] = {
		{ 1500, 1522, false, false, 0, NULL },
		{ 1501, 1522, false, false, 0, "MTU 1501 refused: the chip takes 68 to 1500" },
		{ 68, 1522, false, false, 0, NULL },
		{ 67, 1522, false, false, 0, "MTU 67" },
		{ 0, 1522, false, false, 0, "MTU 0" },
		{ 65535, 16384, false, false, 0, "68 to 16362" },
		{ 9000, 16384, false, false, 2048, NULL },
		{ 9000, 16384, true, true, 2048, NULL },
		{ 9000, 16384, true, false, 9026, NULL },
		{ 9000, 16384, true, false, 9025, "MTU 9000 refused: a frame does not fit one Rx "
		  "buffer of 9025 bytes" },
		{ 1500, 1522, true, false, 1526, NULL },
	};

	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		int rc;

		start(state);
		data.dev_started = rows[i].started;
		data.scattered_rx = rows[i].scattered;
		data.min_rx_buf_size = RTE_PKTMBUF_HEADROOM + rows[i].buf;
		log_capture_start();
		rc = pw_eth_check_mtu(&eth, rows[i].mtu, rows[i].max_frame);
		log_capture_expect(rows[i].refused);
		assert_int_equal(rc, rows[i].refused == NULL ? 0 : -EINVAL);
	}
}

static void
test_link_set_tells_changes(void **state)
{
	const struct pw_mii_link up = { .up = true, .autoneg = true, .full_duplex = true,
					.speed = 100 };
	const struct pw_mii_link down = { 0 };

	(void)state;
	assert_int_equal(pw_eth_link_set(&eth, &up), 0);
	assert_int_equal(data.dev_link.link_status, RTE_ETH_LINK_UP);
	assert_int_equal(data.dev_link.link_speed, 100);
	assert_int_equal(data.dev_link.link_duplex, RTE_ETH_LINK_FULL_DUPLEX);
	assert_int_equal(pw_eth_link_set(&eth, &up), -1);
	assert_int_equal(pw_eth_link_set(&eth, &down), 0);
	assert_int_equal(data.dev_link.link_status, RTE_ETH_LINK_DOWN);
	assert_int_equal(pw_eth_link_set(&eth, &down), -1);
}

/* --- tables --- */

struct counters {
	uint64_t crc, pad, missed;
};

static const struct pw_xstat xstats[] = {
	{ "rx_crc_errors", offsetof(struct counters, crc) },
	{ "rx_missed_errors", offsetof(struct counters, missed) },
};

static void
test_xstats(void **state)
{
	const struct counters c = { .crc = 7, .pad = 99, .missed = UINT64_MAX };
	struct rte_eth_xstat x[3] = { { 5, 5 }, { 5, 5 }, { 5, 5 } };

	(void)state;
	assert_int_equal(pw_xstats_get(&c, xstats, 2, NULL, 0), 2);
	assert_int_equal(pw_xstats_get(&c, xstats, 2, x, 1), 2);
	assert_int_equal(x[0].value, 5);
	assert_int_equal(pw_xstats_get(&c, xstats, 2, x, 3), 2);
	assert_int_equal(x[0].id, 0);
	assert_int_equal(x[0].value, 7);
	assert_int_equal(x[1].id, 1);
	assert_int_equal(x[1].value, UINT64_MAX);
	assert_int_equal(x[2].value, 5);
}

static void
test_xstats_names(void **state)
{
	struct rte_eth_xstat_name names[3];

	(void)state;
	memset(names, 'x', sizeof(names));
	assert_int_equal(pw_xstats_get_names(xstats, 2, NULL, 0), 2);
	assert_int_equal(pw_xstats_get_names(xstats, 2, names, 1), 2);
	assert_int_equal(names[0].name[0], 'x');
	assert_int_equal(pw_xstats_get_names(xstats, 2, names, 2), 2);
	assert_string_equal(names[0].name, "rx_crc_errors");
	assert_string_equal(names[1].name, "rx_missed_errors");
	assert_int_equal(names[2].name[0], 'x');
}

static uint8_t bar[64] __rte_aligned(8);
static const struct pw_io io = { .base = bar, .len = sizeof(bar) };
static const struct pw_reg regs[] = { { 0, "CTRL" }, { 8, "STATUS" }, { 60, "LAST" } };

static void
test_regs_dump(void **state)
{
	struct rte_dev_reg_info info = { 0 };
	uint32_t out[4] = { 0, 0, 0, 0x5a5a5a5a };

	(void)state;
	memset(bar, 0, sizeof(bar));
	bar[0] = 0x11;
	bar[9] = 0x22;
	bar[63] = 0x33;
	assert_int_equal(pw_regs_get(&io, regs, 3, 0x100e0002, &info), 0);
	assert_int_equal(info.length, 3);
	assert_int_equal(info.width, 4);
	info.data = out;
	assert_int_equal(pw_regs_get(&io, regs, 3, 0x100e0002, &info), 0);
	assert_int_equal(info.version, 0x100e0002);
	assert_int_equal(out[0], 0x11);
	assert_int_equal(out[1], 0x2200);
	assert_int_equal(out[2], 0x33000000);
	assert_int_equal(out[3], 0x5a5a5a5a);
	info.length = 0;
	assert_int_equal(pw_regs_get(&io, regs, 3, 0, &info), 0);
	assert_int_equal(info.length, 3);
}

static void
test_regs_dump_refuses(void **state)
{
	uint32_t out[4] = { 0 };
	struct rte_dev_reg_info part = { .data = out, .length = 2 };
	struct rte_dev_reg_info more = { .data = out, .length = 4 };
	struct rte_dev_reg_info later = { .data = out, .offset = 1, .length = 3 };
	struct rte_dev_reg_info all = { .data = out, .length = 3 };

	(void)state;
	assert_int_equal(pw_regs_get(&io, regs, 3, 0, &part), -EINVAL);
	assert_int_equal(pw_regs_get(&io, regs, 3, 0, &more), -EINVAL);
	assert_int_equal(pw_regs_get(&io, regs, 3, 0, &later), -EINVAL);
	memset(bar, 0xff, sizeof(bar));
	assert_int_equal(pw_regs_get(&io, regs, 3, 0, &all), -ENODEV);
	/* One register that is not all ones is a device. */
	bar[8] = 0xfe;
	assert_int_equal(pw_regs_get(&io, regs, 3, 0, &all), 0);
}

static uint16_t words[100];
static int read_rc;

static int
read_words(void *ctx, uint16_t word, uint16_t n, uint16_t *out)
{
	assert_ptr_equal(ctx, words);
	assert_in_range((uint32_t)word + n, 1, RTE_DIM(words));
	memcpy(out, &words[word], n * 2u);
	return read_rc;
}

static void
test_eeprom_dump(void **state)
{
	static const struct {
		uint32_t offset, length;
		int rc;
	} rows[] = {
		{ 0, 200, 0 },		/* more than one go */
		{ 0, 2, 0 },
		{ 198, 2, 0 },
		{ 10, 64, 0 },
		{ 10, 66, 0 },
		{ 0, 0, -EINVAL },
		{ 1, 2, -EINVAL },
		{ 0, 3, -EINVAL },
		{ 0, 202, -EINVAL },
		{ 198, 4, -EINVAL },
		{ 200, 2, -EINVAL },
		{ UINT32_MAX - 1, 2, -EINVAL },
		{ 2, UINT32_MAX - 1, -EINVAL },
	};
	uint8_t out[202];

	(void)state;
	read_rc = 0;
	for (unsigned int i = 0; i < RTE_DIM(words); i++)
		words[i] = (uint16_t)(2 * i | (2 * i + 1) << 8);
	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		/* An odd address: the caller's buffer need not be aligned. */
		struct rte_dev_eeprom_info info = {
			.data = &out[1], .offset = rows[i].offset, .length = rows[i].length,
		};

		memset(out, 0xee, sizeof(out));
		assert_int_equal(pw_eeprom_get(&eth, read_words, words, RTE_DIM(words), &info),
				 rows[i].rc);
		if (rows[i].rc != 0)
			continue;
		assert_int_equal(info.magic, 0x100e8086);
		/* Byte k of the part has value k. */
		for (uint32_t k = 0; k < rows[i].length; k++)
			assert_int_equal(out[1 + k], rows[i].offset + k);
		assert_int_equal(out[1 + rows[i].length], 0xee);
	}
}

static void
test_eeprom_dump_passes_errors_on(void **state)
{
	uint8_t out[4];
	struct rte_dev_eeprom_info info = { .data = out, .length = 4 };

	(void)state;
	read_rc = -EIO;
	assert_int_equal(pw_eeprom_get(&eth, read_words, words, RTE_DIM(words), &info), -EIO);
}

static unsigned int writes;
static int write_rc;

static int
write_words(void *ctx, uint16_t word, uint16_t n, const uint16_t *in)
{
	assert_ptr_equal(ctx, words);
	assert_in_range((uint32_t)word + n, 1, RTE_DIM(words));
	memcpy(&words[word], in, n * 2u);
	writes++;
	return write_rc;
}

/* Byte k of the part gets value k; everything beside it stays. */
static void
test_eeprom_write(void **state)
{
	static const struct {
		uint32_t offset, length;
	} rows[] = { { 0, 200 }, { 0, 2 }, { 198, 2 }, { 10, 66 } };
	uint8_t in[201];

	(void)state;
	write_rc = 0;
	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		/* An odd address: the caller's buffer need not be aligned. */
		const struct rte_dev_eeprom_info info = {
			.data = &in[1], .offset = rows[i].offset, .length = rows[i].length,
			.magic = 0x100e8086,
		};

		for (uint32_t k = 0; k < rows[i].length; k++)
			in[1 + k] = rows[i].offset + k;
		memset(words, 0xee, sizeof(words));
		writes = 0;
		log_capture_start();
		assert_int_equal(pw_eeprom_set(&eth, write_words, words, RTE_DIM(words), &info),
				 0);
		log_capture_expect(NULL);
		assert_int_equal(writes, 1);
		for (uint32_t k = 0; k < sizeof(words); k++)
			assert_int_equal(words[k / 2] >> 8 * (k & 1) & 0xff,
					 k - rows[i].offset < rows[i].length ? k : 0xee);
	}
}

static void
test_eeprom_write_refuses(void **state)
{
	static uint8_t in[202];
	static const struct {
		uint8_t *data;
		uint32_t offset, length, magic;
		const char *line;
	} rows[] = {
		{ in, 0, 2, 0x100f8086, "0000:03:00.0: EEPROM not written: magic 0x100f8086 is "
		  "not this card's 0x100e8086" },
		{ in, 0, 2, 0, "magic 0x00000000" },
		{ NULL, 0, 2, 0x100e8086, "EEPROM not written: 2 bytes at 0" },
		{ in, 0, 0, 0x100e8086, "0 bytes at 0: whole words of 200 bytes only" },
		{ in, 1, 2, 0x100e8086, "2 bytes at 1" },
		{ in, 0, 3, 0x100e8086, "3 bytes at 0" },
		{ in, 0, 202, 0x100e8086, "202 bytes at 0" },
		{ in, 198, 4, 0x100e8086, "4 bytes at 198" },
		{ in, 200, 2, 0x100e8086, "2 bytes at 200" },
		{ in, UINT32_MAX - 1, 2, 0x100e8086, "2 bytes at 4294967294" },
		{ in, 2, UINT32_MAX - 1, 0x100e8086, "4294967294 bytes at 2" },
	};

	(void)state;
	writes = 0;
	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		const struct rte_dev_eeprom_info info = {
			.data = rows[i].data, .offset = rows[i].offset, .length = rows[i].length,
			.magic = rows[i].magic,
		};

		log_capture_start();
		assert_int_equal(pw_eeprom_set(&eth, write_words, words, RTE_DIM(words), &info),
				 -EINVAL);
		log_capture_expect(rows[i].line);
	}
	assert_int_equal(writes, 0);
}

static void
test_eeprom_write_passes_errors_on(void **state)
{
	uint8_t in[4] = { 0 };
	const struct rte_dev_eeprom_info info = { .data = in, .length = 4, .magic = 0x100e8086 };

	(void)state;
	write_rc = -EIO;
	log_capture_start();
	assert_int_equal(pw_eeprom_set(&eth, write_words, words, RTE_DIM(words), &info), -EIO);
	log_capture_expect("0000:03:00.0: writing the EEPROM failed (Input/output error)");
}

/* 00:1b:21:0a:0b:0c, as it lies in an EEPROM. */
static void
test_eeprom_mac(void **state)
{
	static const struct rte_ether_addr want = { { 0x00, 0x1b, 0x21, 0x0a, 0x0b, 0x0c } };
	struct rte_ether_addr mac;

	(void)state;
	read_rc = 0;
	words[7] = 0x1b00;
	words[8] = 0x0a21;
	words[9] = 0x0c0b;
	assert_int_equal(pw_eeprom_mac(&dev, read_words, words, 7, &mac), 0);
	assert_memory_equal(&mac, &want, sizeof(mac));
	read_rc = -ENODEV;
	log_capture_start();
	assert_int_equal(pw_eeprom_mac(&dev, read_words, words, 7, &mac), -ENODEV);
	log_capture_expect("0000:03:00.0: cannot read the MAC address from the EEPROM (No such "
			   "device)");
}

static void
test_check_mac(void **state)
{
	static const struct {
		struct rte_ether_addr mac;
		const char *refused;
	} rows[] = {
		{ { { 0x00, 0x1b, 0x21, 0x0a, 0x0b, 0x0c } }, NULL },
		{ { { 0x02, 0x00, 0x00, 0x00, 0x00, 0x01 } }, NULL },
		{ { { 0x00, 0x00, 0x00, 0x00, 0x00, 0x00 } },
		  "0000:03:00.0: the EEPROM's MAC address is 00:00:00:00:00:00, which no card" },
		{ { { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } }, "is FF:FF:FF:FF:FF:FF, which no" },
		{ { { 0x01, 0x00, 0x5e, 0x00, 0x00, 0x01 } }, "is 01:00:5E:00:00:01, which no" },
	};

	(void)state;
	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		log_capture_start();
		assert_int_equal(pw_eth_check_mac(&dev, &rows[i].mac),
				 rows[i].refused == NULL ? 0 : -EADDRNOTAVAIL);
		log_capture_expect(rows[i].refused);
	}
}

/* --- descriptor status and burst mode --- */

static void
test_rx_desc_status(void **state)
{
	/* Five of eight hold buffers; the counters have wrapped. */
	const struct pw_ring r = { .prod = 3, .cons = UINT32_MAX - 1, .mask = 7 };

	(void)state;
	assert_int_equal(pw_eth_rx_desc_status(&r, 0, true), RTE_ETH_RX_DESC_DONE);
	assert_int_equal(pw_eth_rx_desc_status(&r, 0, false), RTE_ETH_RX_DESC_AVAIL);
	assert_int_equal(pw_eth_rx_desc_status(&r, 4, true), RTE_ETH_RX_DESC_DONE);
	assert_int_equal(pw_eth_rx_desc_status(&r, 4, false), RTE_ETH_RX_DESC_AVAIL);
	/* What software holds has no status of the device's. */
	assert_int_equal(pw_eth_rx_desc_status(&r, 5, true), RTE_ETH_RX_DESC_UNAVAIL);
	assert_int_equal(pw_eth_rx_desc_status(&r, 7, false), RTE_ETH_RX_DESC_UNAVAIL);
	assert_int_equal(pw_eth_rx_desc_status(&r, 8, true), -EINVAL);
	assert_int_equal(pw_eth_rx_desc_status(&r, UINT16_MAX, true), -EINVAL);
	/* cons is slot 6 */
	assert_int_equal(pw_ring_slot(&r, pw_eth_rx_desc_at(&r, 0)), 6);
	assert_int_equal(pw_ring_slot(&r, pw_eth_rx_desc_at(&r, 4)), 2);
}

static void
test_tx_desc_status(void **state)
{
	/* Five of eight wait to be sent: slots 6 7 0 1 2; 3 4 5 are free, 3 the next. */
	const struct pw_ring r = { .prod = 3, .cons = UINT32_MAX - 1, .mask = 7 };
	const struct pw_ring full = { .prod = 8, .cons = 0, .mask = 7 };

	(void)state;
	assert_int_equal(pw_eth_tx_desc_status(&r, 0, false), RTE_ETH_TX_DESC_DONE);
	assert_int_equal(pw_eth_tx_desc_status(&r, 2, false), RTE_ETH_TX_DESC_DONE);
	assert_int_equal(pw_eth_tx_desc_status(&r, 3, false), RTE_ETH_TX_DESC_FULL);
	assert_int_equal(pw_eth_tx_desc_status(&r, 3, true), RTE_ETH_TX_DESC_DONE);
	assert_int_equal(pw_eth_tx_desc_status(&r, 7, false), RTE_ETH_TX_DESC_FULL);
	assert_int_equal(pw_eth_tx_desc_status(&r, 8, true), -EINVAL);
	assert_int_equal(pw_eth_tx_desc_status(&full, 0, false), RTE_ETH_TX_DESC_FULL);
	assert_int_equal(pw_ring_slot(&r, pw_eth_tx_desc_at(&r, 0)), 3);
	assert_int_equal(pw_ring_slot(&r, pw_eth_tx_desc_at(&r, 3)), 6);
}

static void
test_burst_mode(void **state)
{
	static const char one, two, other;
	static const struct pw_burst_mode table[] = {
		{ &one, "Scalar" },
		{ &two, "Scalar, scattered" },
	};
	struct rte_eth_burst_mode mode = { .flags = UINT64_MAX };

	(void)state;
	assert_int_equal(pw_burst_mode_get(&other, table, 2, &mode), -EINVAL);
	assert_int_equal(pw_burst_mode_get(&two, table, 2, &mode), 0);
	assert_string_equal(mode.info, "Scalar, scattered");
	assert_int_equal(mode.flags, 0);
}

/* What bursts read lies in one line, and queues of different lcores share none. */
static void
test_queue_heads_are_cache_lines(void **state)
{
	(void)state;
	assert_int_equal(sizeof(struct pw_rxq) % RTE_CACHE_LINE_SIZE, 0);
	assert_int_equal(sizeof(struct pw_txq) % RTE_CACHE_LINE_SIZE, 0);
	assert_int_equal(offsetof(struct pw_rxq, dma) + sizeof(void *), RTE_CACHE_LINE_SIZE);
	assert_int_equal(offsetof(struct pw_txq, fallback) + sizeof(void *), RTE_CACHE_LINE_SIZE);
}

#define fresh(t) cmocka_unit_test_setup(t, start)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fresh(test_mbuf_init_word_is_a_fresh_mbuf),
		fresh(test_check_desc),
		fresh(test_refusals_name_the_port),
		fresh(test_tx_thresholds),
		fresh(test_rx_thresholds),
		fresh(test_rxq_init),
		fresh(test_txq_init),
		fresh(test_queue_init_refuses),
		fresh(test_txq_drain),
		fresh(test_tx_copy),
		fresh(test_tx_copy_waits_for_buffers),
		fresh(test_queue_info),
		fresh(test_check_mtu),
		fresh(test_link_set_tells_changes),
		fresh(test_xstats),
		fresh(test_xstats_names),
		fresh(test_regs_dump),
		fresh(test_regs_dump_refuses),
		fresh(test_eeprom_dump),
		fresh(test_eeprom_dump_passes_errors_on),
		fresh(test_eeprom_write),
		fresh(test_eeprom_write_refuses),
		fresh(test_eeprom_write_passes_errors_on),
		fresh(test_eeprom_mac),
		fresh(test_check_mac),
		fresh(test_rx_desc_status),
		fresh(test_tx_desc_status),
		fresh(test_burst_mode),
		fresh(test_queue_heads_are_cache_lines),
	};

	return cmocka_run_group_tests_name("ethdev", tests, eal_setup, eal_teardown);
}
