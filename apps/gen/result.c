/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <math.h>
#include <stdio.h>

#include "result.h"

#define NEARLY_ALL 0.98	/* of the wire's maximum: no port does better for long */

const char *
gen_result_limit(const struct gen_flow_result *f)
{
	if (f->stalled)
		return "the sending port: it took nothing any more (is the link up?)";
	if (f->no_mbuf > f->ring_full)
		return "buffers (more --mem, or a smaller --txd)";
	if (f->ring_full > 0 && (f->behind > 0 || !f->paced))
		return f->wire_max_pps > 0 && f->achieved_pps > f->wire_max_pps * NEARLY_ALL ?
			"the wire" : "the sending port: its ring was full, the wire was not";
	if (f->behind > 0)
		return "the generator's CPU: busy, or taken away";
	return f->paced ? NULL : "the generator's CPU: the port's ring was never full";
}

static bool
off_rate(const struct gen_flow_result *f, double tolerance)
{
	return f->paced && tolerance >= 0 && f->sent > 0 &&
		fabs(f->achieved_pps - f->requested_pps) > f->requested_pps * tolerance / 100;
}

static enum app_status
judge_flow(const struct gen_result *r, const struct gen_flow_result *f,
	   const struct gen_criteria *c, char *why, size_t len)
{
	const char *limit = gen_result_limit(f);

	if (f->stalled || f->sent < f->asked || (r->interrupted && !r->endless)) {
		snprintf(why, len, "%s: not all was sent: %s", f->tx,
			 r->interrupted ? "interrupted" : limit != NULL ? limit : "time was up");
		return APP_NOT_DONE;
	}
	if (f->duplicated > 0 || f->corrupted > 0 || (f->lost > 0 && !c->allow_loss)) {
		snprintf(why, len, "%s to %s: %lu lost, %lu duplicated, %lu damaged of %lu sent",
			 f->tx, f->rx, f->lost, f->duplicated, f->corrupted, f->sent);
		return APP_LOSS;
	}
	if (off_rate(f, c->tolerance)) {
		snprintf(why, len, "%s: %.0f pps instead of %.0f%s%s", f->tx, f->achieved_pps,
			 f->requested_pps, limit != NULL ? ", limited by " : "",
			 limit != NULL ? limit : "");
		return APP_OFF_RATE;
	}
	return APP_OK;
}

enum app_status
gen_result_judge(const struct gen_result *r, const struct gen_criteria *c, char *why, size_t len)
{
	enum app_status status;
	unsigned int i;

	snprintf(why, len, "%s", "");
	for (i = 0; i < r->nb_flows; i++) {
		status = judge_flow(r, &r->flow[i], c, why, len);
		if (status != APP_OK)
			return status;
	}
	return APP_OK;
}
