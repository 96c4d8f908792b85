/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * 93C46, 93C56 and 93C66 in 16-bit organisation, as their data sheets have it: an instruction is
 * a start bit, two bits of opcode and the address, most significant first. The part takes DI on
 * the rising edge of SK and changes DO after it. While selected and not sending it leaves DO open,
 * which reads as 1; a READ answers the last address bit with a dummy 0, then come 16 data bits.
 * After a WRITE, DO shows 0 for busy and 1 for ready while CS is high.
 */

#include <errno.h>
#include <stdbool.h>

#include <rte_common.h>
#include <rte_cycles.h>

#include "pw_eeprom.h"

/* Start bit and opcode, 3 bits. */
#define MW_READ			6
#define MW_WRITE		5
#define MW_CONTROL		4	/* the upper two address bits tell which */
#define MW_CONTROL_EWDS		0
#define MW_CONTROL_EWEN		3

/* Address bits of the parts in 16-bit organisation: 64 and 256 words. */
#define MW_ADDR_BITS_46		6
#define MW_ADDR_BITS_66		8

/* The data sheets say 10 ms at most (Microchip, TWC 6 ms); slow ones get twice that. */
#define MW_WRITE_TIMEOUT_US	20000
#define MW_WRITE_STEP_US	100

#define EERD_STEP_US		5

static uint32_t
pins_get(const struct pw_microwire *mw)
{
	switch (mw->width) {
	case 1:
		return pw_read8(mw->io, mw->reg);
	case 2:
		return pw_read16(mw->io, mw->reg);
	default:
		return pw_read32(mw->io, mw->reg);
	}
}

static void
pins_set(const struct pw_microwire *mw, uint32_t pins)
{
	switch (mw->width) {
	case 1:
		pw_write8(mw->io, mw->reg, (uint8_t)(mw->keep | pins));
		break;
	case 2:
		pw_write16(mw->io, mw->reg, (uint16_t)(mw->keep | pins));
		break;
	default:
		pw_write32(mw->io, mw->reg, mw->keep | pins);
		break;
	}
	/* The write may be posted: reading it back starts the half period at the pins. */
	(void)pins_get(mw);
	rte_delay_us(mw->half_us);
}

static bool
gone(const struct pw_microwire *mw)
{
	return pins_get(mw) == UINT32_MAX >> (32 - 8 * mw->width);
}

static void
select_on(const struct pw_microwire *mw)
{
	pins_set(mw, 0);
	pins_set(mw, mw->cs);
}

static void
select_off(const struct pw_microwire *mw)
{
	pins_set(mw, mw->cs);
	pins_set(mw, 0);
}

/* One clock. @return the level of DO after the rising edge. */
static bool
clock_bit(const struct pw_microwire *mw, bool bit)
{
	uint32_t pins = mw->cs | (bit ? mw->di : 0);
	bool level;

	pins_set(mw, pins);
	pins_set(mw, pins | mw->sk);
	level = (pins_get(mw) & mw->do_) != 0;
	pins_set(mw, pins);
	return level;
}

/* @return the level of DO after the last bit. */
static bool
clock_out(const struct pw_microwire *mw, uint32_t val, unsigned int bits)
{
	bool level = true;

	while (bits-- > 0)
		level = clock_bit(mw, (val >> bits & 1) != 0);
	return level;
}

static uint16_t
clock_in(const struct pw_microwire *mw)
{
	uint16_t val = 0;

	for (unsigned int i = 0; i < 16; i++)
		val = (uint16_t)(val << 1 | clock_bit(mw, false));
	return val;
}

int
pw_microwire_detect(struct pw_microwire *mw)
{
	unsigned int bits = 0;
	bool open = true;

	if (gone(mw))
		return -ENODEV;
	select_on(mw);
	clock_out(mw, MW_READ, 3);
	while (open && bits < MW_ADDR_BITS_66) {
		open = clock_bit(mw, false);
		bits++;
	}
	select_off(mw);
	if (open || (bits != MW_ADDR_BITS_46 && bits != MW_ADDR_BITS_66))
		return -ENODEV;
	mw->addr_bits = bits;
	return 0;
}

static int
check_range(const struct pw_microwire *mw, uint16_t word, uint16_t n)
{
	if (mw->addr_bits == 0 || (uint32_t)word + n > UINT32_C(1) << mw->addr_bits)
		return -EINVAL;
	return 0;
}

static int
read_word(const struct pw_microwire *mw, uint16_t word, uint16_t *val)
{
	bool silent;

	select_on(mw);
	clock_out(mw, MW_READ, 3);
	silent = clock_out(mw, word, mw->addr_bits) && !mw->no_dummy;
	if (!silent)
		*val = clock_in(mw);
	select_off(mw);
	return silent ? -EIO : 0;
}

int
pw_microwire_read(const struct pw_microwire *mw, uint16_t word, uint16_t n, uint16_t *data)
{
	int rc = check_range(mw, word, n);

	if (rc == 0 && gone(mw))
		return -ENODEV;
	for (uint16_t i = 0; rc == 0 && i < n; i++)
		rc = read_word(mw, word + i, &data[i]);
	return rc;
}

static void
write_enable(const struct pw_microwire *mw, bool on)
{
	uint32_t which = on ? MW_CONTROL_EWEN : MW_CONTROL_EWDS;

	select_on(mw);
	clock_out(mw, MW_CONTROL, 3);
	clock_out(mw, which << (mw->addr_bits - 2), mw->addr_bits);
	select_off(mw);
}

static int
wait_ready(const struct pw_microwire *mw)
{
	for (uint32_t us = 0;; us += MW_WRITE_STEP_US) {
		if (gone(mw))
			return -ENODEV;
		if ((pins_get(mw) & mw->do_) != 0)
			return 0;
		if (us >= MW_WRITE_TIMEOUT_US)
			return -ETIMEDOUT;
		rte_delay_us(MW_WRITE_STEP_US);
	}
}

static int
write_word(const struct pw_microwire *mw, uint16_t word, uint16_t val)
{
	int rc;

	select_on(mw);
	clock_out(mw, MW_WRITE, 3);
	clock_out(mw, word, mw->addr_bits);
	clock_out(mw, val, 16);
	/* CS low starts the write, CS high shows its progress. */
	select_off(mw);
	select_on(mw);
	rc = wait_ready(mw);
	select_off(mw);
	return rc;
}

int
pw_microwire_write(const struct pw_microwire *mw, uint16_t word, uint16_t n, const uint16_t *data)
{
	int rc = check_range(mw, word, n);
	uint16_t back;

	if (rc == 0 && gone(mw))
		return -ENODEV;
	if (rc != 0)
		return rc;
	write_enable(mw, true);
	for (uint16_t i = 0; rc == 0 && i < n; i++)
		rc = write_word(mw, word + i, data[i]);
	write_enable(mw, false);
	/* A missing or a write-protected part shows "ready" as well. */
	for (uint16_t i = 0; rc == 0 && i < n; i++) {
		rc = read_word(mw, word + i, &back);
		if (rc == 0 && back != data[i])
			rc = -EIO;
	}
	return rc;
}

int
pw_eerd_read(const struct pw_eerd *e, uint16_t word, uint16_t n, uint16_t *data)
{
	uint32_t v;
	int rc;

	if (n != 0 && ((uint32_t)word + n - 1) >> (e->data_shift - e->addr_shift) != 0)
		return -EINVAL;
	for (uint16_t i = 0; i < n; i++) {
		pw_write32(e->io, e->reg, (uint32_t)(word + i) << e->addr_shift | e->start);
		rc = pw_wait32(e->io, e->reg, e->done, e->done, e->timeout_us, EERD_STEP_US);
		if (rc != 0)
			return rc;
		v = pw_read32(e->io, e->reg);
		if (v == UINT32_MAX)
			return -ENODEV;
		data[i] = (uint16_t)(v >> e->data_shift);
	}
	return 0;
}

uint16_t
pw_eeprom_sum(const uint16_t *data, uint16_t n)
{
	uint16_t sum = 0;

	while (n > 0)
		sum = (uint16_t)(sum + data[--n]);
	return sum;
}
