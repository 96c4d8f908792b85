/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * e1000: segmentation by the chip, and what rte_eth_tx_prepare() makes of packets; on the
 * models of the 82540EM, the 82572EI and the 82574L.
 *
 * A packet of n bytes of payload leaves as ceil(n / MSS) frames. Each has the packet's header
 * with its own length, identification and sequence number (RFC 791, RFC 8200, RFC 9293), FIN
 * and PSH on the last only, and right checksums (RFC 1071), which the fixture computes.
 */

#include "fixture.h"
#include "tso.h"

#include "../../drivers/net/e1000/e1000.h"

#define MULTI_SEGS RTE_ETH_TX_OFFLOAD_MULTI_SEGS
#define TX_ALL                                                                                    \
	(MULTI_SEGS | RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM |              \
	 RTE_ETH_TX_OFFLOAD_TCP_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_TSO)
#define TSO_CONF (&(struct fx_conf){ .nb_txd = 1024, .eth.txmode.offloads = TX_ALL })

static struct e1000_txq *
txq_of(const struct fx_port *p)
{
	return rte_eth_devices[p->id].data->tx_queues[0];
}

/* --- packets and what they become ---------------------------------------------------------- */

static void
expect_segments(struct fx_port *p, const struct tso *t)
{
	uint32_t n = tso_segments(t);
	static struct fx_frame got;

	for (uint32_t k = 0; k < n; k++) {
		assert_true(fx_capture(p, &got));
		tso_expect(t, k, &got);
	}
	fx_expect_silence(p);
}

static void
pass(struct fx_port *p, const struct tso *t)
{
	struct rte_mbuf *m = tso_packet(p->pool, t);

	assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 1);
	fx_tx(p, &m, 1);
	expect_segments(p, t);
}

/* --- capability ---------------------------------------------------------------------------- */

static void
test_tso_is_reported_where_it_works(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info;

	assert_int_equal(rte_eth_dev_info_get(p->id, &info), 0);
	assert_true(info.tx_offload_capa & RTE_ETH_TX_OFFLOAD_TCP_TSO);
	assert_true(info.tx_queue_offload_capa & RTE_ETH_TX_OFFLOAD_TCP_TSO);
}

/* --- segments ------------------------------------------------------------------------------ */

#define V4 .spec = { .l3 = FX_IPV4, .l4 = FX_TCP }
#define V6 .spec = { .l3 = FX_IPV6, .l4 = FX_TCP }

static const struct tso shapes[] = {
	/* payload against MSS: one short, equal, one over, many */
	{ V4, .payload = 1, .mss = 1460 },
	{ V4, .payload = 1459, .mss = 1460 },
	{ V4, .payload = 1460, .mss = 1460 },
	{ V4, .payload = 1461, .mss = 1460 },
	{ V4, .payload = 9999, .mss = 536 },
	{ V6, .payload = 1440, .mss = 1440 },
	{ V6, .payload = 10000, .mss = 1220 },
	/* the largest IP packets, and an MSS as for jumbo frames */
	{ V4, .payload = 65535 - 40, .mss = 1460 },
	{ V6, .payload = 65535 - 60, .mss = 1440 },
	{ V4, .payload = 65535 - 40, .mss = 8960 },
	/* IP options, a tag in the frame */
	{ .spec = { .l3 = FX_IPV4, .l4 = FX_TCP, .ip_opts = 40 }, .payload = 5000, .mss = 1000 },
	{ .spec = { .l3 = FX_IPV4, .l4 = FX_TCP, .vlan = 7 }, .payload = 5000, .mss = 1000 },
	/* header alone in its segment, in pieces, and payload of a byte at the end */
	{ V4, .payload = 4000, .mss = 1460, .head = 54, .seg = 1000 },
	{ V6, .payload = 4000, .mss = 1440, .head = 74, .seg = 1000 },
	{ V4, .payload = 4000, .mss = 1460, .head = 20, .seg = 17 },
	{ V4, .payload = 4001, .mss = 1000, .head = 54, .seg = 1000 },
	{ V4, .payload = 300, .mss = 100, .head = 55, .seg = 1 },
	/* as small as the chip's rule about the FIFO lets an MSS be */
	{ V4, .payload = 1000, .mss = 15 },
};

static void
test_segments_of_every_shape(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, TSO_CONF);
	for (unsigned int i = 0; i < RTE_DIM(shapes); i++)
		pass(p, &shapes[i]);
}

static void
test_segments_carry_an_inserted_tag(void **state)
{
	struct tso t = { V4, .payload = 6000, .mss = 1400 };
	struct fx_port *p = *state;
	struct rte_mbuf *m;

	fx_start(p, &(struct fx_conf){ .eth.txmode.offloads =
		TX_ALL | RTE_ETH_TX_OFFLOAD_VLAN_INSERT });
	m = tso_packet(p->pool, &t);
	m->ol_flags |= RTE_MBUF_F_TX_VLAN;
	m->vlan_tci = 0xe123;
	assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 1);
	fx_tx(p, &m, 1);
	t.spec.vlan = 0xe123;
	expect_segments(p, &t);
}

/* What the chip was told for segmentation must not stick, nor what it was told before. */
static void
test_segments_and_checksums_alternate(void **state)
{
	struct fx_spec udp = { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 500 };
	struct fx_lens l = fx_frame_lens(&udp);
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;

	fx_start(p, TSO_CONF);
	fx_frame_build(&f, &udp);
	for (unsigned int i = 0; i < 4; i++) {
		m = fx_mbuf(p->pool, &f, i & 1 ? 100 : 0);
		m->l2_len = l.l2;
		m->l3_len = l.l3;
		m->ol_flags = RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM |
			      RTE_MBUF_F_TX_UDP_CKSUM;
		assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 1);
		fx_tx(p, &m, 1);
		fx_expect_sent(p, &f);
		pass(p, &shapes[i]);
		m = fx_mbuf(p->pool, &f, 0);
		fx_tx(p, &m, 1);
		fx_expect_sent(p, &f);
	}
}

/* Ring ends fall into packets, contexts and reports at every place. */
static void
test_segments_over_the_ring_end(void **state)
{
	static const uint16_t desc[] = { 128, 256 };
	struct fx_port *p = *state;

	for (unsigned int i = 0; i < RTE_DIM(desc); i++) {
		fx_start(p, &(struct fx_conf){ .nb_txd = desc[i],
					       .eth.txmode.offloads = TX_ALL });
		for (uint32_t k = 0; k < 200; k++) {
			struct tso t = { V4, .payload = 1 + k * 97 % 9000, .mss = 700,
					 .head = 60 + k, .seg = 300 + k };

			pass(p, &t);
		}
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
	}
}

static void
test_a_full_ring_makes_segments_wait(void **state)
{
	struct tso t = { V4, .payload = 20000, .mss = 1460, .seg = 500, .head = 500 };
	struct fx_port *p = *state;
	struct rte_mbuf *m[32];
	uint16_t sent;

	fx_start(p, TSO_CONF);
	for (unsigned int i = 0; i < RTE_DIM(m); i++)
		m[i] = tso_packet(p->pool, &t);
	assert_int_equal(rte_eth_tx_prepare(p->id, 0, m, RTE_DIM(m)), RTE_DIM(m));
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_TX_HANG, 1), 0);
	sent = rte_eth_tx_burst(p->id, 0, m, RTE_DIM(m));
	/* 41 segments, a context; 1024 descriptors, one of them free. */
	assert_in_range(sent, 23, 24);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_TX_HANG, 0), 0);
	pw_model_poll(p->model);
	assert_int_equal(rte_eth_tx_burst(p->id, 0, m + sent, RTE_DIM(m) - sent),
			 RTE_DIM(m) - sent);
	for (unsigned int i = 0; i < RTE_DIM(m); i++) {
		static struct fx_frame got;

		for (uint32_t k = 0; k < 14; k++) {
			assert_true(fx_capture(p, &got));
			tso_expect(&t, k, &got);
		}
	}
	fx_expect_silence(p);
}

/* More pieces than descriptors may be had for: copied into full buffers. */
static void
test_crumbs_are_copied_and_counted(void **state)
{
	struct tso t = { V4, .payload = 20000, .mss = 1460, .head = 70, .seg = 60 };
	struct fx_port *p = *state;
	struct rte_mbuf *m;

	fx_start(p, TSO_CONF);
	pass(p, &t);
	assert_int_equal(fx_xstat(p, "tx_linearized_packets"), 1);
	/* Not prepared by us: the burst does it, and leaves the array as it is. */
	m = tso_packet(p->pool, &t);
	assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 1);
	rte_pktmbuf_free(m);
	assert_int_equal(fx_xstat(p, "tx_linearized_packets"), 2);
}

static void
test_shared_header_is_not_written_to(void **state)
{
	struct tso t = { V4, .payload = 3000, .mss = 1000, .head = 30, .seg = 500 };
	struct fx_port *p = *state;
	struct rte_mbuf *m, *clone;

	fx_start(p, TSO_CONF);
	m = tso_packet(p->pool, &t);
	clone = rte_pktmbuf_clone(m, p->pool);
	assert_non_null(clone);
	clone->ol_flags |= m->ol_flags & RTE_MBUF_F_TX_OFFLOAD_MASK;
	assert_int_equal(rte_eth_tx_prepare(p->id, 0, &clone, 1), 1);
	fx_tx(p, &clone, 1);
	expect_segments(p, &t);
	/* The original is whole, and can be sent as well. */
	assert_int_equal(m->data_len, 30);
	assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 1);
	fx_tx(p, &m, 1);
	expect_segments(p, &t);
}

/* --- prepare ------------------------------------------------------------------------------- */

static void
refused(struct fx_port *p, struct rte_mbuf *m, int err)
{
	rte_errno = 0;
	assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 0);
	assert_int_equal(rte_errno, err);
	rte_pktmbuf_free(m);
}

static void
test_prepare_refuses_what_cannot_be_segmented(void **state)
{
	struct tso t = { V4, .payload = 5000, .mss = 1460 };
	struct fx_port *p = *state;
	struct rte_mbuf *m;

	fx_start(p, TSO_CONF);
	m = tso_packet(p->pool, &t);
	m->tso_segsz = 0;
	refused(p, m, EINVAL);
	m = tso_packet(p->pool, &t);
	m->tso_segsz = 14;	/* four segments hold less than the header and four bytes */
	refused(p, m, EINVAL);
	m = tso_packet(p->pool, &t);
	m->tso_segsz = 16300;	/* longer than any frame */
	refused(p, m, EINVAL);
	m = tso_packet(p->pool, &t);
	m->l4_len = 16;
	refused(p, m, EINVAL);
	m = tso_packet(p->pool, &t);
	m->l3_len = 16;
	refused(p, m, EINVAL);
	m = tso_packet(p->pool, &t);
	m->l3_len = 240;
	refused(p, m, EINVAL);
	m = tso_packet(p->pool, &t);
	m->ol_flags &= ~(RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM);
	refused(p, m, EINVAL);
	m = tso_packet(p->pool, &t);
	m->ol_flags |= RTE_MBUF_F_TX_TUNNEL_VXLAN;
	refused(p, m, ENOTSUP);
}

/* What prepare would have refused is dropped by a burst, and others go on. */
static void
test_burst_drops_what_cannot_be_segmented(void **state)
{
	struct tso t = { V4, .payload = 5000, .mss = 1460 };
	struct fx_port *p = *state;
	struct rte_mbuf *m[2];

	fx_start(p, TSO_CONF);
	m[0] = tso_packet(p->pool, &t);
	m[1] = tso_packet(p->pool, &t);
	assert_int_equal(rte_eth_tx_prepare(p->id, 0, m, 2), 2);
	m[0]->tso_segsz = 0;
	fx_tx(p, m, 2);
	expect_segments(p, &t);
	assert_int_equal(fx_xstat(p, "tx_dropped_bad_packets"), 1);
}

static void
test_nothing_to_segment_is_a_checksum(void **state)
{
	struct fx_spec spec = { .l3 = FX_IPV4, .l4 = FX_TCP };
	struct fx_lens l = fx_frame_lens(&spec);
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;

	fx_start(p, TSO_CONF);
	fx_frame_build(&f, &spec);
	f.len = l.l2 + l.l3 + l.l4;
	m = fx_mbuf(p->pool, &f, 0);
	m->l2_len = l.l2;
	m->l3_len = l.l3;
	m->l4_len = l.l4;
	m->tso_segsz = 1460;
	m->ol_flags = RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM;
	assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 1);
	fx_tx(p, &m, 1);
	fx_frame_build(&f, &spec);
	fx_expect_sent(p, &f);
}

/* A chain in crumbs, a header in pieces, a frame too short: all that is legal goes out. */
static void
test_prepare_makes_any_legal_chain_sendable(void **state)
{
	static const uint32_t len[] = { 20, 60, 64, 300, 1514, 9000 };
	struct fx_port *p = *state;
	static struct fx_frame f;

	fx_start(p, TSO_CONF);
	for (unsigned int i = 0; i < RTE_DIM(len); i++) {
		for (uint16_t seg = 1; seg < 100; seg += 7) {
			struct fx_spec spec = { .l3 = FX_IPV4, .l4 = FX_UDP, .seed = seg };
			struct fx_lens l = fx_frame_lens(&spec);
			struct rte_mbuf *m;

			if (len[i] / seg > 1000)
				continue;
			spec.payload = len[i] > 42 ? len[i] - 42 : 0;
			spec.no_padding = true;
			fx_frame_build(&f, &spec);
			m = fx_mbuf(p->pool, &f, seg);
			m->l2_len = l.l2;
			m->l3_len = l.l3;
			m->ol_flags = RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM |
				      RTE_MBUF_F_TX_UDP_CKSUM;
			assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 1);
			fx_tx(p, &m, 1);
			if (f.len < 60) {
				memset(f.data + f.len, 0, 60 - f.len);
				f.len = 60;
			}
			fx_expect_sent(p, &f);
		}
	}
	assert_int_equal(fx_xstat(p, "tx_dropped_bad_packets"), 0);
}

/* Seen in review: a jumbo frame in more pieces than descriptors was lost, not copied. */
static void
test_jumbo_in_crumbs_is_sent_without_prepare(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;

	fx_start(p, TSO_CONF);
	fx_frame_build(&f, &(struct fx_spec){ .payload = 9000 - 14 });
	m = fx_mbuf(p->pool, &f, 90);
	fx_tx(p, &m, 1);
	fx_expect_sent(p, &f);
	assert_int_equal(fx_xstat(p, "tx_linearized_packets"), 1);
}

/* --- errata -------------------------------------------------------------------------------- */

struct desc {
	uint32_t len;
	uint64_t cmd;
};

/* The data descriptors from counter `first` on. */
static uint32_t
descriptors(const struct e1000_txq *txq, uint32_t first, struct desc *out)
{
	const uint64_t *d = txq->q.desc;
	uint32_t n = 0;

	for (uint32_t c = first; c != txq->q.ring.prod; c++) {
		uint64_t cmd = d[2 * (c & txq->q.ring.mask) + 1];

		if ((cmd >> 20 & 0xf) == 1)
			out[n++] = (struct desc){ .len = cmd & 0xfffff, .cmd = cmd };
	}
	return n;
}

/* §6: the last four bytes apart, in the packet and in the one after it; 8254x only. */
static void
test_last_four_bytes_have_their_own_descriptor(void **state)
{
	struct tso t = { V4, .payload = 3000, .mss = 1460, .head = 1000, .seg = 1000 };
	struct fx_port *p = *state;
	struct e1000_txq *txq;
	static struct fx_frame f;
	struct desc d[16] = { 0 };
	struct rte_mbuf *m;
	uint32_t first, n;

	fx_start(p, TSO_CONF);
	txq = txq_of(p);
	first = txq->q.ring.prod;
	pass(p, &t);
	n = descriptors(txq, first, d);
	assert_int_equal(n, strcmp(fx_chip, "82540em") == 0 ? 5 : 4);
	/* 3054 bytes: 1000, 1000, 1000 and 54, or 50 and 4. */
	assert_int_equal(d[3].len, n == 5 ? 50 : 54);
	if (n == 5)
		assert_int_equal(d[4].len, 4);
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(d[i].cmd >> 26 & 1, 1);

	fx_frame_build(&f, &(struct fx_spec){ .payload = 500 });
	for (unsigned int i = 0; i < 2; i++) {
		m = fx_mbuf(p->pool, &f, 0);
		first = txq->q.ring.prod;
		fx_tx(p, &m, 1);
		n = descriptors(txq, first, d);
		assert_int_equal(n, i == 0 && strcmp(fx_chip, "82540em") == 0 ? 2 : 1);
		assert_int_equal(d[n - 1].len, n == 2 ? 4 : 514);
		fx_expect_sent(p, &f);
	}
}

/* §6: on 82571 to 82573 the header's descriptor must hold payload as well. */
static void
test_header_descriptor_holds_payload(void **state)
{
	struct tso t = { V4, .payload = 3000, .mss = 1460, .head = 54, .seg = 1000 };
	bool pulls = strcmp(fx_chip, "82572ei") == 0;
	struct fx_port *p = *state;
	struct e1000_txq *txq;
	struct desc d[16] = { 0 };
	uint32_t first;

	fx_start(p, TSO_CONF);
	txq = txq_of(p);
	first = txq->q.ring.prod;
	pass(p, &t);
	descriptors(txq, first, d);
	assert_int_equal(d[0].len, pulls ? 58 : 54);
	txq->tso_pull = true;
	first = txq->q.ring.prod;
	pass(p, &t);
	descriptors(txq, first, d);
	assert_int_equal(d[0].len, 58);
	assert_int_equal(d[1].len, 996);
}

/* §6: no descriptor longer than four segments, nor 2015 bytes in the first of PCI-X cards. */
static void
test_descriptors_keep_to_the_fifo(void **state)
{
	struct tso t = { V4, .payload = 9000, .mss = 100 };
	struct fx_port *p = *state;
	struct e1000_txq *txq;
	struct desc d[64];
	uint32_t first, n;

	fx_start(p, TSO_CONF);
	txq = txq_of(p);
	first = txq->q.ring.prod;
	pass(p, &t);
	n = descriptors(txq, first, d);
	for (uint32_t i = 0; i < n; i++)
		assert_in_range(d[i].len, 1, 400);
	t.mss = 1460;
	txq->quirks = E1000_F_ERR_FIRST_2015;
	first = txq->q.ring.prod;
	pass(p, &t);
	descriptors(txq, first, d);
	assert_int_equal(d[0].len, 2015);
}

/*
 * 82545/6: no descriptor across 64 KiB (§6). The pool's buffers never lie so; across 1 KiB all
 * of them do.
 */
static void
test_segments_do_not_cross_the_boundary(void **state)
{
	struct tso t = { V4, .payload = 60000, .mss = 1460 };
	struct fx_port *p = *state;
	struct e1000_txq *txq;
	struct pw_dma_seg segs[E1000_TX_MAX_TSO_SEGS];
	unsigned int split = 0;

	fx_start(p, TSO_CONF);
	txq = txq_of(p);
	txq->q.dma->limits.boundary = 1024;
	for (unsigned int i = 0; i < 4; i++) {
		struct rte_mbuf *m = tso_packet(p->pool, &t);
		int n = e1000_tso_load(txq, &m, segs, false);

		assert_true(n > 0);
		for (int k = 0; k < n; k++)
			assert_int_equal(segs[k].addr >> 10,
					 (segs[k].addr + segs[k].len - 1) >> 10);
		split += n > m->nb_segs;
		assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 1);
		fx_tx(p, &m, 1);
		expect_segments(p, &t);
	}
	assert_true(split > 0);
	txq->q.dma->limits.boundary = 0;
}

int
main(int argc, char **argv)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, fx_port_setup, fx_port_teardown)
	const struct CMUnitTest tests[] = {
		T(tso_is_reported_where_it_works),
		T(segments_of_every_shape),
		T(segments_carry_an_inserted_tag),
		T(segments_and_checksums_alternate),
		T(segments_over_the_ring_end),
		T(a_full_ring_makes_segments_wait),
		T(crumbs_are_copied_and_counted),
		T(shared_header_is_not_written_to),
		T(prepare_refuses_what_cannot_be_segmented),
		T(burst_drops_what_cannot_be_segmented),
		T(nothing_to_segment_is_a_checksum),
		T(prepare_makes_any_legal_chain_sendable),
		T(jumbo_in_crumbs_is_sent_without_prepare),
		T(last_four_bytes_have_their_own_descriptor),
		T(header_descriptor_holds_payload),
		T(descriptors_keep_to_the_fifo),
		T(segments_do_not_cross_the_boundary),
	};

	if (argc > 1)
		fx_chip = argv[1];
	return cmocka_run_group_tests_name("e1000_tso", tests, fx_setup, fx_teardown);
}
