# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
#
# Forwarding by a program that sleeps until an interrupt brings frames, and polls then only.
. /lib.sh
. /ports.sh

ports_start -- sleep
host flow 0 1
host flow 1 0
host sweep 0 1 60 1514 53
host sweep 1 0 60 1514 53
ports_stop
set -- $figures
[ "$2" -gt 50 ] || fail "only $2 frames"
[ "$4" -gt 0 ] && [ "$4" -le $(($2 + $6)) ] || fail "$4 wake-ups for $2 frames"
# Woken for nothing now and then is no harm; all the time would be polling.
[ "$6" -le "$2" ] || fail "$6 of $4 wake-ups brought nothing"
echo "ok: $2 frames by $4 wake-ups, $6 for nothing"
