/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _TESTS_CONFORMANCE_CONF_H_
#define _TESTS_CONFORMANCE_CONF_H_

/**
 * @file
 * For the tests that every driver must pass: no chip's name, no driver's header, only ethdev's
 * public calls are judged. What a port reports must work; what it does not report must be
 * refused. The model and the wire serve as the other side of the cable.
 *
 * A program takes the chip as its argument and may write what it proved:
 *
 *	conf_vlan CHIP [DIR]		DIR/CHIP.vlan.json, only if every test passed
 *	conf_vlan --chips		the chips that there are
 */

#include "../driver/fixture.h"

#define CONF_BURST 32
#define CONF_MIN_FRAME (RTE_ETHER_MIN_LEN - RTE_ETHER_CRC_LEN)

/** A test that gets an unconfigured port of the chip under test as `*state`. */
#define CONF_TEST(f) cmocka_unit_test_setup_teardown(f, fx_port_setup, fx_port_teardown)

/** The rest of a program: run `tests` and say what they proved. */
#define CONF_MAIN(file, tests)                                                                    \
	int                                                                                       \
	main(int argc, char **argv)                                                               \
	{                                                                                         \
		return conf_main(argc, argv, file, tests, RTE_DIM(tests));                        \
	}

int conf_main(int argc, char **argv, const char *file, const struct CMUnitTest *tests, size_t n);

/**
 * Record a proof, to be called when all that could disprove it has been passed.
 *
 * @param feature
 *   As in the first section of DPDK's features/default.ini.
 * @param part
 *   Which part of it, e.g. "strip"; a feature with parts of both kinds is partial.
 * @param works
 *   true: it was offered and did its work; false: it is not offered, and was refused.
 */
void conf_proven(const char *feature, const char *part, bool works);

/* --- what a port offers ---------------------------------------------------------- */

struct rte_eth_dev_info conf_info(const struct fx_port *p);

/** @return whether the chip takes frames that fill the MTU and have a VLAN tag besides. */
bool conf_takes_tagged(const struct fx_port *p, uint16_t mtu);

/** @return whether an offload is offered; if not, configuring it must fail, and is tried. */
bool conf_has_rx(struct fx_port *p, uint64_t offload);
bool conf_has_tx(struct fx_port *p, uint64_t offload);

/** Start with the Rx or Tx offloads and everything else at its default. */
void conf_start_rx(struct fx_port *p, uint64_t offloads);
void conf_start_tx(struct fx_port *p, uint64_t offloads);
void conf_stop(struct fx_port *p);

/** Start with MTU `mtu` and buffers that take such frames, scattered if that is offered. */
void conf_start_mtu(struct fx_port *p, uint16_t mtu);

/* --- pools ------------------------------------------------------------------------- */

/** `n` mbufs with `room` bytes behind the headroom. */
struct rte_mempool *conf_pool(unsigned int n, uint16_t room);
/** Every mbuf must be back in it. */
void conf_pool_free(struct rte_mempool *mp);

/** What recycled mbufs may carry must not show: fill all that a pool has with rubbish. */
void conf_pool_soil(struct rte_mempool *mp);

/* --- traffic ----------------------------------------------------------------------- */

/** A broadcast UDP frame of `len` bytes (14 or more; below 42 no UDP) that is told by `seed`. */
void conf_frame(struct fx_frame *f, uint32_t len, uint8_t seed);

/** Put a tag with this TCI (0 too) behind the addresses. */
void conf_tag(struct fx_frame *f, uint16_t tpid, uint16_t tci);

/** Inject; one mbuf must come. */
struct rte_mbuf *conf_rx_one(struct fx_port *p, const struct fx_frame *f);
/** Inject; the same must come, unharmed. */
void conf_receives(struct fx_port *p, const struct fx_frame *f);
/** Inject; nothing must come. */
void conf_ignores(struct fx_port *p, const struct fx_frame *f);
void conf_expect_none(struct fx_port *p);

/** Send in segments of `seg` bytes (0: one); the same must come out, zero-padded to 60. */
void conf_sends(struct fx_port *p, const struct fx_frame *f, uint16_t seg);
/** The next frame on the wire must be this, zero-padded to 60. */
void conf_expect_padded(struct fx_port *p, const struct fx_frame *f);

/** `n` frames of mixed sizes each way, in bursts, in order. */
void conf_pass(struct fx_port *p, uint32_t n);

/**
 * Take the next frame that the port sent for somebody. A port that negotiated flow control
 * sends PAUSE frames on its own account; they are left out.
 */
bool conf_capture(struct fx_port *p, struct fx_frame *f);
void conf_expect_sent(struct fx_port *p, const struct fx_frame *f);
void conf_expect_silence(struct fx_port *p);
/** Throw away what the port has sent. @return how many frames. */
uint32_t conf_drain(struct fx_port *p);

#endif /* _TESTS_CONFORMANCE_CONF_H_ */
