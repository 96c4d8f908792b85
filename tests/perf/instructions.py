#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
"""Instructions a packet of our burst functions, counted by callgrind.

Usage: instructions.py PERF [DRIVER]...

DRIVER is e1000 or i8255x; none: both.

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
NO_LIMIT = float("inf")
EM = (NO_LIMIT, NO_LIMIT)
# What is run: a driver, a title, options of EAL and of the program, and what each device's Rx, and
# Tx where it is not the same as in the first run, may cost. em is there to compare.
RUNS = [
    ("e1000", "82540EM", [], [],
     {"em": EM, "plain": (32, 30), "em-full": EM, "full": (45, 75), "em-flags": EM,
      "flags": (45, 105)}),
    ("e1000", "82540EM, one descriptor at a time", ["--force-max-simd-bitwidth=64"], [],
     {"plain": (45,), "full": (70,)}),
    ("e1000", "82574L", [], ["--chip", "82574l"], {"plain": (36,), "full": (48,)}),
    ("e1000", "82574L, one descriptor at a time", ["--force-max-simd-bitwidth=64"],
     ["--chip", "82574l"], {"plain": (48,), "full": (85,)}),
    ("i8255x", "82559; full and flags: 82551", [], ["--chip", "8255x"],
     {"plain": (70, 54), "full": (142, 146), "flags": (142, 180)}),
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


def cost(program, eal, options, device, function):
    with tempfile.TemporaryDirectory() as folder:
        return (count(program, eal, options, device, function, LONG, folder) -
                count(program, eal, options, device, function, SHORT, folder)) / (
                    (LONG - SHORT) * BURST)


def main():
    bad = []
    print(f"instructions a packet, 64-byte frames, burst {BURST}, ring 256")
    for driver, title, eal, options, limits in RUNS:
        if sys.argv[2:] and driver not in sys.argv[2:]:
            continue
        print(f"{title}\n{'':10} {'rx':>8} {'tx':>8}")
        for device, most in limits.items():
            have = [cost(sys.argv[1], eal, options, device, f)
                    for f in ("do_rx", "do_tx")[:len(most)]]
            print(f"{device:10}" + "".join(f" {h:8.1f}" for h in have), flush=True)
            bad += [f"{title}: {device} {what}: {h:.1f}, wanted at most {m}"
                    for what, h, m in zip(("rx", "tx"), have, most) if h > m]
    if bad:
        print("FAILED " + "; ".join(bad))
    return 1 if bad else 0


sys.exit(main())
