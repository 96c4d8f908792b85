/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _I8255X_IDS_H_
#define _I8255X_IDS_H_

/*
 * PCI ids of the Intel 8255x family (§1.1).
 *
 * X(device, kind, name): kind is a token to paste. `REV` parts are told apart
 * by their revision id, `ICH` are the MACs in I/O controller hubs, 82559-class
 * with a PHY of the 82562 kind behind LAN-connect.
 */

#define I8255X_VENDOR_ID		0x8086

#define I8255X_ID_TABLE(X) \
	X(0x1029, REV, "82559") \
	X(0x1030, REV, "82559 InBusiness") \
	X(0x1059, REV, "82551QM") \
	X(0x1209, REV, "82559ER/82551ER") \
	X(0x1229, REV, "82557/8/9, 82550, 82551") \
	X(0x2449, ICH, "82801BA (ICH2)") \
	X(0x2459, ICH, "82801E (C-ICH)") \
	X(0x245D, ICH, "82801E (C-ICH)") \
	X(0x1031, ICH, "82801CAM (ICH3) PRO/100 VE") \
	X(0x1032, ICH, "82801CAM (ICH3) PRO/100 VE") \
	X(0x1033, ICH, "82801CAM (ICH3) PRO/100 VM") \
	X(0x1034, ICH, "82801CAM (ICH3) PRO/100 VM") \
	X(0x1035, ICH, "82801CAM (ICH3)") \
	X(0x1036, ICH, "82801CAM (ICH3)") \
	X(0x1037, ICH, "82801CAM (ICH3)") \
	X(0x1038, ICH, "82801CAM (ICH3) PRO/100 VM") \
	X(0x1039, ICH, "82801DB (ICH4) PRO/100 VE") \
	X(0x103A, ICH, "82801DB (ICH4)") \
	X(0x103B, ICH, "82801DB (ICH4) PRO/100 VM") \
	X(0x103C, ICH, "82801DB (ICH4)") \
	X(0x103D, ICH, "82801DB (ICH4) PRO/100 VE") \
	X(0x103E, ICH, "82801DB (ICH4) PRO/100 VM") \
	X(0x1050, ICH, "82801EB (ICH5) PRO/100 VE") \
	X(0x1051, ICH, "82801EB (ICH5) PRO/100 VE") \
	X(0x1052, ICH, "82801EB (ICH5) PRO/100 VM") \
	X(0x1053, ICH, "82801EB (ICH5) PRO/100 VM") \
	X(0x1054, ICH, "82801EB (ICH5) PRO/100 VE") \
	X(0x1055, ICH, "82801EB (ICH5) PRO/100 VM") \
	X(0x1056, ICH, "82801EB (ICH5) PRO/100 VE") \
	X(0x1057, ICH, "82801EB (ICH5) PRO/100 VE") \
	X(0x1064, ICH, "82801FB (ICH6) PRO/100 VE") \
	X(0x1065, ICH, "82801FB (ICH6) PRO/100 VE") \
	X(0x1066, ICH, "82801FB (ICH6) PRO/100 VE") \
	X(0x1067, ICH, "82801FB (ICH6) PRO/100 VE") \
	X(0x1068, ICH, "82801FBM (ICH6-M) PRO/100 VE") \
	X(0x1069, ICH, "82801FB (ICH6) PRO/100 VM") \
	X(0x106A, ICH, "82801FB (ICH6) PRO/100 VE") \
	X(0x106B, ICH, "82801FB (ICH6) PRO/100 VE") \
	X(0x1091, ICH, "82801GB (ICH7) PRO/100 VM") \
	X(0x1092, ICH, "82801GB (ICH7) PRO/100 VE") \
	X(0x1093, ICH, "82801GB (ICH7) PRO/100 VM") \
	X(0x1094, ICH, "82801GB (ICH7) PRO/100 VE") \
	X(0x1095, ICH, "82801GB (ICH7) PRO/100 VE") \
	X(0x10FE, ICH, "82552") \
	X(0x27DC, ICH, "82801G (ICH7)")

/* Revision ids of the REV parts (§1.1). */
#define I8255X_REV_82557_A		0x01
#define I8255X_REV_82557_B		0x02
#define I8255X_REV_82557_C		0x03
#define I8255X_REV_82558_A		0x04
#define I8255X_REV_82558_B		0x05
#define I8255X_REV_82559_A		0x06
#define I8255X_REV_82559_B		0x07
#define I8255X_REV_82559_C		0x08
#define I8255X_REV_82559_ER		0x09	/* and 82559 S */
#define I8255X_REV_82550		0x0C
#define I8255X_REV_82550_C		0x0D
#define I8255X_REV_82551_E		0x0E	/* 82551, or 82550 E: the same to a driver */
#define I8255X_REV_82551_F		0x0F
#define I8255X_REV_82551_10		0x10
#define I8255X_REV_UNKNOWN		0xFF	/* an 82557 A */

/* Device ids that the revision alone does not tell about. */
#define I8255X_DEV_82559ER		0x1209	/* no magic packet; rev 9: no Rx checksum */
#define I8255X_DEV_82551QM		0x1059

#endif /* _I8255X_IDS_H_ */
