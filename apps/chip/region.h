/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _CHIP_REGION_H_
#define _CHIP_REGION_H_

/**
 * @file
 * Regions of a VFIO PCI device: BARs 0 to 5 and configuration space.
 */

#include <stdint.h>

#include "pw_model.h"

/** @return bytes of a region, 0 if the device does not have it. */
uint64_t chip_region_size(const struct pw_model_info *info, unsigned int region);

/**
 * Read or write `count` bytes: of a BAR 1, 2, 4 or 8 as the processor made the access (8 are
 * two of 4, low first, as on a 32-bit bus); of configuration space any number.
 *
 * @return 0 or -EINVAL.
 */
int chip_region_read(struct pw_model *m, unsigned int region, uint64_t off, uint32_t count,
		     uint8_t *data);
int chip_region_write(struct pw_model *m, unsigned int region, uint64_t off, uint32_t count,
		      const uint8_t *data);

#endif /* _CHIP_REGION_H_ */
