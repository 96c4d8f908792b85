/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include "tso.h"

#define TCP_PUSH_FIN 0x09
#define TCP_FLAGS 0x19		/* ACK, PSH, FIN */
#define IP_ID 0xfffe		/* wraps in the third segment */
#define SEQ 0xffffff00u		/* wraps in the first */

static void
put16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static void
put32(uint8_t *p, uint32_t v)
{
	put16(p, v >> 16);
	put16(p + 2, v);
}

/* Byte `i` of the payload. */
static uint8_t
pattern(const struct tso *t, uint32_t i)
{
	i += t->from;
	return (uint8_t)(i * 7 + i / 256);
}

static struct fx_lens
header(const struct tso *t, struct fx_frame *f)
{
	struct fx_lens l = fx_frame_lens(&t->spec);
	struct fx_spec spec = t->spec;
	uint8_t *ip = f->data + l.l2, *tcp = ip + l.l3;

	spec.no_padding = true;
	fx_frame_build(f, &spec);
	if (t->spec.l3 == FX_IPV4)
		put16(ip + 4, IP_ID);
	put32(tcp + 4, SEQ);
	tcp[13] = TCP_FLAGS;
	return l;
}

struct rte_mbuf *
tso_packet(struct rte_mempool *pool, const struct tso *t)
{
	static struct fx_frame h;
	struct fx_lens l = header(t, &h);
	struct rte_mbuf *m = rte_pktmbuf_alloc(pool), *last = m;
	uint32_t total = h.len + t->payload, at = 0, room = t->head;

	assert_non_null(m);
	while (at < total) {
		uint32_t n = room != 0 ? room : rte_pktmbuf_tailroom(last);

		n = RTE_MIN(n, total - at);
		assert_true(n <= rte_pktmbuf_tailroom(last));
		for (uint32_t i = 0; i < n; i++, at++)
			*rte_pktmbuf_mtod_offset(last, uint8_t *, i) =
				at < h.len ? h.data[at] : pattern(t, at - h.len);
		last->data_len = n;
		if (at == total)
			break;
		last->next = rte_pktmbuf_alloc(pool);
		assert_non_null(last->next);
		last = last->next;
		m->nb_segs++;
		room = t->seg;
	}
	m->pkt_len = total;
	m->l2_len = l.l2;
	m->l3_len = l.l3;
	m->l4_len = l.l4;
	m->tso_segsz = t->mss;
	m->ol_flags = RTE_MBUF_F_TX_TCP_SEG | (t->spec.l3 == FX_IPV4 ?
		RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM : RTE_MBUF_F_TX_IPV6);
	return m;
}

/* The frame that was sent lends its checksums, which are judged apart. */
void
tso_expect(const struct tso *t, uint32_t k, const struct fx_frame *got)
{
	static struct fx_frame want;
	struct fx_lens l = header(t, &want);
	uint32_t len = RTE_MIN((uint32_t)t->mss, t->payload - k * t->mss);
	uint8_t *ip = want.data + l.l2, *tcp = ip + l.l3;

	for (uint32_t i = 0; i < len; i++)
		want.data[want.len + i] = pattern(t, k * t->mss + i);
	want.len += len;
	if (t->spec.l3 == FX_IPV4) {
		put16(ip + 2, want.len - l.l2);
		put16(ip + 4, IP_ID + k);
		memcpy(ip + 10, got->data + l.l2 + 10, 2);
		assert_true(fx_ip_csum_good(got));
	} else {
		put16(ip + 4, want.len - l.l2 - l.l3);
	}
	put32(tcp + 4, SEQ + k * t->mss);
	if (k + 1 < tso_segments(t))
		tcp[13] &= ~TCP_PUSH_FIN;
	memcpy(tcp + 16, got->data + l.l2 + l.l3 + 16, 2);
	assert_true(fx_l4_csum_good(got));
	if (want.len < 60) {
		memset(want.data + want.len, 0, 60 - want.len);
		want.len = 60;
	}
	assert_int_equal(got->len, want.len);
	assert_memory_equal(got->data, want.data, want.len);
}
