/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * i8255x: two ports on one wire, and random traffic both ways for as long as asked: all lengths,
 * all kinds, chains of all shapes, checksums, tags and segmentation where both ends have them;
 * between packets control commands, statistics, clean-up. Every byte that arrives is compared,
 * every checksum judged, and all buffers must come back.
 *
 *	test_i8255x_soak CHIP CHIP [--async] [--packets N] [--seed N]
 *
 * With --async each chip has a thread of its own, and a resume is lost now and then: the order of
 * what driver and chip write is put to the test, and what makes up for what does not arrive.
 * Ten minutes are --packets 12000000 or so.
 */

#include <getopt.h>
#include <sched.h>
#include <time.h>

#include "fixture.h"
#include "tso.h"

#include <rte_cycles.h>

#include "../../drivers/net/i8255x/i8255x.h"

#define ROUND 16		/* packets sent before the other side looks */
#define PATIENCE 100000000	/* polls for a frame that must come */
#define WATCH 10000		/* polls from one look of the watch to the next */

static const char *chips[2] = { "82559c", "82551" };
static uint64_t nb_packets = 20000;
static uint64_t seed = 1;
static bool async;

/* What both ends of the wire can do. */
static bool offloads;

/* What one packet asks for, and what must arrive. */
struct order {
	struct tso tso;		/* mss 0: one frame */
	uint16_t tag;		/* to be inserted; 0: none */
	uint16_t seg;		/* bytes a segment; 0: one */
	bool csum;		/* left to the card */
};

static uint32_t
draw(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 16) % below;
}

/* Half of all frames are short or of full length, the rest spread evenly. */
static uint32_t
draw_len(uint32_t most)
{
	switch (draw(4)) {
	case 0:
		return draw(20);
	case 1:
		return most - draw(8);
	default:
		return draw(most);
	}
}

static void
draw_order(struct order *o)
{
	struct fx_spec *s = &o->tso.spec;

	memset(o, 0, sizeof(*o));
	s->l3 = draw(3);
	s->l4 = s->l3 == FX_RAW ? FX_NO_L4 : draw(3);
	s->ip_opts = s->l3 == FX_IPV4 && draw(8) == 0 ? 4 * draw(11) : 0;
	s->seed = draw(256);
	o->csum = offloads && draw(2);
	o->tag = offloads && draw(4) == 0 ? 1 + draw(4094) : 0;
	if (offloads && s->l3 == FX_IPV4 && s->l4 == FX_TCP && draw(8) == 0) {
		o->tso.mss = 64 + draw(1300);
		o->tso.payload = 1 + draw(20000);
		o->tso.from = draw(65536);
		o->tso.head = draw(2) ? 0 : 54 + draw(1500);
		o->tso.seg = o->tso.head == 0 ? 0 : 300 + draw(1700);
		return;
	}
	s->payload = draw_len(1400);
	o->seg = draw(3) == 0 ? 1 + draw(1500) : 0;
	/* The fixture's chains must not have more than a mempool's worth of crumbs. */
	if (o->seg != 0 && s->payload / o->seg > 50)
		o->seg = 60;
}

/* --- sending ------------------------------------------------------------------------------- */

static struct rte_mbuf *
make(struct fx_port *p, const struct order *o)
{
	const struct fx_spec *s = &o->tso.spec;
	struct fx_lens l = fx_frame_lens(s);
	static struct fx_frame f;
	struct rte_mbuf *m;

	if (o->tso.mss != 0) {
		m = tso_packet(p->pool, &o->tso);
	} else {
		fx_frame_build(&f, s);
		m = fx_mbuf(p->pool, &f, o->seg);
		if (o->csum && s->l3 != FX_RAW) {
			m->l2_len = l.l2;
			m->l3_len = l.l3;
			m->ol_flags = s->l3 == FX_IPV4 ?
				RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM : RTE_MBUF_F_TX_IPV6;
			m->ol_flags |= s->l4 == FX_UDP ? RTE_MBUF_F_TX_UDP_CKSUM :
				       s->l4 == FX_TCP ? RTE_MBUF_F_TX_TCP_CKSUM : 0;
		}
	}
	if (o->tag != 0) {
		m->ol_flags |= RTE_MBUF_F_TX_VLAN;
		m->vlan_tci = o->tag;
	}
	return m;
}

/* What a control thread does meanwhile. */
static void
interfere(struct fx_port *p)
{
	struct rte_eth_stats s;

	switch (draw(24)) {
	case 0:
		assert_int_equal(rte_eth_allmulticast_enable(p->id), 0);
		break;
	case 1:
		assert_int_equal(rte_eth_allmulticast_disable(p->id), 0);
		break;
	case 2:
		assert_int_equal(rte_eth_stats_get(p->id, &s), 0);
		break;
	case 3:
		rte_eth_tx_done_cleanup(p->id, 0, draw(40));
		break;
	case 4:
		if (async)
			assert_int_equal(pw_model_fault(p->model, PW_FAULT_LOST_DOORBELL, 1), 0);
		break;
	}
}

static void
send_round(struct fx_port *p, const struct order *o)
{
	struct rte_mbuf *m[ROUND];
	uint16_t sent = 0;

	for (unsigned int i = 0; i < ROUND; i++)
		m[i] = make(p, &o[i]);
	assert_int_equal(rte_eth_tx_prepare(p->id, 0, m, ROUND), ROUND);
	while (sent < ROUND) {
		interfere(p);
		sent += rte_eth_tx_burst(p->id, 0, m + sent, RTE_MIN(1 + draw(ROUND),
								     ROUND - sent));
	}
}

/* --- receiving ----------------------------------------------------------------------------- */

/* A chip with a thread of its own gets the time it needs, and the sender what the watch does. */
static struct rte_mbuf *
await(struct fx_port *from, struct fx_port *to)
{
	struct i8255x_txq *txq = rte_eth_devices[from->id].data->tx_queues[0];
	struct rte_mbuf *m;

	for (uint32_t i = 1; i < PATIENCE; i++) {
		if (rte_eth_rx_burst(to->id, 0, &m, 1) == 1)
			return m;
		if (!async && i == 100)
			break;
		sched_yield();
		if (i % WATCH == 0)
			i8255x_tx_owed(txq);
	}
	fail_msg("a frame did not come");
	return NULL;
}

/* A stripped tag is judged here; the frame without it is what the order says. */
static void
take(struct fx_port *from, struct fx_port *to, const struct order *o, struct fx_frame *f)
{
	struct rte_mbuf *m = await(from, to);
	const char *reason;
	const void *d;

	if (rte_mbuf_check(m, 1, &reason) != 0)
		fail_msg("mbuf is malformed: %s", reason);
	assert_int_equal((m->ol_flags & RTE_MBUF_F_RX_VLAN_STRIPPED) != 0, o->tag != 0);
	if (o->tag != 0)
		assert_int_equal(m->vlan_tci, o->tag);
	assert_int_not_equal(m->ol_flags & RTE_MBUF_F_RX_IP_CKSUM_MASK, RTE_MBUF_F_RX_IP_CKSUM_BAD);
	assert_int_not_equal(m->ol_flags & RTE_MBUF_F_RX_L4_CKSUM_MASK, RTE_MBUF_F_RX_L4_CKSUM_BAD);
	if (offloads && o->tso.spec.l3 == FX_IPV4)
		assert_int_equal(m->ol_flags & RTE_MBUF_F_RX_IP_CKSUM_MASK,
				 RTE_MBUF_F_RX_IP_CKSUM_GOOD);
	if (offloads && o->tso.spec.l3 == FX_IPV4 && o->tso.spec.l4 != FX_NO_L4)
		assert_int_equal(m->ol_flags & RTE_MBUF_F_RX_L4_CKSUM_MASK,
				 RTE_MBUF_F_RX_L4_CKSUM_GOOD);
	f->len = m->pkt_len;
	assert_true(f->len <= sizeof(f->data));
	d = rte_pktmbuf_read(m, 0, f->len, f->data);
	if (d != f->data)
		memcpy(f->data, d, f->len);
	rte_pktmbuf_free(m);
}

/* A tag that was inserted into a short frame took the place of padding. */
static void
expect(struct fx_port *from, struct fx_port *to, const struct order *o)
{
	static struct fx_frame got, want;

	if (o->tso.mss != 0) {
		for (uint32_t k = 0; k < tso_segments(&o->tso); k++) {
			take(from, to, o, &got);
			if (got.len < 60) {
				memset(got.data + got.len, 0, 60 - got.len);
				got.len = 60;
			}
			tso_expect(&o->tso, k, &got);
		}
		return;
	}
	take(from, to, o, &got);
	fx_frame_build(&want, &o->tso.spec);
	assert_int_equal(got.len, want.len);
	assert_memory_equal(got.data, want.data, want.len);
}

/* --- time ---------------------------------------------------------------------------------- */

/* Virtual time flies; a chip with a thread of its own needs some of the other kind. */
static void
delay(unsigned int us)
{
	const struct timespec step = { .tv_nsec = 1000 };

	pw_clock_advance(&fx_clock, us * UINT64_C(1000));
	nanosleep(&step, NULL);	/* the step of the driver's bounded poll */
}

/* --- the whole ----------------------------------------------------------------------------- */

/* All that a port can do; the other end's word is not taken for it. */
static void
start(struct fx_port *p)
{
	struct rte_eth_dev_info info;

	assert_int_equal(rte_eth_dev_info_get(p->id, &info), 0);
	fx_start(p, &(struct fx_conf){ .nb_rxd = 512, .nb_txd = 128, .eth = {
		.rxmode.offloads = info.rx_offload_capa & ~RTE_ETH_RX_OFFLOAD_KEEP_CRC,
		.txmode.offloads = info.tx_offload_capa & ~RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE } });
}

static void
test_random_traffic_both_ways(void **state)
{
	static struct fx_port p[2];
	static struct order o[2][ROUND];
	struct rte_eth_stats s;
	struct rte_mbuf *m;

	(void)state;
	print_message("seed %" PRIu64 ", %" PRIu64 " packets each way\n", seed, nb_packets);
	if (async)
		rte_delay_us_callback_register(delay);
	for (unsigned int i = 0; i < 2; i++)
		fx_open(&p[i], chips[i], async ? "wire=soak,async=on" : "wire=soak");
	offloads = strcmp(chips[0], "82551") == 0 && strcmp(chips[1], "82551") == 0;
	for (unsigned int i = 0; i < 2; i++)
		start(&p[i]);
	fx_advance(&p[0], 5000000000);
	fx_advance(&p[1], 1000);
	for (uint64_t n = 0; n < nb_packets; n += ROUND) {
		for (unsigned int i = 0; i < 2; i++) {
			for (unsigned int k = 0; k < ROUND; k++)
				draw_order(&o[i][k]);
			send_round(&p[i], o[i]);
		}
		for (unsigned int i = 0; i < 2; i++)
			for (unsigned int k = 0; k < ROUND; k++)
				expect(&p[i], &p[1 - i], &o[i][k]);
	}
	for (unsigned int i = 0; i < 2; i++) {
		assert_int_equal(fx_rx(&p[i], &m, 1), 0);
		assert_int_equal(rte_eth_stats_get(p[i].id, &s), 0);
		assert_int_equal(s.ierrors + s.oerrors + s.imissed + s.rx_nombuf, 0);
	}
	for (unsigned int i = 0; i < 2; i++)
		fx_close(&p[i]);
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "async", no_argument, NULL, 'a' },
		{ "packets", required_argument, NULL, 'p' },
		{ "seed", required_argument, NULL, 's' },
		{ 0 },
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_traffic_both_ways),
	};
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c == 'a')
			async = true;
		else if (c == 'p')
			nb_packets = strtoull(optarg, NULL, 0);
		else if (c == 's')
			seed = RTE_MAX(strtoull(optarg, NULL, 0), 1ull);
		else
			return EXIT_FAILURE;
	}
	for (int i = 0; i < 2 && optind + i < argc; i++)
		chips[i] = argv[optind + i];
	return cmocka_run_group_tests_name("i8255x_soak", tests, fx_setup, fx_teardown);
}
