/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* The MTU: at its limits, beyond them, stopped and running. */

#include "conf.h"

static uint16_t
mtu_of(const struct fx_port *p)
{
	uint16_t mtu;

	assert_int_equal(rte_eth_dev_get_mtu(p->id, &mtu), 0);
	return mtu;
}

/* Frames that fill the MTU pass both ways, with a VLAN tag too. */
static void
fill_mtu(struct fx_port *p, uint16_t mtu)
{
	struct rte_mempool *old = p->pool, *mp;
	static struct fx_frame f;
	uint32_t len = mtu + RTE_ETHER_HDR_LEN;

	conf_frame(&f, RTE_MAX(len, CONF_MIN_FRAME), 1);
	conf_receives(p, &f);
	mp = conf_pool(127, len + RTE_VLAN_HLEN);
	p->pool = mp;
	conf_sends(p, &f, 0);
	if (conf_takes_tagged(p, mtu)) {
		conf_tag(&f, RTE_ETHER_TYPE_VLAN, 5);
		conf_receives(p, &f);
		conf_sends(p, &f, 0);
	}
	/* What was sent is reclaimed with later packets; stop gives it back. */
	conf_stop(p);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	conf_pool_free(mp);
	p->pool = old;
}

static void
test_mtu_set_while_stopped(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	const uint16_t mtus[] = {
		info.min_mtu, info.min_mtu + 1, 576, 1280, 1499, 1500, 1501, 1504, 2000, 2026,
		2048, 4000, 9000, info.max_mtu - 1, info.max_mtu,
	};
	unsigned int i;

	for (i = 0; i < RTE_DIM(mtus); i++) {
		if (mtus[i] > info.max_mtu)
			continue;
		conf_start_mtu(p, mtus[i]);
		assert_int_equal(mtu_of(p), mtus[i]);
		fill_mtu(p, mtus[i]);
		assert_int_equal(mtu_of(p), mtus[i]);
		conf_stop(p);
	}
	conf_proven("MTU update", "stopped", true);
}

static void
test_mtu_beyond_the_limits_is_refused(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	const uint16_t bad[] = { 0, info.min_mtu - 1, info.max_mtu + 1, UINT16_MAX };
	unsigned int i, running;

	fx_configure(p, NULL);
	for (running = 0; running < 2; running++) {
		for (i = 0; i < RTE_DIM(bad); i++) {
			assert_int_not_equal(rte_eth_dev_set_mtu(p->id, bad[i]), 0);
			assert_int_equal(mtu_of(p), RTE_ETHER_MTU);
		}
		if (!running)
			assert_int_equal(rte_eth_dev_start(p->id), 0);
	}
	fill_mtu(p, RTE_ETHER_MTU);
}

static void
test_mtu_in_the_configuration(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	const uint64_t scatter = info.rx_offload_capa & RTE_ETH_RX_OFFLOAD_SCATTER;
	const uint32_t mtus[] = { info.min_mtu, 1000, info.max_mtu };
	struct rte_eth_conf bad = { .rxmode.mtu = info.max_mtu + 1u };
	unsigned int i;

	for (i = 0; i < RTE_DIM(mtus); i++) {
		fx_start(p, &(struct fx_conf){ .eth.rxmode = { .mtu = mtus[i],
							       .offloads = scatter } });
		assert_int_equal(mtu_of(p), mtus[i]);
		fill_mtu(p, mtus[i]);
		conf_stop(p);
	}
	assert_int_not_equal(rte_eth_dev_configure(p->id, 1, 1, &bad), 0);
}

/* While running a port may say that it cannot; then all is as before. */
static void
test_mtu_set_while_running(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	const uint16_t mtus[] = { 1400, 1500, 1504, 2000, info.max_mtu, 9000, 1500, info.min_mtu };
	unsigned int i, taken = 0;
	uint16_t before;

	conf_start_mtu(p, RTE_ETHER_MTU);
	for (i = 0; i < RTE_DIM(mtus); i++) {
		if (mtus[i] > info.max_mtu)
			continue;
		before = mtu_of(p);
		if (rte_eth_dev_set_mtu(p->id, mtus[i]) == 0) {
			taken++;
			before = mtus[i];
		}
		assert_int_equal(mtu_of(p), before);
		fill_mtu(p, before);
	}
	conf_proven("MTU update", "running", taken > 0);
}

/* Without scattered Rx a buffer bounds it. */
static void
test_mtu_beyond_the_buffer_while_running(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	uint16_t before;

	fx_start(p, NULL);
	before = mtu_of(p);
	if (info.max_mtu > 4000) {
		assert_int_not_equal(rte_eth_dev_set_mtu(p->id, 4000), 0);
		assert_int_equal(mtu_of(p), before);
	}
	fill_mtu(p, before);
}

static const struct CMUnitTest tests[] = {
	CONF_TEST(test_mtu_set_while_stopped),
	CONF_TEST(test_mtu_beyond_the_limits_is_refused),
	CONF_TEST(test_mtu_in_the_configuration),
	CONF_TEST(test_mtu_set_while_running),
	CONF_TEST(test_mtu_beyond_the_buffer_while_running),
};

CONF_MAIN("mtu", tests)
