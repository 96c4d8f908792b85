/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * What a PCI Express function has beyond a conventional one: the Express capability, extended
 * configuration space, and MSI-X. Names are those of the PCI Express Base Specification 1.1
 * (§7.8, §7.10, §7.12) and of PCI Local Bus 3.0 (§6.8.2).
 */

#include "pw_chip.h"

#define CFG_COMMAND 0x04
#define CFG_COMMAND_RW 0x0547	/* as conventional PCI, without MWI */
#define CFG_LATENCY 0x0d
#define ECAP_FIRST 0x100

#define EXP_CAP 0x02
#define EXP_CAP_ENDPOINT_V1 0x0001
#define EXP_DEVCAP 0x04
#define EXP_DEVCAP_VALUE 0x00008cc1	/* 256 B payload, L0s < 512 ns, L1 < 64 us, RBER */
#define EXP_DEVCTL 0x08
#define EXP_DEVCTL_RESET 0x2810		/* relaxed ordering, no snoop, reads of 512 B */
#define EXP_DEVCTL_RW 0x7cff
#define EXP_DEVSTA 0x0a
#define EXP_DEVSTA_W1C 0x000f
#define EXP_LNKCAP 0x0c
#define EXP_LNKCAP_VALUE 0x00031c11	/* 2.5 GT/s, one lane, L0s < 128 ns and L1 < 64 us */
#define EXP_LNKCTL 0x10
#define EXP_LNKCTL_RW 0x00cb
#define EXP_LNKSTA 0x12
#define EXP_LNKSTA_VALUE 0x1011		/* 2.5 GT/s, one lane, the slot's clock */

#define AER_UNCOR_STATUS 0x04
#define AER_UNCOR_MASK 0x08
#define AER_UNCOR_SEVERITY 0x0c
#define AER_UNCOR_BITS 0x001ff010
#define AER_UNCOR_SEVERITY_RESET 0x00062010
#define AER_COR_STATUS 0x10
#define AER_COR_MASK 0x14
#define AER_COR_BITS 0x000031c1
#define AER_COR_MASK_RESET 0x00002000

#define MSIX_CTRL 0x02
#define MSIX_CTRL_MASK_ALL 0x4000
#define MSIX_CTRL_RW 0xc000
#define MSIX_TABLE 0x04
#define MSIX_PBA 0x08
#define MSIX_ENTRY 16		/* bytes */
#define MSIX_VCTRL 3		/* word of an entry */
#define MSIX_VCTRL_MASKED 1u

/* --- capabilities -------------------------------------------------------------------------- */

static void
init_express(struct pw_model *m, uint32_t at)
{
	pw_put16(m->cfg_rw, CFG_COMMAND, CFG_COMMAND_RW);
	m->cfg_rw[CFG_LATENCY] = 0;
	pw_put16(m->cfg, at + EXP_CAP, EXP_CAP_ENDPOINT_V1);
	pw_put32(m->cfg, at + EXP_DEVCAP, EXP_DEVCAP_VALUE);
	pw_put16(m->cfg, at + EXP_DEVCTL, EXP_DEVCTL_RESET);
	pw_put16(m->cfg_rw, at + EXP_DEVCTL, EXP_DEVCTL_RW);
	pw_put16(m->cfg_w1c, at + EXP_DEVSTA, EXP_DEVSTA_W1C);
	pw_put32(m->cfg, at + EXP_LNKCAP, EXP_LNKCAP_VALUE);
	pw_put16(m->cfg_rw, at + EXP_LNKCTL, EXP_LNKCTL_RW);
	pw_put16(m->cfg, at + EXP_LNKSTA, EXP_LNKSTA_VALUE);
}

static void
init_msix(struct pw_model *m, uint8_t at)
{
	const struct pw_msix_at *where = &m->chip->msix;

	m->cap_msix = at;
	pw_put16(m->cfg, at + MSIX_CTRL, m->chip->info.msix_vectors - 1u);
	pw_put16(m->cfg_rw, at + MSIX_CTRL, MSIX_CTRL_RW);
	pw_put32(m->cfg, at + MSIX_TABLE, where->table | where->bar);
	pw_put32(m->cfg, at + MSIX_PBA, where->pba | where->bar);
}

void
pw_pcie_init_cap(struct pw_model *m, const struct pw_cap *cap)
{
	if (cap->id == PW_CAP_EXP)
		init_express(m, cap->at);
	else if (cap->id == PW_CAP_MSIX)
		init_msix(m, cap->at);
}

/* An EUI-64 made of the station address: ff:ff goes in between. */
static void
init_serial(struct pw_model *m, uint32_t at)
{
	const uint8_t *mac = m->mac;

	pw_put32(m->cfg, at + 4,
	      0xffu << 24 | (uint32_t)mac[3] << 16 | (uint32_t)mac[4] << 8 | mac[5]);
	pw_put32(m->cfg, at + 8,
	      (uint32_t)mac[0] << 24 | (uint32_t)mac[1] << 16 | (uint32_t)mac[2] << 8 | 0xffu);
}

static void
init_aer(struct pw_model *m, uint32_t at)
{
	pw_put32(m->cfg_w1c, at + AER_UNCOR_STATUS, AER_UNCOR_BITS);
	pw_put32(m->cfg_rw, at + AER_UNCOR_MASK, AER_UNCOR_BITS);
	pw_put32(m->cfg, at + AER_UNCOR_SEVERITY, AER_UNCOR_SEVERITY_RESET);
	pw_put32(m->cfg_rw, at + AER_UNCOR_SEVERITY, AER_UNCOR_BITS);
	pw_put32(m->cfg_w1c, at + AER_COR_STATUS, AER_COR_BITS);
	pw_put32(m->cfg, at + AER_COR_MASK, AER_COR_MASK_RESET);
	pw_put32(m->cfg_rw, at + AER_COR_MASK, AER_COR_BITS);
}

/* After the capabilities: extended space, and the MSI-X structures as reset leaves them. */
void
pw_pcie_reset(struct pw_model *m)
{
	const struct pw_ecap *ecap = m->chip->ecap;
	unsigned int i;

	for (i = 0; i < PW_ECAPS && ecap[i].id != 0; i++) {
		uint32_t next = i + 1 < PW_ECAPS ? ecap[i + 1].at : 0;

		pw_put32(m->cfg, ecap[i].at, ecap[i].id | 1u << 16 | next << 20);
		if (ecap[i].id == PW_ECAP_AER)
			init_aer(m, ecap[i].at);
		else if (ecap[i].id == PW_ECAP_DSN)
			init_serial(m, ecap[i].at);
	}
	memset(m->msix_table, 0, sizeof(m->msix_table));
	for (i = 0; i < PW_MSIX_MAX; i++)
		m->msix_table[i][MSIX_VCTRL] = MSIX_VCTRL_MASKED;
	m->msix_pending = 0;
}

/* --- MSI-X --------------------------------------------------------------------------------- */

static bool
msix_may_send(const struct pw_model *m, unsigned int vector)
{
	return pw_msix_on(m) && m->dma_on &&
	       (m->cfg[m->cap_msix + MSIX_CTRL + 1u] & MSIX_CTRL_MASK_ALL >> 8) == 0 &&
	       (m->msix_table[vector][MSIX_VCTRL] & MSIX_VCTRL_MASKED) == 0;
}

void
pw_msix_update(struct pw_model *m)
{
	unsigned int v;

	if (PW_LIKELY(m->msix_pending == 0))
		return;
	for (v = 0; v < m->chip->info.msix_vectors; v++) {
		if ((m->msix_pending >> v & 1) == 0 || !msix_may_send(m, v))
			continue;
		m->msix_pending &= ~(1u << v);
		if (m->opts.irq != NULL)
			m->opts.irq(m->opts.ctx, v, true);
	}
}

void
pw_msix_send(struct pw_model *m, unsigned int vector)
{
	if (vector >= m->chip->info.msix_vectors || !pw_msix_on(m))
		return;
	m->msix_pending |= 1u << vector;
	pw_msix_update(m);
}

void
pw_msix_clear(struct pw_model *m, uint32_t vectors)
{
	m->msix_pending &= ~vectors;
}

void
pw_model_msix_mask(struct pw_model *m, unsigned int vector, bool masked)
{
	pthread_mutex_lock(&m->lock);
	if (vector < m->chip->info.msix_vectors) {
		m->msix_table[vector][MSIX_VCTRL] = masked ? MSIX_VCTRL_MASKED : 0;
		pw_msix_update(m);
	}
	pthread_mutex_unlock(&m->lock);
}

/* The word of the table at this offset, or NULL: not in the table. */
static uint32_t *
msix_word(struct pw_model *m, uint32_t off)
{
	uint32_t at = off - m->chip->msix.table;

	if (off < m->chip->msix.table || at >= m->chip->info.msix_vectors * (uint32_t)MSIX_ENTRY)
		return NULL;
	return &m->msix_table[at / MSIX_ENTRY][at / 4 % 4];
}

uint32_t
pw_msix_read(struct pw_model *m, uint32_t off, unsigned int width)
{
	const uint32_t *word = msix_word(m, off);

	if (width != 4)
		pw_violate(m, PW_VIOL_REG_WIDTH, "read of MSI-X 0x%x: %u bytes (PCI 3.0 §6.8.2)",
			   off, width);
	if (word != NULL)
		return width == 4 ? *word : *word >> 8 * (off & 3) & pw_ones(width);
	return (off & ~7u) == m->chip->msix.pba && (off & 4) == 0 ? m->msix_pending : 0;
}

void
pw_msix_write(struct pw_model *m, uint32_t off, uint32_t val, unsigned int width)
{
	uint32_t *word = msix_word(m, off);

	if (width != 4) {
		pw_violate(m, PW_VIOL_REG_WIDTH, "write of MSI-X 0x%x: %u bytes (PCI 3.0 §6.8.2)",
			   off, width);
		return;
	}
	/* The pending bits are the chip's; software may not write them. */
	if ((off & ~7u) == m->chip->msix.pba)
		pw_violate(m, PW_VIOL_REG_READONLY, "write of the MSI-X PBA (PCI 3.0 §6.8.2)");
	if (word == NULL)
		return;
	*word = val;
	pw_msix_update(m);
}
