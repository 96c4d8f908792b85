# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
# memory: 5120
#
# Without an IOMMU a card of 32 bits cannot use memory above 4 GiB, and says so. The kernel
# gives high pages first, so that EAL has no others here.
. /lib.sh

# It starts all the same, without ports.
dpdk-testpmd $EAL -- --total-num-mbufs=2048 </dev/null >/tmp/log 2>&1 3<&- || true
grep -q "^pollwire: .*: memory above 4 GiB, out of the chip's reach; bind the device to vfio-pci" \
	/tmp/log || fail "$(tail -n 20 /tmp/log)"
same 'lines of complaint for two cards' 2 "$(grep -c '^pollwire: ' /tmp/log)"
grep '^pollwire: ' /tmp/log
