/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Interrupts: one line, for who sleeps until frames come (§2.2, §2.4). Nothing else is worth
 * one: the family has no interrupt for the link (the watch looks), and finished commands are
 * polled. The chip is masked whenever nobody sleeps.
 *
 * No frame may be slept through. Causes are kept while they are masked, so what comes after the
 * application has masked them fires as soon as it unmasks. RNR, which says that reception
 * stopped, is left to the receive path, which takes it back when it has started the unit again;
 * until then a sleeper is woken at once, and polls.
 */

#include <rte_interrupts.h>

#include <pw_event.h>

#include "i8255x.h"

/*
 * Unmasked for a sleeper. 82557 has no mask but the one for all; there a list that has run
 * dry wakes too (CNA).
 */
#define RX_ONLY		(I8255X_INT_MASK_CX | I8255X_INT_MASK_CNA | I8255X_INT_MASK_ER | \
			 I8255X_INT_MASK_FCP)
/* What a sleeper has no use for, or has seen when it wakes. */
#define NOT_RNR		((uint8_t)(I8255X_ACK_ALL & ~I8255X_ACK_RNR))
#define NOT_RX		((uint8_t)(NOT_RNR & ~I8255X_ACK_FR))

static bool
asked(const struct rte_eth_dev *eth)
{
	return eth->data->dev_conf.intr_conf.rxq != 0;
}

int
i8255x_rx_intr_enable(struct rte_eth_dev *eth, uint16_t queue __rte_unused)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	const struct pw_io *io = ad->hw.io;

	if (!asked(eth))
		return -ENOTSUP;
	/* Before unmasking: QEMU loses a line that is up when uio's mask in PCI goes. */
	rte_intr_ack(ad->dev.intr);
	pw_write8(io, I8255X_STAT_ACK, NOT_RX);
	pw_write8(io, I8255X_INT_CTRL, ad->hw.flags & I8255X_F_FC ? RX_ONLY : 0);
	i8255x_flush(&ad->hw);
	return 0;
}

int
i8255x_rx_intr_disable(struct rte_eth_dev *eth, uint16_t queue __rte_unused)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	const struct pw_io *io = ad->hw.io;

	if (!asked(eth))
		return -ENOTSUP;
	if (i8255x_gone(&ad->hw))
		return -ENODEV;
	pw_write8(io, I8255X_INT_CTRL, I8255X_INT_M);
	/* Frames that are acknowledged here are in memory, and polled next. */
	pw_write8(io, I8255X_STAT_ACK, NOT_RNR);
	i8255x_flush(&ad->hw);
	return 0;
}

/**
 * Prepare what was asked for at configuration; everything stays masked until somebody sleeps.
 *
 * @return 0; -ENOTSUP if Rx interrupts cannot be had; -ENOMEM.
 */
int
i8255x_intr_start(struct rte_eth_dev *eth)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);
	int rc;

	if (!asked(eth))
		return 0;
	rc = pw_event_rx_open(eth, false);
	if (rc != 0)
		return rc;
	if (rte_intr_enable(ad->dev.intr) != 0) {
		PW_LOG(ERR, "%s: interrupts cannot be enabled: leave intr_conf.rxq 0",
		       ad->dev.name);
		pw_event_rx_close(eth);
		return -ENOTSUP;
	}
	ad->intr_enabled = true;
	return 0;
}

void
i8255x_intr_stop(struct rte_eth_dev *eth)
{
	struct i8255x_adapter *ad = i8255x_adapter_of(eth);

	pw_write8(ad->hw.io, I8255X_INT_CTRL, I8255X_INT_M);
	/* EAL complains about what it is to disable and never enabled. */
	if (ad->intr_enabled)
		rte_intr_disable(ad->dev.intr);
	ad->intr_enabled = false;
	pw_event_rx_close(eth);
}
