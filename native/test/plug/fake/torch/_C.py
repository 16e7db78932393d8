"""The bindings: the state that C++ keeps."""

import ctypes

state = {"allocator": None, "initialised": False, "hooks": {}}


def _current_graph_task_id():
    return -1


def _cuda_init():
    state["initialised"] = True
    if "set_init_fn" in state["hooks"]:
        ctypes.CFUNCTYPE(None, ctypes.c_int)(state["hooks"]["set_init_fn"])(1)


def _cuda_memoryStats(device):
    if state["allocator"] is not None:
        raise RuntimeError("CUDAPluggableAllocator does not yet support getDeviceStats.")
    return {}


def _cuda_resetPeakMemoryStats(device):
    raise RuntimeError("CUDAPluggableAllocator does not yet support resetPeakStats.")


def _cuda_resetAccumulatedMemoryStats(device):
    raise RuntimeError("CUDAPluggableAllocator does not yet support resetAccumulatedStats.")


class Allocator:
    def __init__(self, alloc, free):
        self.alloc, self.free = alloc, free

    def __getattr__(self, setter):
        if not setter.startswith("set_"):
            raise AttributeError(setter)

        def put(address):
            state["hooks"][setter] = address

        return put


def _cuda_changeCurrentAllocator(allocator):
    if state["initialised"]:
        raise RuntimeError("Can't swap an already initialized allocator")
    state["allocator"] = allocator
