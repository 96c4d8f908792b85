/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _E1000_82574L_H_
#define _E1000_82574L_H_

/*
 * What tests of the 82574L model need beyond e1000_card.h. Constants are typed from the chip's
 * facts page (§), not from lib/hw.
 */

#include "e1000_card.h"

/* Registers that older parts do not have (§2) */
enum {
	EEWR = 0x102c, EXTCNF_CTRL = 0x0f00, POEMB = 0x0f10, PBS = 0x1008, EIAC = 0x00dc,
	IAM = 0x00e0, IVAR = 0x00e4, EITR = 0x00e8, PSRCTL = 0x2170, RDBAL1 = 0x2900,
	RFCTL = 0x5008, MRQC = 0x5818, RETA = 0x5c00, RSSRK = 0x5c80, TARC0 = 0x3840,
	TARC1 = 0x3940, TDBAL1 = 0x3900, TXDCTL1 = 0x3928, RXDCTL1 = 0x2928, GCR = 0x5b00,
	GCR2 = 0x5b64, FACTPS = 0x5b30, SWSM = 0x5b50, FWSM = 0x5b54, PBACLR = 0x5b68,
};

enum {
	IAC = 0x4100, ICRXPTC = 0x4104, ICRXATC = 0x4108, ICTXPTC = 0x410c, ICTXATC = 0x4110,
	ICTXQEC = 0x4118, ICTXQMTC = 0x411c, ICRXDMTC = 0x4120, ICRXOC = 0x4124,
};

enum {
	SYSTIML = 0xb600, SYSTIMH = 0xb604, TIMINCA = 0xb608, TIMADJL = 0xb60c,
	TIMADJH = 0xb610, TSYNCTXCTL = 0xb614, TXSTMPL = 0xb618, TXSTMPH = 0xb61c,
	TSYNCRXCTL = 0xb620, RXSTMPL = 0xb624, RXSTMPH = 0xb628, RXSATRL = 0xb62c,
	RXSATRH = 0xb630, RXMTRL = 0xb634, RXUDP = 0xb638,
};

/* Of a ring's registers, from its base on */
enum { R_BAH = 0x04, R_LEN = 0x08, R_HEAD = 0x10, R_TAIL = 0x18 };

#define CTRL_GIO_DISABLE BIT(2)
#define STATUS_PHYRA BIT(10)
#define STATUS_GIO_ENABLE BIT(19)
#define EXT_EIAME BIT(24)
#define EXT_IAME BIT(27)
#define EXT_DRV_LOAD BIT(28)
#define EXT_PBA_CLR BIT(31)
#define TXDCTL_COUNT BIT(22)
#define RFCTL_EXTEN BIT(15)
#define RCTL_DTYP_PS BIT(10)
#define RXCSUM_PCSD BIT(13)
#define ICR_ACK BIT(17)
#define ICR_RXQ0 BIT(20)
#define ICR_RXQ1 BIT(21)
#define ICR_TXQ0 BIT(22)
#define ICR_TXQ1 BIT(23)
#define ICR_OTHER BIT(24)
#define ICR_ASSERTED BIT(31)

/* An 82574L with a bus, reset, and its vectors unmasked but MSI-X off. */
static inline struct card *
x_new(void)
{
	const struct pw_model_opts opts = { .chip = "82574l" };
	struct card *c = card_new(&opts);
	unsigned int v;

	c->msix = true;
	card_bus_on(c);
	card_reset(c);
	for (v = 0; v < 5; v++)
		pw_model_msix_mask(c->m, v, false);
	return c;
}

/* MSI-X is enabled in the capability at 0xa0 (§9.1). */
static inline void
x_msix_on(struct card *c)
{
	pw_model_cfg_write(c->m, 0xa2, 0x8000, 2);
}

/* A ring at `base`, with tail; `mem` may be any of the bench's. */
static inline void
x_ring(struct card *c, uint32_t base, const void *mem, uint32_t bytes, uint32_t tail)
{
	wr(c, base, (uint32_t)bus(c, mem));
	wr(c, base + R_BAH, (uint32_t)(bus(c, mem) >> 32));
	wr(c, base + R_LEN, bytes);
	wr(c, base + R_HEAD, 0);
	wr(c, base + R_TAIL, tail);
}

static inline void
x_start_tx(struct card *c)
{
	wr(c, TXDCTL, TXDCTL_COUNT);
	card_start_tx(c, TCTL_PSP);
}

/* Extended descriptors of 2 KiB on queue 0, everything accepted, FCS stripped. */
static inline void
x_start_rx(struct card *c, uint32_t rctl)
{
	wr(c, RFCTL, RFCTL_EXTEN);
	card_start_rx(c, RCTL_SECRC | RCTL_BAM | RCTL_UPE | RCTL_MPE | rctl);
}

static inline struct card *
x_up(uint32_t rctl)
{
	struct card *c = x_new();

	x_start_tx(c);
	x_start_rx(c, rctl);
	return c;
}

/* A frame that the test made arrives. */
static inline void
x_arrive(struct card *c, const uint8_t *f, uint32_t len)
{
	assert_int_equal(pw_wire_send(c->peer, f, len, 0), 0);
	pw_model_poll(c->m);
}

/* Extended write-back (§3.2) */
static inline uint32_t
x_status(const struct desc *d)
{
	return (uint32_t)d->word;
}

static inline uint32_t
x_len(const struct desc *d)
{
	return (uint32_t)(d->word >> 32) & 0xffff;
}

static inline uint32_t
x_type(const struct desc *d)
{
	return x_status(d) >> 16 & 0xf;
}

/* The next extended descriptor of queue 0 that was written back, or fail. */
static inline const struct desc *
x_received(struct card *c)
{
	const struct desc *d = &c->mem->rx[c->rx_next];

	if ((d->word & S_DD) == 0)
		fail_msg("nothing was received");
	c->rx_next = (c->rx_next + 1) % RING;
	return d;
}

#endif /* _E1000_82574L_H_ */
