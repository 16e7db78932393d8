import ctypes


def _ask():
    import torch_npu

    return torch_npu.library


def memory_stats(device=0):
    numbers = (ctypes.c_int64 * 10)()
    _ask().npu_statistics(device, numbers)
    names = ("allocation", "allocated_bytes", "active_bytes", "reserved_bytes")
    told = {"%s.all.%s" % (name, what): numbers[2 * n + k] for n, name in enumerate(names) for k, what in enumerate(("current", "peak"))}
    told.update(num_alloc_retries=numbers[8], num_ooms=numbers[9])
    return told


def memory_allocated(device=0):
    return memory_stats(device)["allocated_bytes.all.current"]


def memory_reserved(device=0):
    return memory_stats(device)["reserved_bytes.all.current"]


def memory_snapshot():
    return [None] * segments()[0]


def segments():
    """How many there are, and the bytes of live blocks in those that grow."""
    ours = ctypes.c_int64()
    return _ask().npu_snapshot(ctypes.byref(ours)), ours.value


def empty_cache():
    _ask().npu_empty_cache()


def set_per_process_memory_fraction(fraction, device=0):
    _ask().npu_set_fraction(fraction, device)


def get_per_process_memory_fraction(device=0):
    return _ask().npu_get_fraction(device)
