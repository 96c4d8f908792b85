# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
#
# Probe, MAC addresses, and the cable pulled and plugged, seen by event and by
# polling.
. /lib.sh

testpmd_start --
ask 'show port summary all' >/tmp/summary
[ "$PMD" = em ] && driver=net_e1000_em || driver=$OURS
same 'driver' $driver "$(awk '$1 == "0" { print $4 }' /tmp/summary)"
same 'MAC address of port 0' 52:54:00:70:77:00 "$(awk '$1 == "0" { print $2 }' /tmp/summary)"
same 'MAC address of port 1' 52:54:00:70:77:01 "$(awk '$1 == "1" { print $2 }' /tmp/summary)"
testpmd 'start'
host flow 0 1
await_link 0 up

ask 'show port info 0' | grep -q "^Link speed: $SPEED" || fail "link speed is not $SPEED"
if [ ! "$CABLE" ]; then
	testpmd_stop
	exit 0
fi

host link 0 down
testpmd_await 'Port 0: link state change event'
await_link 0 down
echo 'ok: the pulled cable seen by event'
same 'link of the other port' up "$(link_status 1)"
host link 0 up
testpmd_await 'Port 0: link state change event'
await_link 0 up
echo 'ok: the plugged cable seen by event'
host flow 0 1
testpmd_stop

testpmd_start -- --no-lsc-interrupt
testpmd 'start'
await_link 1 up
host link 1 down
await_link 1 down
echo 'ok: the pulled cable seen by polling'
host link 1 up
await_link 1 up
echo 'ok: the plugged cable seen by polling'
host flow 1 0
testpmd_stop
