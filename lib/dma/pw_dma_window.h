/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_DMA_WINDOW_H_
#define _PW_DMA_WINDOW_H_

/**
 * @file
 * The low-IOVA window: all memory within reach of chips whose descriptors hold 32-bit addresses.
 *
 * Behind an IOMMU every piece of memory (EAL's heap, memory that is added later, external buffers)
 * is mapped a second time, below 4 GiB, at
 *
 *     device address = (IOVA + offset) modulo 4 GiB
 *
 * with one offset for all. A descriptor of 32 bits truncates by itself, so translation is the one
 * addition that pw_dma_mbuf_addr() and pw_dma_rx_addr() do, wherever the memory lies. The offset
 * is chosen when the window opens: the list that holds most of EAL's memory is put at the bottom,
 * with the way ahead of it free up to the first reserved address. It is a multiple of the largest
 * page in use, so that large pages stay large in the IOMMU.
 *
 * Two pieces may want one device address, or a piece may want a reserved one (0xfee00000, where a
 * write is an interrupt message). Such a piece, or the part of it that is in the way, is left
 * unmapped and called refused: pw_dma_pool_check() then says -ERANGE for a pool in it,
 * pw_dma_zone_alloc() looks elsewhere, and pw_dma_load() copies (`bounced`). It is mapped when
 * what was in its way goes.
 *
 * Truncation must never turn an address nobody mapped into one that belongs to something else, and
 * the chip shall not be pointed at what is not mapped either. So the packet path trusts (without a
 * look-up) only device addresses within [lo, lo + span] *before* truncation. That stretch belongs
 * to the address space that EAL holds for the list with most of its memory, where nobody else's
 * memory can be, and the window keeps it free of everything that is not mapped there by the
 * straight sum: it holds no refused piece, no reserved address and no piece from elsewhere. That is
 * the heap, in practice all of it, and costs the comparison that 64-bit chips pay as well. What
 * lies outside is looked up in the list of mapped pieces: external buffers are found there and sent
 * as they lie; what is not found is copied. Rings and pools are always looked up.
 *
 * Where IOVAs are physical addresses (--iova-mode=pa), EAL may at any time map low memory at its
 * own address, which would collide without a word. There nothing is mapped a second time: memory
 * below 4 GiB is used as it lies, the rest is refused. The same holds for addresses below 4 GiB
 * that EAL has set aside for itself (--base-virtaddr).
 *
 * External memory: rte_malloc_heap_memory_add() is heard of by itself; rte_extmem_register() needs
 * rte_dev_dma_map() on the 32-bit device besides, as on any device behind an IOMMU.
 *
 * A secondary process must not call anything here. It sends and receives as it is (`offset`, `lo`
 * and `span` are in shared memory); what needs a look-up is copied there.
 */

#include <stdbool.h>
#include <stdint.h>

#include "pw_dma.h"

/** Addresses from `first` to `last`, both included. */
struct pw_dma_range {
	uint64_t first;
	uint64_t last;
};

struct pw_dma_iommu;

/** What an IOMMU does; handed in by the bus. Called in any control thread. */
struct pw_dma_iommu_ops {
	/**
	 * Let devices read and write `len` bytes at `va` by device address `addr`. 0 or -errno;
	 * -EEXIST if some of these addresses are mapped already, which must not be passed over.
	 */
	int (*map)(const struct pw_dma_iommu *iommu, void *va, uint64_t addr, uint64_t len);
	/** Undo one map, with the same values. 0 or -errno. */
	int (*unmap)(const struct pw_dma_iommu *iommu, uint64_t addr, uint64_t len);
};

/** An IOMMU domain and its window. The bus owns it and fills in all but `window`. */
struct pw_dma_iommu {
	const struct pw_dma_iommu_ops *ops;
	void *ctx;				/**< the bus's own */
	const struct pw_dma_range *reserved;	/**< never mapped; below 4 GiB, ascending */
	unsigned int nb_reserved;
	struct pw_dma_window *window;		/**< NULL: none is open; the library's own */
};

/**
 * Give a device that reaches only 32 bits a window, which all devices of the IOMMU domain share.
 * Call in attach, after pw_dma_init() and before anything is allocated by it; close in detach.
 *
 * @param dma
 *   The device's DMA state; must stay where it is until closed. `offset`, `lo` and `span` are set
 *   and, when memory comes or goes, kept up to date.
 * @param iommu
 *   The domain (`pw_dev.iommu`); NULL where there is none: then nothing is done, device addresses
 *   are IOVAs and memory beyond reach is refused by pw_dma_zone_alloc() and pw_dma_pool_check().
 * @return
 *   0, also for a chip that reaches 64 bits, which needs no window; -EBUSY if it has one already;
 *   -ENOTSUP for one of 33 to 63 or of less than 32 bits; -ENOMEM; another -errno from EAL. A
 *   piece of memory that cannot be mapped is no error here: it is refused where it is used.
 *   Control threads of the primary process only.
 */
int pw_dma_window_open(struct pw_dma *dma, struct pw_dma_iommu *iommu);

/**
 * Give the window back; the last device unmaps all. The device must have been stopped from using
 * memory (reset) and its zones freed. Safe on a dma without a window and when repeated.
 */
void pw_dma_window_close(struct pw_dma *dma);

/**
 * External memory that rte_dev_dma_map() made known: `len` bytes at `va`, known by `iova`. The bus
 * calls this after it has mapped them at `iova` itself. Added twice it is there once.
 *
 * @return
 *   0, also without a window; -ERANGE if part of it was refused: it works, by copying;
 *   -EEXIST if it overlaps memory that is known otherwise; -EINVAL; -ENOMEM.
 */
int pw_dma_window_add(struct pw_dma_iommu *iommu, void *va, uint64_t iova, uint64_t len);

/**
 * Whether some of `len` bytes at `iova` are device addresses that the window uses, so that the bus
 * must not map them to anything else.
 */
bool pw_dma_window_clashes(const struct pw_dma_iommu *iommu, uint64_t iova, uint64_t len);

/**
 * External memory that rte_dev_dma_unmap() takes away; the bus calls this first.
 *
 * @return
 *   0, also without a window and for memory that is not known; -EINVAL, with nothing changed, if
 *   the range cuts a piece that was mapped whole.
 */
int pw_dma_window_remove(struct pw_dma_iommu *iommu, uint64_t iova, uint64_t len);

/**
 * Whether `len` bytes known by `iova` are mapped in the window, at one stretch of device
 * addresses. A look-up: thread-safe, cheap enough for a packet now and then.
 */
bool pw_dma_window_covers(struct pw_dma_window *win, uint64_t iova, uint64_t len);

/** @return why the IOMMU would not map something, the last time it would not; 0: it always did. */
int pw_dma_window_map_error(const struct pw_dma_window *win);

/** What a window holds, for tests and for reports. */
struct pw_dma_window_info {
	uint64_t offset;
	uint64_t lo, span;	/**< trusted stretch of device addresses */
	unsigned int users;	/**< devices */
	unsigned int pieces;	/**< mapped ones */
	unsigned int refused;	/**< pieces, or parts of them, that are not mapped */
	uint64_t bytes;		/**< mapped */
};

/** @return whether a window is open, and then what it holds. Thread-safe. */
bool pw_dma_window_info(const struct pw_dma_iommu *iommu, struct pw_dma_window_info *info);

#endif /* _PW_DMA_WINDOW_H_ */
