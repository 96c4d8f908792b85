# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
#
# What a script calls that tries pollwire-bind. Source it first: . /lib.sh

fail()
{
	{
		dmesg | tail -n 20
		pollwire-bind status
		echo "FAIL: $*"
	} >&2
	exit 1
}

# same WHAT EXPECTED ACTUAL
same()
{
	[ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"
	echo "ok: $1 ($2)"
}

# holds WHAT TEXT: what the last run said has the text in it
holds()
{
	case $said in
	*"$2"*) echo "ok: $1" ;;
	*) fail "$1: no '$2' in: $said" ;;
	esac
}

# try STATUS ARGUMENT...: runs pollwire-bind, which must end so; leaves what it says in $said
try()
{
	wanted=$1
	shift
	got=0
	said=$(pollwire-bind "$@" 2>&1) || got=$?
	[ "$got" = "$wanted" ] || fail "pollwire-bind $* ended with $got, not $wanted: $said"
	[ -z "$said" ] || echo "$said"
}

# driver ADDRESS: as the kernel has it
driver()
{
	if [ -e "/sys/bus/pci/devices/$1/driver" ]; then
		basename "$(readlink "/sys/bus/pci/devices/$1/driver")"
	else
		echo none
	fi
}

# interface ADDRESS: its name; nothing if it has none
interface()
{
	ls "/sys/bus/pci/devices/$1/net" 2>/dev/null || true
}

# group ADDRESS
group()
{
	basename "$(readlink "/sys/bus/pci/devices/$1/iommu_group")"
}

# witnesses: dpdk-devbind.py shows the same as we do, lspci the same drivers
witnesses()
{
	pollwire-bind -s >/run/ours
	devbind --status-dev net >/run/theirs 2>/run/errors ||
		fail "dpdk-devbind.py: $(cat /run/errors)"
	cmp /run/ours /run/theirs || fail "ours: $(cat /run/ours) theirs: $(cat /run/theirs)"
	for card in $CARDS; do
		theirs=$(lspci -Dkvmms "$card" | sed -n 's/^Driver:[[:space:]]*//p')
		[ "${theirs:-none}" = "$(driver "$card")" ] || fail "lspci: $card has $theirs"
		pollwire-bind status "$card" | grep -q "^$card .* ${theirs:--} " ||
			fail "status: $card has not ${theirs:-no driver}"
	done
	echo "ok: dpdk-devbind.py and lspci agree"
}

# devbind ARGUMENT...: the other tool
devbind()
{
	PYTHONHOME=/usr python3 /usr/bin/dpdk-devbind.py "$@"
}

# clean: nothing of us is left, and the kernel has not complained
clean()
{
	[ ! -e /run/pollwire ] || fail "left: $(find /run/pollwire)"
	for card in $CARDS; do
		same "override of $card" '(null)' \
			"$(cat "/sys/bus/pci/devices/$card/driver_override")"
	done
	! dmesg | grep -E 'BUG|WARNING:|Call Trace|refcount|leak' || fail "the kernel complains"
}

# The cards in slot order.
CARDS=
for dev in /sys/bus/pci/devices/*; do
	case $(cat "$dev/class") in
	0x0200*) CARDS="$CARDS ${dev##*/}" ;;
	esac
done
