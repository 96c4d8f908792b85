/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_errno.h>
#include <rte_ether.h>
#include <rte_string_fns.h>

#include "pw_ethdev.h"
#include "pw_log.h"

/* As the Intel drivers of DPDK; less where the ring is too small for it. */
#define DEFAULT_TX_FREE_THRESH	32
#define DEFAULT_TX_RS_THRESH	32
#define DEFAULT_RX_FREE_THRESH	32

/* EEPROM words read at a time. */
#define EEPROM_CHUNK		32

static_assert(offsetof(struct pw_rxq, zone) == RTE_CACHE_LINE_MIN_SIZE,
	      "what the Rx path reads is one cache line");
static_assert(offsetof(struct pw_txq, zone) == RTE_CACHE_LINE_MIN_SIZE,
	      "what the Tx path reads is one cache line");

/* --- queue set-up --- */

uint64_t
pw_mbuf_init_word(uint16_t port_id)
{
	struct rte_mbuf m = {
		.data_off = RTE_PKTMBUF_HEADROOM,
		.nb_segs = 1,
		.port = port_id,
	};
	uint64_t word;

	rte_mbuf_refcnt_set(&m, 1);
	/* By address: the member is an empty marker in some releases. */
	memcpy(&word, (const char *)&m + offsetof(struct rte_mbuf, rearm_data), sizeof(word));
	return word;
}

int
pw_eth_check_queues(const struct rte_eth_dev *eth)
{
	const struct rte_eth_dev_data *data = eth->data;
	bool ready = data->nb_rx_queues > 0 && data->nb_tx_queues > 0;

	for (uint16_t i = 0; i < data->nb_rx_queues && ready; i++)
		ready = data->rx_queues[i] != NULL;
	for (uint16_t i = 0; i < data->nb_tx_queues && ready; i++)
		ready = data->tx_queues[i] != NULL;
	if (ready)
		return 0;
	PW_LOG(ERR, "%s: start refused: set up every queue first, at least one for Rx and one "
		    "for Tx", data->name);
	return -EINVAL;
}

int
pw_eth_check_mq_mode(const struct rte_eth_dev *eth)
{
	const struct rte_eth_conf *conf = &eth->data->dev_conf;

	if ((conf->rxmode.mq_mode & ~RTE_ETH_MQ_RX_RSS_FLAG) == 0 &&
	    conf->txmode.mq_mode == RTE_ETH_MQ_TX_NONE)
		return 0;
	PW_LOG(ERR, "%s: multi-queue modes %u (Rx) and %u (Tx) refused: the chip has neither DCB "
		    "nor VMDq", eth->data->name, conf->rxmode.mq_mode, conf->txmode.mq_mode);
	return -EINVAL;
}

int
pw_eth_check_desc(const struct rte_eth_dev *eth, const char *what, uint16_t *nb_desc,
		  const struct rte_eth_desc_lim *lim)
{
	uint16_t align = RTE_MAX(lim->nb_align, 1), nb = *nb_desc;
	uint32_t ring = rte_align32pow2(nb);

	if (nb > 0 && nb >= lim->nb_min && nb % align == 0 && ring <= lim->nb_max) {
		*nb_desc = ring;
		return 0;
	}
	PW_LOG(ERR, "%s: %s ring of %u descriptors refused: use a multiple of %u from %u to %u",
	       eth->data->name, what, nb, align, RTE_ALIGN_CEIL(RTE_MAX(lim->nb_min, 1), align),
	       rte_align32prevpow2(lim->nb_max));
	return -EINVAL;
}

/* A quarter of the ring, at most `most`. */
static uint16_t
default_thresh(uint16_t nb_desc, uint16_t most)
{
	uint16_t quarter = nb_desc / 4;

	return quarter == 0 ? 1 : RTE_MIN(quarter, most);
}

static int
tx_refuse(const struct rte_eth_dev *eth, uint16_t nb_desc, uint16_t rs, uint16_t free,
	  const char *rule)
{
	PW_LOG(ERR, "%s: tx_rs_thresh %u and tx_free_thresh %u refused with %u descriptors: %s",
	       eth->data->name, rs, free, nb_desc, rule);
	return -EINVAL;
}

int
pw_eth_check_tx_thresh(const struct rte_eth_dev *eth, uint16_t nb_desc,
		       const struct rte_eth_txconf *conf, uint16_t *rs, uint16_t *free)
{
	uint16_t f = conf->tx_free_thresh;
	uint16_t r = conf->tx_rs_thresh;

	if (f == 0)
		f = default_thresh(nb_desc, DEFAULT_TX_FREE_THRESH);
	if (r == 0)
		r = rte_align32prevpow2(RTE_MIN(f, DEFAULT_TX_RS_THRESH));

	if (r + 2 >= nb_desc)
		return tx_refuse(eth, nb_desc, r, f, "tx_rs_thresh must be below the number of "
				 "descriptors minus 2");
	if (f + 3 >= nb_desc)
		return tx_refuse(eth, nb_desc, r, f, "tx_free_thresh must be below the number of "
				 "descriptors minus 3");
	if (r > f)
		return tx_refuse(eth, nb_desc, r, f, "tx_rs_thresh must not be above "
				 "tx_free_thresh");
	if (nb_desc % r != 0)
		return tx_refuse(eth, nb_desc, r, f, "tx_rs_thresh must divide the number of "
				 "descriptors");
	if (!rte_is_power_of_2(r))
		return tx_refuse(eth, nb_desc, r, f, "tx_rs_thresh must be a power of two");
	*rs = r;
	*free = f;
	return 0;
}

int
pw_eth_check_rx_thresh(const struct rte_eth_dev *eth, uint16_t nb_desc,
		       const struct rte_eth_rxconf *conf, uint16_t *free)
{
	uint16_t f = conf->rx_free_thresh;

	if (f == 0)
		f = default_thresh(nb_desc, DEFAULT_RX_FREE_THRESH);
	if (f >= nb_desc) {
		PW_LOG(ERR, "%s: rx_free_thresh %u refused: must be below the number of "
		       "descriptors, %u", eth->data->name, f, nb_desc);
		return -EINVAL;
	}
	*free = f;
	return 0;
}

static int
slots_init(struct pw_ring *ring, struct pw_bufs *bufs, uint16_t nb_desc, unsigned int socket)
{
	int rc = pw_ring_init(ring, nb_desc);

	return rc != 0 ? rc : pw_bufs_init(bufs, nb_desc, socket);
}

int
pw_rxq_init(struct pw_rxq *q, const struct rte_eth_dev *eth, uint16_t queue, uint16_t nb_desc,
	    unsigned int socket, const struct rte_eth_rxconf *conf)
{
	int rc = pw_eth_check_rx_thresh(eth, nb_desc, conf, &q->free_thresh);

	q->port_id = eth->data->port_id;
	q->queue_id = queue;
	q->deferred_start = conf->rx_deferred_start;
	q->mbuf_init = pw_mbuf_init_word(eth->data->port_id);
	q->offloads = conf->offloads | eth->data->dev_conf.rxmode.offloads;
	return rc != 0 ? rc : slots_init(&q->ring, &q->bufs, nb_desc, socket);
}

int
pw_txq_init(struct pw_txq *q, const struct rte_eth_dev *eth, uint16_t queue, uint16_t nb_desc,
	    unsigned int socket, const struct rte_eth_txconf *conf)
{
	int rc = pw_eth_check_tx_thresh(eth, nb_desc, conf, &q->rs_thresh, &q->free_thresh);

	q->port_id = eth->data->port_id;
	q->queue_id = queue;
	q->deferred_start = conf->tx_deferred_start;
	q->offloads = conf->offloads | eth->data->dev_conf.txmode.offloads;
	return rc != 0 ? rc : slots_init(&q->ring, &q->bufs, nb_desc, socket);
}

void
pw_txq_drain(struct pw_txq *q)
{
	struct pw_ring *r = &q->ring;

	for (; r->cons != r->prod; r->cons++)
		rte_pktmbuf_free(q->bufs.slot[pw_ring_slot(r, r->cons)]);
	pw_bufs_clear(&q->bufs, 0, pw_ring_size(r));
}

int
pw_tx_copy(const struct pw_txq *q, struct rte_mbuf **pkt, uint32_t need)
{
	struct rte_mempool *mp = (*pkt)->pool, *other = q->fallback;
	struct rte_mbuf *copy;

	if (other != NULL && rte_pktmbuf_data_room_size(other) > rte_pktmbuf_data_room_size(mp))
		mp = other;
	if (rte_pktmbuf_data_room_size(mp) < RTE_PKTMBUF_HEADROOM + need)
		return -EINVAL;
	copy = rte_pktmbuf_copy(*pkt, mp, 0, UINT32_MAX);
	if (copy == NULL)
		return -ENOMEM;
	rte_pktmbuf_free(*pkt);
	*pkt = copy;
	q->dma->linearized++;
	return 0;
}

void
pw_eth_rxq_info_op(struct rte_eth_dev *eth, uint16_t q, struct rte_eth_rxq_info *info)
{
	const struct pw_rxq *rxq = eth->data->rx_queues[q];

	info->mp = rxq->mp;
	info->scattered_rx = eth->data->scattered_rx;
	info->nb_desc = (uint16_t)pw_ring_size(&rxq->ring);
	info->rx_buf_size = rte_pktmbuf_data_room_size(rxq->mp) - RTE_PKTMBUF_HEADROOM;
	info->conf.rx_free_thresh = rxq->free_thresh;
	info->conf.rx_deferred_start = rxq->deferred_start;
	info->conf.offloads = rxq->offloads;
}

void
pw_eth_txq_info_op(struct rte_eth_dev *eth, uint16_t q, struct rte_eth_txq_info *info)
{
	const struct pw_txq *txq = eth->data->tx_queues[q];

	info->nb_desc = (uint16_t)pw_ring_size(&txq->ring);
	info->conf.tx_free_thresh = txq->free_thresh;
	info->conf.tx_rs_thresh = txq->rs_thresh;
	info->conf.tx_deferred_start = txq->deferred_start;
	info->conf.offloads = txq->offloads;
}

/* --- MTU and link --- */

int
pw_eth_check_mtu(const struct rte_eth_dev *eth, uint16_t mtu, uint32_t max_frame)
{
	const struct rte_eth_dev_data *data = eth->data;
	uint32_t frame = mtu + RTE_ETHER_HDR_LEN + RTE_VLAN_HLEN + RTE_ETHER_CRC_LEN;
	uint32_t room;

	if (mtu < RTE_ETHER_MIN_MTU || frame > max_frame) {
		PW_LOG(ERR, "%s: MTU %u refused: the chip takes %u to %u", data->name, mtu,
		       RTE_ETHER_MIN_MTU,
		       max_frame - RTE_ETHER_HDR_LEN - RTE_VLAN_HLEN - RTE_ETHER_CRC_LEN);
		return -EINVAL;
	}
	/* Before start the driver is free to choose scattered Rx. */
	if (!data->dev_started || data->scattered_rx)
		return 0;
	room = data->min_rx_buf_size - RTE_PKTMBUF_HEADROOM;
	if ((uint32_t)mtu + PW_ETH_OVERHEAD > room) {
		PW_LOG(ERR, "%s: MTU %u refused: a frame does not fit one Rx buffer of %u bytes; "
		       "stop the port first, or enable scattered Rx", data->name, mtu, room);
		return -EINVAL;
	}
	return 0;
}

int
pw_eth_link_set(struct rte_eth_dev *eth, const struct pw_mii_link *link)
{
	struct rte_eth_link new;

	pw_mii_to_eth_link(link, &new);
	return rte_eth_linkstatus_set(eth, &new);
}

/* --- tables --- */

int
pw_xstats_get(const void *counters, const struct pw_xstat *table, unsigned int n,
	      struct rte_eth_xstat *xstats, unsigned int size)
{
	if (xstats == NULL || size < n)
		return n;
	for (unsigned int i = 0; i < n; i++) {
		xstats[i].id = i;
		memcpy(&xstats[i].value, (const char *)counters + table[i].offset,
		       sizeof(xstats[i].value));
	}
	return n;
}

int
pw_xstats_get_names(const struct pw_xstat *table, unsigned int n,
		    struct rte_eth_xstat_name *names, unsigned int size)
{
	if (names == NULL || size < n)
		return n;
	for (unsigned int i = 0; i < n; i++)
		strlcpy(names[i].name, table[i].name, sizeof(names[i].name));
	return n;
}

int
pw_regs_get(const struct pw_io *io, const struct pw_reg *table, unsigned int n, uint32_t version,
	    struct rte_dev_reg_info *info)
{
	uint32_t *data = info->data, all = UINT32_MAX;

	if (data == NULL) {
		info->length = n;
		info->width = sizeof(*data);
		return 0;
	}
	if (info->offset != 0 || (info->length != 0 && info->length != n))
		return -EINVAL;
	for (unsigned int i = 0; i < n; i++) {
		data[i] = pw_read32(io, table[i].offset);
		all &= data[i];
	}
	info->length = n;
	info->width = sizeof(*data);
	info->version = version;
	return n != 0 && all == UINT32_MAX ? -ENODEV : 0;
}

/* --- EEPROM --- */

static uint32_t
eeprom_magic(const struct rte_eth_dev *eth)
{
	const struct rte_pci_id *id = &pw_dev_of(eth)->id;

	return (uint32_t)id->device_id << 16 | id->vendor_id;
}

/* Whole words, and at least one, that the part has. */
static bool
eeprom_has(uint16_t words, const struct rte_dev_eeprom_info *info)
{
	uint32_t size = words * 2u;

	return info->length != 0 && ((info->offset | info->length) & 1) == 0 &&
	       info->offset < size && info->length <= size - info->offset;
}

int
pw_eeprom_get(const struct rte_eth_dev *eth, pw_eeprom_read_fn read, void *ctx, uint16_t words,
	      struct rte_dev_eeprom_info *info)
{
	uint32_t first = info->offset / 2, left = info->length / 2;
	uint16_t chunk[EEPROM_CHUNK];
	uint8_t *out = info->data;
	int rc;

	if (!eeprom_has(words, info))
		return -EINVAL;
	while (left > 0) {
		uint16_t n = RTE_MIN(left, (uint32_t)EEPROM_CHUNK);

		rc = read(ctx, first, n, chunk);
		if (rc != 0)
			return rc;
		for (uint16_t i = 0; i < n; i++) {
			*out++ = chunk[i] & 0xff;
			*out++ = chunk[i] >> 8;
		}
		first += n;
		left -= n;
	}
	info->magic = eeprom_magic(eth);
	return 0;
}

static int
eeprom_write_bytes(pw_eeprom_write_fn write, void *ctx, const struct rte_dev_eeprom_info *info)
{
	const uint8_t *byte = info->data;
	uint16_t *data = malloc(info->length);
	int rc;

	if (data == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < info->length / 2; i++)
		data[i] = byte[2 * i] | byte[2 * i + 1] << 8;
	rc = write(ctx, info->offset / 2, info->length / 2, data);
	free(data);
	return rc;
}

int
pw_eeprom_set(const struct rte_eth_dev *eth, pw_eeprom_write_fn write, void *ctx, uint16_t words,
	      const struct rte_dev_eeprom_info *info)
{
	const char *name = pw_dev_of(eth)->name;
	int rc;

	if (info->magic != eeprom_magic(eth)) {
		PW_LOG(ERR, "%s: EEPROM not written: magic 0x%08x is not this card's 0x%08x; "
			    "take it from what reading gives", name, info->magic,
		       eeprom_magic(eth));
		return -EINVAL;
	}
	if (info->data == NULL || !eeprom_has(words, info)) {
		PW_LOG(ERR, "%s: EEPROM not written: %u bytes at %u: whole words of %u bytes only",
		       name, info->length, info->offset, words * 2u);
		return -EINVAL;
	}
	rc = eeprom_write_bytes(write, ctx, info);
	if (rc != 0)
		PW_LOG(ERR, "%s: writing the EEPROM failed (%s): it may be protected; read it back "
			    "before the next power cycle", name, rte_strerror(-rc));
	return rc;
}

int
pw_eeprom_mac(const struct pw_dev *dev, pw_eeprom_read_fn read, void *ctx, uint16_t word,
	      struct rte_ether_addr *mac)
{
	uint16_t data[RTE_ETHER_ADDR_LEN / 2];
	int rc = read(ctx, word, RTE_DIM(data), data);

	if (rc != 0) {
		PW_LOG(ERR, "%s: cannot read the MAC address from the EEPROM (%s); try another "
			    "card", dev->name, rte_strerror(-rc));
		return rc;
	}
	for (unsigned int i = 0; i < RTE_ETHER_ADDR_LEN; i++)
		mac->addr_bytes[i] = data[i / 2] >> 8 * (i & 1);
	return 0;
}

int
pw_eth_check_mac(const struct pw_dev *dev, const struct rte_ether_addr *mac)
{
	char text[RTE_ETHER_ADDR_FMT_SIZE];

	if (rte_is_valid_assigned_ether_addr(mac))
		return 0;
	rte_ether_format_addr(text, sizeof(text), mac);
	PW_LOG(ERR, "%s: the EEPROM's MAC address is %s, which no card may have; write the "
		    "address from the card's label with the board maker's tool", dev->name, text);
	return -EADDRNOTAVAIL;
}

/* --- descriptor status and burst mode --- */

int
pw_eth_rx_desc_status(const struct pw_ring *ring, uint16_t offset, bool done)
{
	if (offset >= pw_ring_size(ring))
		return -EINVAL;
	if (offset >= pw_ring_used(ring))
		return RTE_ETH_RX_DESC_UNAVAIL;
	return done ? RTE_ETH_RX_DESC_DONE : RTE_ETH_RX_DESC_AVAIL;
}

int
pw_eth_tx_desc_status(const struct pw_ring *ring, uint16_t offset, bool done)
{
	if (offset >= pw_ring_size(ring))
		return -EINVAL;
	if (offset < pw_ring_free(ring) || done)
		return RTE_ETH_TX_DESC_DONE;
	return RTE_ETH_TX_DESC_FULL;
}

int
pw_burst_mode_get(const void *burst, const struct pw_burst_mode *table, unsigned int n,
		  struct rte_eth_burst_mode *mode)
{
	for (unsigned int i = 0; i < n; i++) {
		if (table[i].burst != burst)
			continue;
		mode->flags = 0;
		strlcpy(mode->info, table[i].info, sizeof(mode->info));
		return 0;
	}
	return -EINVAL;
}
