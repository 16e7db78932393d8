"""A torch_npu for tests of the front: its allocator, streams and empty tensors, on the stand-in of AscendCL (run.sh builds it)."""

import ctypes
import os
import sys
import types

import torch

__version__ = "2.7.standin"
library = ctypes.CDLL(os.path.join(os.environ["STANDIN_NPU"], "libtorch_npu.so"), mode=ctypes.RTLD_GLOBAL)
library.npu_failure.restype = ctypes.c_char_p
library.npu_start.argtypes = [ctypes.c_uint64]
library.npu_snapshot.restype = library.npu_cached.restype = library.npu_base.restype = ctypes.c_int64
library.npu_get_fraction.restype = ctypes.c_double
library.npu_set_fraction.argtypes = [ctypes.c_double, ctypes.c_int]
for _name in ("npu_collective", "npu_is_safe", "npu_share", "npu_base"):
    getattr(library, _name).argtypes = [ctypes.c_void_p]

_C = types.ModuleType("torch_npu._C")
sys.modules["torch_npu._C"] = _C
_started = False


def _npu_init():
    library.npu_start(int(os.environ.get("STANDIN_BYTES", 1 << 30)))


_C._npu_init = _npu_init
torch.utils.rename_privateuse1_backend("npu")

from . import npu  # noqa: E402

torch._register_device_module("npu", npu)
