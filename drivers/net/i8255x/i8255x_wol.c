/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Wake-on-LAN by magic packet, by the device argument wol=magic: armed when the port is closed,
 * and off again when a port starts. The card must keep its address and its PHY awake; whether
 * the machine wakes is up to its firmware and to auxiliary power.
 *
 * The wake-up unit is behind one bit of Configure, which the chip opens by itself at reset, and
 * what it saw is in PMDR, until that is written back (§7).
 */

#include <string.h>

#include <pw_pci.h>

#include "i8255x.h"

#define LIST_TIMEOUT_US	100000
#define LIST_STEP_US	10

/* The chip must know how, the board be wired for it, and the bus be able to tell (§4.1). */
bool
i8255x_can_wake(const struct i8255x_hw *hw)
{
	return (hw->flags & I8255X_F_MAGIC) != 0 && (hw->nvm_id & I8255X_NVM_ID_WOL) != 0 &&
	       pw_pci_cap(hw->dev, PW_PCI_CAP_PM) != 0;
}

static void
clear_events(const struct i8255x_hw *hw)
{
	if (hw->flags & I8255X_F_PMDR)
		pw_write8(hw->io, I8255X_PMDR, pw_read8(hw->io, I8255X_PMDR));
}

/* A port that runs must not raise power management events for its own traffic. */
void
i8255x_wol_off(struct i8255x_hw *hw)
{
	uint32_t cap = pw_pci_cap(hw->dev, PW_PCI_CAP_PM);

	hw->wake = false;
	clear_events(hw);
	if (cap != 0)
		pw_pci_modify16(hw->dev, cap + PW_PCI_PM_CONTROL, PW_PCI_PM_PME_EN,
				PW_PCI_PM_PME_STATUS);
}

/*
 * Configure, with the bit open, and the station address. The queues may be gone, and their circle
 * of blocks with them: this is a list of its own, of two.
 */
static int
tell_chip(struct i8255x_adapter *ad)
{
	struct i8255x_ctl *ctl = ad->ctl.va;
	const uint32_t base = (uint32_t)ad->ctl.addr;
	volatile uint16_t *status = &ctl->ia.cb.status;
	int rc;

	i8255x_config_build(&ad->hw, ctl->config.byte);
	ctl->config.cb = (struct i8255x_cb){
		.cmd = rte_cpu_to_le_16(I8255X_OP_CONFIG),
		.link = rte_cpu_to_le_32(base + offsetof(struct i8255x_ctl, ia)),
	};
	ctl->ia.cb = (struct i8255x_cb){ .cmd = rte_cpu_to_le_16(I8255X_OP_IA | I8255X_CMD_EL) };
	memcpy(ctl->ia.mac, ad->hw.mac.addr_bytes, sizeof(ctl->ia.mac));
	rc = i8255x_load_bases(&ad->hw);
	if (rc == 0)
		rc = i8255x_command(&ad->hw, I8255X_CUC_START,
				    base + offsetof(struct i8255x_ctl, config));
	for (uint32_t us = 0; rc == 0 && (*status & rte_cpu_to_le_16(I8255X_CB_C)) == 0;
	     us += LIST_STEP_US) {
		if (us >= LIST_TIMEOUT_US)
			return i8255x_gone(&ad->hw) ? -ENODEV : -ETIMEDOUT;
		rte_delay_us(LIST_STEP_US);
	}
	return rc;
}

/**
 * Let a magic packet wake the machine. The port is stopped and the chip has been reset; the
 * memory of its control commands is still there, and not used afterwards.
 *
 * @return 0; -ENOTSUP for a card that cannot wake; the chip's or the PHY's error. One log line.
 */
int
i8255x_wol_arm(struct rte_eth_dev *eth)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	struct i8255x_hw *hw = &ad->hw;
	uint32_t cap;
	int rc;

	if (!i8255x_can_wake(hw)) {
		PW_LOG(ERR, "%s: wol=magic: this card cannot wake the machine", ad->dev.name);
		return -ENOTSUP;
	}
	hw->wake = true;
	hw->loopback = false;
	hw->promisc = false;
	hw->allmulti = false;
	rte_spinlock_lock(&ad->link_lock);
	rc = i8255x_link_setup(hw);
	rte_spinlock_unlock(&ad->link_lock);
	rte_spinlock_lock(&hw->scb_lock);
	if (rc == 0)
		rc = tell_chip(ad);
	rte_spinlock_unlock(&hw->scb_lock);
	if (rc != 0) {
		PW_LOG(ERR, "%s: wol=magic: not armed (%s)", ad->dev.name, rte_strerror(-rc));
		return rc;
	}
	clear_events(hw);
	cap = pw_pci_cap(hw->dev, PW_PCI_CAP_PM);
	pw_pci_modify16(hw->dev, cap + PW_PCI_PM_CONTROL, 0,
			PW_PCI_PM_PME_EN | PW_PCI_PM_PME_STATUS);
	return 0;
}
