/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* VLAN tags: stripped, inserted, filtered, or left alone. */

#include "conf.h"

#define STRIP RTE_ETH_RX_OFFLOAD_VLAN_STRIP
#define FILTER RTE_ETH_RX_OFFLOAD_VLAN_FILTER
#define QINQ 0x88a8
#define STRIPPED (RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED)

/* VID 0 with and without priority, ends of the range, every priority bit, DEI. */
static const uint16_t tcis[] = {
	0x0000, 0x0001, 0x0064, 0x0fff, 0x1000, 0x1064, 0x2001, 0x4000, 0x8123, 0xe000, 0xe064,
	0xffff,
};

static void
tagged(struct fx_frame *f, uint32_t len, uint16_t tci)
{
	conf_frame(f, len - RTE_VLAN_HLEN, (uint8_t)tci);
	conf_tag(f, RTE_ETHER_TYPE_VLAN, tci);
}

static void
expect_stripped(struct fx_port *p, uint32_t len, uint16_t tci)
{
	static struct fx_frame f, want;
	struct rte_mbuf *m;

	tagged(&f, len, tci);
	conf_frame(&want, len - RTE_VLAN_HLEN, (uint8_t)tci);
	m = conf_rx_one(p, &f);
	assert_int_equal(m->ol_flags & STRIPPED, STRIPPED);
	assert_int_equal(m->vlan_tci, tci);
	fx_expect_mbuf(m, &want);
}

static void
expect_kept(struct fx_port *p, const struct fx_frame *f)
{
	struct rte_mbuf *m = conf_rx_one(p, f);

	assert_int_equal(m->ol_flags & (RTE_MBUF_F_RX_VLAN_STRIPPED |
					RTE_MBUF_F_RX_QINQ_STRIPPED), 0);
	fx_expect_mbuf(m, f);
}

/* --- strip ---------------------------------------------------------------------------- */

static void
test_strip_takes_the_tag(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	unsigned int i;

	conf_proven("VLAN offload", "strip", conf_has_rx(p, STRIP));
	if (!conf_has_rx(p, STRIP))
		return;
	conf_start_rx(p, STRIP);
	for (i = 0; i < RTE_DIM(tcis); i++) {
		expect_stripped(p, 64, tcis[i]);
		/* The shortest that may be on the wire: 56 bytes are left. */
		expect_stripped(p, CONF_MIN_FRAME, tcis[i]);
		expect_stripped(p, 1518, tcis[i]);
		conf_frame(&f, 200, i);
		expect_kept(p, &f);
	}
}

static void
test_without_strip_the_tag_stays(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	unsigned int i;

	fx_start(p, NULL);
	for (i = 0; i < RTE_DIM(tcis); i++) {
		tagged(&f, 64, tcis[i]);
		expect_kept(p, &f);
		tagged(&f, conf_takes_tagged(p, RTE_ETHER_MTU) ? 1518 : 1514, tcis[i]);
		expect_kept(p, &f);
	}
}

static void
test_strip_takes_only_the_outer_of_two_tags(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f, want;
	struct rte_mbuf *m;

	if (!conf_has_rx(p, STRIP))
		return;
	conf_start_rx(p, STRIP);
	tagged(&f, 100, 0x0222);
	tagged(&want, 100, 0x0222);
	conf_tag(&f, RTE_ETHER_TYPE_VLAN, 0x0111);
	m = conf_rx_one(p, &f);
	assert_int_equal(m->ol_flags & STRIPPED, STRIPPED);
	assert_int_equal(m->vlan_tci, 0x0111);
	fx_expect_mbuf(m, &want);
	/* A service tag is not a VLAN tag. */
	conf_tag(&want, QINQ, 0x0333);
	expect_kept(p, &want);
}

static void
test_qinq_is_refused_or_works(void **state)
{
	struct fx_port *p = *state;
	bool strip = conf_has_rx(p, RTE_ETH_RX_OFFLOAD_QINQ_STRIP);
	bool extend = conf_has_rx(p, RTE_ETH_RX_OFFLOAD_VLAN_EXTEND);
	bool insert = conf_has_tx(p, RTE_ETH_TX_OFFLOAD_QINQ_INSERT);
	static struct fx_frame f, want;
	struct rte_mbuf *m;

	if (strip) {
		conf_start_rx(p, RTE_ETH_RX_OFFLOAD_QINQ_STRIP | STRIP);
		conf_frame(&want, 100, 1);
		conf_frame(&f, 100, 1);
		conf_tag(&f, RTE_ETHER_TYPE_VLAN, 0x0222);
		conf_tag(&f, QINQ, 0x0111);
		m = conf_rx_one(p, &f);
		assert_true(m->ol_flags & RTE_MBUF_F_RX_QINQ_STRIPPED);
		assert_int_equal(m->vlan_tci, 0x0222);
		assert_int_equal(m->vlan_tci_outer, 0x0111);
		fx_expect_mbuf(m, &want);
	}
	if (extend || insert)
		fail_msg("QinQ is offered beyond stripping, and nothing here proves it");
	conf_proven("QinQ offload", "strip", strip);
	conf_proven("QinQ offload", "insert", false);
}

static void
set_vlan(struct fx_port *p, int mask)
{
	assert_int_equal(rte_eth_dev_set_vlan_offload(p->id, mask), 0);
	assert_int_equal(rte_eth_dev_get_vlan_offload(p->id), mask);
}

static void
test_strip_is_switched_while_running(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	unsigned int i;

	if (!conf_has_rx(p, STRIP))
		return;
	fx_start(p, NULL);
	tagged(&f, 100, 5);
	for (i = 0; i < 4; i++) {
		set_vlan(p, RTE_ETH_VLAN_STRIP_OFFLOAD);
		expect_stripped(p, 100, 5);
		conf_stop(p);
		assert_int_equal(rte_eth_dev_start(p->id), 0);
		expect_stripped(p, 100, 5);
		set_vlan(p, 0);
		expect_kept(p, &f);
		conf_stop(p);
		assert_int_equal(rte_eth_dev_start(p->id), 0);
		expect_kept(p, &f);
	}
}

/* A tag found in the last buffer of a frame belongs into the first mbuf. */
static void
test_tag_of_a_scattered_frame_is_in_the_first_mbuf(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info = conf_info(p);
	struct rte_mempool *mp = conf_pool(511, info.min_rx_bufsize);
	static struct fx_frame f, want;
	struct rte_mbuf *m, *s;
	uint32_t len;

	if (!conf_has_rx(p, STRIP | RTE_ETH_RX_OFFLOAD_SCATTER)) {
		conf_pool_free(mp);
		return;
	}
	fx_start(p, &(struct fx_conf){
		.eth.rxmode.offloads = STRIP | RTE_ETH_RX_OFFLOAD_SCATTER, .pool = mp });
	for (len = info.min_rx_bufsize - 4; len <= 1518; len += 61) {
		tagged(&f, len, 0xa123);
		conf_frame(&want, len - RTE_VLAN_HLEN, 0x23);
		m = conf_rx_one(p, &f);
		assert_int_equal(m->ol_flags & STRIPPED, STRIPPED);
		assert_int_equal(m->vlan_tci, 0xa123);
		for (s = m->next; s != NULL; s = s->next)
			assert_int_equal(s->ol_flags & STRIPPED, 0);
		fx_expect_mbuf(m, &want);
	}
	conf_stop(p);
	fx_configure(p, NULL);
	conf_pool_free(mp);
}

/* --- filter --------------------------------------------------------------------------- */

static void
expect_vid(struct fx_port *p, uint16_t vid, bool in)
{
	static struct fx_frame f;

	tagged(&f, 100, vid | 0x6000);
	if (in)
		conf_receives(p, &f);
	else
		conf_ignores(p, &f);
}

static void
test_filter_passes_only_its_vlans(void **state)
{
	static const uint16_t vid[] = { 0, 1, 31, 32, 33, 1000, 2047, 2048, 4094, 4095 };
	struct fx_port *p = *state;
	static struct fx_frame f;
	unsigned int i, j;

	conf_proven("VLAN filter", "filter", conf_has_rx(p, FILTER));
	if (!conf_has_rx(p, FILTER)) {
		fx_start(p, NULL);
		assert_int_not_equal(rte_eth_dev_vlan_filter(p->id, 1, 1), 0);
		return;
	}
	/* Filter on and strip off: the tag stays. */
	conf_start_rx(p, FILTER);
	conf_frame(&f, 100, 1);
	for (i = 0; i < RTE_DIM(vid); i++) {
		assert_int_equal(rte_eth_dev_vlan_filter(p->id, vid[i], 1), 0);
		for (j = 1; j < RTE_DIM(vid); j++)
			expect_vid(p, vid[j], i == j);
		conf_receives(p, &f);
		assert_int_equal(rte_eth_dev_vlan_filter(p->id, vid[i], 0), 0);
	}
	assert_int_not_equal(rte_eth_dev_vlan_filter(p->id, 4096, 1), 0);
	assert_int_equal(rte_eth_dev_vlan_filter(p->id, 0, 1), 0);
	expect_vid(p, 0, true);
}

static void
test_filter_holds_all_4096_vlans(void **state)
{
	struct fx_port *p = *state;
	unsigned int i;

	if (!conf_has_rx(p, FILTER))
		return;
	conf_start_rx(p, FILTER);
	for (i = 0; i < 4096; i++)
		assert_int_equal(rte_eth_dev_vlan_filter(p->id, i, 1), 0);
	for (i = 0; i < 4096; i += 7)
		assert_int_equal(rte_eth_dev_vlan_filter(p->id, i, 0), 0);
	for (i = 1; i < 4096; i++)
		expect_vid(p, i, i % 7 != 0);
}

static void
test_filter_is_switched_and_outlives_a_restart(void **state)
{
	struct fx_port *p = *state;

	if (!conf_has_rx(p, FILTER))
		return;
	conf_start_rx(p, FILTER);
	assert_int_equal(rte_eth_dev_vlan_filter(p->id, 100, 1), 0);
	set_vlan(p, 0);
	expect_vid(p, 100, true);
	expect_vid(p, 101, true);
	set_vlan(p, RTE_ETH_VLAN_FILTER_OFFLOAD);
	expect_vid(p, 100, true);
	expect_vid(p, 101, false);
	conf_stop(p);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	expect_vid(p, 100, true);
	expect_vid(p, 101, false);
}

static void
test_filter_and_promiscuous_mode(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;

	if (!conf_has_rx(p, FILTER))
		return;
	conf_start_rx(p, FILTER);
	assert_int_equal(rte_eth_dev_vlan_filter(p->id, 100, 1), 0);
	assert_int_equal(rte_eth_promiscuous_enable(p->id), 0);
	tagged(&f, 100, 100);
	f.data[0] = 2; /* somebody else's */
	conf_receives(p, &f);
	assert_int_equal(rte_eth_promiscuous_disable(p->id), 0);
	conf_ignores(p, &f);
	expect_vid(p, 101, false);
}

/* --- insert ---------------------------------------------------------------------------- */

static void
insert(struct fx_port *p, uint32_t len, uint16_t tci, uint16_t seg)
{
	static struct fx_frame f;
	struct rte_mbuf *m;

	conf_frame(&f, len, (uint8_t)tci);
	m = fx_mbuf(p->pool, &f, seg);
	m->ol_flags |= RTE_MBUF_F_TX_VLAN;
	m->vlan_tci = tci;
	assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 1);
	fx_tx(p, &m, 1);
	/* Short frames are padded first or last: 60 bytes at least, the rest zero. */
	conf_tag(&f, RTE_ETHER_TYPE_VLAN, tci);
	if (f.len < CONF_MIN_FRAME + RTE_VLAN_HLEN) {
		static struct fx_frame got;

		assert_true(conf_capture(p, &got));
		assert_in_range(got.len, CONF_MIN_FRAME, CONF_MIN_FRAME + RTE_VLAN_HLEN);
		memset(f.data + f.len, 0, CONF_MIN_FRAME);
		assert_memory_equal(got.data, f.data, got.len);
	} else {
		conf_expect_sent(p, &f);
	}
	conf_expect_silence(p);
}

static void
test_insert_puts_the_tag(void **state)
{
	struct fx_port *p = *state;
	bool has = conf_has_tx(p, RTE_ETH_TX_OFFLOAD_VLAN_INSERT);
	uint64_t segs = conf_info(p).tx_offload_capa & RTE_ETH_TX_OFFLOAD_MULTI_SEGS;
	static struct fx_frame f;
	unsigned int i;

	conf_proven("VLAN offload", "insert", has);
	if (!has)
		return;
	conf_start_tx(p, RTE_ETH_TX_OFFLOAD_VLAN_INSERT | segs);
	conf_frame(&f, 100, 1);
	for (i = 0; i < RTE_DIM(tcis); i++) {
		insert(p, 14, tcis[i], 0);
		insert(p, CONF_MIN_FRAME, tcis[i], 0);
		insert(p, 64, tcis[i], 0);
		insert(p, 1514, tcis[i], 0);
		if (segs != 0)
			insert(p, 1514, tcis[i], 300);
		/* The one after it is not tagged. */
		conf_sends(p, &f, 0);
	}
}

/* On some chips one bit both inserts and strips. */
static void
test_insert_does_not_strip(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	unsigned int i;

	if (!conf_has_tx(p, RTE_ETH_TX_OFFLOAD_VLAN_INSERT))
		return;
	conf_start_tx(p, RTE_ETH_TX_OFFLOAD_VLAN_INSERT);
	for (i = 0; i < RTE_DIM(tcis); i++) {
		tagged(&f, 64, tcis[i]);
		expect_kept(p, &f);
		tagged(&f, 1518, tcis[i]);
		expect_kept(p, &f);
		insert(p, 200, tcis[i], 0);
	}
}

static void
test_strip_does_not_insert(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;

	if (!conf_has_rx(p, STRIP))
		return;
	conf_start_rx(p, STRIP);
	tagged(&f, 100, 7);
	m = fx_mbuf(p->pool, &f, 0);
	m->vlan_tci = 9;
	fx_tx(p, &m, 1);
	conf_expect_sent(p, &f);
	conf_expect_silence(p);
}

static const struct CMUnitTest tests[] = {
	CONF_TEST(test_strip_takes_the_tag),
	CONF_TEST(test_without_strip_the_tag_stays),
	CONF_TEST(test_strip_takes_only_the_outer_of_two_tags),
	CONF_TEST(test_qinq_is_refused_or_works),
	CONF_TEST(test_strip_is_switched_while_running),
	CONF_TEST(test_tag_of_a_scattered_frame_is_in_the_first_mbuf),
	CONF_TEST(test_filter_passes_only_its_vlans),
	CONF_TEST(test_filter_holds_all_4096_vlans),
	CONF_TEST(test_filter_is_switched_and_outlives_a_restart),
	CONF_TEST(test_filter_and_promiscuous_mode),
	CONF_TEST(test_insert_puts_the_tag),
	CONF_TEST(test_insert_does_not_strip),
	CONF_TEST(test_strip_does_not_insert),
};

CONF_MAIN("vlan", tests)
