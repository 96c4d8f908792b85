#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors

"""A program that knows only what is installed: pollwire.pc and pw_port.h."""

import os
import shlex
import subprocess
import unittest

from harness import TIMEOUT, AppTest, run

BUILD = os.environ['POLLWIRE_BUILD']
SOURCE = os.environ['POLLWIRE_EMBED']
CC = shlex.split(os.environ['POLLWIRE_CC'])
OWN_EAL = ('--no-huge', '-m', '64', '--no-pci', '--no-shconf', '--no-telemetry', '--iova-mode=va')


class Embedding(AppTest):
    def setUp(self):
        super().setUp()
        done = run('meson', 'install', '-C', BUILD, '--no-rebuild', '--destdir', self.folder)
        self.assertEqual(done.status, 0, done.err + done.out)
        self.pc = self.found('pollwire.pc')
        self.lib = os.path.dirname(self.found('libpollwire.a'))
        # Installed under a folder of the test's: its paths have to follow.
        with open(self.pc, encoding='utf-8') as f:
            text = f.read()
        with open(self.pc, 'w', encoding='utf-8') as f:
            f.write(text.replace('prefix=/', f'prefix={self.folder}/', 1))

    def found(self, name):
        for folder, _, files in os.walk(self.folder):
            if name in files:
                return os.path.join(folder, name)
        self.fail(f'{name} is not installed')

    def pkg_config(self, *what):
        path = os.path.dirname(self.pc) + ':' + os.environ.get('PKG_CONFIG_PATH', '')
        done = subprocess.run(['pkg-config', *what, 'pollwire'], text=True, check=True,
                              capture_output=True, env={**os.environ, 'PKG_CONFIG_PATH': path})
        return done.stdout.split()

    def build(self, libs):
        program = self.path('embed')
        done = run(*CC, '-Wall', '-Wextra', '-Werror', *self.pkg_config('--cflags'), SOURCE, '-o',
                   program, *libs)
        self.assertEqual(done.status, 0, done.err)
        return program

    def start(self, program, *options):
        done = subprocess.run([program, *options], text=True, capture_output=True, check=False,
                              timeout=TIMEOUT, env={**os.environ, 'LD_LIBRARY_PATH': self.lib})
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        self.assertEqual(done.stdout.count('sent 64 received 64\n'), 2)
        self.assertIn('EAL does not run yet', done.stdout)
        self.assertIn('ring of 7 descriptors', done.stdout)
        self.assertIn('net_pw_sim1: net_pw_', done.stdout)
        self.assertIn('128 descriptors, link up 1000', done.stdout)
        self.assertIn('128 descriptors, link up 100\n', done.stdout)
        return done

    def test_shared(self):
        program = self.build(self.pkg_config('--libs'))
        self.assertIn('libpollwire.so.0', run('ldd', program).out)
        done = self.start(program)
        self.assertIn('memory: ', done.stdout)
        self.assertEqual(done.stderr, '')
        self.start(program, *OWN_EAL)

    def test_archive_as_pollwire_pc_says(self):
        libs = self.pkg_config('--variable=archive_libs')
        self.assertIn('-l:libpollwire.a', libs)
        libs += [lib for lib in self.pkg_config('--libs') if lib != '-lpollwire']
        program = self.build(libs)
        self.assertNotIn('libpollwire', run('ldd', program).out)
        self.start(program)

    def test_nothing_else_is_exported(self):
        done = run('nm', '-D', '--defined-only', os.path.join(self.lib, 'libpollwire.so'))
        names = [line.split()[2].split('@')[0] for line in done.out.splitlines()]
        ours = [name for name in names if name != 'POLLWIRE_0']
        self.assertIn('pw_port_open', ours)
        self.assertEqual([name for name in ours
                          if not name.startswith(('pw_port_', 'pw_eal_'))], [])


if __name__ == '__main__':
    unittest.main(verbosity=2)
