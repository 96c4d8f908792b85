/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_DMA_PIECES_H_
#define _PW_DMA_PIECES_H_

/**
 * @file
 * What memory a window holds, at which device addresses: pw_dma_window.c's inside. Knows nothing
 * of where memory comes from. One thread at a time, but for pw_dma_pieces_cover().
 */

#include <stdbool.h>
#include <stdint.h>

#include <rte_rwlock.h>

#include "pw_dma_window.h"

/** Device addresses end here. */
#define PW_DMA_TOP UINT64_C(0x100000000)

/**
 * Memory is put from here on. Programs that are not position-independent have their static data
 * below, and may want to map that at its own address.
 */
#define PW_DMA_FLOOR UINT64_C(0x10000000)

enum pw_dma_fate {
	PW_DMA_REFUSED,
	PW_DMA_MAPPED,	/**< by us */
	PW_DMA_AT_HOME,	/**< its IOVA is its device address: mapped there before */
};

/** Memory of one fate; its device addresses do not wrap. */
struct pw_dma_piece {
	uint64_t iova;
	uint64_t len;
	uint64_t page;	/**< goes page by page: one mapping each; 0: goes whole */
	uint8_t *va;
	enum pw_dma_fate fate;
};

struct pw_dma_pieces {
	const struct pw_dma_iommu *iommu;
	uint64_t offset;
	uint64_t first, last;		/**< IOVAs that are EAL's alone, both included */
	uint64_t lo, span;		/**< set by pw_dma_pieces_trust() */
	struct pw_dma_range *kept;	/**< EAL's own low addresses: for memory at home only */
	unsigned int nb_kept;
	bool lost;			/**< there is memory that is not in the list */
	int map_rc;			/**< why the IOMMU would not map; 0: it always did */
	rte_rwlock_t readers;
	struct pw_dma_piece *piece;	/**< ascending by IOVA; none overlap */
	unsigned int nb_pieces, max_pieces;
};

/** Keep a range of device addresses for memory whose IOVA they are. 0 or -ENOMEM. */
int pw_dma_pieces_keep(struct pw_dma_pieces *ps, uint64_t first, uint64_t last);

/**
 * @return the offset, a multiple of `page`, that puts memory at `low` to `end` (excluded) at the
 * bottom of the widest stretch that is neither reserved nor kept; its top part, where that is too
 * short.
 */
uint64_t pw_dma_pieces_place(const struct pw_dma_pieces *ps, uint64_t low, uint64_t end,
			     uint64_t page);

/**
 * Take in memory that is not in the list yet; `fate` is not looked at.
 *
 * @return 0; -ERANGE if some of it was refused; -ENOMEM: from then on nothing is trusted.
 */
int pw_dma_pieces_add(struct pw_dma_pieces *ps, const struct pw_dma_piece *mem);

/**
 * Let go of what is known of a range, and map what was refused because of it.
 *
 * @return 0; -EINVAL, with nothing changed, if that would cut a mapping; what the IOMMU said.
 */
int pw_dma_pieces_take(struct pw_dma_pieces *ps, uint64_t iova, uint64_t len);

/**
 * Find, among the device addresses of `first` to `last`, the stretch with the most memory between
 * two obstacles: sets `lo` and `span`.
 */
void pw_dma_pieces_trust(struct pw_dma_pieces *ps);

/** @return how many bytes from `iova` to `last` (included) are in the list. */
uint64_t pw_dma_pieces_known(const struct pw_dma_pieces *ps, uint64_t iova, uint64_t last);

/** @return whether we have mapped something at one of `len` device addresses from `addr` on. */
bool pw_dma_pieces_clash(const struct pw_dma_pieces *ps, uint64_t addr, uint64_t len);

/** pw_dma_window_covers(). Thread-safe. */
bool pw_dma_pieces_cover(struct pw_dma_pieces *ps, uint64_t iova, uint64_t len);

/** Unmap all, and free what the list takes. */
void pw_dma_pieces_free(struct pw_dma_pieces *ps);

#endif /* _PW_DMA_PIECES_H_ */
