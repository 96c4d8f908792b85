#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
"""Boots a guest whose network cards are our models, and lets Linux's own drivers judge them.

Two pollwire-chip servers, joined by a wire, are two cards of one guest behind an IOMMU that
maps each buffer by itself. The script puts them into two network namespaces, so all traffic
crosses both models. It passes if its exit code is 0, no check here failed, the guest's IOMMU
and kernel log are clean, and no model recorded a violation.

Header lines of a script (all optional):
  # violations: expected    the script makes a model complain; a driver's name: with that one
  # memory: private         QEMU does not share the guest's memory with the models
  # timeout: 120            seconds
"""
import argparse
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import guest
import initramfs
from guest import Failure

FOLDERS = ['dev', 'proc', 'sys', 'tmp', 'run', 'usr/bin', 'usr/sbin', 'usr/lib', 'usr/lib64',
           'modules']
LINKS = {'bin': 'usr/bin', 'sbin': 'usr/sbin', 'lib': 'usr/lib', 'lib64': 'usr/lib64'}
PROGRAMS = ['iperf3', 'ethtool']
APPEND = ('console=ttyS0 quiet loglevel=4 panic=-1 tsc=reliable no_timer_check '
          'random.trust_cpu=on rcupdate.rcu_expedited=1 mitigations=off pci=noaer '
          'intel_iommu=on iommu.strict=1 rdinit=/init')
NICS = 2


def find_program(name):
    path = shutil.which(name, path=os.environ['PATH'] + ':/usr/sbin:/sbin')
    if path is None:
        raise Failure(f'missing: {name}; run tools/setup-guest.sh')
    return path


class Chip:
    """One pollwire-chip."""

    def __init__(self, args, folder, n):
        self.n = n
        self.path = os.path.join(folder, f'chip{n}')
        command = [args.server, '--chip', args.chip, '--socket', self.path + '.sock', '--strict',
                   '--control', self.path + '.control', '--mac', guest.nic_mac(n),
                   '--wire', f'shm:guest-{os.getpid()}', '--autoneg', args.autoneg]
        if args.keep and args.trace:
            command += ['--trace', self.path + '.trace']
        self.log = open(self.path + '.log', 'w+')
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log,
                                        text=True)
        self.process.stdout.readline()
        self.control = None

    def ask(self, line):
        if self.control is None:
            self.control = socket.socket(socket.AF_UNIX)
            self.control.settimeout(20)
            self.control.connect(self.path + '.control')
        self.control.sendall(line.encode() + b'\n')
        answer = b''
        while not answer.endswith(b'\n'):
            more = self.control.recv(256)
            if not more:
                raise Failure(f'chip {self.n} does not answer')
            answer += more
        verdict, _, text = answer.decode().rstrip('\n').partition(' ')
        if verdict != 'ok':
            raise Failure(f'chip {self.n}: {text}')
        return text

    def stop(self):
        """Returns its last words and whether it ended well: no violation, no crash."""
        self.process.terminate()
        try:
            out, _ = self.process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            out, _ = self.process.communicate()
        self.log.seek(0)
        text = self.log.read() + out
        self.log.close()
        return text, self.process.returncode


class Host(guest.Host):
    """The outside; what a script may ask for besides the verbs that need no wires."""

    def __init__(self, folder, chips):
        super().__init__(folder, [])
        self.chips = chips

    def verb_fault(self, rest):
        """fault N NAME [ARG]: sets a fault switch of card N."""
        n, fault = rest.split(' ', 1)
        self.chips[int(n)].ask('fault ' + fault)

    def verb_violations(self, rest):
        """violations N: how many of which kind the model of card N has recorded."""
        return self.chips[int(rest)].ask('violations')

    def verb_said(self, rest):
        """said N TEXT: fails if the server of card N has not said so."""
        n, text = rest.split(' ', 1)
        with open(self.chips[int(n)].path + '.log') as log:
            if text not in log.read():
                raise Failure('not said')

    def verb_interrupts(self, rest):
        """interrupts N: how many card N has raised."""
        return self.chips[int(rest)].ask('interrupts')


def write_initramfs(args, folder):
    archive = initramfs.Archive()
    kernel = os.path.join(args.cache, 'guest')
    for name in FOLDERS:
        archive.folder(name)
    for name, target in LINKS.items():
        archive.link(name, target)
    initramfs.add_busybox(archive)
    initramfs.add_modules(archive, kernel, ['8021q'])
    initramfs.add_modules(archive, kernel, [args.driver], 'driver.order')
    archive.copy(os.path.join(os.path.dirname(HERE), 'inside', 'init'), 'init')
    archive.copy(os.path.join(HERE, 'lib.sh'), 'lib.sh')
    archive.copy(args.script, 'test.sh')
    programs = [find_program(p) for p in PROGRAMS]
    for path in programs:
        archive.copy(path, 'usr/bin/' + os.path.basename(path))
    for path in initramfs.libraries(programs):
        archive.host_file(path)
    with open(os.path.join(folder, 'initramfs'), 'wb') as f:
        f.write(archive.finish())


def qemu_command(args, folder, chips, share):
    command = [os.path.join(args.cache, 'qemu', 'qemu-system-x86_64'),
               '-machine', 'q35,kernel-irqchip=split,memory-backend=mem',
               '-object', f'memory-backend-memfd,id=mem,size=384M,share={share}', '-m', '384M',
               '-accel', 'tcg,thread=multi', '-cpu', 'max', '-smp', '1',
               '-nodefaults', '-no-user-config', '-display', 'none', '-no-reboot',
               '-serial', 'stdio', '-serial', f'unix:{folder}/line', '-qmp', f'unix:{folder}/qmp',
               '-device', 'isa-debug-exit,iobase=0xf4,iosize=0x04',
               '-device', 'intel-iommu,intremap=on,caching-mode=on',
               '-kernel', os.path.join(args.cache, 'guest', 'vmlinux'),
               '-initrd', os.path.join(folder, 'initramfs'), '-append', APPEND]
    for chip in chips:
        command += ['-device', '{"driver":"vfio-user-pci","id":"nic%d","socket":{"type":"unix",'
                    '"path":"%s.sock"}}' % (chip.n, chip.path)]
    return command


def judge_chips(chips, expected):
    """What is to be said against the models, or None."""
    failure = None
    for chip in chips:
        text, status = chip.stop()
        sys.stdout.write(text)
        if status not in (0, 3):
            failure = failure or f'the server of card {chip.n} ended with {status}'
        elif (status == 3) != expected and failure is None:
            failure = f'card {chip.n}: ' + ('no violation' if expected else 'violations, see above')
    return failure


def run_guest(args, folder, chips, header):
    write_initramfs(args, folder)
    host = Host(folder, chips)
    command = qemu_command(args, folder, chips, 'off' if header['memory'] == 'private' else 'on')
    with open(os.path.join(folder, 'console'), 'wb') as console:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=console,
                                   stderr=console)
    try:
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
    return None if process.returncode == guest.PASS else f'QEMU ended with {process.returncode}'


def run(args, folder):
    header = {'violations': 'none', 'memory': 'shared', **guest.read_header(args.script)}
    chips = []
    try:
        for n in range(NICS):
            chips.append(Chip(args, folder, n))
        failure = run_guest(args, folder, chips, header)
    finally:
        verdict = judge_chips(chips, header['violations'] in ('expected', args.driver))
    return failure or verdict


def main():
    parser = argparse.ArgumentParser(description='Judges a chip model by a driver of Linux.')
    parser.add_argument('--cache', help='where the guest kernel is, if neither in POLLWIRE_CACHE '
                                        'nor in .cache of the source tree')
    parser.add_argument('--server', required=True, help='pollwire-chip')
    parser.add_argument('--chip', default='82540em', help='(default: %(default)s)')
    parser.add_argument('--driver', default='e1000', help='module of Linux (default: %(default)s)')
    parser.add_argument('--autoneg', default='100', help='ms that autonegotiation takes (default: '
                        '%(default)s)')
    parser.add_argument('--keep', help='a folder for logs (default: a temporary one)')
    parser.add_argument('--trace', action='store_true', help='with --keep: trace the models')
    parser.add_argument('script')
    args = parser.parse_args()
    args.cache = guest.find_cache(args.cache)
    if args.cache is None:
        sys.exit('model.py: missing: a guest kernel; run tools/setup-guest.sh')
    if not os.path.exists(os.path.join(args.cache, 'qemu', 'qemu-system-x86_64')):
        sys.exit('model.py: missing: a QEMU with vfio-user-pci; run tools/setup-guest.sh')
    # Unwind when meson's time is up, or QEMU and the servers stay behind.
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
    name = f'{os.path.basename(args.script)}: {args.driver} on our {args.chip}'
    print(f'{name}: {time.monotonic() - start:.1f} s: {failure or "passed"}')
    sys.exit(1 if failure else 0)


if __name__ == '__main__':
    main()
