/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>

#include <rte_interrupts.h>

#include <pw_attach.h>
#include <pw_event.h>

#include "eal.h"

static struct pw_dev dev = { .name = "0000:03:00.0" };
static struct rte_eth_dev *eth;
static unsigned int told[RTE_ETH_EVENT_MAX];
static bool *watched;		/* what must be true by the time of the event */

static int
note(uint16_t port, enum rte_eth_event_type event, void *arg, void *ret)
{
	(void)ret;
	assert_int_equal(port, eth->data->port_id);
	assert_ptr_equal(arg, told);
	assert_true(watched == NULL || *watched);
	told[event]++;
	return 0;
}

static int
port_make(void **state)
{
	if (eal_setup(state) != 0)
		return -1;
	eth = rte_eth_dev_allocate("event");
	if (eth == NULL)
		return -1;
	eth->data->dev_private = &dev;
	rte_eth_dev_probing_finish(eth);
	if (rte_eth_dev_callback_register(eth->data->port_id, RTE_ETH_EVENT_INTR_RMV, note,
					  told) != 0)
		return -1;
	return rte_eth_dev_callback_register(eth->data->port_id, RTE_ETH_EVENT_INTR_RESET, note,
					     told);
}

static int
port_free(void **state)
{
	eth->data->dev_private = NULL;	/* static, not EAL's to free */
	eth->data->rx_queues = NULL;
	rte_eth_dev_release_port(eth);
	return eal_teardown(state);
}

static int
start(void **state)
{
	(void)state;
	memset(told, 0, sizeof(told));
	watched = NULL;
	memset(&eth->data->dev_conf, 0, sizeof(eth->data->dev_conf));
	eth->data->nb_rx_queues = 1;
	dev.intr = NULL;
	return 0;
}

/* --- events --- */

static void
test_removal_is_told_once(void **state)
{
	bool gone = false;

	(void)state;
	eth->data->dev_conf.intr_conf.rmv = 1;
	/* Before anybody hears of it, for that one may come back here. */
	watched = &gone;
	log_capture_start();
	pw_event_removed(eth, &gone);
	log_capture_expect("0000:03:00.0: the card is gone: its registers read all ones");
	assert_true(gone);
	assert_int_equal(told[RTE_ETH_EVENT_INTR_RMV], 1);
	log_capture_start();
	pw_event_removed(eth, &gone);
	log_capture_expect(NULL);
	assert_int_equal(told[RTE_ETH_EVENT_INTR_RMV], 1);
}

/* intr_conf.rmv 0: logged, but no event. */
static void
test_removal_event_is_for_who_asked(void **state)
{
	bool gone = false;

	(void)state;
	log_capture_start();
	pw_event_removed(eth, &gone);
	log_capture_expect("0000:03:00.0: the card is gone");
	assert_int_equal(told[RTE_ETH_EVENT_INTR_RMV], 0);
}

static void
test_hang_is_told(void **state)
{
	(void)state;
	log_capture_start();
	rte_log_set_level_pattern("*", RTE_LOG_WARNING);
	pw_event_hang(eth, 2000);
	rte_log_set_level_pattern("*", RTE_LOG_ERR);
	log_capture_expect("0000:03:00.0: the transmitter has stood still for 2000 ms");
	assert_int_equal(told[RTE_ETH_EVENT_INTR_RESET], 1);
	assert_int_equal(told[RTE_ETH_EVENT_INTR_RMV], 0);
}

/* --- Rx interrupts --- */

/* An interrupt as EAL makes it for a card on vfio-pci; the file descriptor is any. */
static void
intr_make(enum rte_intr_handle_type type)
{
	dev.intr = rte_intr_instance_alloc(RTE_INTR_INSTANCE_F_PRIVATE);
	assert_non_null(dev.intr);
	assert_int_equal(rte_intr_type_set(dev.intr, type), 0);
	assert_int_equal(rte_intr_fd_set(dev.intr, 0), 0);
}

static void
intr_free(void)
{
	rte_intr_instance_free(dev.intr);
}

static void
expect_closed(void)
{
	pw_event_rx_close(eth);
	assert_false(rte_intr_dp_is_en(dev.intr));
	assert_int_equal(rte_intr_vec_list_index_get(dev.intr, 0) < 0, 1);
	pw_event_rx_close(eth);		/* nothing to undo */
}

static void
test_each_queue_has_its_vector(void **state)
{
	(void)state;
	intr_make(RTE_INTR_HANDLE_VFIO_MSIX);
	eth->data->nb_rx_queues = 2;
	assert_int_equal(pw_event_rx_open(eth, true), 0);
	/* EAL has vector 0 for everything else, and Rx begins at 1. */
	assert_int_equal(rte_intr_vec_list_index_get(dev.intr, 0), 1);
	assert_int_equal(rte_intr_vec_list_index_get(dev.intr, 1), 2);
	assert_true(rte_intr_allow_others(dev.intr));
	assert_int_equal(rte_intr_nb_efd_get(dev.intr), 2);
	expect_closed();
	intr_free();
}

static void
test_one_vector_for_all_queues(void **state)
{
	(void)state;
	intr_make(RTE_INTR_HANDLE_VFIO_MSIX);
	eth->data->nb_rx_queues = 2;
	assert_int_equal(pw_event_rx_open(eth, false), 0);
	assert_int_equal(rte_intr_vec_list_index_get(dev.intr, 0), 1);
	assert_int_equal(rte_intr_vec_list_index_get(dev.intr, 1), 1);
	assert_int_equal(rte_intr_nb_efd_get(dev.intr), 1);
	expect_closed();
	intr_free();
}

/* A line, or the one message of MSI: the application sleeps on what there is, number 0. */
static void
test_one_vector_for_everything(void **state)
{
	(void)state;
	intr_make(RTE_INTR_HANDLE_VFIO_LEGACY);
	assert_int_equal(pw_event_rx_open(eth, false), 0);
	assert_int_equal(rte_intr_vec_list_index_get(dev.intr, 0), 0);
	assert_false(rte_intr_allow_others(dev.intr));
	expect_closed();
	intr_free();
}

static void
test_no_rx_interrupts(void **state)
{
	(void)state;
	log_capture_start();
	assert_int_equal(pw_event_rx_open(eth, false), -ENOTSUP);
	log_capture_expect("0000:03:00.0: Rx interrupts cannot be had here");
	pw_event_rx_close(eth);
	/* A virtual device that has set none up. */
	intr_make(RTE_INTR_HANDLE_VDEV);
	log_capture_start();
	assert_int_equal(pw_event_rx_open(eth, false), -ENOTSUP);
	log_capture_expect("0000:03:00.0: Rx interrupts cannot be had here");
	intr_free();
}

#define fresh(t) cmocka_unit_test_setup(t, start)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fresh(test_removal_is_told_once),
		fresh(test_removal_event_is_for_who_asked),
		fresh(test_hang_is_told),
		fresh(test_each_queue_has_its_vector),
		fresh(test_one_vector_for_all_queues),
		fresh(test_one_vector_for_everything),
		fresh(test_no_rx_interrupts),
	};

	return cmocka_run_group_tests_name("event", tests, port_make, port_free);
}
