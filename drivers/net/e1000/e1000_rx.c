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
 * Parts from 82571 on get extended descriptors: the same 16 bytes to arm, but written back over
 * both words, with a hash, the packet's type, and room for a time stamp's mark.
 *
 * The bursts differ in `take`. The plain one stores five fields a packet and looks for
 * trouble once a batch, in the OR of all status words; a batch with anything unusual in it
 * goes through the full one's take. The full one looks up the offload flags of each packet in
 * a table indexed by its status bits, and joins frames that span buffers.
 *
 * Both come as a loop of single descriptors and, for x86, in groups of four (e1000_rx_vec.h); what
 * is not all good frames of one buffer is left to the loop. EAL's --force-max-simd-bitwidth=64
 * chooses the loops.
 *
 * When the pool has no buffers, packets are still handed up and their slots stay empty: the
 * ring runs down, then the chip drops and counts (MPC), and each burst tries again. What is
 * put off is counted in rx_mbuf_alloc_failed.
 */

#include <string.h>

#include <rte_malloc.h>
#include <rte_prefetch.h>
#include <rte_vect.h>

#include <e1000_desc.h>

#include "e1000.h"
#include "e1000_rx_vec.h"

/*
 * Where things are in the second word of a legacy descriptor, or of an extended one (§3.1, §3.2).
 * `ext` is a constant wherever speed matters.
 */
#define WB_STATUS(ext, bit)	((uint64_t)(bit) << ((ext) ? 0 : E1000_RXD_STATUS_SHIFT))
#define WB_DD(ext)		WB_STATUS(ext, E1000_RXD_DD)
#define WB_EOP(ext)		WB_STATUS(ext, E1000_RXD_EOP)
#define WB_VP(ext)		WB_STATUS(ext, E1000_RXD_VP)
#define WB_ERRORS_SHIFT(ext)	((ext) ? E1000_RXDX_ERRORS_SHIFT : E1000_RXD_ERRORS_SHIFT)
#define WB_ERRORS(ext)		((uint64_t)E1000_RXD_FRAME_ERRORS << WB_ERRORS_SHIFT(ext))
/* What a good frame of one buffer, without a stamp, has not, but for EOP, which it has. */
#define RX_TROUBLE(ext)		(WB_EOP(ext) | WB_ERRORS(ext) | ((ext) ? E1000_RXDX_TST : 0))
#define WB_LEN(ext, wb)		((ext) ? E1000_RXDX_LEN(wb) : E1000_RXD_LEN(wb))

/* Longest frame without RCTL.LPE, one tag included, CRC not (§6). */
#define RX_SHORT_MAX		(RTE_ETHER_MAX_VLAN_FRAME_LEN - RTE_ETHER_CRC_LEN)

/* A frame in progress is stored in that time (§5.1). */
#define RX_QUIET_MS		10

/* What the chip has seen; which of TCP and UDP it was the type does not tell (§3.2). */
#define PTYPE_MAC RTE_PTYPE_L2_ETHER
#define PTYPE_IPV4 (PTYPE_MAC | RTE_PTYPE_L3_IPV4_EXT_UNKNOWN)
#define PTYPE_IPV6 (PTYPE_MAC | RTE_PTYPE_L3_IPV6_EXT_UNKNOWN)
static const uint8_t rx_ptypes[16] = {
	PTYPE_MAC, PTYPE_IPV4, PTYPE_IPV4, PTYPE_MAC, PTYPE_MAC, PTYPE_IPV6, PTYPE_IPV6, PTYPE_MAC,
	PTYPE_MAC, PTYPE_MAC, PTYPE_MAC, PTYPE_MAC, PTYPE_MAC, PTYPE_MAC, PTYPE_MAC, PTYPE_MAC,
};
_Static_assert(E1000_PKTTYPE_IPV4 == 1 && E1000_PKTTYPE_IPV4_L4 == 2 && E1000_PKTTYPE_IPV6 == 5 &&
	       E1000_PKTTYPE_IPV6_L4 == 6, "rx_ptypes is in the order of the chip's types");

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

/*
 * Point `n` descriptors to the buffers beside them. `vec` is a constant: four at a time. Sizes,
 * here and below, are size_t where the compiler would else reckon with 32 bits wrapping.
 */
static __rte_always_inline void
rx_write_descs(bool vec, volatile struct e1000_rxd *d, struct rte_mbuf **b, size_t n,
	       uint64_t rx_off)
{
	size_t i = 0;

#ifdef E1000_RX_VEC
	for (; vec && i + E1000_VEC_NUM <= n; i += E1000_VEC_NUM)
		e1000_vec_arm((struct e1000_rxd *)(uintptr_t)&d[i], &b[i],
			      _mm_cvtsi64_si128(rx_off));
#else
	RTE_SET_USED(vec);
#endif
	for (; i < n; i++) {
		d[i].addr = rte_cpu_to_le_64(b[i]->buf_iova + rx_off);
		d[i].wb = 0;
	}
}

/* Fill `n` slots from prod on, which do not wrap. @return 0, or -ENOMEM with nothing done. */
static __rte_always_inline int
rx_arm(bool vec, struct e1000_rxq *rxq, uint32_t n)
{
	struct pw_ring *r = &rxq->q.ring;
	uint32_t slot = pw_ring_slot(r, r->prod);

	if (unlikely(pw_bufs_refill(&rxq->q.bufs, rxq->q.mp, r->prod, n) != 0))
		return -ENOMEM;
	if (unlikely(rxq->boundary != 0) && rx_park(rxq, r->prod, n) != 0)
		return -ENOMEM;
	rx_write_descs(vec, rx_desc(rxq, slot), &rxq->q.bufs.slot[slot], n, rxq->rx_off);
	r->prod += n;
	return 0;
}

/* The pool has not got a full batch. Half a loaf keeps the ring alive. */
static __rte_noinline void
rx_arm_scarce(struct e1000_rxq *rxq, uint32_t n)
{
	rxq->stats->rx_nombuf++;
	while ((n /= 2) > 0 && rx_arm(false, rxq, n) != 0)
		;
}

static __rte_always_inline void
e1000_rx_refill(bool vec, struct e1000_rxq *rxq)
{
	struct pw_ring *r = &rxq->q.ring;
	uint32_t old = r->prod, n;

	while (pw_ring_free(r) >= rxq->refill_at) {
		n = RTE_MIN(rxq->refill_at, pw_ring_to_end(r, r->prod));
		if (unlikely(rx_arm(vec, rxq, n) != 0)) {
			rx_arm_scarce(rxq, n);
			break;
		}
	}
	/* Descriptors before the tail: pw_write32() orders the two. One behind: see the head. */
	if (r->prod != old)
		pw_write32(rxq->io, rxq->tail, pw_ring_slot(r, r->prod - 1));
}

/* --- ready --- */

/* How many of the `max` descriptors from `d` on, which do not wrap, the chip is done with. */
static __rte_always_inline uint32_t
rx_ready(bool ext, const volatile struct e1000_rxd *d, uint32_t max)
{
	size_t n = 0;

	while (n + 4 <= max && (d[n + 3].wb & rte_cpu_to_le_64(WB_DD(ext))) != 0)
		n += 4;
	while (n < max && (d[n].wb & rte_cpu_to_le_64(WB_DD(ext))) != 0)
		n++;
	/* DD was read before, the rest of those descriptors is read after this. */
	rte_io_rmb();
	return n;
}

/* --- take --- */

static __rte_always_inline uint32_t
rx_flag_index(bool ext, uint64_t wb, uint64_t lo)
{
	/* IXSM, VP, UDPCS, TCPCS, IPCS in bits 0 to 4; TCPE, IPE in 5 and 6; 7: has a hash. */
	return (wb >> ((ext ? 0 : E1000_RXD_STATUS_SHIFT) + 2) & 0x1f) |
	       (wb >> WB_ERRORS_SHIFT(ext) & 0x60) |
	       (ext && E1000_RXDX_RSS_TYPE(lo) != E1000_RSS_TYPE_NONE ? 0x80 : 0);
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

/* What the chip gives with a frame's last buffer, ethdev wants in the first (§3.1, §7.1). */
static void
rx_move_up(struct rte_mbuf *head, const struct rte_mbuf *last, uint64_t flags)
{
	head->ol_flags = flags;
	head->packet_type = last->packet_type;
	head->vlan_tci = last->vlan_tci;
	head->hash.rss = last->hash.rss;
}

/* Put a tag back that only Tx's insertion made the chip strip. */
static void
rx_insert_tag(const struct e1000_rxq *rxq, struct rte_mbuf **m)
{
	if (rte_vlan_insert(m) == 0)
		rte_pktmbuf_mtod(*m, struct rte_ether_hdr *)->ether_type = rxq->tpid;
}

/*
 * A buffer that is not a whole good frame by itself, its fields filled in.
 * @return the frame it completes, or NULL.
 */
static __rte_noinline struct rte_mbuf *
rx_join(struct e1000_rxq *rxq, struct rte_mbuf *m, uint64_t wb)
{
	bool ext = rxq->ext, last = (wb & WB_EOP(ext)) != 0;
	uint64_t flags = m->ol_flags;
	uint16_t len = m->data_len;
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
	} else {
		rx_move_up(rxq->first, m, 0);
		/* The CRC alone may have gone over the buffer's end, and was stripped (§6). */
		if (len == 0) {
			rte_pktmbuf_free_seg(m);
		} else {
			rxq->last->next = m;
			rxq->last = m;
			rxq->first->nb_segs++;
			rxq->first->pkt_len += len;
		}
	}
	rxq->in_frame = E1000_RX_JOIN;
	if (unlikely(rxq->first->pkt_len > rxq->max_len)) {
		rx_drop(rxq, &rxq->stats->rx_oversize, last);
		return NULL;
	}
	if (!last)
		return NULL;
	if (unlikely((wb & WB_ERRORS(ext)) != 0)) {
		rx_drop(rxq, &rxq->stats->rx_errors, last);
		return NULL;
	}
	head = rxq->first;
	rxq->first = NULL;
	rxq->in_frame = E1000_RX_IDLE;
	head->ol_flags = flags;
	if (rxq->vlan_reinsert && (wb & WB_VP(ext)))
		rx_insert_tag(rxq, &head);
	return head;
}

static __rte_always_inline struct rte_mbuf *
rx_take_full(bool ext, struct e1000_rxq *rxq, struct rte_mbuf *m, uint64_t wb, uint64_t lo)
{
	uint64_t flags = rxq->flag[rx_flag_index(ext, wb, lo)];
	uint16_t len = WB_LEN(ext, wb);

	rx_rearm(m, rxq->q.mbuf_init);
	m->packet_type = 0;
	if (ext) {
		m->packet_type = rx_ptypes[E1000_RXDX_PKTTYPE(wb)];
		m->hash.rss = E1000_RXDX_HASH(lo);
		if (unlikely((wb & E1000_RXDX_TST) != 0))
			flags |= rxq->stamp_flags;
	}
	m->ol_flags = flags;
	m->pkt_len = len;
	m->data_len = len;
	m->vlan_tci = E1000_RXD_VLAN(wb);
	if (likely((wb & (WB_EOP(ext) | WB_ERRORS(ext) | rxq->odd)) == WB_EOP(ext) &&
		   len <= rxq->max_len && rxq->in_frame == E1000_RX_IDLE))
		return m;
	return rx_join(rxq, m, wb);
}

static __rte_always_inline uint16_t
rx_take_batch_full(bool ext, struct e1000_rxq *rxq, uint32_t slot, uint32_t n,
		   struct rte_mbuf **pkts)
{
	const volatile struct e1000_rxd *d = rx_desc(rxq, slot);
	struct rte_mbuf **b = &rxq->q.bufs.slot[slot];
	uint16_t nb = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t lo = ext ? rte_le_to_cpu_64(d[i].addr) : 0;
		struct rte_mbuf *m = rx_take_full(ext, rxq, b[i], rte_le_to_cpu_64(d[i].wb), lo);

		pkts[nb] = m;
		nb += m != NULL;
	}
	return nb;
}

/* A batch that cannot be taken blindly: a frame in it is bad, tagged, stamped or split. */
static __rte_noinline uint16_t
rx_take_batch_odd(struct e1000_rxq *rxq, uint32_t slot, uint32_t n, struct rte_mbuf **pkts)
{
	return rxq->ext ? rx_take_batch_full(true, rxq, slot, n, pkts) :
			  rx_take_batch_full(false, rxq, slot, n, pkts);
}

static __rte_always_inline uint16_t
rx_take_batch(bool ext, struct e1000_rxq *rxq, uint32_t slot, uint32_t n, struct rte_mbuf **pkts)
{
	const uint64_t trouble = RX_TROUBLE(ext) | WB_VP(ext);
	const volatile struct e1000_rxd *d = rx_desc(rxq, slot);
	struct rte_mbuf **b = &rxq->q.bufs.slot[slot];
	uint64_t init = rxq->q.mbuf_init, odd = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t wb = rte_le_to_cpu_64(d[i].wb);
		struct rte_mbuf *m = b[i];

		rx_rearm(m, init);
		m->ol_flags = 0;
		m->packet_type = ext ? rx_ptypes[E1000_RXDX_PKTTYPE(wb)] : 0;
		m->pkt_len = WB_LEN(ext, wb);
		m->data_len = WB_LEN(ext, wb);
		pkts[i] = m;
		odd |= wb ^ WB_EOP(ext);
	}
	if (likely((odd & trouble) == 0 && rxq->in_frame == E1000_RX_IDLE))
		return n;
	return rx_take_batch_odd(rxq, slot, n, pkts);
}

#ifdef E1000_RX_VEC
/* Bits of a descriptor's second word, within that half of it which has the status. */
#define VEC_STATUS(ext, bits)	((uint32_t)((ext) ? (bits) : (bits) >> E1000_RXD_STATUS_SHIFT))

static __rte_always_inline uint16_t
rx_take_batch_vec(bool ext, struct e1000_rxq *rxq, uint32_t slot, uint32_t n,
		  struct rte_mbuf **pkts)
{
	const __m128i trouble = _mm_set1_epi32(VEC_STATUS(ext, RX_TROUBLE(ext) | WB_VP(ext)));
	const struct e1000_rxd *d = (const struct e1000_rxd *)(uintptr_t)rx_desc(rxq, slot);
	struct rte_mbuf *const *b = &rxq->q.bufs.slot[slot];
	__m128i head = _mm_cvtsi64_si128(rxq->q.mbuf_init), odd = _mm_setzero_si128();
	size_t i;

	for (i = 0; i + E1000_VEC_NUM <= n; i += E1000_VEC_NUM)
		odd = _mm_or_si128(odd, _mm_xor_si128(_mm_set1_epi32(E1000_RXD_EOP),
			e1000_vec_take(ext, &d[i], &b[i], &pkts[i], head, rx_ptypes)));
	if (unlikely(!_mm_test_all_zeros(odd, trouble) || rxq->in_frame != E1000_RX_IDLE))
		return rx_take_batch_odd(rxq, slot, n, pkts);
	return i == n ? n : i + rx_take_batch(ext, rxq, slot + i, n - i, &pkts[i]);
}

static __rte_always_inline uint16_t
rx_take_batch_full_vec(bool ext, struct e1000_rxq *rxq, uint32_t slot, uint32_t n,
		       struct rte_mbuf **pkts)
{
	const uint32_t trouble = VEC_STATUS(ext, RX_TROUBLE(ext) | rxq->odd);
	const struct e1000_rxd *d = (const struct e1000_rxd *)(uintptr_t)rx_desc(rxq, slot);
	struct rte_mbuf *const *b = &rxq->q.bufs.slot[slot];
	__m128i head = _mm_cvtsi64_si128(rxq->q.mbuf_init);
	uint16_t nb = 0;
	size_t i;

	for (i = 0; i + E1000_VEC_NUM <= n; i += E1000_VEC_NUM) {
		if (likely(rxq->in_frame == E1000_RX_IDLE &&
			   e1000_vec_take_full(ext, &d[i], &b[i], &pkts[nb], head, rx_ptypes,
					       rxq->flag, trouble, rxq->max_len)))
			nb += E1000_VEC_NUM;
		else
			nb += rx_take_batch_odd(rxq, slot + i, E1000_VEC_NUM, &pkts[nb]);
	}
	return i == n ? nb : nb + rx_take_batch_odd(rxq, slot + i, n - i, &pkts[nb]);
}
#endif

/* --- burst --- */

/* The loop of all bursts; `take` is inlined. */
static __rte_always_inline uint16_t
rx_burst(bool ext, bool vec, struct e1000_rxq *rxq, struct rte_mbuf **pkts, uint16_t nb_pkts,
	 uint16_t (*take)(bool, struct e1000_rxq *, uint32_t, uint32_t, struct rte_mbuf **))
{
	struct pw_ring *r = &rxq->q.ring;
	uint16_t nb_rx = 0;

	/* An idle poll costs one load. */
	if ((rx_desc(rxq, pw_ring_slot(r, r->cons))->wb & rte_cpu_to_le_64(WB_DD(ext))) == 0 &&
	    pw_ring_free(r) < rxq->refill_at)
		return 0;
	while (nb_rx < nb_pkts) {
		uint32_t slot = pw_ring_slot(r, r->cons);
		uint32_t want = RTE_MIN((uint32_t)nb_pkts - nb_rx, pw_ring_used(r));
		uint32_t n;

		want = RTE_MIN(want, pw_ring_to_end(r, r->cons));
		n = rx_ready(ext, rx_desc(rxq, slot), want);
		if (n == 0)
			break;
		nb_rx += take(ext, rxq, slot, n, &pkts[nb_rx]);
		r->cons += n;
		if (n < want)
			break;
	}
	e1000_rx_refill(vec, rxq);
	return nb_rx;
}

uint16_t
e1000_rx_burst(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return rx_burst(false, false, queue, pkts, nb_pkts, rx_take_batch);
}

uint16_t
e1000_rx_burst_full(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return rx_burst(false, false, queue, pkts, nb_pkts, rx_take_batch_full);
}

uint16_t
e1000_rx_burst_ext(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return rx_burst(true, false, queue, pkts, nb_pkts, rx_take_batch);
}

uint16_t
e1000_rx_burst_ext_full(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return rx_burst(true, false, queue, pkts, nb_pkts, rx_take_batch_full);
}

#ifdef E1000_RX_VEC
static uint16_t
rx_burst_vec(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return rx_burst(false, true, queue, pkts, nb_pkts, rx_take_batch_vec);
}

static uint16_t
rx_burst_vec_full(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return rx_burst(false, true, queue, pkts, nb_pkts, rx_take_batch_full_vec);
}

static uint16_t
rx_burst_vec_ext(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return rx_burst(true, true, queue, pkts, nb_pkts, rx_take_batch_vec);
}

static uint16_t
rx_burst_vec_ext_full(void *queue, struct rte_mbuf **pkts, uint16_t nb_pkts)
{
	return rx_burst(true, true, queue, pkts, nb_pkts, rx_take_batch_full_vec);
}
#endif

static const struct pw_burst_mode rx_modes[] = {
	{ e1000_rx_burst, "Plain, Scalar" },
	{ e1000_rx_burst_full, "Scattered, offloads, Scalar" },
	{ e1000_rx_burst_ext, "Plain, extended descriptors, Scalar" },
	{ e1000_rx_burst_ext_full, "Scattered, offloads, extended descriptors, Scalar" },
	{ e1000_rx_burst_extended, "Carrier extension taken off, Scalar" },
#ifdef E1000_RX_VEC
	{ rx_burst_vec, "Plain, Vector SSE" },
	{ rx_burst_vec_full, "Scattered, offloads, Vector SSE" },
	{ rx_burst_vec_ext, "Plain, extended descriptors, Vector SSE" },
	{ rx_burst_vec_ext_full, "Scattered, offloads, extended descriptors, Vector SSE" },
#endif
};

/* Which burst this process uses for such queues. */
eth_rx_burst_t
e1000_rx_burst_of(bool ext, bool full)
{
	static const eth_rx_burst_t scalar[2][2] = {
		{ e1000_rx_burst, e1000_rx_burst_full },
		{ e1000_rx_burst_ext, e1000_rx_burst_ext_full },
	};
#ifdef E1000_RX_VEC
	static const eth_rx_burst_t vec[2][2] = {
		{ rx_burst_vec, rx_burst_vec_full },
		{ rx_burst_vec_ext, rx_burst_vec_ext_full },
	};

	if (rte_vect_get_max_simd_bitwidth() >= RTE_VECT_SIMD_128)
		return vec[ext][full];
#endif
	return scalar[ext][full];
}

int
e1000_rx_burst_mode_get(struct rte_eth_dev *eth, uint16_t queue __rte_unused,
			struct rte_eth_burst_mode *mode)
{
	return pw_burst_mode_get(eth->rx_pkt_burst, rx_modes, RTE_DIM(rx_modes), mode);
}

/* --- what an application may ask about the ring --- */

int
e1000_rx_desc_status(void *queue, uint16_t offset)
{
	const struct e1000_rxq *rxq = queue;
	uint32_t slot = pw_ring_slot(&rxq->q.ring, rxq->q.ring.cons + offset);
	bool done = (rx_desc(rxq, slot)->wb & rte_cpu_to_le_64(WB_DD(rxq->ext))) != 0;

	return pw_eth_rx_desc_status(&rxq->q.ring, offset, done);
}

uint32_t
e1000_rx_count(void *queue)
{
	const struct e1000_rxq *rxq = queue;
	const struct pw_ring *r = &rxq->q.ring;
	uint32_t used = pw_ring_used(r), first = RTE_MIN(used, pw_ring_to_end(r, r->cons));
	uint32_t n = rx_ready(rxq->ext, rx_desc(rxq, pw_ring_slot(r, r->cons)), first);

	return n < first ? n : n + rx_ready(rxq->ext, rx_desc(rxq, 0), used - first);
}

/* --- which path, and what it must know --- */

/* Bytes of a frame's CRC that are stored with it. */
static uint32_t
rx_crc_len(const struct rte_eth_dev *eth)
{
	return (eth->data->dev_conf.rxmode.offloads & RTE_ETH_RX_OFFLOAD_KEEP_CRC) != 0 ||
	       (e1000_adapter_of(eth)->hw.flags & E1000_F_ERR_EXTENDED) != 0 ?
	       RTE_ETHER_CRC_LEN : 0;
}

/* Bytes stored of the longest frame that may arrive with the present MTU. */
static uint32_t
rx_frame_max(const struct rte_eth_dev *eth)
{
	uint32_t frame = eth->data->mtu + PW_ETH_OVERHEAD - RTE_ETHER_CRC_LEN;

	return (eth->data->mtu <= RTE_ETHER_MTU ? RX_SHORT_MAX : frame) + rx_crc_len(eth);
}

static bool
rxq_wants_full(const struct rte_eth_dev *eth, const struct e1000_rxq *rxq)
{
	const uint64_t plain = RTE_ETH_RX_OFFLOAD_VLAN_FILTER | RTE_ETH_RX_OFFLOAD_KEEP_CRC;
	uint64_t offloads = rxq->q.offloads | eth->data->dev_conf.rxmode.offloads;

	return (offloads & ~plain) != 0 || eth->data->mtu > RTE_ETHER_MTU ||
	       rx_frame_max(eth) > rxq->buf_len ||
	       (eth->data->dev_conf.txmode.offloads & RTE_ETH_TX_OFFLOAD_VLAN_INSERT) != 0;
}

/* One burst function serves all queues of a port. */
bool
e1000_rx_wants_full(const struct rte_eth_dev *eth)
{
	for (uint16_t q = 0; q < eth->data->nb_rx_queues; q++)
		if (rxq_wants_full(eth, eth->data->rx_queues[q]))
			return true;
	return false;
}

/* The longest frame to hand up: the chip has no register for it (§6). */
void
e1000_rx_max_len(struct rte_eth_dev *eth)
{
	for (uint16_t q = 0; q < eth->data->nb_rx_queues; q++) {
		struct e1000_rxq *rxq = eth->data->rx_queues[q];
		uint32_t len = rx_frame_max(eth);

		if ((rxq->q.offloads & RTE_ETH_RX_OFFLOAD_SCATTER) == 0)
			len = RTE_MIN(len, rxq->buf_len + rxq->crc_trim);
		rxq->max_len = len;
	}
}

const uint32_t *
e1000_supported_ptypes(struct rte_eth_dev *eth)
{
	static const uint32_t ptypes[] = {
		RTE_PTYPE_L2_ETHER,
		RTE_PTYPE_L3_IPV4_EXT_UNKNOWN,
		RTE_PTYPE_L3_IPV6_EXT_UNKNOWN,
		RTE_PTYPE_UNKNOWN,
	};

	return e1000_adapter_of(eth)->hw.flags & E1000_F_EXT_RXD ? ptypes : NULL;
}

static uint16_t
rx_flags_of(uint32_t index, uint64_t offloads, bool strip)
{
	bool ixsm = index & 1, vp = index & 2, l4 = index & 0xc, ip = index & 0x10;
	bool l4_bad = index & 0x20, ip_bad = index & 0x40, hash = index & 0x80;
	uint64_t flags = 0;

	if (vp && strip)
		flags |= RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED;
	if (hash && (offloads & RTE_ETH_RX_OFFLOAD_RSS_HASH))
		flags |= RTE_MBUF_F_RX_RSS_HASH;
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

	for (uint16_t q = 0; q < eth->data->nb_rx_queues; q++) {
		struct e1000_rxq *rxq = eth->data->rx_queues[q];

		if (rxq == NULL)
			continue;
		for (uint32_t i = 0; i < E1000_RX_FLAG_NUM; i++)
			rxq->flag[i] = rx_flags_of(i, rxq->q.offloads, hw->vlan_strip);
		/* Tx inserts tags only while Rx strips: put those back that none asked to lose. */
		rxq->vlan_reinsert = !hw->vlan_strip;
		rxq->tpid = rte_cpu_to_be_16(hw->tpid);
		rxq->odd = hw->vlan_strip ? 0 : WB_VP(rxq->ext);
	}
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
	uint32_t rctl;

	if (rc == -EXDEV) {
		rxq->boundary = ad->dma.limits.boundary;
		rc = 0;
	}
	if (rc != 0) {
		PW_LOG(ERR, "%s: the card cannot reach the buffers of mempool %s (%s)",
		       ad->dev.name, mp->name, rte_strerror(-rc));
		return rc;
	}
	rxq->buf_len = rx_buf_len(mp, &rctl);
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
	rxq->rx_off = RTE_PKTMBUF_HEADROOM + ad->dma.offset;
	rxq->tail = E1000_RDT(queue);
	rxq->ext = (ad->hw.flags & E1000_F_EXT_RXD) != 0;
	rxq->rxdctl = E1000_XDCTL_GRAN | E1000_XDCTL_THRESH(conf->rx_thresh.pthresh,
		conf->rx_thresh.hthresh, conf->rx_thresh.wthresh);
	rc = pw_rxq_init(&rxq->q, eth, queue, nb_desc, socket, conf);
	if (rc != 0)
		goto err_free;
	rc = rx_check_pool(eth, rxq, mp);
	if (rc != 0)
		goto err_bufs;
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
	/* A queue that stands must not be filled by who polls it. */
	rxq->refill_at = UINT32_MAX;
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
	if (eth->data->mtu + PW_ETH_OVERHEAD - RTE_ETHER_CRC_LEN + rx_crc_len(eth) <=
	    rxq->buf_len + rxq->crc_trim)
		return 0;
	PW_LOG(ERR, "%s: frames of MTU %u do not fit the %u bytes that the chip may use of a "
		    "buffer: enable scattered Rx, lower the MTU, or use a pool with larger buffers",
	       e1000_adapter_of(eth)->dev.name, eth->data->mtu, rxq->buf_len);
	return -EINVAL;
}

/* The buffer size is the port's (§6): the smallest of its queues'. */
static int
rx_share_buf_len(struct rte_eth_dev *eth)
{
	struct e1000_rxq **rxq = (struct e1000_rxq **)eth->data->rx_queues;
	uint32_t least = UINT32_MAX, rctl = 0, bits = 0;
	int rc = 0;

	for (uint16_t q = 0; q < eth->data->nb_rx_queues; q++) {
		uint32_t len = rx_buf_len(rxq[q]->q.mp, &bits);

		rctl = len < least ? bits : rctl;
		least = RTE_MIN(least, len);
	}
	for (uint16_t q = 0; q < eth->data->nb_rx_queues && rc == 0; q++) {
		rxq[q]->buf_len = least;
		rc = rx_check_buffers(eth, rxq[q]);
	}
	e1000_adapter_of(eth)->hw.bsize = rctl;
	return rc;
}

/* Fill an empty ring. @return 0, or -ENOMEM with nothing held. */
static int
rx_fill_ring(struct e1000_rxq *rxq, const char *name)
{
	struct pw_ring *r = &rxq->q.ring;

	rx_drain(rxq);
	pw_ring_init(r, pw_ring_size(r));
	memset(rxq->q.desc, 0, rxq->q.zone.len);
	while (pw_ring_free(r) > 0) {
		if (rx_arm(false, rxq, RTE_MIN(pw_ring_free(r), UINT32_C(32))) != 0) {
			PW_LOG(ERR, "%s: mempool %s has too few free buffers to fill an Rx ring of "
				    "%u: make the pool larger or the ring smaller", name,
			       rxq->q.mp->name, pw_ring_size(r));
			rx_drain(rxq);
			return -ENOMEM;
		}
	}
	rxq->refill_at = rxq->q.free_thresh;
	return 0;
}

static void
rx_write_ring(const struct e1000_hw *hw, const struct e1000_rxq *rxq)
{
	const struct pw_io *io = hw->io;
	uint16_t q = rxq->q.queue_id;

	pw_write32(io, E1000_RDBAL(q), (uint32_t)rxq->q.zone.addr);
	pw_write32(io, E1000_RDBAH(q), (uint32_t)(rxq->q.zone.addr >> 32));
	pw_write32(io, E1000_RDLEN(q), pw_ring_size(&rxq->q.ring) * sizeof(struct e1000_rxd));
	pw_write32(io, E1000_RDH(q), 0);
	pw_write32(io, E1000_RDT(q), 0);
	pw_write32(io, E1000_RXDCTL(q), rxq->rxdctl);
}

/* What is one for all queues. */
static void
rx_write_port(struct rte_eth_dev *eth)
{
	struct e1000_hw *hw = &e1000_adapter_of(eth)->hw;
	uint64_t offloads = eth->data->dev_conf.rxmode.offloads;
	uint32_t rxcsum = 0;

	for (uint16_t q = 0; q < eth->data->nb_rx_queues; q++)
		offloads |= ((struct e1000_rxq *)eth->data->rx_queues[q])->q.offloads;
	if (offloads & RTE_ETH_RX_OFFLOAD_IPV4_CKSUM)
		rxcsum |= E1000_RXCSUM_IPOFLD;
	if (offloads & (RTE_ETH_RX_OFFLOAD_UDP_CKSUM | RTE_ETH_RX_OFFLOAD_TCP_CKSUM))
		rxcsum |= E1000_RXCSUM_TUOFLD;
	/* The hash takes the place of a sum that nobody reads. */
	if (hw->flags & E1000_F_EXT_RXD) {
		rxcsum |= E1000_RXCSUM_PCSD;
		pw_modify32(hw->io, E1000_RFCTL, 0, E1000_RFCTL_EXTEN);
	}
	pw_write32(hw->io, E1000_RXCSUM, rxcsum);
	hw->keep_crc = rx_crc_len(eth) != 0;
	hw->long_frames = eth->data->mtu > RTE_ETHER_MTU;
}

int
e1000_rx_start(struct rte_eth_dev *eth)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	bool full;
	int rc = rx_share_buf_len(eth);

	if (rc != 0)
		return rc;
	full = e1000_rx_wants_full(eth);
	e1000_rx_max_len(eth);
	e1000_rx_vlan(eth);
	eth->data->scattered_rx = 0;
	for (uint16_t q = 0; q < eth->data->nb_rx_queues; q++) {
		struct e1000_rxq *rxq = eth->data->rx_queues[q];

		rxq->full = full;
		rc = rxq->q.deferred_start ? 0 : rx_fill_ring(rxq, ad->dev.name);
		if (rc != 0) {
			e1000_rx_stop(eth);
			return rc;
		}
		eth->data->scattered_rx |= rxq->max_len > rxq->buf_len;
		rx_write_ring(&ad->hw, rxq);
	}
	rx_write_port(eth);
	if (ad->hw.flags & E1000_F_RSS)
		e1000_rss_start(eth);
	e1000_set_rx_mode(&ad->hw);
	/* Some parts want the tail after RCTL.EN (§5.2). */
	for (uint16_t q = 0; q < eth->data->nb_rx_queues; q++) {
		struct e1000_rxq *rxq = eth->data->rx_queues[q];

		if (!rxq->q.deferred_start) {
			pw_write32(rxq->io, rxq->tail,
				   pw_ring_slot(&rxq->q.ring, rxq->q.ring.prod - 1));
			eth->data->rx_queue_state[q] = RTE_ETH_QUEUE_STATE_STARTED;
		}
	}
	return 0;
}

void
e1000_rx_stop(struct rte_eth_dev *eth)
{
	for (uint16_t q = 0; q < eth->data->nb_rx_queues; q++) {
		if (eth->data->rx_queues[q] != NULL)
			rx_drain(eth->data->rx_queues[q]);
		eth->data->rx_queue_state[q] = RTE_ETH_QUEUE_STATE_STOPPED;
	}
}

/* A queue that was left out at start, or stopped: its ring in the chip is empty, at 0. */
int
e1000_rx_queue_start(struct rte_eth_dev *eth, uint16_t queue)
{
	struct e1000_rxq *rxq = eth->data->rx_queues[queue];
	int rc = rx_fill_ring(rxq, e1000_adapter_of(eth)->dev.name);

	if (rc != 0)
		return rc;
	pw_write32(rxq->io, rxq->tail, pw_ring_slot(&rxq->q.ring, rxq->q.ring.prod - 1));
	eth->data->rx_queue_state[queue] = RTE_ETH_QUEUE_STATE_STARTED;
	return 0;
}

/*
 * Take a queue's buffers back. Only a receiver that stands still lets go of them (§2.3); the
 * other queue misses what arrives in these milliseconds, and no more.
 */
int
e1000_rx_queue_stop(struct rte_eth_dev *eth, uint16_t queue)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	struct e1000_rxq *rxq = eth->data->rx_queues[queue];

	pw_write32(rxq->io, E1000_RCTL, ad->hw.rctl & ~E1000_RCTL_EN);
	e1000_flush(&ad->hw);
	rte_delay_ms(RX_QUIET_MS);
	pw_write32(rxq->io, E1000_RDT(queue), 0);
	pw_write32(rxq->io, E1000_RDH(queue), 0);
	rx_drain(rxq);
	pw_write32(rxq->io, E1000_RCTL, ad->hw.rctl);
	eth->data->rx_queue_state[queue] = RTE_ETH_QUEUE_STATE_STOPPED;
	return 0;
}
