# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
#
# pollwire-fwd between two cards: every frame size, each byte compared, and a clean
# end on SIGINT with totals that agree with the wire.
. /lib.sh

shadow_driver
a=$(echo $NICS | cut -d' ' -f1)
b=$(echo $NICS | cut -d' ' -f2)
pollwire-fwd --port $a --port $b --stats 0 --json /tmp/report 2>/tmp/errors 3<&- &
forwarder=$!
host flow 0 1
host flow 1 0
host sweep 0 1 60 1514
host sweep 1 0 60 1514
echo 'ok: 60 to 1514 bytes in both directions'
kill -INT $forwarder
wait $forwarder || fail "pollwire-fwd ended with $?"
same 'complaints' '' "$(grep -i -E '^EAL|error|warn' /tmp/errors || true)"
# What left card 1 are the frames with card 0's address.
sent=$(host count 1 'eth.dst == 52:54:00:70:77:00')
grep -q "\"tx_packets\": *$sent\b" /tmp/report ||
	fail "no port's report has the $sent packets sent: $(cat /tmp/report)"
echo "ok: totals agree with the wire ($sent packets)"
