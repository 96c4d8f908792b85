/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * pollwire-bind: hands network cards from the kernel to programs and back.
 */

#include "program.h"

int
main(int argc, char **argv)
{
	return pb_program(argc, argv);
}
