/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The 8255x driver and its model share lib/hw, so a wrong fact there would pass every other
 * test. The tables below state the facts a second time, from the project's facts page (§), in
 * another form: whole bytes where the headers have bits, offsets where they have structs.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../../lib/hw/i8255x_desc.h"
#include "../../lib/hw/i8255x_ids.h"
#include "../../lib/hw/i8255x_regs.h"

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

struct row {
	const char *name;
	uint32_t header, manual;
};

#define R(name, val) { "I8255X_" #name, I8255X_##name, val }
#define P(name, val) { #name, name, val }

/* Registers, their bits and values (§2) */
static const struct row reg_table[] = {
	R(MEM_BAR_SIZE, 4096), R(IO_BAR_SIZE, 64), R(FLASH_BAR_SIZE, 128 * 1024), R(CSR_SIZE, 64),
	R(STATUS, 0x00), R(STAT_ACK, 0x01), R(CMD, 0x02), R(INT_CTRL, 0x03), R(POINTER, 0x04),
	R(PORT, 0x08), R(FLASH_CTRL, 0x0c), R(EEPROM, 0x0e), R(MDI, 0x10), R(RX_DMA_COUNT, 0x14),
	R(EARLY_RX, 0x18), R(FC_THRESHOLD, 0x19), R(FC_CMD, 0x1a), R(PMDR, 0x1b),
	R(GEN_CTRL, 0x1c), R(GEN_STATUS, 0x1d),
	/* §2.1: CUS in bits 7:6, 0 to 3; RUS in 5:2 */
	R(STATUS_CUS_MASK, 3 << 6), R(STATUS_CUS_IDLE, 0 << 6), R(STATUS_CUS_SUSPENDED, 1 << 6),
	R(STATUS_CUS_ACTIVE, 2 << 6), R(STATUS_CUS_HPQ, 3 << 6),
	R(STATUS_RUS_MASK, 15 << 2), R(STATUS_RUS_IDLE, 0 << 2), R(STATUS_RUS_SUSPENDED, 1 << 2),
	R(STATUS_RUS_NO_RES, 2 << 2), R(STATUS_RUS_READY, 4 << 2),
	/* §2.2 */
	R(ACK_CX, 0x80), R(ACK_FR, 0x40), R(ACK_CNA, 0x20), R(ACK_RNR, 0x10), R(ACK_MDI, 0x08),
	R(ACK_SWI, 0x04), R(ACK_ER, 0x02), R(ACK_FCP, 0x01), R(ACK_ALL, 255), R(ACK_GONE, 255),
	/* §2.3: CUC in bits 7:4, RUC in 2:0 */
	R(CMD_CUC_MASK, 15 << 4), R(CUC_NOP, 0 << 4), R(CUC_START, 1 << 4), R(CUC_RESUME, 2 << 4),
	R(CUC_HPQ_START, 3 << 4), R(CUC_DUMP_ADDR, 4 << 4), R(CUC_DUMP_STATS, 5 << 4),
	R(CUC_LOAD_BASE, 6 << 4), R(CUC_DUMP_RESET, 7 << 4), R(CUC_STATIC_RESUME, 10 << 4),
	R(CMD_RUC_MASK, 7), R(RUC_NOP, 0), R(RUC_START, 1), R(RUC_RESUME, 2), R(RUC_REDIRECT, 3),
	R(RUC_ABORT, 4), R(RUC_LOAD_HDS, 5), R(RUC_LOAD_BASE, 6), R(RUC_RBD_RESUME, 7),
	/* §2.4 */
	R(INT_MASK_CX, 0x80), R(INT_MASK_FR, 0x40), R(INT_MASK_CNA, 0x20), R(INT_MASK_RNR, 0x10),
	R(INT_MASK_ER, 0x08), R(INT_MASK_FCP, 0x04), R(INT_SI, 0x02), R(INT_M, 0x01),
	/* §2.5 */
	R(PORT_FUNC_MASK, 15), R(PORT_RESET, 0), R(PORT_SELFTEST, 1), R(PORT_SELECTIVE, 2),
	R(PORT_DUMP, 3), R(PORT_DUMP_WAKEUP, 7), R(PORT_WAIT_US, 10), R(SELFTEST_ALIGN, 16),
	R(SELFTEST_MS, 10), R(SELFTEST_ROM, 0x0004), R(SELFTEST_REGISTER, 0x0008),
	R(SELFTEST_DIAGNOSE, 0x0020), R(SELFTEST_GENERAL, 0x1000),
	/* §2.6 */
	R(EEPROM_SK, 1), R(EEPROM_CS, 2), R(EEPROM_DI, 4), R(EEPROM_DO, 8),
	R(MDI_DATA_MASK, 0x0000ffff), R(MDI_REG_SHIFT, 16), R(MDI_REG_MASK, 0x001f0000),
	R(MDI_PHY_SHIFT, 21), R(MDI_PHY_MASK, 0x03e00000), R(MDI_WRITE, 0x04000000),
	R(MDI_READ, 0x08000000), R(MDI_OP_MASK, 0x0c000000), R(MDI_READY, 0x10000000),
	R(MDI_IE, 0x20000000),
	/* §2, 18h to 1Dh */
	R(FC_THRESHOLD_MASK, 7), R(PMDR_PME, 0x01), R(PMDR_INTERESTING, 0x20),
	R(PMDR_MAGIC, 0x40), R(PMDR_LINK, 0x80), R(GEN_CTRL_DEEP_POWER_DOWN, 0x02),
	R(GEN_CTRL_PHY_RESET, 0x08), R(GEN_STATUS_LINK, 1), R(GEN_STATUS_100, 2),
	R(GEN_STATUS_FD, 4),
	/* §4.1 */
	R(NVM_MAC, 0), R(NVM_COMPAT, 3), R(NVM_COMPAT_LOCKUP_OK, 3), R(NVM_COMPAT_MDIX, 0x80),
	R(NVM_COMPAT_SERVER, 0x400), R(NVM_CONTROLLER, 5), R(NVM_CONTROLLER_82557, 0x100),
	R(NVM_PHY, 6), R(NVM_PHY_ADDR_MASK, 0x00ff), R(NVM_PHY_TYPE_SHIFT, 8),
	R(NVM_PHY_TYPE_MASK, 0x3f00), R(NVM_PHY_10_ONLY, 0x8000), R(NVM_PHY2, 7), R(NVM_PBA, 8),
	R(NVM_ID, 10), R(NVM_ID_STANDBY, 0x0002), R(NVM_ID_WOL, 0x0020),
	R(NVM_ID_DEEP_POWER_DOWN, 0x0040), R(NVM_ID_SIGNATURE_MASK, 0xc000),
	R(NVM_ID_SIGNATURE, 0x4000), R(NVM_SUBDEVICE, 11), R(NVM_SUBVENDOR, 12),
	R(NVM_DEVICE, 35), R(NVM_SUM, 47802), R(NVM_WORDS_SMALL, 64), R(NVM_WORDS_LARGE, 256),
	R(PHY_TYPE_NONE, 0), R(PHY_TYPE_82553AB, 1), R(PHY_TYPE_82553C, 2), R(PHY_TYPE_82503, 3),
	R(PHY_TYPE_DP83840, 4), R(PHY_TYPE_80C240, 5), R(PHY_TYPE_80C24, 6), R(PHY_TYPE_82555, 7),
	R(PHY_TYPE_DP83840A, 10), R(PHY_TYPE_82555B, 11),
	/* §4.2: the facts page has the halves the other way round, as Linux prints them */
	R(PHY_ID_82555, 0x02a80150), R(PHY_ID_82562ET, 0x02a80330), R(PHY_ID_82562EM, 0x02a80320),
	R(PHY_ID_82562EK, 0x02a80310), R(PHY_ID_82562EH, 0x02a80170), R(PHY_ID_100A, 0x03e00000),
	R(PHY_ID_100C, 0x02a80350), R(PHY_ID_DP83840, 0x20005c00), R(PHY_ID_82552V, 0x004dd060),
	R(PHY_ID_MASK, 0xfffffff0),
	/* §4.3, §4.4 */
	P(I82555_STATUS, 16), P(I82555_STATUS_FD, 1), P(I82555_STATUS_100, 2),
	P(I82555_STATUS_ADDR_SHIFT, 2), P(I82555_STATUS_ADDR_MASK, 0x7c),
	P(I82555_STATUS_POLARITY, 0x100), P(I82555_SPECIAL, 17), P(I82555_FALSE_CARRIER, 19),
	P(I82555_DISCONNECT, 20), P(I82555_RX_ERROR, 21), P(I82555_SYMBOL_ERROR, 22),
	P(I82555_PREMATURE_END, 23), P(I82555_JABBER, 25), P(I82555_EQUALIZER, 26),
	P(I82555_LED, 27), P(I82555_LED_MASK, 7), P(I82555_LED_AUTO, 0), P(I82555_LED_OFF, 4),
	P(I82555_LED_ON, 5), P(I82555_LED_ON_BOTH, 7), P(I82555_LED_HAS_MDIX, 0x8000),
	P(I82552_LED, 25), P(I82552_LED_OFF, 0x000a), P(I82552_LED_ON, 0x000f),
	P(I82555_MDIX, 28), P(I82555_MDIX_AUTO, 0x80),
	P(DP83840_PCR, 0x17), P(DP83840_PCR_LED4, 0x0002), P(DP83840_PCR_F_CONNECT, 0x0020),
	P(DP83840_PCR_CONGESTION, 0x0100), P(DP83840_PCR_TX_READY, 0x0400),
	P(DP83840_PAR, 0x19), P(DP83840_PAR_10, 0x0040),
};

/* What is in memory (§3) */
static const struct row desc_table[] = {
	/* §3.1 */
	R(CB_C, 0x8000), R(CB_OK, 0x2000), R(CB_U, 0x1000), R(CB_F, 0x0800), R(CB_DONE, 0xa000),
	R(CMD_EL, 0x8000), R(CMD_S, 0x4000), R(CMD_I, 0x2000), R(CMD_CID_MASK, 0x1f00),
	R(CMD_CID_SHIFT, 8), R(CMD_NC, 0x0010), R(CMD_SF, 0x0008), R(CMD_OP_MASK, 0x000f),
	R(OP_NOP, 0), R(OP_IA, 1), R(OP_CONFIG, 2), R(OP_MULTICAST, 3), R(OP_TX, 4),
	R(OP_UCODE, 5), R(OP_DUMP, 6), R(OP_DIAGNOSE, 7), R(OP_FILTER, 8), R(OP_IPCB, 9),
	R(DUMP_SIZE, 596), R(NULL, 0xffffffff),
	/* §3.2: what is set in the byte */
	R(CONFIG_LEN, 22), R(CONFIG_LEN_EXT, 32), R(CFG0_COUNT_MASK, 0x3f),
	R(CFG1_RX_FIFO_MASK, 0x0f), R(CFG1_TX_FIFO_MASK, 0x70), R(CFG1_TX_FIFO_SHIFT, 4),
	R(CFG3_MWI, 0x01), R(CFG3_TYPE, 0x02), R(CFG3_READ_ALIGN, 0x04), R(CFG3_TERM_CL, 0x08),
	R(CFG5_DMBC, 0x80), R(CFG6_LATE_SCB, 0x01), R(CFG6_RES1, 0x02), R(CFG6_TNO_TCO, 0x04),
	R(CFG6_CI, 0x08), R(CFG6_STD_TCB, 0x10), R(CFG6_STD_STATS, 0x20),
	R(CFG6_SAVE_OVERRUN, 0x40), R(CFG6_SAVE_BAD, 0x80),
	R(CFG7_DISCARD_SHORT, 0x01), R(CFG7_UNDERRUN_MASK, 0x06), R(CFG7_UNDERRUN_SHIFT, 1),
	R(CFG7_EXT_RFD, 0x20), R(CFG7_TWO_FRAMES, 0x40), R(CFG7_DYN_TBD, 0x80),
	R(CFG8_MII, 0x01), R(CFG8_CSMA_OFF, 0x80), R(CFG9_RX_CSUM, 0x01), R(CFG9_VLAN_TCO, 0x10),
	R(CFG9_LINK_WAKE, 0x20), R(CFG9_ARP_WAKE, 0x40), R(CFG9_MC_WAKE, 0x80),
	R(CFG10_FIXED, 0x06), R(CFG10_NSAI, 0x08), R(CFG10_PREAMBLE_7, 0x20),
	R(CFG10_LOOP_MASK, 0xc0), R(CFG10_LOOP_OFF, 0x00), R(CFG10_LOOP_MAC, 0x40),
	R(CFG10_LOOP_PHY, 0xc0), R(CFG12_LINEAR, 0x01), R(CFG12_IFS_SHIFT, 4),
	R(CFG15_PROMISC, 0x01), R(CFG15_NO_BROADCAST, 0x02), R(CFG15_WAIT_AFTER_WIN, 0x04),
	R(CFG15_FIXED, 0x48), R(CFG15_IGNORE_UL, 0x10), R(CFG15_CRC16, 0x20),
	R(CFG15_CRS_OR_CDT, 0x80), R(CFG18_STRIP, 0x01), R(CFG18_PAD, 0x02), R(CFG18_CRC, 0x04),
	R(CFG18_LONG_OK, 0x08), R(CFG18_PRI_MASK, 0x70), R(CFG18_PRI_SHIFT, 4),
	R(CFG18_FIXED, 0x80), R(CFG19_IA_WAKE, 0x01), R(CFG19_NO_MAGIC, 0x02),
	R(CFG19_NO_TX_FC, 0x04), R(CFG19_RX_FC_RESTOP, 0x08), R(CFG19_RX_FC_RESTART, 0x10),
	R(CFG19_REJECT_FC, 0x20), R(CFG19_FORCE_FDX, 0x40), R(CFG19_FDX_PIN, 0x80),
	R(CFG20_FIXED, 0x1f), R(CFG20_PRI_LOC, 0x20), R(CFG20_MULTI_IA, 0x40),
	R(CFG21_FIXED, 0x05), R(CFG21_ALLMULTI, 0x08), R(CFG22_EXT_RFD, 0x01),
	R(CFG22_VLAN_STRIP, 0x02),
	/* §3.3, §3.4 */
	R(TBD_SIZE_MASK, 0x3fff), R(TBD_EL, 0x10000), R(TBD_EL_DYN, 0x8000), R(TX_EOF, 0x8000),
	R(TX_COUNT_MASK, 0x3fff), R(TX_THRESHOLD_MAX, 224), R(TX_TBD_MAX, 254),
	R(TX_TBD_DYNAMIC, 255), R(TX_INLINE_TBDS, 2), R(IPCB_IP_CSUM, 0x10),
	R(IPCB_L4_CSUM, 0x20), R(IPCB_TCP, 0x40), R(IPCB_LARGE_SEND, 0x80), R(IPCB2_PARSE, 0x01),
	R(IPCB2_VLAN, 0x02), R(IPCB2_SCHEDULED, 0x10),
	/* §3.5 */
	R(RFD_C, 0x8000), R(RFD_OK, 0x2000), R(RFD_VLAN, 0x1000), R(RFD_CRC, 0x0800),
	R(RFD_ALIGN, 0x0400), R(RFD_NO_SPACE, 0x0200), R(RFD_OVERRUN, 0x0100),
	R(RFD_SHORT, 0x0080), R(RFD_TYPE, 0x0020), R(RFD_RX_ER, 0x0010), R(RFD_PARSED, 0x0008),
	R(RFD_NO_MATCH, 0x0004), R(RFD_NOT_IA, 0x0002), R(RFD_COLLISION, 0x0001),
	R(RFD_EL, 0x8000), R(RFD_S, 0x4000), R(RFD_H, 0x0010), R(RFD_SF, 0x0008),
	R(RFD_EOF, 0x8000), R(RFD_F, 0x4000), R(RFD_COUNT_MASK, 0x3fff), R(RFD_SIZE_MAX, 0x3ffe),
	R(RFD_LEN, 16), R(RFD_EXT_LEN, 32), R(EXT_PROTO_MASK, 3), R(EXT_PROTO_TCP, 0),
	R(EXT_PROTO_UDP, 1), R(EXT_PROTO_IP, 3), R(EXT_PARSED, 0x08), R(EXT_IP_VALID, 0x01),
	R(EXT_IP_GOOD, 0x02), R(EXT_L4_VALID, 0x10), R(EXT_L4_GOOD, 0x20), R(RX_CSUM_LEN, 2),
	/* §3.6, §6 */
	R(STATS_MARK_STD, 64), R(STATS_MARK_EXT, 76), R(STATS_MARK_TCO, 80),
	R(STATS_DUMPED, 0xa005), R(STATS_DUMPED_RESET, 0xa007), R(MAX_FRAME, 1518),
	R(MAX_FRAME_LONG, 1522), R(DMA_BITS, 32),
};

static void
check_rows(const struct row *rows, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (rows[i].header != rows[i].manual)
			fail_msg("%s is 0x%x, not 0x%x", rows[i].name, rows[i].header,
				 rows[i].manual);
}

static void
test_registers(void **state)
{
	(void)state;
	check_rows(reg_table, ARRAY_LEN(reg_table));
}

static void
test_memory_formats(void **state)
{
	(void)state;
	check_rows(desc_table, ARRAY_LEN(desc_table));
}

static bool
is_in(const char *name, const struct row *rows, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (strcmp(rows[i].name, name) == 0)
			return true;
	return false;
}

/* Every register, bit and value that the header defines is stated above. */
static void
test_no_register_fact_untested(void **state)
{
	static const char tail[] = "tests/unit/test_i8255x_regs.c";
	size_t len = strlen(__FILE__);
	char path[1024], line[256], name[64];
	unsigned int n = 0;
	FILE *f;

	(void)state;
	assert_true(len >= sizeof(tail) - 1);
	snprintf(path, sizeof(path), "%.*slib/hw/i8255x_regs.h", (int)(len - (sizeof(tail) - 1)),
		 __FILE__);
	f = fopen(path, "r");
	if (f == NULL) { /* built elsewhere, run from an install */
		print_message("%s is not here\n", path);
		skip();
	}
	while (fgets(line, sizeof(line), f) != NULL) {
		if (sscanf(line, "#define %63[A-Z0-9_]\t", name) != 1 || name[0] == '_')
			continue;
		n++;
		/* A bound of the driver's own, no fact of the chip. */
		if (strcmp(name, "I8255X_MDI_TIMEOUT_US") != 0 &&
		    !is_in(name, reg_table, ARRAY_LEN(reg_table)))
			fail_msg("%s is not tested", name);
	}
	fclose(f);
	assert_true(n >= 170);
}

/* --- layouts (§3) ----------------------------------------------------------------------------- */

#define AT(type, field, off, len) \
	do { \
		assert_int_equal(offsetof(struct type, field), off); \
		assert_int_equal(sizeof(((struct type *)0)->field), len); \
	} while (0)

static void
test_block_layouts(void **state)
{
	(void)state;
	AT(i8255x_cb, status, 0x00, 2);
	AT(i8255x_cb, cmd, 0x02, 2);
	AT(i8255x_cb, link, 0x04, 4);
	AT(i8255x_cb_ia, mac, 0x08, 6);
	AT(i8255x_cb_config, byte, 0x08, 32);
	AT(i8255x_cb_mc, count, 0x08, 2);
	AT(i8255x_cb_mc, addr, 0x0a, 64 * 6);
	AT(i8255x_cb_dump, addr, 0x08, 4);
	AT(i8255x_txcb, array, 0x08, 4);
	AT(i8255x_txcb, count, 0x0c, 2);
	AT(i8255x_txcb, threshold, 0x0e, 1);
	AT(i8255x_txcb, nb_tbd, 0x0f, 1);
	AT(i8255x_tbd, addr, 0x00, 4);
	AT(i8255x_tbd, size, 0x04, 4);
	AT(i8255x_ipcb, thr_or_mss, 0x0e, 2);
	AT(i8255x_ipcb, schedule, 0x10, 2);
	AT(i8255x_ipcb, act, 0x12, 1);
	AT(i8255x_ipcb, act2, 0x13, 1);
	AT(i8255x_ipcb, vlan_be, 0x14, 2);
	AT(i8255x_ipcb, ip_off, 0x16, 1);
	AT(i8255x_ipcb, tcp_off, 0x17, 1);
	AT(i8255x_ipcb, addr0, 0x18, 4);
	AT(i8255x_ipcb, size0, 0x1c, 2);
	AT(i8255x_ipcb, total, 0x1e, 2);
	AT(i8255x_selftest, signature, 0x00, 4);
	AT(i8255x_selftest, result, 0x04, 4);
}

static void
test_rfd_layouts(void **state)
{
	(void)state;
	AT(i8255x_rfd, status, 0x00, 2);
	AT(i8255x_rfd, cmd, 0x02, 2);
	AT(i8255x_rfd, link, 0x04, 4);
	AT(i8255x_rfd, rbd, 0x08, 4);
	AT(i8255x_rfd, count, 0x0c, 2);
	AT(i8255x_rfd, size, 0x0e, 2);
	/* These follow the RFD: 10h less than §3.5 says. */
	AT(i8255x_rfd_ext, vlan_be, 0x00, 2);
	AT(i8255x_rfd_ext, parser, 0x02, 1);
	AT(i8255x_rfd_ext, security, 0x04, 2);
	AT(i8255x_rfd_ext, csum, 0x06, 1);
	AT(i8255x_rfd_ext, zero_copy, 0x07, 1);
}

static void
test_statistics_layout(void **state)
{
	(void)state;
	AT(i8255x_stats_dump, tx_good, 0x00, 4);
	AT(i8255x_stats_dump, tx_max_coll, 0x04, 4);
	AT(i8255x_stats_dump, tx_late_coll, 0x08, 4);
	AT(i8255x_stats_dump, tx_underrun, 0x0c, 4);
	AT(i8255x_stats_dump, tx_lost_carrier, 0x10, 4);
	AT(i8255x_stats_dump, tx_deferred, 0x14, 4);
	AT(i8255x_stats_dump, tx_single_coll, 0x18, 4);
	AT(i8255x_stats_dump, tx_multi_coll, 0x1c, 4);
	AT(i8255x_stats_dump, tx_total_coll, 0x20, 4);
	AT(i8255x_stats_dump, rx_good, 0x24, 4);
	AT(i8255x_stats_dump, rx_crc, 0x28, 4);
	AT(i8255x_stats_dump, rx_align, 0x2c, 4);
	AT(i8255x_stats_dump, rx_resource, 0x30, 4);
	AT(i8255x_stats_dump, rx_overrun, 0x34, 4);
	AT(i8255x_stats_dump, rx_cdt, 0x38, 4);
	AT(i8255x_stats_dump, rx_short, 0x3c, 4);
	AT(i8255x_stats_dump, fc_tx_pause, 0x40, 4);
	AT(i8255x_stats_dump, fc_rx_pause, 0x44, 4);
	AT(i8255x_stats_dump, fc_rx_unsupported, 0x48, 4);
	AT(i8255x_stats_dump, tx_tco, 0x4c, 2);
	AT(i8255x_stats_dump, rx_tco, 0x4e, 2);
	AT(i8255x_stats_dump, marker_559, 0x50, 4);
}

/* --- ids (§1.1) ------------------------------------------------------------------------------ */

static void
test_ids(void **state)
{
	enum { REV, ICH };
	static const struct {
		uint16_t first, last;
		int kind;
	} t[] = {
		{ 0x1029, 0x1030, REV }, { 0x1059, 0x1059, REV }, { 0x1209, 0x1229, REV },
		{ 0x2449, 0x245d, ICH }, { 0x1031, 0x1038, ICH }, { 0x1039, 0x103e, ICH },
		{ 0x1050, 0x1057, ICH }, { 0x1064, 0x106b, ICH }, { 0x1091, 0x1095, ICH },
		{ 0x10fe, 0x10fe, ICH }, { 0x27dc, 0x27dc, ICH },
	};
#define ROW(id, kind, name) { id, kind },
	static const struct {
		uint16_t id;
		int kind;
	} ids[] = { I8255X_ID_TABLE(ROW) };
#undef ROW
	size_t i, k;

	(void)state;
	assert_int_equal(I8255X_VENDOR_ID, 0x8086);
	/* 5 of chips, 3 of ICH2 and C-ICH, 8, 6, 8, 8, 5, and two single ones */
	assert_int_equal(ARRAY_LEN(ids), 5 + 3 + 8 + 6 + 8 + 8 + 5 + 2);
	for (i = 0; i < ARRAY_LEN(ids); i++) {
		for (k = 0; k < ARRAY_LEN(t); k++)
			if (ids[i].id >= t[k].first && ids[i].id <= t[k].last &&
			    ids[i].kind == t[k].kind)
				break;
		if (k == ARRAY_LEN(t))
			fail_msg("id %04x is none of the family's", ids[i].id);
		for (k = 0; k < i; k++)
			assert_int_not_equal(ids[i].id, ids[k].id);
	}
}

static void
test_revisions(void **state)
{
	static const struct row t[] = {
		R(REV_82557_A, 1), R(REV_82557_B, 2), R(REV_82557_C, 3), R(REV_82558_A, 4),
		R(REV_82558_B, 5), R(REV_82559_A, 6), R(REV_82559_B, 7), R(REV_82559_C, 8),
		R(REV_82559_ER, 9), R(REV_82550, 12), R(REV_82550_C, 13), R(REV_82551_E, 14),
		R(REV_82551_F, 15), R(REV_82551_10, 16), R(REV_UNKNOWN, 255),
		R(DEV_82559ER, 0x1209), R(DEV_82551QM, 0x1059),
	};

	(void)state;
	check_rows(t, ARRAY_LEN(t));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_memory_formats),
		cmocka_unit_test(test_no_register_fact_untested),
		cmocka_unit_test(test_block_layouts),
		cmocka_unit_test(test_rfd_layouts),
		cmocka_unit_test(test_statistics_layout),
		cmocka_unit_test(test_ids),
		cmocka_unit_test(test_revisions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
