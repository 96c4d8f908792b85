/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* Ports, flows and their buffers: made once, for any number of runs. */

#include <stdlib.h>
#include <string.h>

#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_malloc.h>

#include "clock.h"
#include "run.h"

#define STALL_S 2		/* a port that takes nothing for so long has stopped */
#define TX_SPARE 2048u		/* buffers under way beside those in the Tx ring */
#define CKSUM_OFFLOADS (RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM)

static uint32_t
longest_frame(const struct gen_args *args)
{
	uint32_t max = args->sizes.max;
	unsigned int i;

	for (i = 0; i < args->nb_tests; i++)
		max = RTE_MAX(max, args->test_size[i]);
	return max;
}

/*
 * A sim on a wire inside this process has nobody to hear from but other ports of ours: where it
 * is named as sender and as receiver, two ends of the wire are meant.
 */
static bool
means_two_ends(const char *spec)
{
	const char *wire = strncmp(spec, "sim:", 4) == 0 ? strstr(spec, ",wire=") : NULL;

	return wire != NULL && strchr(wire, ':') == NULL;
}

/* The port of that name, as a receiver or a sender; equal names are one port as a rule. */
static struct gen_sink *
find_sink(struct gen_run *run, const char *spec, bool receives)
{
	unsigned int i;

	for (i = 0; i < run->nb_sinks; i++)
		if (strcmp(pw_port_name(run->sink[i].port), spec) == 0 &&
		    (run->sink[i].expects == receives || !means_two_ends(spec)))
			return &run->sink[i];
	return NULL;
}

static enum app_status
add_port(struct gen_run *run, const struct gen_args *args, const char *spec, bool receives)
{
	struct pw_port_conf conf = {
		.rxd = args->app.rxd,
		.txd = args->app.txd,
		.max_frame = longest_frame(args),
		.tx_offloads = args->sw_cksum ? 0 : CKSUM_OFFLOADS,
		/* Or the device under test would slow down what is to test it. */
		.no_flow_control = true,
	};
	struct gen_sink *sink;
	enum app_status status;

	sink = find_sink(run, spec, receives);
	if (sink != NULL) {
		sink->expects |= receives;
		return APP_OK;
	}
	sink = &run->sink[run->nb_sinks];
	/* Only where all packets of a port come from one pool. */
	if (args->nb_flows == 1)
		conf.tx_offloads |= RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE;
	status = app_port_add(&run->ports, spec, &conf);
	if (status != APP_OK)
		return status;
	sink->port = run->ports.port[run->ports.nb - 1];
	sink->id = pw_port_id(sink->port);
	sink->expects = receives;
	run->nb_sinks++;
	return APP_OK;
}

static void
fill_buffer(struct rte_mempool *pool __rte_unused, void *layout, void *obj,
	    unsigned int index __rte_unused)
{
	const struct gen_layout *l = layout;
	struct rte_mbuf *m = obj;

	memcpy((uint8_t *)m->buf_addr + RTE_PKTMBUF_HEADROOM, l->bytes,
	       RTE_MIN((size_t)m->buf_len - RTE_PKTMBUF_HEADROOM, sizeof(l->bytes)));
}

static enum app_status
make_pool(struct gen_flow *f, uint32_t longest, uint16_t txd)
{
	uint32_t nb = txd + TX_SPARE, room = RTE_MAX(longest, (uint32_t)RTE_MBUF_DEFAULT_DATAROOM);
	char name[RTE_MEMPOOL_NAMESIZE];

	snprintf(name, sizeof(name), "gen_flow_%u", f->stream);
	f->pool = rte_pktmbuf_pool_create(name, nb, 256, 0, RTE_PKTMBUF_HEADROOM + room,
					  rte_eth_dev_socket_id(f->tx_id));
	if (f->pool == NULL) {
		app_say("port %s: no memory for %u packets of %u bytes to send: smaller --txd, or "
			"more --mem", pw_port_name(f->tx), nb, room);
		return APP_FAILED;
	}
	rte_mempool_obj_iter(f->pool, fill_buffer, f->layout);
	return APP_OK;
}

static enum app_status
make_flow(struct gen_run *run, const struct gen_args *args, unsigned int i)
{
	struct gen_sink *tx = find_sink(run, args->tx[i], false);
	struct gen_sink *rx = find_sink(run, args->rx[i], true);
	struct gen_frame_conf conf = args->frame;
	struct gen_flow *f = &run->flow[i];
	struct pw_port_info tx_info, rx_info;
	bool hw;

	f->tx = tx->port;
	f->rx = rx->port;
	f->tx_id = tx->id;
	f->rx_id = rx->id;
	f->stream = i;
	pw_port_info(f->tx, &tx_info);
	pw_port_info(f->rx, &rx_info);
	if (!args->have_src_mac)
		memcpy(conf.src_mac, tx_info.mac, sizeof(conf.src_mac));
	if (!args->have_dst_mac)
		memcpy(conf.dst_mac, rx_info.mac, sizeof(conf.dst_mac));
	f->layout = malloc(sizeof(*f->layout));
	if (f->layout == NULL) {
		app_say("out of memory");
		return APP_FAILED;
	}
	hw = (tx_info.tx_offloads & CKSUM_OFFLOADS) == CKSUM_OFFLOADS;
	gen_frame_layout(f->layout, &conf, hw);
	if (hw) {
		struct rte_mbuf m = {
			.l2_len = f->layout->l3,
			.l3_len = sizeof(struct rte_ipv4_hdr),
		};

		f->ol_flags = RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM | RTE_MBUF_F_TX_UDP_CKSUM;
		f->tx_offload = m.tx_offload;
	}
	return make_pool(f, longest_frame(args), tx_info.txd);
}

enum app_status
gen_run_open(struct gen_run *run, const struct gen_args *args)
{
	enum app_status status = APP_OK;
	unsigned int i;

	run->burst = args->app.burst;
	run->check = args->check;
	for (i = 0; i < args->nb_flows && status == APP_OK; i++) {
		status = add_port(run, args, args->tx[i], false);
		if (status == APP_OK)
			status = add_port(run, args, args->rx[i], true);
	}
	if (status != APP_OK)
		return status;
	run->flow = rte_zmalloc("gen_flows", args->nb_flows * sizeof(run->flow[0]),
				RTE_CACHE_LINE_SIZE);
	if (run->flow == NULL) {
		app_say("no memory for %u flows: more --mem", args->nb_flows);
		return APP_FAILED;
	}
	for (; run->nb_flows < args->nb_flows && status == APP_OK; run->nb_flows++)
		status = make_flow(run, args, run->nb_flows);
	if (status == APP_OK)
		status = app_ports_wait(&run->ports, args->link_wait_s);
	if (status == APP_OK)
		app_say_memory();
	run->hz = gen_clock_hz();
	run->stall_ticks = STALL_S * run->hz;
	return status;
}

void
gen_run_close(struct gen_run *run)
{
	unsigned int i;

	app_ports_close(&run->ports);
	for (i = 0; i < run->nb_flows; i++) {
		rte_mempool_free(run->flow[i].pool);
		free(run->flow[i].layout);
	}
	rte_free(run->flow);
}
