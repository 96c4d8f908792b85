# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
#
# VLAN tags taken off and put on, checksums computed and checked. For checksums
# the judge is tshark, on the capture of the wire.
. /lib.sh

payload='bytes(range(200))'
tagged="Ether(dst=nic0,src=peer0)/Dot1Q(vlan=0x123,prio=5,type=0x88b5)/$payload"
plain="Ether(dst=nic0,src=peer0,type=0x88b5)/$payload"
from_port1='eth.src == 52:54:00:70:77:01'

# Every checksum is wrong when it enters; lengths even and odd. None needs padding:
# QEMU's 82574L takes padding for payload and rewrites the IP length.
l4='[l4/bytes(n) for l4 in (TCP(chksum=0x1234),UDP(chksum=0x1234))'
l4="$l4 for n in (18,19,100,777,1400,1401)]"
ipv4="[Ether(dst=nic0,src=peer0)/IP(dst='10.0.0.9',chksum=0x1234)/p for p in $l4]"
ipv6="[Ether(dst=nic0,src=peer0)/IPv6(dst='fd00::9')/p for p in $l4]"

testpmd_start -- --enable-rx-cksum
testpmd 'vlan set strip on 0'
testpmd 'start'
host flow 0 1
host becomes 0 1 "$tagged => $plain"
echo 'ok: tag taken off'
testpmd 'vlan set strip off 0'
host flow 0 1
host becomes 0 1 "$tagged => $tagged"
echo 'ok: tag left alone'

testpmd 'stop'
testpmd 'port stop 1'
testpmd 'tx_vlan set 1 291'
# The chip puts tags on only while it takes them off (CTRL.VME), and DPDK's own
# driver leaves that to its user.
[ "$PMD" != em ] || testpmd 'vlan set strip on 1'
testpmd 'port start 1'
testpmd 'set fwd mac'
testpmd 'set eth-peer 1 52:54:00:70:77:f1'
testpmd 'start'
host flow 0 1
tagged_by_mac="Ether(dst=peer1,src=nic1)/Dot1Q(vlan=0x123,type=0x88b5)/$payload"
host becomes 0 1 "$plain => $tagged_by_mac"
echo 'ok: tag put on'

testpmd 'stop'
testpmd 'port stop 1'
testpmd 'tx_vlan reset 1'
for layer in ip udp tcp; do
	testpmd "csum set $layer hw 1"
done
testpmd 'port start 1'
testpmd 'set fwd csum'
testpmd 'start'
host flow 0 1
same 'IPv4 packets forwarded' 12 "$(host passes 0 1 "$ipv4")"
same 'IPv6 packets forwarded' 12 "$(host passes 0 1 "$ipv6")"
same 'IPv4 headers made good' 12 "$(host count 1 "$from_port1 && ip.checksum.status == 1")"
for layer in tcp udp; do
	status="$from_port1 && $layer.checksum.status"
	same "$layer checksums made good" 12 "$(host count 1 "$status == 1")"
	same "$layer checksums left wrong" 0 "$(host count 1 "$status == 0")"
done

# The 82574L checks what it receives; QEMU's older cards do not, and say so in
# the descriptor: nothing may be reported bad then.
case $DEVICE in
e1000e) ip_bad=12 l4_bad=24 ;;
*) ip_bad=0 l4_bad=0 ;;
esac
ask 'stop' >/tmp/stop
reported() { sed -n "s/.*$1: *\([0-9]*\).*/\1/p" /tmp/stop | head -n 1; }
same 'bad IPv4 headers reported' $ip_bad "$(reported Bad-ipcsum)"
same 'bad TCP and UDP reported' $l4_bad "$(reported Bad-l4csum)"
testpmd_stop
