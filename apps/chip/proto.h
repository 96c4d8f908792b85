/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _CHIP_PROTO_H_
#define _CHIP_PROTO_H_

/**
 * @file
 * vfio-user messages, as "vfio-user Protocol Specification" (QEMU, docs/interop/vfio-user.rst)
 * lays them out. All fields are in the host's byte order ("Protocol Specification"). What the
 * specification takes from <linux/vfio.h> comes from there.
 */

#include <assert.h>
#include <stdint.h>

/* The newest version we know; major 0 is what every client speaks today. */
#define VFU_MAJOR 0u
#define VFU_MINOR 1u

/* No message that this server understands is near this long. */
#define VFU_MAX_MSG 65536u
#define VFU_MAX_FDS 16u
#define VFU_MAX_XFER 4096u
#define VFU_MAX_MAPS 65535u
#define VFU_PAGE 4096u

enum vfu_command {
	VFU_VERSION = 1,
	VFU_DMA_MAP = 2,
	VFU_DMA_UNMAP = 3,
	VFU_GET_INFO = 4,
	VFU_GET_REGION_INFO = 5,
	VFU_GET_REGION_IO_FDS = 6,
	VFU_GET_IRQ_INFO = 7,
	VFU_SET_IRQS = 8,
	VFU_REGION_READ = 9,
	VFU_REGION_WRITE = 10,
	VFU_DMA_READ = 11,
	VFU_DMA_WRITE = 12,
	VFU_RESET = 13,
	VFU_REGION_WRITE_MULTI = 15,
	VFU_DEVICE_FEATURE = 16,
};

#define VFU_TYPE_MASK 0xfu
#define VFU_TYPE_COMMAND 0u
#define VFU_TYPE_REPLY 1u
#define VFU_NO_REPLY (1u << 4)
#define VFU_ERROR (1u << 5)

struct vfu_header {
	uint16_t id;
	uint16_t command;
	uint32_t size;	/**< of the message, this header included */
	uint32_t flags;
	uint32_t error;
};
static_assert(sizeof(struct vfu_header) == 16, "header");

struct vfu_version {
	uint16_t major;
	uint16_t minor;
	/* JSON with its NUL follows, or nothing. */
};

#define VFU_MAP_READ (1u << 0)
#define VFU_MAP_WRITE (1u << 1)

struct vfu_dma_map {
	uint32_t argsz;
	uint32_t flags;
	uint64_t offset;
	uint64_t address;
	uint64_t size;
};
static_assert(sizeof(struct vfu_dma_map) == 32, "DMA map");

/* As VFIO_DMA_UNMAP_FLAG_ALL; QEMU sets it instead of naming the whole address space. */
#define VFU_UNMAP_ALL (1u << 1)

struct vfu_dma_unmap {
	uint32_t argsz;
	uint32_t flags;
	uint64_t address;
	uint64_t size;
};
static_assert(sizeof(struct vfu_dma_unmap) == 24, "DMA unmap");

/* The kernel's struct vfio_device_info has grown since; the message has not. */
struct vfu_device_info {
	uint32_t argsz;
	uint32_t flags;
	uint32_t num_regions;
	uint32_t num_irqs;
};

struct vfu_region_access {
	uint64_t offset;
	uint32_t region;
	uint32_t count;
	/* Data follow: in the request of a write, in the reply to a read. */
};
static_assert(sizeof(struct vfu_region_access) == 16, "region access");

struct vfu_one_write {
	uint64_t offset;
	uint32_t region;
	uint32_t count;
	uint8_t data[8];
};
static_assert(sizeof(struct vfu_one_write) == 24, "one of many writes");

#endif /* _CHIP_PROTO_H_ */
