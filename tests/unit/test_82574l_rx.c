/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The 82574L model: extended descriptors (§3.2), packet split (§3.3), checksums and packet types,
 * receive-side scaling.
 */

#include "e1000_82574l.h"

#define PAYLOAD 100
#define STAT_IPIDV BIT(9)
#define STAT_TST BIT(8)
#define STAT_ACK BIT(15)
#define STAT_UDPCS BIT(4)
#define ERR_TCPE BIT(29)
#define ERR_IPE BIT(30)
#define ERR_CE BIT(24)
#define CSUM_BITS (S_IXSM | STAT_UDPCS | S_TCPCS | S_IPCS)

enum { TYPE_MAC = 0, TYPE_IPV4 = 1, TYPE_IPV4_L4 = 2, TYPE_IPV6 = 5, TYPE_IPV6_L4 = 6 };

/* --- packet-split rings -------------------------------------------------------------------- */

/* 32 bytes: four addresses, or what was written back */
struct ps {
	uint64_t q[4];
} __attribute__((may_alias));

#define PS_RING (RING / 2)

/* Descriptors of 128 B for headers, then 1, 2 and 4 KiB; buffers lie one behind the other. */
static uint8_t *
ps_buffer(struct card *c, unsigned int i, unsigned int buffer)
{
	static const uint32_t at[4] = { 0, 128, 128 + 1024, 128 + 3072 };

	return c->mem->big + i * 8192 + at[buffer];
}

static struct card *
ps_up(uint32_t rctl)
{
	struct card *c = x_new();
	unsigned int i, k;

	wr(c, RFCTL, RFCTL_EXTEN);
	wr(c, PSRCTL, 1 | 1 << 8 | 2 << 16 | 4 << 24);
	for (i = 0; i < PS_RING; i++)
		for (k = 0; k < 4; k++)
			((struct ps *)c->mem->rx)[i].q[k] = bus(c, ps_buffer(c, i, k));
	x_ring(c, RDBAL, c->mem->rx, sizeof(c->mem->rx), RING - 2);
	wr(c, RCTL, RCTL_EN | RCTL_SECRC | RCTL_UPE | RCTL_LPE | RCTL_DTYP_PS | rctl);
	return c;
}

/* --- extended descriptors ------------------------------------------------------------------ */

static void
test_extended_descriptor(void **state)
{
	struct card *c = x_up(0);
	const struct desc *d;
	uint8_t f[60];

	(void)state;
	make_frame(f, card_mac, sizeof(f));
	x_arrive(c, f, sizeof(f));
	d = x_received(c);
	assert_int_equal(x_status(d), S_DD | S_EOP | S_IXSM);
	assert_int_equal(x_len(d), 60);
	assert_int_equal(d->word >> 48, 0);
	assert_int_equal(d->addr & 0xffffffff, 0);	/* MRQ: no hash */
	assert_memory_equal(rx_data(c, d), f, sizeof(f));
	assert_int_equal(rd(c, RDH), 1);
	card_free(c);
}

/* Over three buffers only the last descriptor tells about the frame. */
static void
test_extended_frame_over_several_buffers(void **state)
{
	struct card *c = x_up(RCTL_BSIZE_256);
	uint8_t f[600];
	const struct desc *d;

	(void)state;
	make_frame(f, card_mac, sizeof(f));
	x_arrive(c, f, sizeof(f));
	d = x_received(c);
	assert_int_equal(x_status(d), S_DD);
	assert_int_equal(x_len(d), 256);
	assert_memory_equal(rx_data(c, d), f, 256);
	d = x_received(c);
	assert_int_equal(x_status(d), S_DD);
	assert_memory_equal(rx_data(c, d), f + 256, 256);
	d = x_received(c);
	assert_int_equal(x_status(d), S_DD | S_EOP | S_IXSM);
	assert_int_equal(x_len(d), 88);
	assert_memory_equal(rx_data(c, d), f + 512, 88);
	card_free(c);
}

/* Without SECRC the FCS is kept; it may lie alone in the last buffer (§6). */
static void
test_fcs_is_kept_without_secrc(void **state)
{
	/* zlib.crc32(bytes(60)), low byte first */
	static const uint8_t fcs[4] = { 0x08, 0x89, 0x12, 0x04 };
	struct card *c = x_up(0);
	const struct desc *d;
	uint8_t f[256] = { 0 };

	(void)state;
	wr(c, RCTL, RCTL_EN | RCTL_UPE | RCTL_BSIZE_256);
	x_arrive(c, f, 60);
	d = x_received(c);
	assert_int_equal(x_len(d), 64);
	assert_memory_equal(rx_data(c, d) + 60, fcs, 4);
	x_arrive(c, f, 256);
	assert_int_equal(x_len(x_received(c)), 256);
	d = x_received(c);
	assert_int_equal(x_len(d), 4);
	assert_int_equal(x_status(d) & S_EOP, S_EOP);
	card_free(c);
}

static void
test_split_keeps_the_fcs(void **state)
{
	struct card *c = ps_up(0);
	uint8_t f[200];
	uint32_t len = make_ip(f, true, true, 100, true);

	(void)state;
	wr(c, RCTL, RCTL_EN | RCTL_UPE | RCTL_DTYP_PS);
	x_arrive(c, f, len);
	assert_int_equal(((struct ps *)c->mem->rx)->q[1] >> 32 & 0xffff, 54);
	assert_int_equal(((struct ps *)c->mem->rx)->q[2] >> 16 & 0xffff, 104);
	assert_memory_equal(ps_buffer(c, 0, 1), f + 54, 100);
	card_free(c);
}

static void
test_flxbuf_overrides_bsize(void **state)
{
	struct card *c = x_up(RCTL_BSIZE_256 | 1u << 27); /* 1 KiB */
	uint8_t f[1200];

	(void)state;
	make_frame(f, card_mac, sizeof(f));
	x_arrive(c, f, sizeof(f));
	assert_int_equal(x_len(x_received(c)), 1024);
	assert_int_equal(x_len(x_received(c)), 176);
	card_free(c);
}

static void
test_null_buffer_takes_no_data(void **state)
{
	struct card *c = x_up(0);
	const struct desc *d;
	uint8_t f[60];

	(void)state;
	c->mem->rx[0].addr = 0;
	make_frame(f, card_mac, sizeof(f));
	x_arrive(c, f, sizeof(f));
	d = x_received(c);
	assert_int_equal(x_status(d), S_DD);
	assert_int_equal(x_len(d), 0);
	assert_int_equal(x_len(x_received(c)), 60);
	card_free(c);
}

static void
test_descriptor_given_with_dd_is_a_violation(void **state)
{
	struct card *c = x_up(0);

	(void)state;
	c->mem->rx[0].word = S_DD;
	arrive(c, card_mac, 60);
	expect_violation(c, PW_VIOL_PROTOCOL, "DD");
	card_free(c);
}

static void
test_stripped_tag_and_errors(void **state)
{
	struct card *c = x_up(RCTL_SBP);
	const struct desc *d;
	uint8_t f[64];

	(void)state;
	wr(c, CTRL, rd(c, CTRL) | CTRL_VME);
	make_frame(f, card_mac, sizeof(f));
	set16(f + 12, 0x8100);
	set16(f + 14, 0xa123);
	set16(f + 16, 0x88b5);
	x_arrive(c, f, sizeof(f));
	d = x_received(c);
	assert_int_equal(x_status(d), S_DD | S_EOP | S_IXSM | S_VP);
	assert_int_equal(d->word >> 48, 0xa123);
	assert_int_equal(x_len(d), 60);
	assert_memory_equal(rx_data(c, d), f, 12);
	assert_memory_equal(rx_data(c, d) + 12, f + 16, 48);
	assert_int_equal(pw_wire_send(c->peer, f, sizeof(f), PW_FRAME_BAD_CRC), 0);
	pw_model_poll(c->m);
	assert_int_equal(x_status(x_received(c)) & 0xff000000, ERR_CE);
	card_free(c);
}

/* Legacy descriptors work as on older parts, with the new bit for UDP. */
static void
test_legacy_descriptor(void **state)
{
	struct card *c = x_new();
	const struct desc *d;
	uint8_t f[PAYLOAD + 100];

	(void)state;
	card_start_rx(c, RCTL_SECRC | RCTL_BAM);
	x_arrive(c, f, make_ip(f, true, false, PAYLOAD, true));
	d = received(c);
	assert_non_null(d);
	assert_int_equal(rx_status(d), S_DD | S_EOP | STAT_UDPCS | S_TCPCS | S_IPCS);
	assert_int_equal(rx_errors(d), 0);
	assert_int_equal(rx_len(d), 14 + 20 + 8 + PAYLOAD);
	card_free(c);
}

/* --- checksums and types ------------------------------------------------------------------- */

static void
test_checksums_and_packet_types(void **state)
{
	enum { GOOD, BAD_IP, BAD_L4, NO_SUM };
	static const struct {
		bool v4, tcp;
		int what;
		uint32_t status;	/* of CSUM_BITS */
		uint32_t errors, type;
	} t[] = {
		{ true, true, GOOD, S_IPCS | S_TCPCS, 0, TYPE_IPV4_L4 },
		{ true, false, GOOD, S_IPCS | S_TCPCS | STAT_UDPCS, 0, TYPE_IPV4_L4 },
		{ true, true, BAD_IP, S_IPCS | S_TCPCS, ERR_IPE, TYPE_IPV4_L4 },
		{ true, true, BAD_L4, S_IPCS | S_TCPCS, ERR_TCPE, TYPE_IPV4_L4 },
		{ true, false, NO_SUM, S_IPCS, 0, TYPE_IPV4_L4 },
		{ false, true, GOOD, S_TCPCS, 0, TYPE_IPV6_L4 },
		{ false, false, GOOD, S_TCPCS | STAT_UDPCS, 0, TYPE_IPV6_L4 },
		{ false, true, BAD_L4, S_TCPCS, ERR_TCPE, TYPE_IPV6_L4 },
	};
	struct card *c = x_up(0);
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		uint8_t f[PAYLOAD + 100];
		uint32_t len = make_ip(f, t[i].v4, t[i].tcp, PAYLOAD, true);
		const struct desc *d;

		if (t[i].what == BAD_IP)
			f[14 + 10] ^= 1;
		if (t[i].what == BAD_L4)
			f[len - 1] ^= 1;
		if (t[i].what == NO_SUM)
			set16(f + 14 + 20 + 6, 0);
		x_arrive(c, f, len);
		d = x_received(c);
		if ((x_status(d) & CSUM_BITS) != t[i].status ||
		    (x_status(d) & 0xff000000) != t[i].errors || x_type(d) != t[i].type)
			fail_msg("frame %u: status 0x%08x", i, x_status(d));
		/* IPv4 gives its identification while there is no hash. */
		assert_int_equal(x_status(d) & STAT_IPIDV, t[i].v4 ? STAT_IPIDV : 0);
		if (t[i].v4)
			assert_int_equal(d->addr >> 32 & 0xffff, 0x1234);
	}
	card_free(c);
}

/* An IPv4 fragment and IPv4 with another protocol: only the header counts. */
static void
test_fragments_have_no_l4(void **state)
{
	struct card *c = x_up(0);
	uint8_t f[PAYLOAD + 100];
	uint32_t len = make_ip(f, true, false, PAYLOAD, true);
	const struct desc *d;

	(void)state;
	set16(f + 14 + 6, 0x2000); /* more fragments */
	set16(f + 14 + 10, 0);
	set16(f + 14 + 10, ~rfc1071_sum(f + 14, 20, 0));
	x_arrive(c, f, len);
	d = x_received(c);
	assert_int_equal(x_status(d) & CSUM_BITS, S_IPCS);
	assert_int_equal(x_type(d), TYPE_IPV4);
	make_ip(f, false, false, PAYLOAD, true);
	f[14 + 6] = 58; /* ICMPv6 */
	x_arrive(c, f, 14 + 40 + 8 + PAYLOAD);
	d = x_received(c);
	assert_int_equal(x_status(d) & CSUM_BITS, S_IXSM);
	assert_int_equal(x_type(d), TYPE_IPV6);
	card_free(c);
}

/* IP within IEEE 802.2 SNAP (RFC 1042) */
static void
test_snap(void **state)
{
	static const uint8_t snap[6] = { 0xaa, 0xaa, 0x03 };
	struct card *c = x_up(0);
	uint8_t f[PAYLOAD + 100];
	uint32_t len = make_ip(f, true, true, PAYLOAD, true);

	(void)state;
	memmove(f + 20, f + 12, len - 12);
	set16(f + 12, len - 14 + 8);
	memcpy(f + 14, snap, 6);
	x_arrive(c, f, len + 8);
	assert_int_equal(x_status(&c->mem->rx[0]) & CSUM_BITS, S_IPCS | S_TCPCS);
	assert_int_equal(x_type(x_received(c)), TYPE_IPV4_L4);
	f[14] = 0xab; /* something else */
	x_arrive(c, f, len + 8);
	assert_int_equal(x_type(x_received(c)), TYPE_MAC);
	card_free(c);
}

/* One byte makes each of them something that the chip cannot look into. */
static void
test_malformed_packets_are_not_looked_into(void **state)
{
	static const struct {
		bool v4, tcp;
		uint32_t at;
		uint8_t is;
		uint32_t type;
	} t[] = {
		{ true, true, 14, 0x55, TYPE_MAC },	/* version 5 */
		{ true, true, 14, 0x44, TYPE_MAC },	/* header of 16 B */
		{ true, true, 16, 0xff, TYPE_MAC },	/* longer than the frame */
		{ true, true, 17, 19, TYPE_MAC },	/* shorter than its header */
		{ true, true, 17, 39, TYPE_IPV4 },	/* TCP cut off */
		{ true, true, 46, 0x40, TYPE_IPV4 },	/* TCP header of 16 B */
		{ true, true, 46, 0xf0, TYPE_IPV4_L4 },	/* of 60 B */
		{ true, false, 17, 27, TYPE_IPV4 },	/* UDP cut off */
		{ false, true, 14, 0x40, TYPE_MAC },	/* version 4 */
		{ false, true, 18, 0xff, TYPE_MAC },	/* longer than the frame */
		{ false, true, 19, 19, TYPE_IPV6 },	/* TCP cut off */
		{ false, true, 20, 44, TYPE_IPV6 },	/* a fragment header */
		{ false, true, 20, 59, TYPE_IPV6 },	/* no next header */
		{ false, true, 20, 50, TYPE_IPV6 },	/* encrypted */
	};
	struct card *c = x_up(0);
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		uint8_t f[PAYLOAD + 100];
		uint32_t len = make_ip(f, t[i].v4, t[i].tcp, PAYLOAD, true);

		if (t[i].at == 17)
			f[16] = 0;
		f[t[i].at] = t[i].is;
		x_arrive(c, f, len);
		if (x_type(x_received(c)) != t[i].type)
			fail_msg("row %u: type %u", i, x_type(&c->mem->rx[i]));
	}
	card_free(c);
}

/* Whatever comes, nothing is read outside of the frame, and no descriptor goes astray. */
static void
test_random_headers_do_no_harm(void **state)
{
	struct card *c = ps_up(0);
	uint32_t seed = 1, round, i;
	uint8_t f[200];

	(void)state;
	wr(c, RXCSUM, 0x300 | RXCSUM_PCSD);
	wr(c, MRQC, 0x001f0001);
	wr(c, TSYNCRXCTL, BIT(4) | 5 << 1);
	for (round = 0; round < 20000; round++) {
		uint32_t len = make_ip(f, round & 1, round & 2, 60, true);
		uint8_t *exact;

		for (i = 0; i < 1 + round % 5; i++) {
			seed = seed * 1103515245 + 12345;
			f[12 + (seed >> 8) % 70] = (uint8_t)(seed >> 24);
		}
		if ((round & 4) != 0)
			len = 60;
		/* On the heap, so that a sanitizer sees a step too far. */
		exact = malloc(len);
		assert_non_null(exact);
		memcpy(exact, f, len);
		assert_int_equal(pw_model_receive(c->m, exact, len, 0), 0);
		free(exact);
		i = (rd(c, RDH) + RING - 2) % RING;
		assert_int_equal(c->mem->rx[i].word & (S_DD | S_EOP), S_DD | S_EOP);
		c->mem->rx[i].addr = bus(c, ps_buffer(c, i / 2, 0));
		c->mem->rx[i].word = bus(c, ps_buffer(c, i / 2, 1));
		c->mem->rx[i + 1].addr = bus(c, ps_buffer(c, i / 2, 2));
		c->mem->rx[i + 1].word = bus(c, ps_buffer(c, i / 2, 3));
		wr(c, RDT, i);
		(void)rd(c, RXSTMPH);
	}
	card_free(c);
}

static void
test_checksum_offload_can_be_turned_off(void **state)
{
	struct card *c = x_up(0);
	uint8_t f[PAYLOAD + 100];
	uint32_t len = make_ip(f, true, true, PAYLOAD, true);

	(void)state;
	wr(c, RXCSUM, 0);
	x_arrive(c, f, len);
	assert_int_equal(x_status(x_received(c)) & CSUM_BITS, S_IXSM);
	wr(c, RXCSUM, BIT(8));
	x_arrive(c, f, len);
	assert_int_equal(x_status(x_received(c)) & CSUM_BITS, S_IPCS);
	wr(c, RXCSUM, BIT(9));
	x_arrive(c, f, len);
	assert_int_equal(x_status(x_received(c)) & CSUM_BITS, S_TCPCS);
	/* RFCTL: no checksums of IPv6, then no IPv6 at all */
	wr(c, RXCSUM, 0x300);
	len = make_ip(f, false, true, PAYLOAD, true);
	wr(c, RFCTL, RFCTL_EXTEN | BIT(11));
	x_arrive(c, f, len);
	assert_int_equal(x_status(x_received(c)) & CSUM_BITS, S_IXSM);
	wr(c, RFCTL, RFCTL_EXTEN | BIT(10));
	x_arrive(c, f, len);
	assert_int_equal(x_type(x_received(c)), TYPE_MAC);
	card_free(c);
}

/* The packet checksum from PCSS, where there is no hash. */
static void
test_packet_checksum(void **state)
{
	struct card *c = x_up(0);
	const struct desc *d;
	uint8_t f[60];

	(void)state;
	wr(c, RXCSUM, 14);
	make_frame(f, card_mac, sizeof(f));
	x_arrive(c, f, sizeof(f));
	d = x_received(c);
	assert_int_equal(d->addr >> 48, 0xffff & ~rfc1071_sum(f + 14, 46, 0));
	card_free(c);
}

static void
test_tcp_acknowledgements_can_interrupt(void **state)
{
	struct card *c = x_up(0);
	uint8_t f[PAYLOAD + 100];
	uint32_t len = make_ip(f, true, true, PAYLOAD, true), n;

	(void)state;
	(void)rd(c, ICR);
	x_arrive(c, f, len);
	assert_int_equal(x_status(x_received(c)) & STAT_ACK, STAT_ACK);
	assert_int_equal(rd(c, ICR) & ICR_ACK, ICR_ACK);
	wr(c, RFCTL, RFCTL_EXTEN | BIT(12)); /* ACK_DIS */
	x_arrive(c, f, len);
	assert_int_equal(rd(c, ICR) & ICR_ACK, 0);
	wr(c, RFCTL, RFCTL_EXTEN | BIT(13)); /* not of segments with data */
	x_arrive(c, f, len);
	assert_int_equal(rd(c, ICR) & ICR_ACK, 0);
	n = make_ip(f, true, true, 0, true);
	memset(f + n, 0, 60 - n);
	x_arrive(c, f, 60); /* with padding that is no data */
	assert_int_equal(rd(c, ICR) & ICR_ACK, ICR_ACK);
	card_free(c);
}

/* --- packet split -------------------------------------------------------------------------- */

static const struct ps *
ps_received(struct card *c, unsigned int i)
{
	const struct ps *d = (const struct ps *)c->mem->rx + i;

	if ((d->q[1] & S_DD) == 0)
		fail_msg("descriptor %u was not written back", i);
	return d;
}

static void
ps_lengths(const struct ps *d, uint32_t len0, uint32_t hdr, uint32_t len1, uint32_t len2,
	   uint32_t len3)
{
	assert_int_equal(d->q[1] >> 32 & 0xffff, len0);
	assert_int_equal(d->q[2] & 0xffff, hdr);
	assert_int_equal(d->q[2] >> 16 & 0xffff, len1);
	assert_int_equal(d->q[2] >> 32 & 0xffff, len2);
	assert_int_equal(d->q[2] >> 48, len3);
}

#define HDRSP BIT(15)

/* Ethernet, IPv4 and TCP (14 + 20 + 20) by themselves, 2000 bytes over two buffers */
static void
test_split_of_a_tcp_segment(void **state)
{
	struct card *c = ps_up(0);
	uint8_t f[2100];
	uint32_t len = make_ip(f, true, true, 2000, true);
	const struct ps *d;

	(void)state;
	x_arrive(c, f, len);
	d = ps_received(c, 0);
	ps_lengths(d, 54, 54 | HDRSP, 1024, 976, 0);
	assert_int_equal((uint32_t)d->q[1] & (S_DD | S_EOP | CSUM_BITS),
			 S_DD | S_EOP | S_TCPCS | S_IPCS);
	assert_memory_equal(ps_buffer(c, 0, 0), f, 54);
	assert_memory_equal(ps_buffer(c, 0, 1), f + 54, 1024);
	assert_memory_equal(ps_buffer(c, 0, 2), f + 54 + 1024, 976);
	assert_int_equal(rd(c, RDH), 2); /* in units of 16 bytes */
	card_free(c);
}

static void
test_split_points(void **state)
{
	static const struct {
		bool v4, tcp, tagged, strip, fragment;
		uint32_t hdr;
	} t[] = {
		{ true, true, false, false, false, 54 },
		{ true, false, false, false, false, 42 },
		{ false, true, false, false, false, 74 },
		{ false, false, false, false, false, 62 },
		{ true, true, true, false, false, 58 },
		{ true, true, true, true, false, 54 },
		{ true, false, false, false, true, 34 },	/* a fragment: behind IPv4 */
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct card *c = ps_up(0);
		uint8_t f[400];
		uint32_t len = make_ip(f, t[i].v4, t[i].tcp, 200, true);

		if (t[i].fragment)
			set16(f + 20, 0x2000);
		if (t[i].tagged) {
			memmove(f + 16, f + 12, len - 12);
			set16(f + 12, 0x8100);
			set16(f + 14, 5);
			len += 4;
		}
		if (t[i].strip)
			wr(c, CTRL, rd(c, CTRL) | CTRL_VME);
		x_arrive(c, f, len);
		len -= t[i].strip ? 4 : 0;
		ps_lengths(ps_received(c, 0), t[i].hdr, t[i].hdr | HDRSP, len - t[i].hdr, 0, 0);
		assert_memory_equal(ps_buffer(c, 0, 1), f + t[i].hdr + (t[i].strip ? 4 : 0),
				    len - t[i].hdr);
		card_free(c);
	}
}

/* No header that is known: the buffers are filled one after the other. */
static void
test_frame_that_is_not_split(void **state)
{
	struct card *c = ps_up(0);
	uint8_t f[1400];

	(void)state;
	make_frame(f, card_mac, sizeof(f));
	x_arrive(c, f, sizeof(f));
	ps_lengths(ps_received(c, 0), 128, 0, 1024, 248, 0);
	assert_memory_equal(ps_buffer(c, 0, 0), f, 128);
	assert_memory_equal(ps_buffer(c, 0, 1), f + 128, 1024);
	assert_memory_equal(ps_buffer(c, 0, 2), f + 1152, 248);
	x_arrive(c, f, 60);
	ps_lengths(ps_received(c, 1), 60, 0, 0, 0, 0);
	/* IPFRSP_DIS: fragments neither */
	wr(c, RFCTL, RFCTL_EXTEN | BIT(14));
	make_ip(f, true, false, 300, true);
	set16(f + 20, 0x2000);
	x_arrive(c, f, 342);
	ps_lengths(ps_received(c, 2), 128, 0, 214, 0, 0);
	card_free(c);
}

/* The header buffer of a second descriptor stays empty. */
static void
test_split_over_two_descriptors(void **state)
{
	struct card *c = ps_up(0);
	uint8_t f[9100];
	uint32_t len = make_ip(f, true, true, 9000, true);

	(void)state;
	x_arrive(c, f, len);
	ps_lengths(ps_received(c, 0), 54, 54 | HDRSP, 1024, 2048, 4096);
	assert_int_equal((uint32_t)ps_received(c, 0)->q[1], S_DD);
	ps_lengths(ps_received(c, 1), 0, 54 | HDRSP, 1024, 808, 0);
	assert_int_equal((uint32_t)ps_received(c, 1)->q[1] & S_EOP, S_EOP);
	assert_memory_equal(ps_buffer(c, 1, 1), f + 54 + 7168, 1024);
	assert_memory_equal(ps_buffer(c, 1, 2), f + 54 + 8192, 808);
	card_free(c);
}

/* A frame that must not wait is lost if all of its descriptors are not there. */
static void
test_split_frame_needs_all_its_descriptors(void **state)
{
	struct card *c = ps_up(0);
	uint8_t f[9100];
	uint32_t len = make_ip(f, true, true, 9000, true);

	(void)state;
	wr(c, RCTL, 0);
	wr(c, RDH, 0);
	wr(c, RDT, 2); /* one descriptor */
	wr(c, RCTL, RCTL_EN | RCTL_SECRC | RCTL_UPE | RCTL_LPE | RCTL_DTYP_PS);
	assert_int_equal(pw_model_receive(c->m, f, len, 0), -ENOBUFS);
	assert_int_equal(rd(c, MPC), 1);
	assert_int_equal(pw_model_receive(c->m, f, 60, 0), 0);
	assert_int_equal(rd(c, RDH), 2);
	card_free(c);
}

static void
test_header_that_is_too_long_is_not_split(void **state)
{
	struct card *c = ps_up(0);
	uint8_t f[400];
	uint32_t len;

	(void)state;
	len = make_ip(f, false, true, 200, false);
	/* 80 bytes of hop-by-hop options: 14 + 40 + 80 + ... is more than 128 */
	memmove(f + 54 + 80, f + 54, len - 54);
	memset(f + 54, 0, 80);
	f[54] = 6;
	f[55] = 9;
	f[14 + 6] = 0;
	set16(f + 14 + 4, 80 + 20 + 200);
	x_arrive(c, f, len + 80);
	ps_lengths(ps_received(c, 0), 128, 0, len + 80 - 128, 0, 0);
	card_free(c);
}

static void
test_split_sizes_of_zero_are_a_violation(void **state)
{
	struct card *c = ps_up(0);

	(void)state;
	wr(c, PSRCTL, 0);
	arrive(c, card_mac, 60);
	expect_violation(c, PW_VIOL_PROTOCOL, "PSRCTL");
	assert_int_equal(rd(c, RDH), 0);
	card_free(c);
}

/* Whatever PSRCTL says, also of a frame that cannot wait. */
static void
test_split_sizes_are_checked_one_by_one(void **state)
{
	static const uint32_t psrctl[] = { 0, 1, 1 << 8, 1 | 1 << 16, 1 << 24 };
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(psrctl) / sizeof(psrctl[0]); i++) {
		struct card *c = ps_up(0);
		uint8_t f[60];

		wr(c, PSRCTL, psrctl[i]);
		make_frame(f, card_mac, sizeof(f));
		assert_int_equal(pw_model_receive(c->m, f, sizeof(f), 0), -ENOBUFS);
		expect_violation(c, PW_VIOL_PROTOCOL, "PSRCTL");
		card_free(c);
	}
}

/* 128 + 1024 + 2048 + 4096 bytes a descriptor; without the first, the header, 7168 */
static void
test_how_many_split_descriptors_a_frame_takes(void **state)
{
	static const struct {
		bool ip;
		uint32_t len, descs;
	} t[] = {
		{ false, 7296, 1 }, { false, 7297, 2 }, { true, 54 + 7168, 1 },
		{ true, 54 + 7169, 2 }, { true, 60, 1 }, { false, 14592, 2 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct card *c = ps_up(0);
		static uint8_t f[15000];

		if (t[i].ip)
			make_ip(f, true, true, t[i].len - 54, true);
		else
			make_frame(f, card_mac, t[i].len);
		wr(c, RCTL, 0);
		wr(c, RDH, 0);
		wr(c, RDT, 2 * t[i].descs - 2);
		wr(c, RCTL, RCTL_EN | RCTL_SECRC | RCTL_UPE | RCTL_LPE | RCTL_DTYP_PS);
		assert_int_equal(pw_model_receive(c->m, f, t[i].len, 0), -ENOBUFS);
		wr(c, RDT, 2 * t[i].descs);
		assert_int_equal(pw_model_receive(c->m, f, t[i].len, 0), 0);
		assert_int_equal(rd(c, RDH), 2 * t[i].descs);
		card_free(c);
	}
}

static void
test_split_head_is_even(void **state)
{
	struct card *c = ps_up(0);

	(void)state;
	wr(c, RCTL, 0);
	wr(c, RDH, 1);
	wr(c, RCTL, RCTL_EN | RCTL_SECRC | RCTL_UPE | RCTL_DTYP_PS);
	arrive(c, card_mac, 60);
	expect_violation(c, PW_VIOL_PROTOCOL, "mid-descriptor");
	card_free(c);
}

/* Rings outside of what is mapped: one violation, and the queue stands still. */
static void
test_ring_that_is_not_mapped(void **state)
{
	unsigned int split;

	(void)state;
	for (split = 0; split < 2; split++) {
		struct card *c = split != 0 ? ps_up(0) : x_up(0);

		wr(c, RDBAH, 0x77);
		arrive(c, card_mac, 60);
		expect_violation(c, PW_VIOL_DMA, "not mapped");
		assert_int_equal(rd(c, RDH), 0);
		pw_model_poll(c->m);
		assert_int_equal(c->violations, 0);
		card_free(c);
	}
}

static void
test_split_into_a_null_buffer_is_a_violation(void **state)
{
	struct card *c = ps_up(0);
	uint8_t f[400];
	uint32_t len = make_ip(f, true, true, 200, true);

	(void)state;
	((struct ps *)c->mem->rx)[0].q[1] = 0;
	x_arrive(c, f, len);
	expect_violation(c, PW_VIOL_PROTOCOL, "null address");
	card_free(c);
}

/* --- RSS ----------------------------------------------------------------------------------- */

/* Microsoft's "Verifying the RSS Hash Calculation": the key and all of its packets */
static const uint8_t ms_key[40] = {
	0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3,
	0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3,
	0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
};

static const struct {
	uint8_t dst[4], src[4];
	uint16_t dport, sport;
	uint32_t ip_hash, tcp_hash;
} ms_v4[] = {
	{ { 161, 142, 100, 80 }, { 66, 9, 149, 187 }, 1766, 2794, 0x323e8fc2, 0x51ccc178 },
	{ { 65, 69, 140, 83 }, { 199, 92, 111, 2 }, 4739, 14230, 0xd718262a, 0xc626b0ea },
	{ { 12, 22, 207, 184 }, { 24, 19, 198, 95 }, 38024, 12898, 0xd2d0a5de, 0x5c2b394a },
	{ { 209, 142, 163, 6 }, { 38, 27, 205, 30 }, 2217, 48228, 0x82989176, 0xafc7327f },
	{ { 202, 188, 127, 2 }, { 153, 39, 163, 191 }, 1303, 44251, 0x5d1809c5, 0x10e828a2 },
};

static const struct {
	uint16_t dst[8], src[8];
	uint16_t dport, sport;
	uint32_t ip_hash, tcp_hash;
} ms_v6[] = {
	{ { 0x3ffe, 0x2501, 0x200, 3, 0, 0, 0, 1 }, { 0x3ffe, 0x2501, 0x200, 0x1fff, 0, 0, 0, 7 },
	  1766, 2794, 0x2cc18cd5, 0x40207d3d },
	{ { 0xff02, 0, 0, 0, 0, 0, 0, 1 },
	  { 0x3ffe, 0x501, 8, 0, 0x260, 0x97ff, 0xfe40, 0xefab }, 4739, 14230, 0x0f0c461c,
	  0xdde51bbf },
	{ { 0xfe80, 0, 0, 0, 0x200, 0xf8ff, 0xfe21, 0x67cf },
	  { 0x3ffe, 0x1900, 0x4545, 3, 0x200, 0xf8ff, 0xfe21, 0x67cf }, 38024, 44251, 0x4b61e985,
	  0x02d1feef },
};

enum { RSS_NONE, RSS_IPV4_TCP, RSS_IPV4, RSS_IPV6_TCP, RSS_IPV6_EX, RSS_IPV6 };

#define MRQC_ON 1u
#define MRQC_IPV4_TCP BIT(16)
#define MRQC_IPV4 BIT(17)
#define MRQC_IPV6_TCP BIT(18)
#define MRQC_IPV6_EX BIT(19)
#define MRQC_IPV6 BIT(20)

static struct card *
rss_up(uint32_t mrqc)
{
	struct card *c = x_new();
	unsigned int i;

	for (i = 0; i < 10; i++)
		wr(c, RSSRK + 4 * i,
		   ms_key[4 * i] | (uint32_t)ms_key[4 * i + 1] << 8 |
		   (uint32_t)ms_key[4 * i + 2] << 16 | (uint32_t)ms_key[4 * i + 3] << 24);
	wr(c, RXCSUM, 0x300 | RXCSUM_PCSD);
	wr(c, MRQC, mrqc);
	x_start_rx(c, 0);
	return c;
}

static uint32_t
rss_v4(uint8_t *f, unsigned int i, bool tcp)
{
	uint32_t len = make_ip(f, true, tcp, 20, false);

	memcpy(f + 26, ms_v4[i].src, 4);
	memcpy(f + 30, ms_v4[i].dst, 4);
	set16(f + 34, ms_v4[i].sport);
	set16(f + 36, ms_v4[i].dport);
	return len;
}

static uint32_t
rss_v6(uint8_t *f, unsigned int i, bool tcp)
{
	uint32_t len = make_ip(f, false, tcp, 20, false), k;

	for (k = 0; k < 8; k++) {
		set16(f + 22 + 2 * k, ms_v6[i].src[k]);
		set16(f + 38 + 2 * k, ms_v6[i].dst[k]);
	}
	set16(f + 54, ms_v6[i].sport);
	set16(f + 56, ms_v6[i].dport);
	return len;
}

static void
expect_hash(struct card *c, const uint8_t *f, uint32_t len, uint32_t type, uint32_t hash)
{
	const struct desc *d;

	x_arrive(c, f, len);
	d = x_received(c);
	if ((d->addr & 0xf) != type || d->addr >> 32 != hash)
		fail_msg("RSS type %u hash 0x%08x, not %u 0x%08x", (unsigned int)(d->addr & 0xf),
			 (unsigned int)(d->addr >> 32), type, hash);
}

static void
test_toeplitz_by_microsofts_vectors(void **state)
{
	struct card *c = rss_up(MRQC_ON | MRQC_IPV4_TCP | MRQC_IPV4 | MRQC_IPV6_TCP | MRQC_IPV6);
	uint8_t f[200];
	unsigned int i;

	(void)state;
	for (i = 0; i < 5; i++) {
		expect_hash(c, f, rss_v4(f, i, true), RSS_IPV4_TCP, ms_v4[i].tcp_hash);
		expect_hash(c, f, rss_v4(f, i, false), RSS_IPV4, ms_v4[i].ip_hash);
	}
	for (i = 0; i < 3; i++) {
		expect_hash(c, f, rss_v6(f, i, true), RSS_IPV6_TCP, ms_v6[i].tcp_hash);
		expect_hash(c, f, rss_v6(f, i, false), RSS_IPV6, ms_v6[i].ip_hash);
	}
	card_free(c);
}

/* Each type only where MRQC asks for it. */
static void
test_hash_types_are_chosen_by_mrqc(void **state)
{
	static const struct {
		uint32_t mrqc;
		bool v4, tcp;
		uint32_t type;
	} t[] = {
		{ MRQC_IPV4_TCP, true, true, RSS_IPV4_TCP },
		{ MRQC_IPV4_TCP, true, false, RSS_NONE },
		{ MRQC_IPV4, true, true, RSS_IPV4 },
		{ MRQC_IPV4, false, true, RSS_NONE },
		{ MRQC_IPV6_TCP, false, true, RSS_IPV6_TCP },
		{ MRQC_IPV6_TCP, false, false, RSS_NONE },
		{ MRQC_IPV6_EX | MRQC_IPV6, false, true, RSS_IPV6_EX },
		{ MRQC_IPV6, false, true, RSS_IPV6 },
		{ MRQC_IPV6_TCP, true, true, RSS_NONE },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct card *c = rss_up(MRQC_ON | t[i].mrqc);
		uint8_t f[200];
		uint32_t len = t[i].v4 ? rss_v4(f, 0, t[i].tcp) : rss_v6(f, 0, t[i].tcp);

		x_arrive(c, f, len);
		if ((x_received(c)->addr & 0xf) != t[i].type)
			fail_msg("row %u: type %u", i, (unsigned int)(c->mem->rx[0].addr & 0xf));
		card_free(c);
	}
}

/* §1.3: RSS needs MRQC[1:0] = 1, RXCSUM.PCSD and extended descriptors. */
static void
test_rss_needs_all_its_switches(void **state)
{
	uint8_t f[200];
	uint32_t len = rss_v4(f, 0, true);
	struct card *c = rss_up(MRQC_IPV4_TCP);

	(void)state;
	expect_hash(c, f, len, RSS_NONE, 0);
	wr(c, MRQC, MRQC_ON | MRQC_IPV4_TCP);
	expect_hash(c, f, len, RSS_IPV4_TCP, 0x51ccc178);
	wr(c, RXCSUM, 0x300);
	x_arrive(c, f, len);
	assert_int_equal(x_received(c)->addr & 0xf, RSS_NONE);
	card_free(c);
}

/* Extension headers: the home address takes the place of the source (RFC 6275 §6.3). */
static void
test_ipv6_home_address_is_hashed(void **state)
{
	struct card *c = rss_up(MRQC_ON | MRQC_IPV6_EX | MRQC_IPV6);
	uint8_t f[200];
	uint32_t len = rss_v6(f, 0, false);

	(void)state;
	/* 24 bytes of destination options: PadN, then the address that the source had */
	memmove(f + 78, f + 54, len - 54);
	memset(f + 54, 0, 24);
	f[54] = 17;
	f[55] = 2;
	f[56] = 1;
	f[57] = 2;
	f[60] = 0xc9;
	f[61] = 16;
	memcpy(f + 62, f + 22, 16);
	memset(f + 22, 0x77, 16);
	f[14 + 6] = 60;
	set16(f + 14 + 4, 24 + 8 + 20);
	expect_hash(c, f, len + 24, RSS_IPV6_EX, ms_v6[0].ip_hash);
	/* Not with NEW_IPV6_EXT_DIS, nor with IPV6_EX_DIS: the address in the header */
	wr(c, RFCTL, RFCTL_EXTEN | BIT(17));
	x_arrive(c, f, len + 24);
	assert_int_equal(x_received(c)->addr & 0xf, RSS_IPV6);
	wr(c, RFCTL, RFCTL_EXTEN | BIT(16));
	x_arrive(c, f, len + 24);
	assert_int_equal(x_received(c)->addr & 0xf, RSS_IPV6);
	assert_int_not_equal(c->mem->rx[2].addr >> 32, ms_v6[0].ip_hash);
	card_free(c);
}

/* A routing header of type 2 has the home address of the destination (RFC 6275 §6.4). */
static void
test_ipv6_routing_header_is_hashed(void **state)
{
	struct card *c = rss_up(MRQC_ON | MRQC_IPV6_EX | MRQC_IPV6);
	uint8_t f[200];
	uint32_t len = rss_v6(f, 0, false);

	(void)state;
	memmove(f + 78, f + 54, len - 54);
	memset(f + 54, 0, 24);
	f[54] = 17;
	f[55] = 2;
	f[56] = 2; /* type */
	f[57] = 1; /* segments left */
	memcpy(f + 62, f + 38, 16);
	memset(f + 38, 0x77, 16);
	f[14 + 6] = 43;
	set16(f + 14 + 4, 24 + 8 + 20);
	expect_hash(c, f, len + 24, RSS_IPV6_EX, ms_v6[0].ip_hash);
	wr(c, RFCTL, RFCTL_EXTEN | BIT(17));
	x_arrive(c, f, len + 24);
	assert_int_equal(x_received(c)->addr & 0xf, RSS_IPV6);
	f[56] = 0; /* another type: the header's address */
	x_arrive(c, f, len + 24);
	assert_int_equal(x_received(c)->addr & 0xf, RSS_IPV6_EX);
	assert_int_not_equal(c->mem->rx[2].addr >> 32, ms_v6[0].ip_hash);
	card_free(c);
}

/* NEW_IPV6_EXT_DIS is about addresses in extension headers, not about others. */
static void
test_ipv6_options_without_an_address(void **state)
{
	struct card *c = rss_up(MRQC_ON | MRQC_IPV6_EX | MRQC_IPV6);
	uint8_t f[200];
	uint32_t len = rss_v6(f, 0, false);

	(void)state;
	memmove(f + 62, f + 54, len - 54);
	memset(f + 54, 0, 8);
	f[54] = 17;
	f[14 + 6] = 0; /* hop-by-hop */
	set16(f + 14 + 4, 8 + 8 + 20);
	wr(c, RFCTL, RFCTL_EXTEN | BIT(17));
	expect_hash(c, f, len + 8, RSS_IPV6_EX, ms_v6[0].ip_hash);
	wr(c, RFCTL, RFCTL_EXTEN | BIT(16));
	expect_hash(c, f, len + 8, RSS_IPV6, ms_v6[0].ip_hash);
	/* TCP behind options is TCP. */
	wr(c, RFCTL, RFCTL_EXTEN);
	wr(c, MRQC, MRQC_ON | MRQC_IPV6_TCP);
	len = rss_v6(f, 1, true);
	memmove(f + 62, f + 54, len - 54);
	memset(f + 54, 0, 8);
	f[54] = 6;
	f[14 + 6] = 0;
	set16(f + 14 + 4, 8 + 20 + 20);
	expect_hash(c, f, len + 8, RSS_IPV6_TCP, ms_v6[1].tcp_hash);
	card_free(c);
}

/* RETA: entry = the hash's low seven bits, queue = bit 7 of its byte (§2.3). */
static void
test_reta_says_which_queue(void **state)
{
	struct card *c = rss_up(MRQC_ON | MRQC_IPV4_TCP);
	struct desc *rx1 = (struct desc *)c->mem->big;
	uint8_t *buf1 = c->mem->big + 4096;
	uint8_t f[200];
	uint32_t len = rss_v4(f, 0, true), entry = 0x51ccc178 & 0x7f;

	(void)state;
	memset(rx1, 0, 8 * sizeof(*rx1));
	rx1[0].addr = bus(c, buf1);
	x_ring(c, RDBAL1, rx1, 128, 7);
	wr(c, RETA + (entry & ~3u), 0x80u << 8 * (entry & 3));
	x_arrive(c, f, len);
	assert_int_equal(c->mem->rx[0].word & S_DD, 0);
	assert_int_equal(rx1[0].word & (S_DD | S_EOP), S_DD | S_EOP);
	assert_int_equal(rx1[0].addr, 0x51ccc17800000101ull); /* queue 1 in bits 12:8, type 1 */
	assert_memory_equal(buf1, f, len);
	assert_int_equal(rd(c, RDBAL1 + R_HEAD), 1);
	assert_int_equal(rd(c, RDH), 0);
	/* What is not hashed goes to queue 0. */
	arrive(c, card_mac, 60);
	assert_int_equal(c->mem->rx[0].word & S_DD, S_DD);
	wr(c, RETA + (entry & ~3u), 0);
	x_arrive(c, f, len);
	assert_int_equal(c->mem->rx[1].word & S_DD, S_DD);
	assert_int_equal(rd(c, RDBAL1 + R_HEAD), 1);
	card_free(c);
}

/* A frame for a queue without descriptors waits; it is not given to the other. */
static void
test_frame_waits_for_its_own_queue(void **state)
{
	struct card *c = rss_up(MRQC_ON | MRQC_IPV4_TCP);
	struct desc *rx1 = (struct desc *)c->mem->big;
	uint8_t *buf1 = c->mem->big + 4096;
	uint8_t f[200];
	uint32_t len = rss_v4(f, 0, true);
	unsigned int i;

	(void)state;
	for (i = 0; i < 32; i++)
		wr(c, RETA + 4 * i, 0x80808080);
	memset(rx1, 0, 8 * sizeof(*rx1));
	rx1[0].addr = bus(c, buf1);
	x_ring(c, RDBAL1, rx1, 128, 0);
	x_arrive(c, f, len);
	assert_int_equal(c->mem->rx[0].word & S_DD, 0);
	assert_int_equal(rd(c, RNBC), 1);
	wr(c, RDBAL1 + R_TAIL, 7);
	pw_model_poll(c->m);
	assert_int_equal(rx1[0].word & S_DD, S_DD);
	assert_memory_equal(buf1, f, len);
	assert_int_equal(rd(c, GPRC), 1);
	card_free(c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_extended_descriptor),
		cmocka_unit_test(test_extended_frame_over_several_buffers),
		cmocka_unit_test(test_fcs_is_kept_without_secrc),
		cmocka_unit_test(test_split_keeps_the_fcs),
		cmocka_unit_test(test_flxbuf_overrides_bsize),
		cmocka_unit_test(test_null_buffer_takes_no_data),
		cmocka_unit_test(test_descriptor_given_with_dd_is_a_violation),
		cmocka_unit_test(test_stripped_tag_and_errors),
		cmocka_unit_test(test_legacy_descriptor),
		cmocka_unit_test(test_checksums_and_packet_types),
		cmocka_unit_test(test_fragments_have_no_l4),
		cmocka_unit_test(test_snap),
		cmocka_unit_test(test_malformed_packets_are_not_looked_into),
		cmocka_unit_test(test_random_headers_do_no_harm),
		cmocka_unit_test(test_checksum_offload_can_be_turned_off),
		cmocka_unit_test(test_packet_checksum),
		cmocka_unit_test(test_tcp_acknowledgements_can_interrupt),
		cmocka_unit_test(test_split_of_a_tcp_segment),
		cmocka_unit_test(test_split_points),
		cmocka_unit_test(test_frame_that_is_not_split),
		cmocka_unit_test(test_split_over_two_descriptors),
		cmocka_unit_test(test_split_frame_needs_all_its_descriptors),
		cmocka_unit_test(test_header_that_is_too_long_is_not_split),
		cmocka_unit_test(test_split_sizes_of_zero_are_a_violation),
		cmocka_unit_test(test_split_sizes_are_checked_one_by_one),
		cmocka_unit_test(test_how_many_split_descriptors_a_frame_takes),
		cmocka_unit_test(test_split_head_is_even),
		cmocka_unit_test(test_ring_that_is_not_mapped),
		cmocka_unit_test(test_split_into_a_null_buffer_is_a_violation),
		cmocka_unit_test(test_toeplitz_by_microsofts_vectors),
		cmocka_unit_test(test_hash_types_are_chosen_by_mrqc),
		cmocka_unit_test(test_rss_needs_all_its_switches),
		cmocka_unit_test(test_ipv6_home_address_is_hashed),
		cmocka_unit_test(test_ipv6_routing_header_is_hashed),
		cmocka_unit_test(test_ipv6_options_without_an_address),
		cmocka_unit_test(test_reta_says_which_queue),
		cmocka_unit_test(test_frame_waits_for_its_own_queue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
