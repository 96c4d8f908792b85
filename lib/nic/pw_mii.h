/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_MII_H_
#define _PW_MII_H_

/**
 * @file
 * Clause-22 PHYs: what is common to all chips. A chip hands in its two MDIO verbs.
 * Control path only; not thread-safe.
 */

#include <stdbool.h>
#include <stdint.h>

struct rte_eth_link;

/** A PHY behind a chip's management interface. */
struct pw_mii {
	/** Read register `reg` into `val`; 0 or -errno. */
	int (*read)(void *ctx, uint8_t reg, uint16_t *val);
	/** Write register `reg`; 0 or -errno. */
	int (*write)(void *ctx, uint8_t reg, uint16_t val);
	void *ctx;
	bool gigabit; /**< has registers 9 and 10 */
};

/** Outcome of autonegotiation or of forcing. */
struct pw_mii_link {
	bool up;
	bool autoneg;	   /**< negotiated rather than forced */
	bool full_duplex;
	uint32_t speed;	   /**< Mbit/s; 0 if down */
	bool pause_rx;	   /**< honour PAUSE from the partner (802.3 annex 28B) */
	bool pause_tx;	   /**< send PAUSE to the partner */
};

/**
 * @param mii
 *   The PHY.
 * @param id
 *   Registers 2 and 3: OUI, model and revision.
 * @return 0 or the verb's -errno; -ENODEV if both read all zeros or all ones.
 */
int pw_mii_id(const struct pw_mii *mii, uint32_t *id);

/**
 * Reset the PHY (register 0 bit 15) and wait until it is done, at most 500 ms (802.3 §22.2.4.1.1).
 *
 * @return 0, -ETIMEDOUT, -ENODEV if the PHY reads all ones, or the verb's -errno.
 */
int pw_mii_reset(const struct pw_mii *mii);

/**
 * Advertise and (re)start autonegotiation, or force one mode.
 *
 * @param mii
 *   The PHY.
 * @param link_speeds
 *   RTE_ETH_LINK_SPEED_*; 0 is autonegotiation of everything the PHY has; with
 *   RTE_ETH_LINK_SPEED_FIXED exactly one of 10/100 full or half is forced (1000 is always
 *   negotiated, with only that advertised: 802.3 §28D.5).
 * @param pause
 *   Advertise symmetric and asymmetric PAUSE.
 * @return 0; -EINVAL for speeds that the PHY has not, for none or more than one fixed, or if it
 *   cannot negotiate; -ENODEV if it reads all ones; the verb's -errno. Powers the PHY up.
 */
int pw_mii_setup(const struct pw_mii *mii, uint32_t link_speeds, bool pause);

/**
 * Read the link state: register 1 twice because it latches low, then what both ends offered.
 * A link whose ends have no mode in common is down.
 *
 * @return 0; -ENODEV if the PHY reads all ones; the verb's -errno. `link` is down on error.
 */
int pw_mii_link_read(const struct pw_mii *mii, struct pw_mii_link *link);

/** Power the PHY down or up (register 0 bit 11). @return as pw_mii_link_read(). */
int pw_mii_power(const struct pw_mii *mii, bool on);

/** Turn the outcome into ethdev's terms. */
void pw_mii_to_eth_link(const struct pw_mii_link *link, struct rte_eth_link *eth);

#endif /* _PW_MII_H_ */
