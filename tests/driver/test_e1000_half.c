/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * e1000: half duplex on the 82547EI's model, whose Tx FIFO stalls for good when a packet reaches
 * too far past its end (§6). The FIFO has 40 - 22 = 18 KiB; a packet takes its bytes and 16 more,
 * rounded up to 16; it must not reach past the end by 992 bytes.
 */

#include "fixture.h"

#include "../../drivers/net/e1000/e1000.h"

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)
#define FRAMES 600u
#define BURST 8u

#define HALF_100 (RTE_ETH_LINK_SPEED_FIXED | RTE_ETH_LINK_SPEED_100M_HD)

static int
half_setup(void **state)
{
	static struct fx_port port;

	fx_open(&port, "82547ei", "pace=on");
	*state = &port;
	return 0;
}

static void
build(struct fx_frame *f, uint32_t n, uint32_t len)
{
	fx_frame_build(f, &(struct fx_spec){ .payload = len - RTE_ETHER_HDR_LEN, .seed = n });
}

/* Instead of a longest length: 1200 once, then 1500, which do not end where the FIFO does. */
#define LONG_ONES 0

/* Every length from 60 to `most` turns up sooner or later: 7919 is prime. */
static uint32_t
length(uint32_t n, uint32_t most)
{
	if (most == LONG_ONES)
		return n == 0 ? 1200 : 1500;
	return 60 + n * 7919u % (most - 59);
}

/* What the port has sent by now must be the frames from `n` on. @return the next one's number. */
static uint32_t
collect(struct fx_port *p, uint32_t n, uint32_t most)
{
	static struct fx_frame got, want;

	while (fx_capture(p, &got)) {
		build(&want, n, length(n, most));
		assert_int_equal(got.len, want.len);
		assert_memory_equal(got.data, want.data, want.len);
		n++;
	}
	return n;
}

struct outcome {
	uint32_t sent;		/* frames that arrived */
	uint32_t refused;	/* bursts of which some was not taken */
};

/* Frames of all lengths, in chains of `seg` bytes; ends when nothing has moved for 20 ms. */
static struct outcome
send_frames(struct fx_port *p, uint32_t from, uint32_t to, uint32_t most, uint16_t seg)
{
	struct outcome o = { .sent = from };
	struct rte_mbuf *m[BURST];
	static struct fx_frame f;
	uint32_t next = from, still = 0;

	while (o.sent < to && still < 20) {
		uint32_t n = RTE_MIN(BURST, to - next), before = o.sent, done;

		for (uint32_t i = 0; i < n; i++) {
			build(&f, next + i, length(next + i, most));
			m[i] = fx_mbuf(p->pool, &f, seg);
		}
		done = n == 0 ? 0 : rte_eth_tx_burst(p->id, 0, m, n);
		rte_pktmbuf_free_bulk(m + done, n - done);
		next += done;
		o.refused += done < n;
		fx_advance(p, 1 * MS);
		o.sent = collect(p, o.sent, most);
		still = o.sent == before && done == 0 ? still + 1 : 0;
	}
	return o;
}

static void
start(struct fx_port *p, uint32_t speeds, uint16_t mtu)
{
	fx_start(p, &(struct fx_conf){
		.eth.link_speeds = speeds,
		.eth.rxmode.offloads = RTE_ETH_RX_OFFLOAD_SCATTER,
		.eth.txmode.offloads = RTE_ETH_TX_OFFLOAD_MULTI_SEGS,
		.mtu = mtu,
	});
}

static void
expect_duplex(const struct fx_port *p, bool full)
{
	struct rte_eth_link link;

	assert_int_equal(rte_eth_link_get_nowait(p->id, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_UP);
	assert_int_equal(link.link_duplex, full);
}

static void
test_half_duplex_does_not_stall(void **state)
{
	struct fx_port *p = *state;
	struct outcome o;

	start(p, HALF_100, 0);
	expect_duplex(p, false);
	o = send_frames(p, 0, FRAMES, 1514, 0);
	assert_int_equal(o.sent, FRAMES);
	assert_true(o.refused > 0);
}

static void
test_half_duplex_does_not_stall_with_long_chains(void **state)
{
	struct fx_port *p = *state;
	struct outcome o;

	start(p, HALF_100, 9000);
	o = send_frames(p, 0, FRAMES / 4, 9014, 1000);
	assert_int_equal(o.sent, FRAMES / 4);
	assert_true(o.refused > 0);
}

/* Otherwise the two before would prove nothing. */
static void
test_a_burst_that_keeps_no_account_stalls(void **state)
{
	struct fx_port *p = *state;
	struct outcome o;

	start(p, HALF_100, 0);
	rte_eth_fp_ops[p->id].tx_pkt_burst = e1000_tx_burst_full;
	o = send_frames(p, 0, FRAMES, 1514, 0);
	assert_true(o.sent < FRAMES);
}

/* 18432 / (64 + 16) is no whole number: packets go across the end all the time. */
static void
test_short_frames_are_never_held_back(void **state)
{
	struct fx_port *p = *state;
	struct outcome o;

	start(p, HALF_100, 0);
	o = send_frames(p, 0, FRAMES, 61, 0);
	assert_int_equal(o.sent, FRAMES);
	assert_int_equal(o.refused, 0);
}

/* Full duplex leaves the FIFO's pointers anywhere; the account begins anew. */
static void
test_link_that_becomes_half_duplex_does_not_stall(void **state)
{
	struct fx_port *p = *state;
	struct outcome o;
	uint32_t ctrl;

	for (uint32_t first = 1; first < 25; first++) {
		start(p, RTE_ETH_LINK_SPEED_AUTONEG, 0);
		expect_duplex(p, true);
		o = send_frames(p, 0, first, 1514, 0);
		assert_int_equal(o.sent, first);
		/* The other end was unplugged, and a hub is there. */
		ctrl = pw_model_bar_read(p->model, 0, E1000_CTRL, 4);
		pw_model_bar_write(p->model, 0, E1000_CTRL,
				   (ctrl | E1000_CTRL_FRCDPX) & ~E1000_CTRL_FD, 4);
		expect_duplex(p, false);
		o = send_frames(p, first, first + 60, 1514, 0);
		assert_int_equal(o.sent, first + 60);
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
	}
}

/* 18 times 1024 bytes are the whole FIFO: with some of them the account would be behind. */
static void
test_frames_dropped_are_no_part_of_the_account(void **state)
{
	struct fx_port *p = *state;
	static struct fx_frame f;
	struct rte_mbuf *m;

	build(&f, 0, 1500);
	for (uint32_t dropped = 1; dropped < 18; dropped++) {
		start(p, HALF_100, 0);
		for (uint32_t i = 0; i < dropped; i++) {
			m = fx_mbuf(p->pool, &f, 1000);
			m->next->data_len = 0;	/* the chain contradicts its head */
			assert_int_equal(rte_eth_tx_burst(p->id, 0, &m, 1), 1);
		}
		assert_int_equal(send_frames(p, 0, 60, LONG_ONES, 0).sent, 60);
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
	}
}

static void
test_burst_mode_says_which_it_is(void **state)
{
	struct rte_eth_burst_mode mode;
	struct fx_port *p = *state;

	start(p, HALF_100, 0);
	assert_int_equal(rte_eth_tx_burst_mode_get(p->id, 0, &mode), 0);
	assert_non_null(strstr(mode.info, "half duplex"));
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(test_##name, half_setup, fx_port_teardown)
	const struct CMUnitTest tests[] = {
		T(half_duplex_does_not_stall),
		T(half_duplex_does_not_stall_with_long_chains),
		T(a_burst_that_keeps_no_account_stalls),
		T(short_frames_are_never_held_back),
		T(link_that_becomes_half_duplex_does_not_stall),
		T(frames_dropped_are_no_part_of_the_account),
		T(burst_mode_says_which_it_is),
	};

	return cmocka_run_group_tests_name("e1000_half", tests, fx_setup, fx_teardown);
}
