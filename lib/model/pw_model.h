/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_MODEL_H_
#define _PW_MODEL_H_

/**
 * @file
 * Chip models: a PCI function in software. Everything happens inside the register write, the
 * frame delivery or the poll that causes it; there is no thread unless `async` asks for one.
 * The model is its own IOMMU: what it may reach is what was mapped, everything else is a
 * violation, recorded and counted. Knows nothing of DPDK or of any driver.
 *
 * All functions are thread-safe against each other for one model (one lock a model), except
 * create and destroy.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pw_clock.h"
#include "pw_wire.h"

#define PW_MODEL_BARS 6
#define PW_MODEL_CFG_SIZE 4096u

struct pw_model;

enum pw_model_bar_kind {
	PW_BAR_NONE,
	PW_BAR_MEM32,
	PW_BAR_MEM64,	/**< takes the next BAR too */
	PW_BAR_IO,
};

struct pw_model_bar {
	enum pw_model_bar_kind kind;
	uint32_t size;	/**< bytes, a power of two */
};

/** What the function is, before any driver touches it. */
struct pw_model_info {
	const char *chip;	/**< e.g. "82540em" */
	const char *title;	/**< e.g. "Intel 82540EM Gigabit Ethernet Controller" */
	uint16_t vendor, device, subvendor, subdevice;
	uint8_t revision;
	uint32_t class_code;	/**< 24 bits */
	struct pw_model_bar bar[PW_MODEL_BARS];
	uint16_t msi_vectors;	/**< 0: no MSI */
	uint16_t msix_vectors;	/**< 0: no MSI-X */
	uint32_t cfg_size;	/**< 256, or 4096 for PCI Express */
};

/** Fault switches. Off unless set; `arg` of pw_model_fault() in brackets. */
enum pw_fault {
	PW_FAULT_LINK_DOWN,	/**< carrier lost [0/1] */
	PW_FAULT_RX_OVERRUN,	/**< the next `arg` frames find the FIFO full */
	PW_FAULT_BAD_CRC,	/**< the next `arg` frames arrive with a bad FCS */
	PW_FAULT_STUCK_RESET,	/**< reset never completes [0/1] */
	PW_FAULT_EEPROM_SILENT,	/**< EEPROM does not answer [0/1] */
	PW_FAULT_EEPROM_CORRUPT, /**< checksum is wrong [0/1] */
	PW_FAULT_EEPROM_ZERO_MAC, /**< station address is all zero, checksum right [0/1] */
	PW_FAULT_LOST_DOORBELL,	/**< the next `arg` tail writes are not seen */
	PW_FAULT_REMOVED,	/**< reads all ones, writes vanish, no DMA [0/1] */
	PW_FAULT_DMA32,		/**< addresses above 4 GiB are violations [0/1] */
	PW_FAULT_PHY_SILENT,	/**< MDIO does not answer [0/1] */
	PW_FAULT_TX_HANG,	/**< transmitter stops taking descriptors [0/1] */
	PW_FAULT_SLOW_CMD,	/**< 8255x: the command byte is accepted after `arg` ns */
	PW_FAULT_TX_UNDERRUN,	/**< 8255x: Tx thresholds below `arg` run dry in longer frames */
	PW_FAULT_RX_LOCKUP,	/**< 82557: noise locks the receiver up, where the part can [1] */
	PW_FAULT_COLLISIONS,	/**< 8255x: the next frame at half duplex collides `arg` times */
	PW_FAULT_MAX
};

/** @return the fault called `name` (e.g. "link_down"), or -1. */
int pw_fault_by_name(const char *name);
/** @return the name of a fault, or NULL past the last. */
const char *pw_fault_name(unsigned int fault);

/** What a model recorded against its driver. */
enum pw_violation {
	PW_VIOL_DMA,		/**< DMA outside what is mapped */
	PW_VIOL_REG_UNDEFINED,	/**< access to a register that the chip does not have */
	PW_VIOL_REG_WIDTH,	/**< access of a wrong width or alignment */
	PW_VIOL_REG_READONLY,	/**< write to a read-only register */
	PW_VIOL_DESC_OWNER,	/**< device would have to write a descriptor that the host owns */
	PW_VIOL_PROTOCOL,	/**< forbidden order or value (cited in the text) */
	PW_VIOL_MAX
};

struct pw_model_opts {
	const char *chip;
	const uint8_t *mac;	/**< 6 bytes, or NULL for one made from the wire's name and end */
	struct pw_wire *wire;	/**< NULL: unplugged; stays the caller's, closed after destroy */
	struct pw_clock *clock;	/**< NULL: real time */
	bool async;		/**< a thread of its own runs the transmitter and receiver */
	uint64_t autoneg_ns;	/**< how long autonegotiation takes; 0: no time */
	/** Interrupt line (vector 0, INTx or MSI) or MSI-X vector; called with the model locked. */
	void (*irq)(void *ctx, unsigned int vector, bool level);
	/** One line for each violation; called with the model locked; NULL: count only. */
	void (*violation)(void *ctx, enum pw_violation kind, const char *text);
	/** Trace of register accesses and DMA; called with the model locked; NULL: none. */
	void (*trace)(void *ctx, const char *text);
	void *ctx;
};

/** @return the `i`th chip's name, or NULL past the last; for lists in messages. */
const char *pw_model_chip_name(unsigned int i);

/**
 * Make a model as it is after power-on.
 *
 * @return 0; -ENODEV for an unknown chip; -ENOMEM.
 */
int pw_model_create(const struct pw_model_opts *opts, struct pw_model **model);

/** Destroy. NULL is allowed. */
void pw_model_destroy(struct pw_model *m);

/** @return what the function is. */
const struct pw_model_info *pw_model_info(const struct pw_model *m);

/** Register access, as a bus would make it. `width` 1, 2 or 4. */
uint32_t pw_model_bar_read(struct pw_model *m, unsigned int bar, uint32_t off, unsigned int width);
void pw_model_bar_write(struct pw_model *m, unsigned int bar, uint32_t off, uint32_t val,
			unsigned int width);

/** Configuration space access. `width` 1, 2 or 4. Bus mastering is off until set here. */
uint32_t pw_model_cfg_read(struct pw_model *m, uint32_t off, unsigned int width);
void pw_model_cfg_write(struct pw_model *m, uint32_t off, uint32_t val, unsigned int width);

/** RST# or function-level reset: all but the wire, mappings and faults as after create. */
void pw_model_reset(struct pw_model *m);

/**
 * Let time pass: due timers run, the transmitter goes on where the wire was busy, frames that
 * wait on the wire are received as far as there are descriptors.
 *
 * @return frames moved, 0 if there was nothing to do.
 */
unsigned int pw_model_poll(struct pw_model *m);

/** @return when the next timer is due, in ns on the model's clock; UINT64_MAX: none is set. */
uint64_t pw_model_deadline(const struct pw_model *m);

/** What the model may reach: `len` bytes at bus address `iova` are host memory `va`. */
int pw_model_dma_map(struct pw_model *m, uint64_t iova, uint64_t len, void *va, bool writable);
/** Remove every mapping in the range, which may be empty. 0, or -EINVAL if it cuts one. */
int pw_model_dma_unmap(struct pw_model *m, uint64_t iova, uint64_t len);

/**
 * Mask or unmask an MSI-X vector, as a write to its table entry does. For who stands between
 * the model and a client that keeps the table to itself, as VFIO does. After reset all are
 * masked. A vector that the chip does not have is ignored.
 */
void pw_model_msix_mask(struct pw_model *m, unsigned int vector, bool masked);

/** Deliver one frame as if it had come from the wire. @return 0, or -ENOBUFS if it was lost. */
int pw_model_receive(struct pw_model *m, const void *frame, uint32_t len, uint32_t flags);

/** Set a fault switch. 0, or -EINVAL. */
int pw_model_fault(struct pw_model *m, enum pw_fault fault, uint32_t arg);

/** @return violations of one kind since the last clear; PW_VIOL_MAX: of all kinds. */
uint64_t pw_model_violations(const struct pw_model *m, enum pw_violation kind);
/** Text of the newest violation, "" if none; copied out. */
void pw_model_last_violation(const struct pw_model *m, char *buf, size_t len);
void pw_model_clear_violations(struct pw_model *m);

/** Register writes and reads seen on BARs since creation: what tests of doorbells count. */
uint64_t pw_model_reg_writes(const struct pw_model *m);
uint64_t pw_model_reg_reads(const struct pw_model *m);

#endif /* _PW_MODEL_H_ */
