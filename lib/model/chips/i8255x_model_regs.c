/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Control/status registers (§2): a table of what there is, and one handler each. Any width
 * may be used; what a write does depends on the bytes that it touches (§9.1), so that PORT
 * and MDI, which take a dword, act when their last byte comes.
 */

#include "i8255x_model.h"

enum { RW, RO, WO };	/* W1C and SC registers are RW here: their handlers see to it */

#define ALL (~0u)
#define INT_MASKS 0xfcu		/* 558+: a mask a cause (§2.4) */
#define CMD_RESERVED 0x08u
#define GEN_CTRL_BITS (I8255X_GEN_CTRL_DEEP_POWER_DOWN | I8255X_GEN_CTRL_PHY_RESET)

struct i8255x_reg {
	const char *name;
	uint8_t off;
	uint8_t size;		/* bytes */
	uint8_t mode;
	uint32_t features;	/* exists where a variant has any of them */
	uint32_t (*read)(struct i8255x_model *x);
	/* `val` holds the new bytes at their place, `mask` says which they are. */
	void (*write)(struct i8255x_model *x, uint32_t val, uint32_t mask);
};

static uint32_t
merge(uint32_t old, uint32_t val, uint32_t mask)
{
	return (old & ~mask) | (val & mask);
}

/* --- interrupts (§2.2, §2.4) --------------------------------------------------------------- */

/* Causes that are masked one by one; MDI and SWI have no mask of their own. */
static uint32_t
masked(const struct i8255x_model *x)
{
	uint32_t mask = x->int_ctrl & (I8255X_INT_MASK_CX | I8255X_INT_MASK_FR |
				       I8255X_INT_MASK_CNA | I8255X_INT_MASK_RNR);

	if ((x->int_ctrl & I8255X_INT_MASK_ER) != 0)
		mask |= I8255X_ACK_ER;
	if ((x->int_ctrl & I8255X_INT_MASK_FCP) != 0)
		mask |= I8255X_ACK_FCP;
	return mask;
}

void
i8255x_irq_update(struct i8255x_model *x)
{
	pw_pci_irq(x->m, (x->int_ctrl & I8255X_INT_M) == 0 && (x->stat_ack & ~masked(x)) != 0);
}

void
i8255x_irq_set(struct i8255x_model *x, uint8_t causes)
{
	/* A CNA that waits goes along with a received frame (§3.1). */
	if (PW_UNLIKELY((causes & I8255X_ACK_FR) != 0 && pw_timer_armed(x->m, I8255X_T_CNA))) {
		pw_timer_stop(x->m, I8255X_T_CNA);
		causes |= I8255X_ACK_CNA;
	}
	if ((x->stat_ack | causes) == x->stat_ack)
		return;
	x->stat_ack |= causes;
	if ((x->int_ctrl & I8255X_INT_M) == 0)
		i8255x_irq_update(x);
}

static uint32_t
stat_ack_read(struct i8255x_model *x)
{
	return x->stat_ack;
}

static void
stat_ack_write(struct i8255x_model *x, uint32_t val, uint32_t mask)
{
	(void)mask;
	x->stat_ack &= (uint8_t)~val;
	i8255x_irq_update(x);
}

static uint32_t
int_ctrl_read(struct i8255x_model *x)
{
	return x->int_ctrl;
}

static void
int_ctrl_write(struct i8255x_model *x, uint32_t val, uint32_t mask)
{
	(void)mask;
	if (!i8255x_has(x, I8255X_F_558) && (val & INT_MASKS) != 0) {
		pw_violate(x->m, PW_VIOL_PROTOCOL,
			   "interrupt control 0x%02x: an 82557 has no mask but M (§2.4)", val);
		val &= ~INT_MASKS;
	}
	x->int_ctrl = (uint8_t)(val & ~I8255X_INT_SI);
	if ((val & I8255X_INT_SI) != 0)
		i8255x_irq_set(x, I8255X_ACK_SWI);
	i8255x_irq_update(x);
}

/* --- status, command, pointer (§2.1, §2.3) -------------------------------------------------- */

static uint32_t
status_read(struct i8255x_model *x)
{
	return x->cu.state | x->ru.state;
}

/* Whether PORT's effect is over; what is written before is lost. */
static bool
is_quiet(struct i8255x_model *x, const char *what)
{
	if (PW_LIKELY(x->quiet_until == 0))
		return true;
	if (pw_now(x->m) >= x->quiet_until) {
		x->quiet_until = 0;
		return true;
	}
	pw_violate(x->m, PW_VIOL_PROTOCOL, "%s written within %u us of PORT (§2.5)", what,
		   I8255X_PORT_WAIT_US);
	return false;
}

void
i8255x_cmd_accept(struct i8255x_model *x)
{
	uint8_t cuc = x->cmd & I8255X_CMD_CUC_MASK;
	uint8_t ruc = x->cmd & I8255X_CMD_RUC_MASK;

	x->cmd = 0;
	if (cuc != I8255X_CUC_NOP)
		i8255x_cu_command(x, cuc, x->pointer);
	if (ruc != I8255X_RUC_NOP)
		i8255x_ru_command(x, ruc, x->pointer);
}

static uint32_t
cmd_read(struct i8255x_model *x)
{
	return x->cmd;
}

static void
cmd_write(struct i8255x_model *x, uint32_t val, uint32_t mask)
{
	uint32_t delay = x->m->fault[PW_FAULT_SLOW_CMD];

	(void)mask;
	if (PW_UNLIKELY(x->cmd != 0)) {
		pw_violate(x->m, PW_VIOL_PROTOCOL,
			   "command 0x%02x written while 0x%02x was not accepted: lost (§2.3)", val,
			   x->cmd);
		return;
	}
	if (!is_quiet(x, "command"))
		return;
	if (val == 0) {
		x->cu.nop_seen = true;
		return;
	}
	if ((val & CMD_RESERVED) != 0)
		pw_violate(x->m, PW_VIOL_PROTOCOL, "command 0x%02x: bit 3 is reserved (§2.3)", val);
	if ((val & I8255X_CMD_CUC_MASK) != 0 && (val & I8255X_CMD_RUC_MASK) != 0)
		pw_violate(x->m, PW_VIOL_PROTOCOL,
			   "command 0x%02x is for both units: one a write (§2.3)", val);
	x->cmd = (uint8_t)(val & ~CMD_RESERVED);
	if (x->stuck)
		return;
	if (PW_UNLIKELY(delay != 0))
		pw_timer_set(x->m, I8255X_T_CMD, pw_now(x->m) + delay);
	else if (!pw_model_defer(x->m))
		i8255x_cmd_accept(x);
}

static uint32_t
pointer_read(struct i8255x_model *x)
{
	return x->pointer;
}

static void
pointer_write(struct i8255x_model *x, uint32_t val, uint32_t mask)
{
	if (x->cmd != 0)
		pw_violate(x->m, PW_VIOL_PROTOCOL,
			   "general pointer changed under command 0x%02x (§2.3)", x->cmd);
	if (is_quiet(x, "general pointer"))
		x->pointer = merge(x->pointer, val, mask);
}

/* --- PORT (§2.5) ----------------------------------------------------------------------------- */

static void
port_selftest(struct i8255x_model *x, uint32_t addr)
{
	const struct i8255x_selftest result = { .signature = 0xffffffff, .result = 0 };
	struct pw_dma_win win = { 0 };

	/* The result first: a signature that is not 0 says that it is there. */
	if (x->m->dma_on &&
	    pw_dma_write(x->m, &win, (uint64_t)addr + 4, &result.result, sizeof(result.result)))
		pw_dma_publish(x->m, &win, addr, result.signature, sizeof(result.signature));
	i8255x_model_reset(x, false);
}

static void
port_act(struct i8255x_model *x)
{
	uint32_t func = x->port & I8255X_PORT_FUNC_MASK, addr = x->port & ~I8255X_PORT_FUNC_MASK;

	if (!is_quiet(x, "PORT"))
		return;
	if (func <= I8255X_PORT_SELECTIVE && x->m->fault[PW_FAULT_STUCK_RESET] != 0) {
		x->stuck = true;
		return;
	}
	switch (func) {
	case I8255X_PORT_RESET:
	case I8255X_PORT_SELECTIVE:
		if (addr != 0)
			pw_violate(x->m, PW_VIOL_PROTOCOL, "PORT 0x%08x: no pointer here (§2.5)",
				   x->port);
		i8255x_model_reset(x, func == I8255X_PORT_SELECTIVE);
		break;
	case I8255X_PORT_SELFTEST:
		port_selftest(x, addr);
		break;
	case I8255X_PORT_DUMP:
		i8255x_dump_state(x, addr);
		break;
	default:
		/* 7 dumps the packet that woke the part, of which the model keeps none. */
		pw_violate(x->m, PW_VIOL_PROTOCOL, "PORT function %u is not there (§2.5)", func);
	}
}

static uint32_t
port_read(struct i8255x_model *x)
{
	return x->port;
}

static void
port_write(struct i8255x_model *x, uint32_t val, uint32_t mask)
{
	x->port = merge(x->port, val, mask);
	if ((mask & 0xff000000) != 0)
		port_act(x);
}

/* --- the others ------------------------------------------------------------------------------ */

static uint32_t
flash_read(struct i8255x_model *x)
{
	return x->flash_ctrl;
}

static void
flash_write(struct i8255x_model *x, uint32_t val, uint32_t mask)
{
	x->flash_ctrl = (uint16_t)merge(x->flash_ctrl, val, mask);
}

static uint32_t
eeprom_read(struct i8255x_model *x)
{
	return i8255x_eeprom_read(x);
}

static void
eeprom_write(struct i8255x_model *x, uint32_t val, uint32_t mask)
{
	if ((mask & 0xff) != 0)
		i8255x_eeprom_write(x, (uint16_t)val);
}

static void
mdi_write(struct i8255x_model *x, uint32_t val, uint32_t mask)
{
	x->mdi_stage = merge(x->mdi_stage, val, mask);
	if ((mask & 0xff000000) != 0)
		i8255x_mdi_write(x, x->mdi_stage);
}

static uint32_t
zero_read(struct i8255x_model *x)
{
	(void)x;
	return 0;
}

static uint32_t
early_rx_read(struct i8255x_model *x)
{
	return x->early_rx;
}

/* Early receive interrupts are not modelled: no driver of this family wants them. */
static void
early_rx_write(struct i8255x_model *x, uint32_t val, uint32_t mask)
{
	(void)mask;
	if (val != 0)
		pw_violate(x->m, PW_VIOL_PROTOCOL, "early receive is not modelled (§2)");
	x->early_rx = (uint8_t)val;
}

static uint32_t
fc_threshold_read(struct i8255x_model *x)
{
	return x->fc_threshold;
}

static void
fc_threshold_write(struct i8255x_model *x, uint32_t val, uint32_t mask)
{
	(void)mask;
	x->fc_threshold = (uint8_t)(val & I8255X_FC_THRESHOLD_MASK);
}

static void
fc_cmd_write(struct i8255x_model *x, uint32_t val, uint32_t mask)
{
	(void)mask;
	if (val != 0)
		pw_violate(x->m, PW_VIOL_PROTOCOL, "flow control command 0x%02x: nobody knows its "
			   "bits (§2)", val);
}

static uint32_t
pmdr_read(struct i8255x_model *x)
{
	return x->pmdr;
}

static void
pmdr_write(struct i8255x_model *x, uint32_t val, uint32_t mask)
{
	(void)mask;
	x->pmdr &= (uint8_t)~val;
}

static uint32_t
gen_ctrl_read(struct i8255x_model *x)
{
	return x->gen_ctrl;
}

static void
gen_ctrl_write(struct i8255x_model *x, uint32_t val, uint32_t mask)
{
	bool held = (x->gen_ctrl & I8255X_GEN_CTRL_PHY_RESET) != 0;

	(void)mask;
	x->gen_ctrl = (uint8_t)(val & GEN_CTRL_BITS);
	if (i8255x_has(x, I8255X_F_ICH) && !held &&
	    (val & I8255X_GEN_CTRL_PHY_RESET) != 0)
		i8255x_phy_reset(x);
}

static uint32_t
gen_status_read(struct i8255x_model *x)
{
	uint32_t val = 0;

	if (x->phy.link)
		val |= I8255X_GEN_STATUS_LINK;
	if (x->phy.link && x->phy.mbps == 100)
		val |= I8255X_GEN_STATUS_100;
	if (x->phy.link && x->phy.full)
		val |= I8255X_GEN_STATUS_FD;
	return val;
}

/* --- table ------------------------------------------------------------------------------------ */

static const struct i8255x_reg regs[] = {
	{ "status", I8255X_STATUS, 1, RO, ALL, status_read, NULL },
	{ "STAT/ACK", I8255X_STAT_ACK, 1, RW, ALL, stat_ack_read, stat_ack_write },
	{ "command", I8255X_CMD, 1, RW, ALL, cmd_read, cmd_write },
	{ "interrupt control", I8255X_INT_CTRL, 1, RW, ALL, int_ctrl_read, int_ctrl_write },
	{ "general pointer", I8255X_POINTER, 4, RW, ALL, pointer_read, pointer_write },
	{ "PORT", I8255X_PORT, 4, WO, ALL, port_read, port_write },
	{ "flash control", I8255X_FLASH_CTRL, 2, RW, ALL, flash_read, flash_write },
	{ "EEPROM control", I8255X_EEPROM, 2, RW, ALL, eeprom_read, eeprom_write },
	{ "MDI control", I8255X_MDI, 4, RW, ALL, i8255x_mdi_read, mdi_write },
	{ "Rx DMA byte count", I8255X_RX_DMA_COUNT, 4, RO, ALL, zero_read, NULL },
	{ "early receive", I8255X_EARLY_RX, 1, RW, I8255X_F_558, early_rx_read, early_rx_write },
	{ "FC threshold", I8255X_FC_THRESHOLD, 1, RW, I8255X_F_558, fc_threshold_read,
	  fc_threshold_write },
	{ "FC command", I8255X_FC_CMD, 1, RW, I8255X_F_558, zero_read, fc_cmd_write },
	{ "PMDR", I8255X_PMDR, 1, RW, I8255X_F_558, pmdr_read, pmdr_write },
	{ "general control", I8255X_GEN_CTRL, 1, RW, I8255X_F_559, gen_ctrl_read,
	  gen_ctrl_write },
	{ "general status", I8255X_GEN_STATUS, 1, RO, I8255X_F_559, gen_status_read, NULL },
};

void
i8255x_regs_init(struct i8255x_model *x)
{
	unsigned int i, k;

	for (i = 0; i < sizeof(regs) / sizeof(regs[0]); i++)
		for (k = 0; k < regs[i].size; k++)
			if (i8255x_has(x, regs[i].features) || regs[i].features == ALL)
				x->reg_map[regs[i].off + k] = (uint8_t)(i + 1);
}

static const struct i8255x_reg *
reg_at(const struct i8255x_model *x, uint32_t off)
{
	unsigned int row = off < I8255X_CSR_SIZE ? x->reg_map[off] : 0;

	return row == 0 ? NULL : &regs[row - 1];
}

static void
undefined(struct i8255x_model *x, const char *dir, uint32_t off, unsigned int width)
{
	pw_violate(x->m, PW_VIOL_REG_UNDEFINED, "%s of 0x%02x, %u bytes: no such register (§2)",
		   dir, off, width);
}

uint32_t
i8255x_reg_read(struct i8255x_model *x, uint32_t off, unsigned int width)
{
	const struct i8255x_reg *r = reg_at(x, off);
	bool any = false;
	uint32_t val = 0, i = 0;

	if (PW_LIKELY(r != NULL && r->off == off && r->size == width))
		return r->read(x);
	while (i < width) {
		uint32_t skip, n = 1;

		r = reg_at(x, off + i);
		if (r != NULL) {
			skip = off + i - r->off;
			n = r->size - skip < width - i ? r->size - skip : width - i;
			val |= (r->read(x) >> 8 * skip & pw_ones(n)) << 8 * i;
			any = true;
		}
		i += n;
	}
	if (!any)
		undefined(x, "read", off, width);
	return val;
}

void
i8255x_reg_write(struct i8255x_model *x, uint32_t off, uint32_t val, unsigned int width)
{
	const struct i8255x_reg *r, *ro = NULL;
	bool any = false;
	uint32_t i = 0;

	while (i < width) {
		uint32_t skip, n = 1, mask;

		r = reg_at(x, off + i);
		if (r != NULL) {
			skip = off + i - r->off;
			n = r->size - skip < width - i ? r->size - skip : width - i;
			mask = pw_ones(n) << 8 * skip;
			if (r->mode == RO) {
				ro = r;
			} else {
				r->write(x, (val >> 8 * i & pw_ones(n)) << 8 * skip, mask);
				any = true;
			}
		}
		i += n;
	}
	/* A register may be written together with a read-only neighbour. */
	if (any)
		return;
	if (ro != NULL)
		pw_violate(x->m, PW_VIOL_REG_READONLY, "write of %s (0x%02x): read-only (§2)",
			   ro->name, ro->off);
	else
		undefined(x, "write", off, width);
}
