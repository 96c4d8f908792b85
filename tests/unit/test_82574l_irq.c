/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* The 82574L model: causes, masks, MSI-X, and what accesses of ICR clear (§2.2). */

#include "e1000_82574l.h"

#define ROUTE_ALL (0x8 | 0x9 << 4 | 0xa << 8 | 0xb << 12 | 0xc << 16) /* 0, 1, 2, 3, 4 */

/* MSI-X with IVAR, no throttling. */
static struct card *
x_msix(uint32_t ivar)
{
	struct card *c = x_new();
	unsigned int v;

	x_msix_on(c);
	for (v = 0; v < 5; v++)
		wr(c, EITR + 4 * v, 0);
	wr(c, IVAR, ivar);
	(void)rd(c, ICR);
	return c;
}

static void
expect_sent(struct card *c, unsigned int vector, unsigned int times)
{
	unsigned int v;

	for (v = 0; v < 5; v++)
		if (c->sent[v] != (v == vector ? times : 0))
			fail_msg("vector %u: %u messages", v, c->sent[v]);
	memset(c->sent, 0, sizeof(c->sent));
}

/* --- routing ------------------------------------------------------------------------------- */

/* IVAR: RXQ0 3:0, RXQ1 7:4, TXQ0 11:8, TXQ1 15:12, OTHER 19:16; bit 3 of each is "valid" (§2.1). */
static void
test_each_cause_goes_where_ivar_says(void **state)
{
	static const struct {
		uint32_t ivar, cause;
		unsigned int vector;	/* 5: none */
	} t[] = {
		{ 0x0000000b, ICR_RXQ0, 3 }, { 0x000000c0, ICR_RXQ1, 4 },
		{ 0x00000800, ICR_TXQ0, 0 }, { 0x0000a000, ICR_TXQ1, 2 },
		{ 0x00090000, ICR_OTHER, 1 },
		{ 0x00090000, ICR_LSC, 1 }, { 0x00090000, ICR_RXO, 1 },	/* by way of OTHER */
		{ 0x00090000, ICR_MDAC, 1 }, { 0x00090000, ICR_SRPD, 1 },
		{ 0x00090000, ICR_ACK, 1 },
		{ 0x00000003, ICR_RXQ0, 5 },	/* not valid */
		{ 0x0000000d, ICR_RXQ0, 5 },	/* no such vector */
		{ ROUTE_ALL, ICR_RXT0, 5 }, { ROUTE_ALL, ICR_TXDW, 5 },	/* in no route */
		{ ROUTE_ALL, ICR_RXDMT0, 5 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct card *c = x_msix(t[i].ivar);

		wr(c, IMS, 0x01f7ffff);
		wr(c, ICS, t[i].cause);
		expect_sent(c, t[i].vector, 1);
		assert_false(pw_model_cfg_read(c->m, 0x06, 2) & 0x8); /* not by the line */
		card_free(c);
	}
}

static void
test_masked_causes_send_nothing_until_unmasked(void **state)
{
	struct card *c = x_msix(ROUTE_ALL);

	(void)state;
	wr(c, IMS, ICR_RXQ0);
	wr(c, ICS, ICR_TXQ1 | ICR_LSC);
	expect_sent(c, 0, 0);
	wr(c, IMS, ICR_TXQ1);
	expect_sent(c, 3, 1);
	wr(c, IMS, ICR_LSC); /* OTHER is what is routed */
	expect_sent(c, 4, 0);
	wr(c, IMS, ICR_OTHER);
	expect_sent(c, 4, 1);
	card_free(c);
}

/* Two causes of one vector are one message; a cause that is still there is not told again. */
static void
test_a_cause_is_told_once(void **state)
{
	struct card *c = x_msix(0x8 | 0x8 << 8);

	(void)state;
	wr(c, IMS, ICR_RXQ0 | ICR_TXQ0);
	wr(c, ICS, ICR_RXQ0 | ICR_TXQ0);
	expect_sent(c, 0, 1);
	wr(c, ICS, ICR_RXQ0);
	wr(c, IMS, ICR_RXQ0);
	expect_sent(c, 0, 0);
	wr(c, ICR, ICR_RXQ0);
	wr(c, ICS, ICR_RXQ0);
	expect_sent(c, 0, 1);
	/* Masked and unmasked, what is there counts as new. */
	wr(c, IMC, ICR_RXQ0);
	wr(c, IMS, ICR_RXQ0);
	expect_sent(c, 0, 1);
	card_free(c);
}

static void
test_link_changes_come_as_other(void **state)
{
	struct card *c = x_msix(ROUTE_ALL);

	(void)state;
	wr(c, IMS, ICR_OTHER | ICR_LSC);
	pw_model_fault(c->m, PW_FAULT_LINK_DOWN, 1);
	expect_sent(c, 4, 1);
	assert_int_equal(rd(c, ICR), ICR_LSC | ICR_OTHER | ICR_ASSERTED);
	pw_model_fault(c->m, PW_FAULT_LINK_DOWN, 0);
	expect_sent(c, 4, 1);
	card_free(c);
}

static void
test_queues_have_causes_of_their_own(void **state)
{
	struct card *c = x_msix(ROUTE_ALL);
	uint8_t f[60];

	(void)state;
	make_frame(f, peer_mac, sizeof(f));
	x_start_tx(c);
	x_start_rx(c, 0);
	(void)rd(c, ICR);
	wr(c, IMS, ICR_RXQ0 | ICR_RXQ1 | ICR_TXQ0 | ICR_TXQ1);
	put_buf(c, f, sizeof(f), SEND);
	ring(c);
	expect_sent(c, 2, 1);
	arrive(c, card_mac, 60);
	expect_sent(c, 0, 1);
	assert_int_equal(rd(c, ICR) & (ICR_RXT0 | ICR_TXDW | ICR_OTHER), 0);
	assert_int_equal(rd(c, IAC), 2);
	card_free(c);
}

/* --- automatic clearing and masking -------------------------------------------------------- */

static void
test_eiac_clears_with_the_message(void **state)
{
	struct card *c = x_msix(ROUTE_ALL);

	(void)state;
	wr(c, EIAC, ICR_RXQ0);
	wr(c, IMS, ICR_RXQ0 | ICR_TXQ0);
	wr(c, ICS, ICR_RXQ0 | ICR_TXQ0);
	assert_int_equal(rd(c, ICS) & (ICR_RXQ0 | ICR_TXQ0), ICR_TXQ0);
	assert_int_equal(rd(c, IMS), ICR_RXQ0 | ICR_TXQ0);
	memset(c->sent, 0, sizeof(c->sent));
	wr(c, ICS, ICR_RXQ0); /* again, with no access of ICR in between */
	expect_sent(c, 0, 1);
	card_free(c);
}

/* With EIAME the bits of IAM are masked: what Linux relies on while it polls. */
static void
test_eiame_masks_with_the_message(void **state)
{
	struct card *c = x_msix(ROUTE_ALL);

	(void)state;
	wr(c, CTRL_EXT, EXT_EIAME);
	wr(c, IAM, 0xffffffff);
	wr(c, EIAC, ICR_RXQ0 | ICR_TXQ0);
	wr(c, IMS, ICR_RXQ0 | ICR_TXQ0 | ICR_OTHER);
	wr(c, ICS, ICR_RXQ0);
	expect_sent(c, 0, 1);
	assert_int_equal(rd(c, IMS), ICR_TXQ0 | ICR_OTHER);
	wr(c, ICS, ICR_RXQ0);
	expect_sent(c, 0, 0);
	wr(c, IMS, ICR_RXQ0);
	expect_sent(c, 0, 1);
	wr(c, IAM, 0);
	wr(c, ICS, ICR_TXQ0);
	assert_int_equal(rd(c, IMS) & ICR_TXQ0, ICR_TXQ0);
	card_free(c);
}

/* --- reading and writing ICR --------------------------------------------------------------- */

/* By the line or MSI a read clears all, whatever is masked. */
static void
test_icr_read_clears_all_without_msix(void **state)
{
	static const uint32_t ims[] = { 0, ICR_TXDW, ICR_LSC };
	unsigned int i, msi;

	(void)state;
	for (i = 0; i < 3; i++) {
		for (msi = 0; msi < 2; msi++) {
			struct card *c = x_new();
			uint32_t asserted = ims[i] == ICR_LSC ? ICR_ASSERTED : 0;

			wr(c, ITR, 0);
			(void)rd(c, ICR);
			pw_model_cfg_write(c->m, 0xd2, msi, 2);
			wr(c, IMS, ims[i]);
			wr(c, ICS, ICR_LSC);
			assert_int_equal(c->sent[0], ims[i] == ICR_LSC);
			assert_int_equal(rd(c, ICR), ICR_LSC | asserted);
			assert_int_equal(rd(c, ICR), 0);
			card_free(c);
		}
	}
}

/* With MSI-X what is pending but masked stays, unless nothing is unmasked at all. */
static void
test_icr_read_with_msix_keeps_what_is_masked(void **state)
{
	struct card *c = x_msix(ROUTE_ALL);

	(void)state;
	wr(c, IMS, ICR_OTHER);
	wr(c, ICS, ICR_RXQ0);
	assert_int_equal(rd(c, ICR), ICR_RXQ0);
	assert_int_equal(rd(c, ICR), ICR_RXQ0);
	wr(c, ICS, ICR_LSC); /* a pending bit is unmasked: all go */
	assert_int_equal(rd(c, ICR), ICR_RXQ0 | ICR_LSC | ICR_OTHER | ICR_ASSERTED);
	assert_int_equal(rd(c, ICR), 0);
	wr(c, ICS, ICR_RXQ0);
	wr(c, IMC, 0xffffffff);
	assert_int_equal(rd(c, ICR), ICR_RXQ0);
	assert_int_equal(rd(c, ICR), 0);
	card_free(c);
}

static void
test_iame_masks_when_icr_is_read_or_written(void **state)
{
	struct card *c = x_new();
	unsigned int i;

	(void)state;
	wr(c, ITR, 0);
	wr(c, CTRL_EXT, EXT_IAME);
	wr(c, IAM, ICR_LSC | ICR_TXDW);
	(void)rd(c, ICR);
	for (i = 0; i < 2; i++) {
		wr(c, IMS, ICR_LSC | ICR_TXDW | ICR_RXT0);
		wr(c, ICR, 0); /* not asserted: nothing happens */
		assert_int_equal(rd(c, IMS), ICR_LSC | ICR_TXDW | ICR_RXT0);
		wr(c, ICS, ICR_LSC);
		assert_true(c->irq);
		if (i == 0)
			(void)rd(c, ICR);
		else
			wr(c, ICR, 0);
		assert_int_equal(rd(c, IMS), ICR_RXT0);
		assert_false(c->irq);
		wr(c, ICR, ICR_LSC);
	}
	card_free(c);
}

static void
test_writing_other_clears_what_it_stands_for(void **state)
{
	const uint32_t others = ICR_LSC | ICR_RXO | ICR_MDAC | ICR_SRPD | ICR_ACK | BIT(18);
	struct card *c = x_msix(ROUTE_ALL);

	(void)state;
	wr(c, ICS, others | ICR_RXQ1);
	wr(c, ICR, ICR_LSC);
	assert_int_equal(rd(c, ICS), (others & ~ICR_LSC) | ICR_OTHER | ICR_RXQ1);
	wr(c, ICR, ICR_OTHER);
	assert_int_equal(rd(c, ICS), ICR_RXQ1);
	card_free(c);
}

/* What the interrupt self-test of Linux does with each of bits 0 to 9, by the line. */
static void
test_causes_by_the_line(void **state)
{
	struct card *c = x_new();
	unsigned int i;

	(void)state;
	wr(c, ITR, 0);
	(void)rd(c, ICR);
	for (i = 0; i < 10; i++) {
		wr(c, IMC, 0xffffffff);
		wr(c, ICS, BIT(i));
		assert_false(c->irq);
		wr(c, IMS, BIT(i));
		assert_true(c->irq);
		assert_int_equal(rd(c, ICR), BIT(i) | ICR_ASSERTED);
		assert_false(c->irq);
	}
	card_free(c);
}

/* --- throttling ---------------------------------------------------------------------------- */

/* 256 ns a unit, each vector for itself. */
static void
test_eitr_spaces_messages_of_a_vector(void **state)
{
	struct card *c = x_msix(ROUTE_ALL);

	(void)state;
	wr(c, EITR, 1000); /* 256 us */
	wr(c, EIAC, ICR_RXQ0 | ICR_TXQ0);
	wr(c, IMS, ICR_RXQ0 | ICR_TXQ0);
	wr(c, ICS, ICR_RXQ0);
	expect_sent(c, 0, 1);
	wr(c, ICS, ICR_RXQ0);
	wr(c, ICS, ICR_TXQ0);
	expect_sent(c, 2, 1);
	wait_us(c, 255);
	pw_model_poll(c->m);
	expect_sent(c, 0, 0);
	wait_us(c, 1);
	pw_model_poll(c->m);
	expect_sent(c, 0, 1);
	card_free(c);
}

static void
test_itr_spaces_interrupts_by_the_line(void **state)
{
	struct card *c = x_new();

	(void)state;
	(void)rd(c, ICR);
	wr(c, IMS, ICR_LSC);
	wr(c, ICS, ICR_LSC);
	assert_int_equal(c->sent[0], 1);
	(void)rd(c, ICR);
	wr(c, ICS, ICR_LSC);
	assert_int_equal(c->sent[0], 1);
	wait_us(c, 128); /* 500 units */
	pw_model_poll(c->m);
	assert_int_equal(c->sent[0], 2);
	card_free(c);
}

/* What was told, and how long ago, is forgotten by reset. */
static void
test_reset_forgets_what_was_told(void **state)
{
	struct card *c = x_msix(ROUTE_ALL);

	(void)state;
	wr(c, EITR, 60000);
	wr(c, IMS, ICR_RXQ0);
	wr(c, ICS, ICR_RXQ0);
	expect_sent(c, 0, 1);
	wr(c, CTRL, CTRL_RST);
	wr(c, EITR, 60000);
	wr(c, IVAR, ROUTE_ALL);
	wr(c, IMS, ICR_RXQ0);
	expect_sent(c, 0, 0);
	wr(c, ICS, ICR_RXQ0);
	expect_sent(c, 0, 1);
	card_free(c);
}

/* --- vectors that are masked --------------------------------------------------------------- */

static uint32_t
pba(struct card *c)
{
	return pw_model_bar_read(c->m, 3, 0x2000, 4);
}

static void
test_masked_vector_is_pending(void **state)
{
	struct card *c = x_msix(ROUTE_ALL);

	(void)state;
	/* Through the table: bit 0 of the fourth word of entry 2 */
	pw_model_bar_write(c->m, 3, 2 * 16 + 12, 1, 4);
	wr(c, IMS, ICR_TXQ0);
	wr(c, ICS, ICR_TXQ0);
	expect_sent(c, 2, 0);
	assert_int_equal(pba(c), 1 << 2);
	pw_model_bar_write(c->m, 3, 2 * 16 + 12, 0, 4);
	expect_sent(c, 2, 1);
	assert_int_equal(pba(c), 0);
	card_free(c);
}

static void
test_function_mask_holds_all_vectors(void **state)
{
	struct card *c = x_msix(ROUTE_ALL);

	(void)state;
	pw_model_cfg_write(c->m, 0xa2, 0xc000, 2);
	wr(c, IMS, ICR_RXQ0 | ICR_OTHER);
	wr(c, ICS, ICR_RXQ0 | ICR_LSC);
	expect_sent(c, 0, 0);
	assert_int_equal(pba(c), BIT(0) | BIT(4));
	pw_model_cfg_write(c->m, 0xa2, 0x8000, 2);
	assert_int_equal(c->sent[0] + c->sent[4], 2);
	assert_int_equal(pba(c), 0);
	card_free(c);
}

static void
test_pending_messages_can_be_forgotten(void **state)
{
	struct card *c = x_msix(ROUTE_ALL);
	unsigned int v;

	(void)state;
	for (v = 0; v < 5; v++)
		pw_model_msix_mask(c->m, v, true);
	wr(c, IMS, ICR_RXQ0 | ICR_RXQ1 | ICR_TXQ0);
	wr(c, ICS, ICR_RXQ0 | ICR_RXQ1 | ICR_TXQ0);
	assert_int_equal(pba(c), 7);
	wr(c, PBACLR, BIT(1));
	assert_int_equal(pba(c), 5);
	/* With CTRL_EXT.PBA_CLR unmasking a cause does it. */
	wr(c, IMS, ICR_RXQ0);
	assert_int_equal(pba(c), 5);
	wr(c, CTRL_EXT, EXT_PBA_CLR);
	wr(c, IMS, ICR_RXQ0);
	assert_int_equal(pba(c), 4);
	card_free(c);
}

static void
test_msix_table_keeps_what_is_written(void **state)
{
	struct card *c = x_new();
	unsigned int i;

	(void)state;
	pw_model_reset(c->m);
	card_bus_on(c);
	for (i = 0; i < 5; i++)
		assert_int_equal(pw_model_bar_read(c->m, 3, 16 * i + 12, 4), 1); /* masked */
	for (i = 0; i < 20; i++)
		pw_model_bar_write(c->m, 3, 4 * i, 0x1000 + i, 4);
	for (i = 0; i < 20; i++)
		assert_int_equal(pw_model_bar_read(c->m, 3, 4 * i, 4), 0x1000 + i);
	assert_int_equal(pw_model_bar_read(c->m, 3, 0x50, 4), 0); /* behind the table */
	assert_int_equal(pw_model_bar_read(c->m, 3, 0x2004, 4), 0);
	assert_int_equal(pw_model_bar_read(c->m, 3, 5, 1), 0x10);
	expect_violation(c, PW_VIOL_REG_WIDTH, "1 bytes");
	pw_model_bar_write(c->m, 3, 0x2000, 0xff, 4);
	expect_violation(c, PW_VIOL_REG_READONLY, "PBA");
	pw_model_bar_write(c->m, 3, 12, 0, 2);
	expect_violation(c, PW_VIOL_REG_WIDTH, "MSI-X");
	card_free(c);
}

static void
test_no_message_without_bus_mastering(void **state)
{
	struct card *c = x_msix(ROUTE_ALL);

	(void)state;
	pw_model_cfg_write(c->m, 0x04, 0x0003, 2);
	wr(c, IMS, ICR_RXQ0);
	wr(c, ICS, ICR_RXQ0);
	expect_sent(c, 0, 0);
	pw_model_cfg_write(c->m, 0x04, 0x0007, 2);
	expect_sent(c, 0, 1);
	card_free(c);
}

/* The line that was raised falls when MSI-X takes its place. */
static void
test_msix_takes_the_place_of_the_line(void **state)
{
	struct card *c = x_new();

	(void)state;
	wr(c, ITR, 0);
	(void)rd(c, ICR);
	wr(c, IMS, ICR_LSC);
	wr(c, ICS, ICR_LSC);
	assert_true(c->irq);
	x_msix_on(c);
	assert_false(c->irq);
	pw_model_cfg_write(c->m, 0xa2, 0, 2);
	assert_true(c->irq);
	(void)rd(c, ICR);
	assert_false(c->irq);
	card_free(c);
}

/* --- counters (§2.6) ----------------------------------------------------------------------- */

static void
test_interrupt_counters(void **state)
{
	struct card *c = x_up(0);
	unsigned int i;
	uint8_t f[60];

	(void)state;
	make_frame(f, peer_mac, sizeof(f));
	(void)rd(c, IAC);
	wr(c, ITR, 0);
	wr(c, IMS, ICR_LSC);
	wr(c, ICS, ICR_LSC);
	assert_int_equal(rd(c, IAC), 1);
	assert_int_equal(rd(c, IAC), 0);
	put_buf(c, f, sizeof(f), SEND);
	ring(c);
	assert_int_equal(rd(c, ICTXQEC), 1);
	wr(c, TIDV, 10);
	wr(c, TADV, 5);
	put_buf(c, f, sizeof(f), SEND | D_IDE);
	ring(c);
	wait_us(c, 6);
	assert_int_equal(rd(c, ICTXATC), 1);
	wr(c, TADV, 0);
	put_buf(c, f, sizeof(f), SEND | D_IDE);
	ring(c);
	wait_us(c, 11);
	assert_int_equal(rd(c, ICTXPTC), 1);
	wr(c, RDTR, 10);
	wr(c, RADV, 5);
	arrive(c, card_mac, 60);
	wait_us(c, 6);
	assert_int_equal(rd(c, ICRXATC), 1);
	wr(c, RADV, 0);
	arrive(c, card_mac, 60);
	wait_us(c, 11);
	assert_int_equal(rd(c, ICRXPTC), 1);
	pw_model_fault(c->m, PW_FAULT_RX_OVERRUN, 1);
	arrive(c, card_mac, 60);
	assert_int_equal(rd(c, ICRXOC), 1);
	/* LWTHRESH: on the way to none there are 8 left, once. */
	wr(c, TXDCTL, TXDCTL_COUNT | 1u << 25);
	for (i = 0; i < 10; i++)
		put_buf(c, f, sizeof(f), SEND);
	assert_int_equal(rd(c, ICTXQMTC), 0);
	ring(c);
	assert_int_equal(rd(c, ICTXQMTC), 1);
	card_free(c);
}

/* Half of 32 descriptors are left: that is RXDMT0, and in MSI-X mode the queue's cause. */
static void
test_low_on_descriptors(void **state)
{
	struct card *c = x_msix(ROUTE_ALL);
	unsigned int i;

	(void)state;
	x_start_rx(c, 0);
	wr(c, EIAC, ICR_RXQ0);
	wr(c, RDTR, 0xffff); /* the frames themselves are told late */
	wr(c, IMS, ICR_RXQ0);
	for (i = 0; i < 14; i++)
		arrive(c, card_mac, 60);
	expect_sent(c, 0, 0);
	arrive(c, card_mac, 60); /* 31 were given, 16 are left */
	expect_sent(c, 0, 1);
	assert_int_equal(rd(c, ICRXDMTC), 1);
	assert_int_equal(rd(c, ICR) & ICR_RXDMT0, ICR_RXDMT0);
	card_free(c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_cause_goes_where_ivar_says),
		cmocka_unit_test(test_masked_causes_send_nothing_until_unmasked),
		cmocka_unit_test(test_a_cause_is_told_once),
		cmocka_unit_test(test_link_changes_come_as_other),
		cmocka_unit_test(test_queues_have_causes_of_their_own),
		cmocka_unit_test(test_eiac_clears_with_the_message),
		cmocka_unit_test(test_eiame_masks_with_the_message),
		cmocka_unit_test(test_icr_read_clears_all_without_msix),
		cmocka_unit_test(test_icr_read_with_msix_keeps_what_is_masked),
		cmocka_unit_test(test_iame_masks_when_icr_is_read_or_written),
		cmocka_unit_test(test_writing_other_clears_what_it_stands_for),
		cmocka_unit_test(test_causes_by_the_line),
		cmocka_unit_test(test_eitr_spaces_messages_of_a_vector),
		cmocka_unit_test(test_itr_spaces_interrupts_by_the_line),
		cmocka_unit_test(test_reset_forgets_what_was_told),
		cmocka_unit_test(test_masked_vector_is_pending),
		cmocka_unit_test(test_function_mask_holds_all_vectors),
		cmocka_unit_test(test_pending_messages_can_be_forgotten),
		cmocka_unit_test(test_msix_table_keeps_what_is_written),
		cmocka_unit_test(test_no_message_without_bus_mastering),
		cmocka_unit_test(test_msix_takes_the_place_of_the_line),
		cmocka_unit_test(test_interrupt_counters),
		cmocka_unit_test(test_low_on_descriptors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
