/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The loop that sends and receives. A worker that does both takes turns: the packets that are
 * due, one burst from each port. A port that only sends is polled too, so that what others send
 * to it does not pile up there.
 */

#include "run.h"

int
gen_worker(void *arg)
{
	const struct gen_worker *w = arg;
	struct gen_run *run = w->run;
	unsigned int i;

	if (w->sends)
		gen_send_begin(run);
	while (!atomic_load_explicit(&run->stop, memory_order_relaxed)) {
		if (w->sends && !gen_run_all_sent(run))
			gen_send_due(run);
		else if (w->sends)
			gen_send_watch_rings(run);
		for (i = 0; i < run->nb_sinks; i++)
			if (run->sink[i].expects ? w->receives : w->sends)
				gen_receive(run, &run->sink[i]);
	}
	return 0;
}
