import ctypes

import torch

import torch_npu

from . import memory  # noqa: F401
from .memory import empty_cache, memory_allocated, memory_reserved, memory_stats  # noqa: F401

_started = False


def init():
    global _started
    if not _started:
        _started = True
        torch_npu._C._npu_init()


_lazy_init = init


def device_count():
    return 2


def is_available():
    return True


def is_initialized():
    return _started


def current_device():
    return 0


def synchronize():
    torch_npu.library.aclrtSynchronizeDevice()


def Stream():
    init()
    return torch.Stream(device="npu:0")


def empty(*size):
    """A tensor of bytes; the first starts the device."""
    init()
    return torch.empty(*size, dtype=torch.uint8, device="npu:0")


def problems():
    """The first rule of AscendCL that was broken; empty where none was."""
    text = ctypes.create_string_buffer(500)
    torch_npu.library.npu_problems(text, len(text))
    return text.value.decode()


def ask(name, tensor):
    """Calls the library with the tensor's storage; raises what it told."""
    told = getattr(torch_npu.library, name)(ctypes.c_void_p(tensor.untyped_storage()._cdata))
    reason = torch_npu.library.npu_failure().decode()
    if reason:
        raise RuntimeError(reason)
    return told
