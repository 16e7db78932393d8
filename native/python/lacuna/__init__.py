"""Runs a PyTorch training script under Lacuna's memory agent, and tells a script what the agent counts.

``python3 -m lacuna [--capacity 8GiB] [--fraction F] [--optimisation on|off] [--swap on|off|all] SCRIPT args...``

The package only prepares the environment and starts the same interpreter again: the script neither imports nor
knows it. ``launch`` reads the command line, ``hook`` is put on the path of the new interpreter, ``phases`` marks
model set-up, forward passes and optimizer steps there, ``devices`` puts the agent behind CUDA and NPU memory,
``swap`` moves what autograd saves to the host and back.

A script that wants to know may ``import lacuna``: ``memory_stats()`` and its companions have PyTorch's names and keys,
``adapt(fn, *args)`` brings custom autograd functions under swapping,
``phase("rollout")`` names what the script does for who watches its memory,
``empty_cache()``, ``set_per_process_memory_fraction()``, ``compact()``, ``take_over()`` and ``detach()`` act, ``OutOfMemory`` and ``translating_out_of_memory()`` tell an out-of-memory from other errors.
"""

from .adapt import adapt
from .memory import (
    OutOfMemory,
    compact,
    empty_cache,
    max_memory_allocated,
    max_memory_reserved,
    memory_allocated,
    memory_reserved,
    memory_stats,
    memory_summary,
    reset_peak_memory_stats,
    set_per_process_memory_fraction,
    swap_stats,
    translating_out_of_memory,
)
from .named import phase


def take_over():
    """Opens a door in a training that runs already, as in a notebook: at the end of the next step PyTorch's allocator is wrapped,
    and can be switched from then on (docs/pluggable.md, "In a process that runs"). On CUDA the front is compiled first, once for
    each PyTorch; a training on the host needs nothing compiled.

    :raises RuntimeError: with the reason, where that cannot be; nothing has changed then
    """
    import os
    import sys

    from . import front, takeover
    from .launch import PACKAGE, MissingLibrary, find_library

    try:
        library = find_library(os.environ)
        if sys.modules["torch"].cuda.is_initialized():
            front.build_for(sys.modules["torch"], library)
        takeover.at_next_step(PACKAGE, library)
    except KeyError:
        raise RuntimeError("PyTorch is not loaded")
    except (MissingLibrary, front.Unavailable, takeover.Unable) as reason:
        raise RuntimeError(str(reason))


def detach():
    """Takes Lacuna out of a training that was taken over: PyTorch's own allocator serves from now on, what outlives steps is moved
    back at the end of the next one, and when the last block has come back, door, thread, socket and files go: at once where none
    is in use.

    :raises RuntimeError: where nothing was taken over; what was started under Lacuna ends with it
    """
    import sys

    stay = sys.modules.get("_lacuna_taken_over")
    if stay is None or not stay.ask_to_leave():
        raise RuntimeError("this process was not taken over")
    if stay.holds() == 0:
        stay.depart()


__all__ = [
    "OutOfMemory",
    "adapt",
    "compact",
    "detach",
    "empty_cache",
    "max_memory_allocated",
    "max_memory_reserved",
    "memory_allocated",
    "memory_reserved",
    "memory_stats",
    "memory_summary",
    "phase",
    "reset_peak_memory_stats",
    "set_per_process_memory_fraction",
    "swap_stats",
    "take_over",
    "translating_out_of_memory",
]
__version__ = "0.1.0"
