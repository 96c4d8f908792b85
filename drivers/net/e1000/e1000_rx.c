/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Receive. This is the driver to read first: the other four say what they do differently.
 *
 * How the chip moves a frame: we put the addresses of empty buffers into a ring of 16-byte
 * descriptors and tell the chip, by the tail register, how far it may go. The chip copies a
 * frame into the buffer at its head, writes length and status over the descriptor's second
 * word, with the DD bit, and moves on. We never ask the chip where it is: DD in memory says
 * all, and costs a cached load where a register costs hundreds of cycles (§5.5).
 *
 *	       cons                       prod-1 = tail    prod
 *	        |                            |             |
 *	 ... ---+----+----+----+----+---+----+----+--------+--- ...
 *	 taken  | DD | DD | DD |  . | . |  . | .. | to be refilled
 *	 ... ---+----+----+----+----+---+----+----+--------+--- ...
 *	          ready for us  | the chip's |    |
 *
 * Both counters run freely and are masked at use. The slot before prod is filled but withheld
 * from the chip: head equal to tail means empty (§2.3), so the chip must never own them all.
 *
 * A burst has three verbs. `ready` counts descriptors with DD, four at a time: the chip writes
 * them in order, so the fourth speaks for the three before it. `take` turns that many into
 * mbufs. `refill` puts new buffers in, 32 at a time, with one bulk call to the pool, and writes
 * the tail once. Nothing else in a burst touches a register.
 *
 * Two bursts differ only in `take`. The plain one stores five fields a packet and looks for
 * trouble once a batch, in the OR of all status words; a batch with anything unusual in it
 * goes through the full one's take. The full one looks up the offload flags of each packet in
 * a table indexed by its status bits, and joins frames that span buffers.
 *
 * When the pool has no buffers, packets are still handed up and their slots stay empty: the
 * ring runs down, then the chip drops and counts (MPC), and each burst tries again. What is
 * put off is counted in rx_mbuf_alloc_failed.
 */

#include <string.h>

#include <rte_malloc.h>
#include <rte_prefetch.h>

#include <e1000_desc.h>

#include "e1000.h"

#define WB_STATUS(bit)		((uint64_t)(bit) << E1000_RXD_STATUS_SHIFT)
#define WB_DD			WB_STATUS(E1000_RXD_DD)
#define WB_EOP			WB_STATUS(E1000_RXD_EOP)
#define WB_VP			WB_STATUS(E1000_RXD_VP)
#define WB_ERRORS		((uint64_t)E1000_RXD_FRAME_ERRORS << E1000_RXD_ERRORS_SHIFT)

/* Longest frame without RCTL.LPE, one tag included, CRC not (§6). */
#define RX_SHORT_MAX		(RTE_ETHER_MAX_VLAN_FRAME_LEN - RTE_ETHER_CRC_LEN)

static inline volatile struct e1000_rxd *
rx_desc(const struct e1000_rxq *rxq, uint32_t slot)
{
	return (volatile struct e1000_rxd *)rxq->q.desc + slot;
}

/* --- refill --- */

/*
 * Exchange the buffers among `n` slots that cross a boundary of the chip's. The chip cannot
 * use those and the pool would only hand them out again, so they wait in `parked` until stop.
 */
static __rte_noinline int
rx_park(struct e1000_rxq *rxq, uint32_t count, uint32_t n)
{
	struct rte_mbuf **b = &rxq->q.bufs.slot[count & rxq->q.bufs.mask];

	for (uint32_t i = 0; i < n; i++) {
		for (;;) {
			uint64_t start = b[i]->buf_iova + rxq->rx_off;

			if ((start ^ (start + rxq->buf_len - 1)) < rxq->boundary)
				break;
			b[i]->next = rxq->parked;
			rxq->parked = b[i];
			rxq->stats->rx_parked++;
			b[i] = rte_mbuf_raw_alloc(rxq->q.mp);
			if (b[i] == NULL) {
				b[i] = b[n - 1];
				rte_mempool_put_bulk(rxq->q.mp, (void **)b, n - 1);
				return -ENOMEM;
			}
		}
	}
	return 0;
}

/* Fill `n` slots from prod on, which do not wrap. @return 0, or -ENOMEM with nothing done. */
static inline int
rx_arm(struct e1000_rxq *rxq, uint32_t n)
{
	struct pw_ring *r = &rxq->q.ring;
	uint32_t slot = pw_ring_slot(r, r->prod);
	struct rte_mbuf **b = &rxq->q.bufs.slot[slot];
	volatile struct e1000_rxd *d = rx_desc(rxq, slot);

	if (unlikely(pw_bufs_refill(&rxq->q.bufs, rxq->q.mp, r->prod, n) != 0))
		return -ENOMEM;
	if (unlikely(rxq->boundary != 0) && rx_park(rxq, r->prod, n) != 0)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		d[i].addr = rte_cpu_to_le_64(b[i]->buf_iova + rxq->rx_off);
		d[i].wb = 0;
	}
	r->prod += n;
	return 0;
}

/* The pool has not got a full batch. Half a loaf keeps the ring alive. */
static __rte_noinline void
rx_arm_scarce(struct e1000_rxq *rxq, uint32_t n)
{
	rxq->stats->rx_nombuf++;
	while ((n /= 2) > 0 && rx_arm(rxq, n) != 0)
		;
}

static inline void
e1000_rx_refill(struct e1000_rxq *rxq)
{
	struct pw_ring *r = &rxq->q.ring;
	uint32_t old = r->prod, n;

	while (pw_ring_free(r) >= rxq->q.free_thresh) {
		n = RTE_MIN((uint32_t)rxq->q.free_thresh, pw_ring_to_end(r, r->prod));
		if (unlikely(rx_arm(rxq, n) != 0)) {
			rx_arm_scarce(rxq, n);
			break;
		}
	}
	/* Descriptors before the tail: pw_write32() orders the two. One behind: see the head. */
	if (r->prod != old)
		pw_write32(rxq->io, E1000_RDT(0), pw_ring_slot(r, r->prod - 1));
}

/* --- ready --- */

/* How many of the `max` descriptors from `d` on, which do not wrap, the chip is done with. */
static inline uint32_t
rx_ready(const volatile struct e1000_rxd *d, uint32_t max)
{
	uint32_t n = 0;

	while (n + 4 <= max && (d[n + 3].wb & rte_cpu_to_le_64(WB_DD)) != 0)
		n += 4;
	while (n < max && (d[n].wb & rte_cpu_to_le_64(WB_DD)) != 0)
		n++;
	/* DD was read before, the rest of those descriptors is read after this. */
	rte_io_rmb();
	return n;
}

/* --- take --- */

static inline uint32_t
rx_flag_index(uint64_t wb)
{
	/* IXSM, VP, UDPCS, TCPCS, IPCS in bits 0 to 4; TCPE, IPE in bits 5 and 6. */
	return (wb >> (E1000_RXD_STATUS_SHIFT + 2) & 0x1f) | (wb >> E1000_RXD_ERRORS_SHIFT & 0x60);
}

/* The eight bytes of a fresh mbuf's head in one store. */
static inline void
rx_rearm(struct rte_mbuf *m, uint64_t word)
{
	/* By offset: the member is an empty marker in some releases. */
	memcpy((char *)m + offsetof(struct rte_mbuf, rearm_data), &word, sizeof(word));
}

static void
rx_drop(struct e1000_rxq *rxq, uint64_t *counter, bool last)
{
	(*counter)++;
	rxq->stats->rx_dropped_bytes += rxq->first->pkt_len;
	rte_pktmbuf_free(rxq->first);
	rxq->first = NULL;
	rxq->in_frame = last ? E1000_RX_IDLE : E1000_RX_SKIP;
}

/*
 * A buffer that is not a whole good frame by itself. @return the frame it completes, or NULL.
 *
 * The chip gives status, errors and tag with the last buffer only, and ethdev wants them in
 * the first (§3.1, §7.1).
 */
static __rte_noinline struct rte_mbuf *
rx_join(struct e1000_rxq *rxq, struct rte_mbuf *m, uint64_t wb)
{
	bool last = (wb & WB_EOP) != 0;
	uint16_t len = E1000_RXD_LEN(wb);
	struct rte_mbuf *head;

	if (rxq->in_frame == E1000_RX_SKIP) {
		rxq->stats->rx_dropped_bytes += len;
		rte_pktmbuf_free_seg(m);
		rxq->in_frame = last ? E1000_RX_IDLE : E1000_RX_SKIP;
		return NULL;
	}
	m->ol_flags = 0;
	if (rxq->in_frame == E1000_RX_IDLE) {
		rxq->first = m;
		rxq->last = m;
	} else if (len == 0) {
		/* The CRC alone went over the buffer's end, and was stripped (§6). */
		rte_pktmbuf_free_seg(m);
	} else {
		rxq->last->next = m;
		rxq->last = m;
		rxq->first->nb_segs++;
		rxq->first->pkt_len += len;
	}
	rxq->in_frame = E1000_RX_JOIN;
	if (unlikely(rxq->first->pkt_len > rxq->max_len)) {
		rx_drop(rxq, &rxq->stats->rx_oversize, last);
		return NULL;
	}
	if (!last)
		return NULL;
	if (unlikely((wb & WB_ERRORS) != 0)) {
		rx_drop(rxq, &rxq->stats->rx_errors, last);
		return NULL;
	}
	head = rxq->first;
	rxq->first = NULL;
	rxq->in_frame = E1000_RX_IDLE;
	head->ol_flags = rxq->flag[rx_flag_index(wb)];
	head->vlan_tci = E1000_RXD_VLAN(wb);
	if (rxq->vlan_reinsert && (wb & WB_VP))
		rte_vlan_insert(&head);
	return head;
}

static inline struct rte_mbuf *
rx_take_full(struct e1000_rxq *rxq, struct rte_mbuf *m, uint64_t wb)
{
	uint16_t len = E1000_RXD_LEN(wb);

	rx_rearm(m, rxq->q.mbuf_init);
	m->ol_flags = rxq->flag[rx_flag_index(wb)];
	m->packet_type = 0;
	m->pkt_len = len;
	m->data_len = len;
	m->vlan_tci = E1000_RXD_VLAN(wb);
	if (likely((wb & (WB_EOP | WB_ERRORS | rxq->odd)) == WB_EOP && len <= rxq->max_len &&
		   rxq->in_frame == E1000_RX_IDLE))
		return m;
	return rx_join(rxq, m, wb);
}

static inline uint16_t
rx_take_batch_full(struct e1000_rxq *rxq, uint32_t slot, uint32_t n, struct rte_mbuf **pkts)
{
	const volatile struct e1000_rxd *d = rx_desc(rxq, slot);
	struct rte_mbuf **b = &rxq->q.bufs.slot[slot];
	uint16_t nb = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct rte_mbuf *m = rx_take_full(rxq, b[i], rte_le_to_cpu_64(d[i].wb));

		pkts[nb] = m;
		nb += m != NULL;
	}
	return nb;
}

/* A batch that the plain path cannot take blindly: a bad, tagged or split frame is in it. */
static __rte_noinline uint16_t
rx_take_batch_odd(struct e1000_rxq *rxq, uint32_t slot, uint32_t n, struct rte_mbuf **pkts)
{
	return rx_take_batch_full(rxq, slot, n, pkts);
}

static inline uint16_t
rx_take_batch(struct e1000_rxq *rxq, uint32_t slot, uint32_t n, struct rte_mbuf **pkts)
{
	const volatile struct e1000_rxd *d = rx_desc(rxq, slot);
	struct rte_mbuf **b = &rxq->q.bufs.slot[slot];
	uint64_t init = rxq->q.mbuf_init, odd = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t wb = rte_le_to_cpu_64(d[i].wb);
		struct rte_mbuf *m = b[i];

		rx_rearm(m, init);
		m->ol_flags = 0;
		m->packet_type = 0;
		m->pkt_len = E1000_RXD_LEN(wb);
		m->data_len = E1000_RXD_LEN(wb);
		pkts[i] = m;
		odd |= wb ^ WB_EOP;
	}
	if (likely((odd & (WB_EOP | WB_VP | WB_ERRORS)) == 0 && rxq->in_frame == E1000_RX_IDLE))
		return n;
	return rx_take_batch_odd(rxq, slot, n, pkts);
}

/* --- burst --- */

/* The loop of both bursts; `take` is inlined. */
static __rte_always_inline uint16_t
rx_burst(struct e1000_rxq *rxq, struct rte_mbuf **pkts, uint16_t nb_pkts,
	 uint16_t (*take)(struct e1000_rxq *, uint32_t, uint32_t, struct rte_mbuf **))
{
	struct pw_ring *r = &rxq->q.ring;
	uint16_t nb_rx = 0;

	/* An idle poll costs one load. */
	if ((rx_desc(rxq, pw_ring_slot(r, r->cons))->wb & rte_cpu_to_le_64(WB_DD)) == 0 &&
	    pw_ring_free(r) < rxq->q.free_thresh)
		return 0;
	while (nb_rx < nb_pkts) {
		uint32_t slot = pw_ring_slot(r, r->cons);
		uint32_t want = RTE_MIN((uint32_t)nb_pkts - nb_rx, pw_ring_used(r));
		uint32_t n;

		want = RTE_MIN(want, pw_ring_to_end(r, r->cons));
		n = rx_ready(rx_desc(rxq, slot), want);
		if (n == 0)
			break;
		nb_rx += take(rxq, slot, n, &pkts[nb_rx]);
		r->cons += n;
		if (n < want)
			break;
	}
	e1000_rx_refill(rxq);
	return nb_rx;
}

uint16_t
e1000_rx_burst(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return rx_burst(queue, pkts, nb_pkts, rx_take_batch);
}

uint16_t
e1000_rx_burst_full(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return rx_burst(queue, pkts, nb_pkts, rx_take_batch_full);
}

/* --- what an application may ask about the ring --- */

int
e1000_rx_desc_status(void *queue, uint16_t offset)
{
	const struct e1000_rxq *rxq = queue;
	uint32_t slot = pw_ring_slot(&rxq->q.ring, rxq->q.ring.cons + offset);
	bool done = (rx_desc(rxq, slot)->wb & rte_cpu_to_le_64(WB_DD)) != 0;

	return pw_eth_rx_desc_status(&rxq->q.ring, offset, done);
}

uint32_t
e1000_rx_count(void *queue)
{
	const struct e1000_rxq *rxq = queue;
	const struct pw_ring *r = &rxq->q.ring;
	uint32_t used = pw_ring_used(r), first = RTE_MIN(used, pw_ring_to_end(r, r->cons));
	uint32_t n = rx_ready(rx_desc(rxq, pw_ring_slot(r, r->cons)), first);

	return n < first ? n : n + rx_ready(rx_desc(rxq, 0), used - first);
}

/* --- which path, and what it must know --- */

/* Frames up to here may arrive with the present MTU, CRC not counted. */
static uint32_t
rx_frame_max(const struct rte_eth_dev *eth)
{
	uint32_t frame = eth->data->mtu + PW_ETH_OVERHEAD - RTE_ETHER_CRC_LEN;

	return eth->data->mtu <= RTE_ETHER_MTU ? RX_SHORT_MAX : frame;
}

bool
e1000_rx_wants_full(const struct rte_eth_dev *eth)
{
	const struct e1000_rxq *rxq = eth->data->rx_queues[0];
	uint64_t offloads = rxq->q.offloads | eth->data->dev_conf.rxmode.offloads;

	return (offloads & ~RTE_ETH_RX_OFFLOAD_VLAN_FILTER) != 0 ||
	       eth->data->mtu > RTE_ETHER_MTU || rx_frame_max(eth) > rxq->buf_len ||
	       (eth->data->dev_conf.txmode.offloads & RTE_ETH_TX_OFFLOAD_VLAN_INSERT) != 0;
}

/* The longest frame to hand up: the chip has no register for it (§6). */
void
e1000_rx_max_len(struct rte_eth_dev *eth)
{
	struct e1000_rxq *rxq = eth->data->rx_queues[0];
	uint32_t len = rx_frame_max(eth);

	if ((rxq->q.offloads & RTE_ETH_RX_OFFLOAD_SCATTER) == 0)
		len = RTE_MIN(len, rxq->buf_len);
	rxq->max_len = len;
}

static uint16_t
rx_flags_of(uint32_t index, uint64_t offloads, bool strip)
{
	bool ixsm = index & 1, vp = index & 2, l4 = index & 0xc, ip = index & 0x10;
	bool l4_bad = index & 0x20, ip_bad = index & 0x40;
	uint64_t flags = 0;

	if (vp && strip)
		flags |= RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED;
	/* IXSM: the chip has not looked, whatever the other bits say (§3.1). */
	if (!ixsm && ip && (offloads & RTE_ETH_RX_OFFLOAD_IPV4_CKSUM))
		flags |= ip_bad ? RTE_MBUF_F_RX_IP_CKSUM_BAD : RTE_MBUF_F_RX_IP_CKSUM_GOOD;
	if (!ixsm && l4 && (offloads & (RTE_ETH_RX_OFFLOAD_UDP_CKSUM |
					RTE_ETH_RX_OFFLOAD_TCP_CKSUM)))
		flags |= l4_bad ? RTE_MBUF_F_RX_L4_CKSUM_BAD : RTE_MBUF_F_RX_L4_CKSUM_GOOD;
	return flags;
}

/* (Re)build what depends on VLAN stripping; a running queue may be switched over. */
void
e1000_rx_vlan(struct rte_eth_dev *eth)
{
	const struct e1000_hw *hw = &e1000_adapter_of(eth)->hw;
	struct e1000_rxq *rxq = eth->data->rx_queues[0];

	for (uint32_t i = 0; i < E1000_RX_FLAG_NUM; i++)
		rxq->flag[i] = rx_flags_of(i, rxq->q.offloads, hw->vlan_strip);
	/* Tx inserts tags only while Rx strips them: put those back that nobody asked to lose. */
	rxq->vlan_reinsert = !hw->vlan_strip;
	rxq->odd = hw->vlan_strip ? 0 : WB_VP;
}

/* --- set-up --- */

/* BSIZE is one for the whole ring: the largest that the pool's buffers hold (§6). */
static uint32_t
rx_buf_len(const struct rte_mempool *mp, uint32_t *rctl)
{
	static const struct {
		uint32_t len, rctl;
	} sizes[] = {
		{ 16384, E1000_RCTL_BSIZE_16384 }, { 8192, E1000_RCTL_BSIZE_8192 },
		{ 4096, E1000_RCTL_BSIZE_4096 }, { 2048, E1000_RCTL_BSIZE_2048 },
		{ 1024, E1000_RCTL_BSIZE_1024 }, { 512, E1000_RCTL_BSIZE_512 },
		{ 256, E1000_RCTL_BSIZE_256 },
	};
	uint32_t room = rte_pktmbuf_data_room_size((struct rte_mempool *)(uintptr_t)mp);

	for (unsigned int i = 0; i < RTE_DIM(sizes); i++) {
		if (room >= RTE_PKTMBUF_HEADROOM + sizes[i].len) {
			*rctl = sizes[i].rctl;
			return sizes[i].len;
		}
	}
	return 0;
}

static int
rx_check_conf(const struct rte_eth_dev *eth, const struct rte_eth_rxconf *conf)
{
	const struct e1000_hw *hw = &e1000_adapter_of(eth)->hw;
	const struct rte_eth_thresh *t = &conf->rx_thresh;
	uint8_t wmax = hw->flags & E1000_F_ERR_WTHRESH ? 1 : E1000_XDCTL_PTHRESH_MASK;

	if (conf->rx_deferred_start) {
		PW_LOG(ERR, "%s: deferred start of an Rx queue is not supported: leave "
			    "rx_deferred_start 0", hw->dev->name);
		return -EINVAL;
	}
	if (t->pthresh > E1000_XDCTL_PTHRESH_MASK || t->hthresh > E1000_XDCTL_PTHRESH_MASK ||
	    t->wthresh > wmax) {
		PW_LOG(ERR, "%s: Rx thresholds %u/%u/%u: prefetch and host take 0 to %u, write-"
			    "back 0 to %u on this chip", hw->dev->name, t->pthresh, t->hthresh,
		       t->wthresh, E1000_XDCTL_PTHRESH_MASK, wmax);
		return -EINVAL;
	}
	return 0;
}

static int
rx_check_pool(const struct rte_eth_dev *eth, struct e1000_rxq *rxq, struct rte_mempool *mp)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	int rc = pw_dma_pool_check(&ad->dma, mp);

	if (rc == -EXDEV) {
		rxq->boundary = ad->dma.limits.boundary;
		rc = 0;
	}
	if (rc != 0) {
		PW_LOG(ERR, "%s: the card cannot reach the buffers of mempool %s (%s)",
		       ad->dev.name, mp->name, rte_strerror(-rc));
		return rc;
	}
	rxq->buf_len = rx_buf_len(mp, &rxq->rctl_bsize);
	if (rxq->buf_len == 0) {
		PW_LOG(ERR, "%s: buffers of mempool %s have %u bytes: at least %u are needed",
		       ad->dev.name, mp->name, rte_pktmbuf_data_room_size(mp),
		       RTE_PKTMBUF_HEADROOM + 256);
		return -EINVAL;
	}
	return 0;
}

int
e1000_rx_queue_setup(struct rte_eth_dev *eth, uint16_t queue, uint16_t nb_desc,
		     unsigned int socket, const struct rte_eth_rxconf *conf,
		     struct rte_mempool *mp)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	struct rte_eth_desc_lim lim = e1000_desc_lim(&ad->hw);
	char name[RTE_MEMZONE_NAMESIZE];
	struct e1000_rxq *rxq;
	int rc;

	e1000_rx_queue_release(eth, queue);
	rc = pw_eth_check_desc(eth, "Rx", &nb_desc, &lim);
	if (rc == 0)
		rc = rx_check_conf(eth, conf);
	if (rc != 0)
		return rc;
	rxq = rte_zmalloc_socket("e1000_rxq", sizeof(*rxq), RTE_CACHE_LINE_SIZE, socket);
	if (rxq == NULL)
		return -ENOMEM;
	rxq->io = ad->hw.io;
	rxq->stats = &ad->sw;
	rxq->q.mp = mp;
	rxq->q.dma = &ad->dma;
	rxq->q.port_id = eth->data->port_id;
	rxq->q.queue_id = queue;
	rxq->q.mbuf_init = pw_mbuf_init_word(eth->data->port_id);
	rxq->q.offloads = conf->offloads | eth->data->dev_conf.rxmode.offloads;
	rxq->rx_off = RTE_PKTMBUF_HEADROOM + ad->dma.offset;
	rxq->rxdctl = E1000_XDCTL_GRAN | E1000_XDCTL_THRESH(conf->rx_thresh.pthresh,
		conf->rx_thresh.hthresh, conf->rx_thresh.wthresh);
	rc = pw_eth_check_rx_thresh(eth, nb_desc, conf, &rxq->q.free_thresh);
	if (rc != 0)
		goto err_free;
	rc = rx_check_pool(eth, rxq, mp);
	if (rc != 0)
		goto err_free;
	rc = pw_ring_init(&rxq->q.ring, nb_desc);
	if (rc != 0)
		goto err_free;
	rc = pw_bufs_init(&rxq->q.bufs, nb_desc, socket);
	if (rc != 0)
		goto err_free;
	snprintf(name, sizeof(name), "e1000_rx_%u_%u", eth->data->port_id, queue);
	rc = pw_dma_zone_alloc(&ad->dma, name, nb_desc * sizeof(struct e1000_rxd),
			       E1000_DESC_LEN_ALIGN, &rxq->q.zone);
	if (rc != 0) {
		PW_LOG(ERR, "%s: no memory for %u Rx descriptors (%s): ask for fewer or give EAL "
			    "more memory", ad->dev.name, nb_desc, rte_strerror(-rc));
		goto err_bufs;
	}
	rxq->q.desc = rxq->q.zone.va;
	eth->data->rx_queues[queue] = rxq;
	return 0;

err_bufs:
	pw_bufs_fini(&rxq->q.bufs);
err_free:
	rte_free(rxq);
	return rc;
}

/* Give back every buffer; the ring is built anew at the next start. */
static void
rx_drain(struct e1000_rxq *rxq)
{
	struct rte_mbuf *m;

	pw_bufs_drain_ring(&rxq->q.bufs, &rxq->q.ring);
	rxq->q.ring.cons = rxq->q.ring.prod;
	rte_pktmbuf_free(rxq->first);
	rxq->first = NULL;
	rxq->in_frame = E1000_RX_IDLE;
	while ((m = rxq->parked) != NULL) {
		rxq->parked = m->next;
		m->next = NULL;
		rte_mbuf_raw_free(m);
	}
}

void
e1000_rx_queue_release(struct rte_eth_dev *eth, uint16_t queue)
{
	struct e1000_rxq *rxq = eth->data->rx_queues[queue];

	if (rxq == NULL)
		return;
	rx_drain(rxq);
	pw_dma_zone_free(&rxq->q.zone);
	pw_bufs_fini(&rxq->q.bufs);
	rte_free(rxq);
	eth->data->rx_queues[queue] = NULL;
}

/* --- start and stop --- */

static int
rx_check_buffers(const struct rte_eth_dev *eth, const struct e1000_rxq *rxq)
{
	if (rx_frame_max(eth) <= rxq->buf_len || (rxq->q.offloads & RTE_ETH_RX_OFFLOAD_SCATTER))
		return 0;
	/* Within the standard MTU a small buffer is a choice: longer frames are dropped. */
	if ((uint32_t)eth->data->mtu + PW_ETH_OVERHEAD - RTE_ETHER_CRC_LEN <= rxq->buf_len)
		return 0;
	PW_LOG(ERR, "%s: frames of MTU %u do not fit the %u bytes that the chip may use of a "
		    "buffer: enable scattered Rx, lower the MTU, or use a pool with larger buffers",
	       e1000_adapter_of(eth)->dev.name, eth->data->mtu, rxq->buf_len);
	return -EINVAL;
}

static void
rx_write_ring(struct e1000_hw *hw, const struct e1000_rxq *rxq)
{
	const struct pw_io *io = hw->io;
	uint32_t rxcsum = 0;

	if (rxq->q.offloads & RTE_ETH_RX_OFFLOAD_IPV4_CKSUM)
		rxcsum |= E1000_RXCSUM_IPOFLD;
	if (rxq->q.offloads & (RTE_ETH_RX_OFFLOAD_UDP_CKSUM | RTE_ETH_RX_OFFLOAD_TCP_CKSUM))
		rxcsum |= E1000_RXCSUM_TUOFLD;
	pw_write32(io, E1000_RDBAL(0), (uint32_t)rxq->q.zone.addr);
	pw_write32(io, E1000_RDBAH(0), (uint32_t)(rxq->q.zone.addr >> 32));
	pw_write32(io, E1000_RDLEN(0), pw_ring_size(&rxq->q.ring) * sizeof(struct e1000_rxd));
	pw_write32(io, E1000_RDH(0), 0);
	pw_write32(io, E1000_RDT(0), 0);
	pw_write32(io, E1000_RXDCTL(0), rxq->rxdctl);
	pw_write32(io, E1000_RXCSUM, rxcsum);
}

int
e1000_rx_start(struct rte_eth_dev *eth)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	struct e1000_rxq *rxq = eth->data->rx_queues[0];
	struct pw_ring *r = &rxq->q.ring;
	int rc = rx_check_buffers(eth, rxq);

	if (rc != 0)
		return rc;
	rx_drain(rxq);
	pw_ring_init(r, pw_ring_size(r));
	memset(rxq->q.desc, 0, rxq->q.zone.len);
	rxq->full = e1000_rx_wants_full(eth);
	e1000_rx_max_len(eth);
	e1000_rx_vlan(eth);
	while (pw_ring_free(r) > 0) {
		if (rx_arm(rxq, RTE_MIN(pw_ring_free(r), UINT32_C(32))) != 0) {
			PW_LOG(ERR, "%s: mempool %s has too few free buffers to fill an Rx ring of "
				    "%u: make the pool larger or the ring smaller", ad->dev.name,
			       rxq->q.mp->name, pw_ring_size(r));
			rx_drain(rxq);
			return -ENOMEM;
		}
	}
	eth->data->scattered_rx = rxq->max_len > rxq->buf_len;
	rx_write_ring(&ad->hw, rxq);
	ad->hw.bsize = rxq->rctl_bsize;
	ad->hw.long_frames = eth->data->mtu > RTE_ETHER_MTU;
	e1000_set_rx_mode(&ad->hw);
	/* Some parts want the tail after RCTL.EN (§5.2). */
	pw_write32(rxq->io, E1000_RDT(0), pw_ring_slot(r, r->prod - 1));
	eth->data->rx_queue_state[0] = RTE_ETH_QUEUE_STATE_STARTED;
	return 0;
}

void
e1000_rx_stop(struct rte_eth_dev *eth)
{
	struct e1000_rxq *rxq = eth->data->rx_queues[0];

	if (rxq == NULL)
		return;
	rx_drain(rxq);
	eth->data->rx_queue_state[0] = RTE_ETH_QUEUE_STATE_STOPPED;
}
