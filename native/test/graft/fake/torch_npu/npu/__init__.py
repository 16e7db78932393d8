from torch.cuda import get_device_properties  # noqa: F401
from torch.cuda import memory as counting

from . import memory  # noqa: F401

initialized, fraction, capturing, emptied = False, 1.0, False, 0


def is_initialized():
    return initialized


def init():
    global initialized
    initialized = True


def device_count():
    return 1


def memory_stats_as_nested_dict(device):
    return counting.stats(device) if initialized else {}


def memory_snapshot():
    """With all traces there are: they cannot be left out."""
    counting.looks.append(True)
    return counting.snapshot()


def set_per_process_memory_fraction(value, device):
    global fraction
    if not isinstance(value, float):
        raise TypeError("Invalid type for fraction argument, must be `float`")
    fraction = value


def is_current_stream_capturing():
    return capturing


def empty_cache():
    global emptied
    emptied += 1
    counting.empty()
