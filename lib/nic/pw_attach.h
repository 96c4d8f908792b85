/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_ATTACH_H_
#define _PW_ATTACH_H_

/**
 * @file
 * How a driver meets its device. A driver has one door, `attach`; the PCI bus and the
 * simulator are two thin callers of it, and nothing past that door knows which it was.
 *
 * Control threads only.
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include <bus_pci_driver.h>
#include <ethdev_driver.h>

#include <pw_dma_window.h>

#include "pw_io.h"

#define PW_MAX_BARS 6

struct pw_dev;

/** A driver, as PCI probe and the simulator see it. Register with PW_REGISTER_DRIVER. */
struct pw_driver {
	struct rte_pci_driver pci; /**< id_table, drv_flags; probe, remove: pw_pci_probe/_remove */
	const char *name;	   /**< net_pw_<chip> */
	size_t priv_size;	   /**< bytes of dev_private, which begins with struct pw_dev */
	/**
	 * Bring the device to the state "configured by nobody": reset, MAC read, ops set.
	 * 0 or -errno with nothing left behind. In a secondary process only burst functions and
	 * ops.
	 */
	int (*attach)(struct pw_dev *dev, struct rte_eth_dev *eth);
	/** Undo attach (the ethdev close). Idempotent. */
	int (*detach)(struct pw_dev *dev, struct rte_eth_dev *eth);
	TAILQ_ENTRY(pw_driver) next;
};

/** The device handed to attach; first member of every driver's dev_private. */
struct pw_dev {
	const char *name;	     /**< for messages: PCI address or vdev name */
	struct rte_pci_id id;	     /**< vendor, device and subsystem ids, class */
	uint8_t revision;
	int socket;		     /**< NUMA socket id */
	/** len 0: absent. One without `base` must not be used in a secondary process. */
	struct pw_io bar[PW_MAX_BARS];
	struct rte_intr_handle *intr; /**< NULL: no interrupt */
	struct rte_devargs *devargs; /**< NULL: none */
	/**
	 * The IOMMU between the device and memory, for pw_dma_window_open(); NULL: none, addresses
	 * on the bus are physical ones. Primary process only.
	 */
	struct pw_dma_iommu *iommu;
	/** Read/write `len` bytes of PCI configuration space; 0 or -errno. */
	int (*cfg_read)(const struct pw_dev *dev, void *buf, uint32_t len, uint32_t off);
	int (*cfg_write)(const struct pw_dev *dev, const void *buf, uint32_t len, uint32_t off);
	void *bus;		     /**< the caller's own */
};

/** @return the pw_dev at the head of an ethdev's private data. */
static inline struct pw_dev *
pw_dev_of(const struct rte_eth_dev *eth)
{
	return (struct pw_dev *)eth->data->dev_private;
}

/**
 * Register a driver with the PCI bus and add it to the list that pw_driver_find() searches; called
 * by PW_REGISTER_DRIVER. Does nothing if pw_version_ok() says no. Probe and remove are filled in
 * if they are NULL, DMA mapping always.
 */
void pw_driver_register(struct pw_driver *drv);

/**
 * @param running
 *   What rte_version() says, e.g. "DPDK 22.11.11".
 * @return true if code built against these headers fits it: same year and month.
 */
bool pw_version_fits(const char *running);

/**
 * Whether the DPDK that loaded this code is the release it was built for. The ABI of driver
 * internals differs between releases, under one symbol version. If not, one log line says so, once
 * a process. Constructors ask before they register anything.
 */
bool pw_version_ok(void);

/** @return the driver that claims the ids (the table's RTE_PCI_ANY_ID matches all), or NULL. */
struct pw_driver *pw_driver_find(const struct rte_pci_id *id);

/** PCI probe for every driver: map, fill in the pw_dev, attach. 0 or -errno. */
int pw_pci_probe(struct rte_pci_driver *pci_drv, struct rte_pci_device *pci_dev);

/** PCI remove for every driver. 0 or -errno. */
int pw_pci_remove(struct rte_pci_device *pci_dev);

/**
 * Register a driver with the PCI bus and for the simulator, and export what dpdk-pmdinfo.py
 * and the kernel-module hint need. `drv` is a struct pw_driver, `ids` its rte_pci_id table.
 * RTE_PMD_REGISTER_PCI would register whatever the version.
 */
#define PW_REGISTER_DRIVER(nm, drv, ids)                                                          \
	RTE_INIT(pw_register_##nm)                                                                \
	{                                                                                         \
		(drv).pci.driver.name = RTE_STR(nm);                                              \
		pw_driver_register(&(drv));                                                       \
	}                                                                                         \
	static const char this_pmd_name_##nm[] __rte_used = RTE_STR(nm);                          \
	RTE_PMD_REGISTER_PCI_TABLE(nm, ids);                                                      \
	RTE_PMD_REGISTER_KMOD_DEP(nm, "* igb_uio | uio_pci_generic | vfio-pci")

/** The same for a virtual device's struct rte_vdev_driver; needs <bus_vdev_driver.h>. */
#define PW_REGISTER_VDEV(nm, vdrv)                                                                \
	RTE_INIT(pw_register_##nm)                                                                \
	{                                                                                         \
		(vdrv).driver.name = RTE_STR(nm);                                                 \
		if (pw_version_ok())                                                              \
			rte_vdev_register(&(vdrv));                                               \
	}                                                                                         \
	static const char this_pmd_name_##nm[] __rte_used = RTE_STR(nm)

#endif /* _PW_ATTACH_H_ */
