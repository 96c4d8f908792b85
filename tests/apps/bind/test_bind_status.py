#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
"""status on invented machines: what it shows, and what it says about binding."""
import json
import os
import subprocess
import unittest

from tree import BIND, REFUSED, SATA, USAGE, Case

A, B = '0000:02:00.0', '0000:02:00.1'


class Status(Case):
    def test_machine_without_network_cards(self):
        self.assertIn('(no network card)', self.run_bind('status'))
        self.assertEqual(json.loads(self.run_bind('status', '--json')), [])
        self.assertIn("No 'Network' devices detected\n" + '=' * 29, self.run_bind('-s'))

    def test_no_command_is_status(self):
        self.assertEqual(self.run_bind(), self.run_bind('status'))

    def test_free_card(self):
        self.tree.card(A, '82574l', 'eth1', up=True, group=7)
        self.assertEqual(self.run_bind('status').splitlines(), [
            'ADDRESS       CARD    SUPPORT   DRIVER  INTERFACE  LINK     GROUP  STATE',
            f'{A}  82574L  emulated  e1000e  eth1       up 1000  7      can be bound',
        ])
        found = self.status_of(A)
        self.assertEqual(found['vendor'], '8086')
        self.assertEqual(found['device'], '10d3')
        self.assertEqual(found['family'], 'e1000')
        self.assertEqual(found['modules'], ['e1000e'])
        self.assertEqual(found['iommu_group'], 7)
        self.assertEqual(found['state'], 'can-bind')
        self.assertIsNone(found['reason'])

    def test_link_down_and_interface_off(self):
        self.tree.card(A, '82574l', 'eth1', group=7)
        self.assertIn(' off ', self.run_bind('status'))
        self.tree.interface('eth1', up=True)
        self.tree.write('sys/class/net/eth1/carrier', '0')
        self.assertIn(' down ', self.run_bind('status'))

    def test_addresses_and_routes_in_use(self):
        self.tree.card(A, '82574l', 'eth1', up=True, group=7)
        self.tree.address('eth1', '192.0.2.1/24')
        self.tree.route('eth1', '0.0.0.0', 0, '192.0.2.254')
        self.tree.route('eth1', '192.0.2.0', 24)
        self.tree.route6('eth1', '2001:db8::', 64)
        found = self.status_of(A)
        self.assertEqual(found['interfaces'], [{
            'name': 'eth1', 'up': True, 'carrier': True, 'mbps': 1000,
            'addresses': ['192.0.2.1/24'],
            'routes': ['default', '192.0.2.0/24', '2001:db8::/64'], 'default_route': True,
        }])
        self.assertEqual(found['state'], 'needs-force')
        self.assertEqual(found['reason'], 'eth1 carries the default route; '
                                          'eth1 has the address 192.0.2.1/24')
        text = self.run_bind('status')
        self.assertIn('    addresses: 192.0.2.1/24\n', text)
        self.assertIn('    routes: default, 192.0.2.0/24, 2001:db8::/64\n', text)

    def test_support_levels(self):
        self.tree.card(A, '82574l', group=1)
        self.tree.card('0000:03:00.0', '82571eb', group=2)
        self.tree.card('0000:04:00.0', 'rtl8139', group=3)
        self.tree.card('0000:05:00.0', 'virtio', group=4)
        levels = [f['support'] for f in json.loads(self.run_bind('status', '--json'))]
        self.assertEqual(levels, ['emulated', 'untested', 'planned', 'none'])

    def test_virtio_card_has_its_interface_one_level_deeper(self):
        folder = self.tree.card(A, 'virtio', group=7)
        self.tree.write(f'{folder}/virtio0/net/eth5/x', '')
        self.tree.interface('eth5')
        self.assertEqual(self.status_of(A)['interfaces'][0]['name'], 'eth5')

    def test_group_shared(self):
        self.tree.card(A, '82571eb', 'eth1', group=7)
        self.tree.card(B, '82571eb', 'eth2', group=7)
        found = self.status_of(A)
        self.assertEqual(found['iommu_group_shared_with'], [B])
        self.assertEqual(found['state'], 'needs-force')
        self.assertIn(f'    IOMMU group 7 with: {B}\n', self.run_bind('status'))

    def test_cards_named_together_are_judged_each_by_itself(self):
        self.tree.card(A, '82571eb', 'eth1', group=7)
        self.tree.card(B, '82571eb', 'eth2', group=7)
        found = json.loads(self.run_bind('status', '--json', A, B))
        self.assertEqual([f['state'] for f in found], ['needs-force', 'needs-force'])

    def test_bound_card(self):
        self.tree.card(A, '82574l', driver='vfio-pci', group=7)
        found = self.status_of(A)
        self.assertEqual((found['driver'], found['state']), ('vfio-pci', 'bound'))
        self.assertIn('ready for a program', self.run_bind('status'))

    def test_card_without_driver(self):
        self.tree.card(A, '82574l', driver='', group=7)
        self.assertEqual(self.status_of(A)['driver'], None)
        self.assertEqual(self.status_of(A)['state'], 'can-bind')

    def test_other_devices_only_if_named(self):
        self.tree.device('0000:00:1f.2', 0x8086, 0x2922, SATA, driver='ahci', group=3)
        self.assertNotIn('1f.2', self.run_bind('status'))
        self.assertIn('0000:00:1f.2', self.run_bind('status', '00:1f.2'))
        self.run_bind('status', '00:1f.3', status=USAGE)

    def test_long_domain_behind_a_vmd(self):
        self.tree.card('10000:01:00.0', '82574l', group=7)
        self.assertEqual(self.status_of('10000:01:00.0')['chip'], '82574L')

    def test_control_characters_do_not_reach_the_terminal(self):
        folder = self.tree.card(A, '82574l', group=7)
        self.tree.write(f'{folder}/driver_override', b'\x1b[31mred\x07\n')
        self.tree.interface('eth1')
        self.assertNotIn('\x1b', self.run_bind('status', '--json'))

    def test_selftest_wants_a_card_that_is_bound_and_ours(self):
        self.tree.card(A, '82574l', 'eth1', group=7)
        self.tree.card(B, 'virtio', driver='vfio-pci', group=8)
        self.run_bind('selftest', A, status=REFUSED)
        self.assertIn(f'first: pollwire-bind bind {A}', self.err)
        self.run_bind('selftest', B, status=REFUSED)
        self.assertIn('no driver of ours', self.err)

    def test_devbind_calls_active_what_has_a_route_of_ipv4(self):
        """Its witness is "ip -o route", which shows no others."""
        self.tree.card(A, '82574l', 'eth1', group=7)
        self.tree.route6('eth1', '2001:db8::', 64)
        self.assertNotIn('*Active*', self.run_bind('-s'))
        self.tree.route('eth1', '192.0.2.0', 24)
        self.assertIn('*Active*', self.run_bind('-s'))

    def test_no_sysfs_at_all(self):
        run = subprocess.run([BIND, '--sysroot', self.tree.path('nowhere'), 'status'],
                             stderr=subprocess.PIPE, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertIn('is /sys mounted?', run.stderr)

    def test_full_disk_is_no_success(self):
        self.tree.card(A, '82574l', group=7)
        with open('/dev/full', 'w') as full:
            run = subprocess.run([BIND, '--sysroot', self.tree.root, 'status'], stdout=full,
                                 stderr=subprocess.PIPE, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertIn('cannot write', run.stderr)


class Static(Case):
    """What an appliance gets: the same, in one file."""

    def setUp(self):
        super().setUp()
        self.program = os.environ.get('POLLWIRE_BIND_STATIC')
        if self.program is None:
            self.skipTest('not built: no archives of libpciaccess, libz or libjansson to link '
                          'with, or a build with sanitizers')

    def test_needs_no_library(self):
        run = subprocess.run(['ldd', self.program], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True)
        self.assertIn('not a dynamic executable', run.stdout)

    def test_says_the_same(self):
        self.tree.card(A, '82574l', 'eth1', group=7)
        self.tree.card(B, 'virtio', 'eth2', group=7)
        for words in (['status'], ['status', '--json'], ['-s'], ['doctor'], ['hugepages']):
            self.start(self.program, words)
            static = self.out
            self.start(BIND, words)
            self.assertEqual(static, self.out)


if __name__ == '__main__':
    unittest.main()
