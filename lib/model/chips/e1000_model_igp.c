/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The IGP01 PHY of 82541 and 82547, and IGP02 of 82571 and 82572 (§4.2): registers past 15 are
 * reached by writing the whole offset to register 31 first, of which the low five bits are then
 * used again. What negotiates is the same as in other PHYs, and in e1000_model_phy.c.
 */

#include <errno.h>
#include <stdlib.h>

#include "e1000_model.h"

#define REG_BITS 5
#define AGC_SHORT (10u << 7)	/* a cable of 5 m (§4.4) */
#define AGC2_SHORT (10u << 9)

int
e1000_igp_init(struct e1000_model *e)
{
	e->igp = calloc(E1000_IGP_REGS, sizeof(e->igp[0]));
	return e->igp == NULL ? -ENOMEM : 0;
}

void
e1000_igp_reset(struct e1000_model *e)
{
	static const uint16_t agc[] = {
		E1000_IGP01_AGC_A, E1000_IGP01_AGC_B, E1000_IGP01_AGC_C, E1000_IGP01_AGC_D,
	};
	static const uint16_t agc2[] = {
		E1000_IGP02_AGC_A, E1000_IGP02_AGC_B, E1000_IGP02_AGC_C, E1000_IGP02_AGC_D,
	};
	bool second = e1000_has(e, E1000_F_PCIE);
	unsigned int i;

	memset(e->igp, 0, E1000_IGP_REGS * sizeof(e->igp[0]));
	e->igp[E1000_IGP_PORT_CTRL] = E1000_IGP_CTRL_AUTO_MDIX;
	for (i = 0; i < sizeof(agc) / sizeof(agc[0]); i++)
		e->igp[second ? agc2[i] : agc[i]] = second ? AGC2_SHORT : AGC_SHORT;
}

/* Where register 16 to 30 of the page that is selected lies. */
uint16_t *
e1000_igp_reg(struct e1000_model *e, unsigned int reg)
{
	unsigned int page = e->phy.reg[E1000_IGP_PAGE] >> REG_BITS;

	return &e->igp[page << REG_BITS | reg];
}

static uint16_t
igp_status(const struct e1000_phy *phy)
{
	uint16_t val = phy->mbps == 1000 ? E1000_IGP_STATUS_SPEED_1000 :
		       phy->mbps == 100 ? E1000_IGP_STATUS_SPEED_100 : E1000_IGP_STATUS_SPEED_10;

	if (!phy->link)
		return 0;
	return val | E1000_IGP_STATUS_LINK | (phy->full ? E1000_IGP_STATUS_FD : 0);
}

uint16_t
e1000_igp_read(struct e1000_model *e, unsigned int reg)
{
	uint16_t *at = e1000_igp_reg(e, reg);

	if (reg == E1000_IGP_PAGE)
		return e->phy.reg[reg];
	if (at == &e->igp[E1000_IGP_PORT_STATUS])
		return igp_status(&e->phy);
	return *at;
}

void
e1000_igp_write(struct e1000_model *e, unsigned int reg, uint16_t val)
{
	uint16_t *at = e1000_igp_reg(e, reg);

	if (reg == E1000_IGP_PAGE)
		e->phy.reg[reg] = val;
	else if (at != &e->igp[E1000_IGP_PORT_STATUS] && at != &e->igp[E1000_IGP_LINK_HEALTH])
		*at = val;
}
