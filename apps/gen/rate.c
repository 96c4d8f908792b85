/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <pw_port.h>

#include "rate.h"

#define PPS_UNITS 1000u		/* of a packet */
#define WIRE_PARTS 1000000u	/* of the wire's maximum */
#define MAX_VALUE 1e15

/* Prefix and unit, and how many of our units one of it is. */
static const struct unit {
	const char *text;
	enum gen_rate_kind kind;
	double factor;
} units[] = {
	{"%", GEN_RATE_WIRE, WIRE_PARTS / 100.0},
	{"pps", GEN_RATE_PPS, PPS_UNITS},
	{"kpps", GEN_RATE_PPS, PPS_UNITS * 1e3},
	{"Mpps", GEN_RATE_PPS, PPS_UNITS * 1e6},
	{"bps", GEN_RATE_L2, 1},
	{"kbps", GEN_RATE_L2, 1e3},
	{"Mbps", GEN_RATE_L2, 1e6},
	{"Gbps", GEN_RATE_L2, 1e9},
	{"bps-l1", GEN_RATE_L1, 1},
	{"kbps-l1", GEN_RATE_L1, 1e3},
	{"Mbps-l1", GEN_RATE_L1, 1e6},
	{"Gbps-l1", GEN_RATE_L1, 1e9},
};

int
gen_rate_parse(const char *text, struct gen_rate *rate, char *err)
{
	double value;
	char *unit;
	size_t i;

	if (strcasecmp(text, "max") == 0) {
		*rate = (struct gen_rate){.kind = GEN_RATE_MAX};
		return 0;
	}
	value = strtod(text, &unit);
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcasecmp(unit, units[i].text) == 0)
			break;
	if (unit == text || i == sizeof(units) / sizeof(units[0]) || !isfinite(value)) {
		snprintf(err, PW_ERR_LEN, "rate '%.64s': want a number with %%, pps, kpps, Mpps, "
			 "Mbps or Mbps-l1, or max", text);
		return -EINVAL;
	}
	value = rint(value * units[i].factor);
	if (value < 1 || value > MAX_VALUE) {
		snprintf(err, PW_ERR_LEN, "rate '%.64s': too %s", text, value < 1 ? "low" : "high");
		return -EINVAL;
	}
	if (units[i].kind == GEN_RATE_WIRE && value > WIRE_PARTS) {
		snprintf(err, PW_ERR_LEN, "rate '%.64s': a wire carries no more than 100%%", text);
		return -EINVAL;
	}
	*rate = (struct gen_rate){.kind = units[i].kind, .value = value};
	return 0;
}

double
gen_wire_max_pps(uint32_t mbps, const struct gen_sizes *sizes)
{
	return mbps * 1e6 / 8 / (sizes->mean + GEN_WIRE_OVERHEAD);
}

double
gen_l2_mbps(double pps, const struct gen_sizes *sizes)
{
	return pps * sizes->mean * 8 / 1e6;
}

double
gen_l1_mbps(double pps, const struct gen_sizes *sizes)
{
	return pps * (sizes->mean + GEN_WIRE_OVERHEAD) * 8 / 1e6;
}

double
gen_rate_pps(const struct gen_rate *rate, uint32_t mbps, const struct gen_sizes *sizes)
{
	double max = gen_wire_max_pps(mbps, sizes);

	switch (rate->kind) {
	case GEN_RATE_MAX:
		break;
	case GEN_RATE_WIRE:
		return max * rate->value / WIRE_PARTS;
	case GEN_RATE_PPS:
		return (double)rate->value / PPS_UNITS;
	case GEN_RATE_L2:
		return rate->value / 8.0 / sizes->mean;
	case GEN_RATE_L1:
		return rate->value / 8.0 / (sizes->mean + GEN_WIRE_OVERHEAD);
	}
	return max;
}

/* Pacing */

static uint64_t
cost(const struct gen_pace *p, uint16_t size)
{
	switch (p->kind) {
	case GEN_RATE_PPS:
		return PPS_UNITS;
	case GEN_RATE_L2:
		return size * 8u;
	default:
		return (size + GEN_WIRE_OVERHEAD) * 8u;
	}
}

void
gen_pace_init(struct gen_pace *p, const struct gen_rate *rate, uint32_t mbps, uint64_t hz,
	      uint32_t depth_us, const struct gen_sizes *sizes)
{
	memset(p, 0, sizeof(*p));
	p->kind = rate->kind;
	p->hz = hz;
	p->rate = rate->value;
	if (rate->kind == GEN_RATE_WIRE)	/* 10^6 bits are a megabit, and as many parts */
		p->rate = rate->value * mbps;
	p->depth = (unsigned __int128)p->rate * depth_us / 1000000;
	if (p->depth < cost(p, sizes->max))
		p->depth = cost(p, sizes->max);
}

void
gen_pace_start(struct gen_pace *p, uint64_t now)
{
	p->start = now;
	p->next = now;
}

unsigned int
gen_pace_due(struct gen_pace *p, uint64_t now, const struct gen_sizes *sizes, uint64_t at,
	     unsigned int max)
{
	uint64_t earned, spent;
	unsigned int nb;

	if (p->kind == GEN_RATE_MAX)
		return max;
	/* Most looks find nothing due: they need no division. */
	if (now < p->next)
		return 0;
	earned = (unsigned __int128)(now - p->start) * p->rate / p->hz;
	if (earned > p->spent && earned - p->spent > p->depth) {
		p->forfeited += earned - p->spent - p->depth;
		p->spent = earned - p->depth;
	}
	for (nb = 0, spent = p->spent; nb < max && spent <= earned; nb++)
		spent += cost(p, gen_sizes_at(sizes, at + nb));
	return nb;
}

void
gen_pace_spend(struct gen_pace *p, const struct gen_sizes *sizes, uint64_t at, unsigned int nb)
{
	if (p->kind == GEN_RATE_MAX || nb == 0)
		return;
	while (nb-- > 0)
		p->spent += cost(p, gen_sizes_at(sizes, at++));
	p->next = p->start +
		(uint64_t)(((unsigned __int128)p->spent * p->hz + p->rate - 1) / p->rate);
}

uint64_t
gen_pace_behind(const struct gen_pace *p, const struct gen_sizes *sizes)
{
	double each = PPS_UNITS;

	if (p->kind == GEN_RATE_L2)
		each = sizes->mean * 8;
	else if (p->kind != GEN_RATE_PPS)
		each = (sizes->mean + GEN_WIRE_OVERHEAD) * 8;
	return p->forfeited / each;
}
