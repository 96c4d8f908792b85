/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_EEPROM_H_
#define _PW_EEPROM_H_

/**
 * @file
 * Serial EEPROMs: the 93C46/56/66 microwire engine, bit-banged through four pins of a chip's
 * register, and the one-register "EERD" read port. Control path only; not thread-safe.
 */

#include <stdbool.h>
#include <stdint.h>

#include "pw_io.h"

/** Where a chip's register has the four microwire pins. */
struct pw_microwire {
	const struct pw_io *io;
	uint32_t reg;		/**< register offset, bytes */
	uint8_t width;		/**< register width, bytes: 1, 2 or 4 */
	uint32_t sk, cs, di, do_; /**< pin masks: clock, select, data to and from the EEPROM */
	uint32_t keep;		/**< other bits to keep set while the pins are driven */
	uint8_t addr_bits;	/**< 6 for 64 words, 8 for 256; 0: not yet known */
	bool no_dummy;		/**< the dummy zero may be missing: a read takes what comes */
	uint32_t half_us;	/**< half a clock period, microseconds */
};

/** Where a chip's EERD-like register has its fields. */
struct pw_eerd {
	const struct pw_io *io;
	uint32_t reg;		/**< register offset, bytes */
	uint32_t start, done;	/**< bit masks */
	uint8_t addr_shift;	/**< word address position */
	uint8_t data_shift;	/**< data position */
	uint32_t timeout_us;	/**< longest wait for one word */
};

/**
 * Find the address width by clocking a read command until the EEPROM answers with its dummy
 * zero (82559 manual §6.3.4.1 and the 93C46 data sheets).
 *
 * @return 0 with `addr_bits` set, or -ENODEV if nothing answers within 8 address bits.
 */
int pw_microwire_detect(struct pw_microwire *mw);

/**
 * Read words.
 *
 * @param mw
 *   The pins; addr_bits must be known.
 * @param word
 *   First word address.
 * @param n
 *   Number of words.
 * @param data
 *   Filled in, CPU byte order.
 * @return 0; -EINVAL outside the part; -EIO if the dummy zero did not come (no EEPROM, or a
 *   silent one, which with no_dummy reads as ones); -ENODEV if the register reads all ones.
 */
int pw_microwire_read(const struct pw_microwire *mw, uint16_t word, uint16_t n, uint16_t *data);

/**
 * Write words: enable, write each and wait for it (at most 20 ms a word), disable, read back.
 *
 * @return 0; -EINVAL; -ETIMEDOUT; -ENODEV; -EIO if a word does not read back as written (no
 *   EEPROM, or a protected one).
 */
int pw_microwire_write(const struct pw_microwire *mw, uint16_t word, uint16_t n,
		       const uint16_t *data);

/**
 * Read words through an EERD register.
 *
 * @return 0; -EINVAL if the address field cannot hold the address; -ETIMEDOUT; -ENODEV if the
 *   register reads all ones.
 */
int pw_eerd_read(const struct pw_eerd *e, uint16_t word, uint16_t n, uint16_t *data);

/** @return the 16-bit sum of `n` words, for the parts that keep a checksum word. */
uint16_t pw_eeprom_sum(const uint16_t *data, uint16_t n);

#endif /* _PW_EEPROM_H_ */
