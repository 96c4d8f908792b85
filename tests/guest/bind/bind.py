#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
"""Boots a guest in which pollwire-bind binds real drivers of a real kernel to QEMU's cards.

The script runs inside, with lspci, modprobe and dpdk-devbind.py beside it as witnesses. It
passes if its exit code is 0 and the guest's IOMMU saw no fault.

Header lines of a script (the first is needed):
  # devices: e1000e | e1000    the arguments of -device, one card or bridge each
  # more-devices: ...          a second line of them
  # iommu: on                  on; off: on the kernel's command line; absent: no such device
  # testpmd: yes               with testpmd, our drivers and pollwire-selftest
  # timeout: 240               seconds
"""
import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import guest
import initramfs
from guest import Failure

FOLDERS = ['dev', 'etc', 'proc', 'sys', 'tmp', 'run', 'var', 'usr/bin', 'usr/sbin', 'usr/lib',
           'usr/lib64', 'modules']
LINKS = {'bin': 'usr/bin', 'sbin': 'usr/sbin', 'lib': 'usr/lib', 'lib64': 'usr/lib64',
         'var/run': '/run'}
BRIDGES = ('pcie-pci-bridge', 'pcie-root-port')
# Loaded at the start. vfio and uio are not: that is pollwire-bind's work.
DRIVERS = ['e1000', 'e1000e', '8139too', '8021q']
DEVBIND = '/usr/bin/dpdk-devbind.py'
# What dpdk-devbind.py and the scripts import.
IMPORTS = ('import argparse, encodings.ascii, encodings.latin_1, fcntl, glob, os, platform, '
           'struct, subprocess')


def python_files():
    """The part of Debian's Python that dpdk-devbind.py needs."""
    code = (IMPORTS + ', sys\nfor module in list(sys.modules.values()):\n'
            '    path = getattr(module, "__file__", None)\n    if path: print(path)')
    return subprocess.run(['/usr/bin/python3', '-I', '-c', code], check=True,
                          stdout=subprocess.PIPE, text=True).stdout.split()


def find(name):
    path = shutil.which(name, path=os.environ['PATH'] + ':/usr/sbin:/sbin')
    if path is None:
        raise Failure(f'missing: {name}; run tools/setup.sh and tools/setup-guest.sh')
    return path


def add_kernel(archive, cache):
    """All modules where modprobe looks for them, and those of DRIVERS to be loaded by init."""
    kernel = os.path.join(cache, 'guest')
    initramfs.add_modules(archive, kernel, DRIVERS)
    for folder, _, names in os.walk(os.path.join(kernel, 'lib', 'modules')):
        for name in names:
            path = os.path.join(folder, name)
            archive.copy(path, 'usr/' + os.path.relpath(path, kernel))


def add_dpdk(archive, args):
    """What a driver of ours needs to run."""
    pmds = initramfs.dpdk_plugins()
    ring = os.path.join(pmds, 'librte_mempool_ring.so')
    gcc = os.path.join(os.path.dirname(os.path.dirname(pmds)), 'libgcc_s.so.1')
    archive.copy(args.selftest, 'usr/bin/pollwire-selftest')
    for path in initramfs.libraries([args.selftest, ring]) + [ring, gcc]:
        archive.host_file(path)
    lib = os.path.dirname(os.path.dirname(pmds))
    for name in sorted(archive.names):
        if name.startswith(pmds[1:] + '/'):
            archive.link(os.path.join(lib, os.path.basename(name))[1:],
                         os.path.relpath('/' + name, lib))


def write_initramfs(args, header, folder):
    archive = initramfs.Archive()
    for name in FOLDERS:
        archive.folder(name)
    for name, target in LINKS.items():
        archive.link(name, target)
    # Before busybox, whose applets of these names know less.
    programs = [find('modprobe'), find('lspci'), '/usr/bin/python3']
    for path in programs + [DEVBIND]:
        archive.host_file(path)
    archive.copy(args.bind, 'usr/bin/pollwire-bind')
    for path in python_files():
        archive.host_file(path)
    archive.host_file('/usr/share/misc/pci.ids')
    initramfs.add_busybox(archive)
    add_kernel(archive, args.cache)
    if header['testpmd'] == 'yes':
        add_dpdk(archive, args)
    for path in initramfs.libraries(programs + [args.bind]):
        archive.host_file(path)
    archive.copy(os.path.join(os.path.dirname(HERE), 'inside', 'init'), 'init')
    archive.copy(os.path.join(HERE, 'lib.sh'), 'lib.sh')
    archive.copy(args.script, 'test.sh')
    with open(os.path.join(folder, 'initramfs'), 'wb') as f:
        f.write(archive.finish())


def qemu_command(args, header, folder):
    append = guest.APPEND.replace('hugepages=160 ', '')
    command = ['qemu-system-x86_64', '-machine', 'q35,kernel-irqchip=split',
               '-accel', 'tcg,thread=multi', '-cpu', 'max', '-smp', '1', '-m', '768',
               '-nodefaults', '-no-user-config', '-display', 'none', '-no-reboot',
               '-serial', 'stdio', '-serial', f'unix:{folder}/line',
               '-qmp', f'unix:{folder}/qmp',
               '-device', 'isa-debug-exit,iobase=0xf4,iosize=0x04',
               '-kernel', os.path.join(args.cache, 'guest', 'vmlinux'),
               '-initrd', os.path.join(folder, 'initramfs'),
               '-append', append + ('intel_iommu=off' if header['iommu'] == 'off' else
                                    'intel_iommu=on')]
    if header['iommu'] != 'absent':
        command += ['-device', 'intel-iommu,intremap=on,caching-mode=on']
    nb = 0
    devices = '|'.join(header[key] for key in ('devices', 'more-devices') if key in header)
    for device in devices.split('|'):
        device = device.strip()
        if not device.startswith(BRIDGES):
            command += ['-netdev', f'hubport,id=n{nb},hubid=0']
            device += f',netdev=n{nb},mac={guest.nic_mac(nb)}'
            nb += 1
        command += ['-device', device]
    return command


def run(args, folder):
    header = {'iommu': 'on', 'testpmd': 'no', 'timeout': '240', **guest.read_header(args.script)}
    write_initramfs(args, header, folder)
    host = guest.Host(folder, [])
    with open(os.path.join(folder, 'console'), 'wb') as console:
        process = subprocess.Popen(qemu_command(args, header, folder), stdin=subprocess.DEVNULL,
                                   stdout=console, stderr=console)
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
    return None if process.returncode == guest.PASS else f'QEMU ended with {process.returncode}'


def main():
    parser = argparse.ArgumentParser(description='Runs pollwire-bind in a guest.')
    parser.add_argument('--cache', help='where the guest kernel is, if neither in POLLWIRE_CACHE '
                                        'nor in .cache of the source tree')
    parser.add_argument('--bind', required=True, help='pollwire-bind')
    parser.add_argument('--selftest', help='pollwire-selftest')
    parser.add_argument('--keep', help='a folder for the console (default: a temporary one)')
    parser.add_argument('script')
    args = parser.parse_args()
    args.cache = guest.find_cache(args.cache)
    if args.cache is None:
        sys.exit('bind.py: missing: a guest kernel; run tools/setup-guest.sh')
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
    print(f'{os.path.basename(args.script)}: {time.monotonic() - start:.1f} s: '
          f'{failure or "passed"}')
    sys.exit(1 if failure else 0)


if __name__ == '__main__':
    main()
