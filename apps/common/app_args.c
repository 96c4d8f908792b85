/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_args.h"

const char app_common_help[] =
	"  --lcores LIST      CPUs for packet work, as 2 or 2,3 (default: the first allowed)\n"
	"  --mem MIB          memory for buffers, in MiB\n"
	"  --rxd N, --txd N   descriptors of the rings\n"
	"  --burst N          packets handled at a time (default 32)\n"
	"  --json FILE        write the final report as JSON; - is standard output\n"
	"  --stats S          seconds between lines of statistics (default 1; 0: none)\n"
	"  --eal \"OPTIONS\"    more options for DPDK's EAL\n"
	"  --help, --version\n"
	"A PORT is a PCI address (0000:02:00.0), a chip in software (sim:82540em,wire=NAME), any\n"
	"virtual device (vdev:net_pcap0,iface=eth0), or, where DPDK's own style is used\n"
	"(EAL options -- options), the number or name of a port.\n";

void
app_opts_init(struct app_opts *opts)
{
	memset(opts, 0, sizeof(*opts));
	opts->burst = APP_DEFAULT_BURST;
	opts->stats_s = 1;
}

void
app_args_split(struct app_opts *opts, int *argc, char ***argv)
{
	int i;

	for (i = 1; i < *argc; i++) {
		if (strcmp((*argv)[i], "--") != 0)
			continue;
		opts->eal_argc = i;
		opts->eal_argv = *argv;
		*argc -= i;
		*argv += i;
		return;
	}
}

/* A ring's size is checked by the port, which knows its limits: here only that it is one. */
static int
read_u16(const char *what, const char *text, uint16_t min, uint16_t max, uint16_t *value, char *err)
{
	uint64_t v;
	int ret = app_read_count(what, text, min, max, &v, err);

	if (ret == 0)
		*value = v;
	return ret;
}

int
app_args_common(struct app_opts *opts, int opt, const char *text, char *err)
{
	uint64_t v = 0;
	int ret;

	switch (opt) {
	case APP_OPT_EAL:
		opts->eal = text;
		return 0;
	case APP_OPT_LCORES:
		opts->cpus = text;
		return 0;
	case APP_OPT_JSON:
		opts->json = text;
		return 0;
	case APP_OPT_MEM:
		ret = app_read_count("--mem", text, 1, 1024 * 1024, &v, err);
		opts->mem_mb = v;
		return ret;
	case APP_OPT_RXD:
		return read_u16("--rxd", text, 1, UINT16_MAX, &opts->rxd, err);
	case APP_OPT_TXD:
		return read_u16("--txd", text, 1, UINT16_MAX, &opts->txd, err);
	case APP_OPT_BURST:
		return read_u16("--burst", text, 1, APP_MAX_BURST, &opts->burst, err);
	case APP_OPT_STATS:
		return app_read_real("--stats", text, 0, 86400, &opts->stats_s, err);
	}
	snprintf(err, APP_ERR_LEN, "option %d is not common", opt);
	return -EINVAL;
}

int
app_args_next(int argc, char **argv, const struct option *table, char *err)
{
	int word = optind, opt;

	opterr = 0;
	/* "+": words are not moved about; ":": a missing argument is told apart. */
	opt = getopt_long(argc, argv, "+:h", table, NULL);
	if (opt == 'h')
		return APP_OPT_HELP;
	if (opt == -1 && optind < argc) {
		snprintf(err, APP_ERR_LEN, "'%s' is no option (--help lists them)", argv[optind]);
		return '?';
	}
	if (word < 1)
		word = 1;
	if (opt == ':')
		snprintf(err, APP_ERR_LEN, "%s wants an argument (--help tells which)", argv[word]);
	else if (opt == '?' && optopt >= APP_OPT_EAL)
		snprintf(err, APP_ERR_LEN, "%.*s takes no argument",
			 (int)strcspn(argv[word], "="), argv[word]);
	else if (opt == '?')
		snprintf(err, APP_ERR_LEN, "unknown option %s (--help lists them)", argv[word]);
	return opt == ':' ? '?' : opt;
}

static double
multiplier(char suffix)
{
	switch (suffix) {
	case 'k':
	case 'K':
		return 1e3;
	case 'M':
		return 1e6;
	case 'G':
		return 1e9;
	}
	return 0;
}

int
app_read_count(const char *what, const char *text, uint64_t min, uint64_t max, uint64_t *value,
	       char *err)
{
	char low[32], high[32], *end;
	double v;

	errno = 0;
	*value = strtoull(text, &end, 10);
	/* Digits alone keep all their 64 bits; a fraction or a suffix goes through a double. */
	if (strspn(text, "0123456789") != strlen(text)) {
		v = strtod(text, &end);
		if (end != text && multiplier(*end) != 0)
			v *= multiplier(*end++);
		if (!(v >= 0 && v <= 1e18) || v != floor(v))
			end = NULL;
		*value = end != NULL ? (uint64_t)v : 0;
	}
	if (text[0] >= '0' && text[0] <= '9' && end != NULL && *end == '\0' && errno == 0 &&
	    *value >= min && *value <= max)
		return 0;
	snprintf(err, APP_ERR_LEN, "%s %.64s: want a whole number from %s to %s", what, text,
		 app_group(min, low), app_group(max, high));
	return -EINVAL;
}

int
app_read_real(const char *what, const char *text, double min, double max, double *value, char *err)
{
	char *end;

	*value = strtod(text, &end);
	if (end != text && *end == '\0' && *value >= min && *value <= max)
		return 0;
	snprintf(err, APP_ERR_LEN, "%s %.64s: want a number from %g to %g", what, text, min, max);
	return -EINVAL;
}

int
app_read_mac(const char *what, const char *text, uint8_t mac[6], char *err)
{
	int end = 0;

	if (sscanf(text, "%2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx%n", &mac[0], &mac[1], &mac[2],
		   &mac[3], &mac[4], &mac[5], &end) == 6 && text[end] == '\0')
		return 0;
	snprintf(err, APP_ERR_LEN, "%s %.64s: want an address as 02:00:00:00:00:01", what, text);
	return -EINVAL;
}

const char *
app_group(uint64_t value, char text[32])
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%lu", value);
	int i, at = 0;

	for (i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			text[at++] = ',';
		text[at++] = digits[i];
	}
	text[at] = '\0';
	return text;
}
