# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
# timeout: 600
#
# Interrupts by the line, by MSI and by MSI-X, as the driver's IntMode says.
. /lib.sh

# interrupts PATTERN: how many of them Linux has counted
interrupts()
{
	awk -v p="$1" '$0 ~ p { n += $2 } END { print n + 0 }' /proc/interrupts
}

mode()
{
	load IntMode=$1,$1
	up
	before=$(interrupts "$3")
	tcp 0 1 4M
	tcp 1 0 4M
	some "$2: interrupts" $(($(interrupts "$3") - before))
	for n in 0 1; do
		no_errors $n
	done
	has_carrier() { [ "$(carrier 0)" = $1 ]; }
	host fault 0 link_down 1
	await "$2: the link's loss to be told" has_carrier 0
	host fault 0 link_down 0
	await "$2: the link's return to be told" has_carrier 1
	await_link
	kernel_is_content
	unload
}

mode 0 'line' 'IO-APIC.* eth0$'
mode 1 'MSI' 'MSI.* eth0$'
mode 2 'MSI-X' 'MSI.* eth0-rx-0$'
load IntMode=2,2
up
tcp 0 1 1M
for vector in eth0-rx-0 eth0-tx-0 eth0; do
	some "MSI-X vector $vector" "$(interrupts "MSI.* $vector\$")"
done
finish
