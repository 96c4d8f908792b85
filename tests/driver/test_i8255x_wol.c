/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * i8255x: Wake-on-LAN (§2 PMDR, §3.2 byte 19, §7). Power management registers are those of PCI PM
 * 1.2 §3.2, where the chip has them: E0h.
 */

#include "i8255x_card.h"

#define PMCSR	0xe0
#define PME_EN	0x0100
#define PME	0x8000
#define D3	0x0003

#define NEGOTIATED_NS	UINT64_C(5000000000)

/* --- on the models --------------------------------------------------------------------- */

static const char *const chips[] = { "82558b", "82559c", "82551", "82562" };
static const struct rte_ether_addr other = { { 2, 0, 0, 0, 0, 0x77 } };

/* Close without unplugging the model. */
static void
close_driver(struct fx_port *p)
{
	struct rte_eth_dev *eth = &rte_eth_devices[p->id];
	struct pw_dev *dev = pw_dev_of(eth);

	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	assert_int_equal(pw_driver_find(&dev->id)->detach(dev, eth), 0);
}

static uint16_t
pmcsr(struct fx_port *p)
{
	return pw_model_cfg_read(p->model, PMCSR, 2);
}

/* Six bytes of ones, then the address 16 times (AMD's white paper, which all follow). */
static void
magic_packet(struct fx_frame *f, const struct rte_ether_addr *mac)
{
	fx_frame_build(f, &(struct fx_spec){ .payload = 150 });
	memset(f->data + 20, 0xff, 6);
	for (unsigned int i = 0; i < 16; i++)
		memcpy(f->data + 26 + 6 * i, mac->addr_bytes, 6);
}

/* Whether a sleeping machine is woken by a magic packet for that address. */
static bool
wakes(struct fx_port *p, const struct rte_ether_addr *mac)
{
	static struct fx_frame f;

	pw_model_cfg_write(p->model, PMCSR, pmcsr(p) | D3, 2);
	/* The partner is found while the host sleeps. */
	fx_advance(p, NEGOTIATED_NS);
	magic_packet(&f, mac);
	fx_inject(p, &f);
	fx_advance(p, 1000000);
	return (pmcsr(p) & PME) != 0;
}

/* By the address in use, not by the one in the EEPROM. */
static void
test_closed_port_wakes_by_its_address(void **state)
{
	static struct fx_port port;
	struct fx_port *p = &port;

	(void)state;
	for (unsigned int i = 0; i < 2 * RTE_DIM(chips); i++) {
		bool own = i % 2 == 0;

		fx_open(p, chips[i / 2], "driver=wol=magic+hang_ms=0");
		fx_start(p, NULL);
		assert_int_equal(rte_eth_dev_default_mac_addr_set(p->id,
			(struct rte_ether_addr *)(uintptr_t)&other), 0);
		assert_int_equal(pmcsr(p) & PME_EN, 0);
		close_driver(p);
		assert_int_equal(pmcsr(p) & (PME_EN | PME), PME_EN);
		/* Nothing of before is left over. */
		assert_int_equal(pw_model_bar_read(p->model, 0, I8255X_PMDR, 1), 0);
		assert_int_equal(wakes(p, own ? &p->mac : &other), !own);
		fx_close(p);
	}
}

/* It was plugged in and out again: no queue, no circle of blocks. */
static void
test_port_that_never_ran_wakes_too(void **state)
{
	static struct fx_port port;
	struct fx_port *p = &port;
	struct rte_eth_dev *eth;
	struct pw_dev *dev;

	(void)state;
	fx_open(p, "82559c", "driver=wol=magic+hang_ms=0");
	eth = &rte_eth_devices[p->id];
	dev = pw_dev_of(eth);
	assert_int_equal(pw_driver_find(&dev->id)->detach(dev, eth), 0);
	assert_int_equal(pmcsr(p) & PME_EN, PME_EN);
	assert_true(wakes(p, &p->mac));
	fx_close(p);
}

static void
test_close_without_it_arms_nothing(void **state)
{
	static struct fx_port port;
	struct fx_port *p = &port;

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(chips); i++) {
		fx_open(p, chips[i], NULL);
		fx_start(p, NULL);
		close_driver(p);
		assert_int_equal(pmcsr(p) & PME_EN, 0);
		fx_close(p);
	}
}

/* A running port hears a magic packet as it hears any other frame, and raises no event. */
static void
test_running_port_does_not_wake(void **state)
{
	static struct fx_port port;
	static struct fx_frame f;
	struct fx_port *p = &port;
	struct rte_mbuf *m;

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(chips); i++) {
		fx_open(p, chips[i], "driver=wol=magic+hang_ms=0");
		/* What firmware has armed. */
		pw_model_cfg_write(p->model, PMCSR, PME_EN, 2);
		fx_start(p, NULL);
		magic_packet(&f, &p->mac);
		fx_inject(p, &f);
		assert_int_equal(fx_rx(p, &m, 1), 1);
		fx_expect_mbuf(m, &f);
		assert_int_equal(pmcsr(p) & (PME_EN | PME), 0);
		assert_int_equal(pw_model_bar_read(p->model, 0, I8255X_PMDR, 1) &
				 (I8255X_PMDR_MAGIC | I8255X_PMDR_PME), 0);
		fx_close(p);
	}
}

static void
test_cards_without_it_refuse_the_argument(void **state)
{
	(void)state;
	fx_refused("chip=82557b,wire=refused,driver=wol=magic", -ENOTSUP, "cannot wake");
	fx_refused("chip=82559er,wire=refused,driver=wol=magic", -ENOTSUP, "cannot wake");
}

/* --- on a stand-in --------------------------------------------------------------------- */

/* 558 and later, not the embedded ones (§1.1); EEPROM word 0Ah bit 5; power management. */
static void
test_cards_that_can_wake(void **state)
{
	static const struct {
		uint16_t device;
		uint8_t rev;
		uint16_t id;
		uint8_t cap;
		bool can;
	} t[] = {
		{ 0x1229, 0x03, 0x4020, 0x01, false }, { 0x1229, 0x04, 0x4020, 0x01, true },
		{ 0x1229, 0x08, 0x4020, 0x01, true }, { 0x1229, 0x08, 0x4000, 0x01, false },
		{ 0x1229, 0x08, 0x4020, 0x05, false }, { 0x1209, 0x09, 0x4020, 0x01, false },
		{ 0x1209, 0x10, 0x4020, 0x01, false }, { 0x1229, 0x10, 0x4020, 0x01, true },
		{ 0x2449, 0x03, 0x4020, 0x01, true },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		icard_make(t[i].device, t[i].rev);
		icard.cfg[0xdc] = t[i].cap;
		icard.nvm[10] = t[i].id;
		icard_nvm_sum();
		assert_int_equal(i8255x_hw_init(&icard_hw, &icard_dev), 0);
		assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
		assert_int_equal(i8255x_can_wake(&icard_hw), t[i].can);
		if (t[i].can)
			continue;
		log_capture_start();
		assert_int_equal(i8255x_wol_arm(icard_eth()), -ENOTSUP);
		log_capture_expect("cannot wake");
		assert_int_equal(icard.nb_done, 0);
		assert_int_equal(icard.cfg[0xe1], 0);
	}
}

/* PMDR is written back, PME is off and its status cleared; an 82557 has no such register. */
static void
test_events_are_cleared(void **state)
{
	static const struct {
		uint8_t rev, left;
	} t[] = { { 0x03, 0xe1 }, { 0x05, 0 }, { 0x08, 0 }, { 0x10, 0 } };

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		icard_init(0x1229, t[i].rev);
		icard.csr[I8255X_PMDR] = 0xe1;
		icard.cfg[0xe1] = 0x81;
		icard_hw.wake = true;
		i8255x_wol_off(&icard_hw);
		assert_false(icard_hw.wake);
		assert_int_equal(icard.csr[I8255X_PMDR], t[i].left);
		assert_int_equal(icard.cfg[0xe1], 0x00);
	}
	/* Nor is anything written where there is no power management. */
	icard_init(0x1229, 0x03);
	icard.cfg[0xdc] = 0;
	icard.cfg[0xe1] = 0x81;
	i8255x_wol_off(&icard_hw);
	assert_int_equal(icard.cfg[0xe1], 0x81);
}

/* A chip that does not take the commands is not armed, and that is no endless wait. */
static void
test_chip_that_does_not_listen(void **state)
{
	static struct i8255x_ctl ctl;
	struct rte_eth_dev *eth;
	uint64_t before;

	(void)state;
	icard_make(0x1229, 0x08);
	icard.nvm[10] = 0x4020;
	icard_nvm_sum();
	assert_int_equal(i8255x_hw_init(&icard_hw, &icard_dev), 0);
	assert_int_equal(i8255x_nvm_init(&icard_hw), 0);
	assert_int_equal(i8255x_phy_init(&icard_hw), 0);
	for (unsigned int stuck = 0; stuck < 2; stuck++) {
		eth = icard_eth();
		i8255x_adapter_of(eth)->ctl.va = &ctl;
		i8255x_adapter_of(eth)->ctl.addr = 0x10000;
		i8255x_adapter_of(eth)->hw.promisc = true;
		i8255x_adapter_of(eth)->hw.allmulti = true;
		i8255x_adapter_of(eth)->hw.loopback = true;
		icard.cmd_stuck = stuck;
		before = pw_clock_now(&fx_clock);
		log_capture_start();
		assert_int_equal(i8255x_wol_arm(eth), -ETIMEDOUT);
		log_capture_expect("not armed");
		assert_in_range((pw_clock_now(&fx_clock) - before) / 1000, 90000, 120000);
		assert_int_equal(icard.cfg[0xe1], 0);
	}
	/* Bases, then the list of two, which this card does not read. */
	assert_int_equal(icard.done[0].cmd, 0x60);
	assert_int_equal(icard.done[1].cmd, 0x06);
	assert_int_equal(icard.done[2].cmd, 0x10);
	assert_int_equal(icard.done[2].pointer, 0x10000);
	assert_int_equal(ctl.config.cb.cmd, 0x0002);
	assert_int_equal(ctl.config.cb.link, 0x10000 + offsetof(struct i8255x_ctl, ia));
	assert_int_equal(ctl.config.byte[19], 0x84);
	/* What the port was used for is over (§3.2: 2Eh, 48h, 05h). */
	assert_int_equal(ctl.config.byte[10], 0x2e);
	assert_int_equal(ctl.config.byte[15], 0x48);
	assert_int_equal(ctl.config.byte[21], 0x05);
	assert_int_equal(ctl.ia.cb.cmd, 0x8001);
}

int
main(void)
{
#define T(name) cmocka_unit_test(test_##name)
	const struct CMUnitTest tests[] = {
		T(closed_port_wakes_by_its_address),
		T(port_that_never_ran_wakes_too),
		T(close_without_it_arms_nothing),
		T(running_port_does_not_wake),
		T(cards_without_it_refuse_the_argument),
		T(cards_that_can_wake),
		T(events_are_cleared),
		T(chip_that_does_not_listen),
	};

	return cmocka_run_group_tests_name("i8255x_wol", tests, fx_setup, fx_teardown);
}
