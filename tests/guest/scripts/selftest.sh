# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
#
# The cards test themselves at each attach: as the last reset left them, and as a driver did that
# had them running. QEMU's reset leaves more behind than silicon's.
. /lib.sh

EAL=$(echo "$EAL" | sed 's/-a [^ ]*/&,selftest=1/g')
for attach in 1 2; do
	testpmd_start --
	testpmd 'start'
	host flow 0 1
	testpmd_stop
	echo "ok: attach $attach"
done
