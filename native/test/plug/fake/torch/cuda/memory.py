import ctypes

from .. import _C


class CUDAPluggableAllocator:
    def __init__(self, path, alloc, free):
        library = ctypes.CDLL(path)
        self._allocator = _C.Allocator(
            ctypes.cast(getattr(library, alloc), ctypes.c_void_p).value,
            ctypes.cast(getattr(library, free), ctypes.c_void_p).value,
        )

    def allocator(self):
        return self._allocator


def change_current_allocator(allocator):
    _C._cuda_changeCurrentAllocator(allocator.allocator())


def memory_stats(device=0):
    flat = {}

    def flatten(prefix, value):
        for key, inner in value.items():
            if isinstance(inner, dict):
                flatten(prefix + key + ".", inner)
            else:
                flat[prefix + key] = inner

    flatten("", _C._cuda_memoryStats(device))
    return flat


def memory_summary(device=0, abbreviated=False):
    return "%d segments" % memory_stats(device)["segment.small_pool.current"]
