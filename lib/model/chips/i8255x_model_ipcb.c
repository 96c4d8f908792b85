/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * IPCBs of 82550 and 82551 (§3.4): transmit blocks that have checksums computed, a tag
 * inserted, a large TCP packet cut into segments. The packet is gathered as a whole; what is
 * sent is made in tx.buf, a segment after the other.
 *
 * Large send: the first segment goes with the IP length and the pseudo-header's sum that the
 * host has put there for a segment of MSS bytes; the chip corrects both where a later one
 * differs (FreeBSD's driver says so, no public manual does).
 */

#include <stdlib.h>

#include "pw_csum.h"

#include "i8255x_model.h"

#define LSO_MAX (65536 + 18)	/* bytes: an IP packet of 64 KiB, Ethernet header and tag */
#define ROOM 16			/* in tx.buf before the frame, for a tag */
#define TYPE_AT 12
#define TYPE_IPV4 0x0800
#define TYPE_VLAN 0x8100
#define PROTO_TCP 6
#define PROTO_UDP 17
#define IP_MIN 20
#define TCP_MIN 20
#define UDP_LEN 8
#define TCP_LAST 0x09		/* FIN and PSH: the last segment only */
#define TINY 38			/* IP checksum goes wrong in shorter frames (§7) */

struct ip_where {
	uint32_t ip, l4, end;	/* offsets; ip 0: no IPv4; l4 0: no TCP or UDP in it */
	uint8_t proto;
};

static uint32_t
get16(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static void
put16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static void
bad(struct i8255x_model *x, const char *what)
{
	pw_violate(x->m, PW_VIOL_PROTOCOL, "IPCB at 0x%08x: %s (§3.4)", x->cu.at, what);
}

/* Find the headers, as the chip's parser does. */
static void
parse(const uint8_t *f, uint32_t len, struct ip_where *w)
{
	uint32_t at = TYPE_AT, hdr, l4;

	memset(w, 0, sizeof(*w));
	if (len < I8255X_ETH_HDR)
		return;
	if (get16(f + at) == TYPE_VLAN)
		at += I8255X_VLAN_LEN;
	at += 2;
	if (len < at + IP_MIN || get16(f + at - 2) != TYPE_IPV4 || f[at] >> 4 != 4)
		return;
	hdr = (f[at] & 0xfu) * 4;
	l4 = at + hdr;
	if (hdr < IP_MIN || l4 > len || get16(f + at + 2) < hdr)
		return;
	w->ip = at;
	w->end = at + get16(f + at + 2);
	if (w->end > len)
		w->end = len;
	w->proto = f[at + 9];
	if ((get16(f + at + 6) & 0x3fff) != 0) /* a fragment */
		return;
	if ((w->proto == PROTO_TCP && l4 + TCP_MIN <= w->end) ||
	    (w->proto == PROTO_UDP && l4 + UDP_LEN <= w->end))
		w->l4 = l4;
}

/* Sum of [from, to), stored at `at`; what the field holds already is in it. */
static void
checksum(uint8_t *f, uint32_t from, uint32_t to, uint32_t at, bool udp)
{
	uint16_t sum = (uint16_t)~pw_csum_fold(pw_csum_add(0, f + from, to - from));

	/* Zero means "no checksum" in UDP (RFC 768). */
	if (sum == 0 && udp)
		sum = 0xffff;
	memcpy(f + at, &sum, sizeof(sum));
}

static void
ipcb_checksums(struct i8255x_model *x, const struct i8255x_ipcb *b, uint8_t *f, uint32_t len,
	       const struct ip_where *w)
{
	bool tcp = (b->act & I8255X_IPCB_TCP) != 0;

	if ((b->act & I8255X_IPCB_IP_CSUM) != 0 && w->ip != 0) {
		checksum(f, w->ip, w->ip + (f[w->ip] & 0xfu) * 4, w->ip + 10, false);
		if (len < TINY)
			f[w->ip + 10] ^= 0xff;
	}
	if ((b->act & I8255X_IPCB_L4_CSUM) == 0)
		return;
	if (w->l4 == 0) {
		bad(x, "TCP or UDP checksum of a packet that has none");
		return;
	}
	if (tcp != (w->proto == PROTO_TCP)) {
		bad(x, "TCP bit does not fit the packet");
		return;
	}
	checksum(f, w->l4, w->end, w->l4 + (tcp ? 16 : 6), !tcp);
}

/* The frame is at tx.buf + ROOM: tag and padding. */
static void
ipcb_ready(struct i8255x_model *x, const struct i8255x_ipcb *b, uint32_t len)
{
	struct i8255x_tx *tx = &x->tx;
	uint8_t *f = tx->buf + ROOM;

	tx->at = ROOM;
	tx->len = len;
	if ((b->act2 & I8255X_IPCB2_VLAN) != 0 && len >= TYPE_AT) {
		tx->at -= I8255X_VLAN_LEN;
		tx->len += I8255X_VLAN_LEN;
		memmove(f - I8255X_VLAN_LEN, f, TYPE_AT);
		put16(f + TYPE_AT - I8255X_VLAN_LEN, TYPE_VLAN);
		memcpy(f + TYPE_AT - 2, &b->vlan_be, sizeof(b->vlan_be));
	}
	i8255x_tx_ready(x);
}

/* Software parsing: the host says where the headers are, for legal TCP or UDP only. */
static void
ipcb_where(struct i8255x_model *x, const struct i8255x_ipcb *b, const uint8_t *f, uint32_t len,
	   struct ip_where *w)
{
	parse(f, len, w);
	if ((b->act2 & I8255X_IPCB2_PARSE) != 0)
		return;
	if (w->l4 == 0)
		bad(x, "software parsing of what is no TCP or UDP packet");
	else if (b->ip_off != w->ip || b->tcp_off != w->l4)
		bad(x, "offsets that do not fit the packet");
}

/* --- large send ------------------------------------------------------------------------------ */

static bool
lso_usable(struct i8255x_model *x, const struct i8255x_ipcb *b, const struct ip_where *w)
{
	const uint8_t need = I8255X_IPCB_TCP | I8255X_IPCB_L4_CSUM | I8255X_IPCB_IP_CSUM;
	struct i8255x_tx *tx = &x->tx;

	if (w->l4 == 0 || w->proto != PROTO_TCP)
		bad(x, "large send of what is no TCP over IPv4");
	else if ((b->act & need) != need || (b->act2 & I8255X_IPCB2_PARSE) == 0)
		bad(x, "large send without checksums or parsing");
	else if (tx->lso_hdr > (b->size0 & I8255X_TBD_SIZE_MASK))
		bad(x, "headers are not all in the first buffer");
	else if (b->thr_or_mss == 0 ||
		 tx->lso_hdr + b->thr_or_mss > I8255X_MAX_FRAME_LONG - I8255X_FCS)
		bad(x, "segment size that no frame holds");
	else if (tx->lso_hdr + b->total != tx->lso_len)
		bad(x, "payload is not as long as the block says");
	else if (get16(tx->lso + w->ip + 2) != tx->lso_hdr - w->ip + b->thr_or_mss &&
		 b->total >= b->thr_or_mss)
		bad(x, "IP length is not that of a full segment");
	else
		return true;
	return false;
}

static void
lso_segment(struct i8255x_model *x, const struct i8255x_ipcb *b)
{
	struct i8255x_tx *tx = &x->tx;
	uint32_t done = tx->lso_at - tx->lso_hdr, n = tx->lso_len - tx->lso_at, seq, flags, sum;
	struct ip_where w;
	uint8_t *f = tx->buf + ROOM, *tcp;
	uint16_t word;
	bool last;

	if (n > b->thr_or_mss)
		n = b->thr_or_mss;
	last = tx->lso_at + n == tx->lso_len;
	memcpy(f, tx->lso, tx->lso_hdr);
	memcpy(f + tx->lso_hdr, tx->lso + tx->lso_at, n);
	parse(tx->lso, tx->lso_len, &w);
	tcp = f + w.l4;
	put16(f + w.ip + 4, get16(f + w.ip + 4) + tx->lso_segs);
	seq = (get16(tcp + 4) << 16 | get16(tcp + 6)) + done;
	put16(tcp + 4, seq >> 16);
	put16(tcp + 6, seq);
	flags = last ? 0 : TCP_LAST;
	tcp[13] &= (uint8_t)~flags;
	if (tx->lso_segs != 0 && n != b->thr_or_mss) {
		/* One's complement subtraction of the bytes that are missing. */
		memcpy(&word, tcp + 16, sizeof(word));
		sum = (uint32_t)word + (uint16_t)~pw_csum_be16(b->thr_or_mss - n);
		word = pw_csum_fold(sum);
		memcpy(tcp + 16, &word, sizeof(word));
		put16(f + w.ip + 2, tx->lso_hdr - w.ip + n);
	}
	w.end = tx->lso_hdr + n;
	ipcb_checksums(x, b, f, tx->lso_hdr + n, &w);
	tx->lso_at += n;
	tx->lso_segs++;
	ipcb_ready(x, b, tx->lso_hdr + n);
}

/* Send what is left of the packet; the line may stop it anywhere. */
static enum i8255x_tx_result
lso_go_on(struct i8255x_model *x, const struct i8255x_ipcb *b)
{
	struct i8255x_tx *tx = &x->tx;

	for (;;) {
		if (tx->ready && !i8255x_tx_out(x))
			return I8255X_TX_WAIT;
		if (tx->lso_at >= tx->lso_len)
			break;
		lso_segment(x, b);
	}
	tx->lso_len = tx->lso_at = 0;
	return I8255X_TX_SENT;
}

static enum i8255x_tx_result
lso_begin(struct i8255x_model *x, const struct i8255x_ipcb *b, struct i8255x_tbds *t)
{
	struct i8255x_tx *tx = &x->tx;
	struct ip_where w;

	if (tx->lso == NULL)
		tx->lso = malloc(LSO_MAX);
	if (tx->lso == NULL)
		return I8255X_TX_BAD;
	tx->lso_len = i8255x_tbd_gather(x, t, tx->lso, 0, LSO_MAX - 1);
	tx->lso_at = tx->lso_segs = tx->lso_hdr = 0;
	if (t->bad || tx->lso_len >= LSO_MAX) {
		if (!t->bad)
			bad(x, "packet of more than 64 KiB");
		tx->lso_len = 0;
		return I8255X_TX_BAD;
	}
	parse(tx->lso, tx->lso_len, &w);
	if (w.l4 != 0)
		tx->lso_hdr = w.l4 + (tx->lso[w.l4 + 12] >> 4) * 4u;
	if (!lso_usable(x, b, &w)) {
		tx->lso_len = 0;
		return I8255X_TX_BAD;
	}
	tx->lso_at = tx->lso_hdr;
	return lso_go_on(x, b);
}

/* --- blocks ---------------------------------------------------------------------------------- */

static enum i8255x_tx_result
ipcb_frame(struct i8255x_model *x, const struct i8255x_ipcb *b, struct i8255x_tbds *t)
{
	const uint32_t max = I8255X_MAX_FRAME_LONG - I8255X_FCS;
	uint8_t *f = x->tx.buf + ROOM;
	enum i8255x_tx_result result;
	struct ip_where w;
	uint32_t len;

	len = i8255x_tbd_gather(x, t, f, 0, max);
	if (t->bad)
		return I8255X_TX_BAD;
	result = i8255x_tx_check(x, b->thr_or_mss & 0xff, len, max);
	if (result != I8255X_TX_SENT)
		return result;
	ipcb_where(x, b, f, len, &w);
	ipcb_checksums(x, b, f, len, &w);
	ipcb_ready(x, b, len);
	return i8255x_tx_out(x) ? I8255X_TX_SENT : I8255X_TX_WAIT;
}

enum i8255x_tx_result
i8255x_ipcb_block(struct i8255x_model *x)
{
	struct i8255x_tbds t = { .nb_inline = 1 };
	struct i8255x_tbd first;
	struct i8255x_ipcb b;
	bool lso;

	if (!i8255x_tx_may(x))
		return I8255X_TX_WAIT;
	if (!pw_dma_read(x->m, &x->cu.win, x->cu.at, &b, sizeof(b)))
		return I8255X_TX_BAD;
	lso = (b.act & I8255X_IPCB_LARGE_SEND) != 0;
	if (x->tx.lso_at < x->tx.lso_len)
		return lso_go_on(x, &b);
	if (x->tx.ready)
		return i8255x_tx_out(x) ? I8255X_TX_SENT : I8255X_TX_WAIT;
	if ((x->cfg[10] & I8255X_CFG10_NSAI) == 0)
		bad(x, "source address insertion is on");
	if (b.schedule != 0 || (b.act2 & I8255X_IPCB2_SCHEDULED) != 0)
		bad(x, "scheduled sending is not modelled");
	/* Large send has the segment size where the number of TBDs would be: dynamic. */
	if (!i8255x_tbd_count(x, &t, lso ? I8255X_TX_TBD_DYNAMIC : b.thr_or_mss >> 8))
		return I8255X_TX_BAD;
	first = (struct i8255x_tbd){ b.addr0, b.size0 };
	t.inl = &first;
	t.array = b.array;
	return lso ? lso_begin(x, &b, &t) : ipcb_frame(x, &b, &t);
}
