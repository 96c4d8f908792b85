/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* Links that go and come while packets are sent: when, and how often they went. */

#include "run.h"

#define LOOK_S 0.1

void
gen_links_begin(struct gen_run *run)
{
	unsigned int i;

	for (i = 0; i < run->nb_sinks; i++) {
		pw_port_link(run->sink[i].port, &run->sink[i].link);
		run->sink[i].link_lost = 0;
	}
	run->links_next_s = LOOK_S;
}

static void
look(struct gen_sink *sink, double at_s)
{
	struct pw_port_link now;

	pw_port_link(sink->port, &now);
	if (now.up && (!sink->link.up || now.mbps != sink->link.mbps))
		app_say("port %s: link up, %u Mbit/s, at %.1f s", pw_port_name(sink->port),
			now.mbps, at_s);
	if (!now.up && sink->link.up) {
		sink->link_lost++;
		app_say("port %s: link down at %.1f s", pw_port_name(sink->port), at_s);
	}
	sink->link = now;
}

void
gen_links_watch(struct gen_run *run, double at_s)
{
	unsigned int i;

	if (at_s < run->links_next_s)
		return;
	for (i = 0; i < run->nb_sinks; i++)
		look(&run->sink[i], at_s);
	run->links_next_s = at_s + LOOK_S;
}
