/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_EVENT_H_
#define _PW_EVENT_H_

/**
 * @file
 * What an application is told of, and what wakes it. An event is raised from the thread that
 * calls, which is EAL's interrupt thread: the application may stop the port from it.
 */

#include <ethdev_driver.h>

/**
 * Tell that the card is gone, once: one log line, and RTE_ETH_EVENT_INTR_RMV if it was asked for.
 *
 * @param eth
 *   The port.
 * @param told
 *   Whether it has been told already; kept by the driver. One thread at a time.
 */
void pw_event_removed(struct rte_eth_dev *eth, bool *told);

/**
 * Tell that the transmitter stands still: one log line, and RTE_ETH_EVENT_INTR_RESET.
 *
 * @param eth
 *   The port.
 * @param ms
 *   For how long, milliseconds.
 */
void pw_event_hang(struct rte_eth_dev *eth, uint32_t ms);

/**
 * Get what an application sleeps on until frames come: a descriptor for each Rx queue, or one for
 * all. Its number is what ethdev calls the vector. Control threads only; not thread-safe.
 *
 * @param eth
 *   The port, stopped; the Rx queues are set up.
 * @param each
 *   Whether the card has a vector for each queue.
 * @return 0; -ENOTSUP if there are no Rx interrupts here, after one log line; -ENOMEM. Where the
 *   descriptor is also the one of everything else, rte_intr_allow_others() says 0 afterwards.
 */
int pw_event_rx_open(struct rte_eth_dev *eth, bool each);

/** Undo pw_event_rx_open(), also if there is nothing to undo. Not thread-safe. */
void pw_event_rx_close(struct rte_eth_dev *eth);

#endif /* _PW_EVENT_H_ */
