#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
#
# Set-up, build, every test. The last line is "N passed, N failed, N skipped";
# the exit status is 0 only if nothing failed.
#
# usage: ./test.sh [SUITE]...      (no suite: all but guest-all, and the build with clang)
#        BUILD=DIR ./test.sh       build elsewhere: the source tree may be read-only

set -uo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/tools/lib.sh"

# These run once more under the address and undefined-behaviour sanitizers.
SANITIZED_SUITES="unit driver conformance apps"

# What test-report.py is to add up: logs and single verdicts.
results=()

finish()
{
	say "done"
	exec "$python" "$src/tools/test-report.py" "${results[@]}"
}

# suites_of DIR: the names of the suites that DIR has.
suites_of()
{
	meson introspect --tests "$1" | "$python" -c '
import json, sys
names = {name.split(":")[-1] for test in json.load(sys.stdin) for name in test["suite"]}
print(*sorted(names))'
}

# common A B: the words that both lists have.
common()
{
	comm -12 <(tr ' ' '\n' <<<"$1" | sort -u) <(tr ' ' '\n' <<<"$2" | sort -u)
}

# build_folder LABEL DIR [OPTION]...: configured and compiled, or counted as failed.
# Without options the folder is configured already.
build_folder()
{
	local label=$1 dir=$2

	shift 2
	say "building $label"
	{ [ $# = 0 ] || (configure "$dir" "$@"); } && compile "$dir" && return 0
	results+=(--fail "$label: build" "see above")
	return 1
}

# run_tests LABEL DIR SUITE...
run_tests()
{
	local label=$1 dir=$2 log=$2/meson-logs/testlog.json chosen=()

	shift 2
	for suite in "$@"; do
		chosen+=(--suite "$suite")
	done
	say "running $label tests: $*"
	rm -f "$log"
	# A multiplier bounds what hangs; no test depends on how long it takes.
	meson test -C "$dir" --no-rebuild --print-errorlogs --num-processes "$jobs" \
		--timeout-multiplier 4 "${chosen[@]}" </dev/null
	results+=("$label=$log")
}

if ! "$src/tools/setup.sh" --for test; then
	results+=(--fail set-up "see above")
	finish
fi
need_build_folder
sdk=$(meson introspect --buildoptions "$build" | "$python" -c '
import json, sys
print(*(o["value"] for o in json.load(sys.stdin) if o["name"] == "sdk"))')

build_folder normal "$build" || finish
known=$(suites_of "$build")
wanted=${*:-$(tr ' ' '\n' <<<"$known" | grep -vx guest-all | xargs)}
for suite in $wanted; do
	[[ " $known " = *" $suite "* ]] || die "no suite '$suite'; there are: $known"
done
# The lists are words to be split.
# shellcheck disable=SC2086
run_tests normal "$build" $wanted

sanitized=$(common "$wanted" "$(common "$known" "$SANITIZED_SUITES")")
if [ -n "$sanitized" ] && build_folder sanitized "$build/sanitized" -Dsdk="$sdk" \
	-Dbuildtype=debugoptimized -Db_sanitize=address,undefined -Db_lundef=false; then
	export UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:print_stacktrace=1
	# shellcheck disable=SC2086
	run_tests sanitized "$build/sanitized" $sanitized
fi

if [ $# = 0 ] && CC=clang build_folder clang "$build/clang" -Dsdk="$sdk"; then
	results+=(--pass "clang: build")
fi
finish
