"""Plays PyTorch for what is posted into a process: the names that it touches, over an allocator that only counts.

FAKE_TORCH names the version: what came later is not there.
"""

import os

__version__ = os.environ.get("FAKE_TORCH", "2.14.1") + "+cu130"
VERSION = tuple(int(part) for part in __version__.partition("+")[0].split(".")[:2])
OLD = VERSION < (2, 0)


class _Core:
    """As PyTorch does it: a refused text is kept and told all the same, and what it does not name stays expandable."""

    settings = os.environ.get("PYTORCH_CUDA_ALLOC_CONF", "")
    expandable = "expandable_segments:True" in settings
    history = False
    observers = []

    @staticmethod
    def _cuda_getAllocatorBackend():
        return os.environ.get("FAKE_ALLOCATOR", "native")

    @classmethod
    def _cuda_isHistoryEnabled(cls):
        if cls._cuda_getAllocatorBackend() != "native":
            raise RuntimeError("does not yet support recordHistory")
        return cls.history

    @classmethod
    def _cuda_attach_out_of_memory_observer(cls, observer):
        cls.observers.append(observer)

    @classmethod
    def _accelerator_getAllocatorSettings(cls):
        return cls.settings

    @classmethod
    def _accelerator_setAllocatorSettings(cls, text):
        cls.settings = text
        if "expandable_segments:" in text:
            cls.expandable = "expandable_segments:True" in text
        if "nonsense" in text:
            raise RuntimeError("Unrecognized value")

    _cuda_cudaCachingAllocator_set_allocator_settings = _accelerator_setAllocatorSettings


_C = _Core
SINCE = {
    "_cuda_attach_out_of_memory_observer": (2, 0), "_cuda_cudaCachingAllocator_set_allocator_settings": (2, 0),
    "_cuda_isHistoryEnabled": (2, 1), "_accelerator_getAllocatorSettings": (2, 9), "_accelerator_setAllocatorSettings": (2, 9),
}  # fmt: skip
for name, since in SINCE.items():
    if since > VERSION:
        delattr(_Core, name)

from . import cuda, optim  # noqa: E402, F401
