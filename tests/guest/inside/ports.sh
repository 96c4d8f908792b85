# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
#
# The program of tests/guest/ports.c. Source it after lib.sh.

# ports_start [EAL-ARGUMENTS] -- MODE
ports_start()
{
	rm -f /tmp/ports.out /tmp/ports.err
	mkfifo /tmp/ports.out
	guest-ports $EAL "$@" >/tmp/ports.out 2>/tmp/ports.err 3<&- &
	ports_pid=$!
	exec 6</tmp/ports.out
	while IFS= read -r -t 60 line <&6; do
		[ "$line" != ready ] || return 0
	done
	fail "guest-ports: $(tail -n 20 /tmp/ports.err)"
}

# Ends it; its last line is in $figures then.
ports_stop()
{
	kill $ports_pid
	while IFS= read -r line <&6; do
		case $line in
		frames*) figures=$line ;;
		esac
	done
	wait $ports_pid || fail "guest-ports: $(tail -n 20 /tmp/ports.err)"
}
