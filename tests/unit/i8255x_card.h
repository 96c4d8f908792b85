/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _I8255X_CARD_H_
#define _I8255X_CARD_H_

/*
 * A tiny driver for tests of the 8255x models, and a bench to run it on: a virtual clock, a
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

#define BIT(n) (1u << (n))

/* Registers (§2) */
enum {
	STATUS = 0x00, STAT_ACK = 0x01, CMD = 0x02, INT_CTRL = 0x03, POINTER = 0x04, PORT = 0x08,
	EEPROM = 0x0e, MDI = 0x10, EARLY_RX = 0x18, FC_THRESHOLD = 0x19, FC_CMD = 0x1a,
	PMDR = 0x1b, GEN_CTRL = 0x1c, GEN_STATUS = 0x1d,
};

/* Status byte (§2.1) */
enum { CUS_SUSPENDED = 0x40, CUS_ACTIVE = 0x80, RUS_MASK = 0x3c, RUS_IDLE = 0x00,
       RUS_SUSPENDED = 0x04, RUS_NO_RES = 0x08, RUS_READY = 0x10 };
/* Causes (§2.2) */
enum { ACK_FCP = 0x01, ACK_ER = 0x02, ACK_SWI = 0x04, ACK_MDI = 0x08, ACK_RNR = 0x10,
       ACK_CNA = 0x20, ACK_FR = 0x40, ACK_CX = 0x80 };
/* Commands (§2.3) */
enum { CU_START = 0x10, CU_RESUME = 0x20, CU_DUMP_ADDR = 0x40, CU_DUMP = 0x50, CU_BASE = 0x60,
       CU_DUMP_RESET = 0x70 };
enum { RU_START = 1, RU_RESUME = 2, RU_REDIRECT = 3, RU_ABORT = 4, RU_HDS = 5, RU_BASE = 6,
       RU_RBD_RESUME = 7 };

/* Command blocks (§3.1) and RFDs (§3.5) */
enum { CB_C = 0x8000, CB_OK = 0x2000, CMD_EL = 0x8000, CMD_S = 0x4000, CMD_I = 0x2000 };
enum { OP_NOP, OP_IA, OP_CONFIG, OP_MULTICAST, OP_TX };
enum { R_C = 0x8000, R_OK = 0x2000, R_VLAN = 0x1000, R_CRC = 0x0800, R_ALIGN = 0x0400,
       R_NO_SPACE = 0x0200, R_OVERRUN = 0x0100, R_SHORT = 0x0080, R_TYPE = 0x0020,
       R_RX_ER = 0x0010, R_PARSED = 0x0008, R_NO_MATCH = 0x0004, R_NOT_IA = 0x0002 };
#define R_EOF_F 0xc000u

struct rfd {
	uint16_t status, cmd;
	uint32_t link, rbd;
	uint16_t count, size;
	uint8_t data[2032];	/* from byte 32 on with extended RFDs */
};

#define RFDS 8
#define IOVA 0x10000000u	/* where the card sees the bench's memory: 32 bits (§6) */

/* Host memory of the bench. */
struct bench_mem {
	struct rfd rfd[RFDS];
	uint16_t cb[64];	/* a command block: status, command, link, parameters */
	uint32_t stats[24];
	uint8_t buf[4096];
};

struct card {
	struct pw_clock clock;
	unsigned int number;
	struct pw_wire *plug;	/* the card's end */
	struct pw_wire *peer;	/* the test's end */
	struct pw_model *m;
	struct bench_mem *mem;
	unsigned int rx_next;
	unsigned int irqs;	/* assertions */
	bool irq;		/* level last told */
	unsigned int violations;
	enum pw_violation viol_kind;
	char viol[200];
};

static const uint8_t card_mac[6] = { 0x52, 0x54, 0x00, 0x12, 0x34, 0x56 };
static const uint8_t peer_mac[6] = { 0x52, 0x54, 0x00, 0xab, 0xcd, 0xef };
static const uint8_t other_mac[6] = { 0x52, 0x54, 0x00, 0x77, 0x77, 0x77 };
static const uint8_t broadcast[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

static inline uint32_t
rd8(struct card *c, uint32_t off)
{
	return pw_model_bar_read(c->m, 0, off, 1);
}

static inline uint32_t
rd16(struct card *c, uint32_t off)
{
	return pw_model_bar_read(c->m, 0, off, 2);
}

static inline uint32_t
rd32(struct card *c, uint32_t off)
{
	return pw_model_bar_read(c->m, 0, off, 4);
}

static inline void
wr8(struct card *c, uint32_t off, uint32_t val)
{
	pw_model_bar_write(c->m, 0, off, val, 1);
}

static inline void
wr16(struct card *c, uint32_t off, uint32_t val)
{
	pw_model_bar_write(c->m, 0, off, val, 2);
}

static inline void
wr32(struct card *c, uint32_t off, uint32_t val)
{
	pw_model_bar_write(c->m, 0, off, val, 4);
}

static inline void
wait_us(struct card *c, uint64_t us)
{
	pw_clock_advance(&c->clock, us * 1000);
	pw_model_poll(c->m);
}

static inline uint32_t
bus(const struct card *c, const void *p)
{
	return IOVA + (uint32_t)((const uint8_t *)p - (const uint8_t *)c->mem);
}

static void
card_irq(void *ctx, unsigned int vector, bool level)
{
	struct card *c = ctx;

	assert_int_equal(vector, 0);
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
	char name[24], err[200] = "";

	/* A name of its own, so that a test that failed half-way leaves the others alone. */
	snprintf(name, sizeof(name), "bench%u", c->number);
	if (pw_wire_open(name, &opts, &end, err, sizeof(err)) != 0)
		fail_msg("%s", err);
	return end;
}

/* A card with power and a cable, and memory, but no driver. `tweak`: chip, autoneg_ns. */
static inline struct card *
card_new(const struct pw_model_opts *tweak)
{
	struct pw_model_opts opts = *tweak;
	struct card *c = calloc(1, sizeof(*c));
	static unsigned int number;

	assert_non_null(c);
	c->number = number++;
	c->clock.is_virtual = 1;
	c->plug = bench_plug(c);
	c->peer = bench_plug(c);
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
	assert_int_equal(c->violations, 1);
	assert_int_equal(c->viol_kind, kind);
	if (strstr(c->viol, about) == NULL)
		fail_msg("\"%s\" does not speak of \"%s\"", c->viol, about);
	pw_model_clear_violations(c->m);
	c->violations = 0;
}

/* Memory space, bus master; reset; interrupts masked. */
static inline struct card *
card_bare(const char *chip)
{
	const struct pw_model_opts opts = { .chip = chip };
	struct card *c = card_new(&opts);

	pw_model_cfg_write(c->m, 0x04, 0x0007, 2);
	wr32(c, PORT, 0);
	wait_us(c, 20);
	wr8(c, INT_CTRL, 0x01);
	return c;
}

/* Give a command once the last one is accepted (§2.3). */
static inline void
command(struct card *c, uint32_t cmd, uint32_t pointer)
{
	assert_int_equal(rd8(c, CMD), 0);
	wr32(c, POINTER, pointer);
	wr8(c, CMD, cmd);
	assert_int_equal(rd8(c, CMD), 0);
}

/* Have one command block executed: `op` with `len` bytes of parameters. */
static inline void
execute(struct card *c, uint16_t op, const void *params, uint32_t len)
{
	uint16_t *cb = c->mem->cb;

	assert_true(len <= sizeof(c->mem->cb) - 8);
	cb[0] = 0;
	cb[1] = op | CMD_EL;
	cb[2] = cb[3] = 0xffff;
	memcpy(cb + 4, params, len);
	command(c, CU_START, bus(c, cb));
	pw_model_poll(c->m);
	assert_int_equal(cb[0], CB_C | CB_OK);
}

static inline bool
is_82557(const struct card *c)
{
	return pw_model_info(c->m)->device == 0x1229 && pw_model_info(c->m)->revision <= 3;
}

/* A Configure block for 100 Mb/s: no flow control, no magic packets (§3.2). */
static inline void
configure(struct card *c, const uint8_t *change, unsigned int nb_changes, unsigned int len)
{
	uint8_t byte[32] = {
		0x16, 0x08, 0, 0, 0, 0, 0x32, 0x07, 0x01, 0, 0x2e, 0, 0x60, 0, 0xf2, 0x48, 0, 0x40,
		0xf2, 0x86, 0x3f, 0x05,
	};
	unsigned int i;

	if (is_82557(c))
		byte[19] = 0x82;
	byte[0] = (uint8_t)len;
	for (i = 0; i < nb_changes; i++)
		byte[change[2 * i]] = change[2 * i + 1];
	execute(c, OP_CONFIG, byte, len);
}

/* configure_with(c, LEN, BYTE, VALUE, ...) */
#define configure_with(c, len, ...) \
	do { \
		const uint8_t change_[] = { __VA_ARGS__ }; \
		configure(c, change_, sizeof(change_) / 2, len); \
	} while (0)

/* RFDs in a circle; EL and size 0 in the last but one, as Linux does (§5.4). */
static inline void
make_rfds(struct card *c)
{
	unsigned int i;

	memset(c->mem->rfd, 0xdd, sizeof(c->mem->rfd));
	for (i = 0; i < RFDS; i++) {
		struct rfd *r = &c->mem->rfd[i];

		r->status = 0;
		r->cmd = i == RFDS - 2 ? CMD_EL : 0;
		r->link = bus(c, &c->mem->rfd[(i + 1) % RFDS]);
		r->rbd = 0xffffffff;
		r->count = 0;
		r->size = i == RFDS - 2 ? 0 : 1520;
	}
	c->rx_next = 0;
}

static inline void
start_rx(struct card *c)
{
	make_rfds(c);
	command(c, RU_START, bus(c, &c->mem->rfd[0]));
	assert_int_equal(rd8(c, STATUS) & RUS_MASK, RUS_READY);
}

/* A driver that has everything running, with its address set. */
static inline struct card *
card_up(const char *chip)
{
	struct card *c = card_bare(chip);

	configure(c, NULL, 0, 22);
	execute(c, OP_IA, card_mac, 6);
	start_rx(c);
	return c;
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

static inline void
arrive_frame(struct card *c, const uint8_t *f, uint32_t len, uint32_t flags)
{
	assert_int_equal(pw_wire_send(c->peer, f, len, flags), 0);
	pw_model_poll(c->m);
}

/* Send one from the wire's other end. */
static inline void
arrive(struct card *c, const uint8_t *da, uint32_t len)
{
	uint8_t f[PW_WIRE_MAX_FRAME];

	make_frame(f, da, len);
	arrive_frame(c, f, len, 0);
}

/* The next RFD that the card has filled, or NULL. Does not give it back. */
static inline struct rfd *
received(struct card *c)
{
	struct rfd *r = &c->mem->rfd[c->rx_next % RFDS];

	if ((r->status & R_C) == 0)
		return NULL;
	c->rx_next++;
	return r;
}

/* Counters of the dump (§3.6), by their offset in bytes; those from 40h on need byte 6 b5 = 0. */
static inline uint32_t
counter(struct card *c, unsigned int off)
{
	const uint32_t *stats = c->mem->stats;

	memset(c->mem->stats, 0, sizeof(c->mem->stats));
	command(c, CU_DUMP_ADDR, bus(c, stats));
	command(c, CU_DUMP, 0);
	pw_model_poll(c->m);
	assert_int_equal(stats[off < 0x40 && stats[0x40 / 4] == 0xa005 ? 0x40 / 4 : 0x4c / 4],
			 0xa005);
	return stats[off / 4];
}

enum { S_RX_GOOD = 0x24, S_RX_CRC = 0x28, S_RX_ALIGN = 0x2c, S_RX_RESOURCE = 0x30,
       S_RX_OVERRUN = 0x34, S_RX_CDT = 0x38, S_RX_SHORT = 0x3c, S_FC_TX = 0x40, S_FC_RX = 0x44,
       S_FC_UNSUPPORTED = 0x48 };

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

static inline void
set16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

#endif /* _I8255X_CARD_H_ */
