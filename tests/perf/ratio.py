#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
"""Cycles of our e1000 driver against DPDK's own, as ratios of interleaved runs.

Usage: ratio.py PERF_E1000

Ratios, not times, are judged, and only on huge pages: without them both drivers mostly wait for
the TLB. Root borrows what is missing and gives it back; anybody else needs 64 free ones. A run
counts only if the foreign driver agrees with itself within 5 %; a machine too busy for that gets
four more tries.
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from hugepages import SKIP, huge_pages  # noqa: E402

LIMITS = {"plain": 0.50, "full": 0.75, "flags": 0.75}
TRIES = 5
PAGES = 96


def run(program):
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        subprocess.run([program, "-l", str(min(os.sched_getaffinity(0))), "--no-pci",
                        "--no-telemetry", "--iova-mode=va", "--log-level=4", "--in-memory",
                        "-m", "128", "--", "--json", out.name], check=True)
        return json.load(open(out.name))


def judge(program):
    failed = []
    for _ in range(TRIES):
        r = run(program)
        if abs(r["aa"] - 1) > 0.05:
            failed = [f"net_e1000_em against itself: {r['aa']:.3f}"]
            continue
        failed = [f"{k}: {r[k]:.3f}, wanted at most {v:.2f}" for k, v in LIMITS.items() if r[k] > v]
        if not failed:
            return 0
    print("FAILED " + "; ".join(failed))
    return 1


def main():
    with huge_pages(PAGES) as there:
        if not there:
            print(f"skipped: {PAGES} free huge pages of 2 MiB are absent")
            return SKIP
        return judge(sys.argv[1])


sys.exit(main())
