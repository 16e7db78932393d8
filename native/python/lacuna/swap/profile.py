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


class _Storage:
    """One that was saved. As long as this lives, no other gets its identity."""

    __slots__ = ("layer", "bytes", "_of", "_reference")

    def __init__(self, storage, layer, size):
        self.layer, self.bytes = layer, size
        self._of, self._reference = type(storage), storage._weak_ref()

    def __del__(self):
        self._of._free_weak_ref(self._reference)

    def is_there(self):
        return not self._of._expired(self._reference)


class _Kept:
    """What one outermost forward saved for backward, and what of it is elsewhere meanwhile."""

    __slots__ = ("by_layer", "storages", "left", "away")

    def __init__(self):
        self.by_layer = collections.Counter()  # bytes
        self.storages = {}  # by identity
        self.left = set()  # identities of what was let go of; others may hold it still
        self.away = {}  # identity -> bytes of what is not on the device, or not made again yet

    def save(self, layer, storage):
        """A storage counts for the first layer that saves it."""
        size, known = storage.nbytes(), self.storages.get(storage._cdata)
        if known is None:
            self.storages[storage._cdata] = _Storage(storage, layer, size)
            self.by_layer[layer] += size
        elif known.bytes < size:
            self.by_layer[layer] += size - known.bytes
            known.bytes = size

    def look(self):
        """Finds out which of those that were let go of nobody holds."""
        for identity in [identity for identity in self.left if not self.storages[identity].is_there()]:
            self.left.discard(identity)
            self.away[identity] = self.storages[identity].bytes

    def came(self, identity):
        self.left.discard(identity)
        self.away.pop(identity, None)

    def of_layer(self, layer):
        return [identity for identity, storage in self.storages.items() if storage.layer == layer]


def check_version(tensor, version):
    """The error that autograd itself would raise."""
    if tensor._version != version:
        raise RuntimeError(
            "one of the variables needed for gradient computation has been modified by an inplace operation: "
            "a tensor of %s was saved at version %d" % (list(tensor.size()), version)
        )


class Measurement:
    """From when it was asked for until it is told. Times are differences of marks, looked up when their step is over."""

    def __init__(self, clock, counters, native):
        self._clock, self._counters, self._native = clock, counters, native
        self.steps = 0  # whole ones that were measured; below 0 while warming
        self._began_at = None  # the agent's step
        self._figures = collections.defaultdict(_Figures)
        self._spans = []  # (layer, figure, sign, first mark, second mark) of this step
        self._saved, self._inputs = {}, {}  # most of a layer at a time in this step
        self._runs = weakref.WeakKeyDictionary()  # run -> _Kept, as long as backward may want it
        self._turn = None  # (run, layer) whose backward is on, and since when
        self._ns = self._peak = self._kept_peak = self._stood = 0

    @property
    def warming(self):
        return self.steps < 0 or self._began_at is None

    # ------------------------------------------------------------ steps

    def at_step(self, step):
        """An outermost forward begins in this step of the agent's; True when all was measured."""
        if self._began_at is None:
            self._began_at, self.steps, self._stood = step, -WARM_STEPS, self._clock.stood()
        elif step != self._began_at:
            self._began_at, before, self._stood = step, self._stood, self._clock.stood()
            if self.steps >= 0:
                self._settle(self._stood - before)
            self.steps += 1
            self._spans.clear()
            self._saved, self._inputs = {}, {}
        return self.steps >= MEASURED_STEPS

    def _settle(self, stood):
        for layer, figure, sign, first, second in self._spans:
            figures = self._figures[layer]
            setattr(figures, figure, getattr(figures, figure) + sign * self._clock.between(first, second))
        for layer, size in self._saved.items():
            self._figures[layer].saved = max(self._figures[layer].saved, size)
        for layer, size in self._inputs.items():
            self._figures[layer].input = max(self._figures[layer].input, size)
        self._ns += max(0, self._counters.device("last_step_ns") - stood)
        self._peak = max(self._peak, self._counters.device("last_step_peak_allocated_bytes"))
        self._kept_peak = max(self._kept_peak, self._native.kept_peak())

    def tell(self):
        """Gives the agent all figures."""
        for layer, figures in self._figures.items():
            self._native.profile_layer(
                layer, max(0, figures.forward) // self.steps, max(0, figures.backward) // self.steps, figures.saved,
                figures.input, self.steps,
            )  # fmt: skip
        saved = sum(figures.saved for figures in self._figures.values())
        self._native.profile_done(self._ns // self.steps, self._peak, max(0, self._kept_peak - saved), memory_speed())

    def end(self):
        """Nothing is measured any more."""
        self._runs.clear()
        self._native.elsewhere(0)

    # ------------------------------------------------------------ forward

    def mark(self):
        return self._clock.mark()

    def ran(self, layer, since):
        """A pass of a layer is over."""
        self._spans.append((layer, "forward", 1, since, self._clock.mark()))

    def took(self, layer, since):
        """Forward spent this on what is not the layer's own."""
        self._spans.append((layer, "forward", -1, since, self._clock.mark()))

    def save(self, run, layer, storage):
        """Something was saved for backward."""
        kept = self._runs.get(run)
        if kept is None:
            kept = self._runs[run] = _Kept()
        kept.save(layer, storage)

    def enter(self, layer, size):
        """A layer was called with input tensors of this size."""
        self._inputs[layer] = max(self._inputs.get(layer, 0), size)

    def end_run(self):
        """An outermost forward is over: what all of them keep now is the most so far."""
        total = collections.Counter()
        for kept in self._runs.values():
            total.update(kept.by_layer)
        for layer, size in total.items():
            self._saved[layer] = max(self._saved.get(layer, 0), size)

    # ------------------------------------------------------------ what is elsewhere

    def went(self, run, identity):
        """A storage was let go of, to be had from the host."""
        kept = self._runs.get(run)
        if kept is not None and identity in kept.storages:
            kept.left.add(identity)

    def came(self, run, identity):
        """It is about to be on the device again, or not wanted any more."""
        kept = self._runs.get(run)
        if kept is not None:
            kept.came(identity)
            self._tell_elsewhere()

    def dropped(self, run, layer):
        """What the layer saved is to be computed again."""
        kept = self._runs.get(run)
        if kept is not None:
            kept.left.update(kept.of_layer(layer))

    def makes_again(self, run, layer):
        kept = self._runs.get(run)
        if kept is not None:
            for identity in kept.of_layer(layer):
                kept.came(identity)
            self._tell_elsewhere()

    def look(self, run):
        """A layer is over: what was let go of in it has left, unless others hold it."""
        kept = self._runs.get(run)
        if kept is not None:
            kept.look()
            self._tell_elsewhere()

    def _tell_elsewhere(self):
        self._native.elsewhere(sum(sum(kept.away.values()) for kept in self._runs.values()))

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
        self.look(run)

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
            self._tell_elsewhere()
        self._turn = None
