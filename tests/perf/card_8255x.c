/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "card_8255x.h"

/* Registers (§2). */
enum {
	STATUS = 0x00,
	STAT_ACK = 0x01,
	COMMAND = 0x02,
	POINTER = 0x04,
	PORT = 0x08,
	EEPROM = 0x0E,
	MDI = 0x10,
	GEN_STATUS = 0x1D,
};

#define REG8(c, off) ((c)->csr[off])
#define REG16(c, off) (*(volatile uint16_t *)(volatile void *)&(c)->csr[off])
#define REG32(c, off) (*(volatile uint32_t *)(volatile void *)&(c)->csr[off])

#define PORT_SEEN 0xFFFFFFFFu /* no function of PORT has this number */
#define UP_100_FD 0x07u

struct block {
	uint16_t status;
	uint16_t cmd;
	uint32_t link;
	uint32_t array;
	uint16_t count;
	uint8_t threshold;
	uint8_t nb_tbd;
	uint32_t tbd[12];
};

struct rfd {
	uint16_t status;
	uint16_t cmd;
	uint32_t link;
	uint32_t rbd;
	uint16_t count;
	uint16_t size;
	uint16_t vlan_be;
	uint8_t parser;
	uint8_t pad;
	uint16_t security;
	uint8_t csum;
	uint8_t zero_copy;
};

static void *
at(uint32_t addr)
{
	return (void *)(uintptr_t)addr;
}

int
card_8255x_init(struct card_8255x *c, uint8_t last)
{
	uint16_t sum = 0;
	void *bar;

	memset(c, 0, sizeof(*c));
	bar = mmap(NULL, CARD_8255X_BAR_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		   -1, 0);
	if (bar == MAP_FAILED)
		return -ENOMEM;
	c->csr = bar;

	c->nvm[0] = 0x5452;
	c->nvm[1] = 0x1200;
	c->nvm[2] = 0x0035 | last << 8;
	c->nvm[3] = 0x0003;	/* no lock-up (§7) */
	c->nvm[6] = 0x0701;	/* an 82555 at address 1 */
	c->nvm[10] = 0x4000;
	for (unsigned int i = 0; i < 63; i++)
		sum += c->nvm[i];
	c->nvm[63] = 0xBABA - sum; /* §4.1 */

	/* 82555, link up at 100 full duplex, autonegotiation complete (§9). */
	c->phy[0] = 0x3100;
	c->phy[1] = 0x782D;
	c->phy[2] = 0x02A8;
	c->phy[3] = 0x0154;
	c->phy[4] = 0x05E1;
	c->phy[5] = 0x45E1;
	c->phy[6] = 0x0001;
	c->phy[16] = 0x0003;
	REG32(c, MDI) = 0x10000000;
	REG32(c, PORT) = PORT_SEEN;
	REG8(c, GEN_STATUS) = UP_100_FD;
	return 0;
}

static void
step_mdi(struct card_8255x *c)
{
	uint32_t v = REG32(c, MDI);
	unsigned int reg = v >> 16 & 31;
	unsigned int op = v >> 26 & 3;

	if ((v & 1u << 28) != 0)
		return;
	if (op == 2)
		v = (v & 0xffff0000u) | ((v >> 21 & 31) == 1 ? c->phy[reg] : 0xffffu);
	else if (op == 1 && (v >> 21 & 31) == 1 && reg == 0)
		c->phy[0] = v & 0xffff & ~0x8200; /* reset and restart clear themselves */
	else if (op == 1 && (v >> 21 & 31) == 1 && (reg == 4 || reg > 16))
		c->phy[reg] = v & 0xffff;
	REG32(c, MDI) = v | 1u << 28;
}

/*
 * One clock edge of the 93C46: SK bit 0, CS 1, DI 2, DO 3. DO is high until the last bit of the
 * address is in, and low then: the dummy zero (§4.1).
 */
static void
step_microwire(struct card_8255x *c)
{
	uint16_t v = REG16(c, EEPROM);
	bool sk = v & 1;

	if ((v & 2) == 0) {
		c->nbits = 0;
		c->shift = 0;
		c->out_left = 0;
		c->dout = true;
	} else if (sk && !c->sk && c->out_left > 0) {
		c->out_left--;
		c->dout = (c->out >> c->out_left & 1) != 0;
	} else if (sk && !c->sk && (c->nbits > 0 || (v & 4) != 0)) {
		c->shift = c->shift << 1 | (v >> 2 & 1);
		if (++c->nbits == 9) {
			if (c->shift >> 6 == 6) { /* start bit and READ */
				c->out = c->nvm[c->shift & 63];
				c->out_left = 16;
				c->dout = false;
			}
			c->nbits = 0;
			c->shift = 0;
		}
	}
	c->sk = sk;
	REG16(c, EEPROM) = c->dout ? v | 8 : v & ~8;
}

static void
step_port(struct card_8255x *c)
{
	uint32_t v = REG32(c, PORT);

	if (v == PORT_SEEN)
		return;
	if ((v & 15) == 1) { /* self-test: signature, then result */
		uint32_t *test = at(v & ~15u);

		test[1] = 0;
		test[0] = 0x04F4518B;
	}
	c->suspended = false;
	c->next = 0;
	c->rfd = 0;
	REG32(c, PORT) = PORT_SEEN;
	REG8(c, COMMAND) = 0;
}

/* Where the marker is does not matter to a driver that takes both places. */
static void
dump_stats(const struct card_8255x *c, uint32_t marker)
{
	uint32_t *dump = at(c->stats);

	if (c->stats == 0)
		return;
	memset(dump, 0, 80);
	dump[20] = marker;
	dump[16] = marker;
}

/* The command byte is accepted: it reads 0 from now on. */
static void
take_command(struct card_8255x *c)
{
	uint8_t v = REG8(c, COMMAND);
	uint32_t pointer = REG32(c, POINTER);

	if (v == 0)
		return;
	switch (v & 0xF0) {
	case 0x10:
		c->next = pointer;
		c->suspended = false;
		break;
	case 0x20:
		if (c->suspended && (((struct block *)at(c->cb))->cmd & 0x4000) == 0) {
			c->next = ((struct block *)at(c->cb))->link;
			c->suspended = false;
		}
		break;
	case 0x40:
		c->stats = pointer;
		break;
	case 0x50:
		dump_stats(c, 0xA005);
		break;
	case 0x70:
		dump_stats(c, 0xA007);
		break;
	}
	if ((v & 7) == 1)
		c->rfd = pointer;
	else if ((v & 7) == 4)
		c->rfd = 0;
	REG8(c, COMMAND) = 0;
}

/* Configure: what changes the shape of an RFD (§3.2). */
static void
configure(struct card_8255x *c, const uint8_t *byte)
{
	c->rfd_len = (byte[0] & 0x3F) > 22 && (byte[7] & 0x20) != 0 ? 32 : 16;
	c->sum = (byte[9] & 1) != 0;
}

/* Gather what the TBDs of a flexible block say. */
static uint32_t
gather(const struct block *b, bool ipcb, uint8_t *frame, uint32_t room, bool copy)
{
	const uint32_t *tbd = at(b->array);
	unsigned int n = b->nb_tbd;
	uint32_t len = 0;

	if (ipcb) { /* TBD 0 is in the block, its size a half word; the array ends with a mark */
		if (copy && (b->tbd[3] & 0x3FFF) <= room)
			memcpy(frame, at(b->tbd[2]), b->tbd[3] & 0x3FFF);
		len = b->tbd[3] & 0x3FFF;
		n = (b->tbd[3] & 0x8000) != 0 ? 0 : n;
	}
	for (unsigned int i = 0; i < n; i++) {
		/* Two TBDs are in an extended block, and lie before the array. */
		uint32_t size = tbd[2 * i + 1] & 0x3FFF;

		if (copy && len + size <= room)
			memcpy(frame + len, at(tbd[2 * i]), size);
		len += size;
		if ((tbd[2 * i + 1] & 0x18000) != 0)
			break;
	}
	return len;
}

static void
send(struct card_8255x *c, const struct block *b, card_tx_fn fn, void *ctx)
{
	uint8_t frame[16384];
	bool ipcb = (b->cmd & 15) == 9;
	uint32_t len;

	if (!ipcb && b->array == (uint32_t)(uintptr_t)&b->tbd[4]) {
		/* An extended block: its array is the third TBD on; they are one row in memory. */
		struct block flat = *b;

		flat.array = (uint32_t)(uintptr_t)&b->tbd[0];
		len = gather(&flat, false, frame, sizeof(frame), fn != NULL);
	} else
		len = gather(b, ipcb, frame, sizeof(frame), fn != NULL);
	c->tx_packets++;
	c->tx_bytes += len;
	if (fn != NULL && len <= sizeof(frame))
		fn(ctx, frame, len);
}

unsigned int
card_8255x_tx(struct card_8255x *c, card_tx_fn fn, void *ctx)
{
	unsigned int sent = 0;

	take_command(c);
	while (c->next != 0) {
		volatile struct block *b = at(c->next);
		unsigned int op = b->cmd & 15;

		if ((op & 7) == 4 || op == 9) {
			send(c, (const struct block *)at(c->next), fn, ctx);
			sent++;
		} else if ((op & 7) == 2)
			configure(c, (const uint8_t *)at(c->next) + 8);
		__atomic_thread_fence(__ATOMIC_RELEASE);
		b->status = 0xA000;
		c->cb = c->next;
		c->suspended = (b->cmd & 0x4000) != 0;
		c->next = (b->cmd & 0xC000) != 0 ? 0 : b->link;
	}
	REG8(c, STATUS) = (c->suspended ? 0x40 : 0x00) | (c->rfd != 0 ? 0x10 : 0x00);
	return sent;
}

void
card_8255x_step(struct card_8255x *c)
{
	step_port(c);
	step_mdi(c);
	step_microwire(c);
	card_8255x_tx(c, NULL, NULL);
	REG8(c, STAT_ACK) = 0;
}

unsigned int
card_8255x_rx(struct card_8255x *c, unsigned int n, const void *frame, uint16_t len, uint32_t ext,
	      uint16_t csum)
{
	unsigned int done;

	for (done = 0; done < n && c->rfd != 0; done++) {
		volatile struct rfd *r = at(c->rfd);

		if (r->size == 0) { /* the end of the list: no resources, untouched (§5.4) */
			c->rfd = 0;
			REG8(c, STATUS) = (REG8(c, STATUS) & 0xC0) | 0x08;
			break;
		}
		memcpy((uint8_t *)at(c->rfd) + c->rfd_len, frame, len);
		if (c->sum)
			memcpy((uint8_t *)at(c->rfd) + c->rfd_len + len, &csum, sizeof(csum));
		if (c->rfd_len == 32) {
			r->vlan_be = (uint16_t)(ext >> 24 | (ext >> 8 & 0xFF00));
			r->parser = 0x09;
			r->csum = (uint8_t)csum;
		}
		r->count = 0xC000 | (len + (c->sum ? 2 : 0));
		__atomic_thread_fence(__ATOMIC_RELEASE);
		r->status = 0xA000 | (uint16_t)ext;
		c->rfd = r->link;
	}
	return done;
}
