/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* The 8255x models: receive unit, filter, RFDs, checksums, VLAN, FIFO, PAUSE. */

#include "i8255x_card.h"

/* Configure of 32 bytes with extended RFDs (§3.5): bytes 7 and 22. */
#define EXT_RFD 7, 0x27, 22, 0x01
#define EXT_RFD_STRIP 7, 0x27, 22, 0x03

static struct rfd *
one(struct card *c)
{
	struct rfd *r = received(c);

	if (r == NULL)
		fail_msg("nothing was received");
	return r;
}

/* --- storing (§3.5) ------------------------------------------------------------------------ */

static void
test_frame_is_stored(void **state)
{
	struct card *c = card_up("82559c");
	uint8_t f[60];
	struct rfd *r;

	(void)state;
	wr8(c, STAT_ACK, 0xff);
	arrive(c, card_mac, 60);
	r = one(c);
	make_frame(f, card_mac, 60);
	/* Own address, EtherType 88B5h. */
	assert_int_equal(r->status, R_C | R_OK | R_TYPE);
	assert_int_equal(r->count, R_EOF_F | 60);
	assert_memory_equal(r->data, f, 60);
	assert_int_equal(r->data[60], 0xdd); /* no FCS, no csum */
	assert_int_equal(r->cmd, 0);
	assert_int_equal(r->size, 1520);
	assert_int_equal(r->rbd, 0xffffffff);
	assert_int_equal(rd8(c, STAT_ACK), ACK_FR);
	assert_null(received(c));
	assert_int_equal(counter(c, S_RX_GOOD), 1);
	card_free(c);
}

static void
test_length_field_is_no_type(void **state)
{
	static const struct {
		uint32_t field;
		bool type;
	} t[] = { { 46, false }, { 1500, false }, { 0x05ff, false }, { 0x0600, true } };
	struct card *c = card_up("82559c");
	uint8_t f[60];
	unsigned int i;

	(void)state;
	for (i = 0; i < 4; i++) {
		make_frame(f, card_mac, 60);
		set16(f + 12, t[i].field);
		arrive_frame(c, f, 60, 0);
		assert_int_equal(one(c)->status, R_C | R_OK | (t[i].type ? R_TYPE : 0));
	}
	card_free(c);
}

/* RFDs are a circle: the unit goes round as long as there is no EL. */
static void
test_link_loop(void **state)
{
	struct card *c = card_up("82559c");
	unsigned int i;

	(void)state;
	c->mem->rfd[RFDS - 2].cmd = 0;
	c->mem->rfd[RFDS - 2].size = 1520;
	for (i = 0; i < 5 * RFDS; i++) {
		struct rfd *r;

		arrive(c, card_mac, 60 + i);
		r = one(c);
		assert_int_equal(r->count, R_EOF_F | (60 + i));
		r->status = 0;
		r->count = 0;
	}
	assert_int_equal(rd8(c, STATUS) & RUS_MASK, RUS_READY);
	card_free(c);
}

static void
test_frame_larger_than_the_rfd_is_truncated(void **state)
{
	struct card *c = card_up("82559c");
	uint8_t f[200];
	struct rfd *r;

	(void)state;
	c->mem->rfd[0].size = 100;
	arrive(c, card_mac, 200);
	r = one(c);
	make_frame(f, card_mac, 200);
	assert_int_equal(r->status, R_C | R_NO_SPACE | R_TYPE);
	assert_int_equal(r->count, R_EOF_F | 100);
	assert_memory_equal(r->data, f, 100);
	assert_int_equal(r->data[100], 0xdd);
	arrive(c, card_mac, 60);
	assert_int_equal(one(c)->status, R_C | R_OK | R_TYPE);
	assert_int_equal(counter(c, S_RX_GOOD), 1);
	card_free(c);
}

static void
test_base_is_added_to_links(void **state)
{
	struct card *c = card_bare("82559c");
	unsigned int i;

	(void)state;
	configure(c, NULL, 0, 22);
	execute(c, OP_IA, card_mac, 6);
	make_rfds(c);
	for (i = 0; i < RFDS; i++)
		c->mem->rfd[i].link -= IOVA;
	command(c, RU_BASE, IOVA);
	command(c, RU_START, bus(c, &c->mem->rfd[0]) - IOVA);
	arrive(c, card_mac, 60);
	arrive(c, card_mac, 61);
	assert_int_equal(one(c)->count, R_EOF_F | 60);
	assert_int_equal(one(c)->count, R_EOF_F | 61);
	card_free(c);
}

/* --- states (§2.1, §5.4, §9.9) ------------------------------------------------------------- */

/* EL and size 0: RNR without touching the RFD; on 82558 and later the FIFO holds the frame. */
static void
test_stop_rfd_is_not_touched(void **state)
{
	static const char *const chip[] = { "82557b", "82558b", "82559c", "82551" };
	unsigned int k, i;

	(void)state;
	for (k = 0; k < 4; k++) {
		struct card *c = card_up(chip[k]);
		struct rfd *stop = &c->mem->rfd[RFDS - 2], copy = *stop;

		for (i = 0; i < RFDS - 2; i++)
			arrive(c, card_mac, 60 + i);
		assert_int_equal(rd8(c, STATUS) & RUS_MASK, RUS_READY);
		wr8(c, STAT_ACK, 0xff);
		arrive(c, card_mac, 70);
		assert_int_equal(rd8(c, STATUS) & RUS_MASK, RUS_NO_RES);
		assert_int_equal(rd8(c, STAT_ACK), ACK_RNR);
		assert_memory_equal(stop, &copy, sizeof(copy));
		assert_int_equal(counter(c, S_RX_RESOURCE), k == 0 ? 1 : 0);

		/* Restarted, it goes on where software says. */
		stop->cmd = 0;
		stop->size = 1520;
		wr8(c, STAT_ACK, 0xff);
		command(c, RU_START, bus(c, stop));
		assert_int_equal(rd8(c, STATUS) & RUS_MASK, RUS_READY);
		arrive(c, card_mac, 71);
		for (i = 0; i < RFDS - 2; i++)
			assert_int_equal(one(c)->count, R_EOF_F | (60 + i));
		if (k != 0)
			assert_int_equal(one(c)->count, R_EOF_F | 70);
		assert_int_equal(one(c)->count, R_EOF_F | 71);
		assert_int_equal(counter(c, S_RX_GOOD), k == 0 ? 7 : 8);
		card_free(c);
	}
}

/* An RFD with EL that has room is filled first (§9.9). */
static void
test_el_with_size_is_filled_then_stops(void **state)
{
	struct card *c = card_up("82559c");
	struct rfd *r;

	(void)state;
	c->mem->rfd[1].cmd = CMD_EL;
	arrive(c, card_mac, 60);
	wr8(c, STAT_ACK, 0xff);
	arrive(c, card_mac, 61);
	assert_int_equal(rd8(c, STATUS) & RUS_MASK, RUS_NO_RES);
	assert_int_equal(rd8(c, STAT_ACK), ACK_FR | ACK_RNR);
	one(c);
	r = one(c);
	assert_int_equal(r->status, R_C | R_OK | R_TYPE);
	assert_int_equal(r->count, R_EOF_F | 61);
	arrive(c, card_mac, 62);
	assert_null(received(c));
	card_free(c);
}

static void
test_s_suspends_and_resume_goes_on(void **state)
{
	struct card *c = card_up("82559c");

	(void)state;
	c->mem->rfd[0].cmd = CMD_S;
	wr8(c, STAT_ACK, 0xff);
	arrive(c, card_mac, 60);
	assert_int_equal(rd8(c, STATUS) & RUS_MASK, RUS_SUSPENDED);
	assert_int_equal(rd8(c, STAT_ACK), ACK_FR | ACK_RNR);
	arrive(c, card_mac, 61);
	assert_int_equal(one(c)->count, R_EOF_F | 60);
	assert_null(received(c));
	command(c, RU_RESUME, 0);
	assert_int_equal(rd8(c, STATUS) & RUS_MASK, RUS_READY);
	assert_int_equal(one(c)->count, R_EOF_F | 61);
	card_free(c);
}

static void
test_abort(void **state)
{
	struct card *c = card_up("82559c");

	(void)state;
	wr8(c, STAT_ACK, 0xff);
	command(c, RU_ABORT, 0);
	assert_int_equal(rd8(c, STATUS) & RUS_MASK, RUS_IDLE);
	assert_int_equal(rd8(c, STAT_ACK), ACK_RNR);
	arrive(c, card_mac, 60);
	assert_null(received(c));
	/* Nothing is kept for a unit that is idle. */
	command(c, RU_START, bus(c, &c->mem->rfd[0]));
	assert_null(received(c));
	assert_int_equal(counter(c, S_RX_RESOURCE), 0);
	arrive(c, card_mac, 60);
	one(c);
	card_free(c);
}

static void
test_reset_stops_the_unit(void **state)
{
	static const uint32_t port[] = { 0, 2 };
	unsigned int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		struct card *c = card_up("82559c");

		wr32(c, PORT, port[i]);
		wait_us(c, 20);
		assert_int_equal(rd8(c, STATUS), RUS_IDLE);
		arrive(c, card_mac, 60);
		assert_null(received(c));
		card_free(c);
	}
}

/* Resume is legal in suspended only (§2.3). */
static void
test_resume_when_not_suspended_is_a_violation(void **state)
{
	struct card *c = card_up("82559c");

	(void)state;
	command(c, RU_RESUME, 0);
	expect_violation(c, PW_VIOL_PROTOCOL, "resume");
	assert_int_equal(rd8(c, STATUS) & RUS_MASK, RUS_READY);
	command(c, RU_ABORT, 0);
	command(c, RU_RESUME, 0);
	expect_violation(c, PW_VIOL_PROTOCOL, "resume");
	assert_int_equal(rd8(c, STATUS) & RUS_MASK, RUS_IDLE);
	card_free(c);
}

static void
test_start_when_ready_is_a_violation(void **state)
{
	struct card *c = card_up("82559c");

	(void)state;
	command(c, RU_START, bus(c, &c->mem->rfd[0]));
	expect_violation(c, PW_VIOL_PROTOCOL, "ready");
	card_free(c);
}

static void
test_flexible_mode_is_a_violation(void **state)
{
	static const uint8_t ruc[] = { RU_REDIRECT, RU_HDS, RU_RBD_RESUME };
	struct card *c = card_up("82559c");
	unsigned int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		command(c, ruc[i], 0);
		expect_violation(c, PW_VIOL_PROTOCOL, "not modelled");
	}
	c->mem->rfd[0].cmd = 0x0008;
	arrive(c, card_mac, 60);
	expect_violation(c, PW_VIOL_PROTOCOL, "flexible");
	assert_int_equal(c->mem->rfd[0].status, 0);
	assert_int_equal(rd8(c, STATUS) & RUS_MASK, RUS_NO_RES);
	card_free(c);
}

/* An RFD that software has not taken yet would be overwritten (§5.4). */
static void
test_rfd_with_c_is_not_overwritten(void **state)
{
	struct card *c = card_up("82559c");

	(void)state;
	c->mem->rfd[1].status = R_C | R_OK;
	arrive(c, card_mac, 60);
	arrive(c, card_mac, 61);
	expect_violation(c, PW_VIOL_DESC_OWNER, "overwritten");
	assert_int_equal(c->mem->rfd[1].count, 0);
	assert_int_equal(rd8(c, STATUS) & RUS_MASK, RUS_NO_RES);
	card_free(c);
}

static void
test_dma_outside_is_a_violation(void **state)
{
	struct card *c = card_bare("82559c");

	(void)state;
	configure(c, NULL, 0, 22);
	execute(c, OP_IA, card_mac, 6);
	make_rfds(c);
	command(c, RU_START, 0x20);
	arrive(c, card_mac, 60);
	expect_violation(c, PW_VIOL_DMA, "0x20");
	assert_int_equal(rd8(c, STATUS) & RUS_MASK, RUS_IDLE);
	card_free(c);
}

static void
test_odd_size_is_a_violation(void **state)
{
	struct card *c = card_up("82559c");

	(void)state;
	c->mem->rfd[0].size = 1519;
	arrive(c, card_mac, 60);
	expect_violation(c, PW_VIOL_PROTOCOL, "odd size");
	card_free(c);
}

/* Between two stores of software that moves the stop: EL is clear, the size is still 0. */
static void
test_stop_that_is_being_moved_is_looked_at_again(void **state)
{
	struct card *c = card_up("82559c");

	(void)state;
	c->mem->rfd[0].size = 0;
	arrive(c, card_mac, 60);
	assert_null(received(c));
	assert_int_equal(rd8(c, STATUS) & RUS_MASK, RUS_READY);
	c->mem->rfd[0].size = 1520;
	pw_model_poll(c->m);
	assert_int_equal(one(c)->count, R_EOF_F | 60);
	card_free(c);
}

/* --- FIFO ---------------------------------------------------------------------------------- */

/* 3 KB: two frames of 1518 bytes with FCS, 3036 in all; the third is a resource error. */
static void
test_fifo_holds_what_fits(void **state)
{
	struct card *c = card_up("82559c");
	unsigned int i;

	(void)state;
	c->mem->rfd[0].cmd = CMD_EL;
	arrive(c, card_mac, 60);
	for (i = 0; i < 4; i++)
		arrive(c, card_mac, 1514);
	assert_int_equal(counter(c, S_RX_RESOURCE), 2);
	assert_int_equal(counter(c, S_RX_GOOD), 1);
	command(c, RU_START, bus(c, &c->mem->rfd[1]));
	assert_int_equal(one(c)->count, R_EOF_F | 60);
	for (i = 0; i < 2; i++) {
		struct rfd *r = one(c);
		uint8_t f[1514];

		make_frame(f, card_mac, 1514);
		assert_int_equal(r->status, R_C | R_OK | R_TYPE);
		assert_int_equal(r->count, R_EOF_F | 1514);
		assert_memory_equal(r->data, f, 1514);
	}
	assert_null(received(c));
	assert_int_equal(counter(c, S_RX_GOOD), 3);
	card_free(c);
}

/* What was held goes first, and only as far as there are RFDs. */
static void
test_fifo_keeps_order(void **state)
{
	struct card *c = card_up("82559c");
	unsigned int i;

	(void)state;
	c->mem->rfd[0].cmd = CMD_EL;
	for (i = 0; i < 5; i++)
		arrive(c, card_mac, 60 + i);
	c->mem->rfd[2].cmd = CMD_EL;
	command(c, RU_START, bus(c, &c->mem->rfd[1]));
	assert_int_equal(rd8(c, STATUS) & RUS_MASK, RUS_NO_RES);
	arrive(c, card_mac, 65);
	command(c, RU_START, bus(c, &c->mem->rfd[3]));
	for (i = 0; i < 6; i++)
		assert_int_equal(one(c)->count, R_EOF_F | (60 + i));
	assert_null(received(c));
	card_free(c);
}

static void
test_82557_drops_without_an_rfd(void **state)
{
	struct card *c = card_up("82557b");
	unsigned int i;

	(void)state;
	c->mem->rfd[0].cmd = CMD_EL;
	for (i = 0; i < 4; i++)
		arrive(c, card_mac, 60);
	one(c);
	command(c, RU_START, bus(c, &c->mem->rfd[1]));
	assert_null(received(c));
	assert_int_equal(counter(c, S_RX_RESOURCE), 3);
	card_free(c);
}

/* --- filter (§3.1, byte 15, 20, 21) -------------------------------------------------------- */

static void
test_address_filter(void **state)
{
	static const uint8_t mc[6] = { 0x01, 0x00, 0x5e, 0x01, 0x02, 0x03 };
	static const struct {
		const char *what;
		uint8_t change[8];
		unsigned int nb;
		/* Expected status bits for own, other, broadcast, multicast; -1: filtered. */
		int own, other, bc, mc;
	} t[] = {
		{ "plain", { 0 }, 0, 0, -1, R_NOT_IA, -1 },
		{ "no broadcast", { 15, 0x4a }, 1, 0, -1, -1, -1 },
		{ "all multicast", { 21, 0x0d }, 1, 0, -1, R_NOT_IA, R_NOT_IA },
		{ "promiscuous", { 15, 0x49 }, 1, 0, R_NOT_IA | R_NO_MATCH, R_NOT_IA,
		  R_NOT_IA | R_NO_MATCH },
		{ "promiscuous, no broadcast", { 15, 0x4b }, 1, 0, R_NOT_IA | R_NO_MATCH,
		  R_NOT_IA | R_NO_MATCH, R_NOT_IA | R_NO_MATCH },
	};
	unsigned int i, k;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		const uint8_t *da[] = { card_mac, other_mac, broadcast, mc };
		const int want[] = { t[i].own, t[i].other, t[i].bc, t[i].mc };
		struct card *c = card_up("82559c");

		configure(c, t[i].change, t[i].nb, 22);
		for (k = 0; k < 4; k++) {
			struct rfd *r;

			arrive(c, da[k], 60);
			r = received(c);
			if ((r == NULL) != (want[k] < 0))
				fail_msg("%s, address %u: %s", t[i].what, k,
					 r == NULL ? "filtered" : "let through");
			if (r != NULL && r->status != (R_C | R_OK | R_TYPE | want[k]))
				fail_msg("%s, address %u: status 0x%04x", t[i].what, k, r->status);
		}
		card_free(c);
	}
}

/* Bits 7:2 of the CRC as QEMU's eepro100 forms it (§3.1): MSB first, not inverted. */
static unsigned int
hash_of(const uint8_t *addr)
{
	uint32_t crc = 0xffffffff;
	unsigned int i, b;

	for (i = 0; i < 6; i++) {
		for (b = 0; b < 8; b++) {
			uint32_t carry = (crc >> 31) ^ (addr[i] >> b & 1);

			crc = crc << 1 ^ (carry != 0 ? 0x04c11db7 : 0);
		}
	}
	return crc >> 2 & 0x3f;
}

static void
test_multicast_hash(void **state)
{
	static const uint8_t wanted[6] = { 0x01, 0x00, 0x5e, 0x00, 0x00, 0x01 };
	uint8_t params[14] = { 12, 0 }, da[6];
	struct card *c = card_up("82559c");
	unsigned int i, same = 0;

	(void)state;
	memcpy(params + 2, wanted, 6);
	memcpy(params + 8, "\x33\x33\x00\x00\x00\x01", 6);
	execute(c, OP_MULTICAST, params, sizeof(params));
	for (i = 0; i < 256; i++) {
		unsigned int hash;
		struct rfd *r;

		memcpy(da, wanted, 6);
		da[5] = (uint8_t)i;
		hash = hash_of(da);
		arrive(c, da, 60);
		r = received(c);
		if ((r != NULL) != (hash == hash_of(wanted) || hash == hash_of(params + 8)))
			fail_msg("group %u, hash %u", i, hash);
		if (r == NULL)
			continue;
		same++;
		assert_int_equal(r->status, R_C | R_OK | R_TYPE | R_NOT_IA);
		if (c->rx_next % RFDS == RFDS - 2) {
			command(c, RU_ABORT, 0);
			start_rx(c);
		}
	}
	/* Of 256 addresses that differ in their last byte, each of 64 values has four. */
	assert_true(same >= 4);
	/* An empty list clears the filter (§3.1). */
	execute(c, OP_MULTICAST, "\0\0", 2);
	command(c, RU_ABORT, 0);
	start_rx(c);
	arrive(c, wanted, 60);
	assert_null(received(c));
	card_free(c);
}

/* Byte 20 bit 6: stations in the multicast list. */
static void
test_multi_ia(void **state)
{
	uint8_t params[8] = { 6, 0 };
	struct card *c = card_up("82559c");

	(void)state;
	memcpy(params + 2, other_mac, 6);
	configure_with(c, 22, 20, 0x7f);
	arrive(c, other_mac, 60);
	assert_null(received(c));
	execute(c, OP_MULTICAST, params, sizeof(params));
	arrive(c, other_mac, 60);
	assert_int_equal(one(c)->status, R_C | R_OK | R_TYPE | R_NOT_IA);
	arrive(c, peer_mac, 60);
	assert_null(received(c));
	configure(c, NULL, 0, 22);
	arrive(c, other_mac, 60);
	assert_null(received(c));
	card_free(c);
}

/* Byte 15 bit 4: the second lowest bit of the first byte does not count. */
static void
test_ignore_ul(void **state)
{
	struct card *c = card_up("82559c");
	uint8_t da[6];

	(void)state;
	memcpy(da, card_mac, 6);
	da[0] ^= 0x02;
	arrive(c, da, 60);
	assert_null(received(c));
	configure_with(c, 22, 15, 0x58);
	arrive(c, da, 60);
	assert_int_equal(one(c)->status, R_C | R_OK | R_TYPE);
	card_free(c);
}

/* Until IA Setup says otherwise, 82558 and later have the address of their EEPROM. */
static void
test_address_from_the_eeprom(void **state)
{
	struct card *c = card_bare("82559c");

	(void)state;
	configure(c, NULL, 0, 22);
	start_rx(c);
	arrive(c, card_mac, 60);
	assert_int_equal(one(c)->status, R_C | R_OK | R_TYPE);
	arrive(c, other_mac, 60);
	assert_null(received(c));
	card_free(c);
}

/* --- bad frames ---------------------------------------------------------------------------- */

static void
test_bad_crc(void **state)
{
	struct card *c = card_up("82559c");
	uint8_t f[60];
	struct rfd *r;

	(void)state;
	make_frame(f, card_mac, 60);
	arrive_frame(c, f, 60, PW_FRAME_BAD_CRC);
	assert_null(received(c));
	pw_model_fault(c->m, PW_FAULT_BAD_CRC, 1);
	arrive_frame(c, f, 60, 0);
	assert_null(received(c));
	assert_int_equal(counter(c, S_RX_CRC), 2);
	/* Byte 6 bit 7: bad frames are stored. */
	configure_with(c, 22, 6, 0xb2);
	arrive_frame(c, f, 60, PW_FRAME_BAD_CRC);
	r = one(c);
	assert_int_equal(r->status, R_C | R_CRC | R_TYPE);
	assert_int_equal(r->count, R_EOF_F | 60);
	arrive_frame(c, f, 60, PW_FRAME_RX_ERR);
	assert_int_equal(one(c)->status, R_C | R_CRC | R_RX_ER | R_TYPE);
	assert_int_equal(counter(c, S_RX_CRC), 4);
	assert_int_equal(counter(c, S_RX_GOOD), 0);
	card_free(c);
}

/* 64 bytes with FCS is the least; byte 7 bit 0 says what becomes of fewer. */
static void
test_short_frames(void **state)
{
	struct card *c = card_up("82559c");
	struct rfd *r;

	(void)state;
	arrive(c, card_mac, 59);
	arrive(c, card_mac, 14);
	arrive(c, card_mac, 13);
	assert_null(received(c));
	assert_int_equal(counter(c, S_RX_SHORT), 3);
	configure_with(c, 22, 7, 0x06);
	arrive(c, card_mac, 59);
	r = one(c);
	assert_int_equal(r->status, R_C | R_SHORT | R_TYPE);
	assert_int_equal(r->count, R_EOF_F | 59);
	arrive(c, card_mac, 60);
	assert_int_equal(one(c)->status, R_C | R_OK | R_TYPE);
	assert_int_equal(counter(c, S_RX_SHORT), 4);
	card_free(c);
}

/* 1518 bytes with FCS, more with byte 18 bit 3, which an 82557 lacks. */
static void
test_long_frames(void **state)
{
	struct card *c = card_up("82559c");

	(void)state;
	arrive(c, card_mac, 1515);
	assert_null(received(c));
	arrive(c, card_mac, 1514);
	assert_int_equal(one(c)->count, R_EOF_F | 1514);
	configure_with(c, 22, 18, 0xfa);
	arrive(c, card_mac, 1518);
	assert_int_equal(one(c)->count, R_EOF_F | 1518);
	card_free(c);

	/* Saved as bad, a frame with a tag gets through an 82557 (§7). */
	c = card_up("82557b");
	arrive(c, card_mac, 1518);
	assert_null(received(c));
	configure_with(c, 22, 6, 0xb2);
	arrive(c, card_mac, 1518);
	assert_int_equal(one(c)->status, R_C | R_TYPE);
	card_free(c);
}

static void
test_overrun(void **state)
{
	struct card *c = card_up("82559c");

	(void)state;
	pw_model_fault(c->m, PW_FAULT_RX_OVERRUN, 2);
	arrive(c, card_mac, 60);
	assert_null(received(c));
	/* Byte 6 bit 6: overruns are stored. */
	configure_with(c, 22, 6, 0x72);
	arrive(c, card_mac, 60);
	assert_int_equal(one(c)->status, R_C | R_OVERRUN | R_TYPE);
	arrive(c, card_mac, 60);
	assert_int_equal(one(c)->status, R_C | R_OK | R_TYPE);
	assert_int_equal(counter(c, S_RX_OVERRUN), 2);
	card_free(c);
}

/* Without the bus the FIFO fills, then runs over. */
static void
test_no_bus_master(void **state)
{
	struct card *c = card_up("82559c");
	unsigned int i;

	(void)state;
	pw_model_cfg_write(c->m, 0x04, 0x0003, 2);
	for (i = 0; i < 3; i++)
		arrive(c, card_mac, 1514);
	assert_null(received(c));
	pw_model_cfg_write(c->m, 0x04, 0x0007, 2);
	pw_model_poll(c->m);
	one(c);
	one(c);
	assert_null(received(c));
	assert_int_equal(counter(c, S_RX_OVERRUN), 1);
	card_free(c);
}

/* --- what is stored besides ---------------------------------------------------------------- */

/* CRC-32 of IEEE 802.3 §3.2.9, a bit at a time; over a frame with its FCS: the residue. */
static uint32_t
crc32_of(const uint8_t *p, uint32_t len)
{
	uint32_t crc = 0xffffffff, i, b;

	for (i = 0; i < len; i++) {
		crc ^= p[i];
		for (b = 0; b < 8; b++)
			crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320 : 0);
	}
	return ~crc;
}

/* Byte 18 bit 2 */
static void
test_crc_transfer(void **state)
{
	struct card *c = card_up("82559c");
	uint8_t f[60];
	struct rfd *r;

	(void)state;
	configure_with(c, 22, 6, 0xb2, 18, 0xf6);
	arrive(c, card_mac, 60);
	r = one(c);
	assert_int_equal(r->count, R_EOF_F | 64);
	assert_int_equal(crc32_of(r->data, 64), 0x2144df1c);
	make_frame(f, card_mac, 60);
	arrive_frame(c, f, 60, PW_FRAME_BAD_CRC);
	r = one(c);
	assert_int_equal(r->count, R_EOF_F | 64);
	assert_int_not_equal(crc32_of(r->data, 64), 0x2144df1c);
	card_free(c);
}

/* Byte 18 bit 0: a frame ends where its length field says. */
static void
test_padding_is_stripped(void **state)
{
	struct card *c = card_up("82559c");
	uint8_t f[60];

	(void)state;
	configure_with(c, 22, 18, 0xf3);
	make_frame(f, card_mac, 60);
	set16(f + 12, 10);
	arrive_frame(c, f, 60, 0);
	assert_int_equal(one(c)->count, R_EOF_F | 24);
	set16(f + 12, 46);
	arrive_frame(c, f, 60, 0);
	assert_int_equal(one(c)->count, R_EOF_F | 60);
	/* A length that is longer than the frame is not believed. */
	set16(f + 12, 200);
	arrive_frame(c, f, 60, 0);
	assert_int_equal(one(c)->count, R_EOF_F | 60);
	arrive(c, card_mac, 60);
	assert_int_equal(one(c)->count, R_EOF_F | 60);
	/* The FCS goes with the padding. */
	configure_with(c, 22, 18, 0xf7);
	set16(f + 12, 10);
	arrive_frame(c, f, 60, 0);
	assert_int_equal(one(c)->count, R_EOF_F | 24);
	card_free(c);
}

/* Byte 9 bit 0 on an 82559: the sum of all behind the Ethernet header (§3.5). */
static void
test_raw_checksum(void **state)
{
	static const uint32_t len[] = { 60, 61, 1513, 1514 };
	struct card *c = card_up("82559c");
	unsigned int i;

	(void)state;
	configure_with(c, 22, 9, 0x01);
	for (i = 0; i < 4; i++) {
		uint8_t f[1514], want[2];
		struct rfd *r;

		make_frame(f, card_mac, len[i]);
		arrive_frame(c, f, len[i], 0);
		r = one(c);
		assert_int_equal(r->count, R_EOF_F | (len[i] + 2));
		set16(want, rfc1071_sum(f + 14, len[i] - 14, 0));
		assert_memory_equal(r->data, f, len[i]);
		assert_memory_equal(r->data + len[i], want, 2);
	}
	card_free(c);

	/* An 82559ER has no such thing (§1.1). */
	c = card_up("82559er");
	configure_with(c, 22, 9, 0x01);
	expect_violation(c, PW_VIOL_PROTOCOL, "byte 9");
	arrive(c, card_mac, 60);
	assert_int_equal(one(c)->count, R_EOF_F | 60);
	card_free(c);
}

/* --- extended RFDs (§3.5) ------------------------------------------------------------------ */

enum { UDP = 17, TCP = 6, ICMP = 1 };

/* An IPv4 packet of `proto` with right checksums behind an Ethernet header. */
static uint32_t
make_ip(uint8_t *f, uint8_t proto, uint32_t payload)
{
	uint32_t l4 = proto == TCP ? 20 : 8, len = 20 + l4 + payload, sum, i;
	uint8_t *ip = f + 14, *t = ip + 20;

	make_frame(f, card_mac, 14 + len);
	set16(f + 12, 0x0800);
	memset(ip, 0, 20 + l4);
	ip[0] = 0x45;
	set16(ip + 2, len);
	ip[8] = 64;
	ip[9] = proto;
	ip[12] = ip[16] = 10;
	ip[15] = 1;
	ip[19] = 2;
	set16(ip + 10, ~rfc1071_sum(ip, 20, 0));
	for (i = 0; i < l4; i++)
		t[i] = (uint8_t)(i + 1);
	if (proto == UDP)
		set16(t + 4, l4 + payload);
	set16(t + (proto == TCP ? 16 : 6), 0);
	sum = rfc1071_sum(ip + 12, 8, proto + l4 + payload);
	set16(t + (proto == TCP ? 16 : 6), ~rfc1071_sum(t, l4 + payload, sum));
	return 14 + len;
}

static void
test_parser(void **state)
{
	static const struct {
		const char *what;
		uint8_t proto;
		uint16_t off;	/* byte to break, 0: none */
		uint16_t status;
		uint8_t parser, csum;
	} t[] = {
		{ "TCP", TCP, 0, R_PARSED, 0x08, 0x33 },
		{ "UDP", UDP, 0, R_PARSED, 0x09, 0x33 },
		{ "ICMP", ICMP, 0, R_PARSED, 0x0b, 0x03 },
		{ "TCP, payload broken", TCP, 60, R_PARSED, 0x08, 0x13 },
		{ "UDP, payload broken", UDP, 60, R_PARSED, 0x09, 0x13 },
		{ "TCP, IP header broken", TCP, 14 + 4, R_PARSED, 0x08, 0x31 },
		{ "fragment", UDP, 14 + 6, R_PARSED, 0x0b, 0x01 },
		{ "no IP", UDP, 12, 0, 0, 0 },
	};
	struct card *c = card_up("82551");
	unsigned int i;

	(void)state;
	configure_with(c, 32, EXT_RFD);
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		uint8_t f[200];
		uint32_t len = make_ip(f, t[i].proto, 100);
		struct rfd *r;

		if (t[i].off != 0)
			f[t[i].off] ^= 0x20;
		arrive_frame(c, f, len, 0);
		r = one(c);
		if (r->status != (R_C | R_OK | R_TYPE | t[i].status) || r->data[2] != t[i].parser ||
		    r->data[6] != t[i].csum)
			fail_msg("%s: status 0x%04x, parser 0x%02x, csum 0x%02x", t[i].what,
				 r->status, r->data[2], r->data[6]);
		assert_int_equal(r->count, R_EOF_F | len);
		assert_memory_equal(r->data + 16, f, len);
		if (c->rx_next % RFDS == RFDS - 2) {
			command(c, RU_ABORT, 0);
			start_rx(c);
		}
	}
	card_free(c);
}

/* UDP may come without a checksum (RFC 768): no verdict. */
static void
test_udp_without_checksum(void **state)
{
	struct card *c = card_up("82551");
	uint8_t f[200];
	uint32_t len = make_ip(f, UDP, 100);
	struct rfd *r;

	(void)state;
	configure_with(c, 32, EXT_RFD);
	set16(f + 14 + 20 + 6, 0);
	arrive_frame(c, f, len, 0);
	r = one(c);
	assert_int_equal(r->data[2], 0x09);
	assert_int_equal(r->data[6], 0x03);
	card_free(c);
}

static void
test_vlan_is_stripped(void **state)
{
	struct card *c = card_up("82551");
	uint8_t f[204], plain[200];
	uint32_t len = make_ip(plain, TCP, 100);
	struct rfd *r;

	(void)state;
	memcpy(f, plain, 12);
	set16(f + 12, 0x8100);
	set16(f + 14, 0xa123);
	memcpy(f + 16, plain + 12, len - 12);
	configure_with(c, 32, EXT_RFD);
	arrive_frame(c, f, len + 4, 0);
	r = one(c);
	assert_int_equal(r->status, R_C | R_OK | R_TYPE | R_PARSED);
	assert_int_equal(r->count, R_EOF_F | (len + 4));
	assert_memory_equal(r->data + 16, f, len + 4);

	configure_with(c, 32, EXT_RFD_STRIP);
	arrive_frame(c, f, len + 4, 0);
	r = one(c);
	assert_int_equal(r->status, R_C | R_OK | R_TYPE | R_PARSED | R_VLAN);
	assert_int_equal(r->count, R_EOF_F | len);
	assert_memory_equal(r->data, "\xa1\x23", 2); /* big-endian */
	assert_int_equal(r->data[2], 0x08);
	assert_int_equal(r->data[6], 0x33);
	assert_memory_equal(r->data + 16, plain, len);
	/* Nothing to strip: no tag. */
	arrive_frame(c, plain, len, 0);
	r = one(c);
	assert_int_equal(r->status, R_C | R_OK | R_TYPE | R_PARSED);
	assert_memory_equal(r->data, "\0\0", 2);
	card_free(c);
}

/* Other parts do not know these bits. */
static void
test_extended_rfds_are_of_82550_and_82551(void **state)
{
	struct card *c = card_up("82559c");
	uint8_t f[60];
	struct rfd *r;

	(void)state;
	configure_with(c, 22, 7, 0x27);
	expect_violation(c, PW_VIOL_PROTOCOL, "byte 7");
	make_frame(f, card_mac, 60);
	arrive_frame(c, f, 60, 0);
	r = one(c);
	assert_memory_equal(r->data, f, 60);
	card_free(c);
}

/* --- PAUSE (IEEE 802.3 annex 31B) ---------------------------------------------------------- */

static const uint8_t pause_da[6] = { 0x01, 0x80, 0xc2, 0x00, 0x00, 0x01 };

static void
arrive_control(struct card *c, uint32_t opcode, uint32_t quanta)
{
	uint8_t f[60] = { 0 };

	make_frame(f, pause_da, 14);
	set16(f + 12, 0x8808);
	set16(f + 14, opcode);
	set16(f + 16, quanta);
	arrive_frame(c, f, 60, 0);
}

/* Byte 19 bit 5 set: PAUSE is not handed up; bit 2: it is not obeyed. Statistics: byte 6. */
static void
test_pause_received(void **state)
{
	struct card *c = card_up("82559c");

	(void)state;
	configure_with(c, 22, 6, 0x12, 19, 0xa2);
	wr8(c, STAT_ACK, 0xff);
	arrive_control(c, 1, 100);
	assert_null(received(c));
	assert_int_equal(rd8(c, STAT_ACK) & ACK_FCP, ACK_FCP);
	assert_int_equal(counter(c, S_FC_RX), 1);
	arrive_control(c, 2, 0);
	assert_int_equal(counter(c, S_FC_UNSUPPORTED), 1);
	assert_int_equal(counter(c, S_FC_RX), 1);

	/* Handed up, as far as the filter lets it. */
	configure_with(c, 22, 6, 0x12, 19, 0x86, 21, 0x0d);
	wr8(c, STAT_ACK, 0xff);
	arrive_control(c, 1, 100);
	assert_int_equal(one(c)->status, R_C | R_OK | R_TYPE | R_NOT_IA);
	assert_int_equal(rd8(c, STAT_ACK) & ACK_FCP, 0);
	card_free(c);
}

/* PAUSE is for full duplex: byte 19 bits 6 and 7 say what the MAC takes the line for. */
static void
test_pause_at_half_duplex_is_not_obeyed(void **state)
{
	struct card *c = card_up("82559c");

	(void)state;
	configure_with(c, 22, 19, 0x22);
	wr8(c, STAT_ACK, 0xff);
	arrive_control(c, 1, 100);
	assert_int_equal(rd8(c, STAT_ACK) & ACK_FCP, 0);
	configure_with(c, 22, 19, 0x62);
	arrive_control(c, 1, 100);
	assert_int_equal(rd8(c, STAT_ACK) & ACK_FCP, ACK_FCP);
	card_free(c);
}

/* An 82557 takes PAUSE for a frame as any other. */
static void
test_82557_knows_no_pause(void **state)
{
	struct card *c = card_up("82557b");

	(void)state;
	configure_with(c, 22, 21, 0x0d);
	arrive_control(c, 1, 100);
	one(c);
	card_free(c);
}

static void
is_pause(struct card *c, uint32_t quanta)
{
	struct pw_frame f = sent(c);

	assert_memory_equal(f.data, pause_da, 6);
	assert_memory_equal(f.data + 12, "\x88\x08\x00\x01", 4);
	assert_int_equal(f.data[16] << 8 | f.data[17], quanta);
}

/* Bytes 16 and 17: quanta; 19h: 1 KB must stay free of 3 KB (§2). */
static void
test_pause_sent_when_the_fifo_fills(void **state)
{
	struct card *c = card_up("82559c");

	(void)state;
	configure_with(c, 22, 6, 0x12, 16, 0x20, 17, 0x01, 19, 0xba);
	wr8(c, FC_THRESHOLD, 1);
	c->mem->rfd[0].cmd = CMD_EL;
	arrive(c, card_mac, 60);
	/* 1518 are in: 1554 are free. */
	arrive(c, card_mac, 1514);
	sent_nothing(c);
	arrive(c, card_mac, 600);
	is_pause(c, 0x0120);
	assert_int_equal(counter(c, S_FC_TX), 1);
	/* Again before 288 quanta of 512 bit times at 100 Mb/s, 1475 us, are over. */
	wait_us(c, 1400);
	is_pause(c, 0x0120);
	command(c, RU_START, bus(c, &c->mem->rfd[1]));
	is_pause(c, 0);
	wait_us(c, 3000);
	sent_nothing(c);
	card_free(c);
}

/* Room that must stay free, for each value of 19h; frames of 64 bytes with FCS (§2). */
static void
test_pause_thresholds(void **state)
{
	static const uint32_t room[8] = { 512, 1024, 1280, 1536, 1792, 2048, 2304, 2560 };
	unsigned int i;

	(void)state;
	for (i = 0; i < 8; i++) {
		struct card *c = card_up("82559c");
		uint32_t free_bytes = 3072;

		configure_with(c, 22, 16, 0xff, 17, 0xff, 19, 0xba);
		wr8(c, FC_THRESHOLD, i);
		command(c, RU_ABORT, 0);
		make_rfds(c);
		c->mem->rfd[0].cmd = CMD_EL;
		command(c, RU_START, bus(c, &c->mem->rfd[0]));
		arrive(c, card_mac, 60);
		while (free_bytes - 64 >= room[i]) {
			arrive(c, card_mac, 60);
			free_bytes -= 64;
			sent_nothing(c);
		}
		arrive(c, card_mac, 60);
		is_pause(c, 0xffff);
		card_free(c);
	}
}

/* Flow control that is turned off meanwhile is not refreshed. */
static void
test_pause_ends_when_configured_off(void **state)
{
	struct card *c = card_up("82559c");

	(void)state;
	configure_with(c, 22, 16, 0x20, 17, 0x01, 19, 0xba);
	c->mem->rfd[0].cmd = CMD_EL;
	arrive(c, card_mac, 60);
	arrive(c, card_mac, 1514);
	arrive(c, card_mac, 1100);
	is_pause(c, 0x0120);
	configure(c, NULL, 0, 22);
	wait_us(c, 3000);
	sent_nothing(c);
	command(c, RU_START, bus(c, &c->mem->rfd[1]));
	sent_nothing(c);
	card_free(c);
}

static void
test_no_pause_unless_configured(void **state)
{
	struct card *c = card_up("82559c");

	(void)state;
	wr8(c, FC_THRESHOLD, 7);
	c->mem->rfd[0].cmd = CMD_EL;
	arrive(c, card_mac, 60);
	arrive(c, card_mac, 1514);
	arrive(c, card_mac, 1514);
	sent_nothing(c);
	card_free(c);
}

/* --- wake-up, lock-up ---------------------------------------------------------------------- */

/* 82557 (§7): the receiver is deaf until a Multicast Setup command. */
static void
test_lock_up_is_cured_by_multicast_setup(void **state)
{
	struct card *c = card_up("82557b");

	(void)state;
	pw_model_fault(c->m, PW_FAULT_RX_LOCKUP, 1);
	arrive(c, card_mac, 60);
	assert_null(received(c));
	execute(c, OP_MULTICAST, "\0\0", 2);
	arrive(c, card_mac, 61);
	assert_int_equal(one(c)->count, R_EOF_F | 61);
	card_free(c);
}

/* In D3 a magic packet sets PMDR's bits 6 and 0 unless byte 19 bit 1 forbids; no 82559ER's. */
static void
test_magic_packet(void **state)
{
	static const struct {
		const char *chip;
		uint8_t byte19, pmdr;
	} t[] = { { "82559c", 0x84, 0x41 }, { "82559c", 0x86, 0 }, { "82559er", 0x84, 0 } };
	unsigned int k, i;

	(void)state;
	for (k = 0; k < 3; k++) {
		struct card *c = card_up(t[k].chip);
		uint8_t f[160];

		configure_with(c, 22, 19, t[k].byte19);
		wr8(c, PMDR, 0xff);
		make_frame(f, card_mac, sizeof(f));
		memset(f + 30, 0xff, 6);
		for (i = 0; i < 16; i++)
			memcpy(f + 36 + 6 * i, card_mac, 6);
		pw_model_cfg_write(c->m, 0xe0, 0x0103, 2);
		pw_model_poll(c->m);
		arrive_frame(c, f, sizeof(f), 0);
		assert_null(received(c));
		pw_model_cfg_write(c->m, 0xe0, 0x0000, 2);
		assert_int_equal(rd8(c, PMDR), t[k].pmdr);
		card_free(c);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frame_is_stored),
		cmocka_unit_test(test_length_field_is_no_type),
		cmocka_unit_test(test_link_loop),
		cmocka_unit_test(test_frame_larger_than_the_rfd_is_truncated),
		cmocka_unit_test(test_base_is_added_to_links),
		cmocka_unit_test(test_stop_rfd_is_not_touched),
		cmocka_unit_test(test_el_with_size_is_filled_then_stops),
		cmocka_unit_test(test_s_suspends_and_resume_goes_on),
		cmocka_unit_test(test_abort),
		cmocka_unit_test(test_reset_stops_the_unit),
		cmocka_unit_test(test_resume_when_not_suspended_is_a_violation),
		cmocka_unit_test(test_start_when_ready_is_a_violation),
		cmocka_unit_test(test_flexible_mode_is_a_violation),
		cmocka_unit_test(test_rfd_with_c_is_not_overwritten),
		cmocka_unit_test(test_dma_outside_is_a_violation),
		cmocka_unit_test(test_odd_size_is_a_violation),
		cmocka_unit_test(test_stop_that_is_being_moved_is_looked_at_again),
		cmocka_unit_test(test_fifo_holds_what_fits),
		cmocka_unit_test(test_fifo_keeps_order),
		cmocka_unit_test(test_82557_drops_without_an_rfd),
		cmocka_unit_test(test_address_filter),
		cmocka_unit_test(test_multicast_hash),
		cmocka_unit_test(test_multi_ia),
		cmocka_unit_test(test_ignore_ul),
		cmocka_unit_test(test_address_from_the_eeprom),
		cmocka_unit_test(test_bad_crc),
		cmocka_unit_test(test_short_frames),
		cmocka_unit_test(test_long_frames),
		cmocka_unit_test(test_overrun),
		cmocka_unit_test(test_no_bus_master),
		cmocka_unit_test(test_crc_transfer),
		cmocka_unit_test(test_padding_is_stripped),
		cmocka_unit_test(test_raw_checksum),
		cmocka_unit_test(test_parser),
		cmocka_unit_test(test_udp_without_checksum),
		cmocka_unit_test(test_vlan_is_stripped),
		cmocka_unit_test(test_extended_rfds_are_of_82550_and_82551),
		cmocka_unit_test(test_pause_received),
		cmocka_unit_test(test_pause_at_half_duplex_is_not_obeyed),
		cmocka_unit_test(test_82557_knows_no_pause),
		cmocka_unit_test(test_pause_sent_when_the_fifo_fills),
		cmocka_unit_test(test_pause_thresholds),
		cmocka_unit_test(test_pause_ends_when_configured_off),
		cmocka_unit_test(test_no_pause_unless_configured),
		cmocka_unit_test(test_lock_up_is_cured_by_multicast_setup),
		cmocka_unit_test(test_magic_packet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
