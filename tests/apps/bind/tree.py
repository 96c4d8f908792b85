# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
"""Invented machines: the parts of /sys, /proc and /dev that pollwire-bind looks at.

The shape is the kernel's (Documentation/ABI/testing/sysfs-bus-pci, -kernel-iommu_groups,
-kernel-mm-hugepages; proc(5)), as a Debian 12 shows it, but that a device's folder is where
its link would be.
"""
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import unittest

BIND = os.environ['POLLWIRE_BIND']
FAKE = os.environ['POLLWIRE_BIND_FAKE']

OK, FAILED, USAGE, REFUSED, NOT_ALL, WARNINGS, BLOCKED = range(7)
RELEASE = '6.1.0'

# vendor, device, module that modules.alias names
CARDS = {
    '82574l': (0x8086, 0x10d3, 'e1000e'),
    '82540em': (0x8086, 0x100e, 'e1000'),
    '82571eb': (0x8086, 0x105e, 'e1000e'),
    'rtl8139': (0x10ec, 0x8139, '8139too'),
    'virtio': (0x1af4, 0x1041, 'virtio_pci'),
}
NETWORK, SATA, BRIDGE, SOUND = 0x020000, 0x010601, 0x060400, 0x040300
FLAG_UP = 1


class Tree:
    """A machine with an IOMMU, vfio loaded, hugepages free: nothing to complain of."""

    def __init__(self):
        self.root = tempfile.mkdtemp(prefix='bind-')
        self.routes4 = []
        self.routes6 = []
        self.addresses = []
        for folder in ['sys/bus/pci/devices', 'sys/class/net', 'sys/kernel/iommu_groups', 'run',
                       'etc', 'dev/vfio', 'dev/hugepages', 'proc/net']:
            os.makedirs(self.path(folder))
        self.write('sys/bus/pci/drivers_probe', '')
        self.write('proc/sys/kernel/osrelease', RELEASE)
        self.write('proc/cmdline', 'BOOT_IMAGE=/vmlinuz root=/dev/sda1 quiet intel_iommu=on')
        self.cpu('GenuineIntel', 'fpu vme vmx sse')
        self.write('sys/firmware/acpi/tables/DMAR', '')
        self.write('sys/kernel/security/lockdown', '[none] integrity confidentiality')
        self.write('proc/self/limits',
                   'Limit                     Soft Limit           Hard Limit           Units\n'
                   'Max locked memory         unlimited            unlimited            bytes')
        self.write('proc/self/status', 'Name:\tx\nCapEff:\t0000000000000000')
        self.write('proc/self/mounts',
                   'sysfs /sys sysfs rw,nosuid,nodev,noexec,relatime 0 0\n'
                   'hugetlbfs /dev/hugepages hugetlbfs rw,relatime,pagesize=2M 0 0')
        self.write('proc/meminfo', 'MemTotal: 8000000 kB\nMemAvailable: 6000000 kB\n'
                                   'Hugepagesize:       2048 kB')
        self.pool(2048, total=128, free=128)
        self.write('dev/vfio/vfio', '', 0o666)
        self.modules(['e1000', 'e1000e', '8139too', 'virtio_pci', 'vfio-pci', 'vfio_iommu_type1',
                      'uio_pci_generic'])
        for name in ['e1000', 'e1000e', 'vfio-pci', 'ahci', 'pcieport']:
            self.driver(name)
        self.write('sys/module/vfio_iommu_type1/x', '')

    def remove(self):
        shutil.rmtree(self.root)

    def path(self, name):
        return os.path.join(self.root, name)

    def write(self, name, text, mode=0o644):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        data = text if isinstance(text, bytes) else (text + '\n').encode()
        with open(self.path(name), 'wb') as f:
            f.write(data)
        os.chmod(self.path(name), mode)

    def read(self, name):
        with open(self.path(name)) as f:
            return f.read().strip()

    def exists(self, name):
        return os.path.lexists(self.path(name))

    def link(self, target, name):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        os.symlink(target, self.path(name))

    def unlink(self, name):
        os.unlink(self.path(name))

    # The machine

    def cpu(self, vendor, flags):
        self.write('proc/cpuinfo', f'processor\t: 0\nvendor_id\t: {vendor}\nflags\t\t: {flags}')

    def pool(self, kb, total=0, free=0, limit=None):
        folder = f'sys/kernel/mm/hugepages/hugepages-{kb}kB'
        for name, value in [('nr', total), ('free', free), ('resv', 0), ('surplus', 0)]:
            self.write(f'{folder}/{name}_hugepages', str(value))
        if limit is not None:
            self.write(f'{folder}/.limit', str(limit))

    def modules(self, names):
        folder = f'lib/modules/{RELEASE}'
        self.write(f'{folder}/modules.dep', '\n'.join(f'kernel/x/{n}.ko:' for n in names))
        self.write(f'{folder}/modules.builtin', 'kernel/drivers/pci/pcie/pcieport.ko')
        aliases = ['# Aliases extracted from modules themselves.']
        for vendor, device, module in CARDS.values():
            aliases.append(f'alias pci:v{vendor:08X}d{device:08X}sv*sd*bc*sc*i* {module}')
        self.write(f'{folder}/modules.alias', '\n'.join(aliases))

    def driver(self, name):
        folder = f'sys/bus/pci/drivers/{name}'
        self.write(f'{folder}/bind', '')
        self.write(f'{folder}/unbind', '')
        if not self.exists(f'sys/module/{name.replace("-", "_")}'):
            os.makedirs(self.path(f'sys/module/{name.replace("-", "_")}'))

    def no_driver(self, name):
        shutil.rmtree(self.path(f'sys/bus/pci/drivers/{name}'))
        shutil.rmtree(self.path(f'sys/module/{name.replace("-", "_")}'))

    def no_iommu(self, table=False):
        """As it looks without, whatever the reason."""
        if not table:
            self.unlink('sys/firmware/acpi/tables/DMAR')
        shutil.rmtree(self.path('sys/kernel/iommu_groups'))
        os.makedirs(self.path('sys/kernel/iommu_groups'))
        for addr in os.listdir(self.path('sys/bus/pci/devices')):
            link = f'sys/bus/pci/devices/{addr}/iommu_group'
            if self.exists(link):
                self.unlink(link)

    # Its devices

    def device(self, addr, vendor, device, kind=NETWORK, driver=None, home=None, group=None,
               config=None):
        folder = f'sys/bus/pci/devices/{addr}'
        self.write(f'{folder}/vendor', f'{vendor:#06x}')
        self.write(f'{folder}/device', f'{device:#06x}')
        self.write(f'{folder}/subsystem_vendor', f'{vendor:#06x}')
        self.write(f'{folder}/subsystem_device', '0x0000')
        self.write(f'{folder}/class', f'{kind:#08x}')
        self.write(f'{folder}/revision', '0x00')
        self.write(f'{folder}/irq', '11')
        self.write(f'{folder}/resource', '\n'.join(['0x0000000000000000 ' * 2 + '0x0'] * 13))
        self.write(f'{folder}/driver_override', '(null)')
        self.write(f'{folder}/modalias',
                   f'pci:v{vendor:08X}d{device:08X}sv{vendor:08X}sd00000000'
                   f'bc{kind >> 16:02X}sc{kind >> 8 & 255:02X}i{kind & 255:02X}')
        self.write(f'{folder}/config', config or self.config(vendor, device, kind))
        if home or driver:
            self.write(f'{folder}/.home', home or driver)
        if driver:
            self.link(f'../../drivers/{driver}', f'{folder}/driver')
            self.link(f'../../devices/{addr}', f'sys/bus/pci/drivers/{driver}/{addr}')
        if group is not None:
            self.link(f'../../../../kernel/iommu_groups/{group}', f'{folder}/iommu_group')
            base = f'sys/kernel/iommu_groups/{group}'
            self.link(f'../../../../bus/pci/devices/{addr}', f'{base}/devices/{addr}')
            self.write(f'{base}/type', 'DMA')
            self.write(f'{base}/reserved_regions',
                       '0x00000000fee00000 0x00000000feefffff msi')
        return folder

    @staticmethod
    def config(vendor, device, kind, caps=b''):
        """The head of configuration space (PCI 3.0, figure 6-1), capabilities at 0x40."""
        head = struct.pack('<HHHHBBBBBBBB', vendor, device, 7, 0x10 if caps else 0, 0,
                           kind & 255, kind >> 8 & 255, kind >> 16, 0, 0, 0, 0)
        head = head.ljust(0x2c, b'\0') + struct.pack('<HH', vendor, 0)
        head = head.ljust(0x34, b'\0') + (b'\x40' if caps else b'\0')
        return (head.ljust(0x40, b'\0') + caps).ljust(256, b'\0')

    def card(self, addr, name, interface=None, up=False, **more):
        """A network card with the driver that the kernel has for it."""
        vendor, device, module = CARDS[name]
        driver = more.pop('driver', module)
        folder = self.device(addr, vendor, device, home=module, driver=driver or None, **more)
        if interface:
            net = 'net' if driver == module else '.net'
            self.write(f'{folder}/{net}/{interface}/x', '')
            self.interface(interface, up)
        return folder

    def interface(self, name, up=False):
        folder = f'sys/class/net/{name}'
        self.write(f'{folder}/flags', hex(0x1002 | (FLAG_UP if up else 0)))
        self.write(f'{folder}/carrier', '1' if up else '')
        self.write(f'{folder}/speed', '1000' if up else '')

    def address(self, interface, text):
        self.addresses.append(f'{interface} {text}')
        self.write('addresses', '\n'.join(self.addresses))

    def route(self, interface, network, bits=0, gateway='0.0.0.0'):
        def word(text):
            return socket.inet_aton(text)[::-1].hex().upper()
        mask = socket.inet_ntoa(struct.pack('>I', (0xffffffff << (32 - bits)) & 0xffffffff))
        self.routes4.append(f'{interface}\t{word(network)}\t{word(gateway)}\t0001\t0\t0\t0\t'
                            f'{word(mask)}\t0\t0\t0')
        self.write('proc/net/route', 'Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\t'
                                     'Mask\tMTU\tWindow\tIRTT\n' + '\n'.join(self.routes4))

    def route6(self, interface, network, bits):
        raw = socket.inet_pton(socket.AF_INET6, network).hex()
        self.routes6.append(f'{raw} {bits:02x} {"0" * 32} 00 {"0" * 32} 00000400 00000001 '
                            f'00000000 00000001 {interface:>8}')
        self.write('proc/net/ipv6_route', '\n'.join(self.routes6))

    def refuse(self, addr, driver, errno):
        self.write(f'sys/bus/pci/devices/{addr}/.refuse', f'{driver} {errno}')

    def driver_of(self, addr):
        link = self.path(f'sys/bus/pci/devices/{addr}/driver')
        return os.path.basename(os.readlink(link)) if os.path.lexists(link) else None

    def override_of(self, addr):
        return self.read(f'sys/bus/pci/devices/{addr}/driver_override')

    def snapshot(self):
        """Everything in the tree but the log: name, kind and content."""
        found = {}
        for folder, folders, files in os.walk(self.root):
            for name in folders + files:
                path = os.path.join(folder, name)
                inside = os.path.relpath(path, self.root)
                if inside == '.log':
                    continue
                if os.path.islink(path):
                    found[inside] = ('link', os.readlink(path))
                elif os.path.isdir(path):
                    found[inside] = ('folder',)
                else:
                    with open(path, 'rb') as f:
                        found[inside] = ('file', f.read())
        return found

    def log(self):
        return self.read('.log').splitlines() if self.exists('.log') else []


class Case(unittest.TestCase):
    """A test on a machine of its own."""
    maxDiff = None

    def setUp(self):
        self.tree = Tree()
        self.addCleanup(self.tree.remove)

    def start(self, program, words):
        run = subprocess.run([program, '--sysroot', self.tree.root, *words],
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, errors='replace', timeout=60)
        self.out, self.err = run.stdout, run.stderr
        return run.returncode

    def run_bind(self, *words, status=OK):
        """The shipped program, which cannot change a machine that is only invented."""
        self.assertEqual(self.start(BIND, words), status, self.out + self.err)
        return self.out

    def run_fake(self, *words, status=OK):
        """The same on the fake kernel."""
        self.assertEqual(self.start(FAKE, words), status, self.out + self.err)
        return self.out

    def status_of(self, addr):
        found = [f for f in json.loads(self.run_bind('status', '--json'))
                 if f['address'] == addr]
        self.assertEqual(len(found), 1, addr)
        return found[0]

    def findings(self, *words, status):
        """What the doctor finds, by id."""
        found = json.loads(self.run_bind('doctor', '--json', *words, status=status))
        by_id = {}
        for finding in found:
            by_id.setdefault(finding['id'], []).append(finding)
        return by_id
