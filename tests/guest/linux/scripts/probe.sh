# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
#
# The driver probes, raises the link, and pings get through at every size.
. /lib.sh

load
for n in 0 1; do
	same "address of card $n" 52:54:00:70:77:0$n "$(cat /sys/class/net/eth$n/address)"
done
up
for n in 0 1; do
	in_ns $n ethtool eth$n >/tmp/link
	same "speed of card $n" ${speed}Mb/s "$(sed -n 's/.*Speed: //p' /tmp/link)"
	same "duplex of card $n" Full "$(sed -n 's/.*Duplex: //p' /tmp/link)"
done
# 60 bytes and fewer are padded; 1472 + 28 fill an MTU; 4000 and 20000 come in fragments.
for size in 0 1 17 18 19 64 500 1471 1472 1473 4000 20000; do
	ping -q -c 3 -i 0.1 -W 5 -s $size 10.0.0.2 >/tmp/ping || fail "ping of $size bytes is lost"
	grep -q ' 0% packet loss' /tmp/ping || fail "ping of $size bytes: $(cat /tmp/ping)"
done
some 'interrupts of card 0' "$(host interrupts 0)"
for n in 0 1; do
	no_errors $n
	same "wrong checksums at card $n" 0 "$(bad_checksums $n)"
done
finish
