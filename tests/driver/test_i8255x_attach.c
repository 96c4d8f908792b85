/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* i8255x: attach, configuration, what can be looked at, and removal; on the family's models. */

#include "fixture.h"

#include <rte_bus_vdev.h>
#include <rte_malloc.h>

#include <pw_dma_window.h>

#include "../../drivers/net/i8255x/i8255x.h"

static const char *const chips[] = { "82557b", "82558b", "82559c", "82551" };

static struct pw_dev *
dev_of(const struct fx_port *p)
{
	return pw_dev_of(&rte_eth_devices[p->id]);
}

/* Stop capturing; some line must have `part` in it. ethdev adds lines of its own. */
static void
expect_logged(const char *part)
{
	char *text = log_capture_stop();
	bool found = strstr(text, part) != NULL;

	if (!found)
		print_error("logged: \"%s\", expected \"%s\"\n", text, part);
	free(text);
	assert_true(found);
}

/* --- attach -------------------------------------------------------------------------------- */

static void
test_mac_address_comes_from_the_eeprom(void **state)
{
	static const struct rte_ether_addr want = { { 0x00, 0x90, 0x27, 0xab, 0xcd, 0xef } };
	static struct fx_port p;

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(chips); i++) {
		fx_open(&p, chips[i], "mac=00:90:27:ab:cd:ef");
		assert_memory_equal(&p.mac, &want, sizeof(want));
		fx_close(&p);
	}
}

static void
test_cards_that_cannot_be_used_are_refused(void **state)
{
	static const struct {
		const char *fault;
		int rc;
		const char *text;
	} t[] = {
		{ "eeprom_corrupt", -EBADMSG, "EEPROM checksum is 0x" },
		{ "eeprom_silent", -EIO, "EEPROM does not answer" },
		{ "eeprom_zero_mac", -EADDRNOTAVAIL, "MAC address is 00:00:00:00:00:00" },
		{ "stuck_reset", -ETIMEDOUT, "takes no command after reset" },
		{ "phy_silent", -ENODEV, "the PHY does not answer" },
		{ "removed", -ENODEV, "all ones" },
	};
	char args[96];

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(chips); i++) {
		for (unsigned int k = 0; k < RTE_DIM(t); k++) {
			snprintf(args, sizeof(args), "chip=%s,wire=refused,fault=%s", chips[i],
				 t[k].fault);
			fx_refused(args, t[k].rc, t[k].text);
		}
	}
}

/* Whatever a port takes, it gives back; refused ones too. */
static void
test_nothing_is_left_behind(void **state)
{
	struct rte_malloc_socket_stats before, after;
	static struct fx_port p;

	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		fx_open(&p, "82559c", NULL);
		fx_start(&p, NULL);
		fx_close(&p);
		log_capture_start();
		assert_int_equal(rte_vdev_init("net_pw_sim_bad", "chip=82559c,"
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
	fx_open(&p, "82559c", NULL);
	fx_close(&p);
}

static void
test_two_ports_do_not_mix(void **state)
{
	static struct fx_port a, b;
	static struct fx_frame f;
	struct rte_mbuf *m;

	(void)state;
	fx_open(&a, "82557b", NULL);
	fx_open(&b, "82551", NULL);
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

/* The chip reaches 4 GiB: its memory is mapped there while the port lives, and no longer. */
static void
test_window_opens_with_the_port(void **state)
{
	static struct fx_port p;
	struct pw_dma_window_info info;
	const struct i8255x_adapter *ad;

	(void)state;
	fx_open(&p, "82559c", NULL);
	assert_non_null(dev_of(&p)->iommu);
	assert_true(pw_dma_window_info(dev_of(&p)->iommu, &info));
	assert_int_equal(info.users, 1);
	ad = i8255x_adapter_of(&rte_eth_devices[p.id]);
	assert_true(ad->ctl.addr + sizeof(struct i8255x_ctl) <= UINT64_C(1) << 32);
	fx_start(&p, NULL);
	fx_close(&p);
}

/* Without an IOMMU there is only what lies below 4 GiB: nothing, in these tests' EAL. */
static void
test_memory_out_of_reach_is_refused(void **state)
{
	(void)state;
	fx_refused("chip=82559c,wire=refused,iommu=off", -ERANGE, "memory above 4 GiB");
}

static void
test_self_test_at_attach(void **state)
{
	static struct fx_port p;
	static struct fx_frame f;
	struct rte_mbuf *m;

	(void)state;
	fx_frame_build(&f, &(struct fx_spec){ .payload = 60 });
	for (unsigned int i = 0; i < RTE_DIM(chips); i++) {
		fx_open(&p, chips[i], "driver=selftest=1+hang_ms=0");
		fx_start(&p, NULL);
		fx_inject(&p, &f);
		assert_int_equal(fx_rx(&p, &m, 1), 1);
		fx_expect_mbuf(m, &f);
		fx_close(&p);
	}
}

/* --- what the port says of itself ---------------------------------------------------------- */

/* §1.2: what each step of the silicon has. */
static void
test_capabilities(void **state)
{
	static const uint64_t rx_550 = RTE_ETH_RX_OFFLOAD_VLAN_STRIP |
		RTE_ETH_RX_OFFLOAD_IPV4_CKSUM | RTE_ETH_RX_OFFLOAD_UDP_CKSUM |
		RTE_ETH_RX_OFFLOAD_TCP_CKSUM;
	static const uint64_t tx_550 = RTE_ETH_TX_OFFLOAD_VLAN_INSERT |
		RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM |
		RTE_ETH_TX_OFFLOAD_TCP_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_TSO;
	static const uint64_t rx_559 = RTE_ETH_RX_OFFLOAD_UDP_CKSUM | RTE_ETH_RX_OFFLOAD_TCP_CKSUM;
	static const struct {
		uint32_t pktlen;
		uint64_t rx, tx;
	} want[] = {
		{ 1518, 0, 0 }, { 1522, 0, 0 }, { 1522, rx_559, 0 }, { 1522, rx_550, tx_550 },
	};
	struct rte_eth_dev_info info;
	static struct fx_port p;

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(chips); i++) {
		fx_open(&p, chips[i], NULL);
		assert_int_equal(rte_eth_dev_info_get(p.id, &info), 0);
		assert_int_equal(info.max_rx_queues, 1);
		assert_int_equal(info.max_tx_queues, 1);
		assert_int_equal(info.max_mac_addrs, 1);
		assert_int_equal(info.max_rx_pktlen, want[i].pktlen);
		assert_int_equal(info.max_mtu, 1500);
		assert_int_equal(info.rx_offload_capa, want[i].rx | RTE_ETH_RX_OFFLOAD_KEEP_CRC);
		assert_int_equal(info.tx_offload_capa, want[i].tx |
				 RTE_ETH_TX_OFFLOAD_MULTI_SEGS | RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE);
		assert_int_equal(info.flow_type_rss_offloads, 0);
		assert_int_equal(info.speed_capa, RTE_ETH_LINK_SPEED_10M_HD |
				 RTE_ETH_LINK_SPEED_10M | RTE_ETH_LINK_SPEED_100M_HD |
				 RTE_ETH_LINK_SPEED_100M);
		assert_true(*info.dev_flags & RTE_ETH_DEV_INTR_LSC);
		fx_close(&p);
	}
}

static void
test_rings_are_rounded_up_or_refused(void **state)
{
	static const struct {
		uint16_t nb, ring;	/* ring 0: refused */
	} t[] = { { 32, 32 }, { 33, 64 }, { 96, 128 }, { 4000, 4096 }, { 4096, 4096 }, { 31, 0 },
		  { 4097, 0 } };
	struct fx_port *p = *state;
	struct rte_eth_rxq_info rxq;
	struct rte_eth_txq_info txq;
	struct rte_mempool *mp = rte_pktmbuf_pool_create("rings", 127, 0, 0,
		RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);

	assert_non_null(mp);
	fx_configure(p, NULL);
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		int rc = t[i].ring != 0 ? 0 : -EINVAL;

		assert_int_equal(rte_eth_rx_queue_setup(p->id, 0, t[i].nb, SOCKET_ID_ANY, NULL, mp),
				 rc);
		assert_int_equal(rte_eth_tx_queue_setup(p->id, 0, t[i].nb, SOCKET_ID_ANY, NULL),
				 rc);
		if (rc != 0)
			continue;
		assert_int_equal(rte_eth_rx_queue_info_get(p->id, 0, &rxq), 0);
		assert_int_equal(rte_eth_tx_queue_info_get(p->id, 0, &txq), 0);
		assert_int_equal(rxq.nb_desc, t[i].ring);
		assert_int_equal(txq.nb_desc, t[i].ring);
		assert_int_equal(rxq.conf.rx_drop_en, 1);
		assert_true(rxq.rx_buf_size >= 1518);
	}
	rte_mempool_free(mp);
}

static void
test_unknown_loopback_is_refused(void **state)
{
	struct rte_eth_conf conf = { .lpbk_mode = 2 };
	struct fx_port *p = *state;

	log_capture_start();
	assert_int_equal(rte_eth_dev_configure(p->id, 1, 1, &conf), -ENOTSUP);
	expect_logged("loopback mode 2 is not supported");
	fx_configure(p, NULL);
}

static void
test_loopback_brings_frames_back_and_sends_none(void **state)
{
	static struct fx_port port;
	struct fx_port *p = &port;
	static struct fx_frame f;
	struct rte_mbuf *m;

	(void)state;
	fx_frame_build(&f, &(struct fx_spec){ .payload = 100 });
	for (unsigned int i = 0; i < RTE_DIM(chips); i++) {
		fx_open(p, chips[i], NULL);
		fx_start(p, &(struct fx_conf){ .eth.lpbk_mode = 1 });
		for (unsigned int k = 0; k < 3; k++) {
			m = fx_mbuf(p->pool, &f, 0);
			fx_tx(p, &m, 1);
			fx_expect_silence(p);
			assert_int_equal(fx_rx(p, &m, 1), 1);
			fx_expect_mbuf(m, &f);
		}
		fx_close(p);
	}
}

static void
test_speeds_that_the_card_lacks_are_refused(void **state)
{
	struct rte_eth_conf conf = { .link_speeds = RTE_ETH_LINK_SPEED_1G };
	struct fx_port *p = *state;

	log_capture_start();
	assert_int_equal(rte_eth_dev_configure(p->id, 1, 1, &conf), -EINVAL);
	expect_logged("link speeds 0x20 refused");
	conf.link_speeds = RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_10M |
			   RTE_ETH_LINK_SPEED_100M;
	log_capture_start();
	assert_int_equal(rte_eth_dev_configure(p->id, 1, 1, &conf), -EINVAL);
	expect_logged("exactly one may be fixed");
}

/* --- dumps --------------------------------------------------------------------------------- */

/* §2: 82557 has five dwords that can be read, 82558 one more, 82559 all seven. */
static void
test_register_dump(void **state)
{
	static const uint32_t want[] = { 5, 6, 7, 7 };
	struct rte_dev_reg_info info;
	static struct fx_port p;
	uint32_t data[7];

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(chips); i++) {
		fx_open(&p, chips[i], NULL);
		fx_start(&p, NULL);
		info = (struct rte_dev_reg_info){ 0 };
		assert_int_equal(rte_eth_dev_get_reg_info(p.id, &info), 0);
		assert_int_equal(info.width, 4);
		assert_int_equal(info.length, want[i]);
		info.data = data;
		assert_int_equal(rte_eth_dev_get_reg_info(p.id, &info), 0);
		assert_int_equal(info.version >> 16, dev_of(&p)->id.device_id);
		assert_int_equal(info.version & 0xffff, dev_of(&p)->revision);
		/* RUS ready, interrupts masked, no command (§2.1, §2.4). */
		assert_int_equal(data[0] & 0x3c, 0x10);
		assert_int_equal(data[0] >> 16, 0x0100);
		fx_close(&p);
	}
}

static void
test_eeprom_dump(void **state)
{
	struct fx_port *p = *state;
	struct rte_dev_eeprom_info info = { 0 };
	int len = rte_eth_dev_get_eeprom_length(p->id);
	uint8_t data[512];
	uint16_t sum = 0;

	assert_true(len == 128 || len == 512);
	info.data = data;
	info.length = len;
	assert_int_equal(rte_eth_dev_get_eeprom(p->id, &info), 0);
	assert_memory_equal(data, p->mac.addr_bytes, 6);
	/* §4.1: all words add up to 0xbaba. */
	for (int i = 0; i < len; i += 2)
		sum += data[i] | data[i + 1] << 8;
	assert_int_equal(sum, 0xbaba);
}

/* --- reset, and life without it ------------------------------------------------------------ */

static void
test_stop_ends_all_dma(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	/* Both units idle (§2.1). */
	assert_int_equal(pw_model_bar_read(p->model, 0, 0, 1) & 0xfc, 0);
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
	log_capture_expect("takes no command after reset");
	assert_int_equal(rte_mempool_in_use_count(p->pool), 0);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_STUCK_RESET, 0), 0);
	fx_advance(p, 1000000);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
}

/* Start takes buffers before it knows that all is well; what it took comes back. */
static void
test_start_without_mbufs_gives_all_back(void **state)
{
	struct rte_mempool *few = rte_pktmbuf_pool_create("few", 15, 0, 0,
		RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
	struct fx_port *p = *state;

	assert_non_null(few);
	fx_configure(p, &(struct fx_conf){ .pool = few, .nb_rxd = 32 });
	log_capture_start();
	assert_int_not_equal(rte_eth_dev_start(p->id), 0);
	free(log_capture_stop());
	assert_int_equal(rte_mempool_in_use_count(few), 0);
	assert_int_equal(pw_model_bar_read(p->model, 0, 0, 1) & 0xfc, 0);
	fx_start(p, NULL);
	rte_mempool_free(few);
}

/* --- surprise removal ---------------------------------------------------------------------- */

static void
vanish(struct fx_port *p, uint64_t tx_offloads)
{
	static struct rte_mbuf *m[FX_NB_DESC];
	static struct fx_frame f;
	uint64_t before;
	uint16_t sent = 0;

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
	/* Not more than the circle holds. */
	assert_in_range(sent, 1, FX_NB_DESC - 1);
	rte_pktmbuf_free_bulk(m + sent, FX_NB_DESC - sent);
	/* Every wait ends, and at once. */
	before = pw_clock_now(&fx_clock);
	log_capture_start();
	assert_int_not_equal(rte_eth_promiscuous_enable(p->id), 0);
	rte_eth_dev_stop(p->id);
	free(log_capture_stop());
	assert_true(pw_clock_now(&fx_clock) - before < UINT64_C(1000000000));
	assert_int_equal(rte_mempool_in_use_count(p->pool), 0);
	log_capture_start();
	assert_int_equal(rte_eth_dev_start(p->id), -ENODEV);
	free(log_capture_stop());
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
		T0(window_opens_with_the_port),
		T0(memory_out_of_reach_is_refused),
		T0(self_test_at_attach),
		T0(capabilities),
		T(rings_are_rounded_up_or_refused),
		T(unknown_loopback_is_refused),
		T0(loopback_brings_frames_back_and_sends_none),
		T(speeds_that_the_card_lacks_are_refused),
		T0(register_dump),
		T(eeprom_dump),
		T(stop_ends_all_dma),
		T(start_fails_when_reset_sticks),
		T(start_without_mbufs_gives_all_back),
		T(removal_while_running),
		T(removal_while_running_on_the_full_path),
		T(removal_and_return),
	};

	fx_chip = "82559c";
	return cmocka_run_group_tests_name("i8255x_attach", tests, fx_setup, fx_teardown);
}
