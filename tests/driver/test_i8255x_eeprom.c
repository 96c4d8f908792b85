/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * i8255x: reading and writing the EEPROM (§4.1), and the one bit that the driver itself may write
 * there, if asked to (§7).
 */

#include "i8255x_card.h"

#define MAGIC(device) ((uint32_t)(device) << 16 | 0x8086)

/* --- on a stand-in --------------------------------------------------------------------- */

static uint16_t
card_sum(void)
{
	uint16_t sum = 0;

	for (unsigned int i = 0; i < 1u << icard.nvm_bits; i++)
		sum += icard.nvm[i];
	return sum;
}

static void
make(uint8_t bits)
{
	icard_make(0x1229, 0x08);
	icard.nvm_bits = bits;
	for (unsigned int i = 64; i < 256; i++)
		icard.nvm[i] = bits == 8 ? i * 0x0101 : 0;
	icard_nvm_sum();
	assert_int_equal(i8255x_hw_init(&icard_hw, &icard_dev), 0);
	assert_int_equal(i8255x_reset(&icard_hw), 0);
}

static void
test_width_is_found(void **state)
{
	static const struct {
		uint8_t bits;
		uint16_t words;
	} t[] = { { 6, 64 }, { 8, 256 } };

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		uint16_t last;

		make(t[i].bits);
		assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
		assert_int_equal(icard_hw.nvm_words, t[i].words);
		assert_int_equal(icard_hw.nvm_compat, 0x0003);
		assert_int_equal(icard_hw.nvm_phy, 0x4701);
		assert_int_equal(icard_hw.nvm_id, 0x40a0);
		assert_int_equal(i8255x_read_nvm(&icard_hw, t[i].words - 1, 1, &last), 0);
		assert_int_equal(last, icard.nvm[t[i].words - 1]);
		assert_int_equal(i8255x_read_nvm(&icard_hw, t[i].words, 1, &last), -EINVAL);
		assert_int_equal(icard.nvm_writes, 0);
	}
}

static void
test_no_eeprom(void **state)
{
	(void)state;
	make(6);
	icard.nvm_bits = 0;
	log_capture_start();
	assert_int_equal(i8255x_nvm_init(&icard_hw), -EIO);
	log_capture_expect("EEPROM does not answer");
	/* A width that no part has. */
	make(6);
	icard.nvm_bits = 7;
	log_capture_start();
	assert_int_equal(i8255x_nvm_init(&icard_hw), -EIO);
	log_capture_expect("EEPROM does not answer");
	make(6);
	icard.gone = true;
	log_capture_start();
	assert_int_equal(i8255x_nvm_init(&icard_hw), -ENODEV);
	log_capture_expect("EEPROM does not answer");
}

/* §4.1: all words add up to BABAh. */
static void
test_damaged_contents(void **state)
{
	(void)state;
	for (uint8_t bits = 6; bits <= 8; bits += 2) {
		make(bits);
		icard.nvm[0x11] ^= 0x0400;
		log_capture_start();
		assert_int_equal(i8255x_nvm_init(&icard_hw), -EBADMSG);
		log_capture_expect("not 0xbaba");
		assert_int_equal(icard.nvm_writes, 0);
	}
}

/* The chip reads it by itself after reset; whoever reads meanwhile reads nonsense once. */
static void
test_read_once_more_before_calling_it_damaged(void **state)
{
	(void)state;
	make(6);
	icard.nvm_noise = 5;
	assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
	assert_int_equal(icard_hw.nvm_compat, 0x0003);
}

static void
test_address(void **state)
{
	static const uint8_t want[6] = { 0x00, 0xaa, 0x00, 0x11, 0x22, 0x33 };

	(void)state;
	make(6);
	assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
	assert_int_equal(i8255x_read_mac(&icard_hw), 0);
	assert_memory_equal(icard_hw.mac.addr_bytes, want, 6);
	memset(icard.nvm, 0, 6);
	log_capture_start();
	assert_int_equal(i8255x_read_mac(&icard_hw), -EADDRNOTAVAIL);
	log_capture_expect("00:00:00:00:00:00");
	icard.nvm[0] = 0x0001;
	log_capture_start();
	assert_int_equal(i8255x_read_mac(&icard_hw), -EADDRNOTAVAIL);
	log_capture_expect("no card may have");
	icard.nvm_bits = 0;
	log_capture_start();
	assert_int_equal(i8255x_read_mac(&icard_hw), -EIO);
	log_capture_expect("cannot read the MAC address");
}

static void
test_writing_keeps_the_sum_right(void **state)
{
	static const uint16_t data[3] = { 0x1234, 0xabcd, 0x0001 };

	(void)state;
	for (uint8_t bits = 6; bits <= 8; bits += 2) {
		uint16_t last = (1u << bits) - 1;

		make(bits);
		assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
		assert_int_equal(i8255x_write_nvm(&icard_hw, 0x20, 3, data), 0);
		assert_memory_equal(&icard.nvm[0x20], data, sizeof(data));
		assert_int_equal(card_sum(), 0xbaba);
		/* Three words and the sum, and then no more without another EWEN. */
		assert_int_equal(icard.nvm_writes, 4);
		assert_false(icard.writable);
		/* The sum's own word is never what was to be written there. */
		icard.nvm_writes = 0;
		assert_int_equal(i8255x_write_nvm(&icard_hw, last - 1, 2, data), 0);
		assert_int_equal(icard.nvm[last - 1], 0x1234);
		assert_int_equal(icard.nvm_writes, 2);
		assert_int_equal(card_sum(), 0xbaba);
		assert_int_equal(i8255x_write_nvm(&icard_hw, last, 1, data), 0);
		assert_int_equal(card_sum(), 0xbaba);
		assert_int_equal(i8255x_write_nvm(&icard_hw, last, 2, data), -EINVAL);
		assert_int_equal(i8255x_write_nvm(&icard_hw, 0, 0, data), -EINVAL);
		assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
	}
}

static void
test_protected_part(void **state)
{
	static const uint16_t data = 0x1234;

	(void)state;
	make(6);
	assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
	icard.nvm_protected = true;
	assert_int_equal(i8255x_write_nvm(&icard_hw, 0x20, 1, &data), -EIO);
	assert_int_equal(card_sum(), 0xbaba);
}

/* --- dynamic standby (§7) -------------------------------------------------------------- */

static void
make_standby(void)
{
	make(6);
	icard.nvm[10] = 0x40a2;
	icard_nvm_sum();
	assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
	assert_int_equal(icard_hw.flags & I8255X_F_ERR_STANDBY, I8255X_F_ERR_STANDBY);
	/* Finding it is no reason to write somebody's EEPROM. */
	assert_int_equal(icard.nvm_writes, 0);
}

static void
test_standby_is_cleared_when_asked_for(void **state)
{
	uint16_t before[64];

	(void)state;
	make_standby();
	memcpy(before, icard.nvm, sizeof(before));
	assert_int_equal(i8255x_standby_off(&icard_hw), 0);
	assert_int_equal(icard.nvm[10], 0x40a0);
	assert_int_equal(icard.nvm_writes, 2);
	/* One less in bit 1 there, two more in the sum; nothing else. */
	before[10] -= 2;
	before[63] += 2;
	assert_memory_equal(icard.nvm, before, sizeof(before));
	/* The chip has read the old one: the work-around goes on until the next power-up. */
	assert_int_equal(icard_hw.flags & I8255X_F_ERR_STANDBY, I8255X_F_ERR_STANDBY);
	assert_int_equal(i8255x_hw_init(&icard_hw, &icard_dev), 0);
	assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
	assert_int_equal(icard_hw.flags & I8255X_F_ERR_STANDBY, 0);
	assert_int_equal(i8255x_standby_off(&icard_hw), 0);
	assert_int_equal(icard.nvm_writes, 2);
}

static void
test_standby_of_a_part_that_does_not_mind(void **state)
{
	(void)state;
	icard_make(0x1229, 0x05);
	icard.nvm[10] = 0x40a2;
	icard_nvm_sum();
	assert_int_equal(i8255x_hw_init(&icard_hw, &icard_dev), 0);
	assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
	assert_int_equal(i8255x_standby_off(&icard_hw), 0);
	assert_int_equal(icard.nvm_writes, 0);
}

/* Signature bits 15:14 must be 01, and the word what it was when the sum was checked. */
static void
test_standby_in_a_word_that_looks_wrong(void **state)
{
	static const uint16_t odd[] = { 0xc0a2, 0x00a2, 0x80a2, 0xffff };

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(odd); i++) {
		make(6);
		icard.nvm[10] = odd[i];
		icard_nvm_sum();
		assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
		log_capture_start();
		assert_int_equal(i8255x_standby_off(&icard_hw), -EBADMSG);
		log_capture_expect("not cleared");
		assert_int_equal(icard.nvm_writes, 0);
	}
	make_standby();
	icard.nvm_noise = 1;
	log_capture_start();
	assert_int_equal(i8255x_standby_off(&icard_hw), -EBADMSG);
	log_capture_expect("not cleared");
	assert_int_equal(icard.nvm_writes, 0);
}

/* Each of the two writes is lost in turn: what was there is there again, and its sum fits. */
static void
test_standby_write_that_fails(void **state)
{
	(void)state;
	for (unsigned int n = 1; n <= 2; n++) {
		uint16_t before[64];

		make_standby();
		memcpy(before, icard.nvm, sizeof(before));
		icard.nvm_fail_at = n;
		log_capture_start();
		assert_int_equal(i8255x_standby_off(&icard_hw), -EIO);
		log_capture_expect("not cleared");
		assert_memory_equal(icard.nvm, before, sizeof(before));
	}
	make_standby();
	icard.nvm_protected = true;
	log_capture_start();
	assert_int_equal(i8255x_standby_off(&icard_hw), -EIO);
	log_capture_expect("not cleared");
	assert_int_equal(card_sum(), 0xbaba);
}

/* --- ethdev's operations --------------------------------------------------------------- */

static int
eeprom(struct rte_eth_dev *eth, bool write, uint32_t offset, void *data, uint32_t len,
       uint32_t magic)
{
	struct rte_dev_eeprom_info info = {
		.data = data, .offset = offset, .length = len, .magic = magic,
	};

	return write ? i8255x_set_eeprom(eth, &info) : i8255x_get_eeprom(eth, &info);
}

static void
test_get_then_set_of_everything_changes_nothing(void **state)
{
	(void)state;
	for (uint8_t bits = 6; bits <= 8; bits += 2) {
		uint32_t size = 2u << bits;
		struct rte_eth_dev *eth;
		uint8_t all[512];
		uint16_t before[256];
		struct rte_dev_eeprom_info info = { .data = all, .length = size };

		make(bits);
		assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
		memcpy(before, icard.nvm, sizeof(before));
		eth = icard_eth();
		assert_int_equal(i8255x_get_eeprom_length(eth), size);
		assert_int_equal(i8255x_get_eeprom(eth, &info), 0);
		assert_memory_equal(all, before, size);
		assert_int_equal(i8255x_set_eeprom(eth, &info), 0);
		assert_memory_equal(icard.nvm, before, sizeof(before));
	}
}

static void
test_bad_requests_are_refused(void **state)
{
	static const struct {
		uint32_t offset, len, magic;
		const char *part;
	} t[] = {
		{ 0, 2, 0, "magic" },
		{ 0, 2, MAGIC(0x1209), "magic" },
		{ 1, 2, MAGIC(0x1229), "whole words" },
		{ 0, 3, MAGIC(0x1229), "whole words" },
		{ 0, 0, MAGIC(0x1229), "whole words" },
		{ 128, 2, MAGIC(0x1229), "whole words" },
		{ 126, 4, MAGIC(0x1229), "whole words" },
		{ 2, UINT32_MAX - 1, MAGIC(0x1229), "whole words" },
	};
	uint8_t data[8] = { 0 };
	struct rte_eth_dev *eth;

	(void)state;
	make(6);
	assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
	eth = icard_eth();
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		log_capture_start();
		assert_int_equal(eeprom(eth, true, t[i].offset, data, t[i].len, t[i].magic),
				 -EINVAL);
		log_capture_expect(t[i].part);
	}
	log_capture_start();
	assert_int_equal(eeprom(eth, true, 0, NULL, 2, MAGIC(0x1229)), -EINVAL);
	log_capture_expect("whole words");
	assert_int_equal(icard.nvm_writes, 0);
}

static void
test_dead_part_is_an_error(void **state)
{
	uint8_t data[2] = { 0x34, 0x12 };
	struct rte_eth_dev *eth;
	char text[32];

	(void)state;
	make(6);
	assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
	eth = icard_eth();
	icard.nvm_bits = 0;
	assert_int_equal(eeprom(eth, false, 0, data, 2, 0), -EIO);
	assert_int_equal(i8255x_fw_version_get(eth, text, sizeof(text)), -EIO);
	log_capture_start();
	assert_int_equal(eeprom(eth, true, 0x20, data, 2, MAGIC(0x1229)), -EIO);
	log_capture_expect("writing the EEPROM failed");
}

/* Word 0Ah bits 10:8; words 8 and 9 are the board's number, six digits and three (§4.1). */
static void
test_version(void **state)
{
	char text[32];

	(void)state;
	make(6);
	icard.nvm[10] = 0x41a0;
	icard_nvm_sum();
	assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
	assert_int_equal(i8255x_fw_version_get(icard_eth(), text, sizeof(text)), 0);
	assert_string_equal(text, "1, board 721383-006");
	/* Too little room: how much it takes, with the zero. */
	assert_int_equal(i8255x_fw_version_get(icard_eth(), text, 4), 20);
}

/* --- through ethdev, on the models ----------------------------------------------------- */

static const struct {
	const char *chip;
	uint16_t device, size;
} models[] = {
	{ "82557b", 0x1229, 128 }, { "82558b", 0x1229, 128 }, { "82559c", 0x1229, 128 },
	{ "82559er", 0x1209, 128 }, { "82551", 0x1229, 512 }, { "82562", 0x2449, 128 },
};

static int
model_eeprom(const struct fx_port *p, bool write, uint32_t offset, void *data, uint32_t len,
	     uint32_t magic)
{
	struct rte_dev_eeprom_info info = {
		.data = data, .offset = offset, .length = len, .magic = magic,
	};

	return write ? rte_eth_dev_set_eeprom(p->id, &info) : rte_eth_dev_get_eeprom(p->id, &info);
}

static void
write_and_read(struct fx_port *p, unsigned int i)
{
	uint8_t in[6] = { 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc }, all[512];
	uint16_t sum = 0;

	assert_int_equal(rte_eth_dev_get_eeprom_length(p->id), models[i].size);
	assert_int_equal(model_eeprom(p, true, 0x40, in, sizeof(in), MAGIC(models[i].device)), 0);
	assert_int_equal(model_eeprom(p, false, 0, all, models[i].size, 0), 0);
	assert_memory_equal(all, p->mac.addr_bytes, 6);
	assert_memory_equal(all + 0x40, in, sizeof(in));
	for (unsigned int k = 0; k < models[i].size; k += 2)
		sum += all[k] | all[k + 1] << 8;
	assert_int_equal(sum, 0xbaba);
}

static void
test_models_are_read_and_written(void **state)
{
	static struct fx_port p;

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(models); i++) {
		fx_open(&p, models[i].chip, NULL);
		write_and_read(&p, i);
		/* Also while it runs. */
		fx_start(&p, NULL);
		write_and_read(&p, i);
		fx_close(&p);
	}
}

/* Set the bit through ethdev; who attaches next finds it, and clears it if asked to. */
static void
test_standby_of_a_model(void **state)
{
	static struct fx_port p;
	static struct i8255x_hw hw;
	uint8_t word[2];

	(void)state;
	for (unsigned int i = 2; i < RTE_DIM(models); i++) {
		fx_open(&p, models[i].chip, NULL);
		assert_int_equal(model_eeprom(&p, false, 20, word, 2, 0), 0);
		word[0] |= 0x02;
		assert_int_equal(model_eeprom(&p, true, 20, word, 2, MAGIC(models[i].device)), 0);
		assert_int_equal(i8255x_hw_init(&hw, pw_dev_of(&rte_eth_devices[p.id])), 0);
		assert_int_equal(i8255x_nvm_init(&hw), 0);
		assert_int_equal(hw.flags & I8255X_F_ERR_STANDBY, I8255X_F_ERR_STANDBY);
		assert_int_equal(i8255x_standby_off(&hw), 0);
		assert_int_equal(model_eeprom(&p, false, 20, word, 2, 0), 0);
		assert_int_equal(word[0] & 0x02, 0);
		assert_int_equal(i8255x_hw_init(&hw, pw_dev_of(&rte_eth_devices[p.id])), 0);
		assert_int_equal(i8255x_nvm_init(&hw), 0);
		assert_int_equal(hw.flags & I8255X_F_ERR_STANDBY, 0);
		fx_close(&p);
	}
}

int
main(void)
{
#define T(name) cmocka_unit_test(test_##name)
	const struct CMUnitTest tests[] = {
		T(width_is_found),
		T(no_eeprom),
		T(damaged_contents),
		T(read_once_more_before_calling_it_damaged),
		T(address),
		T(writing_keeps_the_sum_right),
		T(protected_part),
		T(standby_is_cleared_when_asked_for),
		T(standby_of_a_part_that_does_not_mind),
		T(standby_in_a_word_that_looks_wrong),
		T(standby_write_that_fails),
		T(get_then_set_of_everything_changes_nothing),
		T(bad_requests_are_refused),
		T(dead_part_is_an_error),
		T(version),
		T(models_are_read_and_written),
		T(standby_of_a_model),
	};

	return cmocka_run_group_tests_name("i8255x_eeprom", tests, fx_setup, fx_teardown);
}
