/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _BIND_DOCTOR_H_
#define _BIND_DOCTOR_H_

/**
 * @file
 * What stands between the cards and a program, and the command that cures it.
 */

#include <stdbool.h>

#include "args.h"
#include "huge.h"
#include "iommu.h"
#include "pci.h"

enum pb_severity {
	PB_FINE,	/**< looked at, and as it should be */
	PB_NOTE,	/**< good to know */
	PB_WARNING,	/**< hinders, or will for somebody */
	PB_BLOCKER,	/**< has to be cured before a card can be used */
};

struct pb_finding {
	enum pb_severity severity;
	const char *id;			/**< a word for programs */
	char what[PB_TEXT_LEN];		/**< a sentence without full stop */
	char cure[PB_TEXT_LEN];		/**< "" if there is nothing to do */
	/** The cure, where it hurts nobody; NULL: for the user to decide. 0, -errno. */
	int (*fix)(const struct pb_finding *finding);
	const void *fix_arg;
	bool fixed;
};

#define PB_MAX_FINDINGS 128u

/** What the looks look at, and what they have found. */
struct pb_checkup {
	struct pb_machine machine;
	struct pb_huge huge;
	struct pb_iommu_facts iommu_facts;
	enum pb_iommu iommu;
	int nb_named;			/**< if not 0, only the chosen cards are of interest */
	struct pb_finding finding[PB_MAX_FINDINGS];
	unsigned int nb;
};

/** Add one. Never NULL: when there are too many, the last is overwritten. */
struct pb_finding *pb_find(struct pb_checkup *c, enum pb_severity severity, const char *id,
			   const char *format, ...) __attribute__((format(printf, 4, 5)));

/** @return whether a function is of interest: chosen, or a network card of ours. */
bool pb_of_interest(const struct pb_checkup *c, const struct pb_fn *fn);

/* The looks: of the whole machine, */
void pb_check_iommu(struct pb_checkup *c);
void pb_check_modules(struct pb_checkup *c);
void pb_check_hugepages(struct pb_checkup *c);
void pb_check_memlock(struct pb_checkup *c);
void pb_check_lockdown(struct pb_checkup *c);
void pb_check_container(struct pb_checkup *c);
/* and of its cards. */
void pb_check_cards(struct pb_checkup *c);

enum pb_status pb_doctor(const struct pb_args *args);

#endif /* _BIND_DOCTOR_H_ */
