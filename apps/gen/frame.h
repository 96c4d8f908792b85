/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _GEN_FRAME_H_
#define _GEN_FRAME_H_

/**
 * @file
 * The frames: Ethernet, maybe a VLAN tag, IPv4, UDP, our header, a pattern. No EAL calls.
 * A frame is laid out once; per packet only lengths, checksums and our header are written.
 *
 * Lengths here are in bytes without FCS, unless called sizes.
 */

#include <stdbool.h>
#include <stdint.h>

#include <rte_byteorder.h>
#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_udp.h>

#include "sizes.h"

#define GEN_FCS_LEN RTE_ETHER_CRC_LEN
#define GEN_MAX_LEN (GEN_MAX_SIZE - GEN_FCS_LEN)
#define GEN_MAGIC 0x7077	/* "pw" */

/** In every frame after the UDP header; what a tagged frame of 64 bytes has room for. */
struct gen_header {
	rte_be16_t magic;
	uint8_t stream;
	uint8_t run;		/**< tells a late frame of an earlier run */
	rte_be16_t seq[2];	/**< low 32 bits, high half first */
	rte_be16_t stamp[3];	/**< low 48 bits of the sender's clock, high part first */
} __attribute__((packed, aligned(2)));

/** What the user may set. Numbers are in host order. */
struct gen_frame_conf {
	uint8_t src_mac[6], dst_mac[6];
	uint32_t src_ip, dst_ip;
	uint16_t src_port, dst_port;
	int vlan;		/**< tag control information; -1: no tag */
};

/** A layout. Read-only once made, so any number of threads may use it. */
struct gen_layout {
	uint8_t l3;		/**< offset of the IPv4 header */
	uint8_t header;		/**< offset of ours */
	bool hw_cksum;		/**< the port fills in both checksums */
	uint16_t ip_sum;	/**< sum over the IPv4 header but its length */
	uint16_t pseudo_sum;	/**< sum over the pseudo-header but the length */
	uint8_t bytes[GEN_MAX_LEN];
	uint16_t udp_sum[GEN_MAX_LEN + 1]; /**< sum from the UDP header on, by frame length,
					    *   without what gen_frame_stamp() writes */
};

/** Lay out a frame. `hw_cksum`: the port computes the checksums of IPv4 and UDP. */
void gen_frame_layout(struct gen_layout *l, const struct gen_frame_conf *conf, bool hw_cksum);

/** What a frame says about itself. */
struct gen_seen {
	uint8_t stream, run;
	uint32_t seq;
	uint64_t stamp;		/**< 48 bits */
};

/**
 * Read a frame.
 *
 * @param frame
 *   Its first `contiguous` bytes.
 * @param len
 *   Of all of it.
 * @return
 *   Whether it is one of ours as far as can be seen: Ethernet (a tag or none), IPv4, UDP, magic.
 */
bool gen_frame_read(const uint8_t *frame, uint32_t contiguous, uint32_t len, struct gen_seen *seen);

/**
 * Whether a whole frame is as it was laid out, but for the MAC addresses and the tag, which
 * devices may change, and the TTL, which routers count down. Checksums are verified.
 */
bool gen_frame_intact(const struct gen_layout *l, const uint8_t *frame, uint32_t len);

/** @return the ticks from a stamp to `now`, right as long as they fit 48 bits. */
static inline uint64_t
gen_stamp_age(uint64_t stamp, uint64_t now)
{
	return (now - stamp) & ((UINT64_C(1) << 48) - 1);
}

static inline uint16_t
gen_fold(uint32_t sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	return (sum & 0xffff) + (sum >> 16);
}

/**
 * Write what is different in each packet, into a buffer that holds the layout.
 *
 * @param len
 *   Of the frame.
 * @param what
 *   What is to be read back; higher bits of the stamp are cut off.
 */
static inline void
gen_frame_stamp(const struct gen_layout *l, uint8_t *frame, uint16_t len,
		const struct gen_seen *what)
{
	struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *)(frame + l->l3);
	struct rte_udp_hdr *udp = (struct rte_udp_hdr *)(ip + 1);
	struct gen_header *h = (struct gen_header *)(udp + 1);
	rte_be16_t ip_len = rte_cpu_to_be_16(len - l->l3);
	rte_be16_t udp_len = rte_cpu_to_be_16(len - l->l3 - sizeof(*ip));
	const rte_be16_t *word = &h->magic;
	uint32_t sum;

	ip->total_length = ip_len;
	udp->dgram_len = udp_len;
	h->stream = what->stream;
	h->run = what->run;
	h->seq[0] = rte_cpu_to_be_16(what->seq >> 16);
	h->seq[1] = rte_cpu_to_be_16(what->seq);
	h->stamp[0] = rte_cpu_to_be_16(what->stamp >> 32);
	h->stamp[1] = rte_cpu_to_be_16(what->stamp >> 16);
	h->stamp[2] = rte_cpu_to_be_16(what->stamp);
	if (l->hw_cksum) {
		ip->hdr_checksum = 0;
		udp->dgram_cksum = gen_fold(l->pseudo_sum + udp_len);
		return;
	}
	ip->hdr_checksum = ~gen_fold(l->ip_sum + ip_len);
	/* The length counts twice: in the pseudo-header and in the UDP header. */
	sum = l->udp_sum[len] + l->pseudo_sum + 2 * udp_len + word[1] + word[2] + word[3] +
		word[4] + word[5] + word[6];
	udp->dgram_cksum = ~gen_fold(sum);
	/* 0 would mean "no checksum" (RFC 768). */
	if (udp->dgram_cksum == 0)
		udp->dgram_cksum = 0xffff;
}

#endif /* _GEN_FRAME_H_ */
