# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
# timeout: 600
#
# What ethtool asks of an 8255x: self-tests, EEPROM, registers, rings; and each kind of filter.
. /lib.sh

load
up
# Offline: the self-test of PORT, and a frame through the MAC's and the PHY's loopback.
for n in 0 1; do
	in_ns $n ethtool -t eth$n offline >/tmp/test ||
		fail "self-test of card $n: $(cat /tmp/test)"
	grep -q 'result is PASS' /tmp/test || fail "self-test of card $n: $(cat /tmp/test)"
	for test in Link Eeprom Self Mac Phy; do
		same "$test test of card $n" 0 "$(awk -v t=$test '$1 == t { print $NF }' /tmp/test)"
	done
done
await_link
ethtool -i eth0 | grep -q 'driver: e100$' || fail 'ethtool -i'

# All words of the EEPROM sum to BABAh; the first three are the address. Linux finds out how
# many there are, writes one and mends the sum.
sum()
{
	ethtool -e eth0 raw on | hexdump -v -e '1/2 "%u\n"' |
		awk '{ s += $1 } END { print s % 65536 }'
}
same 'EEPROM sum' $((0xbaba)) "$(sum)"
same 'address in the EEPROM' 525400707700 \
	"$(ethtool -e eth0 raw on | hexdump -v -n 6 -e '1/1 "%02x"')"
ethtool -E eth0 magic 0x1234 offset 40 value 0x5a || fail 'ethtool -E'
same 'byte written' 5a \
	"$(ethtool -e eth0 raw on offset 40 length 1 | hexdump -v -e '1/1 "%02x"')"
same 'EEPROM sum' $((0xbaba)) "$(sum)"
ethtool -d eth0 >/tmp/registers || fail 'ethtool -d'
ethtool -p eth0 1 || fail 'ethtool -p'

# Frames that reach Linux on card 1
seen()
{
	before=$(counter 1 rx_packets)
	ping -q -c 20 -i 0.01 -W 1 $1 >/dev/null 2>&1 || true
	await_link
	# A request and its answer of the last ping, and ARP if it likes
	got=$(($(counter 1 rx_packets) - before))
	[ $got -lt 20 ] && echo no || echo yes
}
arp -i eth0 -s 10.0.0.3 52:54:00:70:77:33
ip route add 224.0.0.0/4 dev eth0
same 'another station, seen' no "$(seen 10.0.0.3)"
same 'another group, seen' no "$(seen 224.0.1.77)"
same 'all hosts, seen' yes "$(seen 224.0.0.1)"
in_ns 1 ifconfig eth1 allmulti
same 'another group, seen by all-multicast' yes "$(seen 224.0.1.77)"
same 'another station, seen by all-multicast' no "$(seen 10.0.0.3)"
in_ns 1 ifconfig eth1 -allmulti
in_ns 1 ifconfig eth1 promisc
same 'another station, seen in promiscuous mode' yes "$(seen 10.0.0.3)"
in_ns 1 ifconfig eth1 -promisc
same 'another station, seen afterwards' no "$(seen 10.0.0.3)"
address()
{
	in_ns 1 ifconfig eth1 hw ether $1
	arp -d 10.0.0.2
	await_link
}
address 52:54:00:70:77:33
same 'another address, seen' yes "$(seen 10.0.0.3)"
address 52:54:00:70:77:01

# With few RFDs they run out. What is lost then is counted, and nothing else is lost.
# gap N M: what card N has sent but card M has neither received nor missed: was filtered out
gap()
{
	echo $(($(counter $1 tx_packets) - $(counter $2 rx_packets) -
		$(counter $2 rx_missed_errors)))
}
gaps()
{
	[ "$(gap 0 1) $(gap 1 0)" = "$1 $2" ]
}
settle
before="$(gap 0 1) $(gap 1 0)"
for size in '16 64' '256 256' '64 128'; do
	for n in 0 1; do
		in_ns $n ethtool -G eth$n rx ${size% *} tx ${size#* } || fail "rings of $size"
	done
	await_link
	copy 0 1
	copy 1 0
	settle
	await 'all frames to be accounted for' gaps $before
	[ "$size" != '16 64' ] ||
		some 'frames without an RFD' $(($(counter 0 rx_missed_errors) +
			$(counter 1 rx_missed_errors)))
	echo "ok: rings of $size"
done
ethtool -r eth0 || fail 'renegotiation'
await_link
ethtool -S eth0 >/tmp/counters
bad=$(awk '/crc|frame_errors|length|fifo|collision|aborted|carrier/ && $2 != 0' /tmp/counters)
[ -z "$bad" ] || fail "card 0 counts $bad"
finish
