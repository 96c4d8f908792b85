#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
#
# Set-up: Debian packages, the DPDK driver SDK headers, a configured build folder.
# Safe to repeat: what is there already is not touched.
#
# Package lists are words to be split:
# shellcheck disable=SC2046,SC2086

set -euo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

BUILD_PACKAGES="gcc libc6-dev meson ninja-build pkg-config python3 dpkg-dev xz-utils
	libpcap-dev libjansson-dev libcyaml-dev libncurses-dev libpciaccess-dev pci.ids
	zlib1g-dev scdoc"
DPDK_PACKAGES="dpdk dpdk-dev libdpdk-dev"
DEMO_PACKAGES=""
TEST_PACKAGES="libcmocka-dev clang libclang-rt-dev valgrind tshark python3-scapy iproute2 git
	kmod pciutils util-linux"

# Driver headers that Debian's libdpdk-dev leaves out (paths in DPDK's source).
SDK_HEADERS="drivers/bus/pci/bus_pci_driver.h drivers/bus/vdev/bus_vdev_driver.h
	lib/eal/include/dev_driver.h lib/ethdev/ethdev_driver.h lib/ethdev/ethdev_pci.h
	lib/ethdev/ethdev_vdev.h"

usage()
{
	cat <<EOF
usage: tools/setup.sh [--for build|demo|test]

Installs the Debian packages (as root or with sudo; neither is needed when none is
missing), fetches the DPDK driver SDK headers of the installed version, configures
the build folder. --for takes only what that purpose needs; the default is test,
which is everything.

Environment:
  BUILD=DIR            build folder (default: build in the source tree)
  POLLWIRE_CACHE=DIR   what is fetched is kept here (default: .cache in the source
                       tree, or in the build folder if the tree is read-only)
  CI=true              compiler warnings are errors
EOF
}

## Packages

packages_for()
{
	echo "$BUILD_PACKAGES"
	own_dpdk || echo "$DPDK_PACKAGES"
	case $1 in
	demo) echo "$DEMO_PACKAGES" ;;
	test) echo "$TEST_PACKAGES" ;;
	esac
}

# A DPDK that pkg-config finds and no Debian package owns: somebody's own build.
own_dpdk()
{
	local pc

	pc=$(pkg-config --variable=pcfiledir libdpdk 2>/dev/null) || return 1
	! dpkg-query -S "$pc/libdpdk.pc" >/dev/null 2>&1
}

# missing_packages NAME...: those that are not installed, on one line.
missing_packages()
{
	local installed name out=""

	installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null) || true
	for name in "$@"; do
		grep -qxF "installed $name" <<<"$installed" || out+=" $name"
	done
	echo "${out# }"
}

# as_root COMMAND...: sudo asks for a password only where someone can answer.
as_root()
{
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif [ -t 0 ]; then
		sudo "$@"
	else
		sudo -n "$@"
	fi
}

apt_install()
{
	local apt="apt-get -qq -o DPkg::Lock::Timeout=300"

	# An old list beats none: what counts is whether the install succeeds.
	as_root $apt update || true
	as_root env DEBIAN_FRONTEND=noninteractive $apt -y --no-install-recommends install "$@"
}

install_packages()
{
	local missing how log

	command -v dpkg-query >/dev/null ||
		die "needs Debian 12 or later (no dpkg-query); elsewhere: meson setup -Dsdk=DIR"
	missing=$(missing_packages $(packages_for "$1"))
	[ -n "$missing" ] || return 0
	how="missing packages; install as root: apt-get install --no-install-recommends $missing"
	as_root true 2>/dev/null || die "$how"
	say "installing $missing"
	log=$(mktemp)
	quietly "$log" apt_install $missing || { rm -f "$log"; die "apt-get failed; $how"; }
	rm -f "$log"
	missing=$(missing_packages $missing)
	[ -z "$missing" ] || die "apt-get installed all but: $missing"
}

## Driver SDK headers

have_headers()
{
	local h

	for h in $SDK_HEADERS; do
		[ -s "$1/${h##*/}" ] || return 1
	done
}

# An apt of our own in DIR: this machine's sources turned into source-package ones,
# its way to them (proxies, checks), none of its hooks, and no state of the machine.
private_apt()
{
	local dir=$1 list parts file

	mkdir -p "$dir"/{conf.d,sources.d,lists/partial,archives/partial}
	eval "$(apt-config shell list Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)"
	for file in "$list" "$parts"/*.list; do
		[ -r "$file" ] || continue
		sed -n 's/^[[:space:]]*deb[[:space:]]/deb-src /p' "$file" \
			>"$dir/sources.d/$(basename "$file" .list).list"
	done
	for file in "$parts"/*.sources; do
		[ -r "$file" ] || continue
		sed 's/^Types:.*/Types: deb-src/I' "$file" >"$dir/sources.d/${file##*/}"
	done
	{
		apt-config dump | grep '^Acquire::' || true
		cat <<-EOF
		Dir::Etc::parts "$dir/conf.d";
		Dir::Etc::main "/dev/null";
		Dir::Etc::sourcelist "/dev/null";
		Dir::Etc::sourceparts "$dir/sources.d";
		Dir::State "$dir";
		Dir::State::lists "$dir/lists";
		Dir::Cache "$dir";
		Dir::Cache::archives "$dir/archives";
		Acquire::Languages "none";
		APT::Sandbox::User "root";
		APT::Get::Only-Source "true";
		EOF
	} >"$dir/apt.conf"
}

# Leaves DPDK's source archive of that version in DIR, checked against the
# archive's signatures by apt.
download_source()
{
	local dir=$1 version=$2

	export APT_CONFIG=$dir/apt.conf
	cd "$dir"
	# A third party's repository without sources must not stop us.
	apt-get -q update || true
	apt-get -q source --download-only "dpdk=$version"
}

# unpack_headers DIR INTO: the six files, without their folders.
unpack_headers()
{
	local tar names=() h

	tar=$(compgen -G "$1/dpdk_*.orig.tar.?z") || return 1
	for h in $SDK_HEADERS; do
		names+=("*/$h")
	done
	tar -xf "$tar" -C "$2" --no-same-owner --no-same-permissions \
		--wildcards --transform 's|.*/||' "${names[@]}"
}

# fetch_headers DIR VERSION: DIR appears whole or not at all.
fetch_headers()
{
	local into=$1 version=$2 try log

	can_write "${into%/*}" || die "cannot write to ${into%/*} (POLLWIRE_CACHE names another)"
	work=$(mktemp -d "${into%/*}/.fetch.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	log=$work/log
	private_apt "$work"
	for try in 1 2; do
		[ $try = 1 ] || say "trying once more"
		(download_source "$work" "$version") >"$log" 2>&1 </dev/null && break
		[ $try = 1 ] && continue
		grep '^E:' "$log" >&2 || tail -n 5 "$log" >&2
		die "cannot fetch the source package of dpdk $version from this machine's apt" \
			"sources: bring DPDK up to date (apt-get update; apt-get upgrade)," \
			"or put its driver headers (${SDK_HEADERS//[$'\n\t']/ }) into $into"
	done
	mkdir "$work/new"
	unpack_headers "$work" "$work/new" 2>/dev/null ||
		die "the source package of dpdk $version lacks a driver header"
	rm -rf "$into"
	mv "$work/new" "$into"
	rm -rf "$work"
	trap - EXIT
}

# Sets $sdk: the folder of the headers, empty if the installed DPDK has its own.
find_sdk()
{
	local include version folder

	include=$(pkg-config --variable=includedir libdpdk) || die "pkg-config finds no libdpdk"
	sdk=
	have_headers "$include" && return 0
	! own_dpdk || die "the DPDK in $include has no driver headers: build it with" \
		"-Denable_driver_sdk=true"
	version=$(dpkg-query -W -f '${source:Version}' libdpdk-dev)
	for folder in "$src/.cache" "$(cache_folder)"; do
		sdk=$folder/sdk/$version
		have_headers "$sdk" && return 0
	done
	say "fetching the driver SDK headers of dpdk $version"
	fetch_headers "$sdk" "$version"
}

## Parts that have a set-up of their own

# setup_guest PART...: QEMU's packages; a guest kernel and a newer QEMU in the cache folder.
setup_guest()
{
	POLLWIRE_CACHE=$(cache_folder) "$src/tools/setup-guest.sh" "$@" ||
		warn "the guest tests will fail: setup-guest.sh could not bring what they need"
}

# After sudo tools/setup.sh the folders belong to whoever typed it.
configure_as_caller()
{
	local owner

	if [ "$(id -u)" = 0 ] && [ -n "${SUDO_USER:-}" ]; then
		owner=$(stat -c %U "$src")
		[ "$owner" != "$SUDO_USER" ] || exec runuser -u "$owner" -- \
			env -u SUDO_USER BUILD="$build" "$src/tools/setup.sh" --for "$1"
	fi
}

main()
{
	local purpose=test tests=true

	while [ $# -gt 0 ]; do
		case $1 in
		--for=*) purpose=${1#--for=} ;;
		--for) purpose=${2:-}; shift ;;
		-h | --help) usage; exit 0 ;;
		*) die "unknown argument: $1 (see --help)" ;;
		esac
		shift || break
	done
	case $purpose in
	build | demo | test) ;;
	*) die "--for wants build, demo or test, not '$purpose'" ;;
	esac

	install_packages "$purpose"
	[ "$purpose" != test ] || setup_guest packages
	configure_as_caller "$purpose"
	need_build_folder
	find_sdk
	[ "$purpose" != test ] || setup_guest kernel qemu
	pkg-config --exists cmocka || tests=false
	# meson wants what is inside the source tree relative to it.
	configure "$build" -Dsdk="${sdk#"$src"/}" -Dtests="$tests"
	say "ready: packages for $purpose, ${build/#$PWD\//}"
}

main "$@"
