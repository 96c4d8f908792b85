/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Self-test at attach, by the device argument selftest=1: does the card do what a card must,
 * before anybody trusts it with traffic? The EEPROM's sum has been checked by then. The PHY has
 * to be the one that the part comes with, registers have to keep each pattern, alone and all
 * together, and frames have to come back through loopback as they were sent. Nothing leaves the
 * card. Half a second, and a reset at the end; up to two seconds more where the card is an
 * emulated one that is slow to receive.
 */

#include <string.h>

#include <e1000_desc.h>

#include "e1000.h"

static int
failed(const struct e1000_hw *hw, const char *what)
{
	PW_LOG(ERR, "%s: self-test: %s; power-cycle the card, and replace it if this stays",
	       hw->dev->name, what);
	return -EIO;
}

/* --- PHY ---------------------------------------------------------------------------------- */

/* The last digit is a revision, but for BM. 82571 and 82572 keep theirs to themselves (§1.1). */
static bool
phy_fits(const struct e1000_hw *hw)
{
	uint32_t id = hw->phy_id & ~E1000_PHY_ID_REV_MASK;

	switch (hw->variant->phy) {
	case E1000_PHY_BM:
		return id == (E1000_PHY_ID_BM & ~E1000_PHY_ID_REV_MASK);
	case E1000_PHY_IGP:
		return (hw->flags & E1000_F_PCIE) || id == E1000_PHY_ID_IGP01;
	default:
		return id == E1000_PHY_ID_M88E1011 || id == E1000_PHY_ID_M88E1000_INT ||
		       id == E1000_PHY_ID_M88E1000_EXT || id == E1000_PHY_ID_M88E1111;
	}
}

/* --- registers ---------------------------------------------------------------------------- */

static const struct {
	uint32_t off, mask;
} patterns[] = {
	{ E1000_RDBAL(0), E1000_RDBAL_MASK }, { E1000_RDBAH(0), UINT32_MAX },
	{ E1000_RDLEN(0), E1000_RDLEN_MASK }, { E1000_TDBAL(0), E1000_TDBAL_MASK },
	{ E1000_TDBAH(0), UINT32_MAX }, { E1000_TDLEN(0), E1000_TDLEN_MASK },
};

static bool
registers_keep(const struct e1000_hw *hw)
{
	static const uint32_t values[] = { 0, UINT32_MAX, 0x55555555, 0xaaaaaaaa };

	for (unsigned int i = 0; i < RTE_DIM(patterns); i++) {
		for (unsigned int k = 0; k < RTE_DIM(values); k++) {
			pw_write32(hw->io, patterns[i].off, values[k] & patterns[i].mask);
			if (((pw_read32(hw->io, patterns[i].off) ^ values[k]) &
			     patterns[i].mask) != 0)
				return false;
		}
	}
	return true;
}

/* Each word of a table says where it is: an address line that is stuck shows. */
static bool
table_keeps(const struct e1000_hw *hw)
{
	bool good = true;

	for (uint32_t i = 0; i < E1000_MTA_NUM; i++) {
		pw_write32(hw->io, E1000_MTA(i), i * 0x01010101u ^ 0xa5a5a5a5u);
		e1000_flush(hw);
	}
	for (uint32_t i = 0; i < E1000_MTA_NUM; i++)
		good &= pw_read32(hw->io, E1000_MTA(i)) == (i * 0x01010101u ^ 0xa5a5a5a5u);
	return good;
}

/* --- frames ------------------------------------------------------------------------------- */

#define RING_LEN	8	/* descriptors; the chip wants 128 bytes at least (§6) */
#define BUF_LEN		2048
#define LOOP_TRIES	1000
#define LOOP_STEP_US	100
#define WAKE_TRIES	20	/* of 100 ms each */

/* One piece of memory: rings and buffers. */
struct loop {
	struct e1000_rxd rx[RING_LEN];
	struct e1000_txd tx[RING_LEN];
	uint8_t out[BUF_LEN] __rte_aligned(64);
	uint8_t in[BUF_LEN] __rte_aligned(64);
};

#define LOOP_ADDR(zone, member) \
	rte_cpu_to_le_64((zone)->addr + offsetof(struct loop, member))

static void
loop_start(struct e1000_hw *hw, const struct pw_dma_zone *zone)
{
	const struct pw_io *io = hw->io;
	struct loop *loop = zone->va;
	uint32_t tctl = E1000_TCTL_EN | E1000_TCTL_PSP | E1000_TCTL_CT(0x0f) |
			E1000_TCTL_COLD(0x40);
	uint64_t rx = zone->addr + offsetof(struct loop, rx);
	uint64_t tx = zone->addr + offsetof(struct loop, tx);

	memset(loop, 0, sizeof(*loop));
	for (unsigned int i = 0; i < RING_LEN; i++)
		loop->rx[i].addr = LOOP_ADDR(zone, in);
	pw_write32(io, E1000_RDBAL(0), (uint32_t)rx);
	pw_write32(io, E1000_RDBAH(0), (uint32_t)(rx >> 32));
	pw_write32(io, E1000_RDLEN(0), sizeof(loop->rx));
	pw_write32(io, E1000_RDH(0), 0);
	pw_write32(io, E1000_RDT(0), 0);
	pw_write32(io, E1000_TDBAL(0), (uint32_t)tx);
	pw_write32(io, E1000_TDBAH(0), (uint32_t)(tx >> 32));
	pw_write32(io, E1000_TDLEN(0), sizeof(loop->tx));
	pw_write32(io, E1000_TDH(0), 0);
	pw_write32(io, E1000_TDT(0), 0);
	/*
	 * PCI Express parts want this bit in both (§2.4). Descriptors here are the legacy ones and
	 * there is one queue; a driver before us may have wanted it otherwise, and not every
	 * device forgets that by a reset (§1.3).
	 */
	if (hw->flags & E1000_F_PCIE) {
		pw_modify32(io, E1000_TXDCTL(0), 0, E1000_TXDCTL_COUNT_DESC);
		pw_modify32(io, E1000_RFCTL, E1000_RFCTL_EXTEN, 0);
		pw_write32(io, E1000_MRQC, 0);
	}
	pw_write32(io, E1000_TIPG, E1000_TIPG_VALUE(8, 8, 6));
	hw->bsize = E1000_RCTL_BSIZE_2048;
	e1000_set_rx_mode(hw);
	pw_write32(io, E1000_RDT(0), RING_LEN - 1);
	/* TARC1.28 was set for it (§7). */
	if (hw->flags & E1000_F_PCIE)
		tctl |= E1000_TCTL_MULR;
	pw_write32(io, E1000_TCTL, tctl);
}

/* Put a frame of `len` bytes, the `n`th to be received, on the Tx ring as its `k`th. */
static void
loop_send(const struct e1000_hw *hw, const struct pw_dma_zone *zone, uint32_t k, uint32_t n,
	  uint32_t len)
{
	struct loop *loop = zone->va;

	rte_ether_addr_copy(&hw->mac, (struct rte_ether_addr *)loop->out);
	rte_ether_addr_copy(&hw->mac, (struct rte_ether_addr *)(loop->out + RTE_ETHER_ADDR_LEN));
	loop->out[12] = 0x88;	/* for local experiments (IEEE 802) */
	loop->out[13] = 0xb5;
	for (uint32_t i = RTE_ETHER_HDR_LEN; i < len; i++)
		loop->out[i] = i * 7 + n;
	memset(loop->in, 0, sizeof(loop->in));
	loop->tx[k % RING_LEN].addr = LOOP_ADDR(zone, out);
	loop->tx[k % RING_LEN].cmd = rte_cpu_to_le_64(E1000_TXD_DATA_LAST | E1000_TXD_RS | len);
	pw_write32(hw->io, E1000_TDT(0), (k + 1) % RING_LEN);
}

/* Whether the `n`th frame comes back within 100 ms as it was sent. */
static bool
loop_receive(const struct pw_dma_zone *zone, uint32_t n, uint32_t len)
{
	struct loop *loop = zone->va;
	volatile struct e1000_rxd *rxd = &loop->rx[n];
	uint64_t wb = 0;

	for (unsigned int i = 0; i < LOOP_TRIES; i++) {
		wb = rte_le_to_cpu_64(rxd->wb);
		if (wb & (uint64_t)E1000_RXD_DD << E1000_RXD_STATUS_SHIFT)
			break;
		rte_delay_us(LOOP_STEP_US);
	}
	/* DD was read before, length and data are read after this. */
	rte_io_rmb();
	return (wb & (uint64_t)E1000_RXD_DD << E1000_RXD_STATUS_SHIFT) != 0 &&
	       (wb & (uint64_t)E1000_RXD_FRAME_ERRORS << E1000_RXD_ERRORS_SHIFT) == 0 &&
	       E1000_RXD_LEN(wb) == len && memcmp(loop->in, loop->out, len) == 0;
}

/*
 * QEMU's 8254x throws away what it receives within a second of a write to RCTL (§1.3): before the
 * frames that count, send one until it comes back. A card needs one try.
 * @return frames sent, 0 if none came back.
 */
static uint32_t
loop_wake(const struct e1000_hw *hw, const struct pw_dma_zone *zone)
{
	uint32_t tries = hw->flags & E1000_F_PCIE ? 1 : WAKE_TRIES;

	for (uint32_t k = 0; k < tries; k++) {
		/* A transmitter that has not let go of the one before is not asleep but dead. */
		if (pw_read32(hw->io, E1000_TDH(0)) != k % RING_LEN)
			return 0;
		loop_send(hw, zone, k, 0, RTE_ETHER_MIN_LEN);
		if (loop_receive(zone, 0, RTE_ETHER_MIN_LEN))
			return k + 1;
	}
	return 0;
}

static bool
frames_return(struct e1000_hw *hw, const struct pw_dma_zone *zone)
{
	static const uint32_t lens[] = { 60, 61, 64, 128, 1024, 1514 };
	uint32_t sent;
	bool good;

	e1000_quirks(hw);
	e1000_set_rar(hw, 0, &hw->mac);
	if (e1000_link_setup(hw) != 0)
		return false;
	loop_start(hw, zone);
	sent = loop_wake(hw, zone);
	good = sent != 0;
	for (uint32_t n = 0; n < RTE_DIM(lens) && good; n++) {
		loop_send(hw, zone, sent + n, 1 + n, lens[n]);
		good = loop_receive(zone, 1 + n, lens[n]);
	}
	return good;
}

static int
frames_test(struct e1000_adapter *ad)
{
	struct e1000_hw *hw = &ad->hw;
	struct pw_dma_zone zone;
	char name[RTE_MEMZONE_NAMESIZE];
	bool good;
	int rc;

	snprintf(name, sizeof(name), "e1000_test_%.16s", hw->dev->name);
	rc = pw_dma_zone_alloc(&ad->dma, name, sizeof(struct loop), E1000_DESC_LEN_ALIGN, &zone);
	if (rc != 0) {
		PW_LOG(ERR, "%s: self-test: no memory for its rings (%s): give EAL more (-m)",
		       hw->dev->name, rte_strerror(-rc));
		return rc;
	}
	hw->loopback = true;
	good = frames_return(hw, &zone);
	/* Only after reset does the chip let go of the memory. */
	rc = e1000_reset(hw);
	hw->loopback = false;
	hw->bsize = 0;
	pw_dma_zone_free(&zone);
	if (!good)
		return failed(hw, "frames do not come back through loopback as they were sent");
	return rc;
}

/**
 * Test the card; it is reset afterwards.
 *
 * @return 0; -EIO if it fails, after one log line; -ENOMEM.
 */
int
e1000_selftest(struct e1000_adapter *ad)
{
	struct e1000_hw *hw = &ad->hw;
	int rc;

	if (hw->media == E1000_MEDIA_COPPER && !phy_fits(hw))
		return failed(hw, "the PHY is not one that this part comes with");
	if (!registers_keep(hw) || !table_keeps(hw))
		return failed(hw, "registers do not keep what is written to them");
	rc = e1000_reset(hw);
	if (rc == 0)
		rc = frames_test(ad);
	if (rc == 0)
		PW_LOG(NOTICE, "%s: self-test passed: EEPROM, PHY, registers, loopback",
		       hw->dev->name);
	return rc;
}
