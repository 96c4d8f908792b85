/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Causes gather in ICR; the interrupt is asserted while one of them is unmasked (§2.2), at
 * most once in ITR's interval. Packet interrupts may be put off by the delay timers: RDTR and
 * TIDV start anew with each packet, RADV and TADV limit how long that can go on (§2.3, §2.4).
 */

#include "e1000_model.h"

#define CAUSES 0x1ffffu	/* 8254x: bits that ICS can set and IMS enable */

void
e1000_irq_update(struct e1000_model *e)
{
	struct pw_model *m = e->m;
	uint32_t itr;
	uint64_t now;

	if (pw_msix_on(m)) {
		e1000_574_msix_update(e);
		return;
	}
	if ((E1000_R(e, E1000_ICR) & E1000_R(e, E1000_IMS)) == 0) {
		if (e->irq)
			pw_pci_irq(m, false);
		e->irq = false;
		pw_timer_stop(m, E1000_T_ITR);
		return;
	}
	if (e->irq)
		return;
	itr = E1000_R(e, E1000_ITR);
	if (itr != 0) {
		now = pw_now(m);
		if (now < e->irq_next) {
			if (!pw_timer_armed(m, E1000_T_ITR))
				pw_timer_set(m, E1000_T_ITR, e->irq_next);
			return;
		}
		e->irq_next = now + E1000_ITR_NS(itr);
	}
	e->irq = true;
	if (e->x != NULL)
		e1000_stat(e, E1000_IAC);
	pw_pci_irq(m, true);
}

void
e1000_irq_set(struct e1000_model *e, uint32_t causes)
{
	if (e->x != NULL)
		causes = e1000_574_causes(e, causes);
	E1000_R(e, E1000_ICR) |= causes;
	if ((E1000_R(e, E1000_IMS) & causes) != 0)
		e1000_irq_update(e);
}

/* 8254x: reading clears everything, in every state of the mask (§2.2). */
uint32_t
e1000_icr_read(struct e1000_model *e, uint32_t off)
{
	uint32_t icr = E1000_R(e, off);

	E1000_R(e, off) = 0;
	e1000_irq_update(e);
	return icr;
}

void
e1000_icr_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	E1000_R(e, off) &= ~val;
	e1000_irq_update(e);
}

uint32_t
e1000_ics_read(struct e1000_model *e, uint32_t off)
{
	(void)off;
	return E1000_R(e, E1000_ICR);
}

void
e1000_ics_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	(void)off;
	e1000_irq_set(e, val & CAUSES);
}

void
e1000_ims_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	E1000_R(e, off) |= val & CAUSES;
	e1000_irq_update(e);
}

void
e1000_imc_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	(void)off;
	E1000_R(e, E1000_IMS) &= ~val;
	e1000_irq_update(e);
}

/* --- delayed packet interrupts ------------------------------------------------------------- */

static void
irq_rx_now(struct e1000_model *e)
{
	pw_timer_stop(e->m, E1000_T_RDTR);
	pw_timer_stop(e->m, E1000_T_RADV);
	e1000_irq_set(e, e->rx_due);
	e->rx_due = 0;
}

static void
irq_tx_now(struct e1000_model *e)
{
	pw_timer_stop(e->m, E1000_T_TIDV);
	pw_timer_stop(e->m, E1000_T_TADV);
	e1000_irq_set(e, e->tx_due);
	e->tx_due = 0;
}

/* A packet was stored. */
void
e1000_irq_rx(struct e1000_model *e, unsigned int queue)
{
	uint32_t rdtr = E1000_R(e, E1000_RDTR), radv = E1000_R(e, E1000_RADV);
	uint64_t now;

	if (PW_LIKELY(rdtr == 0)) {
		e1000_irq_set(e, e1000_rx_cause(e, queue));
		return;
	}
	now = pw_now(e->m);
	e->rx_due |= e1000_rx_cause(e, queue);
	pw_timer_set(e->m, E1000_T_RDTR, now + E1000_DELAY_NS(rdtr));
	if (radv != 0 && !pw_timer_armed(e->m, E1000_T_RADV))
		pw_timer_set(e->m, E1000_T_RADV, now + E1000_DELAY_NS(radv));
}

/* A descriptor with RS and IDE was done. */
void
e1000_irq_tx_delayed(struct e1000_model *e, unsigned int queue)
{
	uint32_t tidv = E1000_R(e, E1000_TIDV), tadv = E1000_R(e, E1000_TADV);
	uint64_t now = pw_now(e->m);

	e->tx_due |= e1000_tx_cause(e, queue);
	pw_timer_set(e->m, E1000_T_TIDV, now + E1000_DELAY_NS(tidv));
	if (tadv != 0 && !pw_timer_armed(e->m, E1000_T_TADV))
		pw_timer_set(e->m, E1000_T_TADV, now + E1000_DELAY_NS(tadv));
}

void
e1000_rdtr_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	E1000_R(e, off) = val & E1000_RDTR_DELAY_MASK;
	/* Flush: what waits is reported at once. */
	if ((val & E1000_RDTR_FPD) != 0 && pw_timer_armed(e->m, E1000_T_RDTR))
		irq_rx_now(e);
}

void
e1000_tidv_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	E1000_R(e, off) = val & E1000_TIDV_DELAY_MASK;
	if ((val & E1000_TIDV_FPD) == 0)
		return;
	e1000_tx_flush(e);
	if (pw_timer_armed(e->m, E1000_T_TIDV))
		irq_tx_now(e);
}

/* Interrupt counters of PCI Express parts (§2.6) */
static void
irq_timer_count(struct e1000_model *e, unsigned int id)
{
	static const struct {
		unsigned int id;
		uint32_t stat;
	} t[] = {
		{ E1000_T_RDTR, E1000_ICRXPTC }, { E1000_T_RADV, E1000_ICRXATC },
		{ E1000_T_TIDV, E1000_ICTXPTC }, { E1000_T_TADV, E1000_ICTXATC },
	};
	unsigned int i;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		if (t[i].id == id)
			e1000_stat(e, t[i].stat);
}

void
e1000_irq_timer(struct e1000_model *e, unsigned int id)
{
	if (e->x != NULL)
		irq_timer_count(e, id);
	switch (id) {
	case E1000_T_ITR:
	case E1000_T_EITR ... E1000_T_EITR + E1000_VECTORS - 1:
		e1000_irq_update(e);
		break;
	case E1000_T_RDTR:
	case E1000_T_RADV:
		irq_rx_now(e);
		break;
	default:
		/* What is held back for grouping goes out with it (§5.6). */
		e1000_tx_flush(e);
		irq_tx_now(e);
	}
}
