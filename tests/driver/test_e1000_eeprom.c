/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* e1000: reading and writing the EEPROM by each of its ways (§4.1). */

#include "e1000_card.h"

#define MAGIC(device) ((uint32_t)(device) << 16 | 0x8086)

static int
eeprom(const struct fx_port *p, bool write, uint32_t offset, void *data, uint32_t len,
       uint32_t magic)
{
	struct rte_dev_eeprom_info info = {
		.data = data, .offset = offset, .length = len, .magic = magic,
	};

	return write ? rte_eth_dev_set_eeprom(p->id, &info) : rte_eth_dev_get_eeprom(p->id, &info);
}

/* §9.2: words 0 to 0x3f add up to 0xbaba. */
static void
expect_sum(const struct fx_port *p)
{
	uint8_t all[128];
	uint16_t sum = 0;

	assert_int_equal(eeprom(p, false, 0, all, sizeof(all), 0), 0);
	for (unsigned int i = 0; i < sizeof(all); i += 2)
		sum += all[i] | all[i + 1] << 8;
	assert_int_equal(sum, 0xbaba);
}

static void
write_and_read(struct fx_port *p, uint32_t magic)
{
	uint8_t in[6] = { 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc }, out[6];

	expect_sum(p);
	assert_int_equal(eeprom(p, true, 0x20, in, sizeof(in), magic), 0);
	assert_int_equal(eeprom(p, false, 0x20, out, sizeof(out), 0), 0);
	assert_memory_equal(in, out, sizeof(in));
	expect_sum(p);
	/* The driver's own look agrees. */
	assert_int_equal(e1000_nvm_check(&e1000_adapter_of(&rte_eth_devices[p->id])->hw), 0);
}

static void
test_words_written_are_read_back(void **state)
{
	static const struct {
		const char *chip;
		uint16_t device;
	} t[] = { { "82540em", 0x100e }, { "82572ei", 0x107d }, { "82574l", 0x10d3 } };
	static struct fx_port port;

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		fx_open(&port, t[i].chip, NULL);
		write_and_read(&port, MAGIC(t[i].device));
		/* Also while it runs. */
		fx_start(&port, NULL);
		write_and_read(&port, MAGIC(t[i].device));
		fx_close(&port);
	}
}

/* Whatever is written to the sum's own word, alone or with others. */
static void
test_checksum_stays_right(void **state)
{
	struct fx_port *p = *state;
	uint8_t data[128];

	memset(data, 0xa5, sizeof(data));
	assert_int_equal(eeprom(p, true, 0x7e, data, 2, MAGIC(0x100e)), 0);
	expect_sum(p);
	assert_int_equal(eeprom(p, true, 0x7c, data, 4, MAGIC(0x100e)), 0);
	expect_sum(p);
	assert_int_equal(eeprom(p, true, 0, data, sizeof(data), MAGIC(0x100e)), 0);
	expect_sum(p);
	assert_int_equal(eeprom(p, false, 0, data, 2, 0), 0);
	assert_int_equal(data[0], 0xa5);
}

static void
test_get_then_set_of_everything_changes_nothing(void **state)
{
	struct fx_port *p = *state;
	uint8_t before[128], after[128];
	struct rte_dev_eeprom_info info = { .data = before, .length = 128 };

	assert_int_equal(rte_eth_dev_get_eeprom_length(p->id), 128);
	assert_int_equal(rte_eth_dev_get_eeprom(p->id, &info), 0);
	assert_int_equal(rte_eth_dev_set_eeprom(p->id, &info), 0);
	assert_int_equal(eeprom(p, false, 0, after, 128, 0), 0);
	assert_memory_equal(before, after, 128);
}

static void
test_bad_requests_are_refused(void **state)
{
	static const struct {
		uint32_t offset, len, magic;
		const char *part;
	} t[] = {
		{ 0, 2, 0, "magic" },
		{ 0, 2, MAGIC(0x10d3), "magic" },
		{ 1, 2, MAGIC(0x100e), "whole words" },
		{ 0, 3, MAGIC(0x100e), "whole words" },
		{ 0, 0, MAGIC(0x100e), "whole words" },
		{ 128, 2, MAGIC(0x100e), "whole words" },
		{ 126, 4, MAGIC(0x100e), "whole words" },
		{ 2, UINT32_MAX - 1, MAGIC(0x100e), "whole words" },
	};
	struct fx_port *p = *state;
	uint8_t before[128], after[128], data[8] = { 0 };

	assert_int_equal(eeprom(p, false, 0, before, 128, 0), 0);
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		log_capture_start();
		assert_int_equal(eeprom(p, true, t[i].offset, data, t[i].len, t[i].magic), -EINVAL);
		log_capture_expect(t[i].part);
	}
	assert_int_equal(eeprom(p, false, 0, after, 128, 0), 0);
	assert_memory_equal(before, after, 128);
}

static void
test_silent_eeprom_is_an_error(void **state)
{
	struct fx_port *p = *state;
	uint8_t data[2] = { 0 };

	assert_int_equal(pw_model_fault(p->model, PW_FAULT_EEPROM_SILENT, 1), 0);
	log_capture_start();
	assert_true(eeprom(p, true, 0x20, data, 2, MAGIC(0x100e)) < 0);
	log_capture_expect("writing the EEPROM failed");
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_EEPROM_SILENT, 0), 0);
}

/* --- parts without a model ------------------------------------------------------------------- */

static uint16_t
card_sum(void)
{
	uint16_t sum = 0;

	for (unsigned int i = 0; i < CARD_NVM_WORDS; i++)
		sum += card.nvm[i];
	return sum;
}

static const struct {
	uint16_t device;
	uint32_t eecd;
	enum e1000_nvm_access by;
} cards[] = {
	{ 0x1004, 0, E1000_NVM_BY_MICROWIRE },
	{ 0x1008, 0, E1000_NVM_BY_MICROWIRE },
	{ 0x1079, 0, E1000_NVM_BY_MICROWIRE },
	{ 0x1013, 0, E1000_NVM_BY_MICROWIRE },
	{ 0x1076, E1000_EECD_TYPE, E1000_NVM_BY_SPI },
	{ 0x1075, E1000_EECD_TYPE | E1000_EECD_ADDR_BITS, E1000_NVM_BY_SPI },
	{ 0x105e, E1000_EECD_ADDR_BITS, E1000_NVM_BY_SPI },
	{ 0x107d, 0, E1000_NVM_BY_SPI },
	{ 0x108b, 0, E1000_NVM_BY_EEWR },
	{ 0x10d3, 0, E1000_NVM_BY_EEWR },
	{ 0x150c, 0, E1000_NVM_BY_EEWR },
};

static void
make_card(unsigned int i)
{
	card_init(cards[i].device);
	R(E1000_EECD) |= cards[i].eecd;
	card.eerd = true;
	assert_int_equal(e1000_nvm_check(&card_hw), 0);
	assert_int_equal(card_hw.nvm_write, cards[i].by);
}

static void
test_each_part_is_written_its_own_way(void **state)
{
	static const uint16_t data[3] = { 0x1234, 0xabcd, 0x0001 };

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(cards); i++) {
		make_card(i);
		assert_int_equal(e1000_write_nvm(&card_hw, 8, 3, data), 0);
		assert_memory_equal(&card.nvm[8], data, sizeof(data));
		/* Three words and the sum. */
		assert_int_equal(card.writes, 4);
		assert_int_equal(card_sum(), 0xbaba);
		assert_int_equal(e1000_nvm_check(&card_hw), 0);
		/* Pins and semaphores are given back, writing is disabled. */
		assert_false(card.writable);
		assert_int_equal(R(E1000_EECD) & E1000_EECD_REQ, 0);
		assert_int_equal(R(E1000_SWSM) & 3, 0);
		assert_int_equal(R(E1000_EXTCNF_CTRL) & E1000_EXTCNF_CTRL_MDIO_SW_OWN, 0);
		assert_int_equal(card.commits, 0);
	}
}

static void
test_protected_part_is_an_error(void **state)
{
	static const uint16_t data = 0x1234;

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(cards); i++) {
		make_card(i);
		card.protected = true;
		assert_int_equal(e1000_write_nvm(&card_hw, 8, 1, &data), -EIO);
		assert_int_equal(card_sum(), 0xbaba);
	}
}

/* A flash behind EEWR: what was written is a copy until it is committed (§4.1). */
static void
test_flash_is_committed_once(void **state)
{
	static const uint16_t data[2] = { 0x1234, 0x5678 };

	(void)state;
	make_card(8);
	R(E1000_EECD) |= E1000_EECD_FLASH_MASK | E1000_EECD_AUPDEN;
	assert_int_equal(e1000_write_nvm(&card_hw, 8, 2, data), 0);
	assert_int_equal(card.commits, 1);
	assert_int_equal(R(E1000_EECD) & E1000_EECD_AUPDEN, 0);
	assert_memory_equal(&card.nvm[8], data, sizeof(data));
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, fx_port_setup, fx_port_teardown)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words_written_are_read_back),
		T(checksum_stays_right),
		T(get_then_set_of_everything_changes_nothing),
		T(bad_requests_are_refused),
		T(silent_eeprom_is_an_error),
		cmocka_unit_test(test_each_part_is_written_its_own_way),
		cmocka_unit_test(test_protected_part_is_an_error),
		cmocka_unit_test(test_flash_is_committed_once),
	};

	return cmocka_run_group_tests_name("e1000_eeprom", tests, fx_setup, fx_teardown);
}
