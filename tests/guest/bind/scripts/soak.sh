# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
# devices: e1000e,addr=3.0
# timeout: 400
#
# 200 times from the kernel to vfio-pci and back. (https://github.com/mtcp-stack/mtcp/issues/68)
. /lib.sh

A=0000:00:03.0
a=$(interface $A)
try 0 bind $A
try 0 restore $A
slab()
{
	sed -n 's/^SUnreclaim: *\([0-9]*\) kB/\1/p' /proc/meminfo
}
before=$(slab)
for cycle in $(seq 200); do
	pollwire-bind bind $A >/dev/null || fail "bind in cycle $cycle"
	pollwire-bind restore $A >/dev/null || fail "restore in cycle $cycle"
done
same 'driver after 200 cycles' e1000e "$(driver $A)"
same 'interface after 200 cycles' "$a" "$(interface $A)"
clean
# A leak of one network device a cycle would be 200 x some 4 KiB.
after=$(slab)
[ $((after - before)) -lt 800 ] || fail "the kernel holds $((after - before)) kB more"
echo "ok: the kernel holds $((after - before)) kB more"
