/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _E1000_CARD_H_
#define _E1000_CARD_H_

/*
 * A tiny driver for tests of the e1000 models, and a bench to run it on: a virtual clock, a
 * wire with the test at its other end, host memory that the card sees at other addresses.
 *
 * Its constants are typed from the chip's facts page, not from lib/hw, so that a mistake
 * there cannot hide in a test. § cites that page.
 */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pw_model.h"

/* Registers (§2) */
enum {
	CTRL = 0x0000, STATUS = 0x0008, EECD = 0x0010, EERD = 0x0014, CTRL_EXT = 0x0018,
	MDIC = 0x0020, FCAL = 0x0028, FCAH = 0x002c, FCT = 0x0030, VET = 0x0038, ICR = 0x00c0,
	ITR = 0x00c4, ICS = 0x00c8, IMS = 0x00d0, IMC = 0x00d8, RCTL = 0x0100, FCTTV = 0x0170,
	TXCW = 0x0178, TCTL = 0x0400, TIPG = 0x0410, LEDCTL = 0x0e00, PBA = 0x1000,
	FCRTL = 0x2160, FCRTH = 0x2168, RDBAL = 0x2800, RDBAH = 0x2804, RDLEN = 0x2808,
	RDH = 0x2810, RDT = 0x2818, RDTR = 0x2820, RXDCTL = 0x2828, RADV = 0x282c,
	RSRPD = 0x2c00, TDBAL = 0x3800, TDBAH = 0x3804, TDLEN = 0x3808, TDH = 0x3810,
	TDT = 0x3818, TIDV = 0x3820, TXDCTL = 0x3828, TADV = 0x382c, RXCSUM = 0x5000,
	MTA = 0x5200, RAL0 = 0x5400, RAH0 = 0x5404, VFTA = 0x5600, WUC = 0x5800,
};

/* Statistics (§2.6) */
enum {
	CRCERRS = 0x4000, RXERRC = 0x400c, MPC = 0x4010, RLEC = 0x4040, XONRXC = 0x4048,
	XONTXC = 0x404c, XOFFRXC = 0x4050, XOFFTXC = 0x4054, FCRUC = 0x4058, PRC64 = 0x405c,
	PRC127 = 0x4060, PRC255 = 0x4064, PRC511 = 0x4068, PRC1023 = 0x406c, PRC1522 = 0x4070,
	GPRC = 0x4074, BPRC = 0x4078, MPRC = 0x407c, GPTC = 0x4080, GORCL = 0x4088,
	GORCH = 0x408c, GOTCL = 0x4090, GOTCH = 0x4094, RNBC = 0x40a0, RUC = 0x40a4,
	RFC = 0x40a8, ROC = 0x40ac, RJC = 0x40b0, TORL = 0x40c0, TORH = 0x40c4, TOTL = 0x40c8,
	TOTH = 0x40cc, TPR = 0x40d0, TPT = 0x40d4, PTC64 = 0x40d8, PTC127 = 0x40dc,
	PTC255 = 0x40e0, PTC511 = 0x40e4, PTC1023 = 0x40e8, PTC1522 = 0x40ec, MPTC = 0x40f0,
	BPTC = 0x40f4, TSCTC = 0x40f8, TSCTFC = 0x40fc,
};

#define BIT(n) (1u << (n))

/* Bits (§2.1 to §2.4) */
#define CTRL_FD BIT(0)
#define CTRL_SLU BIT(6)
#define CTRL_ILOS BIT(7)
#define CTRL_FRCSPD BIT(11)
#define CTRL_FRCDPX BIT(12)
#define CTRL_RST BIT(26)
#define CTRL_RFCE BIT(27)
#define CTRL_TFCE BIT(28)
#define CTRL_VME BIT(30)
#define CTRL_PHY_RST BIT(31)
#define STATUS_FD BIT(0)
#define STATUS_LU BIT(1)
#define STATUS_TXOFF BIT(4)
#define EECD_SK BIT(0)
#define EECD_CS BIT(1)
#define EECD_DI BIT(2)
#define EECD_DO BIT(3)
#define EECD_REQ BIT(6)
#define EECD_GNT BIT(7)
#define EECD_PRES BIT(8)
#define MDIC_WRITE BIT(26)
#define MDIC_READ BIT(27)
#define MDIC_READY BIT(28)
#define MDIC_INT BIT(29)
#define MDIC_ERROR BIT(30)
#define ICR_TXDW BIT(0)
#define ICR_TXQE BIT(1)
#define ICR_LSC BIT(2)
#define ICR_RXDMT0 BIT(4)
#define ICR_RXO BIT(6)
#define ICR_RXT0 BIT(7)
#define ICR_MDAC BIT(9)
#define ICR_TXD_LOW BIT(15)
#define ICR_SRPD BIT(16)
#define RCTL_EN BIT(1)
#define RCTL_SBP BIT(2)
#define RCTL_UPE BIT(3)
#define RCTL_MPE BIT(4)
#define RCTL_LPE BIT(5)
#define RCTL_LBM_MAC BIT(6)
#define RCTL_BAM BIT(15)
#define RCTL_BSIZE_256 (3u << 16)
#define RCTL_VFE BIT(18)
#define RCTL_CFIEN BIT(19)
#define RCTL_DPF BIT(22)
#define RCTL_PMCF BIT(23)
#define RCTL_BSEX BIT(25)
#define RCTL_SECRC BIT(26)
#define TCTL_EN BIT(1)
#define TCTL_PSP BIT(3)
#define TCTL_SWXOFF BIT(22)
#define FPD BIT(31)
#define GRAN BIT(24)

/* Descriptors (§3): command bits of the second word */
#define D_EOP BIT(24)
#define D_IFCS BIT(25)
#define D_IC BIT(26)
#define D_TSE BIT(26)
#define D_RS BIT(27)
#define D_DEXT BIT(29)
#define D_VLE BIT(30)
#define D_IDE BIT(31)
#define D_DATA 0x20100000u	/* DEXT and DTYP 1 */
#define D_IXSM (1ull << 40)
#define D_TXSM (1ull << 41)
#define D_DD (1ull << 32)
#define SEND (D_EOP | D_IFCS | D_RS)

/* Receive status and errors (§3.1) */
enum { S_DD = 0x01, S_EOP = 0x02, S_IXSM = 0x04, S_VP = 0x08, S_TCPCS = 0x20, S_IPCS = 0x40,
       S_PIF = 0x80 };
enum { E_CE = 0x01, E_TCPE = 0x20, E_IPE = 0x40, E_RXE = 0x80 };

struct desc {
	uint64_t addr;
	uint64_t word;
};

#define RING 32
#define BUF 2048
#define IOVA 0x480000000ull	/* where the card sees the bench's memory */

/* Host memory of the bench. */
struct bench_mem {
	struct desc tx[RING] __attribute__((aligned(4096)));
	struct desc rx[RING] __attribute__((aligned(4096)));
	uint8_t txbuf[RING][BUF];
	uint8_t rxbuf[RING][BUF];
	uint8_t big[1 << 17];
};

struct card {
	struct pw_clock clock;
	unsigned int number;
	struct pw_wire *plug;	/* the card's end */
	struct pw_wire *peer;	/* the test's end */
	struct pw_model *m;
	struct bench_mem *mem;
	uint32_t tdt, rx_next;
	unsigned int irqs;	/* assertions */
	bool msix;		/* messages of several vectors are expected */
	unsigned int sent[5];	/* messages of each vector */
	bool irq;		/* level last told */
	unsigned int violations;
	enum pw_violation viol_kind;
	char viol[200];
	unsigned int traces;
};

static const uint8_t card_mac[6] = { 0x52, 0x54, 0x00, 0x12, 0x34, 0x56 };
static const uint8_t peer_mac[6] = { 0x52, 0x54, 0x00, 0xab, 0xcd, 0xef };

static inline uint32_t
rd(struct card *c, uint32_t off)
{
	return pw_model_bar_read(c->m, 0, off, 4);
}

static inline void
wr(struct card *c, uint32_t off, uint32_t val)
{
	pw_model_bar_write(c->m, 0, off, val, 4);
}

static inline void
wait_us(struct card *c, uint64_t us)
{
	pw_clock_advance(&c->clock, us * 1000);
}

static inline uint64_t
bus(const struct card *c, const void *p)
{
	return IOVA + (uint64_t)((const uint8_t *)p - (const uint8_t *)c->mem);
}

static void
card_irq(void *ctx, unsigned int vector, bool level)
{
	struct card *c = ctx;

	assert_true(vector < (c->msix ? 5 : 1));
	c->sent[vector] += level;
	c->irqs += level;
	c->irq = level;
}

static void
card_violation(void *ctx, enum pw_violation kind, const char *text)
{
	struct card *c = ctx;

	c->violations++;
	c->viol_kind = kind;
	snprintf(c->viol, sizeof(c->viol), "%s", text);
}

/* One end of the bench's wire. */
static inline struct pw_wire *
bench_plug(struct card *c)
{
	const struct pw_wire_opts opts = { .clock = &c->clock };
	struct pw_wire *end = NULL;
	char name[20], err[200] = "";

	/* A name of its own, so that a test that failed half-way leaves the others alone. */
	snprintf(name, sizeof(name), "bench%u", c->number);
	if (pw_wire_open(name, &opts, &end, err, sizeof(err)) != 0)
		fail_msg("%s", err);
	return end;
}

/* A card with power and a cable, and memory, but no driver. */
static inline struct card *
card_new(const struct pw_model_opts *tweak)
{
	struct pw_model_opts opts = { 0 };
	struct card *c = calloc(1, sizeof(*c));
	static unsigned int number;

	assert_non_null(c);
	c->number = number++;
	if (tweak != NULL)
		opts = *tweak;
	c->clock.is_virtual = 1;
	c->plug = bench_plug(c);
	c->peer = bench_plug(c);
	if (opts.chip == NULL)
		opts.chip = "82540em";
	opts.mac = card_mac;
	opts.wire = c->plug;
	opts.clock = &c->clock;
	opts.irq = card_irq;
	opts.violation = card_violation;
	opts.ctx = c;
	assert_int_equal(pw_model_create(&opts, &c->m), 0);
	c->mem = aligned_alloc(4096, (sizeof(*c->mem) + 4095) / 4096 * 4096);
	assert_non_null(c->mem);
	memset(c->mem, 0xee, sizeof(*c->mem));
	assert_int_equal(pw_model_dma_map(c->m, IOVA, sizeof(*c->mem), c->mem, true), 0);
	return c;
}

/* What every test ends with: the driver did nothing that it was not meant to. */
static inline void
card_free(struct card *c)
{
	if (c->violations != 0)
		print_error("violation: %s\n", c->viol);
	assert_int_equal(c->violations, 0);
	pw_model_destroy(c->m);
	pw_wire_close(c->plug);
	pw_wire_close(c->peer);
	free(c->mem);
	free(c);
}

/* The one violation that a test provoked. */
static inline void
expect_violation(struct card *c, enum pw_violation kind, const char *about)
{
	char text[200];

	assert_int_equal(c->violations, 1);
	assert_int_equal(c->viol_kind, kind);
	if (strstr(c->viol, about) == NULL)
		fail_msg("\"%s\" does not speak of \"%s\"", c->viol, about);
	assert_int_equal(pw_model_violations(c->m, kind), 1);
	assert_int_equal(pw_model_violations(c->m, PW_VIOL_MAX), 1);
	pw_model_last_violation(c->m, text, sizeof(text));
	assert_string_equal(text, c->viol);
	pw_model_clear_violations(c->m);
	c->violations = 0;
}

static inline void
card_bus_on(struct card *c)
{
	pw_model_cfg_write(c->m, 0x04, 0x0007, 2);
}

static inline void
card_reset(struct card *c)
{
	wr(c, IMC, 0xffffffff);
	wr(c, CTRL, CTRL_RST);
	assert_int_equal(rd(c, CTRL) & CTRL_RST, 0);
	c->tdt = 0;
	c->rx_next = 0;
}

static inline void
card_start_tx(struct card *c, uint32_t tctl)
{
	memset(c->mem->tx, 0, sizeof(c->mem->tx));
	wr(c, TDBAL, (uint32_t)bus(c, c->mem->tx));
	wr(c, TDBAH, (uint32_t)(bus(c, c->mem->tx) >> 32));
	wr(c, TDLEN, sizeof(c->mem->tx));
	wr(c, TDH, 0);
	wr(c, TDT, 0);
	wr(c, TCTL, TCTL_EN | tctl);
}

static inline void
card_start_rx(struct card *c, uint32_t rctl)
{
	unsigned int i;

	for (i = 0; i < RING; i++) {
		c->mem->rx[i].addr = bus(c, c->mem->rxbuf[i]);
		c->mem->rx[i].word = 0;
	}
	wr(c, RDBAL, (uint32_t)bus(c, c->mem->rx));
	wr(c, RDBAH, (uint32_t)(bus(c, c->mem->rx) >> 32));
	wr(c, RDLEN, sizeof(c->mem->rx));
	wr(c, RDH, 0);
	wr(c, RDT, RING - 1);
	wr(c, RCTL, RCTL_EN | rctl);
}

/* A driver that has everything running: pad, strip the FCS, accept broadcast. */
static inline struct card *
card_up(uint32_t rctl)
{
	struct card *c = card_new(NULL);

	card_bus_on(c);
	card_reset(c);
	card_start_tx(c, TCTL_PSP);
	card_start_rx(c, RCTL_SECRC | RCTL_BAM | rctl);
	assert_int_equal(rd(c, STATUS) & STATUS_LU, STATUS_LU);
	return c;
}

/* Give descriptors to the card without ringing the doorbell. @return the index. */
static inline unsigned int
put_desc(struct card *c, uint64_t addr, uint64_t word)
{
	unsigned int i = c->tdt;

	c->mem->tx[i].addr = addr;
	c->mem->tx[i].word = word;
	c->tdt = (i + 1) % RING;
	return i;
}

static inline unsigned int
put_buf(struct card *c, const void *data, uint32_t len, uint64_t word)
{
	unsigned int i = c->tdt;

	assert_true(len <= BUF);
	memcpy(c->mem->txbuf[i], data, len);
	return put_desc(c, bus(c, c->mem->txbuf[i]), word | len);
}

static inline void
ring(struct card *c)
{
	wr(c, TDT, c->tdt);
}

static inline bool
is_done(struct card *c, unsigned int i)
{
	return (c->mem->tx[i].word & D_DD) != 0;
}

/* The next frame that the card sent, or fail. */
static inline struct pw_frame
sent(struct card *c)
{
	static uint8_t copy[PW_WIRE_MAX_FRAME];
	struct pw_frame f;

	if (!pw_wire_peek(c->peer, &f))
		fail_msg("the card sent nothing");
	memcpy(copy, f.data, f.len);
	f.data = copy;
	pw_wire_next(c->peer);
	return f;
}

static inline void
sent_nothing(struct card *c)
{
	struct pw_frame f;

	assert_false(pw_wire_peek(c->peer, &f));
}

static inline uint8_t
rx_status(const struct desc *d)
{
	return (uint8_t)(d->word >> 32);
}

static inline uint8_t
rx_errors(const struct desc *d)
{
	return (uint8_t)(d->word >> 40);
}

static inline uint16_t
rx_len(const struct desc *d)
{
	return (uint16_t)d->word;
}

/* The next received descriptor, or NULL. Does not give it back. */
static inline const struct desc *
received(struct card *c)
{
	const struct desc *d = &c->mem->rx[c->rx_next];

	if ((rx_status(d) & S_DD) == 0)
		return NULL;
	c->rx_next = (c->rx_next + 1) % RING;
	return d;
}

static inline const uint8_t *
rx_data(struct card *c, const struct desc *d)
{
	return c->mem->rxbuf[d - c->mem->rx];
}

/* A frame of `len` bytes (without FCS) to `da`, of type 0x88b5 (local experiments). */
static inline void
make_frame(uint8_t *f, const uint8_t *da, uint32_t len)
{
	uint32_t i;

	memcpy(f, da, 6);
	memcpy(f + 6, peer_mac, 6);
	f[12] = 0x88;
	f[13] = 0xb5;
	for (i = 14; i < len; i++)
		f[i] = (uint8_t)(i * 7 + 1);
}

/* Send one from the wire's other end. */
static inline void
arrive(struct card *c, const uint8_t *da, uint32_t len)
{
	uint8_t f[PW_WIRE_MAX_FRAME];

	make_frame(f, da, len);
	assert_int_equal(pw_wire_send(c->peer, f, len, 0), 0);
	pw_model_poll(c->m);
}

/* RFC 1071 §4.1, over bytes as big-endian words; independent of the model's arithmetic. */
static inline uint32_t
rfc1071_sum(const uint8_t *p, uint32_t len, uint32_t sum)
{
	uint32_t i;

	for (i = 0; i + 1 < len; i += 2)
		sum += (uint32_t)p[i] << 8 | p[i + 1];
	if ((len & 1) != 0)
		sum += (uint32_t)p[len - 1] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

static inline uint32_t
be16(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static inline uint32_t
be32(const uint8_t *p)
{
	return be16(p) << 16 | be16(p + 2);
}

static inline void
set16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static inline void
set32(uint8_t *p, uint32_t v)
{
	set16(p, v >> 16);
	set16(p + 2, v);
}

/* IPv4 or IPv6 header right: RFC 791, and TCP or UDP with its pseudo header: RFC 793, 768. */
static inline void
check_l4_sum(const uint8_t *ip)
{
	bool v4 = ip[0] >> 4 == 4;
	uint32_t hdr = v4 ? (ip[0] & 15u) * 4 : 40;
	uint32_t len = v4 ? be16(ip + 2) - hdr : be16(ip + 4);
	uint32_t proto = v4 ? ip[9] : ip[6];
	uint32_t sum = rfc1071_sum(ip + (v4 ? 12 : 8), v4 ? 8 : 32, proto + len);

	if (v4)
		assert_int_equal(rfc1071_sum(ip, hdr, 0), 0xffff);
	assert_int_equal(rfc1071_sum(ip + hdr, len, sum), 0xffff);
}

/*
 * Ethernet, IPv4 or IPv6, and TCP or UDP headers with `payload` bytes behind. Checksums are
 * left 0 unless `sums`. @return the whole length
 */
static inline uint32_t
make_ip(uint8_t *f, bool v4, bool tcp, uint32_t payload, bool sums)
{
	uint32_t l3 = v4 ? 20 : 40, l4 = tcp ? 20 : 8, i;
	uint32_t len = 14 + l3 + l4 + payload;
	uint8_t *ip = f + 14, *t = ip + l3;

	memset(f, 0, 14 + l3 + l4);
	make_frame(f, card_mac, 14);
	set16(f + 12, v4 ? 0x0800 : 0x86dd);
	if (v4) {
		ip[0] = 0x45;
		set16(ip + 2, l3 + l4 + payload);
		set16(ip + 4, 0x1234);
		ip[8] = 64;
		ip[9] = tcp ? 6 : 17;
		set32(ip + 12, 0x0a000001);
		set32(ip + 16, 0x0a0000fe);
	} else {
		ip[0] = 0x60;
		set16(ip + 4, l4 + payload);
		ip[6] = tcp ? 6 : 17;
		ip[7] = 64;
		for (i = 0; i < 32; i++)
			ip[8 + i] = (uint8_t)(0x20 + i * 3);
	}
	set16(t, 40000);
	set16(t + 2, 5001);
	if (tcp) {
		set32(t + 4, 0xfffffc00);
		t[12] = 0x50;
		t[13] = 0x19; /* FIN, PSH, ACK */
		set16(t + 14, 0x2000);
	} else {
		set16(t + 4, l4 + payload);
	}
	for (i = 0; i < payload; i++)
		t[l4 + i] = (uint8_t)(i * 13 + 5);
	if (sums) {
		uint32_t sum = rfc1071_sum(ip + (v4 ? 12 : 8), v4 ? 8 : 32,
					   (tcp ? 6 : 17) + l4 + payload);

		set16(t + (tcp ? 16 : 6), ~rfc1071_sum(t, l4 + payload, sum));
		if (v4)
			set16(ip + 10, ~rfc1071_sum(ip, l3, 0));
	}
	return len;
}

#endif /* _E1000_CARD_H_ */
