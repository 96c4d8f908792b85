/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _TESTS_EAL_H_
#define _TESTS_EAL_H_

/**
 * @file
 * For every CMocka program that needs EAL: group set-up without privilege, a clock that only
 * counts, and what was logged.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_log.h>

/** Group set-up: EAL with 64 MB of ordinary memory, no devices, no files of its own. */
static inline int
eal_setup(void **state)
{
	static char arg[][32] = {
		"test", "--no-huge", "-m", "64", "--no-pci", "--no-telemetry", "--no-shconf",
		"--log-level=*:error",
	};
	char *argv[RTE_DIM(arg) + 1] = { NULL };

	(void)state;
	for (size_t i = 0; i < RTE_DIM(arg); i++)
		argv[i] = arg[i];
	return rte_eal_init(RTE_DIM(arg), argv) < 0 ? -1 : 0;
}

/** Group tear-down. */
static inline int
eal_teardown(void **state)
{
	(void)state;
	return rte_eal_cleanup();
}

/* --- a clock that only counts: nothing waits, every wait is seen --- */

struct fake_clock {
	uint64_t us;		/**< time that rte_delay_us() was asked for */
	uint64_t calls;
	void (*tick)(void);	/**< called on each delay, after it is counted; NULL: none */
};

static struct fake_clock fake_clock;

static inline void
fake_clock_delay(unsigned int us)
{
	fake_clock.us += us;
	fake_clock.calls++;
	if (fake_clock.tick != NULL)
		fake_clock.tick();
}

/** Take the delay functions over, with the time at 0. */
static inline void
fake_clock_start(void)
{
	memset(&fake_clock, 0, sizeof(fake_clock));
	rte_delay_us_callback_register(fake_clock_delay);
}

/** Give the delay functions back. */
static inline void
fake_clock_stop(void)
{
	rte_delay_us_callback_register(rte_delay_us_block);
}

/* --- what was logged --- */

struct log_capture {
	FILE *stream;
	char *text;
	size_t len;
};

static struct log_capture log_capture;

/** Keep log messages from now on. */
static inline void
log_capture_start(void)
{
	log_capture.stream = open_memstream(&log_capture.text, &log_capture.len);
	assert_non_null(log_capture.stream);
	assert_int_equal(rte_openlog_stream(log_capture.stream), 0);
}

/** Log as usual again. @return what was logged; free() it. */
static inline char *
log_capture_stop(void)
{
	rte_openlog_stream(NULL);
	fclose(log_capture.stream);
	return log_capture.text;
}

/** Stop; what was logged must be one line that has `part` in it (NULL: nothing at all). */
static inline void
log_capture_expect(const char *part)
{
	char *text = log_capture_stop();
	const char *end = strchr(text, '\n');
	int good = part == NULL ? text[0] == '\0' :
		   end != NULL && end[1] == '\0' && strstr(text, part) != NULL;

	if (!good)
		print_error("logged: \"%s\", expected one line with \"%s\"\n", text,
			    part == NULL ? "(none)" : part);
	free(text);
	assert_true(good);
}

#endif /* _TESTS_EAL_H_ */
