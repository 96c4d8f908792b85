# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
# devices: e1000e,addr=3.0 | e1000,addr=4.0 | rtl8139,addr=5.0
# timeout: 400
#
# From the kernel to vfio-pci and back, with everything that may be in the way.
. /lib.sh

A=0000:00:03.0 B=0000:00:04.0 C=0000:00:05.0
a=$(interface $A) b=$(interface $B)
witnesses

# No module is loaded yet, and no hugepage is there.
try 5 doctor
holds 'the IOMMU is seen' 'the IOMMU is on'
holds 'the module is missed' 'modprobe vfio-pci'
holds 'hugepages are missed' 'hugepages --need 128M'
try 0 doctor --fix
same 'hugepages after --fix' 64 "$(cat /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages)"
[ -e /sys/bus/pci/drivers/vfio-pci ] || fail 'no vfio-pci after doctor --fix'
try 0 doctor
try 0 hugepages --need 200M
same 'hugepages' 100 "$(cat /sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages)"
try 3 hugepages --need 600M
holds 'more than there is memory for is refused' 'cannot be'

try 0 bind $A
same "driver of $A" vfio-pci "$(driver $A)"
[ -c "/dev/vfio/$(group $A)" ] || fail 'no device file'
witnesses
try 0 bind $A
holds 'once more is no error' 'has it already'
try 0 restore $A
same "driver of $A" e1000e "$(driver $A)"
same "interface of $A" "$a" "$(interface $A)"
clean

# In use.
ip addr add 192.0.2.1/24 dev "$a"
ip link set "$a" up
witnesses
try 3 bind $A
holds 'the address is named' "$a has the address 192.0.2.1/24"
try 3 bind $A $B
same 'all or nothing' e1000 "$(driver $B)"
try 4 bind $A $B --keep-going
same 'keep going' "e1000e vfio-pci" "$(driver $A) $(driver $B)"
try 0 restore $B
try 0 bind $A --force
same 'forced' vfio-pci "$(driver $A)"
try 0 restore $A
ip link set "$(interface $A)" up
ip route add default dev "$(interface $A)"
try 3 -b vfio-pci $A
holds 'the default route is named' 'carries the default route'
witnesses
ip route del default
ip link set "$(interface $A)" down
ip link add link "$b" name "$b.10" type vlan id 10
ip addr add 198.51.100.1/24 dev "$b.10"
try 3 unbind $B
holds 'the address of a VLAN is named' "$b.10 has the address 198.51.100.1/24"
ip link del "$b.10"

# In a container's hands: the network namespace of a process that waits.
unshare -n sh -c 'echo $$ >/run/pid; exec sleep 1000' & # poll: it is killed below
until [ -s /run/pid ]; do :; done
ip link set "$b" netns "$(cat /run/pid)"
try 3 bind $B
holds 'another namespace is named' 'another network namespace'
kill "$(cat /run/pid)"
until [ -n "$(interface $B)" ]; do :; done

# A driver that refuses: e1000 does not know the 82574L.
try 1 -b e1000 $A
holds 'the refusal is told' 'does not take this card'
same 'it is given back' e1000e "$(driver $A)"
try 1 -b e1000 $A $B
same 'both are as they were' 'e1000e e1000' "$(driver $A) $(driver $B)"
try 2 bind $A --driver vfio_pci
holds 'a slip gets a hint' 'did you mean vfio-pci?'

# Open: the kernel would wait for the program to end.
try 0 bind $A
exec 4<>"/dev/vfio/$(group $A)"
try 3 restore $A
holds 'the program is named' "process $$ has it open"
exec 4>&-
try 0 restore $A

# The other tool and ours, in turns.
devbind -b vfio-pci $A
witnesses
try 0 restore $A
same 'theirs, then ours' e1000e "$(driver $A)"
try 0 -b vfio-pci 00:03.0
devbind -b e1000e $A
same 'ours, then theirs' e1000e "$(driver $A)"
try 0 bind $A
try 0 restore $A
try 0 -b vfio-pci 00:05.0
try 0 -u 00:05.0
same 'unbound' none "$(driver $C)"
witnesses
try 0 restore $C
# Two modules name it in their aliases; 8139too declines a chip of revision 20h (8139C+).
same 'restored, by a module that had to be loaded' 8139cp "$(driver $C)"
clean
