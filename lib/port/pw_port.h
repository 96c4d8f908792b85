/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_PORT_H_
#define _PW_PORT_H_

/**
 * @file
 * What a program calls to use ports: start DPDK with choices that fit the machine, open ports
 * by name, start, watch and stop them. Packets then go through rte_eth_rx_burst() and
 * rte_eth_tx_burst() on pw_port_id(), queue 0.
 *
 * A port is named in one of these ways:
 *   0000:02:00.0                  a card, bound to vfio-pci; 02:00.0 is the same
 *   sim:82540em,wire=a            a chip in software, on the wire "a"; see net_pw_sim
 *   vdev:net_pcap0,iface=lo       any virtual device of DPDK, with its arguments
 *   0, net_ring0                  a port that the program's own EAL options have made
 *
 * A program that starts EAL itself leaves pw_eal_start() and pw_eal_stop() out.
 *
 * Nothing here prints or exits. What fails returns -errno and writes one line without newline
 * to `err` (may be NULL if `errlen` is 0): what failed, on which device, what to do.
 *
 * Thread-safety: control functions (all that take `err`, pw_port_stop(), pw_port_close(),
 * pw_eal_stop()) from one thread at a time. While pw_eal_start() or pw_port_open() runs, DPDK's
 * log of every thread is held back; it appears afterwards unless it became the error text.
 * The other functions may be called by any thread while the port is open, also during bursts;
 * pw_port_stats() of one port by one thread at a time, as chips clear counters when read.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rte_mempool;

#define PW_ERR_LEN 512		/**< bytes of error text that are always enough */
#define PW_PORT_NAME_LEN 64	/**< bytes of a port's name, with the final 0 */

/** How EAL is to be started. All zero is a good start. */
struct pw_eal_opts {
	const char *prog;	/**< argv[0] for EAL; NULL: "pollwire" */
	/**
	 * The ports that will be opened: they decide whether PCI is looked at, which cards EAL may
	 * touch and how it addresses memory. Unreadable ones are left for pw_port_open() to refuse.
	 */
	const char *const *ports;
	unsigned int nb_ports;	/**< entries of `ports` */
	/**
	 * Worker lcores wanted: ids 1..workers, each on a CPU of its own as far as there are CPUs.
	 * The caller becomes lcore 0, for control and reports, and floats over the CPUs that are
	 * left to this process, so that it disturbs no worker; over the workers' if none is left.
	 * 0: no workers; the caller is bound to the first CPU and does the packet work itself.
	 */
	unsigned int workers;
	const char *cpus;	/**< e.g. "2,4-5"; NULL: the first of the caller's affinity mask */
	/**
	 * MiB needed for buffers and rings; 0: PW_EAL_MEM_MB. Hugepages are used if so much is free
	 * and allowed, otherwise ordinary memory.
	 */
	uint32_t mem_mb;
	const char *extra;	/**< more EAL options, separated by blanks; NULL: none. They win. */
};

#define PW_EAL_MEM_MB 128u	/**< MiB when nobody says */

/**
 * Start EAL as this process alone: no files shared with other DPDK processes.
 *
 * @param opts
 *   See above.
 * @param note
 *   One line on the memory that was chosen and why, for the user; "" if there is nothing to
 *   say. NULL: not wanted.
 * @param notelen
 *   Size of `note` in bytes.
 * @param err
 *   Error text.
 * @param errlen
 *   Size of `err` in bytes; PW_ERR_LEN is enough.
 * @return
 *   0; -EINVAL for a CPU list or an option that EAL refuses; -ENOEXEC if the DPDK at run time is
 *   of another release than the one this was built for; -EALREADY if EAL runs already; -ENOMEM;
 *   other -errno of EAL. After a failure EAL cannot be started again in this process.
 */
int pw_eal_start(const struct pw_eal_opts *opts, char *note, size_t notelen, char *err,
		 size_t errlen);

/**
 * Start EAL with a command line of its own options, nothing added; for programs called as
 * `prog EAL options -- own options`.
 *
 * @param argc
 *   Entries of `argv`, the program's name included.
 * @param argv
 *   As for main(). Not changed.
 * @param err
 *   Error text.
 * @param errlen
 *   Size of `err` in bytes.
 * @return
 *   As pw_eal_start().
 */
int pw_eal_start_argv(int argc, char *const argv[], char *err, size_t errlen);

/** Give back what EAL holds; the last call of a program, with every port closed. */
void pw_eal_stop(void);

struct pw_port;

/** How a port is to be set up. All zero is a good start. */
struct pw_port_conf {
	uint16_t rxd;		/**< Rx descriptors; 0: PW_PORT_RING, or what the port has */
	uint16_t txd;		/**< Tx descriptors; likewise */
	uint32_t max_frame;	/**< longest frame to be carried, bytes with FCS; 0: 1518 */
	/**
	 * Buffers of the port's own pool; 0: rxd + txd + PW_PORT_SPARE. Add what the program keeps,
	 * and the Tx rings of other ports to which packets from here go.
	 */
	uint32_t mbufs;
	struct rte_mempool *pool; /**< use this for Rx instead; stays the caller's */
	uint64_t rx_offloads;	/**< RTE_ETH_RX_OFFLOAD_* wanted; what the port lacks is left out */
	uint64_t tx_offloads;	/**< RTE_ETH_TX_OFFLOAD_* wanted; likewise */
	bool own_address_only;	/**< no promiscuous mode: only frames to the port's own address */
	bool no_flow_control;	/**< neither send nor obey PAUSE frames, where the port can */
};

#define PW_PORT_RING 512u	/**< descriptors of a ring when nobody says */
#define PW_PORT_SPARE 1024u	/**< buffers beside the rings' */

/** What a port is. */
struct pw_port_info {
	char name[PW_PORT_NAME_LEN]; /**< of the DPDK device, e.g. "net_pw_sim0" */
	const char *driver;	/**< e.g. "net_pw_e1000"; valid until close */
	uint8_t mac[6];		/**< its address */
	uint16_t rxd, txd;	/**< descriptors in use */
	uint32_t max_frame;	/**< longest frame, bytes with FCS */
	uint64_t rx_offloads, tx_offloads; /**< those in use, RTE_ETH_*_OFFLOAD_* */
	int socket;		/**< NUMA node, or -1 */
};

/** State of the link. */
struct pw_port_link {
	bool up;
	bool full_duplex;
	uint32_t mbps;		/**< 0: not known */
};

/** Counters since pw_port_start(). */
struct pw_port_stats {
	uint64_t rx_packets, rx_bytes;	/**< given to the program */
	uint64_t tx_packets, tx_bytes;	/**< sent */
	uint64_t rx_missed;	/**< lost because no descriptor was free */
	uint64_t rx_nombuf;	/**< lost because the pool was empty */
	uint64_t rx_errors;	/**< damaged frames */
	uint64_t tx_errors;	/**< could not be sent */
};

/**
 * Open a port: find or make the device, check what is asked against what it can do, set up one
 * Rx and one Tx queue and a buffer pool.
 *
 * @param spec
 *   The port's name, see the top.
 * @param conf
 *   NULL: all zero.
 * @param port
 *   The new port; close with pw_port_close().
 * @param err
 *   Error text.
 * @param errlen
 *   Size of `err` in bytes.
 * @return
 *   0; -EINVAL for a name, ring size or frame length that cannot be; -ENODEV if there is no such
 *   device or no driver for it, or EAL does not run; -EBUSY if the port is open already, or the
 *   kernel's driver has the card; -ENOMEM; other -errno of the driver. Nothing is left behind.
 */
int pw_port_open(const char *spec, const struct pw_port_conf *conf, struct pw_port **port,
		 char *err, size_t errlen);

/**
 * Start a port. The link may still need seconds: see pw_port_link().
 *
 * @return
 *   0, -errno of the driver. A port that runs is no error.
 */
int pw_port_start(struct pw_port *port, char *err, size_t errlen);

/**
 * Stop a port; no burst function may run on it. A port that stands still is no error.
 *
 * @return
 *   0, -errno of the driver.
 */
int pw_port_stop(struct pw_port *port);

/** Stop if necessary, free all, remove the device if pw_port_open() made it. NULL is allowed. */
void pw_port_close(struct pw_port *port);

/** @return the number for rte_eth_*() calls. */
uint16_t pw_port_id(const struct pw_port *port);

/** @return the name it was opened by. */
const char *pw_port_name(const struct pw_port *port);

/** @return the Rx buffer pool, which may serve for Tx too. */
struct rte_mempool *pw_port_pool(const struct pw_port *port);

/** What the port is. */
void pw_port_info(const struct pw_port *port, struct pw_port_info *info);

/** State of the link, as known now; never waits. Down if the driver cannot say. */
void pw_port_link(const struct pw_port *port, struct pw_port_link *link);

/** @return 0 with the counters since start; -errno of the driver with all zero. */
int pw_port_stats(const struct pw_port *port, struct pw_port_stats *stats);

#ifdef __cplusplus
}
#endif

#endif /* _PW_PORT_H_ */
