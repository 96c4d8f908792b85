# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
# memory: private
#
# Without share=on the driver loads, but the model does not see what it writes: the server
# tells the user so.
. /lib.sh

load
ip link set eth0 up
ip link set eth1 up
for n in 0 1; do
	host said $n share=on
done
echo 'ok: the user is told'
