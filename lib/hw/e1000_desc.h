/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 pollwire authors
 */

#ifndef _E1000_DESC_H_
#define _E1000_DESC_H_

#include <stddef.h>
#include <stdint.h>

/*
 * Descriptors of the e1000 family (§3). A descriptor is two little-endian
 * 64-bit words, so that it is written by two stores and read by two loads;
 * the packet-split form has four. Macros give the place of a field within the
 * word after conversion to the CPU's byte order: `F(w)` reads a field, `F(v)`
 * under "build" makes one. Bit n of the second word is byte 8 + n / 8.
 *
 * Ring base: 16-byte aligned; ring length: a multiple of 128 bytes.
 */

#define E1000_DESC_SIZE			16	/* unit in which head and tail count */
#define E1000_DESC_LEN_ALIGN		128	/* granularity of RDLEN and TDLEN */
#define E1000_DESC_BASE_ALIGN		16

/* Make a 64-bit word from its dword at the lower and the higher address. */
#define E1000_DESC_QW(lo, hi)		((uint64_t)(uint32_t)(lo) | (uint64_t)(hi) << 32)

/* ---- VLAN tag field, the same in all formats ----------------------------- */

#define E1000_DESC_VLAN_VID_MASK	0x0fffu
#define E1000_DESC_VLAN_CFI		(1u << 12)
#define E1000_DESC_VLAN_PRI_SHIFT	13

/* ---- Legacy receive (§3.1) ----------------------------------------------- */

/* To re-arm, write the address and a second word of zero. */
struct e1000_rxd {
	uint64_t addr;	/* buffer; null: the chip stores no data and sets DD only */
	uint64_t wb;	/* written back: length, checksum, status, errors, VLAN */
};

_Static_assert(sizeof(struct e1000_rxd) == 16, "legacy Rx descriptor is 16 bytes");
_Static_assert(offsetof(struct e1000_rxd, wb) == 8, "write-back word is at byte 8");

#define E1000_RXD_LEN(wb)		((uint16_t)(wb))		/* in this buffer */
#define E1000_RXD_CSUM(wb)		((uint16_t)((wb) >> 16))	/* from PCSS */
#define E1000_RXD_STATUS(wb)		((uint8_t)((wb) >> 32))
#define E1000_RXD_ERRORS(wb)		((uint8_t)((wb) >> 40))
#define E1000_RXD_VLAN(wb)		((uint16_t)((wb) >> 48))	/* if VP */
/* Build: what the chip writes. */
#define E1000_RXD_WB(len, csum, status, errors, vlan) \
	((uint64_t)(uint16_t)(len) | (uint64_t)(uint16_t)(csum) << 16 | \
	 (uint64_t)(uint8_t)(status) << 32 | (uint64_t)(uint8_t)(errors) << 40 | \
	 (uint64_t)(uint16_t)(vlan) << 48)
#define E1000_RXD_STATUS_SHIFT		32	/* status bits within wb */
#define E1000_RXD_ERRORS_SHIFT		40

/* Status byte (byte 12); the same bits are 7:0 of the extended status. */
#define E1000_RXD_DD			(1u << 0)
#define E1000_RXD_EOP			(1u << 1)
#define E1000_RXD_IXSM			(1u << 2)	/* ignore checksum status and errors */
#define E1000_RXD_VP			(1u << 3)	/* tag stripped, VLAN field valid */
#define E1000_RXD_UDPCS			(1u << 4)	/* 82571+ */
#define E1000_RXD_TCPCS			(1u << 5)	/* TCP or UDP sum was looked at */
#define E1000_RXD_IPCS			(1u << 6)
#define E1000_RXD_PIF			(1u << 7)	/* hash match only: check in software */

/* Error byte (byte 13); valid with DD and EOP. */
#define E1000_RXD_CE			(1u << 0)	/* CRC or alignment */
#define E1000_RXD_SE			(1u << 1)	/* symbol (TBI) */
#define E1000_RXD_SEQ			(1u << 2)	/* sequence (TBI) */
#define E1000_RXD_CXE			(1u << 4)	/* carrier extension */
#define E1000_RXD_TCPE			(1u << 5)
#define E1000_RXD_IPE			(1u << 6)
#define E1000_RXD_RXE			(1u << 7)	/* data error */
/* Errors that spoil the frame, as against a wrong L3 or L4 checksum. */
#define E1000_RXD_FRAME_ERRORS \
	(E1000_RXD_CE | E1000_RXD_SE | E1000_RXD_SEQ | E1000_RXD_CXE | E1000_RXD_RXE)

/* ---- Extended receive (§3.2): RFCTL.EXTEN, RCTL.DTYP 0; 82571+ ------------ */

/*
 * The write-back covers the address too, so re-arming writes both words:
 * lo = address, hi = 0 (DD lies in hi).
 */
struct e1000_rxd_ext {
	uint64_t lo;	/* read: address; write-back: MRQ, then hash or IP id and checksum */
	uint64_t hi;	/* read: 0; write-back: status and errors, length, VLAN */
};

_Static_assert(sizeof(struct e1000_rxd_ext) == 16, "extended Rx descriptor is 16 bytes");
_Static_assert(offsetof(struct e1000_rxd_ext, hi) == 8, "status word is at byte 8");

#define E1000_RXDX_RSS_TYPE(lo)		((uint32_t)(lo) & 0xf)
#define E1000_RXDX_QUEUE(lo)		((uint32_t)(lo) >> 8 & 0x1f)
#define E1000_RXDX_HASH(lo)		((uint32_t)((lo) >> 32))	/* RXCSUM.PCSD 1 */
#define E1000_RXDX_IPID(lo)		((uint16_t)((lo) >> 32))	/* RXCSUM.PCSD 0 */
#define E1000_RXDX_CSUM(lo)		((uint16_t)((lo) >> 48))	/* RXCSUM.PCSD 0 */
#define E1000_RXDX_STATERR(hi)		((uint32_t)(hi))
#define E1000_RXDX_LEN(hi)		((uint16_t)((hi) >> 32))
#define E1000_RXDX_VLAN(hi)		((uint16_t)((hi) >> 48))
#define E1000_RXDX_PKTTYPE(hi)		((uint32_t)(hi) >> 16 & 0xf)
/* Build: what the chip writes. */
#define E1000_RXDX_MRQ(type, queue)	((uint32_t)(type) | (uint32_t)(queue) << 8)
#define E1000_RXDX_LO_HASH(mrq, hash)	E1000_DESC_QW(mrq, (uint32_t)(hash))
#define E1000_RXDX_LO_CSUM(mrq, ipid, csum) \
	E1000_DESC_QW(mrq, (uint32_t)(uint16_t)(ipid) | (uint32_t)(uint16_t)(csum) << 16)
#define E1000_RXDX_HI(staterr, len, vlan) \
	E1000_DESC_QW(staterr, (uint32_t)(uint16_t)(len) | (uint32_t)(uint16_t)(vlan) << 16)

/* RSS type */
#define E1000_RSS_TYPE_NONE		0
#define E1000_RSS_TYPE_IPV4_TCP		1
#define E1000_RSS_TYPE_IPV4		2
#define E1000_RSS_TYPE_IPV6_TCP		3
#define E1000_RSS_TYPE_IPV6_EX		4
#define E1000_RSS_TYPE_IPV6		5

/* Status and error dword (bytes 8-11); bits 7:0 are E1000_RXD_DD .. _PIF. */
#define E1000_RXDX_TST			(1u << 8)	/* a time stamp was taken (82574) */
#define E1000_RXDX_IPIDV		(1u << 9)
#define E1000_RXDX_UDPV			(1u << 10)
#define E1000_RXDX_ACK			(1u << 15)
#define E1000_RXDX_PKTTYPE_SHIFT	16
#define E1000_RXDX_ERRORS_SHIFT		24		/* E1000_RXD_CE .. _RXE */
#define E1000_RXDX_CE			(1u << 24)
#define E1000_RXDX_SE			(1u << 25)
#define E1000_RXDX_SEQ			(1u << 26)
#define E1000_RXDX_CXE			(1u << 28)
#define E1000_RXDX_TCPE			(1u << 29)
#define E1000_RXDX_IPE			(1u << 30)
#define E1000_RXDX_RXE			(1u << 31)
#define E1000_RXDX_FRAME_ERRORS		(E1000_RXD_FRAME_ERRORS << E1000_RXDX_ERRORS_SHIFT)

/* Packet type, bits 19:16 (values not verified on silicon) */
#define E1000_PKTTYPE_MAC		0
#define E1000_PKTTYPE_IPV4		1
#define E1000_PKTTYPE_IPV4_L4		2
#define E1000_PKTTYPE_IPV6		5
#define E1000_PKTTYPE_IPV6_L4		6

/* ---- Packet-split receive (§3.3): RFCTL.EXTEN, RCTL.DTYP 1 ---------------- */

/*
 * Head and tail still count 16-byte units: two a descriptor.
 * Read: q[0] header buffer, q[1..3] data buffers. Write-back: q[0] and q[1] as
 * the extended form's lo and hi (the length is the header buffer's); q[2]
 * header status and the data lengths; q[3] reserved.
 */
struct e1000_rxd_ps {
	uint64_t q[4];
};

_Static_assert(sizeof(struct e1000_rxd_ps) == 32, "packet-split Rx descriptor is 32 bytes");

#define E1000_RXDPS_HDRLEN(q2)		((uint32_t)(q2) & 0x3ff)
#define E1000_RXDPS_HDRSP		(1u << 15)	/* header was split off */
#define E1000_RXDPS_LEN(q2, n)		((uint16_t)((q2) >> 16 * (n)))	/* n = 1..3 */
/* Build: what the chip writes. */
#define E1000_RXDPS_Q2(hdr, len1, len2, len3) \
	((uint64_t)(uint16_t)(hdr) | (uint64_t)(uint16_t)(len1) << 16 | \
	 (uint64_t)(uint16_t)(len2) << 32 | (uint64_t)(uint16_t)(len3) << 48)

/* ---- Transmit (§3.4 to §3.6) ---------------------------------------------- */

/*
 * One ring mixes legacy, context and data descriptors, but all descriptors of
 * one packet have one format. DEXT and DTYP tell which.
 */
struct e1000_txd {
	union {
		uint64_t addr;	/* legacy, data: buffer; null: no data, still reported */
		uint64_t csum;	/* context: where the checksums start, go and end */
	};
	uint64_t cmd;
};

_Static_assert(sizeof(struct e1000_txd) == 16, "Tx descriptor is 16 bytes");
_Static_assert(offsetof(struct e1000_txd, csum) == 0, "context offsets replace the address");
_Static_assert(offsetof(struct e1000_txd, cmd) == 8, "command word is at byte 8");

/* Command byte (byte 11). EOP, IFCS, IC and VLE count with EOP only. */
#define E1000_TXD_EOP			(UINT64_C(1) << 24)	/* legacy, data */
#define E1000_TXD_IFCS			(UINT64_C(1) << 25)	/* legacy, data */
#define E1000_TXD_IC			(UINT64_C(1) << 26)	/* legacy: insert checksum */
#define E1000_TXD_TSE			(UINT64_C(1) << 26)	/* context, data: segment */
#define E1000_TXD_RS			(UINT64_C(1) << 27)	/* report status: set DD */
#define E1000_TXD_RPS			(UINT64_C(1) << 28)	/* 82543/4: when sent */
#define E1000_TXD_DEXT			(UINT64_C(1) << 29)	/* 0: legacy */
#define E1000_TXD_VLE			(UINT64_C(1) << 30)	/* legacy, data: insert tag */
#define E1000_TXD_IDE			(UINT64_C(1) << 31)	/* delay the interrupt */

/* Descriptor type, with DEXT */
#define E1000_TXD_DTYP_MASK		(UINT64_C(0xf) << 20)
#define E1000_TXD_DTYP_CTX		(UINT64_C(0) << 20)
#define E1000_TXD_DTYP_DATA		(UINT64_C(1) << 20)

/* Status (byte 12), written back */
#define E1000_TXD_DD			(UINT64_C(1) << 32)
#define E1000_TXD_EC			(UINT64_C(1) << 33)	/* excess collisions */
#define E1000_TXD_LC			(UINT64_C(1) << 34)	/* late collision */
#define E1000_TXD_TU			(UINT64_C(1) << 35)	/* underrun (82544) */
#define E1000_TXD_TSTAMP		(UINT64_C(1) << 36)	/* ask for a stamp (82574) */
#define E1000_TXD_STA_OFFSET		12	/* byte the write-back changes */

/* Legacy and data: VLAN tag (bytes 14-15) */
#define E1000_TXD_VLAN(tci)		((uint64_t)(uint16_t)(tci) << 48)
#define E1000_TXD_VLAN_GET(cmd)		((uint16_t)((cmd) >> 48))

/* Legacy (§3.4): bytes 8-9 length, 10 CSO, 13 CSS */
#define E1000_TXD_LEGACY_LEN(cmd)	((uint32_t)(cmd) & 0xffff)
#define E1000_TXD_LEGACY_CSO(cmd)	((uint8_t)((cmd) >> 16))
#define E1000_TXD_LEGACY_CSS(cmd)	((uint8_t)((cmd) >> 40))
/* Build. cso: where the sum goes, css: where it starts; both need E1000_TXD_IC. */
#define E1000_TXD_LEGACY_CSUM(cso, css) \
	((uint64_t)(uint8_t)(cso) << 16 | (uint64_t)(uint8_t)(css) << 40)
#define E1000_TXD_LEN_MAX		16288	/* a descriptor, any format (§3.4) */

/* Data (§3.6): bytes 8-10 bits 19:0 length, byte 13 packet options */
#define E1000_TXD_DATA_LEN_MASK		0xfffffu
#define E1000_TXD_DATA_LEN(cmd)		((uint32_t)(cmd) & E1000_TXD_DATA_LEN_MASK)
#define E1000_TXD_IXSM			(UINT64_C(1) << 40)	/* insert IPv4 checksum */
#define E1000_TXD_TXSM			(UINT64_C(1) << 41)	/* insert TCP/UDP checksum */
/* Ready for use: OR in the length and, in the packet's last, EOP and RS. */
#define E1000_TXD_DATA			(E1000_TXD_DEXT | E1000_TXD_DTYP_DATA | E1000_TXD_IFCS)
#define E1000_TXD_DATA_LAST		(E1000_TXD_DATA | E1000_TXD_EOP)
#define E1000_TXD_IS_DATA(cmd) \
	(((cmd) & (E1000_TXD_DEXT | E1000_TXD_DTYP_MASK)) == (E1000_TXD_DEXT | E1000_TXD_DTYP_DATA))

/* Context (§3.5), first word: start, place and (inclusive) end of both sums */
#define E1000_CTX_IPCSS(csum)		((uint8_t)(csum))
#define E1000_CTX_IPCSO(csum)		((uint8_t)((csum) >> 8))
#define E1000_CTX_IPCSE(csum)		((uint16_t)((csum) >> 16))
#define E1000_CTX_TUCSS(csum)		((uint8_t)((csum) >> 32))
#define E1000_CTX_TUCSO(csum)		((uint8_t)((csum) >> 40))
#define E1000_CTX_TUCSE(csum)		((uint16_t)((csum) >> 48))	/* 0: to the end */
/* Build. */
#define E1000_CTX_IP(css, cso, cse) \
	((uint64_t)(uint8_t)(css) | (uint64_t)(uint8_t)(cso) << 8 | \
	 (uint64_t)(uint16_t)(cse) << 16)
#define E1000_CTX_TU(css, cso, cse)	(E1000_CTX_IP(css, cso, cse) << 32)

/* Context, second word: bytes 8-10 bits 19:0 PAYLEN, 11 TUCMD, 13 HDRLEN, 14-15 MSS */
#define E1000_CTX_TCP			(UINT64_C(1) << 24)	/* 0: UDP */
#define E1000_CTX_IPV4			(UINT64_C(1) << 25)	/* 0: IPv6, IPCSE = 0 */
#define E1000_CTX_SNAP			(UINT64_C(1) << 30)
#define E1000_CTX_PAYLEN_MASK		0xfffffu
#define E1000_CTX_PAYLEN(cmd)		((uint32_t)(cmd) & E1000_CTX_PAYLEN_MASK)
#define E1000_CTX_HDRLEN(cmd)		((uint8_t)((cmd) >> 40))
#define E1000_CTX_MSS(cmd)		((uint16_t)((cmd) >> 48))
/* Build. paylen leaves the headers out; TSE, RS and IDE are E1000_TXD_'s. */
#define E1000_CTX_SEG(paylen, hdrlen, mss) \
	((uint64_t)((paylen) & E1000_CTX_PAYLEN_MASK) | \
	 (uint64_t)(uint8_t)(hdrlen) << 40 | (uint64_t)(uint16_t)(mss) << 48)
#define E1000_TXD_CTX			(E1000_TXD_DEXT | E1000_TXD_DTYP_CTX)
#define E1000_TXD_IS_CTX(cmd) \
	(((cmd) & (E1000_TXD_DEXT | E1000_TXD_DTYP_MASK)) == E1000_TXD_CTX)

_Static_assert((uint32_t)(E1000_TXD_DEXT | E1000_TXD_DTYP_DATA) == 0x20100000,
	       "data descriptor constant of §3.6");

#endif /* _E1000_DESC_H_ */
