/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_DMA_H_
#define _PW_DMA_H_

/**
 * @file
 * DMA constraints, ring memory and segment loading: the userspace counterpart of bus_dma.
 *
 * A chip states what it can reach and take (`struct pw_dma_limits`); the library gives ring
 * memory that meets it, checks mempools against it and turns an mbuf chain into segments that
 * the chip takes. The device address of a byte is its IOVA plus `offset`: 0 for chips that
 * reach all memory, the distance to the low-IOVA window for chips that reach only 32 bits
 * (pw_dma_window.h). What these put into a descriptor is the sum's low half: (uint32_t)addr.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include <rte_mbuf.h>
#include <rte_memzone.h>

/** What a chip variant can reach and take. */
struct pw_dma_limits {
	uint8_t addr_bits;	/**< address width, 1..64 */
	uint32_t align;		/**< a segment's start is a multiple of this; 0 or 1: any */
	uint32_t boundary;	/**< no segment crosses a multiple of this power of two; 0: any */
	uint16_t max_segs;	/**< segments a packet may have; 0: any number */
	uint32_t max_seg_len;	/**< bytes a segment may have; 0: any number */
};

struct pw_dma_iommu;
struct pw_dma_window;

/** DMA state of one device. May lie in memory shared with secondary processes. */
struct pw_dma {
	struct pw_dma_limits limits;
	uint64_t offset;	/**< device address = IOVA + offset (modulo 2^64) */
	uint64_t lo;		/**< device addresses from here to lo + span, before truncation, */
	uint64_t span;		/**< are in reach and need no look-up; change while a port runs */
	int socket;		/**< NUMA socket for what is allocated here */
	uint64_t linearized;	/**< chains copied because the chip could not take them */
	uint64_t bounced;	/**< packets copied because the chip could not reach them */
	uint64_t load_failed;	/**< packets that could not be loaded at all */
	/* --- the primary process's own --- */
	struct pw_dma_window *window;	/**< NULL: none */
	struct pw_dma_iommu *iommu;	/**< the window's */
	LIST_ENTRY(pw_dma) next;	/**< of the window's users */
};

/** One piece of a packet as a chip takes it. */
struct pw_dma_seg {
	uint64_t addr;	/**< device address, within the chip's address width */
	uint32_t len;	/**< bytes */
};

/** Ring memory. */
struct pw_dma_zone {
	const struct rte_memzone *mz;
	void *va;	/**< NULL: not allocated */
	uint64_t addr;	/**< device address of va, within the chip's address width */
	size_t len;	/**< bytes */
};

/**
 * Set up a device's DMA state.
 *
 * @param dma
 *   Filled in; counters zeroed.
 * @param limits
 *   What the chip can reach and take; copied.
 * @param socket
 *   NUMA socket id, or SOCKET_ID_ANY.
 * @return
 *   0, or -EINVAL for limits that make no sense (0 or over 64 address bits, an alignment or
 *   boundary that is not a power of two, a segment length or an alignment above the boundary, a
 *   segment length below the alignment).
 */
int pw_dma_init(struct pw_dma *dma, const struct pw_dma_limits *limits, int socket);

/**
 * Allocate zeroed, physically contiguous ring memory that the chip reaches and that crosses no
 * boundary of the limits (a ring longer than the boundary is refused).
 *
 * @param dma
 *   The device's DMA state.
 * @param name
 *   Unique name of at most RTE_MEMZONE_NAMESIZE - 1 characters.
 * @param len
 *   Bytes, above 0.
 * @param align
 *   Power of two; the start is a multiple of it and of the limits' alignment.
 * @param z
 *   Filled in.
 * @return
 *   0; -EINVAL; -ENOMEM; -EEXIST if the name is taken; -ERANGE if memory was found only where
 *   the chip does not reach or cannot take it (alignment, boundary). Control threads only.
 */
int pw_dma_zone_alloc(struct pw_dma *dma, const char *name, size_t len, size_t align,
		      struct pw_dma_zone *z);

/** Free ring memory. Safe on a zeroed struct and when repeated. */
void pw_dma_zone_free(struct pw_dma_zone *z);

/**
 * Check that the chip can reach every buffer of a pool of mbufs, and that none crosses the
 * boundary.
 * Called once at queue set-up so that the packet path need not look.
 *
 * @return
 *   0; -ERANGE if some buffer lies out of reach; -EXDEV if some buffer crosses the boundary.
 */
int pw_dma_pool_check(const struct pw_dma *dma, struct rte_mempool *mp);

/**
 * What a user is to know about a refusal: for the one line that a driver logs.
 *
 *     PW_LOG(ERR, "%s: mempool %s: %s", dev->name, mp->name, pw_dma_explain(&ad->dma, rc));
 *
 * @param rc
 *   What pw_dma_zone_alloc() or pw_dma_pool_check() returned.
 * @return
 *   A text that says what is wrong and what to do, without a full stop; constant, never NULL.
 */
const char *pw_dma_explain(const struct pw_dma *dma, int rc);

/**
 * @return the device address of an mbuf's first data byte. A 32-bit chip takes its low half, and
 * only from pw_dma_load() on, which has seen that it is the packet's.
 */
static inline uint64_t
pw_dma_mbuf_addr(const struct pw_dma *dma, const struct rte_mbuf *m)
{
	return rte_mbuf_data_iova(m) + dma->offset;
}

/**
 * @return the device address where an Rx buffer's data begins (after the default headroom). The
 * pool must have passed pw_dma_pool_check(); a 32-bit chip then takes the low half.
 */
static inline uint64_t
pw_dma_rx_addr(const struct pw_dma *dma, const struct rte_mbuf *m)
{
	return rte_mbuf_data_iova_default(m) + dma->offset;
}

/**
 * Whether the chip may be given `len` bytes at device address `addr` (before truncation) as they
 * are, without pw_dma_load(). What is so may change while a port runs, so ask for each packet.
 */
static inline bool
pw_dma_trusts(const struct pw_dma *dma, uint64_t addr, uint64_t len)
{
	uint64_t at = addr - dma->lo;

	return at <= dma->span && len - 1 <= dma->span - at;
}

/**
 * Turn a packet into segments that the chip takes.
 *
 * Empty segments of the chain are passed over; long ones and ones that cross the boundary are
 * split. A chain that still does not fit (too many segments, misaligned, out of reach) is
 * copied into one new mbuf of the same pool (or of `fallback` where the pool's buffers are too
 * small) that takes the place of `*m`; offload fields are kept, the old chain is freed, the
 * copy is counted. Thread-safe for different dma structs only; packet path.
 *
 * @param dma
 *   The device's DMA state.
 * @param m
 *   The packet; replaced when it had to be copied.
 * @param fallback
 *   Pool with buffers for a whole packet, or NULL.
 * @param segs
 *   Filled in.
 * @param max
 *   Room in `segs`; the limits' max_segs applies too.
 * @return
 *   Number of segments, at least 1; -EINVAL for a packet without data, or one to be copied
 *   whose lengths disagree; -ENOMEM if no buffer for the copy was to be had; -EMSGSIZE if no
 *   buffer is large enough, or even the copy needs too many segments; -ERANGE if the chip does
 *   not reach the copy either. `*m` is untouched on error, and the packet stays the caller's.
 */
int pw_dma_load(struct pw_dma *dma, struct rte_mbuf **m, struct rte_mempool *fallback,
		struct pw_dma_seg *segs, uint16_t max);

#endif /* _PW_DMA_H_ */
