/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* The 8255x models: transmit blocks of all shapes, offloads, flow control, errata. */

#include "i8255x_blocks.h"

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define MAX_FRAME 1518	/* with a tag, without CRC (§1.2) */

static uint32_t
be16(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static uint32_t
be32(const uint8_t *p)
{
	return be16(p) << 16 | be16(p + 2);
}

static void
set32(uint8_t *p, uint32_t v)
{
	set16(p, v >> 16);
	set16(p + 2, v);
}

/* A card with a list and a frame of `len` bytes in data[]. */
static struct card *
tx_card(const char *chip, struct list **l, uint32_t len)
{
	struct card *c = card_bare(chip);

	/* 82h: what byte 19 of an 82557 is to be. Full duplex by the PHY's pin. */
	configure_with(c, 22, 19, strcmp(chip, "82557b") == 0 ? 0x82 : 0x86);
	execute(c, OP_IA, card_mac, 6);
	*l = list_new(c);
	make_frame((*l)->data, peer_mac, len);
	return c;
}

static void
expect_sent(struct card *c, const uint8_t *frame, uint32_t len)
{
	struct pw_frame f = sent(c);

	assert_int_equal(f.len, len);
	assert_memory_equal(f.data, frame, len);
	assert_int_equal(f.flags, 0);
}

/* Start at block 0. @return its status. */
static uint16_t
run(struct card *c, struct list *l)
{
	command(c, CU_START, at_list(l, &l->b[0]));
	pw_model_poll(c->m);
	return l->b[0].status;
}

/* --- blocks (§3.3) --------------------------------------------------------------------------- */

static void
test_simplified(void **state)
{
	struct list *l;
	struct card *c = tx_card("82557b", &l, 60);
	/* The data runs on over the blocks behind. */
	uint8_t *data = (uint8_t *)&l->b[0] + 16;

	(void)state;
	make_frame(data, peer_mac, 200);
	l->b[0].cmd = OP_TX | CMD_EL;
	tx_head(&l->b[0], NULL_TBD, 0x8000 | 200, 0xe0, 0);
	memcpy(l->data, data, 200);
	make_frame(data, peer_mac, 200);
	assert_int_equal(run(c, l), CB_C | CB_OK);
	expect_sent(c, data, 200);
	sent_nothing(c);
	assert_int_equal(counter(c, S_TX_GOOD), 1);
	list_free(c, l);
}

static void
test_simplified_that_is_not(void **state)
{
	struct list *l;
	struct card *c = tx_card("82559c", &l, 60);

	(void)state;
	make_frame((uint8_t *)&l->b[0] + 16, peer_mac, 48);
	l->b[0].cmd = OP_TX | CMD_EL;
	tx_head(&l->b[0], 0x1000, 0x8000 | 48, 0xe0, 0);
	run(c, l);
	expect_violation(c, PW_VIOL_PROTOCOL, "simplified Tx with TBDs");
	l->b[0].status = 0;
	tx_head(&l->b[0], NULL_TBD, 48, 0xe0, 0);
	run(c, l);
	expect_violation(c, PW_VIOL_PROTOCOL, "without EOF");
	l->b[0].status = 0;
	tx_head(&l->b[0], NULL_TBD, 0x8000, 0xe0, 0);
	assert_int_equal(run(c, l), CB_C);
	expect_violation(c, PW_VIOL_PROTOCOL, "there is no frame");
	list_free(c, l);
}

/* Linux' way: the array at 10h and one TBD are right for standard and extended blocks. */
static void
test_one_buffer_in_both_modes(void **state)
{
	static const struct {
		const char *chip;
		uint8_t byte6;
	} t[] = { { "82557b", 0x32 }, { "82558b", 0x02 }, { "82559c", 0x26 }, { "82551", 0x36 } };
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(t); i++) {
		struct list *l;
		struct card *c = tx_card(t[i].chip, &l, 1514);
		const uint8_t change[] = { 6, t[i].byte6, 19, 0x82 };

		configure(c, change, 2, 22);
		tx_one(c, l, 1514);
		assert_int_equal(l->b[0].status, CB_C | CB_OK);
		expect_sent(c, l->data, 1514);
		list_free(c, l);
	}
}

/*
 * A frame in four pieces, of which an extended block has the first two: the array begins with
 * the third. In a standard block all are in the array.
 */
static void
test_four_buffers(void **state)
{
	static const uint16_t piece[4] = { 14, 2, 1000, 38 };
	unsigned int ext, i;

	(void)state;
	for (ext = 0; ext < 2; ext++) {
		struct list *l;
		struct card *c = tx_card("82559c", &l, 1054);
		uint32_t at = 0, tbd = ext ? 0x20 : 0x10;

		configure_with(c, 22, 6, ext ? 0x26 : 0x36);
		l->b[0].cmd = OP_TX | CMD_SF | CMD_EL;
		tx_head(&l->b[0], at_list(l, &l->b[0]) + tbd, 0, 0xe0, 4);
		for (i = 0; i < 4; i++) {
			/* Apart from each other, and the last at an odd address. */
			memcpy(l->data + 4096 * (i + 1) + i / 3, l->data + at, piece[i]);
			tx_tbd(&l->b[0], i, at_list(l, l->data) + 4096 * (i + 1) + i / 3,
			       piece[i]);
			at += piece[i];
		}
		assert_int_equal(run(c, l), CB_C | CB_OK);
		expect_sent(c, l->data, 1054);
		list_free(c, l);
	}
}

/* An array of its own, a TBD of no bytes, an EL that ends it before the count does. */
static void
test_array_elsewhere(void **state)
{
	struct list *l;
	struct card *c = tx_card("82559c", &l, 100);
	uint8_t *array = l->data + 8192;

	(void)state;
	l->b[0].cmd = OP_TX | CMD_SF | CMD_EL;
	tx_head(&l->b[0], at_list(l, array), 0, 0xe0, 4);
	put32(array, at_list(l, l->data));
	put32(array + 4, 60);
	put32(array + 8, at_list(l, l->data));
	put32(array + 12, 0);
	put32(array + 16, at_list(l, l->data) + 60);
	put32(array + 20, 40 | 1u << 16);
	put32(array + 24, 0x00abcdee);
	put32(array + 28, 40);
	assert_int_equal(run(c, l), CB_C | CB_OK);
	expect_sent(c, l->data, 100);
	list_free(c, l);
}

/* Data in a standard block, then more of it by TBDs. */
static void
test_bytes_in_a_flexible_block(void **state)
{
	struct list *l;
	struct card *c = tx_card("82557b", &l, 100);

	(void)state;
	l->b[0].cmd = OP_TX | CMD_SF | CMD_EL;
	tx_head(&l->b[0], at_list(l, &l->b[4]), 14, 0xe0, 1);
	memcpy(l->b[0].param + 8, l->data, 14);
	put32((uint8_t *)&l->b[4], at_list(l, l->data) + 14);
	put32((uint8_t *)&l->b[4] + 4, 86);
	assert_int_equal(run(c, l), CB_C | CB_OK);
	expect_sent(c, l->data, 100);
	list_free(c, l);
}

/* Linux writes 16 bits of a TBD's size; above is what Configure left in the block (§10). */
static void
test_rubbish_above_a_tbd_size(void **state)
{
	struct list *l;
	struct card *c = tx_card("82559c", &l, 60);

	(void)state;
	l->b[0].cmd = OP_TX | CMD_SF | CMD_EL;
	tx_head(&l->b[0], at_list(l, &l->b[0]) + 0x10, 0, 0xe0, 1);
	tx_tbd(&l->b[0], 0, at_list(l, l->data), 0x48f20000 | 60);
	assert_int_equal(run(c, l), CB_C | CB_OK);
	expect_sent(c, l->data, 60);
	list_free(c, l);
}

static void
test_blocks_that_make_no_sense(void **state)
{
	static const struct {
		const char *chip;
		uint8_t nb;
		uint32_t addr, size;
		const char *violation;
	} t[] = {
		{ "82559c", 0, 0, 60, "there is no frame" },
		{ "82559c", 1, 0, MAX_FRAME + 1, "longer than the chip takes" },
		{ "82559c", 2, 0, 1000, "longer than the chip takes" },
		{ "82559c", 0xff, 0, 60, "dynamic TBDs" },
		{ "82551", 0xff, 0, 60, "dynamic TBDs" },	/* byte 7 b7 is not set */
		{ "82559c", 1, 0, 0x4000 | 60, "reserved bits" },
		{ "82557b", 1, 1, 60, "even address" },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(t); i++) {
		struct list *l;
		struct card *c = tx_card(t[i].chip, &l, 1600);
		uint32_t addr = at_list(l, l->data) + t[i].addr;

		l->b[0].cmd = OP_TX | CMD_SF | CMD_EL;
		tx_head(&l->b[0], at_list(l, &l->b[0]) + 0x10, 0, 0xe0, t[i].nb);
		tx_tbd(&l->b[0], 0, addr, t[i].size);
		tx_tbd(&l->b[0], 1, addr, t[i].size);
		run(c, l);
		expect_violation(c, PW_VIOL_PROTOCOL, t[i].violation);
		if (i < 5) {
			assert_int_equal(l->b[0].status, CB_C);
			sent_nothing(c);
		}
		list_free(c, l);
	}
}

static void
test_longest_frame(void **state)
{
	struct list *l;
	struct card *c = tx_card("82559c", &l, MAX_FRAME);

	(void)state;
	tx_one(c, l, MAX_FRAME);
	expect_sent(c, l->data, MAX_FRAME);
	list_free(c, l);
}

static void
test_buffer_outside_memory(void **state)
{
	struct list *l;
	struct card *c = tx_card("82559c", &l, 60);

	(void)state;
	l->b[0].cmd = OP_TX | CMD_SF | CMD_EL;
	tx_head(&l->b[0], at_list(l, &l->b[0]) + 0x10, 0, 0xe0, 1);
	tx_tbd(&l->b[0], 0, 0x00abcdee, 60);
	assert_int_equal(run(c, l), CB_C);
	expect_violation(c, PW_VIOL_DMA, "0xabcdee: not mapped");
	sent_nothing(c);
	list_free(c, l);
}

/* --- what the chip adds (§1.2, §3.2) --------------------------------------------------------- */

static void
test_padding(void **state)
{
	static const struct {
		const char *chip;
		uint8_t byte18;
		uint32_t len;
		uint8_t pad;
	} t[] = {
		{ "82557b", 0xf2, 60, 0x7e }, { "82559c", 0xf2, 60, 0x00 },
		{ "82559c", 0xf0, 20, 0 }, { "82551", 0xfa, 60, 0x00 },
	};
	unsigned int i, k;

	(void)state;
	for (i = 0; i < ARRAY_LEN(t); i++) {
		struct list *l;
		struct card *c = tx_card(t[i].chip, &l, 20);
		const uint8_t change[] = { 18, t[i].byte18, 19, 0x82 };
		struct pw_frame f;

		configure(c, change, 2, 22);
		tx_one(c, l, 20);
		f = sent(c);
		assert_int_equal(f.len, t[i].len);
		assert_memory_equal(f.data, l->data, 20);
		for (k = 20; k < t[i].len; k++)
			assert_int_equal(f.data[k], t[i].pad);
		list_free(c, l);
	}
}

/* IEEE 802.3 §3.2.9, bit by bit; the model has a table. */
static uint32_t
fcs_of(const uint8_t *p, uint32_t len)
{
	uint32_t crc = 0xffffffff, i, k;

	for (i = 0; i < len; i++) {
		crc ^= p[i];
		for (k = 0; k < 8; k++)
			crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320 : 0);
	}
	return ~crc;
}

static void
test_nc_brings_its_own_crc(void **state)
{
	struct list *l;
	struct card *c = tx_card("82559c", &l, 70);
	struct pw_frame f;
	unsigned int i;

	(void)state;
	put32(l->data + 70, fcs_of(l->data, 70));
	for (i = 0; i < 2; i++) {
		l->b[0].status = 0;
		l->b[0].cmd = OP_TX | CMD_SF | CMD_NC | CMD_EL;
		tx_head(&l->b[0], at_list(l, &l->b[0]) + 0x10, 0, 0xe0, 1);
		tx_tbd(&l->b[0], 0, at_list(l, l->data), 74);
		assert_int_equal(run(c, l), CB_C | CB_OK);
		f = sent(c);
		assert_int_equal(f.len, 70);
		assert_int_equal(f.flags, i == 0 ? 0 : PW_FRAME_BAD_CRC);
		l->data[70] ^= 1;
	}
	list_free(c, l);
}

static void
test_source_address_is_inserted(void **state)
{
	struct list *l;
	struct card *c = tx_card("82559c", &l, 100);
	struct pw_frame f;

	(void)state;
	configure_with(c, 22, 10, 0x26);
	tx_one(c, l, 100);
	f = sent(c);
	assert_int_equal(f.len, 106);
	assert_memory_equal(f.data, l->data, 6);
	assert_memory_equal(f.data + 6, card_mac, 6);
	assert_memory_equal(f.data + 12, l->data + 6, 94);
	list_free(c, l);
}

static void
test_loopback(void **state)
{
	struct list *l;
	struct card *c = tx_card("82559c", &l, 100);
	struct rfd *r;

	(void)state;
	configure_with(c, 22, 10, 0x6e);
	start_rx(c);
	make_frame(l->data, card_mac, 100);
	tx_one(c, l, 100);
	sent_nothing(c);
	r = received(c);
	assert_non_null(r);
	assert_int_equal(r->count, R_EOF_F | 100);
	assert_memory_equal(r->data, l->data, 100);
	list_free(c, l);
}

static void
phy_write(struct card *c, unsigned int reg, uint32_t val)
{
	wr32(c, MDI, 1u << 26 | 1u << 21 | reg << 16 | val);
	wait_us(c, 100);
	assert_int_equal(rd32(c, MDI) & BIT(28), BIT(28));
}

/* The PHY loops if it is told so by its register 0, and not at all behind a hub (§7). */
static void
test_loopback_at_the_phy(void **state)
{
	static const struct {
		const char *chip;
		uint32_t bmcr;
		bool loops;
	} t[] = {
		{ "82559c", 0x6100, true }, { "82559c", 0x2100, false }, { "82562", 0x6100, false },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(t); i++) {
		struct list *l;
		struct card *c = tx_card(t[i].chip, &l, 100);

		configure_with(c, 22, 10, 0xee);
		start_rx(c);
		phy_write(c, 0, t[i].bmcr);
		make_frame(l->data, card_mac, 100);
		tx_one(c, l, 100);
		assert_int_equal(received(c) != NULL, t[i].loops);
		list_free(c, l);
	}
}

/* --- the line -------------------------------------------------------------------------------- */

static void
test_no_link(void **state)
{
	struct list *l;
	struct card *c = tx_card("82559c", &l, 60);

	(void)state;
	pw_model_fault(c->m, PW_FAULT_LINK_DOWN, 1);
	tx_one(c, l, 60);
	assert_int_equal(l->b[0].status, CB_C | CB_OK);
	sent_nothing(c);
	assert_int_equal(counter(c, S_TX_LOST_CARRIER), 1);
	assert_int_equal(counter(c, S_TX_GOOD), 0);
	list_free(c, l);
}

/* Byte 8: an MII board that is told it has an 82503 is deaf and dumb. */
static void
test_wrong_interface(void **state)
{
	struct list *l;
	struct card *c = tx_card("82557b", &l, 60);

	(void)state;
	configure_with(c, 22, 8, 0x00, 19, 0x82);
	tx_one(c, l, 60);
	sent_nothing(c);
	configure_with(c, 22, 8, 0x01, 19, 0x82);
	tx_one(c, l, 60);
	expect_sent(c, l->data, 60);
	list_free(c, l);
}

static void
test_tx_hang(void **state)
{
	struct list *l;
	struct card *c = tx_card("82559c", &l, 60);

	(void)state;
	pw_model_fault(c->m, PW_FAULT_TX_HANG, 1);
	tx_one(c, l, 60);
	wait_us(c, 1000000);
	assert_int_equal(l->b[0].status, 0);
	assert_int_equal(rd8(c, STATUS) & CUS_MASK, CUS_ACTIVE);
	pw_model_fault(c->m, PW_FAULT_TX_HANG, 0);
	pw_model_poll(c->m);
	assert_int_equal(l->b[0].status, CB_C | CB_OK);
	expect_sent(c, l->data, 60);
	list_free(c, l);
}

/*
 * 64 bytes hold a line of 100 Mb/s for 84 byte times, 6.72 us; the model's clock counts in ns.
 * A block is complete when the line has taken its frame.
 */
static void
test_paced_line(void **state)
{
	struct pw_clock clock = { .is_virtual = 1 };
	const struct pw_wire_opts opts = { .clock = &clock, .paced = true };
	struct pw_model_opts m = { .chip = "82559c", .mac = card_mac, .clock = &clock };
	struct card *c = calloc(1, sizeof(*c));
	char err[200];
	struct list *l;
	unsigned int i;

	(void)state;
	assert_non_null(c);
	assert_int_equal(pw_wire_open("paced8255x", &opts, &c->plug, err, sizeof(err)), 0);
	assert_int_equal(pw_wire_open("paced8255x", &opts, &c->peer, err, sizeof(err)), 0);
	m.wire = c->plug;
	m.violation = card_violation;
	m.ctx = c;
	assert_int_equal(pw_model_create(&m, &c->m), 0);
	pw_model_cfg_write(c->m, 0x04, 0x0007, 2);
	wr8(c, INT_CTRL, 0x01);
	l = list_new(c);
	make_frame(l->data, peer_mac, 60);
	for (i = 0; i < 3; i++) {
		l->b[i].cmd = OP_TX | CMD_SF | (i == 2 ? CMD_EL : 0);
		tx_head(&l->b[i], at_list(l, &l->b[i]) + 0x10, 0, 0xe0, 1);
		tx_tbd(&l->b[i], 0, at_list(l, l->data), 60);
	}
	command(c, CU_START, at_list(l, &l->b[0]));
	for (i = 0; i < 3; i++) {
		assert_int_equal(l->b[i].status, CB_C | CB_OK);
		if (i == 2)
			break;
		assert_int_equal(l->b[i + 1].status, 0);
		pw_clock_advance(&clock, 6719);
		pw_model_poll(c->m);
		assert_int_equal(l->b[i + 1].status, 0);
		pw_clock_advance(&clock, 1);
		pw_model_poll(c->m);
	}
	assert_int_equal(rd8(c, STATUS) & CUS_MASK, CUS_IDLE);
	list_free(c, l);
}

/* --- underrun (§3.3) ------------------------------------------------------------------------- */

static void
test_underrun_until_the_threshold_is_raised(void **state)
{
	static const struct {
		uint8_t retries;
		uint16_t status;
		uint32_t count;
	} t[] = {
		{ 0, CB_C | CB_U, 1 }, { 1, CB_C | CB_U, 2 }, { 2, CB_C | CB_U, 3 },
		{ 3, CB_C | CB_OK, 3 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(t); i++) {
		struct list *l;
		struct card *c = tx_card("82559c", &l, 1000);
		uint8_t *threshold = &l->b[0].param[6];

		configure_with(c, 22, 7, t[i].retries << 1);
		pw_model_fault(c->m, PW_FAULT_TX_UNDERRUN, 0x40);
		l->b[0].cmd = OP_TX | CMD_SF | CMD_EL;
		tx_head(&l->b[0], at_list(l, &l->b[0]) + 0x10, 0, 0x3f, 1);
		tx_tbd(&l->b[0], 0, at_list(l, l->data), 1000);
		assert_int_equal(run(c, l), t[i].status);
		assert_int_equal(counter(c, S_TX_UNDERRUN), t[i].count);
		if (t[i].status == (CB_C | CB_OK))
			expect_sent(c, l->data, 1000);
		else
			sent_nothing(c);
		/* Raised, it goes; and a frame that is in the FIFO as a whole goes anyway. */
		l->b[0].status = 0;
		*threshold = 0x40;
		assert_int_equal(run(c, l), CB_C | CB_OK);
		expect_sent(c, l->data, 1000);
		l->b[0].status = 0;
		*threshold = 0x3f;
		tx_tbd(&l->b[0], 0, at_list(l, l->data), 0x3f * 8);
		assert_int_equal(run(c, l), CB_C | CB_OK);
		expect_sent(c, l->data, 0x3f * 8);
		assert_int_equal(counter(c, S_TX_UNDERRUN), t[i].count);
		list_free(c, l);
	}
}

static void
test_collisions_at_half_duplex(void **state)
{
	static const struct {
		uint8_t byte19;
		uint32_t n, single, multi, total, max;
	} t[] = {
		{ 0x86, 5, 0, 0, 0, 0 },	/* full duplex by the pin: none */
		{ 0x06, 1, 1, 0, 1, 0 }, { 0x06, 15, 0, 1, 15, 0 },
		{ 0x06, 16, 0, 0, 16, 1 },	/* 16 attempts: given up (IEEE 802.3 §4.2.3.2.5) */
		{ 0x46, 5, 0, 0, 0, 0 },	/* full duplex by force */
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(t); i++) {
		struct list *l;
		struct card *c = tx_card("82559c", &l, 60);

		configure_with(c, 22, 19, t[i].byte19);
		pw_model_fault(c->m, PW_FAULT_COLLISIONS, t[i].n);
		tx_one(c, l, 60);
		assert_int_equal(l->b[0].status, CB_C | CB_OK);
		if (t[i].max)
			sent_nothing(c);
		else
			expect_sent(c, l->data, 60);
		assert_int_equal(counter(c, S_TX_SINGLE), t[i].single);
		assert_int_equal(counter(c, S_TX_MULTI), t[i].multi);
		assert_int_equal(counter(c, S_TX_TOTAL), t[i].total);
		assert_int_equal(counter(c, S_TX_MAX_COLL), t[i].max);
		assert_int_equal(counter(c, S_TX_GOOD), 1 - t[i].max);
		list_free(c, l);
	}
}

/* --- flow control (§2, §3.2; IEEE 802.3 annex 31B) ------------------------------------------- */

static void
send_pause(struct card *c, uint32_t quanta)
{
	uint8_t f[60] = { 0x01, 0x80, 0xc2, 0x00, 0x00, 0x01, 0x52, 0x54, 0x00, 0xab, 0xcd, 0xef,
			  0x88, 0x08, 0x00, 0x01 };

	set16(f + 16, quanta);
	arrive_frame(c, f, sizeof(f), 0);
}

/* 100 quanta of 512 bits are 512 us at 100 Mb/s. */
static void
test_pause_stops_the_transmitter(void **state)
{
	struct list *l;
	struct card *c = tx_card("82559c", &l, 60);

	(void)state;
	configure_with(c, 22, 19, 0x82);
	start_rx(c);
	send_pause(c, 100);
	tx_one(c, l, 60);
	wait_us(c, 511);
	assert_int_equal(l->b[0].status, 0);
	sent_nothing(c);
	wait_us(c, 1);
	assert_int_equal(l->b[0].status, CB_C | CB_OK);
	expect_sent(c, l->data, 60);

	send_pause(c, 100);
	l->b[0].status = 0;
	tx_one(c, l, 60);
	assert_int_equal(l->b[0].status, 0);
	send_pause(c, 0);
	assert_int_equal(l->b[0].status, CB_C | CB_OK);
	list_free(c, l);
}

static void
test_pause_is_not_obeyed_with_flow_control_off(void **state)
{
	struct list *l;
	struct card *c = tx_card("82559c", &l, 60);

	(void)state;
	start_rx(c);
	send_pause(c, 0xffff);
	tx_one(c, l, 60);
	expect_sent(c, l->data, 60);
	list_free(c, l);
}

/* --- ICH at 10 Mb/s, half duplex (§7) --------------------------------------------------------- */

static void
test_ich_hangs_without_a_nop_before_resume(void **state)
{
	static const struct {
		const char *chip;
		uint32_t bmcr;
		bool nop, hangs;
	} t[] = {
		{ "82562", 0x0000, false, true },	/* 10, half */
		{ "82562", 0x0000, true, false },
		{ "82562", 0x0100, false, false },	/* 10, full */
		{ "82562", 0x2000, false, false },	/* 100, half */
		{ "82559c", 0x0000, false, false },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(t); i++) {
		struct list *l;
		struct card *c = tx_card(t[i].chip, &l, 60);

		phy_write(c, 0, t[i].bmcr);
		command(c, CU_START, at_list(l, &l->b[0]));
		l->b[1].cmd = OP_TX | CMD_SF | CMD_S;
		tx_head(&l->b[1], at_list(l, &l->b[1]) + 0x10, 0, 0xe0, 1);
		tx_tbd(&l->b[1], 0, at_list(l, l->data), 60);
		l->b[0].cmd = 0;
		if (t[i].nop)
			wr8(c, CMD, 0x00);
		command(c, CU_RESUME, 0);
		assert_int_equal(l->b[1].status, t[i].hangs ? 0 : CB_C | CB_OK);
		if (t[i].hangs)
			expect_violation(c, PW_VIOL_PROTOCOL, "without a NOP");
		else
			expect_sent(c, l->data, 60);
		list_free(c, l);
	}
}

/* Linux's self-test sends a frame through the MAC's loopback, its PHY left at 10 Mb/s and half. */
static void
test_ich_loops_back_at_10_half(void **state)
{
	struct list *l;
	struct card *c = tx_card("82562", &l, 60);

	(void)state;
	phy_write(c, 0, 0x0000);
	configure_with(c, 22, 10, 0x6e);
	start_rx(c);
	make_frame(l->data, card_mac, 60);
	command(c, CU_START, at_list(l, &l->b[0]));
	l->b[1].cmd = OP_TX | CMD_SF | CMD_S;
	tx_head(&l->b[1], at_list(l, &l->b[1]) + 0x10, 0, 0xe0, 1);
	tx_tbd(&l->b[1], 0, at_list(l, l->data), 60);
	l->b[0].cmd = 0;
	command(c, CU_RESUME, 0);
	assert_int_equal(l->b[1].status, CB_C | CB_OK);
	assert_non_null(received(c));
	list_free(c, l);
}

/* --- IPCB (§3.4) ------------------------------------------------------------------------------ */

enum { A_IP = 0x10, A_L4 = 0x20, A_TCP = 0x40, A_LARGE = 0x80, A2_PARSE = 0x01, A2_VLAN = 0x02 };

static struct card *
ipcb_card(struct list **l)
{
	struct card *c = tx_card("82551", l, 60);

	configure_with(c, 32, 6, 0x02, 7, 0xa7, 22, 0x01);
	return c;
}

/* Ethernet, IPv4, TCP or UDP, `payload` bytes. Sums 0 but for the pseudo header's. */
static uint32_t
make_ip(uint8_t *f, bool tcp, uint32_t payload, uint32_t ip_payload)
{
	uint32_t l4 = tcp ? 20 : 8, i;
	uint8_t *ip = f + 14, *t = ip + 20;

	memset(f, 0, 34 + l4);
	make_frame(f, peer_mac, 14);
	set16(f + 12, 0x0800);
	ip[0] = 0x45;
	set16(ip + 2, 20 + ip_payload);
	set16(ip + 4, 0xfffe);
	ip[8] = 64;
	ip[9] = tcp ? 6 : 17;
	set32(ip + 12, 0x0a000001);
	set32(ip + 16, 0x0a0000fe);
	set16(t, 40000);
	set16(t + 2, 5001);
	if (tcp) {
		set32(t + 4, 0xfffffc00);
		t[12] = 0x50;
		t[13] = 0x19; /* FIN, PSH, ACK */
		set16(t + 14, 0x2000);
	} else {
		set16(t + 4, l4 + payload);
	}
	set16(t + (tcp ? 16 : 6), rfc1071_sum(ip + 12, 8, (tcp ? 6 : 17) + ip_payload));
	for (i = 0; i < payload; i++)
		t[l4 + i] = (uint8_t)(i * 13 + 5);
	return 34 + l4 + payload;
}

static void
check_ip_sum(const uint8_t *ip)
{
	assert_int_equal(rfc1071_sum(ip, 20, 0), 0xffff);
}

static void
check_l4_sum(const uint8_t *ip)
{
	uint32_t len = be16(ip + 2) - 20;

	assert_int_equal(rfc1071_sum(ip + 20, len, rfc1071_sum(ip + 12, 8, ip[9] + len)), 0xffff);
}

/* An IPCB of two buffers, the first in the block, the end marked in the last (§3.4). */
static void
make_ipcb(struct list *l, uint8_t act, uint8_t act2, uint32_t first, uint32_t second)
{
	struct block *b = &l->b[0];

	b->status = 0;
	b->cmd = OP_IPCB | CMD_EL;
	memset(b->param + 8, 0, 16);
	tx_head(b, at_list(l, b) + 0x20, 0, 0xe0, 0xff);
	b->param[0x12 - 8] = act;
	b->param[0x13 - 8] = act2;
	set16(&b->param[0x14 - 8], 0x6123);
	put32(&b->param[0x18 - 8], at_list(l, l->data));
	put32(&b->param[0x1c - 8], first | (second == 0 ? 0x8000 : 0));
	put32(&b->param[0x20 - 8], at_list(l, l->data) + first);
	put32(&b->param[0x24 - 8], second | 0x8000);
}

static void
test_ipcb_plain(void **state)
{
	struct list *l;
	struct card *c = ipcb_card(&l);

	(void)state;
	make_frame(l->data, peer_mac, 400);
	make_ipcb(l, 0, A2_PARSE, 400, 0);
	assert_int_equal(run(c, l), CB_C | CB_OK);
	expect_sent(c, l->data, 400);
	make_ipcb(l, 0, A2_PARSE, 20, 380);
	assert_int_equal(run(c, l), CB_C | CB_OK);
	expect_sent(c, l->data, 400);
	/* The number of TBDs may be said, too. */
	make_ipcb(l, 0, A2_PARSE, 20, 380);
	l->b[0].param[7] = 2;
	put32(&l->b[0].param[0x24 - 8], 380);
	assert_int_equal(run(c, l), CB_C | CB_OK);
	expect_sent(c, l->data, 400);
	list_free(c, l);
}

static void
test_ipcb_checksums(void **state)
{
	struct list *l;
	struct card *c = ipcb_card(&l);
	unsigned int i;

	(void)state;
	for (i = 0; i < 8; i++) {
		bool tcp = (i & 1) != 0, ip = (i & 2) != 0, l4 = (i & 4) != 0;
		uint32_t hdr = tcp ? 20 : 8;
		uint32_t len = make_ip(l->data, tcp, 333, hdr + 333);
		uint16_t was = be16(l->data + (tcp ? 50 : 40));
		struct pw_frame f;

		make_ipcb(l, (tcp ? A_TCP : 0) | (ip ? A_IP : 0) | (l4 ? A_L4 : 0), A2_PARSE, 100,
			  len - 100);
		assert_int_equal(run(c, l), CB_C | CB_OK);
		f = sent(c);
		assert_int_equal(f.len, len);
		if (ip)
			check_ip_sum(f.data + 14);
		else
			assert_int_equal(be16(f.data + 24), 0);
		if (l4)
			check_l4_sum(f.data + 14);
		else
			assert_int_equal(be16(f.data + (tcp ? 50 : 40)), was);
		assert_memory_equal(f.data + 34 + hdr, l->data + 34 + hdr, 333);
	}
	list_free(c, l);
}

/*
 * UDP data chosen so that the sum of everything is FFFFh: its complement, 0, would say "no
 * checksum", so FFFFh is sent (RFC 768).
 */
static void
test_ipcb_udp_checksum_is_never_0(void **state)
{
	struct list *l;
	struct card *c = ipcb_card(&l);
	uint32_t len = make_ip(l->data, false, 40, 48), sum;

	(void)state;
	set16(l->data + 42, 0);
	/* The field has the pseudo header's sum already. */
	sum = rfc1071_sum(l->data + 34, 48, 0);
	set16(l->data + 42, 0xffff - sum);
	make_ipcb(l, A_L4, A2_PARSE, len, 0);
	assert_int_equal(run(c, l), CB_C | CB_OK);
	assert_int_equal(be16(sent(c).data + 40), 0xffff);
	list_free(c, l);
}

static void
test_ipcb_inserts_a_tag(void **state)
{
	struct list *l;
	struct card *c = ipcb_card(&l);
	uint32_t len = make_ip(l->data, true, 6, 26);
	struct pw_frame f;

	(void)state;
	make_ipcb(l, A_IP | A_L4 | A_TCP, A2_PARSE | A2_VLAN, len, 0);
	assert_int_equal(run(c, l), CB_C | CB_OK);
	f = sent(c);
	assert_int_equal(f.len, 64); /* 60 with the tag's 4 */
	assert_memory_equal(f.data, l->data, 12);
	assert_int_equal(be32(f.data + 12), 0x81006123);
	assert_int_equal(be16(f.data + 16), 0x0800);
	check_ip_sum(f.data + 18);
	check_l4_sum(f.data + 18);
	list_free(c, l);
}

/* A tag in the frame itself does not hide the packet from the parser. */
static void
test_ipcb_checksum_behind_a_tag(void **state)
{
	struct list *l;
	struct card *c = ipcb_card(&l);
	uint32_t len = make_ip(l->data, true, 100, 120);
	struct pw_frame f;

	(void)state;
	memmove(l->data + 16, l->data + 12, len - 12);
	set32(l->data + 12, 0x81000005);
	make_ipcb(l, A_IP | A_L4 | A_TCP, A2_PARSE, len + 4, 0);
	assert_int_equal(run(c, l), CB_C | CB_OK);
	f = sent(c);
	check_ip_sum(f.data + 18);
	check_l4_sum(f.data + 18);
	list_free(c, l);
}

/* 550 erratum: below 38 bytes the IP checksum is wrong (§7). */
static void
test_ipcb_tiny_checksum(void **state)
{
	struct list *l;
	struct card *c = ipcb_card(&l);
	uint32_t len;

	(void)state;
	for (len = 37; len <= 38; len++) {
		struct pw_frame f;

		make_ip(l->data, false, 0, len - 34);
		set16(l->data + 20, 0x2000); /* a fragment */
		make_ipcb(l, A_IP, A2_PARSE, len, 0);
		assert_int_equal(run(c, l), CB_C | CB_OK);
		f = sent(c);
		if (len == 38)
			check_ip_sum(f.data + 14);
		else
			assert_int_not_equal(rfc1071_sum(f.data + 14, 20, 0), 0xffff);
	}
	list_free(c, l);
}

static void
test_ipcb_that_does_not_fit_the_packet(void **state)
{
	static const struct {
		uint8_t act, act2;
		bool ip;
		const char *violation;
	} t[] = {
		{ A_L4, A2_PARSE, false, "that has none" },
		{ A_L4, A2_PARSE, true, "TCP bit" },
		{ A_L4 | A_TCP, 0, true, "offsets" },
		{ 0, 0, false, "software parsing" },
		{ 0, A2_PARSE | 0x10, true, "scheduled" },
		{ A_LARGE | A_TCP | A_L4 | A_IP, A2_PARSE, false, "no TCP over IPv4" },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(t); i++) {
		struct list *l;
		struct card *c = ipcb_card(&l);

		make_frame(l->data, peer_mac, 154);
		if (t[i].ip)
			make_ip(l->data, true, 100, 120);
		make_ipcb(l, t[i].act, t[i].act2, 154, 0);
		run(c, l);
		expect_violation(c, PW_VIOL_PROTOCOL, t[i].violation);
		list_free(c, l);
	}
}

static void
test_ipcb_software_parsing(void **state)
{
	struct list *l;
	struct card *c = ipcb_card(&l);
	uint32_t len = make_ip(l->data, true, 100, 120);

	(void)state;
	make_ipcb(l, A_IP | A_L4 | A_TCP, 0, len, 0);
	l->b[0].param[0x16 - 8] = 14;
	l->b[0].param[0x17 - 8] = 34;
	assert_int_equal(run(c, l), CB_C | CB_OK);
	check_l4_sum(sent(c).data + 14);
	list_free(c, l);
}

/* --- large send ------------------------------------------------------------------------------- */

static void
make_lso(struct list *l, uint8_t act2, uint32_t first, uint32_t rest, uint16_t mss,
	 uint16_t payload)
{
	make_ipcb(l, A_LARGE | A_TCP | A_L4 | A_IP, act2, first, rest);
	memcpy(&l->b[0].param[6], &mss, 2);
	memcpy(&l->b[0].param[0x1e - 8], &payload, 2);
}

/*
 * 3500 bytes in segments of 1460: 1460, 1460, 580. Sequence FFFFFC00h + 1460 wraps to 1B4h;
 * IP ids FFFEh, FFFFh, 0; FIN and PSH in the last only. IP length and pseudo header as for a
 * full segment (§3.4): 20 + 20 + 1460.
 */
static void
test_large_send(void **state)
{
	static const struct {
		uint32_t seq, id, payload, flags;
	} seg[] = {
		{ 0xfffffc00, 0xfffe, 1460, 0x10 }, { 0x000001b4, 0xffff, 1460, 0x10 },
		{ 0x00000768, 0x0000, 580, 0x19 },
	};
	unsigned int tag, i;

	(void)state;
	for (tag = 0; tag < 2; tag++) {
		struct list *l;
		struct card *c = ipcb_card(&l);
		uint32_t len = make_ip(l->data, true, 3500, 20 + 1460), at = 54;

		make_lso(l, A2_PARSE | (tag ? A2_VLAN : 0), 54, len - 54, 1460, 3500);
		assert_int_equal(run(c, l), CB_C | CB_OK);
		for (i = 0; i < ARRAY_LEN(seg); i++) {
			struct pw_frame f = sent(c);
			const uint8_t *ip = f.data + 14 + 4 * tag;

			assert_int_equal(f.len, 54 + 4 * tag + seg[i].payload);
			if (tag)
				assert_int_equal(be32(f.data + 12), 0x81006123);
			assert_int_equal(be16(ip + 2), 40 + seg[i].payload);
			assert_int_equal(be16(ip + 4), seg[i].id);
			assert_int_equal(be32(ip + 24), seg[i].seq);
			assert_int_equal(ip[33], seg[i].flags);
			check_ip_sum(ip);
			check_l4_sum(ip);
			assert_memory_equal(ip + 40, l->data + at, seg[i].payload);
			at += seg[i].payload;
		}
		sent_nothing(c);
		assert_int_equal(counter(c, S_TX_GOOD), 3);
		list_free(c, l);
	}
}

/* No longer than a segment: one frame, its length as the host says it is. */
static void
test_large_send_of_one_segment(void **state)
{
	struct list *l;
	struct card *c = ipcb_card(&l);
	uint32_t len = make_ip(l->data, true, 333, 353);
	struct pw_frame f;

	(void)state;
	make_lso(l, A2_PARSE, len, 0, 1460, 333);
	assert_int_equal(run(c, l), CB_C | CB_OK);
	f = sent(c);
	assert_int_equal(f.len, len);
	assert_int_equal(f.data[47], 0x19);
	check_l4_sum(f.data + 14);
	sent_nothing(c);
	list_free(c, l);
}

static void
test_large_send_of_64_kib(void **state)
{
	struct list *l;
	struct card *c = ipcb_card(&l);
	uint32_t payload = 65000, len = make_ip(l->data, true, payload, 20 + 536), i;
	uint8_t *array = l->data + 65536 + 4096;

	(void)state;
	make_lso(l, A2_PARSE, 54, 0, 536, (uint16_t)payload);
	put32(&l->b[0].param[0x1c - 8], 54 | payload << 16);
	put32(&l->b[0].param[0], at_list(l, array));
	for (i = 0; i < 5; i++) {
		uint32_t n = i == 4 ? len - 54 - 4 * 16000 : 16000;

		put32(array + 8 * i, at_list(l, l->data) + 54 + i * 16000);
		put32(array + 8 * i + 4, n | (i == 4 ? 0x8000 : 0));
	}
	assert_int_equal(run(c, l), CB_C | CB_OK);
	for (i = 0; i < payload; i += 536) {
		struct pw_frame f = sent(c);
		uint32_t n = payload - i < 536 ? payload - i : 536;

		assert_int_equal(f.len, 54 + n);
		check_ip_sum(f.data + 14);
		check_l4_sum(f.data + 14);
		assert_memory_equal(f.data + 54, l->data + 54 + i, n);
	}
	sent_nothing(c);
	list_free(c, l);
}

static void
test_large_send_that_makes_no_sense(void **state)
{
	static const struct {
		uint32_t first, ip_len;
		uint16_t mss, payload;
		const char *violation;
	} t[] = {
		{ 53, 1480, 1460, 3000, "not all in the first" },
		{ 54, 20, 0, 3000, "segment size" },
		{ 54, 1485, 1465, 3000, "segment size" },
		{ 54, 1480, 1460, 3001, "payload" },
		{ 54, 3020, 1460, 3000, "IP length" },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(t); i++) {
		struct list *l;
		struct card *c = ipcb_card(&l);
		uint32_t len = make_ip(l->data, true, 3000, t[i].ip_len);

		make_lso(l, A2_PARSE, t[i].first, len - t[i].first, t[i].mss, t[i].payload);
		assert_int_equal(run(c, l), CB_C);
		expect_violation(c, PW_VIOL_PROTOCOL, t[i].violation);
		sent_nothing(c);
		list_free(c, l);
	}
}

/* PAUSE between two segments: the rest goes when it is over. */
static void
test_large_send_goes_on_after_a_pause(void **state)
{
	struct list *l;
	struct card *c = ipcb_card(&l);
	uint32_t len = make_ip(l->data, true, 3000, 1480);

	(void)state;
	configure_with(c, 32, 6, 0x02, 7, 0xa7, 22, 0x01, 19, 0x82);
	make_rfds(c);
	command(c, RU_START, bus(c, &c->mem->rfd[0]));
	send_pause(c, 1);
	make_lso(l, A2_PARSE, 54, len - 54, 1460, 3000);
	assert_int_equal(run(c, l), 0);
	sent_nothing(c);
	wait_us(c, 6); /* 512 bits at 100 Mb/s are 5.12 us */
	assert_int_equal(l->b[0].status, CB_C | CB_OK);
	assert_int_equal(sent(c).len, 54 + 1460);
	assert_int_equal(sent(c).len, 54 + 1460);
	assert_int_equal(sent(c).len, 54 + 80);
	list_free(c, l);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_simplified),
		cmocka_unit_test(test_simplified_that_is_not),
		cmocka_unit_test(test_one_buffer_in_both_modes),
		cmocka_unit_test(test_four_buffers),
		cmocka_unit_test(test_array_elsewhere),
		cmocka_unit_test(test_bytes_in_a_flexible_block),
		cmocka_unit_test(test_rubbish_above_a_tbd_size),
		cmocka_unit_test(test_blocks_that_make_no_sense),
		cmocka_unit_test(test_longest_frame),
		cmocka_unit_test(test_buffer_outside_memory),
		cmocka_unit_test(test_padding),
		cmocka_unit_test(test_nc_brings_its_own_crc),
		cmocka_unit_test(test_source_address_is_inserted),
		cmocka_unit_test(test_loopback),
		cmocka_unit_test(test_loopback_at_the_phy),
		cmocka_unit_test(test_no_link),
		cmocka_unit_test(test_wrong_interface),
		cmocka_unit_test(test_tx_hang),
		cmocka_unit_test(test_paced_line),
		cmocka_unit_test(test_underrun_until_the_threshold_is_raised),
		cmocka_unit_test(test_collisions_at_half_duplex),
		cmocka_unit_test(test_pause_stops_the_transmitter),
		cmocka_unit_test(test_pause_is_not_obeyed_with_flow_control_off),
		cmocka_unit_test(test_ich_hangs_without_a_nop_before_resume),
		cmocka_unit_test(test_ich_loops_back_at_10_half),
		cmocka_unit_test(test_ipcb_plain),
		cmocka_unit_test(test_ipcb_checksums),
		cmocka_unit_test(test_ipcb_udp_checksum_is_never_0),
		cmocka_unit_test(test_ipcb_inserts_a_tag),
		cmocka_unit_test(test_ipcb_checksum_behind_a_tag),
		cmocka_unit_test(test_ipcb_tiny_checksum),
		cmocka_unit_test(test_ipcb_that_does_not_fit_the_packet),
		cmocka_unit_test(test_ipcb_software_parsing),
		cmocka_unit_test(test_large_send),
		cmocka_unit_test(test_large_send_of_one_segment),
		cmocka_unit_test(test_large_send_of_64_kib),
		cmocka_unit_test(test_large_send_that_makes_no_sense),
		cmocka_unit_test(test_large_send_goes_on_after_a_pause),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
