/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <rte_ethdev.h>
#include <rte_launch.h>
#include <rte_lcore.h>

#include <pw_machine.h>

#include "app.h"

#define LINK_POLL_S 0.01

const char *app_name = "pollwire";

static char memory_note[PW_ERR_LEN];

void
app_say(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	fprintf(stderr, "%s: ", app_name);
	vfprintf(stderr, format, ap);
	fputc('\n', stderr);
	va_end(ap);
}

/* Signals */

static sigset_t
stop_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	return set;
}

enum app_status
app_end(enum app_status status)
{
	if ((fflush(stdout) != 0 || ferror(stdout)) && status == APP_OK) {
		app_say("cannot write to standard output");
		return APP_FAILED;
	}
	return status;
}

void
app_signals_block(void)
{
	sigset_t set = stop_signals();

	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

bool
app_sleep(double seconds)
{
	static bool stopped;
	sigset_t set = stop_signals();
	struct timespec t = {
		.tv_sec = (time_t)seconds,
		.tv_nsec = (long)((seconds - floor(seconds)) * 1e9),
	};

	/* EINTR: some other signal; to wake too early does no harm. */
	if (!stopped && sigtimedwait(&set, NULL, &t) > 0)
		stopped = true;
	return stopped;
}

/* EAL */

/*
 * EAL writes to standard error past its log, and prints its help, hundreds of lines, where it
 * dislikes an option. The reason comes back in the error text.
 */
static int
mute(int fd)
{
	int saved, null;

	fflush(NULL);
	saved = fcntl(fd, F_DUPFD_CLOEXEC, 10);
	null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (saved >= 0 && null >= 0)
		dup2(null, fd);
	if (null >= 0)
		close(null);
	return saved;
}

static void
unmute(int fd, int saved)
{
	fflush(NULL);
	if (saved < 0)
		return;
	dup2(saved, fd);
	close(saved);
}

FILE *
app_report_stream(const struct app_opts *opts)
{
	return opts->json != NULL && strcmp(opts->json, "-") == 0 ? stderr : stdout;
}

unsigned int
app_count_cpus(const struct app_opts *opts)
{
	unsigned int cpus[PW_MAX_CPUS];
	int nb = opts->cpus != NULL ? pw_cpu_list_parse(opts->cpus, cpus) : 1;

	return nb > 0 ? nb : 0;
}

enum app_status
app_start(const struct app_opts *opts, const char *const *specs, unsigned int nb_specs,
	  unsigned int workers)
{
	struct pw_eal_opts eal = {
		.prog = app_name,
		.ports = specs,
		.nb_ports = nb_specs,
		.workers = workers,
		.cpus = opts->cpus,
		.mem_mb = opts->mem_mb,
		.extra = opts->eal,
	};
	char err[PW_ERR_LEN];
	int ret, out, errout;

	if (opts->eal_argc > 0) {
		ret = pw_eal_start_argv(opts->eal_argc, opts->eal_argv, err, sizeof(err));
	} else {
		out = mute(STDOUT_FILENO);
		errout = mute(STDERR_FILENO);
		ret = pw_eal_start(&eal, memory_note, sizeof(memory_note), err, sizeof(err));
		unmute(STDERR_FILENO, errout);
		unmute(STDOUT_FILENO, out);
	}
	if (ret != 0) {
		app_say("%s", err);
		return ret == -EINVAL ? APP_USAGE : APP_FAILED;
	}
	return APP_OK;
}

void
app_say_memory(void)
{
	if (memory_note[0] != '\0')
		app_say("%s", memory_note);
}

/* Ports */

enum app_status
app_port_add(struct app_ports *ports, const char *spec, const struct pw_port_conf *conf)
{
	struct pw_port *port;
	char err[PW_ERR_LEN];
	int ret;

	if (ports->nb == APP_MAX_PORTS) {
		app_say("port %s: more than %u ports", spec, APP_MAX_PORTS);
		return APP_USAGE;
	}
	ret = pw_port_open(spec, conf, &port, err, sizeof(err));
	if (ret == 0) {
		ret = pw_port_start(port, err, sizeof(err));
		if (ret != 0)
			pw_port_close(port);
	}
	if (ret != 0) {
		app_say("%s", err);
		return ret == -EINVAL ? APP_USAGE : APP_FAILED;
	}
	ports->port[ports->nb++] = port;
	return APP_OK;
}

enum app_status
app_ports_wait(const struct app_ports *ports, double seconds)
{
	unsigned int left = seconds / LINK_POLL_S, i = 0;
	struct pw_port_link link;

	for (;;) {
		for (; i < ports->nb; i++) {
			pw_port_link(ports->port[i], &link);
			if (!link.up)
				break;
		}
		if (i == ports->nb)
			return APP_OK;
		if (left-- == 0 || app_sleep(LINK_POLL_S))
			break;
	}
	app_say("port %s: no link within %g s: is the other end of the wire plugged in and up? "
		"(--link-wait S waits longer)", pw_port_name(ports->port[i]), seconds);
	return APP_NO_LINK;
}

unsigned int
app_tx_waiting(const struct pw_port *port)
{
	unsigned int done = 0, end, at;
	struct pw_port_info info;

	/* Offsets begin at the next one to be filled: those that wait are at the end. */
	pw_port_info(port, &info);
	end = info.txd;
	while (done < end) {
		at = (done + end) / 2;
		if (rte_eth_tx_descriptor_status(pw_port_id(port), 0, at) == RTE_ETH_TX_DESC_FULL)
			end = at;
		else
			done = at + 1;
	}
	return info.txd - done;
}

void
app_ports_close(struct app_ports *ports)
{
	unsigned int i;

	/* A pool can only go when no other port's Tx ring holds buffers of it. */
	for (i = 0; i < ports->nb; i++)
		pw_port_stop(ports->port[i]);
	while (ports->nb > 0)
		pw_port_close(ports->port[--ports->nb]);
}

/* Workers */

static void *
worker_thread(void *arg)
{
	struct app_worker *w = arg;

	/* An lcore id gives it a mempool cache; it can do without. */
	rte_thread_register();
	w->fn(w->arg);
	rte_thread_unregister();
	return NULL;
}

static int
worker_run(struct app_worker *w)
{
	if (w->lcore != LCORE_ID_ANY)
		return rte_eal_remote_launch(w->fn, w->arg, w->lcore);
	return -pthread_create(&w->thread, NULL, worker_thread, w);
}

static void
worker_join(struct app_worker *w)
{
	if (w->lcore != LCORE_ID_ANY)
		rte_eal_wait_lcore(w->lcore);
	else
		pthread_join(w->thread, NULL);
}

int
app_workers_run(struct app_workers *w, int (*fn)(void *), void *const *args, unsigned int nb)
{
	unsigned int lcore = rte_get_next_lcore(-1, 1, 0);
	int ret;

	for (w->nb = 0; w->nb < nb; w->nb++) {
		struct app_worker *worker = &w->worker[w->nb];

		worker->fn = fn;
		worker->arg = args[w->nb];
		worker->lcore = lcore < RTE_MAX_LCORE ? lcore : LCORE_ID_ANY;
		ret = worker_run(worker);
		if (ret != 0)
			return ret;
		if (lcore < RTE_MAX_LCORE)
			lcore = rte_get_next_lcore(lcore, 1, 0);
	}
	return 0;
}

void
app_workers_join(struct app_workers *w)
{
	while (w->nb > 0)
		worker_join(&w->worker[--w->nb]);
}
