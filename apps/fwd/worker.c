/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The forwarding loop. A burst is received from one port and given to the other; what that does
 * not take is dropped at once and counted: a forwarder that waits for a full port would only
 * lose packets at the other one.
 */

#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include "fwd.h"

static void
drop(struct fwd_direction *d, enum fwd_drop why, struct rte_mbuf **m, unsigned int nb)
{
	rte_pktmbuf_free_bulk(m, nb);
	d->dropped[why] += nb;
}

/* Write the addresses. @return how many packets there still are. */
static uint16_t
set_addresses(struct fwd_direction *d, struct rte_mbuf **m, uint16_t nb)
{
	uint16_t i, kept = 0;

	for (i = 0; i < nb; i++) {
		struct rte_ether_hdr *eth = rte_pktmbuf_mtod(m[i], struct rte_ether_hdr *);

		if (m[i]->data_len < sizeof(*eth)) {
			drop(d, FWD_TOO_SHORT, &m[i], 1);
			continue;
		}
		eth->src_addr = d->source;
		if (d->set_destination)
			eth->dst_addr = d->destination;
		m[kept++] = m[i];
	}
	return kept;
}

/* Let the port look at the packets. @return how many it is ready to send. */
static uint16_t
prepare(struct fwd_direction *d, struct rte_mbuf **m, uint16_t nb)
{
	uint16_t ok = 0;

	while (ok < nb) {
		ok += rte_eth_tx_prepare(d->to, 0, &m[ok], nb - ok);
		if (ok == nb)
			break;
		drop(d, FWD_TX_REFUSED, &m[ok], 1);
		nb--;
		memmove(&m[ok], &m[ok + 1], (nb - ok) * sizeof(m[0]));
	}
	return nb;
}

static void
forward(struct fwd_direction *d)
{
	struct rte_mbuf *m[APP_MAX_BURST];
	uint16_t nb = rte_eth_rx_burst(d->from, 0, m, d->burst), sent;

	if (nb == 0)
		return;
	d->rx += nb;
	if (d->set_source)
		nb = set_addresses(d, m, nb);
	nb = prepare(d, m, nb);
	sent = rte_eth_tx_burst(d->to, 0, m, nb);
	d->tx += sent;
	if (sent < nb)
		drop(d, FWD_TX_FULL, &m[sent], nb - sent);
}

/* While the sending ports empty their rings, what comes is still taken and counted. */
static void
discard(struct fwd_direction *d)
{
	struct rte_mbuf *m[APP_MAX_BURST];
	uint16_t nb = rte_eth_rx_burst(d->from, 0, m, d->burst);

	d->rx += nb;
	drop(d, FWD_STOPPING, m, nb);
}

int
fwd_worker(void *arg)
{
	const struct fwd_worker *w = arg;
	struct fwd_state *s = w->state;
	unsigned int i;

	while (!atomic_load_explicit(&s->halt, memory_order_relaxed))
		for (i = w->first; i < s->nb_directions; i += s->nb_workers)
			forward(&s->direction[i]);
	while (!atomic_load_explicit(&s->stop, memory_order_relaxed))
		for (i = w->first; i < s->nb_directions; i += s->nb_workers)
			discard(&s->direction[i]);
	return 0;
}
