#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors

"""Turns what the conformance tests prove into the feature matrix.

usage: feature-matrix.py (--write|--check) FILE --chips CHIP... --programs PROGRAM...
       feature-matrix.py --self-test

Runs every program on every chip; each writes what it proved as JSON. A cell is Y if all
parts of a feature work, P if some do, - if none is offered (and each was refused when
asked for). --write makes FILE of it; --check fails unless FILE says just that, so that no
cell can claim what was not proven, nor keep back what was. --json DIR keeps one
CHIP.json a chip. Exit status 1 on any difference, failed test or unjudged feature.
"""

import argparse
import difflib
import json
import os
import subprocess
import sys
import tempfile

# Names and order of the first section of DPDK's doc/guides/nics/features/default.ini. Left
# out is what no test of a port can judge (systems, processors, documents), and SR-IOV.
FEATURES = [
    'Speed capabilities', 'Link status', 'Link status event', 'Removal event',
    'Rx interrupt', 'Lock-free Tx queue', 'Fast mbuf free', 'Free Tx mbuf on demand',
    'Queue start/stop', 'Runtime Rx queue setup', 'Runtime Tx queue setup',
    'Shared Rx queue', 'Burst mode info', 'Power mgmt address monitor', 'MTU update',
    'Buffer split on Rx', 'Scattered Rx', 'LRO', 'TSO', 'Promiscuous mode',
    'Allmulticast mode', 'Unicast MAC filter', 'Multicast MAC filter', 'RSS hash',
    'RSS key update', 'RSS reta update', 'Inner RSS', 'VMDq', 'DCB', 'VLAN filter',
    'Flow control', 'Rate limitation', 'Congestion management', 'Inline crypto',
    'CRC offload', 'VLAN offload', 'QinQ offload', 'FEC', 'IP reassembly',
    'L3 checksum offload', 'L4 checksum offload', 'Timestamp offload', 'MACsec offload',
    'Inner L3 checksum', 'Inner L4 checksum', 'Packet type parsing', 'Timesync',
    'Rx descriptor status', 'Tx descriptor status', 'Basic stats', 'Extended stats',
    'Stats per queue', 'FW version', 'EEPROM dump', 'Module EEPROM dump',
    'Registers dump', 'LED',
]

HEAD = '''\
# Feature matrix

Made by `tools/feature-matrix.py` from what `tests/conformance` proved on each chip's model; a
test compares it with what the tests prove today. Do not edit it: `meson compile features` makes
it anew. The features are those of DPDK's own matrix.

Y: works, proven. P: some of it works (below). -: not offered, and refused when asked for.

'''


class Failure(Exception):
    """One line for the user."""


def merge(chip, proofs):
    """The features of a chip from the JSON of all its programs."""
    features = {}
    for proof in proofs:
        for name, parts in proof['features'].items():
            if name not in FEATURES:
                raise Failure(f'{chip}: "{name}" is no feature of DPDK\'s list')
            known = features.setdefault(name, {})
            for part, works in parts.items():
                if known.setdefault(part, works) != works:
                    raise Failure(f'{chip}: {name}: {part}: two tests contradict each other')
    missing = [name for name in FEATURES if name not in features]
    if missing:
        raise Failure(f'{chip}: no test judged: {", ".join(missing)}')
    return features


def verdict(parts):
    works = set(parts.values())
    return 'partial' if len(works) == 2 else 'yes' if True in works else 'no'


def render(chips):
    """The page for {chip: features}."""
    names = list(chips)
    sign = {'yes': 'Y', 'partial': 'P', 'no': '-'}
    lines = ['| Feature | ' + ' | '.join(names) + ' |', '|---' * (len(names) + 1) + '|']
    notes = []
    for feature in FEATURES:
        row = [verdict(chips[chip][feature]) for chip in names]
        lines.append(f'| {feature} | ' + ' | '.join(sign[cell] for cell in row) + ' |')
        for chip, cell in zip(names, row):
            if cell == 'partial':
                parts = chips[chip][feature]
                has = ', '.join(sorted(part for part in parts if parts[part]))
                lacks = ', '.join(sorted(part for part in parts if not parts[part]))
                notes.append(f'- {feature}, {chip}: {has}; not {lacks}')
    if notes:
        lines += ['', '## Partial', *notes]
    return HEAD + '\n'.join(lines) + '\n'


def expect_all_chips(chips, program):
    """A chip that has a model is a chip to be judged."""
    run = subprocess.run([program, '--chips'], stdout=subprocess.PIPE, text=True, check=True)
    missing = [chip for chip in run.stdout.split() if chip not in chips]
    if missing:
        raise Failure(f'not judged: {", ".join(missing)}: add a line to conformance_chips in '
                      'tests/conformance/meson.build')


def prove(chip, programs, folder):
    """Run all programs on a chip. What failed has proved nothing."""
    proofs = []
    for program in programs:
        before = set(os.listdir(folder))
        run = subprocess.run([program, chip, folder], stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True, check=False)
        if run.returncode != 0:
            sys.stderr.write(run.stderr)
            raise Failure(f'{chip}: {os.path.basename(program)}: failed, so proved nothing')
        for name in set(os.listdir(folder)) - before:
            with open(os.path.join(folder, name), encoding='utf-8') as proof:
                proofs.append(json.load(proof))
    return merge(chip, proofs)


def write_json(folder, chips):
    os.makedirs(folder, exist_ok=True)
    for chip, features in chips.items():
        doc = {'chip': chip, 'features': {name: {'verdict': verdict(features[name]),
                                                 'parts': features[name]}
                                          for name in FEATURES}}
        with open(os.path.join(folder, chip + '.json'), 'w', encoding='utf-8') as out:
            json.dump(doc, out, indent=1)
            out.write('\n')


def check(path, page):
    try:
        with open(path, encoding='utf-8') as committed:
            old = committed.read()
    except OSError as error:
        raise Failure(f'{path}: {error.strerror}') from error
    diff = difflib.unified_diff(old.splitlines(), page.splitlines(), path, 'proven', lineterm='')
    text = '\n'.join(diff)
    if text or old != page:
        print(text)
        raise Failure(f'{path} does not say what the tests prove: run "meson compile features" '
                      'and commit it')


def self_test():
    full = {name: {'x': False} for name in FEATURES}
    rows = [
        ({'x': True, 'y': True}, 'Y', None),
        ({'x': False, 'y': False}, '-', None),
        ({'rx': True, 'tx': False}, 'P', '- TSO, chip: rx; not tx'),
    ]
    for parts, sign, note in rows:
        page = render({'chip': merge('chip', [{'features': full | {'TSO': parts}}])})
        assert f'| TSO | {sign} |' in page, page
        assert (note or '') in page and ('## Partial' in page) == (note is not None), page
    bad = [
        ([{'features': full | {'Teleport': {'x': True}}}], 'is no feature'),
        ([{'features': {'TSO': {'x': True}}}], 'no test judged: Speed capabilities'),
        ([{'features': full}, {'features': {'TSO': {'x': True}}}], 'contradict'),
    ]
    for proofs, text in bad:
        try:
            merge('chip', proofs)
        except Failure as failure:
            assert text in str(failure), failure
        else:
            raise AssertionError(text)
    return 0


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument('--self-test', action='store_true')
    parser.add_argument('--write', metavar='FILE')
    parser.add_argument('--check', metavar='FILE')
    parser.add_argument('--json', metavar='DIR')
    parser.add_argument('--chips', nargs='+', default=[])
    parser.add_argument('--programs', nargs='+', default=[])
    args = parser.parse_args()
    if args.self_test:
        return self_test()
    if not args.chips or not args.programs or bool(args.write) == bool(args.check):
        parser.error('chips, programs, and one of --write and --check are needed')
    try:
        chips = {}
        expect_all_chips(args.chips, args.programs[0])
        for chip in args.chips:
            with tempfile.TemporaryDirectory() as folder:
                chips[chip] = prove(chip, args.programs, folder)
        if args.json:
            write_json(args.json, chips)
        if args.check:
            check(args.check, render(chips))
        else:
            with open(args.write, 'w', encoding='utf-8') as out:
                out.write(render(chips))
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
