"""Plays torch_npu over the same counting allocator: its names, as far as they are touched, are those of its public source."""

import os

import torch


class _Core:
    settings = os.environ.get("PYTORCH_NPU_ALLOC_CONF", "")
    expandable = "expandable_segments:True" in settings
    history = False
    observers = []

    @classmethod
    def _npu_isHistoryEnabled(cls):
        return cls.history

    @classmethod
    def _npu_attach_out_of_memory_observer(cls, observer):
        cls.observers.append(observer)

    @classmethod
    def _npu_npuCachingAllocator_set_allocator_settings(cls, text):
        """There is none that reads them."""
        if "expandable_segments:" in text:
            cls.expandable = "expandable_segments:True" in text
        cls.settings = text
        if "nonsense" in text:
            raise RuntimeError("Unrecognized CachingAllocator option")


_C = _Core

from . import npu  # noqa: E402

torch.npu = npu
