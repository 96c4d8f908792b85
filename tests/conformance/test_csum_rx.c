/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* Receive checksum offload: right is never called bad, wrong never good, and all come through. */

#include "conf.h"

#define IP RTE_ETH_RX_OFFLOAD_IPV4_CKSUM
#define UDP RTE_ETH_RX_OFFLOAD_UDP_CKSUM
#define TCP RTE_ETH_RX_OFFLOAD_TCP_CKSUM

#define IP_MASK RTE_MBUF_F_RX_IP_CKSUM_MASK
#define IP_GOOD RTE_MBUF_F_RX_IP_CKSUM_GOOD
#define IP_BAD RTE_MBUF_F_RX_IP_CKSUM_BAD
#define L4_MASK RTE_MBUF_F_RX_L4_CKSUM_MASK
#define L4_GOOD RTE_MBUF_F_RX_L4_CKSUM_GOOD
#define L4_BAD RTE_MBUF_F_RX_L4_CKSUM_BAD

/* What a chip has to say, if it says anything. NA: there is nothing to check. */
enum verdict { NA, RIGHT, WRONG };

static const struct row {
	const char *what;
	struct fx_spec spec;
	enum verdict ip, l4;
	bool must;	/* every chip that offers the offload looks at such a frame */
} rows[] = {
	{ "no IP", { .payload = 100 }, NA, NA },
	{ "IPv4 UDP", { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100 }, RIGHT, RIGHT, true },
	{ "IPv4 TCP", { .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 100 }, RIGHT, RIGHT, true },
	{ "IPv4 UDP, odd length", { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 99 }, RIGHT, RIGHT,
	  true },
	{ "IPv4 TCP, odd length", { .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 1 }, RIGHT, RIGHT,
	  true },
	{ "IPv4 UDP, padded", { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 0 }, RIGHT, RIGHT, true },
	{ "IPv4 UDP, longest", { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 1472 }, RIGHT, RIGHT,
	  true },
	{ "IPv4 UDP, bad UDP", { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100,
	  .bad_l4_csum = true }, RIGHT, WRONG, true },
	{ "IPv4 TCP, bad TCP", { .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 100,
	  .bad_l4_csum = true }, RIGHT, WRONG, true },
	{ "IPv4 UDP, bad IP", { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100,
	  .bad_ip_csum = true }, WRONG, RIGHT, true },
	{ "IPv4 TCP, both bad", { .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 100,
	  .bad_ip_csum = true, .bad_l4_csum = true }, WRONG, WRONG, true },
	{ "IPv4 UDP, no UDP checksum", { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100,
	  .no_udp_csum = true }, RIGHT, NA, true },
	{ "IPv4 fragment", { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100, .fragment = true,
	  .bad_l4_csum = true }, RIGHT, NA, true },
	{ "IPv4 other protocol", { .l3 = FX_IPV4, .payload = 100 }, RIGHT, NA, true },
	{ "IPv4 with options, UDP", { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100,
	  .ip_opts = 40 }, RIGHT, RIGHT },
	{ "IPv4 with options, bad TCP", { .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 100,
	  .ip_opts = 4, .bad_l4_csum = true }, RIGHT, WRONG },
	{ "IPv4 with options, bad IP", { .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 100,
	  .ip_opts = 20, .bad_ip_csum = true }, WRONG, RIGHT },
	{ "VLAN IPv4 UDP", { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100, .vlan = 5 }, RIGHT,
	  RIGHT },
	{ "VLAN IPv4 TCP, bad TCP", { .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 100, .vlan = 5,
	  .bad_l4_csum = true }, RIGHT, WRONG },
	{ "VLAN IPv4 UDP, bad IP", { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100, .vlan = 5,
	  .bad_ip_csum = true }, WRONG, RIGHT },
	{ "IPv6 UDP", { .l3 = FX_IPV6, .l4 = FX_UDP, .payload = 100 }, NA, RIGHT },
	{ "IPv6 TCP", { .l3 = FX_IPV6, .l4 = FX_TCP, .payload = 101 }, NA, RIGHT },
	{ "IPv6 UDP, bad UDP", { .l3 = FX_IPV6, .l4 = FX_UDP, .payload = 100,
	  .bad_l4_csum = true }, NA, WRONG },
	{ "IPv6 TCP, bad TCP", { .l3 = FX_IPV6, .l4 = FX_TCP, .payload = 100,
	  .bad_l4_csum = true }, NA, WRONG },
	{ "IPv6 other protocol", { .l3 = FX_IPV6, .payload = 100 }, NA, NA },
};

static uint64_t
offload_of(const struct row *r)
{
	return r->spec.l4 == FX_UDP ? UDP : r->spec.l4 == FX_TCP ? TCP : UDP | TCP;
}

/* Says what the flags may be: `got` is good, bad, or a word that promises nothing. */
static bool
allowed(enum verdict v, bool good, bool bad, bool must)
{
	if (v == RIGHT)
		return good || (!bad && !must);
	if (v == WRONG)
		return bad || (!good && !must);
	return !bad;
}

static void
judge(const struct row *r, uint64_t flags, uint64_t offloads)
{
	uint64_t ip = flags & IP_MASK, l4 = flags & L4_MASK;
	bool l4_on = (offloads & offload_of(r)) != 0;

	if ((offloads & IP) == 0 && ip != RTE_MBUF_F_RX_IP_CKSUM_UNKNOWN)
		fail_msg("%s: IP checksum judged unasked", r->what);
	if ((offloads & (UDP | TCP)) == 0 && l4 != RTE_MBUF_F_RX_L4_CKSUM_UNKNOWN)
		fail_msg("%s: layer 4 checksum judged unasked", r->what);
	if (!allowed(r->ip, ip == IP_GOOD, ip == IP_BAD, r->must && (offloads & IP)))
		fail_msg("%s: IP checksum flags 0x%" PRIx64, r->what, ip);
	if (!allowed(r->l4, l4 == L4_GOOD, l4 == L4_BAD, r->must && l4_on))
		fail_msg("%s: layer 4 checksum flags 0x%" PRIx64, r->what, l4);
	/* A fragment's own bytes say nothing about the whole datagram. */
	if (r->spec.fragment && l4 == L4_GOOD)
		fail_msg("%s: called good", r->what);
	if (flags & (RTE_MBUF_F_RX_OUTER_IP_CKSUM_BAD | RTE_MBUF_F_RX_OUTER_L4_CKSUM_MASK))
		fail_msg("%s: judged as a tunnel", r->what);
}

static void
receive_all(struct fx_port *p, uint64_t offloads)
{
	static struct fx_frame f;
	struct rte_mbuf *m;
	unsigned int i;

	for (i = 0; i < RTE_DIM(rows); i++) {
		fx_frame_build(&f, &rows[i].spec);
		m = conf_rx_one(p, &f);
		judge(&rows[i], m->ol_flags, offloads);
		fx_expect_mbuf(m, &f);
	}
}

static void
test_each_set_of_checksum_offloads(void **state)
{
	struct fx_port *p = *state;
	const uint64_t bit[] = { IP, UDP, TCP };
	unsigned int set, i;

	for (set = 0; set < 8; set++) {
		uint64_t offloads = 0;

		for (i = 0; i < RTE_DIM(bit); i++)
			offloads |= set & 1u << i ? bit[i] : 0;
		if (offloads != 0 && !conf_has_rx(p, offloads))
			continue;
		conf_start_rx(p, offloads);
		receive_all(p, offloads);
		conf_stop(p);
	}
	conf_proven("L3 checksum offload", "Rx", conf_has_rx(p, IP));
	conf_proven("L4 checksum offload", "Rx UDP", conf_has_rx(p, UDP));
	conf_proven("L4 checksum offload", "Rx TCP", conf_has_rx(p, TCP));
}

static void
test_checksum_flags_beside_a_stripped_tag(void **state)
{
	struct fx_port *p = *state;
	uint64_t offloads = conf_info(p).rx_offload_capa &
			    (IP | UDP | TCP | RTE_ETH_RX_OFFLOAD_VLAN_STRIP);
	static struct fx_frame f;
	struct rte_mbuf *m;
	unsigned int i;

	conf_start_rx(p, offloads);
	for (i = 0; i < RTE_DIM(rows); i++) {
		fx_frame_build(&f, &rows[i].spec);
		m = conf_rx_one(p, &f);
		judge(&rows[i], m->ol_flags, offloads);
		rte_pktmbuf_free(m);
	}
}

/* What a recycled mbuf was once told must not be told of the next packet. */
static void
test_flags_of_recycled_mbufs_are_cleared(void **state)
{
	struct fx_port *p = *state;
	uint64_t capa = conf_info(p).rx_offload_capa;
	const uint64_t mode[] = { 0, capa & (IP | UDP | TCP),
				  capa & RTE_ETH_RX_OFFLOAD_SCATTER };
	static struct fx_frame f;
	struct rte_mbuf *m;
	unsigned int i, j;

	conf_frame(&f, 100, 1);
	for (i = 0; i < RTE_DIM(mode); i++) {
		conf_pool_soil(p->pool);
		conf_start_rx(p, mode[i]);
		for (j = 0; j < 300; j++) {
			m = conf_rx_one(p, &f);
			assert_int_equal(m->ol_flags & ~(IP_GOOD | L4_GOOD), 0);
			assert_int_equal(m->packet_type & RTE_PTYPE_L4_MASK & ~RTE_PTYPE_L4_UDP, 0);
			assert_int_equal(rte_pktmbuf_headroom(m), RTE_PKTMBUF_HEADROOM);
			fx_expect_mbuf(m, &f);
			if (j % 100 == 0)
				conf_pool_soil(p->pool);
		}
		conf_stop(p);
	}
}

static const struct CMUnitTest tests[] = {
	CONF_TEST(test_each_set_of_checksum_offloads),
	CONF_TEST(test_checksum_flags_beside_a_stripped_tag),
	CONF_TEST(test_flags_of_recycled_mbufs_are_cleared),
};

CONF_MAIN("csum_rx", tests)
