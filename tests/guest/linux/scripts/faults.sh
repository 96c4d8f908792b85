# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
# timeout: 600
#
# The model's fault switches look to Linux like the faults that they stand for.
. /lib.sh

load
no_ipv6
up
in_log() { dmesg | grep -q "$1"; }
counts() { [ "$(counter 0 $1)" = $2 ]; }
# e100 has two names for an overrun, and looks at the card's counters every two seconds.
case $driver in
e100) missed=rx_fifo_errors corrupt='EEPROM corrupted' ;;
*) missed=rx_missed_errors corrupt='Checksum Is Not Valid' ;;
esac

host fault 0 bad_crc 3
await_link
await 'CRC errors to be counted' counts rx_crc_errors 3
host fault 0 rx_overrun 2
await_link
await 'missed frames to be counted' counts $missed 2

# 82557 (revision 2) goes deaf, until the driver sets up its multicasts anew as it does time and
# again.
[ "$(cat /sys/class/net/eth0/device/revision)" != 0x02 ] || {
	host fault 0 rx_lockup 1
	await_link
	echo 'ok: the receiver is woken from its lock-up'
}

host fault 0 tx_hang 1
# More than the ring holds: with MSI-X e1000e looks for a hang at transmit interrupts only, and
# leaves the rest to Linux, which sees a queue that stays full.
ping -q -c 300 -i 0.002 -W 1 10.0.0.2 >/dev/null 2>&1 || true
await 'Linux to see that the transmitter hangs' \
	in_log 'Detected .* Unit Hang\|transmit queue 0 timed out'
host fault 0 tx_hang 0
await_link

unload
host fault 0 eeprom_corrupt 1
load_modules || fail 'the driver does not load'
in_log "$corrupt" || fail 'a corrupt EEPROM goes unnoticed'
unload
host fault 0 eeprom_corrupt 0
load
same 'address' 52:54:00:70:77:00 "$(cat /sys/class/net/eth0/address)"
up
for n in 0 1; do
	same "violations of card $n" 0 "$(host violations $n)"
done
