/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"

#define AUTONEG_DEFAULT_MS 100
#define AUTONEG_MAX_MS 60000

static int
fail(char *err, size_t errlen, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err, errlen, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

static void
print_help(void)
{
	const char *name;
	unsigned int i;

	printf("usage: pollwire-chip --chip CHIP --socket PATH [OPTION]...\n"
	       "Serves a model of a network card over a vfio-user socket, for QEMU's\n"
	       "vfio-user-pci (10.1 or newer) or another client.\n\n"
	       "  --chip CHIP        which card, see below\n"
	       "  --socket PATH      where to listen\n"
	       "  --wire SPEC        tap:IFNAME, pcap:in=FILE,out=FILE or shm:NAME\n"
	       "  --mac MAC          station address (default: one of the model's own)\n"
	       "  --pace             keep the line rate\n"
	       "  --autoneg MS       how long autonegotiation takes (default: %d)\n"
	       "  --fault NAME[=N]   set a fault switch; may be repeated\n"
	       "  --control PATH     socket for commands while running (\"help\" lists them)\n"
	       "  --trace FILE       write each register access and DMA (- is standard output)\n"
	       "  --strict           exit with 3 if the driver did what it must not\n"
	       "  --help, --version\n", AUTONEG_DEFAULT_MS);
	printf("\nchips:");
	for (i = 0; (name = pw_model_chip_name(i)) != NULL; i++)
		printf(" %s", name);
	printf("\nfault switches:");
	for (i = 0; (name = pw_fault_name(i)) != NULL; i++)
		printf(" %s", name);
	printf("\n");
}

static int
parse_mac(const char *text, struct chip_args *a, char *err, size_t errlen)
{
	static const uint8_t zero[6];
	unsigned int i;
	int n = 0;

	if (sscanf(text, "%2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx%n", &a->mac[0], &a->mac[1],
		   &a->mac[2], &a->mac[3], &a->mac[4], &a->mac[5], &n) != 6 || text[n] != '\0')
		return fail(err, errlen, "--mac %s: not six hexadecimal numbers with colons", text);
	for (i = 0; text[i] != '\0'; i++)
		if (strchr("0123456789abcdefABCDEF:", text[i]) == NULL)
			return fail(err, errlen, "--mac %s: not a MAC address", text);
	if ((a->mac[0] & 1) != 0 || memcmp(a->mac, zero, sizeof(zero)) == 0)
		return fail(err, errlen, "--mac %s: no station has this address, it is %s", text,
			    (a->mac[0] & 1) != 0 ? "a group's" : "zero");
	a->has_mac = true;
	return 0;
}

int
chip_args_number(const char *text, unsigned long max, unsigned long *v)
{
	char *end = NULL;

	errno = 0;
	*v = strtoul(text, &end, 0);
	return errno != 0 || end == text || *end != '\0' || *text == '-' || *v > max ? -EINVAL : 0;
}

static int
parse_fault(const char *text, struct chip_args *a, char *err, size_t errlen)
{
	const char *eq = strchr(text, '=');
	unsigned long arg = 1;
	char name[32];
	int fault;

	snprintf(name, sizeof(name), "%.*s", eq == NULL ? (int)strlen(text) : (int)(eq - text),
		 text);
	fault = pw_fault_by_name(name);
	if (fault < 0)
		return fail(err, errlen, "--fault %s: no such switch (--help lists them)", text);
	if (eq != NULL && chip_args_number(eq + 1, UINT32_MAX, &arg) < 0)
		return fail(err, errlen, "--fault %s: not a number behind =", text);
	if (a->nb_faults == CHIP_MAX_FAULTS)
		return fail(err, errlen, "--fault %s: too many", text);
	a->fault[a->nb_faults].fault = (enum pw_fault)fault;
	a->fault[a->nb_faults++].arg = (uint32_t)arg;
	return 0;
}

static int
parse_autoneg(const char *text, struct chip_args *a, char *err, size_t errlen)
{
	unsigned long ms;

	if (chip_args_number(text, AUTONEG_MAX_MS, &ms) < 0)
		return fail(err, errlen, "--autoneg %s: not 0..%d milliseconds", text,
			    AUTONEG_MAX_MS);
	a->autoneg_ns = ms * UINT64_C(1000000);
	return 0;
}

static int
check(const struct chip_args *a, char *err, size_t errlen)
{
	const char *name;
	unsigned int i;

	if (a->chip == NULL)
		return fail(err, errlen, "--chip is missing (--help lists the chips)");
	if (a->socket == NULL)
		return fail(err, errlen, "--socket is missing");
	for (i = 0; (name = pw_model_chip_name(i)) != NULL; i++)
		if (strcmp(name, a->chip) == 0)
			return 0;
	return fail(err, errlen, "--chip %s: there is no such model (--help lists them)", a->chip);
}

enum { OPT_CHIP = 1, OPT_SOCKET, OPT_WIRE, OPT_MAC, OPT_PACE, OPT_AUTONEG, OPT_FAULT, OPT_CONTROL,
       OPT_TRACE, OPT_STRICT, OPT_HELP, OPT_VERSION };

static const struct option options[] = {
	{ "chip", required_argument, NULL, OPT_CHIP },
	{ "socket", required_argument, NULL, OPT_SOCKET },
	{ "wire", required_argument, NULL, OPT_WIRE },
	{ "mac", required_argument, NULL, OPT_MAC },
	{ "pace", no_argument, NULL, OPT_PACE },
	{ "autoneg", required_argument, NULL, OPT_AUTONEG },
	{ "fault", required_argument, NULL, OPT_FAULT },
	{ "control", required_argument, NULL, OPT_CONTROL },
	{ "trace", required_argument, NULL, OPT_TRACE },
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ "help", no_argument, NULL, OPT_HELP },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ NULL, 0, NULL, 0 },
};

/* A wire inside this process could have no other end. */
static int
parse_wire(const char *text, struct chip_args *a, char *err, size_t errlen)
{
	if (strchr(text, ':') == NULL) {
		snprintf(err, errlen,
			 "--wire %s: want tap:IFNAME, pcap:in=FILE,out=FILE or shm:NAME", text);
		return -EINVAL;
	}
	a->wire = text;
	return 0;
}

static int
one_option(int opt, struct chip_args *a, char *err, size_t errlen)
{
	switch (opt) {
	case OPT_CHIP:
		a->chip = optarg;
		return 0;
	case OPT_SOCKET:
		a->socket = optarg;
		return 0;
	case OPT_WIRE:
		return parse_wire(optarg, a, err, errlen);
	case OPT_MAC:
		return parse_mac(optarg, a, err, errlen);
	case OPT_PACE:
		a->pace = true;
		return 0;
	case OPT_AUTONEG:
		return parse_autoneg(optarg, a, err, errlen);
	case OPT_FAULT:
		return parse_fault(optarg, a, err, errlen);
	case OPT_CONTROL:
		a->control = optarg;
		return 0;
	case OPT_TRACE:
		a->trace = optarg;
		return 0;
	case OPT_STRICT:
		a->strict = true;
		return 0;
	case OPT_HELP:
		print_help();
		return 1;
	case OPT_VERSION:
		printf("pollwire-chip %s\n", POLLWIRE_VERSION);
		return 1;
	}
	return -EINVAL;
}

int
chip_args_parse(int argc, char **argv, struct chip_args *args, char *err, size_t errlen)
{
	int opt, rc;

	*args = (struct chip_args){ .autoneg_ns = AUTONEG_DEFAULT_MS * UINT64_C(1000000) };
	optind = 1;
	opterr = 0;
	while ((opt = getopt_long(argc, argv, ":", options, NULL)) != -1) {
		if (opt == ':')
			return fail(err, errlen, "%s: its value is missing", argv[optind - 1]);
		if (opt == '?')
			return fail(err, errlen, "%s: unknown option (try --help)",
				    argv[optind - 1]);
		rc = one_option(opt, args, err, errlen);
		if (rc != 0)
			return rc;
	}
	if (optind < argc)
		return fail(err, errlen, "%s: unexpected argument (try --help)", argv[optind]);
	return check(args, err, errlen);
}
