#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
"""Huge pages for a test: those that are free, or borrowed by root and given back.

Usage: hugepages.py PAGES COMMAND...

Exits as the command does, or with 77 (skipped) where there are none to be had.
"""
import contextlib
import fcntl
import subprocess
import sys

SYSFS = "/sys/kernel/mm/hugepages/hugepages-2048kB/"
SKIP = 77


def pages(name):
    with open(SYSFS + name) as f:
        return int(f.read())


def resize(difference):
    """Change the pool's size; two tests may do so at once."""
    with open(SYSFS + "nr_hugepages", "r+") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        total = int(f.read()) + difference
        f.seek(0)
        f.write(str(total))


@contextlib.contextmanager
def huge_pages(wanted):
    """Yields whether `wanted` huge pages of 2 MiB are free for us."""
    try:
        missing = wanted - pages("free_hugepages")
        if missing > 0:
            resize(missing)
    except OSError:
        yield False
        return
    try:
        yield pages("free_hugepages") >= wanted
    finally:
        if missing > 0:
            resize(-missing)


def main():
    wanted = int(sys.argv[1])
    with huge_pages(wanted) as there:
        if there:
            return subprocess.run(sys.argv[2:], check=False).returncode
    print(f"SKIP: {wanted} free huge pages of 2 MiB are absent")
    return SKIP


if __name__ == "__main__":
    sys.exit(main())
