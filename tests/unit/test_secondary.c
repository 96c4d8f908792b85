/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>

#include <pw_secondary.h>

#include "eal.h"

static struct rte_eth_dev_data data = { .name = "0000:03:00.0", .port_id = 3 };
static struct rte_eth_dev eth = { .data = &data };
static const struct eth_dev_ops ops = { PW_SECONDARY_OPS };

/* Each that takes the port alone; the others have tests of their own. */
static void
test_control_is_refused(void **state)
{
	int (*const refused[])(struct rte_eth_dev *) = {
		ops.dev_configure, ops.dev_start, ops.dev_stop, ops.dev_reset,
		ops.dev_set_link_up, ops.dev_set_link_down,
		ops.promiscuous_enable, ops.promiscuous_disable,
		ops.allmulticast_enable, ops.allmulticast_disable,
	};

	(void)state;
	for (size_t i = 0; i < RTE_DIM(refused); i++) {
		log_capture_start();
		assert_int_equal(refused[i](&eth), -EPERM);
		log_capture_expect("0000:03:00.0: a secondary process cannot control the port");
	}
}

static void
test_mtu_is_refused(void **state)
{
	(void)state;
	log_capture_start();
	assert_int_equal(ops.mtu_set(&eth, 1500), -EPERM);
	log_capture_expect("0000:03:00.0: a secondary process cannot control the port");
}

static void
test_close_leaves_the_port_alone(void **state)
{
	const struct rte_eth_dev_data before = data;

	(void)state;
	log_capture_start();
	assert_int_equal(ops.dev_close(&eth), 0);
	log_capture_expect(NULL);
	assert_memory_equal(&data, &before, sizeof(data));
}

static void
test_link_is_what_the_primary_saw(void **state)
{
	const struct rte_eth_link link = { .link_speed = 100, .link_status = RTE_ETH_LINK_UP };

	(void)state;
	data.dev_link = link;
	assert_int_equal(ops.link_update(&eth, 1), -1);
	assert_memory_equal(&data.dev_link, &link, sizeof(link));
}

static uint16_t
rx(void *queue, struct rte_mbuf **pkts, uint16_t n)
{
	(void)queue;
	(void)pkts;
	return n;
}

static uint16_t
tx(void *queue, struct rte_mbuf **pkts, uint16_t n)
{
	(void)queue;
	(void)pkts;
	return n;
}

static uint16_t
prepare(void *queue, struct rte_mbuf **pkts, uint16_t n)
{
	(void)queue;
	(void)pkts;
	return n;
}

static uint32_t
count(void *queue)
{
	(void)queue;
	return 0;
}

static int
rx_status(void *queue, uint16_t offset)
{
	(void)queue;
	return offset;
}

static int
tx_status(void *queue, uint16_t offset)
{
	(void)queue;
	return offset;
}

/* rte_eth_dev_stop() takes the burst functions away before it asks; the port is not stopped. */
static void
test_refused_stop_goes_on_polling(void **state)
{
	struct rte_eth_fp_ops *fp = &rte_eth_fp_ops[data.port_id];
	void *rxqs[1], *txqs[1];

	(void)state;
	memset(fp, 0, sizeof(*fp));
	data.rx_queues = rxqs;
	data.tx_queues = txqs;
	eth.rx_pkt_burst = rx;
	eth.tx_pkt_burst = tx;
	eth.tx_pkt_prepare = prepare;
	eth.rx_queue_count = count;
	eth.rx_descriptor_status = rx_status;
	eth.tx_descriptor_status = tx_status;
	log_capture_start();
	assert_int_equal(ops.dev_stop(&eth), -EPERM);
	log_capture_expect("0000:03:00.0: a secondary process cannot control the port");
	assert_ptr_equal(fp->rx_pkt_burst, rx);
	assert_ptr_equal(fp->tx_pkt_burst, tx);
	assert_ptr_equal(fp->tx_pkt_prepare, prepare);
	assert_ptr_equal(fp->rx_queue_count, count);
	assert_ptr_equal(fp->rx_descriptor_status, rx_status);
	assert_ptr_equal(fp->tx_descriptor_status, tx_status);
	assert_ptr_equal(fp->rxq.data, rxqs);
	assert_ptr_equal(fp->rxq.clbk, eth.post_rx_burst_cbs);
	assert_ptr_equal(fp->txq.data, txqs);
	assert_ptr_equal(fp->txq.clbk, eth.pre_tx_burst_cbs);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_control_is_refused),
		cmocka_unit_test(test_mtu_is_refused),
		cmocka_unit_test(test_close_leaves_the_port_alone),
		cmocka_unit_test(test_link_is_what_the_primary_saw),
		cmocka_unit_test(test_refused_stop_goes_on_polling),
	};

	return cmocka_run_group_tests_name("secondary", tests, eal_setup, eal_teardown);
}
