# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
# wires: joined
# timeout: 600
#
# Frames of several sizes going round between two cards, forwarded by DPDK's own driver and by
# ours in turn, by the processor time that QEMU takes. Emulated cards on an emulated processor:
# only the ratio says something, and it never fails a test.
. /lib.sh

packets=400000
sizes='64 256 512 1024 1518'
rounds=3

# milliseconds DRIVER SIZE: QEMU's time for $packets packets of SIZE bytes into port 0.
milliseconds()
{
	use_driver $1
	testpmd_start -- --forward-mode=io >&2
	await_link 0 up
	await_link 1 up
	testpmd "set txpkts $(($2 - 4))"
	testpmd 'start tx_first 4'
	until [ "$(port_stat 0 RX-packets)" -gt 1000 ]; do
		testpmd 'stop'
		testpmd 'start tx_first 4'
	done
	from=$(port_stat 0 RX-packets)
	begin=$(host cpu)
	until [ "$(port_stat 0 RX-packets)" -ge $((from + packets)) ]; do :; done
	end=$(host cpu)
	testpmd_stop >&2
	echo $((end - begin))
}

# figures WHAT MILLISECONDS-OF-EM MILLISECONDS-OF-OURS PACKETS
figures()
{
	awk -v what="$1" -v em="$2" -v ours="$3" -v packets="$4" 'BEGIN {
		printf "%s: kpps a port: net_e1000_em %.0f, ours %.0f, ratio %.2f\n",
			what, packets / em, packets / ours, em / ours }'
}

for size in $sizes; do
	em_total=0
	ours_total=0
	for round in $(seq $rounds); do
		em=$(milliseconds em $size)
		ours=$(milliseconds pollwire $size)
		em_total=$((em_total + em))
		ours_total=$((ours_total + ours))
	done
	figures "$size bytes" $em_total $ours_total $((rounds * packets))
done
