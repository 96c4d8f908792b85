# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
"""A vfio-user client, written from QEMU's docs/interop/vfio-user.rst alone.

It shares no line and no header with the server that it tests.
"""
import array
import errno
import json
import mmap
import os
import socket
import struct

VERSION, DMA_MAP, DMA_UNMAP, GET_INFO, GET_REGION_INFO = 1, 2, 3, 4, 5
GET_REGION_IO_FDS, GET_IRQ_INFO, SET_IRQS, REGION_READ, REGION_WRITE = 6, 7, 8, 9, 10
DMA_READ, DMA_WRITE, RESET, REGION_WRITE_MULTI, DEVICE_FEATURE = 11, 12, 13, 15, 16

REPLY, NO_REPLY, ERROR = 1, 1 << 4, 1 << 5
MAP_READ, MAP_WRITE = 1, 2
DATA_NONE, DATA_BOOL, DATA_EVENTFD = 1, 2, 4
ACTION_MASK, ACTION_UNMASK, ACTION_TRIGGER = 8, 16, 32
INTX, MSI, MSIX = 0, 1, 2
CONFIG = 7      # region index

CAPABILITIES = {'max_msg_fds': 8, 'max_data_xfer_size': 1048576, 'max_dma_maps': 65535,
                'pgsizes': 4096, 'write_multiple': True}
TIMEOUT = 60    # seconds; only a hang takes so long


class Refused(Exception):
    """An error reply; errno is what it carries."""

    def __init__(self, number):
        super().__init__(errno.errorcode.get(number, number))
        self.errno = number


class Dropped(Exception):
    """The server has ended the connection."""


def header(ident, command, length, flags=0):
    return struct.pack('=HHIII', ident, command, 16 + length, flags, 0)


class Client:
    def __init__(self, path, negotiate=True):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(TIMEOUT)
        self.sock.connect(path)
        self.ident = 0
        try:
            if negotiate:
                self.version()
        except Exception:
            self.close()
            raise

    def close(self):
        self.sock.close()

    # Messages

    def send_raw(self, data, fds=()):
        ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', fds))] if fds else []
        try:
            sent = self.sock.sendmsg([data], ancillary)
            if sent < len(data):
                self.sock.sendall(data[sent:])
        except (BrokenPipeError, ConnectionResetError):
            raise Dropped()

    def post(self, command, payload=b'', fds=(), flags=NO_REPLY):
        self.ident = (self.ident + 1) & 0xffff
        self.send_raw(header(self.ident, command, len(payload), flags) + payload, fds)

    def _exactly(self, count):
        data = b''
        while len(data) < count:
            try:
                more = self.sock.recv(count - len(data))
            except ConnectionResetError:
                more = b''
            if not more:
                raise Dropped()
            data += more
        return data

    def reply(self, command=None):
        ident, got, size, flags, error = struct.unpack('=HHIII', self._exactly(16))
        payload = self._exactly(size - 16)
        assert flags & 0xf == REPLY, 'not a reply'
        assert ident == self.ident, f'reply to message {ident} instead of {self.ident}'
        assert command is None or got == command, f'reply to command {got}'
        if flags & ERROR:
            assert not payload, 'an error reply has no payload'
            raise Refused(error)
        return payload

    def call(self, command, payload=b'', fds=()):
        self.post(command, payload, fds, flags=0)
        return self.reply(command)

    # Commands

    def version(self, major=0, minor=0, capabilities=CAPABILITIES):
        data = struct.pack('=HH', major, minor)
        if capabilities is not None:
            data += json.dumps({'capabilities': capabilities}).encode() + b'\0'
        got = self.call(VERSION, data)
        assert got[-1:] == b'\0'
        return struct.unpack('=HH', got[:4]) + (json.loads(got[4:-1]),)

    def dma_map(self, iova, size, fd=None, offset=0, flags=MAP_READ | MAP_WRITE):
        payload = struct.pack('=IIQQQ', 32, flags, offset, iova, size)
        return self.call(DMA_MAP, payload, () if fd is None else (fd,))

    def dma_unmap(self, iova, size, flags=0):
        return self.call(DMA_UNMAP, struct.pack('=IIQQ', 24, flags, iova, size))

    def info(self):
        """(flags, regions, irqs)"""
        return struct.unpack('=IIII', self.call(GET_INFO, struct.pack('=IIII', 16, 0, 0, 0)))[1:]

    def region_info(self, index):
        """(flags, size)"""
        got = self.call(GET_REGION_INFO, struct.pack('=IIIIQQ', 32, 0, index, 0, 0, 0))
        _, flags, again, _, size, _ = struct.unpack('=IIIIQQ', got)
        assert again == index
        return flags, size

    def irq_info(self, index):
        """(flags, count)"""
        got = self.call(GET_IRQ_INFO, struct.pack('=IIII', 16, 0, index, 0))
        _, flags, again, count = struct.unpack('=IIII', got)
        assert again == index
        return flags, count

    def set_irqs(self, flags, index=INTX, start=0, count=1, data=b'', fds=()):
        payload = struct.pack('=IIIII', 20 + len(data), flags, index, start, count) + data
        return self.call(SET_IRQS, payload, fds)

    def read(self, region, offset, count):
        got = self.call(REGION_READ, struct.pack('=QII', offset, region, count))
        assert struct.unpack('=QII', got[:16]) == (offset, region, count)
        return got[16:]

    def write(self, region, offset, data, posted=False):
        payload = struct.pack('=QII', offset, region, len(data)) + data
        if posted:
            self.post(REGION_WRITE, payload)
            return
        got = self.call(REGION_WRITE, payload)
        assert struct.unpack('=QII', got) == (offset, region, len(data))

    def reset(self):
        return self.call(RESET)

    # Shorthand for a 32-bit device with its registers in BAR 0

    def rd(self, offset):
        return struct.unpack('=I', self.read(0, offset, 4))[0]

    def wr(self, offset, value):
        """As QEMU writes: posted."""
        self.write(0, offset, struct.pack('=I', value), posted=True)

    def enable(self, command=0x6):
        """Memory decoding and bus mastering."""
        self.write(CONFIG, 4, struct.pack('=H', command))


def memory(size):
    """Guest memory: (fd, map)"""
    fd = os.memfd_create('guest')
    os.ftruncate(fd, size)
    return fd, mmap.mmap(fd, size)
