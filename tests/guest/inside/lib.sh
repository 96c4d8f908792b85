# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
#
# What a guest script calls. Source it first: . /lib.sh

fail()
{
	{
		[ ! -e /tmp/testpmd.log ] || tail -n 40 /tmp/testpmd.log
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

# The host's end of the line is guest.py, whose verb_* functions say what may be
# asked. Prints the answer; fails if the host says so.
stty -F /dev/ttyS1 raw -echo
exec 3<>/dev/ttyS1
host()
{
	echo "$*" >&3
	read -r verdict answer <&3
	[ "$verdict" = ok ] || fail "host $*: $answer"
	[ -z "$answer" ] || echo "$answer"
}

# The test NICs in slot order, which is the order of the -device lines.
NICS=
for dev in /sys/bus/pci/devices/*; do
	case $(cat "$dev/class") in
	0x0200*) NICS="$NICS ${dev##*/}" ;;
	esac
done

# bind DRIVER: every test NIC to vfio-pci or uio_pci_generic.
bind()
{
	for nic in $NICS; do
		echo "$1" >"/sys/bus/pci/devices/$nic/driver_override"
		echo "$nic" >/sys/bus/pci/drivers_probe
		[ -e "/sys/bus/pci/drivers/$1/$nic" ] || fail "$nic does not bind to $1"
	done
}

# The kernel driver that fits the machine.
if grep -q 'intel_iommu=on' /proc/cmdline; then
	bind vfio-pci
else
	bind uio_pci_generic
fi

# use_driver pollwire|em: sets $PMD, and $EAL to EAL's arguments for it and the NICs.
use_driver()
{
	PMD=$1
	EAL="-d /opt/pmd/$PMD.so --lcores (0,1)@0 --no-telemetry -m 128"
	for nic in $NICS; do
		EAL="$EAL -a $nic"
	done
	# EAL asks for MSI-X by itself. A conventional PCI card has INTx only, and DPDK's
	# own driver loses link events of an 82574L in MSI-X mode.
	case $DEVICE-$PMD in
	e1000-* | *-em | i8*) EAL="$EAL --vfio-intr=legacy" ;;
	esac
}
read -r DEVICE </device
read -r PMD </driver
use_driver $PMD

# What a script that all cards run has to know of this one: OURS, our driver's name; SPEED,
# as testpmd gives it; MACS, how many station addresses; and, if not empty, CABLE: QEMU lets
# the driver see it pulled; VLANS: there is a VLAN filter; JUMBO: frames above 1518 bytes.
case $DEVICE in
i8*) OURS=net_pw_i8255x SPEED='100 Mbps' CABLE= MACS=1 VLANS= JUMBO= ;;
*) OURS=net_pw_e1000 SPEED='1 Gbps' CABLE=y MACS=16 VLANS=y JUMBO=y ;;
esac

# Puts DPDK's own driver where EAL loads it by itself, as it lies on every Debian: it
# claims the same cards as ours, and must not get them.
shadow_driver()
{
	plugins=$(echo /usr/lib/*/dpdk/pmds-*)
	cp /opt/pmd/em.so "$plugins/librte_net_e1000.so"
}

# testpmd_start [EAL-ARGUMENTS] -- [TESTPMD-ARGUMENTS]
testpmd_start()
{
	rm -f /tmp/in /tmp/out
	mkfifo /tmp/in /tmp/out
	# Line by line, or an event printed by another thread stays in the buffer.
	LD_PRELOAD=/usr/libexec/coreutils/libstdbuf.so _STDBUF_O=L \
		dpdk-testpmd $EAL "$@" -i --total-num-mbufs=8192 </tmp/in >/tmp/out 2>&1 3<&- &
	testpmd_pid=$!
	exec 4>/tmp/in 5</tmp/out
	testpmd ''
}

# Runs one command.
testpmd()
{
	ask "$1" >/dev/null
}

# Runs one command and prints what testpmd says. Its end is known without a wait:
# testpmd complains about port 77 only when the command before has returned.
ask()
{
	printf '%s\nshow port stats 77\n' "$1" >&4
	while read_line; do
		case $line in
		*'The valid ports array is'*) break ;;
		*'Invalid port 77'*) ;;
		*'Command not found'* | *'Bad arguments'* | *'Invalid port'*)
			fail "testpmd refuses '$1'" ;;
		*) echo "$line" ;;
		esac
	done
}

# Reads a line of testpmd's into $line.
read_line()
{
	IFS= read -r -t 60 line <&5 || fail "testpmd ended or hangs"
	line=${line%$(printf '\r')}
	echo "$line" >>/tmp/testpmd.log
}

# Waits until testpmd prints a line with the text given.
testpmd_await()
{
	while read_line; do
		case $line in
		*"$1"*) break ;;
		esac
	done
}

testpmd_stop()
{
	echo quit >&4
	exec 4>&-
	while IFS= read -r line <&5; do :; done
	wait $testpmd_pid || fail "testpmd ended with $?"
}

# port_stat PORT COUNTER: a figure of "show port stats", e.g. port_stat 0 RX-packets
port_stat()
{
	ask "show port stats $1" | sed -n "s/.*$2: *\([0-9]*\).*/\1/p"
}

# link_status PORT: up or down
link_status()
{
	ask "show port info $1" | sed -n 's/^Link status: //p'
}

# await_link PORT up|down: asks again and again; testpmd's answer paces it.
await_link()
{
	for try in $(seq 500); do
		[ "$(link_status "$1")" != "$2" ] || return 0
	done
	fail "port $1 does not report its link $2"
}

# poke N OFFSET VALUE [BITS]: writes a register of NIC N behind its driver's back.
poke()
{
	nic=$(echo $NICS | cut -d' ' -f$(($1 + 1)))
	read -r base rest <"/sys/bus/pci/devices/$nic/resource"
	devmem $((base + $2)) "${4:-32}" "$3"
}
