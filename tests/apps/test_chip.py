#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
"""pollwire-chip before a vfio-user client that knows only the specification.

usage: test_chip.py PROGRAM [unittest arguments]

Register offsets and descriptor bits are typed from Intel's 8254x manual (sections 3 and 13).
"""
import errno
import os
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import vfio_user as vfu

PROGRAM = None
MAC = bytes.fromhex('025077000001')

CTRL, STATUS, ICR, ITR, ICS, IMS, IMC = 0x0, 0x8, 0xc0, 0xc4, 0xc8, 0xd0, 0xd8
RCTL, TCTL, RDBAL, TDBAL, RAL0, RAH0 = 0x100, 0x400, 0x2800, 0x3800, 0x5400, 0x5404
BAH, LEN, HEAD, TAIL = 0x4, 0x8, 0x10, 0x18     # from RDBAL, TDBAL
CTRL_SLU, CTRL_RST, STATUS_LU = 1 << 6, 1 << 26, 1 << 1
CAUSE_TXDW, CAUSE_LSC, CAUSE_RXT0 = 1 << 0, 1 << 2, 1 << 7
RCTL_ON = 1 << 1 | 1 << 3 | 1 << 15 | 1 << 26   # EN, UPE, BAM, SECRC; 2048-byte buffers
TCTL_ON = 1 << 1 | 1 << 3 | 0x0f << 4 | 0x40 << 12
TX_CMD = 1 << 0 | 1 << 1 | 1 << 3               # EOP, IFCS, RS
UNDEFINED_REGISTER = 0x6000                     # between all that section 13 lists

PAGE = 4096
RING_RX, RING_TX, BUFFERS = 0x1000, 0x2000, 0x10000
DESCRIPTORS = 8


def frame(length, seed):
    body = bytes((seed + 7 * i) & 0xff for i in range(length - 14))
    return MAC + bytes.fromhex('025077000002') + b'\x88\xb5' + body


def write_pcap(path, frames):
    with open(path, 'wb') as f:
        f.write(struct.pack('=IHHiIII', 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1))
        for data in frames:
            f.write(struct.pack('=IIII', 0, 0, len(data), len(data)) + data)


def read_pcap(path):
    with open(path, 'rb') as f:
        data = f.read()
    frames, at = [], 24
    while at < len(data):
        length = struct.unpack_from('=I', data, at + 8)[0]
        frames.append(data[at + 16:at + 16 + length])
        at += 16 + length
    return frames


class Server:
    """A running pollwire-chip."""

    def __init__(self, folder, *options, chip='82540em'):
        self.path = os.path.join(folder, 'chip.sock')
        self.control_path = os.path.join(folder, 'control.sock')
        self.log = open(os.path.join(folder, 'stderr'), 'w+')
        self.process = subprocess.Popen(
            [PROGRAM, '--chip', chip, '--socket', self.path, '--control', self.control_path,
             '--mac', MAC.hex(':'), '--autoneg', '0', *options],
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        ready = self.process.stdout.readline()
        if f'{chip} listens on {self.path}' not in ready:
            self.process.wait()
            raise AssertionError(f'{ready!r} {self.said()}')
        self.control_sock = None

    def client(self, **options):
        return vfu.Client(self.path, **options)

    def control(self, line):
        if self.control_sock is None:
            self.control_sock = socket.socket(socket.AF_UNIX)
            self.control_sock.settimeout(vfu.TIMEOUT)
            self.control_sock.connect(self.control_path)
        self.control_sock.sendall(line.encode() + b'\n')
        answer = b''
        while not answer.endswith(b'\n'):
            answer += self.control_sock.recv(256) or b' (the end)\n'
        return answer.decode().rstrip('\n')

    def said(self):
        self.log.seek(0)
        return self.log.read()

    def stop(self, number=signal.SIGTERM):
        """(exit status, summary line)"""
        self.process.send_signal(number)
        out, _ = self.process.communicate(timeout=vfu.TIMEOUT)
        return self.process.returncode, out.strip()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()
        self.process.stdout.close()
        if self.control_sock is not None:
            self.control_sock.close()
        self.log.close()


class ChipTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def serve(self, *options, **more):
        server = Server(self.folder, *options, **more)
        self.addCleanup(server.kill)
        return server

    def client(self, server, **options):
        client = server.client(**options)
        self.addCleanup(client.close)
        return client

    def refused(self, number, call, *arguments, **named):
        with self.assertRaises(vfu.Refused) as caught:
            call(*arguments, **named)
        self.assertEqual(errno.errorcode[caught.exception.errno], errno.errorcode[number])

    def until(self, what, condition):
        limit = time.monotonic() + vfu.TIMEOUT
        while not condition():
            self.assertLess(time.monotonic(), limit, what)
            time.sleep(0.001)  # poll


class Guest:
    """A driver for the 82540EM, just enough of it: one ring each way."""

    def __init__(self, client, base=0, page_by_page=False):
        self.client = client
        self.base = base
        self.size = 0x20000
        self.fd, self.ram = vfu.memory(self.size)
        self.ram[0:8] = b'firmware'
        client.enable()
        step = PAGE if page_by_page else self.size
        for at in range(0, self.size, step):
            client.dma_map(base + at, step, self.fd, offset=at)
        self.event = os.eventfd(0, os.EFD_NONBLOCK)
        client.set_irqs(vfu.DATA_EVENTFD | vfu.ACTION_TRIGGER, fds=[self.event])
        client.wr(CTRL, CTRL_SLU)
        self.rx_slot = self.tx_slot = 0
        for reg, ring in ((RDBAL, RING_RX), (TDBAL, RING_TX)):
            client.wr(reg, (base + ring) & 0xffffffff)
            client.wr(reg + BAH, (base + ring) >> 32)
            client.wr(reg + LEN, DESCRIPTORS * 16)
            client.wr(reg + HEAD, 0)
            client.wr(reg + TAIL, 0)
        for slot in range(DESCRIPTORS):
            struct.pack_into('=QQ', self.ram, RING_RX + 16 * slot, base + BUFFERS + 2048 * slot, 0)

    def close(self):
        os.close(self.event)
        self.ram.close()
        os.close(self.fd)

    def start(self):
        self.client.wr(TCTL, TCTL_ON)
        self.client.wr(RCTL, RCTL_ON)
        self.client.wr(RDBAL + TAIL, DESCRIPTORS - 1)

    def interrupted(self, wait=vfu.TIMEOUT):
        """How often the eventfd was signalled, 0 after `wait` seconds."""
        if not select.select([self.event], [], [], wait)[0]:
            return 0
        return os.eventfd_read(self.event)

    def received(self):
        """The next frame if there is one."""
        at = RING_RX + 16 * self.rx_slot
        address, length, _, status, errors, _ = struct.unpack_from('=QHHBBH', self.ram, at)
        if not status & 1:
            return None
        assert status & 2 and not errors
        data = self.ram[address - self.base:address - self.base + length]
        struct.pack_into('=QQ', self.ram, at, address, 0)
        self.client.wr(RDBAL + TAIL, self.rx_slot)
        self.rx_slot = (self.rx_slot + 1) % DESCRIPTORS
        return data

    def send(self, data, at=BUFFERS + DESCRIPTORS * 2048):
        self.ram[at:at + len(data)] = data
        struct.pack_into('=QHBBBBH', self.ram, RING_TX + 16 * self.tx_slot, self.base + at,
                         len(data), 0, TX_CMD, 0, 0, 0)
        done = RING_TX + 16 * self.tx_slot + 12
        self.tx_slot = (self.tx_slot + 1) % DESCRIPTORS
        self.client.wr(TDBAL + TAIL, self.tx_slot)
        self.client.rd(STATUS)      # the posted write has arrived
        return done


class Negotiation(ChipTest):
    def test_version_and_subset_of_capabilities(self):
        server = self.serve()
        for proposed in ({}, {'max_msg_fds': 8}, vfu.CAPABILITIES, {'unheard_of': [1, {}]}):
            client = server.client(negotiate=False)
            major, minor, answer = client.version(0, 7, proposed)
            self.assertEqual(major, 0)
            self.assertLessEqual(minor, 7)
            self.assertLessEqual(set(answer['capabilities']), set(proposed))
            client.close()

    def test_no_capabilities_at_all(self):
        client = self.client(self.serve(), negotiate=False)
        major, minor, _ = client.version(0, 0, None)
        self.assertEqual((major, minor), (0, 0))

    def test_other_major_version(self):
        client = self.client(self.serve(), negotiate=False)
        self.refused(errno.EPROTONOSUPPORT, client.version, 1, 0)
        self.assertRaises(vfu.Dropped, client.info)

    def test_version_data_that_is_not_json(self):
        server = self.serve()
        for data in (b'{', b'{}', b'[1]\0', b'"x"\0', b'\0', b'{"capabilities":\0', b'\xff\xfe\0',
                     b'[' * 60000 + b'\0'):
            client = self.client(server, negotiate=False)
            payload = struct.pack('=HH', 0, 0) + data
            self.refused(errno.EINVAL, client.call, vfu.VERSION, payload)
            self.assertRaises(vfu.Dropped, client.info)
            client.close()
        self.client(server)

    def test_capabilities_of_wrong_types(self):
        client = self.client(self.serve(), negotiate=False)
        client.version(0, 0, {'max_msg_fds': 'many', 'pgsizes': None, 'write_multiple': {}})
        client.info()

    def test_command_before_version(self):
        client = self.client(self.serve(), negotiate=False)
        self.assertRaises(vfu.Dropped, client.info)

    def test_second_version(self):
        client = self.client(self.serve())
        self.refused(errno.EINVAL, client.version)
        client.info()


class Device(ChipTest):
    def test_device_info(self):
        client = self.client(self.serve())
        # VFIO_DEVICE_FLAGS_RESET | _PCI; BARs, ROM, config, VGA; INTx, MSI, MSI-X, error, request
        self.assertEqual(client.info(), (3, 9, 5))

    def test_regions(self):
        client = self.client(self.serve())
        sizes = [client.region_info(i)[1] for i in range(9)]
        # 82540EM: BAR0 128 KiB of registers, one BAR of 64 I/O ports, 256 bytes of configuration
        self.assertEqual(sizes[0], 0x20000)
        self.assertEqual(sorted(sizes[1:6]), [0, 0, 0, 0, 64])
        self.assertEqual(sizes[6:], [0, 256, 0])
        self.refused(errno.EINVAL, client.region_info, 9)

    def test_interrupts(self):
        client = self.client(self.serve())
        # EVENTFD | MASKABLE | AUTOMASKED
        self.assertEqual(client.irq_info(vfu.INTX), (7, 1))
        self.refused(errno.EINVAL, client.irq_info, 5)

    def test_configuration_space(self):
        client = self.client(self.serve())
        whole = client.read(vfu.CONFIG, 0, 256)
        vendor, device = struct.unpack_from('=HH', whole)
        self.assertEqual((vendor, device), (0x8086, 0x100e))
        self.assertEqual(whole[9:12], b'\x00\x00\x02')
        for offset, count in ((0, 1), (1, 1), (2, 2), (1, 3), (3, 7), (4, 4), (0, 64)):
            self.assertEqual(client.read(vfu.CONFIG, offset, count),
                             whole[offset:offset + count])
        client.write(vfu.CONFIG, 0x10, b'\xff\xff\xff\xff')
        self.assertEqual(struct.unpack('=I', client.read(vfu.CONFIG, 0x10, 4))[0] & ~0xf,
                         0x100000000 - 0x20000)

    def test_accesses_of_all_widths(self):
        client = self.client(self.serve('--strict'))
        client.enable()
        low, high = struct.unpack('=II', client.read(0, RAL0, 8))
        self.assertEqual(struct.pack('=II', low, high)[:6], MAC)
        self.assertEqual(client.rd(RAL0), low)
        for count in (0, 3, 5, 16, 0xffffffff):
            self.refused(errno.EINVAL, client.call, vfu.REGION_READ,
                         struct.pack('=QII', 0, 0, count))
        client.write(0, 0x5408, struct.pack('=II', 0x44332211, 0x6655))
        self.assertEqual(client.rd(0x5408), 0x44332211)
        self.assertEqual(client.rd(0x540c), 0x6655)

    def test_many_writes_in_one_message(self):
        client = self.client(self.serve())
        client.enable()
        one = struct.pack('=QII8s', 0x5408, 0, 4, b'\x01\x02\x03\x04')
        two = struct.pack('=QII8s', 0x540c, 0, 4, b'\x05\x06\x00\x00')
        got = client.call(vfu.REGION_WRITE_MULTI, struct.pack('=Q', 2) + one + two)
        self.assertEqual(got, struct.pack('=Q', 2))
        self.assertEqual((client.rd(0x5408), client.rd(0x540c)), (0x04030201, 0x605))

    def test_migration_is_absent_the_way_vfio_says_it(self):
        client = self.client(self.serve())
        self.refused(errno.ENOTTY, client.call, vfu.DEVICE_FEATURE,
                     struct.pack('=II', 8, 1 | 1 << 18 | 1 << 16))


class Memory(ChipTest):
    def setUp(self):
        super().setUp()
        self.server = self.serve()
        self.c = self.client(self.server)
        self.fd, self.ram = vfu.memory(0x10000)
        self.addCleanup(os.close, self.fd)
        self.addCleanup(self.ram.close)

    def test_map_over_a_region(self):
        self.c.dma_map(0x100000, 0x10000, self.fd)
        for iova, size in ((0x100000, 0x10000), (0xff000, 0x2000), (0x10f000, 0x1000),
                           (0x101000, 0x1000), (0, 0x1000000)):
            for fd in (self.fd, None):
                self.refused(errno.EEXIST, self.c.dma_map, iova, size, fd)
        self.c.dma_map(0x110000, 0x1000, self.fd)
        self.c.dma_map(0xff000, 0x1000, self.fd)

    def test_unmap(self):
        self.c.dma_map(0x100000, 0x8000, self.fd)
        self.c.dma_map(0x108000, 0x8000, self.fd, offset=0x8000)
        self.refused(errno.EINVAL, self.c.dma_unmap, 0x100000, 0x4000)
        self.refused(errno.EINVAL, self.c.dma_unmap, 0x104000, 0x8000)
        got = self.c.dma_unmap(0x100000, 0x8000)
        self.assertEqual(struct.unpack('=IIQQ', got)[2:], (0x100000, 0x8000))
        self.c.dma_map(0x100000, 0x8000, self.fd)
        # QEMU unmaps what is whole, or empty, in one go.
        self.c.dma_unmap(0, 1 << 63)
        self.c.dma_unmap(0, 1 << 63)
        self.c.dma_map(0x100000, 0x8000, self.fd)
        self.c.dma_unmap(0, 0, flags=2)
        self.c.dma_map(0x100000, 0x8000, self.fd)

    def test_memory_beyond_its_file(self):
        for offset, size in ((0, 0x11000), (0x10000, 0x1000), (0xf000, 0x2000), (1 << 63, 0x1000),
                             ((1 << 64) - 0x1000, 0x2000), (0, 1 << 63)):
            self.refused(errno.EINVAL, self.c.dma_map, 0, size, self.fd, offset)

    def test_ranges_that_are_none(self):
        for iova, size, flags in ((0, 0, 3), ((1 << 64) - 0x1000, 0x2000, 3), (0, 0x1000, 0),
                                  (0, 0x1000, 4 | 3), (0, 0x1000, 1 << 31)):
            self.refused(errno.EINVAL, self.c.dma_map, iova, size, self.fd, 0, flags)
        self.c.dma_map((1 << 64) - 0x1000, 0x1000, self.fd)
        self.refused(errno.EINVAL, self.c.dma_unmap, (1 << 64) - 0x1000, 0x2000)
        self.refused(errno.EINVAL, self.c.dma_unmap, 0, 0)
        self.c.dma_unmap((1 << 64) - 0x1000, 0x1000)

    def test_descriptors_that_are_no_memory(self):
        a, b = socket.socketpair()
        r, w = os.pipe()
        zero = os.open('/dev/zero', os.O_RDWR)
        folder = os.open(self.folder, os.O_RDONLY)
        empty = os.memfd_create('empty')
        fds = [a.detach(), b.detach(), r, w, zero, folder, empty]
        for fd in fds:
            self.refused(errno.EINVAL, self.c.dma_map, 0, 0x1000, fd)
            os.close(fd)

    def test_read_only_file(self):
        fd = os.open(f'/proc/self/fd/{self.fd}', os.O_RDONLY)
        self.addCleanup(os.close, fd)
        self.refused(errno.EACCES, self.c.dma_map, 0, 0x1000, fd)
        self.c.dma_map(0, 0x1000, fd, flags=vfu.MAP_READ)

    def test_two_descriptors_for_one_map(self):
        payload = struct.pack('=IIQQQ', 32, 3, 0, 0, 0x1000)
        self.refused(errno.EINVAL, self.c.call, vfu.DMA_MAP, payload, [self.fd, self.fd])

    def test_thousands_of_pages(self):
        for i in range(4000):
            self.c.dma_map(i * PAGE * 2, PAGE, self.fd, offset=PAGE * (i % 16))
        for i in range(0, 4000, 2):
            self.c.dma_unmap(i * PAGE * 2, PAGE)
        self.c.dma_unmap(0, 4000 * PAGE * 2)
        # The file is mapped once or not at all, whatever was mapped of it.
        with open(f'/proc/{self.server.process.pid}/maps') as f:
            self.assertEqual(f.read().count('memfd:guest'), 0)

    def test_table_is_bounded(self):
        for i in range(65535):
            self.c.post(vfu.DMA_MAP, struct.pack('=IIQQQ', 32, 3, 0, i * PAGE, PAGE))
        self.refused(errno.ENOSPC, self.c.dma_map, 65535 * PAGE, PAGE)
        self.c.dma_unmap(0, 1 << 63)
        self.c.dma_map(0, PAGE)


class Traffic(ChipTest):
    def guest(self, client, **options):
        guest = Guest(client, **options)
        self.addCleanup(guest.close)
        guest.start()
        return guest

    def pcap(self, frames=()):
        self.in_path = os.path.join(self.folder, 'in.pcap')
        self.out_path = os.path.join(self.folder, 'out.pcap')
        write_pcap(self.in_path, frames)
        return f'pcap:in={self.in_path},out={self.out_path}'

    def test_sent_frames_reach_the_wire(self):
        server = self.serve('--strict', '--wire', self.pcap())
        guest = self.guest(self.client(server))
        frames = [frame(60 + 83 * i, i) for i in range(17)]
        for data in frames:
            done = guest.send(data)
            self.assertEqual(guest.ram[done] & 1, 1)
        self.assertEqual(server.stop()[0], 0)
        self.assertEqual(read_pcap(self.out_path), frames)

    def test_buffer_that_spans_pages_behind_an_iommu(self):
        server = self.serve('--strict', '--wire', self.pcap())
        guest = self.guest(self.client(server), page_by_page=True, base=0x7fff0000)
        data = frame(1514, 3)
        guest.send(data, at=BUFFERS + 0x5000 - 700)
        self.assertEqual(server.stop()[0], 0)
        self.assertEqual(read_pcap(self.out_path), [data])

    def test_addresses_above_4_gib(self):
        server = self.serve('--strict', '--wire', self.pcap())
        guest = self.guest(self.client(server), base=0x1234500000000)
        guest.send(frame(64, 1))
        self.assertEqual(server.stop()[0], 0)
        self.assertEqual(read_pcap(self.out_path), [frame(64, 1)])

    def test_received_frames_and_the_interrupt(self):
        frames = [frame(60 + 29 * i, i) for i in range(40)]
        server = self.serve('--strict', '--wire', self.pcap(frames))
        client = self.client(server)
        guest = Guest(client)
        self.addCleanup(guest.close)
        client.wr(IMS, CAUSE_RXT0)
        guest.start()
        got = []
        while len(got) < len(frames):
            self.assertGreater(guest.interrupted(), 0, 'no interrupt')
            self.assertTrue(client.rd(ICR) & CAUSE_RXT0)
            while (data := guest.received()) is not None:
                got.append(data)
            client.set_irqs(vfu.DATA_NONE | vfu.ACTION_UNMASK)
        self.assertEqual(got, frames)
        self.assertEqual(server.stop()[0], 0)

    def test_intx_masks_itself_and_fires_again_on_unmask(self):
        server = self.serve()
        client = self.client(server)
        guest = self.guest(client)
        client.rd(ICR)
        client.wr(IMS, CAUSE_LSC)
        client.wr(ICS, CAUSE_LSC)
        client.rd(STATUS)
        self.assertEqual(guest.interrupted(), 1)
        client.wr(ICS, CAUSE_LSC)
        client.rd(STATUS)
        self.assertEqual(guest.interrupted(0), 0, 'fired although masked')
        client.set_irqs(vfu.DATA_NONE | vfu.ACTION_UNMASK)
        self.assertEqual(guest.interrupted(0), 1, 'the line is still high')
        client.rd(ICR)
        client.set_irqs(vfu.DATA_BOOL | vfu.ACTION_UNMASK, data=b'\1')
        self.assertEqual(guest.interrupted(0), 0, 'the line is low')
        client.set_irqs(vfu.DATA_NONE | vfu.ACTION_MASK)
        client.wr(ICS, CAUSE_LSC)
        client.rd(STATUS)
        self.assertEqual(guest.interrupted(0), 0, 'masked by the client')
        client.set_irqs(vfu.DATA_BOOL | vfu.ACTION_UNMASK, data=b'\0')
        self.assertEqual(guest.interrupted(0), 0, 'not chosen')
        client.set_irqs(vfu.DATA_BOOL | vfu.ACTION_UNMASK, data=b'\1')
        self.assertEqual(guest.interrupted(0), 1)

    def test_unmask_by_eventfd(self):
        client = self.client(self.serve())
        guest = self.guest(client)
        unmask = os.eventfd(0, os.EFD_NONBLOCK)
        self.addCleanup(os.close, unmask)
        client.set_irqs(vfu.DATA_EVENTFD | vfu.ACTION_UNMASK, fds=[unmask])
        client.rd(ICR)
        client.wr(IMS, CAUSE_LSC)
        client.wr(ICS, CAUSE_LSC)
        for _ in range(3):
            self.assertEqual(guest.interrupted(), 1)
            os.eventfd_write(unmask, 1)

    def test_client_fires_an_interrupt_itself(self):
        client = self.client(self.serve())
        guest = self.guest(client)
        client.set_irqs(vfu.DATA_NONE | vfu.ACTION_TRIGGER)
        self.assertEqual(guest.interrupted(0), 1)
        client.set_irqs(vfu.DATA_NONE | vfu.ACTION_TRIGGER, count=0)
        client.set_irqs(vfu.DATA_NONE | vfu.ACTION_TRIGGER)
        self.assertEqual(guest.interrupted(0), 0)

    def test_interrupt_counter_that_is_full_does_not_block(self):
        client = self.client(self.serve())
        self.guest(client)
        full = os.eventfd(0)
        self.addCleanup(os.close, full)
        os.eventfd_write(full, 0xfffffffffffffffe)
        client.set_irqs(vfu.DATA_EVENTFD | vfu.ACTION_TRIGGER, fds=[full])
        client.set_irqs(vfu.DATA_NONE | vfu.ACTION_TRIGGER)
        client.info()

    def test_reset(self):
        client = self.client(self.serve())
        self.guest(client)
        client.wr(0x5408, 0x11223344)
        self.assertNotEqual(client.rd(RCTL), 0)
        client.reset()
        self.assertEqual(client.read(vfu.CONFIG, 4, 2), b'\0\0')
        client.enable()
        self.assertEqual(client.rd(RCTL), 0)
        self.assertEqual(client.rd(TCTL), 0)
        self.assertEqual(client.rd(RDBAL), 0)

    def test_clients_one_after_another(self):
        server = self.serve('--strict', '--wire', self.pcap())
        for i in range(5):
            client = server.client()
            guest = Guest(client, base=i << 20)
            guest.start()
            guest.send(frame(100, i))
            # One that leaves in the middle of its work, and of a message
            client.send_raw(vfu.header(1, vfu.REGION_WRITE, 20)[:9 + i])
            client.close()
            guest.close()
        self.until('the last client has left',
                   lambda: server.said().count('has left') == 5)
        fds = os.listdir(f'/proc/{server.process.pid}/fd')
        self.client(server)
        with open(f'/proc/{server.process.pid}/maps') as f:
            self.assertNotIn('memfd:guest', f.read())
        self.assertLess(len(fds), 12)
        status, said = server.stop()
        self.assertEqual(status, 0)
        self.assertIn('6 clients', said)
        self.assertEqual(read_pcap(self.out_path), [frame(100, i) for i in range(5)])

    def test_state_of_one_client_is_gone_for_the_next(self):
        server = self.serve()
        client = server.client()
        guest = self.guest(client)
        guest.client.wr(0x5408, 0x11223344)
        guest.client.rd(STATUS)
        client.close()
        client = self.client(server)
        client.enable()
        self.assertEqual(client.rd(0x5408), 0)
        self.assertEqual(client.rd(RCTL), 0)

    def test_a_second_client_at_the_same_time(self):
        server = self.serve()
        first = self.client(server)
        self.assertRaises(vfu.Dropped, server.client)
        first.info()
        first.close()
        self.client(server).info()

    def test_paced_wire(self):
        server = self.serve('--strict', '--pace', '--wire', self.pcap())
        guest = self.guest(self.client(server))
        frames = [frame(1514, i) for i in range(6)]
        done = [guest.send(data, at=BUFFERS + 0x4000 + 1536 * i) for i, data in enumerate(frames)]
        self.until('frames wait for ever', lambda: all(guest.ram[at] & 1 for at in done))
        server.stop()
        self.assertEqual(read_pcap(self.out_path), frames)


class FastEthernet(ChipTest):
    """An 82559C; offsets and bits from Intel's 8255x software developer's manual, chapter 6."""

    SCB_STATUS, SCB_ACK, SCB_COMMAND, SCB_POINTER = 0, 1, 2, 4
    CU_START, CU_LOAD_BASE = 0x10, 0x60
    CNA = 0x20                                  # the CU has left the active state
    TX_LAST, COMPLETE, OK, END_OF_FRAME = 0x8004, 0x8000, 0x2000, 0x8000
    NO_ADDRESS = 0xffffffff
    BLOCK = 0x1000

    def test_it_is_one(self):
        client = self.client(self.serve(chip='82559c'))
        whole = client.read(vfu.CONFIG, 0, 256)
        self.assertEqual(struct.unpack_from('=HH', whole), (0x8086, 0x1229))
        self.assertEqual(whole[8], 8)           # revision: 82559 C-step
        # Registers in memory, 4 KiB, and in 64 I/O ports.
        self.assertEqual([client.region_info(i)[1] for i in (0, 1)], [0x1000, 64])
        self.assertEqual(client.irq_info(vfu.INTX), (7, 1))

    def command(self, client, command, pointer):
        client.write(0, self.SCB_POINTER, struct.pack('=I', pointer))
        client.write(0, self.SCB_COMMAND, bytes([command]))
        self.until('the command is taken',
                   lambda: client.read(0, self.SCB_COMMAND, 1) == b'\0')

    def test_sent_frame_reaches_the_wire_and_the_interrupt_the_client(self):
        path = os.path.join(self.folder, 'out.pcap')
        server = self.serve('--wire', f'pcap:out={path}', '--strict', chip='82559c')
        client = self.client(server)
        fd, ram = vfu.memory(0x2000)
        event = os.eventfd(0, os.EFD_NONBLOCK)
        for close in (lambda: os.close(fd), ram.close, lambda: os.close(event)):
            self.addCleanup(close)
        client.enable()
        client.dma_map(0, 0x2000, fd)
        client.set_irqs(vfu.DATA_EVENTFD | vfu.ACTION_TRIGGER, fds=[event])
        self.command(client, self.CU_LOAD_BASE, 0)
        data = frame(100, 1)
        block = struct.pack('=HHIIHBB', 0, self.TX_LAST, self.NO_ADDRESS, self.NO_ADDRESS,
                            len(data) | self.END_OF_FRAME, 1, 0) + data
        ram[self.BLOCK:self.BLOCK + len(block)] = block
        self.command(client, self.CU_START, self.BLOCK)
        self.until('the block is complete',
                   lambda: struct.unpack_from('=H', ram, self.BLOCK)[0] ==
                   self.COMPLETE | self.OK)
        self.assertTrue(select.select([event], [], [], vfu.TIMEOUT)[0])
        self.assertEqual(client.read(0, self.SCB_ACK, 1)[0] & self.CNA, self.CNA)
        client.write(0, self.SCB_ACK, bytes([self.CNA]))
        self.assertEqual(client.read(0, self.SCB_ACK, 1)[0] & self.CNA, 0)
        client.close()
        self.assertEqual(server.stop()[0], 0, server.said())
        self.assertEqual(read_pcap(path), [data])


class Hostile(ChipTest):
    """Messages from somebody who means harm, or cannot count."""

    def messages(self):
        """(what, message, descriptors, expected errno or None for the end of the connection)"""
        def message(command, payload, size=None, flags=0):
            size = 16 + len(payload) if size is None else size
            return struct.pack('=HHIII', 1, command, size, flags, 0) + payload

        def irqs(flags, index, start, count, data=b'', argsz=20):
            return message(vfu.SET_IRQS, struct.pack('=IIIII', argsz, flags, index, start, count) +
                           data)

        def access(command, offset, region, count, data=b''):
            return message(command, struct.pack('=QII', offset, region, count) + data)

        event, ordinary = self.event, self.ordinary
        inval, trigger = errno.EINVAL, vfu.ACTION_TRIGGER
        most = 0xffffffff
        yield 'size below the header', message(vfu.GET_INFO, b'', size=15), [], None
        yield 'size zero', message(vfu.GET_INFO, b'', size=0), [], None
        yield 'size of 4 GiB', message(vfu.GET_INFO, b'', size=most), [], None
        yield 'size over the limit', message(vfu.GET_INFO, b'', size=65537), [], None
        yield 'a reply to nothing', message(vfu.DMA_READ, bytes(16), flags=1), [], None
        yield 'unknown type', message(vfu.GET_INFO, bytes(16), flags=7), [], None
        for command in (0, 6, 11, 12, 14, 17, 18, 19, 255, 0xffff):
            yield f'command {command}', message(command, bytes(32)), [], errno.EOPNOTSUPP
        for command in (vfu.DMA_MAP, vfu.DMA_UNMAP, vfu.GET_INFO, vfu.GET_REGION_INFO,
                        vfu.GET_IRQ_INFO, vfu.SET_IRQS, vfu.REGION_READ, vfu.REGION_WRITE,
                        vfu.REGION_WRITE_MULTI):
            yield f'command {command} without payload', message(command, b''), [], inval
            yield f'command {command} with a byte', message(command, b'\xff'), [], inval
        for command in (vfu.DMA_MAP, vfu.DMA_UNMAP, vfu.GET_REGION_INFO, vfu.GET_IRQ_INFO,
                        vfu.SET_IRQS, vfu.REGION_READ, vfu.REGION_WRITE, vfu.REGION_WRITE_MULTI):
            yield f'command {command}, all ones', message(command, b'\xff' * 64), [], inval
        yield 'argsz too small', message(vfu.GET_INFO, struct.pack('=IIII', 8, 0, 0, 0)), [], inval
        yield 'BAR that is none', access(vfu.REGION_READ, 0, 5, 4), [], inval
        yield 'region 4294967295', access(vfu.REGION_READ, 0, most, 4), [], inval
        yield 'read past the BAR', access(vfu.REGION_READ, 0x1fffe, 0, 4), [], inval
        yield 'read at 2^64', access(vfu.REGION_READ, (1 << 64) - 4, 0, 8), [], inval
        yield 'read of 4 GiB', access(vfu.REGION_READ, 0, vfu.CONFIG, most), [], inval
        yield 'read past config', access(vfu.REGION_READ, 255, vfu.CONFIG, 2), [], inval
        yield 'read of more than config', access(vfu.REGION_READ, 0, vfu.CONFIG, 4096), [], inval
        yield 'write of more than came', access(vfu.REGION_WRITE, 0, 0, 4, b'abc'), [], inval
        yield 'write of 4 GiB', access(vfu.REGION_WRITE, 0, 0, most, b'abcd'), [], inval
        yield 'write past config', access(vfu.REGION_WRITE, 254, vfu.CONFIG, 4, bytes(4)), [], inval
        yield '2^64 writes', message(vfu.REGION_WRITE_MULTI, b'\xff' * 8 + bytes(48)), [], inval
        yield '2^60 writes', message(vfu.REGION_WRITE_MULTI, struct.pack('=Q', 1 << 60) +
                                     bytes(48)), [], inval
        yield 'one write of 9 bytes', message(vfu.REGION_WRITE_MULTI, struct.pack(
            '=QQIIQ', 1, 0, 0, 9, 0)), [], inval
        yield 'interrupt kind 5', irqs(1 | trigger, 5, 0, 1), [], inval
        yield 'interrupt 1 of 1', irqs(1 | trigger, 0, 1, 1), [], inval
        yield 'interrupts 4294967295', irqs(1 | trigger, 0, most, 1), [], inval
        yield '4294967295 interrupts', irqs(1 | trigger, 0, 0, most), [], inval
        yield 'start plus count wraps', irqs(1 | trigger, 0, most, 2), [], inval
        yield 'no data type', irqs(trigger, 0, 0, 1), [], inval
        yield 'two data types', irqs(3 | trigger, 0, 0, 1, b'\1'), [], inval
        yield 'no action', irqs(1, 0, 0, 1), [], inval
        yield 'two actions', irqs(1 | vfu.ACTION_MASK | trigger, 0, 0, 1), [], inval
        yield 'unknown flag', irqs(1 | trigger | 64, 0, 0, 1), [], inval
        yield 'bools missing', irqs(2 | trigger, 0, 0, 1), [], inval
        yield 'too many eventfds', irqs(4 | trigger, 0, 0, 1), [event, event], inval
        yield 'eventfds without their flag', irqs(1 | trigger, 0, 0, 1), [event], inval
        yield 'an eventfd that is a file', irqs(4 | trigger, 0, 0, 1), [ordinary], inval
        yield 'an eventfd to mask', irqs(4 | vfu.ACTION_MASK, 0, 0, 1), [event], inval
        yield 'disable but some', irqs(1 | trigger, 0, 1, 0), [], inval
        yield '17 descriptors', message(vfu.GET_INFO, struct.pack('=IIII', 16, 0, 0, 0)), \
            [event] * 17, None
        yield '253 descriptors', message(vfu.GET_INFO, struct.pack('=IIII', 16, 0, 0, 0)), \
            [event] * 253, None

    def setUp(self):
        super().setUp()
        self.event = os.eventfd(0)
        self.addCleanup(os.close, self.event)
        self.ordinary = os.memfd_create('ordinary')
        self.addCleanup(os.close, self.ordinary)

    def open_files(self, server):
        return len(os.listdir(f'/proc/{server.process.pid}/fd'))

    def test_messages(self):
        server = self.serve('--strict')
        client = server.client()
        client.info()
        before = self.open_files(server)
        for what, data, fds, expected in self.messages():
            with self.subTest(what):
                client.ident = 1
                client.send_raw(data, fds)
                if expected is None:
                    self.assertRaises(vfu.Dropped, client.reply)
                    client.close()
                    client = server.client()
                else:
                    self.refused(expected, client.reply)
                client.info()
                self.assertEqual(self.open_files(server), before)
        client.close()
        self.assertEqual(server.stop()[0], 0)

    def test_log_is_bounded(self):
        server = self.serve()
        client = self.client(server)
        for _ in range(500):
            self.refused(errno.EOPNOTSUPP, client.call, 99)
        self.assertLess(len(server.said().splitlines()), 40)
        self.assertIn('left out', server.said())

    def test_descriptors_nobody_asked_for_are_closed(self):
        server = self.serve()
        client = self.client(server)
        client.info()
        before = self.open_files(server)
        for _ in range(200):
            client.post(vfu.REGION_WRITE, struct.pack('=QII', 4, vfu.CONFIG, 2) + b'\2\0',
                        [self.event, self.ordinary])
        client.info()
        self.assertEqual(self.open_files(server), before)

    def test_byte_by_byte(self):
        client = self.client(self.serve())
        payload = struct.pack('=IIII', 16, 0, 0, 0)
        for byte in vfu.header(client.ident, vfu.GET_INFO, 16) + payload:
            client.send_raw(bytes([byte]))
        self.assertEqual(len(client.reply(vfu.GET_INFO)), 16)

    def test_client_that_does_not_read_its_replies(self):
        server = self.serve()
        client = server.client()
        client.sock.setblocking(False)
        request = vfu.header(1, vfu.REGION_READ, 16) + struct.pack('=QII', 0, vfu.CONFIG, 256)
        try:
            for _ in range(100000):
                client.sock.send(request)
            self.fail('the server reads on without end')
        except BlockingIOError:
            pass
        self.assertEqual(server.control('violations'), 'ok 0')
        client.close()
        self.client(server).info()

    def test_memory_file_that_shrinks(self):
        server = self.serve('--wire', f'pcap:out={self.folder}/out.pcap')
        client = server.client()
        guest = Guest(client)
        self.addCleanup(guest.close)
        guest.start()
        client.rd(STATUS)
        os.ftruncate(guest.fd, 0)
        with self.assertRaises(vfu.Dropped):
            client.wr(TDBAL + TAIL, 1)
            client.rd(STATUS)
        self.assertIn('shorter', server.said())
        self.client(server).info()

    def test_two_maps_of_one_file_while_it_shrinks(self):
        server = self.serve()
        client = self.client(server)
        fd, ram = vfu.memory(0x10000)
        client.dma_map(0, 0x10000, fd)
        os.ftruncate(fd, 0x8000)
        client.dma_map(0x10000, 0x8000, fd)
        self.refused(errno.EINVAL, client.dma_map, 0x20000, 0x8001, fd)
        client.dma_unmap(0, 1 << 63)
        ram.close()
        os.close(fd)


class Diagnosis(ChipTest):
    def test_strict(self):
        for options, expected in (([], 0), (['--strict'], 3)):
            server = self.serve(*options)
            client = server.client()
            client.enable()
            client.rd(UNDEFINED_REGISTER)
            client.close()
            status, said = server.stop()
            self.assertEqual(status, expected)
            self.assertIn('1 (1 undefined register) violations', said)
            self.assertIn('violation: ', server.said())

    def test_sigint_ends_it_too(self):
        server = self.serve()
        self.client(server).info()
        self.assertEqual(server.stop(signal.SIGINT)[0], 0)
        self.assertFalse(os.path.exists(server.path))
        self.assertFalse(os.path.exists(server.control_path))

    def test_memory_that_is_not_shared(self):
        server = self.serve()
        client = self.client(server)
        fd, ram = vfu.memory(1 << 20)
        client.dma_map(0, 1 << 20, fd)
        client.enable()
        self.assertIn('share=on', server.said())
        client.close()
        # The same with a byte of the guest's in it
        client = self.client(server)
        ram[0x8000] = 1
        client.dma_map(0, 1 << 20, fd)
        client.enable()
        client.info()
        self.assertEqual(server.said().count('share=on'), 1)
        ram.close()
        os.close(fd)

    def test_memory_without_a_file(self):
        server = self.serve('--wire', f'pcap:out={self.folder}/out.pcap')
        client = self.client(server)
        client.dma_map(0, 64 << 20)
        self.assertIn('share=on', server.said())
        client.enable()
        client.wr(CTRL, CTRL_SLU)
        for reg, value in ((TDBAL, 0x1000), (TDBAL + LEN, 128), (TCTL, TCTL_ON),
                           (TDBAL + TAIL, 1)):
            client.wr(reg, value)
        client.rd(STATUS)
        self.assertRegex(server.control('violations'), r'ok [1-9]\d* \(.*illegal DMA')

    def test_trace(self):
        path = os.path.join(self.folder, 'trace')
        server = self.serve('--trace', path, '--wire', f'pcap:out={self.folder}/out.pcap')
        client = self.client(server)
        guest = Guest(client)
        self.addCleanup(guest.close)
        guest.start()
        guest.send(frame(60, 1))
        server.stop()
        with open(path) as f:
            lines = f.read()
        tail = re.escape(f'{TDBAL + TAIL:05x}')
        self.assertRegex(lines, rf'(?m)^\d+\.\d{{6}} wr BAR0\+0x{tail} 4 = 0x00000001$')
        self.assertRegex(lines, r'(?m)^\d+\.\d{6} cfg wr 0x004 ')
        self.assertRegex(lines, rf'(?m)^\d+\.\d{{6}} dma rd 0x{RING_TX:x} ')

    def test_control(self):
        server = self.serve('--wire', f'pcap:out={self.folder}/out.pcap')
        client = self.client(server)
        client.enable()
        client.wr(CTRL, CTRL_SLU)
        self.assertTrue(client.rd(STATUS) & STATUS_LU)
        self.assertEqual(server.control('fault link_down 1'), 'ok')
        self.assertFalse(client.rd(STATUS) & STATUS_LU)
        self.assertEqual(server.control('fault link_down 0'), 'ok')
        self.assertTrue(client.rd(STATUS) & STATUS_LU)
        self.assertEqual(server.control('registers'), 'ok 3 reads 1 writes')
        self.assertEqual(server.control('interrupts'), 'ok 0')
        self.assertEqual(server.control('violations'), 'ok 0')
        for line in ('', ' ', 'fault', 'fault nonsense', 'fault link_down x', 'fault link_down -1',
                     'fault link_down 1 2', 'fault link_down 99999999999', 'nonsense'):
            self.assertTrue(server.control(line).startswith('error '), line)
        self.assertIn('fault', server.control('help'))

    def test_control_line_without_end(self):
        server = self.serve()
        sock = socket.socket(socket.AF_UNIX)
        sock.settimeout(vfu.TIMEOUT)
        sock.connect(server.control_path)
        sock.sendall(b'x' * 128)
        self.assertEqual(sock.recv(16), b'')
        sock.close()
        self.assertEqual(server.control('violations'), 'ok 0')

    def test_faults_from_the_start(self):
        server = self.serve('--fault', 'link_down', '--fault', 'removed=1')
        client = self.client(server)
        self.assertEqual(client.rd(STATUS), 0xffffffff)
        self.assertEqual(server.control('fault removed 0'), 'ok')
        client.enable()
        self.assertFalse(client.rd(STATUS) & STATUS_LU)


class CommandLine(ChipTest):
    def run_it(self, *options):
        return subprocess.run([PROGRAM, *options], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=vfu.TIMEOUT)

    def test_usage(self):
        sock = os.path.join(self.folder, 'x.sock')
        good = ['--chip', '82540em', '--socket', sock]
        for options, word in (
                ([], '--chip'), (['--chip', '82540em'], '--socket'), (['--socket', sock], '--chip'),
                (['--chip', '82540xx', '--socket', sock], '82540xx'), (good + ['--bad'], '--bad'),
                (good + ['--mac'], '--mac'), (good + ['--mac', '1:2:3:4:5'], '--mac'),
                (good + ['--mac', '01:00:5e:00:00:01'], 'group'),
                (good + ['--mac', '0:0:0:0:0:0'], 'zero'),
                (good + ['--mac', '02:50:77:00:00:01x'], '--mac'),
                (good + ['--mac', '-2:50:77:00:00:01'], '--mac'),
                (good + ['--fault', 'x'], '--fault'), (good + ['--fault', 'link_down=x'], '='),
                (good + ['--fault', 'link_down='], '='), (good + ['--autoneg', '-1'], '--autoneg'),
                (good + ['--autoneg', '1e9'], '--autoneg'), (good + ['--wire', 'a'], 'shm:NAME'),
                (good + ['extra'], 'extra')):
            run = self.run_it(*options)
            self.assertEqual(run.returncode, 2, options)
            self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
            self.assertIn(word, run.stderr)
            self.assertFalse(os.path.exists(sock))

    def test_help(self):
        run = self.run_it('--help')
        self.assertEqual((run.returncode, run.stderr), (0, ''))
        self.assertIn('82540em', run.stdout)
        self.assertIn('link_down', run.stdout)

    def test_what_cannot_be_opened(self):
        sock = os.path.join(self.folder, 'x.sock')
        missing = os.path.join(self.folder, 'no', 'such')
        plain = os.path.join(self.folder, 'plain')
        with open(plain, 'w') as f:
            f.write('precious')
        good = ['--chip', '82540em', '--socket', sock]
        for options, word in (
                (['--chip', '82540em', '--socket', plain], plain),
                (['--chip', '82540em', '--socket', missing], missing),
                (['--chip', '82540em', '--socket', '/' + 'x' * 200], 'long'),
                (good + ['--control', plain], '--control'),
                (good + ['--trace', missing], '--trace'),
                (good + ['--wire', f'pcap:in={missing}'], '--wire'),
                (good + ['--wire', 'nonsense:x'], '--wire')):
            run = self.run_it(*options)
            self.assertEqual(run.returncode, 1, options)
            self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
            self.assertIn(word, run.stderr)
            self.assertFalse(os.path.exists(sock))
        with open(plain) as f:
            self.assertEqual(f.read(), 'precious')

    def test_socket_of_a_dead_server_is_replaced(self):
        server = self.serve()
        server.process.kill()
        server.process.wait()
        self.assertTrue(os.path.exists(server.path))
        again = self.serve()
        client = self.client(again)
        run = self.run_it('--chip', '82540em', '--socket', again.path)
        self.assertEqual(run.returncode, 1)
        self.assertIn('another process', run.stderr)
        client.info()


if __name__ == '__main__':
    PROGRAM = sys.argv.pop(1)
    unittest.main()
