/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* The window's list on an IOMMU that is this file. No memory is touched; no EAL is up. */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pw_dma_pieces.h>

#define MB		UINT64_C(0x100000)
#define GB		UINT64_C(0x40000000)
#define PAGE		(2 * MB)
#define MSI_FIRST	UINT64_C(0xfee00000)
#define MSI_LAST	UINT64_C(0xfeefffff)

/* The offset moves `HEAP` to 256 MiB. */
#define HEAP		UINT64_C(0x100200000)
#define AT		UINT64_C(0x10000000)

/* --- the IOMMU --- */

#define MAPS 4096

static struct fake_iommu {
	struct {
		uint64_t addr, len;
		uint8_t *va;
	} map[MAPS];
	unsigned int nb;
	int rc;			/* what map says instead; 0: as it should be */
} fake;

static int
fake_map(const struct pw_dma_iommu *iommu, void *va, uint64_t addr, uint64_t len)
{
	(void)iommu;
	assert_true(len > 0 && addr + len <= PW_DMA_TOP);
	/* Whatever happens, never there. */
	assert_true(addr + len <= MSI_FIRST || addr > MSI_LAST);
	if (fake.rc != 0)
		return fake.rc;
	for (unsigned int i = 0; i < fake.nb; i++)
		if (addr < fake.map[i].addr + fake.map[i].len && fake.map[i].addr < addr + len)
			fail_msg("%#lx is mapped twice", addr);
	assert_true(fake.nb < MAPS);
	fake.map[fake.nb].addr = addr;
	fake.map[fake.nb].len = len;
	fake.map[fake.nb++].va = va;
	return 0;
}

/* VFIO cuts no mapping. */
static int
fake_unmap(const struct pw_dma_iommu *iommu, uint64_t addr, uint64_t len)
{
	(void)iommu;
	for (unsigned int i = 0; i < fake.nb; i++) {
		if (fake.map[i].addr != addr)
			continue;
		assert_int_equal(fake.map[i].len, len);
		fake.map[i] = fake.map[--fake.nb];
		return 0;
	}
	fail_msg("%#lx is not mapped", addr);
	return -EINVAL;
}

/* Where a device's access ends up; NULL: a fault. */
static uint8_t *
fake_reach(uint64_t addr)
{
	for (unsigned int i = 0; i < fake.nb; i++)
		if (addr - fake.map[i].addr < fake.map[i].len)
			return fake.map[i].va + (addr - fake.map[i].addr);
	return NULL;
}

static const struct pw_dma_iommu_ops ops = { fake_map, fake_unmap };
static const struct pw_dma_range msi = { MSI_FIRST, MSI_LAST };
static const struct pw_dma_iommu iommu = { .ops = &ops, .reserved = &msi, .nb_reserved = 1 };

static struct pw_dma_pieces ps;

static int
setup(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof(fake));
	memset(&ps, 0, sizeof(ps));
	ps.iommu = &iommu;
	ps.offset = AT - HEAP;
	/* All that the sum brings below 4 GiB. */
	ps.first = HEAP - AT;
	ps.last = ps.first + PW_DMA_TOP - 1;
	rte_rwlock_init(&ps.readers);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	pw_dma_pieces_free(&ps);
	return fake.nb == 0 ? 0 : -1;
}

/* A stand-in address for memory that nobody touches. */
static uint8_t *
va_of(uint64_t iova)
{
	return (uint8_t *)(uintptr_t)(iova + (UINT64_C(1) << 44));
}

static int
add(uint64_t iova, uint64_t len, uint64_t page)
{
	struct pw_dma_piece p = { .iova = iova, .len = len, .page = page, .va = va_of(iova) };
	int rc = pw_dma_pieces_add(&ps, &p);

	pw_dma_pieces_trust(&ps);
	return rc;
}

static int
take(uint64_t iova, uint64_t len)
{
	int rc = pw_dma_pieces_take(&ps, iova, len);

	pw_dma_pieces_trust(&ps);
	return rc;
}

/* It is covered, and what the chip puts on the bus reaches it, from end to end. */
static void
expect_there(uint64_t iova, uint64_t len)
{
	assert_true(pw_dma_pieces_cover(&ps, iova, len));
	assert_ptr_equal(fake_reach((uint32_t)(iova + ps.offset)), va_of(iova));
	assert_ptr_equal(fake_reach((uint32_t)(iova + ps.offset + len - 1)), va_of(iova + len - 1));
}

static void
expect_trust(uint64_t first, uint64_t end)
{
	assert_int_equal(ps.lo, first);
	assert_int_equal(ps.lo + ps.span + 1, end);
}

/* --- where the window lies --- */

static void
test_place(void **state)
{
	static const struct {
		const char *rule;
		uint64_t low, end, page;
		struct pw_dma_range kept;
		uint64_t offset;
	} rows[] = {
		{ "the heap's bottom comes to 256 MiB",
		  0x100200000, 0x104200000, 2 * MB, { 0, 0 }, 0x10000000 - UINT64_C(0x100200000) },
		{ "small pages need no alignment of large ones",
		  0x100003000, 0x104003000, 4096, { 0, 0 }, 0x10000000 - UINT64_C(0x100003000) },
		{ "1 GiB pages keep their alignment",
		  0x140000000, 0x180000000, GB, { 0, 0 }, 0x40000000 - UINT64_C(0x140000000) },
		{ "so does a heap of small pages beside them",
		  0x140200000, 0x150000000, GB, { 0, 0 }, 0x40000000 - UINT64_C(0x140000000) },
		/* 10 GiB from 4 GiB on: its end comes to the reserved range. */
		{ "of a heap too large its top is seen",
		  0x100000000, 0x380000000, 2 * MB, { 0, 0 }, MSI_FIRST - UINT64_C(0x380000000) },
		/* Free: 256 MiB to 512 MiB, 3 GiB to MSI_FIRST. */
		{ "the widest stretch is taken",
		  0x100000000, 0x110000000, 2 * MB, { 0x20000000, 0xbfffffff },
		  0xc0000000 - UINT64_C(0x100000000) },
	};

	(void)state;
	for (size_t i = 0; i < RTE_DIM(rows); i++) {
		uint64_t offset;

		if (rows[i].kept.last != 0)
			assert_int_equal(pw_dma_pieces_keep(&ps, rows[i].kept.first,
							    rows[i].kept.last), 0);
		offset = pw_dma_pieces_place(&ps, rows[i].low, rows[i].end, rows[i].page);
		if (offset != rows[i].offset)
			fail_msg("%s: %#lx", rows[i].rule, offset);
		ps.nb_kept = 0;
	}
}

/* --- memory comes and goes --- */

static void
test_the_heap_is_mapped_low_and_trusted(void **state)
{
	(void)state;
	assert_int_equal(add(HEAP, 64 * MB, 0), 0);
	assert_int_equal(fake.nb, 1);
	assert_int_equal(fake.map[0].addr, AT);
	expect_there(HEAP, 64 * MB);
	/* All up to the reserved range: memory will come there. */
	expect_trust(0, MSI_FIRST);
	assert_false(pw_dma_pieces_cover(&ps, HEAP - 1, 2));
	assert_false(pw_dma_pieces_cover(&ps, HEAP + 64 * MB - 1, 2));
	assert_false(pw_dma_pieces_cover(&ps, HEAP, 0));
	assert_int_equal(take(HEAP, 64 * MB), 0);
	assert_int_equal(fake.nb, 0);
	assert_false(pw_dma_pieces_cover(&ps, HEAP, 1));
}

static void
test_pages_go_one_by_one(void **state)
{
	(void)state;
	assert_int_equal(add(HEAP, 4 * PAGE, PAGE), 0);
	assert_int_equal(fake.nb, 4);
	/* A buffer may lie across two. */
	expect_there(HEAP + PAGE - 100, 200);
	expect_there(HEAP, 4 * PAGE);
	assert_int_equal(take(HEAP + PAGE, PAGE), 0);
	assert_int_equal(fake.nb, 3);
	assert_null(fake_reach(AT + PAGE));
	assert_false(pw_dma_pieces_cover(&ps, HEAP + PAGE - 100, 200));
	expect_there(HEAP, PAGE);
	expect_there(HEAP + 2 * PAGE, 2 * PAGE);
	assert_int_equal(pw_dma_pieces_known(&ps, HEAP, HEAP + 4 * PAGE - 1), 3 * PAGE);
	assert_int_equal(take(HEAP, 4 * PAGE), 0);
	assert_int_equal(fake.nb, 0);
	assert_int_equal(take(HEAP, 4 * PAGE), 0);
}

static void
test_a_mapping_is_not_cut(void **state)
{
	(void)state;
	assert_int_equal(add(HEAP, 4 * PAGE, 0), 0);
	assert_int_equal(take(HEAP, PAGE), -EINVAL);
	assert_int_equal(take(HEAP + PAGE, PAGE), -EINVAL);
	assert_int_equal(take(HEAP + 3 * PAGE, 8 * PAGE), -EINVAL);
	expect_there(HEAP, 4 * PAGE);
	assert_int_equal(take(HEAP - PAGE, 16 * PAGE), 0);
	assert_int_equal(fake.nb, 0);
}

static void
test_memory_far_away_is_found_but_not_trusted(void **state)
{
	/* Its low half is 0x80000000 after the sum. */
	const uint64_t far = UINT64_C(0x7f0000000000) + (0x80000000 - (AT - HEAP)) % PW_DMA_TOP;

	(void)state;
	assert_int_equal(add(HEAP, 64 * MB, PAGE), 0);
	assert_int_equal(add(far, 16 * MB, 0), 0);
	assert_ptr_equal(fake_reach(0x80000000), va_of(far));
	expect_there(far, 16 * MB);
	expect_trust(0, 0x80000000);
	/* The heap grows into it. */
	assert_int_equal(add(HEAP + 0x80000000 - AT - PAGE, 2 * PAGE, PAGE), -ERANGE);
	expect_there(HEAP + 0x80000000 - AT - PAGE, PAGE);
	assert_false(pw_dma_pieces_cover(&ps, HEAP + 0x80000000 - AT, 1));
	expect_there(far, 16 * MB);
	/* When it goes, the heap's page gets its place. */
	assert_int_equal(take(far, 16 * MB), 0);
	expect_there(HEAP + 0x80000000 - AT - PAGE, 2 * PAGE);
	expect_trust(0, MSI_FIRST);
}

static void
test_pieces_that_collide(void **state)
{
	/* The same low half four times, half a piece on at last. */
	const uint64_t second = HEAP + PW_DMA_TOP, third = HEAP + 2 * PW_DMA_TOP;
	const uint64_t half = HEAP + 3 * PW_DMA_TOP + 8 * MB;

	(void)state;
	assert_int_equal(add(HEAP, 16 * MB, 0), 0);
	assert_int_equal(add(second, 16 * MB, 0), -ERANGE);
	assert_int_equal(add(third, 16 * MB, 0), -ERANGE);
	assert_int_equal(add(half, 16 * MB, 0), -ERANGE);
	expect_there(HEAP, 16 * MB);
	assert_false(pw_dma_pieces_cover(&ps, second, 1));
	assert_false(pw_dma_pieces_cover(&ps, half, 8 * MB + 1));
	assert_false(pw_dma_pieces_cover(&ps, half + 8 * MB - 1, 2));
	expect_there(half + 8 * MB, 8 * MB);
	assert_int_equal(take(HEAP, 16 * MB), 0);
	expect_there(second, 16 * MB);
	assert_false(pw_dma_pieces_cover(&ps, third, 1));
	/* What is refused can be cut. */
	assert_int_equal(take(third + 4 * MB, 4 * MB), 0);
	assert_int_equal(take(second, 16 * MB), 0);
	expect_there(third, 4 * MB);
	expect_there(third + 8 * MB, 8 * MB);
	assert_null(fake_reach(AT + 6 * MB));
	assert_false(pw_dma_pieces_cover(&ps, half, 1));
}

static void
test_the_reserved_range_is_never_mapped(void **state)
{
	const uint64_t at = HEAP + MSI_FIRST - AT;

	(void)state;
	assert_int_equal(add(at - PAGE, 3 * PAGE, 0), -ERANGE);
	expect_there(at - PAGE, PAGE);
	assert_false(pw_dma_pieces_cover(&ps, at - 1, 2));
	assert_false(pw_dma_pieces_cover(&ps, at, MB));
	expect_there(at + MB, 2 * PAGE - MB);
	assert_int_equal(fake.nb, 2);
	expect_trust(MSI_LAST + 1, PW_DMA_TOP);
	assert_int_equal(take(at - PAGE, 3 * PAGE), 0);
	/* Page by page, as EAL's memory is. */
	assert_int_equal(add(at - PAGE, 3 * PAGE, PAGE), -ERANGE);
	expect_there(at - PAGE, PAGE);
	expect_there(at + MB, 2 * PAGE - MB);
	assert_int_equal(take(at, PAGE), 0);
	expect_there(at + PAGE, PAGE);
	assert_false(pw_dma_pieces_cover(&ps, at + MB, 1));
}

static void
test_a_piece_across_the_wrap_is_two(void **state)
{
	const uint64_t top = HEAP + PW_DMA_TOP - AT;

	(void)state;
	assert_int_equal(add(top - 8 * MB, 16 * MB, 0), 0);
	assert_int_equal(fake.nb, 2);
	expect_there(top - 8 * MB, 8 * MB);
	expect_there(top, 8 * MB);
	/* No chip counts from the top to 0. */
	assert_false(pw_dma_pieces_cover(&ps, top - 1, 2));
	assert_int_equal(take(top - 8 * MB, 16 * MB), 0);
}

/* Refused memory in a row is one piece, but not across the wrap: it has two places. */
static void
test_refused_memory_across_the_wrap(void **state)
{
	const uint64_t top = HEAP + PW_DMA_TOP - AT;

	(void)state;
	assert_int_equal(add(top - 8 * MB, 16 * MB, 0), 0);
	assert_int_equal(add(top + PW_DMA_TOP - 8 * MB, 8 * MB, PAGE), -ERANGE);
	assert_int_equal(add(top + PW_DMA_TOP, 8 * MB, PAGE), -ERANGE);
	assert_int_equal(ps.nb_pieces, 4);
	assert_int_equal(take(top - 8 * MB, 16 * MB), 0);
	expect_there(top + PW_DMA_TOP - 8 * MB, 8 * MB);
	expect_there(top + PW_DMA_TOP, 8 * MB);
}

static void
test_many_refused_pages_are_one_piece(void **state)
{
	(void)state;
	assert_int_equal(add(HEAP, 512 * PAGE, 0), 0);
	for (unsigned int i = 0; i < 512; i++)
		assert_int_equal(add(HEAP + PW_DMA_TOP + i * PAGE, PAGE, PAGE), -ERANGE);
	assert_int_equal(ps.nb_pieces, 2);
	assert_int_equal(take(HEAP, 512 * PAGE), 0);
	assert_int_equal(fake.nb, 512);
	expect_there(HEAP + PW_DMA_TOP, 512 * PAGE);
}

static void
test_what_the_iommu_will_not_map_is_not_trusted(void **state)
{
	(void)state;
	assert_int_equal(add(HEAP, 16 * MB, 0), 0);
	fake.rc = -ENOMEM;
	assert_int_equal(add(HEAP + 16 * MB, 4 * MB, 0), -ERANGE);
	fake.rc = 0;
	assert_int_equal(ps.map_rc, -ENOMEM);
	assert_false(pw_dma_pieces_cover(&ps, HEAP + 16 * MB, 1));
	expect_trust(0, AT + 16 * MB);
	assert_int_equal(add(HEAP + 20 * MB, 4 * MB, 0), 0);
	expect_trust(0, AT + 16 * MB);
	/* Where there is more memory behind it. */
	assert_int_equal(add(HEAP + 24 * MB, 16 * MB, 0), 0);
	expect_trust(AT + 20 * MB, MSI_FIRST);
}

static void
test_memory_at_home_is_mapped_by_others(void **state)
{
	(void)state;
	ps.offset = ps.first = 0;
	ps.last = PW_DMA_TOP - 1;
	assert_int_equal(pw_dma_pieces_keep(&ps, 0x20000000, 0x5fffffff), 0);
	assert_int_equal(add(0x20000000, 64 * MB, PAGE), 0);
	assert_int_equal(fake.nb, 0);
	assert_true(pw_dma_pieces_cover(&ps, 0x20000000, 64 * MB));
	expect_trust(0, MSI_FIRST);
	/* Others may map low memory there at any time. */
	assert_int_equal(add(PW_DMA_TOP + 0x5ff00000, 2 * MB, 0), -ERANGE);
	assert_false(pw_dma_pieces_cover(&ps, PW_DMA_TOP + 0x5ff00000, 1));
	assert_ptr_equal(fake_reach(0x60000000), va_of(PW_DMA_TOP + 0x60000000));
	expect_trust(0, 0x60000000);
	assert_false(pw_dma_pieces_clash(&ps, 0x20000000, 64 * MB));
	assert_true(pw_dma_pieces_clash(&ps, 0x5fffffff, 2));
	assert_false(pw_dma_pieces_clash(&ps, 0x5fffffff, 1));
	assert_false(pw_dma_pieces_clash(&ps, 0x60100000, 1));
	/* Home memory can be cut: nothing of ours is mapped. */
	assert_int_equal(take(0x20000000, MB), 0);
	assert_true(pw_dma_pieces_cover(&ps, 0x20100000, 63 * MB));
}

/* Memory beside it may be anybody's. */
static void
test_only_eals_own_addresses_are_trusted(void **state)
{
	(void)state;
	ps.first = HEAP - 64 * MB;
	ps.last = HEAP + GB - 1;
	assert_int_equal(add(HEAP, 64 * MB, PAGE), 0);
	assert_int_equal(add(HEAP - 128 * MB, 64 * MB, 0), 0);
	assert_int_equal(add(HEAP + GB, 64 * MB, 0), 0);
	expect_trust(AT - 64 * MB, AT + GB);
	expect_there(HEAP - 128 * MB, 64 * MB);
	expect_there(HEAP + GB, 64 * MB);
	/* As much of it as the sum brings below 4 GiB. */
	ps.first = HEAP - GB;
	ps.last = HEAP + 16 * GB;
	pw_dma_pieces_trust(&ps);
	expect_trust(0, MSI_FIRST);
	/* None of it. */
	ps.first = HEAP + 4 * GB;
	ps.last = HEAP + 8 * GB;
	pw_dma_pieces_trust(&ps);
	assert_int_equal(ps.lo, UINT64_MAX);
	ps.first = HEAP - 2 * GB;
	ps.last = HEAP - GB;
	pw_dma_pieces_trust(&ps);
	assert_int_equal(ps.lo, UINT64_MAX);
}

static void
test_nothing_is_trusted_where_there_is_nothing(void **state)
{
	(void)state;
	pw_dma_pieces_trust(&ps);
	/* One byte, which no buffer is. */
	assert_int_equal(ps.lo, UINT64_MAX);
	assert_int_equal(ps.span, 0);
}

/* --- everything at once --- */

#define UNIT		(64 * 1024ul)
#define UNITS		256u	/* in each of these lists, which collide */
#define LISTS		3u

/* xorshift64 (Marsaglia 2003): the same each run. */
static uint64_t
draw(uint64_t n)
{
	static uint64_t x = 88172645463325252u;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x % n;
}

static uint64_t
unit_iova(unsigned int list, unsigned int unit)
{
	/* Around the reserved range, which is 16 units long. */
	return HEAP + MSI_FIRST - AT - 100 * UNIT + list * PW_DMA_TOP + unit * UNIT;
}

/* What each unit is must follow from who is there. */
static void
check_all(bool there[LISTS][UNITS])
{
	for (unsigned int u = 0; u < UNITS; u++) {
		uint64_t at = MSI_FIRST - 100 * UNIT + u * UNIT;
		unsigned int want = 0, covered = 0, l;
		bool reserved = at >= MSI_FIRST && at <= MSI_LAST;

		for (l = 0; l < LISTS; l++) {
			uint64_t iova = unit_iova(l, u);
			bool in = pw_dma_pieces_cover(&ps, iova, UNIT);
			uint64_t sum = iova + ps.offset;
			bool trusted = sum - ps.lo <= ps.span;

			want += there[l][u];
			covered += in;
			assert_true(there[l][u] || !in);
			if (in)
				assert_ptr_equal(fake_reach(at), va_of(iova));
			/* Trusted memory is the device's, and nobody else's. */
			if (trusted && there[l][u])
				assert_true(in);
			if (trusted && fake_reach(at) != NULL)
				assert_ptr_equal(fake_reach(at), va_of(iova));
			assert_false(trusted && reserved);
		}
		/* Whoever wants a free place has it. */
		assert_int_equal(covered, !reserved && want > 0);
		if (covered == 0)
			assert_null(fake_reach(at));
	}
}

static void
test_memory_that_comes_and_goes_in_any_order(void **state)
{
	bool there[LISTS][UNITS] = { { false } };

	(void)state;
	for (unsigned int i = 0; i < 3000; i++) {
		unsigned int l = (unsigned int)draw(LISTS), u = (unsigned int)draw(UNITS);
		unsigned int n = 1 + (unsigned int)draw(UNITS - u);
		bool come = !there[l][u];

		/* As far as it is all there, or all not. */
		for (unsigned int j = 0; j < n; j++)
			if (there[l][u + j] == come)
				n = j;
		if (come)
			assert_true(add(unit_iova(l, u), n * UNIT, UNIT) != -ENOMEM);
		else
			assert_int_equal(take(unit_iova(l, u), n * UNIT), 0);
		memset(&there[l][u], come, n);
		check_all(there);
	}
}

int
main(void)
{
#define TEST(t) cmocka_unit_test_setup_teardown(t, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_place),
		TEST(test_the_heap_is_mapped_low_and_trusted),
		TEST(test_pages_go_one_by_one),
		TEST(test_a_mapping_is_not_cut),
		TEST(test_memory_far_away_is_found_but_not_trusted),
		TEST(test_pieces_that_collide),
		TEST(test_the_reserved_range_is_never_mapped),
		TEST(test_a_piece_across_the_wrap_is_two),
		TEST(test_refused_memory_across_the_wrap),
		TEST(test_many_refused_pages_are_one_piece),
		TEST(test_what_the_iommu_will_not_map_is_not_trusted),
		TEST(test_memory_at_home_is_mapped_by_others),
		TEST(test_only_eals_own_addresses_are_trusted),
		TEST(test_nothing_is_trusted_where_there_is_nothing),
		TEST(test_memory_that_comes_and_goes_in_any_order),
	};

	return cmocka_run_group_tests_name("dma_pieces", tests, NULL, NULL);
}
