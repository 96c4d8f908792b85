/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _E1000_MODEL_H_
#define _E1000_MODEL_H_

/*
 * Model of the e1000 family. § cites the project's facts page of the chip.
 *
 *   e1000_model.c       the chips (rows of data), reset, poll, link to MAC, faults
 *   e1000_model_regs.c  register table and the handlers that are only registers
 *   e1000_model_irq.c   causes, mask, throttling, delay timers
 *   e1000_model_nvm.c   microwire EEPROM and EERD
 *   e1000_model_phy.c   MDIC and the M88 PHY
 *   e1000_model_igp.c   what IGP PHYs have of their own
 *   e1000_model_mdio.c  the way to 82543's PHY: pins of CTRL
 *   e1000_model_fifo.c  the Tx FIFO of 82547, which half duplex makes stall
 *   e1000_model_tx.c    descriptors to frames: checksum, segmentation, VLAN
 *   e1000_model_rx.c    frames to descriptors: filters, checksum, VLAN, PAUSE
 *
 * PCI Express parts share what was made for the 82574L:
 *
 *   e1000_model_82574.c        NVM, semaphores, PHY pages, aliases
 *   e1000_model_82574_irq.c    MSI-X, automatic clearing and masking
 *   e1000_model_82574_rx.c     extended and packet-split descriptors
 *   e1000_model_82574_parse.c  packet types, checksums and the split point of a frame
 *   e1000_model_82574_rss.c    receive-side scaling
 *   e1000_model_82574_tsync.c  IEEE 1588 time stamps
 *   e1000_model_82571.c        what 82571 and 82572 have of their own: pins, ICR, errata
 *
 * Another part of the family is a row of e1000_variants, feature flags on the rows of the
 * register table, and a file for what it has of its own.
 */

#include "e1000_desc.h"
#include "e1000_regs.h"
#include "mii_regs.h"

#include "pw_chip.h"

/* Features of a variant; a row of the register table names those it belongs to. */
#define E1000_F_PCI	(1u << 0)	/* 8254x: statistics, packet buffer window */
#define E1000_F_MWIRE	(1u << 1)	/* microwire EEPROM behind EECD */
#define E1000_F_EERD_S	(1u << 2)	/* EERD, small layout */
#define E1000_F_82574	(1u << 3)	/* MSI-X, EEWR, time stamps, BM PHY */
#define E1000_F_EERD_L	(1u << 4)	/* EERD, large layout, on a part with microwire pins */
#define E1000_F_IGP	(1u << 5)	/* IGP PHY */
#define E1000_F_FIFO	(1u << 6)	/* half duplex stalls the Tx FIFO (§6) */
#define E1000_F_540	(1u << 7)	/* 8254x from 82540 on: MDIC, LEDCTL, ITR and its like */
#define E1000_F_MDIO	(1u << 8)	/* the PHY is reached by pins (§4.2) */
#define E1000_F_TBI	(1u << 9)	/* takes carrier extension for a byte of the frame (§7) */
#define E1000_F_PCIE	(1u << 10)	/* 82571 and later: two queues, extended descriptors */
#define E1000_F_82571	(1u << 11)	/* 82571 and 82572: SPI pins, their errata (§7) */
#define E1000_F_ALL	(~0u)

#define E1000_NVM_WORDS 64
#define E1000_QUEUES 2	/* at most; a variant says how many it has */
#define E1000_VECTORS 5
#define E1000_RXDPS_UNITS 2	/* a packet-split descriptor, in ring units */
#define E1000_BM_PAGES 1024
#define E1000_BM_PAGED 16	/* PHY registers from here on depend on the page (§4.2) */
#define E1000_IGP_REGS 65536	/* offsets that page select takes (§4.2) */
#define E1000_FIFO_SLACK 80	/* bytes of the Tx FIFO that a packet must leave (§3.4) */
#define E1000_FCS 4
#define E1000_VLAN_LEN 4
#define E1000_ETH_HDR 14
#define E1000_MIN_FRAME 64	/* with FCS */
#define E1000_MAX_FRAME 1522	/* with FCS, without RCTL.LPE (§6) */
#define E1000_MAX_JUMBO 16384	/* with FCS, with RCTL.LPE */
#define E1000_TX_BUDGET 65536	/* frames that one access or poll may send */
#define E1000_WB_HELD 64	/* more than TXDCTL.WTHRESH can ask for */

enum e1000_timer {
	E1000_T_LINK,		/* autonegotiation ends */
	E1000_T_MDIC,
	E1000_T_EERD,
	E1000_T_ITR,
	E1000_T_RDTR,
	E1000_T_RADV,
	E1000_T_TIDV,
	E1000_T_TADV,
	E1000_T_PAUSE,		/* the partner's PAUSE runs out */
	E1000_T_XOFF,		/* time to refresh our own */
	E1000_T_EITR,		/* as many as there are vectors */
	E1000_T_EEWR = E1000_T_EITR + E1000_VECTORS,
};

struct e1000_variant {
	uint32_t features;
	uint32_t ctrl;		/* reset values */
	uint32_t pba;
	uint32_t packet_buffer_kb;
	uint32_t queues;	/* of each kind */
	uint32_t min_packet;	/* shortest that may be given to be sent (§3.4, §6) */
	uint32_t max_desc;	/* bytes of a Tx descriptor */
	uint32_t phy_id;
	uint16_t nvm[E1000_NVM_WORDS];	/* MAC and checksum are filled in */
};

struct e1000_model;

/* One kind of register. */
struct e1000_reg {
	const char *name;
	uint32_t off;
	uint16_t count;
	uint16_t stride;	/* bytes between elements */
	uint8_t mode;		/* E1000_RW ... */
	uint32_t features;	/* exists where a variant has any of them */
	uint32_t mask;		/* bits that a write changes */
	uint32_t reset;
	uint32_t (*read)(struct e1000_model *e, uint32_t off);
	void (*write)(struct e1000_model *e, uint32_t off, uint32_t val);
};

/* A descriptor ring, as its five registers say. Index of each within r[]. */
#define E1000_RING_BAL 0
#define E1000_RING_BAH 1
#define E1000_RING_LEN 2
#define E1000_RING_HEAD 4
#define E1000_RING_TAIL 6

struct e1000_ring {
	uint32_t *r;		/* registers from xDBAL on */
	const char *name;
	uint64_t base;
	uint32_t count;		/* 0: cannot be used */
	uint32_t raw_bal, raw_len;	/* as written, with bits that the chip ignores */
	bool checked;		/* base and count are those of the registers */
	struct pw_dma_win win;
};

/* Context descriptor (§3.5) */
struct e1000_ctx {
	bool valid;
	uint8_t ipcss, ipcso, tucss, tucso;
	uint16_t ipcse, tucse;
	uint8_t hdrlen;
	uint16_t mss;
	uint32_t paylen;
	bool tcp, ipv4, snap;
};

#define E1000_TX_ROOM 16	/* before the packet, for an inserted tag */

struct e1000_txq {
	struct e1000_ring ring;
	struct e1000_ctx ctx[2];	/* normal, TSE: two on 8254x (§3.5) */
	struct pw_dma_win win;	/* of the data */

	/* The packet that descriptors are being gathered for */
	bool open;
	bool bad;		/* do not send it */
	uint64_t first;		/* command word of its first data descriptor */
	uint32_t total;		/* bytes of its descriptors */
	uint32_t len;		/* bytes gathered in buf[] */
	uint32_t desc_off;	/* TSO: bytes of the head descriptor taken already */
	uint32_t nb_segs;	/* TSO: segments made */
	uint32_t payload;	/* TSO: bytes of payload in them */
	bool hdr_done;		/* TSO: hdr[] is complete */

	/* A frame that is complete and waits for the line */
	uint32_t out_len;	/* 0: none */
	uint32_t out_at;	/* where it starts in buf[] */
	bool out_fcs;		/* it has its own FCS */
	bool stamp;		/* note when it leaves (§2.7) */

	/* DD not yet written (WTHRESH) */
	uint32_t nb_held;
	uint32_t held[E1000_WB_HELD];

	uint8_t hdr[256];	/* TSO: template */
	uint8_t buf[E1000_TX_ROOM + E1000_MAX_JUMBO + E1000_MIN_FRAME];
};

/* A received frame on its way to the host */
struct e1000_rx_pkt {
	const uint8_t *data;
	uint32_t len;		/* as it came, without FCS */
	uint32_t stored;	/* as it is stored: without a stripped tag, with FCS if kept */
	bool strip;		/* leave out the tag */
	bool extended;		/* a byte behind the FCS */
	bool good;
	uint8_t status, errors;
	uint16_t csum, vlan;
	uint8_t fcs[E1000_FCS + 1];
	uint8_t nb_fcs;		/* of them that are stored */

	/* 82574 (§3.2, §3.3) */
	uint32_t ext;		/* status bits 8 to 19 */
	uint32_t rss_type, hash;
	uint16_t ip_id;
	uint16_t split;		/* bytes for the header buffer; 0: not split */
	uint8_t queue;
	bool ack;		/* a TCP acknowledgement */
};

struct e1000_rxq {
	struct e1000_ring ring;
	struct pw_dma_win win;

	bool waiting;		/* pkt was begun and waits for descriptors */
	uint32_t off;		/* bytes of it that were stored */
	struct e1000_rx_pkt pkt;
};

/* Shift register of a 93C46 or 93C66 */
struct e1000_mwire {
	uint32_t shift;		/* bits that came in since the start bit */
	uint8_t nb_in;
	uint16_t out;		/* bits that go out next, at the top */
	uint8_t nb_out;
	bool started;
	bool dout;
	bool writable;		/* EWEN was given */
	bool reading;
	uint8_t addr;
	bool commit;		/* a write is complete; it starts when CS falls */
	uint64_t busy_until;
};

struct e1000_phy {
	uint16_t reg[MII_REG_NUM];
	bool link;
	bool link_latch;	/* BMSR link bit, latching low */
	bool carrier;		/* something is at the other end */
	bool an_done;
	uint16_t mbps;
	bool full;
};

/* What a frame holds (§3.2); offsets from its start. */
struct e1000_l3 {
	uint32_t ip;		/* 0: no IP */
	uint32_t l4;
	uint32_t end;		/* of the IP packet, without padding */
	uint32_t data;		/* behind the TCP or UDP header; 0: neither, or a fragment */
	uint8_t proto;
	bool v6;
	bool ext_hdrs;		/* IPv6 */
	bool fragment;
	bool broken;		/* an IPv6 extension header reaches past the packet's end */
	const uint8_t *src, *dst;	/* addresses that RSS looks at */
};

/* An MII frame on the pins of CTRL */
struct e1000_mdio {
	uint64_t in;		/* bits that came in, newest lowest */
	uint16_t out;
	uint8_t left;		/* clocks until out is out */
	bool pin;
};

/* Tx FIFO of a part that half duplex makes stall; positions in bytes from its start. */
struct e1000_fifo {
	uint32_t at;		/* where the next packet is put */
	uint32_t waits;		/* bytes of the one that is in it and waits for the line */
	uint32_t written;	/* pointers written since TCTL.EN was cleared, a bit each */
	bool hangs;		/* until reset */
};

/* A small SPI EEPROM: bytes go in and out, the first is the command (§4.1). */
struct e1000_spi {
	bool selected;
	bool writable;		/* WREN was given */
	bool dout;
	uint8_t in, out;	/* bytes under way */
	uint8_t nb_in;		/* bits of `in` */
	uint8_t opcode;
	uint32_t nb;		/* whole bytes that came in since the part was selected */
	uint8_t at;		/* byte address; what WRITE holds back lies before it */
	uint8_t page;		/* byte address that WRITE began with */
	uint8_t held[8];	/* a page, by the low bits of the address */
	uint8_t held_mask;	/* which of them were given */
	uint64_t busy_until;
};

/* What only PCI Express parts have. */
struct e1000_82574 {
	bool phyra;		/* STATUS.PHYRA */
	struct e1000_ctx ctx;	/* 82574: the last context descriptor of any queue (§3.5) */

	uint32_t told;		/* causes whose message is out, until they are served */
	uint64_t eitr_next[E1000_VECTORS];

	uint64_t systim;	/* SYSTIM at systim_at */
	uint64_t systim_at;
	uint32_t systim_latch;	/* SYSTIMH as it was when SYSTIML was read */

	uint16_t bm[E1000_BM_PAGES][MII_REG_NUM - E1000_BM_PAGED];

	/* 82571, 82572 */
	struct e1000_spi spi;
	uint64_t auto_rd;	/* the NVM was read by then, since reset */
	uint64_t cfg_done;	/* the PHY was configured by then, since its reset */
};

struct e1000_model {
	struct pw_model *m;
	const struct e1000_variant *v;
	uint32_t *reg;		/* all of BAR 0, a dword each */
	uint16_t *map;		/* row of the register table, plus one; 0: undefined */
	uint32_t io_addr;
	uint32_t pba;		/* the split in force; the register may be ahead (§2.1) */

	struct e1000_rxq rxq[E1000_QUEUES];
	struct e1000_txq txq[E1000_QUEUES];
	uint64_t gorc, gotc, tor, tot;
	uint32_t tx_budget;	/* left of E1000_TX_BUDGET */
	uint32_t rx_queue;	/* of the frame that waits */
	uint32_t rx_due, tx_due;	/* causes that delay timers hold back */

	bool rx_hangs;		/* until reset (82571, §7) */
	bool irq;
	uint64_t irq_next;	/* not raised again before then (ITR) */
	bool listening;		/* what the wire was told */
	bool link;		/* STATUS.LU */
	bool xoff_sent;

	struct e1000_phy phy;
	uint16_t nvm[E1000_NVM_WORDS];
	struct e1000_mwire mw;
	struct e1000_mdio mdio;
	struct e1000_fifo fifo;
	uint16_t *igp;		/* registers past 15, by offset; NULL: another PHY */
	struct e1000_82574 *x;	/* NULL: not a PCI Express part */
};

static inline struct e1000_model *
e1000_of(struct pw_model *m)
{
	return m->priv;
}

#define E1000_R(e, off) ((e)->reg[(off) >> 2])

static inline bool
e1000_has(const struct e1000_model *e, uint32_t features)
{
	return (e->v->features & features) != 0;
}

/* PCI Express parts stop bus mastering at software's request (§2.1). */
static inline bool
e1000_dma_on(const struct e1000_model *e)
{
	return e->m->dma_on && (!e1000_has(e, E1000_F_PCIE) ||
				(E1000_R(e, E1000_CTRL) & E1000_CTRL_GIO_DISABLE) == 0);
}

/* Statistics stick at all ones (§2.6). */
static inline void
e1000_stat_add(struct e1000_model *e, uint32_t off, uint32_t n)
{
	uint32_t *s = &E1000_R(e, off);

	*s = *s > UINT32_MAX - n ? UINT32_MAX : *s + n;
}

static inline void
e1000_stat(struct e1000_model *e, uint32_t off)
{
	e1000_stat_add(e, off, 1);
}

static inline void
e1000_stat64_add(uint64_t *s, uint32_t n)
{
	*s = *s > UINT64_MAX - n ? UINT64_MAX : *s + n;
}

/* First of PRC64.. or PTC64.. plus what a frame's length with FCS says. */
static inline uint32_t
e1000_size_class(uint32_t len)
{
	if (len <= 64)
		return 0;
	if (len <= 127)
		return 4;
	if (len <= 255)
		return 8;
	if (len <= 511)
		return 12;
	return len <= 1023 ? 16 : 20;
}

#define E1000_DELAY_NS(v) ((uint64_t)(v) * 1024)	/* RDTR, RADV, TIDV, TADV */
#define E1000_ITR_NS(v) ((uint64_t)(v) * 256)

/* e1000_model.c */
void e1000_sw_reset(struct e1000_model *e);
void e1000_link_update(struct e1000_model *e);
void e1000_carrier_update(struct e1000_model *e);
uint32_t e1000_mbps(const struct e1000_model *e);
void e1000_listen_update(struct e1000_model *e);
uint32_t e1000_loopback(const struct e1000_model *e);

/* e1000_model_regs.c */
int e1000_regs_init(struct e1000_model *e);
void e1000_regs_reset(struct e1000_model *e);
uint32_t e1000_reg_read(struct e1000_model *e, uint32_t off, unsigned int width);
void e1000_reg_write(struct e1000_model *e, uint32_t off, uint32_t val, unsigned int width);
bool e1000_ring_check(struct e1000_model *e, struct e1000_ring *ring);

static inline bool
e1000_ring_ok(struct e1000_model *e, struct e1000_ring *ring)
{
	if (PW_UNLIKELY(!ring->checked))
		return e1000_ring_check(e, ring);
	return ring->count != 0;
}

/* Descriptors between head and tail. */
static inline uint32_t
e1000_ring_used(const struct e1000_ring *ring)
{
	uint32_t head = ring->r[E1000_RING_HEAD], tail = ring->r[E1000_RING_TAIL];

	return tail >= head ? tail - head : tail + ring->count - head;
}

static inline void
e1000_ring_step(struct e1000_ring *ring)
{
	uint32_t head = ring->r[E1000_RING_HEAD] + 1;

	ring->r[E1000_RING_HEAD] = head == ring->count ? 0 : head;
}

static inline uint64_t
e1000_ring_iova(const struct e1000_ring *ring, uint32_t i)
{
	return ring->base + (uint64_t)i * E1000_DESC_SIZE;
}

/* e1000_model_irq.c */
void e1000_irq_set(struct e1000_model *e, uint32_t causes);
void e1000_irq_update(struct e1000_model *e);
uint32_t e1000_icr_read(struct e1000_model *e, uint32_t off);
void e1000_icr_write(struct e1000_model *e, uint32_t off, uint32_t val);
uint32_t e1000_ics_read(struct e1000_model *e, uint32_t off);
void e1000_ics_write(struct e1000_model *e, uint32_t off, uint32_t val);
void e1000_ims_write(struct e1000_model *e, uint32_t off, uint32_t val);
void e1000_imc_write(struct e1000_model *e, uint32_t off, uint32_t val);
void e1000_rdtr_write(struct e1000_model *e, uint32_t off, uint32_t val);
void e1000_irq_rx(struct e1000_model *e, unsigned int queue);
void e1000_irq_tx_delayed(struct e1000_model *e, unsigned int queue);
void e1000_irq_timer(struct e1000_model *e, unsigned int id);

/* e1000_model_nvm.c */
void e1000_nvm_init(struct e1000_model *e);
bool e1000_nvm_read(const struct e1000_model *e, unsigned int addr, uint16_t *word);
void e1000_nvm_load(struct e1000_model *e);
uint32_t e1000_eecd_read(struct e1000_model *e, uint32_t off);
void e1000_eecd_write(struct e1000_model *e, uint32_t off, uint32_t val);
void e1000_eerd_write(struct e1000_model *e, uint32_t off, uint32_t val);
void e1000_eerd_done(struct e1000_model *e, uint32_t *eerd, uint32_t addr, uint32_t done);

/* e1000_model_phy.c */
void e1000_phy_reset(struct e1000_model *e);
void e1000_phy_carrier(struct e1000_model *e, bool carrier);
void e1000_phy_an_done(struct e1000_model *e);
void e1000_mdic_write(struct e1000_model *e, uint32_t off, uint32_t val);
void e1000_mdic_done(struct e1000_model *e);
uint16_t e1000_mii_read(struct e1000_model *e, unsigned int reg);
void e1000_mii_write(struct e1000_model *e, unsigned int reg, uint16_t val);

static inline bool
e1000_phy_loops(const struct e1000_model *e)
{
	return (e->phy.reg[MII_BMCR] & (MII_BMCR_LOOPBACK | MII_BMCR_PDOWN)) ==
	       MII_BMCR_LOOPBACK;
}

/* e1000_model_mdio.c */
void e1000_mdio_clock(struct e1000_model *e, uint32_t ctrl);

/* e1000_model_igp.c */
int e1000_igp_init(struct e1000_model *e);
void e1000_igp_reset(struct e1000_model *e);
uint16_t *e1000_igp_reg(struct e1000_model *e, unsigned int reg);
uint16_t e1000_igp_read(struct e1000_model *e, unsigned int reg);
void e1000_igp_write(struct e1000_model *e, unsigned int reg, uint16_t val);

/* e1000_model_fifo.c */
bool e1000_fifo_put(struct e1000_model *e, uint32_t len);
void e1000_fifo_sent(struct e1000_model *e);
uint32_t e1000_fifo_read(struct e1000_model *e, uint32_t off);
void e1000_fifo_write(struct e1000_model *e, uint32_t off, uint32_t val);

static inline bool
e1000_full_duplex(const struct e1000_model *e)
{
	uint32_t ctrl = E1000_R(e, E1000_CTRL);

	return (ctrl & E1000_CTRL_FRCDPX) != 0 ? (ctrl & E1000_CTRL_FD) != 0 : e->phy.full;
}

/* e1000_model_tx.c */
unsigned int e1000_tx_run(struct e1000_model *e);
void e1000_tx_reset(struct e1000_model *e);
void e1000_tx_flush(struct e1000_model *e);
void e1000_tctl_write(struct e1000_model *e, uint32_t off, uint32_t val);
void e1000_tdt_write(struct e1000_model *e, uint32_t off, uint32_t val);
void e1000_tidv_write(struct e1000_model *e, uint32_t off, uint32_t val);
void e1000_tx_pause(struct e1000_model *e, uint32_t quanta);
void e1000_send_pause(struct e1000_model *e, uint32_t quanta);
uint64_t e1000_quanta_ns(const struct e1000_model *e, uint32_t quanta);

/* e1000_model_rx.c */
int e1000_rx_frame(struct e1000_model *e, const uint8_t *data, uint32_t len, uint32_t flags,
		   bool may_wait);
unsigned int e1000_rx_run(struct e1000_model *e);
void e1000_rx_abort(struct e1000_model *e);
void e1000_send_xoff(struct e1000_model *e);
void e1000_rctl_write(struct e1000_model *e, uint32_t off, uint32_t val);
void e1000_rdt_write(struct e1000_model *e, uint32_t off, uint32_t val);
void e1000_rx_copy(struct e1000_model *e, struct e1000_rxq *q, uint64_t addr, uint32_t off,
		   uint32_t len);
void e1000_rx_next(struct e1000_model *e, struct e1000_rxq *q, unsigned int units);

static inline bool
e1000_rx_extended(const struct e1000_model *e)
{
	return (E1000_R(e, E1000_RFCTL) & E1000_RFCTL_EXTEN) != 0;
}

static inline bool
e1000_rx_splits(const struct e1000_model *e)
{
	return (E1000_R(e, E1000_RCTL) & E1000_RCTL_DTYP_MASK) == E1000_RCTL_DTYP_PS &&
	       e1000_rx_extended(e);
}

/* e1000_model_82574.c */
int e1000_574_init(struct e1000_model *e);
void e1000_574_power_on(struct e1000_model *e);
void e1000_574_reset(struct e1000_model *e);
uint32_t e1000_574_status(const struct e1000_model *e);
void e1000_574_status_write(struct e1000_model *e, uint32_t off, uint32_t val);
uint32_t e1000_574_eecd_read(struct e1000_model *e, uint32_t off);
void e1000_574_eecd_write(struct e1000_model *e, uint32_t off, uint32_t val);
void e1000_574_eerd_write(struct e1000_model *e, uint32_t off, uint32_t val);
void e1000_574_eewr_write(struct e1000_model *e, uint32_t off, uint32_t val);
void e1000_574_eewr_done(struct e1000_model *e);
uint32_t e1000_574_swsm_read(struct e1000_model *e, uint32_t off);
uint32_t e1000_574_alias_read(struct e1000_model *e, uint32_t off);
void e1000_574_alias_write(struct e1000_model *e, uint32_t off, uint32_t val);
uint16_t *e1000_574_phy_page(struct e1000_model *e, unsigned int reg);
uint32_t e1000_574_bar_read(struct e1000_model *e, unsigned int bar, uint32_t off,
			    unsigned int width);
void e1000_574_bar_write(struct e1000_model *e, unsigned int bar, uint32_t off, uint32_t val,
			 unsigned int width);

/* e1000_model_82574_irq.c */
uint32_t e1000_574_causes(struct e1000_model *e, uint32_t causes);
void e1000_574_msix_update(struct e1000_model *e);
uint32_t e1000_574_icr_value(const struct e1000_model *e);
void e1000_574_icr_mask(struct e1000_model *e, uint32_t icr);
uint32_t e1000_574_icr_read(struct e1000_model *e, uint32_t off);
void e1000_574_icr_write(struct e1000_model *e, uint32_t off, uint32_t val);
uint32_t e1000_574_ics_read(struct e1000_model *e, uint32_t off);
void e1000_574_ics_write(struct e1000_model *e, uint32_t off, uint32_t val);
void e1000_574_ims_write(struct e1000_model *e, uint32_t off, uint32_t val);
void e1000_574_pbaclr_write(struct e1000_model *e, uint32_t off, uint32_t val);

/* e1000_model_82571.c */
void e1000_571_power_on(struct e1000_model *e);
void e1000_571_reset(struct e1000_model *e);
uint32_t e1000_571_eecd_read(struct e1000_model *e, uint32_t off);
void e1000_571_eecd_write(struct e1000_model *e, uint32_t off, uint32_t val);
uint32_t e1000_571_eemngctl_read(struct e1000_model *e, uint32_t off);
bool e1000_571_phy_allowed(struct e1000_model *e);
uint32_t e1000_571_icr_read(struct e1000_model *e, uint32_t off);
void e1000_571_icr_write(struct e1000_model *e, uint32_t off, uint32_t val);
void e1000_571_tx_start(struct e1000_model *e, uint32_t tctl);
bool e1000_571_tso_begin(struct e1000_model *e, const struct e1000_ctx *ctx, uint32_t len);
void e1000_571_ipv6(struct e1000_model *e);

/* e1000_model_82574_parse.c */
void e1000_574_parse(struct e1000_model *e, struct e1000_rx_pkt *p, bool tagged);

/* e1000_model_82574_rss.c */
void e1000_574_rss(struct e1000_model *e, struct e1000_rx_pkt *p, const struct e1000_l3 *l3);

/* e1000_model_82574_rx.c */
uint32_t e1000_574_rx_units(const struct e1000_model *e, const struct e1000_rx_pkt *p);
bool e1000_574_rx_descriptor(struct e1000_model *e, struct e1000_rxq *q, uint32_t size);

/* e1000_model_82574_tsync.c */
void e1000_574_tsync_rx(struct e1000_model *e, struct e1000_rx_pkt *p, const struct e1000_l3 *l3,
			bool tagged);
void e1000_574_tsync_tx(struct e1000_model *e);
uint32_t e1000_574_systim_read(struct e1000_model *e, uint32_t off);
void e1000_574_systim_write(struct e1000_model *e, uint32_t off, uint32_t val);
void e1000_574_timinca_write(struct e1000_model *e, uint32_t off, uint32_t val);
void e1000_574_timadjh_write(struct e1000_model *e, uint32_t off, uint32_t val);
uint32_t e1000_574_stamp_read(struct e1000_model *e, uint32_t off);

/* The cause of a queue's events: its own where MSI-X is on (§2.2). */
static inline uint32_t
e1000_rx_cause(const struct e1000_model *e, unsigned int queue)
{
	return pw_msix_on(e->m) ? E1000_ICR_RXQ0 << queue : E1000_ICR_RXT0;
}

static inline uint32_t
e1000_tx_cause(const struct e1000_model *e, unsigned int queue)
{
	return pw_msix_on(e->m) ? E1000_ICR_TXQ0 << queue : E1000_ICR_TXDW;
}

#endif /* _E1000_MODEL_H_ */
