# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
# memory: private
#
# Without share=on the driver loads, but the model does not see what it writes: the server
# tells the user so.
. /lib.sh

load
# e100 has the card test itself and sees that the result does not come.
for n in 0 1; do
	ip link set eth$n up || [ $driver = e100 ] || fail "ip link set eth$n up"
done
for n in 0 1; do
	host said $n share=on
done
echo 'ok: the user is told'
