/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <stddef.h>

#include <e1000_ids.h>
#include <i8255x_ids.h>

#include "chips.h"

/* Those of a driver's chips that QEMU has and tests/guest runs the driver on. */
static const struct {
	uint16_t vendor, device;
} emulated[] = {
	{E1000_VENDOR_ID, 0x100E},	/* e1000 */
	{E1000_VENDOR_ID, 0x100C},	/* e1000-82544gc */
	{E1000_VENDOR_ID, 0x100F},	/* e1000-82545em */
	{E1000_VENDOR_ID, 0x10D3},	/* e1000e */
	{I8255X_VENDOR_ID, 0x1209},	/* i82550, i82551, i82559er, i82562 */
	{I8255X_VENDOR_ID, 0x1229},	/* i82557, i82558, i82559, each a, b or c */
	{I8255X_VENDOR_ID, 0x2449},	/* i82801 */
};

#define E1000_CHIP(id, mac, text, media) \
	{E1000_VENDOR_ID, id, "e1000", text, PB_SUPPORT_UNTESTED},
#define I8255X_CHIP(id, kind, text) \
	{I8255X_VENDOR_ID, id, "i8255x", text, PB_SUPPORT_UNTESTED},
#define PLANNED(vendor, id, family, text) {vendor, id, family, text, PB_SUPPORT_PLANNED}

static const struct pb_chip chips[] = {
	E1000_ID_TABLE(E1000_CHIP)
	I8255X_ID_TABLE(I8255X_CHIP)
	PLANNED(0x10EC, 0x8138, "rtl8139", "RTL8139B"),
	PLANNED(0x10EC, 0x8139, "rtl8139", "RTL8139"),
	PLANNED(0x10EC, 0x8136, "rtl8169", "RTL810xE"),
	PLANNED(0x10EC, 0x8161, "rtl8169", "RTL8168"),
	PLANNED(0x10EC, 0x8167, "rtl8169", "RTL8169SC"),
	PLANNED(0x10EC, 0x8168, "rtl8169", "RTL8168/8111"),
	PLANNED(0x10EC, 0x8169, "rtl8169", "RTL8169"),
	PLANNED(0x1148, 0x9000, "yukon2", "SK-9S21"),
	PLANNED(0x1148, 0x9E00, "yukon2", "SK-9E21"),
	PLANNED(0x1148, 0x9E01, "yukon2", "SK-9E21M"),
	PLANNED(0x11AB, 0x4340, "yukon2", "88E8021"),
	PLANNED(0x11AB, 0x4341, "yukon2", "88E8022"),
	PLANNED(0x11AB, 0x4342, "yukon2", "88E8061"),
	PLANNED(0x11AB, 0x4343, "yukon2", "88E8062"),
	PLANNED(0x11AB, 0x4344, "yukon2", "88E8021X"),
	PLANNED(0x11AB, 0x4345, "yukon2", "88E8022X"),
	PLANNED(0x11AB, 0x4346, "yukon2", "88E8061X"),
	PLANNED(0x11AB, 0x4347, "yukon2", "88E8062X"),
	PLANNED(0x11AB, 0x4350, "yukon2", "88E8035"),
	PLANNED(0x11AB, 0x4351, "yukon2", "88E8036"),
	PLANNED(0x11AB, 0x4352, "yukon2", "88E8038"),
	PLANNED(0x11AB, 0x4353, "yukon2", "88E8039"),
	PLANNED(0x11AB, 0x4354, "yukon2", "88E8040"),
	PLANNED(0x11AB, 0x4360, "yukon2", "88E8052"),
	PLANNED(0x11AB, 0x4361, "yukon2", "88E8050"),
	PLANNED(0x11AB, 0x4362, "yukon2", "88E8053"),
	PLANNED(0x11AB, 0x4363, "yukon2", "88E8055"),
	PLANNED(0x11AB, 0x4364, "yukon2", "88E8056"),
	PLANNED(0x11AB, 0x4365, "yukon2", "88E8070"),
	PLANNED(0x11AB, 0x436A, "yukon2", "88E8058"),
	PLANNED(0x11AB, 0x436B, "yukon2", "88E8071"),
	PLANNED(0x11AB, 0x436C, "yukon2", "88E8072"),
	PLANNED(0x11AB, 0x436D, "yukon2", "88E8055"),
	PLANNED(0x11AB, 0x4370, "yukon2", "88E8075"),
	PLANNED(0x11AB, 0x4380, "yukon2", "88E8057"),
	PLANNED(0x11AB, 0x4381, "yukon2", "88E8059"),
};

#define NB(array) (sizeof(array) / sizeof((array)[0]))

static bool
is_emulated(uint16_t vendor, uint16_t device)
{
	size_t i;

	for (i = 0; i < NB(emulated); i++)
		if (emulated[i].vendor == vendor && emulated[i].device == device)
			return true;
	return false;
}

bool
pb_chip_find(struct pb_chip *chip, uint16_t vendor, uint16_t device)
{
	size_t i;

	for (i = 0; i < NB(chips); i++) {
		if (chips[i].vendor != vendor || chips[i].device != device)
			continue;
		*chip = chips[i];
		if (is_emulated(vendor, device))
			chip->support = PB_SUPPORT_EMULATED;
		return true;
	}
	*chip = (struct pb_chip){vendor, device, "", "", PB_SUPPORT_NONE};
	return false;
}

const char *
pb_support_name(enum pb_support support)
{
	static const char *const names[] = {
		[PB_SUPPORT_NONE] = "none",
		[PB_SUPPORT_PLANNED] = "planned",
		[PB_SUPPORT_UNTESTED] = "untested",
		[PB_SUPPORT_EMULATED] = "emulated",
	};

	return names[support];
}
