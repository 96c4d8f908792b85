/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Transmit.
 *
 * The command unit (CU) follows a list of blocks, one a packet. Ours is a circle whose links never
 * change: 64 bytes a block, a header of 16 and room for six TBDs, which say where the packet lies
 * (§3.3). Longer chains use an array that the slot has besides. On 82550 and 82551 blocks are
 * IPCBs if offloads were asked for (§3.4): eight of those bytes say what the chip is to do.
 *
 *	    cons                                        prod - 1    prod
 *	     |                                             |         |
 *	 ----+----+----+----+----+----+----+----+----+----+----+----+---- ...
 *	     | C  | C  | C  | .. | .. | .. | .. | .. | .. | S  |  free
 *	 ----+----+----+----+----+----+----+----+----+----+----+----+---- ...
 *	      done      |  the CU is here  |   last burst     |
 *
 * The newest block, and no other, has S: the CU suspends behind it. A burst fills blocks behind
 * that, gives the last of them S, takes S off the former newest one, and tells the CU to resume:
 * one write a burst, and each step visible to the chip before the next (§5.3). A suspended CU
 * then looks at S again, an active one makes sure that it does. So a resume does no harm and
 * must never be left out: the CU may have read S just before we took it off.
 *
 * A resume that is written while the chip has not yet taken a command is lost, so the command
 * byte must read 0: one read a burst. Memory cannot tell. That the block behind the former newest
 * one is complete does not mean that its resume was taken: C comes before the CU looks at S, and
 * S may have been taken off in between. If the byte stays busy the resume is owed, and each poll,
 * and the watch, tries again.
 *
 * Block prod - 1 stays as it is until the CU has left it, even when it is complete and its packet
 * freed: the CU, suspended on it, will read its S and its link again. So one block is always left
 * free, and three more for a control command (i8255x_cmd.c).
 *
 * C means that the last byte has been read into the FIFO: the packet may be freed. Blocks are
 * completed in order, so a group is freed when its last block has C; one load a group.
 *
 * The plain burst writes two words a packet, the command and the TBD; all else in a block stays
 * as it is from one round to the next. Trouble (too short, too long, odd, out of reach) is looked
 * for once a burst, in what has been gathered of all packets; only then are they gone through
 * one by one, as in the full burst. What no treatment can help is dropped and counted.
 */

#include <string.h>

#include <rte_malloc.h>

#include "i8255x.h"

/* Never given to packets: the block that the CU is suspended on, and a control command's. */
#define TX_CMD_BLOCKS		3u
#define TX_SPARE		(1 + TX_CMD_BLOCKS)

/* Looks at the command byte in a row: the chip takes most commands within a microsecond (§2.3). */
#define TX_BUSY_LOOKS		10

/* The CU may take this long to come to rest. */
#define TX_QUIET_MS		100
#define TX_START_US		100000
#define TX_START_STEP_US	10

/* What QEMU's card executes at a time (§1.3). */
#define TX_EMULATED_BLOCKS	16

#define TX_CSUM_FLAGS		(RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_L4_MASK)
#define TX_CMD_PLAIN		(I8255X_OP_TX | I8255X_CMD_SF)
#define TX_FRAME_MIN		RTE_ETHER_HDR_LEN
/* What it becomes on the wire, without CRC: the chip pads (§3.2, byte 18). */
#define TX_WIRE_MIN		((uint32_t)(RTE_ETHER_MIN_LEN - RTE_ETHER_CRC_LEN))

/* A block of the circle. */
struct tx_block {
	struct i8255x_txcb cb;
	struct i8255x_tbd tbd[I8255X_TX_BLOCK_TBDS];
};

_Static_assert(sizeof(struct tx_block) == I8255X_TX_BLOCK, "a block fills its slot");

static inline struct tx_block *
tx_block(const struct i8255x_txq *txq, uint32_t count)
{
	return (struct tx_block *)txq->q.desc + pw_ring_slot(&txq->q.ring, count);
}

static inline uint32_t
tx_block_addr(const struct i8255x_txq *txq, uint32_t count)
{
	return (uint32_t)txq->q.zone.addr +
	       pw_ring_slot(&txq->q.ring, count) * (uint32_t)sizeof(struct tx_block);
}

/* Status and command are shared with the chip; each is read or written by itself. */
static inline volatile struct i8255x_cb *
tx_cb(const struct i8255x_txq *txq, uint32_t count)
{
	return &tx_block(txq, count)->cb.cb;
}

static inline bool
tx_done(const struct i8255x_txq *txq, uint32_t count)
{
	return (tx_cb(txq, count)->status & rte_cpu_to_le_16(I8255X_CB_C)) != 0;
}

/* Whether the CU has completed a block that was there; from any thread. */
bool
i8255x_tx_passed(const struct i8255x_txq *txq, uint32_t at)
{
	const struct pw_ring *r = &txq->q.ring;

	return at - r->cons >= pw_ring_used(r) || tx_done(txq, at);
}

bool
i8255x_tx_busy(const struct i8255x_txq *txq, uint32_t at)
{
	return !i8255x_tx_passed(txq, at);
}

static inline uint32_t
tx_room(const struct i8255x_txq *txq)
{
	uint32_t free = pw_ring_free(&txq->q.ring);

	return free > TX_SPARE ? free - TX_SPARE : 0;
}

/* --- the command unit; scb_lock held ------------------------------------------------------- */

/* Whether the chip is ready for a command. */
static inline bool
tx_may_command(const struct i8255x_txq *txq)
{
	for (unsigned int i = 0; i < TX_BUSY_LOOKS; i++)
		if (likely(pw_read8(txq->io, I8255X_CMD) == 0))
			return true;
	return false;
}

/*
 * ICHs at 10 Mb want a NOP first (§7). QEMU's card executes 16 blocks and then waits for another
 * resume; one too many would have it run on into old blocks.
 */
static __rte_noinline void
tx_resume_quirk(struct i8255x_txq *txq)
{
	const struct pw_ring *r = &txq->q.ring;
	bool emulated = (txq->ad->hw.flags & I8255X_F_ERR_EMULATED) != 0;
	uint32_t most = emulated ? pw_ring_size(r) / TX_EMULATED_BLOCKS + 1 : 1;

	if (i8255x_resume_wants_nop(&txq->ad->hw)) {
		pw_write8(txq->io, I8255X_CMD, I8255X_CUC_NOP);
		rte_delay_us(1);
	}
	do
		pw_write8(txq->io, I8255X_CMD, I8255X_CUC_RESUME);
	while (--most > 0 && !tx_done(txq, r->prod - 1));
}

/* S is off the block before the first that is new: have the CU go on there. */
static inline void
tx_resume(struct i8255x_txq *txq)
{
	if (unlikely(!tx_may_command(txq))) {
		txq->stats->tx_owed += !txq->owed;
		txq->owed = true;
		return;
	}
	/* S in memory before the command: pw_write8() orders the two. */
	if (likely(!txq->resume_quirk))
		pw_write8(txq->io, I8255X_CMD, I8255X_CUC_RESUME);
	else
		tx_resume_quirk(txq);
	txq->owed = false;
}

/* Hand over the blocks from `first` to prod - 1, none of which has S yet. */
static inline void
tx_hand_over(struct i8255x_txq *txq, uint32_t first)
{
	volatile struct i8255x_cb *newest = tx_cb(txq, txq->q.ring.prod - 1);
	volatile struct i8255x_cb *tail = tx_cb(txq, first - 1);

	newest->cmd |= rte_cpu_to_le_16(I8255X_CMD_S);
	/* New blocks before S goes, which holds the CU back from them. */
	rte_io_wmb();
	tail->cmd &= rte_cpu_to_le_16((uint16_t)~I8255X_CMD_S);
	tx_resume(txq);
}

/* A resume that was put off. */
static __rte_noinline void
tx_pay(struct i8255x_txq *txq)
{
	tx_resume(txq);
}

/* A NOP at prod; the next block as ever, unless `link` says otherwise. */
static void
tx_put_nop(struct i8255x_txq *txq, uint32_t link)
{
	uint32_t at = txq->q.ring.prod++;
	volatile struct i8255x_cb *cb = tx_cb(txq, at);

	cb->status = 0;
	cb->cmd = rte_cpu_to_le_16(I8255X_OP_NOP);
	cb->link = rte_cpu_to_le_32(link != 0 ? link : tx_block_addr(txq, at + 1));
	txq->q.bufs.slot[pw_ring_slot(&txq->q.ring, at)] = NULL;
	txq->hole = at + 1;
	txq->holes = true;
}

/* No detour in the next round, once the CU is back from it. */
static void
tx_straighten(struct i8255x_txq *txq)
{
	tx_cb(txq, txq->detour)->link = rte_cpu_to_le_32(tx_block_addr(txq, txq->detour + 1));
}

/**
 * Somebody waits for a block that should be complete by now. A resume may have got lost: give
 * another; or the CU has gone idle, where it does not hear one (§5.3): start it where it left.
 */
void
i8255x_tx_kick(struct i8255x_txq *txq)
{
	struct i8255x_hw *hw = &txq->ad->hw;
	const struct pw_ring *r = &txq->q.ring;
	uint8_t cus = pw_read8(txq->io, I8255X_STATUS) & I8255X_STATUS_CUS_MASK;
	uint32_t at = r->cons;

	while (at != r->prod && tx_done(txq, at))
		at++;
	if (at == r->prod)
		return;
	if (cus == I8255X_STATUS_CUS_SUSPENDED || txq->owed)
		tx_resume(txq);
	else if (cus == I8255X_STATUS_CUS_IDLE)
		i8255x_command(hw, I8255X_CUC_START, tx_block_addr(txq, at));
}

/* Now and then, from another thread: nobody may send, and so resume, for a long time. */
void
i8255x_tx_owed(struct i8255x_txq *txq)
{
	rte_spinlock_t *lock = &txq->ad->hw.scb_lock;

	rte_spinlock_lock(lock);
	i8255x_tx_kick(txq);
	rte_spinlock_unlock(lock);
}

/* --- reclaim ------------------------------------------------------------------------------- */

/* The CU has passed all blocks before `cons`: what a command left in them must go. */
static void
tx_pass_holes(struct i8255x_txq *txq, uint32_t cons)
{
	if ((int32_t)(cons - txq->detour) > 1)
		tx_straighten(txq);
	if ((int32_t)(cons - txq->hole) >= 0)
		txq->holes = false;
}

/* Some of these blocks have no packet. */
static __rte_noinline void
tx_free_holes(struct i8255x_txq *txq, struct rte_mbuf **m, uint32_t n)
{
	pw_bufs_free(m, n);
	tx_pass_holes(txq, txq->q.ring.cons + n);
}

/*
 * Free groups until `want` blocks are free or a group is not complete. `plain`: each block has a
 * packet of one segment, all of one pool, but where there are holes.
 */
static __rte_always_inline void
tx_reclaim(struct i8255x_txq *txq, uint32_t want, bool plain)
{
	struct pw_ring *r = &txq->q.ring;

	while (pw_ring_free(r) < want) {
		uint32_t n = RTE_MIN((uint32_t)txq->q.rs_thresh, pw_ring_to_end(r, r->cons));
		struct rte_mbuf **m = &txq->q.bufs.slot[pw_ring_slot(r, r->cons)];

		if (pw_ring_used(r) < n || !tx_done(txq, r->cons + n - 1))
			break;
		if (unlikely(txq->holes))
			tx_free_holes(txq, m, n);
		else if (plain)
			pw_bufs_put(&txq->q.bufs, m[0]->pool, r->cons, n);
		else
			pw_bufs_free(m, n);
		r->cons += n;
	}
}

/* How many of `n` packets there is room for, having made some. */
static inline uint32_t
tx_make_room(struct i8255x_txq *txq, uint32_t n, bool plain)
{
	tx_reclaim(txq, RTE_MAX((uint32_t)txq->q.free_thresh, n) + TX_SPARE, plain);
	return RTE_MIN(n, tx_room(txq));
}

/* Up to `most` packets from the oldest on. @return how many; scb_lock held. */
static uint32_t
tx_free_some(struct i8255x_txq *txq, uint32_t most)
{
	struct pw_ring *r = &txq->q.ring;
	uint32_t n = 0;

	while (n < most && !pw_ring_empty(r) && tx_done(txq, r->cons)) {
		struct rte_mbuf *m = txq->q.bufs.slot[pw_ring_slot(r, r->cons)];

		n += m != NULL;
		rte_pktmbuf_free(m);
		r->cons++;
	}
	if (txq->holes)
		tx_pass_holes(txq, r->cons);
	if (pw_ring_empty(r))
		txq->chained = 0;
	return n;
}

/* --- control commands -------------------------------------------------------------------- */

/**
 * Have the CU execute a block that is not of the circle. Three NOPs take part in the circle: the
 * second one's link leads to the block, whose link leads back to the third.
 *
 * The CU reads the command and the link of one block ahead (§5.3). It is suspended on block
 * prod - 1, or on its way there, and may know the link of block prod already; so that one stays
 * as it is and the next one's is changed, which it cannot know before it has passed prod - 1. The
 * third is there so that the newest block, the one with S, is one of the circle.
 *
 * @param cb
 *   The block: opcode and parameters are in, without S or EL; status and link are filled in.
 * @param at
 *   Set to what i8255x_tx_passed() takes to tell that the CU is back.
 * @return 0; -EAGAIN if there is no room, which there is when one is put at a time, that is when
 *   the CU has come back from the one before.
 */
int
i8255x_tx_put_cmd(struct i8255x_txq *txq, struct i8255x_cb *cb, uint32_t addr, uint32_t *at)
{
	uint32_t first = txq->q.ring.prod;

	if (pw_ring_free(&txq->q.ring) <= TX_SPARE)
		tx_free_some(txq, UINT32_MAX);
	if (pw_ring_free(&txq->q.ring) <= TX_CMD_BLOCKS)
		return -EAGAIN;
	tx_straighten(txq);
	tx_put_nop(txq, 0);
	txq->detour = txq->q.ring.prod;
	tx_put_nop(txq, addr);
	cb->status = 0;
	cb->link = rte_cpu_to_le_32(tx_block_addr(txq, first + 2));
	tx_put_nop(txq, 0);
	*at = first + 2;
	tx_hand_over(txq, first);
	return 0;
}

/* --- one packet of any kind ---------------------------------------------------------------- */

/* What the chip is to do, as bytes 10h to 17h of an IPCB (§3.4). */
static inline uint64_t
tx_act(const struct rte_mbuf *m, uint64_t ol)
{
	uint64_t l4 = ol & RTE_MBUF_F_TX_L4_MASK;
	/* By itself it finds headers in anything; told where, it cuts what is no TCP or UDP. */
	uint64_t act = (uint64_t)I8255X_IPCB2_PARSE << 24;

	if (ol & RTE_MBUF_F_TX_IP_CKSUM)
		act |= I8255X_IPCB_IP_CSUM << 16;
	if (l4 != 0)
		act |= I8255X_IPCB_L4_CSUM << 16;
	if (l4 == RTE_MBUF_F_TX_TCP_CKSUM)
		act |= I8255X_IPCB_TCP << 16;
	if (ol & RTE_MBUF_F_TX_VLAN)
		act |= (uint64_t)I8255X_IPCB2_VLAN << 24 |
		       (uint64_t)rte_bswap16(m->vlan_tci) << 32;
	if (ol & RTE_MBUF_F_TX_TCP_SEG)
		act |= (uint64_t)(I8255X_IPCB_LARGE_SEND | I8255X_IPCB_IP_CSUM |
				  I8255X_IPCB_L4_CSUM | I8255X_IPCB_TCP) << 16;
	return act;
}

/* Header lengths of a packet to be segmented. */
static inline uint32_t
tx_headers(const struct rte_mbuf *m)
{
	return m->l2_len + m->l3_len + m->l4_len;
}

/* Words of a block behind its link: where the TBDs are, how many, and what goes before them. */
static inline void
tx_put_head(const struct i8255x_txq *txq, uint32_t slot, uint32_t array, uint8_t nb_tbd)
{
	struct tx_block *b = (struct tx_block *)txq->q.desc + slot;

	b->cb.array = rte_cpu_to_le_32(array);
	b->cb.count = 0;
	b->cb.threshold = txq->threshold;
	b->cb.nb_tbd = nb_tbd;
}

/* TBDs of an IPCB: the first has 14 bits of length and the end mark in a word of its own. */
static void
tx_put_ipcb(const struct i8255x_txq *txq, uint32_t slot, const struct rte_mbuf *m, uint64_t ol,
	    const struct pw_dma_seg *segs, uint32_t n)
{
	struct i8255x_ipcb *b = (struct i8255x_ipcb *)((struct tx_block *)txq->q.desc + slot);
	struct i8255x_tbd *more = (struct i8255x_tbd *)(b + 1);
	uint32_t at = (uint32_t)txq->q.zone.addr + slot * I8255X_TX_BLOCK + sizeof(*b);
	uint64_t act = rte_cpu_to_le_64(tx_act(m, ol));

	if (n > I8255X_TX_BLOCK_TBDS - 1) {
		uint32_t off = slot * I8255X_TX_MAX_SEGS * sizeof(*more);

		more = (struct i8255x_tbd *)((char *)txq->arrays.va + off);
		at = (uint32_t)txq->arrays.addr + off;
	}
	tx_put_head(txq, slot, at, I8255X_TX_TBD_DYNAMIC);
	memcpy(&b->schedule, &act, sizeof(act));
	b->addr0 = rte_cpu_to_le_32((uint32_t)segs[0].addr);
	b->size0 = rte_cpu_to_le_16(segs[0].len | (n == 1 ? I8255X_TBD_EL_DYN : 0));
	b->total = 0;
	if (ol & RTE_MBUF_F_TX_TCP_SEG) {
		b->thr_or_mss = rte_cpu_to_le_16(m->tso_segsz);
		b->total = rte_cpu_to_le_16(m->pkt_len - tx_headers(m));
	}
	for (uint32_t i = 1; i < n; i++) {
		uint32_t end = i == n - 1 ? I8255X_TBD_EL_DYN : 0;

		more[i - 1].addr = rte_cpu_to_le_32((uint32_t)segs[i].addr);
		more[i - 1].size = rte_cpu_to_le_32(segs[i].len | end);
	}
}

/*
 * TBDs of a transmit block. 82558 and later look for the first two in the block, whatever the
 * array says (§3.3), which makes six in a row; an 82557 has all in the array, which is the block.
 */
static void
tx_put_tbds(const struct i8255x_txq *txq, uint32_t slot, const struct pw_dma_seg *segs, uint32_t n)
{
	struct tx_block *b = (struct tx_block *)txq->q.desc + slot;
	uint32_t addr = (uint32_t)txq->q.zone.addr + slot * I8255X_TX_BLOCK;
	uint32_t array = addr + txq->array_off, here = n;
	struct i8255x_tbd *more = NULL;

	/* A second one that is not used has no size, and an address that can be read. */
	b->tbd[1] = (struct i8255x_tbd){ .addr = rte_cpu_to_le_32(addr) };
	if (n > I8255X_TX_BLOCK_TBDS) {
		uint32_t off = slot * I8255X_TX_MAX_SEGS * sizeof(*more);

		here = (txq->array_off - sizeof(b->cb)) / sizeof(*more);
		more = (struct i8255x_tbd *)((char *)txq->arrays.va + off);
		array = (uint32_t)txq->arrays.addr + off;
	}
	tx_put_head(txq, slot, array, n);
	for (uint32_t i = 0; i < n; i++) {
		struct i8255x_tbd *t = i < here ? &b->tbd[i] : &more[i - here];

		t->addr = rte_cpu_to_le_32((uint32_t)segs[i].addr);
		t->size = rte_cpu_to_le_32(segs[i].len);
	}
}

/* A packet that the chip takes as it lies, in the block at prod; without S. */
static inline void
tx_put(struct i8255x_txq *txq, struct rte_mbuf *m, uint64_t ol, const struct pw_dma_seg *segs,
       uint32_t n)
{
	uint32_t at = txq->q.ring.prod++, slot = pw_ring_slot(&txq->q.ring, at);
	volatile struct i8255x_cb *cb = tx_cb(txq, at);

	if (txq->ipcb)
		tx_put_ipcb(txq, slot, m, ol, segs, n);
	else
		tx_put_tbds(txq, slot, segs, n);
	cb->status = 0;
	cb->cmd = rte_cpu_to_le_16(txq->ipcb ? I8255X_OP_IPCB : TX_CMD_PLAIN);
	txq->q.bufs.slot[slot] = m;
	txq->bytes += RTE_MAX(m->pkt_len, TX_WIRE_MIN);
}

static void
tx_drop(struct i8255x_txq *txq, struct rte_mbuf *m)
{
	txq->stats->tx_dropped++;
	rte_pktmbuf_free(m);
}

/*
 * What needs no look-up changes while the port runs: external memory may come to lie where the
 * heap then grows. A whole frame less, so that the last byte is in it too.
 */
static inline void
tx_look(struct i8255x_txq *txq)
{
	const struct pw_dma *dma = txq->q.dma;

	txq->lo = dma->lo - dma->offset;
	txq->span = dma->span - RTE_MIN(dma->span, (uint64_t)txq->max_frame);
}

/* Whether what may be wrong with a lone segment is, or something is to be done to it first. */
static inline bool
tx_is_odd(const struct i8255x_txq *txq, const struct rte_mbuf *m, uint64_t ol)
{
	uint64_t at = rte_mbuf_data_iova(m) - txq->lo, len = m->data_len;
	uint32_t tag = ol & RTE_MBUF_F_TX_VLAN ? RTE_VLAN_HLEN : 0;

	return m->nb_segs != 1 || len < TX_FRAME_MIN || len + tag > txq->max_frame ||
	       at > txq->span || ((at + txq->lo) & txq->align_mask) != 0 ||
	       (ol & RTE_MBUF_F_TX_TCP_SEG) != 0 ||
	       ((ol & TX_CSUM_FLAGS) != 0 && i8255x_tx_wants_soft(m, ol));
}

/*
 * Send a packet that has to be looked at closely. @return 1 if it is dealt with, sent or dropped;
 * 0 if it has to wait for memory, and can be given again.
 *
 * The caller's array keeps the packet that it had, even where a copy is sent: who shares packets
 * may send the array on another port too. So once there is a copy, no way leads back.
 */
static __rte_noinline uint32_t
tx_odd(struct i8255x_txq *txq, struct rte_mbuf *pkt, uint64_t ol)
{
	struct pw_dma_seg segs[I8255X_TX_MAX_SEGS];
	struct rte_mbuf *m = pkt;
	int rc = i8255x_tx_fix(txq, &m, &ol), n = 0;

	if (rc == 0)
		n = i8255x_tx_load(txq, &m, segs);
	if ((rc == -ENOMEM || n == -ENOMEM) && m == pkt)
		return 0;
	if (rc != 0 || n < 0) {
		tx_drop(txq, m);
		return 1;
	}
	txq->chained += m->nb_segs;
	tx_put(txq, m, ol, segs, n);
	return 1;
}

/* --- plain burst --------------------------------------------------------------------------- */

/* What the watch has raised goes into all blocks; the chip only ever reads that byte. */
static __rte_noinline void
tx_set_threshold(struct i8255x_txq *txq)
{
	txq->threshold_in = txq->threshold;
	for (uint32_t i = 0; i < pw_ring_size(&txq->q.ring); i++)
		tx_block(txq, i)->cb.threshold = txq->threshold_in;
}

/* Blocks for `n` packets of one segment, the last with no S yet. @return whether one is odd. */
static inline bool
tx_fill(struct i8255x_txq *txq, struct rte_mbuf **pkts, uint32_t n, uint64_t *bytes)
{
	const uint32_t mask = txq->q.ring.mask, max = txq->max_frame, off = txq->off;
	const uint64_t lo = txq->lo, span = txq->span;
	struct tx_block *blocks = txq->q.desc;
	struct rte_mbuf **b = txq->q.bufs.slot;
	uint32_t prod = txq->q.ring.prod, wrong = 0, low = 0;
	uint64_t far = 0, sum = 0;

	for (uint32_t i = 0; i < n; i++, prod++) {
		struct rte_mbuf *m = pkts[i];
		uint32_t len = m->data_len, slot = prod & mask;
		uint64_t iova = rte_mbuf_data_iova(m), at = iova - lo;
		uint32_t cmd = rte_cpu_to_le_32((uint32_t)TX_CMD_PLAIN << 16);
		uint64_t tbd = rte_cpu_to_le_64((uint64_t)len << 32 | (uint32_t)(iova + off));

		b[slot] = m;
		memcpy(&blocks[slot], &cmd, sizeof(cmd));
		memcpy(&blocks[slot].tbd[0], &tbd, sizeof(tbd));
		sum += RTE_MAX(len, TX_WIRE_MIN);
		low |= (uint32_t)iova;
		/* Too short, too long, too low and too high all wrap to the high bit. */
		wrong |= (len - TX_FRAME_MIN) | (max - len);
		far |= at | (span - at);
	}
	txq->q.ring.prod = prod;
	*bytes = sum;
	return (wrong >> 31 | far >> 63 | (low & txq->align_mask)) != 0;
}

/* The burst again, one by one, because some packet in it is odd. */
static __rte_noinline uint32_t
tx_one_by_one(struct i8255x_txq *txq, struct rte_mbuf **pkts, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		if (tx_odd(txq, pkts[i], 0) == 0)
			break;
	/* A copy may be of another pool. */
	txq->hole = txq->q.ring.prod;
	txq->holes = true;
	return i;
}

/* scb_lock held. */
static inline uint32_t
tx_send_plain(struct i8255x_txq *txq, struct rte_mbuf **pkts, uint32_t n)
{
	uint32_t first = txq->q.ring.prod;
	uint64_t bytes;

	if (unlikely(txq->threshold != txq->threshold_in))
		tx_set_threshold(txq);
	tx_look(txq);
	n = tx_make_room(txq, n, true);
	if (unlikely(tx_fill(txq, pkts, n, &bytes))) {
		/* Nothing has been handed over yet: take it all back. */
		txq->q.ring.prod = first;
		n = tx_one_by_one(txq, pkts, n);
	} else {
		txq->bytes += bytes;
	}
	if (likely(txq->q.ring.prod != first))
		tx_hand_over(txq, first);
	return n;
}

uint16_t
i8255x_tx_burst(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	struct i8255x_txq *txq = queue;
	rte_spinlock_t *lock = &txq->ad->hw.scb_lock;
	uint16_t n;

	rte_spinlock_lock(lock);
	if (unlikely(txq->owed))
		tx_pay(txq);
	n = tx_send_plain(txq, pkts, nb_pkts);
	rte_spinlock_unlock(lock);
	return n;
}

/* --- full burst ---------------------------------------------------------------------------- */

/* scb_lock held. */
static inline uint32_t
tx_send_full(struct i8255x_txq *txq, struct rte_mbuf **pkts, uint32_t n)
{
	uint32_t first = txq->q.ring.prod, i;

	tx_look(txq);
	/* A block may hold many buffers: a ring of chains must not sit on a whole pool. */
	if (unlikely(txq->chained > txq->q.ring.mask)) {
		tx_free_some(txq, UINT32_MAX);
		txq->chained = 0;
	}
	n = tx_make_room(txq, n, false);
	for (i = 0; i < n; i++) {
		struct rte_mbuf *m = pkts[i];
		uint64_t ol = m->ol_flags & txq->ol_mask;
		struct pw_dma_seg seg;

		if (unlikely(tx_is_odd(txq, m, ol))) {
			if (tx_odd(txq, m, ol) == 0)
				break;
			continue;
		}
		seg.addr = rte_mbuf_data_iova(m) + txq->off;
		seg.len = m->data_len;
		tx_put(txq, m, ol, &seg, 1);
	}
	if (likely(txq->q.ring.prod != first))
		tx_hand_over(txq, first);
	return i;
}

uint16_t
i8255x_tx_burst_full(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	struct i8255x_txq *txq = queue;
	rte_spinlock_t *lock = &txq->ad->hw.scb_lock;
	uint16_t n;

	rte_spinlock_lock(lock);
	if (unlikely(txq->owed))
		tx_pay(txq);
	n = tx_send_full(txq, pkts, nb_pkts);
	rte_spinlock_unlock(lock);
	return n;
}

/* --- what an application may ask about the ring -------------------------------------------- */

/* Counted from the tail on: what the slot held one round before says whether it is free. */
int
i8255x_tx_desc_status(void *queue, uint16_t offset)
{
	const struct i8255x_txq *txq = queue;
	const struct pw_ring *r = &txq->q.ring;
	uint32_t count = r->prod + offset - pw_ring_size(r);

	if (offset > r->mask)
		return -EINVAL;
	return pw_eth_tx_desc_status(r, offset, i8255x_tx_passed(txq, count));
}

/* --- set-up -------------------------------------------------------------------------------- */

bool
i8255x_tx_wants_full(const struct rte_eth_dev *eth)
{
	const struct i8255x_txq *txq = eth->data->tx_queues[0];

	return txq->q.offloads != RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE;
}

static uint64_t
tx_ol_mask(uint64_t offloads)
{
	const uint64_t csum = RTE_ETH_TX_OFFLOAD_UDP_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_CKSUM;
	uint64_t mask = 0;

	if (offloads & RTE_ETH_TX_OFFLOAD_IPV4_CKSUM)
		mask |= RTE_MBUF_F_TX_IP_CKSUM;
	if (offloads & csum)
		mask |= RTE_MBUF_F_TX_L4_MASK;
	if (offloads & (csum | RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_TCP_TSO))
		mask |= RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IPV6;
	if (offloads & RTE_ETH_TX_OFFLOAD_VLAN_INSERT)
		mask |= RTE_MBUF_F_TX_VLAN;
	if (offloads & RTE_ETH_TX_OFFLOAD_TCP_TSO)
		mask |= RTE_MBUF_F_TX_TCP_SEG;
	return mask;
}

static void
tx_init(struct i8255x_txq *txq, struct i8255x_adapter *ad)
{
	struct i8255x_hw *hw = &ad->hw;

	txq->io = hw->io;
	txq->ad = ad;
	txq->stats = &ad->sw;
	txq->q.dma = &ad->dma;
	txq->ol_mask = tx_ol_mask(txq->q.offloads);
	/* A tag in the frame is no matter to any of the transmitters. */
	txq->max_frame = I8255X_MAX_FRAME_LONG - RTE_ETHER_CRC_LEN;
	txq->align_mask = RTE_MAX(ad->dma.limits.align, 1u) - 1;
	txq->resume_quirk = (hw->flags & (I8255X_F_ERR_STANDBY | I8255X_F_ERR_10_HALF |
					  I8255X_F_ERR_EMULATED)) != 0;
	/* One form of block for all packets, and the chip is told which (byte 7). */
	hw->ipcb = (hw->flags & I8255X_F_IPCB) != 0 && txq->ol_mask != 0;
	txq->ipcb = hw->ipcb;
	txq->array_off = sizeof(struct i8255x_txcb);
	if (hw->flags & I8255X_F_EXT_TCB)
		txq->array_off += I8255X_TX_INLINE_TBDS * sizeof(struct i8255x_tbd);
}

/* Blocks, and the arrays of long chains. The chip may read 8 bytes beyond a list (§3.3). */
static int
tx_alloc(struct i8255x_txq *txq, struct i8255x_adapter *ad, uint32_t nb_desc)
{
	char name[RTE_MEMZONE_NAMESIZE];
	int rc;

	snprintf(name, sizeof(name), "i8255x_tx_%u", txq->q.port_id);
	rc = pw_dma_zone_alloc(&ad->dma, name, (nb_desc + 1) * sizeof(struct tx_block),
			       sizeof(struct tx_block), &txq->q.zone);
	if (rc != 0)
		return rc;
	txq->q.desc = txq->q.zone.va;
	snprintf(name, sizeof(name), "i8255x_tbd_%u", txq->q.port_id);
	rc = pw_dma_zone_alloc(&ad->dma, name, (nb_desc * I8255X_TX_MAX_SEGS + 1) *
			       sizeof(struct i8255x_tbd), RTE_CACHE_LINE_SIZE, &txq->arrays);
	if (rc != 0)
		pw_dma_zone_free(&txq->q.zone);
	return rc;
}

int
i8255x_tx_queue_setup(struct rte_eth_dev *eth, uint16_t queue, uint16_t nb_desc,
		      unsigned int socket, const struct rte_eth_txconf *conf)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	struct rte_eth_desc_lim lim = i8255x_desc_lim();
	struct i8255x_txq *txq;
	int rc;

	i8255x_tx_queue_release(eth, queue);
	rc = pw_eth_check_desc(eth, "Tx", &nb_desc, &lim);
	if (rc != 0)
		return rc;
	txq = rte_zmalloc_socket("i8255x_txq", sizeof(*txq), RTE_CACHE_LINE_SIZE, socket);
	if (txq == NULL)
		return -ENOMEM;
	rc = pw_txq_init(&txq->q, eth, queue, nb_desc, socket, conf);
	if (rc != 0)
		goto err_free;
	tx_init(txq, ad);
	rc = tx_alloc(txq, ad, nb_desc);
	if (rc != 0) {
		PW_LOG(ERR, "%s: %u Tx descriptors: %s", ad->dev.name, nb_desc,
		       pw_dma_explain(&ad->dma, rc));
		goto err_bufs;
	}
	eth->data->tx_queues[queue] = txq;
	return 0;

err_bufs:
	pw_bufs_fini(&txq->q.bufs);
err_free:
	rte_free(txq);
	return rc;
}

/* Free every packet still in the circle: sent or not, nobody will tell any more. */
static void
tx_drain(struct i8255x_txq *txq)
{
	pw_txq_drain(&txq->q);
	txq->owed = false;
}

void
i8255x_tx_queue_release(struct rte_eth_dev *eth, uint16_t queue)
{
	struct i8255x_txq *txq = eth->data->tx_queues[queue];

	if (txq == NULL)
		return;
	tx_drain(txq);
	pw_dma_zone_free(&txq->arrays);
	pw_dma_zone_free(&txq->q.zone);
	pw_bufs_fini(&txq->q.bufs);
	rte_free(txq);
	eth->data->tx_queues[queue] = NULL;
}

/* --- start and stop ------------------------------------------------------------------------ */

/* A circle of NOPs, with all in place that the plain burst leaves alone. */
static void
tx_build(struct i8255x_txq *txq)
{
	struct pw_ring *r = &txq->q.ring;

	tx_drain(txq);
	pw_ring_init(r, pw_ring_size(r));
	memset(txq->q.desc, 0, txq->q.zone.len);
	for (uint32_t i = 0; i < pw_ring_size(r); i++) {
		struct tx_block *b = tx_block(txq, i);

		b->cb.cb.link = rte_cpu_to_le_32(tx_block_addr(txq, i + 1));
		b->tbd[1].addr = rte_cpu_to_le_32(tx_block_addr(txq, i));
		tx_put_head(txq, i, tx_block_addr(txq, i) + txq->array_off, 1);
	}
	txq->threshold_in = txq->threshold;
	txq->detour = 0;
	tx_put_nop(txq, 0);
	tx_cb(txq, 0)->cmd |= rte_cpu_to_le_16(I8255X_CMD_S);
}

/* Start the CU on the first block, a NOP, behind which it suspends. */
static int
tx_run(struct i8255x_txq *txq)
{
	struct i8255x_hw *hw = &txq->ad->hw;
	int rc;

	rte_spinlock_lock(&hw->scb_lock);
	rc = i8255x_command(hw, I8255X_CUC_START, tx_block_addr(txq, 0));
	if (rc == 0)
		rc = i8255x_wait_command(hw);
	rte_spinlock_unlock(&hw->scb_lock);
	for (uint32_t us = 0; rc == 0 && !tx_done(txq, 0); us += TX_START_STEP_US) {
		if (us >= TX_START_US)
			rc = i8255x_gone(hw) ? -ENODEV : -ETIMEDOUT;
		else
			rte_delay_us(TX_START_STEP_US);
	}
	if (rc == 0)
		tx_free_some(txq, UINT32_MAX);
	else
		PW_LOG(ERR, "%s: the command unit does not start (%s): reset the card",
		       txq->ad->dev.name, rte_strerror(-rc));
	return rc;
}

int
i8255x_tx_start(struct rte_eth_dev *eth)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	struct i8255x_txq *txq = eth->data->tx_queues[0];
	int rc;

	txq->threshold = ad->hw.tx_threshold;
	txq->q.fallback = ((struct i8255x_rxq *)eth->data->rx_queues[0])->q.mp;
	txq->full = i8255x_tx_wants_full(eth);
	txq->off = (uint32_t)ad->dma.offset;
	tx_build(txq);
	rc = tx_run(txq);
	if (rc != 0)
		return rc;
	ad->txq = txq;
	ad->cmd_pending = NULL;
	/* The circle is control commands' too: it runs even if the queue is left out. */
	if (!txq->q.deferred_start)
		eth->data->tx_queue_state[0] = RTE_ETH_QUEUE_STATE_STARTED;
	return 0;
}

/* After reset, so that the chip reads no packet any more. */
void
i8255x_tx_stop(struct rte_eth_dev *eth)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	struct i8255x_txq *txq = eth->data->nb_tx_queues == 0 ? NULL : eth->data->tx_queues[0];

	rte_spinlock_lock(&ad->cmd_lock);
	ad->txq = NULL;
	ad->cmd_pending = NULL;
	rte_spinlock_unlock(&ad->cmd_lock);
	if (txq == NULL)
		return;
	tx_drain(txq);
	eth->data->tx_queue_state[0] = RTE_ETH_QUEUE_STATE_STOPPED;
}

int
i8255x_tx_queue_start(struct rte_eth_dev *eth, uint16_t queue)
{
	eth->data->tx_queue_state[queue] = RTE_ETH_QUEUE_STATE_STARTED;
	return 0;
}

/*
 * The CU cannot be stopped by itself, and need not be: it suspends when it has sent what it has.
 * What a link that is down or a partner's PAUSE holds up is freed when it goes, or at stop.
 */
int
i8255x_tx_queue_stop(struct rte_eth_dev *eth, uint16_t queue)
{
	struct i8255x_txq *txq = eth->data->tx_queues[queue];

	for (unsigned int i = 0; i < TX_QUIET_MS && !pw_ring_empty(&txq->q.ring); i++) {
		i8255x_tx_owed(txq);
		if (i8255x_tx_done_cleanup(txq, 0) == 0)
			rte_delay_ms(1);
	}
	eth->data->tx_queue_state[queue] = RTE_ETH_QUEUE_STATE_STOPPED;
	return 0;
}

int
i8255x_tx_done_cleanup(void *queue, uint32_t free_cnt)
{
	struct i8255x_txq *txq = queue;
	rte_spinlock_t *lock = &txq->ad->hw.scb_lock;
	uint32_t n;

	rte_spinlock_lock(lock);
	if (unlikely(txq->owed))
		tx_pay(txq);
	n = tx_free_some(txq, free_cnt == 0 ? UINT32_MAX : free_cnt);
	rte_spinlock_unlock(lock);
	return n;
}
