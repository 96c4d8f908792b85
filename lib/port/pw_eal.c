/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * Starting EAL with choices made for the user. What the user says in `extra` takes the place of
 * our own option of the same kind, since EAL refuses some options that are given twice.
 */

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_common.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_version.h>

#include "pw_capture.h"
#include "pw_machine.h"
#include "pw_port.h"
#include "pw_port_spec.h"

#define MAX_ARGS 256
#define MAX_LCORES_TEXT 4096

struct args {
	int argc;
	char *argv[MAX_ARGS + 1];
	bool failed;	/* out of memory or of room */
};

static void
args_add(struct args *a, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	if (a->argc == MAX_ARGS || vasprintf(&a->argv[a->argc], format, ap) < 0)
		a->failed = true;
	else
		a->argv[++a->argc] = NULL;
	va_end(ap);
}

static void
args_free(struct args *a)
{
	while (a->argc > 0)
		free(a->argv[--a->argc]);
}

static void
args_add_words(struct args *a, const char *words)
{
	size_t len;

	for (; *words != '\0'; words += len) {
		words += strspn(words, " \t\n");
		len = strcspn(words, " \t\n");
		if (len > 0)
			args_add(a, "%.*s", (int)len, words);
	}
}

/* Whether one of the words of `extra` is or begins with one of `options`. */
static bool
mentions(const char *extra, const char *const *options)
{
	const char *p = extra != NULL ? extra : "";
	size_t len;

	for (; *p != '\0'; p += len) {
		const char *const *o;

		p += strspn(p, " \t\n");
		len = strcspn(p, " \t\n");
		for (o = options; *o != NULL; o++)
			if (strncmp(p, *o, strlen(*o)) == 0)
				return true;
	}
	return false;
}

static const char *const lcore_options[] = {
	"-c", "-l", "--lcores", "-s", "-S", "--main-lcore", NULL
};
static const char *const size_options[] = {"-m", "--socket-mem", NULL};
static const char *const iova_options[] = {"--iova-mode", NULL};
/* EAL would print pages of help and end the program. */
static const char *const help_options[] = {"-h", "--help", NULL};
static const char *const memory_options[] = {
	"--no-huge", "--in-memory", "--huge-", "--legacy-mem", "--file-prefix", "--proc-type",
	"--single-file-segments", "--no-shconf", NULL
};

/* The CPUs to use: the caller's list, checked, or the first of those allowed. */
static int
choose_cpus(const struct pw_eal_opts *opts, unsigned int *cpus, char *err, size_t errlen)
{
	unsigned int allowed[PW_MAX_CPUS], i, j, nb_allowed = pw_cpus_allowed(allowed);
	char text[256];
	int nb;

	if (opts->cpus == NULL) {
		nb = RTE_MIN(RTE_MAX(opts->workers, 1u), nb_allowed);
		memcpy(cpus, allowed, nb * sizeof(cpus[0]));
		return nb;
	}
	nb = pw_cpu_list_parse(opts->cpus, cpus);
	if (nb < 0) {
		snprintf(err, errlen, "CPU list '%s': want numbers and ranges, as in 2,4-5",
			 opts->cpus);
		return nb;
	}
	for (i = 0; i < (unsigned int)nb; i++) {
		for (j = 0; j < nb_allowed && allowed[j] != cpus[i]; j++)
			;
		if (j < nb_allowed)
			continue;
		pw_cpu_list_format(allowed, nb_allowed, text, sizeof(text));
		snprintf(err, errlen, "CPU list '%s': CPU %u is not among those this process may "
			 "use (%s)", opts->cpus, cpus[i], text);
		return -EINVAL;
	}
	return nb;
}

static int
add_lcores(struct args *a, const struct pw_eal_opts *opts, char *err, size_t errlen)
{
	unsigned int allowed[PW_MAX_CPUS], cpus[PW_MAX_CPUS];
	unsigned int nb_allowed = pw_cpus_allowed(allowed);
	int nb = choose_cpus(opts, cpus, err, errlen);
	char text[MAX_LCORES_TEXT];

	if (nb <= 0)
		return nb;
	pw_lcores_format(allowed, nb_allowed, cpus, nb, opts->workers, text, sizeof(text));
	args_add(a, "--lcores=%s", text);
	return 0;
}

/*
 * Hugepages if there are enough for us and we may have them, else ordinary memory.
 * @return whether it is ordinary memory, which has no physical addresses.
 */
static bool
add_memory(struct args *a, const struct pw_eal_opts *opts, char *note, size_t notelen)
{
	uint32_t want = opts->mem_mb != 0 ? opts->mem_mb : PW_EAL_MEM_MB;
	uint64_t have = pw_hugepages_free_mb("/sys");

	if (mentions(opts->extra, memory_options))
		return false;
	if (have >= want && pw_hugepages_permitted("/sys")) {
		args_add(a, "--in-memory");
		snprintf(note, notelen, "memory: hugepages");
		return false;
	}
	args_add(a, "--no-huge");
	args_add(a, "--no-shconf");
	if (!mentions(opts->extra, size_options)) {
		args_add(a, "-m");
		args_add(a, "%u", want);
	}
	if (have >= want)
		snprintf(note, notelen, "memory: ordinary, %u MiB (no permission for hugepages)",
			 want);
	else
		snprintf(note, notelen, "memory: ordinary, %u MiB (hugepages free: %lu MiB)", want,
			 have);
	return true;
}

/* Cards are allowed one by one, so that EAL touches no other program's. */
static bool
add_devices(struct args *a, const struct pw_eal_opts *opts)
{
	struct pw_spec spec;
	bool pci = false;
	unsigned int i;
	char none[1];

	for (i = 0; i < opts->nb_ports; i++) {
		if (pw_spec_parse(opts->ports[i], &spec, none, sizeof(none)) != 0 ||
		    spec.kind != PW_SPEC_PCI)
			continue;
		args_add(a, "-a");
		args_add(a, spec.args[0] != '\0' ? "%s,%s" : "%s", spec.name, spec.args);
		pci = true;
	}
	if (!pci)
		args_add(a, "--no-pci");
	return pci;
}

/* "DPDK 22.11.11" and 22.11: another minor release has the same interfaces, another month not. */
static int
check_release(char *err, size_t errlen)
{
	unsigned int year = 0, month = 0;

	if (sscanf(rte_version(), "%*s %u.%u", &year, &month) == 2 && year == RTE_VER_YEAR &&
	    month == RTE_VER_MONTH)
		return 0;
	snprintf(err, errlen, "built for DPDK %u.%02u, but this is %s: build again",
		 (unsigned int)RTE_VER_YEAR, (unsigned int)RTE_VER_MONTH, rte_version());
	return -ENOEXEC;
}

/*
 * getopt keeps its place in static variables that the caller may be using, and EAL moves the
 * entries of argv about, even over each other.
 */
static int
eal_init(const struct args *a)
{
	char *argv[MAX_ARGS + 1];
	int save_opterr = opterr, save_optind = optind, save_optopt = optopt;
	char *save_optarg = optarg;
	int ret;

	memcpy(argv, a->argv, sizeof(argv));
	opterr = 0;
	ret = rte_eal_init(a->argc, argv);
	opterr = save_opterr;
	optind = save_optind;
	optopt = save_optopt;
	optarg = save_optarg;
	return ret < 0 ? -(rte_errno != 0 ? rte_errno : EIO) : 0;
}

static int
start(const struct args *a, const char *users, char *err, size_t errlen)
{
	struct pw_capture capture;
	bool blame = users != NULL && users[0] != '\0';
	char reason[256];
	int ret;

	pw_capture_begin(&capture);
	ret = eal_init(a);
	if (ret == 0) {
		pw_capture_replay(&capture);
		return 0;
	}
	pw_capture_reason(&capture, reason, sizeof(reason));
	if (ret == -EALREADY)
		snprintf(err, errlen, "EAL runs already");
	else
		snprintf(err, errlen, "EAL does not start: %s%s%s%s",
			 reason[0] != '\0' ? reason : strerror(-ret),
			 blame ? " (with the options '" : "", blame ? users : "",
			 blame ? "')" : "");
	return ret;
}

int
pw_eal_start(const struct pw_eal_opts *opts, char *note, size_t notelen, char *err, size_t errlen)
{
	struct args a = {.argc = 0};
	char none[1];
	bool pci, ordinary;
	int ret;

	if (note == NULL) {
		note = none;
		notelen = sizeof(none);
	}
	if (notelen > 0)
		note[0] = '\0';
	ret = check_release(err, errlen);
	if (ret != 0)
		return ret;

	if (mentions(opts->extra, help_options)) {
		snprintf(err, errlen, "EAL does not start: '%s' has --help in it (dpdk-testpmd "
			 "--help lists EAL's options)", opts->extra);
		return -EINVAL;
	}

	args_add(&a, "%s", opts->prog != NULL ? opts->prog : "pollwire");
	/* Its chatter about cores and pages is for those who ask with --log-level. */
	args_add(&a, "--log-level=lib.eal:warning");
	args_add(&a, "--no-telemetry");
	if (!mentions(opts->extra, lcore_options))
		ret = add_lcores(&a, opts, err, errlen);
	if (ret != 0)
		goto out;
	ordinary = add_memory(&a, opts, note, notelen);
	pci = add_devices(&a, opts);
	/* Models and virtual devices need no physical addresses; cards under no IOMMU do. */
	if (!mentions(opts->extra, iova_options) && (!pci || ordinary))
		args_add(&a, "--iova-mode=va");
	if (opts->extra != NULL)
		args_add_words(&a, opts->extra);
	if (a.failed) {
		snprintf(err, errlen, "EAL does not start: too many options, or out of memory");
		ret = -ENOMEM;
		goto out;
	}
	ret = start(&a, opts->extra, err, errlen);
out:
	args_free(&a);
	return ret;
}

int
pw_eal_start_argv(int argc, char *const argv[], char *err, size_t errlen)
{
	struct args a = {.argc = 0};
	int i, ret = check_release(err, errlen);

	if (ret != 0)
		return ret;
	for (i = 0; i < argc; i++)
		args_add(&a, "%s", argv[i]);
	if (a.failed) {
		snprintf(err, errlen, "EAL does not start: too many options, or out of memory");
		ret = -ENOMEM;
	} else {
		ret = start(&a, NULL, err, errlen);
	}
	args_free(&a);
	return ret;
}

void
pw_eal_stop(void)
{
	rte_eal_cleanup();
}
