/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * e1000: the receive bursts that take four descriptors at a time against those that take one.
 *
 * The test plays the chip: it writes descriptors into the ring of a started port whose model
 * has nothing to do, good ones and any others, and calls the burst function. What comes of it is
 * written down and must be the same, to the letter, for both functions fed with the same series.
 */

#include "fixture.h"

#include <rte_vect.h>

#include <e1000_desc.h>

#include "../../drivers/net/e1000/e1000.h"

#define STEPS 4000
#define MAX_BURST 300
#define BUF_LEN 2048
#define SPARE 70		/* mbufs that the pool has beyond those in the ring */
#define RX_CSUM                                                                                   \
	(RTE_ETH_RX_OFFLOAD_IPV4_CKSUM | RTE_ETH_RX_OFFLOAD_UDP_CKSUM |                           \
	 RTE_ETH_RX_OFFLOAD_TCP_CKSUM)

/* Numerical Recipes' generator; both runs start it alike. */
static uint64_t seed;

static uint32_t
rnd(uint32_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 33) % below;
}

static uint32_t
rnd32(void)
{
	return rnd(1 << 16) << 16 | rnd(1 << 16);
}

/* --- the chip ------------------------------------------------------------------------------ */

enum mood { GOOD, ONE_ODD, ANY, NB_MOODS };

struct chip {
	struct e1000_rxq *rxq;
	uint32_t bar[E1000_REG_BAR_SIZE / 4]; /* in place of the model's, whose head stands still */
	uint32_t head;		/* runs freely, as prod and cons do */
	uint32_t frames;
	uint32_t max_len;	/* longer ones it drops itself on the plain path, without LPE */
};

struct word {
	uint8_t status, errors, type;
	uint16_t len, vlan;
	bool stamped;
};

/* A frame of one buffer that is as it should be; each length in turn. */
static struct word
good(struct chip *c)
{
	return (struct word){
		.status = E1000_RXD_DD | E1000_RXD_EOP |
			  (rnd(256) & (E1000_RXD_IXSM | E1000_RXD_UDPCS | E1000_RXD_TCPCS |
				       E1000_RXD_IPCS)),
		.errors = rnd(256) & (E1000_RXD_TCPE | E1000_RXD_IPE),
		.type = rnd(16),
		.len = c->frames++ % (c->max_len + 1),
		.vlan = rnd(1 << 16),
	};
}

static struct word
odd(struct chip *c)
{
	struct word w = good(c);

	switch (rnd(5)) {
	case 0:
		w.status &= ~E1000_RXD_EOP;
		break;
	case 1:
		w.status |= E1000_RXD_VP;
		break;
	case 2:
		w.errors |= 1u << rnd(8);
		break;
	case 3:
		w.stamped = true;
		break;
	default:
		w.status = rnd(256) | E1000_RXD_DD;
		w.errors = rnd(4) == 0 ? rnd(256) : 0;
		break;
	}
	return w;
}

static volatile struct e1000_rxd *
desc_at(const struct chip *c, uint32_t count)
{
	return (volatile struct e1000_rxd *)c->rxq->q.desc + (count & c->rxq->q.ring.mask);
}

static uint64_t
write_back(const struct chip *c, const struct word *w)
{
	uint32_t staterr = w->status | (uint32_t)w->errors << 24 | (uint32_t)w->type << 16 |
			   rnd(256) % 16 << 20 | (w->stamped ? E1000_RXDX_TST : 0);

	return c->rxq->ext ? E1000_RXDX_HI(staterr, w->len, w->vlan) :
			     E1000_RXD_WB(w->len, rnd(1 << 16), w->status, w->errors, w->vlan);
}

/* Whatever the burst does not write is to be seen. */
static void
poison(struct rte_mbuf *m)
{
	memset((char *)m + offsetof(struct rte_mbuf, data_off), 0xa5,
	       offsetof(struct rte_mbuf, vlan_tci_outer) - offsetof(struct rte_mbuf, data_off));
}

static void
store(struct chip *c, const struct word *w)
{
	volatile struct e1000_rxd *d = desc_at(c, c->head);

	poison(c->rxq->q.bufs.slot[c->head & c->rxq->q.ring.mask]);
	if (c->rxq->ext)
		d->addr = E1000_RXDX_LO_HASH(E1000_RXDX_MRQ(rnd(3) * rnd(6), 0), rnd32());
	d->wb = write_back(c, w);
	c->head++;
}

/* Up to `n` frames; the last slot before prod is never the chip's (§2.3). */
static void
receive(struct chip *c, uint32_t n)
{
	enum mood mood = rnd(3) == 0 ? 1 + rnd(NB_MOODS - 1) : GOOD;
	uint32_t room = c->rxq->q.ring.prod - 1 - c->head, at;

	n = RTE_MIN(n, room);
	at = mood == ONE_ODD ? rnd(n + 1) : n;
	for (uint32_t i = 0; i < n; i++) {
		struct word w = mood == ANY || i == at ? odd(c) : good(c);

		store(c, &w);
	}
	/* In the midst of writing the next: all is there but DD. */
	if (n < room && rnd(4) == 0) {
		struct word w = odd(c);

		w.status &= ~E1000_RXD_DD;
		desc_at(c, c->head)->wb = write_back(c, &w);
	}
}

/* --- what came of it ----------------------------------------------------------------------- */

static void
write_down(FILE *out, const struct rte_mbuf *m)
{
	for (; m != NULL; m = m->next) {
		fprintf(out, "  off %u ref %u segs %u port %s flags %" PRIx64 " type %x len %u/%u",
			m->data_off, rte_mbuf_refcnt_read(m), m->nb_segs,
			m->port < RTE_MAX_ETHPORTS ? "good" : "bad", m->ol_flags, m->packet_type,
			m->data_len, m->pkt_len);
		if (m->ol_flags & RTE_MBUF_F_RX_VLAN)
			fprintf(out, " tci %x", m->vlan_tci);
		if (m->ol_flags & RTE_MBUF_F_RX_RSS_HASH)
			fprintf(out, " hash %x", m->hash.rss);
		fprintf(out, "\n");
	}
}

static void
write_down_queue(FILE *out, const struct chip *c, const struct e1000_sw_stats *before)
{
	const struct e1000_rxq *rxq = c->rxq;
	const struct e1000_sw_stats *s = rxq->stats;

	fprintf(out, "cons %u prod %u in_frame %u tail %" PRIu32 " nombuf %" PRIu64 " errors %"
		PRIu64 " oversize %" PRIu64 " bytes %" PRIu64 "\n", rxq->q.ring.cons,
		rxq->q.ring.prod, rxq->in_frame,
		c->bar[E1000_RDT(0) / 4],
		s->rx_nombuf - before->rx_nombuf, s->rx_errors - before->rx_errors,
		s->rx_oversize - before->rx_oversize,
		s->rx_dropped_bytes - before->rx_dropped_bytes);
}

/* What has been armed since must be as the chip wants it (§3.1). */
static void
check_armed(const struct chip *c, uint32_t from)
{
	for (uint32_t i = from; i != c->rxq->q.ring.prod; i++) {
		const struct rte_mbuf *m = c->rxq->q.bufs.slot[i & c->rxq->q.ring.mask];

		assert_int_equal(desc_at(c, i)->addr, m->buf_iova + c->rxq->rx_off);
		assert_int_equal(desc_at(c, i)->wb, 0);
	}
}

/* --- one run ------------------------------------------------------------------------------- */

struct scenario {
	const char *name;
	struct fx_conf conf;
	bool full;
};

struct held {
	struct rte_mbuf *m[16384];
	uint32_t n;
};

static void
step(struct chip *c, eth_rx_burst_t burst, uint16_t want, struct held *held, FILE *out)
{
	struct e1000_sw_stats before = *c->rxq->stats;
	uint32_t prod = c->rxq->q.ring.prod;
	uint16_t n;

	assert_true(held->n + want <= RTE_DIM(held->m));
	n = burst(c->rxq, &held->m[held->n], want);
	fprintf(out, "burst of %u: %u\n", want, n);
	for (uint16_t i = 0; i < n; i++)
		write_down(out, held->m[held->n + i]);
	write_down_queue(out, c, &before);
	check_armed(c, prod);
	held->n += n;
}

static void
release(struct held *held)
{
	for (uint32_t i = 0; i < held->n; i++)
		rte_pktmbuf_free(held->m[i]);
	held->n = 0;
}

/* @return what was written down; free() it. */
static char *
run(struct fx_port *p, const struct scenario *s, uint16_t bits)
{
	static struct held held;
	uint16_t usual = rte_vect_get_max_simd_bitwidth();
	static struct chip c;
	struct pw_io io = { .base = (uint8_t *)c.bar, .len = sizeof(c.bar) };
	const struct pw_io *model;
	eth_rx_burst_t burst;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	fx_start(p, &s->conf);
	memset(&c, 0, sizeof(c));
	c.rxq = rte_eth_devices[p->id].data->rx_queues[0];
	if (c.rxq->ext)
		c.rxq->stamp_flags = RTE_MBUF_F_RX_IEEE1588_PTP | RTE_MBUF_F_RX_IEEE1588_TMST;
	assert_int_equal(c.rxq->full, s->full);
	assert_int_equal(rte_vect_set_max_simd_bitwidth(bits), 0);
	burst = e1000_rx_burst_of(c.rxq->ext, c.rxq->full);
	assert_int_equal(rte_vect_set_max_simd_bitwidth(usual), 0);
	model = c.rxq->io;
	c.rxq->io = &io;
	c.max_len = s->full ? BUF_LEN : c.rxq->max_len;
	seed = 1;
	for (unsigned int i = 0; i < STEPS; i++) {
		receive(&c, rnd(3) == 0 ? rnd(100) : rnd(10));
		step(&c, burst, rnd(8) == 0 ? rnd(MAX_BURST) : rnd(40), &held, out);
		/* For long stretches nothing comes back, so that the pool runs dry. */
		if (rnd(held.n > SPARE ? 30 : 2) == 0)
			release(&held);
	}
	release(&held);
	/* Poisoned mbufs must not stay in the ring. */
	for (unsigned int i = 0; c.rxq->q.ring.cons != c.head && i < 20; i++)
		step(&c, burst, MAX_BURST, &held, out);
	assert_int_equal(c.rxq->q.ring.cons, c.head);
	release(&held);
	c.rxq->io = model;
	fclose(out);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	return text;
}

static void
must_be_equal(const struct scenario *s, const char *a, const char *b)
{
	const char *line = a;
	unsigned int n = 1;

	for (; *a == *b && *a != '\0'; a++, b++)
		if (*a == '\n') {
			line = a + 1;
			n++;
		}
	if (*a != *b)
		fail_msg("%s, line %u: one at a time \"%.*s\", four at a time \"%.*s\"", s->name, n,
			 (int)strcspn(line, "\n"), line,
			 (int)strcspn(b - (a - line), "\n"), b - (a - line));
}

static void
compare(struct fx_port *p, struct scenario s)
{
	uint16_t nb = s.conf.nb_rxd != 0 ? s.conf.nb_rxd : FX_NB_DESC;
	struct rte_mempool *pool = rte_pktmbuf_pool_create("twin", nb + SPARE, 0, 0,
		RTE_PKTMBUF_HEADROOM + BUF_LEN, SOCKET_ID_ANY);
	char *one, *four;

	assert_non_null(pool);
	s.conf.pool = pool;
	one = run(p, &s, RTE_VECT_SIMD_DISABLED);
	four = run(p, &s, RTE_VECT_SIMD_128);
	must_be_equal(&s, one, four);
	/* Of what the series is meant to have, all was there. */
	assert_non_null(strstr(one, "nombuf 1"));
	assert_non_null(strstr(one, "errors 1"));
	assert_non_null(strstr(one, "in_frame 1"));
	free(one);
	free(four);
	fx_configure(p, NULL);
	assert_int_equal(rte_mempool_in_use_count(pool), 0);
	rte_mempool_free(pool);
}

/* --- tests --------------------------------------------------------------------------------- */

static void
test_plain_bursts_are_equal(void **state)
{
	static const struct scenario t[] = {
		{ "ring of 64", { .nb_rxd = 64 } },
		{ "ring of 256", { .nb_rxd = 256 } },
		{ "refill of 1", { .nb_rxd = 64, .rx.rx_free_thresh = 1 } },
		{ "refill of 7", { .nb_rxd = 128, .rx.rx_free_thresh = 7 } },
		{ "refill of 33", { .nb_rxd = 128, .rx.rx_free_thresh = 33 } },
		{ "CRC kept", { .nb_rxd = 64,
				.eth.rxmode.offloads = RTE_ETH_RX_OFFLOAD_KEEP_CRC } },
	};

	for (unsigned int i = 0; i < RTE_DIM(t); i++)
		compare(*state, t[i]);
}

static void
test_full_bursts_are_equal(void **state)
{
	const uint64_t strip = RTE_ETH_RX_OFFLOAD_VLAN_STRIP;
	const uint64_t scatter = RTE_ETH_RX_OFFLOAD_SCATTER;
	struct fx_port *p = *state;
	struct rte_eth_dev_info info;
	struct scenario t[] = {
		{ "checksums", { .nb_rxd = 64, .eth.rxmode.offloads = RX_CSUM }, true },
		{ "checksums, strip", { .nb_rxd = 256, .eth.rxmode.offloads = RX_CSUM | strip },
		  true },
		{ "scatter", { .mtu = 9000, .eth.rxmode.offloads = scatter | strip }, true },
		{ "refill of 5", { .nb_rxd = 64, .rx.rx_free_thresh = 5,
				   .eth.rxmode.offloads = strip }, true },
		{ "tags put back", { .nb_rxd = 64, .eth.txmode.offloads =
				     RTE_ETH_TX_OFFLOAD_VLAN_INSERT }, true },
		{ "hash", { .nb_rxd = 128, .eth = {
			.rxmode = { .mq_mode = RTE_ETH_MQ_RX_RSS,
				    .offloads = RTE_ETH_RX_OFFLOAD_RSS_HASH | RX_CSUM },
			.rx_adv_conf.rss_conf.rss_hf = RTE_ETH_RSS_IPV4 } }, true },
	};
	unsigned int n = RTE_DIM(t);

	assert_int_equal(rte_eth_dev_info_get(p->id, &info), 0);
	if ((info.rx_offload_capa & RTE_ETH_RX_OFFLOAD_RSS_HASH) == 0)
		n--;
	for (unsigned int i = 0; i < n; i++)
		compare(p, t[i]);
}

static void
expect_mode(struct fx_port *p, uint64_t offloads, const char *kind)
{
	struct rte_eth_burst_mode mode;
	const char *tail;

	fx_start(p, &(struct fx_conf){ .eth.rxmode.offloads = offloads });
	assert_int_equal(rte_eth_rx_burst_mode_get(p->id, 0, &mode), 0);
	tail = strrchr(mode.info, ',');
	assert_non_null(tail);
	assert_string_equal(tail + 2, kind);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
}

/* What --force-max-simd-bitwidth sets, at the next start. */
static void
test_simd_width_chooses_the_burst(void **state)
{
	uint16_t usual = rte_vect_get_max_simd_bitwidth();

	expect_mode(*state, 0, "Vector SSE");
	expect_mode(*state, RX_CSUM, "Vector SSE");
	assert_int_equal(rte_vect_set_max_simd_bitwidth(RTE_VECT_SIMD_DISABLED), 0);
	expect_mode(*state, 0, "Scalar");
	expect_mode(*state, RX_CSUM, "Scalar");
	assert_int_equal(rte_vect_set_max_simd_bitwidth(usual), 0);
	expect_mode(*state, 0, "Vector SSE");
}

int
main(int argc, char **argv)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, fx_port_setup, fx_port_teardown)
	const struct CMUnitTest tests[] = {
		T(plain_bursts_are_equal),
		T(full_bursts_are_equal),
		T(simd_width_chooses_the_burst),
	};

#ifndef __SSE4_1__
	printf("skipped: SSE4.1 is absent from this build\n");
	return 77;
#endif
	if (argc > 1)
		fx_chip = argv[1];
	return cmocka_run_group_tests_name("e1000_rx_vec", tests, fx_setup, fx_teardown);
}
