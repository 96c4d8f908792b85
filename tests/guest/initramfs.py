# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
"""Packs the guest's root file system: busybox, kernel modules, DPDK, ours.

Files keep the path and the symbolic links that they have on the host. The links
matter: a DPDK library reachable under two real names is loaded twice, and EAL
then refuses to start.
"""
import io
import lzma
import os
import stat
import subprocess

# Loaded in this order, each after what modules.dep says it needs.
MODULES = ['vfio_iommu_type1', 'vfio-pci', 'uio_pci_generic']
FOLDERS = ['dev', 'proc', 'sys', 'tmp', 'run', 'var', 'usr/bin', 'usr/sbin', 'usr/lib', 'usr/lib64',
           'opt/pmd', 'modules']
LINKS = {'bin': 'usr/bin', 'sbin': 'usr/sbin', 'lib': 'usr/lib', 'lib64': 'usr/lib64',
         'var/run': '/run'}


class Archive:
    """A cpio archive in the kernel's "newc" format, built in memory."""

    def __init__(self):
        self.out = io.BytesIO()
        self.names = set()

    def _entry(self, name, mode, data):
        head = [len(self.names) + 1, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0,
                len(name.encode()) + 1, 0]
        self.out.write(b'070701' + b''.join(b'%08x' % v for v in head))
        for part in (name.encode() + b'\0', data):
            self.out.write(part)
            self.out.write(bytes(-self.out.tell() % 4))
        self.names.add(name)

    def _new(self, name):
        """True if name is not there yet; makes the folders above it."""
        if name in self.names:
            return False
        above = os.path.dirname(name)
        if above and self._new(above):
            self._entry(above, stat.S_IFDIR | 0o755, b'')
        return True

    def folder(self, name):
        if self._new(name):
            self._entry(name, stat.S_IFDIR | 0o755, b'')

    def link(self, name, target):
        if self._new(name):
            self._entry(name, stat.S_IFLNK | 0o777, target.encode())

    def data(self, name, content, mode=0o755):
        if self._new(name):
            self._entry(name, stat.S_IFREG | mode, content)

    def copy(self, path, name):
        with open(path, 'rb') as f:
            self.data(name, f.read())

    def host_file(self, path):
        """A file of the host under its own path, and every link on the way."""
        path = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        if os.path.islink(path):
            target = os.readlink(path)
            self.link(path[1:], target)
            self.host_file(os.path.join(os.path.dirname(path), target))
        else:
            self.copy(path, path[1:])

    def finish(self):
        self._entry('TRAILER!!!', 0, b'')
        return self.out.getvalue()


def libraries(paths):
    """The shared libraries that programs and plugins need, as ldd finds them."""
    text = subprocess.run(['ldd'] + paths, check=True, stdout=subprocess.PIPE, text=True).stdout
    words = [w for line in text.splitlines() if '(0x' in line for w in line.split()]
    found = {w for w in words if w.startswith('/')}
    return sorted(p for p in found if 'librte_net_pollwire' not in p)


def add_busybox(archive):
    applets = subprocess.run(['busybox', '--list'], check=True, stdout=subprocess.PIPE,
                             text=True).stdout.split()
    archive.copy('/bin/busybox', 'usr/bin/busybox')
    for applet in applets:
        archive.link('usr/bin/' + applet, 'busybox')


def add_modules(archive, kernel_dir, modules=MODULES, order_name='order'):
    """Modules with what they need; modules/<order_name> lists the order to load them in."""
    with open(os.path.join(kernel_dir, 'version')) as f:
        root = os.path.join(kernel_dir, 'lib/modules', f.read().strip())
    needs = {}
    with open(os.path.join(root, 'modules.dep')) as f:
        for line in f:
            path, rest = line.split(':')
            needs[os.path.basename(path).split('.')[0].replace('-', '_')] = [path] + rest.split()
    order = []
    for module in modules:
        # modules.dep lists what is needed last to first.
        for path in reversed(needs[module.replace('-', '_')]):
            name = os.path.basename(path).split('.')[0] + '.ko'
            if name in order:
                continue
            order.append(name)
            with open(os.path.join(root, path), 'rb') as f:
                content = f.read()
            archive.data('modules/' + name,
                         lzma.decompress(content) if path.endswith('.xz') else content)
    archive.data('modules/' + order_name, '\n'.join(order).encode() + b'\n')


def dpdk_plugins():
    """Debian's plugin folder: <libdir>/dpdk/pmds-<ABI>."""
    text = subprocess.run(['ldd', '/usr/bin/dpdk-testpmd'], check=True, stdout=subprocess.PIPE,
                          text=True).stdout
    eal = next(w for w in text.split() if w.startswith('/') and 'librte_eal.so' in w)
    abi = os.path.basename(os.path.realpath(eal)).split('.so.')[1]
    folder = os.path.realpath(os.path.dirname(eal))
    return os.path.join(folder, 'dpdk', 'pmds-' + abi)


def build(kernel_dir, inside_dir, programs, files):
    """Returns the archive: the guest's init and lib.sh from inside_dir, our
    programs into /usr/bin, files (name in the guest: host path) as they are."""
    archive = Archive()
    for folder in FOLDERS:
        archive.folder(folder)
    for name, target in LINKS.items():
        archive.link(name, target)
    add_busybox(archive)
    add_modules(archive, kernel_dir)
    for name in os.listdir(inside_dir):
        archive.copy(os.path.join(inside_dir, name), name)

    pmds = dpdk_plugins()
    testpmd = '/usr/bin/dpdk-testpmd'
    stdbuf = '/usr/libexec/coreutils/libstdbuf.so'
    ring = os.path.join(pmds, 'librte_mempool_ring.so')
    # Not in EAL's plugin folder: a test says itself which driver it loads.
    em = os.path.join(pmds, 'librte_net_e1000.so')
    archive.copy(em, 'opt/pmd/em.so')
    for path in [testpmd, stdbuf, ring]:
        archive.host_file(path)
    for path in programs:
        archive.copy(path, 'usr/bin/' + os.path.basename(path))
    for name, path in files.items():
        archive.copy(path, name)
    # pthread_exit() loads libgcc_s at run time.
    gcc = os.path.join(os.path.dirname(os.path.dirname(pmds)), 'libgcc_s.so.1')
    plugins = [p for p in files.values() if p.endswith('.so')]
    for path in libraries([testpmd, stdbuf, ring, em] + programs + plugins) + [gcc]:
        archive.host_file(path)
    # Debian's library folder has a link to every file of its plugin folder.
    for name in sorted(archive.names):
        if name.startswith(pmds[1:] + '/'):
            base = os.path.basename(name)
            lib = os.path.dirname(os.path.dirname(pmds))
            archive.link(os.path.join(lib, base)[1:], os.path.relpath('/' + name, lib))
    return archive.finish()
