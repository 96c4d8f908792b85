/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _APP_ARGS_H_
#define _APP_ARGS_H_

/**
 * @file
 * Reading of command lines. No EAL. Errors are one line in `err`, APP_ERR_LEN bytes.
 */

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include "app.h"

#define APP_ERR_LEN PW_ERR_LEN

/** Option values of the common options; a program's own begin at APP_OPT_OWN. */
enum {
	APP_OPT_EAL = 0x100,
	APP_OPT_LCORES,
	APP_OPT_MEM,
	APP_OPT_RXD,
	APP_OPT_TXD,
	APP_OPT_BURST,
	APP_OPT_JSON,
	APP_OPT_STATS,
	APP_OPT_HELP,
	APP_OPT_VERSION,
	APP_OPT_OWN = 0x200,
};

/** The entries of the common options for getopt_long(). */
#define APP_COMMON_OPTIONS                                                                        \
	{"eal", required_argument, NULL, APP_OPT_EAL},                                            \
	{"lcores", required_argument, NULL, APP_OPT_LCORES},                                      \
	{"mem", required_argument, NULL, APP_OPT_MEM},                                            \
	{"rxd", required_argument, NULL, APP_OPT_RXD},                                            \
	{"txd", required_argument, NULL, APP_OPT_TXD},                                            \
	{"burst", required_argument, NULL, APP_OPT_BURST},                                        \
	{"json", required_argument, NULL, APP_OPT_JSON},                                          \
	{"stats", required_argument, NULL, APP_OPT_STATS},                                        \
	{"help", no_argument, NULL, APP_OPT_HELP},                                                \
	{"version", no_argument, NULL, APP_OPT_VERSION}

/** Their lines for --help. */
extern const char app_common_help[];

#define APP_MAX_BURST 256u
#define APP_DEFAULT_BURST 32u

/** Defaults of the common options. */
void app_opts_init(struct app_opts *opts);

/**
 * Take EAL's options off the front, where there is a "--".
 *
 * @param argc
 *   In: main()'s; out: of what is left, program name included.
 * @param argv
 *   Likewise.
 */
void app_args_split(struct app_opts *opts, int *argc, char ***argv);

/**
 * Take one common option.
 *
 * @param opt
 *   APP_OPT_*.
 * @param text
 *   Its argument.
 * @return
 *   0, -EINVAL.
 */
int app_args_common(struct app_opts *opts, int opt, const char *text, char *err);

/**
 * The next option.
 *
 * @param table
 *   For getopt_long().
 * @return
 *   Its value; -1 after the last; '?' with `err` for an unknown one, a missing or needless
 *   argument, or a stray word.
 */
int app_args_next(int argc, char **argv, const struct option *table, char *err);

/**
 * Read a whole number, as 64, 10k, 1.5M, 2G.
 *
 * @param what
 *   For the message, e.g. "--count".
 * @return
 *   0, -EINVAL.
 */
int app_read_count(const char *what, const char *text, uint64_t min, uint64_t max, uint64_t *value,
		   char *err);

/** Read a number, as 1, 0.5. 0, -EINVAL. */
int app_read_real(const char *what, const char *text, double min, double max, double *value,
		  char *err);

/** Read a MAC address. 0, -EINVAL. */
int app_read_mac(const char *what, const char *text, uint8_t mac[6], char *err);

/** Write with thousands separated by commas. @return `text`. */
const char *app_group(uint64_t value, char text[32]);

#endif /* _APP_ARGS_H_ */
