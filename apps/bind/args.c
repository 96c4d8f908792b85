/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "text.h"

const char pb_help[] =
	"usage: pollwire-bind COMMAND [OPTION]... [DEVICE]...\n"
	"\n"
	"Commands:\n"
	"  status                  every network card, and whether it can be bound (default)\n"
	"  bind DEVICE...          hand cards to programs (driver vfio-pci, or --driver)\n"
	"  unbind DEVICE...        take cards from their driver\n"
	"  restore DEVICE...       give cards back to the driver of the kernel that they had\n"
	"  persist DEVICE...       bind cards at every boot; --remove: no longer\n"
	"  doctor [DEVICE]...      what stands between the cards and a program, and the cure\n"
	"  hugepages [--need 256M] show hugepages; see to it that so much is free\n"
	"  selftest DEVICE [PEER]  EEPROM, link and packets of a card that is bound\n"
	"\n"
	"A DEVICE is a PCI address (0000:02:00.0, 02:00.0), with wildcards ('02:00.*'), or an\n"
	"interface (eth1).\n"
	"\n"
	"Options:\n"
	"      --driver NAME       vfio-pci (default), uio_pci_generic, or one of the kernel's\n"
	"      --force             take a card that is in use\n"
	"      --keep-going        do what can be done; without it all is done or nothing\n"
	"  -n, --dry-run           check all, print the commands, change nothing\n"
	"      --json              for programs: status, doctor, hugepages\n"
	"      --fix               doctor: run the cures that hurt nobody\n"
	"      --need SIZE         hugepages: how much must be free\n"
	"      --size SIZE         hugepages: size of a page (default: the kernel's)\n"
	"      --noiommu-mode      bind: without IOMMU, by vfio's unsafe no-IOMMU mode\n"
	"      --uid ID, --gid ID  bind: give the card's device file to a user, a group\n"
	"      --id VVVV:DDDD      bind: only if the card has these vendor and device ids\n"
	"  -h, --help              this\n"
	"      --version           version\n"
	"\n"
	"As dpdk-devbind.py has them:\n"
	"  -s, --status            status in its form; so does --status-dev net\n"
	"  -b, --bind DRIVER       bind DEVICEs to a driver; none: unbind\n"
	"  -u, --unbind            unbind DEVICEs\n"
	"\n"
	"Exit status: 0 done, 1 failed and undone, 2 wrong command line, 3 refused (in use),\n"
	"4 not all was done; doctor: 5 warnings, 6 something must be cured first.\n";

enum {
	OPT_DRIVER = 0x100,
	OPT_FORCE,
	OPT_KEEP_GOING,
	OPT_JSON,
	OPT_FIX,
	OPT_NEED,
	OPT_SIZE,
	OPT_NOIOMMU,
	OPT_UID,
	OPT_GID,
	OPT_ID,
	OPT_REMOVE,
	OPT_STATUS_DEV,
	OPT_SYSROOT,
	OPT_VERSION,
};

static const struct option table[] = {
	{"bind", required_argument, NULL, 'b'},
	{"driver", required_argument, NULL, OPT_DRIVER},
	{"dry-run", no_argument, NULL, 'n'},
	{"fix", no_argument, NULL, OPT_FIX},
	{"force", no_argument, NULL, OPT_FORCE},
	{"gid", required_argument, NULL, OPT_GID},
	{"help", no_argument, NULL, 'h'},
	{"id", required_argument, NULL, OPT_ID},
	{"json", no_argument, NULL, OPT_JSON},
	{"keep-going", no_argument, NULL, OPT_KEEP_GOING},
	{"need", required_argument, NULL, OPT_NEED},
	{"noiommu-mode", no_argument, NULL, OPT_NOIOMMU},
	{"remove", no_argument, NULL, OPT_REMOVE},
	{"size", required_argument, NULL, OPT_SIZE},
	{"status", no_argument, NULL, 's'},
	{"status-dev", required_argument, NULL, OPT_STATUS_DEV},
	{"sysroot", required_argument, NULL, OPT_SYSROOT},
	{"uid", required_argument, NULL, OPT_UID},
	{"unbind", no_argument, NULL, 'u'},
	{"version", no_argument, NULL, OPT_VERSION},
	{NULL, 0, NULL, 0},
};

static const char *const commands[] = {
	[PB_CMD_STATUS] = "status",
	[PB_CMD_BIND] = "bind",
	[PB_CMD_UNBIND] = "unbind",
	[PB_CMD_RESTORE] = "restore",
	[PB_CMD_PERSIST] = "persist",
	[PB_CMD_DOCTOR] = "doctor",
	[PB_CMD_HUGEPAGES] = "hugepages",
	[PB_CMD_SELFTEST] = "selftest",
	[PB_CMD_HELP] = "help",
	[PB_CMD_VERSION] = "version",
};

#define NB_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static int
wrong(char *err, const char *format, const char *text)
{
	snprintf(err, PB_TEXT_LEN, format, text);
	return -EINVAL;
}

/* What -b and -u ask for. */
static int
classic(struct pb_args *args, const char *driver, char *err)
{
	if (args->classic)
		return wrong(err, "-b and -u: one of them, once%s", "");
	args->classic = true;
	args->driver = driver;
	args->command = strcasecmp(driver, "none") == 0 ? PB_CMD_UNBIND : PB_CMD_BIND;
	return 0;
}

static int
take_owner(long *owner, const char *text, char *err)
{
	char *end;

	errno = 0;
	*owner = strtol(text, &end, 10);
	if (end == text || *end != '\0' || errno != 0 || *owner < 0 || *owner > 0x7ffffffe)
		return wrong(err, "--uid and --gid want a number, not '%s' (id -u, id -g)", text);
	return 0;
}

static int
take_size(uint64_t *size, const char *text, char *err)
{
	if (!pb_size(text, size) || *size == 0)
		return wrong(err, "'%s' is no size: write 256M or 1G", text);
	return 0;
}

static int
take_id(struct pb_args *args, const char *text, char *err)
{
	unsigned int vendor, device;
	int len = 0;

	if (sscanf(text, "%4x:%4x%n", &vendor, &device, &len) != 2 || text[len] != '\0')
		return wrong(err, "--id wants VVVV:DDDD as lspci -n prints it, not '%s'", text);
	args->id = text;
	return 0;
}

static int
take_status_dev(struct pb_args *args, const char *text, char *err)
{
	if (strcmp(text, "net") != 0 && strcmp(text, "all") != 0)
		return wrong(err, "--status-dev %s: only network cards (net) are known here", text);
	args->devbind_status = true;
	return 0;
}

static void
take_flag(struct pb_args *args, int opt)
{
	switch (opt) {
	case 'n':
		args->dry_run = true;
		break;
	case 's':
		args->devbind_status = true;
		break;
	case OPT_FIX:
		args->fix = true;
		break;
	case OPT_FORCE:
		args->force = true;
		break;
	case OPT_JSON:
		args->json = true;
		break;
	case OPT_KEEP_GOING:
		args->keep_going = true;
		break;
	case OPT_NOIOMMU:
		args->noiommu = true;
		break;
	case OPT_REMOVE:
		args->remove = true;
		break;
	case 'h':
		args->command = PB_CMD_HELP;
		break;
	case OPT_VERSION:
		args->command = PB_CMD_VERSION;
		break;
	}
}

static int
take(struct pb_args *args, int opt, char *err)
{
	switch (opt) {
	case 'b':
		return classic(args, optarg, err);
	case 'u':
		return classic(args, "none", err);
	case OPT_DRIVER:
		args->driver = optarg;
		return 0;
	case OPT_GID:
		return take_owner(&args->gid, optarg, err);
	case OPT_ID:
		return take_id(args, optarg, err);
	case OPT_NEED:
		args->need_text = optarg;
		return take_size(&args->need, optarg, err);
	case OPT_SIZE:
		return take_size(&args->page, optarg, err);
	case OPT_STATUS_DEV:
		return take_status_dev(args, optarg, err);
	case OPT_SYSROOT:
		args->sysroot = optarg;
		return 0;
	case OPT_UID:
		return take_owner(&args->uid, optarg, err);
	default:
		take_flag(args, opt);
		return 0;
	}
}

/* The first word, unless -b, -u or -s has said what is to be done. */
static int
take_command(struct pb_args *args, char *err)
{
	const char *word = args->device[0], *meant;
	char all[PB_ADDR_LEN];
	size_t i;

	for (i = 0; i < NB_COMMANDS; i++) {
		if (strcmp(word, commands[i]) != 0)
			continue;
		args->command = i;
		args->device++;
		args->nb_devices--;
		return 0;
	}
	if (pb_address(word, all))
		return wrong(err, "say what to do with %s: status, bind, unbind, restore, ...",
			     word);
	snprintf(err, PB_TEXT_LEN, "there is no command '%s'", word);
	meant = pb_suggest(word, commands, NB_COMMANDS);
	if (meant != NULL)
		pb_add(err, "; did you mean %s?", meant);
	else
		pb_add(err, " (--help lists them)");
	return -EINVAL;
}

/* What makes no sense together. */
static int
check(const struct pb_args *args, char *err)
{
	const char *command = commands[args->command];
	bool many = args->command == PB_CMD_BIND || args->command == PB_CMD_UNBIND ||
		    args->command == PB_CMD_RESTORE || args->command == PB_CMD_PERSIST;

	if ((many || args->command == PB_CMD_SELFTEST) && args->nb_devices == 0)
		return wrong(err, "%s: name a device (pollwire-bind status lists them)", command);
	if (args->command == PB_CMD_HUGEPAGES && args->nb_devices > 0)
		return wrong(err, "hugepages takes no device: what is '%s'?", args->device[0]);
	if (args->driver != NULL && !args->classic && args->command != PB_CMD_BIND &&
	    args->command != PB_CMD_PERSIST)
		return wrong(err, "%s takes no --driver", command);
	if (args->driver != NULL && !pb_is_name(args->driver))
		return wrong(err, "'%.64s' is no driver's name", args->driver);
	if (args->fix && args->command != PB_CMD_DOCTOR)
		return wrong(err, "%s takes no --fix", command);
	if (args->remove && args->command != PB_CMD_PERSIST)
		return wrong(err, "%s takes no --remove", command);
	if ((args->need != 0 || args->page != 0) && args->command != PB_CMD_HUGEPAGES)
		return wrong(err, "%s takes no --need and no --size", command);
	if (args->json && args->command != PB_CMD_STATUS && args->command != PB_CMD_DOCTOR &&
	    args->command != PB_CMD_HUGEPAGES)
		return wrong(err, "%s takes no --json", command);
	return 0;
}

int
pb_args_parse(struct pb_args *args, int argc, char **argv, char *err)
{
	int opt, ret = 0;

	*args = (struct pb_args){.uid = -1, .gid = -1, .sysroot = ""};
	err[0] = '\0';
	opterr = 0;
	optind = 0;
	while (ret == 0 && (opt = getopt_long(argc, argv, ":b:hnsu", table, NULL)) != -1) {
		if (opt == '?' || opt == ':')
			return wrong(err, opt == ':' ? "%s wants an argument (--help tells)" :
				     "no such option, or not so: %s (--help lists them)",
				     argv[optind - 1]);
		ret = take(args, opt, err);
	}
	if (ret != 0 || args->command == PB_CMD_HELP || args->command == PB_CMD_VERSION)
		return ret;
	args->device = argv + optind;
	args->nb_devices = argc - optind;
	if (!args->classic && args->nb_devices > 0 && !args->devbind_status)
		ret = take_command(args, err);
	return ret != 0 ? ret : check(args, err);
}
