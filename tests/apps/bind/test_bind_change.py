#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
"""bind, unbind and restore on the fake kernel: what is taken, what is not, what is undone."""
import errno
import os
import shutil
import subprocess
import unittest

from tree import BRIDGE, FAILED, FAKE, NOT_ALL, REFUSED, SATA, SOUND, USAGE, WARNINGS, Case

A, B, C = '0000:02:00.0', '0000:02:00.1', '0000:03:00.0'


class Bind(Case):
    def setUp(self):
        super().setUp()
        self.tree.card(A, '82574l', 'eth1', group=7)
        self.tree.card(C, '82540em', 'eth2', group=9)

    def assertUntouched(self, before):
        self.assertEqual(self.tree.log(), [])
        self.assertEqual(self.tree.snapshot(), before)

    def test_to_vfio_and_back(self):
        out = self.run_fake('bind', A)
        self.assertEqual(out, f'{A}: e1000e -> vfio-pci (/dev/vfio/7)\n')
        self.assertEqual(self.tree.driver_of(A), 'vfio-pci')
        # dpdk-devbind.py leaves none either, and would not get past one.
        self.assertEqual(self.tree.override_of(A), '(null)')
        self.assertEqual(self.tree.driver_of(C), 'e1000')
        out = self.run_fake('restore', A)
        self.assertIn('vfio-pci -> e1000e', out)
        self.assertIn('ip link set eth1 up', out)
        self.assertEqual(self.tree.driver_of(A), 'e1000e')
        self.assertEqual(self.tree.override_of(A), '(null)')

    def test_200_cycles_leave_nothing_behind(self):
        before = self.tree.snapshot()
        for _ in range(100):
            self.run_fake('bind', A, C)
            self.run_fake('restore', A, C)
            self.run_fake('-b', 'vfio-pci', 'eth1')
            self.run_fake('unbind', A)
            self.run_fake('restore', A)
        self.assertEqual(self.tree.snapshot(), before)

    def test_short_address_wildcard_and_interface(self):
        for word in ('02:00.0', '02:00.*', '0000:02:*', 'eth1'):
            self.run_fake('bind', word)
            self.assertEqual(self.tree.driver_of(A), 'vfio-pci', word)
            self.run_fake('restore', A)

    def test_one_named_twice_is_bound_once(self):
        self.assertEqual(self.run_fake('bind', A, '02:00.0', 'eth1').count('\n'), 1)

    def test_address_is_not_taken(self):
        self.tree.address('eth1', '192.0.2.1/24')
        before = self.tree.snapshot()
        self.run_fake('bind', A, status=REFUSED)
        self.assertIn('eth1 has the address 192.0.2.1/24', self.err)
        self.assertIn('--force', self.err)
        self.assertUntouched(before)
        self.run_fake('bind', A, '--force')
        self.assertIn('warning: eth1 has the address', self.err)
        self.assertEqual(self.tree.driver_of(A), 'vfio-pci')

    def test_address_is_not_taken_by_unbind(self):
        self.tree.address('eth1', '2001:db8::1/64')
        before = self.tree.snapshot()
        self.run_fake('unbind', A, status=REFUSED)
        self.run_fake('-u', A, status=REFUSED)
        self.assertUntouched(before)

    def test_default_route_is_not_taken(self):
        self.tree.route('eth1', '0.0.0.0', 0, '192.0.2.254')
        before = self.tree.snapshot()
        self.run_fake('-b', 'vfio-pci', A, status=REFUSED)
        self.assertIn('eth1 carries the default route', self.err)
        self.assertUntouched(before)

    def test_default_route_of_ipv6_is_not_taken(self):
        self.tree.route6('eth1', '::', 0)
        self.run_fake('bind', A, status=REFUSED)
        self.assertIn('eth1 carries the default route', self.err)

    def test_addresses_made_by_the_kernel_do_not_count(self):
        self.tree.address('eth1', 'fe80::1/64')
        self.tree.address('eth1', '169.254.3.4/16')
        self.tree.route('eth1', '169.254.0.0', 16)
        self.tree.route6('eth1', 'fe80::', 64)
        self.tree.route6('eth1', 'ff00::', 8)
        self.run_fake('bind', A)

    def test_address_on_vlan_above_is_not_taken(self):
        self.tree.interface('eth1.10')
        self.tree.link('../eth1.10', 'sys/class/net/eth1/upper_eth1.10')
        self.tree.address('eth1.10', '192.0.2.1/24')
        self.run_fake('bind', A, status=REFUSED)
        self.assertIn('eth1.10 has the address', self.err)

    def test_port_of_bridge_is_not_taken(self):
        self.tree.interface('br0')
        self.tree.link('../br0', 'sys/class/net/eth1/master')
        self.run_fake('bind', A, status=REFUSED)
        self.assertIn('eth1 is a port of br0', self.err)

    def test_interfaces_upon_each_other_in_a_ring_end(self):
        self.tree.interface('br0')
        self.tree.link('../br0', 'sys/class/net/eth1/upper_br0')
        self.tree.link('../eth1', 'sys/class/net/br0/upper_eth1')
        self.run_fake('bind', A)

    def test_interface_in_another_namespace_is_not_taken(self):
        shutil.rmtree(self.tree.path(f'sys/bus/pci/devices/{A}/net/eth1'))
        self.run_fake('bind', A, status=REFUSED)
        self.assertIn('another network namespace', self.err)
        self.run_fake('bind', A, '--force')

    def test_all_or_nothing_if_one_is_in_use(self):
        self.tree.address('eth2', '192.0.2.1/24')
        before = self.tree.snapshot()
        self.run_fake('bind', A, C, status=REFUSED)
        self.assertIn('nothing is changed', self.err)
        self.assertUntouched(before)

    def test_keep_going_does_the_others(self):
        self.tree.address('eth2', '192.0.2.1/24')
        self.run_fake('bind', A, C, '--keep-going', status=NOT_ALL)
        self.assertEqual(self.tree.driver_of(A), 'vfio-pci')
        self.assertEqual(self.tree.driver_of(C), 'e1000')

    def test_keep_going_with_none_done_is_no_half_success(self):
        self.tree.address('eth2', '192.0.2.1/24')
        self.run_fake('bind', C, '--keep-going', status=REFUSED)

    def test_driver_that_refuses_is_rolled_back(self):
        self.tree.refuse(A, 'vfio-pci', errno.EINVAL)
        before = self.tree.snapshot()
        self.run_fake('bind', A, status=FAILED)
        self.assertIn('vfio-pci refuses', self.err)
        self.assertIn('it is as it was before', self.err)
        self.assertEqual(self.tree.snapshot(), before)

    def test_rollback_does_not_claim_that_addresses_are_back(self):
        self.tree.address('eth1', '192.0.2.1/24')
        self.tree.refuse(A, 'vfio-pci', errno.EINVAL)
        self.run_fake('bind', A, '--force', status=FAILED)
        self.assertIn('its driver is back, what was set on its interface is not', self.err)

    def test_second_card_that_refuses_brings_the_first_back(self):
        self.tree.refuse(C, 'vfio-pci', errno.EBUSY)
        before = self.tree.snapshot()
        self.assertEqual(self.run_fake('bind', A, C, status=FAILED), '')
        self.assertIn(f'{A}: given back', self.err)
        self.assertEqual(self.tree.snapshot(), before)

    def test_second_card_that_refuses_with_keep_going(self):
        self.tree.refuse(C, 'vfio-pci', errno.EBUSY)
        self.run_fake('bind', A, C, '--keep-going', status=NOT_ALL)
        self.assertEqual(self.tree.driver_of(A), 'vfio-pci')
        self.assertEqual(self.tree.driver_of(C), 'e1000')

    def test_rollback_that_fails_is_said(self):
        self.tree.write(f'sys/bus/pci/devices/{A}/.refuse',
                        f'vfio-pci {errno.EINVAL}\ne1000e {errno.EIO}')
        self.run_fake('bind', A, status=FAILED)
        self.assertIn('cannot be given back to e1000e', self.err)
        self.assertIn('it has no driver now', self.err)

    def test_kernel_driver_that_does_not_fit(self):
        self.run_fake('-b', 'e1000', A, status=FAILED)
        self.assertIn('does not take this card', self.err)
        self.assertEqual(self.tree.driver_of(A), 'e1000e')

    def test_already_bound_is_success(self):
        self.run_fake('bind', A)
        self.run_fake('bind', A)
        self.assertIn('vfio-pci has it already', self.err)
        self.run_fake('bind', A, C)
        self.assertEqual(self.tree.driver_of(C), 'vfio-pci')

    def test_kernel_driver_by_name_forgets(self):
        before = self.tree.snapshot()
        self.run_fake('-b', 'vfio-pci', A)
        self.run_fake('-b', 'e1000e', A)
        self.assertEqual(self.tree.snapshot(), before)

    def test_dry_run_changes_nothing_and_tells_all(self):
        before = self.tree.snapshot()
        out = self.run_fake('bind', A, '--dry-run')
        root = self.tree.root
        self.assertEqual(out.splitlines(), [
            f'echo vfio-pci > {root}/sys/bus/pci/devices/{A}/driver_override',
            f'echo {A} > {root}/sys/bus/pci/drivers/e1000e/unbind',
            f'echo {A} > {root}/sys/bus/pci/drivers/vfio-pci/bind',
            f'echo > {root}/sys/bus/pci/devices/{A}/driver_override',
        ])
        self.assertUntouched(before)

    def test_dry_run_refuses_as_the_run_would(self):
        self.tree.address('eth1', '192.0.2.1/24')
        self.run_fake('bind', A, '-n', status=REFUSED)

    def test_dry_run_is_what_a_shell_would_do(self):
        self.tree.no_driver('vfio-pci')
        out = self.run_fake('bind', A, '--dry-run')
        self.assertEqual(out.splitlines()[0], 'modprobe vfio-pci')
        check = subprocess.run(['sh', '-n'], input=out, text=True)
        self.assertEqual(check.returncode, 0)

    def test_module_is_loaded(self):
        self.tree.no_driver('vfio-pci')
        self.run_fake('bind', A)
        self.assertIn('run modprobe vfio-pci', self.tree.log())

    def test_module_that_does_not_load(self):
        self.tree.no_driver('vfio-pci')
        self.tree.write('lib/modules/6.1.0/modules.dep', 'kernel/x/other.ko:')
        self.tree.write('lib/modules/6.1.0/modules.builtin', '')
        before = self.tree.snapshot()
        self.run_fake('bind', A, status=USAGE)
        self.assertIn("no PCI driver 'vfio-pci': its module is missing", self.err)
        self.assertUntouched(before)

    def test_misspelt_driver_gets_a_suggestion(self):
        for wrong, right in [('vfio_pci', 'vfio-pci'), ('vfoi-pci', 'vfio-pci'),
                             ('uio-pci-generic', 'uio_pci_generic'), ('e10000e', 'e1000e'),
                             ('VFIO-PCI', 'vfio-pci'), ('igb-uio', 'igb_uio')]:
            self.run_fake('bind', A, '--driver', wrong, status=USAGE)
            self.assertIn(f'did you mean {right}?', self.err, wrong)
        self.run_fake('bind', A, '--driver', 'zzzzzzzz', status=USAGE)
        self.assertNotIn('did you mean', self.err)

    def test_device_in_the_drivers_place(self):
        self.run_fake('-b', A, 'vfio-pci', status=USAGE)
        self.assertIn('is a device, not a driver', self.err)

    def test_unknown_device(self):
        before = self.tree.snapshot()
        for word in ('0000:0f:00.0', 'eth9', 'x' * 500, '', '../../..'):
            self.run_fake('bind', A, word, status=USAGE)
            self.assertIn('there is no PCI device', self.err)
        self.assertUntouched(before)

    def test_unknown_device_is_told_before_a_missing_module(self):
        self.tree.no_driver('vfio-pci')
        self.tree.write('lib/modules/6.1.0/modules.dep', 'kernel/x/other.ko:')
        self.tree.write('lib/modules/6.1.0/modules.builtin', '')
        for options in ((), ('-n',)):
            self.run_fake('bind', '0000:0f:00.0', *options, status=USAGE)
            self.assertIn('there is no PCI device', self.err)
            self.assertEqual(self.err.count('\n'), 1)

    def test_what_is_no_network_card(self):
        self.tree.device('0000:00:1f.2', 0x8086, 0x2922, SATA, driver='ahci', group=3)
        self.tree.device('0000:00:1c.0', 0x8086, 0x2940, BRIDGE, driver='pcieport', group=4)
        self.run_fake('bind', '00:1f.2', status=REFUSED)
        self.assertIn('no network card', self.err)
        self.run_fake('bind', '00:1c.0', '--force', status=REFUSED)
        self.assertEqual(self.tree.driver_of('0000:00:1c.0'), 'pcieport')

    def test_id_guards_against_another_card_in_the_slot(self):
        self.run_fake('bind', A, '--id', '8086:100e', status=REFUSED)
        self.assertIn('it is 8086:10d3, not 8086:100e', self.err)
        self.run_fake('bind', A, '--id', '8086:10D3')

    def test_devbind_status_after_a_change(self):
        out = self.run_fake('-b', 'vfio-pci', A, '-s')
        self.assertIn('Network devices using DPDK-compatible driver\n' + '=' * 44, out)
        self.assertIn('Gigabit Network Connection 10d3\' drv=vfio-pci unused=e1000e', out)


class Group(Case):
    """Functions that the IOMMU cannot tell apart."""

    def setUp(self):
        super().setUp()
        self.tree.card(A, '82571eb', 'eth1', group=7)
        self.tree.card(B, '82571eb', 'eth2', group=7)
        self.tree.device('0000:00:01.0', 0x8086, 0x2940, BRIDGE, driver='pcieport', group=7)

    def test_one_port_of_two_is_refused_and_the_sibling_named(self):
        before = self.tree.snapshot()
        self.run_fake('bind', A, status=REFUSED)
        self.assertIn(f'IOMMU group 7 would not be viable: the kernel keeps {B} (e1000e)',
                      self.err)
        self.assertIn(f'pollwire-bind bind {A} {B}', self.err)
        self.assertEqual(self.tree.snapshot(), before)

    def test_the_command_it_names_cures_it(self):
        self.run_fake('bind', A, B)
        self.assertEqual(self.tree.driver_of(B), 'vfio-pci')

    def test_sibling_without_driver_does_not_hinder(self):
        self.run_fake('unbind', B)
        self.run_fake('bind', A)

    def test_sibling_on_the_bridge_that_is_no_network_card(self):
        self.run_fake('unbind', B)
        self.tree.device('0000:02:02.0', 0x1274, 0x5000, SOUND, driver='snd', group=7)
        self.run_fake('bind', A, status=REFUSED)
        self.assertIn('0000:02:02.0 (snd)', self.err)

    def test_force_binds_a_part(self):
        self.run_fake('bind', A, '--force')
        self.assertIn('warning: IOMMU group 7', self.err)
        found = self.status_of(A)
        self.assertEqual(found['state'], 'not-viable')
        self.assertEqual(found['cure'], f'pollwire-bind bind {B}')

    def test_reserved_memory_of_the_firmware(self):
        self.tree.write('sys/kernel/iommu_groups/7/reserved_regions',
                        '0x000000007b800000 0x000000007f7fffff direct\n'
                        '0x00000000fee00000 0x00000000feefffff msi')
        self.run_fake('bind', A, B, status=REFUSED)
        self.assertIn('RMRR', self.err)

    def test_relaxable_reserved_memory_does_not_hinder(self):
        self.tree.write('sys/kernel/iommu_groups/7/reserved_regions',
                        '0x000000007b800000 0x000000007f7fffff direct-relaxable')
        self.run_fake('bind', A, B)


class WithoutIommu(Case):
    def setUp(self):
        super().setUp()
        self.tree.card(A, '82540em', 'eth1')
        self.tree.no_iommu()
        self.tree.cpu('GenuineIntel', 'fpu vmx hypervisor')

    def test_vfio_is_refused_with_the_remedy_in_the_line(self):
        self.run_fake('bind', A, status=REFUSED)
        self.assertIn('virtual machine has no IOMMU', self.err)
        self.assertIn('--driver uio_pci_generic', self.err)
        self.assertEqual(self.err.count('\n'), 1)
        self.run_fake('bind', A, '--force', status=REFUSED)

    def test_uio_is_no_way_out_for_a_card_that_no_driver_of_ours_knows(self):
        self.tree.device(B, 0x1af4, 0x1000, driver='virtio-pci')
        self.run_fake('bind', B, status=REFUSED)
        self.assertIn('virtual machine has no IOMMU', self.err)
        self.assertNotIn('uio_pci_generic', self.err)
        out = self.run_bind('status')
        self.assertIn(f'bind {A} --driver uio_pci_generic', out)
        self.assertNotIn(f'bind {B} --driver uio_pci_generic', out)

    def test_uio_works(self):
        out = self.run_fake('bind', A, '--driver', 'uio_pci_generic')
        self.assertIn('e1000 -> uio_pci_generic', out)
        self.run_fake('restore', A)
        self.assertEqual(self.tree.driver_of(A), 'e1000')

    def test_uio_in_a_locked_down_kernel(self):
        self.tree.write('sys/kernel/security/lockdown', 'none [integrity] confidentiality')
        self.run_fake('bind', A, '--driver', 'uio_pci_generic', status=REFUSED)
        self.assertIn('locked down', self.err)

    def test_noiommu_mode_the_kernel_lacks(self):
        self.run_fake('bind', A, '--noiommu-mode', status=FAILED)
        self.assertIn('CONFIG_VFIO_NOIOMMU', self.err)
        self.assertEqual(self.tree.driver_of(A), 'e1000')

    def test_noiommu_mode_is_switched_on(self):
        self.tree.write('sys/module/vfio/parameters/enable_unsafe_noiommu_mode', 'N')
        # The group comes with the driver; the fake kernel wants it before.
        self.tree.link('../../../../kernel/iommu_groups/0',
                       f'sys/bus/pci/devices/{A}/iommu_group')
        self.tree.write('sys/kernel/iommu_groups/0/name', 'vfio-noiommu')
        self.run_fake('bind', A, '--noiommu-mode')
        self.assertIn('unsafe no-IOMMU mode', self.err)
        self.assertEqual(self.tree.read('sys/module/vfio/parameters/enable_unsafe_noiommu_mode'),
                         'Y')

    def test_uio_behind_an_iommu_that_translates(self):
        self.tree.card(C, '82540em', 'eth2', group=9)
        self.run_fake('bind', C, '--driver', 'uio_pci_generic', status=REFUSED)
        self.assertIn('the IOMMU stops', self.err)


class Restore(Case):
    def test_what_somebody_else_has_bound(self):
        self.tree.card(A, '82574l', 'eth1', driver='vfio-pci', group=7)
        self.tree.write(f'sys/bus/pci/devices/{A}/driver_override', 'vfio-pci')
        self.run_fake('restore', A)
        self.assertEqual(self.tree.driver_of(A), 'e1000e')
        self.assertEqual(self.tree.override_of(A), '(null)')

    def test_loads_the_module(self):
        self.tree.card(A, 'rtl8139', 'eth1', driver='vfio-pci', group=7)
        self.run_fake('restore', A)
        self.assertIn('run modprobe 8139too', self.tree.log())
        self.assertEqual(self.tree.driver_of(A), '8139too')

    def test_without_any_driver_fails(self):
        self.tree.device(A, 0x1234, 0x5678, driver='vfio-pci', home='none', group=7)
        self.run_fake('restore', A, status=FAILED)
        self.assertIn('the kernel has no driver for it', self.err)
        self.assertEqual(self.tree.driver_of(A), 'vfio-pci')

    def test_what_the_kernel_has_is_left_alone(self):
        self.tree.card(A, '82574l', 'eth1', group=7)
        self.run_fake('restore', A)
        self.assertIn('the kernel\'s driver e1000e has it', self.err)
        self.assertEqual(self.tree.log(), [])

    def test_card_that_a_program_has_open(self):
        self.tree.card(A, '82574l', 'eth1', driver='vfio-pci', group=7)
        self.tree.link('/dev/vfio/7', 'proc/4711/fd/12')
        for words in (['restore', A], ['unbind', A], ['unbind', A, '--force'],
                      ['bind', A, '--driver', 'e1000e']):
            self.run_fake(*words, status=REFUSED)
            self.assertIn('process 4711 has it open', self.err)
        self.assertEqual(self.status_of(A)['open_by'], 4711)

    def test_process_that_is_named_is_the_one_that_opened_it(self):
        """Its children have it by inheritance; their numbers are higher, 97 is below 180."""
        self.tree.card(A, '82574l', 'eth1', driver='vfio-pci', group=7)
        self.tree.link('/dev/vfio/7', 'proc/180/fd/4')
        self.tree.link('/dev/vfio/7', 'proc/97/fd/4')
        self.run_fake('restore', A, status=REFUSED)
        self.assertIn('process 97 has it open', self.err)

    def test_other_group_with_the_same_digits(self):
        self.tree.card(A, '82574l', 'eth1', driver='vfio-pci', group=7)
        self.tree.link('/dev/vfio/77', 'proc/4711/fd/12')
        self.tree.link('/dev/pts/7', 'proc/4711/fd/13')
        self.run_fake('restore', A)

    def test_memory_of_nonsense(self):
        for text in (b'driver=../../../x\n', b'\0\0\0', b'driver=', b'driver=gone\n',
                     b'x' * 100000):
            self.tree.card(A, '82574l', 'eth1', driver='vfio-pci', group=7)
            self.tree.write(f'run/pollwire/{A}', text)
            self.run_fake('restore', A)
            self.assertEqual(self.tree.driver_of(A), 'e1000e')
            self.tree.remove()
            self.tree.__init__()


class Guide(Case):
    """docs/getting-started.md, line by line; tests/guest has the selftest."""

    def test_ten_lines(self):
        self.tree.card(A, '82571eb', 'eth1', group=7)
        self.tree.card(B, '82571eb', 'eth2', group=7)
        self.tree.no_driver('vfio-pci')
        self.tree.pool(2048)
        before = {card: self.tree.driver_of(card) for card in (A, B)}
        guide = os.path.join(os.path.dirname(__file__), '../../../docs/getting-started.md')
        with open(guide) as f:
            block = f.read().split('```')[1]
        lines = [line.partition('#')[0].split() for line in block.strip().splitlines()]
        self.assertEqual(len(lines), 10)
        ours = [words[1:] for words in lines if words[0] == 'pollwire-bind']
        for words in ours:
            if words == ['doctor']:
                self.run_fake(*words, status=WARNINGS)
                continue
            if words == ['doctor', '--fix']:
                # The group is still the kernel's.
                self.run_fake(*words, status=WARNINGS)
                self.assertEqual(self.out.count('cured'), 2)
                continue
            if words[0] == 'selftest':
                self.assertEqual(self.tree.driver_of(A), 'vfio-pci')
                self.assertEqual(self.tree.driver_of(B), 'vfio-pci')
                continue
            self.run_fake(*words)
        self.assertEqual({card: self.tree.driver_of(card) for card in (A, B)}, before)


class NotPermitted(Case):
    def test_read_only_sysfs(self):
        """The shipped program writes into plain files here: the kernel does nothing."""
        self.tree.card(A, '82574l', 'eth1', group=7)
        self.run_bind('bind', A, status=FAILED)
        self.assertIn('did not bind', self.err)

    def test_owner_is_a_number(self):
        self.tree.card(A, '82574l', 'eth1', group=7)
        self.run_fake('bind', A, '--uid', 'nobody', status=USAGE)
        run = subprocess.run([FAKE, '--sysroot', self.tree.root, 'bind', A, '-n', '--uid', '7',
                              '--gid', '8'], stdout=subprocess.PIPE, text=True)
        self.assertIn(f'chown 7:8 {self.tree.root}/dev/vfio/7', run.stdout)


if __name__ == '__main__':
    unittest.main()
