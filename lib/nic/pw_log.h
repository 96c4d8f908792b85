/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_LOG_H_
#define _PW_LOG_H_

/**
 * @file
 * The one log type of all drivers: pmd.net.pollwire, shown from NOTICE up unless
 * --log-level says otherwise. Not for the packet path.
 */

#include <rte_common.h>
#include <rte_log.h>

extern int pw_logtype;

/**
 * Log one line. `level` is ERR, WARNING, NOTICE, INFO or DEBUG; the message begins with what it
 * is about, by habit "%s: " and the port's name, and has no newline.
 */
#define PW_LOG(level, ...)                                                                        \
	rte_log(RTE_LOG_##level, (uint32_t)pw_logtype,                                            \
		RTE_FMT("pollwire: " RTE_FMT_HEAD(__VA_ARGS__, ) "\n", RTE_FMT_TAIL(__VA_ARGS__, )))

#endif /* _PW_LOG_H_ */
