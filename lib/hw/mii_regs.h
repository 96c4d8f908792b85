/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _MII_REGS_H_
#define _MII_REGS_H_

/*
 * Clause-22 MII management registers (IEEE 802.3 §22.2.4, §28.2.4, §40.5.1).
 * Every PHY of every chip has these; what a PHY adds from register 16 on is
 * in the chip's own header. 16-bit registers; mode tags RO, RW, SC (clears by
 * itself), LL (latches low until read), LH (latches high until read).
 */

#define MII_REG_NUM			32

#define MII_BMCR			0	/* RW: basic mode control (§22.2.4.1) */
#define MII_BMCR_SPEED1000		(1u << 6)
#define MII_BMCR_COLTEST		(1u << 7)
#define MII_BMCR_FULLDPLX		(1u << 8)
#define MII_BMCR_ANRESTART		(1u << 9)	/* SC */
#define MII_BMCR_ISOLATE		(1u << 10)
#define MII_BMCR_PDOWN			(1u << 11)
#define MII_BMCR_ANENABLE		(1u << 12)
#define MII_BMCR_SPEED100		(1u << 13)
#define MII_BMCR_LOOPBACK		(1u << 14)
#define MII_BMCR_RESET			(1u << 15)	/* SC */

#define MII_BMSR			1	/* RO: basic mode status (§22.2.4.2) */
#define MII_BMSR_ERCAP			(1u << 0)
#define MII_BMSR_JCD			(1u << 1)	/* LH */
#define MII_BMSR_LSTATUS		(1u << 2)	/* LL */
#define MII_BMSR_ANEGCAPABLE		(1u << 3)
#define MII_BMSR_RFAULT			(1u << 4)	/* LH */
#define MII_BMSR_ANEGCOMPLETE		(1u << 5)
#define MII_BMSR_NOPREAMBLE		(1u << 6)
#define MII_BMSR_ESTATEN		(1u << 8)	/* register 15 exists */
#define MII_BMSR_100T2HALF		(1u << 9)
#define MII_BMSR_100T2FULL		(1u << 10)
#define MII_BMSR_10HALF			(1u << 11)
#define MII_BMSR_10FULL			(1u << 12)
#define MII_BMSR_100HALF		(1u << 13)
#define MII_BMSR_100FULL		(1u << 14)
#define MII_BMSR_100BASE4		(1u << 15)

#define MII_PHYID1			2	/* RO: OUI bits 3..18 */
#define MII_PHYID2			3	/* RO: OUI bits 19..24, model, revision */
#define MII_PHYID2_OUI_SHIFT		10
#define MII_PHYID2_MODEL_SHIFT		4
#define MII_PHYID2_MODEL_MASK		0x03f0u
#define MII_PHYID2_REV_MASK		0x000fu

#define MII_ANAR			4	/* RW: what this end offers (§28.2.4.1.3) */
#define MII_ANLPAR			5	/* RO: what the partner offers */
/* Bits of both; ACK is meaningful in MII_ANLPAR only. */
#define MII_AN_SELECTOR_MASK		0x001fu
#define MII_AN_CSMA			(1u << 0)
#define MII_AN_10HALF			(1u << 5)
#define MII_AN_10FULL			(1u << 6)
#define MII_AN_100HALF			(1u << 7)
#define MII_AN_100FULL			(1u << 8)
#define MII_AN_100BASE4			(1u << 9)
#define MII_AN_PAUSE			(1u << 10)
#define MII_AN_ASM_DIR			(1u << 11)
#define MII_AN_RFAULT			(1u << 13)
#define MII_AN_ACK			(1u << 14)
#define MII_AN_NPAGE			(1u << 15)

#define MII_ANER			6	/* RO: auto-negotiation expansion */
#define MII_ANER_LP_AN			(1u << 0)	/* partner negotiates */
#define MII_ANER_PAGE_RX		(1u << 1)	/* LH */
#define MII_ANER_NPAGE			(1u << 2)
#define MII_ANER_LP_NPAGE		(1u << 3)
#define MII_ANER_PDF			(1u << 4)	/* LH: parallel detection fault */

#define MII_ANNPTX			7	/* RW: next page to send */
#define MII_ANLPRNP			8	/* RO: partner's next page */
#define MII_NP_CODE_MASK		0x07ffu
#define MII_NP_TOGGLE			(1u << 11)
#define MII_NP_ACK2			(1u << 12)
#define MII_NP_MP			(1u << 13)	/* message page */
#define MII_NP_ACK			(1u << 14)
#define MII_NP_NPAGE			(1u << 15)

#define MII_GBCR			9	/* RW: 1000BASE-T control (§40.5.1.1) */
#define MII_GBCR_1000HALF		(1u << 8)
#define MII_GBCR_1000FULL		(1u << 9)
#define MII_GBCR_MULTIPORT		(1u << 10)
#define MII_GBCR_MASTER			(1u << 11)	/* value, if manual */
#define MII_GBCR_MS_MANUAL		(1u << 12)
#define MII_GBCR_TEST_SHIFT		13
#define MII_GBCR_TEST_MASK		0xe000u

#define MII_GBSR			10	/* RO: 1000BASE-T status (§40.5.1.1) */
#define MII_GBSR_IDLE_ERR_MASK		0x00ffu
#define MII_GBSR_LP_1000HALF		(1u << 10)
#define MII_GBSR_LP_1000FULL		(1u << 11)
#define MII_GBSR_REMOTE_RX_OK		(1u << 12)
#define MII_GBSR_LOCAL_RX_OK		(1u << 13)
#define MII_GBSR_MASTER			(1u << 14)	/* resolved to master */
#define MII_GBSR_MS_FAULT		(1u << 15)	/* LH */

#define MII_ESR				15	/* RO: extended status (§22.2.4.4) */
#define MII_ESR_1000T_HALF		(1u << 12)
#define MII_ESR_1000T_FULL		(1u << 13)
#define MII_ESR_1000X_HALF		(1u << 14)
#define MII_ESR_1000X_FULL		(1u << 15)

#endif /* _MII_REGS_H_ */
