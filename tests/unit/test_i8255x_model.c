/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* The 8255x models: identity, registers, PORT, interrupts, command unit, faults. */

#include <sched.h>

#include "i8255x_blocks.h"

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

static const char *const all_chips[] = {
	"82557b", "82558b", "82559c", "82559er", "82550", "82551", "82562",
};

static uint32_t
cus(struct card *c)
{
	return rd8(c, STATUS) & CUS_MASK;
}

/* --- PCI (§1.1) ------------------------------------------------------------------------------ */

static void
test_identity(void **state)
{
	static const struct {
		const char *chip;
		uint32_t id, revision, pm;
	} t[] = {
		{ "82557b", 0x12298086, 0x02, 0 },
		{ "82558b", 0x12298086, 0x05, 0xdc },
		{ "82559c", 0x12298086, 0x08, 0xdc },
		{ "82559er", 0x12098086, 0x09, 0xdc },
		{ "82550", 0x12298086, 0x0c, 0xdc },
		{ "82551", 0x12298086, 0x0e, 0xdc },
		{ "82562", 0x24498086, 0x03, 0xdc },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(t); i++) {
		const struct pw_model_opts opts = { .chip = t[i].chip };
		struct card *c = card_new(&opts);

		assert_int_equal(pw_model_cfg_read(c->m, 0x00, 4), t[i].id);
		assert_int_equal(pw_model_cfg_read(c->m, 0x08, 4), 0x02000000 | t[i].revision);
		assert_int_equal(pw_model_cfg_read(c->m, 0x34, 1), t[i].pm);
		if (t[i].pm != 0)
			assert_int_equal(pw_model_cfg_read(c->m, t[i].pm, 1), 0x01);
		/* 4 KiB of memory, 64 bytes of I/O, 128 KiB of flash */
		pw_model_cfg_write(c->m, 0x10, 0xffffffff, 4);
		pw_model_cfg_write(c->m, 0x14, 0xffffffff, 4);
		pw_model_cfg_write(c->m, 0x18, 0xffffffff, 4);
		assert_int_equal(pw_model_cfg_read(c->m, 0x10, 4) & ~0xfu, 0xfffff000);
		assert_int_equal(pw_model_cfg_read(c->m, 0x14, 4), 0xffffffc1);
		assert_int_equal(pw_model_cfg_read(c->m, 0x18, 4) & ~0xfu, 0xfffe0000);
		card_free(c);
	}
}

/* --- registers (§2) -------------------------------------------------------------------------- */

static void
test_reset_values(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(all_chips); i++) {
		const struct pw_model_opts opts = { .chip = all_chips[i] };
		struct card *c = card_new(&opts);

		pw_model_cfg_write(c->m, 0x04, 0x0007, 2);
		assert_int_equal(rd32(c, STATUS), 0); /* not masked: §2.4 */
		assert_int_equal(rd32(c, POINTER), 0);
		assert_int_equal(rd32(c, MDI), 0x10000000);
		assert_int_equal(rd32(c, 0x14), 0);
		card_free(c);
	}
}

static void
test_any_width(void **state)
{
	struct card *c = card_bare("82559c");
	unsigned int i;

	(void)state;
	for (i = 0; i < 4; i++)
		wr8(c, POINTER + i, 0x10 + i);
	assert_int_equal(rd32(c, POINTER), 0x13121110);
	wr16(c, POINTER + 2, 0xabcd);
	assert_int_equal(rd32(c, POINTER), 0xabcd1110);
	assert_int_equal(rd16(c, POINTER + 2), 0xabcd);
	assert_int_equal(rd8(c, POINTER + 3), 0xab);
	/* The I/O BAR is the same block. */
	assert_int_equal(pw_model_bar_read(c->m, 1, POINTER, 4), 0xabcd1110);
	pw_model_bar_write(c->m, 1, POINTER, 0x12345678, 4);
	assert_int_equal(rd32(c, POINTER), 0x12345678);
	/* Cause and command as the upper halves of words; the status byte may be written over. */
	wr8(c, INT_CTRL, 0x03);
	assert_int_equal(rd16(c, STATUS), ACK_SWI << 8);
	wr16(c, STATUS, ACK_SWI << 8);
	assert_int_equal(rd16(c, STATUS), 0);
	assert_int_equal(rd32(c, STATUS), 0x01000000);
	card_free(c);
}

static void
test_what_is_no_register(void **state)
{
	static const struct {
		const char *chip;
		uint32_t off;
	} t[] = {
		{ "82557b", EARLY_RX }, { "82557b", FC_THRESHOLD }, { "82557b", PMDR },
		{ "82557b", GEN_STATUS }, { "82558b", GEN_CTRL }, { "82558b", GEN_STATUS },
		{ "82559c", 0x1e }, { "82559c", 0x20 }, { "82551", 0x40 }, { "82562", 0xfff },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(t); i++) {
		struct card *c = card_bare(t[i].chip);

		assert_int_equal(rd8(c, t[i].off), 0);
		expect_violation(c, PW_VIOL_REG_UNDEFINED, "no such register");
		wr8(c, t[i].off, 1);
		expect_violation(c, PW_VIOL_REG_UNDEFINED, "no such register");
		card_free(c);
	}
}

static void
test_read_only_registers(void **state)
{
	static const uint32_t off[] = { STATUS, 0x14, 0x17, GEN_STATUS };
	struct card *c = card_bare("82559c");
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(off); i++) {
		wr8(c, off[i], 0xff);
		expect_violation(c, PW_VIOL_REG_READONLY, "read-only");
	}
	card_free(c);
}

static void
test_flash_is_empty(void **state)
{
	struct card *c = card_bare("82559c");

	(void)state;
	pw_model_bar_write(c->m, 2, 0x1fffc, 0, 4);
	assert_int_equal(pw_model_bar_read(c->m, 2, 0x1fffc, 4), 0xffffffff);
	assert_int_equal(pw_model_bar_read(c->m, 2, 0, 1), 0xff);
	card_free(c);
}

static void
test_general_status_tells_the_link(void **state)
{
	struct card *c = card_bare("82559c");

	(void)state;
	assert_int_equal(rd8(c, GEN_STATUS), 0x07); /* up, 100, full */
	pw_model_fault(c->m, PW_FAULT_LINK_DOWN, 1);
	assert_int_equal(rd8(c, GEN_STATUS), 0);
	assert_int_equal(rd8(c, PMDR) & 0x80, 0x80);
	wr8(c, PMDR, 0x80);
	assert_int_equal(rd8(c, PMDR), 0);
	card_free(c);
}

/* --- PORT (§2.5) ----------------------------------------------------------------------------- */

/* Registers go to their defaults, and only when the dword is complete. */
static void
test_port_acts_on_its_last_byte(void **state)
{
	struct card *c = card_bare("82559c");
	unsigned int i;

	(void)state;
	for (i = 0; i < 4; i++) {
		assert_int_equal(rd8(c, INT_CTRL), 0x01);
		wr8(c, PORT + i, 0);
	}
	assert_int_equal(rd8(c, INT_CTRL), 0x00);
	wait_us(c, 10);
	wr8(c, INT_CTRL, 0x01);
	wr16(c, PORT, 0);
	assert_int_equal(rd8(c, INT_CTRL), 0x01);
	wr16(c, PORT + 2, 0);
	assert_int_equal(rd8(c, INT_CTRL), 0x00);
	card_free(c);
}

static void
test_selective_reset_keeps_configuration(void **state)
{
	struct card *c = card_up("82559c");

	(void)state;
	execute(c, OP_IA, other_mac, 6);
	wr32(c, PORT, 2);
	wait_us(c, 10);
	assert_int_equal(rd8(c, STATUS), 0);
	assert_int_equal(rd8(c, INT_CTRL), 0x01);
	start_rx(c);
	arrive(c, other_mac, 60);
	assert_non_null(received(c));
	/* The software reset keeps nothing: the address is the EEPROM's again. */
	wr32(c, PORT, 0);
	wait_us(c, 10);
	start_rx(c);
	arrive(c, other_mac, 60);
	assert_null(received(c));
	card_free(c);
}

static void
test_commands_right_after_port_are_lost(void **state)
{
	struct card *c = card_bare("82559c");

	(void)state;
	wr32(c, PORT, 2);
	assert_int_equal(rd8(c, STATUS), 0); /* to flush the write */
	wr32(c, POINTER, 0x1000);
	expect_violation(c, PW_VIOL_PROTOCOL, "within 10 us");
	assert_int_equal(rd32(c, POINTER), 0);
	wait_us(c, 9);
	wr32(c, PORT, 0);
	expect_violation(c, PW_VIOL_PROTOCOL, "within 10 us");
	assert_int_equal(rd8(c, INT_CTRL), 0x01);
	wait_us(c, 1);
	wr32(c, PORT, 0);
	assert_int_equal(rd8(c, INT_CTRL), 0x00);
	card_free(c);
}

static void
test_self_test(void **state)
{
	struct card *c = card_bare("82559c");
	uint32_t *result = c->mem->stats;

	(void)state;
	result = (uint32_t *)(((uintptr_t)result + 15) & ~(uintptr_t)15);
	result[0] = 0;
	result[1] = 0xffffffff;
	wr32(c, PORT, bus(c, result) | 1);
	assert_int_not_equal(result[0], 0);
	assert_int_equal(result[1], 0);
	assert_int_equal(result[2], 0xeeeeeeee);
	assert_int_equal(rd8(c, INT_CTRL), 0x00); /* unmasked */
	/* Without bus mastering it cannot write. */
	wait_us(c, 10);
	result[0] = 0;
	pw_model_cfg_write(c->m, 0x04, 0x0003, 2);
	wr32(c, PORT, bus(c, result) | 1);
	assert_int_equal(result[0], 0);
	card_free(c);
}

static void
test_self_test_outside_memory_is_a_violation(void **state)
{
	struct card *c = card_bare("82559c");

	(void)state;
	wr32(c, PORT, 0x00abcde0 | 1);
	expect_violation(c, PW_VIOL_DMA, "not mapped");
	card_free(c);
}

/* 596 bytes (§3.1), neither more nor fewer. */
static void
test_dump(void **state)
{
	struct card *c = card_bare("82559c");
	struct list *l = list_new(c);
	uint32_t addr = at_list(l, l->data);
	unsigned int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		memset(l->data, 0xdd, 1024);
		if (i == 0)
			wr32(c, PORT, addr | 3);
		else
			execute(c, OP_DUMP, &addr, 4);
		assert_int_equal(l->data[595], 0x00);
		assert_int_equal(l->data[596], 0xdd);
		assert_int_equal(l->data[0], 0x16);
	}
	list_free(c, l);
}

static void
test_port_functions_that_are_not_there(void **state)
{
	struct card *c = card_bare("82559c");

	(void)state;
	wr32(c, PORT, 4);
	expect_violation(c, PW_VIOL_PROTOCOL, "PORT function 4");
	wr32(c, PORT, 0x1000);
	expect_violation(c, PW_VIOL_PROTOCOL, "no pointer");
	card_free(c);
}

static void
test_stuck_reset(void **state)
{
	struct card *c = card_bare("82559c");
	uint32_t *result = (uint32_t *)(((uintptr_t)c->mem->stats + 15) & ~(uintptr_t)15);

	(void)state;
	pw_model_fault(c->m, PW_FAULT_STUCK_RESET, 1);
	result[0] = 0;
	wr32(c, PORT, bus(c, result) | 1);
	wr8(c, CMD, CU_BASE);
	wait_us(c, 1000000);
	assert_int_equal(result[0], 0);
	assert_int_equal(rd8(c, CMD), CU_BASE);
	pw_model_fault(c->m, PW_FAULT_STUCK_RESET, 0);
	assert_int_equal(rd8(c, CMD), 0);
	wait_us(c, 10);
	wr32(c, PORT, bus(c, result) | 1);
	assert_int_not_equal(result[0], 0);
	card_free(c);
}

/* --- interrupts (§2.2, §2.4) ----------------------------------------------------------------- */

static void
test_interrupt_line(void **state)
{
	struct card *c = card_bare("82559c");

	(void)state;
	wr8(c, INT_CTRL, 0x03); /* SI and M: the cause, no interrupt */
	assert_int_equal(rd8(c, STAT_ACK), ACK_SWI);
	assert_int_equal(rd8(c, INT_CTRL), 0x01);
	assert_false(c->irq);
	wr8(c, INT_CTRL, 0x00);
	assert_true(c->irq);
	/* One more cause: no new edge. The line drops with the last. */
	execute(c, OP_NOP | CMD_I, "", 0);
	assert_int_equal(c->irqs, 1);
	assert_int_equal(rd8(c, STAT_ACK), ACK_SWI | ACK_CX | ACK_CNA);
	wr8(c, STAT_ACK, ACK_SWI | ACK_CX);
	assert_true(c->irq);
	wr8(c, STAT_ACK, ACK_CNA);
	assert_false(c->irq);
	assert_int_equal(rd8(c, STAT_ACK), 0);
	card_free(c);
}

static void
test_a_mask_a_cause(void **state)
{
	struct card *c = card_bare("82558b");

	(void)state;
	wr8(c, INT_CTRL, 0x80 | 0x20); /* CX and CNA */
	execute(c, OP_NOP | CMD_I, "", 0);
	assert_false(c->irq);
	wr8(c, INT_CTRL, 0x80);
	assert_true(c->irq);
	wr8(c, STAT_ACK, ACK_CNA);
	assert_false(c->irq);
	wr8(c, INT_CTRL, 0x7c);
	assert_true(c->irq);
	card_free(c);
}

/* A received frame, under each mask alone: only its own and M hold it back. */
static void
test_a_mask_is_of_one_cause(void **state)
{
	static const uint8_t mask[] = { 0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x01 };
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(mask); i++) {
		struct card *c = card_up("82559c");

		wr8(c, STAT_ACK, 0xff);
		wr8(c, INT_CTRL, mask[i]);
		arrive(c, card_mac, 60);
		assert_int_equal(c->irq, mask[i] != 0x40 && mask[i] != 0x01);
		card_free(c);
	}
}

static void
test_82557_has_one_mask(void **state)
{
	struct card *c = card_bare("82557b");

	(void)state;
	wr8(c, INT_CTRL, 0xa0);
	expect_violation(c, PW_VIOL_PROTOCOL, "no mask but M");
	execute(c, OP_NOP | CMD_I, "", 0);
	assert_true(c->irq);
	card_free(c);
}

/* --- command byte (§2.3) --------------------------------------------------------------------- */

static void
test_command_reads_non_zero_until_accepted(void **state)
{
	struct card *c = card_bare("82559c");

	(void)state;
	pw_model_fault(c->m, PW_FAULT_SLOW_CMD, 5000);
	wr32(c, POINTER, bus(c, c->mem->cb));
	memset(c->mem->cb, 0, sizeof(c->mem->cb));
	c->mem->cb[1] = CMD_EL;
	wr8(c, CMD, CU_START);
	wait_us(c, 4);
	assert_int_equal(rd8(c, CMD), CU_START);
	assert_int_equal(c->mem->cb[0], 0);
	/* What is written meanwhile is lost, and the pointer is read when it is accepted. */
	wr8(c, CMD, CU_BASE);
	expect_violation(c, PW_VIOL_PROTOCOL, "command 0x60 written while 0x10");
	wr32(c, POINTER, bus(c, &c->mem->cb[8]));
	expect_violation(c, PW_VIOL_PROTOCOL, "pointer changed");
	c->mem->cb[9] = CMD_EL;
	wait_us(c, 1);
	assert_int_equal(rd8(c, CMD), 0);
	assert_int_equal(c->mem->cb[0], 0);
	assert_int_equal(c->mem->cb[8], CB_C | CB_OK);
	card_free(c);
}

static void
test_one_unit_a_write(void **state)
{
	struct card *c = card_bare("82559c");

	(void)state;
	wr8(c, CMD, CU_BASE | RU_BASE);
	expect_violation(c, PW_VIOL_PROTOCOL, "both units");
	wr8(c, CMD, CU_BASE | 0x08);
	expect_violation(c, PW_VIOL_PROTOCOL, "bit 3");
	card_free(c);
}

static void
test_commands_that_a_part_has_not(void **state)
{
	struct card *c = card_bare("82557b");

	(void)state;
	wr8(c, CMD, CU_STATIC_RESUME);
	expect_violation(c, PW_VIOL_PROTOCOL, "0xa0 is not there");
	wr8(c, CMD, CU_HPQ_START);
	expect_violation(c, PW_VIOL_PROTOCOL, "high-priority");
	wr8(c, CMD, 0x80);
	expect_violation(c, PW_VIOL_PROTOCOL, "0x80 is not there");
	card_free(c);
}

/* --- the list (§3.1, §5.3) ------------------------------------------------------------------- */

static void
test_el_ends_in_idle(void **state)
{
	struct card *c = card_bare("82559c");

	(void)state;
	assert_int_equal(cus(c), CUS_IDLE);
	execute(c, OP_NOP, "", 0);
	assert_int_equal(cus(c), CUS_IDLE);
	assert_int_equal(rd8(c, STAT_ACK), ACK_CNA);
	/* Resume in idle is ignored. */
	c->mem->cb[0] = 0;
	command(c, CU_RESUME, 0);
	pw_model_poll(c->m);
	assert_int_equal(cus(c), CUS_IDLE);
	assert_int_equal(c->mem->cb[0], 0);
	card_free(c);
}

static void
test_s_suspends_until_it_is_cleared_and_a_resume_comes(void **state)
{
	static const uint8_t resume[] = { CU_RESUME, CU_STATIC_RESUME };
	unsigned int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		struct card *c = card_bare("82559c");
		struct list *l = list_new(c);

		l->b[0].cmd = OP_NOP;
		command(c, CU_START, at_list(l, &l->b[0]));
		assert_int_equal(l->b[0].status, CB_C | CB_OK);
		assert_int_equal(l->b[1].status, CB_C | CB_OK);
		assert_int_equal(l->b[2].status, 0);
		assert_int_equal(cus(c), CUS_SUSPENDED);
		assert_int_equal(rd8(c, STAT_ACK), ACK_CNA);
		/* S still there: suspended again. */
		command(c, resume[i], 0);
		assert_int_equal(cus(c), CUS_SUSPENDED);
		assert_int_equal(l->b[2].status, 0);
		/* S gone, but no resume: nothing happens. */
		l->b[1].cmd &= (uint16_t)~CMD_S;
		pw_model_poll(c->m);
		assert_int_equal(l->b[2].status, 0);
		command(c, resume[i], 0);
		assert_int_equal(l->b[2].status, CB_C | CB_OK);
		assert_int_equal(l->b[3].status, 0);
		assert_int_equal(cus(c), CUS_SUSPENDED);
		list_free(c, l);
	}
}

/* The unit is active at block 0, whose S it has read, as the transmitter stands still. */
static struct card *
card_active(struct list **list)
{
	struct card *c = card_up("82559c");
	struct list *l = list_new(c);

	pw_model_fault(c->m, PW_FAULT_TX_HANG, 1);
	l->b[0].cmd = OP_TX | CMD_SF | CMD_S;
	tx_head(&l->b[0], at_list(l, &l->b[0]) + 0x10, 0, 0xe0, 1);
	tx_tbd(&l->b[0], 0, at_list(l, l->data), 60);
	command(c, CU_START, at_list(l, &l->b[0]));
	assert_int_equal(cus(c), CUS_ACTIVE);
	*list = l;
	return c;
}

/* A driver that skips the resume because the unit is active falls asleep. */
static void
test_s_that_was_seen_holds_without_a_resume(void **state)
{
	struct list *l;
	struct card *c = card_active(&l);

	(void)state;
	l->b[0].cmd &= (uint16_t)~CMD_S;
	pw_model_fault(c->m, PW_FAULT_TX_HANG, 0);
	pw_model_poll(c->m);
	assert_int_equal(l->b[0].status, CB_C | CB_OK);
	assert_int_equal(l->b[1].status, 0);
	assert_int_equal(cus(c), CUS_SUSPENDED);
	list_free(c, l);
}

static void
test_resume_in_active_reads_s_again(void **state)
{
	struct list *l;
	struct card *c = card_active(&l);

	(void)state;
	l->b[0].cmd &= (uint16_t)~CMD_S;
	command(c, CU_RESUME, 0);
	pw_model_fault(c->m, PW_FAULT_TX_HANG, 0);
	pw_model_poll(c->m);
	assert_int_equal(l->b[1].status, CB_C | CB_OK);
	assert_int_equal(l->b[2].status, 0);
	assert_int_equal(cus(c), CUS_SUSPENDED);
	list_free(c, l);
}

/* The second of two resumes, written before the first is accepted, is lost (§7). */
static void
test_resume_upon_resume_is_lost(void **state)
{
	struct card *c = card_bare("82559c");
	struct list *l = list_new(c);

	(void)state;
	command(c, CU_START, at_list(l, &l->b[0]));
	assert_int_equal(cus(c), CUS_SUSPENDED);
	pw_model_fault(c->m, PW_FAULT_SLOW_CMD, 1000);
	l->b[0].cmd = 0;
	wr8(c, CMD, CU_RESUME);
	wr8(c, CMD, CU_RESUME);
	expect_violation(c, PW_VIOL_PROTOCOL, "lost");
	wait_us(c, 1);
	assert_int_equal(l->b[1].status, CB_C | CB_OK);
	assert_int_equal(rd8(c, CMD), 0);
	list_free(c, l);
}

static void
test_lost_doorbell(void **state)
{
	struct card *c = card_bare("82559c");
	struct list *l = list_new(c);

	(void)state;
	command(c, CU_START, at_list(l, &l->b[0]));
	l->b[0].cmd = 0;
	pw_model_fault(c->m, PW_FAULT_LOST_DOORBELL, 1);
	command(c, CU_RESUME, 0);
	assert_int_equal(l->b[1].status, 0);
	command(c, CU_RESUME, 0);
	assert_int_equal(l->b[1].status, CB_C | CB_OK);
	list_free(c, l);
}

static void
test_links_are_offsets(void **state)
{
	struct card *c = card_bare("82559c");
	struct list *l = list_new(c);
	unsigned int i;

	(void)state;
	for (i = 0; i < BLOCKS; i++)
		l->b[i].link -= 0x1fff0000;
	l->b[0].cmd = 0;
	command(c, CU_BASE, 0x1fff0000);
	command(c, CU_START, at_list(l, &l->b[0]) - 0x1fff0000);
	assert_int_equal(l->b[1].status, CB_C | CB_OK);
	list_free(c, l);
}

static void
test_start_and_base_while_active(void **state)
{
	struct list *l;
	struct card *c = card_active(&l);

	(void)state;
	wr32(c, POINTER, at_list(l, &l->b[4]));
	wr8(c, CMD, CU_START);
	expect_violation(c, PW_VIOL_PROTOCOL, "CU start while it is active");
	wr32(c, POINTER, 0);
	wr8(c, CMD, CU_BASE);
	expect_violation(c, PW_VIOL_PROTOCOL, "base loaded");
	pw_model_fault(c->m, PW_FAULT_TX_HANG, 0);
	pw_model_poll(c->m);
	assert_int_equal(l->b[0].status, CB_C | CB_OK);
	assert_int_equal(l->b[4].status, 0);
	list_free(c, l);
}

/* A list without an end keeps the chip busy, not the host that started it. */
static void
test_link_loop_ends_the_call(void **state)
{
	struct card *c = card_bare("82559c");
	struct list *l = list_new(c);
	unsigned int i;

	(void)state;
	for (i = 0; i < BLOCKS; i++)
		l->b[i].cmd = OP_NOP;
	command(c, CU_START, at_list(l, &l->b[0]));
	assert_int_equal(cus(c), CUS_ACTIVE);
	assert_true(pw_model_poll(c->m) > 0);
	assert_int_equal(cus(c), CUS_ACTIVE);
	wr32(c, PORT, 2);
	assert_int_equal(cus(c), CUS_IDLE);
	assert_int_equal(pw_model_poll(c->m), 0);
	assert_int_equal(c->viol_kind, PW_VIOL_DESC_OWNER); /* complete when met again */
	assert_non_null(strstr(c->viol, "complete already"));
	c->violations = 0;
	list_free(c, l);
}

static void
test_block_outside_memory(void **state)
{
	struct card *c = card_bare("82559c");
	struct list *l = list_new(c);

	(void)state;
	l->b[0].cmd = 0;
	l->b[0].link = 0x00abcdee;
	command(c, CU_START, at_list(l, &l->b[0]));
	assert_int_equal(l->b[0].status, CB_C | CB_OK);
	expect_violation(c, PW_VIOL_DMA, "0xabcdee: not mapped");
	assert_int_equal(cus(c), CUS_IDLE);
	list_free(c, l);
}

static void
test_list_waits_for_bus_mastering(void **state)
{
	struct card *c = card_bare("82559c");
	struct list *l = list_new(c);

	(void)state;
	pw_model_cfg_write(c->m, 0x04, 0x0003, 2);
	command(c, CU_START, at_list(l, &l->b[0]));
	assert_int_equal(l->b[0].status, 0);
	pw_model_cfg_write(c->m, 0x04, 0x0007, 2);
	pw_model_poll(c->m);
	assert_int_equal(l->b[0].status, CB_C | CB_OK);
	list_free(c, l);
}

static void
test_odd_and_reserved(void **state)
{
	struct card *c = card_bare("82559c");
	struct list *l = list_new(c);

	(void)state;
	l->b[0].cmd = CMD_S | 0x0040;
	command(c, CU_START, at_list(l, &l->b[0]));
	expect_violation(c, PW_VIOL_PROTOCOL, "reserved bits");
	memmove((uint8_t *)&l->b[2] + 1, &l->b[2], 8);
	command(c, CU_START, at_list(l, &l->b[2]) + 1);
	expect_violation(c, PW_VIOL_PROTOCOL, "odd");
	list_free(c, l);
	/* CID is reserved on an 82557. */
	c = card_bare("82557b");
	l = list_new(c);
	l->b[0].cmd = CMD_S | 0x0100;
	command(c, CU_START, at_list(l, &l->b[0]));
	expect_violation(c, PW_VIOL_PROTOCOL, "reserved bits");
	list_free(c, l);
}

/* --- CNA (§2.2, §3.1) ------------------------------------------------------------------------ */

static void
test_ci_keeps_suspension_quiet(void **state)
{
	struct card *c = card_bare("82559c");
	struct list *l = list_new(c);

	(void)state;
	configure_with(c, 22, 6, 0x3a);
	wr8(c, STAT_ACK, 0xff);
	command(c, CU_START, at_list(l, &l->b[0]));
	assert_int_equal(cus(c), CUS_SUSPENDED);
	assert_int_equal(rd8(c, STAT_ACK), 0);
	l->b[0].cmd = 0;
	l->b[1].cmd = CMD_EL;
	command(c, CU_RESUME, 0);
	assert_int_equal(rd8(c, STAT_ACK), ACK_CNA);
	list_free(c, l);
}

/* CID counts in 256 PCI clocks, about 8 us; a received frame takes the CNA along. */
static void
test_cid_delays_cna(void **state)
{
	struct card *c = card_up("82559c");
	struct list *l = list_new(c);

	(void)state;
	wr8(c, STAT_ACK, 0xff);
	l->b[0].cmd = CMD_S | 0x0200;
	command(c, CU_START, at_list(l, &l->b[0]));
	wait_us(c, 15);
	assert_int_equal(rd8(c, STAT_ACK), 0);
	wait_us(c, 1);
	assert_int_equal(rd8(c, STAT_ACK), ACK_CNA);
	wr8(c, STAT_ACK, 0xff);

	l->b[0].cmd = 0;
	l->b[1].cmd = CMD_S | 0x1f00;
	command(c, CU_RESUME, 0);
	assert_int_equal(rd8(c, STAT_ACK), 0);
	arrive(c, card_mac, 60);
	assert_int_equal(rd8(c, STAT_ACK), ACK_FR | ACK_CNA);
	wr8(c, STAT_ACK, 0xff);
	wait_us(c, 1000);
	assert_int_equal(rd8(c, STAT_ACK), 0);

	/* Active again before the time is up, and for longer: no CNA. */
	l->b[1].cmd = 0;
	l->b[2].cmd = CMD_S | 0x1f00;
	command(c, CU_RESUME, 0);
	l->b[2].cmd = 0;
	l->b[3].cmd = OP_TX | CMD_SF | CMD_S | 0x1f00;
	tx_head(&l->b[3], at_list(l, &l->b[3]) + 0x10, 0, 0xe0, 1);
	tx_tbd(&l->b[3], 0, at_list(l, l->data), 60);
	pw_model_fault(c->m, PW_FAULT_TX_HANG, 1);
	wait_us(c, 200);
	command(c, CU_RESUME, 0);
	wait_us(c, 100); /* 300 since the first: more than 31 * 8 */
	assert_int_equal(rd8(c, STAT_ACK), 0);
	pw_model_fault(c->m, PW_FAULT_TX_HANG, 0);
	pw_model_poll(c->m);
	wait_us(c, 247);
	assert_int_equal(rd8(c, STAT_ACK), 0);
	wait_us(c, 1);
	assert_int_equal(rd8(c, STAT_ACK), ACK_CNA);
	list_free(c, l);
}

/* --- Configure (§3.2) ------------------------------------------------------------------------ */

static void
test_configure_reserved_bits(void **state)
{
	static const struct {
		const char *chip;
		uint8_t byte, value;
	} t[] = {
		{ "82559c", 1, 0x88 }, { "82559c", 3, 0x10 }, { "82559c", 6, 0x30 },
		{ "82559c", 7, 0x0f }, { "82559c", 7, 0x27 }, { "82559c", 8, 0x03 },
		{ "82559c", 9, 0x02 }, { "82559c", 10, 0x2f }, { "82559c", 11, 0x08 },
		{ "82559c", 12, 0x62 }, { "82559c", 15, 0x08 }, { "82559c", 15, 0x40 },
		{ "82559c", 15, 0x68 }, { "82559c", 18, 0x72 }, { "82559c", 20, 0x2f },
		{ "82559c", 21, 0x04 }, { "82559c", 21, 0x15 },
		{ "82559er", 9, 0x01 }, { "82551", 9, 0x01 },
		{ "82557b", 3, 0x01 }, { "82557b", 6, 0x22 }, { "82557b", 6, 0x12 },
		{ "82557b", 6, 0x36 }, { "82557b", 8, 0x81 },
		{ "82557b", 9, 0x20 }, { "82557b", 18, 0xfa }, { "82557b", 19, 0xa2 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(t); i++) {
		struct card *c = card_bare(t[i].chip);
		/* 82h is what byte 19 of an 82557 is to be. */
		const uint8_t change[] = { 19, strcmp(t[i].chip, "82557b") == 0 ? 0x82 : 0x86,
					   t[i].byte, t[i].value };

		configure(c, change, 2, 22);
		expect_violation(c, PW_VIOL_PROTOCOL, "Configure byte");
		card_free(c);
	}
}

static void
test_configure_count(void **state)
{
	struct card *c = card_bare("82559c");

	(void)state;
	configure_with(c, 22, 0, 3);
	expect_violation(c, PW_VIOL_PROTOCOL, "with 3 bytes");
	configure(c, NULL, 0, 32);
	expect_violation(c, PW_VIOL_PROTOCOL, "with 32 bytes");
	configure(c, NULL, 0, 8);
	card_free(c);
	c = card_bare("82551");
	configure(c, NULL, 0, 32);
	configure_with(c, 32, 22, 0x05);
	expect_violation(c, PW_VIOL_PROTOCOL, "byte 22");
	card_free(c);
}

/* --- other commands (§3.1) ------------------------------------------------------------------- */

/*
 * Bits 7:2 of the address's CRC, as the CRC register has it: 7FA32D9Bh and so 38 for
 * 01:00:5e:00:00:01 and, worked out bit by bit, for ...:7e as well, 0 for ...:02.
 */
static void
test_multicast_hash(void **state)
{
	static const uint8_t set[8] = { 6, 0, 0x01, 0x00, 0x5e, 0x00, 0x00, 0x01 };
	static const uint8_t same[6] = { 0x01, 0x00, 0x5e, 0x00, 0x00, 0x7e };
	static const uint8_t other[6] = { 0x01, 0x00, 0x5e, 0x00, 0x00, 0x02 };
	struct card *c = card_up("82559c");

	(void)state;
	execute(c, OP_MULTICAST, set, sizeof(set));
	arrive(c, set + 2, 60);
	assert_non_null(received(c));
	arrive(c, same, 60);
	assert_non_null(received(c));
	arrive(c, other, 60);
	assert_null(received(c));
	/* A count of 0 clears the filter. */
	execute(c, OP_MULTICAST, "\0\0", 2);
	arrive(c, set + 2, 60);
	assert_null(received(c));
	card_free(c);
}

static void
test_multicast_setup_of_odd_length(void **state)
{
	static const uint8_t set[10] = { 7, 0, 0x01, 0x00, 0x5e, 0x00, 0x00, 0x01, 0x02 };
	struct card *c = card_up("82559c");

	(void)state;
	execute(c, OP_MULTICAST, set, sizeof(set));
	expect_violation(c, PW_VIOL_PROTOCOL, "Multicast Setup of 7 bytes");
	card_free(c);
}

static void
test_operations_of_some_parts(void **state)
{
	static const struct {
		const char *chip;
		uint16_t op;
		uint16_t status;
		const char *violation;
	} t[] = {
		{ "82557b", OP_DIAGNOSE, CB_C | CB_OK, NULL },
		{ "82557b", OP_UCODE, CB_C, "takes no microcode" },
		{ "82558b", OP_UCODE, CB_C | CB_OK, NULL },
		{ "82558b", OP_FILTER, CB_C, "no such operation" },
		{ "82559c", OP_FILTER, CB_C | CB_OK, NULL },
		{ "82559c", OP_IPCB, CB_C, "no such operation" },
		{ "82551", 0x000f, CB_C, "no such operation" },
		{ "82562", OP_UCODE, CB_C | CB_OK, "microcode breaks" },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(t); i++) {
		struct card *c = card_bare(t[i].chip);
		struct list *l = list_new(c);

		l->b[0].cmd = t[i].op | CMD_EL;
		command(c, CU_START, at_list(l, &l->b[0]));
		assert_int_equal(l->b[0].status, t[i].status);
		if (t[i].violation != NULL)
			expect_violation(c, PW_VIOL_PROTOCOL, t[i].violation);
		list_free(c, l);
	}
}

/* --- statistics (§3.6) ----------------------------------------------------------------------- */

static void
test_three_layouts_of_statistics(void **state)
{
	static const struct {
		const char *chip;
		uint8_t byte6;
		unsigned int marker;
	} t[] = {
		{ "82557b", 0x32, 0x40 },
		{ "82558b", 0x32, 0x40 }, { "82558b", 0x12, 0x4c },
		{ "82559c", 0x32, 0x40 }, { "82559c", 0x12, 0x4c }, { "82559c", 0x36, 0x50 },
		{ "82551", 0x36, 0x50 }, { "82562", 0x36, 0x50 },
	};
	unsigned int i, k;

	(void)state;
	for (i = 0; i < ARRAY_LEN(t); i++) {
		struct card *c = card_bare(t[i].chip);
		const uint8_t change[] = { 6, t[i].byte6, 19, 0x82 };
		uint32_t *s = c->mem->stats;

		configure(c, change, 2, 22);
		command(c, CU_DUMP_ADDR, bus(c, s));
		for (k = 0; k < 2; k++) {
			memset(s, 0xee, sizeof(c->mem->stats));
			command(c, k == 0 ? CU_DUMP : CU_DUMP_RESET, 0);
			assert_int_equal(s[t[i].marker / 4], k == 0 ? 0xa005 : 0xa007);
			assert_int_equal(s[t[i].marker / 4 - 1], 0);
			assert_int_equal(s[t[i].marker / 4 + 1], 0xeeeeeeee);
		}
		card_free(c);
	}
}

static void
test_dump_and_reset(void **state)
{
	struct card *c = card_up("82559c");

	(void)state;
	arrive(c, card_mac, 60);
	arrive(c, card_mac, 60);
	assert_int_equal(counter(c, S_RX_GOOD), 2);
	assert_int_equal(counter(c, S_RX_GOOD), 2);
	command(c, CU_DUMP_RESET, 0);
	assert_int_equal(c->mem->stats[S_RX_GOOD / 4], 2);
	assert_int_equal(counter(c, S_RX_GOOD), 0);
	card_free(c);
}

static void
test_statistics_address(void **state)
{
	struct card *c = card_bare("82559c");

	(void)state;
	wr8(c, CMD, CU_DUMP);
	expect_violation(c, PW_VIOL_PROTOCOL, "before their address");
	wr32(c, POINTER, bus(c, c->mem->stats) + 2);
	wr8(c, CMD, CU_DUMP_ADDR);
	expect_violation(c, PW_VIOL_PROTOCOL, "not on a dword");
	card_free(c);
}

/* --- errata (§7) ----------------------------------------------------------------------------- */

/* Pins of the EEPROM (§2.6): clock 1, select 2, data in 4. */
static void
nvm_bits(struct card *c, uint32_t bits, unsigned int n)
{
	while (n-- > 0) {
		uint32_t di = (bits >> n & 1) << 2;

		wr16(c, EEPROM, 2 | di);
		wr16(c, EEPROM, 3 | di);
		wr16(c, EEPROM, 2 | di);
	}
}

static void
nvm_write(struct card *c, unsigned int addr_bits, unsigned int addr, uint16_t word)
{
	wr16(c, EEPROM, 2);
	nvm_bits(c, 0x13, 5);	/* EWEN: start, 00, 11xx.. */
	nvm_bits(c, 0, addr_bits - 2);
	wr16(c, EEPROM, 0);
	wr16(c, EEPROM, 2);
	nvm_bits(c, 5, 3);	/* write: start, 01 */
	nvm_bits(c, addr, addr_bits);
	nvm_bits(c, word, 16);
	wr16(c, EEPROM, 0);
	wait_us(c, 20000);
}

static void
test_resume_out_of_dynamic_standby_hangs(void **state)
{
	static const struct {
		bool standby, nop, hangs;
	} t[] = { { false, false, false }, { true, false, true }, { true, true, false } };
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(t); i++) {
		struct card *c = card_bare("82559c");
		struct list *l = list_new(c);

		nvm_write(c, 6, 0x0a, t[i].standby ? 0x4022 : 0x4020);
		command(c, CU_START, at_list(l, &l->b[0]));
		l->b[0].cmd = 0;
		if (t[i].nop)
			wr8(c, CMD, 0);
		command(c, CU_RESUME, 0);
		assert_int_equal(l->b[1].status, t[i].hangs ? 0 : CB_C | CB_OK);
		if (t[i].hangs)
			expect_violation(c, PW_VIOL_PROTOCOL, "dynamic standby");
		list_free(c, l);
	}
}

/* --- faults ---------------------------------------------------------------------------------- */

static void
test_removed(void **state)
{
	struct card *c = card_up("82559c");

	(void)state;
	pw_model_fault(c->m, PW_FAULT_REMOVED, 1);
	assert_int_equal(rd8(c, STAT_ACK), 0xff);
	assert_int_equal(rd32(c, MDI), 0xffffffff);
	wr32(c, PORT, 0);
	arrive(c, card_mac, 60);
	assert_null(received(c));
	pw_model_fault(c->m, PW_FAULT_REMOVED, 0);
	assert_int_equal(rd8(c, STATUS) & RUS_MASK, RUS_READY);
	card_free(c);
}

static void
test_faults_have_names(void **state)
{
	(void)state;
	assert_int_equal(pw_fault_by_name("slow_cmd"), PW_FAULT_SLOW_CMD);
	assert_int_equal(pw_fault_by_name("tx_underrun"), PW_FAULT_TX_UNDERRUN);
	assert_int_equal(pw_fault_by_name("rx_lockup"), PW_FAULT_RX_LOCKUP);
	assert_int_equal(pw_fault_by_name("collisions"), PW_FAULT_COLLISIONS);
}

/* D3 and back: registers are lost, configuration space is not (PCI PM 1.1). */
static void
test_d3_resets(void **state)
{
	struct card *c = card_bare("82559c");

	(void)state;
	pw_model_cfg_write(c->m, 0xe0, 0x0003, 2);
	assert_int_equal(rd8(c, INT_CTRL), 0xff);
	pw_model_cfg_write(c->m, 0xe0, 0x0000, 2);
	assert_int_equal(rd8(c, INT_CTRL), 0x00);
	card_free(c);
}

/* --- asynchronous mode ----------------------------------------------------------------------- */

/* With a thread of its own the model takes commands in its own time, but it takes them all. */
static void
test_async_commands_are_all_taken(void **state)
{
	const struct pw_model_opts opts = { .chip = "82559c", .async = true };
	struct card *c = card_new(&opts);
	struct list *l = list_new(c);
	unsigned int i, n = 0;

	(void)state;
	pw_model_cfg_write(c->m, 0x04, 0x0007, 2);
	wr8(c, INT_CTRL, 0x01);
	wr32(c, POINTER, at_list(l, &l->b[0]));
	wr8(c, CMD, CU_START);
	for (i = 0; i < 1000; i++) {
		struct block *tail = &l->b[n % BLOCKS], *next = &l->b[(n + 1) % BLOCKS];

		while ((__atomic_load_n(&tail->status, __ATOMIC_ACQUIRE) & CB_C) == 0 ||
		       rd8(c, CMD) != 0)
			sched_yield();
		next->status = 0;
		next->cmd = CMD_S;
		__atomic_store_n(&tail->cmd, 0, __ATOMIC_RELEASE);
		wr8(c, CMD, CU_RESUME);
		n++;
	}
	while (rd8(c, CMD) != 0)
		sched_yield();
	list_free(c, l);
}

/* --- whatever a driver does ------------------------------------------------------------------ */

static uint32_t
rnd(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*seed >> 33);
}

/* What an 82551 is told, but for two bytes. */
static void
random_config(uint8_t *p, uint64_t *seed)
{
	static const uint8_t good[32] = {
		0x20, 0x08, 0, 0, 0, 0, 0x22, 0xa7, 0x01, 0, 0x2e, 0, 0x60, 0, 0xf2, 0x48, 0, 0x40,
		0xfa, 0x82, 0x3f, 0x05, 0x03,
	};
	unsigned int i;

	memcpy(p, good, sizeof(good));
	for (i = 0; i < 2; i++)
		p[rnd(seed) % sizeof(good)] ^= (uint8_t)(1u << rnd(seed) % 8);
}

/* Three buffers of one of the packets in data[], mostly as their header says. */
static void
random_ipcb(struct list *l, struct block *b, uint64_t *seed)
{
	uint32_t at = at_list(l, l->data) + rnd(seed) % 16 * 4096;
	uint32_t rest = 1 + rnd(seed) % 3000;
	uint16_t mss = 946, payload = (uint16_t)(rest + 500);

	put32(b->param, at_list(l, b) + 0x20);
	memset(b->param + 4, 0, 12);
	b->param[6] = 0xe0;
	b->param[7] = 0xff;
	b->param[0x12 - 8] = (uint8_t)(rnd(seed) & 0xf0);
	b->param[0x13 - 8] = (uint8_t)(rnd(seed) & 0x02) | (rnd(seed) % 8 != 0);
	if ((b->param[0x12 - 8] & 0x80) != 0) {
		b->param[0x12 - 8] |= rnd(seed) % 4 != 0 ? 0x70 : 0;
		memcpy(b->param + 6, &mss, 2);
	}
	put32(&b->param[0x18 - 8], at);
	put32(&b->param[0x1c - 8], 54 | (uint32_t)payload << 16);
	put32(&b->param[0x20 - 8], at + 54);
	put32(&b->param[0x24 - 8], 500);
	put32(&b->param[0x28 - 8], at + 554);
	put32(&b->param[0x2c - 8], rest | 0x8000);
	if (rnd(seed) % 4 == 0)
		b->param[rnd(seed) % sizeof(b->param)] ^= (uint8_t)(1u << rnd(seed) % 8);
}

/* A block that is right in most places: what is wrong then gets further. */
static void
random_block(struct list *l, struct block *b, uint64_t *seed)
{
	static const uint16_t ops[] = { 0, 1, 2, 3, 4, 4, 12, 12, 12, 9, 9, 9, 5, 6, 7, 8 };
	unsigned int i;

	for (i = 0; i < sizeof(b->param); i++)
		b->param[i] = (uint8_t)rnd(seed);
	b->status = rnd(seed) % 8 == 0 ? (uint16_t)rnd(seed) : 0;
	b->cmd = ops[rnd(seed) % ARRAY_LEN(ops)] | (rnd(seed) & (CMD_S | CMD_I));
	if (rnd(seed) % 4 == 0)
		b->cmd |= rnd(seed) & 0xfff0;
	b->link = at_list(l, &l->b[rnd(seed) % BLOCKS]) + (rnd(seed) % 16 == 0 ? rnd(seed) : 0);
	put32(b->param, at_list(l, l->data) + rnd(seed) % sizeof(l->data));
	b->param[5] &= rnd(seed) % 2 == 0 ? 0x81 : 0xff;
	b->param[7] = rnd(seed) % 3 == 0 ? 0xff : rnd(seed) % 5;
	for (i = 8; i < sizeof(b->param); i += 8) {
		put32(b->param + i, at_list(l, l->data) + rnd(seed) % sizeof(l->data));
		put32(b->param + i + 4, (rnd(seed) & 0x7ff) | (rnd(seed) & 0x18000));
	}
	if ((b->cmd & 0xf) == OP_CONFIG)
		random_config(b->param, seed);
	else if ((b->cmd & 0xf) == OP_IPCB && rnd(seed) % 4 != 0)
		random_ipcb(l, b, seed);
}

static void
random_data(struct list *l, uint64_t *seed)
{
	unsigned int i;

	for (i = 0; i < sizeof(l->data); i += 4)
		put32(l->data + i, rnd(seed));
	/* IPv4, TCP or UDP, as long as a segment of 946 bytes (03DAh with headers is 986) */
	for (i = 0; i < sizeof(l->data); i += 4096) {
		memcpy(l->data + i + 12, "\x08\x00\x45\x00\x03\xda", 6);
		l->data[i + 23] = i % 8192 == 0 ? 6 : 17;
		memset(l->data + i + 20, 0, 2);
		l->data[i + 46] = 0x50;
	}
}

static void
random_step(struct card *c, struct list *l, uint64_t *seed)
{
	static const uint8_t cmds[] = { 0x10, 0x20, 0x20, 0x20, 0x40, 0x50, 0x60, 0x70, 0xa0, 1, 2,
					4, 6, 0, 7 };
	uint32_t where = rnd(seed) % 2 == 0 ? at_list(l, &l->b[rnd(seed) % BLOCKS])
					    : bus(c, &c->mem->rfd[rnd(seed) % RFDS]);
	uint8_t f[1600];

	switch (rnd(seed) % 8) {
	case 0:
	case 1:
		random_block(l, &l->b[rnd(seed) % BLOCKS], seed);
		break;
	case 2:
	case 3:
		wr32(c, POINTER, rnd(seed) % 16 == 0 ? rnd(seed) : where);
		wr8(c, CMD, cmds[rnd(seed) % sizeof(cmds)]);
		break;
	case 4:
		pw_model_bar_write(c->m, rnd(seed) % 2, rnd(seed) % 64 & ~3u, rnd(seed),
				   1u << rnd(seed) % 3);
		break;
	case 5:
		pw_model_bar_read(c->m, rnd(seed) % 3, rnd(seed) % 64 & ~3u, 1u << rnd(seed) % 3);
		break;
	case 6:
		make_frame(f, rnd(seed) % 2 == 0 ? card_mac : broadcast, sizeof(f));
		pw_wire_send(c->peer, f, 14 + rnd(seed) % (sizeof(f) - 14), rnd(seed) % 4);
		pw_model_poll(c->m);
		break;
	default:
		if (rnd(seed) % 16 == 0)
			pw_model_fault(c->m, rnd(seed) % PW_FAULT_MAX, rnd(seed) % 4);
		if (rnd(seed) % 64 == 0)
			wr32(c, PORT, rnd(seed) % 3);
		wait_us(c, rnd(seed) % 50);
	}
}

/* After a reset, as a good driver leaves it. */
static void
random_bring_up(struct card *c, const char *chip)
{
	unsigned int f;

	for (f = 0; f < PW_FAULT_MAX; f++)
		pw_model_fault(c->m, f, 0);
	pw_model_reset(c->m);
	pw_model_cfg_write(c->m, 0x04, 0x0007, 2);
	if (strncmp(chip, "8255", 4) == 0 && chip[4] < '7')
		configure_with(c, 32, 6, 0x02, 7, 0xa7, 18, 0xfa, 19, 0x82, 22, 0x03);
	else
		configure(c, NULL, 0, 22);
	start_rx(c);
}

/* Sanitizers judge; the model has to come back from each call. */
static void
test_random_drivers(void **state)
{
	unsigned int i, k;

	(void)state;
	for (i = 0; i < ARRAY_LEN(all_chips); i++) {
		struct card *c = card_bare(all_chips[i]);
		struct list *l = list_new(c);
		uint64_t seed = i + 1;

		random_data(l, &seed);
		for (k = 0; k < 20000; k++) {
			if (k % 250 == 0)
				random_bring_up(c, all_chips[i]);
			random_step(c, l, &seed);
		}
		assert_true(c->violations != 0);
		c->violations = 0;
		list_free(c, l);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_identity),
		cmocka_unit_test(test_reset_values),
		cmocka_unit_test(test_any_width),
		cmocka_unit_test(test_what_is_no_register),
		cmocka_unit_test(test_read_only_registers),
		cmocka_unit_test(test_flash_is_empty),
		cmocka_unit_test(test_general_status_tells_the_link),
		cmocka_unit_test(test_port_acts_on_its_last_byte),
		cmocka_unit_test(test_selective_reset_keeps_configuration),
		cmocka_unit_test(test_commands_right_after_port_are_lost),
		cmocka_unit_test(test_self_test),
		cmocka_unit_test(test_self_test_outside_memory_is_a_violation),
		cmocka_unit_test(test_dump),
		cmocka_unit_test(test_port_functions_that_are_not_there),
		cmocka_unit_test(test_stuck_reset),
		cmocka_unit_test(test_interrupt_line),
		cmocka_unit_test(test_a_mask_a_cause),
		cmocka_unit_test(test_a_mask_is_of_one_cause),
		cmocka_unit_test(test_82557_has_one_mask),
		cmocka_unit_test(test_command_reads_non_zero_until_accepted),
		cmocka_unit_test(test_one_unit_a_write),
		cmocka_unit_test(test_commands_that_a_part_has_not),
		cmocka_unit_test(test_el_ends_in_idle),
		cmocka_unit_test(test_s_suspends_until_it_is_cleared_and_a_resume_comes),
		cmocka_unit_test(test_s_that_was_seen_holds_without_a_resume),
		cmocka_unit_test(test_resume_in_active_reads_s_again),
		cmocka_unit_test(test_resume_upon_resume_is_lost),
		cmocka_unit_test(test_lost_doorbell),
		cmocka_unit_test(test_links_are_offsets),
		cmocka_unit_test(test_start_and_base_while_active),
		cmocka_unit_test(test_link_loop_ends_the_call),
		cmocka_unit_test(test_block_outside_memory),
		cmocka_unit_test(test_list_waits_for_bus_mastering),
		cmocka_unit_test(test_odd_and_reserved),
		cmocka_unit_test(test_ci_keeps_suspension_quiet),
		cmocka_unit_test(test_cid_delays_cna),
		cmocka_unit_test(test_configure_reserved_bits),
		cmocka_unit_test(test_configure_count),
		cmocka_unit_test(test_multicast_hash),
		cmocka_unit_test(test_multicast_setup_of_odd_length),
		cmocka_unit_test(test_operations_of_some_parts),
		cmocka_unit_test(test_three_layouts_of_statistics),
		cmocka_unit_test(test_dump_and_reset),
		cmocka_unit_test(test_statistics_address),
		cmocka_unit_test(test_resume_out_of_dynamic_standby_hangs),
		cmocka_unit_test(test_removed),
		cmocka_unit_test(test_faults_have_names),
		cmocka_unit_test(test_d3_resets),
		cmocka_unit_test(test_async_commands_are_all_taken),
		cmocka_unit_test(test_random_drivers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
