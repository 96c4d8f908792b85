/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _CHIP_SOCK_H_
#define _CHIP_SOCK_H_

/**
 * Listen on a Unix socket. A socket that a dead server left is replaced; anything else at that
 * path is left alone.
 *
 * @return the non-blocking socket; -EADDRINUSE if somebody listens there; -EEXIST for a file
 * that is no socket; -ENAMETOOLONG; other -errno.
 */
int chip_listen(const char *path);

#endif /* _CHIP_SOCK_H_ */
