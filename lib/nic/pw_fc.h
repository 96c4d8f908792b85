/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_FC_H_
#define _PW_FC_H_

/**
 * @file
 * Flow control as ethdev asks for it: two directions, negotiated or forced. Watermarks, and how
 * a chip is told, are the driver's. Control path only; not thread-safe.
 */

#include <stdbool.h>
#include <stdint.h>

#include <ethdev_driver.h>

#include "pw_attach.h"
#include "pw_mii.h"

/** What is asked for. */
struct pw_fc {
	bool rx, tx;		/**< obey PAUSE, send PAUSE */
	bool forced;		/**< whatever the partner offers */
	bool xon;		/**< send XON when the buffer has drained */
	bool forward;		/**< hand MAC control frames up */
	uint16_t pause_time;	/**< to ask of the partner, 512 bit times */
};

/**
 * The bits to offer. To receive only, both are offered: there is no way to offer that alone
 * (802.3 table 28B-2), and the other direction is left unused.
 *
 * @param fc
 *   What is asked for.
 * @return MII_AN_PAUSE and MII_AN_ASM_DIR, as in MII register 4.
 */
uint16_t pw_fc_offer(const struct pw_fc *fc);

/**
 * flow_ctrl_set but for the watermarks.
 *
 * @param dev
 *   The device, for the message.
 * @param conf
 *   What ethdev hands in; a pause_time of 0 means the default.
 * @param pause_time
 *   The default, 512 bit times.
 * @param fc
 *   Filled in.
 * @return 0; -EINVAL for a mode that there is not, after one log line.
 */
int pw_fc_from_conf(const struct pw_dev *dev, const struct rte_eth_fc_conf *conf,
		    uint16_t pause_time, struct pw_fc *fc);

/**
 * flow_ctrl_get but for the watermarks: with a link its outcome, without one what is asked for.
 *
 * @param fc
 *   What is asked for.
 * @param link
 *   The link; its PAUSE directions are those in force.
 * @param conf
 *   Filled in, watermarks excepted.
 */
void pw_fc_to_conf(const struct pw_fc *fc, const struct pw_mii_link *link,
		   struct rte_eth_fc_conf *conf);

#endif /* _PW_FC_H_ */
