/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* The 82574L model: IEEE 1588 (§2.7) on the virtual clock. Ticks are of 25 MHz: 40 ns. */

#include "e1000_82574l.h"

#define VALID BIT(0)
#define ENABLE BIT(4)
#define TYPE(n) ((uint32_t)(n) << 1)
#define D_TSTAMP (1ull << 36)
#define STAT_TST BIT(8)

enum { L2_V2, L4_V1, L2_L4_V2, ALL = 4, EVENT_V2 };

static uint64_t
systim(struct card *c)
{
	uint64_t low = rd(c, SYSTIML);

	return low | (uint64_t)rd(c, SYSTIMH) << 32;
}

/* --- the clock ----------------------------------------------------------------------------- */

/* What Linux programs: period 1, 40 << 18 a tick, so that SYSTIM >> 18 is nanoseconds. */
static void
test_systim_counts_nanoseconds(void **state)
{
	struct card *c = x_new();

	(void)state;
	assert_int_equal(systim(c), 0);
	wait_us(c, 1000);
	assert_int_equal(systim(c), 0); /* TIMINCA 0: it stands still */
	wr(c, TIMINCA, 1u << 24 | 40 << 18);
	wait_us(c, 1);
	assert_int_equal(systim(c) >> 18, 1000);
	wait_us(c, 1000000);
	assert_int_equal(systim(c) >> 18, 1000001000);
	card_free(c);
}

static void
test_period_divides_the_clock(void **state)
{
	struct card *c = x_new();

	(void)state;
	wr(c, TIMINCA, 5u << 24 | 7);
	pw_clock_advance(&c->clock, 199);
	assert_int_equal(systim(c), 0);
	pw_clock_advance(&c->clock, 1);
	assert_int_equal(systim(c), 7);
	pw_clock_advance(&c->clock, 2000);
	assert_int_equal(systim(c), 77);
	/* A new rate goes on from where it is. */
	wr(c, TIMINCA, 1u << 24 | 1);
	pw_clock_advance(&c->clock, 400);
	assert_int_equal(systim(c), 87);
	card_free(c);
}

static void
test_reading_low_latches_high(void **state)
{
	struct card *c = x_new();

	(void)state;
	wr(c, SYSTIMH, 7);
	wr(c, SYSTIML, 0xfffffffe);
	wr(c, TIMINCA, 1u << 24 | 1);
	pw_clock_advance(&c->clock, 40);
	assert_int_equal(rd(c, SYSTIML), 0xffffffff);
	pw_clock_advance(&c->clock, 40);
	assert_int_equal(rd(c, SYSTIMH), 7);
	assert_int_equal(rd(c, SYSTIML), 0);
	assert_int_equal(rd(c, SYSTIMH), 8);
	card_free(c);
}

static void
test_adjustment_is_applied_by_its_high_half(void **state)
{
	struct card *c = x_new();

	(void)state;
	wr(c, SYSTIMH, 1);
	wr(c, SYSTIML, 100);
	wr(c, TIMADJL, 50);
	assert_int_equal(systim(c), 0x100000064);
	wr(c, TIMADJH, 0);
	assert_int_equal(systim(c), 0x100000096);
	wr(c, TIMADJH, 0x80000000); /* the sign: back by 50 */
	assert_int_equal(systim(c), 0x100000064);
	wr(c, TIMADJL, 0);
	wr(c, TIMADJH, 2);
	assert_int_equal(systim(c), 0x300000064);
	card_free(c);
}

/* --- receive stamps ------------------------------------------------------------------------ */

/* A PTP message of 44 bytes: type or control, version, source 11:22:33:44:55:66, sequence. */
static uint32_t
put_ptp(uint8_t *p, uint8_t version, uint8_t type)
{
	memset(p, 0, 46);
	p[0] = version == 2 ? type : 1;
	p[1] = version;
	p[22] = 0x11;
	p[23] = 0x22;
	p[24] = 0x33;
	p[25] = 0x44;
	p[26] = 0x55;
	p[27] = 0x66;
	set16(p + 30, 0x1234);
	p[32] = version == 1 ? type : 0;
	return 46;
}

static uint32_t
ptp_l2(uint8_t *f, uint8_t version, uint8_t type)
{
	make_frame(f, card_mac, 14);
	set16(f + 12, 0x88f7);
	return 14 + put_ptp(f + 14, version, type);
}

static uint32_t
ptp_l4(uint8_t *f, uint8_t version, uint8_t type, uint16_t port)
{
	uint32_t len = make_ip(f, true, false, 46, false);

	put_ptp(f + 42, version, type);
	set16(f + 36, port);
	return len;
}

static struct card *
tsync_up(uint32_t rxctl)
{
	struct card *c = x_up(0);

	wr(c, TIMINCA, 1u << 24 | 1);
	wr(c, TSYNCRXCTL, rxctl);
	wr(c, RXUDP, 0x3f01); /* port 319, in the order of the wire */
	return c;
}

/* Whether the frame was stamped; if so, takes the stamp. */
static bool
stamped(struct card *c, const uint8_t *f, uint32_t len)
{
	const struct desc *d;
	bool yes;

	x_arrive(c, f, len);
	d = x_received(c);
	wr(c, RDT, (c->rx_next + RING - 1) % RING);
	yes = (rd(c, TSYNCRXCTL) & VALID) != 0;
	assert_int_equal((x_status(d) & STAT_TST) != 0, yes);
	(void)rd(c, RXSTMPH);
	assert_int_equal(rd(c, TSYNCRXCTL) & VALID, 0);
	return yes;
}

static void
test_which_messages_are_stamped(void **state)
{
	static const struct {
		uint32_t type;
		uint8_t message;	/* RXMTRL: 31:24 of version 2, 23:16 of version 1 */
		bool l4;
		uint8_t version, is;
		bool yes;
	} t[] = {
		{ L2_V2, 0, false, 2, 0, true }, { L2_V2, 0, false, 2, 1, false },
		{ L2_V2, 1, false, 2, 1, true }, { L2_V2, 0, true, 2, 0, false },
		{ L2_V2, 0, false, 1, 0, false },
		{ L4_V1, 0, true, 1, 0, true }, { L4_V1, 1, true, 1, 1, true },
		{ L4_V1, 1, true, 1, 0, false }, { L4_V1, 0, true, 2, 0, false },
		{ L4_V1, 0, false, 1, 0, false },
		{ L2_L4_V2, 0, true, 2, 0, true }, { L2_L4_V2, 0, false, 2, 0, true },
		{ L2_L4_V2, 0, true, 1, 0, false }, { L2_L4_V2, 0, true, 2, 2, false },
		{ EVENT_V2, 0, true, 2, 3, true }, { EVENT_V2, 0, false, 2, 0, true },
		{ EVENT_V2, 0, false, 2, 8, false }, { EVENT_V2, 0, true, 2, 11, false },
		{ ALL, 0, false, 1, 9, true }, { ALL, 0, true, 2, 9, true },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct card *c = tsync_up(ENABLE | TYPE(t[i].type));
		uint32_t message = t[i].message;
		uint8_t f[200];
		uint32_t len;

		wr(c, RXMTRL, 0x88f7 | message << 24 | message << 16);
		len = t[i].l4 ? ptp_l4(f, t[i].version, t[i].is, 319)
			      : ptp_l2(f, t[i].version, t[i].is);
		if (stamped(c, f, len) != t[i].yes)
			fail_msg("row %u", i);
		card_free(c);
	}
}

static void
test_other_frames_are_not_stamped(void **state)
{
	struct card *c = tsync_up(ENABLE | TYPE(EVENT_V2));
	uint8_t f[200];

	(void)state;
	assert_false(stamped(c, f, ptp_l4(f, 2, 0, 320)));
	make_frame(f, card_mac, 100);
	assert_false(stamped(c, f, 100));
	assert_true(stamped(c, f, ptp_l4(f, 2, 0, 319)));
	/* Another ether type, as the register says */
	wr(c, RXMTRL, 0x88b5);
	assert_false(stamped(c, f, ptp_l2(f, 2, 0)));
	ptp_l2(f, 2, 0);
	set16(f + 12, 0x88b5);
	assert_true(stamped(c, f, 60));
	wr(c, TSYNCRXCTL, TYPE(ALL)); /* not enabled */
	assert_false(stamped(c, f, 60));
	wr(c, TSYNCRXCTL, ENABLE | TYPE(ALL)); /* everything */
	make_frame(f, card_mac, 100);
	assert_true(stamped(c, f, 100));
	card_free(c);
}

/* The common header is 34 bytes (IEEE 1588 §13.3). */
static void
test_message_that_is_cut_off_is_none(void **state)
{
	struct card *c = tsync_up(ENABLE | TYPE(EVENT_V2));
	uint8_t f[200];

	(void)state;
	ptp_l4(f, 2, 0, 319);
	set16(f + 16, 20 + 8 + 34);
	assert_true(stamped(c, f, 14 + 20 + 8 + 34));
	set16(f + 16, 20 + 8 + 33);
	assert_false(stamped(c, f, 14 + 20 + 8 + 34));
	assert_true(stamped(c, f, ptp_l2(f, 2, 0)));
	card_free(c);
}

/* Behind a tag as well */
static void
test_tagged_message_is_stamped(void **state)
{
	struct card *c = tsync_up(ENABLE | TYPE(L2_V2));
	uint8_t f[200];
	uint32_t len = ptp_l2(f, 2, 0);

	(void)state;
	memmove(f + 16, f + 12, len - 12);
	set16(f + 12, 0x8100);
	set16(f + 14, 1);
	assert_true(stamped(c, f, len + 4));
	card_free(c);
}

static void
test_receive_stamp_is_kept_until_it_is_read(void **state)
{
	struct card *c = tsync_up(ENABLE | TYPE(L2_V2));
	uint8_t f[200];
	uint32_t len = ptp_l2(f, 2, 0);

	(void)state;
	wr(c, SYSTIMH, 5);
	wait_us(c, 4); /* 100 ticks */
	x_arrive(c, f, len);
	wait_us(c, 4);
	x_arrive(c, f, len);
	assert_int_equal(x_status(x_received(c)) & STAT_TST, STAT_TST);
	assert_int_equal(x_status(x_received(c)) & STAT_TST, 0);
	assert_int_equal(rd(c, RXSTMPL), 100);
	assert_int_equal(rd(c, TSYNCRXCTL) & VALID, VALID);
	assert_int_equal(rd(c, RXSATRL), 0x33445566);
	assert_int_equal(rd(c, RXSATRH), 0x12341122);
	wr(c, TSYNCRXCTL, ENABLE | TYPE(L2_V2)); /* VALID is not software's to clear */
	assert_int_equal(rd(c, TSYNCRXCTL) & VALID, VALID);
	assert_int_equal(rd(c, RXSTMPH), 5);
	assert_int_equal(rd(c, TSYNCRXCTL) & VALID, 0);
	x_arrive(c, f, len);
	assert_int_equal(rd(c, RXSTMPL), 200);
	card_free(c);
}

/* --- transmit stamps ----------------------------------------------------------------------- */

static void
test_transmit_stamp_on_request(void **state)
{
	struct card *c = tsync_up(0);
	uint8_t f[200];
	uint32_t len = ptp_l2(f, 2, 0);

	(void)state;
	put_buf(c, f, len, SEND | D_DATA | D_TSTAMP);
	ring(c);
	assert_int_equal(rd(c, TSYNCTXCTL) & VALID, 0); /* not enabled */
	wr(c, TSYNCTXCTL, ENABLE);
	put_buf(c, f, len, SEND | D_DATA);
	ring(c);
	assert_int_equal(rd(c, TSYNCTXCTL) & VALID, 0); /* not asked for */
	wait_us(c, 2);
	put_buf(c, f, len, SEND | D_DATA | D_TSTAMP);
	ring(c);
	assert_int_equal(rd(c, TSYNCTXCTL), ENABLE | VALID);
	wait_us(c, 2);
	put_buf(c, f, len, SEND | D_DATA | D_TSTAMP);
	ring(c);
	assert_int_equal(rd(c, TXSTMPL), 50); /* the first of the two */
	assert_int_equal(rd(c, TXSTMPH), 0);
	assert_int_equal(rd(c, TSYNCTXCTL), ENABLE);
	put_buf(c, f, len, SEND | D_TSTAMP); /* a legacy descriptor */
	ring(c);
	assert_int_equal(rd(c, TXSTMPL), 100);
	card_free(c);
}

/* Reset stops the clock and forgets stamps. */
static void
test_reset_clears_stamps(void **state)
{
	struct card *c = tsync_up(ENABLE | TYPE(ALL));

	(void)state;
	wr(c, SYSTIMH, 3);
	wait_us(c, 10);
	arrive(c, card_mac, 60);
	assert_int_equal(rd(c, TSYNCRXCTL) & VALID, VALID);
	wr(c, CTRL, CTRL_RST);
	assert_int_equal(rd(c, TSYNCRXCTL), 0);
	assert_int_equal(rd(c, TIMINCA), 0);
	assert_int_equal(rd(c, SYSTIMH), 0);
	wr(c, TIMINCA, 1u << 24 | 1);
	wait_us(c, 10);
	assert_int_equal(systim(c), 250);
	card_free(c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_systim_counts_nanoseconds),
		cmocka_unit_test(test_period_divides_the_clock),
		cmocka_unit_test(test_reading_low_latches_high),
		cmocka_unit_test(test_adjustment_is_applied_by_its_high_half),
		cmocka_unit_test(test_which_messages_are_stamped),
		cmocka_unit_test(test_other_frames_are_not_stamped),
		cmocka_unit_test(test_message_that_is_cut_off_is_none),
		cmocka_unit_test(test_tagged_message_is_stamped),
		cmocka_unit_test(test_receive_stamp_is_kept_until_it_is_read),
		cmocka_unit_test(test_transmit_stamp_on_request),
		cmocka_unit_test(test_reset_clears_stamps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
