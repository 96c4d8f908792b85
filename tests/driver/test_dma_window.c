/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * A chip that reaches 32 bits, in memory that lies above 4 GiB: nothing is copied, and nothing
 * that nobody mapped is reached (the model says so, and tear-down asks it).
 *
 *	test_dma_window CHIP		ordinary memory, where IOVAs are addresses
 *	test_dma_window CHIP huge	hugepages, where memory comes and goes
 */

#include "fixture.h"

#include <errno.h>
#include <sys/mman.h>

#include <rte_bus_vdev.h>
#include <rte_errno.h>
#include <rte_malloc.h>

#include <pw_attach.h>
#include <pw_dma_window.h>

#define SKIP		77
#define PAGES_NEEDED	40l
#define GB4		UINT64_C(0x100000000)
#define EXT_LEN		(4u << 20)
#define FRAMES		(3u * FX_NB_DESC)

static uint64_t
counter(const struct fx_port *p, const char *name)
{
	uint64_t id, value;

	assert_int_equal(rte_eth_xstats_get_id_by_name(p->id, name, &id), 0);
	assert_int_equal(rte_eth_xstats_get_by_id(p->id, &id, &value, 1), 1);
	return value;
}

static void
expect_copied(const struct fx_port *p, uint64_t n)
{
	assert_int_equal(counter(p, "tx_bounced_packets"), n);
	assert_int_equal(counter(p, "tx_linearized_packets"), 0);
}

static struct pw_dma_window_info
window_of(const struct fx_port *p)
{
	const struct pw_dev *dev = pw_dev_of(&rte_eth_devices[p->id]);
	struct pw_dma_window_info info;

	assert_non_null(dev->iommu);
	assert_true(pw_dma_window_info(dev->iommu, &info));
	return info;
}

static void
frame_of(struct fx_frame *f, uint32_t i)
{
	fx_frame_build(f, &(struct fx_spec){ .l3 = FX_IPV4, .l4 = FX_UDP,
					     .payload = 18 + i * 7 % 1400, .seed = (uint8_t)i });
}

/* In by a buffer of the port's pool, and out again as it is. */
static void
echo(struct fx_port *p, uint32_t frames)
{
	struct rte_mbuf *m;
	struct fx_frame f;

	for (uint32_t i = 0; i < frames; i++) {
		frame_of(&f, i);
		fx_inject(p, &f);
		assert_int_equal(fx_rx(p, &m, 1), 1);
		assert_true(rte_pktmbuf_iova(m) >= GB4);
		fx_tx(p, &m, 1);
		fx_expect_sent(p, &f);
	}
}

/* --- external memory ------------------------------------------------------------------- */

static void *
ext_alloc(void)
{
	void *va = mmap(NULL, EXT_LEN, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	assert_ptr_not_equal(va, MAP_FAILED);
	assert_true((uintptr_t)va >= GB4);
	assert_int_equal(rte_extmem_register(va, EXT_LEN, NULL, 0, 4096), 0);
	return va;
}

static void
ext_free(void *va)
{
	assert_int_equal(rte_extmem_unregister(va, EXT_LEN), 0);
	munmap(va, EXT_LEN);
}

static int
ext_map(const struct fx_port *p, void *va, uint64_t iova)
{
	return rte_dev_dma_map(rte_eth_devices[p->id].device, va, iova, EXT_LEN);
}

static void
nothing(void *addr, void *opaque)
{
	(void)addr;
	(void)opaque;
}

/* A frame in memory known by `iova`, out by the port. */
static void
send_from(struct fx_port *p, void *va, uint64_t iova, uint32_t i)
{
	static struct rte_mbuf_ext_shared_info shared = { .free_cb = nothing };
	struct rte_mbuf *m = rte_pktmbuf_alloc(p->pool);
	struct fx_frame f;

	assert_non_null(m);
	rte_mbuf_ext_refcnt_set(&shared, 1);
	rte_pktmbuf_attach_extbuf(m, va, iova, 2048, &shared);
	frame_of(&f, i);
	memcpy(rte_pktmbuf_append(m, (uint16_t)f.len), f.data, f.len);
	fx_tx(p, &m, 1);
	fx_expect_sent(p, &f);
}

/* Anywhere in external memory, also across its pages. */
static void
send_external(struct fx_port *p, uint8_t *va, uint64_t iova, uint32_t i)
{
	/* Some chips cannot begin at an odd address. */
	uint32_t at = i * 1502 % (EXT_LEN - 2048);

	send_from(p, va + at, iova + at, i);
}

static void
ext_unmap(const struct fx_port *p, void *va, uint64_t iova)
{
	assert_int_equal(rte_dev_dma_unmap(rte_eth_devices[p->id].device, va, iova, EXT_LEN), 0);
}

/* --- ordinary memory ------------------------------------------------------------------- */

static void
test_traffic_above_4_gib(void **state)
{
	struct fx_port *p = *state;
	struct pw_dma_window_info win = window_of(p);

	assert_int_equal(win.users, 1);
	assert_int_equal(win.refused, 0);
	assert_true(win.bytes > 0);
	fx_start(p, NULL);
	echo(p, FRAMES);
	expect_copied(p, 0);
}

static void
test_external_buffers_are_sent_as_they_lie(void **state)
{
	struct fx_port *p = *state;
	uint8_t *va = ext_alloc();

	assert_int_equal(ext_map(p, va, (uintptr_t)va), 0);
	fx_start(p, NULL);
	for (uint32_t i = 0; i < FRAMES; i++)
		send_external(p, va, (uintptr_t)va, i);
	expect_copied(p, 0);
	/* The transmitter is done with it. */
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	ext_unmap(p, va, (uintptr_t)va);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	/* From now on it is somebody else's memory: copied, not reached. */
	send_external(p, va, (uintptr_t)va, 1);
	expect_copied(p, 1);
	ext_free(va);
}

static void
test_external_buffers_are_received_into(void **state)
{
	struct fx_port *p = *state;
	struct rte_pktmbuf_extmem ext = { .buf_len = EXT_LEN, .elt_size = 2304 };
	struct fx_conf conf = { 0 };
	uint8_t *va = ext_alloc();

	ext.buf_ptr = va;
	ext.buf_iova = (uintptr_t)va;
	conf.pool = rte_pktmbuf_pool_create_extbuf("external", 1023, 0, 0, 2304, SOCKET_ID_ANY,
						   &ext, 1);
	assert_non_null(conf.pool);
	/* Not yet known to the device. */
	assert_int_equal(rte_eth_dev_configure(p->id, 1, 1, &conf.eth), 0);
	log_capture_start();
	assert_int_equal(rte_eth_rx_queue_setup(p->id, 0, FX_NB_DESC, SOCKET_ID_ANY, NULL,
						conf.pool), -ERANGE);
	log_capture_expect("mempool external: ");

	assert_int_equal(ext_map(p, va, (uintptr_t)va), 0);
	fx_start(p, &conf);
	echo(p, FRAMES);
	expect_copied(p, 0);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	fx_configure(p, NULL); /* lets go of the pool */
	assert_int_equal(rte_mempool_in_use_count(conf.pool), 0);
	rte_mempool_free(conf.pool);
	ext_unmap(p, va, (uintptr_t)va);
	ext_free(va);
}

/* Its low half is that of the heap: the chip must never see it. */
static void
test_memory_that_collides_is_copied(void **state)
{
	struct fx_port *p = *state;
	uint8_t *va = ext_alloc();
	uint64_t iova = (rte_mem_virt2iova(p->pool) & ~UINT64_C(4095)) + 256 * GB4;

	fx_start(p, NULL);
	/* Known to nobody, then known and refused. */
	send_external(p, va, iova, 1);
	expect_copied(p, 1);
	assert_int_equal(ext_map(p, va, iova), 0);
	assert_true(window_of(p).refused > 0);
	send_external(p, va, iova, 2);
	expect_copied(p, 2);
	ext_unmap(p, va, iova);
	assert_int_equal(window_of(p).refused, 0);
	ext_free(va);
}

static void
test_chain_of_near_and_far_memory(void **state)
{
	struct fx_port *p = *state;
	struct fx_conf conf = { .eth.txmode.offloads = RTE_ETH_TX_OFFLOAD_MULTI_SEGS };
	static struct rte_mbuf_ext_shared_info shared = { .free_cb = nothing };
	uint8_t *va = ext_alloc();
	struct rte_mbuf *m, *far;
	struct fx_frame f;

	assert_int_equal(ext_map(p, va, (uintptr_t)va), 0);
	fx_start(p, &conf);
	frame_of(&f, 100);
	m = rte_pktmbuf_alloc(p->pool);
	far = rte_pktmbuf_alloc(p->pool);
	assert_non_null(m);
	assert_non_null(far);
	rte_mbuf_ext_refcnt_set(&shared, 1);
	rte_pktmbuf_attach_extbuf(far, va, (uintptr_t)va, 2048, &shared);
	memcpy(rte_pktmbuf_append(m, 20), f.data, 20);
	memcpy(rte_pktmbuf_append(far, (uint16_t)(f.len - 20)), f.data + 20, f.len - 20);
	assert_int_equal(rte_pktmbuf_chain(m, far), 0);
	fx_tx(p, &m, 1);
	fx_expect_sent(p, &f);
	expect_copied(p, 0);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	ext_unmap(p, va, (uintptr_t)va);
	ext_free(va);
}

static void
test_two_ports(void **state)
{
	struct fx_port *p = *state, other;

	fx_open(&other, fx_chip, NULL);
	fx_start(p, NULL);
	fx_start(&other, NULL);
	echo(p, 10);
	echo(&other, 10);
	expect_copied(p, 0);
	expect_copied(&other, 0);
	fx_close(&other);
	echo(p, 10);
}

static void
test_without_an_iommu_high_memory_is_refused(void **state)
{
	char args[64];

	(void)state;
	snprintf(args, sizeof(args), "chip=%s,iommu=off", fx_chip);
	fx_refused(args, -ERANGE, "bind the device to vfio-pci");
}

static int
run_ordinary(void)
{
#define TEST(t) cmocka_unit_test_setup_teardown(t, fx_port_setup, fx_port_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_traffic_above_4_gib),
		TEST(test_external_buffers_are_sent_as_they_lie),
		TEST(test_external_buffers_are_received_into),
		TEST(test_memory_that_collides_is_copied),
		TEST(test_chain_of_near_and_far_memory),
		TEST(test_two_ports),
		cmocka_unit_test(test_without_an_iommu_high_memory_is_refused),
	};

	return cmocka_run_group_tests_name("dma_window", tests, fx_setup, fx_teardown);
}

/* --- hugepages ------------------------------------------------------------------------- */

#define NEW_MEMORY (8u << 20)

/* Whether the model may reach the low address of memory known by `iova`. */
static bool
is_low(struct fx_port *p, uint64_t iova)
{
	uint32_t addr = (uint32_t)(iova + window_of(p).offset);
	static uint8_t dummy[64];
	int rc = pw_model_dma_map(p->model, addr, sizeof(dummy), dummy, false);

	if (rc == 0)
		assert_int_equal(pw_model_dma_unmap(p->model, addr, sizeof(dummy)), 0);
	else
		assert_int_equal(rc, -EEXIST);
	return rc != 0;
}

static void
test_memory_comes_and_goes(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	for (unsigned int i = 0; i < 5; i++) {
		uint8_t *mem = rte_malloc(NULL, NEW_MEMORY, 0);
		uint64_t first, middle, last;

		assert_non_null(mem);
		first = rte_mem_virt2iova(mem);
		middle = rte_mem_virt2iova(mem + NEW_MEMORY / 2);
		last = rte_mem_virt2iova(mem + NEW_MEMORY - 64);
		assert_true(is_low(p, first));
		assert_true(is_low(p, middle));
		assert_true(is_low(p, last));
		echo(p, 3);
		rte_free(mem);
		/* Its ends may share a page with something else, its middle cannot. */
		assert_false(is_low(p, middle));
		echo(p, 3);
	}
	expect_copied(p, 0);
}

/* EAL frees pages, not what it allocated. */
static void
test_part_of_the_memory_goes(void **state)
{
	struct fx_port *p = *state;
	uint8_t *mem = rte_malloc(NULL, NEW_MEMORY, 0), *rest;
	uint64_t middle;

	assert_non_null(mem);
	middle = rte_mem_virt2iova(mem + NEW_MEMORY / 2);
	assert_true(is_low(p, middle));
	/* From what is left of the pages that came with it. */
	rest = rte_malloc(NULL, RTE_PGSIZE_2M / 2, 0);
	assert_in_range((uintptr_t)rest, (uintptr_t)mem - RTE_PGSIZE_2M, (uintptr_t)mem);
	rte_free(mem);
	assert_false(is_low(p, middle));
	assert_true(is_low(p, rte_mem_virt2iova(rest)));
	rte_free(rest);
}

#define MANY_MBUFS 8191u /* 18 MiB: many pages of 2 MiB, and mbufs that lie across two */

static void
receive_by(struct fx_port *p, struct rte_mempool *pool)
{
	struct fx_conf conf = { .pool = pool };

	assert_non_null(pool);
	fx_start(p, &conf);
	/* Each of its mbufs once. */
	echo(p, pool->size + FX_NB_DESC);
	expect_copied(p, 0);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	fx_configure(p, NULL); /* lets go of the pool */
	assert_int_equal(rte_mempool_in_use_count(pool), 0);
	rte_mempool_free(pool);
}

static void
test_a_mempool_added_later(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	echo(p, 3);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	receive_by(p, rte_pktmbuf_pool_create("later", MANY_MBUFS, 0, 0,
					      RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY));
}

static void
test_a_heap_of_external_memory(void **state)
{
	struct fx_port *p = *state;
	void *va = mmap(NULL, EXT_LEN, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	static rte_iova_t iova[EXT_LEN / 4096];

	assert_ptr_not_equal(va, MAP_FAILED);
	for (size_t i = 0; i < RTE_DIM(iova); i++)
		iova[i] = (uintptr_t)va + i * 4096;
	assert_int_equal(rte_malloc_heap_create("external"), 0);
	assert_int_equal(rte_malloc_heap_memory_add("external", va, EXT_LEN, iova, RTE_DIM(iova),
						    4096), 0);
	assert_true(is_low(p, (uintptr_t)va));
	receive_by(p, rte_pktmbuf_pool_create("external", 511, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE,
					      rte_malloc_heap_get_socket("external")));
	assert_int_equal(rte_malloc_heap_memory_remove("external", va, EXT_LEN), 0);
	assert_false(is_low(p, (uintptr_t)va));
	assert_int_equal(rte_malloc_heap_destroy("external"), 0);
	munmap(va, EXT_LEN);
}

/* The device address behind the heap, of 2 MiB pages. */
static uint32_t
heap_end(struct fx_port *p)
{
	uint64_t iova = rte_mem_virt2iova(p->pool) & ~(uint64_t)(RTE_PGSIZE_2M - 1);

	while (is_low(p, iova))
		iova += RTE_PGSIZE_2M;
	return (uint32_t)(iova + window_of(p).offset);
}

/* What was in nobody's way when the port started is now: the port must hear of it. */
static void
test_the_heap_grows_into_external_memory(void **state)
{
	struct fx_port *p = *state;
	uint8_t *va = ext_alloc(), *mem[16];
	unsigned int n = 0;
	uint64_t far;

	fx_start(p, NULL);
	far = heap_end(p) - window_of(p).offset + 64 * GB4;
	assert_int_equal(ext_map(p, va, far), 0);
	assert_int_equal(window_of(p).refused, 0);
	send_external(p, va, far, 1);
	expect_copied(p, 0);
	while (window_of(p).refused == 0) {
		assert_true(n < RTE_DIM(mem));
		mem[n] = rte_malloc(NULL, RTE_PGSIZE_2M, RTE_PGSIZE_2M);
		assert_non_null(mem[n++]);
	}
	/* The far memory has the near one's device address: the chip would send what lies there. */
	for (unsigned int i = 0; i < n; i++)
		send_from(p, mem[i], rte_mem_virt2iova(mem[i]), i);
	assert_true(counter(p, "tx_bounced_packets") > 0);
	send_external(p, va, far, 2);
	/* It goes, and they get its place. */
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	ext_unmap(p, va, far);
	assert_int_equal(window_of(p).refused, 0);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	assert_int_equal(rte_eth_xstats_reset(p->id), 0);
	for (unsigned int i = 0; i < n; i++)
		send_from(p, mem[i], rte_mem_virt2iova(mem[i]), i);
	expect_copied(p, 0);
	while (n > 0)
		rte_free(mem[--n]);
	ext_free(va);
}

/* Here the IOMMU says no to a page that comes while the port runs. */
static void
test_memory_that_the_iommu_does_not_take_is_copied(void **state)
{
	struct fx_port *p = *state;
	uint32_t taken = heap_end(p);
	uint8_t *va = ext_alloc(), *mem[16];
	unsigned int n = 0;

	fx_start(p, NULL);
	assert_int_equal(pw_model_dma_map(p->model, taken, EXT_LEN, va, true), 0);
	while (window_of(p).refused == 0) {
		assert_true(n < RTE_DIM(mem));
		mem[n] = rte_malloc(NULL, RTE_PGSIZE_2M, RTE_PGSIZE_2M);
		assert_non_null(mem[n++]);
	}
	for (unsigned int i = 0; i < n; i++)
		send_from(p, mem[i], rte_mem_virt2iova(mem[i]), i);
	assert_true(counter(p, "tx_bounced_packets") > 0);
	while (n > 0)
		rte_free(mem[--n]);
	assert_int_equal(pw_model_dma_unmap(p->model, taken, EXT_LEN), 0);
	ext_free(va);
}

/* rte_extmem_register() alone tells no device. */
static void
test_registered_memory_is_not_mapped_by_itself(void **state)
{
	struct fx_port port;
	static rte_iova_t iova[EXT_LEN / 4096];
	uint8_t *va = ext_alloc();

	(void)state;
	assert_int_equal(rte_extmem_unregister(va, EXT_LEN), 0);
	for (size_t i = 0; i < RTE_DIM(iova); i++)
		iova[i] = (uintptr_t)va + i * 4096;
	assert_int_equal(rte_extmem_register(va, EXT_LEN, iova, RTE_DIM(iova), 4096), 0);
	fx_open(&port, fx_chip, NULL);
	assert_false(is_low(&port, (uintptr_t)va));
	fx_close(&port);
	ext_free(va);
}

static int
setup_on_hugepages(void **state)
{
	static char arg[][32] = {
		"test", "--in-memory", "--no-pci", "--no-telemetry", "--log-level=*:error",
		"--iova-mode=va",
	};
	char *argv[RTE_DIM(arg) + 1] = { NULL };

	(void)state;
	for (size_t i = 0; i < RTE_DIM(arg); i++)
		argv[i] = arg[i];
	if (rte_eal_init(RTE_DIM(arg), argv) < 0)
		return -1;
	pw_sim_set_clock(&fx_clock);
	return 0;
}

static long
free_pages(void)
{
	FILE *f = fopen("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "r");
	long n = 0;

	if (f == NULL)
		return 0;
	if (fscanf(f, "%ld", &n) != 1)
		n = 0;
	fclose(f);
	return n;
}

static int
run_on_hugepages(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_traffic_above_4_gib),
		TEST(test_memory_comes_and_goes),
		TEST(test_part_of_the_memory_goes),
		TEST(test_a_mempool_added_later),
		TEST(test_a_heap_of_external_memory),
		TEST(test_the_heap_grows_into_external_memory),
		TEST(test_memory_that_the_iommu_does_not_take_is_copied),
		cmocka_unit_test(test_registered_memory_is_not_mapped_by_itself),
		TEST(test_external_buffers_are_sent_as_they_lie),
		TEST(test_external_buffers_are_received_into),
		TEST(test_memory_that_collides_is_copied),
	};

	if (free_pages() < PAGES_NEEDED) {
		printf("SKIP: %ld free hugepages of 2 MiB, %ld needed\n", free_pages(),
		       PAGES_NEEDED);
		return SKIP;
	}
	return cmocka_run_group_tests_name("dma_window on hugepages", tests, setup_on_hugepages,
					   fx_teardown);
}

int
main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: %s CHIP [huge]\n", argv[0]);
		return 1;
	}
	fx_chip = argv[1];
	return argc > 2 ? run_on_hugepages() : run_ordinary();
}
