/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _E1000_RX_VEC_H_
#define _E1000_RX_VEC_H_

/**
 * @file
 * Four descriptors at a time, for the bursts of e1000_rx.c, where the compiler may use SSE4.1 (as
 * DPDK's own flags for x86 allow). Each function here has a scalar loop there that does the same.
 *
 * An mbuf is filled by two stores: rearm word and flags; packet type, lengths, tag and hash. A
 * descriptor is armed by one.
 *
 * Whoever calls has seen DD of all four and passed a read barrier. So it does not matter in which
 * order, or in how many pieces, the chip's write-back reaches memory, nor in which order these
 * functions load; drivers that look for DD in the very vectors that they go on to use have to
 * load the last descriptor first.
 */

#ifdef __SSE4_1__
#define E1000_RX_VEC 1

#include <smmintrin.h>

#include <rte_mbuf.h>

#include <e1000_desc.h>

#define E1000_VEC_NUM 4		/* descriptors at a time */

#define MBUF_AT(field, other, n) \
	(offsetof(struct rte_mbuf, field) == offsetof(struct rte_mbuf, other) + (n))
_Static_assert(offsetof(struct rte_mbuf, data_off) % 16 == 0 && MBUF_AT(ol_flags, data_off, 8),
	       "rearm word and flags are one store");
_Static_assert(offsetof(struct rte_mbuf, packet_type) % 16 == 0 &&
	       MBUF_AT(pkt_len, packet_type, 4) && MBUF_AT(data_len, packet_type, 8) &&
	       MBUF_AT(vlan_tci, packet_type, 10) && MBUF_AT(hash, packet_type, 12),
	       "what is known from a descriptor is one store");
#undef MBUF_AT

/* One dword of each descriptor. */
struct e1000_vec_status {
	__m128i status;	/* where status and errors are: word 3 if legacy, 2 if extended */
	__m128i other;	/* the other one of these two words */
	__m128i first;	/* word 0 */
};

static __rte_always_inline struct e1000_vec_status
e1000_vec_load(bool ext, const struct e1000_rxd *d, __m128i desc[E1000_VEC_NUM])
{
	struct e1000_vec_status s;
	__m128i hi[2], lo[2];

	for (unsigned int i = 0; i < E1000_VEC_NUM; i++)
		desc[i] = _mm_load_si128((const __m128i *)&d[i]);
	hi[0] = _mm_unpackhi_epi32(desc[0], desc[1]);
	hi[1] = _mm_unpackhi_epi32(desc[2], desc[3]);
	lo[0] = _mm_unpacklo_epi32(desc[0], desc[1]);
	lo[1] = _mm_unpacklo_epi32(desc[2], desc[3]);
	s.status = ext ? _mm_unpacklo_epi64(hi[0], hi[1]) : _mm_unpackhi_epi64(hi[0], hi[1]);
	s.other = ext ? _mm_unpackhi_epi64(hi[0], hi[1]) : _mm_unpacklo_epi64(hi[0], hi[1]);
	s.first = _mm_unpacklo_epi64(lo[0], lo[1]);
	return s;
}

/* By the chip's packet types, of ours the low byte, which is all they have. */
static __rte_always_inline __m128i
e1000_vec_ptypes(const uint8_t table[16], __m128i status)
{
	__m128i type = _mm_srli_epi32(status, E1000_RXDX_PKTTYPE_SHIFT);

	/* An index with the top bit set gives zero. */
	type = _mm_or_si128(_mm_and_si128(type, _mm_set1_epi32(0xf)), _mm_set1_epi32(~0xff));
	return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)table), type);
}

/* Turn descriptors into what an mbuf has from packet_type on (§3.1, §3.2). */
static __rte_always_inline void
e1000_vec_fields(bool ext, __m128i desc[E1000_VEC_NUM], __m128i status, const uint8_t ptypes[16])
{
	/* Type 0, length in two places, tag, hash; by the byte, last first; -1 is a zero. */
	const __m128i where = ext ?
		_mm_set_epi8(7, 6, 5, 4, 15, 14, 13, 12, -1, -1, 13, 12, -1, -1, -1, -1) :
		_mm_set_epi8(-1, -1, -1, -1, 15, 14, 9, 8, -1, -1, 9, 8, -1, -1, -1, -1);
	__m128 type;

	for (unsigned int i = 0; i < E1000_VEC_NUM; i++)
		desc[i] = _mm_shuffle_epi8(desc[i], where);
	if (!ext)
		return;
	type = _mm_castsi128_ps(e1000_vec_ptypes(ptypes, status));
#define WITH_TYPE(i) \
	_mm_castps_si128(_mm_insert_ps(_mm_castsi128_ps(desc[i]), type, (i) << 6))
	desc[0] = WITH_TYPE(0);
	desc[1] = WITH_TYPE(1);
	desc[2] = WITH_TYPE(2);
	desc[3] = WITH_TYPE(3);
#undef WITH_TYPE
}

static __rte_always_inline void
e1000_vec_store(struct rte_mbuf *m, __m128i head, __m128i fields)
{
	_mm_store_si128((__m128i *)(uintptr_t)&m->data_off, head);
	_mm_store_si128((__m128i *)(uintptr_t)&m->packet_type, fields);
}

static __rte_always_inline void
e1000_vec_copy(struct rte_mbuf **pkts, struct rte_mbuf *const *b)
{
	_mm_storeu_si128((__m128i *)&pkts[0], _mm_loadu_si128((const __m128i *)&b[0]));
	_mm_storeu_si128((__m128i *)&pkts[2], _mm_loadu_si128((const __m128i *)&b[2]));
}

/*
 * Hand four frames up that are taken for good ones, of one buffer each, without flags.
 *
 * @param head
 *   The rearm word, and zero above it.
 * @return their status words, by which to judge afterwards whether they were.
 */
static __rte_always_inline __m128i
e1000_vec_take(bool ext, const struct e1000_rxd *d, struct rte_mbuf *const *b,
	       struct rte_mbuf **pkts, __m128i head, const uint8_t ptypes[16])
{
	__m128i desc[E1000_VEC_NUM];
	struct e1000_vec_status s = e1000_vec_load(ext, d, desc);

	e1000_vec_fields(ext, desc, s.status, ptypes);
	e1000_vec_copy(pkts, b);
	for (unsigned int i = 0; i < E1000_VEC_NUM; i++)
		e1000_vec_store(b[i], head, desc[i]);
	return s.status;
}

/* rx_flag_index() of four. */
static __rte_always_inline __m128i
e1000_vec_flag_index(bool ext, const struct e1000_vec_status *s)
{
	__m128i status = _mm_and_si128(_mm_srli_epi32(s->status, 2), _mm_set1_epi32(0x1f));
	__m128i errors = _mm_and_si128(_mm_srli_epi32(s->status, ext ? 24 : 8),
				       _mm_set1_epi32(0x60));
	__m128i index = _mm_or_si128(status, errors), none;

	if (!ext)
		return index;
	none = _mm_cmpeq_epi32(_mm_and_si128(s->first, _mm_set1_epi32(0xf)), _mm_setzero_si128());
	return _mm_or_si128(index, _mm_andnot_si128(none, _mm_set1_epi32(0x80)));
}

/*
 * Hand four frames up with flags.
 *
 * @param trouble
 *   Bits of the status word that must be as in a good frame of one buffer: EOP alone set.
 * @param max_len
 *   Longest frame to hand up, bytes.
 * @return false with nothing done if one of the four is not such a frame.
 */
static __rte_always_inline bool
e1000_vec_take_full(bool ext, const struct e1000_rxd *d, struct rte_mbuf *const *b,
		    struct rte_mbuf **pkts, __m128i head, const uint8_t ptypes[16],
		    const uint16_t *flag, uint32_t trouble, uint32_t max_len)
{
	__m128i desc[E1000_VEC_NUM], odd, len, index;
	struct e1000_vec_status s = e1000_vec_load(ext, d, desc);

	odd = _mm_and_si128(_mm_xor_si128(s.status, _mm_set1_epi32(E1000_RXD_EOP)),
			    _mm_set1_epi32(trouble));
	len = _mm_and_si128(s.other, _mm_set1_epi32(UINT16_MAX));
	odd = _mm_or_si128(odd, _mm_cmpgt_epi32(len, _mm_set1_epi32(max_len)));
	if (unlikely(!_mm_test_all_zeros(odd, odd)))
		return false;
	index = e1000_vec_flag_index(ext, &s);
	e1000_vec_fields(ext, desc, s.status, ptypes);
	e1000_vec_copy(pkts, b);
#define STORE(i) e1000_vec_store(b[i], \
	_mm_insert_epi16(head, flag[_mm_extract_epi16(index, 2 * (i))], 4), desc[i])
	STORE(0);
	STORE(1);
	STORE(2);
	STORE(3);
#undef STORE
	return true;
}

/*
 * Give four descriptors to the chip: the buffer's address, then zero.
 *
 * @param off
 *   From buf_iova to where the chip writes, and zero above it.
 */
static __rte_always_inline void
e1000_vec_arm(struct e1000_rxd *d, struct rte_mbuf *const *b, __m128i off)
{
	for (unsigned int i = 0; i < E1000_VEC_NUM; i++) {
		__m128i iova = _mm_loadl_epi64((const __m128i *)&b[i]->buf_iova);

		_mm_store_si128((__m128i *)&d[i], _mm_add_epi64(iova, off));
	}
}
#endif

#endif /* _E1000_RX_VEC_H_ */
