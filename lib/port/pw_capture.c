/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <stdlib.h>
#include <string.h>

#include <rte_log.h>

#include "pw_capture.h"

void
pw_capture_begin(struct pw_capture *c)
{
	c->text = NULL;
	c->len = 0;
	c->before = rte_log_get_stream();
	c->mem = open_memstream(&c->text, &c->len);
	if (c->mem != NULL)
		rte_openlog_stream(c->mem);
}

static void
capture_end(struct pw_capture *c)
{
	if (c->mem == NULL)
		return;
	/* EAL closes its own stream when it ends: that one must stay a default, not a choice. */
	rte_openlog_stream(NULL);
	if (rte_log_get_stream() != c->before && c->before != stderr)
		rte_openlog_stream(c->before);
	fclose(c->mem);
	c->mem = NULL;
}

/* The last line that says something; what only says that something failed gives way. */
static const char *
last_line(char *text)
{
	const char *last = "";
	char *line, *save = NULL;

	for (line = strtok_r(text, "\n", &save); line != NULL; line = strtok_r(NULL, "\n", &save)) {
		const char *colon = strstr(line, ": ");

		/* "EAL: ", "NET_PW_SIM: ", "ethdev: ": who speaks, one word. */
		if (colon != NULL && strcspn(line, " ") > (size_t)(colon - line))
			line = (char *)(uintptr_t)(colon + 2);
		if (line[0] == '\0' || strstr(line, "Driver cannot attach the device") != NULL ||
		    strstr(line, "Failed to attach device on primary") != NULL ||
		    strstr(line, "failed to initialize") != NULL)
			continue;
		last = line;
	}
	return last;
}

void
pw_capture_reason(struct pw_capture *c, char *reason, size_t len)
{
	capture_end(c);
	snprintf(reason, len, "%s", c->text != NULL ? last_line(c->text) : "");
	free(c->text);
	c->text = NULL;
}

void
pw_capture_replay(struct pw_capture *c)
{
	capture_end(c);
	if (c->text != NULL && c->len > 0) {
		fputs(c->text, rte_log_get_stream());
		fflush(rte_log_get_stream());
	}
	free(c->text);
	c->text = NULL;
}
