/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_IO_H_
#define _PW_IO_H_

/**
 * @file
 * Register access: the one seam between a driver and its device.
 *
 * With `base` set an access is a load or store on mapped memory; otherwise it goes through
 * `ops`: a port-I/O BAR, a BAR that VFIO could not map, or a chip model. The driver's objects
 * are the same in all cases. Values are in the CPU's byte order; devices are little endian.
 *
 * An accessor is as thread-safe as the register behind it; read-modify-write helpers are not.
 */

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_branch_prediction.h>
#include <rte_byteorder.h>
#include <rte_cycles.h>
#include <rte_io.h>

struct pw_io;

/** Access without a mapping. `width` is 1, 2 or 4 bytes; `off` is below `io->len`. */
struct pw_io_ops {
	uint32_t (*read)(const struct pw_io *io, uint32_t off, unsigned int width);
	void (*write)(const struct pw_io *io, uint32_t off, uint32_t val, unsigned int width);
};

/** One register window (BAR). */
struct pw_io {
	uint8_t *base;		     /**< mapped registers; NULL: use ops */
	const struct pw_io_ops *ops; /**< used when base is NULL */
	void *ctx;		     /**< the ops' own */
	uint32_t len;		     /**< bytes; 0: this BAR does not exist */
};

static inline uint32_t
pw_read32(const struct pw_io *io, uint32_t off)
{
	if (unlikely(io->base == NULL))
		return io->ops->read(io, off, 4);
	return rte_le_to_cpu_32(rte_read32(io->base + off));
}

static inline uint16_t
pw_read16(const struct pw_io *io, uint32_t off)
{
	if (unlikely(io->base == NULL))
		return (uint16_t)io->ops->read(io, off, 2);
	return rte_le_to_cpu_16(rte_read16(io->base + off));
}

static inline uint8_t
pw_read8(const struct pw_io *io, uint32_t off)
{
	if (unlikely(io->base == NULL))
		return (uint8_t)io->ops->read(io, off, 1);
	return rte_read8(io->base + off);
}

/** Stores to memory before this call are visible to the device before the register is. */
static inline void
pw_write32(const struct pw_io *io, uint32_t off, uint32_t val)
{
	if (unlikely(io->base == NULL))
		io->ops->write(io, off, val, 4);
	else
		rte_write32(rte_cpu_to_le_32(val), io->base + off);
}

static inline void
pw_write16(const struct pw_io *io, uint32_t off, uint16_t val)
{
	if (unlikely(io->base == NULL))
		io->ops->write(io, off, val, 2);
	else
		rte_write16(rte_cpu_to_le_16(val), io->base + off);
}

static inline void
pw_write8(const struct pw_io *io, uint32_t off, uint8_t val)
{
	if (unlikely(io->base == NULL))
		io->ops->write(io, off, val, 1);
	else
		rte_write8(val, io->base + off);
}

/** Clear the bits of `clear`, then set those of `set`, in a register that reads back. */
static inline void
pw_modify32(const struct pw_io *io, uint32_t off, uint32_t clear, uint32_t set)
{
	pw_write32(io, off, (pw_read32(io, off) & ~clear) | set);
}

/**
 * Wait until the masked bits of a register read as wanted, or until time is up.
 *
 * @param io
 *   The register window.
 * @param off
 *   Register offset in bytes.
 * @param mask
 *   Bits that matter.
 * @param want
 *   Value they must have.
 * @param timeout_us
 *   Longest wait in microseconds, kept through rte_delay_us().
 * @param step_us
 *   Time between two looks in microseconds, above 0.
 * @return
 *   0; -ETIMEDOUT; -ENODEV if the register reads all ones and that is not what is wanted, as
 *   it does when the device is gone. Sleeps; control path only.
 */
int pw_wait32(const struct pw_io *io, uint32_t off, uint32_t mask, uint32_t want,
	      uint32_t timeout_us, uint32_t step_us);

#endif /* _PW_IO_H_ */
