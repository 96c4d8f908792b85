#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
"""Cycles of our drivers against DPDK's net_e1000_em, as ratios of interleaved runs.

Usage: ratio.py PERF [DRIVER]... [--sweep]

DRIVER is e1000 or i8255x; none: both.

e1000 is judged as an 82540EM and as an 82574L, where ours uses extended descriptors. An 8255x has
nobody to be compared with: it may cost 60 cycles a packet each way together, and em on an 82540EM
runs beside it, which says how fast the machine is.

Ratios, not times, are judged, and only on huge pages: without them both drivers mostly wait for
the TLB. Root borrows what is missing and gives it back; anybody else needs as many free ones. A
run counts only if the foreign driver agrees with itself within 5 %; a machine too busy for that
gets four more tries.

--sweep judges nothing: it prints the tables of docs/performance.md, for rings of 64 to 4096
descriptors and frames of 64 to 1518 bytes.
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from hugepages import SKIP, huge_pages  # noqa: E402

E1000 = {"plain": 0.45, "full": 0.65, "flags": 0.65, "empty": 1.0, "empty_full": 1.0}
# Chip: driver, limits.
CHIPS = {
    "82540em": ("e1000", E1000),
    "82574l": ("e1000", E1000),
    "8255x": ("i8255x", {"cycles": 60}),
}
TRIES = 5
PAGES = 144
SWEEP_PAGES = 240
RINGS = [64, 128, 256, 512, 1024, 2048, 4096]
SIZES = [64, 128, 256, 512, 1024, 1280, 1518]


def run(program, chip, *args, megabytes=128, quiet=False):
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        subprocess.run([program, "-l", str(min(os.sched_getaffinity(0))), "--no-pci",
                        "--no-telemetry", "--iova-mode=va", "--log-level=4", "--in-memory",
                        "-m", str(megabytes), "--", "--chip", chip,
                        "--json", out.name, *args], check=True,
                       stdout=subprocess.DEVNULL if quiet else None,
                       stderr=subprocess.DEVNULL if quiet else None)
        return json.load(open(out.name))


def agrees(r):
    return abs(r["aa"] - 1) <= 0.05


def judge(program, chip):
    failed = []
    for _ in range(TRIES):
        r = run(program, chip)
        if not agrees(r):
            failed = [f"net_e1000_em against itself: {r['aa']:.3f}"]
            continue
        failed = [f"{k}: {r[k]:.3f}, wanted at most {v:.2f}"
                  for k, v in CHIPS[chip][1].items() if r[k] > v]
        if not failed:
            return 0
    print(f"FAILED on {chip}: " + "; ".join(failed))
    return 1


def sweep(program, chip):
    for what, option, values in (("ring", "--ring", RINGS), ("frame, bytes", "--size", SIZES)):
        print(f"\n{chip}\n\n| {what} | plain | full | full, every packet with offloads |")
        print("|---|---|---|---|")
        for v in values:
            for _ in range(4 * TRIES):
                r = run(program, chip, option, str(v), "--rounds", "1000", megabytes=352,
                        quiet=True)
                if agrees(r):
                    break
            else:
                sys.exit(f"{option} {v}: net_e1000_em against itself: {r['aa']:.3f}")
            print(f"| {v} | {r['plain']:.2f} | {r['full']:.2f} | {r['flags']:.2f} |", flush=True)
    return 0


def main():
    whole = "--sweep" in sys.argv[2:]
    drivers = [a for a in sys.argv[2:] if a != "--sweep"]
    chips = [c for c, row in CHIPS.items() if not drivers or row[0] in drivers]
    need = SWEEP_PAGES if whole else PAGES
    with huge_pages(need) as there:
        if not there:
            print(f"skipped: {need} free huge pages of 2 MiB are absent")
            return SKIP
        work = sweep if whole else judge
        return max(work(sys.argv[1], chip) for chip in chips)


sys.exit(main())
