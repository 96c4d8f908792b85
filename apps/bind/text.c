/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bind.h"
#include "text.h"

#define MAX_WORD 64u

/* 1 to `most` hexadecimal digits, then `end`; what follows, or NULL. */
static const char *
hex_field(const char *p, unsigned int least, unsigned int most, char end)
{
	unsigned int nb = 0;

	while (isxdigit((unsigned char)*p) && nb <= most) {
		nb++;
		p++;
	}
	return nb >= least && nb <= most && *p == end ? p + 1 : NULL;
}

bool
pb_address(const char *text, char full[PB_ADDR_LEN])
{
	/* Domains behind an Intel VMD have more than four digits. */
	const char *p = hex_field(text, 4, 8, ':');
	const char *bus = p != NULL ? p : text;
	size_t i;

	p = hex_field(bus, 2, 2, ':');
	if (p != NULL)
		p = hex_field(p, 2, 2, '.');
	if (p == NULL || p[0] < '0' || p[0] > '7' || p[1] != '\0')
		return false;
	snprintf(full, PB_ADDR_LEN, "%s%s", bus == text ? "0000:" : "", text);
	for (i = 0; full[i] != '\0'; i++)
		full[i] = tolower((unsigned char)full[i]);
	return true;
}

bool
pb_is_name(const char *text)
{
	size_t i, len = strlen(text);

	if (len == 0 || len >= PB_NAME_LEN || text[0] == '.' || text[0] == '-')
		return false;
	for (i = 0; i < len; i++)
		if (text[i] == '/' || !isgraph((unsigned char)text[i]))
			return false;
	return true;
}

static unsigned int
min3(unsigned int a, unsigned int b, unsigned int c)
{
	a = b < a ? b : a;
	return c < a ? c : a;
}

/* Damerau and Levenshtein's, with three rows. Long words are as unlike as can be. */
unsigned int
pb_distance(const char *a, const char *b)
{
	unsigned int rows[3][MAX_WORD + 1], la = strlen(a), lb = strlen(b), i, j, change;

	if (la > MAX_WORD || lb > MAX_WORD)
		return MAX_WORD;
	for (j = 0; j <= lb; j++)
		rows[0][j] = j;
	for (i = 1; i <= la; i++) {
		unsigned int *now = rows[i % 3], *last = rows[(i + 2) % 3];
		unsigned int *before = rows[(i + 1) % 3];

		now[0] = i;
		for (j = 1; j <= lb; j++) {
			change = tolower((unsigned char)a[i - 1]) !=
				 tolower((unsigned char)b[j - 1]);
			now[j] = min3(last[j] + 1, now[j - 1] + 1, last[j - 1] + change);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = min3(now[j], before[j - 2] + 1, now[j]);
		}
	}
	return rows[la % 3][lb];
}

const char *
pb_suggest(const char *text, const char *const *candidates, size_t nb)
{
	unsigned int best = strlen(text) / 3, distance;
	const char *found = NULL;
	size_t i;

	best = (best < 2 ? 2 : best) + 1;
	for (i = 0; i < nb; i++) {
		distance = pb_distance(text, candidates[i]);
		/* All letters changed is no likeness. */
		if (distance < best && distance < strlen(candidates[i])) {
			best = distance;
			found = candidates[i];
		}
	}
	return found;
}

bool
pb_size(const char *text, uint64_t *bytes)
{
	static const char units[] = "kmgt";
	unsigned long long value;
	unsigned int shift = 0;
	const char *unit;
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return false;
	errno = 0;
	value = strtoull(text, &end, 10);
	if (*end != '\0') {
		unit = strchr(units, tolower((unsigned char)*end));
		if (unit == NULL)
			return false;
		shift = 10 * (unit - units + 1);
		end++;
		/* 256M, 256MB and 256MiB are the same here. */
		if (strcmp(end, "B") != 0 && strcmp(end, "iB") != 0 && *end != '\0')
			return false;
	}
	if (errno != 0 || value > (UINT64_MAX >> shift))
		return false;
	*bytes = (uint64_t)value << shift;
	return true;
}

bool
pb_has_word(const char *list, const char *word)
{
	size_t len = strlen(word), span;

	for (; *list != '\0'; list += span) {
		list += strspn(list, " ,\n\t");
		span = strcspn(list, " ,\n\t");
		if (span == len && len > 0 && strncmp(list, word, len) == 0)
			return true;
	}
	return false;
}

bool
pb_cmdline_value(const char *cmdline, const char *key, char *value, size_t len)
{
	size_t keylen = strlen(key), span;
	bool found = false;

	for (; *cmdline != '\0'; cmdline += span) {
		cmdline += strspn(cmdline, " \n\t");
		span = strcspn(cmdline, " \n\t");
		/* What follows is for init. */
		if (span == 2 && strncmp(cmdline, "--", 2) == 0)
			break;
		if (span <= keylen || strncmp(cmdline, key, keylen) != 0 || cmdline[keylen] != '=')
			continue;
		snprintf(value, len, "%.*s", (int)(span - keylen - 1), cmdline + keylen + 1);
		found = true;
	}
	return found;
}

char *
pb_next_line(char **text)
{
	char *line = *text;

	if (line == NULL || *line == '\0')
		return NULL;
	*text = line + strcspn(line, "\n");
	if (**text == '\n')
		*(*text)++ = '\0';
	return line;
}

void
pb_modules_for(const char *aliases, const char *modalias,
	       void (*each)(void *arg, const char *module), void *arg)
{
	char *copy = strdup(aliases), *rest = copy, *line, *pattern, *module;

	while ((line = pb_next_line(&rest)) != NULL) {
		if (strncmp(line, "alias pci:", 10) != 0)
			continue;
		pattern = line + 6;
		module = strchr(pattern, ' ');
		if (module == NULL)
			continue;
		*module++ = '\0';
		if (pb_is_name(module) && strchr(module, ' ') == NULL &&
		    fnmatch(pattern, modalias, 0) == 0)
			each(arg, module);
	}
	free(copy);
}
