/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Transmit blocks to frames (§3.3). One that lies in host memory in one piece and needs
 * nothing done to it is sent from there; all others are gathered in buf[]. A frame that the
 * line does not take keeps the block incomplete, and the CU at it.
 */

#include <errno.h>

#include "pw_csum.h"

#include "i8255x_model.h"

#define ADDR_LEN 6
#define MAX_COLLISIONS 16	/* attempts, after which a frame is given up (IEEE 802.3) */
#define EARLY_PAD 0x7e		/* what an 82557 pads with (§1.2) */
#define TBD_RESERVED 0xc000u	/* of a TBD's size; Linux leaves rubbish above EL (§3.3) */
#define QUANTUM_BITS 512	/* IEEE 802.3 annex 31B */

/* --- the line -------------------------------------------------------------------------------- */

static bool
tx_half_duplex(const struct i8255x_model *x)
{
	return !i8255x_full_duplex(x);
}

/* The wire has no collisions of its own: a fault switch makes them. False: given up. */
static bool
tx_collide(struct i8255x_model *x)
{
	uint32_t n = x->m->fault[PW_FAULT_COLLISIONS];

	if (PW_LIKELY(n == 0) || !tx_half_duplex(x))
		return true;
	x->m->fault[PW_FAULT_COLLISIONS] = 0;
	if (n > MAX_COLLISIONS)
		n = MAX_COLLISIONS;
	x->stat[I8255X_TX_TOTAL_COLL] += n;
	if (n == MAX_COLLISIONS) {
		i8255x_count(x, I8255X_TX_MAX_COLL);
		return false;
	}
	i8255x_count(x, n == 1 ? I8255X_TX_SINGLE_COLL : I8255X_TX_MULTI_COLL);
	return true;
}

/*
 * False: the line is busy. A frame for a line that is not there is gone (§3.3). A frame meets
 * its collisions once the line would take it.
 */
static bool
tx_send(struct i8255x_model *x, const uint8_t *frame, uint32_t len, uint32_t flags)
{
	if (PW_UNLIKELY(i8255x_loopback(x))) {
		i8255x_rx_frame(x, frame, len, flags);
	} else if (PW_UNLIKELY(!i8255x_line_up(x) || x->m->wire == NULL)) {
		i8255x_count(x, I8255X_TX_LOST_CARRIER);
		return true;
	} else if (PW_UNLIKELY(pw_wire_busy_until(x->m->wire) != 0 &&
			       x->m->fault[PW_FAULT_COLLISIONS] != 0)) {
		return false;
	} else if (PW_UNLIKELY(!tx_collide(x))) {
		return true;
	} else if (pw_wire_send(x->m->wire, frame, len, flags) == -EAGAIN) {
		return false;
	}
	i8255x_count(x, I8255X_TX_GOOD);
	return true;
}

bool
i8255x_tx_out(struct i8255x_model *x)
{
	struct i8255x_tx *tx = &x->tx;
	uint32_t flags = 0, fcs, len = tx->len;

	if (PW_UNLIKELY(tx->has_fcs)) {
		len -= I8255X_FCS;
		fcs = pw_crc32(tx->buf + tx->at, len);
		if (memcmp(&fcs, tx->buf + tx->at + len, sizeof(fcs)) != 0)
			flags = PW_FRAME_BAD_CRC;
	}
	if (!tx_send(x, tx->buf + tx->at, len, flags))
		return false;
	tx->ready = false;
	return true;
}

/* --- buffer descriptors ---------------------------------------------------------------------- */

static void
tbd_check(struct i8255x_model *x, const struct i8255x_tbd *t)
{
	if ((t->size & TBD_RESERVED) != 0)
		pw_violate(x->m, PW_VIOL_PROTOCOL, "TBD with size 0x%08x: reserved bits (§3.3)",
			   t->size);
	if ((t->addr & 1) != 0 && !i8255x_has(x, I8255X_F_558))
		pw_violate(x->m, PW_VIOL_PROTOCOL,
			   "data at 0x%08x: an 82557 wants an even address (§6)", t->addr);
}

bool
i8255x_tbd_next(struct i8255x_model *x, struct i8255x_tbds *w, struct i8255x_tbd *t)
{
	if (w->left == 0)
		return false;
	if (w->nb_inline != 0) {
		*t = *w->inl++;
		w->nb_inline--;
	} else {
		if ((w->array & 1) != 0)
			pw_violate(x->m, PW_VIOL_PROTOCOL, "TBDs at 0x%08x: odd (§6)", w->array);
		if (!pw_dma_read(x->m, &x->tx.tbd_win, w->array, t, sizeof(*t))) {
			w->left = 0;
			w->bad = true;
			return false;
		}
		w->array += sizeof(*t);
	}
	w->left--;
	if ((t->size & (I8255X_TBD_EL | (w->dynamic ? I8255X_TBD_EL_DYN : 0))) != 0) {
		w->left = 0;
	} else if (w->left == 0 && w->dynamic) {
		pw_violate(x->m, PW_VIOL_PROTOCOL, "TBDs without an end (§3.3)");
		w->bad = true;
		return false;
	}
	if (w->dynamic)
		t->size &= ~I8255X_TBD_EL_DYN;
	tbd_check(x, t);
	t->size &= I8255X_TBD_SIZE_MASK;
	return true;
}

/* Number of TBDs as the block says; false if there is no such number. */
bool
i8255x_tbd_count(struct i8255x_model *x, struct i8255x_tbds *w, unsigned int nb)
{
	w->left = nb;
	w->dynamic = nb == I8255X_TX_TBD_DYNAMIC;
	if (w->dynamic && (!i8255x_has(x, I8255X_F_550) ||
			   (x->cfg[7] & I8255X_CFG7_DYN_TBD) == 0)) {
		pw_violate(x->m, PW_VIOL_PROTOCOL,
			   "dynamic TBDs without Configure byte 7 bit 7 (§3.3)");
		return false;
	}
	return true;
}

/* Append what the TBDs say to `dst`, which has `len` bytes. The new length; `max` + 1: more. */
uint32_t
i8255x_tbd_gather(struct i8255x_model *x, struct i8255x_tbds *w, uint8_t *dst, uint32_t len,
		  uint32_t max)
{
	struct i8255x_tbd t;

	while (i8255x_tbd_next(x, w, &t)) {
		if (len + t.size > max)
			return max + 1;
		if (t.size != 0 && !pw_dma_read(x->m, &x->tx.win, t.addr, dst + len, t.size)) {
			w->bad = true;
			break;
		}
		len += t.size;
	}
	return len;
}

/* --- frames ---------------------------------------------------------------------------------- */

/* Longest frame that is given to be sent, bytes: with its CRC if NC says that it has one. */
static uint32_t
tx_max(const struct i8255x_model *x)
{
	bool nc = (x->cu.hdr.cmd & I8255X_CMD_NC) != 0;

	return I8255X_MAX_FRAME_LONG - (nc ? 0 : I8255X_FCS);
}

/* The frame at buf[at] is all there: source address, padding. */
void
i8255x_tx_ready(struct i8255x_model *x)
{
	const uint32_t min = I8255X_MIN_FRAME - I8255X_FCS;
	struct i8255x_tx *tx = &x->tx;
	uint8_t *f = tx->buf + tx->at;

	tx->has_fcs = (x->cu.hdr.cmd & I8255X_CMD_NC) != 0;
	if (!tx->has_fcs && (x->cfg[10] & I8255X_CFG10_NSAI) == 0 && tx->len >= ADDR_LEN) {
		memmove(f + 2 * ADDR_LEN, f + ADDR_LEN, tx->len - ADDR_LEN);
		memcpy(f + ADDR_LEN, x->ia, ADDR_LEN);
		tx->len += ADDR_LEN;
	}
	if (!tx->has_fcs && tx->len < min && (x->cfg[18] & I8255X_CFG18_PAD) != 0) {
		memset(f + tx->len, i8255x_has(x, I8255X_F_558) ? 0 : EARLY_PAD, min - tx->len);
		tx->len = min;
	}
	tx->ready = true;
}

/*
 * The FIFO runs dry when sending starts before enough is in it, as long as the frame is longer
 * than what was waited for. With three retries the last waits for the whole frame (§3.3).
 */
static bool
tx_underrun(struct i8255x_model *x, uint32_t threshold, uint32_t len)
{
	uint32_t need = x->m->fault[PW_FAULT_TX_UNDERRUN], retries;

	if (PW_LIKELY(need == 0) || threshold >= need || len <= threshold * 8)
		return false;
	retries = (x->cfg[7] & I8255X_CFG7_UNDERRUN_MASK) >> I8255X_CFG7_UNDERRUN_SHIFT;
	x->stat[I8255X_TX_UNDERRUN] += retries == 3 ? retries : retries + 1;
	return retries != 3;
}

static enum i8255x_tx_result
tx_bad(struct i8255x_model *x, const char *what, uint32_t n)
{
	pw_violate(x->m, PW_VIOL_PROTOCOL, "Tx block at 0x%08x: %s (%u) (§3.3)", x->cu.at, what, n);
	return I8255X_TX_BAD;
}

/* What is common to all frames once their length is known. */
enum i8255x_tx_result
i8255x_tx_check(struct i8255x_model *x, uint32_t threshold, uint32_t len, uint32_t max)
{
	if (len > max)
		return tx_bad(x, "the frame is longer than the chip takes, bytes", max);
	if (len == 0 || ((x->cu.hdr.cmd & I8255X_CMD_NC) != 0 && len <= I8255X_FCS))
		return tx_bad(x, "there is no frame, bytes", len);
	return tx_underrun(x, threshold, len) ? I8255X_TX_FAILED : I8255X_TX_SENT;
}

/*
 * Erratum: without a CUC NOP before the resume the transmitter of an ICH hangs (§7). Not in
 * loopback: Linux's self-test does not heed it there.
 */
static bool
tx_ich_hang(struct i8255x_model *x)
{
	struct i8255x_cu *cu = &x->cu;

	if (PW_LIKELY(!i8255x_has(x, I8255X_F_ICH)) || !cu->resumed || cu->resumed_by_nop ||
	    x->phy.mbps != 10 || i8255x_full_duplex(x) || !x->phy.link || i8255x_loopback(x))
		return false;
	pw_violate(x->m, PW_VIOL_PROTOCOL,
		   "ICH at 10 Mb/s half duplex: resume without a NOP before, Tx hangs (§7)");
	cu->hung = true;
	return true;
}

/* Whether the transmitter may take a block now. */
bool
i8255x_tx_may(struct i8255x_model *x)
{
	return x->m->fault[PW_FAULT_TX_HANG] == 0 && !i8255x_tx_paused(x) && !tx_ich_hang(x);
}

/* SF = 0: the frame is in the block. */
static enum i8255x_tx_result
tx_simplified(struct i8255x_model *x, const struct i8255x_txcb *cb)
{
	uint32_t len = cb->count & I8255X_TX_COUNT_MASK, max = tx_max(x);
	enum i8255x_tx_result result;

	if (cb->array != I8255X_NULL)
		pw_violate(x->m, PW_VIOL_PROTOCOL,
			   "simplified Tx with TBDs at 0x%08x (§3.3)", cb->array);
	if ((cb->count & I8255X_TX_EOF) == 0)
		pw_violate(x->m, PW_VIOL_PROTOCOL, "simplified Tx without EOF (§3.3)");
	result = i8255x_tx_check(x, cb->threshold, len, max);
	if (result != I8255X_TX_SENT)
		return result;
	if (!pw_dma_read(x->m, &x->cu.win, x->cu.at + sizeof(*cb), x->tx.buf, len))
		return I8255X_TX_BAD;
	x->tx.len = len;
	i8255x_tx_ready(x);
	return i8255x_tx_out(x) ? I8255X_TX_SENT : I8255X_TX_WAIT;
}

/* A frame of one buffer that goes as it is. Looped back it may be stored over itself. */
static bool
tx_is_plain(const struct i8255x_model *x, const struct i8255x_tbds *w,
	    const struct i8255x_tbd *t)
{
	return w->left == 0 && t->size >= I8255X_MIN_FRAME - I8255X_FCS && t->size <= tx_max(x) &&
	       (x->cu.hdr.cmd & I8255X_CMD_NC) == 0 &&
	       (x->cfg[10] & I8255X_CFG10_NSAI) != 0 && !i8255x_loopback(x);
}

static enum i8255x_tx_result
tx_flexible(struct i8255x_model *x, const struct i8255x_txcb *cb, struct i8255x_tbds *w)
{
	uint32_t len = cb->count & I8255X_TX_COUNT_MASK, max = tx_max(x);
	enum i8255x_tx_result result;
	struct i8255x_tbd first = { 0 };
	const uint8_t *p;

	if (len > max)
		return tx_bad(x, "bytes in a flexible block", len);
	if (len != 0 && w->nb_inline != 0)
		return tx_bad(x, "an extended block has no room for data, bytes", len);
	if (len != 0 && !pw_dma_read(x->m, &x->cu.win, x->cu.at + sizeof(*cb), x->tx.buf, len))
		return I8255X_TX_BAD;
	if (i8255x_tbd_next(x, w, &first)) {
		if (PW_LIKELY(len == 0 && tx_is_plain(x, w, &first))) {
			p = pw_dma_ptr(x->m, &x->tx.win, first.addr, first.size, false);
			if (PW_LIKELY(p != NULL)) {
				if (PW_UNLIKELY(tx_underrun(x, cb->threshold, first.size)))
					return I8255X_TX_FAILED;
				return tx_send(x, p, first.size, 0) ? I8255X_TX_SENT
								    : I8255X_TX_WAIT;
			}
		}
		if (len + first.size > max)
			return tx_bad(x, "the frame is longer than the chip takes, bytes", max);
		if (first.size != 0 && !pw_dma_read(x->m, &x->tx.win, first.addr, x->tx.buf + len,
						    first.size))
			return I8255X_TX_BAD;
		len = i8255x_tbd_gather(x, w, x->tx.buf, len + first.size, max);
	}
	if (w->bad)
		return I8255X_TX_BAD;
	result = i8255x_tx_check(x, cb->threshold, len, max);
	if (result != I8255X_TX_SENT)
		return result;
	x->tx.len = len;
	i8255x_tx_ready(x);
	return i8255x_tx_out(x) ? I8255X_TX_SENT : I8255X_TX_WAIT;
}

enum i8255x_tx_result
i8255x_tx_block(struct i8255x_model *x)
{
	struct {
		struct i8255x_txcb cb;
		struct i8255x_tbd tbd[I8255X_TX_INLINE_TBDS];
	} b;
	bool flexible = (x->cu.hdr.cmd & I8255X_CMD_SF) != 0;
	bool extended = flexible && (x->cfg[6] & I8255X_CFG6_STD_TCB) == 0;
	struct i8255x_tbds w = { .inl = b.tbd };

	if (PW_UNLIKELY(!i8255x_tx_may(x)))
		return I8255X_TX_WAIT;
	if (PW_UNLIKELY(x->tx.ready))
		return i8255x_tx_out(x) ? I8255X_TX_SENT : I8255X_TX_WAIT;
	if (!pw_dma_read(x->m, &x->cu.win, x->cu.at, &b, extended ? sizeof(b) : sizeof(b.cb)))
		return I8255X_TX_BAD;
	x->tx.at = 0;
	if (!flexible)
		return tx_simplified(x, &b.cb);
	if (!i8255x_tbd_count(x, &w, b.cb.nb_tbd))
		return I8255X_TX_BAD;
	w.array = b.cb.array;
	w.nb_inline = extended ? I8255X_TX_INLINE_TBDS : 0;
	return tx_flexible(x, &b.cb, &w);
}

void
i8255x_tx_reset(struct i8255x_model *x)
{
	x->tx.ready = false;
	x->tx.lso_len = x->tx.lso_at = 0;
}

/* --- flow control ---------------------------------------------------------------------------- */

uint64_t
i8255x_quanta_ns(const struct i8255x_model *x, uint32_t quanta)
{
	return (uint64_t)quanta * QUANTUM_BITS * 1000 / i8255x_mbps(x);
}

bool
i8255x_tx_paused(const struct i8255x_model *x)
{
	return pw_timer_armed(x->m, I8255X_T_PAUSE);
}

void
i8255x_tx_pause(struct i8255x_model *x, uint32_t quanta)
{
	if (quanta != 0) {
		pw_timer_set(x->m, I8255X_T_PAUSE, pw_now(x->m) + i8255x_quanta_ns(x, quanta));
		return;
	}
	if (!i8255x_tx_paused(x))
		return;
	pw_timer_stop(x->m, I8255X_T_PAUSE);
	if (!pw_model_defer(x->m))
		i8255x_cu_run(x);
}

/* PAUSE frames do not wait for the transmitter to be free of PAUSE itself. */
void
i8255x_send_pause(struct i8255x_model *x, uint32_t quanta)
{
	static const uint8_t head[] = { 0x01, 0x80, 0xc2, 0x00, 0x00, 0x01 };
	static const uint8_t op[] = { 0x88, 0x08, 0x00, 0x01 };
	uint8_t f[I8255X_MIN_FRAME - I8255X_FCS] = { 0 };

	if (!i8255x_has(x, I8255X_F_558) || !i8255x_line_up(x) || x->m->wire == NULL ||
	    i8255x_loopback(x))
		return;
	memcpy(f, head, sizeof(head));
	memcpy(f + ADDR_LEN, x->ia, ADDR_LEN);
	memcpy(f + 2 * ADDR_LEN, op, sizeof(op));
	f[16] = (uint8_t)(quanta >> 8);
	f[17] = (uint8_t)quanta;
	if (pw_wire_send(x->m->wire, f, sizeof(f), 0) == 0)
		i8255x_count(x, I8255X_FC_TX_PAUSE);
}
