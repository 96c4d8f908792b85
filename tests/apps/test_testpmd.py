#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors

"""DPDK's own testpmd as a foreign program: the plugin, two sims on one wire, its counters."""

import os
import pty
import re
import select
import shutil
import subprocess
import tempfile
import time
import unittest

from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
from scapy.packet import Raw
from scapy.utils import rdpcap, wrpcap

from harness import TIMEOUT, wire_name

PLUGIN = os.environ['POLLWIRE_PLUGIN']
PROMPT = b'testpmd> '
MACS = ('02:00:00:00:00:0a', '02:00:00:00:00:0b')


def environment():
    # By its name, not its path: EAL refuses a path that has a world-writable parent.
    env = {**os.environ, 'LD_LIBRARY_PATH': os.path.dirname(PLUGIN)}
    if os.environ.get('POLLWIRE_PRELOAD'):
        env['LD_PRELOAD'] = os.environ['POLLWIRE_PRELOAD']
        # What testpmd itself does not give back is not ours to judge.
        env['ASAN_OPTIONS'] = 'detect_leaks=0'
    return env


class Foreign(unittest.TestCase):
    """testpmd, with two sims."""

    CHIP = '82540em'
    OPTIONS = ()

    def wires(self):
        """What each of the two is plugged into."""
        return [wire_name()] * 2

    def setUp(self):
        cpus = ','.join(map(str, sorted(os.sched_getaffinity(0))))
        command = ['dpdk-testpmd', '-d', os.path.basename(PLUGIN),
                   f'--lcores=0@({cpus}),1@({cpus})', '--no-huge', '-m', '128', '--no-pci',
                   '--no-shconf', '--no-telemetry', '--iova-mode=va']
        for number, (mac, wire) in enumerate(zip(MACS, self.wires())):
            command.append(f'--vdev=net_pw_sim{number},chip={self.CHIP},wire={wire},mac={mac}')
        command += ['--', '-i', '--total-num-mbufs=8192', '--rxd=512', '--txd=512', *self.OPTIONS]
        # A terminal: into a pipe testpmd would write its answers after the next prompt.
        self.terminal, terminal = pty.openpty()
        self.process = subprocess.Popen(command, stdin=terminal, stdout=terminal,
                                        stderr=terminal, env=environment())
        os.close(terminal)
        self.addCleanup(self.end)
        self.started = self.read()

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.terminal)

    def read(self, end=PROMPT):
        """All up to the next prompt, or another end."""
        got, deadline = b'', time.monotonic() + TIMEOUT
        while not got.endswith(end):
            wait = deadline - time.monotonic()
            ready, _, _ = select.select([self.terminal], [], [], max(wait, 0))
            try:
                part = os.read(self.terminal, 65536) if ready else b''
            except OSError:  # it has ended
                part = b''
            if not part:
                self.fail(f'testpmd says no more:\n{got.decode(errors="replace")}')
            got += part
        return got.decode(errors='replace')

    def do(self, *commands):
        """Give commands; what the last one said."""
        for command in commands:
            os.write(self.terminal, command.encode() + b'\n')
            said = self.read()
            self.assertNotIn('Bad arguments', said)
            self.assertNotIn('Command not found', said)
        return said

    def stats(self, port):
        said = self.do(f'show port stats {port}')
        return {key: int(value) for key, value in re.findall(r'([RT]X-[\w-]+):\s*(\d+)', said)}

    def xstats(self, port):
        said = self.do(f'show port xstats {port}')
        return {key: int(value) for key, value in re.findall(r'^(\w+): (\d+)', said, re.M)}

    def until(self, condition, what):
        """testpmd's own counters are looked at again and again."""
        deadline = time.monotonic() + TIMEOUT
        while not condition():
            if time.monotonic() > deadline:
                self.fail(f'never: {what}')

    def circulate(self, at_least=2000):
        """A burst from each port goes round and round."""
        self.do('start tx_first')
        self.until(lambda: min(self.stats(port)['RX-packets'] for port in (0, 1)) >= at_least,
                   f'{at_least} packets at both ports')
        return self.do('stop')

    def check_conserved(self, under_way):
        for port in (0, 1):
            sent = self.stats(port)['TX-packets']
            other = self.stats(1 - port)
            arrived = other['RX-packets'] + other['RX-missed']
            self.assertTrue(0 <= sent - arrived <= under_way, (sent, arrived))
            self.assertEqual(other['RX-errors'], 0)

    def quit(self):
        os.write(self.terminal, b'quit\n')
        self.read(b'Bye...\r\n')
        self.assertEqual(self.process.wait(TIMEOUT), 0)


class Testpmd(Foreign):
    def test_io(self):
        self.do('set fwd io')
        said = self.circulate()
        # Forward statistics of testpmd and the port's counters are of one mind.
        forwarded = re.findall(r'RX-packets: (\d+)\s+RX-dropped: (\d+)', said)
        self.assertEqual(len(forwarded), 3)
        self.assertEqual(sum(int(n) for n, _ in forwarded[:2]), int(forwarded[2][0]))
        self.check_conserved(under_way=64)
        self.quit()

    def test_mac(self):
        # With the filters on, only packets with the right address go round.
        self.do('set fwd mac', 'set promisc all off', f'set eth-peer 0 {MACS[1]}',
                f'set eth-peer 1 {MACS[0]}')
        self.circulate()
        self.check_conserved(under_way=64)
        self.quit()

    def test_txonly_and_rxonly(self):
        self.do('set fwd txonly', 'start')
        self.until(lambda: min(self.stats(port)['TX-packets'] for port in (0, 1)) >= 20000,
                   '20000 packets sent')
        self.do('stop', 'set fwd rxonly', 'start')

        def all_arrived():
            ports = [{**self.stats(port), **self.xstats(port)} for port in (0, 1)]
            # A chip whose ring is full says so with PAUSE frames, which share the wire.
            sent = [p['TX-packets'] + p['tx_xon_packets'] + p['tx_xoff_packets'] for p in ports]
            got = [p['RX-packets'] + p['RX-missed'] + p['rx_xon_packets'] + p['rx_xoff_packets']
                   for p in ports]
            return sent == got[::-1]
        # Nobody sends any more: every packet sent has been received or missed.
        self.until(all_arrived, 'every packet accounted for')
        self.do('stop')
        for port in (0, 1):
            stats = self.stats(port)
            self.assertGreater(stats['RX-packets'], 0)
            # 60 bytes without, 64 with FCS in txonly mode.
            self.assertIn(stats['TX-bytes'] / stats['TX-packets'], (60, 64))
        self.quit()

    def test_csum_by_hardware(self):
        self.do('port stop all')
        for port in (0, 1):
            self.do(f'csum set ip hw {port}', f'csum set udp hw {port}',
                    f'port config {port} rx_offload ipv4_cksum on',
                    f'port config {port} rx_offload udp_cksum on')
        self.do('port start all', 'set fwd csum')
        said = self.circulate()
        bad = re.findall(r'Bad-ipcsum: (\d+)\s+Bad-l4csum: (\d+)', said)
        self.assertGreaterEqual(len(bad), 2, said)
        self.assertEqual(set(bad), {('0', '0')})
        self.check_conserved(under_way=64)
        self.quit()

    def test_stop_and_start(self):
        self.circulate(500)
        for _ in range(3):
            self.do('port stop 0', 'port start 0')
            self.do('port stop all', 'port start all', 'clear port stats all')
            self.circulate(500)
        self.quit()

    def test_xstats(self):
        self.circulate(500)
        stats = self.stats(0)
        xstats = self.xstats(0)
        self.assertEqual(xstats['rx_good_packets'], stats['RX-packets'])
        self.assertEqual(xstats['tx_good_packets'], stats['TX-packets'])
        self.assertEqual(xstats['rx_good_bytes'], stats['RX-bytes'])
        # Beside ethdev's own there are the chip's.
        self.assertGreater(len(xstats), 30)
        self.do('clear port xstats all')
        self.assertEqual(self.xstats(0)['rx_good_packets'], 0)
        self.quit()

    def test_descriptors(self):
        # Nothing has arrived: the chip may fill it. The next one to send is free.
        self.assertIn('AVAILABLE', self.do('show port 0 rxq 0 desc 3 status'))
        self.assertIn('DONE', self.do('show port 0 txq 0 desc 0 status'))
        self.do('set fwd txonly', 'start')
        self.until(lambda: self.stats(1)['RX-missed'] > 0, 'a full ring')
        self.do('stop')
        self.assertIn('DONE', self.do('show port 1 rxq 0 desc 3 status'))
        self.quit()

    def test_link_and_info(self):
        said = self.do('show port info 0')
        for text in (MACS[0].upper(), 'Driver name: net_pw_sim', 'Link status: up',
                     'Link speed: 1 Gbps', 'Link duplex: full-duplex'):
            self.assertIn(text, said)
        self.do('port stop 1')
        self.do('port start 1')
        self.quit()


class FastEthernet(Foreign):
    """The 82559C: sums what it receives, and leaves what it sends alone."""

    CHIP = '82559c'

    test_io = Testpmd.test_io
    test_mac = Testpmd.test_mac
    test_stop_and_start = Testpmd.test_stop_and_start

    def test_info(self):
        said = self.do('show port info 0')
        for text in (MACS[0].upper(), 'Driver name: net_pw_sim', 'Link speed: 100 Mbps',
                     'Link duplex: full-duplex', 'Max possible number of RXDs per queue: 4096'):
            self.assertIn(text, said)
        self.quit()


class Offloads(Foreign):
    """The 82551 computes checksums both ways, tags, and segments."""

    CHIP = '82551'

    test_csum_by_hardware = Testpmd.test_csum_by_hardware


class Segments(Foreign):
    """From capture to capture through two 82551; tshark judges what the second one made."""

    CHIP = '82551'
    # The capture is played as soon as somebody listens, once.
    OPTIONS = ('--disable-device-start', '--no-flush-rx')
    # The last one makes a frame of 60 bytes: what is shorter is no frame.
    PAYLOADS = (1460, 1000, 536, 537, 6)
    MSS = 536

    def wires(self):
        folder = tempfile.TemporaryDirectory(prefix='pollwire-')
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.out = os.path.join(self.folder, 'out.pcap')
        data = bytes(i * 7 & 0xff for i in range(sum(self.PAYLOADS)))
        packets, at = [], 0
        for length in self.PAYLOADS:
            packets.append(Ether(src='02:00:00:00:11:11', dst=MACS[0]) /
                           IP(src='198.18.0.1', dst='198.19.0.1', id=100) /
                           TCP(sport=5001, dport=5002, seq=1000 + at, flags='PA') /
                           Raw(data[at:at + length]))
            at += length
        self.data = data
        wrpcap(os.path.join(self.folder, 'in.pcap'), packets)
        return [f'pcap:in={self.folder}/in.pcap', f'pcap:out={self.out}']

    def forward(self, frames, *commands):
        self.do(*commands, 'port start all', 'start')
        self.until(lambda: self.frames() >= frames, f'{frames} frames in the capture')
        self.do('stop')
        self.quit()

    def frames(self):
        try:
            return len(rdpcap(self.out))
        except Exception:  # its last record not whole
            return 0

    def tshark(self, *fields):
        if shutil.which('tshark') is None:
            self.skipTest('no tshark')
        command = ['tshark', '-r', self.out, '-o', 'ip.check_checksum:TRUE', '-o',
                   'tcp.check_checksum:TRUE', '-o', 'tcp.relative_sequence_numbers:FALSE', '-T',
                   'fields']
        for field in fields:
            command += ['-e', field]
        done = subprocess.run(command, capture_output=True, text=True, check=True,
                              env={**os.environ, 'HOME': self.folder})
        return [tuple(line.split('\t')) for line in done.stdout.splitlines()]

    def test_tshark_puts_the_segments_together(self):
        lengths = [min(self.MSS, length - at) for length in self.PAYLOADS
                   for at in range(0, length, self.MSS)]
        self.forward(len(lengths), 'set fwd csum', 'csum set ip hw 1', 'csum set tcp hw 1',
                     f'tso set {self.MSS} 1')
        rows = self.tshark('tcp.len', 'tcp.seq', 'ip.checksum.status', 'tcp.checksum.status',
                           'tcp.payload', '_ws.malformed', 'tcp.analysis.flags')
        self.assertEqual([int(row[0]) for row in rows], lengths)
        self.assertEqual([int(row[1]) for row in rows],
                         [1000 + sum(lengths[:i]) for i in range(len(lengths))])
        # 1 is "good" to tshark.
        self.assertEqual({row[2:4] for row in rows}, {('1', '1')})
        self.assertEqual(b''.join(bytes.fromhex(row[4]) for row in rows), self.data)
        self.assertEqual({row[5:] for row in rows}, {('', '')})

    def test_tshark_sees_the_tag_that_the_chip_inserted(self):
        self.forward(len(self.PAYLOADS), 'set fwd mac', 'tx_vlan set 1 42')
        rows = self.tshark('vlan.id', 'tcp.len', 'ip.checksum.status', 'tcp.checksum.status')
        self.assertEqual(rows, [('42', str(length), '1', '1') for length in self.PAYLOADS])


if __name__ == '__main__':
    unittest.main(verbosity=2)
