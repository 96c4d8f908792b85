/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * 82543: the PHY hangs on pins of CTRL, and software makes the frames of IEEE 802.3 clause 22 by
 * hand (§4.2): 32 ones, start 01, opcode 10 to read and 01 to write, five bits of PHY and five of
 * register, a turnaround of two, 16 bits of data. Everything happens on the rising edge of MDC.
 */

#include "e1000_model.h"

#define HEAD_BITS 14
#define TAIL_BITS 18		/* turnaround and data */
#define DATA_BITS 16
#define START_READ 0x6u
#define START_WRITE 0x5u
#define TURNAROUND_WRITE 0x2u

static bool
addressed(uint32_t head, uint32_t start)
{
	return head >> 10 == start && (head >> 5 & 31) == E1000_MDIC_PHY_ADDR;
}

/* Software drives the line. */
static void
mdio_in(struct e1000_model *e, bool bit)
{
	struct e1000_mdio *io = &e->mdio;
	uint32_t head;

	io->in = io->in << 1 | bit;
	head = (uint32_t)io->in & ((1u << HEAD_BITS) - 1);
	if ((uint32_t)(io->in >> HEAD_BITS) == UINT32_MAX && addressed(head, START_READ)) {
		io->out = e1000_mii_read(e, head & 31);
		io->left = TAIL_BITS - 1;
		return;
	}
	head = (uint32_t)io->in >> TAIL_BITS;
	if ((uint32_t)(io->in >> (HEAD_BITS + TAIL_BITS)) == UINT32_MAX &&
	    addressed(head, START_WRITE) &&
	    ((uint32_t)io->in >> DATA_BITS & 3) == TURNAROUND_WRITE)
		e1000_mii_write(e, head & 31, (uint16_t)io->in);
}

/* The PHY drives it: a zero for its half of the turnaround, then the data; nobody: a one. */
static void
mdio_out(struct e1000_mdio *io)
{
	io->pin = true;
	if (io->left == 0)
		return;
	io->left--;
	io->pin = io->left < DATA_BITS && (io->out >> io->left & 1) != 0;
}

/* A rising edge of MDC. */
void
e1000_mdio_clock(struct e1000_model *e, uint32_t ctrl)
{
	if (e->m->fault[PW_FAULT_PHY_SILENT] != 0)
		e->mdio.pin = true;
	else if ((ctrl & E1000_CTRL_MDIO_DIR) != 0)
		mdio_in(e, (ctrl & E1000_CTRL_MDIO) != 0);
	else
		mdio_out(&e->mdio);
}
