"""What the agent counts in this process, in PyTorch's words, and out-of-memory errors that can be told from others.

``memory_stats`` has the keys of ``torch.cuda.memory_stats`` that the agent counts; those that it does not count are
absent rather than guessed.
"""

import collections
import contextlib
import ctypes
import os
import re
import sys

VIRTUAL, CUDA, ASCEND = 1, 2, 3  # lacuna_backend
_BACKENDS = {"cpu": VIRTUAL, "cuda": CUDA, "npu": ASCEND}
_KINDS = {"small_pool": 0, "large_pool": 1}  # pools of the agent alternate: small, large


class _Field(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("offset", ctypes.c_uint32), ("size", ctypes.c_uint32)]


class _Statistic(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("current", "peak", "allocated")]


# ---------------------------------------------------------------- the agents


def _library():
    """The agent's library of this process. LookupError where there is none."""
    whole = ctypes.CDLL(None)
    if hasattr(whole, "lacuna_process_agents"):
        return whole
    path = os.environ.get("LACUNA_LIBRARY")
    if not path:
        raise LookupError("this process does not run under Lacuna; start it with python3 -m lacuna")
    return ctypes.CDLL(path)


def _layout(lib):
    lib.lacuna_layout.restype = ctypes.POINTER(_Field)
    fields = {}
    entry = lib.lacuna_layout()
    for field in iter(entry[i] for i in range(1000)):
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

    def pools(self, name, kind):
        """Sum over the pools of one kind."""
        first, length = self._fields["device.pools"][0], self._fields["pool"][1]
        count = self._fields["device.pools"][1] // length
        return sum(self.count("pool." + name, first + i * length) for i in range(kind, count, 2))

    def statistics(self):
        """Current, peak and sum of what PyTorch counts, in the order of lacuna_statistics."""
        values = (_Statistic * 15)()
        self._lib.lacuna_statistics(self._handle, ctypes.byref(values))
        return values

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

_COUNTED = ("allocation", "allocated_bytes", "requested_bytes", "active", "active_bytes")  # order of lacuna_statistics


def nested_stats(backend, index):
    """What ``torch._C._cuda_memoryStats`` gives: by statistic, by pool. Empty before the first tensor."""
    agent = _agent(backend, index)
    if agent is None:
        return {}
    stats = {}
    values = agent.statistics()
    for i, name in enumerate(_COUNTED):
        stats[name] = {
            pool: {
                "current": value.current,
                "peak": value.peak,
                "allocated": value.allocated,
                "freed": value.allocated - value.current,
            }
            for pool, value in zip(("all", "small_pool", "large_pool"), values[3 * i : 3 * i + 3])
        }
    reserved = {pool: {"current": agent.pools("reserved_bytes", kind)} for pool, kind in _KINDS.items()}
    reserved["all"] = {"current": agent.device("reserved_bytes"), "peak": agent.device("peak_reserved_bytes")}
    stats["reserved_bytes"] = reserved
    stats["segment"] = {"all": {"current": agent.device("segments")}}
    stats["inactive_split_bytes"] = {"all": {"current": agent.device("split_bytes")}}
    stats["num_alloc_retries"] = agent.device("retries")
    stats["num_ooms"] = agent.device("ooms")
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
