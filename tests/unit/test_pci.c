/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* The chip-independent part of models: PCI function, DMA, interrupt, life. */

#include <pthread.h>
#include <sched.h>

#include "e1000_card.h"

static uint32_t
cfg(struct card *c, uint32_t off, unsigned int width)
{
	return pw_model_cfg_read(c->m, off, width);
}

static void
cfg_wr(struct card *c, uint32_t off, uint32_t val, unsigned int width)
{
	pw_model_cfg_write(c->m, off, val, width);
}

/* --- configuration space ------------------------------------------------------------------- */

static void
test_identity(void **state)
{
	struct card *c = card_new(NULL);
	const struct pw_model_info *info = pw_model_info(c->m);

	(void)state;
	assert_int_equal(cfg(c, 0x00, 4), 0x100e8086);
	assert_int_equal(cfg(c, 0x08, 4), 0x02000002); /* Ethernet, revision 2 (§9.1) */
	assert_int_equal(cfg(c, 0x2c, 4), 0x001e8086);
	assert_int_equal(cfg(c, 0x0e, 1), 0);
	assert_int_equal(cfg(c, 0x3d, 1), 1); /* INTA# */
	assert_string_equal(info->chip, "82540em");
	assert_int_equal(info->device, 0x100e);
	assert_int_equal(info->cfg_size, 256);
	assert_int_equal(info->msi_vectors, 1);
	/* Read-only fields stay. */
	cfg_wr(c, 0x00, 0xffffffff, 4);
	cfg_wr(c, 0x08, 0xffffffff, 4);
	cfg_wr(c, 0x2c, 0xffffffff, 4);
	assert_int_equal(cfg(c, 0x00, 4), 0x100e8086);
	assert_int_equal(cfg(c, 0x08, 4), 0x02000002);
	assert_int_equal(cfg(c, 0x2c, 4), 0x001e8086);
	card_free(c);
}

/* Write all ones, read the size back (PCI Local Bus 3.0 §6.2.5.1). */
static void
test_bar_sizing(void **state)
{
	static const uint32_t want[6] = { 0xfffe0000, 0xffffffc1, 0, 0, 0, 0 };
	struct card *c = card_new(NULL);
	unsigned int i;

	(void)state;
	for (i = 0; i < 6; i++) {
		cfg_wr(c, 0x10 + 4 * i, 0xffffffff, 4);
		assert_int_equal(cfg(c, 0x10 + 4 * i, 4), want[i]);
	}
	cfg_wr(c, 0x30, 0xffffffff, 4); /* no expansion ROM */
	assert_int_equal(cfg(c, 0x30, 4), 0);
	cfg_wr(c, 0x10, 0xfebc1234, 4);
	assert_int_equal(cfg(c, 0x10, 4), 0xfebc0000);
	cfg_wr(c, 0x14, 0x0000c07f, 4);
	assert_int_equal(cfg(c, 0x14, 4), 0x0000c041);
	/* Byte by byte too */
	cfg_wr(c, 0x13, 0xaa, 1);
	assert_int_equal(cfg(c, 0x10, 4), 0xaabc0000);
	assert_int_equal(cfg(c, 0x12, 2), 0xaabc);
	card_free(c);
}

static void
test_capabilities(void **state)
{
	static const uint8_t id[] = { 0x01, 0x07, 0x05 }; /* PM, PCI-X, MSI */
	static const uint8_t where[] = { 0xdc, 0xe4, 0xf0 };
	struct card *c = card_new(NULL);
	uint32_t at = cfg(c, 0x34, 1);
	unsigned int i;

	(void)state;
	assert_int_equal(cfg(c, 0x06, 2) & 0x10, 0x10);
	for (i = 0; i < 3; i++) {
		assert_int_equal(at, where[i]);
		assert_int_equal(cfg(c, at, 1), id[i]);
		at = cfg(c, at + 1, 1);
	}
	assert_int_equal(at, 0);
	/* PCI-X: relaxed ordering, reads of 512 bytes; on a conventional bus (PCI-X 1.0 §7.2) */
	assert_int_equal(cfg(c, 0xe6, 2), 0x0002);
	assert_int_equal(cfg(c, 0xe8, 4), 0x0000fff8);
	cfg_wr(c, 0xe6, 0xffff, 2);
	cfg_wr(c, 0xe8, 0, 4);
	assert_int_equal(cfg(c, 0xe6, 2), 0x007f);
	assert_int_equal(cfg(c, 0xe8, 4), 0x0000fff8);
	/* MSI: one vector, 64-bit addresses */
	assert_int_equal(cfg(c, 0xf2, 2), 0x0080);
	cfg_wr(c, 0xf4, 0xffffffff, 4);
	assert_int_equal(cfg(c, 0xf4, 4), 0xfffffffc);
	cfg_wr(c, 0xf8, 0x12345678, 4);
	assert_int_equal(cfg(c, 0xf8, 4), 0x12345678);
	cfg_wr(c, 0xfc, 0x4321, 2);
	assert_int_equal(cfg(c, 0xfc, 2), 0x4321);
	card_free(c);
}

static void
test_configuration_space_limits(void **state)
{
	struct card *c = card_new(NULL);

	(void)state;
	assert_int_equal(cfg(c, 256, 4), 0xffffffff);
	assert_int_equal(cfg(c, 4096, 1), 0xff);
	cfg_wr(c, 256, 0, 4);
	cfg_wr(c, 0xfffffffc, 0, 4);
	assert_int_equal(cfg(c, 0x01, 2), 0xffff);
	expect_violation(c, PW_VIOL_REG_WIDTH, "configuration space 0x1");
	cfg_wr(c, 0x04, 7, 3);
	expect_violation(c, PW_VIOL_REG_WIDTH, "3 bytes");
	assert_int_equal(cfg(c, 0x04, 2), 0);
	card_free(c);
}

static void
test_decoding_is_off_until_enabled(void **state)
{
	struct card *c = card_new(NULL);

	(void)state;
	assert_int_equal(rd(c, STATUS), 0xffffffff);
	wr(c, FCTTV, 5);
	cfg_wr(c, 0x04, 0x0002, 2); /* memory only */
	assert_int_equal(rd(c, FCTTV), 0);
	assert_int_equal(pw_model_bar_read(c->m, 1, 0, 4), 0xffffffff);
	cfg_wr(c, 0x04, 0x0001, 2); /* I/O only */
	assert_int_equal(rd(c, FCTTV), 0xffffffff);
	assert_int_equal(pw_model_bar_read(c->m, 1, 0, 4), 0);
	card_free(c);
}

static void
test_no_dma_without_bus_mastering(void **state)
{
	struct card *c = card_up(0);
	uint8_t f[60];

	(void)state;
	cfg_wr(c, 0x04, 0x0003, 2);
	make_frame(f, peer_mac, 60);
	put_buf(c, f, 60, SEND | D_DATA);
	ring(c);
	arrive(c, card_mac, 60);
	sent_nothing(c);
	assert_null(received(c));
	cfg_wr(c, 0x04, 0x0007, 2);
	pw_model_poll(c->m);
	assert_int_equal(sent(c).len, 60);
	assert_non_null(received(c));
	card_free(c);
}

static void
test_d3_and_back(void **state)
{
	struct card *c = card_up(0);

	(void)state;
	wr(c, IMS, ICR_LSC);
	wr(c, ICS, ICR_LSC);
	assert_true(c->irq);
	cfg_wr(c, 0xe0, 0x0003, 2); /* PMCSR: D3hot */
	assert_int_equal(cfg(c, 0xe0, 2), 0x0003);
	assert_false(c->irq);
	assert_int_equal(rd(c, RCTL), 0xffffffff);
	arrive(c, card_mac, 60);
	assert_null(received(c));
	cfg_wr(c, 0xe0, 0x0000, 2);
	assert_int_equal(rd(c, RCTL), 0); /* as after reset */
	assert_int_equal(rd(c, IMS), 0);
	assert_int_equal(cfg(c, 0x04, 2), 0x0007);
	card_free(c);
}

/* --- interrupt ----------------------------------------------------------------------------- */

static void
test_intx_is_a_level(void **state)
{
	struct card *c = card_up(0);

	(void)state;
	rd(c, ICR);
	wr(c, IMS, ICR_LSC | ICR_RXT0);
	assert_int_equal(cfg(c, 0x06, 2) & 0x0008, 0);
	wr(c, ICS, ICR_LSC);
	wr(c, ICS, ICR_RXT0);
	assert_true(c->irq);
	assert_int_equal(c->irqs, 1);
	assert_int_equal(cfg(c, 0x06, 2) & 0x0008, 0x0008);
	cfg_wr(c, 0x04, 0x0407, 2); /* INTx disable: status still tells */
	assert_false(c->irq);
	assert_int_equal(cfg(c, 0x06, 2) & 0x0008, 0x0008);
	cfg_wr(c, 0x04, 0x0007, 2);
	assert_true(c->irq);
	rd(c, ICR);
	assert_false(c->irq);
	assert_int_equal(cfg(c, 0x06, 2) & 0x0008, 0);
	card_free(c);
}

static void
test_msi_is_an_edge(void **state)
{
	struct card *c = card_up(0);
	unsigned int n;

	(void)state;
	rd(c, ICR);
	wr(c, IMS, ICR_LSC);
	wr(c, ICS, ICR_LSC);
	assert_true(c->irq);
	cfg_wr(c, 0xf2, 0x0001, 2);
	assert_false(c->irq); /* the line is let go */
	rd(c, ICR);
	n = c->irqs;
	wr(c, ICS, ICR_LSC);
	assert_int_equal(c->irqs, n + 1);
	wr(c, ICS, ICR_LSC);
	assert_int_equal(c->irqs, n + 1);
	rd(c, ICR);
	wr(c, ICS, ICR_LSC);
	assert_int_equal(c->irqs, n + 2);
	/* A message is a bus access. */
	rd(c, ICR);
	cfg_wr(c, 0x04, 0x0003, 2);
	wr(c, ICS, ICR_LSC);
	assert_int_equal(c->irqs, n + 2);
	card_free(c);
}

/* --- DMA ----------------------------------------------------------------------------------- */

static void
test_map_and_unmap(void **state)
{
	struct card *c = card_new(NULL);
	static uint8_t page[4][4096];
	unsigned int i;

	(void)state;
	assert_int_equal(pw_model_dma_map(c->m, 0x1000, 0, page, true), -EINVAL);
	assert_int_equal(pw_model_dma_map(c->m, 0x1000, 4096, NULL, true), -EINVAL);
	assert_int_equal(pw_model_dma_map(c->m, UINT64_MAX - 10, 4096, page, true), -EINVAL);
	for (i = 0; i < 4; i++)
		assert_int_equal(pw_model_dma_map(c->m, 0x10000 + (3 - i) * 0x1000, 4096, page[i],
						  true), 0);
	assert_int_equal(pw_model_dma_map(c->m, 0x10000, 4096, page, true), -EEXIST);
	assert_int_equal(pw_model_dma_map(c->m, 0xf001, 4096, page, true), -EEXIST);
	assert_int_equal(pw_model_dma_map(c->m, 0x13fff, 4096, page, true), -EEXIST);
	assert_int_equal(pw_model_dma_map(c->m, 0, 0x20000, page, true), -EEXIST);
	assert_int_equal(pw_model_dma_map(c->m, 0x800, 1, page, true), 0);
	assert_int_equal(pw_model_dma_unmap(c->m, 0x800, 1), 0);
	/* Up to the last byte of the address space */
	assert_int_equal(pw_model_dma_map(c->m, UINT64_MAX - 4095, 4096, page, true), 0);
	assert_int_equal(pw_model_dma_unmap(c->m, 0x10800, 0x1000), -EINVAL);
	assert_int_equal(pw_model_dma_unmap(c->m, 0x10000, 0x800), -EINVAL);
	assert_int_equal(pw_model_dma_unmap(c->m, UINT64_MAX - 10, 4096), -EINVAL);
	assert_int_equal(pw_model_dma_unmap(c->m, 0x10000, 0x4000), 0);
	assert_int_equal(pw_model_dma_unmap(c->m, 0x10000, 0x4000), 0); /* empty is no error */
	assert_int_equal(pw_model_dma_unmap(c->m, 0x10000, 0), 0);
	assert_int_equal(pw_model_dma_map(c->m, 0x10000, 0x4000, page, true), 0);
	assert_int_equal(pw_model_dma_unmap(c->m, 0, UINT64_MAX - 100), -EINVAL); /* cuts one */
	assert_int_equal(pw_model_dma_unmap(c->m, 0, UINT64_MAX), -EINVAL);
	assert_int_equal(pw_model_dma_unmap(c->m, 1, UINT64_MAX), 0); /* all that there are */
	card_free(c);
}

/* Behind an IOMMU a buffer is a mapping a page, in no order (notes of vfio-user). */
static void
test_buffers_and_rings_in_pieces(void **state)
{
	struct card *c = card_up(0);
	uint8_t *piece = c->mem->big;
	uint8_t f[1500], got[1500];
	const struct desc *d;
	unsigned int i;

	(void)state;
	/* 256-byte pieces, IOVA upwards, memory downwards, a gap between them */
	for (i = 0; i < 8; i++)
		assert_int_equal(pw_model_dma_map(c->m, 0x7000 + 256 * i, 256,
						  piece + 512 * (7 - i), true), 0);
	make_frame(f, peer_mac, 1500);
	for (i = 0; i < 1500; i++)
		piece[512 * (7 - (i + 100) / 256) + (i + 100) % 256] = f[i];
	put_desc(c, 0x7000 + 100, 1500 | SEND | D_DATA);
	ring(c);
	assert_memory_equal(sent(c).data, f, 1500);

	memset(piece, 0, 8 * 512);
	c->mem->rx[0].addr = 0x7000 + 37;
	make_frame(f, card_mac, 1500);
	assert_int_equal(pw_wire_send(c->peer, f, 1500, 0), 0);
	pw_model_poll(c->m);
	d = received(c);
	assert_int_equal(rx_len(d), 1500);
	for (i = 0; i < 1500; i++)
		got[i] = piece[512 * (7 - (i + 37) / 256) + (i + 37) % 256];
	assert_memory_equal(got, f, 1500);
	for (i = 0; i < 8; i++) /* nothing in the gaps */
		assert_int_equal(piece[512 * i + 256], 0);

	/* The ring: half of its descriptors elsewhere */
	wr(c, TCTL, 0);
	assert_int_equal(pw_model_dma_map(c->m, 0x20000, 256, c->mem->big, true), 0);
	assert_int_equal(pw_model_dma_map(c->m, 0x20100, 256, c->mem->big + 4096, true), 0);
	wr(c, TDBAL, 0x20000);
	wr(c, TDBAH, 0);
	wr(c, TDH, 0);
	wr(c, TDT, 0);
	wr(c, TCTL, TCTL_EN);
	make_frame(f, peer_mac, 60);
	memcpy(c->mem->txbuf[0], f, 60);
	for (i = 0; i < RING; i++) {
		struct desc *t = (struct desc *)(void *)(c->mem->big + (i < 16 ? 0 : 4096 - 256));

		t[i].addr = bus(c, c->mem->txbuf[0]);
		t[i].word = 60 | SEND | D_DATA;
		wr(c, TDT, (i + 1) % RING);
		assert_memory_equal(sent(c).data, f, 60);
		assert_true((t[i].word & D_DD) != 0);
	}
	card_free(c);
}

static void
test_read_only_mapping(void **state)
{
	struct card *c = card_up(0);
	static uint8_t buf[2048];

	(void)state;
	assert_int_equal(pw_model_dma_map(c->m, 0x9000, sizeof(buf), buf, false), 0);
	make_frame(buf, peer_mac, 60);
	put_desc(c, 0x9000, 60 | SEND | D_DATA);
	ring(c);
	assert_int_equal(sent(c).len, 60);
	c->mem->rx[0].addr = 0x9000;
	arrive(c, card_mac, 61);
	expect_violation(c, PW_VIOL_DMA, "mapped read-only");
	assert_int_equal(buf[0], peer_mac[0]);
	card_free(c);
}

/* A window that was looked up must not outlive its mapping. */
static void
test_unmapped_memory_is_not_touched(void **state)
{
	struct card *c = card_up(0);
	uint8_t *buf = malloc(2048);
	unsigned int i;

	(void)state;
	assert_non_null(buf);
	assert_int_equal(pw_model_dma_map(c->m, 0x9000, 2048, buf, true), 0);
	for (i = 0; i < 2; i++)
		c->mem->rx[i].addr = 0x9000;
	arrive(c, card_mac, 60);
	assert_non_null(received(c));
	assert_int_equal(pw_model_dma_unmap(c->m, 0x9000, 2048), 0);
	free(buf);
	arrive(c, card_mac, 60);
	expect_violation(c, PW_VIOL_DMA, "not mapped");
	card_free(c);
}

/* Only the low 4 GiB can be reached, also of a mapping that goes on (PW_FAULT_DMA32). */
static void
test_fault_dma32(void **state)
{
	struct card *c = card_up(0);
	static uint8_t buf[4096];

	(void)state;
	wr(c, RCTL, 0); /* the rings of the bench lie above */
	assert_int_equal(pw_model_dma_map(c->m, 0xfffff800, sizeof(buf), buf, true), 0);
	pw_model_fault(c->m, PW_FAULT_DMA32, 1);
	memcpy(buf, &(struct desc){ 0xfffff900, 60 | SEND | D_DATA }, 16);
	memcpy(buf + 16, &(struct desc){ 0xfffffff0, 60 | SEND | D_DATA }, 16);
	memcpy(buf + 32, &(struct desc){ 0x100000000, 60 | SEND | D_DATA }, 16);
	wr(c, TCTL, 0);
	wr(c, TDBAL, 0xfffff800);
	wr(c, TDBAH, 0);
	wr(c, TCTL, TCTL_EN);
	wr(c, TDT, 1);
	assert_int_equal(sent(c).len, 60);
	wr(c, TDT, 2); /* crosses */
	expect_violation(c, PW_VIOL_DMA, "above 4 GiB");
	wr(c, TDT, 3);
	expect_violation(c, PW_VIOL_DMA, "above 4 GiB");
	sent_nothing(c);
	pw_model_fault(c->m, PW_FAULT_DMA32, 0);
	wr(c, TCTL, 0);
	wr(c, TDH, 1);
	wr(c, TCTL, TCTL_EN);
	sent(c);
	sent(c);
	card_free(c);
}

/* --- life ---------------------------------------------------------------------------------- */

static void
test_reset_keeps_wire_mappings_and_faults(void **state)
{
	struct card *c = card_up(0);

	(void)state;
	pw_model_fault(c->m, PW_FAULT_EEPROM_CORRUPT, 1);
	wr(c, IMS, ICR_LSC);
	wr(c, ICS, ICR_LSC);
	pw_model_reset(c->m);
	assert_false(c->irq);
	assert_int_equal(cfg(c, 0x04, 2), 0);
	assert_int_equal(cfg(c, 0x10, 4), 0);
	assert_int_equal(rd(c, STATUS), 0xffffffff);
	card_bus_on(c);
	assert_int_equal(rd(c, RCTL), 0);
	assert_int_equal(rd(c, IMS), 0);
	assert_int_equal(rd(c, STATUS) & STATUS_LU, STATUS_LU);
	card_start_rx(c, RCTL_SECRC);
	arrive(c, card_mac, 60);
	assert_non_null(received(c));
	card_free(c);
}

static void
test_registry(void **state)
{
	struct pw_model_opts opts = { .chip = "i486" };
	struct pw_model *m = NULL, *n = NULL;
	unsigned int i;
	bool found = false;

	(void)state;
	assert_int_equal(pw_model_create(&opts, &m), -ENODEV);
	opts.chip = NULL;
	assert_int_equal(pw_model_create(&opts, &m), -ENODEV);
	pw_model_destroy(NULL);
	for (i = 0; pw_model_chip_name(i) != NULL; i++) {
		opts.chip = pw_model_chip_name(i);
		found |= strcmp(opts.chip, "82540em") == 0;
		/* Without a wire, a clock, an address or anybody who listens */
		assert_int_equal(pw_model_create(&opts, &m), 0);
		assert_int_equal(pw_model_create(&opts, &n), 0);
		pw_model_cfg_write(m, 4, 7, 2);
		pw_model_cfg_write(n, 4, 7, 2);
		assert_int_equal(pw_model_poll(m), 0);
		assert_string_equal(pw_model_info(m)->chip, opts.chip);
		pw_model_destroy(m);
		pw_model_destroy(n);
	}
	assert_true(found);
}

/* No two ports of a machine have one address. */
static void
test_made_addresses_differ(void **state)
{
	const struct pw_model_opts opts = { .chip = "82540em" };
	struct pw_model *m[2];
	uint32_t low[2], high[2];
	unsigned int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		assert_int_equal(pw_model_create(&opts, &m[i]), 0);
		pw_model_cfg_write(m[i], 4, 7, 2);
		low[i] = pw_model_bar_read(m[i], 0, RAL0, 4);
		high[i] = pw_model_bar_read(m[i], 0, RAH0, 4);
		assert_int_equal(low[i] & 3, 2); /* unicast, locally administered */
		/* No cable: no link, and nothing to wait for */
		assert_int_equal(pw_model_bar_read(m[i], 0, STATUS, 4) & STATUS_LU, 0);
	}
	assert_true(low[0] != low[1] || high[0] != high[1]);
	pw_model_destroy(m[0]);
	pw_model_destroy(m[1]);
}

static void
test_faults_are_checked(void **state)
{
	struct card *c = card_new(NULL);

	(void)state;
	assert_int_equal(pw_model_fault(c->m, PW_FAULT_MAX, 1), -EINVAL);
	assert_int_equal(pw_model_fault(c->m, (enum pw_fault)-1, 1), -EINVAL);
	card_free(c);
}

static void
test_register_accesses_are_counted(void **state)
{
	struct card *c = card_up(0);
	uint64_t r = pw_model_reg_reads(c->m), w = pw_model_reg_writes(c->m);

	(void)state;
	rd(c, STATUS);
	rd(c, STATUS);
	wr(c, FCTTV, 1);
	assert_int_equal(pw_model_reg_reads(c->m), r + 2);
	assert_int_equal(pw_model_reg_writes(c->m), w + 1);
	cfg(c, 0, 4);
	assert_int_equal(pw_model_reg_reads(c->m), r + 2);
	card_free(c);
}

struct trace {
	char text[64][100];
	unsigned int n;
};

static void
note(void *ctx, const char *text)
{
	struct trace *t = ctx;

	if (t->n < 64)
		snprintf(t->text[t->n++], sizeof(t->text[0]), "%s", text);
}

static bool
noted(const struct trace *t, const char *text)
{
	unsigned int i;

	for (i = 0; i < t->n; i++)
		if (strcmp(t->text[i], text) == 0)
			return true;
	return false;
}

static void
test_trace(void **state)
{
	static struct trace t;
	static struct desc ring_mem[8] __attribute__((aligned(128)));
	static uint8_t buf[60];
	const struct pw_model_opts opts = { .chip = "82540em", .trace = note, .ctx = &t };
	struct pw_model *m;

	(void)state;
	assert_int_equal(pw_model_create(&opts, &m), 0);
	pw_model_cfg_write(m, 4, 7, 2);
	pw_model_bar_read(m, 0, PBA, 4);
	pw_model_bar_write(m, 0, CTRL, CTRL_SLU | CTRL_ILOS, 4); /* a link without a cable */
	pw_model_dma_map(m, 0x1000, sizeof(ring_mem), ring_mem, true);
	pw_model_dma_map(m, 0x2000, sizeof(buf), buf, true);
	ring_mem[0] = (struct desc){ 0x2000, 60 | SEND };
	pw_model_bar_write(m, 0, TDBAL, 0x1000, 4);
	pw_model_bar_write(m, 0, TDLEN, sizeof(ring_mem), 4);
	pw_model_bar_write(m, 0, TCTL, TCTL_EN, 4);
	pw_model_bar_write(m, 0, TDT, 1, 4);
	assert_true((ring_mem[0].word & D_DD) != 0);
	assert_true(noted(&t, "cfg wr 0x004 2 = 0x00000007"));
	assert_true(noted(&t, "rd BAR0+0x01000 4 = 0x00100030"));
	assert_true(noted(&t, "wr BAR0+0x03818 4 = 0x00000001"));
	assert_true(noted(&t, "dma rd 0x1000 16"));
	assert_true(noted(&t, "dma rd 0x2000 60"));
	assert_true(noted(&t, "dma wr 0x100c 1"));
	pw_model_destroy(m);
}

/* --- asynchronous mode --------------------------------------------------------------------- */

/* The model's thread sends and receives; the test only waits for what must come. */
static void
test_async(void **state)
{
	const struct pw_model_opts opts = { .async = true };
	struct card *c = card_new(&opts);
	unsigned int i;
	uint8_t f[60];

	(void)state;
	card_bus_on(c);
	card_reset(c);
	card_start_tx(c, TCTL_PSP);
	card_start_rx(c, RCTL_SECRC);
	for (i = 0; i < 200; i++) {
		struct pw_frame s;

		make_frame(f, peer_mac, 60);
		f[20] = (uint8_t)i;
		put_buf(c, f, 60, SEND | D_DATA);
		ring(c);
		while (!pw_wire_peek(c->peer, &s))
			sched_yield();
		assert_int_equal(s.data[20], (uint8_t)i);
		pw_wire_next(c->peer);
		make_frame(f, card_mac, 60);
		f[20] = (uint8_t)i;
		assert_int_equal(pw_wire_send(c->peer, f, 60, 0), 0);
		while ((__atomic_load_n(&c->mem->rx[c->rx_next].word, __ATOMIC_ACQUIRE) >> 32 &
			S_DD) == 0)
			sched_yield();
		assert_int_equal(c->mem->rxbuf[c->rx_next][20], (uint8_t)i);
		c->mem->rx[c->rx_next].word = 0;
		wr(c, RDT, c->rx_next);
		c->rx_next = (c->rx_next + 1) % RING;
	}
	card_free(c);
}

static void *
hammer(void *arg)
{
	struct pw_model *m = arg;
	unsigned int i;

	for (i = 0; i < 20000; i++) {
		pw_model_bar_read(m, 0, STATUS, 4);
		pw_model_poll(m);
		pw_model_violations(m, PW_VIOL_MAX);
		pw_model_reg_reads(m);
	}
	return NULL;
}

/* One lock a model: every function from every thread. */
static void
test_two_threads_on_one_model(void **state)
{
	struct card *c = card_up(0);
	uint64_t before = pw_model_reg_reads(c->m);
	pthread_t t[2];
	unsigned int i;

	(void)state;
	for (i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&t[i], NULL, hammer, c->m), 0);
	for (i = 0; i < 2; i++)
		assert_int_equal(pthread_join(t[i], NULL), 0);
	assert_int_equal(pw_model_reg_reads(c->m) - before, 40000);
	card_free(c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_identity),
		cmocka_unit_test(test_bar_sizing),
		cmocka_unit_test(test_capabilities),
		cmocka_unit_test(test_configuration_space_limits),
		cmocka_unit_test(test_decoding_is_off_until_enabled),
		cmocka_unit_test(test_no_dma_without_bus_mastering),
		cmocka_unit_test(test_d3_and_back),
		cmocka_unit_test(test_intx_is_a_level),
		cmocka_unit_test(test_msi_is_an_edge),
		cmocka_unit_test(test_map_and_unmap),
		cmocka_unit_test(test_buffers_and_rings_in_pieces),
		cmocka_unit_test(test_read_only_mapping),
		cmocka_unit_test(test_unmapped_memory_is_not_touched),
		cmocka_unit_test(test_fault_dma32),
		cmocka_unit_test(test_reset_keeps_wire_mappings_and_faults),
		cmocka_unit_test(test_registry),
		cmocka_unit_test(test_made_addresses_differ),
		cmocka_unit_test(test_faults_are_checked),
		cmocka_unit_test(test_register_accesses_are_counted),
		cmocka_unit_test(test_trace),
		cmocka_unit_test(test_async),
		cmocka_unit_test(test_two_threads_on_one_model),
	};

	return cmocka_run_group_tests_name("pci", tests, NULL, NULL);
}
