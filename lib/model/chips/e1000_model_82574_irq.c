/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Interrupts of the 82574L (§2.2). By the line or MSI they are as on other parts, but for what
 * accesses of ICR clear and mask. With MSI-X each queue has a cause of its own, all others
 * come together in OTHER, and IVAR sends the five of them to vectors:
 *
 *   RXQ0 RXQ1 TXQ0 TXQ1 OTHER  ->  IVAR  ->  EITR of the vector  ->  message
 *
 * A message goes out once for a cause that came up while unmasked; with it go the bits of ICR
 * that EIAC names and, with CTRL_EXT.EIAME, the bits of IMS that IAM names.
 */

#include "e1000_model.h"

#define CAUSES (0x1ffffu | E1000_ICR_ACK | E1000_ICR_MNG)
#define NB_ROUTES 5

static const struct route {
	uint32_t cause;
	unsigned int shift;	/* of its nibble in IVAR */
} routes[NB_ROUTES] = {
	{ E1000_ICR_RXQ0, E1000_IVAR_RXQ_SHIFT(0) },
	{ E1000_ICR_RXQ1, E1000_IVAR_RXQ_SHIFT(1) },
	{ E1000_ICR_TXQ0, E1000_IVAR_TXQ_SHIFT(0) },
	{ E1000_ICR_TXQ1, E1000_IVAR_TXQ_SHIFT(1) },
	{ E1000_ICR_OTHER, E1000_IVAR_OTHER_SHIFT },
};

/* The vector a cause is sent to; E1000_VECTORS: to none. */
static unsigned int
route_vector(const struct e1000_model *e, const struct route *r)
{
	uint32_t entry = E1000_R(e, E1000_IVAR) >> r->shift;
	uint32_t vector = entry & E1000_IVAR_VECTOR_MASK;

	return (entry & E1000_IVAR_VALID) != 0 && vector < E1000_VECTORS ? vector : E1000_VECTORS;
}

/* Count causes that the chip itself raises (§2.6), and add what goes with them. */
uint32_t
e1000_574_causes(struct e1000_model *e, uint32_t causes)
{
	if ((causes & E1000_ICR_TXQE) != 0)
		e1000_stat(e, E1000_ICTXQEC);
	if ((causes & E1000_ICR_TXD_LOW) != 0)
		e1000_stat(e, E1000_ICTXQMTC);
	if ((causes & E1000_ICR_RXDMT0) != 0)
		e1000_stat(e, E1000_ICRXDMTC);
	if ((causes & E1000_ICR_RXO) != 0)
		e1000_stat(e, E1000_ICRXOC);
	if ((causes & E1000_ICR_OTHER_CAUSES) != 0 && pw_msix_on(e->m))
		causes |= E1000_ICR_OTHER;
	return causes;
}

static bool
msix_throttled(struct e1000_model *e, unsigned int vector)
{
	uint64_t *next = &e->x->eitr_next[vector];
	uint32_t eitr = E1000_R(e, E1000_EITR(vector));
	uint64_t now;

	if (eitr == 0)
		return false;
	now = pw_now(e->m);
	if (now < *next) {
		if (!pw_timer_armed(e->m, E1000_T_EITR + vector))
			pw_timer_set(e->m, E1000_T_EITR + vector, *next);
		return true;
	}
	*next = now + E1000_ITR_NS(eitr);
	return false;
}

static void
msix_message(struct e1000_model *e, unsigned int vector, uint32_t causes)
{
	e->x->told |= causes;
	e1000_stat(e, E1000_IAC);
	E1000_R(e, E1000_ICR) &= ~(causes & E1000_R(e, E1000_EIAC));
	if ((E1000_R(e, E1000_CTRL_EXT) & E1000_CTRL_EXT_EIAME) != 0)
		E1000_R(e, E1000_IMS) &= ~(causes & E1000_R(e, E1000_IAM));
	e->x->told &= E1000_R(e, E1000_ICR) & E1000_R(e, E1000_IMS);
	pw_msix_send(e->m, vector);
}

void
e1000_574_msix_update(struct e1000_model *e)
{
	uint32_t pending = E1000_R(e, E1000_ICR) & E1000_R(e, E1000_IMS);
	uint32_t causes[E1000_VECTORS + 1] = { 0 };
	unsigned int i;

	/* Turned on while the line was raised: from now on there is none. */
	if (e->irq) {
		e->irq = false;
		pw_pci_irq(e->m, false);
	}
	e->x->told &= pending;
	for (i = 0; i < NB_ROUTES; i++)
		causes[route_vector(e, &routes[i])] |= pending & routes[i].cause & ~e->x->told;
	for (i = 0; i < E1000_VECTORS; i++)
		if (causes[i] != 0 && !msix_throttled(e, i))
			msix_message(e, i, causes[i]);
}

/* --- registers ----------------------------------------------------------------------------- */

/* Those of queues only the 82574 has (§2.2). */
static uint32_t
causes_known(const struct e1000_model *e)
{
	return CAUSES | (e1000_has(e, E1000_F_82574) ? E1000_EIAC_MASK : 0);
}

/* ICR as software sees it: INT_ASSERTED tells whether any of it is unmasked. */
uint32_t
e1000_574_icr_value(const struct e1000_model *e)
{
	uint32_t icr = E1000_R(e, E1000_ICR);

	return icr | ((icr & E1000_R(e, E1000_IMS)) != 0 ? E1000_ICR_INT_ASSERTED : 0);
}

/* With IAME an access of ICR that finds it asserted masks the bits of IAM. */
void
e1000_574_icr_mask(struct e1000_model *e, uint32_t icr)
{
	if ((icr & E1000_ICR_INT_ASSERTED) != 0 &&
	    (E1000_R(e, E1000_CTRL_EXT) & E1000_CTRL_EXT_IAME) != 0)
		E1000_R(e, E1000_IMS) &= ~E1000_R(e, E1000_IAM);
}

uint32_t
e1000_574_icr_read(struct e1000_model *e, uint32_t off)
{
	uint32_t icr = e1000_574_icr_value(e);

	/* Without MSI-X in every case; with it, what nobody is told of stays (§1.3). */
	if (!pw_msix_on(e->m) || E1000_R(e, E1000_IMS) == 0 || (icr & E1000_ICR_INT_ASSERTED) != 0)
		E1000_R(e, off) = 0;
	e1000_574_icr_mask(e, icr);
	e1000_irq_update(e);
	return icr;
}

/* Writing OTHER clears what it stands for as well. */
void
e1000_574_icr_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	e1000_574_icr_mask(e, e1000_574_icr_value(e));
	if ((val & E1000_ICR_OTHER) != 0)
		val |= E1000_ICR_OTHER_CAUSES;
	E1000_R(e, off) &= ~val;
	e1000_irq_update(e);
}

uint32_t
e1000_574_ics_read(struct e1000_model *e, uint32_t off)
{
	(void)off;
	return e1000_574_icr_value(e);
}

void
e1000_574_ics_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	(void)off;
	val &= causes_known(e);
	if ((val & E1000_ICR_OTHER_CAUSES) != 0 && pw_msix_on(e->m))
		val |= E1000_ICR_OTHER;
	E1000_R(e, E1000_ICR) |= val;
	e1000_irq_update(e);
}

void
e1000_574_ims_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	unsigned int i;

	E1000_R(e, off) |= val & causes_known(e);
	/* Who unmasks a cause has seen to its vector's pending message. */
	if ((E1000_R(e, E1000_CTRL_EXT) & E1000_CTRL_EXT_PBA_CLR) != 0 && pw_msix_on(e->m))
		for (i = 0; i < NB_ROUTES; i++)
			if ((val & routes[i].cause) != 0)
				pw_msix_clear(e->m, 1u << route_vector(e, &routes[i]));
	e1000_irq_update(e);
}

void
e1000_574_pbaclr_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	(void)off;
	pw_msix_clear(e->m, val);
}
