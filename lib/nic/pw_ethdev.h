/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_ETHDEV_H_
#define _PW_ETHDEV_H_

/**
 * @file
 * What ethdev wants and all chips do alike. A driver puts `..._op` functions straight into its
 * eth_dev_ops table and calls the others from its own ops. The library calls nothing of a
 * driver's but the verbs that it is handed. Control path unless a comment says otherwise; as
 * thread-safe as ethdev's own rule (one control thread a port).
 */

#include <ethdev_driver.h>

#include <pw_bufs.h>
#include <pw_dma.h>
#include <pw_ring.h>

#include "pw_attach.h"
#include "pw_compat.h"
#include "pw_io.h"
#include "pw_mii.h"

/** Common head of every driver's Rx queue. The first cache line is the packet path's. */
struct pw_rxq {
	struct pw_ring ring;
	uint16_t port_id;
	uint16_t queue_id;
	struct pw_bufs bufs;
	struct rte_mempool *mp;
	uint64_t mbuf_init;	/**< rearm_data of a fresh one-segment mbuf of this port */
	void *desc;		/**< descriptor memory */
	struct pw_dma *dma;
	/* --- second line: set-up and reporting --- */
	struct pw_dma_zone zone;
	uint64_t offloads;	/**< RTE_ETH_RX_OFFLOAD_* in force on this queue */
	uint64_t nombuf;	/**< refills put off for want of mbufs */
	uint16_t free_thresh;
	uint8_t deferred_start;	/**< rx_deferred_start as asked for; only reported */
	uint8_t pad[5];
} __rte_cache_aligned;

/** Common head of every driver's Tx queue. */
struct pw_txq {
	struct pw_ring ring;
	uint16_t port_id;
	uint16_t queue_id;
	struct pw_bufs bufs;
	void *desc;
	struct pw_dma *dma;
	uint16_t free_thresh;	/**< reclaim when fewer descriptors than this are free */
	uint16_t rs_thresh;	/**< ask for a report every so many descriptors */
	uint32_t pad0;
	struct rte_mempool *fallback; /**< where a chain is copied that the chip cannot take */
	/* --- second line --- */
	struct pw_dma_zone zone;
	uint64_t offloads;	/**< RTE_ETH_TX_OFFLOAD_* in force on this queue */
	uint8_t deferred_start;	/**< tx_deferred_start as asked for; only reported */
	uint8_t pad[23];
} __rte_cache_aligned;

/**
 * Build the 8-byte rearm word (data_off, refcnt, nb_segs, port) of a fresh mbuf of a port.
 */
uint64_t pw_mbuf_init_word(uint16_t port_id);

/**
 * Whether a port may start as it is: at least one queue each way, and all that were configured
 * set up. Older ethdev leaves it to the driver to look.
 *
 * @return 0, or -EINVAL after one log line.
 */
int pw_eth_check_queues(const struct rte_eth_dev *eth);

/**
 * Refuse the multi-queue modes of chips with neither DCB nor VMDq. RSS mode passes: without
 * hash types, which ethdev checks, it means one queue.
 *
 * @return 0, or -EINVAL after one log line.
 */
int pw_eth_check_mq_mode(const struct rte_eth_dev *eth);

/**
 * Check a ring request against a driver's limits, and round it up to a power of two, because
 * the shared ring is a mask.
 *
 * @param nb_desc
 *   What was asked for; on success what the ring gets.
 * @param lim
 *   The driver's rx_desc_lim or tx_desc_lim; nb_max should be a power of two.
 * @return 0, or -EINVAL after one log line that names the port, the value and what would do.
 */
int pw_eth_check_desc(const struct rte_eth_dev *eth, const char *what, uint16_t *nb_desc,
		      const struct rte_eth_desc_lim *lim);

/**
 * Resolve and check tx_free_thresh and tx_rs_thresh as DPDK's Intel drivers do: 0 means the
 * default (a quarter of the ring, at most 32; for rs no more than free, a power of two);
 * rs < nb_desc - 2; rs <= free; free < nb_desc - 3; nb_desc % rs == 0; a power of two for rs
 * besides, since the ring is a mask.
 *
 * @return 0, or -EINVAL after one log line with the rule that was broken.
 */
int pw_eth_check_tx_thresh(const struct rte_eth_dev *eth, uint16_t nb_desc,
			   const struct rte_eth_txconf *conf, uint16_t *rs, uint16_t *free);

/** The same for rx_free_thresh: 0 means a quarter of the ring, at most 32; below nb_desc. */
int pw_eth_check_rx_thresh(const struct rte_eth_dev *eth, uint16_t nb_desc,
			   const struct rte_eth_rxconf *conf, uint16_t *free);

/**
 * Set up the common head of an Rx queue but for `mp`, `desc`, `dma` and `zone`.
 *
 * @param q
 *   The head, zeroed.
 * @param eth
 *   The port.
 * @param queue
 *   Index of the queue.
 * @param nb_desc
 *   Descriptors, as pw_eth_check_desc() has made them.
 * @param socket
 *   NUMA socket id, or SOCKET_ID_ANY.
 * @param conf
 *   What was asked for; the thresholds are checked.
 * @return 0, then pw_bufs_fini() undoes it; else with nothing held: -EINVAL after one log line,
 *   -ENOMEM.
 */
int pw_rxq_init(struct pw_rxq *q, const struct rte_eth_dev *eth, uint16_t queue,
		uint16_t nb_desc, unsigned int socket, const struct rte_eth_rxconf *conf);

/** The same for a Tx queue, but for `desc`, `dma`, `fallback` and `zone`. */
int pw_txq_init(struct pw_txq *q, const struct rte_eth_dev *eth, uint16_t queue,
		uint16_t nb_desc, unsigned int socket, const struct rte_eth_txconf *conf);

/**
 * Free every packet that is still in a Tx ring, sent or not, because nobody will report it any
 * more; for rings whose slots hold whole packets. The ring is empty afterwards. The device must
 * have been stopped, and nobody may send.
 */
void pw_txq_drain(struct pw_txq *q);

/**
 * Copy a packet that the chip cannot take as it is into as few buffers as it takes, from its own
 * pool or from the queue's `fallback`, whichever has the larger ones; counted as linearized.
 * Packet path: for the lcore that owns the queue.
 *
 * @param q
 *   The queue.
 * @param pkt
 *   The packet; on success freed and replaced by the copy.
 * @param need
 *   Bytes from the beginning that must come to lie in one buffer.
 * @return 0; -ENOMEM to try again later; -EINVAL if no pool's buffers hold `need` bytes.
 */
int pw_tx_copy(const struct pw_txq *q, struct rte_mbuf **pkt, uint32_t need);

/** rxq_info_get and txq_info_get; every queue structure begins with its common head. */
void pw_eth_rxq_info_op(struct rte_eth_dev *eth, uint16_t q, struct rte_eth_rxq_info *info);
void pw_eth_txq_info_op(struct rte_eth_dev *eth, uint16_t q, struct rte_eth_txq_info *info);

/**
 * Largest MTU and what to do with a new one.
 *
 * @param mtu
 *   Bytes of layer 3.
 * @param max_frame
 *   Longest frame the chip takes, with header, one VLAN tag and CRC, bytes: 1522 for MTU 1500.
 * @return 0; -EINVAL if it does not fit the chip, or does not fit one Rx buffer with
 *   PW_ETH_OVERHEAD while the port runs without scattered Rx (one log line says so).
 */
int pw_eth_check_mtu(const struct rte_eth_dev *eth, uint16_t mtu, uint32_t max_frame);

/** Bytes that an Rx buffer must have beyond the MTU: header, two VLAN tags, CRC. */
#define PW_ETH_OVERHEAD (RTE_ETHER_HDR_LEN + RTE_ETHER_CRC_LEN + 2 * RTE_VLAN_HLEN)

/**
 * Store the link in ethdev's terms and say whether it changed.
 *
 * @return 0 if changed, -1 if not (as rte_eth_linkstatus_set()).
 */
int pw_eth_link_set(struct rte_eth_dev *eth, const struct pw_mii_link *link);

/** One extended statistic: its xstat name and where it lies in the driver's counter struct. */
struct pw_xstat {
	const char *name;
	uint32_t offset;	/**< of a uint64_t */
};

/**
 * xstats_get and xstats_get_names from a table.
 *
 * @return n, the number of entries; nothing is stored if `size` is less.
 */
int pw_xstats_get(const void *counters, const struct pw_xstat *table, unsigned int n,
		  struct rte_eth_xstat *xstats, unsigned int size);
int pw_xstats_get_names(const struct pw_xstat *table, unsigned int n,
			struct rte_eth_xstat_name *names, unsigned int size);

/** One register of a dump. */
struct pw_reg {
	uint32_t offset;
	const char *name;
};

/**
 * get_reg from a table of registers that may be read without side effect. With info->data NULL
 * tells length and width only. A length of 0 stands for all.
 *
 * @return 0; -EINVAL for a partial range; -ENODEV if every register reads all ones: the device
 *   is gone.
 */
int pw_regs_get(const struct pw_io *io, const struct pw_reg *table, unsigned int n,
		uint32_t version, struct rte_dev_reg_info *info);

/**
 * A driver's verb that reads an EEPROM.
 *
 * @param ctx
 *   The driver's own.
 * @param word
 *   First word address, of 16 bits.
 * @param n
 *   Number of words.
 * @param data
 *   Filled in, CPU byte order.
 * @return 0 or -errno.
 */
typedef int (*pw_eeprom_read_fn)(void *ctx, uint16_t word, uint16_t n, uint16_t *data);

/** The verb that writes one: words, and whatever checksum has to fit. Parameters as above. */
typedef int (*pw_eeprom_write_fn)(void *ctx, uint16_t word, uint16_t n, const uint16_t *data);

/**
 * get_eeprom by words; bytes in the order of the part, low byte first. The magic number is the
 * card's device id and vendor id.
 *
 * @param eth
 *   The port; its struct pw_dev says which card it is.
 * @param read
 *   How to read.
 * @param ctx
 *   Handed to `read`.
 * @param words
 *   Size of the part, words.
 * @param info
 *   What is wanted; offset and length in bytes.
 * @return 0; -EINVAL for an empty, odd or out-of-range request; what `read` returns.
 */
int pw_eeprom_get(const struct rte_eth_dev *eth, pw_eeprom_read_fn read, void *ctx,
		  uint16_t words, struct rte_dev_eeprom_info *info);

/**
 * set_eeprom by words. The magic number guards against another card's contents: it must be what
 * reading gives.
 *
 * @param write
 *   How to write; called once.
 * @return 0; -EINVAL for another magic number and as pw_eeprom_get(); -ENOMEM; what `write`
 *   returns. One log line but for want of memory. Other parameters as pw_eeprom_get()'s.
 */
int pw_eeprom_set(const struct rte_eth_dev *eth, pw_eeprom_write_fn write, void *ctx,
		  uint16_t words, const struct rte_dev_eeprom_info *info);

/**
 * Read a station address of three words, low byte first.
 *
 * @param dev
 *   The device, for messages.
 * @param read
 *   How to read.
 * @param ctx
 *   Handed to `read`.
 * @param word
 *   Address of the first of the words.
 * @param mac
 *   Filled in; not checked.
 * @return 0, or what `read` returns after one log line.
 */
int pw_eeprom_mac(const struct pw_dev *dev, pw_eeprom_read_fn read, void *ctx, uint16_t word,
		  struct rte_ether_addr *mac);

/**
 * Whether a card may have an address: neither zero nor a group's.
 *
 * @param dev
 *   The device, for the message.
 * @param mac
 *   What its EEPROM holds.
 * @return 0, or -EADDRNOTAVAIL after one log line.
 */
int pw_eth_check_mac(const struct pw_dev *dev, const struct rte_ether_addr *mac);

/** @return the counter value of the descriptor that an Rx status request means. */
static inline uint32_t
pw_eth_rx_desc_at(const struct pw_ring *ring, uint16_t offset)
{
	return ring->cons + offset;
}

/** @return the same for Tx, where offset 0 is the next descriptor to be filled. */
static inline uint32_t
pw_eth_tx_desc_at(const struct pw_ring *ring, uint16_t offset)
{
	return ring->prod + offset;
}

/**
 * Descriptor status on a ring whose device marks done descriptors.
 *
 * @param ring
 *   The ring.
 * @param offset
 *   As ethdev hands it in.
 * @param done
 *   Whether the device has finished with the descriptor in the slot of pw_eth_rx_desc_at() or
 *   pw_eth_tx_desc_at(); of no account where the ring holds none there.
 * @return RTE_ETH_RX_DESC_* / RTE_ETH_TX_DESC_*, or -EINVAL past the ring. Packet path safe.
 */
int pw_eth_rx_desc_status(const struct pw_ring *ring, uint16_t offset, bool done);
int pw_eth_tx_desc_status(const struct pw_ring *ring, uint16_t offset, bool done);

/** One burst function and what burst_mode_get says of it. */
struct pw_burst_mode {
	const void *burst;
	const char *info;
};

/** Fill `mode` for the function in use. @return 0 or -EINVAL if the table lacks it. */
int pw_burst_mode_get(const void *burst, const struct pw_burst_mode *table, unsigned int n,
		      struct rte_eth_burst_mode *mode);

#endif /* _PW_ETHDEV_H_ */
