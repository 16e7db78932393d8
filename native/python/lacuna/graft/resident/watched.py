"""A device that is watched."""

from collections import deque

from .layout import BACKENDS, RECORD
from .system import monotonic_ns


class Watched:
    """A device in its slot: what its last steps needed, and what is published of it."""

    def __init__(self, slot, device, fraction):
        self.slot, self.device, self.fraction = slot, device, fraction
        self.step, self.last_step_ns, self.last_end = 0, 0, 0
        self.peaks, self.now = deque(maxlen=2), [0, 0]  # (allocated, reserved) of whole steps; of this one
        self.whole = False  # this step was seen from its beginning
        self.figures = device.read()
        self.gave_back = deque([self.figures.released] * 3, maxlen=3)  # what had been given back when the last steps ended
        self.least = self.figures.allocated
        self.step_least, self.ooms_before = 0, self.figures.ooms
        self.optimisation = False

    @property
    def limit(self):
        return int(self.fraction * self.figures.total)

    def look(self):
        self.figures = f = self.device.read()
        self.now = [max(self.now[0], f.allocated), max(self.now[1], f.reserved)]
        self.least = min(self.least, f.allocated)
        return f

    def end_step(self, when):
        f = self.figures
        if self.last_end:
            self.last_step_ns = when - self.last_end
        self.last_end = when
        self.step += 1
        if self.whole:
            self.peaks.append((self.now[0], self.now[1]))
            self.step_least = self.least
        self.gave_back.append(f.released)
        self.whole, self.now, self.least = True, [f.allocated, f.reserved], f.allocated

    def lowest_safe(self):
        """(bytes, whole steps): the peak reserved of the last two whole steps, else since the start.

        A sample may miss a peak that was given back between two looks; then the peak since the start counts.
        """
        if len(self.peaks) < 2 or self.figures.released != self.gave_back[0]:
            return self.figures.peak_reserved, 0
        return max(max(reserved for _, reserved in self.peaks), self.figures.reserved), len(self.peaks)

    def values(self):
        f = self.figures
        safe, steps = self.lowest_safe()
        peak = self.peaks[-1] if self.peaks else (0, 0)
        backend, word = BACKENDS[self.device.kind]
        fixed = {
            "backend": backend, "backend_word": word, "index": self.slot, "time_ns": monotonic_ns(), "total_bytes": f.total,
            "fraction": self.fraction, "optimisation": int(self.optimisation), "step": self.step, "outside_bytes": f.outside,
            "peak_allocated_bytes": f.peak_allocated, "peak_reserved_bytes": f.peak_reserved, "last_step_peak_allocated_bytes": peak[0],
            "last_step_peak_reserved_bytes": peak[1], "allocations": f.allocations, "frees": f.frees, "ooms": f.ooms,
            "retries": f.retries, "segments": f.segments, "last_step_ns": self.last_step_ns, "lowest_safe_limit_bytes": safe,
            "backend_index": self.device.backend_index, "safe_steps": steps,
        }  # fmt: skip
        fixed.update(f.words(self.limit))
        values = []
        several = {"pools": f.pools, "cache_bytes": (0, 0, 0)}  # what a switch of the agent's would give back: there is no agent
        for name, _ in RECORD:
            values.extend(several[name] if name in several else (fixed.get(name, 0),))
        return values
