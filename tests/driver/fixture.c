/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include "fixture.h"

#include <rte_bus_vdev.h>

#define CLOCK_START_NS 1000000000u
#define IDLE_POLLS 8

#define ETHERTYPE_VLAN 0x8100
#define ETHERTYPE_QINQ 0x88a8
#define ETHERTYPE_IPV4 0x0800
#define ETHERTYPE_IPV6 0x86dd
#define ETHERTYPE_LOCAL 0x88b5 /* IEEE 802 local experimental */
#define PROTO_TCP 6
#define PROTO_UDP 17
#define IPV4_MF 0x2000
#define TCP_LEN 20u
#define UDP_LEN 8u
#define MIN_FRAME 60u

struct pw_clock fx_clock = { .virtual_ns = CLOCK_START_NS, .is_virtual = 1 };
const char *fx_chip = "82540em";

int
fx_setup(void **state)
{
	if (eal_setup(state) != 0)
		return -1;
	pw_sim_set_clock(&fx_clock);
	return 0;
}

int
fx_teardown(void **state)
{
	pw_sim_set_clock(NULL);
	return eal_teardown(state);
}

/* --- a port -------------------------------------------------------------------------- */

static void
open_peer(struct fx_port *p)
{
	const struct pw_wire_opts opts = { .clock = &fx_clock };
	char err[256] = "";

	if (pw_wire_open(p->wire, &opts, &p->peer, err, sizeof(err)) != 0)
		fail_msg("%s", err);
}

void
fx_open(struct fx_port *p, const char *chip, const char *extra)
{
	static unsigned int made;
	const char *quiet = "";
	char args[512];

	memset(p, 0, sizeof(*p));
	snprintf(p->name, sizeof(p->name), "net_pw_sim%u", made);
	snprintf(p->wire, sizeof(p->wire), "fx%u", made++);
	p->pool = rte_pktmbuf_pool_create(p->name, FX_POOL_MBUFS, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE,
					  SOCKET_ID_ANY);
	assert_non_null(p->pool);
	/* No alarm may look at registers between two lines of a test, unless it asks for that. */
	if (extra == NULL || strstr(extra, "driver=") == NULL)
		quiet = ",driver=hang_ms=0";
	if (extra != NULL && strstr(extra, "wire=") != NULL) {
		snprintf(args, sizeof(args), "chip=%s,%s%s", chip, extra, quiet);
	} else {
		open_peer(p);
		snprintf(args, sizeof(args), "chip=%s,wire=%s%s%s%s", chip, p->wire,
			 extra == NULL ? "" : ",", extra == NULL ? "" : extra, quiet);
	}
	assert_int_equal(rte_vdev_init(p->name, args), 0);
	assert_int_equal(rte_eth_dev_get_port_by_name(p->name, &p->id), 0);
	p->model = pw_sim_model(p->id);
	assert_non_null(p->model);
	assert_int_equal(rte_eth_macaddr_get(p->id, &p->mac), 0);
}

/* Whether the model has anything against the driver, said in the test's output. */
static bool
violated(const struct fx_port *p)
{
	uint64_t n = p->model == NULL ? 0 : pw_model_violations(p->model, PW_VIOL_MAX);
	char text[256];

	if (n == p->allowed)
		return false;
	pw_model_last_violation(p->model, text, sizeof(text));
	print_error("%s: %" PRIu64 " violations, %" PRIu64 " expected; the newest: %s\n", p->name,
		    n, p->allowed, text);
	return true;
}

void
fx_close(struct fx_port *p)
{
	unsigned int lost;
	bool bad;

	if (rte_eth_dev_is_valid_port(p->id))
		rte_eth_dev_stop(p->id);
	bad = violated(p);
	assert_int_equal(rte_vdev_uninit(p->name), 0);
	p->model = NULL;
	pw_wire_close(p->peer);
	p->peer = NULL;
	lost = rte_mempool_in_use_count(p->pool);
	rte_mempool_free(p->pool);
	p->pool = NULL;
	if (lost != 0)
		print_error("%s: %u mbufs did not come back\n", p->name, lost);
	assert_false(bad);
	assert_int_equal(lost, 0);
}

int
fx_port_setup(void **state)
{
	static struct fx_port port;

	fx_open(&port, fx_chip, NULL);
	*state = &port;
	return 0;
}

int
fx_port_teardown(void **state)
{
	fx_close(*state);
	return 0;
}

void
fx_refused(const char *args, int rc, const char *part)
{
	uint16_t ports = rte_eth_dev_count_total();
	int got;

	log_capture_start();
	got = rte_vdev_init("net_pw_sim_refused", args);
	log_capture_expect(part);
	if (got == 0)
		rte_vdev_uninit("net_pw_sim_refused");
	assert_int_equal(got, rc);
	assert_int_equal(rte_eth_dev_count_total(), ports);
}

void
fx_configure(struct fx_port *p, const struct fx_conf *conf)
{
	const struct fx_conf none = { 0 };
	struct rte_eth_dev_info info;
	struct rte_eth_rxconf rx;
	struct rte_eth_txconf tx;

	if (conf == NULL)
		conf = &none;
	assert_int_equal(rte_eth_dev_info_get(p->id, &info), 0);
	assert_int_equal(rte_eth_dev_configure(p->id, 1, 1, &conf->eth), 0);
	if (conf->mtu != 0)
		assert_int_equal(rte_eth_dev_set_mtu(p->id, conf->mtu), 0);
	rx = conf->rx;
	rx.offloads |= conf->eth.rxmode.offloads & info.rx_queue_offload_capa;
	assert_int_equal(rte_eth_rx_queue_setup(p->id, 0, conf->nb_rxd ? conf->nb_rxd : FX_NB_DESC,
						SOCKET_ID_ANY, &rx,
						conf->pool != NULL ? conf->pool : p->pool), 0);
	tx = conf->tx;
	tx.offloads |= conf->eth.txmode.offloads & info.tx_queue_offload_capa;
	assert_int_equal(rte_eth_tx_queue_setup(p->id, 0, conf->nb_txd ? conf->nb_txd : FX_NB_DESC,
						SOCKET_ID_ANY, &tx), 0);
}

void
fx_start(struct fx_port *p, const struct fx_conf *conf)
{
	fx_configure(p, conf);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
}

void
fx_advance(struct fx_port *p, uint64_t ns)
{
	pw_clock_advance(&fx_clock, ns);
	pw_model_poll(p->model);
}

void
fx_expect_violations(struct fx_port *p, enum pw_violation kind, uint64_t n)
{
	assert_int_equal(pw_model_violations(p->model, kind), n);
	p->allowed += n;
}

uint64_t
fx_xstat(const struct fx_port *p, const char *name)
{
	uint64_t id, value;

	if (rte_eth_xstats_get_id_by_name(p->id, name, &id) != 0)
		fail_msg("no xstat %s", name);
	assert_int_equal(rte_eth_xstats_get_by_id(p->id, &id, &value, 1), 1);
	return value;
}

void
fx_fault(struct fx_port *p, enum pw_fault which, uint32_t arg)
{
	assert_int_equal(pw_model_fault(p->model, which, arg), 0);
}

uint16_t
fx_rx(struct fx_port *p, struct rte_mbuf **m, uint16_t n)
{
	unsigned int idle = 0;
	uint16_t got = 0;

	while (got < n && idle < IDLE_POLLS) {
		uint16_t k = rte_eth_rx_burst(p->id, 0, m + got, n - got);

		idle = k == 0 ? idle + 1 : 0;
		got += k;
	}
	return got;
}

void
fx_tx(struct fx_port *p, struct rte_mbuf **m, uint16_t n)
{
	assert_int_equal(rte_eth_tx_burst(p->id, 0, m, n), n);
}

/* --- frames -------------------------------------------------------------------------- */

static void
put16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static uint16_t
get16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

/* RFC 1071 §1: the sum of big-endian 16-bit words, an odd last byte padded with zero. */
static uint32_t
sum16(const uint8_t *p, uint32_t len, uint32_t sum)
{
	uint32_t i;

	for (i = 0; i + 1 < len; i += 2)
		sum += get16(p + i);
	if (i < len)
		sum += (uint32_t)p[i] << 8;
	return sum;
}

static uint16_t
fold(uint32_t sum)
{
	while (sum > 0xffff)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)sum;
}

struct fx_lens
fx_frame_lens(const struct fx_spec *s)
{
	struct fx_lens l = { .l2 = 14 };

	l.l2 += s->vlan != 0 ? 4 : 0;
	l.l2 += s->outer_vlan != 0 ? 4 : 0;
	l.l3 = s->l3 == FX_IPV4 ? 20 + s->ip_opts : s->l3 == FX_IPV6 ? 40 : 0;
	l.l4 = s->l4 == FX_UDP ? UDP_LEN : s->l4 == FX_TCP ? TCP_LEN : 0;
	return l;
}

/* Where things are in a frame, read from the frame itself. */
struct where {
	uint32_t l3, l4, end;
	uint8_t proto;
	bool v4;
};

static struct where
find(const struct fx_frame *f)
{
	struct where w = { .l3 = 12 };

	while (get16(f->data + w.l3) == ETHERTYPE_VLAN || get16(f->data + w.l3) == ETHERTYPE_QINQ)
		w.l3 += 4;
	w.v4 = get16(f->data + w.l3) == ETHERTYPE_IPV4;
	w.l3 += 2;
	if (w.v4) {
		w.l4 = w.l3 + 4 * (f->data[w.l3] & 15u);
		w.proto = f->data[w.l3 + 9];
		w.end = w.l3 + get16(f->data + w.l3 + 2);
	} else {
		w.l4 = w.l3 + 40;
		w.proto = f->data[w.l3 + 6];
		w.end = w.l4 + get16(f->data + w.l3 + 4);
	}
	return w;
}

/* The pseudo-header of RFC 793 §3.1 and RFC 8200 §8.1. */
static uint32_t
pseudo(const struct fx_frame *f, const struct where *w)
{
	uint32_t sum = w->proto + (w->end - w->l4);

	return w->v4 ? sum16(f->data + w->l3 + 12, 8, sum) : sum16(f->data + w->l3 + 8, 32, sum);
}

static uint8_t *
l4_csum(struct fx_frame *f, const struct where *w)
{
	return f->data + w->l4 + (w->proto == PROTO_TCP ? 16 : 6);
}

static void
csum_fill(struct fx_frame *f, const struct fx_spec *s)
{
	struct where w = find(f);
	uint16_t sum;

	if (w.v4) {
		sum = (uint16_t)~fold(sum16(f->data + w.l3, w.l4 - w.l3, 0));
		put16(f->data + w.l3 + 10, s->bad_ip_csum ? sum ^ 0x5a5au : sum);
	}
	if (s->l4 == FX_NO_L4 || (s->no_udp_csum && s->l4 == FX_UDP && w.v4))
		return;
	sum = (uint16_t)~fold(sum16(f->data + w.l4, w.end - w.l4, pseudo(f, &w)));
	if (sum == 0 && s->l4 == FX_UDP)
		sum = 0xffff; /* 0 would mean "none" */
	put16(l4_csum(f, &w), s->bad_l4_csum ? sum ^ 0x5a5au : sum);
}

static uint32_t
build_l2(uint8_t *d, const struct fx_spec *s)
{
	static const uint16_t type[] = {
		[FX_RAW] = ETHERTYPE_LOCAL, [FX_IPV4] = ETHERTYPE_IPV4, [FX_IPV6] = ETHERTYPE_IPV6,
	};
	static const uint8_t zero[6], us[6] = { 2, 0, 0, 0, 0, 0x99 };
	uint32_t at = 12;

	memset(d, 0xff, 6);
	if (memcmp(s->dst, zero, 6) != 0)
		memcpy(d, s->dst, 6);
	memcpy(d + 6, memcmp(s->src, zero, 6) != 0 ? s->src : us, 6);
	if (s->outer_vlan != 0) {
		put16(d + at, ETHERTYPE_QINQ);
		put16(d + at + 2, s->outer_vlan);
		at += 4;
	}
	if (s->vlan != 0) {
		put16(d + at, ETHERTYPE_VLAN);
		put16(d + at + 2, s->vlan);
		at += 4;
	}
	put16(d + at, type[s->l3]);
	return at + 2;
}

/* Addresses 192.0.2.1 to 192.0.2.2 (RFC 5737), 2001:db8::1 to ::2 (RFC 3849). */
static uint32_t
build_l3(uint8_t *d, const struct fx_spec *s, uint32_t l3_len, uint32_t rest)
{
	uint8_t proto = s->l4 == FX_UDP ? PROTO_UDP : s->l4 == FX_TCP ? PROTO_TCP : 253;
	static const uint8_t v4[] = { 192, 0, 2, 1, 192, 0, 2, 2 };

	if (s->l3 == FX_IPV4) {
		d[0] = (uint8_t)(0x40 | l3_len / 4);
		put16(d + 2, l3_len + rest);
		put16(d + 6, s->fragment ? IPV4_MF : 0);
		d[8] = 64;
		d[9] = proto;
		memcpy(d + 12, v4, sizeof(v4));
		memset(d + 20, 1, s->ip_opts); /* no operation (RFC 791) */
	} else if (s->l3 == FX_IPV6) {
		d[0] = 0x60;
		put16(d + 4, rest);
		d[6] = proto;
		d[7] = 64;
		memcpy(d + 8, "\x20\x01\x0d\xb8", 4);
		d[23] = 1;
		memcpy(d + 24, "\x20\x01\x0d\xb8", 4);
		d[39] = 2;
	}
	return l3_len;
}

static uint32_t
build_l4(uint8_t *d, const struct fx_spec *s, uint32_t l4_len)
{
	if (s->l4 == FX_NO_L4)
		return 0;
	put16(d, 49152);
	put16(d + 2, 9); /* discard */
	if (s->l4 == FX_UDP) {
		put16(d + 4, UDP_LEN + s->payload);
	} else {
		d[12] = TCP_LEN / 4 << 4;
		d[13] = 0x10; /* ACK */
		put16(d + 14, 0xffff);
	}
	return l4_len;
}

void
fx_frame_build(struct fx_frame *f, const struct fx_spec *s)
{
	struct fx_lens l = fx_frame_lens(s);
	uint32_t at, i;

	assert_true(l.l2 + l.l3 + l.l4 + s->payload <= sizeof(f->data));
	memset(f->data, 0, l.l2 + l.l3 + l.l4 + MIN_FRAME);
	at = build_l2(f->data, s);
	at += build_l3(f->data + at, s, l.l3, l.l4 + s->payload);
	at += build_l4(f->data + at, s, l.l4);
	for (i = 0; i < s->payload; i++)
		f->data[at + i] = (uint8_t)(s->seed + i);
	f->len = at + s->payload;
	if (s->l3 != FX_RAW)
		csum_fill(f, s);
	if (f->len < MIN_FRAME && !s->no_padding) {
		memset(f->data + f->len, 0, MIN_FRAME - f->len);
		f->len = MIN_FRAME;
	}
}

bool
fx_ip_csum_good(const struct fx_frame *f)
{
	struct where w = find(f);

	return !w.v4 || fold(sum16(f->data + w.l3, w.l4 - w.l3, 0)) == 0xffff;
}

bool
fx_l4_csum_good(const struct fx_frame *f)
{
	struct where w = find(f);

	return fold(sum16(f->data + w.l4, w.end - w.l4, pseudo(f, &w))) == 0xffff;
}

void
fx_csum_prepare(struct fx_frame *f)
{
	struct where w = find(f);

	if (w.v4)
		put16(f->data + w.l3 + 10, 0);
	if (w.proto == PROTO_TCP || w.proto == PROTO_UDP)
		put16(l4_csum(f, &w), fold(pseudo(f, &w)));
}

/* --- the other end of the wire --------------------------------------------------------- */

void
fx_inject_flags(struct fx_port *p, const struct fx_frame *f, uint32_t flags)
{
	assert_int_equal(pw_wire_send(p->peer, f->data, f->len, flags), 0);
}

void
fx_inject(struct fx_port *p, const struct fx_frame *f)
{
	fx_inject_flags(p, f, 0);
}

bool
fx_capture(struct fx_port *p, struct fx_frame *f)
{
	struct pw_frame got;

	if (!pw_wire_peek(p->peer, &got))
		return false;
	assert_int_equal(got.flags, 0);
	f->len = got.len;
	memcpy(f->data, got.data, got.len);
	pw_wire_next(p->peer);
	return true;
}

void
fx_expect_sent(struct fx_port *p, const struct fx_frame *f)
{
	static struct fx_frame got;

	assert_true(fx_capture(p, &got));
	assert_int_equal(got.len, f->len);
	assert_memory_equal(got.data, f->data, f->len);
}

void
fx_expect_silence(struct fx_port *p)
{
	struct pw_frame got;

	assert_false(pw_wire_peek(p->peer, &got));
}

/* --- mbufs ----------------------------------------------------------------------------- */

struct rte_mbuf *
fx_mbuf(struct rte_mempool *pool, const struct fx_frame *f, uint16_t seg)
{
	struct rte_mbuf *head = NULL, *m;
	uint32_t at = 0;

	while (at < f->len) {
		uint32_t n = seg == 0 ? f->len : RTE_MIN(seg, f->len - at);
		char *d;

		m = rte_pktmbuf_alloc(pool);
		assert_non_null(m);
		d = rte_pktmbuf_append(m, (uint16_t)n);
		assert_non_null(d);
		memcpy(d, f->data + at, n);
		at += n;
		if (head == NULL)
			head = m;
		else
			assert_int_equal(rte_pktmbuf_chain(head, m), 0);
	}
	return head;
}

void
fx_expect_mbuf(struct rte_mbuf *m, const struct fx_frame *f)
{
	static uint8_t copy[PW_WIRE_MAX_FRAME];
	const char *reason = "";
	const void *d;

	assert_non_null(m);
	if (rte_mbuf_check(m, 1, &reason) != 0)
		fail_msg("mbuf is malformed: %s", reason);
	assert_int_equal(rte_pktmbuf_pkt_len(m), f->len);
	d = rte_pktmbuf_read(m, 0, f->len, copy);
	assert_non_null(d);
	assert_memory_equal(d, f->data, f->len);
	rte_pktmbuf_free(m);
}
