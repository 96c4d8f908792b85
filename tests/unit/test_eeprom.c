/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The microwire engine on a 93C46/56/66 that is written here from the parts' data sheets, pin by
 * pin: it knows edges of SK and CS and nothing of how it is driven.
 *
 * - With CS low everything but the array, the write enable and a write under way is reset.
 * - DI counts on a rising edge of SK. Leading zeros are passed over; a 1 is the start bit.
 * - Then two bits of opcode and the address, most significant bit first.
 * - READ (10): after the last address bit DO is driven low (dummy 0); each following rising edge
 *   puts the next data bit on DO, most significant first.
 * - WRITE (01): 16 data bits follow; when CS falls after the last, the write begins, if enabled.
 * - ERASE (11) and WRAL/ERAL are not needed here and fail the test.
 * - 00: address bits 11x.. are EWEN, 00x.. EWDS.
 * - While a write is under way, CS high shows 0 on DO for busy, then 1 for ready until the next
 *   start bit. The part takes no instruction while it is busy.
 * - DO is open otherwise; a pull-up makes that a 1.
 */

#include <errno.h>

#include <pw_eeprom.h>

#include "eal.h"

#define BUSY_US 3000	/* time of one write */

enum ee_state { EE_IDLE, EE_OPCODE, EE_ADDR, EE_DATA_OUT, EE_DATA_IN, EE_DONE };

static struct ee {
	unsigned int addr_bits;
	uint16_t word[256];
	/* faults */
	bool absent;		/* DO stays open */
	bool protected;		/* nothing is written from protected_from on */
	uint16_t protected_from;
	bool stuck_busy;
	bool dummy_one;
	unsigned int removed_at;	/* this register write is the device's last; 0: never */
	/* pins */
	bool cs, sk;
	bool out;		/* DO is driven, to out_level */
	bool out_level;
	/* instruction */
	enum ee_state state;
	uint32_t shift;
	unsigned int bits;
	uint8_t opcode;
	uint16_t addr;
	bool enabled;		/* EWEN */
	bool write_pending;
	uint64_t busy_until;	/* on the fake clock */
	bool show_ready;
	/* what was seen */
	unsigned int writes_done;
	uint32_t pins;		/* register, as last written */
	unsigned int reg_writes;
	uint64_t last_edge_us, shortest_us;
} ee;

/* The register that the pins are in. */
static struct pw_microwire mw;

static bool
ee_busy(void)
{
	return ee.stuck_busy ? ee.busy_until != 0 : fake_clock.us < ee.busy_until;
}

static void
ee_control(void)
{
	switch (ee.addr >> (ee.addr_bits - 2)) {
	case 0:
		ee.enabled = false;
		break;
	case 3:
		ee.enabled = true;
		break;
	default:
		fail_msg("instruction for the whole array");
	}
	ee.state = EE_DONE;
}

static void
ee_addressed(void)
{
	ee.addr = ee.shift & ((1u << ee.addr_bits) - 1);
	ee.shift = 0;
	ee.bits = 0;
	switch (ee.opcode) {
	case 0:
		ee_control();
		break;
	case 1:
		ee.state = EE_DATA_IN;
		break;
	case 2:
		ee.state = EE_DATA_OUT;
		ee.out = true;
		ee.out_level = ee.dummy_one;
		break;
	default:
		fail_msg("ERASE");
	}
}

static void
ee_clock(bool di)
{
	switch (ee.state) {
	case EE_IDLE:
		if (!di || ee_busy())
			break;
		ee.state = EE_OPCODE;
		ee.show_ready = false;
		ee.out = false;
		ee.shift = 0;
		ee.bits = 0;
		break;
	case EE_OPCODE:
		ee.shift = ee.shift << 1 | di;
		if (++ee.bits < 2)
			break;
		ee.opcode = ee.shift;
		ee.shift = 0;
		ee.bits = 0;
		ee.state = EE_ADDR;
		break;
	case EE_ADDR:
		ee.shift = ee.shift << 1 | di;
		if (++ee.bits == ee.addr_bits)
			ee_addressed();
		break;
	case EE_DATA_OUT:
		if (ee.bits < 16) {
			ee.out_level = ee.word[ee.addr] >> (15 - ee.bits) & 1;
			ee.bits++;
		} else {
			ee.out = false;
		}
		break;
	case EE_DATA_IN:
		ee.shift = ee.shift << 1 | di;
		if (++ee.bits == 16) {
			ee.write_pending = true;
			ee.state = EE_DONE;
		}
		break;
	case EE_DONE:
		/* Parts differ in what more clocks do; a driver must not depend on it. */
		ee.write_pending = false;
		break;
	}
}

static void
ee_deselect(void)
{
	if (ee.write_pending && ee.enabled &&
	    !(ee.protected && ee.addr >= ee.protected_from)) {
		ee.word[ee.addr] = ee.shift;
		ee.writes_done++;
		ee.busy_until = fake_clock.us + BUSY_US;
		ee.show_ready = true;
	}
	ee.write_pending = false;
	ee.state = EE_IDLE;
	ee.out = false;
}

static void
ee_pins(bool cs, bool sk, bool di)
{
	if (ee.absent)
		return;
	if (cs != ee.cs || sk != ee.sk) {
		ee.shortest_us = RTE_MIN(ee.shortest_us, fake_clock.us - ee.last_edge_us);
		ee.last_edge_us = fake_clock.us;
	}
	if (ee.cs && !cs)
		ee_deselect();
	if (cs && ee.cs && sk && !ee.sk)
		ee_clock(di);
	ee.cs = cs;
	ee.sk = sk;
}

static bool
ee_do(void)
{
	if (ee.absent || !ee.cs)
		return true;
	if (ee.show_ready)
		return !ee_busy();
	return ee.out ? ee.out_level : true;
}

/* --- the register --- */

static bool
removed(void)
{
	return ee.removed_at != 0 && ee.reg_writes >= ee.removed_at;
}

static uint32_t
reg_read(const struct pw_io *io, uint32_t off, unsigned int width)
{
	uint32_t v;

	(void)io;
	assert_int_equal(off, mw.reg);
	assert_int_equal(width, mw.width);
	if (removed())
		return UINT32_MAX >> (32 - 8 * width);
	v = ee.pins & ~mw.do_;
	return ee_do() ? v | mw.do_ : v;
}

static void
reg_write(const struct pw_io *io, uint32_t off, uint32_t val, unsigned int width)
{
	(void)io;
	assert_int_equal(off, mw.reg);
	assert_int_equal(width, mw.width);
	if (removed())
		return;
	ee.reg_writes++;
	/* Nothing but the three pins and what must be kept. */
	assert_int_equal(val & ~(mw.cs | mw.sk | mw.di), mw.keep);
	ee.pins = val;
	ee_pins((val & mw.cs) != 0, (val & mw.sk) != 0, (val & mw.di) != 0);
}

static const struct pw_io_ops ops = { .read = reg_read, .write = reg_write };
static const struct pw_io io = { .ops = &ops, .len = 256 };

/* The pins of two chips: 16 bits at 0Eh (8255x), 32 bits at 10h with a request bit (8254x). */
static const struct pw_microwire pins_8255x = {
	.io = &io, .reg = 0x0e, .width = 2, .sk = 1, .cs = 2, .di = 4, .do_ = 8, .half_us = 4,
};
static const struct pw_microwire pins_8254x = {
	.io = &io, .reg = 0x10, .width = 4, .sk = 1, .cs = 2, .di = 4, .do_ = 8, .keep = 0x40,
	.half_us = 50,
};
/* 8 bits, other positions, as the 8139's 9346CR: EEDO 0, EEDI 1, EESK 2, EECS 3, mode 80h. */
static const struct pw_microwire pins_8139 = {
	.io = &io, .reg = 0x50, .width = 1, .sk = 4, .cs = 8, .di = 2, .do_ = 1, .keep = 0x80,
	.half_us = 2,
};

static const struct pw_microwire *const chips[] = { &pins_8255x, &pins_8254x, &pins_8139 };

static void
plug(const struct pw_microwire *chip, unsigned int addr_bits)
{
	fake_clock_start();
	memset(&ee, 0, sizeof(ee));
	ee.addr_bits = addr_bits;
	ee.shortest_us = UINT64_MAX;
	for (unsigned int i = 0; i < RTE_DIM(ee.word); i++)
		ee.word[i] = (uint16_t)(0x8001 + i * 0x0357);
	mw = *chip;
}

static int
start(void **state)
{
	(void)state;
	plug(&pins_8255x, 6);
	mw.addr_bits = 6;
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	fake_clock_stop();
	return 0;
}

static void
check_idle(void)
{
	assert_false(ee.cs);
	assert_false(ee.sk);
	/* Every pin rests for half a period at least. */
	assert_true(ee.shortest_us >= mw.half_us);
}

static void
test_detect_finds_the_address_width(void **state)
{
	static const unsigned int bits[] = { 6, 8 };

	(void)state;
	for (size_t c = 0; c < RTE_DIM(chips); c++) {
		for (size_t b = 0; b < RTE_DIM(bits); b++) {
			plug(chips[c], bits[b]);
			assert_int_equal(pw_microwire_detect(&mw), 0);
			assert_int_equal(mw.addr_bits, bits[b]);
			check_idle();
		}
	}
}

static void
test_detect_without_a_usable_part(void **state)
{
	(void)state;
	ee.absent = true;
	mw.addr_bits = 0;
	assert_int_equal(pw_microwire_detect(&mw), -ENODEV);
	/* 7 bits are a 93C46 strapped to bytes, 10 a 93C86: this engine reads neither. */
	plug(&pins_8255x, 7);
	assert_int_equal(pw_microwire_detect(&mw), -ENODEV);
	plug(&pins_8255x, 9);
	assert_int_equal(pw_microwire_detect(&mw), -ENODEV);
	assert_int_equal(mw.addr_bits, 0);
}

static void
test_read_each_word(void **state)
{
	static const unsigned int bits[] = { 6, 8 };
	uint16_t data[256];

	(void)state;
	for (size_t c = 0; c < RTE_DIM(chips); c++) {
		for (size_t b = 0; b < RTE_DIM(bits); b++) {
			uint16_t words = 1 << bits[b];

			plug(chips[c], bits[b]);
			mw.addr_bits = bits[b];
			assert_int_equal(pw_microwire_read(&mw, 0, words, data), 0);
			assert_memory_equal(data, ee.word, words * 2u);
			check_idle();
		}
	}
}

static void
test_read_some_words(void **state)
{
	uint16_t data[3] = { 0 };

	(void)state;
	assert_int_equal(pw_microwire_read(&mw, 61, 3, data), 0);
	assert_memory_equal(data, &ee.word[61], sizeof(data));
	assert_int_equal(pw_microwire_read(&mw, 63, 1, data), 0);
	assert_int_equal(data[0], ee.word[63]);
	assert_int_equal(pw_microwire_read(&mw, 0, 0, data), 0);
}

static void
test_requests_outside_the_part(void **state)
{
	uint16_t data[66] = { 0 };

	(void)state;
	assert_int_equal(pw_microwire_read(&mw, 64, 1, data), -EINVAL);
	assert_int_equal(pw_microwire_read(&mw, 63, 2, data), -EINVAL);
	assert_int_equal(pw_microwire_read(&mw, 0, 65, data), -EINVAL);
	assert_int_equal(pw_microwire_read(&mw, UINT16_MAX, UINT16_MAX, data), -EINVAL);
	assert_int_equal(pw_microwire_write(&mw, 63, 2, data), -EINVAL);
	mw.addr_bits = 0;
	assert_int_equal(pw_microwire_read(&mw, 0, 1, data), -EINVAL);
	assert_int_equal(pw_microwire_write(&mw, 0, 1, data), -EINVAL);
	assert_int_equal(ee.reg_writes, 0);
}

static void
test_read_from_a_silent_part(void **state)
{
	uint16_t data[2] = { 0x1111, 0x2222 };

	(void)state;
	ee.absent = true;
	assert_int_equal(pw_microwire_read(&mw, 0, 2, data), -EIO);
	check_idle();
}

/* QEMU's 82544GC shows the last bit of the word before where the dummy zero belongs. */
static void
test_read_without_dummy_zero(void **state)
{
	uint16_t data[2];

	(void)state;
	ee.dummy_one = true;
	assert_int_equal(pw_microwire_read(&mw, 1, 2, data), -EIO);
	mw.no_dummy = true;
	assert_int_equal(pw_microwire_read(&mw, 1, 2, data), 0);
	assert_int_equal(data[0], ee.word[1]);
	assert_int_equal(data[1], ee.word[2]);
	check_idle();
}

/* A 93C66 behind 6 address bits still waits for two more: no dummy zero. */
static void
test_read_with_too_few_address_bits(void **state)
{
	uint16_t data;

	(void)state;
	ee.addr_bits = 8;
	assert_int_equal(pw_microwire_read(&mw, 0, 1, &data), -EIO);
}

static void
test_write_words(void **state)
{
	static const uint16_t data[] = { 0x0000, 0xffff, 0xa55a, 0x8001 };
	static const unsigned int bits[] = { 6, 8 };

	(void)state;
	for (size_t c = 0; c < RTE_DIM(chips); c++) {
		for (size_t b = 0; b < RTE_DIM(bits); b++) {
			uint16_t at = (1 << bits[b]) - 4, below;

			plug(chips[c], bits[b]);
			mw.addr_bits = bits[b];
			below = ee.word[at - 1];
			assert_int_equal(pw_microwire_write(&mw, at, 4, data), 0);
			assert_memory_equal(&ee.word[at], data, sizeof(data));
			assert_int_equal(ee.word[at - 1], below);
			assert_int_equal(ee.writes_done, 4);
			/* Each word was waited for, and writing is locked again. */
			assert_true(fake_clock.us >= 4 * BUSY_US);
			assert_false(ee.enabled);
			check_idle();
		}
	}
}

static void
test_write_of_nothing(void **state)
{
	(void)state;
	assert_int_equal(pw_microwire_write(&mw, 5, 0, NULL), 0);
	assert_int_equal(ee.writes_done, 0);
	assert_false(ee.enabled);
}

static void
test_write_that_never_gets_ready(void **state)
{
	static const uint16_t data[] = { 1, 2 };

	(void)state;
	ee.stuck_busy = true;
	assert_int_equal(pw_microwire_write(&mw, 0, 2, data), -ETIMEDOUT);
	/* 20 ms and the time of the instructions: 29 clocks and two times 9 of 8 us. */
	assert_in_range(fake_clock.us, 20000, 21000);
	assert_int_equal(ee.writes_done, 1);
}

/* Parts that protect a range take the words before it. */
static void
test_write_into_a_protected_range(void **state)
{
	static const uint16_t data[] = { 1, 2, 3 };

	(void)state;
	ee.protected = true;
	ee.protected_from = 12;
	assert_int_equal(pw_microwire_write(&mw, 10, 3, data), -EIO);
	assert_int_equal(ee.writes_done, 2);
	assert_int_equal(pw_microwire_write(&mw, 9, 3, data), 0);
}

/* Neither shows busy, so both look as if they had written. */
static void
test_write_to_a_protected_or_absent_part(void **state)
{
	static const uint16_t data = 0x1234;

	(void)state;
	ee.protected = true;
	assert_int_equal(pw_microwire_write(&mw, 0, 1, &data), -EIO);
	assert_false(ee.enabled);
	plug(&pins_8255x, 6);
	mw.addr_bits = 6;
	ee.absent = true;
	assert_int_equal(pw_microwire_write(&mw, 0, 1, &data), -EIO);
}

static void
test_a_device_that_is_gone(void **state)
{
	uint16_t data = 0;

	(void)state;
	for (size_t c = 0; c < RTE_DIM(chips); c++) {
		plug(chips[c], 6);
		ee.removed_at = 1;
		ee.reg_writes = 1;
		assert_int_equal(pw_microwire_detect(&mw), -ENODEV);
		mw.addr_bits = 6;
		assert_int_equal(pw_microwire_read(&mw, 0, 1, &data), -ENODEV);
		assert_int_equal(pw_microwire_write(&mw, 0, 1, &data), -ENODEV);
	}
}

/* Removed while a word is written: all ones must not pass for ready. */
static void
test_a_device_that_goes_during_a_write(void **state)
{
	static const uint16_t data[] = { 1, 2, 3 };

	(void)state;
	ee.removed_at = 100;
	assert_int_equal(pw_microwire_write(&mw, 0, 3, data), -ENODEV);
}

/* --- EERD --- */

/* The read port of 8254x (done bit 4, address from bit 8) and of 8257x (bit 1, bit 2). */
static struct {
	unsigned int done_bit, addr_shift;
	unsigned int looks;	/* reads until done */
	unsigned int left;
	uint32_t reg;
	bool dead, gone;
	bool goes_when_done;	/* is gone after it was seen done once */
	unsigned int starts;
} eerd;

static uint32_t
eerd_reg_read(const struct pw_io *unused, uint32_t off, unsigned int width)
{
	(void)unused;
	assert_int_equal(off, 0x14);
	assert_int_equal(width, 4);
	if (eerd.gone)
		return UINT32_MAX;
	if (eerd.left > 0 && --eerd.left == 0 && !eerd.dead) {
		uint32_t word = (eerd.reg & 0xffff) >> eerd.addr_shift;

		eerd.reg = (eerd.reg & 0xfffe) | 1u << eerd.done_bit |
			   (uint32_t)ee.word[word & 0xff] << 16;
		eerd.gone = eerd.goes_when_done;
	}
	return eerd.reg;
}

static void
eerd_reg_write(const struct pw_io *unused, uint32_t off, uint32_t val, unsigned int width)
{
	(void)unused;
	assert_int_equal(off, 0x14);
	assert_int_equal(width, 4);
	/* Start, an address, and nothing else. */
	assert_int_equal(val & 1, 1);
	assert_int_equal(val >> 16, 0);
	assert_int_equal(val & ((1u << eerd.addr_shift) - 2), 0);
	eerd.reg = val;
	eerd.left = eerd.looks;
	eerd.starts++;
}

static const struct pw_io_ops eerd_ops = { .read = eerd_reg_read, .write = eerd_reg_write };
static const struct pw_io eerd_io = { .ops = &eerd_ops, .len = 256 };

static struct pw_eerd
port(unsigned int done_bit, unsigned int addr_shift)
{
	struct pw_eerd e = {
		.io = &eerd_io, .reg = 0x14, .start = 1, .done = 1u << done_bit,
		.addr_shift = addr_shift, .data_shift = 16, .timeout_us = 500000,
	};

	memset(&eerd, 0, sizeof(eerd));
	eerd.done_bit = done_bit;
	eerd.addr_shift = addr_shift;
	eerd.looks = 3;
	return e;
}

static void
test_eerd_reads_both_layouts(void **state)
{
	static const unsigned int layouts[][2] = { { 4, 8 }, { 1, 2 } };
	uint16_t data[64];

	(void)state;
	for (size_t i = 0; i < RTE_DIM(layouts); i++) {
		struct pw_eerd e = port(layouts[i][0], layouts[i][1]);

		ee.word[7] = 0xffff;
		assert_int_equal(pw_eerd_read(&e, 0, 64, data), 0);
		assert_memory_equal(data, ee.word, sizeof(data));
		assert_int_equal(eerd.starts, 64);
		assert_int_equal(pw_eerd_read(&e, 255, 1, data), 0);
		assert_int_equal(data[0], ee.word[255]);
		assert_int_equal(pw_eerd_read(&e, 0, 0, data), 0);
	}
}

static void
test_eerd_address_field_is_finite(void **state)
{
	struct pw_eerd small = port(4, 8);
	uint16_t data[2];

	(void)state;
	assert_int_equal(pw_eerd_read(&small, 256, 1, data), -EINVAL);
	assert_int_equal(pw_eerd_read(&small, 255, 2, data), -EINVAL);
	assert_int_equal(eerd.starts, 0);

	struct pw_eerd large = port(1, 2);

	assert_int_equal(pw_eerd_read(&large, 0x3fff, 1, data), 0);
	assert_int_equal(pw_eerd_read(&large, 0x4000, 1, data), -EINVAL);
}

static void
test_eerd_that_never_gets_done(void **state)
{
	struct pw_eerd e = port(4, 8);
	uint16_t data;

	(void)state;
	eerd.dead = true;
	assert_int_equal(pw_eerd_read(&e, 0, 1, &data), -ETIMEDOUT);
	assert_int_equal(fake_clock.us, 500000);
	eerd.gone = true;
	assert_int_equal(pw_eerd_read(&e, 0, 1, &data), -ENODEV);
}

/* All ones in place of the data must not pass for a word of FFFFh. */
static void
test_eerd_device_that_goes_before_the_data(void **state)
{
	struct pw_eerd e = port(4, 8);
	uint16_t data;

	(void)state;
	eerd.goes_when_done = true;
	assert_int_equal(pw_eerd_read(&e, 0, 1, &data), -ENODEV);
}

static void
test_sum_is_of_16_bits(void **state)
{
	static const uint16_t data[] = { 0xffff, 0x0001, 0xba00, 0x00ba };

	(void)state;
	assert_int_equal(pw_eeprom_sum(data, 0), 0);
	assert_int_equal(pw_eeprom_sum(data, 1), 0xffff);
	assert_int_equal(pw_eeprom_sum(data, 2), 0);
	assert_int_equal(pw_eeprom_sum(data, 4), 0xbaba);
}

#define on_part(t) cmocka_unit_test_setup_teardown(t, start, stop)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		on_part(test_detect_finds_the_address_width),
		on_part(test_detect_without_a_usable_part),
		on_part(test_read_each_word),
		on_part(test_read_some_words),
		on_part(test_requests_outside_the_part),
		on_part(test_read_from_a_silent_part),
		on_part(test_read_without_dummy_zero),
		on_part(test_read_with_too_few_address_bits),
		on_part(test_write_words),
		on_part(test_write_of_nothing),
		on_part(test_write_that_never_gets_ready),
		on_part(test_write_into_a_protected_range),
		on_part(test_write_to_a_protected_or_absent_part),
		on_part(test_a_device_that_is_gone),
		on_part(test_a_device_that_goes_during_a_write),
		on_part(test_eerd_reads_both_layouts),
		on_part(test_eerd_address_field_is_finite),
		on_part(test_eerd_that_never_gets_done),
		on_part(test_eerd_device_that_goes_before_the_data),
		on_part(test_sum_is_of_16_bits),
	};

	return cmocka_run_group_tests_name("eeprom", tests, eal_setup, eal_teardown);
}
