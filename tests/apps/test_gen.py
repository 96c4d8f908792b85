#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors

"""The generator end to end, its figures checked against arithmetic."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import unittest

from harness import (GEN, LOSS, NOT_DONE, NO_LINK, OK, TIMEOUT, USAGE, AppTest, Process, run, sim,
                     wire_name)

# IEEE 802.3: preamble and start delimiter 8, inter-frame gap 12 bytes.
OVERHEAD = 20
GIGABIT = 10 ** 9
FAST = 10 ** 8
# A chip of each kind of 8255x driver: the plainest, one that sums what it receives, one with all.
FAST_CHIPS = ('82557b', '82559c', '82551')


def wire_max(size, speed=GIGABIT):
    return speed / 8 / (size + OVERHEAD)


class Figures(AppTest):
    """Two ends of a wire inside the process."""

    def pair(self, *more, chip='82540em'):
        port = sim(wire_name(), *more, chip=chip)
        return ['--tx', port, '--rx', port]

    def check_flow(self, flow, count, mean, speed=GIGABIT):
        self.assertEqual((flow['sent'], flow['received']), (count, count))
        for key in ('lost', 'duplicated', 'reordered', 'stale', 'corrupted'):
            self.assertEqual(flow[key], 0, key)
        self.assertEqual(flow['sent_bytes'], round(count * mean))
        self.assertEqual(flow['received_bytes'], round(count * mean))
        self.assertAlmostEqual(flow['wire_max']['pps'], wire_max(mean, speed), places=1)
        for rate in (flow['wire_max'], flow['achieved'], flow['requested']):
            if rate:
                self.assertAlmostEqual(rate['l2_mbps'], rate['pps'] * mean * 8 / 1e6, places=3)
                self.assertAlmostEqual(rate['l1_mbps'],
                                       rate['pps'] * (mean + OVERHEAD) * 8 / 1e6, places=3)
        self.assertAlmostEqual(flow['achieved']['pps'], flow['sent'] / flow['elapsed_s'],
                               delta=flow['achieved']['pps'] * 1e-6)
        times = flow['latency_us']
        self.assertEqual(times['samples'], count)
        ascending = [times[key] for key in ('min', 'p50', 'p99', 'p99_9', 'max')]
        self.assertEqual(ascending, sorted(ascending))
        self.assertGreater(times['min'], 0)
        self.assertTrue(times['min'] <= times['avg'] <= times['max'])

    def test_one_size(self):
        self.check_flow(self.one_flow(*self.pair(), '--count', 5000), 5000, 64)

    def test_largest_untagged_frame(self):
        flow = self.one_flow(*self.pair(), '--count', 600, '--size', 1518, '--check')
        self.check_flow(flow, 600, 1518)

    def test_imix(self):
        flow = self.one_flow(*self.pair(), '--count', 1200, '--size', 'imix', '--check')
        self.check_flow(flow, 1200, (7 * 64 + 4 * 594 + 1518) / 12)

    def test_a_whole_round_of_a_range(self):
        flow = self.one_flow(*self.pair(), '--count', 1455, '--size', '64-1518', '--check')
        self.check_flow(flow, 1455, (64 + 1518) / 2)

    def test_jumbo_frames(self):
        flow = self.one_flow(*self.pair(), '--count', 300, '--size', 9018, '--check')
        self.check_flow(flow, 300, 9018)

    def test_fast_ethernet(self):
        sizes = {64: 64, 1518: 1518, 'imix': (7 * 64 + 4 * 594 + 1518) / 12,
                 '64-1518': (64 + 1518) / 2}
        for chip in FAST_CHIPS:
            for size, mean in sizes.items():
                # Whole rounds of both.
                count = 1455 if size == '64-1518' else 1200
                for cksum in ('auto', 'sw'):
                    with self.subTest(chip, size=size, cksum=cksum):
                        flow = self.one_flow(*self.pair(chip=chip), '--count', count, '--size',
                                             size, '--cksum', cksum, '--check')
                        self.check_flow(flow, count, mean, FAST)

    def test_fast_ethernet_tagged(self):
        for chip in FAST_CHIPS:
            for size in (64, 1518):
                with self.subTest(chip, size=size):
                    flow = self.one_flow(*self.pair(chip=chip), '--count', 500, '--vlan', 100,
                                         '--size', size, '--check')
                    self.check_flow(flow, 500, size, FAST)

    def test_fast_ethernet_carries_148809_packets(self):
        # 10^8 / 8 / (64 + 20) = 148,809.5
        pair = self.pair(chip='82559c')
        outcome = run(GEN, *pair, '--count', '1', '--rate', '148810pps')
        self.assertEqual(outcome.status, USAGE)
        self.assertIn('no more than 148810 such packets', outcome.err)
        flow = self.one_flow(*pair, '--count', 200, '--rate', '148809pps')
        self.check_flow(flow, 200, 64, FAST)

    def test_no_resume_is_written_over_another_one(self):
        # A model with a thread of its own takes its time over a command.
        for chip in FAST_CHIPS:
            with self.subTest(chip):
                pair = self.pair('async=on', chip=chip)
                outcome = run(GEN, *pair, '--time', '2', '--rate', 'max')
                self.assertNotIn('breaks the chip', outcome.err)

    def test_tagged_frames_of_64_bytes(self):
        flow = self.one_flow(*self.pair(), '--count', 500, '--vlan', 100, '--check')
        self.check_flow(flow, 500, 64)

    def test_software_checksums(self):
        flow = self.one_flow(*self.pair(), '--count', 500, '--cksum', 'sw', '--check')
        self.check_flow(flow, 500, 64)

    def test_requested_rate_in_each_unit(self):
        # All of them 1000 packets of 64 bytes a second.
        for rate in ('1kpps', '512kbps', '672kbps-l1', '0.0672%'):
            with self.subTest(rate):
                flow = self.one_flow(*self.pair(), '--count', 20, '--rate', rate)
                self.check_flow(flow, 20, 64)
                self.assertAlmostEqual(flow['requested']['pps'], 1000, places=3)

    def test_a_second_has_as_many_packets_as_asked(self):
        flow = self.one_flow(*self.pair(), '--time', 1, '--rate', '1kpps')
        # What came due while this machine was busy elsewhere is told, not hidden.
        self.assertLessEqual(flow['achieved']['pps'], flow['requested']['pps'] * (1 + 1e-6))
        self.assertAlmostEqual(flow['sent'] + flow['fell_behind'], 1000, delta=1)
        self.assertGreaterEqual(flow['elapsed_s'], 1)

    def test_a_paced_wire_is_never_beaten(self):
        # Nor held: that is test_line_rate.c's, where nobody else has a CPU.
        for chip in ('82540em', *FAST_CHIPS):
            for size in (64, 1518):
                with self.subTest(chip, size=size):
                    flow = self.one_flow(*self.pair('pace=on', chip=chip), '--time', 0.3,
                                         '--size', size)
                    self.assertGreater(flow['sent'], 0)
                    self.assertEqual(flow['received'], flow['sent'])
                    # The last frame may be under way when the ring is found empty.
                    self.assertLessEqual(flow['sent'],
                                         flow['wire_max']['pps'] * flow['elapsed_s'] + 1)

    def test_small_rings(self):
        flow = self.one_flow(*self.pair(), '--count', 5000, '--rxd', 32, '--txd', 32,
                             '--burst', 4, '--allow-loss', '--drain', 0.1)
        self.assertEqual(flow['sent'], 5000)
        self.assertEqual(flow['received'] + flow['lost'], 5000)

    def test_both_ways_at_once(self):
        wire = wire_name()
        a, b = sim(wire, 'mac=02:00:00:00:00:0a'), sim(wire, 'mac=02:00:00:00:00:0b')
        report, _ = self.gen('--tx', a, '--rx', b, '--tx', b, '--rx', a, '--count', 3000)
        self.assertEqual(len(report['ports']), 2)
        for flow in report['flows']:
            self.check_flow(flow, 3000, 64)

    def test_a_port_of_another_driver_loops(self):
        port = 'vdev:net_ring0'
        flow = self.one_flow('--tx', port, '--rx', port, '--count', 2000)
        self.assertEqual((flow['sent'], flow['received']), (2000, 2000))

    def test_dpdk_style_command_line(self):
        outcome = run(GEN, '--no-huge', '-m', '64', '--no-pci', '--no-shconf', '--no-telemetry',
                      '--vdev', 'net_ring0', '--', '--tx', '0', '--rx', 'net_ring0', '--count',
                      '10')
        # By number and by name: the same port, which cannot be opened twice.
        self.assertEqual(outcome.status, 1)
        self.assertIn('open already', outcome.err)
        outcome = run(GEN, '--no-huge', '-m', '64', '--no-pci', '--no-shconf', '--no-telemetry',
                      '--vdev', 'net_ring0', '--', '--tx', '0', '--rx', '0', '--count', '10')
        self.assertEqual(outcome.status, OK, outcome.err)
        self.assertIn('received 10 ', outcome.out)

    def test_two_cpus(self):
        cpus = sorted(os.sched_getaffinity(0))
        if len(cpus) < 2:
            self.skipTest('one CPU')
        flow = self.one_flow(*self.pair(), '--count', 20000, '--lcores',
                             f'{cpus[0]},{cpus[1]}', '--rate', '200kpps')
        self.check_flow(flow, 20000, 64)

    def test_report_for_people(self):
        _, outcome = self.gen(*self.pair(), '--count', 100)
        for text in ('as fast as possible', 'achieved', 'wire maximum', '1,488,095 pps',
                     'sent 100  received 100  lost 0 (0 %)  duplicated 0  reordered 0',
                     '(100 samples'):
            self.assertIn(text, outcome.out)

    def test_json_alone_on_standard_output(self):
        outcome = run(GEN, *self.pair(), '--count', '10', '--json', '-')
        self.assertEqual(json.loads(outcome.out)['flows'][0]['sent'], 10)
        self.assertIn('wire maximum', outcome.err)


class Faults(AppTest):
    """Through a relay that loses, doubles, holds back and damages chosen frames."""

    COUNT = 1000

    def through(self, actions, *options, status=OK):
        a, b = f'shm:{wire_name()}', f'shm:{wire_name()}'
        self.relay(a, b, *actions)
        # Slow enough for every relay: what is lost is what the relay was told to lose.
        return self.one_flow('--tx', sim(a), '--rx', sim(b), '--count', self.COUNT,
                             '--rate', '5kpps', '--rxd', 4096, *options, status=status)

    def test_nothing_happens(self):
        flow = self.through([])
        self.assertEqual(flow['received'], self.COUNT)

    def test_lost_packets_are_counted(self):
        flow = self.through(['drop=0', 'drop=10', 'drop=11', 'drop=999'], status=LOSS)
        self.assertEqual((flow['received'], flow['lost']), (996, 4))
        self.assertEqual((flow['duplicated'], flow['reordered']), (0, 0))

    def test_loss_may_be_allowed(self):
        flow = self.through(['drop=500'], '--allow-loss', '--drain', 3)
        self.assertEqual(flow['lost'], 1)

    def test_duplicates_are_counted(self):
        flow = self.through(['dup=0', 'dup=500', 'dup=999'], status=LOSS)
        self.assertEqual((flow['received'], flow['duplicated']), (self.COUNT, 3))
        self.assertEqual((flow['lost'], flow['reordered']), (0, 0))

    def test_reordered_packets_are_counted(self):
        # Each held frame comes after a higher number, so it alone is reordered (RFC 4737 3.3).
        flow = self.through(['hold=5:6', 'hold=100:150', 'hold=101:150'])
        self.assertEqual((flow['received'], flow['reordered']), (self.COUNT, 3))
        self.assertEqual((flow['lost'], flow['duplicated']), (0, 0))

    def test_all_of_it_at_once(self):
        flow = self.through(['drop=1', 'drop=2', 'dup=7', 'hold=20:25', 'drop=30', 'dup=31'],
                            status=LOSS)
        self.assertEqual((flow['lost'], flow['duplicated'], flow['reordered']), (3, 2, 1))

    def test_damage_is_found_if_looked_for(self):
        # Offset 58 is in the pattern, 27 in the source address, 24 in the IPv4 checksum.
        flow = self.through(['flip=3:58', 'flip=4:27', 'flip=5:24'], '--check', '--size', 100,
                            status=LOSS)
        self.assertEqual((flow['corrupted'], flow['lost']), (3, 0))
        self.assertEqual(flow['received'], self.COUNT - 3)

    def test_no_samples_rather_than_a_latency(self):
        a, b = f'shm:{wire_name()}', f'shm:{wire_name()}'
        self.relay(a, b, 'sink')
        report, outcome = self.gen('--tx', sim(a), '--rx', sim(b), '--count', 10, status=LOSS)
        self.assertIsNone(report['flows'][0]['latency_us'])
        self.assertEqual(report['flows'][0]['lost'], 10)
        self.assertIn('latency      no samples', outcome.out)

    def test_a_packet_at_the_wrong_port_has_strayed(self):
        wire = wire_name()
        a, b = sim(wire, 'mac=02:00:00:00:00:0a'), sim(wire, 'mac=02:00:00:00:00:0b')
        other = sim(wire_name())
        # What a sends is expected at a port on another wire, but arrives at b.
        report, _ = self.gen('--tx', a, '--rx', other, '--tx', other, '--rx', b, '--count', 50,
                             status=LOSS)
        self.assertEqual([flow['lost'] for flow in report['flows']], [50, 50])
        self.assertEqual(report['strayed'], 100)


class Ends(AppTest):
    """How a run ends when it does not end by itself."""

    def test_no_link(self):
        outcome = run(GEN, '--tx', 'sim:82540em', '--rx', 'sim:82540em', '--count', '1',
                      '--link-wait', '0.05')
        self.assertEqual(outcome.status, NO_LINK)
        self.assertEqual(len(outcome.said()), 1)
        self.assertIn('no link', outcome.err)

    def endless(self, *options):
        port = sim(wire_name())
        process = Process(self, GEN, '--tx', port, '--rx', port, '--rate', '1kpps', '--stats',
                          '0.05', *options)
        self.assertIsNotNone(process.line('sent'))
        return process

    def test_interrupted_as_intended(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                outcome = self.endless().finish(number)
                self.assertEqual(outcome.status, OK, outcome.err)
                self.assertIn('wire maximum', outcome.out)
                self.assertIn('lost 0', outcome.out)

    def test_interrupted_before_the_end(self):
        outcome = self.endless('--count', '1000000').finish(signal.SIGINT)
        self.assertEqual(outcome.status, NOT_DONE)
        self.assertIn('interrupted', outcome.err)
        self.assertIn('wire maximum', outcome.out)

    def test_link_that_goes_and_comes_is_told_with_the_time(self):
        a, b = f'shm:{wire_name()}', f'shm:{wire_name()}'
        relay = self.relay(a, b)
        process = Process(self, GEN, '--tx', sim(a), '--rx', sim(b), '--rate', '1kpps',
                          '--stats', '0.05', '--allow-loss', '--json', self.path('links.json'))
        self.assertIsNotNone(process.line('sent'))
        relay.process.stdin.close()
        relay.process.wait(TIMEOUT)
        process.error_line('link down')
        self.relay(a, b)
        process.error_line('link up')
        outcome = process.finish(signal.SIGINT)
        for port in (a, b):
            self.assertRegex(outcome.err, rf'port sim:82540em,wire={port}: link down at '
                             r'\d+\.\d s\n')
            self.assertRegex(outcome.err, rf'port sim:82540em,wire={port}: link up, 1000 Mbit/s, '
                             r'at \d+\.\d s\n')
        with open(self.path('links.json'), encoding='utf-8') as f:
            self.assertEqual([port['link_lost'] for port in json.load(f)['ports']], [1, 1])

    def test_the_peer_is_killed(self):
        self.leaves_wires = True
        a, b = f'shm:{wire_name()}', f'shm:{wire_name()}'
        relay = self.relay(a, b)
        process = Process(self, GEN, '--tx', sim(a), '--rx', sim(b), '--rate', '1kpps',
                          '--time', '3', '--stats', '0.05')
        self.assertIsNotNone(process.line('sent'))
        relay.signal(signal.SIGKILL)
        outcome = process.finish()
        self.assertIn(outcome.status, (NOT_DONE, LOSS), outcome.err)
        self.assertIn('wire maximum', outcome.out)

    def test_a_rate_the_wire_cannot_carry(self):
        port = sim(wire_name())
        outcome = run(GEN, '--tx', port, '--rx', port, '--count', '1', '--rate', '1488096pps')
        self.assertEqual(outcome.status, USAGE)
        self.assertIn('1488095', outcome.err)
        outcome = run(GEN, '--tx', port, '--rx', port, '--count', '1', '--rate', '1488095pps')
        self.assertEqual(outcome.status, OK, outcome.err)


class Surroundings(AppTest):
    """What the machine allows."""

    def loop(self, program=GEN, **options):
        port = sim(wire_name())
        done = subprocess.run([program, '--tx', port, '--rx', port, '--count', '100', '--drain',
                               '120'], capture_output=True, text=True, check=False,
                              timeout=TIMEOUT, **options)
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertIn('received 100 ', done.stdout)
        return done

    def test_needs_no_root(self):
        if os.geteuid() != 0:
            self.loop()
            return
        # A copy where nobody can read it; a folder of nobody's own for DPDK.
        os.chmod(self.folder, 0o755)
        program = shutil.copy(GEN, self.folder)
        os.chmod(program, 0o755)
        os.mkdir(self.path('run'))
        os.chown(self.path('run'), 65534, 65534)
        self.loop(program, user=65534, group=65534, extra_groups=[],
                  env={**os.environ, 'XDG_RUNTIME_DIR': self.path('run')})

    def test_keeps_to_its_cpus(self):
        last = max(os.sched_getaffinity(0))
        self.loop(preexec_fn=lambda: os.sched_setaffinity(0, {last}))

    def test_several_at_the_same_time(self):
        port = sim(wire_name())
        many = [Process(self, GEN, '--tx', port, '--rx', port, '--count', '1000', '--drain', '120')
                for _ in range(4)]
        # Of the same wire name, too: it is one inside each process.
        for process in many:
            outcome = process.finish()
            self.assertEqual(outcome.status, OK, outcome.err)
            self.assertIn('received 1,000 ', outcome.out)

    def kernel(self, setup, *options):
        """In a network of the test's own."""
        command = ' && '.join([*setup, shlex.join([GEN, *options])])
        try:
            outcome = run('unshare', '-Urn', 'sh', '-c', command)
        except FileNotFoundError:
            self.skipTest('no unshare')
        if 'unshare failed' in outcome.err or 'Operation not permitted' in outcome.err:
            self.skipTest('no network namespace allowed: ' + outcome.err.splitlines()[-1])
        self.assertEqual(outcome.status, OK, outcome.err)
        return outcome

    def test_over_a_pair_of_the_kernel(self):
        outcome = self.kernel(['ip link add v0 type veth peer name v1', 'ip link set v0 up',
                               'ip link set v1 up'],
                              '--tx', 'vdev:net_af_packet0,iface=v0',
                              '--rx', 'vdev:net_af_packet1,iface=v1', '--count', '500',
                              '--rate', '2kpps', '--size', 'imix', '--check', '--drain', '120')
        self.assertIn('sent 500  received 500  lost 0', outcome.out)

    def test_from_a_sim_to_the_kernel(self):
        outcome = self.kernel(['ip tuntap add t0 mode tap', 'ip link set t0 up'],
                              '--tx', sim('tap:t0'), '--rx', 'vdev:net_af_packet0,iface=t0',
                              '--count', '500', '--rate', '2kpps', '--check', '--drain', '120')
        self.assertIn('sent 500  received 500  lost 0', outcome.out)


class Throughput(AppTest):
    """The search of RFC 2544."""

    def search(self, tx, rx, *options, status=OK):
        return self.gen('--rfc2544', '--tx', tx, '--rx', rx, '--trial', 0.05, '--resolution', 10,
                        *options, status=status)

    def test_a_wire_alone(self):
        port = sim(wire_name())
        report, outcome = self.search(port, port, '--sizes', '64,1518', '--rxd', 4096)
        self.assertEqual([test['size'] for test in report['tests']], [64, 1518])
        for test in report['tests']:
            self.assertAlmostEqual(test['wire_max_pps'], wire_max(test['size']), places=1)
            self.assertTrue(0 < test['throughput_pps'] <= test['wire_max_pps'] * 1.001)
            self.assertAlmostEqual(test['percent'],
                                   test['throughput_pps'] / test['wire_max_pps'] * 100, places=4)
        # The throughput is that of the best clean trial, and every trial is on record.
        for test in report['tests']:
            trials = [t for t in report['trials'] if t['size'] == test['size']]
            self.assertEqual(len(trials), test['trials'])
            self.assertEqual(trials[0]['asked_percent'], 100)
            best = max(t['offered_percent'] for t in trials if t['clean'])
            self.assertAlmostEqual(test['percent'], best, places=6)
            self.assertEqual([t['lost'] == 0 for t in trials], [t['clean'] for t in trials])
        self.assertIn('1,488,095', outcome.out)
        self.assertIn('RFC 2544 asks for 60 s', outcome.out)

    def test_a_device_that_passes_nothing(self):
        a, b = f'shm:{wire_name()}', f'shm:{wire_name()}'
        self.relay(a, b, 'sink')
        report, outcome = self.search(sim(a), sim(b), '--sizes', 64, '--drain', 0.01, status=LOSS)
        self.assertEqual(report['tests'][0]['throughput_pps'], 0)
        self.assertIsNone(report['tests'][0]['latency_us'])
        self.assertIn('lost at every rate', outcome.err)


if __name__ == '__main__':
    unittest.main(verbosity=2)
