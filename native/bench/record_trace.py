#!/usr/bin/env python3
"""Records the tensors of a PyTorch training as a trace that `lacuna replay` reads (CSV; sizes as they were asked for).

record_trace.py OUT.csv SCRIPT [args…]     trains SCRIPT under the agent until it ends and writes what it asked for

What a trace is for: measuring allocators on programs that they were not tuned on. History that was overwritten before it
could be read ends the recording with an error; a recording is whole or is none.
"""

import ctypes
import mmap
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

NATIVE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(NATIVE / "test" / "real"))
import watcher  # noqa: E402

ALLOC, FREE, PHASE = 1, 2, 7
STEP_BEGINS, STEP_ENDS = 5, 4  # 2 * phase + begin


class Event(ctypes.LittleEndianStructure):
    _fields_ = [("time_ns", ctypes.c_uint64), ("address", ctypes.c_uint64), ("size", ctypes.c_uint64),
                ("kind", ctypes.c_uint8), ("pool", ctypes.c_uint8), ("device", ctypes.c_uint8),
                ("reserved", ctypes.c_uint8), ("stream", ctypes.c_uint32)]  # fmt: skip


class Ring:
    """The live event ring of one process."""

    def __init__(self, path, where):
        self.file = open(path, "rb")
        self.bytes = mmap.mmap(self.file.fileno(), 0, access=mmap.ACCESS_READ)
        self.head_at = where["header.event_head"][0]
        first = watcher.Telemetry(path, where)
        self.start, self.capacity = first.header("ring_offset"), first.header("event_capacity")
        self.seen = 0

    def _head(self):
        return int.from_bytes(self.bytes[self.head_at : self.head_at + 8], "little")

    def new(self):
        """The events since the last call, oldest first."""
        head, width = self._head(), ctypes.sizeof(Event)
        found = [
            Event.from_buffer_copy(self.bytes, self.start + n % self.capacity * width) for n in range(self.seen, head)
        ]
        if self._head() - self.seen > self.capacity:
            sys.exit("record_trace: events came faster than they were read; nothing was kept")
        self.seen = head
        return found


class Writer:
    """Rows of the CSV format; marks are step * 10 + code, 0 begins and 3 ends a step."""

    def __init__(self, out):
        self.out, self.step, self.began = out, 0, None
        out.write("ts_ns,op,addr,size,thread\n")

    def row(self, event):
        self.began = self.began if self.began is not None else event.time_ns
        at = event.time_ns - self.began
        if event.kind in (ALLOC, FREE):
            operation = "A" if event.kind == ALLOC else "F"
            self.out.write("%d,%s,%x,%d,0\n" % (at, operation, event.address, event.size if operation == "A" else 0))
        elif event.kind == PHASE and event.size in (STEP_BEGINS, STEP_ENDS):
            self.step += event.size == STEP_BEGINS
            self.out.write("%d,M,0,%d,0\n" % (at, self.step * 10 + (0 if event.size == STEP_BEGINS else 3)))


def record(target, command):
    where = watcher.layout(str(NATIVE / "build" / "liblacuna.so"))
    with tempfile.TemporaryDirectory(dir="/dev/shm") as directory:
        os.chmod(directory, 0o700)
        environment = dict(os.environ, LACUNA_DIR=directory, PYTHONPATH=str(NATIVE / "python"),
                           LACUNA_LIBRARY=str(NATIVE / "build" / "liblacuna_torch.so"))  # fmt: skip
        trainer = subprocess.Popen([sys.executable, "-m", "lacuna", "--capacity", "16GiB", *command], env=environment,
                                   stdout=subprocess.DEVNULL)  # fmt: skip
        try:
            paths = watcher.wait_for(lambda: trainer.poll() is not None or watcher.files(directory, ".mem"), 60)
            if paths is True:
                sys.exit("record_trace: the training ended before its first tensor")
            ring = Ring(paths[0], where)
            with open(target, "w") as out:
                writer = Writer(out)
                while trainer.poll() is None:
                    for event in ring.new():
                        writer.row(event)
                    time.sleep(0.002)
                for event in ring.new():
                    writer.row(event)
        finally:
            trainer.kill()
            trainer.wait()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    record(sys.argv[1], sys.argv[2:])
