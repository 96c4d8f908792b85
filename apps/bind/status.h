/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _BIND_STATUS_H_
#define _BIND_STATUS_H_

#include "args.h"

/** Print every network function: for people, or for programs. @return exit status. */
enum pb_status pb_show_status(const struct pb_args *args);

/** The same as dpdk-devbind.py --status-dev net prints it. @return exit status. */
enum pb_status pb_show_devbind(void);

#endif /* _BIND_STATUS_H_ */
