#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
"""What others say of the same machine: dpdk-devbind.py and lspci.

On this machine as it is, and on invented ones, which they see as /sys in a mount namespace of
their own. Nothing is bound or unbound here.
"""
import json
import os
import re
import shutil
import subprocess
import unittest

from tree import BIND, SATA, Case

A, B, C, D = '0000:02:00.0', '0000:02:00.1', '0000:03:00.0', '0000:04:00.0'


def output(*words):
    run = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, timeout=120)
    assert run.returncode == 0, (words, run.returncode, run.stderr)
    return run.stdout


def need(test, program):
    if shutil.which(program, path=os.environ['PATH'] + ':/usr/sbin:/sbin') is None:
        test.skipTest(f'no {program}')


class ThisMachine(unittest.TestCase):
    def setUp(self):
        if not os.path.isdir('/sys/bus/pci/devices'):
            self.skipTest('this machine has no PCI bus')

    def test_dpdk_devbind(self):
        need(self, 'dpdk-devbind.py')
        need(self, 'lspci')
        self.assertEqual(output(BIND, '-s'), output('dpdk-devbind.py', '--status-dev', 'net'))

    def test_libpciaccess_and_our_own_listing_agree(self):
        """The own one serves invented trees; here both look at the same."""
        if not os.path.isdir('/sys/bus/pci/devices'):
            self.skipTest('no PCI bus')
        every = sorted(os.listdir('/sys/bus/pci/devices'))
        live = json.loads(output(BIND, 'status', '--json', *every))
        listed = json.loads(output(BIND, '--sysroot', '/.', 'status', '--json', *every))
        self.assertEqual([f['address'] for f in live], every)
        for key in ('address', 'vendor', 'device', 'subsystem_vendor', 'subsystem_device',
                    'driver', 'iommu_group', 'name'):
            self.assertEqual([f[key] for f in live], [f[key] for f in listed], key)


class Invented(Case):
    def setUp(self):
        super().setUp()
        for program in ('unshare', 'mount', 'dpdk-devbind.py', 'lspci'):
            need(self, program)
        probe = subprocess.run(['unshare', '--map-root-user', '--mount', '--net', 'true'],
                               stderr=subprocess.PIPE, text=True)
        if probe.returncode != 0:
            self.skipTest('no namespaces: ' + probe.stderr.strip())

    def inside(self, *words, setup='true'):
        """Runs a program that finds the tree's /sys as its own."""
        script = (f'set -e; mount --rbind {self.tree.root}/sys /sys; {setup}; exec "$@"')
        return output('unshare', '--map-root-user', '--mount', '--net', 'sh', '-c', script, 'sh',
                      *words)

    def same(self, setup='true'):
        theirs = self.inside('dpdk-devbind.py', '--status-dev', 'net', setup=setup)
        self.assertEqual(self.inside(BIND, '-s', setup=setup), theirs)
        return theirs

    def cards(self):
        self.tree.card(A, '82574l', 'eth1', group=7)
        self.tree.card(B, '82540em', driver='vfio-pci', group=8)
        self.tree.card(C, 'rtl8139', driver='', group=9)
        self.tree.card(D, 'virtio', 'eth4', group=10)
        self.tree.device('0000:00:1f.2', 0x8086, 0x2922, SATA, driver='ahci', group=3)

    def test_devbind_on_every_kind(self):
        self.cards()
        theirs = self.same()
        for word in ('DPDK-compatible', 'using kernel driver', 'Other Network', 'if=eth1'):
            self.assertIn(word, theirs)

    def test_devbind_without_drivers_loaded(self):
        self.cards()
        os.unlink(self.tree.path(f'sys/bus/pci/devices/{B}/driver'))
        self.tree.no_driver('vfio-pci')
        self.same()

    def test_devbind_with_all_drivers_loaded(self):
        self.cards()
        self.tree.driver('uio_pci_generic')
        self.tree.driver('igb_uio')
        self.assertIn('igb_uio,vfio-pci,uio_pci_generic', self.same())

    def test_devbind_on_a_machine_without_cards(self):
        self.assertIn("No 'Network' devices", self.same())

    def test_devbind_on_unknown_ids(self):
        self.tree.device(A, 0x8086, 0xfff1, driver='e1000e', group=1)
        self.tree.device(B, 0xfffe, 0x0001, driver='', group=2)
        self.assertIn("'Device fff1'", self.same())

    def test_devbind_sees_an_active_interface(self):
        """Routes are the network namespace's: an interface of that name is made there."""
        need(self, 'ip')
        self.cards()
        setup = ('ip tuntap add eth1 mode tap; ip link set eth1 up; '
                 'ip addr add 192.0.2.1/24 dev eth1')
        try:
            self.inside('true', setup=setup)
        except AssertionError as error:
            self.skipTest(f'no TAP interface: {error}')
        self.assertIn('*Active*', self.same(setup))
        found = json.loads(self.inside(BIND, 'status', '--json', A, setup=setup))[0]
        self.assertEqual(found['reason'], 'eth1 has the address 192.0.2.1/24')

    def test_lspci(self):
        self.cards()
        blocks = output('lspci', '-O', f'sysfs.path={self.tree.root}/sys/bus/pci',
                        '-Dvmmnnk').strip().split('\n\n')
        ours = {f['address']: f for f in json.loads(self.run_bind('status', '--json'))}
        seen = 0
        for block in blocks:
            theirs = dict(line.split(':\t', 1) for line in block.splitlines())
            if not theirs['Class'].endswith('[0200]'):
                continue
            seen += 1
            found = ours[theirs['Slot']]
            name, device = re.match(r'(.*) \[([0-9a-f]{4})\]$', theirs['Device']).groups()
            vendor_name, vendor = re.match(r'(.*) \[([0-9a-f]{4})\]$', theirs['Vendor']).groups()
            self.assertEqual((found['vendor'], found['device']), (vendor, device))
            self.assertEqual((found['vendor_name'], found['name']), (vendor_name, name))
            self.assertEqual(found['driver'], theirs.get('Driver'))
            if theirs.get('IOMMUGroup'):
                self.assertEqual(str(found['iommu_group']), theirs['IOMMUGroup'])
        self.assertEqual(seen, len(ours))


if __name__ == '__main__':
    unittest.main()
