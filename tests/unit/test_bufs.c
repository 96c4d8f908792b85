/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <rte_mbuf.h>

#include <pw_bufs.h>

#include "eal.h"

#define RING 8
#define POOL 15

static struct rte_mempool *pool;

/* Without a cache, so that the pool can be emptied to the last mbuf. */
static int
make_pool(void **state)
{
	(void)state;
	pool = rte_pktmbuf_pool_create("bufs", POOL, 0, 0, 256, SOCKET_ID_ANY);
	return pool == NULL ? -1 : 0;
}

/* Every test gives back every mbuf, once: a double free would leave more than there are. */
static int
check_pool(void **state)
{
	int left = rte_mempool_avail_count(pool);

	(void)state;
	rte_mempool_free(pool);
	if (left != POOL)
		print_error("%d of %d mbufs in the pool\n", left, POOL);
	return left == POOL ? 0 : -1;
}

static void
test_init_refuses_bad_sizes(void **state)
{
	static const uint32_t bad[] = { 0, 3, 7, 70000 };
	struct pw_bufs b = { 0 };

	(void)state;
	for (size_t i = 0; i < RTE_DIM(bad); i++)
		assert_int_equal(pw_bufs_init(&b, bad[i], SOCKET_ID_ANY), -EINVAL);
	/* 2^28 pointers are 2 GB; EAL has 64 MB. */
	assert_int_equal(pw_bufs_init(&b, UINT32_C(1) << 28, SOCKET_ID_ANY), -ENOMEM);
}

static void
test_init_is_all_empty(void **state)
{
	struct pw_bufs b;

	(void)state;
	assert_int_equal(pw_bufs_init(&b, RING, SOCKET_ID_ANY), 0);
	assert_int_equal(b.mask, RING - 1);
	for (uint32_t i = 0; i < RING; i++)
		assert_null(b.slot[i]);
	pw_bufs_fini(&b);
}

static void
test_fini_is_safe_when_zeroed_and_repeated(void **state)
{
	struct pw_bufs b = { 0 };
	struct pw_ring r = { .mask = RING - 1 };

	(void)state;
	pw_bufs_drain(&b);
	pw_bufs_drain_ring(&b, &r);
	pw_bufs_fini(&b);
	assert_int_equal(pw_bufs_init(&b, RING, SOCKET_ID_ANY), 0);
	assert_int_equal(pw_bufs_refill(&b, pool, 0, 3), 0);
	pw_bufs_fini(&b);
	assert_null(b.slot);
	pw_bufs_fini(&b);
	assert_int_equal(rte_mempool_avail_count(pool), POOL);
}

/* The slots that are filled, as a bit mask; all mbufs distinct. */
static uint32_t
filled(const struct pw_bufs *b)
{
	uint32_t mask = 0;

	for (uint32_t i = 0; i < RING; i++) {
		if (b->slot[i] == NULL)
			continue;
		mask |= 1u << i;
		for (uint32_t j = 0; j < i; j++)
			assert_ptr_not_equal(b->slot[i], b->slot[j]);
	}
	return mask;
}

static void
test_refill_straight_and_wrapped(void **state)
{
	static const struct {
		uint32_t count, n, slots;
	} rows[] = {
		{ 0, 0, 0x00 },
		{ 0, 1, 0x01 },
		{ 0, 8, 0xff },
		{ 3, 5, 0xf8 },			/* ends at the end: one bulk call */
		{ 3, 8, 0xff },
		{ 6, 4, 0xc3 },			/* 6 7 0 1 */
		{ 7, 2, 0x81 },
		{ UINT32_MAX, 1, 0x80 },
		{ UINT32_MAX, 3, 0x83 },	/* counters 2^32 - 1, 0, 1 */
		{ UINT32_MAX - 1, 8, 0xff },
	};
	struct pw_bufs b;

	(void)state;
	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		assert_int_equal(pw_bufs_init(&b, RING, SOCKET_ID_ANY), 0);
		assert_int_equal(pw_bufs_refill(&b, pool, rows[i].count, rows[i].n), 0);
		assert_int_equal(filled(&b), rows[i].slots);
		assert_int_equal(rte_mempool_avail_count(pool), POOL - rows[i].n);
		pw_bufs_fini(&b);
		assert_int_equal(rte_mempool_avail_count(pool), POOL);
	}
}

/* Leave `left` mbufs in the pool, refill 4 slots from slot 6 on, expect nothing to happen. */
static void
refill_with_left(unsigned int left)
{
	void *taken[POOL];
	struct pw_bufs b;

	assert_int_equal(pw_bufs_init(&b, RING, SOCKET_ID_ANY), 0);
	assert_int_equal(rte_mempool_get_bulk(pool, taken, POOL - left), 0);
	assert_int_equal(pw_bufs_refill(&b, pool, 6, 4), -ENOMEM);
	assert_int_equal(filled(&b), 0);
	assert_int_equal(rte_mempool_avail_count(pool), left);
	rte_mempool_put_bulk(pool, taken, POOL - left);
	pw_bufs_fini(&b);
}

static void
test_refill_is_all_or_nothing(void **state)
{
	(void)state;
	refill_with_left(0);
	refill_with_left(1);	/* the first bulk call (2 mbufs) fails */
	refill_with_left(2);	/* the second one fails */
	refill_with_left(3);
}

/* A bulk get from a pool with a cache stores pointers before it fails. */
static void
test_failed_refill_leaves_no_stale_pointer(void **state)
{
	struct rte_mempool *cached;
	struct rte_mbuf *one[4];
	struct pw_bufs b;

	(void)state;
	cached = rte_pktmbuf_pool_create("cached", 4, 2, 0, 256, SOCKET_ID_ANY);
	assert_non_null(cached);
	assert_int_equal(rte_pktmbuf_alloc_bulk(cached, one, 4), 0);
	rte_pktmbuf_free(one[0]);	/* into this lcore's cache */
	assert_int_equal(pw_bufs_init(&b, RING, SOCKET_ID_ANY), 0);
	assert_int_equal(pw_bufs_refill(&b, cached, 0, 2), -ENOMEM);
	assert_int_equal(filled(&b), 0);
	pw_bufs_fini(&b);
	assert_int_equal(rte_mempool_avail_count(cached), 1);
	rte_pktmbuf_free_bulk(&one[1], 3);
	assert_int_equal(rte_mempool_avail_count(cached), 4);
	rte_mempool_free(cached);
}

static void
test_put_gives_back_a_run(void **state)
{
	struct pw_ring r = { .prod = 8, .cons = 0, .mask = RING - 1 };
	struct pw_bufs b;

	(void)state;
	assert_int_equal(pw_bufs_init(&b, RING, SOCKET_ID_ANY), 0);
	assert_int_equal(pw_bufs_refill(&b, pool, 0, 8), 0);
	pw_bufs_put(&b, pool, 0, 4);
	r.cons += 4;
	assert_int_equal(rte_mempool_avail_count(pool), POOL - 4);
	/* Slots 0 to 3 still show mbufs that are the pool's again. */
	pw_bufs_drain_ring(&b, &r);
	assert_int_equal(filled(&b), 0);
	assert_int_equal(rte_mempool_avail_count(pool), POOL);
	pw_bufs_fini(&b);
}

static void
test_drain_ring_frees_the_used_part_only(void **state)
{
	static const uint32_t starts[] = { 0, 5, UINT32_MAX - 2, UINT32_MAX };
	struct rte_mbuf *away[3];
	struct pw_bufs b;

	(void)state;
	for (size_t i = 0; i < RTE_DIM(starts); i++) {
		struct pw_ring r = { .prod = starts[i], .cons = starts[i], .mask = RING - 1 };

		assert_int_equal(pw_bufs_init(&b, RING, SOCKET_ID_ANY), 0);
		assert_int_equal(pw_bufs_refill(&b, pool, r.prod, 7), 0);
		r.prod += 7;
		/* Three go to the application; their slots are not touched. */
		for (unsigned int n = 0; n < 3; n++)
			away[n] = b.slot[pw_ring_slot(&r, r.cons++)];
		pw_bufs_drain_ring(&b, &r);
		assert_int_equal(rte_mempool_avail_count(pool), POOL - 3);
		for (unsigned int n = 0; n < 3; n++)
			assert_int_equal(rte_mbuf_refcnt_read(away[n]), 1);
		rte_pktmbuf_free_bulk(away, 3);
		pw_bufs_fini(&b);
		assert_int_equal(rte_mempool_avail_count(pool), POOL);
	}
}

/* Tx: each slot holds one segment of a chain; freeing the first as a packet would free all. */
static void
test_drain_frees_chains_segment_by_segment(void **state)
{
	struct rte_mbuf *seg[3];
	struct pw_bufs b;

	(void)state;
	assert_int_equal(pw_bufs_init(&b, RING, SOCKET_ID_ANY), 0);
	assert_int_equal(rte_pktmbuf_alloc_bulk(pool, seg, 3), 0);
	for (unsigned int i = 0; i < 3; i++) {
		assert_non_null(rte_pktmbuf_append(seg[i], 10));
		b.slot[i + 2] = seg[i];
	}
	assert_int_equal(rte_pktmbuf_chain(seg[0], seg[1]), 0);
	assert_int_equal(rte_pktmbuf_chain(seg[0], seg[2]), 0);
	pw_bufs_drain(&b);
	assert_int_equal(rte_mempool_avail_count(pool), POOL);
	assert_int_equal(filled(&b), 0);
	pw_bufs_fini(&b);
}

#define on_pool(t) cmocka_unit_test_setup_teardown(t, make_pool, check_pool)

/* Packets of one segment, of several, of another pool, held by somebody else, and none. */
static void
test_free_takes_any_packets(void **state)
{
	struct rte_mempool *other = rte_pktmbuf_pool_create("other", 3, 0, 0, 256, SOCKET_ID_ANY);
	struct rte_mbuf *m[5], *held;

	(void)state;
	assert_non_null(other);
	/* Plain ones. */
	assert_int_equal(rte_pktmbuf_alloc_bulk(pool, m, RTE_DIM(m)), 0);
	pw_bufs_free(m, RTE_DIM(m));
	assert_int_equal(rte_mempool_avail_count(pool), POOL);
	/* All but the last are no lone segments of the first one's pool; the last is none. */
	m[0] = rte_pktmbuf_alloc(pool);
	m[1] = rte_pktmbuf_alloc(pool);
	assert_int_equal(rte_pktmbuf_chain(m[1], rte_pktmbuf_alloc(pool)), 0);
	m[2] = rte_pktmbuf_alloc(other);
	m[3] = held = rte_pktmbuf_alloc(pool);
	rte_mbuf_refcnt_update(held, 1);
	m[4] = NULL;
	pw_bufs_free(m, RTE_DIM(m));
	assert_int_equal(rte_mempool_avail_count(other), 3);
	assert_int_equal(rte_mempool_avail_count(pool), POOL - 1);
	rte_pktmbuf_free(held);
	rte_mempool_free(other);
}

/* Each thing that keeps a packet from the quick way, alone among plain ones; first and last. */
static void
test_free_looks_at_every_packet(void **state)
{
	enum { NONE, CHAIN, HELD, INDIRECT, OTHER, KINDS };
	struct rte_mempool *other = rte_pktmbuf_pool_create("other", 3, 0, 0, 256, SOCKET_ID_ANY);
	struct rte_mbuf *m[4], *direct = NULL;

	(void)state;
	assert_non_null(other);
	for (unsigned int kind = 0; kind < KINDS; kind++) {
		for (unsigned int at = 0; at < RTE_DIM(m); at += RTE_DIM(m) - 1) {
			struct rte_mbuf *odd;

			assert_int_equal(rte_pktmbuf_alloc_bulk(pool, m, RTE_DIM(m)), 0);
			odd = m[at];
			if (kind == CHAIN)
				assert_int_equal(rte_pktmbuf_chain(odd, rte_pktmbuf_alloc(pool)),
						 0);
			if (kind == HELD)
				rte_mbuf_refcnt_update(odd, 1);
			if (kind == INDIRECT) {
				direct = rte_pktmbuf_alloc(pool);
				rte_pktmbuf_attach(odd, direct);
				rte_pktmbuf_free(direct);
			}
			if (kind == OTHER) {
				rte_pktmbuf_free(odd);
				m[at] = rte_pktmbuf_alloc(other);
			}
			if (kind == NONE) {
				rte_pktmbuf_free(odd);
				m[at] = NULL;
			}
			pw_bufs_free(m, RTE_DIM(m));
			if (kind == HELD) {
				assert_int_equal(rte_mbuf_refcnt_read(odd), 1);
				rte_pktmbuf_free(odd);
			}
			assert_int_equal(rte_mempool_avail_count(other), 3);
			assert_int_equal(rte_mempool_avail_count(pool), POOL);
		}
	}
	rte_mempool_free(other);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_init_refuses_bad_sizes),
		cmocka_unit_test(test_init_is_all_empty),
		on_pool(test_fini_is_safe_when_zeroed_and_repeated),
		on_pool(test_refill_straight_and_wrapped),
		on_pool(test_refill_is_all_or_nothing),
		cmocka_unit_test(test_failed_refill_leaves_no_stale_pointer),
		on_pool(test_put_gives_back_a_run),
		on_pool(test_drain_ring_frees_the_used_part_only),
		on_pool(test_drain_frees_chains_segment_by_segment),
		on_pool(test_free_takes_any_packets),
		on_pool(test_free_looks_at_every_packet),
	};

	return cmocka_run_group_tests_name("bufs", tests, eal_setup, eal_teardown);
}
