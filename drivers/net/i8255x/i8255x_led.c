/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The LED by which a port is found in a rack. It is the PHY's (§4.3); start gives it back to the
 * link.
 */

#include "i8255x.h"

static int
led(struct rte_eth_dev *eth, enum i8255x_led what)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	int rc;

	if (i8255x_gone(&ad->hw))
		return -ENODEV;
	rte_spinlock_lock(&ad->link_lock);
	rc = i8255x_phy_led(&ad->hw, what);
	rte_spinlock_unlock(&ad->link_lock);
	return rc;
}

int
i8255x_led_on(struct rte_eth_dev *eth)
{
	return led(eth, I8255X_LED_ON);
}

int
i8255x_led_off(struct rte_eth_dev *eth)
{
	return led(eth, I8255X_LED_OFF);
}
