"""A process without an accelerator."""

import time

from .figures import Figures
from .system import SHARE, read_text


class Host:
    """A process without an accelerator: PyTorch has no pool of its own there, so what counts is the C library's heap.

    Where another malloc is in its place, private memory is all that can be told, and no gap is seen.
    """

    kind, backend_index = "host", 0
    cannot = "PyTorch keeps no pool on the host: this is the heap of the whole process; its tensors' share cannot be seen; Lacuna's own pools can take over (take-over)"

    def __init__(self):
        self.total, self.interval, self.next, self.last = self._total(), 0.0, 0.0, None
        self.heap = self._heap()
        self.peak_allocated = self.peak_reserved = 0

    @staticmethod
    def _total():
        found = [int(line.split()[1]) * 1024 for line in read_text("/proc/meminfo").splitlines() if line.startswith("MemTotal:")]
        limit = read_text("/sys/fs/cgroup/memory.max").strip()
        return min(found + ([int(limit)] if limit.isdigit() else []) or [0])

    @staticmethod
    def _heap():
        maps = read_text("/proc/self/maps", 8 << 20)
        if any(other in maps for other in ("jemalloc", "tcmalloc", "mimalloc")):
            return None
        try:
            import ctypes

            class Heap(ctypes.Structure):
                _fields_ = [(name, ctypes.c_size_t) for name in (
                    "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]  # fmt: skip

            call = ctypes.PyDLL(None).mallinfo2
            call.restype = Heap
            return call
        except (ImportError, OSError, AttributeError):
            return None  # glibc before 2.33, or no ctypes

    def _private(self):
        for line in read_text("/proc/self/status").splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) * 1024
        return 0

    def read(self):
        begun = time.monotonic()
        if begun < self.next and self.last is not None:
            return self.last
        if self.heap is None:
            reserved = allocated = self._private()
            releasable = 0
        else:
            heap = self.heap()
            reserved, allocated = heap.arena + heap.hblkhd, heap.uordblks + heap.hblkhd
            allocated = min(allocated, reserved)
            releasable = min(heap.keepcost, reserved - allocated)
        self.peak_allocated, self.peak_reserved = max(self.peak_allocated, allocated), max(self.peak_reserved, reserved)
        self.last = Figures(
            total=max(self.total, reserved), reserved=reserved, allocated=allocated, requested=allocated, active=allocated,
            releasable=releasable, split=reserved - allocated - releasable, peak_allocated=self.peak_allocated,
            peak_reserved=self.peak_reserved, pools=(0, 0, reserved, allocated) + (0,) * 8,
        )  # fmt: skip
        # Counting walks through free pieces with the heap's lock held: only as often as its share allows.
        self.next = time.monotonic() + (time.monotonic() - begun) / SHARE * 4
        return self.last
