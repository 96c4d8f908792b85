/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bind.h"
#include "sysfs.h"

#define SLURP_MAX (64u << 20)
#define PROGRAM_PATH "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

extern char **environ;

static const char *root = "";
static bool dry;

void
pb_say(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	fflush(stdout);
	fputs("pollwire-bind: ", stderr);
	vfprintf(stderr, format, ap);
	fputc('\n', stderr);
	va_end(ap);
}

void
pb_add(char *text, const char *format, ...)
{
	size_t used = strlen(text);
	va_list ap;

	va_start(ap, format);
	vsnprintf(text + used, PB_TEXT_LEN - used, format, ap);
	va_end(ap);
}

void
pb_sysroot(const char *dir)
{
	root = dir;
}

bool
pb_live(void)
{
	return root[0] == '\0';
}

void
pb_dry_run(bool on)
{
	dry = on;
}

bool
pb_is_dry(void)
{
	return dry;
}

/* False if it would be too long. */
static bool
make_path(char path[PATH_MAX], const char *format, va_list ap)
{
	int used = snprintf(path, PATH_MAX, "%s", root);

	if (used >= PATH_MAX)
		return false;
	return used + vsnprintf(path + used, PATH_MAX - used, format, ap) < PATH_MAX;
}

/* From here on `path` is the path that the arguments make, or the function has returned. */
#define MAKE_PATH(toolong)                                                                        \
	char path[PATH_MAX];                                                                      \
	va_list ap;                                                                               \
	bool fits;                                                                                \
                                                                                                  \
	va_start(ap, format);                                                                     \
	fits = make_path(path, format, ap);                                                       \
	va_end(ap);                                                                               \
	if (!fits)                                                                                \
		return toolong

/* Looks */

static int
read_path(const char *path, void *data, size_t len)
{
	/* An invented tree may hold a FIFO, on which a plain open waits for ever. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	size_t used = 0;
	ssize_t got = 0;

	if (fd < 0)
		return -errno;
	while (used < len) {
		got = read(fd, (char *)data + used, len - used);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		used += got;
	}
	got = got < 0 ? -errno : (ssize_t)used;
	close(fd);
	return got;
}

int
pb_read_bytes(void *data, size_t len, const char *format, ...)
{
	MAKE_PATH(-ENAMETOOLONG);
	return read_path(path, data, len);
}

/* The first line, without control characters: it may end up on a terminal. */
static void
tidy_line(char *text, size_t used)
{
	size_t i;

	text[used] = '\0';
	text[strcspn(text, "\n")] = '\0';
	used = strlen(text);
	while (used > 0 && (text[used - 1] == ' ' || text[used - 1] == '\t'))
		text[--used] = '\0';
	for (i = 0; i < used; i++)
		if ((unsigned char)text[i] < ' ' || (unsigned char)text[i] >= 0x7f)
			text[i] = '?';
}

int
pb_read(char *text, size_t len, const char *format, ...)
{
	int got;

	MAKE_PATH(-ENAMETOOLONG);
	got = read_path(path, text, len - 1);
	tidy_line(text, got < 0 ? 0 : got);
	return got < 0 ? got : 0;
}

char *
pb_slurp(const char *format, ...)
{
	size_t room = 4096, used = 0;
	char *data = malloc(room), *more;
	ssize_t got = -1;
	int fd;

	MAKE_PATH((free(data), errno = ENAMETOOLONG, NULL));
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	while (data != NULL && fd >= 0 && (got = read(fd, data + used, room - used - 1)) > 0) {
		used += got;
		if (room - used > 1 || room >= SLURP_MAX)
			continue;
		more = realloc(data, room * 2);
		if (more == NULL)
			break;
		data = more;
		room *= 2;
	}
	if (fd >= 0)
		close(fd);
	if (data == NULL || fd < 0 || got < 0) {
		free(data);
		return NULL;
	}
	data[used] = '\0';
	return data;
}

long
pb_number(long missing, const char *format, ...)
{
	char text[32], *end;
	long value;
	int got;

	MAKE_PATH(missing);
	got = read_path(path, text, sizeof(text) - 1);
	if (got <= 0)
		return missing;
	tidy_line(text, got);
	errno = 0;
	value = strtol(text, &end, 0);
	return end == text || *end != '\0' || errno != 0 ? missing : value;
}

bool
pb_exists(const char *format, ...)
{
	struct stat st;

	MAKE_PATH(false);
	return lstat(path, &st) == 0;
}

int
pb_stat(struct stat *st, const char *format, ...)
{
	MAKE_PATH(-ENAMETOOLONG);
	return stat(path, st) == 0 ? 0 : -errno;
}

int
pb_link(char *name, size_t len, const char *format, ...)
{
	char target[PATH_MAX];
	ssize_t got;
	const char *base;

	MAKE_PATH(-ENAMETOOLONG);
	name[0] = '\0';
	got = readlink(path, target, sizeof(target) - 1);
	if (got < 0)
		return -errno;
	target[got] = '\0';
	base = strrchr(target, '/');
	base = base != NULL ? base + 1 : target;
	if (strlen(base) >= len)
		return -ENAMETOOLONG;
	strcpy(name, base);
	tidy_line(name, strlen(name));
	return 0;
}

int
pb_target(char *target, size_t len, const char *format, ...)
{
	ssize_t got;

	MAKE_PATH(-ENAMETOOLONG);
	target[0] = '\0';
	got = readlink(path, target, len);
	if (got < 0)
		return -errno;
	if ((size_t)got >= len)
		return -ENAMETOOLONG;
	target[got] = '\0';
	return 0;
}

static int
not_hidden(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int
by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

int
pb_list(struct pb_names *names, const char *format, ...)
{
	struct dirent **entry;
	int i, nb;

	names->name = NULL;
	names->nb = 0;
	MAKE_PATH(-ENAMETOOLONG);
	nb = scandir(path, &entry, not_hidden, by_name);
	if (nb < 0)
		return -errno;
	names->name = calloc(nb + 1, sizeof(names->name[0]));
	for (i = 0; i < nb; i++) {
		if (names->name != NULL)
			names->name[names->nb] = strdup(entry[i]->d_name);
		if (names->name != NULL && names->name[names->nb] != NULL)
			names->nb++;
		free(entry[i]);
	}
	free(entry);
	return names->name != NULL ? 0 : -ENOMEM;
}

void
pb_names_free(struct pb_names *names)
{
	while (names->nb > 0)
		free(names->name[--names->nb]);
	free(names->name);
	names->name = NULL;
}

/* Changes */

static int
write_path(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
	int ret = 0;

	if (fd < 0)
		return -errno;
	/* One write: the kernel takes each as a request of its own. */
	if (write(fd, text, strlen(text)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

int (*pb_kernel_write)(const char *path, const char *text) = write_path;

int
pb_write(const char *text, const char *format, ...)
{
	MAKE_PATH(-ENAMETOOLONG);
	if (!dry)
		return pb_kernel_write(path, text);
	printf("echo %s%s> %s\n", text[0] == '\n' ? "" : text, text[0] == '\n' ? "" : " ", path);
	return 0;
}

int
pb_chown(long uid, long gid, const char *format, ...)
{
	MAKE_PATH(-ENAMETOOLONG);
	if (!dry)
		return chown(path, uid, gid) == 0 ? 0 : -errno;
	printf("chown ");
	if (uid >= 0)
		printf("%ld", uid);
	if (gid >= 0)
		printf(":%ld", gid);
	printf(" %s\n", path);
	return 0;
}

static void
make_parents(char *path)
{
	char *slash;

	for (slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
}

static int
write_whole(const char *path, const char *text)
{
	FILE *f = fopen(path, "wxe");
	int ret = 0;

	if (f == NULL)
		return -errno;
	if (fputs(text, f) < 0)
		ret = -EIO;
	if (fclose(f) != 0)
		ret = -errno;
	return ret;
}

int
pb_store(const char *text, const char *format, ...)
{
	char fresh[PATH_MAX];
	int ret;

	MAKE_PATH(-ENAMETOOLONG);
	if (dry) {
		printf("cat > %s <<'EOF'\n%sEOF\n", path, text);
		return 0;
	}
	if (snprintf(fresh, sizeof(fresh), "%s.new", path) >= (int)sizeof(fresh))
		return -ENAMETOOLONG;
	make_parents(path);
	unlink(fresh);
	ret = write_whole(fresh, text);
	if (ret == 0 && rename(fresh, path) != 0)
		ret = -errno;
	if (ret != 0)
		unlink(fresh);
	return ret;
}

int
pb_store_link(const char *target, const char *format, ...)
{
	MAKE_PATH(-ENAMETOOLONG);
	if (dry) {
		printf("ln -sfn %s %s\n", target, path);
		return 0;
	}
	make_parents(path);
	unlink(path);
	return symlink(target, path) == 0 ? 0 : -errno;
}

int
pb_remove(const char *format, ...)
{
	MAKE_PATH(-ENAMETOOLONG);
	if (dry) {
		printf("rm -f %s\n", path);
		return 0;
	}
	return remove(path) == 0 ? 0 : -errno;
}

/* Programs */

static int
run_program(const char *const *argv)
{
	posix_spawn_file_actions_t files;
	int ret, status;
	pid_t pid;

	if (!pb_have(argv[0]))
		return -ENOENT;
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	/* Standard output is for our report. */
	posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
	ret = posix_spawnp(&pid, argv[0], &files, NULL, (char *const *)argv, environ);
	posix_spawn_file_actions_destroy(&files);
	if (ret != 0)
		return -ret;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -EINTR;
}

int (*pb_kernel_run)(const char *const *argv) = run_program;

int
pb_run(const char *const *argv)
{
	if (dry) {
		for (; *argv != NULL; argv++)
			printf("%s%s", *argv, argv[1] != NULL ? " " : "\n");
		return 0;
	}
	if (!pb_live() && pb_kernel_run == run_program)
		return -ENOENT;
	return pb_kernel_run(argv);
}

bool
pb_have(const char *program)
{
	char folders[] = PROGRAM_PATH, *at = folders, *folder;

	while ((folder = strsep(&at, ":")) != NULL)
		if (pb_exists("%s/%s", folder, program))
			return true;
	return false;
}
