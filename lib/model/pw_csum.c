/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <pthread.h>

#include "pw_csum.h"

#define CRC_POLY 0xedb88320u	/* 0x04c11db7, bits reversed */

/* Four tables: four bytes a step. table[k][b] is the CRC of b followed by k zero bytes. */
static uint32_t table[4][256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
make_table(void)
{
	unsigned int i, k;

	for (i = 0; i < 256; i++) {
		uint32_t c = i;

		for (k = 0; k < 8; k++)
			c = c >> 1 ^ ((c & 1) != 0 ? CRC_POLY : 0);
		table[0][i] = c;
	}
	for (k = 1; k < 4; k++)
		for (i = 0; i < 256; i++)
			table[k][i] = table[k - 1][i] >> 8 ^ table[0][table[k - 1][i] & 0xff];
}

uint32_t
pw_crc32(const void *data, size_t len)
{
	const uint8_t *p = data;
	uint32_t c = UINT32_MAX;

	pthread_once(&once, make_table);
	for (; len >= 4; len -= 4, p += 4) {
		uint32_t w;

		memcpy(&w, p, 4);
		c ^= w;
		c = table[3][c & 0xff] ^ table[2][c >> 8 & 0xff] ^ table[1][c >> 16 & 0xff] ^
		    table[0][c >> 24];
	}
	for (; len > 0; len--)
		c = c >> 8 ^ table[0][(c ^ *p++) & 0xff];
	return ~c;
}
