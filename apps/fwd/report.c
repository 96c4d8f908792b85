/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <math.h>
#include <string.h>

#include <jansson.h>

#include "app_args.h"
#include "app_json.h"
#include "fwd.h"

static const struct {
	const char *text, *key;
} drops[FWD_DROPS] = {
	[FWD_TX_FULL] = {"Tx ring full", "tx_full"},
	[FWD_TX_REFUSED] = {"refused by the sending port", "tx_refused"},
	[FWD_TOO_SHORT] = {"too short", "too_short"},
	[FWD_STOPPING] = {"came while stopping", "stopping"},
};

const char *
fwd_drop_text(enum fwd_drop d)
{
	return drops[d].text;
}

const char *
fwd_drop_key(enum fwd_drop d)
{
	return drops[d].key;
}

static uint64_t
dropped(const struct fwd_direction *d)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < FWD_DROPS; i++)
		sum += d->dropped[i];
	return sum;
}

void
fwd_report_interval(FILE *out, const struct fwd_state *s, double at_s, double interval_s,
		    struct fwd_last *last)
{
	char in[32], outp[32], lost[32];
	unsigned int i;

	for (i = 0; i < s->nb_directions; i++) {
		const struct fwd_direction *d = &s->direction[i];
		struct fwd_last now = {.rx = d->rx, .tx = d->tx, .dropped = dropped(d)};

		fprintf(out, "%6.1f s  %s -> %s  in %s pps  out %s pps  dropped %s\n", at_s,
			pw_port_name(d->from_port), pw_port_name(d->to_port),
			app_group(llrint((now.rx - last[i].rx) / interval_s), in),
			app_group(llrint((now.tx - last[i].tx) / interval_s), outp),
			app_group(now.dropped - last[i].dropped, lost));
		last[i] = now;
	}
	fflush(out);
}

/* Totals */

static struct fwd_port_totals *
totals_of(struct fwd_totals *t, struct pw_port *port)
{
	struct fwd_port_totals *p;
	unsigned int i;

	for (i = 0; i < t->nb_ports; i++)
		if (t->port[i].name == pw_port_name(port))
			return &t->port[i];
	p = &t->port[t->nb_ports++];
	p->name = pw_port_name(port);
	pw_port_info(port, &p->info);
	pw_port_stats(port, &p->stats);
	return p;
}

/* What is missing in `part`; false if there is more in it than in the whole. */
static bool
rest_of(uint64_t whole, uint64_t part, uint64_t *rest)
{
	*rest = whole >= part ? whole - part : 0;
	return whole >= part;
}

bool
fwd_totals(const struct fwd_state *s, double elapsed_s, struct fwd_totals *t)
{
	bool accounted = true;
	unsigned int i;

	memset(t, 0, sizeof(*t));
	t->state = s;
	t->elapsed_s = elapsed_s;
	for (i = 0; i < s->nb_directions; i++) {
		const struct fwd_direction *d = &s->direction[i];
		struct fwd_port_totals *from = totals_of(t, d->from_port);
		struct fwd_port_totals *to = totals_of(t, d->to_port);

		accounted &= d->rx == d->tx + dropped(d);
		accounted &= rest_of(from->stats.rx_packets, d->rx, &from->unread);
		accounted &= rest_of(d->tx, to->stats.tx_packets + to->stats.tx_errors,
				     &to->unsent);
	}
	return accounted;
}

void
fwd_report(FILE *out, const struct fwd_totals *t)
{
	char a[32], b[32];
	unsigned int i, n;

	fprintf(out, "in %.1f s:\n", t->elapsed_s);
	for (i = 0; i < t->state->nb_directions; i++) {
		const struct fwd_direction *d = &t->state->direction[i];

		fprintf(out, "%s -> %s  received %s  sent %s", pw_port_name(d->from_port),
			pw_port_name(d->to_port), app_group(d->rx, a), app_group(d->tx, b));
		fprintf(out, "  dropped %s\n", app_group(dropped(d), a));
		for (n = 0; n < FWD_DROPS; n++)
			if (d->dropped[n] > 0)
				fprintf(out, "  dropped, %s: %s\n", fwd_drop_text(n),
					app_group(d->dropped[n], a));
	}
	for (i = 0; i < t->nb_ports; i++) {
		const struct fwd_port_totals *p = &t->port[i];
		const struct {
			const char *what;
			uint64_t nb;
		} lost[] = {
			{"no Rx descriptor free", p->stats.rx_missed},
			{"no buffer free", p->stats.rx_nombuf},
			{"damaged on arrival", p->stats.rx_errors},
			{"Tx error", p->stats.tx_errors},
			{"not fetched before the stop", p->unread},
			{"not sent before the stop", p->unsent},
		};

		for (n = 0; n < sizeof(lost) / sizeof(lost[0]); n++)
			if (lost[n].nb > 0)
				fprintf(out, "%s  lost, %s: %s\n", p->name, lost[n].what,
					app_group(lost[n].nb, a));
	}
	fflush(out);
}

static json_t *
direction_json(const struct fwd_direction *d)
{
	json_t *o = json_object(), *reasons = json_object();
	unsigned int i;

	json_object_set_new(o, "from", json_string(pw_port_name(d->from_port)));
	json_object_set_new(o, "to", json_string(pw_port_name(d->to_port)));
	app_json_count(o, "received", d->rx);
	app_json_count(o, "sent", d->tx);
	app_json_count(o, "dropped", dropped(d));
	for (i = 0; i < FWD_DROPS; i++)
		app_json_count(reasons, fwd_drop_key(i), d->dropped[i]);
	json_object_set_new(o, "reasons", reasons);
	return o;
}

static json_t *
port_json(const struct fwd_port_totals *p)
{
	json_t *o = json_object();

	json_object_set_new(o, "port", json_string(p->name));
	json_object_set_new(o, "device", json_string(p->info.name));
	json_object_set_new(o, "driver", json_string(p->info.driver));
	app_json_count(o, "rxd", p->info.rxd);
	app_json_count(o, "txd", p->info.txd);
	app_json_count(o, "rx_packets", p->stats.rx_packets);
	app_json_count(o, "tx_packets", p->stats.tx_packets);
	app_json_count(o, "rx_missed", p->stats.rx_missed);
	app_json_count(o, "rx_nombuf", p->stats.rx_nombuf);
	app_json_count(o, "rx_errors", p->stats.rx_errors);
	app_json_count(o, "tx_errors", p->stats.tx_errors);
	app_json_count(o, "unread", p->unread);
	app_json_count(o, "unsent", p->unsent);
	return o;
}

int
fwd_report_json(const char *path, const struct fwd_totals *t, bool accounted)
{
	json_t *directions = json_array(), *ports = json_array();
	json_t *o = json_object();
	unsigned int i;

	for (i = 0; i < t->state->nb_directions; i++)
		json_array_append_new(directions, direction_json(&t->state->direction[i]));
	for (i = 0; i < t->nb_ports; i++)
		json_array_append_new(ports, port_json(&t->port[i]));
	json_object_set_new(o, "program", json_string("pollwire-fwd"));
	json_object_set_new(o, "version", json_string(POLLWIRE_VERSION));
	json_object_set_new(o, "elapsed_s", json_real(t->elapsed_s));
	json_object_set_new(o, "accounted", json_boolean(accounted));
	json_object_set_new(o, "directions", directions);
	json_object_set_new(o, "ports", ports);
	return app_json_write(path, o);
}
