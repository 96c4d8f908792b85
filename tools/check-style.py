#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors

"""Checks what of the house style a machine can judge.

usage: check-style.py [ROOT]
       check-style.py --self-test

An offence is one line, PATH:LINE: what is wrong; exit status 1 if there is any.
Every source file: licence and copyright lines, 100 columns, no trailing blanks, no
path or host of somebody's machine. C: no // comments, no struct typedefs, in lib,
drivers and apps no function over 80 lines, in lib and drivers no output, exit, abort
or wait of its own. Tests: no sleep, but the step of a bounded poll that says so in a
comment on its line ("poll").
"""

import os
import re
import sys

from sources import blank, read_tree, without_comments

MAX_COLUMNS = 100
MAX_FUNCTION = 80

LICENCE = 'SPDX-License-Identifier: BSD-3-Clause'
COPYRIGHT = 'Copyright(c) 2026 pollwire authors'

SOURCE = ('.c', '.h', '.py', '.sh', '.map', '.in', '.scd', '.yml', '.yaml',
          'meson.build', 'meson_options.txt')
PROSE = ('.md', '.json', 'LICENSE')

# Written so that this file does not offend by itself.
MACHINE = re.compile(
    r'(?<![\w.$}])/(?:home|root|work|Users)/\w|\b(?:deb|snapshot|security)[.]debian[.]org|'
    r'\bregistry[.]npmjs[.]org')

# A fixed name that another user may have taken; mktemp and mkstemp make a free one. In a guest
# all of the file system is the test's own.
FIXED_TEMPORARY = re.compile(r'(?<![\w.$}])/tmp/(?![\w.-]*XXXXXX)\w')
GUEST = ('tests/guest/inside/', 'tests/guest/scripts/', 'tests/guest/linux/lib.sh',
         'tests/guest/linux/scripts/')

# In lib and drivers: errors are return values and log lines, waits are rte_delay_*.
LIBRARY_BANS = [
    (re.compile(r'\b(?:v?printf|puts|putchar|perror)\s*\('), 'prints'),
    (re.compile(r'\bfprintf\s*\(\s*std(?:out|err)\b|\bfput[cs]\s*\([^;]*\bstd(?:out|err)\b'),
     'prints'),
    (re.compile(r'\b(?:_?exit|_Exit|quick_exit|abort|rte_exit)\s*\('), 'ends the program'),
    (re.compile(r'\b(?:rte_panic|RTE_VERIFY|assert)\s*\('), 'aborts the program'),
    (re.compile(r'\b(?:u|nano|clock_nano)?sleep\s*\('), 'sleeps: wait through rte_delay_*()'),
]

# Where the step of a bounded poll may sleep: tests, and models, which know no rte_delay_*.
POLLERS = ('tests/', 'lib/model/')
POLL = re.compile(r'(?:/\*|#).*\bpoll\b')
SLEEP = {
    # A name in column 0 is a definition: a test that takes a delay function over.
    'c': re.compile(r'(?<=.)\b(?:rte_delay_us_sleep|(?:u|nano|clock_nano)?sleep)\s*\('),
    'py': re.compile(r'\bsleep\s*\('),
    'sh': re.compile(r'(?:^|[;&|({`]|\b(?:do|then|else|while|until)\b)\s*u?sleep\s'),
}


def language(path, text):
    """'c', 'py' or 'sh', or '' for other files."""
    if path.endswith(('.c', '.h')):
        return 'c'
    first = text.split('\n', 1)[0]
    if path.endswith('.py') or re.match(r'#!.*python', first):
        return 'py'
    if path.endswith('.sh') or re.match(r'#!.*\b(ba|da)?sh\b', first):
        return 'sh'
    return ''


def is_source(path, text):
    return path.endswith(SOURCE) or text.startswith('#!')


def columns(line):
    return len(line.expandtabs(8))


def check_head(text):
    """The licence in the first line or two, after #! if there is one."""
    lines = text.split('\n')
    # A manual page has to begin with its title.
    if lines[0].startswith('#!') or re.match(r'[\w.-]+\(\d\)$', lines[0]):
        lines = lines[1:]
    if not any(LICENCE in line for line in lines[:2]):
        yield 1, f'no "{LICENCE}" in the first two lines'
    elif not any(COPYRIGHT in line for line in lines[:3]):
        yield 2, f'no "{COPYRIGHT}" below the licence line'


def check_lines(path, text):
    prose = path.endswith(PROSE)
    lines = text.split('\n')
    for number, line in enumerate(lines, 1):
        if not prose and line != line.rstrip():
            yield number, 'blanks at the end of the line'
        if not prose and columns(line) > MAX_COLUMNS and '://' not in line:
            yield number, f'{columns(line)} columns, {MAX_COLUMNS} at most'
        machine = MACHINE.search(line)
        if machine:
            yield number, f'a path or host of one machine: {machine.group(0)}'
        if not prose and not path.startswith(GUEST) and FIXED_TEMPORARY.search(line):
            yield number, 'a fixed name in /tmp: use mktemp'
    if text and lines[-1] != '':
        yield len(lines), 'no newline at the end of the file'


def check_functions(code):
    """Bodies from { to } in the first column."""
    start, above = None, ''
    for number, line in enumerate(code.split('\n'), 1):
        if line.startswith('{'):
            start, name = number, re.search(r'(\w+)\s*\(', above)
            name = name.group(1) if name else '?'
            above = ''
        elif line.startswith('}'):
            if start and number - start - 1 > MAX_FUNCTION:
                yield start, f'{name}() has {number - start - 1} lines, {MAX_FUNCTION} at most'
            start, above = None, ''
        elif start is None:
            above = line if re.match(r'\w+\s*\(', line) else above


def check_c(path, text):
    code = without_comments(text, strings=False)
    bans = []
    if path.startswith(('lib/', 'drivers/')):
        bans += LIBRARY_BANS
    if path.startswith('tests/'):
        bans.append((SLEEP['c'], 'sleeps: wait for the event instead'))
    bans.append((re.compile(r'\btypedef\s+(?:struct|union)\b'), 'typedef of a struct'))
    written = text.split('\n')
    for number, line in enumerate(code.split('\n'), 1):
        for pattern, what in bans:
            match = pattern.search(line)
            polls = path.startswith(POLLERS) and POLL.search(written[number - 1])
            if match and not (polls and 'sleeps' in what):
                yield number, f'{what} ({match.group(0).strip("( ")})'
    without_blocks = re.sub(r'/\*.*?\*/', lambda m: blank(m.group(0)), text, flags=re.S)
    for number, line in enumerate(without_blocks.split('\n'), 1):
        if re.match(r'\s*//', line):
            yield number, '// comment: /* */ is the style'
    if path.startswith(('lib/', 'drivers/', 'apps/')):
        yield from check_functions(code)


def check_script(text, kind):
    for number, line in enumerate(text.split('\n'), 1):
        if SLEEP[kind].search(re.sub(r'(^|\s)#.*', '', line)) and not POLL.search(line):
            yield number, 'sleeps: wait for the event instead'


def check_file(path, text):
    kind = language(path, text)
    if is_source(path, text):
        yield from check_head(text)
    yield from check_lines(path, text)
    if kind == 'c':
        yield from check_c(path, text)
    elif kind and path.startswith('tests/'):
        yield from check_script(text, kind)


def offences(texts):
    return [f'{path}:{line}: {what}'
            for path, text in texts.items() for line, what in check_file(path, text)]


C_HEAD = f'/* {LICENCE}\n * {COPYRIGHT}\n */\n'
SH_HEAD = f'#!/bin/sh\n# {LICENCE}\n# {COPYRIGHT}\n'


def function(lines):
    return 'static int\nlong_one(int a)\n{\n' + '\ta++;\n' * (lines - 1) + '\treturn a;\n}\n'


def self_test():
    """Clean texts, then one planted offence each."""
    clean = {
        'lib/nic/a.c': C_HEAD + function(MAX_FUNCTION) +
                       '/* printf() and sleep(1) */\nstatic_assert(1, "exit(1)");\n'
                       'int n = snprintf(b, 4, "abort()"); char *u = "a//b";\n'
                       '\trte_delay_us(1); /* a // b */\n',
        'apps/gen/main.c': C_HEAD + '\tprintf("%d", 1);\n\texit(1);\n',
        'tests/unit/a.sh': SH_HEAD + '# sleep 1\necho "no sleep here"\ncat "$dir/tmp/x"\n',
        'tests/unit/a.py': '\n'.join(SH_HEAD.split('\n')[1:]) +
                           '# time.sleep(1)\nsleep(0.01)  # poll\n',
        'tests/unit/a.c': C_HEAD + '\tusleep(10); /* one step of the poll */\n'
                          'void\nrte_delay_us_sleep(unsigned int us)\n{\n\tstep(us);\n}\n',
        'lib/model/a.c': C_HEAD + '\tnanosleep(&t, NULL); /* a step of the poll */\n'
                         '\tstrcpy(s, "/tm' 'p/x-XXXXXX");\n',
        'meson.build': '\n'.join(SH_HEAD.split('\n')[1:]) + 'x = 1\n',
        'README.md': 'Text' + ' x' * 80 + '\n',
        'tools/x': SH_HEAD,
        'docs/man/x.1.scd': f'x-y(1)\n\n; {LICENCE}\n; {COPYRIGHT}\n',
        'tests/guest/linux/scripts/x.sh': SH_HEAD + 'cat /tm' + 'p/x\n',
    }
    planted = [
        ('lib/nic/a.c', C_HEAD + function(MAX_FUNCTION + 1), 'long_one() has 81 lines'),
        ('drivers/net/x/x.c', C_HEAD + function(200), 'has 200 lines'),
        ('apps/gen/x.c', C_HEAD + function(81), 'has 81 lines'),
        ('lib/nic/a.c', '/* Copyright */\n', 'SPDX'),
        ('lib/nic/a.c', f'\n\n/* {LICENCE} */\n', 'SPDX'),
        ('lib/nic/a.c', f'/* {LICENCE} */\n', 'Copyright'),
        ('lib/meson.build', 'x = 1\n', 'SPDX'),
        ('tools/x', '#!/bin/sh\ntrue\n', 'SPDX'),
        ('docs/man/x.1.scd', 'x-y(1)\n\n# NAME\n', 'SPDX'),
        ('tests/guest/linux/model.py', SH_HEAD + 'cat /tm' + 'p/x\n', 'mktemp'),
        ('tests/unit/a.c', C_HEAD + '\tsleep(1);\n', 'sleeps'),
        ('lib/model/a.c', C_HEAD + '\tnanosleep(&t, NULL);\n', 'sleeps'),
        ('lib/nic/a.c', C_HEAD + '\tusleep(1); /* poll */\n', 'sleeps'),
        ('tests/unit/a.c', C_HEAD + '\trte_delay_us_sleep(10);\n', 'sleeps'),
        ('tests/unit/a.py', SH_HEAD + 'time.sleep(1)\n', 'sleeps'),
        ('tests/unit/a.sh', SH_HEAD + 'while true; do sleep 1; done\n', 'sleeps'),
        ('tests/unit/run', SH_HEAD + 'sleep 1\n', 'sleeps'),
        ('lib/nic/a.c', C_HEAD + '\tint a; \n', 'blanks'),
        ('lib/nic/a.c', C_HEAD + '\tint a;\r\n', 'blanks'),
        ('lib/nic/a.c', C_HEAD + 'int a;', 'newline'),
        ('lib/nic/a.c', C_HEAD + '// text\n', '// comment'),
        ('lib/nic/a.h', C_HEAD + 'typedef struct a {\n', 'typedef'),
        ('lib/nic/a.c', C_HEAD + '\t' * 12 + 'x = 1;\n', '102 columns'),
        ('README.md', 'see /hom' + 'e/me/x\n', 'machine'),
        ('tools/x', SH_HEAD + 'cd /tm' + 'p/x\n', 'mktemp'),
        ('tools/x', SH_HEAD + 'wget http://deb' + '.debian.org/x\n', 'machine'),
    ]
    for call in ('printf("x")', 'puts(s)', 'fprintf(stderr, "x")', 'exit(1)', 'abort()',
                 'assert(a)', 'rte_panic("x")', 'rte_exit(1, "x")', 'perror("x")', 'usleep(1)'):
        planted.append(('lib/nic/a.c', C_HEAD + f'\t{call};\n', call.split('(', 1)[0]))
        planted.append(('drivers/net/x/x.c', C_HEAD + f'\t{call};\n', call.split('(', 1)[0]))
    wrong = [f'a clean text offends: {line}' for line in offences(clean)]
    for path, text, expected in planted:
        found = offences({path: text})
        if len(found) != 1 or expected not in found[0]:
            wrong.append(f'{path}, wanted {expected!r}: found {found}')
    return wrong


def main(args):
    if args == ['--self-test']:
        found = self_test()
    else:
        root = args[0] if args else os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
        texts = read_tree(root)
        found = offences(texts) if texts else [f'{root}: nothing to check']
    print('\n'.join(found), end='\n' if found else '')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
