#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
"""hugepages on the fake kernel."""
import json
import shutil
import unittest

from tree import NOT_ALL, REFUSED, USAGE, FAILED, Case

POOL = 'sys/kernel/mm/hugepages/hugepages-2048kB'


class Hugepages(Case):
    def pages(self):
        return int(self.tree.read(f'{POOL}/nr_hugepages'))

    def test_shows(self):
        self.tree.pool(1048576)
        self.assertEqual(self.run_bind('hugepages').splitlines(), [
            'SIZE       PAGES      FREE  RESERVED  MOUNTED',
            '1G             0         0         0  -',
            '2M           128       128         0  /dev/hugepages',
        ])
        found = json.loads(self.run_bind('hugepages', '--json'))
        self.assertEqual(found[1], {'size': 2097152, 'pages': 128, 'free': 128, 'reserved': 0,
                                    'mount': '/dev/hugepages'})

    def test_enough_is_left_alone(self):
        self.run_fake('hugepages', '--need', '256M')
        self.assertEqual(self.tree.log(), [])

    def test_what_others_use_comes_on_top(self):
        # 100 of 128 are taken, so 28 are free; 256 MiB are 128 pages of 2 MiB: 100 more.
        self.tree.pool(2048, total=128, free=28)
        self.run_fake('hugepages', '--need', '256M')
        self.assertEqual(self.pages(), 228)

    def test_a_part_of_a_page_takes_a_page(self):
        self.tree.pool(2048, total=0, free=0)
        self.run_fake('hugepages', '--need', '3M')
        self.assertEqual(self.pages(), 2)

    def test_fewer_than_wanted_is_no_success(self):
        self.tree.pool(2048, total=0, free=0, limit=97)
        self.run_fake('hugepages', '--need', '256M', status=NOT_ALL)
        self.assertIn('found only 194M in pages of 2M, not 256M', self.err)

    def test_hugeadm_is_asked_where_it_is(self):
        self.tree.pool(2048, total=0, free=0)
        self.tree.write('usr/bin/hugeadm', '')
        self.run_fake('hugepages', '--need', '64M', status=NOT_ALL)
        self.assertEqual(self.tree.log(), ['run hugeadm --pool-pages-min 2M:32'])

    def test_without_hugeadm_that_works_the_kernel_is_asked(self):
        self.tree.pool(2048, total=0, free=0)
        self.tree.write('usr/bin/hugeadm', '')
        self.tree.write('.programs-fail', '')
        self.run_fake('hugepages', '--need', '64M')
        self.assertEqual(self.pages(), 32)

    def test_dry_run(self):
        self.tree.pool(2048, total=0, free=0)
        out = self.run_fake('hugepages', '--need', '64M', '-n')
        self.assertIn(f'echo 32 > {self.tree.root}/{POOL}/nr_hugepages', out)
        self.assertEqual(self.pages(), 0)

    def test_more_than_there_is_is_refused_and_not_tried(self):
        # 6000000 kB are available: 2929 pages of 2 MiB.
        self.tree.pool(2048, total=0, free=0)
        for options in ((), ('-n',)):
            out = self.run_fake('hugepages', '--need', '1T', *options, status=REFUSED)
            self.assertIn('1T in pages of 2M cannot be: 5859 MiB of memory are available',
                          self.err)
            self.assertNotIn('echo', out)
            self.assertEqual((self.pages(), self.tree.log()), (0, []))
            self.run_fake('hugepages', '--need', '5860M', *options, status=REFUSED)
        self.run_fake('hugepages', '--need', '5858M', '-n')

    def test_other_size(self):
        self.tree.pool(1048576)
        self.run_fake('hugepages', '--need', '1G', '--size', '1G', '-n')
        self.assertIn('hugepages-1048576kB', self.out)
        self.run_fake('hugepages', '--need', '1G', '--size', '16M', status=USAGE)

    def test_kernel_without(self):
        shutil.rmtree(self.tree.path('sys/kernel/mm/hugepages'))
        self.run_bind('hugepages', status=FAILED)
        self.assertIn('CONFIG_HUGETLBFS', self.err)


if __name__ == '__main__':
    unittest.main()
