/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The sim on hugepages, where EAL's memory comes and goes: addresses for DMA that are virtual
 * ones and, as root, physical ones. Without hugepages there is nothing to try.
 */

#include "fixture.h"

#include <sys/wait.h>
#include <unistd.h>

#include <rte_bus_vdev.h>
#include <rte_malloc.h>

#define SKIP 77
#define NEW_MEMORY (8u << 20)
#define MANY_MBUFS 8191u /* 18 MiB: many pages of 2 MiB, and mbufs that lie across two */
#define PAGES_NEEDED 40l

static int
setup_on_hugepages(const char *mode)
{
	static char arg[][32] = {
		"test", "--in-memory", "--no-pci", "--no-telemetry", "--log-level=*:error", "",
	};
	char *argv[RTE_DIM(arg) + 1] = { NULL };

	for (size_t i = 0; i < RTE_DIM(arg); i++)
		argv[i] = arg[i];
	snprintf(arg[RTE_DIM(arg) - 1], sizeof(arg[0]), "--iova-mode=%s", mode);
	if (rte_eal_init(RTE_DIM(arg), argv) < 0)
		return -1;
	pw_sim_set_clock(&fx_clock);
	return rte_eal_iova_mode() == (mode[0] == 'p' ? RTE_IOVA_PA : RTE_IOVA_VA) ? 0 : -1;
}

/* Whether the model may reach an address: what is mapped cannot be mapped again. */
static bool
is_mapped(struct fx_port *p, uint64_t iova)
{
	static uint8_t dummy[64];
	int rc = pw_model_dma_map(p->model, iova, sizeof(dummy), dummy, false);

	if (rc == 0)
		assert_int_equal(pw_model_dma_unmap(p->model, iova, sizeof(dummy)), 0);
	else
		assert_int_equal(rc, -EEXIST);
	return rc != 0;
}

static void
test_new_memory_is_mapped_and_freed_memory_is_not(void **state)
{
	struct fx_port *p = *state;
	unsigned int i;

	for (i = 0; i < 5; i++) {
		uint8_t *mem = rte_malloc(NULL, NEW_MEMORY, 0);
		uint64_t first, middle, last;

		assert_non_null(mem);
		first = rte_mem_virt2iova(mem);
		middle = rte_mem_virt2iova(mem + NEW_MEMORY / 2);
		last = rte_mem_virt2iova(mem + NEW_MEMORY - 64);
		assert_true(is_mapped(p, first));
		assert_true(is_mapped(p, last));
		rte_free(mem);
		/* Its ends may share a page with something else, its middle cannot. */
		assert_false(is_mapped(p, middle));
	}
}

static void
test_traffic_in_memory_that_came_later(void **state)
{
	struct fx_port *p = *state;
	struct fx_conf conf = {
		.eth.txmode.offloads = RTE_ETH_TX_OFFLOAD_MULTI_SEGS,
	};
	struct fx_frame f;
	struct rte_mbuf *m;
	uint32_t i;

	conf.pool = rte_pktmbuf_pool_create("later", MANY_MBUFS, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE,
					    SOCKET_ID_ANY);
	assert_non_null(conf.pool);
	fx_start(p, &conf);
	/* Each of its mbufs once, received and sent on. */
	for (i = 0; i < MANY_MBUFS + FX_NB_DESC; i++) {
		fx_frame_build(&f, &(struct fx_spec){ .l3 = FX_IPV4, .l4 = FX_UDP,
						     .payload = 1400, .seed = (uint8_t)i });
		fx_inject(p, &f);
		assert_int_equal(fx_rx(p, &m, 1), 1);
		fx_tx(p, &m, 1);
		fx_expect_sent(p, &f);
	}
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	fx_configure(p, NULL); /* lets go of the pool */
	assert_int_equal(rte_mempool_in_use_count(conf.pool), 0);
	rte_mempool_free(conf.pool);
}

static int
run(const char *mode)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_new_memory_is_mapped_and_freed_memory_is_not,
						fx_port_setup, fx_port_teardown),
		cmocka_unit_test_setup_teardown(test_traffic_in_memory_that_came_later,
						fx_port_setup, fx_port_teardown),
	};
	int rc;

	if (setup_on_hugepages(mode) != 0) {
		print_error("EAL does not start with --iova-mode=%s\n", mode);
		return 1;
	}
	rc = cmocka_run_group_tests_name(mode, tests, NULL, NULL);
	rte_eal_cleanup();
	return rc;
}

/* EAL starts once a process. */
static int
run_apart(const char *mode)
{
	int status = 1;
	pid_t pid = fork();

	if (pid == 0)
		exit(run(mode));
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 1;
	return status;
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

int
main(void)
{
	int rc;

	if (free_pages() < PAGES_NEEDED) {
		printf("SKIP: %ld free hugepages of 2 MiB, %ld needed\n", free_pages(),
		       PAGES_NEEDED);
		return SKIP;
	}
	rc = run_apart("va");
	if (geteuid() == 0)
		rc |= run_apart("pa");
	else
		printf("not root: no physical addresses, --iova-mode=pa not tried\n");
	return rc == 0 ? 0 : 1;
}
