"""Phases of training with a name: ``lacuna.phase("rollout")``."""

import contextlib
import ctypes
import functools
import inspect
import os

MOST_CHARACTERS = 40
MOST_BYTES = 63

# What is open now, in the order in which it began: read by what is attached to a process (graft/resident/phases.py).
open_names = []

_found = ("", None)


def plain(name):
    """A name of one line and of at most 40 characters: what is not printable in it is a blank."""
    text = "".join(c if c.isprintable() else " " for c in str(name)[: 4 * MOST_CHARACTERS])
    text = " ".join(text.split())[:MOST_CHARACTERS].encode("utf-8", "replace")[:MOST_BYTES].decode("utf-8", "ignore")
    return text or "phase"


def _agents():
    """The agents' function of this process; None where there are none."""
    global _found
    library = os.environ.get("LACUNA_TAKEN_OVER")
    if _found[0] != library:
        tell = getattr(ctypes.PyDLL(library), "lacuna_process_named_phase", None)
        if tell is not None:
            tell.argtypes, tell.restype = (ctypes.c_char_p, ctypes.c_int), None
        _found = (library, tell)
    return _found[1]


class phase(contextlib.ContextDecorator):
    """Names what the process does, for who watches its memory: ``with lacuna.phase("rollout"): …``, or ``@lacuna.phase("rollout")``
    above a function, also an ``async`` one. Phases may lie within one another and be used again. Nothing happens where nobody
    watches, neither an agent nor what is attached; in no case does it raise.

    :param name: one line, at most 40 characters; longer ones are cut
    """

    def __init__(self, name):
        self.name = plain(name)
        self._told = self.name.encode("utf-8", "replace")

    def __enter__(self):
        open_names.append(self.name)
        tell = _agents()
        if tell is not None:
            tell(self._told, 1)
        return self

    def __exit__(self, *_):
        tell = _agents()
        if tell is not None:
            tell(self._told, 0)
        if self.name in open_names:
            open_names.remove(self.name)

    def __call__(self, function):
        if not inspect.iscoroutinefunction(function):
            return super().__call__(function)

        @functools.wraps(function)
        async def within(*arguments, **named):
            with self:
                return await function(*arguments, **named)

        return within
