"""DTR (Kirisame et al., ICLR 2021): what is missing goes when it is missing, the least h = cost / (size · staleness) first.

There an operator is computed again; here a layer is, or the tensor comes back from the host, whichever costs less: that is the
cost. Memory counts as missing where less is free at the end of a layer than rescues have shown to be taken until the next
one's end (after the last layer: by loss, backward and optimizer).
"""


class Dtr:
    looking = False  # it decides from the first layer on

    def __init__(self):
        self._needs = {}  # place of a layer in the run -> bytes to be free at its end
        self._last, self._room_left = None, 0  # place of the layer that was over last, what was free then

    def ran(self, seen):
        """Nothing of earlier steps: it decides by what is there."""

    def layer_over(self, offer):
        if offer.rescued and self._last is not None:
            needed = self._room_left + offer.rescued
            self._needs[self._last] = max(needed, self._needs.get(self._last, 0))
        yield from self._go(offer, self._needs.get(offer.place, 0))
        self._last, self._room_left = offer.place, offer.room

    def _go(self, offer, needed):
        left = list(offer.candidates)
        while left and offer.room < needed:
            best = min(left, key=lambda each: self._h(each, offer))
            letter = self._cheapest(best, offer)[1]
            if letter is None:
                return
            could = offer.can_swap
            yield best, letter
            if could == offer.can_swap:  # it went
                left.remove(best)

    @staticmethod
    def _cheapest(each, offer):
        """(nanoseconds, letter) of the way back that costs less."""
        ways = []
        if offer.can_swap:
            ways.append((offer.copy_ns(each.bytes), "S"))
        if each.layer is not None:
            ways.append((each.layer.cost_of(each.bytes), "R"))
        return min(ways, default=(float("inf"), None))

    def _h(self, each, offer):
        cost, _ = self._cheapest(each, offer)
        return cost / (each.bytes * max(1, offer.now - each.accessed_ns))

    def step_over(self, rescued, spare, calm):
        if calm and spare > 0:
            self._needs = {place: needed - needed // 8 for place, needed in self._needs.items()}
