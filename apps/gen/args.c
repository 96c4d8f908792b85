/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"

const char gen_help[] =
	"usage: pollwire-gen --tx PORT --rx PORT [options]\n"
	"       pollwire-gen --rfc2544 --tx PORT --rx PORT [options]\n"
	"       pollwire-gen EAL OPTIONS -- options\n"
	"Sends numbered UDP packets and tells what became of them.\n"
	"  --tx PORT --rx PORT  send here, expect there; may be the same; may be repeated\n"
	"  --rate RATE        50%, 100kpps, 10Mbps (frames with FCS), 10Mbps-l1 (with preamble\n"
	"                     and gap) or max (default)\n"
	"  --size SIZE        64, 64-1518 or imix: bytes with FCS (default 64)\n"
	"  --count N          packets of each flow\n"
	"  --time S           seconds (neither --count nor --time: until interrupted)\n"
	"  --link-wait S      how long to wait for the links (default 5)\n"
	"  --drain S          how long to wait for a packet that is on its way (default 0.5)\n"
	"  --catch-up MS      how far back what could not be sent in time is made up for\n"
	"                     (default 10; with --rfc2544 64 packets' time)\n"
	"  --vlan ID          tag the frames; 0 to 4094\n"
	"  --src-mac, --dst-mac MAC   --src-ip, --dst-ip IPV4   --sport, --dport PORT\n"
	"  --seed N           decides the order of sizes (default 1)\n"
	"  --cksum auto|sw    checksums by the port if it can, or never\n"
	"  --check            compare what arrives with what was sent, verify checksums\n"
	"  --allow-loss       lost packets are no failure\n"
	"  --tolerance PCT    a rate that is further off is a failure\n"
	"Throughput search (RFC 2544, section 26.1):\n"
	"  --rfc2544          find the highest rate without loss, then the latency at half of it\n"
	"  --sizes LIST       frame sizes (default 64,128,256,512,1024,1280,1518)\n"
	"  --trial S          seconds of a trial (default 1; RFC 2544 asks for 60)\n"
	"  --resolution PCT   of the wire's maximum (default 1)\n";

enum {
	OPT_TX = APP_OPT_OWN,
	OPT_RX,
	OPT_RATE,
	OPT_SIZE,
	OPT_COUNT,
	OPT_TIME,
	OPT_LINK_WAIT,
	OPT_DRAIN,
	OPT_CATCH_UP,
	OPT_VLAN,
	OPT_SRC_MAC,
	OPT_DST_MAC,
	OPT_SRC_IP,
	OPT_DST_IP,
	OPT_SPORT,
	OPT_DPORT,
	OPT_SEED,
	OPT_CKSUM,
	OPT_CHECK,
	OPT_ALLOW_LOSS,
	OPT_TOLERANCE,
	OPT_RFC2544,
	OPT_SIZES,
	OPT_TRIAL,
	OPT_RESOLUTION,
};

static const struct option table[] = {
	{"tx", required_argument, NULL, OPT_TX},
	{"rx", required_argument, NULL, OPT_RX},
	{"rate", required_argument, NULL, OPT_RATE},
	{"size", required_argument, NULL, OPT_SIZE},
	{"count", required_argument, NULL, OPT_COUNT},
	{"time", required_argument, NULL, OPT_TIME},
	{"link-wait", required_argument, NULL, OPT_LINK_WAIT},
	{"drain", required_argument, NULL, OPT_DRAIN},
	{"catch-up", required_argument, NULL, OPT_CATCH_UP},
	{"vlan", required_argument, NULL, OPT_VLAN},
	{"src-mac", required_argument, NULL, OPT_SRC_MAC},
	{"dst-mac", required_argument, NULL, OPT_DST_MAC},
	{"src-ip", required_argument, NULL, OPT_SRC_IP},
	{"dst-ip", required_argument, NULL, OPT_DST_IP},
	{"sport", required_argument, NULL, OPT_SPORT},
	{"dport", required_argument, NULL, OPT_DPORT},
	{"seed", required_argument, NULL, OPT_SEED},
	{"cksum", required_argument, NULL, OPT_CKSUM},
	{"check", no_argument, NULL, OPT_CHECK},
	{"allow-loss", no_argument, NULL, OPT_ALLOW_LOSS},
	{"tolerance", required_argument, NULL, OPT_TOLERANCE},
	{"rfc2544", no_argument, NULL, OPT_RFC2544},
	{"sizes", required_argument, NULL, OPT_SIZES},
	{"trial", required_argument, NULL, OPT_TRIAL},
	{"resolution", required_argument, NULL, OPT_RESOLUTION},
	APP_COMMON_OPTIONS,
	{NULL, 0, NULL, 0},
};

/* What is read first and understood when all is known. */
struct raw {
	const char *size, *sizes;
	bool rate, trial, resolution;
	unsigned int nb_tx, nb_rx;
};

static int
add_port(const char **list, unsigned int *nb, const char *text, char *err)
{
	if (*nb == GEN_MAX_FLOWS) {
		snprintf(err, PW_ERR_LEN, "more than %u flows", GEN_MAX_FLOWS);
		return -EINVAL;
	}
	list[(*nb)++] = text;
	return 0;
}

static int
read_ip(const char *what, const char *text, uint32_t *ip, char *err)
{
	struct in_addr addr;

	if (inet_pton(AF_INET, text, &addr) == 1) {
		*ip = ntohl(addr.s_addr);
		return 0;
	}
	snprintf(err, PW_ERR_LEN, "%s %.64s: want an IPv4 address as 198.18.0.1", what, text);
	return -EINVAL;
}

static int
read_port_number(const char *what, const char *text, uint16_t *port, char *err)
{
	uint64_t v;
	int ret = app_read_count(what, text, 0, UINT16_MAX, &v, err);

	*port = v;
	return ret;
}

static int
read_vlan(const char *text, int *vlan, char *err)
{
	uint64_t v;
	int ret = app_read_count("--vlan", text, 0, 4094, &v, err);

	*vlan = v;
	return ret;
}

static int
read_cksum(const char *text, bool *sw, char *err)
{
	*sw = strcmp(text, "sw") == 0;
	if (*sw || strcmp(text, "auto") == 0)
		return 0;
	snprintf(err, PW_ERR_LEN, "--cksum %.64s: want auto or sw", text);
	return -EINVAL;
}

static int
take(struct gen_args *a, struct raw *raw, int opt, const char *text, char *err)
{
	switch (opt) {
	case OPT_TX:
		return add_port(a->tx, &raw->nb_tx, text, err);
	case OPT_RX:
		return add_port(a->rx, &raw->nb_rx, text, err);
	case OPT_RATE:
		raw->rate = true;
		a->rate_text = text;
		return gen_rate_parse(text, &a->rate, err);
	case OPT_SIZE:
		raw->size = text;
		return 0;
	case OPT_COUNT:
		return app_read_count("--count", text, 1, UINT64_MAX / 2, &a->count, err);
	case OPT_TIME:
		return app_read_real("--time", text, 0.001, 1e7, &a->time_s, err);
	case OPT_LINK_WAIT:
		return app_read_real("--link-wait", text, 0, 86400, &a->link_wait_s, err);
	case OPT_DRAIN:
		return app_read_real("--drain", text, 0, 3600, &a->drain_s, err);
	case OPT_CATCH_UP:
		return app_read_real("--catch-up", text, 0, 1000, &a->catch_up_ms, err);
	case OPT_VLAN:
		return read_vlan(text, &a->frame.vlan, err);
	case OPT_SRC_MAC:
		a->have_src_mac = true;
		return app_read_mac("--src-mac", text, a->frame.src_mac, err);
	case OPT_DST_MAC:
		a->have_dst_mac = true;
		return app_read_mac("--dst-mac", text, a->frame.dst_mac, err);
	case OPT_SRC_IP:
		return read_ip("--src-ip", text, &a->frame.src_ip, err);
	case OPT_DST_IP:
		return read_ip("--dst-ip", text, &a->frame.dst_ip, err);
	case OPT_SPORT:
		return read_port_number("--sport", text, &a->frame.src_port, err);
	case OPT_DPORT:
		return read_port_number("--dport", text, &a->frame.dst_port, err);
	case OPT_SEED:
		return app_read_count("--seed", text, 0, UINT64_MAX, &a->seed, err);
	case OPT_CKSUM:
		return read_cksum(text, &a->sw_cksum, err);
	case OPT_CHECK:
		a->check = true;
		return 0;
	case OPT_ALLOW_LOSS:
		a->allow_loss = true;
		return 0;
	case OPT_TOLERANCE:
		return app_read_real("--tolerance", text, 0, 100, &a->tolerance, err);
	case OPT_RFC2544:
		a->rfc2544 = true;
		return 0;
	case OPT_SIZES:
		raw->sizes = text;
		return 0;
	case OPT_TRIAL:
		raw->trial = true;
		return app_read_real("--trial", text, 0.01, 86400, &a->trial_s, err);
	case OPT_RESOLUTION:
		raw->resolution = true;
		return app_read_real("--resolution", text, 0.001, 50, &a->resolution, err);
	}
	return app_args_common(&a->app, opt, text, err);
}

static int
read_test_sizes(struct gen_args *a, const char *text, char *err)
{
	const char *p = text;
	unsigned long size;
	char *end;

	for (;;) {
		size = *p >= '0' && *p <= '9' ? strtoul(p, &end, 10) : 0;
		if (size < GEN_MIN_SIZE || size > GEN_MAX_SIZE || (*end != ',' && *end != '\0')) {
			snprintf(err, PW_ERR_LEN, "--sizes %.64s: want sizes from %u to %u bytes, "
				 "separated by commas", text, GEN_MIN_SIZE, GEN_MAX_SIZE);
			return -EINVAL;
		}
		if (a->nb_tests == GEN_MAX_TESTS) {
			snprintf(err, PW_ERR_LEN, "--sizes %.64s: more than %u", text,
				 GEN_MAX_TESTS);
			return -EINVAL;
		}
		a->test_size[a->nb_tests++] = size;
		if (*end == '\0')
			return 0;
		p = end + 1;
	}
}

/* What goes together and what does not. */
static int
finish(struct gen_args *a, const struct raw *raw, char *err)
{
	const char *wrong = NULL;

	if (raw->nb_tx == 0 || raw->nb_rx != raw->nb_tx) {
		snprintf(err, PW_ERR_LEN, "every --tx wants its --rx: there are %u and %u",
			 raw->nb_tx, raw->nb_rx);
		return -EINVAL;
	}
	a->nb_flows = raw->nb_tx;
	if (!a->rfc2544) {
		wrong = raw->sizes != NULL ? "--sizes" : raw->trial ? "--trial" :
			raw->resolution ? "--resolution" : NULL;
		if (wrong != NULL) {
			snprintf(err, PW_ERR_LEN, "%s goes with --rfc2544 only", wrong);
			return -EINVAL;
		}
		return gen_sizes_parse(raw->size != NULL ? raw->size : "64", a->seed, &a->sizes,
				       err);
	}
	wrong = raw->rate ? "--rate" : raw->size != NULL ? "--size" : a->count != 0 ? "--count" :
		a->time_s != 0 ? "--time" : a->tolerance >= 0 ? "--tolerance" :
		a->allow_loss ? "--allow-loss" : a->nb_flows > 1 ? "more than one --tx" : NULL;
	if (wrong != NULL) {
		snprintf(err, PW_ERR_LEN, "%s does not go with --rfc2544", wrong);
		return -EINVAL;
	}
	return read_test_sizes(a, raw->sizes != NULL ? raw->sizes :
			       "64,128,256,512,1024,1280,1518", err);
}

int
gen_args_parse(struct gen_args *a, int argc, char **argv, char *err)
{
	struct raw raw = {.size = NULL};
	int opt, ret;

	memset(a, 0, sizeof(*a));
	app_opts_init(&a->app);
	a->rate_text = "max";
	a->link_wait_s = 5;
	a->drain_s = 0.5;
	a->catch_up_ms = -1;
	a->seed = 1;
	a->tolerance = -1;
	a->trial_s = 1;
	a->resolution = 1;
	a->frame = (struct gen_frame_conf){
		/* Networks set apart for benchmarks (RFC 2544 appendix C.2.2); port "discard". */
		.src_ip = 0xc6120001,	/* 198.18.0.1 */
		.dst_ip = 0xc6130001,	/* 198.19.0.1 */
		.src_port = 49152,
		.dst_port = 9,
		.vlan = -1,
	};
	app_args_split(&a->app, &argc, &argv);
	optind = 0;
	while ((opt = app_args_next(argc, argv, table, err)) != -1) {
		if (opt == '?')
			return -EINVAL;
		if (opt == APP_OPT_HELP || opt == APP_OPT_VERSION) {
			a->help = opt == APP_OPT_HELP;
			a->version = opt == APP_OPT_VERSION;
			return 0;
		}
		ret = take(a, &raw, opt, optarg, err);
		if (ret != 0)
			return ret;
	}
	return finish(a, &raw, err);
}
