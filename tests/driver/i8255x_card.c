/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include "i8255x_card.h"

struct icard icard;
struct pw_dev icard_dev;
struct i8255x_hw icard_hw;

/* --- EEPROM: start, two opcode bits, address; a dummy zero and 16 bits (§4.1) ----------------- */

static void
nvm_store(uint32_t word, uint16_t val)
{
	icard.nvm_writes++;
	if (!icard.nvm_protected && icard.nvm_writes != icard.nvm_fail_at)
		icard.nvm[word % ICARD_NVM_MAX] = val;
}

static void
nvm_deselect(void)
{
	uint32_t bits = icard.nvm_bits;

	/* 101, address, word: written when select falls; EWEN 10011, EWDS 10000. */
	if (icard.nb_in == 3 + bits + 16 && icard.in >> (bits + 16) == 5 && icard.writable)
		nvm_store(icard.in >> 16 & ((1u << bits) - 1), (uint16_t)icard.in);
	if (icard.nb_in == 3 + bits && icard.in >> (bits - 2) == 0x13)
		icard.writable = true;
	if (icard.nb_in == 3 + bits && icard.in >> (bits - 2) == 0x10)
		icard.writable = false;
	icard.in = icard.nb_in = icard.nb_out = 0;
	icard.dout = true;
}

static void
nvm_pins(uint16_t old, uint16_t val)
{
	if (icard.nvm_bits == 0)
		return;
	if ((val & I8255X_EEPROM_CS) == 0) {
		nvm_deselect();
		return;
	}
	if ((val & ~old & I8255X_EEPROM_SK) == 0)
		return;
	if (icard.nb_out > 0) {
		icard.dout = icard.out >> --icard.nb_out & 1;
		return;
	}
	if (icard.nb_in == 0 && (val & I8255X_EEPROM_DI) == 0)
		return;
	icard.in = icard.in << 1 | ((val & I8255X_EEPROM_DI) != 0);
	if (++icard.nb_in == 3u + icard.nvm_bits && icard.in >> icard.nvm_bits == 6) {
		icard.out = icard.nvm[icard.in & ((1u << icard.nvm_bits) - 1)];
		if (icard.nvm_noise > 0) {
			icard.nvm_noise--;
			icard.out ^= 1;
		}
		icard.nb_out = 16;
		icard.dout = false;
	}
}

/* --- MDI (§2.6) ------------------------------------------------------------------------------- */

static void
phy_write(uint16_t *reg, uint32_t n, uint16_t val)
{
	if (n == MII_BMCR && (val & MII_BMCR_RESET) != 0) {
		icard.phy_resets++;
		icard.anar_at_reset = reg[MII_ANAR];
	}
	/* Reset and restart are over at once. */
	reg[n] = n == MII_BMCR ? val & ~(MII_BMCR_RESET | MII_BMCR_ANRESTART) : val;
	if (n == I82555_LED)
		reg[n] |= icard.phy_led_ro;
}

static void
mdi_write(uint32_t val)
{
	uint32_t addr = (val & I8255X_MDI_PHY_MASK) >> I8255X_MDI_PHY_SHIFT;
	uint32_t n = (val & I8255X_MDI_REG_MASK) >> I8255X_MDI_REG_SHIFT;
	uint16_t *reg = icard.phy[icard.phy_everywhere ? 1 : addr];
	bool there = icard.phy_everywhere || (icard.phys >> addr & 1) != 0;

	/* The cycle that is under way would be lost. */
	assert_int_equal(icard.mdi_left, 0);
	assert_int_equal(val & (I8255X_MDI_READY | I8255X_MDI_IE), 0);
	icard.mdi_cycles++;
	icard.mdi_left = 2;
	if ((val & I8255X_MDI_OP_MASK) == I8255X_MDI_WRITE) {
		if (there)
			phy_write(reg, n, (uint16_t)val);
	} else {
		assert_int_equal(val & I8255X_MDI_OP_MASK, I8255X_MDI_READ);
		val = (val & ~I8255X_MDI_DATA_MASK) | (there ? reg[n] : 0xFFFF);
	}
	icard.mdi = val;
}

static uint32_t
mdi_read(void)
{
	if (icard.mdi_stuck)
		return icard.mdi & ~I8255X_MDI_READY;
	if (icard.mdi_left > 0 && --icard.mdi_left > 0)
		return icard.mdi;
	return icard.mdi | I8255X_MDI_READY;
}

/* --- PORT and commands (§2.3, §2.5) ----------------------------------------------------------- */

static void
reset(char what)
{
	icard.port[strlen(icard.port)] = what;
	icard.csr[I8255X_STATUS] = icard.busy ? I8255X_STATUS_CUS_ACTIVE : 0;
	if (what == 'S')
		return;
	icard.master_at_reset = icard.cfg[4];
	icard.csr[I8255X_INT_CTRL] = 0;
	icard.csr[I8255X_STAT_ACK] = 0;
	icard.mdi = 0;
	icard.mdi_left = 0;
}

static void
port_write(uint32_t val)
{
	switch (val & I8255X_PORT_FUNC_MASK) {
	case I8255X_PORT_RESET:
		reset('R');
		break;
	case I8255X_PORT_SELECTIVE:
		reset('S');
		break;
	default:
		assert_int_equal(val & I8255X_PORT_FUNC_MASK, I8255X_PORT_SELFTEST);
		assert_int_equal(val & ~0xFu, 0x12340);
		if (icard.test != NULL) {
			icard.test->signature = 0x12345678;
			icard.test->result = icard.test_result;
		}
		reset('T');
		break;
	}
}

static void
command(uint8_t cmd)
{
	uint32_t pointer;

	/* It would be lost. */
	assert_int_equal(icard.csr[I8255X_CMD], 0);
	/* One unit at a time. */
	assert_true((cmd & I8255X_CMD_CUC_MASK) == 0 || (cmd & I8255X_CMD_RUC_MASK) == 0);
	assert_true(icard.nb_done < RTE_DIM(icard.done));
	memcpy(&pointer, &icard.csr[I8255X_POINTER], 4);
	icard.done[icard.nb_done].cmd = cmd;
	icard.done[icard.nb_done++].pointer = pointer;
	icard.csr[I8255X_CMD] = icard.cmd_lag > 0 || icard.cmd_stuck ? cmd : 0;
	icard.cmd_left = icard.cmd_lag;
}

/* --- the card --------------------------------------------------------------------------------- */

static void
before_read(uint32_t off)
{
	uint8_t *status = &icard.csr[I8255X_STATUS];

	if (off == I8255X_CMD && !icard.cmd_stuck && icard.cmd_left > 0 && --icard.cmd_left == 0) {
		if (icard.csr[I8255X_CMD] == I8255X_RUC_ABORT && icard.idle_lag == 0)
			*status &= ~I8255X_STATUS_RUS_MASK;
		icard.csr[I8255X_CMD] = 0;
	}
	if (off == I8255X_STATUS && icard.idle_lag > 0 && --icard.idle_lag == 0)
		*status &= ~I8255X_STATUS_RUS_MASK;
}

static uint32_t
card_read(const struct pw_io *io, uint32_t off, unsigned int width)
{
	uint32_t val = 0;

	(void)io;
	assert_true(off + width <= sizeof(icard.csr) && off % width == 0);
	if (icard.gone)
		return UINT32_MAX >> (32 - 8 * width);
	if (off == I8255X_MDI)
		return mdi_read();
	before_read(off);
	memcpy(&val, &icard.csr[off], width);
	if (off == I8255X_EEPROM) {
		assert_int_equal(width, 2);
		val &= ~I8255X_EEPROM_DO;
		if (icard.dout || icard.nvm_bits == 0)
			val |= I8255X_EEPROM_DO;
	}
	return val;
}

static void
card_write(const struct pw_io *io, uint32_t off, uint32_t val, unsigned int width)
{
	uint16_t pins;

	(void)io;
	assert_true(off + width <= sizeof(icard.csr) && off % width == 0);
	if (icard.gone)
		return;
	switch (off) {
	case I8255X_CMD:
		assert_int_equal(width, 1);
		command((uint8_t)val);
		return;
	case I8255X_PORT:
		assert_int_equal(width, 4);
		port_write(val);
		return;
	case I8255X_MDI:
		assert_int_equal(width, 4);
		mdi_write(val);
		return;
	case I8255X_EEPROM:
		assert_int_equal(width, 2);
		memcpy(&pins, &icard.csr[off], 2);
		nvm_pins(pins, (uint16_t)val);
		break;
	case I8255X_STAT_ACK:
	case I8255X_PMDR:
		assert_int_equal(width, 1);
		icard.csr[off] &= ~val;
		return;
	}
	memcpy(&icard.csr[off], &val, width);
}

static const struct pw_io_ops card_ops = { .read = card_read, .write = card_write };

static int
cfg_read(const struct pw_dev *d, void *buf, uint32_t len, uint32_t off)
{
	(void)d;
	memcpy(buf, icard.cfg + off, len);
	return 0;
}

/* PME status is cleared by writing a one. */
static int
cfg_write(const struct pw_dev *d, const void *buf, uint32_t len, uint32_t off)
{
	uint8_t old = icard.cfg[0xe1];

	(void)d;
	memcpy(icard.cfg + off, buf, len);
	if (off == 0xe0)
		icard.cfg[0xe1] = (icard.cfg[0xe1] & 0x7f) | (old & ~icard.cfg[0xe1] & 0x80);
	return 0;
}

void
icard_nvm_sum(void)
{
	unsigned int last = (icard.nvm_bits == 8 ? 256 : 64) - 1;
	uint16_t sum = 0;

	for (unsigned int i = 0; i < last; i++)
		sum += icard.nvm[i];
	icard.nvm[last] = 0xbaba - sum;
}

static void
make_phy(void)
{
	uint16_t *phy = icard.phy[1];

	icard.phys = 1u << 1;
	phy[MII_BMCR] = 0x3000;
	phy[MII_BMSR] = 0x782d;
	phy[MII_PHYID1] = 0x02a8;
	phy[MII_PHYID2] = 0x0154;
	phy[MII_ANAR] = 0x01e1;
	phy[MII_ANLPAR] = 0x45e1;
	phy[MII_ANER] = 0x0001;
	/* At address 1 (bits 6:2), 100 Mb/s, full duplex */
	phy[I82555_STATUS] = 0x0007;
	icard.csr[I8255X_GEN_STATUS] = 0x07;
}

void
icard_make(uint16_t device, uint8_t revision)
{
	memset(&icard, 0, sizeof(icard));
	memset(&icard_dev, 0, sizeof(icard_dev));
	icard_dev.name = "card";
	icard_dev.id.vendor_id = 0x8086;
	icard_dev.id.device_id = device;
	icard_dev.id.subsystem_vendor_id = 0x8086;
	icard_dev.id.subsystem_device_id = 0x000c;
	icard_dev.revision = revision;
	icard_dev.bar[0] = (struct pw_io){ .ops = &card_ops, .len = 4096 };
	icard_dev.bar[1] = (struct pw_io){ .ops = &card_ops, .len = 64 };
	icard_dev.cfg_read = cfg_read;
	icard_dev.cfg_write = cfg_write;
	icard.dout = true;
	icard.nvm_bits = 6;
	icard.nvm[0] = 0xaa00;
	icard.nvm[1] = 0x1100;
	icard.nvm[2] = 0x3322;
	icard.nvm[3] = 0x0003;
	icard.nvm[5] = 0x0201;
	icard.nvm[6] = 0x4701;
	icard.nvm[8] = 0x7213;
	icard.nvm[9] = 0x8306;
	icard.nvm[10] = 0x40a0;
	icard_nvm_sum();
	make_phy();
	/* Memory space on; a power management capability at DCh (§1.1). */
	icard.cfg[0x04] = 0x02;
	icard.cfg[0x06] = 0x10;
	icard.cfg[0x34] = 0xdc;
	icard.cfg[0xdc] = 0x01;
}

void
icard_init(uint16_t device, uint8_t revision)
{
	icard_make(device, revision);
	assert_int_equal(i8255x_hw_init(&icard_hw, &icard_dev), 0);
	assert_int_equal(i8255x_reset(&icard_hw), 0);
	assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
	i8255x_fc_init(&icard_hw);
}

void
icard_init_phy(uint16_t device, uint8_t revision)
{
	icard_init(device, revision);
	assert_int_equal(i8255x_phy_init(&icard_hw), 0);
}

struct rte_eth_dev *
icard_eth(void)
{
	static struct i8255x_adapter ad;
	static struct rte_eth_dev_data data;
	static struct rte_eth_dev eth;

	memset(&ad, 0, sizeof(ad));
	ad.dev = icard_dev;
	memcpy(&ad.hw, &icard_hw, sizeof(ad.hw));
	ad.hw.mii.ctx = &ad.hw;
	rte_spinlock_init(&ad.link_lock);
	data.dev_private = &ad;
	eth.data = &data;
	return &eth;
}
