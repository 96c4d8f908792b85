# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
#
# What a script calls that judges a model with a driver of Linux. Source it first: . /lib.sh
#
# Card 0 is eth0, 10.0.0.1, in namespace 0, the first; card 1 is eth1, 10.0.0.2, in namespace 1.

fail()
{
	{
		dmesg | tail -n 20
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

# some WHAT ACTUAL: a number that must not be 0
some()
{
	[ "$2" -gt 0 ] || fail "$1: none"
	echo "ok: $1 ($2)"
}

# The host's end of the line is model.py, whose verb_* functions say what may be asked.
stty -F /dev/ttyS1 raw -echo
exec 3<>/dev/ttyS1
host()
{
	echo "$*" >&3
	read -r verdict answer <&3
	[ "$verdict" = ok ] || fail "host $*: $answer"
	[ -z "$answer" ] || echo "$answer"
}

# in_ns N COMMAND...: in the namespace of card N
in_ns()
{
	if [ "$1" = 0 ]; then
		shift
		"$@"
	else
		shift
		nsenter -t $other -m -n "$@"
	fi
}

# await WHAT COMMAND...: tries again and again; each try is a step of the poll.
await()
{
	what=$1
	shift
	for attempt in $(seq 1000); do
		! "$@" >/dev/null 2>&1 || return 0
		usleep 20000	# poll
	done
	fail "$what: in vain"
}

# carrier N: 1 or 0
carrier()
{
	in_ns "$1" cat "/sys/class/net/eth$1/carrier"
}

# A namespace lives as long as a process in it. Its own /sys shows its own cards.
mkfifo /run/other
unshare -m -n sh -c 'mount -t sysfs sysfs /sys; >/run/ready; read -r line </run/other' &
other=$!
await 'second namespace' [ -e /run/ready ]

# The driver's name; what it needs comes before it.
driver=$(sed -n '$s/\.ko$//p' /modules/driver.order)

# What both ends can do, in Mbit/s, and what takes them seconds
case $driver in
e100) speed=100 bulk=10M ;;
*) speed=1000 bulk=100M ;;
esac

# no_ipv6: nothing is on the wire but what is asked for
no_ipv6()
{
	for n in 0 1; do
		in_ns $n sh -c 'echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6
			echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6'
	done
}
# e100 does not count multicasts by themselves, so there must be none that a filter drops.
[ $driver != e100 ] || no_ipv6

# load_modules [PARAMETERS]: the driver gets them.
load_modules()
{
	while read -r module; do
		[ "$module" = $driver.ko ] || insmod "/modules/$module"
	done </modules/driver.order
	insmod /modules/$driver.ko "$@"
}

# load [PARAMETERS]
load()
{
	load_modules "$@"
	[ -e /sys/class/net/eth1 ] || fail 'the driver has not made two interfaces'
}

unload()
{
	for module in $(sed '1!G;h;$!d' /modules/driver.order); do
		rmmod "${module%.ko}"
	done
}

# up: addresses, carrier on both sides, and the first ping through
up()
{
	ip link set eth1 netns $other
	in_ns 1 ip link set lo up
	for n in 0 1; do
		in_ns $n ip addr add 10.0.0.$((n + 1))/24 dev eth$n
		in_ns $n ip link set eth$n up
	done
	await_link
}

await_link()
{
	await 'ping through both cards' ping -q -c 1 -W 1 10.0.0.2
}

down()
{
	for n in 0 1; do
		in_ns $n ip link set eth$n down
	done
}

# resent N: TCP segments that the namespace of card N has sent again
resent()
{
	in_ns "$1" awk '/^Tcp:/ { if (n++) print $i; else while ($++i != "RetransSegs"); }' \
		/proc/net/snmp
}

# bad_checksums N: packets that Linux itself found a wrong checksum in
bad_checksums()
{
	in_ns "$1" awk '/^(Ip|Icmp|Tcp|Udp): *[A-Z]/ { split($0, name); next }
		/^(Ip|Icmp|Tcp|Udp):/ {
			for (i in name)
				if (name[i] ~ /^(InCsumErrors|InHdrErrors)$/)
					sum += $i
		}
		END { print sum + 0 }' /proc/net/snmp
}

# counter N NAME: one of ethtool -S
counter()
{
	in_ns "$1" ethtool -S "eth$1" | awk -v name="$2:" '$1 == name { print $2 }'
}

# no_errors N: the driver's and Linux's error counters of card N. tx_timeout_count also counts
# frames that were caught in a link change; a transmitter that hangs is in the kernel's log.
no_errors()
{
	bad=$(in_ns "$1" ethtool -S "eth$1" |
		awk '/err|missed|dropped|fail|collision|defer|fifo|abort/ && $2 != 0')
	[ -z "$bad" ] || fail "card $1 counts $bad"
}

# e100 counts a frame as sent when it looks at its list, which it does at each interrupt, the
# next being its watchdog's if nothing else happens.
settle()
{
	[ $driver = e100 ] || return 0
	for n in 0 1; do
		raised=$(host interrupts $n)
		await "an interrupt of card $n" interrupted $n $raised
	done
}

interrupted()
{
	[ "$(host interrupts $1)" -gt $2 ]
}

# unicasts N tx|rx: frames to one station, which no filter may drop
unicasts()
{
	in_ns $1 ethtool -S eth$1 | awk -v way="$2" '
		$1 == way "_packets:" { n += $2 }
		$1 == way "_broadcast:" || $1 == way "_multicast:" { n -= $2 }
		END { print n }'
}

# lost N M: frames that card N has sent and card M has not received, since the driver was loaded
lost()
{
	echo $(($(unicasts $1 tx) - $(unicasts $2 rx)))
}

# Both ways; looked at until two looks agree, for Linux sends what it likes between two counters.
lost_so_far()
{
	look=
	until [ "$look" = "$(lost 0 1) $(lost 1 0)" ]; do
		look="$(lost 0 1) $(lost 1 0)"
	done
	echo "$look"
}

all_arrived()
{
	[ "$(lost 0 1) $(lost 1 0)" = "$1 $2" ]
}

# tcp N M SIZE: SIZE bytes of TCP from the namespace of card N to that of card M. The window
# fits into what the wire holds, so a frame that is lost was lost by a model. A segment may be
# sent again without a loss: the clock runs on while a busy machine does not run the guest.
tcp()
{
	settle
	lost_before=$(lost_so_far)
	again=$(($(resent 0) + $(resent 1)))
	in_ns $2 iperf3 -s -1 >/tmp/iperf-server 2>&1 &
	await 'iperf3 to listen' in_ns $2 grep -q ':1451 .* 0A ' /proc/net/tcp6
	in_ns $1 iperf3 -c 10.0.0.$(($2 + 1)) -n $3 -w 256K -f m >/tmp/iperf 2>&1 ||
		fail "iperf3 from $1 to $2: $(cat /tmp/iperf)"
	wait $!
	again=$(($(resent 0) + $(resent 1) - again))
	settle
	await 'all frames to arrive' all_arrived $lost_before
	echo "ok: $3 from card $1 to $2 at $(awk '/receiver/ { print $7, $8 }' /tmp/iperf)," \
		"no frame lost, $again segments sent again"
}

# copy N M: a file of random bytes by TCP; it must arrive as it was.
copy()
{
	[ -e /tmp/data ] || head -c 3000001 /dev/urandom >/tmp/data
	in_ns $2 nc -l -p 7000 -e sh -c 'cat >/tmp/copy' &
	await 'nc to listen' in_ns $2 grep -q ':1B58 .* 0A ' /proc/net/tcp6 /proc/net/tcp
	in_ns $1 nc 10.0.0.$(($2 + 1)) 7000 </tmp/data
	wait $!
	cmp /tmp/data /tmp/copy || fail "a file was changed on its way from $1 to $2"
	echo "ok: a file from $1 to $2"
}

# offloads ethtool-words: for both cards. Some drivers reset the card for it.
offloads()
{
	for n in 0 1; do
		in_ns $n ethtool -K eth$n "$@" >/tmp/ethtool 2>&1 ||
			fail "ethtool -K $*: $(cat /tmp/ethtool)"
	done
	await_link
}

# kernel_is_content: nothing in the log that a user would report
kernel_is_content()
{
	trouble='WARNING|BUG|Call Trace|WATCHDOG|Unit Hang|nobody cared|DMAR:.*fault'
	bad=$(dmesg | grep -E "$trouble" || true)
	[ -z "$bad" ] || fail "the kernel says: $bad"
	# e100 does without its firmware, which is not free.
	bad=$(dmesg | grep 'e100' | grep -iE 'error|fail|invalid|timed? ?out' |
		grep -v 'e100/.*_ucode.bin' || true)
	[ -z "$bad" ] || fail "the driver says: $bad"
}

# finish [VIOLATIONS]: what every script ends with; what the models may have recorded
finish()
{
	down
	kernel_is_content
	for n in 0 1; do
		same "violations of card $n" "${1:-0}" "$(host violations $n)"
	done
}
