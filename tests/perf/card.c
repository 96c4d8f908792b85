/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "card.h"

/* Register offsets (§2.1, 2.3, 2.4). */
enum {
	CTRL = 0x0000,
	STATUS = 0x0008,
	EECD = 0x0010,
	EERD = 0x0014,
	MDIC = 0x0020,
	RCTL = 0x0100,
	TCTL = 0x0400,
	RDBAL = 0x2800,
	RDBAH = 0x2804,
	RDLEN = 0x2808,
	RDH = 0x2810,
	RDT = 0x2818,
	TDBAL = 0x3800,
	TDBAH = 0x3804,
	TDLEN = 0x3808,
	TDH = 0x3810,
	TDT = 0x3818,
	RAL0 = 0x5400,
	RAH0 = 0x5404,
	RFCTL = 0x5008,
};

#define REG(c, off) ((c)->reg[(off) / 4])

#define STATUS_UP_1000_FD 0x83u /* FD, LU, SPEED = 1000 */
#define RFCTL_EXTEN (1u << 15)
#define PKTTYPE_IPV4_L4 2u /* §3.2 */

struct desc {
	uint64_t addr;
	uint32_t lo;
	uint32_t hi;
};

int
card_init(struct card *c, uint16_t device, uint8_t last)
{
	uint16_t sum = 0;
	void *bar;

	memset(c, 0, sizeof(*c));
	bar = mmap(NULL, CARD_BAR_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (bar == MAP_FAILED)
		return -ENOMEM;
	c->reg = bar;
	c->device = device;

	c->nvm[0] = 0x5452;
	c->nvm[1] = 0x1200;
	c->nvm[2] = 0x0034 | last << 8;
	c->nvm[0x0a] = 0x4408;
	c->nvm[0x0b] = 0x001e;
	c->nvm[0x0c] = 0x8086;
	c->nvm[0x0d] = device;
	c->nvm[0x0e] = 0x8086;
	c->nvm[0x0f] = 0x3040;
	for (unsigned int i = 0; i < 63; i++)
		sum += c->nvm[i];
	c->nvm[63] = 0xBABA - sum; /* §4.1 */

	/* M88E1011 or BM, link up at 1000 full duplex, autonegotiation complete (§9.2). */
	c->phy[0] = 0x1140;
	c->phy[1] = 0x796d;
	c->phy[2] = 0x0141;
	c->phy[3] = device == CARD_82574L ? 0x0cb1 : 0x0c20;
	c->phy[4] = 0x0de1;
	c->phy[5] = 0x4de1;
	c->phy[6] = 0x0005;
	c->phy[9] = 0x0200;
	c->phy[10] = 0x3c00;
	c->phy[15] = 0x3000;
	c->phy[17] = 0xac00;
	REG(c, STATUS) = STATUS_UP_1000_FD;
	/* EEPROM present, 64 words; on the newer part also read (AUTO_RD). */
	REG(c, EECD) = device == CARD_82574L ? 0x300 : 0x100;
	REG(c, RAL0) = 0x12005452;
	REG(c, RAH0) = 0x80000034u | last << 8;
	return 0;
}

static void
card_reset(struct card *c)
{
	static const uint16_t cleared[] = { RCTL, TCTL, RFCTL, RDBAL, RDBAH, RDLEN, RDH, RDT,
					    TDBAL, TDBAH, TDLEN, TDH, TDT };

	for (unsigned int i = 0; i < sizeof(cleared) / sizeof(cleared[0]); i++)
		REG(c, cleared[i]) = 0;
}

static void
card_mdic(struct card *c)
{
	uint32_t v = REG(c, MDIC);
	unsigned int reg = v >> 16 & 31;
	unsigned int op = v >> 26 & 3;

	if ((v & 1u << 28) != 0 || op == 0)
		return;
	if ((v >> 21 & 31) != 1)
		v |= 1u << 30; /* only the PHY at address 1 answers */
	else if (op == 2)
		v = (v & 0xffff0000u) | c->phy[reg];
	else if (reg == 0)
		c->phy[0] = v & 0xffff & ~0x8200; /* reset and restart clear themselves */
	else if (reg > 3 && reg != 17)
		c->phy[reg] = v & 0xffff;
	REG(c, MDIC) = v | 1u << 28;
}

/* One clock edge of the 93C46 at EECD: SK bit 0, CS 1, DI 2, DO 3, REQ 6, GNT 7. */
static void
card_microwire(struct card *c)
{
	uint32_t v = REG(c, EECD) & ~0x80u;
	bool sk = v & 1;

	if ((v & 0x40) != 0)
		v |= 0x80;
	if ((v & 2) == 0) {
		c->nbits = 0;
		c->shift = 0;
		c->out_left = 0;
	} else if (sk && !c->sk && c->out_left > 0) {
		c->out_left--;
		v = (c->out >> c->out_left & 1) != 0 ? v | 8 : v & ~8u;
	} else if (sk && !c->sk && (c->nbits > 0 || (v & 4) != 0)) {
		c->shift = c->shift << 1 | (v >> 2 & 1);
		if (++c->nbits == 9) {
			if (c->shift >> 6 == 6) { /* start bit and READ */
				c->out = c->nvm[c->shift & 63];
				c->out_left = 16;
				v &= ~8u; /* the dummy zero */
			}
			c->nbits = 0;
			c->shift = 0;
		}
	}
	c->sk = sk;
	REG(c, EECD) = v;
}

void
card_step(struct card *c)
{
	uint32_t v = REG(c, CTRL);

	if ((v & 1u << 26) != 0)
		card_reset(c);
	REG(c, CTRL) = v & ~(1u << 26 | 1u << 31);
	REG(c, STATUS) = STATUS_UP_1000_FD;
	card_mdic(c);
	v = REG(c, EERD);
	if (c->device == CARD_82574L) {
		if ((v & 1) != 0) /* DONE bit 1, address 15:2, data 31:16 (§2.1) */
			REG(c, EERD) = (uint32_t)c->nvm[v >> 2 & 63] << 16 | (v & 0xfffc) | 2;
		return;
	}
	if ((v & 1) != 0) /* the small layout: DONE bit 4, address 15:8 */
		REG(c, EERD) = (uint32_t)c->nvm[v >> 8 & 63] << 16 | (v & 0xff00) | 0x10;
	card_microwire(c);
}

static struct desc *
card_ring(const struct card *c, uint32_t bal)
{
	/* The harness runs with IOVA as VA. */
	return (struct desc *)(uintptr_t)((uint64_t)REG(c, bal + 4) << 32 | REG(c, bal));
}

/* The two forms of a write-back (§3.1, §3.2); what has DD in it comes last. */
static void
card_write_back(volatile struct desc *d, bool extended, uint16_t len, uint32_t status)
{
	if (extended) {
		d->addr = 0; /* no hash */
		d->hi = (status & 0xffff0000u) | len;
		__atomic_thread_fence(__ATOMIC_RELEASE);
		d->lo = (status & 0xffu) | (status & 0xff00u) << 16 | PKTTYPE_IPV4_L4 << 16;
	} else {
		d->lo = len;
		__atomic_thread_fence(__ATOMIC_RELEASE);
		d->hi = status;
	}
}

unsigned int
card_rx(struct card *c, unsigned int n, const void *frame, uint16_t len, uint32_t status)
{
	struct desc *ring = card_ring(c, RDBAL);
	uint32_t size = REG(c, RDLEN) / sizeof(*ring);
	uint32_t head = REG(c, RDH);
	uint32_t tail = REG(c, RDT);
	bool extended = (REG(c, RFCTL) & RFCTL_EXTEN) != 0;
	unsigned int done;

	for (done = 0; done < n && head != tail; done++) {
		volatile struct desc *d = &ring[head];

		memcpy((void *)(uintptr_t)d->addr, frame, len);
		card_write_back(d, extended, len, status);
		if (++head == size)
			head = 0;
	}
	REG(c, RDH) = head;
	return done;
}

unsigned int
card_tx(struct card *c, card_tx_fn fn, void *ctx)
{
	struct desc *ring = card_ring(c, TDBAL);
	uint32_t size = REG(c, TDLEN) / sizeof(*ring);
	uint32_t head = REG(c, TDH);
	uint32_t tail = REG(c, TDT);
	unsigned int frames = 0;
	uint8_t frame[16384];
	uint32_t len = 0;

	while (head != tail) {
		volatile struct desc *d = &ring[head];
		uint32_t lo = d->lo;
		bool context = (lo & 1u << 29) != 0 && (lo >> 20 & 15) == 0;

		if (!context) {
			if (fn != NULL && len + (lo & 0xffff) <= sizeof(frame))
				memcpy(frame + len, (void *)(uintptr_t)d->addr, lo & 0xffff);
			len += lo & 0xffff;
			if ((lo & 1u << 24) != 0) { /* EOP */
				c->tx_packets++;
				c->tx_bytes += len;
				if (fn != NULL)
					fn(ctx, frame, len);
				frames++;
				len = 0;
			}
		}
		if ((lo & 1u << 27) != 0) /* RS */
			d->hi |= 1;
		if (++head == size)
			head = 0;
	}
	REG(c, TDH) = head;
	return frames;
}
