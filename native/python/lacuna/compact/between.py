"""What is done at the end of a step: as much as the pace allows, and nothing that anybody else is using."""

import time

from . import agent as agents_of
from . import holders, move, others, plan
from .budget import Budget

TRIES = 3  # of a storage that is refused
PATIENCE = 50  # ends of steps at which other threads were at work, or something was not yet let go


class _Run:
    """One compaction of one device, from step to step. It keeps no tensor: what goes meanwhile is gone."""

    def __init__(self, handle, device, at_once):
        self.handle, self.device = handle, device
        self.told = agents_of.Told(state=agents_of.RUNNING, at_once=at_once)
        self.budget = None if at_once else Budget()
        self.refused = {}  # how often a storage was, and why, by (address of storage, of memory)
        self.gradients = None  # those of the last end, by the same: what is still there outlives steps
        self.postponed = 0
        self.room = 0  # bytes that were made for what was left, and are not taken yet


class Compaction:
    """Of the process. ``between`` is called with the marker of phases, which knows optimizers and outermost modules."""

    def __init__(self, torch, library):
        self._torch, self._agents = torch, agents_of.Agents(library)
        self._runs = {}
        self._movers = {}
        self._counting = None  # holders.Counting; False where nothing can be counted

    def between(self, marker):
        for handle in self._agents.all():
            told = self._agents.asked(handle)
            if told.state == agents_of.ASKED:
                self._runs[handle] = self._begin(handle, told.at_once)
            if told.state in (agents_of.ASKED, agents_of.RUNNING) and handle in self._runs:
                self._go_on(self._runs[handle], marker)

    def give_up(self):
        """What is under way ends as far as it has come."""
        for run in self._runs.values():
            run.told.state = agents_of.DONE
            self._agents.tell(run.handle, run.told)
        self._runs.clear()

    # ---------------------------------------------------------------- pace

    def _begin(self, handle, at_once):
        index = next((n for n in range(16) if self._agents.of_cuda(n) == handle), None)
        device = ("cpu", None) if index is None else ("cuda", index)
        run = _Run(handle, device, at_once)
        self._agents.tell(handle, run.told)
        return run

    def _go_on(self, run, marker):
        began = time.monotonic()
        if run.budget and not run.budget.begin(began):
            return
        self._agents.set_up(1)
        try:
            self._move_some(run, marker)
        finally:
            self._agents.set_up(0)
        now = time.monotonic()
        if run.budget:
            run.budget.end(now)
        run.told.busy_ns += int((now - began) * 1e9)
        if run.told.state == agents_of.DONE:
            del self._runs[run.handle]
        self._agents.tell(run.handle, run.told)

    # ---------------------------------------------------------------- what

    def _move_some(self, run, marker):
        mover = self._mover(run.device[0])
        everywhere = self._of_all(mover)
        if everywhere is None and others.is_any_at_work(self._torch):
            run.postponed += 1
            if run.postponed <= PATIENCE:
                return
            everywhere = "threads"
        left, stayed = self._left_over(run, marker)
        if everywhere is not None:
            self._end(run, stayed + [(everywhere, held.storage.nbytes()) for held in left])
            return
        left, waiting = _in_turn(left, run.refused)
        self._make_room(run, *mover.prepare([held.storage.nbytes() for held in left]))
        tried = moved = 0
        while left and (not tried or self._has_room(run, left[-1])):
            held = left.pop()
            why = self._move(held, mover, run)
            tried, moved = tried + 1, moved + (why is None)
            if why is not None:
                run.refused[_key(held)] = run.refused.get(_key(held), (0, why))[0] + 1, why
                waiting.append(held)
        run.told.steps += moved > 0
        if moved:
            mover.release(run.device[1])
        run.told.left, run.told.left_bytes = len(left), sum(held.storage.nbytes() for held in left)
        self._judge(run, left, waiting, stayed, mover)

    def _make_room(self, run, size, longest):
        """For what has come since the last time: gradients come later."""
        if size > run.room:
            self._agents.prepare(run.handle, size - run.room, longest)
            run.room = size

    @staticmethod
    def _has_room(run, held):
        return run.budget is None or run.budget.has_room(held.storage.nbytes(), time.monotonic())

    def _judge(self, run, left, waiting, stayed, mover):
        """Done where nothing is left that may still be let go."""
        again = any(why in ("shared", "memory") and times < TRIES for times, why in map(run.refused.get, map(_key, waiting)))
        if left or again or mover.finish() or run.gradients is None or run.fresh:
            return
        self._end(run, stayed + [(run.refused[_key(held)][1], held.storage.nbytes()) for held in waiting])

    def _of_all(self, mover):
        """Why nothing moves at all; None where something may."""
        if mover is None:
            return "door"
        if others.library() is not None:
            return "library"
        return "door" if self._counts() is None else mover.refusal_of_all()

    def _end(self, run, stayed):
        for why, size in stayed:
            number = agents_of.STAYS.index(why)
            run.told.stayed[number] += 1
            run.told.stayed_bytes[number] += size
        run.told.left = run.told.left_bytes = 0
        run.told.state = agents_of.DONE

    def _left_over(self, run, marker):
        """Gradients come in once they were there at two ends: others do not outlive a step."""
        torch = self._torch
        wanted = plan.Plan(torch, self._agents, self._counts())
        optimizers = list(marker.optimizers())
        parameters = plan.parameters_of(optimizers, marker.modules())
        lasting, run.gradients, run.fresh = _lasting(parameters, run.gradients)
        entries = parameters + list(plan.states_of(optimizers, torch)) + lasting
        kind, index = run.device
        return wanted.left_over(entries, lambda tensor: tensor.device.type == kind and (index is None or tensor.device.index == index))

    def _move(self, held, mover, run):
        wanted = plan.Plan(self._torch, self._agents, self._counts())
        why = wanted.refusal(held, mover)
        if why is None:
            size, began = held.storage.nbytes(), time.monotonic()
            why = mover.move(held.storage)
            if run.budget:
                run.budget.moved(size, time.monotonic() - began)
            if why is None and wanted.is_left_over(held):
                why = "memory"  # the other side had none, and this one served again
            if why is None:
                run.told.moved += 1
                run.told.moved_bytes += size
                run.room -= move.in_room(size)
        return why

    # ---------------------------------------------------------------- found once

    def _mover(self, kind):
        if kind not in self._movers:
            self._movers[kind] = move.of_device(self._torch, kind)
        return self._movers[kind]

    def _counts(self):
        if self._counting is None:
            try:
                self._counting = holders.Counting(self._torch)
            except holders.Untold:
                self._counting = False
        return self._counting or None


def _key(held):
    return held.storage._cdata, held.storage.data_ptr()


def _in_turn(left, refused):
    """(what to try, the last first; what was refused so often that it stays). Those that were refused least often come first, of
    these the largest: smaller ones then fill the gaps that they leave."""
    times = [(refused.get(_key(held), (0, None))[0], held) for held in left]
    times.sort(key=lambda each: (-each[0], each[1].storage.nbytes()))
    return [held for often, held in times if often < TRIES], [held for often, held in times if often >= TRIES]


def _lasting(parameters, before):
    """(gradients that were there at the last end, those of this end, whether some of them are new)."""
    now, lasting = set(), []
    for gradient, slots in plan.gradients_of(parameters):
        key = holders.storage_of(gradient)._cdata, gradient.data_ptr()
        now.add(key)
        if before is not None and key in before:
            lasting.append((gradient, slots))
    return lasting, now, before is None and bool(now)
