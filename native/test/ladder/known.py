"""What fails under the agent today, by door, by case and label, and why. Of a CUDAPluggableAllocator PyTorch does not ask
everything; the front is there so that it does. One that passes is a failure: take it out."""

CLASS = "what a pluggable allocator throws arrives as a plain RuntimeError, but where build-ext was run"
SNAPSHOT = "PyTorch asks a pluggable allocator for no snapshot, history or observer"
PEER = "PyTorch copies a pluggable allocator's memory between devices as if it were cudaMalloc's"
POOL = "PyTorch has no MemPool with a pluggable allocator (createOrIncrefPool)"
TREES = "the backend cudagraphs asks for checkPoolLiveAllocations"
SHARED = "PyTorch shares no memory of a pluggable allocator's with another process (shareIpcHandle)"
PROFILED = "PyTorch's own allocators report to the profiler, a pluggable one cannot"
RETRY = "the agent counts no wait for streams where a retry helps without one; PyTorch counts each"
STOCK_KEEPS = "stock forgets to take a block that another stream used from requested_bytes"

_TWO_DEVICES = ("copied", "copied back", "a model over both", "DataParallel", "statistics", "(memory)")
_HISTORY = ("record", "snapshot", "finds the block", "with its stack", "traced", "dump", "stop", "segments")
_POOL = ("make", "use", "use again", "snapshot", "its users")
_SHARED = ("got", "what it holds", "written", "seen there")


def _of(case, labels, why):
    return {"%s %s" % (case, label): why for label in labels}


_PLUGGABLE = {
    **_of("processes.tensors_between_processes", _SHARED, SHARED),
    **_of("memory.tight", ["num_sync_all_streams"], RETRY),
    **_of("streams.record_stream", ["requested_bytes"], STOCK_KEEPS),
    **_of("streams.prefetch", ["requested_bytes"], STOCK_KEEPS),
    **_of("memory.every_function", ["memory_snapshot"], SNAPSHOT),
    **_of("memory.out_of_memory", ["raises", "is torch.OutOfMemoryError"], CLASS),
    **_of("memory.out_of_memory_in_backward", ["raises"], CLASS),
    **_of("memory.history_of_what_runs", _HISTORY, SNAPSHOT),
    **_of("memory.observer", ["attach", "calls"], SNAPSHOT),
    **_of("training.compile_cudagraphs", ["train", "evaluate"], TREES),
    **_of("training.profiler", ["sees memory"], PROFILED),
    **_of("streams.devices", _TWO_DEVICES, PEER),
    **_of("streams.peers", _TWO_DEVICES, PEER),
    **_of("pools.mem_pool", _POOL, POOL),
}

KNOWN = {"front": {}, "pluggable": _PLUGGABLE}

# On these rungs alone: elsewhere it must pass.
ONLY = {"pluggable": {"streams.prefetch requested_bytes": ("debian13",)}}  # on 2.14 pinned memory has PyTorch's own allocator in place
