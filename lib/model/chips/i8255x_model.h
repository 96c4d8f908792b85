/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _I8255X_MODEL_H_
#define _I8255X_MODEL_H_

/*
 * Model of the Intel 8255x family. § cites the project's facts page of the chip.
 *
 *   i8255x_model.c      the chips (rows of data), reset, poll, link, faults
 *   i8255x_model_regs.c register table, command byte, PORT, interrupts
 *   i8255x_model_cu.c   command unit: list, configuration, filters, statistics, dumps
 *   i8255x_model_tx.c   transmit blocks to frames: simplified, flexible, extended; PAUSE
 *   i8255x_model_ipcb.c IPCBs of 82550 and 82551: checksum, VLAN, large send
 *   i8255x_model_rx.c   receive unit: filter, RFDs, checksum, VLAN, PAUSE that comes in
 *   i8255x_model_nvm.c  microwire EEPROM
 *   i8255x_model_phy.c  MDI and the PHYs
 *
 * A command is accepted in the write that gives it, unless the model has a thread of its own
 * or PW_FAULT_SLOW_CMD is set: then the byte reads non-zero until it is, and what is written
 * meanwhile is lost, as on silicon (§2.3). The list and the arriving frames are worked off as
 * far as I8255X_CU_BUDGET goes; the rest comes with the next poll.
 */

#include "i8255x_desc.h"
#include "i8255x_ids.h"
#include "i8255x_regs.h"
#include "mii_regs.h"

#include "pw_chip.h"

/* Features of a variant (§1.2). */
#define I8255X_F_558	(1u << 0)	/* what 82558 and later have */
#define I8255X_F_559	(1u << 1)	/* what 82559 and later have: TCO statistics, 1Ch, 1Dh */
#define I8255X_F_550	(1u << 2)	/* IPCB, extended RFD, VLAN, 32-byte Configure */
#define I8255X_F_CSUM	(1u << 3)	/* 559: raw Rx checksum */
#define I8255X_F_ICH	(1u << 4)	/* MAC of an I/O controller hub */
#define I8255X_F_MAGIC	(1u << 5)	/* wakes on a magic packet */

#define I8255X_FCS 4
#define I8255X_VLAN_LEN 4
#define I8255X_ETH_HDR 14
#define I8255X_MIN_FRAME 64	/* with FCS */
#define I8255X_CU_BUDGET 4096	/* blocks, frames or RFDs that one access or poll may take */
#define I8255X_RX_FIFO 3072	/* bytes */
#define I8255X_TX_BUF 4096	/* more than the longest frame and its tag */
#define I8255X_NVM_MAX I8255X_NVM_WORDS_LARGE
/* Half a microsecond less than the rule, for the host's clock and the model's may differ. */
#define I8255X_QUIET_NS (I8255X_PORT_WAIT_US * 1000 - 500)
#define I8255X_CFG_BYTES I8255X_CONFIG_LEN_EXT

enum i8255x_timer {
	I8255X_T_LINK,		/* phy: autonegotiation ends */
	I8255X_T_MDI,		/* phy: MDI cycle ends */
	I8255X_T_PAUSE,		/* tx: the partner's PAUSE runs out */
	I8255X_T_XOFF,		/* rx: time to refresh our own */
	I8255X_T_RX,		/* rx: its own use */
	I8255X_T_CMD,		/* core: a slow command is accepted */
	I8255X_T_CNA,		/* cu: delayed CNA (CID) */
};

enum i8255x_phy_kind {
	I8255X_PHY_82555,	/* of its own chip or inside 82558 to 82551 */
	I8255X_PHY_82562,	/* behind LAN-connect */
	I8255X_PHY_DP83840,
};

struct i8255x_variant {
	uint32_t features;
	enum i8255x_phy_kind phy;
	uint8_t phy_addr;
	uint32_t phy_id;	/* register 2 << 16 | register 3 */
	uint8_t nvm_bits;	/* address bits: 6 or 8 */
	uint16_t nvm[I8255X_NVM_WORDS_SMALL];	/* MAC and checksum are filled in */
};

/* Counters, in the order of the dump (§3.6); 32 bits that wrap. */
enum i8255x_stat {
	I8255X_TX_GOOD, I8255X_TX_MAX_COLL, I8255X_TX_LATE_COLL, I8255X_TX_UNDERRUN,
	I8255X_TX_LOST_CARRIER, I8255X_TX_DEFERRED, I8255X_TX_SINGLE_COLL,
	I8255X_TX_MULTI_COLL, I8255X_TX_TOTAL_COLL,
	I8255X_RX_GOOD, I8255X_RX_CRC, I8255X_RX_ALIGN, I8255X_RX_RESOURCE, I8255X_RX_OVERRUN,
	I8255X_RX_CDT, I8255X_RX_SHORT,
	I8255X_FC_TX_PAUSE, I8255X_FC_RX_PAUSE, I8255X_FC_RX_UNSUPPORTED,
	I8255X_STATS,
};

/* ---- Command unit (i8255x_model_cu.c, _tx.c, _ipcb.c) ------------------------------------- */

struct i8255x_cu {
	uint8_t state;		/* I8255X_STATUS_CUS_IDLE, _SUSPENDED, _ACTIVE */
	bool fetched;		/* hdr is that of the block at `at`, which is being executed */
	uint8_t recheck;	/* blocks whose S is read again, after a resume in active */
	bool have_dump_addr;
	bool nop_seen;		/* CUC NOP since the last resume (§7) */
	bool resumed, resumed_by_nop;	/* how it became active last */
	bool hung;		/* until reset: an erratum struck, or microcode killed it */
	uint32_t base;
	uint32_t at;		/* bus address of the block executed, or last executed */
	uint32_t dump_addr;	/* statistics */
	struct i8255x_cb hdr;	/* as fetched: S is what it was then */
	struct pw_dma_win win;
};

struct i8255x_tx {
	struct pw_dma_win tbd_win, win;
	bool ready;		/* a frame in buf[] waits for the line */
	bool has_fcs;		/* NC: the frame brought its own */
	uint32_t at, len;	/* of that frame, in buf[] */
	uint8_t buf[I8255X_TX_BUF];
	/* Large send: what is left of the packet. */
	uint8_t *lso;		/* the whole packet; NULL: none was sent yet */
	uint32_t lso_len, lso_hdr, lso_at, lso_segs;
};

/* Where a block's buffer descriptors are. */
struct i8255x_tbds {
	const struct i8255x_tbd *inl;	/* those in the block come first */
	unsigned int nb_inline;
	uint32_t array;
	unsigned int left;
	bool dynamic;		/* the last one says that it is (550+) */
	bool bad;
};

/* ---- Receive unit (i8255x_model_rx.c; fields are that file's to add to) -------------------- */

struct i8255x_ru {
	uint8_t state;		/* I8255X_STATUS_RUS_* as in the status byte */
	uint32_t base;
	uint32_t at;		/* bus address of the RFD that comes next */
	bool locked_up;		/* 82557's erratum (§7); a Multicast Setup command cures it */
	bool xoff_sent;		/* the partner was stopped and not yet told to go on */
	struct pw_dma_win win;
	/* Frames that wait for an RFD or for the bus, one behind the other. */
	uint32_t fifo_bytes;	/* of them, with their FCS: at most I8255X_RX_FIFO */
	uint32_t fifo_len;	/* used of fifo[] */
	uint8_t fifo[2 * I8255X_RX_FIFO];
};

/* ---- EEPROM (i8255x_model_nvm.c; the same) -------------------------------------------------- */

struct i8255x_mwire {
	uint16_t pins;		/* register 0Eh as written */
	uint32_t shift;
	uint8_t nb_in;
	uint16_t out;
	uint8_t nb_out;
	bool started;
	bool dout;
	bool writable;
	bool reading;
	bool commit;
	uint16_t addr;
	uint64_t busy_until;
};

/* ---- PHY (i8255x_model_phy.c; the same) ------------------------------------------------------ */

struct i8255x_phy {
	uint16_t reg[MII_REG_NUM];
	bool carrier;		/* something is at the other end */
	bool link;
	bool link_latch;
	bool an_done;
	bool full;
	uint16_t mbps;		/* 10 or 100 while there is a link */
	uint32_t mdi;		/* register 10h */
};

struct i8255x_model {
	struct pw_model *m;
	const struct i8255x_variant *v;

	/* System control block */
	uint8_t stat_ack;
	uint8_t cmd;		/* given, not yet accepted; 0: none */
	uint8_t int_ctrl;	/* masks and M */
	uint32_t pointer;
	uint32_t port, mdi_stage;	/* as far as their bytes were written */
	uint64_t quiet_until;	/* no command before then, after PORT (§2.5) */
	uint16_t flash_ctrl;
	uint8_t early_rx, fc_threshold, fc_cmd, pmdr, gen_ctrl;
	bool listening;		/* what the wire was told */
	bool stuck;		/* a reset that does not end: commands are not accepted */

	/* What Configure, IA Setup and Multicast Setup said; defaults after reset. */
	uint8_t cfg[I8255X_CFG_BYTES];
	uint8_t ia[6];
	uint64_t mc_hash;	/* bit i8255x_mc_bit() of each address */
	bool ucode;

	uint32_t stat[I8255X_STATS];
	uint16_t tx_tco, rx_tco;

	struct i8255x_cu cu;
	struct i8255x_tx tx;
	struct i8255x_ru ru;
	struct i8255x_phy phy;
	struct i8255x_mwire mw;
	uint16_t nvm[I8255X_NVM_MAX];
	uint8_t reg_map[I8255X_CSR_SIZE];	/* row of the register table, plus one */
};

static inline struct i8255x_model *
i8255x_of(struct pw_model *m)
{
	return m->priv;
}

static inline bool
i8255x_has(const struct i8255x_model *x, uint32_t features)
{
	return (x->v->features & features) != 0;
}

static inline void
i8255x_count(struct i8255x_model *x, enum i8255x_stat which)
{
	x->stat[which]++;
}

/* A 503 or 80C24 board: 10 Mb/s over serial pins, no MII (§4.1, word 6). */
static inline bool
i8255x_is_serial(const struct i8255x_model *x)
{
	uint32_t word = x->nvm[I8255X_NVM_PHY];
	uint32_t type = (word & I8255X_NVM_PHY_TYPE_MASK) >> I8255X_NVM_PHY_TYPE_SHIFT;

	return (word & I8255X_NVM_PHY_10_ONLY) != 0 || type == I8255X_PHY_TYPE_82503 ||
	       type == I8255X_PHY_TYPE_80C24;
}

/* Full duplex on the MAC's side (§4.4). */
static inline bool
i8255x_full_duplex(const struct i8255x_model *x)
{
	return (x->cfg[19] & I8255X_CFG19_FORCE_FDX) != 0 ||
	       ((x->cfg[19] & I8255X_CFG19_FDX_PIN) != 0 && x->phy.full);
}

/*
 * Frames that are sent come back: at the MAC (byte 10), or at the PHY, which is told by MDI and
 * to which byte 10 only makes the MAC listen. PHYs behind LAN-connect cannot (§7).
 */
static inline bool
i8255x_loopback(const struct i8255x_model *x)
{
	return (x->cfg[10] & I8255X_CFG10_LOOP_MASK) == I8255X_CFG10_LOOP_MAC ||
	       ((x->phy.reg[MII_BMCR] & (MII_BMCR_LOOPBACK | MII_BMCR_PDOWN)) ==
		MII_BMCR_LOOPBACK && !i8255x_has(x, I8255X_F_ICH));
}

/* i8255x_model.c */

/* PORT's resets, and power-on but for PHY and EEPROM. `selective` keeps configuration. */
void i8255x_model_reset(struct i8255x_model *x, bool selective);
/* Look at the cable: at each poll, and by the PHY when it is read. */
void i8255x_carrier_update(struct i8255x_model *x);
/* To be called by the PHY whenever phy.link, mbps or full changed: wire speed, 1Dh, PMDR. */
void i8255x_link_update(struct i8255x_model *x);
/* Whether the line carries frames: link, MII or serial as the board has it, link not off. */
bool i8255x_line_up(const struct i8255x_model *x);
/* To be called after any change that decides whether frames are wanted (RU state too). */
void i8255x_listen_update(struct i8255x_model *x);
/* Wake-up event: sets PMDR bits, and the PME status of PMDR and configuration space. */
void i8255x_pme(struct i8255x_model *x, uint8_t pmdr);
/* In D3: nothing is stored, frames can only wake. */
bool i8255x_asleep(const struct i8255x_model *x);
uint32_t i8255x_mbps(const struct i8255x_model *x);

/* i8255x_model_regs.c */

void i8255x_regs_init(struct i8255x_model *x);
uint32_t i8255x_reg_read(struct i8255x_model *x, uint32_t off, unsigned int width);
void i8255x_reg_write(struct i8255x_model *x, uint32_t off, uint32_t val, unsigned int width);
/* Accept the command that waits in the command byte. */
void i8255x_cmd_accept(struct i8255x_model *x);
/*
 * Set causes in STAT/ACK and assert the line if one is unmasked. FR brings along a CNA that
 * is being delayed (§3.1).
 */
void i8255x_irq_set(struct i8255x_model *x, uint8_t causes);
void i8255x_irq_update(struct i8255x_model *x);

/* i8255x_model_cu.c */

/* PORT reset (`selective` false) or selective reset. The latter keeps configuration. */
void i8255x_cu_reset(struct i8255x_model *x, bool selective);
/* An accepted CUC; `pointer` is the general pointer as it was then. */
void i8255x_cu_command(struct i8255x_model *x, uint8_t cuc, uint32_t pointer);
/* Go on with the list. Blocks executed. */
unsigned int i8255x_cu_run(struct i8255x_model *x);
void i8255x_dump_state(struct i8255x_model *x, uint32_t addr);
/* Index into the 64-bit multicast filter: bits 7:2 of the CRC of the address (§3.1). */
unsigned int i8255x_mc_bit(const uint8_t *addr);

/* i8255x_model_tx.c, i8255x_model_ipcb.c */

enum i8255x_tx_result {
	I8255X_TX_WAIT,		/* the line is busy: come again */
	I8255X_TX_SENT,
	I8255X_TX_FAILED,	/* underrun: C and U, not OK */
	I8255X_TX_BAD,		/* the block made no sense: C, not OK */
};

void i8255x_tx_reset(struct i8255x_model *x);
bool i8255x_tx_may(struct i8255x_model *x);
bool i8255x_tbd_count(struct i8255x_model *x, struct i8255x_tbds *w, unsigned int nb);
bool i8255x_tbd_next(struct i8255x_model *x, struct i8255x_tbds *w, struct i8255x_tbd *t);
uint32_t i8255x_tbd_gather(struct i8255x_model *x, struct i8255x_tbds *w, uint8_t *dst,
			   uint32_t len, uint32_t max);
enum i8255x_tx_result i8255x_tx_check(struct i8255x_model *x, uint32_t threshold, uint32_t len,
				      uint32_t max);
void i8255x_tx_ready(struct i8255x_model *x);
/* Send the frame that is ready. False: the line is busy. */
bool i8255x_tx_out(struct i8255x_model *x);
/* The block at cu.at, a Transmit or an IPCB; called again after _WAIT. */
enum i8255x_tx_result i8255x_tx_block(struct i8255x_model *x);
enum i8255x_tx_result i8255x_ipcb_block(struct i8255x_model *x);
/* The partner asks for silence for `quanta` of 512 bit times; 0 ends it. */
void i8255x_tx_pause(struct i8255x_model *x, uint32_t quanta);
bool i8255x_tx_paused(const struct i8255x_model *x);
/* Send a PAUSE frame, past whatever the transmitter does; counts it (558+). */
void i8255x_send_pause(struct i8255x_model *x, uint32_t quanta);
uint64_t i8255x_quanta_ns(const struct i8255x_model *x, uint32_t quanta);

/* i8255x_model_rx.c */

/* RU to idle; cancels what it was doing. Both kinds of PORT reset, and power-on. */
void i8255x_rx_reset(struct i8255x_model *x, bool selective);
/* An accepted RUC. */
void i8255x_ru_command(struct i8255x_model *x, uint8_t ruc, uint32_t pointer);
/* Configure, IA Setup or Multicast Setup has changed cfg[], ia[] or mc_hash. */
void i8255x_rx_config(struct i8255x_model *x);
/* Receive what waits on the wire. Frames. */
unsigned int i8255x_rx_run(struct i8255x_model *x);
/* One frame without FCS, PW_FRAME_* flags; the loopback too. 0, or -ENOBUFS if it was lost. */
int i8255x_rx_frame(struct i8255x_model *x, const uint8_t *data, uint32_t len, uint32_t flags);
/* I8255X_T_XOFF, I8255X_T_RX. */
void i8255x_rx_timer(struct i8255x_model *x, unsigned int id);

/* i8255x_model_nvm.c */

/* Once: words of the variant, MAC, checksum. */
void i8255x_eeprom_init(struct i8255x_model *x);
/* Power-on and PORT reset: pins released; ia[] loaded from it on 558+. */
void i8255x_nvm_reset(struct i8255x_model *x);
uint16_t i8255x_eeprom_read(struct i8255x_model *x);
void i8255x_eeprom_write(struct i8255x_model *x, uint16_t val);
/* What a reader gets, with the faults that bend it. */
uint16_t i8255x_nvm_word(const struct i8255x_model *x, unsigned int addr);

/* i8255x_model_phy.c */

void i8255x_phy_reset(struct i8255x_model *x);
/* The carrier came or went: renegotiate. Not called on serial boards, which have no PHY. */
void i8255x_phy_carrier(struct i8255x_model *x, bool carrier);
/* A frame came with errors (PW_FRAME_*): the PHY counts. */
void i8255x_phy_rx_error(struct i8255x_model *x, uint32_t flags);
uint32_t i8255x_mdi_read(struct i8255x_model *x);
/* The dword is complete (its last byte was written). */
void i8255x_mdi_write(struct i8255x_model *x, uint32_t val);
/* I8255X_T_LINK, I8255X_T_MDI. */
void i8255x_phy_timer(struct i8255x_model *x, unsigned int id);

#endif /* _I8255X_MODEL_H_ */
