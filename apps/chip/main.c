/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 *
 * pollwire-chip: a chip model as a PCI device of somebody else's machine.
 */

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "args.h"
#include "log.h"
#include "loop.h"
#include "sock.h"

#define EXIT_USAGE 2
#define EXIT_VIOLATIONS 3
#define SHOWN_VIOLATIONS 50u
#define TIMER_SLACK_NS 5000ul	/* the default of 50 us would double our shortest wait */

struct chip_app {
	struct chip_args args;
	struct chip_server server;
	struct chip_control control;
	struct chip_loop loop;
	struct pw_wire *wire;
	struct pw_model *model;
	FILE *trace;
	uint64_t start_ns;
	unsigned int nb_violations;
	bool hinted;
};

static volatile sig_atomic_t stop;

static void
on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

/* --- what the model calls, with its lock held ---------------------------------------------- */

static void
on_irq(void *ctx, unsigned int vector, bool level)
{
	struct chip_app *app = ctx;

	chip_irqs_set(&app->server.irqs, vector, level);
}

static void
on_violation(void *ctx, enum pw_violation kind, const char *text)
{
	struct chip_app *app = ctx;

	if (app->nb_violations < SHOWN_VIOLATIONS)
		chip_say("violation: %s", text);
	else if (app->nb_violations == SHOWN_VIOLATIONS)
		chip_say("more violations are counted only");
	app->nb_violations++;
	if (kind != PW_VIOL_DMA || app->server.dma.nb_fileless == 0 || app->hinted)
		return;
	app->hinted = true;
	chip_say("%u pieces of the client's memory came without a file descriptor and cannot be "
		 "reached: is share=on missing?", app->server.dma.nb_fileless);
}

static void
on_trace(void *ctx, const char *text)
{
	struct chip_app *app = ctx;
	uint64_t ns = pw_clock_now(&pw_clock_real) - app->start_ns;

	fprintf(app->trace, "%" PRIu64 ".%06" PRIu64 " %s\n", ns / 1000000000,
		ns % 1000000000 / 1000, text);
}

static void
on_idle(void *ctx)
{
	struct chip_app *app = ctx;

	if (app->trace != NULL)
		fflush(app->trace);
}

/* --- set-up, and its reverse --------------------------------------------------------------- */

static int
open_trace(struct chip_app *app)
{
	const char *path = app->args.trace;

	app->start_ns = pw_clock_now(&pw_clock_real);
	if (path == NULL)
		return 0;
	app->trace = strcmp(path, "-") == 0 ? stdout : fopen(path, "we");
	if (app->trace == NULL) {
		int rc = -errno;

		chip_say("--trace %s: cannot write it: %s", path, strerror(-rc));
		return rc;
	}
	return 0;
}

static void
on_wire_trouble(void *ctx, const char *text)
{
	(void)ctx;
	chip_say("%s", text);
}

static int
open_wire(struct chip_app *app)
{
	struct pw_wire_opts opts = { .paced = app->args.pace, .say = on_wire_trouble };
	char err[256] = "";
	int rc;

	if (app->args.wire == NULL)
		return 0;
	rc = pw_wire_open(app->args.wire, &opts, &app->wire, err, sizeof(err));
	if (rc < 0)
		chip_say("--wire %s: %s", app->args.wire, err[0] != '\0' ? err : strerror(-rc));
	return rc;
}

static int
make_model(struct chip_app *app)
{
	struct pw_model_opts opts = {
		.chip = app->args.chip,
		.mac = app->args.has_mac ? app->args.mac : NULL,
		.wire = app->wire,
		.autoneg_ns = app->args.autoneg_ns,
		.irq = on_irq,
		.violation = on_violation,
		.trace = app->trace != NULL ? on_trace : NULL,
		.ctx = app,
	};
	unsigned int i;
	int rc = pw_model_create(&opts, &app->model);

	if (rc < 0) {
		chip_say("cannot make a %s: %s", app->args.chip, strerror(-rc));
		return rc;
	}
	for (i = 0; i < app->args.nb_faults; i++) {
		rc = pw_model_fault(app->model, app->args.fault[i].fault, app->args.fault[i].arg);
		if (rc < 0) {
			chip_say("--fault %s: the %s cannot do that",
				 pw_fault_name(app->args.fault[i].fault), app->args.chip);
			return rc;
		}
	}
	return chip_server_init(&app->server, app->model);
}

static void
say_listen(const char *option, const char *path, int rc)
{
	if (rc == -EADDRINUSE)
		chip_say("%s %s: another process listens there", option, path);
	else if (rc == -EEXIST)
		chip_say("%s %s: this is a file, and no socket: remove it or choose another path",
			 option, path);
	else
		chip_say("%s %s: cannot listen there: %s", option, path, strerror(-rc));
}

static int
open_sockets(struct chip_app *app)
{
	int rc = chip_control_open(&app->control, app->args.control, &app->server);

	if (rc < 0) {
		say_listen("--control", app->args.control, rc);
		return rc;
	}
	app->loop.listen_fd = chip_listen(app->args.socket);
	if (app->loop.listen_fd < 0) {
		say_listen("--socket", app->args.socket, app->loop.listen_fd);
		return app->loop.listen_fd;
	}
	return 0;
}

static int
set_up(struct chip_app *app)
{
	int rc;

	app->control.listen_fd = -1;
	app->loop.listen_fd = -1;
	rc = open_trace(app);
	if (rc == 0)
		rc = open_wire(app);
	if (rc == 0)
		rc = make_model(app);
	if (rc == 0)
		rc = open_sockets(app);
	return rc;
}

/* As far as it was set up. */
static void
tear_down(struct chip_app *app)
{
	if (app->loop.listen_fd >= 0) {
		close(app->loop.listen_fd);
		unlink(app->args.socket);
	}
	chip_control_close(&app->control);
	pw_model_destroy(app->model);
	pw_wire_close(app->wire);
	if (app->trace != NULL && app->trace != stdout)
		fclose(app->trace);
}

/* Signals come only while waiting, so that none is lost between test and wait. */
static void
catch_signals(sigset_t *during)
{
	struct sigaction sa = { .sa_handler = on_signal };
	sigset_t block;

	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGINT, &sa, NULL);
	sigemptyset(&block);
	sigaddset(&block, SIGTERM);
	sigaddset(&block, SIGINT);
	sigprocmask(SIG_BLOCK, &block, during);
	sigdelset(during, SIGTERM);
	sigdelset(during, SIGINT);
	signal(SIGPIPE, SIG_IGN);
}

static void
summary(const struct chip_app *app)
{
	char violations[192];

	chip_control_violations(app->model, violations, sizeof(violations));
	printf("pollwire-chip: %s: %" PRIu64 " clients, %" PRIu64 " register reads, %" PRIu64
	       " writes, %" PRIu64 " interrupts, %" PRIu64 " messages refused, %s violations\n",
	       app->args.chip, app->server.nb_clients, pw_model_reg_reads(app->model),
	       pw_model_reg_writes(app->model), app->server.irqs.fired, app->server.nb_refused,
	       violations);
}

static int
serve(struct chip_app *app)
{
	sigset_t during;
	int rc;

	catch_signals(&during);
	prctl(PR_SET_TIMERSLACK, TIMER_SLACK_NS);
	printf("pollwire-chip: %s listens on %s\n", app->args.chip, app->args.socket);
	fflush(stdout);
	app->loop.server = &app->server;
	app->loop.control = &app->control;
	app->loop.wire = app->wire;
	app->loop.idle = on_idle;
	app->loop.ctx = app;
	rc = chip_loop_run(&app->loop, &stop, &during);
	if (rc < 0)
		chip_say("cannot wait for events: %s", strerror(-rc));
	summary(app);
	if (rc == 0 && app->args.strict && pw_model_violations(app->model, PW_VIOL_MAX) != 0)
		return EXIT_VIOLATIONS;
	return rc == 0 ? 0 : 1;
}

int
main(int argc, char **argv)
{
	static struct chip_app app;
	char err[256] = "";
	int rc = chip_args_parse(argc, argv, &app.args, err, sizeof(err));

	if (rc < 0) {
		chip_say("%s", err);
		return EXIT_USAGE;
	}
	if (rc > 0)
		return 0;
	rc = set_up(&app) == 0 ? serve(&app) : 1;
	tear_down(&app);
	return rc;
}
