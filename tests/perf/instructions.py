#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
"""Instructions a packet of the e1000 burst functions, counted by callgrind.

Usage: instructions.py PERF_E1000

Counts do_rx and do_tx over two runs of different length; the difference is the steady state,
repeatable to the instruction.
"""
import os
import re
import subprocess
import sys
import tempfile

BURST = 32
SHORT, LONG = 200, 600
# Instructions a packet, rx and tx: what the plain path may cost. em is printed beside it.
LIMITS = {"plain": (45, 30), "full": (70, 75), "flags": (70, 105)}
DEVICES = ["em", "plain", "em-full", "full", "em-flags", "flags"]


def count(program, device, function, bursts, folder):
    out = os.path.join(folder, "callgrind.out")
    cmd = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}",
           "--collect-atstart=no", f"--toggle-collect={function}",
           program, "-l", "0", "--no-pci", "--no-telemetry", "--no-huge", "--no-shconf",
           "--iova-mode=va", "-m", "64", "--log-level=4",
           "--", "--only", device, "--bursts", str(bursts)]
    p = subprocess.run(cmd, capture_output=True, text=True, check=False)
    if p.returncode != 0:
        sys.exit(f"{' '.join(cmd)} failed:\n{p.stdout}{p.stderr}")
    return int(re.search(r"^(?:summary|totals): (\d+)", open(out).read(), re.M).group(1))


def main():
    bad = []
    print(f"instructions a packet, 64-byte frames, burst {BURST}, ring 256")
    print(f"{'':10} {'rx':>8} {'tx':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for device in DEVICES:
            cost = [(count(sys.argv[1], device, f, LONG, folder) -
                     count(sys.argv[1], device, f, SHORT, folder)) / ((LONG - SHORT) * BURST)
                    for f in ("do_rx", "do_tx")]
            print(f"{device:10} {cost[0]:8.1f} {cost[1]:8.1f}", flush=True)
            for what, have, most in zip(("rx", "tx"), cost, LIMITS.get(device, ())):
                if have > most:
                    bad.append(f"{device} {what}: {have:.1f}, wanted at most {most}")
    if bad:
        print("FAILED " + "; ".join(bad))
    return 1 if bad else 0


sys.exit(main())
