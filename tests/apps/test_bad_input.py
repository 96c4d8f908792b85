#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors

"""What cannot be: one clear line, an exit status that is not 0, nothing left behind."""

import os
import subprocess
import unittest

from harness import (FAILED, FWD, GEN, NO_LINK, TIMEOUT, USAGE, AppTest, left_behind, run, sim,
                     wire_name)


class BadInput(AppTest):
    def refused(self, status, text, *command):
        outcome = run(*command)
        self.assertEqual(outcome.status, status, outcome.err)
        said = outcome.said()
        self.assertEqual(len(said), 1, outcome.err)
        self.assertTrue(said[0].startswith(os.path.basename(command[0]) + ': '), said[0])
        self.assertIn(text, said[0])
        self.assertEqual(outcome.out, '')
        self.assertEqual(left_behind(), [])
        return said[0]

    def gen_refused(self, status, text, *options, tx=None, rx=None):
        port = sim(wire_name())
        return self.refused(status, text, GEN, '--count', '1', '--tx', tx or port,
                            '--rx', rx or port, *options)

    def test_chip(self):
        line = self.gen_refused(USAGE, 'foo', tx='sim:foo,wire=a')
        self.assertIn('82540em', line)

    def test_no_chip(self):
        self.gen_refused(USAGE, 'name a chip', tx='sim:')

    def test_wire(self):
        for wire in ('xyz:a', 'shm:', 'a/b', 'tap:', 'pcap:', 'pcap:in=/nonexistent/x',
                     'pcap:out=/nonexistent/x', 'shm:' + 'x' * 300):
            with self.subTest(wire):
                outcome = run(GEN, '--count', '1', '--tx', sim(wire), '--rx', sim(wire_name()))
                self.assertIn(outcome.status, (FAILED, USAGE))
                self.assertEqual(len(outcome.said()), 1, outcome.err)

    def test_option_of_the_sim(self):
        for option in ('wir=a', 'pace=maybe', 'mac=1', 'fault=nosuch', 'buffer=x', 'autoneg_ms=-1'):
            with self.subTest(option):
                self.gen_refused(USAGE, option.split('=')[0], tx=f'sim:82540em,wire=a,{option}')

    def test_port_name(self):
        for name in ('', 'xx:yy', '/dev/null', '0000:02:00'):
            with self.subTest(name):
                self.refused(USAGE, 'port \'', GEN, '--count', '1', '--tx', name, '--rx', name)

    def test_no_such_card(self):
        self.gen_refused(FAILED, 'no such PCI device', tx='fffe:1f:1f.7')

    def test_card_of_the_kernel(self):
        devices = '/sys/bus/pci/devices'
        for card in sorted(os.listdir(devices)) if os.path.isdir(devices) else ():
            driver = os.path.basename(os.path.realpath(f'{devices}/{card}/driver'))
            if os.path.exists(f'{devices}/{card}/driver') and driver != 'vfio-pci':
                line = self.gen_refused(FAILED, driver, tx=card)
                self.assertIn(f'pollwire-bind bind {card}', line)
                return
        self.skipTest('no PCI device with a driver of the kernel')

    def test_no_such_vdev(self):
        self.gen_refused(FAILED, 'net_nosuch0', tx='vdev:net_nosuch0')

    def test_no_such_port_number(self):
        self.gen_refused(FAILED, 'no such port', tx='3')

    def test_size(self):
        for size in ('0', '63', '70000', '64-', 'big'):
            with self.subTest(size):
                self.gen_refused(USAGE, f"size '{size}'", '--size', size)

    def test_rate(self):
        for rate in ('0', '0pps', '101%', '-1pps', '2Mpps'):
            with self.subTest(rate):
                self.gen_refused(USAGE, 'rate', '--rate', rate)

    def test_ring_of_7(self):
        for ring in ('--rxd', '--txd'):
            with self.subTest(ring):
                self.gen_refused(USAGE, 'ring of 7 descriptors: from ', ring, '7')
        port = sim(wire_name())
        self.refused(USAGE, 'ring of 7', FWD, '--rxd', '7', '--port', port, '--port', port + 'x')

    def test_too_little_memory(self):
        for memory in ('1', '2', '4', '6'):
            with self.subTest(memory):
                self.gen_refused(FAILED, 'memory', '--mem', memory)

    def test_cpu(self):
        self.gen_refused(USAGE, 'CPU list', '--lcores', '1023')
        self.gen_refused(USAGE, 'CPU list', '--lcores', 'x')

    def test_option_of_eal(self):
        self.gen_refused(USAGE, '--bogus', '--eal', '--bogus')

    def test_help_of_eal_is_no_success(self):
        self.gen_refused(USAGE, '--help', '--eal', '--help')

    def test_damaged_card(self):
        for fault, text in (('eeprom_corrupt', 'checksum'), ('eeprom_silent', 'EEPROM'),
                            ('eeprom_zero_mac', '00:00:00:00:00:00'), ('removed', 'all ones'),
                            ('stuck_reset', 'reset')):
            with self.subTest(fault):
                self.gen_refused(FAILED, text, tx=f'sim:82540em,wire=a,fault={fault}')

    def test_damaged_fast_ethernet_card(self):
        for fault, text in (('eeprom_corrupt', 'checksum'), ('removed', 'all ones')):
            with self.subTest(fault):
                self.gen_refused(FAILED, text, tx=f'sim:82559c,wire=a,fault={fault}')

    def test_frame_longer_than_the_chip_takes(self):
        port = sim(wire_name(), chip='82559c')
        line = self.gen_refused(USAGE, '9018', '--size', '9018', tx=port, rx=port)
        self.assertIn('1522', line)

    def test_unplugged(self):
        self.gen_refused(NO_LINK, 'no link', '--link-wait', '0.05', tx='sim:82540em',
                         rx='sim:82540em')

    def test_unknown_option(self):
        for program in (GEN, FWD):
            self.refused(USAGE, '--frob', program, '--frob')

    def test_full_standard_output_is_no_success(self):
        for command in ((GEN, '--help'), (FWD, '--version')):
            with self.subTest(command[0]), open('/dev/full', 'w') as full:
                done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True,
                                      timeout=TIMEOUT, check=False)
                self.assertEqual(done.returncode, FAILED)
                self.assertIn('cannot write to standard output', done.stderr)
                self.assertEqual(done.stderr.count('\n'), 1)

    def test_report_that_cannot_be_written_is_told_before_the_run(self):
        # Without --count and --time: it would run for ever.
        port = sim(wire_name())
        for path in ('none/report.json', '.'):
            with self.subTest(path):
                path = self.path(path)
                self.refused(FAILED, f'cannot write {path}', GEN, '--tx', port, '--rx', port,
                             '--json', path)
                self.refused(FAILED, f'cannot write {path}', FWD, '--port', port, '--port',
                             port + 'x', '--json', path)

    def test_report_of_before_is_kept_if_there_is_no_new_one(self):
        path = self.path('report.json')
        self.gen_refused(NO_LINK, 'no link', '--link-wait', '0.05', '--json', path,
                         tx='sim:82540em', rx='sim:82540em')
        self.assertFalse(os.path.exists(path))
        with open(path, 'w', encoding='ascii') as f:
            f.write('old')
        self.gen_refused(NO_LINK, 'no link', '--link-wait', '0.05', '--json', path,
                         tx='sim:82540em', rx='sim:82540em')
        with open(path, encoding='ascii') as f:
            self.assertEqual(f.read(), 'old')

    def test_report_that_does_not_fit(self):
        port = sim(wire_name())
        with open('/dev/full', 'w', encoding='ascii') as full:
            done = subprocess.run([GEN, '--count', '1', '--tx', port, '--rx', port, '--json', '-'],
                                  stdout=full, stderr=subprocess.PIPE, text=True, check=False,
                                  timeout=TIMEOUT)
        self.assertEqual(done.returncode, FAILED)
        self.assertIn('No space left', done.stderr)


if __name__ == '__main__':
    unittest.main(verbosity=2)
