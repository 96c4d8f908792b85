# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
# timeout: 600
#
# Each offload of the model against Linux's own arithmetic: with one of them off, Linux does the
# sum itself and finds what the model at the other end did wrong.
. /lib.sh

load
up

# round WHAT: traffic both ways, and Linux finds no wrong sum
round()
{
	tcp 0 1 4M
	tcp 1 0 4M
	copy 0 1
	ping -q -c 2 -s 3000 10.0.0.2 >/tmp/ping || fail "$1: ping: $(cat /tmp/ping)"
	for n in 0 1; do
		same "$1: wrong checksums at card $n" 0 "$(bad_checksums $n)"
		same "$1: checksums that card $n found bad" 0 "$(counter $n rx_csum_offload_errors)"
		no_errors $n
	done
}

# e1000 starts with the card's check on, but says that it is off: "on" first, or "off" does nothing.
offloads rx on
# The model sums and segments, Linux checks.
offloads rx off tx on sg on tso on
looked_0=$(counter 0 rx_csum_offload_good)
looked_1=$(counter 1 rx_csum_offload_good)
round 'rx off'
for n in 0 1; do
	some "TSO segments sent by card $n" "$(counter $n tx_tcp_seg_good)"
	eval "looked=\$looked_$n"
	same "checksums that card $n looked at" $looked "$(counter $n rx_csum_offload_good)"
done
offloads tso off
round 'rx off, tso off'
# Linux sums, the model checks.
offloads rx on tx off
round 'tx off'
for n in 0 1; do
	some "checksums that card $n found good" "$(counter $n rx_csum_offload_good)"
done
offloads tx on sg on tso on gro off gso off
round 'gro off, gso off'
offloads rx off tx off sg off
round 'all off'
finish
