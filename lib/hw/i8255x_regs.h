/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _I8255X_REGS_H_
#define _I8255X_REGS_H_

#include <stdint.h>

/*
 * Control/status registers of the Intel 8255x family, 82557 to 82551, and what
 * hangs on their pins: serial EEPROM and PHY. § cites the project's facts page
 * for the chip. Little-endian; the same block is in BAR 0 (memory, 4 KiB) and
 * BAR 1 (I/O, 32 or 64 bytes). Bytes, words and dwords may be accessed.
 *
 * Access: RW; RO; WO; W1C, cleared by writing ones; SC, clears by itself.
 * "558+" means 82558 and later, and so on.
 */

#define I8255X_MEM_BAR_SIZE		0x1000
#define I8255X_IO_BAR_SIZE		0x40
#define I8255X_FLASH_BAR_SIZE		0x20000
#define I8255X_CSR_SIZE			0x40	/* what is decoded */

/* ---- System control block (§2) --------------------------------------------- */

#define I8255X_STATUS			0x00	/* RO, 8 bits (§2.1) */
#define I8255X_STATUS_CUS_MASK		0xC0u
#define I8255X_STATUS_CUS_IDLE		0x00u
#define I8255X_STATUS_CUS_SUSPENDED	0x40u
#define I8255X_STATUS_CUS_ACTIVE	0x80u	/* low-priority queue */
#define I8255X_STATUS_CUS_HPQ		0xC0u
#define I8255X_STATUS_RUS_MASK		0x3Cu
#define I8255X_STATUS_RUS_IDLE		0x00u
#define I8255X_STATUS_RUS_SUSPENDED	0x04u
#define I8255X_STATUS_RUS_NO_RES	0x08u
#define I8255X_STATUS_RUS_READY		0x10u

#define I8255X_STAT_ACK			0x01	/* W1C, 8 bits: interrupt causes (§2.2) */
#define I8255X_ACK_FCP			(1u << 0)	/* 558+: PAUSE received */
#define I8255X_ACK_ER			(1u << 1)	/* 558+: early receive */
#define I8255X_ACK_SWI			(1u << 2)	/* asked for by software */
#define I8255X_ACK_MDI			(1u << 3)	/* MDI cycle with IE done */
#define I8255X_ACK_RNR			(1u << 4)	/* receive unit left ready */
#define I8255X_ACK_CNA			(1u << 5)	/* command unit left active */
#define I8255X_ACK_FR			(1u << 6)	/* frame received */
#define I8255X_ACK_CX			(1u << 7)	/* command with I done */
#define I8255X_ACK_ALL			0xFFu
#define I8255X_ACK_GONE			0xFFu	/* the card is gone */

#define I8255X_CMD			0x02	/* RW, 8 bits, SC (§2.3): never read-modify-write */
#define I8255X_CMD_CUC_MASK		0xF0u
#define I8255X_CUC_NOP			0x00u
#define I8255X_CUC_START		0x10u	/* general pointer: CB offset */
#define I8255X_CUC_RESUME		0x20u
#define I8255X_CUC_HPQ_START		0x30u	/* not used by any driver */
#define I8255X_CUC_DUMP_ADDR		0x40u	/* general pointer: statistics buffer */
#define I8255X_CUC_DUMP_STATS		0x50u
#define I8255X_CUC_LOAD_BASE		0x60u	/* general pointer: CU base */
#define I8255X_CUC_DUMP_RESET		0x70u
#define I8255X_CUC_STATIC_RESUME	0xA0u	/* 558+ */
#define I8255X_CMD_RUC_MASK		0x07u
#define I8255X_RUC_NOP			0x00u
#define I8255X_RUC_START		0x01u	/* general pointer: RFD offset */
#define I8255X_RUC_RESUME		0x02u	/* in suspended only */
#define I8255X_RUC_REDIRECT		0x03u	/* 558+; not used */
#define I8255X_RUC_ABORT		0x04u
#define I8255X_RUC_LOAD_HDS		0x05u	/* not to be used: sticks until reset */
#define I8255X_RUC_LOAD_BASE		0x06u	/* general pointer: RU base */
#define I8255X_RUC_RBD_RESUME		0x07u	/* flexible mode */

#define I8255X_INT_CTRL			0x03	/* RW, 8 bits; reset: 0, unmasked (§2.4) */
#define I8255X_INT_M			(1u << 0)	/* mask everything */
#define I8255X_INT_SI			(1u << 1)	/* SC: raise SWI */
#define I8255X_INT_MASK_FCP		(1u << 2)	/* 558+, as all below */
#define I8255X_INT_MASK_ER		(1u << 3)
#define I8255X_INT_MASK_RNR		(1u << 4)
#define I8255X_INT_MASK_CNA		(1u << 5)
#define I8255X_INT_MASK_FR		(1u << 6)
#define I8255X_INT_MASK_CX		(1u << 7)

#define I8255X_POINTER			0x04	/* RW: argument of CUC and RUC */

#define I8255X_PORT			0x08	/* WO (§2.5): acts on its last byte */
#define I8255X_PORT_FUNC_MASK		0xFu
#define I8255X_PORT_RESET		0u	/* all but PCI configuration */
#define I8255X_PORT_SELFTEST		1u	/* pointer in 31:4 */
#define I8255X_PORT_SELECTIVE		2u	/* CU and RU idle; configuration kept */
#define I8255X_PORT_DUMP		3u
#define I8255X_PORT_DUMP_WAKEUP		7u	/* 559+ */
#define I8255X_PORT_WAIT_US		10u	/* least wait afterwards */
#define I8255X_SELFTEST_ALIGN		16u
#define I8255X_SELFTEST_MS		10u

/* Self-test buffer: signature (not 0 when done), then the result (0: passed; §2.5). */
struct i8255x_selftest {
	uint32_t signature;
	uint32_t result;
};
#define I8255X_SELFTEST_ROM		(1u << 2)	/* what failed */
#define I8255X_SELFTEST_REGISTER	(1u << 3)
#define I8255X_SELFTEST_DIAGNOSE	(1u << 5)
#define I8255X_SELFTEST_GENERAL		(1u << 12)

#define I8255X_FLASH_CTRL		0x0C	/* RW, 16 bits; leave 0 */

#define I8255X_EEPROM			0x0E	/* RW, 16 bits: microwire pins (§2.6) */
#define I8255X_EEPROM_SK		(1u << 0)
#define I8255X_EEPROM_CS		(1u << 1)
#define I8255X_EEPROM_DI		(1u << 2)	/* to the EEPROM */
#define I8255X_EEPROM_DO		(1u << 3)	/* RO: from the EEPROM */

#define I8255X_MDI			0x10	/* RW (§2.6): acts on its last byte */
#define I8255X_MDI_DATA_MASK		0xFFFFu
#define I8255X_MDI_REG_SHIFT		16
#define I8255X_MDI_REG_MASK		(0x1Fu << 16)
#define I8255X_MDI_PHY_SHIFT		21
#define I8255X_MDI_PHY_MASK		(0x1Fu << 21)
#define I8255X_MDI_WRITE		(1u << 26)
#define I8255X_MDI_READ			(2u << 26)
#define I8255X_MDI_OP_MASK		(3u << 26)
#define I8255X_MDI_READY		(1u << 28)	/* RO: set when done; 1 after reset */
#define I8255X_MDI_IE			(1u << 29)
#define I8255X_MDI_TIMEOUT_US		2000u	/* 64 bits at 2.5 MHz are 26 µs */

#define I8255X_RX_DMA_COUNT		0x14	/* RO: early receive; not used */
#define I8255X_EARLY_RX			0x18	/* RW, 8 bits, 558+; 0: off */
#define I8255X_FC_THRESHOLD		0x19	/* RW, 8 bits, 558+ */
#define I8255X_FC_THRESHOLD_MASK	0x07u
#define I8255X_FC_CMD			0x1A	/* RW, 8 bits, 558+ */
#define I8255X_PMDR			0x1B	/* W1C, 8 bits, 558+ */
#define I8255X_PMDR_PME			(1u << 0)
#define I8255X_PMDR_INTERESTING		(1u << 5)
#define I8255X_PMDR_MAGIC		(1u << 6)
#define I8255X_PMDR_LINK		(1u << 7)
#define I8255X_GEN_CTRL			0x1C	/* RW, 8 bits, 559+ */
#define I8255X_GEN_CTRL_DEEP_POWER_DOWN	(1u << 1)
#define I8255X_GEN_CTRL_PHY_RESET	(1u << 3)	/* ICH */
#define I8255X_GEN_STATUS		0x1D	/* RO, 8 bits, 559+ */
#define I8255X_GEN_STATUS_LINK		(1u << 0)
#define I8255X_GEN_STATUS_100		(1u << 1)
#define I8255X_GEN_STATUS_FD		(1u << 2)

/* ---- EEPROM (§4.1) ---------------------------------------------------------- */

#define I8255X_NVM_MAC			0	/* 3 words, low byte first */
#define I8255X_NVM_COMPAT		3
#define I8255X_NVM_COMPAT_LOCKUP_OK	0x0003u	/* both set: no lock-up at 10 and 100 Mb (§7) */
#define I8255X_NVM_COMPAT_MDIX		(1u << 7)
#define I8255X_NVM_COMPAT_SERVER	(1u << 10)	/* 82550 C: wants microcode */
#define I8255X_NVM_CONTROLLER		5
#define I8255X_NVM_CONTROLLER_82557	0x0100u	/* high byte */
#define I8255X_NVM_PHY			6
#define I8255X_NVM_PHY_ADDR_MASK	0x00FFu
#define I8255X_NVM_PHY_TYPE_SHIFT	8
#define I8255X_NVM_PHY_TYPE_MASK	0x3F00u
#define I8255X_NVM_PHY_10_ONLY		(1u << 15)	/* serial, no MII */
#define I8255X_NVM_PHY2			7
#define I8255X_NVM_PBA			8	/* 2 words */
#define I8255X_NVM_ID			0x0A
#define I8255X_NVM_ID_STANDBY		(1u << 1)	/* dynamic standby enabled (§7) */
#define I8255X_NVM_ID_WOL		(1u << 5)
#define I8255X_NVM_ID_DEEP_POWER_DOWN	(1u << 6)
#define I8255X_NVM_ID_SIGNATURE_MASK	0xC000u
#define I8255X_NVM_ID_SIGNATURE		0x4000u
#define I8255X_NVM_SUBDEVICE		0x0B
#define I8255X_NVM_SUBVENDOR		0x0C
#define I8255X_NVM_DEVICE		0x23
#define I8255X_NVM_SUM			0xBABAu	/* of all words, the last one making it so */
#define I8255X_NVM_WORDS_SMALL		64	/* 6 address bits */
#define I8255X_NVM_WORDS_LARGE		256	/* 8 */

/* PHY types of I8255X_NVM_PHY (§4.1). */
#define I8255X_PHY_TYPE_NONE		0
#define I8255X_PHY_TYPE_82553AB		1
#define I8255X_PHY_TYPE_82553C		2
#define I8255X_PHY_TYPE_82503		3	/* no MII */
#define I8255X_PHY_TYPE_DP83840		4
#define I8255X_PHY_TYPE_80C240		5
#define I8255X_PHY_TYPE_80C24		6	/* no MII */
#define I8255X_PHY_TYPE_82555		7
#define I8255X_PHY_TYPE_DP83840A	10
#define I8255X_PHY_TYPE_82555B		11

/* ---- PHYs (§4.2 to §4.4): registers 2 and 3 as (reg2 << 16 | reg3) ----------- */

#define I8255X_PHY_ID_MASK		0xFFFFFFF0u	/* without the revision */
#define I8255X_PHY_ID_82555		0x02A80150u
#define I8255X_PHY_ID_82562ET		0x02A80330u
#define I8255X_PHY_ID_82562EM		0x02A80320u
#define I8255X_PHY_ID_82562EK		0x02A80310u
#define I8255X_PHY_ID_82562EH		0x02A80170u	/* HomePNA */
#define I8255X_PHY_ID_100A		0x03E00000u
#define I8255X_PHY_ID_100C		0x02A80350u
#define I8255X_PHY_ID_DP83840		0x20005C00u
#define I8255X_PHY_ID_82552V		0x004DD060u

/* 82555 and 82562 (§4.3). */
#define I82555_STATUS			16
#define I82555_STATUS_FD		(1u << 0)
#define I82555_STATUS_100		(1u << 1)
#define I82555_STATUS_ADDR_SHIFT	2
#define I82555_STATUS_ADDR_MASK	(0x1Fu << 2)	/* of this PHY */
#define I82555_STATUS_POLARITY		(1u << 8)
#define I82555_SPECIAL			17
#define I82555_FALSE_CARRIER		19	/* RC, as those to 25 */
#define I82555_DISCONNECT		20
#define I82555_RX_ERROR			21
#define I82555_SYMBOL_ERROR		22
#define I82555_PREMATURE_END		23
#define I82555_JABBER			25
#define I82555_EQUALIZER		26
#define I82555_LED			27
#define I82555_LED_MASK			0x0007u
#define I82555_LED_AUTO			0x0000u	/* the link's; the values are Linux e100's */
#define I82555_LED_OFF			0x0004u
#define I82555_LED_ON			0x0005u	/* with 82559 and later */
#define I82555_LED_ON_BOTH		0x0007u	/* with 82557 and 82558 */
#define I82555_LED_HAS_MDIX		(1u << 15)	/* RO, behind a hub: register 28 exists */
#define I82555_MDIX			28
#define I82555_MDIX_AUTO		(1u << 7)

/* 82552. */
#define I82552_LED			25
#define I82552_LED_OFF			0x000Au
#define I82552_LED_ON			0x000Fu

/* DP83840 (§4.4). */
#define DP83840_PCR			23
#define DP83840_PCR_LED4		(1u << 1)
#define DP83840_PCR_F_CONNECT		(1u << 5)
#define DP83840_PCR_CONGESTION		(1u << 8)
#define DP83840_PCR_TX_READY		(1u << 10)
#define DP83840_PAR			25
#define DP83840_PAR_10			(1u << 6)	/* speed: 1 is 10 Mb/s */

#endif /* _I8255X_REGS_H_ */
