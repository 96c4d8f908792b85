/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * pollwire-bind on input of nonsense: command lines, and files of /sys and /proc with content
 * that no kernel writes. With libFuzzer (FUZZ_LIBFUZZER) it invents both; otherwise a fixed
 * sequence of mutations of true content is run. What is asked of it: no crash, no end that is
 * not a return, no write outside the tree, and an exit status that the manual page names.
 */

#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "args.h"
#include "program.h"
#include "sysfs.h"
#include "text.h"

#define MAX_INPUT 4096
#define MAX_WORDS 12

static char tree[64];
static unsigned int nb_writes;

/* A card and a machine; each row is a file that one run spoils. */
static const struct {
	const char *name, *content;
} file[] = {
	{"sys/bus/pci/devices/0000:02:00.0/vendor", "0x8086\n"},
	{"sys/bus/pci/devices/0000:02:00.0/device", "0x10d3\n"},
	{"sys/bus/pci/devices/0000:02:00.0/class", "0x020000\n"},
	{"sys/bus/pci/devices/0000:02:00.0/subsystem_vendor", "0x8086\n"},
	{"sys/bus/pci/devices/0000:02:00.0/driver_override", "(null)\n"},
	{"sys/bus/pci/devices/0000:02:00.0/modalias",
	 "pci:v00008086d000010D3sv0sd0bc02sc00i00\n"},
	{"sys/bus/pci/devices/0000:02:00.0/config",
	 "\x86\x80\xd3\x10\x07\x04\x10\x10" "config space, of which this is the head"},
	{"sys/class/net/eth1/flags", "0x1003\n"},
	{"sys/class/net/eth1/carrier", "1\n"},
	{"sys/class/net/eth1/speed", "1000\n"},
	{"sys/kernel/iommu_groups/7/type", "DMA\n"},
	{"sys/kernel/iommu_groups/7/name", "vfio-noiommu\n"},
	{"sys/kernel/iommu_groups/7/reserved_regions", "0x0fee00000 0x0feefffff msi\n"},
	{"sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "128\n"},
	{"sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "100\n"},
	{"sys/kernel/mm/hugepages/hugepages-2048kB/resv_hugepages", "3\n"},
	{"sys/kernel/security/lockdown", "[none] integrity confidentiality\n"},
	{"sys/module/vfio/parameters/enable_unsafe_noiommu_mode", "N\n"},
	{"proc/cmdline", "root=/dev/sda1 quiet intel_iommu=on iommu=pt -- single\n"},
	{"proc/cpuinfo", "vendor_id : GenuineIntel\nflags : fpu vmx hypervisor\n\n"},
	{"proc/meminfo", "MemAvailable: 6000000 kB\nHugepagesize:       2048 kB\n"},
	{"proc/net/route",
	 "Iface\tDestination\nlo\t0\neth1\t000200C0\t0\t0001\t0\t0\t0\t00FFFFFF\n"},
	{"proc/net/ipv6_route",
	 "20010db8000000000000000000000000 40 00000000000000000000000000000000 00 "
	 "00000000000000000000000000000000 00000100 00000001 00000000 00000001 eth1\n"},
	{"proc/self/limits", "Max locked memory         65536                65536     bytes\n"},
	{"proc/self/mounts",
	 "sysfs /sys sysfs rw 0 0\nhugetlbfs /dev/hugepages hugetlbfs rw,pagesize=2M 0 0\n"},
	{"proc/self/status", "CapEff:\t000001ffffffffff\n"},
	{"proc/sys/kernel/osrelease", "6.1.0\n"},
	{"lib/modules/6.1.0/modules.alias", "alias pci:v00008086d000010D3sv*sd*bc*sc*i* e1000e\n"},
	{"lib/modules/6.1.0/modules.dep", "kernel/x/vfio-pci.ko.xz: kernel/x/vfio.ko.xz\n"},
	{"run/pollwire/0000:02:00.0", "driver=e1000e\ninterface=eth1\n"},
	{"addresses", "eth1 192.0.2.1/24\n"},
};

#define NB_FILES (sizeof(file) / sizeof(file[0]))

static const char *const commands[][3] = {
	{"status"}, {"status", "--json"}, {"-s"}, {"doctor"}, {"doctor", "--json"},
	{"doctor", "--fix"}, {"hugepages"}, {"hugepages", "--need", "64M"},
	{"bind", "02:00.0"}, {"bind", "eth1", "--force"}, {"unbind", "02:00.0"},
	{"restore", "02:00.*"}, {"persist", "02:00.0", "-n"},
};

#define NB_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void
complain(const char *what)
{
	dprintf(STDERR_FILENO, "fuzz_bind: %s\n", what);
	abort();
}

/* The tree */

static void
make(const char *name, const void *content, size_t len)
{
	char path[512], *slash;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", tree, name);
	for (slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	f = fopen(path, "w");
	if (f == NULL || fwrite(content, 1, len, f) != len || fclose(f) != 0)
		complain(path);
}

static void
make_link(const char *target, const char *name)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", tree, name);
	if (symlink(target, path) != 0)
		complain(path);
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void
remove_tree(void)
{
	nftw(tree, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void
make_tree(void)
{
	size_t i;

	snprintf(tree, sizeof(tree), "%s/fuzz-bind-XXXXXX",
		 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/var/tmp");
	if (mkdtemp(tree) == NULL)
		complain("no folder");
	atexit(remove_tree);
	for (i = 0; i < NB_FILES; i++)
		make(file[i].name, file[i].content, strlen(file[i].content));
	make("sys/bus/pci/drivers/e1000e/unbind", "", 0);
	make("sys/bus/pci/drivers/e1000e/bind", "", 0);
	make("sys/bus/pci/drivers/vfio-pci/bind", "", 0);
	make("sys/bus/pci/devices/0000:02:00.0/net/eth1/x", "", 0);
	make_link("../../drivers/e1000e", "sys/bus/pci/devices/0000:02:00.0/driver");
	make_link("../../../../kernel/iommu_groups/7",
		  "sys/bus/pci/devices/0000:02:00.0/iommu_group");
}

static int
watch_write(const char *path, const char *text)
{
	(void)text;
	if (strncmp(path, tree, strlen(tree)) != 0 || strstr(path, "/../") != NULL)
		complain("a write outside the tree");
	nb_writes++;
	return 0;
}

static int
watch_run(const char *const *argv)
{
	(void)argv;
	return 1;
}

/* One input */

static void
check_status(int status)
{
	if (status < 0 || status > 6)
		complain("an exit status that nobody knows");
}

static void
run_command(const char *const words[3])
{
	char text[6][128] = {"pollwire-bind", "--sysroot"}, *argv[7];
	int argc = 3, i;

	snprintf(text[2], sizeof(text[2]), "%s", tree);
	for (i = 0; i < 3 && words[i] != NULL; i++)
		snprintf(text[argc++], sizeof(text[0]), "%s", words[i]);
	for (i = 0; i < argc; i++)
		argv[i] = text[i];
	argv[argc] = NULL;
	check_status(pb_program(argc, argv));
}

/* Words that end with 0 each. */
static void
fuzz_args(const uint8_t *data, size_t len)
{
	char name[] = "pollwire-bind", text[MAX_INPUT + 1], err[PB_TEXT_LEN];
	char *argv[MAX_WORDS + 2] = {name};
	struct pb_args args;
	size_t at = 0;
	int argc = 1;

	memcpy(text, data, len);
	text[len] = '\0';
	while (at < len && argc <= MAX_WORDS) {
		argv[argc++] = text + at;
		at += strlen(text + at) + 1;
	}
	argv[argc] = NULL;
	if (pb_args_parse(&args, argc, argv, err) != 0 &&
	    (err[0] == '\0' || strlen(err) >= PB_TEXT_LEN))
		complain("a refusal without a reason");
}

static void
fuzz_file(size_t which, size_t command, const uint8_t *data, size_t len)
{
	make(file[which].name, data, len);
	run_command(commands[command]);
	make(file[which].name, file[which].content, strlen(file[which].content));
}

static void
one_input(const uint8_t *data, size_t len)
{
	if (len < 2 || len > MAX_INPUT)
		return;
	if (data[0] == 0xff)
		fuzz_args(data + 1, len - 1);
	else
		fuzz_file(data[0] % NB_FILES, data[1] % NB_COMMANDS, data + 2, len - 2);
}

static void
begin(void)
{
	make_tree();
	pb_kernel_write = watch_write;
	pb_kernel_run = watch_run;
	/* A sanitizer writes to the descriptor, what the program says goes nowhere. */
	stderr = fopen("/dev/null", "w");
	if (freopen("/dev/null", "w", stdout) == NULL || stderr == NULL)
		complain("no /dev/null");
}

#ifdef FUZZ_LIBFUZZER

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	begin();
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	one_input(data, len);
	return 0;
}

#else

#define ROUNDS 6000

static uint32_t seed = 2026;

/* Marsaglia's xorshift. */
static uint32_t
draw(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % below;
}

/* A bit, a byte, a piece taken out, repeated, or filled with what parsers stumble over. */
static size_t
mutate(uint8_t *data, size_t len)
{
	static const char *const poison[] = {"%s%n", "-1", "0x", "/../", "99999999999999999999",
					     "\n\n", "\t", "\xff\xfe", " ", "="};
	const char *bad = poison[draw(10)];
	size_t at = len > 0 ? draw(len) : 0, nb;

	switch (draw(6)) {
	case 0:
		data[at] ^= 1 << draw(8);
		return len;
	case 1:
		data[at] = draw(256);
		return len;
	case 2:
		return at;
	case 3:
		if (len == 0 || len * 2 > MAX_INPUT)
			return len;
		memcpy(data + len, data, len);
		return len * 2;
	case 4:
		nb = draw(1500);
		memset(data, "A0:\n /"[draw(6)], nb);
		return nb;
	default:
		if (len + strlen(bad) > MAX_INPUT)
			return len;
		memmove(data + at + strlen(bad), data + at, len - at);
		memcpy(data + at, bad, strlen(bad));
		return len + strlen(bad);
	}
}

static size_t
true_args(uint8_t *data)
{
	static const char line[] = "bind\0" "0000:02:00.0\0--driver\0vfio-pci\0--uid\0" "1000\0"
				   "--id\0" "8086:10d3\0-n\0--keep-going";

	memcpy(data, line, sizeof(line));
	return sizeof(line);
}

int
main(void)
{
	static uint8_t data[2 * MAX_INPUT + 2];
	size_t len;
	int round, n;

	begin();
	for (round = 0; round < ROUNDS; round++) {
		data[0] = round % 4 == 0 ? 0xff : draw(NB_FILES);
		data[1] = draw(NB_COMMANDS);
		if (data[0] == 0xff) {
			len = true_args(data + 1) + 1;
		} else {
			len = strlen(file[data[0]].content);
			memcpy(data + 2, file[data[0]].content, len);
			len += 2;
		}
		for (n = draw(4); n >= 0; n--)
			len = 2 + mutate(data + 2, len - 2);
		one_input(data, len);
	}
	/* A run that reached nothing proves nothing. */
	return nb_writes > 100 ? 0 : 1;
}

#endif
