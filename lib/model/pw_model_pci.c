/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The PCI function: configuration space as three arrays (value, writable bits, bits cleared
 * by writing 1), so that BAR sizing and read-only fields need no code, and the interrupt,
 * which is a line or a message as the driver has chosen.
 */

#include "pw_chip.h"

#define CFG_VENDOR 0x00
#define CFG_DEVICE 0x02
#define CFG_COMMAND 0x04
#define CFG_COMMAND_IO 0x0001
#define CFG_COMMAND_MEM 0x0002
#define CFG_COMMAND_MASTER 0x0004
#define CFG_COMMAND_RW 0x0557	/* I/O, memory, master, MWI, parity, SERR, INTx disable */
#define CFG_COMMAND_INTX_OFF 0x0400
#define CFG_STATUS 0x06
#define CFG_STATUS_INTX 0x0008
#define CFG_STATUS_CAPS 0x0010
#define CFG_STATUS_W1C 0xf900
#define CFG_REVISION 0x08
#define CFG_CLASS 0x09
#define CFG_CACHE_LINE 0x0c
#define CFG_LATENCY 0x0d
#define CFG_BAR 0x10
#define CFG_SUBVENDOR 0x2c
#define CFG_SUBDEVICE 0x2e
#define CFG_CAP_PTR 0x34
#define CFG_INT_LINE 0x3c
#define CFG_INT_PIN 0x3d

#define PM_CAP 2		/* offsets within the capability */
#define PM_CAP_V2 0xc802	/* PME# from D0, D3hot, D3cold; version 1.1 of the specification */
#define PM_CSR 4
#define PM_CSR_STATE 0x0003
#define PM_CSR_PME_EN 0x0100
#define PM_CSR_PME 0x8000
#define MSI_CTRL 2
#define MSI_CTRL_ENABLE 0x0001
#define MSI_CTRL_MULTI_RW 0x0070
#define MSI_CTRL_64 0x0080
#define MSI_ADDR 4
#define MSI_DATA 12
#define PCIX_CMD 2
#define PCIX_CMD_RESET 0x0002	/* relaxed ordering, 512 bytes a read, 1 transaction */
#define PCIX_CMD_RW 0x007f
#define PCIX_STATUS 4

static uint16_t
cfg_get16(const struct pw_model *m, uint32_t off)
{
	return (uint16_t)(m->cfg[off] | m->cfg[off + 1] << 8);
}

static void
pci_init_bars(struct pw_model *m)
{
	unsigned int i;

	for (i = 0; i < PW_MODEL_BARS; i++) {
		const struct pw_model_bar *bar = &m->chip->info.bar[i];
		uint32_t at = CFG_BAR + 4 * i;

		switch (bar->kind) {
		case PW_BAR_NONE:
			break;
		case PW_BAR_IO:
			pw_put32(m->cfg, at, 0x1);
			pw_put32(m->cfg_rw, at, ~(bar->size - 1));
			break;
		case PW_BAR_MEM64:
			pw_put32(m->cfg, at, 0x4);
			pw_put32(m->cfg_rw, at, ~(bar->size - 1));
			pw_put32(m->cfg_rw, at + 4, UINT32_MAX);
			i++;
			break;
		case PW_BAR_MEM32:
			pw_put32(m->cfg_rw, at, ~(bar->size - 1));
			break;
		}
	}
}

static void
pci_init_cap(struct pw_model *m, const struct pw_cap *cap)
{
	switch (cap->id) {
	case PW_CAP_PM:
		m->cap_pm = cap->at;
		pw_put16(m->cfg, cap->at + PM_CAP, PM_CAP_V2);
		pw_put16(m->cfg_rw, cap->at + PM_CSR, PM_CSR_STATE | PM_CSR_PME_EN);
		pw_put16(m->cfg_w1c, cap->at + PM_CSR, PM_CSR_PME);
		break;
	case PW_CAP_MSI:
		m->cap_msi = cap->at;
		pw_put16(m->cfg, cap->at + MSI_CTRL, MSI_CTRL_64);
		pw_put16(m->cfg_rw, cap->at + MSI_CTRL, MSI_CTRL_ENABLE | MSI_CTRL_MULTI_RW);
		pw_put32(m->cfg_rw, cap->at + MSI_ADDR, 0xfffffffc);
		pw_put32(m->cfg_rw, cap->at + MSI_ADDR + 4, UINT32_MAX);
		pw_put16(m->cfg_rw, cap->at + MSI_DATA, 0xffff);
		break;
	case PW_CAP_PCIX:
		pw_put16(m->cfg, cap->at + PCIX_CMD, PCIX_CMD_RESET);
		pw_put16(m->cfg_rw, cap->at + PCIX_CMD, PCIX_CMD_RW);
		pw_put32(m->cfg, cap->at + PCIX_STATUS, 0x0000fff8); /* conventional PCI */
		break;
	default:
		pw_pcie_init_cap(m, cap);
	}
}

void
pw_pci_reset(struct pw_model *m)
{
	const struct pw_model_info *info = &m->chip->info;
	const struct pw_cap *cap;
	uint32_t link = CFG_CAP_PTR;

	memset(m->cfg, 0, sizeof(m->cfg));
	memset(m->cfg_rw, 0, sizeof(m->cfg_rw));
	memset(m->cfg_w1c, 0, sizeof(m->cfg_w1c));
	pw_put16(m->cfg, CFG_VENDOR, info->vendor);
	pw_put16(m->cfg, CFG_DEVICE, info->device);
	pw_put16(m->cfg_rw, CFG_COMMAND, CFG_COMMAND_RW);
	pw_put16(m->cfg_w1c, CFG_STATUS, CFG_STATUS_W1C);
	pw_put32(m->cfg, CFG_REVISION, info->class_code << 8 | info->revision);
	m->cfg_rw[CFG_CACHE_LINE] = 0xff;
	m->cfg_rw[CFG_LATENCY] = 0xf8;
	pw_put16(m->cfg, CFG_SUBVENDOR, info->subvendor);
	pw_put16(m->cfg, CFG_SUBDEVICE, info->subdevice);
	m->cfg_rw[CFG_INT_LINE] = 0xff;
	m->cfg[CFG_INT_PIN] = 1;
	pci_init_bars(m);
	for (cap = m->chip->cap; cap->id != 0; cap++) {
		pw_put16(m->cfg, CFG_STATUS, CFG_STATUS_CAPS);
		m->cfg[link] = cap->at;
		m->cfg[cap->at] = cap->id;
		link = cap->at + 1u;
		pci_init_cap(m, cap);
	}
	pw_pcie_reset(m);
	pw_pci_update(m);
}

static bool
pci_in_d0(const struct pw_model *m)
{
	return m->cap_pm == 0 || (cfg_get16(m, m->cap_pm + PM_CSR) & PM_CSR_STATE) == 0;
}

static bool
pci_msi_on(const struct pw_model *m)
{
	return m->cap_msi != 0 && (cfg_get16(m, m->cap_msi + MSI_CTRL) & MSI_CTRL_ENABLE) != 0;
}

bool
pw_pci_decodes(const struct pw_model *m, unsigned int bar)
{
	uint16_t need = m->chip->info.bar[bar].kind == PW_BAR_IO ? CFG_COMMAND_IO
								   : CFG_COMMAND_MEM;

	return (cfg_get16(m, CFG_COMMAND) & need) != 0 && pci_in_d0(m);
}

static void
pci_line(struct pw_model *m, bool level)
{
	if (m->intx == level)
		return;
	m->intx = level;
	if (m->opts.irq != NULL)
		m->opts.irq(m->opts.ctx, 0, level);
}

void
pw_pci_update(struct pw_model *m)
{
	uint16_t cmd = cfg_get16(m, CFG_COMMAND);
	bool alive = m->fault[PW_FAULT_REMOVED] == 0 && pci_in_d0(m);

	m->dma_on = alive && (cmd & CFG_COMMAND_MASTER) != 0;
	m->cfg[CFG_STATUS] &= (uint8_t)~CFG_STATUS_INTX;
	if (m->irq_level)
		m->cfg[CFG_STATUS] |= CFG_STATUS_INTX;
	pci_line(m, m->irq_level && alive && !pci_msi_on(m) && !pw_msix_on(m) &&
		    (cmd & CFG_COMMAND_INTX_OFF) == 0);
	pw_msix_update(m);
}

void
pw_pci_irq(struct pw_model *m, bool level)
{
	if (m->irq_level == level)
		return;
	m->irq_level = level;
	pw_pci_update(m);
	/* A message is a DMA write: none without bus mastering. */
	if (level && pci_msi_on(m) && !pw_msix_on(m) && m->dma_on && m->opts.irq != NULL)
		m->opts.irq(m->opts.ctx, 0, true);
}

uint32_t
pw_pci_read(struct pw_model *m, uint32_t off, unsigned int width)
{
	uint32_t val = 0;

	memcpy(&val, &m->cfg[off], width);
	return val;
}

void
pw_pci_write(struct pw_model *m, uint32_t off, uint32_t val, unsigned int width)
{
	bool was_d0 = pci_in_d0(m);
	unsigned int i;

	for (i = 0; i < width; i++) {
		uint32_t at = off + i;
		uint8_t byte = (uint8_t)(val >> 8 * i);

		m->cfg[at] = (uint8_t)((m->cfg[at] & ~m->cfg_rw[at]) | (byte & m->cfg_rw[at]));
		m->cfg[at] &= (uint8_t)~(byte & m->cfg_w1c[at]);
	}
	pw_pci_update(m);
	/* No soft reset: the registers are lost on the way back from D3hot. */
	if (!was_d0 && pci_in_d0(m)) {
		for (i = 0; i < PW_TIMERS; i++)
			pw_timer_set(m, i, PW_TIMER_OFF);
		m->chip->ops->reset(m);
	}
}
