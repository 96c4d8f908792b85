/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * TCP segmentation. What must be in each segment is worked out here from the packet that was
 * handed in: its part of the payload, sequence number and IP identification that go on, FIN
 * and PSH in the last only, lengths and checksums of its own, everything else as it was.
 */

#include "conf.h"

#define TSO RTE_ETH_TX_OFFLOAD_TCP_TSO
#define SEGS RTE_ETH_TX_OFFLOAD_MULTI_SEGS
#define IP RTE_ETH_TX_OFFLOAD_IPV4_CKSUM
#define TCP RTE_ETH_TX_OFFLOAD_TCP_CKSUM

#define IP_ID 0xfffeu	/* wraps with the third segment */
#define SEQ 0xfffffc00u /* wraps within the first few */
#define FIN_PSH 0x09
#define ACK 0x10

static void
put_be(uint8_t *p, uint32_t v, unsigned int bytes)
{
	while (bytes-- > 0) {
		p[bytes] = (uint8_t)v;
		v >>= 8;
	}
}

/* A packet as a TCP stack hands it down; its checksums are the driver's and the chip's. */
static void
large(struct fx_frame *f, const struct fx_spec *s)
{
	struct fx_lens l = fx_frame_lens(s);
	uint8_t *l3 = f->data + l.l2, *l4 = l3 + l.l3;

	fx_frame_build(f, s);
	if (s->l3 == FX_IPV4) {
		put_be(l3 + 4, IP_ID, 2);
		put_be(l3 + 10, 0x5aa5, 2);
	}
	put_be(l4 + 4, SEQ, 4);
	l4[13] = ACK | FIN_PSH;
	put_be(l4 + 16, 0x5aa5, 2);
}

/* Segment `i` of the packet `f`: bytes `at` to `at + n` of its payload. */
static void
segment(struct fx_frame *seg, const struct fx_frame *f, const struct fx_spec *s, uint32_t i,
	uint32_t at, uint32_t n)
{
	struct fx_lens l = fx_frame_lens(s);
	uint32_t hdr = l.l2 + l.l3 + l.l4;
	uint8_t *l3 = seg->data + l.l2, *l4 = l3 + l.l3;

	memcpy(seg->data, f->data, hdr);
	memcpy(seg->data + hdr, f->data + hdr + at, n);
	seg->len = hdr + n;
	if (s->l3 == FX_IPV4) {
		put_be(l3 + 2, l.l3 + l.l4 + n, 2);
		put_be(l3 + 4, IP_ID + i, 2);
	} else {
		put_be(l3 + 4, l.l4 + n, 2);
	}
	put_be(l4 + 4, SEQ + at, 4);
	if (at + n < s->payload)
		l4[13] &= ~FIN_PSH;
}

static void
expect_segment(struct fx_port *p, struct fx_frame *want, const struct fx_spec *s)
{
	struct fx_lens l = fx_frame_lens(s);
	uint32_t ip = l.l2 + 10, tcp = l.l2 + l.l3 + 16;
	static struct fx_frame got;

	assert_true(conf_capture(p, &got));
	assert_int_equal(got.len, RTE_MAX(want->len, CONF_MIN_FRAME));
	assert_true(fx_ip_csum_good(&got));
	assert_true(fx_l4_csum_good(&got));
	/* Right as they are, the checksums need not be compared. */
	if (s->l3 == FX_IPV4)
		memcpy(want->data + ip, got.data + ip, 2);
	memcpy(want->data + tcp, got.data + tcp, 2);
	assert_memory_equal(got.data, want->data, want->len);
}

/* A packet to be segmented; `f` is what it holds. */
static struct rte_mbuf *
tso_mbuf(struct fx_port *p, struct fx_frame *f, const struct fx_spec *s, uint16_t mss, uint16_t cut)
{
	struct fx_lens l = fx_frame_lens(s);
	struct rte_mbuf *m;

	large(f, s);
	m = fx_mbuf(p->pool, f, cut);
	m->l2_len = l.l2;
	m->l3_len = l.l3;
	m->l4_len = l.l4;
	m->tso_segsz = mss;
	m->ol_flags |= RTE_MBUF_F_TX_TCP_SEG;
	m->ol_flags |= s->l3 == FX_IPV4 ? RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM :
					  RTE_MBUF_F_TX_IPV6;
	return m;
}

/* The offload is one for both families; a chip that knows one of them says so to who prepares. */
static bool
takes_ipv6(struct fx_port *p)
{
	const struct fx_spec s = { .l3 = FX_IPV6, .l4 = FX_TCP, .payload = 5000 };
	static struct fx_frame f;
	struct rte_mbuf *m = tso_mbuf(p, &f, &s, 1000, 2000);
	uint16_t n = rte_eth_tx_prepare(p->id, 0, &m, 1);

	if (n == 0)
		assert_int_equal(rte_errno, ENOTSUP);
	rte_pktmbuf_free(m);
	return n == 1;
}

static void
expect_tso(struct fx_port *p, const struct fx_spec *s, uint16_t mss, uint16_t cut)
{
	static struct fx_frame f, seg;
	struct rte_mbuf *m = tso_mbuf(p, &f, s, mss, cut);
	uint32_t at, i;

	assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 1);
	fx_tx(p, &m, 1);
	for (at = 0, i = 0; at < s->payload; at += mss, i++) {
		segment(&seg, &f, s, i, at, RTE_MIN((uint32_t)mss, s->payload - at));
		expect_segment(p, &seg, s);
	}
	conf_expect_silence(p);
}

static void
test_segments_are_what_tcp_would_have_sent(void **state)
{
	static const uint16_t mss[] = { 256, 536, 1000, 1220, 1440 };
	struct fx_port *p = *state;
	bool has = conf_has_tx(p, TSO), ipv6;
	unsigned int v, i, j;

	conf_proven("TSO", "TCP over IPv4", has);
	if (!has)
		return;
	conf_start_tx(p, TSO | SEGS | IP | TCP);
	ipv6 = takes_ipv6(p);
	conf_proven("TSO", "TCP over IPv6", ipv6);
	for (v = 0; v < 4; v += ipv6 ? 1 : 2) {
		for (i = 0; i < RTE_DIM(mss); i++) {
			const uint32_t payload[] = {
				1, mss[i] - 1, mss[i], mss[i] + 1, 2 * mss[i], 3 * mss[i] + 7,
				12000,
			};

			for (j = 0; j < RTE_DIM(payload); j++) {
				struct fx_spec s = {
					.l3 = v & 1 ? FX_IPV6 : FX_IPV4, .l4 = FX_TCP,
					.payload = payload[j], .seed = j, .vlan = v & 2 ? 7 : 0,
					.no_padding = true,
				};

				expect_tso(p, &s, mss[i], 2000);
				expect_tso(p, &s, mss[i], 500);
			}
		}
	}
}

/* Large and ordinary packets in turn: what one asked for is not the next one's. */
static void
test_tso_among_ordinary_packets(void **state)
{
	const struct fx_spec big = { .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 5000 };
	struct fx_port *p = *state;
	static struct fx_frame f;
	unsigned int i;

	if (!conf_has_tx(p, TSO))
		return;
	conf_start_tx(p, TSO | SEGS | IP | TCP);
	conf_frame(&f, 400, 1);
	for (i = 0; i < 200; i++) {
		expect_tso(p, &big, 500 + i, 1000);
		conf_sends(p, &f, 0);
		conf_sends(p, &f, 100);
	}
}

static void
test_impossible_tso_is_refused(void **state)
{
	static const uint16_t mss[] = { 0, 65535 };
	struct fx_spec s = { .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 5000 };
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;
	unsigned int i;

	if (!conf_has_tx(p, TSO))
		return;
	conf_start_tx(p, TSO | SEGS | IP | TCP);
	for (i = 0; i < RTE_DIM(mss); i++) {
		large(&f, &s);
		m = fx_mbuf(p->pool, &f, 2000);
		m->l2_len = 14;
		m->l3_len = 20;
		m->l4_len = 20;
		m->tso_segsz = mss[i];
		m->ol_flags |= RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_IPV4 |
			       RTE_MBUF_F_TX_IP_CKSUM;
		assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 0);
		rte_pktmbuf_free(m);
	}
	expect_tso(p, &s, 1000, 2000);
}

static void
test_other_segmentation_is_not_offered(void **state)
{
	static const uint64_t other[] = {
		RTE_ETH_TX_OFFLOAD_UDP_TSO, RTE_ETH_TX_OFFLOAD_VXLAN_TNL_TSO,
		RTE_ETH_TX_OFFLOAD_GRE_TNL_TSO, RTE_ETH_TX_OFFLOAD_IPIP_TNL_TSO,
		RTE_ETH_TX_OFFLOAD_GENEVE_TNL_TSO, RTE_ETH_TX_OFFLOAD_UDP_TNL_TSO,
		RTE_ETH_TX_OFFLOAD_IP_TNL_TSO,
	};
	struct fx_port *p = *state;
	unsigned int i;

	for (i = 0; i < RTE_DIM(other); i++)
		if (conf_has_tx(p, other[i]))
			fail_msg("segmentation 0x%" PRIx64 " is offered, and nothing here proves "
				 "it", other[i]);
}

static const struct CMUnitTest tests[] = {
	CONF_TEST(test_segments_are_what_tcp_would_have_sent),
	CONF_TEST(test_tso_among_ordinary_packets),
	CONF_TEST(test_impossible_tso_is_refused),
	CONF_TEST(test_other_segmentation_is_not_offered),
};

CONF_MAIN("tso", tests)
