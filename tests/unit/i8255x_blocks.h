/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _I8255X_BLOCKS_H_
#define _I8255X_BLOCKS_H_

/*
 * Command blocks for tests of the 8255x models: a piece of host memory of their own, in which
 * they form a circle, as every driver has them (§5.3).
 */

#include "i8255x_card.h"

enum { CB_U = 0x1000, CMD_SF = 0x0008, CMD_NC = 0x0010 };
enum { OP_UCODE = 5, OP_DUMP, OP_DIAGNOSE, OP_FILTER, OP_IPCB };
enum { CU_HPQ_START = 0x30, CU_STATIC_RESUME = 0xa0, CUS_MASK = 0xc0, CUS_IDLE = 0 };
enum { S_TX_GOOD = 0x00, S_TX_MAX_COLL = 0x04, S_TX_UNDERRUN = 0x0c, S_TX_LOST_CARRIER = 0x10,
       S_TX_SINGLE = 0x18, S_TX_MULTI = 0x1c, S_TX_TOTAL = 0x20 };

#define BLOCKS 8
#define LIST_IOVA 0x20000000u
#define NULL_TBD 0xffffffffu

struct block {
	uint16_t status, cmd;
	uint32_t link;
	uint8_t param[56];
};

struct list {
	struct block b[BLOCKS];
	uint8_t data[1 << 17];
};

static inline uint32_t
at_list(const struct list *l, const void *p)
{
	return LIST_IOVA + (uint32_t)((const uint8_t *)p - (const uint8_t *)l);
}

/* Blocks without a command, in a circle. */
static inline struct list *
list_new(struct card *c)
{
	struct list *l = aligned_alloc(4096, (sizeof(*l) + 4095) / 4096 * 4096);
	unsigned int i;

	assert_non_null(l);
	memset(l, 0xdd, sizeof(*l));
	for (i = 0; i < BLOCKS; i++) {
		l->b[i].status = 0;
		l->b[i].cmd = CMD_S;
		l->b[i].link = at_list(l, &l->b[(i + 1) % BLOCKS]);
	}
	assert_int_equal(pw_model_dma_map(c->m, LIST_IOVA, sizeof(*l), l, true), 0);
	return l;
}

static inline void
put32(uint8_t *p, uint32_t v)
{
	memcpy(p, &v, 4);
}

/* A transmit block with `nb` TBDs behind it, at 10h (§3.3). */
static inline void
tx_head(struct block *b, uint32_t array, uint16_t count, uint8_t threshold, uint8_t nb)
{
	put32(b->param, array);
	memcpy(b->param + 4, &count, 2);
	b->param[6] = threshold;
	b->param[7] = nb;
}

static inline void
tx_tbd(struct block *b, unsigned int i, uint32_t addr, uint32_t size)
{
	put32(b->param + 8 + 8 * i, addr);
	put32(b->param + 12 + 8 * i, size);
}

/* One flexible block of one buffer, as Linux makes it, with EL; started. */
static inline void
tx_one(struct card *c, struct list *l, uint32_t len)
{
	struct block *b = &l->b[0];

	b->status = 0;
	b->cmd = OP_TX | CMD_SF | CMD_EL;
	tx_head(b, at_list(l, b) + 0x10, 0, 0xe0, 1);
	tx_tbd(b, 0, at_list(l, l->data), len);
	command(c, CU_START, at_list(l, b));
}

static inline void
list_free(struct card *c, struct list *l)
{
	card_free(c);
	free(l);
}

#endif /* _I8255X_BLOCKS_H_ */
