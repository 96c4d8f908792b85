# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
# timeout: 600
#
# The cable is pulled and plugged in; speeds are forced and negotiated.
. /lib.sh

load
up
has_carrier() { [ "$(carrier $1)" = $2 ]; }
for try in 1 2 3; do
	host fault 0 link_down 1
	await 'card 0 to lose its link' has_carrier 0 0
	host fault 0 link_down 0
	await 'card 0 to find its link again' has_carrier 0 1
	await_link
done
same 'link events' 4 "$(dmesg | grep -c 'eth0:* NIC Link is Up')"
same 'link losses' 3 "$(dmesg | grep -c 'eth0:* NIC Link is Down')"
for mode in '100 full' '10 full' '100 half' '10 half'; do
	ethtool -s eth0 autoneg off speed ${mode% *} duplex ${mode#* } || fail "forced $mode"
	await "link at $mode" has_carrier 0 1
	ethtool eth0 >/tmp/link
	same "speed" "${mode% *}Mb/s" "$(sed -n 's/.*Speed: //p' /tmp/link)"
	same "duplex" "${mode#* }" "$(sed -n 's/.*Duplex: //p' /tmp/link | tr FH fh)"
	await_link
done
ethtool -s eth0 autoneg on || fail 'autonegotiation on'
await_link
ethtool eth0 | grep -q "${speed}Mb/s" || fail "not $speed Mbit/s again"
finish
