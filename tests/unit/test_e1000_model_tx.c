/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* The 82540EM model's transmitter. Checksums are judged by RFC 1071 written here. */

#include "e1000_card.h"

static void
send_one(struct card *c, const uint8_t *f, uint32_t len, uint64_t word)
{
	put_buf(c, f, len, word);
	ring(c);
}

/* Context descriptor (§3.5): L3 behind the Ethernet header, L4 behind that. */
static void
put_context(struct card *c, bool v4, bool tcp, bool tse, uint32_t paylen, uint32_t mss)
{
	uint32_t l3 = 14, l4 = l3 + (v4 ? 20 : 40), hdr = l4 + (tcp ? 20 : 8);
	uint64_t ip = v4 ? l3 | (l3 + 10) << 8 | (l4 - 1) << 16 : l3 | (l3 + 10) << 8;
	uint64_t tu = l4 | (l4 + (tcp ? 16 : 6)) << 8;
	uint64_t cmd = D_DEXT | (tcp ? BIT(24) : 0) | (v4 ? BIT(25) : 0) | (tse ? D_TSE : 0);

	put_desc(c, ip | tu << 32,
		 cmd | paylen | (uint64_t)(tse ? hdr : 0) << 40 | (uint64_t)mss << 48);
}

static void
quiet(struct card *c)
{
	wr(c, IMC, 0xffffffff);
	rd(c, ICR);
}

/* --- plain frames -------------------------------------------------------------------------- */

static void
test_legacy_and_data_descriptors(void **state)
{
	static const uint32_t len[] = { 60, 61, 64, 1000, 1514, 1518 };
	struct card *c = card_up(0);
	unsigned int i, k;
	uint8_t f[BUF];

	(void)state;
	for (i = 0; i < sizeof(len) / sizeof(len[0]); i++) {
		for (k = 0; k < 2; k++) {
			unsigned int at = c->tdt;
			struct pw_frame s;

			make_frame(f, peer_mac, len[i]);
			send_one(c, f, len[i], SEND | (k == 0 ? 0 : D_DATA));
			s = sent(c);
			assert_int_equal(s.len, len[i]);
			assert_int_equal(s.flags, 0);
			assert_memory_equal(s.data, f, len[i]);
			assert_true(is_done(c, at));
			assert_int_equal(rd(c, TDH), c->tdt);
		}
	}
	card_free(c);
}

static void
test_done_only_with_report_status(void **state)
{
	struct card *c = card_up(0);
	uint8_t f[60];

	(void)state;
	quiet(c);
	make_frame(f, peer_mac, 60);
	put_buf(c, f, 60, D_EOP | D_IFCS | D_DATA);
	put_buf(c, f, 60, D_EOP | D_IFCS | D_RS | D_DATA);
	put_buf(c, f, 60, D_EOP | D_IFCS | D_DATA);
	ring(c);
	assert_false(is_done(c, 0));
	assert_true(is_done(c, 1));
	assert_false(is_done(c, 2));
	assert_int_equal(rd(c, TDH), 3);
	assert_int_equal(rd(c, ICR), ICR_TXDW | ICR_TXQE);
	card_free(c);
}

static void
test_ring_wraps(void **state)
{
	struct card *c = card_up(0);
	unsigned int i;
	uint8_t f[60];

	(void)state;
	make_frame(f, peer_mac, 60);
	for (i = 0; i < 3 * RING + 5; i++) {
		f[20] = (uint8_t)i;
		send_one(c, f, 60, SEND | D_DATA);
		assert_int_equal(sent(c).data[20], (uint8_t)i);
	}
	assert_int_equal(rd(c, GPTC), 3 * RING + 5);
	card_free(c);
}

static void
test_scattered_packet_over_several_doorbells(void **state)
{
	static const uint32_t cut[] = { 1, 13, 700, 2, 384 };
	struct card *c = card_up(0);
	uint32_t at = 0, i, len = 1100;
	struct pw_frame s;
	uint8_t f[BUF];

	(void)state;
	make_frame(f, peer_mac, len);
	for (i = 0; i < 5; i++) {
		put_buf(c, f + at, cut[i], D_DATA | D_RS | (i == 4 ? D_EOP | D_IFCS : 0));
		at += cut[i];
		sent_nothing(c);
		ring(c);
		assert_true(is_done(c, i)); /* its data was read */
	}
	s = sent(c);
	assert_int_equal(at, len);
	assert_int_equal(s.len, len);
	assert_memory_equal(s.data, f, len);
	card_free(c);
}

/* A null buffer and a length of 0 move nothing but are reported (§3.4). */
static void
test_null_buffers(void **state)
{
	struct card *c = card_up(0);
	uint8_t f[60];

	(void)state;
	make_frame(f, peer_mac, 60);
	put_desc(c, 0, 100 | D_DATA | D_RS);
	put_buf(c, f, 0, D_DATA | D_RS);
	put_buf(c, f, 60, D_DATA | SEND);
	ring(c);
	assert_true(is_done(c, 0) && is_done(c, 1) && is_done(c, 2));
	assert_int_equal(sent(c).len, 60);
	card_free(c);
}

static void
test_padding(void **state)
{
	struct card *c = card_up(0);
	struct pw_frame s;
	uint8_t f[60];
	unsigned int i;

	(void)state;
	memset(c->mem->txbuf, 0xff, sizeof(c->mem->txbuf));
	make_frame(f, peer_mac, 50);
	send_one(c, f, 50, SEND | D_DATA);
	s = sent(c);
	assert_int_equal(s.len, 60);
	assert_memory_equal(s.data, f, 50);
	for (i = 50; i < 60; i++)
		assert_int_equal(s.data[i], 0);
	wr(c, TCTL, TCTL_EN); /* no PSP */
	send_one(c, f, 50, SEND | D_DATA);
	assert_int_equal(sent(c).len, 50);
	card_free(c);
}

/* Without IFCS the last four bytes are the FCS. CRC-32 bit by bit, IEEE 802.3 §3.2.9. */
static void
test_own_fcs(void **state)
{
	struct card *c = card_up(0);
	uint32_t crc = 0xffffffff, i, k;
	struct pw_frame s;
	uint8_t f[64];

	(void)state;
	make_frame(f, peer_mac, 60);
	for (i = 0; i < 60; i++) {
		crc ^= f[i];
		for (k = 0; k < 8; k++)
			crc = (crc & 1) != 0 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
	}
	crc = ~crc;
	for (i = 0; i < 4; i++)
		f[60 + i] = (uint8_t)(crc >> 8 * i);
	send_one(c, f, 64, D_EOP | D_RS | D_DATA);
	s = sent(c);
	assert_int_equal(s.len, 60);
	assert_int_equal(s.flags, 0);
	f[61] ^= 1;
	send_one(c, f, 64, D_EOP | D_RS | D_DATA);
	s = sent(c);
	assert_int_equal(s.len, 60);
	assert_int_equal(s.flags, PW_FRAME_BAD_CRC);
	card_free(c);
}

/* --- when it does not send ----------------------------------------------------------------- */

static void
test_waits_for_link_enable_and_hang(void **state)
{
	struct card *c = card_up(0);
	uint8_t f[60];

	(void)state;
	make_frame(f, peer_mac, 60);
	pw_model_fault(c->m, PW_FAULT_LINK_DOWN, 1);
	send_one(c, f, 60, SEND | D_DATA);
	sent_nothing(c);
	assert_int_equal(rd(c, TDH), 0);
	pw_model_fault(c->m, PW_FAULT_LINK_DOWN, 0);
	pw_model_poll(c->m);
	sent(c);

	wr(c, TCTL, TCTL_PSP);
	send_one(c, f, 60, SEND | D_DATA);
	sent_nothing(c);
	wr(c, TCTL, TCTL_PSP | TCTL_EN);
	sent(c);

	pw_model_fault(c->m, PW_FAULT_TX_HANG, 1);
	send_one(c, f, 60, SEND | D_DATA);
	pw_model_poll(c->m);
	sent_nothing(c);
	pw_model_fault(c->m, PW_FAULT_TX_HANG, 0);
	pw_model_poll(c->m);
	sent(c);

	pw_model_fault(c->m, PW_FAULT_LOST_DOORBELL, 1);
	send_one(c, f, 60, SEND | D_DATA);
	pw_model_poll(c->m);
	sent_nothing(c);
	ring(c); /* the next one is seen */
	sent(c);
	card_free(c);
}

/* Plug the card into a wire that keeps line rate instead. */
static void
replug_paced(struct card *c)
{
	const struct pw_wire_opts wopts = { .clock = &c->clock, .paced = true };
	const struct pw_model_opts opts = {
		.chip = "82540em", .mac = card_mac, .clock = &c->clock,
		.violation = card_violation, .ctx = c,
	};
	struct pw_model_opts o = opts;
	char err[200];

	pw_model_destroy(c->m);
	pw_wire_close(c->plug);
	pw_wire_close(c->peer);
	assert_int_equal(pw_wire_open("paced", &wopts, &c->plug, err, sizeof(err)), 0);
	assert_int_equal(pw_wire_open("paced", &wopts, &c->peer, err, sizeof(err)), 0);
	o.wire = c->plug;
	assert_int_equal(pw_model_create(&o, &c->m), 0);
	assert_int_equal(pw_model_dma_map(c->m, IOVA, sizeof(*c->mem), c->mem, true), 0);
	card_bus_on(c);
	card_reset(c);
	card_start_tx(c, TCTL_PSP);
}

static unsigned int
drain(struct card *c, const uint8_t *f, uint32_t len)
{
	unsigned int n = 0;
	struct pw_frame s;

	while (pw_wire_peek(c->peer, &s)) {
		assert_int_equal(s.len, len);
		assert_memory_equal(s.data, f, len);
		pw_wire_next(c->peer);
		n++;
	}
	return n;
}

static void
test_paced_line_holds_the_ring(void **state)
{
	struct card *c = card_new(NULL);
	unsigned int i, n = 0;
	uint8_t f[60];

	(void)state;
	replug_paced(c);
	make_frame(f, peer_mac, 60);
	/* Single descriptors and scattered ones wait their turn. */
	for (i = 0; i < 4; i++)
		put_buf(c, f, 60, SEND | D_DATA);
	put_buf(c, f, 30, D_DATA);
	put_buf(c, f + 30, 30, SEND | D_DATA);
	ring(c);
	assert_in_range(rd(c, TDH), 1, 5);
	/* 672 ns each: preamble 8, frame 60, FCS 4, gap 12 bytes at 1000 Mbit/s. */
	for (i = 0; i < 6; i++) {
		pw_clock_advance(&c->clock, 672);
		pw_model_poll(c->m);
		n += drain(c, f, 60);
	}
	assert_int_equal(n, 5);
	assert_int_equal(rd(c, TDH), c->tdt);
	card_free(c);
}

/* A segmented packet stops in the middle of a descriptor, and goes on there. */
static void
test_paced_line_holds_tso(void **state)
{
	struct card *c = card_new(NULL);
	uint8_t *f = c->mem->big;
	uint32_t at = 0, polls = 0;

	(void)state;
	replug_paced(c);
	make_ip(f, true, true, 10000, false);
	set16(f + 16, 0);
	set16(f + 50, rfc1071_sum(f + 26, 8, 6));
	put_context(c, true, true, true, 10000, 1000);
	put_desc(c, bus(c, f), 10054 | D_DATA | D_TSE | D_IXSM | D_TXSM | SEND);
	ring(c);
	assert_false(is_done(c, 1));
	while (at < 10000 && polls++ < 1000) {
		struct pw_frame s;

		pw_clock_advance(&c->clock, 1000);
		pw_model_poll(c->m);
		while (pw_wire_peek(c->peer, &s)) {
			assert_int_equal(s.len, 1054);
			check_l4_sum(s.data + 14);
			assert_int_equal(be32(s.data + 38), 0xfffffc00 + at);
			assert_memory_equal(s.data + 54, f + 54 + at, 1000);
			at += 1000;
			pw_wire_next(c->peer);
		}
	}
	assert_int_equal(at, 10000);
	assert_true(is_done(c, 1));
	/* (1054 + 24) bytes * 8 ns each, ten times */
	assert_in_range(polls, 86, 88);
	card_free(c);
}

/* The line's rate is what the PHY agreed on. */
static void
test_paced_line_at_each_speed(void **state)
{
	static const struct {
		uint16_t bmcr;
		uint32_t ns;	/* of 84 bytes */
	} t[] = { { 0x0140, 672 }, { 0x2100, 6720 }, { 0x0100, 67200 } };
	struct card *c = card_new(NULL);
	unsigned int i;
	uint8_t f[60];

	(void)state;
	replug_paced(c);
	make_frame(f, peer_mac, 60);
	for (i = 0; i < 3; i++) {
		wr(c, MDIC, MDIC_WRITE | 1u << 21 | t[i].bmcr);
		wait_us(c, 1000);
		assert_int_equal(rd(c, STATUS) & STATUS_LU, STATUS_LU);
		put_buf(c, f, 60, SEND | D_DATA);
		put_buf(c, f, 60, SEND | D_DATA);
		ring(c);
		assert_int_equal(rd(c, GPTC), 1);
		pw_clock_advance(&c->clock, t[i].ns - 1);
		pw_model_poll(c->m);
		assert_int_equal(rd(c, GPTC), 0);
		pw_clock_advance(&c->clock, 1);
		pw_model_poll(c->m);
		assert_int_equal(rd(c, GPTC), 1);
		wait_us(c, 1000);
		assert_int_equal(drain(c, f, 60), 2);
	}
	card_free(c);
}

/* --- checksums (§3.4 to §3.6) -------------------------------------------------------------- */

static void
test_checksum_by_context(void **state)
{
	static const uint32_t payload[] = { 6, 7, 18, 19, 100, 1459 };
	struct card *c = card_up(0);
	unsigned int i, v4, tcp;
	uint8_t f[BUF];

	(void)state;
	for (v4 = 0; v4 < 2; v4++)
		for (tcp = 0; tcp < 2; tcp++)
			for (i = 0; i < sizeof(payload) / sizeof(payload[0]); i++) {
				uint32_t len = make_ip(f, v4, tcp, payload[i], false);
				uint8_t *ip = f + 14, *l4 = ip + (v4 ? 20 : 40);
				uint32_t l4_len = len - (uint32_t)(l4 - f);
				struct pw_frame s;

				/* Software puts the pseudo header's sum there. */
				set16(l4 + (tcp ? 16 : 6),
				      rfc1071_sum(ip + (v4 ? 12 : 8), v4 ? 8 : 32,
						  (tcp ? 6 : 17) + l4_len));
				put_context(c, v4, tcp, false, 0, 0);
				send_one(c, f, len, SEND | D_DATA | D_TXSM | (v4 ? D_IXSM : 0));
				s = sent(c);
				assert_int_equal(s.len, len < 60 ? 60 : len);
				check_l4_sum(s.data + 14);
				assert_int_not_equal(be16(s.data + (l4 - f) + (tcp ? 16 : 6)), 0);
			}
	card_free(c);
}

/* The context stays until the next one, also over a plain packet. */
static void
test_context_is_kept(void **state)
{
	struct card *c = card_up(0);
	uint32_t len, i;
	uint8_t f[BUF];

	(void)state;
	len = make_ip(f, true, false, 50, false);
	set16(f + 14 + 20 + 6, rfc1071_sum(f + 26, 8, 17 + 58));
	put_context(c, true, false, false, 0, 0);
	for (i = 0; i < 3; i++) {
		send_one(c, f, len, SEND | D_DATA | D_TXSM | D_IXSM);
		check_l4_sum(sent(c).data + 14);
		send_one(c, f, len, SEND | D_DATA);
		assert_memory_equal(sent(c).data, f, len);
	}
	card_free(c);
}

/* RFC 768: a sum that is zero is sent as all ones. */
static void
test_udp_checksum_is_never_zero(void **state)
{
	struct card *c = card_up(0);
	uint8_t f[BUF];
	uint32_t len, pseudo, fix;

	(void)state;
	len = make_ip(f, true, false, 32, false);
	pseudo = rfc1071_sum(f + 26, 8, 17 + 40);
	/* Choose the last word so that all sums up to 0xffff. */
	set16(f + len - 2, 0);
	fix = 0xffff - rfc1071_sum(f + 34, len - 34, pseudo);
	set16(f + len - 2, fix);
	set16(f + 40, pseudo);
	put_context(c, true, false, false, 0, 0);
	send_one(c, f, len, SEND | D_DATA | D_TXSM | D_IXSM);
	assert_int_equal(be16(sent(c).data + 40), 0xffff);
	card_free(c);
}

static void
test_legacy_checksum(void **state)
{
	struct card *c = card_up(0);
	struct pw_frame s;
	uint8_t f[BUF];
	uint32_t len;

	(void)state;
	len = make_ip(f, true, true, 101, false);
	set16(f + 34 + 16, rfc1071_sum(f + 26, 8, 6 + 121));
	set16(f + 24, ~rfc1071_sum(f + 14, 20, 0));
	send_one(c, f, len, SEND | D_IC | 50u << 16 | (uint64_t)34 << 40);
	s = sent(c);
	check_l4_sum(s.data + 14);
	card_free(c);
}

/* --- VLAN ---------------------------------------------------------------------------------- */

static void
test_vlan_insertion(void **state)
{
	static const uint64_t format[] = { 0, D_DATA };
	struct card *c = card_up(0);
	struct pw_frame s;
	unsigned int i;
	uint8_t f[BUF];

	(void)state;
	wr(c, CTRL, CTRL_SLU | CTRL_VME);
	for (i = 0; i < 2; i++) {
		make_frame(f, peer_mac, 200);
		send_one(c, f, 200, SEND | D_VLE | format[i] | (uint64_t)0xa123 << 48);
		s = sent(c);
		assert_int_equal(s.len, 204);
		assert_memory_equal(s.data, f, 12);
		assert_int_equal(be32(s.data + 12), 0x8100a123);
		assert_memory_equal(s.data + 16, f + 12, 188);
	}
	/* The tag counts for padding; its type is VET's. */
	wr(c, VET, 0x88a8);
	send_one(c, f, 58, SEND | D_VLE | D_DATA | (uint64_t)1 << 48);
	s = sent(c);
	assert_int_equal(s.len, 62);
	assert_int_equal(be32(s.data + 12), 0x88a80001);
	card_free(c);
}

static void
test_checksum_offsets_do_not_count_the_tag(void **state)
{
	struct card *c = card_up(0);
	uint32_t len;
	uint8_t f[BUF];

	(void)state;
	wr(c, CTRL, CTRL_SLU | CTRL_VME);
	len = make_ip(f, true, true, 77, false);
	set16(f + 50, rfc1071_sum(f + 26, 8, 6 + 97));
	put_context(c, true, true, false, 0, 0);
	send_one(c, f, len, SEND | D_VLE | D_DATA | D_TXSM | D_IXSM | (uint64_t)5 << 48);
	check_l4_sum(sent(c).data + 18);
	card_free(c);
}

/* --- TSO (§3.5) ---------------------------------------------------------------------------- */

/*
 * Send `payload` bytes in segments of `mss`, the packet cut into descriptors of `cut` bytes
 * (0: one for the header, one for the rest), and check every segment.
 */
static void
tso(struct card *c, bool v4, bool tcp, uint32_t payload, uint32_t mss, uint32_t cut, bool vlan)
{
	uint8_t *f = c->mem->big;
	uint32_t len = make_ip(f, v4, tcp, payload, false);
	uint32_t hdr = len - payload, l4 = v4 ? 34 : 54, at, seg;
	uint64_t word = D_DATA | D_TSE | D_IFCS | D_TXSM | (v4 ? D_IXSM : 0);
	uint32_t seq = be32(f + l4 + 4), id = be16(f + 18);

	/* Lengths are the card's to fill in, and not part of the pseudo header's sum. */
	set16(f + 14 + (v4 ? 2 : 4), 0);
	if (!tcp)
		set16(f + l4 + 4, 0);
	set16(f + l4 + (tcp ? 16 : 6),
	      rfc1071_sum(f + (v4 ? 26 : 22), v4 ? 8 : 32, tcp ? 6 : 17));
	if (vlan)
		word |= D_VLE | (uint64_t)0x0bcd << 48;
	put_context(c, v4, tcp, true, payload, mss);
	for (at = 0; at < len; ) {
		uint32_t n = cut != 0 ? cut : at == 0 ? hdr : 16000;

		if (n > len - at)
			n = len - at;
		put_desc(c, bus(c, f + at), word | n | (at + n == len ? D_EOP | D_RS : 0));
		at += n;
	}
	ring(c);
	for (at = 0, seg = 0; at < payload; seg++) {
		uint32_t n = payload - at < mss ? payload - at : mss;
		struct pw_frame s = sent(c);
		uint8_t *p = (uint8_t *)(uintptr_t)s.data;

		if (vlan) {
			assert_int_equal(be32(p + 12), 0x81000bcd);
			memmove(p + 12, p + 16, s.len - 16);
			s.len -= 4;
		}
		if (hdr + n >= 60)
			assert_int_equal(s.len, hdr + n);
		assert_memory_equal(p + hdr, f + hdr + at, n);
		assert_memory_equal(p, f, 14);
		if (v4) {
			assert_int_equal(be16(p + 16), hdr + n - 14);
			assert_int_equal(be16(p + 18), id + seg);
		} else {
			assert_int_equal(be16(p + 18), hdr + n - 54);
		}
		if (tcp) {
			assert_int_equal(be32(p + l4 + 4), seq + at);
			assert_int_equal(p[l4 + 13], at + n == payload ? 0x19 : 0x10);
		} else {
			assert_int_equal(be16(p + l4 + 4), 8 + n);
		}
		check_l4_sum(p + 14);
		at += n;
	}
	sent_nothing(c);
	assert_true(is_done(c, (c->tdt + RING - 1) % RING));
}

static void
test_tso(void **state)
{
	struct card *c = card_up(0);
	unsigned int v4, tcp;

	(void)state;
	for (v4 = 0; v4 < 2; v4++)
		for (tcp = 0; tcp < 2; tcp++) {
			tso(c, v4, tcp, 1, 1460, 0, false);
			tso(c, v4, tcp, 1460, 1460, 0, false);
			tso(c, v4, tcp, 1461, 1460, 0, false);
			tso(c, v4, tcp, 4 * 1000, 1000, 0, false);
			tso(c, v4, tcp, 9999, 536, 777, false);
			tso(c, v4, tcp, 64000, 1448, 0, false);
			tso(c, v4, tcp, 50, 7, 5, false); /* the header in pieces too */
			assert_int_equal(rd(c, TSCTC), 7);
			assert_int_equal(rd(c, TSCTFC), 0);
		}
	card_free(c);
}

static void
test_tso_with_vlan(void **state)
{
	struct card *c = card_up(0);

	(void)state;
	wr(c, CTRL, CTRL_SLU | CTRL_VME);
	tso(c, true, true, 5000, 1460, 0, true);
	card_free(c);
}

/* Segments of one byte: a frame each, but not all of them in one register write. */
static void
test_tso_in_crumbs_gives_others_a_turn(void **state)
{
	struct card *c = card_up(0);
	uint64_t word = D_DATA | D_TSE | D_IFCS | D_TXSM | D_IXSM;
	uint32_t i, n = 0, left = 100000;

	(void)state;
	make_ip(c->mem->big, true, true, 0, false);
	put_context(c, true, true, true, left, 1);
	put_desc(c, bus(c, c->mem->big), word | 54);
	for (; left > 0; left -= n) {
		n = left < 16000 ? left : 16000;
		put_desc(c, bus(c, c->mem->big), word | n | (n == left ? D_EOP | D_RS : 0));
	}
	ring(c);
	n = rd(c, GPTC);
	assert_in_range(n, 1, 99999);
	for (i = 0; i < 10 && n < 100000; i++) {
		assert_true(pw_model_poll(c->m) > 0);
		n += rd(c, GPTC);
	}
	assert_int_equal(n, 100000);
	assert_int_equal(rd(c, TDH), c->tdt);
	assert_int_equal(rd(c, TSCTC), 1);
	card_free(c);
}

/* 802.3 with SNAP: the length field is the card's to fill in too. */
static void
test_tso_with_snap(void **state)
{
	struct card *c = card_up(0);
	uint8_t *f = c->mem->big;
	uint32_t i;

	(void)state;
	make_ip(f, true, true, 2500, false);
	memmove(f + 20, f + 12, 42 + 2500);
	memcpy(f + 14, "\xaa\xaa\x03\0\0\0", 6);
	set16(f + 12, 0);
	set16(f + 24, 0);
	set16(f + 58, rfc1071_sum(f + 34, 8, 6));
	put_desc(c, 22 | 32 << 8 | 41 << 16 | (uint64_t)(42 | 58 << 8) << 32,
		 D_DEXT | D_TSE | BIT(24) | BIT(25) | BIT(30) | 2500 | (uint64_t)62 << 40 |
		 (uint64_t)1000 << 48);
	put_desc(c, bus(c, f),
		 2562 | D_DATA | D_TSE | D_IXSM | D_TXSM | SEND);
	ring(c);
	for (i = 0; i < 3; i++) {
		struct pw_frame s = sent(c);

		assert_int_equal(s.len, 62 + (i < 2 ? 1000 : 500));
		assert_int_equal(be16(s.data + 12), s.len - 14);
		check_l4_sum(s.data + 22);
	}
	sent_nothing(c);
	card_free(c);
}

static void
test_tso_contexts_that_do_not_fit(void **state)
{
	/* IPCSS, TUCSS, TUCSO, HDRLEN: just right, then each too far by one */
	static const struct {
		uint8_t ipcss, tucss, tucso, hdrlen;
		bool fits;
	} t[] = {
		{ 14, 34, 50, 54, true }, { 35, 34, 50, 54, false }, { 14, 35, 50, 54, false },
		{ 14, 34, 53, 54, false }, { 14, 34, 50, 53, false }, { 14, 34, 52, 54, true },
		{ 34, 34, 50, 54, true },
	};
	struct card *c = card_up(0);
	unsigned int i;

	(void)state;
	make_ip(c->mem->big, true, true, 100, false);
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		put_desc(c, t[i].ipcss | (uint64_t)(t[i].tucss | t[i].tucso << 8) << 32,
			 D_DEXT | D_TSE | BIT(24) | BIT(25) | 100 | (uint64_t)t[i].hdrlen << 40 |
			 (uint64_t)60 << 48);
		put_desc(c, bus(c, c->mem->big), 154 | D_DATA | D_TSE | SEND);
		ring(c);
		if (t[i].fits) {
			sent(c);
			sent(c);
		} else {
			expect_violation(c, PW_VIOL_PROTOCOL, "TSO without a context");
		}
		sent_nothing(c);
	}
	card_free(c);
}

/* The two contexts do not disturb each other on 8254x (§3.5). */
static void
test_tso_context_leaves_the_other_alone(void **state)
{
	struct card *c = card_up(0);
	uint32_t len;
	uint8_t f[BUF];

	(void)state;
	put_context(c, true, false, false, 0, 0);
	tso(c, true, true, 3000, 1000, 0, false);
	len = make_ip(f, true, false, 50, false);
	set16(f + 40, rfc1071_sum(f + 26, 8, 17 + 58));
	send_one(c, f, len, SEND | D_DATA | D_TXSM | D_IXSM);
	check_l4_sum(sent(c).data + 14);
	card_free(c);
}

static void
test_reset_forgets_the_context(void **state)
{
	struct card *c = card_up(0);
	uint32_t len;
	uint8_t f[BUF];

	(void)state;
	put_context(c, true, false, false, 0, 0);
	ring(c);
	card_reset(c);
	card_start_tx(c, TCTL_PSP);
	len = make_ip(f, true, false, 50, false);
	send_one(c, f, len, SEND | D_DATA | D_TXSM);
	expect_violation(c, PW_VIOL_PROTOCOL, "without a context");
	sent(c);
	card_free(c);
}

/* --- interrupts and write-back (§5.6) ------------------------------------------------------ */

static void
test_tx_delay_timers(void **state)
{
	struct card *c = card_up(0);
	uint8_t f[60];
	unsigned int i;

	(void)state;
	quiet(c);
	make_frame(f, peer_mac, 60);
	wr(c, IMS, ICR_TXDW);
	wr(c, TIDV, 100); /* 102.4 us */
	wr(c, TADV, 200); /* 204.8 us */
	send_one(c, f, 60, SEND | D_IDE | D_DATA);
	assert_true(is_done(c, 0));
	assert_false(c->irq);
	wait_us(c, 102);
	pw_model_poll(c->m);
	assert_false(c->irq);
	wait_us(c, 1);
	pw_model_poll(c->m);
	assert_true(c->irq);
	rd(c, ICR);
	/* Each packet starts TIDV anew; TADV limits that. */
	for (i = 0; i < 4; i++) {
		send_one(c, f, 60, SEND | D_IDE | D_DATA);
		wait_us(c, 51);
		pw_model_poll(c->m);
		assert_false(c->irq);
	}
	wait_us(c, 1);
	pw_model_poll(c->m);
	assert_true(c->irq);
	rd(c, ICR);
	assert_int_equal(pw_model_deadline(c->m), UINT64_MAX);
	/* Flush */
	send_one(c, f, 60, SEND | D_IDE | D_DATA);
	assert_false(c->irq);
	wr(c, TIDV, 100 | FPD);
	assert_true(c->irq);
	assert_int_equal(rd(c, TIDV), 100);
	card_free(c);
}

static void
test_write_back_threshold(void **state)
{
	struct card *c = card_up(0);
	unsigned int i;
	uint8_t f[60];

	(void)state;
	make_frame(f, peer_mac, 60);
	wr(c, TXDCTL, GRAN | 4u << 16);
	quiet(c);
	for (i = 0; i < 4; i++) {
		assert_false(is_done(c, 0));
		assert_int_equal(rd(c, ICR) & ICR_TXDW, 0);
		send_one(c, f, 60, SEND | D_DATA);
	}
	for (i = 0; i < 4; i++)
		assert_true(is_done(c, i));
	assert_int_equal(rd(c, ICR) & ICR_TXDW, ICR_TXDW);
	/* What is left comes with the flush, the timer, or when the transmitter stops. */
	send_one(c, f, 60, SEND | D_DATA);
	assert_false(is_done(c, 4));
	wr(c, TIDV, FPD);
	assert_true(is_done(c, 4));
	wr(c, TIDV, 10);
	send_one(c, f, 60, SEND | D_DATA);
	wait_us(c, 10);
	pw_model_poll(c->m);
	assert_false(is_done(c, 5));
	wait_us(c, 1);
	pw_model_poll(c->m);
	assert_true(is_done(c, 5));
	send_one(c, f, 60, SEND | D_DATA);
	assert_false(is_done(c, 6));
	wr(c, TCTL, 0);
	assert_true(is_done(c, 6));
	card_free(c);
}

/* Wrote past the list of held descriptors. */
static void
test_write_back_threshold_lowered_while_some_are_held(void **state)
{
	static const uint32_t lower[] = { GRAN | 2u << 16, GRAN | 1u << 16, 0 };
	struct card *c = card_up(0);
	unsigned int i, k, at;
	uint8_t f[60];

	(void)state;
	make_frame(f, peer_mac, 60);
	for (k = 0; k < 3; k++) {
		wr(c, TXDCTL, GRAN | 63u << 16);
		at = c->tdt;
		for (i = 0; i < 5; i++)
			send_one(c, f, 60, SEND | D_DATA);
		assert_false(is_done(c, at));
		wr(c, TXDCTL, lower[k]);
		send_one(c, f, 60, SEND | D_DATA);
		for (i = 0; i < 6; i++)
			assert_true(is_done(c, (at + i) % RING));
	}
	/* More than the ring has, and more than can be held in all */
	wr(c, TXDCTL, 63u << 16); /* in cache lines */
	for (i = 0; i < 100; i++)
		send_one(c, f, 60, SEND | D_DATA);
	card_free(c);
}

static void
test_low_threshold(void **state)
{
	struct card *c = card_up(0);
	unsigned int i;
	uint8_t f[60];

	(void)state;
	make_frame(f, peer_mac, 60);
	wr(c, TXDCTL, GRAN | 1u << 25); /* 8 descriptors */
	quiet(c);
	for (i = 0; i < 8; i++)
		put_buf(c, f, 60, SEND | D_DATA);
	ring(c);
	assert_int_equal(rd(c, ICR) & ICR_TXD_LOW, 0); /* was never above */
	for (i = 0; i < 10; i++)
		put_buf(c, f, 60, SEND | D_DATA);
	ring(c);
	assert_int_equal(rd(c, ICR) & ICR_TXD_LOW, ICR_TXD_LOW);
	card_free(c);
}

/* --- statistics ---------------------------------------------------------------------------- */

static void
test_tx_statistics(void **state)
{
	static const uint8_t all[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	static const uint8_t group[6] = { 0x01, 0, 0x5e, 0, 0, 1 };
	/* With FCS: 64, 65, 127, 128, 255, 256, 511, 512, 1023, 1024, 1518 */
	static const uint32_t len[] = { 60, 61, 123, 124, 251, 252, 507, 508, 1019, 1020, 1514 };
	struct card *c = card_up(0);
	uint64_t octets = 0;
	unsigned int i;
	uint8_t f[BUF];

	(void)state;
	for (i = 0; i < 11; i++) {
		make_frame(f, i == 0 ? all : i == 1 ? group : peer_mac, len[i]);
		send_one(c, f, len[i], SEND | D_DATA);
		octets += len[i] + 4;
	}
	assert_int_equal(rd(c, GPTC), 11);
	assert_int_equal(rd(c, TPT), 11);
	assert_int_equal(rd(c, GOTCL), octets);
	assert_int_equal(rd(c, GOTCH), 0);
	assert_int_equal(rd(c, TOTL), octets);
	assert_int_equal(rd(c, TOTH), 0);
	assert_int_equal(rd(c, TOTL), 0);
	assert_int_equal(rd(c, PTC64), 1);
	assert_int_equal(rd(c, PTC127), 2);
	assert_int_equal(rd(c, PTC255), 2);
	assert_int_equal(rd(c, PTC511), 2);
	assert_int_equal(rd(c, PTC1023), 2);
	assert_int_equal(rd(c, PTC1522), 2);
	assert_int_equal(rd(c, BPTC), 1);
	assert_int_equal(rd(c, MPTC), 1);
	card_free(c);
}

/* --- flow control -------------------------------------------------------------------------- */

static void
test_swxoff_sends_a_pause(void **state)
{
	static const uint8_t want[18] = { 0x01, 0x80, 0xc2, 0, 0, 1, 0x52, 0x54, 0, 0x12, 0x34,
					  0x56, 0x88, 0x08, 0, 1, 0x06, 0x80 };
	struct card *c = card_up(0);
	struct pw_frame s;

	(void)state;
	wr(c, FCAL, 0x00c28001);
	wr(c, FCAH, 0x0100);
	wr(c, FCT, 0x8808);
	wr(c, FCTTV, 0x0680);
	wr(c, TCTL, TCTL_EN | TCTL_PSP | TCTL_SWXOFF);
	assert_int_equal(rd(c, TCTL) & TCTL_SWXOFF, 0);
	s = sent(c);
	assert_int_equal(s.len, 60);
	assert_memory_equal(s.data, want, sizeof(want));
	assert_int_equal(rd(c, XOFFTXC), 1);
	assert_int_equal(rd(c, GPTC), 0);
	/* Not without a link */
	pw_model_fault(c->m, PW_FAULT_LINK_DOWN, 1);
	wr(c, TCTL, TCTL_EN | TCTL_PSP | TCTL_SWXOFF);
	assert_int_equal(rd(c, XOFFTXC), 0);
	card_free(c);
}

/* A link without a cable: CTRL.ILOS says so. What is sent is gone. */
static void
test_sending_without_a_wire(void **state)
{
	struct card *c = card_new(NULL);
	const struct pw_model_opts opts = { .chip = "82540em", .clock = &c->clock };
	uint8_t f[60];

	(void)state;
	pw_model_destroy(c->m);
	assert_int_equal(pw_model_create(&opts, &c->m), 0);
	assert_int_equal(pw_model_dma_map(c->m, IOVA, sizeof(*c->mem), c->mem, true), 0);
	card_bus_on(c);
	card_reset(c);
	wr(c, CTRL, CTRL_SLU | CTRL_ILOS);
	assert_int_equal(rd(c, STATUS) & STATUS_LU, STATUS_LU);
	card_start_tx(c, TCTL_PSP | TCTL_SWXOFF);
	card_start_rx(c, 0);
	make_frame(f, peer_mac, 60);
	send_one(c, f, 60, SEND | D_DATA);
	assert_true(is_done(c, 0));
	assert_int_equal(rd(c, GPTC), 1);
	assert_int_equal(rd(c, XOFFTXC), 0);
	assert_int_equal(pw_model_poll(c->m), 0);
	card_free(c);
}

/* --- what a driver must not do ------------------------------------------------------------- */

static void
test_mixed_formats_in_a_packet(void **state)
{
	struct card *c = card_up(0);
	uint8_t f[60];

	(void)state;
	make_frame(f, peer_mac, 60);
	put_buf(c, f, 30, D_DATA);
	put_buf(c, f + 30, 30, SEND);
	ring(c);
	expect_violation(c, PW_VIOL_PROTOCOL, "legacy and data");
	put_buf(c, f, 30, D_DATA);
	put_context(c, true, true, false, 0, 0);
	ring(c);
	expect_violation(c, PW_VIOL_PROTOCOL, "context descriptor inside");
	put_buf(c, f + 30, 30, D_DATA | SEND);
	ring(c);
	sent_nothing(c);
	/* TSE in the second only */
	put_buf(c, f, 30, D_DATA);
	put_buf(c, f + 30, 30, D_DATA | D_TSE | SEND);
	ring(c);
	expect_violation(c, PW_VIOL_PROTOCOL, "TSE in some");
	/* A type that does not exist */
	put_buf(c, f, 60, D_DEXT | 3u << 20 | SEND);
	ring(c);
	expect_violation(c, PW_VIOL_PROTOCOL, "unknown type");
	sent_nothing(c);
	/* And goes on. */
	send_one(c, f, 60, D_DATA | SEND);
	sent(c);
	card_free(c);
}

static void
test_undersize_and_oversize(void **state)
{
	struct card *c = card_up(0);
	unsigned int i;
	uint8_t f[60];

	(void)state;
	make_frame(f, peer_mac, 47);
	send_one(c, f, 47, D_DATA | SEND);
	expect_violation(c, PW_VIOL_PROTOCOL, "47 B");
	assert_int_equal(sent(c).len, 60); /* it was padded all the same */
	put_desc(c, bus(c, c->mem->big), 16289 | D_DATA | SEND);
	ring(c);
	expect_violation(c, PW_VIOL_PROTOCOL, "16289 B, at most 16288");
	put_desc(c, bus(c, c->mem->big), 16288 | D_DATA | SEND);
	ring(c);
	assert_int_equal(sent(c).len, 16288);
	/* 16 KiB for Tx, less 80 bytes */
	put_desc(c, bus(c, c->mem->big), 8000 | D_DATA);
	put_desc(c, bus(c, c->mem->big), 8305 | D_DATA | SEND);
	ring(c);
	expect_violation(c, PW_VIOL_PROTOCOL, "16305 B");
	sent_nothing(c);
	put_desc(c, bus(c, c->mem->big), 8000 | D_DATA);
	put_desc(c, bus(c, c->mem->big), 8304 | D_DATA | SEND);
	ring(c);
	assert_int_equal(sent(c).len, 16304);
	for (i = 0; i < 3; i++)
		put_desc(c, bus(c, c->mem->big), 10000 | D_DATA | (i == 2 ? SEND : 0));
	ring(c);
	assert_int_equal(c->violations, 2); /* more than there is room for, more than the FIFO */
	pw_model_clear_violations(c->m);
	c->violations = 0;
	sent_nothing(c);
	card_free(c);
}

static void
test_ring_rules(void **state)
{
	struct card *c = card_up(0);
	uint8_t f[60];

	(void)state;
	make_frame(f, peer_mac, 60);
	wr(c, TDH, 0);
	expect_violation(c, PW_VIOL_PROTOCOL, "Tx head written while enabled");
	wr(c, TDT, RING);
	expect_violation(c, PW_VIOL_PROTOCOL, "tail 32 in a ring of 32");
	pw_model_poll(c->m);
	sent_nothing(c); /* treated as empty */
	wr(c, TDT, 0);
	/* The line holds everything up: two steps that pass the head together */
	pw_model_fault(c->m, PW_FAULT_LINK_DOWN, 1);
	wr(c, TDT, 20);
	wr(c, TDT, 0);
	expect_violation(c, PW_VIOL_PROTOCOL, "passes head");
	wr(c, TCTL, 0);
	wr(c, TDT, 0);
	pw_model_fault(c->m, PW_FAULT_LINK_DOWN, 0);

	wr(c, TDBAL, (uint32_t)bus(c, c->mem->tx) | 8);
	wr(c, TCTL, TCTL_EN);
	c->tdt = 0;
	send_one(c, f, 60, D_DATA | SEND);
	expect_violation(c, PW_VIOL_PROTOCOL, "not 16-byte aligned");
	sent(c); /* the chip ignores the bits (§6) */
	wr(c, TCTL, 0);
	wr(c, TDBAL, (uint32_t)bus(c, c->mem->tx));
	wr(c, TDLEN, sizeof(c->mem->tx) + 16);
	wr(c, TCTL, TCTL_EN);
	send_one(c, f, 60, D_DATA | SEND);
	expect_violation(c, PW_VIOL_PROTOCOL, "not a multiple of 128");
	sent(c);
	wr(c, TCTL, 0);
	wr(c, TDLEN, 0);
	wr(c, TDH, 0);
	wr(c, TDT, 0);
	wr(c, TCTL, TCTL_EN);
	wr(c, TDT, 1);
	expect_violation(c, PW_VIOL_PROTOCOL, "ring of 0");
	card_free(c);
}

static void
test_offload_rules(void **state)
{
	struct card *c = card_up(0);
	uint8_t f[BUF];
	uint32_t len;

	(void)state;
	make_frame(f, peer_mac, 100);
	send_one(c, f, 100, SEND | D_DATA | D_VLE);
	expect_violation(c, PW_VIOL_PROTOCOL, "VME");
	assert_int_equal(sent(c).len, 100);
	send_one(c, f, 100, SEND | D_DATA | D_IDE);
	expect_violation(c, PW_VIOL_PROTOCOL, "TIDV 0");
	sent(c);
	send_one(c, f, 100, SEND | D_IC | 99u << 16); /* stored behind the end */
	expect_violation(c, PW_VIOL_PROTOCOL, "stored at 99");
	sent(c);

	len = make_ip(f, true, true, 1000, false);
	send_one(c, f, len, SEND | D_DATA | D_TSE);
	expect_violation(c, PW_VIOL_PROTOCOL, "TSO without a context");
	put_context(c, true, true, true, 1000, 0);
	send_one(c, f, len, SEND | D_DATA | D_TSE);
	expect_violation(c, PW_VIOL_PROTOCOL, "MSS 0");
	put_context(c, true, true, true, 1000, 16300);
	send_one(c, f, len, SEND | D_DATA | D_TSE);
	expect_violation(c, PW_VIOL_PROTOCOL, "more than the FIFO");
	sent_nothing(c);
	assert_int_equal(rd(c, TSCTFC), 3);
	put_context(c, true, true, true, 999, 1460);
	send_one(c, f, len, SEND | D_DATA | D_TSE);
	expect_violation(c, PW_VIOL_PROTOCOL, "more data than PAYLEN");
	sent(c);
	sent_nothing(c);
	assert_int_equal(rd(c, TSCTFC), 1);
	/* Three segments' worth in three descriptors, PAYLEN says two */
	put_context(c, true, true, true, 600, 300);
	put_desc(c, bus(c, c->mem->big), 354 | D_DATA | D_TSE | D_IFCS);
	put_desc(c, bus(c, c->mem->big), 300 | D_DATA | D_TSE | D_IFCS);
	put_desc(c, bus(c, c->mem->big), 300 | D_DATA | D_TSE | SEND);
	ring(c);
	expect_violation(c, PW_VIOL_PROTOCOL, "more data than PAYLEN");
	sent(c);
	sent(c);
	sent_nothing(c);
	assert_int_equal(rd(c, TSCTFC), 1);
	/* A segment that cannot be read is not sent, nor what follows. */
	put_context(c, true, true, true, 600, 300);
	put_desc(c, bus(c, c->mem->big), 54 | D_DATA | D_TSE | D_IFCS);
	put_desc(c, 0x1000, 300 | D_DATA | D_TSE | D_IFCS);
	put_desc(c, bus(c, c->mem->big), 300 | D_DATA | D_TSE | SEND);
	ring(c);
	expect_violation(c, PW_VIOL_DMA, "not mapped");
	sent_nothing(c);
	assert_int_equal(rd(c, TSCTFC), 1);
	put_context(c, true, true, true, 1001, 1460);
	send_one(c, f, len, SEND | D_DATA | D_TSE);
	expect_violation(c, PW_VIOL_PROTOCOL, "PAYLEN 1001");
	sent(c);
	card_free(c);
}

static void
test_dma_outside_the_map(void **state)
{
	struct card *c = card_up(0);
	uint8_t f[60];

	(void)state;
	make_frame(f, peer_mac, 60);
	put_desc(c, 0x1000, 60 | SEND | D_DATA);
	ring(c);
	expect_violation(c, PW_VIOL_DMA, "0x1000: not mapped");
	sent_nothing(c);
	/* Begins inside, ends outside */
	put_desc(c, IOVA + sizeof(*c->mem) - 59, 60 | SEND | D_DATA);
	ring(c);
	expect_violation(c, PW_VIOL_DMA, "not mapped");
	pw_model_fault(c->m, PW_FAULT_DMA32, 1);
	ring(c);
	put_buf(c, f, 60, SEND | D_DATA);
	ring(c);
	expect_violation(c, PW_VIOL_DMA, "above 4 GiB");
	pw_model_fault(c->m, PW_FAULT_DMA32, 0);
	sent_nothing(c);
	ring(c); /* the ring stood still; moving the tail starts it */
	sent(c);
	card_free(c);
}

/* --- loopback ------------------------------------------------------------------------------ */

static void
test_mac_loopback(void **state)
{
	struct card *c = card_up(RCTL_LBM_MAC);
	uint8_t f[100];
	const struct desc *d;

	(void)state;
	make_frame(f, card_mac, 100);
	send_one(c, f, 100, SEND | D_DATA);
	sent_nothing(c);
	d = received(c);
	assert_non_null(d);
	assert_int_equal(rx_len(d), 100);
	assert_memory_equal(rx_data(c, d), f, 100);
	/* The filters are those of every frame. */
	make_frame(f, peer_mac, 100);
	send_one(c, f, 100, SEND | D_DATA);
	assert_null(received(c));
	card_free(c);
}

/* Copied over itself, which memcpy() does not allow. */
static void
test_loopback_into_the_buffer_that_is_sent(void **state)
{
	struct card *c = card_up(RCTL_LBM_MAC);
	uint8_t f[100];

	(void)state;
	make_frame(f, card_mac, 100);
	c->mem->rx[0].addr = bus(c, c->mem->txbuf[0]) + 10;
	send_one(c, f, 100, SEND | D_DATA);
	assert_non_null(received(c));
	assert_memory_equal(c->mem->txbuf[0] + 10, f, 100);
	card_free(c);
}

/* As the Linux driver's loopback test sets it up: PHY loopback, loss of signal inverted. */
static void
test_phy_loopback(void **state)
{
	static const uint8_t all[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	static const uint16_t bmcr[] = { 0x9140, 0x8140, 0x4140 };
	struct card *c = card_up(0);
	unsigned int i;
	uint8_t f[1024];

	(void)state;
	for (i = 0; i < 3; i++) {
		wr(c, MDIC, MDIC_WRITE | 1u << 21 | bmcr[i]);
		wait_us(c, 64);
		assert_int_equal(rd(c, MDIC) & MDIC_READY, MDIC_READY);
	}
	wr(c, CTRL, CTRL_SLU | CTRL_FD | 2u << 8 | CTRL_FRCSPD | CTRL_FRCDPX | CTRL_ILOS);
	assert_int_equal(rd(c, STATUS) & STATUS_LU, STATUS_LU);
	make_frame(f, all, sizeof(f));
	for (i = 0; i < 40; i++) {
		const struct desc *d;

		send_one(c, f, sizeof(f), SEND);
		d = received(c);
		assert_non_null(d);
		assert_memory_equal(rx_data(c, d), f, sizeof(f));
		c->mem->rx[d - c->mem->rx].word = 0;
		wr(c, RDT, (uint32_t)(d - c->mem->rx));
	}
	sent_nothing(c);
	/* Nothing from outside meanwhile */
	arrive(c, all, 60);
	assert_null(received(c));
	card_free(c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_legacy_and_data_descriptors),
		cmocka_unit_test(test_done_only_with_report_status),
		cmocka_unit_test(test_ring_wraps),
		cmocka_unit_test(test_scattered_packet_over_several_doorbells),
		cmocka_unit_test(test_null_buffers),
		cmocka_unit_test(test_padding),
		cmocka_unit_test(test_own_fcs),
		cmocka_unit_test(test_waits_for_link_enable_and_hang),
		cmocka_unit_test(test_paced_line_holds_the_ring),
		cmocka_unit_test(test_paced_line_holds_tso),
		cmocka_unit_test(test_paced_line_at_each_speed),
		cmocka_unit_test(test_checksum_by_context),
		cmocka_unit_test(test_context_is_kept),
		cmocka_unit_test(test_udp_checksum_is_never_zero),
		cmocka_unit_test(test_legacy_checksum),
		cmocka_unit_test(test_vlan_insertion),
		cmocka_unit_test(test_checksum_offsets_do_not_count_the_tag),
		cmocka_unit_test(test_tso),
		cmocka_unit_test(test_tso_with_vlan),
		cmocka_unit_test(test_tso_with_snap),
		cmocka_unit_test(test_tso_contexts_that_do_not_fit),
		cmocka_unit_test(test_tso_in_crumbs_gives_others_a_turn),
		cmocka_unit_test(test_tso_context_leaves_the_other_alone),
		cmocka_unit_test(test_reset_forgets_the_context),
		cmocka_unit_test(test_tx_delay_timers),
		cmocka_unit_test(test_write_back_threshold),
		cmocka_unit_test(test_write_back_threshold_lowered_while_some_are_held),
		cmocka_unit_test(test_low_threshold),
		cmocka_unit_test(test_tx_statistics),
		cmocka_unit_test(test_swxoff_sends_a_pause),
		cmocka_unit_test(test_sending_without_a_wire),
		cmocka_unit_test(test_mixed_formats_in_a_packet),
		cmocka_unit_test(test_undersize_and_oversize),
		cmocka_unit_test(test_ring_rules),
		cmocka_unit_test(test_offload_rules),
		cmocka_unit_test(test_dma_outside_the_map),
		cmocka_unit_test(test_mac_loopback),
		cmocka_unit_test(test_loopback_into_the_buffer_that_is_sent),
		cmocka_unit_test(test_phy_loopback),
	};

	return cmocka_run_group_tests_name("e1000_model_tx", tests, NULL, NULL);
}
