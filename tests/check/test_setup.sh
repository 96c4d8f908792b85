#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
#
# tools/setup.sh on a machine of our own making: dpkg-query, apt-get, sudo, id,
# pkg-config and meson are stand-ins that read and write files of a scratch folder.
# Writes TAP.
#
# shellcheck disable=SC2016,SC2086

set -uo pipefail

tools=$(cd "$(dirname "$0")/../../tools" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fake=$scratch/bin
tree=$scratch/tree
count=0

VERSION=22.11.99-0+test1
HEADERS="drivers/bus/pci/bus_pci_driver.h drivers/bus/vdev/bus_vdev_driver.h
	lib/eal/include/dev_driver.h lib/ethdev/ethdev_driver.h lib/ethdev/ethdev_pci.h
	lib/ethdev/ethdev_vdev.h"

# stand_in NAME: a command made of stdin; it logs how it was called.
stand_in()
{
	{
		echo '#!/bin/bash'
		echo "echo \"$1 \$*\" >>'$scratch/calls'; S='$scratch'"
		cat
	} >"$fake/$1"
	chmod +x "$fake/$1"
}

stand_ins()
{
	mkdir -p "$fake"
	stand_in id <<<'cat "$S/uid"'
	stand_in sudo <<'EOF'
[ -e "$S/sudo" ] || exit 1
[ "$1" != -n ] || shift
exec "$@"
EOF
	# Installed is what has a line in the file.
	stand_in dpkg-query <<'EOF'
case $1 in
-S) [ ! -e "$S/own_dpdk" ] ;;
-W)
	case $3 in
	*source:Version*) echo 22.11.99-0+test1 ;;
	*) sed 's/^/installed /' "$S/installed" ;;
	esac ;;
esac
EOF
	stand_in pkg-config <<'EOF'
case $1 in
--variable=pcfiledir) echo /nonexistent ;;
--variable=includedir) echo "$S/include" ;;
esac
EOF
	stand_in apt-config <<'EOF'
case $1 in
shell) echo "list=$S/etc/sources.list parts=$S/etc/parts" ;;
dump) echo 'Acquire::http::Proxy "kept";'; echo 'APT::Update::Post-Invoke:: "dropped";' ;;
esac
EOF
	stand_in apt-get <<'EOF'
for word in "$@"; do
	case $word in
	update) exit 0 ;;
	source)
		cp "$APT_CONFIG" "$S/apt.conf"
		cat "${APT_CONFIG%/*}"/sources.d/* >"$S/sources"
		echo >>"$S/tries"
		[ "$(wc -l <"$S/tries")" -gt "$(cat "$S/source_fails")" ] || exit 100
		cp "$S/dpdk_22.11.99.orig.tar.xz" .
		exit ;;
	install)
		[ ! -e "$S/install_fails" ] || exit 100
		printf '%s\n' "$@" | sed '1,/^install$/d' >>"$S/installed"
		exit ;;
	esac
done
EOF
	stand_in meson <<'EOF'
[ ! -e "$S/meson_fails" ] || exit 1
touch "${@: -2:1}/build.ninja"
EOF
}

# source_archive HEADER...: what the stand-in for the mirror hands out.
source_archive()
{
	local h top=$scratch/dpdk-stable-22.11.99

	rm -rf "$top"
	for h in "$@"; do
		mkdir -p "$top/${h%/*}"
		echo "/* $h */" >"$top/$h"
	done
	tar -C "$scratch" -cJf "$scratch/dpdk_22.11.99.orig.tar.xz" dpdk-stable-22.11.99
}

# A machine where all is installed and the user is not root.
fresh()
{
	rm -rf "${scratch:?}"/*
	mkdir -p "$tree/tools" "$scratch/etc/parts" "$scratch/include"
	cp "$tools/setup.sh" "$tools/lib.sh" "$tree/tools/"
	printf '#!/bin/sh\necho "setup-guest $*" >>"%s"\n' "$scratch/calls" \
		>"$tree/tools/setup-guest.sh"
	chmod +x "$tree/tools/setup-guest.sh"
	echo 1000 >"$scratch/uid"
	echo 0 >"$scratch/source_fails"
	printf 'deb http://mirror.example/d stable main\ndeb-src http://old.example x y\n' \
		>"$scratch/etc/sources.list"
	printf 'Types: deb\nURIs: http://mirror.example/s\nSuites: s\nSigned-By: /k.gpg\n' \
		>"$scratch/etc/parts/x.sources"
	stand_ins
	sed -n '/^BUILD_PACKAGES=/,/^$/p' "$tools/setup.sh" |
		sed 's/^[A-Z_]*=//' | tr -d '"' | tr -s ' \t' '\n' >"$scratch/installed"
	source_archive $HEADERS
}

uninstall()
{
	local name

	for name in "$@"; do
		sed -i "/^$name\$/d" "$scratch/installed"
	done
}

# setup ARGUMENT...: runs it; $status, $scratch/out and $scratch/err tell how it went.
setup()
{
	: >"$scratch/calls"
	env -u POLLWIRE_CACHE -u SUDO_USER -u CI -u APT_CONFIG BUILD="$scratch/build" \
		PATH="$fake:$PATH" "$tree/tools/setup.sh" "$@" \
		>"$scratch/out" 2>"$scratch/err" </dev/null
	status=$?
}

called()
{
	grep -q -- "$1" "$scratch/calls"
}

# check WHAT COMMAND...: one TAP line.
check()
{
	local what=$1

	shift
	count=$((count + 1))
	if "$@"; then
		echo "ok $count - $what"
	else
		echo "not ok $count - $what"
		sed 's/^/# /' "$scratch/calls" "$scratch/out" "$scratch/err"
	fi
}

succeeded() { [ "$status" = 0 ] && [ ! -s "$scratch/err" ]; }

# One line on stderr, with the words, and a status that is not 0.
refused_with()
{
	[ "$status" != 0 ] && [ "$(wc -l <"$scratch/err")" = 1 ] && grep -qF -- "$1" "$scratch/err"
}

not() { ! "$@"; }

headers_are_there() { [ "$(cd "$1" && echo *)" = "$(basename -a $HEADERS | sort | xargs)" ]; }

nothing_left_behind() { [ -z "$(find "$tree/.cache" -name '.fetch*' 2>/dev/null)" ]; }

sdk=$tree/.cache/sdk/$VERSION

fresh
setup
check "all installed: succeeds" succeeded
check "all installed: no sudo" not called ^sudo
check "all installed: apt installs nothing" not called 'apt-get.* install'
check "the guest's packages, then kernel and QEMU" test "$(grep ^setup-guest "$scratch/calls")" = \
	"$(printf 'setup-guest packages\nsetup-guest kernel qemu')"
check "headers fetched" headers_are_there "$sdk"
check "the archive's folder is left behind nowhere" nothing_left_behind
check "meson is told where the headers are" called "meson setup.*-Dsdk=.cache/sdk/$VERSION"
check "private apt: sources become source-package ones" \
	cmp -s "$scratch/sources" <(printf '%s\n' 'deb-src http://mirror.example/d stable main' \
	'Types: deb-src' 'URIs: http://mirror.example/s' 'Suites: s' 'Signed-By: /k.gpg')
check "private apt: the machine's proxy is used" grep -q kept "$scratch/apt.conf"
check "private apt: the machine's hooks are not" not grep -q dropped "$scratch/apt.conf"
setup
check "second run: succeeds" succeeded
check "second run: no apt-get, no meson" not called '^apt-get\|^meson setup'
rm "$sdk/ethdev_pci.h"
setup
check "a header gone from the cache comes back" headers_are_there "$sdk"

fresh
uninstall meson tshark
setup
check "no root, no sudo: one line names what is missing" refused_with \
	"missing packages; install as root: apt-get install --no-install-recommends meson tshark"
check "no root, no sudo: apt-get is not called" not called ^apt-get
setup --for demo
check "demo does not want what tests want" \
	refused_with "apt-get install --no-install-recommends meson"
check "demo does not want what tests want, truly" not grep -q tshark "$scratch/err"
touch "$scratch/sudo"
setup
check "sudo: succeeds" succeeded
check "sudo: installs exactly these" called 'apt-get.* install meson tshark$'

fresh
uninstall scdoc
echo 0 >"$scratch/uid"
setup --for=build
check "root: succeeds" succeeded
check "root: installs without sudo" not called ^sudo
check "root: installs exactly this" called 'apt-get.* install scdoc$'

fresh
uninstall scdoc
echo 0 >"$scratch/uid"
touch "$scratch/install_fails"
setup
check "apt-get fails: one line" refused_with "apt-get failed; missing packages"

fresh
echo 1 >"$scratch/source_fails"
setup
check "the fetch is tried once more" succeeded
fresh
echo 9 >"$scratch/source_fails"
setup
check "fetch fails twice: one line" refused_with "cannot fetch the source package"
check "fetch fails: two tries" test "$(wc -l <"$scratch/tries")" = 2
check "fetch fails: nothing is left" nothing_left_behind
check "fetch fails: no half a folder" test ! -e "$sdk"

fresh
source_archive ${HEADERS%lib/ethdev/ethdev_vdev.h}
setup
check "an archive without a header: one line" refused_with "lacks a driver header"
check "an archive without a header: no half a folder" test ! -e "$sdk"

fresh
for h in $HEADERS; do
	echo "/* */" >"$scratch/include/${h##*/}"
done
setup
check "DPDK with its own driver headers: succeeds" succeeded
check "DPDK with its own driver headers: nothing fetched" not called ^apt-get
fresh
touch "$scratch/own_dpdk"
uninstall dpdk dpdk-dev libdpdk-dev
setup
check "own DPDK without driver headers: one line" refused_with "-Denable_driver_sdk=true"

fresh
touch "$scratch/meson_fails"
setup
check "meson fails: said" refused_with "meson could not configure"
rm "$scratch/meson_fails"
setup
check "after meson failed it is run again" succeeded

fresh
setup --for nothing
check "--for of something unknown" refused_with "--for wants build, demo or test, not 'nothing'"
setup --for
check "--for of nothing" refused_with "--for wants build, demo or test"
setup --frob
check "an unknown argument" refused_with "unknown argument: --frob"

echo "1..$count"
