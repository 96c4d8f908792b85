# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
# timeout: 600
#
# The model's fault switches look to Linux like the faults that they stand for.
. /lib.sh

load
# Nothing on the wire but what is asked for
for n in 0 1; do
	in_ns $n sh -c 'echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6
		echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6'
done
up
in_log() { dmesg | grep -q "$1"; }

host fault 0 bad_crc 3
await_link
same 'CRC errors' 3 "$(counter 0 rx_crc_errors)"
host fault 0 rx_overrun 2
await_link
same 'missed frames' 2 "$(counter 0 rx_missed_errors)"

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
in_log 'Checksum Is Not Valid' || fail 'a corrupt EEPROM goes unnoticed'
unload
host fault 0 eeprom_corrupt 0
load
same 'address' 52:54:00:70:77:00 "$(cat /sys/class/net/eth0/address)"
up
for n in 0 1; do
	same "violations of card $n" 0 "$(host violations $n)"
done
