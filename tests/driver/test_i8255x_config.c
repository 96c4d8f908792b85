/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * i8255x: the Configure block, byte for byte. The expected values are those of the table in
 * §3.2 of the family's facts page; what is added to them is the bit that the table names.
 */

#include "i8255x_card.h"

#define LEN 32

/* What is in both columns of the table; bytes 3, 6, 8, 15, 18 and 19 are the variant's. */
static void
expect_block(uint8_t b3, uint8_t b6, uint8_t b8, uint8_t b15, uint8_t b18, uint8_t b19)
{
	const uint8_t want[LEN] = {
		0x16, 0x08, 0x00, b3,   0x00, 0x00, b6,   0x07, b8,   0x00, 0x2e,
		0x00, 0x60, 0x00, 0xf2, b15,  0x00, 0x40, b18,  b19,  0x3f, 0x05,
	};
	uint8_t got[LEN];

	memset(got, 0xa5, sizeof(got));
	assert_int_equal(i8255x_config_build(&icard_hw, got), 22);
	assert_memory_equal(got, want, sizeof(want));
}

static void
test_each_part_in_normal_mode(void **state)
{
	static const struct {
		uint16_t device;
		uint8_t rev, b6, b18, b19;
	} t[] = {
		{ 0x1229, 0x01, 0x32, 0xf2, 0x82 }, { 0x1229, 0x02, 0x32, 0xf2, 0x82 },
		{ 0x1229, 0x03, 0x32, 0xf2, 0x82 }, { 0x1229, 0x04, 0x02, 0xfa, 0x86 },
		{ 0x1229, 0x05, 0x02, 0xfa, 0x86 }, { 0x1229, 0x06, 0x02, 0xfa, 0x86 },
		{ 0x1229, 0x07, 0x02, 0xfa, 0x86 }, { 0x1229, 0x08, 0x26, 0xfa, 0x86 },
		{ 0x1229, 0x09, 0x26, 0xfa, 0x86 }, { 0x1209, 0x09, 0x26, 0xfa, 0x86 },
		{ 0x1229, 0x0c, 0x26, 0xfa, 0x86 }, { 0x1229, 0x0d, 0x26, 0xfa, 0x86 },
		{ 0x1229, 0x0e, 0x26, 0xfa, 0x86 }, { 0x1229, 0x0f, 0x26, 0xfa, 0x86 },
		{ 0x1229, 0x10, 0x26, 0xfa, 0x86 }, { 0x1209, 0x10, 0x26, 0xfa, 0x86 },
		{ 0x2449, 0x03, 0x26, 0xfa, 0x86 }, { 0x27dc, 0x01, 0x26, 0xfa, 0x86 },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		icard_init_phy(t[i].device, t[i].rev);
		expect_block(0x00, t[i].b6, 0x01, 0x48, t[i].b18, t[i].b19);
	}
}

/* Byte 8 bit 0 off, byte 15 bit 7 on: 82503 (§3.2). */
static void
test_serial_board(void **state)
{
	(void)state;
	icard_make(0x1229, 0x01);
	icard.nvm[6] = 0x8300;
	icard_nvm_sum();
	assert_int_equal(i8255x_hw_init(&icard_hw, &icard_dev), 0);
	assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
	assert_int_equal(i8255x_phy_init(&icard_hw), 0);
	expect_block(0x00, 0x32, 0x00, 0xc8, 0xf2, 0x82);
}

/* Byte 3 bit 0: 558 and later, if the bus has MWI on and a line size. */
static void
test_whole_lines_where_the_bus_wants_them(void **state)
{
	static const struct {
		uint8_t rev, command, line, b3;
	} t[] = {
		{ 0x08, 0x12, 8, 0x01 }, { 0x08, 0x12, 0, 0x00 }, { 0x08, 0x02, 8, 0x00 },
		{ 0x05, 0x12, 16, 0x01 }, { 0x03, 0x12, 8, 0x00 },
	};
	uint8_t got[LEN];

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		icard_make(0x1229, t[i].rev);
		icard.cfg[0x04] = t[i].command;
		icard.cfg[0x0c] = t[i].line;
		assert_int_equal(i8255x_hw_init(&icard_hw, &icard_dev), 0);
		i8255x_config_build(&icard_hw, got);
		assert_int_equal(got[3], t[i].b3);
	}
}

/* --- one setting at a time ------------------------------------------------------------- */

/* What one setting does to the block of normal mode: bits that flip, all others stay. */
struct change {
	uint8_t byte, flip;
};

static void
expect_changes(const uint8_t *before, const struct change *c, unsigned int n)
{
	uint8_t want[LEN], got[LEN];

	memcpy(want, before, sizeof(want));
	for (unsigned int i = 0; i < n; i++)
		want[c[i].byte] ^= c[i].flip;
	assert_int_equal(i8255x_config_build(&icard_hw, got), want[0]);
	assert_memory_equal(got, want, sizeof(want));
}

#define NORMAL(device, rev) \
	uint8_t before[LEN]; \
	icard_init_phy(device, rev); \
	i8255x_config_build(&icard_hw, before)
#define EXPECT(...) \
	expect_changes(before, (const struct change[]){ __VA_ARGS__ }, \
		       sizeof((const struct change[]){ __VA_ARGS__ }) / sizeof(struct change))

/* 15.0 and 21.3: frames, but not bad ones (6.7 and 7.0 stay). */
static void
test_promiscuous_and_allmulti(void **state)
{
	NORMAL(0x1229, 0x08);

	(void)state;
	icard_hw.promisc = true;
	EXPECT({ 15, 0x01 }, { 21, 0x08 });
	icard_hw.allmulti = true;
	EXPECT({ 15, 0x01 }, { 21, 0x08 });
	icard_hw.promisc = false;
	EXPECT({ 21, 0x08 });
}

static void
test_crc_kept(void **state)
{
	NORMAL(0x1229, 0x05);

	(void)state;
	icard_hw.keep_crc = true;
	EXPECT({ 18, 0x04 });
}

/* 19.6 only when the mode is forced; the pin (19.7) stays on. */
static void
test_duplex_is_forced_with_the_media(void **state)
{
	static const struct {
		uint32_t speeds;
		uint8_t flip;
	} t[] = {
		{ RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_100M, 0x40 },
		{ RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_10M, 0x40 },
		{ RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_100M_HD, 0 },
		{ RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_10M_HD, 0 },
		{ RTE_ETH_LINK_SPEED_100M, 0 },
		{ 0, 0 },
	};
	NORMAL(0x1229, 0x02);

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		icard_hw.link_speeds = t[i].speeds;
		assert_int_equal(i8255x_link_setup(&icard_hw), 0);
		EXPECT({ 19, t[i].flip });
	}
}

/* 10.7:6 = 01, by the MAC: a PHY in a hub does not loop (§7). */
static void
test_loopback_is_the_macs(void **state)
{
	NORMAL(0x2449, 0x03);

	(void)state;
	icard_hw.loopback = true;
	EXPECT({ 10, 0x40 }, { 19, 0x40 });
}

/* 9.0: 559 and hubs; not ER, not before, and with extended RFDs not needed. */
static void
test_raw_receive_checksum(void **state)
{
	static const struct {
		uint16_t device;
		uint8_t rev, b9;
	} t[] = {
		{ 0x1229, 0x03, 0 }, { 0x1229, 0x05, 0 }, { 0x1229, 0x08, 1 },
		{ 0x1229, 0x09, 1 }, { 0x1209, 0x09, 0 }, { 0x2449, 0x03, 1 },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		NORMAL(t[i].device, t[i].rev);

		icard_hw.rx_csum = true;
		EXPECT({ 9, t[i].b9 });
	}
}

/* 7.5, 7.7 and byte 22, which 32 bytes are needed for (§3.2: +A0h, 01h, 03h). */
static void
test_extended_formats_of_82550_and_82551(void **state)
{
	static const uint8_t rev[] = { 0x0c, 0x0d, 0x0e, 0x0f, 0x10 };

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(rev); i++) {
		NORMAL(0x1229, rev[i]);

		icard_hw.ipcb = true;
		EXPECT({ 7, 0x80 });
		icard_hw.ext_rfd = true;
		EXPECT({ 0, 0x16 ^ 0x20 }, { 7, 0xa0 }, { 22, 0x01 });
		icard_hw.vlan_strip = true;
		icard_hw.rx_csum = true;
		EXPECT({ 0, 0x16 ^ 0x20 }, { 7, 0xa0 }, { 22, 0x03 });
		icard_hw.ipcb = false;
		EXPECT({ 0, 0x16 ^ 0x20 }, { 7, 0x20 }, { 22, 0x03 });
	}
}

/* Asking for it does not make a chip that has it. */
static void
test_no_extended_formats_elsewhere(void **state)
{
	static const uint8_t rev[] = { 0x01, 0x05, 0x08 };

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(rev); i++) {
		NORMAL(0x1229, rev[i]);

		icard_hw.ipcb = true;
		icard_hw.ext_rfd = true;
		icard_hw.vlan_strip = true;
		EXPECT({ 0, 0 });
	}
}

/* --- flow control: 16 and 17 the time, 19.2 obey (0: yes), 19.3 and 19.4 send, 19.5 keep -- */

static void
test_flow_control_as_it_came_out(void **state)
{
	NORMAL(0x1229, 0x08);

	(void)state;
	icard_hw.fc.pause_time = 0x1234;
	icard_hw.link = (struct pw_mii_link){ .up = true, .full_duplex = true, .speed = 100 };
	EXPECT({ 19, 0 });
	icard_hw.link.pause_rx = true;
	EXPECT({ 19, 0x04 | 0x20 });
	icard_hw.link.pause_tx = true;
	EXPECT({ 16, 0x34 }, { 17, 0x40 ^ 0x12 }, { 19, 0x04 | 0x18 | 0x20 });
	icard_hw.link.pause_rx = false;
	EXPECT({ 16, 0x34 }, { 17, 0x40 ^ 0x12 }, { 19, 0x18 | 0x20 });
	icard_hw.fc.xon = false;
	EXPECT({ 16, 0x34 }, { 17, 0x40 ^ 0x12 }, { 19, 0x08 | 0x20 });
	icard_hw.fc.forward = true;
	EXPECT({ 16, 0x34 }, { 17, 0x40 ^ 0x12 }, { 19, 0x08 });
}

static void
test_82557_has_no_flow_control(void **state)
{
	NORMAL(0x1229, 0x03);

	(void)state;
	icard_hw.fc.pause_time = 0x1234;
	icard_hw.link = (struct pw_mii_link){ .up = true, .full_duplex = true, .speed = 100,
					      .pause_rx = true, .pause_tx = true };
	EXPECT({ 19, 0 });
}

/* --- wake-up: 19.1, magic packet off (§7: closed while the port runs) ------------------ */

static void
test_magic_packet_only_when_armed(void **state)
{
	static const struct {
		uint16_t device;
		uint8_t rev, flip;
	} t[] = {
		{ 0x1229, 0x03, 0 }, { 0x1229, 0x05, 0x02 }, { 0x1229, 0x08, 0x02 },
		{ 0x1209, 0x10, 0 }, { 0x1229, 0x10, 0x02 }, { 0x2449, 0x03, 0x02 },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		NORMAL(t[i].device, t[i].rev);

		icard_hw.wake = true;
		EXPECT({ 19, t[i].flip });
	}
}

int
main(void)
{
#define T(name) cmocka_unit_test(test_##name)
	const struct CMUnitTest tests[] = {
		T(each_part_in_normal_mode),
		T(serial_board),
		T(whole_lines_where_the_bus_wants_them),
		T(promiscuous_and_allmulti),
		T(crc_kept),
		T(duplex_is_forced_with_the_media),
		T(loopback_is_the_macs),
		T(raw_receive_checksum),
		T(extended_formats_of_82550_and_82551),
		T(no_extended_formats_elsewhere),
		T(flow_control_as_it_came_out),
		T(82557_has_no_flow_control),
		T(magic_packet_only_when_armed),
	};

	return cmocka_run_group_tests_name("i8255x_config", tests, fx_setup, fx_teardown);
}
