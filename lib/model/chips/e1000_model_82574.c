/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * What PCI Express parts have that is neither descriptors nor interrupts: EERD (§4.1),
 * semaphores, BARs for the flash and MSI-X; and of the 82574L alone: an NVM that only EERD and
 * EEWR reach, the pages of the BM PHY (§4.2), registers at the places where older parts have
 * them. The NVM is an SPI EEPROM of 64 words; there is no flash, so that its BAR reads as ones.
 */

#include <errno.h>
#include <stdlib.h>

#include "e1000_model.h"

#define EERD_NS 30000		/* tens of microseconds (§4.1) */
#define EEWR_NS 5000000		/* an SPI part writes a page in at most 5 ms */
#define EECD_PINS (E1000_EECD_SK | E1000_EECD_CS | E1000_EECD_DI)
#define EECD_RW (EECD_PINS | E1000_EECD_FWE_MASK | E1000_EECD_REQ | E1000_EECD_AUPDEN)
#define EXTCNF_CTRL_POWER_ON 0x8u
#define BM_PHYREG_IGP_PAGE 31	/* of no page, as 22 */

int
e1000_574_init(struct e1000_model *e)
{
	e->x = calloc(1, sizeof(*e->x));
	return e->x == NULL ? -ENOMEM : 0;
}

/* What CTRL.RST leaves alone. */
void
e1000_574_power_on(struct e1000_model *e)
{
	if (e1000_has(e, E1000_F_82571)) {
		e1000_571_power_on(e);
		return;
	}
	E1000_R(e, E1000_EXTCNF_CTRL) = EXTCNF_CTRL_POWER_ON;
	E1000_R(e, E1000_SWSM) = 0;
}

void
e1000_574_reset(struct e1000_model *e)
{
	struct e1000_82574 *x = e->x;

	memset(&x->ctx, 0, sizeof(x->ctx));
	x->told = 0;
	memset(x->eitr_next, 0, sizeof(x->eitr_next));
	x->systim = 0;
	x->systim_at = pw_now(e->m);
	x->systim_latch = 0;
	if (e1000_has(e, E1000_F_82571))
		e1000_571_reset(e);
}

/* --- STATUS -------------------------------------------------------------------------------- */

uint32_t
e1000_574_status(const struct e1000_model *e)
{
	uint32_t val = E1000_STATUS_LAN_INIT_DONE;

	if (e->x->phyra)
		val |= E1000_STATUS_PHYRA;
	/* Requests end at once, so that nothing is outstanding (§9.2). */
	if ((E1000_R(e, E1000_CTRL) & E1000_CTRL_GIO_DISABLE) == 0)
		val |= E1000_STATUS_GIO_ENABLE;
	return val;
}

/* PHYRA is cleared by writing 0; all else is read-only, and written on purpose (§2.1). */
void
e1000_574_status_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	(void)off;
	if ((val & E1000_STATUS_PHYRA) == 0)
		e->x->phyra = false;
}

/* --- NVM ----------------------------------------------------------------------------------- */

uint32_t
e1000_574_eecd_read(struct e1000_model *e, uint32_t off)
{
	uint32_t val = E1000_R(e, off) & EECD_RW;

	if ((val & E1000_EECD_REQ) != 0)
		val |= E1000_EECD_GNT;
	if (e->m->fault[PW_FAULT_EEPROM_SILENT] == 0)
		val |= E1000_EECD_PRES;
	/* Without an NVM the chip goes on with what it was made with. */
	return val | E1000_EECD_AUTO_RD;
}

void
e1000_574_eecd_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	if (((E1000_R(e, off) ^ val) & (E1000_EECD_SK | E1000_EECD_DI)) != 0)
		pw_violate(e->m, PW_VIOL_PROTOCOL,
			   "EECD pins moved: the way to this NVM is EERD and EEWR (§4.1)");
	E1000_R(e, off) = val & EECD_RW;
}

void
e1000_574_eerd_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	if (pw_timer_armed(e->m, E1000_T_EERD)) {
		pw_violate(e->m, PW_VIOL_PROTOCOL, "EERD written before DONE (§9.2)");
		return;
	}
	/* Whoever was granted the pins has the part to himself (§4.1). */
	if (e1000_has(e, E1000_F_82571) && (E1000_R(e, E1000_EECD) & E1000_EECD_REQ) != 0)
		pw_violate(e->m, PW_VIOL_PROTOCOL, "EERD written with EECD.REQ set (§5.1)");
	E1000_R(e, off) = val & E1000_EERD_LARGE_ADDR_MASK;
	if ((val & E1000_EERD_START) != 0 && e->m->fault[PW_FAULT_EEPROM_SILENT] == 0)
		pw_timer_set(e->m, E1000_T_EERD, pw_now(e->m) + EERD_NS);
}

void
e1000_574_eewr_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	if (pw_timer_armed(e->m, E1000_T_EEWR)) {
		pw_violate(e->m, PW_VIOL_PROTOCOL, "EEWR written before DONE (§9.2)");
		return;
	}
	E1000_R(e, off) = val & ~(E1000_EEWR_START | E1000_EEWR_DONE);
	if ((val & E1000_EEWR_START) != 0 && e->m->fault[PW_FAULT_EEPROM_SILENT] == 0)
		pw_timer_set(e->m, E1000_T_EEWR, pw_now(e->m) + EEWR_NS);
}

void
e1000_574_eewr_done(struct e1000_model *e)
{
	uint32_t eewr = E1000_R(e, E1000_EEWR);
	uint32_t addr = (eewr & E1000_EERD_LARGE_ADDR_MASK) >> E1000_EEWR_ADDR_SHIFT;

	if (addr < E1000_NVM_WORDS)
		e->nvm[addr] = (uint16_t)(eewr >> E1000_EEWR_DATA_SHIFT);
	E1000_R(e, E1000_EEWR) = eewr | E1000_EEWR_DONE;
}

/* --- semaphores ---------------------------------------------------------------------------- */

/* Who reads SMBI as 0 has it: reading sets it (§2.5). */
uint32_t
e1000_574_swsm_read(struct e1000_model *e, uint32_t off)
{
	uint32_t val = E1000_R(e, off);

	E1000_R(e, off) = val | E1000_SWSM_SMBI;
	return val;
}

/* --- PHY pages ----------------------------------------------------------------------------- */

/* Where a register of another page than 0 is kept; NULL: it is none. */
uint16_t *
e1000_574_phy_page(struct e1000_model *e, unsigned int reg)
{
	unsigned int page = e->phy.reg[E1000_BM_PAGE];

	if (!e1000_has(e, E1000_F_82574) || page == 0 || reg < E1000_BM_PAGED ||
	    reg == E1000_BM_PAGE || reg == BM_PHYREG_IGP_PAGE)
		return NULL;
	return &e->x->bm[page % E1000_BM_PAGES][reg - E1000_BM_PAGED];
}

/* --- registers at their old places (§2.4) -------------------------------------------------- */

static uint32_t
alias_of(uint32_t off)
{
	static const struct {
		uint32_t first, last, to;
	} t[] = {
		{ E1000_RAL_ALIAS(0), E1000_RAH_ALIAS(E1000_RAR_NUM - 1), E1000_RAL(0) },
		{ E1000_RDTR_ALIAS, E1000_RDTR_ALIAS, E1000_RDTR },
		{ E1000_RDBAL_ALIAS, E1000_RDLEN_ALIAS, E1000_RDBAL(0) },
		{ E1000_RDH_ALIAS, E1000_RDT_ALIAS, E1000_RDH(0) },
		{ E1000_FCRTH_ALIAS, E1000_FCRTH_ALIAS, E1000_FCRTH },
		{ E1000_FCRTL_ALIAS, E1000_FCRTL_ALIAS, E1000_FCRTL },
		{ E1000_TDBAL_ALIAS, E1000_TDLEN_ALIAS, E1000_TDBAL(0) },
		{ E1000_TDH_ALIAS, E1000_TIDV_ALIAS, E1000_TDH(0) },
		{ E1000_VFTA_ALIAS(0), E1000_VFTA_ALIAS(E1000_VFTA_NUM - 1), E1000_VFTA(0) },
		{ E1000_RDFH_ALIAS, E1000_RDFT_ALIAS, E1000_RDFH },
		{ E1000_TDFH_ALIAS, E1000_TDFT_ALIAS, E1000_TDFH },
	};
	unsigned int i = 0;

	/* Only what the register table calls an alias comes here. */
	while (off < t[i].first || off > t[i].last)
		i++;
	return t[i].to + (off - t[i].first);
}

uint32_t
e1000_574_alias_read(struct e1000_model *e, uint32_t off)
{
	return e1000_reg_read(e, alias_of(off), 4);
}

void
e1000_574_alias_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	e1000_reg_write(e, alias_of(off), val, 4);
}

/* --- the other BARs ------------------------------------------------------------------------ */

uint32_t
e1000_574_bar_read(struct e1000_model *e, unsigned int bar, uint32_t off, unsigned int width)
{
	if (bar == E1000_MSIX_BAR)
		return pw_msix_read(e->m, off, width);
	return pw_ones(width);
}

void
e1000_574_bar_write(struct e1000_model *e, unsigned int bar, uint32_t off, uint32_t val,
		    unsigned int width)
{
	if (bar == E1000_MSIX_BAR)
		pw_msix_write(e->m, off, val, width);
	else
		pw_violate(e->m, PW_VIOL_PROTOCOL, "write to the flash at 0x%x: there is none",
			   off);
}
