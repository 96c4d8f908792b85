# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
#
# A card of 32 bits in memory above 4 GiB, which comes and goes, of EAL's and others'. What the
# card may not reach, the IOMMU tells (and the test fails).
. /lib.sh

mkfifo /tmp/window.in /tmp/window.out
# Little memory to begin with: more has to come.
guest-window $EAL -m 16 </tmp/window.in >/tmp/window.out 2>/tmp/window.err 3<&- &
window_pid=$!
exec 6>/tmp/window.in 7</tmp/window.out

# Reads an answer into $answer.
answered()
{
	IFS= read -r -t 60 answer <&7 || fail "guest-window: $(tail -n 20 /tmp/window.err)"
}

window()
{
	echo "$1" >&6
	answered
}

# Every size both ways; none has to be copied.
traffic()
{
	host flow 0 1
	host flow 1 0
	host sweep 0 1 60 1514 "$2"
	host sweep 1 0 60 1514 "$2"
	window copied
	same "copied with $1" 0 "$answer"
}

answered
same 'the program' ready "$answer"
traffic 'the memory there was' 13

window later
traffic 'a mempool added later' 13
window free
traffic 'its memory given back' 97
window later
traffic 'it once more' 97
window free

window external
traffic 'external buffers' 13
# Unknown to the IOMMU, they must not come to the card: they are copied, every one.
window foreign
host flow 0 1
host sweep 0 1 60 1514 97
window copied
[ "$answer" -ge 15 ] || fail "memory unknown to the IOMMU: copied $answer frames of 15"
echo "ok: memory unknown to the IOMMU is copied ($answer frames)"
before=$answer
window own
host flow 0 1
host sweep 0 1 60 1514 97
window copied
same 'copied in the end' "$before" "$answer"

echo quit >&6
wait $window_pid || fail "guest-window: $(tail -n 20 /tmp/window.err)"
