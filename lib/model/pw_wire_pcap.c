/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * A wire that plays one capture file and records into another. Every frame of `in` is
 * delivered once, as soon as somebody listens and asks; paced, at line rate. Frames that were
 * cut when captured, and such as no wire carries, are left out and count as missed, and so
 * does the place where a damaged file ends, which is told too. `out` is flushed frame by frame,
 * so that it can be read whatever becomes of this process; if it cannot be written, the carrier
 * goes.
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <pcap/pcap.h>

#include "pw_wire_priv.h"

#define NS_PER_S 1000000000u

struct pcap_end {
	struct pw_wire base;
	pcap_t *in;		/**< NULL: none, or played to its end */
	pcap_t *out;
	pcap_dumper_t *dump;
	char *in_name, *out_name;
	bool out_failed;
	bool listening;
	uint64_t epoch_ns;	/**< wall clock at the wire clock's zero */
	uint64_t missed;
	const uint8_t *data;	/**< the frame at hand; NULL: none */
	uint32_t len;
	uint64_t t_ns;
};

static inline struct pcap_end *
pcap_end(struct pw_wire *end)
{
	return (struct pcap_end *)end;
}

/* --- plugging ---------------------------------------------------------------- */

/** Open a file that may be read or written without waiting for somebody else. 0 or -errno. */
static int
file_open(const char *name, int flags, FILE **f, struct stat *st, char *err, size_t errlen)
{
	int fd = open(name, flags | O_NONBLOCK | O_CLOEXEC, 0666);
	int rc;

	if (fd < 0)
		return wire_fail(-errno, err, errlen, "wire pcap: %s: %s", name, strerror(errno));
	if (fstat(fd, st) != 0) {
		rc = wire_fail(-errno, err, errlen, "wire pcap: %s: %s", name, strerror(errno));
		goto err_fd;
	}
	if (!S_ISREG(st->st_mode) && (flags == O_RDONLY || !S_ISCHR(st->st_mode))) {
		rc = wire_fail(-EINVAL, err, errlen, "wire pcap: %s is no ordinary file", name);
		goto err_fd;
	}
	*f = fdopen(fd, flags == O_RDONLY ? "rb" : "wb");
	if (*f != NULL)
		return 0;
	rc = wire_fail(-ENOMEM, err, errlen, "wire pcap: %s: no memory", name);
err_fd:
	close(fd);
	return rc;
}

static int
in_open(struct pcap_end *e, const char *name, struct stat *st, char *err, size_t errlen)
{
	char text[PCAP_ERRBUF_SIZE] = "";
	FILE *f;
	int rc = file_open(name, O_RDONLY, &f, st, err, errlen);

	if (rc != 0)
		return rc;
	e->in = pcap_fopen_offline_with_tstamp_precision(f, PCAP_TSTAMP_PRECISION_NANO, text);
	if (e->in == NULL) {
		fclose(f);
		return wire_fail(-EINVAL, err, errlen, "wire pcap: %s: %s", name, text);
	}
	if (pcap_datalink(e->in) != DLT_EN10MB)
		return wire_fail(-EINVAL, err, errlen,
				 "wire pcap: %s holds no Ethernet frames (link type %d)", name,
				 pcap_datalink(e->in));
	return 0;
}

static int
out_open(struct pcap_end *e, const char *name, const struct stat *in, char *err, size_t errlen)
{
	struct stat st;
	FILE *f;
	int rc = file_open(name, O_WRONLY | O_CREAT, &f, &st, err, errlen);

	if (rc != 0)
		return rc;
	if (e->in != NULL && st.st_dev == in->st_dev && st.st_ino == in->st_ino) {
		fclose(f);
		return wire_fail(-EINVAL, err, errlen, "wire pcap: in and out are the same file %s",
				 name);
	}
	if (S_ISREG(st.st_mode) && ftruncate(fileno(f), 0) != 0) {
		rc = -errno;
		fclose(f);
		return wire_fail(rc, err, errlen, "wire pcap: %s: %s", name, strerror(-rc));
	}
	e->out = pcap_open_dead_with_tstamp_precision(DLT_EN10MB, PW_WIRE_MAX_FRAME,
						      PCAP_TSTAMP_PRECISION_NANO);
	if (e->out == NULL)
		fclose(f);
	else
		e->dump = pcap_dump_fopen(e->out, f); /* closes f if it fails */
	if (e->dump == NULL)
		return wire_fail(-ENOMEM, err, errlen, "wire pcap: %s: no memory", name);
	if (pcap_dump_flush(e->dump) != 0)
		return wire_fail(-EIO, err, errlen, "wire pcap: %s: cannot write to it", name);
	return 0;
}

/** Split "in=F,out=F" in place. */
static int
files_parse(char *what, char **in, char **out, char *err, size_t errlen)
{
	char *save = NULL;
	char *word;

	for (word = strtok_r(what, ",", &save); word != NULL; word = strtok_r(NULL, ",", &save)) {
		if (strncmp(word, "in=", 3) == 0 && *in == NULL && word[3] != '\0')
			*in = word + 3;
		else if (strncmp(word, "out=", 4) == 0 && *out == NULL && word[4] != '\0')
			*out = word + 4;
		else
			return wire_fail(-EINVAL, err, errlen,
					 "wire pcap: \"%.80s\": expected in=FILE, out=FILE or both",
					 word);
	}
	if (*in == NULL && *out == NULL)
		return wire_fail(-EINVAL, err, errlen,
				 "wire pcap: expected in=FILE, out=FILE or both");
	return 0;
}

static void
pcap_wire_close(struct pw_wire *end)
{
	struct pcap_end *e = pcap_end(end);

	if (e->in != NULL)
		pcap_close(e->in);
	if (e->dump != NULL)
		pcap_dump_close(e->dump);
	if (e->out != NULL)
		pcap_close(e->out);
	free(e->in_name);
	free(e->out_name);
	free(e);
}

static uint64_t
wall_epoch(const struct pw_clock *clock)
{
	struct timespec t;

	if (clock->is_virtual)
		return 0;
	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec - pw_clock_now(clock);
}

static int
pcap_wire_open(const char *what, const struct pw_wire_opts *opts, struct pw_wire **end, char *err,
	       size_t errlen)
{
	char *in = NULL, *out = NULL;
	struct stat st = { 0 };
	struct pcap_end *e = calloc(1, sizeof(*e));
	char *words = strdup(what);
	int rc;

	if (e == NULL || words == NULL)
		rc = wire_fail(-ENOMEM, err, errlen, "wire pcap: no memory");
	else
		rc = files_parse(words, &in, &out, err, errlen);
	if (rc == 0 && in != NULL)
		e->in_name = strdup(in);
	if (rc == 0 && out != NULL)
		e->out_name = strdup(out);
	if (rc == 0 && ((in != NULL && e->in_name == NULL) ||
			(out != NULL && e->out_name == NULL)))
		rc = wire_fail(-ENOMEM, err, errlen, "wire pcap: no memory");
	if (rc == 0 && in != NULL)
		rc = in_open(e, in, &st, err, errlen);
	if (rc == 0 && out != NULL)
		rc = out_open(e, out, &st, err, errlen);
	free(words);
	if (rc != 0) {
		if (e != NULL)
			pcap_wire_close(&e->base);
		return rc;
	}
	e->epoch_ns = wall_epoch(opts->clock);
	e->listening = true;
	*end = &e->base;
	return 0;
}

static bool
pcap_carrier(struct pw_wire *end)
{
	return !pcap_end(end)->out_failed;
}

static void
pcap_listen(struct pw_wire *end, bool on)
{
	pcap_end(end)->listening = on;
}

/* --- packets ----------------------------------------------------------------- */

static void
pcap_send(struct pw_wire *end, const void *frame, uint32_t len, uint32_t flags, uint64_t t_ns)
{
	struct pcap_end *e = pcap_end(end);
	struct pcap_pkthdr h = { .caplen = len, .len = len };

	/* A capture holds no FCS, so it cannot tell that one was wrong. */
	if (e->dump == NULL || e->out_failed || (flags & WIRE_FRAME_FLAGS) != 0)
		return;
	/* With nanosecond precision tv_usec holds nanoseconds. */
	h.ts.tv_sec = (time_t)((e->epoch_ns + t_ns) / NS_PER_S);
	h.ts.tv_usec = (suseconds_t)((e->epoch_ns + t_ns) % NS_PER_S);
	pcap_dump((u_char *)e->dump, &h, frame);
	if (pcap_dump_flush(e->dump) == 0)
		return;
	e->out_failed = true;
	wire_say(end, "wire pcap: %s: cannot write to it any more: %s; the link is down",
		 e->out_name, strerror(errno));
}

/** Read up to the next frame worth having. @return whether there is one at hand. */
static bool
in_read(struct pcap_end *e)
{
	struct pcap_pkthdr *h;
	int rc;

	if (e->in == NULL)
		return false;
	while ((rc = pcap_next_ex(e->in, &h, &e->data)) == 1) {
		if (h->caplen == h->len && h->len > 0 && h->len <= PW_WIRE_MAX_FRAME) {
			e->len = h->len;
			return true;
		}
		e->missed++;
	}
	if (rc != PCAP_ERROR_BREAK) { /* not the end, but an error in the file */
		e->missed++;
		wire_say(&e->base, "wire pcap: %s is damaged, the rest of it is left out: %s",
			 e->in_name, pcap_geterr(e->in));
	}
	e->data = NULL;
	pcap_close(e->in);
	e->in = NULL;
	return false;
}

static bool
pcap_peek(struct pw_wire *end, struct pw_frame *frame)
{
	struct pcap_end *e = pcap_end(end);

	if (!e->listening)
		return false;
	if (e->data == NULL) {
		if (!wire_arrival_free(end) || !in_read(e))
			return false;
		e->t_ns = wire_arrival_take(end, e->len);
		end->rx.queued_until = UINT64_MAX; /* all of the file waits */
	}
	if (!wire_has_come(end, e->t_ns))
		return false;
	frame->data = e->data;
	frame->len = e->len;
	frame->flags = 0;
	frame->t_ns = e->t_ns;
	return true;
}

static void
pcap_next_frame(struct pw_wire *end)
{
	pcap_end(end)->data = NULL;
}

static uint64_t
pcap_missed(struct pw_wire *end)
{
	struct pcap_end *e = pcap_end(end);
	uint64_t n = e->missed;

	e->missed = 0;
	return n;
}

const struct wire_kind wire_kind_pcap = {
	.prefix = "pcap:",
	.open = pcap_wire_open,
	.close = pcap_wire_close,
	.carrier = pcap_carrier,
	.listen = pcap_listen,
	.send = pcap_send,
	.peek = pcap_peek,
	.next = pcap_next_frame,
	.missed = pcap_missed,
};
