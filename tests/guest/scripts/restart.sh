# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
# timeout: 300
#
# Ports stopped and started 20 times, and the process killed and started again,
# with frames pouring in all the while.
. /lib.sh

testpmd_start --
testpmd 'start'
host flow 0 1
host flood on
for cycle in $(seq 20); do
	testpmd 'stop'
	testpmd 'port stop all'
	testpmd 'port start all'
	testpmd 'start'
	host flow 0 1
done
echo 'ok: 20 cycles of stop and start'

kill -9 $testpmd_pid
wait $testpmd_pid || true
testpmd_start --
testpmd 'start'
host flow 0 1
host flood off
host flow 0 1
host flow 1 0
host sweep 0 1 60 1514 53
host sweep 1 0 60 1514 53
echo 'ok: alive after kill -9'
testpmd_stop
