/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Receive-side scaling (§2.3): a Toeplitz hash over addresses, and over the ports of TCP, picks
 * by its low seven bits one of 128 table entries, and that the queue. What the chip does not
 * hash goes to queue 0. Reset forgets it all; the shadows in struct e1000_rss bring it back.
 */

#include <string.h>

#include "e1000.h"

/* The key of Microsoft's specification, which most drivers start with. */
static const uint8_t default_key[E1000_RSS_KEY_LEN] = {
	0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3,
	0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3,
	0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
};

static const struct {
	uint64_t type;
	uint32_t mrqc;
} types[] = {
	{ RTE_ETH_RSS_IPV4, E1000_MRQC_IPV4 },
	{ RTE_ETH_RSS_NONFRAG_IPV4_TCP, E1000_MRQC_IPV4_TCP },
	{ RTE_ETH_RSS_IPV6, E1000_MRQC_IPV6 },
	{ RTE_ETH_RSS_NONFRAG_IPV6_TCP, E1000_MRQC_IPV6_TCP },
	{ RTE_ETH_RSS_IPV6_EX, E1000_MRQC_IPV6_EX },
	{ RTE_ETH_RSS_IPV6_TCP_EX, E1000_MRQC_IPV6_TCP },
};

/* What can be hashed; extension headers not where looking at them hangs the chip (§7). */
uint64_t
e1000_rss_types(const struct e1000_hw *hw)
{
	uint64_t all = 0;

	if ((hw->flags & E1000_F_RSS) == 0)
		return 0;
	for (unsigned int i = 0; i < RTE_DIM(types); i++)
		all |= types[i].type;
	if (hw->flags & E1000_F_ERR_IPV6_EXT)
		all &= ~(RTE_ETH_RSS_IPV6_EX | RTE_ETH_RSS_IPV6_TCP_EX);
	return all;
}

static void
write_mrqc(const struct e1000_adapter *ad)
{
	uint32_t mrqc = 0;

	for (unsigned int i = 0; i < RTE_DIM(types); i++)
		if (ad->rss.types & types[i].type)
			mrqc |= types[i].mrqc;
	if (mrqc != 0)
		mrqc |= E1000_MRQC_RSS;
	pw_write32(ad->hw.io, E1000_MRQC, mrqc);
}

static void
write_key(const struct e1000_adapter *ad)
{
	const uint8_t *k = ad->rss.key;

	for (unsigned int i = 0; i < E1000_RSSRK_NUM; i++, k += 4)
		pw_write32(ad->hw.io, E1000_RSSRK(i), (uint32_t)k[3] << 24 | (uint32_t)k[2] << 16 |
			   (uint32_t)k[1] << 8 | k[0]);
}

static void
write_reta(const struct e1000_adapter *ad)
{
	for (unsigned int i = 0; i < E1000_RETA_NUM; i++) {
		uint32_t word = 0;

		for (unsigned int k = 0; k < 4; k++)
			word |= (uint32_t)ad->rss.reta[4 * i + k] <<
				(8 * k + E1000_RETA_QUEUE_SHIFT);
		pw_write32(ad->hw.io, E1000_RETA(i), word);
	}
}

static void
spread(struct e1000_adapter *ad, uint16_t queues)
{
	for (unsigned int i = 0; i < E1000_RETA_ENTRIES; i++)
		ad->rss.reta[i] = i % queues;
}

/* --- configuration ------------------------------------------------------------------------- */

int
e1000_rss_configure(struct rte_eth_dev *eth)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	const struct rte_eth_rss_conf *conf = &eth->data->dev_conf.rx_adv_conf.rss_conf;

	if ((ad->hw.flags & E1000_F_RSS) == 0)
		return 0;
	ad->rss.types = 0;
	spread(ad, RTE_MAX(eth->data->nb_rx_queues, 1));
	memcpy(ad->rss.key, default_key, sizeof(default_key));
	if ((eth->data->dev_conf.rxmode.mq_mode & RTE_ETH_MQ_RX_RSS_FLAG) == 0) {
		/* Nothing leads to the second queue. */
		spread(ad, 1);
		return 0;
	}
	return e1000_rss_hash_update(eth, (struct rte_eth_rss_conf *)(uintptr_t)conf);
}

void
e1000_rss_start(struct rte_eth_dev *eth)
{
	const struct e1000_adapter *ad = e1000_adapter_of(eth);

	write_key(ad);
	write_reta(ad);
	write_mrqc(ad);
}

int
e1000_rss_hash_update(struct rte_eth_dev *eth, struct rte_eth_rss_conf *conf)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);

	if ((conf->rss_hf & ~e1000_rss_types(&ad->hw)) != 0)
		return -EINVAL;
	if (conf->rss_key != NULL && conf->rss_key_len != 0 &&
	    conf->rss_key_len != E1000_RSS_KEY_LEN) {
		PW_LOG(ERR, "%s: an RSS key of %u bytes: this card's has %u", ad->dev.name,
		       conf->rss_key_len, E1000_RSS_KEY_LEN);
		return -EINVAL;
	}
	if (conf->rss_key != NULL)
		memcpy(ad->rss.key, conf->rss_key, E1000_RSS_KEY_LEN);
	ad->rss.types = conf->rss_hf;
	if (eth->data->dev_started) {
		write_key(ad);
		write_mrqc(ad);
	}
	return 0;
}

int
e1000_rss_hash_conf_get(struct rte_eth_dev *eth, struct rte_eth_rss_conf *conf)
{
	const struct e1000_adapter *ad = e1000_adapter_of(eth);

	if (e1000_rss_types(&ad->hw) == 0)
		return -ENOTSUP;
	conf->rss_hf = ad->rss.types;
	conf->rss_key_len = E1000_RSS_KEY_LEN;
	if (conf->rss_key != NULL)
		memcpy(conf->rss_key, ad->rss.key, E1000_RSS_KEY_LEN);
	return 0;
}

/* ethdev has checked that queues exist. */
int
e1000_reta_update(struct rte_eth_dev *eth, struct rte_eth_rss_reta_entry64 *reta, uint16_t size)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);

	if (e1000_rss_types(&ad->hw) == 0)
		return -ENOTSUP;
	if (size != E1000_RETA_ENTRIES)
		return -EINVAL;
	for (unsigned int i = 0; i < size; i++) {
		const struct rte_eth_rss_reta_entry64 *r = &reta[i / RTE_ETH_RETA_GROUP_SIZE];

		if (r->mask & RTE_BIT64(i % RTE_ETH_RETA_GROUP_SIZE))
			ad->rss.reta[i] = r->reta[i % RTE_ETH_RETA_GROUP_SIZE];
	}
	if (eth->data->dev_started)
		write_reta(ad);
	return 0;
}

int
e1000_reta_query(struct rte_eth_dev *eth, struct rte_eth_rss_reta_entry64 *reta, uint16_t size)
{
	const struct e1000_adapter *ad = e1000_adapter_of(eth);

	if (e1000_rss_types(&ad->hw) == 0)
		return -ENOTSUP;
	if (size != E1000_RETA_ENTRIES)
		return -EINVAL;
	for (unsigned int i = 0; i < size; i++) {
		struct rte_eth_rss_reta_entry64 *r = &reta[i / RTE_ETH_RETA_GROUP_SIZE];

		if (r->mask & RTE_BIT64(i % RTE_ETH_RETA_GROUP_SIZE))
			r->reta[i % RTE_ETH_RETA_GROUP_SIZE] = ad->rss.reta[i];
	}
	return 0;
}
