/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Packets that cannot go as they are: what is wrong with them, and what can be done.
 *
 * The same treatment is given in two places. rte_eth_tx_prepare() gives it before a burst and
 * puts a copy, where one has to be made, into the caller's array; what it lets through can be
 * sent, what it stops never can. A burst gives it to packets that have not been prepared, and
 * leaves the array alone.
 *
 * A copy is made by rte_pktmbuf_copy(): as many full buffers as it takes, the head's fields
 * kept. It is the last resort; headers in pieces are joined where they lie if nobody else holds
 * the buffers.
 */

#include <string.h>

#include <rte_net.h>

#include "e1000.h"

#define TX_MIN_FRAME		(RTE_ETHER_MIN_LEN - RTE_ETHER_CRC_LEN)
#define TX_CSUM_FLAGS	(RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_L4_MASK)

/* HDRLEN and the places of checksums have eight bits (§3.5). */
#define CTX_HEADER_MAX		UINT8_MAX
/* The FIFO has room for four segments a descriptor, whatever it holds (§6). */
#define TSO_SEGS_A_DESC		4
/* Payload that must lie with the header on 82571 to 82573 (§6). */
#define TSO_PULL		4

/* --- what is wrong ------------------------------------------------------------------------- */

/* No data, more than the FIFO holds (§6), or a chain that is not what its head says. */
bool
e1000_tx_is_bad(const struct e1000_txq *txq, const struct rte_mbuf *m)
{
	bool tso = (m->ol_flags & txq->ol_mask & RTE_MBUF_F_TX_TCP_SEG) != 0;
	uint32_t max = tso ? RTE_IPV4_MAX_PKT_LEN + m->l2_len : txq->max_frame;
	uint32_t len = 0, segs = 0;

	for (const struct rte_mbuf *s = m; s != NULL; s = s->next, segs++)
		len += s->data_len;
	return len == 0 || len > max || len != m->pkt_len || segs != m->nb_segs;
}

/* Whether a packet to be segmented says enough, and asks for what the chip can do (§3.5, §6). */
static bool
tso_is_bad(const struct e1000_txq *txq, const struct rte_mbuf *m)
{
	bool ipv4 = (m->ol_flags & RTE_MBUF_F_TX_IPV4) != 0;
	uint32_t header = e1000_tso_header(m), l3 = ipv4 ? sizeof(struct rte_ipv4_hdr) :
							   sizeof(struct rte_ipv6_hdr);

	if (!ipv4 && (m->ol_flags & RTE_MBUF_F_TX_IPV6) == 0)
		return true;
	return m->l2_len < RTE_ETHER_HDR_LEN || m->l3_len < l3 ||
	       m->l4_len < sizeof(struct rte_tcp_hdr) || header > CTX_HEADER_MAX ||
	       m->pkt_len <= header || header + m->tso_segsz > txq->max_frame ||
	       (uint32_t)m->tso_segsz * TSO_SEGS_A_DESC < header + TSO_PULL;
}

/* Bytes of headers that the checksums asked for in `ol` need; above CTX_HEADER_MAX: too many. */
uint32_t
e1000_csum_header(const struct rte_mbuf *m, uint64_t ol)
{
	uint64_t l4 = ol & RTE_MBUF_F_TX_L4_MASK;
	uint32_t len = m->l2_len + m->l3_len;

	if (m->l2_len == 0 || m->l3_len == 0)
		return UINT32_MAX;
	if (l4 == 0)
		return len + m->l4_len;
	return len + RTE_MAX((uint32_t)m->l4_len, l4 == RTE_MBUF_F_TX_UDP_CKSUM ?
			     sizeof(struct rte_udp_hdr) : sizeof(struct rte_tcp_hdr));
}

/* Whether the headers of a packet of `len` bytes are where no context can say, or not in it. */
bool
e1000_csum_is_bad(const struct rte_mbuf *m, uint64_t ol, uint32_t len)
{
	uint32_t header = e1000_csum_header(m, ol);

	return header > CTX_HEADER_MAX || header > len;
}

/* --- copies -------------------------------------------------------------------------------- */

/*
 * Pad to 60 bytes with zeros: the chip would corrupt or leak otherwise (§6). In place where
 * the buffer is ours alone, else in a copy from the same pool.
 *
 * @return 0; -ENOMEM to try again later; -EINVAL if the pool's buffers hold no frame.
 */
int
e1000_tx_pad(struct rte_mbuf **pkt)
{
	struct rte_mbuf *m = *pkt, *copy;
	uint32_t pad = TX_MIN_FRAME - m->pkt_len;

	if (m->nb_segs != 1 || !RTE_MBUF_DIRECT(m) || rte_mbuf_refcnt_read(m) != 1 ||
	    rte_pktmbuf_tailroom(m) < pad) {
		if (rte_pktmbuf_data_room_size(m->pool) < RTE_PKTMBUF_HEADROOM + TX_MIN_FRAME)
			return -EINVAL;
		copy = rte_pktmbuf_copy(m, m->pool, 0, UINT32_MAX);
		if (copy == NULL)
			return -ENOMEM;
		rte_pktmbuf_free(m);
		*pkt = m = copy;
	}
	memset(rte_pktmbuf_append(m, pad), 0, pad);
	return 0;
}

/* Move bytes up until the first segment has `need`; false if somebody else holds a buffer. */
static bool
pull_in_place(struct rte_mbuf *m, uint32_t need)
{
	uint32_t n = need - m->data_len, left = n;

	if (!RTE_MBUF_DIRECT(m) || rte_mbuf_refcnt_read(m) != 1 || rte_pktmbuf_tailroom(m) < n)
		return false;
	for (const struct rte_mbuf *s = m->next; left > 0; s = s->next) {
		if (rte_mbuf_refcnt_read(s) != 1)
			return false;
		left -= RTE_MIN(left, s->data_len);
	}
	while (n > 0) {
		struct rte_mbuf *s = m->next;
		uint16_t k = RTE_MIN(n, s->data_len);

		memcpy(rte_pktmbuf_mtod_offset(m, char *, m->data_len),
		       rte_pktmbuf_mtod(s, char *), k);
		m->data_len += k;
		s->data_off += k;
		s->data_len -= k;
		n -= k;
		if (s->data_len == 0) {
			m->next = s->next;
			m->nb_segs--;
			rte_pktmbuf_free_seg(s);
		}
	}
	return true;
}

/*
 * Have the first `need` bytes of a packet in its first segment.
 *
 * @return as pw_tx_copy(); -EAGAIN if a copy is needed and not allowed.
 */
static int
tx_pull(const struct e1000_txq *txq, struct rte_mbuf **pkt, uint32_t need, bool may_copy)
{
	if ((*pkt)->data_len >= need || pull_in_place(*pkt, need))
		return 0;
	return may_copy ? pw_tx_copy(&txq->q, pkt, need) : -EAGAIN;
}

/* --- segmentation -------------------------------------------------------------------------- */

/* The chain as descriptors of at most `max_len` bytes. @return how many, or -E2BIG. */
static int
tso_cut(const struct e1000_txq *txq, const struct rte_mbuf *m, uint32_t max_len,
	struct pw_dma_seg *segs)
{
	uint32_t boundary = txq->q.dma->limits.boundary, n = 0;

	for (; m != NULL; m = m->next) {
		uint64_t addr = pw_dma_mbuf_addr(txq->q.dma, m);
		uint32_t left = m->data_len;

		while (left > 0) {
			uint32_t len = RTE_MIN(left, max_len);

			if (boundary != 0)
				len = RTE_MIN(len, boundary - (uint32_t)(addr & (boundary - 1)));
			if (n == txq->max_tso_segs)
				return -E2BIG;
			segs[n++] = (struct pw_dma_seg){ .addr = addr, .len = len };
			addr += len;
			left -= len;
		}
	}
	return n;
}

/*
 * The descriptors of a packet to be segmented.
 *
 * @param pkt
 *   The packet; replaced where only a copy can be sent.
 * @param segs
 *   Room for E1000_TX_MAX_TSO_SEGS.
 * @param may_copy
 *   Whether a copy may be made.
 * @return
 *   Number of segments; -EINVAL if it can never be sent; -ENOMEM to try again later; -EAGAIN if
 *   a copy is needed and not allowed. Unless it was replaced the packet is as good as before.
 */
int
e1000_tso_load(const struct e1000_txq *txq, struct rte_mbuf **pkt, struct pw_dma_seg *segs,
	       bool may_copy)
{
	uint32_t header = e1000_tso_header(*pkt), need = header, max_len;
	int n, rc;

	if (e1000_tx_is_bad(txq, *pkt) || tso_is_bad(txq, *pkt))
		return -EINVAL;
	if (txq->tso_pull && (*pkt)->data_len == header)
		need = RTE_MIN(header + TSO_PULL, (*pkt)->pkt_len);
	rc = tx_pull(txq, pkt, need, may_copy);
	if (rc != 0)
		return rc;
	max_len = RTE_MIN((uint32_t)(*pkt)->tso_segsz * TSO_SEGS_A_DESC, txq->max_seg);
	n = tso_cut(txq, *pkt, max_len, segs);
	if (n != -E2BIG)
		return n;
	if (!may_copy)
		return -EAGAIN;
	rc = pw_tx_copy(&txq->q, pkt, header + TSO_PULL);
	if (rc != 0)
		return rc;
	n = tso_cut(txq, *pkt, max_len, segs);
	return n == -E2BIG ? -EINVAL : n;
}

/* The chip writes what each segment is long; it wants to find nothing there (§3.5). */
static void
tso_clear_lengths(struct rte_mbuf *m)
{
	struct rte_ipv4_hdr *v4 = rte_pktmbuf_mtod_offset(m, struct rte_ipv4_hdr *, m->l2_len);
	struct rte_ipv6_hdr *v6 = rte_pktmbuf_mtod_offset(m, struct rte_ipv6_hdr *, m->l2_len);

	if (m->ol_flags & RTE_MBUF_F_TX_IPV4) {
		m->ol_flags |= RTE_MBUF_F_TX_IP_CKSUM;
		v4->total_length = 0;
	} else {
		v6->payload_len = 0;
	}
}

/* --- prepare ------------------------------------------------------------------------------- */

/* What the queue was not told to do, or no card can. */
static int
tx_check(const struct e1000_txq *txq, const struct rte_mbuf *m)
{
	uint64_t ol = m->ol_flags & RTE_MBUF_F_TX_OFFLOAD_MASK;
	uint64_t known = txq->ol_mask | RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IPV6;

	/* Segmentation implies both checksums. */
	if (ol & known & RTE_MBUF_F_TX_TCP_SEG)
		known |= RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_TCP_CKSUM;
	if ((ol & ~known) != 0 || (ol & RTE_MBUF_F_TX_L4_MASK) == RTE_MBUF_F_TX_SCTP_CKSUM)
		return -ENOTSUP;
	return e1000_tx_is_bad(txq, m) ? -EINVAL : 0;
}

static int
prepare_plain(const struct e1000_txq *txq, struct rte_mbuf **pkt)
{
	uint32_t need = 1;
	int rc;

	if ((*pkt)->ol_flags & TX_CSUM_FLAGS) {
		if (e1000_csum_is_bad(*pkt, (*pkt)->ol_flags, (*pkt)->pkt_len))
			return -EINVAL;
		need = e1000_csum_header(*pkt, (*pkt)->ol_flags);
	}
	rc = tx_pull(txq, pkt, need, true);
	if (rc == 0 && (*pkt)->nb_segs > txq->max_segs) {
		rc = pw_tx_copy(&txq->q, pkt, need);
		if (rc == 0 && (*pkt)->nb_segs > txq->max_segs)
			rc = -EINVAL;
	}
	if (rc == 0 && (*pkt)->pkt_len < txq->min_len)
		rc = e1000_tx_pad(pkt);
	return rc;
}

static int
prepare_tso(const struct e1000_txq *txq, struct rte_mbuf **pkt)
{
	struct pw_dma_seg segs[E1000_TX_MAX_TSO_SEGS];
	struct rte_mbuf *m = *pkt;
	int n;

	/* Nothing to segment: the chip would wait for it. */
	if (m->pkt_len <= e1000_tso_header(m)) {
		m->ol_flags &= ~RTE_MBUF_F_TX_TCP_SEG;
		m->ol_flags |= RTE_MBUF_F_TX_TCP_CKSUM;
		return prepare_plain(txq, pkt);
	}
	n = e1000_tso_load(txq, pkt, segs, true);
	if (n < 0)
		return n;
	tso_clear_lengths(*pkt);
	return 0;
}

/* Chips want the pseudo header's sum in the checksum field, for segments without the length. */
uint16_t
e1000_tx_prepare(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	const struct e1000_txq *txq = queue;

	for (uint16_t i = 0; i < nb_pkts; i++) {
		int rc = tx_check(txq, pkts[i]);

		if (rc == 0)
			rc = pkts[i]->ol_flags & RTE_MBUF_F_TX_TCP_SEG ?
			     prepare_tso(txq, &pkts[i]) : prepare_plain(txq, &pkts[i]);
		if (rc == 0)
			rc = rte_net_intel_cksum_prepare(pkts[i]);
		if (rc != 0) {
			rte_errno = -rc;
			return i;
		}
	}
	return nb_pkts;
}
