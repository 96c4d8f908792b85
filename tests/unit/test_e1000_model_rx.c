/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* The 82540EM model's receiver. */

#include "e1000_card.h"

static const uint8_t broadcast[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

/* Send raw bytes from the wire's other end and let the card look. */
static void
arrive_raw(struct card *c, const uint8_t *f, uint32_t len, uint32_t flags)
{
	assert_int_equal(pw_wire_send(c->peer, f, len, flags), 0);
	pw_model_poll(c->m);
}

static void
give_back(struct card *c, const struct desc *d)
{
	unsigned int i = (unsigned int)(d - c->mem->rx);

	c->mem->rx[i].word = 0;
	wr(c, RDT, i);
}

/* One frame in one descriptor, whole, with this status beside DD and EOP. */
static const uint8_t *
expect_frame(struct card *c, uint32_t len, uint8_t status, uint8_t errors)
{
	const struct desc *d = received(c);

	if (d == NULL)
		fail_msg("nothing was received");
	assert_int_equal(rx_len(d), len);
	assert_int_equal(rx_status(d), status | S_DD | S_EOP);
	assert_int_equal(rx_errors(d), errors);
	give_back(c, d);
	return rx_data(c, d);
}

/* --- storing ------------------------------------------------------------------------------- */

static void
test_frames_of_all_sizes(void **state)
{
	struct card *c = card_up(0);
	uint8_t f[BUF];
	uint32_t len;

	(void)state;
	for (len = 60; len <= 1518; len++) {
		make_frame(f, card_mac, len);
		arrive_raw(c, f, len, 0);
		assert_memory_equal(expect_frame(c, len, S_IXSM, 0), f, len);
	}
	assert_int_equal(rd(c, GPRC), 1518 - 60 + 1);
	card_free(c);
}

/* CRC-32 bit by bit, IEEE 802.3 §3.2.9 */
static uint32_t
fcs_of(const uint8_t *f, uint32_t len)
{
	uint32_t crc = 0xffffffff, i, k;

	for (i = 0; i < len; i++) {
		crc ^= f[i];
		for (k = 0; k < 8; k++)
			crc = (crc & 1) != 0 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
	}
	return ~crc;
}

/* Without SECRC the FCS is stored too. */
static void
test_fcs_is_kept(void **state)
{
	struct card *c = card_up(0);
	const uint8_t *p;
	uint32_t crc, i;
	uint8_t f[77];

	(void)state;
	wr(c, RCTL, RCTL_EN | RCTL_BAM);
	make_frame(f, card_mac, sizeof(f));
	crc = fcs_of(f, sizeof(f));
	arrive_raw(c, f, sizeof(f), 0);
	p = expect_frame(c, sizeof(f) + 4, S_IXSM, 0);
	assert_memory_equal(p, f, sizeof(f));
	for (i = 0; i < 4; i++)
		assert_int_equal(p[sizeof(f) + i], crc >> 8 * i & 0xff);
	card_free(c);
}

/* Frames over several buffers of each size that there is (§2.3). */
static void
test_multi_descriptor_frames(void **state)
{
	static const struct {
		uint32_t rctl, size;
	} t[] = {
		{ 3u << 16, 256 }, { 2u << 16, 512 }, { 1u << 16, 1024 }, { 0, 2048 },
		{ RCTL_BSEX | 3u << 16, 4096 }, { RCTL_BSEX | 2u << 16, 8192 },
		{ RCTL_BSEX | 1u << 16, 16384 },
	};
	struct card *c = card_up(0);
	uint8_t f[5000];
	unsigned int i, k;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		uint32_t len = t[i].size < 1024 ? 1500 : 5000, at = 0;

		wr(c, RCTL, 0);
		card_start_rx(c, RCTL_SECRC | RCTL_LPE | t[i].rctl);
		/* Room behind each buffer shows whether the card keeps to the size. */
		for (k = 0; k < 7; k++)
			c->mem->rx[k].addr = bus(c, c->mem->big + k * 18000);
		memset(c->mem->big, 0xee, sizeof(c->mem->big));
		c->rx_next = 0;
		make_frame(f, card_mac, len);
		arrive_raw(c, f, len, 0);
		for (k = 0; at < len; k++) {
			uint32_t n = len - at < t[i].size ? len - at : t[i].size;
			const struct desc *d = received(c);

			assert_non_null(d);
			assert_int_equal(rx_len(d), n);
			assert_int_equal(rx_status(d) & S_EOP, at + n == len ? S_EOP : 0);
			assert_memory_equal(c->mem->big + k * 18000, f + at, n);
			assert_int_equal(c->mem->big[k * 18000 + n], 0xee);
			at += n;
		}
		assert_null(received(c));
	}
	card_free(c);
}

/* The FCS may land alone in the last buffer, or be cut in two (§6). */
static void
test_fcs_across_buffers(void **state)
{
	uint32_t split;

	(void)state;
	for (split = 0; split <= 4; split++) {
		struct card *c = card_up(0);
		uint32_t len = 256 - split, crc, i;
		const struct desc *d;
		uint8_t f[256];

		wr(c, RCTL, RCTL_EN | RCTL_BSIZE_256);
		make_frame(f, card_mac, len);
		crc = fcs_of(f, len);
		arrive_raw(c, f, len, 0);
		d = received(c);
		assert_int_equal(rx_len(d), 256);
		assert_int_equal(rx_status(d) & S_EOP, split == 4 ? S_EOP : 0);
		assert_memory_equal(rx_data(c, d), f, len);
		for (i = 0; i < split; i++)
			assert_int_equal(rx_data(c, d)[len + i], crc >> 8 * i & 0xff);
		if (split < 4) {
			d = received(c);
			assert_int_equal(rx_len(d), 4 - split);
			assert_int_equal(rx_status(d), S_DD | S_EOP | S_IXSM);
			for (i = split; i < 4; i++)
				assert_int_equal(rx_data(c, d)[i - split], crc >> 8 * i & 0xff);
		}
		card_free(c);
	}
}

static void
test_null_buffer_takes_no_data(void **state)
{
	struct card *c = card_up(0);
	const struct desc *d;

	(void)state;
	c->mem->rx[0].addr = 0;
	arrive(c, card_mac, 100);
	d = received(c);
	assert_int_equal(rx_status(d), S_DD);
	assert_int_equal(rx_len(d), 0);
	d = received(c);
	assert_int_equal(rx_len(d), 100);
	assert_int_equal(rx_status(d) & S_EOP, S_EOP);
	card_free(c);
}

/* --- filters ------------------------------------------------------------------------------- */

static bool
arrives(struct card *c, const uint8_t *da, uint8_t *status)
{
	const struct desc *d;

	arrive(c, da, 60);
	d = received(c);
	if (d == NULL)
		return false;
	*status = rx_status(d);
	give_back(c, d);
	return true;
}

static void
test_unicast_filter(void **state)
{
	static const uint8_t other[6] = { 0x02, 0x11, 0x22, 0x33, 0x44, 0x55 };
	struct card *c = card_up(0);
	unsigned int i;
	uint8_t s = 0;

	(void)state;
	assert_true(arrives(c, card_mac, &s));
	assert_false(arrives(c, other, &s));
	for (i = 1; i < 16; i++) {
		wr(c, RAL0 + 8 * i, 0x33221102);
		wr(c, RAH0 + 8 * i, 0x5544);
		assert_false(arrives(c, other, &s)); /* not valid */
		wr(c, RAH0 + 8 * i, 0x80005544);
		assert_true(arrives(c, other, &s));
		wr(c, RAH0 + 8 * i, 0x80015544); /* source match: not the destination */
		assert_false(arrives(c, other, &s));
		wr(c, RAH0 + 8 * i, 0);
	}
	wr(c, RCTL, RCTL_EN | RCTL_SECRC | RCTL_UPE);
	assert_true(arrives(c, other, &s));
	assert_int_equal(s & S_PIF, 0);
	assert_false(arrives(c, broadcast, &s)); /* UPE is about unicast */
	card_free(c);
}

static void
test_multicast_and_broadcast(void **state)
{
	/* Bits 47:36, 46:35, 45:34, 43:32 of the address: 0x5634 shifted by 4, 3, 2, 0 (§2.3,
	 * whose third example, 0x163, is not what its own rule gives)
	 */
	static const uint8_t group[6] = { 0x01, 0xaa, 0x00, 0x12, 0x34, 0x56 };
	static const uint32_t hash[4] = { 0x563, 0xac6, 0x58d, 0x634 };
	struct card *c = card_up(0);
	unsigned int mo;
	uint8_t s = 0;

	(void)state;
	assert_true(arrives(c, broadcast, &s));
	assert_int_equal(s & S_PIF, 0);
	assert_false(arrives(c, group, &s));
	for (mo = 0; mo < 4; mo++) {
		wr(c, RCTL, RCTL_EN | RCTL_SECRC | mo << 12);
		wr(c, MTA + 4 * (hash[mo] >> 5), 1u << (hash[mo] & 31));
		assert_true(arrives(c, group, &s));
		assert_int_equal(s & S_PIF, S_PIF); /* the hash only */
		wr(c, MTA + 4 * (hash[mo] >> 5), ~(1u << (hash[mo] & 31)));
		assert_false(arrives(c, group, &s));
		wr(c, MTA + 4 * (hash[mo] >> 5), 0);
	}
	assert_false(arrives(c, broadcast, &s));
	wr(c, RCTL, RCTL_EN | RCTL_SECRC | RCTL_MPE);
	assert_true(arrives(c, group, &s));
	assert_int_equal(s & S_PIF, 0);
	assert_true(arrives(c, broadcast, &s));
	wr(c, RCTL, RCTL_EN | RCTL_SECRC);
	wr(c, RAL0 + 8, 0x1200aa01);
	wr(c, RAH0 + 8, 0x80005634);
	assert_true(arrives(c, group, &s));
	assert_int_equal(s & S_PIF, 0); /* an exact match */
	card_free(c);
}

static void
test_receiver_off(void **state)
{
	struct card *c = card_up(0);
	uint8_t f[60], s = 0;

	(void)state;
	wr(c, RCTL, RCTL_SECRC | RCTL_BAM);
	assert_false(arrives(c, card_mac, &s));
	make_frame(f, card_mac, 60);
	assert_int_equal(pw_model_receive(c->m, f, 60, 0), -ENOBUFS);
	assert_int_equal(rd(c, TPR), 0); /* counters stand still (§8) */
	wr(c, RCTL, RCTL_EN | RCTL_SECRC);
	assert_null(received(c)); /* what came meanwhile is gone */
	assert_true(arrives(c, card_mac, &s));
	assert_int_equal(pw_model_receive(c->m, f, 60, 0), 0);
	assert_non_null(received(c));
	assert_int_equal(pw_model_receive(c->m, f, 0, 0), -EINVAL);
	assert_int_equal(pw_model_receive(c->m, f, PW_WIRE_MAX_FRAME + 1, 0), -EINVAL);
	card_free(c);
}

/* --- VLAN ---------------------------------------------------------------------------------- */

static uint32_t
make_tagged(uint8_t *f, uint32_t tci, uint32_t len)
{
	make_frame(f, card_mac, len);
	set16(f + 12, 0x8100);
	set16(f + 14, tci);
	set16(f + 16, 0x88b5);
	return len;
}

static void
test_vlan_strip(void **state)
{
	struct card *c = card_up(0);
	const struct desc *d;
	const uint8_t *p;
	uint8_t f[200];

	(void)state;
	make_tagged(f, 0xa123, 200);
	arrive_raw(c, f, 200, 0);
	assert_memory_equal(expect_frame(c, 200, S_IXSM, 0), f, 200);
	wr(c, CTRL, CTRL_SLU | CTRL_VME);
	arrive_raw(c, f, 200, 0);
	d = &c->mem->rx[c->rx_next];
	assert_int_equal(d->word >> 48, 0xa123);
	p = expect_frame(c, 196, S_IXSM | S_VP, 0);
	assert_memory_equal(p, f, 12);
	assert_memory_equal(p + 12, f + 16, 184);
	/* Untagged: no VP. A priority tag: VID 0, still a tag. */
	arrive(c, card_mac, 60);
	expect_frame(c, 60, S_IXSM, 0);
	make_tagged(f, 0xe000, 64);
	arrive_raw(c, f, 64, 0);
	expect_frame(c, 60, S_IXSM | S_VP, 0);
	/* Another type of tag */
	wr(c, VET, 0x88a8);
	arrive_raw(c, f, 64, 0);
	expect_frame(c, 64, S_IXSM, 0);
	/* The octets that are counted are those of the wire. */
	rd(c, GORCL);
	rd(c, GORCH);
	wr(c, VET, 0x8100);
	arrive_raw(c, f, 64, 0);
	expect_frame(c, 60, S_IXSM | S_VP, 0);
	assert_int_equal(rd(c, GORCL), 68);
	card_free(c);
}

/* A stripped frame over several buffers, its FCS behind (§6). */
static void
test_vlan_strip_across_buffers(void **state)
{
	struct card *c = card_up(0);
	uint8_t f[700], got[700];
	uint32_t at = 0;

	(void)state;
	wr(c, RCTL, RCTL_EN | RCTL_BSIZE_256);
	wr(c, CTRL, CTRL_SLU | CTRL_VME);
	make_tagged(f, 7, 700);
	arrive_raw(c, f, 700, 0);
	for (;;) {
		const struct desc *d = received(c);

		assert_non_null(d);
		memcpy(got + at, rx_data(c, d), rx_len(d));
		at += rx_len(d);
		if ((rx_status(d) & S_EOP) != 0) {
			assert_int_equal(rx_status(d) & S_VP, S_VP);
			assert_int_equal(d->word >> 48, 7);
			break;
		}
		assert_int_equal(rx_len(d), 256);
		assert_int_equal(d->word >> 48, 0);
	}
	assert_int_equal(at, 700 - 4 + 4);
	assert_memory_equal(got, f, 12);
	assert_memory_equal(got + 12, f + 16, 684);
	/* The FCS is the one that came, with the tag in it. */
	assert_int_equal(got[696] | got[697] << 8 | got[698] << 16 | (uint32_t)got[699] << 24,
			 fcs_of(f, 700));
	card_free(c);
}

static void
test_vlan_filter(void **state)
{
	struct card *c = card_up(RCTL_VFE);
	static const uint32_t vid[] = { 0, 1, 31, 32, 100, 4095 };
	unsigned int i;
	uint8_t f[64];

	(void)state;
	for (i = 0; i < sizeof(vid) / sizeof(vid[0]); i++) {
		make_tagged(f, 0x6000 | vid[i], 64);
		arrive_raw(c, f, 64, 0);
		assert_null(received(c));
		wr(c, VFTA + 4 * (vid[i] >> 5), 1u << (vid[i] & 31));
		arrive_raw(c, f, 64, 0);
		expect_frame(c, 64, S_IXSM, 0); /* filtered, not stripped */
		wr(c, VFTA + 4 * (vid[i] >> 5), 0);
	}
	arrive(c, card_mac, 60); /* untagged ones are not filtered */
	expect_frame(c, 60, S_IXSM, 0);
	/* CFI must be what RCTL.CFI says */
	wr(c, VFTA, 2);
	wr(c, RCTL, RCTL_EN | RCTL_SECRC | RCTL_VFE | RCTL_CFIEN);
	make_tagged(f, 0x1001, 64);
	arrive_raw(c, f, 64, 0);
	assert_null(received(c));
	make_tagged(f, 0x0001, 64);
	arrive_raw(c, f, 64, 0);
	expect_frame(c, 64, S_IXSM, 0);
	card_free(c);
}

/* --- checksum (§3.1) ----------------------------------------------------------------------- */

static void
test_rx_checksum(void **state)
{
	struct card *c = card_up(0);
	unsigned int tcp;
	uint8_t f[BUF];
	uint32_t len;

	(void)state;
	wr(c, RXCSUM, 0x300);
	for (tcp = 0; tcp < 2; tcp++) {
		len = make_ip(f, true, tcp, 101, true);
		arrive_raw(c, f, len, 0);
		expect_frame(c, len, S_IPCS | S_TCPCS, 0);
		f[len - 1] ^= 1;
		arrive_raw(c, f, len, 0);
		expect_frame(c, len, S_IPCS | S_TCPCS, E_TCPE);
		f[len - 1] ^= 1;
		f[22] ^= 1; /* TTL */
		arrive_raw(c, f, len, 0);
		expect_frame(c, len, S_IPCS | S_TCPCS, E_IPE);
		f[22] ^= 1;
		/* Each by its own enable */
		wr(c, RXCSUM, 0x100);
		arrive_raw(c, f, len, 0);
		expect_frame(c, len, S_IPCS, 0);
		wr(c, RXCSUM, 0x200);
		arrive_raw(c, f, len, 0);
		expect_frame(c, len, S_TCPCS, 0);
		wr(c, RXCSUM, 0);
		arrive_raw(c, f, len, 0);
		expect_frame(c, len, S_IXSM, 0);
		wr(c, RXCSUM, 0x300);
	}
	card_free(c);
}

static void
test_rx_checksum_of_odd_packets(void **state)
{
	struct card *c = card_up(0);
	uint8_t f[BUF], g[BUF];
	uint32_t len, i;

	(void)state;
	wr(c, RXCSUM, 0x300);
	/* UDP without a checksum */
	len = make_ip(f, true, false, 50, true);
	set16(f + 40, 0);
	arrive_raw(c, f, len, 0);
	expect_frame(c, len, S_IPCS, 0);
	/* A fragment */
	len = make_ip(f, true, true, 50, true);
	set16(f + 20, 0x2000);
	set16(f + 24, 0);
	set16(f + 24, ~rfc1071_sum(f + 14, 20, 0));
	arrive_raw(c, f, len, 0);
	expect_frame(c, len, S_IPCS, 0);
	/* IPv6: not on this part */
	len = make_ip(f, false, true, 50, true);
	arrive_raw(c, f, len, 0);
	expect_frame(c, len, S_IXSM, 0);
	/* Trailing padding is no part of the packet. */
	len = make_ip(f, true, false, 6, true);
	memset(f + len, 0x77, 60 - len);
	arrive_raw(c, f, 60, 0);
	expect_frame(c, 60, S_IPCS | S_TCPCS, 0);
	/* Behind a tag */
	len = make_ip(f, true, true, 80, true);
	memcpy(g, f, 12);
	set32(g + 12, 0x81000005);
	memcpy(g + 16, f + 12, len - 12);
	arrive_raw(c, g, len + 4, 0);
	expect_frame(c, len + 4, S_IPCS | S_TCPCS, 0);
	/* SNAP */
	memcpy(g, f, 12);
	set16(g + 12, len - 14 + 8);
	memcpy(g + 14, "\xaa\xaa\x03\0\0\0", 6);
	memcpy(g + 20, f + 12, len - 12);
	arrive_raw(c, g, len + 8, 0);
	expect_frame(c, len + 8, S_IPCS | S_TCPCS, 0);
	/* The same bytes behind a type are something else. */
	set16(g + 12, 0x88b5);
	arrive_raw(c, g, len + 8, 0);
	expect_frame(c, len + 8, S_IXSM, 0);
	/* TCP and UDP headers with nothing behind */
	for (i = 0; i < 2; i++) {
		memset(g, 0, 60);
		make_ip(g, true, i, 0, true);
		arrive_raw(c, g, 60, 0);
		expect_frame(c, 60, S_IPCS | S_TCPCS, 0);
	}
	/* Header lengths that lie */
	f[14] = 0x44;
	arrive_raw(c, f, len, 0);
	expect_frame(c, len, S_IXSM, 0);
	f[14] = 0x45;
	set16(f + 16, len);
	arrive_raw(c, f, len, 0);
	expect_frame(c, len, S_IXSM, 0);
	set16(f + 16, 19);
	arrive_raw(c, f, len, 0);
	expect_frame(c, len, S_IXSM, 0);
	/* A header and nothing else is a packet. */
	set16(f + 16, 20);
	f[23] = 254;
	set16(f + 24, 0);
	set16(f + 24, ~rfc1071_sum(f + 14, 20, 0));
	arrive_raw(c, f, len, 0);
	expect_frame(c, len, S_IPCS, 0);
	card_free(c);
}

/* Ones complement of the sum from PCSS on, FCS left out (§3.1). */
static void
test_packet_checksum(void **state)
{
	static const uint32_t pcss[] = { 14, 15, 34, 99 };
	struct card *c = card_up(0);
	unsigned int i;
	uint8_t f[101];

	(void)state;
	make_frame(f, card_mac, sizeof(f));
	for (i = 0; i < sizeof(pcss) / sizeof(pcss[0]); i++) {
		const struct desc *d = &c->mem->rx[c->rx_next];

		wr(c, RXCSUM, pcss[i]);
		arrive_raw(c, f, sizeof(f), 0);
		assert_int_equal(d->word >> 16 & 0xffff,
				 ~rfc1071_sum(f + pcss[i], sizeof(f) - pcss[i], 0) & 0xffff);
		expect_frame(c, sizeof(f), S_IXSM, 0);
	}
	card_free(c);
}

/* --- errors -------------------------------------------------------------------------------- */

static void
test_runts_and_giants(void **state)
{
	struct card *c = card_up(0);
	uint8_t f[PW_WIRE_MAX_FRAME];

	(void)state;
	make_frame(f, card_mac, sizeof(f));
	arrive_raw(c, f, 59, 0);
	assert_int_equal(rd(c, RUC), 1);
	assert_int_equal(rd(c, RLEC), 1);
	arrive_raw(c, f, 59, PW_FRAME_BAD_CRC);
	assert_int_equal(rd(c, RFC), 1);
	arrive_raw(c, f, 1519, 0);
	assert_int_equal(rd(c, ROC), 1);
	arrive_raw(c, f, 1519, PW_FRAME_BAD_CRC);
	assert_int_equal(rd(c, RJC), 1);
	assert_int_equal(rd(c, RLEC), 3);
	arrive_raw(c, f, 5, 0); /* less than a header */
	assert_int_equal(rd(c, RUC), 1);
	assert_null(received(c));
	assert_int_equal(rd(c, TPR), 5);
	assert_int_equal(rd(c, GPRC), 0);
	/* 1522 with FCS is the most; 16384 with LPE (§6) */
	arrive_raw(c, f, 1518, 0);
	expect_frame(c, 1518, S_IXSM, 0);
	wr(c, RCTL, RCTL_EN | RCTL_SECRC | RCTL_LPE | RCTL_BSEX | 1u << 16);
	c->mem->rx[c->rx_next].addr = bus(c, c->mem->big);
	arrive_raw(c, f, 16380, 0);
	assert_int_equal(rx_len(received(c)), 16380);
	arrive_raw(c, f, 16381, 0);
	assert_null(received(c));
	assert_int_equal(rd(c, ROC), 1);
	card_free(c);
}

static void
test_bad_frames_are_stored_with_sbp(void **state)
{
	struct card *c = card_up(0);
	uint8_t f[100];

	(void)state;
	make_frame(f, card_mac, 100);
	arrive_raw(c, f, 100, PW_FRAME_BAD_CRC);
	arrive_raw(c, f, 100, PW_FRAME_RX_ERR);
	assert_null(received(c));
	assert_int_equal(rd(c, CRCERRS), 1);
	assert_int_equal(rd(c, RXERRC), 1);
	wr(c, RCTL, RCTL_EN | RCTL_SECRC | RCTL_SBP);
	arrive_raw(c, f, 100, PW_FRAME_BAD_CRC);
	expect_frame(c, 100, S_IXSM, E_CE);
	arrive_raw(c, f, 100, PW_FRAME_RX_ERR);
	expect_frame(c, 100, S_IXSM, E_RXE);
	arrive_raw(c, f, 40, 0);
	expect_frame(c, 40, S_IXSM, 0);
	assert_int_equal(rd(c, GPRC), 0);
	card_free(c);
}

static void
test_fault_bad_crc_and_overrun(void **state)
{
	struct card *c = card_up(0);

	(void)state;
	rd(c, ICR);
	pw_model_fault(c->m, PW_FAULT_BAD_CRC, 2);
	pw_model_fault(c->m, PW_FAULT_RX_OVERRUN, 1);
	arrive(c, card_mac, 60);
	assert_int_equal(rd(c, MPC), 1);
	assert_int_equal(rd(c, ICR), ICR_RXO);
	arrive(c, card_mac, 60);
	arrive(c, card_mac, 60);
	assert_int_equal(rd(c, CRCERRS), 2);
	assert_null(received(c));
	arrive(c, card_mac, 60);
	expect_frame(c, 60, S_IXSM, 0);
	card_free(c);
}

/* --- running out of descriptors ------------------------------------------------------------ */

static void
test_frames_wait_for_descriptors(void **state)
{
	struct card *c = card_up(0);
	unsigned int i, n = 0;
	uint8_t f[60];

	(void)state;
	make_frame(f, card_mac, 60);
	for (i = 0; i < RING + 9; i++) {
		f[20] = (uint8_t)i;
		assert_int_equal(pw_wire_send(c->peer, f, 60, 0), 0);
	}
	assert_int_equal(pw_model_poll(c->m), RING - 1);
	assert_int_equal(pw_model_poll(c->m), 0);
	assert_int_equal(rd(c, RDH), rd(c, RDT)); /* empty */
	assert_int_equal(rd(c, RNBC), 1); /* one met no descriptor; those behind were not seen */
	assert_int_equal(rd(c, MPC), 0);
	for (i = 0; i < RING + 9; i++) {
		const struct desc *d = received(c);

		if (d == NULL) {
			assert_true(pw_model_poll(c->m) > 0);
			d = received(c);
		}
		assert_non_null(d);
		assert_int_equal(rx_data(c, d)[20], i);
		give_back(c, d);
		n++;
	}
	assert_int_equal(n, RING + 9);
	assert_int_equal(rd(c, GPRC), n);
	card_free(c);
}

/* A frame longer than what is free is begun, and finished when there is more. */
static void
test_half_stored_frame_goes_on(void **state)
{
	struct card *c = card_up(0);
	uint8_t f[1500], got[1500];
	const struct desc *d;
	uint32_t at = 0;

	(void)state;
	wr(c, RCTL, RCTL_EN | RCTL_SECRC | RCTL_BSIZE_256);
	make_frame(f, card_mac, 1500);
	wr(c, RCTL, RCTL_SECRC);
	wr(c, RDH, 0);
	wr(c, RDT, 2);
	wr(c, RCTL, RCTL_EN | RCTL_SECRC | RCTL_BSIZE_256);
	assert_int_equal(pw_wire_send(c->peer, f, 1500, 0), 0);
	assert_int_equal(pw_model_poll(c->m), 0);
	assert_int_equal(rd(c, RDH), 2);
	wr(c, RDT, 5);
	assert_int_equal(pw_model_poll(c->m), 0);
	wr(c, RDT, 20);
	assert_int_equal(pw_model_poll(c->m), 1);
	do {
		d = received(c);
		assert_non_null(d);
		memcpy(got + at, rx_data(c, d), rx_len(d));
		at += rx_len(d);
	} while ((rx_status(d) & S_EOP) == 0);
	assert_int_equal(at, 1500);
	assert_memory_equal(got, f, 1500);
	/* One that was begun when the receiver is turned off is gone. */
	wr(c, RCTL, 0);
	card_start_rx(c, RCTL_SECRC | RCTL_BSIZE_256);
	wr(c, RCTL, 0);
	wr(c, RDH, 0);
	wr(c, RDT, 1);
	wr(c, RCTL, RCTL_EN | RCTL_SECRC | RCTL_BSIZE_256);
	assert_int_equal(pw_wire_send(c->peer, f, 1500, 0), 0);
	pw_model_poll(c->m);
	wr(c, RCTL, 0);
	card_start_rx(c, RCTL_SECRC);
	c->rx_next = 0;
	arrive(c, card_mac, 60);
	expect_frame(c, 60, S_IXSM, 0);
	card_free(c);
}

static void
test_receive_without_descriptors_loses_the_frame(void **state)
{
	struct card *c = card_up(0);
	unsigned int i;
	uint8_t f[60];

	(void)state;
	make_frame(f, card_mac, 60);
	for (i = 0; i < RING - 1; i++)
		assert_int_equal(pw_model_receive(c->m, f, 60, 0), 0);
	rd(c, ICR);
	assert_int_equal(pw_model_receive(c->m, f, 60, 0), -ENOBUFS);
	assert_int_equal(rd(c, MPC), 1);
	assert_int_equal(rd(c, RNBC), 1);
	assert_int_equal(rd(c, ICR), ICR_RXO);
	assert_int_equal(rd(c, GPRC), RING - 1);
	/* What is not for us is not lost. */
	make_frame(f, peer_mac, 60);
	assert_int_equal(pw_model_receive(c->m, f, 60, 0), 0);
	card_free(c);
}

/* All of it or nothing: a frame that cannot wait needs all its descriptors at once. */
static void
test_receive_needs_room_for_the_whole_frame(void **state)
{
	struct card *c = card_up(0);
	uint8_t f[PW_WIRE_MAX_FRAME];

	(void)state;
	make_frame(f, card_mac, sizeof(f));
	wr(c, RCTL, RCTL_SECRC);
	wr(c, RDH, 0);
	wr(c, RDT, 4);
	wr(c, RCTL, RCTL_EN | RCTL_SECRC | RCTL_BSIZE_256);
	assert_int_equal(pw_model_receive(c->m, f, 1025, 0), -ENOBUFS);
	assert_null(received(c));
	assert_int_equal(pw_model_receive(c->m, f, 1024, 0), 0);
	assert_int_equal(rd(c, RDH), 4);
	/* The longest that the interface takes; the chip does not. */
	assert_int_equal(pw_model_receive(c->m, f, PW_WIRE_MAX_FRAME, 0), 0);
	assert_int_equal(rd(c, ROC), 1);
	card_free(c);
}

static void
test_wire_overflow_counts_as_missed(void **state)
{
	struct card *c = card_up(0);
	uint8_t f[1500];
	unsigned int i, n = 0, got;

	(void)state;
	make_frame(f, card_mac, 1500);
	rd(c, ICR);
	for (i = 0; i < 2000; i++) /* 3 MB into the wire's 1 MiB */
		assert_int_equal(pw_wire_send(c->peer, f, 1500, 0), 0);
	do {
		const struct desc *d;

		got = pw_model_poll(c->m);
		n += got;
		while ((d = received(c)) != NULL)
			give_back(c, d);
	} while (got > 0);
	assert_in_range(n, 1, 1999);
	assert_int_equal(rd(c, MPC), 2000 - n);
	assert_int_equal(rd(c, ICR) & ICR_RXO, ICR_RXO);
	card_free(c);
}

/* --- interrupts ---------------------------------------------------------------------------- */

/* RXDMT0 when exactly 1/2, 1/4, 1/8 of the ring is left (§2.3, §9.4) */
static void
test_low_descriptors(void **state)
{
	unsigned int rdmts, i;

	(void)state;
	for (rdmts = 0; rdmts < 3; rdmts++) {
		struct card *c = card_up(rdmts << 8);
		unsigned int want = RING >> (rdmts + 1);

		rd(c, ICR);
		for (i = RING - 1; i > 1; i--) {
			arrive(c, card_mac, 60);
			assert_int_equal(rd(c, ICR) & ICR_RXDMT0,
					 i - 1 == want ? ICR_RXDMT0 : 0);
		}
		card_free(c);
	}
}

static void
test_rx_timer_zero_is_at_once(void **state)
{
	struct card *c = card_up(0);

	(void)state;
	rd(c, ICR);
	wr(c, IMS, ICR_RXT0);
	arrive(c, card_mac, 60);
	assert_true(c->irq);
	assert_int_equal(rd(c, ICR), ICR_RXT0);
	arrive(c, peer_mac, 60); /* not for us */
	assert_false(c->irq);
	card_free(c);
}

static void
test_rx_delay_timers(void **state)
{
	struct card *c = card_up(0);
	unsigned int i;

	(void)state;
	rd(c, ICR);
	wr(c, IMS, ICR_RXT0);
	wr(c, RDTR, 100); /* 102.4 us after the last packet */
	wr(c, RADV, 200); /* 204.8 us after the first */
	arrive(c, card_mac, 60);
	wait_us(c, 102);
	pw_model_poll(c->m);
	assert_false(c->irq);
	wait_us(c, 1);
	pw_model_poll(c->m);
	assert_true(c->irq);
	rd(c, ICR);
	for (i = 0; i < 4; i++) {
		arrive(c, card_mac, 60);
		wait_us(c, 51);
		pw_model_poll(c->m);
		assert_false(c->irq);
	}
	wait_us(c, 1);
	pw_model_poll(c->m);
	assert_true(c->irq);
	rd(c, ICR);
	assert_int_equal(pw_model_deadline(c->m), UINT64_MAX);
	arrive(c, card_mac, 60);
	wr(c, RDTR, 100 | FPD);
	assert_true(c->irq);
	assert_int_equal(rd(c, RDTR), 100);
	card_free(c);
}

static void
test_small_packet_detect(void **state)
{
	struct card *c = card_up(0);

	(void)state;
	wr(c, RSRPD, 100);
	rd(c, ICR);
	arrive(c, card_mac, 100);
	assert_int_equal(rd(c, ICR) & ICR_SRPD, ICR_SRPD);
	arrive(c, card_mac, 101);
	assert_int_equal(rd(c, ICR) & ICR_SRPD, 0);
	card_free(c);
}

/* --- statistics ---------------------------------------------------------------------------- */

static void
test_rx_statistics(void **state)
{
	static const uint8_t group[6] = { 0x01, 0, 0x5e, 0, 0, 1 };
	static const uint32_t len[] = { 60, 61, 123, 124, 251, 252, 507, 508, 1019, 1020, 1514 };
	struct card *c = card_up(RCTL_MPE);
	uint64_t octets = 0;
	unsigned int i;

	(void)state;
	for (i = 0; i < 11; i++) {
		arrive(c, i == 0 ? broadcast : i == 1 ? group : card_mac, len[i]);
		octets += len[i] + 4;
	}
	arrive(c, peer_mac, 60); /* heard, but not ours */
	assert_int_equal(rd(c, GPRC), 11);
	assert_int_equal(rd(c, TPR), 12);
	assert_int_equal(rd(c, GORCL), octets);
	assert_int_equal(rd(c, GORCH), 0);
	assert_int_equal(rd(c, TORL), octets + 64);
	assert_int_equal(rd(c, TORH), 0);
	assert_int_equal(rd(c, TORL), 0);
	assert_int_equal(rd(c, PRC64), 1);
	assert_int_equal(rd(c, PRC127), 2);
	assert_int_equal(rd(c, PRC255), 2);
	assert_int_equal(rd(c, PRC511), 2);
	assert_int_equal(rd(c, PRC1023), 2);
	assert_int_equal(rd(c, PRC1522), 2);
	assert_int_equal(rd(c, BPRC), 1);
	assert_int_equal(rd(c, MPRC), 1);
	card_free(c);
}

/* --- flow control (IEEE 802.3 annex 31B) --------------------------------------------------- */

static void
make_pause(uint8_t *f, uint32_t opcode, uint32_t quanta)
{
	static const uint8_t da[6] = { 0x01, 0x80, 0xc2, 0, 0, 1 };

	make_frame(f, da, 60);
	memset(f + 12, 0, 48);
	set16(f + 12, 0x8808);
	set16(f + 14, opcode);
	set16(f + 16, quanta);
}

static void
pause_setup(struct card *c, uint32_t ctrl)
{
	wr(c, FCAL, 0x00c28001);
	wr(c, FCAH, 0x0100);
	wr(c, FCT, 0x8808);
	wr(c, CTRL, CTRL_SLU | ctrl);
}

static void
test_pause_is_obeyed(void **state)
{
	struct card *c = card_up(RCTL_DPF);
	uint8_t p[60], f[60];

	(void)state;
	pause_setup(c, CTRL_RFCE);
	make_pause(p, 1, 100); /* 100 * 512 ns at 1000 Mbit/s */
	arrive_raw(c, p, 60, 0);
	assert_null(received(c));
	assert_int_equal(rd(c, XOFFRXC), 1);
	assert_int_equal(rd(c, STATUS) & STATUS_TXOFF, STATUS_TXOFF);
	make_frame(f, peer_mac, 60);
	put_buf(c, f, 60, SEND | D_DATA);
	ring(c);
	sent_nothing(c);
	wait_us(c, 51);
	pw_model_poll(c->m);
	sent_nothing(c);
	pw_clock_advance(&c->clock, 200);
	pw_model_poll(c->m);
	assert_int_equal(sent(c).len, 60);
	assert_int_equal(rd(c, STATUS) & STATUS_TXOFF, 0);
	/* XON ends it early. */
	arrive_raw(c, p, 60, 0);
	put_buf(c, f, 60, SEND | D_DATA);
	ring(c);
	sent_nothing(c);
	make_pause(p, 1, 0);
	arrive_raw(c, p, 60, 0);
	pw_model_poll(c->m);
	sent(c);
	assert_int_equal(rd(c, XONRXC), 1);
	assert_int_equal(rd(c, GPRC), 0);
	card_free(c);
}

static void
test_pause_not_asked_for(void **state)
{
	struct card *c = card_up(RCTL_MPE | RCTL_DPF);
	uint8_t p[60];

	(void)state;
	pause_setup(c, 0);
	make_pause(p, 1, 0xffff);
	arrive_raw(c, p, 60, 0);
	assert_int_equal(rd(c, FCRUC), 1);
	assert_int_equal(rd(c, STATUS) & STATUS_TXOFF, 0);
	assert_null(received(c)); /* DPF */
	wr(c, RCTL, RCTL_EN | RCTL_SECRC | RCTL_MPE);
	arrive_raw(c, p, 60, 0);
	expect_frame(c, 60, S_IXSM, 0);
	/* Another opcode: PMCF lets it through. */
	rd(c, FCRUC);
	make_pause(p, 2, 0);
	arrive_raw(c, p, 60, 0);
	assert_null(received(c));
	wr(c, RCTL, RCTL_EN | RCTL_SECRC | RCTL_MPE | RCTL_PMCF);
	arrive_raw(c, p, 60, 0);
	expect_frame(c, 60, S_IXSM, 0);
	assert_int_equal(rd(c, FCRUC), 2);
	card_free(c);
}

static void
test_xoff_and_xon_are_sent(void **state)
{
	struct card *c = card_up(0);
	const struct desc *d;
	struct pw_frame s;
	unsigned int i;
	uint8_t f[60];

	(void)state;
	pause_setup(c, CTRL_TFCE);
	wr(c, FCTTV, 100);
	wr(c, FCRTH, 0x8000);
	wr(c, FCRTL, 0x7000 | BIT(31));
	make_frame(f, card_mac, 60);
	for (i = 0; i < RING + 3; i++)
		assert_int_equal(pw_wire_send(c->peer, f, 60, 0), 0);
	pw_model_poll(c->m);
	s = sent(c);
	assert_int_equal(be16(s.data + 12), 0x8808);
	assert_int_equal(be16(s.data + 16), 100);
	pw_model_poll(c->m);
	sent_nothing(c); /* once */
	wait_us(c, 26); /* half of 51.2 us */
	pw_model_poll(c->m);
	assert_int_equal(be16(sent(c).data + 16), 100); /* refreshed */
	while ((d = received(c)) != NULL)
		give_back(c, d);
	pw_model_poll(c->m);
	assert_int_equal(be16(sent(c).data + 16), 0);
	assert_int_equal(rd(c, XOFFTXC), 2);
	assert_int_equal(rd(c, XONTXC), 1);
	assert_int_equal(pw_model_deadline(c->m), UINT64_MAX);
	card_free(c);
}

/* --- what a driver must not do ------------------------------------------------------------- */

static void
test_rx_rules(void **state)
{
	struct card *c = card_up(0);

	(void)state;
	wr(c, RDH, 0);
	expect_violation(c, PW_VIOL_PROTOCOL, "Rx head written while enabled");
	wr(c, RDT, RING + 1);
	expect_violation(c, PW_VIOL_PROTOCOL, "tail 33 in a ring of 32");
	arrive(c, card_mac, 60);
	assert_null(received(c)); /* treated as empty */
	wr(c, RDT, RING - 1);
	pw_model_poll(c->m);
	expect_frame(c, 60, S_IXSM, 0);
	wr(c, RCTL, RCTL_EN | BIT(10));
	expect_violation(c, PW_VIOL_PROTOCOL, "DTYP");
	wr(c, RCTL, RCTL_EN | RCTL_SECRC | RCTL_BSEX);
	arrive(c, card_mac, 60);
	expect_violation(c, PW_VIOL_PROTOCOL, "BSIZE");
	card_free(c);
}

/* Full: every descriptor given back, tail one further would mean empty (§6). */
static void
test_rx_tail_passes_head(void **state)
{
	struct card *c = card_up(0);

	(void)state;
	wr(c, RDT, 0);
	expect_violation(c, PW_VIOL_PROTOCOL, "passes head");
	card_free(c);
}

static void
test_rx_buffer_not_mapped(void **state)
{
	struct card *c = card_up(0);

	(void)state;
	c->mem->rx[0].addr = 0x5000;
	arrive(c, card_mac, 60);
	expect_violation(c, PW_VIOL_DMA, "write of 60 B at 0x5000");
	received(c);
	arrive(c, card_mac, 60);
	expect_frame(c, 60, S_IXSM, 0);
	/* The ring itself */
	wr(c, RCTL, 0);
	wr(c, RDBAH, 0x77);
	wr(c, RCTL, RCTL_EN | RCTL_SECRC);
	arrive(c, card_mac, 60);
	expect_violation(c, PW_VIOL_DMA, "read of 8 B");
	card_free(c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frames_of_all_sizes),
		cmocka_unit_test(test_fcs_is_kept),
		cmocka_unit_test(test_multi_descriptor_frames),
		cmocka_unit_test(test_fcs_across_buffers),
		cmocka_unit_test(test_null_buffer_takes_no_data),
		cmocka_unit_test(test_unicast_filter),
		cmocka_unit_test(test_multicast_and_broadcast),
		cmocka_unit_test(test_receiver_off),
		cmocka_unit_test(test_vlan_strip),
		cmocka_unit_test(test_vlan_strip_across_buffers),
		cmocka_unit_test(test_vlan_filter),
		cmocka_unit_test(test_rx_checksum),
		cmocka_unit_test(test_rx_checksum_of_odd_packets),
		cmocka_unit_test(test_packet_checksum),
		cmocka_unit_test(test_runts_and_giants),
		cmocka_unit_test(test_bad_frames_are_stored_with_sbp),
		cmocka_unit_test(test_fault_bad_crc_and_overrun),
		cmocka_unit_test(test_frames_wait_for_descriptors),
		cmocka_unit_test(test_half_stored_frame_goes_on),
		cmocka_unit_test(test_receive_without_descriptors_loses_the_frame),
		cmocka_unit_test(test_receive_needs_room_for_the_whole_frame),
		cmocka_unit_test(test_wire_overflow_counts_as_missed),
		cmocka_unit_test(test_low_descriptors),
		cmocka_unit_test(test_rx_timer_zero_is_at_once),
		cmocka_unit_test(test_rx_delay_timers),
		cmocka_unit_test(test_small_packet_detect),
		cmocka_unit_test(test_rx_statistics),
		cmocka_unit_test(test_pause_is_obeyed),
		cmocka_unit_test(test_pause_not_asked_for),
		cmocka_unit_test(test_xoff_and_xon_are_sent),
		cmocka_unit_test(test_rx_rules),
		cmocka_unit_test(test_rx_tail_passes_head),
		cmocka_unit_test(test_rx_buffer_not_mapped),
	};

	return cmocka_run_group_tests_name("e1000_model_rx", tests, NULL, NULL);
}
