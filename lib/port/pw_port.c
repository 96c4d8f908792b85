/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_dev.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_ether.h>
#include <rte_lcore.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "pw_capture.h"
#include "pw_port.h"
#include "pw_port_spec.h"

#define POOL_CACHE 256u		/* buffers a lcore keeps at hand */
#define MAX_SIMS 64u
#define MAX_LEFT_POOLS 64u

struct pw_port {
	char *spec;
	struct pw_spec parsed;
	uint16_t id;
	bool made;		/* the device is ours to remove */
	bool configured;
	bool running;
	bool promiscuous;
	bool no_flow_control;
	bool own_pool;
	struct rte_mempool *pool;
	struct rte_eth_dev_info dev;
	struct rte_eth_conf eth;
	uint16_t rxd, txd;
	struct rte_eth_stats base;	/* counters at start, if they cannot be reset */
};

static struct pw_port *open_ports[RTE_MAX_ETHPORTS];

/*
 * Pools of closed ports whose buffers still wait in another port's Tx ring. They can go when
 * those buffers have come home.
 */
static struct rte_mempool *left_pools[MAX_LEFT_POOLS];

/* Finding and making the device */

static const char *
bus_of(const struct pw_spec *spec)
{
	return spec->kind == PW_SPEC_PCI ? "pci" : "vdev";
}

static int
name_sim(struct pw_spec *spec)
{
	uint16_t id;
	unsigned int i;

	for (i = 0; i < MAX_SIMS; i++) {
		snprintf(spec->name, sizeof(spec->name), "net_pw_sim%u", i);
		if (rte_eth_dev_get_port_by_name(spec->name, &id) != 0)
			return 0;
	}
	return -ENOSPC;
}

static int
find_existing(struct pw_port *port, char *err, size_t errlen)
{
	const char *name = port->parsed.name;
	char *end;
	unsigned long id = strtoul(name, &end, 10);

	if (*end == '\0' && id < RTE_MAX_ETHPORTS && rte_eth_dev_is_valid_port(id)) {
		port->id = id;
		return 0;
	}
	if (rte_eth_dev_get_port_by_name(name, &port->id) == 0)
		return 0;
	snprintf(err, errlen, "port '%s': there is no such port (%u are known); a new one is named "
		 "as 0000:02:00.0, sim:82540em,wire=a or vdev:net_NAME,...", name,
		 rte_eth_dev_count_avail());
	return -ENODEV;
}

/* The ethdev of the device; a card may call it by another name than its address. */
static int
find_port_of(struct pw_port *port)
{
	struct rte_dev_iterator it;
	char devargs[PW_SPEC_NAME_LEN + 8];
	uint16_t id;

	if (rte_eth_dev_get_port_by_name(port->parsed.name, &port->id) == 0)
		return 0;
	snprintf(devargs, sizeof(devargs), "%s:%s", bus_of(&port->parsed), port->parsed.name);
	RTE_ETH_FOREACH_MATCHING_DEV(id, devargs, &it) {
		port->id = id;
		rte_eth_iterator_cleanup(&it);
		return 0;
	}
	return -ENODEV;
}

static int
make_device(struct pw_port *port, char *err, size_t errlen)
{
	struct pw_spec *spec = &port->parsed;
	struct pw_capture capture;
	char reason[256];
	int ret;

	pw_capture_begin(&capture);
	ret = rte_eal_hotplug_add(bus_of(spec), spec->name, spec->args);
	if (ret == 0 && find_port_of(port) == 0) {
		pw_capture_replay(&capture);
		port->made = true;
		return 0;
	}
	pw_capture_reason(&capture, reason, sizeof(reason));
	if (ret == 0) {
		rte_eal_hotplug_remove(bus_of(spec), spec->name);
		ret = -ENODEV;
	}
	if (ret == -EEXIST)
		snprintf(err, errlen, "port %s: the device %s exists already: give it as '%s'",
			 port->spec, spec->name, spec->name);
	else if (strncmp(reason, "failed to parse device", 22) == 0)
		snprintf(err, errlen, "port %s: no driver has such a name as %s (one that is not "
			 "DPDK's must be loaded: --eal \"-d FILE\")", port->spec, spec->name);
	else
		snprintf(err, errlen, "port %s: %s", port->spec, reason[0] != '\0' ? reason :
			 ret == -ENODEV ? "no driver takes this device" : strerror(-ret));
	return ret;
}

static int
find_device(struct pw_port *port, char *err, size_t errlen)
{
	int ret;

	switch (port->parsed.kind) {
	case PW_SPEC_PORT:
		return find_existing(port, err, errlen);
	case PW_SPEC_PCI:
		ret = pw_spec_check_pci("/sys", port->parsed.name, err, errlen);
		if (ret != 0)
			return ret;
		/* EAL has probed it at its start if it was told to. */
		if (find_port_of(port) == 0) {
			port->made = true;
			return 0;
		}
		break;
	case PW_SPEC_SIM:
		if (name_sim(&port->parsed) != 0) {
			snprintf(err, errlen, "port %s: more than %u sims", port->spec, MAX_SIMS);
			return -ENOSPC;
		}
		break;
	case PW_SPEC_VDEV:
		break;
	}
	return make_device(port, err, errlen);
}

static void
remove_device(struct pw_port *port)
{
	struct pw_capture capture;
	char reason[1];

	rte_eth_dev_close(port->id);
	if (!port->made)
		return;
	/* A driver whose close has taken the device along makes EAL complain. */
	pw_capture_begin(&capture);
	rte_eal_hotplug_remove(bus_of(&port->parsed), port->parsed.name);
	pw_capture_reason(&capture, reason, sizeof(reason));
}

/* Checking what is asked */

static int
choose_ring(const struct pw_port *port, const char *which, uint16_t asked,
	    const struct rte_eth_desc_lim *lim, uint16_t *nb, char *err, size_t errlen)
{
	uint16_t align = RTE_MAX(lim->nb_align, 1);
	uint16_t max = lim->nb_max != 0 ? lim->nb_max : UINT16_MAX;
	uint16_t min = RTE_MAX(lim->nb_min, 1);

	*nb = asked;
	if (asked == 0)
		*nb = RTE_MAX(RTE_MIN(PW_PORT_RING, max) / align * align, min);
	else if (asked < min || asked > max || asked % align != 0) {
		snprintf(err, errlen, "port %s: no %s ring of %u descriptors: from %u to %u in "
			 "steps of %u", port->spec, which, asked, min, max, align);
		return -EINVAL;
	}
	return 0;
}

/* Bytes of a frame that the MTU does not count: Ethernet header, FCS, tags the chip allows. */
static uint32_t
frame_overhead(const struct rte_eth_dev_info *dev)
{
	uint32_t least = RTE_ETHER_HDR_LEN + RTE_ETHER_CRC_LEN;

	if (dev->max_mtu == UINT16_MAX || dev->max_rx_pktlen < dev->max_mtu + least)
		return least;
	return dev->max_rx_pktlen - dev->max_mtu;
}

static int
choose_mtu(struct pw_port *port, uint32_t max_frame, char *err, size_t errlen)
{
	uint32_t overhead = frame_overhead(&port->dev);
	uint32_t mtu = RTE_ETHER_MTU;

	if (max_frame > mtu + overhead)
		mtu = max_frame - overhead;
	if (max_frame > RTE_ETHER_MAX_JUMBO_FRAME_LEN * 4 || mtu > port->dev.max_mtu) {
		snprintf(err, errlen, "port %s: no frames of %u bytes: up to %u", port->spec,
			 max_frame, port->dev.max_mtu + overhead);
		return -EINVAL;
	}
	port->eth.rxmode.mtu = mtu;
	return 0;
}

static int
choose(struct pw_port *port, const struct pw_port_conf *conf, char *err, size_t errlen)
{
	uint64_t rx_wanted = conf->rx_offloads;
	int ret = rte_eth_dev_info_get(port->id, &port->dev);

	if (ret != 0) {
		snprintf(err, errlen, "port %s: the driver tells nothing about it: %s", port->spec,
			 strerror(-ret));
		return ret;
	}
	ret = choose_ring(port, "Rx", conf->rxd, &port->dev.rx_desc_lim, &port->rxd, err, errlen);
	if (ret == 0)
		ret = choose_ring(port, "Tx", conf->txd, &port->dev.tx_desc_lim, &port->txd, err,
				  errlen);
	if (ret == 0)
		ret = choose_mtu(port, conf->max_frame, err, errlen);
	/* A chip may have no buffer size that fits a long frame in one piece. */
	if (conf->max_frame > RTE_MBUF_DEFAULT_DATAROOM)
		rx_wanted |= RTE_ETH_RX_OFFLOAD_SCATTER;
	port->eth.rxmode.offloads = rx_wanted & port->dev.rx_offload_capa;
	port->eth.txmode.offloads = conf->tx_offloads & port->dev.tx_offload_capa;
	return ret;
}

/* Setting up */

static int
make_pool(struct pw_port *port, const struct pw_port_conf *conf, char *err, size_t errlen)
{
	uint32_t nb = conf->mbufs != 0 ? conf->mbufs : port->rxd + port->txd + PW_PORT_SPARE;
	uint32_t room = RTE_MBUF_DEFAULT_DATAROOM;
	char name[RTE_MEMPOOL_NAMESIZE];
	static unsigned int serial;	/* a pool left behind keeps its name */

	if (conf->pool != NULL) {
		port->pool = conf->pool;
		return 0;
	}
	if (conf->max_frame > room)
		room = rte_align32pow2(conf->max_frame);
	snprintf(name, sizeof(name), "pw_%u_%u", port->id, serial++);
	port->pool = rte_pktmbuf_pool_create(name, nb, nb >= 4 * POOL_CACHE ? POOL_CACHE : 0, 0,
					     RTE_PKTMBUF_HEADROOM + room,
					     rte_eth_dev_socket_id(port->id));
	if (port->pool == NULL) {
		snprintf(err, errlen, "port %s: no memory for %u buffers of %u bytes (%lu MiB): "
			 "smaller rings, or more memory for EAL (--mem)", port->spec, nb, room,
			 ((uint64_t)nb * (room + RTE_PKTMBUF_HEADROOM + sizeof(struct rte_mbuf)) >>
			  20) + 1);
		return -ENOMEM;
	}
	port->own_pool = true;
	return 0;
}

static int
set_up(struct pw_port *port)
{
	struct rte_eth_rxconf rx = port->dev.default_rxconf;
	struct rte_eth_txconf tx = port->dev.default_txconf;
	int socket = rte_eth_dev_socket_id(port->id);
	int ret;

	rx.offloads = port->eth.rxmode.offloads;
	tx.offloads = port->eth.txmode.offloads;
	ret = rte_eth_dev_configure(port->id, 1, 1, &port->eth);
	if (ret != 0)
		return ret;
	port->configured = true;
	ret = rte_eth_rx_queue_setup(port->id, 0, port->rxd, socket, &rx, port->pool);
	if (ret != 0)
		return ret;
	return rte_eth_tx_queue_setup(port->id, 0, port->txd, socket, &tx);
}

static void
free_left_pools(void)
{
	unsigned int i;

	for (i = 0; i < MAX_LEFT_POOLS; i++) {
		if (left_pools[i] == NULL || !rte_mempool_full(left_pools[i]))
			continue;
		rte_mempool_free(left_pools[i]);
		left_pools[i] = NULL;
	}
}

static void
leave_pool(struct rte_mempool *pool)
{
	unsigned int i;

	for (i = 0; i < MAX_LEFT_POOLS; i++) {
		if (left_pools[i] != NULL)
			continue;
		left_pools[i] = pool;
		break;
	}
	free_left_pools();
}

int
pw_port_open(const char *spec, const struct pw_port_conf *conf, struct pw_port **out, char *err,
	     size_t errlen)
{
	static const struct pw_port_conf zero;
	struct pw_capture capture;
	struct pw_port *port;
	char reason[256];
	int ret;

	conf = conf != NULL ? conf : &zero;
	port = calloc(1, sizeof(*port));
	if (port == NULL || (port->spec = strdup(spec)) == NULL) {
		snprintf(err, errlen, "port %s: out of memory", spec);
		free(port);
		return -ENOMEM;
	}
	port->promiscuous = !conf->own_address_only;
	port->no_flow_control = conf->no_flow_control;

	ret = pw_spec_parse(spec, &port->parsed, err, errlen);
	if (ret != 0)
		goto err_port;
	/* Before its start EAL knows of no lcore, and its functions crash. */
	if (rte_lcore_count() == 0) {
		snprintf(err, errlen, "port %s: EAL does not run yet", spec);
		ret = -ENODEV;
		goto err_port;
	}
	ret = find_device(port, err, errlen);
	if (ret != 0)
		goto err_port;
	if (open_ports[port->id] != NULL) {
		snprintf(err, errlen, "port %s: open already, as %s", spec,
			 open_ports[port->id]->spec);
		ret = -EBUSY;
		goto err_port;
	}
	ret = choose(port, conf, err, errlen);
	if (ret != 0)
		goto err_device;
	ret = make_pool(port, conf, err, errlen);
	if (ret != 0)
		goto err_device;
	pw_capture_begin(&capture);
	ret = set_up(port);
	if (ret != 0) {
		pw_capture_reason(&capture, reason, sizeof(reason));
		snprintf(err, errlen, "port %s: cannot be set up: %s", spec,
			 reason[0] != '\0' ? reason : strerror(-ret));
		goto err_pool;
	}
	pw_capture_replay(&capture);
	open_ports[port->id] = port;
	*out = port;
	return 0;

err_pool:
	remove_device(port);
	if (port->own_pool)
		rte_mempool_free(port->pool);
	goto err_port;
err_device:
	remove_device(port);
err_port:
	free(port->spec);
	free(port);
	return ret;
}

/* Running */

/* A port that has no flow control is well without it. */
static int
stop_flow_control(const struct pw_port *port)
{
	struct rte_eth_fc_conf fc;
	int ret;

	memset(&fc, 0, sizeof(fc));
	ret = rte_eth_dev_flow_ctrl_get(port->id, &fc);
	if (ret == 0 && fc.mode != RTE_ETH_FC_NONE) {
		fc.mode = RTE_ETH_FC_NONE;
		ret = rte_eth_dev_flow_ctrl_set(port->id, &fc);
	}
	return ret == -ENOTSUP ? 0 : ret;
}

int
pw_port_start(struct pw_port *port, char *err, size_t errlen)
{
	struct pw_capture capture;
	char reason[256];
	int ret = 0;

	if (port->running)
		return 0;
	/* Before the start, or the first packets would meet a filter. */
	if (port->promiscuous)
		ret = rte_eth_promiscuous_enable(port->id);
	/* Virtual devices that have no filter take everything anyway. */
	if (ret != 0 && ret != -ENOTSUP) {
		snprintf(err, errlen, "port %s: no promiscuous mode: %s", port->spec,
			 strerror(-ret));
		return ret;
	}
	ret = port->no_flow_control ? stop_flow_control(port) : 0;
	if (ret != 0) {
		snprintf(err, errlen, "port %s: flow control cannot be turned off: %s", port->spec,
			 strerror(-ret));
		return ret;
	}
	/* Likewise: the first packets count. */
	if (rte_eth_stats_reset(port->id) == 0 || rte_eth_stats_get(port->id, &port->base) != 0)
		memset(&port->base, 0, sizeof(port->base));
	pw_capture_begin(&capture);
	ret = rte_eth_dev_start(port->id);
	if (ret != 0) {
		pw_capture_reason(&capture, reason, sizeof(reason));
		snprintf(err, errlen, "port %s: does not start: %s", port->spec,
			 reason[0] != '\0' ? reason : strerror(-ret));
		return ret;
	}
	pw_capture_replay(&capture);
	port->running = true;
	return 0;
}

int
pw_port_stop(struct pw_port *port)
{
	if (!port->running)
		return 0;
	port->running = false;
	return rte_eth_dev_stop(port->id);
}

void
pw_port_close(struct pw_port *port)
{
	if (port == NULL)
		return;
	pw_port_stop(port);
	open_ports[port->id] = NULL;
	remove_device(port);
	if (port->own_pool)
		leave_pool(port->pool);
	else
		free_left_pools();
	free(port->spec);
	free(port);
}

uint16_t
pw_port_id(const struct pw_port *port)
{
	return port->id;
}

const char *
pw_port_name(const struct pw_port *port)
{
	return port->spec;
}

struct rte_mempool *
pw_port_pool(const struct pw_port *port)
{
	return port->pool;
}

void
pw_port_info(const struct pw_port *port, struct pw_port_info *info)
{
	struct rte_ether_addr mac = {.addr_bytes = {0}};

	memset(info, 0, sizeof(*info));
	if (rte_eth_dev_get_name_by_port(port->id, info->name) != 0)
		info->name[0] = '\0';
	rte_eth_macaddr_get(port->id, &mac);
	memcpy(info->mac, mac.addr_bytes, sizeof(info->mac));
	info->driver = port->dev.driver_name;
	info->rxd = port->rxd;
	info->txd = port->txd;
	info->max_frame = port->eth.rxmode.mtu + frame_overhead(&port->dev);
	info->rx_offloads = port->eth.rxmode.offloads;
	info->tx_offloads = port->eth.txmode.offloads;
	info->socket = rte_eth_dev_socket_id(port->id);
}

void
pw_port_link(const struct pw_port *port, struct pw_port_link *link)
{
	struct rte_eth_link l;

	memset(link, 0, sizeof(*link));
	memset(&l, 0, sizeof(l));
	if (rte_eth_link_get_nowait(port->id, &l) != 0 || l.link_status != RTE_ETH_LINK_UP)
		return;
	link->up = true;
	link->full_duplex = l.link_duplex == RTE_ETH_LINK_FULL_DUPLEX;
	link->mbps = l.link_speed == RTE_ETH_SPEED_NUM_UNKNOWN ? 0 : l.link_speed;
}

/* A driver may clear its counters at start although it cannot reset them. */
static uint64_t
since(uint64_t now, uint64_t base)
{
	return now >= base ? now - base : now;
}

int
pw_port_stats(const struct pw_port *port, struct pw_port_stats *stats)
{
	struct rte_eth_stats s;
	int ret;

	memset(stats, 0, sizeof(*stats));
	ret = rte_eth_stats_get(port->id, &s);
	if (ret != 0)
		return ret;
	stats->rx_packets = since(s.ipackets, port->base.ipackets);
	stats->rx_bytes = since(s.ibytes, port->base.ibytes);
	stats->tx_packets = since(s.opackets, port->base.opackets);
	stats->tx_bytes = since(s.obytes, port->base.obytes);
	stats->rx_missed = since(s.imissed, port->base.imissed);
	stats->rx_nombuf = since(s.rx_nombuf, port->base.rx_nombuf);
	stats->rx_errors = since(s.ierrors, port->base.ierrors);
	stats->tx_errors = since(s.oerrors, port->base.oerrors);
	return 0;
}
