/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The Tx FIFO of 82547, and what goes wrong in it (§6): at half duplex a packet that reaches past
 * the end of the FIFO by 992 bytes or more never leaves it, and no other after it, until reset.
 * A packet takes its length and 16 bytes, in units of 16. Software may put the pointers back to
 * the start when the FIFO is empty and the transmitter is off.
 */

#include "e1000_model.h"

#define PACKET_HEADER 16
#define PACKET_UNIT 16
#define OVERHANG 992
#define POINTERS 4
#define POINTER_UNIT 8		/* bytes */

static uint32_t
fifo_size(const struct e1000_model *e)
{
	return (e->pba >> E1000_PBA_TX_SHIFT) * 1024;
}

/* The Tx part of the packet buffer lies behind the Rx part. */
static uint32_t
fifo_base(const struct e1000_model *e)
{
	return (e->pba & E1000_PBA_RX_MASK) * 1024 / POINTER_UNIT;
}

/* A packet of `len` bytes comes in, or is still there. False: nothing moves any more. */
bool
e1000_fifo_put(struct e1000_model *e, uint32_t len)
{
	struct e1000_fifo *f = &e->fifo;

	if (PW_LIKELY(!e1000_has(e, E1000_F_FIFO)))
		return true;
	if (f->hangs)
		return false;
	if (f->waits != 0)
		return true;
	len = (len + PACKET_HEADER + PACKET_UNIT - 1) & ~(PACKET_UNIT - 1u);
	f->waits = len;
	f->hangs = !e1000_full_duplex(e) && f->at + len >= fifo_size(e) + OVERHANG;
	return !f->hangs;
}

void
e1000_fifo_sent(struct e1000_model *e)
{
	struct e1000_fifo *f = &e->fifo;

	if (PW_LIKELY(!e1000_has(e, E1000_F_FIFO)))
		return;
	f->at = (f->at + f->waits) % fifo_size(e);
	f->waits = 0;
}

uint32_t
e1000_fifo_read(struct e1000_model *e, uint32_t off)
{
	const struct e1000_fifo *f = &e->fifo;
	bool tail = off == E1000_TDFT || off == E1000_TDFTS;

	if (off == E1000_TDFPC)
		return f->waits != 0;
	return fifo_base(e) + (f->at + (tail ? f->waits : 0)) % fifo_size(e) / POINTER_UNIT;
}

void
e1000_fifo_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	struct e1000_fifo *f = &e->fifo;

	if ((E1000_R(e, E1000_TCTL) & E1000_TCTL_EN) != 0 || f->waits != 0 ||
	    off == E1000_TDFPC || val != fifo_base(e)) {
		pw_violate(e->m, PW_VIOL_PROTOCOL, "Tx FIFO pointer 0x%x = 0x%x, %u bytes in it, "
			   "TCTL 0x%x (§6)", off, val, f->waits, E1000_R(e, E1000_TCTL));
		return;
	}
	f->written |= 1u << (off - E1000_TDFH) / (E1000_TDFT - E1000_TDFH);
	if (f->written != (1u << POINTERS) - 1)
		return;
	f->written = 0;
	f->at = 0;
}
