# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
# timeout: 600
#
# Frames of 9000 bytes and more: several descriptors each way.
. /lib.sh

load
up
# With the tag and FCS, 16132 and 9234 bytes
case $driver in
e1000) largest=16110 ;;
*) largest=9212 ;;
esac
for mtu in 1500 2000 4000 9000 $largest 1500 68 1500; do
	for n in 0 1; do
		in_ns $n ip link set eth$n mtu $mtu
	done
	await_link
	for size in 0 $((mtu - 29)) $((mtu - 28)); do
		ping -q -c 2 -i 0.1 -W 5 -s $size 10.0.0.2 >/tmp/ping ||
			fail "MTU $mtu, $size bytes: $(cat /tmp/ping)"
	done
	[ $mtu -lt 500 ] || tcp 0 1 2M
	[ $mtu -lt 500 ] || tcp 1 0 2M
done
for n in 0 1; do
	# e1000e has headers put by themselves while the rest fits into three pages.
	[ $driver != e1000e ] || some "headers split by card $n" "$(counter $n rx_header_split)"
	same "wrong checksums at card $n" 0 "$(bad_checksums $n)"
	no_errors $n
done
finish
