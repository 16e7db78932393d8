"""Swaps what autograd saves between device and host, behind the computation (docs/swap.md).

While an outermost module runs with gradients on and swapping is on, saved tensors of LACUNA_SWAP_SMALLEST bytes (512KiB)
and more are kept here: one entry for each storage, in the order in which they were saved. The native engine copies; this
module decides what and when, holds the tensors until they may go, and makes them anew when backward wants them.

Nothing here frees what somebody else holds: an entry that goes to the host only drops the reference that autograd would
have had. A fault in here is said once and switches swapping off; what is on the host still comes back.

The state machine of an entry and the list of files: docs/swap.md and docs/architecture.md.
"""

import sys

from .faults import pass_on, tell_apart  # noqa: F401

load_memory = None  # set by the interpreter's hook: gives the module ``memory``
marker = None  # set by the interpreter's hook: marks the phases
_process = None
_first = {}  # whichever of several threads was first made it
_broken = False


def of_process():
    """The one of this process; made with torch, so that interpreters which never train import nothing, and none imports in
    the middle of a forward, where Python loses what a signal handler raises. None where that failed, which was said."""
    global _process, _broken
    if _process is None and not _broken:
        try:
            import os

            from .process import Swap

            _process = _first.setdefault("swap", Swap(load_memory(), os.environ, marker))
        except Exception as wrong:  # training comes first
            pass_on(wrong)
            _broken = True
            sys.stderr.write("lacuna: nothing is swapped: %r\n" % (wrong,))
    return _process


def after_torch(torch):
    """Acts on torch when it has been imported."""
    from .functions import after_import

    after_import(torch)
    process = of_process()
    if process is not None:
        process.after_torch()
        marker.after_step = process.after_step


def leave():
    """Of a training that was taken over: what stands in it is taken out."""
    if _process is not None:
        _process.leave()


def around(original, module, arguments, named):
    """Calls an outermost module, managed where swapping is on."""
    process = of_process()
    if process is None:
        return original(module, *arguments, **named)
    return process.around(original, module, arguments, named)
