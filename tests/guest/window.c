/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Two ports that pass frames on, in memory of different kinds. Commands come on standard input, a
 * line each, and are answered by one line:
 *
 *	later		a mempool is added, and both ports receive into it
 *	free		back to the first one; the other's memory is given back
 *	external	frames are sent from external buffers that the devices know
 *	foreign		... that they do not know any more
 *	own		frames are sent as they came
 *	copied		answers with the number of frames that a driver had to copy
 *	quit
 *
 * Exit status 1 and one line at what is wrong.
 */

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <rte_memory.h>

#define BURST 32
#define NB_DESC 256
#define NB_FIRST 2047
#define NB_LATER 16383		/* 36 MiB: more than EAL has when it starts */
#define GB4 UINT64_C(0x100000000)

#define SLOT 4096u
#define NB_SLOTS 1024u
#define EXT_HINT ((uintptr_t)1 << 38)

static struct rte_mempool *first, *later;

/* External memory, in slots; one is free when its buffer is detached. */
static struct {
	uint8_t *va;
	struct rte_mbuf_ext_shared_info shared[NB_SLOTS];
	bool busy[NB_SLOTS];
	unsigned int next;
	bool in_use;
} ext;

static void
check(int good, const char *what, int got)
{
	if (good)
		return;
	fprintf(stderr, "window: %s: %d\n", what, got);
	exit(1);
}

/* --- memory ---------------------------------------------------------------------------------- */

static struct rte_mempool *
pool_make(const char *name, unsigned int n)
{
	struct rte_mempool *mp = rte_pktmbuf_pool_create(name, n, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE,
							 SOCKET_ID_ANY);
	struct rte_mbuf *m;

	check(mp != NULL, "no memory", rte_errno);
	m = rte_pktmbuf_alloc(mp);
	check(m != NULL, "an empty pool", 0);
	/* Else the test would prove nothing. */
	check(rte_eal_iova_mode() == RTE_IOVA_PA || rte_pktmbuf_iova(m) >= GB4,
	      "memory below 4 GiB", 0);
	rte_pktmbuf_free(m);
	return mp;
}

static void
slot_free(void *addr, void *opaque)
{
	(void)addr;
	*(bool *)opaque = false;
}

/* Each device is told, as each would have to be if they had different IOMMUs. */
static void
ext_map(void)
{
	struct rte_eth_dev_info info;
	uint16_t port;

	/* Addresses are IOVAs: QEMU's IOMMU has 39 bits of them. */
	ext.va = mmap((void *)EXT_HINT, NB_SLOTS * SLOT, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	check(ext.va != MAP_FAILED, "mmap", errno);
	check(rte_extmem_register(ext.va, NB_SLOTS * SLOT, NULL, 0, SLOT) == 0, "register",
	      rte_errno);
	RTE_ETH_FOREACH_DEV(port) {
		check(rte_eth_dev_info_get(port, &info) == 0, "no information", port);
		check(rte_dev_dma_map(info.device, ext.va, (uintptr_t)ext.va,
				      NB_SLOTS * SLOT) == 0, "DMA map", rte_errno);
	}
}

/* The first one's answer counts: they have one IOMMU, and EAL finds nothing the second time. */
static void
ext_unmap(void)
{
	struct rte_eth_dev_info info;
	uint16_t port;

	RTE_ETH_FOREACH_DEV(port) {
		check(rte_eth_dev_info_get(port, &info) == 0, "no information", port);
		check(rte_dev_dma_unmap(info.device, ext.va, (uintptr_t)ext.va,
					NB_SLOTS * SLOT) == 0 || port > 0, "DMA unmap", rte_errno);
	}
}

/* The frame once more, its bytes in a slot; the frame itself if none is free. */
static struct rte_mbuf *
to_slot(struct rte_mbuf *m)
{
	unsigned int i = ext.next++ % NB_SLOTS;
	struct rte_mbuf *out;

	if (ext.busy[i] || m->nb_segs != 1)
		return m;
	out = rte_pktmbuf_alloc(first);
	if (out == NULL)
		return m;
	ext.busy[i] = true;
	ext.shared[i].free_cb = slot_free;
	ext.shared[i].fcb_opaque = &ext.busy[i];
	rte_mbuf_ext_refcnt_set(&ext.shared[i], 1);
	rte_pktmbuf_attach_extbuf(out, ext.va + i * SLOT, (uintptr_t)ext.va + i * SLOT, SLOT,
				  &ext.shared[i]);
	/* Anywhere in it, to the end. */
	out->data_off = ext.next * 7 % (SLOT - 1600);
	memcpy(rte_pktmbuf_append(out, m->data_len), rte_pktmbuf_mtod(m, void *), m->data_len);
	rte_pktmbuf_free(m);
	return out;
}

/* --- ports ----------------------------------------------------------------------------------- */

static void
forward(uint16_t from)
{
	struct rte_mbuf *m[BURST];
	uint16_t n, sent;

	while ((n = rte_eth_rx_burst(from, 0, m, BURST)) > 0) {
		for (uint16_t i = 0; ext.in_use && i < n; i++)
			m[i] = to_slot(m[i]);
		sent = rte_eth_tx_burst(from ^ 1, 0, m, n);
		rte_pktmbuf_free_bulk(m + sent, n - sent);
	}
}

static void
start(uint16_t port, struct rte_mempool *mp)
{
	struct rte_eth_conf conf = { 0 };

	check(rte_eth_dev_configure(port, 1, 1, &conf) == 0, "cannot configure", port);
	check(rte_eth_rx_queue_setup(port, 0, NB_DESC, SOCKET_ID_ANY, NULL, mp) == 0, "Rx queue",
	      port);
	check(rte_eth_tx_queue_setup(port, 0, NB_DESC, SOCKET_ID_ANY, NULL) == 0, "Tx queue",
	      port);
	check(rte_eth_dev_start(port) == 0, "cannot start", port);
	check(rte_eth_promiscuous_enable(port) == 0, "cannot be promiscuous", port);
}

static void
restart(struct rte_mempool *mp)
{
	uint16_t port;

	RTE_ETH_FOREACH_DEV(port)
		check(rte_eth_dev_stop(port) == 0, "stop", port);
	RTE_ETH_FOREACH_DEV(port)
		start(port, mp);
}

static uint64_t
copied(void)
{
	uint64_t id, value, sum = 0;
	uint16_t port;

	RTE_ETH_FOREACH_DEV(port) {
		check(rte_eth_xstats_get_id_by_name(port, "tx_bounced_packets", &id) == 0,
		      "no such statistic", port);
		check(rte_eth_xstats_get_by_id(port, &id, &value, 1) == 1, "xstats", port);
		sum += value;
	}
	return sum;
}

/* --- commands -------------------------------------------------------------------------------- */

static void
cmd_later(void)
{
	later = pool_make("later", NB_LATER);
	restart(later);
	puts("done");
}

static void
cmd_free(void)
{
	restart(first);
	check(rte_mempool_in_use_count(later) == 0, "mbufs are missing",
	      rte_mempool_in_use_count(later));
	rte_mempool_free(later);
	puts("done");
}

static void
cmd_external(void)
{
	ext_map();
	ext.in_use = true;
	puts("done");
}

static void
cmd_foreign(void)
{
	/* What is on its way must not lose its memory. */
	restart(first);
	ext_unmap();
	puts("done");
}

static void
cmd_own(void)
{
	ext.in_use = false;
	restart(first);
	check(rte_extmem_unregister(ext.va, NB_SLOTS * SLOT) == 0, "unregister", rte_errno);
	munmap(ext.va, NB_SLOTS * SLOT);
	puts("done");
}

static void
cmd_copied(void)
{
	printf("%" PRIu64 "\n", copied());
}

static const struct {
	const char *name;
	void (*run)(void);
} commands[] = {
	{ "later", cmd_later },
	{ "free", cmd_free },
	{ "external", cmd_external },
	{ "foreign", cmd_foreign },
	{ "own", cmd_own },
	{ "copied", cmd_copied },
};

/* @return whether to go on. */
static bool
obey(void)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	char line[32] = "";
	unsigned int i;

	if (poll(&in, 1, 0) == 0)
		return true;
	if (fgets(line, sizeof(line), stdin) == NULL || strcmp(line, "quit\n") == 0)
		return false;
	line[strcspn(line, "\n")] = '\0';
	for (i = 0; i < RTE_DIM(commands); i++) {
		if (strcmp(commands[i].name, line) == 0) {
			commands[i].run();
			return true;
		}
	}
	check(0, line, 0);
	return false;
}

int
main(int argc, char **argv)
{
	int n = rte_eal_init(argc, argv);
	uint16_t port;

	check(n >= 0, "EAL", n);
	setlinebuf(stdout);
	/* poll() must not miss what stdio has read ahead. */
	setvbuf(stdin, NULL, _IONBF, 0);
	check(rte_eth_dev_count_avail() == 2, "not two ports", rte_eth_dev_count_avail());
	first = pool_make("first", NB_FIRST);
	RTE_ETH_FOREACH_DEV(port)
		start(port, first);
	puts("ready");
	while (obey()) {
		forward(0);
		forward(1);
	}
	RTE_ETH_FOREACH_DEV(port) {
		check(rte_eth_dev_stop(port) == 0, "stop", port);
		check(rte_eth_dev_close(port) == 0, "close", port);
	}
	rte_eal_cleanup();
	return 0;
}
