/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * e1000: who gets a card that DPDK's own net_e1000_em claims as well. Both drivers are in this
 * process: ours is linked in, DPDK's is loaded by EAL from its plugin folder. What the bus does
 * with its list is DPDK's: the first whose table matches is probed, and a positive result means
 * "the next, please" (rte_pci_probe_t).
 */

#include "fixture.h"

#include <ethdev_pci.h>

#include <pw_attach.h>

#define MAX_DRIVERS 256

/* The bus's own list, in order; the program's function comes before the library's. */
static struct rte_pci_driver *drivers[MAX_DRIVERS];
static unsigned int nb_drivers;

void
rte_pci_register(struct rte_pci_driver *driver)
{
	if (nb_drivers < MAX_DRIVERS)
		drivers[nb_drivers++] = driver;
}

void
rte_pci_unregister(struct rte_pci_driver *driver)
{
	(void)driver;
}

static bool
claims(const struct rte_pci_driver *drv, uint16_t device)
{
	for (const struct rte_pci_id *id = drv->id_table; id->vendor_id != 0; id++)
		if (id->vendor_id == 0x8086 && id->device_id == device)
			return true;
	return false;
}

/* The `n`th driver that claims the card. */
static struct rte_pci_driver *
claimant(uint16_t device, unsigned int n)
{
	for (unsigned int i = 0; i < nb_drivers; i++)
		if (claims(drivers[i], device) && n-- == 0)
			return drivers[i];
	return NULL;
}

static void
make_device(struct rte_pci_device *pci, struct rte_devargs *args, const char *text)
{
	memset(pci, 0, sizeof(*pci));
	memset(args, 0, sizeof(*args));
	args->args = text;
	pci->id = (struct rte_pci_id){ .vendor_id = 0x8086, .device_id = 0x100e };
	pci->device.name = "0000:03:00.0";
	pci->device.devargs = args;
}

/* As with -d and librte_net_pollwire.so: EAL loads what -d names before its own folder. */
static void
test_first_registered_is_asked_first(void **state)
{
	(void)state;
	assert_non_null(claimant(0x100e, 0));
	assert_string_equal(claimant(0x100e, 0)->driver.name, "net_pw_e1000");
	assert_non_null(claimant(0x100e, 1));
	assert_string_equal(claimant(0x100e, 1)->driver.name, "net_e1000_em");
}

static void
test_claim_0_passes_the_card_on(void **state)
{
	struct rte_pci_driver *ours = claimant(0x100e, 0);
	struct rte_pci_device pci;
	struct rte_devargs args;

	(void)state;
	make_device(&pci, &args, "claim=0");
	assert_int_equal(ours->probe(ours, &pci), 1);
	assert_int_equal(rte_eth_dev_count_total(), 0);
}

/* A wrong argument is an error, not a card for somebody else. */
static void
test_bad_argument_is_an_error(void **state)
{
	struct rte_pci_driver *ours = claimant(0x100e, 0);
	struct rte_pci_device pci;
	struct rte_devargs args;

	(void)state;
	make_device(&pci, &args, "claim=maybe");
	log_capture_start();
	assert_int_equal(ours->probe(ours, &pci), -EINVAL);
	log_capture_expect("claim=maybe: 1 or 0");
	make_device(&pci, &args, "claims=0");
	log_capture_start();
	assert_int_equal(ours->probe(ours, &pci), -EINVAL);
	log_capture_expect("keys are: hang_ms=");
	assert_int_equal(rte_eth_dev_count_total(), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_registered_is_asked_first),
		cmocka_unit_test(test_claim_0_passes_the_card_on),
		cmocka_unit_test(test_bad_argument_is_an_error),
	};

	return cmocka_run_group_tests_name("e1000_claim", tests, fx_setup, fx_teardown);
}
