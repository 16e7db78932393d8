"""Tells the agent how the script ends, where Python knows.

An unhandled KeyboardInterrupt ends the interpreter by the signal itself, after everything else and without the
destructors that take the agent's files away: it would look like a crash. ``sys.last_type`` is what the interpreter was
about to print when it began to end; looking there changes no hook that the script sees or sets.
"""

import os
import sys

INTERRUPTED, EXCEPTION = 2, 3  # lacuna_ending


def _unhandled():
    """The type of what ended the script; None where nothing did, or where somebody types and goes on after exceptions."""
    if sys.flags.interactive or hasattr(sys, "ps1"):
        return None
    last = getattr(sys, "last_exc", None)  # 3.12 and later
    return getattr(sys, "last_type", None) if last is None else type(last)


def _name(kind):
    module, name = kind.__module__, kind.__qualname__
    return name if module in ("builtins", "__main__") else "%s.%s" % (module, name)


def _tell():
    kind = _unhandled()
    if kind is None:
        return
    import ctypes

    process_ending = getattr(ctypes.PyDLL(os.environ.get("LACUNA_TAKEN_OVER")), "lacuna_process_ending", None)
    if process_ending is None:
        return
    process_ending.argtypes = (ctypes.c_int, ctypes.c_char_p)
    process_ending.restype = None
    if issubclass(kind, KeyboardInterrupt):
        process_ending(INTERRUPTED, None)
    else:
        process_ending(EXCEPTION, _name(kind).encode("ascii", "backslashreplace"))


def _tell_safely():
    try:
        _tell()
    except Exception as broken:  # an end like any other
        sys.stderr.write("lacuna: how the script ended is not told: %r\n" % (broken,))


def install():
    """First of all, so that it is called after what the script has registered."""
    import atexit

    atexit.register(_tell_safely)


def take_out():
    import atexit

    atexit.unregister(_tell_safely)
