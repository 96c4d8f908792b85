/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The kernel's side of VFIO is this file: ioctl() and EAL's VFIO functions are defined here, and
 * the program's own come before a library's. The guest tests have a real one.
 */

#include <errno.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <rte_errno.h>
#include <rte_mbuf.h>
#include <rte_memory.h>
#include <rte_vfio.h>

#include <pw_dma.h>
#include <pw_vfio.h>

#include "eal.h"

#define CONTAINER	7654321 /* no descriptor that is open */
#define GB4		UINT64_C(0x100000000)
#define MB		UINT64_C(0x100000)

static struct {
	int fd;
	bool no_iommu;
	unsigned int nb_ranges;		/* 0: an old kernel that does not tell */
	struct vfio_iova_range range[4];
	struct {
		uint64_t addr, len, va;
	} map[64];
	unsigned int nb;
	unsigned int eal_maps;		/* by rte_vfio_container_dma_map, less unmaps */
	int eal_rc;
} fake;

int
rte_vfio_get_container_fd(void)
{
	return fake.fd;
}

int
rte_vfio_container_dma_map(int fd, uint64_t va, uint64_t iova, uint64_t len)
{
	assert_int_equal(fd, RTE_VFIO_DEFAULT_CONTAINER_FD);
	assert_true(va != 0 && iova != 0 && len != 0);
	if (fake.eal_rc == 0)
		fake.eal_maps++;
	return fake.eal_rc;
}

int
rte_vfio_container_dma_unmap(int fd, uint64_t va, uint64_t iova, uint64_t len)
{
	assert_int_equal(fd, RTE_VFIO_DEFAULT_CONTAINER_FD);
	assert_true(va != 0 && iova != 0 && len != 0);
	fake.eal_maps--;
	return 0;
}

static int
refuse(int err)
{
	errno = err;
	return -1;
}

/* include/uapi/linux/vfio.h: tells how much it has to tell if that does not fit. */
static int
fake_info(struct vfio_iommu_type1_info *info)
{
	struct vfio_iommu_type1_info_cap_iova_range cap = {
		.header = { .id = VFIO_IOMMU_TYPE1_INFO_CAP_IOVA_RANGE, .version = 1 },
		.nr_iovas = fake.nb_ranges,
	};
	struct vfio_info_cap_header other = { .id = 99, .version = 1 };
	uint32_t room = info->argsz, size = fake.nb_ranges * sizeof(fake.range[0]);
	uint8_t *p = (uint8_t *)info;

	info->flags = VFIO_IOMMU_INFO_PGSIZES;
	info->iova_pgsizes = 4096;
	if (fake.nb_ranges == 0)
		return 0;
	info->flags |= VFIO_IOMMU_INFO_CAPS;
	info->argsz = sizeof(*info) + sizeof(other) + sizeof(cap) + size;
	if (room < info->argsz)
		return 0;
	/* Another capability first. */
	info->cap_offset = sizeof(*info);
	other.next = sizeof(*info) + sizeof(other);
	memcpy(p + sizeof(*info), &other, sizeof(other));
	memcpy(p + other.next, &cap, sizeof(cap));
	memcpy(p + other.next + sizeof(cap), fake.range, size);
	return 0;
}

static int
fake_map(const struct vfio_iommu_type1_dma_map *m)
{
	assert_int_equal(m->argsz, sizeof(*m));
	assert_int_equal(m->flags, VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE);
	for (unsigned int i = 0; i < fake.nb; i++)
		if (m->iova < fake.map[i].addr + fake.map[i].len &&
		    fake.map[i].addr < m->iova + m->size)
			return refuse(EEXIST);
	assert_true(fake.nb < RTE_DIM(fake.map));
	fake.map[fake.nb].addr = m->iova;
	fake.map[fake.nb].len = m->size;
	fake.map[fake.nb++].va = m->vaddr;
	return 0;
}

static int
fake_unmap(struct vfio_iommu_type1_dma_unmap *u)
{
	uint64_t found = 0;

	assert_int_equal(u->argsz, sizeof(*u));
	for (unsigned int i = 0; i < fake.nb; i++) {
		if (fake.map[i].addr != u->iova || fake.map[i].len != u->size)
			continue;
		found = u->size;
		fake.map[i] = fake.map[--fake.nb];
	}
	u->size = found;
	return 0;
}

int
ioctl(int fd, unsigned long request, ...)
{
	va_list ap;
	void *arg;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (fd != CONTAINER)
		return (int)syscall(SYS_ioctl, fd, request, arg);
	if (fake.no_iommu)
		return refuse(ENOTTY);
	switch (request) {
	case VFIO_IOMMU_GET_INFO:
		return fake_info(arg);
	case VFIO_IOMMU_MAP_DMA:
		return fake_map(arg);
	case VFIO_IOMMU_UNMAP_DMA:
		return fake_unmap(arg);
	default:
		return refuse(ENOTTY);
	}
}

static struct rte_pci_device pci;
static uint8_t memory[2 * 4096] __rte_aligned(4096);

static int
setup(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof(fake));
	fake.fd = CONTAINER;
	memset(&pci, 0, sizeof(pci));
	pci.device.name = "0000:03:00.0";
	pci.kdrv = RTE_PCI_KDRV_VFIO;
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	return fake.nb == 0 && fake.eal_maps == 0 ? 0 : -1;
}

static void
open_dma(struct pw_dma *dma)
{
	static const struct pw_dma_limits lim = { .addr_bits = 32 };

	assert_int_equal(pw_dma_init(dma, &lim, SOCKET_ID_ANY), 0);
	assert_int_equal(pw_dma_window_open(dma, pw_vfio_iommu(&pci)), 0);
	assert_non_null(dma->window);
}

/* --- which devices have one --- */

static void
test_only_vfio_with_an_iommu_has_one(void **state)
{
	(void)state;
	assert_non_null(pw_vfio_iommu(&pci));
	fake.no_iommu = true;
	assert_null(pw_vfio_iommu(&pci));
	fake.no_iommu = false;
	fake.fd = -1;
	assert_null(pw_vfio_iommu(&pci));
	fake.fd = CONTAINER;
	pci.kdrv = RTE_PCI_KDRV_UIO_GENERIC;
	assert_null(pw_vfio_iommu(&pci));
}

/* --- what is reserved --- */

static bool
is_reserved(const struct pw_dma_iommu *iommu, uint64_t addr)
{
	for (unsigned int i = 0; i < iommu->nb_reserved; i++)
		if (addr >= iommu->reserved[i].first && addr <= iommu->reserved[i].last)
			return true;
	return false;
}

static void
test_what_may_not_be_mapped_is_reserved(void **state)
{
	const struct pw_dma_iommu *iommu;

	(void)state;
	/* An old kernel: the range for interrupt messages, by heart. */
	iommu = pw_vfio_iommu(&pci);
	assert_false(is_reserved(iommu, 0));
	assert_false(is_reserved(iommu, 0xfedfffff));
	assert_true(is_reserved(iommu, 0xfee00000));
	assert_true(is_reserved(iommu, 0xfeefffff));
	assert_false(is_reserved(iommu, 0xfef00000));
	/* With a hole for somebody's graphics besides, and a low end. */
	fake.nb_ranges = 3;
	fake.range[0] = (struct vfio_iova_range){ 0x1000, 0x7fffffff };
	fake.range[1] = (struct vfio_iova_range){ 0x90000000, 0xfedfffff };
	fake.range[2] = (struct vfio_iova_range){ 0xfef00000, UINT64_C(0x7fffffffff) };
	iommu = pw_vfio_iommu(&pci);
	assert_true(is_reserved(iommu, 0xfff));
	assert_false(is_reserved(iommu, 0x1000));
	assert_false(is_reserved(iommu, 0x7fffffff));
	assert_true(is_reserved(iommu, 0x80000000));
	assert_true(is_reserved(iommu, 0x8fffffff));
	assert_false(is_reserved(iommu, 0x90000000));
	assert_false(is_reserved(iommu, 0xfedfffff));
	assert_true(is_reserved(iommu, 0xfee00000));
	assert_false(is_reserved(iommu, 0xfef00000));
	assert_false(is_reserved(iommu, 0xffffffff));
	/* An IOMMU of 31 bits. */
	fake.nb_ranges = 1;
	iommu = pw_vfio_iommu(&pci);
	assert_true(is_reserved(iommu, 0x80000000));
	assert_true(is_reserved(iommu, 0xffffffff));
}

/* --- mapping --- */

static void
test_the_kernel_maps_the_heap(void **state)
{
	struct pw_dma_zone z;
	struct pw_dma dma;

	(void)state;
	open_dma(&dma);
	assert_true(fake.nb > 0);
	assert_int_equal(pw_dma_zone_alloc(&dma, "z", 4096, 4096, &z), 0);
	assert_true(z.addr >= fake.map[0].addr && z.addr < fake.map[0].addr + fake.map[0].len);
	assert_int_equal(z.addr - fake.map[0].addr, (uintptr_t)z.va - fake.map[0].va);
	pw_dma_zone_free(&z);
	pw_dma_window_close(&dma);
}

static void
test_a_place_that_is_taken_is_refused(void **state)
{
	struct pw_dma dma;

	(void)state;
	open_dma(&dma);
	pw_dma_window_close(&dma);
	/* Where the heap would go again, there is somebody else's mapping. */
	fake.nb = 1;
	open_dma(&dma);
	assert_int_equal(pw_dma_window_map_error(dma.window), -EEXIST);
	assert_int_equal(fake.nb, 1);
	pw_dma_window_close(&dma);
	assert_int_equal(fake.nb, 1);
	fake.nb = 0;
}

/* --- external memory --- */

static void
test_external_memory_without_a_window(void **state)
{
	(void)state;
	assert_int_equal(pw_vfio_dma_map(&pci, memory, 8 * GB4, 4096), 0);
	assert_int_equal(fake.eal_maps, 1);
	assert_int_equal(pw_vfio_dma_unmap(&pci, memory, 8 * GB4, 4096), 0);
	pci.kdrv = RTE_PCI_KDRV_UIO_GENERIC;
	assert_int_equal(pw_vfio_dma_map(&pci, memory, 8 * GB4, 4096), -1);
	assert_int_equal(rte_errno, ENOTSUP);
	assert_int_equal(pw_vfio_dma_unmap(&pci, memory, 8 * GB4, 4096), -1);
	assert_int_equal(rte_errno, ENOTSUP);
}

static void
test_external_memory_gets_a_low_address_too(void **state)
{
	struct pw_dma dma;
	unsigned int nb;

	(void)state;
	open_dma(&dma);
	nb = fake.nb;
	assert_int_equal(pw_vfio_dma_map(&pci, memory, 8 * GB4, 4096), 0);
	assert_int_equal(fake.eal_maps, 1);
	assert_int_equal(fake.nb, nb + 1);
	assert_true(pw_dma_window_covers(dma.window, 8 * GB4, 4096));
	assert_int_equal(pw_vfio_dma_unmap(&pci, memory, 8 * GB4, 4096), 0);
	assert_int_equal(fake.nb, nb);
	/* EAL says no: then there is no low address either. */
	fake.eal_rc = -1;
	assert_int_equal(pw_vfio_dma_map(&pci, memory, 8 * GB4, 4096), -1);
	assert_int_equal(fake.nb, nb);
	fake.eal_rc = 0;
	pw_dma_window_close(&dma);
}

static void
test_external_memory_that_collides(void **state)
{
	struct pw_dma dma;
	uint64_t heap;

	(void)state;
	open_dma(&dma);
	/* Where the heap is, 8 * 4 GiB up: packets in it are copied. */
	heap = fake.map[0].addr - dma.offset;
	rte_log_set_level_pattern("*", RTE_LOG_WARNING);
	log_capture_start();
	assert_int_equal(pw_vfio_dma_map(&pci, memory, heap + 8 * GB4, 4096), 0);
	log_capture_expect("will be copied");
	assert_int_equal(fake.eal_maps, 1);
	assert_false(pw_dma_window_covers(dma.window, heap + 8 * GB4, 4096));
	assert_int_equal(pw_vfio_dma_unmap(&pci, memory, heap + 8 * GB4, 4096), 0);
	/* Half of it is known already. */
	assert_int_equal(pw_vfio_dma_map(&pci, memory, 8 * GB4, 4096), 0);
	assert_int_equal(pw_vfio_dma_map(&pci, memory, 8 * GB4, 8192), -1);
	assert_int_equal(rte_errno, EEXIST);
	assert_int_equal(fake.eal_maps, 1);
	assert_int_equal(pw_vfio_dma_unmap(&pci, memory, 8 * GB4, 4096), 0);
	/* It would be mapped over the heap's low address. */
	log_capture_start();
	assert_int_equal(pw_vfio_dma_map(&pci, memory, fake.map[0].addr, 4096), -1);
	log_capture_expect("is taken");
	assert_int_equal(rte_errno, EEXIST);
	assert_int_equal(fake.eal_maps, 0);
	pw_dma_window_close(&dma);
}

int
main(void)
{
#define TEST(t) cmocka_unit_test_setup_teardown(t, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_only_vfio_with_an_iommu_has_one),
		TEST(test_what_may_not_be_mapped_is_reserved),
		TEST(test_the_kernel_maps_the_heap),
		TEST(test_a_place_that_is_taken_is_refused),
		TEST(test_external_memory_without_a_window),
		TEST(test_external_memory_gets_a_low_address_too),
		TEST(test_external_memory_that_collides),
	};

	return cmocka_run_group_tests_name("vfio", tests, eal_setup, eal_teardown);
}
