/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Receive descriptors that only PCI Express parts have: extended, which are written over with
 * more than legacy ones can tell (§3.2), and packet split, with a buffer for headers and three
 * for data (§3.3). DD goes last in both.
 */

#include "e1000_model.h"

#define PS_BUFFERS 4

static uint32_t
stat_err(const struct e1000_rx_pkt *p)
{
	return E1000_RXD_DD | E1000_RXD_EOP | p->status | p->ext |
	       (uint32_t)p->errors << E1000_RXDX_ERRORS_SHIFT;
}

/* The first 16 bytes of a write-back; only a frame's last descriptor tells about the frame. */
static bool
write_back(struct e1000_model *e, struct e1000_rxq *q, uint64_t at, uint32_t len, bool last)
{
	const struct e1000_rx_pkt *p = &q->pkt;
	uint64_t lo = 0, hi = E1000_RXDX_HI(E1000_RXD_DD, len, 0);

	if (last) {
		uint32_t mrq = E1000_RXDX_MRQ(p->rss_type, p->queue);
		bool hash = (E1000_R(e, E1000_RXCSUM) & E1000_RXCSUM_PCSD) != 0;

		lo = hash ? E1000_RXDX_LO_HASH(mrq, p->hash)
			  : E1000_RXDX_LO_CSUM(mrq, p->ip_id, p->csum);
		hi = E1000_RXDX_HI(stat_err(p), len, p->vlan);
	}
	return pw_dma_write(e->m, &q->ring.win, at, &lo, sizeof(lo)) &&
	       pw_dma_publish(e->m, &q->ring.win, at + 8, hi, sizeof(hi));
}

/* --- extended ------------------------------------------------------------------------------ */

static bool
extended(struct e1000_model *e, struct e1000_rxq *q, uint32_t size)
{
	uint64_t at = e1000_ring_iova(&q->ring, q->ring.r[E1000_RING_HEAD]);
	uint32_t n = q->pkt.stored - q->off;
	struct e1000_rxd_ext d;

	if (!pw_dma_read(e->m, &q->ring.win, at, &d, sizeof(d)))
		return false;
	if ((d.hi & E1000_RXD_DD) != 0)
		pw_violate(e->m, PW_VIOL_PROTOCOL, "extended Rx descriptor given with DD (§3.2)");
	if (d.lo == 0)
		n = 0; /* no data, DD only (§3.1) */
	else if (n > size)
		n = size;
	/* Where the buffer is not mapped the data is lost, and the violation recorded. */
	e1000_rx_copy(e, q, d.lo, q->off, n);
	q->off += n;
	if (!write_back(e, q, at, n, q->off == q->pkt.stored))
		return false;
	e1000_rx_next(e, q, 1);
	return true;
}

/* --- packet split -------------------------------------------------------------------------- */

static void
ps_sizes(const struct e1000_model *e, uint32_t size[PS_BUFFERS])
{
	uint32_t psrctl = E1000_R(e, E1000_PSRCTL);
	unsigned int i;

	size[0] = (psrctl & E1000_PSRCTL_BSIZE0_MASK) * 128;
	for (i = 1; i < PS_BUFFERS; i++)
		size[i] = (psrctl >> 8 * i & 0x3f) * 1024;
}

/* Bytes that go to the header buffer alone; 0: all buffers are filled in turn. */
static uint32_t
ps_header(const struct e1000_rx_pkt *p, const uint32_t size[PS_BUFFERS])
{
	return p->split <= size[0] && p->split <= p->stored ? p->split : 0;
}

/* Rings count units of 16 bytes in this form too: how many a frame takes. */
uint32_t
e1000_574_rx_units(const struct e1000_model *e, const struct e1000_rx_pkt *p)
{
	uint32_t size[PS_BUFFERS], left = p->stored, room, header;

	ps_sizes(e, size);
	room = size[1] + size[2] + size[3];
	header = ps_header(p, size);
	if (header == 0)
		room += size[0];
	left -= header;
	if (left == 0 || room == 0)
		return E1000_RXDPS_UNITS;
	return (left + room - 1) / room * E1000_RXDPS_UNITS;
}

/* Spread what is left of the frame; len[] tells how much each buffer got. */
static void
ps_fill(struct e1000_model *e, struct e1000_rxq *q, const uint64_t addr[PS_BUFFERS],
	const uint32_t size[PS_BUFFERS], uint32_t header, uint32_t len[PS_BUFFERS])
{
	unsigned int i;

	for (i = 0; i < PS_BUFFERS; i++) {
		uint32_t n = q->pkt.stored - q->off;

		if (n > size[i])
			n = size[i];
		/* The header buffer has the header, and nothing behind the first descriptor. */
		if (header != 0 && i == 0)
			n = q->off == 0 ? header : 0;
		if (n != 0 && addr[i] == 0)
			pw_violate(e->m, PW_VIOL_PROTOCOL,
				   "packet split: buffer %u is a null address (§3.3)", i);
		else
			e1000_rx_copy(e, q, addr[i], q->off, n);
		len[i] = n;
		q->off += n;
	}
}

static bool
packet_split(struct e1000_model *e, struct e1000_rxq *q)
{
	uint64_t at = e1000_ring_iova(&q->ring, q->ring.r[E1000_RING_HEAD]);
	uint32_t size[PS_BUFFERS], len[PS_BUFFERS], header;
	uint64_t d[PS_BUFFERS], q2;

	ps_sizes(e, size);
	if (size[0] == 0 || size[1] == 0) {
		pw_violate(e->m, PW_VIOL_PROTOCOL,
			   "PSRCTL 0x%08x: BSIZE0 and BSIZE1 are not 0 (§2.3)",
			   E1000_R(e, E1000_PSRCTL));
		return false;
	}
	if (q->ring.r[E1000_RING_HEAD] % E1000_RXDPS_UNITS != 0) {
		pw_violate(e->m, PW_VIOL_PROTOCOL,
			   "packet split: head %u is in mid-descriptor (§3.3)",
			   q->ring.r[E1000_RING_HEAD]);
		return false;
	}
	if (!pw_dma_read(e->m, &q->ring.win, at, d, sizeof(d)))
		return false;
	header = ps_header(&q->pkt, size);
	ps_fill(e, q, d, size, header, len);
	q2 = E1000_RXDPS_Q2(header == 0 ? 0 : header | E1000_RXDPS_HDRSP, len[1], len[2], len[3]);
	if (!pw_dma_write(e->m, &q->ring.win, at + 16, &q2, sizeof(q2)) ||
	    !write_back(e, q, at, len[0], q->off == q->pkt.stored))
		return false;
	e1000_rx_next(e, q, E1000_RXDPS_UNITS);
	return true;
}

/* One descriptor. False: the ring cannot be used. */
bool
e1000_574_rx_descriptor(struct e1000_model *e, struct e1000_rxq *q, uint32_t size)
{
	return e1000_rx_splits(e) ? packet_split(e, q) : extended(e, q, size);
}
