/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 *
 * Whatever a driver does to a chip model, and whatever comes over the wire: each call comes
 * back, and nothing is touched but what was mapped. What the driver did wrong is recorded.
 *
 * An input is a byte that chooses the chip, then steps of eight bytes: what to do, a byte more,
 * an offset of 16 bits, a value of 32. With clang -fsanitize=fuzzer (FUZZ_LIBFUZZER) this is a
 * libFuzzer target; otherwise main() throws dice with a fixed sequence for each chip, the same
 * on every machine.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pw_model.h"

#define RAM (64u << 10)
#define RAM_AT 0x100000u
#define STEP 8
#define CHECK(cond) do { \
	if (!(cond)) { \
		fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #cond); \
		abort(); \
	} \
} while (0)

enum step {
	STEP_WRITE, STEP_READ, STEP_STORE, STEP_FRAME, STEP_POLL, STEP_TIME, STEP_FAULT,
	STEP_CONFIG, STEP_RESET, STEP_COUNT
};

static const uint32_t bar_mask[] = { 0xffff, 0x3f, 0x3f, 0x1fff };

static void
one_step(struct pw_model *m, struct pw_clock *clock, uint8_t *ram, const uint8_t *s)
{
	unsigned int width = 1u << (s[1] & 3) % 3, bar = s[1] >> 2 & 3;
	uint32_t off = s[2] | (uint32_t)s[3] << 8, val;

	memcpy(&val, s + 4, sizeof(val));
	switch (s[0] % STEP_COUNT) {
	case STEP_WRITE:
		pw_model_bar_write(m, bar, off & bar_mask[bar], val, width);
		break;
	case STEP_READ:
		pw_model_bar_read(m, bar, off & bar_mask[bar], width);
		break;
	case STEP_STORE:
		off = off > RAM - sizeof(val) ? RAM - (uint32_t)sizeof(val) : off;
		memcpy(ram + off, &val, width);
		break;
	case STEP_FRAME:
		val = 1 + val % 2000;
		pw_model_receive(m, ram + (off > RAM - val ? RAM - val : off), val, s[1] & 3);
		break;
	case STEP_POLL:
		pw_model_poll(m);
		break;
	case STEP_TIME:
		pw_clock_advance(clock, val % 100000);
		break;
	case STEP_FAULT:
		pw_model_fault(m, s[1] % PW_FAULT_MAX, val % 4);
		break;
	case STEP_CONFIG:
		pw_model_cfg_write(m, off & 0xff, val, width);
		break;
	default:
		pw_model_reset(m);
		pw_model_cfg_write(m, 0x04, 0x0007, 2);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static const uint8_t mac[6] = { 0x52, 0x54, 0x00, 0x12, 0x34, 0x56 };
	struct pw_clock clock = { .is_virtual = 1 };
	struct pw_model_opts opts = { .mac = mac, .clock = &clock };
	unsigned int chips = 0;
	struct pw_model *m;
	uint8_t *ram;

	if (len == 0)
		return 0;
	while (pw_model_chip_name(chips) != NULL)
		chips++;
	opts.chip = pw_model_chip_name(data[0] % chips);
	CHECK(pw_model_create(&opts, &m) == 0);
	/* In a block of its own, so that a sanitizer sees a step past its end. */
	ram = calloc(1, RAM);
	CHECK(ram != NULL && pw_model_dma_map(m, RAM_AT, RAM, ram, true) == 0);
	pw_model_cfg_write(m, 0x04, 0x0007, 2);
	for (data++, len--; len >= STEP; data += STEP, len -= STEP)
		one_step(m, &clock, ram, data);
	pw_model_destroy(m);
	free(ram);
	return 0;
}

#ifndef FUZZ_LIBFUZZER

static uint64_t state = 0x9e3779b97f4a7c15;

static uint32_t
dice(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 32) % n;
}

/* Numbers that get somewhere: addresses in memory, small counts, single bits, all ones. */
static uint32_t
likely(void)
{
	switch (dice(6)) {
	case 0:
		return dice(16);
	case 1:
		return 1u << dice(32);
	case 2:
		return UINT32_MAX;
	case 3:
		return dice(UINT32_MAX);
	default:
		return RAM_AT + dice(RAM / 16) * 16;
	}
}

static void
random_step(uint8_t *s)
{
	/* Writes, stores and frames more often than resets and faults. */
	static const uint8_t often[] = {
		STEP_WRITE, STEP_WRITE, STEP_WRITE, STEP_WRITE, STEP_READ, STEP_STORE, STEP_STORE,
		STEP_STORE, STEP_STORE, STEP_FRAME, STEP_FRAME, STEP_POLL, STEP_TIME,
	};
	uint32_t val = likely(), off = dice(3) != 0 ? dice(64) * 4 : dice(0x10000);

	s[0] = dice(64) == 0 ? (uint8_t)dice(STEP_COUNT) : often[dice(sizeof(often))];
	s[1] = dice(4) == 0 ? (uint8_t)dice(256) : 2;
	s[2] = (uint8_t)off;
	s[3] = (uint8_t)(off >> 8);
	memcpy(s + 4, &val, sizeof(val));
}

int
main(void)
{
	static uint8_t input[1 + 500 * STEP];
	const unsigned int rounds = 1000;
	unsigned int chip, i, k;

	for (chip = 0; pw_model_chip_name(chip) != NULL; chip++) {
		for (i = 0; i < rounds; i++) {
			input[0] = (uint8_t)chip;
			for (k = 1; k < sizeof(input); k += STEP)
				random_step(input + k);
			LLVMFuzzerTestOneInput(input, sizeof(input));
		}
		printf("%s: %u drivers made of dice\n", pw_model_chip_name(chip), rounds);
	}
	return 0;
}
#endif
