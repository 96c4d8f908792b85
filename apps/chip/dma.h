/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _CHIP_DMA_H_
#define _CHIP_DMA_H_

/**
 * @file
 * The client's memory: which bus addresses it lets the model reach, and where they are in our
 * address space. A file is mapped once, however many pieces of it the client maps (behind an
 * IOMMU that is one a page). The client keeps its file descriptors and may shorten a file at
 * any time: a SIGBUS then finds zeros in its place, and the client is dropped.
 *
 * Memory without a file cannot be reached: the mapping is accepted, as ROMs come that way, but
 * the model's DMA to it is a violation.
 *
 * One of these a process, used by one thread.
 */

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "pw_model.h"

#include "proto.h"

struct chip_dma_file {
	struct chip_dma_file *next;
	dev_t dev;
	ino_t ino;
	uint8_t *va;
	uint64_t size;		/**< bytes mapped */
	unsigned int users;	/**< regions that lie in it */
	bool writable;
	volatile sig_atomic_t broken;	/**< a part of it was gone when it was used */
};

struct chip_dma_region {
	uint64_t iova;
	uint64_t size;
	struct chip_dma_file *file;	/**< NULL: came without one */
};

struct chip_dma {
	struct pw_model *model;
	struct chip_dma_region *region;	/**< sorted, none overlaps another */
	unsigned int nb_regions;
	unsigned int room;
	unsigned int nb_fileless;
	struct chip_dma_file *files;
	bool proven;		/**< the guest's writes have been seen in a file, or it was said */
	bool told;		/**< that memory came without a file */
};

/** Start with no memory; takes over SIGBUS. @return 0 or -errno. */
int chip_dma_init(struct chip_dma *d, struct pw_model *model);

/** Unmap all. */
void chip_dma_clear(struct chip_dma *d);

/**
 * One DMA_MAP. @param fd the file, or -1; stays the caller's.
 * @return 0; -EEXIST over an existing region; -EINVAL; -ENOSPC; other of mmap().
 */
int chip_dma_map(struct chip_dma *d, const struct vfu_dma_map *req, int fd);

/** One DMA_UNMAP: all regions inside the range. @return 0, or -EINVAL if it cuts one. */
int chip_dma_unmap(struct chip_dma *d, const struct vfu_dma_unmap *req);

/** @return whether a file of the client's turned out shorter than it was. */
bool chip_dma_broken(const struct chip_dma *d);

/**
 * Once the guest lets the device master the bus it must have written to its memory; if the
 * files hold nothing but zeros then QEMU has a private copy ("share=on" is missing). Says so.
 */
void chip_dma_check_shared(struct chip_dma *d);

#endif /* _CHIP_DMA_H_ */
