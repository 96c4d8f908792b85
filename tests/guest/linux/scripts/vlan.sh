# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
# timeout: 600
#
# VLANs with insertion, stripping and filtering by the model, and by Linux.
. /lib.sh

load
up

# vlan VID: one on each card, 10.VID.0.0/24
vlan()
{
	for n in 0 1; do
		in_ns $n ip link add link eth$n name v$1 type vlan id $1
		in_ns $n ip addr add 10.$(($1 % 250)).0.$((n + 1))/24 dev v$1
		in_ns $n ip link set v$1 up
	done
	await "ping in VLAN $1" ping -q -c 1 -W 1 10.$(($1 % 250)).0.2
}

reach()
{
	for vid in $vids; do
		for size in 0 14 18 1472 4000; do
			ping -q -c 1 -W 5 -s $size 10.$((vid % 250)).0.2 >/tmp/ping ||
				fail "$1: VLAN $vid, $size bytes: $(cat /tmp/ping)"
		done
	done
	tcp 0 1 2M
	echo "ok: $1"
}

vids='1 31 32 100 2048 4094'
for vid in $vids; do
	vlan $vid
done
# e100 leaves tags to Linux. e1000 turns insertion off together with stripping.
[ $driver = e100 ] || {
	reach 'tags by the card'
	offloads rxvlan off
}
reach 'tags by Linux'
[ $driver = e100 ] || {
	offloads rxvlan on
	reach 'tags by the card again'
}
# A tag that nobody listens to is filtered out, so its pings do not even reach Linux. Neighbours
# in other VLANs may probe each other meanwhile.
filtered()
{
	in_ns 1 ip link del v100
	before=$(counter 1 rx_packets)
	! ping -q -c 100 -i 0.01 -W 1 10.100.0.2 >/dev/null || fail 'VLAN 100 lives on'
	passed=$(($(counter 1 rx_packets) - before))
	[ $passed -lt 50 ] || fail "$passed packets passed the filter"
	echo "ok: VLAN 100 is filtered out ($passed packets of others)"
}
# e1000e turns the filter on and off again in one breath: it puts back what RCTL was before.
[ $driver != e1000 ] || filtered
for n in 0 1; do
	same "wrong checksums at card $n" 0 "$(bad_checksums $n)"
	no_errors $n
done
finish
