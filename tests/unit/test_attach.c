/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * PCI probe on a bus that is this file: the bus driver's functions and rte_version() are defined
 * here, and the program's own come before a library's.
 */

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rte_version.h>

#include <ethdev_pci.h>
#include <pw_attach.h>
#include <pw_vfio.h>

#include "eal.h"

#define STR2(x) #x
#define STR(x)	STR2(x)

/* --- the DPDK that is running --- */

static const char *running;

const char *
rte_version(void)
{
	static char built[32];

	snprintf(built, sizeof(built), "DPDK %d.%02d.9", RTE_VER_YEAR, RTE_VER_MONTH);
	return running != NULL ? running : built;
}

/* --- the bus --- */

static struct fake_bus {
	uint8_t cfg[256];
	bool cfg_dead;		/* accesses fail */
	bool cfg_readonly;	/* writes fail */
	uint8_t port[6][64];	/* what is behind each window without a mapping */
	unsigned int maps[6];	/* maps less unmaps */
	int no_map;		/* this BAR cannot be mapped; -1: all can */
	unsigned int registered;
	uint8_t bar0[4096] __rte_aligned(8);
} bus;

void
rte_pci_register(struct rte_pci_driver *driver)
{
	assert_non_null(driver->driver.name);
	bus.registered++;
}

/* DPDK's own drivers, which EAL loads, come here too, and leave at exit. */
void
rte_pci_unregister(struct rte_pci_driver *driver)
{
	(void)driver;
}

int
rte_pci_read_config(const struct rte_pci_device *device, void *buf, size_t len, off_t offset)
{
	(void)device;
	if (bus.cfg_dead)
		return -1;
	assert_true(offset + len <= sizeof(bus.cfg));
	memcpy(buf, &bus.cfg[offset], len);
	return (int)len;
}

int
rte_pci_write_config(const struct rte_pci_device *device, const void *buf, size_t len,
		     off_t offset)
{
	(void)device;
	if (bus.cfg_dead || bus.cfg_readonly)
		return -1;
	assert_true(offset + len <= sizeof(bus.cfg));
	memcpy(&bus.cfg[offset], buf, len);
	return (int)len;
}

int
rte_pci_ioport_map(struct rte_pci_device *dev, int bar, struct rte_pci_ioport *p)
{
	if (bar == bus.no_map)
		return -1;
	p->dev = dev;
	p->base = bar;
	bus.maps[bar]++;
	return 0;
}

int
rte_pci_ioport_unmap(struct rte_pci_ioport *p)
{
	assert_true(bus.maps[p->base] > 0);
	bus.maps[p->base]--;
	return 0;
}

void
rte_pci_ioport_read(struct rte_pci_ioport *p, void *data, size_t len, off_t offset)
{
	assert_true(offset + len <= sizeof(bus.port[0]));
	memcpy(data, &bus.port[p->base][offset], len);
}

void
rte_pci_ioport_write(struct rte_pci_ioport *p, const void *data, size_t len, off_t offset)
{
	assert_true(offset + len <= sizeof(bus.port[0]));
	memcpy(&bus.port[p->base][offset], data, len);
}

/* --- a driver --- */

struct toy {
	struct pw_dev dev;
	uint32_t mark;
};

static struct {
	int rc;
	unsigned int attached, detached;
	struct pw_dev dev;	/* as attach saw it */
	struct rte_eth_dev *eth;
} toy;

static int
toy_attach(struct pw_dev *dev, struct rte_eth_dev *eth)
{
	assert_ptr_equal(dev, pw_dev_of(eth));
	/* Private data is zeroed, whatever a device before had there. */
	assert_int_equal(((struct toy *)dev)->mark, 0);
	((struct toy *)dev)->mark = UINT32_MAX;
	toy.attached++;
	toy.dev = *dev;
	toy.eth = eth;
	return toy.rc;
}

static int
toy_detach(struct pw_dev *dev, struct rte_eth_dev *eth)
{
	assert_ptr_equal(eth, toy.eth);
	/* The windows are there until the driver is done. */
	if (dev->bar[2].len != 0)
		pw_write8(&dev->bar[2], 0, 1);
	toy.detached++;
	return 0;
}

static const struct rte_pci_id toy_ids[] = {
	{ RTE_PCI_DEVICE(0x1234, 0x0001) },
	{ .class_id = RTE_CLASS_ANY_ID, .vendor_id = 0x1234, .device_id = 0x0002,
	  .subsystem_vendor_id = 0xaaaa, .subsystem_device_id = RTE_PCI_ANY_ID },
	{ .class_id = 0x020000, .vendor_id = 0x1234, .device_id = RTE_PCI_ANY_ID,
	  .subsystem_vendor_id = RTE_PCI_ANY_ID, .subsystem_device_id = 0xbbbb },
	{ .vendor_id = 0 },
};

static struct pw_driver toy_driver = {
	.pci = { .id_table = toy_ids, .drv_flags = RTE_PCI_DRV_NEED_MAPPING },
	.name = "net_pw_toy",
	.priv_size = sizeof(struct toy),
	.attach = toy_attach,
	.detach = toy_detach,
};

PW_REGISTER_DRIVER(net_pw_toy, toy_driver, toy_ids);

/* --- a device: registers at BAR 0, as a rule a port at BAR 2 --- */

static struct rte_devargs devargs;
static struct rte_pci_device pci;
static char sysfs[] = "/sys-XXXXXX";
static char root[64], file[128];

static void
sysfs_resource(const char *bar0, const char *bar1, const char *bar2)
{
	FILE *f = fopen(file, "w");

	assert_non_null(f);
	fprintf(f, "%s\n%s\n%s\n", bar0, bar1, bar2);
	for (int i = 3; i < 7; i++)
		fputs("0x0000000000000000 0x0000000000000000 0x0000000000000000\n", f);
	assert_int_equal(fclose(f), 0);
}

#define NO_BAR	"0x0000000000000000 0x0000000000000000 0x0000000000000000"
#define MEM_4K	"0x00000000fe000000 0x00000000fe000fff 0x0000000000040200"
#define MEM_64	"0x00000000fe010000 0x00000000fe01003f 0x0000000000040200"
#define IO_64	"0x000000000000c000 0x000000000000c03f 0x0000000000040101"

static int
setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	if (eal_setup(state) != 0)
		return -1;
	snprintf(root, sizeof(root), "%s%s", tmp != NULL ? tmp : P_tmpdir, sysfs);
	if (mkdtemp(root) == NULL || setenv("SYSFS_PCI_DEVICES", root, 1) != 0)
		return -1;
	snprintf(file, sizeof(file), "%s/0000:03:00.0", root);
	if (mkdir(file, 0700) != 0)
		return -1;
	strcat(file, "/resource");
	return 0;
}

static int
teardown(void **state)
{
	unlink(file);
	*strrchr(file, '/') = '\0';
	rmdir(file);
	rmdir(root);
	return eal_teardown(state);
}

static int
plug(void **state)
{
	(void)state;
	memset(&bus, 0, sizeof(bus));
	bus.no_map = -1;
	bus.cfg[4] = 0x00;	/* command: nothing enabled */
	bus.cfg[5] = 0x04;	/* INTx off, which must stay */
	bus.cfg[8] = 0x5a;	/* revision */
	memset(&toy, 0, sizeof(toy));
	memset(&pci, 0, sizeof(pci));
	strcpy(pci.name, "0000:03:00.0");
	pci.device.name = pci.name;
	pci.device.numa_node = 0;
	pci.device.devargs = &devargs;
	pci.addr.bus = 3;
	pci.id = (struct rte_pci_id) { 0x020000, 0x1234, 0x0001, 0xaaaa, 0xbbbb };
	pci.mem_resource[0].addr = bus.bar0;
	pci.mem_resource[0].len = sizeof(bus.bar0);
	pci.driver = &toy_driver.pci;
	sysfs_resource(MEM_4K, NO_BAR, IO_64);
	return 0;
}

/* Whatever happened, nothing is left: no window, no port. */
static int
check_unplugged(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 6; i++)
		if (bus.maps[i] != 0)
			return -1;
	return rte_eth_dev_count_avail() == 0 ? 0 : -1;
}

static int
probe(void)
{
	return toy_driver.pci.probe(&toy_driver.pci, &pci);
}

static int
remove_device(void)
{
	return toy_driver.pci.remove(&pci);
}

/* --- release and registration --- */

static void
test_version_fits_year_and_month(void **state)
{
	static const char *const bad[] = {
		"", "DPDK", "DPDK 19.11.14", "DPDK 24.11.1", "DPDK 25.11.0-rc1",
		"DPDK " STR(RTE_VER_YEAR) ".1", "DPDK " STR(RTE_VER_YEAR) ".03.0",
		"dpdk " STR(RTE_VER_YEAR) "." STR(RTE_VER_MONTH) ".0",
	};

	(void)state;
	/* Stable releases keep the ABI; November's month has two digits in every release. */
	assert_true(pw_version_fits("DPDK " STR(RTE_VER_YEAR) "." STR(RTE_VER_MONTH) ".0"));
	assert_true(pw_version_fits("DPDK " STR(RTE_VER_YEAR) "." STR(RTE_VER_MONTH) ".99-rc2"));
	assert_false(pw_version_fits(NULL));
	for (size_t i = 0; i < RTE_DIM(bad); i++)
		if (pw_version_fits(bad[i]))
			fail_msg("%s", bad[i]);
}

static void
test_another_release_is_refused_with_one_line(void **state)
{
	static struct pw_driver late = { .pci = { .id_table = toy_ids }, .name = "net_pw_late" };

	(void)state;
	running = "DPDK 19.11.14";
	bus.registered = 0;
	log_capture_start();
	pw_driver_register(&late);
	pw_driver_register(&late);
	assert_false(pw_version_ok());
	log_capture_expect("built for DPDK " STR(RTE_VER_YEAR) "." STR(RTE_VER_MONTH)
			   " but loaded by DPDK 19.11.14");
	assert_int_equal(bus.registered, 0);
	running = NULL;
	assert_true(pw_version_ok());
}

static void
test_registration(void **state)
{
	(void)state;
	assert_string_equal(toy_driver.pci.driver.name, "net_pw_toy");
	assert_ptr_equal(toy_driver.pci.probe, pw_pci_probe);
	assert_ptr_equal(toy_driver.pci.remove, pw_pci_remove);
	assert_ptr_equal(toy_driver.pci.dma_map, pw_vfio_dma_map);
	assert_ptr_equal(toy_driver.pci.dma_unmap, pw_vfio_dma_unmap);
}

static void
test_find_by_ids(void **state)
{
	static const struct {
		struct rte_pci_id id;
		bool found;
	} rows[] = {
		{ { 0x020000, 0x1234, 0x0001, 0, 0 }, true },
		{ { 0xff0000, 0x1234, 0x0001, 0xffff, 1 }, true },
		{ { 0x020000, 0x1235, 0x0001, 0, 0 }, false },
		{ { 0x020000, 0x1234, 0x0002, 0xaaaa, 7 }, true },
		{ { 0x020000, 0x1234, 0x0002, 0xaaab, 7 }, false },
		{ { 0x020000, 0x1234, 0x7777, 0, 0xbbbb }, true },
		{ { 0x030000, 0x1234, 0x7777, 0, 0xbbbb }, false },
		{ { 0, 0, 0, 0, 0 }, false },
	};

	(void)state;
	for (size_t i = 0; i < RTE_DIM(rows); i++)
		assert_ptr_equal(pw_driver_find(&rows[i].id), rows[i].found ? &toy_driver : NULL);
}

/* --- probe and remove --- */

static void
test_probe_fills_the_device_in(void **state)
{
	uint16_t word = 0;

	(void)state;
	assert_int_equal(probe(), 0);
	assert_int_equal(toy.attached, 1);
	assert_string_equal(toy.dev.name, "0000:03:00.0");
	assert_memory_equal(&toy.dev.id, &pci.id, sizeof(pci.id));
	assert_int_equal(toy.dev.revision, 0x5a);
	assert_int_equal(toy.dev.socket, 0);
	assert_ptr_equal(toy.dev.devargs, &devargs);
	assert_ptr_equal(toy.dev.bar[0].base, bus.bar0);
	assert_int_equal(toy.dev.bar[0].len, 4096);
	assert_int_equal(toy.dev.bar[1].len, 0);
	assert_null(toy.dev.bar[2].base);
	assert_int_equal(toy.dev.bar[2].len, 64);
	for (unsigned int i = 3; i < PW_MAX_BARS; i++)
		assert_int_equal(toy.dev.bar[i].len, 0);
	/* I/O, memory and bus mastering on; what was set stays. */
	assert_int_equal(bus.cfg[4], 0x07);
	assert_int_equal(bus.cfg[5], 0x04);
	assert_int_equal(toy.dev.cfg_read(pw_dev_of(toy.eth), &word, 2, 8), 0);
	assert_int_equal(word, 0x005a);
	word = 0xbeef;
	assert_int_equal(toy.dev.cfg_write(pw_dev_of(toy.eth), &word, 2, 0x40), 0);
	assert_memory_equal(&bus.cfg[0x40], &word, 2);
	assert_int_equal(rte_eth_dev_count_avail(), 1);

	assert_int_equal(remove_device(), 0);
	assert_int_equal(toy.detached, 1);
}

static void
test_port_window_has_all_widths(void **state)
{
	static const uint8_t want[] = { 0x78, 0x56, 0x34, 0x12, 0xcd, 0xab, 0xef, 0 };
	const struct pw_io *io;

	(void)state;
	assert_int_equal(probe(), 0);
	io = &pw_dev_of(toy.eth)->bar[2];
	pw_write32(io, 8, 0x12345678);
	pw_write16(io, 12, 0xabcd);
	pw_write8(io, 14, 0xef);
	assert_memory_equal(&bus.port[2][8], want, sizeof(want));
	assert_int_equal(pw_read32(io, 8), 0x12345678);
	assert_int_equal(pw_read16(io, 12), 0xabcd);
	assert_int_equal(pw_read8(io, 14), 0xef);
	assert_int_equal(pw_read16(io, 9), 0x3456);
	/* Nothing beside what was asked for. */
	assert_int_equal(io->ops->read(io, 8, 1), 0x78);
	assert_int_equal(io->ops->read(io, 8, 2), 0x5678);
	assert_int_equal(remove_device(), 0);
}

static void
test_memory_bar_that_cannot_be_mapped_goes_through_the_port(void **state)
{
	(void)state;
	pci.mem_resource[0].addr = NULL;
	sysfs_resource(MEM_64, NO_BAR, NO_BAR);
	bus.port[0][4] = 0x99;
	assert_int_equal(probe(), 0);
	assert_null(toy.dev.bar[0].base);
	assert_int_equal(toy.dev.bar[0].len, 64);
	assert_int_equal(pw_read8(&pw_dev_of(toy.eth)->bar[0], 4), 0x99);
	/* Memory and bus mastering; there is no port to decode. */
	assert_int_equal(bus.cfg[4], 0x06);
	assert_int_equal(remove_device(), 0);
}

static void
test_port_that_cannot_be_opened_is_absent(void **state)
{
	(void)state;
	bus.no_map = 2;
	assert_int_equal(probe(), 0);
	assert_int_equal(toy.dev.bar[0].len, 4096);
	assert_int_equal(toy.dev.bar[2].len, 0);
	assert_null(toy.dev.bar[2].ops);
	assert_int_equal(remove_device(), 0);
}

static void
test_resource_list_that_is_missing_or_broken(void **state)
{
	static const char *const text[] = {
		"", "garbage\n", MEM_4K "\n", MEM_4K "\n" NO_BAR "\nx",
	};

	(void)state;
	for (size_t i = 0; i <= RTE_DIM(text); i++) {
		unlink(file);
		if (i < RTE_DIM(text)) {
			FILE *f = fopen(file, "w");

			assert_non_null(f);
			fputs(text[i], f);
			assert_int_equal(fclose(f), 0);
		}
		assert_int_equal(probe(), 0);
		assert_int_equal(toy.dev.bar[0].len, 4096);
		assert_int_equal(toy.dev.bar[2].len, 0);
		assert_int_equal(remove_device(), 0);
	}
}

static void
test_probe_failures_leave_nothing(void **state)
{
	static const struct {
		const char *said;
		int rc;
	} rows[] = {
		{ "no register window could be mapped", -ENODEV },
		{ "PCI configuration space cannot be read", -EIO },
		{ "reads all ones", -ENODEV },
		{ "bus mastering cannot be enabled", -EIO },
	};

	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		plug(state);
		switch (i) {
		case 0:
			pci.mem_resource[0].addr = NULL;
			sysfs_resource(NO_BAR, NO_BAR, NO_BAR);
			break;
		case 1:
			bus.cfg_dead = true;
			break;
		case 2:
			memset(bus.cfg, 0xff, sizeof(bus.cfg));
			break;
		case 3:
			bus.cfg_readonly = true;
			break;
		}
		log_capture_start();
		assert_int_equal(probe(), rows[i].rc);
		log_capture_expect(rows[i].said);
		assert_int_equal(toy.attached, 0);
		assert_int_equal(check_unplugged(state), 0);
	}
}

static void
test_driver_that_refuses_leaves_nothing(void **state)
{
	toy.rc = -EPROTO;
	assert_int_equal(probe(), -EPROTO);
	assert_int_equal(toy.attached, 1);
	assert_int_equal(toy.detached, 0);
	assert_int_equal(check_unplugged(state), 0);
	/* And the device can be probed again. */
	toy.rc = 0;
	assert_int_equal(probe(), 0);
	assert_int_equal(remove_device(), 0);
}

/* rte_eth_dev_close() has the driver detach and gives the port up before the bus removes. */
static void
test_remove_after_close(void **state)
{
	(void)state;
	assert_int_equal(probe(), 0);
	assert_int_equal(rte_eth_dev_release_port(toy.eth), 0);
	assert_int_equal(bus.maps[2], 1);
	assert_int_equal(remove_device(), 0);
	assert_int_equal(toy.detached, 0);
	assert_int_equal(remove_device(), 0);
}

#define plugged(t) cmocka_unit_test_setup_teardown(t, plug, check_unplugged)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_version_fits_year_and_month),
		cmocka_unit_test(test_another_release_is_refused_with_one_line),
		cmocka_unit_test(test_registration),
		cmocka_unit_test(test_find_by_ids),
		plugged(test_probe_fills_the_device_in),
		plugged(test_port_window_has_all_widths),
		plugged(test_memory_bar_that_cannot_be_mapped_goes_through_the_port),
		plugged(test_port_that_cannot_be_opened_is_absent),
		plugged(test_resource_list_that_is_missing_or_broken),
		plugged(test_probe_failures_leave_nothing),
		plugged(test_driver_that_refuses_leaves_nothing),
		plugged(test_remove_after_close),
	};

	return cmocka_run_group_tests_name("attach", tests, setup, teardown);
}
