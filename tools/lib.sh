# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
# shellcheck shell=bash
#
# What setup.sh, test.sh and demo.sh share. Sourced, never run; sets $src (the
# source tree), $build (the build folder, from BUILD), $jobs and $python.

prog=${0##*/}
src=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
build=$(realpath -m "${BUILD:-$src/build}")
jobs=${JOBS:-$(nproc)}
# Debian's own, which sees Debian's modules whatever else is in PATH.
# shellcheck disable=SC2034
python=/usr/bin/python3
PATH=$PATH:/usr/sbin:/sbin

# A read-only source tree must stay as it is, Python's caches included.
export PYTHONDONTWRITEBYTECODE=1

# say TEXT...: one line of progress, with the seconds since the start.
say()
{
	printf '%s: [%3d s] %s\n' "$prog" "$SECONDS" "$*"
}

warn()
{
	echo "$prog: $*" >&2
}

# die TEXT...: one clear line, then out.
die()
{
	warn "$@"
	exit 1
}

# quietly LOG COMMAND...: what it says goes to LOG, and its end to stderr if it fails.
quietly()
{
	local log=$1

	shift
	if "$@" >"$log" 2>&1 </dev/null; then
		return 0
	fi
	tail -n 40 "$log" >&2
	return 1
}

# A folder that can be made or written to.
can_write()
{
	mkdir -p "$1" 2>/dev/null && [ -w "$1" ]
}

# The build folder, made, or a line that says what to do.
need_build_folder()
{
	can_write "$build" && return 0
	[ -z "${BUILD:-}" ] || die "cannot write to BUILD=$build"
	die "cannot write to $build: set BUILD=DIR to build elsewhere"
}

# Where fetched things are kept: POLLWIRE_CACHE, or .cache in the source tree,
# or in the build folder if the tree is read-only.
cache_folder()
{
	if [ -n "${POLLWIRE_CACHE:-}" ]; then
		realpath -m "$POLLWIRE_CACHE"
	elif can_write "$src/.cache"; then
		echo "$src/.cache"
	else
		echo "$build/.cache"
	fi
}

# configure DIR OPTION...: meson in DIR, only if it is not already so configured.
configure()
{
	local dir=$1 stamp=$1/.pollwire-setup log=$1/setup.log want verb=()

	shift
	set -- -Dwerror="$([ "${CI:-}" = true ] && echo true || echo false)" "$@"
	want=$(printf '%s\n' "$src" "$@")
	[ -f "$dir/build.ninja" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$want" ] && return 0
	[ ! -f "$dir/meson-private/coredata.dat" ] || verb=(--reconfigure)
	mkdir -p "$dir" || die "cannot write to $dir"
	rm -f "$stamp"
	quietly "$log" meson setup "${verb[@]}" "$@" "$dir" "$src" ||
		die "meson could not configure $dir (the log: $log)"
	echo "$want" >"$stamp"
}

# compile DIR: builds all of it; the compiler's words are shown, ninja's are not.
compile()
{
	ninja --quiet -C "$1" -j "$jobs"
}
