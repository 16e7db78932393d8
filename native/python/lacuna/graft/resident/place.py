"""The rendezvous directory."""

import os
import stat
import time

from .lines import LINE_BYTES
from .refusal import NotHere, plain
from .system import boot_id, namespace, start_ticks

AUDIT_BYTES = 4 << 20


class Place:
    """The rendezvous directory, open, and this process's name in it."""

    def __init__(self, path):
        os.makedirs(os.path.dirname(path) or "/", exist_ok=True)
        try:
            os.mkdir(path, 0o700)
        except FileExistsError:
            pass
        self.path = path
        self.fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        found = os.fstat(self.fd)
        if found.st_uid != os.geteuid() or found.st_mode & 0o077:
            os.close(self.fd)
            raise NotHere("%s belongs to another user, or is open to others" % path)
        self.ticks = start_ticks()
        self.stem = "%s-%d-%d-%d" % (boot_id()[:8] or "00000000", namespace("pid"), os.getpid(), self.ticks)

    def remove(self, ending):
        try:
            os.unlink(self.stem + ending, dir_fd=self.fd)
        except OSError:
            pass

    def audit(self, peer, outcome, asked):
        now = time.time()
        when = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now))
        line = '%s.%03dZ pid=%d peer_pid=%d peer_uid=%d %s asked="%s"\n' % (
            when, int(now * 1000) % 1000, os.getpid(), peer[0], peer[1], outcome, plain(asked, LINE_BYTES))  # fmt: skip
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        try:
            log = os.open("audit.log", flags, 0o600, dir_fd=self.fd)
            try:
                found = os.fstat(log)
                if found.st_size >= AUDIT_BYTES:
                    os.rename("audit.log", "audit.log.1", src_dir_fd=self.fd, dst_dir_fd=self.fd)
                if stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid():
                    os.write(log, line.encode())
            finally:
                os.close(log)
        except OSError:
            pass  # as of the agent: a log that cannot be written is let go

    def close(self):
        os.close(self.fd)
        self.fd = -1
