/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The EEPROM: a microwire part with 64 or 256 words on four pins of register 0Eh (§4.1). Bits
 * go in and out on the rising edge of SK while CS is high. A read puts out one zero right after
 * the last address bit, before D15, by which software learns how many address bits there are.
 */

#include "i8255x_model.h"

#define MW_OP_BITS 2		/* after the start bit */
#define MW_WORD_BITS 16
#define MW_WRITE_NS 2000000	/* 93C46: a write takes about 2 ms */

#define PINS (I8255X_EEPROM_SK | I8255X_EEPROM_CS | I8255X_EEPROM_DI)

/* Opcode, and for 00 the top two address bits */
enum { MW_OP_EXT, MW_OP_WRITE, MW_OP_READ, MW_OP_ERASE };
enum { MW_EXT_EWDS, MW_EXT_WRAL, MW_EXT_ERAL, MW_EXT_EWEN };

static unsigned int
nb_words(const struct i8255x_model *x)
{
	return 1u << x->v->nvm_bits;
}

void
i8255x_eeprom_init(struct i8255x_model *x)
{
	const uint8_t *mac = x->m->mac;
	unsigned int last = nb_words(x) - 1, i;
	uint16_t sum = 0;

	memset(x->nvm, 0xff, sizeof(x->nvm));
	memcpy(x->nvm, x->v->nvm, sizeof(x->v->nvm));
	for (i = 0; i < 3; i++)
		x->nvm[I8255X_NVM_MAC + i] = (uint16_t)(mac[2 * i] | mac[2 * i + 1] << 8);
	for (i = 0; i < last; i++)
		sum = (uint16_t)(sum + x->nvm[i]);
	x->nvm[last] = (uint16_t)(I8255X_NVM_SUM - sum);
}

uint16_t
i8255x_nvm_word(const struct i8255x_model *x, unsigned int addr)
{
	const uint32_t *fault = x->m->fault;
	unsigned int last = nb_words(x) - 1, i;
	uint16_t word;

	if (fault[PW_FAULT_EEPROM_SILENT] != 0 || addr > last)
		return 0xffff;
	word = x->nvm[addr];
	if (fault[PW_FAULT_EEPROM_ZERO_MAC] != 0) {
		if (addr < I8255X_NVM_MAC + 3)
			word = 0;
		for (i = 0; i < 3 && addr == last; i++)
			word = (uint16_t)(word + x->nvm[I8255X_NVM_MAC + i]);
	}
	if (fault[PW_FAULT_EEPROM_CORRUPT] != 0 && addr == last)
		word ^= 0x0100;
	return word;
}

void
i8255x_nvm_reset(struct i8255x_model *x)
{
	bool writable = x->mw.writable;
	uint64_t busy_until = x->mw.busy_until;
	unsigned int i;

	/* The part itself is not reset: what was written goes on, EWEN stays (§4.1). */
	memset(&x->mw, 0, sizeof(x->mw));
	x->mw.writable = writable;
	x->mw.busy_until = busy_until;
	if (!i8255x_has(x, I8255X_F_558) || x->m->fault[PW_FAULT_EEPROM_SILENT] != 0)
		return;
	for (i = 0; i < 3; i++) {
		uint16_t word = i8255x_nvm_word(x, I8255X_NVM_MAC + i);

		x->ia[2 * i] = (uint8_t)word;
		x->ia[2 * i + 1] = (uint8_t)(word >> 8);
	}
}

/* --- microwire ----------------------------------------------------------------------------- */

/* All of opcode and address are in. */
static void
mw_command(struct i8255x_model *x)
{
	struct i8255x_mwire *mw = &x->mw;
	uint8_t bits = x->v->nvm_bits;

	mw->addr = mw->shift & (nb_words(x) - 1);
	switch (mw->shift >> bits & 3) {
	case MW_OP_READ:
		mw->out = i8255x_nvm_word(x, mw->addr);
		mw->nb_out = MW_WORD_BITS;
		mw->reading = true;
		mw->dout = false;
		break;
	case MW_OP_EXT:
		/* ERAL and WRAL: no driver uses them, and a card would be lost. */
		if (mw->addr >> (bits - 2) == MW_EXT_EWEN)
			mw->writable = true;
		else if (mw->addr >> (bits - 2) == MW_EXT_EWDS)
			mw->writable = false;
		break;
	case MW_OP_ERASE:
		mw->shift = 0xffff;
		mw->commit = true;
		break;
	}
}

/* A bit of the words that go out, the next word behind the last bit of one (sequential read). */
static void
mw_out(struct i8255x_model *x)
{
	struct i8255x_mwire *mw = &x->mw;

	if (mw->nb_out == 0) {
		mw->addr = (mw->addr + 1) & (nb_words(x) - 1);
		mw->out = i8255x_nvm_word(x, mw->addr);
		mw->nb_out = MW_WORD_BITS;
	}
	mw->dout = (mw->out & 0x8000) != 0;
	mw->out = (uint16_t)(mw->out << 1);
	mw->nb_out--;
}

static void
mw_clock(struct i8255x_model *x, bool di)
{
	struct i8255x_mwire *mw = &x->mw;
	unsigned int command = MW_OP_BITS + x->v->nvm_bits;

	if (mw->reading) {
		mw_out(x);
		return;
	}
	if (!mw->started) {
		mw->started = di && pw_now(x->m) >= mw->busy_until;
		return;
	}
	if (mw->nb_in == command + MW_WORD_BITS)
		return;
	mw->shift = mw->shift << 1 | di;
	mw->nb_in++;
	if (mw->nb_in == command)
		mw_command(x);
	if (mw->nb_in == command + MW_WORD_BITS)
		mw->commit = (mw->shift >> (x->v->nvm_bits + MW_WORD_BITS) & 3) == MW_OP_WRITE;
}

static void
mw_select(struct i8255x_model *x, bool cs)
{
	struct i8255x_mwire *mw = &x->mw;

	if (!cs && mw->commit && mw->writable) {
		x->nvm[mw->addr] = (uint16_t)mw->shift;
		mw->busy_until = pw_now(x->m) + MW_WRITE_NS;
	}
	mw->commit = false;
	mw->started = false;
	mw->reading = false;
	mw->nb_in = 0;
	mw->shift = 0;
}

uint16_t
i8255x_eeprom_read(struct i8255x_model *x)
{
	const struct i8255x_mwire *mw = &x->mw;
	/* Outside a read the pin tells whether the part is ready; nobody drives it: ones. */
	bool dout = mw->reading ? mw->dout : pw_now(x->m) >= mw->busy_until;

	if (dout || x->m->fault[PW_FAULT_EEPROM_SILENT] != 0)
		return mw->pins | I8255X_EEPROM_DO;
	return mw->pins;
}

void
i8255x_eeprom_write(struct i8255x_model *x, uint16_t val)
{
	uint16_t old = x->mw.pins;

	x->mw.pins = val & PINS;
	if (((old ^ val) & I8255X_EEPROM_CS) != 0)
		mw_select(x, (val & I8255X_EEPROM_CS) != 0);
	if ((val & I8255X_EEPROM_CS) != 0 && (val & ~old & I8255X_EEPROM_SK) != 0)
		mw_clock(x, (val & I8255X_EEPROM_DI) != 0);
}
