/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <stdarg.h>
#include <stdio.h>

#include "log.h"

static unsigned int client_lines = CHIP_SAY_LIMIT;

static void
say(const char *fmt, va_list ap)
{
	fputs("pollwire-chip: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

void
chip_say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
}

void
chip_say_of_client(const char *fmt, ...)
{
	va_list ap;

	if (client_lines == 0)
		return;
	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
	if (--client_lines == 0)
		chip_say("more about this client is left out");
}

void
chip_say_new_client(unsigned int limit)
{
	client_lines = limit;
}
