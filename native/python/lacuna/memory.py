"""What the agent counts in this process, in PyTorch's words, and out-of-memory errors that can be told from others.

``memory_stats`` has the keys of ``torch.cuda.memory_stats``; what they mean here stands in docs/pluggable.md.
"""

import collections
import contextlib
import ctypes
import os
import re
import sys

VIRTUAL, CUDA, ASCEND = 1, 2, 3  # lacuna_backend
_BACKENDS = {"cpu": VIRTUAL, "cuda": CUDA, "npu": ASCEND}


class _Field(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("offset", ctypes.c_uint32), ("size", ctypes.c_uint32)]


class _Statistic(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("current", "peak", "allocated")]

    def told(self):
        freed = self.allocated - self.current
        return {"current": self.current, "peak": self.peak, "allocated": self.allocated, "freed": freed}


# lacuna_report
_FIGURES = (
    "allocation", "allocated_bytes", "requested_bytes", "active", "active_bytes", "segment", "reserved_bytes",
    "inactive_split", "inactive_split_bytes",
)  # fmt: skip
_POOLS = ("all", "small_pool", "large_pool")
_COUNTS = (
    "num_alloc_retries", "num_ooms", "num_sync_all_streams", "num_device_alloc", "num_device_free", "unnoted_uses",
)  # fmt: skip


class _Report(ctypes.Structure):
    _fields_ = [("of", _Statistic * (len(_FIGURES) * len(_POOLS)))] + [(name, ctypes.c_uint64) for name in _COUNTS]


# ---------------------------------------------------------------- the agents


def _library():
    """The agent's library of this process. LookupError where there is none."""
    whole = ctypes.CDLL(os.environ.get("LACUNA_TAKEN_OVER"))
    if hasattr(whole, "lacuna_process_agents"):
        return whole
    path = os.environ.get("LACUNA_LIBRARY")
    if not path:
        raise LookupError("this process does not run under Lacuna; start it with: lacuna run -- python3 SCRIPT")
    return ctypes.CDLL(path)


def _layout(lib):
    lib.lacuna_layout.restype = ctypes.POINTER(_Field)
    fields = {}
    entry = lib.lacuna_layout()
    for number in range(1000):
        field = entry[number]
        if not field.name:
            break
        fields[field.name.decode()] = (field.offset, field.size)
    return fields


class _Agent:
    """One device's agent, read at one moment."""

    def __init__(self, lib, handle):
        self._lib, self._handle = lib, ctypes.c_void_p(handle)
        self._fields = _layout(lib)
        self._bytes = ctypes.create_string_buffer(self._fields["device"][1])
        lib.lacuna_counters(self._handle, self._bytes)

    def count(self, name, base=0):
        offset, size = self._fields[name]
        return int.from_bytes(self._bytes[base + offset : base + offset + size], sys.byteorder)

    def device(self, name):
        return self.count("device." + name)

    def report(self):
        report = _Report()
        self._lib.lacuna_statistics(self._handle, ctypes.byref(report), ctypes.c_size_t(ctypes.sizeof(report)))
        return report

    def empty_cache(self):
        self._lib.lacuna_empty_cache(self._handle)

    def set_fraction(self, fraction):
        self._lib.lacuna_set_fraction(self._handle, ctypes.c_double(fraction), 1, None)

    def compact(self, at_once):
        self._lib.lacuna_compaction_ask(self._handle, int(bool(at_once)))

    def reset_peaks(self):
        self._lib.lacuna_reset_peaks(self._handle)


def _agent(backend, index):
    """The agent of a device, or None before its first tensor."""
    lib = _library()
    if backend != VIRTUAL:
        lib.lacuna_served.restype = ctypes.c_void_p
        handle = lib.lacuna_served(backend, index)
        return _Agent(lib, handle) if handle else None
    handles = (ctypes.c_void_p * 16)()
    for handle in handles[: min(16, lib.lacuna_process_agents(handles, 16))]:
        agent = _Agent(lib, handle)
        if agent.device("backend") == VIRTUAL:
            return agent
    return None


def _device(device):
    """(backend, index) of what users write for a device; None is the current one."""
    torch = sys.modules.get("torch")
    if device is None:
        if torch is not None and torch.cuda.is_initialized():
            return CUDA, torch.cuda.current_device()
        npu = getattr(torch, "npu", None)
        if npu is not None and npu.is_initialized():
            return ASCEND, npu.current_device()
        return VIRTUAL, 0
    if isinstance(device, int):
        backend = ASCEND if getattr(torch, "npu", None) is not None else CUDA
        return backend, device
    kind, _, index = str(device).partition(":")
    if kind not in _BACKENDS or (index and not index.isdigit()):
        raise ValueError("a device is cpu, cuda:N or npu:N, not %r" % (device,))
    if index or kind == "cpu":
        return _BACKENDS[kind], int(index or 0)
    return _BACKENDS[kind], getattr(torch, kind).current_device() if torch is not None else 0


# ---------------------------------------------------------------- statistics

# The agent has no PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb: like PyTorch without that option it splits blocks of any
# size (-1), so that none is oversize.
_UNLIMITED_SPLITS = -1


def nested_stats(backend, index):
    """What ``torch._C._cuda_memoryStats`` gives: by statistic, by pool. Before the first tensor nothing has happened."""
    agent = _agent(backend, index)
    report = agent.report() if agent is not None else _Report()
    stats = {
        figure: {pool: report.of[len(_POOLS) * i + j].told() for j, pool in enumerate(_POOLS)}
        for i, figure in enumerate(_FIGURES)
    }
    stats.update((name, getattr(report, name)) for name in _COUNTS if name.startswith("num_"))
    stats["max_split_size"] = _UNLIMITED_SPLITS
    stats["oversize_allocations"] = stats["oversize_segments"] = _Statistic().told()
    return stats


def reset_peaks(backend, index):
    agent = _agent(backend, index)
    if agent is not None:
        agent.reset_peaks()


def memory_stats(device=None):
    """The counters of a device (``cpu``, ``cuda:0``, ``npu:0``, a number; None: the current one) under PyTorch's keys,
    such as ``allocated_bytes.all.peak``, in bytes or numbers. LookupError without Lacuna in this process."""
    flat = {}

    def flatten(prefix, value):
        if isinstance(value, dict):
            for key, inner in value.items():
                flatten(prefix + "." + key if prefix else key, inner)
        else:
            flat[prefix] = value

    flatten("", nested_stats(*_device(device)))
    return collections.OrderedDict(sorted(flat.items()))


_SWAP_FIGURES = (
    "host_budget_bytes", "host_used_bytes", "swapping_out_bytes", "swapping_in_bytes", "swapped_out_bytes",
    "swapped_in_bytes", "copy_ns", "stall_ns", "rescues", "rescued_bytes", "copy_failures", "host_refusals",
)  # fmt: skip


def swap_stats(device=None):
    """What swapping has done on a device: bytes on the host and moving now, sums of what was copied, the time that copies
    took and that somebody waited for them, rescues. LookupError without Lacuna in this process."""
    agent = _agent(*_device(device))
    return {name: agent.device(name) if agent is not None else 0 for name in _SWAP_FIGURES}


def memory_allocated(device=None):
    """Bytes in tensors now."""
    return memory_stats(device).get("allocated_bytes.all.current", 0)


def max_memory_allocated(device=None):
    """Most bytes in tensors so far, or since reset_peak_memory_stats()."""
    return memory_stats(device).get("allocated_bytes.all.peak", 0)


def memory_reserved(device=None):
    """Bytes taken from the device now."""
    return memory_stats(device).get("reserved_bytes.all.current", 0)


def max_memory_reserved(device=None):
    """Most bytes taken from the device so far, or since reset_peak_memory_stats()."""
    return memory_stats(device).get("reserved_bytes.all.peak", 0)


def reset_peak_memory_stats(device=None):
    """Peaks start again from what holds now."""
    reset_peaks(*_device(device))


def memory_summary(device=None):
    """A few lines to print: reserved, allocated, and what the gap between them is made of."""
    backend, index = _device(device)
    agent = _agent(backend, index)
    if agent is None:
        return "no tensor yet"
    rows = (
        ("reserved", "reserved_bytes"), ("allocated", "allocated_bytes"), ("requested", "requested_bytes"),
        ("gap: releasable", "releasable_bytes"), ("gap: split", "split_bytes"), ("gap: pending", "pending_bytes"),
        ("peak reserved", "peak_reserved_bytes"), ("peak allocated", "peak_allocated_bytes"),
    )  # fmt: skip
    return "\n".join("%-16s %14.2f MiB" % (title, agent.device(name) / (1 << 20)) for title, name in rows)


# ---------------------------------------------------------------- what a script may ask for


def _present(device):
    backend, index = _device(device)
    agent = _agent(backend, index)
    if agent is None:
        raise LookupError("Lacuna serves no memory of this device yet: make a tensor first")
    return agent


def empty_cache(device=None):
    """Gives what is cached and unused back to the device, as ``torch.cuda.empty_cache`` does; of the host's memory, too.
    LookupError without Lacuna in this process. Before the first tensor there is nothing."""
    backend, index = _device(device)
    agent = _agent(backend, index)
    if agent is not None:
        agent.empty_cache()
    if backend == CUDA and agent is not None:
        sys.modules["torch"].cuda.empty_cache()  # what PyTorch's own allocator caches beside the agent


def set_per_process_memory_fraction(fraction, device=None):
    """The most that this process reserves, as a share of the device's memory: above 0 and at most 1. Nothing is asked
    back that is in use, and nothing guards: the script knows what it will need.

    :raises ValueError: for what is no such number
    :raises LookupError: without Lacuna in this process, and before the first tensor on the device
    """
    if not 0 < float(fraction) <= 1:
        raise ValueError("a fraction is above 0 and at most 1, not %r" % (fraction,))
    _present(device).set_fraction(float(fraction))


def compact(device=None, at_once=False):
    """Asks for parameters, gradients and optimizer state to move to the side that serves since the last switch, at the ends
    of the next steps; see docs/compaction.md. LookupError as above."""
    _present(device).compact(at_once)


# ---------------------------------------------------------------- out of memory

_MESSAGE = re.compile(r"\b(CUDA|NPU|Lacuna) out of memory\. Tried to allocate ([\d.]+ (?:bytes|[KMG]iB))")


class OutOfMemory(RuntimeError):
    """Memory ran out. ``tried`` is the size as printed, such as ``20.00 MiB``."""

    def __init__(self, message):
        super().__init__(message)
        found = _MESSAGE.search(message)
        self.tried = found.group(2) if found else ""


def _exact():
    """OutOfMemory that is also PyTorch's own, so that ``except torch.OutOfMemoryError`` catches it."""
    torch = sys.modules.get("torch")
    own = getattr(torch, "OutOfMemoryError", None) or getattr(getattr(torch, "cuda", None), "OutOfMemoryError", None)
    if not isinstance(own, type) or not issubclass(own, RuntimeError) or own is RuntimeError:
        return OutOfMemory
    return type("OutOfMemory", (OutOfMemory, own), {"__module__": OutOfMemory.__module__, "__doc__": OutOfMemory.__doc__})


class _Translating(contextlib.ContextDecorator):
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if isinstance(error, RuntimeError) and not isinstance(error, OutOfMemory) and _MESSAGE.search(str(error)):
            raise _exact()(str(error)) from error
        return False


def translating_out_of_memory():
    """``with lacuna.translating_out_of_memory(): …`` or ``@lacuna.translating_out_of_memory()``: an out-of-memory that
    PyTorch reports as a plain RuntimeError leaves as OutOfMemory, which is torch.OutOfMemoryError too where that is."""
    return _Translating()
