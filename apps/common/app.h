/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _APP_H_
#define _APP_H_

/**
 * @file
 * What the programs share: exit statuses, options that all have, start-up, ports, workers.
 * Everything here belongs to the main thread.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <pw_port.h>

/** Exit statuses, the same in all programs; see the manual pages. */
enum app_status {
	APP_OK = 0,
	APP_FAILED = 1,		/**< DPDK, memory, a port or a file failed */
	APP_USAGE = 2,		/**< options that make no sense */
	APP_NO_LINK = 3,	/**< a link did not come up in time */
	APP_NOT_DONE = 4,	/**< not all that was asked for was done */
	APP_LOSS = 5,		/**< it was done, but packets got lost or damaged on the way */
	APP_OFF_RATE = 6,	/**< it was done, but not at the rate asked for */
};

#define APP_MAX_PORTS 16u
#define APP_MAX_WORKERS 8u

/** Options that all programs have. */
struct app_opts {
	int eal_argc;		/**< DPDK's own style: options before "--"; 0: not used */
	char **eal_argv;
	const char *eal;	/**< --eal */
	const char *cpus;	/**< --lcores */
	uint32_t mem_mb;	/**< --mem */
	uint16_t rxd, txd;	/**< --rxd, --txd */
	uint16_t burst;		/**< --burst */
	const char *json;	/**< --json; "-" is standard output */
	double stats_s;		/**< --stats; 0: none */
};

/** The program; begins every line on standard error. main() sets it. */
extern const char *app_name;

/** One line on standard error: program, colon, text. */
void app_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * Last thing in main(): a report that nobody could read is no success.
 *
 * @return status, or APP_FAILED after one line if standard output took not all of it.
 */
enum app_status app_end(enum app_status status);

/**
 * Block SIGINT and SIGTERM, in this thread and in those it will start; app_sleep() hears them.
 * First thing in main().
 */
void app_signals_block(void);

/** Sleep. @return true as soon as SIGINT or SIGTERM has come, also for all later calls. */
bool app_sleep(double seconds);

/** @return where reports for people go: standard output, unless JSON goes there. */
FILE *app_report_stream(const struct app_opts *opts);

/** @return how many CPUs --lcores names; 1 without it; 0 if it cannot be read. */
unsigned int app_count_cpus(const struct app_opts *opts);

/**
 * Start EAL as the options say.
 *
 * @param opts
 *   See above.
 * @param specs
 *   The ports that will be opened.
 * @param nb_specs
 *   How many.
 * @param workers
 *   Worker threads wanted.
 * @return
 *   APP_OK; APP_USAGE or APP_FAILED with the reason said.
 */
enum app_status app_start(const struct app_opts *opts, const char *const *specs,
			  unsigned int nb_specs, unsigned int workers);

/** Tell in a line what memory was chosen; when all else is well, so that errors stand alone. */
void app_say_memory(void);

/** Ports in use. All zero is none. */
struct app_ports {
	struct pw_port *port[APP_MAX_PORTS];
	unsigned int nb;
};

/**
 * Open and start a port and add it to the list.
 *
 * @return
 *   APP_OK; APP_USAGE for what can never be; APP_FAILED. The reason is said.
 */
enum app_status app_port_add(struct app_ports *ports, const char *spec,
			     const struct pw_port_conf *conf);

/**
 * Wait for all links.
 *
 * @return
 *   APP_OK; APP_NO_LINK with the reason said, also after a signal.
 */
enum app_status app_ports_wait(const struct app_ports *ports, double seconds);

/**
 * Descriptors of the port's Tx ring that wait to be sent, as far as its driver can tell: one that
 * is told of a group of packets at a time takes the last ones to wait still. For the thread that
 * sends, or while none does.
 */
unsigned int app_tx_waiting(const struct pw_port *port);

/** Stop all, then close all. */
void app_ports_close(struct app_ports *ports);

/** Threads at work: EAL's worker lcores, and threads of their own where those do not suffice. */
struct app_workers {
	unsigned int nb;
	struct app_worker {
		int (*fn)(void *);
		void *arg;
		unsigned int lcore;	/**< LCORE_ID_ANY: a thread of its own */
		pthread_t thread;
	} worker[APP_MAX_WORKERS];
};

/**
 * Let `nb` workers run `fn`, each with its own argument.
 *
 * @return
 *   0; -errno if one could not be started: those before it run; tell them to stop, and join.
 */
int app_workers_run(struct app_workers *w, int (*fn)(void *), void *const *args, unsigned int nb);

/** Wait until all have returned. */
void app_workers_join(struct app_workers *w);

#endif /* _APP_H_ */
