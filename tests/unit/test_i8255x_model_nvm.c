/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* The 8255x models: microwire EEPROM behind register 0Eh (§2.6, §4.1). */

#include "i8255x_card.h"

enum { SK = 1, CS = 2, DI = 4, DO = 8 };

static const struct {
	const char *chip;
	unsigned int bits;	/* of the address (§1.2) */
} parts[] = {
	{ "82557b", 6 }, { "82558b", 6 }, { "82559c", 6 }, { "82551", 8 },
};
#define PARTS (sizeof(parts) / sizeof(parts[0]))

/* One clock. @return EEDO after its rising edge */
static bool
clock_bit(struct card *c, bool bit)
{
	uint32_t pins = CS | (bit ? DI : 0);
	bool dout;

	wr16(c, EEPROM, pins);
	wr16(c, EEPROM, pins | SK);
	dout = (rd16(c, EEPROM) & DO) != 0;
	wr16(c, EEPROM, pins);
	return dout;
}

static void
send_bits(struct card *c, uint32_t val, unsigned int nb)
{
	while (nb-- > 0)
		clock_bit(c, (val >> nb & 1) != 0);
}

static void
select_part(struct card *c)
{
	wr16(c, EEPROM, 0);
	wr16(c, EEPROM, CS);
}

static uint32_t
word_out(struct card *c)
{
	uint32_t val = 0;
	unsigned int i;

	for (i = 0; i < 16; i++)
		val = val << 1 | clock_bit(c, false);
	return val;
}

static uint32_t
read_word(struct card *c, unsigned int bits, uint32_t addr)
{
	uint32_t val;

	select_part(c);
	send_bits(c, 6, 3);
	send_bits(c, addr, bits);
	assert_int_equal(rd16(c, EEPROM) & DO, 0); /* the dummy 0 */
	val = word_out(c);
	wr16(c, EEPROM, 0);
	return val;
}

static void
write_enable(struct card *c, unsigned int bits, bool on)
{
	select_part(c);
	send_bits(c, 4, 3);
	send_bits(c, on ? 3u << (bits - 2) : 0, bits);
	wr16(c, EEPROM, 0);
}

static void
write_word(struct card *c, unsigned int bits, uint32_t addr, uint32_t val)
{
	select_part(c);
	send_bits(c, 5, 3);
	send_bits(c, addr, bits);
	send_bits(c, val, 16);
	wr16(c, EEPROM, 0);
}

/* The sum of all words is BABAh; the first three are the address, low byte first. */
static void
test_contents(void **state)
{
	unsigned int k, i;

	(void)state;
	for (k = 0; k < PARTS; k++) {
		struct card *c = card_bare(parts[k].chip);
		uint32_t sum = 0;

		for (i = 0; i < 1u << parts[k].bits; i++)
			sum += read_word(c, parts[k].bits, i);
		assert_int_equal(sum & 0xffff, 0xbaba);
		assert_int_equal(read_word(c, parts[k].bits, 0), 0x5452);
		assert_int_equal(read_word(c, parts[k].bits, 1), 0x1200);
		assert_int_equal(read_word(c, parts[k].bits, 2), 0x5634);
		/* PHY of type 7 (82555) at address 1; ID word signed, no dynamic standby */
		assert_int_equal(read_word(c, parts[k].bits, 6) & 0x3fff, 0x0701);
		assert_int_equal(read_word(c, parts[k].bits, 10) & 0xc002, 0x4000);
		/* Only an 82557 says that it may lock up (§7). */
		assert_int_equal(read_word(c, parts[k].bits, 3) & 3, k == 0 ? 0 : 3);
		card_free(c);
	}
}

/* EEDO stays high during the address and drops after exactly its last bit: so software learns. */
static void
test_address_width_shows(void **state)
{
	unsigned int k, i;

	(void)state;
	for (k = 0; k < PARTS; k++) {
		struct card *c = card_bare(parts[k].chip);

		select_part(c);
		assert_true(clock_bit(c, true));
		assert_true(clock_bit(c, true));
		assert_true(clock_bit(c, false));
		for (i = 1; i < parts[k].bits; i++)
			assert_true(clock_bit(c, false));
		assert_false(clock_bit(c, false));
		wr16(c, EEPROM, 0);
		card_free(c);
	}
}

/* As Linux does: CS and SK rise in one write, and five zeros go before the start bit. */
static void
test_leading_zeros(void **state)
{
	struct card *c = card_bare("82559c");

	(void)state;
	wr16(c, EEPROM, CS | SK);
	send_bits(c, 0, 5);
	send_bits(c, 6, 3);
	send_bits(c, 1, 6);
	assert_int_equal(word_out(c), 0x1200);
	wr16(c, EEPROM, 0);
	card_free(c);
}

/* A part that is clocked on goes on with the next word, past the end with the first. */
static void
test_sequential_read(void **state)
{
	struct card *c = card_bare("82559c");
	uint32_t last = read_word(c, 6, 63);

	(void)state;
	select_part(c);
	send_bits(c, 6, 3);
	send_bits(c, 62, 6);
	word_out(c);
	assert_int_equal(word_out(c), last);
	assert_int_equal(word_out(c), 0x5452);
	assert_int_equal(word_out(c), 0x1200);
	wr16(c, EEPROM, 0);
	card_free(c);
}

static void
test_write(void **state)
{
	unsigned int k;

	(void)state;
	for (k = 0; k < PARTS; k++) {
		unsigned int bits = parts[k].bits;
		struct card *c = card_bare(parts[k].chip);
		uint32_t addr = (1u << bits) - 2, old = read_word(c, bits, addr);

		/* Not without EWEN */
		write_word(c, bits, addr, 0x1234);
		wait_us(c, 20000);
		assert_int_equal(read_word(c, bits, addr), old);

		write_enable(c, bits, true);
		write_word(c, bits, addr, 0xa55a);
		/* Busy: EEDO is low until it is done, and no command is taken. */
		select_part(c);
		assert_int_equal(rd16(c, EEPROM) & DO, 0);
		send_bits(c, 6, 3);
		send_bits(c, addr, bits);
		assert_int_equal(word_out(c), 0);
		select_part(c);
		wait_us(c, 10000);
		assert_int_equal(rd16(c, EEPROM) & DO, DO);
		assert_int_equal(read_word(c, bits, addr), 0xa55a);

		select_part(c); /* erase */
		send_bits(c, 7, 3);
		send_bits(c, addr, bits);
		wr16(c, EEPROM, 0);
		wait_us(c, 10000);
		assert_int_equal(read_word(c, bits, addr), 0xffff);

		write_enable(c, bits, false);
		write_word(c, bits, addr, 0x1234);
		wait_us(c, 10000);
		assert_int_equal(read_word(c, bits, addr), 0xffff);
		card_free(c);
	}
}

/* What was written outlives reset and RST#. */
static void
test_contents_outlive_reset(void **state)
{
	struct card *c = card_bare("82559c");

	(void)state;
	write_enable(c, 6, true);
	write_word(c, 6, 20, 0xa55a);
	wait_us(c, 10000);
	wr32(c, PORT, 0);
	wait_us(c, 20);
	assert_int_equal(read_word(c, 6, 20), 0xa55a);
	pw_model_reset(c->m);
	pw_model_cfg_write(c->m, 0x04, 0x0007, 2);
	assert_int_equal(read_word(c, 6, 20), 0xa55a);
	card_free(c);
}

/* EEDO is the part's: writing it does nothing. */
static void
test_pins_read_back(void **state)
{
	struct card *c = card_bare("82559c");

	(void)state;
	wr16(c, EEPROM, SK | DI);
	assert_int_equal(rd16(c, EEPROM), SK | DI | DO);
	wr16(c, EEPROM, 0xfff0);
	assert_int_equal(rd16(c, EEPROM), DO);
	card_free(c);
}

static uint32_t
sum_of(struct card *c, unsigned int bits)
{
	uint32_t sum = 0, i;

	for (i = 0; i < 1u << bits; i++)
		sum += read_word(c, bits, i);
	return sum & 0xffff;
}

static void
test_faults(void **state)
{
	unsigned int k, i;

	(void)state;
	for (k = 0; k < PARTS; k++) {
		unsigned int bits = parts[k].bits;
		struct card *c = card_bare(parts[k].chip);

		pw_model_fault(c->m, PW_FAULT_EEPROM_CORRUPT, 1);
		assert_int_not_equal(sum_of(c, bits), 0xbaba);
		pw_model_fault(c->m, PW_FAULT_EEPROM_CORRUPT, 0);
		assert_int_equal(sum_of(c, bits), 0xbaba);

		pw_model_fault(c->m, PW_FAULT_EEPROM_ZERO_MAC, 1);
		for (i = 0; i < 3; i++)
			assert_int_equal(read_word(c, bits, i), 0);
		assert_int_equal(sum_of(c, bits), 0xbaba);
		pw_model_fault(c->m, PW_FAULT_EEPROM_ZERO_MAC, 0);

		/* No dummy 0 from a part that is not there: an address has no end. */
		pw_model_fault(c->m, PW_FAULT_EEPROM_SILENT, 1);
		select_part(c);
		send_bits(c, 6, 3);
		for (i = 0; i < 32; i++)
			assert_true(clock_bit(c, false));
		wr16(c, EEPROM, 0);
		card_free(c);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_contents),
		cmocka_unit_test(test_address_width_shows),
		cmocka_unit_test(test_leading_zeros),
		cmocka_unit_test(test_sequential_read),
		cmocka_unit_test(test_write),
		cmocka_unit_test(test_contents_outlive_reset),
		cmocka_unit_test(test_pins_read_back),
		cmocka_unit_test(test_faults),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
