/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The Configure block (§3.2): all that the chip can be told about itself, in 22 bytes, 32 with
 * extended RFDs. It is made from what `hw` says, whole, each time something changes; reset makes
 * the chip forget it. What is 0 below is 0 because nothing is asked for.
 */

#include <string.h>

#include "i8255x.h"

/* Bytes in the receive FIFO before they go to memory: 8 times 4 (byte 1). */
#define RX_FIFO		8
/* A frame whose data came too late is sent again up to three times (byte 7). */
#define UNDERRUN_RETRIES (3u << I8255X_CFG7_UNDERRUN_SHIFT)
/* 96 bit times between frames, in 16s (byte 12). */
#define IFS		6
/* No PAUSE by priority (byte 18). */
#define PRI_OFF		7

static bool
is_serial(const struct i8255x_hw *hw)
{
	return hw->phy_addr == I8255X_NO_PHY;
}

static bool
is_ext(const struct i8255x_hw *hw)
{
	return hw->ext_rfd && (hw->flags & I8255X_F_IPCB) != 0;
}

/* Byte 6: which form of transmit blocks and of statistics the chip uses. */
static uint8_t
byte6(const struct i8255x_hw *hw)
{
	uint8_t val = I8255X_CFG6_RES1;

	if ((hw->flags & I8255X_F_EXT_TCB) == 0)
		val |= I8255X_CFG6_STD_TCB;
	/* 559: the standard set and TCO is all of it; 558: extended; 557: there is no other. */
	if (hw->flags & I8255X_F_TCO_STATS)
		val |= I8255X_CFG6_STD_STATS | I8255X_CFG6_TNO_TCO;
	else if ((hw->flags & I8255X_F_EXT_STATS) == 0)
		val |= I8255X_CFG6_STD_STATS;
	return val;
}

/* Byte 7: what is done with short frames and late data; the 550's formats. */
static uint8_t
byte7(const struct i8255x_hw *hw)
{
	uint8_t val = I8255X_CFG7_DISCARD_SHORT | UNDERRUN_RETRIES;

	if (is_ext(hw))
		val |= I8255X_CFG7_EXT_RFD;
	if (hw->ipcb && (hw->flags & I8255X_F_IPCB) != 0)
		val |= I8255X_CFG7_DYN_TBD;
	return val;
}

/* Byte 10: the driver's frames have their source address; seven bytes of preamble. */
static uint8_t
byte10(const struct i8255x_hw *hw)
{
	/* By the MAC, since PHYs in hubs do not loop (§7). */
	return I8255X_CFG10_FIXED | I8255X_CFG10_NSAI | I8255X_CFG10_PREAMBLE_7 |
	       (hw->loopback ? I8255X_CFG10_LOOP_MAC : I8255X_CFG10_LOOP_OFF);
}

/* Byte 15: which unicast frames are for us; how a carrier is sensed. */
static uint8_t
byte15(const struct i8255x_hw *hw)
{
	uint8_t val = I8255X_CFG15_FIXED;

	if (hw->promisc)
		val |= I8255X_CFG15_PROMISC;
	/* An 82503 shows a collision on a wire of its own. */
	if (is_serial(hw))
		val |= I8255X_CFG15_CRS_OR_CDT;
	return val;
}

/* Bytes 16 and 17: for how long a partner is to be quiet, in slots of 512 bits. */
static uint16_t
pause_time(const struct i8255x_hw *hw)
{
	if ((hw->flags & I8255X_F_FC) != 0 && hw->link.pause_tx)
		return hw->fc.pause_time;
	return I8255X_CFG17_FC_DELAY_HI << 8 | I8255X_CFG16_FC_DELAY_LO;
}

/* Byte 18: padding and CRC; frames with a VLAN tag are long ones. */
static uint8_t
byte18(const struct i8255x_hw *hw)
{
	uint8_t val = I8255X_CFG18_FIXED | PRI_OFF << I8255X_CFG18_PRI_SHIFT | I8255X_CFG18_PAD;

	if (hw->flags & I8255X_F_LONG)
		val |= I8255X_CFG18_LONG_OK;
	if (hw->keep_crc)
		val |= I8255X_CFG18_CRC;
	return val;
}

/* Byte 19: wake-up, flow control, duplex. */
static uint8_t
byte19(const struct i8255x_hw *hw)
{
	bool rx = hw->link.pause_rx, tx = hw->link.pause_tx;
	uint8_t val = I8255X_CFG19_FDX_PIN;

	/* Magic packets that come while this is open hang the receiver (§7). */
	if (!hw->wake || (hw->flags & I8255X_F_MAGIC) == 0)
		val |= I8255X_CFG19_NO_MAGIC;
	/* In loopback there may be no partner that the pin could tell of. */
	if (hw->force_duplex || hw->loopback)
		val |= I8255X_CFG19_FORCE_FDX;
	if ((hw->flags & I8255X_F_FC) == 0)
		return val;
	/* Obeying PAUSE stops the transmitter: hence the bit's name. */
	if (!rx)
		val |= I8255X_CFG19_NO_TX_FC;
	if (tx)
		val |= I8255X_CFG19_RX_FC_RESTOP |
		       (hw->fc.xon ? I8255X_CFG19_RX_FC_RESTART : 0);
	if ((rx || tx) && !hw->fc.forward)
		val |= I8255X_CFG19_REJECT_FC;
	return val;
}

/* Byte 22: the extended format's second switch, and where a tag goes. */
static uint8_t
byte22(const struct i8255x_hw *hw)
{
	return I8255X_CFG22_EXT_RFD | (hw->vlan_strip ? I8255X_CFG22_VLAN_STRIP : 0);
}

/**
 * Make the Configure block.
 *
 * @param byte
 *   Filled in, all of it.
 * @return how many bytes the chip is to read: byte 0 says so as well.
 */
unsigned int
i8255x_config_build(const struct i8255x_hw *hw, uint8_t byte[I8255X_CONFIG_LEN_EXT])
{
	unsigned int count = is_ext(hw) ? I8255X_CONFIG_LEN_EXT : I8255X_CONFIG_LEN;

	memset(byte, 0, I8255X_CONFIG_LEN_EXT);
	byte[0] = count;
	byte[1] = RX_FIFO;
	/* 2: no extra gap after collisions */
	byte[3] = hw->flags & I8255X_F_MWI ? I8255X_CFG3_MWI : 0;
	/* 4, 5: DMA bursts are as long as they get */
	byte[6] = byte6(hw);
	byte[7] = byte7(hw);
	byte[8] = is_serial(hw) ? 0 : I8255X_CFG8_MII;
	byte[9] = hw->rx_csum && (hw->flags & I8255X_F_RX_SUM) ? I8255X_CFG9_RX_CSUM : 0;
	byte[10] = byte10(hw);
	/* 11: no linear priority; 12: it would count from the end of a frame sent */
	byte[12] = IFS << I8255X_CFG12_IFS_SHIFT;
	/* 13, 14: the ARP filter's address is not used, this is what it is after reset */
	byte[13] = I8255X_CFG13_ARP_LO;
	byte[14] = I8255X_CFG14_ARP_HI;
	byte[15] = byte15(hw);
	byte[16] = pause_time(hw) & 0xFF;
	byte[17] = pause_time(hw) >> 8;
	byte[18] = byte18(hw);
	byte[19] = byte19(hw);
	/* 20: the priority is in byte 31 of a PAUSE frame, and there is one station address */
	byte[20] = I8255X_CFG20_FIXED | I8255X_CFG20_PRI_LOC;
	byte[21] = I8255X_CFG21_FIXED |
		   (hw->allmulti || hw->promisc ? I8255X_CFG21_ALLMULTI : 0);
	if (is_ext(hw))
		byte[22] = byte22(hw);
	return count;
}
