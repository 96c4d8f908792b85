/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The vdev that joins a chip model to its driver. It does for the model what the PCI bus and
 * the kernel do for a card: register windows, configuration space, an interrupt, DMA
 * mappings. The driver is found by PCI id, attached through its one door, and runs unmodified;
 * around its burst functions come thin ones that first let the model's time pass, because the
 * model has no thread (async=on gives it one, and leaves the burst functions alone).
 */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_interrupts.h>
#include <rte_memory.h>

#include <bus_vdev_driver.h>
#include <ethdev_driver.h>
#include <ethdev_vdev.h>

#include <pw_attach.h>
#include <pw_ethdev.h>
#include <pw_log.h>
#include <pw_model.h>

#include "pw_sim.h"
#include "pw_sim_args.h"

/* PCI configuration space (PCI Local Bus Specification 3.0 §6.2). */
#define CFG_COMMAND 0x04
#define CFG_COMMAND_ENABLE 0x0007u /* I/O, memory, bus master */

#define MEM_CALLBACK "net_pw_sim"
#define MAX_COMPLAINTS 10u

struct sim {
	const char *name;
	struct rte_eth_dev *eth;
	struct pw_driver *drv;
	struct pw_model *model;
	struct pw_wire *wire;
	struct rte_intr_handle *intr;
	int irq_fd;
	int rx_fd;			   /* for who sleeps until frames come; -1: none */
	struct rte_devargs devargs;	   /* the driver's own arguments */
	char driver_args[256];
	bool drains;			   /* the drain callback is registered */
	bool hears_memory;		   /* the memory callback is registered */
	bool async;
	bool has_iommu;
	struct pw_dma_iommu iommu;
	unsigned int complaints;	   /* violations logged */
	const struct eth_dev_ops *drv_ops; /* the driver's own */
	struct eth_dev_ops ops;		   /* the same but for what the sim wraps */
	eth_rx_burst_t rx_burst;	   /* the driver's own, while started */
	eth_tx_burst_t tx_burst;
	struct sim_bar {
		struct pw_model *model;
		unsigned int bar;
	} bar[PW_MAX_BARS];
};

static struct sim *sims[RTE_MAX_ETHPORTS];
static struct pw_clock *sim_clock; /* NULL: real time */

/* --- the bus: registers and configuration space ------------------------------- */

static uint32_t
sim_bar_read(const struct pw_io *io, uint32_t off, unsigned int width)
{
	const struct sim_bar *b = io->ctx;

	return pw_model_bar_read(b->model, b->bar, off, width);
}

static void
sim_bar_write(const struct pw_io *io, uint32_t off, uint32_t val, unsigned int width)
{
	const struct sim_bar *b = io->ctx;

	pw_model_bar_write(b->model, b->bar, off, val, width);
}

static const struct pw_io_ops sim_io_ops = {
	.read = sim_bar_read,
	.write = sim_bar_write,
};

/* The widest aligned access that starts at `off` and fits. */
static unsigned int
cfg_width(uint32_t off, uint32_t len)
{
	unsigned int w = 4;

	while (w > len || (off & (w - 1)) != 0)
		w /= 2;
	return w;
}

static int
sim_cfg_read(const struct pw_dev *dev, void *buf, uint32_t len, uint32_t off)
{
	const struct sim *sim = dev->bus;
	uint8_t *p = buf;

	if (off > PW_MODEL_CFG_SIZE || len > PW_MODEL_CFG_SIZE - off)
		return -EINVAL;
	while (len > 0) {
		unsigned int w = cfg_width(off, len);
		uint32_t v = rte_cpu_to_le_32(pw_model_cfg_read(sim->model, off, w));

		memcpy(p, &v, w);
		p += w;
		off += w;
		len -= w;
	}
	return 0;
}

static int
sim_cfg_write(const struct pw_dev *dev, const void *buf, uint32_t len, uint32_t off)
{
	const struct sim *sim = dev->bus;
	const uint8_t *p = buf;

	if (off > PW_MODEL_CFG_SIZE || len > PW_MODEL_CFG_SIZE - off)
		return -EINVAL;
	while (len > 0) {
		unsigned int w = cfg_width(off, len);
		uint32_t v = 0;

		memcpy(&v, p, w);
		pw_model_cfg_write(sim->model, off, rte_le_to_cpu_32(v), w);
		p += w;
		off += w;
		len -= w;
	}
	return 0;
}

/* --- the interrupt -------------------------------------------------------------- */

/* The model calls with its lock held, so this must not wait; a full counter is still an event. */
static void
sim_irq(void *ctx, unsigned int vector, bool level)
{
	const struct sim *sim = ctx;
	const uint64_t one = 1;

	RTE_SET_USED(vector);
	if (!level)
		return;
	/* One line tells both: who sleeps on the queue, and the driver's handler. */
	if (sim->rx_fd >= 0 && write(sim->rx_fd, &one, sizeof(one)) < 0)
		return;
	if (write(sim->irq_fd, &one, sizeof(one)) < 0)
		return;
}

/*
 * What EAL does for a card's Rx interrupts it leaves to a vdev: a descriptor to sleep on. The
 * driver gives it back by rte_intr_efd_disable(), which closes it.
 */
static int
sim_rx_irq_open(struct sim *sim)
{
	int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (rte_intr_efds_index_set(sim->intr, 0, fd) != 0 ||
	    rte_intr_nb_efd_set(sim->intr, 1) != 0 ||
	    rte_intr_max_intr_set(sim->intr, 2) != 0 ||
	    rte_intr_efd_counter_size_set(sim->intr, sizeof(uint64_t)) != 0) {
		close(fd);
		return -rte_errno;
	}
	sim->rx_fd = fd;
	return 0;
}

static void
sim_rx_irq_close(struct sim *sim)
{
	sim->rx_fd = -1;
	if (rte_intr_nb_efd_get(sim->intr) > 0)
		rte_intr_efd_disable(sim->intr);
}

/* EAL does not read a vdev's descriptor; registered first, this runs before the driver's own. */
static void
sim_irq_drain(void *arg)
{
	const struct sim *sim = arg;
	uint64_t count;

	if (read(sim->irq_fd, &count, sizeof(count)) < 0)
		return;
}

static int
sim_irq_open(struct sim *sim)
{
	sim->irq_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (sim->irq_fd < 0)
		return -errno;
	sim->intr = rte_intr_instance_alloc(RTE_INTR_INSTANCE_F_PRIVATE);
	if (sim->intr == NULL)
		return -ENOMEM;
	if (rte_intr_fd_set(sim->intr, sim->irq_fd) != 0 ||
	    rte_intr_type_set(sim->intr, RTE_INTR_HANDLE_VDEV) != 0)
		return -rte_errno;
	if (rte_intr_callback_register(sim->intr, sim_irq_drain, sim) != 0)
		return -EIO;
	sim->drains = true;
	return 0;
}

static void
sim_irq_close(struct sim *sim)
{
	if (sim->drains)
		rte_intr_callback_unregister_sync(sim->intr, sim_irq_drain, sim);
	rte_intr_instance_free(sim->intr);
	if (sim->irq_fd >= 0)
		close(sim->irq_fd);
}

/* --- DMA: the model may reach what EAL has --------------------------------------- */

/* Segments that are one piece for va and iova alike. */
struct sim_run {
	struct sim *sim;
	bool unmap;
	const struct rte_memseg_list *msl;
	uint8_t *va;
	uint64_t iova;
	uint64_t len; /* 0: none yet */
	int rc;
};

static void
run_end(struct sim_run *run)
{
	struct pw_model *m = run->sim->model;
	int rc;

	if (run->len == 0 || run->rc != 0)
		return;
	if (run->unmap)
		rc = pw_model_dma_unmap(m, run->iova, run->len);
	else
		rc = pw_model_dma_map(m, run->iova, run->len, run->va, true);
	/* Memory that came between registering for news and walking is met twice. */
	if (rc != -EEXIST)
		run->rc = rc;
}

/* What can be freed a page at a time is mapped a page at a time. */
static bool
run_grows(const struct sim_run *run, const struct rte_memseg_list *msl,
	  const struct rte_memseg *ms)
{
	bool whole = msl->external || !rte_eal_has_hugepages();

	return (whole || run->unmap) && run->len != 0 && run->msl == msl &&
	       run->va + run->len == (uint8_t *)ms->addr && run->iova + run->len == ms->iova;
}

static int
run_add(const struct rte_memseg_list *msl, const struct rte_memseg *ms, void *arg)
{
	struct sim_run *run = arg;

	if (ms->iova == RTE_BAD_IOVA)
		return 0;
	if (run_grows(run, msl, ms)) {
		run->len += ms->len;
		return 0;
	}
	run_end(run);
	run->msl = msl;
	run->va = ms->addr;
	run->iova = ms->iova;
	run->len = ms->len;
	return run->rc;
}

/* As with a card under VFIO: rte_extmem_register() needs rte_dev_dma_map() besides. */
static int
walk_add(const struct rte_memseg_list *msl, const struct rte_memseg *ms, void *arg)
{
	return msl->external && !msl->heap ? 0 : run_add(msl, ms, arg);
}

/* Of heaps only, external ones too, which are not marked as such yet. */
static void
sim_mem_event(enum rte_mem_event event, const void *addr, size_t len, void *arg)
{
	const struct rte_memseg_list *msl = rte_mem_virt2memseg_list(addr);
	struct sim_run run = { .sim = arg, .unmap = event == RTE_MEM_EVENT_FREE };
	const struct rte_memseg *ms;
	size_t done;

	for (done = 0; msl != NULL && done < len; done += msl->page_sz) {
		ms = rte_mem_virt2memseg(RTE_PTR_ADD(addr, done), msl);
		if (ms != NULL)
			run_add(msl, ms, &run);
	}
	run_end(&run);
	if (run.rc != 0)
		PW_LOG(ERR, "%s: cannot %s %zu bytes at %p for DMA: %s", run.sim->name,
		       run.unmap ? "unmap" : "map", len, addr, rte_strerror(-run.rc));
}

static int
sim_mem_open(struct sim *sim)
{
	struct sim_run run = { .sim = sim };

	/* Where memory cannot change (--no-huge, --legacy-mem) there is no such service. */
	if (rte_mem_event_callback_register(MEM_CALLBACK, sim_mem_event, sim) == 0)
		sim->hears_memory = true;
	else if (rte_errno != ENOTSUP)
		return -rte_errno;
	rte_memseg_walk(walk_add, &run);
	run_end(&run);
	return run.rc;
}

static int
sim_iommu_map(const struct pw_dma_iommu *iommu, void *va, uint64_t addr, uint64_t len)
{
	const struct sim *sim = iommu->ctx;

	return pw_model_dma_map(sim->model, addr, len, va, true);
}

static int
sim_iommu_unmap(const struct pw_dma_iommu *iommu, uint64_t addr, uint64_t len)
{
	const struct sim *sim = iommu->ctx;

	return pw_model_dma_unmap(sim->model, addr, len);
}

static const struct pw_dma_iommu_ops sim_iommu_ops = {
	.map = sim_iommu_map,
	.unmap = sim_iommu_unmap,
};

/* As on a PC, where writing there is an interrupt message. */
static const struct pw_dma_range sim_reserved[] = { { 0xfee00000, 0xfeefffff } };

static void
sim_iommu_fill(struct sim *sim, struct pw_dev *dev)
{
	sim->iommu = (struct pw_dma_iommu){
		.ops = &sim_iommu_ops,
		.ctx = sim,
		.reserved = sim_reserved,
		.nb_reserved = RTE_DIM(sim_reserved),
	};
	dev->iommu = sim->has_iommu ? &sim->iommu : NULL;
}

static void
sim_mem_close(struct sim *sim)
{
	if (sim->hears_memory)
		rte_mem_event_callback_unregister(MEM_CALLBACK, sim);
}

/* --- the wrapped part of the driver's operations ---------------------------------- */

static uint16_t
sim_rx_burst(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	const struct sim *sim = sims[((const struct pw_rxq *)queue)->port_id];

	pw_model_poll(sim->model);
	return sim->rx_burst(queue, pkts, nb_pkts);
}

static uint16_t
sim_tx_burst(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	const struct sim *sim = sims[((const struct pw_txq *)queue)->port_id];

	pw_model_poll(sim->model);
	return sim->tx_burst(queue, pkts, nb_pkts);
}

/* Show the driver its own burst functions. */
static void
sim_unwrap(struct sim *sim)
{
	if (sim->eth->rx_pkt_burst == sim_rx_burst)
		sim->eth->rx_pkt_burst = sim->rx_burst;
	if (sim->eth->tx_pkt_burst == sim_tx_burst)
		sim->eth->tx_pkt_burst = sim->tx_burst;
}

static void
sim_wrap(struct sim *sim)
{
	if (sim->async)
		return;
	sim->rx_burst = sim->eth->rx_pkt_burst;
	sim->tx_burst = sim->eth->tx_pkt_burst;
	sim->eth->rx_pkt_burst = sim_rx_burst;
	sim->eth->tx_pkt_burst = sim_tx_burst;
}

static int
sim_dev_start(struct rte_eth_dev *eth)
{
	struct sim *sim = sims[eth->data->port_id];
	int rc = 0;

	sim_unwrap(sim);
	if (eth->data->dev_conf.intr_conf.rxq != 0)
		rc = sim_rx_irq_open(sim);
	if (rc == 0)
		rc = sim->drv_ops->dev_start(eth);
	if (rc == 0)
		sim_wrap(sim);
	else
		sim_rx_irq_close(sim);
	return rc;
}

static int
sim_dev_stop(struct rte_eth_dev *eth)
{
	struct sim *sim = sims[eth->data->port_id];
	int rc;

	sim_unwrap(sim);
	rc = sim->drv_ops->dev_stop(eth);
	sim_rx_irq_close(sim);
	return rc;
}

static int
sim_burst_mode(struct rte_eth_dev *eth, uint16_t queue, struct rte_eth_burst_mode *mode,
	       eth_burst_mode_get_t get)
{
	struct sim *sim = sims[eth->data->port_id];
	bool wrapped = eth->rx_pkt_burst == sim_rx_burst;
	int rc;

	sim_unwrap(sim);
	rc = get(eth, queue, mode);
	if (wrapped)
		sim_wrap(sim);
	return rc;
}

static int
sim_rx_burst_mode_get(struct rte_eth_dev *eth, uint16_t queue, struct rte_eth_burst_mode *mode)
{
	return sim_burst_mode(eth, queue, mode,
			      sims[eth->data->port_id]->drv_ops->rx_burst_mode_get);
}

static int
sim_tx_burst_mode_get(struct rte_eth_dev *eth, uint16_t queue, struct rte_eth_burst_mode *mode)
{
	return sim_burst_mode(eth, queue, mode,
			      sims[eth->data->port_id]->drv_ops->tx_burst_mode_get);
}

/* An application that waits for the link before its first burst would wait for ever. */
static int
sim_link_update(struct rte_eth_dev *eth, int wait)
{
	const struct sim *sim = sims[eth->data->port_id];

	pw_model_poll(sim->model);
	return sim->drv_ops->link_update(eth, wait);
}

static void sim_free(struct sim *sim);

static int
sim_dev_close(struct rte_eth_dev *eth)
{
	struct sim *sim = sims[eth->data->port_id];
	int rc;

	sim_unwrap(sim);
	eth->dev_ops = sim->drv_ops;
	rc = eth->dev_ops->dev_close(eth);
	sim_free(sim);
	return rc;
}

static void
sim_wrap_ops(struct sim *sim)
{
	sim->drv_ops = sim->eth->dev_ops;
	sim->ops = *sim->drv_ops;
	sim->ops.dev_start = sim_dev_start;
	sim->ops.dev_stop = sim_dev_stop;
	sim->ops.dev_close = sim_dev_close;
	if (sim->ops.link_update != NULL)
		sim->ops.link_update = sim_link_update;
	if (sim->ops.rx_burst_mode_get != NULL)
		sim->ops.rx_burst_mode_get = sim_rx_burst_mode_get;
	if (sim->ops.tx_burst_mode_get != NULL)
		sim->ops.tx_burst_mode_get = sim_tx_burst_mode_get;
	sim->eth->dev_ops = &sim->ops;
}

/* --- life ------------------------------------------------------------------------ */

/* Undo sim_make() from any point on. The ethdev is the caller's. */
static void
sim_free(struct sim *sim)
{
	if (sim == NULL)
		return;
	if (sim->eth != NULL)
		sims[sim->eth->data->port_id] = NULL;
	sim_mem_close(sim);
	pw_model_destroy(sim->model);
	pw_wire_close(sim->wire);
	sim_irq_close(sim);
	free(sim);
}

static void
sim_wire_says(void *ctx, const char *text)
{
	const struct sim *sim = ctx;

	PW_LOG(ERR, "%s: %s", sim->name, text);
}

static int
sim_open_wire(struct sim *sim, const struct sim_args *args)
{
	const struct pw_wire_opts opts = {
		.clock = sim_clock,
		.paced = args->pace,
		.buffer = args->buffer,
		.say = sim_wire_says,
		.say_ctx = sim,
	};
	char err[512] = "";
	int rc;

	if (args->wire[0] == '\0')
		return 0;
	rc = pw_wire_open(args->wire, &opts, &sim->wire, err, sizeof(err));
	if (rc != 0)
		PW_LOG(ERR, "%s: %s", sim->name, err);
	return rc;
}

/* With the model locked. A driver that does wrong does so with every packet. */
static void
sim_violation(void *ctx, enum pw_violation kind, const char *text)
{
	struct sim *sim = ctx;

	RTE_SET_USED(kind);
	if (sim->complaints >= MAX_COMPLAINTS)
		return;
	sim->complaints++;
	PW_LOG(ERR, "%s: the driver breaks the chip's rules: %s%s", sim->name, text,
	       sim->complaints == MAX_COMPLAINTS ? " (further ones are only counted)" : "");
}

static int
sim_make_model(struct sim *sim, const struct sim_args *args)
{
	const struct pw_model_opts opts = {
		.chip = args->chip,
		.mac = args->has_mac ? args->mac : NULL,
		.wire = sim->wire,
		.clock = sim_clock,
		.async = args->async,
		.autoneg_ns = (uint64_t)args->autoneg_ms * 1000000u,
		.irq = sim_irq,
		.violation = sim_violation,
		.ctx = sim,
	};
	unsigned int i;
	int rc = pw_model_create(&opts, &sim->model);

	if (rc == 0)
		rc = sim_mem_open(sim);
	for (i = 0; i < PW_FAULT_MAX && rc == 0; i++)
		if (args->fault[i] != 0)
			rc = pw_model_fault(sim->model, (enum pw_fault)i, args->fault[i]);
	if (rc != 0)
		PW_LOG(ERR, "%s: cannot make a model of chip %s: %s", sim->name, args->chip,
		       rte_strerror(-rc));
	return rc;
}

static int
sim_find_driver(struct sim *sim, struct rte_pci_id *id)
{
	const struct pw_model_info *info = pw_model_info(sim->model);

	*id = (struct rte_pci_id){
		.class_id = info->class_code,
		.vendor_id = info->vendor,
		.device_id = info->device,
		.subsystem_vendor_id = info->subvendor,
		.subsystem_device_id = info->subdevice,
	};
	sim->drv = pw_driver_find(id);
	if (sim->drv != NULL)
		return 0;
	PW_LOG(ERR, "%s: chip %s: its driver (PCI id %04x:%04x) is not part of this build",
	       sim->name, info->chip, id->vendor_id, id->device_id);
	return -ENODEV;
}

static void
sim_fill_dev(struct sim *sim, struct pw_dev *dev, const struct rte_pci_id *id)
{
	const struct pw_model_info *info = pw_model_info(sim->model);
	unsigned int i;

	dev->name = sim->name;
	dev->id = *id;
	dev->revision = info->revision;
	dev->socket = sim->eth->data->numa_node;
	dev->intr = sim->intr;
	sim_iommu_fill(sim, dev);
	if (sim->driver_args[0] != '\0') {
		sim->devargs.args = sim->driver_args;
		dev->devargs = &sim->devargs;
	}
	dev->cfg_read = sim_cfg_read;
	dev->cfg_write = sim_cfg_write;
	dev->bus = sim;
	for (i = 0; i < RTE_DIM(dev->bar); i++) {
		sim->bar[i].model = sim->model;
		sim->bar[i].bar = i;
		dev->bar[i].ops = &sim_io_ops;
		dev->bar[i].ctx = &sim->bar[i];
		dev->bar[i].len = info->bar[i].kind == PW_BAR_NONE ? 0 : info->bar[i].size;
	}
}

/* Let the function decode and master the bus, as the PCI probe does. */
static int
sim_enable(const struct pw_dev *dev)
{
	uint16_t command = 0;
	int rc = dev->cfg_read(dev, &command, sizeof(command), CFG_COMMAND);

	if (rc != 0)
		return rc;
	if (command == UINT16_MAX) {
		PW_LOG(ERR, "%s: PCI configuration space reads all ones; the device is gone",
		       dev->name);
		return -ENODEV;
	}
	command |= rte_cpu_to_le_16(CFG_COMMAND_ENABLE);
	return dev->cfg_write(dev, &command, sizeof(command), CFG_COMMAND);
}

static int
sim_attach(struct sim *sim, struct rte_vdev_device *vdev, const struct rte_pci_id *id)
{
	struct rte_eth_dev *eth = rte_eth_vdev_allocate(vdev, sim->drv->priv_size);
	struct pw_dev *dev;
	int rc;

	if (eth == NULL)
		return -ENOMEM;
	sim->eth = eth;
	sims[eth->data->port_id] = sim;
	dev = pw_dev_of(eth);
	sim_fill_dev(sim, dev, id);
	eth->intr_handle = sim->intr;
	if ((sim->drv->pci.drv_flags & RTE_PCI_DRV_INTR_LSC) != 0)
		eth->data->dev_flags |= RTE_ETH_DEV_INTR_LSC;
	if ((sim->drv->pci.drv_flags & RTE_PCI_DRV_INTR_RMV) != 0)
		eth->data->dev_flags |= RTE_ETH_DEV_INTR_RMV;
	rc = sim_enable(dev);
	if (rc == 0)
		rc = sim->drv->attach(dev, eth);
	if (rc != 0)
		return rc;
	sim_wrap_ops(sim);
	rte_eth_dev_probing_finish(eth);
	return 0;
}

static int
sim_make(struct sim *sim, struct rte_vdev_device *vdev, const struct sim_args *args)
{
	struct rte_pci_id id;
	int rc = sim_open_wire(sim, args);

	if (rc == 0)
		rc = sim_irq_open(sim);
	if (rc == 0)
		rc = sim_make_model(sim, args);
	if (rc == 0)
		rc = sim_find_driver(sim, &id);
	if (rc == 0)
		rc = sim_attach(sim, vdev, &id);
	return rc;
}

static int
sim_probe(struct rte_vdev_device *vdev)
{
	const char *name = rte_vdev_device_name(vdev);
	struct rte_eth_dev *eth;
	struct sim_args args;
	struct sim *sim;
	char err[768];
	int rc;

	if (rte_eal_process_type() != RTE_PROC_PRIMARY) {
		PW_LOG(ERR, "%s: a model lives in the primary process; it cannot be used from a "
		       "secondary one", name);
		return -ENOTSUP;
	}
	rc = sim_args_parse(rte_vdev_device_args(vdev), &args, err, sizeof(err));
	if (rc != 0) {
		PW_LOG(ERR, "%s: %s", name, err);
		return rc;
	}
	sim = calloc(1, sizeof(*sim));
	if (sim == NULL)
		return -ENOMEM;
	sim->name = name;
	sim->irq_fd = -1;
	sim->rx_fd = -1;
	memcpy(sim->driver_args, args.driver, sizeof(sim->driver_args));
	sim->async = args.async;
	sim->has_iommu = args.iommu;
	rc = sim_make(sim, vdev, &args);
	if (rc == 0)
		return 0;
	eth = sim->eth;
	sim_free(sim);
	if (eth != NULL)
		rte_eth_dev_release_port(eth);
	return rc;
}

static int
sim_remove(struct rte_vdev_device *vdev)
{
	struct rte_eth_dev *eth = rte_eth_dev_allocated(rte_vdev_device_name(vdev));
	int rc = 0;

	if (eth == NULL)
		return 0; /* closed before */
	if (eth->data->dev_started)
		rc = rte_eth_dev_stop(eth->data->port_id);
	if (rc != 0)
		PW_LOG(WARNING, "%s: does not stop: %s", eth->data->name, rte_strerror(-rc));
	return rte_eth_dev_close(eth->data->port_id);
}

/* --- memory that is not EAL's: rte_dev_dma_map() ----------------------------------- */

static struct sim *
sim_of(const struct rte_vdev_device *vdev)
{
	const struct rte_eth_dev *eth = rte_eth_dev_allocated(rte_vdev_device_name(vdev));

	return eth == NULL ? NULL : sims[eth->data->port_id];
}

static int
sim_fail(int rc)
{
	rte_errno = -rc;
	return -1;
}

static int
sim_dma_map(struct rte_vdev_device *vdev, void *addr, uint64_t iova, size_t len)
{
	struct sim *sim = sim_of(vdev);
	int rc = sim == NULL ? -ENODEV : pw_model_dma_map(sim->model, iova, len, addr, true);

	if (rc != 0)
		return sim_fail(rc);
	rc = pw_dma_window_add(&sim->iommu, addr, iova, len);
	/* What finds no place in the window is copied. */
	if (rc == 0 || rc == -ERANGE)
		return 0;
	pw_model_dma_unmap(sim->model, iova, len);
	return sim_fail(rc);
}

static int
sim_dma_unmap(struct rte_vdev_device *vdev, void *addr, uint64_t iova, size_t len)
{
	struct sim *sim = sim_of(vdev);
	int rc = sim == NULL ? -ENODEV : pw_dma_window_remove(&sim->iommu, iova, len);

	RTE_SET_USED(addr);
	if (rc == 0)
		rc = pw_model_dma_unmap(sim->model, iova, len);
	return rc == 0 ? 0 : sim_fail(rc);
}

/* --- for tests ----------------------------------------------------------------------- */

struct pw_model *
pw_sim_model(uint16_t port_id)
{
	return port_id < RTE_MAX_ETHPORTS && sims[port_id] != NULL ? sims[port_id]->model : NULL;
}

static void
sim_delay_us(unsigned int us)
{
	pw_clock_advance(sim_clock, (uint64_t)us * 1000u);
}

void
pw_sim_set_clock(struct pw_clock *clock)
{
	bool virt = clock != NULL && clock->is_virtual;

	rte_delay_us_callback_register(virt ? sim_delay_us : rte_delay_us_block);
	sim_clock = clock;
}

static struct rte_vdev_driver pw_sim_drv = {
	.probe = sim_probe,
	.remove = sim_remove,
	.dma_map = sim_dma_map,
	.dma_unmap = sim_dma_unmap,
};

PW_REGISTER_VDEV(net_pw_sim, pw_sim_drv);
RTE_PMD_REGISTER_PARAM_STRING(net_pw_sim, SIM_ARGS_HELP);
