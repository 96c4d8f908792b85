/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Transmit.
 *
 * A packet is one data descriptor a segment, the last with EOP; a context descriptor before it
 * where the chip has to be told anew how to make checksums. We write descriptors from prod on
 * and then the tail, once a burst: it names the first descriptor that is not the chip's, so
 * one slot always stays free, for head equal to tail means empty (§2.4).
 *
 *	    cons                                     prod = tail
 *	     |                                        |
 *	 ... +----+----+----+----+----+----+----+----+---- ...
 *	     |    |    | DD |    |    | RS |    |    | free
 *	 ... +----+----+----+----+----+----+----+----+---- ...
 *	     |  group, done |  group       |
 *
 * The ring is cut into groups of tx_rs_thresh descriptors. The chip is asked to report (RS) at
 * each group's end and nowhere else, and a group is freed as a whole when its report is in: one
 * descriptor looked at, one bulk call to the pool. Reports come in order, so DD on one speaks
 * for all before it.
 *
 * The plain burst has one segment a packet and one pool (fast free): the report is always in
 * the group's last descriptor and a group is returned with one put. Trouble (a packet too
 * short, empty, or too long) is looked for once a burst, in the OR of all lengths; only then are
 * the packets gone through one by one.
 *
 * In the full burst a packet may lie across a group's end. The report is then in the packet's
 * last descriptor and `rs_at` remembers where. The slot of a packet's last descriptor holds
 * the whole chain, its other slots hold NULL: a chain is freed when all of it has been sent.
 *
 * A packet that the chip cannot take as it is goes through tx_odd(), with the help of
 * e1000_tx_prep.c: padding, segments to be split, a chain to be copied. So does one that the
 * chip is to segment. What no treatment can help (no data, too long) is dropped and counted,
 * as it would block the queue for ever if it were refused.
 */

#include <string.h>

#include <rte_malloc.h>
#include <rte_ip.h>
#include <rte_tcp.h>
#include <rte_udp.h>

#include <e1000_desc.h>

#include "e1000.h"

/* Work-arounds split a packet's first and last segment (§6). */
#define TX_FIRST_MAX		2015
#define TX_LAST_SPLIT		4
#define TX_SPLITS		2

/* Enough for a ring of long frames at 1 Gb/s; slower links lose the rest at queue stop. */
#define TX_QUIET_MS		100

#define TX_CSUM_FLAGS	(RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_L4_MASK)
#define TX_CTX_FLAGS	(TX_CSUM_FLAGS | RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IPV6)
/* TCP and UDP, but neither SCTP nor none, have this bit. */
#define TX_L4_TCP_UDP	RTE_MBUF_F_TX_TCP_CKSUM

static inline volatile struct e1000_txd *
tx_desc(const struct e1000_txq *txq, uint32_t count)
{
	return (volatile struct e1000_txd *)txq->q.desc + pw_ring_slot(&txq->q.ring, count);
}

/* --- reclaim --- */

/* Where the report for the group that `cons` begins is: plain and full path. */
static inline uint32_t
tx_report_plain(const struct e1000_txq *txq)
{
	return txq->q.ring.cons + txq->q.rs_thresh - 1;
}

static inline uint32_t
tx_report_full(const struct e1000_txq *txq)
{
	return txq->rs_at[pw_ring_slot(&txq->q.ring, txq->q.ring.cons) >> txq->rs_shift];
}

static inline bool
tx_reported(const struct e1000_txq *txq, uint32_t count)
{
	return pw_ring_used(&txq->q.ring) >= txq->q.rs_thresh &&
	       (tx_desc(txq, count)->cmd & rte_cpu_to_le_64(E1000_TXD_DD)) != 0;
}

/* Free groups until `want` descriptors are free or a report is missing. @return room. */
static inline uint32_t
tx_reclaim_plain(struct e1000_txq *txq, uint32_t want)
{
	struct pw_ring *r = &txq->q.ring;

	while (pw_ring_free(r) < want && tx_reported(txq, tx_report_plain(txq))) {
		struct rte_mbuf *m = txq->q.bufs.slot[pw_ring_slot(r, r->cons)];

		pw_bufs_put(&txq->q.bufs, m->pool, r->cons, txq->q.rs_thresh);
		r->cons += txq->q.rs_thresh;
	}
	return pw_ring_free(r) - 1;
}

static inline uint32_t
tx_reclaim_full(struct e1000_txq *txq, uint32_t want)
{
	struct pw_ring *r = &txq->q.ring;

	while (pw_ring_free(r) < want && tx_reported(txq, tx_report_full(txq))) {
		pw_bufs_free(&txq->q.bufs.slot[pw_ring_slot(r, r->cons)], txq->q.rs_thresh);
		r->cons += txq->q.rs_thresh;
	}
	return pw_ring_free(r) - 1;
}

/* Descriptors before the tail: pw_write32() orders the two. */
static inline void
tx_doorbell(struct e1000_txq *txq)
{
	pw_write32(txq->io, txq->tail, pw_ring_slot(&txq->q.ring, txq->q.ring.prod));
}

/* --- packets that need treatment first; rare --- */

static void
tx_drop(struct e1000_txq *txq, struct rte_mbuf *m)
{
	txq->stats->tx_dropped++;
	rte_pktmbuf_free(m);
}

/* --- plain burst --- */

/* One descriptor each for `n` packets, which do not wrap. @return the OR of what is odd. */
static inline uint32_t
tx_fill(struct e1000_txq *txq, struct rte_mbuf **pkts, uint32_t n)
{
	uint32_t slot = pw_ring_slot(&txq->q.ring, txq->q.ring.prod);
	volatile struct e1000_txd *d = (volatile struct e1000_txd *)txq->q.desc + slot;
	struct rte_mbuf **b = &txq->q.bufs.slot[slot];
	uint32_t min = txq->min_len, odd = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct rte_mbuf *m = pkts[i];
		uint32_t len = m->data_len;

		b[i] = m;
		d[i].addr = rte_cpu_to_le_64(rte_mbuf_data_iova(m));
		d[i].cmd = rte_cpu_to_le_64(E1000_TXD_DATA_LAST | len);
		/* A short one wraps, a long one has a high bit: both end up above max_seg. */
		odd |= len | (len - min);
	}
	txq->q.ring.prod += n;
	return odd;
}

/* Ask for a report if prod has just reached a group's end. */
static inline void
tx_ask_plain(struct e1000_txq *txq)
{
	if ((txq->q.ring.prod & (txq->q.rs_thresh - 1u)) == 0)
		tx_desc(txq, txq->q.ring.prod - 1)->cmd |= rte_cpu_to_le_64(E1000_TXD_RS);
}

/* The burst again, one by one, because some packet in it is odd. */
static __rte_noinline uint16_t
tx_burst_odd(struct e1000_txq *txq, struct rte_mbuf **pkts, uint16_t n)
{
	uint16_t i;

	for (i = 0; i < n; i++) {
		/* The array stays as it is: who shares packets may send it on another port too. */
		struct rte_mbuf *m = pkts[i];

		if (e1000_tx_is_bad(txq, m) || m->data_len > txq->max_seg) {
			tx_drop(txq, m);
			continue;
		}
		if (m->data_len < txq->min_len) {
			int rc = e1000_tx_pad(&m);

			if (rc == -ENOMEM)
				break;
			if (rc != 0) {
				tx_drop(txq, m);
				continue;
			}
		}
		tx_fill(txq, &m, 1);
		tx_ask_plain(txq);
	}
	return i;
}

uint16_t
e1000_tx_burst(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	struct e1000_txq *txq = queue;
	struct pw_ring *r = &txq->q.ring;
	uint32_t room = tx_reclaim_plain(txq, RTE_MAX(txq->q.free_thresh, nb_pkts + 1u));
	uint32_t n = RTE_MIN(nb_pkts, room), done = 0, odd = 0, old = r->prod;

	while (done < n) {
		uint32_t left = txq->q.rs_thresh - (r->prod & (txq->q.rs_thresh - 1u));
		uint32_t k = RTE_MIN(n - done, left);

		odd |= tx_fill(txq, &pkts[done], k);
		tx_ask_plain(txq);
		done += k;
	}
	if (unlikely(odd >= txq->max_seg)) {
		/* Nothing has been handed over yet: take it all back. */
		r->prod = old;
		done = tx_burst_odd(txq, pkts, n);
	}
	if (likely(r->prod != old))
		tx_doorbell(txq);
	return done;
}

/* --- full burst --- */

/*
 * The packet's last descriptor asks for a report if the packet reaches a group's end, and
 * stands for each group whose end it covers.
 */
static inline uint64_t
tx_ask_full(struct e1000_txq *txq, uint32_t first, uint32_t end)
{
	uint32_t in_group = txq->q.rs_thresh - 1u, group = first & ~in_group;

	if (likely(group == (end & ~in_group)))
		return 0;
	for (; group != (end & ~in_group); group += txq->q.rs_thresh)
		txq->rs_at[pw_ring_slot(&txq->q.ring, group) >> txq->rs_shift] = end - 1;
	return E1000_TXD_RS;
}

/* What a packet asks for, as bits of a data descriptor. POPTS and VLE go in all (§3.6). */
static inline uint64_t
tx_options(const struct rte_mbuf *m, uint64_t ol)
{
	RTE_BUILD_BUG_ON(RTE_MBUF_F_TX_IP_CKSUM >> 14 != E1000_TXD_IXSM);
	RTE_BUILD_BUG_ON(TX_L4_TCP_UDP >> 11 != E1000_TXD_TXSM);
	RTE_BUILD_BUG_ON(RTE_MBUF_F_TX_VLAN >> 27 != E1000_TXD_VLE);
	RTE_BUILD_BUG_ON(RTE_MBUF_F_TX_IEEE1588_TMST >> 15 != E1000_TXD_TSTAMP);
	return (ol & RTE_MBUF_F_TX_IP_CKSUM) >> 14 | (ol & TX_L4_TCP_UDP) >> 11 |
	       (ol & RTE_MBUF_F_TX_VLAN) >> 27 | (ol & RTE_MBUF_F_TX_IEEE1588_TMST) >> 15 |
	       E1000_TXD_VLAN(m->vlan_tci);
}

/* What the context depends on; header lengths are the low 16 bits of tx_offload. */
static inline uint64_t
tx_ctx_key(const struct rte_mbuf *m, uint64_t ol)
{
	return (ol & TX_CTX_FLAGS) | (m->tx_offload & UINT16_MAX);
}

static inline bool
tx_needs_ctx(const struct e1000_txq *txq, const struct rte_mbuf *m, uint64_t ol)
{
	return (ol & TX_CSUM_FLAGS) != 0 && tx_ctx_key(m, ol) != txq->ctx_key;
}

/* A context descriptor at prod. */
static void
tx_put_ctx_desc(struct e1000_txq *txq, uint64_t csum, uint64_t cmd)
{
	uint32_t prod = txq->q.ring.prod;

	cmd |= E1000_TXD_CTX | tx_ask_full(txq, prod, prod + 1);
	tx_desc(txq, prod)->csum = rte_cpu_to_le_64(csum);
	tx_desc(txq, prod)->cmd = rte_cpu_to_le_64(cmd);
	txq->q.bufs.slot[pw_ring_slot(&txq->q.ring, prod)] = NULL;
	txq->q.ring.prod = prod + 1;
}

/* Tell the chip where the headers are; it keeps that for the packets that follow (§3.5). */
static void
tx_put_ctx(struct e1000_txq *txq, const struct rte_mbuf *m, uint64_t ol)
{
	uint32_t l4 = m->l2_len + m->l3_len;
	bool udp = (ol & RTE_MBUF_F_TX_L4_MASK) == RTE_MBUF_F_TX_UDP_CKSUM;
	bool ipv4 = (ol & (RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM)) != 0;
	uint32_t cso = l4 + (udp ? offsetof(struct rte_udp_hdr, dgram_cksum) :
				   offsetof(struct rte_tcp_hdr, cksum));
	uint64_t csum = E1000_CTX_TU(l4, cso, 0), cmd = udp ? 0 : E1000_CTX_TCP;

	if (ipv4) {
		cso = m->l2_len + offsetof(struct rte_ipv4_hdr, hdr_checksum);
		csum |= E1000_CTX_IP(m->l2_len, cso, l4 - 1);
		cmd |= E1000_CTX_IPV4;
	}
	tx_put_ctx_desc(txq, csum, cmd);
	txq->ctx_key = tx_ctx_key(m, ol) | txq->ctx_forget;
	txq->ctx_len = e1000_csum_header(m, ol);
}

/* The same for a packet to be segmented. Parts with one context lose the other by it. */
static void
tx_put_ctx_tso(struct e1000_txq *txq, const struct rte_mbuf *m, bool ipv4)
{
	uint32_t l4 = m->l2_len + m->l3_len, header = e1000_tso_header(m);
	uint64_t csum = E1000_CTX_TU(l4, l4 + offsetof(struct rte_tcp_hdr, cksum), 0) |
			E1000_CTX_IP(m->l2_len, m->l2_len + offsetof(struct rte_ipv4_hdr,
				     hdr_checksum), ipv4 ? l4 - 1 : 0);
	uint64_t cmd = E1000_CTX_TCP | E1000_TXD_TSE | (ipv4 ? E1000_CTX_IPV4 : 0);

	cmd |= E1000_CTX_SEG(m->pkt_len - header, header, m->tso_segsz);
	tx_put_ctx_desc(txq, csum, cmd);
	txq->ctx_key = UINT64_MAX;
}

static inline void
tx_put(struct e1000_txq *txq, uint32_t count, uint64_t addr, uint64_t cmd, struct rte_mbuf *m)
{
	volatile struct e1000_txd *d = tx_desc(txq, count);

	d->addr = rte_cpu_to_le_64(addr);
	d->cmd = rte_cpu_to_le_64(cmd);
	txq->q.bufs.slot[pw_ring_slot(&txq->q.ring, count)] = m;
}

/* One descriptor a segment. */
static inline void
tx_put_chain(struct e1000_txq *txq, struct rte_mbuf *head, uint64_t ol)
{
	uint64_t cmd = E1000_TXD_DATA | tx_options(head, ol);
	uint32_t count = txq->q.ring.prod, end = count + head->nb_segs;
	struct rte_mbuf *m = head;

	for (; count != end - 1; count++, m = m->next)
		tx_put(txq, count, rte_mbuf_data_iova(m), cmd | m->data_len, NULL);
	cmd |= E1000_TXD_EOP | tx_ask_full(txq, txq->q.ring.prod, end);
	tx_put(txq, count, rte_mbuf_data_iova(m), cmd | m->data_len, head);
	txq->q.ring.prod = end;
}

static void
tx_put_segs(struct e1000_txq *txq, struct rte_mbuf *m, uint64_t cmd,
	    const struct pw_dma_seg *segs, uint32_t n)
{
	uint32_t first = txq->q.ring.prod;

	for (uint32_t i = 0; i < n - 1; i++)
		tx_put(txq, first + i, segs[i].addr, cmd | segs[i].len, NULL);
	cmd |= E1000_TXD_EOP | tx_ask_full(txq, first, first + n);
	tx_put(txq, first + n - 1, segs[n - 1].addr, cmd | segs[n - 1].len, m);
	txq->q.ring.prod = first + n;
}

/* Cut segment `i` after `len` bytes. @return the new number of segments. */
static uint32_t
tx_split(struct pw_dma_seg *segs, uint32_t n, uint32_t i, uint32_t len)
{
	memmove(&segs[i + 1], &segs[i], (n - i) * sizeof(segs[0]));
	segs[i].len = len;
	segs[i + 1].addr += len;
	segs[i + 1].len -= len;
	return n + 1;
}

/* What errata ask of segments beyond pw_dma_limits (§6). */
static uint32_t
tx_quirks(const struct e1000_txq *txq, struct pw_dma_seg *segs, uint32_t n)
{
	struct pw_dma_seg *last;

	if ((txq->quirks & E1000_F_ERR_FIRST_2015) && segs[0].len > TX_FIRST_MAX)
		n = tx_split(segs, n, 0, TX_FIRST_MAX);
	last = &segs[n - 1];
	if (last->len > TX_LAST_SPLIT &&
	    ((txq->quirks & E1000_F_ERR_TSO_REPORT) ||
	     ((txq->quirks & E1000_F_ERR_EVEN_DWORD) &&
	      ((last->addr + last->len - 1) & 4) == 0)))
		n = tx_split(segs, n, n - 1, last->len - TX_LAST_SPLIT);
	return n;
}

/* Whether the chip can take every segment as it lies. */
static inline bool
tx_is_odd(const struct e1000_txq *txq, const struct rte_mbuf *m, uint64_t ol)
{
	uint64_t special = txq->quirks | (ol & RTE_MBUF_F_TX_TCP_SEG);
	uint32_t min = txq->min_len, segs = 1, len, odd;

	if (likely(m->nb_segs == 1)) {
		odd = m->data_len | (m->data_len - min);
		return odd >= txq->max_seg || special != 0;
	}
	if (m->nb_segs > txq->max_segs || special != 0)
		return true;
	/* An empty segment wraps to a high bit. */
	odd = m->data_len - 1u;
	len = m->data_len;
	for (const struct rte_mbuf *s = m->next; s != NULL; s = s->next, segs++) {
		odd |= s->data_len - 1u;
		len += s->data_len;
	}
	return odd >= txq->max_seg || segs != m->nb_segs || len < min || len > txq->max_frame ||
	       len != m->pkt_len;
}

/*
 * Whether a packet that has not been prepared wants checksums where there is nothing to sum, or
 * farther back than a context can say. One that goes by the chip's present context is looked at
 * only if it is too short for it.
 */
static inline bool
tx_csum_is_bad(const struct e1000_txq *txq, const struct rte_mbuf *m, uint64_t ol)
{
	uint32_t len = m->nb_segs == 1 ? m->data_len : m->pkt_len;

	if ((ol & TX_CSUM_FLAGS) == 0 || (ol & RTE_MBUF_F_TX_TCP_SEG) != 0 ||
	    (tx_ctx_key(m, ol) == txq->ctx_key && len >= txq->ctx_len))
		return false;
	return e1000_csum_is_bad(m, ol, len);
}

/*
 * Send one packet in segments. @return 1 if it is dealt with, sent or dropped; 0 if it has to
 * wait for room or memory, and can be given again.
 *
 * 8254x may report such a packet before all of it has been read, and do the same to the packet
 * after it: the last four bytes get a descriptor of their own in both (§6, §7.0).
 */
static uint32_t
tx_tso(struct e1000_txq *txq, struct rte_mbuf *pkt, uint64_t ol)
{
	struct pw_dma_seg segs[E1000_TX_MAX_TSO_SEGS + TX_SPLITS];
	uint32_t most = txq->max_tso_segs + TX_SPLITS + 1, room = tx_reclaim_full(txq, most + 1);
	bool ipv4 = (pkt->ol_flags & RTE_MBUF_F_TX_IPV4) != 0;
	struct rte_mbuf *m = pkt;
	int n = e1000_tso_load(txq, &m, segs, room >= most);

	if (m == pkt && (n == -ENOMEM || n == -EAGAIN))
		return 0;
	if (n < 0) {
		tx_drop(txq, m);
		return 1;
	}
	if (room < n + TX_SPLITS + 1u)
		return 0;
	txq->quirks |= txq->tso_quirk;
	n = tx_quirks(txq, segs, n);
	tx_put_ctx_tso(txq, m, ipv4);
	ol = (ol & RTE_MBUF_F_TX_VLAN) | RTE_MBUF_F_TX_TCP_CKSUM |
	     (ipv4 ? RTE_MBUF_F_TX_IP_CKSUM : 0);
	tx_put_segs(txq, m, E1000_TXD_DATA | E1000_TXD_TSE | tx_options(m, ol), segs, n);
	return 1;
}

/*
 * Send one packet that cannot go as it is. @return 1 if it is dealt with, sent or dropped; 0 if
 * it has to wait for room or memory, and can be given again.
 *
 * The caller's array keeps the packet that it had, even where a copy is sent: who shares
 * packets may send the array on another port too. So once there is a copy, no way leads back.
 */
static uint32_t
tx_odd(struct e1000_txq *txq, struct rte_mbuf *pkt, uint64_t ol)
{
	struct pw_dma_seg segs[E1000_TX_MAX_SEGS + TX_SPLITS];
	uint32_t most = txq->max_segs + TX_SPLITS + 1;
	struct rte_mbuf *m = pkt;
	int n = 0, rc = 0;

	if (ol & RTE_MBUF_F_TX_TCP_SEG)
		return tx_tso(txq, pkt, ol);
	if (e1000_tx_is_bad(txq, m)) {
		tx_drop(txq, m);
		return 1;
	}
	if (tx_reclaim_full(txq, most + 1) < most)
		return 0;
	if (m->pkt_len < txq->min_len)
		rc = e1000_tx_pad(&m);
	else if (m->nb_segs > txq->max_segs)
		rc = pw_tx_copy(&txq->q, &m, 0);
	if (rc == 0)
		n = pw_dma_load(txq->q.dma, &m, txq->q.fallback, segs, txq->max_segs);
	if ((rc == -ENOMEM || n == -ENOMEM) && m == pkt)
		return 0;
	if (rc < 0 || n < 0) {
		tx_drop(txq, m);
		return 1;
	}
	n = tx_quirks(txq, segs, n);
	txq->quirks &= ~E1000_F_ERR_TSO_REPORT;
	if (tx_needs_ctx(txq, m, ol))
		tx_put_ctx(txq, m, ol);
	tx_put_segs(txq, m, E1000_TXD_DATA | tx_options(m, ol), segs, n);
	return 1;
}

/*
 * Send a packet that is no run of tx_put_run()'s: a chain, one that the chip has to be told
 * about first, an odd one; or any, once the ring is full. @return 1, or 0 if it has to wait.
 */
static __rte_noinline uint32_t
tx_put_other(struct e1000_txq *txq, struct rte_mbuf *m)
{
	uint64_t ol = m->ol_flags & txq->ol_mask;
	bool ctx = tx_needs_ctx(txq, m, ol);
	uint32_t need = m->nb_segs + ctx;

	if (unlikely(tx_csum_is_bad(txq, m, ol))) {
		tx_drop(txq, m);
		return 1;
	}
	if (unlikely(tx_is_odd(txq, m, ol)))
		return tx_odd(txq, m, ol);
	/* And the slot that stays free. */
	if (pw_ring_free(&txq->q.ring) < need + 1 && tx_reclaim_full(txq, need + 1) < need)
		return 0;
	if (ctx)
		tx_put_ctx(txq, m, ol);
	tx_put_chain(txq, m, ol);
	return 1;
}

/*
 * Descriptors for packets of one segment each as long as there is nothing special about them and
 * there is room. @return how many.
 */
static inline uint32_t
tx_put_run(struct e1000_txq *txq, struct rte_mbuf **pkts, uint32_t n)
{
	struct pw_ring *r = &txq->q.ring;
	volatile struct e1000_txd *desc = txq->q.desc;
	struct rte_mbuf **slots = txq->q.bufs.slot;
	const uint64_t ol_mask = txq->ol_mask, ctx_key = txq->ctx_key, quirks = txq->quirks;
	const uint32_t ctx_len = txq->ctx_len;
	const uint32_t in_group = txq->q.rs_thresh - 1u, mask = r->mask;
	const uint32_t min = txq->min_len, max = txq->max_seg;
	uint32_t prod = r->prod, i;

	n = RTE_MIN(n, pw_ring_free(r) - 1);
	for (i = 0; i < n; i++, prod++) {
		struct rte_mbuf *m = pkts[i];
		uint64_t ol = m->ol_flags & ol_mask, cmd;
		uint32_t len = m->data_len, slot = prod & mask;

		if (unlikely((len | (len - min)) >= max || m->nb_segs != 1 || quirks != 0))
			break;
		cmd = E1000_TXD_DATA_LAST | len;
		if (ol != 0) {
			if (unlikely((ol & RTE_MBUF_F_TX_TCP_SEG) != 0 ||
				     ((ol & TX_CSUM_FLAGS) != 0 &&
				      (tx_ctx_key(m, ol) != ctx_key || len < ctx_len))))
				break;
			cmd |= tx_options(m, ol);
		}
		if ((prod & in_group) == in_group) {
			txq->rs_at[slot >> txq->rs_shift] = prod;
			cmd |= E1000_TXD_RS;
		}
		desc[slot].addr = rte_cpu_to_le_64(rte_mbuf_data_iova(m));
		desc[slot].cmd = rte_cpu_to_le_64(cmd);
		slots[slot] = m;
	}
	r->prod = prod;
	return i;
}

uint16_t
e1000_tx_burst_full(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	struct e1000_txq *txq = queue;
	uint32_t old = txq->q.ring.prod, nb_tx = 0;

	tx_reclaim_full(txq, RTE_MAX(txq->q.free_thresh, nb_pkts + 1u));
	for (;;) {
		nb_tx += tx_put_run(txq, pkts + nb_tx, nb_pkts - nb_tx);
		if (nb_tx == nb_pkts || tx_put_other(txq, pkts[nb_tx]) == 0)
			break;
		nb_tx++;
	}
	if (likely(txq->q.ring.prod != old))
		tx_doorbell(txq);
	return nb_tx;
}

/* --- what an application may ask about the ring --- */

/* Counted from the tail on: what the slot held one round before says whether it is free. */
int
e1000_tx_desc_status(void *queue, uint16_t offset)
{
	const struct e1000_txq *txq = queue;
	const struct pw_ring *r = &txq->q.ring;
	uint32_t count = r->prod + offset - pw_ring_size(r);
	uint32_t in_group = txq->q.rs_thresh - 1u;
	bool done;

	if (offset > r->mask)
		return -EINVAL;
	if (count - r->cons > r->mask)
		done = true;
	else if ((count | in_group) - r->cons >= pw_ring_used(r))
		done = false;
	else if (!txq->full)
		done = (tx_desc(txq, count | in_group)->cmd & rte_cpu_to_le_64(E1000_TXD_DD)) != 0;
	else
		done = (tx_desc(txq, txq->rs_at[pw_ring_slot(r, count) >> txq->rs_shift])->cmd &
			rte_cpu_to_le_64(E1000_TXD_DD)) != 0;
	return pw_eth_tx_desc_status(r, offset, done);
}

/* --- set-up --- */

/* One burst function serves all queues of a port. */
bool
e1000_tx_wants_full(const struct rte_eth_dev *eth)
{
	for (uint16_t q = 0; q < eth->data->nb_tx_queues; q++) {
		const struct e1000_txq *txq = eth->data->tx_queues[q];

		if (txq->q.offloads != RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE || txq->quirks != 0 ||
		    txq->fifo.link != NULL ||
		    eth->data->mtu + PW_ETH_OVERHEAD > txq->max_seg)
			return true;
	}
	return false;
}

static int
tx_check_conf(const struct rte_eth_dev *eth, const struct rte_eth_txconf *conf, uint16_t rs)
{
	const struct e1000_hw *hw = &e1000_adapter_of(eth)->hw;
	const struct rte_eth_thresh *t = &conf->tx_thresh;
	uint8_t wmax = hw->flags & E1000_F_ERR_WTHRESH ? 0 : E1000_XDCTL_PTHRESH_MASK;

	if (t->pthresh > E1000_XDCTL_PTHRESH_MASK || t->hthresh > E1000_XDCTL_PTHRESH_MASK ||
	    t->wthresh > wmax) {
		PW_LOG(ERR, "%s: Tx thresholds %u/%u/%u: prefetch and host take 0 to %u, write-"
			    "back 0 to %u on this chip", hw->dev->name, t->pthresh, t->hthresh,
		       t->wthresh, E1000_XDCTL_PTHRESH_MASK, wmax);
		return -EINVAL;
	}
	/* Grouped write-backs and grouped reports do not go together (§5.6). */
	if (t->wthresh > 1 && rs != 1) {
		PW_LOG(ERR, "%s: Tx write-back threshold %u needs tx_rs_thresh 1, not %u; leave "
			    "one of them at its default", hw->dev->name, t->wthresh, rs);
		return -EINVAL;
	}
	return 0;
}

static void
tx_init(struct e1000_txq *txq, struct e1000_adapter *ad, const struct rte_eth_txconf *conf,
	uint16_t nb_desc)
{
	const uint64_t csum = RTE_ETH_TX_OFFLOAD_UDP_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM;

	txq->io = ad->hw.io;
	txq->stats = &ad->sw;
	txq->quirks = ad->hw.flags & E1000_F_TX_QUIRKS;
	txq->min_len = ad->hw.variant->min_tx;
	txq->max_frame = e1000_max_frame(&ad->hw) - RTE_ETHER_CRC_LEN;
	txq->max_seg = ad->dma.limits.max_seg_len;
	/* Whatever is in the ring without a report, so many must still fit beside it. */
	txq->max_segs = RTE_MIN(E1000_TX_MAX_SEGS, nb_desc / 2 - 2 - TX_SPLITS);
	txq->max_tso_segs = RTE_MIN(E1000_TX_MAX_TSO_SEGS, nb_desc / 2 - 2 - TX_SPLITS);
	txq->tso_quirk = ad->hw.flags & E1000_F_ERR_TSO_REPORT;
	txq->tso_pull = (ad->hw.flags & E1000_F_ERR_TSO_HEADER) != 0;
	if (txq->q.offloads & RTE_ETH_TX_OFFLOAD_IPV4_CKSUM)
		txq->ol_mask |= RTE_MBUF_F_TX_IP_CKSUM;
	if (txq->q.offloads & csum)
		txq->ol_mask |= RTE_MBUF_F_TX_L4_MASK;
	if (txq->q.offloads & (csum | RTE_ETH_TX_OFFLOAD_IPV4_CKSUM))
		txq->ol_mask |= RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IPV6;
	if (txq->q.offloads & RTE_ETH_TX_OFFLOAD_VLAN_INSERT)
		txq->ol_mask |= RTE_MBUF_F_TX_VLAN;
	if (txq->q.offloads & RTE_ETH_TX_OFFLOAD_TCP_TSO)
		txq->ol_mask |= RTE_MBUF_F_TX_TCP_SEG;
	txq->txdctl = E1000_XDCTL_GRAN | E1000_XDCTL_THRESH(conf->tx_thresh.pthresh,
		conf->tx_thresh.hthresh, conf->tx_thresh.wthresh);
	if (ad->hw.flags & E1000_F_PCIE)
		txq->txdctl |= E1000_TXDCTL_COUNT_DESC;
	e1000_fifo_init(txq, &ad->hw);
}

int
e1000_tx_queue_setup(struct rte_eth_dev *eth, uint16_t queue, uint16_t nb_desc,
		     unsigned int socket, const struct rte_eth_txconf *conf)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	struct rte_eth_desc_lim lim = e1000_desc_lim(&ad->hw);
	char name[RTE_MEMZONE_NAMESIZE];
	struct e1000_txq *txq;
	int rc;

	e1000_tx_queue_release(eth, queue);
	rc = pw_eth_check_desc(eth, "Tx", &nb_desc, &lim);
	if (rc != 0)
		return rc;
	txq = rte_zmalloc_socket("e1000_txq", sizeof(*txq), RTE_CACHE_LINE_SIZE, socket);
	if (txq == NULL)
		return -ENOMEM;
	txq->q.dma = &ad->dma;
	rc = pw_txq_init(&txq->q, eth, queue, nb_desc, socket, conf);
	if (rc != 0)
		goto err_free;
	rc = tx_check_conf(eth, conf, txq->q.rs_thresh);
	if (rc != 0)
		goto err_bufs;
	tx_init(txq, ad, conf, nb_desc);
	txq->tail = E1000_TDT(queue);
	txq->rs_shift = rte_log2_u32(txq->q.rs_thresh);
	rc = -ENOMEM;
	txq->rs_at = rte_zmalloc_socket("e1000_rs_at", nb_desc / txq->q.rs_thresh *
					sizeof(txq->rs_at[0]), 0, socket);
	if (txq->rs_at == NULL)
		goto err_bufs;
	snprintf(name, sizeof(name), "e1000_tx_%u_%u", eth->data->port_id, queue);
	rc = pw_dma_zone_alloc(&ad->dma, name, nb_desc * sizeof(struct e1000_txd),
			       E1000_DESC_LEN_ALIGN, &txq->q.zone);
	if (rc != 0) {
		PW_LOG(ERR, "%s: no memory for %u Tx descriptors (%s): ask for fewer or give EAL "
			    "more memory", ad->dev.name, nb_desc, rte_strerror(-rc));
		goto err_rs_at;
	}
	txq->q.desc = txq->q.zone.va;
	eth->data->tx_queues[queue] = txq;
	return 0;

err_rs_at:
	rte_free(txq->rs_at);
err_bufs:
	pw_bufs_fini(&txq->q.bufs);
err_free:
	rte_free(txq);
	return rc;
}

void
e1000_tx_queue_release(struct rte_eth_dev *eth, uint16_t queue)
{
	struct e1000_txq *txq = eth->data->tx_queues[queue];

	if (txq == NULL)
		return;
	pw_txq_drain(&txq->q);
	pw_dma_zone_free(&txq->q.zone);
	rte_free(txq->rs_at);
	pw_bufs_fini(&txq->q.bufs);
	rte_free(txq);
	eth->data->tx_queues[queue] = NULL;
}

/* --- start and stop --- */

static void
tx_start_queue(struct rte_eth_dev *eth, struct e1000_txq *txq)
{
	const struct pw_io *io = txq->io;
	uint16_t q = txq->q.queue_id;
	struct pw_ring *r = &txq->q.ring;

	pw_txq_drain(&txq->q);
	pw_ring_init(r, pw_ring_size(r));
	memset(txq->q.desc, 0, txq->q.zone.len);
	txq->ctx_key = UINT64_MAX;
	/* Parts with two queues have one context (§1.2): none knows what the other left there. */
	txq->ctx_forget = eth->data->nb_tx_queues > 1 ? UINT64_MAX : 0;
	txq->quirks &= ~E1000_F_ERR_TSO_REPORT;
	txq->q.fallback = ((struct e1000_rxq *)eth->data->rx_queues[0])->q.mp;
	txq->full = e1000_tx_wants_full(eth);
	e1000_fifo_start(txq);
	pw_write32(io, E1000_TDBAL(q), (uint32_t)txq->q.zone.addr);
	pw_write32(io, E1000_TDBAH(q), (uint32_t)(txq->q.zone.addr >> 32));
	pw_write32(io, E1000_TDLEN(q), pw_ring_size(r) * sizeof(struct e1000_txd));
	pw_write32(io, E1000_TDT(q), 0);
	pw_write32(io, E1000_TDH(q), 0);
	pw_write32(io, E1000_TXDCTL(q), txq->txdctl);
	if (q != 0)
		pw_modify32(io, E1000_TARC(q), 0, E1000_TARC_ENABLE);
	if (!txq->q.deferred_start)
		eth->data->tx_queue_state[q] = RTE_ETH_QUEUE_STATE_STARTED;
}

void
e1000_tx_start(struct rte_eth_dev *eth)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	const struct e1000_txq *first = eth->data->tx_queues[0];
	const struct pw_io *io = ad->hw.io;
	uint32_t tctl = E1000_TCTL_EN | E1000_TCTL_PSP | E1000_TCTL_RTLC | E1000_TCTL_CT(0x0f) |
			E1000_TCTL_COLD(0x40);

	/* Completions go astray unless both queues are set alike (§7). */
	if (ad->hw.flags & E1000_F_ERR_TARC_26)
		pw_write32(io, E1000_TXDCTL(1), first->txdctl);
	for (uint16_t q = 0; q < eth->data->nb_tx_queues; q++)
		tx_start_queue(eth, eth->data->tx_queues[q]);
	pw_write32(io, E1000_TIPG, E1000_TIPG_VALUE(ad->hw.media == E1000_MEDIA_COPPER ? 8 : 9,
						    8, 6));
	if (ad->hw.flags & E1000_F_PCIE)
		tctl |= E1000_TCTL_MULR;
	pw_write32(io, E1000_TCTL, tctl);
	e1000_flush(&ad->hw);
}

void
e1000_tx_stop(struct rte_eth_dev *eth)
{
	for (uint16_t q = 0; q < eth->data->nb_tx_queues; q++) {
		if (eth->data->tx_queues[q] != NULL)
			pw_txq_drain(eth->data->tx_queues[q]);
		eth->data->tx_queue_state[q] = RTE_ETH_QUEUE_STATE_STOPPED;
	}
}

/* A queue that was left out at start, or stopped: its ring is empty, at 0. */
int
e1000_tx_queue_start(struct rte_eth_dev *eth, uint16_t queue)
{
	eth->data->tx_queue_state[queue] = RTE_ETH_QUEUE_STATE_STARTED;
	return 0;
}

/*
 * Let the chip send what it has, for a while (without a link it never will), then take the ring
 * back from a transmitter that stands still (§2.4). The other queue waits meanwhile.
 */
int
e1000_tx_queue_stop(struct rte_eth_dev *eth, uint16_t queue)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	struct e1000_txq *txq = eth->data->tx_queues[queue];
	const struct pw_io *io = ad->hw.io;
	uint32_t tctl = pw_read32(io, E1000_TCTL);

	for (unsigned int i = 0; i < TX_QUIET_MS; i++) {
		if (pw_read32(io, E1000_TDH(queue)) == pw_read32(io, E1000_TDT(queue)))
			break;
		rte_delay_ms(1);
	}
	pw_write32(io, E1000_TCTL, tctl & ~E1000_TCTL_EN);
	e1000_flush(&ad->hw);
	rte_delay_ms(1);
	pw_write32(io, E1000_TDT(queue), 0);
	pw_write32(io, E1000_TDH(queue), 0);
	pw_txq_drain(&txq->q);
	pw_ring_init(&txq->q.ring, pw_ring_size(&txq->q.ring));
	memset(txq->q.desc, 0, txq->q.zone.len);
	txq->ctx_key = UINT64_MAX;
	txq->fifo.known = false;
	pw_write32(io, E1000_TCTL, tctl);
	eth->data->tx_queue_state[queue] = RTE_ETH_QUEUE_STATE_STOPPED;
	return 0;
}

/*
 * The chip reports groups. Fill the last one up with contexts that nobody will use, so that what
 * is in it is reported as soon as it has been sent.
 */
static void
tx_pad_group(struct e1000_txq *txq)
{
	struct pw_ring *r = &txq->q.ring;
	uint32_t n = -r->prod & (txq->q.rs_thresh - 1u);

	if (n == 0 || n >= pw_ring_free(r))
		return;
	while (n-- > 0)
		tx_put_ctx_desc(txq, 0, 0);
	txq->ctx_key = UINT64_MAX;
	tx_doorbell(txq);
}

/* Up to `most` packets of the oldest group, which has been reported. @return how many. */
static uint32_t
tx_free_some(struct e1000_txq *txq, uint32_t most)
{
	struct pw_ring *r = &txq->q.ring;
	struct rte_mbuf **m = &txq->q.bufs.slot[pw_ring_slot(r, r->cons)];
	uint32_t n = 0;

	for (uint32_t i = 0; i < txq->q.rs_thresh; i++) {
		if (m[i] == NULL)
			continue;
		if (n == most)
			return n;
		rte_pktmbuf_free(m[i]);
		m[i] = NULL;
		n++;
	}
	r->cons += txq->q.rs_thresh;
	return n;
}

/* Plain path: whole groups, as it cannot have holes in one. @return packets freed. */
int
e1000_tx_done_cleanup(void *queue, uint32_t free_cnt)
{
	struct e1000_txq *txq = queue;
	struct pw_ring *r = &txq->q.ring;
	uint32_t most = free_cnt == 0 ? UINT32_MAX : free_cnt, freed = 0;

	if (txq->full) {
		tx_pad_group(txq);
		while (freed < most && tx_reported(txq, tx_report_full(txq)))
			freed += tx_free_some(txq, most - freed);
		return freed;
	}
	while (most - freed >= txq->q.rs_thresh && tx_reported(txq, tx_report_plain(txq))) {
		rte_pktmbuf_free_bulk(&txq->q.bufs.slot[pw_ring_slot(r, r->cons)],
				      txq->q.rs_thresh);
		r->cons += txq->q.rs_thresh;
		freed += txq->q.rs_thresh;
	}
	return freed;
}
