/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Statistics (§2.6, §8).
 *
 * The chip's counters are 32 bits and cleared by reading; they are added up here in 64 bits,
 * and go on counting across stop and start. Who wants right figures must look at least every
 * 48 minutes: so long a counter lasts at line rate. Reading is for control threads.
 *
 * Bytes are reported without the four of the CRC, as ethdev has it; the chip counts them in,
 * and its own view is left in the xstats called rx_chip_good_bytes and tx_chip_good_bytes.
 */

#include "e1000.h"

struct stat_reg {
	uint32_t reg;
	uint32_t offset;
};

#define REG(field, name, text) { E1000_##name, offsetof(struct e1000_stats, field) },
#define REG64(field, name, text) { E1000_##name##L, offsetof(struct e1000_stats, field) },
#define XSTAT(field, name, text) { text, offsetof(struct e1000_stats, field) },
#define XSTAT_SW(field, text) { text, offsetof(struct e1000_stats, sw.field) },

static const struct stat_reg regs_32[] = { E1000_STATS_32(REG) };
static const struct stat_reg regs_held[] = { E1000_STATS_HELD(REG) };
static const struct stat_reg regs_link[] = { E1000_STATS_LINK(REG) };
static const struct stat_reg regs_64[] = { E1000_STATS_64(REG64) };
static const struct stat_reg regs_pcie[] = { E1000_STATS_PCIE(REG) };

static const struct pw_xstat xstats_table[] = {
	E1000_STATS_32(XSTAT)
	E1000_STATS_HELD(XSTAT)
	E1000_STATS_LINK(XSTAT)
	E1000_STATS_64(XSTAT)
	E1000_STATS_SW(XSTAT_SW)
	E1000_STATS_PCIE(XSTAT)
};

_Static_assert(RTE_DIM(regs_held) == RTE_DIM(((struct e1000_adapter *)0)->held),
	       "one place for each");

static inline uint64_t *
counter(struct e1000_stats *s, const struct stat_reg *r)
{
	return (uint64_t *)((uint8_t *)s + r->offset);
}

static void
add_32(struct e1000_adapter *ad, const struct stat_reg *regs, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		*counter(&ad->stats, &regs[i]) += pw_read32(ad->hw.io, regs[i].reg);
}

/*
 * QEMU's 8254x keeps MPC and RNBC when they are read, where silicon clears them (§2.6). A counter
 * that a second look finds no lower was kept: then only what it grew by is news.
 */
static void
add_held(struct e1000_adapter *ad)
{
	for (unsigned int i = 0; i < RTE_DIM(regs_held); i++) {
		uint64_t *sum = counter(&ad->stats, &regs_held[i]);
		uint32_t first = pw_read32(ad->hw.io, regs_held[i].reg), again;

		if (first == 0) {
			ad->held[i] = 0;
			continue;
		}
		again = pw_read32(ad->hw.io, regs_held[i].reg);
		if (again < first) {
			*sum += first + again;
			ad->held[i] = 0;
		} else {
			*sum += again >= ad->held[i] ? again - ad->held[i] : again;
			ad->held[i] = again;
		}
	}
}

/* The low half first: reading the high one clears both (§2.6). */
static void
add_64(struct e1000_adapter *ad)
{
	for (unsigned int i = 0; i < RTE_DIM(regs_64); i++) {
		uint64_t low = pw_read32(ad->hw.io, regs_64[i].reg);

		*counter(&ad->stats, &regs_64[i]) +=
			(uint64_t)pw_read32(ad->hw.io, regs_64[i].reg + 4) << 32 | low;
	}
}

static void
fold_sw(struct e1000_adapter *ad)
{
	struct e1000_sw_stats *sw = &ad->sw;

	sw->tx_linearized = ad->dma.linearized;
	sw->tx_bounced = ad->dma.bounced;
	sw->tx_load_failed = ad->dma.load_failed;
#define SINCE_RESET(field, text) ad->stats.sw.field = sw->field - ad->sw_base.field;
	E1000_STATS_SW(SINCE_RESET)
#undef SINCE_RESET
}

static void
update(struct e1000_adapter *ad)
{
	struct e1000_hw *hw = &ad->hw;
	uint32_t status = pw_read32(hw->io, E1000_STATUS);

	fold_sw(ad);
	/* All ones would be added up as four billion of everything. */
	if (status == UINT32_MAX)
		return;
	add_32(ad, regs_32, RTE_DIM(regs_32));
	add_held(ad);
	if (hw->media == E1000_MEDIA_COPPER || (status & E1000_STATUS_LU))
		add_32(ad, regs_link, RTE_DIM(regs_link));
	add_64(ad);
	if (hw->flags & E1000_F_PCIE)
		add_32(ad, regs_pcie, RTE_DIM(regs_pcie));
}

/* Two who read at once, in this process or another, would each get a part. */
void
e1000_stats_update(struct e1000_adapter *ad)
{
	rte_spinlock_lock(&ad->stats_lock);
	update(ad);
	rte_spinlock_unlock(&ad->stats_lock);
}

/* What the chip counted as good but the driver dropped was no packet to the application. */
int
e1000_stats_get(PW_STATS_GET_ARGS(eth, stats))
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	const struct e1000_stats *s = &ad->stats;

	e1000_stats_update(ad);
	stats->ipackets = s->gprc - s->sw.rx_oversize + s->sw.rx_extended;
	stats->ibytes = s->gorc - s->gprc * RTE_ETHER_CRC_LEN - s->sw.rx_dropped_bytes +
			s->sw.rx_extended_bytes;
	/* Where the CRC is stored it is among the bytes dropped, and has been taken off twice. */
	if (ad->hw.keep_crc)
		stats->ibytes += s->sw.rx_oversize * RTE_ETHER_CRC_LEN;
	stats->opackets = s->gptc;
	stats->obytes = s->gotc - s->gptc * RTE_ETHER_CRC_LEN;
	/* RNBC only says that a descriptor was late; what was lost is in MPC. */
	stats->imissed = s->mpc;
	/* RLEC holds RUC and ROC already (§7.1). */
	stats->ierrors = s->crcerrs - RTE_MIN(s->crcerrs, s->sw.rx_extended) + s->rlec +
			 s->rxerrc + s->algnerrc + s->cexterr + s->sw.rx_oversize;
	stats->oerrors = s->ecol + s->latecol + s->sw.tx_dropped;
	stats->rx_nombuf = s->sw.rx_nombuf;
	return 0;
}

int
e1000_stats_reset(struct rte_eth_dev *eth)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);

	rte_spinlock_lock(&ad->stats_lock);
	update(ad);
	ad->sw_base = ad->sw;
	memset(&ad->stats, 0, sizeof(ad->stats));
	rte_spinlock_unlock(&ad->stats_lock);
	return 0;
}

static unsigned int
xstats_num(const struct e1000_adapter *ad)
{
	return RTE_DIM(xstats_table) -
	       (ad->hw.flags & E1000_F_PCIE ? 0 : RTE_DIM(regs_pcie));
}

int
e1000_xstats_get(struct rte_eth_dev *eth, struct rte_eth_xstat *xstats, unsigned int n)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);

	e1000_stats_update(ad);
	return pw_xstats_get(&ad->stats, xstats_table, xstats_num(ad), xstats, n);
}

int
e1000_xstats_get_names(struct rte_eth_dev *eth, struct rte_eth_xstat_name *names, unsigned int n)
{
	return pw_xstats_get_names(xstats_table, xstats_num(e1000_adapter_of(eth)), names, n);
}
