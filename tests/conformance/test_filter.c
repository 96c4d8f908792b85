/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* Which frames get in: receive modes, the station's addresses, the multicast list. */

#include "conf.h"

static const struct rte_ether_addr group = { { 0x01, 0x00, 0x5e, 0x01, 0x02, 0x03 } };
static const struct rte_ether_addr second = { { 0x02, 0x00, 0x00, 0x00, 0xaa, 0x01 } };

static void
addressed(struct fx_frame *f, const struct rte_ether_addr *dst)
{
	conf_frame(f, 100, dst->addr_bytes[5]);
	memcpy(f->data, dst, sizeof(*dst));
}

static bool
gets_in(struct fx_port *p, const struct rte_ether_addr *dst)
{
	static struct fx_frame f;
	struct rte_mbuf *m;

	addressed(&f, dst);
	fx_inject(p, &f);
	if (fx_rx(p, &m, 1) == 0)
		return false;
	fx_expect_mbuf(m, &f);
	conf_expect_none(p);
	return true;
}

static void
expect_in(struct fx_port *p, const struct rte_ether_addr *dst, bool in)
{
	if (gets_in(p, dst) != in)
		fail_msg("%02x:%02x:%02x:%02x:%02x:%02x %s", dst->addr_bytes[0],
			 dst->addr_bytes[1], dst->addr_bytes[2], dst->addr_bytes[3],
			 dst->addr_bytes[4], dst->addr_bytes[5],
			 in ? "does not get in" : "gets in");
}

/* Of these, a filter by hash may let a few through that happen to share a bit. */
static unsigned int
strangers_in(struct fx_port *p, unsigned int n)
{
	struct rte_ether_addr dst = { { 0x33, 0x33, 0x00, 0x00, 0x00, 0x00 } };
	unsigned int i, in = 0;

	for (i = 0; i < n; i++) {
		dst.addr_bytes[3] = i * 37;
		dst.addr_bytes[4] = i * 101;
		dst.addr_bytes[5] = i;
		in += gets_in(p, &dst);
	}
	return in;
}

static void
set_modes(struct fx_port *p, bool promisc, bool allmulti)
{
	assert_int_equal(promisc ? rte_eth_promiscuous_enable(p->id) :
			 rte_eth_promiscuous_disable(p->id), 0);
	assert_int_equal(allmulti ? rte_eth_allmulticast_enable(p->id) :
			 rte_eth_allmulticast_disable(p->id), 0);
	assert_int_equal(rte_eth_promiscuous_get(p->id), promisc);
	assert_int_equal(rte_eth_allmulticast_get(p->id), allmulti);
}

/* --- modes ------------------------------------------------------------------------ */

static void
expect_modes(struct fx_port *p, bool promisc, bool allmulti)
{
	static const struct rte_ether_addr broadcast = { { 255, 255, 255, 255, 255, 255 } };
	static const struct rte_ether_addr other = { { 0x02, 0, 0, 0, 0, 0x55 } };
	struct rte_ether_addr near = p->mac;

	near.addr_bytes[5] ^= 1;
	expect_in(p, &p->mac, true);
	expect_in(p, &broadcast, true);
	expect_in(p, &other, promisc);
	expect_in(p, &near, promisc);
	if (promisc || allmulti)
		assert_int_equal(strangers_in(p, 32), 32);
	else
		assert_int_equal(strangers_in(p, 32), 0);
}

static void
test_modes_changed_while_running(void **state)
{
	struct fx_port *p = *state;
	unsigned int i;

	fx_start(p, NULL);
	/* Each pair of modes after each other one. */
	for (i = 0; i < 16; i++) {
		unsigned int now = i ^ i >> 2;

		set_modes(p, now & 1, now & 2);
		expect_modes(p, now & 1, now & 2);
	}
	conf_proven("Promiscuous mode", "mode", true);
	conf_proven("Allmulticast mode", "mode", true);
}

static void
test_modes_set_before_start(void **state)
{
	struct fx_port *p = *state;
	unsigned int i;

	fx_configure(p, NULL);
	for (i = 0; i < 4; i++) {
		set_modes(p, i & 1, i & 2);
		assert_int_equal(rte_eth_dev_start(p->id), 0);
		expect_modes(p, i & 1, i & 2);
		conf_stop(p);
	}
}

static void
test_modes_outlive_a_restart(void **state)
{
	struct fx_port *p = *state;
	unsigned int i;

	fx_start(p, NULL);
	for (i = 0; i < 4; i++) {
		set_modes(p, i & 1, i & 2);
		conf_stop(p);
		assert_int_equal(rte_eth_dev_start(p->id), 0);
		expect_modes(p, i & 1, i & 2);
	}
}

/* --- the station's addresses -------------------------------------------------------- */

static void
test_default_address_can_be_changed(void **state)
{
	struct fx_port *p = *state;
	struct rte_ether_addr old = p->mac, got, mac = second;
	unsigned int i;

	fx_configure(p, NULL);
	for (i = 0; i < 4; i++) {
		/* Once stopped, three times running. */
		mac.addr_bytes[5] = i;
		assert_int_equal(rte_eth_dev_default_mac_addr_set(p->id, &mac), 0);
		assert_int_equal(rte_eth_macaddr_get(p->id, &got), 0);
		assert_memory_equal(&got, &mac, sizeof(mac));
		if (i == 0)
			assert_int_equal(rte_eth_dev_start(p->id), 0);
		expect_in(p, &mac, true);
		expect_in(p, &old, false);
		old = mac;
	}
	conf_stop(p);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	expect_in(p, &mac, true);
	expect_in(p, &p->mac, false);
}

static void
test_invalid_default_address_is_refused(void **state)
{
	struct rte_ether_addr zero = { 0 }, multicast = group;
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_not_equal(rte_eth_dev_default_mac_addr_set(p->id, &zero), 0);
	assert_int_not_equal(rte_eth_dev_default_mac_addr_set(p->id, &multicast), 0);
	expect_in(p, &p->mac, true);
}

static void
numbered(struct rte_ether_addr *mac, unsigned int i)
{
	*mac = second;
	mac->addr_bytes[4] = i >> 8;
	mac->addr_bytes[5] = i;
}

static void
test_address_list_holds_what_is_reported(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	struct rte_ether_addr mac;
	unsigned int i;

	fx_start(p, NULL);
	for (i = 1; i < info.max_mac_addrs; i++) {
		numbered(&mac, i);
		assert_int_equal(rte_eth_dev_mac_addr_add(p->id, &mac, 0), 0);
	}
	numbered(&mac, i);
	assert_int_not_equal(rte_eth_dev_mac_addr_add(p->id, &mac, 0), 0);
	expect_in(p, &mac, false);
	for (i = 1; i < info.max_mac_addrs; i++) {
		numbered(&mac, i);
		expect_in(p, &mac, true);
		assert_int_equal(rte_eth_dev_mac_addr_remove(p->id, &mac), 0);
		expect_in(p, &mac, false);
	}
	expect_in(p, &p->mac, true);
	conf_proven("Unicast MAC filter", "list", info.max_mac_addrs > 1);
}

static void
test_added_addresses_outlive_a_restart(void **state)
{
	struct fx_port *p = *state;
	struct rte_ether_addr kept, gone;

	if (conf_info(p).max_mac_addrs < 3)
		return;
	numbered(&kept, 1);
	numbered(&gone, 2);
	fx_configure(p, NULL);
	assert_int_equal(rte_eth_dev_mac_addr_add(p->id, &kept, 0), 0);
	assert_int_equal(rte_eth_dev_mac_addr_add(p->id, &gone, 0), 0);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	expect_in(p, &kept, true);
	expect_in(p, &gone, true);
	conf_stop(p);
	assert_int_equal(rte_eth_dev_mac_addr_remove(p->id, &gone), 0);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	expect_in(p, &kept, true);
	expect_in(p, &gone, false);
}

static void
test_address_list_rules(void **state)
{
	struct fx_port *p = *state;
	struct rte_ether_addr zero = { 0 }, mac = second, own = p->mac;
	unsigned int i;

	fx_start(p, NULL);
	assert_int_not_equal(rte_eth_dev_mac_addr_add(p->id, &zero, 0), 0);
	assert_int_not_equal(rte_eth_dev_mac_addr_remove(p->id, &own), 0);
	/* Removing what is not there is no error; adding twice takes one place. */
	if (conf_info(p).max_mac_addrs > 1) {
		assert_int_equal(rte_eth_dev_mac_addr_remove(p->id, &mac), 0);
		for (i = 0; i < 200; i++)
			assert_int_equal(rte_eth_dev_mac_addr_add(p->id, &mac, 0), 0);
		assert_int_equal(rte_eth_dev_mac_addr_remove(p->id, &mac), 0);
		expect_in(p, &mac, false);
	}
	expect_in(p, &own, true);
}

/* --- multicast list ------------------------------------------------------------------ */

static void
test_multicast_list(void **state)
{
	struct fx_port *p = *state;
	struct rte_ether_addr list[8];
	unsigned int i;
	int rc;

	for (i = 0; i < RTE_DIM(list); i++) {
		list[i] = group;
		list[i].addr_bytes[4] = i * 29;
		list[i].addr_bytes[5] = i;
	}
	fx_start(p, NULL);
	rc = rte_eth_dev_set_mc_addr_list(p->id, list, RTE_DIM(list));
	conf_proven("Multicast MAC filter", "list", rc == 0);
	if (rc != 0) {
		assert_int_equal(rc, -ENOTSUP);
		return;
	}
	for (i = 0; i < RTE_DIM(list); i++)
		expect_in(p, &list[i], true);
	/* Eight bits of a 64-bit hash let an eighth through. */
	assert_true(strangers_in(p, 64) <= 32);
	expect_in(p, &second, false);
	/* A new list takes the old one's place. */
	assert_int_equal(rte_eth_dev_set_mc_addr_list(p->id, list, 1), 0);
	expect_in(p, &list[0], true);
	for (rc = 0, i = 1; i < RTE_DIM(list); i++)
		rc += gets_in(p, &list[i]);
	assert_true(rc <= 3);
	assert_int_equal(rte_eth_dev_set_mc_addr_list(p->id, NULL, 0), 0);
	for (i = 0; i < RTE_DIM(list); i++)
		expect_in(p, &list[i], false);
}

static void
test_multicast_list_outlives_modes_and_restart(void **state)
{
	struct fx_port *p = *state;
	struct rte_ether_addr list[1] = { group };

	fx_configure(p, NULL);
	if (rte_eth_dev_set_mc_addr_list(p->id, list, 1) != 0)
		return;
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	expect_in(p, &group, true);
	set_modes(p, true, true);
	set_modes(p, false, false);
	expect_in(p, &group, true);
	assert_int_equal(strangers_in(p, 16), 0);
	conf_stop(p);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	expect_in(p, &group, true);
	assert_int_equal(strangers_in(p, 16), 0);
}

/* More than a chip has room for: all get in all the same, or the list is refused as a whole. */
static void
test_long_multicast_list(void **state)
{
	struct fx_port *p = *state;
	static struct rte_ether_addr list[1000];
	unsigned int i;

	for (i = 0; i < RTE_DIM(list); i++) {
		list[i] = group;
		list[i].addr_bytes[4] = i >> 8;
		list[i].addr_bytes[5] = i;
	}
	fx_start(p, NULL);
	if (rte_eth_dev_set_mc_addr_list(p->id, list, RTE_DIM(list)) == 0) {
		for (i = 0; i < RTE_DIM(list); i += 37)
			expect_in(p, &list[i], true);
		assert_int_equal(rte_eth_dev_set_mc_addr_list(p->id, NULL, 0), 0);
	}
	expect_in(p, &group, false);
	expect_in(p, &p->mac, true);
}

static void
test_unicast_hash_is_refused_or_works(void **state)
{
	struct fx_port *p = *state;
	struct rte_ether_addr mac = second;
	bool has = conf_info(p).max_hash_mac_addrs > 0;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_dev_uc_hash_table_set(p->id, &mac, 1) == 0, has);
	expect_in(p, &mac, has);
}

static const struct CMUnitTest tests[] = {
	CONF_TEST(test_modes_changed_while_running),
	CONF_TEST(test_modes_set_before_start),
	CONF_TEST(test_modes_outlive_a_restart),
	CONF_TEST(test_default_address_can_be_changed),
	CONF_TEST(test_invalid_default_address_is_refused),
	CONF_TEST(test_address_list_holds_what_is_reported),
	CONF_TEST(test_added_addresses_outlive_a_restart),
	CONF_TEST(test_address_list_rules),
	CONF_TEST(test_multicast_list),
	CONF_TEST(test_multicast_list_outlives_modes_and_restart),
	CONF_TEST(test_long_multicast_list),
	CONF_TEST(test_unicast_hash_is_refused_or_works),
};

CONF_MAIN("filter", tests)
