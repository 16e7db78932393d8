from torch.cuda.memory import allocate, free, snapshot  # noqa: F401

history = []


def _record_memory_history(enabled="all", context="all", stacks="all", max_entries=1, device=None):
    import torch_npu

    history.append((enabled, max_entries))
    torch_npu._C.history = enabled is not None


def _snapshot(device=None):
    import torch_npu

    return {"segments": snapshot(), "device_traces": [[{"action": "alloc"}] if torch_npu._C.history else []]}


def _dump_snapshot(filename="dump_snapshot.pickle"):
    raise AssertionError("it has a profiler start and stop, and makes a file that nobody may read")
