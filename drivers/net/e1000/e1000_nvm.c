/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The EEPROM (§4.1): which of three ways leads to it, reading, writing, its checksum.
 *
 * It is a microwire or an SPI part behind four pins of EECD, or a flash that the chip makes look
 * like one. EERD reads a word by itself on most parts, and EEWR writes one on the newest; all
 * else is bits on pins. Words 0 to 0x3f add up to 0xbaba. A chip configures itself from them, so
 * what is written here decides whether the card comes up next time: the last of them is always
 * made to fit the others, and each word is read back.
 */

#include "e1000.h"

/* One word takes tens of microseconds; the shared code waits half a second for a dead one. */
#define EERD_TIMEOUT_US		20000
#define GRANT_TIMEOUT_US	5000
#define MICROWIRE_HALF_US	50
#define SPI_HALF_US		1
#define SPI_READY_TRIES		5000
#define SPI_WRITE_MS		10
#define EEWR_TIMEOUT_US		500000
#define FLASH_TIMEOUT_US	2000000

static int
nvm_acquire(const struct e1000_hw *hw)
{
	int rc;

	if ((hw->flags & E1000_F_EECD_REQ) == 0)
		return 0;
	pw_modify32(hw->io, E1000_EECD, 0, E1000_EECD_REQ);
	rc = pw_wait32(hw->io, E1000_EECD, E1000_EECD_GNT, E1000_EECD_GNT, GRANT_TIMEOUT_US, 5);
	if (rc != 0)
		pw_modify32(hw->io, E1000_EECD, E1000_EECD_REQ, 0);
	return rc;
}

static void
nvm_release(const struct e1000_hw *hw)
{
	if (hw->flags & E1000_F_EECD_REQ)
		pw_modify32(hw->io, E1000_EECD, E1000_EECD_REQ, 0);
}

static void
spi_pin(const struct e1000_hw *hw, uint32_t clear, uint32_t set)
{
	pw_modify32(hw->io, E1000_EECD, clear, set);
	e1000_flush(hw);
	rte_delay_us(SPI_HALF_US);
}

static void
spi_out(const struct e1000_hw *hw, uint32_t data, unsigned int bits)
{
	while (bits-- > 0) {
		spi_pin(hw, E1000_EECD_DI, data >> bits & 1 ? E1000_EECD_DI : 0);
		spi_pin(hw, 0, E1000_EECD_SK);
		spi_pin(hw, E1000_EECD_SK, 0);
	}
	spi_pin(hw, E1000_EECD_DI, 0);
}

static uint32_t
spi_in(const struct e1000_hw *hw, unsigned int bits)
{
	uint32_t data = 0;

	while (bits-- > 0) {
		spi_pin(hw, 0, E1000_EECD_SK);
		data = data << 1 | ((pw_read32(hw->io, E1000_EECD) & E1000_EECD_DO) != 0);
		spi_pin(hw, E1000_EECD_SK, 0);
	}
	return data;
}

/* Chip select is active low: high and low again ends one command and begins the next. */
static void
spi_standby(const struct e1000_hw *hw)
{
	spi_pin(hw, 0, E1000_EECD_CS);
	spi_pin(hw, E1000_EECD_CS, 0);
}

static int
spi_ready(const struct e1000_hw *hw)
{
	spi_pin(hw, E1000_EECD_CS | E1000_EECD_SK | E1000_EECD_DI, 0);
	for (unsigned int i = 0; i < SPI_READY_TRIES; i++) {
		spi_out(hw, E1000_SPI_RDSR, 8);
		if ((spi_in(hw, 8) & E1000_SPI_RDSR_BUSY) == 0) {
			spi_standby(hw);
			return 0;
		}
		if (e1000_gone(hw))
			return -ENODEV;
		spi_standby(hw);
	}
	return -ETIMEDOUT;
}

/* The part counts bytes and sends each word's low byte first. */
static int
spi_read(const struct e1000_hw *hw, uint16_t word, uint16_t n, uint16_t *data)
{
	uint32_t opcode = E1000_SPI_READ;
	int rc = spi_ready(hw);

	if (rc != 0)
		return rc;
	if (hw->spi_addr_bits == 8 && word >= 128)
		opcode |= E1000_SPI_A8;
	spi_out(hw, opcode, 8);
	spi_out(hw, word * 2u, hw->spi_addr_bits);
	for (uint16_t i = 0; i < n; i++)
		data[i] = rte_bswap16((uint16_t)spi_in(hw, 16));
	spi_pin(hw, 0, E1000_EECD_CS);
	return 0;
}

int
e1000_read_nvm(struct e1000_hw *hw, uint16_t word, uint16_t n, uint16_t *data)
{
	int rc;

	if (hw->nvm_access == E1000_NVM_BY_EERD)
		return pw_eerd_read(&hw->eerd, word, n, data);
	rc = nvm_acquire(hw);
	if (rc != 0)
		return rc;
	rc = hw->nvm_access == E1000_NVM_BY_SPI ? spi_read(hw, word, n, data) :
						  pw_microwire_read(&hw->mw, word, n, data);
	nvm_release(hw);
	return rc;
}

/* How the pins are to be used, for reading where EERD does not answer, and for writing. */
static void
nvm_find_pins(struct e1000_hw *hw)
{
	uint32_t eecd = pw_read32(hw->io, E1000_EECD);
	bool any = hw->variant->nvm == E1000_NVM_EERD_ANY;

	if ((hw->flags & E1000_F_PCIE) || (any && (eecd & E1000_EECD_TYPE))) {
		hw->nvm_write = hw->flags & E1000_F_EEWR ? E1000_NVM_BY_EEWR : E1000_NVM_BY_SPI;
		hw->spi_addr_bits = eecd & E1000_EECD_ADDR_BITS ? 16 : 8;
		return;
	}
	hw->nvm_write = E1000_NVM_BY_MICROWIRE;
	hw->mw = (struct pw_microwire){
		.io = hw->io,
		.reg = E1000_EECD,
		.width = 4,
		.sk = E1000_EECD_SK,
		.cs = E1000_EECD_CS,
		.di = E1000_EECD_DI,
		.do_ = E1000_EECD_DO,
		.keep = hw->flags & E1000_F_EECD_REQ ? E1000_EECD_REQ : 0,
		.addr_bits = eecd & (any ? E1000_EECD_ADDR_BITS : E1000_EECD_SIZE) ?
				     E1000_MW_ADDR_BITS_LARGE : E1000_MW_ADDR_BITS_SMALL,
		.half_us = MICROWIRE_HALF_US,
		/* QEMU's 82544GC shows another word's bit in its place. */
		.no_dummy = true,
	};
}

/* Read through the pins as well. */
static void
nvm_use_pins(struct e1000_hw *hw)
{
	uint16_t size;

	hw->nvm_access = hw->nvm_write;
	if (hw->nvm_access == E1000_NVM_BY_MICROWIRE) {
		hw->nvm_words = 1u << hw->mw.addr_bits;
		return;
	}
	hw->nvm_words = 64;
	if (e1000_read_nvm(hw, E1000_NVM_CFG, 1, &size) != 0)
		return;
	size = (size & E1000_NVM_CFG_SIZE_MASK) >> E1000_NVM_CFG_SIZE_SHIFT;
	if (size != 0)
		hw->nvm_words = 1u << (size + 7);
}

/*
 * EERD reads a word in tens of microseconds where the pins take milliseconds, but not every
 * card and no old emulator answers it: try, and fall back.
 */
static void
nvm_find(struct e1000_hw *hw)
{
	bool large = hw->variant->nvm != E1000_NVM_EERD_SMALL;
	uint32_t eecd = pw_read32(hw->io, E1000_EECD);
	uint16_t word;

	nvm_find_pins(hw);
	if (hw->variant->nvm == E1000_NVM_MICROWIRE) {
		nvm_use_pins(hw);
		return;
	}
	hw->nvm_access = E1000_NVM_BY_EERD;
	hw->eerd = (struct pw_eerd){
		.io = hw->io,
		.reg = E1000_EERD,
		.start = E1000_EERD_START,
		.done = large ? E1000_EERD_LARGE_DONE : E1000_EERD_SMALL_DONE,
		.addr_shift = large ? E1000_EERD_LARGE_ADDR_SHIFT : E1000_EERD_SMALL_ADDR_SHIFT,
		.data_shift = E1000_EERD_DATA_SHIFT,
		.timeout_us = EERD_TIMEOUT_US,
	};
	if (hw->flags & E1000_F_PCIE)
		hw->nvm_words = 1u << (6 + ((eecd & E1000_EECD_SIZE_EX_MASK) >>
					    E1000_EECD_SIZE_EX_SHIFT));
	else
		hw->nvm_words = large || (eecd & E1000_EECD_SIZE) == 0 ? 64 : 256;
	if (hw->variant->nvm != E1000_NVM_EERD_LARGE && pw_eerd_read(&hw->eerd, 0, 1, &word) != 0)
		nvm_use_pins(hw);
}

static int
nvm_sum(struct e1000_hw *hw, uint16_t *sum)
{
	uint16_t data[E1000_NVM_CSUM + 1];
	int rc = e1000_read_nvm(hw, 0, RTE_DIM(data), data);
	uint16_t ones = UINT16_MAX;

	if (rc != 0)
		return rc;
	for (unsigned int i = 0; i < RTE_DIM(data); i++)
		ones &= data[i];
	*sum = pw_eeprom_sum(data, RTE_DIM(data));
	/* A data line that nobody drives reads as ones. */
	return ones == UINT16_MAX ? -EIO : 0;
}

/* Read it twice before calling it bad: the chip may just have been reading it itself. */
int
e1000_nvm_check(struct e1000_hw *hw)
{
	uint16_t sum = 0;
	int rc = 0;

	nvm_find(hw);
	for (unsigned int i = 0; i < 2; i++) {
		rc = nvm_sum(hw, &sum);
		if (rc == 0 && sum == E1000_NVM_CSUM_SUM)
			return 0;
	}
	if (rc != 0) {
		PW_LOG(ERR, "%s: EEPROM does not answer (%s): the card's EEPROM is missing or "
			    "dead; try another card", hw->dev->name, rte_strerror(-rc));
		return rc;
	}
	PW_LOG(ERR, "%s: EEPROM checksum is 0x%04x, not 0x%04x: its contents are damaged; restore "
		    "them with the board maker's tool", hw->dev->name, sum, E1000_NVM_CSUM_SUM);
	return -EBADMSG;
}

static int
words_read(void *ctx, uint16_t word, uint16_t n, uint16_t *data)
{
	return e1000_read_nvm(ctx, word, n, data);
}

/* The second port of a card has the address behind the first one's. */
int
e1000_read_mac(struct e1000_hw *hw)
{
	uint32_t port = (pw_read32(hw->io, E1000_STATUS) & E1000_STATUS_FUNC_MASK) >>
			E1000_STATUS_FUNC_SHIFT;
	int rc = pw_eeprom_mac(hw->dev, words_read, hw, E1000_NVM_MAC, &hw->mac);

	if (rc != 0)
		return rc;
	if ((hw->flags & E1000_F_PORT_MAC) && port == 1)
		hw->mac.addr_bytes[5] ^= 1;
	return pw_eth_check_mac(hw->dev, &hw->mac);
}

/* --- writing --- */

/* One word a command: it lies within a page, whatever the part's page size. */
static int
spi_write_word(const struct e1000_hw *hw, uint16_t word, uint16_t val)
{
	uint32_t opcode = E1000_SPI_WRITE;
	int rc = spi_ready(hw);

	if (rc != 0)
		return rc;
	if (hw->spi_addr_bits == 8 && word >= 128)
		opcode |= E1000_SPI_A8;
	spi_out(hw, E1000_SPI_WREN, 8);
	spi_standby(hw);
	spi_out(hw, opcode, 8);
	spi_out(hw, word * 2u, hw->spi_addr_bits);
	spi_out(hw, rte_bswap16(val), 16);
	/* It is written when select ends. */
	spi_pin(hw, 0, E1000_EECD_CS);
	rte_delay_ms(SPI_WRITE_MS);
	rc = spi_ready(hw);
	spi_pin(hw, 0, E1000_EECD_CS);
	return rc;
}

static int
spi_write(const struct e1000_hw *hw, uint16_t word, uint16_t n, const uint16_t *data)
{
	int rc = 0;

	for (uint16_t i = 0; i < n && rc == 0; i++)
		rc = spi_write_word(hw, word + i, data[i]);
	return rc;
}

static int
eewr_write(const struct e1000_hw *hw, uint16_t word, uint16_t n, const uint16_t *data)
{
	int rc = 0;

	for (uint16_t i = 0; i < n && rc == 0; i++) {
		pw_write32(hw->io, E1000_EEWR,
			   (uint32_t)data[i] << E1000_EEWR_DATA_SHIFT |
			   (uint32_t)(word + i) << E1000_EEWR_ADDR_SHIFT | E1000_EEWR_START);
		rc = pw_wait32(hw->io, E1000_EEWR, E1000_EEWR_DONE, E1000_EEWR_DONE,
			       EEWR_TIMEOUT_US, 5);
	}
	return rc;
}

/* Where a flash stands for the EEPROM, EEWR writes to a copy, and this writes that back. */
static int
flash_commit(const struct e1000_hw *hw)
{
	uint32_t eecd = pw_read32(hw->io, E1000_EECD);
	int rc;

	if ((eecd & E1000_EECD_FLASH_MASK) != E1000_EECD_FLASH_MASK)
		return 0;
	rc = pw_wait32(hw->io, E1000_EECD, E1000_EECD_FLUPD, 0, FLASH_TIMEOUT_US, 1000);
	if (rc != 0)
		return rc;
	/* Not by itself as well, at some time of its own. */
	pw_modify32(hw->io, E1000_EECD, E1000_EECD_AUPDEN, E1000_EECD_FLUPD);
	return pw_wait32(hw->io, E1000_EECD, E1000_EECD_FLUPD, 0, FLASH_TIMEOUT_US, 1000);
}

static int
nvm_write_words(struct e1000_hw *hw, uint16_t word, uint16_t n, const uint16_t *data)
{
	int rc;

	if (hw->nvm_write == E1000_NVM_BY_EEWR)
		return eewr_write(hw, word, n, data);
	rc = nvm_acquire(hw);
	if (rc != 0)
		return rc;
	rc = hw->nvm_write == E1000_NVM_BY_SPI ? spi_write(hw, word, n, data) :
						 pw_microwire_write(&hw->mw, word, n, data);
	nvm_release(hw);
	return rc;
}

/* What was written must be there: a protected or an absent part takes everything. */
static int
nvm_verify(struct e1000_hw *hw, uint16_t word, uint16_t n, const uint16_t *data)
{
	uint16_t back;
	int rc = 0;

	for (uint16_t i = 0; i < n && rc == 0; i++) {
		rc = e1000_read_nvm(hw, word + i, 1, &back);
		if (rc == 0 && back != data[i])
			rc = -EIO;
	}
	return rc;
}

static int
nvm_fix_sum(struct e1000_hw *hw)
{
	uint16_t data[E1000_NVM_CSUM];
	uint16_t sum;
	int rc = e1000_read_nvm(hw, 0, E1000_NVM_CSUM, data);

	if (rc != 0)
		return rc;
	sum = E1000_NVM_CSUM_SUM - pw_eeprom_sum(data, E1000_NVM_CSUM);
	rc = nvm_write_words(hw, E1000_NVM_CSUM, 1, &sum);
	return rc != 0 ? rc : nvm_verify(hw, E1000_NVM_CSUM, 1, &sum);
}

/**
 * Write words, and then the checksum that fits, whatever was to be written there.
 *
 * @return 0; -EIO if the part does not keep what is written; the part's error. The checksum is
 *   made to fit in each case that it can be.
 */
int
e1000_write_nvm(struct e1000_hw *hw, uint16_t word, uint16_t n, const uint16_t *data)
{
	int rc, sum_rc = 0, commit_rc = 0;

	rc = e1000_phy_lock(hw);
	if (rc != 0)
		return rc;
	rc = nvm_write_words(hw, word, n, data);
	/* The sum's own word is not verified: it is written below. */
	if (rc == 0 && word < E1000_NVM_CSUM)
		rc = nvm_verify(hw, word, RTE_MIN(n, E1000_NVM_CSUM - word), data);
	if (rc == 0 && word + n > E1000_NVM_CSUM + 1) {
		uint16_t skip = word > E1000_NVM_CSUM ? 0 : E1000_NVM_CSUM + 1 - word;

		rc = nvm_verify(hw, word + skip, n - skip, data + skip);
	}
	if (word <= E1000_NVM_CSUM)
		sum_rc = nvm_fix_sum(hw);
	if (hw->nvm_write == E1000_NVM_BY_EEWR)
		commit_rc = flash_commit(hw);
	e1000_phy_unlock(hw);
	return rc != 0 ? rc : sum_rc != 0 ? sum_rc : commit_rc;
}

/* --- ethdev --- */

static int
words_write(void *ctx, uint16_t word, uint16_t n, const uint16_t *data)
{
	return e1000_write_nvm(ctx, word, n, data);
}

int
e1000_get_eeprom_length(struct rte_eth_dev *eth)
{
	return e1000_adapter_of(eth)->hw.nvm_words * 2;
}

int
e1000_get_eeprom(struct rte_eth_dev *eth, struct rte_dev_eeprom_info *info)
{
	struct e1000_hw *hw = &e1000_adapter_of(eth)->hw;

	return pw_eeprom_get(eth, words_read, hw, hw->nvm_words, info);
}

int
e1000_set_eeprom(struct rte_eth_dev *eth, struct rte_dev_eeprom_info *info)
{
	struct e1000_hw *hw = &e1000_adapter_of(eth)->hw;

	return pw_eeprom_set(eth, words_write, hw, hw->nvm_words, info);
}

/* NVM word 5 holds three numbers: 15:12, 11:4, 3:0 (§4.1). */
int
e1000_fw_version_get(struct rte_eth_dev *eth, char *text, size_t size)
{
	uint16_t word;
	int n, rc = e1000_read_nvm(&e1000_adapter_of(eth)->hw, E1000_NVM_VERSION, 1, &word);

	if (rc != 0)
		return rc;
	if (word == E1000_NVM_UNUSED)
		n = snprintf(text, size, "none");
	else
		n = snprintf(text, size, "%u.%u-%u", word >> 12, word >> 4 & 0xff, word & 0xf);
	return n < 0 ? -EINVAL : (size_t)n + 1 > size ? n + 1 : 0;
}
