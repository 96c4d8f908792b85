/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include "pw_log.h"

RTE_LOG_REGISTER(pw_logtype, pmd.net.pollwire, NOTICE)
