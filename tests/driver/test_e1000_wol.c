/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* e1000: Wake-on-LAN (§2.5). Power management registers are those of PCI PM 1.2 §3.2. */

#include "e1000_card.h"

static uint32_t
reg(const struct fx_port *p, uint32_t off)
{
	return pw_model_bar_read(p->model, 0, off, 4);
}

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
	uint32_t pos = pw_model_cfg_read(p->model, 0x34, 1);

	while (pos != 0 && pw_model_cfg_read(p->model, pos, 1) != 1)
		pos = pw_model_cfg_read(p->model, pos + 1, 1);
	assert_int_not_equal(pos, 0);
	return pw_model_cfg_read(p->model, pos + 4, 2);
}

static void
test_close_arms_magic_packets(void **state)
{
	static const char *const chips[] = { "82540em", "82572ei", "82574l" };
	static const struct rte_ether_addr mac = { { 2, 0, 0, 0, 0, 0x77 } };
	static struct fx_port port;
	struct fx_port *p = &port;

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(chips); i++) {
		fx_open(p, chips[i], "driver=wol=magic+hang_ms=0");
		fx_start(p, NULL);
		assert_int_equal(rte_eth_dev_default_mac_addr_set(p->id,
			(struct rte_ether_addr *)(uintptr_t)&mac), 0);
		assert_int_equal(reg(p, E1000_WUFC), 0);
		assert_int_equal(reg(p, E1000_WUC) & E1000_WUC_PME_EN, 0);
		close_driver(p);
		assert_int_equal(reg(p, E1000_WUFC), 1 << 1);
		assert_int_equal(reg(p, E1000_WUC) & 2, 2);
		/* The packet holds the address in use, and the link must be there to bring it. */
		assert_int_equal(reg(p, E1000_RAL(0)), 2);
		assert_int_equal(reg(p, E1000_RAH(0)), 0x80007700);
		assert_int_equal(reg(p, E1000_STATUS) & E1000_STATUS_LU, E1000_STATUS_LU);
		assert_int_equal(reg(p, E1000_CTRL) & (3 << 20), 3 << 20);
		assert_int_equal(pmcsr(p) & 0x0100, 0x0100);
		assert_int_equal(reg(p, E1000_RCTL) & E1000_RCTL_EN, 0);
		fx_close(p);
	}
}

static void
test_close_without_it_arms_nothing(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	close_driver(p);
	assert_int_equal(reg(p, E1000_WUFC), 0);
	assert_int_equal(reg(p, E1000_WUC) & E1000_WUC_PME_EN, 0);
	assert_int_equal(pmcsr(p) & 0x0100, 0);
	assert_int_equal(reg(p, E1000_STATUS) & E1000_STATUS_LU, 0);
}

/* What firmware or an earlier close has armed does not fire while the port runs. */
static void
test_start_disarms(void **state)
{
	struct fx_port *p = *state;

	pw_model_bar_write(p->model, 0, E1000_WUFC, 0xf, 4);
	pw_model_bar_write(p->model, 0, E1000_WUC, E1000_WUC_APME | E1000_WUC_PME_EN, 4);
	fx_start(p, NULL);
	assert_int_equal(reg(p, E1000_WUFC), 0);
	assert_int_equal(reg(p, E1000_WUC), E1000_WUC_APME);
}

static void
test_cards_that_cannot_wake(void **state)
{
	static const struct {
		uint16_t device;
		bool can;
	} t[] = {
		{ 0x1004, false }, { 0x1001, false }, { 0x1008, true }, { 0x1009, false },
		{ 0x100e, true }, { 0x1011, false }, { 0x1028, false }, { 0x1076, true },
		{ 0x105e, true }, { 0x105f, false }, { 0x1060, false }, { 0x10d3, true },
	};

	(void)state;
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		card_init(t[i].device);
		assert_int_equal(e1000_can_wake(&card_hw), t[i].can);
		/* Nothing is written to a unit that may not exist. */
		R(E1000_WUFC) = 0xff;
		e1000_wol_off(&card_hw);
		assert_int_equal(R(E1000_WUFC), t[i].can ? 0 : 0xff);
	}
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, fx_port_setup, fx_port_teardown)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_close_arms_magic_packets),
		T(close_without_it_arms_nothing),
		T(start_disarms),
		cmocka_unit_test(test_cards_that_cannot_wake),
	};

	return cmocka_run_group_tests_name("e1000_wol", tests, fx_setup, fx_teardown);
}
