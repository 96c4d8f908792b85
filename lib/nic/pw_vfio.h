/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_VFIO_H_
#define _PW_VFIO_H_

/**
 * @file
 * The IOMMU of PCI devices that are bound to vfio-pci: one domain, EAL's default container, for
 * all of them. Control threads of the primary process only.
 */

#include <bus_pci_driver.h>

#include <pw_dma_window.h>

/**
 * @return the IOMMU between a device and memory; NULL if it is not bound to vfio-pci, or if there
 * is none (no-IOMMU mode).
 */
struct pw_dma_iommu *pw_vfio_iommu(const struct rte_pci_device *pci);

/**
 * rte_dev_dma_map() and rte_dev_dma_unmap() of every driver: what EAL does for a driver that has
 * none of its own, and the same for the low-IOVA window. 0, or -1 and rte_errno.
 */
int pw_vfio_dma_map(struct rte_pci_device *pci, void *va, uint64_t iova, size_t len);
int pw_vfio_dma_unmap(struct rte_pci_device *pci, void *va, uint64_t iova, size_t len);

#endif /* _PW_VFIO_H_ */
