/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_SIM_ARGS_H_
#define _PW_SIM_ARGS_H_

/* What --vdev=net_pw_sim0,... may say. No EAL. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pw_model.h>

#define SIM_ARGS_HELP                                                                             \
	"chip=<name> wire=<name|shm:name|tap:ifname|pcap:in=file,out=file> mac=<address> "        \
	"pace=<on|off> async=<on|off> iommu=<on|off> buffer=<bytes> autoneg_ms=<n> "              \
	"fault=<name[:n]+...> driver=<key=value+...>"

#define SIM_TEXT_MAX 1024u

struct sim_args {
	char chip[32];
	char wire[SIM_TEXT_MAX];	/* "": unplugged */
	bool has_mac;
	uint8_t mac[6];
	bool pace;
	bool async;
	bool iommu;			/* on unless told otherwise */
	uint32_t buffer;
	uint32_t autoneg_ms;
	uint32_t fault[PW_FAULT_MAX];
	char driver[256];		/* the driver's own arguments, with commas; "": none */
};

/* Read the arguments. 0, or -EINVAL and one line that says what is wrong and what would do. */
int sim_args_parse(const char *text, struct sim_args *args, char *err, size_t errlen);

#endif /* _PW_SIM_ARGS_H_ */
