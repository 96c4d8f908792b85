/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _BIND_PERSIST_H_
#define _BIND_PERSIST_H_

#include "args.h"

/** Have cards bound at every boot, or no longer. @return exit status. */
enum pb_status pb_persist(const struct pb_args *args);

#endif /* _BIND_PERSIST_H_ */
