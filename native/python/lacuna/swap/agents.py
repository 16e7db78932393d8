"""Which device's agent a forward is about."""

import ctypes
import os
import sys

CUDA, ASCEND = 2, 3  # lacuna_backend
_BACKENDS = {"cuda": CUDA, "npu": ASCEND}


def started():
    """What PyTorch has for the accelerator that this process has started (torch.cuda, torch.npu), and its backend; None
    where it trains on the host."""
    torch = sys.modules["torch"]
    for name, backend in _BACKENDS.items():
        framework = getattr(torch, name, None)
        if framework is not None and framework.is_initialized():
            return framework, backend
    return None


def device_of(module):
    """(backend, index) of the accelerator that a module has parameters on, else of this thread's current one; None where
    the process trains on the host."""
    found = started()
    if found is None:
        return None
    framework, backend = found
    for parameter in module.parameters() if module is not None else ():
        if parameter.device.type in _BACKENDS and parameter.device.index is not None:
            return _BACKENDS[parameter.device.type], parameter.device.index
    return backend, framework.current_device()


def agents_here():
    """The agents of this process; None where it has no library of ours."""
    library = ctypes.PyDLL(os.environ.get("LACUNA_TAKEN_OVER"))
    return Agents(library) if hasattr(library, "lacuna_served") else None


class Agents:
    def __init__(self, library):
        library.lacuna_served.restype = ctypes.c_void_p
        library.lacuna_served.argtypes = (ctypes.c_int, ctypes.c_int)
        library.lacuna_process_agent.restype = ctypes.c_void_p
        library.lacuna_layers_asked.restype = ctypes.c_uint64
        self._served, self._usual, self.asked = library.lacuna_served, library.lacuna_process_agent, library.lacuna_layers_asked

    def of(self, module):
        """The address of the agent that serves the device on which this module trains; None where none does (yet)."""
        device = device_of(module)
        return self._usual() if device is None else self._served(*device)
