/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The command unit walks a list of blocks in host memory. A block's command word is read once,
 * when the block is fetched, and so is S in it: clearing S later wakes nobody. A resume makes
 * the unit read S again (§5.3): that of the block it is suspended at, or, if it is active,
 * that of the current block and of the next.
 */

#include "pw_csum.h"

#include "i8255x_model.h"

#define CID_NS 8000	/* 256 PCI clocks at 33 MHz, roughly (§3.1) */
#define UCODE_LEN 256	/* bytes that are read of an image; its real length is not known */
#define MC_AT 10	/* addresses of a Multicast Setup, from the block */
#define CMD_RESERVED 0x00e0u
#define HPQ_RESUME 0xb0u

/* --- configuration (§3.2) -------------------------------------------------------------------- */

/* Bits that have one right value, or have on parts without any of `lack`. */
static const struct cfg_rule {
	uint8_t byte, mask, value;
	uint32_t lack;
} cfg_rules[] = {
	{ 0, 0xc0, 0x00, 0 },
	{ 1, 0x80, 0x00, 0 },
	{ 3, 0xf0, 0x00, 0 },
	{ 3, 0x0f, 0x00, I8255X_F_558 },
	{ 6, I8255X_CFG6_RES1, I8255X_CFG6_RES1, 0 },
	{ 6, I8255X_CFG6_STD_TCB, I8255X_CFG6_STD_TCB, I8255X_F_558 },
	{ 6, I8255X_CFG6_STD_STATS, I8255X_CFG6_STD_STATS, I8255X_F_558 },
	{ 6, I8255X_CFG6_TNO_TCO, 0x00, I8255X_F_558 },	/* TNO: it does not get on with CI (§7) */
	{ 7, 0x18, 0x00, 0 },
	{ 7, I8255X_CFG7_EXT_RFD | I8255X_CFG7_DYN_TBD, 0x00, I8255X_F_550 },
	{ 8, 0x7e, 0x00, 0 },
	{ 8, I8255X_CFG8_CSMA_OFF, 0x00, I8255X_F_558 },
	{ 9, 0x0e, 0x00, 0 },
	{ 9, I8255X_CFG9_RX_CSUM, 0x00, I8255X_F_CSUM },
	{ 9, 0xf0, 0x00, I8255X_F_558 },
	{ 10, 0x07, I8255X_CFG10_FIXED, 0 },
	{ 11, 0xf8, 0x00, 0 },
	{ 12, 0x0e, 0x00, 0 },
	{ 15, I8255X_CFG15_FIXED, I8255X_CFG15_FIXED, 0 },
	{ 15, I8255X_CFG15_CRC16, 0x00, 0 },	/* no Ethernet has it */
	{ 18, I8255X_CFG18_FIXED, I8255X_CFG18_FIXED, 0 },
	{ 18, I8255X_CFG18_LONG_OK, 0x00, I8255X_F_558 },
	{ 19, 0x3d, 0x00, I8255X_F_558 },
	{ 20, 0x80 | I8255X_CFG20_FIXED, I8255X_CFG20_FIXED, 0 },
	{ 21, 0xf7, I8255X_CFG21_FIXED, 0 },
	{ 22, 0xfc, 0x00, 0 },
};

static void
cfg_check(struct i8255x_model *x, const uint8_t *cfg, unsigned int count)
{
	const struct cfg_rule *r;

	for (r = cfg_rules; r < cfg_rules + sizeof(cfg_rules) / sizeof(cfg_rules[0]); r++) {
		if (r->byte >= count || (r->lack != 0 && i8255x_has(x, r->lack)) ||
		    (cfg[r->byte] & r->mask) == r->value)
			continue;
		pw_violate(x->m, PW_VIOL_PROTOCOL,
			   "Configure byte %u is 0x%02x: bits 0x%02x are to be 0x%02x (§3.2)",
			   r->byte, cfg[r->byte], r->mask, r->value);
	}
}

static bool
cu_configure(struct i8255x_model *x)
{
	unsigned int max = i8255x_has(x, I8255X_F_550) ? I8255X_CONFIG_LEN_EXT : I8255X_CONFIG_LEN;
	uint8_t cfg[I8255X_CFG_BYTES];
	uint32_t at = x->cu.at + sizeof(struct i8255x_cb);
	unsigned int count;

	if (!pw_dma_read(x->m, &x->cu.win, at, cfg, 1))
		return false;
	count = cfg[0] & I8255X_CFG0_COUNT_MASK;
	if (count < I8255X_CONFIG_LEN_MIN || count > max) {
		pw_violate(x->m, PW_VIOL_PROTOCOL, "Configure with %u bytes, not %u to %u (§3.2)",
			   count, I8255X_CONFIG_LEN_MIN, max);
		count = count < I8255X_CONFIG_LEN_MIN ? I8255X_CONFIG_LEN_MIN : max;
	}
	if (!pw_dma_read(x->m, &x->cu.win, at, cfg, count))
		return false;
	cfg_check(x, cfg, count);
	memcpy(x->cfg, cfg, count);
	i8255x_rx_config(x);
	i8255x_listen_update(x);
	return true;
}

/* --- filters (§3.1) -------------------------------------------------------------------------- */

static bool
cu_ia_setup(struct i8255x_model *x)
{
	uint32_t at = x->cu.at + sizeof(struct i8255x_cb);

	if (!pw_dma_read(x->m, &x->cu.win, at, x->ia, sizeof(x->ia)))
		return false;
	if ((x->ia[0] & 1) != 0)
		pw_violate(x->m, PW_VIOL_PROTOCOL, "IA Setup with a group address (§3.1)");
	i8255x_rx_config(x);
	return true;
}

/* The chip's CRC register holds bit 0 of the polynomial at its top: pw_crc32() mirrored. */
unsigned int
i8255x_mc_bit(const uint8_t *addr)
{
	uint32_t crc = ~pw_crc32(addr, 6), bit = 0;
	unsigned int i;

	/* Bits 7:2 of the mirror image are bits 24 to 29. */
	for (i = 24; i < 30; i++)
		bit = bit << 1 | (crc >> i & 1);
	return bit;
}

static bool
cu_multicast(struct i8255x_model *x)
{
	uint32_t at = x->cu.at, i;
	uint64_t hash = 0;
	uint8_t addr[6];
	uint16_t count;

	if (!pw_dma_read(x->m, &x->cu.win, at + sizeof(struct i8255x_cb), &count, sizeof(count)))
		return false;
	count &= I8255X_TX_COUNT_MASK;
	if (count % sizeof(addr) != 0)
		pw_violate(x->m, PW_VIOL_PROTOCOL, "Multicast Setup of %u bytes (§3.1)", count);
	for (i = 0; i + sizeof(addr) <= count; i += sizeof(addr)) {
		if (!pw_dma_read(x->m, &x->cu.win, at + MC_AT + i, addr, sizeof(addr)))
			return false;
		if ((addr[0] & 1) == 0 && (x->cfg[20] & I8255X_CFG20_MULTI_IA) == 0)
			pw_violate(x->m, PW_VIOL_PROTOCOL,
				   "Multicast Setup with a station's address (§3.1)");
		hash |= UINT64_C(1) << i8255x_mc_bit(addr);
	}
	x->mc_hash = hash;
	x->ru.locked_up = false; /* what cures an 82557 (§7) */
	i8255x_rx_config(x);
	return true;
}

/* --- statistics and dumps (§3.6) ------------------------------------------------------------- */

static uint32_t
stats_len(const struct i8255x_model *x)
{
	if (i8255x_has(x, I8255X_F_559) && (x->cfg[6] & I8255X_CFG6_TNO_TCO) != 0)
		return I8255X_STATS_MARK_TCO;
	if (i8255x_has(x, I8255X_F_558) && (x->cfg[6] & I8255X_CFG6_STD_STATS) == 0)
		return I8255X_STATS_MARK_EXT;
	return I8255X_STATS_MARK_STD;
}

static void
cu_dump_stats(struct i8255x_model *x, bool reset)
{
	uint32_t len = stats_len(x), addr = x->cu.dump_addr;
	struct i8255x_stats_dump d = { 0 };
	struct pw_dma_win *win = &x->cu.win;

	_Static_assert(sizeof(x->stat) == offsetof(struct i8255x_stats_dump, tx_tco), "§3.6");
	if (!x->cu.have_dump_addr) {
		pw_violate(x->m, PW_VIOL_PROTOCOL,
			   "statistics asked for before their address was given (§2.3)");
		return;
	}
	if (!x->m->dma_on)
		return;
	memcpy(&d, x->stat, sizeof(x->stat));
	d.tx_tco = x->tx_tco;
	d.rx_tco = x->rx_tco;
	if (!pw_dma_write(x->m, win, addr, &d, len))
		return;
	/* The marker last, so that it tells that all is there. */
	pw_dma_publish(x->m, win, (uint64_t)addr + len,
		       reset ? I8255X_STATS_DUMPED_RESET : I8255X_STATS_DUMPED, 4);
	if (!reset)
		return;
	memset(x->stat, 0, sizeof(x->stat));
	x->tx_tco = x->rx_tco = 0;
}

/* What is inside, where the manual does not say where: configuration, address, hash. */
void
i8255x_dump_state(struct i8255x_model *x, uint32_t addr)
{
	uint8_t dump[I8255X_DUMP_SIZE] = { 0 };
	struct pw_dma_win win = { 0 };

	memcpy(dump, x->cfg, I8255X_CONFIG_LEN);
	memcpy(dump + I8255X_CONFIG_LEN, x->ia, sizeof(x->ia));
	memcpy(dump + I8255X_CONFIG_LEN + sizeof(x->ia), &x->mc_hash, sizeof(x->mc_hash));
	if (x->m->dma_on)
		pw_dma_write(x->m, &win, addr, dump, sizeof(dump));
}

static bool
cu_dump(struct i8255x_model *x)
{
	uint32_t addr;

	if (!pw_dma_read(x->m, &x->cu.win, x->cu.at + sizeof(struct i8255x_cb), &addr,
			 sizeof(addr)))
		return false;
	i8255x_dump_state(x, addr);
	return true;
}

static bool
cu_ucode(struct i8255x_model *x)
{
	uint8_t image[UCODE_LEN];

	if (!i8255x_has(x, I8255X_F_558)) {
		pw_violate(x->m, PW_VIOL_PROTOCOL, "an 82557 takes no microcode (§1.2)");
		return false;
	}
	if (!pw_dma_read(x->m, &x->cu.win, x->cu.at + sizeof(struct i8255x_cb), image,
			 sizeof(image)))
		return false;
	if (i8255x_has(x, I8255X_F_ICH)) {
		pw_violate(x->m, PW_VIOL_PROTOCOL, "microcode breaks the MAC of an ICH (§7)");
		x->cu.hung = true;
	}
	x->ucode = true;
	return true;
}

/* --- the list (§3.1, §5.3) ------------------------------------------------------------------- */

static void
cna_raise(struct i8255x_model *x)
{
	uint32_t cid = (x->cu.hdr.cmd & I8255X_CMD_CID_MASK) >> I8255X_CMD_CID_SHIFT;

	if (cid != 0 && i8255x_has(x, I8255X_F_558))
		pw_timer_set(x->m, I8255X_T_CNA, pw_now(x->m) + cid * CID_NS);
	else
		i8255x_irq_set(x, I8255X_ACK_CNA);
}

static void
cu_idle(struct i8255x_model *x)
{
	x->cu.state = I8255X_STATUS_CUS_IDLE;
	x->cu.fetched = false;
	cna_raise(x);
}

static void
cu_suspend(struct i8255x_model *x)
{
	x->cu.state = I8255X_STATUS_CUS_SUSPENDED;
	if ((x->cfg[6] & I8255X_CFG6_CI) == 0)
		cna_raise(x);
}

static void
cu_activate(struct i8255x_model *x)
{
	pw_timer_stop(x->m, I8255X_T_CNA);
	x->cu.state = I8255X_STATUS_CUS_ACTIVE;
}

/* Read the header of the block at `at`. On a bus error the unit stops. */
static bool
cu_read_header(struct i8255x_model *x)
{
	struct i8255x_cu *cu = &x->cu;

	if (pw_dma_read(x->m, &cu->win, cu->at, &cu->hdr, sizeof(cu->hdr)))
		return true;
	cu->state = I8255X_STATUS_CUS_IDLE;
	cu->fetched = false;
	return false;
}

static bool
cu_fetch(struct i8255x_model *x)
{
	struct i8255x_cu *cu = &x->cu;

	if (!cu_read_header(x))
		return false;
	if ((cu->at & 1) != 0)
		pw_violate(x->m, PW_VIOL_PROTOCOL, "command block at 0x%08x: odd (§6)", cu->at);
	if ((cu->hdr.status & I8255X_CB_C) != 0)
		pw_violate(x->m, PW_VIOL_DESC_OWNER,
			   "command block at 0x%08x is complete already (§5.3)", cu->at);
	if ((cu->hdr.cmd & CMD_RESERVED) != 0 ||
	    (!i8255x_has(x, I8255X_F_558) && (cu->hdr.cmd & I8255X_CMD_CID_MASK) != 0))
		pw_violate(x->m, PW_VIOL_PROTOCOL,
			   "command 0x%04x at 0x%08x: reserved bits (§3.1)", cu->hdr.cmd, cu->at);
	cu->fetched = true;
	return true;
}

/* Follow the link, with the header read anew where S was cleared in the meantime. */
static void
cu_next(struct i8255x_model *x)
{
	x->cu.at = x->cu.base + x->cu.hdr.link;
	x->cu.fetched = false;
}

/* After a resume: is S gone from the block at `at`? Its link may have changed too. */
static bool
cu_recheck(struct i8255x_model *x)
{
	return cu_read_header(x) && (x->cu.hdr.cmd & I8255X_CMD_S) == 0;
}

static void
cu_complete(struct i8255x_model *x, uint16_t status)
{
	struct i8255x_cu *cu = &x->cu;
	uint16_t cmd = cu->hdr.cmd;
	bool recheck = cu->recheck != 0;

	pw_dma_publish(x->m, &cu->win, cu->at, status, sizeof(status));
	if ((cmd & I8255X_CMD_I) != 0)
		i8255x_irq_set(x, I8255X_ACK_CX);
	if (recheck)
		cu->recheck--;
	if (PW_LIKELY((cmd & (I8255X_CMD_EL | I8255X_CMD_S)) == 0))
		cu_next(x);
	else if ((cmd & I8255X_CMD_EL) != 0)
		cu_idle(x);
	else if (recheck && cu_recheck(x))
		cu_next(x);
	else if (cu->state == I8255X_STATUS_CUS_ACTIVE)
		cu_suspend(x);
}

/* A command other than Tx. */
static uint16_t
cu_action(struct i8255x_model *x)
{
	bool ok = true;

	switch (x->cu.hdr.cmd & I8255X_CMD_OP_MASK) {
	case I8255X_OP_NOP:
	case I8255X_OP_DIAGNOSE:
		break;
	case I8255X_OP_IA:
		ok = cu_ia_setup(x);
		break;
	case I8255X_OP_CONFIG:
		ok = cu_configure(x);
		break;
	case I8255X_OP_MULTICAST:
		ok = cu_multicast(x);
		break;
	case I8255X_OP_UCODE:
		ok = cu_ucode(x);
		break;
	case I8255X_OP_DUMP:
		ok = cu_dump(x);
		break;
	case I8255X_OP_FILTER:
		ok = i8255x_has(x, I8255X_F_559);
		if (ok)
			break;
		/* fallthrough */
	default:
		pw_violate(x->m, PW_VIOL_PROTOCOL, "command 0x%04x: no such operation (§3.1)",
			   x->cu.hdr.cmd);
		ok = false;
	}
	return ok ? I8255X_CB_DONE : I8255X_CB_C;
}

/* Execute the block that was fetched. False: it is not complete, come again. */
static bool
cu_execute(struct i8255x_model *x)
{
	uint32_t op = x->cu.hdr.cmd & I8255X_CMD_OP_MASK;
	enum i8255x_tx_result result;

	if (PW_LIKELY((op & ~I8255X_CMD_SF) == I8255X_OP_TX)) {
		result = i8255x_tx_block(x);
	} else if (op == I8255X_OP_IPCB && i8255x_has(x, I8255X_F_550)) {
		result = i8255x_ipcb_block(x);
	} else {
		cu_complete(x, cu_action(x));
		return true;
	}
	switch (result) {
	case I8255X_TX_SENT:
		cu_complete(x, I8255X_CB_DONE);
		break;
	case I8255X_TX_FAILED:
		cu_complete(x, I8255X_CB_C | I8255X_CB_U);
		break;
	case I8255X_TX_BAD:
		cu_complete(x, I8255X_CB_C);
		break;
	default:
		return false;
	}
	return true;
}

unsigned int
i8255x_cu_run(struct i8255x_model *x)
{
	struct i8255x_cu *cu = &x->cu;
	unsigned int done = 0;

	/* A list may be a loop: the rest of it has to wait for the next turn. */
	while (cu->state == I8255X_STATUS_CUS_ACTIVE && !cu->hung && x->m->dma_on &&
	       done < I8255X_CU_BUDGET) {
		if (!cu->fetched && !cu_fetch(x))
			break;
		if (!cu_execute(x))
			break;
		done++;
	}
	return done;
}

/* --- commands (§2.3) ------------------------------------------------------------------------- */

static void
cu_start(struct i8255x_model *x, uint32_t pointer)
{
	struct i8255x_cu *cu = &x->cu;

	if (cu->state == I8255X_STATUS_CUS_ACTIVE) {
		pw_violate(x->m, PW_VIOL_PROTOCOL, "CU start while it is active (§2.3)");
		return;
	}
	cu->at = cu->base + pointer;
	cu->fetched = false;
	cu->recheck = 0;
	cu->resumed = false;
	cu_activate(x);
	i8255x_cu_run(x);
}

/* Erratum of 82559 and later: a resume out of dynamic standby hangs the bus (§7). */
static bool
cu_standby(struct i8255x_model *x)
{
	if (!i8255x_has(x, I8255X_F_559) || x->cu.nop_seen ||
	    (x->nvm[I8255X_NVM_ID] & I8255X_NVM_ID_STANDBY) == 0)
		return false;
	pw_violate(x->m, PW_VIOL_PROTOCOL,
		   "CU resume with dynamic standby on in the EEPROM: the bus hangs (§7)");
	x->cu.hung = true;
	return true;
}

static void
cu_resume(struct i8255x_model *x, bool is_static)
{
	struct i8255x_cu *cu = &x->cu;

	if (pw_fault_take(x->m, PW_FAULT_LOST_DOORBELL))
		return;
	cu->resumed = true;
	cu->resumed_by_nop = cu->nop_seen;
	if (cu->state == I8255X_STATUS_CUS_ACTIVE) {
		if (!is_static)
			cu->recheck = 2;
	} else if (cu->state == I8255X_STATUS_CUS_SUSPENDED && !cu->hung && !cu_standby(x) &&
		   x->m->dma_on && cu_recheck(x)) {
		cu_activate(x);
		cu_next(x);
	}
	cu->nop_seen = false;
	i8255x_cu_run(x);
}

static void
cu_load_base(struct i8255x_model *x, uint32_t pointer)
{
	if (x->cu.state == I8255X_STATUS_CUS_ACTIVE)
		pw_violate(x->m, PW_VIOL_PROTOCOL, "CU base loaded while it is active (§2.3)");
	x->cu.base = pointer;
}

static void
cu_load_dump_addr(struct i8255x_model *x, uint32_t pointer)
{
	if ((pointer & 3) != 0)
		pw_violate(x->m, PW_VIOL_PROTOCOL,
			   "statistics buffer at 0x%08x: not on a dword (§6)", pointer);
	x->cu.dump_addr = pointer & ~3u;
	x->cu.have_dump_addr = true;
}

void
i8255x_cu_command(struct i8255x_model *x, uint8_t cuc, uint32_t pointer)
{
	switch (cuc) {
	case I8255X_CUC_START:
		cu_start(x, pointer);
		break;
	case I8255X_CUC_RESUME:
		cu_resume(x, false);
		break;
	case I8255X_CUC_DUMP_ADDR:
		cu_load_dump_addr(x, pointer);
		break;
	case I8255X_CUC_DUMP_STATS:
	case I8255X_CUC_DUMP_RESET:
		cu_dump_stats(x, cuc == I8255X_CUC_DUMP_RESET);
		break;
	case I8255X_CUC_LOAD_BASE:
		cu_load_base(x, pointer);
		break;
	case I8255X_CUC_STATIC_RESUME:
		if (i8255x_has(x, I8255X_F_558)) {
			cu_resume(x, true);
			break;
		}
		/* fallthrough */
	default:
		pw_violate(x->m, PW_VIOL_PROTOCOL, "CU command 0x%02x is not there%s (§2.3)", cuc,
			   cuc == I8255X_CUC_HPQ_START || cuc == HPQ_RESUME ?
			   ": no high-priority queue is modelled" : "");
	}
}

void
i8255x_cu_reset(struct i8255x_model *x, bool selective)
{
	struct i8255x_cu *cu = &x->cu;

	cu->state = I8255X_STATUS_CUS_IDLE;
	cu->fetched = false;
	cu->recheck = 0;
	cu->hung = false;
	cu->nop_seen = false;
	cu->resumed = false;
	if (selective)
		return;
	cu->base = 0;
	cu->at = 0;
	cu->dump_addr = 0;
	cu->have_dump_addr = false;
}
