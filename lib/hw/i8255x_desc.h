/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _I8255X_DESC_H_
#define _I8255X_DESC_H_

#include <stddef.h>
#include <stdint.h>

/*
 * What the 8255x family reads and writes in host memory (§3). Little-endian.
 * Addresses are 32 bits; links are offsets to the CU or RU base, which every
 * driver keeps at 0.
 */

#define I8255X_NULL			0xFFFFFFFFu	/* no array, no RBD */

/* ---- Command blocks (§3.1) --------------------------------------------------- */

struct i8255x_cb {
	uint16_t status;	/* the chip writes, the host clears */
	uint16_t cmd;		/* S changes while the chip writes status: 16-bit stores */
	uint32_t link;
};

#define I8255X_CB_C			(1u << 15)	/* complete */
#define I8255X_CB_OK			(1u << 13)
#define I8255X_CB_U			(1u << 12)	/* Tx: underrun */
#define I8255X_CB_F			(1u << 11)	/* diagnose failed */
#define I8255X_CB_DONE			(I8255X_CB_C | I8255X_CB_OK)

#define I8255X_CMD_EL			(1u << 15)	/* end of list: CU idle after this */
#define I8255X_CMD_S			(1u << 14)	/* CU suspended after this */
#define I8255X_CMD_I			(1u << 13)	/* raise CX */
#define I8255X_CMD_CID_SHIFT		8		/* 558+: CNA delay */
#define I8255X_CMD_CID_MASK		(0x1Fu << 8)
#define I8255X_CMD_NC			(1u << 4)	/* Tx: no CRC and source insertion */
#define I8255X_CMD_SF			(1u << 3)	/* Tx: flexible mode */
#define I8255X_CMD_OP_MASK		0x000Fu		/* with SF: see I8255X_OP_IPCB */
#define I8255X_OP_NOP			0u
#define I8255X_OP_IA			1u
#define I8255X_OP_CONFIG		2u
#define I8255X_OP_MULTICAST		3u
#define I8255X_OP_TX			4u
#define I8255X_OP_UCODE			5u
#define I8255X_OP_DUMP			6u
#define I8255X_OP_DIAGNOSE		7u
#define I8255X_OP_FILTER		8u	/* 559+: wake-up filters */
#define I8255X_OP_IPCB			9u	/* 550/551; its bit 3 is SF */

/* Individual address set-up. */
struct i8255x_cb_ia {
	struct i8255x_cb cb;
	uint8_t mac[6];
	uint8_t pad[2];
};

/* Multicast set-up: `count` bytes of addresses, back to back; 0 clears the filter. */
#define I8255X_MC_MAX			64
struct i8255x_cb_mc {
	struct i8255x_cb cb;
	uint16_t count;
	uint8_t addr[I8255X_MC_MAX * 6];
	uint8_t pad[2];
};

#define I8255X_DUMP_SIZE		596

struct i8255x_cb_dump {
	struct i8255x_cb cb;
	uint32_t addr;
};

/* ---- Configure (§3.2) --------------------------------------------------------- */

#define I8255X_CONFIG_LEN		22	/* bytes of the usual block */
#define I8255X_CONFIG_LEN_EXT		32	/* 550/551 with extended RFDs */
#define I8255X_CONFIG_LEN_MIN		4

struct i8255x_cb_config {
	struct i8255x_cb cb;
	uint8_t byte[I8255X_CONFIG_LEN_EXT];
};

/* CFGn: a field of byte n. */
#define I8255X_CFG0_COUNT_MASK		0x3Fu
#define I8255X_CFG1_RX_FIFO_MASK	0x0Fu	/* 4-byte units */
#define I8255X_CFG1_TX_FIFO_SHIFT	4
#define I8255X_CFG1_TX_FIFO_MASK	0x70u
#define I8255X_CFG3_MWI			(1u << 0)	/* 558+, as those below */
#define I8255X_CFG3_TYPE		(1u << 1)
#define I8255X_CFG3_READ_ALIGN		(1u << 2)
#define I8255X_CFG3_TERM_CL		(1u << 3)	/* end writes on cache lines */
#define I8255X_CFG5_DMBC		(1u << 7)
#define I8255X_CFG6_LATE_SCB		(1u << 0)
#define I8255X_CFG6_RES1		(1u << 1)	/* 1 */
#define I8255X_CFG6_TNO_TCO		(1u << 2)	/* 557: TNO interrupt; 559+: TCO stats */
#define I8255X_CFG6_CI			(1u << 3)
#define I8255X_CFG6_STD_TCB		(1u << 4)	/* 0: extended, two TBDs in the block */
#define I8255X_CFG6_STD_STATS		(1u << 5)	/* 0: extended */
#define I8255X_CFG6_SAVE_OVERRUN	(1u << 6)
#define I8255X_CFG6_SAVE_BAD		(1u << 7)
#define I8255X_CFG7_DISCARD_SHORT	(1u << 0)
#define I8255X_CFG7_UNDERRUN_SHIFT	1	/* retries, 2 bits */
#define I8255X_CFG7_UNDERRUN_MASK	(3u << 1)
#define I8255X_CFG7_EXT_RFD		(1u << 5)	/* 550+ */
#define I8255X_CFG7_TWO_FRAMES		(1u << 6)
#define I8255X_CFG7_DYN_TBD		(1u << 7)	/* 550+ */
#define I8255X_CFG8_MII			(1u << 0)	/* 0: 82503 serial */
#define I8255X_CFG8_CSMA_OFF		(1u << 7)	/* link off */
#define I8255X_CFG9_RX_CSUM		(1u << 0)	/* 559 */
#define I8255X_CFG9_VLAN_TCO		(1u << 4)
#define I8255X_CFG9_LINK_WAKE		(1u << 5)
#define I8255X_CFG9_ARP_WAKE		(1u << 6)
#define I8255X_CFG9_MC_WAKE		(1u << 7)
#define I8255X_CFG10_FIXED		0x06u	/* bits 2:0 */
#define I8255X_CFG10_NSAI		(1u << 3)	/* the frame has its source address */
#define I8255X_CFG10_PREAMBLE_7		(2u << 4)
#define I8255X_CFG10_LOOP_MASK		(3u << 6)
#define I8255X_CFG10_LOOP_OFF		(0u << 6)
#define I8255X_CFG10_LOOP_MAC		(1u << 6)
#define I8255X_CFG10_LOOP_PHY		(3u << 6)
#define I8255X_CFG12_LINEAR		(1u << 0)
#define I8255X_CFG12_IFS_SHIFT		4	/* 16 bit times */
#define I8255X_CFG13_ARP_LO		0x00u
#define I8255X_CFG14_ARP_HI		0xF2u
#define I8255X_CFG15_PROMISC		(1u << 0)
#define I8255X_CFG15_NO_BROADCAST	(1u << 1)
#define I8255X_CFG15_WAIT_AFTER_WIN	(1u << 2)
#define I8255X_CFG15_FIXED		0x48u	/* bits 3 and 6 */
#define I8255X_CFG15_IGNORE_UL		(1u << 4)
#define I8255X_CFG15_CRC16		(1u << 5)
#define I8255X_CFG15_CRS_OR_CDT		(1u << 7)	/* 82503 serial */
#define I8255X_CFG16_FC_DELAY_LO	0x00u
#define I8255X_CFG17_FC_DELAY_HI	0x40u
#define I8255X_CFG18_STRIP		(1u << 0)	/* Rx padding */
#define I8255X_CFG18_PAD		(1u << 1)	/* Tx */
#define I8255X_CFG18_CRC		(1u << 2)	/* Rx: CRC into the buffer */
#define I8255X_CFG18_LONG_OK		(1u << 3)	/* 558+ */
#define I8255X_CFG18_PRI_SHIFT		4	/* PAUSE priority threshold; 7: off */
#define I8255X_CFG18_PRI_MASK		(7u << 4)
#define I8255X_CFG18_FIXED		(1u << 7)
#define I8255X_CFG19_IA_WAKE		(1u << 0)
#define I8255X_CFG19_NO_MAGIC		(1u << 1)
#define I8255X_CFG19_NO_TX_FC		(1u << 2)	/* PAUSE is not obeyed */
#define I8255X_CFG19_RX_FC_RESTOP	(1u << 3)
#define I8255X_CFG19_RX_FC_RESTART	(1u << 4)
#define I8255X_CFG19_REJECT_FC		(1u << 5)	/* PAUSE frames are not handed up */
#define I8255X_CFG19_FORCE_FDX		(1u << 6)
#define I8255X_CFG19_FDX_PIN		(1u << 7)
#define I8255X_CFG20_FIXED		0x1Fu
#define I8255X_CFG20_PRI_LOC		(1u << 5)
#define I8255X_CFG20_MULTI_IA		(1u << 6)
#define I8255X_CFG21_FIXED		0x05u
#define I8255X_CFG21_ALLMULTI		(1u << 3)
#define I8255X_CFG22_EXT_RFD		(1u << 0)	/* 550+, with CFG7_EXT_RFD */
#define I8255X_CFG22_VLAN_STRIP		(1u << 1)	/* 550+ */

/* ---- Transmit (§3.3, §3.4) ---------------------------------------------------- */

struct i8255x_tbd {
	uint32_t addr;
	uint32_t size;		/* 13:0, I8255X_TBD_EL */
};
#define I8255X_TBD_SIZE_MASK		0x3FFFu
#define I8255X_TBD_EL			(1u << 16)
#define I8255X_TBD_EL_DYN		(1u << 15)	/* dynamic mode of IPCBs */

struct i8255x_txcb {
	struct i8255x_cb cb;
	uint32_t array;		/* TBDs; I8255X_NULL in simplified mode */
	uint16_t count;		/* bytes that follow in the block, I8255X_TX_EOF */
	uint8_t threshold;	/* 8-byte units in the FIFO before sending starts */
	uint8_t nb_tbd;		/* 0xFF: dynamic (550+) */
};
#define I8255X_TX_EOF			(1u << 15)
#define I8255X_TX_COUNT_MASK		0x3FFFu
#define I8255X_TX_THRESHOLD_MAX		0xE0u	/* the whole frame, nearly */
#define I8255X_TX_TBD_MAX		0xFEu
#define I8255X_TX_TBD_DYNAMIC		0xFFu
#define I8255X_TX_INLINE_TBDS		2	/* extended block: array gives the third */

_Static_assert(sizeof(struct i8255x_txcb) == 16, "TxCB without data is 16 bytes");

/* IPCB: what 550/551 have in place of the inline TBDs (opcode 9). */
struct i8255x_ipcb {
	struct i8255x_cb cb;
	uint32_t array;
	uint16_t count;		/* 0 */
	uint16_t thr_or_mss;	/* threshold | nb_tbd << 8; MSS in large send */
	uint16_t schedule;	/* 0 */
	uint8_t act;		/* I8255X_IPCB_* */
	uint8_t act2;		/* I8255X_IPCB2_* */
	uint16_t vlan_be;	/* tag control information, big-endian */
	uint8_t ip_off, tcp_off;	/* 0 with hardware parsing */
	uint32_t addr0;		/* TBD 0 */
	uint16_t size0;
	uint16_t total;		/* large send: all TCP payload, bytes */
};
#define I8255X_IPCB_IP_CSUM		(1u << 4)
#define I8255X_IPCB_L4_CSUM		(1u << 5)
#define I8255X_IPCB_TCP			(1u << 6)	/* 0: UDP */
#define I8255X_IPCB_LARGE_SEND		(1u << 7)
#define I8255X_IPCB2_PARSE		(1u << 0)	/* the chip finds the headers */
#define I8255X_IPCB2_VLAN		(1u << 1)	/* insert the tag */
#define I8255X_IPCB2_SCHEDULED		(1u << 4)

_Static_assert(sizeof(struct i8255x_ipcb) == 32, "IPCB is 32 bytes");

/* ---- Receive (§3.5) ------------------------------------------------------------ */

struct i8255x_rfd {
	uint16_t status;	/* the chip writes, the host clears */
	uint16_t cmd;
	uint32_t link;
	uint32_t rbd;		/* I8255X_NULL: simplified */
	uint16_t count;		/* 13:0, F, EOF: written by the chip */
	uint16_t size;		/* of the data area; even */
};

_Static_assert(sizeof(struct i8255x_rfd) == 16, "RFD is 16 bytes");

#define I8255X_RFD_C			(1u << 15)
#define I8255X_RFD_OK			(1u << 13)
#define I8255X_RFD_VLAN			(1u << 12)	/* 550: a tag was stripped */
#define I8255X_RFD_CRC			(1u << 11)
#define I8255X_RFD_ALIGN		(1u << 10)
#define I8255X_RFD_NO_SPACE		(1u << 9)
#define I8255X_RFD_OVERRUN		(1u << 8)
#define I8255X_RFD_SHORT		(1u << 7)
#define I8255X_RFD_TYPE			(1u << 5)	/* EtherType, not length */
#define I8255X_RFD_RX_ER		(1u << 4)
#define I8255X_RFD_PARSED		(1u << 3)	/* 550: the extended part is valid */
#define I8255X_RFD_NO_MATCH		(1u << 2)
#define I8255X_RFD_NOT_IA		(1u << 1)	/* 0: own address */
#define I8255X_RFD_COLLISION		(1u << 0)	/* 557/558; 559: TCO */
#define I8255X_RFD_ERRORS \
	(I8255X_RFD_CRC | I8255X_RFD_ALIGN | I8255X_RFD_NO_SPACE | I8255X_RFD_OVERRUN | \
	 I8255X_RFD_SHORT | I8255X_RFD_RX_ER)

#define I8255X_RFD_EL			(1u << 15)	/* command */
#define I8255X_RFD_S			(1u << 14)
#define I8255X_RFD_H			(1u << 4)	/* header RFD: not used */
#define I8255X_RFD_SF			(1u << 3)	/* flexible: not used */

#define I8255X_RFD_EOF			(1u << 15)	/* count */
#define I8255X_RFD_F			(1u << 14)
#define I8255X_RFD_COUNT_MASK		0x3FFFu
#define I8255X_RFD_SIZE_MAX		0x3FFEu
#define I8255X_RFD_LEN			16	/* bytes before the frame */
#define I8255X_RFD_EXT_LEN		32	/* the same, extended */

/* 550/551: what follows the RFD proper with CFG7_EXT_RFD. */
struct i8255x_rfd_ext {
	uint16_t vlan_be;	/* tag control information, big-endian */
	uint8_t parser;
	uint8_t pad0;
	uint16_t security;
	uint8_t csum;
	uint8_t zero_copy;
	uint8_t pad1[8];
};

_Static_assert(sizeof(struct i8255x_rfd_ext) == 16, "extended RFD is 16 bytes more");

#define I8255X_EXT_PROTO_MASK		0x03u	/* parser */
#define I8255X_EXT_PROTO_TCP		0u
#define I8255X_EXT_PROTO_UDP		1u
#define I8255X_EXT_PROTO_IP		3u
#define I8255X_EXT_PARSED		(1u << 3)
#define I8255X_EXT_IP_VALID		(1u << 0)	/* csum */
#define I8255X_EXT_IP_GOOD		(1u << 1)
#define I8255X_EXT_L4_VALID		(1u << 4)
#define I8255X_EXT_L4_GOOD		(1u << 5)

/* 559 with CFG9_RX_CSUM: the raw sum of all after the Ethernet header follows the frame. */
#define I8255X_RX_CSUM_LEN		2

/* ---- Statistics dump (§3.6) ----------------------------------------------------- */

struct i8255x_stats_dump {
	uint32_t tx_good;
	uint32_t tx_max_coll;
	uint32_t tx_late_coll;
	uint32_t tx_underrun;
	uint32_t tx_lost_carrier;
	uint32_t tx_deferred;
	uint32_t tx_single_coll;
	uint32_t tx_multi_coll;
	uint32_t tx_total_coll;
	uint32_t rx_good;
	uint32_t rx_crc;
	uint32_t rx_align;
	uint32_t rx_resource;
	uint32_t rx_overrun;
	uint32_t rx_cdt;
	uint32_t rx_short;
	uint32_t fc_tx_pause;	/* 558+, as those below; or the marker */
	uint32_t fc_rx_pause;
	uint32_t fc_rx_unsupported;
	uint16_t tx_tco;	/* 559+; or the marker */
	uint16_t rx_tco;
	uint32_t marker_559;
};

#define I8255X_STATS_MARK_STD		0x40	/* where the marker is: CFG6_STD_STATS */
#define I8255X_STATS_MARK_EXT		0x4C	/* extended */
#define I8255X_STATS_MARK_TCO		0x50	/* extended, CFG6_TNO_TCO, 559+ */
#define I8255X_STATS_DUMPED		0xA005u
#define I8255X_STATS_DUMPED_RESET	0xA007u

_Static_assert(offsetof(struct i8255x_stats_dump, fc_tx_pause) == I8255X_STATS_MARK_STD, "§3.6");
_Static_assert(offsetof(struct i8255x_stats_dump, tx_tco) == I8255X_STATS_MARK_EXT, "§3.6");
_Static_assert(offsetof(struct i8255x_stats_dump, marker_559) == I8255X_STATS_MARK_TCO, "§3.6");

/* ---- Limits (§6) ----------------------------------------------------------------- */

#define I8255X_MAX_FRAME		1518	/* with CRC; 1522 with CFG18_LONG_OK */
#define I8255X_MAX_FRAME_LONG		1522
#define I8255X_DMA_BITS			32

#endif /* _I8255X_DESC_H_ */
