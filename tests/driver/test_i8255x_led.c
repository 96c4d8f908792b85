/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * i8255x: the LED, which is the PHY's (§4.3). The values of register 27, and of 82552's own, are
 * those that Linux e100 writes for ethtool -p.
 */

#include "i8255x_card.h"

static void
test_by_register_27(void **state)
{
	static const struct {
		uint16_t device;
		uint8_t rev;
		uint16_t id2, on;
	} t[] = {
		{ 0x1229, 0x02, 0x0154, 0x0007 }, { 0x1229, 0x05, 0x0154, 0x0007 },
		{ 0x1229, 0x08, 0x0154, 0x0005 }, { 0x1229, 0x10, 0x0154, 0x0005 },
		{ 0x2449, 0x03, 0x0330, 0x0005 }, { 0x1031, 0x41, 0x0320, 0x0005 },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		struct rte_eth_dev *eth;

		icard_init(t[i].device, t[i].rev);
		icard.phy[1][MII_PHYID2] = t[i].id2;
		assert_int_equal(i8255x_phy_init(&icard_hw), 0);
		eth = icard_eth();
		assert_int_equal(i8255x_led_on(eth), 0);
		assert_int_equal(icard.phy[1][27], t[i].on);
		assert_int_equal(i8255x_led_off(eth), 0);
		assert_int_equal(icard.phy[1][27], 0x0004);
		/* Start gives it back to the link. */
		assert_int_equal(i8255x_link_setup(&i8255x_adapter_of(eth)->hw), 0);
		assert_int_equal(icard.phy[1][27], 0x0000);
	}
}

static void
test_of_an_82552(void **state)
{
	struct rte_eth_dev *eth;

	(void)state;
	icard_init(0x10fe, 0x01);
	icard.phy[1][MII_PHYID1] = 0x004d;
	icard.phy[1][MII_PHYID2] = 0xd061;
	icard.phy[1][27] = 0x5555;
	assert_int_equal(i8255x_phy_init(&icard_hw), 0);
	eth = icard_eth();
	assert_int_equal(i8255x_led_on(eth), 0);
	assert_int_equal(icard.phy[1][25], 0x000f);
	assert_int_equal(i8255x_led_off(eth), 0);
	assert_int_equal(icard.phy[1][25], 0x000a);
	assert_int_equal(i8255x_link_setup(&i8255x_adapter_of(eth)->hw), 0);
	assert_int_equal(icard.phy[1][25], 0x0000);
	assert_int_equal(icard.phy[1][27], 0x5555);
}

/* National's PHY, one that nobody knows, and none at all. */
static void
test_boards_without(void **state)
{
	static const uint32_t ids[] = { 0x20005c01, 0x12345670 };

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(ids); i++) {
		uint16_t before[32];

		icard_init(0x1229, 0x02);
		icard.phy[1][MII_PHYID1] = ids[i] >> 16;
		icard.phy[1][MII_PHYID2] = ids[i] & 0xffff;
		assert_int_equal(i8255x_phy_init(&icard_hw), 0);
		memcpy(before, icard.phy[1], sizeof(before));
		assert_int_equal(i8255x_led_on(icard_eth()), -ENOTSUP);
		assert_int_equal(i8255x_led_off(icard_eth()), -ENOTSUP);
		assert_memory_equal(icard.phy[1], before, sizeof(before));
	}
	icard_init(0x1229, 0x02);
	icard_hw.phy_addr = I8255X_NO_PHY;
	icard.mdi_cycles = 0;
	assert_int_equal(i8255x_led_on(icard_eth()), -ENOTSUP);
	assert_int_equal(icard.mdi_cycles, 0);
}

static void
test_removed_card_has_none(void **state)
{
	(void)state;
	icard_init_phy(0x1229, 0x08);
	icard.gone = true;
	assert_int_equal(i8255x_led_on(icard_eth()), -ENODEV);
	icard_init_phy(0x1229, 0x08);
	icard.mdi_stuck = true;
	assert_int_equal(i8255x_led_on(icard_eth()), -ETIMEDOUT);
}

static void
test_on_the_models(void **state)
{
	static const struct {
		const char *chip;
		uint16_t on;
	} t[] = {
		{ "82557b", 7 }, { "82558b", 7 }, { "82559c", 5 }, { "82551", 5 }, { "82562", 5 },
	};
	static struct fx_port p;

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		const struct pw_mii *mii;
		uint16_t led;

		fx_open(&p, t[i].chip, NULL);
		mii = &i8255x_adapter_of(&rte_eth_devices[p.id])->hw.mii;
		fx_start(&p, NULL);
		for (unsigned int k = 0; k < 2; k++) {
			assert_int_equal(rte_eth_led_on(p.id), 0);
			assert_int_equal(mii->read(mii->ctx, 27, &led), 0);
			assert_int_equal(led, t[i].on);
			assert_int_equal(rte_eth_led_off(p.id), 0);
			assert_int_equal(mii->read(mii->ctx, 27, &led), 0);
			assert_int_equal(led, 4);
		}
		assert_int_equal(rte_eth_dev_stop(p.id), 0);
		assert_int_equal(rte_eth_dev_start(p.id), 0);
		assert_int_equal(mii->read(mii->ctx, 27, &led), 0);
		assert_int_equal(led, 0);
		fx_close(&p);
	}
}

int
main(void)
{
#define T(name) cmocka_unit_test(test_##name)
	const struct CMUnitTest tests[] = {
		T(by_register_27),
		T(of_an_82552),
		T(boards_without),
		T(removed_card_has_none),
		T(on_the_models),
	};

	return cmocka_run_group_tests_name("i8255x_led", tests, fx_setup, fx_teardown);
}
