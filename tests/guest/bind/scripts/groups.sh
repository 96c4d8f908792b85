# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
# devices: pcie-root-port,id=rp,addr=3.0 | e1000e,bus=rp,addr=0.0,multifunction=on
# more-devices: e1000e,bus=rp,addr=0.1 | pcie-pci-bridge,id=br | e1000,bus=br | e1000,bus=br
#
# Cards that an IOMMU cannot tell apart: two ports of one card, two cards behind one bridge.
. /lib.sh

# pair ONE OTHER: they share a group, so only both can be of use
pair()
{
	one=$1 other=$2
	same "$one and $other share a group" "$(group "$one")" "$(group "$other")"
	before=$(driver "$one")
	try 3 bind "$one"
	holds 'the sibling is named' "the kernel keeps $other ($before) in it"
	same "$one is not touched" "$before" "$(driver "$one")"
	try 0 bind "$one" "$other"
	# The kernel's own word: type1 takes the group.
	python3 - "$(group "$one")" <<-'PYTHON'
	import fcntl, os, struct, sys
	# linux/vfio.h: ';' 103 VFIO_GROUP_GET_STATUS, flag 0 is "viable".
	fd = os.open('/dev/vfio/' + sys.argv[1], os.O_RDWR)
	status = fcntl.ioctl(fd, (ord(';') << 8) + 100 + 3, struct.pack('II', 8, 0))
	assert struct.unpack('II', status)[1] & 1, 'the group is not viable'
	PYTHON
	echo 'ok: the kernel calls the group viable'
	witnesses
	try 0 restore "$other"
	try 0 status "$one"
	holds 'a bound card in a group that is not viable' 'bound, of no use'
	try 6 doctor "$one"
	holds 'the doctor names the sibling' "pollwire-bind bind $other"
	try 0 restore "$one"
}

set -- $CARDS
same 'cards' 4 $#
pair "$1" "$2"
pair "$3" "$4"
# Each by itself and the other way round: the second named fails, the first comes back.
try 1 -b e1000 "$3" "$1"
clean
