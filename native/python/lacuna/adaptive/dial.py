"""Speaks to an agent: one line, one reply (docs/wire.md)."""

import os
import re
import socket

WORD = re.compile(r'([^ ="]+)=("[^"]*"|[^ "]*)')
PATIENCE_S = 10


class Gone(Exception):
    """Nobody answers there any more."""


class Agent:
    """One connection to a control socket."""

    def __init__(self, path):
        self.path, self._socket, self._replies = path, None, None

    def ask(self, line):
        """The words of the reply, as text by name; under ``ok`` whether it was granted. Gone where the process is."""
        try:
            if self._socket is None:
                self._connect()
            self._socket.sendall(line.encode("ascii") + b"\n")
            reply = self._replies.readline()
        except OSError as broken:
            self.close()
            raise Gone(str(broken))
        if not reply.endswith("\n"):
            self.close()
            raise Gone("the connection was closed")
        return dict(WORD.findall(reply[:-1]), ok=reply.startswith("ok"))

    def _connect(self):
        directory, name = os.path.split(self.path)
        here = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self._socket.settimeout(PATIENCE_S)
            # A socket's address holds 107 bytes; directories may have longer names.
            self._socket.connect("/proc/self/fd/%d/%s" % (here, name))
            self._replies = self._socket.makefile("r", newline="\n", encoding="ascii")
        finally:
            os.close(here)

    def close(self):
        for each in (self._replies, self._socket):
            if each is not None:
                each.close()
        self._socket = self._replies = None
