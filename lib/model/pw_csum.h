/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_CSUM_H_
#define _PW_CSUM_H_

/*
 * Internet checksum (RFC 1071) and Ethernet CRC, as chips compute them. Sums are over 16-bit
 * words in memory order, so that a result is stored with memcpy() on any host.
 */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t
pw_csum_fold(uint64_t sum)
{
	sum = (sum & 0xffffffff) + (sum >> 32);
	sum = (sum & 0xffffffff) + (sum >> 32);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)sum;
}

/* Add `len` bytes to `sum`; an odd last byte counts as if followed by a zero. */
static inline uint64_t
pw_csum_add(uint64_t sum, const void *data, size_t len)
{
	const uint8_t *p = data;
	uint32_t w;

	for (; len >= 4; len -= 4, p += 4) {
		memcpy(&w, p, 4);
		sum += w;
	}
	if (len > 0) {
		w = 0;
		memcpy(&w, p, len);
		sum += w;
	}
	return sum;
}

/* A 16-bit number as the word that it is in memory, in network order. */
static inline uint16_t
pw_csum_be16(uint32_t v)
{
	return (uint16_t)((v & 0xff) << 8 | (v >> 8 & 0xff));
}

/* CRC-32 of IEEE 802.3 (§3.2.9): what is sent is this, low byte first. */
uint32_t pw_crc32(const void *data, size_t len);

#endif /* _PW_CSUM_H_ */
