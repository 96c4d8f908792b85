/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_CHIP_H_
#define _PW_CHIP_H_

/*
 * Inside lib/model: what a chip gives to the core (a row of data and a table of verbs), and
 * what the core gives to a chip: PCI, DMA, the interrupt, timers on the clock, violations.
 *
 * Every verb runs with the model locked. A chip keeps its state in `priv`, never in statics.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "pw_model.h"

#define PW_LIKELY(x) __builtin_expect(!!(x), 1)
#define PW_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define PW_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

#define PW_TIMERS 16		/* a chip */
#define PW_TIMER_OFF UINT64_MAX
#define PW_CAPS 8		/* of a chip, the end included */

/* --- what a chip provides ------------------------------------------------------------------ */

struct pw_chip_ops {
	size_t priv_size;
	/* Once, on zeroed `priv`; the core resets afterwards. 0 or -errno. */
	int (*init)(struct pw_model *m);
	void (*fini)(struct pw_model *m);
	/* As after power-on, RST# or FLR. Timers are off already. */
	void (*reset)(struct pw_model *m);
	uint32_t (*bar_read)(struct pw_model *m, unsigned int bar, uint32_t off,
			     unsigned int width);
	void (*bar_write)(struct pw_model *m, unsigned int bar, uint32_t off, uint32_t val,
			  unsigned int width);
	/* Transmit and receive what can be. Frames moved. */
	unsigned int (*poll)(struct pw_model *m);
	/* 0, or -ENOBUFS if the frame was lost. */
	int (*receive)(struct pw_model *m, const uint8_t *frame, uint32_t len, uint32_t flags);
	/* A timer set by pw_timer_set() is due; pw_now() is the time it was set to. */
	void (*timer)(struct pw_model *m, unsigned int id);
	/* A fault switch moved; m->fault[] has its value. May be NULL. */
	void (*fault)(struct pw_model *m, enum pw_fault fault);
};

struct pw_cap {
	uint8_t id;	/* 0: end */
	uint8_t at;	/* offset in configuration space */
};

#define PW_CAP_PM 0x01
#define PW_CAP_MSI 0x05
#define PW_CAP_PCIX 0x07
#define PW_CAP_EXP 0x10
#define PW_CAP_MSIX 0x11

/* Extended capabilities, of PCI Express; the first is at 0x100. */
struct pw_ecap {
	uint16_t id;	/* 0: end */
	uint16_t at;
};

#define PW_ECAPS 4
#define PW_ECAP_AER 0x0001
#define PW_ECAP_DSN 0x0003

/* Where the MSI-X structures are, for chips with msix_vectors. */
struct pw_msix_at {
	uint8_t bar;
	uint32_t table;
	uint32_t pba;
};

#define PW_MSIX_MAX 32

struct pw_chip {
	struct pw_model_info info;
	const struct pw_chip_ops *ops;
	const void *variant;	/* the family's own row */
	struct pw_cap cap[PW_CAPS];	/* in the order of the chain */
	struct pw_ecap ecap[PW_ECAPS];
	struct pw_msix_at msix;
};

/* A family's chips; the last row has no name. */
extern const struct pw_chip pw_e1000_chips[];
extern const struct pw_chip pw_i8255x_chips[];

/* --- the model ----------------------------------------------------------------------------- */

/* A piece of host memory that was looked up; stale once `gen` differs from the model's. */
struct pw_dma_win {
	uint64_t iova;
	uint64_t len;
	uint8_t *va;
	uint32_t gen;
	bool writable;
};

struct pw_dma_map {
	uint64_t iova;
	uint64_t last;	/* inclusive, so that a mapping may end at 2^64 */
	uint8_t *va;
	bool writable;
};

struct pw_model {
	const struct pw_chip *chip;
	void *priv;
	pthread_mutex_t lock;
	struct pw_clock *clock;
	struct pw_wire *wire;
	struct pw_model_opts opts;
	uint8_t mac[6];

	/* DMA */
	struct pw_dma_map *map;	/* sorted by iova, none overlaps */
	unsigned int nb_maps;
	unsigned int max_maps;
	uint32_t dma_gen;
	bool dma_on;		/* bus master, D0, not removed */

	/* PCI */
	bool irq_level;		/* what the chip asks for */
	bool intx;		/* what the line shows */
	uint8_t cap_pm, cap_msi;	/* offsets, 0: none */
	uint8_t cfg[PW_MODEL_CFG_SIZE];
	uint8_t cfg_rw[PW_MODEL_CFG_SIZE];	/* bits that a write changes */
	uint8_t cfg_w1c[PW_MODEL_CFG_SIZE];	/* bits that writing 1 clears */

	/* MSI-X (pw_model_pcie.c) */
	uint8_t cap_msix;		/* offset, 0: none */
	uint32_t msix_pending;		/* a bit a vector */
	uint32_t msix_table[PW_MSIX_MAX][4];

	/* Timers */
	uint64_t deadline;	/* the earliest of timer[] */
	uint64_t timer_now;	/* the due time while a timer runs, else 0 */
	uint64_t timer[PW_TIMERS];

	uint32_t fault[PW_FAULT_MAX];
	uint64_t reg_reads, reg_writes;
	uint64_t nb_viol[PW_VIOL_MAX];
	char last_viol[192];

	/* Asynchronous mode */
	pthread_t thread;
	pthread_cond_t wake;
	bool has_thread;
	bool stop;
	bool kicked;
};

/* --- time ---------------------------------------------------------------------------------- */

static inline uint64_t
pw_now(const struct pw_model *m)
{
	return m->timer_now != 0 ? m->timer_now : pw_clock_now(m->clock);
}

void pw_timer_set(struct pw_model *m, unsigned int id, uint64_t at);
/* Run what is due. */
void pw_timers_run(struct pw_model *m);

static inline bool
pw_timer_armed(const struct pw_model *m, unsigned int id)
{
	return m->timer[id] != PW_TIMER_OFF;
}

static inline void
pw_timer_stop(struct pw_model *m, unsigned int id)
{
	if (pw_timer_armed(m, id))
		pw_timer_set(m, id, PW_TIMER_OFF);
}

/*
 * In asynchronous mode wake the model's thread and return true: the work is the thread's.
 * Otherwise return false: do it now.
 */
bool pw_model_defer(struct pw_model *m);

/* --- records ------------------------------------------------------------------------------- */

void pw_violate(struct pw_model *m, enum pw_violation kind, const char *fmt, ...)
	PW_PRINTF(3, 4) __attribute__((cold));
void pw_trace(struct pw_model *m, const char *fmt, ...) PW_PRINTF(2, 3) __attribute__((cold));

/* One of the next `n` events of a fault that counts down. */
static inline bool
pw_fault_take(struct pw_model *m, enum pw_fault fault)
{
	if (PW_LIKELY(m->fault[fault] == 0))
		return false;
	m->fault[fault]--;
	return true;
}

/* --- PCI (pw_model_pci.c) ------------------------------------------------------------------ */

void pw_pci_reset(struct pw_model *m);
uint32_t pw_pci_read(struct pw_model *m, uint32_t off, unsigned int width);
void pw_pci_write(struct pw_model *m, uint32_t off, uint32_t val, unsigned int width);
/* Whether the function answers on this BAR: decoding enabled, in D0. */
bool pw_pci_decodes(const struct pw_model *m, unsigned int bar);
/* What the chip asks for on its interrupt: a level, or an edge where MSI is enabled. */
void pw_pci_irq(struct pw_model *m, bool level);
/* Work out dma_on and the line anew, after a fault switch. */
void pw_pci_update(struct pw_model *m);

/* --- PCI Express and MSI-X (pw_model_pcie.c) ----------------------------------------------- */

void pw_pcie_init_cap(struct pw_model *m, const struct pw_cap *cap);
void pw_pcie_reset(struct pw_model *m);
/* Send what is pending and no longer masked, after a change of configuration. */
void pw_msix_update(struct pw_model *m);
/* Send a vector's message, or keep it pending while it is masked. */
void pw_msix_send(struct pw_model *m, unsigned int vector);
/* Forget pending messages: a bit a vector. */
void pw_msix_clear(struct pw_model *m, uint32_t vectors);
/* The BAR that has the table and the pending bits. */
uint32_t pw_msix_read(struct pw_model *m, uint32_t off, unsigned int width);
void pw_msix_write(struct pw_model *m, uint32_t off, uint32_t val, unsigned int width);

static inline bool
pw_msix_on(const struct pw_model *m)
{
	return m->cap_msix != 0 && (m->cfg[m->cap_msix + 3u] & 0x80) != 0;
}

static inline uint32_t
pw_ones(unsigned int width)
{
	return width >= 4 ? UINT32_MAX : (1u << 8 * width) - 1;
}

/* --- DMA (pw_model_dma.c) ------------------------------------------------------------------ */

bool pw_dma_read_slow(struct pw_model *m, struct pw_dma_win *win, uint64_t iova, void *dst,
		      uint32_t len);
bool pw_dma_write_slow(struct pw_model *m, struct pw_dma_win *win, uint64_t iova,
		       const void *src, uint32_t len);

/*
 * Host memory of [iova, iova + len) if all of it lies in the piece that `win` found last;
 * NULL otherwise, which is no violation: use pw_dma_read/write, they go piece by piece.
 */
static inline uint8_t *
pw_dma_hit(const struct pw_model *m, const struct pw_dma_win *win, uint64_t iova, uint32_t len,
	   bool write)
{
	uint64_t off = iova - win->iova;

	if (PW_LIKELY(win->gen == m->dma_gen && off < win->len && len <= win->len - off &&
		      (!write || win->writable)))
		return win->va + off;
	return NULL;
}

/* As pw_dma_hit(), but looks the piece up first where `win` is another. Never a violation. */
uint8_t *pw_dma_ptr(struct pw_model *m, struct pw_dma_win *win, uint64_t iova, uint32_t len,
		    bool write);

/* Copy from or to host memory. False, and a violation, if some of it is not mapped. */
static inline bool
pw_dma_read(struct pw_model *m, struct pw_dma_win *win, uint64_t iova, void *dst, uint32_t len)
{
	const uint8_t *p = pw_dma_hit(m, win, iova, len, false);

	if (PW_UNLIKELY(p == NULL || m->opts.trace != NULL))
		return pw_dma_read_slow(m, win, iova, dst, len);
	memcpy(dst, p, len);
	return true;
}

static inline bool
pw_dma_write(struct pw_model *m, struct pw_dma_win *win, uint64_t iova, const void *src,
	     uint32_t len)
{
	uint8_t *p = pw_dma_hit(m, win, iova, len, true);

	if (PW_UNLIKELY(p == NULL || m->opts.trace != NULL))
		return pw_dma_write_slow(m, win, iova, src, len);
	memcpy(p, src, len);
	return true;
}

/*
 * Store what hands a descriptor over: all that was written before is visible before it, to a
 * host thread that polls the word. `iova` is aligned to `len` (1, 2, 4 or 8).
 */
static inline bool
pw_dma_publish(struct pw_model *m, struct pw_dma_win *win, uint64_t iova, uint64_t val,
	       uint32_t len)
{
	uint8_t *p = pw_dma_hit(m, win, iova, len, true);

	if (PW_UNLIKELY(p == NULL || m->opts.trace != NULL || ((uintptr_t)p & (len - 1)) != 0)) {
		__atomic_thread_fence(__ATOMIC_RELEASE);
		return pw_dma_write_slow(m, win, iova, &val, len);
	}
	if (len == 8)
		__atomic_store_n((uint64_t *)(void *)p, val, __ATOMIC_RELEASE);
	else if (len == 4)
		__atomic_store_n((uint32_t *)(void *)p, (uint32_t)val, __ATOMIC_RELEASE);
	else if (len == 2)
		__atomic_store_n((uint16_t *)(void *)p, (uint16_t)val, __ATOMIC_RELEASE);
	else
		__atomic_store_n(p, (uint8_t)val, __ATOMIC_RELEASE);
	return true;
}

/* Models keep descriptors in the CPU's order and assume it little-endian, as all hosts are. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "models need a little-endian host");

/** Store into configuration space, which is little endian whatever the host is. */
static inline void
pw_put16(uint8_t *p, uint32_t off, uint32_t val)
{
	p[off] = (uint8_t)val;
	p[off + 1] = (uint8_t)(val >> 8);
}

static inline void
pw_put32(uint8_t *p, uint32_t off, uint32_t val)
{
	pw_put16(p, off, val);
	pw_put16(p, off + 2, val >> 16);
}

#endif /* _PW_CHIP_H_ */
