/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * i8255x: which part a device and revision id mean, what it has and what ails it (§1.1, §1.2,
 * §7), and what the board's EEPROM and bus make of that.
 */

#include "i8255x_card.h"

static void
test_every_id_is_claimed_once(void **state)
{
#define ID(device, ...) device,
	static const uint16_t ids[] = { I8255X_ID_TABLE(ID) };
#undef ID
	struct rte_pci_id id = { .vendor_id = 0x8086, .class_id = 0x020000 };

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(ids); i++) {
		struct pw_driver *drv;

		id.device_id = ids[i];
		drv = pw_driver_find(&id);
		assert_non_null(drv);
		assert_string_equal(drv->name, "net_pw_i8255x");
		for (unsigned int j = 0; j < i; j++)
			assert_int_not_equal(ids[i], ids[j]);
		icard_init_phy(ids[i], 0x08);
		assert_string_equal(icard.port, "SR");
	}
	id.device_id = 0x100e;	/* an 82540EM is none of these */
	assert_null(strstr(pw_driver_find(&id)->name, "i8255x"));
}

/* --- §1.2, a column a letter ----------------------------------------------------------- */

/*
 * x extended TxCB, l long frames, f flow control, e extended statistics, t TCO statistics, p PMDR,
 * m magic packet, g general status, c raw Rx checksum, i IPCB, h hub, o PHY outside.
 */
static const struct {
	char letter;
	uint64_t flag;
} letters[] = {
	{ 'x', I8255X_F_EXT_TCB }, { 'l', I8255X_F_LONG }, { 'f', I8255X_F_FC },
	{ 'e', I8255X_F_EXT_STATS }, { 't', I8255X_F_TCO_STATS }, { 'p', I8255X_F_PMDR },
	{ 'm', I8255X_F_MAGIC }, { 'g', I8255X_F_GEN_STATUS }, { 'c', I8255X_F_RX_SUM },
	{ 'i', I8255X_F_IPCB }, { 'h', I8255X_F_ICH }, { 'o', I8255X_F_EXT_PHY },
};

static const struct {
	uint16_t device;
	uint8_t rev;
	const char *name, *has;
} parts[] = {
	{ 0x1229, 0x01, "82557 A", "o" },
	{ 0x1229, 0x02, "82557 B", "o" },
	{ 0x1229, 0x03, "82557 C", "o" },
	{ 0x1229, 0x04, "82558 A", "xlfepm" },
	{ 0x1229, 0x05, "82558 B", "xlfepm" },
	{ 0x1229, 0x06, "82559 A", "xlfepm" },
	{ 0x1229, 0x07, "82559 B", "xlfepm" },
	{ 0x1229, 0x08, "82559 C", "xlfetpmgc" },
	{ 0x1029, 0x08, "82559 C", "xlfetpmgc" },
	{ 0x1030, 0x08, "82559 C", "xlfetpmgc" },
	{ 0x1229, 0x09, "82559 S/ER", "xlfetpmgc" },
	{ 0x1209, 0x09, "82559 S/ER", "xlfetpg" },
	{ 0x1229, 0x0c, "82550", "xlfetpmgi" },
	{ 0x1229, 0x0d, "82550 C", "xlfetpmgi" },
	{ 0x1229, 0x0e, "82551 E", "xlfetpmgi" },
	{ 0x1229, 0x0f, "82551 F", "xlfetpmgi" },
	{ 0x1229, 0x10, "82551 10", "xlfetpmgi" },
	{ 0x1059, 0x10, "82551 10", "xlfetpmgi" },
	{ 0x1209, 0x0e, "82551 E", "xlfetpgi" },
	{ 0x1209, 0x10, "82551 10", "xlfetpgi" },
	{ 0x2449, 0x03, "82801 (ICH)", "xlfetpmgch" },
	{ 0x2449, 0x82, "82801 (ICH)", "xlfetpmgch" },
	{ 0x1031, 0x41, "82801 (ICH)", "xlfetpmgch" },
	{ 0x1039, 0x81, "82801 (ICH)", "xlfetpmgch" },
	{ 0x1050, 0x02, "82801 (ICH)", "xlfetpmgch" },
	{ 0x10fe, 0x01, "82801 (ICH)", "xlfetpmgch" },
	/* Ids between and beyond the known ones: as the one before; FFh is an 82557 A. */
	{ 0x1229, 0x00, "82557 A", "o" },
	{ 0x1229, 0xff, "82557 A", "o" },
	{ 0x1229, 0x0b, "82559 S/ER", "xlfetpmgc" },
	{ 0x1229, 0x11, "82551 10", "xlfetpmgi" },
};

static void
test_each_part_has_what_it_has(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(parts); i++) {
		bool is_557 = strchr(parts[i].has, 'o') != NULL;

		icard_init(parts[i].device, parts[i].rev);
		assert_string_equal(icard_hw.row.name, parts[i].name);
		for (unsigned int j = 0; j < RTE_DIM(letters); j++)
			assert_int_equal((icard_hw.flags & letters[j].flag) != 0,
					 strchr(parts[i].has, letters[j].letter) != NULL);
		/* 1518 bytes, 1522 with the long-frame bit that an 82557 lacks. */
		assert_int_equal(icard_hw.row.max_frame, is_557 ? 1518 : 1522);
		/* §6: 32-bit addresses, 14-bit sizes, even starts. */
		assert_int_equal(icard_hw.row.dma.addr_bits, 32);
		assert_int_equal(icard_hw.row.dma.max_seg_len, 0x3fff);
		assert_int_equal(icard_hw.row.dma.align, 2);
	}
}

/* EEPROM word 5 has the last word about being an 82557, but for hubs (§1.1). */
static void
test_eeprom_calls_it_an_82557(void **state)
{
	static const struct {
		uint16_t device;
		uint8_t rev;
		uint16_t word5;
		bool is_557;
	} t[] = {
		{ 0x1229, 0x08, 0x0102, true }, { 0x1229, 0x08, 0x0201, false },
		{ 0x1229, 0x02, 0x0100, true }, { 0x1229, 0x05, 0x01ff, true },
		{ 0x2449, 0x03, 0x0100, false },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		icard_make(t[i].device, t[i].rev);
		icard.nvm[5] = t[i].word5;
		icard_nvm_sum();
		assert_int_equal(i8255x_hw_init(&icard_hw, &icard_dev), 0);
		assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
		assert_int_equal((icard_hw.flags & I8255X_F_EXT_PHY) != 0, t[i].is_557);
		assert_int_equal((icard_hw.flags & I8255X_F_EXT_TCB) == 0, t[i].is_557);
		assert_int_equal(icard_hw.row.max_frame, t[i].is_557 ? 1518 : 1522);
	}
}

/* --- errata (§7) ----------------------------------------------------------------------- */

static void
expect_erratum(uint64_t flag, uint16_t device, uint8_t rev, uint16_t compat, uint16_t id, bool want)
{
	icard_make(device, rev);
	icard.nvm[3] = compat;
	icard.nvm[10] = id;
	icard_nvm_sum();
	assert_int_equal(i8255x_hw_init(&icard_hw, &icard_dev), 0);
	assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
	assert_int_equal((icard_hw.flags & flag) != 0, want);
}

static void
test_errata_that_the_eeprom_decides(void **state)
{
	static const struct {
		uint64_t flag;
		uint16_t device;
		uint8_t rev;
		uint16_t compat, id;
		bool want;
	} t[] = {
		/* Receiver lock-up: 82557, unless word 3 bits 1:0 are 11. */
		{ I8255X_F_ERR_LOCKUP, 0x1229, 0x01, 0x0000, 0x4000, true },
		{ I8255X_F_ERR_LOCKUP, 0x1229, 0x03, 0x0001, 0x4000, true },
		{ I8255X_F_ERR_LOCKUP, 0x1229, 0x03, 0x0002, 0x4000, true },
		{ I8255X_F_ERR_LOCKUP, 0x1229, 0x03, 0x0003, 0x4000, false },
		{ I8255X_F_ERR_LOCKUP, 0x1229, 0x05, 0x0000, 0x4000, false },
		/* Dynamic standby: 82559 C and later, ICH2 and ICH3, if word 0Ah bit 1 is on. */
		{ I8255X_F_ERR_STANDBY, 0x1229, 0x08, 0x0003, 0x4002, true },
		{ I8255X_F_ERR_STANDBY, 0x1229, 0x08, 0x0003, 0x4000, false },
		{ I8255X_F_ERR_STANDBY, 0x1229, 0x10, 0x0003, 0x4002, true },
		{ I8255X_F_ERR_STANDBY, 0x1229, 0x05, 0x0003, 0x4002, false },
		{ I8255X_F_ERR_STANDBY, 0x2449, 0x03, 0x0003, 0x4002, true },
		{ I8255X_F_ERR_STANDBY, 0x1031, 0x41, 0x0003, 0x4002, true },
		{ I8255X_F_ERR_STANDBY, 0x1038, 0x41, 0x0003, 0x4002, true },
		{ I8255X_F_ERR_STANDBY, 0x1039, 0x81, 0x0003, 0x4002, false },
		{ I8255X_F_ERR_STANDBY, 0x1050, 0x02, 0x0003, 0x4002, false },
		/* 82550 C on server boards: word 3 bit 10. */
		{ I8255X_F_ERR_FRAGMENTS, 0x1229, 0x0d, 0x0403, 0x4000, true },
		{ I8255X_F_ERR_FRAGMENTS, 0x1229, 0x0d, 0x0003, 0x4000, false },
		{ I8255X_F_ERR_FRAGMENTS, 0x1229, 0x0c, 0x0403, 0x4000, false },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++)
		expect_erratum(t[i].flag, t[i].device, t[i].rev, t[i].compat, t[i].id, t[i].want);
}

static void
test_errata_of_the_silicon(void **state)
{
	static const struct {
		uint64_t flag;
		uint16_t device;
		uint8_t rev;
		bool want;
	} t[] = {
		{ I8255X_F_ERR_10_HALF, 0x2449, 0x03, true },
		{ I8255X_F_ERR_10_HALF, 0x27dc, 0x01, true },
		{ I8255X_F_ERR_10_HALF, 0x1229, 0x08, false },
		{ I8255X_F_ERR_UCODE, 0x1229, 0x0f, true },
		{ I8255X_F_ERR_UCODE, 0x1209, 0x10, true },
		{ I8255X_F_ERR_UCODE, 0x1229, 0x0e, false },
		{ I8255X_F_ERR_TINY_CSUM, 0x1229, 0x0c, true },
		{ I8255X_F_ERR_TINY_CSUM, 0x1229, 0x08, false },
		{ I8255X_F_ERR_NO_SPACE, 0x1229, 0x03, true },
		{ I8255X_F_ERR_NO_SPACE, 0x1229, 0x04, false },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++)
		expect_erratum(t[i].flag, t[i].device, t[i].rev, 0x0003, 0x4000, t[i].want);
}

static void
test_server_board_is_told_what_it_loses(void **state)
{
	(void)state;
	icard_make(0x1229, 0x0d);
	icard.nvm[3] = 0x0403;
	icard_nvm_sum();
	assert_int_equal(i8255x_hw_init(&icard_hw, &icard_dev), 0);
	rte_log_set_level_pattern("pmd.net.pollwire", RTE_LOG_WARNING);
	log_capture_start();
	assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
	log_capture_expect("fragmented UDP");
	rte_log_set_level_pattern("pmd.net.pollwire", RTE_LOG_ERR);
}

int
main(void)
{
#define T(name) cmocka_unit_test(test_##name)
	const struct CMUnitTest tests[] = {
		T(every_id_is_claimed_once),
		T(each_part_has_what_it_has),
		T(eeprom_calls_it_an_82557),
		T(errata_that_the_eeprom_decides),
		T(errata_of_the_silicon),
		T(server_board_is_told_what_it_loses),
	};

	return cmocka_run_group_tests_name("i8255x_variants", tests, fx_setup, fx_teardown);
}
