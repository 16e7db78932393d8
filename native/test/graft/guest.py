"""Starts targets, attaches to them, speaks with what was posted there, and reads what it writes."""

import contextlib
import glob
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
NATIVE = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(NATIVE, "python", "lacuna", "graft"))

from text import posted  # noqa: E402

BUILD = os.environ.get("LACUNA_BUILD", os.path.join(NATIVE, "build"))
PROGRAM = os.environ.get("LACUNA_GRAFT", os.path.join(BUILD, "lacuna-graft"))
PYTHON = os.environ.get("TARGET_PYTHON", sys.executable)
PATIENCE_S = 30
MIB = 1 << 20


def until(condition, what):
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        found = condition()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError("not within %d s: %s" % (PATIENCE_S, what))


class Connection:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(PATIENCE_S)
        self.socket.connect(path)
        self.file = self.socket.makefile("rwb")

    def ask(self, line):
        """The reply as a dictionary; its first word is under ""."""
        self.file.write(line.encode() + b"\n")
        self.file.flush()
        reply = self.file.readline().decode().rstrip("\n")
        verdict, _, rest = reply.partition(" ")
        words = {"": verdict}
        if ' text="' in " " + rest:
            rest, _, text = (" " + rest).partition(' text="')
            words["text"] = text.rstrip('"')
        words.update(word.split("=", 1) for word in rest.split())
        return words

    def close(self):
        self.file.close()
        self.socket.close()


class Target:
    """A process that knows nothing of us."""

    def __init__(self, case, kind, python=None, script="target.py", words=(), before=(), **extra):
        self.directory = tempfile.mkdtemp(prefix="lacuna-graft-")
        case.addCleanup(shutil.rmtree, self.directory, True)
        self.rendezvous = os.path.join(self.directory, "rendezvous")
        self.refused = os.path.join(self.directory, "refused")
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("LACUNA_", "LD_", "PYTORCH_"))}
        environment.update(PYTHONPATH=os.path.join(HERE, "fake"), PYTHONDONTWRITEBYTECODE="1", TARGET_DIRECTORY=self.rendezvous)
        environment.update(extra)
        self.errors = open(os.path.join(self.directory, "errors"), "w+")
        case.addCleanup(self.errors.close)
        self.process = subprocess.Popen(
            [*before, python or PYTHON, os.path.join(HERE, script), kind, *words], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self.errors, universal_newlines=True,
        )  # fmt: skip
        case.addCleanup(self._end)
        self.pid = self.process.pid
        ready = self.process.stdout.readline()
        case.assertEqual(ready, "ready\n", self.error_text())

    def _end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def error_text(self):
        with open(self.errors.name) as file:
            return file.read()

    def text(self, **given):
        line = {"directory": self.rendezvous, "reader_pid": os.getpid(), "interval_ms": 50, "version": "0.1.0", "refused": self.refused}
        line.update(given)
        return "_lacuna_graft = %r\n%s" % (line, posted())

    def reposted(self, text):
        until(lambda: self.post(text)["code"] == "ok", "it is posted")

    def post(self, text=None, preexec=None, **given):
        path = os.path.join(self.directory, "text.py")
        with open(path, "w") as file:
            file.write(self.text(**given) if text is None else text)
        return program("run", str(self.pid), path, "--refused", self.refused, preexec=preexec)

    def last_word(self):
        """What it left where whoever attached looks."""
        return os.readlink(self.refused) if os.path.islink(self.refused) else None

    def socket_path(self):
        found = glob.glob(os.path.join(self.rendezvous, "*-%d-*.sock" % self.pid))
        return found[0] if found else None

    def attach(self, **given):
        reports = []

        def posted():
            reports.append(self.post(**given))
            return reports[-1]["code"] != "busy"

        until(posted, "no other text waits there any more")
        try:
            path = until(lambda: self.socket_path() or self.process.poll() is not None, "the text opens its socket")
        except AssertionError as late:
            raise AssertionError("%s; posted: %s; it said: %r" % (late, reports, self.error_text())) from late
        return Connection(str(path))

    def detach(self, connection):
        """A text that was posted before and runs only now opens anew, and is asked, too."""
        answer = connection.ask("retract")
        connection.close()

        def is_gone():
            if self.process.poll() is not None or not glob.glob(os.path.join(self.rendezvous, "*.[ms]*")):
                return True
            path = self.socket_path()
            if path is not None:
                with contextlib.suppress(OSError):
                    late = Connection(path)
                    late.ask("retract")
                    late.close()
            return False

        until(is_gone, "its files are removed")
        return answer

    def within(self):
        """The process itself, where it was started as the first of a namespace of processes, or below that one."""

        def deepest():
            pid = self.pid
            while True:
                with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
                    children = file.read().split()
                if not children:
                    return pid
                pid = int(children[-1])

        return deepest()

    def own(self):
        """What it has of its own."""
        root = "/proc/%d/" % self.pid
        with open(root + "maps") as maps:
            mapped = [line for line in maps if self.directory in line]
        files = os.listdir(root + "fd")
        return {"threads": len(os.listdir(root + "task")), "files": len(files), "ours": len(mapped)}

    def finish(self):
        """Lets it end by itself; returns what it printed."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        said, _ = self.process.communicate(timeout=PATIENCE_S)
        return said

    def step(self):
        """Of one that waits to be told (train_by_hand)."""
        self.process.stdin.write("step\n")
        self.process.stdin.flush()

    def telemetry(self):
        return Telemetry(glob.glob(os.path.join(self.rendezvous, "*.mem"))[0])

    def whole_record(self):
        """None where it was being written while it was read."""
        record, after = self.telemetry().record(), self.telemetry().record()
        return record if record["sequence"] == after["sequence"] and record["sequence"] % 2 == 0 else None


class Telemetry:
    """A reader of its own: header, one record, events."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()

    def words(self, offset, form):
        return struct.unpack_from("<" + form, self.data, offset)

    def record(self, slot=0):
        at = 1024 + slot * 512
        sequence, backend, index, _, total, reserved, allocated = self.words(at, "QIIQQQQ")
        releasable, split, pending = self.words(at + 8 * 12, "QQQ")
        return {"sequence": sequence, "backend": backend, "index": index, "total": total, "reserved": reserved, "allocated": allocated,
                "gap": releasable + split + pending, "step": self.words(at + 8 * 11, "Q")[0]}  # fmt: skip

    def events(self):
        head = self.words(128, "Q")[0]
        return [self.words(16384 + n * 32, "QQQBBBBI") for n in range(min(head, 65536))]


def program(*words, preexec=None):
    """`preexec`: what it does to itself before it begins."""
    done = subprocess.run(
        [PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, timeout=PATIENCE_S,
        preexec_fn=preexec, check=False,
    )  # fmt: skip
    if not done.stdout:
        raise AssertionError(done)
    report = json.loads(done.stdout)
    report["status"] = done.returncode
    return report


class Case(unittest.TestCase):
    longMessage = True

    def target(self, kind, **extra):
        return Target(self, kind, **extra)
