/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * A program of somebody else's: knows pw_port.h, pollwire.pc and DPDK's public headers.
 * Two 82540EM on one wire, and then two 82559C; what the first sends, the second receives.
 *
 * usage: embed [EAL OPTION]...     with options it starts EAL itself
 */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include <pw_port.h>

#define NB_PACKETS 64
#define LEN 100
#define MAX_LOOKS 10000000

static int
complain(const char *err)
{
	fprintf(stderr, "embed: %s\n", err);
	return 1;
}

static uint16_t
send_packets(struct pw_port *port)
{
	struct rte_mbuf *m[NB_PACKETS];
	uint16_t i;

	if (rte_pktmbuf_alloc_bulk(pw_port_pool(port), m, NB_PACKETS) != 0)
		return 0;
	for (i = 0; i < NB_PACKETS; i++) {
		memset(rte_pktmbuf_append(m[i], LEN), i, LEN);
		memset(rte_pktmbuf_mtod(m[i], void *), 0xff, 6);
	}
	return rte_eth_tx_burst(pw_port_id(port), 0, m, NB_PACKETS);
}

static unsigned int
receive_packets(struct pw_port *port)
{
	struct rte_mbuf *m[32];
	unsigned int good = 0, looks, i;
	uint16_t nb;

	for (looks = 0; good < NB_PACKETS && looks < MAX_LOOKS; looks++) {
		nb = rte_eth_rx_burst(pw_port_id(port), 0, m, 32);
		for (i = 0; i < nb; i++)
			good += rte_pktmbuf_pkt_len(m[i]) == LEN &&
				rte_pktmbuf_mtod(m[i], uint8_t *)[LEN - 1] == good;
		rte_pktmbuf_free_bulk(m, nb);
	}
	return good;
}

static int
try_ports(struct pw_port *a, struct pw_port *b)
{
	struct pw_port_stats sent, received;
	struct pw_port_info info;
	struct pw_port_link link;

	pw_port_info(b, &info);
	pw_port_link(b, &link);
	printf("%s: %s, %u descriptors, link %s %u\n", info.name, info.driver, info.rxd,
	       link.up ? "up" : "down", link.mbps);
	if (send_packets(a) != NB_PACKETS || receive_packets(b) != NB_PACKETS)
		return complain("packets got lost");
	if (pw_port_stats(a, &sent) != 0 || pw_port_stats(b, &received) != 0)
		return complain("no statistics");
	printf("sent %" PRIu64 " received %" PRIu64 "\n", sent.tx_packets, received.rx_packets);
	return 0;
}

static int
run(const char *spec)
{
	const struct pw_port_conf wrong = {.rxd = 7}, good = {.rxd = 128, .txd = 128};
	struct pw_port *a = NULL, *b = NULL;
	char err[PW_ERR_LEN];
	int ret = 1;

	if (pw_port_open(spec, &wrong, &a, err, sizeof(err)) == 0)
		return complain("a ring of 7 was accepted");
	printf("refused: %s\n", err);
	if (pw_port_open(spec, &good, &a, err, sizeof(err)) != 0 ||
	    pw_port_open(spec, &good, &b, err, sizeof(err)) != 0 ||
	    pw_port_start(a, err, sizeof(err)) != 0 || pw_port_start(b, err, sizeof(err)) != 0)
		complain(err);
	else
		ret = try_ports(a, b);
	pw_port_close(b);
	pw_port_close(a);
	return ret;
}

int
main(int argc, char **argv)
{
	const struct pw_eal_opts opts = {.prog = "embed"};
	char note[PW_ERR_LEN], err[PW_ERR_LEN];
	struct pw_port *port;
	int ret;

	if (pw_port_open("sim:82540em,wire=a", NULL, &port, err, sizeof(err)) == 0)
		return complain("a port without EAL");
	printf("refused: %s\n", err);
	if (argc > 1) {
		if (rte_eal_init(argc, argv) < 0)
			return complain("EAL does not start");
	} else {
		if (pw_eal_start(&opts, note, sizeof(note), err, sizeof(err)) != 0)
			return complain(err);
		printf("%s\n", note);
	}
	ret = run("sim:82540em,wire=a");
	/* What is closed leaves nothing: once more, with cards that reach 4 GiB. */
	if (ret == 0)
		ret = run("sim:82559c,wire=a");
	pw_eal_stop();
	return ret;
}
