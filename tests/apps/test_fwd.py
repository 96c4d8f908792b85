#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors

"""The forwarder between generators and captures: every packet is accounted for."""

import os
import re
import signal
import time
import unittest

from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Dot1Q, Ether
from scapy.packet import Raw
from scapy.utils import rdpcap, wrpcap

from harness import AppTest, OK, USAGE, run, sim, wire_name, FWD


class Accounting(AppTest):
    """Generator, wire, forwarder, wire, generator: two processes."""

    def check(self, report):
        """What holds whatever the speed of this machine."""
        self.assertTrue(report['accounted'])
        for way in report['directions']:
            self.assertEqual(way['received'], way['sent'] + way['dropped'])
            self.assertEqual(way['dropped'], sum(way['reasons'].values()))

    def test_nothing_is_lost_at_a_low_rate(self):
        a, b = f'shm:{wire_name()}', f'shm:{wire_name()}'
        fwd = self.fwd('--port', sim(a), '--port', sim(b), '--rxd', 4096, '--txd', 4096)
        flow = self.one_flow('--tx', sim(a), '--rx', sim(b), '--count', 3000, '--rate', '5kpps',
                             '--size', 'imix', '--check', '--rxd', 4096, '--link-wait', 60)
        self.assertEqual(flow['received'], 3000)
        report, outcome = self.stop_fwd(fwd)
        self.check(report)
        there, back = report['directions']
        self.assertEqual((there['received'], there['sent']), (3000, 3000))
        self.assertEqual((back['received'], back['sent']), (0, 0))
        self.assertEqual(report['ports'][0]['rx_packets'], 3000)
        self.assertEqual(report['ports'][1]['tx_packets'], 3000)
        self.assertIn('received 3,000  sent 3,000  dropped 0', outcome.out)
        self.assertIn('link up, 1000 Mbit/s', outcome.err)

    def test_between_fast_and_gigabit_ethernet(self):
        for first, second, mbps in (('82551', '82540em', 1000), ('82540em', '82551', 100)):
            with self.subTest(f'{first} -> {second}'):
                a = sim(f'shm:{wire_name()}', chip=first)
                b = sim(f'shm:{wire_name()}', chip=second)
                fwd = self.fwd('--port', a, '--port', b, '--rxd', 4096, '--txd', 4096)
                report, _ = self.gen('--tx', a, '--rx', b, '--tx', b, '--rx', a, '--count', 2000,
                                     '--rate', '4kpps', '--size', 'imix', '--check', '--rxd',
                                     4096, '--link-wait', 60)
                self.assertEqual([flow['received'] for flow in report['flows']], [2000, 2000])
                report, outcome = self.stop_fwd(fwd)
                self.check(report)
                self.assertEqual([way['sent'] for way in report['directions']], [2000, 2000])
                self.assertIn(f'port {b}: link up, {mbps} Mbit/s', outcome.err)

    def test_overload_is_counted_to_the_packet(self):
        a, b = f'shm:{wire_name()}', f'shm:{wire_name()}'
        fwd = self.fwd('--port', sim(a, 'buffer=65536'), '--port', sim(b), '--rxd', 64, '--txd',
                       32)
        report, _ = self.gen('--tx', sim(a), '--rx', sim(b, 'buffer=65536'), '--count', 200000,
                             '--allow-loss', '--link-wait', 60, '--drain', 3)
        flow, ports = report['flows'][0], report['ports']
        self.assertEqual(flow['sent'], 200000)
        forwarded, _ = self.stop_fwd(fwd)
        self.check(forwarded)
        first, second = forwarded['ports']
        self.assertEqual(flow['sent'], first['rx_packets'] + first['rx_missed'] +
                         first['rx_nombuf'])
        self.assertEqual(first['rx_packets'], forwarded['directions'][0]['received'])
        self.assertEqual(second['tx_packets'], forwarded['directions'][0]['sent'])
        self.assertEqual(second['tx_packets'], flow['received'] + ports[1]['rx_missed'] +
                         ports[1]['rx_nombuf'])
        self.assertEqual(flow['lost'], flow['sent'] - flow['received'])

    def test_both_ways_on_two_cpus(self):
        cpus = sorted(os.sched_getaffinity(0))
        if len(cpus) < 2:
            self.skipTest('one CPU')
        a, b = f'shm:{wire_name()}', f'shm:{wire_name()}'
        fwd = self.fwd('--port', sim(a), '--port', sim(b), '--rxd', 4096, '--txd', 4096,
                       '--lcores', f'{cpus[0]},{cpus[1]}')
        report, _ = self.gen('--tx', sim(a), '--rx', sim(b), '--tx', sim(b), '--rx', sim(a),
                             '--count', 2000, '--rate', '4kpps', '--rxd', 4096, '--link-wait', 60)
        self.assertEqual([flow['received'] for flow in report['flows']], [2000, 2000])
        report, _ = self.stop_fwd(fwd)
        self.check(report)
        self.assertEqual([way['sent'] for way in report['directions']], [2000, 2000])

    def test_two_pairs(self):
        wires = [f'shm:{wire_name()}' for _ in range(4)]
        ports = [word for wire in wires for word in ('--port', sim(wire))]
        fwd = self.fwd(*ports, '--rxd', 1024, '--txd', 1024)
        report, _ = self.gen('--tx', sim(wires[0]), '--rx', sim(wires[1]),
                             '--tx', sim(wires[3]), '--rx', sim(wires[2]),
                             '--count', 500, '--rate', '1kpps', '--link-wait', 60)
        self.assertEqual([flow['received'] for flow in report['flows']], [500, 500])
        report, _ = self.stop_fwd(fwd)
        self.check(report)
        self.assertEqual([way['sent'] for way in report['directions']], [500, 0, 0, 500])

    def test_the_other_side_is_killed(self):
        self.leaves_wires = True
        a, b = f'shm:{wire_name()}', f'shm:{wire_name()}'
        fwd = self.fwd('--port', sim(a), '--port', sim(b), '--stats', 0.05)
        relay = self.relay(a, b)
        self.assertIsNotNone(fwd.line('pps'))
        relay.signal(signal.SIGKILL)
        relay.finish()
        # It goes on, and the next one may come.
        self.relay(a, b)
        report, _ = self.stop_fwd(fwd, signal.SIGINT)
        self.check(report)

    def test_stops_by_itself(self):
        outcome = run(FWD, '--port', sim(wire_name()), '--port', sim(wire_name()), '--time', '0.1')
        self.assertEqual(outcome.status, OK, outcome.err)
        self.assertIn('received 0  sent 0  dropped 0', outcome.out)


class Frames(AppTest):
    """From capture file to capture file, as scapy made and reads them."""

    def setUp(self):
        super().setUp()
        self.sent = [Ether(src='02:00:00:00:11:11', dst='02:00:00:00:22:22') / packet
                     for packet in self.packets()]
        wrpcap(self.path('in.pcap'), self.sent)

    @staticmethod
    def packets():
        for length in (18, 19, 100, 1472):
            yield IP(dst='198.19.0.1') / UDP(sport=1, dport=2) / Raw(b'x' * length)
        yield Dot1Q(vlan=42) / IP(dst='198.19.0.1') / UDP() / Raw(b'tagged' * 10)

    def forward(self, *options):
        out = self.path('out.pcap')
        fwd = self.fwd('--port', sim(f'pcap:in={self.path("in.pcap")}'),
                       '--port', sim(f'pcap:out={out}', 'mac=02:00:00:00:33:33'),
                       '--stats', 0.05, *options)
        # Until all are through: the capture tells.
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            line = fwd.line('pps')
            if line is None or self.frames_in(out) >= len(self.sent):
                break
        report, _ = self.stop_fwd(fwd)
        self.assertTrue(report['accounted'])
        self.assertEqual(report['directions'][0]['sent'], len(self.sent))
        return rdpcap(out)

    @staticmethod
    def frames_in(path):
        try:
            return len(rdpcap(path))
        except Exception:  # not there yet, or its last record not whole
            return 0

    def test_what_waits_in_a_slow_ports_ring_is_sent_before_the_stop(self):
        # 4000 frames of 1518 bytes are there at once, and take 492 ms at 100 Mbit/s. The port
        # counts what it puts into its ring.
        frame = Ether(src='02:00:00:00:11:11', dst='02:00:00:00:22:22') / Raw(b'x' * 1500)
        wrpcap(self.path('in.pcap'), [frame] * 4000)
        out = self.path('out.pcap')
        fwd = self.fwd('--port', sim(f'pcap:in={self.path("in.pcap")}'), '--port',
                       sim(f'pcap:out={out}', 'pace=on', chip='82551'), '--rxd', 4096, '--txd',
                       4096)
        report, _ = self.stop_fwd(fwd)
        self.assertTrue(report['accounted'])
        self.assertEqual(self.frames_in(out), report['directions'][0]['sent'])

    def test_capture_damaged_in_its_middle_is_named(self):
        # Behind the file's header of 24 bytes and the first record, a record that cannot be.
        path, out = self.path('in.pcap'), self.path('out.pcap')
        with open(path, 'r+b') as f:
            f.seek(24 + 16 + len(self.sent[0]) + 8)
            f.write(b'\xff' * 8)
        fwd = self.fwd('--port', sim(f'pcap:in={path}'), '--port', sim(f'pcap:out={out}'),
                       '--stats', 0.05)
        fwd.error_line('damaged')
        report, outcome = self.stop_fwd(fwd)
        self.assertEqual(len(re.findall(rf'wire pcap: {path} is damaged, the rest of it is left '
                                        'out: .', outcome.err)), 1, outcome.err)
        self.assertEqual(report['directions'][0]['sent'], 1)
        self.assertEqual([bytes(p) for p in rdpcap(out)], [bytes(self.sent[0])])

    def test_io_mode_changes_nothing(self):
        got = self.forward()
        self.assertEqual([bytes(p) for p in got], [bytes(p) for p in self.sent])

    def test_mac_mode_changes_the_source_only(self):
        got = self.forward('--mode', 'mac')
        self.assertEqual({p[Ether].src for p in got}, {'02:00:00:00:33:33'})
        self.assertEqual({p[Ether].dst for p in got}, {'02:00:00:00:22:22'})
        self.assertEqual([bytes(p)[12:] for p in got], [bytes(p)[12:] for p in self.sent])

    def test_mac_mode_with_a_peer(self):
        got = self.forward('--mode', 'mac', '--peer', '02:00:00:00:00:01', '--peer',
                           '02:00:00:00:44:44')
        self.assertEqual({p[Ether].dst for p in got}, {'02:00:00:00:44:44'})
        self.assertEqual([bytes(p)[12:] for p in got], [bytes(p)[12:] for p in self.sent])


class Refusals(AppTest):
    def test_one_port_twice(self):
        port = sim(f'shm:{wire_name()}')
        outcome = run(FWD, '--port', port, '--port', port)
        self.assertEqual(outcome.status, USAGE)
        self.assertEqual(len(outcome.said()), 1)


if __name__ == '__main__':
    unittest.main(verbosity=2)
