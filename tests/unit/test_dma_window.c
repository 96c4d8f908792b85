/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * A 32-bit device's rings, pools and packets through a window, on an IOMMU that is this file. EAL's
 * memory lies above 4 GiB here, and IOVAs are addresses.
 */

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>

#include <rte_errno.h>
#include <rte_malloc.h>
#include <rte_mbuf.h>
#include <rte_memory.h>

#include <pw_dma.h>
#include <pw_dma_window.h>

#include "eal.h"

#define GB4	UINT64_C(0x100000000)
#define MB	UINT64_C(0x100000)

static const struct pw_dma_limits lim32 = { .addr_bits = 32 };
static struct rte_mempool *pool;

/* --- the IOMMU --- */

#define MAPS 256

static struct {
	struct {
		uint64_t addr, len;
		uint8_t *va;
	} map[MAPS];
	unsigned int nb;
	int rc;
} fake;

static int
fake_map(const struct pw_dma_iommu *iommu, void *va, uint64_t addr, uint64_t len)
{
	assert_ptr_equal(iommu->ctx, &fake);
	assert_true(addr + len <= GB4);
	if (fake.rc != 0)
		return fake.rc;
	for (unsigned int i = 0; i < fake.nb; i++)
		if (addr < fake.map[i].addr + fake.map[i].len && fake.map[i].addr < addr + len)
			return -EEXIST;
	assert_true(fake.nb < MAPS);
	fake.map[fake.nb].addr = addr;
	fake.map[fake.nb].len = len;
	fake.map[fake.nb++].va = va;
	return 0;
}

static int
fake_unmap(const struct pw_dma_iommu *iommu, uint64_t addr, uint64_t len)
{
	assert_ptr_equal(iommu->ctx, &fake);
	for (unsigned int i = 0; i < fake.nb; i++) {
		if (fake.map[i].addr != addr || fake.map[i].len != len)
			continue;
		fake.map[i] = fake.map[--fake.nb];
		return 0;
	}
	fail_msg("%#lx is not mapped so", addr);
	return -EINVAL;
}

static uint8_t *
fake_reach(uint64_t addr)
{
	for (unsigned int i = 0; i < fake.nb; i++)
		if (addr - fake.map[i].addr < fake.map[i].len)
			return fake.map[i].va + (addr - fake.map[i].addr);
	return NULL;
}

static const struct pw_dma_iommu_ops ops = { fake_map, fake_unmap };
static const struct pw_dma_range msi = { 0xfee00000, 0xfeefffff };
static struct pw_dma_iommu iommu = {
	.ops = &ops, .ctx = &fake, .reserved = &msi, .nb_reserved = 1,
};

static int
setup(void **state)
{
	if (eal_setup(state) != 0)
		return -1;
	pool = rte_pktmbuf_pool_create("pool", 63, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
	return pool != NULL ? 0 : -1;
}

/* Whatever a test did, the last device took everything with it. */
static int
check_clean(void **state)
{
	(void)state;
	fake.rc = 0;
	return fake.nb == 0 && iommu.window == NULL && rte_mempool_in_use_count(pool) == 0 ? 0 : -1;
}

static void
open_dma(struct pw_dma *dma)
{
	assert_int_equal(pw_dma_init(dma, &lim32, SOCKET_ID_ANY), 0);
	assert_int_equal(pw_dma_window_open(dma, &iommu), 0);
}

/* --- opening and closing --- */

static void
test_who_needs_no_window_gets_none(void **state)
{
	static const struct pw_dma_limits all = { .addr_bits = 64 }, odd = { .addr_bits = 40 };
	struct pw_dma_window_info info;
	struct pw_dma dma;

	(void)state;
	assert_int_equal(pw_dma_init(&dma, &all, SOCKET_ID_ANY), 0);
	assert_int_equal(pw_dma_window_open(&dma, &iommu), 0);
	assert_null(dma.window);
	assert_int_equal(pw_dma_pool_check(&dma, pool), 0);
	pw_dma_window_close(&dma);
	assert_int_equal(pw_dma_pool_check(&dma, pool), 0);
	assert_int_equal(pw_dma_init(&dma, &odd, SOCKET_ID_ANY), 0);
	assert_int_equal(pw_dma_window_open(&dma, &iommu), -ENOTSUP);
	assert_false(pw_dma_window_info(&iommu, &info));
}

static void
test_devices_share_one_window(void **state)
{
	struct pw_dma_window_info info;
	struct pw_dma one, two;
	unsigned int maps;

	(void)state;
	open_dma(&one);
	assert_int_equal(pw_dma_window_open(&one, &iommu), -EBUSY);
	maps = fake.nb;
	assert_true(maps > 0);
	open_dma(&two);
	assert_int_equal(fake.nb, maps);
	assert_ptr_equal(one.window, two.window);
	assert_int_equal(one.offset, two.offset);
	assert_int_equal(one.lo, two.lo);
	assert_int_equal(one.span, two.span);
	assert_true(pw_dma_window_info(&iommu, &info));
	assert_int_equal(info.users, 2);
	assert_int_equal(info.offset, one.offset);
	assert_int_equal(info.refused, 0);
	pw_dma_window_close(&one);
	pw_dma_window_close(&one);
	assert_int_equal(fake.nb, maps);
	/* Closed, it is a device without a window: nothing up here is in reach. */
	assert_int_equal(one.offset, 0);
	assert_int_equal(pw_dma_pool_check(&one, pool), -ERANGE);
	assert_int_equal(pw_dma_pool_check(&two, pool), 0);
	pw_dma_window_close(&two);
	assert_int_equal(fake.nb, 0);
}

static void
test_an_iommu_that_maps_nothing(void **state)
{
	struct pw_dma_zone z;
	struct pw_dma dma;

	(void)state;
	fake.rc = -ENOMEM;
	open_dma(&dma);
	assert_int_equal(pw_dma_pool_check(&dma, pool), -ERANGE);
	assert_non_null(strstr(pw_dma_explain(&dma, -ERANGE), "ulimit -l"));
	assert_int_equal(pw_dma_zone_alloc(&dma, "z", 4096, 64, &z), -ERANGE);
	pw_dma_window_close(&dma);
}

/* --- rings, pools, packets --- */

static void
test_rings_and_pools_are_in_reach(void **state)
{
	struct pw_dma_zone z;
	struct rte_mbuf *m;
	struct pw_dma dma;

	(void)state;
	open_dma(&dma);
	assert_int_equal(pw_dma_zone_alloc(&dma, "ring", 8192, 256, &z), 0);
	assert_true(z.addr < GB4);
	assert_ptr_equal(fake_reach(z.addr), z.va);
	assert_int_equal(pw_dma_pool_check(&dma, pool), 0);
	m = rte_pktmbuf_alloc(pool);
	assert_non_null(m);
	assert_ptr_equal(fake_reach((uint32_t)pw_dma_rx_addr(&dma, m)),
			 rte_pktmbuf_mtod(m, void *));
	rte_pktmbuf_free(m);
	pw_dma_zone_free(&z);
	pw_dma_window_close(&dma);
}

static void
nothing(void *addr, void *opaque)
{
	(void)addr;
	(void)opaque;
}

static struct rte_mbuf *
external(void *va, uint64_t iova, uint16_t room, uint16_t len)
{
	static struct rte_mbuf_ext_shared_info shared = { .free_cb = nothing };
	struct rte_mbuf *m = rte_pktmbuf_alloc(pool);

	assert_non_null(m);
	rte_mbuf_ext_refcnt_set(&shared, 2);
	rte_pktmbuf_attach_extbuf(m, va, iova, room, &shared);
	m->data_len = m->pkt_len = len;
	memset(rte_pktmbuf_mtod(m, void *), 0x5a, len);
	return m;
}

static void *
far_memory(size_t len)
{
	void *va = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(va, MAP_FAILED);
	return va;
}

static void
test_packets_are_sent_as_they_lie(void **state)
{
	struct rte_mbuf *m, *was;
	struct pw_dma_seg seg[4];
	struct pw_dma dma;
	void *va = far_memory(2 * MB);

	(void)state;
	open_dma(&dma);
	was = m = rte_pktmbuf_alloc(pool);
	assert_non_null(rte_pktmbuf_append(m, 60));
	assert_int_equal(pw_dma_load(&dma, &m, NULL, seg, 4), 1);
	assert_ptr_equal(m, was);
	assert_ptr_equal(fake_reach(seg[0].addr), rte_pktmbuf_mtod(m, void *));
	rte_pktmbuf_free(m);
	/* External memory, in a chain with memory of the pool. */
	assert_int_equal(pw_dma_window_add(&iommu, va, (uintptr_t)va, 2 * MB), 0);
	assert_int_equal(pw_dma_window_add(&iommu, va, (uintptr_t)va, 2 * MB), 0);
	assert_int_equal(pw_dma_window_add(&iommu, va, (uintptr_t)va, 4 * MB), -EEXIST);
	was = m = rte_pktmbuf_alloc(pool);
	assert_non_null(rte_pktmbuf_append(m, 14));
	assert_int_equal(rte_pktmbuf_chain(m, external((uint8_t *)va + MB, (uintptr_t)va + MB,
						       2048, 100)), 0);
	assert_int_equal(pw_dma_load(&dma, &m, NULL, seg, 4), 2);
	assert_ptr_equal(m, was);
	assert_true(seg[1].addr < GB4);
	assert_ptr_equal(fake_reach(seg[1].addr), rte_pktmbuf_mtod(m->next, void *));
	assert_int_equal(dma.bounced | dma.linearized | dma.load_failed, 0);
	rte_pktmbuf_free(m);
	assert_int_equal(pw_dma_window_remove(&iommu, (uintptr_t)va, 2 * MB), 0);
	pw_dma_window_close(&dma);
	munmap(va, 2 * MB);
}

/* Its low half may well be the address of something else: it must not come to the chip. */
static void
test_memory_nobody_mapped_is_copied(void **state)
{
	void *va = far_memory(2 * MB);
	struct pw_dma_seg seg[4];
	struct pw_dma dma;
	struct rte_mbuf *m, *was;
	/* By low half, it is the pool's first buffer. */
	uint64_t alias;

	(void)state;
	open_dma(&dma);
	alias = rte_mem_virt2iova(pool) + 16 * GB4;
	assert_non_null(fake_reach((uint32_t)(alias + dma.offset)));
	was = m = external(va, alias, 2048, 100);
	assert_int_equal(pw_dma_load(&dma, &m, NULL, seg, 4), 1);
	assert_ptr_not_equal(m, was);
	assert_int_equal(dma.bounced, 1);
	assert_ptr_equal(fake_reach(seg[0].addr), rte_pktmbuf_mtod(m, void *));
	assert_int_equal(((uint8_t *)fake_reach(seg[0].addr))[99], 0x5a);
	rte_pktmbuf_free(m);
	/* Known, but refused for the pool's sake. */
	assert_int_equal(pw_dma_window_add(&iommu, va, alias & ~(MB - 1), MB), -ERANGE);
	m = external(va, alias, 2048, 100);
	assert_int_equal(pw_dma_load(&dma, &m, NULL, seg, 4), 1);
	assert_int_equal(dma.bounced, 2);
	rte_pktmbuf_free(m);
	pw_dma_window_close(&dma);
	munmap(va, 2 * MB);
}

/* As EAL would have it, were memory added where a mapping is. */
static void
test_low_addresses_in_use_are_told(void **state)
{
	struct pw_dma_window_info info;
	struct pw_dma dma;
	uint64_t at;

	(void)state;
	assert_false(pw_dma_window_clashes(&iommu, 0, GB4));
	open_dma(&dma);
	assert_true(pw_dma_window_info(&iommu, &info));
	at = rte_mem_virt2iova(pool) + info.offset;
	assert_true(at < GB4);
	assert_true(pw_dma_window_clashes(&iommu, at, 1));
	assert_true(pw_dma_window_clashes(&iommu, 0, GB4));
	assert_false(pw_dma_window_clashes(&iommu, 0, 4096));
	pw_dma_window_close(&dma);
}

static void
test_bad_ranges(void **state)
{
	struct pw_dma dma;

	(void)state;
	/* Without a window there is nothing to do. */
	assert_int_equal(pw_dma_window_add(&iommu, &iommu, GB4, 4096), 0);
	assert_int_equal(pw_dma_window_remove(&iommu, GB4, 4096), 0);
	open_dma(&dma);
	assert_int_equal(pw_dma_window_add(&iommu, &iommu, GB4, 0), -EINVAL);
	assert_int_equal(pw_dma_window_add(&iommu, &iommu, UINT64_MAX - 4095, 8192), -EINVAL);
	assert_int_equal(pw_dma_window_remove(&iommu, GB4, 0), -EINVAL);
	assert_int_equal(pw_dma_window_remove(&iommu, UINT64_MAX - 4095, 8192), -EINVAL);
	assert_int_equal(pw_dma_window_remove(&iommu, 32 * GB4, 8192), 0);
	/* EAL's heap is one mapping here. */
	assert_int_equal(pw_dma_window_remove(&iommu, rte_mem_virt2iova(pool) & ~UINT64_C(4095),
					      4096), -EINVAL);
	assert_int_equal(pw_dma_pool_check(&dma, pool), 0);
	pw_dma_window_close(&dma);
}

/* --- what a user is told --- */

static void
test_refusals_say_what_to_do(void **state)
{
	struct pw_dma dma;

	(void)state;
	assert_int_equal(pw_dma_init(&dma, &lim32, SOCKET_ID_ANY), 0);
	assert_int_equal(pw_dma_window_open(&dma, NULL), 0);
	assert_int_equal(pw_dma_pool_check(&dma, pool), -ERANGE);
	assert_non_null(strstr(pw_dma_explain(&dma, -ERANGE), "vfio-pci"));
	open_dma(&dma);
	assert_non_null(strstr(pw_dma_explain(&dma, -ERANGE), "--socket-mem"));
	assert_non_null(strstr(pw_dma_explain(&dma, -EXDEV), "cross"));
	assert_non_null(strstr(pw_dma_explain(&dma, -ENOMEM), "-m"));
	assert_string_equal(pw_dma_explain(&dma, -EINVAL), rte_strerror(EINVAL));
	pw_dma_window_close(&dma);
}

/* --- looking while memory comes and goes --- */

static struct pw_dma seen;
static void *stays;
static bool stop;

static void *
looker(void *arg)
{
	uintptr_t wrong = 0;

	(void)arg;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
		wrong += !pw_dma_window_covers(seen.window, (uintptr_t)stays + 100, 2048);
	return (void *)wrong;
}

static void
test_looking_while_memory_comes_and_goes(void **state)
{
	uint8_t *va = far_memory(64 * MB);
	pthread_t thread;
	void *wrong;

	(void)state;
	open_dma(&seen);
	stays = va + 32 * MB;
	assert_int_equal(pw_dma_window_add(&iommu, stays, (uintptr_t)stays, MB), 0);
	stop = false;
	assert_int_equal(pthread_create(&thread, NULL, looker, NULL), 0);
	/* Below it, so that it moves in the list. */
	for (unsigned int i = 0; i < 2000; i++) {
		uint8_t *p = va + i % 32 * MB;

		if (i / 32 % 2 == 0)
			assert_int_equal(pw_dma_window_add(&iommu, p, (uintptr_t)p, MB), 0);
		else
			assert_int_equal(pw_dma_window_remove(&iommu, (uintptr_t)p, MB), 0);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	assert_int_equal(pthread_join(thread, &wrong), 0);
	assert_null(wrong);
	pw_dma_window_close(&seen);
	munmap(va, 64 * MB);
}

int
main(void)
{
#define TEST(t) cmocka_unit_test_teardown(t, check_clean)
	const struct CMUnitTest tests[] = {
		TEST(test_who_needs_no_window_gets_none),
		TEST(test_devices_share_one_window),
		TEST(test_an_iommu_that_maps_nothing),
		TEST(test_rings_and_pools_are_in_reach),
		TEST(test_packets_are_sent_as_they_lie),
		TEST(test_memory_nobody_mapped_is_copied),
		TEST(test_low_addresses_in_use_are_told),
		TEST(test_bad_ranges),
		TEST(test_refusals_say_what_to_do),
		TEST(test_looking_while_memory_comes_and_goes),
	};

	return cmocka_run_group_tests_name("dma_window", tests, setup, eal_teardown);
}
