/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _E1000_REGS_H_
#define _E1000_REGS_H_

#include <stdint.h>

/*
 * Registers of the Intel e1000 family, 82543 to 82583. § cites the project's
 * facts page for the chip. All are 32 bits, little-endian, and take aligned
 * 32-bit accesses only, in a BAR of 128 KiB.
 *
 * Access: RW; RO; WO; RC, cleared by reading; W1C, cleared by writing ones;
 * W1S, set by writing ones; SC, a bit that clears by itself.
 * `_MASK` is in place (not shifted down); `X(v)` builds a field's value.
 * "82571+" means the PCI Express parts: 82571, 2, 3, 4 and 82583. Registers
 * and bits without a note are in every part.
 */

#define E1000_REG_BAR_SIZE		0x20000

/* I/O BAR: offset of a register, then its data (§5.1) */
#define E1000_IO_ADDR			0x00	/* RW */
#define E1000_IO_DATA			0x04	/* RW */

/* ---- General (§2.1) ------------------------------------------------------- */

#define E1000_CTRL			0x0000	/* RW: device control */
#define E1000_CTRL_DUP			0x0004	/* RW: the same register again */
#define E1000_CTRL_FD			(1u << 0)
#define E1000_CTRL_PRIOR		(1u << 2)	/* 82543: fair PCI arbitration */
#define E1000_CTRL_GIO_DISABLE		(1u << 2)	/* 82571+: stop bus mastering */
#define E1000_CTRL_LRST			(1u << 3)	/* TBI link reset */
#define E1000_CTRL_ASDE			(1u << 5)	/* auto speed detection */
#define E1000_CTRL_SLU			(1u << 6)	/* set link up */
#define E1000_CTRL_ILOS			(1u << 7)	/* invert loss of signal */
#define E1000_CTRL_SPEED_SHIFT		8
#define E1000_CTRL_SPEED_MASK		(3u << 8)
#define E1000_CTRL_SPEED_10		(0u << 8)
#define E1000_CTRL_SPEED_100		(1u << 8)
#define E1000_CTRL_SPEED_1000		(2u << 8)
#define E1000_CTRL_FRCSPD		(1u << 11)
#define E1000_CTRL_FRCDPX		(1u << 12)
#define E1000_CTRL_SWDPIN0		(1u << 18)	/* pin data */
#define E1000_CTRL_SWDPIN1		(1u << 19)
#define E1000_CTRL_SWDPIN2		(1u << 20)
#define E1000_CTRL_ADVD3WUC		(1u << 20)
#define E1000_CTRL_SWDPIN3		(1u << 21)
#define E1000_CTRL_EN_PHY_PWR_MGMT	(1u << 21)
#define E1000_CTRL_SWDPIO0		(1u << 22)	/* pin direction, 1 = output */
#define E1000_CTRL_SWDPIO1		(1u << 23)
#define E1000_CTRL_SWDPIO2		(1u << 24)
#define E1000_CTRL_SWDPIO3		(1u << 25)
#define E1000_CTRL_RST			(1u << 26)	/* SC: reset the MAC */
#define E1000_CTRL_RFCE			(1u << 27)	/* obey PAUSE */
#define E1000_CTRL_TFCE			(1u << 28)	/* send PAUSE */
#define E1000_CTRL_MBZ29		(1u << 29)	/* 82573, 82574, 82583: keep 0 */
#define E1000_CTRL_VME			(1u << 30)	/* VLAN strip, and insert on VLE */
#define E1000_CTRL_PHY_RST		(1u << 31)
/* 82543 has no MDIC: the MII is bit-banged on these pins (§4.2). */
#define E1000_CTRL_MDIO			E1000_CTRL_SWDPIN2
#define E1000_CTRL_MDIO_DIR		E1000_CTRL_SWDPIO2
#define E1000_CTRL_MDC			E1000_CTRL_SWDPIN3
#define E1000_CTRL_MDC_DIR		E1000_CTRL_SWDPIO3

#define E1000_STATUS			0x0008	/* RO: device status (PHYRA: write 0) */
#define E1000_STATUS_FD			(1u << 0)
#define E1000_STATUS_LU			(1u << 1)
#define E1000_STATUS_FUNC_SHIFT		2
#define E1000_STATUS_FUNC_MASK		(3u << 2)
#define E1000_STATUS_TXOFF		(1u << 4)	/* paused by the partner */
#define E1000_STATUS_TBIMODE		(1u << 5)
#define E1000_STATUS_SPEED_SHIFT	6
#define E1000_STATUS_SPEED_MASK		(3u << 6)
#define E1000_STATUS_SPEED_10		(0u << 6)
#define E1000_STATUS_SPEED_100		(1u << 6)
#define E1000_STATUS_SPEED_1000		(2u << 6)	/* 3 means 1000 as well */
#define E1000_STATUS_ASDV_SHIFT		8		/* 8254x */
#define E1000_STATUS_ASDV_MASK		(3u << 8)
#define E1000_STATUS_LAN_INIT_DONE	(1u << 9)	/* 82571+ */
#define E1000_STATUS_PHYRA		(1u << 10)	/* 82571+: PHY was reset */
#define E1000_STATUS_PCI66		(1u << 11)	/* 8254x, as are the next three */
#define E1000_STATUS_BUS64		(1u << 12)
#define E1000_STATUS_PCIX		(1u << 13)
#define E1000_STATUS_PCIX_SPEED_SHIFT	14
#define E1000_STATUS_PCIX_SPEED_MASK	(3u << 14)
#define E1000_STATUS_GIO_ENABLE		(1u << 19)	/* 82571+: requests outstanding */

#define E1000_EECD			0x0010	/* RW: NVM control, bit-bang, size */
#define E1000_EECD_SK			(1u << 0)
#define E1000_EECD_CS			(1u << 1)
#define E1000_EECD_DI			(1u << 2)	/* to the NVM */
#define E1000_EECD_DO			(1u << 3)	/* from the NVM */
#define E1000_EECD_FWE_SHIFT		4		/* flash write enable */
#define E1000_EECD_FWE_MASK		(3u << 4)
#define E1000_EECD_REQ			(1u << 6)	/* not 82543, 82544 */
#define E1000_EECD_GNT			(1u << 7)	/* not 82543, 82544 */
#define E1000_EECD_PRES			(1u << 8)	/* not 82544; 0 on 82541/7 */
#define E1000_EECD_SIZE			(1u << 9)	/* 8254x microwire: 0 64, 1 256 words */
#define E1000_EECD_AUTO_RD		(1u << 9)	/* 82571+: NVM was read */
#define E1000_EECD_ADDR_BITS		(1u << 10)	/* 0 small, 1 large part */
#define E1000_EECD_TYPE			(1u << 13)	/* 82541/7: 1 SPI, 0 microwire */
#define E1000_EECD_SIZE_EX_SHIFT	11		/* 82571+: 2^(6+n) words */
#define E1000_EECD_SIZE_EX_MASK		(0xfu << 11)
#define E1000_EECD_FLASH_MASK		(3u << 15)	/* 82573/4/83: both set = flash */
#define E1000_EECD_FLUPD		(1u << 19)	/* SC: commit to flash */
#define E1000_EECD_AUPDEN		(1u << 20)
#define E1000_EECD_SEC1VAL		(1u << 22)

/* EERD: start a read of one NVM word; not on 82543, 82544. Two layouts. */
#define E1000_EERD			0x0014	/* RW: NVM read */
#define E1000_EERD_START		(1u << 0)
#define E1000_EERD_DATA_SHIFT		16
#define E1000_EERD_DATA(v)		((uint16_t)((v) >> 16))
#define E1000_EERD_SMALL_DONE		(1u << 4)	/* 82540, 82545, 82546 */
#define E1000_EERD_SMALL_ADDR_SHIFT	8
#define E1000_EERD_SMALL_ADDR_MASK	(0xffu << 8)
#define E1000_EERD_LARGE_DONE		(1u << 1)	/* 82541, 82547, 82571+ */
#define E1000_EERD_LARGE_ADDR_SHIFT	2
#define E1000_EERD_LARGE_ADDR_MASK	(0x3fffu << 2)

#define E1000_CTRL_EXT			0x0018	/* RW: extended device control */
#define E1000_CTRL_EXT_SDP_DATA_SHIFT	4
#define E1000_CTRL_EXT_SDP_DATA_MASK	(0xfu << 4)
#define E1000_CTRL_EXT_SDP_DIR_SHIFT	8
#define E1000_CTRL_EXT_SDP_DIR_MASK	(0xfu << 8)
#define E1000_CTRL_EXT_ASDCHK		(1u << 12)	/* SC */
#define E1000_CTRL_EXT_EE_RST		(1u << 13)	/* SC: reload from the NVM */
#define E1000_CTRL_EXT_SPD_BYPS		(1u << 15)
#define E1000_CTRL_EXT_RO_DIS		(1u << 17)	/* no relaxed ordering */
#define E1000_CTRL_EXT_DMA_DYN_CLK_EN	(1u << 19)	/* clear on 82571/2 (§7) */
#define E1000_CTRL_EXT_PHYPDEN		(1u << 20)
#define E1000_CTRL_EXT_LINK_MODE_SHIFT	22		/* 82571+ */
#define E1000_CTRL_EXT_LINK_MODE_MASK	(3u << 22)
#define E1000_CTRL_EXT_EIAME		(1u << 24)
#define E1000_CTRL_EXT_IAME		(1u << 27)	/* ICR access masks IAM */
#define E1000_CTRL_EXT_DRV_LOAD		(1u << 28)
#define E1000_CTRL_EXT_INT_TIMERS_CLR	(1u << 29)
#define E1000_CTRL_EXT_PBA_CLR		(1u << 31)	/* MSI-X pending bits */

#define E1000_FLA			0x001c	/* RW: flash access (82541/7, 82571+) */

#define E1000_MDIC			0x0020	/* RW: MII access (not 82543; §4.2) */
#define E1000_MDIC_DATA_MASK		0xffffu
#define E1000_MDIC_REG_SHIFT		16
#define E1000_MDIC_REG_MASK		(0x1fu << 16)
#define E1000_MDIC_PHY_SHIFT		21
#define E1000_MDIC_PHY_MASK		(0x1fu << 21)
#define E1000_MDIC_PHY_ADDR		1		/* the internal PHY */
#define E1000_MDIC_OP_WRITE		(1u << 26)
#define E1000_MDIC_OP_READ		(2u << 26)
#define E1000_MDIC_OP_MASK		(3u << 26)
#define E1000_MDIC_READY		(1u << 28)
#define E1000_MDIC_INT_EN		(1u << 29)	/* raise ICR.MDAC */
#define E1000_MDIC_ERROR		(1u << 30)
#define E1000_MDIC_DEST			(1u << 31)

#define E1000_SCTL			0x0024	/* RW: SERDES control (82571/2) */
#define E1000_SCTL_LOOPBACK_OFF		0x0400u
#define E1000_SCTL_LOOPBACK_ON		0x0410u

/* Destination and type of PAUSE frames: 01:80:C2:00:00:01, 0x8808 */
#define E1000_FCAL			0x0028	/* RW: flow control address low */
#define E1000_FCAL_PAUSE		0x00c28001u
#define E1000_FCAH			0x002c	/* RW: flow control address high */
#define E1000_FCAH_PAUSE		0x00000100u
#define E1000_FCT			0x0030	/* RW: flow control type */
#define E1000_FCT_PAUSE			0x8808u

#define E1000_KMRNCTRLSTA		0x0034	/* RW: Kumeran (80003ES2LAN, ICH) */
#define E1000_VET			0x0038	/* RW: VLAN ether type */
#define E1000_VET_MASK			0xffffu

#define E1000_FCTTV			0x0170	/* RW: PAUSE time to send */
#define E1000_FCTTV_TTV_MASK		0xffffu		/* 512 bit times */

#define E1000_TXCW			0x0178	/* RW: TBI Tx word (not 82540/1/7) */
#define E1000_TXCW_WORD_MASK		0xffffu
#define E1000_TXCW_FD			(1u << 5)
#define E1000_TXCW_PAUSE		(1u << 7)
#define E1000_TXCW_ASM_DIR		(1u << 8)
#define E1000_TXCW_ANE			(1u << 31)

#define E1000_RXCW			0x0180	/* RO: TBI Rx word (not 82540/1/7) */
#define E1000_RXCW_WORD_MASK		0xffffu
#define E1000_RXCW_NC			(1u << 26)	/* receiving idles */
#define E1000_RXCW_IV			(1u << 27)	/* invalid symbol; sticky */
#define E1000_RXCW_CC			(1u << 28)	/* the word changed */
#define E1000_RXCW_C			(1u << 29)	/* receiving /C/ */
#define E1000_RXCW_SYNCH		(1u << 30)	/* in sync; sticky */
#define E1000_RXCW_ANC			(1u << 31)	/* negotiation complete */

#define E1000_TIPG			0x0410	/* RW: inter-packet gap */
#define E1000_TIPG_IPGT_MASK		0x3ffu
#define E1000_TIPG_IPGR1_SHIFT		10
#define E1000_TIPG_IPGR1_MASK		(0x3ffu << 10)
#define E1000_TIPG_IPGR2_SHIFT		20
#define E1000_TIPG_IPGR2_MASK		(0x3ffu << 20)
#define E1000_TIPG_VALUE(t, r1, r2) \
	((uint32_t)(t) | (uint32_t)(r1) << 10 | (uint32_t)(r2) << 20)

#define E1000_AIT			0x0458	/* RW: adaptive IFS, half duplex */
#define E1000_AIT_MASK			0xffffu

#define E1000_LEDCTL			0x0e00	/* RW: LEDs, a byte each (not 82544) */
#define E1000_LEDCTL_SHIFT(led)		(8 * (led))
#define E1000_LEDCTL_MODE_MASK		0x0fu
#define E1000_LEDCTL_MODE_LINK_UP	0x2u
#define E1000_LEDCTL_MODE_ON		0xeu
#define E1000_LEDCTL_MODE_OFF		0xfu
#define E1000_LEDCTL_IVRT		(1u << 6)
#define E1000_LEDCTL_BLINK		(1u << 7)

#define E1000_EXTCNF_CTRL		0x0f00	/* RW: extended configuration (82573+) */
#define E1000_EXTCNF_CTRL_MDIO_SW_OWN	(1u << 5)	/* semaphore: set, then read back */

#define E1000_POEMB			0x0f10	/* RW: PHY OEM bits (82573+) */
#define E1000_POEMB_D0A_LPLU		(1u << 1)
#define E1000_POEMB_NOND0A_LPLU		(1u << 2)
#define E1000_POEMB_NOND0A_GBE_DIS	(1u << 3)
#define E1000_POEMB_GBE_DIS		(1u << 6)

#define E1000_PBA			0x1000	/* RW: packet buffer split; at reset */
#define E1000_PBA_RX_MASK		0xffffu		/* KiB for Rx */
#define E1000_PBA_TX_SHIFT		16		/* KiB for Tx, RO */
#define E1000_PBA_TX_MASK		(0xffffu << 16)
#define E1000_PBS			0x1008	/* RW: packet buffer size in KiB */

#define E1000_EEMNGCTL			0x1010	/* RW: management NVM control */
#define E1000_EEMNGCTL_CFG_DONE0	(1u << 18)	/* 82571/2: port 0 configured */
#define E1000_EEMNGCTL_CFG_DONE1	(1u << 19)

#define E1000_EEWR			0x102c	/* RW: NVM write (82573, 82574, 82583) */
/* Same bits as the large EERD. */
#define E1000_EEWR_START		E1000_EERD_START
#define E1000_EEWR_DONE			E1000_EERD_LARGE_DONE
#define E1000_EEWR_ADDR_SHIFT		E1000_EERD_LARGE_ADDR_SHIFT
#define E1000_EEWR_DATA_SHIFT		E1000_EERD_DATA_SHIFT

#define E1000_PBA_ECC			0x1100	/* RW: packet buffer ECC (82571) */
#define E1000_PBA_ECC_CORR_EN		(1u << 0)

/* ---- Interrupts (§2.1, §2.2) ---------------------------------------------- */

/* What reading ICR clears depends on the part and the mode (§2.2). */
#define E1000_ICR			0x00c0	/* RC W1C: interrupt cause */
#define E1000_ITR			0x00c4	/* RW: throttle (82540+) */
#define E1000_ITR_MASK			0xffffu		/* 256 ns */
#define E1000_ICS			0x00c8	/* WO W1S: set causes */
#define E1000_IMS			0x00d0	/* RW W1S: mask, ones enable */
#define E1000_IMC			0x00d8	/* WO W1C: clear mask bits */
#define E1000_EIAC			0x00dc	/* RW: auto-clear (82574) */
#define E1000_EIAC_MASK			0x01f00000u
#define E1000_IAM			0x00e0	/* RW: auto-mask */

#define E1000_IVAR			0x00e4	/* RW: MSI-X vectors (82574) */
#define E1000_IVAR_RXQ_SHIFT(q)		(4 * (q))
#define E1000_IVAR_TXQ_SHIFT(q)		(8 + 4 * (q))
#define E1000_IVAR_OTHER_SHIFT		16
#define E1000_IVAR_VECTOR_MASK		7u		/* of each nibble */
#define E1000_IVAR_VALID		8u		/* of each nibble */
#define E1000_IVAR_TX_EVERY_WB		(1u << 31)

#define E1000_EITR(n)			(0x00e8 + 4 * (n)) /* RW: per-vector throttle (82574) */
#define E1000_EITR_NUM			5
#define E1000_EITR_MASK			0xffffu		/* 256 ns */

/* Causes: the same bits in ICR, ICS, IMS, IMC */
#define E1000_ICR_TXDW			(1u << 0)	/* Tx descriptor written back */
#define E1000_ICR_TXQE			(1u << 1)	/* Tx queue empty */
#define E1000_ICR_LSC			(1u << 2)	/* link status change */
#define E1000_ICR_RXSEQ			(1u << 3)	/* bad sequence (not 82540/1/7) */
#define E1000_ICR_RXDMT0		(1u << 4)	/* few Rx descriptors left */
#define E1000_ICR_RXO			(1u << 6)	/* Rx overrun */
#define E1000_ICR_RXT0			(1u << 7)	/* Rx timer */
#define E1000_ICR_MDAC			(1u << 9)	/* MDIC done */
#define E1000_ICR_RXCFG			(1u << 10)	/* /C/ received */
#define E1000_ICR_GPI0			(1u << 11)
#define E1000_ICR_GPI1			(1u << 12)	/* 82544 */
#define E1000_ICR_PHYINT		(1u << 12)	/* later parts */
#define E1000_ICR_GPI2			(1u << 13)
#define E1000_ICR_GPI3			(1u << 14)
#define E1000_ICR_TXD_LOW		(1u << 15)	/* not 82544 */
#define E1000_ICR_SRPD			(1u << 16)	/* small packet (not 82544) */
#define E1000_ICR_ACK			(1u << 17)
#define E1000_ICR_MNG			(1u << 18)
#define E1000_ICR_RXQ0			(1u << 20)	/* 82574, as are the next four */
#define E1000_ICR_RXQ1			(1u << 21)
#define E1000_ICR_TXQ0			(1u << 22)
#define E1000_ICR_TXQ1			(1u << 23)
#define E1000_ICR_OTHER			(1u << 24)
#define E1000_ICR_INT_ASSERTED		(1u << 31)	/* 82571+ */
/* Causes that writing OTHER clears as well (82574) */
#define E1000_ICR_OTHER_CAUSES \
	(E1000_ICR_LSC | E1000_ICR_RXO | E1000_ICR_MDAC | E1000_ICR_SRPD | \
	 E1000_ICR_ACK | E1000_ICR_MNG)

/* MSI-X structures in BAR 3 (82574; §9.1) */
#define E1000_MSIX_BAR			3
#define E1000_MSIX_BAR_SIZE		0x4000
#define E1000_MSIX_VECTORS		5
#define E1000_MSIX_TABLE		0x0000
#define E1000_MSIX_PBA			0x2000

/* ---- Receive (§2.3) ------------------------------------------------------- */

#define E1000_RCTL			0x0100	/* RW: receive control */
#define E1000_RCTL_EN			(1u << 1)
#define E1000_RCTL_SBP			(1u << 2)	/* store bad packets */
#define E1000_RCTL_UPE			(1u << 3)	/* unicast promiscuous */
#define E1000_RCTL_MPE			(1u << 4)	/* multicast promiscuous */
#define E1000_RCTL_LPE			(1u << 5)	/* frames over 1522 bytes */
#define E1000_RCTL_LBM_MASK		(3u << 6)
#define E1000_RCTL_LBM_NONE		(0u << 6)
#define E1000_RCTL_LBM_MAC		(1u << 6)
#define E1000_RCTL_LBM_PHY		(3u << 6)	/* or transceiver */
#define E1000_RCTL_RDMTS_MASK		(3u << 8)	/* RXDMT0 when this much is left */
#define E1000_RCTL_RDMTS_HALF		(0u << 8)
#define E1000_RCTL_RDMTS_QUARTER	(1u << 8)
#define E1000_RCTL_RDMTS_EIGHTH		(2u << 8)
#define E1000_RCTL_RDMTS_SHIFT		8
#define E1000_RCTL_DTYP_MASK		(3u << 10)
#define E1000_RCTL_DTYP_LEGACY		(0u << 10)	/* or extended, by RFCTL.EXTEN */
#define E1000_RCTL_DTYP_PS		(1u << 10)	/* packet split */
#define E1000_RCTL_MO_SHIFT		12		/* bits the multicast hash takes */
#define E1000_RCTL_MO_MASK		(3u << 12)
#define E1000_RCTL_BAM			(1u << 15)	/* accept broadcast */
#define E1000_RCTL_VFE			(1u << 18)	/* VLAN filter */
#define E1000_RCTL_CFIEN		(1u << 19)
#define E1000_RCTL_CFI			(1u << 20)
#define E1000_RCTL_DPF			(1u << 22)	/* discard PAUSE */
#define E1000_RCTL_PMCF			(1u << 23)	/* pass MAC control */
#define E1000_RCTL_BSEX			(1u << 25)	/* the larger buffer sizes */
#define E1000_RCTL_SECRC		(1u << 26)	/* strip the CRC */
#define E1000_RCTL_FLXBUF_SHIFT		27		/* 82571+: KiB, overrides BSIZE */
#define E1000_RCTL_FLXBUF_MASK		(0xfu << 27)
/* Buffer size: BSIZE with BSEX */
#define E1000_RCTL_BSIZE_SHIFT		16
#define E1000_RCTL_BSIZE_MASK		(3u << 16)
#define E1000_RCTL_BSIZE_2048		(0u << 16)
#define E1000_RCTL_BSIZE_1024		(1u << 16)
#define E1000_RCTL_BSIZE_512		(2u << 16)
#define E1000_RCTL_BSIZE_256		(3u << 16)
#define E1000_RCTL_BSIZE_16384		(E1000_RCTL_BSEX | 1u << 16)
#define E1000_RCTL_BSIZE_8192		(E1000_RCTL_BSEX | 2u << 16)
#define E1000_RCTL_BSIZE_4096		(E1000_RCTL_BSEX | 3u << 16)

#define E1000_ERT			0x2008	/* RW: early Rx threshold (82573) */

#define E1000_FCRTL			0x2160	/* RW: send XON below this many bytes */
#define E1000_FCRTL_RTL_MASK		0xfff8u
#define E1000_FCRTL_XONE		(1u << 31)	/* send XON at all */
#define E1000_FCRTH			0x2168	/* RW: send XOFF above this many bytes */
#define E1000_FCRTH_RTH_MASK		0xfff8u
#define E1000_FCRTV			0x2460	/* RW: PAUSE refresh time */

#define E1000_PSRCTL			0x2170	/* RW: packet-split sizes (82571+) */
#define E1000_PSRCTL_BSIZE0(bytes)	((uint32_t)(bytes) >> 7 & 0x7f)		/* not 0 */
#define E1000_PSRCTL_BSIZE1(bytes)	(((uint32_t)(bytes) >> 10 & 0x3f) << 8)	/* not 0 */
#define E1000_PSRCTL_BSIZE2(bytes)	(((uint32_t)(bytes) >> 10 & 0x3f) << 16)
#define E1000_PSRCTL_BSIZE3(bytes)	(((uint32_t)(bytes) >> 10 & 0x3f) << 24)
#define E1000_PSRCTL_BSIZE0_MASK	0x7fu		/* 128 bytes */
#define E1000_PSRCTL_BSIZE1_MASK	(0x3fu << 8)	/* 1 KiB */
#define E1000_PSRCTL_BSIZE2_MASK	(0x3fu << 16)
#define E1000_PSRCTL_BSIZE3_MASK	(0x3fu << 24)

/* Rx FIFO diagnostics, 13 bits */
#define E1000_RDFH			0x2410	/* RW: head */
#define E1000_RDFT			0x2418	/* RW: tail */
#define E1000_RDFHS			0x2420	/* RW: saved head */
#define E1000_RDFTS			0x2428	/* RW: saved tail */
#define E1000_RDFPC			0x2430	/* RW: packets */
#define E1000_DFIFO_MASK		0x1fffu

/* Queue 1 exists on 82571+ only. */
#define E1000_RXQ_STRIDE		0x100
#define E1000_RDBAL(q)			(0x2800 + 0x100 * (q))	/* RW: ring address 31:4 */
#define E1000_RDBAH(q)			(0x2804 + 0x100 * (q))	/* RW: ring address 63:32 */
#define E1000_RDLEN(q)			(0x2808 + 0x100 * (q))	/* RW: ring bytes, 19:7 */
#define E1000_RDH(q)			(0x2810 + 0x100 * (q))	/* RW: head; while disabled */
#define E1000_RDT(q)			(0x2818 + 0x100 * (q))	/* RW: tail */
#define E1000_RXDCTL(q)			(0x2828 + 0x100 * (q))	/* RW: descriptor control */
#define E1000_RDLEN_MASK		0xfff80u
#define E1000_RDBAL_MASK		0xfffffff0u
#define E1000_RDH_MASK			0xffffu

#define E1000_RDTR			0x2820	/* RW: Rx delay timer, 1.024 us */
#define E1000_RDTR_DELAY_MASK		0xffffu
#define E1000_RDTR_FPD			(1u << 31)	/* SC: flush now */
#define E1000_RADV			0x282c	/* RW: absolute Rx delay, 1.024 us (82540+) */
#define E1000_RADV_DELAY_MASK		0xffffu

/* RXDCTL and TXDCTL */
#define E1000_XDCTL_PTHRESH_MASK	0x3fu
#define E1000_XDCTL_HTHRESH_SHIFT	8
#define E1000_XDCTL_HTHRESH_MASK	(0x3fu << 8)
#define E1000_XDCTL_WTHRESH_SHIFT	16
#define E1000_XDCTL_WTHRESH_MASK	(0x3fu << 16)
#define E1000_XDCTL_GRAN		(1u << 24)	/* in descriptors, not cache lines */
#define E1000_XDCTL_THRESH(p, h, w)	((uint32_t)(p) | (uint32_t)(h) << 8 | (uint32_t)(w) << 16)

#define E1000_RSRPD			0x2c00	/* RW: small packet size for SRPD */
#define E1000_RSRPD_SIZE_MASK		0xfffu
#define E1000_RAID			0x2c08	/* RW: ACK interrupt delay */

#define E1000_RXCSUM			0x5000	/* RW: Rx checksum control */
#define E1000_RXCSUM_PCSS_MASK		0xffu		/* packet checksum starts here */
#define E1000_RXCSUM_IPOFLD		(1u << 8)
#define E1000_RXCSUM_TUOFLD		(1u << 9)
#define E1000_RXCSUM_IPPCSE		(1u << 12)
#define E1000_RXCSUM_PCSD		(1u << 13)	/* RSS hash in place of checksum */

#define E1000_RFCTL			0x5008	/* RW: Rx filter control (82571+) */
#define E1000_RFCTL_ISCSI_DIS		(1u << 0)
#define E1000_RFCTL_NFSW_DIS		(1u << 6)
#define E1000_RFCTL_NFSR_DIS		(1u << 7)
#define E1000_RFCTL_IPV6_DIS		(1u << 10)
#define E1000_RFCTL_IPV6_XSUM_DIS	(1u << 11)
#define E1000_RFCTL_ACK_DIS		(1u << 12)
#define E1000_RFCTL_ACK_DATA_DIS	(1u << 13)
#define E1000_RFCTL_IPFRSP_DIS		(1u << 14)
#define E1000_RFCTL_EXTEN		(1u << 15)	/* extended descriptors */
#define E1000_RFCTL_IPV6_EX_DIS		(1u << 16)
#define E1000_RFCTL_NEW_IPV6_EXT_DIS	(1u << 17)
#define E1000_RFCTL_LEF			(1u << 18)

/*
 * The hash of destination d[] for RCTL.MO 0..3 is the word d[5] << 8 | d[4]
 * shifted right by 4, 3, 2, 0, low 12 bits. Bit h & 31 of MTA(h >> 5).
 */
#define E1000_MTA(i)			(0x5200 + 4 * (i))	/* RW: multicast hash */
#define E1000_MTA_NUM			128
#define E1000_MTA_HASH_MASK		0xfffu

/* Writes to RA, MTA and VFTA need a flush after each on some parts (§7). */
#define E1000_RAL(n)			(0x5400 + 8 * (n))	/* RW: address bytes 0-3 */
#define E1000_RAH(n)			(0x5404 + 8 * (n))	/* RW: address bytes 4-5 */
#define E1000_RAR_NUM			16
#define E1000_RAR_USABLE		15		/* the last is the firmware's */
#define E1000_RAH_ADDR_MASK		0xffffu
#define E1000_RAH_ASEL_SHIFT		16
#define E1000_RAH_ASEL_MASK		(3u << 16)	/* 0: match the destination */
#define E1000_RAH_AV			(1u << 31)

#define E1000_VFTA(i)			(0x5600 + 4 * (i))	/* RW: VLAN filter */
#define E1000_VFTA_NUM			128
#define E1000_VFTA_INDEX(vid)		((vid) >> 5)
#define E1000_VFTA_BIT(vid)		(1u << ((vid) & 31))

#define E1000_MRQC			0x5818	/* RW: RSS control (82571+) */
#define E1000_MRQC_ENABLE_MASK		3u
#define E1000_MRQC_RSS			1u
#define E1000_MRQC_IPV4_TCP		(1u << 16)
#define E1000_MRQC_IPV4			(1u << 17)
#define E1000_MRQC_IPV6_TCP		(1u << 18)	/* with or without extensions */
#define E1000_MRQC_IPV6_EX		(1u << 19)
#define E1000_MRQC_IPV6			(1u << 20)

#define E1000_RETA(i)			(0x5c00 + 4 * (i))	/* RW: 4 entries (82571+) */
#define E1000_RETA_NUM			32
#define E1000_RETA_ENTRIES		128
#define E1000_RETA_QUEUE_SHIFT		7		/* of each byte */
#define E1000_RSSRK(i)			(0x5c80 + 4 * (i))	/* RW: RSS key (82571+) */
#define E1000_RSSRK_NUM			10

/* ---- Transmit (§2.4) ------------------------------------------------------ */

#define E1000_TCTL			0x0400	/* RW: transmit control */
#define E1000_TCTL_EN			(1u << 1)
#define E1000_TCTL_PSP			(1u << 3)	/* pad short packets to 64 */
#define E1000_TCTL_CT_SHIFT		4		/* collision threshold */
#define E1000_TCTL_CT_MASK		(0xffu << 4)
#define E1000_TCTL_CT(v)		((uint32_t)(v) << 4)
#define E1000_TCTL_COLD_SHIFT		12		/* collision distance */
#define E1000_TCTL_COLD_MASK		(0x3ffu << 12)
#define E1000_TCTL_COLD(v)		((uint32_t)(v) << 12)
#define E1000_TCTL_SWXOFF		(1u << 22)	/* SC: send one PAUSE */
#define E1000_TCTL_RTLC			(1u << 24)	/* retry on late collision */
#define E1000_TCTL_NRTU			(1u << 25)	/* 82544: no retry on underrun */
#define E1000_TCTL_MULR			(1u << 28)	/* 82571+: many requests at once */

/* Tx FIFO pointers, 13 bits */
#define E1000_TDFH			0x3410	/* RW: head */
#define E1000_TDFT			0x3418	/* RW: tail */
#define E1000_TDFHS			0x3420	/* RW: saved head */
#define E1000_TDFTS			0x3428	/* RW: saved tail */
#define E1000_TDFPC			0x3430	/* RW: packets */

#define E1000_TXQ_STRIDE		0x100
#define E1000_TDBAL(q)			(0x3800 + 0x100 * (q))	/* RW: ring address 31:4 */
#define E1000_TDBAH(q)			(0x3804 + 0x100 * (q))	/* RW: ring address 63:32 */
#define E1000_TDLEN(q)			(0x3808 + 0x100 * (q))	/* RW: ring bytes, 19:7 */
#define E1000_TDH(q)			(0x3810 + 0x100 * (q))	/* RW: head; while disabled */
#define E1000_TDT(q)			(0x3818 + 0x100 * (q))	/* RW: tail */
#define E1000_TXDCTL(q)			(0x3828 + 0x100 * (q))	/* RW: descriptor control */
#define E1000_TDLEN_MASK		0xfff80u
#define E1000_TDBAL_MASK		0xfffffff0u
#define E1000_TDH_MASK			0xffffu
/* TXDCTL has E1000_XDCTL_ fields and these. */
#define E1000_TXDCTL_COUNT_DESC		(1u << 22)	/* 82571+: must be 1 */
#define E1000_TXDCTL_LWTHRESH_SHIFT	25		/* 8 descriptors (not 82544) */
#define E1000_TXDCTL_LWTHRESH_MASK	(0x7fu << 25)

#define E1000_TIDV			0x3820	/* RW: Tx delay timer, 1.024 us */
#define E1000_TIDV_DELAY_MASK		0xffffu		/* not 0 where IDE is used */
#define E1000_TIDV_FPD			(1u << 31)	/* SC: flush now */
#define E1000_TADV			0x382c	/* RW: absolute Tx delay, 1.024 us (82540+) */
#define E1000_TADV_DELAY_MASK		0xffffu
#define E1000_TSPMT			0x3830	/* RW: TSO pad and minimum threshold */

#define E1000_TARC(q)			(0x3840 + 0x100 * (q))	/* RW: arbitration (82571+) */
#define E1000_TARC_COUNT_MASK		0x7fu
#define E1000_TARC_ENABLE		(1u << 10)
#define E1000_TARC_SPEED_MODE		(1u << 21)	/* 82571/2: set at 1000 only */
#define E1000_TARC_BIT22		(1u << 22)	/* errata bits: §7 says which */
#define E1000_TARC_BIT23		(1u << 23)
#define E1000_TARC_BIT24		(1u << 24)
#define E1000_TARC_BIT25		(1u << 25)
#define E1000_TARC_BIT26		(1u << 26)
#define E1000_TARC_BIT28		(1u << 28)
#define E1000_TARC_MBZ			(0xfu << 27)	/* TARC(0): keep 0 */

/* ---- Wake-up and management (§2.5) ---------------------------------------- */

#define E1000_WUC			0x5800	/* RW: wake-up control */
#define E1000_WUC_APME			(1u << 0)
#define E1000_WUC_PME_EN		(1u << 1)
#define E1000_WUC_PME_STATUS		(1u << 2)	/* W1C */
#define E1000_WUC_APMPME		(1u << 3)
#define E1000_WUFC			0x5808	/* RW: wake-up filters */
#define E1000_WUFC_LNKC			(1u << 0)
#define E1000_WUFC_MAG			(1u << 1)
#define E1000_WUFC_EX			(1u << 2)
#define E1000_WUFC_MC			(1u << 3)
#define E1000_WUFC_BC			(1u << 4)
#define E1000_WUS			0x5810	/* RO: wake-up status, WUFC's bits */
#define E1000_IPAV			0x5838	/* RW: which addresses are valid */
#define E1000_IP4AT(i)			(0x5840 + 8 * (i))	/* RW: IPv4 addresses */
#define E1000_IP6AT(i)			(0x5880 + 4 * (i))	/* RW: IPv6 address */
#define E1000_WUPL			0x5900	/* RO: wake-up packet length */
#define E1000_WUPM(i)			(0x5a00 + 4 * (i))	/* RO: wake-up packet */
#define E1000_FFLT(i)			(0x5f00 + 8 * (i))	/* RW: flexible filter lengths */
#define E1000_FFMT(i)			(0x9000 + 8 * (i))	/* RW: flexible filter masks */
#define E1000_FFVT(i)			(0x9800 + 8 * (i))	/* RW: flexible filter values */

#define E1000_MANC			0x5820	/* RW: management control */
#define E1000_MANC_SMBUS_EN		(1u << 0)
#define E1000_MANC_ASF_EN		(1u << 1)
#define E1000_MANC_ARP_EN		(1u << 13)
#define E1000_MANC_RCV_TCO_EN		(1u << 17)
#define E1000_MANC_BLK_PHY_RST		(1u << 18)	/* firmware holds the PHY */
#define E1000_MANC_EN_MAC_FILTER	(1u << 20)
#define E1000_MANC_EN_MNG2HOST		(1u << 21)
#define E1000_MANC2H			0x5860	/* RW: management frames to the host */
#define E1000_MANC2H_PORT_623		(1u << 5)
#define E1000_MANC2H_PORT_664		(1u << 6)
#define E1000_HICR			0x8f00	/* RW: host interface control */

/* ---- PCI Express and semaphores (§2.5; 82571+) ---------------------------- */

#define E1000_GCR			0x5b00	/* RW: PCIe control */
#define E1000_GCR_NO_SNOOP_MASK		0x3fu
#define E1000_GCR_BIT22			(1u << 22)	/* 82574/83: set */
#define E1000_GCR_L1_WITHOUT_L0S_RX	(1u << 27)
#define E1000_GCR2			0x5b64	/* RW: PCIe control 2 (82574) */
#define E1000_GCR2_CPL_FIX		(1u << 0)
#define E1000_FACTPS			0x5b30	/* RO: function power state */
#define E1000_FACTPS_FUNC0_SHIFT	2
#define E1000_FACTPS_FUNC0_MASK		(3u << 2)
#define E1000_FACTPS_MNGCG		(1u << 29)

/* Reading SWSM sets SMBI: who reads 0 owns it. */
#define E1000_SWSM			0x5b50	/* RW: software semaphore */
#define E1000_SWSM_SMBI			(1u << 0)	/* set by reading */
#define E1000_SWSM_SWESMBI		(1u << 1)	/* set, then read back */
#define E1000_SWSM_DRV_LOAD		(1u << 3)	/* 82573 */
#define E1000_FWSM			0x5b54	/* RO: firmware semaphore */
#define E1000_FWSM_MODE_SHIFT		1
#define E1000_FWSM_MODE_MASK		(7u << 1)
#define E1000_FWSM_VALID		(1u << 15)
#define E1000_SWSM2			0x5b58	/* RW: driver semaphore (82571/2) */
#define E1000_SWSM2_LOCK		(1u << 1)
#define E1000_SW_FW_SYNC		0x5b5c	/* RW: resource locks (80003ES2LAN) */
#define E1000_PBACLR			0x5b68	/* RW W1C: MSI-X pending bits (82574) */

/* ---- Statistics (§2.6): 32 bits, RC ---------------------------------------- */

#define E1000_STAT_FIRST		0x4000
#define E1000_STAT_LAST			0x4124

#define E1000_CRCERRS			0x4000	/* RC: CRC errors */
#define E1000_ALGNERRC			0x4004	/* RC: alignment errors */
#define E1000_SYMERRS			0x4008	/* RC: symbol errors; wild without link */
#define E1000_RXERRC			0x400c	/* RC: receive errors */
#define E1000_MPC			0x4010	/* RC: missed, FIFO full */
#define E1000_SCC			0x4014	/* RC: single collisions */
#define E1000_ECOL			0x4018	/* RC: excessive collisions */
#define E1000_MCC			0x401c	/* RC: multiple collisions */
#define E1000_LATECOL			0x4020	/* RC: late collisions */
#define E1000_COLC			0x4028	/* RC: collisions */
#define E1000_DC			0x4030	/* RC: deferred */
#define E1000_TNCRS			0x4034	/* RC: sent with no carrier sense */
#define E1000_SEC			0x4038	/* RC: sequence errors */
#define E1000_CEXTERR			0x403c	/* RC: carrier extension errors */
#define E1000_RLEC			0x4040	/* RC: length errors, RUC and ROC included */
#define E1000_XONRXC			0x4048	/* RC: XON received */
#define E1000_XONTXC			0x404c	/* RC: XON sent */
#define E1000_XOFFRXC			0x4050	/* RC: XOFF received */
#define E1000_XOFFTXC			0x4054	/* RC: XOFF sent */
#define E1000_FCRUC			0x4058	/* RC: unsupported flow control received */
#define E1000_PRC64			0x405c	/* RC: received, 64 bytes */
#define E1000_PRC127			0x4060	/* RC: received, 65-127 */
#define E1000_PRC255			0x4064	/* RC: received, 128-255 */
#define E1000_PRC511			0x4068	/* RC: received, 256-511 */
#define E1000_PRC1023			0x406c	/* RC: received, 512-1023 */
#define E1000_PRC1522			0x4070	/* RC: received, 1024 to the maximum */
#define E1000_GPRC			0x4074	/* RC: good received, no PAUSE, not missed */
#define E1000_BPRC			0x4078	/* RC: broadcast received */
#define E1000_MPRC			0x407c	/* RC: multicast received */
#define E1000_GPTC			0x4080	/* RC: good sent */
/* 64-bit pairs: read low, then high; the high read clears both. */
#define E1000_GORCL			0x4088	/* RC: good octets received, low */
#define E1000_GORCH			0x408c	/* RC: high */
#define E1000_GOTCL			0x4090	/* RC: good octets sent, low */
#define E1000_GOTCH			0x4094	/* RC: high */
#define E1000_RNBC			0x40a0	/* RC: no descriptor on arrival */
#define E1000_RUC			0x40a4	/* RC: undersize */
#define E1000_RFC			0x40a8	/* RC: fragments */
#define E1000_ROC			0x40ac	/* RC: oversize */
#define E1000_RJC			0x40b0	/* RC: jabber */
#define E1000_MGTPRC			0x40b4	/* RC: management received */
#define E1000_MGTPDC			0x40b8	/* RC: management dropped */
#define E1000_MGTPTC			0x40bc	/* RC: management sent */
#define E1000_TORL			0x40c0	/* RC: all octets received, low */
#define E1000_TORH			0x40c4	/* RC: high */
#define E1000_TOTL			0x40c8	/* RC: all octets sent, low */
#define E1000_TOTH			0x40cc	/* RC: high */
#define E1000_TPR			0x40d0	/* RC: all received */
#define E1000_TPT			0x40d4	/* RC: all sent */
#define E1000_PTC64			0x40d8	/* RC: sent, 64 bytes */
#define E1000_PTC127			0x40dc	/* RC: sent, 65-127 */
#define E1000_PTC255			0x40e0	/* RC: sent, 128-255 */
#define E1000_PTC511			0x40e4	/* RC: sent, 256-511 */
#define E1000_PTC1023			0x40e8	/* RC: sent, 512-1023 */
#define E1000_PTC1522			0x40ec	/* RC: sent, 1024 to the maximum */
#define E1000_MPTC			0x40f0	/* RC: multicast sent */
#define E1000_BPTC			0x40f4	/* RC: broadcast sent */
#define E1000_TSCTC			0x40f8	/* RC: TSO packets */
#define E1000_TSCTFC			0x40fc	/* RC: TSO failures */
/* 82571+ */
#define E1000_IAC			0x4100	/* RC: interrupts asserted */
#define E1000_ICRXPTC			0x4104	/* RC: by Rx timer */
#define E1000_ICRXATC			0x4108	/* RC: by absolute Rx timer */
#define E1000_ICTXPTC			0x410c	/* RC: by Tx timer */
#define E1000_ICTXATC			0x4110	/* RC: by absolute Tx timer */
#define E1000_ICTXQEC			0x4118	/* RC: by Tx queue empty */
#define E1000_ICTXQMTC			0x411c	/* RC: by Tx low threshold */
#define E1000_ICRXDMTC			0x4120	/* RC: by Rx descriptor threshold */
#define E1000_ICRXOC			0x4124	/* RC: by Rx overrun */

/* ---- IEEE 1588 time stamps (§2.7; 82574, 82583) --------------------------- */

#define E1000_SYSTIML			0xb600	/* RW: time low; reading latches high */
#define E1000_SYSTIMH			0xb604	/* RW: time high */
#define E1000_TIMINCA			0xb608	/* RW: increment */
#define E1000_TIMINCA_PERIOD_SHIFT	24
#define E1000_TIMINCA_PERIOD_MASK	(0xffu << 24)
#define E1000_TIMINCA_VALUE_MASK	0xffffffu
#define E1000_TIMADJL			0xb60c	/* RW: adjustment low */
#define E1000_TIMADJH			0xb610	/* RW: adjustment high; writing applies it */
#define E1000_TSYNCTXCTL		0xb614	/* RW: Tx stamp control */
#define E1000_TSYNCTXCTL_VALID		(1u << 0)
#define E1000_TSYNCTXCTL_EN		(1u << 4)
#define E1000_TXSTMPL			0xb618	/* RO: Tx stamp low */
#define E1000_TXSTMPH			0xb61c	/* RO: Tx stamp high; reading clears VALID */
#define E1000_TSYNCRXCTL		0xb620	/* RW: Rx stamp control */
#define E1000_TSYNCRXCTL_VALID		(1u << 0)
#define E1000_TSYNCRXCTL_TYPE_MASK	(7u << 1)
#define E1000_TSYNCRXCTL_TYPE_L2_V2	(0u << 1)
#define E1000_TSYNCRXCTL_TYPE_L4_V1	(1u << 1)
#define E1000_TSYNCRXCTL_TYPE_L2_L4_V2	(2u << 1)
#define E1000_TSYNCRXCTL_TYPE_ALL	(4u << 1)
#define E1000_TSYNCRXCTL_TYPE_EVENT_V2	(5u << 1)
#define E1000_TSYNCRXCTL_EN		(1u << 4)
#define E1000_TSYNCRXCTL_SYSCFI		(1u << 5)
#define E1000_RXSTMPL			0xb624	/* RO: Rx stamp low */
#define E1000_RXSTMPH			0xb628	/* RO: Rx stamp high; reading re-arms */
#define E1000_RXSATRL			0xb62c	/* RO: Rx stamp's source, low */
#define E1000_RXSATRH			0xb630	/* RO: Rx stamp's source and sequence */
#define E1000_RXMTRL			0xb634	/* RW: ether type and message to stamp */
#define E1000_RXMTRL_ETYPE		0x88f7u
#define E1000_RXUDP			0xb638	/* RW: UDP port to stamp */
#define E1000_RXUDP_PORT		0x0319u

/* ---- Old places of registers, still decoded (§2.4; 82574) ------------------ */

#define E1000_RAL_ALIAS(n)		(0x0040 + 8 * (n))
#define E1000_RAH_ALIAS(n)		(0x0044 + 8 * (n))
#define E1000_RDTR_ALIAS		0x0108
#define E1000_RDBAL_ALIAS		0x0110
#define E1000_RDBAH_ALIAS		0x0114
#define E1000_RDLEN_ALIAS		0x0118
#define E1000_RDH_ALIAS			0x0120
#define E1000_RDT_ALIAS			0x0128
#define E1000_FCRTH_ALIAS		0x0160
#define E1000_FCRTL_ALIAS		0x0168
#define E1000_TDBAL_ALIAS		0x0420
#define E1000_TDBAH_ALIAS		0x0424
#define E1000_TDLEN_ALIAS		0x0428
#define E1000_TDH_ALIAS			0x0430
#define E1000_TDT_ALIAS			0x0438
#define E1000_TIDV_ALIAS		0x0440
#define E1000_VFTA_ALIAS(i)		(0x0600 + 4 * (i))
#define E1000_RDFH_ALIAS		0x8000
#define E1000_RDFT_ALIAS		0x8008
#define E1000_TDFH_ALIAS		0x8010
#define E1000_TDFT_ALIAS		0x8018

/* ---- NVM words and wires (§4.1) ------------------------------------------- */

#define E1000_NVM_MAC			0x00	/* three words, low byte first */
#define E1000_NVM_COMPAT		0x03
#define E1000_NVM_COMPAT_CSUM_VALID	(1u << 0)
#define E1000_NVM_COMPAT_LOM		(1u << 11)
#define E1000_NVM_ID_LED		0x04
#define E1000_NVM_VERSION		0x05
#define E1000_NVM_SERDES_AMPLITUDE	0x06
#define E1000_NVM_SERDES_AMPL_MASK	0xfu
#define E1000_NVM_PHY_CLASS		0x07
#define E1000_NVM_PHY_CLASS_A		(1u << 15)
#define E1000_NVM_PBA0			0x08	/* board number, or: */
#define E1000_NVM_PBA_POINTER		0xfafau	/* PBA1 points to a string */
#define E1000_NVM_PBA1			0x09
#define E1000_NVM_INIT1			0x0a
#define E1000_NVM_SUBDEVICE		0x0b
#define E1000_NVM_SUBVENDOR		0x0c
#define E1000_NVM_DEVICE		0x0d
#define E1000_NVM_VENDOR		0x0e
#define E1000_NVM_INIT2			0x0f
#define E1000_NVM_INIT2_PAUSE_SHIFT	12
#define E1000_NVM_INIT2_PAUSE_MASK	(3u << 12)
#define E1000_NVM_INIT2_SWDPIO_SHIFT	4
#define E1000_NVM_INIT2_SWDPIO_MASK	(0xfu << 4)
#define E1000_NVM_CFG			0x12
#define E1000_NVM_CFG_SIZE_SHIFT	10		/* SPI: 0 64 words, n 2^(n+7) */
#define E1000_NVM_CFG_SIZE_MASK		(7u << 10)
#define E1000_NVM_INIT3_PORT_B		0x14
#define E1000_NVM_PCIE3			0x1a
#define E1000_NVM_PCIE3_ASPM_SHIFT	2
#define E1000_NVM_PCIE3_ASPM_MASK	(3u << 2)
#define E1000_NVM_INIT3_PORT_A		0x24
#define E1000_NVM_ALT_MAC		0x37	/* pointer; 0 or 0xffff: none */
#define E1000_NVM_CSUM			0x3f
#define E1000_NVM_CSUM_SUM		0xbabau	/* of words 0 to 0x3f, mod 2^16 */
#define E1000_NVM_UNUSED		0xffffu

/* Microwire opcodes, start bit included */
#define E1000_MW_READ			0x6u	/* 3 bits, then the address */
#define E1000_MW_WRITE			0x5u
#define E1000_MW_OP_BITS		3
#define E1000_MW_EWEN			0x13u	/* 5 bits */
#define E1000_MW_EWDS			0x10u
#define E1000_MW_EW_BITS		5
#define E1000_MW_ADDR_BITS_SMALL	6
#define E1000_MW_ADDR_BITS_LARGE	8

/* SPI opcodes, 8 bits */
#define E1000_SPI_WRITE			0x02u
#define E1000_SPI_READ			0x03u
#define E1000_SPI_RDSR			0x05u
#define E1000_SPI_RDSR_BUSY		(1u << 0)
#define E1000_SPI_WREN			0x06u
#define E1000_SPI_A8			0x08u	/* small parts: address bit 8 */

/* ---- PHYs (§4.2); registers 0-15 are in mii_regs.h ------------------------ */

/* MII PHYID1 << 16 | PHYID2; 82574 and 82583 compare all bits. */
#define E1000_PHY_ID_REV_MASK		0xfu
#define E1000_PHY_ID_M88E1011		0x01410c20u	/* 82540, 82545, 82546 */
#define E1000_PHY_ID_M88E1000_INT	0x01410c30u	/* 82544 */
#define E1000_PHY_ID_M88E1000_EXT	0x01410c50u	/* 82543 */
#define E1000_PHY_ID_M88E1111		0x01410cc0u	/* 82573 */
#define E1000_PHY_ID_BM			0x01410cb1u	/* 82574, 82583 */
#define E1000_PHY_ID_IGP01		0x02a80380u	/* 82541/7; 82571/2 is IGP02 */

#define E1000_M88_PSCR			16	/* RW: PHY control; needs a soft reset */
#define E1000_M88_PSCR_POLARITY_OFF	(1u << 1)
#define E1000_M88_PSCR_MDI_SHIFT	5
#define E1000_M88_PSCR_MDI_MASK		(3u << 5)
#define E1000_M88_PSCR_MDI		(0u << 5)
#define E1000_M88_PSCR_MDIX		(1u << 5)
#define E1000_M88_PSCR_MDI_AUTO_1000	(2u << 5)	/* auto at 1000 only */
#define E1000_M88_PSCR_MDI_AUTO		(3u << 5)
#define E1000_M88_PSCR_CRS_ON_TX	(1u << 11)
#define E1000_BM_PSCR_DOWNSHIFT_EN	(1u << 11)
#define E1000_M88_PSSR			17	/* RO: PHY status */
#define E1000_M88_PSSR_POLARITY_REV	(1u << 1)
#define E1000_M88_PSSR_DOWNSHIFT	(1u << 5)
#define E1000_M88_PSSR_MDIX		(1u << 6)
#define E1000_M88_PSSR_LINK		(1u << 10)
#define E1000_M88_PSSR_RESOLVED		(1u << 11)	/* speed and duplex are valid */
#define E1000_M88_PSSR_FD		(1u << 13)
#define E1000_M88_PSSR_SPEED_SHIFT	14
#define E1000_M88_PSSR_SPEED_MASK	(3u << 14)
#define E1000_M88_PSSR_SPEED_10		(0u << 14)
#define E1000_M88_PSSR_SPEED_100	(1u << 14)
#define E1000_M88_PSSR_SPEED_1000	(2u << 14)
#define E1000_M88_EPSCR			20	/* RW: extended PHY control */
#define E1000_M88_EPSCR_TX_CLK_25	0x0070u
#define E1000_M88_EPSCR_MASTER_DS_MASK	(3u << 10)	/* tries before downshift */
#define E1000_M88_EPSCR_SLAVE_DS_MASK	(3u << 8)
#define E1000_M88_RX_ERR		21	/* RC: receive errors */
#define E1000_M88_EXT_CTRL		26	/* RW: extended control */
#define E1000_M88_PAGE			29	/* RW: page for register 30 */
#define E1000_M88_PAGE_DATA		30	/* RW: meaning depends on 29 */

/* BM: registers past 15 are page << 5 | register; the page goes to 22 first. */
#define E1000_BM_PAGE			22	/* RW: page select */
#define E1000_BM_PAGE_SHIFT		5

/* IGP: of an offset past 15, all is written to 31 first, its low 5 bits used. */
#define E1000_IGP_PORT_CONFIG		16	/* RW */
#define E1000_IGP_CONFIG_SMARTSPEED	(1u << 7)
#define E1000_IGP_PORT_STATUS		17	/* RO */
#define E1000_IGP_STATUS_POLARITY_REV	(1u << 1)
#define E1000_IGP_STATUS_FD		(1u << 9)
#define E1000_IGP_STATUS_LINK		(1u << 10)
#define E1000_IGP_STATUS_MDIX		(1u << 11)
#define E1000_IGP_STATUS_SPEED_MASK	(3u << 14)
#define E1000_IGP_STATUS_SPEED_10	(1u << 14)
#define E1000_IGP_STATUS_SPEED_100	(2u << 14)
#define E1000_IGP_STATUS_SPEED_1000	(3u << 14)
#define E1000_IGP_PORT_CTRL		18	/* RW */
#define E1000_IGP_CTRL_AUTO_MDIX	(1u << 12)
#define E1000_IGP_CTRL_FORCE_MDIX	(1u << 13)	/* 0 MDI, 1 MDI-X */
#define E1000_IGP_LINK_HEALTH		19	/* RO */
#define E1000_IGP_HEALTH_DOWNGRADED	(1u << 15)	/* SmartSpeed went down */
#define E1000_IGP_GMII_FIFO		20	/* RW */
#define E1000_IGP_GMII_FLEX_SPD		(1u << 4)
#define E1000_IGP_GMII_SPD		(1u << 5)
#define E1000_IGP_POWER			25	/* RW: IGP02 */
#define E1000_IGP_POWER_SPD		(1u << 0)	/* smart power-down */
#define E1000_IGP_POWER_D0_LPLU		(1u << 1)
#define E1000_IGP_POWER_D3_LPLU		(1u << 2)
#define E1000_IGP_PAGE			31	/* RW: page select */
#define E1000_IGP_PCS_INIT		0xb4
#define E1000_IGP01_AGC_A		0x1172	/* cable length, one a pair */
#define E1000_IGP01_AGC_B		0x1272
#define E1000_IGP01_AGC_C		0x1472
#define E1000_IGP01_AGC_D		0x1872
#define E1000_IGP01_AGC_SHIFT		7
#define E1000_IGP01_AGC_NUM		128	/* values; 0 and the last are none */
#define E1000_IGP01_AGC_60M		56	/* from here on the cable is that long */
#define E1000_IGP01_DSP_A		0x1171	/* RW: signal processor, one a pair */
#define E1000_IGP01_DSP_B		0x1271
#define E1000_IGP01_DSP_C		0x1471
#define E1000_IGP01_DSP_D		0x1871
#define E1000_IGP01_DSP_MU_MASK		0xc000u		/* step size */
#define E1000_IGP01_DSP_SIGN_EXT	0x8000u
#define E1000_IGP01_FFE			0x1f35	/* RW: equalizer */
#define E1000_IGP01_FFE_NORMAL		0x002au
#define E1000_IGP01_FFE_NOISY		0x0069u
#define E1000_IGP01_TX			0x2f5b	/* RW: transmitter */
#define E1000_IGP01_TX_OFF		0x0003u
#define E1000_IGP01_FUSE_STATUS		0x20d0	/* RO: analog trim, 82547 */
#define E1000_IGP01_FUSE_SPARE		0x20d1	/* RO */
#define E1000_IGP01_FUSE_SPARE_ON	(1u << 8)
#define E1000_IGP01_FUSE_CONTROL	0x20dc	/* RW */
#define E1000_IGP01_FUSE_BYPASS		0x20de	/* RW */
#define E1000_IGP01_FUSE_BY_SOFTWARE	(1u << 1)
#define E1000_IGP01_FUSE_COARSE_MASK	0x0070u
#define E1000_IGP01_FUSE_FINE_MASK	0x0f80u
#define E1000_IGP01_FUSE_POLY_MASK	0xf000u
#define E1000_IGP02_AGC_A		0x11b1
#define E1000_IGP02_AGC_B		0x12b1
#define E1000_IGP02_AGC_C		0x14b1
#define E1000_IGP02_AGC_D		0x18b1

#endif /* _E1000_REGS_H_ */
