"""Watches agents come and go in the rendezvous directory.

The kernel tells of each file as it is made and taken away (inotify, by SIGIO): nothing is asked again and again, nobody is
missed. A file that is open can be read when its process has taken it away; what the file itself says of whose it is holds
however long ago its process has ended.
"""

import ctypes
import fcntl
import os
import struct

CREATE, DELETE, ONLY_DIRECTORY = 0x100, 0x200, 0x01000000  # inotify.h
HEADER_BYTES = 16384
LONGEST_RUN = 1023
LOOKING = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Watch:
    """What is known of agents that came while COMMAND ran. Without a directory to watch it knows of none, and why."""

    def __init__(self, mark=b"", directory=None, notices=None, obstacle=None):
        self._mark = mark  # what headers of COMMAND's agents hold somewhere
        self._open = {}  # name → descriptor
        self._read = {}  # name → bytes of the header
        self._notices = notices
        self.directory = directory
        self.obstacle = obstacle

    @staticmethod
    def of(environment):
        """A watch for processes of this environment."""
        try:
            directory = rendezvous(environment)
            return Watch(os.fsencode(environment["LACUNA_RUN"])[:LONGEST_RUN], directory, _watch(directory))
        except (OSError, AttributeError) as why:
            return Watch(obstacle=str(why))

    def look(self):
        """Takes note of what happened since the last look."""
        if self._notices is None:
            return
        for kind, name in _events(self._notices):
            if not name.endswith(".mem"):
                continue
            if kind & CREATE:
                self._begin(name)
            elif name in self._open:
                self._end(name)

    def _begin(self, name):
        try:
            self._open[name] = os.open(os.path.join(self.directory, name), LOOKING)
        except OSError:
            pass  # it is gone, or too many run at once

    def _end(self, name):
        descriptor = self._open.pop(name)
        try:
            header = os.pread(descriptor, HEADER_BYTES, 0)
            if self._mark in header:  # others come and go for as long as COMMAND runs
                self._read[name] = header
        finally:
            os.close(descriptor)

    def headers(self):
        """(path, header) of every agent that may be COMMAND's; the path is None where its file is gone."""
        for name in list(self._open):
            self._end(name)
        for name, header in sorted(self._read.items()):
            path = os.path.join(self.directory, name)
            yield (path if os.path.exists(path) else None), header


def rendezvous(environment):
    """The directory where agents and readers meet (docs/wire.md), made where it is missing."""
    chosen, session = environment.get("LACUNA_DIR"), environment.get("XDG_RUNTIME_DIR")
    path = chosen or (os.path.join(session, "lacuna") if session else "/tmp/lacuna-%d" % os.geteuid())
    path = os.path.abspath(path)
    if not os.path.isdir(path):
        os.mkdir(path, 0o700)
    return path


def _watch(directory):
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    if descriptor < 0 or libc.inotify_add_watch(descriptor, os.fsencode(directory), CREATE | DELETE | ONLY_DIRECTORY) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), directory)
    fcntl.fcntl(descriptor, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(descriptor, fcntl.F_SETFL, fcntl.fcntl(descriptor, fcntl.F_GETFL) | os.O_ASYNC)
    return descriptor


def _events(descriptor):
    """(kind, name) of all that happened: struct inotify_event, its name padded with zeros."""
    while True:
        try:
            data = os.read(descriptor, 1 << 16)
        except BlockingIOError:
            return
        at = 0
        while at < len(data):
            _, kind, _, length = struct.unpack_from("iIII", data, at)
            yield kind, os.fsdecode(data[at + 16 : at + 16 + length].split(b"\0")[0])
            at += 16 + length
