/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The LED by which a port is found in a rack (§4.3).
 *
 * Copper parts drive four LEDs by LEDCTL, a byte each. Which of them a board has, and what they
 * are to do when software says on or off, is in EEPROM word 4: four bits an LED, one digit of
 * three for "off" (leave, on, off) and one of three for "on", counted from 1. 82543, 82544 and
 * fibre have one LED on a pin. Reset and start give the LEDs back to the link.
 */

#include "e1000.h"

/* A board that does not say: LED 3 on and off, LED 2 off; with the other value, LED 2 alone. */
#define ID_LED_DEFAULT		0x8911
#define ID_LED_82573		0x1811
#define ID_LED_USE_82573	0xf746

enum { LED_LEAVE, LED_ON, LED_OFF };

static int
id_led(struct e1000_hw *hw, uint16_t *word)
{
	int rc = e1000_read_nvm(hw, E1000_NVM_ID_LED, 1, word);

	if (*word == 0 || *word == E1000_NVM_UNUSED)
		*word = ID_LED_DEFAULT;
	if (*word == ID_LED_USE_82573)
		*word = ID_LED_82573;
	return rc;
}

static int
led_by_register(struct e1000_hw *hw, bool on)
{
	bool link = (pw_read32(hw->io, E1000_STATUS) & E1000_STATUS_LU) != 0;
	uint32_t clear = 0, set = 0;
	uint16_t word;
	int rc = id_led(hw, &word);

	if (rc == 0)
		rc = e1000_phy_keep_awake(hw);
	if (rc != 0)
		return rc;
	for (unsigned int led = 0; led < 4; led++) {
		uint32_t code = word >> 4 * led & 0xf, want, mode;

		if (code < 1 || code > 9)
			continue;
		want = on ? (code - 1) % 3 : (code - 1) / 3;
		if (want == LED_LEAVE)
			continue;
		mode = want == LED_ON ? E1000_LEDCTL_MODE_ON : E1000_LEDCTL_MODE_OFF;
		/* Where "on" needs a link, "on" the other way round does not. */
		if (want == LED_ON && on && !link && (hw->flags & E1000_F_LED_INVERT))
			mode |= E1000_LEDCTL_IVRT;
		clear |= 0xffu << E1000_LEDCTL_SHIFT(led);
		set |= mode << E1000_LEDCTL_SHIFT(led);
	}
	pw_modify32(hw->io, E1000_LEDCTL, clear, set);
	return 0;
}

static int
led_by_pin(struct e1000_hw *hw, bool on)
{
	bool low = hw->media == E1000_MEDIA_COPPER ? (hw->flags & E1000_F_LED_LOW) != 0 :
						     (hw->flags & E1000_F_LED_PIN) == 0;

	pw_modify32(hw->io, E1000_CTRL, E1000_CTRL_SWDPIN0,
		    E1000_CTRL_SWDPIO0 | (on != low ? E1000_CTRL_SWDPIN0 : 0));
	return 0;
}

static int
led(struct rte_eth_dev *eth, bool on)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	struct e1000_hw *hw = &ad->hw;
	int rc;

	if (hw->media == E1000_MEDIA_SERDES)
		return -ENOTSUP;
	if (e1000_gone(hw))
		return -ENODEV;
	/* CTRL and the PHY are the link's as well. */
	rte_spinlock_lock(&ad->link_lock);
	rc = hw->media == E1000_MEDIA_FIBER || (hw->flags & E1000_F_LED_PIN) ?
		     led_by_pin(hw, on) : led_by_register(hw, on);
	rte_spinlock_unlock(&ad->link_lock);
	return rc;
}

int
e1000_led_on(struct rte_eth_dev *eth)
{
	return led(eth, true);
}

int
e1000_led_off(struct rte_eth_dev *eth)
{
	return led(eth, false);
}
