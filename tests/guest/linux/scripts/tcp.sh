# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
# timeout: 600
#
# Bulk TCP both ways, with everything that the driver turns on by itself.
. /lib.sh

load
up
tcp 0 1 $bulk
tcp 1 0 $bulk
copy 0 1
copy 1 0
for n in 0 1; do
	no_errors $n
	same "wrong checksums at card $n" 0 "$(bad_checksums $n)"
	# e100 leaves both to Linux.
	[ $driver != e100 ] || continue
	some "TSO segments sent by card $n" "$(counter $n tx_tcp_seg_good)"
	some "checksums that card $n found good" "$(counter $n rx_csum_offload_good)"
	same "checksums that card $n found bad" 0 "$(counter $n rx_csum_offload_errors)"
done
finish
