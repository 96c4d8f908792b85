/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * From frames to descriptors. A frame is judged first (filters, errors, checksum, tag), with
 * no side effect; then it is stored, over as many descriptors as it takes; then it is counted.
 * Frames stay on the wire until there are descriptors: the wire's buffer stands for the
 * packet buffer, which fills only as fast as software is slow.
 */

#include <errno.h>

#include "pw_csum.h"

#include "e1000_model.h"

#define CARRIER_EXTENSION 0x0f	/* as the receiver has it */
#define ETHER_TYPE_AT 12
#define ETHER_TYPE_IPV4 0x0800
#define ETHER_LEN_MAX 1500	/* above, the field is a type (IEEE 802.3 §3.2.6) */
#define SNAP_LEN 8
#define IPV4_HDR 20
#define IP_PROTO_TCP 6
#define IP_PROTO_UDP 17
#define PAUSE_OPCODE 0x0001
#define RCTL_RW 0x06dffffeu

static uint32_t
get_be16(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

/* --- address and VLAN filters -------------------------------------------------------------- */

static bool
rar_match(const struct e1000_model *e, const uint8_t *da)
{
	uint32_t low, i;
	uint16_t high;

	memcpy(&low, da, 4);
	memcpy(&high, da + 4, 2);
	for (i = 0; i < E1000_RAR_NUM; i++) {
		uint32_t rah = E1000_R(e, E1000_RAH(i));

		if ((rah & (E1000_RAH_AV | E1000_RAH_ASEL_MASK)) == E1000_RAH_AV &&
		    E1000_R(e, E1000_RAL(i)) == low && (rah & E1000_RAH_ADDR_MASK) == high)
			return true;
	}
	return false;
}

static bool
mta_match(const struct e1000_model *e, const uint8_t *da)
{
	static const uint8_t shift[4] = { 4, 3, 2, 0 };
	uint32_t mo = (E1000_R(e, E1000_RCTL) & E1000_RCTL_MO_MASK) >> E1000_RCTL_MO_SHIFT;
	uint32_t h = ((uint32_t)da[5] << 8 | da[4]) >> shift[mo] & E1000_MTA_HASH_MASK;

	return (E1000_R(e, E1000_MTA(h >> 5)) >> (h & 31) & 1) != 0;
}

static bool
is_broadcast(const uint8_t *da)
{
	static const uint8_t ones[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

	return memcmp(da, ones, sizeof(ones)) == 0;
}

static bool
rx_address_ok(const struct e1000_model *e, struct e1000_rx_pkt *p)
{
	uint32_t rctl = E1000_R(e, E1000_RCTL);

	if ((p->data[0] & 1) == 0)
		return (rctl & E1000_RCTL_UPE) != 0 || rar_match(e, p->data);
	if ((rctl & E1000_RCTL_MPE) != 0 || rar_match(e, p->data))
		return true;
	if ((rctl & E1000_RCTL_BAM) != 0 && is_broadcast(p->data))
		return true;
	if (!mta_match(e, p->data))
		return false;
	/* Only the hash agrees: software has to look (§3.1). */
	p->status |= E1000_RXD_PIF;
	return true;
}

static bool
rx_tagged(const struct e1000_model *e, const struct e1000_rx_pkt *p)
{
	return p->len >= ETHER_TYPE_AT + E1000_VLAN_LEN + 2 &&
	       get_be16(p->data + ETHER_TYPE_AT) == E1000_R(e, E1000_VET);
}

static bool
rx_vlan_ok(const struct e1000_model *e, const struct e1000_rx_pkt *p)
{
	uint32_t rctl = E1000_R(e, E1000_RCTL);
	uint32_t tci = get_be16(p->data + ETHER_TYPE_AT + 2);
	uint32_t vid = tci & E1000_DESC_VLAN_VID_MASK;

	if ((rctl & E1000_RCTL_VFE) == 0)
		return true;
	if ((rctl & E1000_RCTL_CFIEN) != 0 &&
	    ((tci & E1000_DESC_VLAN_CFI) != 0) != ((rctl & E1000_RCTL_CFI) != 0))
		return false;
	return (E1000_R(e, E1000_VFTA(E1000_VFTA_INDEX(vid))) & E1000_VFTA_BIT(vid)) != 0;
}

/* --- checksums ----------------------------------------------------------------------------- */

/* Where the IPv4 header is, or 0. */
static uint32_t
rx_find_ipv4(const uint8_t *f, uint32_t len, bool tagged)
{
	static const uint8_t snap[6] = { 0xaa, 0xaa, 0x03, 0, 0, 0 };
	uint32_t at = ETHER_TYPE_AT + (tagged ? E1000_VLAN_LEN : 0);

	if (get_be16(f + at) <= ETHER_LEN_MAX && len >= at + 2 + SNAP_LEN &&
	    memcmp(f + at + 2, snap, sizeof(snap)) == 0)
		at += SNAP_LEN;
	if (get_be16(f + at) != ETHER_TYPE_IPV4 || len < at + 2 + IPV4_HDR)
		return 0;
	return at + 2;
}

/* TCP or UDP in an unfragmented IPv4 packet. UDP may come without a checksum (RFC 768). */
static void
rx_check_l4(struct e1000_rx_pkt *p, const uint8_t *ip, uint32_t hdr, uint32_t total)
{
	const uint8_t *l4 = ip + hdr;
	uint32_t l4_len = total - hdr;
	uint64_t sum;

	if ((get_be16(ip + 6) & 0x3fff) != 0)
		return;
	if (ip[9] == IP_PROTO_UDP) {
		if (l4_len < 8 || get_be16(l4 + 6) == 0)
			return;
	} else if (ip[9] != IP_PROTO_TCP || l4_len < 20) {
		return;
	}
	sum = pw_csum_add((uint64_t)pw_csum_be16(ip[9]) + pw_csum_be16(l4_len), ip + 12, 8);
	p->status |= E1000_RXD_TCPCS;
	if (pw_csum_fold(pw_csum_add(sum, l4, l4_len)) != 0xffff)
		p->errors |= E1000_RXD_TCPE;
}

static void
rx_checksum(const struct e1000_model *e, struct e1000_rx_pkt *p, bool tagged)
{
	uint32_t rxcsum = E1000_R(e, E1000_RXCSUM);
	uint32_t pcss = rxcsum & E1000_RXCSUM_PCSS_MASK;
	uint32_t at, hdr, total;
	const uint8_t *ip;

	p->status |= E1000_RXD_IXSM;
	if (rxcsum == 0)
		return;
	if (pcss < p->len)
		p->csum = pw_csum_be16((uint16_t)~pw_csum_fold(
			pw_csum_add(0, p->data + pcss, p->len - pcss)));
	at = rx_find_ipv4(p->data, p->len, tagged);
	if (at == 0)
		return;
	ip = p->data + at;
	hdr = (ip[0] & 0xfu) * 4;
	total = get_be16(ip + 2);
	if (ip[0] >> 4 != 4 || hdr < IPV4_HDR || total < hdr || total > p->len - at)
		return;
	if ((rxcsum & E1000_RXCSUM_IPOFLD) != 0) {
		p->status |= E1000_RXD_IPCS;
		if (pw_csum_fold(pw_csum_add(0, ip, hdr)) != 0xffff)
			p->errors |= E1000_RXD_IPE;
	}
	if ((rxcsum & E1000_RXCSUM_TUOFLD) != 0)
		rx_check_l4(p, ip, hdr, total);
	if ((p->status & (E1000_RXD_IPCS | E1000_RXD_TCPCS)) != 0)
		p->status &= (uint8_t)~E1000_RXD_IXSM;
}

/* --- judging a frame ----------------------------------------------------------------------- */

/* MAC control. True: the frame ends here. */
static bool
rx_mac_control(struct e1000_model *e, const uint8_t *f, uint32_t len)
{
	uint32_t rctl = E1000_R(e, E1000_RCTL);
	uint8_t pause_da[8];
	uint32_t quanta;

	if (PW_LIKELY(get_be16(f + ETHER_TYPE_AT) != E1000_R(e, E1000_FCT)) || len < 18 ||
	    E1000_R(e, E1000_FCT) == 0)
		return false;
	memcpy(pause_da, &E1000_R(e, E1000_FCAL), 4);
	memcpy(pause_da + 4, &E1000_R(e, E1000_FCAH), 4);
	if (memcmp(f, pause_da, 6) != 0 && !rar_match(e, f))
		return false;
	if (get_be16(f + 14) != PAUSE_OPCODE) {
		e1000_stat(e, E1000_FCRUC);
		return (rctl & E1000_RCTL_PMCF) == 0;
	}
	if ((E1000_R(e, E1000_CTRL) & E1000_CTRL_RFCE) == 0) {
		e1000_stat(e, E1000_FCRUC);
	} else {
		quanta = get_be16(f + 16);
		e1000_stat(e, quanta == 0 ? E1000_XONRXC : E1000_XOFFRXC);
		e1000_tx_pause(e, quanta);
	}
	return (rctl & E1000_RCTL_DPF) != 0;
}

/* Length and FCS. What is wrong is stored with RCTL.SBP only. */
static bool
rx_intact(struct e1000_model *e, struct e1000_rx_pkt *p, uint32_t flags)
{
	bool lpe = (E1000_R(e, E1000_RCTL) & E1000_RCTL_LPE) != 0;
	uint32_t wire_len = p->len + E1000_FCS + p->extended;
	bool bad_crc = (flags & PW_FRAME_BAD_CRC) != 0 || p->extended;
	bool intact = true;

	if (wire_len < E1000_MIN_FRAME) {
		e1000_stat(e, bad_crc ? E1000_RFC : E1000_RUC);
		e1000_stat(e, E1000_RLEC);
		intact = false;
	} else if (wire_len > (lpe ? E1000_MAX_JUMBO : E1000_MAX_FRAME)) {
		e1000_stat(e, bad_crc ? E1000_RJC : E1000_ROC);
		e1000_stat(e, E1000_RLEC);
		intact = false;
	}
	if (bad_crc) {
		e1000_stat(e, E1000_CRCERRS);
		p->errors |= E1000_RXD_CE;
		intact = false;
	}
	if ((flags & PW_FRAME_RX_ERR) != 0) {
		e1000_stat(e, E1000_RXERRC);
		p->errors |= E1000_RXD_RXE;
		intact = false;
	}
	return intact;
}

static void
rx_count_good(struct e1000_model *e, const struct e1000_rx_pkt *p)
{
	uint32_t wire_len = p->len + E1000_FCS;

	e1000_stat(e, E1000_GPRC);
	e1000_stat64_add(&e->gorc, wire_len);
	e1000_stat(e, E1000_PRC64 + e1000_size_class(wire_len));
	if (PW_UNLIKELY((p->data[0] & 1) != 0))
		e1000_stat(e, is_broadcast(p->data) ? E1000_BPRC : E1000_MPRC);
}

/* The last four bytes are taken off on request: of an extended frame those are others. */
static void
rx_make_fcs(struct e1000_model *e, struct e1000_rx_pkt *p)
{
	bool strip = (E1000_R(e, E1000_RCTL) & E1000_RCTL_SECRC) != 0;
	uint32_t fcs;

	p->nb_fcs = (uint8_t)((strip ? 0 : E1000_FCS) + p->extended);
	if (PW_LIKELY(p->nb_fcs == 0))
		return;
	fcs = pw_crc32(p->data, p->len);
	if ((p->errors & E1000_RXD_CE) != 0 && !p->extended)
		fcs = ~fcs;
	memcpy(p->fcs, &fcs, sizeof(fcs));
	p->fcs[E1000_FCS] = CARRIER_EXTENSION;
	p->stored += p->nb_fcs;
}

/* What is to be stored of the frame, and what its last descriptor says. */
static void
rx_describe(struct e1000_model *e, struct e1000_rx_pkt *p)
{
	bool tagged = rx_tagged(e, p);

	if (e->x != NULL)
		e1000_574_parse(e, p, tagged);
	else
		rx_checksum(e, p, tagged);
	p->stored = p->len;
	if (tagged && (E1000_R(e, E1000_CTRL) & E1000_CTRL_VME) != 0) {
		p->strip = true;
		p->stored -= E1000_VLAN_LEN;
		p->status |= E1000_RXD_VP;
		p->vlan = (uint16_t)get_be16(p->data + ETHER_TYPE_AT + 2);
		if (p->split != 0)
			p->split -= E1000_VLAN_LEN;
	}
	rx_make_fcs(e, p);
}

/* False: the frame is not for us, or broken. Counts it. */
static bool
rx_judge(struct e1000_model *e, struct e1000_rx_pkt *p, uint32_t flags)
{
	bool intact;

	e1000_stat(e, E1000_TPR);
	e1000_stat64_add(&e->tor, p->len + E1000_FCS);
	if (p->len < E1000_ETH_HDR) {
		rx_intact(e, p, flags);
		return false;
	}
	if (PW_LIKELY(flags == 0) && rx_mac_control(e, p->data, p->len))
		return false;
	if (!rx_address_ok(e, p) || (rx_tagged(e, p) && !rx_vlan_ok(e, p)))
		return false;
	intact = rx_intact(e, p, flags);
	if (!intact && (E1000_R(e, E1000_RCTL) & E1000_RCTL_SBP) == 0)
		return false;
	p->good = intact;
	rx_describe(e, p);
	return true;
}

/* --- storing it ---------------------------------------------------------------------------- */

static uint32_t
rx_buffer_size(struct e1000_model *e)
{
	uint32_t rctl = E1000_R(e, E1000_RCTL);
	uint32_t shift = (rctl & E1000_RCTL_BSIZE_MASK) >> E1000_RCTL_BSIZE_SHIFT;
	uint32_t flx = (rctl & E1000_RCTL_FLXBUF_MASK) >> E1000_RCTL_FLXBUF_SHIFT;

	if (PW_UNLIKELY(flx != 0))
		return flx * 1024;
	if ((rctl & E1000_RCTL_BSEX) == 0)
		return 2048u >> shift;
	if (shift == 0) {
		pw_violate(e->m, PW_VIOL_PROTOCOL, "RCTL: BSIZE 0 with BSEX is reserved (§2.3)");
		return 2048;
	}
	return 32768u >> shift;
}

/*
 * Copy bytes [off, off + len) of what is stored: the frame without its tag, then the FCS.
 * Where the buffer is not mapped the data is lost, and the violation recorded.
 */
void
e1000_rx_copy(struct e1000_model *e, struct e1000_rxq *q, uint64_t addr, uint32_t off,
	      uint32_t len)
{
	const struct e1000_rx_pkt *p = &q->pkt;
	uint32_t data_end = p->stored - p->nb_fcs;

	while (len > 0) {
		uint32_t n = len, end = p->stored;
		const uint8_t *src;

		if (off >= data_end) {
			src = p->fcs + (off - data_end);
		} else if (p->strip && off >= ETHER_TYPE_AT) {
			src = p->data + off + E1000_VLAN_LEN;
			end = data_end;
		} else {
			src = p->data + off;
			end = p->strip ? ETHER_TYPE_AT : data_end;
		}
		if (n > end - off)
			n = end - off;
		if (!pw_dma_write(e->m, &q->win, addr, src, n))
			return;
		addr += n;
		off += n;
		len -= n;
	}
}

static bool
rx_write_back(struct e1000_model *e, struct e1000_rxq *q, uint32_t len, bool last)
{
	const struct e1000_rx_pkt *p = &q->pkt;
	uint64_t wb = E1000_RXD_WB(len, 0, E1000_RXD_DD, 0, 0);

	if (last)
		wb = E1000_RXD_WB(len, p->csum, p->status | E1000_RXD_DD | E1000_RXD_EOP,
				  p->errors, p->vlan);
	return pw_dma_publish(e->m, &q->ring.win,
			      e1000_ring_iova(&q->ring, q->ring.r[E1000_RING_HEAD]) + 8, wb, 8);
}

/* RXDMT0 when exactly this many descriptors are left (§9.4) */
static uint32_t
rx_low_mark(const struct e1000_model *e, const struct e1000_rxq *q)
{
	uint32_t rdmts = (E1000_R(e, E1000_RCTL) & E1000_RCTL_RDMTS_MASK) >>
			 E1000_RCTL_RDMTS_SHIFT;

	return q->ring.count >> (rdmts + 1);
}

static bool
rx_has_descriptor(struct e1000_model *e, struct e1000_rxq *q)
{
	if (!e1000_dma_on(e) || !e1000_ring_ok(e, &q->ring) ||
	    q->ring.r[E1000_RING_TAIL] >= q->ring.count)
		return false;
	if (PW_UNLIKELY(e->x != NULL) && e1000_rx_splits(e))
		return e1000_ring_used(&q->ring) >= E1000_RXDPS_UNITS;
	return q->ring.r[E1000_RING_HEAD] != q->ring.r[E1000_RING_TAIL];
}

/* The head moves on over a descriptor of so many units of 16 bytes. */
void
e1000_rx_next(struct e1000_model *e, struct e1000_rxq *q, unsigned int units)
{
	while (units-- > 0)
		e1000_ring_step(&q->ring);
	if (e1000_ring_used(&q->ring) != rx_low_mark(e, q))
		return;
	e1000_irq_set(e, pw_msix_on(e->m) ? E1000_ICR_RXDMT0 | e1000_rx_cause(e, q->pkt.queue)
					  : E1000_ICR_RXDMT0);
}

/* One descriptor. False: there is no DMA to the ring. */
static bool
rx_descriptor(struct e1000_model *e, struct e1000_rxq *q)
{
	struct e1000_ring *ring = &q->ring;
	uint32_t n = q->pkt.stored - q->off;
	uint32_t size = rx_buffer_size(e);
	uint64_t addr;

	if (PW_UNLIKELY(e->x != NULL) && e1000_rx_extended(e))
		return e1000_574_rx_descriptor(e, q, size);
	if (!pw_dma_read(e->m, &ring->win, e1000_ring_iova(ring, ring->r[E1000_RING_HEAD]), &addr,
			 sizeof(addr)))
		return false;
	if (addr == 0)
		n = 0; /* no data, DD only (§3.1) */
	else if (n > size)
		n = size;
	e1000_rx_copy(e, q, addr, q->off, n);
	q->off += n;
	if (!rx_write_back(e, q, n, q->off == q->pkt.stored))
		return false;
	e1000_rx_next(e, q, 1);
	return true;
}

static int
rx_store(struct e1000_model *e, struct e1000_rxq *q)
{
	while (q->off < q->pkt.stored) {
		if (!rx_has_descriptor(e, q))
			return -EAGAIN;
		if (!rx_descriptor(e, q)) {
			q->ring.count = 0; /* stands still until software moves the tail */
			return -EAGAIN;
		}
	}
	if (q->pkt.stored <= E1000_R(e, E1000_RSRPD))
		e1000_irq_set(e, E1000_ICR_SRPD);
	if (PW_UNLIKELY(q->pkt.ack))
		e1000_irq_set(e, E1000_ICR_ACK);
	e1000_irq_rx(e, q->pkt.queue);
	return 0;
}

/* Descriptors that a frame that cannot wait would take. */
static bool
rx_fits(struct e1000_model *e, struct e1000_rxq *q)
{
	uint32_t size = rx_buffer_size(e);
	uint32_t units = (q->pkt.stored + size - 1) / size;

	if (e->x != NULL && e1000_rx_splits(e))
		units = e1000_574_rx_units(e, &q->pkt);
	return rx_has_descriptor(e, q) && e1000_ring_used(&q->ring) >= units;
}

static int
rx_lost(struct e1000_model *e)
{
	e1000_stat(e, E1000_MPC);
	e1000_irq_set(e, E1000_ICR_RXO);
	return -ENOBUFS;
}

/* --- one frame ----------------------------------------------------------------------------- */

/* A frame that was begun but will not be finished: the receiver is being turned off. */
void
e1000_rx_abort(struct e1000_model *e)
{
	if (!e->rxq[e->rx_queue].waiting)
		return;
	e->rxq[e->rx_queue].waiting = false;
	pw_wire_next(e->m->wire);
}

/* A frame's first sight. 0: it is to be stored, 1: done with it, -ENOBUFS: lost. */
static int
rx_begin(struct e1000_model *e, const uint8_t *data, uint32_t len, uint32_t flags)
{
	struct e1000_rxq *q = &e->rxq[0];

	if (pw_fault_take(e->m, PW_FAULT_RX_OVERRUN))
		return rx_lost(e);
	if (pw_fault_take(e->m, PW_FAULT_BAD_CRC))
		flags |= PW_FRAME_BAD_CRC;
	q->off = 0;
	memset(&q->pkt, 0, sizeof(q->pkt));
	q->pkt.data = data;
	q->pkt.len = len;
	q->pkt.extended = (flags & PW_FRAME_EXTENDED) != 0 && e1000_has(e, E1000_F_TBI) &&
			  e->phy.mbps == 1000;
	if (!rx_judge(e, &q->pkt, flags))
		return 1;
	if (PW_UNLIKELY(e->rx_hangs))
		return rx_lost(e);
	e->rx_queue = q->pkt.queue;
	if (PW_UNLIKELY(e->rx_queue != 0)) {
		e->rxq[e->rx_queue].pkt = q->pkt;
		e->rxq[e->rx_queue].off = 0;
		q = &e->rxq[e->rx_queue];
	}
	if (PW_UNLIKELY(!rx_has_descriptor(e, q)))
		e1000_stat(e, E1000_RNBC);
	return 0;
}

/*
 * A frame at the MAC. 0: done with it, -ENOBUFS: lost, -EAGAIN: it waits for descriptors and
 * is to be shown again (`may_wait` only).
 */
int
e1000_rx_frame(struct e1000_model *e, const uint8_t *data, uint32_t len, uint32_t flags,
	       bool may_wait)
{
	struct e1000_rxq *q = &e->rxq[e->rx_queue];
	int ret;

	if ((E1000_R(e, E1000_RCTL) & E1000_RCTL_EN) == 0)
		return -ENOBUFS;
	/* The packet buffer is full of what waits, or nobody empties it. */
	if ((q->waiting && !may_wait) || PW_UNLIKELY(e->rx_hangs))
		return rx_lost(e);
	if (!q->waiting) {
		ret = rx_begin(e, data, len, flags);
		if (ret != 0)
			return ret < 0 ? ret : 0;
		q = &e->rxq[e->rx_queue];
		if (!may_wait && !rx_fits(e, q))
			return rx_lost(e);
	}
	ret = rx_store(e, q);
	q->waiting = ret != 0 && may_wait;
	if (ret == 0 && q->pkt.good)
		rx_count_good(e, &q->pkt);
	return ret == 0 || may_wait ? ret : rx_lost(e);
}

/* XOFF while a frame waits, XON when none does (§2.3): the wire stands for the FIFO. */
void
e1000_send_xoff(struct e1000_model *e)
{
	uint32_t quanta = E1000_R(e, E1000_FCTTV);

	e->xoff_sent = true;
	e1000_send_pause(e, quanta);
	/* Again before it runs out; not for time that has passed unseen. */
	if (quanta > 1)
		pw_timer_set(e->m, E1000_T_XOFF,
			     pw_clock_now(e->m->clock) + e1000_quanta_ns(e, quanta / 2));
}

static void
rx_flow_control(struct e1000_model *e, bool full)
{
	if (full && !e->xoff_sent && (E1000_R(e, E1000_CTRL) & E1000_CTRL_TFCE) != 0 &&
	    (E1000_R(e, E1000_FCRTH) & E1000_FCRTH_RTH_MASK) != 0)
		e1000_send_xoff(e);
	if (!full && e->xoff_sent) {
		e->xoff_sent = false;
		pw_timer_stop(e->m, E1000_T_XOFF);
		if ((E1000_R(e, E1000_FCRTL) & E1000_FCRTL_XONE) != 0)
			e1000_send_pause(e, 0);
	}
}

unsigned int
e1000_rx_run(struct e1000_model *e)
{
	struct pw_wire *wire = e->m->wire;
	struct pw_frame f;
	unsigned int done = 0;
	uint64_t missed;
	int ret = 0;

	if (!e->listening || wire == NULL)
		return 0;
	missed = pw_wire_missed(wire);
	if (PW_UNLIKELY(missed != 0)) {
		e1000_stat_add(e, E1000_MPC, missed > UINT32_MAX ? UINT32_MAX : (uint32_t)missed);
		e1000_irq_set(e, E1000_ICR_RXO);
	}
	while (pw_wire_peek(wire, &f)) {
		ret = e1000_rx_frame(e, f.data, f.len, f.flags, true);
		if (ret == -EAGAIN)
			break;
		pw_wire_next(wire);
		done++;
	}
	rx_flow_control(e, ret == -EAGAIN);
	return done;
}

void
e1000_rctl_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	E1000_R(e, off) = val & (RCTL_RW | (e->x != NULL ? E1000_RCTL_FLXBUF_MASK : 0));
	if (e->x == NULL && (val & E1000_RCTL_EN) != 0 && (val & E1000_RCTL_DTYP_MASK) != 0)
		pw_violate(e->m, PW_VIOL_PROTOCOL, "RCTL.DTYP: 8254x have legacy descriptors only "
			   "(§1.2)");
	e1000_listen_update(e);
}
