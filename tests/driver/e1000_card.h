/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _TESTS_DRIVER_E1000_CARD_H_
#define _TESTS_DRIVER_E1000_CARD_H_

/**
 * @file
 * An e1000 of any kind, for the parts that no model plays yet: a card made of little more than
 * an array, with the driver's hardware half in front of it and no ethdev. It answers by the
 * protocols of the family's facts page (§), §4.1 and §4.2; a test looks at what the driver left
 * in its registers.
 */

#include "fixture.h"

#include <mii_regs.h>

#include "../../drivers/net/e1000/e1000.h"

#define CARD_NVM_WORDS 64

struct card {
	uint32_t reg[E1000_REG_BAR_SIZE / 4];
	uint16_t nvm[CARD_NVM_WORDS];
	uint16_t phy[32];
	uint16_t igp[UINT16_MAX + 1]; /* past 31, by offset */
	uint8_t cfg[256];
	bool pcie;		/* EERD large, EECD.9 is AUTO_RD */
	bool eerd;		/* EERD answers */
	bool mdic;		/* MDIC answers */
	uint32_t stuck_off;	/* a register of which these bits read as ones */
	uint32_t stuck_bits;
	/* what the driver did */
	uint16_t dsp[4];	/* newest last: written to register 30 of an M88 PHY */
	struct {
		uint16_t reg, val;
	} igp_log[64];		/* written to igp[] */
	unsigned int nb_igp_log;
	unsigned int phy_resets; /* by pin */
	char how[16];		/* how CTRL.RST was written */
	unsigned int resets;
	uint32_t rctl_at_reset;
	uint32_t io_addr;
	uint32_t phy_page;
	/* serial EEPROM: bits since select */
	uint64_t in;
	uint32_t nb_in;
	uint64_t out;
	uint32_t nb_out;
	bool dout;
	bool writable;		/* EWEN or WREN was given */
	bool protected;		/* takes writes and keeps nothing */
	unsigned int commits;	/* of the flash */
	unsigned int writes;	/* words written */
	/* MII pins */
	uint64_t mdio_in;
	uint32_t mdio_out, mdio_left;
	bool mdio_bit;
};

extern struct card card;
extern struct pw_dev card_dev;
extern struct e1000_hw card_hw;

/** A register, by its offset. */
#define R(off) card.reg[(off) / 4]

/** A card of that device id as it is after power-on; function 0, PCI. */
void card_make(uint16_t device);

/** The same, found and reset by the driver, its errata seen to. */
void card_init(uint16_t device);

#endif /* _TESTS_DRIVER_E1000_CARD_H_ */
