"""A terminal that closes does not end what ``lacuna run`` started.

Without a terminal every print fails, and the first one would end the script. Once that happens, what the process prints goes on
in the file that ``LACUNA_RUN`` names, as after nohup. Nothing changes before; a stream that is no terminal is left alone.
"""

import errno
import os
import sys


def _move(descriptor, path):
    """From now on it prints there, or nowhere."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    except OSError:
        file = os.open(os.devnull, os.O_WRONLY)
    os.dup2(file, descriptor)
    os.close(file)


def _outlive(stream, path):
    raw = getattr(stream.buffer, "raw", stream.buffer)
    plain = raw.write

    def write(data):
        try:
            return plain(data)
        except OSError as lost:
            if lost.errno != errno.EIO:
                raise
        _move(raw.fileno(), path)
        return plain(data)

    raw.write = write


def install(path):
    """For the interpreter's own streams, before the script sees them."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and stream.isatty():
            _outlive(stream, path)
