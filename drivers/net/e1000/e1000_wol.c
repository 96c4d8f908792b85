/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Wake-on-LAN by magic packet (§2.5), by the device argument wol=magic: armed when the port is
 * closed, and off again when a port starts. The card must keep its address and its PHY awake;
 * whether the machine wakes is up to its firmware and to auxiliary power.
 */

#include <pw_pci.h>

#include "e1000.h"

/* 82543 has no wake-up unit; light and backplanes are down when the machine is. */
bool
e1000_can_wake(const struct e1000_hw *hw)
{
	return hw->media == E1000_MEDIA_COPPER && (hw->flags & E1000_F_MDIO_PINS) == 0;
}

/* The chip has been reset: filters are empty and the PHY may be off. */
int
e1000_wol_arm(struct e1000_hw *hw)
{
	const struct rte_ether_addr mac = hw->rar[0];
	uint32_t cap;
	int rc;

	e1000_set_rar(hw, 0, &mac);
	hw->loopback = false;
	rc = e1000_link_setup(hw);
	if (hw->flags & E1000_F_DELAY_TIMERS)
		pw_modify32(hw->io, E1000_CTRL, 0, E1000_CTRL_ADVD3WUC |
			    E1000_CTRL_EN_PHY_PWR_MGMT);
	pw_write32(hw->io, E1000_WUFC, E1000_WUFC_MAG);
	pw_modify32(hw->io, E1000_WUC, 0, E1000_WUC_PME_EN | E1000_WUC_PME_STATUS);
	cap = pw_pci_cap(hw->dev, PW_PCI_CAP_PM);
	if (cap != 0)
		pw_pci_modify16(hw->dev, cap + PW_PCI_PM_CONTROL, 0,
				PW_PCI_PM_PME_EN | PW_PCI_PM_PME_STATUS);
	return rc;
}

/* A running port must not raise power management events for its own traffic. */
void
e1000_wol_off(const struct e1000_hw *hw)
{
	if (!e1000_can_wake(hw))
		return;
	pw_write32(hw->io, E1000_WUFC, 0);
	pw_modify32(hw->io, E1000_WUC, E1000_WUC_PME_EN, 0);
}
