/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pw_port.h>

#include "sizes.h"

/* The simple Internet mix: IP packets of 40, 576 and 1500 bytes as 7:4:1, well spread. */
static const uint16_t imix[] = {64, 594, 64, 64, 594, 64, 1518, 64, 594, 64, 64, 594};

/* splitmix64: any seed will do, and a run can be repeated. */
static uint64_t
next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static void
shuffle(uint16_t *size, uint32_t nb, uint64_t seed)
{
	uint32_t i, j;
	uint16_t swap;

	for (i = nb; i > 1; i--) {
		j = next_random(&seed) % i;
		swap = size[i - 1];
		size[i - 1] = size[j];
		size[j] = swap;
	}
}

static bool
read_range(const char *text, unsigned long *min, unsigned long *max)
{
	char *end;

	if (text[0] < '0' || text[0] > '9')
		return false;
	*min = *max = strtoul(text, &end, 10);
	if (*end == '-' && end[1] >= '0' && end[1] <= '9')
		*max = strtoul(end + 1, &end, 10);
	return *end == '\0';
}

int
gen_sizes_parse(const char *text, uint64_t seed, struct gen_sizes *sizes, char *err)
{
	unsigned long min, max, i;
	uint64_t sum = 0;

	if (strcmp(text, "imix") == 0) {
		memcpy(sizes->size, imix, sizeof(imix));
		sizes->nb = sizeof(imix) / sizeof(imix[0]);
		min = 64;
		max = 1518;
	} else if (!read_range(text, &min, &max)) {
		snprintf(err, PW_ERR_LEN, "size '%.64s': want bytes with FCS, as 64, 64-1518 or "
			 "imix", text);
		return -EINVAL;
	} else if (min < GEN_MIN_SIZE || max > GEN_MAX_SIZE || min > max) {
		snprintf(err, PW_ERR_LEN, "size '%.64s': from %u to %u bytes with FCS", text,
			 GEN_MIN_SIZE, GEN_MAX_SIZE);
		return -EINVAL;
	} else {
		sizes->nb = max - min + 1;
		for (i = 0; i < sizes->nb; i++)
			sizes->size[i] = min + i;
		shuffle(sizes->size, sizes->nb, seed);
	}
	sizes->min = min;
	sizes->max = max;
	for (i = 0; i < sizes->nb; i++)
		sum += sizes->size[i];
	sizes->mean = (double)sum / sizes->nb;
	return 0;
}
