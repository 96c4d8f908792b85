/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The window's own mappings are made by the kernel's interface and not by
 * rte_vfio_container_dma_map(), which takes "mapped already, to something else" for success and
 * keeps at most 256 ranges. The container is ours as long as a device is attached; when the last
 * one leaves it the kernel drops all mappings, and the window has gone before.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include <rte_errno.h>
#include <rte_vfio.h>

#include "pw_log.h"
#include "pw_vfio.h"

/* Where a write is an interrupt message (Intel VT-d specification §3.14). */
#define MSI_FIRST	UINT64_C(0xfee00000)
#define MSI_LAST	UINT64_C(0xfeefffff)

#define TOP UINT64_C(0x100000000)

static struct pw_dma_range reserved[16];

static int
vfio_map(const struct pw_dma_iommu *iommu, void *va, uint64_t addr, uint64_t len)
{
	struct vfio_iommu_type1_dma_map map = {
		.argsz = sizeof(map),
		.flags = VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE,
		.vaddr = (uintptr_t)va,
		.iova = addr,
		.size = len,
	};

	(void)iommu;
	return ioctl(rte_vfio_get_container_fd(), VFIO_IOMMU_MAP_DMA, &map) == 0 ? 0 : -errno;
}

static int
vfio_unmap(const struct pw_dma_iommu *iommu, uint64_t addr, uint64_t len)
{
	struct vfio_iommu_type1_dma_unmap unmap = {
		.argsz = sizeof(unmap),
		.iova = addr,
		.size = len,
	};

	(void)iommu;
	if (ioctl(rte_vfio_get_container_fd(), VFIO_IOMMU_UNMAP_DMA, &unmap) != 0)
		return -errno;
	/* The kernel says how much it found. */
	return unmap.size == len ? 0 : -EIO;
}

static const struct pw_dma_iommu_ops vfio_ops = {
	.map = vfio_map,
	.unmap = vfio_unmap,
};

static struct pw_dma_iommu vfio_iommu = {
	.ops = &vfio_ops,
	.reserved = reserved,
};

/* --- what is reserved ------------------------------------------------------------------- */

/* What the IOMMU tells of itself, to be freed; NULL if there is none. */
static struct vfio_iommu_type1_info *
info_get(int fd)
{
	struct vfio_iommu_type1_info head = { .argsz = sizeof(head) }, *info;

	if (fd < 0 || ioctl(fd, VFIO_IOMMU_GET_INFO, &head) != 0)
		return NULL;
	info = calloc(1, RTE_MAX(head.argsz, (uint32_t)sizeof(head)));
	if (info == NULL)
		return NULL;
	info->argsz = RTE_MAX(head.argsz, (uint32_t)sizeof(head));
	if (ioctl(fd, VFIO_IOMMU_GET_INFO, info) == 0)
		return info;
	free(info);
	return NULL;
}

static const struct vfio_iommu_type1_info_cap_iova_range *
info_ranges(const struct vfio_iommu_type1_info *info)
{
	const struct vfio_info_cap_header *cap;
	uint32_t off = (info->flags & VFIO_IOMMU_INFO_CAPS) != 0 ? info->cap_offset : 0;

	while (off != 0 && off + sizeof(*cap) <= info->argsz) {
		cap = RTE_PTR_ADD(info, off);
		if (cap->id == VFIO_IOMMU_TYPE1_INFO_CAP_IOVA_RANGE)
			return (const void *)cap;
		off = cap->next;
	}
	return NULL;
}

static void
reserve(uint64_t first, uint64_t last)
{
	if (first < TOP && first <= last && vfio_iommu.nb_reserved < RTE_DIM(reserved))
		reserved[vfio_iommu.nb_reserved++] = (struct pw_dma_range){
			first, RTE_MIN(last, TOP - 1)
		};
}

/* What lies between the ranges that may be mapped. */
static void
reserved_read(const struct vfio_iommu_type1_info *info)
{
	const struct vfio_iommu_type1_info_cap_iova_range *cap = info_ranges(info);
	uint64_t from = 0;

	vfio_iommu.nb_reserved = 0;
	reserve(MSI_FIRST, MSI_LAST);
	for (uint32_t i = 0; cap != NULL && i < cap->nr_iovas; i++) {
		if (cap->iova_ranges[i].start > from)
			reserve(from, cap->iova_ranges[i].start - 1);
		from = cap->iova_ranges[i].end + 1;
	}
	if (cap != NULL && from != 0)
		reserve(from, TOP - 1);
}

struct pw_dma_iommu *
pw_vfio_iommu(const struct rte_pci_device *pci)
{
	struct vfio_iommu_type1_info *info;

	if (pci->kdrv != RTE_PCI_KDRV_VFIO)
		return NULL;
	/* In no-IOMMU mode the container has nothing to tell. */
	info = info_get(rte_vfio_get_container_fd());
	if (info == NULL)
		return NULL;
	if (vfio_iommu.window == NULL)
		reserved_read(info);
	free(info);
	return &vfio_iommu;
}

/* --- external memory -------------------------------------------------------------------- */

static int
fail(int rc)
{
	rte_errno = -rc;
	return -1;
}

int
pw_vfio_dma_map(struct rte_pci_device *pci, void *va, uint64_t iova, size_t len)
{
	int rc;

	if (pci->kdrv != RTE_PCI_KDRV_VFIO)
		return fail(-ENOTSUP);
	if (pw_dma_window_clashes(&vfio_iommu, iova, len)) {
		PW_LOG(ERR, "%s: IOVA 0x%" PRIx64 " is taken by memory mapped for 32-bit devices; "
		       "choose one above 4 GiB", pci->device.name, iova);
		return fail(-EEXIST);
	}
	if (rte_vfio_container_dma_map(RTE_VFIO_DEFAULT_CONTAINER_FD, (uintptr_t)va, iova,
				       len) != 0)
		return -1;
	rc = pw_dma_window_add(&vfio_iommu, va, iova, len);
	if (rc == -ERANGE) {
		PW_LOG(WARNING, "%s: IOVA 0x%" PRIx64 " finds no place below 4 GiB: packets in it "
		       "will be copied", pci->device.name, iova);
		rc = 0;
	}
	if (rc == 0)
		return 0;
	rte_vfio_container_dma_unmap(RTE_VFIO_DEFAULT_CONTAINER_FD, (uintptr_t)va, iova, len);
	return fail(rc);
}

int
pw_vfio_dma_unmap(struct rte_pci_device *pci, void *va, uint64_t iova, size_t len)
{
	int rc;

	if (pci->kdrv != RTE_PCI_KDRV_VFIO)
		return fail(-ENOTSUP);
	rc = pw_dma_window_remove(&vfio_iommu, iova, len);
	if (rc != 0)
		return fail(rc);
	return rte_vfio_container_dma_unmap(RTE_VFIO_DEFAULT_CONTAINER_FD, (uintptr_t)va, iova,
					    len);
}
