/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "pw_chip.h"

#define ASYNC_IDLE_NS 50000	/* how long the thread sleeps when it had nothing to do */

static const struct pw_chip *const families[] = {
	pw_e1000_chips,
	pw_i8255x_chips,
};

static const char *const fault_names[PW_FAULT_MAX] = {
	[PW_FAULT_LINK_DOWN] = "link_down",
	[PW_FAULT_RX_OVERRUN] = "rx_overrun",
	[PW_FAULT_BAD_CRC] = "bad_crc",
	[PW_FAULT_STUCK_RESET] = "stuck_reset",
	[PW_FAULT_EEPROM_SILENT] = "eeprom_silent",
	[PW_FAULT_EEPROM_CORRUPT] = "eeprom_corrupt",
	[PW_FAULT_EEPROM_ZERO_MAC] = "eeprom_zero_mac",
	[PW_FAULT_LOST_DOORBELL] = "lost_doorbell",
	[PW_FAULT_REMOVED] = "removed",
	[PW_FAULT_DMA32] = "dma32",
	[PW_FAULT_PHY_SILENT] = "phy_silent",
	[PW_FAULT_TX_HANG] = "tx_hang",
	[PW_FAULT_SLOW_CMD] = "slow_cmd",
	[PW_FAULT_TX_UNDERRUN] = "tx_underrun",
	[PW_FAULT_RX_LOCKUP] = "rx_lockup",
	[PW_FAULT_COLLISIONS] = "collisions",
};

/* --- registry ------------------------------------------------------------------------------ */

static const struct pw_chip *
chip_at(unsigned int i)
{
	unsigned int f;

	for (f = 0; f < sizeof(families) / sizeof(families[0]); f++) {
		const struct pw_chip *c;

		for (c = families[f]; c->info.chip != NULL; c++)
			if (i-- == 0)
				return c;
	}
	return NULL;
}

const char *
pw_model_chip_name(unsigned int i)
{
	const struct pw_chip *c = chip_at(i);

	return c == NULL ? NULL : c->info.chip;
}

static const struct pw_chip *
chip_by_name(const char *name)
{
	const struct pw_chip *c;
	unsigned int i;

	for (i = 0; (c = chip_at(i)) != NULL; i++)
		if (strcmp(c->info.chip, name) == 0)
			return c;
	return NULL;
}

int
pw_fault_by_name(const char *name)
{
	int i;

	for (i = 0; i < PW_FAULT_MAX; i++)
		if (strcmp(fault_names[i], name) == 0)
			return i;
	return -1;
}

const char *
pw_fault_name(unsigned int fault)
{
	return fault < PW_FAULT_MAX ? fault_names[fault] : NULL;
}

/* --- records ------------------------------------------------------------------------------- */

void
pw_violate(struct pw_model *m, enum pw_violation kind, const char *fmt, ...)
{
	va_list ap;

	__atomic_store_n(&m->nb_viol[kind], m->nb_viol[kind] + 1, __ATOMIC_RELAXED);
	va_start(ap, fmt);
	vsnprintf(m->last_viol, sizeof(m->last_viol), fmt, ap);
	va_end(ap);
	if (m->opts.violation != NULL)
		m->opts.violation(m->opts.ctx, kind, m->last_viol);
	if (m->opts.trace != NULL)
		pw_trace(m, "VIOLATION %s", m->last_viol);
}

void
pw_trace(struct pw_model *m, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	m->opts.trace(m->opts.ctx, text);
}

uint64_t
pw_model_violations(const struct pw_model *m, enum pw_violation kind)
{
	uint64_t sum = 0;
	unsigned int i;

	if (kind < PW_VIOL_MAX)
		return __atomic_load_n(&m->nb_viol[kind], __ATOMIC_RELAXED);
	for (i = 0; i < PW_VIOL_MAX; i++)
		sum += __atomic_load_n(&m->nb_viol[i], __ATOMIC_RELAXED);
	return sum;
}

/* The lock is no part of a model's value: readers take it too. */
static struct pw_model *
unconst(const struct pw_model *m)
{
	return (struct pw_model *)(uintptr_t)m;
}

void
pw_model_last_violation(const struct pw_model *m, char *buf, size_t len)
{
	struct pw_model *mm = unconst(m);

	pthread_mutex_lock(&mm->lock);
	snprintf(buf, len, "%s", m->last_viol);
	pthread_mutex_unlock(&mm->lock);
}

void
pw_model_clear_violations(struct pw_model *m)
{
	unsigned int i;

	pthread_mutex_lock(&m->lock);
	for (i = 0; i < PW_VIOL_MAX; i++)
		__atomic_store_n(&m->nb_viol[i], 0, __ATOMIC_RELAXED);
	m->last_viol[0] = '\0';
	pthread_mutex_unlock(&m->lock);
}

uint64_t
pw_model_reg_writes(const struct pw_model *m)
{
	return __atomic_load_n(&m->reg_writes, __ATOMIC_RELAXED);
}

uint64_t
pw_model_reg_reads(const struct pw_model *m)
{
	return __atomic_load_n(&m->reg_reads, __ATOMIC_RELAXED);
}

/* --- timers -------------------------------------------------------------------------------- */

void
pw_timer_set(struct pw_model *m, unsigned int id, uint64_t at)
{
	uint64_t min = PW_TIMER_OFF;
	unsigned int i;

	m->timer[id] = at;
	for (i = 0; i < PW_TIMERS; i++)
		if (m->timer[i] < min)
			min = m->timer[i];
	__atomic_store_n(&m->deadline, min, __ATOMIC_RELAXED);
}

static void
timers_run_due(struct pw_model *m, uint64_t now)
{
	while (m->deadline <= now) {
		unsigned int id = 0;

		while (m->timer[id] != m->deadline)
			id++;
		/* Each timer sees its own time, also when the clock took a long step. */
		m->timer_now = m->timer[id];
		pw_timer_set(m, id, PW_TIMER_OFF);
		m->chip->ops->timer(m, id);
	}
	m->timer_now = 0;
}

void
pw_timers_run(struct pw_model *m)
{
	if (PW_UNLIKELY(m->deadline != PW_TIMER_OFF))
		timers_run_due(m, pw_clock_now(m->clock));
}

uint64_t
pw_model_deadline(const struct pw_model *m)
{
	return __atomic_load_n(&m->deadline, __ATOMIC_RELAXED);
}

/* --- asynchronous mode --------------------------------------------------------------------- */

bool
pw_model_defer(struct pw_model *m)
{
	if (PW_LIKELY(!m->has_thread))
		return false;
	m->kicked = true;
	pthread_cond_signal(&m->wake);
	return true;
}

static unsigned int
model_poll(struct pw_model *m)
{
	if (PW_UNLIKELY(m->fault[PW_FAULT_REMOVED] != 0))
		return 0;
	pw_timers_run(m);
	return m->chip->ops->poll(m);
}

static void *
model_thread(void *arg)
{
	struct pw_model *m = arg;

	pthread_mutex_lock(&m->lock);
	while (!m->stop) {
		struct timespec until;

		m->kicked = false;
		if (model_poll(m) > 0) {
			/* Let the host in. */
			pthread_mutex_unlock(&m->lock);
			pthread_mutex_lock(&m->lock);
			continue;
		}
		if (m->kicked || m->stop)
			continue;
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_nsec += ASYNC_IDLE_NS;
		if (until.tv_nsec >= 1000000000) {
			until.tv_nsec -= 1000000000;
			until.tv_sec++;
		}
		pthread_cond_timedwait(&m->wake, &m->lock, &until);
	}
	pthread_mutex_unlock(&m->lock);
	return NULL;
}

static int
model_start_thread(struct pw_model *m)
{
	int ret;

	pthread_mutex_lock(&m->lock);
	ret = pthread_create(&m->thread, NULL, model_thread, m);
	m->has_thread = ret == 0;
	pthread_mutex_unlock(&m->lock);
	return -ret;
}

static void
model_stop_thread(struct pw_model *m)
{
	if (!m->has_thread)
		return;
	pthread_mutex_lock(&m->lock);
	m->stop = true;
	pthread_cond_signal(&m->wake);
	pthread_mutex_unlock(&m->lock);
	pthread_join(m->thread, NULL);
	m->has_thread = false;
}

/* --- life ---------------------------------------------------------------------------------- */

/* Locally administered, and different for the ports of all processes of a machine. */
static void
model_make_mac(uint8_t *mac)
{
	static uint32_t made;
	uint32_t n = __atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
	uint32_t pid = (uint32_t)getpid();

	mac[0] = 0x02;
	mac[1] = 0x70;
	mac[2] = (uint8_t)(pid >> 16);
	mac[3] = (uint8_t)(pid >> 8);
	mac[4] = (uint8_t)pid;
	mac[5] = (uint8_t)n;
}

static void
model_reset(struct pw_model *m)
{
	unsigned int i;

	for (i = 0; i < PW_TIMERS; i++)
		m->timer[i] = PW_TIMER_OFF;
	m->deadline = PW_TIMER_OFF;
	pw_pci_irq(m, false);
	pw_pci_reset(m);
	m->chip->ops->reset(m);
}

static int
model_init_sync(struct pw_model *m)
{
	pthread_condattr_t attr;

	if (pthread_condattr_init(&attr) != 0)
		return -ENOMEM;
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	if (pthread_cond_init(&m->wake, &attr) != 0 || pthread_mutex_init(&m->lock, NULL) != 0) {
		pthread_condattr_destroy(&attr);
		return -ENOMEM;
	}
	pthread_condattr_destroy(&attr);
	return 0;
}

int
pw_model_create(const struct pw_model_opts *opts, struct pw_model **model)
{
	const struct pw_chip *chip = opts->chip == NULL ? NULL : chip_by_name(opts->chip);
	struct pw_model *m;
	int ret;

	if (chip == NULL)
		return -ENODEV;
	m = calloc(1, sizeof(*m));
	if (m == NULL)
		return -ENOMEM;
	ret = model_init_sync(m);
	if (ret != 0)
		goto err_model;
	m->chip = chip;
	m->opts = *opts;
	m->wire = opts->wire;
	m->clock = opts->clock == NULL ? &pw_clock_real : opts->clock;
	m->dma_gen = 1;
	if (opts->mac != NULL)
		memcpy(m->mac, opts->mac, sizeof(m->mac));
	else
		model_make_mac(m->mac);
	ret = -ENOMEM;
	m->priv = calloc(1, chip->ops->priv_size);
	if (m->priv == NULL)
		goto err_sync;
	ret = chip->ops->init(m);
	if (ret != 0)
		goto err_priv;
	model_reset(m);
	if (opts->async) {
		ret = model_start_thread(m);
		if (ret != 0)
			goto err_chip;
	}
	*model = m;
	return 0;

err_chip:
	chip->ops->fini(m);
err_priv:
	free(m->priv);
err_sync:
	pthread_mutex_destroy(&m->lock);
	pthread_cond_destroy(&m->wake);
err_model:
	free(m);
	return ret;
}

void
pw_model_destroy(struct pw_model *m)
{
	if (m == NULL)
		return;
	model_stop_thread(m);
	m->chip->ops->fini(m);
	free(m->priv);
	pthread_mutex_destroy(&m->lock);
	pthread_cond_destroy(&m->wake);
	free(m->map);
	free(m);
}

const struct pw_model_info *
pw_model_info(const struct pw_model *m)
{
	return &m->chip->info;
}

void
pw_model_reset(struct pw_model *m)
{
	pthread_mutex_lock(&m->lock);
	model_reset(m);
	pthread_mutex_unlock(&m->lock);
}

/* --- the bus ------------------------------------------------------------------------------- */

/* Whether the access reaches the chip; records what no bus would carry. */
static bool
bar_answers(struct pw_model *m, unsigned int bar, uint32_t off, unsigned int width,
	    const char *dir)
{
	const struct pw_model_bar *b;

	if (m->fault[PW_FAULT_REMOVED] != 0)
		return false;
	b = bar < PW_MODEL_BARS ? &m->chip->info.bar[bar] : NULL;
	if (b == NULL || b->kind == PW_BAR_NONE || off >= b->size || width > b->size - off) {
		pw_violate(m, PW_VIOL_REG_UNDEFINED, "%s BAR%u+0x%x: outside the BAR", dir, bar,
			   off);
		return false;
	}
	if ((width != 1 && width != 2 && width != 4) || (off & (width - 1)) != 0) {
		pw_violate(m, PW_VIOL_REG_WIDTH, "%s BAR%u+0x%x: %u bytes, misaligned", dir, bar,
			   off, width);
		return false;
	}
	return pw_pci_decodes(m, bar);
}

uint32_t
pw_model_bar_read(struct pw_model *m, unsigned int bar, uint32_t off, unsigned int width)
{
	uint32_t val = pw_ones(width);

	pthread_mutex_lock(&m->lock);
	__atomic_store_n(&m->reg_reads, m->reg_reads + 1, __ATOMIC_RELAXED);
	if (PW_LIKELY(bar_answers(m, bar, off, width, "read of"))) {
		pw_timers_run(m);
		val = m->chip->ops->bar_read(m, bar, off, width);
	}
	if (PW_UNLIKELY(m->opts.trace != NULL))
		pw_trace(m, "rd BAR%u+0x%05x %u = 0x%08x", bar, off, width, val);
	pthread_mutex_unlock(&m->lock);
	return val;
}

void
pw_model_bar_write(struct pw_model *m, unsigned int bar, uint32_t off, uint32_t val,
		   unsigned int width)
{
	pthread_mutex_lock(&m->lock);
	__atomic_store_n(&m->reg_writes, m->reg_writes + 1, __ATOMIC_RELAXED);
	if (PW_UNLIKELY(m->opts.trace != NULL))
		pw_trace(m, "wr BAR%u+0x%05x %u = 0x%08x", bar, off, width, val);
	if (PW_LIKELY(bar_answers(m, bar, off, width, "write of"))) {
		pw_timers_run(m);
		m->chip->ops->bar_write(m, bar, off, val, width);
	}
	pthread_mutex_unlock(&m->lock);
}

static bool
cfg_answers(struct pw_model *m, uint32_t off, unsigned int width)
{
	if (m->fault[PW_FAULT_REMOVED] != 0 || off >= m->chip->info.cfg_size)
		return false;
	if ((width != 1 && width != 2 && width != 4) || (off & (width - 1)) != 0) {
		pw_violate(m, PW_VIOL_REG_WIDTH, "configuration space 0x%x: %u bytes, misaligned",
			   off, width);
		return false;
	}
	return true;
}

uint32_t
pw_model_cfg_read(struct pw_model *m, uint32_t off, unsigned int width)
{
	uint32_t val = pw_ones(width);

	pthread_mutex_lock(&m->lock);
	if (cfg_answers(m, off, width))
		val = pw_pci_read(m, off, width);
	if (PW_UNLIKELY(m->opts.trace != NULL))
		pw_trace(m, "cfg rd 0x%03x %u = 0x%08x", off, width, val);
	pthread_mutex_unlock(&m->lock);
	return val;
}

void
pw_model_cfg_write(struct pw_model *m, uint32_t off, uint32_t val, unsigned int width)
{
	pthread_mutex_lock(&m->lock);
	if (PW_UNLIKELY(m->opts.trace != NULL))
		pw_trace(m, "cfg wr 0x%03x %u = 0x%08x", off, width, val);
	if (cfg_answers(m, off, width))
		pw_pci_write(m, off, val, width);
	pthread_mutex_unlock(&m->lock);
}

/* --- frames and faults --------------------------------------------------------------------- */

unsigned int
pw_model_poll(struct pw_model *m)
{
	unsigned int moved;

	pthread_mutex_lock(&m->lock);
	moved = model_poll(m);
	pthread_mutex_unlock(&m->lock);
	return moved;
}

int
pw_model_receive(struct pw_model *m, const void *frame, uint32_t len, uint32_t flags)
{
	int ret = -ENOBUFS;

	if (len == 0 || len > PW_WIRE_MAX_FRAME)
		return -EINVAL;
	pthread_mutex_lock(&m->lock);
	if (m->fault[PW_FAULT_REMOVED] == 0) {
		pw_timers_run(m);
		ret = m->chip->ops->receive(m, frame, len, flags);
	}
	pthread_mutex_unlock(&m->lock);
	return ret;
}

int
pw_model_fault(struct pw_model *m, enum pw_fault fault, uint32_t arg)
{
	if ((unsigned int)fault >= PW_FAULT_MAX)
		return -EINVAL;
	pthread_mutex_lock(&m->lock);
	pw_timers_run(m);
	m->fault[fault] = arg;
	m->dma_gen++; /* windows were made under the old limits */
	pw_pci_update(m);
	if (m->chip->ops->fault != NULL)
		m->chip->ops->fault(m, fault);
	pthread_mutex_unlock(&m->lock);
	return 0;
}
