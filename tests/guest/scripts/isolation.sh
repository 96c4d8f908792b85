# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
# dmar-faults: expected
#
# A card made to read where nothing is mapped: the IOMMU must catch it, and a
# restarted port must work again. It also proves that the other tests' "no fault"
# means something.
. /lib.sh

testpmd_start --
testpmd 'start'
host flow 0 1
case $OURS in
net_pw_e1000)
	poke 1 0x3800 0xdead0000	# TDBAL
	;;
net_pw_i8255x)
	poke 1 0x04 0xdead0000		# general pointer
	poke 1 0x02 0x10 8		# CU start
	;;
esac
host push 0 'Ether(dst=nic0,type=0x88b5)/bytes(46)'
until dmesg | grep 'DMAR:.*fault addr 0x[0-9a-f]*dead0'; do
	# testpmd's answer paces the loop; the time-out of the test ends it.
	port_stat 1 TX-packets >/dev/null
done

testpmd 'stop'
testpmd 'port stop 1'
testpmd 'port start 1'
testpmd 'start'
host flow 0 1
host sweep 0 1 60 1514 97
echo 'ok: the restarted port works'
testpmd_stop
