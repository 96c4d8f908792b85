/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_SECONDARY_H_
#define _PW_SECONDARY_H_

/**
 * @file
 * What control operations do in a secondary process, where they are not to be had: queues,
 * settings and the card are the primary's. A driver's table for secondary processes begins with
 * PW_SECONDARY_OPS, and adds what can be looked at from there.
 *
 * All are as thread-safe as ethdev's own rule: one control thread a port and process.
 */

#include <ethdev_driver.h>

/**
 * Refuse to control the port.
 *
 * @param eth
 *   The port.
 * @return -EPERM after one log line that names it.
 */
int pw_secondary_refuse_op(struct rte_eth_dev *eth);

/**
 * The same for mtu_set.
 *
 * @param mtu
 *   Bytes of layer 3; of no account.
 */
int pw_secondary_mtu_op(struct rte_eth_dev *eth, uint16_t mtu);

/**
 * The same for dev_stop. Before it asks, ethdev has put dummies in place of this process's burst
 * functions, while the port goes on: they are put back. No other thread of this process may poll
 * the port meanwhile; ethdev asks for that as well.
 *
 * @return -EPERM after one log line.
 */
int pw_secondary_stop_op(struct rte_eth_dev *eth);

/**
 * dev_close: leave the port to the primary.
 *
 * @return 0.
 */
int pw_secondary_close_op(struct rte_eth_dev *eth);

/**
 * link_update: what the primary saw last stays; asking the PHY is not for two at once.
 *
 * @param wait
 *   Whether to wait for a link; of no account.
 * @return -1: unchanged.
 */
int pw_secondary_link_op(struct rte_eth_dev *eth, int wait);

/** Members of a struct eth_dev_ops: everything that changes a port, refused. */
#define PW_SECONDARY_OPS                                                                          \
	.dev_configure = pw_secondary_refuse_op,                                                  \
	.dev_start = pw_secondary_refuse_op,                                                      \
	.dev_stop = pw_secondary_stop_op,                                                         \
	.dev_close = pw_secondary_close_op,                                                       \
	.dev_reset = pw_secondary_refuse_op,                                                      \
	.dev_set_link_up = pw_secondary_refuse_op,                                                \
	.dev_set_link_down = pw_secondary_refuse_op,                                              \
	.promiscuous_enable = pw_secondary_refuse_op,                                             \
	.promiscuous_disable = pw_secondary_refuse_op,                                            \
	.allmulticast_enable = pw_secondary_refuse_op,                                            \
	.allmulticast_disable = pw_secondary_refuse_op,                                           \
	.mtu_set = pw_secondary_mtu_op,                                                           \
	.link_update = pw_secondary_link_op

#endif /* _PW_SECONDARY_H_ */
