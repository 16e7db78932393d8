"""PyTorch and its devices, as the process has them."""

import os
import sys

from .figures import figures_of
from .layout import MAX_DEVICES
from .refusal import plain

# Functions of PyTorch's core by what they do, in the order in which they are asked for. torch_npu has a core of its own with names of
# its own, which does not tell its settings. Whether a history is kept is told from PyTorch 2.1 on.
CORE = {
    "cuda": {
        "allocator": ("_cuda_getAllocatorBackend",),
        "history": ("_cuda_isHistoryEnabled",),
        "observe": ("_cuda_attach_out_of_memory_observer",),
        "read settings": ("_accelerator_getAllocatorSettings",),
        "write settings": ("_accelerator_setAllocatorSettings", "_cuda_cudaCachingAllocator_set_allocator_settings"),
    },
    "npu": {
        "allocator": ("_npu_getAllocatorBackend",),
        "history": ("_npu_isHistoryEnabled",),
        "observe": ("_npu_attach_out_of_memory_observer",),
        "write settings": ("_npu_npuCachingAllocator_set_allocator_settings",),
    },
}
VARIABLES = {
    "cuda": ("PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_HIP_ALLOC_CONF"),
    "npu": ("PYTORCH_NPU_ALLOC_CONF",),
}


def loaded(name):
    """A module that the process has imported as a whole; None before."""
    module = sys.modules.get(name)
    spec = getattr(module, "__spec__", None)
    return None if module is None or getattr(spec, "_initializing", False) else module


class Accelerator:
    """One device behind PyTorch's own caching allocator: torch.cuda, or torch.npu, whose modules have the same names."""

    cannot = ""

    def __init__(self, kind, module, number):
        self.kind, self.module, self.backend_index = kind, module, number
        self.total = int(module.get_device_properties(number).total_memory)

    def read(self):
        stats = self.module.memory_stats_as_nested_dict(self.backend_index)
        return figures_of(stats, self.total)


class Framework:
    """PyTorch as the process has it, or has not yet."""

    def __init__(self):
        self.torch = None

    def look(self):
        self.torch = self.torch or loaded("torch")
        return self.torch

    @property
    def name(self):
        torch = self.look()
        return "none" if torch is None else plain("torch-%s" % str(getattr(torch, "__version__", "0")).partition("+")[0]).replace(" ", "")

    def accelerator(self):
        """(kind, module) of what is initialised; (None, None) before. Nothing is initialised by asking."""
        torch = self.look()
        if torch is None:
            return None, None
        kinds = [("npu", getattr(torch, "npu", None))] if loaded("torch_npu") else []
        for kind, module in kinds + [("cuda", getattr(torch, "cuda", None))]:
            if module is not None and getattr(module, "is_initialized", bool)():
                return kind, module
        return None, None

    def core(self, what):
        """A function of the core of whatever accelerator there is; None where this version has no such thing."""
        kind = self.accelerator()[0] or "cuda"
        core = getattr(loaded("torch_npu") if kind == "npu" else self.torch, "_C", None)
        found = (getattr(core, name, None) for name in CORE[kind].get(what, ()))
        return next((function for function in found if function is not None), None)

    def keeps_blocks(self):
        """Whether PyTorch's own caching allocator serves: not the driver's (cudaMallocAsync), nor one that a script has plugged in."""
        told = self.core("allocator")
        return told is None or told() == "native"

    def history_is_on(self):
        """Whether somebody keeps a history of allocations; None where this version does not tell: then somebody may."""
        told = self.core("history")
        return None if told is None else bool(told())

    def settings_at_start(self):
        """What the environment said of the allocator."""
        told = (os.environ.get(name) for name in VARIABLES[self.accelerator()[0] or "cuda"])
        return next((text for text in told if text), "")

    def devices(self):
        """Those that PyTorch has reserved memory on, else the first; the host where there is no accelerator (yet)."""
        kind, module = self.accelerator()
        if module is None:
            return []
        numbers = range(min(int(module.device_count()), MAX_DEVICES))
        used = [n for n in numbers if module.memory_stats_as_nested_dict(n).get("reserved_bytes", {}).get("all", {}).get("peak", 0)]
        return [Accelerator(kind, module, n) for n in used or list(numbers)[:1]]
