# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
# devices: e1000e,addr=3.0 | e1000e,addr=4.0
# testpmd: yes
#
# From the slot to packets, in the words of docs/getting-started.md.
. /lib.sh

A=0000:00:03.0 B=0000:00:04.0
try 3 selftest $A
holds 'not before it is bound' "first: pollwire-bind bind $A"
try 5 doctor
try 0 doctor --fix
try 0 bind $A $B
# One card by itself, looped back inside.
try 0 selftest $A
holds 'EEPROM' "$A: EEPROM: ok, "
holds 'registers' "$A: registers: ok, "
holds 'link' "$A: link: ok, 1000 Mbit/s, full duplex"
holds 'loopback' "$A: loopback: ok, 64 of 64 packets"
# What the first run has left in the card is no hindrance.
try 0 selftest $A
holds 'loopback once more' "$A: loopback: ok, 64 of 64 packets"
# QEMU's hub is the cable.
try 0 selftest $A $B
holds 'packets' "$A: there: ok, 64 of 64 packets"
holds 'packets' "$B: back: ok, 64 of 64 packets"
try 0 restore $A $B
same 'restored' 'e1000e e1000e' "$(driver $A) $(driver $B)"
clean
