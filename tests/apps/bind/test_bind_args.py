#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
"""Command lines: what makes no sense is one clear line and status 2."""
import unittest

from tree import USAGE, Case

A = '0000:02:00.0'


class Args(Case):
    def usage(self, *words):
        self.run_bind(*words, status=USAGE)
        self.assertEqual(self.out, '')
        self.assertTrue(self.err.startswith('pollwire-bind: '))
        self.assertEqual(self.err.count('\n'), 1, self.err)
        return self.err

    def test_help_and_version(self):
        self.assertIn('usage: pollwire-bind', self.run_bind('--help'))
        self.assertIn('usage: pollwire-bind', self.run_bind('help'))
        self.assertRegex(self.run_bind('--version'), r'^pollwire-bind \d')

    def test_commands_without_device(self):
        for words in (['bind'], ['unbind'], ['restore'], ['persist'], ['selftest'], ['-u'],
                      ['-b', 'vfio-pci']):
            self.assertIn('name a device', self.usage(*words))

    def test_misspelt_commands(self):
        for wrong, right in [('bnid', 'bind'), ('statsu', 'status'), ('docter', 'doctor'),
                             ('hugepage', 'hugepages'), ('un-bind', 'unbind')]:
            self.assertIn(f'did you mean {right}?', self.usage(wrong))
        self.assertIn('--help', self.usage('xyzzy-plugh'))

    def test_device_without_command(self):
        self.assertIn('say what to do', self.usage(A))

    def test_unknown_and_lame_options(self):
        for words in (['--frobnicate'], ['-z'], ['bind', A, '--driver'], ['status', '--json=1'],
                      ['-b'], ['doctor', '--need', '1G'], ['status', '--fix'],
                      ['bind', A, '--remove'], ['bind', A, '--json'],
                      ['unbind', A, '--driver', 'x'], ['hugepages', A],
                      ['-b', 'vfio-pci', '-u', A], ['--status-dev', 'crypto'],
                      ['bind', A, '--id', '8086'], ['bind', A, '--id', '8086:10d3:1'],
                      ['bind', A, '--uid', '-5'], ['bind', A, '--gid', '99999999999999'],
                      ['bind', A, '--driver', '../../evil'], ['bind', A, '--driver', ''],
                      ['bind', A, '--driver', 'a/b'], ['bind', A, '--driver', 'x' * 300]):
            self.usage(*words)

    def test_sizes(self):
        for text in ('', '0', 'lots', '-1', '1X', '256MM', '99999999999999999999', '1.5G',
                     '99999999T'):
            self.assertIn('is no size', self.usage('hugepages', '--need', text))

    def test_status_of_devbind_scripts(self):
        self.assertEqual(self.run_bind('--status'), self.run_bind('--status-dev', 'net'))
        self.assertEqual(self.run_bind('-s'), self.run_bind('--status-dev=net'))


if __name__ == '__main__':
    unittest.main()
