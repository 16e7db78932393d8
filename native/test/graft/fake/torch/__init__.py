"""Plays PyTorch for what is posted into a process: the names that it touches, over an allocator that only counts.

FAKE_TORCH names the version: 1.13 has none of what came with 2.x.
"""

import os

__version__ = os.environ.get("FAKE_TORCH", "2.14.1") + "+cu130"
OLD = __version__.startswith("1.")


class _Core:
    """As PyTorch does it: a refused text is kept and told all the same, and what it does not name stays expandable."""

    settings = os.environ.get("PYTORCH_CUDA_ALLOC_CONF", "")
    expandable = "expandable_segments:True" in settings
    history = False
    observers = []

    @classmethod
    def _cuda_isHistoryEnabled(cls):
        return cls.history

    @classmethod
    def _cuda_attachOutOfMemoryObserver(cls, observer):
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


_C = _Core
if OLD:
    for name in ("_cuda_isHistoryEnabled", "_accelerator_getAllocatorSettings", "_accelerator_setAllocatorSettings"):
        delattr(_Core, name)

from . import cuda, optim  # noqa: E402, F401
