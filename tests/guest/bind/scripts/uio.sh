# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
# devices: e1000e,addr=3.0 | e1000,addr=4.0
# iommu: absent
#
# A virtual machine without IOMMU: said in one line, and the way out works.
# (https://github.com/openvswitch/ovs-issues/issues/191)
. /lib.sh

A=0000:00:03.0
witnesses
try 6 doctor
holds 'the doctor says which' 'this virtual machine has no IOMMU'
holds 'the doctor says how' 'intel-iommu'
try 3 bind $A
holds 'so does bind' 'this virtual machine has no IOMMU, which vfio-pci needs'
same 'nothing is changed' e1000e "$(driver $A)"
# Debian's kernels have no CONFIG_VFIO_NOIOMMU.
try 1 bind $A --noiommu-mode
holds 'no-IOMMU mode is not there' 'CONFIG_VFIO_NOIOMMU'
same 'nothing is changed' e1000e "$(driver $A)"

try 0 bind $A --driver uio_pci_generic
same 'driver' uio_pci_generic "$(driver $A)"
witnesses
exec 4<>/dev/uio0
try 3 restore $A
holds 'the program is named' "process $$ has it open"
exec 4>&-
try 0 restore $A
same 'driver' e1000e "$(driver $A)"
clean
