/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * e1000: Rx interrupts, on the models by the sim's one line (§2.2), and with MSI-X by the
 * registers that steer it. The link's interrupt is in test_e1000_link.c.
 */

#include "fixture.h"

#include <rte_epoll.h>
#include <rte_interrupts.h>

#include "../../drivers/net/e1000/e1000.h"

#define LONG_MS 60000

static uint32_t
reg(const struct fx_port *p, uint32_t off)
{
	return pw_model_bar_read(p->model, 0, off, 4);
}

static void
inject(struct fx_port *p)
{
	static struct fx_frame f;

	fx_frame_build(&f, &(struct fx_spec){ .payload = 50 });
	fx_inject(p, &f);
	fx_advance(p, 0);
}

static void
take(struct fx_port *p, uint16_t want)
{
	struct rte_mbuf *m[8];

	assert_int_equal(fx_rx(p, m, RTE_DIM(m)), want);
	rte_pktmbuf_free_bulk(m, want);
}

/* @return whether the queue's descriptor fired within `ms`. */
static bool
wakes(int ms)
{
	struct rte_epoll_event event;

	return rte_epoll_wait(RTE_EPOLL_PER_THREAD, &event, 1, ms) == 1;
}

static void
start(struct fx_port *p)
{
	fx_start(p, &(struct fx_conf){ .eth.intr_conf.rxq = 1 });
	assert_int_equal(rte_eth_dev_rx_intr_ctl_q(p->id, 0, RTE_EPOLL_PER_THREAD,
						   RTE_INTR_EVENT_ADD, NULL), 0);
}

static void
stop(struct fx_port *p)
{
	assert_int_equal(rte_eth_dev_rx_intr_ctl_q(p->id, 0, RTE_EPOLL_PER_THREAD,
						   RTE_INTR_EVENT_DEL, NULL), 0);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
}

static void
test_frame_wakes_a_sleeper(void **state)
{
	struct fx_port *p = *state;

	for (unsigned int i = 0; i < 3; i++) {	/* over stop and start */
		start(p);
		for (unsigned int k = 0; k < 5; k++) {
			assert_int_equal(rte_eth_dev_rx_intr_enable(p->id, 0), 0);
			assert_false(wakes(0));
			inject(p);
			assert_true(wakes(LONG_MS));
			assert_int_equal(rte_eth_dev_rx_intr_disable(p->id, 0), 0);
			take(p, 1);
		}
		stop(p);
		assert_int_equal(reg(p, E1000_IMS), 0);
	}
}

static void
test_masked_queue_stays_silent(void **state)
{
	struct fx_port *p = *state;

	start(p);
	inject(p);
	assert_false(wakes(0));
	assert_int_equal(rte_eth_dev_rx_intr_enable(p->id, 0), 0);
	assert_true(wakes(LONG_MS));
	assert_int_equal(rte_eth_dev_rx_intr_disable(p->id, 0), 0);
	assert_int_equal(reg(p, E1000_IMS), 0);
	take(p, 1);
	stop(p);
}

/* Between masking and unmasking: it fires on unmasking. */
static void
test_frame_while_masked_is_not_slept_through(void **state)
{
	struct fx_port *p = *state;

	start(p);
	assert_int_equal(rte_eth_dev_rx_intr_enable(p->id, 0), 0);
	inject(p);
	assert_true(wakes(LONG_MS));
	assert_int_equal(rte_eth_dev_rx_intr_disable(p->id, 0), 0);
	take(p, 1);
	inject(p);
	assert_int_equal(rte_eth_dev_rx_intr_enable(p->id, 0), 0);
	assert_true(wakes(LONG_MS));
	assert_int_equal(rte_eth_dev_rx_intr_disable(p->id, 0), 0);
	take(p, 1);
	stop(p);
}

/* 72d9269cd8, 667b9313f9 2015: link and Rx interrupt took each other's causes (§7.1). */
static void
test_link_handler_does_not_eat_the_frame(void **state)
{
	struct fx_port *p = *state;

	start(p);
	inject(p);
	e1000_interrupt(&rte_eth_devices[p->id]);	/* reads, and clears, the causes */
	assert_int_equal(reg(p, E1000_ICR) & E1000_ICR_RXT0, 0);
	assert_int_equal(rte_eth_dev_rx_intr_enable(p->id, 0), 0);
	assert_true(wakes(LONG_MS));
	assert_int_equal(rte_eth_dev_rx_intr_disable(p->id, 0), 0);
	take(p, 1);
	stop(p);
}

static int link_news;

static int
on_lsc(uint16_t port, enum rte_eth_event_type type, void *arg, void *ret)
{
	(void)port;
	(void)type;
	(void)arg;
	(void)ret;
	link_news++;
	return 0;
}

/* The other way round: masking finds the link's cause and tells. */
static void
test_rx_side_does_not_eat_the_link_change(void **state)
{
	struct fx_port *p = *state;
	struct e1000_adapter *ad = e1000_adapter_of(&rte_eth_devices[p->id]);

	link_news = 0;
	assert_int_equal(rte_eth_dev_callback_register(p->id, RTE_ETH_EVENT_INTR_LSC, on_lsc, NULL),
			 0);
	start(p);
	/* As where there is one descriptor for both: no handler runs. */
	e1000_intr_close(&rte_eth_devices[p->id]);
	assert_int_equal(rte_eth_dev_rx_intr_enable(p->id, 0), 0);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_LINK_DOWN, 1), 0);
	assert_int_equal(rte_eth_dev_rx_intr_disable(p->id, 0), 0);
	assert_int_equal(link_news, 1);
	assert_false(ad->hw.link.up);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_LINK_DOWN, 0), 0);
	assert_true(e1000_intr_open(&rte_eth_devices[p->id]));
	assert_int_equal(rte_eth_dev_callback_unregister(p->id, RTE_ETH_EVENT_INTR_LSC, on_lsc,
							 NULL), 0);
	stop(p);
}

/* The link's cause holds the line when the frame comes: no edge of its own. */
static void
test_frame_behind_a_link_change_is_not_slept_through(void **state)
{
	struct fx_port *p = *state;
	struct e1000_adapter *ad = e1000_adapter_of(&rte_eth_devices[p->id]);

	fx_start(p, &(struct fx_conf){ .eth.intr_conf = { .rxq = 1, .lsc = 1 } });
	assert_int_equal(rte_eth_dev_rx_intr_ctl_q(p->id, 0, RTE_EPOLL_PER_THREAD,
						   RTE_INTR_EVENT_ADD, NULL), 0);
	for (unsigned int i = 0; i < 5; i++) {
		assert_int_equal(pw_model_fault(p->model, PW_FAULT_LINK_DOWN, 1), 0);
		while (reg(p, E1000_STATUS) & E1000_STATUS_LU)
			;
		assert_int_equal(rte_eth_dev_rx_intr_disable(p->id, 0), 0);
		assert_int_equal(rte_eth_dev_rx_intr_enable(p->id, 0), 0);
		rte_spinlock_lock(&ad->intr_lock);
		assert_int_equal(pw_model_fault(p->model, PW_FAULT_LINK_DOWN, 0), 0);
		while (wakes(0))
			;
		inject(p);
		rte_spinlock_unlock(&ad->intr_lock);
		assert_true(wakes(LONG_MS));
		assert_int_equal(rte_eth_dev_rx_intr_disable(p->id, 0), 0);
		take(p, 1);
	}
	stop(p);
}

static void
test_not_asked_for_is_refused(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_dev_rx_intr_enable(p->id, 0), -ENOTSUP);
	assert_int_equal(rte_eth_dev_rx_intr_disable(p->id, 0), -ENOTSUP);
	assert_int_equal(reg(p, E1000_IMS), 0);
}

static void
test_no_descriptor_to_sleep_on_fails_start(void **state)
{
	struct fx_port *p = *state;
	struct pw_dev *dev = pw_dev_of(&rte_eth_devices[p->id]);
	struct rte_intr_handle *intr = dev->intr;

	fx_configure(p, &(struct fx_conf){ .eth.intr_conf.rxq = 1 });
	dev->intr = NULL;
	log_capture_start();
	assert_int_equal(rte_eth_dev_start(p->id), -ENOTSUP);
	log_capture_expect("Rx interrupts cannot be had here");
	assert_int_equal(rte_mempool_in_use_count(p->pool), 0);
	dev->intr = intr;
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	inject(p);
	take(p, 1);
}

/* --- 82574L ---------------------------------------------------------------------------------- */

static void
test_82574_by_one_line(void **state)
{
	static struct fx_port port;

	(void)state;
	fx_open(&port, "82574l", NULL);
	start(&port);
	for (unsigned int k = 0; k < 3; k++) {
		assert_int_equal(rte_eth_dev_rx_intr_enable(port.id, 0), 0);
		inject(&port);
		assert_true(wakes(LONG_MS));
		assert_int_equal(rte_eth_dev_rx_intr_disable(port.id, 0), 0);
		take(&port, 1);
	}
	stop(&port);
	fx_close(&port);
}

/* With MSI-X: vector 0 for the link, 1 for queue 0, which clears its cause itself (§2.1). */
static void
test_82574_msix_registers(void **state)
{
	static struct fx_port port;
	struct rte_intr_handle *intr;

	(void)state;
	fx_open(&port, "82574l", NULL);
	intr = pw_dev_of(&rte_eth_devices[port.id])->intr;
	fx_configure(&port, &(struct fx_conf){ .eth.intr_conf = { .rxq = 1, .lsc = 1 } });
	/* As under vfio-pci, less the kernel: it cannot be enabled, which start survives. */
	assert_int_equal(rte_intr_type_set(intr, RTE_INTR_HANDLE_VFIO_MSIX), 0);
	log_capture_start();
	assert_int_equal(rte_eth_dev_start(port.id), 0);
	free(log_capture_stop());
	assert_int_equal(reg(&port, E1000_IVAR), 8 << 16 | 9);
	assert_int_equal(reg(&port, E1000_EIAC), 1 << 20);
	assert_int_equal(reg(&port, E1000_EITR(1)), 0);
	assert_int_equal(rte_intr_vec_list_index_get(intr, 0), 1);
	assert_int_equal(e1000_rx_intr_enable(&rte_eth_devices[port.id], 0), 0);
	assert_int_equal(reg(&port, E1000_IMS), E1000_ICR_RXQ0);
	assert_int_equal(e1000_rx_intr_disable(&rte_eth_devices[port.id], 0), 0);
	assert_int_equal(reg(&port, E1000_IMS), 0);
	assert_int_equal(rte_eth_dev_stop(port.id), 0);
	assert_int_equal(rte_intr_type_set(intr, RTE_INTR_HANDLE_VDEV), 0);
	fx_close(&port);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, fx_port_setup, fx_port_teardown)
	const struct CMUnitTest tests[] = {
		T(frame_wakes_a_sleeper),
		T(masked_queue_stays_silent),
		T(frame_while_masked_is_not_slept_through),
		T(link_handler_does_not_eat_the_frame),
		T(rx_side_does_not_eat_the_link_change),
		T(frame_behind_a_link_change_is_not_slept_through),
		T(not_asked_for_is_refused),
		T(no_descriptor_to_sleep_on_fails_start),
		cmocka_unit_test(test_82574_by_one_line),
		cmocka_unit_test(test_82574_msix_registers),
	};

	return cmocka_run_group_tests_name("e1000_intr", tests, fx_setup, fx_teardown);
}
