#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
#
# Brings what the guest tests need: QEMU and its helpers by apt, a Debian guest
# kernel, and a QEMU that speaks vfio-user. The last two go to the cache folder
# only, nothing of them is installed. Safe to repeat; needs root or sudo for apt
# alone, and that only while a package is missing.
#
# usage: tools/setup-guest.sh [packages|kernel|qemu]...     (default: all three)
set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
cache=${POLLWIRE_CACHE:-$top/.cache}
PATH=$PATH:/usr/sbin:/sbin

PACKAGES="busybox-static cpio ethtool iperf3 kmod pciutils python3 python3-scapy qemu-system-x86
	tshark xz-utils zstd"

# Guest modules; what they depend on comes along. The network drivers are the
# foreign ones that judge the chip models.
MODULES="vfio-pci vfio_iommu_type1 uio_pci_generic 8021q
	e1000 e1000e e100 8139too 8139cp realtek r8169 skge sky2"

# The first Debian suite with vfio-user-pci on a stable base.
QEMU_SUITES="trixie trixie-backports"
QEMU_TARGET=trixie-backports

die()
{
	echo "setup-guest: $*" >&2
	exit 1
}

as_root()
{
	if [ "$(id -u)" = 0 ]; then
		"$@"
	else
		sudo -n "$@"
	fi
}

apt_install()
{
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
		-o DPkg::Lock::Timeout=300 install "$@"
}

install_packages()
{
	local missing=() p

	for p in $PACKAGES; do
		dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep 'ok installed' >/dev/null ||
			missing+=("$p")
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	as_root true 2>/dev/null ||
		die "packages missing, and no root or sudo to install them: ${missing[*]}"
	# Package lists may be absent or old: refresh them only then.
	apt_install "${missing[@]}" >/dev/null 2>&1 && return 0
	as_root apt-get -qq -o DPkg::Lock::Timeout=300 update
	apt_install "${missing[@]}" >/dev/null || die "apt could not install: ${missing[*]}"
}

# The real package behind the linux-image-amd64 metapackage.
kernel_package()
{
	apt-cache depends linux-image-amd64 2>/dev/null |
		awk '/Depends: linux-image/ { print $2; exit }'
}

download_kernel()
{
	apt-get -qq -o APT::Sandbox::User=root download "$(kernel_package)"
}

# Leaves $cache/guest/{vmlinux,version,lib/modules/VERSION/}.
fetch_kernel()
{
	local dst=$cache/guest tmp version m

	[ -e "$dst/vmlinux" ] && return 0
	mkdir -p "$cache"
	tmp=$(mktemp -d "$cache/kernel.XXXXXX")
	trap 'rm -rf "$tmp"' EXIT
	cd "$tmp"
	if [ -z "$(kernel_package)" ] || ! download_kernel 2>/dev/null; then
		as_root apt-get -qq update
		download_kernel || die "cannot download the guest kernel (linux-image-amd64)"
	fi
	dpkg -x linux-image-*.deb unpacked
	version=$(ls unpacked/lib/modules)
	depmod -b "$tmp/unpacked" "$version"

	mkdir -p guest
	for m in $MODULES; do
		modprobe -d "$tmp/unpacked" -S "$version" --show-depends "$m" |
			awk '/^insmod/ { print $2 }' ||
			die "the guest kernel has no module $m"
	done | sort -u | sed "s|^$tmp/unpacked/||" |
		tar -C unpacked -cf - -T - | tar -C guest -xf -
	cp unpacked/lib/modules/"$version"/modules.{order,builtin*} guest/lib/modules/"$version"/
	depmod -b "$tmp/guest" "$version"
	echo "$version" >guest/version
	/usr/bin/python3 "$top/tests/guest/vmlinux.py" "unpacked/boot/vmlinuz-$version" \
		guest/vmlinux
	rm -rf "$dst"
	mv guest "$dst"
	cd "$top"
	rm -rf "$tmp"
	trap - EXIT
}

# The Debian mirror that this machine's apt already uses.
mirror()
{
	# shellcheck disable=SC2016 # apt expands these
	apt-get indextargets --format '$(REPO_URI) $(ORIGIN) $(CODENAME)' 'Created-By: Packages' |
		awk '$2 == "Debian" && $3 !~ /-/ { print $1; exit }'
}

# apt with a state of its own: it sees $QEMU_SUITES and an empty machine.
private_apt()
{
	local dir=$1 key=/usr/share/keyrings/debian-archive-keyring.gpg suite uri

	uri=$(mirror)
	[ -n "$uri" ] || die "apt knows no Debian mirror (run apt-get update)"
	mkdir -p "$dir"/{state/lists,cache/archives}/partial
	: >"$dir/status"
	for suite in $QEMU_SUITES; do
		echo "deb [arch=amd64 signed-by=$key] $uri $suite main"
	done >"$dir/sources.list"
	cat >"$dir/apt.conf" <<-CONF
	Dir::State "$dir/state";
	Dir::State::status "$dir/status";
	Dir::Cache "$dir/cache";
	Dir::Etc::sourcelist "$dir/sources.list";
	Dir::Etc::sourceparts "/dev/null";
	Dir::Etc::preferences "/dev/null";
	Dir::Etc::preferencesparts "/dev/null";
	APT::Architecture "amd64";
	APT::Architectures "amd64";
	APT::Install-Recommends "false";
	APT::Sandbox::User "$(id -un)";
	Acquire::Languages "none";
	Acquire::Retries "3";
	CONF
}

download_qemu()
{
	local apt=$1

	APT_CONFIG=$apt/apt.conf apt-get -qq update &&
		APT_CONFIG=$apt/apt.conf apt-get -qq -y -t $QEMU_TARGET --download-only \
			-o Debug::NoLocking=1 install qemu-system-x86 >/dev/null
}

# Leaves $cache/qemu/qemu-system-x86_64, a QEMU with vfio-user-pci that runs on
# its own libraries.
fetch_qemu()
{
	local dst=$cache/qemu tmp d deb

	[ -x "$dst/qemu-system-x86_64" ] && return 0
	mkdir -p "$cache"
	tmp=$(mktemp -d "$cache/qemu.XXXXXX")
	trap 'rm -rf "$tmp"' EXIT
	private_apt "$tmp/apt"
	# A mirror in the middle of a sync serves an index that does not fit: try twice.
	download_qemu "$tmp/apt" || download_qemu "$tmp/apt" ||
		die "cannot download QEMU from $QEMU_TARGET"
	for d in bin sbin lib lib64; do
		mkdir -p "$tmp/root/usr/$d"
		ln -s "usr/$d" "$tmp/root/$d"
	done
	for deb in "$tmp"/apt/cache/archives/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" | tar -C "$tmp/root" --keep-directory-symlink -xf -
	done
	cat >"$tmp/root/qemu-system-x86_64" <<-'WRAPPER'
	#!/bin/sh
	root=$(cd "$(dirname "$0")" && pwd)
	lib=$root/usr/lib/x86_64-linux-gnu
	export QEMU_MODULE_DIR="$lib/qemu"
	exec "$root/usr/lib64/ld-linux-x86-64.so.2" --library-path "$lib" \
		"$root/usr/bin/qemu-system-x86_64" \
		-L "$root/usr/share/qemu" -L "$root/usr/share/seabios" "$@"
	WRAPPER
	chmod +x "$tmp/root/qemu-system-x86_64"
	"$tmp/root/qemu-system-x86_64" -device vfio-user-pci,help >/dev/null ||
		die "the QEMU of $QEMU_TARGET does not have vfio-user-pci"
	rm -rf "$dst"
	mv "$tmp/root" "$dst"
	rm -rf "$tmp"
	trap - EXIT
}

[ "$(uname -m)" = x86_64 ] || die "the guest tests need an x86-64 machine"
for part in "${@:-packages kernel qemu}"; do
	for p in $part; do
		case $p in
		packages) install_packages ;;
		kernel) fetch_kernel ;;
		qemu) fetch_qemu ;;
		*) die "unknown part '$p'; known: packages kernel qemu" ;;
		esac
	done
done
