from . import memory

initialized, fraction, capturing, emptied = False, 1.0, False, 0


class _Properties:
    total_memory = 1 << 30


def is_initialized():
    return initialized


def init():
    global initialized
    initialized = True


def device_count():
    return 2


def get_device_properties(device):
    return _Properties


def memory_stats_as_nested_dict(device):
    return memory.stats(device) if initialized else {}


def memory_snapshot(include_traces=True):
    return memory.snapshot()


def set_per_process_memory_fraction(value, device):
    global fraction
    fraction = value


def get_per_process_memory_fraction(device):
    return fraction


def is_current_stream_capturing():
    return capturing


def empty_cache():
    global emptied
    emptied += 1
    memory.empty()
