/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * i8255x: segmentation by the chip, and what rte_eth_tx_prepare() makes of packets; on the models
 * of 82550 and 82551, which alone can do it, and over IPv4 alone (§3.4).
 */

#include "fixture.h"
#include "tso.h"

#include "../../drivers/net/i8255x/i8255x.h"

#define MULTI_SEGS RTE_ETH_TX_OFFLOAD_MULTI_SEGS
#define TX_ALL                                                                                    \
	(MULTI_SEGS | RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM |              \
	 RTE_ETH_TX_OFFLOAD_TCP_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_TSO)
#define TSO_CONF (&(struct fx_conf){ .eth.txmode.offloads = TX_ALL })

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

/* The same without prepare, but with the sum that ethdev asks of an application. */
static void
pass_unprepared(struct fx_port *p, const struct tso *t)
{
	struct rte_mbuf *m = tso_packet(p->pool, t);

	fx_tx(p, &m, 1);
	expect_segments(p, t);
}

/* --- segments ------------------------------------------------------------------------------ */

#define V4 .spec = { .l3 = FX_IPV4, .l4 = FX_TCP }

static const struct tso shapes[] = {
	/* payload against MSS: one short, equal, one over, many */
	{ V4, .payload = 1, .mss = 1460 },
	{ V4, .payload = 1459, .mss = 1460 },
	{ V4, .payload = 1460, .mss = 1460 },
	{ V4, .payload = 1461, .mss = 1460 },
	{ V4, .payload = 2920, .mss = 1460 },
	{ V4, .payload = 9999, .mss = 536 },
	/* the largest IP packet; segments that make the longest frame; the smallest */
	{ V4, .payload = 65535 - 40, .mss = 1460 },
	{ V4, .payload = 20000, .mss = 1464 },
	{ V4, .payload = 300, .mss = 1 },
	/* IP options, a tag in the frame */
	{ .spec = { .l3 = FX_IPV4, .l4 = FX_TCP, .ip_opts = 40 }, .payload = 5000, .mss = 1000 },
	{ .spec = { .l3 = FX_IPV4, .l4 = FX_TCP, .vlan = 7 }, .payload = 5000, .mss = 1000 },
	/* header alone in its segment, in pieces, and payload of a byte at the end */
	{ V4, .payload = 4000, .mss = 1460, .head = 54, .seg = 1000 },
	{ V4, .payload = 4000, .mss = 1460, .head = 20, .seg = 170 },
	{ V4, .payload = 4000, .mss = 1460, .head = 20, .seg = 17 },
	{ V4, .payload = 4001, .mss = 1000, .head = 54, .seg = 1000 },
	{ V4, .payload = 300, .mss = 100, .head = 55, .seg = 1 },
	/* as many TBDs as a block has, one more, as many as a slot has, one more */
	{ V4, .payload = 4 * 1000, .mss = 1460, .head = 54, .seg = 1000 },
	{ V4, .payload = 5 * 1000, .mss = 1460, .head = 54, .seg = 1000 },
	{ V4, .payload = 33 * 1000, .mss = 1460, .head = 54, .seg = 1000 },
	{ V4, .payload = 34 * 1000, .mss = 1460, .head = 54, .seg = 1000 },
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
test_segments_without_prepare(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, TSO_CONF);
	for (unsigned int i = 0; i < RTE_DIM(shapes); i++)
		pass_unprepared(p, &shapes[i]);
}

static void
test_segments_carry_an_inserted_tag(void **state)
{
	struct tso t = { V4, .payload = 6000, .mss = 1460 };
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
	/* With the tag a frame would be too long. */
	t.spec.vlan = 0;
	t.mss = 1461;
	m = tso_packet(p->pool, &t);
	m->ol_flags |= RTE_MBUF_F_TX_VLAN;
	assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 0);
	assert_int_equal(rte_errno, EINVAL);
	rte_pktmbuf_free(m);
}

/* What a block said last must not stick: segments, checksums and neither, all around the circle. */
static void
test_segments_and_others_alternate(void **state)
{
	struct fx_spec udp = { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 500 };
	struct fx_lens l = fx_frame_lens(&udp);
	struct fx_port *p = *state;
	const struct i8255x_txq *txq;
	static struct fx_frame f;
	const uint8_t *newest;
	struct rte_mbuf *m;

	fx_start(p, &(struct fx_conf){ .nb_txd = 64, .eth.txmode.offloads = TX_ALL });
	txq = rte_eth_devices[p->id].data->tx_queues[0];
	fx_frame_build(&f, &udp);
	for (unsigned int i = 0; i < 200; i++) {
		if (i % 3 != 0) {
			pass(p, &shapes[i % RTE_DIM(shapes)]);
			continue;
		}
		m = fx_mbuf(p->pool, &f, i & 1 ? 100 : 0);
		if (i & 2) {
			m->l2_len = l.l2;
			m->l3_len = l.l3;
			m->ol_flags = RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM |
				      RTE_MBUF_F_TX_UDP_CKSUM;
			assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 1);
		}
		fx_tx(p, &m, 1);
		fx_expect_sent(p, &f);
		/* No length of any payload where nothing is segmented (§3.4). */
		newest = (const uint8_t *)txq->q.desc +
			 64 * ((txq->q.ring.prod - 1) & txq->q.ring.mask);
		assert_int_equal(newest[0x1e] | newest[0x1f], 0);
	}
}

static void
test_a_full_ring_makes_segments_wait(void **state)
{
	struct tso t = { V4, .payload = 10000, .mss = 1460, .seg = 1000, .head = 1000 };
	struct fx_port *p = *state;
	struct rte_mbuf *m[64];
	uint16_t sent;

	fx_start(p, &(struct fx_conf){ .nb_txd = 64, .eth.txmode.offloads = TX_ALL });
	rte_eth_tx_done_cleanup(p->id, 0, 0);
	for (unsigned int i = 0; i < RTE_DIM(m); i++)
		m[i] = tso_packet(p->pool, &t);
	assert_int_equal(rte_eth_tx_prepare(p->id, 0, m, RTE_DIM(m)), RTE_DIM(m));
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_TX_HANG, 1), 0);
	sent = rte_eth_tx_burst(p->id, 0, m, RTE_DIM(m));
	/* A block a packet; four are not for packets. */
	assert_int_equal(sent, 60);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_TX_HANG, 0), 0);
	pw_model_poll(p->model);
	assert_int_equal(rte_eth_tx_burst(p->id, 0, m + sent, RTE_DIM(m) - sent),
			 RTE_DIM(m) - sent);
	for (unsigned int i = 0; i < RTE_DIM(m); i++) {
		static struct fx_frame got;

		for (uint32_t k = 0; k < 7; k++) {
			assert_true(fx_capture(p, &got));
			tso_expect(&t, k, &got);
		}
	}
	fx_expect_silence(p);
}

/* --- what has to be copied ----------------------------------------------------------------- */

static void
test_crumbs_are_copied_and_counted(void **state)
{
	struct tso t = { V4, .payload = 20000, .mss = 1460, .head = 70, .seg = 60 };
	struct fx_port *p = *state;
	struct rte_mbuf *m, *was;

	fx_start(p, TSO_CONF);
	pass(p, &t);
	assert_int_equal(fx_xstat(p, "tx_linearized_packets"), 1);
	/* A burst does it as well, and leaves the array as it is. */
	was = m = tso_packet(p->pool, &t);
	fx_tx(p, &m, 1);
	assert_ptr_equal(m, was);
	expect_segments(p, &t);
	assert_int_equal(fx_xstat(p, "tx_linearized_packets"), 2);
}

static void
test_shared_header_is_not_written_to(void **state)
{
	struct tso t = { V4, .payload = 3000, .mss = 1000, .head = 54, .seg = 500 };
	struct fx_port *p = *state;
	struct rte_mbuf *m, *clone;
	uint8_t before[54];

	fx_start(p, TSO_CONF);
	m = tso_packet(p->pool, &t);
	memcpy(before, rte_pktmbuf_mtod(m, void *), sizeof(before));
	for (unsigned int i = 0; i < 2; i++) {
		clone = rte_pktmbuf_clone(m, p->pool);
		assert_non_null(clone);
		clone->ol_flags |= m->ol_flags & RTE_MBUF_F_TX_OFFLOAD_MASK;
		if (i == 0)
			assert_int_equal(rte_eth_tx_prepare(p->id, 0, &clone, 1), 1);
		fx_tx(p, &clone, 1);
		expect_segments(p, &t);
		assert_memory_equal(before, rte_pktmbuf_mtod(m, void *), sizeof(before));
	}
	/* The original can be sent as well. */
	assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 1);
	fx_tx(p, &m, 1);
	expect_segments(p, &t);
}

/* Held by a second owner after prepare has written what it had to: sent as it lies. */
static void
test_prepared_packet_that_is_kept_is_not_copied(void **state)
{
	struct tso t = { V4, .payload = 3000, .mss = 1000, .head = 54, .seg = 500 };
	struct fx_port *p = *state;
	struct rte_mbuf *m;

	fx_start(p, TSO_CONF);
	m = tso_packet(p->pool, &t);
	assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 1);
	for (unsigned int i = 0; i < 3; i++) {
		rte_pktmbuf_refcnt_update(m, 1);
		fx_tx(p, &m, 1);
		expect_segments(p, &t);
		rte_eth_tx_done_cleanup(p->id, 0, 0);
	}
	assert_int_equal(fx_xstat(p, "tx_linearized_packets"), 0);
	rte_pktmbuf_free(m);
}

static void
test_no_memory_for_a_copy_makes_the_packet_wait(void **state)
{
	struct tso t = { V4, .payload = 3000, .mss = 1000, .head = 20, .seg = 500 };
	static struct rte_mbuf *held[FX_POOL_MBUFS];
	struct fx_port *p = *state;
	struct rte_mbuf *m;
	unsigned int n;

	fx_start(p, TSO_CONF);
	m = tso_packet(p->pool, &t);
	n = rte_mempool_avail_count(p->pool);
	assert_int_equal(rte_pktmbuf_alloc_bulk(p->pool, held, n), 0);
	assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 0);
	assert_int_equal(rte_errno, ENOMEM);
	assert_int_equal(rte_eth_tx_burst(p->id, 0, &m, 1), 0);
	rte_pktmbuf_free_bulk(held, n);
	fx_tx(p, &m, 1);
	expect_segments(p, &t);
}

/* --- prepare ------------------------------------------------------------------------------- */

static void
refused(struct fx_port *p, struct rte_mbuf *m, int err)
{
	uint64_t dropped = fx_xstat(p, "tx_dropped_bad_packets");

	rte_errno = 0;
	assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 0);
	assert_int_equal(rte_errno, err);
	/* A burst drops what prepare would have refused. */
	fx_tx(p, &m, 1);
	fx_expect_silence(p);
	assert_int_equal(fx_xstat(p, "tx_dropped_bad_packets"), dropped + 1);
}

static void
test_what_cannot_be_segmented_is_refused(void **state)
{
	struct tso t = { V4, .payload = 5000, .mss = 1460 };
	struct tso v6 = { .spec = { .l3 = FX_IPV6, .l4 = FX_TCP }, .payload = 5000, .mss = 1440 };
	struct tso qinq = { .spec = { .l3 = FX_IPV4, .l4 = FX_TCP, .vlan = 5, .outer_vlan = 6 },
			    .payload = 5000, .mss = 1440 };
	struct fx_port *p = *state;
	struct rte_mbuf *m;

	fx_start(p, TSO_CONF);
	refused(p, tso_packet(p->pool, &v6), ENOTSUP);
	refused(p, tso_packet(p->pool, &qinq), ENOTSUP);
	m = tso_packet(p->pool, &t);
	m->tso_segsz = 0;
	refused(p, m, EINVAL);
	m = tso_packet(p->pool, &t);
	m->tso_segsz = 1465;	/* longer than any frame */
	refused(p, m, EINVAL);
	m = tso_packet(p->pool, &t);
	m->l4_len = 16;
	refused(p, m, EINVAL);
	m = tso_packet(p->pool, &t);
	m->l3_len = 16;
	refused(p, m, EINVAL);
	m = tso_packet(p->pool, &t);
	rte_pktmbuf_free(m->next);
	m->next = NULL;
	m->nb_segs = 1;		/* less than the head says */
	refused(p, m, EINVAL);
	m = tso_packet(p->pool, &t);
	m->ol_flags |= RTE_MBUF_F_TX_TUNNEL_VXLAN;
	rte_errno = 0;
	assert_int_equal(rte_eth_tx_prepare(p->id, 0, &m, 1), 0);
	assert_int_equal(rte_errno, ENOTSUP);
	rte_pktmbuf_free(m);
}

int
main(int argc, char **argv)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, fx_port_setup, fx_port_teardown)
	const struct CMUnitTest tests[] = {
		T(segments_of_every_shape),
		T(segments_without_prepare),
		T(segments_carry_an_inserted_tag),
		T(segments_and_others_alternate),
		T(a_full_ring_makes_segments_wait),
		T(crumbs_are_copied_and_counted),
		T(shared_header_is_not_written_to),
		T(prepared_packet_that_is_kept_is_not_copied),
		T(no_memory_for_a_copy_makes_the_packet_wait),
		T(what_cannot_be_segmented_is_refused),
	};

	fx_chip = argc > 1 ? argv[1] : "82551";
	return cmocka_run_group_tests_name("i8255x_tso", tests, fx_setup, fx_teardown);
}
