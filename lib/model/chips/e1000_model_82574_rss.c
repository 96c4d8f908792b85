/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Receive-side scaling (§2.3): a Toeplitz hash of addresses and ports, as Microsoft defined it,
 * says by way of a table of 128 entries which of two queues takes a packet.
 */

#include "e1000_model.h"

#define PROTO_TCP 6
#define KEY_LEN (4 * E1000_RSSRK_NUM)
#define INPUT_MAX 36		/* two IPv6 addresses and two ports */

/* For each bit set in the input, the 32 bits of the key from that place on. */
static uint32_t
toeplitz(const uint8_t *key, const uint8_t *in, uint32_t len)
{
	uint32_t window = (uint32_t)key[0] << 24 | (uint32_t)key[1] << 16 | (uint32_t)key[2] << 8 |
			  key[3];
	uint32_t hash = 0, i;
	int bit;

	for (i = 0; i < len; i++) {
		for (bit = 7; bit >= 0; bit--) {
			if ((in[i] >> bit & 1) != 0)
				hash ^= window;
			window = window << 1 | (key[i + 4] >> bit & 1);
		}
	}
	return hash;
}

static uint32_t
rss_type_v6(const struct e1000_model *e, const uint8_t *ip, const struct e1000_l3 *l3)
{
	uint32_t mrqc = E1000_R(e, E1000_MRQC), rfctl = E1000_R(e, E1000_RFCTL);
	bool mobile = l3->src != ip + 8 || l3->dst != ip + 24;

	if ((!l3->ext_hdrs || (rfctl & E1000_RFCTL_IPV6_EX_DIS) == 0) &&
	    (!mobile || (rfctl & E1000_RFCTL_NEW_IPV6_EXT_DIS) == 0)) {
		if (l3->data != 0 && l3->proto == PROTO_TCP && (mrqc & E1000_MRQC_IPV6_TCP) != 0)
			return E1000_RSS_TYPE_IPV6_TCP;
		if ((mrqc & E1000_MRQC_IPV6_EX) != 0)
			return E1000_RSS_TYPE_IPV6_EX;
	}
	return (mrqc & E1000_MRQC_IPV6) != 0 ? E1000_RSS_TYPE_IPV6 : E1000_RSS_TYPE_NONE;
}

static uint32_t
rss_type(const struct e1000_model *e, const struct e1000_rx_pkt *p, const struct e1000_l3 *l3)
{
	uint32_t mrqc = E1000_R(e, E1000_MRQC);

	if (l3->ip == 0)
		return E1000_RSS_TYPE_NONE;
	if (l3->v6)
		return rss_type_v6(e, p->data + l3->ip, l3);
	if (l3->data != 0 && l3->proto == PROTO_TCP && (mrqc & E1000_MRQC_IPV4_TCP) != 0)
		return E1000_RSS_TYPE_IPV4_TCP;
	return (mrqc & E1000_MRQC_IPV4) != 0 ? E1000_RSS_TYPE_IPV4 : E1000_RSS_TYPE_NONE;
}

static uint32_t
rss_input(uint8_t *in, uint32_t type, const struct e1000_rx_pkt *p, const struct e1000_l3 *l3)
{
	uint32_t addr = l3->v6 ? 16 : 4, len = 2 * addr;

	/* Only this type takes the addresses of the IPv6 header whatever follows it. */
	if (type == E1000_RSS_TYPE_IPV6) {
		memcpy(in, p->data + l3->ip + 8, len);
	} else {
		memcpy(in, l3->src, addr);
		memcpy(in + addr, l3->dst, addr);
	}
	if (type == E1000_RSS_TYPE_IPV4_TCP || type == E1000_RSS_TYPE_IPV6_TCP) {
		memcpy(in + len, p->data + l3->l4, 4);
		len += 4;
	}
	return len;
}

void
e1000_574_rss(struct e1000_model *e, struct e1000_rx_pkt *p, const struct e1000_l3 *l3)
{
	uint8_t in[INPUT_MAX];
	uint32_t entry;

	/* The hash needs its place in the descriptor (§1.3). */
	if ((E1000_R(e, E1000_MRQC) & E1000_MRQC_ENABLE_MASK) != E1000_MRQC_RSS ||
	    (E1000_R(e, E1000_RXCSUM) & E1000_RXCSUM_PCSD) == 0 || !e1000_rx_extended(e))
		return;
	p->rss_type = rss_type(e, p, l3);
	if (p->rss_type == E1000_RSS_TYPE_NONE)
		return;
	/* Registers hold the key's bytes as memory does. */
	p->hash = toeplitz((const uint8_t *)&E1000_R(e, E1000_RSSRK(0)), in,
			   rss_input(in, p->rss_type, p, l3));
	entry = p->hash % E1000_RETA_ENTRIES;
	p->queue = (uint8_t)(E1000_R(e, E1000_RETA(entry / 4)) >>
			     (8 * (entry % 4) + E1000_RETA_QUEUE_SHIFT) & 1);
}

_Static_assert(KEY_LEN >= INPUT_MAX + 4, "the window never leaves the key");
