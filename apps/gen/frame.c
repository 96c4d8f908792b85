/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <string.h>

#include "frame.h"

#define TTL 64

static uint8_t
pattern(uint32_t at)
{
	return at * 7 + (at >> 8);
}

/* Internet checksums add words as they lie in memory (RFC 1071 §2B). */
static uint32_t
add_words(uint32_t sum, const void *data, uint32_t len)
{
	const uint8_t *p = data;
	uint16_t word;

	for (; len >= 2; len -= 2, p += 2) {
		memcpy(&word, p, 2);
		sum = gen_fold(sum + word);
	}
	return sum;
}

static void
write_headers(struct gen_layout *l, const struct gen_frame_conf *conf)
{
	struct rte_ether_hdr *eth = (struct rte_ether_hdr *)l->bytes;
	struct rte_vlan_hdr *tag = (struct rte_vlan_hdr *)(eth + 1);
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)(l->bytes + l->l3);
	struct rte_udp_hdr *udp = (struct rte_udp_hdr *)(ip + 1);
	struct gen_header *h = (struct gen_header *)(udp + 1);

	memset(l->bytes, 0, l->header + sizeof(*h));
	memcpy(&eth->dst_addr, conf->dst_mac, sizeof(conf->dst_mac));
	memcpy(&eth->src_addr, conf->src_mac, sizeof(conf->src_mac));
	eth->ether_type = RTE_BE16(RTE_ETHER_TYPE_IPV4);
	if (conf->vlan >= 0) {
		eth->ether_type = RTE_BE16(RTE_ETHER_TYPE_VLAN);
		tag->vlan_tci = rte_cpu_to_be_16(conf->vlan);
		tag->eth_proto = RTE_BE16(RTE_ETHER_TYPE_IPV4);
	}
	ip->version_ihl = RTE_IPV4_VHL_DEF;
	ip->fragment_offset = RTE_BE16(RTE_IPV4_HDR_DF_FLAG);
	ip->time_to_live = TTL;
	ip->next_proto_id = IPPROTO_UDP;
	ip->src_addr = rte_cpu_to_be_32(conf->src_ip);
	ip->dst_addr = rte_cpu_to_be_32(conf->dst_ip);
	udp->src_port = rte_cpu_to_be_16(conf->src_port);
	udp->dst_port = rte_cpu_to_be_16(conf->dst_port);
	h->magic = RTE_BE16(GEN_MAGIC);
}

void
gen_frame_layout(struct gen_layout *l, const struct gen_frame_conf *conf, bool hw_cksum)
{
	const uint32_t headers = sizeof(struct rte_ipv4_hdr) + sizeof(struct rte_udp_hdr);
	const struct rte_ipv4_hdr *ip;
	uint32_t i, udp, first;

	l->l3 = sizeof(struct rte_ether_hdr) +
		(conf->vlan >= 0 ? sizeof(struct rte_vlan_hdr) : 0);
	l->header = l->l3 + headers;
	l->hw_cksum = hw_cksum;
	write_headers(l, conf);
	for (i = l->header + sizeof(struct gen_header); i < GEN_MAX_LEN; i++)
		l->bytes[i] = pattern(i - l->header);

	ip = (const struct rte_ipv4_hdr *)(l->bytes + l->l3);
	l->ip_sum = gen_fold(add_words(0, ip, sizeof(*ip)));
	l->pseudo_sum = gen_fold(add_words(RTE_BE16(IPPROTO_UDP), &ip->src_addr, 8));
	/* Frames of every length, each one byte longer than the last. */
	udp = l->l3 + sizeof(*ip);
	first = l->header + sizeof(struct gen_header);
	l->udp_sum[first] = add_words(0, l->bytes + udp, first - udp);
	for (i = first + 1; i <= GEN_MAX_LEN; i++) {
		uint8_t word[2] = {0, 0};

		word[(i - 1 - udp) % 2] = l->bytes[i - 1];
		l->udp_sum[i] = add_words(l->udp_sum[i - 1], word, 2);
	}
}

bool
gen_frame_read(const uint8_t *frame, uint32_t contiguous, uint32_t len, struct gen_seen *seen)
{
	uint32_t l3 = sizeof(struct rte_ether_hdr);
	const struct rte_ipv4_hdr *ip;
	const struct gen_header *h;
	rte_be16_t type;

	if (contiguous < GEN_MIN_SIZE - GEN_FCS_LEN)
		return false;
	memcpy(&type, frame + l3 - 2, 2);
	if (type == RTE_BE16(RTE_ETHER_TYPE_VLAN)) {
		l3 += sizeof(struct rte_vlan_hdr);
		memcpy(&type, frame + l3 - 2, 2);
	}
	ip = (const struct rte_ipv4_hdr *)(frame + l3);
	h = (const struct gen_header *)((const uint8_t *)(ip + 1) + sizeof(struct rte_udp_hdr));
	if (type != RTE_BE16(RTE_ETHER_TYPE_IPV4) || ip->version_ihl != RTE_IPV4_VHL_DEF ||
	    ip->next_proto_id != IPPROTO_UDP || h->magic != RTE_BE16(GEN_MAGIC) ||
	    l3 + rte_be_to_cpu_16(ip->total_length) > len)
		return false;
	seen->run = h->run;
	seen->stream = h->stream;
	seen->seq = (uint32_t)rte_be_to_cpu_16(h->seq[0]) << 16 | rte_be_to_cpu_16(h->seq[1]);
	seen->stamp = (uint64_t)rte_be_to_cpu_16(h->stamp[0]) << 32 |
		(uint64_t)rte_be_to_cpu_16(h->stamp[1]) << 16 | rte_be_to_cpu_16(h->stamp[2]);
	return true;
}

bool
gen_frame_intact(const struct gen_layout *l, const uint8_t *frame, uint32_t len)
{
	const uint32_t fixed = sizeof(struct rte_ipv4_hdr) + sizeof(struct rte_udp_hdr);
	const uint32_t ttl = offsetof(struct rte_ipv4_hdr, time_to_live);
	const uint32_t own = fixed + sizeof(struct gen_header);
	const uint8_t *want = l->bytes + l->l3;
	const struct rte_ipv4_hdr *ip;
	const struct rte_udp_hdr *udp;
	uint32_t l3 = sizeof(struct rte_ether_hdr), ip_len;

	if (frame[l3 - 2] == RTE_ETHER_TYPE_VLAN >> 8 && frame[l3 - 1] == 0)
		l3 += sizeof(struct rte_vlan_hdr);
	ip = (const struct rte_ipv4_hdr *)(frame + l3);
	ip_len = rte_be_to_cpu_16(ip->total_length);
	/* Beyond the packet there is only what fills a frame up to 64 bytes. */
	if (l3 + ip_len > len || (l3 + ip_len < len && len > GEN_MIN_SIZE - GEN_FCS_LEN) ||
	    ip_len < own)
		return false;
	if (memcmp((const uint8_t *)ip + 4, want + 4, ttl - 4) != 0 ||
	    ip->next_proto_id != IPPROTO_UDP ||
	    memcmp(&ip->src_addr, want + offsetof(struct rte_ipv4_hdr, src_addr), 8) != 0)
		return false;
	if (memcmp(ip + 1, want + sizeof(*ip), 4) != 0 ||
	    memcmp((const uint8_t *)ip + own, want + own, ip_len - own) != 0)
		return false;
	udp = (const struct rte_udp_hdr *)(ip + 1);
	/* Over a right checksum the sum is "minus 0", which is told apart for UDP (RFC 768). */
	return rte_ipv4_cksum(ip) == 0 && udp->dgram_cksum != 0 &&
		rte_ipv4_udptcp_cksum(ip, udp) == 0xffff;
}
