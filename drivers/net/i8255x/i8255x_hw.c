/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The chip without its data path: variants, reset, self-test, commands to its two units. § is
 * the project's facts page of the family.
 *
 * Fifteen years of one register block. There is little in it: a byte by which two units, for
 * commands (CU) and for reception (RU), are told to start, go on or stop, and a pointer that
 * goes with it. All else, the settings included, are blocks in memory that the units read. What
 * differs between the steps of the silicon is what a block may say; each such difference is a
 * flag of a row below, and no code asks which chip it is.
 *
 * Life of a card, as this file and its neighbours see it (§5.1):
 *
 *	hw_init		wake it up, find the row
 *	reset		stop both units, then everything; interrupts off, bus mastering on
 *	nvm_init	EEPROM: what the board has, and which errata it rules out
 *	read_mac
 *	selftest	if asked for; the chip resets itself
 *	phy_init	find the PHY
 *	wol_off		what woke the machine must not wake it again
 *	load_bases	pointers are addresses
 *
 * A card may vanish at any time: every read then gives all ones. Each wait ends, and what reads
 * all ones is never taken for a value.
 */

#include <string.h>

#include <pw_pci.h>

#include "i8255x.h"

/* --- variants --- */

/* A TBD's size has 14 bits. Odd addresses are only partly supported (§6). */
#define DMA	.dma = { .addr_bits = 32, .align = 2, .max_seg_len = I8255X_TBD_SIZE_MASK }
#define SHORT	.max_frame = I8255X_MAX_FRAME, DMA
#define LONG	.max_frame = I8255X_MAX_FRAME_LONG, DMA

#define F_557	(I8255X_F_EXT_PHY | I8255X_F_ERR_LOCKUP | I8255X_F_ERR_NO_SPACE)
#define F_558	(I8255X_F_EXT_TCB | I8255X_F_LONG | I8255X_F_FC | I8255X_F_EXT_STATS | \
		 I8255X_F_MWI | I8255X_F_PMDR | I8255X_F_MAGIC)
#define F_559	(F_558 | I8255X_F_TCO_STATS | I8255X_F_GEN_STATUS)
#define F_550	(F_559 | I8255X_F_IPCB | I8255X_F_ERR_STANDBY | I8255X_F_ERR_TINY_CSUM)

/* Parts that their revision tells apart, in that order (§1.1). */
static const struct {
	uint8_t revision;
	struct i8255x_variant row;
} revisions[] = {
	{ I8255X_REV_82557_A, { .name = "82557 A", .flags = F_557, SHORT } },
	{ I8255X_REV_82557_B, { .name = "82557 B", .flags = F_557, SHORT } },
	{ I8255X_REV_82557_C, { .name = "82557 C", .flags = F_557, SHORT } },
	{ I8255X_REV_82558_A, { .name = "82558 A", .flags = F_558, LONG } },
	{ I8255X_REV_82558_B, { .name = "82558 B", .flags = F_558, LONG } },
	/* Drivers trust the first two steps of 82559 with what an 82558 does, no more (§1.1). */
	{ I8255X_REV_82559_A, { .name = "82559 A", .flags = F_558, LONG } },
	{ I8255X_REV_82559_B, { .name = "82559 B", .flags = F_558, LONG } },
	{ I8255X_REV_82559_C, {
		.name = "82559 C",
		.flags = F_559 | I8255X_F_RX_SUM | I8255X_F_ERR_STANDBY, LONG } },
	{ I8255X_REV_82559_ER, {
		.name = "82559 S/ER",
		.flags = F_559 | I8255X_F_RX_SUM | I8255X_F_ERR_STANDBY, LONG } },
	{ I8255X_REV_82550, { .name = "82550", .flags = F_550, LONG } },
	{ I8255X_REV_82550_C, {
		.name = "82550 C", .flags = F_550 | I8255X_F_ERR_FRAGMENTS, LONG } },
	{ I8255X_REV_82551_E, { .name = "82551 E", .flags = F_550, LONG } },
	{ I8255X_REV_82551_F, {
		.name = "82551 F", .flags = F_550 | I8255X_F_ERR_UCODE, LONG } },
	{ I8255X_REV_82551_10, {
		.name = "82551 10", .flags = F_550 | I8255X_F_ERR_UCODE, LONG } },
};

/* The MACs in hubs are 82559 C with the PHY outside (§1.1). */
static const struct i8255x_variant ich = {
	.name = "82801 (ICH)",
	.flags = F_559 | I8255X_F_RX_SUM | I8255X_F_ICH | I8255X_F_ERR_10_HALF, LONG
};

/* What a device id adds to, or takes from, its chip's flags. */
static const struct {
	uint16_t device;
	uint64_t set, clear;
} devices[] = {
	/* Embedded parts do not wake; 82559ER has no checksum, and of 82551ER it is unused. */
	{ I8255X_DEV_82559ER, 0, I8255X_F_MAGIC | I8255X_F_RX_SUM },
	/* ICH2 and ICH3: erratum 30 of the 82801BA (§7). */
	{ 0x2449, I8255X_F_ERR_STANDBY, 0 },
	{ 0x2459, I8255X_F_ERR_STANDBY, 0 },
	{ 0x245D, I8255X_F_ERR_STANDBY, 0 },
	{ 0x1031, I8255X_F_ERR_STANDBY, 0 },
	{ 0x1032, I8255X_F_ERR_STANDBY, 0 },
	{ 0x1033, I8255X_F_ERR_STANDBY, 0 },
	{ 0x1034, I8255X_F_ERR_STANDBY, 0 },
	{ 0x1035, I8255X_F_ERR_STANDBY, 0 },
	{ 0x1036, I8255X_F_ERR_STANDBY, 0 },
	{ 0x1037, I8255X_F_ERR_STANDBY, 0 },
	{ 0x1038, I8255X_F_ERR_STANDBY, 0 },
};

static bool
is_ich(uint16_t device)
{
#define REV	false
#define ICH	true
#define ROW(dev, kind, title) { dev, kind },
	static const struct {
		uint16_t device;
		bool ich;
	} ids[] = { I8255X_ID_TABLE(ROW) };
#undef ROW
#undef ICH
#undef REV

	for (unsigned int i = 0; i < RTE_DIM(ids); i++)
		if (ids[i].device == device)
			return ids[i].ich;
	return false;
}

/* A step that the table does not know does what the one before it did. */
static const struct i8255x_variant *
find_variant(uint16_t device, uint8_t revision)
{
	const struct i8255x_variant *row = &revisions[0].row;

	if (is_ich(device))
		return &ich;
	if (revision == I8255X_REV_UNKNOWN)
		return row;
	for (unsigned int i = 0; i < RTE_DIM(revisions); i++)
		if (revisions[i].revision <= revision)
			row = &revisions[i].row;
	return row;
}

static void
set_row(struct i8255x_hw *hw, const struct i8255x_variant *row)
{
	hw->row = *row;
	hw->flags = row->flags;
	for (unsigned int i = 0; i < RTE_DIM(devices); i++)
		if (devices[i].device == hw->dev->id.device_id)
			hw->flags = (hw->flags | devices[i].set) & ~devices[i].clear;
}

/* The EEPROM may know better than the revision id (§1.1). */
void
i8255x_be_82557(struct i8255x_hw *hw)
{
	if ((hw->flags & (I8255X_F_EXT_PHY | I8255X_F_ICH)) != 0)
		return;
	PW_LOG(NOTICE, "%s: its EEPROM says that this %s is an 82557: taken for one",
	       hw->dev->name, hw->row.name);
	set_row(hw, find_variant(hw->dev->id.device_id, I8255X_REV_82557_C));
}

/* --- before anything else --- */

#define IO_BAR_MIN	0x20	/* some have 32 bytes of I/O (§1.1) */

static void
pci_wake(const struct pw_dev *dev)
{
	uint32_t cap = pw_pci_cap(dev, PW_PCI_CAP_PM);

	if (cap == 0 ||
	    (pw_pci_read16(dev, cap + PW_PCI_PM_CONTROL) & PW_PCI_PM_STATE_MASK) == 0)
		return;
	pw_pci_modify16(dev, cap + PW_PCI_PM_CONTROL,
			PW_PCI_PM_STATE_MASK | PW_PCI_PM_PME_STATUS, 0);
	rte_delay_ms(PW_PCI_PM_D0_MS);
}

/* Whole cache lines are written only where the bus was set up for it (§3.2, byte 3). */
static bool
pci_mwi(const struct pw_dev *dev)
{
	uint8_t line = 0;

	if ((pw_pci_read16(dev, PW_PCI_COMMAND) & PW_PCI_COMMAND_MWI) == 0)
		return false;
	return dev->cfg_read(dev, &line, 1, PW_PCI_CACHE_LINE) == 0 && line != 0;
}

/**
 * Find out what the device is; memory and chip are touched only to see that there is one.
 *
 * @return 0; -ENXIO without a register window; -ENODEV if it reads all ones, or is none of ours.
 */
int
i8255x_hw_init(struct i8255x_hw *hw, const struct pw_dev *dev)
{
	memset(hw, 0, sizeof(*hw));
	hw->dev = dev;
	hw->phy_addr = I8255X_NO_PHY;
	hw->tx_threshold = I8255X_TX_THRESHOLD_MAX;
	rte_spinlock_init(&hw->scb_lock);
	if (dev->id.vendor_id != I8255X_VENDOR_ID)
		return -ENODEV;
	hw->io = dev->bar[0].len >= I8255X_CSR_SIZE ? &dev->bar[0] : &dev->bar[1];
	if (hw->io->len < IO_BAR_MIN) {
		PW_LOG(ERR, "%s: neither BAR 0 nor BAR 1 holds registers: check that the device is "
			    "bound to vfio-pci or a uio driver", dev->name);
		return -ENXIO;
	}
	set_row(hw, find_variant(dev->id.device_id, dev->revision));
	pci_wake(dev);
	if (i8255x_gone(hw)) {
		PW_LOG(ERR, "%s: registers read all ones: the card is asleep, in reset or gone; "
			    "re-seat it or power-cycle the slot, then bind it again", dev->name);
		return -ENODEV;
	}
	if (!pci_mwi(dev))
		hw->flags &= ~I8255X_F_MWI;
	if (hw->flags & I8255X_F_ERR_UCODE)
		PW_LOG(INFO, "%s: %s: inline receive has a fault that only Intel's microcode "
			     "cures, which is not part of this driver; it is not used",
		       dev->name, hw->row.name);
	i8255x_fc_init(hw);
	return 0;
}

/* --- reset (§2.5, §5.1) --- */

#define RESET_US		20	/* twice what the manual wants */
#define IDLE_TIMEOUT_US		2000
#define IDLE_STEP_US		10
#define SELFTEST_STEP_US	100
#define COMMAND_FAST		20	/* looks without a pause: a microsecond is usual */
#define COMMAND_TIMEOUT_US	100000
#define COMMAND_STEP_US		5

static void
port(const struct i8255x_hw *hw, uint32_t val)
{
	pw_write32(hw->io, I8255X_PORT, val);
	i8255x_flush(hw);
	rte_delay_us(RESET_US);
}

/* Wait for the masked bits of the status byte to be clear: units idle. */
static int
wait_idle(const struct i8255x_hw *hw, uint8_t mask)
{
	for (uint32_t us = 0;; us += IDLE_STEP_US) {
		if ((pw_read8(hw->io, I8255X_STATUS) & mask) == 0)
			return 0;
		if (i8255x_gone(hw))
			return -ENODEV;
		if (us >= IDLE_TIMEOUT_US)
			return -ETIMEDOUT;
		rte_delay_us(IDLE_STEP_US);
	}
}

/**
 * Reset the chip: it forgets configuration, addresses and lists. Interrupts are off afterwards,
 * bus mastering is on. First the units alone, so that no DMA is under way when all state goes.
 *
 * @return 0; -ENODEV; -ETIMEDOUT if a unit does not come to rest.
 */
int
i8255x_reset(struct i8255x_hw *hw)
{
	int rc;

	port(hw, I8255X_PORT_SELECTIVE);
	port(hw, I8255X_PORT_RESET);
	/* Reset leaves them unmasked (§2.4). */
	pw_write8(hw->io, I8255X_INT_CTRL, I8255X_INT_M);
	rc = wait_idle(hw, I8255X_STATUS_CUS_MASK | I8255X_STATUS_RUS_MASK);
	if (rc == 0)
		rc = i8255x_wait_command(hw);
	if (rc == -ETIMEDOUT)
		PW_LOG(ERR, "%s: reset failed: status 0x%02x, command 0x%02x; power-cycle the "
			    "card",
		       hw->dev->name, pw_read8(hw->io, I8255X_STATUS),
		       pw_read8(hw->io, I8255X_CMD));
	if (rc == 0)
		pw_pci_modify16(hw->dev, PW_PCI_COMMAND, 0,
				PW_PCI_COMMAND_MEMORY | PW_PCI_COMMAND_MASTER);
	return rc;
}

/* What is read may change until it is there; the result is written after the signature. */
static int
selftest_wait(const struct i8255x_hw *hw, const volatile struct i8255x_selftest *buf)
{
	for (uint32_t us = 0; buf->signature == 0 || buf->result == UINT32_MAX;
	     us += SELFTEST_STEP_US) {
		if (us >= I8255X_SELFTEST_MS * 1000)
			return i8255x_gone(hw) ? -ENODEV : -ETIMEDOUT;
		rte_delay_us(SELFTEST_STEP_US);
	}
	return 0;
}

/**
 * Let the chip test itself (§2.5). It resets itself after that: call i8255x_reset() next.
 *
 * @param buf
 *   Memory that the chip can write.
 * @param addr
 *   Its device address, a multiple of 16.
 * @return 0; -EIO if something failed; -ETIMEDOUT if it does not answer; -ENODEV. One log line.
 */
int
i8255x_selftest(struct i8255x_hw *hw, struct i8255x_selftest *buf, uint32_t addr)
{
	uint32_t result;
	int rc;

	buf->signature = 0;
	buf->result = UINT32_MAX;
	port(hw, addr | I8255X_PORT_SELFTEST);
	rc = selftest_wait(hw, buf);
	rte_delay_us(RESET_US);
	/* Interrupts are unmasked after the test as after any reset (§7). */
	pw_write8(hw->io, I8255X_INT_CTRL, I8255X_INT_M);
	i8255x_flush(hw);
	result = rte_le_to_cpu_32(buf->result);
	if (rc == 0 && result == 0)
		return 0;
	if (rc == 0)
		PW_LOG(ERR, "%s: self-test failed, 0x%08x:%s%s%s%s; replace the card",
		       hw->dev->name, result, result & I8255X_SELFTEST_ROM ? " ROM" : "",
		       result & I8255X_SELFTEST_REGISTER ? " registers" : "",
		       result & I8255X_SELFTEST_DIAGNOSE ? " diagnose" : "",
		       result & I8255X_SELFTEST_GENERAL ? " general" : "");
	else
		PW_LOG(ERR, "%s: self-test does not end (%s); power-cycle the card",
		       hw->dev->name, rte_strerror(-rc));
	return rc == 0 ? -EIO : rc;
}

/* --- commands (§2.3) --- */

/**
 * Wait until the chip has taken the last command: one written before that is lost.
 *
 * @return 0; -ETIMEDOUT; -ENODEV.
 */
int
i8255x_wait_command(const struct i8255x_hw *hw)
{
	uint32_t us = 0;

	for (unsigned int looks = 0;; looks++) {
		uint8_t cmd = pw_read8(hw->io, I8255X_CMD);

		if (cmd == 0)
			return 0;
		if (cmd == UINT8_MAX && i8255x_gone(hw))
			return -ENODEV;
		if (looks < COMMAND_FAST)
			continue;
		if (us >= COMMAND_TIMEOUT_US)
			return -ETIMEDOUT;
		rte_delay_us(COMMAND_STEP_US);
		us += COMMAND_STEP_US;
	}
}

static bool
takes_pointer(uint8_t command)
{
	switch (command) {
	case I8255X_CUC_START:
	case I8255X_CUC_DUMP_ADDR:
	case I8255X_CUC_LOAD_BASE:
	case I8255X_RUC_START:
	case I8255X_RUC_LOAD_BASE:
		return true;
	default:
		return false;
	}
}

/**
 * Give a command to one of the units, never to both (§2.3).
 *
 * @param command
 *   I8255X_CUC_* or I8255X_RUC_*.
 * @param pointer
 *   Its argument, where it takes one.
 * @return 0; -ETIMEDOUT if the last one was never taken; -ENODEV. scb_lock held.
 */
int
i8255x_command(const struct i8255x_hw *hw, uint8_t command, uint32_t pointer)
{
	int rc = i8255x_wait_command(hw);

	if (rc != 0)
		return rc;
	if (takes_pointer(command))
		pw_write32(hw->io, I8255X_POINTER, pointer);
	pw_write8(hw->io, I8255X_CMD, command);
	return 0;
}

/* With both bases 0, offsets in links and pointers are addresses (§3). scb_lock held. */
int
i8255x_load_bases(struct i8255x_hw *hw)
{
	int rc = i8255x_command(hw, I8255X_CUC_LOAD_BASE, 0);

	if (rc == 0)
		rc = i8255x_command(hw, I8255X_RUC_LOAD_BASE, 0);
	return rc != 0 ? rc : i8255x_wait_command(hw);
}

/* The status byte lags behind the command byte: wait for it as well (§2.1). scb_lock held. */
int
i8255x_abort_receive(struct i8255x_hw *hw)
{
	int rc = i8255x_command(hw, I8255X_RUC_ABORT, 0);

	if (rc == 0)
		rc = i8255x_wait_command(hw);
	return rc != 0 ? rc : wait_idle(hw, I8255X_STATUS_RUS_MASK);
}

/*
 * Whether a resume wants a NOP before it, with the link as it is (§7). One that was down when it
 * was looked at last may be up, and slow, by now.
 */
bool
i8255x_resume_wants_nop(const struct i8255x_hw *hw)
{
	bool slow = !hw->link.up || hw->link.speed == RTE_ETH_SPEED_NUM_10M;

	return slow && ((hw->flags & I8255X_F_ERR_STANDBY) != 0 ||
			((hw->flags & I8255X_F_ERR_10_HALF) != 0 && !hw->link.full_duplex));
}
