from .. import _C

_initialised = False


def is_initialized():
    return _initialised


def current_device():
    return 0


def _lazy_init():
    global _initialised
    if not _initialised:
        _C._cuda_init()
        _initialised = True


from . import memory  # noqa: E402
from .memory import memory_stats, memory_summary  # noqa: E402, F401
