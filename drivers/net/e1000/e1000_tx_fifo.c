/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Transmit at half duplex on 82547.
 *
 * Its Tx FIFO is a ring of 18 KiB. At half duplex, where a packet may have to be sent again after
 * a collision, one that reaches far past the FIFO's end hangs the transmitter for good (§6). So
 * the driver keeps account of where in the FIFO the next packet will lie. One that would reach
 * too far is refused, as with a full ring, until all before it have been sent; then the FIFO's
 * pointers are put back to its start, and the account with them.
 *
 * This burst gives packets to the full one, one by one, and it is the 82547's alone: no other
 * part's packets come this way. As long as the link is known to be full duplex it passes them all
 * on at once and keeps no account. Until the next one is begun by such a reset, whatever the
 * FIFO holds by then, no packet is given. A link that is down or has not been looked at yet is
 * taken for half duplex: it may come up so.
 */

#include <e1000_desc.h>

#include "e1000.h"

/* A packet takes its bytes and a header, in units of that. */
#define FIFO_HEADER		16
/* By so much, or more, must none reach past the end. */
#define FIFO_OVERHANG		992
/* What the pointers count in, bytes. */
#define FIFO_POINTER_UNIT	8
#define FIFO_MIN_FRAME		(RTE_ETHER_MIN_LEN - RTE_ETHER_CRC_LEN)

void
e1000_fifo_init(struct e1000_txq *txq, const struct e1000_hw *hw)
{
	if ((hw->flags & E1000_F_ERR_HALF) == 0)
		return;
	txq->fifo.link = &hw->link;
	txq->fifo.base = hw->variant->rx_pba_kb * 1024u / FIFO_POINTER_UNIT;
	txq->fifo.size = hw->variant->fifo_kb * 1024u;
}

/* After a reset of the chip the FIFO is empty, and its pointers are where they begin. */
void
e1000_fifo_start(struct e1000_txq *txq)
{
	txq->fifo.head = 0;
	txq->fifo.known = true;
}

/* Bytes of the FIFO that a packet takes. Its segments say what is sent, whatever its head says. */
static uint32_t
fifo_len(const struct rte_mbuf *m)
{
	uint32_t len = 0;

	for (; m != NULL; m = m->next)
		len += m->data_len;
	return RTE_ALIGN_CEIL(RTE_MAX(len, FIFO_MIN_FRAME) + FIFO_HEADER, FIFO_HEADER);
}

static bool
fifo_is_idle(const struct pw_io *io)
{
	return pw_read32(io, E1000_TDH(0)) == pw_read32(io, E1000_TDT(0)) &&
	       pw_read32(io, E1000_TDFH) == pw_read32(io, E1000_TDFT) &&
	       pw_read32(io, E1000_TDFHS) == pw_read32(io, E1000_TDFTS) &&
	       pw_read32(io, E1000_TDFPC) == 0;
}

/* Begin at the FIFO's start again. @return false: something is still on its way. */
static bool
fifo_restart(struct e1000_txq *txq)
{
	const struct pw_io *io = txq->io;
	struct e1000_fifo *fifo = &txq->fifo;
	uint32_t tctl;

	if (!fifo_is_idle(io))
		return false;
	tctl = pw_read32(io, E1000_TCTL);
	pw_write32(io, E1000_TCTL, tctl & ~E1000_TCTL_EN);
	pw_write32(io, E1000_TDFT, fifo->base);
	pw_write32(io, E1000_TDFH, fifo->base);
	pw_write32(io, E1000_TDFTS, fifo->base);
	pw_write32(io, E1000_TDFHS, fifo->base);
	pw_write32(io, E1000_TCTL, tctl);
	(void)pw_read32(io, E1000_STATUS);
	e1000_fifo_start(txq);
	return true;
}

static bool
fifo_may_take(struct e1000_txq *txq, uint32_t len)
{
	const struct e1000_fifo *fifo = &txq->fifo;

	if (fifo->known && fifo->head + len < fifo->size + FIFO_OVERHANG)
		return true;
	return fifo_restart(txq);
}

uint16_t
e1000_tx_burst_fifo(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	struct e1000_txq *txq = queue;
	struct e1000_fifo *fifo = &txq->fifo;
	uint16_t i;

	if (fifo->link->up && fifo->link->full_duplex) {
		fifo->known = false;
		return e1000_tx_burst_full(queue, pkts, nb_pkts);
	}
	for (i = 0; i < nb_pkts; i++) {
		uint32_t len = fifo_len(pkts[i]);
		uint64_t dropped = txq->stats->tx_dropped;

		if (!fifo_may_take(txq, len) || e1000_tx_burst_full(queue, &pkts[i], 1) == 0)
			break;
		/* What was dropped never comes to the FIFO. */
		if (txq->stats->tx_dropped == dropped)
			fifo->head = (fifo->head + len) % fifo->size;
	}
	return i;
}
