/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* e1000: which frames are received, on the 82540EM's model. */

#include "fixture.h"

#include <e1000_regs.h>

static const struct rte_ether_addr other = { { 0x02, 0, 0, 0, 0, 0x42 } };

/* Whether a frame to `dst`, tagged if `vlan`, arrives. */
static bool
arrives(struct fx_port *p, const struct rte_ether_addr *dst, uint16_t vlan)
{
	struct fx_spec spec = { .payload = 50, .vlan = vlan };
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

static void
test_own_address_and_broadcast_arrive_others_do_not(void **state)
{
	static const struct rte_ether_addr all = { { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } };
	struct rte_ether_addr multi = mac(0x01, 1);
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_true(arrives(p, &p->mac, 0));
	assert_true(arrives(p, &all, 0));
	assert_false(arrives(p, &other, 0));
	assert_false(arrives(p, &multi, 0));
}

static void
test_promiscuous(void **state)
{
	struct rte_ether_addr multi = mac(0x01, 1);
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_promiscuous_enable(p->id), 0);
	assert_true(arrives(p, &other, 0));
	assert_true(arrives(p, &multi, 0));
	restart(p);
	assert_true(arrives(p, &other, 0));
	assert_int_equal(rte_eth_promiscuous_disable(p->id), 0);
	assert_false(arrives(p, &other, 0));
	assert_false(arrives(p, &multi, 0));
}

static void
test_all_multicast(void **state)
{
	struct rte_ether_addr multi = mac(0x01, 1);
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_allmulticast_enable(p->id), 0);
	assert_true(arrives(p, &multi, 0));
	assert_false(arrives(p, &other, 0));
	restart(p);
	assert_true(arrives(p, &multi, 0));
	assert_int_equal(rte_eth_allmulticast_disable(p->id), 0);
	assert_false(arrives(p, &multi, 0));
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
	assert_true(arrives(p, &multi, 0));
	assert_false(arrives(p, &other, 0));
}

static void
test_default_address_is_replaced(void **state)
{
	struct rte_ether_addr now = mac(0x02, 7);
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_dev_default_mac_addr_set(p->id, &now), 0);
	assert_true(arrives(p, &now, 0));
	assert_false(arrives(p, &p->mac, 0));
	restart(p);
	assert_true(arrives(p, &now, 0));
	assert_false(arrives(p, &p->mac, 0));
}

static void
test_addresses_up_to_the_last_and_none_beyond(void **state)
{
	struct fx_port *p = *state;
	struct rte_ether_addr a;
	uint8_t i;

	fx_start(p, NULL);
	/* §2.3: 15 of the 16 are ours, one of them is the port's own. */
	for (i = 0; i < 14; i++) {
		a = mac(0x02, i);
		assert_int_equal(rte_eth_dev_mac_addr_add(p->id, &a, 0), 0);
	}
	a = mac(0x02, 14);
	assert_int_equal(rte_eth_dev_mac_addr_add(p->id, &a, 0), -ENOSPC);
	assert_false(arrives(p, &a, 0));
	restart(p);
	for (i = 0; i < 14; i++) {
		a = mac(0x02, i);
		assert_true(arrives(p, &a, 0));
	}
	assert_true(arrives(p, &p->mac, 0));
	a = mac(0x02, 5);
	assert_int_equal(rte_eth_dev_mac_addr_remove(p->id, &a), 0);
	assert_false(arrives(p, &a, 0));
	a = mac(0x02, 13);
	assert_true(arrives(p, &a, 0));
	a = mac(0x02, 14);
	assert_int_equal(rte_eth_dev_mac_addr_add(p->id, &a, 0), 0);
	assert_true(arrives(p, &a, 0));
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
		assert_true(arrives(p, &list[i], 0));
	assert_false(arrives(p, &absent, 0));
	restart(p);
	assert_true(arrives(p, &list[2], 0));
	assert_int_equal(rte_eth_dev_set_mc_addr_list(p->id, list, 1), 0);
	assert_true(arrives(p, &list[0], 0));
	assert_false(arrives(p, &list[1], 0));
	assert_int_equal(rte_eth_dev_set_mc_addr_list(p->id, NULL, 0), 0);
	assert_false(arrives(p, &list[0], 0));
}

/* §2.3 gives 01:AA:00:12:34:56 and its hash 0x563 for MO = 0. */
static void
test_multicast_hash_of_the_manual(void **state)
{
	struct rte_ether_addr a = { { 0x01, 0xaa, 0x00, 0x12, 0x34, 0x56 } };
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_dev_set_mc_addr_list(p->id, &a, 1), 0);
	for (uint32_t i = 0; i < 128; i++)
		assert_int_equal(pw_model_bar_read(p->model, 0, 0x5200 + 4 * i, 4),
				 i == 0x563 >> 5 ? UINT32_C(1) << (0x563 & 31) : 0);
}

static void
test_vlan_filter(void **state)
{
	static const uint16_t vid[] = { 1, 31, 32, 33, 100, 4095 };
	struct fx_port *p = *state;

	fx_start(p, &(struct fx_conf){ .eth.rxmode.offloads = RTE_ETH_RX_OFFLOAD_VLAN_FILTER });
	assert_true(arrives(p, &p->mac, 0));
	for (unsigned int i = 0; i < RTE_DIM(vid); i++) {
		assert_false(arrives(p, &p->mac, vid[i]));
		assert_int_equal(rte_eth_dev_vlan_filter(p->id, vid[i], 1), 0);
		/* The priority bits do not count. */
		assert_true(arrives(p, &p->mac, 0xe000 | vid[i]));
	}
	assert_false(arrives(p, &p->mac, 34));
	restart(p);
	for (unsigned int i = 0; i < RTE_DIM(vid); i++) {
		assert_true(arrives(p, &p->mac, vid[i]));
		assert_int_equal(rte_eth_dev_vlan_filter(p->id, vid[i], 0), 0);
		assert_false(arrives(p, &p->mac, vid[i]));
	}
}

static void
test_vlan_filter_switched_while_running(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_true(arrives(p, &p->mac, 5));
	assert_int_equal(rte_eth_dev_set_vlan_offload(p->id, RTE_ETH_VLAN_FILTER_OFFLOAD), 0);
	assert_false(arrives(p, &p->mac, 5));
	assert_int_equal(rte_eth_dev_vlan_filter(p->id, 5, 1), 0);
	assert_true(arrives(p, &p->mac, 5));
	assert_int_equal(rte_eth_dev_set_vlan_offload(p->id, 0), 0);
	assert_true(arrives(p, &p->mac, 6));
}

static void
test_vlan_filter_switched_off(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, &(struct fx_conf){ .eth.rxmode.offloads = RTE_ETH_RX_OFFLOAD_VLAN_FILTER });
	assert_false(arrives(p, &p->mac, 5));
	assert_int_equal(rte_eth_dev_set_vlan_offload(p->id, 0), 0);
	assert_true(arrives(p, &p->mac, 5));
	restart(p);
	assert_true(arrives(p, &p->mac, 5));
}

static void
test_filters_set_while_stopped_hold_after_start(void **state)
{
	struct rte_ether_addr now = mac(0x02, 7), more = mac(0x02, 8), multi = mac(0x01, 9);
	struct fx_port *p = *state;

	fx_configure(p, NULL);
	assert_int_equal(rte_eth_dev_default_mac_addr_set(p->id, &now), 0);
	assert_int_equal(rte_eth_dev_mac_addr_add(p->id, &more, 0), 0);
	assert_int_equal(rte_eth_dev_set_mc_addr_list(p->id, &multi, 1), 0);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	assert_true(arrives(p, &now, 0));
	assert_true(arrives(p, &more, 0));
	assert_true(arrives(p, &multi, 0));
	assert_false(arrives(p, &other, 0));
}

/* QEMU's card stops receiving for a second at each write of RCTL (§1.3). */
static void
test_no_rctl_write_without_a_change(void **state)
{
	struct fx_port *p = *state;
	uint64_t w;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_promiscuous_enable(p->id), 0);
	w = pw_model_reg_writes(p->model);
	/* Both bits are on with promiscuous mode already. */
	assert_int_equal(rte_eth_allmulticast_enable(p->id), 0);
	assert_int_equal(rte_eth_allmulticast_disable(p->id), 0);
	assert_int_equal(rte_eth_dev_set_mtu(p->id, 1400), 0);
	assert_int_equal(pw_model_reg_writes(p->model), w);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, fx_port_setup, fx_port_teardown)
	const struct CMUnitTest tests[] = {
		T(own_address_and_broadcast_arrive_others_do_not),
		T(promiscuous),
		T(all_multicast),
		T(promiscuous_off_leaves_all_multicast_on),
		T(default_address_is_replaced),
		T(addresses_up_to_the_last_and_none_beyond),
		T(multicast_list),
		T(multicast_hash_of_the_manual),
		T(vlan_filter),
		T(vlan_filter_switched_while_running),
		T(vlan_filter_switched_off),
		T(filters_set_while_stopped_hold_after_start),
		T(no_rctl_write_without_a_change),
	};

	return cmocka_run_group_tests_name("e1000_filter", tests, fx_setup, fx_teardown);
}
