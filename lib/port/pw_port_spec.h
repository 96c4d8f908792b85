/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_PORT_SPEC_H_
#define _PW_PORT_SPEC_H_

/**
 * @file
 * Reading of port names, and what sysfs says of a card before DPDK is asked for it. No EAL.
 * All functions are thread-safe.
 */

#include <stdbool.h>
#include <stddef.h>

#define PW_SPEC_NAME_LEN 64
#define PW_SPEC_ARGS_LEN 1024

enum pw_spec_kind {
	PW_SPEC_PCI,	/**< name: full address, args: devargs */
	PW_SPEC_SIM,	/**< name: empty, args: of net_pw_sim */
	PW_SPEC_VDEV,	/**< name: of the vdev, args: its devargs */
	PW_SPEC_PORT,	/**< name: number or name of an existing port */
};

struct pw_spec {
	enum pw_spec_kind kind;
	char name[PW_SPEC_NAME_LEN];
	char args[PW_SPEC_ARGS_LEN];
};

/**
 * Read a port's name.
 *
 * @param text
 *   What the user wrote.
 * @param spec
 *   What it means.
 * @param err
 *   On failure one line without newline.
 * @param errlen
 *   Its size in bytes.
 * @return
 *   0, -EINVAL.
 */
int pw_spec_parse(const char *text, struct pw_spec *spec, char *err, size_t errlen);

/** @return whether `text` is a PCI address with or without domain; `full` gets the long form. */
bool pw_spec_pci_address(const char *text, char full[PW_SPEC_NAME_LEN]);

/**
 * Whether a card is there and in DPDK's hands.
 *
 * @param sysfs
 *   "/sys", or a copy of it.
 * @param address
 *   Full PCI address.
 * @param err
 *   On failure one line without newline: what is wrong and the command that cures it.
 * @param errlen
 *   Its size in bytes.
 * @return
 *   0; -ENODEV if there is no such card; -EBUSY if the kernel's driver has it.
 */
int pw_spec_check_pci(const char *sysfs, const char *address, char *err, size_t errlen);

#endif /* _PW_PORT_SPEC_H_ */
