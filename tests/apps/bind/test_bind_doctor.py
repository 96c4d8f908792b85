#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
"""Each finding of the doctor on a machine that has just this fault."""
import os
import struct
import unittest

from tree import BLOCKED, OK, USAGE, WARNINGS, Case, Tree

A, B = '0000:02:00.0', '0000:02:00.1'
# PCI Express capability: id, next, then link control at 0x10 (PCI Express Base 3.0, 7.8).
ASPM = b'\x10\x00\x02\x00' + bytes(12)


class Doctor(Case):
    def setUp(self):
        super().setUp()
        self.tree.card(A, '82574l', 'eth1', group=7)

    def cure(self, finding, status, severity):
        """The only finding of its kind: its cure."""
        found = self.findings(status=status)
        self.assertIn(finding, found)
        self.assertEqual(len(found[finding]), 1)
        self.assertEqual(found[finding][0]['severity'], severity)
        self.what = found[finding][0]['what']
        return found[finding][0]['cure']

    def test_healthy_machine(self):
        found = self.findings(status=OK)
        self.assertEqual({f['severity'] for fs in found.values() for f in fs}, {'ok'})
        self.assertNotIn('->', self.run_bind('doctor'))

    # IOMMU

    def test_iommu_off_on_the_command_line(self):
        self.tree.no_iommu(table=True)
        for option in ('intel_iommu=off', 'iommu=off', 'intel_iommu=on,off'):
            self.tree.write('proc/cmdline', f'quiet {option} ro')
            cure = self.cure('iommu', BLOCKED, 'blocker')
            self.assertIn('switched off on the kernel command line', self.what)
            self.assertIn(f'take {option.split(",")[0].replace("=on", "=off")} away', cure)

    def test_iommu_not_enabled(self):
        self.tree.no_iommu(table=True)
        self.tree.write('proc/cmdline', 'quiet -- intel_iommu=off')
        self.assertIn('add intel_iommu=on iommu=pt', self.cure('iommu', BLOCKED, 'blocker'))

    def test_amd_iommu_not_enabled(self):
        self.tree.no_iommu()
        self.tree.write('sys/firmware/acpi/tables/IVRS', '')
        self.tree.cpu('AuthenticAMD', 'svm')
        self.assertIn('add iommu=pt', self.cure('iommu', BLOCKED, 'blocker'))
        self.tree.write('proc/cmdline', 'amd_iommu=off')
        self.assertIn('take amd_iommu=off away', self.cure('iommu', BLOCKED, 'blocker'))

    def test_iommu_off_in_firmware(self):
        self.tree.no_iommu()
        self.tree.cpu('GenuineIntel', 'fpu vmx sse')
        self.assertIn('Intel VT-d on in the firmware', self.cure('iommu', BLOCKED, 'blocker'))
        self.tree.cpu('AuthenticAMD', 'fpu svm sse')
        self.assertIn('AMD-Vi (IOMMU) on in the firmware',
                      self.cure('iommu', BLOCKED, 'blocker'))

    def test_iommu_absent(self):
        self.tree.no_iommu()
        self.tree.cpu('GenuineIntel', 'fpu sse')
        self.assertIn('uio_pci_generic', self.cure('iommu', BLOCKED, 'blocker'))
        self.assertEqual(self.what, 'this machine has no IOMMU')

    def test_iommu_absent_in_virtual_machine(self):
        self.tree.no_iommu()
        self.tree.cpu('GenuineIntel', 'fpu vmx hypervisor')
        self.assertIn('intel-iommu', self.cure('iommu', BLOCKED, 'blocker'))
        self.assertIn('virtual machine', self.what)

    def test_groups_of_noiommu_mode_are_none(self):
        self.tree.no_iommu()
        self.tree.write('sys/kernel/iommu_groups/0/name', 'vfio-noiommu')
        self.cure('iommu', BLOCKED, 'blocker')

    def test_noiommu_mode_is_on(self):
        self.tree.write('sys/module/vfio/parameters/enable_unsafe_noiommu_mode', 'Y')
        self.assertIn('echo N >', self.cure('noiommu', WARNINGS, 'warning'))

    # Modules

    def test_module_not_loaded(self):
        self.tree.no_driver('vfio-pci')
        self.assertEqual(self.cure('vfio-pci', WARNINGS, 'warning'), 'modprobe vfio-pci')

    def test_module_missing(self):
        self.tree.no_driver('vfio-pci')
        self.tree.modules(['e1000e'])
        self.assertIn('linux-image-amd64', self.cure('vfio-pci', BLOCKED, 'blocker'))

    def test_module_built_in(self):
        self.tree.no_driver('vfio-pci')
        self.tree.write('lib/modules/6.1.0/modules.builtin',
                        'kernel/drivers/vfio/pci/vfio-pci.ko')
        self.assertIsNone(self.cure('vfio-pci', OK, 'ok'))

    def test_fix_loads_the_module(self):
        self.tree.no_driver('vfio-pci')
        self.run_fake('doctor', '--fix')
        self.assertIn('cured    module vfio-pci is not loaded', self.out)
        self.assertEqual(self.tree.log(), ['run modprobe vfio-pci'])

    def test_dry_run_of_a_fix_cures_nothing(self):
        self.tree.no_driver('vfio-pci')
        self.run_fake('doctor', '--fix', '-n', status=WARNINGS)
        self.assertIn('modprobe vfio-pci', self.out)
        self.assertNotIn('cured', self.out)
        self.assertEqual(self.tree.log(), [])

    def test_fix_that_fails_is_not_called_cured(self):
        self.tree.no_driver('vfio-pci')
        self.tree.write('.programs-fail', '')
        self.run_fake('doctor', '--fix', status=WARNINGS)
        self.assertNotIn('cured', self.out)
        self.assertIn('modprobe vfio-pci failed', self.err)

    # Groups

    def test_group_with_siblings(self):
        self.tree.card(B, '82574l', 'eth2', group=7)
        found = self.findings(status=WARNINGS)['group']
        self.assertEqual(len(found), 2)
        self.assertIn(f'the kernel keeps {B} (e1000e) in it', found[0]['what'])
        self.assertIn(f'pollwire-bind bind {A} {B}', found[0]['cure'])

    def test_group_of_a_bound_card_blocks(self):
        self.tree.card('0000:05:00.0', '82571eb', driver='vfio-pci', group=8)
        self.tree.card('0000:05:00.1', '82571eb', 'eth3', group=8)
        self.tree.write('dev/vfio/8', '', 0o666)
        found = self.findings('05:00.0', status=BLOCKED)['group']
        self.assertIn('pollwire-bind bind 0000:05:00.1;', found[0]['cure'])

    def test_reserved_memory(self):
        self.tree.write('sys/kernel/iommu_groups/7/reserved_regions', '0x0 0xfff direct')
        self.assertIn('another slot', self.cure('rmrr', BLOCKED, 'blocker'))

    # Cards

    def test_no_card_of_ours(self):
        self.tree = Tree()
        self.addCleanup(self.tree.remove)
        self.tree.card(A, 'virtio', 'eth1', group=7)
        self.assertIn('sim:82540em', self.cure('no-card', WARNINGS, 'warning'))

    def test_named_card_of_another_make_is_told_by_name(self):
        self.tree.card(B, 'virtio', 'eth2', group=8)
        found = self.findings(B, status=OK)
        self.assertIn('[1af4:1041] is no chip of ours', found['no-driver'][0]['what'])
        self.run_bind('doctor', '00:99.0', status=USAGE)

    def test_card_in_use(self):
        self.tree.address('eth1', '192.0.2.1/24')
        self.cure('in-use', OK, 'note')
        self.assertIn('eth1 has the address 192.0.2.1/24', self.what)

    def test_aspm(self):
        for bits, name in [(1, 'L0s'), (2, 'L1'), (3, 'L0s and L1')]:
            config = self.tree.config(0x8086, 0x10d3, 0x20000,
                                      ASPM + struct.pack('<H', 0x40 | bits))
            self.tree.write(f'sys/bus/pci/devices/{A}/config', config)
            self.assertIn(f'setpci -s {A}', self.cure('aspm', WARNINGS, 'warning'))
            self.assertIn(f'(ASPM {name})', self.what)

    def test_aspm_is_switched_off(self):
        config = self.tree.config(0x8086, 0x10d3, 0x20000, ASPM + struct.pack('<H', 3))
        self.tree.write(f'sys/bus/pci/devices/{A}/config', config)
        self.tree.write(f'sys/bus/pci/devices/{A}/link/l1_aspm', '1')
        self.run_fake('doctor', '--fix')
        self.assertEqual(self.tree.read(f'sys/bus/pci/devices/{A}/link/l1_aspm'), '0')

    def test_aspm_off_and_capabilities_in_a_ring(self):
        ring = b'\x01\x44\0\0\x05\x40\0\0'
        for caps in (ASPM + b'\0\0', ring):
            config = self.tree.config(0x8086, 0x10d3, 0x20000, caps)
            self.tree.write(f'sys/bus/pci/devices/{A}/config', config)
            self.assertNotIn('aspm', self.findings(status=OK))

    # Hugepages

    def test_no_hugepages(self):
        self.tree.pool(2048)
        cure = self.cure('hugepages', WARNINGS, 'warning')
        self.assertIn('pollwire-bind hugepages --need 128M', cure)
        self.assertIn('sysctl -w vm.nr_hugepages=64', cure)
        self.tree.write('usr/bin/hugeadm', '')
        self.assertIn('hugeadm --pool-pages-min 2M:64',
                      self.cure('hugepages', WARNINGS, 'warning'))

    def test_no_pages_of_1g_is_no_fault(self):
        self.tree.pool(1048576)
        self.findings(status=OK)

    def test_fix_reserves_hugepages(self):
        self.tree.pool(2048)
        self.run_fake('doctor', '--fix')
        self.assertEqual(self.tree.read('sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages'),
                         '64')

    def test_fix_takes_no_memory_that_is_short(self):
        self.tree.pool(2048)
        self.tree.write('proc/meminfo', 'MemAvailable: 400000 kB\nHugepagesize: 2048 kB')
        self.run_fake('doctor', '--fix', status=WARNINGS)
        self.assertEqual(self.tree.log(), [])

    def test_hugepages_not_mounted(self):
        self.tree.write('proc/self/mounts', 'sysfs /sys sysfs rw 0 0')
        self.assertIn('mount -t hugetlbfs -o pagesize=2M',
                      self.cure('hugepages-not-mounted', WARNINGS, 'warning'))

    def test_hugepages_leaked_by_a_crash(self):
        self.tree.write('dev/hugepages/rtemap_0', '')
        self.tree.write('dev/hugepages/rtemap_1', '')
        self.assertEqual(self.cure('hugepages-leaked', WARNINGS, 'warning'),
                         'rm /dev/hugepages/rtemap_0 /dev/hugepages/rtemap_1')

    def test_kernel_without_hugepages(self):
        self.tree.write('proc/meminfo', 'MemAvailable: 6000000 kB')
        self.cure('hugepages', WARNINGS, 'warning')

    # Limits and permissions

    def limit(self, soft):
        self.tree.write('proc/self/limits',
                        f'Max locked memory         {soft:<20} {soft:<20} bytes')

    def test_memlock(self):
        self.limit(65536)
        self.assertIn('ulimit -l unlimited', self.cure('memlock', WARNINGS, 'warning'))
        self.assertIn('64k of memory', self.what)

    def test_memlock_of_one_who_may_all(self):
        self.limit(65536)
        # CAP_IPC_LOCK is 14 (capabilities(7)).
        self.tree.write('proc/self/status', f'CapEff:\t{1 << 14:016x}')
        self.cure('memlock', OK, 'note')

    def test_memlock_that_suffices(self):
        self.limit(128 << 20)
        self.assertIsNone(self.cure('memlock', OK, 'ok'))

    def bound(self, mode):
        self.tree.card('0000:05:00.0', '82540em', driver='vfio-pci', group=8)
        self.tree.write('dev/vfio/8', '', mode)

    def test_device_file_for_root_only(self):
        if os.geteuid() != 0:
            self.skipTest('not root: files of the tree are not root\'s')
        self.bound(0o600)
        self.assertIn('chown USER /dev/vfio/8', self.cure('permissions', OK, 'note'))

    def test_device_file_for_all(self):
        self.bound(0o666)
        self.assertNotIn('permissions', self.findings(status=OK))

    def test_device_file_missing(self):
        self.bound(0o666)
        self.tree.unlink('dev/vfio/8')
        self.assertIn('--device /dev/vfio/8', self.cure('no-device-file', BLOCKED, 'blocker'))

    # Surroundings

    def test_lockdown_with_iommu_is_a_note(self):
        self.tree.write('sys/kernel/security/lockdown', 'none [integrity] confidentiality')
        self.cure('lockdown', OK, 'note')
        self.assertIn('lockdown= on the kernel command line', self.what)

    def test_lockdown_by_secure_boot_without_iommu(self):
        self.tree.no_iommu()
        self.tree.write('sys/kernel/security/lockdown', 'none [integrity] confidentiality')
        self.tree.write('sys/firmware/efi/efivars/'
                        'SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c', b'\6\0\0\0\1')
        self.assertIn('Secure Boot off', self.cure('lockdown', BLOCKED, 'blocker'))
        self.assertIn('(Secure Boot)', self.what)

    def test_container_without_vfio(self):
        self.tree.write('.dockerenv', '')
        self.tree.unlink('dev/vfio/vfio')
        self.assertIn('--device /dev/vfio/vfio', self.cure('container-no-vfio', BLOCKED,
                                                           'blocker'))

    def test_container_with_read_only_sysfs(self):
        self.tree.write('run/.containerenv', '')
        self.tree.write('proc/self/mounts', 'sysfs /sys sysfs ro,nosuid 0 0\n'
                        'hugetlbfs /dev/hugepages hugetlbfs rw,pagesize=2M 0 0')
        self.assertIn('on the host', self.cure('sysfs-read-only', OK, 'note'))

    def test_worst_finding_sets_the_status(self):
        self.tree.pool(2048)
        self.run_bind('doctor', status=WARNINGS)
        self.tree.no_iommu()
        self.run_bind('doctor', status=BLOCKED)


if __name__ == '__main__':
    unittest.main()
