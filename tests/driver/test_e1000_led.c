/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* e1000: the LED, by LEDCTL and by pin (§2.1, §4.3). */

#include "e1000_card.h"

static uint32_t
ledctl(const struct fx_port *p)
{
	return pw_model_bar_read(p->model, 0, E1000_LEDCTL, 4);
}

static void
put_id_led(struct fx_port *p, uint16_t word)
{
	assert_int_equal(e1000_write_nvm(&e1000_adapter_of(&rte_eth_devices[p->id])->hw,
					 E1000_NVM_ID_LED, 1, &word), 0);
}

/* Word 4 is blank: LED 3 goes on and off, LED 2 off; LED 0 and 1 stay the link's. */
static void
test_blank_board_uses_led_3(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_equal(ledctl(p), 0x00000602);
	for (unsigned int i = 0; i < 2; i++) {
		assert_int_equal(rte_eth_led_on(p->id), 0);
		assert_int_equal(ledctl(p), 0x0e0f0602);
		assert_int_equal(rte_eth_led_off(p->id), 0);
		assert_int_equal(ledctl(p), 0x0f0f0602);
	}
	/* Start gives them back. */
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	assert_int_equal(ledctl(p), 0x00000602);
}

static void
test_board_says_what_its_leds_do(void **state)
{
	static const struct {
		uint16_t word;
		uint32_t on, off;
	} t[] = {
		{ 0xf746, 0x000e0602, 0x000f0602 },
		{ 0x1111, 0x00000602, 0x00000602 },
		{ 0x5555, 0x0e0e0e0e, 0x0e0e0e0e },
		{ 0x9999, 0x0f0f0f0f, 0x0f0f0f0f },
	};
	struct fx_port *p = *state;

	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		put_id_led(p, t[i].word);
		fx_start(p, NULL);
		assert_int_equal(rte_eth_led_on(p->id), 0);
		assert_int_equal(ledctl(p), t[i].on);
		assert_int_equal(rte_eth_led_off(p->id), 0);
		assert_int_equal(ledctl(p), t[i].off);
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
	}
	/* Digits 3 (leave, off), 6 (on, off), 7 (off, leave), 4 (on, leave), low LED last. */
	put_id_led(p, 0x3674);
	fx_start(p, NULL);
	assert_int_equal(rte_eth_led_on(p->id), 0);
	assert_int_equal(ledctl(p), 0x0f0f0602);
	assert_int_equal(rte_eth_led_off(p->id), 0);
	assert_int_equal(ledctl(p), 0x0f0e0f0e);
}

/* 82574: "on" is "on with a link"; without one the LED is inverted (§4.3). */
static void
test_82574_lights_up_without_a_link(void **state)
{
	static struct fx_port port;

	(void)state;
	fx_open(&port, "82574l", NULL);
	fx_start(&port, NULL);
	assert_int_equal(rte_eth_led_on(port.id), 0);
	assert_int_equal(ledctl(&port) >> 16, 0x0e0f);
	assert_int_equal(pw_model_fault(port.model, PW_FAULT_LINK_DOWN, 1), 0);
	assert_int_equal(rte_eth_led_on(port.id), 0);
	assert_int_equal(ledctl(&port) >> 16, 0x4e0f);
	assert_int_equal(rte_eth_led_off(port.id), 0);
	assert_int_equal(ledctl(&port) >> 16, 0x0f0f);
	fx_close(&port);
}

static void
test_removed_card_has_no_led(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_REMOVED, 1), 0);
	assert_int_equal(e1000_led_on(&rte_eth_devices[p->id]), -ENODEV);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_REMOVED, 0), 0);
}

/* --- parts without a model ------------------------------------------------------------------- */

/* The driver's ops want an ethdev; these two look at nothing of it but the private data. */
static struct rte_eth_dev *
ethdev_of_card(void)
{
	static struct e1000_adapter ad;
	static struct rte_eth_dev_data data;
	static struct rte_eth_dev eth;

	memcpy(&ad.hw, &card_hw, sizeof(ad.hw));
	rte_spinlock_init(&ad.link_lock);
	data.dev_private = &ad;
	eth.data = &data;
	return &eth;
}

static void
test_one_led_on_a_pin(void **state)
{
	static const struct {
		uint16_t device;
		bool low;	/* the pin lights it when 0 */
	} t[] = {
		{ 0x1004, false }, { 0x1001, false },	/* 82543, copper and fibre */
		{ 0x1008, true }, { 0x1009, false },	/* 82544, copper and fibre */
		{ 0x1011, true }, { 0x105f, true },	/* fibre of 82545, 82571 */
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		card_init(t[i].device);
		R(E1000_CTRL) = 0x40;
		assert_int_equal(e1000_led_on(ethdev_of_card()), 0);
		assert_int_equal(R(E1000_CTRL), t[i].low ? 0x400040 : 0x440040);
		assert_int_equal(e1000_led_off(ethdev_of_card()), 0);
		assert_int_equal(R(E1000_CTRL), t[i].low ? 0x440040 : 0x400040);
		assert_int_equal(R(E1000_LEDCTL), 0);
	}
}

static void
test_backplane_has_none(void **state)
{
	(void)state;
	card_init(0x1028);
	assert_int_equal(e1000_led_on(ethdev_of_card()), -ENOTSUP);
	assert_int_equal(e1000_led_off(ethdev_of_card()), -ENOTSUP);
}

/* 82541: smart power-down would put the LED to sleep with the PHY (§7). */
static void
test_82541_phy_is_kept_awake(void **state)
{
	(void)state;
	card_init(0x1076);
	card.eerd = true;
	R(E1000_EECD) |= E1000_EECD_TYPE;
	assert_int_equal(e1000_nvm_check(&card_hw), 0);
	card.phy[E1000_IGP_GMII_FIFO] = 0x38;
	assert_int_equal(e1000_led_on(ethdev_of_card()), 0);
	assert_int_equal(card.phy[E1000_IGP_GMII_FIFO], 0x18);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, fx_port_setup, fx_port_teardown)
	const struct CMUnitTest tests[] = {
		T(blank_board_uses_led_3),
		T(board_says_what_its_leds_do),
		cmocka_unit_test(test_82574_lights_up_without_a_link),
		T(removed_card_has_no_led),
		cmocka_unit_test(test_one_led_on_a_pin),
		cmocka_unit_test(test_backplane_has_none),
		cmocka_unit_test(test_82541_phy_is_kept_awake),
	};

	return cmocka_run_group_tests_name("e1000_led", tests, fx_setup, fx_teardown);
}
