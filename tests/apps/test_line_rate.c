/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The generator holds line rate: its own files, a shipped driver, a chip model and a paced wire,
 * all on one virtual clock. What the machine is busy with besides does not matter, so the rate
 * can be asked for from both sides, to 1 part in 1000. The clock goes on by so much a turn of the
 * worker's loop; what a turn costs on real machines is for tests/perf.
 *
 * usage: test_line_rate CHIP MBPS
 */

#include "eal.h"

#include <stdio.h>
#include <stdlib.h>

#include <pw_clock.h>

#include "../../apps/gen/clock.h"
#include "../../apps/gen/run.h"
#include "../../drivers/net/sim/pw_sim.h"

#define OVERHEAD 20		/* IEEE 802.3: preamble and start delimiter 8, gap 12 bytes */
#define PER_MILLE 0.001

/* How the worker gets on. */
struct pace {
	uint64_t turn_ns;	/* one turn of its loop */
	uint64_t every_ns;	/* so often another program has the CPU; 0: never */
	uint64_t away_ns;	/* for so long */
};

static struct pw_clock tsc = {.virtual_ns = NS_PER_S, .is_virtual = 1};
static struct pace pace;
static const char *chip;
static uint32_t mbps;

uint64_t
virtual_tsc(void)
{
	return pw_clock_now(&tsc);
}

void
gen_clock_begin(void)
{
}

uint64_t
gen_clock_hz(void)
{
	return NS_PER_S;
}

/* As worker.c, with time. */
int
gen_worker(void *arg)
{
	const struct gen_worker *w = arg;
	struct gen_run *run = w->run;
	uint64_t away = virtual_tsc() + pace.every_ns;
	unsigned int i;

	gen_send_begin(run);
	while (!atomic_load_explicit(&run->stop, memory_order_relaxed)) {
		if (!gen_run_all_sent(run))
			gen_send_due(run);
		else
			gen_send_watch_rings(run);
		for (i = 0; i < run->nb_sinks; i++)
			gen_receive(run, &run->sink[i]);
		pw_clock_advance(&tsc, pace.turn_ns);
		if (pace.every_ns == 0 || virtual_tsc() < away)
			continue;
		pw_clock_advance(&tsc, pace.away_ns);
		away += pace.every_ns;
	}
	return 0;
}

/* --- a run ----------------------------------------------------------------------------------- */

static double
line_rate(unsigned int size)
{
	return mbps * 1e6 / 8 / (size + OVERHEAD);
}

static void
generate(const char *rate, unsigned int size, struct gen_result *result)
{
	char arg[][64] = {"gen", "--tx", "", "--rx", "", "--size", "", "--rate", "", "--time",
			  "0.5", "--check"};
	struct gen_run run = {.nb_workers = 1};
	char *argv[RTE_DIM(arg) + 1] = {NULL};
	char err[PW_ERR_LEN];
	struct gen_args args;
	struct gen_task task;
	unsigned int i;

	snprintf(arg[2], sizeof(arg[2]), "sim:%s,wire=line,pace=on,autoneg_ms=0", chip);
	strcpy(arg[4], arg[2]);
	snprintf(arg[6], sizeof(arg[6]), "%u", size);
	snprintf(arg[8], sizeof(arg[8]), "%s", rate);
	for (i = 0; i < RTE_DIM(arg); i++)
		argv[i] = arg[i];
	optind = 0;
	if (gen_args_parse(&args, RTE_DIM(arg), argv, err) != 0)
		fail_msg("%s", err);
	assert_int_equal(gen_run_open(&run, &args), APP_OK);
	task = (struct gen_task){
		.rate = &args.rate,
		.sizes = &args.sizes,
		.time_s = args.time_s,
		.drain_s = args.drain_s,
		.catch_up_us = 10000,
	};
	assert_int_equal(gen_run_go(&run, &task, result), APP_OK);
	gen_run_close(&run);
}

static void
expect_line_rate(const char *rate, unsigned int size)
{
	static struct gen_result result;
	const struct gen_flow_result *f = &result.flow[0];
	double want = line_rate(size);

	generate(rate, size, &result);
	print_message("%s, %u bytes, rate %s: %.1f of %.1f pps, %lu sent, %lu received\n", chip,
		      size, rate, f->achieved_pps, want, f->sent, f->received);
	assert_int_equal(f->mbps, mbps);
	/*
	 * The last frame may be under way when the ring is found empty; and that is found at the
	 * end of a turn, by a look that may come a turn late, and once more to be sure.
	 */
	if (f->sent < want * (1 - PER_MILLE) * (f->elapsed_s - 3e-9 * (double)pace.turn_ns) ||
	    f->sent > want * f->elapsed_s + 1)
		fail_msg("%s, %u bytes, rate %s: %.1f pps instead of %.1f", chip, size, rate,
			 f->achieved_pps, want);
	assert_int_equal(f->received, f->sent);
	assert_int_equal(f->duplicated + f->reordered + f->corrupted + f->stale, 0);
	assert_int_equal(result.port[1].stats.rx_missed + result.port[1].stats.rx_nombuf, 0);
}

static void
expect_line_rates(const struct pace *p)
{
	const unsigned int sizes[] = {64, 512, 1518};
	unsigned int i;

	pace = *p;
	for (i = 0; i < RTE_DIM(sizes); i++) {
		expect_line_rate("max", sizes[i]);
		expect_line_rate("100%", sizes[i]);
	}
}

static void
test_fast_loop(void **state)
{
	(void)state;
	expect_line_rates(&(struct pace){.turn_ns = 500});
}

/* A turn takes as long as 30 of the shortest frames: the ring has to carry the rate over it. */
static void
test_slow_loop(void **state)
{
	(void)state;
	expect_line_rates(&(struct pace){.turn_ns = 30 * 84 * 8 * 1000 / mbps});
}

/* A ring of 512 lasts almost three times as long as the worker is away. */
static void
test_ring_carries_the_rate_while_the_cpu_is_away(void **state)
{
	const uint64_t frame_ns = 84 * 8 * 1000 / mbps;

	(void)state;
	expect_line_rates(&(struct pace){
		.turn_ns = frame_ns,
		.every_ns = 4000 * frame_ns,
		.away_ns = 180 * frame_ns,
	});
}

/* --- the whole ------------------------------------------------------------------------------- */

static int
setup(void **state)
{
	if (eal_setup(state) != 0)
		return -1;
	pw_sim_set_clock(&tsc);
	return 0;
}

static int
teardown(void **state)
{
	pw_sim_set_clock(NULL);
	return eal_teardown(state);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fast_loop),
		cmocka_unit_test(test_slow_loop),
		cmocka_unit_test(test_ring_carries_the_rate_while_the_cpu_is_away),
	};

	if (argc != 3) {
		fprintf(stderr, "usage: test_line_rate CHIP MBPS\n");
		return 2;
	}
	chip = argv[1];
	mbps = strtoul(argv[2], NULL, 10);
	app_name = "test_line_rate";
	app_signals_block();
	return cmocka_run_group_tests(tests, setup, teardown);
}
