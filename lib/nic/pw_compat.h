/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_COMPAT_H_
#define _PW_COMPAT_H_

/**
 * @file
 * What differs between the DPDK releases that pollwire builds against (22.11, 24.11, 25.11).
 * The only place with version tests.
 */

#include <rte_version.h>

/* From 25.11 stats_get also takes a place for per-queue counters. */
#if RTE_VERSION >= RTE_VERSION_NUM(25, 11, 0, 0)
#define PW_STATS_GET_ARGS(dev, stats)                                                             \
	struct rte_eth_dev *dev, struct rte_eth_stats *stats,                                     \
		struct eth_queue_stats *qstats __rte_unused
#else
#define PW_STATS_GET_ARGS(dev, stats) struct rte_eth_dev *dev, struct rte_eth_stats *stats
#endif

/* From 24.11 the packet type list is counted instead of closed by RTE_PTYPE_UNKNOWN. */
#if RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0)
#define PW_PTYPES_GET_ARGS(dev) struct rte_eth_dev *dev, size_t *no_of_elements
#define PW_PTYPES_COUNT(n) (*no_of_elements = (n))
#else
#define PW_PTYPES_GET_ARGS(dev) struct rte_eth_dev *dev
#define PW_PTYPES_COUNT(n) ((void)(n))
#endif

#endif /* _PW_COMPAT_H_ */
