"""A small reader of telemetry files and client of control sockets, written from docs/wire.md for the tests."""

import ctypes
import mmap
import os
import re
import socket
import struct
import time

KINDS = {1: "alloc", 2: "free", 3: "free completed", 4: "grow", 5: "release", 6: "remap", 7: "phase", 8: "step",
         9: "oom", 10: "retry", 11: "optimisation", 12: "limit", 13: "mapped", 14: "held"}  # fmt: skip
PHASES = ("setup", "forward", "step")
FORMATS = {1: "B", 2: "H", 4: "I", 8: "Q"}


class _Field(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("offset", ctypes.c_uint32), ("size", ctypes.c_uint32)]


def layout(library):
    """(record, field) -> (offset, size), as the library itself tells it."""
    table = ctypes.CDLL(library).lacuna_layout
    table.restype = ctypes.POINTER(_Field)
    fields, found = table(), {}
    for i in range(10000):
        if not fields[i].name:
            return found
        found[fields[i].name.decode()] = (fields[i].offset, fields[i].size)
    raise AssertionError("the layout has no end")


MAGIC = b"LACUNA01"
PATIENCE_S = 90  # on a machine with other work to do, and under sanitizers


def begun(path):
    """Whether the agent has written the file's head; the magic is the last of it."""
    with open(path, "rb") as file:
        return file.read(len(MAGIC)) == MAGIC


class Telemetry:
    """A whole copy of a telemetry file."""

    def __init__(self, path, where):
        self.where = where
        with open(path, "rb") as file:
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
                self.bytes = mapped[:]
        assert self.bytes[: len(MAGIC)] == MAGIC, self.bytes[: len(MAGIC)]
        assert len(self.bytes) == self.header("file_bytes")

    def _number(self, start, name):
        offset, size = self.where[name]
        return struct.unpack_from("<" + FORMATS[size], self.bytes, start + offset)[0]

    def header(self, name):
        return self._number(0, "header." + name)

    def device(self, name, number=0):
        return self._number(self.header("devices_offset") + number * self.header("device_stride"), "device." + name)

    def pool(self, pool, number=0):
        """(reserved, allocated) of one pool."""
        start = self.header("devices_offset") + number * self.header("device_stride") + self.where["device.pools"][0]
        return struct.unpack_from("<QQ", self.bytes, start + 16 * pool)

    def devices(self):
        """{number: (backend, own index)} of those that were published."""
        there = [n for n in range(self.header("device_count")) if self.device("sequence", n)]
        return {n: (self.device("backend", n), self.device("backend_index", n)) for n in there}

    def text(self, name):
        offset, size = self.where["header." + name]
        return self.bytes[offset : offset + size].split(b"\0")[0].decode()

    def events(self):
        """(kind, size) of every event that is still there, oldest first."""
        head, capacity = self.header("event_head"), self.header("event_capacity")
        for n in range(max(0, head - capacity), head):
            start = self.header("ring_offset") + n % capacity * self.header("event_bytes")
            yield KINDS[self._number(start, "event.kind")], self._number(start, "event.size")

    def phases(self):
        """Marks in order, as "+setup" and "-setup", and "step N" where one ended."""
        for kind, size in self.events():
            if kind == "phase":
                yield ("+" if size % 2 else "-") + PHASES[size // 2]
            elif kind == "step":
                yield "step %d" % size


class Control:
    """One connection to a control socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE_S)
        self.socket.connect(path)
        self.replies = self.socket.makefile("r", newline="\n")

    def ask(self, line):
        self.socket.sendall(line.encode() + b"\n")
        return self.replies.readline().rstrip("\n")

    def close(self):
        self.replies.close()
        self.socket.close()


def values(reply):
    """The words of a reply, numbers as integers."""
    found = dict(word.split("=", 1) for word in re.findall(r'[^ ="]+=[^ "]+', reply))
    return {key: int(value) if value.isdigit() else value for key, value in found.items()}


def wait_for(condition, seconds=PATIENCE_S):
    """Polls until the condition is true and returns what it gave."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        result = condition()
        if result:
            return result
        time.sleep(0.02)
    raise AssertionError("nothing happened in %s seconds" % seconds)


def files(directory, ending):
    return sorted(os.path.join(directory, name) for name in os.listdir(directory) if name.endswith(ending))
