import os

import torch

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
    if torch._C._cuda_getAllocatorBackend() != "native":
        raise RuntimeError("is not meaningful")
    memory.looks.append(include_traces)
    return memory.snapshot()


if torch.VERSION < (2, 9):

    def memory_snapshot():  # noqa: F811
        memory.looks.append(True)
        return memory.snapshot()


def set_per_process_memory_fraction(value, device):
    global fraction
    fraction = value


def is_current_stream_capturing():
    return capturing


def empty_cache():
    global emptied
    if os.environ.get("FAKE_EMPTY") == "fail":
        raise AttributeError("as where a version lacks something")
    emptied += 1
    memory.empty()


if torch.VERSION >= (2, 9):

    def get_per_process_memory_fraction(device):
        return fraction
