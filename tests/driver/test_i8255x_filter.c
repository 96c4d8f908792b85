/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* i8255x: which frames are received, on the model that the argument names. */

#include "fixture.h"

#include <i8255x_desc.h>

static const struct rte_ether_addr other = { { 0x02, 0, 0, 0, 0, 0x42 } };

static bool
arrives(struct fx_port *p, const struct rte_ether_addr *dst)
{
	struct fx_spec spec = { .payload = 50 };
	static struct fx_frame f;
	struct rte_mbuf *m;

	memcpy(spec.dst, dst->addr_bytes, 6);
	fx_frame_build(&f, &spec);
	fx_inject(p, &f);
	if (fx_rx(p, &m, 1) == 0)
		return false;
	fx_expect_mbuf(m, &f);
	return true;
}

static struct rte_ether_addr
mac(uint8_t first, uint8_t last)
{
	return (struct rte_ether_addr){ { first, 0x11, 0x22, 0x33, 0x44, last } };
}

static void
restart(struct fx_port *p)
{
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
}

/* IEEE 802.3 §3.2.9: the register as it stands in the standard, x^31 to the left. */
static uint32_t
crc32_of(const uint8_t *p, unsigned int len)
{
	uint32_t crc = UINT32_MAX;

	for (unsigned int i = 0; i < len * 8; i++) {
		uint32_t feedback = crc >> 31 ^ (p[i / 8] >> i % 8 & 1);

		crc = crc << 1 ^ (feedback ? 0x04c11db7u : 0);
	}
	return crc;
}

static void
test_own_address_and_broadcast_arrive_others_do_not(void **state)
{
	static const struct rte_ether_addr all = { { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } };
	struct rte_ether_addr multi = mac(0x01, 1);
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_true(arrives(p, &p->mac));
	assert_true(arrives(p, &all));
	assert_false(arrives(p, &other));
	assert_false(arrives(p, &multi));
}

static void
test_promiscuous(void **state)
{
	struct rte_ether_addr multi = mac(0x01, 1);
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_promiscuous_enable(p->id), 0);
	assert_true(arrives(p, &other));
	assert_true(arrives(p, &multi));
	restart(p);
	assert_true(arrives(p, &other));
	assert_int_equal(rte_eth_promiscuous_disable(p->id), 0);
	assert_false(arrives(p, &other));
	assert_false(arrives(p, &multi));
}

/* Promiscuous is about addresses: a bad frame stays out (§3.2, byte 6 b7). */
static void
test_promiscuous_takes_no_bad_frames(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_promiscuous_enable(p->id), 0);
	fx_frame_build(&f, &(struct fx_spec){ .payload = 100 });
	fx_inject_flags(p, &f, PW_FRAME_BAD_CRC);
	assert_int_equal(fx_rx(p, &m, 1), 0);
	fx_frame_build(&f, &(struct fx_spec){ .payload = 20, .no_padding = true });
	fx_inject(p, &f);
	assert_int_equal(fx_rx(p, &m, 1), 0);
	assert_true(arrives(p, &other));
}

static void
test_all_multicast(void **state)
{
	struct rte_ether_addr multi = mac(0x01, 1);
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_allmulticast_enable(p->id), 0);
	assert_true(arrives(p, &multi));
	assert_false(arrives(p, &other));
	restart(p);
	assert_true(arrives(p, &multi));
	assert_int_equal(rte_eth_allmulticast_disable(p->id), 0);
	assert_false(arrives(p, &multi));
}

static void
test_promiscuous_off_leaves_all_multicast_on(void **state)
{
	struct rte_ether_addr multi = mac(0x01, 1);
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_allmulticast_enable(p->id), 0);
	assert_int_equal(rte_eth_promiscuous_enable(p->id), 0);
	assert_int_equal(rte_eth_promiscuous_disable(p->id), 0);
	assert_true(arrives(p, &multi));
	assert_false(arrives(p, &other));
}

static void
test_default_address_is_replaced(void **state)
{
	struct rte_ether_addr now = mac(0x02, 7);
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_dev_default_mac_addr_set(p->id, &now), 0);
	assert_true(arrives(p, &now));
	assert_false(arrives(p, &p->mac));
	restart(p);
	assert_true(arrives(p, &now));
	assert_false(arrives(p, &p->mac));
}

/* One address is all that the chip knows exactly. */
static void
test_second_address_is_refused(void **state)
{
	struct rte_ether_addr a = mac(0x02, 7);
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_dev_mac_addr_add(p->id, &a, 0), -ENOTSUP);
	assert_false(arrives(p, &a));
}

static void
test_multicast_list(void **state)
{
	struct rte_ether_addr list[] = { mac(0x01, 1), mac(0x33, 2), mac(0x01, 3) };
	struct rte_ether_addr absent = mac(0x01, 0x99);
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_dev_set_mc_addr_list(p->id, list, 3), 0);
	for (unsigned int i = 0; i < RTE_DIM(list); i++)
		assert_true(arrives(p, &list[i]));
	assert_false(arrives(p, &absent));
	restart(p);
	assert_true(arrives(p, &list[2]));
	assert_int_equal(rte_eth_dev_set_mc_addr_list(p->id, list, 1), 0);
	assert_true(arrives(p, &list[0]));
	assert_false(arrives(p, &list[1]));
	assert_int_equal(rte_eth_dev_set_mc_addr_list(p->id, NULL, 0), 0);
	assert_false(arrives(p, &list[0]));
}

/* 64 are what a command takes; one more is refused, and the old list stands. */
static void
test_longest_multicast_list(void **state)
{
	struct rte_ether_addr list[I8255X_MC_MAX + 1];
	struct fx_port *p = *state;

	for (unsigned int i = 0; i < RTE_DIM(list); i++)
		list[i] = mac(0x01, i);
	fx_start(p, NULL);
	assert_int_equal(rte_eth_dev_set_mc_addr_list(p->id, list, 64), 0);
	for (unsigned int i = 0; i < 64; i++)
		assert_true(arrives(p, &list[i]));
	assert_int_equal(rte_eth_dev_set_mc_addr_list(p->id, list, 1), 0);
	log_capture_start();
	assert_int_equal(rte_eth_dev_set_mc_addr_list(p->id, list, 65), -ENOSPC);
	log_capture_expect("65 multicast addresses: 64 at most");
	assert_true(arrives(p, &list[0]));
}

/* §3.1: 64 bits, by bits 7:2 of the address's CRC. What shares a bit comes along. */
static void
test_multicast_filter_is_the_hash_of_the_facts(void **state)
{
	struct rte_ether_addr one = mac(0x01, 0), a;
	unsigned int want, hits = 0;
	struct fx_port *p = *state;

	fx_start(p, NULL);
	want = crc32_of(one.addr_bytes, 6) >> 2 & 63;
	assert_int_equal(rte_eth_dev_set_mc_addr_list(p->id, &one, 1), 0);
	for (unsigned int i = 0; i < 256; i++) {
		bool same;

		a = mac(0x01, i);
		same = (crc32_of(a.addr_bytes, 6) >> 2 & 63) == want;
		assert_int_equal(arrives(p, &a), same);
		hits += same;
	}
	/* 256 addresses on 64 bits, evenly: the CRC is linear. */
	assert_int_equal(hits, 256 / 64);
}

static void
test_filters_set_while_stopped_hold_after_start(void **state)
{
	struct rte_ether_addr now = mac(0x02, 7), multi = mac(0x01, 9);
	struct fx_port *p = *state;

	fx_configure(p, NULL);
	assert_int_equal(rte_eth_dev_default_mac_addr_set(p->id, &now), 0);
	assert_int_equal(rte_eth_dev_set_mc_addr_list(p->id, &multi, 1), 0);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	assert_true(arrives(p, &now));
	assert_true(arrives(p, &multi));
	assert_false(arrives(p, &other));
}

/* Commands share the list with frames: neither waits for ever, and none is lost. */
static void
test_commands_among_frames(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m[8];

	fx_start(p, &(struct fx_conf){ .nb_txd = 32 });
	fx_frame_build(&f, &(struct fx_spec){ .payload = 100 });
	for (unsigned int i = 0; i < 100; i++) {
		for (unsigned int k = 0; k < RTE_DIM(m); k++)
			m[k] = fx_mbuf(p->pool, &f, 0);
		fx_tx(p, m, RTE_DIM(m));
		assert_int_equal(i & 1 ? rte_eth_promiscuous_disable(p->id) :
					 rte_eth_promiscuous_enable(p->id), 0);
		for (unsigned int k = 0; k < RTE_DIM(m); k++)
			fx_expect_sent(p, &f);
		assert_int_equal(arrives(p, &other), (i & 1) == 0);
	}
}

/* Without a link frames wait; a setting must not wait with them for ever, nor be forgotten. */
static void
test_setting_without_a_link(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_link link;
	uint64_t before;

	fx_start(p, NULL);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_LINK_DOWN, 1), 0);
	assert_int_equal(rte_eth_link_get_nowait(p->id, &link), 0);
	before = pw_clock_now(&fx_clock);
	assert_int_equal(rte_eth_promiscuous_enable(p->id), 0);
	assert_true(pw_clock_now(&fx_clock) - before < UINT64_C(1000000000));
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_LINK_DOWN, 0), 0);
	fx_advance(p, UINT64_C(5000000000));
	assert_int_equal(rte_eth_link_get_nowait(p->id, &link), 0);
	assert_true(arrives(p, &other));
}

int
main(int argc, char **argv)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, fx_port_setup, fx_port_teardown)
	const struct CMUnitTest tests[] = {
		T(own_address_and_broadcast_arrive_others_do_not),
		T(promiscuous),
		T(promiscuous_takes_no_bad_frames),
		T(all_multicast),
		T(promiscuous_off_leaves_all_multicast_on),
		T(default_address_is_replaced),
		T(second_address_is_refused),
		T(multicast_list),
		T(longest_multicast_list),
		T(multicast_filter_is_the_hash_of_the_facts),
		T(filters_set_while_stopped_hold_after_start),
		T(commands_among_frames),
		T(setting_without_a_link),
	};

	fx_chip = argc > 1 ? argv[1] : "82559c";
	return cmocka_run_group_tests_name("i8255x_filter", tests, fx_setup, fx_teardown);
}
