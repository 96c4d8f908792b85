/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * pollwire-selftest: tries a card through our driver: EEPROM, registers, link, and packets, inside
 * the card if the driver has a loopback mode, or over a cable to a second card.
 * pollwire-bind selftest starts it.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_ethdev.h>
#include <rte_ether.h>
#include <rte_log.h>
#include <rte_mbuf.h>

#include "app.h"
#include "app_args.h"

#define MAX_CARDS 2u
#define NB_FRAMES 64u
#define FIRST_SIZE 60u		/* without FCS: the shortest there is, then longer and longer */
#define STEP_SIZE 23u
#define LINK_WAIT_S 10.0
#define PACKET_WAIT_S 2.0
#define POLL_S 0.001
#define BLANK_BYTE 0xff

static const char help[] =
	"usage: pollwire-selftest PORT [PORT]\n"
	"\n"
	"EEPROM, registers, link and loopback of a card that is bound. A second PORT is one that\n"
	"a cable joins to the first: then packets go over the cable, both ways.\n"
	"\n";

static struct app_opts opts;
static const char *spec[MAX_CARDS];
static unsigned int nb_specs;

/* One check a line. What failed or could not be done is remembered for the exit status. */
static enum app_status verdict;

/* The port without the driver's arguments. */
static int
name_len(const struct pw_port *port)
{
	return strcspn(pw_port_name(port), ",");
}

static void
passed(const struct pw_port *port, const char *what, const char *detail)
{
	printf("%.*s: %s: ok, %s\n", name_len(port), pw_port_name(port), what, detail);
}

static void
failed(const struct pw_port *port, const char *what, const char *detail)
{
	printf("%.*s: %s: FAILED, %s\n", name_len(port), pw_port_name(port), what, detail);
	verdict = APP_FAILED;
}

static void
not_done(const struct pw_port *port, const char *what, const char *detail)
{
	printf("%.*s: %s: not done, %s\n", name_len(port), pw_port_name(port), what, detail);
	if (verdict == APP_OK)
		verdict = APP_NOT_DONE;
}

/* What the card holds */

static bool
is_blank(const uint8_t *data, int len)
{
	int i;

	for (i = 1; i < len; i++)
		if (data[i] != data[0])
			return false;
	return len == 0 || data[0] == 0 || data[0] == BLANK_BYTE;
}

static int
read_eeprom(const struct pw_port *port, uint8_t *data, int len)
{
	struct rte_dev_eeprom_info info = {.data = data, .length = len};

	return rte_eth_dev_get_eeprom(pw_port_id(port), &info);
}

/* The checksum is the driver's affair: it has judged it before the port was opened. */
static void
check_eeprom(const struct pw_port *port)
{
	int len = rte_eth_dev_get_eeprom_length(pw_port_id(port));
	uint8_t *data = len > 0 ? calloc(2, len) : NULL;
	char text[32];

	if (data == NULL) {
		not_done(port, "EEPROM", "the driver does not show it");
		return;
	}
	snprintf(text, sizeof(text), "%d bytes", len);
	if (read_eeprom(port, data, len) != 0 || read_eeprom(port, data + len, len) != 0)
		failed(port, "EEPROM", "it cannot be read");
	else if (is_blank(data, len))
		failed(port, "EEPROM", "it is blank, or does not answer");
	else if (memcmp(data, data + len, len) != 0)
		failed(port, "EEPROM", "two readings differ");
	else
		passed(port, "EEPROM", text);
	free(data);
}

static void
check_registers(const struct pw_port *port)
{
	struct rte_dev_reg_info info = {.data = NULL};
	uint8_t *data = NULL;
	char text[32];

	if (rte_eth_dev_get_reg_info(pw_port_id(port), &info) == 0 && info.length > 0 &&
	    info.width > 0)
		data = calloc(info.length, info.width);
	if (data == NULL) {
		not_done(port, "registers", "the driver does not show them");
		return;
	}
	info.data = data;
	snprintf(text, sizeof(text), "%u", info.length);
	if (rte_eth_dev_get_reg_info(pw_port_id(port), &info) != 0)
		failed(port, "registers", "they cannot be read");
	else if (is_blank(data, info.length * info.width))
		failed(port, "registers", "all of them read alike: the card is gone");
	else
		passed(port, "registers", text);
	free(data);
}

static void
check_address(const struct pw_port *port)
{
	char text[RTE_ETHER_ADDR_FMT_SIZE];
	struct rte_ether_addr addr;
	struct pw_port_info info;

	pw_port_info(port, &info);
	memcpy(addr.addr_bytes, info.mac, sizeof(addr.addr_bytes));
	rte_ether_format_addr(text, sizeof(text), &addr);
	if (rte_is_valid_assigned_ether_addr(&addr))
		passed(port, "address", text);
	else
		failed(port, "address", text);
}

/* PHY and cable: the link comes up within seconds, or somebody has to look at the cable. */
static bool
check_link(const struct pw_port *port)
{
	unsigned int left = LINK_WAIT_S / POLL_S;
	struct pw_port_link link;
	char text[48];

	pw_port_link(port, &link);
	while (!link.up && left-- > 0 && !app_sleep(POLL_S))
		pw_port_link(port, &link);
	if (!link.up) {
		not_done(port, "link", "there is none: is a cable plugged in, and its other end "
			 "up?");
		return false;
	}
	snprintf(text, sizeof(text), "%u Mbit/s, %s duplex", link.mbps,
		 link.full_duplex ? "full" : "half");
	passed(port, "link", text);
	return true;
}

/* Packets */

static void
fill(uint8_t *frame, unsigned int n, const struct rte_ether_addr *to,
     const struct rte_ether_addr *from)
{
	unsigned int i, size = FIRST_SIZE + n * STEP_SIZE;

	memcpy(frame, to->addr_bytes, 6);
	memcpy(frame + 6, from->addr_bytes, 6);
	/* IEEE 802 local experimental ethertype 1. */
	frame[12] = 0x88;
	frame[13] = 0xb5;
	frame[14] = n;
	for (i = 15; i < size; i++)
		frame[i] = i * 7 + n;
}

static bool
send_one(const struct pw_port *port, unsigned int n, const struct rte_ether_addr *to,
	 const struct rte_ether_addr *from)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(pw_port_pool(port));
	uint8_t *frame;

	if (m == NULL)
		return false;
	frame = (uint8_t *)rte_pktmbuf_append(m, FIRST_SIZE + n * STEP_SIZE);
	if (frame != NULL) {
		fill(frame, n, to, from);
		if (rte_eth_tx_burst(pw_port_id(port), 0, &m, 1) == 1)
			return true;
	}
	rte_pktmbuf_free(m);
	return false;
}

/* Whether a frame is the n-th, every byte of it. Others may come from a switch between. */
static bool
is_frame(const struct rte_mbuf *m, unsigned int n, const struct rte_ether_addr *to,
	 const struct rte_ether_addr *from)
{
	uint8_t wanted[RTE_ETHER_MAX_LEN * 2] = {0};
	unsigned int size = FIRST_SIZE + n * STEP_SIZE;

	fill(wanted, n, to, from);
	return rte_pktmbuf_data_len(m) == size && rte_pktmbuf_pkt_len(m) == size &&
	       memcmp(rte_pktmbuf_mtod(m, const void *), wanted, size) == 0;
}

static bool
await_one(const struct pw_port *port, unsigned int n, const struct rte_ether_addr *to,
	  const struct rte_ether_addr *from)
{
	unsigned int left = PACKET_WAIT_S / POLL_S;
	struct rte_mbuf *m;
	bool found = false;

	while (!found) {
		if (rte_eth_rx_burst(pw_port_id(port), 0, &m, 1) == 1) {
			found = is_frame(m, n, to, from);
			rte_pktmbuf_free(m);
		} else if (left-- == 0 || app_sleep(POLL_S)) {
			break;
		}
	}
	return found;
}

/* From one port to another, which may be the same. */
static void
check_packets(const struct pw_port *tx, const struct pw_port *rx, const char *what)
{
	struct rte_ether_addr to, from;
	unsigned int n, lost = 0;
	char text[64];

	rte_eth_macaddr_get(pw_port_id(rx), &to);
	rte_eth_macaddr_get(pw_port_id(tx), &from);
	for (n = 0; n < NB_FRAMES; n++)
		if (!send_one(tx, n, &to, &from) || !await_one(rx, n, &to, &from))
			lost++;
	snprintf(text, sizeof(text), "%u of %u packets, each byte compared", NB_FRAMES - lost,
		 NB_FRAMES);
	if (lost > 0)
		failed(tx, what, text);
	else
		passed(tx, what, text);
}

/* Sets the port up once more, looped back inside. */
static int
loop_back(struct pw_port *port)
{
	const struct rte_eth_conf conf = {.lpbk_mode = 1};
	uint16_t id = pw_port_id(port);
	struct pw_port_info info;
	char err[PW_ERR_LEN];
	uint32_t level;
	int ret;

	pw_port_info(port, &info);
	pw_port_stop(port);
	/* A refusal is an answer here, and no error to be logged. */
	level = rte_log_get_global_level();
	rte_log_set_global_level(RTE_LOG_EMERG);
	ret = rte_eth_dev_configure(id, 1, 1, &conf);
	rte_log_set_global_level(level);
	if (ret == 0)
		ret = rte_eth_rx_queue_setup(id, 0, info.rxd, SOCKET_ID_ANY, NULL,
					     pw_port_pool(port));
	if (ret == 0)
		ret = rte_eth_tx_queue_setup(id, 0, info.txd, SOCKET_ID_ANY, NULL);
	return ret == 0 ? pw_port_start(port, err, sizeof(err)) : ret;
}

static void
check_loopback(struct pw_port *port)
{
	if (loop_back(port) != 0)
		not_done(port, "loopback", "the driver has no loopback mode: join two ports by a "
			 "cable and name both");
	else
		check_packets(port, port, "loopback");
}

static void
check_all(struct app_ports *ports)
{
	bool up = true;
	unsigned int i;

	for (i = 0; i < ports->nb; i++) {
		check_address(ports->port[i]);
		check_eeprom(ports->port[i]);
		check_registers(ports->port[i]);
		up &= check_link(ports->port[i]);
	}
	if (ports->nb == 1) {
		check_loopback(ports->port[0]);
	} else if (up) {
		check_packets(ports->port[0], ports->port[1], "there");
		check_packets(ports->port[1], ports->port[0], "back");
	}
}

static enum app_status
run(void)
{
	struct app_ports ports = {.nb = 0};
	enum app_status status = app_start(&opts, spec, nb_specs, 0);
	unsigned int i;

	if (status != APP_OK)
		return status;
	for (i = 0; i < nb_specs && status == APP_OK; i++)
		status = app_port_add(&ports, spec[i], NULL);
	if (status == APP_OK) {
		check_all(&ports);
		status = verdict;
	}
	app_ports_close(&ports);
	pw_eal_stop();
	return status;
}

int
main(int argc, char **argv)
{
	static const struct option table[] = {APP_COMMON_OPTIONS, {NULL, 0, NULL, 0}};
	char err[APP_ERR_LEN];
	int opt;

	app_name = "pollwire-selftest";
	app_signals_block();
	app_opts_init(&opts);
	/* Ports first, then options. */
	while (argc > 1 && argv[1][0] != '-' && nb_specs < MAX_CARDS) {
		spec[nb_specs++] = argv[1];
		argv++;
		argc--;
	}
	while ((opt = app_args_next(argc, argv, table, err)) != -1) {
		if (opt == APP_OPT_HELP) {
			fputs(help, stdout);
			fputs(app_common_help, stdout);
			return APP_OK;
		}
		if (opt == APP_OPT_VERSION) {
			puts("pollwire-selftest " POLLWIRE_VERSION);
			return APP_OK;
		}
		if (opt == '?' || app_args_common(&opts, opt, optarg, err) != 0) {
			app_say("%s", err);
			return APP_USAGE;
		}
	}
	if (nb_specs == 0) {
		app_say("name a port: 0000:02:00.0");
		return APP_USAGE;
	}
	return run();
}
