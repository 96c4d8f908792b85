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
# Instructions a packet, rx and tx: what ours may cost. em is printed beside it.
LIMITS = {"plain": (32, 30), "full": (45, 75), "flags": (45, 105)}
SCALAR_LIMITS = {"plain": (45, 30), "full": (80, 75)}
DEVICES = ["em", "plain", "em-full", "full", "em-flags", "flags"]
# What is run: a title, options of EAL and of the program, devices and their limits.
RUNS = [
    ("82540EM", [], [], DEVICES, LIMITS),
    ("82540EM, one descriptor at a time", ["--force-max-simd-bitwidth=64"], [],
     ["plain", "full"], SCALAR_LIMITS),
    ("82574L", [], ["--chip", "82574l"], DEVICES, LIMITS),
    ("82574L, one descriptor at a time", ["--force-max-simd-bitwidth=64"],
     ["--chip", "82574l"], ["plain", "full"], SCALAR_LIMITS),
]


def count(program, eal, options, device, function, bursts, folder):
    out = os.path.join(folder, "callgrind.out")
    cmd = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}",
           "--collect-atstart=no", f"--toggle-collect={function}",
           program, "-l", "0", "--no-pci", "--no-telemetry", "--no-huge", "--no-shconf",
           "--iova-mode=va", "-m", "64", "--log-level=4", *eal,
           "--", *options, "--only", device, "--bursts", str(bursts)]
    p = subprocess.run(cmd, capture_output=True, text=True, check=False)
    if p.returncode != 0:
        sys.exit(f"{' '.join(cmd)} failed:\n{p.stdout}{p.stderr}")
    return int(re.search(r"^(?:summary|totals): (\d+)", open(out).read(), re.M).group(1))


def cost(program, eal, options, device):
    with tempfile.TemporaryDirectory() as folder:
        return [(count(program, eal, options, device, f, LONG, folder) -
                 count(program, eal, options, device, f, SHORT, folder)) / ((LONG - SHORT) * BURST)
                for f in ("do_rx", "do_tx")]


def main():
    bad = []
    print(f"instructions a packet, 64-byte frames, burst {BURST}, ring 256")
    for title, eal, options, devices, limits in RUNS:
        print(f"{title}\n{'':10} {'rx':>8} {'tx':>8}")
        for device in devices:
            rx, tx = cost(sys.argv[1], eal, options, device)
            print(f"{device:10} {rx:8.1f} {tx:8.1f}", flush=True)
            for what, have, most in zip(("rx", "tx"), (rx, tx), limits.get(device, ())):
                if have > most:
                    bad.append(f"{title}: {device} {what}: {have:.1f}, wanted at most {most}")
    if bad:
        print("FAILED " + "; ".join(bad))
    return 1 if bad else 0


sys.exit(main())
