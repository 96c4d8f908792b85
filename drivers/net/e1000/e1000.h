/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _E1000_H_
#define _E1000_H_

#include <stdbool.h>
#include <stdint.h>

#include <rte_ether.h>
#include <rte_spinlock.h>

#include <e1000_ids.h>
#include <e1000_regs.h>
#include <mii_regs.h>
#include <pw_attach.h>
#include <pw_dma.h>
#include <pw_eeprom.h>
#include <pw_ethdev.h>
#include <pw_fc.h>
#include <pw_log.h>
#include <pw_mii.h>

/* --- variants: one row a MAC type, tested by flag, never by revision --- */

enum e1000_mac {
	E1000_MAC_82543,
	E1000_MAC_82544,
	E1000_MAC_82540,
	E1000_MAC_82545,
	E1000_MAC_82545_REV3,
	E1000_MAC_82546,
	E1000_MAC_82546_REV3,
	E1000_MAC_82541,
	E1000_MAC_82541_REV2,
	E1000_MAC_82547,
	E1000_MAC_82547_REV2,
	E1000_MAC_82571,
	E1000_MAC_82572,
	E1000_MAC_82573,
	E1000_MAC_82574,
	E1000_MAC_82583,
	E1000_MAC_NUM,
};

enum e1000_media {
	E1000_MEDIA_COPPER,
	E1000_MEDIA_FIBER,
	E1000_MEDIA_SERDES,
};

/* How CTRL.RST has to be written (§5.1). */
enum e1000_reset_kind {
	E1000_RESET_MMIO,
	E1000_RESET_IO,		/* through the I/O BAR; by MMIO where there is none */
	E1000_RESET_CTRL_DUP,
};

/* How the EEPROM is read (§4.1). */
enum e1000_nvm_kind {
	E1000_NVM_MICROWIRE,	/* bit-bang only */
	E1000_NVM_EERD_SMALL,	/* EERD with the small layout, microwire behind it */
	E1000_NVM_EERD_ANY,	/* EERD with the large layout, EECD.TYPE says what is behind it */
	E1000_NVM_EERD_LARGE,	/* EERD only */
};

enum e1000_phy_kind {
	E1000_PHY_M88,
	E1000_PHY_IGP,
	E1000_PHY_BM,
};

/* What a part has or needs. */
#define E1000_F_PCIE		RTE_BIT64(0)	/* 82571 and later (§1.1) */
#define E1000_F_MDIO_PINS	RTE_BIT64(1)	/* no MDIC: the MII is bit-banged (§4.2) */
#define E1000_F_SW_LINK		RTE_BIT64(2)	/* the MAC must be told speed and duplex (§4.3) */
#define E1000_F_CSUM		RTE_BIT64(3)	/* checksum offloads can be trusted */
#define E1000_F_TSO		RTE_BIT64(4)	/* segmentation can be trusted */
#define E1000_F_EECD_REQ	RTE_BIT64(5)	/* EEPROM pins are shared: request and grant */
#define E1000_F_PORT_MAC	RTE_BIT64(6)	/* two ports, one EEPROM: function 1 flips a bit */
#define E1000_F_DELAY_TIMERS	RTE_BIT64(7)	/* has ITR, RADV, TADV */
#define E1000_F_SIGNAL_LOW	RTE_BIT64(8)	/* optics signal when SWDPIN1 is 0, not 1 */
#define E1000_F_EE_RST		RTE_BIT64(9)	/* reload the EEPROM by hand after reset */
#define E1000_F_CLEAR_ARP	RTE_BIT64(10)	/* MANC.ARP_EN is on after reset */
#define E1000_F_PHY_RST_FIRST	RTE_BIT64(11)	/* PHY reset before MAC reset */
#define E1000_F_SWSM		RTE_BIT64(12)	/* PHY shared with firmware: SWSM */
#define E1000_F_EXTCNF_RESET	RTE_BIT64(13)	/* EXTCNF_CTRL ownership around reset */
#define E1000_F_EXTCNF_PHY	RTE_BIT64(14)	/* EXTCNF_CTRL ownership for the PHY */
#define E1000_F_IVAR		RTE_BIT64(15)	/* MSI-X causes go through IVAR */
#define E1000_F_SWSM_LOAD	RTE_BIT64(16)	/* "driver loaded" lives in SWSM */
#define E1000_F_EEWR		RTE_BIT64(24)	/* the EEPROM, or flash, is written by EEWR */
#define E1000_F_LED_PIN		RTE_BIT64(25)	/* the LED hangs on SWDPIN0, there is no LEDCTL */
#define E1000_F_LED_LOW		RTE_BIT64(26)	/* on copper that pin lights it when 0 */
#define E1000_F_LED_INVERT	RTE_BIT64(27)	/* "on" wants a link; invert without (§4.3) */
#define E1000_F_SWSM2		RTE_BIT64(28)	/* SWSM is shared with the other port, too */
#define E1000_F_LINK_MODE	RTE_BIT64(17)	/* CTRL_EXT.LINK_MODE and CTRL.29 need setting */
#define E1000_F_IGP_OLD		RTE_BIT64(18)	/* IGP01's first revision (§4.4) */
#define E1000_F_IGP_FUSE	RTE_BIT64(22)	/* its analog part is trimmed by software */
#define E1000_F_IGP_DSP		RTE_BIT64(23)	/* IGP01 that can be told of a long cable */
#define E1000_F_EXT_RXD		RTE_BIT64(19)	/* extended Rx descriptors (§3.2) */
#define E1000_F_RSS		RTE_BIT64(20)	/* two queues each way, and RSS (§1.2) */
#define E1000_F_TSYNC		RTE_BIT64(21)	/* IEEE 1588 time stamps (§2.7) */

/* Errata; §7 unless another section is named. */
#define E1000_F_ERR_64K		RTE_BIT64(32)	/* no DMA target may cross 64 KiB */
#define E1000_F_ERR_EVEN_DWORD	RTE_BIT64(33)	/* PCI-X: Tx buffer end in an even dword hangs */
#define E1000_F_ERR_FIRST_2015	RTE_BIT64(34)	/* PCI-X: first Tx descriptor under 2016 bytes */
#define E1000_F_ERR_VFTA_PAIR	RTE_BIT64(35)	/* odd VFTA write clobbers the one before it */
#define E1000_F_ERR_MMRBC	RTE_BIT64(36)	/* PCI-X read size above 2 KiB */
#define E1000_F_ERR_DMA_CLOCK	RTE_BIT64(37)	/* DMA clock gating */
#define E1000_F_ERR_TARC	RTE_BIT64(38)	/* arbitration bits of both queues */
#define E1000_F_ERR_TARC_SPEED	RTE_BIT64(39)	/* TARC0.21 must follow the speed */
#define E1000_F_ERR_TARC_26	RTE_BIT64(40)	/* TARC0.26, GCR.22, GCR2.0 */
#define E1000_F_ERR_ECC		RTE_BIT64(41)	/* packet buffer ECC is off */
#define E1000_F_ERR_IPV6_EXT	RTE_BIT64(42)	/* malformed IPv6 extension hangs Rx */
#define E1000_F_ERR_RAR0	RTE_BIT64(43)	/* other port's reset reloads RAR0 */
#define E1000_F_ERR_NO_RX_OFF	RTE_BIT64(44)	/* RCTL.EN must not be cleared on the way down */
#define E1000_F_ERR_HALF	RTE_BIT64(45)	/* half duplex stalls the Tx FIFO (§6) */
#define E1000_F_ERR_PHY_HANG	RTE_BIT64(46)	/* PHY can hang with no link */
#define E1000_F_ERR_ASPM_L0S	RTE_BIT64(47)
#define E1000_F_ERR_ASPM_L1	RTE_BIT64(48)
#define E1000_F_ERR_WTHRESH	RTE_BIT64(49)	/* TXDCTL.WTHRESH corrupts write-backs (§7.0) */
#define E1000_F_ERR_RELAXED	RTE_BIT64(50)	/* quad cards: relaxed ordering off */
#define E1000_F_ERR_EXTENDED	RTE_BIT64(51)	/* takes carrier extension for a byte (§7) */
#define E1000_F_ERR_NO_JUMBO	RTE_BIT64(52)	/* frames above 1518 bytes do not work (§1.2) */
#define E1000_F_ERR_TSO_REPORT	RTE_BIT64(53)	/* TSO is reported before it has been read (§6) */
#define E1000_F_ERR_TSO_HEADER	RTE_BIT64(54)	/* TSO header needs payload with it (§6) */

/* Tx work-arounds that look at every segment: the packet path tests them as one. */
#define E1000_F_TX_QUIRKS (E1000_F_ERR_64K | E1000_F_ERR_EVEN_DWORD | E1000_F_ERR_FIRST_2015)

struct e1000_variant {
	const char *name;
	uint64_t flags;
	enum e1000_reset_kind reset;
	uint16_t reset_ms;	/* wait after CTRL.RST (§5.1) */
	enum e1000_nvm_kind nvm;
	enum e1000_phy_kind phy;
	uint16_t rx_pba_kb;	/* Rx share of the packet buffer (§1.1) */
	uint16_t fifo_kb;	/* Tx share where it matters (E1000_F_ERR_HALF) */
	uint16_t max_desc;	/* descriptors a ring may have */
	uint16_t max_frame;	/* longest frame with CRC, bytes (§1.2) */
	uint16_t min_tx;	/* shorter frames are padded to 60 by software (§6) */
	uint8_t nb_rar;		/* station addresses for us */
	struct pw_dma_limits dma;
};

/* --- the chip --- */

/* What the IGP01 PHY's signal processor has been told; e1000_igp.c. */
struct e1000_igp {
	bool dsp;		/* the cable is long */
	bool ffe;		/* it is noisy */
};

struct e1000_hw {
	const struct pw_io *io;	/* BAR 0 */
	const struct pw_io *port; /* I/O BAR; NULL: none */
	const struct pw_dev *dev; /* for messages and PCI configuration space */
	const struct e1000_variant *variant; /* &row: a table is elsewhere in another process */
	struct e1000_variant row;
	uint64_t flags;		/* the variant's, less what this card's bus or id rules out */
	enum e1000_media media;

	/* EEPROM */
	enum e1000_nvm_access {
		E1000_NVM_BY_EERD,
		E1000_NVM_BY_MICROWIRE,
		E1000_NVM_BY_SPI,
		E1000_NVM_BY_EEWR,
	} nvm_access, nvm_write;
	struct pw_eerd eerd;
	struct pw_microwire mw;
	uint16_t nvm_words;
	uint8_t spi_addr_bits;

	/* link */
	struct pw_mii mii;
	uint32_t phy_id;
	uint32_t link_speeds;	/* RTE_ETH_LINK_SPEED_* asked for */
	bool loopback;		/* what is sent comes back, nothing leaves */
	struct pw_mii_link link; /* as last read */
	uint32_t txcw;		/* fibre: what we offer */
	bool an_failed;		/* fibre: partner did not negotiate last time */
	struct e1000_igp igp;
	struct pw_fc fc;
	uint32_t fc_high, fc_low; /* watermarks, bytes; 0: by the packet buffer */

	/* receive filter, kept across resets */
	struct rte_ether_addr mac;
	uint32_t rctl;		/* as written, 0 while stopped */
	uint32_t bsize;		/* RCTL bits of the buffer size */
	bool promisc, allmulti, vlan_filter, vlan_strip, long_frames, keep_crc;
	uint16_t tpid;		/* EtherType of a VLAN tag; reset does not change it */
	uint32_t mta[E1000_MTA_NUM];
	uint32_t vfta[E1000_VFTA_NUM];
	struct rte_ether_addr rar[E1000_RAR_NUM]; /* zero: unused */
};

/* --- statistics: X(field, register, xstat name) --- */

/* All parts (§2.6, §8). */
#define E1000_STATS_32(X) \
	X(crcerrs,  CRCERRS,  "rx_crc_errors") \
	X(algnerrc, ALGNERRC, "rx_align_errors") \
	X(rxerrc,   RXERRC,   "rx_errors_phy") \
	X(scc,      SCC,      "tx_single_collision_packets") \
	X(ecol,     ECOL,     "tx_excessive_collision_packets") \
	X(mcc,      MCC,      "tx_multiple_collision_packets") \
	X(latecol,  LATECOL,  "tx_late_collisions") \
	X(colc,     COLC,     "tx_total_collisions") \
	X(dc,       DC,       "tx_deferred_packets") \
	X(tncrs,    TNCRS,    "tx_no_carrier_sense_packets") \
	X(cexterr,  CEXTERR,  "rx_carrier_ext_errors") \
	X(rlec,     RLEC,     "rx_length_errors") \
	X(xonrxc,   XONRXC,   "rx_xon_packets") \
	X(xontxc,   XONTXC,   "tx_xon_packets") \
	X(xoffrxc,  XOFFRXC,  "rx_xoff_packets") \
	X(xofftxc,  XOFFTXC,  "tx_xoff_packets") \
	X(fcruc,    FCRUC,    "rx_flow_control_unsupported_packets") \
	X(prc64,    PRC64,    "rx_size_64_packets") \
	X(prc127,   PRC127,   "rx_size_65_to_127_packets") \
	X(prc255,   PRC255,   "rx_size_128_to_255_packets") \
	X(prc511,   PRC511,   "rx_size_256_to_511_packets") \
	X(prc1023,  PRC1023,  "rx_size_512_to_1023_packets") \
	X(prc1522,  PRC1522,  "rx_size_1024_to_max_packets") \
	X(gprc,     GPRC,     "rx_chip_good_packets") \
	X(bprc,     BPRC,     "rx_broadcast_packets") \
	X(mprc,     MPRC,     "rx_multicast_packets") \
	X(gptc,     GPTC,     "tx_chip_good_packets") \
	X(ruc,      RUC,      "rx_undersize_errors") \
	X(rfc,      RFC,      "rx_fragment_errors") \
	X(roc,      ROC,      "rx_oversize_errors") \
	X(rjc,      RJC,      "rx_jabber_errors") \
	X(mgtprc,   MGTPRC,   "rx_management_packets") \
	X(mgtpdc,   MGTPDC,   "rx_management_dropped") \
	X(mgtptc,   MGTPTC,   "tx_management_packets") \
	X(tpr,      TPR,      "rx_total_packets") \
	X(tpt,      TPT,      "tx_total_packets") \
	X(ptc64,    PTC64,    "tx_size_64_packets") \
	X(ptc127,   PTC127,   "tx_size_65_to_127_packets") \
	X(ptc255,   PTC255,   "tx_size_128_to_255_packets") \
	X(ptc511,   PTC511,   "tx_size_256_to_511_packets") \
	X(ptc1023,  PTC1023,  "tx_size_512_to_1023_packets") \
	X(ptc1522,  PTC1522,  "tx_size_1024_to_max_packets") \
	X(mptc,     MPTC,     "tx_multicast_packets") \
	X(bptc,     BPTC,     "tx_broadcast_packets") \
	X(tsctc,    TSCTC,    "tx_tso_packets") \
	X(tsctfc,   TSCTFC,   "tx_tso_errors")
/* Some devices do not clear these when they are read. */
#define E1000_STATS_HELD(X) \
	X(mpc,      MPC,      "rx_missed_packets") \
	X(rnbc,     RNBC,     "rx_no_descriptor_packets")
/* Wild while a fibre has no link: read only on copper or with link. */
#define E1000_STATS_LINK(X) \
	X(symerrs,  SYMERRS,  "rx_symbol_errors") \
	X(sec,      SEC,      "rx_sequence_errors")
/* Low and high halves; with the CRC's four bytes a packet. */
#define E1000_STATS_64(X) \
	X(gorc,     GORC,     "rx_chip_good_bytes") \
	X(gotc,     GOTC,     "tx_chip_good_bytes") \
	X(tor,      TOR,      "rx_total_bytes") \
	X(tot,      TOT,      "tx_total_bytes")
/* Counted by the driver; struct e1000_sw_stats. */
#define E1000_STATS_SW(X) \
	X(rx_nombuf,      "rx_mbuf_alloc_failed") \
	X(rx_errors,      "rx_dropped_bad_frames") \
	X(rx_oversize,    "rx_dropped_above_mtu") \
	X(rx_dropped_bytes, "rx_dropped_bytes") \
	X(rx_parked,      "rx_parked_buffers") \
	X(rx_extended,    "rx_extended_packets") \
	X(rx_extended_bytes, "rx_extended_bytes") \
	X(tx_dropped,     "tx_dropped_bad_packets") \
	X(tx_linearized,  "tx_linearized_packets") \
	X(tx_bounced,     "tx_bounced_packets") \
	X(tx_load_failed, "tx_unloadable_packets")
/* 82571 and later. */
#define E1000_STATS_PCIE(X) \
	X(iac,      IAC,      "interrupts_asserted") \
	X(icrxptc,  ICRXPTC,  "interrupts_rx_timer") \
	X(icrxatc,  ICRXATC,  "interrupts_rx_absolute_timer") \
	X(ictxptc,  ICTXPTC,  "interrupts_tx_timer") \
	X(ictxatc,  ICTXATC,  "interrupts_tx_absolute_timer") \
	X(ictxqec,  ICTXQEC,  "interrupts_tx_queue_empty") \
	X(ictxqmtc, ICTXQMTC, "interrupts_tx_low_threshold") \
	X(icrxdmtc, ICRXDMTC, "interrupts_rx_low_threshold") \
	X(icrxoc,   ICRXOC,   "interrupts_rx_overrun")

#define E1000_STAT_FIELD(field, ...) uint64_t field;

/* Written by the packet path's rare branches only; survives queue release. */
struct e1000_sw_stats {
	E1000_STATS_SW(E1000_STAT_FIELD)
};

struct e1000_stats {
	E1000_STATS_32(E1000_STAT_FIELD)
	E1000_STATS_HELD(E1000_STAT_FIELD)
	E1000_STATS_LINK(E1000_STAT_FIELD)
	E1000_STATS_64(E1000_STAT_FIELD)
	struct e1000_sw_stats sw;
	E1000_STATS_PCIE(E1000_STAT_FIELD)
};

/* --- queues --- */

/* Between frames; joining one from several buffers; passing over the rest of a dropped one. */
#define E1000_RX_IDLE 0
#define E1000_RX_JOIN 1
#define E1000_RX_SKIP 2

/* Entries of the flag table: five status and two error bits, hash; see rx_flag_index(). */
#define E1000_RX_FLAG_NUM 256

struct e1000_rxq {
	struct pw_rxq q;
	/* --- packet path, after q's first line --- */
	const struct pw_io *io;
	uint64_t rx_off;	/* from buf_iova to where the chip writes */
	uint16_t max_len;	/* longest frame to hand up, without CRC */
	uint8_t vlan_reinsert;	/* the chip strips for Tx's sake only: put the tag back */
	uint8_t in_frame;	/* E1000_RX_IDLE, _JOIN or _SKIP: what the next buffer belongs to */
	bool ext;		/* extended descriptors */
	uint64_t odd;		/* descriptor bits, besides errors, that the fast take leaves */
	struct rte_mbuf *first;	/* frame that is not complete yet */
	struct rte_mbuf *last;
	uint64_t stamp_flags;	/* what a time stamp's mark means; 0: nothing */
	uint32_t tail;		/* RDT's offset */
	uint32_t refill_at;	/* free slots that are worth a refill; UINT32_MAX: never */
	uint16_t tpid;		/* of a tag to put back, big endian */
	uint32_t boundary;	/* 64 KiB on parts with that erratum, else 0 */
	uint32_t buf_len;	/* bytes the chip may write to one buffer */
	struct e1000_sw_stats *stats;
	uint32_t rxdctl;	/* thresholds asked for at set-up */
	bool full;		/* started with the full burst */
	bool extended;		/* E1000_F_ERR_EXTENDED applies */
	uint8_t crc_trim;	/* bytes of CRC that software takes off */
	struct rte_mbuf *parked; /* buffers that cross a boundary, linked by next */
	uint16_t flag[E1000_RX_FLAG_NUM]; /* ol_flags by what the chip says */
};

/* Where packets lie in the Tx FIFO; e1000_tx_fifo.c. */
struct e1000_fifo {
	const struct pw_mii_link *link;	/* NULL: this part needs none of it */
	uint32_t base;		/* first of its pointers' values */
	uint32_t size;		/* bytes */
	uint32_t head;		/* where the next packet will lie, bytes */
	bool known;		/* whether that is so */
};

struct e1000_txq {
	struct pw_txq q;
	/* --- packet path, after q's first line --- */
	const struct pw_io *io;
	uint64_t ol_mask;	/* RTE_MBUF_F_TX_* that this queue acts on */
	uint64_t ctx_key;	/* what the chip's context was made from; UINT64_MAX: unknown */
	uint64_t ctx_forget;	/* UINT64_MAX where another queue changes it too, else 0 */
	uint32_t ctx_len;	/* bytes of headers that it speaks of */
	uint32_t tail;		/* TDT's offset */
	uint32_t *rs_at;	/* full path: by report group, counter of the descriptor with RS */
	uint16_t min_len;	/* shorter frames must be padded */
	uint16_t max_frame;	/* longer ones are dropped, bytes without CRC */
	uint16_t max_seg;	/* bytes a descriptor may carry, a power of two */
	uint8_t max_segs;	/* descriptors a packet may have */
	uint8_t rs_shift;	/* log2 of rs_thresh */
	bool full;		/* started with the full burst */
	uint64_t quirks;	/* E1000_F_TX_QUIRKS that apply; after TSO also _ERR_TSO_REPORT */
	uint64_t tso_quirk;	/* E1000_F_ERR_TSO_REPORT if it applies */
	uint16_t max_tso_segs;	/* descriptors a packet to be segmented may have */
	bool tso_pull;		/* E1000_F_ERR_TSO_HEADER applies */
	struct e1000_sw_stats *stats;
	uint32_t txdctl;	/* thresholds asked for at set-up */
	struct e1000_fifo fifo;
};

/* Descriptors a packet may take; longer chains are copied, and counted. */
#define E1000_TX_MAX_SEGS 32
#define E1000_TX_MAX_TSO_SEGS 256

/* --- a port --- */

/* Receive-side scaling; what reset makes the chip forget. */
struct e1000_rss {
	uint64_t types;		/* RTE_ETH_RSS_* asked for; 0: off */
	uint8_t key[4 * E1000_RSSRK_NUM];
	uint8_t reta[E1000_RETA_ENTRIES]; /* queue numbers */
};

#define E1000_ARGS_HELP "hang_ms=<n> selftest=<0|1> wol=<off|magic> claim=<0|1>"

/* Device arguments; e1000_args.c. */
struct e1000_args {
	uint32_t hang_ms;	/* between two looks at the transmitter; 0: none */
	bool selftest;		/* at attach */
	bool wol;		/* wake the machine by a magic packet after close */
	bool claim;		/* false: leave the card to the next driver */
};

/* The last look at a Tx ring. */
struct e1000_watch {
	uint32_t head;
	bool busy;
};

#define E1000_QUEUE_NUM 2	/* of each kind, at most */

/* Time stamps: what the counter's value means. */
struct e1000_tsync {
	bool on;
	uint64_t base_ns;	/* time when the counter had the value */
	uint64_t base_count;	/* 2^-18 ns */
};

struct e1000_adapter {
	struct pw_dev dev;	/* must be first */
	struct e1000_hw hw;
	struct e1000_rss rss;
	struct e1000_tsync tsync;
	struct pw_dma dma;
	struct e1000_stats stats; /* accumulated; sw is filled in on reading */
	struct e1000_sw_stats sw; /* live */
	struct e1000_sw_stats sw_base; /* sw at the last reset */
	uint32_t held[2];	/* what E1000_STATS_HELD showed and did not clear */
	rte_spinlock_t stats_lock; /* the counters, cleared by reading: every process */
	rte_spinlock_t link_lock; /* link state: control thread and interrupt thread */
	bool attached;
	struct e1000_args args;
	/* interrupts; e1000_intr.c */
	rte_spinlock_t intr_lock; /* cause register: application, interrupt thread */
	uint32_t rx_unmasked;	/* Rx causes that interrupt */
	uint32_t rx_missed;	/* masked ones that were pending when somebody read the causes */
	uint32_t rx_asked;	/* queues, a bit each, that are slept on */
	bool intr_open;		/* our handler is registered with EAL */
	bool intr_enabled;	/* EAL has been told to let interrupts through */
	bool intr_msix;		/* a vector a queue */
	bool intr_shared;	/* the application sleeps on the only vector */
	/* hang and removal; e1000_watch.c */
	struct e1000_watch watch[E1000_QUEUE_NUM];
	bool watching;
	bool hang_told;
	bool removed;
};

static inline struct e1000_adapter *
e1000_adapter_of(const struct rte_eth_dev *eth)
{
	return eth->data->dev_private;
}

/* What a ring may have; a multiple of 8 for the chip, a power of two for the shared ring. */
static inline struct rte_eth_desc_lim
e1000_desc_lim(const struct e1000_hw *hw)
{
	return (struct rte_eth_desc_lim){
		.nb_max = hw->variant->max_desc,
		.nb_min = 32,
		.nb_align = 32,
		.nb_seg_max = E1000_TX_MAX_SEGS,
		.nb_mtu_seg_max = E1000_TX_MAX_SEGS,
	};
}

/* The chip's array registers are lost in bridges that merge writes (§7): flush each. */
static inline void
e1000_flush(const struct e1000_hw *hw)
{
	(void)pw_read32(hw->io, E1000_STATUS);
}

/* All ones on the bus is what a card reads that is not there any more. */
static inline bool
e1000_gone(const struct e1000_hw *hw)
{
	return pw_read32(hw->io, E1000_STATUS) == UINT32_MAX;
}

/* e1000_hw.c: 0 or -errno throughout */
uint32_t e1000_max_frame(const struct e1000_hw *hw);
int e1000_hw_init(struct e1000_hw *hw, const struct pw_dev *dev);
void e1000_pci_restore(const struct e1000_hw *hw);
int e1000_reset(struct e1000_hw *hw);
int e1000_extcnf_lock(const struct e1000_hw *hw);
void e1000_init_rx_addrs(struct e1000_hw *hw);
void e1000_quirks(struct e1000_hw *hw);
void e1000_set_rar(struct e1000_hw *hw, uint32_t index, const struct rte_ether_addr *mac);
void e1000_keep_rar0(struct e1000_hw *hw);
void e1000_set_vfta(struct e1000_hw *hw, uint32_t index);
void e1000_set_mta(struct e1000_hw *hw, const struct rte_ether_addr *mc, uint32_t n);
void e1000_set_rx_mode(struct e1000_hw *hw);
void e1000_set_vme(struct e1000_hw *hw, bool on);
void e1000_driver_loaded(struct e1000_hw *hw, bool on);

/* e1000_phy.c */
int e1000_phy_lock(const struct e1000_hw *hw);
void e1000_phy_unlock(const struct e1000_hw *hw);
int e1000_phy_read(struct e1000_hw *hw, uint16_t reg, uint16_t *val);
int e1000_phy_write(struct e1000_hw *hw, uint16_t reg, uint16_t val);
int e1000_phy_modify(struct e1000_hw *hw, uint16_t reg, uint16_t clear, uint16_t set);
int e1000_phy_keep_awake(struct e1000_hw *hw);
int e1000_phy_init(struct e1000_hw *hw);
uint32_t e1000_loopback_rctl(const struct e1000_hw *hw);
int e1000_link_setup(struct e1000_hw *hw);
int e1000_link_read(struct e1000_hw *hw);
int e1000_link_power(struct e1000_hw *hw, bool on);
uint32_t e1000_speed_capa(const struct e1000_hw *hw);

/* e1000_igp.c */
bool e1000_is_igp01(const struct e1000_hw *hw);
int e1000_igp_setup(struct e1000_hw *hw, bool fixed);
void e1000_igp_link_up(struct e1000_hw *hw, struct pw_mii_link *link);
void e1000_igp_link_down(struct e1000_hw *hw);

/* e1000_ethdev.c */
int e1000_link_refresh(struct rte_eth_dev *eth, int wait);

/* e1000_secondary.c */
void e1000_secondary_attach(struct rte_eth_dev *eth);
int e1000_info_get(struct rte_eth_dev *eth, struct rte_eth_dev_info *info);
int e1000_get_reg(struct rte_eth_dev *eth, struct rte_dev_reg_info *info);
void e1000_rxq_info_get(struct rte_eth_dev *eth, uint16_t queue, struct rte_eth_rxq_info *info);
void e1000_txq_info_get(struct rte_eth_dev *eth, uint16_t queue, struct rte_eth_txq_info *info);

/* e1000_args.c */
int e1000_args_parse(const struct pw_dev *dev, struct e1000_args *args);

/* e1000_intr.c */
bool e1000_intr_open(struct rte_eth_dev *eth);
void e1000_intr_close(struct rte_eth_dev *eth);
int e1000_intr_start(struct rte_eth_dev *eth);
void e1000_intr_stop(struct rte_eth_dev *eth);
void e1000_interrupt(void *eth);
int e1000_rx_intr_enable(struct rte_eth_dev *eth, uint16_t queue);
int e1000_rx_intr_disable(struct rte_eth_dev *eth, uint16_t queue);

/* e1000_watch.c */
void e1000_watch_start(struct rte_eth_dev *eth);
void e1000_watch_stop(struct rte_eth_dev *eth);
void e1000_watch_soon(struct rte_eth_dev *eth);
void e1000_watch(void *eth);

/* e1000_nvm.c */
int e1000_read_nvm(struct e1000_hw *hw, uint16_t word, uint16_t n, uint16_t *data);
int e1000_write_nvm(struct e1000_hw *hw, uint16_t word, uint16_t n, const uint16_t *data);
int e1000_nvm_check(struct e1000_hw *hw);
int e1000_read_mac(struct e1000_hw *hw);
int e1000_get_eeprom_length(struct rte_eth_dev *eth);
int e1000_get_eeprom(struct rte_eth_dev *eth, struct rte_dev_eeprom_info *info);
int e1000_set_eeprom(struct rte_eth_dev *eth, struct rte_dev_eeprom_info *info);
int e1000_fw_version_get(struct rte_eth_dev *eth, char *text, size_t size);

/* e1000_selftest.c */
int e1000_selftest(struct e1000_adapter *ad);

/* e1000_wol.c */
bool e1000_can_wake(const struct e1000_hw *hw);
int e1000_wol_arm(struct e1000_hw *hw);
void e1000_wol_off(const struct e1000_hw *hw);

/* e1000_led.c */
int e1000_led_on(struct rte_eth_dev *eth);
int e1000_led_off(struct rte_eth_dev *eth);

/* e1000_fc.c */
void e1000_fc_init(struct e1000_hw *hw);
void e1000_fc_setup(const struct e1000_hw *hw);
void e1000_fc_resolve(uint32_t local, uint32_t partner, struct pw_mii_link *link);
void e1000_fc_outcome(const struct e1000_hw *hw, struct pw_mii_link *link);
int e1000_flow_ctrl_get(struct rte_eth_dev *eth, struct rte_eth_fc_conf *conf);
int e1000_flow_ctrl_set(struct rte_eth_dev *eth, struct rte_eth_fc_conf *conf);

/* e1000_rx.c */
int e1000_rx_queue_setup(struct rte_eth_dev *eth, uint16_t queue, uint16_t nb_desc,
			 unsigned int socket, const struct rte_eth_rxconf *conf,
			 struct rte_mempool *mp);
void e1000_rx_queue_release(struct rte_eth_dev *eth, uint16_t queue);
int e1000_rx_start(struct rte_eth_dev *eth);
void e1000_rx_stop(struct rte_eth_dev *eth);
void e1000_rx_vlan(struct rte_eth_dev *eth);
void e1000_rx_max_len(struct rte_eth_dev *eth);
uint16_t e1000_rx_burst(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
uint16_t e1000_rx_burst_full(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
uint16_t e1000_rx_burst_ext(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
uint16_t e1000_rx_burst_ext_full(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
eth_rx_burst_t e1000_rx_burst_of(bool ext, bool full);
int e1000_rx_burst_mode_get(struct rte_eth_dev *eth, uint16_t queue,
			    struct rte_eth_burst_mode *mode);
int e1000_rx_queue_start(struct rte_eth_dev *eth, uint16_t queue);
int e1000_rx_queue_stop(struct rte_eth_dev *eth, uint16_t queue);
const uint32_t *e1000_supported_ptypes(struct rte_eth_dev *eth);
int e1000_rx_desc_status(void *queue, uint16_t offset);
uint32_t e1000_rx_count(void *queue);
bool e1000_rx_wants_full(const struct rte_eth_dev *eth);

/* e1000_rx_extended.c */
void e1000_rx_extended_start(struct rte_eth_dev *eth);
uint16_t e1000_rx_burst_extended(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);

/* e1000_tx.c */
int e1000_tx_queue_setup(struct rte_eth_dev *eth, uint16_t queue, uint16_t nb_desc,
			 unsigned int socket, const struct rte_eth_txconf *conf);
void e1000_tx_queue_release(struct rte_eth_dev *eth, uint16_t queue);
void e1000_tx_start(struct rte_eth_dev *eth);
void e1000_tx_stop(struct rte_eth_dev *eth);
uint16_t e1000_tx_burst(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
uint16_t e1000_tx_burst_full(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
int e1000_tx_queue_start(struct rte_eth_dev *eth, uint16_t queue);
int e1000_tx_queue_stop(struct rte_eth_dev *eth, uint16_t queue);
int e1000_tx_done_cleanup(void *queue, uint32_t free_cnt);
int e1000_tx_desc_status(void *queue, uint16_t offset);
bool e1000_tx_wants_full(const struct rte_eth_dev *eth);

/* e1000_tx_fifo.c */
void e1000_fifo_init(struct e1000_txq *txq, const struct e1000_hw *hw);
void e1000_fifo_start(struct e1000_txq *txq);
uint16_t e1000_tx_burst_fifo(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);

/* e1000_tx_prep.c */
uint16_t e1000_tx_prepare(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
bool e1000_tx_is_bad(const struct e1000_txq *txq, const struct rte_mbuf *m);
uint32_t e1000_csum_header(const struct rte_mbuf *m, uint64_t ol);
bool e1000_csum_is_bad(const struct rte_mbuf *m, uint64_t ol, uint32_t len);
int e1000_tx_pad(struct rte_mbuf **pkt);
int e1000_tso_load(const struct e1000_txq *txq, struct rte_mbuf **pkt, struct pw_dma_seg *segs,
		   bool may_copy);

/* Bytes that the chip repeats before each segment. */
static inline uint32_t
e1000_tso_header(const struct rte_mbuf *m)
{
	return m->l2_len + m->l3_len + m->l4_len;
}

/* e1000_rss.c */
#define E1000_RSS_KEY_LEN (4 * E1000_RSSRK_NUM)
uint64_t e1000_rss_types(const struct e1000_hw *hw);
int e1000_rss_configure(struct rte_eth_dev *eth);
void e1000_rss_start(struct rte_eth_dev *eth);
int e1000_rss_hash_update(struct rte_eth_dev *eth, struct rte_eth_rss_conf *conf);
int e1000_rss_hash_conf_get(struct rte_eth_dev *eth, struct rte_eth_rss_conf *conf);
int e1000_reta_update(struct rte_eth_dev *eth, struct rte_eth_rss_reta_entry64 *reta,
		      uint16_t size);
int e1000_reta_query(struct rte_eth_dev *eth, struct rte_eth_rss_reta_entry64 *reta,
		     uint16_t size);

/* e1000_tsync.c */
void e1000_tsync_start(struct rte_eth_dev *eth);
void e1000_tsync_stop(struct rte_eth_dev *eth);
int e1000_timesync_enable(struct rte_eth_dev *eth);
int e1000_timesync_disable(struct rte_eth_dev *eth);
int e1000_timesync_read_time(struct rte_eth_dev *eth, struct timespec *ts);
int e1000_timesync_write_time(struct rte_eth_dev *eth, const struct timespec *ts);
int e1000_timesync_adjust_time(struct rte_eth_dev *eth, int64_t delta);
int e1000_timesync_read_rx(struct rte_eth_dev *eth, struct timespec *ts, uint32_t flags);
int e1000_timesync_read_tx(struct rte_eth_dev *eth, struct timespec *ts);

/* e1000_stats.c */
void e1000_stats_update(struct e1000_adapter *ad);
int e1000_stats_get(PW_STATS_GET_ARGS(eth, stats));
int e1000_stats_reset(struct rte_eth_dev *eth);
int e1000_xstats_get(struct rte_eth_dev *eth, struct rte_eth_xstat *xstats, unsigned int n);
int e1000_xstats_get_names(struct rte_eth_dev *eth, struct rte_eth_xstat_name *names,
			   unsigned int n);

#endif /* _E1000_H_ */
