"""What each layer takes and keeps, measured over a few steps."""

import collections
import ctypes
import sys
import weakref

WARM_STEPS = 2  # the rest of the one in which it was asked for, and one in which layers are tried
MEASURED_STEPS = 4
PROBE_BYTES = 16 << 20


def memory_speed():
    """Bytes per second at which the host copies its own memory: what a link that was not given is as fast as."""
    import time

    source, target = ctypes.create_string_buffer(PROBE_BYTES), ctypes.create_string_buffer(PROBE_BYTES)
    best = 0
    for _ in range(3):
        began = time.monotonic_ns()
        ctypes.memmove(target, source, PROBE_BYTES)
        best = max(best, PROBE_BYTES * 10**9 // max(1, time.monotonic_ns() - began))
    return best


class _Figures:
    """One layer's, summed over steps."""

    __slots__ = ("forward", "backward", "saved", "input")

    def __init__(self):
        self.forward = self.backward = self.saved = self.input = 0


class Seen:
    """What autograd holds for a tensor while it is only looked at: the tensor, and whose it is."""

    __slots__ = ("tensor", "version", "layer", "run")

    def __init__(self, tensor, layer, run):
        self.tensor, self.version, self.layer, self.run = tensor, tensor._version, layer, run

    def get(self):
        check_version(self.tensor, self.version)
        return self.tensor


def check_version(tensor, version):
    """The error that autograd itself would raise."""
    if tensor._version != version:
        raise RuntimeError(
            "one of the variables needed for gradient computation has been modified by an inplace operation: "
            "a tensor of %s was saved at version %d" % (list(tensor.size()), version)
        )


class Measurement:
    """From when it was asked for until it is told. Times are differences of marks, looked up when their step is over."""

    def __init__(self, clock, counters):
        self._clock, self._counters = clock, counters
        self.steps = 0  # whole ones that were measured; below 0 while warming
        self._began_at = None  # the agent's step
        self._figures = collections.defaultdict(_Figures)
        self._spans = []  # (layer, figure, sign, first mark, second mark) of this step
        self._saved, self._inputs = {}, {}  # most of a layer at a time in this step
        self._runs = weakref.WeakKeyDictionary()  # run -> layer -> bytes, as long as backward may want them
        self._known = {}  # run's addresses
        self._turn = None  # (run, layer) whose backward is on, and since when
        self._ns = self._peak = 0

    @property
    def warming(self):
        return self.steps < 0 or self._began_at is None

    # ------------------------------------------------------------ steps

    def at_step(self, step):
        """An outermost forward begins in this step of the agent's; True when all was measured."""
        if self._began_at is None:
            self._began_at, self.steps = step, -WARM_STEPS
        elif step != self._began_at:
            self._began_at = step
            if self.steps >= 0:
                self._settle()
            self.steps += 1
            self._spans.clear()
            self._saved, self._inputs = {}, {}
        return self.steps >= MEASURED_STEPS

    def _settle(self):
        for layer, figure, sign, first, second in self._spans:
            figures = self._figures[layer]
            setattr(figures, figure, getattr(figures, figure) + sign * self._clock.between(first, second))
        for layer, size in self._saved.items():
            self._figures[layer].saved = max(self._figures[layer].saved, size)
        for layer, size in self._inputs.items():
            self._figures[layer].input = max(self._figures[layer].input, size)
        self._ns += self._counters.device("last_step_ns")
        self._peak = max(self._peak, self._counters.device("last_step_peak_allocated_bytes"))

    def tell(self, native, action_of):
        """Gives the agent all figures. `action_of` says what a layer did meanwhile: K, S or R."""
        held = 0
        for layer, figures in self._figures.items():
            native.profile_layer(
                layer, max(0, figures.forward) // self.steps, max(0, figures.backward) // self.steps, figures.saved,
                figures.input, self.steps,
            )  # fmt: skip
            held += {"K": figures.saved, "R": figures.input}.get(action_of(layer), 0)
        native.profile_done(self._ns // self.steps, self._peak, max(0, self._peak - held), memory_speed())

    # ------------------------------------------------------------ forward

    def mark(self):
        return self._clock.mark()

    def ran(self, layer, since):
        """A pass of a layer is over."""
        self._spans.append((layer, "forward", 1, since, self._clock.mark()))

    def took(self, layer, since):
        """Forward spent this on what is not the layer's own."""
        self._spans.append((layer, "forward", -1, since, self._clock.mark()))

    def save(self, run, layer, address, size):
        """Something was saved for backward; a storage counts for the first that saves it."""
        by_layer = self._runs.get(run)
        if by_layer is None:
            by_layer = self._runs[run] = collections.Counter()
            self._known = {}
        if self._known.get(address, 0) < size:
            by_layer[layer] += size - self._known.get(address, 0)
            self._known[address] = size

    def enter(self, layer, size):
        """A layer was called with input tensors of this size."""
        self._inputs[layer] = max(self._inputs.get(layer, 0), size)

    def end_run(self):
        """An outermost forward is over: what all of them keep now is the most so far."""
        total = collections.Counter()
        for by_layer in self._runs.values():
            total.update(by_layer)
        for layer, size in total.items():
            self._saved[layer] = max(self._saved.get(layer, 0), size)

    # ------------------------------------------------------------ backward

    def want(self, run, layer):
        """Backward wants what a layer of a run saved: its turn begins unless it is on."""
        turn = (run, layer)
        if self._turn is not None and self._turn[0] == turn:
            return
        now = self._clock.mark()
        if self._turn is None and not self._call_at_end():
            return  # somebody only looks
        self._end_turn(now)
        self._turn = (turn, now)

    def lose(self, layer, since):
        """Backward spent this on waiting or on computing again."""
        self._spans.append((layer, "backward", -1, since, self._clock.mark()))

    def _end_turn(self, now):
        if self._turn is not None:
            (_, layer), since = self._turn
            self._spans.append((layer, "backward", 1, since, now))

    def _call_at_end(self):
        try:
            sys.modules["torch"].autograd.Variable._execution_engine.queue_callback(self._end_backward)
            return True
        except RuntimeError:  # not within a backward
            return False

    def _end_backward(self):
        self._end_turn(self._clock.mark())
        if self._turn is not None:
            self._runs.pop(self._turn[0][0], None)
        self._turn = None
