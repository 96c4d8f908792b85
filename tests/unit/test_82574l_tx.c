/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/* The 82574L model: two transmit queues and the context that they share (§3.5, §2.4). */

#include "e1000_82574l.h"

#define TX1(c) ((struct desc *)(c)->mem->big)

/* Both queues run; queue 1's ring is at the start of big[]. */
static struct card *
x_up2(void)
{
	struct card *c = x_new();

	wr(c, TXDCTL1, TXDCTL_COUNT);
	x_start_tx(c);
	memset(TX1(c), 0, RING * sizeof(struct desc));
	x_ring(c, TDBAL1, TX1(c), RING * sizeof(struct desc), 0);
	return c;
}

/* Give queue 1 descriptor i, with data in its place behind the ring; no doorbell. */
static void
put1(struct card *c, unsigned int i, const void *data, uint32_t len, uint64_t word)
{
	uint8_t *buf = c->mem->big + 4096 * (i + 1);

	memcpy(buf, data, len);
	TX1(c)[i].addr = bus(c, buf);
	TX1(c)[i].word = word | len;
}

static void
ring1(struct card *c, uint32_t tail)
{
	wr(c, TDBAL1 + R_TAIL, tail);
}

static void
test_both_queues_send(void **state)
{
	struct card *c = x_up2();
	uint8_t f[100];

	(void)state;
	make_frame(f, peer_mac, sizeof(f));
	f[20] = 0;
	put_buf(c, f, sizeof(f), SEND);
	ring(c);
	f[20] = 1;
	put1(c, 0, f, sizeof(f), SEND);
	ring1(c, 1);
	assert_int_equal(sent(c).data[20], 0);
	assert_int_equal(sent(c).data[20], 1);
	assert_true(is_done(c, 0));
	assert_int_equal(TX1(c)[0].word & D_DD, D_DD);
	assert_int_equal(rd(c, TDBAL1 + R_HEAD), 1);
	assert_int_equal(rd(c, TDH), 1);
	assert_int_equal(rd(c, GPTC), 2);
	card_free(c);
}

/* TARC bit 10 */
static void
test_tarc_turns_queues_on(void **state)
{
	struct card *c = x_up2();
	uint8_t f[60];

	(void)state;
	make_frame(f, peer_mac, sizeof(f));
	wr(c, TARC0, rd(c, TARC0) & ~BIT(10));
	put_buf(c, f, sizeof(f), SEND);
	ring(c);
	put1(c, 0, f, sizeof(f), SEND);
	ring1(c, 1);
	assert_false(is_done(c, 0));
	assert_int_equal(TX1(c)[0].word & D_DD, D_DD);
	(void)sent(c);
	wr(c, TARC1, rd(c, TARC1) & ~BIT(10));
	wr(c, TARC0, rd(c, TARC0) | BIT(10));
	put1(c, 1, f, sizeof(f), SEND);
	ring1(c, 2);
	assert_true(is_done(c, 0));
	assert_int_equal(TX1(c)[1].word & D_DD, 0);
	card_free(c);
}

/* Context: TCP over IPv4 at 14 and 34 (§3.5) */
#define CTX_CSUM (14ull | 24ull << 8 | 33ull << 16 | 34ull << 32 | 50ull << 40)
#define CTX_WORD (D_DEXT | BIT(24) | BIT(25))

/* The sum that software leaves in the TCP header: the pseudo header, with or without length. */
static void
seed_pseudo(uint8_t *f, uint32_t l4_len)
{
	set16(f + 50, rfc1071_sum(f + 26, 8, 6 + l4_len));
}

/* A context given to one queue serves the other too: there is only one. */
static void
test_context_is_shared_by_both_queues(void **state)
{
	struct card *c = x_up2();
	struct pw_frame out;
	uint8_t f[200];
	uint32_t len = make_ip(f, true, true, 50, false);

	(void)state;
	seed_pseudo(f, 70);
	put_desc(c, CTX_CSUM, CTX_WORD);
	ring(c);
	put1(c, 0, f, len, SEND | D_DATA | D_IXSM | D_TXSM);
	ring1(c, 1);
	out = sent(c);
	check_l4_sum(out.data + 14);
	/* Queue 1 sets one that sums elsewhere: queue 0's packet is what pays for it (§6). */
	TX1(c)[1].addr = (CTX_CSUM & ~(0xffull << 40)) | 52ull << 40;
	TX1(c)[1].word = CTX_WORD;
	ring1(c, 2);
	put_buf(c, f, len, SEND | D_DATA | D_IXSM | D_TXSM);
	ring(c);
	out = sent(c);
	assert_memory_equal(out.data + 50, f + 50, 2);
	assert_int_not_equal(be16(out.data + 52), 0);
	card_free(c);
}

/* A packet that was begun keeps the context it was begun with. */
static void
test_packet_keeps_its_context_to_the_end(void **state)
{
	struct card *c = x_up2();
	struct pw_frame out;
	uint8_t f[200];
	uint32_t len = make_ip(f, true, true, 50, false);

	(void)state;
	seed_pseudo(f, 70);
	put_desc(c, CTX_CSUM, CTX_WORD);
	put_buf(c, f, 60, D_DATA | D_IXSM | D_TXSM | D_IFCS);
	ring(c);
	TX1(c)[0].addr = (CTX_CSUM & ~(0xffull << 40)) | 52ull << 40;
	TX1(c)[0].word = CTX_WORD;
	ring1(c, 1);
	put_buf(c, f + 60, len - 60, SEND | D_DATA | D_IXSM | D_TXSM);
	ring(c);
	out = sent(c);
	check_l4_sum(out.data + 14);
	card_free(c);
}

/* There is no second place for a TSE context either: it takes the other's. */
static void
test_tso_needs_its_context_to_be_the_last(void **state)
{
	struct card *c = x_up2();
	uint8_t f[1600];
	uint32_t len = make_ip(f, true, true, 1500, false), at;

	(void)state;
	set16(f + 16, 0);
	seed_pseudo(f, 0);
	/* 1500 bytes behind headers of 54, 600 a segment */
	put_desc(c, CTX_CSUM, CTX_WORD | D_TSE | 1500 | 54ull << 40 | 600ull << 48);
	put_buf(c, f, len, SEND | D_DATA | D_TSE | D_IXSM | D_TXSM);
	ring(c);
	for (at = 0; at < 1500; at += 600) {
		struct pw_frame out = sent(c);
		uint32_t n = at + 600 > 1500 ? 300 : 600;

		assert_int_equal(out.len, 54 + n);
		check_l4_sum(out.data + 14);
		assert_int_equal(be32(out.data + 38), 0xfffffc00 + at);
		assert_memory_equal(out.data + 54, f + 54 + at, n);
	}
	assert_int_equal(rd(c, TSCTC), 1);
	put_desc(c, CTX_CSUM, CTX_WORD);
	put_buf(c, f, len, SEND | D_DATA | D_TSE | D_IXSM | D_TXSM);
	ring(c);
	expect_violation(c, PW_VIOL_PROTOCOL, "TSO");
	sent_nothing(c);
	card_free(c);
}

static void
test_reset_forgets_the_context(void **state)
{
	struct card *c = x_up2();
	uint8_t f[200];
	uint32_t len = make_ip(f, true, true, 50, false);

	(void)state;
	put_desc(c, CTX_CSUM, CTX_WORD);
	ring(c);
	card_reset(c);
	x_start_tx(c);
	put_buf(c, f, len, SEND | D_DATA | D_IXSM | D_TXSM);
	ring(c);
	expect_violation(c, PW_VIOL_PROTOCOL, "without a context");
	card_free(c);
}

/* Linux hands over up to 24 KiB in one descriptor (§6). */
static void
test_large_descriptors(void **state)
{
	struct card *c = x_up2();
	uint8_t *big = c->mem->big + 8192;
	uint32_t len = 24 << 10, segs = 0;
	struct pw_frame out;

	(void)state;
	make_ip(big, true, true, len - 54, false);
	set16(big + 16, 0);
	seed_pseudo(big, 0);
	put_desc(c, CTX_CSUM, CTX_WORD | D_TSE | (len - 54) | 54ull << 40 | 1460ull << 48);
	put_desc(c, bus(c, big), SEND | D_DATA | D_TSE | D_IXSM | D_TXSM | len);
	ring(c);
	while (pw_wire_peek(c->peer, &out)) {
		pw_wire_next(c->peer);
		segs++;
	}
	assert_int_equal(segs, (len - 54 + 1459) / 1460);
	put_desc(c, CTX_CSUM, CTX_WORD | D_TSE | (len - 53) | 54ull << 40 | 1460ull << 48);
	put_desc(c, bus(c, big), SEND | D_DATA | D_TSE | D_IXSM | D_TXSM | (len + 1));
	ring(c);
	expect_violation(c, PW_VIOL_PROTOCOL, "at most 24576");
	card_free(c);
}

/* The Tx share of the packet buffer, less 80 bytes (§3.4), of 40 KiB */
static void
test_jumbo_frames_fit_the_fifo(void **state)
{
	struct card *c = x_new();
	uint8_t *big = c->mem->big + 8192;

	(void)state;
	wr(c, PBA, 26);
	card_reset(c);
	x_start_tx(c);
	make_frame(big, peer_mac, 9014);
	put_desc(c, bus(c, big), SEND | D_DATA | 9014);
	ring(c);
	assert_int_equal(sent(c).len, 9014);
	put_desc(c, bus(c, big), SEND | D_DATA | (14 * 1024 - 79));
	ring(c);
	expect_violation(c, PW_VIOL_PROTOCOL, "FIFO");
	card_free(c);
}

/* WTHRESH of each queue for itself: held descriptors are told to the queue's own vector. */
static void
test_write_back_groups_are_a_queues_own(void **state)
{
	struct card *c = x_up2();
	uint8_t f[60];
	unsigned int i;

	(void)state;
	x_msix_on(c);
	for (i = 0; i < 5; i++)
		wr(c, EITR + 4 * i, 0);
	wr(c, IVAR, 0x9 << 8 | 0xa << 12); /* TXQ0 1, TXQ1 2 */
	wr(c, EIAC, ICR_TXQ0 | ICR_TXQ1);
	wr(c, IMS, ICR_TXQ0 | ICR_TXQ1);
	wr(c, TXDCTL1, TXDCTL_COUNT | GRAN | 3 << 16);
	make_frame(f, peer_mac, sizeof(f));
	put_buf(c, f, sizeof(f), SEND);
	ring(c);
	assert_int_equal(c->sent[1], 1);
	for (i = 0; i < 2; i++)
		put1(c, i, f, sizeof(f), SEND);
	ring1(c, 2);
	assert_int_equal(TX1(c)[0].word & D_DD, 0);
	assert_int_equal(c->sent[2], 0);
	put1(c, 2, f, sizeof(f), SEND);
	ring1(c, 3);
	for (i = 0; i < 3; i++)
		assert_int_equal(TX1(c)[i].word & D_DD, D_DD);
	assert_int_equal(c->sent[2], 1);
	assert_int_equal(c->sent[1], 1);
	/* One that waits is flushed by FPD. */
	put1(c, 3, f, sizeof(f), SEND);
	ring1(c, 4);
	assert_int_equal(TX1(c)[3].word & D_DD, 0);
	wr(c, TIDV, FPD);
	assert_int_equal(TX1(c)[3].word & D_DD, D_DD);
	assert_int_equal(c->sent[2], 2);
	card_free(c);
}

/* In loopback what is sent is received, by way of filters and extended descriptors (§9.4). */
static void
test_loopback_into_extended_descriptors(void **state)
{
	struct card *c = x_up(0);
	uint8_t f[200];
	uint32_t len = make_ip(f, true, true, 50, true);
	const struct desc *d;

	(void)state;
	wr(c, MDIC, MDIC_WRITE | 1u << 21 | 0 << 16 | 0x4140); /* loopback, 1000, full duplex */
	wait_us(c, 100);
	assert_int_equal(rd(c, MDIC) & MDIC_READY, MDIC_READY);
	put_buf(c, f, len, SEND);
	ring(c);
	d = x_received(c);
	assert_int_equal(x_len(d), len);
	assert_memory_equal(rx_data(c, d), f, len);
	sent_nothing(c);
	card_free(c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_both_queues_send),
		cmocka_unit_test(test_tarc_turns_queues_on),
		cmocka_unit_test(test_context_is_shared_by_both_queues),
		cmocka_unit_test(test_packet_keeps_its_context_to_the_end),
		cmocka_unit_test(test_tso_needs_its_context_to_be_the_last),
		cmocka_unit_test(test_reset_forgets_the_context),
		cmocka_unit_test(test_large_descriptors),
		cmocka_unit_test(test_jumbo_frames_fit_the_fifo),
		cmocka_unit_test(test_write_back_groups_are_a_queues_own),
		cmocka_unit_test(test_loopback_into_extended_descriptors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
