/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * What PCI Express parts make of a received frame before it is stored (§3.2): its packet type,
 * checksums of IPv4 and of TCP and UDP over IPv4 and IPv6, and where its header ends, for
 * packet split (§3.3).
 */

#include "pw_csum.h"

#include "e1000_model.h"

#define ETHER_TYPE_AT 12
#define ETHER_TYPE_IPV4 0x0800
#define ETHER_TYPE_IPV6 0x86dd
#define ETHER_LEN_MAX 1500	/* above, the field is a type (IEEE 802.3 §3.2.6) */
#define SNAP_LEN 8
#define IPV4_HDR 20
#define IPV6_HDR 40
#define TCP_HDR 20
#define TCP_ACK 0x10
#define UDP_HDR 8

enum { PROTO_HOPOPTS = 0, PROTO_TCP = 6, PROTO_UDP = 17, PROTO_ROUTING = 43,
       PROTO_FRAGMENT = 44, PROTO_DSTOPTS = 60 };

/* Packet types */
enum { TYPE_MAC = 0, TYPE_IPV4 = 1, TYPE_IPV4_L4 = 2, TYPE_IPV6 = 5, TYPE_IPV6_L4 = 6 };

static uint32_t
get_be16(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

/* --- headers ------------------------------------------------------------------------------- */

static void
find_ipv4(const uint8_t *f, uint32_t len, uint32_t at, struct e1000_l3 *l3)
{
	const uint8_t *ip = f + at;
	uint32_t hdr, total;

	if (len < at + IPV4_HDR)
		return;
	hdr = (ip[0] & 0xfu) * 4;
	total = get_be16(ip + 2);
	if (ip[0] >> 4 != 4 || hdr < IPV4_HDR || total < hdr || total > len - at)
		return;
	l3->ip = at;
	l3->l4 = at + hdr;
	l3->end = at + total;
	l3->proto = ip[9];
	l3->fragment = (get_be16(ip + 6) & 0x3fff) != 0;
	l3->src = ip + 12;
	l3->dst = ip + 16;
}

/* Addresses that mobility keeps in extension headers (RFC 6275 §6.3, §6.4): RSS uses them. */
static void
mobile_addresses(const uint8_t *f, uint32_t at, uint32_t len, uint8_t proto,
		 struct e1000_l3 *l3)
{
	uint32_t opt = at + 2, end = at + len;

	if (proto == PROTO_ROUTING) {
		if (f[at + 2] == 2 && len == 24)
			l3->dst = f + at + 8;
		return;
	}
	while (opt + 2 <= end) {
		if (f[opt] == 0) { /* Pad1 */
			opt++;
			continue;
		}
		if (f[opt] == 0xc9 && f[opt + 1] == 16 && opt + 18 <= end)
			l3->src = f + opt + 2;
		opt += 2u + f[opt + 1];
	}
}

static void
find_ipv6(const uint8_t *f, uint32_t len, uint32_t at, struct e1000_l3 *l3)
{
	const uint8_t *ip = f + at;

	if (len < at + IPV6_HDR || ip[0] >> 4 != 6 || get_be16(ip + 4) > len - at - IPV6_HDR)
		return;
	l3->ip = at;
	l3->v6 = true;
	l3->l4 = at + IPV6_HDR;
	l3->end = l3->l4 + get_be16(ip + 4);
	l3->proto = ip[6];
	l3->src = ip + 8;
	l3->dst = ip + 24;
	while (l3->proto == PROTO_HOPOPTS || l3->proto == PROTO_ROUTING ||
	       l3->proto == PROTO_DSTOPTS || l3->proto == PROTO_FRAGMENT) {
		uint32_t size = 8;

		l3->broken = l3->l4 + size > l3->end;
		if (l3->broken)
			break;
		if (l3->proto == PROTO_FRAGMENT)
			l3->fragment = true;
		else
			size += f[l3->l4 + 1] * 8u;
		l3->broken = l3->l4 + size > l3->end;
		if (l3->broken)
			break;
		l3->ext_hdrs = true;
		if (l3->proto == PROTO_ROUTING || l3->proto == PROTO_DSTOPTS)
			mobile_addresses(f, l3->l4, size, l3->proto, l3);
		l3->proto = f[l3->l4];
		l3->l4 += size;
	}
}

/* Behind the header of TCP or UDP in a packet that is whole; 0: it is none. */
static uint32_t
find_data(const uint8_t *f, const struct e1000_l3 *l3)
{
	uint32_t hdr = UDP_HDR;

	if (l3->fragment || (l3->proto != PROTO_TCP && l3->proto != PROTO_UDP))
		return 0;
	if (l3->proto == PROTO_TCP) {
		if (l3->l4 + TCP_HDR > l3->end)
			return 0;
		hdr = (f[l3->l4 + 12] >> 4) * 4u;
		if (hdr < TCP_HDR)
			return 0;
	}
	return l3->l4 + hdr > l3->end ? 0 : l3->l4 + hdr;
}

static void
find_l3(const struct e1000_model *e, const struct e1000_rx_pkt *p, bool tagged,
	struct e1000_l3 *l3)
{
	static const uint8_t snap[6] = { 0xaa, 0xaa, 0x03, 0, 0, 0 };
	uint32_t at = ETHER_TYPE_AT + (tagged ? E1000_VLAN_LEN : 0);
	uint32_t type;

	memset(l3, 0, sizeof(*l3));
	if (get_be16(p->data + at) <= ETHER_LEN_MAX && p->len >= at + 2 + SNAP_LEN &&
	    memcmp(p->data + at + 2, snap, sizeof(snap)) == 0)
		at += SNAP_LEN;
	type = get_be16(p->data + at);
	at += 2;
	if (type == ETHER_TYPE_IPV4)
		find_ipv4(p->data, p->len, at, l3);
	else if (type == ETHER_TYPE_IPV6 && (E1000_R(e, E1000_RFCTL) & E1000_RFCTL_IPV6_DIS) == 0)
		find_ipv6(p->data, p->len, at, l3);
	if (l3->ip != 0)
		l3->data = find_data(p->data, l3);
}

/* --- checksums ----------------------------------------------------------------------------- */

static void
check_ipv4(struct e1000_rx_pkt *p, const struct e1000_l3 *l3)
{
	p->status |= E1000_RXD_IPCS;
	p->status &= (uint8_t)~E1000_RXD_IXSM;
	if (pw_csum_fold(pw_csum_add(0, p->data + l3->ip, l3->l4 - l3->ip)) != 0xffff)
		p->errors |= E1000_RXD_IPE;
}

/* UDP over IPv4 may come without a checksum (RFC 768). */
static void
check_l4(struct e1000_rx_pkt *p, const struct e1000_l3 *l3)
{
	const uint8_t *ip = p->data + l3->ip, *l4 = p->data + l3->l4;
	uint32_t l4_len = l3->end - l3->l4;
	uint64_t sum;

	if (l3->data == 0 || (l3->proto == PROTO_UDP && !l3->v6 && get_be16(l4 + 6) == 0))
		return;
	sum = (uint64_t)pw_csum_be16(l3->proto) + pw_csum_be16(l4_len);
	sum = l3->v6 ? pw_csum_add(sum, ip + 8, 32) : pw_csum_add(sum, ip + 12, 8);
	p->status |= E1000_RXD_TCPCS | (l3->proto == PROTO_UDP ? E1000_RXD_UDPCS : 0);
	p->status &= (uint8_t)~E1000_RXD_IXSM;
	if (pw_csum_fold(pw_csum_add(sum, l4, l4_len)) != 0xffff)
		p->errors |= E1000_RXD_TCPE;
}

static void
check_sums(const struct e1000_model *e, struct e1000_rx_pkt *p, const struct e1000_l3 *l3)
{
	uint32_t rxcsum = E1000_R(e, E1000_RXCSUM);
	uint32_t pcss = rxcsum & E1000_RXCSUM_PCSS_MASK;

	p->status |= E1000_RXD_IXSM;
	if ((rxcsum & E1000_RXCSUM_PCSD) == 0 && pcss < p->len)
		p->csum = pw_csum_be16((uint16_t)~pw_csum_fold(
			pw_csum_add(0, p->data + pcss, p->len - pcss)));
	if (l3->ip == 0 ||
	    (l3->v6 && (E1000_R(e, E1000_RFCTL) & E1000_RFCTL_IPV6_XSUM_DIS) != 0))
		return;
	if (!l3->v6 && (rxcsum & E1000_RXCSUM_IPOFLD) != 0)
		check_ipv4(p, l3);
	if ((rxcsum & E1000_RXCSUM_TUOFLD) != 0)
		check_l4(p, l3);
}

/* --- all of it ----------------------------------------------------------------------------- */

static uint32_t
packet_type(const struct e1000_l3 *l3)
{
	if (l3->ip == 0)
		return TYPE_MAC;
	if (l3->v6)
		return l3->data != 0 ? TYPE_IPV6_L4 : TYPE_IPV6;
	return l3->data != 0 ? TYPE_IPV4_L4 : TYPE_IPV4;
}

static void
find_ack(const struct e1000_model *e, struct e1000_rx_pkt *p, const struct e1000_l3 *l3)
{
	uint32_t rfctl = E1000_R(e, E1000_RFCTL);

	if (l3->data == 0 || l3->proto != PROTO_TCP || (p->data[l3->l4 + 13] & TCP_ACK) == 0 ||
	    ((rfctl & E1000_RFCTL_ACK_DATA_DIS) != 0 && l3->data != l3->end))
		return;
	p->ext |= E1000_RXDX_ACK;
	p->ack = (rfctl & E1000_RFCTL_ACK_DIS) == 0;
}

/* Packet split puts headers by themselves: of Ethernet, IP and, of whole packets, TCP or UDP. */
static void
find_split(const struct e1000_model *e, struct e1000_rx_pkt *p, const struct e1000_l3 *l3)
{
	bool whole_only = (E1000_R(e, E1000_RFCTL) & E1000_RFCTL_IPFRSP_DIS) != 0;

	if (l3->ip == 0 || (l3->fragment && whole_only))
		return;
	p->split = (uint16_t)(l3->data != 0 ? l3->data : l3->l4);
}

void
e1000_574_parse(struct e1000_model *e, struct e1000_rx_pkt *p, bool tagged)
{
	struct e1000_l3 l3;

	find_l3(e, p, tagged, &l3);
	if (PW_UNLIKELY(l3.broken) && e1000_has(e, E1000_F_82571))
		e1000_571_ipv6(e);
	check_sums(e, p, &l3);
	p->ext |= packet_type(&l3) << E1000_RXDX_PKTTYPE_SHIFT;
	if ((E1000_R(e, E1000_RXCSUM) & E1000_RXCSUM_PCSD) == 0 && l3.ip != 0 && !l3.v6) {
		p->ext |= E1000_RXDX_IPIDV;
		p->ip_id = (uint16_t)get_be16(p->data + l3.ip + 4);
	}
	find_ack(e, p, &l3);
	if (e1000_rx_splits(e))
		find_split(e, p, &l3);
	e1000_574_rss(e, p, &l3);
	if ((E1000_R(e, E1000_TSYNCRXCTL) & E1000_TSYNCRXCTL_EN) != 0)
		e1000_574_tsync_rx(e, p, &l3, tagged);
}
