/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The EEPROM (§4.1): a microwire part of 64 or 256 words behind four pins. It holds the station
 * address, what PHY the board has, and which errata it does not suffer from. All words add up to
 * 0xbaba. The chip configures itself from it at power-up, so what is written here decides
 * whether the card comes up next time: the last word is always made to fit the others, and each
 * word is read back.
 *
 * Nothing is written unless somebody asks for it by name. That includes the cure of the dynamic
 * standby erratum: the bit may be cleared once and for all with standby=off, but a card works
 * without it, by a command that does nothing before each resume at 10 Mb (§7).
 */

#include "i8255x.h"

#define MICROWIRE_HALF_US	4

int
i8255x_read_nvm(struct i8255x_hw *hw, uint16_t word, uint16_t n, uint16_t *data)
{
	return pw_microwire_read(&hw->mw, word, n, data);
}

static int
nvm_find(struct i8255x_hw *hw)
{
	int rc;

	hw->mw = (struct pw_microwire){
		.io = hw->io,
		.reg = I8255X_EEPROM,
		.width = 2,
		.sk = I8255X_EEPROM_SK,
		.cs = I8255X_EEPROM_CS,
		.di = I8255X_EEPROM_DI,
		.do_ = I8255X_EEPROM_DO,
		.half_us = MICROWIRE_HALF_US,
	};
	rc = pw_microwire_detect(&hw->mw);
	if (rc != 0)
		return i8255x_gone(hw) ? -ENODEV : -EIO;
	hw->nvm_words = 1u << hw->mw.addr_bits;
	return 0;
}

/* Read it twice before calling it bad: the chip may just have been reading it itself. */
static int
nvm_load(struct i8255x_hw *hw, uint16_t data[I8255X_NVM_WORDS_LARGE])
{
	uint16_t sum = 0;
	int rc = nvm_find(hw);

	for (unsigned int i = 0; i < 2 && rc == 0; i++) {
		rc = i8255x_read_nvm(hw, 0, hw->nvm_words, data);
		sum = pw_eeprom_sum(data, hw->nvm_words);
		if (rc == 0 && sum == I8255X_NVM_SUM)
			return 0;
	}
	if (rc != 0) {
		PW_LOG(ERR, "%s: EEPROM does not answer (%s): the card's EEPROM is missing or "
			    "dead; try another card", hw->dev->name, rte_strerror(-rc));
		return rc;
	}
	PW_LOG(ERR, "%s: EEPROM checksum is 0x%04x, not 0x%04x: its contents are damaged; restore "
		    "them with the board maker's tool", hw->dev->name, sum, I8255X_NVM_SUM);
	return -EBADMSG;
}

/* What this board has of its chip's errata (§7). */
static void
nvm_errata(struct i8255x_hw *hw)
{
	if ((hw->nvm_compat & I8255X_NVM_COMPAT_LOCKUP_OK) == I8255X_NVM_COMPAT_LOCKUP_OK)
		hw->flags &= ~I8255X_F_ERR_LOCKUP;
	if ((hw->nvm_id & I8255X_NVM_ID_STANDBY) == 0)
		hw->flags &= ~I8255X_F_ERR_STANDBY;
	if ((hw->nvm_compat & I8255X_NVM_COMPAT_SERVER) == 0)
		hw->flags &= ~I8255X_F_ERR_FRAGMENTS;
	if (hw->flags & I8255X_F_ERR_FRAGMENTS)
		PW_LOG(WARNING, "%s: a server board with %s loses fragmented UDP packets without "
				"Intel's microcode, which is not part of this driver",
		       hw->dev->name, hw->row.name);
	if (hw->flags & I8255X_F_ERR_STANDBY)
		PW_LOG(INFO, "%s: dynamic standby is enabled in the EEPROM: worked round at 10 Mb; "
			     "standby=off clears it for good", hw->dev->name);
}

/**
 * Find the EEPROM, check it, keep what the driver needs to know. Chip and errata flags are
 * those of the board afterwards.
 *
 * @return 0; -EIO if nothing answers; -EBADMSG if the checksum is wrong; -ENODEV. One log line.
 */
int
i8255x_nvm_init(struct i8255x_hw *hw)
{
	uint16_t data[I8255X_NVM_WORDS_LARGE];
	int rc = nvm_load(hw, data);

	if (rc != 0)
		return rc;
	hw->nvm_compat = data[I8255X_NVM_COMPAT];
	hw->nvm_phy = data[I8255X_NVM_PHY];
	hw->nvm_id = data[I8255X_NVM_ID];
	if ((data[I8255X_NVM_CONTROLLER] & 0xFF00u) == I8255X_NVM_CONTROLLER_82557)
		i8255x_be_82557(hw);
	nvm_errata(hw);
	return 0;
}

static int
words_read(void *ctx, uint16_t word, uint16_t n, uint16_t *data)
{
	return i8255x_read_nvm(ctx, word, n, data);
}

int
i8255x_read_mac(struct i8255x_hw *hw)
{
	int rc = pw_eeprom_mac(hw->dev, words_read, hw, I8255X_NVM_MAC, &hw->mac);

	return rc != 0 ? rc : pw_eth_check_mac(hw->dev, &hw->mac);
}

/* --- writing --- */

static int
nvm_fix_sum(struct i8255x_hw *hw)
{
	uint16_t data[I8255X_NVM_WORDS_LARGE];
	uint16_t last = hw->nvm_words - 1, sum;
	int rc = i8255x_read_nvm(hw, 0, last, data);

	if (rc != 0)
		return rc;
	sum = I8255X_NVM_SUM - pw_eeprom_sum(data, last);
	return pw_microwire_write(&hw->mw, last, 1, &sum);
}

/**
 * Write words, and then the checksum that fits, whatever was to be written there.
 *
 * @return 0; -EIO if the part does not keep what is written; the part's error. The checksum is
 *   made to fit in each case that it can be.
 */
int
i8255x_write_nvm(struct i8255x_hw *hw, uint16_t word, uint16_t n, const uint16_t *data)
{
	int rc, sum_rc;

	if (n == 0 || (uint32_t)word + n > hw->nvm_words)
		return -EINVAL;
	/* The last word is not written twice: these parts wear out. */
	rc = pw_microwire_write(&hw->mw, word, RTE_MIN(n, hw->nvm_words - 1 - word), data);
	sum_rc = nvm_fix_sum(hw);
	return rc != 0 ? rc : sum_rc;
}

/**
 * Clear dynamic standby in the EEPROM (§7). The chip reads it at power-up, so the erratum's flag
 * stays until then. Nothing is written unless the word looks as it must; if writing fails, what
 * was there is written back.
 *
 * @return 0, also if there is nothing to clear; -EBADMSG for a word that no EEPROM has;
 *   -EIO and the like if it does not take the write. One log line unless nothing was to be done.
 */
int
i8255x_standby_off(struct i8255x_hw *hw)
{
	uint16_t old, id;
	int rc;

	if ((hw->flags & I8255X_F_ERR_STANDBY) == 0)
		return 0;
	rc = i8255x_read_nvm(hw, I8255X_NVM_ID, 1, &old);
	/* Once more than nvm_init(), which has checked the sum over all words. */
	if (rc == 0 && (old != hw->nvm_id ||
			(old & I8255X_NVM_ID_SIGNATURE_MASK) != I8255X_NVM_ID_SIGNATURE))
		rc = -EBADMSG;
	if (rc != 0)
		goto failed;
	id = old & ~I8255X_NVM_ID_STANDBY;
	rc = i8255x_write_nvm(hw, I8255X_NVM_ID, 1, &id);
	if (rc != 0) {
		(void)i8255x_write_nvm(hw, I8255X_NVM_ID, 1, &old);
		goto failed;
	}
	hw->nvm_id = id;
	PW_LOG(NOTICE, "%s: dynamic standby cleared in the EEPROM, word 0x%02x: 0x%04x -> 0x%04x; "
		       "in force from the next power-up", hw->dev->name, I8255X_NVM_ID, old, id);
	return 0;
failed:
	PW_LOG(ERR, "%s: dynamic standby not cleared in the EEPROM (%s): leave standby=off out; "
		    "the work-around goes on", hw->dev->name, rte_strerror(-rc));
	return rc;
}

/* --- ethdev --- */

static int
words_write(void *ctx, uint16_t word, uint16_t n, const uint16_t *data)
{
	return i8255x_write_nvm(ctx, word, n, data);
}

int
i8255x_get_eeprom_length(struct rte_eth_dev *eth)
{
	return i8255x_adapter_of(eth)->hw.nvm_words * 2;
}

int
i8255x_get_eeprom(struct rte_eth_dev *eth, struct rte_dev_eeprom_info *info)
{
	struct i8255x_hw *hw = &i8255x_adapter_of(eth)->hw;

	return pw_eeprom_get(eth, words_read, hw, hw->nvm_words, info);
}

int
i8255x_set_eeprom(struct rte_eth_dev *eth, struct rte_dev_eeprom_info *info)
{
	struct i8255x_hw *hw = &i8255x_adapter_of(eth)->hw;

	return pw_eeprom_set(eth, words_write, hw, hw->nvm_words, info);
}

/* The EEPROM's revision and the number of the printed board: six digits and three (§4.1). */
int
i8255x_fw_version_get(struct rte_eth_dev *eth, char *text, size_t size)
{
	uint16_t word[I8255X_NVM_ID - I8255X_NVM_PBA + 1];
	int n, rc = i8255x_read_nvm(&i8255x_adapter_of(eth)->hw, I8255X_NVM_PBA, RTE_DIM(word),
				    word);

	if (rc != 0)
		return rc;
	n = snprintf(text, size, "%u, board %04X%02X-%03X", word[2] >> 8 & 7, word[0],
		     word[1] >> 8, word[1] & 0xFF);
	return n < 0 ? -EINVAL : (size_t)n + 1 > size ? n + 1 : 0;
}
