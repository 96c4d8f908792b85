/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * What testpmd cannot do to two ports in a guest:
 *
 *	ports EAL-ARGUMENTS -- secondary	a second process that forwards between them
 *	ports EAL-ARGUMENTS -- sleep		forward, asleep until an interrupt brings frames
 *
 * Ends at SIGTERM, with a line of figures. Exit status 1 and one line at what is wrong.
 */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_eal.h>
#include <rte_epoll.h>
#include <rte_ethdev.h>
#include <rte_interrupts.h>
#include <rte_mbuf.h>

#define BURST 32
#define NB_DESC 256
#define NB_MBUFS 4095
#define LOOK_MS 200

static volatile sig_atomic_t stop;

static void
on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

static void
check(int good, const char *what, int got)
{
	if (good)
		return;
	fprintf(stderr, "ports: %s: %d\n", what, got);
	exit(1);
}

/* Pass on what port `from` has. @return frames. */
static unsigned int
forward(uint16_t from)
{
	struct rte_mbuf *m[BURST];
	unsigned int all = 0;
	uint16_t n, sent;

	while ((n = rte_eth_rx_burst(from, 0, m, BURST)) > 0) {
		sent = rte_eth_tx_burst(from ^ 1, 0, m, n);
		rte_pktmbuf_free_bulk(m + sent, n - sent);
		all += n;
	}
	return all;
}

/* --- a second process ------------------------------------------------------------------------ */

static void
control_is_refused(uint16_t port)
{
	struct rte_eth_conf conf = { 0 };

	check(rte_eth_dev_stop(port) == -EPERM, "stop is not refused", port);
	check(rte_eth_dev_set_link_down(port) == -EPERM, "link down is not refused", port);
	check(rte_eth_dev_reset(port) == -EPERM, "reset is not refused", port);
	check(rte_eth_dev_set_mtu(port, 1400) == -EPERM, "MTU is not refused", port);
	check(rte_eth_dev_configure(port, 1, 1, &conf) != 0, "configuring is not refused", port);
	check(rte_eth_dev_flow_ctrl_set(port, &(struct rte_eth_fc_conf){ 0 }) == -ENOTSUP,
	      "flow control is not refused", port);
}

static void
can_be_looked_at(uint16_t port)
{
	struct rte_eth_dev_info info;
	struct rte_eth_rxq_info rxq;
	struct rte_eth_link link;
	struct rte_eth_stats stats;

	check(rte_eth_dev_info_get(port, &info) == 0, "no information", port);
	check(info.max_mac_addrs > 0 && info.max_rx_pktlen >= 1518, "wrong information", port);
	check(rte_eth_rx_queue_info_get(port, 0, &rxq) == 0, "no queue information", port);
	check(rte_eth_link_get_nowait(port, &link) == 0, "no link state", port);
	check(link.link_status == RTE_ETH_LINK_UP, "link is down", port);
	check(rte_eth_stats_get(port, &stats) == 0, "no statistics", port);
	check(rte_eth_xstats_get(port, NULL, 0) > 0, "no extended statistics", port);
}

static void
run_secondary(void)
{
	uint64_t frames = 0;
	uint16_t port;

	check(rte_eal_process_type() == RTE_PROC_SECONDARY, "not a secondary process", 0);
	RTE_ETH_FOREACH_DEV(port) {
		can_be_looked_at(port);
		control_is_refused(port);
	}
	printf("ready\n");
	while (!stop)
		frames += forward(0) + forward(1);
	printf("frames %" PRIu64 "\n", frames);
}

/* --- asleep ---------------------------------------------------------------------------------- */

static void
start(uint16_t port)
{
	struct rte_eth_conf conf = { .intr_conf.rxq = 1 };
	struct rte_mempool *mp;
	char name[16];

	snprintf(name, sizeof(name), "pool%u", port);
	mp = rte_pktmbuf_pool_create(name, NB_MBUFS, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE,
				     SOCKET_ID_ANY);
	check(mp != NULL, "no memory for port", port);
	check(rte_eth_dev_configure(port, 1, 1, &conf) == 0, "cannot configure", port);
	check(rte_eth_rx_queue_setup(port, 0, NB_DESC, SOCKET_ID_ANY, NULL, mp) == 0, "Rx queue",
	      port);
	check(rte_eth_tx_queue_setup(port, 0, NB_DESC, SOCKET_ID_ANY, NULL) == 0, "Tx queue",
	      port);
	check(rte_eth_dev_start(port) == 0, "cannot start", port);
	check(rte_eth_promiscuous_enable(port) == 0, "cannot be promiscuous", port);
	check(rte_eth_dev_rx_intr_ctl_q(port, 0, RTE_EPOLL_PER_THREAD, RTE_INTR_EVENT_ADD,
					(void *)(uintptr_t)port) == 0, "no Rx interrupt", port);
	check(rte_eth_dev_rx_intr_enable(port, 0) == 0, "Rx interrupt stays masked", port);
}

/* A port is polled only when its interrupt came, so no frame passes without one. */
static void
run_asleep(void)
{
	struct rte_epoll_event event[2];
	uint64_t frames = 0, wakeups = 0, empty = 0;
	unsigned int got;
	uint16_t port;
	int n;

	for (port = 0; port < 2; port++)
		start(port);
	printf("ready\n");
	while (!stop) {
		n = rte_epoll_wait(RTE_EPOLL_PER_THREAD, event, 2, LOOK_MS);
		check(n >= 0, "epoll", n);
		for (int i = 0; i < n; i++) {
			port = (uint16_t)(uintptr_t)event[i].epdata.data;
			wakeups++;
			check(rte_eth_dev_rx_intr_disable(port, 0) == 0, "masking", port);
			got = forward(port);
			frames += got;
			empty += got == 0;
			check(rte_eth_dev_rx_intr_enable(port, 0) == 0, "unmasking", port);
		}
	}
	printf("frames %" PRIu64 " wakeups %" PRIu64 " empty %" PRIu64 "\n", frames, wakeups,
	       empty);
	for (port = 0; port < 2; port++) {
		check(rte_eth_dev_rx_intr_ctl_q(port, 0, RTE_EPOLL_PER_THREAD, RTE_INTR_EVENT_DEL,
						NULL) == 0, "interrupt", port);
		check(rte_eth_dev_stop(port) == 0, "stop", port);
		check(rte_eth_dev_close(port) == 0, "close", port);
	}
}

int
main(int argc, char **argv)
{
	int n = rte_eal_init(argc, argv);
	const char *mode;

	check(n >= 0, "EAL", n);
	mode = argc > n + 1 ? argv[n + 1] : "";
	setlinebuf(stdout);
	signal(SIGTERM, on_signal);
	check(rte_eth_dev_count_avail() == 2, "not two ports", rte_eth_dev_count_avail());
	if (strcmp(mode, "secondary") == 0)
		run_secondary();
	else if (strcmp(mode, "sleep") == 0)
		run_asleep();
	else
		check(0, "say secondary or sleep", argc);
	rte_eal_cleanup();
	return 0;
}
