/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* The sim vdev: what it accepts, what it refuses, that nothing is left behind. */

#include "fixture.h"

#include <dirent.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <unistd.h>

#include <pcap/pcap.h>

#include <rte_bus_vdev.h>
#include <rte_dev.h>
#include <rte_malloc.h>

/* Stands before EAL's own, so that the test can look like a secondary process. */
static enum rte_proc_type_t process_type = RTE_PROC_PRIMARY;

enum rte_proc_type_t
rte_eal_process_type(void)
{
	return process_type;
}

static unsigned int
open_files(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned int n = 0;

	assert_non_null(d);
	while (readdir(d) != NULL)
		n++;
	closedir(d);
	return n;
}

static unsigned int
heap_blocks(void)
{
	struct rte_malloc_socket_stats s;

	assert_int_equal(rte_malloc_get_socket_stats(0, &s), 0);
	return s.alloc_count;
}

static void
udp_frame(struct fx_frame *f, uint8_t seed)
{
	fx_frame_build(f, &(struct fx_spec){ .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 100,
					     .seed = seed });
}

static void
receives(struct fx_port *p, uint8_t seed)
{
	struct fx_frame f;
	struct rte_mbuf *m;

	udp_frame(&f, seed);
	fx_inject(p, &f);
	assert_int_equal(fx_rx(p, &m, 1), 1);
	fx_expect_mbuf(m, &f);
}

static void
sends(struct fx_port *p, uint8_t seed)
{
	struct fx_frame f;
	struct rte_mbuf *m;

	udp_frame(&f, seed);
	m = fx_mbuf(p->pool, &f, 0);
	fx_tx(p, &m, 1);
	fx_expect_sent(p, &f);
	fx_expect_silence(p);
}

/* --- refusals ---------------------------------------------------------------------------- */

static void
test_bad_argument_is_one_line_and_leaves_nothing(void **state)
{
	static const struct {
		const char *args;
		int rc;
		const char *part;
	} bad[] = {
		{ "", -EINVAL, "chip= is missing; there are: 82540em" },
		{ "wire=a", -EINVAL, "chip= is missing" },
		{ "chip", -EINVAL, "chip: expected key=value" },
		{ "chip=", -EINVAL, "expected key=value" },
		{ "chip=82599", -EINVAL, "chip=82599: no such chip; there are: 82540em" },
		{ "chip=82540EM", -EINVAL, "no such chip" },
		{ "chip=82540em,chip=82540em", -EINVAL, "chip= is given twice" },
		{ "chip=82540em,speed=10", -EINVAL, "speed=: no such key" },
		{ "chip=82540em,wire=a/b", -EINVAL, "a/b" },
		{ "chip=82540em,wire=udp:x", -EINVAL, "shm:NAME" },
		{ "chip=82540em,wire=pcap:", -EINVAL, "in=FILE" },
		{ "chip=82540em,wire=pcap:in=/nonexistent/f", -ENOENT, "/nonexistent/f" },
		{ "chip=82540em,wire=pcap:out=/nonexistent/f,in=/x", -ENOENT, "/x" },
		{ "chip=82540em,out=f", -EINVAL, "only after wire=pcap" },
		{ "chip=82540em,wire=a,in=f", -EINVAL, "only after wire=pcap" },
		{ "chip=82540em,mac=1", -EINVAL, "mac=1: a unicast address" },
		{ "chip=82540em,mac=01:00:00:00:00:01", -EINVAL, "unicast" },
		{ "chip=82540em,mac=00:00:00:00:00:00", -EINVAL, "unicast" },
		{ "chip=82540em,mac=02:00:00:00:00:01:02", -EINVAL, "unicast" },
		{ "chip=82540em,pace=yes", -EINVAL, "pace=yes: on or off" },
		{ "chip=82540em,async=1", -EINVAL, "async=1: on or off" },
		{ "chip=82540em,buffer=0", -EINVAL, "buffer=0: a number from 1024" },
		{ "chip=82540em,buffer=-1", -EINVAL, "buffer=-1" },
		{ "chip=82540em,buffer=1k", -EINVAL, "buffer=1k" },
		{ "chip=82540em,buffer=99999999999999999999", -EINVAL, "buffer=9" },
		{ "chip=82540em,autoneg_ms=60001", -EINVAL, "from 0 to 60000" },
		{ "chip=82540em,fault=fire", -EINVAL, "fire: no such fault; there are: link_down" },
		{ "chip=82540em,fault=bad_crc:x", -EINVAL, "bad_crc=x: a number" },
		{ "chip=82540em,fault=bad_crc:", -EINVAL, "a number" },
	};
	unsigned int files = open_files(), blocks = heap_blocks();
	unsigned int i;

	(void)state;
	for (i = 0; i < RTE_DIM(bad); i++) {
		fx_refused(bad[i].args, bad[i].rc, bad[i].part);
		assert_int_equal(open_files(), files);
		assert_int_equal(heap_blocks(), blocks);
	}
}

/* The wire must be free again: eight more ends fit on it. */
static void
expect_no_end_on(const char *wire)
{
	const struct pw_wire_opts opts = { .clock = &fx_clock };
	struct pw_wire *w[8];
	unsigned int i;

	for (i = 0; i < RTE_DIM(w); i++)
		assert_int_equal(pw_wire_open(wire, &opts, &w[i], NULL, 0), 0);
	for (i = 0; i < RTE_DIM(w); i++)
		pw_wire_close(w[i]);
}

static void
test_chip_that_its_driver_refuses_leaves_nothing(void **state)
{
	static const struct {
		const char *fault;
		const char *part;
	} broken[] = {
		{ "removed", "all ones" },
		{ "stuck_reset", "" },
		{ "eeprom_silent", "EEPROM" },
		{ "eeprom_corrupt", "EEPROM" },
		{ "eeprom_zero_mac", "" },
	};
	unsigned int files = open_files(), blocks = heap_blocks();
	unsigned int i;
	char args[128];
	int rc;

	(void)state;
	for (i = 0; i < RTE_DIM(broken); i++) {
		snprintf(args, sizeof(args), "chip=82540em,wire=broken,fault=%s", broken[i].fault);
		log_capture_start();
		rc = rte_vdev_init("net_pw_sim_broken", args);
		log_capture_expect(broken[i].part);
		if (rc >= 0)
			fail_msg("%s was not noticed", broken[i].fault);
		assert_int_equal(rte_eth_dev_count_total(), 0);
		assert_int_equal(open_files(), files);
		assert_int_equal(heap_blocks(), blocks);
		expect_no_end_on("broken");
	}
}

static void
test_secondary_process_is_refused(void **state)
{
	(void)state;
	process_type = RTE_PROC_SECONDARY;
	fx_refused("chip=82540em", -ENOTSUP, "primary process");
	process_type = RTE_PROC_PRIMARY;
}

static void
test_port_is_not_a_sim(void **state)
{
	(void)state;
	assert_null(pw_sim_model(0));
	assert_null(pw_sim_model(UINT16_MAX));
}

/* --- traffic -------------------------------------------------------------------------------- */

static void
test_frames_pass_both_ways(void **state)
{
	struct fx_port *p = *state;
	unsigned int i;

	fx_start(p, NULL);
	for (i = 0; i < 3 * FX_NB_DESC; i++) {
		receives(p, (uint8_t)i);
		sends(p, (uint8_t)i);
	}
}

static void
test_two_sims_on_one_wire_pass_frames(void **state)
{
	struct fx_port a, b;
	unsigned int i;

	(void)state;
	fx_open(&a, "82540em", "wire=pair,mac=02:00:00:00:00:0a");
	fx_open(&b, "82540em", "wire=pair,mac=02:00:00:00:00:0b");
	assert_memory_equal(&a.mac, "\2\0\0\0\0\x0a", 6);
	fx_start(&a, NULL);
	fx_start(&b, NULL);
	for (i = 0; i < 1000; i++) {
		struct fx_port *from = i & 1 ? &a : &b, *to = i & 1 ? &b : &a;
		struct fx_spec s = { .l3 = FX_IPV6, .l4 = FX_TCP, .payload = i, .seed = i };
		struct fx_frame f;
		struct rte_mbuf *m;

		memcpy(s.dst, &to->mac, 6);
		fx_frame_build(&f, &s);
		m = fx_mbuf(from->pool, &f, 0);
		fx_tx(from, &m, 1);
		assert_int_equal(fx_rx(to, &m, 1), 1);
		fx_expect_mbuf(m, &f);
	}
	fx_close(&a);
	fx_close(&b);
}

static void
test_stop_and_start_again(void **state)
{
	struct fx_port *p = *state;
	unsigned int i;

	fx_start(p, NULL);
	for (i = 0; i < 20; i++) {
		receives(p, (uint8_t)i);
		sends(p, (uint8_t)i);
		assert_int_equal(rte_eth_dev_stop(p->id), 0);
		if (i & 1)
			fx_start(p, NULL); /* also set up anew */
		else
			assert_int_equal(rte_eth_dev_start(p->id), 0);
	}
}

static void
test_attach_and_detach_fifty_times(void **state)
{
	unsigned int files, blocks, i;
	struct fx_port p;

	(void)state;
	for (i = 0; i < 50; i++) {
		fx_open(&p, "82540em", (i & 1) ? "async=on" : NULL);
		fx_start(&p, NULL);
		if ((i & 1) == 0) {
			receives(&p, (uint8_t)i);
			sends(&p, (uint8_t)i);
		}
		fx_close(&p);
		if (i == 0) {
			/* What EAL itself keeps from a first time on. */
			files = open_files();
			blocks = heap_blocks();
		}
		assert_int_equal(rte_eth_dev_count_total(), 0);
		assert_int_equal(open_files(), files);
		assert_int_equal(heap_blocks(), blocks);
	}
}

static void
test_closed_port_can_be_detached_later(void **state)
{
	struct fx_port *p = *state;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	assert_int_equal(rte_eth_dev_close(p->id), 0);
	p->model = NULL;
	assert_null(pw_sim_model(p->id));
}

static void
test_started_port_can_be_detached(void **state)
{
	struct fx_port p;

	(void)state;
	fx_open(&p, "82540em", NULL);
	fx_start(&p, NULL);
	receives(&p, 1);
	assert_int_equal(rte_vdev_uninit(p.name), 0);
	assert_null(pw_sim_model(p.id));
	assert_int_equal(rte_mempool_in_use_count(p.pool), 0);
	rte_mempool_free(p.pool);
	pw_wire_close(p.peer);
}

static void
test_unplugged_port_has_no_link(void **state)
{
	struct rte_eth_link link;
	struct fx_port p;

	(void)state;
	fx_open(&p, "82540em", "wire=alone");
	fx_start(&p, NULL);
	assert_int_equal(rte_eth_link_get_nowait(p.id, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_DOWN);
	fx_close(&p);
}

static void
test_waiting_for_the_link_needs_no_traffic(void **state)
{
	struct rte_eth_link link;
	struct fx_port p;

	(void)state;
	fx_open(&p, "82540em", "autoneg_ms=2000");
	fx_start(&p, NULL);
	assert_int_equal(rte_eth_link_get_nowait(p.id, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_DOWN);
	pw_clock_advance(&fx_clock, UINT64_C(2000000000));
	assert_int_equal(rte_eth_link_get_nowait(p.id, &link), 0);
	assert_int_equal(link.link_status, RTE_ETH_LINK_UP);
	assert_int_equal(link.link_speed, RTE_ETH_SPEED_NUM_1G);
	fx_close(&p);
}

static void
test_driver_still_knows_its_burst_functions(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_burst_mode before, mode;

	fx_start(p, NULL);
	assert_int_equal(rte_eth_rx_burst_mode_get(p->id, 0, &before), 0);
	assert_true(before.info[0] != '\0');
	assert_int_equal(rte_eth_rx_burst_mode_get(p->id, 0, &mode), 0);
	assert_string_equal(mode.info, before.info);
	assert_int_equal(rte_eth_tx_burst_mode_get(p->id, 0, &mode), 0);
	assert_true(mode.info[0] != '\0');
	receives(p, 1); /* and the wrapping ones are back */
}

static void
test_counted_fault_ends_after_its_count(void **state)
{
	struct rte_eth_stats stats;
	struct fx_frame f;
	struct fx_port p;
	unsigned int i;

	(void)state;
	fx_open(&p, "82540em", "fault=bad_crc:3+rx_overrun:0");
	fx_start(&p, NULL);
	for (i = 0; i < 3; i++) {
		udp_frame(&f, (uint8_t)i);
		fx_inject(&p, &f);
		fx_advance(&p, 1000);
	}
	receives(&p, 3); /* fails if one of the three is delivered */
	assert_int_equal(rte_eth_stats_get(p.id, &stats), 0);
	assert_int_equal(stats.ipackets, 1);
	assert_int_equal(stats.ierrors, 3);
	fx_close(&p);
}

static void
test_paced_port_sends_at_line_rate(void **state)
{
	struct rte_mbuf *m[32];
	struct fx_frame f;
	struct fx_port p;
	uint64_t t0;
	uint32_t i;

	(void)state;
	fx_open(&p, "82540em", "pace=on");
	fx_start(&p, NULL);
	fx_frame_build(&f, &(struct fx_spec){ .l3 = FX_IPV4, .l4 = FX_UDP });
	for (i = 0; i < RTE_DIM(m); i++)
		m[i] = fx_mbuf(p.pool, &f, 0);
	t0 = pw_clock_now(&fx_clock);
	fx_tx(&p, m, RTE_DIM(m));
	for (i = 0; i < RTE_DIM(m); i++) {
		struct pw_frame got;

		while (!pw_wire_peek(p.peer, &got))
			fx_advance(&p, 50);
		/* 84 bytes at 1000 Mbit/s are 672 ns; preamble, frame and FCS 576. */
		assert_int_equal(got.t_ns - t0, 672 * i + 576);
		pw_wire_next(p.peer);
	}
	fx_close(&p);
}

static void
test_async_model_passes_frames(void **state)
{
	struct fx_frame f, got;
	struct rte_mbuf *m;
	struct fx_port p;
	unsigned int i;

	(void)state;
	fx_open(&p, "82540em", "async=on");
	fx_start(&p, NULL);
	for (i = 0; i < 500; i++) {
		udp_frame(&f, (uint8_t)i);
		fx_inject(&p, &f);
		while (rte_eth_rx_burst(p.id, 0, &m, 1) == 0)
			;
		fx_tx(&p, &m, 1);
		while (!fx_capture(&p, &got))
			;
		assert_int_equal(got.len, f.len);
		assert_memory_equal(got.data, f.data, f.len);
	}
	fx_close(&p);
}

/* --- interrupts ---------------------------------------------------------------------------- */

static int
on_link_event(uint16_t port, enum rte_eth_event_type type, void *sem, void *ret)
{
	(void)port;
	(void)type;
	(void)ret;
	sem_post(sem);
	return 0;
}

static void
test_link_interrupt_reaches_the_application(void **state)
{
	const struct fx_conf conf = { .eth.intr_conf.lsc = 1 };
	struct fx_port *p = *state;
	struct rte_eth_link link;
	unsigned int i;
	sem_t sem;
	int rc;

	assert_int_equal(sem_init(&sem, 0, 0), 0);
	assert_int_equal(rte_eth_dev_callback_register(p->id, RTE_ETH_EVENT_INTR_LSC,
						       on_link_event, &sem), 0);
	fx_start(p, &conf);
	for (i = 0; i < 10; i++) {
		int down = (i & 1) == 0;

		assert_int_equal(pw_model_fault(p->model, PW_FAULT_LINK_DOWN, down), 0);
		/* Start-up may have reported the link as well: wait until it is as it is. */
		do {
			sem_wait(&sem);
			assert_int_equal(rte_eth_link_get_nowait(p->id, &link), 0);
		} while (link.link_status != (down ? RTE_ETH_LINK_DOWN : RTE_ETH_LINK_UP));
	}
	/* -EAGAIN while the interrupt thread is still on its way out of it. */
	do {
		rc = rte_eth_dev_callback_unregister(p->id, RTE_ETH_EVENT_INTR_LSC, on_link_event,
						     &sem);
	} while (rc == -EAGAIN);
	assert_int_equal(rc, 0);
	sem_destroy(&sem);
}

/* --- memory that is not EAL's ----------------------------------------------------------------- */

#define EXT_LEN (2u << 20)
#define EXT_PAGE 4096u

/* A pool whose data lie in `mem`. */
static struct rte_mempool *
ext_pool(void *mem)
{
	const struct rte_pktmbuf_extmem ext = {
		.buf_ptr = mem, .buf_iova = (rte_iova_t)(uintptr_t)mem,
		.buf_len = EXT_LEN, .elt_size = RTE_MBUF_DEFAULT_BUF_SIZE,
	};

	return rte_pktmbuf_pool_create_extbuf("ext", 511, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE,
					      SOCKET_ID_ANY, &ext, 1);
}

static void
test_foreign_memory_is_reached_once_mapped(void **state)
{
	struct fx_port *p = *state;
	struct rte_eth_dev_info info;
	struct fx_conf conf = { 0 };
	struct fx_frame f;
	void *mem;

	mem = mmap(NULL, EXT_LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(mem, MAP_FAILED);
	assert_int_equal(rte_extmem_register(mem, EXT_LEN, NULL, 0, EXT_PAGE), 0);
	assert_int_equal(rte_eth_dev_info_get(p->id, &info), 0);
	conf.pool = ext_pool(mem);
	assert_non_null(conf.pool);

	/* Not mapped: what a card behind an IOMMU would run into. */
	fx_start(p, &conf);
	udp_frame(&f, 1);
	fx_inject(p, &f);
	log_capture_start();
	fx_advance(p, 1000);
	log_capture_expect("not mapped");
	fx_expect_violations(p, PW_VIOL_DMA, 1);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);

	assert_int_equal(rte_dev_dma_map(info.device, mem, (uintptr_t)mem, EXT_LEN), 0);
	fx_start(p, &conf);
	receives(p, 2);
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
	assert_int_equal(rte_dev_dma_unmap(info.device, mem, (uintptr_t)mem, EXT_LEN), 0);
	fx_configure(p, NULL); /* lets go of the pool */
	assert_int_equal(rte_mempool_in_use_count(conf.pool), 0);
	rte_mempool_free(conf.pool);
	assert_int_equal(rte_extmem_unregister(mem, EXT_LEN), 0);
	munmap(mem, EXT_LEN);
}

/* --- capture files ------------------------------------------------------------------- */

static void
test_capture_files_as_a_wire(void **state)
{
	char in[] = "/tmp/test_sim-in-XXXXXX", out[] = "/tmp/test_sim-out-XXXXXX";
	struct pcap_pkthdr h = { 0 }, *got;
	char extra[128], err[PCAP_ERRBUF_SIZE];
	struct rte_mbuf *m[4];
	pcap_dumper_t *d;
	const u_char *data;
	struct fx_frame f;
	struct fx_port p;
	unsigned int i;
	pcap_t *cap;

	(void)state;
	close(mkstemp(in));
	close(mkstemp(out));
	cap = pcap_open_dead(DLT_EN10MB, 65535);
	d = pcap_dump_open(cap, in);
	for (i = 0; i < 3; i++) {
		udp_frame(&f, (uint8_t)i);
		h.caplen = h.len = f.len;
		pcap_dump((u_char *)d, &h, f.data);
	}
	pcap_dump_close(d);
	pcap_close(cap);

	snprintf(extra, sizeof(extra), "wire=pcap:in=%s,out=%s", in, out);
	fx_open(&p, "82540em", extra);
	fx_start(&p, NULL);
	assert_int_equal(fx_rx(&p, m, 4), 3);
	fx_tx(&p, m, 3);
	cap = pcap_open_offline(out, err);
	assert_non_null(cap);
	for (i = 0; i < 3; i++) {
		udp_frame(&f, (uint8_t)i);
		assert_int_equal(pcap_next_ex(cap, &got, &data), 1);
		assert_int_equal(got->len, f.len);
		assert_memory_equal(data, f.data, f.len);
	}
	assert_int_equal(pcap_next_ex(cap, &got, &data), PCAP_ERROR_BREAK);
	pcap_close(cap);
	fx_close(&p);
	unlink(in);
	unlink(out);
}

#define on_port(t) cmocka_unit_test_setup_teardown(t, fx_port_setup, fx_port_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_attach_and_detach_fifty_times),
		cmocka_unit_test(test_bad_argument_is_one_line_and_leaves_nothing),
		cmocka_unit_test(test_chip_that_its_driver_refuses_leaves_nothing),
		cmocka_unit_test(test_secondary_process_is_refused),
		cmocka_unit_test(test_port_is_not_a_sim),
		on_port(test_frames_pass_both_ways),
		cmocka_unit_test(test_two_sims_on_one_wire_pass_frames),
		on_port(test_stop_and_start_again),
		on_port(test_closed_port_can_be_detached_later),
		cmocka_unit_test(test_started_port_can_be_detached),
		cmocka_unit_test(test_unplugged_port_has_no_link),
		cmocka_unit_test(test_waiting_for_the_link_needs_no_traffic),
		on_port(test_driver_still_knows_its_burst_functions),
		cmocka_unit_test(test_counted_fault_ends_after_its_count),
		cmocka_unit_test(test_paced_port_sends_at_line_rate),
		cmocka_unit_test(test_async_model_passes_frames),
		on_port(test_link_interrupt_reaches_the_application),
		on_port(test_foreign_memory_is_reached_once_mapped),
		cmocka_unit_test(test_capture_files_as_a_wire),
	};

	return cmocka_run_group_tests(tests, fx_setup, fx_teardown);
}
