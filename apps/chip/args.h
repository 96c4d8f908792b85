/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _CHIP_ARGS_H_
#define _CHIP_ARGS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pw_model.h"

#define CHIP_MAX_FAULTS ((unsigned int)PW_FAULT_MAX)

struct chip_args {
	const char *chip;
	const char *socket;
	const char *wire;	/**< NULL: unplugged */
	const char *trace;	/**< NULL: none; "-": standard output */
	const char *control;	/**< NULL: none */
	bool has_mac;
	uint8_t mac[6];
	bool pace;
	bool strict;
	uint64_t autoneg_ns;
	unsigned int nb_faults;
	struct {
		enum pw_fault fault;
		uint32_t arg;
	} fault[CHIP_MAX_FAULTS];
};

/**
 * Read the command line.
 *
 * @return 0; 1 if help or the version was printed and all is done; -EINVAL, and then `err` says
 * what is wrong, in one line.
 */
int chip_args_parse(int argc, char **argv, struct chip_args *args, char *err, size_t errlen);

/** @return 0 if all of `text` is a number up to `max`, else -EINVAL. */
int chip_args_number(const char *text, unsigned long max, unsigned long *v);

#endif /* _CHIP_ARGS_H_ */
