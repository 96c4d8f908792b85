/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* i8255x: reset, self-test, commands, PCI (§2.3, §2.5, §5.1). */

#include <pw_pci.h>

#include "i8255x_card.h"

static uint64_t
us_since(uint64_t ns)
{
	return (pw_clock_now(&fx_clock) - ns) / 1000;
}

/* --- before reset ---------------------------------------------------------------------- */

static void
test_registers_through_io_space(void **state)
{
	(void)state;
	icard_make(0x1229, 0x08);
	icard_dev.bar[0].len = 0;
	icard_dev.bar[1].len = 32;
	assert_int_equal(i8255x_hw_init(&icard_hw, &icard_dev), 0);
	assert_ptr_equal(icard_hw.io, &icard_dev.bar[1]);
	assert_int_equal(i8255x_reset(&icard_hw), 0);
	assert_string_equal(icard.port, "SR");
}

static void
test_no_registers(void **state)
{
	(void)state;
	icard_make(0x1229, 0x08);
	icard_dev.bar[0].len = 32;
	icard_dev.bar[1].len = 0;
	log_capture_start();
	assert_int_equal(i8255x_hw_init(&icard_hw, &icard_dev), -ENXIO);
	log_capture_expect("check that the device is bound");
}

static void
test_another_makers_card(void **state)
{
	(void)state;
	icard_make(0x1229, 0x08);
	icard_dev.id.vendor_id = 0x10ec;
	assert_int_equal(i8255x_hw_init(&icard_hw, &icard_dev), -ENODEV);
}

static void
test_card_that_is_gone(void **state)
{
	(void)state;
	icard_make(0x1229, 0x08);
	icard.gone = true;
	log_capture_start();
	assert_int_equal(i8255x_hw_init(&icard_hw, &icard_dev), -ENODEV);
	log_capture_expect("all ones");

	icard_init(0x1229, 0x08);
	icard.gone = true;
	assert_int_equal(i8255x_reset(&icard_hw), -ENODEV);
	assert_int_equal(i8255x_wait_command(&icard_hw), -ENODEV);
	assert_int_equal(i8255x_command(&icard_hw, I8255X_CUC_START, 0x1000), -ENODEV);
	assert_int_equal(i8255x_load_bases(&icard_hw), -ENODEV);
	assert_int_equal(i8255x_abort_receive(&icard_hw), -ENODEV);
	log_capture_start();
	assert_int_equal(i8255x_selftest(&icard_hw, &(struct i8255x_selftest){ 0 }, 0x12340),
			 -ENODEV);
	log_capture_expect("does not end");
}

/* PCI power management 1.2 §5.6.1: ten milliseconds from D3hot; PME status is not touched. */
static void
test_card_is_woken_first(void **state)
{
	uint64_t before;

	(void)state;
	icard_make(0x1229, 0x08);
	icard.cfg[0xe0] = 0x03;
	icard.cfg[0xe1] = 0x81;
	before = pw_clock_now(&fx_clock);
	assert_int_equal(i8255x_hw_init(&icard_hw, &icard_dev), 0);
	assert_int_equal(icard.cfg[0xe0], 0x00);
	assert_int_equal(icard.cfg[0xe1], 0x81);
	assert_in_range(us_since(before), 10000, 11000);
}

static void
test_capability_list_that_loops(void **state)
{
	(void)state;
	icard_make(0x1229, 0x08);
	icard.cfg[0xdc] = 0x05;
	icard.cfg[0xdd] = 0xdc;
	assert_int_equal(pw_pci_cap(&icard_dev, PW_PCI_CAP_PM), 0);
	icard.cfg[0xdd] = 0x00;
	assert_int_equal(pw_pci_cap(&icard_dev, PW_PCI_CAP_PM), 0);
	icard.cfg[0xdd] = 0xe4;
	icard.cfg[0xe4] = 0x01;
	assert_int_equal(pw_pci_cap(&icard_dev, PW_PCI_CAP_PM), 0xe4);
	icard.cfg[0x06] = 0;
	assert_int_equal(pw_pci_cap(&icard_dev, PW_PCI_CAP_PM), 0);
}

/* --- reset (§2.5) ---------------------------------------------------------------------- */

/* The units first, then all; at least 10 us after each; interrupts off; then the bus master. */
static void
test_reset(void **state)
{
	uint64_t before;

	(void)state;
	icard_make(0x1229, 0x08);
	assert_int_equal(i8255x_hw_init(&icard_hw, &icard_dev), 0);
	icard.csr[I8255X_STATUS] = I8255X_STATUS_CUS_ACTIVE | I8255X_STATUS_RUS_READY;
	before = pw_clock_now(&fx_clock);
	assert_int_equal(i8255x_reset(&icard_hw), 0);
	assert_string_equal(icard.port, "SR");
	assert_in_range(us_since(before), 20, 1000);
	assert_int_equal(icard.csr[I8255X_INT_CTRL], 0x01);
	assert_int_equal(icard.master_at_reset & PW_PCI_COMMAND_MASTER, 0);
	assert_int_equal(icard.cfg[0x04], PW_PCI_COMMAND_MASTER | PW_PCI_COMMAND_MEMORY);
}

static void
test_reset_that_stops_nothing(void **state)
{
	uint64_t before;

	(void)state;
	icard_init(0x1229, 0x08);
	icard.cfg[0x04] = 0x02;
	icard.busy = true;
	before = pw_clock_now(&fx_clock);
	log_capture_start();
	assert_int_equal(i8255x_reset(&icard_hw), -ETIMEDOUT);
	log_capture_expect("reset failed: status 0x80");
	assert_in_range(us_since(before), 1000, 10000);
	/* It may not touch memory. */
	assert_int_equal(icard.cfg[0x04], 0x02);
}

static void
test_reset_with_a_command_that_stays(void **state)
{
	(void)state;
	icard_init(0x1229, 0x08);
	icard.cmd_stuck = true;
	icard.csr[I8255X_CMD] = 0x20;
	log_capture_start();
	assert_int_equal(i8255x_reset(&icard_hw), -ETIMEDOUT);
	log_capture_expect("command 0x20");
}

/* --- self-test (§2.5) ------------------------------------------------------------------ */

static void
test_selftest(void **state)
{
	static const struct {
		uint32_t result;
		const char *part;
	} t[] = {
		{ 0, NULL },
		{ 1u << 2, "0x00000004: ROM;" },
		{ 1u << 3 | 1u << 5, "0x00000028: registers diagnose;" },
		{ 1u << 12, "0x00001000: general;" },
	};
	struct i8255x_selftest buf __rte_aligned(16);

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		icard_init(0x1229, 0x08);
		icard.test = &buf;
		icard.test_result = t[i].result;
		log_capture_start();
		assert_int_equal(i8255x_selftest(&icard_hw, &buf, 0x12340),
				 t[i].result == 0 ? 0 : -EIO);
		log_capture_expect(t[i].part);
		assert_string_equal(icard.port, "SRT");
		/* It resets itself, and with that unmasks interrupts (§7). */
		assert_int_equal(icard.csr[I8255X_INT_CTRL], 0x01);
	}
}

static void
test_selftest_that_never_ends(void **state)
{
	struct i8255x_selftest buf;
	uint64_t before;

	(void)state;
	icard_init(0x1229, 0x08);
	/* What an earlier one left does not count. */
	buf = (struct i8255x_selftest){ .signature = 1, .result = 0 };
	before = pw_clock_now(&fx_clock);
	log_capture_start();
	assert_int_equal(i8255x_selftest(&icard_hw, &buf, 0x12340), -ETIMEDOUT);
	log_capture_expect("does not end");
	assert_in_range(us_since(before), 10000, 12000);
	assert_int_equal(icard.csr[I8255X_INT_CTRL], 0x01);
}

/* --- commands (§2.3) ------------------------------------------------------------------- */

static void
test_command_waits_for_the_last_one(void **state)
{
	(void)state;
	icard_init(0x1229, 0x08);
	for (unsigned int lag = 0; lag < 100; lag += 33) {
		icard.cmd_lag = lag;
		icard.nb_done = 0;
		assert_int_equal(i8255x_command(&icard_hw, I8255X_CUC_START, 0x1000), 0);
		assert_int_equal(i8255x_command(&icard_hw, I8255X_CUC_RESUME, 0xdead), 0);
		assert_int_equal(i8255x_command(&icard_hw, I8255X_RUC_START, 0x2000), 0);
		assert_int_equal(i8255x_command(&icard_hw, I8255X_CUC_NOP, 0xdead), 0);
		assert_int_equal(i8255x_command(&icard_hw, I8255X_CUC_DUMP_ADDR, 0x3000), 0);
		assert_int_equal(i8255x_command(&icard_hw, I8255X_CUC_DUMP_RESET, 0xdead), 0);
		assert_int_equal(i8255x_command(&icard_hw, I8255X_RUC_LOAD_BASE, 0x4000), 0);
		assert_int_equal(i8255x_wait_command(&icard_hw), 0);
		assert_int_equal(icard.nb_done, 7);
		assert_int_equal(icard.done[6].cmd, 0x06);
		assert_int_equal(icard.done[6].pointer, 0x4000);
		assert_int_equal(icard.done[0].cmd, 0x10);
		assert_int_equal(icard.done[0].pointer, 0x1000);
		/* One that takes none leaves the pointer alone. */
		assert_int_equal(icard.done[1].cmd, 0x20);
		assert_int_equal(icard.done[1].pointer, 0x1000);
		assert_int_equal(icard.done[2].cmd, 0x01);
		assert_int_equal(icard.done[2].pointer, 0x2000);
		assert_int_equal(icard.done[3].cmd, 0x00);
		assert_int_equal(icard.done[4].cmd, 0x40);
		assert_int_equal(icard.done[4].pointer, 0x3000);
		assert_int_equal(icard.done[5].cmd, 0x70);
		assert_int_equal(icard.done[5].pointer, 0x3000);
	}
}

/* A tenth of a second, then an error; and nothing is written over the one that is stuck. */
static void
test_command_byte_that_is_stuck(void **state)
{
	uint64_t before;

	(void)state;
	icard_init(0x1229, 0x08);
	icard.cmd_stuck = true;
	assert_int_equal(i8255x_command(&icard_hw, I8255X_CUC_START, 0x1000), 0);
	before = pw_clock_now(&fx_clock);
	assert_int_equal(i8255x_command(&icard_hw, I8255X_RUC_START, 0x2000), -ETIMEDOUT);
	assert_in_range(us_since(before), 90000, 110000);
	assert_int_equal(icard.nb_done, 1);
	assert_int_equal(i8255x_load_bases(&icard_hw), -ETIMEDOUT);
	assert_int_equal(i8255x_abort_receive(&icard_hw), -ETIMEDOUT);
	assert_int_equal(icard.nb_done, 1);
}

static void
test_bases_are_zero(void **state)
{
	uint32_t junk = 0x55555555;

	(void)state;
	icard_init(0x1229, 0x08);
	icard.cmd_lag = 3;
	memcpy(&icard.csr[I8255X_POINTER], &junk, 4);
	assert_int_equal(i8255x_load_bases(&icard_hw), 0);
	assert_int_equal(icard.nb_done, 2);
	assert_int_equal(icard.done[0].cmd, 0x60);
	assert_int_equal(icard.done[0].pointer, 0);
	assert_int_equal(icard.done[1].cmd, 0x06);
	assert_int_equal(icard.done[1].pointer, 0);
	/* Both are in force. */
	assert_int_equal(icard.csr[I8255X_CMD], 0);
}

/* The status byte lags behind the command byte (§2.1). */
static void
test_abort_waits_for_the_unit(void **state)
{
	(void)state;
	for (unsigned int lag = 0; lag < 50; lag += 7) {
		icard_init(0x1229, 0x08);
		icard.cmd_lag = 2;
		icard.idle_lag = lag;
		icard.csr[I8255X_STATUS] = I8255X_STATUS_CUS_SUSPENDED | I8255X_STATUS_RUS_READY;
		assert_int_equal(i8255x_abort_receive(&icard_hw), 0);
		assert_int_equal(icard.done[0].cmd, 0x04);
		/* The other unit is none of its business. */
		assert_int_equal(icard.csr[I8255X_STATUS], I8255X_STATUS_CUS_SUSPENDED);
	}
}

static void
test_abort_without_end(void **state)
{
	(void)state;
	icard_init(0x1229, 0x08);
	icard.cmd_lag = 2;
	icard.idle_lag = 1000000;
	icard.csr[I8255X_STATUS] = I8255X_STATUS_RUS_READY;
	assert_int_equal(i8255x_abort_receive(&icard_hw), -ETIMEDOUT);
}

/* --- a NOP before each resume (§7) ----------------------------------------------------- */

static void
test_resume_that_wants_a_nop(void **state)
{
	static const struct {
		uint16_t device;
		uint8_t rev;
		uint16_t id;		/* EEPROM word 0Ah: bit 1 is dynamic standby */
		uint32_t mbps;
		bool full, want;
	} t[] = {
		{ 0x2449, 0x03, 0x4000, 10, false, true },	/* hubs: 10 Mb half duplex */
		{ 0x2449, 0x03, 0x4000, 10, true, false },
		{ 0x2449, 0x03, 0x4000, 100, false, false },
		{ 0x2449, 0x03, 0x4000, 0, false, true },	/* nobody has looked since */
		{ 0x27dc, 0x01, 0x4000, 10, false, true },
		{ 0x1229, 0x08, 0x4002, 10, true, true },	/* standby: 10 Mb */
		{ 0x1229, 0x08, 0x4002, 10, false, true },
		{ 0x1229, 0x08, 0x4002, 100, true, false },
		{ 0x1229, 0x08, 0x4002, 0, false, true },
		{ 0x1229, 0x08, 0x4000, 10, true, false },
		{ 0x1229, 0x05, 0x4002, 10, false, false },
		{ 0x1229, 0x03, 0x4002, 10, false, false },
		{ 0x2449, 0x03, 0x4002, 10, true, true },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		icard_make(t[i].device, t[i].rev);
		icard.nvm[10] = t[i].id;
		icard_nvm_sum();
		assert_int_equal(i8255x_hw_init(&icard_hw, &icard_dev), 0);
		assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
		icard_hw.link = (struct pw_mii_link){ .up = t[i].mbps != 0, .speed = t[i].mbps,
						      .full_duplex = t[i].full };
		assert_int_equal(i8255x_resume_wants_nop(&icard_hw), t[i].want);
	}
}

/* --- on the models --------------------------------------------------------------------- */

static const char *const chips[] = { "82557b", "82558b", "82559c", "82551", "82562" };

/*
 * A chip that takes its time over every command: what is written over one that waits is lost,
 * and the model says so. Start, all that can be set, and stop go through.
 */
static void
test_chip_that_is_slow_to_take_commands(void **state)
{
	static struct fx_port p;
	static struct fx_frame f;
	struct rte_ether_addr mc[2] = { { { 1, 0, 0x5e, 0, 0, 1 } }, { { 1, 0, 0x5e, 0, 0, 2 } } };
	struct rte_mbuf *m;

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(chips); i++) {
		fx_open(&p, chips[i], NULL);
		assert_int_equal(pw_model_fault(p.model, PW_FAULT_SLOW_CMD, 200000), 0);
		fx_start(&p, NULL);
		assert_int_equal(rte_eth_promiscuous_enable(p.id), 0);
		assert_int_equal(rte_eth_promiscuous_disable(p.id), 0);
		assert_int_equal(rte_eth_dev_set_mc_addr_list(p.id, mc, 2), 0);
		fx_frame_build(&f, &(struct fx_spec){ .dst = { 1, 0, 0x5e, 0, 0, 2 } });
		fx_inject(&p, &f);
		assert_int_equal(fx_rx(&p, &m, 1), 1);
		fx_expect_mbuf(m, &f);
		fx_close(&p);
	}
}

/* Both units are at work: neither is afterwards. */
static void
test_reset_of_units_at_work(void **state)
{
	static struct fx_port p;

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(chips); i++) {
		struct i8255x_hw *hw;

		fx_open(&p, chips[i], NULL);
		fx_start(&p, NULL);
		hw = &i8255x_adapter_of(&rte_eth_devices[p.id])->hw;
		assert_int_equal(pw_read8(hw->io, I8255X_STATUS),
				 I8255X_STATUS_CUS_SUSPENDED | I8255X_STATUS_RUS_READY);
		assert_int_equal(i8255x_reset(hw), 0);
		assert_int_equal(pw_read8(hw->io, I8255X_STATUS), 0);
		assert_int_equal(pw_read8(hw->io, I8255X_INT_CTRL), 0x01);
		/* Stop asks for statistics, and says once more where to. */
		assert_int_equal(rte_eth_dev_stop(p.id), 0);
		fx_close(&p);
	}
}

static void
test_abort_of_a_receiver_at_work(void **state)
{
	static struct fx_port p;

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(chips); i++) {
		struct i8255x_hw *hw;

		fx_open(&p, chips[i], NULL);
		fx_start(&p, NULL);
		hw = &i8255x_adapter_of(&rte_eth_devices[p.id])->hw;
		rte_spinlock_lock(&hw->scb_lock);
		assert_int_equal(i8255x_abort_receive(hw), 0);
		rte_spinlock_unlock(&hw->scb_lock);
		assert_int_equal(pw_read8(hw->io, I8255X_STATUS) & I8255X_STATUS_RUS_MASK, 0);
		fx_close(&p);
	}
}

int
main(void)
{
#define T(name) cmocka_unit_test(test_##name)
	const struct CMUnitTest tests[] = {
		T(registers_through_io_space),
		T(no_registers),
		T(another_makers_card),
		T(card_that_is_gone),
		T(card_is_woken_first),
		T(capability_list_that_loops),
		T(reset),
		T(reset_that_stops_nothing),
		T(reset_with_a_command_that_stays),
		T(selftest),
		T(selftest_that_never_ends),
		T(command_waits_for_the_last_one),
		T(command_byte_that_is_stuck),
		T(bases_are_zero),
		T(abort_waits_for_the_unit),
		T(abort_without_end),
		T(resume_that_wants_a_nop),
		T(chip_that_is_slow_to_take_commands),
		T(reset_of_units_at_work),
		T(abort_of_a_receiver_at_work),
	};

	return cmocka_run_group_tests_name("i8255x_hw", tests, fx_setup, fx_teardown);
}
