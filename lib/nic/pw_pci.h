/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_PCI_H_
#define _PW_PCI_H_

/**
 * @file
 * What a driver does in its device's PCI configuration space: find a capability, change a word.
 * Control threads only; not thread-safe. Register names and values are those of PCI 2.2,
 * PCI Power Management 1.2, PCI-X 1.0 and PCI Express 1.1.
 */

#include <stdint.h>

#include <rte_byteorder.h>

#include "pw_attach.h"

#define PW_PCI_COMMAND		0x04
#define PW_PCI_COMMAND_MEMORY	0x0002
#define PW_PCI_COMMAND_MASTER	0x0004
#define PW_PCI_COMMAND_MWI	0x0010	/* memory write and invalidate */
#define PW_PCI_STATUS		0x06
#define PW_PCI_STATUS_CAPS	0x0010
#define PW_PCI_CACHE_LINE	0x0C	/* 8 bits, in dwords */
#define PW_PCI_CAP_POINTER	0x34

#define PW_PCI_CAP_PM		0x01
#define PW_PCI_PM_CONTROL	0x04	/* from the capability */
#define PW_PCI_PM_STATE_MASK	0x0003	/* 0: D0 */
#define PW_PCI_PM_PME_EN	0x0100
#define PW_PCI_PM_PME_STATUS	0x8000	/* cleared by writing 1 */
#define PW_PCI_PM_D0_MS		10	/* from D3hot to the first access (PM 1.2 §5.6.1) */

#define PW_PCI_CAP_PCIX		0x07
#define PW_PCI_PCIX_COMMAND	0x02	/* from the capability */
#define PW_PCI_PCIX_MMRBC_MASK	0x000C	/* longest burst that is read */
#define PW_PCI_PCIX_MMRBC_2K	0x0008

#define PW_PCI_CAP_EXPRESS	0x10
#define PW_PCI_LINK_CONTROL	0x10	/* from the capability */
#define PW_PCI_LINK_L0S		0x0001	/* ASPM may enter L0s, L1 */
#define PW_PCI_LINK_L1		0x0002

/**
 * @param dev
 *   The device; without access to configuration space there are no capabilities.
 * @param want
 *   Capability id.
 * @return offset of the capability in bytes, 0 if the function has none of that kind.
 */
static inline uint32_t
pw_pci_cap(const struct pw_dev *dev, uint8_t want)
{
	uint16_t status = 0;
	uint8_t pos = 0, cap[2];

	if (dev->cfg_read == NULL || dev->cfg_read(dev, &status, 2, PW_PCI_STATUS) != 0 ||
	    (rte_le_to_cpu_16(status) & PW_PCI_STATUS_CAPS) == 0 ||
	    dev->cfg_read(dev, &pos, 1, PW_PCI_CAP_POINTER) != 0)
		return 0;
	/* A list of 4-byte entries behind the header has at most 48; a broken one may loop. */
	for (unsigned int i = 0; i < 48 && pos >= 0x40; i++) {
		if (dev->cfg_read(dev, cap, 2, pos & ~3u) != 0)
			return 0;
		if (cap[0] == want)
			return pos & ~3u;
		pos = cap[1];
	}
	return 0;
}

/**
 * @param off
 *   Offset of a 16-bit register, bytes.
 * @return its value, 0 if it cannot be read.
 */
static inline uint16_t
pw_pci_read16(const struct pw_dev *dev, uint32_t off)
{
	uint16_t val = 0;

	if (dev->cfg_read == NULL || dev->cfg_read(dev, &val, 2, off) != 0)
		return 0;
	return rte_le_to_cpu_16(val);
}

/** Clear the bits of `clear`, then set those of `set`; no write if that changes nothing. */
static inline void
pw_pci_modify16(const struct pw_dev *dev, uint32_t off, uint16_t clear, uint16_t set)
{
	uint16_t old, val;

	if (dev->cfg_read == NULL || dev->cfg_read(dev, &old, 2, off) != 0)
		return;
	val = rte_cpu_to_le_16((rte_le_to_cpu_16(old) & ~clear) | set);
	if (val != old)
		dev->cfg_write(dev, &val, 2, off);
}

#endif /* _PW_PCI_H_ */
