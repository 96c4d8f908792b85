# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
#
# A second process forwards while the first one only owns the ports. Control is refused
# there, what can be looked at is right, and both see the same statistics.
. /lib.sh
. /ports.sh

testpmd_start --
await_link 0 up
await_link 1 up
ports_start --proc-type=secondary -- secondary
host flow 0 1
host flow 1 0
host sweep 0 1 60 1514 211
before=$(port_stat 0 RX-packets)
[ "$before" -gt 0 ] || fail 'the primary counts nothing'
ports_stop
echo "ok: forwarded by the second process ($figures)"
# Another one, after the primary has stopped and started the ports.
testpmd 'port stop all'
testpmd 'port start all'
await_link 0 up
await_link 1 up
ports_start --proc-type=secondary -- secondary
host flow 0 1
host flow 1 0
ports_stop
echo "ok: forwarded by the second process ($figures)"
# That one is gone too, and the first one still has its ports. (uio_pci_generic has turned
# bus mastering off when it went; a start turns it on.)
testpmd 'port stop all'
testpmd 'port start all'
await_link 0 up
await_link 1 up
testpmd 'start'
host flow 0 1
testpmd_stop
