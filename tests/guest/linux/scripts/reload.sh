# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
# timeout: 600
#
# The module is unloaded and loaded again, in quiet and under load.
. /lib.sh

for try in 1 2 3 4 5 6 7 8 9 10; do
	load
	up
	if [ $((try % 2)) = 0 ]; then
		ping -q -i 0.002 -c 1000000 10.0.0.2 >/dev/null 2>&1 &
		flood=$!
		await 'traffic' sh -c "[ \$(cat /sys/class/net/eth0/statistics/rx_packets) -gt 50 ]"
	fi
	unload
	[ $((try % 2)) = 1 ] || { kill $flood 2>/dev/null || true; wait $flood || true; }
	echo "ok: load and unload, $try"
done
load
up
copy 0 1
finish
