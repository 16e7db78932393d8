"""Whose an exception is that arrives in the middle of our code."""

import sys

_is_from_signal_handler = None  # set by the interpreter's hook: phases.is_from_signal_handler


def tell_apart(is_from_signal_handler):
    global _is_from_signal_handler
    _is_from_signal_handler = is_from_signal_handler


def is_the_scripts(broken):
    """Whether a signal handler of the script raised it: a time-out that strikes in here is meant for the script."""
    return _is_from_signal_handler is not None and _is_from_signal_handler(broken.__traceback__)


def pass_on(broken):
    """To be called first by who catches everything: raises again what is not ours."""
    if is_the_scripts(broken):
        raise broken


def raise_as_it_was(broken):
    """A handler that runs just as torch calls a hook raises into torch, which makes a RuntimeError with its text of that:
    the signal is raised again, outside of torch."""
    import signal

    _, at, places = str(broken).partition("\n\nAt:\n")
    innermost = places.strip().partition("\n")[0]
    for number in signal.valid_signals() if at else ():
        code = getattr(signal.getsignal(number), "__code__", None)
        if code is not None and innermost.startswith(code.co_filename + "(") and innermost.endswith("): " + code.co_name):
            signal.raise_signal(number)


def is_out_of_memory(broken):
    """On any device: torch has no type of its own for all of them."""
    text = str(broken)
    return isinstance(broken, (MemoryError, RuntimeError)) and ("out of memory" in text or "allocate memory" in text)


_said = set()


def say_once(line):
    if line not in _said:
        _said.add(line)
        sys.stderr.write("lacuna: %s\n" % line)
