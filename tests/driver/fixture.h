/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _TESTS_DRIVER_FIXTURE_H_
#define _TESTS_DRIVER_FIXTURE_H_

/**
 * @file
 * For tests of a driver on its chip's model: a sim port on a virtual clock, the other end of
 * its wire in the test's hand, and frames to put on it.
 *
 *	static void
 *	test_foo_takes_a_frame(void **state)
 *	{
 *		struct fx_port *p = *state;
 *		struct rte_mbuf *m;
 *		struct fx_frame f;
 *
 *		fx_start(p, NULL);
 *		fx_frame_build(&f, &(struct fx_spec){ .l3 = FX_IPV4, .l4 = FX_UDP, .payload = 18 });
 *		fx_inject(p, &f);
 *		assert_int_equal(fx_rx(p, &m, 1), 1);
 *		fx_expect_mbuf(m, &f);
 *	}
 *
 *	cmocka_unit_test_setup_teardown(test_foo_takes_a_frame, fx_port_setup, fx_port_teardown)
 *
 * Functions that find something wrong fail the test. Tear-down fails it if the model recorded
 * a violation or an mbuf did not come back.
 */

#include <eal.h>

#include <stdbool.h>
#include <stdint.h>

#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include <pw_clock.h>
#include <pw_model.h>
#include <pw_wire.h>

#include <pw_sim.h>

/* --- EAL and time ---------------------------------------------------------------- */

/** The clock of all sims, peers and rte_delay_us(). */
extern struct pw_clock fx_clock;

/** Group set-up and tear-down: EAL, with the sims on fx_clock. */
int fx_setup(void **state);
int fx_teardown(void **state);

/* --- a port ------------------------------------------------------------------------ */

#define FX_POOL_MBUFS 2047u
#define FX_NB_DESC 256u

struct fx_port {
	uint16_t id;
	char name[32];		   /**< of the vdev */
	char wire[32];
	struct pw_model *model;
	struct pw_wire *peer;	   /**< other end of the wire; NULL if `extra` named one */
	struct rte_mempool *pool;  /**< of this port alone */
	struct rte_ether_addr mac;
	uint64_t allowed;	   /**< violations that the test provoked on purpose */
};

/** What fx_start() asks for; all zero is one queue each way and the defaults. */
struct fx_conf {
	struct rte_eth_conf eth;
	struct rte_eth_rxconf rx;
	struct rte_eth_txconf tx;
	uint16_t nb_rxd, nb_txd;   /**< 0: FX_NB_DESC */
	uint16_t mtu;		   /**< 0: as it is */
	struct rte_mempool *pool;  /**< NULL: the port's */
};

/** Set-up and tear-down of a test: `*state` is a port of chip FX_CHIP, not configured. */
int fx_port_setup(void **state);
int fx_port_teardown(void **state);

/** The chip of fx_port_setup(); "82540em" unless a program sets another. */
extern const char *fx_chip;

/**
 * Plug in a port; `extra` are more sim arguments, e.g. "pace=on,fault=link_down", or NULL. The
 * driver's watch is off unless `extra` has a driver= of its own.
 */
void fx_open(struct fx_port *p, const char *chip, const char *extra);

/** Stop and close a port, check for violations and lost mbufs. */
void fx_close(struct fx_port *p);

/**
 * Try to plug in a port that must be refused with `rc`, after one log line with `part` in it.
 * `args` is all that follows the name.
 */
void fx_refused(const char *args, int rc, const char *part);

/** Configure and set up queues but do not start; NULL: defaults. */
void fx_configure(struct fx_port *p, const struct fx_conf *conf);
/** The same, then start. */
void fx_start(struct fx_port *p, const struct fx_conf *conf);

/** Let `ns` pass in one step, and the model see it. */
void fx_advance(struct fx_port *p, uint64_t ns);

/** Say that the test provoked `n` violations of a kind on purpose; fails if it was not so. */
void fx_expect_violations(struct fx_port *p, enum pw_violation kind, uint64_t n);

/** @return an extended statistic, which must exist. */
uint64_t fx_xstat(const struct fx_port *p, const char *name);

/** Set a fault switch of the port's model. */
void fx_fault(struct fx_port *p, enum pw_fault which, uint32_t arg);

/** Receive up to `n` mbufs, polling until none came several times in a row. @return how many. */
uint16_t fx_rx(struct fx_port *p, struct rte_mbuf **m, uint16_t n);

/** Send; all must be taken. */
void fx_tx(struct fx_port *p, struct rte_mbuf **m, uint16_t n);

/* --- frames ------------------------------------------------------------------------ */

struct fx_frame {
	uint32_t len;		   /**< without FCS */
	uint8_t data[PW_WIRE_MAX_FRAME];
};

enum fx_l3 { FX_RAW, FX_IPV4, FX_IPV6 };
enum fx_l4 { FX_NO_L4, FX_UDP, FX_TCP };

struct fx_spec {
	uint8_t dst[6];		   /**< all zero: broadcast */
	uint8_t src[6];		   /**< all zero: 02:00:00:00:00:99 */
	uint16_t vlan;		   /**< tag control information; 0: untagged */
	uint16_t outer_vlan;	   /**< a second tag before it, TPID 0x88a8; 0: none */
	enum fx_l3 l3;		   /**< FX_RAW: EtherType 0x88b5 and payload */
	enum fx_l4 l4;
	uint32_t ip_opts;	   /**< bytes of IPv4 options, a multiple of 4 up to 40 */
	uint32_t payload;	   /**< bytes; counting up from `seed` */
	uint8_t seed;
	bool fragment;		   /**< IPv4: MF set, so no checksum of layer 4 can be checked */
	bool no_udp_csum;	   /**< IPv4 UDP: 0, "none" (RFC 768) */
	bool bad_ip_csum;
	bool bad_l4_csum;
	bool no_padding;	   /**< may be shorter than 60 bytes */
};

/** Build a frame with right checksums unless the spec asks otherwise, padded to 60 bytes. */
void fx_frame_build(struct fx_frame *f, const struct fx_spec *spec);

/** Bytes of layer 2, 3 and 4 headers of a frame that fx_frame_build() made. */
struct fx_lens {
	uint32_t l2, l3, l4;
};
struct fx_lens fx_frame_lens(const struct fx_spec *spec);

/** @return whether the IPv4 header checksum, and that of UDP or TCP, is right (RFC 1071). */
bool fx_ip_csum_good(const struct fx_frame *f);
bool fx_l4_csum_good(const struct fx_frame *f);

/** Write 0 to the IPv4 header checksum; the pseudo-header's sum to that of UDP or TCP. */
void fx_csum_prepare(struct fx_frame *f);

/* --- the other end of the wire ------------------------------------------------------- */

/** Put a frame on the wire; `flags` PW_FRAME_*. */
void fx_inject(struct fx_port *p, const struct fx_frame *f);
void fx_inject_flags(struct fx_port *p, const struct fx_frame *f, uint32_t flags);

/** Take the next frame that the port sent. @return false if there is none. */
bool fx_capture(struct fx_port *p, struct fx_frame *f);

/** The next frame that the port sent must be this one. */
void fx_expect_sent(struct fx_port *p, const struct fx_frame *f);
/** There must be no (further) frame. */
void fx_expect_silence(struct fx_port *p);

/* --- mbufs --------------------------------------------------------------------------- */

/** An mbuf, or a chain of segments of `seg` bytes (0: one segment), that holds the frame. */
struct rte_mbuf *fx_mbuf(struct rte_mempool *pool, const struct fx_frame *f, uint16_t seg);

/** The mbuf must hold exactly this frame in a well-formed chain; it is freed. */
void fx_expect_mbuf(struct rte_mbuf *m, const struct fx_frame *f);

#endif /* _TESTS_DRIVER_FIXTURE_H_ */
