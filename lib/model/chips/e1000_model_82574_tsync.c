/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * IEEE 1588 time stamps (§2.7). SYSTIM is worked out from the model's clock when somebody looks
 * at it: TIMINCA adds a value every so many ticks of 25 MHz. One stamp for each direction is
 * kept until software has read its high half.
 */

#include "e1000_model.h"

#define TICK_NS 40
#define ETHER_TYPE_AT 12
#define PROTO_UDP 17
#define UDP_HDR 8
#define PTP_LEN 34		/* of what is looked at: the common header (IEEE 1588 §13.3) */
#define PTP_CONTROL 32		/* of version 1 */
#define PTP_SOURCE 22		/* the low six bytes of the source's identity */
#define PTP_SEQUENCE 30

static uint32_t
get_be16(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static uint32_t
get_be32(const uint8_t *p)
{
	return get_be16(p) << 16 | get_be16(p + 2);
}

/* --- the clock ----------------------------------------------------------------------------- */

static uint64_t
systim(const struct e1000_model *e)
{
	uint32_t inca = E1000_R(e, E1000_TIMINCA);
	uint64_t period = (inca & E1000_TIMINCA_PERIOD_MASK) >> E1000_TIMINCA_PERIOD_SHIFT;
	uint64_t ns = pw_now(e->m) - e->x->systim_at;

	if (period == 0)
		return e->x->systim;
	return e->x->systim + ns / (TICK_NS * period) * (inca & E1000_TIMINCA_VALUE_MASK);
}

static void
systim_set(struct e1000_model *e, uint64_t value)
{
	e->x->systim = value;
	e->x->systim_at = pw_now(e->m);
}

/* Reading the low half holds the high half still. */
uint32_t
e1000_574_systim_read(struct e1000_model *e, uint32_t off)
{
	uint64_t now;

	if (off == E1000_SYSTIMH)
		return e->x->systim_latch;
	now = systim(e);
	e->x->systim_latch = (uint32_t)(now >> 32);
	return (uint32_t)now;
}

void
e1000_574_systim_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	uint64_t now = systim(e);

	if (off == E1000_SYSTIMH)
		systim_set(e, (now & UINT32_MAX) | (uint64_t)val << 32);
	else
		systim_set(e, (now & ~(uint64_t)UINT32_MAX) | val);
	e->x->systim_latch = (uint32_t)(e->x->systim >> 32);
}

void
e1000_574_timinca_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	systim_set(e, systim(e));
	E1000_R(e, off) = val;
}

/* Writing the high half applies both; its top bit is the sign. */
void
e1000_574_timadjh_write(struct e1000_model *e, uint32_t off, uint32_t val)
{
	uint64_t by = (uint64_t)(val & 0x7fffffff) << 32 | E1000_R(e, E1000_TIMADJL);

	E1000_R(e, off) = val;
	systim_set(e, systim(e) + (val >> 31 != 0 ? -by : by));
}

/* --- stamps -------------------------------------------------------------------------------- */

/* `stamp` is the low half's register. */
static void
take_stamp(struct e1000_model *e, uint32_t ctl, uint32_t stamp)
{
	uint64_t now = systim(e);

	E1000_R(e, stamp) = (uint32_t)now;
	E1000_R(e, stamp + 4) = (uint32_t)(now >> 32);
	E1000_R(e, ctl) |= E1000_TSYNCRXCTL_VALID;
}

/* The high half; the next stamp may come. */
uint32_t
e1000_574_stamp_read(struct e1000_model *e, uint32_t off)
{
	uint32_t ctl = off == E1000_TXSTMPH ? E1000_TSYNCTXCTL : E1000_TSYNCRXCTL;

	E1000_R(e, ctl) &= ~E1000_TSYNCRXCTL_VALID;
	return E1000_R(e, off);
}

void
e1000_574_tsync_tx(struct e1000_model *e)
{
	uint32_t ctl = E1000_R(e, E1000_TSYNCTXCTL);

	if ((ctl & E1000_TSYNCTXCTL_EN) != 0 && (ctl & E1000_TSYNCTXCTL_VALID) == 0)
		take_stamp(e, E1000_TSYNCTXCTL, E1000_TXSTMPL);
}

/* The PTP message in a frame, NULL: none; *l4 tells whether it came by UDP. */
static const uint8_t *
find_ptp(const struct e1000_model *e, const struct e1000_rx_pkt *p, const struct e1000_l3 *l3,
	 bool tagged, bool *l4)
{
	uint32_t at = ETHER_TYPE_AT + (tagged ? E1000_VLAN_LEN : 0);
	uint32_t port = E1000_R(e, E1000_RXUDP);

	*l4 = l3->data != 0 && l3->proto == PROTO_UDP;
	if (*l4) {
		/* The register has the port as it is on the wire. */
		if (get_be16(p->data + l3->l4 + 2) != ((port & 0xff) << 8 | port >> 8))
			return NULL;
		return l3->data + PTP_LEN <= l3->end ? p->data + l3->data : NULL;
	}
	if (get_be16(p->data + at) != (E1000_R(e, E1000_RXMTRL) & 0xffff) ||
	    p->len < at + 2 + PTP_LEN)
		return NULL;
	return p->data + at + 2;
}

static bool
ptp_wanted(const struct e1000_model *e, const uint8_t *ptp, bool l4)
{
	uint32_t rxmtrl = E1000_R(e, E1000_RXMTRL);
	uint8_t message = ptp[0] & 0xf, version = ptp[1] & 0xf;

	switch (E1000_R(e, E1000_TSYNCRXCTL) & E1000_TSYNCRXCTL_TYPE_MASK) {
	case E1000_TSYNCRXCTL_TYPE_L2_V2:
		return !l4 && version == 2 && message == rxmtrl >> 24;
	case E1000_TSYNCRXCTL_TYPE_L4_V1:
		return l4 && version == 1 && ptp[PTP_CONTROL] == (rxmtrl >> 16 & 0xff);
	case E1000_TSYNCRXCTL_TYPE_L2_L4_V2:
		return version == 2 && message == rxmtrl >> 24;
	case E1000_TSYNCRXCTL_TYPE_EVENT_V2:
		return version == 2 && (message & 8) == 0;
	default:
		return false;
	}
}

void
e1000_574_tsync_rx(struct e1000_model *e, struct e1000_rx_pkt *p, const struct e1000_l3 *l3,
		   bool tagged)
{
	uint32_t ctl = E1000_R(e, E1000_TSYNCRXCTL);
	const uint8_t *ptp;
	bool l4;

	if ((ctl & E1000_TSYNCRXCTL_VALID) != 0)
		return;
	ptp = find_ptp(e, p, l3, tagged, &l4);
	if ((ctl & E1000_TSYNCRXCTL_TYPE_MASK) != E1000_TSYNCRXCTL_TYPE_ALL &&
	    (ptp == NULL || !ptp_wanted(e, ptp, l4)))
		return;
	take_stamp(e, E1000_TSYNCRXCTL, E1000_RXSTMPL);
	p->ext |= E1000_RXDX_TST;
	if (ptp == NULL)
		return;
	E1000_R(e, E1000_RXSATRL) = get_be32(ptp + PTP_SOURCE + 2);
	E1000_R(e, E1000_RXSATRH) = get_be16(ptp + PTP_SEQUENCE) << 16 | get_be16(ptp + PTP_SOURCE);
}
