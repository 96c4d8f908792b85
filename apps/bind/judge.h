/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _BIND_JUDGE_H_
#define _BIND_JUDGE_H_

/**
 * @file
 * May a function be taken from its driver, and would it be of use under another? Nothing is
 * changed here.
 */

#include "bind.h"
#include "pci.h"

enum pb_verdict {
	PB_MAY,			/**< nothing against it */
	PB_DONE,		/**< it is so already */
	PB_MAY_IF_FORCED,	/**< somebody would be hurt, or the result not be of use */
	PB_MAY_NOT,		/**< it cannot work */
};

struct pb_judgement {
	enum pb_verdict verdict;
	char why[PB_TEXT_LEN];	/**< a sentence without full stop */
	char cure[PB_TEXT_LEN];	/**< what to do; "" */
};

/**
 * @param driver
 *   The new one; "": none.
 * @param noiommu
 *   vfio's no-IOMMU mode may be switched on.
 */
void pb_judge(const struct pb_machine *m, const struct pb_fn *fn, const char *driver,
	      bool noiommu, struct pb_judgement *j);

/** Whether its own driver may let go of it for the kernel's. */
void pb_judge_restore(const struct pb_fn *fn, struct pb_judgement *j);

#endif /* _BIND_JUDGE_H_ */
