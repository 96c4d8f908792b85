/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Receive on 82543 with a copper PHY.
 *
 * Some partners end a gigabit frame with a symbol of carrier extension, and this chip takes it for
 * a byte of the frame, behind the CRC (§7). So it finds the CRC wrong. At that speed bad frames are
 * stored as well (RCTL.SBP), and this burst looks through what is ready before it calls an
 * ordinary one: a frame with a wrong CRC, 0x0f at its end, and a CRC that is right without that
 * byte, has the byte taken off and its error bit cleared, right in the descriptor. What the
 * chip would not have stored otherwise is marked bad there, and dropped.
 *
 * The chip cannot strip the CRC meanwhile, for it would take off the wrong four bytes: they are
 * taken off here, unless they are to be kept.
 *
 * Makers' drivers go by the last byte alone, and let one in 256 spoilt frames through. A frame
 * in several buffers is not looked at: it is dropped as the chip would have it.
 */

#include <string.h>

#include <rte_net_crc.h>

#include <e1000_desc.h>

#include "e1000.h"

#define CARRIER_EXTENSION	0x0f
#define VLAN_AT			(2 * RTE_ETHER_ADDR_LEN)

#define WB_EOP		((uint64_t)E1000_RXD_EOP << E1000_RXD_STATUS_SHIFT)
#define WB_DD		((uint64_t)E1000_RXD_DD << E1000_RXD_STATUS_SHIFT)
#define WB_VP		((uint64_t)E1000_RXD_VP << E1000_RXD_STATUS_SHIFT)
#define WB_CE		((uint64_t)E1000_RXD_CE << E1000_RXD_ERRORS_SHIFT)
#define WB_ERRORS	((uint64_t)E1000_RXD_FRAME_ERRORS << E1000_RXD_ERRORS_SHIFT)
#define WB_LEN_MASK	((uint64_t)UINT16_MAX)

void
e1000_rx_extended_start(struct rte_eth_dev *eth)
{
	bool on = (e1000_adapter_of(eth)->hw.flags & E1000_F_ERR_EXTENDED) != 0;
	bool keep = (eth->data->dev_conf.rxmode.offloads & RTE_ETH_RX_OFFLOAD_KEEP_CRC) != 0;

	for (uint16_t q = 0; q < eth->data->nb_rx_queues; q++) {
		struct e1000_rxq *rxq = eth->data->rx_queues[q];

		rxq->extended = on;
		rxq->crc_trim = on && !keep ? RTE_ETHER_CRC_LEN : 0;
	}
}

/* --- before the burst ---------------------------------------------------------------------- */

/* The CRC of `len` bytes that the tag of the descriptor was taken out of. */
static uint32_t
crc_with_tag(const struct e1000_rxq *rxq, const uint8_t *data, uint32_t len, uint64_t wb)
{
	uint8_t frame[RTE_ETHER_MAX_VLAN_FRAME_LEN];
	uint16_t tag[2] = { rxq->tpid, rte_cpu_to_be_16(E1000_RXD_VLAN(wb)) };

	memcpy(frame, data, VLAN_AT);
	memcpy(frame + VLAN_AT, tag, sizeof(tag));
	memcpy(frame + VLAN_AT + sizeof(tag), data + VLAN_AT, len - VLAN_AT);
	return rte_net_crc_calc(frame, len + sizeof(tag), RTE_NET_CRC32_ETH);
}

/* Whether a frame is whole without its last byte. */
static bool
is_extended(const struct e1000_rxq *rxq, const uint8_t *data, uint64_t wb)
{
	uint32_t stored = E1000_RXD_LEN(wb), tag = wb & WB_VP ? RTE_VLAN_HLEN : 0, fcs, len;

	if (stored + tag < RTE_ETHER_MIN_LEN + 1u ||
	    (tag != 0 && stored + tag > RTE_ETHER_MAX_VLAN_FRAME_LEN + 1u) ||
	    data[stored - 1] != CARRIER_EXTENSION)
		return false;
	len = stored - 1 - RTE_ETHER_CRC_LEN;
	memcpy(&fcs, data + len, sizeof(fcs));
	return rte_le_to_cpu_32(fcs) == (tag != 0 ? crc_with_tag(rxq, data, len, wb) :
					 rte_net_crc_calc(data, len, RTE_NET_CRC32_ETH));
}

/* Without RCTL.SBP the chip would have kept these to itself, and it has counted them. */
static bool
has_no_fit_length(const struct e1000_rxq *rxq, uint64_t wb)
{
	uint32_t len = E1000_RXD_LEN(wb) + (wb & WB_VP ? RTE_VLAN_HLEN : 0);

	return len < RTE_ETHER_MIN_LEN ||
	       (len > RTE_ETHER_MAX_VLAN_FRAME_LEN && rxq->max_len <= RTE_ETHER_MAX_VLAN_FRAME_LEN);
}

/* What the descriptor of a frame in one buffer should have said. Does no harm if done twice. */
static uint64_t
judge(struct e1000_rxq *rxq, uint32_t slot, uint64_t wb)
{
	const uint8_t *data = (const uint8_t *)rxq->q.bufs.slot[slot]->buf_addr + rxq->rx_off;

	if ((wb & WB_ERRORS) == WB_CE && is_extended(rxq, data, wb) &&
	    !has_no_fit_length(rxq, wb - 1)) {
		wb = (wb & ~WB_CE) - 1;
		rxq->stats->rx_extended++;
		rxq->stats->rx_extended_bytes += E1000_RXD_LEN(wb) - RTE_ETHER_CRC_LEN +
						 (wb & WB_VP ? RTE_VLAN_HLEN : 0);
		return wb;
	}
	/* No bytes: they are in none of the chip's counters, so none may be taken off. */
	if ((wb & WB_ERRORS) != 0 || has_no_fit_length(rxq, wb))
		return (wb | WB_CE) & ~WB_LEN_MASK;
	return wb;
}

/* Go through what the chip is done with, until `most` frames have been found that will do. */
static void
look_through(struct e1000_rxq *rxq, uint16_t most)
{
	const struct pw_ring *r = &rxq->q.ring;
	bool first = rxq->in_frame == E1000_RX_IDLE;

	for (uint32_t n = 0; n < pw_ring_used(r) && most > 0; n++) {
		uint32_t slot = pw_ring_slot(r, r->cons + n);
		volatile struct e1000_rxd *d = (volatile struct e1000_rxd *)rxq->q.desc + slot;
		uint64_t wb = rte_le_to_cpu_64(d->wb), now = wb;

		if ((wb & WB_DD) == 0)
			break;
		/* DD was read before, the frame is read after this. */
		rte_io_rmb();
		if (first && (wb & WB_EOP) != 0)
			now = judge(rxq, slot, wb);
		if (now != wb)
			d->wb = rte_cpu_to_le_64(now);
		first = (wb & WB_EOP) != 0;
		most -= first && (now & WB_ERRORS) == 0;
	}
}

/* --- after it ------------------------------------------------------------------------------ */

/* Take bytes off the end, and segments that hold none any more. */
static void
trim(struct rte_mbuf *m, uint32_t n)
{
	while (n > 0) {
		struct rte_mbuf *before = NULL, *last = m;
		uint32_t k;

		for (; last->next != NULL; last = last->next)
			before = last;
		k = RTE_MIN(n, last->data_len);
		last->data_len -= k;
		m->pkt_len -= k;
		n -= k;
		if (last->data_len != 0 || before == NULL)
			return;
		before->next = NULL;
		m->nb_segs--;
		rte_pktmbuf_free_seg(last);
	}
}

uint16_t
e1000_rx_burst_extended(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	struct e1000_rxq *rxq = queue;
	uint16_t n;

	look_through(rxq, nb_pkts);
	n = rxq->full ? e1000_rx_burst_full(queue, pkts, nb_pkts) :
			e1000_rx_burst(queue, pkts, nb_pkts);
	for (uint16_t i = 0; i < n; i++)
		trim(pkts[i], rxq->crc_trim);
	return n;
}
