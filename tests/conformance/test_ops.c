/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Calls that a driver may do without: they work, or say -ENOTSUP and nothing else, stopped and
 * running. What can be seen to work has a test of its own further down.
 */

#include "conf.h"

#include <rte_flow.h>

typedef int (*op)(uint16_t port);

static int
led_on(uint16_t port)
{
	return rte_eth_led_on(port);
}

static int
led_off(uint16_t port)
{
	return rte_eth_led_off(port);
}

static int
module_info(uint16_t port)
{
	struct rte_eth_dev_module_info info = { 0 };

	return rte_eth_dev_get_module_info(port, &info);
}

static int
module_eeprom(uint16_t port)
{
	uint8_t data[256];
	struct rte_dev_eeprom_info info = { .data = data, .length = sizeof(data) };

	return rte_eth_dev_get_module_eeprom(port, &info);
}

static int
timesync_enable(uint16_t port)
{
	return rte_eth_timesync_enable(port);
}

static int
timesync_read_time(uint16_t port)
{
	struct timespec t;

	return rte_eth_timesync_read_time(port, &t);
}

static int
read_clock(uint16_t port)
{
	uint64_t clock;

	return rte_eth_read_clock(port, &clock);
}

static int
rss_hash_get(uint16_t port)
{
	uint8_t key[64];
	struct rte_eth_rss_conf conf = { .rss_key = key, .rss_key_len = sizeof(key) };

	return rte_eth_dev_rss_hash_conf_get(port, &conf);
}

static int
priority_flow_ctrl(uint16_t port)
{
	struct rte_eth_pfc_conf conf = { .fc.mode = RTE_ETH_FC_FULL };

	return rte_eth_dev_priority_flow_ctrl_set(port, &conf);
}

static int
rate_limit(uint16_t port)
{
	return rte_eth_set_queue_rate_limit(port, 0, 10);
}

static int
dcb_info(uint16_t port)
{
	struct rte_eth_dcb_info info;

	return rte_eth_dev_get_dcb_info(port, &info);
}

static int
tunnel_port(uint16_t port)
{
	struct rte_eth_udp_tunnel t = { .udp_port = 4789, .prot_type = RTE_ETH_TUNNEL_TYPE_VXLAN };

	return rte_eth_dev_udp_tunnel_port_add(port, &t);
}

static int
fec(uint16_t port)
{
	uint32_t capa;

	return rte_eth_fec_get(port, &capa);
}

static int
monitor(uint16_t port)
{
	struct rte_power_monitor_cond cond;

	return rte_eth_get_monitor_addr(port, 0, &cond);
}

static int
congestion(uint16_t port)
{
	struct rte_eth_cman_info info;

	return rte_eth_cman_info_get(port, &info);
}

static int
pool_ops(uint16_t port)
{
	return rte_eth_dev_pool_ops_supported(port, "ring_mp_mc") < 0 ? -ENOTSUP : 0;
}

static int
vlan_pvid(uint16_t port)
{
	return rte_eth_dev_set_vlan_pvid(port, 1, 0);
}

static int
vlan_strip_on_queue(uint16_t port)
{
	return rte_eth_dev_set_vlan_strip_on_queue(port, 0, 0);
}

static int
vlan_ether_type(uint16_t port)
{
	return rte_eth_dev_set_vlan_ether_type(port, RTE_ETH_VLAN_TYPE_OUTER, 0x8100);
}

static int
ip_reassembly(uint16_t port)
{
	struct rte_eth_ip_reassembly_params capa = { 0 };

	return rte_eth_ip_reassembly_capability_get(port, &capa);
}

static int
flow(uint16_t port)
{
	static const struct rte_flow_attr attr = { .ingress = 1 };
	static const struct rte_flow_item item[] = { { .type = RTE_FLOW_ITEM_TYPE_END } };
	static const struct rte_flow_action action[] = { { .type = RTE_FLOW_ACTION_TYPE_END } };
	struct rte_flow_error error;
	int rc = rte_flow_validate(port, &attr, item, action, &error);

	return rc == -ENOSYS ? -ENOTSUP : rc;
}

/*
 * A feature that no line below is allowed to have: a test must come with it. The LED has none to
 * come: no one looks at it here, so all that is proven of it is that both calls say they did it.
 */
enum proof { BY_CALL, NEEDS_TEST };

static const struct {
	const char *name;
	op call;
	const char *feature, *part;	/* NULL: not in DPDK's list */
	enum proof proof;
} ops[] = {
	{ "led_on", led_on, "LED", "on", BY_CALL },
	{ "led_off", led_off, "LED", "off", BY_CALL },
	{ "get_module_info", module_info, "Module EEPROM dump", "info", NEEDS_TEST },
	{ "get_module_eeprom", module_eeprom, "Module EEPROM dump", "data", NEEDS_TEST },
	{ "timesync_enable", timesync_enable, "Timesync", "enable", BY_CALL },
	{ "timesync_read_time", timesync_read_time, "Timesync", "clock", BY_CALL },
	{ "read_clock", read_clock, NULL, NULL, BY_CALL },
	{ "rss_hash_conf_get", rss_hash_get, "RSS hash", "hash", BY_CALL },
	{ "priority_flow_ctrl_set", priority_flow_ctrl, NULL, NULL, BY_CALL },
	{ "set_queue_rate_limit", rate_limit, "Rate limitation", "queue", NEEDS_TEST },
	{ "get_dcb_info", dcb_info, "DCB", "info", NEEDS_TEST },
	{ "udp_tunnel_port_add", tunnel_port, "Inner RSS", "tunnel", NEEDS_TEST },
	{ "fec_get", fec, "FEC", "mode", NEEDS_TEST },
	{ "get_monitor_addr", monitor, "Power mgmt address monitor", "address", NEEDS_TEST },
	{ "cman_info_get", congestion, "Congestion management", "info", NEEDS_TEST },
	{ "pool_ops_supported", pool_ops, NULL, NULL, BY_CALL },
	{ "set_vlan_pvid", vlan_pvid, NULL, NULL, BY_CALL },
	{ "set_vlan_strip_on_queue", vlan_strip_on_queue, NULL, NULL, BY_CALL },
	{ "set_vlan_ether_type", vlan_ether_type, NULL, NULL, BY_CALL },
	{ "ip_reassembly_capability_get", ip_reassembly, "IP reassembly", "capability",
	  NEEDS_TEST },
	{ "flow_validate", flow, NULL, NULL, BY_CALL },
};

static void
test_optional_calls_work_or_are_not_supported(void **state)
{
	struct fx_port *p = *state;
	unsigned int i;

	fx_start(p, NULL);
	for (i = 0; i < RTE_DIM(ops); i++) {
		int rc = ops[i].call(p->id);

		if (rc != 0 && rc != -ENOTSUP)
			fail_msg("%s: %d, neither 0 nor -ENOTSUP", ops[i].name, rc);
		if (rc == 0 && ops[i].proof == NEEDS_TEST)
			fail_msg("%s is offered, and nothing here proves it", ops[i].name);
		conf_pass(p, 2);
		if (ops[i].feature != NULL)
			conf_proven(ops[i].feature, ops[i].part, rc == 0);
	}
}

static void
test_optional_calls_while_stopped(void **state)
{
	struct fx_port *p = *state;
	unsigned int i, again;

	/* Not configured, then stopped after a run. */
	for (again = 0; again < 2; again++) {
		for (i = 0; i < RTE_DIM(ops); i++)
			ops[i].call(p->id);
		fx_start(p, NULL);
		conf_pass(p, 2);
		conf_stop(p);
	}
}

/* --- RSS ---------------------------------------------------------------------------- */

static void
test_rss_is_refused_unless_reported(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	struct rte_eth_conf conf = {
		.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS,
		.rx_adv_conf.rss_conf.rss_hf = RTE_ETH_RSS_IP | RTE_ETH_RSS_TCP,
	};
	struct rte_eth_rss_reta_entry64 reta[8] = { { .mask = 1 } };

	if (info.flow_type_rss_offloads != 0)
		return;	/* proven in "rss" */
	assert_int_not_equal(rte_eth_dev_configure(p->id, 1, 1, &conf), 0);
	/* With no hash types it means one queue, and many programs ask for it so. */
	conf.rx_adv_conf.rss_conf.rss_hf = 0;
	fx_start(p, &(struct fx_conf){ .eth = conf });
	conf_pass(p, 3);
	assert_int_not_equal(rte_eth_dev_rss_reta_query(p->id, reta, 64), 0);
	assert_int_not_equal(rte_eth_dev_rss_reta_update(p->id, reta, 64), 0);
	conf.rx_adv_conf.rss_conf.rss_hf = RTE_ETH_RSS_IP;
	assert_int_not_equal(rte_eth_dev_rss_hash_update(p->id, &conf.rx_adv_conf.rss_conf), 0);
	conf_proven("RSS key update", "key", false);
	conf_proven("RSS reta update", "table", false);
}

/* --- flow control ------------------------------------------------------------------- */

static void
test_flow_control_is_read_back(void **state)
{
	static const enum rte_eth_fc_mode mode[] = {
		RTE_ETH_FC_NONE, RTE_ETH_FC_RX_PAUSE, RTE_ETH_FC_TX_PAUSE, RTE_ETH_FC_FULL,
	};
	struct fx_port *p = *state;
	struct rte_eth_fc_conf fc, want;
	unsigned int i;
	int get, set = -ENOTSUP;

	fx_start(p, NULL);
	get = rte_eth_dev_flow_ctrl_get(p->id, &fc);
	if (get == 0) {
		assert_in_range(fc.mode, RTE_ETH_FC_NONE, RTE_ETH_FC_FULL);
		assert_true(fc.mode == RTE_ETH_FC_NONE || fc.low_water <= fc.high_water);
		want = fc;
		set = rte_eth_dev_flow_ctrl_set(p->id, &want);
	} else {
		assert_int_equal(get, -ENOTSUP);
	}
	for (i = 0; i < RTE_DIM(mode) && set == 0; i++) {
		want.mode = mode[i];
		want.autoneg = 0;
		assert_int_equal(rte_eth_dev_flow_ctrl_set(p->id, &want), 0);
		fx_advance(p, UINT64_C(5000000000));
		assert_int_equal(rte_eth_dev_flow_ctrl_get(p->id, &fc), 0);
		assert_int_equal(fc.mode, mode[i]);
		conf_pass(p, 3);
	}
	if (set == 0) {
		want.mode = (enum rte_eth_fc_mode)77;
		assert_int_not_equal(rte_eth_dev_flow_ctrl_set(p->id, &want), 0);
	} else {
		assert_int_equal(set, -ENOTSUP);
	}
	conf_proven("Flow control", "get", get == 0);
	conf_proven("Flow control", "set", set == 0);
}

#define PAUSE_QUANTUM_BITS 512 /* IEEE 802.3 annex 31B */
#define PAUSE_LEN 60
#define MAC_CONTROL "\x88\x08"
#define PAUSE_OPCODE "\x00\x01"
#define PAUSE_GROUP "\x01\x80\xc2\x00\x00\x01"

static const struct {
	enum rte_eth_fc_mode mode;
	bool obeys, asks;
} fc_rows[] = {
	{ RTE_ETH_FC_NONE, false, false },
	{ RTE_ETH_FC_RX_PAUSE, true, false },
	{ RTE_ETH_FC_TX_PAUSE, false, true },
	{ RTE_ETH_FC_FULL, true, true },
};

static void
pause_frame(struct fx_frame *f, uint16_t quanta)
{
	memset(f->data, 0, PAUSE_LEN);
	memcpy(f->data, PAUSE_GROUP "\x02\x00\x00\x00\x00\x99" MAC_CONTROL PAUSE_OPCODE, 16);
	f->data[16] = quanta >> 8;
	f->data[17] = (uint8_t)quanta;
	f->len = PAUSE_LEN;
}

/* @return false: flow control cannot be set. */
static bool
set_fc(struct fx_port *p, enum rte_eth_fc_mode mode)
{
	struct rte_eth_fc_conf fc = { 0 };
	int rc = rte_eth_dev_flow_ctrl_get(p->id, &fc);

	if (rc == 0) {
		fc.mode = mode;
		fc.autoneg = 0;
		fc.send_xon = 1;
		rc = rte_eth_dev_flow_ctrl_set(p->id, &fc);
	}
	if (rc == -ENOTSUP)
		return false;
	assert_int_equal(rc, 0);
	fx_advance(p, UINT64_C(5000000000));
	return true;
}

static uint64_t
quanta_ns(const struct fx_port *p, uint16_t quanta)
{
	struct rte_eth_link link;

	assert_int_equal(rte_eth_link_get_nowait(p->id, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_UP);
	return (uint64_t)quanta * PAUSE_QUANTUM_BITS * 1000 / link.link_speed;
}

static void
test_pause_is_obeyed_where_it_is_asked_for(void **state)
{
	const uint16_t quanta = 0x8000;
	struct fx_port *p = *state;
	static struct fx_frame f, pause;
	struct rte_mbuf *m;
	unsigned int i;
	uint64_t ns;

	fx_start(p, NULL);
	/* Before the silence: on some cards it takes long to ask for the speed. */
	ns = quanta_ns(p, quanta);
	pause_frame(&pause, quanta);
	conf_frame(&f, 100, 1);
	for (i = 0; i < RTE_DIM(fc_rows) && set_fc(p, fc_rows[i].mode); i++) {
		conf_ignores(p, &pause);
		m = fx_mbuf(p->pool, &f, 0);
		fx_tx(p, &m, 1);
		if (fc_rows[i].obeys) {
			fx_advance(p, ns / 2);
			conf_expect_silence(p);
			fx_advance(p, ns);
		}
		conf_expect_sent(p, &f);
		/* Zero ends it at once. */
		fx_inject(p, &pause);
		pause_frame(&pause, 0);
		conf_ignores(p, &pause);
		pause_frame(&pause, quanta);
		conf_pass(p, 5);
	}
}

/* PAUSE frames sent since the last look; @return quanta of the newest. */
static unsigned int
pauses_sent(struct fx_port *p, unsigned int *n)
{
	unsigned int quanta = 0;
	static struct fx_frame f;

	for (*n = 0; fx_capture(p, &f); ++*n) {
		assert_int_equal(f.len, PAUSE_LEN);
		assert_memory_equal(f.data, PAUSE_GROUP, 6);
		assert_memory_equal(f.data + 6, &p->mac, 6);
		assert_memory_equal(f.data + 12, MAC_CONTROL PAUSE_OPCODE, 4);
		quanta = f.data[16] << 8 | f.data[17];
	}
	return quanta;
}

/* Nobody takes frames out of the ring: the card has to stop the other side, or lose them. */
static void
test_pause_is_sent_where_it_is_asked_for(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;
	unsigned int i, k, n;

	conf_frame(&f, 1514, 1);
	for (i = 0; i < RTE_DIM(fc_rows); i++) {
		fx_start(p, &(struct fx_conf){ .nb_rxd = 32 });
		if (!set_fc(p, fc_rows[i].mode))
			return;
		assert_int_equal(pauses_sent(p, &n), 0);
		for (k = 0; k < 200; k++) {
			fx_inject(p, &f);
			fx_advance(p, 1000);
		}
		assert_int_equal(pauses_sent(p, &n) != 0, fc_rows[i].asks);
		assert_int_equal(n != 0, fc_rows[i].asks);
		while (fx_rx(p, &m, 1) == 1)
			fx_expect_mbuf(m, &f);
		/* Room again: it says so. */
		assert_int_equal(pauses_sent(p, &n), 0);
		assert_int_equal(n != 0, fc_rows[i].asks);
		conf_pass(p, 5);
		conf_stop(p);
	}
}

/* --- dumps -------------------------------------------------------------------------- */

static void
test_register_dump(void **state)
{
	static uint8_t data[65536];
	struct fx_port *p = *state;
	struct rte_dev_reg_info info = { 0 };
	uint32_t len;
	int rc;

	fx_start(p, NULL);
	rc = rte_eth_dev_get_reg_info(p->id, &info);
	conf_proven("Registers dump", "dump", rc == 0);
	if (rc != 0) {
		assert_int_equal(rc, -ENOTSUP);
		return;
	}
	len = info.length * info.width;
	assert_in_range(len, 1, sizeof(data));
	/* Nothing is written beyond what was said. */
	memset(data, 0xa5, sizeof(data));
	info.data = data;
	assert_int_equal(rte_eth_dev_get_reg_info(p->id, &info), 0);
	assert_true(len == sizeof(data) || data[len] == 0xa5);
	assert_memory_not_equal(data, data + 1, len - 1);
	info.offset = len;
	assert_int_not_equal(rte_eth_dev_get_reg_info(p->id, &info), 0);
	/* Looking changed nothing. */
	conf_pass(p, 10);
}

static void
test_eeprom_dump(void **state)
{
	static uint8_t whole[65536], part[65536];
	struct fx_port *p = *state;
	struct rte_dev_eeprom_info info = { .data = whole };
	int len = rte_eth_dev_get_eeprom_length(p->id), i;

	conf_proven("EEPROM dump", "read", len > 0);
	if (len <= 0) {
		assert_int_equal(len, -ENOTSUP);
		assert_int_equal(rte_eth_dev_get_eeprom(p->id, &info), -ENOTSUP);
		return;
	}
	assert_in_range(len, 2, sizeof(whole));
	info.length = len;
	assert_int_equal(rte_eth_dev_get_eeprom(p->id, &info), 0);
	/* In pieces it is the same, running too. */
	fx_start(p, NULL);
	for (i = 0; i < len; i += 4) {
		info = (struct rte_dev_eeprom_info){ .data = part + i, .offset = i,
						     .length = RTE_MIN(4, len - i) };
		assert_int_equal(rte_eth_dev_get_eeprom(p->id, &info), 0);
	}
	assert_memory_equal(whole, part, len);
	info = (struct rte_dev_eeprom_info){ .data = part, .offset = len, .length = 2 };
	assert_int_not_equal(rte_eth_dev_get_eeprom(p->id, &info), 0);
	info = (struct rte_dev_eeprom_info){ .data = part, .length = len + 2 };
	assert_int_not_equal(rte_eth_dev_get_eeprom(p->id, &info), 0);
	info = (struct rte_dev_eeprom_info){ .data = part, .offset = UINT32_MAX - 1, .length = 4 };
	assert_int_not_equal(rte_eth_dev_get_eeprom(p->id, &info), 0);
	conf_pass(p, 10);
}

static void
read_eeprom(struct fx_port *p, struct rte_dev_eeprom_info *info, void *data, uint32_t offset,
	    uint32_t len)
{
	*info = (struct rte_dev_eeprom_info){ .data = data, .offset = offset, .length = len };
	assert_int_equal(rte_eth_dev_get_eeprom(p->id, info), 0);
}

static void
test_eeprom_is_written_and_keeps_it(void **state)
{
	const uint32_t at = 8;	/* a whole word on each part, and not the address */
	struct fx_port *p = *state;
	struct rte_dev_eeprom_info info;
	uint8_t old[4], word[4];
	unsigned int i;
	int rc;

	if (rte_eth_dev_get_eeprom_length(p->id) <= 0)
		return;	/* the test before this */
	fx_start(p, NULL);
	read_eeprom(p, &info, old, at, sizeof(old));
	for (i = 0; i < 2; i++) {
		for (unsigned int k = 0; k < sizeof(word); k++)
			word[k] = i == 0 ? old[k] ^ 0x5a : old[k];
		info.data = word;
		info.offset = at;
		info.length = sizeof(word);
		rc = rte_eth_dev_set_eeprom(p->id, &info);
		conf_proven("EEPROM dump", "write", rc == 0);
		if (rc != 0) {
			assert_int_equal(rc, -ENOTSUP);
			return;
		}
		memset(word, 0, sizeof(word));
		read_eeprom(p, &info, word, at, sizeof(word));
		for (unsigned int k = 0; k < sizeof(word); k++)
			assert_int_equal(word[k], i == 0 ? old[k] ^ 0x5a : old[k]);
	}
	/* Another card's contents, and what does not fit, are refused and change nothing. */
	memset(word, 0x33, sizeof(word));
	info.data = word;
	info.magic ^= 1;
	assert_int_not_equal(rte_eth_dev_set_eeprom(p->id, &info), 0);
	info.magic ^= 1;
	info.offset = rte_eth_dev_get_eeprom_length(p->id) - 2;
	assert_int_not_equal(rte_eth_dev_set_eeprom(p->id, &info), 0);
	info.offset = UINT32_MAX - 1;
	assert_int_not_equal(rte_eth_dev_set_eeprom(p->id, &info), 0);
	read_eeprom(p, &info, word, at, sizeof(word));
	assert_memory_equal(word, old, sizeof(old));
	conf_pass(p, 10);
}

static void
test_firmware_version(void **state)
{
	struct fx_port *p = *state;
	char text[64], small[64];
	int rc, need, i;

	fx_start(p, NULL);
	memset(text, 0x55, sizeof(text));
	rc = rte_eth_dev_fw_version_get(p->id, text, sizeof(text));
	conf_proven("FW version", "text", rc == 0);
	if (rc != 0) {
		assert_int_equal(rc, -ENOTSUP);
		return;
	}
	need = strnlen(text, sizeof(text)) + 1;
	assert_in_range(need, 2, sizeof(text));
	for (i = 1; i < need; i++) {
		memset(small, 0x55, sizeof(small));
		assert_int_equal(rte_eth_dev_fw_version_get(p->id, small, i), need);
		assert_int_equal(small[i], 0x55);
	}
	assert_int_equal(rte_eth_dev_fw_version_get(p->id, small, need), 0);
	assert_string_equal(small, text);
}

static const struct CMUnitTest tests[] = {
	CONF_TEST(test_optional_calls_work_or_are_not_supported),
	CONF_TEST(test_optional_calls_while_stopped),
	CONF_TEST(test_rss_is_refused_unless_reported),
	CONF_TEST(test_flow_control_is_read_back),
	CONF_TEST(test_pause_is_obeyed_where_it_is_asked_for),
	CONF_TEST(test_pause_is_sent_where_it_is_asked_for),
	CONF_TEST(test_register_dump),
	CONF_TEST(test_eeprom_dump),
	CONF_TEST(test_eeprom_is_written_and_keeps_it),
	CONF_TEST(test_firmware_version),
};

CONF_MAIN("ops", tests)
