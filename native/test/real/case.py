"""What every test of real training starts from: processes with and without the agent."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import unittest

import watcher

HERE = os.path.dirname(os.path.abspath(__file__))
NATIVE = os.path.dirname(os.path.dirname(HERE))
LIBRARY = os.environ.get("LACUNA_LIBRARY", os.path.join(NATIVE, "build", "liblacuna_torch.so"))
WORKLOADS = os.path.join(HERE, "workloads.py")
CHILDREN = os.path.join(HERE, "children.py")
LIMIT_SECONDS = 60
NIGHTLY = bool(os.environ.get("LACUNA_NIGHTLY"))


def nightly(why):
    """Of tests that take much longer than others of their kind; `why` says what stands for them by day."""
    return unittest.skipUnless(NIGHTLY, why)


def environment(directory, threads=1, **extra):
    """What a user would have: the package on the path, a rendezvous directory of its own."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("LACUNA_", "LD_PRELOAD", "MEMORY_"))}
    inherited.update(
        PYTHONPATH=os.path.join(NATIVE, "python"), PYTHONDONTWRITEBYTECODE="1", LACUNA_DIR=directory,
        LACUNA_LIBRARY=LIBRARY, OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads),
    )  # fmt: skip
    inherited.update(extra)
    return inherited


def heed_signals():
    """Those that a shell has its background ignore, as at a terminal: a script in a test is interrupted as a user's would be."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for ignored in (signal.SIGQUIT, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_DFL)


class Case(unittest.TestCase):
    limit_seconds = LIMIT_SECONDS  # of one process
    python = sys.executable  # that it runs

    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="lacuna-real-")
        self.addCleanup(shutil.rmtree, self.directory, True)

    def command(self, arguments, options=()):
        return [self.python, "-m", "lacuna", *options, *arguments]

    def run_under(self, arguments, options=(), threads=1, **extra):
        return self.run_plain(self.command(arguments, options)[1:], threads, **extra)

    def run_plain(self, arguments, threads=1, **extra):
        return subprocess.run(
            [self.python, *arguments], env=environment(self.directory, threads, **extra), timeout=self.limit_seconds,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
        )  # fmt: skip

    def start_under(self, arguments, options=(), **extra):
        process = subprocess.Popen(
            self.command(arguments, options), env=environment(self.directory, **extra), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
        )  # fmt: skip
        self.addCleanup(self._end, process)
        return process

    def _end(self, process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def script(self, text):
        path = os.path.join(self.directory, "script.py")
        with open(path, "w") as file:
            file.write(textwrap.dedent(text))
        return path

    def result(self, done):
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout.splitlines()[-1])

    def telemetry(self):
        (path,) = watcher.files(self.directory, ".mem")
        return watcher.Telemetry(path, watcher.layout(LIBRARY))

    def assertNothingLeft(self):
        self.assertEqual(watcher.files(self.directory, ".mem") + watcher.files(self.directory, ".sock"), [])
