"""Filters of system calls (seccomp), as sandboxes and containers lay them on a process."""

import ctypes
import errno
import os

KILL, ALLOW = 0x80000000, 0x7FFF0000
REFUSE = 0x00050000 | errno.EPERM
NUMBERS = {
    "x86_64": {"socket": 41, "mmap": 9, "userfaultfd": 323},
    "aarch64": {"socket": 198, "mmap": 222, "userfaultfd": 282},
}
NO_NEW_PRIVILEGES, SET_SECCOMP, FILTER = 38, 22, 2


class Step(ctypes.Structure):
    _fields_ = [("code", ctypes.c_ushort), ("right", ctypes.c_ubyte), ("wrong", ctypes.c_ubyte), ("value", ctypes.c_uint32)]


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.POINTER(Step))]


def lay(action, call):
    """On this thread and whatever comes of it, for good."""
    number = NUMBERS[os.uname().machine][call]
    load, equals, end = 0x20, 0x15, 0x06
    steps = (Step * 4)((load, 0, 0, 0), (equals, 0, 1, number), (end, 0, 0, action), (end, 0, 0, ALLOW))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) or libc.prctl(SET_SECCOMP, FILTER, ctypes.byref(Program(4, steps)), 0, 0):
        raise OSError(ctypes.get_errno(), "a filter cannot be laid")
