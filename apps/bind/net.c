/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net.h"
#include "sysfs.h"
#include "text.h"

#define MAX_DEPTH 8		/* of interfaces upon interfaces */
#define RTF_UP_BIT 0x0001u	/* linux/route.h */
#define RTF_REJECT_BIT 0x0200u

/* Addresses */

static int
add_addr(struct pb_net *net, const char *interface, const char *text)
{
	struct pb_net_addr *more;

	more = realloc(net->addr, (net->nb_addrs + 1) * sizeof(*more));
	if (more == NULL)
		return -ENOMEM;
	net->addr = more;
	more += net->nb_addrs++;
	snprintf(more->interface, sizeof(more->interface), "%s", interface);
	snprintf(more->text, sizeof(more->text), "%s", text);
	return 0;
}

/* An address that an interface gives itself. */
static bool
automatic(const char *text)
{
	return strncmp(text, "169.254.", 8) == 0 || strncasecmp(text, "fe8", 3) == 0 ||
	       strncasecmp(text, "fe9", 3) == 0 || strncasecmp(text, "fea", 3) == 0 ||
	       strncasecmp(text, "feb", 3) == 0;
}

static unsigned int
prefix_length(const void *mask, size_t len)
{
	const uint8_t *byte = mask;
	unsigned int bits = 0;
	size_t i;

	for (i = 0; i < len * 8; i++)
		bits += byte[i / 8] >> (i % 8) & 1;
	return bits;
}

static int
add_kernel_addr(struct pb_net *net, const struct ifaddrs *ifa)
{
	char text[INET6_ADDRSTRLEN], full[64];
	size_t offset, len;
	int family;

	if (ifa->ifa_addr == NULL || ifa->ifa_netmask == NULL)
		return 0;
	family = ifa->ifa_addr->sa_family;
	if (family == AF_INET) {
		offset = offsetof(struct sockaddr_in, sin_addr);
		len = sizeof(struct in_addr);
	} else if (family == AF_INET6) {
		offset = offsetof(struct sockaddr_in6, sin6_addr);
		len = sizeof(struct in6_addr);
	} else {
		return 0;
	}
	inet_ntop(family, (const uint8_t *)ifa->ifa_addr + offset, text, sizeof(text));
	if (automatic(text))
		return 0;
	snprintf(full, sizeof(full), "%s/%u", text,
		 prefix_length((const uint8_t *)ifa->ifa_netmask + offset, len));
	return add_addr(net, ifa->ifa_name, full);
}

static int
load_kernel_addrs(struct pb_net *net)
{
	struct ifaddrs *all, *ifa;
	int ret = 0;

	if (getifaddrs(&all) != 0)
		return -errno;
	for (ifa = all; ifa != NULL && ret == 0; ifa = ifa->ifa_next)
		ret = add_kernel_addr(net, ifa);
	freeifaddrs(all);
	return ret;
}

/* The kernel tells addresses by netlink only: in an invented tree, lines "eth0 192.0.2.1/24". */
static int
load_tree_addrs(struct pb_net *net)
{
	char *all = pb_slurp("/addresses"), *rest = all, *line, *blank;
	int ret = 0;

	while (ret == 0 && (line = pb_next_line(&rest)) != NULL) {
		blank = strchr(line, ' ');
		if (blank == NULL)
			continue;
		*blank = '\0';
		if (!automatic(blank + 1))
			ret = add_addr(net, line, blank + 1);
	}
	free(all);
	return ret;
}

/* Routes */

static int
add_route(struct pb_net *net, const char *interface, const char *text, unsigned int bits, bool v4)
{
	struct pb_net_route *more;

	if (automatic(text))
		return 0;
	more = realloc(net->route, (net->nb_routes + 1) * sizeof(*more));
	if (more == NULL)
		return -ENOMEM;
	net->route = more;
	more += net->nb_routes++;
	snprintf(more->interface, sizeof(more->interface), "%s", interface);
	more->is_default = bits == 0;
	more->v4 = v4;
	if (bits == 0)
		strcpy(more->text, "default");
	else
		snprintf(more->text, sizeof(more->text), "%s/%u", text, bits);
	return 0;
}

static int
load_routes4(struct pb_net *net)
{
	char *all = pb_slurp("/proc/net/route"), *rest = all, *line, name[PB_NAME_LEN];
	char text[INET_ADDRSTRLEN];
	unsigned int flags;
	uint32_t to, mask;
	int ret = 0;

	while (ret == 0 && (line = pb_next_line(&rest)) != NULL) {
		/* Interface, destination, gateway, flags, 3 counters, mask. */
		if (sscanf(line, "%63s %x %*x %x %*s %*s %*s %x", name, &to, &flags, &mask) != 4 ||
		    (flags & RTF_UP_BIT) == 0)
			continue;
		/* The kernel prints words as they lie in memory. */
		inet_ntop(AF_INET, &to, text, sizeof(text));
		ret = add_route(net, name, text, prefix_length(&mask, sizeof(mask)), true);
	}
	free(all);
	return ret;
}

static int
load_routes6(struct pb_net *net)
{
	char *all = pb_slurp("/proc/net/ipv6_route"), *rest = all, *line, name[PB_NAME_LEN];
	char text[INET6_ADDRSTRLEN];
	unsigned int bits, flags, byte, i;
	struct in6_addr to;
	char hex[33];
	int ret = 0;

	while (ret == 0 && (line = pb_next_line(&rest)) != NULL) {
		/* Destination, source, next hop, 3 counters, flags, interface. */
		if (sscanf(line, "%32s %x %*s %*s %*s %*s %*s %*s %x %63s", hex, &bits, &flags,
			   name) != 4 || strlen(hex) != 32 || strcmp(name, "lo") == 0 ||
		    (flags & RTF_UP_BIT) == 0 || (flags & RTF_REJECT_BIT) != 0)
			continue;
		for (i = 0; i < 16; i++)
			to.s6_addr[i] = sscanf(hex + 2 * i, "%2x", &byte) == 1 ? byte : 0;
		/* Multicast goes through every interface that is up; so do one's own addresses. */
		if (to.s6_addr[0] == 0xff || bits == 128)
			continue;
		inet_ntop(AF_INET6, &to, text, sizeof(text));
		ret = add_route(net, name, text, bits, false);
	}
	free(all);
	return ret;
}

int
pb_net_load(struct pb_net *net)
{
	int ret;

	memset(net, 0, sizeof(*net));
	ret = pb_live() ? load_kernel_addrs(net) : load_tree_addrs(net);
	if (ret == 0)
		ret = load_routes4(net);
	if (ret == 0)
		ret = load_routes6(net);
	if (ret != 0)
		pb_net_free(net);
	return ret;
}

void
pb_net_free(struct pb_net *net)
{
	free(net->addr);
	free(net->route);
	memset(net, 0, sizeof(*net));
}

/* Interfaces */

void
pb_netif_read(struct pb_netif *netif, const char *name)
{
	snprintf(netif->name, sizeof(netif->name), "%s", name);
	netif->up = (pb_number(0, "/sys/class/net/%s/flags", name) & IFF_UP) != 0;
	/* Unreadable while the interface is down. */
	netif->carrier = pb_number(0, "/sys/class/net/%s/carrier", name) == 1;
	netif->mbps = pb_number(-1, "/sys/class/net/%s/speed", name);
}

bool
pb_net_default_route(const struct pb_net *net, const char *interface)
{
	size_t i;

	for (i = 0; i < net->nb_routes; i++)
		if (net->route[i].is_default && strcmp(net->route[i].interface, interface) == 0)
			return true;
	return false;
}

static bool
own_use(const struct pb_net *net, const char *interface, char *why)
{
	bool used = false;
	size_t i;

	if (pb_net_default_route(net, interface)) {
		pb_add(why, "%s carries the default route; ", interface);
		used = true;
	}
	for (i = 0; i < net->nb_addrs; i++) {
		if (strcmp(net->addr[i].interface, interface) != 0)
			continue;
		pb_add(why, "%s has the address %s; ", interface, net->addr[i].text);
		used = true;
	}
	return used;
}

static bool
in_use(const struct pb_net *net, const char *interface, char *why, unsigned int depth)
{
	bool used = own_use(net, interface, why);
	char master[PB_NAME_LEN];
	struct pb_names names;
	size_t i;

	if (pb_link(master, sizeof(master), "/sys/class/net/%s/master", interface) == 0) {
		pb_add(why, "%s is a port of %s; ", interface, master);
		used = true;
	}
	if (depth == MAX_DEPTH ||
	    pb_list(&names, "/sys/class/net/%s", interface) != 0)
		return used;
	for (i = 0; i < names.nb; i++)
		if (strncmp(names.name[i], "upper_", 6) == 0 &&
		    strcmp(names.name[i] + 6, interface) != 0 &&
		    in_use(net, names.name[i] + 6, why, depth + 1))
			used = true;
	pb_names_free(&names);
	return used;
}

bool
pb_net_in_use(const struct pb_net *net, const char *interface, char *why)
{
	bool used = in_use(net, interface, why, 0);
	size_t len = strlen(why);

	if (used && len > 2 && strcmp(why + len - 2, "; ") == 0)
		why[len - 2] = '\0';
	return used;
}
