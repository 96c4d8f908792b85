# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
#
# Every frame size there and back with each byte compared, the ports' counters
# against the capture, and jumbo frames.
. /lib.sh

# What a capture shows of a card's two directions. Frames from outside carry the
# card's own address.
rx_filter() { echo "eth.dst == 52:54:00:70:77:0$1"; }
tx_filter() { echo "!(eth.dst == 52:54:00:70:77:0$1)"; }

# The difference per packet between the bytes that a driver reports and those on
# the wire without FCS. The chip counts the FCS: DPDK's own driver reports that as
# it is. QEMU's 82574L left the FCS out of what it sent until 8.1.
[ "$PMD" = em ] && rx_extra=4 || rx_extra=0
tx_extra=$rx_extra
[ "$DEVICE" != e1000e ] || [ "$(host qemu)" -ge 801 ] || tx_extra=$((rx_extra - 4))

# counters PORT BEFORE: against the growth of the capture since "captured".
counters()
{
	packets=$(($(host count $1 "$(rx_filter $1)") - $2))
	bytes=$(($(host octets $1 "$(rx_filter $1)") - $3))
	same "packets received by port $1" $packets "$(port_stat $1 RX-packets)"
	same "bytes received by port $1" $((bytes + rx_extra * packets)) "$(port_stat $1 RX-bytes)"
	packets=$(($(host count $1 "$(tx_filter $1)") - $4))
	bytes=$(($(host octets $1 "$(tx_filter $1)") - $5))
	same "packets sent by port $1" $packets "$(port_stat $1 TX-packets)"
	same "bytes sent by port $1" $((bytes + tx_extra * packets)) "$(port_stat $1 TX-bytes)"
}
captured()
{
	echo "$(host count $1 "$(rx_filter $1)") $(host octets $1 "$(rx_filter $1)")" \
		"$(host count $1 "$(tx_filter $1)") $(host octets $1 "$(tx_filter $1)")"
}

testpmd_start -- --forward-mode=io
testpmd 'start'
host flow 0 1
host flow 1 0
before0=$(captured 0)
before1=$(captured 1)
testpmd 'clear port stats all'
host sweep 0 1 60 1514
host sweep 1 0 60 1514
echo 'ok: 60 to 1514 bytes in both directions'
counters 0 $before0
counters 1 $before1
same 'receive errors' 0 "$(port_stat 0 RX-errors)"
same 'missed frames' 0 "$(port_stat 0 RX-missed)"

testpmd 'stop'
testpmd 'set fwd mac'
testpmd 'start'
host sweep 0 1 60 1514 97
host sweep 1 0 60 1514 97
sent='Ether(dst=nic0,src=peer0,type=0x88b5)/bytes(46)'
forwarded='Ether(dst="02:00:00:00:00:01",src=nic1,type=0x88b5)/bytes(46)'
host becomes 0 1 "$sent => $forwarded"
testpmd_stop
[ "$JUMBO" ] || exit 0

testpmd_start -- --forward-mode=io --mbuf-size=2176 --enable-scatter --max-pkt-len=9018
testpmd 'start'
host flow 0 1
host flow 1 0
host sweep 0 1 1480 9014 137
host sweep 1 0 1480 9014 137
echo 'ok: jumbo frames in both directions'
testpmd_stop
