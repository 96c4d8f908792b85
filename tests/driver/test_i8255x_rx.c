/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* i8255x: receive, on the models of 82557, 82558, 82559 and 82551. */

#include "fixture.h"

#include "../../drivers/net/i8255x/i8255x.h"

#define BURST 32
#define IPV4_UDP(bytes) (&(struct fx_spec){ .l3 = FX_IPV4, .l4 = FX_UDP, .payload = (bytes) })
#define L4_CSUM (RTE_ETH_RX_OFFLOAD_UDP_CKSUM | RTE_ETH_RX_OFFLOAD_TCP_CKSUM)
#define CSUM_FLAGS (RTE_MBUF_F_RX_IP_CKSUM_MASK | RTE_MBUF_F_RX_L4_CKSUM_MASK)
/* The chip stops before the stop, which is one before the last (§5.4). */
#define USABLE(size) ((size) - 2u)

static struct i8255x_rxq *
rxq_of(const struct fx_port *p)
{
	return rte_eth_devices[p->id].data->rx_queues[0];
}

static struct i8255x_adapter *
adapter_of(const struct fx_port *p)
{
	return i8255x_adapter_of(&rte_eth_devices[p->id]);
}

/* The RFD of the slot that a counter value stands for, where the manual has it. */
static volatile struct i8255x_rfd *
rfd_of(const struct fx_port *p, uint32_t count)
{
	const struct i8255x_rxq *rxq = rxq_of(p);
	struct rte_mbuf *m = rxq->q.bufs.slot[count & rxq->q.ring.mask];

	return (volatile struct i8255x_rfd *)((char *)m->buf_addr + RTE_PKTMBUF_HEADROOM -
		(strcmp(fx_chip, "82551") == 0 ? 32 : 16));
}

static bool
is_82557(void)
{
	return strcmp(fx_chip, "82557b") == 0;
}

/* Offloads that make for the full path on this chip; 0 if it has none. */
static uint64_t
full_offloads(void)
{
	return is_82557() || strcmp(fx_chip, "82558b") == 0 ? 0 : L4_CSUM;
}

/* Frame number `i` of a series: its length and contents tell it from the others. */
static void
series(struct fx_frame *f, uint32_t i)
{
	fx_frame_build(f, IPV4_UDP(18 + i * 7 % 1400));
	memcpy(f->data + 6, &i, sizeof(i));
}

static void
inject_series(struct fx_port *p, uint32_t first, uint32_t n)
{
	static struct fx_frame f;

	for (uint32_t i = first; i < first + n; i++) {
		series(&f, i);
		fx_inject(p, &f);
	}
}

static void
expect_series(struct rte_mbuf **m, uint32_t first, uint32_t n)
{
	static struct fx_frame f;

	for (uint32_t i = 0; i < n; i++) {
		series(&f, first + i);
		fx_expect_mbuf(m[i], &f);
	}
}

static void
pass_series(struct fx_port *p, uint32_t first, uint32_t n)
{
	struct rte_mbuf *m[BURST];

	for (uint32_t i = 0; i < n; i += BURST) {
		uint16_t k = RTE_MIN(n - i, (uint32_t)BURST);

		inject_series(p, first + i, k);
		assert_int_equal(fx_rx(p, m, k), k);
		expect_series(m, first + i, k);
	}
}

static struct rte_mbuf *
pass_one(struct fx_port *p, const struct fx_frame *f)
{
	struct rte_mbuf *m;

	fx_inject(p, f);
	assert_int_equal(fx_rx(p, &m, 1), 1);
	return m;
}

static void
expect_none(struct fx_port *p)
{
	struct rte_mbuf *m;

	assert_int_equal(fx_rx(p, &m, 1), 0);
}

/* The list ends at one RFD, the one before the last: EL and no room; every other one has room. */
static void
expect_one_stop(struct fx_port *p)
{
	const struct pw_ring *r = &rxq_of(p)->q.ring;

	for (uint32_t i = r->cons; i != r->prod; i++) {
		volatile struct i8255x_rfd *rfd = rfd_of(p, i);
		bool stop = i == r->prod - 2;

		assert_int_equal(rfd->cmd, stop ? I8255X_RFD_EL : 0);
		assert_int_equal(rfd->size, stop ? 0 : rxq_of(p)->size);
		if (stop)
			assert_int_equal(rfd->status, 0);
		if (i != r->prod - 1) {
			struct rte_mbuf *next = rxq_of(p)->q.bufs.slot[(i + 1) & r->mask];

			assert_int_equal(rfd->link, (uint32_t)(rte_mbuf_data_iova_default(next) +
				adapter_of(p)->dma.offset - rxq_of(p)->rfd_len));
		}
	}
}

/* --- both paths deliver -------------------------------------------------------------------- */

static void
test_offloads_choose_the_path(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_burst_mode mode;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_rx_burst_mode_get(p->id, 0, &mode), 0);
	assert_string_equal(mode.info, "Plain");
	pass_series(p, 0, 100);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	if (full_offloads() == 0)
		return;
	fx_start(p, &(struct fx_conf){ .eth.rxmode.offloads = full_offloads() });
	assert_int_equal(rte_eth_rx_burst_mode_get(p->id, 0, &mode), 0);
	assert_string_equal(mode.info, "Offloads");
	pass_series(p, 0, 100);
}

static void
every_length(struct fx_port *p, uint64_t offloads)
{
	uint32_t most = is_82557() ? 1514 : 1518;
	static struct fx_frame f;

	fx_start(p, &(struct fx_conf){ .eth.rxmode.offloads = offloads });
	for (uint32_t len = 60; len <= most; len++) {
		fx_frame_build(&f, &(struct fx_spec){ .payload = len - 14, .seed = len });
		fx_expect_mbuf(pass_one(p, &f), &f);
	}
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
}

static void
test_frames_of_every_length(void **state)
{
	every_length(*state, 0);
	every_length(*state, full_offloads());
}

static void
test_ring_wraps_at_every_size(void **state)
{
	static const uint16_t size[] = { 32, 64, 128, 512, 1024 };
	struct fx_port *p = *state;

	for (unsigned int i = 0; i < 2 * RTE_DIM(size); i++) {
		uint16_t n = size[i / 2];

		fx_start(p, &(struct fx_conf){ .nb_rxd = n,
			.eth.rxmode.offloads = i & 1 ? full_offloads() : 0 });
		/* A ring of 32 has room for 30. */
		for (uint32_t k = 0; k < 3u * n; k += 15) {
			pass_series(p, k, 15);
			expect_one_stop(p);
		}
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
	}
}

static void
test_any_free_threshold_keeps_the_list_alive(void **state)
{
	static const uint16_t thresh[] = { 1, 2, 5, 31, 33, 100, 255 };
	struct fx_port *p = *state;

	for (unsigned int i = 0; i < RTE_DIM(thresh); i++) {
		struct rte_eth_rxq_info info;

		fx_start(p, &(struct fx_conf){ .rx.rx_free_thresh = thresh[i] });
		assert_int_equal(rte_eth_rx_queue_info_get(p->id, 0, &info), 0);
		assert_int_equal(info.conf.rx_free_thresh, thresh[i]);
		pass_series(p, i, 1000);
		expect_one_stop(p);
		assert_int_equal(fx_xstat(p, "rx_unit_restarts"), 0);
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
	}
}

static void
test_counters_wrap_at_2_to_the_32(void **state)
{
	struct fx_port *p = *state;
	struct i8255x_rxq *rxq;

	fx_start(p, NULL);
	rxq = rxq_of(p);
	/* A multiple of the ring's size back: the same slots, two rounds before the wrap. */
	rxq->q.ring.prod -= 2 * FX_NB_DESC;
	rxq->q.ring.cons -= 2 * FX_NB_DESC;
	rxq->stop -= 2 * FX_NB_DESC;
	pass_series(p, 7, 1000);
	expect_one_stop(p);
	assert_int_equal(rxq->q.ring.cons, 1000 - 2 * FX_NB_DESC);
	assert_int_equal(fx_xstat(p, "rx_unit_restarts"), 0);
}

/* --- registers ----------------------------------------------------------------------------- */

static void
touches(struct fx_port *p, uint64_t offloads)
{
	struct rte_mbuf *m[BURST];
	static struct fx_frame f;

	fx_start(p, &(struct fx_conf){ .eth.rxmode.offloads = offloads });
	fx_frame_build(&f, IPV4_UDP(18));
	for (unsigned int i = 0; i < 100; i++) {
		uint64_t w, r;
		uint16_t n = 1 + i % BURST;

		for (unsigned int j = 0; j < n; j++)
			fx_inject(p, &f);
		w = pw_model_reg_writes(p->model);
		r = pw_model_reg_reads(p->model);
		assert_int_equal(rte_eth_rx_burst(p->id, 0, m, BURST), n);
		assert_int_equal(pw_model_reg_writes(p->model), w);
		assert_int_equal(pw_model_reg_reads(p->model), r);
		rte_pktmbuf_free_bulk(m, n);
	}
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
}

static void
test_bursts_touch_no_register(void **state)
{
	touches(*state, 0);
	touches(*state, full_offloads());
}

/* Before the first refill nothing is marked but the stop: no poll before it looks. */
static void
test_idle_polls_touch_no_register(void **state)
{
	struct fx_port *p = *state;
	struct rte_mbuf *m[BURST];
	uint64_t w, r;

	fx_start(p, NULL);
	w = pw_model_reg_writes(p->model);
	r = pw_model_reg_reads(p->model);
	for (unsigned int i = 0; i < 1000; i++)
		assert_int_equal(rte_eth_rx_burst(p->id, 0, m, BURST), 0);
	assert_int_equal(pw_model_reg_writes(p->model), w);
	assert_int_equal(pw_model_reg_reads(p->model), r);
}

/* At a place where the chip may have stopped: two reads in 64 polls, and never a write. */
static void
test_idle_polls_at_a_former_stop_look_now_and_then(void **state)
{
	struct fx_port *p = *state;
	struct rte_mbuf *m[BURST];
	uint64_t w, r;

	fx_start(p, NULL);
	/* The first stop was slot 254. */
	pass_series(p, 0, FX_NB_DESC - 2);
	w = pw_model_reg_writes(p->model);
	r = pw_model_reg_reads(p->model);
	for (unsigned int i = 0; i < 640; i++)
		assert_int_equal(rte_eth_rx_burst(p->id, 0, m, BURST), 0);
	assert_int_equal(pw_model_reg_writes(p->model), w);
	assert_in_range(pw_model_reg_reads(p->model) - r, 18, 22);
	assert_int_equal(fx_xstat(p, "rx_unit_restarts"), 0);
	pass_series(p, 0, 100);
}

/* --- the stop ------------------------------------------------------------------------------ */

static void
stats_of(struct fx_port *p, struct rte_eth_stats *s)
{
	assert_int_equal(rte_eth_stats_get(p->id, s), 0);
}

/*
 * Nobody polls: the chip uses all buffers but two, stops, and writes neither. What it cannot
 * hold in its FIFO (558 and later: 3 KB) it counts.
 */
static void
test_chip_stops_at_the_stop_and_is_started_again(void **state)
{
	static struct rte_mbuf *m[2 * FX_NB_DESC];
	struct fx_port *p = *state;
	struct rte_eth_stats s;
	uint32_t n, lost = 20;

	fx_start(p, NULL);
	for (unsigned int round = 0; round < 3; round++) {
		uint32_t stop = rxq_of(p)->stop, ready = stop - rxq_of(p)->q.ring.cons;
		uint64_t missed;

		stats_of(p, &s);
		missed = s.imissed;
		inject_series(p, 0, ready + lost);
		pw_model_poll(p->model);
		assert_int_equal(rte_eth_rx_queue_count(p->id, 0), ready);
		assert_int_equal(rfd_of(p, stop)->status, 0);
		assert_int_equal(rfd_of(p, stop)->count, 0);
		assert_int_equal(rfd_of(p, stop)->cmd, I8255X_RFD_EL);
		assert_int_equal(rfd_of(p, stop + 1)->status, 0);
		n = fx_rx(p, m, RTE_DIM(m));
		stats_of(p, &s);
		assert_int_equal(n + s.imissed - missed, ready + lost);
		assert_true(is_82557() ? n == ready : n > ready);
		expect_series(m, 0, n);
		assert_int_equal(fx_xstat(p, "rx_unit_restarts"), round + 1);
		/* The cause has been taken back: nobody sleeps badly for it (§2.2). */
		assert_int_equal(pw_read8(adapter_of(p)->hw.io, I8255X_STAT_ACK) &
				 I8255X_ACK_RNR, 0);
		pass_series(p, round, 300);
		expect_one_stop(p);
	}
	assert_int_equal(fx_xstat(p, "rx_dropped_empty"), 0);
}

/*
 * The chip has seen EL, and stands; then the stop moves on (§7, RNR race). The slot it stands at
 * looks like any other.
 */
static void
test_stop_that_moved_too_late_is_noticed(void **state)
{
	static struct rte_mbuf *m[2 * FX_NB_DESC];
	struct fx_port *p = *state;
	uint32_t stop, n;

	fx_start(p, NULL);
	stop = rxq_of(p)->stop;
	inject_series(p, 0, USABLE(FX_NB_DESC) + 1);
	pw_model_poll(p->model);
	/* One burst refills: the stop is elsewhere, and the old one is open. */
	n = rte_eth_rx_burst(p->id, 0, m, 64);
	assert_int_equal(n, 64);
	assert_int_not_equal(rxq_of(p)->stop, stop);
	assert_int_equal(rfd_of(p, stop)->cmd, 0);
	n += fx_rx(p, m + n, RTE_DIM(m) - n);
	assert_int_equal(n, USABLE(FX_NB_DESC) + (is_82557() ? 0 : 1));
	expect_series(m, 0, n);
	assert_int_equal(fx_xstat(p, "rx_unit_restarts"), 1);
	pass_series(p, 0, 600);
	assert_int_equal(fx_xstat(p, "rx_unit_restarts"), 1);
}

/* QEMU's card completes the stop with a count of 0 (§1.3), and stops behind it. */
static void
test_stop_that_was_used_up_is_no_frame(void **state)
{
	static struct rte_mbuf *m[2 * FX_NB_DESC];
	static const uint64_t paths = 2;
	struct fx_port *p = *state;

	for (unsigned int i = 0; i < paths; i++) {
		volatile struct i8255x_rfd *rfd;
		uint64_t empty, restarts;
		uint32_t n;

		fx_start(p, &(struct fx_conf){
			.eth.rxmode.offloads = i & 1 ? full_offloads() : 0 });
		empty = fx_xstat(p, "rx_dropped_empty");
		restarts = fx_xstat(p, "rx_unit_restarts");
		inject_series(p, 0, USABLE(FX_NB_DESC) + 1);
		pw_model_poll(p->model);
		rfd = rfd_of(p, rxq_of(p)->stop);
		rfd->count = 0;
		rfd->status = I8255X_RFD_C | I8255X_RFD_OK;
		n = fx_rx(p, m, RTE_DIM(m));
		assert_int_equal(n, USABLE(FX_NB_DESC) + (is_82557() ? 0 : 1));
		expect_series(m, 0, n);
		assert_int_equal(fx_xstat(p, "rx_dropped_empty"), empty + 1);
		assert_int_equal(fx_xstat(p, "rx_unit_restarts"), restarts + 1);
		pass_series(p, i, 600);
		expect_one_stop(p);
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
	}
}

/* Who gives a command meanwhile is not disturbed: the unit is started by a later poll. */
static void
test_restart_waits_for_the_lock_and_the_command_byte(void **state)
{
	static struct rte_mbuf *m[2 * FX_NB_DESC];
	struct fx_port *p = *state;
	struct i8255x_hw *hw;
	uint64_t w;
	uint32_t n = 0;

	fx_start(p, NULL);
	hw = &adapter_of(p)->hw;
	inject_series(p, 0, FX_NB_DESC + 10);
	pw_model_poll(p->model);
	rte_spinlock_lock(&hw->scb_lock);
	w = pw_model_reg_writes(p->model);
	for (unsigned int i = 0; i < 200; i++)
		n += rte_eth_rx_burst(p->id, 0, m + n, BURST);
	assert_int_equal(n, USABLE(FX_NB_DESC));
	assert_int_equal(pw_model_reg_writes(p->model), w);
	rte_spinlock_unlock(&hw->scb_lock);
	expect_series(m, 0, n);

	/* A command that is not taken yet. */
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_SLOW_CMD, 1000000), 0);
	rte_spinlock_lock(&hw->scb_lock);
	assert_int_equal(i8255x_command(hw, I8255X_CUC_RESUME, 0), 0);
	rte_spinlock_unlock(&hw->scb_lock);
	w = pw_model_reg_writes(p->model);
	for (unsigned int i = 0; i < 200; i++)
		assert_int_equal(rte_eth_rx_burst(p->id, 0, m, BURST), 0);
	assert_int_equal(pw_model_reg_writes(p->model), w);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_SLOW_CMD, 0), 0);
	fx_advance(p, 2000000);
	n = fx_rx(p, m, BURST);
	rte_pktmbuf_free_bulk(m, n);
	assert_int_equal(fx_xstat(p, "rx_unit_restarts"), 1);
	pass_series(p, 0, 300);
}

/* How often the port has sent this frame, whatever else it has: a full FIFO makes for PAUSE. */
static unsigned int
times_sent(struct fx_port *p, const struct fx_frame *f)
{
	static struct fx_frame got;
	unsigned int n = 0;

	while (fx_capture(p, &got))
		n += got.len == f->len && memcmp(got.data, f->data, f->len) == 0;
	return n;
}

/* A resume that follows must not be written over the start that has not been taken yet (§2.3). */
static void
test_transmit_right_after_a_restart_on_a_slow_chip(void **state)
{
	static struct rte_mbuf *m[2 * FX_NB_DESC];
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *out;
	uint32_t n;

	fx_start(p, NULL);
	series(&f, 5);
	for (unsigned int i = 0; i < 2; i++) {
		out = fx_mbuf(p->pool, &f, 0);
		fx_tx(p, &out, 1);
		fx_expect_sent(p, &f);
	}
	inject_series(p, 0, FX_NB_DESC + 10);
	pw_model_poll(p->model);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_SLOW_CMD, 1000000), 0);
	n = fx_rx(p, m, RTE_DIM(m));
	assert_int_equal(adapter_of(p)->sw.rx_restarts, 1);
	rte_pktmbuf_free_bulk(m, n);
	out = fx_mbuf(p->pool, &f, 0);
	fx_tx(p, &out, 1);
	assert_int_equal(times_sent(p, &f), 0);
	assert_int_equal(adapter_of(p)->sw.tx_owed, 1);
	assert_int_equal(pw_model_fault(p->model, PW_FAULT_SLOW_CMD, 0), 0);
	fx_advance(p, 2000000);
	fx_tx(p, &out, 0);
	assert_int_equal(times_sent(p, &f), 1);
	n = fx_rx(p, m, RTE_DIM(m));
	rte_pktmbuf_free_bulk(m, n);
	pass_series(p, 0, 300);
}

/* While the status byte is read, frames come, as many as there is room for, and the unit stops. */
static struct {
	struct fx_port *p;
	const struct pw_io *io;
	uint32_t frames;
	unsigned int lags;	/* reads of the status byte that show a state gone by */
} late;

static uint32_t
late_read(const struct pw_io *io, uint32_t off, unsigned int width)
{
	(void)io;
	if (late.frames != 0) {
		inject_series(late.p, 0, late.frames);
		late.frames = 0;
		pw_model_poll(late.p->model);
	}
	if (late.lags != 0 && off == I8255X_STATUS) {
		late.lags--;
		return I8255X_STATUS_RUS_NO_RES;
	}
	return late.io->ops->read(late.io, off, width);
}

static const struct pw_io_ops late_ops;

/* The queue's registers by way of late_read(). */
static const struct pw_io *
late_io(struct fx_port *p)
{
	static const struct pw_io io = { .ops = &late_ops, .len = 64 };

	late.p = p;
	late.io = rxq_of(p)->io;
	return &io;
}

static void
late_write(const struct pw_io *io, uint32_t off, uint32_t val, unsigned int width)
{
	(void)io;
	late.io->ops->write(late.io, off, val, width);
}

static const struct pw_io_ops late_ops = { late_read, late_write };

static void
test_frames_that_come_during_the_look_are_not_overwritten(void **state)
{
	static struct rte_mbuf *m[2 * FX_NB_DESC];
	struct fx_port *p = *state;
	struct i8255x_rxq *rxq;
	uint32_t ready, n;
	uint64_t w;

	fx_start(p, NULL);
	/* The chip waits at a former stop, and so do we. */
	pass_series(p, 0, USABLE(FX_NB_DESC));
	rxq = rxq_of(p);
	ready = rxq->stop - rxq->q.ring.cons;
	rxq->io = late_io(p);
	late.frames = ready + 1;
	w = pw_model_reg_writes(p->model);
	assert_int_equal(rte_eth_rx_burst(p->id, 0, m, BURST), 0);
	assert_int_equal(late.frames, 0);
	assert_int_equal(pw_model_reg_writes(p->model), w);
	rxq->io = late.io;
	n = fx_rx(p, m, RTE_DIM(m));
	assert_int_equal(n, ready + (is_82557() ? 0 : 1));
	expect_series(m, 0, n);
	pass_series(p, 0, 600);
}

/* §2.1: the status byte lags. One look that shows no RNR is no reason to start a running unit. */
static void
test_status_that_lags_starts_nothing(void **state)
{
	struct rte_mbuf *m[BURST];
	struct fx_port *p = *state;
	uint64_t w;

	fx_start(p, NULL);
	pass_series(p, 0, USABLE(FX_NB_DESC));
	rxq_of(p)->io = late_io(p);
	w = pw_model_reg_writes(p->model);
	for (unsigned int i = 0; i < 5; i++) {
		late.lags = 1;
		for (unsigned int k = 0; k < 128; k++)
			assert_int_equal(rte_eth_rx_burst(p->id, 0, m, BURST), 0);
		assert_int_equal(late.lags, 0);
	}
	assert_int_equal(pw_model_reg_writes(p->model), w);
	rxq_of(p)->io = late.io;
	pass_series(p, 0, 300);
	assert_int_equal(fx_xstat(p, "rx_unit_restarts"), 0);
}

/* Somebody else has taken RNR back: the unit stands all the same. */
static void
test_unit_without_rnr_is_started_after_two_looks(void **state)
{
	static struct rte_mbuf *m[2 * FX_NB_DESC];
	struct fx_port *p = *state;
	uint32_t n = 0;

	fx_start(p, NULL);
	inject_series(p, 0, USABLE(FX_NB_DESC) + 1);
	pw_model_poll(p->model);
	pw_write8(adapter_of(p)->hw.io, I8255X_STAT_ACK, I8255X_ACK_RNR);
	for (unsigned int i = 0; i < 200; i++)
		n += rte_eth_rx_burst(p->id, 0, m + n, BURST);
	assert_int_equal(n, USABLE(FX_NB_DESC) + (is_82557() ? 0 : 1));
	expect_series(m, 0, n);
	assert_int_equal(fx_xstat(p, "rx_unit_restarts"), 1);
	pass_series(p, 0, 300);
}

/* --- errors -------------------------------------------------------------------------------- */

/* Frames that the chip throws away never come; those that come without OK are dropped. */
static void
bad_among_good(struct fx_port *p, uint64_t offloads)
{
	static const uint16_t errors[] = {
		I8255X_RFD_CRC, I8255X_RFD_ALIGN, I8255X_RFD_NO_SPACE, I8255X_RFD_OVERRUN,
		I8255X_RFD_SHORT, I8255X_RFD_RX_ER, 0,
	};
	struct rte_mbuf *m[BURST];
	struct rte_eth_stats before, s;
	uint64_t bad;

	fx_start(p, &(struct fx_conf){ .eth.rxmode.offloads = offloads });
	stats_of(p, &before);
	bad = fx_xstat(p, "rx_dropped_bad_frames");
	for (unsigned int i = 0; i < RTE_DIM(errors); i++) {
		volatile struct i8255x_rfd *rfd;

		inject_series(p, 3 * i, 3);
		pw_model_poll(p->model);
		rfd = rfd_of(p, rxq_of(p)->q.ring.cons + 1);
		rfd->status = (rfd->status & ~I8255X_RFD_OK) | errors[i];
		assert_int_equal(fx_rx(p, m, BURST), 2);
		expect_series(&m[0], 3 * i, 1);
		expect_series(&m[1], 3 * i + 2, 1);
	}
	assert_int_equal(fx_xstat(p, "rx_dropped_bad_frames") - bad, RTE_DIM(errors));
	stats_of(p, &s);
	assert_int_equal(s.ipackets - before.ipackets, 2 * RTE_DIM(errors));
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
}

static void
test_frames_without_ok_are_dropped_and_counted(void **state)
{
	bad_among_good(*state, 0);
	bad_among_good(*state, full_offloads());
}

static void
test_bad_crc_is_counted_and_not_delivered(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_stats s;
	static struct fx_frame f;

	fx_start(p, NULL);
	fx_frame_build(&f, IPV4_UDP(100));
	fx_inject_flags(p, &f, PW_FRAME_BAD_CRC);
	expect_none(p);
	pass_series(p, 0, 3);
	stats_of(p, &s);
	assert_int_equal(s.ierrors, 1);
	assert_int_equal(s.ipackets, 3);
}

/* 558 and later take frames as long as they come once they take tagged ones (§3.2, byte 18). */
static void
test_frames_above_1518_bytes_are_dropped(void **state)
{
	static const uint32_t len[] = { 1519, 1520, 1600, 2000 };
	struct fx_port *p = *state;
	static struct fx_frame f;

	for (unsigned int path = 0; path < 2; path++) {
		uint64_t before;

		fx_start(p, &(struct fx_conf){
			.eth.rxmode.offloads = path ? full_offloads() : 0 });
		before = fx_xstat(p, "rx_dropped_above_mtu");
		for (unsigned int i = 0; i < RTE_DIM(len); i++) {
			fx_frame_build(&f, &(struct fx_spec){ .payload = len[i] - 14 });
			fx_inject(p, &f);
			pass_series(p, i, 2);
		}
		assert_int_equal(fx_xstat(p, "rx_dropped_above_mtu") - before,
				 is_82557() ? 0 : RTE_DIM(len));
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
	}
}

/* --- no buffers ---------------------------------------------------------------------------- */

/* Every buffer the pool has but `keep` is taken away. */
static unsigned int
hoard(struct fx_port *p, struct rte_mbuf **m, unsigned int keep)
{
	unsigned int n = rte_mempool_avail_count(p->pool) - keep;

	assert_int_equal(rte_pktmbuf_alloc_bulk(p->pool, m, n), 0);
	return n;
}

static void
starve(struct fx_port *p, unsigned int keep)
{
	static struct rte_mbuf *held[FX_POOL_MBUFS], *m[4 * FX_NB_DESC];
	unsigned int n = hoard(p, held, keep), got;
	uint64_t nombuf = fx_xstat(p, "rx_mbuf_alloc_failed");
	uint32_t ready = rxq_of(p)->stop - rxq_of(p)->q.ring.cons;

	inject_series(p, 0, 2 * FX_NB_DESC);
	got = fx_rx(p, m, RTE_DIM(m));
	/* What had a buffer came, and what the FIFO held for the few that were left. */
	assert_in_range(got, ready + (keep > 0 && !is_82557()), ready + keep);
	if (keep == 0) {
		/* There is nothing that a unit could be started with. */
		uint64_t restarts = fx_xstat(p, "rx_unit_restarts");

		for (unsigned int i = 0; i < 1000; i++)
			expect_none(p);
		assert_int_equal(fx_xstat(p, "rx_unit_restarts"), restarts);
	}
	expect_series(m, 0, ready);
	assert_true(fx_xstat(p, "rx_mbuf_alloc_failed") > nombuf);
	rte_pktmbuf_free_bulk(m + ready, got - ready);
	rte_pktmbuf_free_bulk(held, n);
	/* What the FIFO holds is none of our business here. */
	got = fx_rx(p, m, RTE_DIM(m));
	rte_pktmbuf_free_bulk(m, got);
	pass_series(p, 0, 300);
	expect_one_stop(p);
}

static void
test_without_mbufs_the_list_drains_and_recovers(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	starve(p, 0);
	starve(p, 0);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	fx_start(p, &(struct fx_conf){ .eth.rxmode.offloads = full_offloads() });
	starve(p, 0);
}

/* Fewer mbufs are left than a refill takes at once: they must be used all the same. */
static void
test_a_few_mbufs_left_are_used(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	for (unsigned int keep = 1; keep < 8; keep++)
		starve(p, keep);
}

static void
test_pool_too_small_for_the_ring_is_refused(void **state)
{
	static struct rte_mbuf *held[FX_POOL_MBUFS];
	struct fx_port *p = *state;
	unsigned int n;

	fx_configure(p, NULL);
	n = hoard(p, held, FX_NB_DESC - 1);
	log_capture_start();
	assert_int_equal(rte_eth_dev_start(p->id), -ENOMEM);
	log_capture_expect("make it larger or ask for fewer");
	rte_pktmbuf_free_bulk(held, n);
	assert_int_equal(rte_mempool_in_use_count(p->pool), 0);
	assert_int_equal(rte_eth_dev_start(p->id), 0);
	pass_series(p, 0, 20);
}

/* Buffers for an RFD and a frame and not a byte more; one more, which makes the room odd. */
static void
test_smallest_buffers_that_do(void **state)
{
	static const uint16_t room[] = { 1518, 1519, 1700 };
	struct fx_port *p = *state;

	for (unsigned int i = 0; i < RTE_DIM(room); i++) {
		struct rte_mempool *mp = rte_pktmbuf_pool_create("rxsmall", 511, 0, 0,
			RTE_PKTMBUF_HEADROOM + room[i], SOCKET_ID_ANY);
		static struct fx_frame f;

		assert_non_null(mp);
		fx_start(p, &(struct fx_conf){ .pool = mp });
		assert_int_equal(rxq_of(p)->size, room[i] & ~1);
		fx_frame_build(&f, &(struct fx_spec){ .payload = 1500 });
		fx_expect_mbuf(pass_one(p, &f), &f);
		pass_series(p, 0, 400);
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
		assert_int_equal(rte_mempool_in_use_count(mp), 0);
		fx_configure(p, NULL);
		rte_mempool_free(mp);
	}
}

/* --- ring status, queue start and stop ------------------------------------------------------ */

static void
test_descriptor_status_and_count(void **state)
{
	struct fx_port *p = *state;
	static struct rte_mbuf *m[FX_NB_DESC];

	fx_start(p, NULL);
	assert_int_equal(rte_eth_rx_queue_count(p->id, 0), 0);
	assert_int_equal(rte_eth_rx_descriptor_status(p->id, 0, 0), RTE_ETH_RX_DESC_AVAIL);
	assert_int_equal(rte_eth_rx_descriptor_status(p->id, 0, FX_NB_DESC), -EINVAL);
	inject_series(p, 0, 10);
	pw_model_poll(p->model);
	assert_int_equal(rte_eth_rx_queue_count(p->id, 0), 10);
	assert_int_equal(rte_eth_rx_descriptor_status(p->id, 0, 9), RTE_ETH_RX_DESC_DONE);
	assert_int_equal(rte_eth_rx_descriptor_status(p->id, 0, 10), RTE_ETH_RX_DESC_AVAIL);
	assert_int_equal(rte_eth_rx_burst(p->id, 0, m, 10), 10);
	expect_series(m, 0, 10);
	/* Ten slots wait for a refill of 32. */
	assert_int_equal(rte_eth_rx_descriptor_status(p->id, 0, FX_NB_DESC - 10),
			 RTE_ETH_RX_DESC_UNAVAIL);
	assert_int_equal(rte_eth_rx_descriptor_status(p->id, 0, FX_NB_DESC - 11),
			 RTE_ETH_RX_DESC_AVAIL);
	/* Frames that are ready on both sides of the ring's end. */
	pass_series(p, 10, FX_NB_DESC - 16);
	inject_series(p, 0, 20);
	pw_model_poll(p->model);
	assert_int_equal(rte_eth_rx_queue_count(p->id, 0), 20);
	assert_int_equal(fx_rx(p, m, 20), 20);
	expect_series(m, 0, 20);
}

static void
test_queue_stopped_and_started_while_running(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	for (unsigned int i = 0; i < 3; i++) {
		pass_series(p, i, 100);
		inject_series(p, 0, 20);
		pw_model_poll(p->model);
		assert_int_equal(rte_eth_dev_rx_queue_stop(p->id, 0), 0);
		assert_int_equal(rte_mempool_in_use_count(p->pool), 0);
		expect_none(p);
		assert_int_equal(rte_eth_rx_queue_count(p->id, 0), 0);
		assert_int_equal(rte_eth_dev_rx_queue_start(p->id, 0), 0);
	}
	pass_series(p, 0, 100);
}

static void
test_queue_left_out_at_start(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_rxq_info info;

	fx_start(p, &(struct fx_conf){ .rx.rx_deferred_start = 1 });
	assert_int_equal(rte_eth_rx_queue_info_get(p->id, 0, &info), 0);
	assert_int_equal(info.queue_state, RTE_ETH_QUEUE_STATE_STOPPED);
	inject_series(p, 0, 3);
	expect_none(p);
	assert_int_equal(rte_eth_dev_rx_queue_start(p->id, 0), 0);
	assert_int_equal(rte_eth_rx_queue_info_get(p->id, 0, &info), 0);
	assert_int_equal(info.queue_state, RTE_ETH_QUEUE_STATE_STARTED);
	for (struct rte_mbuf *m; fx_rx(p, &m, 1) != 0;)
		rte_pktmbuf_free(m);
	pass_series(p, 0, 300);
}

static void
test_stop_and_start_with_frames_in_the_list(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	for (unsigned int round = 0; round < 3; round++) {
		inject_series(p, 0, 50);
		pw_model_poll(p->model);
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
		assert_int_equal(rte_mempool_in_use_count(p->pool), 0);
		assert_int_equal(rte_eth_dev_start(p->id), 0);
		pass_series(p, round, 100);
	}
}

/* --- keep-CRC ------------------------------------------------------------------------------ */

/* IEEE 802.3 §3.2.9: bit by bit, the polynomial reversed; sent low byte first. */
static void
with_crc(struct fx_frame *f)
{
	uint32_t crc = UINT32_MAX;

	for (uint32_t i = 0; i < f->len; i++) {
		crc ^= f->data[i];
		for (unsigned int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	crc = ~crc;
	for (unsigned int i = 0; i < 4; i++)
		f->data[f->len++] = (uint8_t)(crc >> 8 * i);
}

static void
test_crc_is_kept_on_request(void **state)
{
	static const uint32_t len[] = { 60, 61, 100, 1513, 1514, 1517, 1518 };
	struct fx_port *p = *state;
	static struct fx_frame f;

	for (unsigned int i = 0; i < 2; i++) {
		fx_start(p, &(struct fx_conf){ .eth.rxmode.offloads =
			RTE_ETH_RX_OFFLOAD_KEEP_CRC | (i & 1 ? full_offloads() : 0) });
		for (unsigned int k = 0; k < RTE_DIM(len); k++) {
			struct rte_mbuf *m;

			if (is_82557() && len[k] > 1514)
				break;
			fx_frame_build(&f, &(struct fx_spec){ .l3 = FX_IPV4, .l4 = FX_TCP,
				.payload = len[k] < 100 ? 2 + k : len[k] - 54 });
			m = pass_one(p, &f);
			if (i & 1)
				assert_int_equal(m->ol_flags & RTE_MBUF_F_RX_L4_CKSUM_MASK,
						 full_offloads() != 0 ?
						 RTE_MBUF_F_RX_L4_CKSUM_GOOD : 0);
			with_crc(&f);
			fx_expect_mbuf(m, &f);
		}
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
	}
	/* And not without. */
	fx_start(p, NULL);
	pass_series(p, 0, 10);
}

/* --- checksums ----------------------------------------------------------------------------- */

struct verdict {
	struct fx_spec spec;
	uint64_t ext;	/* 82551 */
	uint64_t raw;	/* 82559, which sums and does not judge */
};

#define IP_GOOD RTE_MBUF_F_RX_IP_CKSUM_GOOD
#define IP_BAD RTE_MBUF_F_RX_IP_CKSUM_BAD
#define L4_GOOD RTE_MBUF_F_RX_L4_CKSUM_GOOD
#define L4_BAD RTE_MBUF_F_RX_L4_CKSUM_BAD

static const struct verdict verdicts[] = {
	{ { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100 }, IP_GOOD | L4_GOOD, L4_GOOD },
	{ { .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 101 }, IP_GOOD | L4_GOOD, L4_GOOD },
	{ { .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 1460 }, IP_GOOD | L4_GOOD, L4_GOOD },
	{ { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 99, .bad_l4_csum = true },
	  IP_GOOD | L4_BAD, L4_BAD },
	{ { .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 100, .bad_l4_csum = true },
	  IP_GOOD | L4_BAD, L4_BAD },
	/* Padding, which was summed too, beginning at an even or an odd byte. */
	{ { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 2 }, IP_GOOD | L4_GOOD, L4_GOOD },
	{ { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 3 }, IP_GOOD | L4_GOOD, L4_GOOD },
	{ { .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 1, .bad_l4_csum = true },
	  IP_GOOD | L4_BAD, L4_BAD },
	/* A header whose sum is wrong is no word on what is behind it. */
	{ { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100, .bad_ip_csum = true },
	  IP_BAD | L4_GOOD, L4_GOOD },
	{ { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100, .no_udp_csum = true }, IP_GOOD, 0 },
	{ { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100, .fragment = true }, IP_GOOD, 0 },
	{ { .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 100, .ip_opts = 12 }, IP_GOOD | L4_GOOD, 0 },
	{ { .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 100, .vlan = 0x123 },
	  IP_GOOD | L4_GOOD, L4_GOOD },
	{ { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 3, .vlan = 0x6005 },
	  IP_GOOD | L4_GOOD, L4_GOOD },
	{ { .l3 = FX_IPV4, .payload = 100 }, IP_GOOD, 0 },
	{ { .l3 = FX_IPV6, .l4 = FX_TCP, .payload = 100 }, 0, 0 },
	{ { .l3 = FX_RAW, .payload = 100 }, 0, 0 },
};

static void
test_checksum_verdicts(void **state)
{
	bool ext = strcmp(fx_chip, "82551") == 0;
	struct fx_port *p = *state;
	static struct fx_frame f;

	if (full_offloads() == 0) {
		print_message("%s has no receive checksum\n", fx_chip);
		skip();
	}
	fx_start(p, &(struct fx_conf){ .eth.rxmode.offloads = full_offloads() |
		(ext ? RTE_ETH_RX_OFFLOAD_IPV4_CKSUM : 0) });
	for (unsigned int i = 0; i < RTE_DIM(verdicts); i++) {
		const struct verdict *v = &verdicts[i];
		struct rte_mbuf *m;

		fx_frame_build(&f, &v->spec);
		m = pass_one(p, &f);
		if ((m->ol_flags & CSUM_FLAGS) != (ext ? v->ext : v->raw))
			fail_msg("row %u: flags 0x%" PRIx64, i,
				 (uint64_t)(m->ol_flags & CSUM_FLAGS));
		fx_expect_mbuf(m, &f);
	}
}

/* Every single bit that flips behind the IP header must be noticed (RFC 1071). */
static void
test_raw_sum_finds_every_flipped_bit(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;

	if (strcmp(fx_chip, "82559c") != 0) {
		print_message("%s does not hand up a raw sum\n", fx_chip);
		skip();
	}
	fx_start(p, &(struct fx_conf){ .eth.rxmode.offloads = L4_CSUM });
	fx_frame_build(&f, &(struct fx_spec){ .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 33 });
	for (uint32_t bit = 34 * 8; bit < f.len * 8; bit++) {
		struct rte_mbuf *m;

		f.data[bit / 8] ^= 1 << bit % 8;
		m = pass_one(p, &f);
		assert_int_equal(m->ol_flags & CSUM_FLAGS, L4_BAD);
		fx_expect_mbuf(m, &f);
		f.data[bit / 8] ^= 1 << bit % 8;
	}
}

/* RFC 894 asks for zeros as padding; who sends something else must not look like a fraud. */
static void
test_padding_of_any_bytes_is_no_part_of_the_sum(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;

	if (full_offloads() == 0) {
		print_message("%s has no receive checksum\n", fx_chip);
		skip();
	}
	fx_start(p, &(struct fx_conf){ .eth.rxmode.offloads = L4_CSUM });
	for (uint32_t payload = 0; payload < 18; payload++) {
		struct rte_mbuf *m;

		fx_frame_build(&f, IPV4_UDP(payload));
		assert_int_equal(f.len, 60);
		for (uint32_t i = 42 + payload; i < 60; i++)
			f.data[i] = 0xa5 + i;
		m = pass_one(p, &f);
		assert_int_equal(m->ol_flags & RTE_MBUF_F_RX_L4_CKSUM_MASK, L4_GOOD);
		fx_expect_mbuf(m, &f);
	}
}

static void
test_types_are_what_the_parser_has_proven(void **state)
{
	static const struct {
		struct fx_spec spec;
		uint32_t type;
	} t[] = {
		{ { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100 },
		  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_L4_UDP },
		{ { .l3 = FX_IPV4, .l4 = FX_TCP, .payload = 100 },
		  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4_EXT_UNKNOWN | RTE_PTYPE_L4_TCP },
		{ { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100, .fragment = true },
		  RTE_PTYPE_L2_ETHER | RTE_PTYPE_L3_IPV4_EXT_UNKNOWN },
		{ { .l3 = FX_IPV6, .l4 = FX_UDP, .payload = 100 }, RTE_PTYPE_L2_ETHER },
		{ { .l3 = FX_RAW, .payload = 100 }, RTE_PTYPE_L2_ETHER },
	};
	struct fx_port *p = *state;
	static struct fx_frame f;
	uint32_t types[8];
	int n;

	fx_start(p, &(struct fx_conf){ .eth.rxmode.offloads = full_offloads() });
	n = rte_eth_dev_get_supported_ptypes(p->id, RTE_PTYPE_ALL_MASK, types, RTE_DIM(types));
	if (strcmp(fx_chip, "82551") != 0) {
		assert_int_equal(n, 0);
		return;
	}
	assert_int_equal(n, 4);
	for (unsigned int i = 0; i < RTE_DIM(t); i++) {
		struct rte_mbuf *m;

		fx_frame_build(&f, &t[i].spec);
		m = pass_one(p, &f);
		assert_int_equal(m->packet_type, t[i].type);
		fx_expect_mbuf(m, &f);
	}
}

/* --- VLAN ---------------------------------------------------------------------------------- */

static const struct fx_spec tagged = {
	.l3 = FX_IPV4, .l4 = FX_UDP, .payload = 60, .vlan = 0x6123,
};
static const struct fx_spec untagged = { .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 60 };

/* A tagged frame between two others. */
static void
expect_tag(struct fx_port *p, bool stripped)
{
	static struct fx_frame with, without;
	struct rte_mbuf *m[3];

	fx_frame_build(&with, &tagged);
	fx_frame_build(&without, &untagged);
	fx_inject(p, &without);
	fx_inject(p, &with);
	fx_inject(p, &without);
	assert_int_equal(fx_rx(p, m, 3), 3);
	assert_int_equal(m[0]->ol_flags & RTE_MBUF_F_RX_VLAN, 0);
	assert_int_equal(m[1]->ol_flags & (RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED),
			 stripped ? RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED : 0);
	if (stripped)
		assert_int_equal(m[1]->vlan_tci, tagged.vlan);
	assert_int_equal(m[2]->ol_flags & RTE_MBUF_F_RX_VLAN, 0);
	fx_expect_mbuf(m[0], &without);
	fx_expect_mbuf(m[1], stripped ? &without : &with);
	fx_expect_mbuf(m[2], &without);
}

static void
test_vlan_strip_switched_while_running(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	expect_tag(p, false);
	if (strcmp(fx_chip, "82551") != 0)
		return;
	for (unsigned int i = 0; i < 3; i++) {
		assert_int_equal(rte_eth_dev_set_vlan_offload(p->id, RTE_ETH_VLAN_STRIP_OFFLOAD),
				 0);
		expect_tag(p, true);
		assert_int_equal(rte_eth_dev_set_vlan_offload(p->id, 0), 0);
		expect_tag(p, false);
	}
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	fx_start(p, &(struct fx_conf){ .eth.rxmode.offloads = RTE_ETH_RX_OFFLOAD_VLAN_STRIP });
	expect_tag(p, true);
	assert_int_equal(rte_eth_dev_set_vlan_offload(p->id, 0), 0);
	expect_tag(p, false);
}

int
main(int argc, char **argv)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, fx_port_setup, fx_port_teardown)
	const struct CMUnitTest tests[] = {
		T(offloads_choose_the_path),
		T(frames_of_every_length),
		T(ring_wraps_at_every_size),
		T(any_free_threshold_keeps_the_list_alive),
		T(counters_wrap_at_2_to_the_32),
		T(bursts_touch_no_register),
		T(idle_polls_touch_no_register),
		T(idle_polls_at_a_former_stop_look_now_and_then),
		T(chip_stops_at_the_stop_and_is_started_again),
		T(stop_that_moved_too_late_is_noticed),
		T(stop_that_was_used_up_is_no_frame),
		T(restart_waits_for_the_lock_and_the_command_byte),
		T(transmit_right_after_a_restart_on_a_slow_chip),
		T(frames_that_come_during_the_look_are_not_overwritten),
		T(status_that_lags_starts_nothing),
		T(unit_without_rnr_is_started_after_two_looks),
		T(frames_without_ok_are_dropped_and_counted),
		T(bad_crc_is_counted_and_not_delivered),
		T(frames_above_1518_bytes_are_dropped),
		T(without_mbufs_the_list_drains_and_recovers),
		T(a_few_mbufs_left_are_used),
		T(pool_too_small_for_the_ring_is_refused),
		T(smallest_buffers_that_do),
		T(descriptor_status_and_count),
		T(queue_stopped_and_started_while_running),
		T(queue_left_out_at_start),
		T(stop_and_start_with_frames_in_the_list),
		T(crc_is_kept_on_request),
		T(checksum_verdicts),
		T(raw_sum_finds_every_flipped_bit),
		T(padding_of_any_bytes_is_no_part_of_the_sum),
		T(types_are_what_the_parser_has_proven),
		T(vlan_strip_switched_while_running),
	};

	fx_chip = argc > 1 ? argv[1] : "82559c";
	return cmocka_run_group_tests_name("i8255x_rx", tests, fx_setup, fx_teardown);
}
