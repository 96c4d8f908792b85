/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _BIND_SYSFS_H_
#define _BIND_SYSFS_H_

/**
 * @file
 * Every look at the machine and every change of it. All paths are printf() formats of absolute
 * paths, below one root: "" for this machine, a folder that holds a copy or an invented tree
 * otherwise. Files may hold anything: what is read is bounded and ends with 0.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/** @param dir "" for this machine. The text must stay. */
void pb_sysroot(const char *dir);

/** @return whether this is the machine itself. */
bool pb_live(void);

/** Whether changes are printed as shell commands instead of made. */
void pb_dry_run(bool on);
bool pb_is_dry(void);

/** @return 0 with the first line of a text file, blanks at its end cut off; -errno. */
int pb_read(char *text, size_t len, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** @return bytes read, at most `len`; -errno. */
int pb_read_bytes(void *data, size_t len, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** @return the whole file, at most 64 MiB, ended by 0, to be freed; NULL with errno. */
char *pb_slurp(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** @return a number as C writes it (0x8086, 7); `missing` if there is none. */
long pb_number(long missing, const char *format, ...) __attribute__((format(printf, 2, 3)));

bool pb_exists(const char *format, ...) __attribute__((format(printf, 1, 2)));
int pb_stat(struct stat *st, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** @return 0 with the last part of what a symbolic link points to; -errno. */
int pb_link(char *name, size_t len, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** @return 0 with all that a symbolic link points to; -errno. */
int pb_target(char *target, size_t len, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** Names in a folder, sorted, without those that begin with a dot. */
struct pb_names {
	char **name;
	size_t nb;
};

/** @return 0 with names to be freed; -errno with none. */
int pb_list(struct pb_names *names, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void pb_names_free(struct pb_names *names);

/** Write to a file of the kernel's. @return 0, -errno. */
int pb_write(const char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Give a file to a user and a group; -1 leaves one alone. @return 0, -errno. */
int pb_chown(long uid, long gid, const char *format, ...) __attribute__((format(printf, 3, 4)));

/** Make a file of ours, and the folders above it; whole or not at all. @return 0, -errno. */
int pb_store(const char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Make a symbolic link, and the folders above it. @return 0, -errno. */
int pb_store_link(const char *target, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** Remove a file of ours, or an empty folder. @return 0, -errno. */
int pb_remove(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * Run a program of the machine's and wait for it.
 *
 * @param argv
 *   Ends with NULL. Nothing is run below a root of one's own.
 * @return
 *   Its exit status; -ENOENT if there is no such program; other -errno.
 */
int pb_run(const char *const *argv);

/** Whether the machine has the program. */
bool pb_have(const char *program);

/** What tests put in the kernel's place. */
extern int (*pb_kernel_write)(const char *path, const char *text);
extern int (*pb_kernel_run)(const char *const *argv);

#endif /* _BIND_SYSFS_H_ */
