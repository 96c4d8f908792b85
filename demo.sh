#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
#
# Set-up, build, and the main job: the generator pushes packets through the forwarder
# over paced software wires, and a table says how fast without loss. No root (once the
# packages are there), no hugepages, no card.
#
# usage: ./demo.sh [OPTION of pollwire-gen --rfc2544]...

set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/tools/lib.sh"

"$src/tools/setup.sh" --for demo
need_build_folder
say "building"
compile "$build"

# A CPU for each program, if there are two.
read -r gen_cpu fwd_cpu < <("$python" -c '
import os
cpus = sorted(os.sched_getaffinity(0))
print(cpus[0], cpus[-1])')
a=sim:82540em,wire=shm:demo-$$-a,pace=on
b=sim:82540em,wire=shm:demo-$$-b,pace=on
fast=sim:82559c,wire=demo,pace=on

coproc FWD { exec "$build/apps/fwd/pollwire-fwd" --lcores "$fwd_cpu" --stats 0 \
	--port "$a" --port "$b" --rxd 4096 --txd 4096 2>&1; }
fwd_pid=$FWD_PID
trap 'kill "$fwd_pid" 2>/dev/null || true' EXIT
# It ends its output without this line if it cannot start.
until read -r line <&"${FWD[0]}" && [[ $line == forwarding* ]]; do
	[ -n "${line:-}" ] || die "pollwire-fwd does not start"
	echo "$line"
done

read -r load _ </proc/loadavg
echo "load of this machine before we begin: $load on $(nproc) CPUs"
say "pollwire-gen (CPU $gen_cpu) -> wire at 1000 Mbit/s -> pollwire-fwd (CPU $fwd_cpu) -> wire ->" \
	"pollwire-gen"
status=0
# --catch-up: other programs use these CPUs too, and their turns are made up for.
"$build/apps/gen/pollwire-gen" --lcores "$gen_cpu" --tx "$a" --rx "$b" --rxd 4096 --rfc2544 \
	--sizes 64,512,1518 --trial 0.4 --resolution 2 --catch-up 5 "$@" || status=$?

kill -TERM "$fwd_pid" 2>/dev/null || true
echo
echo "the forwarder's account, overload trials included:"
sed 's/^/  /' <&"${FWD[0]}"
wait "$fwd_pid" || status=$?

say "and no forwarder: pollwire-gen (CPU $gen_cpu) -> 82559C -> wire at 100 Mbit/s -> 82559C ->" \
	"pollwire-gen"
"$build/apps/gen/pollwire-gen" --lcores "$gen_cpu" --tx "$fast" --rx "$fast" --rfc2544 \
	--sizes 64,1518 --trial 0.4 --resolution 2 --catch-up 5 "$@" || status=$?
cat <<'EOF'

No card is at work here: four models of the 82540EM are, then two of the 82559C, and the
programs' CPUs do the models' work beside their own. Where the wire is not the limit, they are;
a real card needs no CPU. Trials are short, and any other program that runs meanwhile costs
packets: on an idle machine, and with --trial 10, figures are steadier.
EOF
say "done"
exit "$status"
