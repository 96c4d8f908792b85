# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors

"""What the tests of the programs share: starting them, wires of their own, reading reports."""

import glob
import itertools
import json
import os
import signal
import subprocess
import tempfile
import time
import unittest

GEN = os.environ['POLLWIRE_GEN']
FWD = os.environ['POLLWIRE_FWD']
RELAY = os.environ['POLLWIRE_RELAY']

# Bounds what hangs; nothing depends on how long a thing takes.
TIMEOUT = 240

OK, FAILED, USAGE, NO_LINK, NOT_DONE, LOSS, OFF_RATE = range(7)

_serial = itertools.count()


def wire_name():
    """A name that no other test uses at the same time."""
    return f't{os.getpid()}-{next(_serial)}'


def sim(wire, *more, chip='82540em'):
    return ','.join([f'sim:{chip}', f'wire={wire}', *more])


def left_behind():
    """Shared wires of this test's programs that are still there."""
    return glob.glob(f'/dev/shm/*t{os.getpid()}-*')


class Outcome:
    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    def said(self):
        """What stands on standard error but the line on memory."""
        return [line for line in self.err.splitlines() if ': memory: ' not in line]


class Process:
    """A program that runs meanwhile; ended and reaped with the test."""

    def __init__(self, test, *command):
        self.err_file = tempfile.TemporaryFile('w+')
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.err_file, text=True)
        test.addCleanup(self.end)

    def line(self, text):
        """Read up to the line with that text; False if the output ends before."""
        for line in self.process.stdout:
            if text in line:
                return line
        return None

    def error_line(self, text):
        """Wait until it has said that on standard error; it goes on with its own output."""
        deadline = time.monotonic() + TIMEOUT
        while text not in os.pread(self.err_file.fileno(), 1 << 20, 0).decode():
            if time.monotonic() > deadline or self.process.stdout.readline() == '':
                raise AssertionError(f'never said: {text}')

    def signal(self, number):
        self.process.send_signal(number)

    def finish(self, number=None):
        if number is not None:
            self.signal(number)
        out, _ = self.process.communicate(timeout=TIMEOUT)
        self.err_file.seek(0)
        return Outcome(self.process.returncode, out, self.err_file.read())

    def end(self):
        """The relay ends with its input; the others are told to."""
        if self.process.poll() is None:
            self.process.stdin.close()
            if self.process.args[0] != RELAY:
                self.process.terminate()
            try:
                self.process.wait(TIMEOUT)
            finally:
                self.process.kill()
        for stream in (self.process.stdin, self.process.stdout, self.err_file):
            stream.close()


def run(*command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=TIMEOUT, check=False)
    return Outcome(done.returncode, done.stdout, done.stderr)


class AppTest(unittest.TestCase):
    """A test with a folder of its own."""

    # A test that kills a program may leave its shared wires; nothing else may.
    leaves_wires = False

    def setUp(self):
        self.addCleanup(self.check_wires)
        folder = tempfile.TemporaryDirectory(prefix='pollwire-')
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def check_wires(self):
        left = left_behind()
        for name in left:
            os.unlink(name)
        if not self.leaves_wires:
            self.assertEqual(left, [])

    def path(self, name):
        return os.path.join(self.folder, name)

    def gen(self, *options, status=OK):
        """Run the generator to its end: (JSON report, outcome)."""
        report = self.path(f'gen{next(_serial)}.json')
        # A busy machine may keep a packet waiting; what is not lost ends the wait at once.
        patience = [] if '--drain' in options else ['--drain', '120' if status == OK else '3']
        outcome = run(GEN, '--json', report, *patience, *map(str, options))
        self.assertEqual(outcome.status, status, outcome.err + outcome.out)
        with open(report, encoding='utf-8') as f:
            return json.load(f), outcome

    def one_flow(self, *options, status=OK):
        report, _ = self.gen(*options, status=status)
        self.assertEqual(len(report['flows']), 1)
        self.assertEqual(report['status'], status)
        return report['flows'][0]

    def relay(self, source, target, *actions):
        process = Process(self, RELAY, source, target, *actions)
        if process.line('ready') is None:
            self.fail(process.finish().err)
        return process

    def fwd(self, *options):
        """Start a forwarder; stop it with self.stop_fwd()."""
        self.fwd_report = self.path(f'fwd{next(_serial)}.json')
        process = Process(self, FWD, '--json', self.fwd_report, *map(str, options))
        # The links are up before the forwarder is: what comes in between is lost.
        if process.line('forwarding') is None:
            self.fail(process.finish().err)
        return process

    def stop_fwd(self, process, number=signal.SIGTERM, status=OK):
        """(JSON report, outcome)."""
        outcome = process.finish(number)
        self.assertEqual(outcome.status, status, outcome.err + outcome.out)
        with open(self.fwd_report, encoding='utf-8') as f:
            return json.load(f), outcome
