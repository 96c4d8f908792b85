/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* Transmit checksum offload, judged by the arithmetic of RFC 1071, and tx_prepare. */

#include "conf.h"

#include <rte_errno.h>

#define IP RTE_ETH_TX_OFFLOAD_IPV4_CKSUM
#define UDP RTE_ETH_TX_OFFLOAD_UDP_CKSUM
#define TCP RTE_ETH_TX_OFFLOAD_TCP_CKSUM
#define SEGS RTE_ETH_TX_OFFLOAD_MULTI_SEGS

static const struct fx_spec specs[] = {
	{ .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 0 },
	{ .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 1 },
	{ .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 18 },
	{ .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 501, .seed = 9 },
	{ .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 1472 },
	{ .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 0 },
	{ .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 333, .seed = 77 },
	{ .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 1460 },
	{ .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100, .ip_opts = 40 },
	{ .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 100, .ip_opts = 4 },
	{ .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100, .vlan = 100 },
	{ .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 99, .vlan = 0xffff },
	{ .l3 = FX_IPV4, .payload = 100 },
	{ .l3 = FX_IPV6, .l4 = FX_UDP, .payload = 0 },
	{ .l3 = FX_IPV6, .l4 = FX_UDP, .payload = 501 },
	{ .l3 = FX_IPV6, .l4 = FX_TCP, .payload = 1440 },
	{ .l3 = FX_IPV6, .l4 = FX_TCP, .payload = 7, .vlan = 2 },
};

/* Flags that ask for all the checksums of a frame that `offloads` can make. */
static uint64_t
flags_for(const struct fx_spec *s, uint64_t offloads)
{
	uint64_t flags = s->l3 == FX_IPV4 ? RTE_MBUF_F_TX_IPV4 : RTE_MBUF_F_TX_IPV6;

	if (s->l3 == FX_IPV4 && (offloads & IP))
		flags |= RTE_MBUF_F_TX_IP_CKSUM;
	if (s->l4 == FX_UDP && (offloads & UDP))
		flags |= RTE_MBUF_F_TX_UDP_CKSUM;
	if (s->l4 == FX_TCP && (offloads & TCP))
		flags |= RTE_MBUF_F_TX_TCP_CKSUM;
	return flags;
}

static void
put_csum(struct fx_frame *f, const struct fx_spec *s, uint64_t flags, uint16_t sum)
{
	struct fx_lens l = fx_frame_lens(s);
	uint32_t l4 = l.l2 + l.l3 + (s->l4 == FX_TCP ? 16 : 6);

	if (flags & RTE_MBUF_F_TX_IP_CKSUM)
		memcpy(f->data + l.l2 + 10, &sum, sizeof(sum));
	if (flags & RTE_MBUF_F_TX_L4_MASK)
		memcpy(f->data + l4, &sum, sizeof(sum));
}

static struct rte_mbuf *
request(struct fx_port *p, const struct fx_frame *f, const struct fx_spec *s, uint64_t flags,
	uint16_t seg)
{
	struct rte_mbuf *m = fx_mbuf(p->pool, f, seg);
	struct fx_lens l = fx_frame_lens(s);

	m->l2_len = l.l2;
	m->l3_len = l.l3;
	m->l4_len = l.l4;
	m->ol_flags |= flags;
	return m;
}

/*
 * The frame goes out as it was but for the checksums asked for, which held rubbish and must
 * come out right.
 */
static void
expect_csums(struct fx_port *p, const struct fx_spec *s, uint64_t flags, uint16_t seg)
{
	static struct fx_frame right, f, got;
	struct fx_lens l = fx_frame_lens(s);
	struct rte_mbuf *m;

	fx_frame_build(&right, s);
	f = right;
	put_csum(&f, s, flags, 0x5aa5);
	m = request(p, &f, s, flags, seg);
	if (rte_eth_tx_prepare(p->id, 0, &m, 1) == 0) {
		/* DPDK lets a driver ask for the headers in one piece. */
		assert_true(seg != 0 && seg < l.l2 + l.l3 + l.l4);
		assert_int_equal(rte_errno, ENOTSUP);
		rte_pktmbuf_free(m);
		return;
	}
	fx_tx(p, &m, 1);
	assert_true(conf_capture(p, &got));
	assert_true(fx_ip_csum_good(&got));
	if (s->l4 != FX_NO_L4)
		assert_true(fx_l4_csum_good(&got));
	assert_int_equal(got.len, right.len);
	assert_memory_equal(got.data, right.data, right.len);
	conf_expect_silence(p);
}

static void
test_checksums_are_made(void **state)
{
	struct fx_port *p = *state;
	const uint64_t bit[] = { IP, UDP, TCP };
	unsigned int set, i;

	for (set = 1; set < 8; set++) {
		uint64_t offloads = 0;

		for (i = 0; i < RTE_DIM(bit); i++)
			offloads |= set & 1u << i ? bit[i] : 0;
		if (!conf_has_tx(p, offloads))
			continue;
		conf_start_tx(p, offloads);
		for (i = 0; i < RTE_DIM(specs); i++)
			expect_csums(p, &specs[i], flags_for(&specs[i], offloads), 0);
		conf_stop(p);
	}
	conf_proven("L3 checksum offload", "Tx", conf_has_tx(p, IP));
	conf_proven("L4 checksum offload", "Tx UDP", conf_has_tx(p, UDP));
	conf_proven("L4 checksum offload", "Tx TCP", conf_has_tx(p, TCP));
}

static void
test_checksums_across_segments(void **state)
{
	static const uint16_t seg[] = { 1500, 200, 100, 64, 60 };
	struct fx_port *p = *state;
	uint64_t offloads = conf_info(p).tx_offload_capa & (IP | UDP | TCP);
	unsigned int i, j;

	if (!conf_has_tx(p, SEGS) || offloads == 0)
		return;
	conf_start_tx(p, offloads | SEGS);
	for (i = 0; i < RTE_DIM(specs); i++)
		for (j = 0; j < RTE_DIM(seg); j++)
			expect_csums(p, &specs[i], flags_for(&specs[i], offloads), seg[j]);
}

/* Each packet's own request counts, whatever the one before it asked for. */
static void
test_requests_alternate(void **state)
{
	struct fx_port *p = *state;
	uint64_t offloads = conf_info(p).tx_offload_capa & (IP | UDP | TCP);
	unsigned int i, j;

	if (offloads == 0)
		return;
	conf_start_tx(p, offloads);
	for (i = 0; i < RTE_DIM(specs); i++) {
		for (j = 0; j < RTE_DIM(specs); j++) {
			uint64_t flags = flags_for(&specs[j], offloads);

			expect_csums(p, &specs[i], flags_for(&specs[i], offloads), 0);
			expect_csums(p, &specs[j], flags, 0);
			expect_csums(p, &specs[i], 0, 0);
			expect_csums(p, &specs[j], flags & ~RTE_MBUF_F_TX_L4_MASK, 0);
			expect_csums(p, &specs[j], flags & ~RTE_MBUF_F_TX_IP_CKSUM, 0);
		}
	}
}

static void
test_nothing_is_touched_unasked(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	unsigned int i;

	conf_start_tx(p, conf_info(p).tx_offload_capa & (IP | UDP | TCP));
	for (i = 0; i < RTE_DIM(specs); i++) {
		struct fx_spec s = specs[i];

		s.bad_ip_csum = true;
		s.bad_l4_csum = true;
		fx_frame_build(&f, &s);
		conf_sends(p, &f, 0);
	}
}

/* A sum of 0 means "none" in UDP: all ones goes out for it (RFC 768). */
static void
test_udp_sum_of_zero_goes_out_as_all_ones(void **state)
{
	struct fx_spec s = { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100 };
	struct fx_port *p = *state;
	static struct fx_frame f, got;
	struct rte_mbuf *m;
	uint8_t *csum = f.data + 14 + 20 + 6, *data = csum + 2;
	uint32_t v;

	if (!conf_has_tx(p, UDP))
		return;
	conf_start_tx(p, UDP);
	memset(&f, 0, sizeof(f));
	fx_frame_build(&f, &s);
	/* The first payload word, 0x0001, plus what the whole is short of all ones. */
	assert_int_equal(data[0] << 8 | data[1], 0x0001);
	v = (csum[0] << 8 | csum[1]) + 1;
	v = (v & 0xffff) + (v >> 16);
	data[0] = v >> 8;
	data[1] = v;
	memcpy(csum, "\x5a\xa5", 2);
	m = request(p, &f, &s, flags_for(&s, UDP), 0);
	assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 1);
	fx_tx(p, &m, 1);
	assert_true(conf_capture(p, &got));
	assert_true(fx_l4_csum_good(&got));
	assert_memory_equal(got.data + 14 + 20 + 6, "\xff\xff", 2);
}

/* --- tx_prepare -------------------------------------------------------------------- */

static const struct {
	const char *what;
	uint64_t flag, offload;
} requests[] = {
	{ "IP checksum", RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_IPV4, IP },
	{ "UDP checksum", RTE_MBUF_F_TX_UDP_CKSUM | RTE_MBUF_F_TX_IPV4, UDP | TCP },
	{ "TCP checksum", RTE_MBUF_F_TX_TCP_CKSUM | RTE_MBUF_F_TX_IPV4, UDP | TCP },
	{ "SCTP checksum", RTE_MBUF_F_TX_SCTP_CKSUM | RTE_MBUF_F_TX_IPV4,
	  RTE_ETH_TX_OFFLOAD_SCTP_CKSUM },
	{ "VLAN", RTE_MBUF_F_TX_VLAN, RTE_ETH_TX_OFFLOAD_VLAN_INSERT },
	{ "QinQ", RTE_MBUF_F_TX_QINQ, RTE_ETH_TX_OFFLOAD_QINQ_INSERT },
	{ "TSO", RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM,
	  RTE_ETH_TX_OFFLOAD_TCP_TSO },
	{ "UDP segmentation", RTE_MBUF_F_TX_UDP_SEG | RTE_MBUF_F_TX_IPV4,
	  RTE_ETH_TX_OFFLOAD_UDP_TSO },
	{ "outer IP checksum", RTE_MBUF_F_TX_OUTER_IP_CKSUM | RTE_MBUF_F_TX_OUTER_IPV4,
	  RTE_ETH_TX_OFFLOAD_OUTER_IPV4_CKSUM },
	{ "outer UDP checksum", RTE_MBUF_F_TX_OUTER_UDP_CKSUM | RTE_MBUF_F_TX_OUTER_IPV4,
	  RTE_ETH_TX_OFFLOAD_OUTER_UDP_CKSUM },
	{ "tunnel", RTE_MBUF_F_TX_TUNNEL_VXLAN | RTE_MBUF_F_TX_OUTER_IPV4,
	  RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO },
	{ "MACsec", RTE_MBUF_F_TX_MACSEC, RTE_ETH_TX_OFFLOAD_MACSEC_INSERT },
	{ "security", RTE_MBUF_F_TX_SEC_OFFLOAD, RTE_ETH_TX_OFFLOAD_SECURITY },
};

static struct rte_mbuf *
udp_request(struct fx_port *p, uint64_t flags)
{
	static const struct fx_spec s = { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100 };
	static struct fx_frame f;
	struct rte_mbuf *m;

	fx_frame_build(&f, &s);
	m = request(p, &f, &s, flags, 0);
	m->tso_segsz = 50;
	return m;
}

/* Not offered, or offered but not enabled on this port: tx_prepare must not let it by. */
static void
test_tx_prepare_refuses_what_is_not_enabled(void **state)
{
	struct fx_port *p = *state;
	uint64_t capa = conf_info(p).tx_offload_capa;
	struct rte_mbuf *m[3];
	unsigned int i, all;

	for (all = 0; all < 2; all++) {
		uint64_t on = all ? capa & (IP | UDP | TCP | RTE_ETH_TX_OFFLOAD_VLAN_INSERT) : 0;

		conf_start_tx(p, on);
		for (i = 0; i < RTE_DIM(requests); i++) {
			if (on & requests[i].offload)
				continue;
			m[0] = udp_request(p, 0);
			m[1] = udp_request(p, requests[i].flag);
			m[2] = udp_request(p, 0);
			rte_errno = 0;
			if (rte_eth_tx_prepare(p->id, 0, m, 3) != 1 || rte_errno != ENOTSUP)
				fail_msg("%s: tx_prepare lets it by or sets rte_errno %d",
					 requests[i].what, rte_errno);
			rte_pktmbuf_free_bulk(m, 3);
		}
		conf_stop(p);
	}
}

static void
test_tx_prepare_refuses_headers_that_do_not_fit(void **state)
{
	static const struct {
		uint32_t l2, l3;
	} row[] = { { 0, 0 }, { 0, 20 }, { 14, 0 }, { 127, 511 }, { 14, 200 } };
	struct fx_port *p = *state;
	struct rte_mbuf *m;
	unsigned int i;

	if (!conf_has_tx(p, IP | UDP))
		return;
	conf_start_tx(p, IP | UDP);
	for (i = 0; i < RTE_DIM(row); i++) {
		m = udp_request(p, RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM |
				   RTE_MBUF_F_TX_UDP_CKSUM);
		m->l2_len = row[i].l2;
		m->l3_len = row[i].l3;
		rte_errno = 0;
		assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 0);
		assert_int_equal(rte_errno, EINVAL);
		rte_pktmbuf_free(m);
	}
}

/* Who skips tx_prepare may have the chip told nonsense, but nothing worse may come of it. */
static void
test_wrong_requests_do_no_harm(void **state)
{
	struct fx_port *p = *state;
	uint64_t capa = conf_info(p).tx_offload_capa;
	static struct fx_frame f;
	struct rte_mbuf *m;
	unsigned int i, all;

	conf_frame(&f, 100, 3);
	for (all = 0; all < 2; all++) {
		conf_start_tx(p, all ? capa & (IP | UDP | TCP | SEGS) : 0);
		for (i = 0; i < RTE_DIM(requests); i++) {
			m = udp_request(p, requests[i].flag);
			m->l2_len = 127;
			m->l3_len = 511;
			m->l4_len = 255;
			if (rte_eth_tx_burst(p->id, 0, &m, 1) == 0)
				rte_pktmbuf_free(m);
			conf_drain(p);
			conf_sends(p, &f, 0);
		}
		conf_stop(p);
	}
	fx_expect_violations(p, PW_VIOL_PROTOCOL,
			     pw_model_violations(p->model, PW_VIOL_PROTOCOL));
}

static const struct CMUnitTest tests[] = {
	CONF_TEST(test_checksums_are_made),
	CONF_TEST(test_checksums_across_segments),
	CONF_TEST(test_requests_alternate),
	CONF_TEST(test_nothing_is_touched_unasked),
	CONF_TEST(test_udp_sum_of_zero_goes_out_as_all_ones),
	CONF_TEST(test_tx_prepare_refuses_what_is_not_enabled),
	CONF_TEST(test_tx_prepare_refuses_headers_that_do_not_fit),
	CONF_TEST(test_wrong_requests_do_no_harm),
};

CONF_MAIN("csum_tx", tests)
