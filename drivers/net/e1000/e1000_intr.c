/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Interrupts (§2.2): link changes, removal, and Rx for who sleeps until frames come.
 *
 * With MSI-X (82574) vector 0 is for the link and each queue has one of its own behind it; its
 * cause clears itself when the message goes out. Otherwise there is one line and one cause
 * register, and reading that clears it. If EAL can offer only one descriptor for both, the
 * application sleeps on it, and what else has happened is looked at when it wakes.
 *
 * No frame may be slept through. An application masks the cause when it wakes, polls until
 * there is nothing, and unmasks: what comes after masking stays pending, and fires then. It must
 * not get lost when somebody else reads the cause register meanwhile, so the handler keeps
 * what it finds of masked causes in `rx_missed`, and unmasking sets them anew.
 */

#include <rte_errno.h>
#include <rte_interrupts.h>

#include <pw_event.h>

#include "e1000.h"

#define RX_CAUSES	(E1000_ICR_RXT0 | E1000_ICR_RXQ0 | E1000_ICR_RXQ1)

/* What unmasks the queue's interrupt; without MSI-X one for all. */
static uint32_t
rx_cause(const struct e1000_adapter *ad, uint16_t queue)
{
	return ad->intr_msix ? E1000_ICR_RXQ0 << queue : E1000_ICR_RXT0;
}

/* --- what has happened -------------------------------------------------------------------- */

static void
link_event(struct rte_eth_dev *eth)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);

	/* It may have been down and up again: have the outcome read anew. */
	rte_spinlock_lock(&ad->link_lock);
	ad->hw.link.up = false;
	rte_spinlock_unlock(&ad->link_lock);
	if (e1000_link_refresh(eth, 0) == 0)
		rte_eth_dev_callback_process(eth, RTE_ETH_EVENT_INTR_LSC, NULL);
}

/* Take the causes. @return them, UINT32_MAX from a card that is gone. */
static uint32_t
take_causes(struct e1000_adapter *ad)
{
	uint32_t icr = pw_read32(ad->hw.io, E1000_ICR);

	if (icr == UINT32_MAX)
		return icr;
	/* With MSI-X some causes stay until they are written (§2.2). */
	if (ad->intr_msix)
		pw_write32(ad->hw.io, E1000_ICR,
			   icr & (E1000_ICR_OTHER | E1000_ICR_OTHER_CAUSES));
	return icr;
}

/* In EAL's interrupt thread. */
void
e1000_interrupt(void *arg)
{
	struct rte_eth_dev *eth = arg;
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	uint32_t icr, rx;

	rte_spinlock_lock(&ad->intr_lock);
	icr = take_causes(ad);
	rx = icr == UINT32_MAX ? 0 : icr & RX_CAUSES;
	ad->rx_missed |= rx & ~ad->rx_unmasked;
	/*
	 * A message of its own that reading may have kept from going out; or a frame that came
	 * while a link change held the one line, where an edge is all that a sleeper hears.
	 */
	if ((ad->intr_msix || (icr & (E1000_ICR_LSC | E1000_ICR_RXSEQ)) != 0) &&
	    (rx & ad->rx_unmasked) != 0)
		pw_write32(ad->hw.io, E1000_ICS, rx & ad->rx_unmasked);
	rte_spinlock_unlock(&ad->intr_lock);
	/* A card that is gone would interrupt for ever if acknowledged. */
	if (icr == UINT32_MAX) {
		pw_event_removed(eth, &ad->removed);
		return;
	}
	if (icr & (E1000_ICR_LSC | E1000_ICR_RXSEQ))
		link_event(eth);
	rte_intr_ack(ad->dev.intr);
}

/* --- Rx ----------------------------------------------------------------------------------- */

int
e1000_rx_intr_enable(struct rte_eth_dev *eth, uint16_t queue)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	uint32_t cause = rx_cause(ad, queue);

	if (!eth->data->dev_conf.intr_conf.rxq)
		return -ENOTSUP;
	/* Before unmasking: QEMU loses a line that is up when uio's mask in PCI goes. */
	rte_intr_ack(ad->dev.intr);
	rte_spinlock_lock(&ad->intr_lock);
	ad->rx_asked |= RTE_BIT32(queue);
	ad->rx_unmasked |= cause;
	if ((ad->rx_missed & cause) != 0)
		pw_write32(ad->hw.io, E1000_ICS, cause);
	ad->rx_missed &= ~cause;
	pw_write32(ad->hw.io, E1000_IMS, cause);
	e1000_flush(&ad->hw);
	rte_spinlock_unlock(&ad->intr_lock);
	return 0;
}

int
e1000_rx_intr_disable(struct rte_eth_dev *eth, uint16_t queue)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	uint32_t cause = rx_cause(ad, queue), icr = 0;

	if (!eth->data->dev_conf.intr_conf.rxq)
		return -ENOTSUP;
	rte_spinlock_lock(&ad->intr_lock);
	/* Before masking: some parts clear nothing when nothing unmasked is pending (§2.2). */
	if (!ad->intr_msix)
		icr = take_causes(ad);
	ad->rx_asked &= ~RTE_BIT32(queue);
	if (ad->intr_msix || ad->rx_asked == 0) {
		pw_write32(ad->hw.io, E1000_IMC, cause);
		ad->rx_unmasked &= ~cause;
	}
	e1000_flush(&ad->hw);
	rte_spinlock_unlock(&ad->intr_lock);
	if (icr == UINT32_MAX)
		return -ENODEV;
	/* Nobody else looks where the one line is the application's. */
	if (icr & (E1000_ICR_LSC | E1000_ICR_RXSEQ))
		link_event(eth);
	return 0;
}

/* Which cause goes to which vector, and which clear by themselves (§2.1, §2.2). */
static void
msix_setup(const struct e1000_adapter *ad, uint16_t nb_rx)
{
	const struct pw_io *io = ad->hw.io;
	uint32_t ivar = E1000_IVAR_VALID << E1000_IVAR_OTHER_SHIFT, eiac = 0;

	for (uint16_t q = 0; q < nb_rx; q++) {
		ivar |= (E1000_IVAR_VALID | (RTE_INTR_VEC_RXTX_OFFSET + q))
			<< E1000_IVAR_RXQ_SHIFT(q);
		eiac |= E1000_ICR_RXQ0 << q;
		/* The reset value would keep a sleeper waiting. */
		pw_write32(io, E1000_EITR(RTE_INTR_VEC_RXTX_OFFSET + q), 0);
	}
	pw_write32(io, E1000_IVAR, ivar);
	pw_write32(io, E1000_EIAC, eiac);
	pw_modify32(io, E1000_CTRL_EXT, 0, E1000_CTRL_EXT_PBA_CLR);
}

/* --- start and stop ------------------------------------------------------------------------ */

static int
callback_on(struct rte_eth_dev *eth)
{
	return rte_intr_callback_register(e1000_adapter_of(eth)->dev.intr, e1000_interrupt, eth);
}

static void
callback_off(struct rte_eth_dev *eth)
{
	rte_intr_callback_unregister_sync(e1000_adapter_of(eth)->dev.intr, e1000_interrupt, eth);
}

/* At attach. Without an interrupt the port works all the same. @return whether there is one. */
bool
e1000_intr_open(struct rte_eth_dev *eth)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);

	rte_spinlock_init(&ad->intr_lock);
	ad->intr_open = ad->dev.intr != NULL && callback_on(eth) == 0;
	return ad->intr_open;
}

void
e1000_intr_close(struct rte_eth_dev *eth)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);

	if (ad->intr_open)
		callback_off(eth);
	ad->intr_open = false;
}

/**
 * Unmask what was asked for at configuration.
 *
 * @return 0, also if link interrupts cannot be had; -ENOTSUP if Rx interrupts cannot; -ENOMEM.
 */
int
e1000_intr_start(struct rte_eth_dev *eth)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	const struct rte_eth_intr_conf *conf = &eth->data->dev_conf.intr_conf;
	struct rte_intr_handle *intr = ad->dev.intr;
	uint32_t causes = conf->lsc ? E1000_ICR_LSC : 0;
	int rc;

	ad->rx_asked = ad->rx_unmasked = ad->rx_missed = 0;
	ad->intr_shared = false;
	ad->intr_msix = (ad->hw.flags & E1000_F_IVAR) && intr != NULL &&
			rte_intr_type_get(intr) == RTE_INTR_HANDLE_VFIO_MSIX;
	if (conf->rxq) {
		rc = pw_event_rx_open(eth, ad->intr_msix);
		if (rc != 0)
			return rc;
		ad->intr_shared = !rte_intr_allow_others(intr);
		/* Two readers of one descriptor would take each other's news. */
		if (ad->intr_shared && ad->intr_open)
			callback_off(eth);
	} else if (causes == 0 || intr == NULL) {
		return 0;
	}
	if (causes != 0 && ad->hw.media != E1000_MEDIA_COPPER)
		causes |= E1000_ICR_RXSEQ;
	if (ad->hw.flags & E1000_F_IVAR)
		causes |= causes != 0 ? E1000_ICR_OTHER : 0;
	if (ad->intr_msix)
		msix_setup(ad, conf->rxq ? eth->data->nb_rx_queues : 0);
	if (rte_intr_enable(intr) != 0) {
		PW_LOG(WARNING, "%s: interrupts cannot be enabled: link changes are seen only when "
				"asked for", ad->dev.name);
		return 0;
	}
	ad->intr_enabled = true;
	pw_write32(ad->hw.io, E1000_IMS, causes);
	return 0;
}

void
e1000_intr_stop(struct rte_eth_dev *eth)
{
	struct e1000_adapter *ad = e1000_adapter_of(eth);
	struct rte_intr_handle *intr = ad->dev.intr;

	pw_write32(ad->hw.io, E1000_IMC, UINT32_MAX);
	/* EAL complains about what it is to disable and never enabled. */
	if (ad->intr_enabled)
		rte_intr_disable(intr);
	ad->intr_enabled = false;
	pw_event_rx_close(eth);
	if (ad->intr_shared && ad->intr_open)
		ad->intr_open = callback_on(eth) == 0;
	ad->intr_shared = false;
}
