/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <stdlib.h>

#include "e1000_model.h"

/* --- link: from the wire through the PHY to the MAC ---------------------------------------- */

/* Frames that are sent come back: by the MAC or at the PHY (§9.4). */
uint32_t
e1000_loopback(const struct e1000_model *e)
{
	uint32_t rctl = E1000_R(e, E1000_RCTL);

	return (rctl & E1000_RCTL_LBM_MASK) == E1000_RCTL_LBM_MAC || e1000_phy_loops(e);
}

uint32_t
e1000_mbps(const struct e1000_model *e)
{
	static const uint16_t speed[4] = { 10, 100, 1000, 1000 };
	uint32_t ctrl = E1000_R(e, E1000_CTRL);

	if ((ctrl & E1000_CTRL_FRCSPD) != 0)
		return speed[(ctrl & E1000_CTRL_SPEED_MASK) >> E1000_CTRL_SPEED_SHIFT];
	return e->phy.mbps == 0 ? 1000 : e->phy.mbps;
}

void
e1000_listen_update(struct e1000_model *e)
{
	bool on = e->link && (E1000_R(e, E1000_RCTL) & E1000_RCTL_EN) != 0 && !e1000_loopback(e);

	if (e->m->wire == NULL || on == e->listening)
		return;
	if (!on)
		e1000_rx_abort(e);
	e->listening = on;
	pw_wire_listen(e->m->wire, on);
}

/* STATUS.LU: what the PHY says, inverted by ILOS, with SLU's leave (§4.3). */
void
e1000_link_update(struct e1000_model *e)
{
	uint32_t ctrl = E1000_R(e, E1000_CTRL);
	bool up = e->phy.link != ((ctrl & E1000_CTRL_ILOS) != 0) && (ctrl & E1000_CTRL_SLU) != 0;

	if (up != e->link) {
		e->link = up;
		e1000_irq_set(e, E1000_ICR_LSC);
	}
	if (up && e->m->wire != NULL)
		pw_wire_set_speed(e->m->wire, e1000_mbps(e));
	e1000_listen_update(e);
}

void
e1000_carrier_update(struct e1000_model *e)
{
	struct pw_model *m = e->m;
	bool carrier = m->wire != NULL && m->fault[PW_FAULT_LINK_DOWN] == 0 &&
		       pw_wire_carrier(m->wire);

	if (PW_UNLIKELY(carrier != e->phy.carrier))
		e1000_phy_carrier(e, carrier);
}

/* --- reset --------------------------------------------------------------------------------- */

static void
reset_mac(struct e1000_model *e)
{
	e1000_regs_reset(e);
	E1000_R(e, E1000_CTRL) = e->v->ctrl;
	e->pba = E1000_R(e, E1000_PBA);
	e->xoff_sent = false;
	memset(&e->fifo, 0, sizeof(e->fifo));
	memset(&e->mdio, 0, sizeof(e->mdio));
	memset(&e->mw, 0, sizeof(e->mw));
	e->rx_due = e->tx_due = 0;
	e->rx_hangs = false;
	if (e->x != NULL)
		e1000_574_reset(e);
	e1000_tx_reset(e);
	e1000_nvm_load(e);
	e1000_irq_update(e);
}

/* CTRL.RST: the MAC, not the PHY, the EEPROM or PCI configuration (§9.2). */
void
e1000_sw_reset(struct e1000_model *e)
{
	bool phy_held = (E1000_R(e, E1000_CTRL) & E1000_CTRL_PHY_RST) != 0;
	unsigned int i;

	for (i = 0; i < PW_TIMERS; i++)
		if (i != E1000_T_LINK)
			pw_timer_stop(e->m, i);
	e->irq_next = 0;
	reset_mac(e);
	if (phy_held)
		e1000_phy_reset(e);
	e1000_link_update(e);
}

static void
e1000_power_on(struct pw_model *m)
{
	struct e1000_model *e = e1000_of(m);

	memset(e->reg, 0, E1000_REG_BAR_SIZE);
	E1000_R(e, E1000_PBA) = e->v->pba;
	if (e->x != NULL)
		e1000_574_power_on(e);
	e->io_addr = 0;
	e->irq_next = 0;
	e->phy.carrier = false;
	e->phy.mbps = 0;
	e->phy.full = false;
	reset_mac(e);
	e1000_phy_reset(e);
	e1000_carrier_update(e);
	/* What happened before there was a driver is not told. */
	E1000_R(e, E1000_ICR) = 0;
}

/* --- verbs --------------------------------------------------------------------------------- */

static int
e1000_init(struct pw_model *m)
{
	struct e1000_model *e = e1000_of(m);

	e->m = m;
	e->v = m->chip->variant;
	e->listening = true; /* a wire's default; what differs is told at once */
	e1000_nvm_init(e);
	if (e1000_has(e, E1000_F_PCIE)) {
		int ret = e1000_574_init(e);

		if (ret != 0)
			return ret;
	}
	if (e1000_has(e, E1000_F_IGP)) {
		int ret = e1000_igp_init(e);

		if (ret != 0)
			return ret;
	}
	return e1000_regs_init(e);
}

static void
e1000_fini(struct pw_model *m)
{
	struct e1000_model *e = e1000_of(m);

	free(e->reg);
	free(e->map);
	free(e->igp);
	free(e->x);
}

/* The I/O window: an address, then data at it (§5.1). */
static uint32_t
e1000_io_read(struct e1000_model *e, uint32_t off, unsigned int width)
{
	if (width == 4 && off == E1000_IO_ADDR)
		return e->io_addr;
	if (width == 4 && off == E1000_IO_DATA && e->io_addr < E1000_REG_BAR_SIZE)
		return e1000_reg_read(e, e->io_addr, 4);
	pw_violate(e->m, width == 4 ? PW_VIOL_REG_UNDEFINED : PW_VIOL_REG_WIDTH,
		   "read of I/O 0x%x, %u bytes, at register 0x%x (§5.1)", off, width, e->io_addr);
	return pw_ones(width);
}

static void
e1000_io_write(struct e1000_model *e, uint32_t off, uint32_t val, unsigned int width)
{
	if (width == 4 && off == E1000_IO_ADDR && (val & 3) == 0)
		e->io_addr = val;
	else if (width == 4 && off == E1000_IO_DATA && e->io_addr < E1000_REG_BAR_SIZE)
		e1000_reg_write(e, e->io_addr, val, 4);
	else
		pw_violate(e->m, width == 4 ? PW_VIOL_REG_UNDEFINED : PW_VIOL_REG_WIDTH,
			   "write of I/O 0x%x, %u bytes, at register 0x%x (§5.1)", off, width,
			   e->io_addr);
}

static uint32_t
e1000_bar_read(struct pw_model *m, unsigned int bar, uint32_t off, unsigned int width)
{
	if (bar == 0)
		return e1000_reg_read(e1000_of(m), off, width);
	if (m->chip->info.bar[bar].kind != PW_BAR_IO)
		return e1000_574_bar_read(e1000_of(m), bar, off, width);
	return e1000_io_read(e1000_of(m), off, width);
}

static void
e1000_bar_write(struct pw_model *m, unsigned int bar, uint32_t off, uint32_t val,
		unsigned int width)
{
	if (PW_LIKELY(bar == 0))
		e1000_reg_write(e1000_of(m), off, val, width);
	else if (m->chip->info.bar[bar].kind != PW_BAR_IO)
		e1000_574_bar_write(e1000_of(m), bar, off, val, width);
	else
		e1000_io_write(e1000_of(m), off, val, width);
}

static unsigned int
e1000_poll(struct pw_model *m)
{
	struct e1000_model *e = e1000_of(m);
	unsigned int moved;

	e1000_carrier_update(e);
	moved = e1000_tx_run(e);
	return moved + e1000_rx_run(e);
}

static int
e1000_receive(struct pw_model *m, const uint8_t *frame, uint32_t len, uint32_t flags)
{
	return e1000_rx_frame(e1000_of(m), frame, len, flags, false);
}

static void
e1000_timer(struct pw_model *m, unsigned int id)
{
	struct e1000_model *e = e1000_of(m);

	switch (id) {
	case E1000_T_LINK:
		e1000_phy_an_done(e);
		break;
	case E1000_T_MDIC:
		e1000_mdic_done(e);
		break;
	case E1000_T_EERD:
		if (e1000_has(e, E1000_F_EERD_S))
			e1000_eerd_done(e, &E1000_R(e, E1000_EERD),
					E1000_R(e, E1000_EERD) >> E1000_EERD_SMALL_ADDR_SHIFT,
					E1000_EERD_SMALL_DONE);
		else
			e1000_eerd_done(e, &E1000_R(e, E1000_EERD),
					E1000_R(e, E1000_EERD) >> E1000_EERD_LARGE_ADDR_SHIFT,
					E1000_EERD_LARGE_DONE);
		break;
	case E1000_T_EEWR:
		e1000_574_eewr_done(e);
		break;
	case E1000_T_PAUSE:
		e1000_tx_run(e);
		break;
	case E1000_T_XOFF:
		e1000_send_xoff(e);
		break;
	default:
		e1000_irq_timer(e, id);
	}
}

static void
e1000_fault(struct pw_model *m, enum pw_fault fault)
{
	struct e1000_model *e = e1000_of(m);

	if (fault == PW_FAULT_LINK_DOWN)
		e1000_carrier_update(e);
	/* A reset that was stuck goes through in the end. */
	if (fault == PW_FAULT_STUCK_RESET && m->fault[fault] == 0 &&
	    (E1000_R(e, E1000_CTRL) & E1000_CTRL_RST) != 0)
		e1000_sw_reset(e);
}

static const struct pw_chip_ops e1000_ops = {
	.priv_size = sizeof(struct e1000_model),
	.init = e1000_init,
	.fini = e1000_fini,
	.reset = e1000_power_on,
	.bar_read = e1000_bar_read,
	.bar_write = e1000_bar_write,
	.poll = e1000_poll,
	.receive = e1000_receive,
	.timer = e1000_timer,
	.fault = e1000_fault,
};

/* --- the chips ----------------------------------------------------------------------------- */

/* NVM words are those of §4.1; what no driver reads is left as a blank part has it. */
static const struct e1000_variant v_82540em = {
	.features = E1000_F_PCI | E1000_F_540 | E1000_F_MWIRE | E1000_F_EERD_S,
	.ctrl = 0x00140240,
	.pba = 0x00100030,
	.packet_buffer_kb = 64,
	.queues = 1,
	.min_packet = 48,
	.max_desc = E1000_TXD_LEN_MAX,
	.phy_id = E1000_PHY_ID_M88E1011,
	.nvm = {
		[E1000_NVM_COMPAT] = 0x0000,
		[E1000_NVM_ID_LED ... E1000_NVM_PHY_CLASS] = E1000_NVM_UNUSED,
		[E1000_NVM_PBA0] = 0xa784,
		[E1000_NVM_PBA1] = 0x0803,
		[E1000_NVM_INIT1] = 0x640a,
		[E1000_NVM_SUBDEVICE] = 0x001e,
		[E1000_NVM_SUBVENDOR] = 0x8086,
		[E1000_NVM_DEVICE] = 0x100e,
		[E1000_NVM_VENDOR] = 0x8086,
		[E1000_NVM_INIT2] = 0x3040,
		[E1000_NVM_INIT2 + 1 ... E1000_NVM_INIT3_PORT_A - 1] = E1000_NVM_UNUSED,
		[E1000_NVM_INIT3_PORT_A] = 0x0000,
		[E1000_NVM_INIT3_PORT_A + 1 ... E1000_NVM_CSUM - 1] = E1000_NVM_UNUSED,
	},
};

/* What no driver looks at is as in the 82540EM's EEPROM. */
#define PCI_NVM(id) \
	{ \
		[E1000_NVM_COMPAT] = 0x0000, \
		[E1000_NVM_ID_LED ... E1000_NVM_PHY_CLASS] = E1000_NVM_UNUSED, \
		[E1000_NVM_PBA0] = 0xa784, \
		[E1000_NVM_PBA1] = 0x0803, \
		[E1000_NVM_INIT1] = 0x640a, \
		[E1000_NVM_SUBDEVICE] = (id), \
		[E1000_NVM_SUBVENDOR] = 0x8086, \
		[E1000_NVM_DEVICE] = (id), \
		[E1000_NVM_VENDOR] = 0x8086, \
		[E1000_NVM_INIT2] = 0x3040, \
		[E1000_NVM_INIT2 + 1 ... E1000_NVM_INIT3_PORT_A - 1] = E1000_NVM_UNUSED, \
		[E1000_NVM_INIT3_PORT_A] = 0x0000, \
		[E1000_NVM_INIT3_PORT_A + 1 ... E1000_NVM_CSUM - 1] = E1000_NVM_UNUSED, \
	}

/* The first of the family that is played: an external PHY on pins, no EERD, few timers. */
static const struct e1000_variant v_82543gc = {
	.features = E1000_F_PCI | E1000_F_MWIRE | E1000_F_MDIO | E1000_F_TBI,
	.ctrl = 0x00140240,
	.pba = 0x00100030,
	.packet_buffer_kb = 64,
	.queues = 1,
	.min_packet = 48,
	.max_desc = E1000_TXD_LEN_MAX,
	.phy_id = E1000_PHY_ID_M88E1000_EXT,
	.nvm = PCI_NVM(0x1004),
};

/*
 * 82541 and 82547 have an IGP PHY. 82547 hangs off the memory controller's own port (CSA), which
 * software sees as PCI, and has a smaller packet buffer.
 */
static const struct e1000_variant v_82541pi = {
	.features = E1000_F_PCI | E1000_F_540 | E1000_F_MWIRE | E1000_F_EERD_L | E1000_F_IGP,
	.ctrl = 0x00140240,
	.pba = 0x00100030,
	.packet_buffer_kb = 64,
	.queues = 1,
	.min_packet = 48,
	.max_desc = E1000_TXD_LEN_MAX,
	.phy_id = E1000_PHY_ID_IGP01,
	.nvm = PCI_NVM(0x107c),
};

static const struct e1000_variant v_82547ei = {
	.features = E1000_F_PCI | E1000_F_540 | E1000_F_MWIRE | E1000_F_EERD_L | E1000_F_IGP |
		    E1000_F_FIFO,
	.ctrl = 0x00140240,
	.pba = 0x000a001e,
	.packet_buffer_kb = 40,
	.queues = 1,
	.min_packet = 48,
	.max_desc = E1000_TXD_LEN_MAX,
	.phy_id = E1000_PHY_ID_IGP01,
	.nvm = PCI_NVM(0x1019),
};

/*
 * The first part on PCI Express, with one port. Its IGP PHY tells the identifier that 82541's does
 * (§1.1). PAUSE both ways (word 0xf, bits 13:12).
 */
static const struct e1000_variant v_82572ei = {
	.features = E1000_F_PCIE | E1000_F_82571 | E1000_F_IGP,
	.ctrl = 0x00140241,
	.pba = 0x00100020,
	.packet_buffer_kb = 48,
	.queues = 2,
	.min_packet = 17,
	.max_desc = 24 << 10,
	.phy_id = E1000_PHY_ID_IGP01,
	.nvm = PCI_NVM(0x107d),
};

/*
 * No management (word 0xf, bits 14:13), so nobody but the driver owns the PHY; PAUSE both ways
 * (word 0xf, bits 13:12); no ASPM (word 0x1a, bits 3:2).
 */
static const struct e1000_variant v_82574l = {
	.features = E1000_F_PCIE | E1000_F_82574,
	.ctrl = 0x00140241,
	.pba = 0x00140014,
	.packet_buffer_kb = 40,
	.queues = 2,
	.min_packet = 17,
	.max_desc = 24 << 10, /* what Linux gives it; also bounded by the FIFO where sent whole */
	.phy_id = E1000_PHY_ID_BM,
	.nvm = {
		[E1000_NVM_COMPAT] = 0x0000,
		[E1000_NVM_ID_LED ... E1000_NVM_PHY_CLASS] = E1000_NVM_UNUSED,
		[E1000_NVM_PBA0] = 0xe463,
		[E1000_NVM_PBA1] = 0x0042,
		[E1000_NVM_INIT1] = 0x026b,
		[E1000_NVM_SUBDEVICE] = 0xa01f,
		[E1000_NVM_SUBVENDOR] = 0x8086,
		[E1000_NVM_DEVICE] = 0x10d3,
		[E1000_NVM_VENDOR] = 0x8086,
		[E1000_NVM_INIT2] = 0x1000,
		[E1000_NVM_INIT2 + 1 ... E1000_NVM_PCIE3 - 1] = E1000_NVM_UNUSED,
		[E1000_NVM_PCIE3] = 0x0000,
		[E1000_NVM_PCIE3 + 1 ... E1000_NVM_INIT3_PORT_A - 1] = E1000_NVM_UNUSED,
		[E1000_NVM_INIT3_PORT_A] = 0x0000,
		[E1000_NVM_INIT3_PORT_A + 1 ... E1000_NVM_CSUM - 1] = E1000_NVM_UNUSED,
	},
};

const struct pw_chip pw_e1000_chips[] = {
	{
		.info = {
			.chip = "82540em",
			.title = "Intel 82540EM Gigabit Ethernet Controller",
			.vendor = 0x8086,
			.device = 0x100e,
			.subvendor = 0x8086,
			.subdevice = 0x001e,
			.revision = 0x02,
			.class_code = 0x020000,
			.bar = {
				{ PW_BAR_MEM32, E1000_REG_BAR_SIZE },
				{ PW_BAR_IO, 64 },
			},
			.msi_vectors = 1,
			.cfg_size = 256,
		},
		.ops = &e1000_ops,
		.variant = &v_82540em,
		.cap = { { PW_CAP_PM, 0xdc }, { PW_CAP_PCIX, 0xe4 }, { PW_CAP_MSI, 0xf0 } },
	},
	{
		.info = {
			.chip = "82543gc",
			.title = "Intel 82543GC Gigabit Ethernet Controller",
			.vendor = 0x8086,
			.device = 0x1004,
			.subvendor = 0x8086,
			.subdevice = 0x1004,
			.revision = 0x02,
			.class_code = 0x020000,
			.bar = {
				{ PW_BAR_MEM32, E1000_REG_BAR_SIZE },
			},
			.cfg_size = 256,
		},
		.ops = &e1000_ops,
		.variant = &v_82543gc,
		.cap = { { PW_CAP_PM, 0xdc } },
	},
	{
		.info = {
			.chip = "82541pi",
			.title = "Intel 82541PI Gigabit Ethernet Controller",
			.vendor = 0x8086,
			.device = 0x107c,
			.subvendor = 0x8086,
			.subdevice = 0x107c,
			.revision = 0x05,
			.class_code = 0x020000,
			.bar = {
				{ PW_BAR_MEM32, E1000_REG_BAR_SIZE },
				{ PW_BAR_MEM32, 0x20000 },	/* flash */
				{ PW_BAR_IO, 64 },
			},
			.cfg_size = 256,
		},
		.ops = &e1000_ops,
		.variant = &v_82541pi,
		.cap = { { PW_CAP_PM, 0xdc }, { PW_CAP_PCIX, 0xe4 } },
	},
	{
		.info = {
			.chip = "82547ei",
			.title = "Intel 82547EI Gigabit Ethernet Controller",
			.vendor = 0x8086,
			.device = 0x1019,
			.subvendor = 0x8086,
			.subdevice = 0x1019,
			.revision = 0x00,
			.class_code = 0x020000,
			.bar = {
				{ PW_BAR_MEM32, E1000_REG_BAR_SIZE },
				{ PW_BAR_NONE, 0 },
				{ PW_BAR_IO, 32 },
			},
			.cfg_size = 256,
		},
		.ops = &e1000_ops,
		.variant = &v_82547ei,
		.cap = { { PW_CAP_PM, 0xdc } },
	},
	{
		.info = {
			.chip = "82572ei",
			.title = "Intel 82572EI Gigabit Ethernet Controller",
			.vendor = 0x8086,
			.device = 0x107d,
			.subvendor = 0x8086,
			.subdevice = 0x107d,
			.revision = 0x06,
			.class_code = 0x020000,
			.bar = {
				{ PW_BAR_MEM32, E1000_REG_BAR_SIZE },
				{ PW_BAR_MEM32, 0x20000 },	/* flash */
				{ PW_BAR_IO, 32 },
			},
			.msi_vectors = 1,
			.cfg_size = 4096,
		},
		.ops = &e1000_ops,
		.variant = &v_82572ei,
		.cap = { { PW_CAP_PM, 0xc8 }, { PW_CAP_MSI, 0xd0 }, { PW_CAP_EXP, 0xe0 } },
		.ecap = { { PW_ECAP_AER, 0x100 }, { PW_ECAP_DSN, 0x140 } },
	},
	{
		.info = {
			.chip = "82574l",
			.title = "Intel 82574L Gigabit Network Connection",
			.vendor = 0x8086,
			.device = 0x10d3,
			.subvendor = 0x8086,
			.subdevice = 0xa01f,
			.revision = 0x00,
			.class_code = 0x020000,
			.bar = {
				{ PW_BAR_MEM32, E1000_REG_BAR_SIZE },
				{ PW_BAR_MEM32, 0x20000 },	/* flash */
				{ PW_BAR_IO, 32 },
				{ PW_BAR_MEM32, E1000_MSIX_BAR_SIZE },
			},
			.msi_vectors = 1,
			.msix_vectors = E1000_MSIX_VECTORS,
			.cfg_size = 4096,
		},
		.ops = &e1000_ops,
		.variant = &v_82574l,
		.cap = { { PW_CAP_PM, 0xc8 }, { PW_CAP_MSI, 0xd0 }, { PW_CAP_EXP, 0xe0 },
			 { PW_CAP_MSIX, 0xa0 } },
		.ecap = { { PW_ECAP_AER, 0x100 }, { PW_ECAP_DSN, 0x140 } },
		.msix = { E1000_MSIX_BAR, E1000_MSIX_TABLE, E1000_MSIX_PBA },
	},
	{ .info = { .chip = NULL } },
};
