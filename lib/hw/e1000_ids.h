/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _E1000_IDS_H_
#define _E1000_IDS_H_

/*
 * PCI ids of the e1000 family, 82543 to 82583 (§1.1). Left out: 82542 (other
 * register offsets, no PHY), 80003ES2LAN and the ICH/PCH parts (Kumeran,
 * shadow-RAM NVM).
 *
 * X(device, mac, name, media): mac is a token to paste; `_REV2` and `_REV3`
 * mark the steppings that are reset or kept differently. Media is what is on
 * the far side of the MAC: COPPER (a PHY), FIBER (optics through the internal
 * TBI or SERDES), SERDES (a backplane). A quad card shows one function a port.
 */

#define E1000_VENDOR_ID			0x8086

#define E1000_ID_TABLE(X) \
	X(0x1001, 82543,      "82543GC",            FIBER) \
	X(0x1004, 82543,      "82543GC",            COPPER) \
	X(0x1008, 82544,      "82544EI",            COPPER) \
	X(0x1009, 82544,      "82544EI",            FIBER) \
	X(0x100C, 82544,      "82544GC",            COPPER) \
	X(0x100D, 82544,      "82544GC LOM",        COPPER) \
	X(0x100E, 82540,      "82540EM",            COPPER) \
	X(0x1015, 82540,      "82540EM LOM",        COPPER) \
	X(0x1016, 82540,      "82540EP LOM",        COPPER) \
	X(0x1017, 82540,      "82540EP",            COPPER) \
	X(0x101E, 82540,      "82540EP LP",         COPPER) \
	X(0x100F, 82545,      "82545EM",            COPPER) \
	X(0x1011, 82545,      "82545EM",            FIBER) \
	X(0x1026, 82545_REV3, "82545GM",            COPPER) \
	X(0x1027, 82545_REV3, "82545GM",            FIBER) \
	X(0x1028, 82545_REV3, "82545GM",            SERDES) \
	X(0x1010, 82546,      "82546EB",            COPPER) \
	X(0x1012, 82546,      "82546EB",            FIBER) \
	X(0x101D, 82546,      "82546EB quad",       COPPER) \
	X(0x1079, 82546_REV3, "82546GB",            COPPER) \
	X(0x107A, 82546_REV3, "82546GB",            FIBER) \
	X(0x107B, 82546_REV3, "82546GB",            SERDES) \
	X(0x108A, 82546_REV3, "82546GB PCIe",       COPPER) \
	X(0x1099, 82546_REV3, "82546GB quad",       COPPER) \
	X(0x10B5, 82546_REV3, "82546GB quad KSP3",  COPPER) \
	X(0x1013, 82541,      "82541EI",            COPPER) \
	X(0x1014, 82541,      "82541ER LOM",        COPPER) \
	X(0x1018, 82541,      "82541EI mobile",     COPPER) \
	X(0x1076, 82541_REV2, "82541GI",            COPPER) \
	X(0x1077, 82541_REV2, "82541GI mobile",     COPPER) \
	X(0x1078, 82541_REV2, "82541ER",            COPPER) \
	X(0x107C, 82541_REV2, "82541GI LF",         COPPER) \
	X(0x1019, 82547,      "82547EI",            COPPER) \
	X(0x101A, 82547,      "82547EI mobile",     COPPER) \
	X(0x1075, 82547_REV2, "82547GI",            COPPER) \
	X(0x105E, 82571,      "82571EB",            COPPER) \
	X(0x105F, 82571,      "82571EB",            FIBER) \
	X(0x1060, 82571,      "82571EB",            SERDES) \
	X(0x10A4, 82571,      "82571EB quad",       COPPER) \
	X(0x10A5, 82571,      "82571EB quad",       FIBER) \
	X(0x10BC, 82571,      "82571EB quad LP",    COPPER) \
	X(0x10D5, 82571,      "82571PT quad",       COPPER) \
	X(0x10D9, 82571,      "82571EB dual",       SERDES) \
	X(0x10DA, 82571,      "82571EB quad",       SERDES) \
	X(0x107D, 82572,      "82572EI",            COPPER) \
	X(0x107E, 82572,      "82572EI",            FIBER) \
	X(0x107F, 82572,      "82572EI",            SERDES) \
	X(0x10B9, 82572,      "82572EI",            COPPER) \
	X(0x108B, 82573,      "82573E",             COPPER) \
	X(0x108C, 82573,      "82573E IAMT",        COPPER) \
	X(0x109A, 82573,      "82573L",             COPPER) \
	X(0x10D3, 82574,      "82574L",             COPPER) \
	X(0x10F6, 82574,      "82574LA",            COPPER) \
	X(0x150C, 82583,      "82583V",             COPPER)

#endif /* _E1000_IDS_H_ */
