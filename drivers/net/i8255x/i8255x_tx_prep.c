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
 * What the 82550's and 82551's engine cannot sum is summed here: anything but IPv4, headers
 * behind two tags, datagrams so short that it gets them wrong (§7). What it can segment is IPv4;
 * it wants all headers in the first segment, a length in them as if there were but one full
 * segment, and the pseudo header's sum with that length (§3.4).
 */

#include <string.h>

#include <rte_ip.h>
#include <rte_net.h>
#include <rte_tcp.h>
#include <rte_udp.h>

#include "i8255x.h"

#define TX_CSUM_FLAGS	(RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_L4_MASK)

/* Sending it would be an answer to nobody: no room for addresses and type. */
#define TX_FRAME_MIN	RTE_ETHER_HDR_LEN

/* --- what is wrong ------------------------------------------------------------------------- */

/* Too short or too long (§6), or a chain that is not what its head says. */
static bool
tx_is_bad(const struct i8255x_txq *txq, const struct rte_mbuf *m, uint64_t ol)
{
	uint32_t tag = ol & RTE_MBUF_F_TX_VLAN ? RTE_VLAN_HLEN : 0, len = 0, segs = 0;
	uint32_t max = txq->max_frame - tag;

	if (ol & RTE_MBUF_F_TX_TCP_SEG)
		max = RTE_IPV4_MAX_PKT_LEN + m->l2_len;

	for (const struct rte_mbuf *s = m; s != NULL; s = s->next, segs++)
		len += s->data_len;
	return len < TX_FRAME_MIN || len > max || len != m->pkt_len || segs != m->nb_segs;
}

/* Header lengths of a packet to be segmented. */
static inline uint32_t
tx_headers(const struct rte_mbuf *m)
{
	return m->l2_len + m->l3_len + m->l4_len;
}

/* Whether a packet to be segmented says enough, and asks for what the chip can do (§3.4). */
static int
tso_check(const struct i8255x_txq *txq, const struct rte_mbuf *m, uint64_t ol)
{
	uint32_t tag = ol & RTE_MBUF_F_TX_VLAN ? RTE_VLAN_HLEN : 0, header = tx_headers(m);

	if ((ol & RTE_MBUF_F_TX_IPV4) == 0 || !i8255x_tx_finds_ip(m))
		return -ENOTSUP;
	if (m->l3_len < sizeof(struct rte_ipv4_hdr) || m->l4_len < sizeof(struct rte_tcp_hdr) ||
	    m->pkt_len <= header || m->tso_segsz == 0 ||
	    header + m->tso_segsz + tag > txq->max_frame)
		return -EINVAL;
	return 0;
}

/* Bytes of headers that the checksums asked for in `ol` are about; 0: nonsense. */
static uint32_t
csum_header(const struct rte_mbuf *m, uint64_t ol)
{
	uint64_t l4 = ol & RTE_MBUF_F_TX_L4_MASK;
	uint32_t l3 = ol & RTE_MBUF_F_TX_IPV6 ? sizeof(struct rte_ipv6_hdr) :
						sizeof(struct rte_ipv4_hdr);
	uint32_t len = m->l2_len + m->l3_len;

	if (m->l2_len < RTE_ETHER_HDR_LEN || m->l3_len < l3)
		return 0;
	if (l4 == RTE_MBUF_F_TX_TCP_CKSUM)
		len += sizeof(struct rte_tcp_hdr);
	else if (l4 == RTE_MBUF_F_TX_UDP_CKSUM)
		len += sizeof(struct rte_udp_hdr);
	return len > m->pkt_len ? 0 : len;
}

/* --- copies -------------------------------------------------------------------------------- */

/* Have the first `need` bytes in one piece that nobody else holds. @return as pw_tx_copy(). */
static int
tx_own(const struct i8255x_txq *txq, struct rte_mbuf **pkt, uint32_t need)
{
	struct rte_mbuf *m = *pkt;

	if (m->data_len >= need && RTE_MBUF_DIRECT(m) && rte_mbuf_refcnt_read(m) == 1)
		return 0;
	return pw_tx_copy(&txq->q, pkt, need);
}

/* --- checksums in software ----------------------------------------------------------------- */

/* The pseudo header of IPv6: addresses, length and protocol (RFC 8200 §8.1). */
static uint32_t
ipv6_pseudo(const struct rte_ipv6_hdr *ip, uint32_t len, uint8_t proto)
{
	const struct {
		rte_be32_t len, proto;
	} tail = { rte_cpu_to_be_32(len), rte_cpu_to_be_32(proto) };

	return (uint32_t)rte_raw_cksum(ip->src_addr, sizeof(ip->src_addr) + sizeof(ip->dst_addr)) +
	       rte_raw_cksum(&tail, sizeof(tail));
}

static uint32_t
ipv4_pseudo(const struct rte_ipv4_hdr *ip, uint32_t len, uint8_t proto)
{
	const struct {
		uint8_t zero, proto;
		rte_be16_t len;
	} tail = { 0, proto, rte_cpu_to_be_16(len) };

	return (uint32_t)rte_raw_cksum(&ip->src_addr, sizeof(ip->src_addr) + sizeof(ip->dst_addr)) +
	       rte_raw_cksum(&tail, sizeof(tail));
}

static uint16_t
fold(uint32_t sum)
{
	sum = (sum & UINT16_MAX) + (sum >> 16);
	return (sum & UINT16_MAX) + (sum >> 16);
}

/*
 * `len` bytes of a packet from `at` on, which it has. rte_raw_cksum_mbuf() loses carries where a
 * segment begins at an odd byte.
 */
static uint32_t
sum_chain(const struct rte_mbuf *m, uint32_t at, uint32_t len)
{
	uint32_t sum = 0, done = 0;

	for (; at >= m->data_len; m = m->next)
		at -= m->data_len;
	for (; done < len; m = m->next, at = 0) {
		uint32_t n = RTE_MIN(m->data_len - at, len - done);
		uint16_t part = rte_raw_cksum(rte_pktmbuf_mtod_offset(m, const void *, at), n);

		sum += done & 1 ? rte_bswap16(part) : part;
		done += n;
	}
	return sum;
}

/* The sum of TCP or UDP; `len` of its bytes are at `at`. */
static void
soft_l4(struct rte_mbuf *m, uint64_t ol, uint32_t at, uint32_t len)
{
	bool udp = (ol & RTE_MBUF_F_TX_L4_MASK) == RTE_MBUF_F_TX_UDP_CKSUM;
	uint8_t proto = udp ? IPPROTO_UDP : IPPROTO_TCP;
	/* May be odd. */
	uint8_t *sum = rte_pktmbuf_mtod_offset(m, uint8_t *, at +
		(udp ? offsetof(struct rte_udp_hdr, dgram_cksum) :
		       offsetof(struct rte_tcp_hdr, cksum)));
	uint16_t raw = 0;
	uint32_t pseudo;

	if (ol & RTE_MBUF_F_TX_IPV6)
		pseudo = ipv6_pseudo(rte_pktmbuf_mtod_offset(m, struct rte_ipv6_hdr *, m->l2_len),
				     len, proto);
	else
		pseudo = ipv4_pseudo(rte_pktmbuf_mtod_offset(m, struct rte_ipv4_hdr *, m->l2_len),
				     len, proto);
	memcpy(sum, &raw, sizeof(raw));
	raw = ~fold(pseudo + sum_chain(m, at, len));
	/* 0 would mean that there is none (RFC 768). */
	if (udp && raw == 0)
		raw = UINT16_MAX;
	memcpy(sum, &raw, sizeof(raw));
}

/* All that is asked for in `ol`, which then is not any more. */
static int
soft_csum(const struct i8255x_txq *txq, struct rte_mbuf **pkt, uint64_t *ol)
{
	uint32_t need = csum_header(*pkt, *ol), l3_total, at;
	uint64_t l4 = *ol & RTE_MBUF_F_TX_L4_MASK;
	struct rte_ipv4_hdr *ip;
	struct rte_mbuf *m;
	int rc;

	if (need == 0)
		return -EINVAL;
	if (l4 == RTE_MBUF_F_TX_SCTP_CKSUM)
		return -ENOTSUP;
	rc = tx_own(txq, pkt, need);
	if (rc != 0)
		return rc;
	m = *pkt;
	ip = rte_pktmbuf_mtod_offset(m, struct rte_ipv4_hdr *, m->l2_len);
	if (*ol & RTE_MBUF_F_TX_IPV6)
		l3_total = sizeof(struct rte_ipv6_hdr) +
			   rte_be_to_cpu_16(((struct rte_ipv6_hdr *)ip)->payload_len);
	else
		l3_total = rte_be_to_cpu_16(ip->total_length);
	at = m->l2_len + m->l3_len;
	/* The datagram's own length: padding is not summed. */
	if (l4 != 0 && (m->l2_len + l3_total < need || m->l2_len + l3_total > m->pkt_len))
		return -EINVAL;
	if (l4 != 0)
		soft_l4(m, *ol, at, m->l2_len + l3_total - at);
	if (*ol & RTE_MBUF_F_TX_IP_CKSUM && (*ol & RTE_MBUF_F_TX_IPV6) == 0) {
		ip->hdr_checksum = 0;
		ip->hdr_checksum = ~rte_raw_cksum(ip, m->l3_len);
	}
	*ol &= ~TX_CSUM_FLAGS;
	return 0;
}

/* --- segmentation -------------------------------------------------------------------------- */

/* Whether the chip takes the chain: enough TBDs in the slot's array, even addresses (§6). */
static bool
tso_fits(const struct i8255x_txq *txq, const struct rte_mbuf *m)
{
	uint32_t piece = I8255X_TBD_SIZE_MASK & ~1u, n = 0;

	for (; m != NULL; m = m->next) {
		n += (m->data_len + piece - 1) / piece;
		if (m->data_len != 0 && (rte_mbuf_data_iova(m) & txq->align_mask) != 0)
			return false;
	}
	return n <= I8255X_TX_MAX_SEGS;
}

/*
 * What the headers must say for the chip to make them those of each segment. Only written where
 * something is to be changed: a packet that was prepared may be held by others since.
 */
static int
tso_headers(const struct i8255x_txq *txq, struct rte_mbuf **pkt)
{
	struct rte_mbuf *m = *pkt;
	uint32_t l4_len = m->l4_len + m->tso_segsz;
	rte_be16_t total = rte_cpu_to_be_16(m->l3_len + l4_len);
	struct rte_ipv4_hdr *ip = rte_pktmbuf_mtod_offset(m, struct rte_ipv4_hdr *, m->l2_len);
	struct rte_tcp_hdr *tcp = (struct rte_tcp_hdr *)((char *)ip + m->l3_len);
	uint16_t seed = fold(ipv4_pseudo(ip, l4_len, IPPROTO_TCP));
	int rc;

	if (ip->total_length == total && ip->hdr_checksum == 0 && tcp->cksum == seed)
		return 0;
	rc = tx_own(txq, pkt, tx_headers(m));
	if (rc != 0)
		return rc;
	m = *pkt;
	ip = rte_pktmbuf_mtod_offset(m, struct rte_ipv4_hdr *, m->l2_len);
	tcp = (struct rte_tcp_hdr *)((char *)ip + m->l3_len);
	ip->total_length = total;
	ip->hdr_checksum = 0;
	tcp->cksum = seed;
	return 0;
}

/* One segment is no segmentation: all it lacks is its own length, and checksums. */
static int
tso_single(const struct i8255x_txq *txq, struct rte_mbuf **pkt, uint64_t *ol)
{
	int rc = tx_own(txq, pkt, tx_headers(*pkt));
	struct rte_ipv4_hdr *ip;

	if (rc != 0)
		return rc;
	ip = rte_pktmbuf_mtod_offset(*pkt, struct rte_ipv4_hdr *, (*pkt)->l2_len);
	ip->total_length = rte_cpu_to_be_16((*pkt)->pkt_len - (*pkt)->l2_len);
	*ol &= ~RTE_MBUF_F_TX_TCP_SEG;
	*ol |= RTE_MBUF_F_TX_TCP_CKSUM | RTE_MBUF_F_TX_IP_CKSUM;
	return soft_csum(txq, pkt, ol);
}

static int
fix_tso(const struct i8255x_txq *txq, struct rte_mbuf **pkt, uint64_t *ol)
{
	uint32_t header = tx_headers(*pkt);
	int rc = tso_check(txq, *pkt, *ol);

	if (rc != 0)
		return rc;
	if ((*pkt)->pkt_len - header <= (*pkt)->tso_segsz)
		return tso_single(txq, pkt, ol);
	if ((*pkt)->data_len < header || !tso_fits(txq, *pkt)) {
		rc = pw_tx_copy(&txq->q, pkt, header);
		if (rc == 0 && !tso_fits(txq, *pkt))
			rc = -EINVAL;
	}
	return rc != 0 ? rc : tso_headers(txq, pkt);
}

/* --- what both do -------------------------------------------------------------------------- */

/*
 * Make a packet one that the chip takes, but for where its segments lie.
 *
 * @param pkt
 *   The packet; replaced where only a copy can be sent.
 * @param ol
 *   What it asks for of what the queue does; what is done here is taken out.
 * @return 0; -EINVAL or -ENOTSUP if it can never be sent; -ENOMEM to try again later. Unless it was
 *   replaced the packet is as good as before.
 */
int
i8255x_tx_fix(const struct i8255x_txq *txq, struct rte_mbuf **pkt, uint64_t *ol)
{
	if (tx_is_bad(txq, *pkt, *ol))
		return -EINVAL;
	if (*ol & RTE_MBUF_F_TX_TCP_SEG)
		return fix_tso(txq, pkt, ol);
	if ((*ol & TX_CSUM_FLAGS) != 0 && i8255x_tx_wants_soft(*pkt, *ol))
		return soft_csum(txq, pkt, ol);
	return 0;
}

/*
 * The segments of a packet. A long one that the card cannot reach is copied into a chain; others
 * fit one buffer, and pw_dma_load() sees to them.
 *
 * @return number of segments, or -errno as pw_dma_load().
 */
int
i8255x_tx_load(const struct i8255x_txq *txq, struct rte_mbuf **pkt, struct pw_dma_seg *segs)
{
	/* One buffer a packet is what the plain path frees. */
	uint16_t max = txq->full ? I8255X_TX_MAX_SEGS : 1;
	int n = pw_dma_load(txq->q.dma, pkt, txq->q.fallback, segs, max), rc;

	if (n != -EMSGSIZE || (*pkt)->pkt_len <= txq->max_frame)
		return n;
	rc = pw_tx_copy(&txq->q, pkt, tx_headers(*pkt));
	return rc != 0 ? rc : pw_dma_load(txq->q.dma, pkt, txq->q.fallback, segs, max);
}

/* --- prepare ------------------------------------------------------------------------------- */

/* What the queue was not told to do, or no card can. */
static int
tx_check(const struct i8255x_txq *txq, const struct rte_mbuf *m)
{
	uint64_t ol = m->ol_flags & RTE_MBUF_F_TX_OFFLOAD_MASK;
	uint64_t known = txq->ol_mask | RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IPV6;

	/* Segmentation implies both checksums. */
	if (ol & known & RTE_MBUF_F_TX_TCP_SEG)
		known |= RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_TCP_CKSUM;
	if ((ol & ~known) != 0 || (ol & RTE_MBUF_F_TX_L4_MASK) == RTE_MBUF_F_TX_SCTP_CKSUM)
		return -ENOTSUP;
	return 0;
}

/* The sums that the chip goes on from: 0, and the pseudo header's. */
static int
prepare_csum(const struct i8255x_txq *txq, struct rte_mbuf **pkt, uint64_t ol)
{
	uint32_t need = csum_header(*pkt, ol);
	int rc;

	if (need == 0)
		return -EINVAL;
	need = RTE_MAX(need, tx_headers(*pkt));
	if (need > (*pkt)->pkt_len)
		return -EINVAL;
	if ((*pkt)->data_len < need) {
		rc = pw_tx_copy(&txq->q, pkt, need);
		if (rc != 0)
			return rc;
	}
	return rte_net_intel_cksum_flags_prepare(*pkt, ol);
}

static int
prepare_one(const struct i8255x_txq *txq, struct rte_mbuf **pkt)
{
	uint64_t ol = (*pkt)->ol_flags & txq->ol_mask, was = ol;
	int rc = tx_check(txq, *pkt);

	if (rc == 0)
		rc = i8255x_tx_fix(txq, pkt, &ol);
	if (rc != 0)
		return rc;
	/* What has been done here is not to be done again. */
	if (ol != was) {
		(*pkt)->ol_flags &= ~(was | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_L4_MASK);
		(*pkt)->ol_flags |= ol;
	}
	if ((ol & RTE_MBUF_F_TX_TCP_SEG) != 0 || (ol & TX_CSUM_FLAGS) == 0)
		return 0;
	return prepare_csum(txq, pkt, ol);
}

uint16_t
i8255x_tx_prepare(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	const struct i8255x_txq *txq = queue;

	for (uint16_t i = 0; i < nb_pkts; i++) {
		int rc = prepare_one(txq, &pkts[i]);

		if (rc != 0) {
			rte_errno = -rc;
			return i;
		}
	}
	return nb_pkts;
}
