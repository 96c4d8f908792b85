/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* Device arguments: -a 0000:03:00.0,selftest=1,wol=magic. Keys are listed in I8255X_ARGS_HELP. */

#include <pw_args.h>

#include "i8255x.h"

#define HANG_MS		2000
#define HANG_MS_MAX	60000

static const struct pw_arg table[] = {
	PW_ARG_NUMBER("hang_ms", struct i8255x_args, hang_ms, HANG_MS_MAX,
		      "milliseconds from 1 to 60000, or 0 for never"),
	PW_ARG_WORD("selftest", struct i8255x_args, selftest, "1", "0"),
	PW_ARG_WORD("standby", struct i8255x_args, standby_off, "off", "keep"),
	PW_ARG_WORD("wol", struct i8255x_args, wol, "magic", "off"),
};

/**
 * Read a device's arguments, or set the defaults.
 *
 * @return 0; -EINVAL after one log line that says what would do.
 */
int
i8255x_args_parse(const struct pw_dev *dev, struct i8255x_args *args)
{
	*args = (struct i8255x_args){ .hang_ms = HANG_MS };
	return pw_args_parse(dev, table, RTE_DIM(table), I8255X_ARGS_HELP, args);
}
