"""Marks in time: the host's clock, or events on the device's stream where work runs beside the host."""

import sys
import time


class HostClock:
    """For devices that compute in the calling thread."""

    @staticmethod
    def mark():
        return time.monotonic_ns()

    @staticmethod
    def between(first, second):
        """Nanoseconds."""
        return second - first


class EventClock:
    """CUDA events on the current stream; asking waits for the later one, which by then lies a step back."""

    def __init__(self):
        self._events = sys.modules["torch"].cuda.Event

    def mark(self):
        event = self._events(enable_timing=True)
        event.record()
        return event

    @staticmethod
    def between(first, second):
        second.synchronize()
        return int(first.elapsed_time(second) * 1e6)


class WorkingClock:
    """Of the training's own work: it stands while somebody waits for what a policy may have elsewhere or not."""

    def __init__(self, clock, stood):
        self._clock, self.stood = clock, stood  # nanoseconds that it has stood so far

    def mark(self):
        return self._clock.mark(), self.stood()

    def between(self, first, second):
        return self._clock.between(first[0], second[0]) - (second[1] - first[1])


def clock_of(backend):
    """The clock of an agent's backend (lacuna_backend)."""
    cuda = 2
    return EventClock() if backend == cuda else HostClock()
