/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <stdlib.h>

#include "e1000_model.h"

/* Mode of a register */
enum {
	RW,
	RO,	/* a write is a violation */
	RC,	/* as RO; reading clears */
	W1C,
	NO_RST = 0x80,	/* not touched by CTRL.RST */
};

#define MODE_MASK 0x7f

/* Self-clearing bits and those with a meaning of their own are not in the mask (§2.1). */
#define CTRL_RW 0xfbfffbffu
#define CTRL_EXT_RW (~(E1000_CTRL_EXT_EE_RST | E1000_CTRL_EXT_ASDCHK))
#define XDCTL_RW 0x013f3f3fu

/* --- handlers ------------------------------------------------------------------------------ */

static uint32_t
ctrl_read(struct e1000_model *e, uint32_t off)
{
	uint32_t val = E1000_R(e, E1000_CTRL);

	(void)off;
	if (PW_UNLIKELY(e1000_has(e, E1000_F_MDIO)) && (val & E1000_CTRL_MDIO_DIR) == 0)
		val = e->mdio.pin ? val | E1000_CTRL_MDIO : val & ~E1000_CTRL_MDIO;
	return val;
}

static void
ctrl_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	uint32_t *ctrl = &E1000_R(e, E1000_CTRL);
	uint32_t changed;

	(void)off;
	if ((val & E1000_CTRL_RST) != 0) {
		if (e->m->fault[PW_FAULT_STUCK_RESET] != 0)
			*ctrl |= E1000_CTRL_RST;
		else
			e1000_sw_reset(e);
		return;
	}
	val = (*ctrl & ~CTRL_RW) | (val & CTRL_RW);
	changed = *ctrl ^ val;
	*ctrl = val;
	if (PW_UNLIKELY(e1000_has(e, E1000_F_MDIO)) && (changed & val & E1000_CTRL_MDC) != 0)
		e1000_mdio_clock(e, val);
	/* Both edges: held in reset meanwhile, autonegotiation starts when let go. */
	if ((changed & E1000_CTRL_PHY_RST) != 0)
		e1000_phy_reset(e);
	e1000_link_update(e);
}

static uint32_t
status_read(struct e1000_model *e, uint32_t off)
{
	uint32_t speed = e->phy.mbps == 10 ? 0 : e->phy.mbps == 100 ? 1 : 2;
	uint32_t ctrl = E1000_R(e, E1000_CTRL);
	uint32_t val = 0;

	(void)off;
	e1000_carrier_update(e);
	if (e1000_full_duplex(e))
		val |= E1000_STATUS_FD;
	if (e->link)
		val |= E1000_STATUS_LU;
	if (pw_timer_armed(e->m, E1000_T_PAUSE))
		val |= E1000_STATUS_TXOFF;
	val |= speed << E1000_STATUS_ASDV_SHIFT;
	if (e->x != NULL)
		val |= e1000_574_status(e);
	if ((ctrl & E1000_CTRL_FRCSPD) != 0)
		speed = (ctrl & E1000_CTRL_SPEED_MASK) >> E1000_CTRL_SPEED_SHIFT;
	return val | speed << E1000_STATUS_SPEED_SHIFT;
}

static void
ctrl_ext_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	E1000_R(e, off) = val & CTRL_EXT_RW;
	if ((val & E1000_CTRL_EXT_EE_RST) != 0)
		e1000_nvm_load(e);
}

/* The split takes effect at the next reset; the Tx share is what is left (§2.1). */
static void
pba_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	uint32_t rx = val & E1000_PBA_RX_MASK;

	if (rx >= e->v->packet_buffer_kb) {
		pw_violate(e->m, PW_VIOL_PROTOCOL, "PBA: %u KiB for Rx of %u in all (§2.1)", rx,
			   e->v->packet_buffer_kb);
		return;
	}
	E1000_R(e, off) = rx | (e->v->packet_buffer_kb - rx) << E1000_PBA_TX_SHIFT;
}

/* PME_STATUS is cleared by writing 1 (§2.5). */
static void
wuc_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	uint32_t status = E1000_R(e, off) & ~val & E1000_WUC_PME_STATUS;

	E1000_R(e, off) = (val & (E1000_WUC_APME | E1000_WUC_PME_EN | E1000_WUC_APMPME)) | status;
}

static uint32_t
write_only_read(struct e1000_model *e, uint32_t off)
{
	(void)e;
	(void)off;
	return 0;
}

/* 64-bit counters: the high half read clears both (§2.6). */
static uint64_t *
stat64(struct e1000_model *e, uint32_t off)
{
	switch (off & ~4u) {
	case E1000_GORCL:
		return &e->gorc;
	case E1000_GOTCL & ~4u:
		return &e->gotc;
	case E1000_TORL:
		return &e->tor;
	default:
		return &e->tot;
	}
}

static uint32_t
stat_low_read(struct e1000_model *e, uint32_t off)
{
	return (uint32_t)*stat64(e, off);
}

static uint32_t
stat_high_read(struct e1000_model *e, uint32_t off)
{
	uint64_t *s = stat64(e, off);
	uint32_t high = (uint32_t)(*s >> 32);

	*s = 0;
	return high;
}

/* --- rings --------------------------------------------------------------------------------- */

static struct e1000_ring *
ring_of(struct e1000_model *e, uint32_t off)
{
	unsigned int q = off >> 8 & 1;

	return off < E1000_TDBAL(0) ? &e->rxq[q].ring : &e->txq[q].ring;
}

static bool
ring_enabled(struct e1000_model *e, uint32_t off)
{
	if (off < E1000_TDBAL(0))
		return (E1000_R(e, E1000_RCTL) & E1000_RCTL_EN) != 0;
	return (E1000_R(e, E1000_TCTL) & E1000_TCTL_EN) != 0;
}

/* First use of a ring since its registers changed: can it be one? */
bool
e1000_ring_check(struct e1000_model *e, struct e1000_ring *ring)
{
	const uint32_t *r = ring->r;
	uint32_t count = r[E1000_RING_LEN] / E1000_DESC_SIZE;

	ring->count = 0;
	ring->checked = true;
	if (r[E1000_RING_HEAD] == r[E1000_RING_TAIL] && count == 0)
		return false;
	if (count == 0 || r[E1000_RING_HEAD] >= count) {
		pw_violate(e->m, PW_VIOL_PROTOCOL,
			   "%s ring: head %u, tail %u in a ring of %u descriptors (§5.2)",
			   ring->name, r[E1000_RING_HEAD], r[E1000_RING_TAIL], count);
		return false;
	}
	if ((ring->raw_bal & (E1000_DESC_BASE_ALIGN - 1)) != 0)
		pw_violate(e->m, PW_VIOL_PROTOCOL, "%s ring: base 0x%x is not 16-byte aligned (§6)",
			   ring->name, ring->raw_bal);
	if ((ring->raw_len & (E1000_DESC_LEN_ALIGN - 1)) != 0)
		pw_violate(e->m, PW_VIOL_PROTOCOL,
			   "%s ring: length %u is not a multiple of 128 (§6)", ring->name,
			   ring->raw_len);
	ring->base = E1000_DESC_QW(r[E1000_RING_BAL], r[E1000_RING_BAH]);
	ring->count = count;
	return true;
}

static void
ring_bal_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	struct e1000_ring *ring = ring_of(e, off);

	ring->raw_bal = val;
	ring->checked = false;
	E1000_R(e, off) = val & E1000_RDBAL_MASK;
}

static void
ring_bah_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	ring_of(e, off)->checked = false;
	E1000_R(e, off) = val;
}

static void
ring_len_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	struct e1000_ring *ring = ring_of(e, off);

	ring->raw_len = val;
	ring->checked = false;
	E1000_R(e, off) = val & E1000_RDLEN_MASK;
}

static void
ring_head_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	struct e1000_ring *ring = ring_of(e, off);

	if (ring_enabled(e, off)) {
		/* Linux leaves the receiver of an 82574 on (§5.2), and writes what is there. */
		if (e1000_has(e, E1000_F_82574) && val == E1000_R(e, off))
			return;
		pw_violate(e->m, PW_VIOL_PROTOCOL, "%s head written while enabled (§6)",
			   ring->name);
		return;
	}
	ring->checked = false;
	E1000_R(e, off) = val & E1000_RDH_MASK;
}

static void
ring_tail_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	struct e1000_ring *ring = ring_of(e, off);
	uint32_t *tail = &ring->r[E1000_RING_TAIL];
	uint32_t old = *tail;

	if (pw_fault_take(e->m, PW_FAULT_LOST_DOORBELL))
		return;
	*tail = val & E1000_RDH_MASK;
	if (!ring_enabled(e, off))
		return;
	if (ring->count == 0)
		ring->checked = false;
	if (!e1000_ring_ok(e, ring))
		return;
	if (*tail >= ring->count) {
		pw_violate(e->m, PW_VIOL_PROTOCOL, "%s tail %u in a ring of %u descriptors (§9.4)",
			   ring->name, *tail, ring->count);
		return;
	}
	if (old < ring->count) {
		uint32_t head = ring->r[E1000_RING_HEAD];
		uint32_t had = old >= head ? old - head : old + ring->count - head;
		uint32_t more = *tail >= old ? *tail - old : *tail + ring->count - old;

		if (had + more >= ring->count)
			pw_violate(e->m, PW_VIOL_PROTOCOL,
				   "%s tail %u -> %u passes head %u: equal means empty (§6)",
				   ring->name, old, *tail, head);
	}
}

void
e1000_rdt_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	ring_tail_write(e, off, val);
}

void
e1000_tdt_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	ring_tail_write(e, off, val);
	if (!pw_model_defer(e->m))
		e1000_tx_run(e);
}

/* --- the table ----------------------------------------------------------------------------- */

#define ONE 1, 4
#define ALL E1000_F_ALL
#define OLD E1000_F_PCI
#define NEW E1000_F_PCIE
#define N571 E1000_F_82571
#define N574 E1000_F_82574
#define L540 (E1000_F_540 | NEW)
#define STAT574(name) { #name, E1000_##name, ONE, RC, NEW, 0, 0, NULL, NULL }
#define ALIAS(name, off, count, stride) \
	{ name, off, count, stride, RW, N574, 0, 0, e1000_574_alias_read, e1000_574_alias_write }
#define STAT(name) { #name, E1000_##name, ONE, RC, ALL, 0, 0, NULL, NULL }
#define STAT64(name) \
	{ #name "L", E1000_##name##L, ONE, RO, ALL, 0, 0, stat_low_read, NULL }, \
	{ #name "H", E1000_##name##H, ONE, RO, ALL, 0, 0, stat_high_read, NULL }

static const struct e1000_reg regs[] = {
	/* General (§2.1) */
	{ "CTRL", E1000_CTRL, 2, 4, RW, ALL, 0, 0, ctrl_read, ctrl_write },
	{ "STATUS", E1000_STATUS, ONE, RO, OLD, 0, 0, status_read, NULL },
	{ "STATUS", E1000_STATUS, ONE, RW, NEW, 0, 0, status_read, e1000_574_status_write },
	{ "EECD", E1000_EECD, ONE, RW, E1000_F_MWIRE, 0, 0, e1000_eecd_read, e1000_eecd_write },
	{ "EERD", E1000_EERD, ONE, RW, E1000_F_EERD_S, 0, 0, NULL, e1000_eerd_write },
	{ "EERD", E1000_EERD, ONE, RW, E1000_F_EERD_L, 0, 0, NULL, e1000_574_eerd_write },
	{ "EECD", E1000_EECD, ONE, RW, N571, 0, 0, e1000_571_eecd_read, e1000_571_eecd_write },
	{ "EECD", E1000_EECD, ONE, RW, N574, 0, 0, e1000_574_eecd_read, e1000_574_eecd_write },
	{ "EERD", E1000_EERD, ONE, RW, NEW, 0, 0, NULL, e1000_574_eerd_write },
	{ "EEWR", E1000_EEWR, ONE, RW, N574, 0, E1000_EEWR_DONE, NULL, e1000_574_eewr_write },
	{ "FLA", E1000_FLA, ONE, RW, NEW, ~0u, 0, NULL, NULL },
	{ "CTRL_EXT", E1000_CTRL_EXT, ONE, RW, OLD | N574, 0, 0, NULL, ctrl_ext_write },
	{ "CTRL_EXT", E1000_CTRL_EXT, ONE, RW, N571, 0, E1000_CTRL_EXT_DMA_DYN_CLK_EN, NULL,
	  ctrl_ext_write },
	{ "MDIC", E1000_MDIC, ONE, RW, L540, 0, 0, NULL, e1000_mdic_write },
	{ "SCTL", E1000_SCTL, ONE, RW, N571, 0xffff, 0, NULL, NULL },
	{ "FCAL", E1000_FCAL, ONE, RW, ALL, ~0u, 0, NULL, NULL },
	{ "FCAH", E1000_FCAH, ONE, RW, ALL, 0xffff, 0, NULL, NULL },
	{ "FCT", E1000_FCT, ONE, RW, ALL, 0xffff, 0, NULL, NULL },
	{ "VET", E1000_VET, ONE, RW, ALL, E1000_VET_MASK, 0x8100, NULL, NULL },
	{ "FCTTV", E1000_FCTTV, ONE, RW, ALL, E1000_FCTTV_TTV_MASK, 0, NULL, NULL },
	{ "TXCW", E1000_TXCW, ONE, RW, ALL, 0xc000ffff, 0, NULL, NULL },
	{ "RXCW", E1000_RXCW, ONE, RO, ALL, 0, 0, NULL, NULL },
	{ "TIPG", E1000_TIPG, ONE, RW, OLD, 0x3fffffff, 0, NULL, NULL },
	{ "TIPG", E1000_TIPG, ONE, RW, N571, 0x3fffffff, 0x00702008, NULL, NULL },
	{ "TIPG", E1000_TIPG, ONE, RW, N574, 0x3fffffff, 0x00602008, NULL, NULL },
	{ "AIT", E1000_AIT, ONE, RW, ALL, E1000_AIT_MASK, 0, NULL, NULL },
	{ "LEDCTL", E1000_LEDCTL, ONE, RW, E1000_F_540, 0xefefefef, 0x602, NULL, NULL },
	{ "LEDCTL", E1000_LEDCTL, ONE, RW, NEW, ~0u, 0x00068302, NULL, NULL },
	{ "EXTCNF_CTRL", E1000_EXTCNF_CTRL, ONE, RW | NO_RST, N574, ~0u, 0, NULL, NULL },
	{ "POEMB", E1000_POEMB, ONE, RW, N574, 0xffff, 0x30d, NULL, NULL },
	{ "PBA", E1000_PBA, ONE, RW | NO_RST, ALL, 0, 0, NULL, pba_write },

	{ "PBS", E1000_PBS, ONE, RW, N574, 0xffff, 0x28, NULL, NULL },
	{ "EEMNGCTL", E1000_EEMNGCTL, ONE, RW, N574, 0x7fffffff, 0x80000000, NULL, NULL },
	{ "EEMNGCTL", E1000_EEMNGCTL, ONE, RW, N571, 0x7ff3ffff, 0x80000000,
	  e1000_571_eemngctl_read, NULL },

	/* Interrupts (§2.2) */
	{ "ICR", E1000_ICR, ONE, RW, OLD, 0, 0, e1000_icr_read, e1000_icr_write },
	{ "ICR", E1000_ICR, ONE, RW, N571, 0, 0, e1000_571_icr_read, e1000_571_icr_write },
	{ "ICR", E1000_ICR, ONE, RW, N574, 0, 0, e1000_574_icr_read, e1000_574_icr_write },
	{ "ITR", E1000_ITR, ONE, RW, E1000_F_540 | N571, E1000_ITR_MASK, 0, NULL, NULL },
	{ "ITR", E1000_ITR, ONE, RW, N574, E1000_ITR_MASK, 500, NULL, NULL },
	{ "ICS", E1000_ICS, ONE, RW, OLD, 0, 0, e1000_ics_read, e1000_ics_write },
	{ "ICS", E1000_ICS, ONE, RW, NEW, 0, 0, e1000_574_ics_read, e1000_574_ics_write },
	{ "IMS", E1000_IMS, ONE, RW, OLD, 0, 0, NULL, e1000_ims_write },
	{ "IMS", E1000_IMS, ONE, RW, NEW, 0, 0, NULL, e1000_574_ims_write },
	{ "EIAC", E1000_EIAC, ONE, RW, N574, E1000_EIAC_MASK, 0, NULL, NULL },
	{ "IAM", E1000_IAM, ONE, RW, NEW, ~0u, 0, NULL, NULL },
	{ "IVAR", E1000_IVAR, ONE, RW, N574, 0x800fffff, 0, NULL, NULL },
	{ "EITR", E1000_EITR(0), E1000_EITR_NUM, 4, RW, N574, E1000_EITR_MASK, 500, NULL, NULL },
	{ "IMC", E1000_IMC, ONE, RW, ALL, 0, 0, write_only_read, e1000_imc_write },

	/* Receive (§2.3) */
	{ "RCTL", E1000_RCTL, ONE, RW, ALL, 0, 0, NULL, e1000_rctl_write },
	{ "FCRTL", E1000_FCRTL, ONE, RW, ALL, 0x8000fff8, 0, NULL, NULL },
	{ "FCRTH", E1000_FCRTH, ONE, RW, ALL, 0x8000fff8, 0, NULL, NULL },
	{ "RDFH", E1000_RDFH, ONE, RW, ALL, E1000_DFIFO_MASK, 0, NULL, NULL },
	{ "RDFT", E1000_RDFT, ONE, RW, ALL, E1000_DFIFO_MASK, 0, NULL, NULL },
	{ "RDFHS", E1000_RDFHS, ONE, RW, ALL, E1000_DFIFO_MASK, 0, NULL, NULL },
	{ "RDFTS", E1000_RDFTS, ONE, RW, ALL, E1000_DFIFO_MASK, 0, NULL, NULL },
	{ "RDFPC", E1000_RDFPC, ONE, RW, ALL, E1000_DFIFO_MASK, 0, NULL, NULL },
	{ "RDBAL", E1000_RDBAL(0), ONE, RW, ALL, 0, 0, NULL, ring_bal_write },
	{ "RDBAH", E1000_RDBAH(0), ONE, RW, ALL, 0, 0, NULL, ring_bah_write },
	{ "RDLEN", E1000_RDLEN(0), ONE, RW, ALL, 0, 0, NULL, ring_len_write },
	{ "RDH", E1000_RDH(0), ONE, RW, ALL, 0, 0, NULL, ring_head_write },
	{ "RDT", E1000_RDT(0), ONE, RW, ALL, 0, 0, NULL, e1000_rdt_write },
	{ "RDTR", E1000_RDTR, ONE, RW, ALL, E1000_RDTR_DELAY_MASK, 0, NULL, e1000_rdtr_write },
	{ "RXDCTL", E1000_RXDCTL(0), ONE, RW, ALL, XDCTL_RW, 0x10000, NULL, NULL },
	{ "RDBAL1", E1000_RDBAL(1), ONE, RW, NEW, 0, 0, NULL, ring_bal_write },
	{ "RDBAH1", E1000_RDBAH(1), ONE, RW, NEW, 0, 0, NULL, ring_bah_write },
	{ "RDLEN1", E1000_RDLEN(1), ONE, RW, NEW, 0, 0, NULL, ring_len_write },
	{ "RDH1", E1000_RDH(1), ONE, RW, NEW, 0, 0, NULL, ring_head_write },
	{ "RDT1", E1000_RDT(1), ONE, RW, NEW, 0, 0, NULL, e1000_rdt_write },
	{ "RXDCTL1", E1000_RXDCTL(1), ONE, RW, NEW, XDCTL_RW, 0x10000, NULL, NULL },
	{ "PSRCTL", E1000_PSRCTL, ONE, RW, NEW, 0x3f3f3f7f, 0x00040402, NULL, NULL },
	{ "FCRTV", E1000_FCRTV, ONE, RW, NEW, 0xffff, 0, NULL, NULL },
	{ "RAID", E1000_RAID, ONE, RW, NEW, 0xffff, 0, NULL, NULL },
	{ "RFCTL", E1000_RFCTL, ONE, RW, NEW, ~0u, 0, NULL, NULL },
	{ "MRQC", E1000_MRQC, ONE, RW, NEW, ~0u, 0, NULL, NULL },
	{ "RETA", E1000_RETA(0), E1000_RETA_NUM, 4, RW, NEW, ~0u, 0, NULL, NULL },
	{ "RSSRK", E1000_RSSRK(0), E1000_RSSRK_NUM, 4, RW, NEW, ~0u, 0, NULL, NULL },
	{ "RADV", E1000_RADV, ONE, RW, L540, E1000_RADV_DELAY_MASK, 0, NULL, NULL },
	{ "RSRPD", E1000_RSRPD, ONE, RW, ALL, E1000_RSRPD_SIZE_MASK, 0, NULL, NULL },
	{ "RXCSUM", E1000_RXCSUM, ONE, RW, OLD, 0x3ff, 0, NULL, NULL },
	{ "RXCSUM", E1000_RXCSUM, ONE, RW, NEW, 0x33ff, 0x300, NULL, NULL },
	{ "MTA", E1000_MTA(0), E1000_MTA_NUM, 4, RW, ALL, ~0u, 0, NULL, NULL },
	{ "RAL", E1000_RAL(0), E1000_RAR_NUM, 8, RW, ALL, ~0u, 0, NULL, NULL },
	{ "RAH", E1000_RAH(0), E1000_RAR_NUM, 8, RW, ALL, 0x8003ffff, 0, NULL, NULL },
	{ "VFTA", E1000_VFTA(0), E1000_VFTA_NUM, 4, RW, ALL, ~0u, 0, NULL, NULL },

	/* Transmit (§2.4) */
	{ "TCTL", E1000_TCTL, ONE, RW, OLD | N574, 0, 0, NULL, e1000_tctl_write },
	{ "TCTL", E1000_TCTL, ONE, RW, N571, 0, E1000_TCTL_MULR, NULL, e1000_tctl_write },
	{ "TDFx", E1000_TDFH, 4, 8, RW, OLD | N571, E1000_DFIFO_MASK, 0, NULL, NULL },
	{ "TDFx", E1000_TDFH, 4, 8, RW, N574, E1000_DFIFO_MASK, 0x600, NULL, NULL },
	{ "TDFPC", E1000_TDFPC, ONE, RW, ALL, E1000_DFIFO_MASK, 0, NULL, NULL },
	{ "TDFx", E1000_TDFH, 5, 8, RW, E1000_F_FIFO, 0, 0, e1000_fifo_read, e1000_fifo_write },
	{ "TDBAL", E1000_TDBAL(0), ONE, RW, ALL, 0, 0, NULL, ring_bal_write },
	{ "TDBAH", E1000_TDBAH(0), ONE, RW, ALL, 0, 0, NULL, ring_bah_write },
	{ "TDLEN", E1000_TDLEN(0), ONE, RW, ALL, 0, 0, NULL, ring_len_write },
	{ "TDH", E1000_TDH(0), ONE, RW, ALL, 0, 0, NULL, ring_head_write },
	{ "TDT", E1000_TDT(0), ONE, RW, ALL, 0, 0, NULL, e1000_tdt_write },
	{ "TIDV", E1000_TIDV, ONE, RW, ALL, E1000_TIDV_DELAY_MASK, 0, NULL, e1000_tidv_write },
	{ "TXDCTL", E1000_TXDCTL(0), ONE, RW, OLD,
	  XDCTL_RW | E1000_TXDCTL_LWTHRESH_MASK, 0, NULL, NULL },
	{ "TXDCTL", E1000_TXDCTL(0), 2, E1000_TXQ_STRIDE, RW, NEW,
	  XDCTL_RW | E1000_TXDCTL_COUNT_DESC | E1000_TXDCTL_LWTHRESH_MASK, 0, NULL, NULL },
	{ "TDBAL1", E1000_TDBAL(1), ONE, RW, NEW, 0, 0, NULL, ring_bal_write },
	{ "TDBAH1", E1000_TDBAH(1), ONE, RW, NEW, 0, 0, NULL, ring_bah_write },
	{ "TDLEN1", E1000_TDLEN(1), ONE, RW, NEW, 0, 0, NULL, ring_len_write },
	{ "TDH1", E1000_TDH(1), ONE, RW, NEW, 0, 0, NULL, ring_head_write },
	{ "TDT1", E1000_TDT(1), ONE, RW, NEW, 0, 0, NULL, e1000_tdt_write },
	{ "TARC", E1000_TARC(0), 2, E1000_TXQ_STRIDE, RW, NEW, ~0u, 0x403, NULL, NULL },
	{ "TADV", E1000_TADV, ONE, RW, L540, E1000_TADV_DELAY_MASK, 0, NULL, NULL },
	{ "TSPMT", E1000_TSPMT, ONE, RW, ALL, ~0u, 0, NULL, NULL },

	/* Wake-up and management (§2.5) */
	{ "WUC", E1000_WUC, ONE, RW | NO_RST, ALL, 0, 0, NULL, wuc_write },
	{ "WUFC", E1000_WUFC, ONE, RW | NO_RST, ALL, ~0u, 0, NULL, NULL },
	{ "WUS", E1000_WUS, ONE, W1C | NO_RST, ALL, ~0u, 0, NULL, NULL },
	{ "IPAV", E1000_IPAV, ONE, RW, ALL, ~0u, 0, NULL, NULL },
	{ "IP4AT", E1000_IP4AT(0), 4, 8, RW, ALL, ~0u, 0, NULL, NULL },
	{ "IP6AT", E1000_IP6AT(0), 4, 4, RW, ALL, ~0u, 0, NULL, NULL },
	{ "WUPL", E1000_WUPL, ONE, RO, ALL, 0, 0, NULL, NULL },
	{ "WUPM", E1000_WUPM(0), 32, 4, RO, ALL, 0, 0, NULL, NULL },
	{ "FFLT", E1000_FFLT(0), 4, 8, RW, ALL, ~0u, 0, NULL, NULL },
	{ "FFMT", E1000_FFMT(0), 128, 8, RW, ALL, ~0u, 0, NULL, NULL },
	{ "FFVT", E1000_FFVT(0), 128, 8, RW, ALL, ~0u, 0, NULL, NULL },
	{ "MANC", E1000_MANC, ONE, RW, ALL, ~0u, 0, NULL, NULL },
	{ "MANC2H", E1000_MANC2H, ONE, RW, NEW, ~0u, 0, NULL, NULL },
	{ "HICR", E1000_HICR, ONE, RO, NEW, 0, 0, NULL, NULL },

	/* PCI Express and semaphores (§2.5) */
	{ "GCR", E1000_GCR, ONE, RW, NEW, ~0u, 0, NULL, NULL },
	{ "GCR2", E1000_GCR2, ONE, RW, N574, ~0u, 0, NULL, NULL },
	{ "FACTPS", E1000_FACTPS, ONE, RO, NEW, 0, E1000_FACTPS_MNGCG, NULL, NULL },
	{ "SWSM", E1000_SWSM, ONE, RW | NO_RST, NEW,
	  E1000_SWSM_SMBI | E1000_SWSM_SWESMBI | E1000_SWSM_DRV_LOAD, 0, e1000_574_swsm_read,
	  NULL },
	{ "SWSM2", E1000_SWSM2, ONE, RW | NO_RST, N571, E1000_SWSM2_LOCK, 0, NULL, NULL },
	{ "FWSM", E1000_FWSM, ONE, RO, NEW, 0, 0, NULL, NULL },
	{ "PBACLR", E1000_PBACLR, ONE, RW, N574, 0, 0, NULL, e1000_574_pbaclr_write },

	/* IEEE 1588 (§2.7) */
	{ "SYSTIML", E1000_SYSTIML, 2, 4, RW, N574, 0, 0, e1000_574_systim_read,
	  e1000_574_systim_write },
	{ "TIMINCA", E1000_TIMINCA, ONE, RW, N574, 0, 0, NULL, e1000_574_timinca_write },
	{ "TIMADJL", E1000_TIMADJL, ONE, RW, N574, ~0u, 0, NULL, NULL },
	{ "TIMADJH", E1000_TIMADJH, ONE, RW, N574, 0, 0, NULL, e1000_574_timadjh_write },
	{ "TSYNCTXCTL", E1000_TSYNCTXCTL, ONE, RW, N574, E1000_TSYNCTXCTL_EN, 0, NULL, NULL },
	{ "TXSTMPL", E1000_TXSTMPL, ONE, RO, N574, 0, 0, NULL, NULL },
	{ "TXSTMPH", E1000_TXSTMPH, ONE, RO, N574, 0, 0, e1000_574_stamp_read, NULL },
	{ "TSYNCRXCTL", E1000_TSYNCRXCTL, ONE, RW, N574, 0x3e, 0, NULL, NULL },
	{ "RXSTMPL", E1000_RXSTMPL, ONE, RO, N574, 0, 0, NULL, NULL },
	{ "RXSTMPH", E1000_RXSTMPH, ONE, RO, N574, 0, 0, e1000_574_stamp_read, NULL },
	{ "RXSATRL", E1000_RXSATRL, 2, 4, RO, N574, 0, 0, NULL, NULL },
	{ "RXMTRL", E1000_RXMTRL, ONE, RW, N574, ~0u, E1000_RXMTRL_ETYPE, NULL, NULL },
	{ "RXUDP", E1000_RXUDP, ONE, RW, N574, 0xffff, E1000_RXUDP_PORT, NULL, NULL },

	/* Old places of registers (§2.4) */
	ALIAS("RA", E1000_RAL_ALIAS(0), 2 * E1000_RAR_NUM, 4),
	ALIAS("RDTR", E1000_RDTR_ALIAS, 1, 4),
	ALIAS("RDBAL", E1000_RDBAL_ALIAS, 3, 4),
	ALIAS("RDH", E1000_RDH_ALIAS, 2, 8),
	ALIAS("FCRTH", E1000_FCRTH_ALIAS, 2, 8),
	ALIAS("TDBAL", E1000_TDBAL_ALIAS, 3, 4),
	ALIAS("TDH", E1000_TDH_ALIAS, 3, 8),
	ALIAS("VFTA", E1000_VFTA_ALIAS(0), E1000_VFTA_NUM, 4),
	ALIAS("RDFH", E1000_RDFH_ALIAS, 4, 8),

	/* Statistics (§2.6) */
	STAT(CRCERRS), STAT(ALGNERRC), STAT(SYMERRS), STAT(RXERRC), STAT(MPC), STAT(SCC),
	STAT(ECOL), STAT(MCC), STAT(LATECOL), STAT(COLC), STAT(DC), STAT(TNCRS), STAT(SEC),
	STAT(CEXTERR), STAT(RLEC), STAT(XONRXC), STAT(XONTXC), STAT(XOFFRXC), STAT(XOFFTXC),
	STAT(FCRUC), STAT(PRC64), STAT(PRC127), STAT(PRC255), STAT(PRC511), STAT(PRC1023),
	STAT(PRC1522), STAT(GPRC), STAT(BPRC), STAT(MPRC), STAT(GPTC), STAT64(GORC),
	STAT64(GOTC), STAT(RNBC), STAT(RUC), STAT(RFC), STAT(ROC), STAT(RJC), STAT(MGTPRC),
	STAT(MGTPDC), STAT(MGTPTC), STAT64(TOR), STAT64(TOT), STAT(TPR), STAT(TPT), STAT(PTC64),
	STAT(PTC127), STAT(PTC255), STAT(PTC511), STAT(PTC1023), STAT(PTC1522), STAT(MPTC),
	STAT(BPTC), STAT(TSCTC), STAT(TSCTFC),
	STAT574(IAC), STAT574(ICRXPTC), STAT574(ICRXATC), STAT574(ICTXPTC), STAT574(ICTXATC),
	STAT574(ICTXQEC), STAT574(ICTXQMTC), STAT574(ICRXDMTC), STAT574(ICRXOC),

	/* Packet buffer memory, for diagnostics (§7.0) */
	{ "PBM", 0x10000, 0x4000, 4, RW | NO_RST, E1000_F_PCI, ~0u, 0, NULL, NULL },
	{ "PBM", 0x10000, 0x3000, 4, RW | NO_RST, N571, ~0u, 0, NULL, NULL },
	{ "PBM", 0x10000, 0x2800, 4, RW | NO_RST, N574, ~0u, 0, NULL, NULL },
};

#define NB_REGS (sizeof(regs) / sizeof(regs[0]))

int
e1000_regs_init(struct e1000_model *e)
{
	unsigned int i, k;

	e->reg = calloc(E1000_REG_BAR_SIZE / 4, sizeof(e->reg[0]));
	e->map = calloc(E1000_REG_BAR_SIZE / 4, sizeof(e->map[0]));
	if (e->reg == NULL || e->map == NULL) {
		free(e->reg);
		free(e->map);
		return -ENOMEM;
	}
	for (i = 0; i < NB_REGS; i++) {
		if (!e1000_has(e, regs[i].features))
			continue;
		for (k = 0; k < regs[i].count; k++)
			e->map[(regs[i].off + k * regs[i].stride) >> 2] = (uint16_t)(i + 1);
	}
	for (i = 0; i < E1000_QUEUES; i++) {
		e->rxq[i].ring.r = &E1000_R(e, E1000_RDBAL(i));
		e->rxq[i].ring.name = "Rx";
		e->txq[i].ring.r = &E1000_R(e, E1000_TDBAL(i));
		e->txq[i].ring.name = "Tx";
	}
	return 0;
}

/* CTRL.RST: all but what only power-on and RST# reset. */
void
e1000_regs_reset(struct e1000_model *e)
{
	unsigned int i, k;

	for (i = 0; i < NB_REGS; i++) {
		if ((regs[i].mode & NO_RST) != 0 || !e1000_has(e, regs[i].features))
			continue;
		for (k = 0; k < regs[i].count; k++)
			E1000_R(e, regs[i].off + k * regs[i].stride) = regs[i].reset;
	}
	for (i = 0; i < E1000_QUEUES; i++) {
		e->rxq[i].ring.checked = false;
		e->txq[i].ring.checked = false;
	}
	e->gorc = e->gotc = e->tor = e->tot = 0;
}

/* --- access -------------------------------------------------------------------------------- */

static const struct e1000_reg *
reg_at(struct e1000_model *e, uint32_t off, unsigned int width, const char *dir)
{
	unsigned int row = e->map[off >> 2];

	if (PW_UNLIKELY(width != 4))
		pw_violate(e->m, PW_VIOL_REG_WIDTH, "%s 0x%05x: %u bytes instead of 4 (§2)", dir,
			   off, width);
	if (PW_UNLIKELY(row == 0)) {
		pw_violate(e->m, PW_VIOL_REG_UNDEFINED, "%s 0x%05x: no such register (§2)", dir,
			   off);
		return NULL;
	}
	return &regs[row - 1];
}

uint32_t
e1000_reg_read(struct e1000_model *e, uint32_t off, unsigned int width)
{
	const struct e1000_reg *reg = reg_at(e, off, width, "read of");
	uint32_t at = off & ~3u;
	uint32_t val;

	if (reg == NULL)
		return 0;
	if (reg->read != NULL)
		val = reg->read(e, at);
	else
		val = E1000_R(e, at);
	if ((reg->mode & MODE_MASK) == RC)
		E1000_R(e, at) = 0;
	return width == 4 ? val : val >> 8 * (off & 3) & pw_ones(width);
}

void
e1000_reg_write(struct e1000_model *e, uint32_t off, uint32_t val, unsigned int width)
{
	const struct e1000_reg *reg = reg_at(e, off, width, "write of");

	if (reg == NULL || width != 4)
		return;
	if (reg->write != NULL) {
		reg->write(e, off, val);
		return;
	}
	switch (reg->mode & MODE_MASK) {
	case RW:
		E1000_R(e, off) = (E1000_R(e, off) & ~reg->mask) | (val & reg->mask);
		break;
	case W1C:
		E1000_R(e, off) &= ~(val & reg->mask);
		break;
	default:
		pw_violate(e->m, PW_VIOL_REG_READONLY, "write of %s (0x%05x): read-only (§2)",
			   reg->name, off);
	}
}
