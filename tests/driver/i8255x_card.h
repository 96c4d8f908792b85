/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _TESTS_DRIVER_I8255X_CARD_H_
#define _TESTS_DRIVER_I8255X_CARD_H_

/**
 * @file
 * An 8255x of any step on a board of any kind, for what no model plays: a card made of little
 * more than an array, with the driver's hardware half in front of it and no ethdev. It answers
 * by the protocols of the family's facts page (§), §2 and §4; a test looks at what the driver
 * left in it. It fails the test when something is done that silicon would not forgive.
 */

#include "fixture.h"

#include <mii_regs.h>

#include "../../drivers/net/i8255x/i8255x.h"

#define ICARD_NVM_MAX 256

struct icard {
	uint8_t csr[64];
	uint8_t cfg[256];
	bool gone;		/* reads all ones */
	/* commands (§2.3) */
	unsigned int cmd_lag;	/* looks at the byte before one is taken */
	bool cmd_stuck;		/* none is ever taken */
	uint32_t cmd_left;
	struct {
		uint8_t cmd;
		uint32_t pointer;
	} done[16];
	unsigned int nb_done;
	unsigned int idle_lag;	/* looks at the status byte before an abort shows */
	bool busy;		/* units never come to rest */
	/* PORT (§2.5): S selective, R reset, T self-test */
	char port[16];
	uint8_t master_at_reset; /* PCI command at that time */
	struct i8255x_selftest *test; /* where it writes; NULL: never */
	uint32_t test_result;
	/* EEPROM (§4.1) */
	uint16_t nvm[ICARD_NVM_MAX];
	uint8_t nvm_bits;	/* address bits; 0: nobody answers */
	unsigned int nvm_noise;	/* words that read wrong, first ones */
	bool nvm_protected;
	unsigned int nvm_fail_at; /* the n-th write from now on is lost; 0: none */
	unsigned int nvm_writes;
	uint64_t in, out;
	uint32_t nb_in, nb_out;
	bool dout, writable;
	/* PHYs (§4.2) */
	uint16_t phy[32][32];
	uint32_t phys;		/* addresses that answer */
	bool phy_everywhere;	/* one PHY, at every address */
	uint16_t phy_led_ro;	/* bits of register 27 that stay on */
	unsigned int phy_resets;
	uint16_t anar_at_reset;
	bool mdi_stuck;
	unsigned int mdi_cycles;
	unsigned int mdi_left;	/* looks until the cycle is done */
	uint32_t mdi;
};

extern struct icard icard;
extern struct pw_dev icard_dev;
extern struct i8255x_hw icard_hw;

/** A card of that device and revision id after power-on, with an 82555 at address 1. */
void icard_make(uint16_t device, uint8_t revision);

/** Put the sum right after changing a word. */
void icard_nvm_sum(void);

/** The same, found, reset, and its EEPROM read by the driver. */
void icard_init(uint16_t device, uint8_t revision);

/** And its PHY. */
void icard_init_phy(uint16_t device, uint8_t revision);

/** The driver's ops want an ethdev; these look at nothing of it but the private data. */
struct rte_eth_dev *icard_eth(void);

#endif /* _TESTS_DRIVER_I8255X_CARD_H_ */
