/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Control commands: Configure, individual address, multicast list; and the statistics.
 *
 * The chip has one list for commands and frames. While the port runs, a command goes in among
 * the frames: its block is in memory of the port's own, and the circle makes a detour to it
 * (i8255x_tx_put_cmd()). Burst threads are held up for as long as that takes, not while the
 * command is waited for. There is one block of each kind and one detour at a time: who comes next
 * waits until the chip has left the last one behind, or has to come again.
 *
 * At start nothing else is in the circle yet, and the same way is used: the first command by which
 * an idle CU is started is the circle's first NOP (i8255x_tx_start()).
 *
 * Statistics are no command of the list: the chip writes them to memory, a marker last (§3.6).
 */

#include <string.h>

#include "i8255x.h"

#define CMD_TIMEOUT_US		100000
#define CMD_STEP_US		20
/* A resume that was lost, or not heard: give another. */
#define CMD_KICK_US		1000

#define DUMP_TIMEOUT_US		10000
#define DUMP_STEP_US		10

static inline struct i8255x_ctl *
ctl_of(const struct i8255x_adapter *ad)
{
	return ad->ctl.va;
}

static inline uint32_t
ctl_addr(const struct i8255x_adapter *ad, const void *part)
{
	return (uint32_t)ad->ctl.addr + (uint32_t)((const char *)part - (const char *)ad->ctl.va);
}

/* --- through the circle; cmd_lock held ----------------------------------------------------- */

/* Wait until the chip has come back from the block that was put last. */
static int
cmd_wait(struct i8255x_adapter *ad)
{
	struct i8255x_txq *txq = ad->txq;

	for (uint32_t us = 0; ad->cmd_pending != NULL; us += CMD_STEP_US) {
		rte_spinlock_lock(&ad->hw.scb_lock);
		if (i8255x_tx_passed(txq, ad->cmd_at)) {
			ad->cmd_pending = NULL;
		} else if (us != 0 && us % CMD_KICK_US == 0) {
			i8255x_tx_kick(txq);
		}
		rte_spinlock_unlock(&ad->hw.scb_lock);
		if (ad->cmd_pending == NULL)
			break;
		/* Which also makes a resume arrive that is on its way. */
		if (i8255x_gone(&ad->hw))
			return -ENODEV;
		if (us >= CMD_TIMEOUT_US)
			return -ETIMEDOUT;
		rte_delay_us(CMD_STEP_US);
	}
	return 0;
}

/* Have a block executed whose opcode and parameters are in. */
static int
cmd_run(struct i8255x_adapter *ad, struct i8255x_cb *cb)
{
	int rc;

	rte_spinlock_lock(&ad->hw.scb_lock);
	rc = i8255x_tx_put_cmd(ad->txq, cb, ctl_addr(ad, cb), &ad->cmd_at);
	if (rc == 0)
		ad->cmd_pending = cb;
	rte_spinlock_unlock(&ad->hw.scb_lock);
	if (rc == 0)
		rc = cmd_wait(ad);
	if (rc == 0 && (rte_le_to_cpu_16(cb->status) & I8255X_CB_DONE) != I8255X_CB_DONE)
		rc = -EIO;
	return rc;
}

static int
run_configure(struct i8255x_adapter *ad)
{
	struct i8255x_cb_config *c = &ctl_of(ad)->config;

	c->cb.cmd = rte_cpu_to_le_16(I8255X_OP_CONFIG);
	i8255x_config_build(&ad->hw, c->byte);
	return cmd_run(ad, &c->cb);
}

static int
run_ia(struct i8255x_adapter *ad)
{
	struct i8255x_cb_ia *c = &ctl_of(ad)->ia;

	c->cb.cmd = rte_cpu_to_le_16(I8255X_OP_IA);
	memcpy(c->mac, ad->hw.mac.addr_bytes, sizeof(c->mac));
	return cmd_run(ad, &c->cb);
}

static int
run_mc(struct i8255x_adapter *ad)
{
	struct i8255x_cb_mc *c = &ctl_of(ad)->mc;
	uint32_t n = RTE_MIN(ad->hw.nb_mc, (uint32_t)I8255X_MC_MAX);

	c->cb.cmd = rte_cpu_to_le_16(I8255X_OP_MULTICAST);
	c->count = rte_cpu_to_le_16(n * RTE_ETHER_ADDR_LEN);
	for (uint32_t i = 0; i < n; i++)
		memcpy(&c->addr[i * RTE_ETHER_ADDR_LEN], ad->hw.mc[i].addr_bytes,
		       RTE_ETHER_ADDR_LEN);
	return cmd_run(ad, &c->cb);
}

/* A port that is stopped keeps what was asked for until start. */
static int
cmd_in_turn(struct i8255x_adapter *ad, int (*run)(struct i8255x_adapter *), const char *what)
{
	int rc = 0;

	rte_spinlock_lock(&ad->cmd_lock);
	if (ad->txq != NULL)
		rc = cmd_wait(ad);
	if (ad->txq != NULL && rc == 0)
		rc = run(ad);
	rte_spinlock_unlock(&ad->cmd_lock);
	/* That a card is gone is told once, by the watch. */
	if (rc != 0 && rc != -ENODEV)
		PW_LOG(ERR, "%s: %s: the chip does not take the command (%s)", ad->dev.name, what,
		       rte_strerror(-rc));
	return rc;
}

/** The Configure block anew, from what `hw` says. @return 0; -ETIMEDOUT; -EIO; -ENODEV. */
int
i8255x_cmd_configure(struct i8255x_adapter *ad)
{
	return cmd_in_turn(ad, run_configure, "configuration");
}

/** hw.mac; @return as i8255x_cmd_configure(). */
int
i8255x_cmd_set_mac(struct i8255x_adapter *ad)
{
	return cmd_in_turn(ad, run_ia, "MAC address");
}

/** hw.mc; @return as i8255x_cmd_configure(). */
int
i8255x_cmd_set_mc(struct i8255x_adapter *ad)
{
	return cmd_in_turn(ad, run_mc, "multicast list");
}

/* --- statistics ---------------------------------------------------------------------------- */

/* A command that is not the circle's: the next resume has to see that it has been taken. */
static int
cmd_give(struct i8255x_adapter *ad, uint8_t command, uint32_t pointer)
{
	int rc;

	rte_spinlock_lock(&ad->hw.scb_lock);
	rc = i8255x_command(&ad->hw, command, pointer);
	rte_spinlock_unlock(&ad->hw.scb_lock);
	return rc;
}

/* Where the marker is, in dwords: it depends on byte 6 (§3.6). */
static uint32_t
marker_at(const struct i8255x_hw *hw)
{
	if (hw->flags & I8255X_F_TCO_STATS)
		return I8255X_STATS_MARK_TCO / sizeof(uint32_t);
	if (hw->flags & I8255X_F_EXT_STATS)
		return I8255X_STATS_MARK_EXT / sizeof(uint32_t);
	return I8255X_STATS_MARK_STD / sizeof(uint32_t);
}

/*
 * Wait for the marker. QEMU's card puts it where an 82557 has it, whatever it plays and is told:
 * accepted once the right place has had time to be written too.
 */
static int
dump_wait(struct i8255x_adapter *ad, volatile uint32_t *dw)
{
	const uint32_t mark = rte_cpu_to_le_32(I8255X_STATS_DUMPED_RESET);
	uint32_t at = marker_at(&ad->hw), std = I8255X_STATS_MARK_STD / sizeof(uint32_t);
	unsigned int seen = 0;

	for (uint32_t us = 0; dw[at] != mark; us += DUMP_STEP_US) {
		seen += dw[std] == mark;
		if (seen > 2) {
			dw[std] = 0;
			break;
		}
		if (i8255x_gone(&ad->hw))
			return -ENODEV;
		if (us >= DUMP_TIMEOUT_US)
			return -ETIMEDOUT;
		rte_delay_us(DUMP_STEP_US);
	}
	/* The marker was read before, the counters are read after this. */
	rte_io_rmb();
	return 0;
}

/* The answer to the last dump, added to `out`. */
static int
dump_take(struct i8255x_adapter *ad, struct i8255x_stats_dump *out)
{
	struct i8255x_stats_dump *in = &ctl_of(ad)->stats;
	int rc = dump_wait(ad, (volatile uint32_t *)in);

	if (rc != 0)
		return rc;
	ad->dump_pending = false;
	/* Not a counter. */
	((uint32_t *)in)[marker_at(&ad->hw)] = 0;
#define ADD32(field, text) \
	out->field = rte_cpu_to_le_32(rte_le_to_cpu_32(out->field) + rte_le_to_cpu_32(in->field));
#define ADD16(field, text) \
	out->field = rte_cpu_to_le_16(rte_le_to_cpu_16(out->field) + rte_le_to_cpu_16(in->field));
	I8255X_STATS_ALL(ADD32)
	I8255X_STATS_FC(ADD32)
	I8255X_STATS_TCO(ADD16)
#undef ADD32
#undef ADD16
	return 0;
}

static int
dump_addr(struct i8255x_adapter *ad)
{
	return cmd_give(ad, I8255X_CUC_DUMP_ADDR, ctl_addr(ad, &ctl_of(ad)->stats));
}

/* What an answer that came too late has taken from the chip is not lost. */
static int
dump(struct i8255x_adapter *ad, struct i8255x_stats_dump *out)
{
	int rc = 0;

	memset(out, 0, sizeof(*out));
	if (ad->dump_pending)
		rc = dump_take(ad, out);
	if (rc != 0)
		return rc;
	memset(&ctl_of(ad)->stats, 0, sizeof(ctl_of(ad)->stats));
	/* Idle is a chip that was reset, and be it behind our back: it would write to address 0. */
	if ((pw_read8(ad->hw.io, I8255X_STATUS) & I8255X_STATUS_CUS_MASK) ==
	    I8255X_STATUS_CUS_IDLE)
		rc = dump_addr(ad);
	if (rc == 0)
		rc = cmd_give(ad, I8255X_CUC_DUMP_RESET, 0);
	if (rc != 0)
		return rc;
	ad->dump_pending = true;
	return dump_take(ad, out);
}

/**
 * Take the chip's counters, which begin anew at 0. In the chip's byte order; what it has not got is
 * 0. Control threads of all processes.
 *
 * @return 0; -ETIMEDOUT; -ENODEV.
 */
int
i8255x_cmd_dump_stats(struct i8255x_adapter *ad, struct i8255x_stats_dump *out)
{
	int rc;

	rte_spinlock_lock(&ad->cmd_lock);
	rc = dump(ad, out);
	rte_spinlock_unlock(&ad->cmd_lock);
	return rc;
}

/* --- what the card is ----------------------------------------------------------------------- */

/*
 * QEMU's card, whichever part it plays, sends and receives as an 82559 that knows no checksums, no
 * IPCB and no CRC transfer; it takes an IPCB for an address set-up. It writes an RFD's status
 * before the frame, and executes 16 blocks a resume. Its ids are those of real boards, but it
 * fails a Dump, which all silicon takes (§1.3, §3.1).
 */
static void
be_emulated(struct i8255x_hw *hw)
{
	PW_LOG(DEBUG, "%s: takes no Dump command: an emulated card", hw->dev->name);
	hw->flags &= ~(I8255X_F_IPCB | I8255X_F_RX_SUM | I8255X_F_ERR_UCODE |
		       I8255X_F_ERR_TINY_CSUM);
	hw->flags |= I8255X_F_ERR_EMULATED;
}

/**
 * Find out whether the card is silicon, by a command of its own. After reset, with the bases
 * loaded; leaves the CU idle. Clears and sets flags.
 *
 * @return 0; -ETIMEDOUT, -ENODEV.
 */
int
i8255x_cmd_probe(struct i8255x_adapter *ad)
{
	struct i8255x_hw *hw = &ad->hw;
	struct i8255x_cb_dump *c = &ctl_of(ad)->probe;
	volatile uint16_t *status = &c->cb.status;
	int rc;

	memset(c, 0, sizeof(*c));
	c->cb.cmd = rte_cpu_to_le_16(I8255X_OP_DUMP | I8255X_CMD_EL);
	c->cb.link = rte_cpu_to_le_32(ctl_addr(ad, c));
	c->addr = rte_cpu_to_le_32(ctl_addr(ad, ctl_of(ad)->dump));
	rc = cmd_give(ad, I8255X_CUC_START, ctl_addr(ad, c));
	for (uint32_t us = 0; rc == 0 && (*status & rte_cpu_to_le_16(I8255X_CB_C)) == 0;
	     us += CMD_STEP_US) {
		if (us >= CMD_TIMEOUT_US)
			rc = i8255x_gone(hw) ? -ENODEV : -ETIMEDOUT;
		else
			rte_delay_us(CMD_STEP_US);
	}
	if (rc == 0 && (*status & rte_cpu_to_le_16(I8255X_CB_OK)) == 0)
		be_emulated(hw);
	if (rc == -ETIMEDOUT)
		PW_LOG(ERR, "%s: the chip takes no command after reset; power-cycle the card",
		       hw->dev->name);
	return rc;
}

/* --- start --------------------------------------------------------------------------------- */

/**
 * After i8255x_tx_start(): tell the chip, which has been reset, all that it is to know before
 * frames come.
 *
 * @return 0; -ETIMEDOUT; -EIO; -ENODEV.
 */
int
i8255x_cmd_start(struct i8255x_adapter *ad)
{
	struct i8255x_stats_dump none;
	int rc = i8255x_cmd_configure(ad);

	/* Before reset. */
	ad->dump_pending = false;
	if (rc == 0)
		rc = i8255x_cmd_set_mac(ad);
	if (rc == 0)
		rc = i8255x_cmd_set_mc(ad);
	if (rc == 0)
		rc = dump_addr(ad);
	/* After sleep they hold anything (§3.6). */
	if (rc == 0)
		rc = i8255x_cmd_dump_stats(ad, &none);
	return rc;
}
