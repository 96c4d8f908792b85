/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* Configuring a port and its queues: what is within the limits works, the rest is refused. */

#include "conf.h"

static int
rx_setup(struct fx_port *p, uint16_t nb, const struct rte_eth_rxconf *conf, struct rte_mempool *mp)
{
	return rte_eth_rx_queue_setup(p->id, 0, nb, SOCKET_ID_ANY, conf, mp);
}

static int
tx_setup(struct fx_port *p, uint16_t nb, const struct rte_eth_txconf *conf)
{
	return rte_eth_tx_queue_setup(p->id, 0, nb, SOCKET_ID_ANY, conf);
}

static void
configure(struct fx_port *p)
{
	const struct rte_eth_conf none = { 0 };

	assert_int_equal(rte_eth_dev_configure(p->id, 1, 1, &none), 0);
}

/* --- number of queues ------------------------------------------------------------------ */

static void
test_more_queues_than_reported_are_refused(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	const struct rte_eth_conf none = { 0 };

	assert_int_not_equal(rte_eth_dev_configure(p->id, info.max_rx_queues + 1, 1, &none), 0);
	assert_int_not_equal(rte_eth_dev_configure(p->id, 1, info.max_tx_queues + 1, &none), 0);
	assert_int_not_equal(rte_eth_dev_configure(p->id, UINT16_MAX, UINT16_MAX, &none), 0);
	assert_int_equal(rte_eth_dev_configure(p->id, info.max_rx_queues, info.max_tx_queues,
					       &none), 0);
	fx_start(p, NULL);
	conf_pass(p, 1);
}

static void
test_queue_beyond_those_configured_is_refused(void **state)
{
	struct fx_port *p = *state;

	configure(p);
	assert_int_not_equal(rte_eth_rx_queue_setup(p->id, 1, 256, SOCKET_ID_ANY, NULL, p->pool),
			     0);
	assert_int_not_equal(rte_eth_tx_queue_setup(p->id, 1, 256, SOCKET_ID_ANY, NULL), 0);
}

static void
test_start_without_queues_is_refused(void **state)
{
	struct fx_port *p = *state;

	assert_int_not_equal(rte_eth_dev_start(p->id), 0);
	configure(p);
	assert_int_not_equal(rte_eth_dev_start(p->id), 0);
	assert_int_equal(rx_setup(p, 0, NULL, p->pool), 0);
	assert_int_not_equal(rte_eth_dev_start(p->id), 0);
	fx_start(p, NULL);
	conf_pass(p, 1);
}

/* One direction alone: a capture has no Tx queue, a generator need not have an Rx queue. */
static void
test_one_direction_works_or_is_refused(void **state)
{
	struct fx_port *p = *state;
	const struct rte_eth_conf none = { 0 };
	static struct fx_frame f;

	conf_frame(&f, 100, 1);
	if (rte_eth_dev_configure(p->id, 1, 0, &none) == 0) {
		assert_int_equal(rx_setup(p, 0, NULL, p->pool), 0);
		if (rte_eth_dev_start(p->id) == 0) {
			conf_receives(p, &f);
			conf_stop(p);
		}
	}
	if (rte_eth_dev_configure(p->id, 0, 1, &none) == 0) {
		assert_int_equal(tx_setup(p, 0, NULL), 0);
		if (rte_eth_dev_start(p->id) == 0) {
			conf_sends(p, &f, 0);
			conf_stop(p);
		}
	}
	fx_start(p, NULL);
	conf_pass(p, 1);
}

static void
test_running_port_is_not_reconfigured(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	const struct rte_eth_conf none = { 0 };

	fx_start(p, NULL);
	assert_int_equal(rte_eth_dev_configure(p->id, 1, 1, &none), -EBUSY);
	if ((info.dev_capa & RTE_ETH_DEV_CAPA_RUNTIME_RX_QUEUE_SETUP) == 0)
		assert_int_equal(rx_setup(p, 256, NULL, p->pool), -EBUSY);
	if ((info.dev_capa & RTE_ETH_DEV_CAPA_RUNTIME_TX_QUEUE_SETUP) == 0)
		assert_int_equal(tx_setup(p, 256, NULL), -EBUSY);
	conf_pass(p, 1);
}

static void
test_reconfigure_again_and_again(void **state)
{
	struct fx_port *p = *state;
	unsigned int i;

	for (i = 0; i < 20; i++) {
		fx_configure(p, NULL);
		assert_int_equal(rx_setup(p, 256, NULL, p->pool), 0);
		assert_int_equal(tx_setup(p, 256, NULL), 0);
		assert_int_equal(rte_eth_dev_start(p->id), 0);
		conf_pass(p, i);
		conf_stop(p);
	}
}

/* --- ring sizes ---------------------------------------------------------------------- */

static bool
fits(uint32_t nb, const struct rte_eth_desc_lim *lim)
{
	return nb >= lim->nb_min && nb <= lim->nb_max && nb % lim->nb_align == 0;
}

/* The sizes that others got wrong, and both ends of every limit. 0 asks for the default. */
static unsigned int
sizes(const struct rte_eth_desc_lim *lim, uint32_t *nb)
{
	const uint32_t list[] = {
		1, 2, 3, 4, 7, 8, 9, 31, 32, 33, 63, 64, 65, 80, 96, 100, 127, 128, 129, 200, 255,
		256, 257, 384, 500, 511, 512, 513, 1000, 1023, 1024, 1025, 1536, 2000, 2047, 2048,
		2049, 3000, 4000, 4095, 4096, 4097, 8192, 32768, 65535, lim->nb_min,
		lim->nb_min - 1u, lim->nb_min + 1u, lim->nb_min + lim->nb_align, lim->nb_max,
		lim->nb_max - 1u, lim->nb_max + 1u, lim->nb_max - lim->nb_align,
		lim->nb_max + lim->nb_align,
	};
	unsigned int n = 0, i;

	for (i = 0; i < RTE_DIM(list); i++)
		if (list[i] > 0 && list[i] <= UINT16_MAX)
			nb[n++] = list[i];
	return n;
}

static void
test_every_rx_ring_size_in_the_limits_works(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	struct rte_mempool *mp = conf_pool(8191, RTE_MBUF_DEFAULT_DATAROOM);
	struct rte_eth_rxq_info q;
	uint32_t nb[64];
	unsigned int n = sizes(&info.rx_desc_lim, nb), i;

	for (i = 0; i < n; i++) {
		configure(p);
		if (!fits(nb[i], &info.rx_desc_lim)) {
			assert_int_not_equal(rx_setup(p, nb[i], NULL, mp), 0);
			continue;
		}
		if (rx_setup(p, nb[i], NULL, mp) != 0)
			fail_msg("%u Rx descriptors are within the limits but refused", nb[i]);
		assert_int_equal(rte_eth_rx_queue_info_get(p->id, 0, &q), 0);
		assert_in_range(q.nb_desc, nb[i], info.rx_desc_lim.nb_max);
		assert_int_equal(tx_setup(p, 0, NULL), 0);
		assert_int_equal(rte_eth_dev_start(p->id), 0);
		conf_pass(p, RTE_MIN(3 * nb[i] + 5, 500u));
		conf_stop(p);
	}
	fx_configure(p, NULL);
	conf_pool_free(mp);
}

static void
test_every_tx_ring_size_in_the_limits_works(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	struct rte_eth_txq_info q;
	uint32_t nb[64];
	unsigned int n = sizes(&info.tx_desc_lim, nb), i;

	for (i = 0; i < n; i++) {
		configure(p);
		if (!fits(nb[i], &info.tx_desc_lim)) {
			assert_int_not_equal(tx_setup(p, nb[i], NULL), 0);
			continue;
		}
		if (tx_setup(p, nb[i], NULL) != 0)
			fail_msg("%u Tx descriptors are within the limits but refused", nb[i]);
		assert_int_equal(rte_eth_tx_queue_info_get(p->id, 0, &q), 0);
		assert_in_range(q.nb_desc, nb[i], info.tx_desc_lim.nb_max);
		assert_int_equal(rx_setup(p, 0, NULL, p->pool), 0);
		assert_int_equal(rte_eth_dev_start(p->id), 0);
		conf_pass(p, RTE_MIN(3 * nb[i] + 5, 500u));
		conf_stop(p);
	}
}

/* A program that asks ethdev to fit its numbers must get numbers that work. */
static void
test_adjusted_ring_sizes_are_accepted(void **state)
{
	static const uint16_t wish[] = { 1, 5, 100, 300, 1000, 2000, 3333, 60000 };
	struct fx_port *p = *state;
	struct rte_mempool *mp = conf_pool(8191, RTE_MBUF_DEFAULT_DATAROOM);
	unsigned int i;

	for (i = 0; i < RTE_DIM(wish); i++) {
		uint16_t rx = wish[i], tx = wish[i];

		configure(p);
		assert_int_equal(rte_eth_dev_adjust_nb_rx_tx_desc(p->id, &rx, &tx), 0);
		assert_int_equal(rx_setup(p, rx, NULL, mp), 0);
		assert_int_equal(tx_setup(p, tx, NULL), 0);
		assert_int_equal(rte_eth_dev_start(p->id), 0);
		conf_pass(p, 10);
		conf_stop(p);
	}
	fx_configure(p, NULL);
	conf_pool_free(mp);
}

/* --- thresholds ---------------------------------------------------------------------- */

/* The rules of DPDK's Intel drivers, which ours follow; 0 stands for the default. */
static bool
tx_thresh_rule(uint16_t nb, uint16_t rs, uint16_t free)
{
	if (rs == 0 && free == 0)
		return true;
	return rs + 2 < nb && free + 3 < nb && rs <= free && nb % rs == 0;
}

static void
test_tx_thresholds_are_honoured_or_refused(void **state)
{
	static const uint16_t value[] = {
		0, 1, 2, 3, 4, 8, 16, 31, 32, 33, 64, 100, 128, 250, 252, 253, 254, 255, 256, 257,
		65535,
	};
	struct fx_port *p = *state;
	struct rte_eth_txq_info q;
	unsigned int r, f;

	for (r = 0; r < RTE_DIM(value); r++) {
		for (f = 0; f < RTE_DIM(value); f++) {
			struct rte_eth_txconf conf = conf_info(p).default_txconf;

			if ((value[r] == 0) != (value[f] == 0))
				continue;
			conf.tx_rs_thresh = value[r];
			conf.tx_free_thresh = value[f];
			configure(p);
			assert_int_equal(tx_setup(p, 256, &conf) == 0,
					 tx_thresh_rule(256, value[r], value[f]));
			if (!tx_thresh_rule(256, value[r], value[f]) || value[r] == 0)
				continue;
			assert_int_equal(rte_eth_tx_queue_info_get(p->id, 0, &q), 0);
			assert_int_equal(q.conf.tx_rs_thresh, value[r]);
			assert_int_equal(q.conf.tx_free_thresh, value[f]);
		}
	}
}

static void
test_tx_thresholds_pass_traffic(void **state)
{
	static const struct {
		uint16_t rs, free;
	} row[] = { { 1, 1 }, { 1, 252 }, { 2, 64 }, { 32, 32 }, { 64, 252 }, { 128, 128 } };
	struct fx_port *p = *state;
	unsigned int i;

	for (i = 0; i < RTE_DIM(row); i++) {
		fx_start(p, &(struct fx_conf){ .tx.tx_rs_thresh = row[i].rs,
					       .tx.tx_free_thresh = row[i].free });
		conf_pass(p, 1000);
		conf_stop(p);
	}
}

static void
test_rx_free_threshold_is_honoured_or_refused(void **state)
{
	static const uint16_t value[] = { 1, 7, 32, 128, 254, 255, 256, 257, 65535 };
	struct fx_port *p = *state;
	struct rte_eth_rxq_info q;
	unsigned int i;

	for (i = 0; i < RTE_DIM(value); i++) {
		struct rte_eth_rxconf conf = conf_info(p).default_rxconf;

		conf.rx_free_thresh = value[i];
		configure(p);
		assert_int_equal(rx_setup(p, 256, &conf, p->pool) == 0, value[i] < 256);
		if (value[i] >= 256)
			continue;
		assert_int_equal(rte_eth_rx_queue_info_get(p->id, 0, &q), 0);
		assert_int_equal(q.conf.rx_free_thresh, value[i]);
		assert_int_equal(tx_setup(p, 0, NULL), 0);
		assert_int_equal(rte_eth_dev_start(p->id), 0);
		conf_pass(p, 600);
		conf_stop(p);
	}
}

static void
test_write_back_thresholds_are_honoured_or_refused(void **state)
{
	static const struct rte_eth_thresh row[] = {
		{ 0, 0, 0 }, { 1, 1, 0 }, { 8, 8, 0 }, { 16, 1, 1 }, { 31, 31, 1 }, { 31, 1, 4 },
		{ 31, 31, 31 }, { 63, 63, 63 }, { 64, 0, 0 }, { 0, 64, 0 }, { 0, 0, 64 },
		{ 255, 255, 255 },
	};
	struct fx_port *p = *state;
	unsigned int i;

	for (i = 0; i < RTE_DIM(row); i++) {
		struct rte_eth_rxconf rx = conf_info(p).default_rxconf;
		struct rte_eth_txconf tx = conf_info(p).default_txconf;
		struct rte_eth_rxq_info rxq;
		struct rte_eth_txq_info txq;

		rx.rx_thresh = row[i];
		tx.tx_thresh = row[i];
		configure(p);
		if (rx_setup(p, 256, &rx, p->pool) != 0)
			assert_int_equal(rx_setup(p, 256, NULL, p->pool), 0);
		if (tx_setup(p, 256, &tx) != 0)
			assert_int_equal(tx_setup(p, 256, NULL), 0);
		assert_int_equal(rte_eth_rx_queue_info_get(p->id, 0, &rxq), 0);
		assert_int_equal(rte_eth_tx_queue_info_get(p->id, 0, &txq), 0);
		assert_int_equal(rte_eth_dev_start(p->id), 0);
		/* Frames one at a time: none may wait for others to fill a group. */
		conf_pass(p, 300);
		conf_stop(p);
	}
}

/* --- buffers ------------------------------------------------------------------------- */

static void
test_smallest_rx_buffer_is_what_is_reported(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	struct rte_mempool *least = conf_pool(511, info.min_rx_bufsize);
	struct rte_mempool *less = conf_pool(511, info.min_rx_bufsize - 1);
	static struct fx_frame f;

	configure(p);
	assert_int_not_equal(rx_setup(p, 0, NULL, less), 0);
	assert_int_equal(rx_setup(p, 0, NULL, least), 0);
	/* Whether a frame of the full MTU has room is another question. */
	fx_configure(p, &(struct fx_conf){
		.pool = least, .mtu = info.min_mtu,
		.eth.rxmode.offloads = info.rx_offload_capa & RTE_ETH_RX_OFFLOAD_SCATTER,
	});
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	conf_frame(&f, CONF_MIN_FRAME, 1);
	conf_receives(p, &f);
	conf_stop(p);
	fx_configure(p, NULL);
	conf_pool_free(least);
	conf_pool_free(less);
}

static void
test_pool_too_small_for_the_ring_is_refused_at_start(void **state)
{
	struct fx_port *p = *state;
	struct rte_mempool *mp = conf_pool(63, RTE_MBUF_DEFAULT_DATAROOM);

	fx_configure(p, &(struct fx_conf){ .pool = mp, .nb_rxd = 256 });
	assert_int_not_equal(rte_eth_dev_start(p->id), 0);
	assert_int_equal(rte_mempool_in_use_count(mp), 0);
	fx_start(p, NULL);
	conf_pass(p, 1);
	conf_pool_free(mp);
}

static void
test_queue_info_says_what_was_asked_for(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_rxq_info rx;
	struct rte_eth_txq_info tx;
	uint16_t nb_txd = RTE_MIN(512, conf_info(p).tx_desc_lim.nb_max);

	fx_start(p, &(struct fx_conf){ .nb_rxd = 128, .nb_txd = nb_txd });
	assert_int_equal(rte_eth_rx_queue_info_get(p->id, 0, &rx), 0);
	assert_int_equal(rte_eth_tx_queue_info_get(p->id, 0, &tx), 0);
	assert_ptr_equal(rx.mp, p->pool);
	assert_int_equal(rx.nb_desc, 128);
	assert_int_equal(tx.nb_desc, nb_txd);
	assert_int_equal(rx.scattered_rx, 0);
	assert_in_range(rx.rx_buf_size, conf_info(p).min_rx_bufsize, RTE_MBUF_DEFAULT_DATAROOM);
	assert_int_equal(rx.queue_state, RTE_ETH_QUEUE_STATE_STARTED);
	assert_int_equal(tx.queue_state, RTE_ETH_QUEUE_STATE_STARTED);
	assert_int_not_equal(rte_eth_rx_queue_info_get(p->id, 1, &rx), 0);
	assert_int_not_equal(rte_eth_tx_queue_info_get(p->id, 1, &tx), 0);
	conf_stop(p);
	assert_int_equal(rte_eth_rx_queue_info_get(p->id, 0, &rx), 0);
	assert_int_equal(rte_eth_tx_queue_info_get(p->id, 0, &tx), 0);
	assert_int_equal(rx.queue_state, RTE_ETH_QUEUE_STATE_STOPPED);
	assert_int_equal(tx.queue_state, RTE_ETH_QUEUE_STATE_STOPPED);
}

static void
test_unsupported_modes_are_refused(void **state)
{
	static const struct rte_eth_conf bad[] = {
		{ .rxmode.mq_mode = RTE_ETH_MQ_RX_VMDQ_DCB_RSS },
		{ .rxmode.mq_mode = RTE_ETH_MQ_RX_DCB },
		{ .txmode.mq_mode = RTE_ETH_MQ_TX_DCB },
		{ .rx_adv_conf.rss_conf.rss_hf = UINT64_MAX },
		{ .link_speeds = RTE_ETH_LINK_SPEED_200G },
		{ .link_speeds = RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_200G },
	};
	struct fx_port *p = *state;
	unsigned int i;

	for (i = 0; i < RTE_DIM(bad); i++)
		if (rte_eth_dev_configure(p->id, 1, 1, &bad[i]) == 0)
			fail_msg("configuration %u was accepted", i);
	fx_start(p, NULL);
	conf_pass(p, 1);
	conf_proven("DCB", "mode", false);
	conf_proven("VMDq", "mode", false);
}

static const struct CMUnitTest tests[] = {
	CONF_TEST(test_more_queues_than_reported_are_refused),
	CONF_TEST(test_queue_beyond_those_configured_is_refused),
	CONF_TEST(test_start_without_queues_is_refused),
	CONF_TEST(test_one_direction_works_or_is_refused),
	CONF_TEST(test_running_port_is_not_reconfigured),
	CONF_TEST(test_reconfigure_again_and_again),
	CONF_TEST(test_every_rx_ring_size_in_the_limits_works),
	CONF_TEST(test_every_tx_ring_size_in_the_limits_works),
	CONF_TEST(test_adjusted_ring_sizes_are_accepted),
	CONF_TEST(test_tx_thresholds_are_honoured_or_refused),
	CONF_TEST(test_tx_thresholds_pass_traffic),
	CONF_TEST(test_rx_free_threshold_is_honoured_or_refused),
	CONF_TEST(test_write_back_thresholds_are_honoured_or_refused),
	CONF_TEST(test_smallest_rx_buffer_is_what_is_reported),
	CONF_TEST(test_pool_too_small_for_the_ring_is_refused_at_start),
	CONF_TEST(test_queue_info_says_what_was_asked_for),
	CONF_TEST(test_unsupported_modes_are_refused),
};

CONF_MAIN("setup", tests)
