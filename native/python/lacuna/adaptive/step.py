"""What a step takes under a policy: the planner's ``StepSimulator`` (docs/planning.md, "Adaptive memory of measured layers"), to the
nanosecond; a test holds the two equal.

Forward and backward pass, one layer after another, each direction of the link carries one layer at a time. The backward pass is a
forward pass in reversed time. What is swapped leaves when its layer is over; a layer waits until there is room for it.
"""

from .measured import UNKNOWN_LINK


class Costs:
    """Of each layer and letter."""

    def __init__(self, profile):
        self.profile, self.layers = profile, profile.layers
        self.copies = [(self._copy(layer.copy_out, layer.saved), self._copy(layer.copy_in, layer.saved)) for layer in self.layers]
        self.choices = [self._choices(layer) for layer in self.layers]
        self.beside = max(0, profile.step_ns - sum(layer.forward + layer.backward for layer in self.layers))

    def _copy(self, measured, size):
        rate = self.profile.link or UNKNOWN_LINK
        return measured or -(-size * 10**9 // rate)

    @staticmethod
    def _choices(layer):
        """Letters worth trying: what moves nothing, or keeps no less than it frees, is as good as keeping."""
        letters = "K"
        if "S" in layer.can and layer.saved > 0:
            letters += "S"
        if "R" in layer.can and layer.input < layer.saved:
            letters += "R"
        return letters


class Pass:
    """Where a pass stands after some layers: now, when the link is free, and (end of copy, bytes) of what is leaving."""

    __slots__ = ("leaving", "link", "now")

    def __init__(self, now=0, link=0, leaving=()):
        self.now, self.link, self.leaving = now, link, leaving

    def after(self, room, took, size=0, copy=0):
        """After one more layer, of which `size` bytes leave; `room` is what may be on its way out while it runs."""
        begin, pending = self.now, sum(each for _, each in self.leaving)
        for left, each in self.leaving:
            if pending <= room:
                break
            begin, pending = left, pending - each
        end = begin + took
        leaving = tuple(each for each in self.leaving if each[0] > end)
        if not size:
            return Pass(end, self.link, leaving)
        link = max(self.link, end) + copy
        return Pass(end, link, (*leaving, (link, size)))

    def drained(self):
        return max(self.now, self.link)


class State:
    """A beginning of a policy: both passes over its layers, and what is held of them between."""

    __slots__ = ("backward", "forward", "held", "letters")

    def __init__(self, held, forward=None, backward=None, letters=""):
        self.held, self.letters = held, letters
        self.forward, self.backward = forward or Pass(), backward or Pass()

    def then(self, costs, letter, limit):
        """With one more layer; None where it does not fit."""
        number = len(self.letters)
        layer, (out, back) = costs.layers[number], costs.copies[number]
        again = letter == "R"
        room = limit - self.held - (layer.input if again else layer.saved)
        room_back = limit - self.held - layer.saved - (layer.input if again else 0)
        if room < 0 or room_back < 0:
            return None
        moved = layer.saved if letter == "S" else 0
        forward = self.forward.after(room, layer.forward, moved, out)
        backward = self.backward.after(room_back, layer.backward + (layer.forward if again else 0), moved, back)
        held = self.held + (0 if moved else layer.input if again else layer.saved)
        return State(held, forward, backward, self.letters + letter)

    def time(self):
        return self.forward.drained() + self.backward.drained()


def step_ns(costs, letters, limit):
    """Time of a step under a policy; None where it does not fit."""
    state = State(costs.profile.other)
    for letter in letters:
        state = state.then(costs, letter, limit)
        if state is None:
            return None
    return state.time() + costs.beside
