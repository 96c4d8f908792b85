#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors

"""Checks the layers: who may include whom.

usage: check-layers.py [ROOT]
       check-layers.py --self-test

An offence is one line, PATH:LINE: what is wrong; exit status 1 if there is any.
The rules are docs/design.md's, in the table below. In words: apps use lib/port and
public rte_* headers; a driver uses lib/{nic,ring,dma,hw}, never another driver; the
sim uses lib/{model,nic}; a model uses lib/hw alone; lib/hw uses nothing; and
lib/{nic,ring,dma} know no chip. Tests may include anything.
"""

import os
import re
import sys

from sources import read_tree, without_comments

# What a layer may include besides itself. A layer is the first row that fits; {own} is the
# folder that (?P<own>) found: an app or a driver is a layer of its own.
MAY_INCLUDE = [
    (r'(?P<own>apps/chip)/', ('apps/common', 'lib/port', 'lib/model')),
    (r'(?P<own>apps/bind)/', ('lib/hw',)),
    (r'(?P<own>apps/[^/]+)/', ('apps/common', 'lib/port')),
    (r'(?P<own>drivers/net/sim)/', ('lib/model', 'lib/nic')),
    (r'(?P<own>drivers/net/[^/]+)/', ('lib/nic', 'lib/ring', 'lib/dma', 'lib/hw')),
    (r'(?P<own>lib/port)/', ()),
    (r'(?P<own>lib/nic)/', ('lib/ring', 'lib/dma', 'lib/hw')),
    (r'(?P<own>lib/ring)/', ()),
    (r'(?P<own>lib/dma)/', ()),
    (r'(?P<own>lib/model)/', ('lib/hw',)),
    (r'(?P<own>lib/hw)/', ()),
]

# ethdev's inside is for those who implement ethdev.
DRIVER_SDK = {
    'bus_pci_driver.h', 'bus_vdev_driver.h', 'dev_driver.h', 'ethdev_driver.h', 'ethdev_pci.h',
    'ethdev_vdev.h',
}
SDK_LAYERS = ('drivers/net/', 'lib/nic/', 'lib/dma/')

# lib/hw holds facts: types and bit macros are all it may need from outside.
FACTS_NEED = {
    'assert.h', 'rte_bitops.h', 'rte_byteorder.h', 'rte_common.h', 'stdbool.h', 'stddef.h',
    'stdint.h',
}

CHIPLESS = ('lib/nic/', 'lib/ring/', 'lib/dma/')
CHIP = re.compile(
    r'e1000|(?<!\d)8(?:2[5-9]\d\d|25[4-8][a-z0-9]|139|16[89]|8e80)|i8255x|rtl\d|yukon', re.I)

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]')


def layer_of(path):
    """(own folder, folders it may include), or None where everything may be."""
    for pattern, others in MAY_INCLUDE:
        match = re.match(pattern, path)
        if match:
            return match.group('own'), others
    return None


def targets(path, quote, name, headers):
    """The tree's headers that an #include may mean; none for a system header."""
    beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
    if quote == '"' and beside in headers:
        return [beside]
    name = re.sub(r'^(\.\.?/)+', '', name)
    return [header for header in headers if ('/' + header).endswith('/' + name)]


def check_include(path, quote, name, headers):
    """What is wrong with one #include: a text, or None."""
    own, others = layer_of(path)
    found = targets(path, quote, name, headers)
    for target in found:
        if not target.startswith(tuple(folder + '/' for folder in (own, *others))):
            may = ', '.join(others) or 'nothing'
            return f'{own} includes {target} (it may include {may} besides itself)'
    base = os.path.basename(name)
    if not found and base in DRIVER_SDK and not path.startswith(SDK_LAYERS):
        return f'{own} includes the driver SDK header {base}'
    if not found and own == 'lib/hw' and base not in FACTS_NEED:
        return f'lib/hw holds facts only and includes {name}'
    return None


def check_file(path, text, headers):
    """Yields (line, what is wrong). Comments may name chips: they cite data sheets."""
    for number, line in enumerate(without_comments(text).splitlines(), 1):
        match = INCLUDE.match(line)
        wrong = match and check_include(path, match.group(1), match.group(2), headers)
        if wrong:
            yield number, wrong
        chip = CHIP.search(line) if path.startswith(CHIPLESS) else None
        if chip:
            yield number, f'a chip has no name here: {chip.group(0)}'
    if path.startswith(CHIPLESS) and CHIP.search(os.path.basename(path)):
        yield 1, 'a chip has no name here: the file itself'


def offences(texts):
    headers = [path for path in texts if path.endswith('.h') and not path.startswith('tests/')]
    found = []
    for path, text in texts.items():
        if path.endswith(('.c', '.h')) and layer_of(path):
            found += [f'{path}:{line}: {what}' for line, what in check_file(path, text, headers)]
    return found


def self_test():
    """A small tree that keeps the rules, then one planted offence at a time."""
    good = {
        'apps/gen/main.c': '#include "args.h"\n#include "pw_port.h"\n#include <rte_eal.h>\n',
        'apps/gen/args.h': '',
        'apps/bind/main.c': '#include <e1000_regs.h>\n',
        'apps/fwd/args.h': '',
        'lib/port/pw_port.h': '',
        'lib/nic/pw_io.h': '/* as the 82559 manual says */\n#include <ethdev_driver.h>\n',
        'lib/nic/pw_attach.c': '#include "pw_io.h"\n#include <bus_pci_driver.h>\n',
        'lib/ring/pw_ring.h': '#include <rte_common.h>\n',
        'lib/dma/pw_dma.h': '#include <rte_mbuf.h>\n',
        'lib/hw/e1000_regs.h': '#include <stdint.h>\n',
        'lib/model/pw_model.h': '',
        'lib/model/chips/e1000_model.c': '#include "../pw_model.h"\n#include "e1000_regs.h"\n',
        'drivers/net/e1000/e1000.h': '#include "pw_io.h"\n#include <pw_ring.h>\n',
        'drivers/net/e1000/e1000_hw.c': '#include "e1000.h"\n#include "e1000_regs.h"\n',
        'drivers/net/rtl8139/rtl8139.h': '#include "pw_dma.h"\n',
        'drivers/net/sim/pw_sim.c': '#include "pw_model.h"\n#include "pw_io.h"\n',
        'tests/unit/test_e1000.c': '#include "e1000.h"\n#include "pw_model.h"\n',
    }
    planted = [
        ('apps/gen/main.c', '#include "pw_io.h"', 'lib/nic/pw_io.h'),
        ('apps/gen/main.c', '#include "pw_model.h"', 'lib/model/pw_model.h'),
        ('apps/gen/main.c', '#include "e1000_regs.h"', 'lib/hw/e1000_regs.h'),
        ('apps/bind/main.c', '#include "pw_port.h"', 'lib/port/pw_port.h'),
        ('apps/gen/main.c', '#include "e1000.h"', 'drivers/net/e1000'),
        ('apps/gen/main.c', '#include "../fwd/args.h"', 'apps/fwd/args.h'),
        ('apps/gen/main.c', '#include <ethdev_driver.h>', 'driver SDK'),
        ('lib/port/pw_port.h', '#include "pw_io.h"', 'lib/nic/pw_io.h'),
        ('lib/port/pw_port.h', '#include <dev_driver.h>', 'driver SDK'),
        ('lib/nic/pw_attach.c', '#include "e1000.h"', 'drivers/net/e1000'),
        ('lib/nic/pw_attach.c', '#include "pw_model.h"', 'lib/model'),
        ('lib/nic/pw_io.h', 'int e1000_reset(void);', 'e1000'),
        ('lib/nic/pw_io.h', 'static const char *name = "82540EM";', '82540'),
        ('lib/nic/pw_io.h', '#define IS_8139 1', '8139'),
        ('lib/ring/pw_ring.h', 'struct rtl8169_ring;', 'rtl8'),
        ('lib/ring/pw_ring.h', '#include "pw_dma.h"', 'lib/dma/pw_dma.h'),
        ('lib/dma/pw_dma.h', 'enum { YUKON2_LIMITS };', 'YUKON'),
        ('lib/hw/e1000_regs.h', '#include "pw_io.h"', 'lib/nic'),
        ('lib/hw/e1000_regs.h', '#include <rte_mbuf.h>', 'facts only'),
        ('lib/model/pw_model.h', '#include "pw_io.h"', 'lib/nic'),
        ('lib/model/chips/e1000_model.c', '#include "e1000.h"', 'drivers/net/e1000'),
        ('lib/model/chips/e1000_model.c', '#include <ethdev_pci.h>', 'driver SDK'),
        ('drivers/net/e1000/e1000_hw.c', '#include "rtl8139.h"', 'drivers/net/rtl8139'),
        ('drivers/net/e1000/e1000_hw.c', '#include "../rtl8139/rtl8139.h"', 'net/rtl8139'),
        ('drivers/net/e1000/e1000_hw.c', '# include <pw_model.h>', 'lib/model'),
        ('drivers/net/sim/pw_sim.c', '#include "e1000.h"', 'drivers/net/e1000'),
        ('drivers/net/sim/pw_sim.c', '#include "e1000_regs.h"', 'lib/hw'),
    ]
    wrong = [f'a clean tree offends: {line}' for line in offences(good)]
    for path, line, text in planted:
        found = offences({**good, path: good[path] + line + '\n'})
        place = f'{path}:{good[path].count(chr(10)) + 1}: '
        if not found or text not in found[0] or any(place not in line for line in found):
            wrong.append(f'{path} with {line}: found {found}')
    wrong += [f'a comment offends: {line}' for line in offences(
        {**good, 'lib/dma/pw_dma.h': '/*\n#include "pw_model.h"\n */ // rtl8139\n'})]
    return wrong


def main(args):
    if args == ['--self-test']:
        found = self_test()
    else:
        root = args[0] if args else os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
        texts = read_tree(root, lambda path: path.endswith(('.c', '.h')))
        found = offences(texts)
        if not any(map(layer_of, texts)):
            found = [f'{root}: nothing to check']
    print('\n'.join(found), end='\n' if found else '')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
