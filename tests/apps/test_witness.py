#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors

"""scapy and tshark judge what the generator puts on the wire."""

import os
import shutil
import subprocess
import unittest

from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Dot1Q, Ether
from scapy.utils import rdpcap

from harness import AppTest, sim

COUNT = 300


class Witness(AppTest):
    CHIP = '82540em'

    def capture(self, *options):
        """Send into a capture file; nothing comes back from there."""
        path = self.path('out.pcap')
        port = sim(f'pcap:out={path}', 'mac=02:00:00:00:00:01', chip=self.CHIP)
        flow = self.one_flow('--tx', port, '--rx', port, '--count', COUNT, '--allow-loss',
                             '--drain', 0.01, *options)
        self.assertEqual(flow['sent'], COUNT)
        return path

    def tshark(self, path, *fields):
        if shutil.which('tshark') is None:
            self.skipTest('no tshark')
        command = ['tshark', '-r', path, '-o', 'ip.check_checksum:TRUE',
                   '-o', 'udp.check_checksum:TRUE', '-T', 'fields']
        for field in fields:
            command += ['-e', field]
        done = subprocess.run(command, capture_output=True, text=True, check=True,
                              env={**os.environ, 'HOME': self.folder})
        return [tuple(line.split('\t')) for line in done.stdout.splitlines()]

    def both_ways(self):
        """Checksums by the chip, and by the generator."""
        for cksum in ('auto', 'sw'):
            with self.subTest(cksum):
                yield ('--cksum', cksum)

    def check_scapy(self, packet, size):
        self.assertEqual(len(packet), size - 4)
        ip, udp = packet[IP], packet[UDP]
        self.assertEqual(ip.len, len(bytes(ip)))
        self.assertEqual(udp.len, ip.len - 20)
        claimed = (ip.chksum, udp.chksum)
        again = packet.copy()
        del again[IP].chksum, again[UDP].chksum
        again = Ether(bytes(again))
        self.assertEqual(claimed, (again[IP].chksum, again[UDP].chksum))

    def test_defaults(self):
        for cksum in self.both_ways():
            packets = rdpcap(self.capture(*cksum))
            self.assertEqual(len(packets), COUNT)
            for number, packet in enumerate(packets):
                self.check_scapy(packet, 64)
                self.assertEqual((packet.src, packet.dst),
                                 ('02:00:00:00:00:01', '02:00:00:00:00:01'))
                self.assertEqual((packet[IP].src, packet[IP].dst), ('198.18.0.1', '198.19.0.1'))
                self.assertEqual((packet[UDP].sport, packet[UDP].dport), (49152, 9))
                header = bytes(packet[UDP].payload)
                self.assertEqual(header[:2], b'pw')
                self.assertEqual(int.from_bytes(header[4:8], 'big'), number)

    def test_every_address_and_a_tag(self):
        for cksum in self.both_ways():
            packets = rdpcap(self.capture(
                '--src-mac', '02:11:22:33:44:55', '--dst-mac', '02:66:77:88:99:aa',
                '--src-ip', '10.1.2.3', '--dst-ip', '172.16.255.254', '--sport', 1, '--dport',
                65535, '--vlan', 4094, '--size', 128, *cksum))
            for packet in packets:
                self.check_scapy(packet, 128)
                self.assertEqual((packet.src, packet.dst),
                                 ('02:11:22:33:44:55', '02:66:77:88:99:aa'))
                self.assertEqual(packet[Dot1Q].vlan, 4094)
                self.assertEqual((packet[IP].src, packet[IP].dst), ('10.1.2.3', '172.16.255.254'))
                self.assertEqual((packet[UDP].sport, packet[UDP].dport), (1, 65535))

    def test_tshark_finds_no_bad_checksum(self):
        # 1 is "good" to tshark (ip.checksum.status, udp.checksum.status).
        for cksum in self.both_ways():
            rows = self.tshark(self.capture('--size', '64-363', *cksum), 'frame.len',
                               'ip.checksum.status', 'udp.checksum.status')
            self.assertEqual({row[1:] for row in rows}, {('1', '1')})
            self.assertEqual(sorted(int(row[0]) for row in rows), list(range(60, 360)))

    def test_tshark_sees_the_tag(self):
        for cksum in self.both_ways():
            rows = self.tshark(self.capture('--vlan', 7, *cksum), 'vlan.id', 'frame.len',
                               'ip.src', 'ip.checksum.status', 'udp.checksum.status')
            self.assertEqual(set(rows), {('7', '60', '198.18.0.1', '1', '1')})
            self.assertEqual(len(rows), COUNT)

    def test_tshark_finds_nothing_malformed(self):
        rows = self.tshark(self.capture('--size', 'imix'), '_ws.malformed', 'frame.len')
        self.assertEqual({row[0] for row in rows}, {''})
        self.assertEqual({row[1] for row in rows}, {'60', '590', '1514'})


class FastEthernet(Witness):
    """The 82551 computes both checksums."""

    CHIP = '82551'


if __name__ == '__main__':
    unittest.main(verbosity=2)
