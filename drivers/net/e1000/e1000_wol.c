/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Wake-on-LAN by magic packet (§2.5), by the device argument wol=magic: armed when the port is
 * closed, and off again when a port starts. The card must keep its address and its PHY awake;
 * whether the machine wakes is up to its firmware and to auxiliary power.
 */

#include "e1000.h"

#define PCI_CAP_PM		0x01
#define PM_CONTROL		0x04	/* from the capability */
#define PM_CONTROL_PME_EN	0x0100
#define PM_CONTROL_PME_STATUS	0x8000	/* cleared by writing 1 */

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
	cap = e1000_pci_cap(hw, PCI_CAP_PM);
	if (cap != 0)
		e1000_pci_modify16(hw, cap + PM_CONTROL, 0,
				   PM_CONTROL_PME_EN | PM_CONTROL_PME_STATUS);
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
