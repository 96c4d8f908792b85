#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
"""Boots a guest with QEMU's network cards, runs one script in it, and judges.

The script runs inside; its NICs' wires end here. Over a serial line it asks for
what only the outside can do: the verb_* functions of class Host. It passes if
its exit code is 0, no check here failed and the guest's IOMMU saw no fault.

Header lines of a script (all optional):
  # nics: 2                 how many cards
  # wires: joined           the cards' wires end in one hub, not here
  # device-options: K=V,..  for every -device
  # dmar-faults: expected   the script makes the card point outside
  # memory: 768             MiB
  # timeout: 240            seconds
"""
import argparse
import json
import os
import random
import re
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import initramfs

HERE = os.path.dirname(os.path.abspath(__file__))
PASS = 33                       # (0x10 << 1) | 1, see inside/init
TEST_TYPE = b'\x88\xb5'         # IEEE 802 local experimental ethertype
MARK = b'this frame is a mark'
APPEND = ('console=ttyS0 quiet loglevel=4 panic=-1 tsc=reliable no_timer_check '
          'random.trust_cpu=on rcupdate.rcu_expedited=1 mitigations=off pci=noaer iommu=pt '
          'iomem=relaxed hugepages=160 rdinit=/init ')


class Failure(Exception):
    """What a script asked for did not come true; the text is for a person."""


def nic_mac(n):
    return '52:54:00:70:77:%02x' % n


def peer_mac(n):
    return '52:54:00:70:77:%02x' % (0xf0 + n)


def raw(mac):
    return bytes.fromhex(mac.replace(':', ''))


class Wire:
    """This end of a card's wire: one datagram is one frame."""

    def __init__(self, folder, n):
        self.n = n
        self.path = os.path.join(folder, f'n{n}')
        if os.path.exists(self.path + '.host'):
            os.unlink(self.path + '.host')
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.sock.bind(self.path + '.host')
        self.sock.setblocking(False)
        self.inbox = []

    def netdev(self):
        return (f'dgram,id=n{self.n},local.type=unix,local.path={self.path}.qemu,'
                f'remote.type=unix,remote.path={self.path}.host')

    def send(self, frame):
        """False if QEMU does not take the frame now."""
        try:
            self.sock.sendto(frame, self.path + '.qemu')
        except (BlockingIOError, FileNotFoundError, ConnectionRefusedError):
            return False
        return True

    def receive(self):
        try:
            while True:
                self.inbox.append(self.sock.recv(1 << 16))
        except BlockingIOError:
            pass


class Host:
    """The outside of one running guest."""

    def __init__(self, folder, wires):
        self.folder = folder
        self.wires = wires
        self.flooded = set()
        self.mark = 0
        self.failed = None
        self.process = None         # QEMU
        self.line_door = self.listen('line')
        self.qmp_door = self.listen('qmp')
        self.selector = selectors.DefaultSelector()
        for wire in wires:
            self.selector.register(wire.sock, selectors.EVENT_READ, wire)

    def listen(self, name):
        """A socket that QEMU will call."""
        path = os.path.join(self.folder, name)
        if os.path.exists(path):
            os.unlink(path)
        sock = socket.socket(socket.AF_UNIX)
        sock.bind(path)
        sock.listen(1)
        sock.settimeout(30)
        return sock

    def accept(self):
        """Takes QEMU's calls; TimeoutError if it does not start."""
        self.line = self.line_door.accept()[0]
        self.selector.register(self.line, selectors.EVENT_READ, None)
        self.qmp = self.qmp_door.accept()[0].makefile('rw')
        self.qmp.readline()
        self.monitor('qmp_capabilities')

    def monitor(self, command, **arguments):
        self.qmp.write(json.dumps({'execute': command, 'arguments': arguments}) + '\n')
        self.qmp.flush()
        while True:
            reply = json.loads(self.qmp.readline())
            if 'error' in reply:
                raise Failure(reply['error']['desc'])
            if 'return' in reply:
                return reply['return']

    def serve(self, process, timeout):
        """Answers the guest until QEMU ends. Returns False if time ran out."""
        until = time.monotonic() + timeout
        asked = b''
        while process.poll() is None:
            if time.monotonic() > until:
                process.kill()
                process.wait()
                return False
            asked += self.pump(0.1)
            while b'\n' in asked:
                request, asked = asked.split(b'\n', 1)
                self.answer(request.decode(errors='replace'))
        return True

    def pump(self, wait):
        """Moves what is ready on the wires. Returns bytes of the serial line."""
        asked = b''
        for n in self.flooded:
            for _ in range(8):
                self.wires[n].send(self.test_frame(n, TEST_TYPE, bytes(46)))
        for key, _ in self.selector.select(0.001 if self.flooded else wait):
            if key.data is not None:
                key.data.receive()
            else:
                try:
                    got = self.line.recv(4096)
                except ConnectionResetError:
                    got = b''
                if not got:
                    self.selector.unregister(self.line)
                asked += got
        if self.flooded:
            for wire in self.wires:
                wire.inbox = [f for f in wire.inbox if MARK in f]
        return asked

    def answer(self, request):
        verb, _, rest = request.partition(' ')
        try:
            handler = getattr(self, 'verb_' + verb, None)
            if handler is None:
                raise Failure('no such request')
            value = handler(rest)
            reply = 'ok' if value is None else f'ok {value}'
        except Failure as failure:
            self.failed = f'{request}: {failure}'
            reply = f'failed {failure}'
        try:
            self.line.sendall(reply.encode() + b'\n')
        except BrokenPipeError:
            pass

    # Traffic

    @staticmethod
    def test_frame(n, ethertype, payload):
        return raw(nic_mac(n)) + raw(peer_mac(n)) + ethertype + payload

    def offer(self, wire, frame, seconds=10):
        """Hands a frame to QEMU, however busy it is."""
        until = time.monotonic() + seconds
        while not wire.send(frame):
            if time.monotonic() > until:
                raise Failure(f'NIC {wire.n} takes no more frames')
            self.pump(0.001)

    def await_frame(self, wire, wanted, seconds):
        """Removes and returns what came before the first frame that wanted(frame)
        accepts, and that frame; None if it does not come."""
        until = time.monotonic() + seconds
        while True:
            for i, frame in enumerate(wire.inbox):
                if wanted(frame):
                    before = wire.inbox[:i]
                    del wire.inbox[:i + 1]
                    return before, frame
            if time.monotonic() > until:
                return None
            self.pump(0.05)

    def marker(self, n):
        """A frame that any filter lets pass, and how to know it again."""
        self.mark += 1
        sign = MARK + self.mark.to_bytes(4, 'big')
        # The card may add a tag on the way: look for the sign, wherever it is.
        return self.test_frame(n, TEST_TYPE, sign + bytes(46 - len(sign))), lambda f: sign in f

    def between_marks(self, n, m, frames, seconds=20):
        """Sends frames into NIC n; returns what left NIC m because of them. A wire
        keeps order, so a marker sent last says when all has been seen."""
        for frame in frames:
            self.offer(self.wires[n], frame)
        last, seen = self.marker(n)
        self.offer(self.wires[n], last)
        got = self.await_frame(self.wires[m], seen, seconds)
        if got is None:
            raise Failure(f'no answer from NIC {m}')
        return got[0]

    # What a script may ask for. Arguments are words unless said otherwise.

    def verb_link(self, rest):
        """link N up|down: plugs or pulls NIC N's cable."""
        n, state = rest.split()
        self.monitor('set_link', name=f'n{n}', up=state == 'up')

    def verb_flow(self, rest):
        """flow N M [SECONDS]: waits until frames sent into NIC N leave NIC M."""
        words = [int(w) for w in rest.split()]
        n, m = words[:2]
        until = time.monotonic() + (words[2] if len(words) > 2 else 20)
        while time.monotonic() < until:
            frame, seen = self.marker(n)
            self.wires[n].send(frame)
            if self.await_frame(self.wires[m], seen, 0.2) is not None:
                # Let the late ones of earlier tries pass.
                self.between_marks(n, m, [])
                return
        raise Failure(f'nothing sent into NIC {n} leaves NIC {m}')

    def verb_sweep(self, rest):
        """sweep N M FROM TO [STEP]: a frame of each size with random content into
        NIC N; each must leave NIC M, in order, every byte of its payload alike.
        Sizes are without FCS. Answers with the number of frames and bytes."""
        n, m, first, last, *step = (int(w) for w in rest.split())
        content = random.Random(first * last)
        sizes = range(first, last + 1, step[0] if step else 1)
        frames = [self.test_frame(n, TEST_TYPE, content.randbytes(size - 14)) for size in sizes]
        for at in range(0, len(frames), 16):
            sent = frames[at:at + 16]
            got = self.between_marks(n, m, sent)
            for i, frame in enumerate(sent):
                if i >= len(got):
                    raise Failure(f'the frame of {len(frame)} bytes is lost')
                if got[i][12:] != frame[12:]:
                    raise Failure(f'the frame of {len(frame)} bytes came as {len(got[i])} bytes, '
                                  f'or with other content')
            if len(got) > len(sent):
                raise Failure(f'{len(got) - len(sent)} frames too many near {len(sent[0])} bytes')

    def build(self, expression):
        """Bytes of a scapy expression, or of a list of such."""
        # Only some scripts need scapy, and it takes half a second to load.
        from scapy import all as scapy
        names = dict(vars(scapy), peer0=peer_mac(0), peer1=peer_mac(1),
                     nic0=nic_mac(0), nic1=nic_mac(1))
        packets = eval(expression.strip(), names)
        return [bytes(p) for p in (packets if isinstance(packets, list) else [packets])]

    def verb_push(self, rest):
        """push N EXPRESSION: sends the packets of a scapy expression into NIC N."""
        n, expression = rest.split(' ', 1)
        for frame in self.build(expression):
            self.offer(self.wires[int(n)], frame)

    def verb_passes(self, rest):
        """passes N M EXPRESSION: sends the packets of a scapy expression into NIC N.
        Answers with the number that leave NIC M."""
        n, m, expression = rest.split(' ', 2)
        return len(self.between_marks(int(n), int(m), self.build(expression)))

    def verb_becomes(self, rest):
        """becomes N M EXPRESSION => EXPRESSION: sends the first into NIC N; the second
        must leave NIC M, alike to the byte."""
        n, m, expressions = rest.split(' ', 2)
        sent, wanted = (self.build(e) for e in expressions.split('=>'))
        got = self.between_marks(int(n), int(m), sent)
        if got != wanted:
            raise Failure('got ' + (', '.join(f.hex() for f in got) or 'nothing'))

    def verb_qemu(self, rest):
        """qemu: QEMU's version as one number, 702 for 7.2."""
        version = self.monitor('query-version')['qemu']
        return version['major'] * 100 + version['minor']

    def verb_cpu(self, rest):
        """cpu: the processor time that QEMU has used, in milliseconds."""
        with open(f'/proc/{self.process.pid}/stat') as f:
            fields = f.read().rsplit(')', 1)[1].split()
        ticks = int(fields[11]) + int(fields[12])
        return ticks * 1000 // os.sysconf('SC_CLK_TCK')

    def verb_flood(self, rest):
        """flood on|off: sends without a pause into every NIC."""
        self.flooded = set(range(len(self.wires))) if rest == 'on' else set()

    def verb_count(self, rest):
        """count N FILTER: the number of frames in the capture of NIC N's wire that a
        tshark filter accepts. All checksums are checked."""
        return len(self.capture(rest))

    def verb_octets(self, rest):
        """octets N FILTER: the length of the same frames, without FCS."""
        return sum(self.capture(rest))

    def capture(self, rest):
        n, expression = rest.split(' ', 1)
        command = ['tshark', '-n', '-r', os.path.join(self.folder, f'n{n}.pcap')]
        for layer in ('ip', 'tcp', 'udp'):
            command += ['-o', f'{layer}.check_checksum:TRUE']
        run = subprocess.run(command + ['-Y', expression, '-T', 'fields', '-e', 'frame.len'],
                             stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
        if run.returncode != 0:
            raise Failure('tshark: ' + run.stderr.strip().splitlines()[-1])
        return [int(length) for length in run.stdout.split()]


def read_header(script):
    """The "# key: value" lines on top of a script."""
    header = {'nics': '2', 'wires': 'host', 'device-options': '', 'timeout': '240',
              'memory': '768'}
    with open(script) as f:
        for line in f:
            if not line.startswith('#'):
                break
            match = re.match(r'# ([a-z-]+): (.*)$', line)
            if match:
                header[match[1]] = match[2]
    return header


def qemu_command(args, header, folder, wires):
    command = ['qemu-system-x86_64', '-machine', 'q35,kernel-irqchip=split',
               '-accel', 'tcg,thread=multi', '-cpu', 'max', '-smp', '1', '-m', header['memory'],
               '-nodefaults', '-no-user-config', '-display', 'none', '-no-reboot',
               '-serial', 'stdio', '-serial', f'unix:{folder}/line',
               '-qmp', f'unix:{folder}/qmp',
               '-device', 'isa-debug-exit,iobase=0xf4,iosize=0x04',
               '-kernel', os.path.join(args.cache, 'guest', 'vmlinux'),
               '-initrd', os.path.join(folder, 'initramfs'),
               '-append', APPEND + ('intel_iommu=off' if args.no_iommu else 'intel_iommu=on')]
    if not args.no_iommu:
        command += ['-device', 'intel-iommu,intremap=on,caching-mode=on']
    options = header['device-options'] and ',' + header['device-options']
    for wire in wires:
        if header['wires'] == 'joined':
            command += ['-netdev', f'hubport,id=n{wire.n},hubid=0']
        else:
            command += ['-netdev', wire.netdev(),
                        '-object', f'filter-dump,id=d{wire.n},netdev=n{wire.n},'
                                   f'file={folder}/n{wire.n}.pcap,maxlen=65536']
        command += ['-device', f'{args.device},netdev=n{wire.n},mac={nic_mac(wire.n)}{options}']
    return command


def write_initramfs(args, folder):
    # What the script is run with; data files, so that lib.sh needs no arguments.
    driver = os.path.join(folder, 'driver')
    with open(driver, 'w') as f:
        f.write(args.driver + '\n')
    device = os.path.join(folder, 'device')
    with open(device, 'w') as f:
        f.write(args.device + '\n')
    files = {'test.sh': args.script, 'driver': driver, 'device': device}
    if args.plugin:
        files['opt/pmd/pollwire.so'] = args.plugin
    with open(os.path.join(folder, 'initramfs'), 'wb') as f:
        f.write(initramfs.build(os.path.join(args.cache, 'guest'), os.path.join(HERE, 'inside'),
                                args.program, files))


def find_cache(fallback):
    """The first of the folders that tools/setup.sh may choose which has a kernel."""
    top = os.path.dirname(os.path.dirname(HERE))
    folders = [os.environ.get('POLLWIRE_CACHE'), os.path.join(top, '.cache'), fallback]
    for folder in filter(None, folders):
        if os.path.exists(os.path.join(folder, 'guest', 'vmlinux')):
            return folder
    return None


def check_setup(args):
    """One line for what is missing; there is no skip."""
    missing = [t for t in ('qemu-system-x86_64', 'busybox', 'tshark', 'dpdk-testpmd')
               if shutil.which(t) is None]
    args.cache = find_cache(args.cache)
    if args.cache is None:
        missing.append('a guest kernel')
    if missing:
        sys.exit('guest.py: missing: ' + ', '.join(missing) + '; run tools/setup-guest.sh')


def run(args, folder):
    header = read_header(args.script)
    wires = [Wire(folder, n) for n in range(int(header['nics']))]
    host = Host(folder, wires)
    write_initramfs(args, folder)
    with open(os.path.join(folder, 'console'), 'wb') as console:
        process = subprocess.Popen(qemu_command(args, header, folder, wires),
                                   stdin=subprocess.DEVNULL, stdout=console, stderr=console)
    try:
        host.process = process
        host.accept()
        in_time = host.serve(process, float(header['timeout']))
    except TimeoutError:
        in_time = False
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
    with open(os.path.join(folder, 'console'), errors='replace') as console:
        sys.stdout.write(console.read())
    if not in_time:
        return f'no verdict within {header["timeout"]} s'
    if host.failed:
        return host.failed
    if process.returncode != PASS:
        return f'QEMU ended with {process.returncode}'
    return None


def main():
    parser = argparse.ArgumentParser(description='Runs one guest test.')
    parser.add_argument('--cache', help='where the guest kernel is, if neither in POLLWIRE_CACHE '
                                        'nor in .cache of the source tree')
    parser.add_argument('--device', default='e1000', help='a NIC of QEMU (default: %(default)s)')
    parser.add_argument('--driver', default='pollwire', choices=['pollwire', 'em'],
                        help='ours, or DPDK\'s net_e1000_em (default: %(default)s)')
    parser.add_argument('--no-iommu', action='store_true',
                        help='a guest without IOMMU: uio_pci_generic instead of vfio-pci')
    parser.add_argument('--plugin', help='librte_net_pollwire.so')
    parser.add_argument('--program', action='append', default=[], help='one to put into /usr/bin')
    parser.add_argument('--keep', help='a folder for captures and logs (default: a temporary one)')
    parser.add_argument('script')
    args = parser.parse_args()
    for path in [args.script, args.plugin, *args.program]:
        if path and not os.path.isfile(path):
            parser.error('no file ' + path)
    if args.driver == 'pollwire' and not args.plugin:
        parser.error('the pollwire driver needs --plugin')
    check_setup(args)
    # Unwind when meson's time is up, or QEMU stays behind.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
    folder = args.keep or tempfile.mkdtemp(prefix='guest-')
    start = time.monotonic()
    try:
        failure = run(args, folder)
    except Failure as error:
        failure = str(error)
    finally:
        if not args.keep:
            shutil.rmtree(folder)
    name = f'{os.path.basename(args.script)} on {args.device} with {args.driver}'
    print(f'{name}: {time.monotonic() - start:.1f} s: {failure or "passed"}')
    sys.exit(1 if failure else 0)


if __name__ == '__main__':
    main()
