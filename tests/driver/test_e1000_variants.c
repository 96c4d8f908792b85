/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * e1000: the parts that no model plays yet, on a card made of little more than an array: how
 * each is reset, how its EEPROM and PHY are reached, what its errata want. Expected values are
 * those of the family's facts page (§); the card answers by the protocols of §4.1 and §4.2.
 */

#include "e1000_card.h"

static void
expect_mac(uint8_t last)
{
	const uint8_t want[6] = { 0x00, 0x1b, 0x21, 0xab, 0xcd, last };

	assert_int_equal(e1000_nvm_check(&card_hw), 0);
	assert_int_equal(e1000_read_mac(&card_hw), 0);
	assert_memory_equal(card_hw.mac.addr_bytes, want, 6);
}

/* --- ids ----------------------------------------------------------------------------------- */

static void
test_every_id_is_claimed_once(void **state)
{
#define ID(device, ...) device,
	static const uint16_t ids[] = { E1000_ID_TABLE(ID) };
#undef ID
	struct rte_pci_id id = { .vendor_id = 0x8086, .class_id = 0x020000 };

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(ids); i++) {
		struct pw_driver *drv;

		id.device_id = ids[i];
		drv = pw_driver_find(&id);
		assert_non_null(drv);
		assert_string_equal(drv->name, "net_pw_e1000");
		for (unsigned int j = 0; j < i; j++)
			assert_int_not_equal(ids[i], ids[j]);
		card_init(ids[i]);
		assert_int_equal(card.resets, 1);
		assert_in_range(card_hw.variant->max_frame, 1518, 16384);
	}
	id.device_id = 0x1000;	/* 82542: other registers, left out (§1.1) */
	assert_null(pw_driver_find(&id));
}

/* --- reset (§5.1) -------------------------------------------------------------------------- */

static void
test_reset_is_written_as_each_part_wants_it(void **state)
{
	static const struct {
		uint16_t device;
		const char *how;
		uint16_t ms;
	} t[] = {
		{ 0x1004, "mmio", 2 }, { 0x1008, "io", 2 }, { 0x100e, "io", 5 },
		{ 0x100f, "io", 5 }, { 0x1026, "dup", 5 }, { 0x1010, "io", 5 },
		{ 0x1079, "dup", 5 }, { 0x1013, "io", 20 }, { 0x1076, "io", 20 },
		{ 0x1019, "mmio", 20 }, { 0x1075, "mmio", 20 }, { 0x105e, "mmio", 0 },
		{ 0x107d, "mmio", 0 }, { 0x108b, "mmio", 25 }, { 0x10d3, "mmio", 25 },
		{ 0x150c, "mmio", 25 },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		uint64_t before = pw_clock_now(&fx_clock);

		card_init(t[i].device);
		assert_string_equal(card.how, t[i].how);
		/* 10 ms of quiet, then the part's own wait. */
		assert_in_range(pw_clock_now(&fx_clock) - before, (10 + t[i].ms) * 1000000u,
				(10 + t[i].ms + 10) * 1000000u);
	}
}

static void
test_reset_without_an_io_bar(void **state)
{
	(void)state;
	card_make(0x100f);
	card_dev.bar[2].len = 0;
	assert_int_equal(e1000_hw_init(&card_hw, &card_dev), 0);
	assert_int_equal(e1000_reset(&card_hw), 0);
	assert_string_equal(card.how, "mmio");
}

static void
test_pcie_part_that_does_not_load_its_eeprom(void **state)
{
	(void)state;
	card_make(0x10d3);
	assert_int_equal(e1000_hw_init(&card_hw, &card_dev), 0);
	card.pcie = false;	/* AUTO_RD stays off */
	log_capture_start();
	assert_int_equal(e1000_reset(&card_hw), -EIO);
	log_capture_expect("the EEPROM was not loaded after reset");
}

static void
test_window_too_small(void **state)
{
	(void)state;
	card_make(0x100e);
	card_dev.bar[0].len = 0x1000;
	log_capture_start();
	assert_int_equal(e1000_hw_init(&card_hw, &card_dev), -ENXIO);
	log_capture_expect("check that the device is bound");
}

/* --- EEPROM (§4.1) ------------------------------------------------------------------------- */

static void
test_eeprom_by_eerd_and_by_pins(void **state)
{
	static const struct {
		uint16_t device;
		uint32_t eecd;
		bool eerd;
		enum e1000_nvm_access by;
	} t[] = {
		{ 0x1004, 0, false, E1000_NVM_BY_MICROWIRE },
		{ 0x1008, 0, false, E1000_NVM_BY_MICROWIRE },
		{ 0x100e, 0, true, E1000_NVM_BY_EERD },
		{ 0x100e, 0, false, E1000_NVM_BY_MICROWIRE },
		{ 0x1079, 0, true, E1000_NVM_BY_EERD },
		{ 0x1076, E1000_EECD_TYPE, true, E1000_NVM_BY_EERD },
		{ 0x1076, E1000_EECD_TYPE, false, E1000_NVM_BY_SPI },
		{ 0x1013, E1000_EECD_TYPE | E1000_EECD_ADDR_BITS, false, E1000_NVM_BY_SPI },
		{ 0x1013, 0, false, E1000_NVM_BY_MICROWIRE },
		{ 0x105e, 0, true, E1000_NVM_BY_EERD },
		{ 0x10d3, 0, true, E1000_NVM_BY_EERD },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		card_init(t[i].device);
		R(E1000_EECD) |= t[i].eecd;
		card.eerd = t[i].eerd;
		expect_mac(0xef);
		assert_int_equal(card_hw.nvm_access, t[i].by);
		assert_int_equal(card_hw.nvm_words, 64);
	}
}

static void
test_second_port_has_the_next_address(void **state)
{
	static const uint16_t two_ports[] = { 0x1010, 0x1079, 0x105e };

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(two_ports); i++) {
		card_init(two_ports[i]);
		card.eerd = true;
		R(E1000_STATUS) |= 1 << 2;
		expect_mac(0xee);
	}
	/* A part with one port in the second function of some bridge. */
	card_init(0x100e);
	card.eerd = true;
	R(E1000_STATUS) |= 1 << 2;
	expect_mac(0xef);
}

static void
test_dead_serial_eeprom_is_no_endless_wait(void **state)
{
	(void)state;
	card_init(0x1076);
	R(E1000_EECD) |= E1000_EECD_TYPE;
	memset(card.nvm, 0xff, sizeof(card.nvm));
	log_capture_start();
	assert_int_equal(e1000_nvm_check(&card_hw), -EIO);
	log_capture_expect("EEPROM does not answer");
}

/* --- PHY (§4.2, §4.3) ---------------------------------------------------------------------- */

static void
test_phy_over_mdic_and_over_pins(void **state)
{
	static const uint16_t device[] = { 0x1004, 0x1008, 0x100e, 0x1076, 0x105e, 0x10d3, 0x108b };

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(device); i++) {
		card_init(device[i]);
		card.mdic = device[i] != 0x1004;
		assert_int_equal(e1000_phy_init(&card_hw), 0);
		assert_int_equal(card_hw.phy_id, 0x01410c20);
		assert_int_equal(e1000_link_setup(&card_hw), 0);
		/* §4.3: everything but 1000 half, both PAUSE bits, negotiation on. */
		assert_int_equal(card.phy[MII_ANAR], 0x0001 | 0x01e0 | 0x0c00);
		assert_int_equal(card.phy[MII_GBCR], 0x0200);
		assert_int_equal(card.phy[MII_BMCR] & MII_BMCR_ANENABLE, MII_BMCR_ANENABLE);
		assert_int_equal(R(E1000_CTRL) & E1000_CTRL_SLU, E1000_CTRL_SLU);
		/* Semaphores are given back. */
		assert_int_equal(R(E1000_SWSM) & 3, 0);
		assert_int_equal(R(E1000_EXTCNF_CTRL) & E1000_EXTCNF_CTRL_MDIO_SW_OWN, 0);
	}
}

/* §7: SWSM2 says whether a driver has been here before, who may have the semaphore now. */
static void
test_semaphore_of_the_other_port_is_left_to_it(void **state)
{
	static const struct {
		uint16_t device;
		bool lock;	/* has SWSM2 */
	} t[] = { { 0x105e, true }, { 0x107d, true }, { 0x108b, false } };

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		uint64_t before;

		card_init(t[i].device);
		R(E1000_SWSM) = E1000_SWSM_SMBI;
		before = pw_clock_now(&fx_clock);
		assert_int_equal(e1000_phy_init(&card_hw), 0);
		/* Given back without a wait, and that is written down. */
		assert_in_range(pw_clock_now(&fx_clock) - before, 0, 1000000);
		assert_int_equal(R(E1000_SWSM2), t[i].lock ? E1000_SWSM2_LOCK : 0);
		assert_int_equal(R(E1000_SWSM) & 3, 0);
		if (!t[i].lock)
			continue;
		/* A second driver waits for it, 20 ms; who has it for longer is dead. */
		R(E1000_SWSM) = E1000_SWSM_SMBI;
		before = pw_clock_now(&fx_clock);
		assert_int_equal(e1000_phy_init(&card_hw), 0);
		assert_true(pw_clock_now(&fx_clock) - before >= 20000000);
		assert_int_equal(R(E1000_SWSM) & 3, 0);
	}
}

/* 82543 cannot see what its PHY negotiated: the driver copies it (§4.3). */
static void
test_82543_is_told_speed_and_duplex(void **state)
{
	(void)state;
	card_init(0x1004);
	assert_int_equal(e1000_phy_init(&card_hw), 0);
	assert_int_equal(e1000_link_setup(&card_hw), 0);
	card.phy[MII_ANLPAR] = 0x41e1;
	assert_int_equal(e1000_link_read(&card_hw), 0);
	assert_true(card_hw.link.up);
	assert_int_equal(card_hw.link.speed, 100);
	assert_int_equal(R(E1000_CTRL) & (E1000_CTRL_FRCSPD | E1000_CTRL_FRCDPX | E1000_CTRL_FD |
					  E1000_CTRL_SPEED_MASK),
			 E1000_CTRL_FRCSPD | E1000_CTRL_FRCDPX | E1000_CTRL_FD |
			 E1000_CTRL_SPEED_100);
}

/* Forced modes per PHY: MII register 0, crossing over by hand, the MAC told (§4.3). */
static void
test_forced_modes_by_phy(void **state)
{
	static const struct {
		uint16_t device;
		uint32_t speed;
		uint16_t bmcr;
		uint32_t ctrl;
		bool dsp;
	} t[] = {
		{ 0x1008, RTE_ETH_LINK_SPEED_100M, 0x2100, E1000_CTRL_SPEED_100 | 1, true },
		{ 0x100e, RTE_ETH_LINK_SPEED_100M_HD, 0x2000, E1000_CTRL_SPEED_100, true },
		{ 0x108b, RTE_ETH_LINK_SPEED_10M, 0x0100, 1, true },
		{ 0x1076, RTE_ETH_LINK_SPEED_100M, 0x2100, E1000_CTRL_SPEED_100 | 1, false },
		{ 0x105e, RTE_ETH_LINK_SPEED_10M_HD, 0x0000, 0, false },
		{ 0x10d3, RTE_ETH_LINK_SPEED_100M, 0x2100, E1000_CTRL_SPEED_100 | 1, false },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		card_init(t[i].device);
		assert_int_equal(e1000_phy_init(&card_hw), 0);
		card_hw.link_speeds = RTE_ETH_LINK_SPEED_FIXED | t[i].speed;
		assert_int_equal(e1000_link_setup(&card_hw), 0);
		assert_int_equal(card.phy[MII_BMCR], t[i].bmcr);
		assert_int_equal(R(E1000_CTRL) & (E1000_CTRL_FRCSPD | E1000_CTRL_FRCDPX | 1 |
						  E1000_CTRL_SPEED_MASK),
				 E1000_CTRL_FRCSPD | E1000_CTRL_FRCDPX | t[i].ctrl);
		/* Bits 6:5 of M88's and BM's register 16: MDI; bit 12 of IGP's 18: off. */
		if (card_hw.variant->phy == E1000_PHY_IGP)
			assert_int_equal(card.phy[18] & 0x3000, 0);
		else
			assert_int_equal(card.phy[16] & 0x60, 0);
		/* M88: the signal processor starts over, and has its clock of 25 MHz after it. */
		assert_int_equal(card.dsp[2], t[i].dsp ? 0xc1 : 0);
		assert_int_equal(card.dsp[3], 0);
		if (t[i].dsp)
			assert_int_equal(card.phy[20] & 0x70, 0x70);
	}
}

/* 82547 stalled in half duplex, and once offered none: it has a burst for that now (§6). */
static void
test_82547_offers_half_duplex(void **state)
{
	(void)state;
	card_init(0x1019);
	assert_int_equal(e1000_phy_init(&card_hw), 0);
	assert_int_equal(e1000_link_setup(&card_hw), 0);
	assert_int_equal(card.phy[MII_ANAR], 0x0001 | 0x01e0 | 0x0c00);
	card.phy[MII_ANLPAR] = 0x40a1;
	R(E1000_STATUS) |= E1000_STATUS_LU | E1000_STATUS_SPEED_100;
	assert_int_equal(e1000_link_read(&card_hw), 0);
	assert_true(card_hw.link.up);
	assert_false(card_hw.link.full_duplex);
}

static void
test_pcie_speed_bit_follows_the_link(void **state)
{
	(void)state;
	card_init(0x105e);
	assert_int_equal(e1000_phy_init(&card_hw), 0);
	assert_int_equal(e1000_link_setup(&card_hw), 0);
	R(E1000_STATUS) |= E1000_STATUS_LU | E1000_STATUS_FD | E1000_STATUS_SPEED_1000;
	assert_int_equal(e1000_link_read(&card_hw), 0);
	assert_int_equal(R(E1000_TARC(0)) & 1 << 21, 1 << 21);
	R(E1000_STATUS) &= ~E1000_STATUS_SPEED_MASK;
	R(E1000_STATUS) |= E1000_STATUS_SPEED_100;
	assert_int_equal(e1000_link_read(&card_hw), 0);
	assert_int_equal(R(E1000_TARC(0)) & 1 << 21, 0);
}

/* --- fibre (§4.3) -------------------------------------------------------------------------- */

static void
test_fibre_negotiates_then_forces_then_negotiates(void **state)
{
	(void)state;
	card_init(0x1011);
	assert_int_equal(e1000_phy_init(&card_hw), 0);
	assert_int_equal(e1000_link_setup(&card_hw), 0);
	/* §4.3: TXCW = ANE, FD and both PAUSE bits. */
	assert_int_equal(R(E1000_TXCW), 0x800001a0);
	assert_int_equal(e1000_link_read(&card_hw), 0);
	assert_false(card_hw.link.up);

	/* Light, but no /C/: the partner does not negotiate. Twice is proof. */
	R(E1000_CTRL) |= E1000_CTRL_SWDPIN1;
	assert_int_equal(e1000_link_read(&card_hw), 0);
	assert_int_equal(R(E1000_TXCW), 0x800001a0);
	assert_int_equal(e1000_link_read(&card_hw), 0);
	assert_int_equal(R(E1000_TXCW), 0x1a0);
	assert_int_equal(R(E1000_CTRL) & (E1000_CTRL_SLU | E1000_CTRL_FD),
			 E1000_CTRL_SLU | E1000_CTRL_FD);
	R(E1000_STATUS) |= E1000_STATUS_LU;
	assert_int_equal(e1000_link_read(&card_hw), 0);
	assert_true(card_hw.link.up);
	assert_false(card_hw.link.autoneg);
	assert_int_equal(card_hw.link.speed, 1000);

	/* /C/ arrives after all. */
	R(E1000_RXCW) = E1000_RXCW_C | E1000_TXCW_PAUSE;
	assert_int_equal(e1000_link_read(&card_hw), 0);
	assert_int_equal(R(E1000_TXCW), 0x800001a0);
	assert_int_equal(R(E1000_CTRL) & E1000_CTRL_SLU, 0);
	assert_true(card_hw.link.autoneg);
	assert_true(card_hw.link.pause_rx && card_hw.link.pause_tx);
}

/* 82543: the signal pin is the other way round. */
static void
test_82543_fibre_signal_is_active_low(void **state)
{
	(void)state;
	card_init(0x1001);
	assert_int_equal(e1000_link_setup(&card_hw), 0);
	R(E1000_CTRL) |= E1000_CTRL_SWDPIN1;	/* dark */
	for (unsigned int i = 0; i < 3; i++)
		assert_int_equal(e1000_link_read(&card_hw), 0);
	assert_int_equal(R(E1000_CTRL) & E1000_CTRL_SLU, 0);
	R(E1000_CTRL) &= ~E1000_CTRL_SWDPIN1;
	for (unsigned int i = 0; i < 2; i++)
		assert_int_equal(e1000_link_read(&card_hw), 0);
	assert_int_equal(R(E1000_CTRL) & E1000_CTRL_SLU, E1000_CTRL_SLU);
}

/* --- errata (§7) --------------------------------------------------------------------------- */

static void
test_errata_in_configuration_space(void **state)
{
	(void)state;
	card_init(0x10d3);	/* 82574: L0s and L1 off */
	assert_int_equal(card.cfg[0xf0], 0);
	card_init(0x150c);	/* 82583: L0s off */
	assert_int_equal(card.cfg[0xf0], 2);
	card_init(0x105e);	/* 82571: L1 off */
	assert_int_equal(card.cfg[0xf0], 1);
	card_init(0x100f);	/* 82545: PCI-X reads of 2 KiB at most */
	assert_int_equal(card.cfg[0xde], 0x08);
	card_init(0x1026);	/* rev 3 needs no clamp */
	assert_int_equal(card.cfg[0xde], 0x0c);
	assert_int_equal(card.cfg[0xf0], 3);
}

static void
test_errata_in_registers(void **state)
{
	(void)state;
	card_init(0x105e);
	assert_int_equal(R(E1000_TARC(0)) & 0x7fc00000, 0xfu << 23);
	assert_int_equal(R(E1000_TARC(1)) & 0x7fc00000, 1 << 22 | 7 << 24);
	assert_int_equal(R(E1000_PBA_ECC) & 1, 1);
	assert_int_equal(R(E1000_RFCTL) & 3 << 16, 3 << 16);
	card_init(0x10d3);
	assert_int_equal(R(E1000_TARC(0)) & 1 << 26, 1 << 26);
	assert_int_equal(R(E1000_GCR) & (1 << 22 | 1 << 27), 1 << 22 | 1 << 27);
	assert_int_equal(R(E1000_GCR2) & 1, 1);
	assert_int_equal(R(E1000_CTRL_EXT) & 3 << 22, 1 << 22);
	assert_int_equal(R(E1000_IVAR), 8 << 16);
	card_init(0x1099);
	assert_int_equal(R(E1000_CTRL_EXT) & 1 << 17, 1 << 17);
}

/* 82571 and 82572: clock gating of the DMA unit loses transactions. */
static void
test_dma_clock_is_not_gated(void **state)
{
	static const uint16_t device[] = { 0x105e, 0x107d };

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(device); i++) {
		card_init(device[i]);
		R(E1000_CTRL_EXT) = 1 << 19 | 1 << 20;
		e1000_quirks(&card_hw);
		assert_int_equal(R(E1000_CTRL_EXT), 1 << 20);
	}
}

/* Erratum 37 (§7.0). */
static void
test_82543_receive_timer_is_off(void **state)
{
	(void)state;
	card_init(0x1004);
	R(E1000_RDTR) = 5;
	e1000_quirks(&card_hw);
	assert_int_equal(R(E1000_RDTR), 0);
}

static void
test_82574_receiver_is_not_switched_off(void **state)
{
	static const struct {
		uint16_t device;
		bool off;
	} t[] = { { 0x100e, true }, { 0x105e, true }, { 0x10d3, false }, { 0x150c, false } };

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		card_init(t[i].device);
		e1000_set_rx_mode(&card_hw);
		assert_int_equal(R(E1000_RCTL) & 2, 2);
		assert_int_equal(e1000_reset(&card_hw), 0);
		assert_int_equal(card.rctl_at_reset & 2, t[i].off ? 0 : 2);
	}
}

/* Register 21 all ones, and the low byte of register 10: the PHY is set up anew. */
static void
test_82574_phy_that_hangs(void **state)
{
	static const struct {
		uint16_t errors, gbsr;
		bool hangs;
	} t[] = {
		{ 0xffff, 0x00ff, true }, { 0xffff, 0x7cff, true }, { 0xfffe, 0x00ff, false },
		{ 0xffff, 0x00fe, false }, { 0, 0, false },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		card_init(0x10d3);
		assert_int_equal(e1000_phy_init(&card_hw), 0);
		assert_int_equal(e1000_link_setup(&card_hw), 0);
		card.phy[MII_BMCR] = 0;
		card.phy[21] = t[i].errors;
		card.phy[10] = t[i].gbsr;
		log_capture_start();
		assert_int_equal(e1000_link_read(&card_hw), 0);
		free(log_capture_stop());
		assert_int_equal(card.phy[MII_BMCR] & MII_BMCR_ANENABLE,
				 t[i].hangs ? MII_BMCR_ANENABLE : 0);
	}
}

static void
test_82544_odd_vfta_write_restores_the_one_before(void **state)
{
	(void)state;
	card_init(0x1008);
	card_hw.vfta[4] = 0x1111;
	card_hw.vfta[5] = 0x2222;
	R(E1000_VFTA(4)) = 0xdead;	/* what the erratum makes of it */
	e1000_set_vfta(&card_hw, 5);
	assert_int_equal(R(E1000_VFTA(5)), 0x2222);
	assert_int_equal(R(E1000_VFTA(4)), 0x1111);
}

/* The other port's reset puts the EEPROM's address in RAR0; ours is in the last one too. */
static void
test_82571_keeps_a_copy_of_its_address(void **state)
{
	static const struct rte_ether_addr a = { { 2, 0, 0, 0, 0, 7 } };

	(void)state;
	card_init(0x105e);
	e1000_set_rar(&card_hw, 0, &a);
	assert_int_equal(R(E1000_RAL(0)), 2);
	assert_int_equal(R(E1000_RAL(14)), 2);
	assert_int_equal(R(E1000_RAH(14)), 0x80000700);
	card_init(0x100e);
	e1000_set_rar(&card_hw, 0, &a);
	assert_int_equal(R(E1000_RAH(14)), 0);
}

static void
test_82571_gets_its_address_back(void **state)
{
	static const struct rte_ether_addr a = { { 2, 0, 0, 0, 0, 7 } };

	(void)state;
	card_init(0x105e);
	e1000_set_rar(&card_hw, 0, &a);
	R(E1000_RAL(0)) = 0xab211b00;	/* what the other port's reset leaves */
	R(E1000_RAH(0)) = 0x8000efcd;
	e1000_keep_rar0(&card_hw);
	assert_int_equal(R(E1000_RAL(0)), 2);
	assert_int_equal(R(E1000_RAH(0)), 0x80000700);
	/* Other parts are left alone. */
	card_init(0x107d);
	e1000_set_rar(&card_hw, 0, &a);
	R(E1000_RAL(0)) = 0xab211b00;
	e1000_keep_rar0(&card_hw);
	assert_int_equal(R(E1000_RAL(0)), 0xab211b00);
}

static void
test_pcix_errata_only_in_pcix_mode(void **state)
{
	const uint64_t both = E1000_F_ERR_EVEN_DWORD | E1000_F_ERR_FIRST_2015;

	(void)state;
	card_init(0x1008);
	assert_int_equal(card_hw.flags & both, 0);
	card_make(0x1008);
	R(E1000_STATUS) = E1000_STATUS_PCIX;
	assert_int_equal(e1000_hw_init(&card_hw, &card_dev), 0);
	assert_int_equal(card_hw.flags & both, both);
}

/* §6: 8254x report too early; 82571 to 82573 want payload with the header; 82574 neither. */
static void
test_tso_errata_by_part(void **state)
{
	static const struct {
		uint16_t device;
		uint64_t errata;
	} t[] = {
		{ 0x100e, E1000_F_ERR_TSO_REPORT }, { 0x100f, E1000_F_ERR_TSO_REPORT },
		{ 0x1026, E1000_F_ERR_TSO_REPORT }, { 0x1079, E1000_F_ERR_TSO_REPORT },
		{ 0x1013, E1000_F_ERR_TSO_REPORT }, { 0x1076, E1000_F_ERR_TSO_REPORT },
		{ 0x105e, E1000_F_ERR_TSO_HEADER }, { 0x107d, E1000_F_ERR_TSO_HEADER },
		{ 0x108b, E1000_F_ERR_TSO_HEADER }, { 0x10d3, 0 }, { 0x150c, 0 },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		card_init(t[i].device);
		assert_int_equal(card_hw.flags & E1000_F_TSO, E1000_F_TSO);
		assert_int_equal(card_hw.flags & (E1000_F_ERR_TSO_REPORT | E1000_F_ERR_TSO_HEADER),
				 t[i].errata);
	}
}

static void
test_limits_by_part(void **state)
{
	(void)state;
	card_init(0x1004);	/* 82543: 256 descriptors, no checksums (errata 14, 15) */
	assert_int_equal(card_hw.variant->max_desc, 256);
	assert_int_equal(card_hw.flags & (E1000_F_CSUM | E1000_F_TSO), 0);
	card_init(0x1008);	/* 82544, 82547: no segmentation */
	assert_int_equal(card_hw.flags & E1000_F_TSO, 0);
	card_init(0x1019);
	assert_int_equal(card_hw.flags & E1000_F_TSO, 0);
	card_init(0x1075);
	assert_int_equal(card_hw.flags & E1000_F_TSO, 0);
	card_init(0x100f);	/* 82545: 64 KiB */
	assert_int_equal(card_hw.variant->dma.boundary, 65536);
	card_init(0x1026);
	assert_int_equal(card_hw.variant->dma.boundary, 0);
	card_init(0x108b);	/* 82573E: no jumbo; 82573L: jumbo */
	assert_int_equal(e1000_max_frame(&card_hw), 1522);
	card_init(0x109a);
	assert_int_equal(e1000_max_frame(&card_hw), 9234);
}

/* QEMU's 8254x, and the card of this file, keep what silicon clears on reading. */
static void
test_missed_packets_of_a_card_that_does_not_clear_them(void **state)
{
	static struct e1000_adapter ad;
	static const struct {
		uint32_t shown;
		uint64_t sum;
	} step[] = { { 0, 0 }, { 5, 5 }, { 5, 5 }, { 7, 7 }, { 2, 9 }, { 0, 9 }, { 3, 12 } };

	(void)state;
	card_init(0x100e);
	memset(&ad, 0, sizeof(ad));
	ad.hw = card_hw;
	rte_spinlock_init(&ad.stats_lock);
	for (unsigned int i = 0; i < RTE_DIM(step); i++) {
		R(E1000_MPC) = step[i].shown;
		R(E1000_RNBC) = 2 * step[i].shown;
		e1000_stats_update(&ad);
		assert_int_equal(ad.stats.mpc, step[i].sum);
		assert_int_equal(ad.stats.rnbc, 2 * step[i].sum);
	}
}

int
main(void)
{
#define T(name) cmocka_unit_test(test_##name)
	const struct CMUnitTest tests[] = {
		T(every_id_is_claimed_once),
		T(reset_is_written_as_each_part_wants_it),
		T(reset_without_an_io_bar),
		T(pcie_part_that_does_not_load_its_eeprom),
		T(window_too_small),
		T(eeprom_by_eerd_and_by_pins),
		T(second_port_has_the_next_address),
		T(dead_serial_eeprom_is_no_endless_wait),
		T(phy_over_mdic_and_over_pins),
		T(semaphore_of_the_other_port_is_left_to_it),
		T(82543_is_told_speed_and_duplex),
		T(forced_modes_by_phy),
		T(82547_offers_half_duplex),
		T(pcie_speed_bit_follows_the_link),
		T(fibre_negotiates_then_forces_then_negotiates),
		T(82543_fibre_signal_is_active_low),
		T(errata_in_configuration_space),
		T(errata_in_registers),
		T(dma_clock_is_not_gated),
		T(82543_receive_timer_is_off),
		T(82574_receiver_is_not_switched_off),
		T(82574_phy_that_hangs),
		T(82544_odd_vfta_write_restores_the_one_before),
		T(82571_keeps_a_copy_of_its_address),
		T(82571_gets_its_address_back),
		T(pcix_errata_only_in_pcix_mode),
		T(tso_errata_by_part),
		T(limits_by_part),
		T(missed_packets_of_a_card_that_does_not_clear_them),
	};

	return cmocka_run_group_tests_name("e1000_variants", tests, fx_setup, fx_teardown);
}
