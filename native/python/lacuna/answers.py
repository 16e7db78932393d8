"""What PyTorch asks of its own allocator alone, answered from Python where the agent is in its place.

With an allocator that is not its own, PyTorch has no statistics on CUDA: ``torch.cuda.memory_stats``, ``torch.accelerator``
and all that is made of them would raise, or say 0. The functions that they are made of are replaced. What only C++ could
answer is kept from being asked: the benchmark of cuDNN wants ``cacheInfo``, Inductor's graph trees
``checkPoolLiveAllocations``.
"""

import sys

_COUNTS = ("num_alloc_retries", "num_ooms", "num_sync_all_streams", "num_device_alloc", "num_device_free")  # go with the sums


class _Sums:
    """The agent's sums run from its start; PyTorch's can be reset. By device: what they were then."""

    def __init__(self):
        self._before = {}

    def reset(self, device, stats):
        self._before[device] = stats

    def since(self, device, stats):
        before = self._before.get(device)
        if before is None:
            return stats
        for name in _COUNTS:
            stats[name] -= before[name]
        for figure, pools in stats.items():
            for pool in pools if isinstance(pools, dict) else ():
                if isinstance(pools[pool], dict):
                    for way in ("allocated", "freed"):
                        pools[pool][way] -= before[figure][pool][way]
        return stats


def statistics(binding, prefix, memory, backend):
    """The functions that Python's statistics are made of answer with the agent's numbers, the accelerator's too."""
    sums, torch = _Sums(), sys.modules["torch"]
    documented = getattr(getattr(torch.cuda, "memory_stats", None), "__doc__", None) or ""

    def stats(device):
        found = memory.nested_stats(backend, device)
        if "num_oom_rejections" in documented:
            found["num_oom_rejections"] = 0  # of a limit that the agent has not
        return sums.since(device, found)

    def reset_peak(device):
        memory.reset_peaks(backend, device)

    def reset_accumulated(device):
        sums.reset(device, memory.nested_stats(backend, device))

    setattr(binding, prefix + "memoryStats", stats)
    setattr(binding, prefix + "resetPeakMemoryStats", reset_peak)
    setattr(binding, prefix + "resetAccumulatedMemoryStats", reset_accumulated)
    _accelerator(torch._C, stats, reset_peak, reset_accumulated, getattr(binding, prefix + "emptyCache", None))


def _accelerator(binding, stats, reset_peak, reset_accumulated, empty_cache):
    """torch.accelerator asks the allocator that PyTorch started with, which serves nothing."""
    if not hasattr(binding, "_accelerator_getDeviceStats"):
        return
    binding._accelerator_getDeviceStats = stats
    binding._accelerator_resetPeakStats = reset_peak
    binding._accelerator_resetAccumulatedStats = reset_accumulated
    binding._accelerator_isAllocatorInitialized = lambda: True
    if empty_cache is not None:
        binding._accelerator_emptyCache = empty_cache


def cuda(torch, say, after_import):
    """The rest of what it is asked on CUDA."""
    _fraction(torch._C)
    _benchmark(torch, say)
    _graph_trees(after_import)


def _fraction(binding):
    """What the script has set is what it is told."""
    setting, told = getattr(binding, "_cuda_setMemoryFraction", None), {}
    if setting is None or not hasattr(binding, "_cuda_getMemoryFraction"):
        return

    def set_fraction(fraction, device):
        setting(fraction, device)
        told[device] = fraction

    binding._cuda_setMemoryFraction = set_fraction
    binding._cuda_getMemoryFraction = lambda device: told.get(device, 1.0)


def _benchmark(torch, say):
    """cuDNN's benchmark would end in an exception at the first convolution."""
    cudnn, setting = sys.modules.get("torch.backends.cudnn"), getattr(torch._C, "_set_cudnn_benchmark", None)
    if cudnn is None or setting is None:
        return
    said = []

    def keep_off(on):
        if on and not said:
            said.append(on)
            say("torch.backends.cudnn.benchmark is kept off: PyTorch asks how much a try may take of its own allocator alone")
        setting(False)

    asked = torch._C._get_cudnn_benchmark()
    torch._C._set_cudnn_benchmark = keep_off
    property_of = type(cudnn).__dict__.get("benchmark")
    if property_of is not None:
        property_of.setter = keep_off
    if asked:
        keep_off(asked)


def _graph_trees(after_import):
    """Inductor then captures each graph by itself; the trees would end in an exception at the first call."""

    def off(_):
        sys.modules["torch._inductor.config"].triton.cudagraph_trees = False

    if "torch._inductor.config" in sys.modules:
        off(None)
        return
    sys.meta_path.insert(0, after_import({"torch._inductor.config": off}))
