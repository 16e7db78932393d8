"""What else is at work in the process: other threads of Python, and libraries that keep addresses."""

import gc
import os
import sys
import sysconfig
from _thread import get_ident

# Hand addresses of tensors to a device or a library and go on using them, or lay parameters out in buffers of their own.
KEEP_ADDRESSES = (
    "apex", "bitsandbytes", "byteps", "colossalai", "cupy", "deepspeed", "horovod", "numba.cuda", "onnxruntime", "pycuda", "tensorrt",
    "torch_tensorrt", "transformer_engine",
)  # fmt: skip


def library():
    """The name of a loaded library that is known to keep addresses of tensors; None where none is."""
    return next((name for name in KEEP_ADDRESSES if name in sys.modules), None)


_STANDARD = tuple({os.path.normpath(sysconfig.get_path(name)) + os.sep for name in ("stdlib", "platstdlib")})


def is_any_at_work(torch):
    """Whether another thread may be using tensors: one that has PyTorch in sight and does not just wait."""
    own = os.path.dirname(torch.__file__) + os.sep
    loaders = os.path.join(own, "utils", "data") + os.sep
    collects = gc.isenabled()
    gc.disable()  # Python 3.11 may lose a frame of another thread to what a collection finalises (see swap/threads.py)
    try:
        frames = sys._current_frames()
        del frames[get_ident()]  # a frame that refers to itself would live, with all that it holds, until the next collection
        return any(not _waits(frame) and _sees(frame, torch, own, loaders) for frame in frames.values())
    finally:
        if collects:
            gc.enable()


def _waits(frame):
    """The standard library waits in Python's own files (threading, queue, selectors, concurrent); packages lie below it, too."""
    file = frame.f_code.co_filename
    return file.startswith(_STANDARD) and "-packages" + os.sep not in file


def _sees(frame, torch, own, loaders):
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(own) and not file.startswith(loaders):
            return True
        if frame.f_globals.get("torch") is torch:
            return True
        frame = frame.f_back
    return False
