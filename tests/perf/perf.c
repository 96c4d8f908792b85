/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * DPDK's own net_e1000_em and a driver of ours side by side on software cards, in one thread of
 * one process, interleaved block by block so that whatever else the machine does hits all of them
 * alike. Devices under test:
 *
 *   em, em'       net_e1000_em twice, no offloads: how far two runs of the same thing differ
 *   plain         ours, one segment and fast free
 *   em-full       net_e1000_em asked for multi-segment, checksum and VLAN offloads
 *   full          ours, asked for the same
 *   em-flags      as em-full, with VLAN insertion and UDP checksum requested by every packet
 *   flags         ours, the same
 *   plain-1       with --twins: as plain, but one Rx descriptor at a time
 *   full-1        with --twins: as full, the same
 *
 * A block is 64 times: the card puts 32 frames in the Rx ring, one Rx burst, one Tx burst of
 * what came, the card sends. Time is the TSC around each burst, less the cost of reading it. A
 * round is a block of each device, some 150 us in all, so a pause by the scheduler spoils one
 * round and the medians over all rounds do not see it.
 *
 * A block ends with as many Rx bursts that find nothing: what polling costs an idle core.
 *
 * An 8255x has em beside it on an 82540EM, its plain path is an 82559's, full and flags are an
 * 82551's. It reaches 4 GiB and has no IOMMU here: memory for all devices then lies low.
 *
 *   perf [EAL options] -- [--chip NAME] [--rounds N] [--ring N] [--size N] [--json FILE]
 *                               [--only NAME] [--bursts N] [--twins]
 *
 * --chip is 82540em, 82574l or 8255x. On an 82574L our driver has extended receive descriptors,
 * em has legacy ones on both. --ring is descriptors a ring, --size bytes a
 * frame with FCS. EAL's --force-max-simd-bitwidth=64 makes ours take one descriptor at a time.
 *
 * --only runs one device for a number of bursts, for callgrind: do_rx and do_tx below are what
 * it counts.
 */

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_interrupts.h>
#include <rte_ip.h>
#include <rte_malloc.h>
#include <rte_mbuf.h>
#include <rte_udp.h>
#include <rte_vect.h>

#include <bus_pci_driver.h>
#include <ethdev_driver.h>
#include <jansson.h>

#include "card.h"
#include "card_8255x.h"

#define BURST 32
#define MIN_FRAME 60 /* 64 bytes on the wire with FCS */
#define MAX_FRAME 1514
#define BURSTS_PER_BLOCK 64
#define MAX_ROUNDS 10000
#define LOW_BASE UINT64_C(0x20000000)
#define LOW_SIZE (96u << 20)

#define RX_FULL                                                                                   \
	(RTE_ETH_RX_OFFLOAD_VLAN_STRIP | RTE_ETH_RX_OFFLOAD_IPV4_CKSUM |                          \
	 RTE_ETH_RX_OFFLOAD_UDP_CKSUM | RTE_ETH_RX_OFFLOAD_TCP_CKSUM)
#define TX_FULL                                                                                   \
	(RTE_ETH_TX_OFFLOAD_MULTI_SEGS | RTE_ETH_TX_OFFLOAD_VLAN_INSERT |                         \
	 RTE_ETH_TX_OFFLOAD_IPV4_CKSUM | RTE_ETH_TX_OFFLOAD_UDP_CKSUM |                           \
	 RTE_ETH_TX_OFFLOAD_TCP_CKSUM)

/* Descriptor status: DD and EOP; with offloads also VP, TCPCS and IPCS and tag 5 (§3.1). */
#define RX_STATUS_PLAIN 0x00000003u
#define RX_STATUS_FULL 0x0005006bu

struct dut;

/* A software card, as the harness plays it. */
struct card_verbs {
	int (*init)(struct dut *d, uint8_t last);
	void (*step)(struct dut *d);
	unsigned int (*rx)(struct dut *d, unsigned int n, const void *data, uint16_t len);
	unsigned int (*tx)(struct dut *d, card_tx_fn fn, void *ctx);
};

struct dut {
	const char *name;
	bool ours;
	uint64_t rx_offloads;
	uint64_t tx_offloads;
	uint64_t tx_flags;
	uint32_t rx_status;
	bool one;
	const struct card_verbs *verbs;	/* NULL: not started */
	uint16_t device;
	uint8_t revision;
	struct rte_pci_device pci;
	union {
		struct card card;
		struct card_8255x card_8255x;
	};
	void *bar;
	size_t bar_size;
	uint16_t port;
	eth_rx_burst_t rx;
	eth_tx_burst_t tx;
	void *rxq;
	void *txq;
	uint64_t rx_cycles, tx_cycles, packets, idle_cycles;
	double rx_cost[MAX_ROUNDS], tx_cost[MAX_ROUNDS], both_cost[MAX_ROUNDS];
	double idle_cost[MAX_ROUNDS];
};

#define EM "net_e1000_em"
#define FLAGS (RTE_MBUF_F_TX_VLAN | RTE_MBUF_F_TX_IPV4 | RTE_MBUF_F_TX_UDP_CKSUM)

static struct dut duts[] = {
	{ "em", false, 0, 0, 0, .rx_status = RX_STATUS_PLAIN },
	{ "em'", false, 0, 0, 0, .rx_status = RX_STATUS_PLAIN },
	{ "plain", true, 0, RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE, 0, .rx_status = RX_STATUS_PLAIN },
	{ "em-full", false, RX_FULL, TX_FULL, 0, .rx_status = RX_STATUS_FULL },
	{ "full", true, RX_FULL, TX_FULL, 0, .rx_status = RX_STATUS_FULL },
	{ "em-flags", false, RX_FULL, TX_FULL, FLAGS, .rx_status = RX_STATUS_FULL },
	{ "flags", true, RX_FULL, TX_FULL, FLAGS, .rx_status = RX_STATUS_FULL },
	{ "plain-1", true, 0, RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE, 0, .rx_status = RX_STATUS_PLAIN,
	  .one = true },
	{ "full-1", true, RX_FULL, TX_FULL, 0, .rx_status = RX_STATUS_FULL, .one = true },
};

enum {
	DUT_EM, DUT_EM2, DUT_PLAIN, DUT_EM_FULL, DUT_FULL, DUT_EM_FLAGS, DUT_FLAGS,
	DUT_PLAIN_ONE, DUT_FULL_ONE, NB_DUTS
};
/* The last two on request only: more devices leave each less of the caches. */
static unsigned int nb_duts = DUT_PLAIN_ONE;

static struct rte_mempool *pool;
static uint8_t frame[MAX_FRAME];
static uint16_t frame_len = MIN_FRAME;
static uint16_t ring = 256;
static int socket_id = SOCKET_ID_ANY;
static uint64_t tsc_overhead;

/* --- the cards ----------------------------------------------------------------------------- */

static int
e1000_init(struct dut *d, uint8_t last)
{
	int ret = card_init(&d->card, d->device, last);

	d->bar = (void *)(uintptr_t)d->card.reg;
	d->bar_size = CARD_BAR_SIZE;
	return ret;
}

static void
e1000_step(struct dut *d)
{
	card_step(&d->card);
}

static unsigned int
e1000_rx(struct dut *d, unsigned int n, const void *data, uint16_t len)
{
	return card_rx(&d->card, n, data, len, d->rx_status);
}

static unsigned int
e1000_tx(struct dut *d, card_tx_fn fn, void *ctx)
{
	return card_tx(&d->card, fn, ctx);
}

static const struct card_verbs e1000_verbs = { e1000_init, e1000_step, e1000_rx, e1000_tx };

static int
i8255x_init(struct dut *d, uint8_t last)
{
	int ret = card_8255x_init(&d->card_8255x, last);

	d->bar = (void *)(uintptr_t)d->card_8255x.csr;
	d->bar_size = CARD_8255X_BAR_SIZE;
	return ret;
}

static void
i8255x_step(struct dut *d)
{
	card_8255x_step(&d->card_8255x);
}

/* With offloads: tag 5 stripped, parsed, IP and UDP checksums good (§3.5). */
static unsigned int
i8255x_rx(struct dut *d, unsigned int n, const void *data, uint16_t len)
{
	bool full = d->rx_offloads != 0;

	return card_8255x_rx(&d->card_8255x, n, data, len, full ? 0x00051008 : 0,
			     full ? 0x33 : 0);
}

static unsigned int
i8255x_tx(struct dut *d, card_tx_fn fn, void *ctx)
{
	return card_8255x_tx(&d->card_8255x, fn, ctx);
}

static const struct card_verbs i8255x_verbs = { i8255x_init, i8255x_step, i8255x_rx, i8255x_tx };

/* Our side. em gets an 82574L for an 82574L, and an 82540EM beside all others. */
static const struct chip {
	const char *name;
	const char *title;
	const char *driver;
	const struct card_verbs *verbs;
	uint16_t device, em_device;
	uint8_t revision, full_revision; /* the latter where offloads are asked for */
	bool low;	/* reaches 4 GiB */
} chips[] = {
	{ "82540em", "82540EM", "net_pw_e1000", &e1000_verbs, CARD_82540EM, CARD_82540EM, 2, 2,
	  false },
	{ "82574l", "82574L", "net_pw_e1000", &e1000_verbs, CARD_82574L, CARD_82574L, 2, 2, false },
	{ "8255x", "82559 and 82551", "net_pw_i8255x", &i8255x_verbs, 0x1229, CARD_82540EM, 8, 0xe,
	  true },
};
static const struct chip *chip = &chips[0];

static void
choose_card(struct dut *d)
{
	d->device = d->ours ? chip->device : chip->em_device;
	d->revision = d->rx_offloads != 0 ? chip->full_revision : chip->revision;
	d->verbs = d->ours ? chip->verbs : &e1000_verbs;
}

/* --- drivers and devices ------------------------------------------------------------------- */

/* Both drivers wait through DPDK's delays: em through this symbol, ours through the pointer. */
static void
step_cards(unsigned int us)
{
	(void)us;
	for (unsigned int i = 0; i < nb_duts; i++)
		if (duts[i].verbs != NULL)
			duts[i].verbs->step(&duts[i]);
}

void
rte_delay_us_sleep(unsigned int us)
{
	step_cards(us);
}

/* The bus keeps its driver list to itself; a driver of ours at its tail leads to the others. */
TAILQ_HEAD(driver_list, rte_pci_driver);

static struct rte_pci_driver *
find_driver(const char *name)
{
	static const struct rte_pci_id none[] = { { .vendor_id = 0 } };
	static struct rte_pci_driver end = { .driver = { .name = "end" }, .id_table = none };
	struct rte_pci_driver *d;

	rte_pci_register(&end);
	for (d = TAILQ_PREV(&end, driver_list, next); d != NULL;
	     d = TAILQ_PREV(d, driver_list, next))
		if (strcmp(d->driver.name, name) == 0)
			break;
	rte_pci_unregister(&end);
	return d;
}

/* Configuration space as uio_pci_generic would offer it: a file. */
static int
config_space(struct rte_pci_device *p, uint8_t revision)
{
	uint8_t space[256] = { 0x86, 0x80, p->id.device_id & 0xff, p->id.device_id >> 8,
			       7, 0, 0x30, 0x02, revision };
	int fd = memfd_create("config", MFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (write(fd, space, sizeof(space)) != sizeof(space) ||
	    rte_intr_dev_fd_set(p->intr_handle, fd) != 0) {
		close(fd);
		return -EIO;
	}
	p->kdrv = RTE_PCI_KDRV_UIO_GENERIC;
	return 0;
}

static int
probe(struct dut *d, unsigned int index)
{
	const char *name = d->ours ? chip->driver : EM;
	struct rte_pci_driver *driver = find_driver(name);
	struct rte_pci_device *p = &d->pci;

	if (driver == NULL) {
		fprintf(stderr, "perf: no driver called %s in this process\n", name);
		return -ENOENT;
	}
	snprintf(p->name, sizeof(p->name), "0000:ff:%02x.0", index);
	p->device.name = p->name;
	p->device.numa_node = socket_id;
	p->addr = (struct rte_pci_addr){ .bus = 0xff, .devid = index };
	p->id = (struct rte_pci_id){
		.class_id = 0x020000,
		.vendor_id = 0x8086,
		.device_id = d->device,
		.subsystem_vendor_id = 0x8086,
		.subsystem_device_id = 0x001e,
	};
	p->mem_resource[0].addr = d->bar;
	p->mem_resource[0].len = d->bar_size;
	p->intr_handle = rte_intr_instance_alloc(RTE_INTR_INSTANCE_F_PRIVATE);
	if (p->intr_handle == NULL)
		return -ENOMEM;
	rte_intr_fd_set(p->intr_handle, -1);
	if (config_space(p, d->revision) != 0)
		return -EIO;
	p->driver = driver;
	p->device.driver = &driver->driver;
	return driver->probe(driver, p);
}

static int
start(struct dut *d, unsigned int index)
{
	struct rte_eth_conf conf = { 0 };
	struct rte_eth_rxconf rxconf = { 0 };
	struct rte_eth_txconf txconf = { 0 };
	int ret;

	choose_card(d);
	ret = d->verbs->init(d, index);
	if (ret != 0)
		return ret;
	ret = probe(d, index);
	if (ret != 0)
		return ret;
	ret = rte_eth_dev_get_port_by_name(d->pci.name, &d->port);
	if (ret != 0)
		return ret;
	conf.rxmode.offloads = rxconf.offloads = d->rx_offloads;
	conf.txmode.offloads = txconf.offloads = d->tx_offloads;
	rte_vect_set_max_simd_bitwidth(d->one ? RTE_VECT_SIMD_DISABLED : RTE_VECT_SIMD_128);
	ret = rte_eth_dev_configure(d->port, 1, 1, &conf);
	if (ret == 0)
		ret = rte_eth_rx_queue_setup(d->port, 0, ring, SOCKET_ID_ANY, &rxconf, pool);
	if (ret == 0)
		ret = rte_eth_tx_queue_setup(d->port, 0, ring, SOCKET_ID_ANY, &txconf);
	if (ret == 0)
		ret = rte_eth_dev_start(d->port);
	if (ret != 0)
		return ret;
	d->rx = rte_eth_fp_ops[d->port].rx_pkt_burst;
	d->tx = rte_eth_fp_ops[d->port].tx_pkt_burst;
	d->rxq = rte_eth_fp_ops[d->port].rxq.data[0];
	d->txq = rte_eth_fp_ops[d->port].txq.data[0];
	return 0;
}

__rte_noinline uint16_t do_rx(struct dut *d, struct rte_mbuf **m);
__rte_noinline uint16_t do_tx(struct dut *d, struct rte_mbuf **m, uint16_t n);

__rte_noinline uint16_t
do_rx(struct dut *d, struct rte_mbuf **m)
{
	return d->rx(d->rxq, m, BURST);
}

__rte_noinline uint16_t
do_tx(struct dut *d, struct rte_mbuf **m, uint16_t n)
{
	return d->tx(d->txq, m, n);
}

static void
ask_offloads(const struct dut *d, struct rte_mbuf **m, uint16_t n)
{
	for (uint16_t i = 0; i < n; i++) {
		m[i]->ol_flags = d->tx_flags;
		m[i]->l2_len = sizeof(struct rte_ether_hdr);
		m[i]->l3_len = sizeof(struct rte_ipv4_hdr);
		m[i]->vlan_tci = 5;
	}
}

static int
block(struct dut *d, unsigned int bursts)
{
	struct rte_mbuf *m[BURST];

	for (unsigned int i = 0; i < bursts; i++) {
		uint64_t t0, t1, t2, t3;
		uint16_t n, sent;

		d->verbs->rx(d, BURST, frame, frame_len);
		t0 = rte_rdtsc_precise();
		n = do_rx(d, m);
		t1 = rte_rdtsc_precise();
		ask_offloads(d, m, n);
		t2 = rte_rdtsc_precise();
		sent = do_tx(d, m, n);
		t3 = rte_rdtsc_precise();
		if (sent != n || n == 0) {
			fprintf(stderr, "perf: %s: %u received, %u sent of a burst\n",
				d->name, n, sent);
			return -EIO;
		}
		d->rx_cycles += t1 - t0 - tsc_overhead;
		d->tx_cycles += t3 - t2 - tsc_overhead;
		d->packets += n;
		d->verbs->tx(d, NULL, NULL);
	}
	return 0;
}

static int
idle(struct dut *d, unsigned int bursts)
{
	struct rte_mbuf *m[BURST];

	for (unsigned int i = 0; i < bursts; i++) {
		uint64_t t0 = rte_rdtsc_precise(), t1;
		uint16_t n = do_rx(d, m);

		t1 = rte_rdtsc_precise();
		if (n != 0) {
			fprintf(stderr, "perf: %s: %u received of nothing\n", d->name, n);
			return -EIO;
		}
		d->idle_cycles += t1 - t0 - tsc_overhead;
	}
	return 0;
}

/* What the card sends must be what it received, byte for byte, at every size. */
struct verify {
	uint32_t seen;
	uint32_t bad;
};

static uint16_t
verify_len(uint32_t seq)
{
	return 60 + seq * 7 % 1455;
}

static void
verify_frame(void *ctx, const uint8_t *data, uint32_t len)
{
	struct verify *v = ctx;
	uint32_t seq;

	memcpy(&seq, data, sizeof(seq));
	if (seq != v->seen || len != verify_len(seq))
		v->bad++;
	for (uint32_t i = sizeof(seq); i < len; i++)
		if (data[i] != (uint8_t)(seq + i))
			v->bad++;
	v->seen++;
}

static int
verify(struct dut *d, uint32_t total)
{
	struct verify v = { 0, 0 };
	struct rte_mbuf *m[BURST];
	uint8_t data[1514];
	uint32_t seq = 0;

	while (v.seen < total) {
		uint32_t before = v.seen;

		for (unsigned int i = 0; i < BURST && seq < total; i++, seq++) {
			uint16_t len = verify_len(seq);

			memcpy(data, &seq, sizeof(seq));
			for (uint32_t k = sizeof(seq); k < len; k++)
				data[k] = seq + k;
			if (d->verbs->rx(d, 1, data, len) != 1)
				break;
		}
		uint16_t n = do_rx(d, m);

		for (uint16_t i = 0; i < n; i++)
			m[i]->ol_flags = 0; /* the card of this suite computes no checksums */
		do_tx(d, m, n);
		d->verbs->tx(d, verify_frame, &v);
		if (v.seen == before) {
			fprintf(stderr, "perf: %s: stuck after %u frames\n", d->name, v.seen);
			return -EIO;
		}
	}
	if (v.bad != 0)
		fprintf(stderr, "perf: %s: %u bad bytes or frames\n", d->name, v.bad);
	return v.bad == 0 ? 0 : -EIO;
}

static int
compare_double(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median(double *v, unsigned int n)
{
	qsort(v, n, sizeof(*v), compare_double);
	return v[n / 2];
}

/* Ratios are taken inside each round, where both ran under the same conditions. */
static double
ratio_of(const double *a, const double *b, unsigned int rounds)
{
	static double r[MAX_ROUNDS];

	for (unsigned int i = 0; i < rounds; i++)
		r[i] = a[i] / b[i];
	return median(r, rounds);
}

static double
ratio(const struct dut *a, const struct dut *b, unsigned int rounds)
{
	return ratio_of(a->both_cost, b->both_cost, rounds);
}

static int
measure(unsigned int rounds)
{
	for (unsigned int r = 0; r < rounds; r++)
		for (unsigned int i = 0; i < nb_duts; i++) {
			/* To and fro, so that no device always follows the same one. */
			struct dut *d = &duts[(r & 1) != 0 ? nb_duts - 1 - i : i];
			int ret;

			d->rx_cycles = d->tx_cycles = d->packets = d->idle_cycles = 0;
			ret = block(d, BURSTS_PER_BLOCK);
			if (ret == 0)
				ret = idle(d, BURSTS_PER_BLOCK);
			if (ret != 0)
				return ret;
			d->idle_cost[r] = (double)d->idle_cycles / BURSTS_PER_BLOCK;
			d->rx_cost[r] = (double)d->rx_cycles / d->packets;
			d->tx_cost[r] = (double)d->tx_cycles / d->packets;
			d->both_cost[r] = d->rx_cost[r] + d->tx_cost[r];
		}
	return 0;
}

static int
report(unsigned int rounds, const char *json_file)
{
	double aa = ratio(&duts[DUT_EM2], &duts[DUT_EM], rounds);
	double plain = ratio(&duts[DUT_PLAIN], &duts[DUT_EM], rounds);
	double full = ratio(&duts[DUT_FULL], &duts[DUT_EM_FULL], rounds);
	double flags = ratio(&duts[DUT_FLAGS], &duts[DUT_EM_FLAGS], rounds);
	double empty = ratio_of(duts[DUT_PLAIN].idle_cost, duts[DUT_EM].idle_cost, rounds);
	double empty_full = ratio_of(duts[DUT_FULL].idle_cost, duts[DUT_EM_FULL].idle_cost,
				     rounds);
	double rx_plain = 0, rx_full = 0;
	json_t *root;
	int ret = 0;

	/* All ratios before the first median, which sorts. */
	if (nb_duts > DUT_FULL_ONE) {
		rx_plain = ratio_of(duts[DUT_PLAIN].rx_cost, duts[DUT_PLAIN_ONE].rx_cost, rounds);
		rx_full = ratio_of(duts[DUT_FULL].rx_cost, duts[DUT_FULL_ONE].rx_cost, rounds);
	}
	printf("TSC cycles a packet, %s, %u-byte frames, burst %u, ring %u, medians of %u, %s "
	       "pages\n", chip->title, frame_len + RTE_ETHER_CRC_LEN, BURST, ring, rounds,
	       rte_eal_has_hugepages() ? "huge" : "4 KiB");
	printf("%-10s %8s %8s %8s %12s\n", "", "rx", "tx", "rx+tx", "empty burst");
	for (unsigned int i = 0; i < nb_duts; i++) {
		struct dut *d = &duts[i];

		printf("%-10s %8.2f %8.2f %8.2f %12.2f\n", d->name, median(d->rx_cost, rounds),
		       median(d->tx_cost, rounds), median(d->both_cost, rounds),
		       median(d->idle_cost, rounds));
	}
	printf("em'/em %.3f  plain/em %.3f  full/em-full %.3f  flags/em-flags %.3f\n"
	       "empty burst: plain/em %.3f  full/em-full %.3f\n", aa, plain, full, flags, empty,
	       empty_full);
	if (nb_duts > DUT_FULL_ONE)
		printf("Rx: plain/plain-1 %.3f  full/full-1 %.3f\n", rx_plain, rx_full);
	if (json_file == NULL)
		return 0;
	root = json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:b}", "aa", aa, "plain", plain,
			 "full", full, "flags", flags, "empty", empty, "empty_full", empty_full,
			 "cycles", median(duts[DUT_PLAIN].both_cost, rounds),
			 "hugepages", rte_eal_has_hugepages());
	if (root == NULL || json_dump_file(root, json_file, JSON_INDENT(1)) != 0) {
		fprintf(stderr, "perf: cannot write %s\n", json_file);
		ret = -EIO;
	}
	json_decref(root);
	return ret;
}

static int
run_one(const char *name, unsigned int bursts)
{
	for (unsigned int i = 0; i < nb_duts; i++)
		if (strcmp(duts[i].name, name) == 0)
			return start(&duts[i], i) != 0 ? -EIO : block(&duts[i], bursts);
	fprintf(stderr, "perf: no device called %s\n", name);
	return -EINVAL;
}

static int
run_all(unsigned int rounds, const char *json_file)
{
	int ret;

	for (unsigned int i = 0; i < nb_duts; i++) {
		ret = start(&duts[i], i);
		if (ret != 0) {
			fprintf(stderr, "perf: %s: cannot start: %s\n", duts[i].name,
				strerror(-ret));
			return ret;
		}
		ret = verify(&duts[i], 5000);
		if (ret != 0)
			return ret;
	}
	ret = measure(rounds);
	return ret != 0 ? ret : report(rounds, json_file);
}

/* Ethernet, IPv4, UDP; addresses as in RFC 2544 appendix C. Checksums are left to the devices. */
static void
build_frame(void)
{
	struct rte_ether_hdr *eth = (struct rte_ether_hdr *)frame;
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)(eth + 1);
	struct rte_udp_hdr *udp = (struct rte_udp_hdr *)(ip + 1);

	memset(&eth->dst_addr, 0x02, RTE_ETHER_ADDR_LEN);
	memset(&eth->src_addr, 0x06, RTE_ETHER_ADDR_LEN);
	eth->ether_type = rte_cpu_to_be_16(RTE_ETHER_TYPE_IPV4);
	ip->version_ihl = RTE_IPV4_VHL_DEF;
	ip->total_length = rte_cpu_to_be_16(frame_len - sizeof(*eth));
	ip->time_to_live = 64;
	ip->next_proto_id = IPPROTO_UDP;
	ip->src_addr = rte_cpu_to_be_32(RTE_IPV4(198, 18, 1, 2));
	ip->dst_addr = rte_cpu_to_be_32(RTE_IPV4(198, 19, 1, 2));
	ip->hdr_checksum = rte_ipv4_cksum(ip);
	udp->dst_port = rte_cpu_to_be_16(7);
	udp->src_port = rte_cpu_to_be_16(49152);
	udp->dgram_len = rte_cpu_to_be_16(frame_len - sizeof(*eth) - sizeof(*ip));
}

/* Memory below 4 GiB whose addresses are its IOVAs, as a socket of its own. */
static int
use_low_memory(void)
{
	bool huge = rte_eal_has_hugepages();
	size_t page = huge ? RTE_PGSIZE_2M : RTE_PGSIZE_4K;
	unsigned int n = LOW_SIZE / page;
	uint64_t *iova = calloc(n, sizeof(*iova));
	void *va = mmap((void *)LOW_BASE, LOW_SIZE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_POPULATE |
			(huge ? MAP_HUGETLB : 0), -1, 0);
	int ret = -ENOMEM;

	if (iova != NULL && va != MAP_FAILED) {
		for (unsigned int i = 0; i < n; i++)
			iova[i] = (uintptr_t)va + i * page;
		ret = rte_malloc_heap_create("low");
		if (ret == 0)
			ret = rte_malloc_heap_memory_add("low", va, LOW_SIZE, iova, n, page);
		ret = ret == 0 ? 0 : -rte_errno;
	}
	free(iova);
	if (ret == 0)
		socket_id = rte_malloc_heap_get_socket("low");
	return ret;
}

static void
measure_tsc_overhead(void)
{
	tsc_overhead = UINT64_MAX;
	for (unsigned int i = 0; i < 1000; i++) {
		uint64_t a = rte_rdtsc_precise();
		uint64_t b = rte_rdtsc_precise();

		tsc_overhead = RTE_MIN(tsc_overhead, b - a);
	}
}

static const struct chip *
find_chip(const char *name)
{
	for (unsigned int i = 0; i < RTE_DIM(chips); i++)
		if (strcmp(chips[i].name, name) == 0)
			return &chips[i];
	fprintf(stderr, "perf: no chip called %s\n", name);
	return NULL;
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "chip", required_argument, NULL, 'c' },
		{ "rounds", required_argument, NULL, 'r' },
		{ "bursts", required_argument, NULL, 'b' },
		{ "ring", required_argument, NULL, 'd' },
		{ "size", required_argument, NULL, 's' },
		{ "only", required_argument, NULL, 'o' },
		{ "json", required_argument, NULL, 'j' },
		{ "twins", no_argument, NULL, 't' },
		{ 0 },
	};
	const char *json_file = NULL;
	const char *only = NULL;
	unsigned int rounds = 2000;
	unsigned int bursts = 200;
	int ret, c;

	ret = rte_eal_init(argc, argv);
	if (ret < 0)
		return EXIT_FAILURE;
	argc -= ret;
	argv += ret;
	optind = 1;
	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c == 'r')
			rounds = RTE_MIN(RTE_MAX(atoi(optarg), 1), MAX_ROUNDS);
		else if (c == 'b')
			bursts = RTE_MAX(atoi(optarg), 1);
		else if (c == 'd')
			ring = RTE_MIN(RTE_MAX(atoi(optarg), 2 * BURST), 4096);
		else if (c == 's')
			frame_len = RTE_MIN(RTE_MAX(atoi(optarg) - RTE_ETHER_CRC_LEN, MIN_FRAME),
					    MAX_FRAME);
		else if (c == 'c' && (chip = find_chip(optarg)) != NULL)
			continue;
		else if (c == 'o')
			only = optarg;
		else if (c == 't')
			nb_duts = NB_DUTS;
		else if (c == 'j')
			json_file = optarg;
		else
			return EXIT_FAILURE;
	}
	rte_delay_us_callback_register(step_cards);
	build_frame();
	measure_tsc_overhead();
	if (chip->low && use_low_memory() != 0) {
		fprintf(stderr, "perf: no memory below 4 GiB: free %u MB of huge pages\n",
			LOW_SIZE >> 20);
		return EXIT_FAILURE;
	}
	pool = rte_pktmbuf_pool_create("perf", nb_duts * 2u * ring + 8191, 256, 0,
				       RTE_MBUF_DEFAULT_BUF_SIZE, socket_id);
	if (pool == NULL) {
		fprintf(stderr, "perf: no memory for the packet pool: give EAL -m 256\n");
		return EXIT_FAILURE;
	}
	ret = only != NULL ? run_one(only, bursts) : run_all(rounds, json_file);
	return ret == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
