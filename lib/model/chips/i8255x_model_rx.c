/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

/*
 * The receive unit: a frame is judged (PAUSE, addresses, errors), then stored in the RFD that
 * comes next. RFDs are a list that the host closes to a circle and stops with EL (§5.4).
 *
 * A frame that finds the unit without an RFD is held in the receive FIFO by an 82558 and later,
 * as far as it fits, until the unit is started again; an 82557 drops it (§5.4).
 */

#include <errno.h>

#include "pw_csum.h"

#include "i8255x_model.h"

#define ETHER_TYPE_AT 12
#define ETHER_TYPE_IPV4 0x0800
#define ETHER_TYPE_VLAN 0x8100
#define ETHER_TYPE_MAC_CONTROL 0x8808
#define ETHER_TYPE_MIN 0x0600	/* below, the field is a length (IEEE 802.3 §3.2.6) */
#define SNAP_LEN 8
#define IPV4_HDR 20
#define IP_PROTO_TCP 6
#define IP_PROTO_UDP 17
#define PAUSE_OPCODE 0x0001

#define FIFO_HEAD 8	/* room for what goes before a held frame */
#define MAGIC_REPEATS 16

/* A received frame on its way to the host */
struct rx_pkt {
	const uint8_t *data;
	uint32_t len;		/* as it came, without FCS */
	uint16_t status;
	uint16_t good;		/* counts as such */
};

_Static_assert(sizeof(uint32_t) + 2 * sizeof(uint16_t) == FIFO_HEAD, "what rx_hold() puts");

/* What of it goes behind the RFD, piece by piece */
struct rx_image {
	struct {
		const uint8_t *data;
		uint32_t len;
	} part[4];
	unsigned int nb_parts;
	uint32_t len;		/* of all parts */
	uint8_t fcs[I8255X_FCS];
	uint16_t csum;
	struct i8255x_rfd_ext ext;
};

static uint32_t
get_be16(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static bool
has_fifo(const struct i8255x_model *x)
{
	return i8255x_has(x, I8255X_F_558);
}

static bool
extended_rfd(const struct i8255x_model *x)
{
	return i8255x_has(x, I8255X_F_550) && (x->cfg[7] & I8255X_CFG7_EXT_RFD) != 0 &&
	       (x->cfg[22] & I8255X_CFG22_EXT_RFD) != 0;
}

/* --- address filter ------------------------------------------------------------------------ */

static bool
is_broadcast(const uint8_t *da)
{
	static const uint8_t ones[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

	return memcmp(da, ones, sizeof(ones)) == 0;
}

static bool
hash_match(const struct i8255x_model *x, const uint8_t *da)
{
	return (x->mc_hash >> i8255x_mc_bit(da) & 1) != 0;
}

static bool
ia_match(const struct i8255x_model *x, const uint8_t *da)
{
	uint8_t care = (x->cfg[15] & I8255X_CFG15_IGNORE_UL) != 0 ? 0xfd : 0xff;

	return ((da[0] ^ x->ia[0]) & care) == 0 && memcmp(da + 1, x->ia + 1, 5) == 0;
}

static bool
address_match(const struct i8255x_model *x, const uint8_t *da)
{
	if ((da[0] & 1) == 0)
		return (x->cfg[20] & I8255X_CFG20_MULTI_IA) != 0 && hash_match(x, da);
	if (is_broadcast(da))
		return (x->cfg[15] & I8255X_CFG15_NO_BROADCAST) == 0;
	return (x->cfg[21] & I8255X_CFG21_ALLMULTI) != 0 || hash_match(x, da);
}

static bool
address_ok(const struct i8255x_model *x, struct rx_pkt *p)
{
	if (ia_match(x, p->data))
		return true;
	p->status |= I8255X_RFD_NOT_IA;
	if (address_match(x, p->data))
		return true;
	p->status |= I8255X_RFD_NO_MATCH;
	return (x->cfg[15] & I8255X_CFG15_PROMISC) != 0;
}

/* --- judging a frame ----------------------------------------------------------------------- */

/* MAC control, which 82558 and later know. True: the frame ends here. */
static bool
mac_control(struct i8255x_model *x, const uint8_t *f, uint32_t len)
{
	static const uint8_t pause_da[6] = { 0x01, 0x80, 0xc2, 0x00, 0x00, 0x01 };

	if (PW_LIKELY(get_be16(f + ETHER_TYPE_AT) != ETHER_TYPE_MAC_CONTROL) || len < 18 ||
	    !i8255x_has(x, I8255X_F_558) ||
	    (memcmp(f, pause_da, sizeof(pause_da)) != 0 && !ia_match(x, f)))
		return false;
	if (get_be16(f + 14) != PAUSE_OPCODE) {
		i8255x_count(x, I8255X_FC_RX_UNSUPPORTED);
	} else {
		i8255x_count(x, I8255X_FC_RX_PAUSE);
		if ((x->cfg[19] & I8255X_CFG19_NO_TX_FC) == 0 && i8255x_full_duplex(x)) {
			i8255x_tx_pause(x, get_be16(f + 16));
			i8255x_irq_set(x, I8255X_ACK_FCP);
		}
	}
	return (x->cfg[19] & I8255X_CFG19_REJECT_FC) != 0;
}

/* Length and FCS. False: the frame is not to be stored. */
static bool
check_errors(struct i8255x_model *x, struct rx_pkt *p, uint32_t flags)
{
	bool save = (x->cfg[6] & I8255X_CFG6_SAVE_BAD) != 0;
	uint32_t wire_len = p->len + I8255X_FCS;

	if (wire_len < I8255X_MIN_FRAME) {
		i8255x_count(x, I8255X_RX_SHORT);
		p->good = 0;
		p->status |= I8255X_RFD_SHORT;
		if (p->len < I8255X_ETH_HDR || (x->cfg[7] & I8255X_CFG7_DISCARD_SHORT) != 0)
			return false;
	} else if ((flags & (PW_FRAME_BAD_CRC | PW_FRAME_RX_ERR)) != 0) {
		i8255x_count(x, I8255X_RX_CRC);
	}
	if ((flags & (PW_FRAME_BAD_CRC | PW_FRAME_RX_ERR)) != 0) {
		p->good = 0;
		p->status |= I8255X_RFD_CRC;
		if ((flags & PW_FRAME_RX_ERR) != 0)
			p->status |= I8255X_RFD_RX_ER;
		return save;
	}
	/* No counter tells of a frame that is too long (§7: 82557 and VLANs). */
	if (wire_len > I8255X_MAX_FRAME && (!i8255x_has(x, I8255X_F_558) ||
					    (x->cfg[18] & I8255X_CFG18_LONG_OK) == 0)) {
		p->good = 0;
		return save;
	}
	return true;
}

/* False: the frame is not for us, or broken. Counts it. */
static bool
judge(struct i8255x_model *x, struct rx_pkt *p, uint32_t flags)
{
	bool overrun = pw_fault_take(x->m, PW_FAULT_RX_OVERRUN);

	if (p->len < I8255X_ETH_HDR) {
		check_errors(x, p, flags);
		return false;
	}
	if (PW_LIKELY(flags == 0) && !overrun && mac_control(x, p->data, p->len))
		return false;
	if (!address_ok(x, p))
		return false;
	if (get_be16(p->data + ETHER_TYPE_AT) >= ETHER_TYPE_MIN)
		p->status |= I8255X_RFD_TYPE;
	if (overrun) {
		i8255x_count(x, I8255X_RX_OVERRUN);
		p->good = 0;
		p->status |= I8255X_RFD_OVERRUN;
		return (x->cfg[6] & I8255X_CFG6_SAVE_OVERRUN) != 0;
	}
	return check_errors(x, p, flags);
}

/* --- what is stored ------------------------------------------------------------------------ */

static void
add_part(struct rx_image *img, const void *data, uint32_t len)
{
	img->part[img->nb_parts].data = data;
	img->part[img->nb_parts++].len = len;
	img->len += len;
}

/* Where the IPv4 header is, or 0. */
static uint32_t
find_ipv4(const uint8_t *f, uint32_t len, bool tagged)
{
	static const uint8_t snap[6] = { 0xaa, 0xaa, 0x03, 0, 0, 0 };
	uint32_t at = ETHER_TYPE_AT + (tagged ? I8255X_VLAN_LEN : 0);

	if (get_be16(f + at) < ETHER_TYPE_MIN && len >= at + 2 + SNAP_LEN &&
	    memcmp(f + at + 2, snap, sizeof(snap)) == 0)
		at += SNAP_LEN;
	if (get_be16(f + at) != ETHER_TYPE_IPV4 || len < at + 2 + IPV4_HDR)
		return 0;
	return at + 2;
}

/* TCP or UDP in an unfragmented IPv4 packet. UDP may come without a checksum (RFC 768). */
static void
check_l4(struct i8255x_rfd_ext *ext, const uint8_t *ip, uint32_t hdr, uint32_t total)
{
	const uint8_t *l4 = ip + hdr;
	uint32_t l4_len = total - hdr;
	uint64_t sum;

	if ((get_be16(ip + 6) & 0x3fff) != 0)
		return;
	if (ip[9] == IP_PROTO_UDP && l4_len >= 8) {
		ext->parser = I8255X_EXT_PARSED | I8255X_EXT_PROTO_UDP;
		if (get_be16(l4 + 6) == 0)
			return;
	} else if (ip[9] == IP_PROTO_TCP && l4_len >= 20) {
		ext->parser = I8255X_EXT_PARSED | I8255X_EXT_PROTO_TCP;
	} else {
		return;
	}
	sum = pw_csum_add((uint64_t)pw_csum_be16(ip[9]) + pw_csum_be16(l4_len), ip + 12, 8);
	ext->csum |= I8255X_EXT_L4_VALID;
	if (pw_csum_fold(pw_csum_add(sum, l4, l4_len)) == 0xffff)
		ext->csum |= I8255X_EXT_L4_GOOD;
}

/* The parser of 82550 and 82551 (§3.5). */
static void
parse(struct rx_pkt *p, struct i8255x_rfd_ext *ext, bool tagged)
{
	uint32_t at = find_ipv4(p->data, p->len, tagged), hdr, total;
	const uint8_t *ip = p->data + at;

	if (at == 0)
		return;
	hdr = (ip[0] & 0xfu) * 4;
	total = get_be16(ip + 2);
	if (ip[0] >> 4 != 4 || hdr < IPV4_HDR || total < hdr || total > p->len - at)
		return;
	p->status |= I8255X_RFD_PARSED;
	ext->parser = I8255X_EXT_PARSED | I8255X_EXT_PROTO_IP;
	ext->csum = I8255X_EXT_IP_VALID;
	if (pw_csum_fold(pw_csum_add(0, ip, hdr)) == 0xffff)
		ext->csum |= I8255X_EXT_IP_GOOD;
	check_l4(ext, ip, hdr, total);
}

/* Bytes of the frame without what a length field says is padding (byte 18 b0). */
static uint32_t
unpadded(const struct i8255x_model *x, const struct rx_pkt *p)
{
	uint32_t len = I8255X_ETH_HDR + get_be16(p->data + ETHER_TYPE_AT);

	if ((x->cfg[18] & I8255X_CFG18_STRIP) == 0 ||
	    (p->status & (I8255X_RFD_TYPE | I8255X_RFD_ERRORS)) != 0 || len > p->len)
		return p->len;
	return len;
}

static void
make_image(const struct i8255x_model *x, struct rx_pkt *p, struct rx_image *img)
{
	bool tagged = p->len >= ETHER_TYPE_AT + I8255X_VLAN_LEN + 2 &&
		      get_be16(p->data + ETHER_TYPE_AT) == ETHER_TYPE_VLAN;
	bool extended = extended_rfd(x);
	uint32_t len = unpadded(x, p), fcs;

	img->nb_parts = 0;
	img->len = 0;
	if (PW_UNLIKELY(extended)) {
		memset(&img->ext, 0, sizeof(img->ext));
		parse(p, &img->ext, tagged);
	}
	if (PW_UNLIKELY(extended && tagged && (x->cfg[22] & I8255X_CFG22_VLAN_STRIP) != 0)) {
		p->status |= I8255X_RFD_VLAN;
		memcpy(&img->ext.vlan_be, p->data + ETHER_TYPE_AT + 2, sizeof(img->ext.vlan_be));
		add_part(img, p->data, ETHER_TYPE_AT);
		add_part(img, p->data + ETHER_TYPE_AT + I8255X_VLAN_LEN,
			 len - ETHER_TYPE_AT - I8255X_VLAN_LEN);
	} else {
		add_part(img, p->data, len);
	}
	if (PW_UNLIKELY((x->cfg[18] & I8255X_CFG18_CRC) != 0) && len == p->len) {
		fcs = pw_crc32(p->data, p->len);
		if ((p->status & I8255X_RFD_CRC) != 0)
			fcs = ~fcs;
		memcpy(img->fcs, &fcs, sizeof(img->fcs));
		add_part(img, img->fcs, sizeof(img->fcs));
	}
	if ((x->cfg[9] & I8255X_CFG9_RX_CSUM) != 0 && i8255x_has(x, I8255X_F_CSUM)) {
		/* Of what came, its padding too, and not of the FCS. */
		img->csum = pw_csum_fold(pw_csum_add(0, p->data + I8255X_ETH_HDR,
						     p->len - I8255X_ETH_HDR));
		add_part(img, &img->csum, I8255X_RX_CSUM_LEN);
	}
}

/* --- states of the unit (§2.1) ------------------------------------------------------------- */

static void
set_state(struct i8255x_model *x, uint8_t state)
{
	bool left = x->ru.state == I8255X_STATUS_RUS_READY && state != I8255X_STATUS_RUS_READY;

	x->ru.state = state;
	if (left)
		i8255x_irq_set(x, I8255X_ACK_RNR);
	i8255x_listen_update(x);
}

/* --- one RFD ------------------------------------------------------------------------------- */

enum rx_result {
	RX_STORED,
	RX_LATER,	/* the host is writing this RFD: look again */
	RX_NONE,	/* no RFD: the unit has left ready */
};

/* Whether the unit may write it. What a host may not do is recorded. */
static enum rx_result
check_rfd(struct i8255x_model *x, const struct i8255x_rfd *rfd)
{
	if ((rfd->size & I8255X_RFD_COUNT_MASK) == 0) {
		/* Only EL stops: without it a host has cleared EL and not yet set the size. */
		if ((rfd->cmd & I8255X_RFD_EL) == 0)
			return RX_LATER;
		set_state(x, I8255X_STATUS_RUS_NO_RES);
		return RX_NONE;
	}
	if ((rfd->status & I8255X_RFD_C) != 0) {
		pw_violate(x->m, PW_VIOL_DESC_OWNER, "RFD at 0x%x: its C is set, its frame would "
			   "be overwritten (§5.4)", x->ru.at);
		set_state(x, I8255X_STATUS_RUS_NO_RES);
		return RX_NONE;
	}
	if ((rfd->cmd & (I8255X_RFD_SF | I8255X_RFD_H)) != 0) {
		pw_violate(x->m, PW_VIOL_PROTOCOL, "RFD at 0x%x: flexible and header RFDs are not "
			   "modelled (§3.5)", x->ru.at);
		set_state(x, I8255X_STATUS_RUS_NO_RES);
		return RX_NONE;
	}
	if ((rfd->size & 1) != 0 || (x->ru.at & 1) != 0)
		pw_violate(x->m, PW_VIOL_PROTOCOL, "RFD at 0x%x of %u bytes: an odd %s (§6)",
			   x->ru.at, rfd->size & I8255X_RFD_COUNT_MASK,
			   (x->ru.at & 1) != 0 ? "address" : "size");
	return RX_STORED;
}

/* The frame, then the count, then the status, which hands the RFD over. */
static bool
write_rfd(struct i8255x_model *x, const struct rx_pkt *p, const struct rx_image *img,
	  uint32_t len)
{
	struct i8255x_ru *ru = &x->ru;
	bool extended = extended_rfd(x);
	uint32_t at = ru->at + (extended ? I8255X_RFD_EXT_LEN : I8255X_RFD_LEN);
	uint16_t count = (uint16_t)(len | I8255X_RFD_EOF | I8255X_RFD_F);
	uint32_t left = len;
	unsigned int i;

	for (i = 0; i < img->nb_parts && left > 0; i++) {
		uint32_t n = img->part[i].len < left ? img->part[i].len : left;

		if (!pw_dma_write(x->m, &ru->win, at, img->part[i].data, n))
			return false;
		at += n;
		left -= n;
	}
	if (extended && !pw_dma_write(x->m, &ru->win, ru->at + I8255X_RFD_LEN, &img->ext,
				      sizeof(img->ext)))
		return false;
	return pw_dma_write(x->m, &ru->win, ru->at + offsetof(struct i8255x_rfd, count), &count,
			    sizeof(count)) &&
	       pw_dma_publish(x->m, &ru->win, ru->at, p->status, sizeof(p->status));
}

static enum rx_result
store(struct i8255x_model *x, struct rx_pkt *p)
{
	struct i8255x_ru *ru = &x->ru;
	struct i8255x_rfd rfd;
	struct rx_image img;
	enum rx_result result;
	uint32_t len;

	if (!pw_dma_read(x->m, &ru->win, ru->at, &rfd, sizeof(rfd))) {
		set_state(x, I8255X_STATUS_RUS_IDLE);
		return RX_NONE;
	}
	result = check_rfd(x, &rfd);
	if (result != RX_STORED)
		return result;
	make_image(x, p, &img);
	len = img.len;
	if (PW_UNLIKELY(len > (rfd.size & I8255X_RFD_COUNT_MASK))) {
		len = rfd.size & I8255X_RFD_COUNT_MASK;
		p->status |= I8255X_RFD_NO_SPACE;
		p->good = 0;
	}
	p->status |= I8255X_RFD_C | (p->good ? I8255X_RFD_OK : 0);
	if (!write_rfd(x, p, &img, len)) {
		set_state(x, I8255X_STATUS_RUS_IDLE);
		return RX_NONE;
	}
	if (p->good)
		i8255x_count(x, I8255X_RX_GOOD);
	ru->at = ru->base + rfd.link;
	i8255x_irq_set(x, I8255X_ACK_FR);
	if (PW_UNLIKELY((rfd.cmd & I8255X_RFD_EL) != 0))
		set_state(x, I8255X_STATUS_RUS_NO_RES);
	else if (PW_UNLIKELY((rfd.cmd & I8255X_RFD_S) != 0))
		set_state(x, I8255X_STATUS_RUS_SUSPENDED);
	return RX_STORED;
}

/* --- FIFO ---------------------------------------------------------------------------------- */

/* Room that the host lets the FIFO fill to before it stops the partner (register 19h). */
static uint32_t
fc_threshold(const struct i8255x_model *x)
{
	static const uint16_t free_bytes[8] = { 512, 1024, 1280, 1536, 1792, 2048, 2304, 2560 };

	return free_bytes[x->fc_threshold & I8255X_FC_THRESHOLD_MASK];
}

static void
send_xoff(struct i8255x_model *x)
{
	uint32_t quanta = x->cfg[16] | (uint32_t)x->cfg[17] << 8;

	x->ru.xoff_sent = true;
	i8255x_send_pause(x, quanta);
	/* Again before it runs out; not for time that has passed unseen. */
	if (quanta > 1)
		pw_timer_set(x->m, I8255X_T_XOFF,
			     pw_clock_now(x->m->clock) + i8255x_quanta_ns(x, quanta / 2));
}

static void
flow_control(struct i8255x_model *x)
{
	bool full = I8255X_RX_FIFO - x->ru.fifo_bytes < fc_threshold(x);

	if (PW_LIKELY(!full && !x->ru.xoff_sent))
		return;
	if (full && !x->ru.xoff_sent && i8255x_has(x, I8255X_F_558) &&
	    (x->cfg[19] & I8255X_CFG19_RX_FC_RESTOP) != 0 && i8255x_full_duplex(x))
		send_xoff(x);
	if (!full && x->ru.xoff_sent) {
		x->ru.xoff_sent = false;
		pw_timer_stop(x->m, I8255X_T_XOFF);
		if ((x->cfg[19] & I8255X_CFG19_RX_FC_RESTART) != 0)
			i8255x_send_pause(x, 0);
	}
}

static void
fifo_clear(struct i8255x_model *x)
{
	x->ru.fifo_len = 0;
	x->ru.fifo_bytes = 0;
}

static bool
hold(struct i8255x_model *x, const struct rx_pkt *p)
{
	struct i8255x_ru *ru = &x->ru;
	uint8_t *at = ru->fifo + ru->fifo_len;

	if (ru->fifo_bytes + p->len + I8255X_FCS > I8255X_RX_FIFO ||
	    ru->fifo_len + FIFO_HEAD + p->len > sizeof(ru->fifo))
		return false;
	memcpy(at, &p->len, 4);
	memcpy(at + 4, &p->status, 2);
	memcpy(at + 6, &p->good, 2);
	memcpy(at + FIFO_HEAD, p->data, p->len);
	ru->fifo_len += FIFO_HEAD + p->len;
	ru->fifo_bytes += p->len + I8255X_FCS;
	flow_control(x);
	return true;
}

static bool
can_store(const struct i8255x_model *x)
{
	return x->ru.state == I8255X_STATUS_RUS_READY && x->m->dma_on;
}

/* Frames that were held, as far as there are RFDs now. */
static unsigned int
drain(struct i8255x_model *x)
{
	struct i8255x_ru *ru = &x->ru;
	uint32_t at = 0;
	unsigned int done = 0;

	while (at < ru->fifo_len && can_store(x)) {
		struct rx_pkt p;

		memcpy(&p.len, ru->fifo + at, 4);
		memcpy(&p.status, ru->fifo + at + 4, 2);
		memcpy(&p.good, ru->fifo + at + 6, 2);
		p.data = ru->fifo + at + FIFO_HEAD;
		if (store(x, &p) != RX_STORED)
			break;
		at += FIFO_HEAD + p.len;
		ru->fifo_bytes -= p.len + I8255X_FCS;
		done++;
	}
	if (ru->state == I8255X_STATUS_RUS_IDLE) {
		fifo_clear(x);
	} else if (at != 0) {
		ru->fifo_len -= at;
		memmove(ru->fifo, ru->fifo + at, ru->fifo_len);
	}
	flow_control(x);
	return done;
}

/* A frame that finds no RFD, or no bus. */
static int
no_room(struct i8255x_model *x, const struct rx_pkt *p)
{
	bool ready = x->ru.state == I8255X_STATUS_RUS_READY;

	if (x->ru.state == I8255X_STATUS_RUS_IDLE)
		return -ENOBUFS;
	if ((ready || has_fifo(x)) && hold(x, p))
		return 0;
	i8255x_count(x, ready ? I8255X_RX_OVERRUN : I8255X_RX_RESOURCE);
	return -ENOBUFS;
}

/* --- one frame ----------------------------------------------------------------------------- */

/* Six bytes of ones and 16 times the own address, anywhere behind the header. */
static bool
is_magic(const struct i8255x_model *x, const uint8_t *f, uint32_t len)
{
	uint32_t at, i;

	for (at = I8255X_ETH_HDR; at + 6 * (1 + MAGIC_REPEATS) <= len; at++) {
		if (!is_broadcast(f + at))
			continue;
		for (i = 1; i <= MAGIC_REPEATS; i++)
			if (memcmp(f + at + 6 * i, x->ia, 6) != 0)
				break;
		if (i > MAGIC_REPEATS)
			return true;
	}
	return false;
}

/* What wakes the host: a magic packet, a frame to the own address or a multicast (§3.2). */
static void
wake(struct i8255x_model *x, const uint8_t *f, uint32_t len)
{
	struct rx_pkt p = { .data = f, .len = len };

	if (len < I8255X_ETH_HDR || !address_ok(x, &p))
		return;
	if (i8255x_has(x, I8255X_F_MAGIC) && (x->cfg[19] & I8255X_CFG19_NO_MAGIC) == 0 &&
	    is_magic(x, f, len))
		i8255x_pme(x, I8255X_PMDR_MAGIC);
	if (((p.status & I8255X_RFD_NOT_IA) == 0 && (x->cfg[19] & I8255X_CFG19_IA_WAKE) != 0) ||
	    ((f[0] & 1) != 0 && !is_broadcast(f) && (x->cfg[9] & I8255X_CFG9_MC_WAKE) != 0))
		i8255x_pme(x, I8255X_PMDR_INTERESTING);
}

int
i8255x_rx_frame(struct i8255x_model *x, const uint8_t *data, uint32_t len, uint32_t flags)
{
	struct rx_pkt p = { .data = data, .len = len, .good = 1 };
	enum rx_result result;

	if (PW_UNLIKELY(i8255x_asleep(x))) {
		wake(x, data, flags == 0 ? len : 0);
		return -ENOBUFS;
	}
	if (x->ru.state == I8255X_STATUS_RUS_IDLE)
		return -ENOBUFS;
	if (pw_fault_take(x->m, PW_FAULT_BAD_CRC))
		flags |= PW_FRAME_BAD_CRC;
	if (PW_UNLIKELY(flags != 0))
		i8255x_phy_rx_error(x, flags);
	if (PW_UNLIKELY(x->ru.locked_up))
		return -ENOBUFS;
	if (!judge(x, &p, flags))
		return (p.status & I8255X_RFD_OVERRUN) != 0 ? -ENOBUFS : 0;
	if (PW_UNLIKELY(x->ru.fifo_len != 0))
		drain(x);
	if (PW_UNLIKELY(x->ru.fifo_len != 0 || !can_store(x)))
		return no_room(x, &p);
	result = store(x, &p);
	return result == RX_STORED ? 0 : no_room(x, &p);
}

unsigned int
i8255x_rx_run(struct i8255x_model *x)
{
	struct pw_wire *wire = x->m->wire;
	unsigned int done = 0, budget = I8255X_CU_BUDGET;
	struct pw_frame f;

	if (PW_UNLIKELY(x->ru.fifo_len != 0))
		done = drain(x);
	if (wire == NULL || !x->listening)
		return done;
	x->stat[I8255X_RX_OVERRUN] += (uint32_t)pw_wire_missed(wire);
	while (budget-- > 0 && x->listening && pw_wire_peek(wire, &f)) {
		i8255x_rx_frame(x, f.data, f.len, f.flags);
		pw_wire_next(wire);
		done++;
	}
	return done;
}

/* --- commands (§2.3) ----------------------------------------------------------------------- */

static void
ru_start(struct i8255x_model *x, uint32_t pointer)
{
	if (x->ru.state == I8255X_STATUS_RUS_READY)
		pw_violate(x->m, PW_VIOL_PROTOCOL, "RU start while the unit is ready (§5.4)");
	x->ru.at = x->ru.base + pointer;
	set_state(x, I8255X_STATUS_RUS_READY);
	drain(x);
}

static void
ru_resume(struct i8255x_model *x)
{
	if (x->ru.state != I8255X_STATUS_RUS_SUSPENDED) {
		pw_violate(x->m, PW_VIOL_PROTOCOL, "RU resume while the unit is not suspended "
			   "(§2.3)");
		return;
	}
	set_state(x, I8255X_STATUS_RUS_READY);
	drain(x);
}

void
i8255x_ru_command(struct i8255x_model *x, uint8_t ruc, uint32_t pointer)
{
	switch (ruc) {
	case I8255X_RUC_NOP:
		break;
	case I8255X_RUC_START:
		ru_start(x, pointer);
		break;
	case I8255X_RUC_RESUME:
		ru_resume(x);
		break;
	case I8255X_RUC_ABORT:
		set_state(x, I8255X_STATUS_RUS_IDLE);
		fifo_clear(x);
		flow_control(x);
		break;
	case I8255X_RUC_LOAD_BASE:
		x->ru.base = pointer;
		break;
	default:
		pw_violate(x->m, PW_VIOL_PROTOCOL, "RU command %u: flexible mode, header RFDs and "
			   "redirection are not modelled (§2.3)", ruc);
	}
}

/* --- verbs --------------------------------------------------------------------------------- */

void
i8255x_rx_reset(struct i8255x_model *x, bool selective)
{
	struct i8255x_ru *ru = &x->ru;

	pw_timer_stop(x->m, I8255X_T_XOFF);
	pw_timer_stop(x->m, I8255X_T_RX);
	ru->state = I8255X_STATUS_RUS_IDLE;
	ru->xoff_sent = false;
	ru->locked_up = false;
	fifo_clear(x);
	if (!selective) {
		ru->base = 0;
		ru->at = 0;
	}
	i8255x_listen_update(x);
}

void
i8255x_rx_config(struct i8255x_model *x)
{
	/* Flow control that was turned off does not go on by itself. */
	if (x->ru.xoff_sent && (x->cfg[19] & I8255X_CFG19_RX_FC_RESTOP) == 0) {
		x->ru.xoff_sent = false;
		pw_timer_stop(x->m, I8255X_T_XOFF);
	}
	flow_control(x);
}

void
i8255x_rx_timer(struct i8255x_model *x, unsigned int id)
{
	if (id == I8255X_T_XOFF)
		send_xoff(x);
}
