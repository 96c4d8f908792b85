# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
# timeout: 600
# violations: e1000
#
# What ethtool asks of a card: self-test, EEPROM, registers, counters, rings, flow control.
. /lib.sh

load
# Offline: patterns through the registers, EEPROM checksum, interrupts, loopback through the PHY.
for n in 0 1; do
	ethtool -t eth$n offline >/tmp/test || fail "self-test of card $n: $(cat /tmp/test)"
	grep -q 'result is PASS' /tmp/test || fail "self-test of card $n: $(cat /tmp/test)"
	for test in Register Eeprom Interrupt Loopback; do
		same "$test test of card $n" 0 "$(awk -v t=$test '$1 == t { print $NF }' /tmp/test)"
	done
done
up
# Nothing on the wire but what is asked for
for n in 0 1; do
	in_ns $n sh -c 'echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6'
done
ethtool -t eth0 online >/tmp/test || fail "online self-test: $(cat /tmp/test)"
same 'link test' 0 "$(awk '$1 == "Link" { print $NF }' /tmp/test)"
await_link

# EEPROM words 0..63 sum to 0xBABA; words 0..2 are the address.
ethtool -e eth0 raw on >/tmp/eeprom
same 'EEPROM size' 128 "$(wc -c </tmp/eeprom)"
sum=$(hexdump -v -e '1/2 "%u\n"' /tmp/eeprom | awk '{ s += $1 } END { print s % 65536 }')
same 'EEPROM sum' $((0xbaba)) $sum
same 'address in the EEPROM' 525400707700 "$(hexdump -v -n 6 -e '1/1 "%02x"' /tmp/eeprom)"
ethtool -d eth0 >/tmp/registers
status=$(awk '$2 == "STATUS" { print $NF }' /tmp/registers)
# FD, LU, SPEED 10 or 11
same 'link in STATUS' $((0x83)) $((status & 0x83))
ethtool -i eth0 | grep -q 'driver: e1000' || fail 'ethtool -i'

# Counters: what one card sent is what the other received.
# delta N tx|rx: packets, bytes, broadcasts and multicasts since /tmp/before.N
delta()
{
	in_ns $1 ethtool -S eth$1 | awk -v way="$2_" '
		NR == FNR { old[$1] = $2; next }
		$1 ~ "^" way "(packets|bytes|broadcast|multicast):" {
			print substr($1, 4), $2 - old[$1]
		}' /tmp/before.$1 -
}
agree()
{
	[ "$(delta 0 tx)" = "$(delta 1 rx)" ] && [ "$(delta 1 tx)" = "$(delta 0 rx)" ]
}
for n in 0 1; do
	in_ns $n ethtool -S eth$n >/tmp/before.$n
done
ping -q -c 20 -i 0.05 -s 1400 10.0.0.2 >/dev/null || fail 'ping'
ping -q -c 1 -b 10.0.0.255 >/dev/null 2>&1 || true
await 'the counters to agree' agree
# 20 requests of 14 + 20 + 8 + 1400 bytes and 4 of FCS, and more for ARP and the broadcast
[ "$(delta 0 tx | awk '$1 == "bytes:" { print $2 }')" -ge $((20 * 1446)) ] || fail "$(delta 0 tx)"

for size in 80 4096 128 256; do
	ethtool -G eth0 rx $size tx $size || fail "rings of $size"
	await_link
	tcp 0 1 1M
	tcp 1 0 1M
done
ethtool -A eth0 autoneg off rx off tx off || fail 'ethtool -A'
await_link
ethtool -r eth0 || fail 'renegotiation'
await_link
for n in 0 1; do
	no_errors $n
done
# The self-test writes to STATUS to see that it cannot be written, with two patterns. A bit of an
# 82574L's may be.
case $driver in
e1000) finish '2 (2 write to read-only)' ;;
*) finish ;;
esac
