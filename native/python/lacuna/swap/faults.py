"""Whose an exception is that arrives in the middle of our code."""

import sys

_is_from_signal_handler = None  # set by the interpreter's hook: phases.is_from_signal_handler


def tell_apart(is_from_signal_handler):
    global _is_from_signal_handler
    _is_from_signal_handler = is_from_signal_handler


def is_the_scripts(broken):
    """Whether a signal handler of the script raised it: a time-out that strikes in here is meant for the script."""
    return _is_from_signal_handler is not None and _is_from_signal_handler(broken.__traceback__)


def is_from_outside(broken):
    """The same of anything that was raised, also by who pressed Ctrl-C."""
    return isinstance(broken, KeyboardInterrupt) or is_the_scripts(broken)


def pass_on(broken):
    """To be called first by who catches everything: raises again what is not ours."""
    if is_the_scripts(broken):
        try:
            raise broken
        finally:
            broken = None  # or it would hold this frame, which holds it, and the script's tensors with it


def is_out_of_memory(broken):
    """On any device: torch has no type of its own for all of them."""
    text = str(broken)
    return isinstance(broken, (MemoryError, RuntimeError)) and ("out of memory" in text or "allocate memory" in text)


_said = set()


def say_once(line):
    if line not in _said:
        _said.add(line)
        sys.stderr.write("lacuna: %s\n" % line)
