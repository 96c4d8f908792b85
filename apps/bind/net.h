/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _BIND_NET_H_
#define _BIND_NET_H_

/**
 * @file
 * What the kernel's network stack does with an interface.
 */

#include <stdbool.h>
#include <stddef.h>

#include "bind.h"

/** Addresses and routes of the machine. All zero is none. */
struct pb_net {
	struct pb_net_addr {
		char interface[PB_NAME_LEN];
		char text[64];		/**< as 192.0.2.1/24 */
	} *addr;
	size_t nb_addrs;
	struct pb_net_route {
		char interface[PB_NAME_LEN];
		char text[64];		/**< as 192.0.2.0/24, or default */
		bool is_default;
		bool v4;
	} *route;
	size_t nb_routes;
};

/**
 * Look. Addresses that an interface has of itself (fe80::/10, 169.254.0.0/16) and routes to such
 * are left out: they do not mean that somebody uses it.
 *
 * @return
 *   0; -errno: nothing is known.
 */
int pb_net_load(struct pb_net *net);
void pb_net_free(struct pb_net *net);

/** An interface. */
struct pb_netif {
	char name[PB_NAME_LEN];
	bool up;		/**< somebody has brought it up */
	bool carrier;
	long mbps;		/**< -1: not known */
};

void pb_netif_read(struct pb_netif *netif, const char *name);

/**
 * Whether somebody uses an interface: an address or a default route, of itself or of what stands
 * on it (a VLAN, a bridge, a bond); or whether it belongs to another interface.
 *
 * @param why
 *   Names it, PB_TEXT_LEN bytes; added to.
 */
bool pb_net_in_use(const struct pb_net *net, const char *interface, char *why);

/** @return whether there is a default route through an interface. */
bool pb_net_default_route(const struct pb_net *net, const char *interface);

#endif /* _BIND_NET_H_ */
