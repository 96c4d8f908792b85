/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * From descriptors to frames. A packet of one descriptor without offloads is sent from host
 * memory; all others are gathered in buf[] first. A frame that the line does not take yet
 * waits there, and so do the descriptors behind it: they are read when their turn comes.
 *
 * TSO (§3.5): the header is gathered once, then a segment is sent whenever it is full, so
 * that the largest packet takes no more memory than a segment.
 */

#include <errno.h>

#include "pw_csum.h"

#include "e1000_model.h"

#define IPV4_HDR 20
#define IPV6_HDR 40
#define TCP_HDR 20
#define UDP_HDR 8
#define TCP_FLAGS_LAST 0x09	/* FIN and PSH: the last segment only */
#define ETHER_TYPE_AT 12
#define LINE_DESCS 4		/* descriptors in a cache line of 64 bytes, for GRAN = 0 */

static inline uint8_t *
tx_data(struct e1000_txq *q)
{
	return q->buf + E1000_TX_ROOM;
}

static uint32_t
get_be16(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static void
put_be16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static void
put_be32(uint8_t *p, uint32_t v)
{
	put_be16(p, v >> 16);
	put_be16(p + 2, v);
}

static uint32_t
tx_fifo_max(const struct e1000_model *e)
{
	return (e->pba >> E1000_PBA_TX_SHIFT) * 1024 - E1000_FIFO_SLACK;
}

static bool
tx_may_run(const struct e1000_model *e)
{
	return (E1000_R(e, E1000_TCTL) & E1000_TCTL_EN) != 0 && e1000_dma_on(e) &&
	       (e->link || e1000_loopback(e)) && e->m->fault[PW_FAULT_TX_HANG] == 0 &&
	       !pw_timer_armed(e->m, E1000_T_PAUSE);
}

/* --- the line ------------------------------------------------------------------------------ */

static void
tx_count(struct e1000_model *e, const uint8_t *frame, uint32_t len)
{
	static const uint8_t broadcast[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

	len += E1000_FCS;
	e1000_stat(e, E1000_GPTC);
	e1000_stat(e, E1000_TPT);
	e1000_stat64_add(&e->gotc, len);
	e1000_stat64_add(&e->tot, len);
	e1000_stat(e, E1000_PTC64 + e1000_size_class(len));
	if (PW_UNLIKELY((frame[0] & 1) != 0))
		e1000_stat(e, memcmp(frame, broadcast, 6) == 0 ? E1000_BPTC : E1000_MPTC);
}

/*
 * Send a frame that takes `fifo` bytes of the FIFO. False: the line is busy, or others shall have
 * a turn first.
 */
static bool
tx_send(struct e1000_model *e, const uint8_t *frame, uint32_t len, bool has_fcs, uint32_t fifo)
{
	uint32_t flags = 0;

	if (PW_UNLIKELY(e->tx_budget == 0) || !e1000_fifo_put(e, fifo))
		return false;
	if (PW_UNLIKELY(has_fcs)) {
		uint32_t fcs;

		if (len <= E1000_FCS) {
			e1000_fifo_sent(e);
			return true;
		}
		len -= E1000_FCS;
		fcs = pw_crc32(frame, len);
		if (memcmp(&fcs, frame + len, sizeof(fcs)) != 0)
			flags = PW_FRAME_BAD_CRC;
	}
	if (PW_UNLIKELY(e1000_loopback(e)))
		e1000_rx_frame(e, frame, len, flags, false);
	else if (PW_LIKELY(e->m->wire != NULL) &&
		 pw_wire_send(e->m->wire, frame, len, flags) == -EAGAIN)
		return false;
	e->tx_budget--;
	e1000_fifo_sent(e);
	tx_count(e, frame, len);
	return true;
}

/* Send what waits. False: the line is busy. */
static bool
tx_flush_out(struct e1000_model *e, struct e1000_txq *q)
{
	if (PW_LIKELY(q->out_len == 0))
		return true;
	if (!tx_send(e, q->buf + q->out_at, q->out_len, q->out_fcs, q->total))
		return false;
	q->out_len = 0;
	if (PW_UNLIKELY(q->stamp))
		e1000_574_tsync_tx(e);
	q->stamp = false;
	if (q->open) {
		/* TSO: the next segment starts with the header as software made it. */
		q->len = q->ctx[1].hdrlen;
		memcpy(tx_data(q), q->hdr, q->len);
	}
	return true;
}

/* --- offloads ------------------------------------------------------------------------------ */

static void
tx_checksum(struct e1000_model *e, uint8_t *f, uint32_t len, uint32_t css, uint32_t cso,
	    uint32_t cse, bool udp)
{
	uint32_t end = cse == 0 || cse >= len ? len : cse + 1;
	uint16_t sum;

	if (css >= end || cso + 2 > len) {
		pw_violate(e->m, PW_VIOL_PROTOCOL,
			   "Tx checksum from %u to %u, stored at %u, in %u bytes (§3.5)", css, cse,
			   cso, len);
		return;
	}
	sum = (uint16_t)~pw_csum_fold(pw_csum_add(0, f + css, end - css));
	/* Zero means "no checksum" in UDP (RFC 768). */
	if (sum == 0 && udp)
		sum = 0xffff;
	memcpy(f + cso, &sum, sizeof(sum));
}

static void
tx_insert_checksums(struct e1000_model *e, struct e1000_txq *q, const struct e1000_ctx *ctx)
{
	uint8_t *f = tx_data(q);

	if ((q->first & E1000_TXD_IXSM) != 0)
		tx_checksum(e, f, q->len, ctx->ipcss, ctx->ipcso, ctx->ipcse, false);
	if ((q->first & E1000_TXD_TXSM) != 0)
		tx_checksum(e, f, q->len, ctx->tucss, ctx->tucso, ctx->tucse, !ctx->tcp);
}

/* Tag and padding; the frame is then complete. `cmd` has VLE, IFCS and the tag. */
static void
tx_ready(struct e1000_model *e, struct e1000_txq *q, uint64_t cmd)
{
	uint8_t *f = tx_data(q);
	uint32_t len = q->len;

	if ((cmd & E1000_TXD_VLE) != 0 && len >= ETHER_TYPE_AT) {
		if ((E1000_R(e, E1000_CTRL) & E1000_CTRL_VME) == 0) {
			pw_violate(e->m, PW_VIOL_PROTOCOL, "VLE without CTRL.VME (§9.4)");
		} else {
			f -= E1000_VLAN_LEN;
			memmove(f, f + E1000_VLAN_LEN, ETHER_TYPE_AT);
			put_be16(f + ETHER_TYPE_AT, E1000_R(e, E1000_VET));
			put_be16(f + ETHER_TYPE_AT + 2, E1000_TXD_VLAN_GET(cmd));
			len += E1000_VLAN_LEN;
		}
	}
	if ((cmd & E1000_TXD_IFCS) != 0 && len < E1000_MIN_FRAME - E1000_FCS &&
	    (E1000_R(e, E1000_TCTL) & E1000_TCTL_PSP) != 0) {
		memset(f + len, 0, E1000_MIN_FRAME - E1000_FCS - len);
		len = E1000_MIN_FRAME - E1000_FCS;
	}
	q->out_at = (uint32_t)(f - q->buf);
	q->out_len = len;
	q->out_fcs = (cmd & E1000_TXD_IFCS) == 0;
	q->stamp = e->x != NULL && (cmd & E1000_TXD_TSTAMP) != 0;
}

/* --- segmentation -------------------------------------------------------------------------- */

static bool
tso_usable(struct e1000_model *e, const struct e1000_ctx *ctx)
{
	uint32_t l3 = ctx->ipv4 ? IPV4_HDR : IPV6_HDR;
	uint32_t l4 = ctx->tcp ? TCP_HDR : UDP_HDR;

	if (!ctx->valid || ctx->mss == 0 || ctx->ipcss + l3 > ctx->hdrlen ||
	    ctx->tucss + l4 > ctx->hdrlen || ctx->tucso + 2u > ctx->hdrlen) {
		pw_violate(e->m, PW_VIOL_PROTOCOL,
			   "TSO without a context that fits: header %u B, IP at %u, L4 at %u, "
			   "MSS %u (§3.5)", ctx->hdrlen, ctx->ipcss, ctx->tucss, ctx->mss);
		return false;
	}
	if (ctx->hdrlen + ctx->mss > tx_fifo_max(e)) {
		pw_violate(e->m, PW_VIOL_PROTOCOL, "TSO segments of %u B: more than the FIFO (§6)",
			   ctx->hdrlen + ctx->mss);
		return false;
	}
	return true;
}

/* Make the gathered segment what the header of segment number nb_segs says (§3.5). */
static void
tso_edit_header(struct e1000_txq *q, const struct e1000_ctx *ctx, bool last)
{
	uint8_t *f = tx_data(q);
	uint8_t *ip = f + ctx->ipcss, *l4 = f + ctx->tucss;
	uint32_t l4_len = q->len - ctx->tucss;
	uint16_t sum;

	if (ctx->snap)
		put_be16(f + ETHER_TYPE_AT, q->len - E1000_ETH_HDR);
	if (ctx->ipv4) {
		put_be16(ip + 2, q->len - ctx->ipcss);
		put_be16(ip + 4, get_be16(ip + 4) + q->nb_segs);
	} else {
		put_be16(ip + 4, q->len - ctx->ipcss - IPV6_HDR);
	}
	if (ctx->tcp) {
		put_be32(l4 + 4, (get_be16(l4 + 4) << 16 | get_be16(l4 + 6)) + q->payload);
		if (!last)
			l4[13] &= (uint8_t)~TCP_FLAGS_LAST;
	} else {
		put_be16(l4 + 4, l4_len);
	}
	if ((q->first & E1000_TXD_TXSM) != 0) {
		memcpy(&sum, f + ctx->tucso, sizeof(sum));
		sum = pw_csum_fold((uint64_t)sum + pw_csum_be16(l4_len));
		memcpy(f + ctx->tucso, &sum, sizeof(sum));
	}
}

static void
tso_segment(struct e1000_model *e, struct e1000_txq *q, bool last)
{
	const struct e1000_ctx *ctx = &q->ctx[1];
	uint32_t payload = q->len - ctx->hdrlen;

	tso_edit_header(q, ctx, last);
	tx_insert_checksums(e, q, ctx);
	q->payload += payload;
	q->nb_segs++;
	tx_ready(e, q, q->first);
}

/* Take a descriptor's data, sending what fills up. False: the line is busy, come again. */
static bool
tso_take(struct e1000_model *e, struct e1000_txq *q, uint64_t addr, uint32_t len)
{
	const struct e1000_ctx *ctx = &q->ctx[1];

	while (q->desc_off < len && !q->bad) {
		uint32_t n = len - q->desc_off, want, left;

		if (!tx_flush_out(e, q))
			return false;
		left = ctx->paylen - q->payload - (q->hdr_done ? q->len - ctx->hdrlen : 0);
		want = q->hdr_done ? ctx->hdrlen + ctx->mss - q->len : ctx->hdrlen - q->len;
		if (q->hdr_done && want > left)
			want = left;
		if (want == 0) {
			pw_violate(e->m, PW_VIOL_PROTOCOL,
				   "TSO: more data than PAYLEN %u and HDRLEN %u (§3.5)",
				   ctx->paylen, ctx->hdrlen);
			q->bad = true;
			break;
		}
		if (n > want)
			n = want;
		if (!pw_dma_read(e->m, &q->win, addr + q->desc_off, tx_data(q) + q->len, n)) {
			q->bad = true;
			break;
		}
		q->len += n;
		q->desc_off += n;
		if (!q->hdr_done) {
			q->hdr_done = q->len == ctx->hdrlen;
			if (q->hdr_done)
				memcpy(q->hdr, tx_data(q), q->len);
		} else if (n == want) {
			tso_segment(e, q, n == left);
		}
	}
	return true;
}

static void
tso_finish(struct e1000_model *e, struct e1000_txq *q)
{
	const struct e1000_ctx *ctx = &q->ctx[1];

	if (!q->bad && q->payload != ctx->paylen) {
		pw_violate(e->m, PW_VIOL_PROTOCOL, "TSO: %u B in descriptors, PAYLEN %u, HDRLEN %u "
			   "(§3.5)", q->total, ctx->paylen, ctx->hdrlen);
		if (q->hdr_done && q->out_len == 0 && q->len > ctx->hdrlen)
			tso_segment(e, q, true);
		q->bad = true;
	}
	e1000_stat(e, q->bad ? E1000_TSCTFC : E1000_TSCTC);
}

/* --- packets ------------------------------------------------------------------------------- */

/* All of a packet without TSO is gathered; `cmd` is its last descriptor's. */
static void
tx_finish(struct e1000_model *e, struct e1000_txq *q, uint64_t cmd)
{
	uint32_t max = tx_fifo_max(e);

	if (q->total > max) {
		pw_violate(e->m, PW_VIOL_PROTOCOL, "Tx packet of %u B, the FIFO takes %u (§3.4)",
			   q->total, max);
		q->bad = true;
	}
	if (q->total < e->v->min_packet)
		pw_violate(e->m, PW_VIOL_PROTOCOL, "Tx packet of %u B, the chip needs %u (§3.4)",
			   q->total, e->v->min_packet);
	if (q->bad || q->len == 0)
		return;
	if ((q->first & E1000_TXD_DEXT) == 0) {
		if ((cmd & E1000_TXD_IC) != 0)
			tx_checksum(e, tx_data(q), q->len, E1000_TXD_LEGACY_CSS(cmd),
				    E1000_TXD_LEGACY_CSO(cmd), 0, false);
	} else if ((q->first & (E1000_TXD_IXSM | E1000_TXD_TXSM)) != 0) {
		if (q->ctx[0].valid)
			tx_insert_checksums(e, q, &q->ctx[0]);
		else
			pw_violate(e->m, PW_VIOL_PROTOCOL,
				   "Tx checksum asked for without a context (§3.5)");
	}
	tx_ready(e, q, cmd);
}

static void
tx_begin(struct e1000_model *e, struct e1000_txq *q, uint64_t cmd)
{
	q->open = true;
	q->bad = false;
	q->first = cmd;
	q->total = 0;
	q->len = 0;
	q->desc_off = 0;
	q->nb_segs = 0;
	q->payload = 0;
	q->hdr_done = false;
	/* One context for all: the packet takes what the last one says (§3.5). */
	if (e1000_has(e, E1000_F_82574))
		q->ctx[0] = q->ctx[1] = e->x->ctx;
	if ((cmd & E1000_TXD_DEXT) != 0 && (cmd & E1000_TXD_TSE) != 0 &&
	    !tso_usable(e, &q->ctx[1]))
		q->bad = true;
}

/* All descriptors of a packet have one format, and TSE in all or none (§3.6). */
static void
tx_check_format(struct e1000_model *e, struct e1000_txq *q, uint64_t cmd)
{
	uint64_t differ = cmd ^ q->first;

	if ((differ & E1000_TXD_DEXT) != 0)
		pw_violate(e->m, PW_VIOL_PROTOCOL,
			   "legacy and data descriptors in one packet (§3.6)");
	else if ((cmd & E1000_TXD_DEXT) != 0 && (differ & E1000_TXD_TSE) != 0)
		pw_violate(e->m, PW_VIOL_PROTOCOL, "TSE in some descriptors of a packet (§3.6)");
	else
		return;
	q->bad = true;
}

static void
tx_take(struct e1000_model *e, struct e1000_txq *q, uint64_t addr, uint32_t len)
{
	if (q->bad)
		return;
	if (q->len + len > E1000_MAX_JUMBO) {
		pw_violate(e->m, PW_VIOL_PROTOCOL, "Tx packet of more than %u B (§3.4)",
			   E1000_MAX_JUMBO);
		q->bad = true;
		return;
	}
	if (pw_dma_read(e->m, &q->win, addr, tx_data(q) + q->len, len))
		q->len += len;
	else
		q->bad = true;
}

/* --- descriptors --------------------------------------------------------------------------- */

static void
tx_write_back(struct e1000_model *e, struct e1000_txq *q, uint32_t i)
{
	pw_dma_publish(e->m, &q->ring.win,
		       e1000_ring_iova(&q->ring, i) + E1000_TXD_STA_OFFSET, E1000_TXD_DD >> 32, 1);
}

static inline unsigned int
tx_number(const struct e1000_model *e, const struct e1000_txq *q)
{
	return (unsigned int)(q - e->txq);
}

static void
tx_flush_queue(struct e1000_model *e, struct e1000_txq *q)
{
	uint32_t i;

	if (q->nb_held == 0)
		return;
	for (i = 0; i < q->nb_held; i++)
		tx_write_back(e, q, q->held[i]);
	q->nb_held = 0;
	e1000_irq_set(e, e1000_tx_cause(e, tx_number(e, q)));
}

/* Write back everything that was held (§5.6). */
void
e1000_tx_flush(struct e1000_model *e)
{
	unsigned int i;

	for (i = 0; i < e->v->queues; i++)
		tx_flush_queue(e, &e->txq[i]);
}

static uint32_t
tx_wthresh(const struct e1000_model *e, unsigned int number)
{
	uint32_t txdctl = E1000_R(e, E1000_TXDCTL(number));
	uint32_t w = (txdctl & E1000_XDCTL_WTHRESH_MASK) >> E1000_XDCTL_WTHRESH_SHIFT;

	if ((txdctl & E1000_XDCTL_GRAN) == 0)
		w *= LINE_DESCS;
	return w < E1000_WB_HELD ? w : E1000_WB_HELD;
}

/* RS: report that the descriptor is done, now or in a group (§5.6). */
static uint32_t
tx_report(struct e1000_model *e, struct e1000_txq *q, uint32_t i, uint64_t cmd)
{
	unsigned int number = tx_number(e, q);
	uint32_t wthresh = tx_wthresh(e, number);

	if (PW_UNLIKELY(wthresh > 1)) {
		q->held[q->nb_held++] = i;
		if (q->nb_held >= wthresh)
			tx_flush_queue(e, q);
		else if (E1000_R(e, E1000_TIDV) != 0)
			e1000_irq_tx_delayed(e, number);
		return 0;
	}
	tx_flush_queue(e, q); /* held under a threshold that was higher */
	tx_write_back(e, q, i);
	if ((cmd & E1000_TXD_IDE) == 0)
		return e1000_tx_cause(e, number);
	if (E1000_R(e, E1000_TIDV) == 0)
		pw_violate(e->m, PW_VIOL_PROTOCOL, "IDE with TIDV 0 (§2.4)");
	e1000_irq_tx_delayed(e, number);
	return 0;
}

static void
tx_context(struct e1000_model *e, struct e1000_txq *q, const struct e1000_txd *d)
{
	bool tse = (d->cmd & E1000_TXD_TSE) != 0;
	struct e1000_ctx *ctx = e1000_has(e, E1000_F_82574) ? &e->x->ctx : &q->ctx[tse];

	if (q->open) {
		pw_violate(e->m, PW_VIOL_PROTOCOL, "context descriptor inside a packet (§3.6)");
		q->bad = true;
		return;
	}
	*ctx = (struct e1000_ctx){
		.valid = true,
		.ipcss = E1000_CTX_IPCSS(d->csum),
		.ipcso = E1000_CTX_IPCSO(d->csum),
		.ipcse = E1000_CTX_IPCSE(d->csum),
		.tucss = E1000_CTX_TUCSS(d->csum),
		.tucso = E1000_CTX_TUCSO(d->csum),
		.tucse = E1000_CTX_TUCSE(d->csum),
		.hdrlen = E1000_CTX_HDRLEN(d->cmd),
		.mss = E1000_CTX_MSS(d->cmd),
		.paylen = E1000_CTX_PAYLEN(d->cmd),
		.tcp = (d->cmd & E1000_CTX_TCP) != 0,
		.ipv4 = (d->cmd & E1000_CTX_IPV4) != 0,
		.snap = (d->cmd & E1000_CTX_SNAP) != 0,
	};
	/* One a queue (§1.2) */
	if (e1000_has(e, E1000_F_82571))
		q->ctx[!tse] = *ctx;
}

/* A legacy or data descriptor of a packet that must be gathered. False: the line is busy. */
static bool
tx_gather(struct e1000_model *e, struct e1000_txq *q, uint64_t addr, uint64_t cmd, uint32_t len)
{
	bool begin = !q->open;
	bool tse;

	if (!q->open)
		tx_begin(e, q, cmd);
	else if (q->desc_off == 0)
		tx_check_format(e, q, cmd);
	if (len > e->v->max_desc) {
		pw_violate(e->m, PW_VIOL_PROTOCOL, "Tx descriptor of %u B, at most %u (§3.4)", len,
			   e->v->max_desc);
		q->bad = true;
	}
	tse = (q->first & (E1000_TXD_DEXT | E1000_TXD_TSE)) == (E1000_TXD_DEXT | E1000_TXD_TSE);
	if (begin && tse && e1000_has(e, E1000_F_82571) &&
	    !e1000_571_tso_begin(e, &q->ctx[1], len))
		q->bad = true;
	if (addr != 0 && len != 0) { /* a null buffer moves no data (§3.4) */
		if (!tse)
			tx_take(e, q, addr, len);
		else if (!tso_take(e, q, addr, len))
			return false;
		q->total += len;
	}
	q->desc_off = 0;
	if ((cmd & E1000_TXD_EOP) != 0) {
		if (tse)
			tso_finish(e, q);
		else
			tx_finish(e, q, cmd);
		q->open = false;
	}
	return true;
}

/* One descriptor, by the shortest way there is. False: the line is busy, or no DMA. */
static bool
tx_descriptor(struct e1000_model *e, struct e1000_txq *q, const struct e1000_txd *d)
{
	const uint64_t plain = E1000_TXD_EOP | E1000_TXD_IFCS;
	const uint64_t special = E1000_TXD_VLE | E1000_TXD_TSE | E1000_TXD_IXSM | E1000_TXD_TXSM |
				 E1000_TXD_TSTAMP;
	uint64_t cmd = d->cmd;
	uint32_t len;

	if (PW_LIKELY(E1000_TXD_IS_DATA(cmd))) {
		len = E1000_TXD_DATA_LEN(cmd);
	} else if ((cmd & E1000_TXD_DEXT) == 0) {
		len = E1000_TXD_LEGACY_LEN(cmd);
		cmd &= ~(E1000_TXD_IXSM | E1000_TXD_TXSM); /* part of CSS there */
	} else if (E1000_TXD_IS_CTX(cmd)) {
		tx_context(e, q, d);
		return true;
	} else {
		pw_violate(e->m, PW_VIOL_PROTOCOL, "Tx descriptor of unknown type 0x%08x (§3.4)",
			   (uint32_t)cmd);
		return true;
	}
	/* Looped back it may be stored over itself: by way of buf[]. */
	if (PW_LIKELY((cmd & (plain | special)) == plain && !q->open &&
		      len >= E1000_MIN_FRAME - E1000_FCS && len <= E1000_MAX_FRAME &&
		      d->addr != 0 && !e1000_loopback(e))) {
		const uint8_t *p = pw_dma_ptr(e->m, &q->win, d->addr, len, false);

		if (PW_LIKELY(p != NULL))
			return tx_send(e, p, len, false, len);
	}
	return tx_gather(e, q, d->addr, d->cmd, len);
}

static unsigned int
tx_run_queue(struct e1000_model *e, struct e1000_txq *q)
{
	struct e1000_ring *ring = &q->ring;
	uint32_t *head = &ring->r[E1000_RING_HEAD];
	uint32_t tail = ring->r[E1000_RING_TAIL];
	uint32_t txdctl = E1000_R(e, E1000_TXDCTL(tx_number(e, q)));
	uint32_t low = (txdctl & E1000_TXDCTL_LWTHRESH_MASK) >>
		       E1000_TXDCTL_LWTHRESH_SHIFT << 3;
	uint32_t causes = 0;
	unsigned int done = 0;

	while (*head != tail && tx_flush_out(e, q) && !pw_timer_armed(e->m, E1000_T_PAUSE)) {
		uint32_t i = *head;
		struct e1000_txd d;

		if (!pw_dma_read(e->m, &ring->win, e1000_ring_iova(ring, i), &d, sizeof(d))) {
			ring->count = 0; /* stands still until software moves the tail */
			break;
		}
		if (!tx_descriptor(e, q, &d))
			break;
		e1000_ring_step(ring);
		done++;
		if ((d.cmd & E1000_TXD_RS) != 0)
			causes |= tx_report(e, q, i, d.cmd);
		if (low != 0 && e1000_ring_used(ring) == low)
			causes |= E1000_ICR_TXD_LOW;
	}
	if (done == 0)
		return 0;
	if (*head == tail) {
		causes |= E1000_ICR_TXQE;
		tx_flush_out(e, q);
	}
	if (causes != 0)
		e1000_irq_set(e, causes);
	return done;
}

unsigned int
e1000_tx_run(struct e1000_model *e)
{
	unsigned int i, done = 0;

	/* A segmented megabyte in pieces of one byte must not hold the model for ever. */
	e->tx_budget = E1000_TX_BUDGET;
	if (!tx_may_run(e))
		return 0;
	for (i = 0; i < e->v->queues; i++) {
		struct e1000_txq *q = &e->txq[i];

		if (e->x != NULL && (E1000_R(e, E1000_TARC(i)) & E1000_TARC_ENABLE) == 0)
			continue;
		if (e1000_ring_ok(e, &q->ring) && tx_flush_out(e, q) &&
		    q->ring.r[E1000_RING_TAIL] < q->ring.count)
			done += tx_run_queue(e, q);
	}
	return done;
}

void
e1000_tx_reset(struct e1000_model *e)
{
	unsigned int i;

	for (i = 0; i < E1000_QUEUES; i++) {
		struct e1000_txq *q = &e->txq[i];

		memset(q->ctx, 0, sizeof(q->ctx));
		q->open = false;
		q->stamp = false;
		q->out_len = 0;
		q->nb_held = 0;
	}
}

/* PCI Express parts count descriptors only if told to (§2.4, §7). */
static void
tx_check_enable(struct e1000_model *e, uint32_t val)
{
	if (e->x != NULL && (val & ~E1000_R(e, E1000_TCTL) & E1000_TCTL_EN) != 0 &&
	    (E1000_R(e, E1000_TXDCTL(0)) & E1000_TXDCTL_COUNT_DESC) == 0)
		pw_violate(e->m, PW_VIOL_PROTOCOL, "TCTL.EN without TXDCTL bit 22 (§2.4)");
	if (e1000_has(e, E1000_F_82571) && (val & ~E1000_R(e, E1000_TCTL) & E1000_TCTL_EN) != 0)
		e1000_571_tx_start(e, val);
}

void
e1000_tctl_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	if ((val & E1000_TCTL_SWXOFF) != 0)
		e1000_send_pause(e, E1000_R(e, E1000_FCTTV));
	tx_check_enable(e, val);
	E1000_R(e, off) = val & (E1000_TCTL_EN | E1000_TCTL_PSP | E1000_TCTL_CT_MASK |
				 E1000_TCTL_COLD_MASK | E1000_TCTL_RTLC |
				 (e->x != NULL ? E1000_TCTL_MULR : 0));
	if ((val & E1000_TCTL_EN) == 0)
		e1000_tx_flush(e);
	else if (!pw_model_defer(e->m))
		e1000_tx_run(e);
}

/* --- flow control -------------------------------------------------------------------------- */

/* A quantum is 512 bit times (IEEE 802.3 annex 31B). */
uint64_t
e1000_quanta_ns(const struct e1000_model *e, uint32_t quanta)
{
	return (uint64_t)quanta * 512 * 1000 / e1000_mbps(e);
}

/* The partner asks for silence; 0 ends it. */
void
e1000_tx_pause(struct e1000_model *e, uint32_t quanta)
{
	if (quanta == 0)
		pw_timer_stop(e->m, E1000_T_PAUSE);
	else
		pw_timer_set(e->m, E1000_T_PAUSE, pw_now(e->m) + e1000_quanta_ns(e, quanta));
}

/* PAUSE frames do not wait for the transmitter to be free of PAUSE itself. */
void
e1000_send_pause(struct e1000_model *e, uint32_t quanta)
{
	uint32_t fcal = E1000_R(e, E1000_FCAL), fcah = E1000_R(e, E1000_FCAH);
	uint32_t ral = E1000_R(e, E1000_RAL(0)), rah = E1000_R(e, E1000_RAH(0));
	uint8_t f[E1000_MIN_FRAME - E1000_FCS] = { 0 };

	if (!e->link || e->m->wire == NULL || e1000_loopback(e))
		return;
	memcpy(f, &fcal, 4);
	memcpy(f + 4, &fcah, 2);
	memcpy(f + 6, &ral, 4);
	memcpy(f + 10, &rah, 2);
	put_be16(f + 12, E1000_R(e, E1000_FCT));
	put_be16(f + 14, 0x0001);
	put_be16(f + 16, quanta);
	if (pw_wire_send(e->m->wire, f, sizeof(f), 0) != 0)
		return;
	e1000_stat(e, quanta == 0 ? E1000_XONTXC : E1000_XOFFTXC);
	e1000_stat(e, E1000_TPT);
	e1000_stat64_add(&e->tot, E1000_MIN_FRAME);
}
