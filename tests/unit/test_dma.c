/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Segments lie at device addresses of the tests' choice: their buffers are external ones, attached
 * with any IOVA. Copies land in real pools, whose device addresses `offset` moves.
 */

#include <errno.h>

#include <rte_errno.h>
#include <rte_malloc.h>
#include <rte_mbuf.h>
#include <rte_mbuf_dyn.h>

#include <pw_dma.h>

#include "eal.h"

#define GB4		UINT64_C(0x100000000)
#define POOL		31
#define ROOM		2048
#define JUMBO_ROOM	9216

static struct rte_mempool *pool, *jumbo, *small;
static uint8_t bytes[65536];
static struct rte_mbuf_ext_shared_info shared;

static void
never(void *addr, void *opaque)
{
	(void)addr;
	(void)opaque;
}

static int
setup(void **state)
{
	if (eal_setup(state) != 0)
		return -1;
	/* Without a cache, so that pools can be emptied. */
	pool = rte_pktmbuf_pool_create("pool", POOL, 0, 0, RTE_PKTMBUF_HEADROOM + ROOM,
				       SOCKET_ID_ANY);
	jumbo = rte_pktmbuf_pool_create("jumbo", 3, 0, 0, RTE_PKTMBUF_HEADROOM + JUMBO_ROOM,
					SOCKET_ID_ANY);
	small = rte_pktmbuf_pool_create("small", 3, 0, 0, RTE_PKTMBUF_HEADROOM + 64,
					SOCKET_ID_ANY);
	if (pool == NULL || jumbo == NULL || small == NULL)
		return -1;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i * 7 + i / 256);
	shared.free_cb = never;
	rte_mbuf_ext_refcnt_set(&shared, 1);
	return 0;
}

/* --- limits --- */

static void
test_init_takes_sane_limits(void **state)
{
	static const struct pw_dma_limits good[] = {
		{ .addr_bits = 64 },
		{ .addr_bits = 1 },
		{ .addr_bits = 32, .align = 1, .boundary = 1 },
		{ .addr_bits = 32, .align = 4, .boundary = 65536, .max_seg_len = 65536 },
		{ .addr_bits = 40, .align = 8, .max_seg_len = 8, .max_segs = 1 },
		{ .addr_bits = 64, .boundary = UINT32_C(1) << 31, .align = UINT32_C(1) << 31 },
	};

	(void)state;
	for (size_t i = 0; i < RTE_DIM(good); i++) {
		struct pw_dma dma;

		memset(&dma, 0xa5, sizeof(dma));
		assert_int_equal(pw_dma_init(&dma, &good[i], SOCKET_ID_ANY), 0);
		assert_memory_equal(&dma.limits, &good[i], sizeof(good[i]));
		assert_int_equal(dma.offset | dma.linearized | dma.bounced | dma.load_failed, 0);
		assert_int_equal(dma.socket, SOCKET_ID_ANY);
	}
}

static void
test_init_refuses_senseless_limits(void **state)
{
	static const struct pw_dma_limits bad[] = {
		{ .addr_bits = 0 },
		{ .addr_bits = 65 },
		{ .addr_bits = 64, .align = 3 },
		{ .addr_bits = 64, .boundary = 4095 },
		{ .addr_bits = 64, .boundary = 4096, .max_seg_len = 4097 },
		{ .addr_bits = 64, .boundary = 4, .align = 8 },
		{ .addr_bits = 64, .align = 8, .max_seg_len = 7 },
	};
	struct pw_dma dma;

	(void)state;
	for (size_t i = 0; i < RTE_DIM(bad); i++)
		assert_int_equal(pw_dma_init(&dma, &bad[i], SOCKET_ID_ANY), -EINVAL);
}

/* --- zones --- */

static void
init(struct pw_dma *dma, const struct pw_dma_limits *limits)
{
	assert_int_equal(pw_dma_init(dma, limits, SOCKET_ID_ANY), 0);
}

static unsigned int
allocations(void)
{
	struct rte_malloc_socket_stats stats;

	assert_int_equal(rte_malloc_get_socket_stats(0, &stats), 0);
	return stats.alloc_count;
}

static void
test_zone_is_zeroed_aligned_and_freed(void **state)
{
	static const struct pw_dma_limits lim = { .addr_bits = 64, .align = 4096 };
	unsigned int before = allocations();
	struct pw_dma_zone z;
	struct pw_dma dma;

	(void)state;
	init(&dma, &lim);
	/* Twice: the second gets the first one's memory, which was written to. */
	for (int i = 0; i < 2; i++) {
		assert_int_equal(pw_dma_zone_alloc(&dma, "zone", 5000, 128, &z), 0);
		assert_int_equal(z.len, 5000);
		assert_int_equal(z.addr, rte_mem_virt2iova(z.va));
		assert_int_equal(z.addr % 4096, 0);
		for (size_t b = 0; b < z.len; b++)
			assert_int_equal(((uint8_t *)z.va)[b], 0);
		memset(z.va, 0xff, z.len);
		pw_dma_zone_free(&z);
		assert_null(z.va);
		pw_dma_zone_free(&z);
	}
	assert_int_equal(pw_dma_zone_alloc(&dma, "zone", 64, 8192, &z), 0);
	assert_int_equal(z.addr % 8192, 0);
	pw_dma_zone_free(&z);
	assert_int_equal(allocations(), before);
}

static void
test_zone_refuses_bad_requests(void **state)
{
	static const struct pw_dma_limits lim = { .addr_bits = 64, .boundary = 4096 };
	static const struct {
		const char *name;
		size_t len, align;
		int rc;
	} rows[] = {
		{ "z", 0, 64, -EINVAL },
		{ "z", 64, 0, -EINVAL },
		{ "z", 64, 96, -EINVAL },
		{ "z", 64, (size_t)1 << 40, -EINVAL },
		{ "z", 4097, 64, -EINVAL },
		{ "taken", 64, 64, -EEXIST },
		{ "a name that has more than the thirty-one characters", 64, 64, -EINVAL },
	};
	struct pw_dma_zone taken, z;
	struct pw_dma dma;
	unsigned int before;

	(void)state;
	init(&dma, &lim);
	assert_int_equal(pw_dma_zone_alloc(&dma, "taken", 64, 64, &taken), 0);
	before = allocations();
	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		memset(&z, 0xa5, sizeof(z));
		assert_int_equal(pw_dma_zone_alloc(&dma, rows[i].name, rows[i].len, rows[i].align,
						   &z), rows[i].rc);
		assert_null(z.va);
		pw_dma_zone_free(&z);
	}
	assert_int_equal(allocations(), before);
	pw_dma_zone_free(&taken);
}

static void
test_zone_of_more_than_there_is(void **state)
{
	static const struct pw_dma_limits lim = { .addr_bits = 64 };
	struct pw_dma_zone z;
	struct pw_dma dma;

	(void)state;
	init(&dma, &lim);
	assert_int_equal(pw_dma_zone_alloc(&dma, "big", 256 << 20, 64, &z), -ENOMEM);
}

static void
test_zones_never_cross_the_boundary(void **state)
{
	static const struct pw_dma_limits lim = { .addr_bits = 64, .boundary = 4096 };
	struct pw_dma_zone z[16];
	struct pw_dma dma;
	char name[16];

	(void)state;
	init(&dma, &lim);
	for (unsigned int i = 0; i < RTE_DIM(z); i++) {
		/* 2304 and its multiples reach every place in a page. */
		snprintf(name, sizeof(name), "b%u", i);
		assert_int_equal(pw_dma_zone_alloc(&dma, name, 2304, 64, &z[i]), 0);
		assert_int_equal(z[i].addr / 4096, (z[i].addr + 2303) / 4096);
	}
	for (unsigned int i = 0; i < RTE_DIM(z); i++)
		pw_dma_zone_free(&z[i]);
}

/* EAL puts its memory above 4 GiB, and IOVAs are addresses here. */
static void
test_zone_out_of_reach(void **state)
{
	static const struct pw_dma_limits lim = { .addr_bits = 32 };
	unsigned int before = allocations();
	struct pw_dma_zone z;
	struct pw_dma dma;

	(void)state;
	init(&dma, &lim);
	assert_int_equal(pw_dma_zone_alloc(&dma, "high", 4096, 64, &z), -ERANGE);
	assert_null(z.va);
	assert_int_equal(allocations(), before);
}

static void
test_zone_through_a_low_window(void **state)
{
	static const struct pw_dma_limits lim = { .addr_bits = 32 };
	struct pw_dma_zone z;
	struct pw_dma dma;

	(void)state;
	init(&dma, &lim);
	/* The window maps what begins where the pool is to device address 16 MiB. */
	dma.offset = (UINT64_C(16) << 20) -
		     (rte_mem_virt2iova(pool) & ~(uint64_t)(RTE_PGSIZE_1G - 1));
	assert_int_equal(pw_dma_zone_alloc(&dma, "low", 4096, 64, &z), 0);
	assert_int_equal(z.addr, rte_mem_virt2iova(z.va) + dma.offset);
	assert_in_range(z.addr, UINT64_C(16) << 20, GB4 - 4096);
	pw_dma_zone_free(&z);
}

/* What the heap would give first lies one byte beyond reach; what comes next is taken. */
static void
test_zone_is_looked_for_below_the_limit(void **state)
{
	static const struct pw_dma_limits all = { .addr_bits = 64 };
	static const struct pw_dma_limits lim = { .addr_bits = 40 };
	unsigned int before = allocations();
	struct pw_dma_zone first, z;
	struct pw_dma dma;

	(void)state;
	init(&dma, &all);
	assert_int_equal(pw_dma_zone_alloc(&dma, "first", 8192, 64, &first), 0);
	init(&dma, &lim);
	dma.offset = (UINT64_C(1) << 40) - (first.addr + 8192) + 1;
	pw_dma_zone_free(&first);
	assert_int_equal(pw_dma_zone_alloc(&dma, "second", 8192, 1, &z), 0);
	assert_true(z.addr + 8192 <= UINT64_C(1) << 40);
	pw_dma_zone_free(&z);
	assert_int_equal(allocations(), before);
}

/* --- pools --- */

struct extent {
	uint64_t low, high, mid;	/* first byte, last byte, start of some buffer in between */
};

static void
measure(struct rte_mempool *mp, void *opaque, void *obj, unsigned int idx)
{
	const struct rte_mbuf *m = obj;
	struct extent *e = opaque;

	e->low = RTE_MIN(e->low, m->buf_iova);
	e->high = RTE_MAX(e->high, m->buf_iova + m->buf_len - 1);
	if (idx == mp->size / 2)
		e->mid = m->buf_iova;
}

static void
test_pool_reach_to_the_byte(void **state)
{
	static const struct pw_dma_limits lim = { .addr_bits = 32 }, all = { .addr_bits = 64 };
	struct extent e = { .low = UINT64_MAX };
	struct pw_dma dma;

	(void)state;
	rte_mempool_obj_iter(pool, measure, &e);
	init(&dma, &lim);
	assert_int_equal(pw_dma_pool_check(&dma, pool), -ERANGE);
	dma.offset = GB4 - 1 - e.high;
	assert_int_equal(pw_dma_pool_check(&dma, pool), 0);
	dma.offset++;
	assert_int_equal(pw_dma_pool_check(&dma, pool), -ERANGE);
	dma.offset = -e.low;
	assert_int_equal(pw_dma_pool_check(&dma, pool), 0);
	/* Below 0 is at the top of 64 bits. */
	dma.offset--;
	assert_int_equal(pw_dma_pool_check(&dma, pool), -ERANGE);
	init(&dma, &all);
	dma.offset = -e.low - 1;
	assert_int_equal(pw_dma_pool_check(&dma, pool), -ERANGE);
	dma.offset = 0;
	assert_int_equal(pw_dma_pool_check(&dma, pool), 0);
}

static void
test_pool_boundary_to_the_byte(void **state)
{
	static const struct pw_dma_limits lim = { .addr_bits = 64, .boundary = 1 << 30 };
	const uint32_t len = RTE_PKTMBUF_HEADROOM + ROOM;
	struct extent e = { .low = UINT64_MAX };
	struct pw_dma dma;

	(void)state;
	rte_mempool_obj_iter(pool, measure, &e);
	assert_in_range(e.mid, e.low + 1, e.high);
	init(&dma, &lim);
	/* Where 3 GiB falls: before the buffer, at its ends inside, after it. */
	dma.offset = (UINT64_C(3) << 30) - e.mid;
	assert_int_equal(pw_dma_pool_check(&dma, pool), 0);
	dma.offset--;
	assert_int_equal(pw_dma_pool_check(&dma, pool), -EXDEV);
	dma.offset = (UINT64_C(3) << 30) - (e.mid + len - 1);
	assert_int_equal(pw_dma_pool_check(&dma, pool), -EXDEV);
	dma.offset--;
	assert_int_equal(pw_dma_pool_check(&dma, pool), 0);
}

/* --- loading --- */

/* A segment at a device address, its bytes those from `from` on. */
static struct rte_mbuf *
seg_at(const struct pw_dma *dma, uint64_t addr, uint16_t len, uint32_t from)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(pool);

	assert_non_null(m);
	/* The chip sees IOVA plus offset. */
	rte_mbuf_ext_refcnt_update(&shared, 1);
	rte_pktmbuf_attach_extbuf(m, &bytes[from], addr - dma->offset, RTE_MAX(len, 1), &shared);
	m->data_len = len;
	m->pkt_len = len;
	return m;
}

#define SEGS 6

struct piece {
	uint64_t addr;
	uint32_t len;
};

/* A list ends with length 0, but for a chain's, where -1 stands for an empty segment. */
#define EMPTY UINT32_MAX

static struct rte_mbuf *
chain_at(const struct pw_dma *dma, const struct piece *in)
{
	struct rte_mbuf *head = NULL, *m;
	uint32_t from = 0;

	for (unsigned int i = 0; i < SEGS && in[i].len != 0; i++) {
		uint16_t len = in[i].len == EMPTY ? 0 : in[i].len;

		m = seg_at(dma, in[i].addr, len, from);
		from += len;
		if (head == NULL)
			head = m;
		else
			assert_int_equal(rte_pktmbuf_chain(head, m), 0);
	}
	return head;
}

static int
all_back(void **state)
{
	(void)state;
	assert_int_equal(rte_mempool_avail_count(pool), POOL);
	assert_int_equal(rte_mempool_avail_count(jumbo), 3);
	assert_int_equal(rte_mempool_avail_count(small), 3);
	return 0;
}

static void
test_load_as_it_lies(void **state)
{
	static const struct {
		const char *rule;
		struct pw_dma_limits lim;
		struct piece in[SEGS];
		struct piece out[SEGS];
	} rows[] = {
		{ "one segment", { .addr_bits = 64 },
		  { { 0x1234567, 60 } }, { { 0x1234567, 60 } } },
		{ "three segments", { .addr_bits = 64, .max_segs = 3 },
		  { { 0x1000, 14 }, { 0x2000, 20 }, { 0x3001, 1 } },
		  { { 0x1000, 14 }, { 0x2000, 20 }, { 0x3001, 1 } } },
		{ "empty segments do not count", { .addr_bits = 64, .max_segs = 2 },
		  { { 0x999, EMPTY }, { 0x1000, 14 }, { 5, EMPTY }, { 0x2000, 20 }, { 7, EMPTY } },
		  { { 0x1000, 14 }, { 0x2000, 20 } } },
		{ "empty segments may lie anywhere", { .addr_bits = 16, .align = 4 },
		  { { 0x10001, EMPTY }, { 0x1000, 14 } }, { { 0x1000, 14 } } },
		{ "last byte in reach", { .addr_bits = 32 },
		  { { GB4 - 64, 64 } }, { { GB4 - 64, 64 } } },
		{ "last byte of 64 bits", { .addr_bits = 64 },
		  { { UINT64_MAX - 63, 64 } }, { { UINT64_MAX - 63, 64 } } },
		{ "up to the boundary", { .addr_bits = 64, .boundary = 4096 },
		  { { 0x1fc0, 64 } }, { { 0x1fc0, 64 } } },
		{ "from the boundary on", { .addr_bits = 64, .boundary = 4096 },
		  { { 0x2000, 4096 } }, { { 0x2000, 4096 } } },
		{ "across the boundary by a byte", { .addr_bits = 64, .boundary = 4096 },
		  { { 0x1fc0, 65 } }, { { 0x1fc0, 64 }, { 0x2000, 1 } } },
		{ "across two boundaries", { .addr_bits = 64, .boundary = 4096 },
		  { { 0x1fff, 4098 } }, { { 0x1fff, 1 }, { 0x2000, 4096 }, { 0x3000, 1 } } },
		{ "longest segment", { .addr_bits = 64, .max_seg_len = 4096 },
		  { { 0x123, 4096 } }, { { 0x123, 4096 } } },
		{ "a byte longer", { .addr_bits = 64, .max_seg_len = 4096 },
		  { { 0x123, 4097 } }, { { 0x123, 4096 }, { 0x1123, 1 } } },
		{ "length and boundary",
		  { .addr_bits = 64, .max_seg_len = 3000, .boundary = 4096 }, { { 0x1800, 6000 } },
		  /* 2048 to the boundary, 3000, 952 of what is left */
		  { { 0x1800, 2048 }, { 0x2000, 3000 }, { 0x2bb8, 952 } } },
		{ "splitting keeps the alignment",
		  { .addr_bits = 64, .align = 8, .max_seg_len = 1023 }, { { 0x1000, 2041 } },
		  /* 1023 rounded down to 8s is 1016 */
		  { { 0x1000, 1016 }, { 0x13f8, 1016 }, { 0x17f0, 9 } } },
		{ "splitting keeps even addresses even",
		  { .addr_bits = 64, .align = 2, .max_seg_len = 101 }, { { 0x1002, 102 } },
		  { { 0x1002, 100 }, { 0x1066, 2 } } },
		{ "a short end needs no split",
		  { .addr_bits = 64, .align = 8, .max_seg_len = 1023 },
		  { { 0x1000, 1023 } }, { { 0x1000, 1023 } } },
		{ "each start aligned", { .addr_bits = 64, .align = 4 },
		  { { 0x1004, 13 }, { 0x2008, 7 } }, { { 0x1004, 13 }, { 0x2008, 7 } } },
		{ "as many as allowed after splitting",
		  { .addr_bits = 64, .boundary = 4096, .max_segs = 3 },
		  { { 0x1ff0, 32 }, { 0x5000, 10 } },
		  { { 0x1ff0, 16 }, { 0x2000, 16 }, { 0x5000, 10 } } },
	};

	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		for (int low = 0; low < 2; low++) {
			struct pw_dma_seg segs[SEGS];
			struct rte_mbuf *m, *was;
			struct pw_dma dma;
			int n = 0;

			init(&dma, &rows[i].lim);
			/* The same device addresses, at home and through a window. */
			dma.offset = low ? -GB4 : 0;
			was = m = chain_at(&dma, rows[i].in);
			while (n < SEGS && rows[i].out[n].len != 0)
				n++;
			if (pw_dma_load(&dma, &m, NULL, segs, SEGS) != n)
				fail_msg("%s", rows[i].rule);
			for (int s = 0; s < n; s++)
				if (segs[s].addr != rows[i].out[s].addr ||
				    segs[s].len != rows[i].out[s].len)
					fail_msg("%s: segment %d", rows[i].rule, s);
			assert_ptr_equal(m, was);
			assert_int_equal(dma.linearized | dma.bounced | dma.load_failed, 0);
			rte_pktmbuf_free(m);
		}
	}
	all_back(state);
}

/* The loaded segments hold the packet: the bytes from 0 on, `len` of them. */
static void
check_copy(const struct pw_dma *dma, const struct rte_mbuf *m, const struct pw_dma_seg *segs,
	   int n, uint32_t len)
{
	uint64_t base = pw_dma_mbuf_addr(dma, m);
	uint32_t sum = 0;

	assert_int_equal(m->nb_segs, 1);
	assert_null(m->next);
	assert_int_equal(m->pkt_len, len);
	assert_int_equal(m->data_len, len);
	assert_memory_equal(rte_pktmbuf_mtod(m, void *), bytes, len);
	for (int i = 0; i < n; i++) {
		assert_int_equal(segs[i].addr, base + sum);
		sum += segs[i].len;
	}
	assert_int_equal(sum, len);
}

/* Device addresses of both pools are the IOVAs here; what the chains' are is free. */
static void
test_load_copies_what_the_chip_cannot_take(void **state)
{
	static const struct {
		const char *rule;
		struct pw_dma_limits lim;
		struct piece in[SEGS];
		uint16_t max;
		uint32_t len;
		bool bounced;
	} rows[] = {
		{ "too many segments", { .addr_bits = 64, .max_segs = 2 },
		  { { 0x1000, 14 }, { 0x2000, 20 }, { 0x3000, 30 } }, SEGS, 64, false },
		{ "no room for the segments", { .addr_bits = 64 },
		  { { 0x1000, 14 }, { 0x2000, 20 }, { 0x3000, 30 } }, 2, 64, false },
		{ "the limit counts what splitting adds", { .addr_bits = 64, .boundary = 1 << 20,
		  .max_segs = 2 }, { { 0xfffff, 2 }, { 0x2fffff, 2 } }, SEGS, 4, false },
		{ "one misaligned segment", { .addr_bits = 64, .align = 4 },
		  { { 0x1002, 60 } }, SEGS, 60, false },
		{ "an odd address", { .addr_bits = 64, .align = 2 },
		  { { 0x1001, 60 } }, SEGS, 60, false },
		{ "the second misaligned", { .addr_bits = 64, .align = 4 },
		  { { 0x1000, 60 }, { 0x2001, 4 } }, SEGS, 64, false },
		{ "a byte beyond reach", { .addr_bits = 47 },
		  { { (UINT64_C(1) << 47) - 59, 60 } }, SEGS, 60, true },
		{ "the second beyond reach", { .addr_bits = 47 },
		  { { 0x1000, 60 }, { UINT64_C(1) << 47, 4 } }, SEGS, 64, true },
		{ "beyond 64 bits", { .addr_bits = 64 },
		  { { UINT64_MAX - 58, 60 } }, SEGS, 60, true },
		{ "a full buffer", { .addr_bits = 64, .max_segs = 1 },
		  { { 0x1000, 1024 }, { 0x2000, 1024 } }, SEGS, ROOM, false },
	};

	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		struct pw_dma_seg segs[SEGS];
		struct rte_mbuf *m, *was;
		struct pw_dma dma;
		int n;

		init(&dma, &rows[i].lim);
		was = m = chain_at(&dma, rows[i].in);
		/* The packet's own pool comes first. */
		n = pw_dma_load(&dma, &m, jumbo, segs, rows[i].max);
		if (n < 1)
			fail_msg("%s: %d", rows[i].rule, n);
		assert_ptr_not_equal(m, was);
		assert_ptr_equal(m->pool, pool);
		check_copy(&dma, m, segs, n, rows[i].len);
		assert_int_equal(dma.bounced, rows[i].bounced);
		assert_int_equal(dma.linearized, !rows[i].bounced);
		assert_int_equal(dma.load_failed, 0);
		rte_pktmbuf_free(m);
		/* The chain that was copied went back too. */
		all_back(state);
	}
}

/* A copy begins where the chip's alignment wants it even if the headroom does not. */
static void
test_load_aligns_the_copy(void **state)
{
	static const struct pw_dma_limits lim = { .addr_bits = 64, .align = 1024, .max_segs = 1 };
	static const struct piece in[SEGS] = { { 0x1000, 1000 }, { 0x2000, 24 } };
	struct pw_dma_seg segs[SEGS];
	struct rte_mbuf *m;
	struct pw_dma dma;

	init(&dma, &lim);
	m = chain_at(&dma, in);
	/* Room for 2048 with 1024 to move by at most 1023. */
	assert_int_equal(pw_dma_load(&dma, &m, NULL, segs, SEGS), 1);
	assert_int_equal(segs[0].addr % 1024, 0);
	check_copy(&dma, m, segs, 1, 1024);
	rte_pktmbuf_free(m);
	all_back(state);
}

static void
test_load_jumbo_takes_the_fallback_pool(void **state)
{
	static const struct pw_dma_limits lim = { .addr_bits = 64, .max_segs = 4,
						  .max_seg_len = 4096 };
	static const struct piece in[SEGS] = {
		{ 0x1000, 2048 }, { 0x2000, 2048 }, { 0x3000, 2048 }, { 0x4000, 2048 },
		{ 0x5000, 826 },
	};
	struct pw_dma_seg segs[SEGS];
	struct rte_mbuf *m;
	struct pw_dma dma;

	init(&dma, &lim);
	m = chain_at(&dma, in);
	/* 9018 bytes in segments of 4096: three. */
	assert_int_equal(pw_dma_load(&dma, &m, jumbo, segs, SEGS), 3);
	assert_ptr_equal(m->pool, jumbo);
	check_copy(&dma, m, segs, 3, 9018);
	assert_int_equal(dma.linearized, 1);
	rte_pktmbuf_free(m);
	all_back(state);
}

static void
test_load_takes_the_fallback_when_the_pool_is_empty(void **state)
{
	static const struct pw_dma_limits lim = { .addr_bits = 64, .max_segs = 1 };
	static const struct piece in[SEGS] = { { 0x1000, 14 }, { 0x2000, 50 } };
	struct rte_mbuf *m, *rest[POOL - 2];
	struct pw_dma_seg segs[SEGS];
	struct pw_dma dma;

	init(&dma, &lim);
	m = chain_at(&dma, in);
	assert_int_equal(rte_pktmbuf_alloc_bulk(pool, rest, POOL - 2), 0);
	assert_int_equal(pw_dma_load(&dma, &m, jumbo, segs, SEGS), 1);
	assert_ptr_equal(m->pool, jumbo);
	check_copy(&dma, m, segs, 1, 64);
	rte_pktmbuf_free(m);
	rte_pktmbuf_free_bulk(rest, POOL - 2);
	all_back(state);
}

static void
test_load_keeps_offload_fields(void **state)
{
	static const struct rte_mbuf_dynfield field = {
		.name = "test_dma", .size = 4, .align = 4,
	};
	static const struct pw_dma_limits lim = { .addr_bits = 64, .max_segs = 1 };
	static const struct piece in[SEGS] = { { 0x1000, 14 }, { 0x2000, 50 } };
	const uint64_t flags = RTE_MBUF_F_TX_VLAN | RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_IP_CKSUM |
			       RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_TCP_CKSUM;
	int dyn = rte_mbuf_dynfield_register(&field);
	struct pw_dma_seg segs[SEGS];
	struct rte_mbuf *m;
	struct pw_dma dma;

	assert_true(dyn >= 0);
	init(&dma, &lim);
	m = chain_at(&dma, in);
	m->ol_flags |= flags;
	m->vlan_tci = 0x6123;
	m->vlan_tci_outer = 0x4567;
	m->l2_len = 14;
	m->l3_len = 20;
	m->l4_len = 32;
	m->tso_segsz = 1448;
	m->port = 5;
	m->packet_type = RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4;
	m->hash.rss = 0x89abcdef;
	*RTE_MBUF_DYNFIELD(m, dyn, uint32_t *) = 0x13579bdf;
	assert_int_equal(pw_dma_load(&dma, &m, NULL, segs, SEGS), 1);
	assert_int_equal(dma.linearized, 1);
	/* The copy is no external buffer any more. */
	assert_int_equal(m->ol_flags, flags);
	assert_int_equal(m->vlan_tci, 0x6123);
	assert_int_equal(m->vlan_tci_outer, 0x4567);
	assert_int_equal(m->l2_len, 14);
	assert_int_equal(m->l3_len, 20);
	assert_int_equal(m->l4_len, 32);
	assert_int_equal(m->tso_segsz, 1448);
	assert_int_equal(m->port, 5);
	assert_int_equal(m->packet_type, RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4);
	assert_int_equal(m->hash.rss, 0x89abcdef);
	assert_int_equal(*RTE_MBUF_DYNFIELD(m, dyn, uint32_t *), 0x13579bdf);
	rte_pktmbuf_free(m);
	all_back(state);
}

/* Others hold the buffers too: the copy must leave theirs alone. */
static void
test_load_copies_a_shared_packet(void **state)
{
	static const struct pw_dma_limits lim = { .addr_bits = 64, .max_segs = 1 };
	static const struct piece in[SEGS] = { { 0x1000, 14 }, { 0x2000, 50 } };
	struct pw_dma_seg segs[SEGS];
	struct rte_mbuf *m, *mine;
	struct pw_dma dma;

	init(&dma, &lim);
	mine = m = chain_at(&dma, in);
	rte_pktmbuf_refcnt_update(m, 1);
	assert_int_equal(pw_dma_load(&dma, &m, NULL, segs, SEGS), 1);
	assert_ptr_not_equal(m, mine);
	assert_int_equal(rte_mbuf_refcnt_read(mine), 1);
	assert_int_equal(mine->nb_segs, 2);
	check_copy(&dma, m, segs, 1, 64);
	rte_pktmbuf_free(m);
	rte_pktmbuf_free(mine);
	all_back(state);
}

enum empty_pool { HAVE_BUFS, NO_BUFS };

static void
test_load_says_why_it_failed(void **state)
{
	static const struct {
		const char *rule;
		struct pw_dma_limits lim;
		struct piece in[SEGS];
		uint16_t max;
		enum empty_pool left;
		char fallback;	/* jumbo, small or none */
		int rc;
	} rows[] = {
		{ "no data", { .addr_bits = 64 }, { { 0x1000, EMPTY } }, SEGS, HAVE_BUFS, 'n',
		  -EINVAL },
		{ "no data in two segments", { .addr_bits = 64 },
		  { { 0x1000, EMPTY }, { 0x2000, EMPTY } }, SEGS, HAVE_BUFS, 'n', -EINVAL },
		{ "no room at all", { .addr_bits = 64 }, { { 0x1000, 60 } }, 0, HAVE_BUFS, 'j',
		  -EINVAL },
		{ "pool exhausted, no fallback", { .addr_bits = 64, .max_segs = 1 },
		  { { 0x1000, 60 }, { 0x2000, 60 } }, SEGS, NO_BUFS, 'n', -ENOMEM },
		{ "pool exhausted, fallback too small", { .addr_bits = 64, .max_segs = 1 },
		  { { 0x1000, 60 }, { 0x2000, 60 } }, SEGS, NO_BUFS, 's', -ENOMEM },
		{ "too long, no fallback", { .addr_bits = 64, .max_segs = 1 },
		  { { 0x1000, 2000 }, { 0x2000, 49 } }, SEGS, HAVE_BUFS, 'n', -EMSGSIZE },
		{ "too long for the fallback as well", { .addr_bits = 64, .max_segs = 1 },
		  { { 0x1000, 9000 }, { 0x2000, 217 } }, SEGS, HAVE_BUFS, 'j', -EMSGSIZE },
		{ "even the copy has too many", { .addr_bits = 64, .max_segs = 2,
		  .max_seg_len = 512 }, { { 0x1000, 1000 }, { 0x2000, 25 } }, SEGS, HAVE_BUFS, 'j',
		  -EMSGSIZE },
		{ "no room to align the copy", { .addr_bits = 64, .align = 1 << 20 },
		  { { 0x1001, 60 } }, SEGS, HAVE_BUFS, 'n', -EMSGSIZE },
		{ "the copy is out of reach too", { .addr_bits = 32 },
		  { { GB4 - 1, 60 } }, SEGS, HAVE_BUFS, 'j', -ERANGE },
	};

	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		struct rte_mempool *fallback = rows[i].fallback == 'j' ? jumbo :
					       rows[i].fallback == 's' ? small : NULL;
		struct rte_mbuf *m, *was, *rest[POOL];
		unsigned int nb_rest = 0, nb_segs;
		struct pw_dma_seg segs[SEGS];
		struct pw_dma dma;
		int rc;

		init(&dma, &rows[i].lim);
		was = m = chain_at(&dma, rows[i].in);
		nb_segs = m->nb_segs;
		while (rows[i].left == NO_BUFS && rte_mempool_avail_count(pool) > 0)
			rest[nb_rest++] = rte_pktmbuf_alloc(pool);
		rc = pw_dma_load(&dma, &m, fallback, segs, rows[i].max);
		if (rc != rows[i].rc)
			fail_msg("%s: %d instead of %d", rows[i].rule, rc, rows[i].rc);
		/* The packet is the caller's still, whole. */
		assert_ptr_equal(m, was);
		assert_int_equal(m->nb_segs, nb_segs);
		assert_int_equal(dma.load_failed, 1);
		assert_int_equal(dma.linearized | dma.bounced, 0);
		rte_pktmbuf_free(m);
		rte_pktmbuf_free_bulk(rest, nb_rest);
		all_back(state);
	}
}

/* Copying by a packet length that the segments do not have would run off the chain. */
static void
test_load_refuses_to_copy_a_chain_whose_lengths_disagree(void **state)
{
	static const struct pw_dma_limits lim = { .addr_bits = 64, .max_segs = 1 };
	static const struct piece in[SEGS] = { { 0x1000, 14 }, { 0x2000, 50 } };
	static const uint32_t wrong[] = { 0, 14, 63, 65, UINT32_MAX };
	struct pw_dma_seg segs[SEGS];
	struct rte_mbuf *m;
	struct pw_dma dma;

	for (size_t i = 0; i < RTE_DIM(wrong); i++) {
		init(&dma, &lim);
		m = chain_at(&dma, in);
		m->pkt_len = wrong[i];
		assert_int_equal(pw_dma_load(&dma, &m, jumbo, segs, SEGS), -EINVAL);
		assert_int_equal(dma.load_failed, 1);
		rte_pktmbuf_free(m);
		all_back(state);
	}
}

static void
test_addresses_carry_the_offset(void **state)
{
	static const struct pw_dma_limits lim = { .addr_bits = 64 };
	struct rte_mbuf *m = rte_pktmbuf_alloc(pool);
	struct pw_dma dma;

	(void)state;
	init(&dma, &lim);
	dma.offset = -GB4;
	m->data_off = 200;
	assert_int_equal(pw_dma_mbuf_addr(&dma, m), rte_mem_virt2iova(m->buf_addr) + 200 - GB4);
	assert_int_equal(pw_dma_rx_addr(&dma, m),
			 rte_mem_virt2iova(m->buf_addr) + RTE_PKTMBUF_HEADROOM - GB4);
	rte_pktmbuf_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_init_takes_sane_limits),
		cmocka_unit_test(test_init_refuses_senseless_limits),
		cmocka_unit_test(test_zone_is_zeroed_aligned_and_freed),
		cmocka_unit_test(test_zone_refuses_bad_requests),
		cmocka_unit_test(test_zone_of_more_than_there_is),
		cmocka_unit_test(test_zones_never_cross_the_boundary),
		cmocka_unit_test(test_zone_out_of_reach),
		cmocka_unit_test(test_zone_through_a_low_window),
		cmocka_unit_test(test_zone_is_looked_for_below_the_limit),
		cmocka_unit_test(test_pool_reach_to_the_byte),
		cmocka_unit_test(test_pool_boundary_to_the_byte),
		cmocka_unit_test(test_load_as_it_lies),
		cmocka_unit_test(test_load_copies_what_the_chip_cannot_take),
		cmocka_unit_test(test_load_aligns_the_copy),
		cmocka_unit_test(test_load_jumbo_takes_the_fallback_pool),
		cmocka_unit_test(test_load_takes_the_fallback_when_the_pool_is_empty),
		cmocka_unit_test(test_load_keeps_offload_fields),
		cmocka_unit_test(test_load_copies_a_shared_packet),
		cmocka_unit_test(test_load_says_why_it_failed),
		cmocka_unit_test(test_load_refuses_to_copy_a_chain_whose_lengths_disagree),
		cmocka_unit_test(test_addresses_carry_the_offset),
	};

	return cmocka_run_group_tests_name("dma", tests, setup, eal_teardown);
}
