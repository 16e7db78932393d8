"""What a training under the agent asks for, event by event, while it runs: for recordings and replays."""

import ctypes
import mmap
import os
import subprocess
import sys
import tempfile
import time

import watcher
from case import NATIVE

ALLOC, FREE, PHASE = 1, 2, 7
STEP_BEGINS, STEP_ENDS = 5, 4  # 2 * phase + begin


class Event(ctypes.LittleEndianStructure):
    _fields_ = [("time_ns", ctypes.c_uint64), ("address", ctypes.c_uint64), ("size", ctypes.c_uint64),
                ("kind", ctypes.c_uint8), ("pool", ctypes.c_uint8), ("device", ctypes.c_uint8),
                ("reserved", ctypes.c_uint8), ("stream", ctypes.c_uint32)]  # fmt: skip


class NotWhole(Exception):
    """Why there is no recording: it is whole or is none."""


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
        found = [Event.from_buffer_copy(self.bytes, self.start + n % self.capacity * width) for n in range(self.seen, head)]
        if self._head() - self.seen > self.capacity:
            raise NotWhole("events came faster than they were read; nothing was kept")
        self.seen = head
        return found


def _begun(directory):
    return [path for path in watcher.files(directory, ".mem") if watcher.begun(path)]


def events(command):
    """Those of a training under the agent, in their order, until it ends."""
    where = watcher.layout(os.path.join(NATIVE, "build", "liblacuna.so"))
    with tempfile.TemporaryDirectory(dir="/dev/shm") as directory:
        os.chmod(directory, 0o700)
        environment = dict(os.environ, LACUNA_DIR=directory, PYTHONPATH=os.path.join(NATIVE, "python"),
                           LACUNA_LIBRARY=os.path.join(NATIVE, "build", "liblacuna_torch.so"))  # fmt: skip
        trainer = subprocess.Popen([sys.executable, "-m", "lacuna", "--capacity", "16GiB", *command], env=environment,
                                   stdout=subprocess.DEVNULL)  # fmt: skip
        try:
            paths = watcher.wait_for(lambda: trainer.poll() is not None or _begun(directory), 60)
            if paths is True:
                raise NotWhole("the training ended before its first tensor")
            ring = Ring(paths[0], where)
            while trainer.poll() is None:
                yield from ring.new()
                time.sleep(0.002)
            yield from ring.new()
        finally:
            trainer.kill()
            trainer.wait()
