/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* e1000: attach, configuration, what can be looked at, and removal; on the 82540EM's model. */

#include "fixture.h"

#include <rte_bus_vdev.h>
#include <rte_malloc.h>
#include <rte_memzone.h>

#include "../../drivers/net/e1000/e1000.h"

/* --- attach -------------------------------------------------------------------------------- */

static void
test_mac_address_comes_from_the_eeprom(void **state)
{
	static const struct rte_ether_addr want = { { 0x00, 0x1b, 0x21, 0xab, 0xcd, 0xef } };
	static struct fx_port p;

	(void)state;
	fx_open(&p, "82540em", "mac=00:1b:21:ab:cd:ef");
	assert_memory_equal(&p.mac, &want, sizeof(want));
	fx_close(&p);
}

static void
test_cards_that_cannot_be_used_are_refused(void **state)
{
	(void)state;
	fx_refused("chip=82540em,wire=refused,fault=eeprom_corrupt", -EBADMSG,
		   "EEPROM checksum is 0x");
	fx_refused("chip=82540em,wire=refused,fault=eeprom_silent", -EIO,
		   "EEPROM does not answer");
	fx_refused("chip=82540em,wire=refused,fault=eeprom_zero_mac", -EADDRNOTAVAIL,
		   "MAC address is 00:00:00:00:00:00");
	fx_refused("chip=82540em,wire=refused,fault=stuck_reset", -ETIMEDOUT,
		   "reset does not complete");
	fx_refused("chip=82540em,wire=refused,fault=phy_silent", -ETIMEDOUT,
		   "the PHY does not answer");
	fx_refused("chip=82540em,wire=refused,fault=removed", -ENODEV, "all ones");
}

/* Whatever a port takes, it gives back; refused ones too. */
static void
test_nothing_is_left_behind(void **state)
{
	struct rte_malloc_socket_stats before, after;
	static struct fx_port p;

	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		fx_open(&p, "82540em", NULL);
		fx_start(&p, NULL);
		fx_close(&p);
		log_capture_start();
		assert_int_equal(rte_vdev_init("net_pw_sim_bad", "chip=82540em,"
					       "fault=eeprom_corrupt"), -EBADMSG);
		free(log_capture_stop());
		assert_int_equal(rte_malloc_get_socket_stats(0, i == 1 ? &before : &after), 0);
	}
	assert_int_equal(after.alloc_count, before.alloc_count);
	assert_int_equal(after.heap_allocsz_bytes, before.heap_allocsz_bytes);
}

static void
test_close_without_configuration(void **state)
{
	static struct fx_port p;

	(void)state;
	fx_open(&p, "82540em", NULL);
	fx_close(&p);
}

static void
test_two_ports_do_not_mix(void **state)
{
	static struct fx_port a, b;
	static struct fx_frame f;
	struct rte_mbuf *m;

	(void)state;
	fx_open(&a, "82540em", NULL);
	fx_open(&b, "82540em", NULL);
	fx_start(&a, NULL);
	fx_start(&b, NULL);
	fx_frame_build(&f, &(struct fx_spec){ .payload = 60 });
	fx_inject(&a, &f);
	assert_int_equal(fx_rx(&b, &m, 1), 0);
	assert_int_equal(fx_rx(&a, &m, 1), 1);
	fx_expect_mbuf(m, &f);
	fx_close(&a);
	fx_inject(&b, &f);
	assert_int_equal(fx_rx(&b, &m, 1), 1);
	fx_expect_mbuf(m, &f);
	fx_close(&b);
}

/* --- what the port says of itself ---------------------------------------------------------- */

/* c1a42d6464 2023: two queues were claimed for chips that have one (§7.1). */
static void
test_capabilities(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info;

	assert_int_equal(rte_eth_dev_info_get(p->id, &info), 0);
	assert_int_equal(info.max_rx_queues, 1);
	assert_int_equal(info.max_tx_queues, 1);
	assert_int_equal(info.max_mac_addrs, 15);
	assert_int_equal(info.max_rx_pktlen, 16128);
	assert_int_equal(info.max_mtu, 16128 - 14 - 4 - 4);
	assert_int_equal(info.min_rx_bufsize, 256);
	assert_int_equal(info.rx_desc_lim.nb_max, 4096);
	/* What one queue cannot have by itself. */
	assert_int_equal(info.rx_offload_capa & ~info.rx_queue_offload_capa,
			 RTE_ETH_RX_OFFLOAD_VLAN_STRIP | RTE_ETH_RX_OFFLOAD_VLAN_FILTER |
			 RTE_ETH_RX_OFFLOAD_KEEP_CRC);
	assert_int_equal(info.tx_offload_capa & ~info.tx_queue_offload_capa,
			 RTE_ETH_TX_OFFLOAD_VLAN_INSERT);
	assert_int_equal(info.flow_type_rss_offloads, 0);
	assert_int_equal(info.speed_capa, RTE_ETH_LINK_SPEED_10M_HD | RTE_ETH_LINK_SPEED_10M |
			 RTE_ETH_LINK_SPEED_100M_HD | RTE_ETH_LINK_SPEED_100M |
			 RTE_ETH_LINK_SPEED_1G);
	assert_int_equal(rte_eth_dev_get_supported_ptypes(p->id, RTE_PTYPE_ALL_MASK, NULL, 0), 0);
}

static void
test_queue_requests_are_honoured_or_refused(void **state)
{
	static const struct {
		uint16_t nb;
		uint16_t rs, free;
		uint8_t pth, hth, wth;
		bool deferred;
		uint16_t ring;		/* what it is rounded up to, if not nb itself */
		const char *why;	/* NULL: honoured */
	} t[] = {
		{ .nb = 32 }, { .nb = 4096 }, { .nb = 256, .pth = 63, .hth = 63, .wth = 1 },
		{ .nb = 256, .rs = 1, .free = 1, .wth = 5 },
		{ .nb = 224, .ring = 256 }, { .nb = 96, .ring = 128 }, { .nb = 4064, .ring = 4096 },
		{ .nb = 256, .rs = 33, .free = 100, .why = "must divide" },
		{ .nb = 256, .rs = 64, .free = 32, .why = "must not be above tx_free_thresh" },
		{ .nb = 256, .rs = 1, .free = 253, .why = "minus 3" },
		{ .nb = 256, .rs = 256, .free = 200, .why = "minus 2" },
		{ .nb = 256, .pth = 64, .why = "prefetch and host take 0 to 63" },
		{ .nb = 256, .hth = 200, .why = "prefetch and host take 0 to 63" },
		{ .nb = 256, .wth = 64, .why = "write-back 0 to 63" },
		{ .nb = 256, .wth = 5, .why = "needs tx_rs_thresh 1" },
		{ .nb = 256, .deferred = true },
	};
	struct fx_port *p = *state;

	fx_configure(p, NULL);
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		struct rte_eth_txconf conf = {
			.tx_thresh = { t[i].pth, t[i].hth, t[i].wth },
			.tx_rs_thresh = t[i].rs,
			.tx_free_thresh = t[i].free,
			.tx_deferred_start = t[i].deferred,
		};
		struct rte_eth_txq_info info;

		log_capture_start();
		assert_int_equal(rte_eth_tx_queue_setup(p->id, 0, t[i].nb, SOCKET_ID_ANY, &conf),
				 t[i].why == NULL ? 0 : -EINVAL);
		log_capture_expect(t[i].why);
		if (t[i].why != NULL)
			continue;
		assert_int_equal(rte_eth_tx_queue_info_get(p->id, 0, &info), 0);
		assert_int_equal(info.nb_desc, t[i].ring != 0 ? t[i].ring : t[i].nb);
		assert_int_equal(info.conf.tx_deferred_start, t[i].deferred);
		assert_int_equal(info.conf.tx_thresh.pthresh, t[i].pth);
		assert_int_equal(info.conf.tx_thresh.hthresh, t[i].hth);
		assert_int_equal(info.conf.tx_thresh.wthresh, t[i].wth);
	}
}

static void
test_rx_queue_requests_are_honoured_or_refused(void **state)
{
	struct fx_port *p = *state;
	struct rte_mempool *tiny = rte_pktmbuf_pool_create("tiny", 63, 0, 0,
		RTE_PKTMBUF_HEADROOM + 255, SOCKET_ID_ANY);
	struct rte_eth_rxconf conf = { .rx_thresh = { 8, 8, 64 } };
	struct rte_eth_rxq_info info;

	assert_non_null(tiny);
	fx_configure(p, NULL);
	log_capture_start();
	assert_int_equal(rte_eth_rx_queue_setup(p->id, 0, 256, SOCKET_ID_ANY, &conf, p->pool),
			 -EINVAL);
	log_capture_expect("write-back 0 to 63");
	conf = (struct rte_eth_rxconf){ .rx_free_thresh = 256 };
	log_capture_start();
	assert_int_equal(rte_eth_rx_queue_setup(p->id, 0, 256, SOCKET_ID_ANY, &conf, p->pool),
			 -EINVAL);
	log_capture_expect("rx_free_thresh 256 refused");
	conf = (struct rte_eth_rxconf){ .rx_deferred_start = 1 };
	assert_int_equal(rte_eth_rx_queue_setup(p->id, 0, 256, SOCKET_ID_ANY, &conf, p->pool), 0);
	assert_int_equal(rte_eth_rx_queue_info_get(p->id, 0, &info), 0);
	assert_int_equal(info.conf.rx_deferred_start, 1);
	assert_int_equal(rte_eth_rx_queue_setup(p->id, 0, 96, SOCKET_ID_ANY, NULL, p->pool), 0);
	assert_int_equal(rte_eth_rx_queue_info_get(p->id, 0, &info), 0);
	assert_int_equal(info.nb_desc, 128);
	assert_int_equal(rte_eth_rx_queue_setup(p->id, 0, 32, SOCKET_ID_ANY, NULL, tiny), -EINVAL);

	conf = (struct rte_eth_rxconf){ .rx_thresh = { 1, 2, 3 }, .rx_free_thresh = 7 };
	assert_int_equal(rte_eth_rx_queue_setup(p->id, 0, 32, SOCKET_ID_ANY, &conf, p->pool), 0);
	assert_int_equal(rte_eth_rx_queue_info_get(p->id, 0, &info), 0);
	assert_int_equal(info.conf.rx_thresh.pthresh, 1);
	assert_int_equal(info.conf.rx_thresh.hthresh, 2);
	assert_int_equal(info.conf.rx_thresh.wthresh, 3);
	assert_int_equal(info.conf.rx_free_thresh, 7);
	assert_int_equal(info.rx_buf_size, 2048);
	rte_mempool_free(tiny);
}

static void
test_unknown_loopback_is_refused(void **state)
{
	struct rte_eth_conf conf = { .lpbk_mode = 2 };
	struct fx_port *p = *state;

	log_capture_start();
	assert_int_equal(rte_eth_dev_configure(p->id, 1, 1, &conf), -ENOTSUP);
	free(log_capture_stop());
	fx_configure(p, NULL);
}

/* --- dumps --------------------------------------------------------------------------------- */

static void
test_register_dump(void **state)
{
	struct fx_port *p = *state;
	struct rte_dev_reg_info info = { 0 };
	uint32_t *data;
	unsigned int found = 0;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_dev_get_reg_info(p->id, &info), 0);
	assert_int_equal(info.width, 4);
	assert_in_range(info.length, 30, 60);
	data = calloc(info.length, 4);
	assert_non_null(data);
	info.data = data;
	assert_int_equal(rte_eth_dev_get_reg_info(p->id, &info), 0);
	assert_int_equal(info.version, 0x100e << 16 | 2);
	/* RDLEN and TDLEN of 256 descriptors of 16 bytes. */
	for (uint32_t i = 0; i < info.length; i++)
		found += data[i] == 256 * 16;
	assert_int_equal(found, 2);
	free(data);
	info = (struct rte_dev_reg_info){ .data = &found, .offset = 1, .length = 1 };
	assert_int_equal(rte_eth_dev_get_reg_info(p->id, &info), -EINVAL);
}

static void
test_eeprom_dump(void **state)
{
	struct fx_port *p = *state;
	struct rte_dev_eeprom_info info = { 0 };
	uint8_t data[128];
	uint16_t sum = 0;

	assert_int_equal(rte_eth_dev_get_eeprom_length(p->id), 128);
	info.data = data;
	info.length = 128;
	assert_int_equal(rte_eth_dev_get_eeprom(p->id, &info), 0);
	assert_memory_equal(data, p->mac.addr_bytes, 6);
	/* §4.1: words 0 to 0x3f add up to 0xbaba. */
	for (unsigned int i = 0; i < 128; i += 2)
		sum += data[i] | data[i + 1] << 8;
	assert_int_equal(sum, 0xbaba);
	info = (struct rte_dev_eeprom_info){ .data = data, .offset = 2, .length = 2 };
	assert_int_equal(rte_eth_dev_get_eeprom(p->id, &info), 0);
	assert_memory_equal(data, p->mac.addr_bytes + 2, 2);
	info = (struct rte_dev_eeprom_info){ .data = data, .offset = 126, .length = 4 };
	assert_int_equal(rte_eth_dev_get_eeprom(p->id, &info), -EINVAL);
	info = (struct rte_dev_eeprom_info){ .data = data, .offset = 1, .length = 2 };
	assert_int_equal(rte_eth_dev_get_eeprom(p->id, &info), -EINVAL);
}

static void
test_firmware_version(void **state)
{
	struct fx_port *p = *state;
	char text[16];

	/* The model's word 5 is that of a blank part. */
	assert_int_equal(rte_eth_dev_fw_version_get(p->id, text, sizeof(text)), 0);
	assert_string_equal(text, "none");
	assert_int_equal(rte_eth_dev_fw_version_get(p->id, text, 3), 5);
}

/* --- reset, and life without it ------------------------------------------------------------ */

/* One table of operations serves copper and fibre; no chip of the family reaches a module. */
static void
test_no_card_has_a_module_to_ask(void **state)
{
	struct rte_eth_dev_module_info info = { 0 };
	struct rte_dev_eeprom_info eeprom = { .length = 1, .data = &info };
	struct fx_port *p = *state;

	assert_null(rte_eth_devices[p->id].dev_ops->get_module_info);
	assert_null(rte_eth_devices[p->id].dev_ops->get_module_eeprom);
	assert_int_equal(rte_eth_dev_get_module_info(p->id, &info), -ENOTSUP);
	assert_int_equal(rte_eth_dev_get_module_eeprom(p->id, &eeprom), -ENOTSUP);
}

static void
test_stop_ends_all_dma(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	assert_int_equal(pw_model_bar_read(p->model, 0, E1000_RCTL, 4) & E1000_RCTL_EN, 0);
	assert_int_equal(pw_model_bar_read(p->model, 0, E1000_TCTL, 4) & E1000_TCTL_EN, 0);
	fx_frame_build(&f, &(struct fx_spec){ .payload = 60 });
	for (unsigned int i = 0; i < 10; i++)
		pw_model_receive(p->model, f.data, f.len, 0);
	assert_int_equal(pw_model_violations(p->model, PW_VIOL_MAX), 0);
}

static void
test_start_fails_when_reset_sticks(void **state)
{
	struct fx_port *p = *state;

	fx_configure(p, NULL);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_STUCK_RESET, 1), 0);
	log_capture_start();
	assert_int_equal(rte_eth_dev_start(p->id), -ETIMEDOUT);
	log_capture_expect("reset does not complete");
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_STUCK_RESET, 0), 0);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
}

/* QEMU's card resets nothing (§1.3): start must not rely on registers being zero. */
static void
test_start_on_a_card_that_forgets_nothing(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;

	fx_start(p, NULL);
	fx_frame_build(&f, &(struct fx_spec){ .payload = 60 });
	for (unsigned int round = 0; round < 3; round++) {
		for (unsigned int i = 0; i < 10; i++) {
			fx_inject(p, &f);
			assert_int_equal(fx_rx(p, &m, 1), 1);
			fx_tx(p, &m, 1);
			fx_expect_sent(p, &f);
		}
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
		/* As it would be if the reset had been ignored. */
		pw_model_bar_write(p->model, 0, E1000_RDH(0), 7, 4);
		pw_model_bar_write(p->model, 0, E1000_TDH(0), 9, 4);
		pw_model_bar_write(p->model, 0, E1000_VFTA(3), 0xffffffff, 4);
		assert_int_equal(rte_eth_dev_start(p->id), 0);
	}
	assert_int_equal(pw_model_bar_read(p->model, 0, E1000_VFTA(3), 4), 0);
}

/* --- surprise removal ---------------------------------------------------------------------- */

static void
vanish(struct fx_port *p, uint64_t tx_offloads)
{
	static struct rte_mbuf *m[FX_NB_DESC];
	static struct fx_frame f;
	uint64_t before;
	uint16_t sent = 0, n;

	fx_start(p, &(struct fx_conf){ .eth.txmode.offloads = tx_offloads });
	fx_frame_build(&f, &(struct fx_spec){ .payload = 60 });
	for (unsigned int i = 0; i < 20; i++)
		fx_inject(p, &f);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_REMOVED, 1), 0);
	assert_int_equal(fx_rx(p, m, 32), 0);
	for (unsigned int i = 0; i < FX_NB_DESC; i++)
		m[i] = fx_mbuf(p->pool, &f, 0);
	for (unsigned int i = 0; i < 10; i++)
		sent += rte_eth_tx_burst(p->id, 0, m + sent, FX_NB_DESC - sent);
	assert_in_range(sent, FX_NB_DESC - 2, FX_NB_DESC - 1);
	n = FX_NB_DESC - sent;
	rte_pktmbuf_free_bulk(m + sent, n);
	assert_int_equal(rte_eth_promiscuous_enable(p->id), 0);
	assert_int_equal(rte_eth_promiscuous_disable(p->id), 0);
	/* Every wait ends, and at once. */
	before = pw_clock_now(&fx_clock);
	log_capture_start();
	rte_eth_dev_stop(p->id);
	free(log_capture_stop());
	assert_true(pw_clock_now(&fx_clock) - before < UINT64_C(1000000000));
	assert_int_equal(rte_mempool_in_use_count(p->pool), 0);
	log_capture_start();
	assert_int_equal(rte_eth_dev_start(p->id), -ENODEV);
	log_capture_expect("all ones");
}

static void
test_removal_while_running(void **state)
{
	vanish(*state, RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE);
}

static void
test_removal_while_running_on_the_full_path(void **state)
{
	vanish(*state, RTE_ETH_TX_OFFLOAD_MULTI_SEGS);
}

static void
test_removal_and_return(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;

	vanish(p, 0);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_REMOVED, 0), 0);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	fx_frame_build(&f, &(struct fx_spec){ .payload = 61 });
	fx_inject(p, &f);
	while (fx_rx(p, &m, 1) == 1 && rte_pktmbuf_pkt_len(m) != f.len)
		rte_pktmbuf_free(m);
	fx_expect_mbuf(m, &f);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, fx_port_setup, fx_port_teardown)
#define T0(name) cmocka_unit_test(test_##name)
	const struct CMUnitTest tests[] = {
		T0(mac_address_comes_from_the_eeprom),
		T0(cards_that_cannot_be_used_are_refused),
		T0(nothing_is_left_behind),
		T0(close_without_configuration),
		T0(two_ports_do_not_mix),
		T(capabilities),
		T(queue_requests_are_honoured_or_refused),
		T(rx_queue_requests_are_honoured_or_refused),
		T(unknown_loopback_is_refused),
		T(register_dump),
		T(eeprom_dump),
		T(firmware_version),
		T(no_card_has_a_module_to_ask),
		T(stop_ends_all_dma),
		T(start_fails_when_reset_sticks),
		T(start_on_a_card_that_forgets_nothing),
		T(removal_while_running),
		T(removal_while_running_on_the_full_path),
		T(removal_and_return),
	};

	return cmocka_run_group_tests_name("e1000_attach", tests, fx_setup, fx_teardown);
}
