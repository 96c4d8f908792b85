/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rte_malloc.h>
#include <rte_version.h>

#include <ethdev_pci.h>

#include "pw_attach.h"
#include "pw_log.h"
#include "pw_vfio.h"

/* PCI configuration space (PCI Local Bus Specification 3.0 §6.2). */
#define CFG_COMMAND		0x04
#define CFG_COMMAND_IO		0x0001u
#define CFG_COMMAND_MEM		0x0002u
#define CFG_COMMAND_MASTER	0x0004u
#define CFG_REVISION		0x08

/* Third column of sysfs' resource file (include/linux/ioport.h). */
#define RESOURCE_IO		UINT64_C(0x100)
#define RESOURCE_MEM		UINT64_C(0x200)

/* What a probed PCI device needs besides its pw_dev. The ethdev, and the pw_dev with it, may be
 * closed before the device is removed, so this is kept by device.
 */
struct pci_state {
	TAILQ_ENTRY(pci_state) next;
	struct rte_pci_device *pci;
	struct rte_pci_ioport port[PW_MAX_BARS];
	bool mapped[PW_MAX_BARS];
};

static TAILQ_HEAD(, pci_state) pci_states = TAILQ_HEAD_INITIALIZER(pci_states);
static TAILQ_HEAD(, pw_driver) drivers = TAILQ_HEAD_INITIALIZER(drivers);

/* --- release check and registration --- */

bool
pw_version_fits(const char *running)
{
	char built[32];
	int n = snprintf(built, sizeof(built), "%s %d.%02d.", RTE_VER_PREFIX, RTE_VER_YEAR,
			 RTE_VER_MONTH);

	return running != NULL && strncmp(running, built, n) == 0;
}

bool
pw_version_ok(void)
{
	static bool told;
	const char *(*version)(void);

	/*
	 * Called by name, rte_version() would bind to the EAL that this code was linked with, which
	 * is loaded as its dependency where several releases are installed. The program's own comes
	 * first in the default search order. A program with a static EAL exports none.
	 */
	*(void **)&version = dlsym(RTLD_DEFAULT, "rte_version");
	if (version == NULL)
		version = rte_version;
	if (pw_version_fits(version()))
		return true;
	if (!told)
		PW_LOG(ERR, "built for DPDK %d.%02d but loaded by %s: no driver registered; "
		       "rebuild pollwire against the DPDK in use", RTE_VER_YEAR, RTE_VER_MONTH,
		       version());
	told = true;
	return false;
}

void
pw_driver_register(struct pw_driver *drv)
{
	if (!pw_version_ok())
		return;
	if (drv->pci.probe == NULL)
		drv->pci.probe = pw_pci_probe;
	if (drv->pci.remove == NULL)
		drv->pci.remove = pw_pci_remove;
	drv->pci.dma_map = pw_vfio_dma_map;
	drv->pci.dma_unmap = pw_vfio_dma_unmap;
	rte_pci_register(&drv->pci);
	TAILQ_INSERT_TAIL(&drivers, drv, next);
}

static bool
id_matches(const struct rte_pci_id *row, const struct rte_pci_id *id)
{
	return (row->class_id == RTE_CLASS_ANY_ID || row->class_id == id->class_id) &&
	       (row->vendor_id == RTE_PCI_ANY_ID || row->vendor_id == id->vendor_id) &&
	       (row->device_id == RTE_PCI_ANY_ID || row->device_id == id->device_id) &&
	       (row->subsystem_vendor_id == RTE_PCI_ANY_ID ||
		row->subsystem_vendor_id == id->subsystem_vendor_id) &&
	       (row->subsystem_device_id == RTE_PCI_ANY_ID ||
		row->subsystem_device_id == id->subsystem_device_id);
}

struct pw_driver *
pw_driver_find(const struct rte_pci_id *id)
{
	struct pw_driver *drv;

	TAILQ_FOREACH(drv, &drivers, next) {
		for (const struct rte_pci_id *row = drv->pci.id_table; row->vendor_id != 0; row++)
			if (id_matches(row, id))
				return drv;
	}
	return NULL;
}

/* --- register windows without a mapping --- */

static uint32_t
ioport_read(const struct pw_io *io, uint32_t off, unsigned int width)
{
	/* A failed read must look like a device that is gone. */
	uint32_t v = UINT32_MAX;

	rte_pci_ioport_read(io->ctx, &v, width, off);
	v = rte_le_to_cpu_32(v);
	return width == 4 ? v : v & ((UINT32_C(1) << (8 * width)) - 1);
}

static void
ioport_write(const struct pw_io *io, uint32_t off, uint32_t val, unsigned int width)
{
	val = rte_cpu_to_le_32(val);
	rte_pci_ioport_write(io->ctx, &val, width, off);
}

static const struct pw_io_ops ioport_ops = {
	.read = ioport_read,
	.write = ioport_write,
};

/* Length of a BAR that EAL did not map, and its kind, from the kernel's own list. */
static uint64_t
bar_resource(const struct rte_pci_device *pci, unsigned int bar, uint64_t *kind)
{
	uint64_t start = 0, end = 0, flags = 0;
	char path[PATH_MAX], line[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/" PCI_PRI_FMT "/resource", rte_pci_get_sysfs_path(),
		 pci->addr.domain, pci->addr.bus, pci->addr.devid, pci->addr.function);
	f = fopen(path, "r");
	if (f == NULL)
		return 0;
	for (unsigned int i = 0; i <= bar; i++) {
		if (fgets(line, sizeof(line), f) == NULL ||
		    sscanf(line, "%" SCNx64 " %" SCNx64 " %" SCNx64, &start, &end, &flags) != 3) {
			flags = 0;
			break;
		}
	}
	fclose(f);
	*kind = flags & (RESOURCE_IO | RESOURCE_MEM);
	return *kind != 0 && end > start ? end - start + 1 : 0;
}

static void
bars_unmap(struct pci_state *st)
{
	for (unsigned int i = 0; i < PW_MAX_BARS; i++) {
		if (st->mapped[i])
			rte_pci_ioport_unmap(&st->port[i]);
		st->mapped[i] = false;
	}
}

/* Fill in the register windows; @return the command register bits that they need. */
static uint16_t
bars_map(struct pw_dev *dev, struct pci_state *st)
{
	struct rte_pci_device *pci = st->pci;
	uint16_t command = 0;

	for (unsigned int i = 0; i < PW_MAX_BARS; i++) {
		struct pw_io *io = &dev->bar[i];
		uint64_t len = pci->mem_resource[i].len, kind = RESOURCE_MEM;

		if (pci->mem_resource[i].addr != NULL) {
			io->base = pci->mem_resource[i].addr;
		} else {
			len = bar_resource(pci, i, &kind);
			if (len == 0 || rte_pci_ioport_map(pci, i, &st->port[i]) != 0)
				continue;
			st->mapped[i] = true;
			io->ops = &ioport_ops;
			io->ctx = &st->port[i];
		}
		io->len = (uint32_t)RTE_MIN(len, (uint64_t)UINT32_MAX);
		command |= kind == RESOURCE_IO ? CFG_COMMAND_IO : CFG_COMMAND_MEM;
	}
	return command;
}

/* --- PCI probe and remove --- */

static int
pci_cfg_read(const struct pw_dev *dev, void *buf, uint32_t len, uint32_t off)
{
	const struct pci_state *st = dev->bus;

	return rte_pci_read_config(st->pci, buf, len, off) == (int)len ? 0 : -EIO;
}

static int
pci_cfg_write(const struct pw_dev *dev, const void *buf, uint32_t len, uint32_t off)
{
	const struct pci_state *st = dev->bus;

	return rte_pci_write_config(st->pci, buf, len, off) == (int)len ? 0 : -EIO;
}

/* Let the device decode what was mapped and reach memory. */
static int
pci_enable(const struct pw_dev *dev, uint16_t bits)
{
	uint16_t command;
	int rc = pci_cfg_read(dev, &command, sizeof(command), CFG_COMMAND);

	if (rc != 0) {
		PW_LOG(ERR, "%s: PCI configuration space cannot be read", dev->name);
		return rc;
	}
	command = rte_le_to_cpu_16(command);
	if (command == UINT16_MAX) {
		PW_LOG(ERR, "%s: PCI configuration space reads all ones; the device is gone or "
		       "powered down", dev->name);
		return -ENODEV;
	}
	command = rte_cpu_to_le_16(command | bits | CFG_COMMAND_MASTER);
	rc = pci_cfg_write(dev, &command, sizeof(command), CFG_COMMAND);
	if (rc != 0)
		PW_LOG(ERR, "%s: bus mastering cannot be enabled", dev->name);
	return rc;
}

static struct pci_state *
pci_state_find(const struct rte_pci_device *pci)
{
	struct pci_state *st;

	TAILQ_FOREACH(st, &pci_states, next)
		if (st->pci == pci)
			break;
	return st;
}

static void
pci_state_free(struct pci_state *st)
{
	if (st == NULL)
		return;
	TAILQ_REMOVE(&pci_states, st, next);
	bars_unmap(st);
	rte_free(st);
}

static int
pci_dev_fill(struct pw_dev *dev, struct rte_pci_device *pci)
{
	struct pci_state *st = rte_zmalloc("pw_pci", sizeof(*st), 0);
	uint16_t bits;
	int rc;

	if (st == NULL)
		return -ENOMEM;
	st->pci = pci;
	TAILQ_INSERT_TAIL(&pci_states, st, next);

	dev->name = pci->device.name;
	dev->id = pci->id;
	dev->socket = pci->device.numa_node;
	dev->intr = pci->intr_handle;
	dev->devargs = pci->device.devargs;
	dev->iommu = pw_vfio_iommu(pci);
	dev->cfg_read = pci_cfg_read;
	dev->cfg_write = pci_cfg_write;
	dev->bus = st;
	bits = bars_map(dev, st);
	rc = bits == 0 ? -ENODEV : 0;
	if (rc != 0)
		PW_LOG(ERR, "%s: no register window could be mapped; bind the device to vfio-pci",
		       dev->name);
	if (rc == 0)
		rc = pci_enable(dev, bits);
	if (rc == 0)
		rc = pci_cfg_read(dev, &dev->revision, 1, CFG_REVISION);
	if (rc != 0)
		pci_state_free(st);
	return rc;
}

static struct pw_driver *
driver_of(const struct rte_pci_device *pci)
{
	return container_of(pci->driver, struct pw_driver, pci);
}

static int
pci_attach(struct rte_eth_dev *eth)
{
	struct rte_pci_device *pci = RTE_ETH_DEV_TO_PCI(eth);
	struct pw_dev *dev = pw_dev_of(eth);
	int rc;

	/* What a secondary process needs was filled in by the primary. */
	if (rte_eal_process_type() != RTE_PROC_PRIMARY)
		return driver_of(pci)->attach(dev, eth);

	rc = pci_dev_fill(dev, pci);
	if (rc != 0)
		return rc;
	rc = driver_of(pci)->attach(dev, eth);
	if (rc != 0)
		pci_state_free(pci_state_find(pci));
	return rc;
}

static int
pci_detach(struct rte_eth_dev *eth)
{
	return driver_of(RTE_ETH_DEV_TO_PCI(eth))->detach(pw_dev_of(eth), eth);
}

int
pw_pci_probe(struct rte_pci_driver *pci_drv, struct rte_pci_device *pci_dev)
{
	const struct pw_driver *drv = container_of(pci_drv, struct pw_driver, pci);

	return rte_eth_dev_pci_generic_probe(pci_dev, drv->priv_size, pci_attach);
}

int
pw_pci_remove(struct rte_pci_device *pci_dev)
{
	int rc = rte_eth_dev_pci_generic_remove(pci_dev, pci_detach);

	if (rc == 0)
		pci_state_free(pci_state_find(pci_dev));
	return rc;
}
