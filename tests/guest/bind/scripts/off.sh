# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
# devices: e1000e,addr=3.0
# iommu: off
#
# An IOMMU that the command line switches off: told apart from none.
# (https://github.com/openshift/sriov-network-operator/issues/191)
. /lib.sh

try 6 doctor
holds 'the option is named' 'switched off on the kernel command line by intel_iommu=off'
try 3 bind 00:03.0
holds 'so does bind' 'switched off on the kernel command line'
clean
