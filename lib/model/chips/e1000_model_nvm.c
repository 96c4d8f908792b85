/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The EEPROM: a microwire part with 64 words on four pins of EECD, and EERD, which reads a
 * word by itself (§4.1). Bits go in and out on the rising edge of SK while CS is high. A read
 * puts out one zero after the last address bit, before D15.
 */

#include "e1000_model.h"

#define MW_ADDR_BITS E1000_MW_ADDR_BITS_SMALL
#define MW_OP_BITS 2		/* after the start bit */
#define MW_WORD_BITS 16
#define MW_WRITE_NS 2000000	/* 93C46: a write takes about 2 ms */
#define EERD_NS 30000		/* tens of microseconds (§4.1) */

#define EECD_PINS (E1000_EECD_SK | E1000_EECD_CS | E1000_EECD_DI)
#define EECD_RW (EECD_PINS | E1000_EECD_FWE_MASK | E1000_EECD_REQ)

/* Opcode, and for 00 the top two address bits */
enum { MW_OP_EXT, MW_OP_WRITE, MW_OP_READ, MW_OP_ERASE };
enum { MW_EXT_EWDS, MW_EXT_WRAL, MW_EXT_ERAL, MW_EXT_EWEN };

void
e1000_nvm_init(struct e1000_model *e)
{
	const uint8_t *mac = e->m->mac;
	uint16_t sum = 0;
	unsigned int i;

	memcpy(e->nvm, e->v->nvm, sizeof(e->nvm));
	for (i = 0; i < 3; i++)
		e->nvm[E1000_NVM_MAC + i] = (uint16_t)(mac[2 * i] | mac[2 * i + 1] << 8);
	for (i = 0; i < E1000_NVM_CSUM; i++)
		sum = (uint16_t)(sum + e->nvm[i]);
	e->nvm[E1000_NVM_CSUM] = (uint16_t)(E1000_NVM_CSUM_SUM - sum);
}

/* A word as the part gives it out, faults included. False: it does not answer. */
bool
e1000_nvm_read(const struct e1000_model *e, unsigned int addr, uint16_t *word)
{
	const uint32_t *fault = e->m->fault;
	unsigned int i;

	*word = 0xffff;
	if (fault[PW_FAULT_EEPROM_SILENT] != 0)
		return false;
	if (addr >= E1000_NVM_WORDS)
		return true;
	*word = e->nvm[addr];
	if (fault[PW_FAULT_EEPROM_ZERO_MAC] != 0) {
		if (addr < E1000_NVM_MAC + 3)
			*word = 0;
		for (i = 0; i < 3 && addr == E1000_NVM_CSUM; i++)
			*word = (uint16_t)(*word + e->nvm[E1000_NVM_MAC + i]);
	}
	if (fault[PW_FAULT_EEPROM_CORRUPT] != 0 && addr == E1000_NVM_CSUM)
		*word ^= 0x0100;
	return true;
}

/* What reset and EE_RST take from the EEPROM: the station address (§9.2). */
void
e1000_nvm_load(struct e1000_model *e)
{
	uint16_t w[3];
	unsigned int i;

	for (i = 0; i < 3; i++)
		if (!e1000_nvm_read(e, E1000_NVM_MAC + i, &w[i]))
			return;
	E1000_R(e, E1000_RAL(0)) = w[0] | (uint32_t)w[1] << 16;
	E1000_R(e, E1000_RAH(0)) = w[2] | E1000_RAH_AV;
}

/* --- microwire ----------------------------------------------------------------------------- */

static void
mw_ext(struct e1000_mwire *mw)
{
	switch (mw->addr >> (MW_ADDR_BITS - 2)) {
	case MW_EXT_EWEN:
		mw->writable = true;
		break;
	case MW_EXT_EWDS:
		mw->writable = false;
		break;
	default:
		/* ERAL and WRAL: no driver uses them, and a card would be lost. */
		break;
	}
}

/* All of opcode and address are in. */
static void
mw_command(struct e1000_model *e)
{
	struct e1000_mwire *mw = &e->mw;

	mw->addr = mw->shift & ((1u << MW_ADDR_BITS) - 1);
	switch (mw->shift >> MW_ADDR_BITS & 3) {
	case MW_OP_READ:
		e1000_nvm_read(e, mw->addr, &mw->out);
		mw->nb_out = MW_WORD_BITS;
		mw->reading = true;
		mw->dout = false;
		break;
	case MW_OP_EXT:
		mw_ext(mw);
		break;
	case MW_OP_ERASE:
		mw->shift = 0xffff;
		mw->commit = true;
		break;
	}
}

static void
mw_clock(struct e1000_model *e, bool di)
{
	struct e1000_mwire *mw = &e->mw;

	if (mw->reading) {
		mw->dout = (mw->out & 0x8000) != 0 && mw->nb_out > 0;
		mw->out = (uint16_t)(mw->out << 1);
		mw->nb_out -= mw->nb_out > 0;
		return;
	}
	if (!mw->started) {
		mw->started = di && pw_now(e->m) >= mw->busy_until;
		return;
	}
	if (mw->nb_in == MW_OP_BITS + MW_ADDR_BITS + MW_WORD_BITS)
		return;
	mw->shift = mw->shift << 1 | di;
	mw->nb_in++;
	if (mw->nb_in == MW_OP_BITS + MW_ADDR_BITS)
		mw_command(e);
	if (mw->nb_in == MW_OP_BITS + MW_ADDR_BITS + MW_WORD_BITS)
		mw->commit = (mw->shift >> (MW_ADDR_BITS + MW_WORD_BITS) & 3) == MW_OP_WRITE;
}

static void
mw_select(struct e1000_model *e, bool cs)
{
	struct e1000_mwire *mw = &e->mw;

	if (!cs && mw->commit && mw->writable) {
		e->nvm[mw->addr] = (uint16_t)mw->shift;
		mw->busy_until = pw_now(e->m) + MW_WRITE_NS;
	}
	mw->commit = false;
	mw->started = false;
	mw->reading = false;
	mw->nb_in = 0;
	mw->shift = 0;
}

uint32_t
e1000_eecd_read(struct e1000_model *e, uint32_t off)
{
	/* 82541 and 82547 do not tell that there is one (§2.1). */
	uint32_t val = (E1000_R(e, off) & EECD_RW) |
		       (e1000_has(e, E1000_F_IGP) ? 0 : E1000_EECD_PRES);
	const struct e1000_mwire *mw = &e->mw;
	bool dout;

	if ((val & E1000_EECD_REQ) != 0)
		val |= E1000_EECD_GNT;
	/* Outside a read the pin tells whether the part is ready; nobody drives it: ones. */
	dout = mw->reading ? mw->dout : pw_now(e->m) >= mw->busy_until;
	if (dout || e->m->fault[PW_FAULT_EEPROM_SILENT] != 0)
		val |= E1000_EECD_DO;
	return val;
}

void
e1000_eecd_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	uint32_t old = E1000_R(e, off);

	if (((old ^ val) & EECD_PINS) != 0 && (old & E1000_EECD_REQ) == 0 &&
	    e1000_has(e, E1000_F_540)) {
		pw_violate(e->m, PW_VIOL_PROTOCOL, "EECD pins moved without GNT (§4.1)");
		E1000_R(e, off) = (old & EECD_PINS) | (val & EECD_RW & ~EECD_PINS);
		return;
	}
	E1000_R(e, off) = val & EECD_RW;
	if (((old ^ val) & E1000_EECD_CS) != 0)
		mw_select(e, (val & E1000_EECD_CS) != 0);
	if ((val & E1000_EECD_CS) != 0 && (val & ~old & E1000_EECD_SK) != 0)
		mw_clock(e, (val & E1000_EECD_DI) != 0);
}

/* --- EERD ---------------------------------------------------------------------------------- */

void
e1000_eerd_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	if (pw_timer_armed(e->m, E1000_T_EERD)) {
		pw_violate(e->m, PW_VIOL_PROTOCOL, "EERD written before DONE (§9.2)");
		return;
	}
	E1000_R(e, off) = val & E1000_EERD_SMALL_ADDR_MASK;
	if ((val & E1000_EERD_START) != 0 && e->m->fault[PW_FAULT_EEPROM_SILENT] == 0)
		pw_timer_set(e->m, E1000_T_EERD, pw_now(e->m) + EERD_NS);
}

void
e1000_eerd_done(struct e1000_model *e, uint32_t *eerd, uint32_t addr, uint32_t done)
{
	uint16_t word;

	if (e1000_nvm_read(e, addr, &word))
		*eerd |= done | (uint32_t)word << E1000_EERD_DATA_SHIFT;
}
