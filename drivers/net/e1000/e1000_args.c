/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* Device arguments: -a 0000:03:00.0,selftest=1,wol=magic. Keys are listed in E1000_ARGS_HELP. */

#include <pw_args.h>

#include "e1000.h"

#define HANG_MS		2000
#define HANG_MS_MAX	60000

static const struct pw_arg table[] = {
	PW_ARG_NUMBER("hang_ms", struct e1000_args, hang_ms, HANG_MS_MAX,
		      "milliseconds from 1 to 60000, or 0 for never"),
	PW_ARG_WORD("selftest", struct e1000_args, selftest, "1", "0"),
	PW_ARG_WORD("wol", struct e1000_args, wol, "magic", "off"),
	PW_ARG_WORD("claim", struct e1000_args, claim, "1", "0"),
};

/**
 * Read a device's arguments, or set the defaults.
 *
 * @return 0; -EINVAL after one log line that says what would do.
 */
int
e1000_args_parse(const struct pw_dev *dev, struct e1000_args *args)
{
	*args = (struct e1000_args){ .hang_ms = HANG_MS, .claim = true };
	return pw_args_parse(dev, table, RTE_DIM(table), E1000_ARGS_HELP, args);
}
