/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The chip without its data path: variants, reset, station addresses, filters, errata.
 * § is the project's facts page of the family.
 *
 * The family is one register map with ten years of steppings under it. What differs is not
 * the map but how to touch it: how a reset has to be written so that it is acknowledged, how
 * long the chip is deaf afterwards, which of three ways leads to the EEPROM, which writes get
 * lost in a bridge. Each such difference is a flag or a field of one table row below; no code
 * asks which chip it is.
 *
 * Life of a card, as this file sees it:
 *
 *	hw_init		find the row, drop the flags that this bus or card rules out
 *	reset		quiet, reset, wait as long as the row says
 *	nvm_check	the EEPROM holds what the chip configured itself with: sum it
 *	read_mac	words 0 to 2; the second port of a card flips a bit
 *	quirks		what the errata want, after every reset
 *	init_rx_addrs	reset forgets the filters: put them back from their shadows
 *	set_rx_mode	turn the receiver on, or change its filters
 *
 * A card may vanish at any time (a hot-plug slot, a crashed guest host, a sleeping link): every
 * read then gives all ones. Each wait ends, and what reads all ones is never taken for a value.
 */

#include <string.h>

#include <pw_pci.h>

#include "e1000.h"

/* --- variants --- */

#define DMA_LIMITS(seg, bound) \
	{ .addr_bits = 64, .align = 1, .boundary = (bound), .max_segs = 0, .max_seg_len = (seg) }

/*
 * 8254x: the chip takes 16288 bytes a descriptor, but its FIFO check of PCI parts was only
 * ever relied on up to 4096 (§6); later parts 8192.
 */
#define PCI_DMA		.dma = DMA_LIMITS(4096, 0)
#define PCI_DMA_64K	.dma = DMA_LIMITS(4096, 65536)
#define PCIE_DMA	.dma = DMA_LIMITS(8192, 0)

/* 8254x may corrupt a frame that it pads itself; later parts pad from 17 bytes up (§6). */
#define PCI_COMMON	.max_frame = 16128, .min_tx = 60, .nb_rar = 15
#define PCIE_COMMON	.max_desc = 4096, .max_frame = 9234, .min_tx = 17

#define F_COMMON	(E1000_F_CSUM | E1000_F_EECD_REQ | E1000_F_DELAY_TIMERS)
#define F_PCI		(F_COMMON | E1000_F_TSO | E1000_F_ERR_TSO_REPORT)
#define F_PCIX_TX	E1000_F_ERR_FIRST_2015
#define F_PCIE		(F_COMMON | E1000_F_TSO | E1000_F_PCIE | E1000_F_EXT_RXD)

static const struct e1000_variant variants[E1000_MAC_NUM] = {
	[E1000_MAC_82543] = {
		.name = "82543",
		/* Errata 14, 15, 35 (§7.0): no checksums, no segmentation, no WTHRESH. */
		.flags = E1000_F_MDIO_PINS | E1000_F_SW_LINK | E1000_F_SIGNAL_LOW | E1000_F_EE_RST |
			 E1000_F_LED_PIN | E1000_F_ERR_WTHRESH | E1000_F_ERR_EXTENDED,
		.reset = E1000_RESET_MMIO, .reset_ms = 2,
		.nvm = E1000_NVM_MICROWIRE, .phy = E1000_PHY_M88, .rx_pba_kb = 40,
		PCI_COMMON, .max_desc = 256, PCI_DMA,
	},
	[E1000_MAC_82544] = {
		.name = "82544",
		/* Its alignment errata and segmentation do not go together. */
		.flags = E1000_F_CSUM | E1000_F_EE_RST | E1000_F_LED_PIN | E1000_F_LED_LOW |
			 E1000_F_ERR_WTHRESH | E1000_F_ERR_EVEN_DWORD | E1000_F_ERR_VFTA_PAIR |
			 E1000_F_ERR_MMRBC | F_PCIX_TX,
		.reset = E1000_RESET_IO, .reset_ms = 2,
		.nvm = E1000_NVM_MICROWIRE, .phy = E1000_PHY_M88, .rx_pba_kb = 40,
		PCI_COMMON, .max_desc = 4096, PCI_DMA,
	},
	[E1000_MAC_82540] = {
		.name = "82540",
		.flags = F_PCI | E1000_F_CLEAR_ARP,
		.reset = E1000_RESET_IO, .reset_ms = 5,
		.nvm = E1000_NVM_EERD_SMALL, .phy = E1000_PHY_M88, .rx_pba_kb = 40,
		PCI_COMMON, .max_desc = 4096, PCI_DMA,
	},
	[E1000_MAC_82545] = {
		.name = "82545",
		.flags = F_PCI | E1000_F_CLEAR_ARP | E1000_F_ERR_64K |
			 E1000_F_ERR_MMRBC | F_PCIX_TX,
		.reset = E1000_RESET_IO, .reset_ms = 5,
		.nvm = E1000_NVM_EERD_SMALL, .phy = E1000_PHY_M88, .rx_pba_kb = 40,
		PCI_COMMON, .max_desc = 4096, PCI_DMA_64K,
	},
	[E1000_MAC_82545_REV3] = {
		.name = "82545 rev 3",
		.flags = F_PCI | E1000_F_CLEAR_ARP | F_PCIX_TX,
		.reset = E1000_RESET_CTRL_DUP, .reset_ms = 5,
		.nvm = E1000_NVM_EERD_SMALL, .phy = E1000_PHY_M88, .rx_pba_kb = 40,
		PCI_COMMON, .max_desc = 4096, PCI_DMA,
	},
	[E1000_MAC_82546] = {
		.name = "82546",
		.flags = F_PCI | E1000_F_CLEAR_ARP | E1000_F_PORT_MAC |
			 E1000_F_ERR_64K | E1000_F_ERR_MMRBC | F_PCIX_TX,
		.reset = E1000_RESET_IO, .reset_ms = 5,
		.nvm = E1000_NVM_EERD_SMALL, .phy = E1000_PHY_M88, .rx_pba_kb = 40,
		PCI_COMMON, .max_desc = 4096, PCI_DMA_64K,
	},
	[E1000_MAC_82546_REV3] = {
		.name = "82546 rev 3",
		.flags = F_PCI | E1000_F_CLEAR_ARP | E1000_F_PORT_MAC | F_PCIX_TX,
		.reset = E1000_RESET_CTRL_DUP, .reset_ms = 5,
		.nvm = E1000_NVM_EERD_SMALL, .phy = E1000_PHY_M88, .rx_pba_kb = 40,
		PCI_COMMON, .max_desc = 4096, PCI_DMA,
	},
	[E1000_MAC_82541] = {
		.name = "82541",
		.flags = F_PCI | E1000_F_CLEAR_ARP | E1000_F_PHY_RST_FIRST | E1000_F_IGP_OLD,
		.reset = E1000_RESET_IO, .reset_ms = 20,
		.nvm = E1000_NVM_EERD_ANY, .phy = E1000_PHY_IGP, .rx_pba_kb = 40,
		PCI_COMMON, .max_desc = 4096, PCI_DMA,
	},
	[E1000_MAC_82541_REV2] = {
		.name = "82541 rev 2",
		.flags = F_PCI | E1000_F_CLEAR_ARP | E1000_F_IGP_DSP,
		.reset = E1000_RESET_IO, .reset_ms = 20,
		.nvm = E1000_NVM_EERD_ANY, .phy = E1000_PHY_IGP, .rx_pba_kb = 40,
		PCI_COMMON, .max_desc = 4096, PCI_DMA,
	},
	[E1000_MAC_82547] = {
		.name = "82547",
		/* Its Tx FIFO is too small to be trusted with segmentation. */
		.flags = F_COMMON | E1000_F_CLEAR_ARP | E1000_F_PHY_RST_FIRST | E1000_F_IGP_OLD |
			 E1000_F_IGP_FUSE | E1000_F_ERR_HALF,
		.reset = E1000_RESET_MMIO, .reset_ms = 20,
		.nvm = E1000_NVM_EERD_ANY, .phy = E1000_PHY_IGP, .rx_pba_kb = 22, .fifo_kb = 18,
		PCI_COMMON, .max_desc = 4096, PCI_DMA,
	},
	[E1000_MAC_82547_REV2] = {
		.name = "82547 rev 2",
		.flags = F_COMMON | E1000_F_CLEAR_ARP | E1000_F_IGP_DSP,
		.reset = E1000_RESET_MMIO, .reset_ms = 20,
		.nvm = E1000_NVM_EERD_ANY, .phy = E1000_PHY_IGP, .rx_pba_kb = 22,
		PCI_COMMON, .max_desc = 4096, PCI_DMA,
	},
	[E1000_MAC_82571] = {
		.name = "82571",
		.flags = F_PCIE | E1000_F_RSS | E1000_F_PORT_MAC | E1000_F_SWSM |
			 E1000_F_SWSM2 | E1000_F_ERR_DMA_CLOCK | E1000_F_ERR_TARC |
			 E1000_F_ERR_TARC_SPEED | E1000_F_ERR_ECC | E1000_F_ERR_IPV6_EXT |
			 E1000_F_ERR_RAR0 | E1000_F_ERR_ASPM_L1 | E1000_F_ERR_TSO_HEADER,
		.reset = E1000_RESET_MMIO, .reset_ms = 1,
		.nvm = E1000_NVM_EERD_LARGE, .phy = E1000_PHY_IGP, .rx_pba_kb = 32,
		PCIE_COMMON, .nb_rar = 14, PCIE_DMA,
	},
	[E1000_MAC_82572] = {
		.name = "82572",
		.flags = F_PCIE | E1000_F_RSS | E1000_F_SWSM | E1000_F_SWSM2 |
			 E1000_F_ERR_DMA_CLOCK | E1000_F_ERR_TARC | E1000_F_ERR_TARC_SPEED |
			 E1000_F_ERR_IPV6_EXT | E1000_F_ERR_ASPM_L1 | E1000_F_ERR_TSO_HEADER,
		.reset = E1000_RESET_MMIO, .reset_ms = 1,
		.nvm = E1000_NVM_EERD_LARGE, .phy = E1000_PHY_IGP, .rx_pba_kb = 32,
		PCIE_COMMON, .nb_rar = 15, PCIE_DMA,
	},
	[E1000_MAC_82573] = {
		.name = "82573",
		.flags = F_PCIE | E1000_F_RSS | E1000_F_SWSM | E1000_F_EXTCNF_RESET |
			 E1000_F_SWSM_LOAD | E1000_F_LINK_MODE | E1000_F_EEWR |
			 E1000_F_ERR_IPV6_EXT | E1000_F_ERR_ASPM_L0S | E1000_F_ERR_ASPM_L1 |
			 E1000_F_ERR_NO_JUMBO | E1000_F_ERR_TSO_HEADER,
		.reset = E1000_RESET_MMIO, .reset_ms = 25,
		.nvm = E1000_NVM_EERD_LARGE, .phy = E1000_PHY_M88, .rx_pba_kb = 12,
		PCIE_COMMON, .nb_rar = 15, PCIE_DMA,
	},
	[E1000_MAC_82574] = {
		.name = "82574",
		.flags = F_PCIE | E1000_F_RSS | E1000_F_TSYNC | E1000_F_EXTCNF_RESET |
			 E1000_F_EXTCNF_PHY | E1000_F_IVAR | E1000_F_LINK_MODE |
			 E1000_F_EEWR | E1000_F_LED_INVERT | E1000_F_ERR_TARC_26 |
			 E1000_F_ERR_NO_RX_OFF | E1000_F_ERR_PHY_HANG |
			 E1000_F_ERR_ASPM_L0S | E1000_F_ERR_ASPM_L1,
		.reset = E1000_RESET_MMIO, .reset_ms = 25,
		.nvm = E1000_NVM_EERD_LARGE, .phy = E1000_PHY_BM, .rx_pba_kb = 20,
		PCIE_COMMON, .nb_rar = 15, PCIE_DMA,
	},
	[E1000_MAC_82583] = {
		.name = "82583",
		.flags = F_PCIE | E1000_F_TSYNC | E1000_F_EXTCNF_RESET | E1000_F_EXTCNF_PHY |
			 E1000_F_LINK_MODE | E1000_F_EEWR | E1000_F_LED_INVERT |
			 E1000_F_ERR_TARC_26 |
			 E1000_F_ERR_NO_RX_OFF | E1000_F_ERR_ASPM_L0S,
		.reset = E1000_RESET_MMIO, .reset_ms = 25,
		.nvm = E1000_NVM_EERD_LARGE, .phy = E1000_PHY_BM, .rx_pba_kb = 20,
		PCIE_COMMON, .nb_rar = 15, PCIE_DMA,
	},
};

/* What a board adds to, or takes from, its chip's flags. */
static const struct {
	uint16_t device;
	uint64_t set, clear;
} boards[] = {
	{ 0x101D, E1000_F_ERR_RELAXED, 0 },	/* quad cards (§7) */
	{ 0x1099, E1000_F_ERR_RELAXED, 0 },
	{ 0x10B5, E1000_F_ERR_RELAXED, 0 },
	{ 0x109A, 0, E1000_F_ERR_NO_JUMBO },	/* 82573L does jumbo frames (§1.2) */
};

static const struct e1000_variant *
find_variant(const struct rte_pci_id *id, enum e1000_media *media)
{
#define ROW(dev, mac, title, med) { dev, E1000_MAC_##mac, E1000_MEDIA_##med },
	static const struct {
		uint16_t device;
		uint8_t mac, media;
	} ids[] = { E1000_ID_TABLE(ROW) };
#undef ROW

	if (id->vendor_id != E1000_VENDOR_ID)
		return NULL;
	for (unsigned int i = 0; i < RTE_DIM(ids); i++) {
		if (ids[i].device == id->device_id) {
			*media = ids[i].media;
			return &variants[ids[i].mac];
		}
	}
	return NULL;
}

/* --- PCI configuration space --- */

/* Errata that are cured from configuration space; reset does not touch it (§5.1). */
static void
pci_quirks(const struct e1000_hw *hw)
{
	uint16_t aspm = (hw->flags & E1000_F_ERR_ASPM_L0S ? PW_PCI_LINK_L0S : 0) |
			(hw->flags & E1000_F_ERR_ASPM_L1 ? PW_PCI_LINK_L1 : 0);
	uint32_t cap;

	if (aspm != 0) {
		cap = pw_pci_cap(hw->dev, PW_PCI_CAP_EXPRESS);
		if (cap != 0)
			pw_pci_modify16(hw->dev, cap + PW_PCI_LINK_CONTROL, aspm, 0);
	}
	if (hw->flags & E1000_F_ERR_MMRBC) {
		cap = pw_pci_cap(hw->dev, PW_PCI_CAP_PCIX);
		if (cap != 0 && (pw_pci_read16(hw->dev, cap + PW_PCI_PCIX_COMMAND) &
				 PW_PCI_PCIX_MMRBC_MASK) > PW_PCI_PCIX_MMRBC_2K)
			pw_pci_modify16(hw->dev, cap + PW_PCI_PCIX_COMMAND,
					PW_PCI_PCIX_MMRBC_MASK, PW_PCI_PCIX_MMRBC_2K);
	}
}

/* A reset of the slot or function turns bus mastering off, and what the errata want on. */
void
e1000_pci_restore(const struct e1000_hw *hw)
{
	pw_pci_modify16(hw->dev, PW_PCI_COMMAND, 0, PW_PCI_COMMAND_MEMORY | PW_PCI_COMMAND_MASTER);
	pci_quirks(hw);
}

/* --- before anything else --- */

/* The I/O BAR is 32 or 64 bytes; its number differs with the width of BAR 0 (§9.1). */
static const struct pw_io *
io_bar(const struct pw_dev *dev)
{
	for (unsigned int i = 1; i < PW_MAX_BARS; i++)
		if (dev->bar[i].len >= 8 && dev->bar[i].len <= 64)
			return &dev->bar[i];
	return NULL;
}

int
e1000_hw_init(struct e1000_hw *hw, const struct pw_dev *dev)
{
	uint32_t status;

	memset(hw, 0, sizeof(*hw));
	hw->dev = dev;
	hw->io = &dev->bar[0];
	hw->port = io_bar(dev);
	hw->variant = find_variant(&dev->id, &hw->media);
	if (hw->variant == NULL)
		return -ENODEV;
	hw->row = *hw->variant;
	hw->variant = &hw->row;
	if (hw->io->len < E1000_REG_BAR_SIZE) {
		PW_LOG(ERR, "%s: register window (BAR 0) is %u bytes, not %u: check that the "
			    "device is bound to vfio-pci or a uio driver", dev->name, hw->io->len,
			    E1000_REG_BAR_SIZE);
		return -ENXIO;
	}
	status = pw_read32(hw->io, E1000_STATUS);
	if (status == UINT32_MAX) {
		PW_LOG(ERR, "%s: registers read all ones: the card is asleep, in reset or gone; "
			    "re-seat it or power-cycle the slot, then bind it again", dev->name);
		return -ENODEV;
	}
	hw->tpid = RTE_ETHER_TYPE_VLAN;
	hw->flags = hw->variant->flags;
	for (unsigned int i = 0; i < RTE_DIM(boards); i++)
		if (boards[i].device == dev->id.device_id)
			hw->flags = (hw->flags | boards[i].set) & ~boards[i].clear;
	/* Only its way from a copper PHY has this (§7). */
	if (hw->media != E1000_MEDIA_COPPER)
		hw->flags &= ~E1000_F_ERR_EXTENDED;
	/* These two bite in PCI-X mode only (§6). */
	if ((status & E1000_STATUS_PCIX) == 0)
		hw->flags &= ~(E1000_F_ERR_EVEN_DWORD | E1000_F_ERR_FIRST_2015);
	pci_quirks(hw);
	e1000_fc_init(hw);
	return 0;
}

uint32_t
e1000_max_frame(const struct e1000_hw *hw)
{
	return hw->flags & E1000_F_ERR_NO_JUMBO ? RTE_ETHER_MAX_VLAN_FRAME_LEN :
						  hw->variant->max_frame;
}

/* --- reset (§5.1) --- */

#define QUIET_MS		10
#define RST_TIMEOUT_US		100000
#define GIO_TIMEOUT_US		80000
#define AUTO_RD_TIMEOUT_US	10000
#define EXTCNF_TRIES		10

/*
 * Firmware and driver share the MII of 82573 and later; who sets the bit and reads it back
 * set, owns it.
 */
int
e1000_extcnf_lock(const struct e1000_hw *hw)
{
	for (unsigned int i = 0; i < EXTCNF_TRIES; i++) {
		pw_modify32(hw->io, E1000_EXTCNF_CTRL, 0, E1000_EXTCNF_CTRL_MDIO_SW_OWN);
		if (pw_read32(hw->io, E1000_EXTCNF_CTRL) & E1000_EXTCNF_CTRL_MDIO_SW_OWN)
			return 0;
		rte_delay_ms(2);
	}
	return -EBUSY;
}

/* Writing CTRL.RST: some parts lose it in a 64-bit burst unless it comes through I/O space. */
static void
write_reset(const struct e1000_hw *hw, uint32_t ctrl)
{
	ctrl |= E1000_CTRL_RST;
	switch (hw->variant->reset) {
	case E1000_RESET_IO:
		if (hw->port != NULL) {
			pw_write32(hw->port, E1000_IO_ADDR, E1000_CTRL);
			pw_write32(hw->port, E1000_IO_DATA, ctrl);
			return;
		}
		pw_write32(hw->io, E1000_CTRL, ctrl);
		return;
	case E1000_RESET_CTRL_DUP:
		pw_write32(hw->io, E1000_CTRL_DUP, ctrl);
		return;
	case E1000_RESET_MMIO:
		pw_write32(hw->io, E1000_CTRL, ctrl);
		return;
	}
}

/* No DMA may be under way when reset strikes, or the bus is left with half a transaction. */
static void
quiesce(struct e1000_hw *hw)
{
	const struct pw_io *io = hw->io;

	pw_write32(io, E1000_IMC, UINT32_MAX);
	if ((hw->flags & E1000_F_ERR_NO_RX_OFF) == 0)
		pw_write32(io, E1000_RCTL, 0);
	pw_write32(io, E1000_TCTL, E1000_TCTL_PSP);
	e1000_flush(hw);
	hw->rctl = 0;
	rte_delay_ms(QUIET_MS);
	if (hw->flags & E1000_F_PCIE) {
		pw_modify32(io, E1000_CTRL, 0, E1000_CTRL_GIO_DISABLE);
		/* Reset goes ahead all the same: nothing better is left to do. */
		pw_wait32(io, E1000_STATUS, E1000_STATUS_GIO_ENABLE, 0, GIO_TIMEOUT_US, 100);
	}
	/* The packet buffer is cut anew at reset, so its split is written before (§5.2). */
	if ((pw_read32(io, E1000_PBA) & E1000_PBA_RX_MASK) != hw->variant->rx_pba_kb)
		pw_write32(io, E1000_PBA, hw->variant->rx_pba_kb);
	if (hw->flags & E1000_F_PHY_RST_FIRST) {
		pw_modify32(io, E1000_CTRL, 0, E1000_CTRL_PHY_RST);
		e1000_flush(hw);
		rte_delay_ms(5);
	}
}

/* What the chip does by itself after reset, and what it leaves on. */
static int
after_reset(struct e1000_hw *hw)
{
	const struct pw_io *io = hw->io;

	if (hw->flags & E1000_F_EE_RST) {
		pw_modify32(io, E1000_CTRL_EXT, 0, E1000_CTRL_EXT_EE_RST);
		e1000_flush(hw);
		rte_delay_ms(2);
	}
	if (hw->flags & E1000_F_PCIE) {
		if (pw_wait32(io, E1000_EECD, E1000_EECD_AUTO_RD, E1000_EECD_AUTO_RD,
			      AUTO_RD_TIMEOUT_US, 1000) != 0)
			return -EIO;
		pw_modify32(io, E1000_EECD, E1000_EECD_REQ | E1000_EECD_GNT, 0);
	}
	if (hw->flags & E1000_F_CLEAR_ARP)
		pw_modify32(io, E1000_MANC, E1000_MANC_ARP_EN, 0);
	pw_write32(io, E1000_IMC, UINT32_MAX);
	(void)pw_read32(io, E1000_ICR);
	return 0;
}

static void
reset_failed(const struct e1000_hw *hw, int rc)
{
	const char *what = "reset does not complete";

	if (rc == -ENODEV)
		what = "registers read all ones: the card is asleep or gone";
	else if (rc == -EIO)
		what = "the EEPROM was not loaded after reset";
	PW_LOG(ERR, "%s: %s; power-cycle the card, and replace it if this stays", hw->dev->name,
	       what);
}

int
e1000_reset(struct e1000_hw *hw)
{
	const struct pw_io *io = hw->io;
	bool owned = false;
	uint32_t ctrl;
	int rc;

	quiesce(hw);
	if (hw->flags & E1000_F_EXTCNF_RESET)
		owned = e1000_extcnf_lock(hw) == 0;
	ctrl = pw_read32(io, E1000_CTRL);
	if (ctrl != UINT32_MAX)
		write_reset(hw, ctrl & ~E1000_CTRL_PHY_RST);
	/* No register may be touched for a microsecond, and none is any use before this (§5.1). */
	rte_delay_ms(hw->variant->reset_ms);
	rc = pw_wait32(io, E1000_CTRL, E1000_CTRL_RST, 0, RST_TIMEOUT_US, 1000);
	if (rc == 0)
		rc = after_reset(hw);
	if (owned)
		pw_modify32(io, E1000_EXTCNF_CTRL, E1000_EXTCNF_CTRL_MDIO_SW_OWN, 0);
	if (rc != 0)
		reset_failed(hw, rc);
	return rc;
}

/* --- station addresses and filters --- */

void
e1000_set_rar(struct e1000_hw *hw, uint32_t index, const struct rte_ether_addr *mac)
{
	const uint8_t *a = mac->addr_bytes;
	uint32_t low = a[0] | a[1] << 8 | a[2] << 16 | (uint32_t)a[3] << 24;
	uint32_t high = a[4] | a[5] << 8;

	hw->rar[index] = *mac;
	if (low != 0 || high != 0)
		high |= E1000_RAH_AV;
	/* Not valid while half of it is new. */
	pw_write32(hw->io, E1000_RAH(index), 0);
	e1000_flush(hw);
	pw_write32(hw->io, E1000_RAL(index), low);
	e1000_flush(hw);
	pw_write32(hw->io, E1000_RAH(index), high);
	e1000_flush(hw);
	/* The copy still matches when the other port's reset has put the EEPROM's in RAR0 (§7). */
	if (index == 0 && (hw->flags & E1000_F_ERR_RAR0))
		e1000_set_rar(hw, hw->variant->nb_rar, mac);
}

/* The other port's reset puts the EEPROM's address in RAR0 (§7): look, and put ours back. */
void
e1000_keep_rar0(struct e1000_hw *hw)
{
	const struct rte_ether_addr mac = hw->rar[0];
	uint32_t low = mac.addr_bytes[0] | mac.addr_bytes[1] << 8 | mac.addr_bytes[2] << 16 |
		       (uint32_t)mac.addr_bytes[3] << 24;
	uint32_t high = mac.addr_bytes[4] | mac.addr_bytes[5] << 8;

	if ((hw->flags & E1000_F_ERR_RAR0) == 0 ||
	    (pw_read32(hw->io, E1000_RAL(0)) == low &&
	     (pw_read32(hw->io, E1000_RAH(0)) & E1000_RAH_ADDR_MASK) == high))
		return;
	e1000_set_rar(hw, 0, &mac);
}

void
e1000_set_vfta(struct e1000_hw *hw, uint32_t index)
{
	pw_write32(hw->io, E1000_VFTA(index), hw->vfta[index]);
	e1000_flush(hw);
	if ((hw->flags & E1000_F_ERR_VFTA_PAIR) && (index & 1)) {
		pw_write32(hw->io, E1000_VFTA(index - 1), hw->vfta[index - 1]);
		e1000_flush(hw);
	}
}

/* Replace the multicast filter: 12 bits of an address name one of 4096 bits (§2.3, MO = 0). */
void
e1000_set_mta(struct e1000_hw *hw, const struct rte_ether_addr *mc, uint32_t n)
{
	memset(hw->mta, 0, sizeof(hw->mta));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t word = mc[i].addr_bytes[5] << 8 | mc[i].addr_bytes[4];
		uint32_t hash = word >> 4 & E1000_MTA_HASH_MASK;

		hw->mta[hash >> 5] |= UINT32_C(1) << (hash & 31);
	}
	for (uint32_t i = 0; i < E1000_MTA_NUM; i++) {
		pw_write32(hw->io, E1000_MTA(i), hw->mta[i]);
		e1000_flush(hw);
	}
}

/* Everything that reset has emptied (§5.2 steps 3 to 5). */
void
e1000_init_rx_addrs(struct e1000_hw *hw)
{
	pw_write32(hw->io, E1000_VET, hw->tpid);
	for (uint32_t i = 0; i < E1000_VFTA_NUM; i++)
		e1000_set_vfta(hw, i);
	for (uint32_t i = 0; i < E1000_MTA_NUM; i++) {
		pw_write32(hw->io, E1000_MTA(i), hw->mta[i]);
		e1000_flush(hw);
	}
	for (uint32_t i = 0; i < hw->variant->nb_rar; i++)
		e1000_set_rar(hw, i, &hw->rar[i]);
}

/*
 * Bring RCTL to what the port's state asks for. Only when it differs: QEMU's model stops
 * receiving for a second at each write (§1.3).
 */
void
e1000_set_rx_mode(struct e1000_hw *hw)
{
	uint32_t rctl = E1000_RCTL_EN | E1000_RCTL_BAM | hw->bsize;

	if (hw->promisc)
		rctl |= E1000_RCTL_UPE | E1000_RCTL_MPE;
	if (hw->allmulti)
		rctl |= E1000_RCTL_MPE;
	if (hw->vlan_filter)
		rctl |= E1000_RCTL_VFE;
	if (hw->long_frames)
		rctl |= E1000_RCTL_LPE;
	if (!hw->keep_crc)
		rctl |= E1000_RCTL_SECRC;
	/* The chip takes extended frames for bad ones, and so have to be stored (§7). */
	if ((hw->flags & E1000_F_ERR_EXTENDED) && hw->link.speed == RTE_ETH_SPEED_NUM_1G &&
	    !hw->loopback)
		rctl |= E1000_RCTL_SBP;
	rctl |= hw->fc.forward ? E1000_RCTL_PMCF : E1000_RCTL_DPF;
	rctl |= e1000_loopback_rctl(hw);
	if (rctl == hw->rctl)
		return;
	hw->rctl = rctl;
	pw_write32(hw->io, E1000_RCTL, rctl);
	e1000_flush(hw);
}

/* CTRL.VME turns on stripping on receive and, with it, insertion on transmit (§9.4). */
void
e1000_set_vme(struct e1000_hw *hw, bool on)
{
	pw_modify32(hw->io, E1000_CTRL, E1000_CTRL_VME, on ? E1000_CTRL_VME : 0);
}

/* Tell the management firmware that a driver is, or is no longer, at the wheel. */
void
e1000_driver_loaded(struct e1000_hw *hw, bool on)
{
	if ((hw->flags & E1000_F_PCIE) == 0)
		return;
	if (hw->flags & E1000_F_SWSM_LOAD)
		pw_modify32(hw->io, E1000_SWSM, E1000_SWSM_DRV_LOAD | E1000_SWSM_SMBI,
			    on ? E1000_SWSM_DRV_LOAD : 0);
	else
		pw_modify32(hw->io, E1000_CTRL_EXT, E1000_CTRL_EXT_DRV_LOAD,
			    on ? E1000_CTRL_EXT_DRV_LOAD : 0);
}

/* --- errata that live in registers; after every reset (§7) --- */

void
e1000_quirks(struct e1000_hw *hw)
{
	const struct pw_io *io = hw->io;
	const uint32_t tarc_2326 = E1000_TARC_BIT23 | E1000_TARC_BIT24 | E1000_TARC_BIT25 |
				   E1000_TARC_BIT26;

	if (hw->flags & E1000_F_ERR_RELAXED)
		pw_modify32(io, E1000_CTRL_EXT, 0, E1000_CTRL_EXT_RO_DIS);
	if (hw->flags & E1000_F_ERR_DMA_CLOCK)
		pw_modify32(io, E1000_CTRL_EXT, E1000_CTRL_EXT_DMA_DYN_CLK_EN, 0);
	if (hw->flags & E1000_F_ERR_ECC)
		pw_modify32(io, E1000_PBA_ECC, 0, E1000_PBA_ECC_CORR_EN);
	if (hw->flags & E1000_F_ERR_IPV6_EXT)
		pw_modify32(io, E1000_RFCTL, 0,
			    E1000_RFCTL_IPV6_EX_DIS | E1000_RFCTL_NEW_IPV6_EXT_DIS);
	if (hw->flags & E1000_F_PCIE)
		pw_modify32(io, E1000_TARC(0), E1000_TARC_MBZ,
			    hw->flags & E1000_F_ERR_TARC ? tarc_2326 :
			    hw->flags & E1000_F_ERR_TARC_26 ? E1000_TARC_BIT26 : 0);
	/* TARC1.28 is the opposite of TCTL.MULR, which the transmitter is started with. */
	if (hw->flags & E1000_F_ERR_TARC)
		pw_modify32(io, E1000_TARC(1), 3u << 29 | E1000_TARC_BIT28,
			    E1000_TARC_BIT22 | E1000_TARC_BIT24 | E1000_TARC_BIT25 |
			    E1000_TARC_BIT26);
	if (hw->flags & E1000_F_ERR_TARC_26) {
		pw_modify32(io, E1000_GCR, 0, E1000_GCR_BIT22 | E1000_GCR_L1_WITHOUT_L0S_RX);
		pw_modify32(io, E1000_GCR2, 0, E1000_GCR2_CPL_FIX);
	}
	if (hw->flags & E1000_F_LINK_MODE) {
		pw_modify32(io, E1000_CTRL, E1000_CTRL_MBZ29, 0);
		pw_modify32(io, E1000_CTRL_EXT, E1000_CTRL_EXT_LINK_MODE_MASK,
			    1u << E1000_CTRL_EXT_LINK_MODE_SHIFT);
	}
	/* No moderation, no delay: nobody waits for an interrupt (§5.5), and RDTR hangs 82543. */
	pw_write32(io, E1000_RDTR, 0);
	if (hw->flags & E1000_F_DELAY_TIMERS) {
		pw_write32(io, E1000_RADV, 0);
		pw_write32(io, E1000_ITR, 0);
	}
	if (hw->flags & E1000_F_IVAR)
		pw_write32(io, E1000_IVAR, E1000_IVAR_VALID << E1000_IVAR_OTHER_SHIFT);
}
