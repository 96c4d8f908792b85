#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors

"""Adds up what meson's test logs say and closes with one line.

usage: test-report.py [--pass NAME] [--fail NAME REASON] [LABEL=testlog.json]...
       test-report.py --self-test

Counts single tests: those that a CMocka program, a TAP writer or Python's
unittest reports inside one meson test; a program that reports none is one test.
Exit status 1 if anything failed; a log without a test is a failure too.
"""

import json
import re
import sys

PASS, FAIL, SKIP = 'passed', 'failed', 'skipped'

CMOCKA = re.compile(r'\[( RUN      |       OK |  SKIPPED |  FAILED  )\] (.+)$')
TAP = re.compile(r'(not )?ok\b(?: +\d+)?(?: *-)? *([^#]*?)(?: *# *(SKIP|TODO)\b *(.*))?$', re.I)
TAP_PLAN = re.compile(r'1\.\.(\d+)(?: *# *skip\b *(.*))?$', re.I)
UNITTEST_RAN = re.compile(r'Ran (\d+) tests? in ')
UNITTEST_BAD = re.compile(r'(?:FAIL|ERROR): (\w+)')
UNITTEST_SKIP = re.compile(r'(\w+) \(.*skipped [\'"](.*)[\'"]$')
CAUSE = re.compile(r'^(SUMMARY: .*|.*: runtime error: .*|EAL: Error.*)$', re.M)


def cmocka_results(out):
    """A test is what follows its RUN line; without a verdict it crashed."""
    results, running, before = [], None, ''
    for line in out.splitlines():
        match = CMOCKA.search(line)
        if not match:
            before = line.strip()
            continue
        mark, name = match.group(1).strip(), match.group(2)
        if mark == 'RUN':
            if running:
                results.append((running, FAIL, 'no verdict'))
            running, before = name, ''
        elif running == name:
            verdict = {'OK': PASS, 'SKIPPED': SKIP, 'FAILED': FAIL}[mark]
            results.append((name, verdict, before if verdict == SKIP else ''))
            running = None
    if running:
        results.append((running, FAIL, 'no verdict'))
    return results


def tap_results(out):
    """TAP lines; CMocka writes a skip as 'not ok N # SKIP name'."""
    results, plan, skip_all = [], None, None
    for line in out.splitlines():
        match = TAP_PLAN.match(line)
        if match:
            plan, skip_all = int(match.group(1)), match.group(2)
            continue
        match = TAP.match(line)
        if not match:
            continue
        name = match.group(2) or match.group(4) or 'unnamed'
        directive = (match.group(3) or '').upper()
        if directive == 'SKIP':
            results.append((name, SKIP, match.group(4)))
        elif match.group(1) and directive != 'TODO':
            results.append((name, FAIL, ''))
        else:
            results.append((name, PASS, ''))
    if plan is None:
        return []
    if plan == 0 and skip_all:
        return [('all', SKIP, skip_all)]
    if len(results) < plan:
        results.append(('plan', FAIL, f'{len(results)} of {plan} tests reported'))
    return results


def unittest_results(out):
    ran = UNITTEST_RAN.search(out)
    if not ran:
        return []
    results = []
    for line in out.splitlines():
        bad, skip = UNITTEST_BAD.match(line), UNITTEST_SKIP.match(line)
        if bad:
            results.append((bad.group(1), FAIL, ''))
        elif skip:
            results.append((skip.group(1), SKIP, skip.group(2)))
    return results + [('', PASS, '')] * (int(ran.group(1)) - len(results))


def last_line(out):
    lines = [line.strip() for line in out.splitlines() if line.strip()]
    return lines[-1] if lines else ''


def verdicts(test):
    """The (name, verdict, reason) of each single test in one meson test."""
    out, err = test.get('stdout') or '', test.get('stderr') or ''
    name = test['name'].split(' / ')[-1]
    inner = cmocka_results(out) or tap_results(out) or unittest_results(err)
    found = [(f'{name}: {inner_name}', verdict, why) for inner_name, verdict, why in inner]

    result = test['result']
    if result in ('OK', 'EXPECTEDFAIL'):
        return found or [(name, PASS, '')]
    if result == 'SKIP':
        if any(verdict != PASS for _, verdict, _ in found):
            return found
        return found + [(name, SKIP, last_line(out) or last_line(err) or 'no reason given')]
    if not any(verdict == FAIL for _, verdict, _ in found):
        cause = CAUSE.search(err) or CAUSE.search(out)
        why = cause.group(1) if cause else f'{result.lower()}, status {test.get("returncode")}'
        found.append((name, FAIL, why))
    return found


def read_log(label, path):
    """All verdicts of a log; a log that is missing or empty is a failure."""
    found = []
    try:
        with open(path, encoding='utf-8') as log:
            for line in log:
                found += verdicts(json.loads(line))
    except (OSError, ValueError, KeyError) as error:
        found.append(('test log', FAIL, str(error)))
    if not found:
        found.append(('test log', FAIL, 'no test ran'))
    return [(f'{label}: {name}', verdict, why) for name, verdict, why in found]


def report(found):
    """The text to print."""
    lines = []
    for kind in (SKIP, FAIL):
        listed = [(name, why) for name, verdict, why in found if verdict == kind]
        if listed:
            lines.append(f'{kind}:')
        lines += [f'  {name}' + (f' ({why})' if why else '') for name, why in listed]
    count = {kind: sum(verdict == kind for _, verdict, _ in found) for kind in (PASS, FAIL, SKIP)}
    lines.append(', '.join(f'{count[kind]} {kind}' for kind in (PASS, FAIL, SKIP)))
    return '\n'.join(lines), count[FAIL] == 0


def test_entry(result, out='', err='', name='pollwire:unit / ring'):
    return {'name': name, 'result': result, 'stdout': out, 'stderr': err, 'returncode': 1}


def self_test():
    """Outputs as CMocka 1.1, TAP and unittest write them, against the counts they mean."""
    run, okay = '[ RUN      ] ', '[       OK ] '
    cases = [
        # what, meson test, (passed, failed, skipped), text that must be named
        ('plain', test_entry('OK'), (1, 0, 0), ''),
        ('plain failure', test_entry('FAIL'), (0, 1, 0), 'ring (fail, status 1)'),
        ('time-out', test_entry('TIMEOUT'), (0, 1, 0), 'timeout'),
        ('exit 77', test_entry('SKIP', 'no hugepages\n'), (0, 0, 1), 'ring (no hugepages)'),
        ('cmocka', test_entry('OK', f'{run}a\n{okay}a\n{run}b\nnoise {okay}b\n'), (2, 0, 0), ''),
        ('cmocka failure', test_entry('FAIL', f'{run}a\n{okay}a\n{run}b\n[  FAILED  ] b\n',
         '[  FAILED  ] 1 test(s), listed below:\n[  FAILED  ] b\n'), (1, 1, 0), 'ring: b'),
        ('cmocka crash', test_entry('FAIL', f'{run}a\n{okay}a\n{run}b\n'), (1, 1, 0), 'ring: b'),
        ('cmocka skip', test_entry('OK', f'{run}a\nno root\n[  SKIPPED ] a\n{run}b\n{okay}b\n'),
         (1, 0, 1), 'ring: a (no root)'),
        ('leak', test_entry('FAIL', f'{run}a\n{okay}a\n', 'x\nSUMMARY: AddressSanitizer: 8 byte\n'),
         (1, 1, 0), 'SUMMARY: AddressSanitizer'),
        ('failed setup', test_entry('FAIL', '[  FAILED  ] GROUP SETUP\n'), (0, 1, 0), 'ring ('),
        ('tap', test_entry('FAIL', '1..3\nok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP no tshark\n'),
         (1, 1, 1), 'ring: c (no tshark)'),
        ('tap cut short', test_entry('ERROR', '1..3\nok 1 - a\n'), (1, 1, 0), '1 of 3'),
        ('tap skip all', test_entry('SKIP', '1..0 # SKIP no qemu\n'), (0, 0, 1), 'no qemu'),
        ('unittest', test_entry('FAIL', '', "test_b (x.T.test_b) ... skipped 'no foo'\n"
         'FAIL: test_c (x.T.test_c)\nRan 3 tests in 0.0s\n'), (1, 1, 1), 'ring: test_b (no foo)'),
        ('unittest green, run red', test_entry('FAIL', '', 'Ran 2 tests in 0.0s\n\nOK\n'),
         (2, 1, 0), 'ring ('),
    ]
    wrong = 0
    for what, entry, expected, text in cases:
        found = verdicts(entry)
        count = tuple(sum(v == kind for _, v, _ in found) for kind in (PASS, FAIL, SKIP))
        said, good = report(found)
        if count != expected or text not in said or good != (expected[1] == 0):
            print(f'{what}: counted {count}, expected {expected}, said:\n{said}')
            wrong += 1
    missing = read_log('x', '/nonexistent/testlog.json')
    if [verdict for _, verdict, _ in missing] != [FAIL]:
        print('a missing log is not a failure')
        wrong += 1
    return wrong == 0


def main(args):
    if args == ['--self-test']:
        return 0 if self_test() else 1
    found = []
    while args:
        if args[0] == '--pass':
            found.append((args[1], PASS, ''))
            args = args[2:]
        elif args[0] == '--fail':
            found.append((args[1], FAIL, args[2]))
            args = args[3:]
        else:
            found += read_log(*args[0].split('=', 1))
            args = args[1:]
    text, good = report(found)
    print(text)
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
