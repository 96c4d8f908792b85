/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Receive.
 *
 * There is no ring of descriptors: the chip follows a list of RFDs, each of which lies right
 * before the buffer that it describes (§3.5). So a slot is an mbuf, the RFD is the last 16 or 32
 * bytes of its headroom, and a received frame is where an mbuf's data begins: nothing is copied.
 * Slot i's RFD links to slot i + 1's. The chip writes a frame, its length, and last a status word
 * with C; we poll C in memory. No register is touched while frames come.
 *
 *	    cons                           stop    prod - 1   prod
 *	     |                              |        |         |
 *	 ----+----+----+----+----+----+----+--------+--------+---- ...
 *	     | C  | C  | .. | .. | .. | .. | EL,  0 | no link| to be refilled
 *	 ----+----+----+----+----+----+----+--------+--------+---- ...
 *	      ready     |  the chip's      |
 *
 * The list must end somewhere, and its end must move while the chip runs towards it. The RFD
 * before the last, the stop, has EL and a size of 0: the chip that gets there neither uses nor
 * writes it, but leaves ready (RNR). So it never reads the last one's link, and that can be
 * written whenever a new batch is there to be linked to. A batch of new buffers is one bulk call
 * to the pool, two wide stores an RFD, and one move of the stop (§5.4): EL and size 0 into the new
 * one, then EL off the old one, then its size back, each visible before the next.
 *
 * The chip may have seen EL in the old stop before it was taken away, and then stands there.
 * That shows only in the status byte. An RFD that is or once was the stop is marked, and a poll
 * that finds no frame in a marked one looks at the status byte, every so often. Elsewhere idle
 * polls do not look: the chip can only stop at a stop. A unit that has stopped is started again
 * at the first RFD without C. QEMU's card uses up the stop, with a count of 0: such an RFD is
 * dropped, and idle polls look until a frame comes.
 *
 * When the pool has no buffers, frames are still handed up and their slots stay empty; the chip
 * runs to the stop and counts what it misses. Each poll tries again, with half a batch and less
 * if need be. What is put off is counted in rx_nombuf.
 *
 * The plain burst stores the same fields for every frame, and looks for trouble once, in what it
 * has gathered of them all; if there is any it goes through the frames again, one by one, as the
 * full burst does.
 */

#include <string.h>

#include <rte_ip.h>
#include <rte_malloc.h>
#include <rte_prefetch.h>
#include <rte_tcp.h>
#include <rte_udp.h>

#include "i8255x.h"

/* Idle polls from one look at the status byte to the next; a power of two. */
#define RX_LOOK_POLLS		64u

/* In an RFD's unused dword, for this driver alone: it is or was the stop. */
#define RX_MARK			0u

/* Longest frame without CRC (§6): with one tag. */
#define RX_FRAME_MAX		(I8255X_MAX_FRAME_LONG - RTE_ETHER_CRC_LEN)

/* What makes the plain burst look again: no OK, or a tag that was stripped. */
#define RX_TROUBLE		((uint32_t)(I8255X_RFD_OK | I8255X_RFD_VLAN))

#define RX_L4_OFFLOADS		(RTE_ETH_RX_OFFLOAD_UDP_CKSUM | RTE_ETH_RX_OFFLOAD_TCP_CKSUM)

static inline volatile struct i8255x_rfd *
rx_rfd(const struct i8255x_rxq *rxq, const struct rte_mbuf *m)
{
	return (volatile struct i8255x_rfd *)((char *)m->buf_addr + rxq->rfd_at);
}

/* Its device address. The pool is in reach: set-up has seen to that. */
static inline uint32_t
rx_rfd_addr(const struct i8255x_rxq *rxq, const struct rte_mbuf *m)
{
	return (uint32_t)rte_mbuf_iova_get(m) + rxq->rfd_off;
}

static inline struct rte_mbuf *
rx_slot(const struct i8255x_rxq *rxq, uint32_t count)
{
	return rxq->q.bufs.slot[pw_ring_slot(&rxq->q.ring, count)];
}

static inline bool
rx_has_frame(const volatile struct i8255x_rfd *rfd)
{
	return (rfd->status & rte_cpu_to_le_16(I8255X_RFD_C)) != 0;
}

/* --- refill --- */

/* A fresh RFD: status, command and count 0. */
static inline void
rx_write_rfd(const struct i8255x_rxq *rxq, struct rte_mbuf *m, uint32_t link)
{
	uint64_t word[2] = {
		rte_cpu_to_le_64((uint64_t)link << 32),
		rte_cpu_to_le_64((uint64_t)rxq->size << 48 | I8255X_NULL),
	};

	RTE_BUILD_BUG_ON(offsetof(struct i8255x_rfd, link) != 4);
	RTE_BUILD_BUG_ON(offsetof(struct i8255x_rfd, rbd) != 8);
	RTE_BUILD_BUG_ON(offsetof(struct i8255x_rfd, size) != 14);
	memcpy((char *)m->buf_addr + rxq->rfd_at, word, sizeof(word));
}

/* Fill `n` slots from prod on. @return 0, or -ENOMEM with nothing done. */
static inline int
rx_arm(struct i8255x_rxq *rxq, uint32_t n)
{
	struct pw_ring *r = &rxq->q.ring;
	uint32_t link = I8255X_NULL;

	if (unlikely(pw_bufs_refill(&rxq->q.bufs, rxq->q.mp, r->prod, n) != 0))
		return -ENOMEM;
	for (uint32_t i = n; i-- > 0;) {
		struct rte_mbuf *m = rx_slot(rxq, r->prod + i);

		rx_write_rfd(rxq, m, link);
		link = rx_rfd_addr(rxq, m);
	}
	/* Nobody is past the stop to read this one. */
	if (likely(!pw_ring_empty(r)))
		rx_rfd(rxq, rx_slot(rxq, r->prod - 1))->link = rte_cpu_to_le_32(link);
	r->prod += n;
	return 0;
}

/* The pool has not got a full batch. Half a loaf keeps the ring alive. */
static __rte_noinline void
rx_arm_scarce(struct i8255x_rxq *rxq, uint32_t n)
{
	rxq->stats->rx_nombuf++;
	while ((n /= 2) > 0 && rx_arm(rxq, n) != 0)
		;
}

/* Let the list end before the newest buffer (§5.4). */
static inline void
rx_move_stop(struct i8255x_rxq *rxq)
{
	struct pw_ring *r = &rxq->q.ring;
	uint32_t stop = r->prod - 2;
	volatile struct i8255x_rfd *rfd = rx_rfd(rxq, rx_slot(rxq, stop));

	rfd->cmd = rte_cpu_to_le_16(I8255X_RFD_EL);
	rfd->size = 0;
	rfd->rbd = RX_MARK;
	/* New RFDs and their stop before EL goes, which holds the chip back from them. */
	rte_io_wmb();
	/* Where a chip has used the old stop up, there is none any more. */
	if (likely(rxq->stop - r->cons < stop - r->cons)) {
		rfd = rx_rfd(rxq, rx_slot(rxq, rxq->stop));
		rfd->cmd = 0;
		/* EL before the size: with both, the chip would fill it and stop. */
		rte_io_wmb();
		rfd->size = rte_cpu_to_le_16(rxq->size);
	}
	rxq->stop = stop;
}

static inline void
i8255x_rx_refill(struct i8255x_rxq *rxq)
{
	struct pw_ring *r = &rxq->q.ring;
	uint32_t old = r->prod;

	if (likely(pw_ring_free(r) < rxq->refill_at))
		return;
	do {
		if (unlikely(rx_arm(rxq, rxq->refill_at) != 0)) {
			rx_arm_scarce(rxq, rxq->refill_at);
			break;
		}
	} while (pw_ring_free(r) >= rxq->refill_at);
	if (likely(r->prod - old != 0 && pw_ring_used(r) >= 2))
		rx_move_stop(rxq);
}

/* --- idle polls --- */

/*
 * Start the unit at cons, whose RFD has no C. The command byte may be busy with somebody else's
 * command, or the lock taken: then the next poll tries again.
 */
static void
rx_restart(struct i8255x_rxq *rxq)
{
	struct i8255x_hw *hw = &rxq->ad->hw;
	const struct pw_io *io = rxq->io;

	rxq->empty_polls = 0;
	if (!rte_spinlock_trylock(&hw->scb_lock))
		return;
	if (pw_read8(io, I8255X_CMD) == 0) {
		pw_write8(io, I8255X_STAT_ACK, I8255X_ACK_RNR);
		pw_write32(io, I8255X_POINTER,
			   rx_rfd_addr(rxq, rx_slot(rxq, rxq->q.ring.cons)));
		pw_write8(io, I8255X_CMD, I8255X_RUC_START);
		rxq->stats->rx_restarts++;
		rxq->unsure = false;
		rxq->no_res = false;
		rxq->empty_polls = 1;
	}
	rte_spinlock_unlock(&hw->scb_lock);
}

/*
 * Has the unit stopped? Status and causes in one read, which also makes all arrive that the chip
 * has written before. Right after a start the status byte may still show the state before (§2.1),
 * but RNR, taken back then, does not; and who has taken it back otherwise does not hide it from
 * two looks.
 */
static void
rx_look(struct i8255x_rxq *rxq)
{
	const struct pw_ring *r = &rxq->q.ring;
	bool busy = pw_read8(rxq->io, I8255X_CMD) != 0;
	uint16_t scb = pw_read16(rxq->io, I8255X_STATUS);
	bool stopped = (scb & I8255X_STATUS_RUS_MASK) == I8255X_STATUS_RUS_NO_RES;
	uint32_t ahead = rxq->stop - r->cons;

	/* The command that waits may be a start: what the state says is old. Look again. */
	if (busy) {
		rxq->no_res = false;
		rxq->empty_polls = 0;
		return;
	}
	if (!stopped || (!rxq->no_res && (scb >> 8 & I8255X_ACK_RNR) == 0)) {
		rxq->no_res = stopped;
		return;
	}
	/* A frame came before it stopped; or there is nothing to start with. */
	if (rx_has_frame(rx_rfd(rxq, rx_slot(rxq, r->cons))) || ahead == 0 ||
	    ahead >= pw_ring_used(r))
		return;
	rx_restart(rxq);
}

/* A poll without frames at a place where the unit may have stopped, or without buffers. */
static __rte_noinline void
rx_starved(struct i8255x_rxq *rxq)
{
	uint32_t old = rxq->q.ring.prod;

	i8255x_rx_refill(rxq);
	/* Buffers at last: the unit has waited long enough. */
	if (rxq->q.ring.prod != old)
		rxq->empty_polls = 0;
	if (pw_ring_empty(&rxq->q.ring) ||
	    (!rxq->unsure &&
	     rx_rfd(rxq, rx_slot(rxq, rxq->q.ring.cons))->rbd != rte_cpu_to_le_32(RX_MARK)))
		return;
	if ((rxq->empty_polls++ & (RX_LOOK_POLLS - 1)) == 0)
		rx_look(rxq);
}

/* A poll without frames costs two loads of one line. */
static inline void
rx_idle(struct i8255x_rxq *rxq)
{
	const struct pw_ring *r = &rxq->q.ring;

	if (likely(!rxq->unsure && !pw_ring_empty(r) && pw_ring_free(r) < rxq->refill_at &&
		   rx_rfd(rxq, rx_slot(rxq, r->cons))->rbd != rte_cpu_to_le_32(RX_MARK)))
		return;
	if (rxq->refill_at != UINT32_MAX)
		rx_starved(rxq);
}

/* --- one frame, with all that the chip says of it --- */

/* The eight bytes of a fresh mbuf's head in one store. */
static inline void
rx_rearm(struct rte_mbuf *m, uint64_t word)
{
	/* By offset: the member is an empty marker in some releases. */
	memcpy((char *)m + offsetof(struct rte_mbuf, rearm_data), &word, sizeof(word));
}

/* 550/551: what the parser found (§3.5). Types it has only proven by a checksum are told. */
static uint64_t
rx_ext(const struct i8255x_rxq *rxq, struct rte_mbuf *m, uint16_t status)
{
	const volatile struct i8255x_rfd_ext *ext =
		(const volatile struct i8255x_rfd_ext *)(rx_rfd(rxq, m) + 1);
	uint8_t csum = status & I8255X_RFD_PARSED ? ext->csum : 0;
	uint8_t proto = ext->parser & I8255X_EXT_PROTO_MASK;
	uint64_t flags = 0;

	m->packet_type = RTE_PTYPE_L2_ETHER;
	if (status & I8255X_RFD_VLAN) {
		flags |= RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED;
		m->vlan_tci = rte_be_to_cpu_16(ext->vlan_be);
	}
	if ((csum & I8255X_EXT_IP_VALID) == 0)
		return flags;
	m->packet_type |= RTE_PTYPE_L3_IPV4_EXT_UNKNOWN;
	if (rxq->q.offloads & RTE_ETH_RX_OFFLOAD_IPV4_CKSUM)
		flags |= csum & I8255X_EXT_IP_GOOD ? RTE_MBUF_F_RX_IP_CKSUM_GOOD :
						     RTE_MBUF_F_RX_IP_CKSUM_BAD;
	if ((csum & I8255X_EXT_L4_VALID) == 0)
		return flags;
	if (proto == I8255X_EXT_PROTO_TCP || proto == I8255X_EXT_PROTO_UDP)
		m->packet_type |= proto == I8255X_EXT_PROTO_TCP ? RTE_PTYPE_L4_TCP :
								  RTE_PTYPE_L4_UDP;
	if (rxq->q.offloads & RX_L4_OFFLOADS)
		flags |= csum & I8255X_EXT_L4_GOOD ? RTE_MBUF_F_RX_L4_CKSUM_GOOD :
						     RTE_MBUF_F_RX_L4_CKSUM_BAD;
	return flags;
}

/* One's complement: a sum with the part from byte `at` on taken out of it. */
static uint32_t
sum_without(uint32_t sum, const uint8_t *from, uint32_t at, uint32_t len)
{
	uint32_t part = rte_raw_cksum(from + at, len);

	/* A part that begins at an odd byte went in with its bytes exchanged (RFC 1071). */
	if (at & 1)
		part = (part << 8 | part >> 8) & UINT16_MAX;
	return sum + (~part & UINT16_MAX);
}

/* What a sum over the datagram could prove: a whole TCP or UDP one. */
static bool
is_summed(const struct rte_ipv4_hdr *ip, uint32_t left)
{
	uint32_t total = rte_be_to_cpu_16(ip->total_length), l4 = total - sizeof(*ip);

	/* Without options: on whether the chip counts those its drivers disagree (§3.5). */
	if (ip->version_ihl != RTE_IPV4_VHL_DEF || total < sizeof(*ip) || total > left ||
	    (ip->fragment_offset & rte_cpu_to_be_16(RTE_IPV4_HDR_MF_FLAG |
						    RTE_IPV4_HDR_OFFSET_MASK)) != 0)
		return false;
	if (ip->next_proto_id == IPPROTO_TCP)
		return l4 >= sizeof(struct rte_tcp_hdr);
	return ip->next_proto_id == IPPROTO_UDP && l4 >= sizeof(struct rte_udp_hdr) &&
	       ((const struct rte_udp_hdr *)(ip + 1))->dgram_cksum != 0;
}

/*
 * 559: the sum of all behind the Ethernet header follows the frame (§3.5). A tag, the IP
 * header and padding are taken out, the pseudo header is added; all is ones then.
 *
 * @param len
 *   Bytes of the frame without CRC.
 * @param at
 *   Where the sum is.
 */
static uint64_t
rx_sum(const struct rte_mbuf *m, uint32_t len, uint32_t at)
{
	const uint8_t *d = rte_pktmbuf_mtod(m, const uint8_t *), *body = d + RTE_ETHER_HDR_LEN;
	const struct rte_ether_hdr *eth = (const struct rte_ether_hdr *)d;
	uint32_t l3 = 0, end, total, sum;
	const struct rte_ipv4_hdr *ip;
	rte_be16_t type = eth->ether_type;
	uint16_t raw;

	if (type == rte_cpu_to_be_16(RTE_ETHER_TYPE_VLAN) &&
	    len >= RTE_ETHER_HDR_LEN + RTE_VLAN_HLEN) {
		l3 = RTE_VLAN_HLEN;
		type = ((const struct rte_vlan_hdr *)body)->eth_proto;
	}
	if (type != rte_cpu_to_be_16(RTE_ETHER_TYPE_IPV4) ||
	    len < RTE_ETHER_HDR_LEN + l3 + sizeof(*ip))
		return 0;
	ip = (const struct rte_ipv4_hdr *)(body + l3);
	end = len - RTE_ETHER_HDR_LEN;
	if (!is_summed(ip, end - l3))
		return 0;
	total = rte_be_to_cpu_16(ip->total_length);
	memcpy(&raw, d + at, sizeof(raw));
	sum = sum_without(raw, body, 0, l3 + sizeof(*ip));
	sum = sum_without(sum, body, l3 + total, end - l3 - total);
	sum += rte_ipv4_phdr_cksum(ip, 0);
	sum = (sum & UINT16_MAX) + (sum >> 16);
	sum = (sum & UINT16_MAX) + (sum >> 16);
	return sum == UINT16_MAX ? RTE_MBUF_F_RX_L4_CKSUM_GOOD : RTE_MBUF_F_RX_L4_CKSUM_BAD;
}

/* Why a frame is dropped; NULL: it is not. `len` without what follows it. */
static uint64_t *
rx_fault(const struct i8255x_rxq *rxq, uint16_t status, uint32_t count)
{
	if (count <= rxq->tail_len)
		return &rxq->stats->rx_empty;
	if ((status & I8255X_RFD_OK) == 0)
		return &rxq->stats->rx_errors;
	if (count - rxq->tail_len > rxq->max_len)
		return &rxq->stats->rx_oversize;
	return NULL;
}

/* Fill in an mbuf from its RFD. @return whether there is a frame to hand up. */
static inline bool
rx_fill(struct i8255x_rxq *rxq, struct rte_mbuf *m)
{
	volatile struct i8255x_rfd *rfd = rx_rfd(rxq, m);
	uint16_t status = rte_le_to_cpu_16(rfd->status);
	uint32_t count = rte_le_to_cpu_16(rfd->count) & I8255X_RFD_COUNT_MASK;
	uint64_t *fault = rx_fault(rxq, status, count);
	uint32_t len = count - rxq->tail_len;

	rx_rearm(m, rxq->q.mbuf_init);
	m->ol_flags = 0;
	if (unlikely(fault != NULL)) {
		(*fault)++;
		/* The chip that uses up the stop does stop. */
		rxq->unsure |= count <= rxq->tail_len;
		return false;
	}
	m->packet_type = 0;
	m->pkt_len = len;
	m->data_len = len;
	if (rxq->rfd_len == I8255X_RFD_EXT_LEN)
		m->ol_flags = rx_ext(rxq, m, status);
	else if (rxq->tail_len != 0)
		m->ol_flags = rx_sum(m, len - rxq->crc_len, len);
	return true;
}

/* --- bursts --- */

/* The mbufs of `n` RFDs with C, one by one; bad ones are freed. @return how many are left. */
static __rte_noinline uint16_t
rx_sift(struct i8255x_rxq *rxq, struct rte_mbuf **pkts, uint16_t n)
{
	uint64_t bytes = 0;
	uint16_t nb = 0;

	for (uint16_t i = 0; i < n; i++) {
		struct rte_mbuf *m = pkts[i];

		if (unlikely(!rx_fill(rxq, m))) {
			rte_mbuf_raw_free(m);
			continue;
		}
		bytes += m->pkt_len;
		pkts[nb++] = m;
	}
	rxq->packets += nb;
	rxq->bytes += bytes - (uint64_t)nb * rxq->crc_len;
	return nb;
}

/*
 * Take the frames that are there. @return how many slots gave up their mbuf: all are in `pkts`,
 * each filled in for the plain case; `odd` is not 0 if that is wrong for one of them.
 */
static __rte_always_inline uint16_t
rx_take(struct i8255x_rxq *rxq, struct rte_mbuf **pkts, uint16_t nb_pkts, uint32_t *odd,
	uint64_t *bytes)
{
	struct pw_ring *r = &rxq->q.ring;
	const uint32_t most = RTE_MIN((uint32_t)nb_pkts, pw_ring_used(r)), max = rxq->max_len;
	const uint64_t init = rxq->q.mbuf_init;
	uint32_t status = 0, wrong = 0, n;
	uint64_t sum = 0;

	for (n = 0; n < most; n++) {
		struct rte_mbuf *m = rx_slot(rxq, r->cons + n);
		volatile struct i8255x_rfd *rfd = rx_rfd(rxq, m);
		uint32_t word = rte_le_to_cpu_16(rfd->status), len;

		if ((word & I8255X_RFD_C) == 0)
			break;
		/* C was read before, what it speaks for is read after this. */
		rte_io_rmb();
		len = rte_le_to_cpu_16(rfd->count) & I8255X_RFD_COUNT_MASK;
		rx_rearm(m, init);
		m->ol_flags = 0;
		m->packet_type = 0;
		m->pkt_len = len;
		m->data_len = len;
		pkts[n] = m;
		sum += len;
		status |= word ^ I8255X_RFD_OK;
		/* An empty one and one that is too long wrap to a high bit. */
		wrong |= (len - 1) | (max - len);
	}
	r->cons += n;
	*odd = (status & RX_TROUBLE) | (wrong & UINT32_C(0x80000000));
	*bytes = sum;
	return n;
}

uint16_t
i8255x_rx_burst(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	struct i8255x_rxq *rxq = queue;
	uint64_t bytes;
	uint32_t odd;
	uint16_t n = rx_take(rxq, pkts, nb_pkts, &odd, &bytes);

	if (n == 0) {
		rx_idle(rxq);
		return 0;
	}
	rxq->empty_polls = 0;
	if (likely(odd == 0)) {
		rxq->packets += n;
		rxq->bytes += bytes - (uint64_t)n * rxq->crc_len;
		rxq->unsure = false;
	} else {
		n = rx_sift(rxq, pkts, n);
	}
	i8255x_rx_refill(rxq);
	return n;
}

uint16_t
i8255x_rx_burst_full(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	struct i8255x_rxq *rxq = queue;
	struct pw_ring *r = &rxq->q.ring;
	uint32_t most = RTE_MIN((uint32_t)nb_pkts, pw_ring_used(r)), n;

	for (n = 0; n < most; n++) {
		pkts[n] = rx_slot(rxq, r->cons + n);
		if (!rx_has_frame(rx_rfd(rxq, pkts[n])))
			break;
	}
	/* C was read before, what it speaks for is read after this. */
	rte_io_rmb();
	if (n == 0) {
		rx_idle(rxq);
		return 0;
	}
	/* QEMU receives and answers for its registers under one lock. */
	if (unlikely(rxq->late))
		pw_read8(rxq->io, I8255X_STATUS);
	r->cons += n;
	rxq->empty_polls = 0;
	rxq->unsure = false;
	n = rx_sift(rxq, pkts, n);
	i8255x_rx_refill(rxq);
	return n;
}

/* --- what an application may ask about the ring --- */

int
i8255x_rx_desc_status(void *queue, uint16_t offset)
{
	const struct i8255x_rxq *rxq = queue;
	const struct pw_ring *r = &rxq->q.ring;
	bool done = offset < pw_ring_used(r) &&
		    rx_has_frame(rx_rfd(rxq, rx_slot(rxq, r->cons + offset)));

	return pw_eth_rx_desc_status(r, offset, done);
}

uint32_t
i8255x_rx_count(void *queue)
{
	const struct i8255x_rxq *rxq = queue;
	const struct pw_ring *r = &rxq->q.ring;
	uint32_t n = 0;

	while (n < pw_ring_used(r) && rx_has_frame(rx_rfd(rxq, rx_slot(rxq, r->cons + n))))
		n++;
	return n;
}

/* --- which path, and what it must know --- */

/* Longest frame as it is stored, without what the chip adds at its end. */
static uint32_t
rx_frame_max(const struct rte_eth_dev *eth)
{
	bool crc = (eth->data->dev_conf.rxmode.offloads & RTE_ETH_RX_OFFLOAD_KEEP_CRC) != 0;

	return RX_FRAME_MAX + (crc ? RTE_ETHER_CRC_LEN : 0);
}

bool
i8255x_rx_wants_full(const struct rte_eth_dev *eth)
{
	const struct i8255x_rxq *rxq = eth->data->rx_queues[0];
	uint64_t offloads = rxq->q.offloads | eth->data->dev_conf.rxmode.offloads;

	return rxq->late || (offloads & ~RTE_ETH_RX_OFFLOAD_KEEP_CRC) != 0;
}

/* The longest frame to hand up: the chip has no register for it (§6). */
void
i8255x_rx_max_len(struct rte_eth_dev *eth)
{
	struct i8255x_rxq *rxq = eth->data->rx_queues[0];

	rxq->max_len = RTE_MIN(rx_frame_max(eth), (uint32_t)rxq->size - rxq->tail_len);
}

const uint32_t *
i8255x_supported_ptypes(struct rte_eth_dev *eth)
{
	static const uint32_t ptypes[] = {
		RTE_PTYPE_L2_ETHER,
		RTE_PTYPE_L3_IPV4_EXT_UNKNOWN,
		RTE_PTYPE_L4_TCP,
		RTE_PTYPE_L4_UDP,
		RTE_PTYPE_UNKNOWN,
	};
	const struct i8255x_rxq *rxq = eth->data->nb_rx_queues == 0 ? NULL :
				       eth->data->rx_queues[0];

	return rxq != NULL && rxq->rfd_len == I8255X_RFD_EXT_LEN && i8255x_rx_wants_full(eth) ?
	       ptypes : NULL;
}

/* --- set-up --- */

/* Room behind the RFD; more than the chip can count is of use to nobody (§6). */
static int
rx_check_pool(const struct rte_eth_dev *eth, struct i8255x_rxq *rxq, struct rte_mempool *mp)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	uint32_t room = rte_pktmbuf_data_room_size(mp);
	int rc = pw_dma_pool_check(&ad->dma, mp);

	if (rc != 0) {
		PW_LOG(ERR, "%s: mempool %s: %s", ad->dev.name, mp->name,
		       pw_dma_explain(&ad->dma, rc));
		return rc;
	}
	RTE_BUILD_BUG_ON(RTE_PKTMBUF_HEADROOM < I8255X_RFD_EXT_LEN);
	room = room < RTE_PKTMBUF_HEADROOM ? 0 : room - RTE_PKTMBUF_HEADROOM;
	rxq->size = RTE_MIN(room, (uint32_t)I8255X_RFD_SIZE_MAX) & ~1u;
	return 0;
}

/* A frame has one buffer. */
static int
rx_check_mtu(const struct rte_eth_dev *eth, const struct i8255x_rxq *rxq)
{
	uint32_t max = rxq->ad->hw.row.max_frame - RTE_ETHER_CRC_LEN;
	uint32_t need = RTE_MIN((uint32_t)eth->data->mtu + RTE_ETHER_HDR_LEN + 2 * RTE_VLAN_HLEN,
				max) + rxq->crc_len + rxq->tail_len;

	if (rxq->size >= need)
		return 0;
	PW_LOG(ERR, "%s: MTU %u: buffers of mempool %s have %u bytes for a frame: at least %u are "
		    "needed", rxq->ad->dev.name, eth->data->mtu, rxq->q.mp->name, rxq->size, need);
	return -EINVAL;
}

/* What the chip is to be configured for is known before it is started. */
static void
rx_init(struct i8255x_rxq *rxq, struct i8255x_adapter *ad)
{
	struct i8255x_hw *hw = &ad->hw;

	rxq->io = hw->io;
	rxq->ad = ad;
	rxq->stats = &ad->sw;
	rxq->q.dma = &ad->dma;
	rxq->refill_at = UINT32_MAX;
	rxq->late = (hw->flags & I8255X_F_ERR_EMULATED) != 0;
	/* Tags may be stripped or not from one moment to the next: that takes the long RFD. */
	hw->ext_rfd = (hw->flags & I8255X_F_IPCB) != 0;
	hw->rx_csum = !hw->ext_rfd && (hw->flags & I8255X_F_RX_SUM) != 0 &&
		      (rxq->q.offloads & RX_L4_OFFLOADS) != 0;
	rxq->rfd_len = hw->ext_rfd ? I8255X_RFD_EXT_LEN : I8255X_RFD_LEN;
	rxq->rfd_at = RTE_PKTMBUF_HEADROOM - rxq->rfd_len;
	rxq->rfd_off = (uint32_t)ad->dma.offset + rxq->rfd_at;
	rxq->tail_len = hw->rx_csum ? I8255X_RX_CSUM_LEN : 0;
}

int
i8255x_rx_queue_setup(struct rte_eth_dev *eth, uint16_t queue, uint16_t nb_desc,
		      unsigned int socket, const struct rte_eth_rxconf *conf,
		      struct rte_mempool *mp)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	struct rte_eth_desc_lim lim = i8255x_desc_lim();
	struct i8255x_rxq *rxq;
	int rc;

	i8255x_rx_queue_release(eth, queue);
	rc = pw_eth_check_desc(eth, "Rx", &nb_desc, &lim);
	if (rc != 0)
		return rc;
	rxq = rte_zmalloc_socket("i8255x_rxq", sizeof(*rxq), RTE_CACHE_LINE_SIZE, socket);
	if (rxq == NULL)
		return -ENOMEM;
	rxq->q.mp = mp;
	rc = pw_rxq_init(&rxq->q, eth, queue, nb_desc, socket, conf);
	if (rc != 0)
		goto err_free;
	rx_init(rxq, ad);
	rc = rx_check_pool(eth, rxq, mp);
	if (rc != 0)
		goto err_bufs;
	eth->data->rx_queues[queue] = rxq;
	return 0;

err_bufs:
	pw_bufs_fini(&rxq->q.bufs);
err_free:
	rte_free(rxq);
	return rc;
}

/* Give back every buffer; the list is built anew at the next start. */
static void
rx_drain(struct i8255x_rxq *rxq)
{
	pw_bufs_drain_ring(&rxq->q.bufs, &rxq->q.ring);
	rxq->q.ring.cons = rxq->q.ring.prod;
	/* A queue that stands must not be filled by who polls it. */
	rxq->refill_at = UINT32_MAX;
}

void
i8255x_rx_queue_release(struct rte_eth_dev *eth, uint16_t queue)
{
	struct i8255x_rxq *rxq = eth->data->rx_queues[queue];

	if (rxq == NULL)
		return;
	rx_drain(rxq);
	pw_bufs_fini(&rxq->q.bufs);
	rte_free(rxq);
	eth->data->rx_queues[queue] = NULL;
}

/* --- start and stop --- */

/* Build the list. @return 0, or -ENOMEM with nothing held. */
static int
rx_fill_ring(struct i8255x_rxq *rxq)
{
	struct pw_ring *r = &rxq->q.ring;
	uint32_t batch = RTE_MIN(pw_ring_size(r), UINT32_C(32));

	rx_drain(rxq);
	pw_ring_init(r, pw_ring_size(r));
	while (pw_ring_free(r) > 0) {
		if (rx_arm(rxq, batch) != 0) {
			PW_LOG(ERR, "%s: mempool %s has no buffers for %u Rx descriptors: make it "
				    "larger or ask for fewer", rxq->ad->dev.name, rxq->q.mp->name,
			       pw_ring_size(r));
			rx_drain(rxq);
			return -ENOMEM;
		}
	}
	/* There is no old one. */
	rxq->stop = r->prod;
	rx_move_stop(rxq);
	/* The chip uses all but two: were more waited for, the ring would run dry. */
	rxq->refill_at = RTE_MIN((uint32_t)rxq->q.free_thresh, pw_ring_size(r) / 2);
	rxq->empty_polls = 0;
	rxq->unsure = false;
	rxq->no_res = false;
	return 0;
}

static int
rx_run(struct rte_eth_dev *eth, struct i8255x_rxq *rxq)
{
	struct i8255x_hw *hw = &rxq->ad->hw;
	int rc = rx_fill_ring(rxq);

	if (rc != 0)
		return rc;
	rte_spinlock_lock(&hw->scb_lock);
	rc = i8255x_command(hw, I8255X_RUC_START, rx_rfd_addr(rxq, rx_slot(rxq, 0)));
	if (rc == 0)
		rc = i8255x_wait_command(hw);
	rte_spinlock_unlock(&hw->scb_lock);
	if (rc != 0) {
		PW_LOG(ERR, "%s: the receive unit does not start (%s): reset the card",
		       rxq->ad->dev.name, rte_strerror(-rc));
		/* It may yet: the buffers stay until reset. */
		rxq->refill_at = UINT32_MAX;
		return rc;
	}
	eth->data->rx_queue_state[0] = RTE_ETH_QUEUE_STATE_STARTED;
	return 0;
}

int
i8255x_rx_start(struct rte_eth_dev *eth)
{
	struct i8255x_rxq *rxq = eth->data->rx_queues[0];
	struct i8255x_hw *hw = &rxq->ad->hw;
	int rc;

	rxq->crc_len = hw->keep_crc ? RTE_ETHER_CRC_LEN : 0;
	rxq->full = i8255x_rx_wants_full(eth);
	i8255x_rx_max_len(eth);
	rc = rx_check_mtu(eth, rxq);
	if (rc != 0 || rxq->q.deferred_start)
		return rc;
	return rx_run(eth, rxq);
}

/* After reset, so that the chip writes to no buffer any more. */
void
i8255x_rx_stop(struct rte_eth_dev *eth)
{
	struct i8255x_rxq *rxq = eth->data->nb_rx_queues == 0 ? NULL : eth->data->rx_queues[0];

	if (rxq == NULL)
		return;
	rx_drain(rxq);
	eth->data->rx_queue_state[0] = RTE_ETH_QUEUE_STATE_STOPPED;
}

int
i8255x_rx_queue_start(struct rte_eth_dev *eth, uint16_t queue)
{
	return rx_run(eth, eth->data->rx_queues[queue]);
}

int
i8255x_rx_queue_stop(struct rte_eth_dev *eth, uint16_t queue)
{
	struct i8255x_rxq *rxq = eth->data->rx_queues[queue];
	struct i8255x_hw *hw = &rxq->ad->hw;
	int rc;

	rte_spinlock_lock(&hw->scb_lock);
	rc = i8255x_abort_receive(hw);
	rte_spinlock_unlock(&hw->scb_lock);
	/* Its buffers stay the chip's until it has let go of them. */
	if (rc != 0 && rc != -ENODEV) {
		PW_LOG(ERR, "%s: the receive unit does not stop (%s): stop the port",
		       rxq->ad->dev.name, rte_strerror(-rc));
		return rc;
	}
	rx_drain(rxq);
	eth->data->rx_queue_state[queue] = RTE_ETH_QUEUE_STATE_STOPPED;
	return 0;
}
