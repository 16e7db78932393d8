"""Has a rule choose for each saved tensor, and does what it says: the tensor leaves, or is dropped to be computed again.

Under a rule every layer that can be computed again keeps what it saves as always, and its inputs beside: so what becomes of a
tensor may be decided as late as at the end of any later layer. Dropping is letting go of what autograd holds for it; whoever
wants it then has its layer computed again, as under a policy of letters.
"""

import collections
import time
import weakref

from .clock import WorkingClock, clock_of
from .recompute import Reason
from .rules import RULES
from .rules.offer import Candidate, LayerCall, Offer, Seen

RUNS_BACK = 2  # what an accelerator was asked for is over by then


class _Marks:
    """When what happened in one run."""

    __slots__ = ("began", "saved", "wanted", "layers", "offers")

    def __init__(self, began):
        self.began = began
        self.saved, self.wanted = {}, {}  # key -> (mark, bytes, layer), mark
        self.layers = []  # (name, first mark, second mark)
        self.offers = 0  # ends of layers at which the rule was asked


class Chooser:
    """Of one manager; `rule` is None where nobody chooses."""

    def __init__(self, manager):
        self._manager, self.rule, self._changes = manager, None, None
        self._clock = None
        self._lost = 0  # nanoseconds that computing again took
        self._rescued = 0  # of what was rescued, that rules know of
        self._runs = weakref.WeakKeyDictionary()  # run -> _Marks
        self._older = collections.deque()
        self._forward_ns = {}  # by layer, the least so far: waiting for rescues is not its own

    @property
    def on(self):
        return self.rule is not None

    def read(self, name, changes):
        """What was told since it was read last."""
        if changes != self._changes:
            self._changes = changes
            self.rule = RULES[name]() if name in RULES else None

    # ------------------------------------------------------------ what happens

    def begin_run(self, run):
        if not self.on:
            return
        if self._clock is None:
            self._clock = WorkingClock(clock_of(self._manager.native_backend()), lambda: self._manager.stalled_ns() + self._lost)
        if len(self._older) == RUNS_BACK:
            self._settle(self._older.popleft())
        marks = self._runs[run] = _Marks(self.mark())
        self._older.append(marks)

    def saved(self, run, stored):
        stored.accessed_ns = time.monotonic_ns()
        marks = self._runs.get(run) if self.on else None
        if marks is not None:
            marks.saved[stored.key] = self.mark(), stored.bytes, run.layer

    def wanted(self, run, key):
        """Backward comes to it."""
        marks = self._runs.get(run) if self.on else None
        if marks is not None and key not in marks.wanted:
            marks.wanted[key] = self.mark()

    def layer_ran(self, run, since):
        marks = self._runs.get(run) if self.on else None
        if marks is not None and since is not None:
            marks.layers.append((run.layer, since, self.mark()))

    def mark(self):
        """A moment, and what had been waited and computed again by then; None where nobody chooses."""
        if not self.on or self._clock is None:
            return None
        return self._clock.mark()

    def _between(self, first, second):
        """Nanoseconds of the training's own: what was moved and computed again may be so no more."""
        return max(0, self._clock.between(first, second))

    def lost(self, nanoseconds):
        self._lost += nanoseconds

    def _settle(self, marks):
        between = self._between
        for name, first, second in marks.layers:
            took = between(first, second)
            self._forward_ns[name] = min(took, self._forward_ns.get(name, took))
        if self.on:
            self.rule.ran({
                key: Seen(between(marks.began, mark), between(marks.began, marks.wanted[key]), size, layer)
                for key, (mark, size, layer) in marks.saved.items() if key in marks.wanted
            })  # fmt: skip

    def step_over(self, rescued, spare, calm):
        if self.on:
            self.rule.step_over(rescued, spare, calm)

    # ------------------------------------------------------------ choosing

    def choose(self):
        """A layer is over: what the rule names goes."""
        offer = self._offer()
        for candidate, letter in self.rule.layer_over(offer):
            if letter == "R":
                self._drop(candidate, offer)
            elif self._manager.send(candidate.stored):
                offer.room += candidate.bytes
            else:
                offer.can_swap = False

    def _offer(self):
        manager, calls, candidates = self._manager, {}, []
        for run in list(self._runs):
            over = [entry for entry in run.pending if entry[1]() is not None]
            run.pending.clear()
            run.pending.extend(over)
            for number, reference in over:
                stored = reference()
                if stored is None or stored.storage is None or stored.away or run is manager.run and number > manager.passed:
                    continue
                candidates.append(Candidate(stored, self._call_of(stored, calls)))
        rescued, self._rescued = manager.rescued_ever - self._rescued, manager.rescued_ever
        room = manager.native.room() + manager.leaving_bytes()
        marks = self._runs.get(manager.run)
        if marks is not None:
            marks.offers += 1
        return Offer(marks.offers if marks is not None else 0, candidates, room, rescued, manager.away_bytes, time.monotonic_ns(), manager.ns_per_byte())

    def _call_of(self, stored, calls):
        """The one call that makes it again, where all that was saved on it comes from there."""
        found = None
        for reference in stored.saved:
            saved = reference()
            if saved is None:
                continue
            holder = saved.holder() if saved.holder is not None else None
            again = holder.again if holder is not None else None
            if again is None or found not in (None, again) or not again.ready or again.layer.reason is not Reason.NONE:
                return None
            found = again
        if found is None or self._manager.measurement is not None or found.layer.name not in self._forward_ns:
            return None
        call = calls.get(found)
        if call is None:
            call = calls[found] = LayerCall(found.layer.name, self._forward_ns[found.layer.name], found.dropped)
        call.bytes += stored.bytes
        return call

    def _drop(self, candidate, offer):
        for reference in list(candidate.stored.saved):
            saved = reference()
            holder = saved.holder() if saved is not None else None
            if holder is None:
                continue
            holder.again.dropped = True
            holder.key, holder.kept = candidate.key, None
        candidate.layer.dropped = True
        self._manager.native.dropped(candidate.bytes)
        candidate.stored = None
        offer.room += candidate.bytes
