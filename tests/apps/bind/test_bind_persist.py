#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
"""persist: what survives a reboot."""
import os
import shutil
import subprocess
import tempfile
import unittest

from tree import FAILED, REFUSED, USAGE, Case

A, B = '0000:02:00.0', '0000:03:00.0'
UNITS = 'etc/systemd/system'
NAME = 'pollwire-bind-0000-02-00.0.service'


class Persist(Case):
    def setUp(self):
        super().setUp()
        self.tree.card(A, '82574l', 'eth1', group=7)
        self.tree.card(B, '82540em', 'eth2', group=9)

    def test_unit_and_back(self):
        before = self.tree.snapshot()
        self.run_fake('persist', A)
        unit = self.tree.read(f'{UNITS}/{NAME}')
        self.assertIn(f'bind {A} --driver vfio-pci --id 8086:10d3', unit)
        self.assertEqual(os.readlink(self.tree.path(f'{UNITS}/multi-user.target.wants/{NAME}')),
                         f'../{NAME}')
        self.assertEqual(self.tree.driver_of(A), 'e1000e')
        self.run_fake('persist', A, '--remove')
        after = {name: what for name, what in self.tree.snapshot().items()
                 if not name.startswith('etc/')}
        self.assertEqual(after, {name: what for name, what in before.items()
                                 if not name.startswith('etc/')})
        self.assertFalse(self.tree.exists(f'{UNITS}/{NAME}'))
        self.assertEqual(os.listdir(self.tree.path(f'{UNITS}/multi-user.target.wants')), [])

    def test_the_unit_is_one_that_systemd_takes(self):
        if shutil.which('systemd-analyze') is None:
            self.skipTest('no systemd-analyze')
        self.run_fake('persist', A)
        with tempfile.TemporaryDirectory() as folder:
            # A root of its own is not asked for: verify wants the program to be there.
            unit = shutil.copy(self.tree.path(f'{UNITS}/{NAME}'), folder)
            run = subprocess.run(['systemd-analyze', 'verify', '--man=no', unit],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual([line for line in run.stdout.splitlines() if NAME in line], [])

    def test_the_command_in_the_unit_is_one_that_we_take(self):
        self.run_fake('persist', A)
        line = next(line for line in self.tree.read(f'{UNITS}/{NAME}').splitlines()
                    if line.startswith('ExecStart='))
        program, *words = line.partition('=')[2].split()
        self.assertTrue(os.path.isabs(program))
        self.run_fake(*words)
        self.assertEqual(self.tree.driver_of(A), 'vfio-pci')

    def test_driverctl_where_it_is(self):
        self.tree.write('usr/sbin/driverctl', '')
        self.run_fake('persist', A)
        self.run_fake('persist', A, '--remove')
        self.assertEqual(self.tree.log(), [f'run driverctl set-override {A} vfio-pci',
                                           f'run driverctl unset-override {A}'])

    def test_interface_in_use_is_not_lost_at_the_next_boot(self):
        self.tree.address('eth1', '192.0.2.1/24')
        self.run_fake('persist', A, status=REFUSED)
        self.assertFalse(self.tree.exists(f'{UNITS}/{NAME}'))
        self.run_fake('persist', A, '--force')

    def test_all_or_nothing(self):
        self.tree.write(f'{UNITS}/pollwire-bind-0000-03-00.0.service/x', '')
        self.run_fake('persist', A, B, status=FAILED)
        self.assertFalse(self.tree.exists(f'{UNITS}/{NAME}'))

    def test_remove_what_is_not_there(self):
        self.run_fake('persist', A, '--remove', status=FAILED)
        self.assertIn('was not to be bound', self.err)

    def test_dry_run(self):
        before = self.tree.snapshot()
        out = self.run_fake('persist', A, '-n')
        self.assertIn(f'ln -sfn ../{NAME}', out)
        self.assertEqual(self.tree.snapshot(), before)

    def test_misspelt_driver(self):
        self.run_fake('persist', A, '--driver', 'vfio_pci', status=USAGE)


if __name__ == '__main__':
    unittest.main()
