/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <stdlib.h>

#include "i8255x_model.h"

#define FLASH_BAR 2
#define PM_CSR 4	/* offset within the capability */
#define PM_CSR_STATE 0x03
#define PM_CSR_PME 0x80	/* of its second byte */

/* --- link ------------------------------------------------------------------------------------ */

uint32_t
i8255x_mbps(const struct i8255x_model *x)
{
	return x->phy.mbps == 0 ? 100 : x->phy.mbps;
}

bool
i8255x_asleep(const struct i8255x_model *x)
{
	const struct pw_model *m = x->m;

	return m->cap_pm != 0 && (m->cfg[m->cap_pm + PM_CSR] & PM_CSR_STATE) != 0;
}

/* The MAC talks to a PHY by MII or to an 82503 over serial pins (byte 8). */
bool
i8255x_line_up(const struct i8255x_model *x)
{
	bool mii = (x->cfg[8] & I8255X_CFG8_MII) != 0;

	return x->phy.link && mii != i8255x_is_serial(x) &&
	       (x->cfg[8] & I8255X_CFG8_CSMA_OFF) == 0;
}

void
i8255x_listen_update(struct i8255x_model *x)
{
	bool on = i8255x_line_up(x) && !i8255x_loopback(x) &&
		  (x->ru.state != I8255X_STATUS_RUS_IDLE || i8255x_asleep(x));

	if (x->m->wire == NULL || on == x->listening)
		return;
	x->listening = on;
	pw_wire_listen(x->m->wire, on);
}

void
i8255x_pme(struct i8255x_model *x, uint8_t pmdr)
{
	struct pw_model *m = x->m;

	if (!i8255x_has(x, I8255X_F_558))
		return;
	x->pmdr |= pmdr | I8255X_PMDR_PME;
	if (m->cap_pm != 0)
		m->cfg[m->cap_pm + PM_CSR + 1u] |= PM_CSR_PME;
}

void
i8255x_link_update(struct i8255x_model *x)
{
	if (x->phy.link && x->m->wire != NULL)
		pw_wire_set_speed(x->m->wire, i8255x_mbps(x));
	if (i8255x_has(x, I8255X_F_558))
		x->pmdr |= I8255X_PMDR_LINK;
	if ((x->cfg[9] & I8255X_CFG9_LINK_WAKE) != 0 && i8255x_asleep(x))
		i8255x_pme(x, I8255X_PMDR_LINK);
	i8255x_listen_update(x);
}

/* An 82503 has no registers: 10 Mb/s at half duplex is there or not. */
static void
serial_carrier(struct i8255x_model *x, bool carrier)
{
	x->phy.carrier = carrier;
	x->phy.link = carrier;
	x->phy.mbps = 10;
	x->phy.full = false;
	i8255x_link_update(x);
}

void
i8255x_carrier_update(struct i8255x_model *x)
{
	struct pw_model *m = x->m;
	bool carrier = m->wire != NULL && m->fault[PW_FAULT_LINK_DOWN] == 0 &&
		       pw_wire_carrier(m->wire);

	if (PW_UNLIKELY(carrier != x->phy.carrier)) {
		if (i8255x_is_serial(x))
			serial_carrier(x, carrier);
		else
			i8255x_phy_carrier(x, carrier);
	}
	i8255x_listen_update(x);
}

/* --- reset ----------------------------------------------------------------------------------- */

/* What Configure has not said yet (§3.2): an 82557's frames and statistics, by MII. */
static const uint8_t cfg_default[I8255X_CFG_BYTES] = {
	I8255X_CONFIG_LEN, 0x08, 0x00, 0x00, 0x00, 0x00, 0x32, 0x03, 0x01, 0x00, 0x2e, 0x00, 0x60,
	0x00, 0xf2, 0x48, 0x00, 0x40, 0xf2, 0x80, 0x3f, 0x05,
};

void
i8255x_model_reset(struct i8255x_model *x, bool selective)
{
	struct pw_model *m = x->m;

	pw_timer_stop(m, I8255X_T_CMD);
	pw_timer_stop(m, I8255X_T_CNA);
	x->cmd = 0;
	x->stuck = false;
	if (!selective) {
		pw_timer_stop(m, I8255X_T_PAUSE);
		x->stat_ack = 0;
		x->int_ctrl = 0;
		x->pointer = 0;
		x->flash_ctrl = 0;
		x->early_rx = x->fc_threshold = x->gen_ctrl = 0;
		memcpy(x->cfg, cfg_default, sizeof(x->cfg));
		memset(x->ia, 0, sizeof(x->ia));
		x->mc_hash = 0;
		x->ucode = false;
		memset(x->stat, 0, sizeof(x->stat));
		x->tx_tco = x->rx_tco = 0;
		i8255x_nvm_reset(x);
	}
	i8255x_cu_reset(x, selective);
	i8255x_tx_reset(x);
	i8255x_rx_reset(x, selective);
	i8255x_irq_update(x);
	i8255x_listen_update(x);
	x->quiet_until = pw_now(m) + I8255X_QUIET_NS;
}

static void
i8255x_power_on(struct pw_model *m)
{
	struct i8255x_model *x = i8255x_of(m);

	x->port = x->mdi_stage = 0;
	memset(&x->phy, 0, sizeof(x->phy));
	i8255x_model_reset(x, false);
	x->quiet_until = 0;
	i8255x_phy_reset(x);
	i8255x_carrier_update(x);
	/* What happened before there was a driver is not told, but for what woke the host. */
	x->pmdr &= I8255X_PMDR_MAGIC | I8255X_PMDR_INTERESTING | I8255X_PMDR_PME;
	x->stat_ack = 0;
	i8255x_irq_update(x);
}

/* --- verbs ----------------------------------------------------------------------------------- */

static int
i8255x_init(struct pw_model *m)
{
	struct i8255x_model *x = i8255x_of(m);

	x->m = m;
	x->v = m->chip->variant;
	x->listening = true; /* a wire's default; what differs is told at once */
	i8255x_regs_init(x);
	i8255x_eeprom_init(x);
	return 0;
}

static void
i8255x_fini(struct pw_model *m)
{
	free(i8255x_of(m)->tx.lso);
}

/* BAR 0 and BAR 1 are the same registers; no ROM is plugged in where the flash would be. */
static uint32_t
i8255x_bar_read(struct pw_model *m, unsigned int bar, uint32_t off, unsigned int width)
{
	if (bar == FLASH_BAR)
		return pw_ones(width);
	return i8255x_reg_read(i8255x_of(m), off, width);
}

static void
i8255x_bar_write(struct pw_model *m, unsigned int bar, uint32_t off, uint32_t val,
		 unsigned int width)
{
	if (bar != FLASH_BAR)
		i8255x_reg_write(i8255x_of(m), off, val, width);
}

static unsigned int
i8255x_poll(struct pw_model *m)
{
	struct i8255x_model *x = i8255x_of(m);
	unsigned int moved;

	i8255x_carrier_update(x);
	if (PW_UNLIKELY(x->cmd != 0 && !x->stuck && !pw_timer_armed(m, I8255X_T_CMD)))
		i8255x_cmd_accept(x);
	moved = i8255x_cu_run(x);
	return moved + i8255x_rx_run(x);
}

static int
i8255x_receive(struct pw_model *m, const uint8_t *frame, uint32_t len, uint32_t flags)
{
	return i8255x_rx_frame(i8255x_of(m), frame, len, flags);
}

static void
i8255x_timer(struct pw_model *m, unsigned int id)
{
	struct i8255x_model *x = i8255x_of(m);

	switch (id) {
	case I8255X_T_CMD:
		i8255x_cmd_accept(x);
		break;
	case I8255X_T_CNA:
		i8255x_irq_set(x, I8255X_ACK_CNA);
		break;
	case I8255X_T_PAUSE:
		i8255x_cu_run(x);
		break;
	case I8255X_T_LINK:
	case I8255X_T_MDI:
		i8255x_phy_timer(x, id);
		break;
	default:
		i8255x_rx_timer(x, id);
	}
}

static void
i8255x_fault(struct pw_model *m, enum pw_fault fault)
{
	struct i8255x_model *x = i8255x_of(m);

	switch (fault) {
	case PW_FAULT_LINK_DOWN:
		i8255x_carrier_update(x);
		break;
	case PW_FAULT_STUCK_RESET:
		/* A reset that was stuck goes through in the end. */
		if (m->fault[fault] == 0 && x->stuck)
			i8255x_model_reset(x, false);
		break;
	case PW_FAULT_RX_LOCKUP:
		/* Boards whose EEPROM has both bits are free of it (§7). */
		if (m->fault[fault] != 0 && !i8255x_has(x, I8255X_F_558) &&
		    (x->nvm[I8255X_NVM_COMPAT] & I8255X_NVM_COMPAT_LOCKUP_OK) !=
		    I8255X_NVM_COMPAT_LOCKUP_OK)
			x->ru.locked_up = true;
		m->fault[fault] = 0;
		break;
	default:
		break;
	}
}

static const struct pw_chip_ops i8255x_ops = {
	.priv_size = sizeof(struct i8255x_model),
	.init = i8255x_init,
	.fini = i8255x_fini,
	.reset = i8255x_power_on,
	.bar_read = i8255x_bar_read,
	.bar_write = i8255x_bar_write,
	.poll = i8255x_poll,
	.receive = i8255x_receive,
	.timer = i8255x_timer,
	.fault = i8255x_fault,
};

/* --- the chips ------------------------------------------------------------------------------- */

/*
 * EEPROM words (§4.1). Those that no driver reads are 0. Word 3 of the 82557 leaves the
 * lock-up bits clear, as boards of its time do; the others have no such fault.
 */
#define NVM_82557 { \
	[I8255X_NVM_COMPAT] = 0x0000, \
	[I8255X_NVM_CONTROLLER] = I8255X_NVM_CONTROLLER_82557 | 0x01, \
	[I8255X_NVM_PHY] = I8255X_PHY_TYPE_82555 << I8255X_NVM_PHY_TYPE_SHIFT | 1, \
	[I8255X_NVM_PBA] = 0x6895, \
	[I8255X_NVM_PBA + 1] = 0x0150, \
	[I8255X_NVM_ID] = I8255X_NVM_ID_SIGNATURE, \
}
#define NVM_82558(subdevice, device, compat) { \
	[I8255X_NVM_COMPAT] = I8255X_NVM_COMPAT_LOCKUP_OK | (compat), \
	[I8255X_NVM_CONTROLLER] = 0x0201, \
	[I8255X_NVM_PHY] = 0x4000 | I8255X_PHY_TYPE_82555 << I8255X_NVM_PHY_TYPE_SHIFT | 1, \
	[I8255X_NVM_PBA] = 0x7213, \
	[I8255X_NVM_PBA + 1] = 0x8310, \
	[I8255X_NVM_ID] = I8255X_NVM_ID_SIGNATURE | I8255X_NVM_ID_WOL, \
	[I8255X_NVM_SUBDEVICE] = (subdevice), \
	[I8255X_NVM_SUBVENDOR] = I8255X_VENDOR_ID, \
	[I8255X_NVM_DEVICE] = (device), \
}

#define F_558 I8255X_F_558
#define F_559 (F_558 | I8255X_F_559)
#define F_550 (F_559 | I8255X_F_550 | I8255X_F_MAGIC)

#define VARIANT(feat, phy_kind, id, bits, ...) { \
	.features = (feat), \
	.phy = (phy_kind), \
	.phy_addr = 1, \
	.phy_id = (id), \
	.nvm_bits = (bits), \
	.nvm = __VA_ARGS__, \
}

static const struct i8255x_variant v_82557b =
	VARIANT(0, I8255X_PHY_82555, I8255X_PHY_ID_82555 | 4, 6, NVM_82557);
static const struct i8255x_variant v_82558b =
	VARIANT(F_558 | I8255X_F_MAGIC, I8255X_PHY_82555, I8255X_PHY_ID_82555 | 4, 6,
		NVM_82558(0x000b, 0x1229, 0));
static const struct i8255x_variant v_82559c =
	VARIANT(F_559 | I8255X_F_CSUM | I8255X_F_MAGIC, I8255X_PHY_82555,
		I8255X_PHY_ID_82555 | 4, 6, NVM_82558(0x000c, 0x1229, 0));
static const struct i8255x_variant v_82559er =
	VARIANT(F_559, I8255X_PHY_82555, I8255X_PHY_ID_82555 | 4, 6,
		NVM_82558(0x0000, 0x1209, 0));
static const struct i8255x_variant v_82550 =
	VARIANT(F_550, I8255X_PHY_82555, I8255X_PHY_ID_82555 | 4, 8,
		NVM_82558(0x0040, 0x1229, I8255X_NVM_COMPAT_MDIX));
static const struct i8255x_variant v_82551 =
	VARIANT(F_550, I8255X_PHY_82555, I8255X_PHY_ID_82555 | 4, 8,
		NVM_82558(0x0070, 0x1229, I8255X_NVM_COMPAT_MDIX));
static const struct i8255x_variant v_82562 =
	VARIANT(F_559 | I8255X_F_CSUM | I8255X_F_ICH | I8255X_F_MAGIC, I8255X_PHY_82562,
		I8255X_PHY_ID_82562ET, 6, NVM_82558(0x3013, 0x2449, 0));

#define CHIP(name, text, dev, rev, sub, var, ...) { \
	.info = { \
		.chip = (name), \
		.title = (text), \
		.vendor = I8255X_VENDOR_ID, \
		.device = (dev), \
		.subvendor = (sub) == 0 ? 0 : I8255X_VENDOR_ID, \
		.subdevice = (sub), \
		.revision = (rev), \
		.class_code = 0x020000, \
		.bar = { \
			{ PW_BAR_MEM32, I8255X_MEM_BAR_SIZE }, \
			{ PW_BAR_IO, I8255X_IO_BAR_SIZE }, \
			{ PW_BAR_MEM32, I8255X_FLASH_BAR_SIZE }, \
		}, \
		.cfg_size = 256, \
	}, \
	.ops = &i8255x_ops, \
	.variant = (var), \
	.cap = __VA_ARGS__, \
}
#define PM_ONLY { { PW_CAP_PM, 0xdc } }

const struct pw_chip pw_i8255x_chips[] = {
	CHIP("82557b", "Intel 82557 (PRO/100B) Fast Ethernet Controller", 0x1229,
	     I8255X_REV_82557_B, 0, &v_82557b, { { 0, 0 } }),
	CHIP("82558b", "Intel 82558 (PRO/100+) Fast Ethernet Controller", 0x1229,
	     I8255X_REV_82558_B, 0x000b, &v_82558b, PM_ONLY),
	CHIP("82559c", "Intel 82559 (PRO/100+) Fast Ethernet Controller", 0x1229,
	     I8255X_REV_82559_C, 0x000c, &v_82559c, PM_ONLY),
	CHIP("82559er", "Intel 82559ER Embedded Fast Ethernet Controller",
	     I8255X_DEV_82559ER, I8255X_REV_82559_ER, 0, &v_82559er, PM_ONLY),
	CHIP("82550", "Intel 82550 (PRO/100 S) Fast Ethernet Controller", 0x1229,
	     I8255X_REV_82550, 0x0040, &v_82550, PM_ONLY),
	CHIP("82551", "Intel 82551 (PRO/100) Fast Ethernet Controller", 0x1229,
	     I8255X_REV_82551_E, 0x0070, &v_82551, PM_ONLY),
	CHIP("82562", "Intel 82801BA (ICH2) LAN with an 82562ET", 0x2449, 0x03, 0x3013,
	     &v_82562, PM_ONLY),
	{ .info = { .chip = NULL } },
};
