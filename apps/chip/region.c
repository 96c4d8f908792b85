/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <linux/vfio.h>

#include "region.h"

uint64_t
chip_region_size(const struct pw_model_info *info, unsigned int region)
{
	if (region == VFIO_PCI_CONFIG_REGION_INDEX)
		return info->cfg_size;
	if (region >= PW_MODEL_BARS || info->bar[region].kind == PW_BAR_NONE)
		return 0;
	return info->bar[region].size;
}

static int
check(const struct pw_model_info *info, unsigned int region, uint64_t off, uint32_t count)
{
	uint64_t size = chip_region_size(info, region);

	if (count == 0 || count > size || off > size - count)
		return -EINVAL;
	if (region != VFIO_PCI_CONFIG_REGION_INDEX && count != 1 && count != 2 && count != 4 &&
	    count != 8)
		return -EINVAL;
	return 0;
}

/* How much of the rest goes in one access: in configuration space what is naturally aligned. */
static unsigned int
piece(unsigned int region, uint64_t off, uint32_t left)
{
	if (region != VFIO_PCI_CONFIG_REGION_INDEX)
		return left == 8 ? 4 : left;
	if ((off & 1) != 0 || left == 1)
		return 1;
	return (off & 2) != 0 || left < 4 ? 2 : 4;
}

int
chip_region_read(struct pw_model *m, unsigned int region, uint64_t off, uint32_t count,
		 uint8_t *data)
{
	bool cfg = region == VFIO_PCI_CONFIG_REGION_INDEX;
	int rc = check(pw_model_info(m), region, off, count);

	while (rc == 0 && count > 0) {
		unsigned int n = piece(region, off, count);
		uint32_t val = cfg ? pw_model_cfg_read(m, (uint32_t)off, n)
				   : pw_model_bar_read(m, region, (uint32_t)off, n);

		memcpy(data, &val, n);
		data += n;
		off += n;
		count -= n;
	}
	return rc;
}

int
chip_region_write(struct pw_model *m, unsigned int region, uint64_t off, uint32_t count,
		  const uint8_t *data)
{
	bool cfg = region == VFIO_PCI_CONFIG_REGION_INDEX;
	int rc = check(pw_model_info(m), region, off, count);

	while (rc == 0 && count > 0) {
		unsigned int n = piece(region, off, count);
		uint32_t val = 0;

		memcpy(&val, data, n);
		if (cfg)
			pw_model_cfg_write(m, (uint32_t)off, val, n);
		else
			pw_model_bar_write(m, region, (uint32_t)off, val, n);
		data += n;
		off += n;
		count -= n;
	}
	return rc;
}
