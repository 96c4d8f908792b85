/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The e1000 driver and its model share lib/hw, so a wrong fact there would
 * pass every other test. The tables below state the facts a second time, in
 * another form (masks, not bit numbers; bytes, not words), from the project's
 * facts page, compared with FreeBSD's and Linux' e1000 headers, with QEMU's,
 * and with what could be read of Intel's 8254x developer's manual.
 */

#include <endian.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../lib/hw/e1000_desc.h"
#include "../../lib/hw/e1000_ids.h"
#include "../../lib/hw/e1000_regs.h"
#include "../../lib/hw/mii_regs.h"

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

struct reg_row {
	const char *name;
	uint32_t header;	/* what the header says */
	uint32_t manual;
	const char *access;
};

#define R(name, off, access) { #name, E1000_##name, off, access }
#define A(name, i, off, access) { #name, E1000_##name(i), off, access }

static const struct reg_row reg_table[] = {
	/* general */
	R(CTRL, 0x00000, "RW"), R(CTRL_DUP, 0x00004, "RW"), R(STATUS, 0x00008, "RO"),
	R(EECD, 0x00010, "RW"), R(EERD, 0x00014, "RW"), R(CTRL_EXT, 0x00018, "RW"),
	R(FLA, 0x0001C, "RW"), R(MDIC, 0x00020, "RW"), R(SCTL, 0x00024, "RW"),
	R(FCAL, 0x00028, "RW"), R(FCAH, 0x0002C, "RW"), R(FCT, 0x00030, "RW"),
	R(KMRNCTRLSTA, 0x00034, "RW"), R(VET, 0x00038, "RW"), R(FCTTV, 0x00170, "RW"),
	R(TXCW, 0x00178, "RW"), R(RXCW, 0x00180, "RO"), R(TIPG, 0x00410, "RW"),
	R(AIT, 0x00458, "RW"), R(LEDCTL, 0x00E00, "RW"), R(EXTCNF_CTRL, 0x00F00, "RW"),
	R(POEMB, 0x00F10, "RW"), R(PBA, 0x01000, "RW"), R(PBS, 0x01008, "RW"),
	R(EEMNGCTL, 0x01010, "RW"), R(EEWR, 0x0102C, "RW"), R(PBA_ECC, 0x01100, "RW"),
	R(IO_ADDR, 0x0, "RW"), R(IO_DATA, 0x4, "RW"),
	/* interrupts */
	R(ICR, 0x000C0, "RC W1C"), R(ITR, 0x000C4, "RW"), R(ICS, 0x000C8, "WO W1S"),
	R(IMS, 0x000D0, "RW W1S"), R(IMC, 0x000D8, "WO W1C"), R(EIAC, 0x000DC, "RW"),
	R(IAM, 0x000E0, "RW"), R(IVAR, 0x000E4, "RW"),
	A(EITR, 0, 0x000E8, "RW"), A(EITR, 4, 0x000F8, "RW"),
	/* receive */
	R(RCTL, 0x00100, "RW"), R(ERT, 0x02008, "RW"), R(FCRTL, 0x02160, "RW"),
	R(FCRTH, 0x02168, "RW"), R(PSRCTL, 0x02170, "RW"), R(FCRTV, 0x02460, "RW"),
	R(RDFH, 0x02410, "RW"), R(RDFT, 0x02418, "RW"), R(RDFHS, 0x02420, "RW"),
	R(RDFTS, 0x02428, "RW"), R(RDFPC, 0x02430, "RW"),
	A(RDBAL, 0, 0x02800, "RW"), A(RDBAL, 1, 0x02900, "RW"),
	A(RDBAH, 0, 0x02804, "RW"), A(RDBAH, 1, 0x02904, "RW"),
	A(RDLEN, 0, 0x02808, "RW"), A(RDLEN, 1, 0x02908, "RW"),
	A(RDH, 0, 0x02810, "RW"), A(RDH, 1, 0x02910, "RW"),
	A(RDT, 0, 0x02818, "RW"), A(RDT, 1, 0x02918, "RW"),
	A(RXDCTL, 0, 0x02828, "RW"), A(RXDCTL, 1, 0x02928, "RW"),
	R(RDTR, 0x02820, "RW"), R(RADV, 0x0282C, "RW"), R(RSRPD, 0x02C00, "RW"),
	R(RAID, 0x02C08, "RW"), R(RXCSUM, 0x05000, "RW"), R(RFCTL, 0x05008, "RW"),
	A(MTA, 0, 0x05200, "RW"), A(MTA, 127, 0x053FC, "RW"),
	A(RAL, 0, 0x05400, "RW"), A(RAL, 15, 0x05478, "RW"),
	A(RAH, 0, 0x05404, "RW"), A(RAH, 15, 0x0547C, "RW"),
	A(VFTA, 0, 0x05600, "RW"), A(VFTA, 127, 0x057FC, "RW"),
	R(MRQC, 0x05818, "RW"), A(RETA, 0, 0x05C00, "RW"), A(RETA, 31, 0x05C7C, "RW"),
	A(RSSRK, 0, 0x05C80, "RW"), A(RSSRK, 9, 0x05CA4, "RW"),
	/* transmit */
	R(TCTL, 0x00400, "RW"), R(TDFH, 0x03410, "RW"), R(TDFT, 0x03418, "RW"),
	R(TDFHS, 0x03420, "RW"), R(TDFTS, 0x03428, "RW"), R(TDFPC, 0x03430, "RW"),
	A(TDBAL, 0, 0x03800, "RW"), A(TDBAL, 1, 0x03900, "RW"),
	A(TDBAH, 0, 0x03804, "RW"), A(TDBAH, 1, 0x03904, "RW"),
	A(TDLEN, 0, 0x03808, "RW"), A(TDLEN, 1, 0x03908, "RW"),
	A(TDH, 0, 0x03810, "RW"), A(TDH, 1, 0x03910, "RW"),
	A(TDT, 0, 0x03818, "RW"), A(TDT, 1, 0x03918, "RW"),
	A(TXDCTL, 0, 0x03828, "RW"), A(TXDCTL, 1, 0x03928, "RW"),
	R(TIDV, 0x03820, "RW"), R(TADV, 0x0382C, "RW"), R(TSPMT, 0x03830, "RW"),
	A(TARC, 0, 0x03840, "RW"), A(TARC, 1, 0x03940, "RW"),
	/* wake-up, management, PCI Express */
	R(WUC, 0x05800, "RW"), R(WUFC, 0x05808, "RW"), R(WUS, 0x05810, "RO"),
	R(MANC, 0x05820, "RW"), R(IPAV, 0x05838, "RW"), R(MANC2H, 0x05860, "RW"),
	A(IP4AT, 0, 0x05840, "RW"), A(IP4AT, 3, 0x05858, "RW"),
	A(IP6AT, 0, 0x05880, "RW"), A(IP6AT, 3, 0x0588C, "RW"),
	R(WUPL, 0x05900, "RO"), A(WUPM, 0, 0x05A00, "RO"), A(WUPM, 31, 0x05A7C, "RO"),
	A(FFLT, 0, 0x05F00, "RW"), A(FFLT, 3, 0x05F18, "RW"),
	A(FFMT, 0, 0x09000, "RW"), A(FFMT, 127, 0x093F8, "RW"),
	A(FFVT, 0, 0x09800, "RW"), A(FFVT, 127, 0x09BF8, "RW"),
	R(GCR, 0x05B00, "RW"), R(FACTPS, 0x05B30, "RO"), R(SWSM, 0x05B50, "RW"),
	R(FWSM, 0x05B54, "RO"), R(SWSM2, 0x05B58, "RW"), R(SW_FW_SYNC, 0x05B5C, "RW"),
	R(GCR2, 0x05B64, "RW"), R(PBACLR, 0x05B68, "RW W1C"), R(HICR, 0x08F00, "RW"),
	/* statistics */
	R(CRCERRS, 0x04000, "RC"), R(ALGNERRC, 0x04004, "RC"), R(SYMERRS, 0x04008, "RC"),
	R(RXERRC, 0x0400C, "RC"), R(MPC, 0x04010, "RC"), R(SCC, 0x04014, "RC"),
	R(ECOL, 0x04018, "RC"), R(MCC, 0x0401C, "RC"), R(LATECOL, 0x04020, "RC"),
	R(COLC, 0x04028, "RC"), R(DC, 0x04030, "RC"), R(TNCRS, 0x04034, "RC"),
	R(SEC, 0x04038, "RC"), R(CEXTERR, 0x0403C, "RC"), R(RLEC, 0x04040, "RC"),
	R(XONRXC, 0x04048, "RC"), R(XONTXC, 0x0404C, "RC"), R(XOFFRXC, 0x04050, "RC"),
	R(XOFFTXC, 0x04054, "RC"), R(FCRUC, 0x04058, "RC"), R(PRC64, 0x0405C, "RC"),
	R(PRC127, 0x04060, "RC"), R(PRC255, 0x04064, "RC"), R(PRC511, 0x04068, "RC"),
	R(PRC1023, 0x0406C, "RC"), R(PRC1522, 0x04070, "RC"), R(GPRC, 0x04074, "RC"),
	R(BPRC, 0x04078, "RC"), R(MPRC, 0x0407C, "RC"), R(GPTC, 0x04080, "RC"),
	R(GORCL, 0x04088, "RC"), R(GORCH, 0x0408C, "RC"), R(GOTCL, 0x04090, "RC"),
	R(GOTCH, 0x04094, "RC"), R(RNBC, 0x040A0, "RC"), R(RUC, 0x040A4, "RC"),
	R(RFC, 0x040A8, "RC"), R(ROC, 0x040AC, "RC"), R(RJC, 0x040B0, "RC"),
	R(MGTPRC, 0x040B4, "RC"), R(MGTPDC, 0x040B8, "RC"), R(MGTPTC, 0x040BC, "RC"),
	R(TORL, 0x040C0, "RC"), R(TORH, 0x040C4, "RC"), R(TOTL, 0x040C8, "RC"),
	R(TOTH, 0x040CC, "RC"), R(TPR, 0x040D0, "RC"), R(TPT, 0x040D4, "RC"),
	R(PTC64, 0x040D8, "RC"), R(PTC127, 0x040DC, "RC"), R(PTC255, 0x040E0, "RC"),
	R(PTC511, 0x040E4, "RC"), R(PTC1023, 0x040E8, "RC"), R(PTC1522, 0x040EC, "RC"),
	R(MPTC, 0x040F0, "RC"), R(BPTC, 0x040F4, "RC"), R(TSCTC, 0x040F8, "RC"),
	R(TSCTFC, 0x040FC, "RC"), R(IAC, 0x04100, "RC"), R(ICRXPTC, 0x04104, "RC"),
	R(ICRXATC, 0x04108, "RC"), R(ICTXPTC, 0x0410C, "RC"), R(ICTXATC, 0x04110, "RC"),
	R(ICTXQEC, 0x04118, "RC"), R(ICTXQMTC, 0x0411C, "RC"), R(ICRXDMTC, 0x04120, "RC"),
	R(ICRXOC, 0x04124, "RC"),
	/* time stamps */
	R(SYSTIML, 0x0B600, "RW"), R(SYSTIMH, 0x0B604, "RW"), R(TIMINCA, 0x0B608, "RW"),
	R(TIMADJL, 0x0B60C, "RW"), R(TIMADJH, 0x0B610, "RW"), R(TSYNCTXCTL, 0x0B614, "RW"),
	R(TXSTMPL, 0x0B618, "RO"), R(TXSTMPH, 0x0B61C, "RO"), R(TSYNCRXCTL, 0x0B620, "RW"),
	R(RXSTMPL, 0x0B624, "RO"), R(RXSTMPH, 0x0B628, "RO"), R(RXSATRL, 0x0B62C, "RO"),
	R(RXSATRH, 0x0B630, "RO"), R(RXMTRL, 0x0B634, "RW"), R(RXUDP, 0x0B638, "RW"),
	/* PHY registers past clause 22 */
	R(M88_PSCR, 0x10, "RW"), R(M88_PSSR, 0x11, "RO"), R(M88_EPSCR, 0x14, "RW"),
	R(M88_RX_ERR, 0x15, "RC"), R(M88_EXT_CTRL, 0x1A, "RW"), R(M88_PAGE, 0x1D, "RW"),
	R(M88_PAGE_DATA, 0x1E, "RW"), R(BM_PAGE, 0x16, "RW"),
	R(IGP_PORT_CONFIG, 0x10, "RW"), R(IGP_PORT_STATUS, 0x11, "RO"),
	R(IGP_PORT_CTRL, 0x12, "RW"), R(IGP_LINK_HEALTH, 0x13, "RO"),
	R(IGP_GMII_FIFO, 0x14, "RW"), R(IGP_POWER, 0x19, "RW"), R(IGP_PAGE, 0x1F, "RW"),
	R(IGP01_DSP_A, 0x1171, "RW"), R(IGP01_FFE, 0x1F35, "RW"), R(IGP01_TX, 0x2F5B, "RW"),
	R(IGP01_FUSE_STATUS, 0x20D0, "RO"), R(IGP01_FUSE_SPARE, 0x20D1, "RO"),
	R(IGP01_FUSE_CONTROL, 0x20DC, "RW"), R(IGP01_FUSE_BYPASS, 0x20DE, "RW"),
};

/* Old places: QEMU's 82574 decodes these (hw/net/e1000e_core). No access tag of their own. */
static const struct reg_row alias_table[] = {
	A(RAL_ALIAS, 0, 0x00040, ""), A(RAH_ALIAS, 0, 0x00044, ""), A(RAL_ALIAS, 15, 0x000B8, ""),
	R(RDTR_ALIAS, 0x00108, ""), R(RDBAL_ALIAS, 0x00110, ""), R(RDBAH_ALIAS, 0x00114, ""),
	R(RDLEN_ALIAS, 0x00118, ""), R(RDH_ALIAS, 0x00120, ""), R(RDT_ALIAS, 0x00128, ""),
	R(FCRTH_ALIAS, 0x00160, ""), R(FCRTL_ALIAS, 0x00168, ""), R(TDBAL_ALIAS, 0x00420, ""),
	R(TDBAH_ALIAS, 0x00424, ""), R(TDLEN_ALIAS, 0x00428, ""), R(TDH_ALIAS, 0x00430, ""),
	R(TDT_ALIAS, 0x00438, ""), R(TIDV_ALIAS, 0x00440, ""), A(VFTA_ALIAS, 0, 0x00600, ""),
	R(RDFH_ALIAS, 0x08000, ""), R(RDFT_ALIAS, 0x08008, ""), R(TDFH_ALIAS, 0x08010, ""),
	R(TDFT_ALIAS, 0x08018, ""),
};

struct value_row {
	const char *name;
	uint64_t header;
	uint64_t expected;
};

#define V(name, value) { #name, E1000_##name, value }
#define M(name, value) { "MII_" #name, MII_##name, value }

static const struct value_row bit_table[] = {
	V(CTRL_FD, 0x00000001), V(CTRL_PRIOR, 0x00000004), V(CTRL_GIO_DISABLE, 0x00000004),
	V(CTRL_LRST, 0x00000008), V(CTRL_ASDE, 0x00000020), V(CTRL_SLU, 0x00000040),
	V(CTRL_ILOS, 0x00000080), V(CTRL_SPEED_MASK, 0x00000300),
	V(CTRL_SPEED_100, 0x00000100), V(CTRL_SPEED_1000, 0x00000200),
	V(CTRL_FRCSPD, 0x00000800), V(CTRL_FRCDPX, 0x00001000), V(CTRL_SWDPIN0, 0x00040000),
	V(CTRL_SWDPIN1, 0x00080000), V(CTRL_MDIO, 0x00100000), V(CTRL_MDC, 0x00200000),
	V(CTRL_ADVD3WUC, 0x00100000), V(CTRL_EN_PHY_PWR_MGMT, 0x00200000),
	V(CTRL_SWDPIO0, 0x00400000), V(CTRL_SWDPIO1, 0x00800000),
	V(CTRL_MDIO_DIR, 0x01000000), V(CTRL_MDC_DIR, 0x02000000), V(CTRL_RST, 0x04000000),
	V(CTRL_RFCE, 0x08000000), V(CTRL_TFCE, 0x10000000), V(CTRL_VME, 0x40000000),
	V(CTRL_PHY_RST, 0x80000000),
	V(STATUS_FD, 0x00000001), V(STATUS_LU, 0x00000002), V(STATUS_FUNC_MASK, 0x0000000C),
	V(STATUS_TXOFF, 0x00000010), V(STATUS_TBIMODE, 0x00000020),
	V(STATUS_SPEED_MASK, 0x000000C0), V(STATUS_SPEED_100, 0x00000040),
	V(STATUS_SPEED_1000, 0x00000080), V(STATUS_ASDV_MASK, 0x00000300),
	V(STATUS_LAN_INIT_DONE, 0x00000200), V(STATUS_PHYRA, 0x00000400),
	V(STATUS_PCI66, 0x00000800), V(STATUS_BUS64, 0x00001000), V(STATUS_PCIX, 0x00002000),
	V(STATUS_PCIX_SPEED_MASK, 0x0000C000), V(STATUS_GIO_ENABLE, 0x00080000),
	V(EECD_SK, 0x1), V(EECD_CS, 0x2), V(EECD_DI, 0x4), V(EECD_DO, 0x8),
	V(EECD_FWE_MASK, 0x30), V(EECD_REQ, 0x40), V(EECD_GNT, 0x80), V(EECD_PRES, 0x100),
	V(EECD_SIZE, 0x200), V(EECD_AUTO_RD, 0x200), V(EECD_ADDR_BITS, 0x400),
	V(EECD_TYPE, 0x2000), V(EECD_SIZE_EX_MASK, 0x7800), V(EECD_FLASH_MASK, 0x18000),
	V(EECD_FLUPD, 0x80000), V(EECD_AUPDEN, 0x100000), V(EECD_SEC1VAL, 0x400000),
	V(EERD_START, 0x1), V(EERD_SMALL_DONE, 0x10), V(EERD_SMALL_ADDR_MASK, 0xFF00),
	V(EERD_SMALL_ADDR_SHIFT, 8), V(EERD_LARGE_DONE, 0x2),
	V(EERD_LARGE_ADDR_MASK, 0xFFFC), V(EERD_LARGE_ADDR_SHIFT, 2),
	V(EERD_DATA(0xBABA0010), 0xBABA),
	V(CTRL_EXT_EE_RST, 0x2000), V(CTRL_EXT_SPD_BYPS, 0x8000), V(CTRL_EXT_RO_DIS, 0x20000),
	V(CTRL_EXT_DMA_DYN_CLK_EN, 0x80000), V(CTRL_EXT_PHYPDEN, 0x100000),
	V(CTRL_EXT_LINK_MODE_MASK, 0xC00000), V(CTRL_EXT_EIAME, 0x1000000),
	V(CTRL_EXT_IAME, 0x8000000), V(CTRL_EXT_DRV_LOAD, 0x10000000),
	V(CTRL_EXT_PBA_CLR, 0x80000000),
	V(MDIC_REG_MASK, 0x001F0000), V(MDIC_PHY_MASK, 0x03E00000),
	V(MDIC_OP_WRITE, 0x04000000), V(MDIC_OP_READ, 0x08000000), V(MDIC_READY, 0x10000000),
	V(MDIC_INT_EN, 0x20000000), V(MDIC_ERROR, 0x40000000), V(MDIC_DEST, 0x80000000),
	V(FCAL_PAUSE, 0x00C28001), V(FCAH_PAUSE, 0x00000100), V(FCT_PAUSE, 0x8808),
	V(TXCW_FD, 0x20), V(TXCW_PAUSE, 0x80), V(TXCW_ASM_DIR, 0x100), V(TXCW_ANE, 0x80000000),
	V(RXCW_NC, 0x04000000), V(RXCW_IV, 0x08000000), V(RXCW_CC, 0x10000000),
	V(RXCW_C, 0x20000000), V(RXCW_SYNCH, 0x40000000), V(RXCW_ANC, 0x80000000),
	/* The 82574's reset value */
	V(TIPG_VALUE(8, 8, 6), 0x00602008),
	V(LEDCTL_IVRT, 0x40), V(LEDCTL_BLINK, 0x80), V(EXTCNF_CTRL_MDIO_SW_OWN, 0x20),
	V(POEMB_D0A_LPLU, 0x2), V(POEMB_NOND0A_LPLU, 0x4), V(POEMB_NOND0A_GBE_DIS, 0x8),
	V(POEMB_GBE_DIS, 0x40), V(EEMNGCTL_CFG_DONE0, 0x40000), V(EEMNGCTL_CFG_DONE1, 0x80000),
	V(ICR_TXDW, 0x1), V(ICR_TXQE, 0x2), V(ICR_LSC, 0x4), V(ICR_RXSEQ, 0x8),
	V(ICR_RXDMT0, 0x10), V(ICR_RXO, 0x40), V(ICR_RXT0, 0x80), V(ICR_MDAC, 0x200),
	V(ICR_RXCFG, 0x400), V(ICR_GPI0, 0x800), V(ICR_GPI1, 0x1000), V(ICR_PHYINT, 0x1000),
	V(ICR_GPI2, 0x2000), V(ICR_GPI3, 0x4000), V(ICR_TXD_LOW, 0x8000), V(ICR_SRPD, 0x10000),
	V(ICR_ACK, 0x20000), V(ICR_MNG, 0x40000), V(ICR_RXQ0, 0x100000), V(ICR_RXQ1, 0x200000),
	V(ICR_TXQ0, 0x400000), V(ICR_TXQ1, 0x800000), V(ICR_OTHER, 0x1000000),
	V(ICR_INT_ASSERTED, 0x80000000), V(EIAC_MASK, 0x01F00000),
	/* LSC, RXO, MDAC, SRPD, ACK, MNG */
	V(ICR_OTHER_CAUSES, 0x4 | 0x40 | 0x200 | 0x10000 | 0x20000 | 0x40000),
	V(IVAR_RXQ_SHIFT(1), 4), V(IVAR_TXQ_SHIFT(0), 8), V(IVAR_TXQ_SHIFT(1), 12),
	V(IVAR_OTHER_SHIFT, 16), V(IVAR_VALID, 8), V(IVAR_TX_EVERY_WB, 0x80000000),
	V(RCTL_EN, 0x2), V(RCTL_SBP, 0x4), V(RCTL_UPE, 0x8), V(RCTL_MPE, 0x10),
	V(RCTL_LPE, 0x20), V(RCTL_LBM_MAC, 0x40), V(RCTL_LBM_PHY, 0xC0),
	V(RCTL_RDMTS_QUARTER, 0x100), V(RCTL_RDMTS_EIGHTH, 0x200), V(RCTL_DTYP_MASK, 0xC00),
	V(RCTL_DTYP_PS, 0x400), V(RCTL_MO_MASK, 0x3000), V(RCTL_BAM, 0x8000),
	V(RCTL_BSIZE_2048, 0x0), V(RCTL_BSIZE_1024, 0x10000), V(RCTL_BSIZE_512, 0x20000),
	V(RCTL_BSIZE_256, 0x30000), V(RCTL_BSIZE_16384, 0x02010000),
	V(RCTL_BSIZE_8192, 0x02020000), V(RCTL_BSIZE_4096, 0x02030000), V(RCTL_VFE, 0x40000),
	V(RCTL_CFIEN, 0x80000), V(RCTL_CFI, 0x100000), V(RCTL_DPF, 0x400000),
	V(RCTL_PMCF, 0x800000), V(RCTL_BSEX, 0x2000000), V(RCTL_SECRC, 0x4000000),
	V(RCTL_FLXBUF_MASK, 0x78000000),
	V(FCRTL_RTL_MASK, 0xFFF8), V(FCRTL_XONE, 0x80000000), V(FCRTH_RTH_MASK, 0xFFF8),
	/* The reset sizes of PSRCTL, 256, 4096, 4096, 0, are 0x00040402. */
	V(PSRCTL_BSIZE0(256), 0x2), V(PSRCTL_BSIZE1(4096), 0x400),
	V(PSRCTL_BSIZE2(4096), 0x40000), V(PSRCTL_BSIZE3(1024), 0x01000000),
	V(RDLEN_MASK, 0xFFF80), V(RDTR_FPD, 0x80000000), V(TIDV_FPD, 0x80000000),
	/* The burst values of the Linux driver: P32 H4 W4, and P31 H1 W1 with bit 22 */
	V(XDCTL_GRAN | E1000_XDCTL_THRESH(32, 4, 4), 0x01040420),
	V(XDCTL_GRAN | E1000_TXDCTL_COUNT_DESC | E1000_XDCTL_THRESH(31, 1, 1), 0x0141011F),
	V(TXDCTL_LWTHRESH_MASK, 0xFE000000),
	V(RXCSUM_IPOFLD, 0x100), V(RXCSUM_TUOFLD, 0x200), V(RXCSUM_IPPCSE, 0x1000),
	V(RXCSUM_PCSD, 0x2000),
	V(RFCTL_ISCSI_DIS, 0x1), V(RFCTL_NFSW_DIS, 0x40), V(RFCTL_NFSR_DIS, 0x80),
	V(RFCTL_IPV6_DIS, 0x400), V(RFCTL_IPV6_XSUM_DIS, 0x800), V(RFCTL_ACK_DIS, 0x1000),
	V(RFCTL_ACK_DATA_DIS, 0x2000), V(RFCTL_IPFRSP_DIS, 0x4000), V(RFCTL_EXTEN, 0x8000),
	V(RFCTL_IPV6_EX_DIS, 0x10000), V(RFCTL_NEW_IPV6_EXT_DIS, 0x20000),
	V(RFCTL_LEF, 0x40000),
	V(RAH_ASEL_MASK, 0x30000), V(RAH_AV, 0x80000000),
	V(VFTA_INDEX(4095), 127), V(VFTA_BIT(4095), 0x80000000), V(VFTA_INDEX(33), 1),
	V(VFTA_BIT(33), 0x2),
	V(MRQC_RSS, 0x1), V(MRQC_IPV4_TCP, 0x10000), V(MRQC_IPV4, 0x20000),
	V(MRQC_IPV6_TCP, 0x40000), V(MRQC_IPV6_EX, 0x80000), V(MRQC_IPV6, 0x100000),
	V(TCTL_EN, 0x2), V(TCTL_PSP, 0x8), V(TCTL_CT_MASK, 0xFF0), V(TCTL_COLD_MASK, 0x3FF000),
	V(TCTL_CT(0xF), 0xF0), V(TCTL_COLD(0x40), 0x40000), V(TCTL_SWXOFF, 0x400000),
	V(TCTL_RTLC, 0x1000000), V(TCTL_NRTU, 0x2000000), V(TCTL_MULR, 0x10000000),
	V(TARC_ENABLE, 0x400), V(TARC_SPEED_MODE, 0x200000), V(TARC_MBZ, 0x78000000),
	V(WUC_APME, 0x1), V(WUC_PME_EN, 0x2), V(WUC_PME_STATUS, 0x4), V(WUC_APMPME, 0x8),
	V(MANC_SMBUS_EN, 0x1), V(MANC_ASF_EN, 0x2), V(MANC_ARP_EN, 0x2000),
	V(MANC_RCV_TCO_EN, 0x20000), V(MANC_BLK_PHY_RST, 0x40000),
	V(MANC_EN_MAC_FILTER, 0x100000), V(MANC_EN_MNG2HOST, 0x200000),
	V(MANC2H_PORT_623, 0x20), V(MANC2H_PORT_664, 0x40),
	V(GCR_NO_SNOOP_MASK, 0x3F), V(GCR_L1_WITHOUT_L0S_RX, 0x08000000),
	V(FACTPS_MNGCG, 0x20000000), V(SWSM_SMBI, 0x1), V(SWSM_SWESMBI, 0x2),
	V(SWSM_DRV_LOAD, 0x8), V(SWSM2_LOCK, 0x2), V(FWSM_MODE_MASK, 0xE),
	V(FWSM_VALID, 0x8000),
	V(TSYNCTXCTL_VALID, 0x1), V(TSYNCTXCTL_EN, 0x10), V(TSYNCRXCTL_VALID, 0x1),
	V(TSYNCRXCTL_TYPE_MASK, 0xE), V(TSYNCRXCTL_TYPE_L4_V1, 0x2),
	V(TSYNCRXCTL_TYPE_L2_L4_V2, 0x4), V(TSYNCRXCTL_TYPE_ALL, 0x8),
	V(TSYNCRXCTL_TYPE_EVENT_V2, 0xA), V(TSYNCRXCTL_EN, 0x10),
	V(TSYNCRXCTL_SYSCFI, 0x20), V(TIMINCA_PERIOD_SHIFT, 24),
	V(TIMINCA_VALUE_MASK, 0xFFFFFF),
	V(NVM_COMPAT_LOM, 0x800), V(NVM_INIT2_PAUSE_MASK, 0x3000),
	V(NVM_INIT2_SWDPIO_MASK, 0xF0), V(NVM_CFG_SIZE_MASK, 0x1C00),
	V(NVM_PCIE3_ASPM_MASK, 0xC), V(NVM_CSUM, 0x3F), V(NVM_CSUM_SUM, 0xBABA),
	V(MW_READ, 0x6), V(MW_WRITE, 0x5), V(MW_EWEN, 0x13), V(MW_EWDS, 0x10),
	V(SPI_READ, 0x03), V(SPI_WRITE, 0x02), V(SPI_WREN, 0x06), V(SPI_RDSR, 0x05),
	V(SPI_A8, 0x08), V(PHY_ID_M88E1011, 0x01410C20), V(PHY_ID_M88E1000_INT, 0x01410C30),
	V(PHY_ID_M88E1000_EXT, 0x01410C50), V(PHY_ID_M88E1111, 0x01410CC0),
	V(PHY_ID_BM, 0x01410CB1), V(PHY_ID_IGP01, 0x02A80380),
	V(M88_PSCR_MDI_MASK, 0x60), V(M88_PSCR_MDIX, 0x20), V(M88_PSCR_MDI_AUTO_1000, 0x40),
	V(M88_PSCR_CRS_ON_TX, 0x800), V(M88_PSSR_DOWNSHIFT, 0x20), V(M88_PSSR_MDIX, 0x40),
	V(M88_PSSR_LINK, 0x400), V(M88_PSSR_RESOLVED, 0x800), V(M88_PSSR_FD, 0x2000),
	V(M88_PSSR_SPEED_100, 0x4000), V(M88_PSSR_SPEED_1000, 0x8000),
	V(M88_EPSCR_TX_CLK_25, 0x70), V(IGP_CONFIG_SMARTSPEED, 0x80),
	V(IGP_STATUS_POLARITY_REV, 0x2), V(IGP_STATUS_FD, 0x200), V(IGP_STATUS_LINK, 0x400),
	V(IGP_STATUS_MDIX, 0x800), V(IGP_STATUS_SPEED_10, 0x4000),
	V(IGP_STATUS_SPEED_100, 0x8000), V(IGP_STATUS_SPEED_1000, 0xC000),
	V(IGP_CTRL_AUTO_MDIX, 0x1000), V(IGP_CTRL_FORCE_MDIX, 0x2000),
	V(IGP_HEALTH_DOWNGRADED, 0x8000), V(IGP_GMII_FLEX_SPD, 0x10), V(IGP_GMII_SPD, 0x20),
	V(IGP01_AGC_A, 0x1172), V(IGP01_AGC_B, 0x1272), V(IGP01_AGC_C, 0x1472),
	V(IGP01_DSP_B, 0x1271), V(IGP01_DSP_C, 0x1471), V(IGP01_DSP_D, 0x1871),
	V(IGP01_DSP_MU_MASK, 0xC000), V(IGP01_DSP_SIGN_EXT, 0x8000),
	V(IGP01_FFE_NORMAL, 0x2A), V(IGP01_FFE_NOISY, 0x69), V(IGP01_TX_OFF, 3),
	V(IGP01_FUSE_SPARE_ON, 0x100), V(IGP01_FUSE_BY_SOFTWARE, 2),
	V(IGP01_FUSE_COARSE_MASK, 0x70), V(IGP01_FUSE_FINE_MASK, 0xF80),
	V(IGP01_FUSE_POLY_MASK, 0xF000),
	V(IGP01_AGC_D, 0x1872), V(IGP02_AGC_A, 0x11B1), V(IGP02_AGC_D, 0x18B1),
};

/* IEEE 802.3, tables 22-7, 22-8, 28-2 to 28-6, 40-3, 22-9: bits as a.b there */
static const struct value_row mii_table[] = {
	M(BMCR, 0), M(BMSR, 1), M(PHYID1, 2), M(PHYID2, 3), M(ANAR, 4), M(ANLPAR, 5),
	M(ANER, 6), M(ANNPTX, 7), M(ANLPRNP, 8), M(GBCR, 9), M(GBSR, 10), M(ESR, 15),
	M(BMCR_RESET, 0x8000), M(BMCR_LOOPBACK, 0x4000), M(BMCR_SPEED100, 0x2000),
	M(BMCR_ANENABLE, 0x1000), M(BMCR_PDOWN, 0x0800), M(BMCR_ISOLATE, 0x0400),
	M(BMCR_ANRESTART, 0x0200), M(BMCR_FULLDPLX, 0x0100), M(BMCR_COLTEST, 0x0080),
	M(BMCR_SPEED1000, 0x0040),
	M(BMSR_100BASE4, 0x8000), M(BMSR_100FULL, 0x4000), M(BMSR_100HALF, 0x2000),
	M(BMSR_10FULL, 0x1000), M(BMSR_10HALF, 0x0800), M(BMSR_100T2FULL, 0x0400),
	M(BMSR_100T2HALF, 0x0200), M(BMSR_ESTATEN, 0x0100), M(BMSR_NOPREAMBLE, 0x0040),
	M(BMSR_ANEGCOMPLETE, 0x0020), M(BMSR_RFAULT, 0x0010), M(BMSR_ANEGCAPABLE, 0x0008),
	M(BMSR_LSTATUS, 0x0004), M(BMSR_JCD, 0x0002), M(BMSR_ERCAP, 0x0001),
	M(AN_NPAGE, 0x8000), M(AN_ACK, 0x4000), M(AN_RFAULT, 0x2000), M(AN_ASM_DIR, 0x0800),
	M(AN_PAUSE, 0x0400), M(AN_100BASE4, 0x0200), M(AN_100FULL, 0x0100),
	M(AN_100HALF, 0x0080), M(AN_10FULL, 0x0040), M(AN_10HALF, 0x0020), M(AN_CSMA, 0x0001),
	M(ANER_PDF, 0x0010), M(ANER_LP_NPAGE, 0x0008), M(ANER_NPAGE, 0x0004),
	M(ANER_PAGE_RX, 0x0002), M(ANER_LP_AN, 0x0001), M(NP_NPAGE, 0x8000),
	M(NP_ACK, 0x4000), M(NP_MP, 0x2000), M(NP_ACK2, 0x1000), M(NP_TOGGLE, 0x0800),
	M(GBCR_MS_MANUAL, 0x1000), M(GBCR_MASTER, 0x0800), M(GBCR_MULTIPORT, 0x0400),
	M(GBCR_1000FULL, 0x0200), M(GBCR_1000HALF, 0x0100), M(GBSR_MS_FAULT, 0x8000),
	M(GBSR_MASTER, 0x4000), M(GBSR_LOCAL_RX_OK, 0x2000), M(GBSR_REMOTE_RX_OK, 0x1000),
	M(GBSR_LP_1000FULL, 0x0800), M(GBSR_LP_1000HALF, 0x0400), M(ESR_1000X_FULL, 0x8000),
	M(ESR_1000X_HALF, 0x4000), M(ESR_1000T_FULL, 0x2000), M(ESR_1000T_HALF, 0x1000),
};

static void
check_offsets(const struct reg_row *row, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (row[i].header != row[i].manual)
			fail_msg("%s is 0x%05x, not 0x%05x", row[i].name, row[i].header,
				 row[i].manual);
}

static void
check_values(const struct value_row *row, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (row[i].header != row[i].expected)
			fail_msg("%s is 0x%llx, not 0x%llx", row[i].name,
				 (unsigned long long)row[i].header,
				 (unsigned long long)row[i].expected);
}

static void
test_e1000_register_offsets(void **state)
{
	(void)state;
	check_offsets(reg_table, ARRAY_LEN(reg_table));
	check_offsets(alias_table, ARRAY_LEN(alias_table));
}

static void
test_e1000_register_bits(void **state)
{
	(void)state;
	check_values(bit_table, ARRAY_LEN(bit_table));
}

static void
test_mii_registers_and_bits(void **state)
{
	(void)state;
	check_values(mii_table, ARRAY_LEN(mii_table));
}

/* Open the header as text: it lies beside this source, wherever that is. */
static FILE *
open_header(void)
{
	static const char tail[] = "tests/unit/test_e1000_regs.c";
	char path[4096];
	size_t len = strlen(__FILE__);

	if (len < sizeof(tail) - 1 || len > sizeof(path) / 2 ||
	    strcmp(&__FILE__[len - (sizeof(tail) - 1)], tail) != 0)
		return NULL;
	snprintf(path, sizeof(path), "%.*slib/hw/e1000_regs.h",
		 (int)(len - (sizeof(tail) - 1)), __FILE__);
	return fopen(path, "r");
}

/* The access tag of a line, or 0 if the line defines no register. */
static int
parse_register(const char *line, char *name, char *access)
{
	const char *comment = strstr(line, "/* ");
	const char *colon;
	size_t len;

	if (sscanf(line, "#define E1000_%63[A-Z0-9_]", name) != 1 || comment == NULL)
		return 0;
	comment += 3;
	len = strspn(comment, "RWOC1S ");
	colon = strchr(comment, ':');
	if (colon == NULL)
		colon = strstr(comment, " */");
	if (colon == NULL || len < 2 || len > 15 || comment + len < colon)
		return 0;
	len = (size_t)(colon - comment);
	memcpy(access, comment, len);
	access[len] = '\0';
	return 1;
}

static const struct reg_row *
find_row(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(reg_table); i++)
		if (strcmp(reg_table[i].name, name) == 0)
			return &reg_table[i];
	return NULL;
}

/* A field, not a register, that carries a tag of its own. */
static int
is_bit(const char *name, const char *access)
{
	return strcmp(access, "SC") == 0 || strcmp(name, "WUC_PME_STATUS") == 0;
}

static void
test_e1000_register_access_and_no_register_untested(void **state)
{
	char seen[ARRAY_LEN(reg_table)] = { 0 };
	char line[256], name[64], access[16];
	FILE *f = open_header();

	(void)state;
	if (f == NULL)
		fail_msg("cannot open lib/hw/e1000_regs.h beside %s: "
			 "run from the folder it was compiled in", __FILE__);
	while (fgets(line, sizeof(line), f) != NULL) {
		const struct reg_row *row;

		if (!parse_register(line, name, access) || is_bit(name, access))
			continue;
		row = find_row(name);
		if (row == NULL)
			fail_msg("%s is in the header but not in this table", name);
		if (strcmp(row->access, access) != 0)
			fail_msg("%s is %s, not %s", name, access, row->access);
		seen[row - reg_table] = 1;
	}
	fclose(f);
	for (size_t i = 0; i < ARRAY_LEN(reg_table); i++)
		if (!seen[find_row(reg_table[i].name) - reg_table])
			fail_msg("%s has no access tag in the header", reg_table[i].name);
}

/* Spell a descriptor's words as the bytes the chip sees. */
static void
check_bytes(const void *desc, const uint8_t *expected, size_t len)
{
	const uint64_t *word = desc;
	uint64_t le[4];

	assert_in_range(len, 8, sizeof(le));
	for (size_t i = 0; i < len / 8; i++)
		le[i] = htole64(word[i]);
	assert_memory_equal(le, expected, len);
}

static void
test_e1000_legacy_rx_descriptor_layout(void **state)
{
	const struct e1000_rxd d = {
		.addr = 0x0807060504030201,
		.wb = E1000_RXD_WB(0x0a09, 0x0c0b, 0x0d, 0x0e, 0x100f),
	};
	const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };

	(void)state;
	check_bytes(&d, bytes, sizeof(bytes));
	assert_int_equal(E1000_RXD_LEN(d.wb), 0x0a09);
	assert_int_equal(E1000_RXD_CSUM(d.wb), 0x0c0b);
	assert_int_equal(E1000_RXD_STATUS(d.wb), 0x0d);
	assert_int_equal(E1000_RXD_ERRORS(d.wb), 0x0e);
	assert_int_equal(E1000_RXD_VLAN(d.wb), 0x100f);
}

static void
test_e1000_extended_rx_descriptor_layout(void **state)
{
	const struct e1000_rxd_ext d = {
		.lo = E1000_RXDX_LO_HASH(E1000_RXDX_MRQ(1, 1), 0x08070605),
		.hi = E1000_RXDX_HI(0x0c0b0a09, 0x0e0d, 0x100f),
	};
	const uint8_t bytes[] = { 1, 1, 0, 0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
	uint64_t lo = E1000_RXDX_LO_CSUM(0, 0x0605, 0x0807);

	(void)state;
	check_bytes(&d, bytes, sizeof(bytes));
	assert_int_equal(E1000_RXDX_RSS_TYPE(d.lo), 1);
	assert_int_equal(E1000_RXDX_QUEUE(d.lo), 1);
	assert_int_equal(E1000_RXDX_HASH(d.lo), 0x08070605);
	assert_int_equal(E1000_RXDX_STATERR(d.hi), 0x0c0b0a09);
	assert_int_equal(E1000_RXDX_LEN(d.hi), 0x0e0d);
	assert_int_equal(E1000_RXDX_VLAN(d.hi), 0x100f);
	assert_int_equal(E1000_RXDX_PKTTYPE(d.hi), 0xb);
	assert_int_equal(E1000_RXDX_IPID(lo), 0x0605);
	assert_int_equal(E1000_RXDX_CSUM(lo), 0x0807);
}

static void
test_e1000_packet_split_descriptor_layout(void **state)
{
	const struct e1000_rxd_ps d = {
		.q = { 0, 0, E1000_RXDPS_Q2(E1000_RXDPS_HDRSP | 54, 0x1413, 0x1615, 0x1817), 0 },
	};
	/* bytes 16-17: HDRSP 0x8000 and HDRLEN 54 = 0x36 */
	const uint8_t bytes[32] = { [16] = 0x36, 0x80, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18 };

	(void)state;
	check_bytes(&d, bytes, sizeof(bytes));
	assert_int_equal(E1000_RXDPS_HDRLEN(d.q[2]), 54);
	assert_int_equal(E1000_RXDPS_LEN(d.q[2], 1), 0x1413);
	assert_int_equal(E1000_RXDPS_LEN(d.q[2], 2), 0x1615);
	assert_int_equal(E1000_RXDPS_LEN(d.q[2], 3), 0x1817);
}

static void
test_e1000_tx_descriptor_layouts(void **state)
{
	/* legacy: length 60, CSO 50, CMD EOP IFCS IC RS = 0x0f, CSS 34, tag 0x2064 */
	const struct e1000_txd legacy = {
		.addr = 0x0807060504030201,
		.cmd = 60 | E1000_TXD_LEGACY_CSUM(50, 34) | E1000_TXD_EOP | E1000_TXD_IFCS |
		       E1000_TXD_IC | E1000_TXD_RS | E1000_TXD_VLAN(0x2064),
	};
	const uint8_t legacy_bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 60, 0, 50, 0x0f, 0, 34, 0x64,
					 0x20 };
	/* data: length 0x12345 with DTYP 1, DCMD EOP IFCS RS DEXT VLE = 0x6b, POPTS 3 */
	const struct e1000_txd data = {
		.addr = 0x0807060504030201,
		.cmd = 0x12345 | E1000_TXD_DATA_LAST | E1000_TXD_RS | E1000_TXD_VLE |
		       E1000_TXD_IXSM | E1000_TXD_TXSM | E1000_TXD_VLAN(0x2064),
	};
	const uint8_t data_bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 0x45, 0x23, 0x11, 0x6b, 0, 3, 0x64,
				       0x20 };
	/* context: TUCMD TCP IP TSE DEXT = 0x27, PAYLEN 0x12345, HDRLEN 54, MSS 1460 = 0x5b4 */
	const struct e1000_txd ctx = {
		.csum = E1000_CTX_IP(14, 24, 33) | E1000_CTX_TU(34, 50, 0),
		.cmd = E1000_TXD_CTX | E1000_TXD_TSE | E1000_CTX_TCP | E1000_CTX_IPV4 |
		       E1000_CTX_SEG(0x12345, 54, 1460),
	};
	const uint8_t ctx_bytes[] = { 14, 24, 33, 0, 34, 50, 0, 0, 0x45, 0x23, 0x01, 0x27, 0, 54,
				      0xb4, 0x05 };

	(void)state;
	check_bytes(&legacy, legacy_bytes, sizeof(legacy_bytes));
	check_bytes(&data, data_bytes, sizeof(data_bytes));
	check_bytes(&ctx, ctx_bytes, sizeof(ctx_bytes));
	assert_int_equal(E1000_TXD_LEGACY_LEN(legacy.cmd), 60);
	assert_int_equal(E1000_TXD_LEGACY_CSO(legacy.cmd), 50);
	assert_int_equal(E1000_TXD_LEGACY_CSS(legacy.cmd), 34);
	assert_int_equal(E1000_TXD_DATA_LEN(data.cmd), 0x12345);
	assert_int_equal(E1000_TXD_VLAN_GET(data.cmd), 0x2064);
	assert_true(E1000_TXD_IS_DATA(data.cmd) && !E1000_TXD_IS_CTX(data.cmd));
	assert_true(E1000_TXD_IS_CTX(ctx.cmd) && !E1000_TXD_IS_DATA(ctx.cmd));
	assert_false(E1000_TXD_IS_CTX(legacy.cmd) || E1000_TXD_IS_DATA(legacy.cmd));
	assert_int_equal(E1000_CTX_IPCSE(ctx.csum), 33);
	assert_int_equal(E1000_CTX_TUCSO(ctx.csum), 50);
	assert_int_equal(E1000_CTX_PAYLEN(ctx.cmd), 0x12345);
	assert_int_equal(E1000_CTX_HDRLEN(ctx.cmd), 54);
	assert_int_equal(E1000_CTX_MSS(ctx.cmd), 1460);
}

static const struct value_row desc_table[] = {
	V(RXD_DD, 0x01), V(RXD_EOP, 0x02), V(RXD_IXSM, 0x04), V(RXD_VP, 0x08),
	V(RXD_UDPCS, 0x10), V(RXD_TCPCS, 0x20), V(RXD_IPCS, 0x40), V(RXD_PIF, 0x80),
	V(RXD_CE, 0x01), V(RXD_SE, 0x02), V(RXD_SEQ, 0x04), V(RXD_CXE, 0x10),
	V(RXD_TCPE, 0x20), V(RXD_IPE, 0x40), V(RXD_RXE, 0x80), V(RXD_FRAME_ERRORS, 0x97),
	V(RXDX_TST, 0x100), V(RXDX_IPIDV, 0x200), V(RXDX_UDPV, 0x400), V(RXDX_ACK, 0x8000),
	V(RXDX_CE, 0x01000000), V(RXDX_SE, 0x02000000), V(RXDX_SEQ, 0x04000000),
	V(RXDX_CXE, 0x10000000), V(RXDX_TCPE, 0x20000000), V(RXDX_IPE, 0x40000000),
	V(RXDX_RXE, 0x80000000), V(RXDX_FRAME_ERRORS, 0x97000000), V(RXDPS_HDRSP, 0x8000),
	V(TXD_EOP, 0x01000000), V(TXD_IFCS, 0x02000000), V(TXD_IC, 0x04000000),
	V(TXD_TSE, 0x04000000), V(TXD_RS, 0x08000000), V(TXD_RPS, 0x10000000),
	V(TXD_DEXT, 0x20000000), V(TXD_VLE, 0x40000000), V(TXD_IDE, 0x80000000),
	V(TXD_DTYP_DATA, 0x00100000), V(CTX_TCP, 0x01000000), V(CTX_IPV4, 0x02000000),
	V(CTX_SNAP, 0x40000000),
	/* Intel's masks are of the upper dword: 1, 2, 4, 8, 0x10 and POPTS 1, 2 in byte 13 */
	V(TXD_DD, 0x1ULL << 32), V(TXD_EC, 0x2ULL << 32), V(TXD_LC, 0x4ULL << 32),
	V(TXD_TU, 0x8ULL << 32), V(TXD_TSTAMP, 0x10ULL << 32), V(TXD_IXSM, 0x100ULL << 32),
	V(TXD_TXSM, 0x200ULL << 32), V(TXD_DATA, 0x22100000), V(TXD_DATA_LAST, 0x23100000),
};

static void
test_e1000_descriptor_bits(void **state)
{
	(void)state;
	check_values(desc_table, ARRAY_LEN(desc_table));
}

struct id_row {
	uint16_t device;
	const char *mac;
	const char *name;
	const char *media;
};

#define ID_ROW(device, mac, name, media) { device, #mac, name, #media },
static const struct id_row header_ids[] = { E1000_ID_TABLE(ID_ROW) };

/* Ids of Intel's shared code, by the MAC type it assigns */
static const struct id_list {
	const char *mac;
	const char *media;
	uint16_t device[12];
} id_lists[] = {
	{ "82543", "FIBER", { 0x1001 } },
	{ "82543", "COPPER", { 0x1004 } },
	{ "82544", "COPPER", { 0x1008, 0x100C, 0x100D } },
	{ "82544", "FIBER", { 0x1009 } },
	{ "82540", "COPPER", { 0x100E, 0x1015, 0x1016, 0x1017, 0x101E } },
	{ "82545", "COPPER", { 0x100F } },
	{ "82545", "FIBER", { 0x1011 } },
	{ "82545_REV3", "COPPER", { 0x1026 } },
	{ "82545_REV3", "FIBER", { 0x1027 } },
	{ "82545_REV3", "SERDES", { 0x1028 } },
	{ "82546", "COPPER", { 0x1010, 0x101D } },
	{ "82546", "FIBER", { 0x1012 } },
	{ "82546_REV3", "COPPER", { 0x1079, 0x108A, 0x1099, 0x10B5 } },
	{ "82546_REV3", "FIBER", { 0x107A } },
	{ "82546_REV3", "SERDES", { 0x107B } },
	{ "82541", "COPPER", { 0x1013, 0x1018, 0x1014 } },
	{ "82541_REV2", "COPPER", { 0x1078, 0x1076, 0x107C, 0x1077 } },
	{ "82547", "COPPER", { 0x1019, 0x101A } },
	{ "82547_REV2", "COPPER", { 0x1075 } },
	{ "82571", "COPPER", { 0x105E, 0x10A4, 0x10D5, 0x10BC } },
	{ "82571", "FIBER", { 0x105F, 0x10A5 } },
	{ "82571", "SERDES", { 0x1060, 0x10D9, 0x10DA } },
	{ "82572", "COPPER", { 0x107D, 0x10B9 } },
	{ "82572", "FIBER", { 0x107E } },
	{ "82572", "SERDES", { 0x107F } },
	{ "82573", "COPPER", { 0x108B, 0x108C, 0x109A } },
	{ "82574", "COPPER", { 0x10D3, 0x10F6 } },
	{ "82583", "COPPER", { 0x150C } },
};

static const struct id_row *
find_id(uint16_t device)
{
	const struct id_row *found = NULL;

	for (size_t i = 0; i < ARRAY_LEN(header_ids); i++) {
		if (header_ids[i].device != device)
			continue;
		if (found != NULL)
			fail_msg("id %04x is in the table twice", device);
		found = &header_ids[i];
	}
	return found;
}

static void
test_e1000_pci_ids(void **state)
{
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(id_lists); i++) {
		const struct id_list *list = &id_lists[i];

		for (size_t j = 0; list->device[j] != 0; j++, n++) {
			const struct id_row *row = find_id(list->device[j]);

			if (row == NULL)
				fail_msg("id %04x is missing", list->device[j]);
			assert_string_equal(row->mac, list->mac);
			assert_string_equal(row->media, list->media);
			/* A marketing name starts with the MAC's number. */
			assert_memory_equal(row->name, list->mac, 5);
		}
	}
	assert_int_equal(ARRAY_LEN(header_ids), n);
	assert_int_equal(E1000_VENDOR_ID, 0x8086);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_e1000_register_offsets),
		cmocka_unit_test(test_e1000_register_bits),
		cmocka_unit_test(test_e1000_register_access_and_no_register_untested),
		cmocka_unit_test(test_mii_registers_and_bits),
		cmocka_unit_test(test_e1000_legacy_rx_descriptor_layout),
		cmocka_unit_test(test_e1000_extended_rx_descriptor_layout),
		cmocka_unit_test(test_e1000_packet_split_descriptor_layout),
		cmocka_unit_test(test_e1000_tx_descriptor_layouts),
		cmocka_unit_test(test_e1000_descriptor_bits),
		cmocka_unit_test(test_e1000_pci_ids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
