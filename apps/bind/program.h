/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _BIND_PROGRAM_H_
#define _BIND_PROGRAM_H_

/** All of the program; main() but in name, so that tests can put a kernel of theirs under it. */
int pb_program(int argc, char **argv);

#endif /* _BIND_PROGRAM_H_ */
