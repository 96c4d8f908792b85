/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#include "conf.h"

#include <jansson.h>

#define IPV4_UDP_LEN 42u /* Ethernet, IPv4 and UDP headers */

static json_t *proven;
static bool contradicts;

/* --- programs ------------------------------------------------------------------------ */

void
conf_proven(const char *feature, const char *part, bool works)
{
	json_t *parts = json_object_get(proven, feature), *old;

	if (parts == NULL) {
		parts = json_object();
		json_object_set_new(proven, feature, parts);
	}
	old = json_object_get(parts, part);
	if (old != NULL && json_is_true(old) != works) {
		contradicts = true;
		fail_msg("%s: %s: two tests contradict each other", feature, part);
	}
	json_object_set_new(parts, part, json_boolean(works));
}

static int
write_proofs(const char *dir, const char *file)
{
	json_t *doc = json_pack("{s:s, s:O}", "chip", fx_chip, "features", proven);
	char path[512];
	int rc;

	snprintf(path, sizeof(path), "%s/%s.%s.json", dir, fx_chip, file);
	rc = json_dump_file(doc, path, JSON_INDENT(1) | JSON_SORT_KEYS);
	if (rc != 0)
		print_error("%s: cannot be written\n", path);
	json_decref(doc);
	return rc == 0 ? 0 : 1;
}

static int
list_chips(void)
{
	for (unsigned int i = 0; pw_model_chip_name(i) != NULL; i++)
		printf("%s\n", pw_model_chip_name(i));
	return 0;
}

/* Refusals are logged by the hundred; the tests look at what calls return. */
static int
setup(void **state)
{
	int rc = fx_setup(state);

	rte_log_set_level_pattern("*", RTE_LOG_CRIT);
	return rc;
}

int
conf_main(int argc, char **argv, const char *file, const struct CMUnitTest *tests, size_t n)
{
	int rc;

	if (argc == 2 && strcmp(argv[1], "--chips") == 0)
		return list_chips();
	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: %s CHIP [DIR]\n       %s --chips\n", argv[0], argv[0]);
		return 2;
	}
	fx_chip = argv[1];
	proven = json_object();
	rc = _cmocka_run_group_tests(file, tests, n, setup, fx_teardown);
	if (rc == 0 && argc == 3)
		rc = write_proofs(argv[2], file);
	json_decref(proven);
	return rc != 0 || contradicts;
}

/* --- what a port offers -------------------------------------------------------------- */

struct rte_eth_dev_info
conf_info(const struct fx_port *p)
{
	struct rte_eth_dev_info info;

	assert_int_equal(rte_eth_dev_info_get(p->id, &info), 0);
	return info;
}

bool
conf_takes_tagged(const struct fx_port *p, uint16_t mtu)
{
	return conf_info(p).max_rx_pktlen >= (uint32_t)mtu + RTE_ETHER_HDR_LEN + RTE_VLAN_HLEN +
					     RTE_ETHER_CRC_LEN;
}

static bool
has(struct fx_port *p, const struct rte_eth_conf *conf, uint64_t missing)
{
	const struct rte_eth_conf none = { 0 };

	if (missing == 0)
		return true;
	assert_int_not_equal(rte_eth_dev_configure(p->id, 1, 1, conf), 0);
	assert_int_equal(rte_eth_dev_configure(p->id, 1, 1, &none), 0);
	return false;
}

bool
conf_has_rx(struct fx_port *p, uint64_t offload)
{
	struct rte_eth_conf conf = { .rxmode.offloads = offload };

	return has(p, &conf, offload & ~conf_info(p).rx_offload_capa);
}

bool
conf_has_tx(struct fx_port *p, uint64_t offload)
{
	struct rte_eth_conf conf = { .txmode.offloads = offload };

	return has(p, &conf, offload & ~conf_info(p).tx_offload_capa);
}

void
conf_start_rx(struct fx_port *p, uint64_t offloads)
{
	struct fx_conf conf = { .eth.rxmode.offloads = offloads };

	/* ethdev knows no hash without it. */
	if (offloads & RTE_ETH_RX_OFFLOAD_RSS_HASH)
		conf.eth.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
	fx_start(p, &conf);
}

void
conf_start_tx(struct fx_port *p, uint64_t offloads)
{
	fx_start(p, &(struct fx_conf){ .eth.txmode.offloads = offloads });
}

void
conf_stop(struct fx_port *p)
{
	assert_int_equal(rte_eth_dev_stop(p->id), 0);
}

void
conf_start_mtu(struct fx_port *p, uint16_t mtu)
{
	struct rte_eth_dev_info info = conf_info(p);

	fx_start(p, &(struct fx_conf){
		.eth.rxmode.offloads = info.rx_offload_capa & RTE_ETH_RX_OFFLOAD_SCATTER,
		.eth.txmode.offloads = info.tx_offload_capa & RTE_ETH_TX_OFFLOAD_MULTI_SEGS,
		.mtu = mtu,
	});
}

/* --- pools --------------------------------------------------------------------------- */

struct rte_mempool *
conf_pool(unsigned int n, uint16_t room)
{
	static unsigned int made;
	struct rte_mempool *mp;
	char name[32];

	snprintf(name, sizeof(name), "conf_pool%u", made++);
	mp = rte_pktmbuf_pool_create(name, n, 0, 0, RTE_PKTMBUF_HEADROOM + room, SOCKET_ID_ANY);
	assert_non_null(mp);
	return mp;
}

void
conf_pool_free(struct rte_mempool *mp)
{
	assert_int_equal(rte_mempool_in_use_count(mp), 0);
	rte_mempool_free(mp);
}

void
conf_pool_soil(struct rte_mempool *mp)
{
	static struct rte_mbuf *m[FX_POOL_MBUFS];
	unsigned int n = 0, i;

	while (n < RTE_DIM(m) && (m[n] = rte_mbuf_raw_alloc(mp)) != NULL)
		n++;
	for (i = 0; i < n; i++) {
		m[i]->data_off = 7;
		m[i]->port = 0x7777;
		m[i]->ol_flags = RTE_MBUF_F_RX_VLAN | RTE_MBUF_F_RX_VLAN_STRIPPED |
				 RTE_MBUF_F_RX_RSS_HASH | RTE_MBUF_F_RX_IP_CKSUM_BAD |
				 RTE_MBUF_F_RX_L4_CKSUM_BAD | RTE_MBUF_F_RX_QINQ |
				 RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_VLAN;
		m[i]->packet_type = RTE_PTYPE_L4_SCTP;
		m[i]->pkt_len = 0x77777777;
		m[i]->data_len = 0x7777;
		m[i]->vlan_tci = 0x7777;
		m[i]->vlan_tci_outer = 0x7777;
		m[i]->hash.rss = 0x77777777;
		m[i]->tx_offload = UINT64_MAX;
		memset((char *)m[i]->buf_addr, 0x77, m[i]->buf_len);
	}
	for (i = 0; i < n; i++)
		rte_mbuf_raw_free(m[i]);
}

/* --- traffic ------------------------------------------------------------------------- */

void
conf_frame(struct fx_frame *f, uint32_t len, uint8_t seed)
{
	struct fx_spec s = { .l3 = FX_IPV4, .l4 = FX_UDP, .seed = seed, .no_padding = true };

	if (len < IPV4_UDP_LEN) {
		s = (struct fx_spec){ .seed = seed, .no_padding = true };
		s.payload = len - RTE_ETHER_HDR_LEN;
	} else {
		s.payload = len - IPV4_UDP_LEN;
	}
	fx_frame_build(f, &s);
	assert_int_equal(f->len, len);
}

void
conf_tag(struct fx_frame *f, uint16_t tpid, uint16_t tci)
{
	const uint8_t tag[] = { tpid >> 8, tpid & 0xff, tci >> 8, tci & 0xff };

	assert_true(f->len + sizeof(tag) <= sizeof(f->data));
	memmove(f->data + 16, f->data + 12, f->len - 12);
	memcpy(f->data + 12, tag, sizeof(tag));
	f->len += sizeof(tag);
}

struct rte_mbuf *
conf_rx_one(struct fx_port *p, const struct fx_frame *f)
{
	struct rte_mbuf *m[2];
	uint16_t n;

	fx_inject(p, f);
	n = fx_rx(p, m, 2);
	if (n != 1)
		fail_msg("%u frames came for one of %u bytes", n, f->len);
	assert_int_equal(m[0]->port, p->id);
	return m[0];
}

void
conf_receives(struct fx_port *p, const struct fx_frame *f)
{
	fx_expect_mbuf(conf_rx_one(p, f), f);
}

void
conf_expect_none(struct fx_port *p)
{
	struct rte_mbuf *m;

	if (fx_rx(p, &m, 1) != 0)
		fail_msg("a frame of %u bytes came that must not", m->pkt_len);
}

void
conf_ignores(struct fx_port *p, const struct fx_frame *f)
{
	fx_inject(p, f);
	conf_expect_none(p);
}

bool
conf_capture(struct fx_port *p, struct fx_frame *f)
{
	/* IEEE 802.3 annex 31B: group address and MAC Control EtherType */
	while (fx_capture(p, f))
		if (memcmp(f->data, "\x01\x80\xc2\x00\x00\x01", 6) != 0 ||
		    memcmp(f->data + 12, "\x88\x08", 2) != 0)
			return true;
	return false;
}

void
conf_expect_sent(struct fx_port *p, const struct fx_frame *f)
{
	static struct fx_frame got;

	assert_true(conf_capture(p, &got));
	assert_int_equal(got.len, f->len);
	assert_memory_equal(got.data, f->data, f->len);
}

void
conf_expect_silence(struct fx_port *p)
{
	static struct fx_frame got;

	assert_false(conf_capture(p, &got));
}

/*
 * IEEE 802.3 leaves it open what a frame is padded with; it must not be what was in memory. All
 * pad with zeros, and an 82557 with 7eh (its manual says so).
 */
void
conf_expect_padded(struct fx_port *p, const struct fx_frame *f)
{
	static struct fx_frame want, got;

	assert_true(conf_capture(p, &got));
	assert_int_equal(got.len, RTE_MAX(f->len, CONF_MIN_FRAME));
	memcpy(want.data, f->data, f->len);
	if (f->len < CONF_MIN_FRAME) {
		uint8_t pad = got.data[f->len];

		assert_true(pad == 0 || pad == 0x7e);
		memset(want.data + f->len, pad, CONF_MIN_FRAME - f->len);
	}
	assert_memory_equal(got.data, want.data, got.len);
}

void
conf_sends(struct fx_port *p, const struct fx_frame *f, uint16_t seg)
{
	struct rte_mbuf *m = fx_mbuf(p->pool, f, seg);

	fx_tx(p, &m, 1);
	conf_expect_padded(p, f);
	conf_expect_silence(p);
}

/* Frame `i` of a series; sizes 60 to 1514, a prime step apart. */
static void
series(struct fx_frame *f, uint32_t i)
{
	conf_frame(f, CONF_MIN_FRAME + i * 211 % 1455, (uint8_t)i);
}

void
conf_pass(struct fx_port *p, uint32_t n)
{
	static struct fx_frame f;
	struct rte_mbuf *m[1];
	uint32_t i;
	uint16_t j, k;

	for (i = 0; i < n; i += k) {
		/* What the smallest ring always has room for: some chips keep nothing besides. */
		k = RTE_MIN(n - i, (uint32_t)CONF_BURST / 2);
		for (j = 0; j < k; j++) {
			series(&f, i + j);
			fx_inject(p, &f);
		}
		for (j = 0; j < k; j++) {
			assert_int_equal(fx_rx(p, m, 1), 1);
			series(&f, i + j);
			fx_expect_mbuf(m[0], &f);
		}
		for (j = 0; j < k; j++) {
			series(&f, i + j);
			m[0] = fx_mbuf(p->pool, &f, 0);
			fx_tx(p, m, 1);
			conf_expect_sent(p, &f);
		}
	}
	conf_expect_silence(p);
}

uint32_t
conf_drain(struct fx_port *p)
{
	static struct fx_frame f;
	uint32_t n = 0;

	while (conf_capture(p, &f))
		n++;
	return n;
}
