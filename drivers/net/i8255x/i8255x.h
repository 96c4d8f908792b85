/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _I8255X_H_
#define _I8255X_H_

#include <stdbool.h>
#include <stdint.h>

#include <rte_ether.h>
#include <rte_spinlock.h>

#include <i8255x_desc.h>
#include <i8255x_ids.h>
#include <i8255x_regs.h>
#include <mii_regs.h>
#include <pw_attach.h>
#include <pw_dma.h>
#include <pw_eeprom.h>
#include <pw_ethdev.h>
#include <pw_fc.h>
#include <pw_log.h>
#include <pw_mii.h>

/* --- variants: one row a step of the silicon, tested by flag, never by revision --- */

/* What a part has (§1.2). */
#define I8255X_F_EXT_TCB	RTE_BIT64(0)	/* two TBDs in the block; 558+ */
#define I8255X_F_LONG		RTE_BIT64(1)	/* receives 1522 bytes; 558+ */
#define I8255X_F_FC		RTE_BIT64(2)	/* 802.3x; 558+ */
#define I8255X_F_EXT_STATS	RTE_BIT64(3)	/* flow control counters; 558+ */
#define I8255X_F_TCO_STATS	RTE_BIT64(4)	/* and TCO counters; 559+ */
#define I8255X_F_MWI		RTE_BIT64(5)	/* may write whole cache lines; 558+ */
#define I8255X_F_PMDR		RTE_BIT64(6)	/* wake-up events; 558+ */
#define I8255X_F_MAGIC		RTE_BIT64(7)	/* wakes by magic packet */
#define I8255X_F_GEN_STATUS	RTE_BIT64(8)	/* link, speed, duplex in one register; 559+ */
#define I8255X_F_RX_SUM		RTE_BIT64(9)	/* raw sum after each frame; 559, not ER */
#define I8255X_F_IPCB		RTE_BIT64(10)	/* 550/551: extended RFD, IPCB, VLAN, TSO */
#define I8255X_F_ICH		RTE_BIT64(11)	/* PHY behind LAN-connect; no microcode ever */
#define I8255X_F_EXT_PHY	RTE_BIT64(12)	/* whatever the board has; 557 */

/* Errata (§7). */
#define I8255X_F_ERR_LOCKUP	RTE_BIT64(32)	/* receiver stops at 10 Mb, EEPROM says whether */
#define I8255X_F_ERR_STANDBY	RTE_BIT64(33)	/* resume during dynamic standby */
#define I8255X_F_ERR_10_HALF	RTE_BIT64(34)	/* ICH: resume at 10 Mb half duplex wants a NOP */
#define I8255X_F_ERR_TINY_CSUM	RTE_BIT64(35)	/* 550: IP checksum of frames below 38 bytes */
#define I8255X_F_ERR_UCODE	RTE_BIT64(36)	/* 551 F, 10: receive fault that microcode cures */
#define I8255X_F_ERR_NO_SPACE	RTE_BIT64(37)	/* frames are lost while the unit has no RFD; 557 */
#define I8255X_F_ERR_EMULATED	RTE_BIT64(63)	/* QEMU's card, known by a Dump that fails */
#define I8255X_F_ERR_FRAGMENTS	RTE_BIT64(38)	/* 550 C on server boards: fragmented UDP is lost */

struct i8255x_variant {
	const char *name;
	uint64_t flags;
	uint16_t max_frame;	/* longest frame with CRC, bytes */
	struct pw_dma_limits dma;
};

#define I8255X_NO_PHY 0xFFu

enum i8255x_led { I8255X_LED_AUTO, I8255X_LED_ON, I8255X_LED_OFF };

struct i8255x_hw {
	const struct pw_io *io;	/* BAR 0, or BAR 1 where that is not mapped */
	const struct pw_dev *dev; /* for messages and PCI configuration space */
	struct i8255x_variant row; /* by value: a table is elsewhere in another process */
	uint64_t flags;		/* the variant's, less what this board rules out */

	/*
	 * Serialises the command byte, the general pointer and the circle of blocks: burst and
	 * control threads.
	 */
	rte_spinlock_t scb_lock;

	/* EEPROM */
	struct pw_microwire mw;
	uint16_t nvm_words;
	uint16_t nvm_compat, nvm_phy, nvm_id; /* words of that name */

	/* link */
	struct pw_mii mii;
	uint8_t phy_addr;	/* I8255X_NO_PHY: serial 10 Mb board */
	uint32_t phy_id;
	uint32_t phy_capa;	/* RTE_ETH_LINK_SPEED_* that it has */
	bool phy_off;		/* by i8255x_link_power() */
	uint32_t link_speeds;	/* RTE_ETH_LINK_SPEED_* asked for */
	bool loopback;
	struct pw_mii_link link; /* as last read; PAUSE by i8255x_fc_outcome() */
	struct pw_mii_link told; /* what the MAC was last configured for; not up: it is not */
	struct pw_fc fc;
	uint8_t fc_threshold;	/* CSR: free space in the Rx FIFO at which to send PAUSE */

	/* what the Configure block is made of, and what reset makes the chip forget */
	struct rte_ether_addr mac;
	struct rte_ether_addr mc[I8255X_MC_MAX];
	uint32_t nb_mc;
	bool promisc, allmulti;
	bool rx_csum, vlan_strip, keep_crc;
	bool ext_rfd;		/* extended RFDs are in use */
	bool ipcb;		/* IPCBs may be sent: dynamic TBDs */
	bool force_duplex;	/* full duplex was forced, the pin does not tell */
	bool wake;		/* wake-up is armed */
	uint8_t tx_threshold;	/* 8-byte units; raised on underruns */
};

/* --- statistics: X(field, member of the dump, xstat name); §3.6 --- */

#define I8255X_STATS_ALL(X) \
	X(tx_good,         "tx_chip_good_packets") \
	X(tx_max_coll,     "tx_excessive_collision_packets") \
	X(tx_late_coll,    "tx_late_collisions") \
	X(tx_underrun,     "tx_underrun_errors") \
	X(tx_lost_carrier, "tx_lost_carrier_packets") \
	X(tx_deferred,     "tx_deferred_packets") \
	X(tx_single_coll,  "tx_single_collision_packets") \
	X(tx_multi_coll,   "tx_multiple_collision_packets") \
	X(tx_total_coll,   "tx_total_collisions") \
	X(rx_good,         "rx_chip_good_packets") \
	X(rx_crc,          "rx_crc_errors") \
	X(rx_align,        "rx_align_errors") \
	X(rx_resource,     "rx_no_descriptor_packets") \
	X(rx_overrun,      "rx_overrun_errors") \
	X(rx_cdt,          "rx_collision_detect_errors") \
	X(rx_short,        "rx_undersize_errors")
/* 558 and later. */
#define I8255X_STATS_FC(X) \
	X(fc_tx_pause,       "tx_xoff_packets") \
	X(fc_rx_pause,       "rx_xoff_packets") \
	X(fc_rx_unsupported, "rx_flow_control_unsupported_packets")
/* 559 and later. */
#define I8255X_STATS_TCO(X) \
	X(tx_tco, "tx_management_packets") \
	X(rx_tco, "rx_management_packets")
/* Counted by the driver. */
#define I8255X_STATS_SW(X) \
	X(rx_nombuf,      "rx_mbuf_alloc_failed") \
	X(rx_errors,      "rx_dropped_bad_frames") \
	X(rx_oversize,    "rx_dropped_above_mtu") \
	X(rx_empty,       "rx_dropped_empty") \
	X(rx_restarts,    "rx_unit_restarts") \
	X(rx_kicks,       "rx_lockup_kicks") \
	X(tx_dropped,     "tx_dropped_bad_packets") \
	X(tx_linearized,  "tx_linearized_packets") \
	X(tx_bounced,     "tx_bounced_packets") \
	X(tx_load_failed, "tx_unloadable_packets") \
	X(tx_owed,        "tx_resumes_put_off") \
	X(tx_threshold,   "tx_threshold_raises")

#define I8255X_STAT_FIELD(field, ...) uint64_t field;

/* Written by the packet path's rare branches only; survives queue release. */
struct i8255x_sw_stats {
	I8255X_STATS_SW(I8255X_STAT_FIELD)
};

struct i8255x_stats {
	I8255X_STATS_ALL(I8255X_STAT_FIELD)
	I8255X_STATS_FC(I8255X_STAT_FIELD)
	I8255X_STATS_TCO(I8255X_STAT_FIELD)
	struct i8255x_sw_stats sw;
};

/* --- queues --- */

struct i8255x_adapter;

/* One slot of the circle is one RFD, in the headroom of the slot's mbuf. */
struct i8255x_rxq {
	struct pw_rxq q;	/* q.desc is NULL: RFDs lie in the mbufs */
	/* --- packet path, after q's first line --- */
	const struct pw_io *io;
	struct i8255x_adapter *ad;
	struct i8255x_sw_stats *stats;
	uint64_t packets, bytes;
	uint32_t stop;		/* counter value of the slot that ends the list */
	uint32_t empty_polls;	/* since a frame came, or the unit was started */
	uint32_t refill_at;	/* free slots that are worth a batch; UINT32_MAX: do not */
	uint32_t rfd_off;	/* from an mbuf's buf_iova to its RFD's device address */
	uint16_t rfd_at;	/* from an mbuf's buf_addr to its RFD */
	uint16_t max_len;	/* longest frame to hand up */
	uint16_t size;		/* of the data area, even */
	uint16_t tail_len;	/* what follows the frame: a raw sum, 2; or nothing */
	uint8_t rfd_len;	/* 16, or 32 extended */
	uint8_t crc_len;	/* CRC that is handed up with the frame: 4, or 0 */
	bool unsure;		/* the unit may have stopped where no mark tells */
	bool no_res;		/* the last look found it stopped, but no RNR */
	bool late;		/* C may be seen before what it speaks for: QEMU's card */
	bool full;		/* started with the full burst */
};

/* Bytes of a block in the circle: header and TBDs; longer chains use the slot's own array. */
#define I8255X_TX_BLOCK 64
#define I8255X_TX_BLOCK_TBDS 6
#define I8255X_TX_MAX_SEGS 34	/* a 64 KiB packet of 2 KiB buffers and a header */

struct i8255x_txq {
	struct pw_txq q;	/* q.desc: the blocks; one mbuf chain a slot */
	/* --- packet path, after q's first line --- */
	const struct pw_io *io;
	struct i8255x_adapter *ad;
	struct i8255x_sw_stats *stats;
	uint64_t bytes;
	uint64_t ol_mask;	/* RTE_MBUF_F_TX_* that this queue acts on */
	uint64_t lo;		/* IOVAs from here to lo + span are sent without a look-up */
	uint64_t span;
	uint32_t off;		/* from an IOVA to the device address */
	uint32_t hole;		/* counter value after the last block that is no packet's */
	uint32_t chained;	/* buffers of odd packets put in since all that was sent went */
	uint32_t detour;	/* counter value of the block whose link leads to a command */
	uint32_t array_off;	/* from a block to its TBD array: 16, or 32 extended */
	uint16_t max_frame;	/* longer ones are dropped, bytes without CRC */
	uint16_t align_mask;	/* bits that an address must not have */
	uint8_t threshold;	/* may be raised from another thread */
	uint8_t threshold_in;	/* the same as it is in the blocks; plain path */
	bool holes;		/* cons has not come to `hole` yet */
	bool ipcb;		/* packets go as IPCBs */
	bool owed;		/* a resume could not be written yet */
	bool resume_quirk;	/* a resume takes more than one write of the command */
	bool full;		/* started with the full burst */
	struct pw_dma_zone arrays; /* I8255X_TX_MAX_SEGS TBDs a slot; full path */
};

/* --- a port --- */

#define I8255X_ARGS_HELP "hang_ms=<n> selftest=<0|1> standby=<keep|off> wol=<off|magic>"

/* Device arguments; i8255x_args.c. */
struct i8255x_args {
	uint32_t hang_ms;	/* between two looks at the transmitter; 0: none */
	bool selftest;		/* at attach */
	bool standby_off;	/* i8255x_standby_off() at attach, after i8255x_nvm_init() */
	bool wol;		/* wake the machine by a magic packet after close */
};

/* What the last look saw; i8255x_watch.c. */
struct i8255x_watch {
	bool on;
	uint32_t tick_ms;	/* between two looks */
	uint32_t hang_ms, kick_ms; /* since it was done last */
	uint32_t at;		/* counter value: oldest block that was not complete */
	bool busy;		/* there was one, and no reason for it */
	uint32_t kick_at;	/* the two when the receiver was to be kicked last */
	bool kick_busy;
	bool hang_told;
	uint64_t underruns, pauses;
	struct rte_eth_link told; /* by RTE_ETH_EVENT_INTR_LSC */
};

struct i8255x_adapter {
	struct pw_dev dev;	/* must be first */
	struct i8255x_hw hw;
	struct pw_dma dma;
	struct pw_dma_zone ctl;	/* control commands, statistics, self-test: struct i8255x_ctl */
	struct i8255x_stats stats; /* accumulated; sw is filled in on reading */
	struct i8255x_sw_stats sw; /* live */
	struct i8255x_sw_stats sw_base; /* sw at the last reset */
	uint64_t base_packets, base_bytes[2]; /* queue counters at the last reset: Rx; Rx, Tx */
	rte_spinlock_t stats_lock;
	rte_spinlock_t link_lock; /* link state and MDI cycles */
	struct i8255x_args args;
	struct i8255x_txq *txq;	/* whose circle control commands go through; NULL: stopped */
	rte_spinlock_t cmd_lock; /* control commands, one at a time */
	struct i8255x_cb *cmd_pending; /* block in ctl that the chip may still read; or NULL */
	uint32_t cmd_at;	/* its block in the circle */
	bool dump_pending;	/* a dump of statistics has not been answered yet */
	bool attached;
	bool started;		/* CU and RU run: control commands go through the circle */
	uint64_t underruns, pauses; /* counted by the chip since attach; for the watch */
	struct i8255x_watch watch;
	bool removed;
	bool intr_enabled;	/* EAL has been told to let interrupts through */
};

/* What the chip reads and writes besides rings. */
struct i8255x_ctl {
	struct i8255x_cb_config config;
	struct i8255x_cb_ia ia;
	uint8_t pad[8];
	struct i8255x_cb_mc mc;
	struct i8255x_stats_dump stats __rte_aligned(64);
	struct i8255x_selftest selftest __rte_aligned(I8255X_SELFTEST_ALIGN);
	struct i8255x_cb_dump probe;
	uint8_t dump[I8255X_DUMP_SIZE + 12] __rte_aligned(16);
};

static inline struct i8255x_adapter *
i8255x_adapter_of(const struct rte_eth_dev *eth)
{
	return eth->data->dev_private;
}

static inline struct rte_eth_desc_lim
i8255x_desc_lim(void)
{
	return (struct rte_eth_desc_lim){
		.nb_max = 4096,
		.nb_min = 32,
		.nb_align = 1,
		.nb_seg_max = I8255X_TX_MAX_SEGS,
		.nb_mtu_seg_max = I8255X_TX_MAX_SEGS,
	};
}

/* Reading any register makes posted writes arrive. */
static inline void
i8255x_flush(const struct i8255x_hw *hw)
{
	(void)pw_read8(hw->io, I8255X_STATUS);
}

/* All ones on the bus is what a card reads that is not there any more. */
static inline bool
i8255x_gone(const struct i8255x_hw *hw)
{
	return pw_read32(hw->io, I8255X_STATUS) == UINT32_MAX;
}

/* i8255x_hw.c: 0 or -errno throughout; those that command the chip want scb_lock held */
int i8255x_hw_init(struct i8255x_hw *hw, const struct pw_dev *dev);
int i8255x_reset(struct i8255x_hw *hw);
int i8255x_selftest(struct i8255x_hw *hw, struct i8255x_selftest *buf, uint32_t addr);
int i8255x_wait_command(const struct i8255x_hw *hw);
int i8255x_command(const struct i8255x_hw *hw, uint8_t command, uint32_t pointer);
int i8255x_load_bases(struct i8255x_hw *hw);
int i8255x_abort_receive(struct i8255x_hw *hw);
bool i8255x_resume_wants_nop(const struct i8255x_hw *hw); /* changes with the link */
void i8255x_be_82557(struct i8255x_hw *hw);

/* i8255x_nvm.c */
int i8255x_nvm_init(struct i8255x_hw *hw);
int i8255x_read_nvm(struct i8255x_hw *hw, uint16_t word, uint16_t n, uint16_t *data);
int i8255x_write_nvm(struct i8255x_hw *hw, uint16_t word, uint16_t n, const uint16_t *data);
int i8255x_read_mac(struct i8255x_hw *hw);
int i8255x_standby_off(struct i8255x_hw *hw); /* writes the EEPROM: if asked for only */
int i8255x_get_eeprom_length(struct rte_eth_dev *eth);
int i8255x_get_eeprom(struct rte_eth_dev *eth, struct rte_dev_eeprom_info *info);
int i8255x_set_eeprom(struct rte_eth_dev *eth, struct rte_dev_eeprom_info *info);
int i8255x_fw_version_get(struct rte_eth_dev *eth, char *text, size_t size);

/* i8255x_config.c */
unsigned int i8255x_config_build(const struct i8255x_hw *hw,
				 uint8_t byte[I8255X_CONFIG_LEN_EXT]);

/* i8255x_phy.c; link_lock held */
int i8255x_phy_init(struct i8255x_hw *hw);
int i8255x_link_setup(struct i8255x_hw *hw);
int i8255x_link_read(struct i8255x_hw *hw);
int i8255x_link_power(struct i8255x_hw *hw, bool on);
int i8255x_phy_led(struct i8255x_hw *hw, enum i8255x_led led);
uint32_t i8255x_speed_capa(const struct i8255x_hw *hw);

/* i8255x_led.c */
int i8255x_led_on(struct rte_eth_dev *eth);
int i8255x_led_off(struct rte_eth_dev *eth);

/* i8255x_wol.c: arm after the last command, before the port is let go */
bool i8255x_can_wake(const struct i8255x_hw *hw);
int i8255x_wol_arm(struct rte_eth_dev *eth);
void i8255x_wol_off(struct i8255x_hw *hw);

/*
 * i8255x_cmd.c: control commands. While the port is stopped the setters keep what start needs
 * and return 0; while it runs they queue a block among the frames and wait for it.
 */
int i8255x_cmd_probe(struct i8255x_adapter *ad);
int i8255x_cmd_start(struct i8255x_adapter *ad);
int i8255x_cmd_configure(struct i8255x_adapter *ad);
int i8255x_cmd_set_mac(struct i8255x_adapter *ad);
int i8255x_cmd_set_mc(struct i8255x_adapter *ad);
int i8255x_cmd_dump_stats(struct i8255x_adapter *ad, struct i8255x_stats_dump *out);

/* i8255x_ethdev.c */
int i8255x_link_refresh(struct rte_eth_dev *eth, int wait);

/* i8255x_secondary.c */
void i8255x_secondary_attach(struct rte_eth_dev *eth);
int i8255x_info_get(struct rte_eth_dev *eth, struct rte_eth_dev_info *info);
int i8255x_get_reg(struct rte_eth_dev *eth, struct rte_dev_reg_info *info);
void i8255x_rxq_info_get(struct rte_eth_dev *eth, uint16_t queue, struct rte_eth_rxq_info *info);

/* i8255x_args.c */
int i8255x_args_parse(const struct pw_dev *dev, struct i8255x_args *args);

/* i8255x_intr.c: link changes are polled; the only interrupts are those slept on */
int i8255x_intr_start(struct rte_eth_dev *eth);
void i8255x_intr_stop(struct rte_eth_dev *eth);
int i8255x_rx_intr_enable(struct rte_eth_dev *eth, uint16_t queue);
int i8255x_rx_intr_disable(struct rte_eth_dev *eth, uint16_t queue);

/* i8255x_watch.c: an alarm that looks at link, transmitter, receiver, presence */
void i8255x_watch_start(struct rte_eth_dev *eth);
void i8255x_watch_stop(struct rte_eth_dev *eth);
void i8255x_watch_soon(struct rte_eth_dev *eth);
void i8255x_watch(void *eth);

/* i8255x_fc.c */
void i8255x_fc_init(struct i8255x_hw *hw);
void i8255x_fc_setup(const struct i8255x_hw *hw);
void i8255x_fc_outcome(const struct i8255x_hw *hw, struct pw_mii_link *link);
int i8255x_flow_ctrl_get(struct rte_eth_dev *eth, struct rte_eth_fc_conf *conf);
int i8255x_flow_ctrl_set(struct rte_eth_dev *eth, struct rte_eth_fc_conf *conf);

/* i8255x_rx.c */
int i8255x_rx_queue_setup(struct rte_eth_dev *eth, uint16_t queue, uint16_t nb_desc,
			  unsigned int socket, const struct rte_eth_rxconf *conf,
			  struct rte_mempool *mp);
void i8255x_rx_queue_release(struct rte_eth_dev *eth, uint16_t queue);
int i8255x_rx_start(struct rte_eth_dev *eth);
void i8255x_rx_stop(struct rte_eth_dev *eth);
void i8255x_rx_max_len(struct rte_eth_dev *eth);
uint16_t i8255x_rx_burst(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
uint16_t i8255x_rx_burst_full(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
int i8255x_rx_queue_start(struct rte_eth_dev *eth, uint16_t queue);
int i8255x_rx_queue_stop(struct rte_eth_dev *eth, uint16_t queue);
const uint32_t *i8255x_supported_ptypes(struct rte_eth_dev *eth);
int i8255x_rx_desc_status(void *queue, uint16_t offset);
uint32_t i8255x_rx_count(void *queue);
bool i8255x_rx_wants_full(const struct rte_eth_dev *eth);

/* i8255x_tx.c */
int i8255x_tx_queue_setup(struct rte_eth_dev *eth, uint16_t queue, uint16_t nb_desc,
			  unsigned int socket, const struct rte_eth_txconf *conf);
void i8255x_tx_queue_release(struct rte_eth_dev *eth, uint16_t queue);
int i8255x_tx_start(struct rte_eth_dev *eth);
void i8255x_tx_stop(struct rte_eth_dev *eth);
uint16_t i8255x_tx_burst(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
uint16_t i8255x_tx_burst_full(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);
int i8255x_tx_queue_start(struct rte_eth_dev *eth, uint16_t queue);
int i8255x_tx_queue_stop(struct rte_eth_dev *eth, uint16_t queue);
int i8255x_tx_done_cleanup(void *queue, uint32_t free_cnt);
int i8255x_tx_desc_status(void *queue, uint16_t offset);
bool i8255x_tx_wants_full(const struct rte_eth_dev *eth);
void i8255x_tx_owed(struct i8255x_txq *txq); /* from another thread: a resume put off, or lost */
bool i8255x_tx_busy(const struct i8255x_txq *txq, uint32_t at); /* not complete; from any thread */

/* scb_lock held: put a control command into the circle; was it passed; get the CU going */
int i8255x_tx_put_cmd(struct i8255x_txq *txq, struct i8255x_cb *cb, uint32_t addr, uint32_t *at);
bool i8255x_tx_passed(const struct i8255x_txq *txq, uint32_t at);
void i8255x_tx_kick(struct i8255x_txq *txq);

/* i8255x_tx_prep.c */
int i8255x_tx_fix(const struct i8255x_txq *txq, struct rte_mbuf **pkt, uint64_t *ol);
int i8255x_tx_load(const struct i8255x_txq *txq, struct rte_mbuf **pkt, struct pw_dma_seg *segs);

/* The chip looks for IP behind the Ethernet header, or one tag (§3.4). */
static inline bool
i8255x_tx_finds_ip(const struct rte_mbuf *m)
{
	return m->l2_len == RTE_ETHER_HDR_LEN || m->l2_len == RTE_ETHER_HDR_LEN + RTE_VLAN_HLEN;
}

/*
 * Whether the checksums asked for are none of the chip's: it knows TCP and UDP over IPv4, and
 * fails at the shortest datagrams (§7). Header lengths that are nonsense come here too.
 */
static inline bool
i8255x_tx_wants_soft(const struct rte_mbuf *m, uint64_t ol)
{
	return (ol & RTE_MBUF_F_TX_IPV6) != 0 || !i8255x_tx_finds_ip(m) ||
	       m->pkt_len < (uint32_t)m->l2_len + m->l3_len + 20 ||
	       (ol & RTE_MBUF_F_TX_L4_MASK) == RTE_MBUF_F_TX_SCTP_CKSUM;
}
uint16_t i8255x_tx_prepare(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts);

/* i8255x_stats.c */
int i8255x_stats_update(struct i8255x_adapter *ad);
void i8255x_stats_stop(struct rte_eth_dev *eth);
int i8255x_stats_get(PW_STATS_GET_ARGS(eth, stats));
int i8255x_stats_reset(struct rte_eth_dev *eth);
int i8255x_xstats_get(struct rte_eth_dev *eth, struct rte_eth_xstat *xstats, unsigned int n);
int i8255x_xstats_get_names(struct rte_eth_dev *eth, struct rte_eth_xstat_name *names,
			    unsigned int n);

#endif /* _I8255X_H_ */
