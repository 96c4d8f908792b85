/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _PW_SIM_H_
#define _PW_SIM_H_

/**
 * @file
 * The sim vdev from inside the process: what tests reach behind a port.
 */

#include <stdint.h>

struct pw_model;
struct pw_clock;

/** @return the model behind an ethdev port, or NULL if the port is no sim. */
struct pw_model *pw_sim_model(uint16_t port_id);

/**
 * Use `clock` for the sims and wires probed from now on (NULL: real time). With a virtual clock
 * rte_delay_us() steps it, so that hardware waits cost no time. Call before probing.
 */
void pw_sim_set_clock(struct pw_clock *clock);

#endif /* _PW_SIM_H_ */
