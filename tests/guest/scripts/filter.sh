# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
#
# Which frames port 0 takes: promiscuous, allmulticast, unicast, multicast and
# VLAN filters. What it takes leaves port 1.
. /lib.sh

# taken WHAT COUNT SCAPY-EXPRESSION
taken() { same "$1" "$2" "$(host passes 0 1 "$3")"; }

own='Ether(dst=nic0,type=0x88b5)/bytes(46)'
foreign='Ether(dst="52:54:00:12:34:56",type=0x88b5)/bytes(46)'
broadcast='Ether(dst="ff:ff:ff:ff:ff:ff",type=0x88b5)/bytes(46)'
group='Ether(dst="01:00:5e:01:02:03",type=0x88b5)/bytes(46)'
other_group='Ether(dst="01:00:5e:01:02:04",type=0x88b5)/bytes(46)'

testpmd_start --
testpmd 'start'
host flow 0 1
taken 'promiscuous: own, foreign, broadcast, group' 4 "[$own,$foreign,$broadcast,$group]"

testpmd 'set promisc 0 off'
host flow 0 1
taken 'own address' 1 "$own"
taken 'broadcast' 1 "$broadcast"
taken 'foreign address' 0 "$foreign"
taken 'group' 0 "$group"

testpmd 'set allmulti 0 on'
host flow 0 1
taken 'allmulticast: two groups' 2 "[$group,$other_group]"
taken 'allmulticast: foreign address' 0 "$foreign"
testpmd 'set allmulti 0 off'
host flow 0 1
taken 'allmulticast off again' 0 "$group"

testpmd 'mcast_addr add 0 01:00:5e:01:02:03'
taken 'joined group' 1 "$group"
taken 'a group not joined' 0 "$other_group"
testpmd 'mcast_addr remove 0 01:00:5e:01:02:03'
taken 'group left again' 0 "$group"

if [ $MACS -gt 1 ]; then
	testpmd 'mac_addr add 0 52:54:00:12:34:56'
	taken 'second address' 1 "$foreign"
	testpmd 'mac_addr remove 0 52:54:00:12:34:56'
	taken 'second address removed' 0 "$foreign"
fi

if [ ! "$VLANS" ]; then
	testpmd_stop
	exit 0
fi
tagged() { echo "Ether(dst=nic0)/Dot1Q(vlan=$1,type=0x88b5)/bytes(46)"; }
testpmd 'vlan set filter on 0'
testpmd 'rx_vlan add 5 0'
testpmd 'rx_vlan add 4095 0'
host flow 0 1
taken 'VLANs 5 and 4095 of 4, 5, 6, 37, 4095' 2 \
	"[$(tagged 4),$(tagged 5),$(tagged 6),$(tagged 37),$(tagged 4095)]"
testpmd 'rx_vlan rm 5 0'
taken 'VLAN 5 removed' 0 "$(tagged 5)"
testpmd 'vlan set filter off 0'
host flow 0 1
taken 'VLAN filter off' 2 "[$(tagged 4),$(tagged 5)]"
testpmd_stop
